from random import Random

import pytest
from examples import few
from hypothesis import given
from hypothesis import strategies as st

from claimlog.cards import (
    CARDS,
    COPIES,
    DOPPELGANGERS,
    FACTION_OF,
    GOBLINS,
    LETTERS,
    NAMES,
    RACCOONS,
    UNKNOWN,
    all_decks,
    card,
    deck_letters,
)
from claimlog.rules.actions import LEAVE, TAKE, Action, IllegalAction, Kind
from claimlog.rules.dealing import deal
from claimlog.rules.machine import Machine, perft
from claimlog.rules.places import CardsLost
from claimlog.rules.setup import RULINGS, Setup

LOOT = ("R2", "R5", "R8", "R11", "R13")


@st.composite
def setups(draw, seats=None):
    seats = seats or draw(st.sampled_from([2, 2, 3, 4]))
    classic = draw(st.booleans())
    return Setup(
        seats=seats,
        deck=deck_letters(draw(st.sampled_from(all_decks(seats, classic=classic)))),
        rules="Classic" if classic else "LE2023",
        rulings={key: draw(st.sampled_from(ruling.values)) for key, ruling in RULINGS.items()},
        leader=draw(st.integers(1, seats)),
        loot=draw(st.sampled_from([None, LOOT])),
    )


seeds = st.integers(0, 2**32)


def cards(text):
    return [UNKNOWN if name == "_" else card(name) for name in text.split()]


def names(indexes):
    return " ".join("_" if index == UNKNOWN else NAMES[index] for index in indexes)


def play_out(state, rng, each=lambda state: None):
    """Play on at random to the end."""
    while state.to_act.kind != Kind.OVER:
        choices = state.choices()
        state.apply(choices[int(rng.random() * len(choices))])
        each(state)
    return state


def finished(setup, seed):
    rng = Random(seed)
    hands, pile = deal(setup, rng)
    return play_out(Machine(setup, hands, pile), rng), hands, pile


# The deal ----------------------------------------------------------------------------


@given(setups(), seeds)
def test_a_deal_is_the_deck(setup, seed):
    hands, pile = deal(setup, Random(seed))
    assert [len(hand) for hand in hands] == [setup.tricks] * setup.seats
    assert len(pile) == setup.seats * setup.tricks
    dealt = sum(hands, pile)
    for index in range(CARDS):
        copies = COPIES[index] if setup.factions >> FACTION_OF[index] & 1 else 0
        if FACTION_OF[index] == RACCOONS:
            assert dealt.count(index) <= copies
        else:
            assert dealt.count(index) == copies
    if setup.factions >> RACCOONS & 1:
        assert sum(FACTION_OF[index] == RACCOONS for index in dealt) == 10
        if setup.rulings["raccoons"] == "pile":
            assert all(FACTION_OF[index] != RACCOONS for hand in hands for index in hand)
    assert deal(setup, Random(seed)) == (hands, pile)


def test_every_card_is_dealt_everywhere():
    setup = Setup("GKRUX", 2)
    seen = [set(), set(), set()]
    for seed in range(150):
        hands, pile = deal(setup, Random(seed))
        for place, dealt in zip(seen, [*hands, pile], strict=True):
            place.update(dealt)
    assert all(len(place) == 8 + 10 + 10 + 10 + 14 for place in seen)


# Whole games -------------------------------------------------------------------------


@given(setups(), seeds)
def test_no_card_is_ever_lost(setup, seed):
    rng = Random(seed)
    state = Machine(setup, *deal(setup, rng))
    state.conserved()

    def check(state):
        state.conserved()
        assert state.choices() or state.to_act.kind == Kind.OVER
        assert state.trick <= 2 * setup.tricks
        assert state.phase == (1 if state.trick <= setup.tricks else 2)

    play_out(state, rng, check)
    assert [trick.number for trick in state.history] == list(range(1, 2 * setup.tricks + 1))
    assert state.history[-1].next_leader is None
    assert not any(state.hands)
    assert not any(state.followers)
    assert not any(state.displays)
    assert state.pile_left == 0
    assert state.pile == []
    assert sum(state.count.votes[side] for side in range(setup.sides)) <= 8
    assert any(state.count.share[side] for side in range(setup.sides))
    for earlier, later in zip(state.history, state.history[1:], strict=False):
        assert later.leader == earlier.next_leader


