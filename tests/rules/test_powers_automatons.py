"""Automatons (rules.md, "Powers", ruling `automatons`; LE2023, "Automatons")."""

import pytest
from tabletop import cards, first, pile, table, trick

TWO = "GKADX"
MANY = "GKADSUX"
LAST = {2: 13, 3: 12, 4: 9}
PLAYS = {2: "A5 G3", 3: "A5 G3 U2", 4: "A5 G3 U2 S1"}


def deck(seats: int) -> str:
    return TWO if seats == 2 else MANY


@pytest.mark.parametrize(
    ("plays", "won_by", "played"),
    [
        pytest.param("A5 A3", True, True, id="led-and-won"),
        pytest.param("A3 A5", True, True, id="followed-and-won"),
        pytest.param("A3 G9", True, True, id="won-against-another-faction"),
        pytest.param("A3 X5", False, True, id="lost-to-a-doppelganger"),
        pytest.param("G3 A9", False, True, id="lost-to-the-led-faction"),
        pytest.param("X3 A9", False, True, id="lost-to-a-led-doppelganger"),
        pytest.param("G3 K2", False, False, id="none-played"),
        pytest.param("A5 G3 U2", True, True, id="three-won"),
        pytest.param("G5 A3 U2", False, True, id="three-lost"),
        pytest.param("G5 G3 U2", False, False, id="three-none"),
        pytest.param("G5 K3 U2 A9", False, True, id="four-lost"),
        pytest.param("A5 A7 U2 A3", True, True, id="four-won"),
        pytest.param("S5 G3 U2 X1", False, False, id="four-none"),
    ],
)
@pytest.mark.parametrize("ruling", ["won-by", "played"])
def test_which_tricks_bring_the_next(plays, won_by, played, ruling):
    """rules.md, "Rulings": won with an Automaton, or any in which one was played."""
    seats = len(plays.split())
    game = table(deck(seats), seats=seats, rulings=f"automatons={ruling}")
    done = trick(game, plays)
    assert done.auto == (won_by if ruling == "won-by" else played)
    assert bool(game.auto) == done.auto


def test_the_default_is_won_by():
    """rules.md, "Rulings": LE2023's value."""
    assert not trick(table(TWO), "G3 A9").auto


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("discards", ["face-down", "known"])
def test_the_winner_wins_the_next_too(seats, discards):
    """rules.md, "Powers": every player discards one card face down; the winner leads next."""
    game = table(deck(seats), seats=seats)
    trick(game, PLAYS[seats])
    known = first(seats, "G0 K9 X9 G9")
    done = trick(game, known if discards == "known" else " ".join(["_"] * seats))
    assert done.winner == done.leader == 1
    assert done.ranking == list(range(1, seats + 1))
    assert done.scored == {}


def test_two_players_take_as_usual():
    """LE2023, "Automatons": you take the upcard, your opponent a hidden card."""
    game = table(TWO, leader=2)
    assert trick(game, "A3 A5").winner == 1
    done = trick(game, "_ _", up="D7", draws="D1")
    assert done.taken == {1: "D7", 2: "D1"}


@pytest.mark.parametrize("winner", [1, 2, 3])
def test_three_players_take_clockwise_from_the_winner(winner):
    """rules.md, "Decided here": after an Automaton the others take clockwise."""
    game = table(MANY, seats=3, leader=winner)
    assert trick(game, "A9 A3 G9").winner == winner
    done = trick(game, "_ _ _", up="D7 U1", pick="U1", draws="S4")
    second, third = winner % 3 + 1, (winner + 1) % 3 + 1
    assert done.ranking == [winner, second, third]
    assert done.taken == {winner: "U1", second: "D7", third: "S4"}


@pytest.mark.parametrize("winner", [1, 2, 3, 4])
def test_four_players_take_clockwise_from_the_winner(winner):
    """rules.md, "Powers": cards are taken as for a won trick, clockwise from the winner."""
    game = table(MANY, seats=4, leader=winner)
    assert trick(game, "A9 A3 G9 A4").winner == winner
    done = trick(game, "G1 G9 G3 K2", up="D7 U1", pick="D7", draws="S4 G2")
    order = [(winner - 1 + i) % 4 + 1 for i in range(4)]
    assert done.ranking == order
    assert done.taken == dict(zip(order, ["D7", "U1", "S4", "G2"], strict=True))


