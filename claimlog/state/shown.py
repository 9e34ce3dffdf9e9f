"""What stands where in a game in progress, by names."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from claimlog.game import Seat, Side
from claimlog.rules.actions import Kind
from claimlog.rules.machine import Machine
from claimlog.rules.outcome import name_of, names_of
from claimlog.rules.setup import Setup, side_of
from claimlog.state.entries import KINDS, UNSEEN, Turn, number_of, to_faction

if TYPE_CHECKING:
    from claimlog.evaluation import Bounds
    from claimlog.solve.open_hands import OpenHands
    from claimlog.solve.search import Search
    from claimlog.solve.value import Values
__all__ = ["Shown"]


class Shown:
    """The cards of a game in progress, what is due and what it is worth."""

    _setup: Setup
    _machine: Machine

    def value(self, effort: int | None = None) -> Bounds:
        """What a position of Phase 2 is worth: the result and factions under best play.

        With two and four players that of side 1, with four all hands open; with three what the
        seat to play can secure.  `effort` is how many positions are looked at at most; where that
        is too few the bounds differ.  Raises `UnanswerableError` (a ValueError).

        >>> from claimlog import read_games
        >>> from claimlog import State
        >>> State.from_game(next(read_games("data/sample.clm")), trick=20).value().report()
        {'result': '0-1', 'factions': [2, 3]}
        """
        return self.values(effort).value()

    def values(
        self,
        effort: int | None = None,
        search: Search | OpenHands | None = None,
        seat: Seat | None = None,
        redeal: Random | None = None,
    ) -> Values:
        """The values of this position and of those behind it (`claimlog.solve.value.Values`).

        A `search` that was used before saves the making of a new one.  With three players they
        are those of `seat`, by default of who plays next.  With `redeal` all hands are redealt, as
        if the draw pile had been in another order.  Raises `UnanswerableError`.
        """
        # Here, for a phone that records has no use for it.
        from claimlog.solve.value import EFFORT, Values

        return Values(self._machine, effort or EFFORT, search, seat, redeal)

    @property
    def setup(self) -> Setup:
        """What was agreed: deck, rule set, rulings, who leads, loot."""
        return self._setup

    @property
    def seats(self) -> int:
        """The number of seats."""
        return self._setup.seats

    @property
    def deck(self) -> str:
        """The letters of the factions in the deck."""
        return self._setup.deck

    @property
    def to_act(self) -> Turn:
        """What is due, and who is to act."""
        kind, seat = self._machine.to_act
        return Turn(KINDS[kind], None if seat is None else seat + 1)

    @property
    def over(self) -> bool:
        """Whether all has been played, and counted."""
        return bool(self._machine.kind == Kind.OVER)

    @property
    def trick(self) -> int:
        """The number of the current trick, from 1; at the end that of the last."""
        return self._machine.trick

    @property
    def decided(self) -> int:
        """How many tricks have been won."""
        choosing = self._machine.kind in (Kind.LOOK, Kind.PICK, Kind.DRAW)
        return len(self._machine.history) + choosing

    @property
    def phase(self) -> int:
        """The phase of the current trick, 1 or 2."""
        return self._machine.phase

    @property
    def auto(self) -> bool:
        """Whether an Automaton won the current trick beforehand."""
        return self._machine.auto

    @property
    def leader(self) -> Seat:
        """The seat that leads the current trick."""
        return self._machine.leader + 1

    @property
    def plays(self) -> list[tuple[Seat, str]]:
        """The seats and cards of the current trick, as long as it lies on the table."""
        table = self._machine.table
        return [
            (table.seat_of(i) + 1, name_of(card) or UNSEEN)
            for i, card in enumerate(self._machine.lying)
        ]

    @property
    def upcards(self) -> list[str]:
        """The upcards that have not been taken."""
        return names_of(self._machine.upcards)

    @property
    def waiting(self) -> list[str]:
        """The Trolls left lying, in the order in which they will be taken."""
        return names_of(self._machine.trolls)

    @property
    def pile(self) -> list[str]:
        """The draw pile from its top, ``"_"`` for a card that nobody knows."""
        return [name_of(card) or UNSEEN for card in self._machine.pile]

    @property
    def pile_left(self) -> int:
        """How many cards are left in the draw pile."""
        return self._machine.pile_left

    def hand(self, seat: Seat) -> list[str]:
        """The cards in a seat's hand, ascending, ``"_"`` for each that is not known."""
        at = self._at(seat)
        return names_of(self._machine.hands[at]) + [UNSEEN] * self._machine.unknown[at]

    def score_pile(self, seat: Seat) -> list[str]:
        """A seat's score pile, in the order in which it grew."""
        return names_of(self._machine.piles[self._at(seat)])

    def gnomes(self, seat: Seat) -> list[str]:
        """The Gnomes that lie open before a seat."""
        return names_of(self._machine.displays[self._at(seat)])

    def count(self, side: Side, faction: str) -> int:
        """How many cards of a faction (a letter) a side has won so far, open Gnomes included."""
        if not 1 <= number_of(side, "a side") <= self._setup.sides:
            raise ValueError(f"there is no side {side}")
        return self._machine.cards_of(side - 1, to_faction(faction))

    def side(self, seat: Seat) -> Side:
        """The side of a seat."""
        return side_of(self._at(seat), self.seats) + 1

    def _at(self, seat: Seat) -> int:
        if not 1 <= number_of(seat, "a seat") <= self.seats:
            raise ValueError(f"seat {seat} is not at this table")
        return seat - 1
