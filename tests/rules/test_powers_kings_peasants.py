"""Kings and Peasants (rules.md, "Powers"; LE2023, "Könige", "Bauern")."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tabletop import cards, pile, score, table, trick

TWO = "MPUWX"
MANY = "MPBSUWX"


@pytest.mark.parametrize("king", range(4, 13))
def test_which_peasants_stay_with_a_king(king):
    """rules.md, "Powers": a Peasant p stays only with a King of value p to p+3."""
    everybody = " ".join(f"P{p}" for p in range(13))
    stay = [f"P{p}" for p in range(13) if king in (p, p + 1, p + 2, p + 3)]
    leave = [f"P{p}" for p in range(13) if f"P{p}" not in stay]
    done = score({1: f"M{king} {everybody}"}, TWO)
    assert done.peasants == {1: stay, 2: leave}
    assert done.counts["P"] == {1: len(stay), 2: len(leave)}


@pytest.mark.parametrize(
    ("piles", "after"),
    [
        pytest.param({1: "M7 P4 P7"}, {1: "P4 P7", 2: ""}, id="the-texts-example"),
        pytest.param({1: "M7 P3 P8"}, {1: "", 2: "P3 P8"}, id="just-outside"),
        pytest.param({1: "P4 P7"}, {1: "", 2: "P4 P7"}, id="no-king"),
        pytest.param({1: "P4 P7", 2: "M7"}, {1: "", 2: "P4 P7"}, id="the-opponents-king"),
        pytest.param({1: "M4 M12 P1 P4 P5 P9 P12"}, {1: "P1 P4 P9 P12", 2: "P5"}, id="two-kings"),
        pytest.param({1: "M7 P7", 2: "P6"}, {1: "P6 P7", 2: ""}, id="one-comes"),
        pytest.param({1: "P7", 2: "P6"}, {1: "P6", 2: "P7"}, id="they-change-sides"),
        pytest.param({}, {1: "", 2: ""}, id="none"),
    ],
)
def test_two_players(piles, after):
    """rules.md, "Powers"; LE2023, "Bauern": Peasants that leave go to the opponent."""
    peasants = {side: text.split() for side, text in after.items()}
    assert score(piles, TWO).peasants == peasants


@pytest.mark.parametrize("kings", ["", "M4", "M4 M5 M6 M7 M8 M9 M10 M11 M12"])
@pytest.mark.parametrize(("seats", "side", "to"), [(2, 1, 2), (2, 2, 1), (3, 3, 1), (4, 1, 2)])
def test_peasant_0_always_moves(kings, seats, side, to):
    """rules.md, "Powers"; LE2023, "HINWEIS": "Der Bauer mit dem Wert 0 flieht immer"."""
    done = score({side: f"{kings} P0"}, TWO if seats == 2 else MANY, seats=seats)
    assert done.peasants[to] == ["P0"]
    assert done.peasants[side] == []


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_they_are_not_checked_again(seats):
    """rules.md, "Powers": they are not checked; LE2023: "bleiben auf jeden Fall bei ihm"."""
    done = score({1: "P5", 2: "M12"}, TWO if seats == 2 else MANY, seats=seats)
    assert done.peasants[2] == ["P5"]


def test_three_players_the_next_seat_clockwise():
    """rules.md, "Powers" and "Decided here"."""
    done = score({1: "P5", 2: "P6", 3: "P7"}, MANY, seats=3)
    assert done.peasants == {2: ["P5"], 3: ["P6"], 1: ["P7"]}


def test_three_players_all_at_once():
    """rules.md, "Powers": a Peasant moves once, not all round the table."""
    done = score({1: "P5", 3: "M5"}, MANY, seats=3)
    assert done.peasants == {1: [], 2: ["P5"], 3: []}
    done = score({2: "P5 P6", 3: "P7 M7"}, MANY, seats=3)
    assert done.peasants == {1: [], 2: [], 3: ["P5", "P6", "P7"]}


def test_four_players_to_the_other_side():
    """rules.md, "The end": piles are joined first, so a partner's King keeps a Peasant."""
    done = score({1: "P5", 3: "M7", 2: "P6", 4: "M5"}, MANY, seats=4)
    assert done.peasants == {1: ["P5", "P6"], 2: []}


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_peasants_move_before_factions_are_counted(seats):
    """rules.md, "The end": Peasants move, then the highest count wins."""
    done = score({1: "P5 P6 P7 P8", 2: "M12"}, TWO if seats == 2 else MANY, seats=seats)
    assert done.won["P"] == 2
    assert done.counts["P"][1] == 0


