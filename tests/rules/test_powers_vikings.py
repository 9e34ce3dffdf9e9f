"""Vikings (rules.md, "Powers"; LE2023, "Wikinger")."""

import pytest
from tabletop import cards, score, table, trick

TWO = "GKUVX"
NI = "NIVWX"
MANY = "GKBUVWX"


@pytest.mark.parametrize(
    ("pile", "count"),
    [
        pytest.param("V5", 1, id="alone"),
        pytest.param("V5 G5", 2, id="a-goblin"),
        pytest.param("V5 X5", 2, id="a-doppelganger"),
        pytest.param("V5 G5 K5 X5", 2, id="twice-however-many"),
        pytest.param("V5 G4 K6", 1, id="other-values"),
        pytest.param("V5 V6", 2, id="other-vikings"),
        pytest.param("V0", 1, id="a-zero-alone"),
        pytest.param("V0 G0", 2, id="zero"),
        pytest.param("V0 G0 G0 G0", 2, id="zeros"),
        pytest.param("V9 U9", 2, id="nine"),
        pytest.param("V1 V2 V3 G1 G2", 5, id="two-of-three"),
        pytest.param("V0 V1 V2 V3 V4 V5 V6 V7 V8 V9 G0 G1 G2 G3 G4 G5 G6 G7 G8 G9", 20, id="all"),
    ],
)
def test_a_viking_counts_twice(pile, count):
    """rules.md, "Powers": its value equals that of any other card in the same pile."""
    assert score({1: pile}, TWO).counts["V"] == {1: count, 2: 0}
    assert score({2: pile}, TWO).counts["V"] == {1: 0, 2: count}


@pytest.mark.parametrize("letter", "GKUX")
def test_only_vikings_count_twice(letter):
    """rules.md, "Powers": the other card counts as usual."""
    assert score({1: f"V5 {letter}5"}, TWO).counts[letter] == {1: 1, 2: 0}


def test_not_with_the_opponents_card():
    """rules.md, "Powers": in the same pile."""
    done = score({1: "V5", 2: "G5 V6"}, TWO)
    assert done.counts["V"] == {1: 1, 2: 1}


def test_with_a_partners_card():
    """rules.md, "Seats and sides": partners' piles are one at the end."""
    assert score({1: "V5", 3: "G5"}, MANY, seats=4).counts["V"] == {1: 2, 2: 0}
    assert score({1: "V5", 3: "G5"}, MANY, seats=3).counts["V"] == {1: 1, 2: 0, 3: 0}


def test_with_a_gnome():
    """rules.md, "The end": Gnomes have joined the pile by then."""
    assert score({1: "V5"}, NI, displays={1: "N5"}).counts["V"] == {1: 2, 2: 0}


def test_with_a_peasant_that_came_and_not_with_one_that_left():
    """rules.md, "The end": Peasants move before Vikings count."""
    done = score({1: "V5 P5", 2: "V6"}, "MPVWX")
    assert done.counts["V"] == {1: 1, 2: 1}
    done = score({1: "P6", 2: "V6"}, "MPVWX")
    assert done.counts["V"] == {1: 0, 2: 2}


def test_doubled_vikings_win_the_faction():
    """LE2023, "Wikinger": they count as two cards for the majority of Vikings."""
    done = score({1: "V1 V2 G1 G2", 2: "V7 V8 V9"}, TWO)
    assert done.counts["V"] == {1: 4, 2: 3}
    assert done.won["V"] == 1


def test_equal_counts_the_highest_viking():
    """rules.md, "The end": doubling changes the count, ties go by the highest value."""
    done = score({1: "V1 G1", 2: "V7 V8"}, TWO)
    assert done.counts["V"] == {1: 2, 2: 2}
    assert done.won["V"] == 2


@pytest.mark.parametrize("phase", [1, 2])
def test_nothing_happens_in_play(phase):
    """rules.md, "Powers": at the end only."""
    done = trick(table(TWO, phase=phase, piles={1: "G3"}), "V3 V5")
    assert done.values == {1: 3, 2: 5}
    assert (done.winner, done.leader) == (2, 2)
    assert done.scored == ({} if phase == 1 else {2: cards("V3 V5")})
