"""Raccoons (rules.md, "Powers", ruling `raccoons`; LE2023, "Waschbären")."""

import pytest
from tabletop import cards, score, table, trick

from claimlog.cards import LETTERS
from claimlog.rules.scoring import Count

TWO = "GKRUX"


def test_loot_counts_for_the_faction_of_which_there_are_fewest():
    """rules.md, "Powers": the loot Raccoon is a Raccoon and also counts for that faction."""
    done = score({1: "G1 G2 K2 K3 X1 X2 U5 R4 R5"}, TWO, loot="R4")
    assert done.fewest[1] == "U"
    assert done.loot_for == {1: "U", 2: None}
    assert {f: counts[1] for f, counts in done.counts.items()} == {
        "G": 2,
        "K": 2,
        "R": 2,
        "U": 2,
        "X": 2,
    }


def test_zero_counts_as_fewest():
    """rules.md, "Powers": "zero counts"."""
    done = score({1: "G1 K2 X1 R4", 2: "U5"}, TWO, loot="R4")
    assert done.loot_for[1] == "U"
    assert done.counts["U"] == {1: 1, 2: 1}


def test_raccoons_themselves_too():
    """LE2023: "das sind möglicherweise auch die Waschbären selbst"."""
    done = score({1: "G1 G2 K2 K3 X1 X2 U5 U6 R4"}, TWO, loot="R4")
    assert done.loot_for[1] == "R"
    assert done.counts["R"] == {1: 2, 2: 0}


@pytest.mark.parametrize("choice", ["K", "U", "R"])
def test_equal_fewest_the_side_chooses(choice):
    """rules.md, "Powers"; LE2023: "Hast du mehrere solche Fraktionen, such dir eine aus"."""
    done = score({1: "G1 G2 K2 X1 X2 U5 R4"}, TWO, loot="R4", choose={1: choice})
    assert done.fewest[1] == "KRU"
    assert done.loot_for[1] == choice
    assert {f for f, counts in done.counts.items() if counts[1] == 2} == {"G", "X", choice}


def test_one_faction_for_all_of_its_loot():
    """rules.md, "Powers"."""
    done = score(
        {1: "G1 G2 G3 G4 K2 X1 X2 X3 X4 U5 R4 R5 R6"}, TWO, loot="R4 R5 R6", choose={1: "K"}
    )
    assert done.counts["K"][1] == 4
    assert done.counts["U"][1] == 1
    assert done.counts["R"][1] == 3


def test_only_those_that_show_loot():
    """rules.md, "Powers": the other Raccoons are plain."""
    done = score({1: "G1 G2 G3 K2 K3 K4 X1 X2 X3 U5 R4 R5 R6"}, TWO, loot="R5 R0 R13")
    assert done.counts["U"][1] == 2
    assert done.counts["R"][1] == 3


def test_without_loot_cards_no_raccoon_counts_twice():
    """rules.md, "Rulings": none of the texts says which Raccoons show loot."""
    done = score({1: "G1 K2 X1 R4 R5"}, TWO)
    assert done.fewest == {1: "", 2: ""}
    assert done.counts["U"] == {1: 0, 2: 0}


def test_who_has_no_loot_has_nothing_to_choose():
    """rules.md, "Powers": for its side."""
    done = score({1: "G1 R4", 2: "K2 R5 G2 X2 X1 U1 U2 K3 G3"}, TWO, loot="R5")
    assert done.fewest == {1: "", 2: "R"}
    assert done.counts["R"] == {1: 1, 2: 2}


def test_each_side_for_itself():
    """rules.md, "Powers": the fewest of that side, whatever the other holds."""
    done = score(
        {1: "G1 K2 X1 R4", 2: "U1 K3 X2 R5 G2 G3 K4 X3 R6 U2 R7 G4 K5 X4"}, TWO, loot="R4 R5"
    )
    assert done.loot_for == {1: "U", 2: "U"}
    assert done.counts["U"] == {1: 1, 2: 3}


def test_every_value_of_raccoon():
    """rules.md, "Cards": 0 to 13, any may show loot."""
    everybody = " ".join(f"R{v}" for v in range(14))
    fill = "G1 G2 K2 K3 X1 X2 U1"
    for value in range(14):
        done = score({1: f"R{value} R{(value + 1) % 14} {fill}"}, TWO, loot=f"R{value}")
        assert done.counts["U"][1] == 2
    assert score({1: f"{everybody} {fill}"}, TWO, loot=everybody).counts["U"][1] == 15


