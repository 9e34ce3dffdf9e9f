"""The count at the end: factions, votes, tie-breaks (rules.md, "The end").

The order is the rules': Gnomes join the score piles, Peasants move, Vikings and loot
count; then each faction is decided, then the game.
"""

from claimlog.cards import BARDS, FACTION_COUNT, KINGS, RACCOONS, UNKNOWN, VIKINGS
from claimlog.rules.position import Position, Tally
from claimlog.rules.powers import bards, peasants, raccoons, vikings

NOBODY = -1
TIE_NONE, TIE_CARDS, TIE_VALUE = 0, 1, 2
"""Which comparison told sides with equally many factions apart."""
LENGTHS = bytes(values.bit_length() for values in range(1 << 14))
"""One more than the highest value in a set of values, 0 for none; no card shows over 13."""


class Count(Tally):
    """The final count of one game.

    After `gather` (and `choose` for each side in `undecided`) `decide` sets, by side,
    `votes` (factions won) and `share` (1 for those who win or share the win), by faction
    `won_by` (a side or -1), and `tiebreak`.
    """

    def gather(self, position: Position, loot: int) -> None:
        """Count the piles of a finished game; `loot` is the set of loot Raccoon values."""
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
                self.fewest[side] = raccoons(self, side, loot)
                for faction in range(FACTION_COUNT):
                    if self.fewest[side] == 1 << faction:
                        self.choose(side, faction)

    def choose(self, side: int, faction: int) -> None:
        """Let `side`'s loot count for `faction`, one of its `fewest`; once per side."""
        self.loot_for[side] = faction
        self.count[side * FACTION_COUNT + faction] += self.loot[side]

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
            if self.deck >> faction & 1:
                side = self._favour(faction)
                self.won_by[faction] = side
                if side >= 0:
                    self.votes[side] += 1
        self.tiebreak = TIE_NONE
        left = self._keep_best(TIE_NONE)
        # Two players do not compare numbers of cards (rules.md, "The end").
        if left > 1 and self.players > 2:
            left = self._keep_best(TIE_CARDS)
        if left > 1:
            self._keep_best(TIE_VALUE)

    def _favour(self, faction: int) -> int:
        """The side that wins `faction`, or `NOBODY`.

        The highest count (of Bards first the longest run), of equal counts the highest
        card; nobody where that is equal too or the highest count is 0.
        """
        best = NOBODY
        best_key = -1
        tied = False
        for side in range(self.sides):
            k = side * FACTION_COUNT + faction
            key = self.count[k]
            if faction == BARDS:
                key += self.runs[side] << 8
            key = key * 16 + LENGTHS[self.mask[k]]
            if key > best_key:
                best = side
                best_key = key
                tied = False
            elif key == best_key:
                tied = True
        if tied or best_key < 16:
            return NOBODY
        return best

    def _keep_best(self, by: int) -> int:
        """Of the sides still sharing the win keep the best by votes, cards or value.

        Returns how many share it now.
        """
        best = -1
        left = 0
        for side in range(self.sides):
            if self.share[side]:
                measure = self._measure(side, by)
                best = max(best, measure)
        for side in range(self.sides):
            if self.share[side]:
                if self._measure(side, by) < best:
                    self.share[side] = 0
                    self.tiebreak = by
                else:
                    left += 1
        return left

    def _measure(self, side: int, by: int) -> int:
        """Votes, or the number or the summed value of real cards in the factions won."""
        if by == TIE_NONE:
            return self.votes[side]
        measure = 0
        for faction in range(FACTION_COUNT):
            if self.won_by[faction] == side and self.deck >> faction & 1:
                k = side * FACTION_COUNT + faction
                measure += self.cards[k] if by == TIE_CARDS else self.total[k]
        return measure