@given(setups(), seeds)
def test_what_is_no_choice_is_refused(setup, seed):
    rng = Random(seed)
    state = Machine(setup, *deal(setup, rng))
    verbs = {
        Kind.TURN_UP: "turn_up",
        Kind.PLAY: "play",
        Kind.DISCARD: "discard",
        Kind.LOOK: "look",
        Kind.PICK: "pick",
        Kind.DRAW: "draw",
        Kind.LOOT: "choose_loot",
    }

    def check(state):
        turn = state.to_act
        choices = state.choices()
        size = len(state.log)
        for action in (*range(0, CARDS, 7), *state.hands[0], *state.upcards, CARDS, 300, -1):
            # Two upcards are turned up together, in any order.
            together = turn.kind == Kind.TURN_UP and action in state.pile[:2]
            if action in choices or together:
                continue
            with pytest.raises(IllegalAction):
                state.apply(action)
        for kind, verb in verbs.items():
            can = getattr(state, "can_loot" if kind == Kind.LOOT else f"can_{verb}")
            for choice in choices:
                assert can(choice) == (kind == turn.kind)
            if kind != turn.kind:
                with pytest.raises(IllegalAction, match=r"is to|over"):
                    getattr(state, verb)(choices[0] if choices else 0)
        assert len(state.log) == size

    play_out(state, rng, check)


@given(setups(), seeds)
def test_a_log_repeats_the_game_whatever_is_known(setup, seed):
    state, hands, pile = finished(setup, seed)
    rng = Random(seed)

    def veil(dealt):
        return [index if rng.random() < 0.5 else UNKNOWN for index in dealt]

    for again in (
        Machine(setup),
        Machine(setup, pile=pile),
        Machine(setup, [veil(hand) for hand in hands], veil(pile)),
    ):
        again.conserved()
        for action in state.log:
            choices = again.choices()
            if action.kind == Kind.LOOK:
                assert choices == [LEAVE, TAKE]
            else:
                assert action.card in choices
                assert choices == sorted(set(choices))
            assert again.to_act == (action.kind, action.seat)
            assert again.repeat(action) == action
            again.conserved()
        assert again.log == state.log
        assert again.history == state.history
        assert list(again.count.votes) == list(state.count.votes)


@given(setups(), seeds)
def test_hidden_cards_may_stay_hidden(setup, seed):
    state, _, _ = finished(setup, seed)
    blind = Machine(setup)
    for action in state.log:
        if action.kind == Kind.LOOK:
            blind.look(action.card is not None)
        elif action.kind == Kind.DRAW:
            blind.draw()
        elif action.kind == Kind.DISCARD:
            blind.discard()
        else:
            blind.repeat(action)
        blind.conserved()
    assert blind.piles == state.piles
    assert blind.to_act == (Kind.OVER, None)
    for dark, light in zip(blind.history, state.history, strict=True):
        assert dark.winner == light.winner
        assert dark.ranking == light.ranking
        assert dark.scored == light.scored
        assert all(a in (b, UNKNOWN) for a, b in zip(dark.taken, light.taken, strict=True))


@few
@given(setups(), seeds, st.integers(0, 200))
def test_copies_go_their_own_way(setup, seed, steps):
    rng = Random(seed)
    state = Machine(setup, *deal(setup, rng))
    for _ in range(steps):
        if state.to_act.kind == Kind.OVER:
            break
        state.apply(state.choices()[0])
    before = (state.places(), state.to_act, list(state.log), list(state.history))
    copy = state.copy()
    quiet = state.copy(True)
    assert (copy.places(), copy.to_act, copy.log, copy.history) == before
    play_out(copy, Random(1), Machine.conserved)
    play_out(quiet, Random(1), Machine.conserved)
    assert (state.places(), state.to_act, list(state.log), list(state.history)) == before
    assert not quiet.log
    assert not quiet.history
    assert quiet.places() == copy.places()
    assert list(quiet.count.votes) == list(copy.count.votes)
    play_out(state, Random(1))
    assert (state.log, state.history) == (copy.log, copy.history)


