"""Griffins (rules.md, "Powers"; LE2023, "Greife")."""

import pytest
from tabletop import cards, display, first, pile, table, trick

from claimlog.cards import card

TWO = "GKFUX"
MANY = "GKFTUWX"


def play(plays: str, piles: dict[int, str], *, deck: str = TWO, **more):
    seats = len(plays.split())
    return trick(table(deck, seats=seats, phase=2, piles=piles, **more), plays)


@pytest.mark.parametrize(
    ("plays", "piles", "values", "winner"),
    [
        pytest.param("G3 G7", {1: "F3"}, {1: 8, 2: 7}, 1, id="bonus-wins"),
        pytest.param("G3 G7", {2: "F3"}, {1: 3, 2: 7}, 2, id="the-opponents-griffin"),
        pytest.param("G3 G7", {1: "F7"}, {1: 3, 2: 7}, 2, id="of-another-value"),
        pytest.param("G3 G7", {1: "F3", 2: "F7"}, {1: 8, 2: 12}, 2, id="both"),
        pytest.param("G3 G8", {1: "F3"}, {1: 8, 2: 8}, 1, id="equal-led"),
        pytest.param("G8 G3", {2: "F3"}, {1: 8, 2: 8}, 1, id="equal-followed"),
        pytest.param("G0 G4", {1: "F0"}, {1: 5, 2: 4}, 1, id="zero"),
        pytest.param("G9 G5", {1: "F9", 2: "F5"}, {1: 14, 2: 10}, 1, id="nine"),
        pytest.param("G3 U3", {2: "F3"}, {1: 3, 2: 8}, 1, id="another-faction-still-loses"),
        pytest.param("G3 X3", {2: "F3"}, {1: 3, 2: 8}, 2, id="doppelganger"),
        pytest.param("G7 X3", {2: "F3"}, {1: 7, 2: 8}, 2, id="doppelganger-by-the-bonus"),
        pytest.param("G9 K2", {1: "F9"}, {1: 14, 2: 2}, 2, id="a-knight-still-beats"),
        pytest.param("F3 F7", {1: "F0"}, {1: 3, 2: 7}, 2, id="griffins-played"),
        pytest.param("G3 G7", {1: "G3 U3 X3"}, {1: 3, 2: 7}, 2, id="griffins-alone"),
        pytest.param("G3 G7", {1: "F0 F1 F2 F3 F4"}, {1: 8, 2: 7}, 1, id="one-of-many"),
    ],
)
def test_a_played_card_counts_5_more(plays, piles, values, winner):
    """rules.md, "Powers": the player's own pile holds a Griffin of the printed value."""
    done = play(plays, piles)
    assert done.values == values
    assert done.winner == winner


@pytest.mark.parametrize("letter", "GKFUXMPNIABDRSTVW")
def test_cards_of_every_faction(letter):
    """LE2023, "Greife": "Karten beliebiger Fraktionen"."""
    done = play(f"{letter}5 U9", {1: "F5"}, deck="GKFUXMPNIABDRSTVW")
    assert done.values == {1: 10, 2: 9}


@pytest.mark.parametrize("card", ["M10", "M11", "M12", "P10", "P11", "P12", "R10", "R13"])
def test_no_griffin_shows_10_or_more(card):
    """rules.md, "Cards": Griffins are 0 to 9; P12 is not P2 plus 10."""
    every = "F0 F1 F2 F3 F4 F5 F6 F7 F8 F9"
    done = play(f"{card} G1", {1: every}, deck="MPFRG")
    assert done.values == {1: int(card[1:]), 2: 1}


@pytest.mark.parametrize(
    ("plays", "piles", "ranking"),
    [
        pytest.param("G3 G7 G8", {1: "F3"}, [1, 3, 2], id="three-wins-the-tie"),
        pytest.param("G3 U3 W7", {2: "F3"}, [1, 2, 3], id="three-of-others"),
        pytest.param("G3 W7 U3", {3: "F3"}, [1, 3, 2], id="three-of-others-later"),
        pytest.param("G3 W8 U3", {3: "F3"}, [1, 2, 3], id="three-of-others-equal"),
        pytest.param("G3 K4 K2", {3: "F2"}, [3, 2, 1], id="three-knights"),
        pytest.param("G3 G7 G8 X4", {4: "F4"}, [4, 3, 2, 1], id="four"),
        pytest.param("G3 G7 G8 X4", {2: "F4", 1: "F8"}, [3, 2, 4, 1], id="four-others-griffins"),
    ],
)
def test_it_changes_rank(plays, piles, ranking):
    """rules.md, "Powers": winner, second and so on go by the value that counts."""
    assert play(plays, piles, deck=MANY).ranking == ranking


