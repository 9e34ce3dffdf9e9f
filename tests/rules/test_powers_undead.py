"""Undead (rules.md, "Powers"; base game and LE2023, "Untote")."""

import pytest
from tabletop import cards, first, pile, table, trick


@pytest.mark.parametrize(
    ("plays", "winner", "scored"),
    [
        pytest.param("U3 U7", 2, "U3 U7", id="both"),
        pytest.param("U3 G7", 1, "U3", id="led"),
        pytest.param("G7 U3", 1, "U3", id="followed"),
        pytest.param("U3 X7", 2, "U3", id="lost-to-a-doppelganger"),
        pytest.param("U3 G7 W9", 1, "U3", id="three"),
        pytest.param("G7 U3 K2", 3, "U3", id="three-lost-by-a-third"),
        pytest.param("U3 U5 U9", 3, "U3 U5 U9", id="three-of-three"),
        pytest.param("G7 U3 K2 U9", 3, "U3 U9", id="four"),
        pytest.param("U1 U3 U0 U9", 4, "U0 U1 U3 U9", id="four-of-four"),
    ],
)
def test_undead_played_go_to_the_trick_winner(plays, winner, scored):
    """rules.md, "Powers": Phase 1, to the score pile; everything else is discarded."""
    game = table("GKBSUWX", seats=len(plays.split()))
    done = trick(game, plays)
    assert done.winner == winner
    assert done.scored == {winner: cards(scored)}
    assert list(pile(game, winner)) == ["U"]


def test_an_undead_upcard_goes_to_followers():
    """rules.md, "Powers"; LE2023, "Untote", "WICHTIG": it is a follower as usual."""
    game = table("GKUWX")
    done = trick(game, "G3 G5", up="U7", draws="U2")
    assert done.taken == {2: "U7", 1: "U2"}
    assert done.scored == {}


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_in_phase_2_undead_are_plain(seats):
    """rules.md, "Powers": Phase 1 only; in Phase 2 they are won like any card."""
    plays = first(seats, "G5 U9 B1 U2")
    done = trick(table("GKBSUX", seats=seats, phase=2), plays)
    assert done.scored == {1: cards(plays)}


def test_undead_score_once():
    """rules.md, "Powers": an Undead played in Phase 1 is out of play afterwards."""
    game = table("GKUWX")
    trick(game, "U3 U7")
    trick(game, "U1 U9")
    trick(game, "G1 G2")
    assert pile(game, 2) == {"U": (2, 10, [3, 7])}
    assert pile(game, 1) == {"U": (2, 10, [1, 9])}