@few
@given(setups(), seeds)
def test_a_seat_has_not_seen_what_is_hidden(setup, seed):
    rng = Random(seed)
    state = Machine(setup, *deal(setup, rng))

    def check(state):
        for seat in range(setup.seats):
            hidden = [0] * CARDS
            for index in state.pile:
                hidden[index] += 1
            for index in state.drawn:
                hidden[index] += 1
            for index in range(CARDS):  # the unused Raccoons
                hidden[index] += state.left[index]
            for other in range(setup.seats):
                if other == seat:
                    continue
                own = state.hands[other] + state.followers[other] + state.buried[other]
                for index in own:
                    hidden[index] += 1
                for index in state.shown[other]:
                    hidden[index] -= 1
            assert list(state.unseen(seat)) == hidden

    play_out(state, rng, check)


# Small scenes ------------------------------------------------------------------------


def begin(letters, hands="", pile="", **options):
    """A two-player game in which only the written cards are known, seat 1 leading."""
    setup = Setup(letters, 2, **options)
    known = [cards(hand) for hand in hands.split("|")] if hands else [[], []]
    size = setup.tricks
    return Machine(
        setup,
        [hand + [UNKNOWN] * (size - len(hand)) for hand in known],
        (cards(pile) + [UNKNOWN] * (2 * size))[: 2 * size],
    )


def test_the_course_of_a_trick():
    state = begin("GKUWX", "G5 G8 K4|K5 U1 U3", "U7 W2")
    assert state.to_act == (Kind.TURN_UP, None)
    assert state.choices() == [card("U7")]
    assert state.turn_up() == (Kind.TURN_UP, None, card("U7"), False)
    assert state.upcards == [card("U7")]
    assert state.play(card("G5")) == Action(Kind.PLAY, 0, card("G5"))
    assert state.winner is None
    assert names(state.lying) == names(state.plays) == "G5"
    assert state.to_act == (Kind.PLAY, 1)
    state.play(card("U1"))
    assert state.winner == 0
    assert names(state.plays) == "G5 U1"
    assert state.lying == []
    assert names(state.piles[0]) == "U1"
    assert names(state.discards) == "G5"
    assert state.to_act == (Kind.DRAW, 1)
    state.draw()
    assert names(state.followers[0]) == names(state.shown[0]) == "U7"
    assert names(state.followers[1]) == "W2"
    assert state.shown[1] == []
    trick = state.history[0]
    assert (trick.number, trick.phase, trick.auto, trick.leader, trick.winner) == (
        1,
        1,
        False,
        0,
        0,
    )
    assert names(trick.upcards) == "U7"
    assert names(trick.plays) == "G5 U1"
    assert trick.values == (5, 1)
    assert trick.ranking == (0, 1)
    assert names(trick.taken) == "U7 W2"
    assert [names(gained) for gained in trick.scored] == ["U1", ""]
    assert trick.next_leader == 0
    assert (trick.looked, trick.picked, trick.removed, trick.waiting) == (False, None, (), ())
    assert len(state.pile) == state.pile_left == 24
    assert state.cards_of(0, LETTERS.index("U")) == 1


def test_who_can_follow_must():
    state = begin("GKUWX", "G5|G8 X2 U1", "U7")
    state.turn_up()
    state.play(card("G5"))
    with pytest.raises(IllegalAction, match="seat 2 must follow Goblins: it holds G8"):
        state.play(card("U1"))
    assert not state.can_play(card("U1"))
    assert not state.can_play(card("K9"))  # known to hold Goblins, whatever else it holds
    assert state.can_play(card("X2"))
    assert state.can_play(card("G7"))
    assert state.choices() == [
        index
        for index in range(CARDS)
        if FACTION_OF[index] in (GOBLINS, DOPPELGANGERS) and index != card("G5")
    ]


