"""Legal choices in a game of which little is known, and reasons for refusals, in small scenes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

from claimlog.cards import CARDS, NAMES, UNKNOWN, card
from claimlog.rules.actions import Action, IllegalAction, Kind
from claimlog.rules.dealing import deal
from claimlog.rules.machine import Machine
from claimlog.rules.places import CardsLost
from claimlog.rules.setup import Setup


def cards(text: str) -> list[int]:
    return [UNKNOWN if name == "_" else card(name) for name in text.split()]


def begin(letters: str, hands: str = "|", pile: str = "", **options: object) -> Machine:
    """A two-player game in which only the written cards are known, seat 1 leading."""
    setup = Setup(letters, 2, **options)  # type: ignore[arg-type]
    dealt = [cards(hand) for hand in hands.split("|")]
    return Machine(
        setup,
        [hand + [UNKNOWN] * (setup.tricks - len(hand)) for hand in dealt],
        (cards(pile) + [UNKNOWN] * (2 * setup.tricks))[: 2 * setup.tricks],
    )


def after(machine: Machine, words: str) -> Machine:
    """Turn up, play and draw the written cards; `-` draws unseen, `G5^` is a revoke."""
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
    """Until the phase ends, unless the director let it stand."""
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
        # The trick named is one in which it did not follow, not one of another faction or seat
        # before.
        ("U7 K5 G8 - U8 K6 G7 - U9 U1 W1 - W9 U2", "U3", 3),
        ("U7 G5 U1 - U8 G6 U2 - U9 W2", "G9", 1),
        ("U7 G5 U1^ - U8 G6 U2 - U9 W2", "G9", 2),
        # In the current trick.
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
    # What is known, what has happened, the method with its arguments, and the reason of the
    # refusal.
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


def test_who_holds_a_card_of_the_faction_led_has_no_other_choice_though_cards_are_unknown() -> None:
    """Goblins, the first of the factions, like any other."""
    machine = after(begin("GKUWX", "|G5", "U7"), "U7 G6")
    assert {NAMES[one][0] for one in machine.choices()} == {"G", "X"}


def test_in_phase_2_what_was_not_followed_in_phase_1_proves_nothing() -> None:
    """The trick that is named belongs to the same phase, including its first one."""
    follows = "G9 G0 G8 G0 G7 G0 G6 G0 G5 G0 G4 G1 G3 G2 W9 W0 W8 W1 W7 W2 W6 W3 U8 K2 U9 K3"
    upcards = "U0 U1 U2 U3 X0 X1 X2 X3 X4 X5 X6 X7 X8"
    machine = begin("GKUWX")
    plays = iter(follows.split())
    for upcard in upcards.split():
        after(machine, f"{upcard} {next(plays)} {next(plays)} -")
    assert machine.phase == 2
    with pytest.raises(IllegalAction, match="in trick 14, so it cannot hold U4") as no:
        after(machine, "U0 W4 X0 U4")
    assert no.value.revoked_in == 14


def test_of_three_players_the_seat_is_told_that_did_not_follow() -> None:
    machine = Machine(Setup("GKUWXSV", 3, leader=2))
    after(machine, "U7 W7 G5 W1 G3 W7 - U8 W8 G6")
    assert machine.history[0].picked == card("W7")
    assert machine.actor == 2
    with pytest.raises(IllegalAction, match="seat 3 did not follow Goblins in trick 1"):
        machine.play(card("G7"))


@pytest.mark.parametrize(
    ("deck", "words", "refused", "trick"),
    [
        # It followed before; and face-down discards follow nothing.
        ("GKUWX", "U7 G5 G3 - U8 G6 U2 - U9 W2", "G9", 2),
        ("GKAUW", "U7 A9 A0 - U8 G6 W1 - U9 G7 W2 - U6 W3", "G8", 3),
    ],
)
def test_the_trick_that_is_named_is_none_in_which_it_could_not_follow(
    deck: str, words: str, refused: str, trick: int
) -> None:
    machine = after(begin(deck), words)
    with pytest.raises(IllegalAction, match=f"in trick {trick}, so it cannot hold"):
        machine.play(card(refused))


def test_a_known_pile_is_taken_from_its_top() -> None:
    setup = Setup("GKSUWTX", seats=4)
    machine = Machine(setup, *deal(setup, Random(1)))
    first, second, third, *_ = machine.pile
    assert machine.can_turn_up(second)
    machine.turn_up(second)
    assert machine.pile[:2] == [first, third]
    assert not machine.can_turn_up(third)
    two = Setup("GKUWX")
    machine = Machine(two, *deal(two, Random(1)))
    machine.turn_up()
    for _ in range(2):
        machine.play(machine.choices()[0])
    top, after_it, *_ = machine.pile
    assert top != after_it
    assert machine.can_draw()
    assert not machine.can_draw(after_it)
    assert machine.can_draw(UNKNOWN)
    assert machine.draw(UNKNOWN).card in (top, UNKNOWN)
    assert machine.pile[0] == after_it
    machine.conserved()


def test_a_card_that_turns_up_is_not_taken_for_one_that_lies_deeper() -> None:
    machine = after(begin("GKUWX", "|", "U7 _ G0"), "U7 G5 G8")
    machine.draw(card("G0"))
    assert machine.pile[0] == card("G0")
    assert machine.left[card("G0")] == 3
    machine.conserved()


def test_a_hand_that_is_known_lays_down_a_card_that_is_named() -> None:
    machine = begin("GKAUW", "A9 " + "K2 K3 K4 K5 K6 K7 K8 K9 G0 G1 G2 G3|A0")
    after(machine, "U7 A9 A0 - U8")
    assert machine.unknown[0] == 0
    with pytest.raises(IllegalAction, match="the hand of seat 1 is known: name the card"):
        machine.discard()


@pytest.mark.parametrize(
    ("deck", "words", "played", "why"),
    [
        ("NIUWX", "U7", "G0", "Goblins are not in this deck"),
        ("GKRUW", "R1", "R1", "R1 has shown up already"),
    ],
)
def test_why_a_card_is_nowhere(deck: str, words: str, played: str, why: str) -> None:
    with pytest.raises(IllegalAction) as no:
        after(begin(deck), words).play(card(played))
    assert str(no.value) == why


def played_on(setup: Setup, seed: int) -> Iterator[Machine]:
    """A random game, at each of its moments."""
    rng = Random(seed)
    machine = Machine(setup, *deal(setup, rng))
    while machine.kind != Kind.OVER:
        yield machine
        machine.apply(rng.choice(machine.choices()))
    yield machine


def test_open_gnomes_are_counted_where_they_lie() -> None:
    """At each moment of a game with Gnomes and Giants; the seat is told if one is missing."""
    shown = 0
    for machine in played_on(Setup("NIUWX"), 1):
        machine.conserved()
        if machine.displays[1]:
            shown += 1
            lost = machine.copy()
            lost.displays[0].append(lost.displays[1].pop())
            with pytest.raises(CardsLost, match="Gnomes of seat 1"):
                lost.conserved()
    assert shown


@pytest.mark.parametrize("seed", range(2))
def test_what_a_seat_has_not_seen_lies_somewhere_else(seed: int) -> None:
    """With face-down cards, which only their players have seen."""
    buried = 0
    for machine in played_on(Setup("GKARU"), seed):
        for seat in range(2):
            other = 1 - seat
            elsewhere = machine.pile + machine.drawn + machine.buried[other]
            hidden = Counter(elsewhere + machine.hands[other] + machine.followers[other])
            hidden.subtract(machine.shown[other])
            for number in range(CARDS):
                hidden[number] += machine.left[number]
            buried += len(machine.buried[seat])
            assert list(machine.unseen(seat)) == [hidden[number] for number in range(CARDS)]
    assert buried


def test_a_copy_knows_all_that_is_known_and_goes_its_own_way() -> None:
    ruled = {"raccoons": "pile"}
    for number, machine in enumerate(played_on(Setup("GKARU", rulings=ruled), 5)):
        if number % 9:
            continue
        copy, quiet = machine.copy(), machine.copy(True)
        assert (quiet.quiet, quiet.log, quiet.copy().quiet) == (True, [], True)
        assert (copy.quiet, copy.log, copy.history) == (False, machine.log, machine.history)
        assert copy.raccoons == machine.raccoons
        for seat in range(2):
            assert copy.unseen(seat) == machine.unseen(seat)
        before = machine.places(), bytes(machine.left), list(machine.voids)
        for one in (copy, quiet):
            assert one.places() == machine.places()
            while one.kind != Kind.OVER:
                one.apply(one.choices()[0])
            one.conserved()
        assert (machine.places(), bytes(machine.left), list(machine.voids)) == before
    blank = Machine(Setup("GKARU", rulings=ruled)).copy()
    assert card("R1") in blank.choices()
    assert card("R1") not in after(blank, "G5").choices()


def test_a_copy_of_a_game_in_which_little_is_known_reveals_cards_of_its_own() -> None:
    machine = after(begin("GKUWX"), "U7 G5")
    copy = machine.copy()
    copy.play(card("G8"))
    assert machine.left[card("G8")] == 1
    assert copy.left[card("G8")] == 0


def test_reasons_are_noted_in_a_copy_unless_one_of_the_two_is_quiet() -> None:
    setup = Setup("GKUWX")
    for quiet, asked in ((False, False), (False, True), (True, False)):
        machine = Machine(setup, *deal(setup, Random(1)), quiet)
        copy = machine.copy(asked)
        copy.proceed()
        while not copy.plays or copy.kind == Kind.PLAY:
            copy.play(copy.choices()[0])
        assert bool(copy.table.notes) is not (quiet or asked)


def test_a_hidden_card_that_is_named_is_the_top_one_though_the_next_is_its_equal() -> None:
    goblin = card("G0")
    one = begin("GKUWX", "|", "_ G0")
    one.turn_up(goblin)
    assert one.pile[0] == goblin
    seer = after(begin("GKSUW", "|", "U7 _ G0"), "U7 S5 U2")
    seer.look(True, goblin)
    assert seer.pile[0] == goblin
    four = Machine(Setup("GKSUWTX", 4), None, cards("U7 _ G0" + " _" * 33))
    four.turn_up(card("U7"))
    four.turn_up(goblin)
    assert four.pile[0] == goblin


def test_a_card_equal_to_one_that_was_taken_is_seen_beside_it() -> None:
    """In Phase 1 it comes from the hand, up to the last trick."""
    machine = after(begin("GKUWX"), "G0 G5 G8 - U7 G0")
    assert machine.shown[1] == [card("G0")]
    assert machine.seen[card("G0")] == 2
    seen = 0
    for seed in range(20):
        for now in played_on(Setup("GKUWX"), seed):
            if now.trick == now.phase_tricks and now.kind == Kind.PLAY:
                before, seat = Counter(now.shown[now.actor]), now.actor
            elif now.trick == now.phase_tricks and now.plays:
                seen += before[now.plays[-1]]
                assert not before - Counter(now.shown[seat])
    assert seen


def test_the_others_draw_in_the_order_of_the_trick() -> None:
    machine = Machine(Setup("GKASUWX", 4))
    after(machine, "U7 W7 G5 G1 G9 G3 U7")
    for seat in (3, 1):
        assert machine.to_act == (Kind.DRAW, seat)
        machine.draw()
    assert machine.to_act == (Kind.TURN_UP, None)


def test_the_end_of_a_game() -> None:
    setup = Setup("NIUWX")
    (*_, machine) = played_on(setup, 1)
    assert machine.to_act == (Kind.OVER, None)
    assert (machine.history[-1].phase, machine.history[-1].next_leader) == (2, None)
    assert {trick.next_leader is None for trick in machine.history[:-1]} == {False}
    count = machine.copy().count
    assert count is not None
    assert machine.count is not None
    assert list(count.votes) == list(machine.count.votes)
    assert sum(count.votes) > 0


def test_a_log_is_repeated_action_by_action() -> None:
    setup = Setup("GKSAU")
    for seed in range(3):
        (*_, machine) = played_on(setup, seed)
        again = Machine(setup, *deal(setup, Random(seed)))
        with pytest.raises(IllegalAction, match="an upcard is to be turned up"):
            again.repeat(Action(Kind.DRAW, 0, again.pile[0]))
        assert [again.repeat(action) for action in machine.log] == machine.log
        assert again.history == machine.history
        assert {Kind.LOOK, Kind.DISCARD} <= {action.kind for action in machine.log} or seed
