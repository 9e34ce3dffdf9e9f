"""Bards (rules.md, "Powers"; LE2023, "Barden")."""

import pytest
from tabletop import cards, score, table, trick

TWO = "GKBUX"
MANY = "GKBRUWX"


@pytest.mark.parametrize(
    ("bards", "run"),
    [
        ("", 0),
        ("B0", 1),
        ("B9", 1),
        ("B0 B9", 1),
        ("B0 B1", 2),
        ("B0 B2 B4 B6 B8", 1),
        ("B3 B4 B5", 3),
        ("B1 B2 B6 B7 B9", 2),
        ("B0 B1 B3 B4 B5 B7", 3),
        ("B7 B8 B9 B0", 3),
        ("B0 B1 B2 B3 B4 B5 B6 B7 B8 B9", 10),
    ],
)
def test_longest_run_of_consecutive_values(bards, run):
    """rules.md, "Powers": 9 and 0 do not join; the order in the pile does not matter."""
    assert score({1: bards}, TWO).runs[1] == run
    assert score({1: " ".join(reversed(bards.split()))}, TWO).runs[1] == run


@pytest.mark.parametrize(
    ("one", "two", "winner"),
    [
        pytest.param("B3 B4 B5", "B1 B2 B6 B7 B9", 1, id="the-texts-example"),
        pytest.param("B1 B2", "B4 B6 B8", 1, id="run-of-two"),
        pytest.param("B0 B1 B2", "B4 B5 B7 B8 B9", 2, id="equal-runs-more-cards"),
        pytest.param("B0 B2 B4 B6", "B9", 1, id="runs-of-one-more-cards"),
        pytest.param("B0 B1", "B8 B9", 2, id="equal-runs-equal-counts-highest-card"),
        pytest.param("B0 B5", "B9", 1, id="equal-runs-count-before-highest-card"),
        pytest.param("B0", "", 1, id="one-card"),
        pytest.param("", "", None, id="none"),
    ],
)
def test_who_wins_the_bards(one, two, winner):
    """rules.md, "Powers": the longest run; equal runs: the normal count."""
    assert score({1: one, 2: two}, TWO).won["B"] == winner
    swapped = score({1: two, 2: one}, TWO).won["B"]
    assert swapped == (winner and 3 - winner)


def test_counts_are_of_cards():
    """clm-format.md, "Reports": Bards have runs beside their counts."""
    done = score({1: "B3 B4 B5", 2: "B1 B2 B6 B7 B9"}, TWO)
    assert done.counts["B"] == {1: 3, 2: 5}
    assert done.runs == {1: 3, 2: 2}


def test_three_players():
    """rules.md, "Powers": the longest of all; of equally long ones the count decides."""
    done = score({1: "B0 B1", 2: "B3 B4 B6", 3: "B8"}, MANY, seats=3)
    assert done.runs == {1: 2, 2: 2, 3: 1}
    assert done.won["B"] == 2
    assert score({1: "B0 B1 B2", 2: "B4 B5 B7 B9", 3: "B8"}, MANY, seats=3).won["B"] == 1


def test_four_players_join_their_runs():
    """rules.md, "Powers": "the side"; partners' Bards are on one pile at the end."""
    done = score({1: "B0 B2", 3: "B1", 2: "B4 B5", 4: "B8 B9"}, MANY, seats=4)
    assert done.runs == {1: 3, 2: 2}
    assert done.won["B"] == 1


def test_loot_adds_to_the_count_not_to_the_run():
    """rules.md, "Raccoons": loot only adds to the count."""
    done = score(
        {1: "B1 R5 G1 K2 U1 W1 X1 G2 K3 U2 W2 X2 R6", 2: "B3 B4"}, MANY, seats=3, loot="R5 R6"
    )
    assert done.loot_for[1] == "B"
    assert done.counts["B"] == {1: 3, 2: 2, 3: 0}
    assert done.won["B"] == 2


def test_other_factions_have_no_runs():
    """rules.md, "Powers": Bards only."""
    assert score({1: "U3 U4 U5", 2: "U1 U2 U6 U7 U9"}, TWO).won["U"] == 2


@pytest.mark.parametrize("phase", [1, 2])
def test_nothing_happens_in_play(phase):
    """rules.md, "Powers": at the end only."""
    done = trick(table(TWO, phase=phase), "B3 B5")
    assert (done.winner, done.leader) == (2, 2)
    assert done.scored == ({} if phase == 1 else {2: cards("B3 B5")})


def test_every_set_of_bards():
    """All 1,024 piles, compared with counting the runs one by one."""
    for chosen in range(1024):
        values = [v for v in range(10) if chosen >> v & 1]
        longest = max(
            (j - i for i in range(10) for j in range(i, 11) if set(range(i, j)) <= set(values)),
            default=0,
        )
        assert score({2: " ".join(f"B{v}" for v in values)}, TWO).runs == {1: 0, 2: longest}