def test_the_director_lets_a_revoke_stand():
    state = begin("GKUWX", "G5|G8 X2 U1", "U7 W2 K6")
    state.turn_up()
    state.play(card("G5"))
    action = state.play(card("U1"), irregular=True)
    assert action.irregular
    state.draw()
    assert state.history[0].irregular == (1,)
    state.turn_up()
    state.play(card("K2"))
    assert state.can_play(card("G8"))
    again = begin("GKUWX", "G5|G8 X2 U1", "U7 W2 K6")
    for action in state.log:
        again.repeat(action)
    assert again.log == state.log
    # Without the director's decision the log is refused.
    again = begin("GKUWX", "G5|G8 X2 U1", "U7 W2 K6")
    for action in state.log[:2]:
        again.repeat(action)
    with pytest.raises(IllegalAction, match="must follow"):
        again.repeat(state.log[2]._replace(irregular=False))


def test_a_revoke_comes_to_light():
    state = Machine(Setup("GKUWX"))
    for name in ("U7", "G5", "U1"):
        state.apply(card(name))
    state.draw()
    state.turn_up(card("W1"))
    state.play(card("W2"))
    assert card("G9") not in state.choices()
    with pytest.raises(IllegalAction, match="seat 2 did not follow Goblins in trick 1") as no:
        state.play(card("G9"))
    assert no.value.revoked_in == 1
    with pytest.raises(IllegalAction):
        state.play(card("G9"), irregular=True)
    # What the game must be told if the director lets the first play stand.
    again = Machine(state.setup)
    for action in state.log:
        again.repeat(action._replace(irregular=action.card == card("U1")))
    assert again.can_play(card("G9"))


def test_a_waived_revoke_proves_nothing():
    state = Machine(Setup("GKUWX"))
    state.turn_up(card("U7"))
    state.play(card("G5"))
    state.play(card("U1"), irregular=True)
    state.draw()
    state.turn_up(card("W1"))
    state.play(card("G6"))
    state.play(card("U2"))
    state.draw()
    state.turn_up(card("W9"))
    state.play(card("W8"))
    with pytest.raises(IllegalAction, match="in trick 2"):
        state.play(card("G9"))


def test_a_void_of_phase_1_does_not_last():
    setup = Setup("GKUWX")
    state, _, _ = finished(setup, 5)
    blank = Machine(setup)
    for action in state.log:
        blank.repeat(action)
        if blank.phase == 2:
            break
    assert blank.voids == [0, 0]


def test_cards_that_cannot_be_there():
    state = begin("GKUWX", "G5|G8", "U7 _ W9")
    for name, why in (
        ("U6", "the pile's next card is U7"),
        ("W9", "the pile's next card is U7"),
    ):
        with pytest.raises(IllegalAction, match=why):
            state.turn_up(card(name))
    state.turn_up()
    for name, why in (
        ("G8", "G8 has shown up already"),
        ("W9", "W9 has shown up already"),
        ("T3", "Trolls are not in this deck"),
    ):
        with pytest.raises(IllegalAction, match=why):
            state.play(card(name))
    for number in (-1, CARDS, 1000):
        with pytest.raises(IllegalAction, match="no such card"):
            state.play(number)
    with pytest.raises(IllegalAction, match="must be named"):
        state.play(UNKNOWN)
    state.play(card("G5"))
    state.play(card("G8"))
    with pytest.raises(IllegalAction, match="G5 has shown up already"):
        state.draw(card("G5"))
    assert state.draw(card("W2")).card == card("W2")


