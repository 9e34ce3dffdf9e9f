"""What one seat may know of a game: a policy is given a `View`, never the `State`."""

from __future__ import annotations

from random import Random

from claimlog.cards import CARDS, FACTION_OF, RACCOONS, RACCOONS_USED, UNKNOWN
from claimlog.rules.powers import griffins
from claimlog.rules.setup import Setup, side_of
from claimlog.rules.state import Kind, State, shuffle

__all__ = ["View"]


class View:
    """A `State` as one of its seats sees it.

    The seat sees its own cards and all that lies open; it remembers every card that lay
    open once, also the upcards that others took.  Others' hands and draws, the pile and
    what others discarded face down stay hidden.  All of it is to read, not to write.
    """

    __slots__ = ("_state", "deck", "seat", "seats", "setup", "side", "sides")

    def __init__(self, state: State, seat: int) -> None:
        self._state = state
        self.seat = seat
        self.setup: Setup = state.setup
        self.deck = state.deck
        self.seats = state.seats
        self.sides = state.sides
        self.side = side_of(seat, state.seats)

    @property
    def kind(self) -> int:
        """What is to be done, a `Kind` as a plain integer."""
        return self._state.kind

    @property
    def trick(self) -> int:
        """The number of the current trick, from 1."""
        return self._state.table.trick

    @property
    def late(self) -> bool:
        """Whether this is Phase 2."""
        return self._state.table.trick > self._state.phase_tricks

    @property
    def leader(self) -> int:
        """The seat that leads the current trick."""
        return self._state.table.leader

    @property
    def played(self) -> int:
        """How many cards have been played to the current trick."""
        return self._state.table.played

    @property
    def hand(self) -> list[int]:
        """The seat's own hand, ascending."""
        return self._state.hands[self.seat]

    @property
    def followers(self) -> list[int]:
        """The seat's own followers."""
        return self._state.followers[self.seat]

    @property
    def upcards(self) -> list[int]:
        """The upcards."""
        return self._state.upcards

    @property
    def plays(self) -> list[int]:
        """The cards played to the current trick, `UNKNOWN` for those laid face down."""
        state = self._state
        return [UNKNOWN] * state.table.played if state.table.auto else state.plays

    @property
    def hidden(self) -> int:
        """The pile's top card for a seat that may look at it, otherwise `UNKNOWN`."""
        state = self._state
        if state.kind == Kind.LOOK and state.actor == self.seat:
            return state.pile[0]
        return UNKNOWN

    @property
    def pile_left(self) -> int:
        """How many cards are left in the draw pile."""
        return self._state.pile_left

    def hand_size(self, seat: int) -> int:
        """How many cards a seat holds."""
        return len(self._state.hands[seat]) + self._state.unknown[seat]

    def shown(self, seat: int) -> list[int]:
        """Cards that a seat's followers, or later its hand, are known to hold."""
        return self._state.shown[seat]

    def void(self, seat: int, faction: int) -> bool:
        """Whether a seat has shown that its hand holds none of `faction`."""
        return bool(self._state.voids[seat] >> faction & 1)

    def unseen(self) -> bytearray:
        """How many copies of each card this seat has not seen, by card."""
        return self._state.unseen(self.seat)

    def score_pile(self, seat: int) -> list[int]:
        """A seat's score pile."""
        return self._state.piles[seat]

    def display(self, seat: int) -> list[int]:
        """A seat's open Gnomes."""
        return self._state.displays[seat]

    def trolls(self) -> list[int]:
        """The Trolls left lying."""
        return self._state.trolls

    def cards_of(self, side: int, faction: int) -> int:
        """How many cards of `faction` a side has won so far."""
        return self._state.cards_of(side, faction)

    def bonus(self, card: int) -> int:
        """What a Griffin would add to `card`, played by this seat now."""
        return griffins(self._state.table, self.seat, card) if self.late else 0

    def outcome(self) -> tuple[list[float], list[int]] | None:
        """Shares of the win and votes by side, of a finished game; None before that."""
        state = self._state
        if state.kind != Kind.OVER or state.count is None:
            return None
        winners = [state.count.share[side] for side in range(self.sides)]
        total = sum(winners)
        votes = [state.count.votes[side] for side in range(self.sides)]
        return [winner / total for winner in winners], votes

    def after(self, choice: int) -> View:
        """The view after this seat has made a choice, and nothing more."""
        state = self._state.copy(True)
        state.apply_unchecked(choice)
        return View(state, self.seat)

    def imagine(self, rng: Random) -> State:
        """A game that may be this one: what the seat has not seen is dealt at random.

        Hands agree with what seats did not follow, as far as a few attempts can do it.
        """
        state = self._state.copy(True)
        seat = self.seat
        cards: list[int] = []
        unused: list[int] = []
        unseen = state.unseen(seat)
        for card in range(CARDS):
            if unseen[card]:
                cards += [card] * unseen[card]
        if self.hidden != UNKNOWN:
            cards.remove(self.hidden)
        shuffle(cards, rng)
        if state.deck >> RACCOONS & 1:
            raccoons = [card for card in cards if FACTION_OF[card] == RACCOONS]
            unused = raccoons[: 14 - RACCOONS_USED]
            for card in unused:
                cards.remove(card)
        hands = self._deal_hands(state, cards, rng)
        for other in range(self.seats):
            if other == seat:
                continue
            state.unknown[other] = 0
            if self.late:
                state.hands[other] = sorted(state.shown[other] + hands[other])
            else:
                state.hands[other] = sorted(hands[other])
                drawn = len(state.followers[other]) - len(state.shown[other])
                state.followers[other] = state.shown[other] + [cards.pop() for _ in range(drawn)]
            state.rebury(other, [cards.pop() for _ in state.buried[other]])
        for i in range(len(state.drawn)):
            state.drawn[i] = cards.pop()
            state.hidden = state.drawn[0]
        pile = state._pile[: state._top]
        if self.hidden != UNKNOWN:
            pile.append(self.hidden)
        state._pile = pile + cards
        for card in range(CARDS):
            state.left[card] = unused.count(card)
        state.raccoons = RACCOONS_USED if unused else 0
        return state

    def _deal_hands(self, state: State, cards: list[int], rng: Random) -> list[list[int]]:
        """Take the hidden cards of the other hands out of `cards`, shuffled."""
        wanted = [0] * self.seats
        barred = list(state.voids)
        for other in range(self.seats):
            if other != self.seat:
                wanted[other] = self.hand_size(other)
                if self.late:
                    wanted[other] -= len(state.shown[other])
                elif self.setup.rulings["raccoons"] == "pile":
                    barred[other] |= 1 << RACCOONS
        # Those who lack most factions take first.
        order = sorted(range(self.seats), key=lambda other: -barred[other].bit_count())
        hands: list[list[int]] = []
        rest: list[int] = []
        for attempt in range(5):
            rest = cards[:]
            hands = [[] for _ in range(self.seats)]
            for other in order:
                hand = hands[other]
                i = len(rest) - 1
                while i >= 0 and len(hand) < wanted[other]:
                    if not barred[other] >> FACTION_OF[rest[i]] & 1 or attempt == 4:
                        hand.append(rest.pop(i))
                    i -= 1
            if sum(map(len, hands)) == sum(wanted):
                break
            shuffle(cards, rng)
        cards[:] = rest
        return hands
