"""Trolls (rules.md, "Powers", ruling `trolls`; LE2023 and Claim 2, "Trolle")."""

import random

import pytest
from tabletop import cards, pile, table, trick

TWO = "GKTUX"
MANY = "GKBSTUX"
LAST = {2: 26, 3: 24, 4: 18}


def tricks(*plays: str, ruling: str = "", deck: str = MANY, **more):
    """Play several tricks of Phase 2; return the outcome of each."""
    rulings = f"trolls={ruling}" if ruling else ""
    game = table(deck, seats=len(plays[0].split()), phase=2, rulings=rulings, **more)
    return [trick(game, text) for text in plays]


def trolls_taken(*plays: str, ruling: str = "", **more) -> list[tuple[str, str]]:
    """For each trick the Trolls its winner took, and those left lying."""
    found = []
    for done in tricks(*plays, ruling=ruling, **more):
        assert set(done.scored) == {done.winner}
        taken = [card for card in done.scored[done.winner] if card[0] == "T"]
        found.append((" ".join(taken), " ".join(done.waiting)))
    return found


@pytest.mark.parametrize("ruling", ["highest", "line"])
@pytest.mark.parametrize(
    ("plays", "taken", "waiting"),
    [
        ("T3 T5", "T5", "T3"),
        ("T5 T3", "T5", "T3"),
        ("T3 G5", "T3", ""),
        ("G5 T3", "T3", ""),
        ("T3 X5", "T3", ""),
        ("G5 K5", "", ""),
        ("T3 T5 T4", "T5", "T4 T3"),
        ("G3 T5 T4", "T5", "T4"),
        ("T0 T2 T3 T1", "T3", "T2 T1 T0"),
        ("T9 T2 T3 T1", "T9", "T3 T2 T1"),
        ("G0 T2 T3 G1", "T3", "T2"),
    ],
)
def test_one_troll_a_trick_goes_to_the_winner(plays, taken, waiting, ruling):
    """rules.md, "Powers": the highest; the rest stay for later tricks, highest first."""
    assert trolls_taken(plays, ruling=ruling) == [(taken, waiting)]


def test_the_winner_takes_all_other_cards():
    """LE2023, "Trolle": A gets both cards played plus one Troll."""
    done = tricks("T3 T5", "G3 G5")[1]
    assert done.winner == 1
    assert done.scored == {1: cards("G3 G5 T3")}


def test_the_winner_always_takes_its_troll():
    """rules.md, "Decided here": LE2023 says "darfst maximal einen"; nobody may decline."""
    assert trolls_taken("T3 T5", "G3 G5", "G0 G1") == [("T5", "T3"), ("T3", ""), ("", "")]


@pytest.mark.parametrize(
    ("plays", "highest", "line"),
    [
        pytest.param(
            ("T6 T7", "T3 T5"),
            [("T7", "T6"), ("T6", "T5 T3")],
            [("T7", "T6"), ("T5", "T6 T3")],
            id="lying-is-higher",
        ),
        pytest.param(
            ("T1 T3", "T9 T7"),
            [("T3", "T1"), ("T9", "T7 T1")],
            [("T3", "T1"), ("T9", "T1 T7")],
            id="played-is-higher",
        ),
        pytest.param(
            ("T1 T3", "T9 T7", "G1 G2"),
            [("T3", "T1"), ("T9", "T7 T1"), ("T7", "T1")],
            [("T3", "T1"), ("T9", "T1 T7"), ("T1", "T7")],
            id="none-played",
        ),
        pytest.param(
            ("T6 T7", "T3 G5"),
            [("T7", "T6"), ("T6", "T3")],
            [("T7", "T6"), ("T3", "T6")],
            id="one-played",
        ),
        pytest.param(
            ("T3 T9 T4", "G1 T5 T6", "G1 G2 G3"),
            [("T9", "T4 T3"), ("T6", "T5 T4 T3"), ("T5", "T4 T3")],
            [("T9", "T4 T3"), ("T6", "T4 T3 T5"), ("T4", "T3 T5")],
            id="three-players",
        ),
        pytest.param(
            ("T3 T9 T4 T8", "G1 T5 T6 T7", "G1 G2 G3 T0"),
            [("T9", "T8 T4 T3"), ("T8", "T7 T6 T5 T4 T3"), ("T7", "T6 T5 T4 T3 T0")],
            [("T9", "T8 T4 T3"), ("T7", "T8 T4 T3 T6 T5"), ("T0", "T8 T4 T3 T6 T5")],
            id="four-players",
        ),
    ],
)
def test_rulings(plays, highest, line):
    """rules.md, "Rulings": the highest lying or played; or played first, then the longest wait."""
    assert trolls_taken(*plays) == highest
    assert trolls_taken(*plays, ruling="highest") == highest
    assert trolls_taken(*plays, ruling="line") == line