def test_a_known_hand_holds_no_other_card():
    setup = Setup("GKUWX")
    hands, pile = deal(setup, Random(3))
    state = Machine(setup, hands, pile)
    state.turn_up()
    with pytest.raises(IllegalAction, match=f"seat 1 does not hold {NAMES[hands[1][0]]}"):
        state.play(hands[1][0])


def test_an_unknown_upcard_must_be_named():
    state = Machine(Setup("GKUWX"))
    with pytest.raises(IllegalAction, match="must be named"):
        state.turn_up()
    assert len(state.choices()) == 8 + 10 + 30
    state.proceed()  # nothing is known, so nothing happens
    assert state.log == []


def test_ten_raccoons_at_most():
    state = begin("GKRUW", "R0 R1 R2 R3 R4|R5 R6 R7 R8 R9", "U1")
    state.turn_up()
    with pytest.raises(IllegalAction, match="ten Raccoons"):
        state.play(card("R10"))
    assert card("R10") not in state.choices()
    assert card("R0") in state.choices()


def test_raccoons_in_the_pile_alone():
    options = {"rulings": {"raccoons": "pile"}}
    with pytest.raises(ValueError, match="R0 belongs in the pile"):
        begin("GKRUW", "R0|", "", **options)
    state = begin("GKRUW", "G5|", "R3", **options)
    state.turn_up()
    with pytest.raises(IllegalAction, match="R7 belongs in the pile"):
        state.play(card("R7"))
    assert not any(FACTION_OF[index] == RACCOONS for index in state.choices())


def test_seers_look():
    state = begin("GKSUW", "S5 S7|U2 U3", "U7 W2 W3 W4 U5 K3")
    state.turn_up()
    state.play(card("S5"))
    state.play(card("U2"))
    assert state.to_act == (Kind.LOOK, 0)
    assert state.choices() == [LEAVE, TAKE]
    with pytest.raises(IllegalAction, match="the pile's next card is W2"):
        state.look(True, card("W9"))
    with pytest.raises(IllegalAction, match="stays hidden"):
        state.look(False, card("W2"))
    with pytest.raises(IllegalAction, match="takes the hidden card or leaves it"):
        state.apply(2)
    left = state.copy()
    assert state.look(True) == (Kind.LOOK, 0, card("W2"), False)
    assert names(state.followers[0]) == "W2"
    assert names(state.followers[1]) == names(state.shown[1]) == "U7"
    assert state.history[0].looked
    assert left.look(False) == (Kind.LOOK, 0, None, False)
    assert left.to_act == (Kind.DRAW, 1)
    left.proceed()
    assert names(left.followers[0]) == "U7"
    assert names(left.followers[1]) == "W2"
    # Nobody knows what was taken.
    blank = begin("GKSUW", "S5|U2", "U7")
    for action in (card("U7"), card("S5"), card("U2"), TAKE):
        blank.apply(action)
    assert blank.followers[0] == [UNKNOWN]


def test_four_players_pick_and_draw():
    setup = Setup("GKASUWX", 4)
    state = Machine(setup)
    for name in ("U7", "W3"):
        state.turn_up(card(name))
    for name in ("S5", "G1", "S7", "U9"):
        state.play(card(name))
    assert state.to_act == (Kind.LOOK, 2)
    state.look(True, card("K9"))
    assert state.to_act == (Kind.PICK, 0)
    assert state.choices() == cards("U7 W3")
    with pytest.raises(IllegalAction, match="seat 1 picks one of the upcards, U7 or W3"):
        state.pick(card("K9"))
    state.pick(card("W3"))
    assert state.to_act == (Kind.DRAW, 1)
    state.draw(card("A4"))
    trick = state.history[0]
    assert trick.ranking == (2, 0, 3, 1)
    assert names(trick.taken) == "W3 A4 K9 U7"
    assert trick.picked == card("W3")
    # An Automaton wins: the next trick is won, all discard.
    for name in ("G0", "G0"):
        state.turn_up(card(name))
    for name in ("A5", "A1", "A2", "A3"):
        state.play(card(name))
    state.pick(card("G0"))
    state.draw(UNKNOWN)
    state.draw(card("U0"))
    assert state.auto
    assert state.leader == 2
    for name in ("W8", "W9"):
        state.turn_up(card(name))
    for seat in (2, 3, 0, 1):
        assert state.to_act == (Kind.DISCARD, seat)
        assert UNKNOWN in state.choices()
        state.discard()
    assert state.to_act == (Kind.PICK, 2)
    state.pick(card("W9"))
    assert state.to_act == (Kind.DRAW, 0)
    state.draw()
    state.draw()
    trick = state.history[-1]
    assert trick.auto
    assert trick.values == ()
    assert trick.ranking == (2, 3, 0, 1)
    assert names(trick.plays) == "_ _ _ _"
    assert not state.auto
    assert state.leader == 2
    state.conserved()


