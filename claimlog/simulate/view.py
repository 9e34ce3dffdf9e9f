"""What one seat may know about a game: policies get a `PolicyView`, never the `Machine`.

Compiled (``view.pxd``) or interpreted from this one source.
"""

from __future__ import annotations

from random import Random

from claimlog.cards import CARDS, FACTION_COUNT, FACTION_OF, FACTIONS, RACCOONS_USED, UNKNOWN
from claimlog.rules.actions import Kind
from claimlog.rules.dealing import shuffle
from claimlog.rules.machine import Machine
from claimlog.rules.powers import griffins
from claimlog.rules.setup import LOOTING, side_of
from claimlog.rules.table import Table, cards_won, copy_table
from claimlog.solve.search import Search
from claimlog.solve.value import Values

__all__ = ["PolicyView"]


class PolicyView:
    """A `Machine` as one of its seats sees it.

    The seat sees its own cards and all open cards; it remembers every card that was open once,
    including the upcards that others took.  The hands and draws of others, the pile and their
    face-down discards stay hidden.  Everything is to be read, not written.
    """

    def __init__(self, machine: Machine, seat: int) -> None:
        self._machine = machine
        self._scratch: Table | None = None
        self.seat = seat
        self.setup = machine.setup
        self.deck = machine.deck
        self.seats = machine.seats
        self.sides = machine.sides
        self.side = side_of(seat, machine.seats)

    @property
    def kind(self) -> int:
        """The kind of action due, a `Kind` as a plain integer."""
        return self._machine.kind

    @property
    def trick(self) -> int:
        """The number of the current trick, from 1."""
        return self._machine.table.trick

    @property
    def late(self) -> bool:
        """Whether this is Phase 2."""
        return self._machine.table.trick > self._machine.phase_tricks

    @property
    def leader(self) -> int:
        """The seat that leads the current trick."""
        return self._machine.table.leader

    @property
    def played(self) -> int:
        """The number of cards played to the current trick."""
        return self._machine.table.played

    @property
    def hand(self) -> list[int]:
        """The seat's own hand, ascending."""
        return self._machine.hands[self.seat]

    @property
    def followers(self) -> list[int]:
        """The seat's own followers."""
        return self._machine.followers[self.seat]

    @property
    def upcards(self) -> list[int]:
        """The upcards."""
        return self._machine.upcards

    @property
    def plays(self) -> list[int]:
        """The cards played to the current trick, `UNKNOWN` for those laid face down."""
        machine = self._machine
        return [UNKNOWN] * machine.table.played if machine.table.auto else machine.plays

    @property
    def hidden(self) -> int:
        """The pile's top card for a seat that may look at it, otherwise `UNKNOWN`."""
        machine = self._machine
        if machine.kind == Kind.LOOK and machine.actor == self.seat:
            return machine.pile[0]
        return UNKNOWN

    @property
    def pile_left(self) -> int:
        """The number of cards left in the draw pile."""
        return self._machine.pile_left

    def hand_size(self, seat: int) -> int:
        """The number of cards a seat holds."""
        return len(self._machine.hands[seat]) + self._machine.unknown[seat]

    def shown(self, seat: int) -> list[int]:
        """The cards known to be among a seat's followers, or later in its hand."""
        return self._machine.shown[seat]

    def void(self, seat: int, faction: int) -> bool:
        """Whether a seat has shown that it holds no card of `faction`."""
        return bool(self._machine.voids[seat] >> faction & 1)

    def unseen(self) -> bytearray:
        """The number of copies of each card that this seat has not seen, by card."""
        return self._machine.unseen(self.seat)

    def score_pile(self, seat: int) -> list[int]:
        """A seat's score pile."""
        return self._machine.piles[seat]

    def display(self, seat: int) -> list[int]:
        """A seat's open Gnomes."""
        return self._machine.displays[seat]

    def trolls(self) -> list[int]:
        """The Trolls left lying."""
        return self._machine.trolls

    def cards_of(self, side: int, faction: int) -> int:
        """The number of cards of `faction` that a side has won so far."""
        return self._machine.cards_of(side, faction)

    def standings(self) -> list[int]:
        """By faction how many more cards this side has won than its best opponent."""
        return self._standings(self._machine.table)

    def standings_after(self, card: int) -> list[int]:
        """`standings` after this seat plays `card` as the last card of a Phase 2 trick."""
        if self._scratch is None:
            self._scratch = Table()
        table = self._scratch
        copy_table(self._machine.table, table)
        table.play(card)
        table.settle()
        return self._standings(table)

    def _standings(self, table: Table) -> list[int]:
        leads = [0] * FACTION_COUNT
        for faction in range(FACTION_COUNT):
            if self.deck >> faction & 1:
                most = 0
                for side in range(self.sides):
                    if side != self.side:
                        most = max(most, cards_won(table, side, faction))
                leads[faction] = cards_won(table, self.side, faction) - most
        return leads

    def bonus(self, card: int) -> int:
        """The bonus of a Griffin for `card` if this seat plays it now."""
        return griffins(self._machine.table, self.seat, card) if self.late else 0

    def outcome(self) -> tuple[list[float], list[int]] | None:
        """Shares of the win and votes by side, for a finished game; None before that."""
        machine = self._machine
        if machine.kind != Kind.OVER or machine.count is None:
            return None
        winners = [machine.count.share[side] for side in range(self.sides)]
        total = sum(winners)
        votes = [machine.count.votes[side] for side in range(self.sides)]
        return [winner / total for winner in winners], votes

    def after(self, choice: int) -> PolicyView:
        """The view after this seat has made a choice, and nothing else."""
        machine = self._machine.copy(True)
        machine.apply_unchecked(choice)
        return PolicyView(machine, self.seat)

    def values(self, effort: int, search: Search) -> Values | None:
        """The values of this position of Phase 2 if the seat knows the other hand, else None.

        It does if every card that it has not seen must be there (docs/analysis.md).
        """
        other = 1 - self.seat
        if self.seats != 2 or not self.late:
            return None
        if sum(self.unseen()) != self.hand_size(other) - len(self.shown(other)):
            return None
        return Values(self._machine, effort, search)

    def imagine(self, rng: Random) -> Machine:
        """A game consistent with what the seat knows: unseen cards are dealt at random.

        Hands are consistent with earlier failures to follow, as far as a few attempts achieve it.
        """
        machine = self._machine.copy(True)
        seat = self.seat
        cards: list[int] = []
        unused: list[int] = []
        unseen = machine.unseen(seat)
        for card in range(CARDS):
            if unseen[card]:
                cards += [card] * unseen[card]
        if self.hidden != UNKNOWN:
            cards.remove(self.hidden)
        shuffle(cards, rng)
        if machine.deck >> LOOTING & 1:
            raccoons = [card for card in cards if FACTION_OF[card] == LOOTING]
            unused = raccoons[: FACTIONS[LOOTING].size - RACCOONS_USED]
            for card in unused:
                cards.remove(card)
        hands = self._deal_hands(machine, cards, rng)
        for other in range(self.seats):
            if other == seat:
                continue
            machine.unknown[other] = 0
            if self.late:
                machine.hands[other] = sorted(machine.shown[other] + hands[other])
            else:
                machine.hands[other] = sorted(hands[other])
                drawn = len(machine.followers[other]) - len(machine.shown[other])
                machine.followers[other] = machine.shown[other] + [
                    cards.pop() for _ in range(drawn)
                ]
            machine.rebury(other, [cards.pop() for _ in machine.buried[other]])
        for i in range(len(machine.drawn)):
            machine.drawn[i] = cards.pop()
            machine.hidden = machine.drawn[0]
        pile = machine._pile[: machine._top]
        if self.hidden != UNKNOWN:
            pile.append(self.hidden)
        machine._pile = pile + cards
        for card in range(CARDS):
            machine.left[card] = unused.count(card)
        machine.raccoons = RACCOONS_USED if unused else 0
        return machine

    def _deal_hands(self, machine: Machine, cards: list[int], rng: Random) -> list[list[int]]:
        """Take the hidden cards of the other hands out of the shuffled `cards`."""
        needed = [0] * self.seats
        barred = list(machine.voids)
        for other in range(self.seats):
            if other != self.seat:
                needed[other] = self.hand_size(other)
                if self.late:
                    needed[other] -= len(machine.shown[other])
                elif self.setup.rulings["raccoons"] == "pile":
                    barred[other] |= 1 << LOOTING
        # Seats that lack the most factions take cards first.
        order = sorted(range(self.seats), key=lambda other: -barred[other].bit_count())
        hands: list[list[int]] = []
        rest: list[int] = []
        for attempt in range(5):
            rest = cards[:]
            hands = [[] for _ in range(self.seats)]
            for other in order:
                hand = hands[other]
                i = len(rest) - 1
                while i >= 0 and len(hand) < needed[other]:
                    if not barred[other] >> FACTION_OF[rest[i]] & 1 or attempt == 4:
                        hand.append(rest.pop(i))
                    i -= 1
            if sum(map(len, hands)) == sum(needed):
                break
            shuffle(cards, rng)
        cards[:] = rest
        return hands