def test_classic_has_a_line():
    """rules.md, "Rulings": `line` is the default in Classic."""
    assert trolls_taken("T6 T7", "T3 T5", rules="Classic")[1] == ("T5", "T6 T3")
    assert trolls_taken("T6 T7", "T3 T5", rules="Classic", ruling="highest")[1] == ("T6", "T5 T3")


def test_whoever_wins_takes_the_waiting_troll():
    """rules.md, "Powers": the winner of the trick, not the player who left or played it."""
    game = table(TWO, phase=2)
    assert trick(game, "T3 T5").scored == {2: ["T5"]}
    assert trick(game, "U9 U1").scored == {2: cards("T3 U1 U9")}
    game = table(TWO, phase=2)
    trick(game, "T3 T5")
    assert trick(game, "U1 U9").scored == {1: cards("T3 U1 U9")}


@pytest.mark.parametrize("ruling", ["highest", "line"])
@pytest.mark.parametrize(
    ("seats", "before", "last", "taken"),
    [
        (2, "T3 T5", "G3 G5", "T3"),
        (2, "T3 T5", "T9 T8", "T3 T8 T9"),
        (2, "T3 G5", "G3 G5", ""),
        (3, "T3 T5 T1", "G3 G5 T9", "T1 T3 T9"),
        (4, "T3 T5 T1 T0", "T6 T7 T8 T9", "T0 T1 T3 T6 T7 T8 T9"),
    ],
)
def test_the_last_tricks_winner_takes_all_that_remain(seats, before, last, taken, ruling):
    """rules.md, "Powers"; LE2023: "Gewinnst du den allerletzten Stich"."""
    game = table(MANY, seats=seats, trick=LAST[seats] - 1, rulings=f"trolls={ruling}")
    trick(game, before)
    done = trick(game, last)
    assert [card for card in done.scored[done.winner] if card[0] == "T"] == cards(taken)
    assert done.waiting == []


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_trick_before_the_last_is_not_the_last(seats):
    """rules.md, "Phase 2": as many tricks as Phase 1, 26, 24 or 18 in all."""
    plays = {2: "T3 T5", 3: "T3 T5 G1", 4: "T3 T5 G1 G2"}[seats]
    game = table(MANY, seats=seats, trick=LAST[seats] - 1)
    assert trick(game, plays).waiting == ["T3"]
    game = table(MANY, seats=seats, trick=LAST[seats])
    assert trick(game, plays).waiting == []


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_in_phase_1_trolls_are_discarded(seats):
    """rules.md, "Powers": Phase 2 only; none waits for Phase 2."""
    plays = {2: "T3 T5", 3: "T3 T5 T1", 4: "T3 T5 T1 T0"}[seats]
    game = table(MANY, seats=seats)
    done = trick(game, plays)
    assert done.scored == {}
    assert done.waiting == []


@pytest.mark.parametrize("ruling", ["highest", "line"])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_no_troll_is_lost(seats, ruling):
    """rules.md, "Powers": in Phase 2 all ten are taken, at most one per trick before the last."""
    rng = random.Random(seats)
    for _ in range(100):
        all_tricks = LAST[seats] // 2
        plays = [f"T{v}" for v in range(10)] + ["G1"] * (all_tricks * seats - 10)
        rng.shuffle(plays)
        game = table(MANY, seats=seats, phase=2, rulings=f"trolls={ruling}")
        for number in range(all_tricks):
            done = trick(game, " ".join(plays[number * seats : number * seats + seats]))
            gained = [card for card in done.scored.get(done.winner, []) if card[0] == "T"]
            assert len(gained) <= 1 or number == all_tricks - 1
            assert gained or not done.waiting
        taken = [pile(game, seat)["T"] for seat in range(1, seats + 1) if "T" in pile(game, seat)]
        assert sum(number for number, _, _ in taken) == 10
        assert sorted(value for _, _, values in taken for value in values) == list(range(10))
