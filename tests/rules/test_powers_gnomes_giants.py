"""Gnomes and Giants (rules.md, "Powers"; LE2023 and Claim 2, "Gnome", "Riesen")."""

import pytest
from tabletop import cards, display, first, pile, score, table, trick

TWO = "NIUWX"
MANY = "NIBRUWX"


# Gnomes --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("plays", "winner", "shown"),
    [
        ("N3 N5", 2, ["N3", "N5"]),
        ("N3 N3", 1, ["N3", "N3"]),
        ("N3 U9", 1, ["N3"]),
        ("U3 N9", 1, ["N9"]),
        ("N3 X5", 2, ["N3"]),
        ("N3 N5 N5", 2, ["N3", "N5", "N5"]),
        ("U3 N5 N9", 1, ["N5", "N9"]),
        ("U3 N5 N9 U4", 4, ["N5", "N9"]),
        ("N1 N1 N1 N3", 4, ["N1", "N1", "N1", "N3"]),
    ],
)
def test_won_gnomes_lie_open_before_the_winner(plays, winner, shown):
    """rules.md, "Powers": Phase 2; they are not on the score pile yet."""
    game = table(MANY, seats=len(plays.split()), phase=2)
    done = trick(game, plays)
    assert done.scored == {winner: cards(plays)}
    assert display(game, winner) == shown
    assert "N" not in pile(game, winner)
    for seat in range(1, game.seats + 1):
        assert seat == winner or display(game, seat) == []


def test_gnomes_gather_in_the_display():
    """rules.md, "Powers": they lie there until the end."""
    game = table(TWO, phase=2)
    trick(game, "N5 N3")
    trick(game, "N5 U1")
    trick(game, "N9 N1")
    assert display(game, 1) == ["N1", "N3", "N5", "N5", "N9"]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_in_phase_1_gnomes_are_discarded(seats):
    """rules.md, "Powers": Phase 2 only."""
    game = table(MANY, seats=seats)
    assert trick(game, first(seats, "N3 N5 N1 N9")).scored == {}
    assert all(display(game, seat) == [] for seat in range(1, seats + 1))


def test_gnomes_join_the_score_pile_at_the_end():
    """rules.md, "The end"; LE2023, "Gnome": those not removed are added at the end."""
    done = score({1: "U1"}, TWO, displays={1: "N5 N5 N1", 2: "N3 N9"})
    assert done.counts["N"] == {1: 3, 2: 2}
    assert done.won["N"] == 1


def test_gnomes_of_partners_join():
    """rules.md, "Seats and sides": piles are joined per side at the end."""
    done = score({}, MANY, seats=4, displays={1: "N5", 2: "N3", 3: "N5 N1", 4: "N9"})
    assert done.counts["N"] == {1: 3, 2: 2}


def test_gnomes_that_joined_break_ties_and_make_vikings_count_twice():
    """rules.md, "The end": Gnomes first, then Vikings count and factions are compared."""
    done = score({1: "V9"}, "NIVWX", displays={1: "N9 N1", 2: "N7 N7"})
    assert done.counts["N"] == {1: 2, 2: 2}
    assert done.won["N"] == 1
    assert done.counts["V"] == {1: 2, 2: 0}


# Giants --------------------------------------------------------------------------------


def smashed(plays: str, displays: dict[int, str], leader: int = 1) -> list[tuple[int, str]]:
    seats = len(plays.split())
    game = table(MANY, seats=seats, leader=leader, phase=2, displays=displays)
    return trick(game, plays).removed


@pytest.mark.parametrize(
    ("plays", "displays", "removed"),
    [
        pytest.param("I7 I3", {2: "N7 N3"}, [(2, "N3"), (2, "N7")], id="two-giants"),
        pytest.param("I7 U3", {2: "N7"}, [(2, "N7")], id="giant-led-and-won"),
        pytest.param("U3 I7", {2: "N7"}, [(2, "N7")], id="giant-of-the-loser"),
        pytest.param("I3 I7", {1: "N7"}, [(1, "N7")], id="giant-followed-and-won"),
        pytest.param("I3 X5", {1: "N3 N5", 2: "N3"}, [(1, "N3")], id="won-by-a-doppelganger"),
        pytest.param("I7 U3", {1: "N7"}, [], id="not-ones-own"),
        pytest.param("I7 U3", {2: "N5 N9"}, [], id="another-value"),
        pytest.param("I7 U3", {}, [], id="no-gnomes"),
        pytest.param("U3 W7", {2: "N3 N7"}, [], id="no-giant"),
        pytest.param("I7 U3", {2: "N7 N7 N7"}, [(2, "N7")], id="one-gnome-a-giant"),
        pytest.param("I7 I7", {2: "N7 N7 N7"}, [(2, "N7"), (2, "N7")], id="two-equal-giants"),
        pytest.param("I7 I7", {2: "N7"}, [(2, "N7")], id="two-equal-giants-one-gnome"),
        pytest.param("I9 U3", {2: "N9"}, [(2, "N9")], id="nine"),
        pytest.param("I1 U3", {2: "N1"}, [(2, "N1")], id="one"),
    ],
)
def test_two_players(plays, displays, removed):
    """rules.md, "Powers"; LE2023 and Claim 2, "Riesen"."""
    assert sorted(smashed(plays, displays)) == removed


