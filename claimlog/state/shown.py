"""The cards of a game in progress, by name: which lie where, and what is due."""

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
    """The cards of a game in progress, what is due, and what the position is worth."""

    _setup: Setup
    _machine: Machine

    def value(self, effort: int | None = None) -> Bounds:
        """The value of a position of Phase 2: result and factions under best play.

        With two and four players it is that of side 1 (with four, all hands are open); with three,
        what the seat to play can secure.  `effort` is the maximum number of positions searched; if
        that is too few, the bounds differ.  Raises `UnanswerableError` (a ValueError).

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
        """The values of this position and of those after it (`claimlog.solve.value.Values`).

        Passing a `search` that was used before saves creating a new one.  With three players the
        values are those of `seat`, by default of the seat to play.  With `redeal` all hands are
        redealt, as if the draw pile had been in a different order.  Raises `UnanswerableError`.
        """
        # Imported here because a phone that records has no use for it.
        from claimlog.solve.value import EFFORT, Values

        return Values(self._machine, effort or EFFORT, search, seat, redeal)

    @property
    def setup(self) -> Setup:
        """What was agreed: deck, rule set, rulings, leader, loot."""
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
        """Whether everything has been played and scored."""
        return bool(self._machine.kind == Kind.OVER)

    @property
    def trick(self) -> int:
        """The number of the current trick, from 1; at the end, that of the last trick."""
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
        """Whether an Automaton has already won the current trick."""
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
        """The Trolls left lying on the table, in the order in which they will be taken."""
        return names_of(self._machine.trolls)

    @property
    def pile(self) -> list[str]:
        """The draw pile from the top, ``"_"`` for an unknown card."""
        return [name_of(card) or UNSEEN for card in self._machine.pile]

    @property
    def pile_left(self) -> int:
        """The number of cards left in the draw pile."""
        return self._machine.pile_left

    def hand(self, seat: Seat) -> list[str]:
        """The cards in a seat's hand, ascending, then ``"_"`` for each unknown one."""
        at = self._at(seat)
        return names_of(self._machine.hands[at]) + [UNSEEN] * self._machine.unknown[at]

    def score_pile(self, seat: Seat) -> list[str]:
        """A seat's score pile, in the order in which the cards were added."""
        return names_of(self._machine.piles[self._at(seat)])

    def gnomes(self, seat: Seat) -> list[str]:
        """The Gnomes that lie open in front of a seat."""
        return names_of(self._machine.displays[self._at(seat)])

    def count(self, side: Side, faction: str) -> int:
        """The number of a faction's cards (a letter) that a side has won, open Gnomes included."""
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
