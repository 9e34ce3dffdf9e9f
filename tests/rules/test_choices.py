"""What may be done in a game of which little is known, and why not, in small scenes."""

from __future__ import annotations

from random import Random

import pytest

from claimlog.cards import CARDS, NAMES, UNKNOWN, card
from claimlog.rules.actions import IllegalAction, Kind
from claimlog.rules.dealing import deal
from claimlog.rules.machine import Machine
from claimlog.rules.places import CardsLost
from claimlog.rules.setup import Setup


def cards(text: str) -> list[int]:
    return [UNKNOWN if name == "_" else card(name) for name in text.split()]


def begin(letters: str, hands: str = "|", pile: str = "", **options: object) -> Machine:
    """A two-player game in which as much is known as is written, seat 1 leading."""
    setup = Setup(letters, 2, **options)  # type: ignore[arg-type]
    dealt = [cards(hand) for hand in hands.split("|")]
    return Machine(
        setup,
        [hand + [UNKNOWN] * (setup.tricks - len(hand)) for hand in dealt],
        (cards(pile) + [UNKNOWN] * (2 * setup.tricks))[: 2 * setup.tricks],
    )


def after(machine: Machine, words: str) -> Machine:
    """Turn up, play and draw what is written; `-` draws without a look, `G5^` is a revoke."""
    for word in words.split():
        if word == "-":
            machine.draw()
        elif word.endswith("^"):
            machine.play(card(word[:-1]), irregular=True)
        else:
            machine.apply(card(word))
    return machine


def test_a_card_held_twice_is_one_choice() -> None:
    led = begin("GKUWX", "G0 G0 K2|G0 G0 G3 X1", "U7")
    after(led, "U7")
    assert led.choices().count(card("G0")) == 1
    after(led, "G0")
    assert led.choices().count(card("G0")) == 1
    setup = Setup("GKUWX")
    for seed in range(40):
        known = Machine(setup, *deal(setup, Random(seed)))
        known.turn_up()
        for _ in range(2):
            assert known.choices() == sorted(set(known.choices()))
            known.apply(known.choices()[0])


def test_a_card_from_an_unknown_pile_may_stay_unknown_if_it_is_drawn() -> None:
    machine = begin("GKUWX")
    assert UNKNOWN not in machine.choices()
    after(machine, "U7 G5 G8")
    assert machine.to_act.kind == Kind.DRAW
    assert machine.choices()[-1] == UNKNOWN
    assert machine.choices().count(UNKNOWN) == 1


def test_after_the_end_there_is_no_choice_whatever_the_loot() -> None:
    setup = Setup("GKRUW", loot=tuple(f"R{value}" for value in range(14)))
    for seed in range(3):
        rng = Random(seed)
        machine = Machine(setup, *deal(setup, rng))
        while machine.to_act.kind != Kind.OVER:
            machine.apply(rng.choice(machine.choices()))
        assert machine.choices() == []


@pytest.mark.parametrize("faction", "GKUWX")
def test_what_was_not_followed_is_not_held_in_any_faction(faction: str) -> None:
    """Until the phase ends, except where the director let it stand."""
    other = "U" if faction == "W" else "W"
    lead, played = f"{faction}5", f"{other}3"
    machine = after(begin("GKUWX"), f"{other}0 {lead} {played} - {other}1 {other}4")
    assert machine.actor == 1
    assert not any(NAMES[one][0] == faction for one in machine.choices() if one != UNKNOWN)
    with pytest.raises(IllegalAction, match="in trick 1, so it cannot hold") as no:
        machine.play(card(f"{faction}6"))
    assert no.value.revoked_in == 1
    stood = after(begin("GKUWX"), f"{other}0 {lead} {played}^ - {other}1 {other}4")
    assert card(f"{faction}6") in stood.choices()


