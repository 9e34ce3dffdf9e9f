"""The count at the end: factions, votes, tie-breaks (rules.md, "The end").

It follows the order of the rules: Gnomes join the score piles, Peasants move, Vikings and loot
count; then each faction is decided, then the game.
"""

from claimlog.cards import (
    BARDS,
    CARD_AT,
    FACTION_COUNT,
    KINGS,
    LOWEST,
    RACCOONS,
    UNKNOWN,
    VALUE_OF,
    VALUE_ROOM,
    VIKINGS,
)
from claimlog.cards import card as card_named
from claimlog.rules.data import CountData, TableData
from claimlog.rules.powers import bards, peasants, raccoons, vikings
from claimlog.rules.reasons import (
    BARDS_BY_COUNT,
    BARDS_BY_HIGHEST,
    BY_COUNT,
    BY_HIGHEST,
    BY_RUN,
    COMPARED_CARDS,
    COMPARED_VALUE,
    COMPARED_VALUE_LAST,
    LOOT_COUNTS,
    NONE_WON,
    TIED,
)
from claimlog.rules.setup import Setup

NOBODY = -1
TIE_NONE, TIE_CARDS, TIE_VALUE = 0, 1, 2
"""The comparison that separated sides with equally many factions."""
LENGTHS = b"\0" + b"".join([bytes([n]) * (1 << n - 1) for n in range(1, max(VALUE_OF) + 2)])
"""One more than the highest value in a set of values, 0 for the empty set."""


class Count(CountData):
    """The final count of one game.

    After `gather` (and `choose` for each side that is `undecided`), `decide` sets by side `votes`
    (factions won) and `share` (1 for sides that win or share the win), by faction `won_by` (a side
    or -1), and `tiebreak`.
    """

    def gather(self, position: TableData, loot: int) -> None:
        """Count the piles of a finished game; `loot` is the set of loot Raccoon values."""
        if self.noting:
            self.notes.clear()
        self.collect(position)
        if self.deck >> KINGS & 1:
            peasants(self)
        self.cards[:] = self.count
        if self.deck >> VIKINGS & 1:
            for side in range(self.sides):
                self.count[side * FACTION_COUNT + VIKINGS] += vikings(self, side)
        if self.deck >> BARDS & 1:
            for side in range(self.sides):
                self.runs[side] = bards(self, side)
        if self.deck >> RACCOONS & 1 and loot:
            for side in range(self.sides):
                fewest = raccoons(self, side, loot)
                self.fewest[side] = fewest
                if not fewest & fewest - 1:
                    for faction in range(FACTION_COUNT):
                        if fewest >> faction & 1:
                            self.choose(side, faction)

    def choose(self, side: int, faction: int) -> None:
        """Let `side`'s loot count for `faction`, one of its `fewest`; call it once per side."""
        self.loot_for[side] = faction
        self.count[side * FACTION_COUNT + faction] += self.loot[side]
        self.note(LOOT_COUNTS, side, NOBODY, self.loot[side], faction)

    def undecided(self, side: int) -> bool:
        """Whether `side` must still choose what its loot counts for."""
        return self.fewest[side] != 0 and self.loot_for[side] == UNKNOWN

    def decide(self) -> None:
        """Decide every faction and the game."""
        for side in range(self.sides):
            self.votes[side] = 0
            self.share[side] = 1
        for faction in range(FACTION_COUNT):
            self.won_by[faction] = NOBODY
        deck = self.deck
        while deck:
            # Which factions are in a deck is unpredictable: no branches.
            faction = LOWEST[(deck & -deck) % 37]
            deck &= deck - 1
            side = self._favour(faction)
            self.won_by[faction] = side
            if side >= 0:
                self.votes[side] += 1
            if self.noting:
                self._note_favour(faction, side)
        self.tiebreak = TIE_NONE
        left = self._keep_best(TIE_NONE)
        # Two players do not compare numbers of cards (rules.md, "The end").
        if left > 1 and self.players > 2:
            left = self._keep_best(TIE_CARDS)
        if left > 1:
            self._keep_best(TIE_VALUE)

    def _favour(self, faction: int) -> int:
        """The side that wins `faction`, or `NOBODY`.

        The highest count (for Bards the longest run first), then the highest card; nobody if that
        is equal too, or if nobody has any.
        """
        best = NOBODY
        best_key = -1
        tied = False
        for side in range(self.sides):
            k = side * FACTION_COUNT + faction
            key = self.count[k]
            if faction == BARDS:
                key += self.runs[side] << 8
            key = key * 32 + LENGTHS[self.mask[k]]
            if key > best_key:
                best = side
                best_key = key
                tied = False
            elif key == best_key:
                tied = True
        return NOBODY if tied else best

    def _note_favour(self, faction: int, winner: int) -> None:
        """Note which comparison gave `faction` to `winner`, or why nobody won it."""
        if winner < 0:
            most = 0
            for side in range(self.sides):
                most = max(most, self.count[side * FACTION_COUNT + faction])
            self.note(TIED if most else NONE_WON, NOBODY, NOBODY, 0, faction)
            return
        best = winner * FACTION_COUNT + faction
        level = False
        equal = False
        for side in range(self.sides):
            if side != winner and (faction != BARDS or self.runs[side] == self.runs[winner]):
                level = True
                equal = equal or self.count[side * FACTION_COUNT + faction] == self.count[best]
        if faction != BARDS:
            reason = BY_HIGHEST if equal else BY_COUNT
        elif not level:
            reason = BY_RUN
        else:
            reason = BARDS_BY_HIGHEST if equal else BARDS_BY_COUNT
        highest = NOBODY
        if self.mask[best]:
            highest = CARD_AT[faction * VALUE_ROOM + LENGTHS[self.mask[best]] - 1]
        self.note(reason, winner, highest, 0, faction)

    def _keep_best(self, by: int) -> int:
        """Of the sides still sharing the win, keep the best by votes, cards or value.

        Returns how many share it now.
        """
        best = -1
        left = 0
        shared = 0
        for side in range(self.sides):
            if self.share[side]:
                shared |= 1 << side
                measure = self._measure(side, by)
                best = max(best, measure)
        for side in range(self.sides):
            if self.share[side]:
                if self._measure(side, by) < best:
                    self.share[side] = 0
                    self.tiebreak = by
                else:
                    left += 1
        if self.noting and self.tiebreak == by and by != TIE_NONE:
            self._note_comparison(by, shared)
        return left

    def _note_comparison(self, by: int, shared: int) -> None:
        """Note the numbers by which the sides in `shared` (a set) were compared."""
        reason = COMPARED_CARDS
        if by == TIE_VALUE:
            reason = COMPARED_VALUE if self.players == 2 else COMPARED_VALUE_LAST
        for side in range(self.sides):
            if shared >> side & 1:
                self.note(reason, side, NOBODY, self._measure(side, by))

    def _measure(self, side: int, by: int) -> int:
        """The votes, or the number or total value of real cards in the factions won."""
        if by == TIE_NONE:
            return self.votes[side]
        measure = 0
        for faction in range(FACTION_COUNT):
            if self.won_by[faction] == side:
                k = side * FACTION_COUNT + faction
                measure += self.cards[k] if by == TIE_CARDS else self.total[k]
        return measure


def loot_of(setup: Setup) -> int:
    """The set of values of the Raccoons that show loot; empty if unknown."""
    loot = 0
    if setup.loot and setup.factions >> RACCOONS & 1:
        for name in setup.loot:
            loot |= 1 << VALUE_OF[card_named(name)]
    return loot