def test_a_partners_griffin_is_not_ones_own():
    """rules.md, "Seats and sides": with four players piles are per seat during play."""
    done = play("G3 G4 G3 G4", {1: "F3", 2: "F4"}, deck=MANY)
    assert done.values == {1: 8, 2: 9, 3: 3, 4: 4}


def test_a_griffin_of_the_same_trick_comes_too_late():
    """LE2023, "Greife": "in zukünftigen Stichen"; the pile must already hold it."""
    game = table(MANY, seats=3, phase=2)
    done = trick(game, "F5 U5 F4")
    assert done.values == {1: 5, 2: 5, 3: 4}
    assert trick(game, "U5 U6 G5").values == {1: 10, 2: 6, 3: 5}


def test_it_counts_for_every_later_card():
    """LE2023, "Greife": it stays on the pile and works again."""
    game = table(TWO, phase=2, piles={1: "F5"})
    assert [trick(game, f"{c} U9").values[1] for c in ("G5", "X5", "K5")] == [10, 10, 10]


@pytest.mark.parametrize(("seats", "last"), [(2, 13), (3, 12), (4, 9)])
def test_griffins_have_no_power_in_phase_1(seats, last):
    """rules.md, "Powers": Phase 2 only, not in Phase 1's last trick either."""
    plays = first(seats, "G3 G7 G1 G2")
    for number in (1, last):
        game = table(MANY, seats=seats, trick=number, piles={1: "F3"})
        done = trick(game, plays)
        assert done.values[1] == 3
        assert done.winner == 2
        assert done.scored == {}


@pytest.mark.parametrize(
    ("plays", "piles", "taker"),
    [
        pytest.param("G5 W3 U4", {}, 2, id="none"),
        pytest.param("G5 W3 U4", {2: "F3"}, 3, id="lifts-the-lowest"),
        pytest.param("G5 W3 U8", {2: "F3", 1: "F5"}, 3, id="equal-the-later"),
        pytest.param("G1 W3 U4", {1: "F1"}, 2, id="lifts-another"),
        pytest.param("G1 W3 U0 U2", {1: "F1", 3: "F0"}, 4, id="four"),
    ],
)
def test_the_bonus_counts_in_the_dwarves_comparison(plays, piles, taker):
    """rules.md, "Decided here": lowest is the value that counts."""
    done = play(plays, piles, deck=MANY)
    assert "W3" in done.scored[taker]
    assert sum("W3" in gained for gained in done.scored.values()) == 1


def test_trolls_are_taken_by_printed_value():
    """rules.md, "Powers": everything else uses the printed value."""
    done = play("T5 T7", {1: "F5"}, deck="GKFTX")
    assert done.winner == 1
    assert done.scored == {1: ["T7"]}
    assert done.waiting == ["T5"]


def test_giants_smash_by_printed_value():
    """rules.md, "Powers": a Giant 3 counting 8 still smashes a Gnome 3."""
    game = table("NIFUX", phase=2, piles={1: "F3"}, displays={2: "N3 N7"})
    done = trick(game, "I3 I7")
    assert done.winner == 1
    assert sorted(done.removed) == [(2, "N3"), (2, "N7")]


def test_piles_hold_printed_values():
    """rules.md, "Powers": what is scored is the card, not the card plus 5."""
    game = table("NIFUX", phase=2, piles={1: "F3"})
    done = trick(game, "N3 X7")
    assert done.scored == {1: cards("N3 X7")}
    assert display(game, 1) == ["N3"]
    trick(game, "U3 U7")
    assert pile(game, 1)["U"] == (2, 10, [3, 7])


def test_without_griffins_in_the_deck_there_is_no_bonus():
    game = table("GKUWX", phase=2, piles={1: "U3"})
    assert trick(game, "G3 G7").values == {1: 3, 2: 7}


@pytest.mark.parametrize(("number", "value"), [(13, 3), (14, 8)])
def test_a_card_in_hand_is_worth_what_it_will_be(number, value):
    """rules.md, "Powers": plus 5 in Phase 2, and only for the seat that has the Griffin."""
    game = table("GKFUX", trick=number, piles={1: "F3"})
    assert [game.value_of(seat, card("U3")) for seat in (0, 1)] == [value, 3]
    assert trick(game, "U3 U7").values == {1: value, 2: 7}
