"""Only a due action is allowed, and a refusal says what is due (rules.md, "Phase 1")."""

from random import Random

import pytest

from claimlog.cards import NAMES, UNKNOWN, card
from claimlog.rules.actions import IllegalAction, Kind
from claimlog.rules.dealing import deal
from claimlog.rules.machine import Machine
from claimlog.rules.setup import Setup

NAME = {kind: kind.name.lower() for kind in Kind if kind != Kind.OVER}


@pytest.mark.parametrize(("deck", "seats"), [("NIASR", 2), ("GKASRTU", 3), ("MPASRDV", 4)])
def test_only_what_is_due_may_be_done(deck, seats):
    setup = Setup(deck, seats=seats, loot=("R1", "R2", "R3", "R4", "R5"))
    seen = set()
    for seed in range(40):
        rng = Random(seed)
        machine = Machine(setup, *deal(setup, rng))
        while machine.kind != Kind.OVER:
            choice = rng.choice(machine.choices())
            due = machine.kind
            if due not in seen:
                seen.add(due)
                for kind, name in NAME.items():
                    can = getattr(machine, f"can_{name}")(choice)
                    assert can is (kind == due), (due, kind)
                    if kind != due:
                        with pytest.raises(IllegalAction) as no:
                            getattr(machine, f"verify_{name}")(choice)
                        assert machine.to_act.seat is None or (
                            f"{machine.to_act.seat + 1} is to " in str(no.value)
                        )
                if due not in (Kind.TURN_UP, Kind.LOOK, Kind.DRAW):
                    no_choice = next(c for c in range(len(NAMES)) if c not in machine.choices())
                    with pytest.raises(IllegalAction):
                        machine.verify(no_choice)
            machine.apply(choice)
    expected = set(NAME) - ({Kind.PICK} if seats == 2 else set()) - {Kind.LOOT}
    assert expected <= seen


def cards(*names):
    return [card(name) for name in names]


def after(machine, *steps):
    """Perform these: cards turned up and played, / draws."""
    for step in steps:
        if step == "/":
            machine.draw()
        else:
            machine.apply(card(step))
    return machine


def test_who_did_not_follow_is_told_in_which_trick():
    """The first trick of the phase in which that faction was led, and no other."""
    hands = Machine(Setup("GKUWX"))
    after(hands, "U7", "K2", "K3", "/", "W1", "G5", "U1", "/", "W2", "G6", "U2", "/", "W3")
    loser = hands.table.leader ^ 1
    after(hands, "W4")
    assert hands.actor == loser
    with pytest.raises(IllegalAction, match=r"did not follow Goblins in trick 2, .* G9") as no:
        hands.play(card("G9"))
    assert no.value.revoked_in == 2
    assert str(no.value).startswith(f"seat {loser + 1} ")


def test_a_card_beyond_all_is_none():
    setup = Setup("GKUWX")
    machine = Machine(setup, *deal(setup, Random(1)))
    machine.turn_up()
    for beyond in (-1, len(NAMES)):
        with pytest.raises(IllegalAction, match="there is no such card"):
            machine.play(beyond)
    held = set(machine.hands[machine.actor])
    (absent, *_) = [c for c in cards("G1", "G2", "G3", "K2", "K3") if c not in held]
    with pytest.raises(IllegalAction, match=rf"seat 1 does not hold {NAMES[absent]}"):
        machine.play(absent)


def test_of_a_pile_the_top_alone_may_be_known():
    setup = Setup("GKUWX")
    hands, pile = deal(setup, Random(2))
    known = [pile[0], *[UNKNOWN] * (len(pile) - 1)]
    machine = Machine(setup, hands, known)
    machine.turn_up()
    assert machine.pile == known[1:]


def test_raccoons_of_the_pile_are_shuffled_into_it():
    setup = Setup("GKRUX", rulings={"raccoons": "pile"})
    last = [NAMES[deal(setup, Random(seed))[1][-1]][0] == "R" for seed in range(40)]
    assert 0 < sum(last) < 40


def test_values_of_a_score_pile():
    setup = Setup("GKUWX")
    machine = Machine(setup, *deal(setup, Random(3)))
    rng = Random(4)
    while machine.phase == 1 or len(machine.history) < 20:
        machine.apply(rng.choice(machine.choices()))
    won = 0
    for seat in range(2):
        for number, letter in enumerate("GK"):
            values = {int(NAMES[c][1:]) for c in machine.piles[seat] if NAMES[c][0] == letter}
            assert machine.values_of(seat, number) == sum(1 << value for value in values)
            won += len(values)
    assert won


def test_two_are_turned_up_in_any_order():
    """A card known to lie on top is turned up second, if another card was the first."""
    setup = Setup("GKSUWTX", seats=4)
    machine = Machine(setup, None, [*cards("G5"), *[UNKNOWN] * 35])
    machine.turn_up(card("K5"))
    assert machine.turn_up().card == card("G5")
    assert machine.pile == [UNKNOWN] * 34


def test_where_raccoons_may_be():
    """With the ruling in no hand before Phase 2; without it in any."""
    for ruling, early in (("pile", False), ("deal", True)):
        setup = Setup("GKRUX", rulings={"raccoons": ruling} if ruling == "pile" else {})
        machine = Machine(setup)
        rng = Random(5)
        while machine.phase == 1:
            if machine.kind == Kind.PLAY and not machine.plays:
                assert (card("R1") in machine.choices()) is early
                assert machine.trick > 1 or card("G1") in machine.choices()
            plain = [c for c in machine.choices() if c == UNKNOWN or NAMES[c][0] in "GKUX"]
            if machine.kind == Kind.DRAW:
                machine.draw()
            else:
                machine.apply(rng.choice(plain))
        assert card("R1") in machine.choices()


def test_a_discard_of_an_unknown_hand_need_not_be_known():
    machine = Machine(Setup("GKASU"))
    after(machine, "G5", "A9", "A1", "/", "K5")
    assert machine.kind == Kind.DISCARD
    assert UNKNOWN in machine.choices()


def test_every_place_has_its_name():
    setup = Setup("GKSUWTX", seats=3)
    names = {f"{what} {n}" for what in ("hand", "followers", "pile", "display") for n in (1, 2, 3)}
    assert names <= set(Machine(setup).places())