@pytest.mark.parametrize(
    ("discards", "power"),
    [
        pytest.param("U3 U7", "undead", id="undead-are-not-scored"),
        pytest.param("G3 D7", "dragon", id="a-dragon-does-not-lead"),
        pytest.param("A3 A7", "automaton", id="an-automaton-does-not-win-the-next"),
        pytest.param("G9 K2", "knight", id="a-knight-does-not-win"),
        pytest.param("G3 X9", "doppelganger", id="a-doppelganger-does-not-win"),
    ],
)
@pytest.mark.parametrize("ruling", ["won-by", "played"])
def test_no_power_applies_to_a_face_down_card(discards, power, ruling):
    """rules.md, "Powers"."""
    game = table("GKADUX", rulings=f"automatons={ruling}")
    trick(game, "A5 G3")
    done = trick(game, discards)
    assert (done.winner, done.leader, done.auto, done.scored) == (1, 1, False, {})
    assert pile(game, 1) == pile(game, 2) == {}
    # The next trick is an ordinary one.
    done = trick(game, "G1 G2")
    assert (done.winner, done.leader) == (2, 2)


@pytest.mark.parametrize("seats", [3, 4])
def test_a_face_down_dragon_with_the_other_ruling(seats):
    """rules.md, "Powers": no power applies, whatever `dragons` says."""
    game = table(MANY, seats=seats, rulings="dragons=last-dragon")
    trick(game, PLAYS[seats])
    assert trick(game, first(seats, "G1 D9 D1 D2")).leader == 1


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("ruling", ["won-by", "played"])
def test_ignored_when_no_phase_1_trick_follows(seats, ruling):
    """LE2023, "Automatons", "HINWEIS"."""
    game = table(deck(seats), seats=seats, trick=LAST[seats], rulings=f"automatons={ruling}")
    assert not trick(game, PLAYS[seats]).auto
    assert trick(game, PLAYS[seats]).scored == {1: cards(PLAYS[seats])}


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_last_trick_can_be_an_automatic_one(seats):
    """rules.md, "Phase 2": then the Automaton's player leads Phase 2."""
    game = table(deck(seats), seats=seats, leader=2, trick=LAST[seats] - 1)
    assert trick(game, PLAYS[seats]).auto
    done = trick(game, first(seats, "G1 A9 G8 A0"))
    assert (done.winner, done.leader, done.auto) == (2, 2, False)
    assert game.trick == LAST[seats] + 1
    assert not game.auto


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("ruling", ["won-by", "played"])
def test_in_phase_2_automatons_are_plain(seats, ruling):
    """rules.md, "Powers": Phase 1 only."""
    game = table(deck(seats), seats=seats, phase=2, rulings=f"automatons={ruling}")
    done = trick(game, PLAYS[seats])
    assert not done.auto
    assert done.scored == {1: cards(PLAYS[seats])}


@pytest.mark.parametrize(
    ("plays", "ruling", "leader"),
    [
        ("A5 D9", "won-by", 1),
        ("A5 G3 D9", "won-by", 1),
        ("A5 G3 U2 D9", "won-by", 1),
        ("G5 A3 D9", "played", 1),
        ("G5 A3 D9", "won-by", 3),
        ("A3 X5 U2 D9", "played", 2),
        ("A3 X5 U2 D9", "won-by", 4),
    ],
)
def test_an_automaton_outranks_a_dragon_in_the_same_trick(plays, ruling, leader):
    """rules.md, "Powers": the next trick's winner leads it; without one the Dragon decides."""
    seats = len(plays.split())
    game = table(deck(seats), seats=seats, rulings=f"automatons={ruling}")
    assert trick(game, plays).leader == leader


def test_an_automaton_outranks_the_last_dragon_too():
    """rules.md, "Powers": with `dragons=last-dragon` as well."""
    game = table(MANY, seats=3, rulings="dragons=last-dragon")
    assert trick(game, "A5 D3 G2").leader == 1


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_an_automaton_that_is_ignored_does_not_outrank_a_dragon(seats):
    """rules.md, "Powers": in Phase 1's last trick, and in Phase 2, the Dragon decides the lead."""
    plays = f"{first(seats - 1, 'A5 G3 U2')} D9"
    for number in (LAST[seats], LAST[seats] + 1):
        game = table(deck(seats), seats=seats, trick=number)
        done = trick(game, plays)
        assert (done.winner, done.leader) == (1, seats)


def test_the_player_of_the_automaton_need_not_win_by_played():
    """rules.md, "Rulings", `played`: the trick's winner also wins the next one."""
    game = table(TWO, rulings="automatons=played")
    assert trick(game, "A3 X5").winner == 2
    assert trick(game, "_ _").winner == 2
