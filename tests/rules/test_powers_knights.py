"""Goblins and Knights (rules.md, "Powers"; LE2023, "Kobolde", "Ritter")."""

import pytest
from tabletop import cards, score, table, trick


@pytest.mark.parametrize("phase", [1, 2])
@pytest.mark.parametrize(
    ("plays", "winner"),
    [
        pytest.param("G9 K2", 2, id="any-knight-any-goblin"),
        pytest.param("K2 G9", 1, id="knights-led"),
        pytest.param("X0 K9", 1, id="doppelganger-led"),
        pytest.param("X9 K9", 1, id="high-doppelganger-led"),
        pytest.param("U0 K9", 1, id="others-led"),
        pytest.param("G9 K2 X9", 2, id="three"),
        pytest.param("G9 K2 K3", 3, id="three-highest-knight"),
        pytest.param("G9 K3 K2", 2, id="three-highest-knight-earlier"),
        pytest.param("X0 K9 G9", 1, id="three-doppelganger-led"),
        pytest.param("U0 G9 K9", 1, id="three-others-led"),
        pytest.param("G9 X9 K2 G8", 3, id="four"),
        pytest.param("G1 K5 G9 K4", 2, id="four-highest-knight"),
        pytest.param("W1 K5 G9 K4", 1, id="four-others-led"),
    ],
)
def test_a_knight_beats_any_goblin_when_goblins_were_led(plays, winner, phase):
    """rules.md, "Powers": both phases; LE2023, "Ritter", also with 3 and 4 players."""
    deck = "GKBSUWX" if len(plays.split()) > 2 else "GKUWX"
    game = table(deck, seats=len(plays.split()), phase=phase)
    assert trick(game, plays).winner == winner


def test_goblins_have_no_power():
    """rules.md, "Powers": in both phases and at the end they are plain cards."""
    first = trick(table("GKUWX"), "G0 G9", up="U1", draws="W1")
    assert (first.winner, first.leader, first.auto, first.scored) == (2, 2, False, {})
    second = trick(table("GKUWX", phase=2), "G0 G9")
    assert second.scored == {2: cards("G0 G9")}
    assert score({1: "G0 G0", 2: "G9"}).counts["G"] == {1: 2, 2: 1}