def test_peasants_that_moved_break_ties_for_their_new_side():
    """rules.md, "The end": highest value, number and sum are those of the pile at that time."""
    done = score({1: "M7 P7 P6", 2: "M8 P8 P9 P12"}, TWO)
    assert done.peasants == {1: ["P6", "P7", "P9", "P12"], 2: ["P8"]}
    # Counts of Kings are equal, the higher one decides; the value decides the game.
    assert done.won == {"M": 2, "P": 1, "U": None, "W": None, "X": None}
    assert done.tiebreak == "value"
    assert done.winners == [1]


def test_kings_stay_where_they_are():
    """rules.md, "Powers": only Peasants move."""
    assert score({1: "M4 M5", 2: "M12 P0"}, TWO).counts["M"] == {1: 2, 2: 1}


@pytest.mark.parametrize("phase", [1, 2])
def test_nothing_happens_in_play(phase):
    """rules.md, "Powers": at the end only; LE2023, "Am Ende des Spiels"."""
    game = table(TWO, phase=phase, piles={1: "P5"})
    done = trick(game, "P0 M4")
    assert (done.winner, done.leader) == (1, 1)
    assert done.scored == ({} if phase == 1 else {1: cards("P0 M4")})
    assert pile(game, 1)["P"][0] == (1 if phase == 1 else 2)


def test_every_pair_of_king_and_peasant():
    """rules.md, "Powers": the same or up to 3 more, for all 117 pairs."""
    for p, m in product(range(13), range(4, 13)):
        stays = score({1: f"P{p} M{m}"}, TWO).peasants[1] == [f"P{p}"]
        assert stays == (0 <= m - p <= 3), (p, m)


PILES = st.lists(
    st.sampled_from([f"P{p}" for p in range(13)] + [f"M{m}" for m in range(4, 13)]), unique=True
)


@given(held=PILES, data=st.data(), seats=st.sampled_from([2, 3, 4]))
def test_peasants_are_conserved(held, data, seats):
    """rules.md, "Powers": they change hands, none is lost or doubled."""
    owner = {c: data.draw(st.integers(1, seats)) for c in held}
    piles = {seat: " ".join(c for c in held if owner[c] == seat) for seat in range(1, seats + 1)}
    done = score(piles, TWO if seats == 2 else MANY, seats=seats)
    after = [c for side in done.peasants.values() for c in side]
    assert sorted(after) == sorted(c for c in held if c[0] == "P")
    assert sum(done.counts["P"].values()) == len(after)
    assert {side: len(held) for side, held in done.peasants.items()} == done.counts["P"]


@pytest.mark.parametrize(
    ("piles", "winners"),
    [
        pytest.param({1: "U8 P9"}, [2], id="it-counts-where-it-comes"),
        pytest.param({1: "M7 P6 P7 P12", 2: "U8 U9 W9"}, [2], id="and-no-more-where-it-was"),
    ],
)
def test_a_peasants_value_moves_with_it(piles, winners):
    """rules.md, "The end": with equal factions the values of those won decide."""
    done = score(piles, TWO)
    assert len(set(done.votes.values())) == 1
    assert (done.winners, done.tiebreak) == (winners, "value")