def test_a_known_discard_must_be_named():
    state = begin("GKAUW", "A5 G1|A1 G2", "U7 _ U6")
    for name in ("U7", "A5", "A1", "W1", "U6"):
        state.apply(card(name))
    assert state.to_act == (Kind.DISCARD, 0)
    assert state.can_discard(card("G1"))
    assert state.can_discard()
    assert not state.can_discard(card("G2"))
    setup = Setup("GKAUW", 2)
    known = Machine(setup, *deal(setup, Random(4)))
    rng = Random(4)
    while known.to_act.kind != Kind.DISCARD:
        choices = known.choices()
        known.apply(choices[int(rng.random() * len(choices))])
    with pytest.raises(IllegalAction, match="is known: name the card"):
        known.discard()


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_cards_laid_face_down_may_have_been_others(seats):
    """Those of earlier tricks are with the played cards, the last one may still be in the trick."""
    setup = Setup("GKAUW" if seats == 2 else "GKADSUW", seats)
    moments = set()
    for seed in range(60):
        rng = Random(seed)
        state = Machine(setup, *deal(setup, rng))
        while state.table.trick <= setup.tricks:
            for seat, buried in enumerate(state.buried):
                place = (seat + seats - state.table.leader) % seats
                lies = state.kind == Kind.DISCARD and place < state.table.played
                moment = (state.kind == Kind.DISCARD, lies, len(buried), place - state.table.played)
                if not buried or moment in moments:
                    continue
                moments.add(moment)
                before, trick = state.copy(), [state.table.cards[i] for i in range(seats)]
                others = [c for c in state.hands[(seat + 1) % seats] if c not in buried]
                if len(others) < len(buried):
                    continue
                meant = others[: len(buried)]
                state.rebury(seat, meant)
                assert state.buried[seat] == meant
                now = [state.table.cards[i] for i in range(seats)]
                if lies:
                    trick[place] = meant[-1]
                assert now == trick
                gone = buried_before = before.buried[seat][: len(meant) - lies]
                assert sorted([*state.discards, *gone]) == sorted(
                    [*before.discards, *meant[: len(buried_before)]]
                )
                state = before
            choices = state.choices()
            state.apply(choices[rng.randrange(len(choices))])
    seen = {moment[:3] for moment in moments}
    assert {(True, True, 1), (True, False, 1), (False, False, 1), (False, False, 2)} <= seen


def test_upcards_are_turned_up_together():
    setup = Setup("GKASUWX", 3)
    hands, pile = deal(setup, Random(1))
    state = Machine(setup, hands, pile)
    assert state.can_turn_up(pile[1])
    assert not state.can_turn_up(pile[2])
    copy = state.copy()
    state.turn_up(pile[1])
    assert state.turn_up().card == pile[0]
    assert state.upcards == [pile[1], pile[0]]
    state.conserved()
    assert copy.pile == pile  # which the copy does not notice
    half = Machine(setup, hands, [UNKNOWN, *pile[1:]])
    half.turn_up(pile[0])
    assert half.turn_up().card == pile[1]
    half = Machine(setup, hands, [UNKNOWN, *pile[1:]])
    half.turn_up(pile[1])
    half.turn_up(pile[0])
    half.conserved()


