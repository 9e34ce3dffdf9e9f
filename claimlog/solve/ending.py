"""The value of a finished game for two sides, and the other scores for which it holds.

The count comes from a `Count`: there are no rules here.

Compiled (see ``ending.pxd``) or interpreted from this one source.
"""

from claimlog.cards import FACTION_COUNT, VALUE_OF
from claimlog.rules.scoring import Count
from claimlog.solve.numbers import ANY, HIGHEST, LANE, LOWEST, PLACES, SPREAD
from claimlog.solve.outlook import Outlook


class Ending(Outlook):
    """A position whose end can be evaluated."""

    def __init__(self) -> None:
        super().__init__()
        self.count = Count()
        self.need = 0
        self.enough = 0
        self.little = 0
        self.level = 0
        self.tied = False
        self.by_loot = False
        self.later = 0
        self.taken = [0] * 2
        self.masks = [0] * 48

    def _split(self, mine: int, level: bool) -> int:
        """The value if side 0 wins `mine` factions, and side 1 the others.

        `level`: side 0 wins a tie.
        """
        others = self.decks - mine
        share = 2 if mine > others or (level and mine == others) else 0
        return share * 1024 + (mine - others + 16) * 32 + mine

    def _enough(self, beta: int, level: bool) -> int:
        """The number of factions side 0 needs for a value of at least `beta`."""
        mine = 0
        while mine <= self.decks and self._split(mine, level) < beta:
            mine += 1
        return mine

    def _end(self, beta: int) -> int:
        """The value of a finished game, including the cards that were only counted in lanes."""
        table = self.table
        for i in range(2 * self.decks):
            self.masks[i] = table.mask[self.places[i]]
        self._pile(1)
        value = self._ended(beta)
        self._pile(-1)
        for i in range(2 * self.decks):
            table.mask[self.places[i]] = self.masks[i]
        return value

    def _pile(self, number: int) -> None:
        """Put the `taken` cards on the score piles, or with -1 take them off again."""
        table = self.table
        for seat in range(2):
            rest = self.taken[seat]
            while rest:
                slot = PLACES[(rest & -rest) * SPREAD >> 27 & 31]
                rest &= rest - 1
                k = seat * FACTION_COUNT + self.faction_of[slot]
                value = VALUE_OF[self.card_of[slot]]
                table.count[k] += number
                table.total[k] += number * value
                table.mask[k] |= 1 << value

    def _ended(self, beta: int) -> int:
        """The same once they are there; each side chooses the loot that is best for it."""
        count = self.count
        self.tied = False
        level = self.level
        value = self._valued()
        if level and (self.loot or count.votes[0] == count.votes[1]):
            # The value if a tie goes to the other side.
            self.level = -level
            other = self._valued()
            self.level = level
            self.tied = (value < beta) != (other < beta)
            if not self.tied:
                value = max(value, other) if value < beta else min(value, other)
        self.need = 0 if value >= beta else ANY
        self.by_loot = self.looted >= 0
        if not self.lanes or self.by_loot:
            return value
        enough = self.enough
        little = self.little
        mine = 0
        others = 0
        for i in range(self.decks):
            faction = self.factions[i]
            if self.lane[faction] < 0 or self.judged[faction]:
                mine += 1 if count.won_by[faction] == 0 else 0
                others += 1 if count.won_by[faction] == 1 else 0
        need = self.need
        for i in range(self.lanes):
            faction = self.of_lane[i]
            one = 1
            if self.judged[faction] and count.won_by[faction] == (0 if value >= beta else 1):
                need ^= one << LANE * i
        for i in range(self.lanes):
            shift = LANE * i
            x = self.score >> shift & 1023
            if value >= beta and x > 256 and mine < enough:
                mine += 1
                one = 257
                need |= one << shift
            elif value < beta and x < 256 and others < little:
                others += 1
                one = 511 - 255
                need ^= one << shift
        self.need = need
        if value >= beta and mine >= enough:
            return self._split(enough, self.level > 0)
        if value < beta and others >= little:
            return self._split(self.decks - little, self.level >= 0)
        # Some faction has no winner: require the current standing in every lane.
        need = 0
        for i in range(self.lanes):
            shift = LANE * i
            x = self.score >> shift & 1023
            if value >= beta:
                one = 257 if x > 256 else 256 if x == 256 else 0
            else:
                one = 255 if x < 256 else 256 if x == 256 else 511
            if self.judged[self.of_lane[i]]:
                x = count.won_by[self.of_lane[i]]
                one = (0 if x == 1 else 1) if value >= beta else 511 if x == 0 else 510
            need |= one << shift
        self.need = need
        return value

    def _valued(self) -> int:
        count = self.count
        count.gather(self.table, self.loot)
        if count.undecided(0) or count.undecided(1):
            return self._looted()
        count.decide()
        return self._counted()

    def _counted(self) -> int:
        count = self.count
        share = 1
        if count.votes[0] == count.votes[1] and self.level:
            # The values of the cards break the tie: leave it open, deciding it once for either
            # side.
            share = 2 if self.level > 0 else 0
        elif not count.share[0]:
            share = 0
        elif not count.share[1]:
            share = 2
        return share * 1024 + (count.votes[0] - count.votes[1] + 16) * 32 + count.votes[0]

    def _looted(self) -> int:
        """Side 0 chooses first, knowing that side 1 chooses next."""
        count = self.count
        mine = count.fewest[0] if count.undecided(0) else 0
        theirs = count.fewest[1] if count.undecided(1) else 0
        best = LOWEST
        for first in range(FACTION_COUNT):
            if mine and not mine >> first & 1:
                continue
            worst = HIGHEST
            for second in range(FACTION_COUNT):
                if theirs and not theirs >> second & 1:
                    continue
                count.gather(self.table, self.loot)
                if mine:
                    count.choose(0, first)
                if theirs:
                    count.choose(1, second)
                count.decide()
                worst = min(worst, self._counted())
                if not theirs:
                    break
            best = max(best, worst)
            if not mine:
                break
        return best
