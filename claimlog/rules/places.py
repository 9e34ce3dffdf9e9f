"""Where each card of a game in progress is, as far as known.

Compiled (``places.pxd``) or interpreted from this one source.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from claimlog.cards import (
    CARDS,
    COPIES,
    FACTION_COUNT,
    FACTION_OF,
    FACTIONS,
    GNOMES,
    NAMES,
    RACCOONS,
    RACCOONS_USED,
    UNKNOWN,
    VALUE_ROOM,
)
from claimlog.rules.actions import Action, Kind, Trick
from claimlog.rules.scoring import Count
from claimlog.rules.setup import Setup
from claimlog.rules.table import Table, cards_won, copy_table, set_table

__all__ = ["CardsLost", "Places"]

_TURN_UP, _PLAY, _DISCARD = int(Kind.TURN_UP), int(Kind.PLAY), int(Kind.DISCARD)
_NOBODY = -1


class CardsLost(AssertionError):  # noqa: N818
    """A card of the deck is missing, or in two places."""


class Places:
    """A game in progress: where its cards are, and whose turn it is.

    `hands` and `pile` are the deal, with `UNKNOWN` for unknown cards; None means that nothing is
    known about them.  The pile is listed from the top.  A `quiet` game keeps no log, no history and
    no reasons.  Raises ValueError if the deal does not fit the setup.

    Attributes to read, not to write:

    - `hands`: known cards in each hand, ascending, and `unknown`: how many more it has.
    - `followers`: what each seat took in Phase 1, `UNKNOWN` included; empty in Phase 2,
      when they have become the hands.
    - `shown`: each seat's followers (later its hand cards) that everybody has seen.
    - `piles`: each score pile in order; `displays`: each seat's open Gnomes.  At the end
      these join the piles.
    - `upcards`, `drawn` (hidden cards on their way to the followers), `discards`,
      `buried` (the discards that each seat laid face down), `removed` as (seat, Gnome).
    - `log`: every `Action` so far; `history`: every finished `Trick`.
    - `count`: the `Count` of a finished game, otherwise None (while loot is being chosen
      it is gathered, but not decided).
    - `table`: the `Table` underneath.
    """

    def __init__(
        self,
        setup: Setup,
        hands: Sequence[Sequence[int]] | None = None,
        pile: Sequence[int] | None = None,
        quiet: bool = False,
    ) -> None:
        self.setup = setup
        self.seats = setup.seats
        self.phase_tricks = setup.tricks
        self.sides = setup.sides
        self.deck = setup.factions
        self.table = Table()
        self.table.noting = not quiet
        set_table(self.table, setup)
        self.raccoons_in_pile = setup.rulings["raccoons"] == "pile"
        seats = range(setup.seats)
        # Copies of each card that have not been seen in any place yet.
        self.left = bytearray(_copies(self.deck))
        self.raccoons = 0
        # Copies of each card that every player has seen.
        self.seen = bytearray(CARDS)
        self.hands: list[list[int]] = [[] for _ in seats]
        self.unknown = [setup.tricks for _ in seats]
        # Factions that a seat's hand cannot hold because it did not follow them.
        self.voids = [0 for _ in seats]
        self.followers: list[list[int]] = [[] for _ in seats]
        self.shown: list[list[int]] = [[] for _ in seats]
        self.piles: list[list[int]] = [[] for _ in seats]
        self.displays: list[list[int]] = [[] for _ in seats]
        self.buried: list[list[int]] = [[] for _ in seats]
        self.discards: list[int] = []
        self.removed: list[tuple[int, int]] = []
        self.upcards: list[int] = []
        self.drawn: list[int] = []
        self.log: list[Action] = []
        self.history: list[Trick] = []
        self.quiet = quiet
        self.count: Count | None = None
        self.looked = False
        self.hidden = UNKNOWN
        self.pick_at = 0
        self.irregular = False
        self.waived: list[int] = []
        self.kind = _TURN_UP
        self.actor = _NOBODY
        self._pile = [UNKNOWN] * (setup.seats * setup.tricks)
        self._top = 0
        if hands is not None:
            self._take_hands(hands)
        if pile is not None:
            if len(pile) != len(self._pile):
                raise ValueError(f"the pile has {len(self._pile)} cards, not {len(pile)}")
            for card in pile:
                self._locate(card)
            self._pile = list(pile)

    def _take_hands(self, hands: Sequence[Sequence[int]]) -> None:
        if len(hands) != self.seats:
            raise ValueError(f"there are {self.seats} hands, not {len(hands)}")
        for seat, hand in enumerate(hands):
            if len(hand) != self.phase_tricks:
                raise ValueError(
                    f"seat {seat + 1} holds {self.phase_tricks} cards, not {len(hand)}"
                )
            for card in hand:
                self._locate(card)
                if self.raccoons_in_pile and card != UNKNOWN and FACTION_OF[card] == RACCOONS:
                    raise ValueError(f"{NAMES[card]} belongs in the pile, not in a hand")
            self.hands[seat] = sorted([card for card in hand if card != UNKNOWN])
            self.unknown[seat] = hand.count(UNKNOWN)

    def _locate(self, card: int) -> None:
        """Note that a card of the deal is no longer unknown."""
        if card == UNKNOWN:
            return
        if not 0 <= card < CARDS or not self._may_be(card):
            raise ValueError(self._nowhere(card))
        self._reveal(card)

    def _copy_to(self, new: Places, quiet: bool) -> None:
        """Make `new` a copy of this one, except for `count`."""
        new.setup = self.setup
        new.seats = self.seats
        new.phase_tricks = self.phase_tricks
        new.sides = self.sides
        new.deck = self.deck
        new.table = Table()
        copy_table(self.table, new.table)
        if not (quiet or self.quiet):
            new.table.noting = True
            new.table.notes = self.table.notes[:]
        new.raccoons_in_pile = self.raccoons_in_pile
        new.left = bytearray(self.left)
        new.raccoons = self.raccoons
        new.seen = bytearray(self.seen)
        new.hands = [x[:] for x in self.hands]
        new.unknown = self.unknown[:]
        new.voids = self.voids[:]
        new.followers = [x[:] for x in self.followers]
        new.shown = [x[:] for x in self.shown]
        new.piles = [x[:] for x in self.piles]
        new.displays = [x[:] for x in self.displays]
        new.buried = [x[:] for x in self.buried]
        new.discards = self.discards[:]
        new.removed = self.removed[:]
        new.upcards = self.upcards[:]
        new.drawn = self.drawn[:]
        new.quiet = quiet or self.quiet
        new.log = [] if new.quiet else self.log[:]
        new.history = [] if new.quiet else self.history[:]
        new.looked = self.looked
        new.hidden = self.hidden
        new.pick_at = self.pick_at
        new.irregular = self.irregular
        new.waived = self.waived[:]
        new.kind = self.kind
        new.actor = self.actor
        new._pile = self._pile
        new._top = self._top

    # Reading ------------------------------------------------------------------------

    @property
    def trick(self) -> int:
        """The number of the current trick, from 1; at the end that of the last."""
        return self.table.trick

    @property
    def phase(self) -> int:
        """The phase of the current trick, 1 or 2."""
        return 1 if self.table.trick <= self.phase_tricks else 2

    @property
    def auto(self) -> bool:
        """Whether an Automaton won the current trick in advance."""
        return bool(self.table.auto)

    @property
    def leader(self) -> int:
        """The seat that leads the current trick."""
        return self.table.leader

    @property
    def winner(self) -> int | None:
        """The seat that won the current trick, None while that is open."""
        return None if self.kind in (_TURN_UP, _PLAY, _DISCARD) else self.table.winner

    @property
    def plays(self) -> list[int]:
        """The cards played to the current trick, the leader's first."""
        return [self.table.cards[i] for i in range(self.table.played)]

    @property
    def lying(self) -> list[int]:
        """The cards lying in the current trick; empty once they have been moved away."""
        return self.plays if self.kind in (_PLAY, _DISCARD) else []

    @property
    def trolls(self) -> list[int]:
        """The Trolls left lying, in the order in which they will be taken."""
        return [self.table.trolls[i] for i in range(self.table.waiting)]

    @property
    def pile(self) -> list[int]:
        """What is left of the draw pile, from the top."""
        return self._pile[self._top :]

    @property
    def pile_left(self) -> int:
        """How many cards are left in the draw pile."""
        return len(self._pile) - self._top

    def cards_of(self, side: int, faction: int) -> int:
        """How many cards of `faction` a side has won so far, open Gnomes included."""
        return cards_won(self.table, side, faction)

    def values_of(self, seat: int, faction: int) -> int:
        """The values of `faction` in a seat's score pile, as a set (bit ``1 << value``)."""
        return self.table.mask[seat * FACTION_COUNT + faction]

    def unseen(self, seat: int) -> bytearray:
        """The number of copies of each card in the deck that `seat` has not seen, by card.

        It has seen open cards, its own cards and those it laid face down itself.
        """
        unseen = bytearray(_copies(self.deck))
        seen = self.seen
        for card in range(CARDS):
            if seen[card]:
                unseen[card] -= seen[card]
        for card in self.shown[seat]:
            unseen[card] += 1  # both seen and its own
        for card in self.hands[seat]:
            unseen[card] -= 1
        for card in self.followers[seat]:
            if card != UNKNOWN:
                unseen[card] -= 1
        for card in self.buried[seat]:
            if card != UNKNOWN:
                unseen[card] -= 1
        return unseen

    def _may_be(self, card: int) -> bool:
        """Whether an unknown card may be `card`."""
        return self.left[card] > 0 and (
            FACTION_OF[card] != RACCOONS or self.raccoons < RACCOONS_USED
        )

    def _nowhere(self, card: int) -> str:
        """Why an unknown card cannot be `card`."""
        if not 0 <= card < CARDS:
            return "there is no such card"
        if not self.deck >> FACTION_OF[card] & 1:
            return f"{FACTIONS[FACTION_OF[card]].name} are not in this deck"
        if FACTION_OF[card] == RACCOONS and self.left[card]:
            return f"ten Raccoons have shown up already, {NAMES[card]} is not among them"
        return f"{NAMES[card]} has shown up already"

    def _reveal(self, card: int) -> None:
        """Note that an unknown card turned out to be `card`."""
        self.left[card] -= 1
        if FACTION_OF[card] == RACCOONS:
            self.raccoons += 1

    def _from_pile(self, card: int, others: int) -> int:
        """Take the top card, which is `card` as far as known, off the pile; return what it is.

        If it turns out to be one of the next `others`, the two change places.
        """
        at = self._top
        top: int = self._pile[at]
        if card != UNKNOWN and card != top:
            ahead = self._pile[at : at + 1 + others]
            self._pile = self._pile[:]  # copies share it
            if card in ahead:
                self._pile[at + ahead.index(card)] = top
            else:
                self._reveal(card)
                self._pile[at + ahead.index(UNKNOWN)] = top
            top = card
        self._top = at + 1
        return top

    def _from_hand_of(self, seat: int, card: int) -> None:
        """Take `card` out of a hand."""
        hand = self.hands[seat]
        if card in hand:
            hand.remove(card)
            return
        self.unknown[seat] -= 1
        if card != UNKNOWN:
            self._reveal(card)
            self.voids[seat] &= ~(1 << FACTION_OF[card])

    # Checks ------------------------------------------------------------------------------

    def places(self) -> dict[str, list[int]]:
        """All cards of the deck by place, `UNKNOWN` for unknown ones.

        The four unused Raccoons are in no place.
        """
        seats = range(self.seats)
        places = {
            "upcards": self.upcards[:],
            "lying": self.lying,
            "pile": self.pile,
            "drawn": self.drawn[:],
            "discards": self.discards[:],
            "trolls": self.trolls,
            "removed": [card for _, card in self.removed],
        }
        for seat in seats:
            places[f"hand {seat + 1}"] = self.hands[seat] + [UNKNOWN] * self.unknown[seat]
            places[f"followers {seat + 1}"] = self.followers[seat][:]
            places[f"pile {seat + 1}"] = self.piles[seat][:]
            places[f"display {seat + 1}"] = self.displays[seat][:]
        return places

    def conserved(self) -> None:
        """Check that every card of the deck is in exactly one place.

        Also checks that the table's counts agree with the score piles.  Raises CardsLost.
        """
        cards = [card for place in self.places().values() for card in place]
        dealt = 2 * self.seats * self.phase_tricks
        if len(cards) != dealt:
            raise CardsLost(f"{len(cards)} cards, not {dealt}")
        for card in range(CARDS):
            copies = COPIES[card] if self.deck >> FACTION_OF[card] & 1 else 0
            found = cards.count(card)
            if found + self.left[card] != copies:
                raise CardsLost(
                    f"{NAMES[card]}: {found} found, {self.left[card]} left, {copies} exist"
                )
        if sum(FACTION_OF[card] == RACCOONS for card in cards if card != UNKNOWN) != self.raccoons:
            raise CardsLost("Raccoons")
        unused = 4 if self.deck >> RACCOONS & 1 else 0
        if cards.count(UNKNOWN) + unused != sum(self.left):
            raise CardsLost(f"{cards.count(UNKNOWN)} unknown cards, {sum(self.left)} left")
        for seat in range(self.seats):
            factions = [FACTION_OF[c] for c in self.piles[seat] + self.displays[seat]]
            k = seat * VALUE_ROOM
            shown = sum([self.table.display[k + value] for value in range(VALUE_ROOM)])
            for faction in range(FACTION_COUNT):
                counted = self.table.count[seat * FACTION_COUNT + faction]
                if faction == GNOMES:
                    counted += shown
                if counted != factions.count(faction):
                    raise CardsLost(f"{FACTIONS[faction].name} of seat {seat + 1}")


@cache
def _copies(deck: int) -> bytes:
    """The number of copies of each card in a deck."""
    return bytes([COPIES[card] if deck >> FACTION_OF[card] & 1 else 0 for card in range(CARDS)])
