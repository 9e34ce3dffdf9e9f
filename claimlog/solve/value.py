"""The value of positions: an interface to the searches with names of cards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from claimlog.cards import CARDS, NAMES, VALUE_OF, card
from claimlog.evaluation import Bounds, Secured, Value
from claimlog.rules.actions import Kind
from claimlog.rules.dealing import shuffle
from claimlog.rules.setup import side_of
from claimlog.solve.open_hands import OpenHands
from claimlog.solve.search import Search, value_of

if TYPE_CHECKING:
    from random import Random

    from claimlog.rules.machine import Machine

__all__ = ["EFFORT", "UnanswerableError", "Values"]

EFFORT: Final = 10_000_000
"""The default for the most positions to search for one answer."""
FEW: Final = 10_000
"""The positions to search for any answer, whatever the allowance."""


class UnanswerableError(ValueError):
    """The position has no value that can be found; `key` gives the reason.

    "phase-1": only Phase 2 has values.  "seats": not two players, where only two are supported.
    "unknown": a hand is not known.  "effort": with three or four players, even the last tricks
    could not be searched.
    """

    def __init__(self, key: str) -> None:
        super().__init__(_WHY[key])
        self.key = key


_WHY: Final = {
    "phase-1": "only positions of Phase 2 have a value",
    "seats": "only games of two players are analysed here",
    "unknown": "the hands are not known",
    "effort": "the effort ran out in the last trick",
}


def parts_of(value: int) -> tuple[int, int, int]:
    """The share, votes and others of a value of the search (`value_of`)."""
    votes = value % 32
    return value // 1024, votes, votes - (value // 32 % 32 - 16)


def known_hands(machine: Machine) -> list[list[int]] | None:
    """All hands, each ascending; None unless all their cards are known.

    If all other cards of the deck are known, the rest follows by elimination.
    """
    hands = [sorted(hand) for hand in machine.hands]
    if any(machine.unknown):
        left = [one for one in range(CARDS) for _ in range(machine.left[one])]
        seat = next(place for place, number in enumerate(machine.unknown) if number)
        if sum(map(bool, machine.unknown)) > 1 or len(left) != machine.unknown[seat]:
            return None
        hands[seat] = sorted(hands[seat] + left)
    return hands


def redealt_hands(hands: list[list[int]], rng: Random) -> list[list[int]]:
    """The cards of all hands, dealt at random; each hand keeps its size."""
    cards = [one for hand in hands for one in hand]
    shuffle(cards, rng)
    return [sorted(cards.pop() for _ in hand) for hand in hands]


class Values:
    """The values of one game's positions: start anywhere in Phase 2, then `play` on.

    With two and four players they are those of side 1; with four all hands are open.  With three
    they are what `seat` can secure (`Secured`), from 1, by default the one that plays next.
    Results for one position help with later ones.  `effort` is the most positions to search for one
    answer.  `allowance`, if given, is the number left for all answers together; `FEW` are searched
    in any case.  With `redeal` the cards in the hands are redealt.  Raises UnanswerableError.
    """

    def __init__(
        self,
        machine: Machine,
        effort: int = EFFORT,
        search: Search | OpenHands | None = None,
        seat: int | None = None,
        redeal: Random | None = None,
    ) -> None:
        if machine.phase != 2:
            raise UnanswerableError("phase-1")
        hands = known_hands(machine)
        if hands is None:
            raise UnanswerableError("unknown")
        if redeal is not None:
            hands = redealt_hands(hands, redeal)
        self.effort = effort
        self.allowance: int | None = None
        self.seats = machine.setup.seats
        self._ended = machine if machine.kind in (Kind.OVER, Kind.LOOT) else None
        self._lying = [] if self._ended else machine.lying
        self._value = Secured if self.seats == 3 else Value
        self._side = 0
        if self.seats == 3:
            self._side = machine.to_act.seat or 0 if seat is None else seat - 1
        loot = 0
        for name in machine.setup.loot or ():
            loot |= 1 << VALUE_OF[card(name)]
        self._search: Search | OpenHands
        if self.seats == 2:
            self._search = search if isinstance(search, Search) else Search()
            self._search.load(machine.table, hands, loot, self._lying)
        else:
            self._search = search if isinstance(search, OpenHands) else OpenHands()
            self._search.load(machine.table, hands, loot, self._lying, self._side)

    @property
    def seat(self) -> int:
        """The seat that plays next, from 1."""
        return self._search.seat() + 1

    @property
    def over(self) -> bool:
        """Whether all tricks have been played."""
        return self._search.over()

    def hand(self) -> list[str]:
        """The cards of the seat that plays next, ascending."""
        return [NAMES[one] for one in self._search.hand(self._search.seat())]

    def groups(self) -> list[list[str]]:
        """The cards that may be played, in groups of equivalent cards."""
        return [[NAMES[one] for one in group] for group in self._search.same()]

    def value(self) -> Bounds:
        """The value of the position with best play on both sides."""
        if self._ended is not None:
            value = self._ending(self._ended)
            return Bounds(value, value)
        return self._bounds(*self._search.bounds(self._limit))

    def after(self, name: str, known: Bounds | None = None) -> Bounds:
        """The value of the position after a card; `known` is the value before, if known."""
        number = card(name)
        if known is None:
            return self._bounds(*self._search.bounds_of(number, self._limit))
        # No card improves the position for the player.
        if self.wants(self.seat):
            high = value_of(*known.at_most.parts)
            return self._bounds(*self._search.bounds_of(number, self._limit, high=high))
        low = value_of(*known.at_least.parts)
        return self._bounds(*self._search.bounds_of(number, self._limit, low=low))

    def wants(self, seat: int) -> bool:
        """Whether a seat, from 1, belongs to the side whose values these are."""
        return side_of(seat - 1, self.seats) == self._side

    @property
    def _limit(self) -> int:
        if self.allowance is None:
            return self.effort
        return min(self.effort, max(self.allowance, FEW))

    def _bounds(self, low: int, high: int) -> Bounds:
        """Return an answer of the search, deducting its positions from the allowance."""
        if self.allowance is not None:
            self.allowance -= self._search.nodes
        return Bounds(self._value(*parts_of(low)), self._value(*parts_of(high)))

    def play(self, name: str) -> None:
        """Play a card.  Raises ValueError if the hand does not have it."""
        self._search.play(card(name))

    def rewind(self) -> None:
        """Go back to the starting position; results are kept."""
        self._search.rewind()
        for one in self._lying:
            self._search.play(one)

    def best(self) -> list[tuple[int, str]]:
        """A line of best play to the end: seats, from 1, and cards.

        It ends earlier if the effort runs out.  Afterwards the position is the one at its end.
        """
        line = []
        while not self._search.over():
            seat = self.seat
            chosen = self._best_card()
            if chosen is None:
                break
            line.append((seat, chosen))
            self.play(chosen)
        return line

    def _best_card(self) -> str | None:
        groups = self.groups()
        if len(groups) == 1:
            return groups[0][0]
        worth = self.value()
        return next(
            (group[0] for group in groups if worth.exact and self.after(group[0], worth) == worth),
            None,
        )

    def _ending(self, machine: Machine) -> Value:
        """The value of a game that is over, or in which only loot is still to be chosen."""
        count = machine.count
        if machine.kind == Kind.OVER and count is not None:
            others = [side for side in range(count.sides) if side != self._side]
            share = 0
            if count.share[self._side]:
                share = 1 if any(count.share[side] for side in others) else 2
            most = max(count.votes[side] for side in others)
            return self._value(share, count.votes[self._side], most)
        values = []
        for choice in machine.choices():
            after = machine.copy(quiet=True)
            after.apply(choice)
            values.append(self._ending(after))
        chooser = (machine.to_act.seat or 0) + 1
        return max(values) if self.wants(chooser) else min(values)
