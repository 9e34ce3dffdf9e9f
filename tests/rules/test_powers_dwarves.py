"""Dwarves (rules.md, "Powers"; base game and LE2023, "Zwerge")."""

import pytest
from tabletop import cards, first, pile, table, trick


def scored(plays: str, *, deck: str = "GKBSUWX", leader: int = 1, **more) -> dict:
    seats = len(plays.split())
    return trick(table(deck, seats=seats, leader=leader, phase=2, **more), plays).scored


@pytest.mark.parametrize(
    ("plays", "gained"),
    [
        pytest.param("W3 W5", {1: cards("W3 W5")}, id="both-to-the-loser"),
        pytest.param("W5 W3", {2: cards("W3 W5")}, id="both-to-the-loser-who-followed"),
        pytest.param("W0 G9", {1: ["G9"], 2: ["W0"]}, id="own-dwarf-lost-to-the-loser"),
        pytest.param("G0 W9", {1: ["G0"], 2: ["W9"]}, id="the-loser-keeps-its-own"),
        pytest.param("G0 G9", {2: cards("G0 G9")}, id="no-dwarf"),
        pytest.param("W3 X5", {1: ["W3"], 2: ["X5"]}, id="doppelganger-is-no-dwarf"),
        pytest.param("W5 X3", {1: ["X3"], 2: ["W5"]}, id="losing-doppelganger-is-no-dwarf"),
    ],
)
def test_two_players_the_loser_takes_all_dwarves(plays, gained):
    """rules.md, "Powers": all Dwarves played go to the loser, the other cards to the winner."""
    assert scored(plays, deck="GKUWX") == gained


def test_the_loser_of_two_need_not_have_the_lowest_value():
    """rules.md, "Powers": with 2 players the loser, whatever the values."""
    assert scored("G1 W8", deck="GKUWX") == {1: ["G1"], 2: ["W8"]}


@pytest.mark.parametrize(
    ("plays", "gained"),
    [
        pytest.param("W3 W5 W7", {1: cards("W3 W5 W7")}, id="lowest-is-a-dwarf"),
        pytest.param("W5 G2 W7", {3: ["G2"], 2: cards("W5 W7")}, id="lowest-of-any-faction"),
        pytest.param("U1 W5 G9", {1: cards("U1 W5 G9")}, id="lowest-is-the-winner"),
        pytest.param("W4 G4 B4", {1: cards("G4 B4"), 3: ["W4"]}, id="equal-the-latest"),
        pytest.param("G4 W4 B5", {1: cards("G4 B5"), 2: ["W4"]}, id="equal-the-later"),
        pytest.param("W4 X4 B5", {1: cards("X4 B5"), 2: ["W4"]}, id="doppelganger-is-lowest"),
        pytest.param("B5 W6 X1", {1: cards("B5 X1"), 3: ["W6"]}, id="not-the-worst-ranked"),
        pytest.param("U5 G1 K2", {1: cards("U5 G1 K2")}, id="no-dwarf"),
        pytest.param("W5 W4 G1 U2", {1: cards("G1 U2"), 3: cards("W4 W5")}, id="four"),
        pytest.param("G5 W9 G0 G0", {1: cards("G0 G0 G5"), 4: ["W9"]}, id="four-equal"),
        pytest.param("W5 U5 G5 B5", {1: cards("B5 G5 U5"), 4: ["W5"]}, id="four-all-equal"),
        pytest.param("U0 W9 G8 W7", {1: cards("U0 W9 G8 W7")}, id="four-lowest-wins"),
    ],
)
def test_more_players_the_lowest_value_takes_all_dwarves(plays, gained):
    """rules.md, "Powers"; LE2023, "Anpassung", "Zwerge": any faction, the later if equal."""
    assert scored(plays) == gained


def test_partners_may_take_them_from_each_other():
    """LE2023, "Anpassung": "der Spieler", not the team: the winner's partner may be lowest."""
    assert scored("W9 G8 W1 G7") == {1: cards("G7 G8"), 3: cards("W1 W9")}


@pytest.mark.parametrize("leader", [1, 2, 3])
def test_the_taker_is_a_seat(leader):
    """rules.md, "Seats and sides": plays are counted from the leader."""
    lowest = leader % 3 + 1
    done = scored("W5 G2 W7", leader=leader)
    assert done[lowest] == cards("W5 W7")


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_in_phase_1_dwarves_are_discarded(seats):
    """rules.md, "Powers": Phase 2 only."""
    game = table("GKBSUWX", seats=seats)
    assert trick(game, first(seats, "W3 W5 G1 W9")).scored == {}
    assert all(pile(game, seat) == {} for seat in range(1, seats + 1))


@pytest.mark.parametrize(
    ("piles", "gained"),
    [
        pytest.param({}, {1: ["G3"], 2: ["W9"]}, id="none"),
        pytest.param({1: "F3"}, {1: ["G3"], 2: ["W9"]}, id="the-winners"),
        pytest.param({2: "F9"}, {1: ["G3"], 2: ["W9"]}, id="the-losers"),
    ],
)
def test_a_griffin_does_not_change_the_loser_of_two(piles, gained):
    """rules.md, "Powers": with 2 players the trick decides, not the lowest value."""
    assert scored("G3 W9", deck="GKFWX", piles=piles) == gained
