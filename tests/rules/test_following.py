"""Which cards may be played (rules.md, "Phase 1", 2; LE2023, "Bedienregel")."""

import naive
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tabletop import factions

from claimlog.cards import FACTION_OF, LETTERS, NAMES, card
from claimlog.rules.powers import may_play

HANDS = st.lists(st.sampled_from(NAMES), min_size=1, max_size=13)


def legal(hand: str, led: str) -> str:
    """The cards of `hand` that are legal when the card `led` was led."""
    held = factions("".join({c[0] for c in hand.split()}))
    return " ".join(
        c for c in hand.split() if may_play(held, FACTION_OF[card(led)], FACTION_OF[card(c)])
    )


@pytest.mark.parametrize(
    ("led", "hand", "may"),
    [
        pytest.param("G5", "G1 G9 K4 U7", "G1 G9", id="holds-the-led-faction"),
        pytest.param("U0", "U9 W9", "U9", id="holds-one-card-of-it"),
        pytest.param("W3", "G1 G9 K4 U7", "G1 G9 K4 U7", id="holds-none"),
        pytest.param("G5", "G1 X4 K4", "G1 X4", id="or-a-doppelganger"),
        pytest.param("W3", "X4 K4 U1", "X4 K4 U1", id="a-doppelganger-does-not-bind"),
        pytest.param("G5", "G1 K9 K8", "G1", id="knights-do-not-follow-goblins"),
        pytest.param("G5", "K9 K8 U1", "K9 K8 U1", id="knights-without-goblins"),
        pytest.param("K5", "G1 K2 U1", "K2", id="goblins-do-not-follow-knights"),
        pytest.param("X5", "G1 X2 U1 X8", "X2 X8", id="doppelgangers-led"),
        pytest.param("X5", "G1 K2 U1", "G1 K2 U1", id="doppelgangers-led-and-none-held"),
        pytest.param("M7", "P7 P9 A1", "P7 P9 A1", id="kings-and-peasants-are-two-factions"),
        pytest.param("N5", "I5 I7 N1", "N1", id="gnomes-and-giants-are-two-factions"),
    ],
)
def test_following(led, hand, may):
    """rules.md, "Phase 1", 2: holding one, play it, or a Doppelganger; otherwise anything."""
    assert legal(hand, led) == may


@pytest.mark.parametrize("led", LETTERS)
def test_every_faction_is_followed(led):
    """rules.md, "Phase 1", 2: whatever is led, including Doppelgangers."""
    others = " ".join(f"{letter}5" for letter in LETTERS if letter not in (led, "X"))
    doppelganger = "" if led == "X" else " X5"
    assert legal(f"{led}5 {others}{doppelganger}", f"{led}7") == f"{led}5{doppelganger}"
    assert legal(others, f"{led}7") == others


@given(hand=HANDS, led=st.sampled_from(NAMES))
def test_same_as_the_naive_rule(hand, led):
    expected = [c for c in hand if naive.may_play(hand, led[0], c)]
    assert legal(" ".join(hand), led).split() == expected


@given(hand=HANDS, led=st.sampled_from(NAMES))
def test_somebody_who_holds_a_card_can_play(hand, led):
    assert legal(" ".join(hand), led) != ""


@given(hand=HANDS, led=st.sampled_from(NAMES), more=st.sampled_from(NAMES))
def test_a_card_of_another_faction_changes_nothing(hand, led, more):
    """It only matters whether the led faction is held: not what else, nor how many of it."""
    if more[0] != led[0] or any(c[0] == led[0] for c in hand):
        expected = legal(" ".join(hand), led)
        assert legal(" ".join([*hand, more]), led).split()[: len(expected.split())] == (
            expected.split()
        )