@pytest.mark.parametrize(
    ("words", "refused", "trick"),
    [
        # The trick is that in which it did not follow, not one of another faction or seat before.
        ("U7 K5 G8 - U8 K6 G7 - U9 U1 W1 - W9 U2", "U3", 3),
        ("U7 G5 U1 - U8 G6 U2 - U9 W2", "G9", 1),
        ("U7 G5 U1^ - U8 G6 U2 - U9 W2", "G9", 2),
        # In the trick that is being played.
        ("U7 G5 G8 - U8 G6", "", 0),
    ],
)
def test_the_trick_that_proves_it_is_named(words: str, refused: str, trick: int) -> None:
    machine = after(begin("GKUWX"), words)
    if not refused:
        assert card("G9") in machine.choices()
        return
    with pytest.raises(IllegalAction, match=f"in trick {trick}, so it cannot hold") as no:
        machine.play(card(refused))
    assert no.value.revoked_in == trick


SCENES = [
    # What is known, what has happened, the method with its arguments, and why not.
    ("GKUWX", "", "", "turn_up", (CARDS,), "there is no such card"),
    ("GKUWX", "U7 _", "", "turn_up", (0,), "the pile's next card is U7"),
    ("GKUWX", "", "U7", "play", (-1,), "there is no such card"),
    ("GKUWX", "", "U7", "play", (CARDS,), "there is no such card"),
    ("GKUWX", "", "U7", "play", (card("T3"),), "Trolls are not in this deck"),
    ("GKUWX", "", "U7", "play", (card("U7"),), "U7 has shown up already"),
    ("GKUWX", "", "U7", "draw", (), "seat 1 is to play a card"),
    ("GKUWX", "", "", "play", (0,), "an upcard is to be turned up"),
    ("GKUWX", "", "U7 G5 G8", "play", (0,), "seat 1 is to draw a hidden card"),
    ("GKSUW", "", "U7 S5 U2", "draw", (), "seat 1 is to take the top hidden card or to leave it"),
]


@pytest.mark.parametrize(("deck", "pile", "words", "verb", "given", "why"), SCENES)
def test_why_not(
    deck: str, pile: str, words: str, verb: str, given: tuple[int, ...], why: str
) -> None:
    machine = after(begin(deck, "|", pile), words)
    with pytest.raises(IllegalAction) as no:
        getattr(machine, verb)(*given)
    assert str(no.value) == why
    assert not getattr(machine, f"can_{verb}")(*given)


def test_a_hand_that_is_known_says_what_it_does_not_hold() -> None:
    setup = Setup("GKUWX")
    dealt = (deal(setup, Random(seed)) for seed in range(50))
    hands, pile = next(one for one in dealt if 0 not in one[0][0])
    machine = Machine(setup, hands, pile)
    machine.turn_up()
    for number, why in (
        (0, f"seat 1 does not hold {NAMES[0]}"),
        (CARDS, "there is no such card"),
        (-1, "there is no such card"),
    ):
        with pytest.raises(IllegalAction) as no:
            machine.play(number)
        assert str(no.value) == why
    assert after(begin("GKUWX"), "U7").play(0).card == 0


def test_lost_cards_are_noticed_wherever_they_are() -> None:
    def broken(machine: Machine, how: str) -> Machine:
        if how == "twice":
            machine.discards.append(machine.hands[0].pop())
            machine.discards[-1] = machine.hands[1][0]
        elif how == "gone":
            machine.hands[0].pop()
        elif how == "pile":
            machine.piles[0].append(machine.hands[0].pop())
        elif how == "left":
            machine.left[0] += 1
        elif how == "raccoons":
            machine.raccoons += 1
        return machine

    setup = Setup("GKRUW")
    for how in ("", "twice", "gone", "pile", "left", "raccoons"):
        machine = broken(Machine(setup, *deal(setup, Random(2))), how)
        if not how:
            machine.conserved()
            continue
        with pytest.raises(CardsLost):
            machine.conserved()