def test_loot_is_chosen():
    setup = Setup("GKRUW", loot=tuple(f"R{value}" for value in range(11)))
    for seed in range(300):
        rng = Random(seed)
        state = Machine(setup, *deal(setup, rng))
        while state.to_act.kind not in (Kind.LOOT, Kind.OVER):
            choices = state.choices()
            state.apply_unchecked(choices[int(rng.random() * len(choices))])
        if state.to_act.kind == Kind.LOOT:
            break
    side = state.to_act.seat
    fewest = state.choices()
    assert len(fewest) > 1
    assert fewest == [f for f in range(17) if state.count.fewest[side] >> f & 1]
    other = next(f for f in range(17) if f not in fewest)
    with pytest.raises(IllegalAction, match=f"side {side + 1} has fewest of .* or "):
        state.choose_loot(other)
    after = state.copy()
    assert after.choose_loot(fewest[-1]) == (Kind.LOOT, side, fewest[-1], False)
    assert after.count.loot_for[side] == fewest[-1]
    assert after.copy().count.loot_for[side] == fewest[-1]
    assert state.to_act == (Kind.LOOT, side)
    play_out(after, rng)
    assert perft(state, 3) >= len(fewest)
    with pytest.raises(IllegalAction, match="the game is over"):
        after.apply(0)


def test_repeat_wants_the_right_action():
    state = Machine(Setup("GKUWX"))
    with pytest.raises(IllegalAction, match="an upcard is to be turned up"):
        state.repeat(Action(Kind.PLAY, 0, card("G5")))
    with pytest.raises(IllegalAction, match="must be named"):
        state.repeat(Action(Kind.TURN_UP, None, None))


def test_quiet_games_return_their_actions():
    setup = Setup("GKUWX")
    state = Machine(setup, *deal(setup, Random(1))).copy(True)
    top = state.pile[0]
    assert state.apply(top) == (Kind.TURN_UP, None, top, False)
    assert state.log == []


# What a Machine refuses ----------------------------------------------------------------


def test_deals_that_do_not_fit():
    setup = Setup("GKUWX")
    hands, pile = deal(setup, Random(1))
    for bad_hands, bad_pile, why in (
        (hands[:1], pile, "there are 2 hands, not 1"),
        ([hands[0][1:], hands[1]], pile, "seat 1 holds 13 cards, not 12"),
        (hands, pile[1:], "the pile has 26 cards, not 25"),
        ([hands[0], hands[0]], None, "has shown up already"),
        (hands, hands[0] + hands[1], "has shown up already"),
        ([[card("T3"), *hands[0][1:]], hands[1]], None, "Trolls are not in this deck"),
        ([[-1, *hands[0][1:]], hands[1]], None, "no such card"),
        ([[CARDS, *hands[0][1:]], hands[1]], None, "no such card"),
    ):
        with pytest.raises(ValueError, match=why):
            Machine(setup, bad_hands, bad_pile)


def test_lost_cards_are_noticed():
    setup = Setup("GKUWX")

    def spoilt(spoil):
        state, _, _ = finished(setup, 2)
        state.conserved()
        spoil(state)
        with pytest.raises(CardsLost):
            state.conserved()

    spoilt(lambda state: state.piles[0].pop())
    spoilt(lambda state: state.piles[0].append(state.piles[0][0]))
    spoilt(lambda state: state.piles[0].append(state.piles[1].pop()))

    def exchange(state):
        state.piles[0][0] = state.piles[0][1]

    spoilt(exchange)

    def forget(state):
        state.discards[0] = UNKNOWN

    spoilt(forget)
    setup = Setup("GKRUX", 2)

    def unused(state):
        for place in (state.discards, *state.piles):
            for i, index in enumerate(place):
                if FACTION_OF[index] == RACCOONS:
                    state.left[index] += 1
                    place[i] = UNKNOWN
                    return

    spoilt(unused)
