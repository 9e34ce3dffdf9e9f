"""Seers (rules.md, "Powers"; LE2023 and Claim 2, "Seher")."""

import pytest
from tabletop import cards, first, table, trick

from claimlog.cards import NAMES, card
from claimlog.rules.powers import seers

MANY = "GKBSUWX"


@pytest.mark.parametrize("name", NAMES)
def test_only_who_won_with_a_seer_may_look(name):
    """rules.md, "Decided here": the Seer must be the winning card."""
    assert seers(card(name)) == (name[0] == "S")


@pytest.mark.parametrize(
    ("plays", "may_look"),
    [
        ("S3 S5", True),
        ("S3 G9", True),
        ("S3 X5", False),
        ("G3 S9", False),
        ("X3 S9", False),
        ("G9 S1 S9", False),
        ("S1 S9 X5", True),
        ("S1 S9 X9 G3", True),
        ("S1 X9 S9 G3", False),
    ],
)
def test_the_winning_card_decides(plays, may_look):
    """rules.md, "Powers": whoever wins a trick **with a Seer**."""
    game = table(MANY, seats=len(plays.split()))
    winner = trick(game, plays).winner
    assert seers(card(plays.split()[winner - 1])) == may_look


def test_two_players_the_loser_then_gets_the_upcard():
    """rules.md, "Powers"; LE2023: "Dein Gegner erhält die nicht gewählte Karte"."""
    done = trick(table(MANY), "S3 S5", up="G1", seer="K9")
    assert done.winner == 2
    assert done.taken == {2: "K9", 1: "G1"}


def test_two_players_the_upcard_instead():
    """rules.md, "Powers": "may" take it: if not, everything is as usual."""
    done = trick(table(MANY), "S3 S5", up="G1", draws="K9")
    assert done.taken == {2: "G1", 1: "K9"}


def test_what_was_taken_need_not_be_shown():
    """LE2023, "Seher": "musst du sie deinem Gegner nicht zeigen"."""
    assert trick(table(MANY), "S3 S5", up="G1", seer="_").taken == {2: "_", 1: "G1"}


@pytest.mark.parametrize(("pick", "other"), [("G1", "B2"), ("B2", "G1")])
def test_three_players_second_and_third_get_the_upcards(pick, other):
    """rules.md, "Powers": the second picks an upcard, the third takes the other."""
    done = trick(table(MANY, seats=3), "S3 G9 S5", up="G1 B2", seer="K9", pick=pick)
    assert done.ranking == [3, 1, 2]
    assert done.taken == {3: "K9", 1: pick, 2: other}


@pytest.mark.parametrize(("pick", "other"), [("G1", "B2"), ("B2", "G1")])
def test_four_players_the_fourth_draws(pick, other):
    """rules.md, "Powers"; LE2023, "Anpassung": "der 4. Spieler nimmt ... die jetzt oberste"."""
    game = table(MANY, seats=4)
    done = trick(game, "S3 G9 S5 W2", up="G1 B2", seer="K9", pick=pick, draws="U4")
    assert done.ranking == [3, 1, 2, 4]
    assert done.taken == {3: "K9", 1: pick, 2: other, 4: "U4"}


@pytest.mark.parametrize("seats", [3, 4])
def test_more_players_without_taking_the_hidden_card(seats):
    """rules.md, "Powers": a player who looks but does not take it picks an upcard as usual."""
    plays = first(seats, "S3 S9 S5 S4")
    drawn = ["K9", "U4"][: seats - 2]
    done = trick(table(MANY, seats=seats), plays, up="G1 B2", pick="B2", draws=" ".join(drawn))
    ranked = [2, 3, 1] if seats == 3 else [2, 3, 4, 1]
    assert done.ranking == ranked
    assert done.taken == dict(zip(ranked, ["B2", "G1", *drawn], strict=True))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_in_phase_2_seers_are_plain(seats):
    """rules.md, "Powers": Phase 1 only; in Phase 2 there is nothing to look at."""
    plays = first(seats, "S3 S9 S5 S4")
    game = table(MANY, seats=seats, phase=2)
    done = trick(game, plays)
    assert done.scored == {2: cards(plays)}
    assert (done.leader, done.auto, done.taken) == (2, False, {})
