"""Doppelgangers (rules.md, "Powers": see Following and Ranking; LE2023, "Doppelgänger")."""

import pytest
from tabletop import cards, display, table, trick


@pytest.mark.parametrize("phase", [1, 2])
@pytest.mark.parametrize(
    ("plays", "winner"),
    [
        ("U3 X5", 2),
        ("U5 X3", 1),
        ("U5 X5", 1),
        ("X3 U9", 1),
        ("X3 X9", 2),
        ("U3 G9 X4", 3),
        ("U3 X4 U5", 3),
        ("X3 U9 W8", 1),
        ("G3 X9 K2 W8", 3),
        ("W1 X3 X5 W4", 3),
    ],
)
def test_a_doppelganger_counts_as_the_led_faction(plays, winner, phase):
    """rules.md, "Phase 1", 3; LE2023, "Anpassung", "Doppelgänger"."""
    game = table("GKBSUWX", seats=len(plays.split()), phase=phase)
    assert trick(game, plays).winner == winner


def test_as_undead():
    """Base game: "wird er in Phase 1 nach einem Untoten nicht vom Sieger genommen"."""
    assert trick(table("GKUWX"), "U3 X5").scored == {2: ["U3"]}
    assert trick(table("GKUWX"), "X5 U3").scored == {1: ["U3"]}


def test_as_dwarf():
    """Base game: "oder in Phase 2 bei einem Zwerg nicht vom Verlierer der Runde"."""
    assert trick(table("GKUWX", phase=2), "W5 X3").scored == {1: ["X3"], 2: ["W5"]}


def test_as_gnome():
    """rules.md, "Powers": never has another faction's power: it is not a Gnome in the display."""
    game = table("NIUWX", phase=2)
    assert trick(game, "N3 X5").scored == {2: cards("N3 X5")}
    assert display(game, 2) == ["N3"]


def test_as_giant():
    """rules.md, "Powers": it smashes no Gnome, nor does it prevent a Giant from doing so."""
    displays = {1: "N5", 2: "N7"}
    assert trick(table("NIUWX", phase=2, displays=displays), "I3 X5").removed == []
    assert trick(table("NIUWX", phase=2, displays=displays), "I7 X3").removed == [(2, "N7")]


def test_as_dragon():
    """rules.md, "Powers": played last to a Dragon, it does not lead the next trick."""
    for phase in (1, 2):
        assert trick(table("GKDWX", phase=phase), "D7 X3").leader == 1
    done = trick(table("GKDSUWX", seats=3, rulings="dragons=last-dragon"), "D7 X9 X3")
    assert done.leader == 1
    assert done.winner == 2


def test_as_seer():
    """rules.md, "Powers": the winning card must be a Seer, not only count as one."""
    done = trick(table("GKSWX"), "S3 X5", up="G1", draws="G2")
    assert done.taken == {2: "G1", 1: "G2"}


@pytest.mark.parametrize("ruling", ["won-by", "played"])
def test_as_automaton(ruling):
    """rules.md, "Powers": a trick that it won was not won with an Automaton."""
    game = table("GKAWX", rulings=f"automatons={ruling}")
    done = trick(game, "A3 X5")
    assert done.winner == 2
    assert done.auto == (ruling == "played")
    assert not trick(table("GKAWX", rulings=f"automatons={ruling}"), "X5 G3").auto


def test_as_troll():
    """rules.md, "Powers": it does not wait, nor is it the one Troll of the trick."""
    done = trick(table("GKTWX", phase=2), "T7 X9")
    assert done.scored == {2: cards("T7 X9")}
    assert done.waiting == []


def test_as_griffin():
    """rules.md, "Powers": it gives no bonus, but gets one ("Karten beliebiger Fraktionen")."""
    game = table("GKFWX", phase=2, piles={1: "F3 X5"})
    assert trick(game, "X5 X3").values == {1: 5, 2: 3}
    game = table("GKFWX", phase=2, piles={2: "F3"})
    done = trick(game, "X5 X3")
    assert done.values == {1: 5, 2: 8}
    assert done.winner == 2


def test_as_knight():
    """rules.md, "Phase 1", 3: if a Goblin leads, it is a Goblin, below every Knight."""
    assert trick(table("GKBSUWX", seats=3), "G1 X9 K2").ranking == [3, 2, 1]