@pytest.mark.parametrize(
    ("plays", "displays", "removed"),
    [
        pytest.param(
            "I7 U3 U5", {1: "N7", 2: "N7 N7", 3: "N7"}, [(2, "N7"), (3, "N7")], id="each-opponent"
        ),
        pytest.param("U3 I7 U5", {1: "N7", 2: "N5", 3: "N7"}, [(1, "N7")], id="won-by-the-third"),
        pytest.param(
            "I7 I3 I7",
            {2: "N7 N7 N3", 3: "N7 N1"},
            [(2, "N3"), (2, "N7"), (2, "N7"), (3, "N7")],
            id="three-giants",
        ),
        pytest.param("I7 U3 X9", {2: "N7"}, [(2, "N7")], id="doppelganger-wins"),
    ],
)
def test_three_players(plays, displays, removed):
    """LE2023, "Anpassung", "Riesen": Gnomes of all opponents, several of one if several match."""
    assert sorted(smashed(plays, displays)) == removed


@pytest.mark.parametrize("leader", [1, 2, 3, 4])
def test_four_players_never_a_partners(leader):
    """rules.md, "Powers"; LE2023, "Anpassung", "WICHTIG": nor the winner's own."""
    everybody = dict.fromkeys((1, 2, 3, 4), "N7 N7")
    opponents = [seat for seat in (1, 2, 3, 4) if seat % 2 != leader % 2]
    removed = smashed("I7 U3 U5 U9", everybody, leader)
    assert sorted(removed) == [(seat, "N7") for seat in opponents]


def test_four_players_a_partners_giant():
    """rules.md, "Powers": the trick's winner removes, whoever played the Giant."""
    everybody = dict.fromkeys((1, 2, 3, 4), "N7")
    for plays in ("U9 U1 I7 U2", "U9 I7 U1 U2"):
        assert sorted(smashed(plays, everybody)) == [(2, "N7"), (4, "N7")]
    assert sorted(smashed("U1 U9 I7 U2", everybody)) == [(1, "N7"), (3, "N7")]


def test_four_players_four_giants():
    """rules.md, "Powers": each Giant removes one Gnome of each opponent."""
    displays = {2: "N7 N7 N7 N9 N1", 4: "N5 N7 N9"}
    removed = smashed("I9 I7 I7 I5", displays)
    assert sorted(removed) == [(2, "N7"), (2, "N7"), (2, "N9"), (4, "N5"), (4, "N7"), (4, "N9")]


def test_gnomes_of_the_same_trick_are_the_winners():
    """rules.md, "Powers": won Gnomes lie before the winner, whose Giants cannot reach them."""
    game = table(MANY, seats=3, phase=2, displays={2: "N7"})
    done = trick(game, "I7 N7 N7")
    assert done.removed == [(2, "N7")]
    assert display(game, 1) == ["N7", "N7"]
    assert display(game, 2) == []


def test_a_smashed_gnome_leaves_the_game():
    """rules.md, "Powers": removed from the game, for nobody's pile."""
    game = table(TWO, phase=2, displays={2: "N7 N7"})
    done = trick(game, "I7 U3")
    assert done.scored == {1: cards("I7 U3")}
    assert display(game, 2) == ["N7"]
    assert "N" not in pile(game, 1)
    assert "N" not in pile(game, 2)


def test_gnomes_on_a_pile_are_no_longer_there_to_be_smashed():
    """rules.md, "Powers": only a display can be robbed; the Giants are scored as usual."""
    game = table(TWO, phase=2)
    trick(game, "U3 I7")
    trick(game, "I5 I7")
    assert pile(game, 2) == {"I": (2, 12, [5, 7])}
    assert pile(game, 1) == {"U": (1, 3, [3]), "I": (1, 7, [7])}


def test_a_giant_always_smashes():
    """rules.md, "Decided here": Claim 2 says "may"; with both rule sets it must."""
    for rules in ("LE2023", "Classic"):
        game = table(TWO, phase=2, rules=rules, displays={2: "N7"})
        assert trick(game, "I7 U3").removed == [(2, "N7")]


def test_giants_of_phase_1_smash_nothing():
    """rules.md, "Powers": Phase 2 only."""
    game = table(TWO, displays={2: "N7"})
    assert trick(game, "I7 U3").removed == []
    assert display(game, 2) == ["N7"]


@pytest.mark.parametrize("value", [1, 3, 5, 7, 9])
def test_every_value(value):
    """rules.md, "Cards": each Giant has Gnomes of its value."""
    displays = {2: "N1 N3 N5 N7 N9"}
    assert smashed(f"I{value} U0", displays) == [(2, f"N{value}")]


def test_displays_are_robbed_trick_by_trick():
    """rules.md, "Powers": what a trick removed is not reported again with the next."""
    game = table(TWO, phase=2, displays={2: "N7"})
    assert trick(game, "I7 U3").removed == [(2, "N7")]
    assert trick(game, "I7 U4").removed == []