def test_four_players_one_choice_a_side():
    """rules.md, "Seats and sides": partners' piles and loot are one."""
    done = score(
        {1: "G1 K2 R4", 3: "X1 R5 S1 B1 W1"}, "GKBRSWX", seats=4, loot="R4 R5", choose={1: "W"}
    )
    assert done.fewest == {1: "GKBSWX", 2: ""}
    assert done.counts["W"] == {1: 3, 2: 0}


def test_three_players():
    """rules.md, "Powers": one choice per side."""
    done = score(
        {1: "R1 B1 S1 W1 X1 G1", 2: "R2 B2 S2 W2 X2 K2", 3: "R3 R4 B3 S3 W3 X3 G3 K3"},
        "GKBRSWX",
        seats=3,
        loot="R1 R2 R3",
        choose={3: "S"},
    )
    assert done.loot_for == {1: "K", 2: "G", 3: "S"}


def test_only_factions_of_the_deck():
    """rules.md, "Powers": factions that are not in the deck are not fewest."""
    assert score({1: "R4"}, TWO, loot="R4", choose={1: "G"}).fewest[1] == "GKUX"


def test_counted_after_the_peasants_have_moved():
    """rules.md, "Powers"."""
    held = "M11 M12 U1 U2 X1 X2 R1 R2"
    # Three Peasants leave, which makes them the fewest.
    assert score({1: f"{held} P5 P6 P7"}, "MPRUX", loot="R1").fewest[1] == "P"
    # Three come: the others are fewer now.
    done = score({1: held, 2: "P5 P6 P7"}, "MPRUX", loot="R1", choose={1: "U"})
    assert done.fewest[1] == "MRUX"


def test_counted_with_vikings_single():
    """rules.md, "Powers": a doubled Viking is one card."""
    held = "V5 G5 G6 K5 K6 R1 R2"
    done = score({1: held}, "GKRVX", loot="R1", choose=None)
    assert done.fewest[1] == "X"
    held += " X1 X2"
    done = score({1: held}, "GKRVX", loot="R1")
    assert done.fewest[1] == "V"
    assert done.counts["V"] == {1: 3, 2: 0}


def test_gnomes_count_as_cards():
    """rules.md, "The end": Gnomes have joined the pile by then."""
    held = "I1 I3 R1 R2 U1 U2 X1 X2"
    assert score({1: held}, "NIRUX", loot="R1", displays={1: "N1"}).fewest[1] == "N"
    done = score({1: held}, "NIRUX", loot="R1", displays={1: "N1 N1"}, choose={1: "N"})
    assert done.fewest[1] == "NIRUX"
    assert done.counts["N"] == {1: 3, 2: 0}


def test_the_value_of_loot_never_breaks_a_tie():
    """rules.md, "Powers": loot only adds to the count."""
    one = "G1 G2 G3 K2 K3 K4 X1 X2 X3 U1 R13 R12 R11"
    done = score({1: one, 2: "U3 U2"}, TWO, loot="R13")
    assert done.counts["U"] == {1: 2, 2: 2}
    assert done.won["U"] == 2


def test_loot_for_a_faction_of_which_one_holds_no_card():
    """rules.md, "The end": a count of 1 wins; against a card of value 0 it loses the tie."""
    one = "G1 K2 X1 R4"
    assert score({1: one}, TWO, loot="R4").won["U"] == 1
    done = score({1: one, 2: "U0"}, TWO, loot="R4")
    assert done.counts["U"] == {1: 1, 2: 1}
    assert done.won["U"] == 2


def test_loot_against_loot():
    """rules.md, "The end": equal counts and no card: nobody wins the faction."""
    done = score({1: "G1 K2 X1 R4", 2: "G2 K3 X2 R5"}, TWO, loot="R4 R5")
    assert done.counts["U"] == {1: 1, 2: 1}
    assert done.won["U"] is None


def test_a_side_must_choose():
    """clm-format.md, "Loot": if several factions tie for fewest on a side with loot."""
    tally = Count()
    tally.gather(table(TWO, piles={1: "R4 G1", 2: "G2 R5 K2 X2"}), 1 << 4 | 1 << 5)
    assert [bool(tally.undecided(side)) for side in (0, 1)] == [True, False]
    tally.choose(0, LETTERS.index("X"))
    assert not tally.undecided(0)


@pytest.mark.parametrize("phase", [1, 2])
def test_nothing_happens_in_play(phase):
    """rules.md, "Powers": at the end only; 13 is the highest value."""
    done = trick(table(TWO, phase=phase), "R9 R13")
    assert (done.winner, done.leader) == (2, 2)
    assert done.scored == ({} if phase == 1 else {2: cards("R9 R13")})
