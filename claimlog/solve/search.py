"""The value of a position of Phase 2 with two players, all hands known (docs/analysis.md).

The value of a game comes from a `Count`: there are no rules here, nor in `Outlook`.  The search
keeps its results in a transposition table, with the lanes for which they hold, and only asks of
each position whether it is worth at least a given value; two bounds that meet are the value.

Compiled (see ``search.pxd``) or interpreted from this one source; interpreted it is about a hundred
times slower.
"""

from claimlog.cards import FACTION_COUNT, FACTION_OF, VALUE_OF, VALUE_ROOM
from claimlog.rules.table import Table
from claimlog.solve.memory import words_of_zeros
from claimlog.solve.numbers import (
    ANY,
    DEPTH,
    GUARDS,
    HIGHEST,
    LANE,
    LOWEST,
    NO_CARD,
    NOBODY,
    ONES,
    PLACES,
    REPLIES,
    ROOM,
    SPREAD,
    STEP,
    TRICKS,
    WORDS,
)
from claimlog.solve.order import Order
from claimlog.solve.outlook import mixed

WAYS = 8
"""The number of positions in one place of the table."""
ROW = 2 * WAYS
FIRST = 1 << 11
"""The number of places used at first."""
IMPLIED = (1 << 3) - 1
"""The bits of a key that its place implies; the table keeps other things there."""
BOTH = 3
"""Marks an answer that holds however ties are decided."""
WORTH = 4
"""Marks a position that is worth at least what was asked."""
TOP = 4 * LANE
DEMANDS = 1023 * ONES
"""The bits of all lanes."""
RECENT = 50
"""The highest 14 bits of a `state` are its place among the positions searched last."""
MARKS = [0, STEP]
"""Tells apart which side leads."""


def value_of(share: int, votes: int, others: int) -> int:
    """Encode a result as one number, the higher the better for side 0.

    `share` is 2 for a win of side 0, 1 for a shared one, 0 for a loss; `votes` are its factions,
    `others` those of side 1.  The result comes first, then the difference in factions, then the
    number of factions.
    """
    return share * 1024 + (votes - others + 16) * 32 + votes


class Search(Order):
    """Values of one game's positions; `load` one, then use `bounds`, `bounds_of` and `play`.

    `entries` is the number of places for positions (a power of two from 256 on, 128 bytes each).
    Few are used at first: accesses to a small range of memory are faster.

    While `plain` is true, positions are distinguished by all of their cards, no cards are merged,
    and nothing is decided before the last trick: much slower, it is the reference for tests.
    """

    def __init__(self, entries: int = 1 << 18) -> None:
        super().__init__()
        self.most = entries
        self.size = min(entries, FIRST)
        self.used_places = self.size
        self.stored = 0
        # For each place `WAYS` pairs: the key with how far the answer holds; the value with the
        # scores for which it holds.  They lie together in memory, which is slow.
        self.memory = words_of_zeros(ROW * entries)
        self.won = 0
        self.lost = 0
        self.nodes = 0
        # Positions after a trick that were searched last: their `state`, the value and the demands,
        # the score and what the value depends on.
        self.recent = words_of_zeros(3 << 64 - RECENT)
        self.state = 0
        self.moves = [0] * 52
        self.limit = 0
        self.exhausted = False
        self.plain = False

    # Queries -------------------------------------------------------------------------------

    def bounds(self, limit: int, low: int = LOWEST, high: int = HIGHEST) -> tuple[int, int]:
        """The lower and upper bounds of the position's value; equal if it is exact.

        `limit` is the most positions to search, `low` and `high` are bounds already known.
        """
        return self._meet(-1, limit, low, high)

    def bounds_of(
        self, card: int, limit: int, low: int = LOWEST, high: int = HIGHEST
    ) -> tuple[int, int]:
        """The same for the position after a card.  Raises ValueError if the card is not legal."""
        legal = self._legal(self.seat())
        slot = 0
        while self.card_of[slot] != card or not legal >> slot & 1:
            slot += 1
            if slot == self.slots:
                raise ValueError("this card may not be played")
        return self._meet(slot, limit, low, high)

    def _meet(self, slot: int, limit: int, low: int, high: int) -> tuple[int, int]:
        """Narrow the bounds until they meet or the effort runs out."""
        self.nodes = 0
        self.limit = limit
        self.exhausted = False
        self.exactly = self.plain
        self._limit(0, -1)
        least = value_of(0, 0, self.decks)
        most = value_of(2, self.decks, 0)
        low = max(low, least)
        high = min(high, most)
        guess = value_of(1, 0, 0)
        if high < most:
            # The bound of the position before the card: most cards keep the value.
            guess = high
        elif low > least:
            guess = low
        while low < high:
            beta = guess + 1 if guess == low else guess
            self.level = -1 if self.may_level and not self.exactly else 0
            found = self._ask(slot, beta)
            if self.tied and found < beta and not self.exhausted:
                self.level = 1
                found = self._ask(slot, beta)
                if found >= beta and not self.exhausted:
                    # The tie decides: from here on the values of all cards count.
                    self.exactly = True
                    continue
            if self.exhausted:
                break
            if found >= beta:
                low = found
            else:
                high = found
            guess = found
        return low, high

    def _ask(self, slot: int, beta: int) -> int:
        # Demand no more factions than needed, so that answers hold more often.
        self.enough = self._enough(beta, self.level > 0)
        self.little = self.decks - self._enough(beta, self.level >= 0) + 1
        self.later = 0 if self.exactly else self.countable
        self.taken[0] = self.taken[1] = 0
        copies = 0
        for one in range(self.slots):
            card = self.card_of[one]
            copies = copies + 1 if one and card == self.card_of[one - 1] else 0
            for side in range(2):
                self.moves[2 * one + side] = self._moved(card, copies, side)
        self._begin(beta)
        self._tell()
        self._decided(0, 0)
        self._weigh(0, 0 if self.plain else self.closing)
        self.tall = self.tallest
        self._raise()
        if self.lead < 0 and slot < 0:
            return self._leads(beta, 0)
        if self.lead < 0:
            seat = self.table.leader
            self.hands[seat] ^= 1 << slot
            value = self._follows(slot, beta, 0)
            self.hands[seat] ^= 1 << slot
            return value
        if slot < 0:
            return self._follows(self.lead, beta, 0)
        return self._after(self.lead, slot, beta, DEPTH - 1)

    # The search ----------------------------------------------------------------------------

    def _leads(self, beta: int, depth: int) -> int:
        """Search whether the position at the beginning of a trick is worth at least `beta`.

        The result is a lower bound of the value if it is at least `beta`, otherwise an upper bound.
        `need` becomes the demands on other scores for which it holds, too, `tied` whether it
        depends on how a tie is decided (`level`), and `by_loot` whether it depends on loot.
        """
        if self.table.trick > 2 * self.table.tricks:
            value = -1 if self.plain else self._decided(0, 0)
            return value if value >= 0 else self._end(beta)
        self.nodes += 1
        if self.nodes > self.limit:
            self.exhausted = True
            return 0
        value = -1 if self.plain else self._decided(0, 0)
        if value >= 0:
            return value
        closing = 0 if self.plain else self.closing
        seat = self.table.leader
        hand = self.hands[seat]
        if not hand & hand - 1:
            # Playing the last trick is faster than looking it up.
            self.hands[seat] = 0
            value = self._follows(PLACES[hand * SPREAD >> 27 & 31], beta, depth)
            self.hands[seat] = hand
            return value
        key = self._exact_key() if self.exactly else self._key()
        shut = self.shut
        open_lanes = self.open
        pattern = self.pattern
        self.patterns[depth] = pattern
        coarse = 0 if self.exactly else self.coarse
        tall = self.tall
        raised = self.raised
        sort = 1 if self.level < 0 else 2
        if coarse:
            value = self._kept(coarse, beta)
            if value >= 0:
                self.by_loot = False
                return value
        value = self._kept(key, beta)
        if value >= 0:
            self.by_loot = self.looted >= 0
            return value
        value = -1 if self.plain else self._soon()
        if value >= 0:
            return value
        self._weigh(depth, closing)
        at = depth * ROOM
        first = self._remembered(pattern)
        number = 1
        # Mostly the card that is tried first is enough; only then the others are put in order.
        if self._playable(seat, hand, first):
            self.tried[at] = first
        else:
            number = self._order(seat, hand, first, at)
            first = NO_CARD
        best = LOWEST if seat == 0 else HIGHEST
        whole = 0 if seat else ANY
        chosen = NO_CARD
        tied = False
        by_loot = False
        i = 0
        while i < number:
            slot = self.tried[at + i]
            self.hands[seat] = hand ^ 1 << slot
            self.tall = tall
            self.raised = raised
            value = self._follows(slot, beta, depth)
            self.hands[seat] = hand
            if self.exhausted:
                return 0
            if seat == 0:
                if value >= beta:
                    best = value
                    chosen = slot
                    whole = self.need
                    tied = self.tied
                    by_loot = self.by_loot
                    break
                whole = self._least(whole, self.need)
                best = max(best, value)
            else:
                if value < beta:
                    best = value
                    chosen = slot
                    whole = self.need
                    tied = self.tied
                    by_loot = self.by_loot
                    break
                whole = self._greatest(whole, self.need)
                best = min(best, value)
            tied = tied or self.tied
            by_loot = by_loot or self.by_loot
            i += 1
            if slot == first:
                self.tall = tall
                self.raised = raised
                self.weighed = depth
                number = self._order(seat, hand, first, at)
        if chosen != NO_CARD:
            self._remember(pattern, chosen)
        # What holds if a tie is lost also holds if it is won, and vice versa.
        if not tied or (self.level < 0) == (best >= beta):
            sort = BOTH
        self.tied = sort != BOTH
        self.by_loot = by_loot
        self.need = whole
        if shut:
            if best >= beta:
                # The demand is that a side has the faction, which the key already says.
                whole = whole & ~shut | self._asked(whole) & ONES & shut
                self.need = self._reopened(whole, shut, 0)
            else:
                whole = ANY ^ whole
                whole = ANY ^ (whole & ~shut | self._asked(whole) & ONES & shut)
                self.need = self._reopened(whole, shut, 1)
        if coarse and not by_loot and not (whole if best >= beta else ANY ^ whole) & open_lanes:
            key = coarse
        if self.stored > 4 * self.size and self.size < self.most:
            self._grow()
        self.stored += 1
        place = (key & self.size - 1) * ROW
        i = place
        while i < place + ROW and self.memory[i]:
            i += 2
        # If all are occupied, replace one at random.
        place = i if i < place + ROW else place + 2 * (self.nodes & WAYS - 1)
        entry = sort | (WORTH if best >= beta else 0)
        self.memory[place] = key & ~IMPLIED | entry
        entry = best  # of 64 bits
        self.memory[place + 1] = whole | entry << TOP + LANE
        return best

    def _begin(self, beta: int) -> None:
        """Set `state` from all that matters in the position, and from what is asked."""
        key = mixed(self._exact_key(), self.score & ~self.gauged_lanes, self.lead + 1)
        key = mixed(key, beta, self.level + 1 << 1 | self.exactly)
        self.state = key * STEP & WORDS

    def _moved(self, card: int, copy: int, side: int) -> int:
        """What a card adds to `state` when a side wins it; 2 if it is removed."""
        faction = FACTION_OF[card]
        amount = 0
        if side < 2 and self.later & self.of_faction[faction]:
            # Only its lane matters.
            amount = self.worth[card]
            amount = (amount << self.lane[faction]) * STEP & WORDS
            amount = amount if side else -amount & WORDS
            side = 3
        return mixed(mixed(mixed(STEP, card, copy), side, 1), 2, 3) + amount & WORDS

    def _now(self, lead: int, slot: int) -> int:
        """What `_recalled` needs after a trick that only the table knows; sets `state`."""
        table = self.table
        state = self.state
        rest = 3
        for i in range(table.gained):
            card = table.gained_card[i]
            side = table.gained_seat[i]
            if rest & 1 and card == self.card_of[lead]:
                rest ^= 1
                state += self.moves[2 * lead + side]
            elif rest & 2 and card == self.card_of[slot]:
                rest ^= 2
                state += self.moves[2 * slot + side]
            else:
                # It waited before.
                state += self._moved(card, 0, side)
        for i in range(table.removed):
            card = table.removed_card[i]
            state += self._moved(card, 0, 2) - self._moved(card, 0, table.removed_seat[i])
        self.state = state & WORDS
        now = self.state ^ MARKS[table.leader]
        for i in range(table.waiting):
            now = mixed(now, table.trolls[i], i + 1)
        return now

    def _recalled(self, now: int) -> int:
        """The value of a position that was searched a short time ago, or -1.

        Sets what `_leads` does, and `score`.
        """
        at = 3 * (now >> RECENT)
        if self.recent[at] != now or self.plain:
            return -1
        need = self.recent[at + 1]
        kept = self.recent[at + 2]
        self.tied = kept >> TOP + LANE & 1 == 1
        self.by_loot = kept >> TOP + LANE + 1 & 1 == 1
        self.nodes += kept >> TOP + LANE + 2
        self.need = need & DEMANDS
        self.score = kept & DEMANDS
        return need >> TOP + LANE

    def _keep(self, now: int, value: int) -> None:
        """Keep the value, and all that belongs to it, of the position after a trick."""
        if self.exhausted:
            return
        at = 3 * (now >> RECENT)
        entry = value  # of 64 bits
        self.recent[at] = now
        self.recent[at + 1] = self.need | entry << TOP + LANE
        # As in `_leads`, the end of a game is no position.
        entry = self.tied | self.by_loot << 1 | (4 if self.hands[0] else 0)
        self.recent[at + 2] = self.score | entry << TOP + LANE

    def _kept(self, key: int, beta: int) -> int:
        """The kept value that answers the question, or -1."""
        score = self.score
        sort = 1 if self.level < 0 else 2
        place = (key & self.size - 1) * ROW
        for i in range(place, place + ROW, 2):
            entry = self.memory[i]
            if not entry:
                break
            if entry ^ key <= IMPLIED:
                if not entry & sort:
                    # It only holds if ties go to the other side.
                    continue
                need = self.memory[i + 1]
                value = need >> TOP + LANE
                need &= DEMANDS
                if entry & WORTH:
                    if value >= beta and ((score | GUARDS) - need & GUARDS) == GUARDS:
                        self.need = self._reopened(need, self.shut, 0) if self.shut else need
                        self.tied = entry & BOTH != BOTH
                        return value
                elif value < beta and ((need | GUARDS) - score & GUARDS) == GUARDS:
                    self.need = self._reopened(need, self.shut, 1) if self.shut else need
                    self.tied = entry & BOTH != BOTH
                    return value
        return -1

    def _grow(self) -> None:
        """Double the places in use; half of the entries move to the new ones."""
        size = self.size
        if self.used_places > size:
            self._clear(size, 2 * size)
        else:
            # Nothing has been written here yet, as only a long search needs a large table.
            self.used_places = 2 * size
        for i in range(size):
            at = i * ROW
            to = (size + i) * ROW
            # The entries of a place are at its beginning.
            end = at + ROW
            k = at
            while k < end and self.memory[k]:
                if self.memory[k] & size:
                    self.memory[to] = self.memory[k]
                    self.memory[to + 1] = self.memory[k + 1]
                    to += 2
                else:
                    self.memory[at] = self.memory[k]
                    self.memory[at + 1] = self.memory[k + 1]
                    at += 2
                k += 2
            while at < k:
                self.memory[at] = 0
                at += 2
        self.size = 2 * size

    def _clear(self, begin: int, end: int) -> None:
        """Empty these places."""
        for i in range(begin, end):
            for k in range(0, ROW, 2):
                self.memory[i * ROW + k] = 0

    def load(self, table: Table, hands: list[list[int]], loot: int, plays: list[int]) -> None:
        """Do the same as `Position.load`; earlier results are dropped."""
        super().load(table, hands, loot, plays)
        self.size = min(self.most, FIRST)
        self.stored = 0
        self._clear(0, self.size)
        self._look_up_promises()

    def _after(self, lead: int, slot: int, beta: int, depth: int) -> int:
        """The value after both cards of a trick; the table is restored afterwards."""
        leader = self.table.leader
        seat = 1 - leader
        score = self.score
        state = self.state
        k = self._known(lead, slot)
        outcome = 0
        if k >= 0:
            outcome = self.outcomes[k]
            now = state + self.moves[2 * lead + (outcome >> 1 & 1)]
            now = now + self.moves[2 * slot + (outcome & 1)] & WORDS
            self.state = now
            # Who leads next is no part of `state`.
            now ^= MARKS[outcome >> 2]
            value = self._recalled(now)
            if value >= 0:
                self.state = state
                self.need = self._before(self.need, score, self.score)
                self.score = score
                return value
        self.hands[seat] ^= 1 << slot
        held = self.lead
        left = self.left
        self.numbers[leader] -= self.one[lead]
        self.numbers[seat] -= self.one[slot]
        self.lead = -1
        below = 0 if depth == DEPTH - 1 else depth + 1
        limited = self.limited
        played = 1 << self.faction_of[lead] | 1 << self.faction_of[slot]
        changes = self.asked & played
        if k >= 0:
            first = outcome >> 1 & 1
            second = outcome & 1
            amount = self.amounts[lead]
            self.left -= amount
            self.score += -amount if first else amount
            amount = self.amounts[slot]
            self.left -= amount
            self.score += -amount if second else amount
            mine = self.taken[0]
            theirs = self.taken[1]
            # Cards that only count in lanes are put on the score piles at the end.
            piled = (1 << lead | 1 << slot) & ~self.later
            self.taken[first] |= 1 << lead & self.later
            self.taken[second] |= 1 << slot & self.later
            shown_first = shown_second = 0
            if piled >> lead & 1:
                shown_first = self._gain(first, lead)
            if piled >> slot & 1:
                shown_second = self._gain(second, slot)
            self.table.leader = outcome >> 2
            self.table.trick += 1
            if changes:
                self._limit(below, played)
            value = self._leads(beta, below)
            self.table.trick -= 1
            self.table.leader = leader
            if piled >> slot & 1:
                self._lose(second, slot, shown_second)
            if piled >> lead & 1:
                self._lose(first, lead, shown_first)
            self.taken[0] = mine
            self.taken[1] = theirs
            self._keep(now, value)
        else:
            self._save(depth)
            self._decide(lead, slot)
            self._score()
            now = self._now(lead, slot)
            value = self._recalled(now)
            if value < 0:
                if changes:
                    self._limit(below, -1)
                value = self._leads(beta, below)
                self._keep(now, value)
            self._restore(depth)
        self.lead = held
        self.state = state
        if changes:
            self.limited = limited
            self.apart = self.aparts[limited]
            self.unwon = self.lefts[limited]
        self.numbers[leader] += self.one[lead]
        self.numbers[seat] += self.one[slot]
        self.need = self._before(self.need, score, self.score)
        self.score = score
        self.left = left
        self.hands[seat] ^= 1 << slot
        return value

    def _follows(self, lead: int, beta: int, depth: int) -> int:
        """The same once a card has been led."""
        seat = 1 - self.table.leader
        hand = self._following(self.hands[seat], lead)
        held = self.lead
        self.lead = lead
        if not hand & hand - 1:
            value = self._after(lead, PLACES[hand * SPREAD >> 27 & 31], beta, depth)
            self.lead = held
            return value
        best = LOWEST if seat == 0 else HIGHEST
        whole = 0 if seat else ANY
        tied = False
        by_loot = False
        at = REPLIES + depth * ROOM
        tall = self.tall
        raised = self.raised
        first = self._remembered(self._replying(lead, depth))
        number = 1
        if self._playable(seat, hand, first):
            self.tried[at] = first
        else:
            number = self._order_replies(seat, hand, lead, depth, first)
            first = NO_CARD
        i = 0
        while i < number:
            slot = self.tried[at + i]
            value = self._after(lead, slot, beta, depth)
            if self.exhausted:
                self.lead = held
                return 0
            if seat == 0:
                if value >= beta:
                    self.lead = held
                    self._remember(self._replying(lead, depth), slot)
                    return value
                best = max(best, value)
                whole = self._least(whole, self.need)
            else:
                if value < beta:
                    self.lead = held
                    self._remember(self._replying(lead, depth), slot)
                    return value
                best = min(best, value)
                whole = self._greatest(whole, self.need)
            tied = tied or self.tied
            by_loot = by_loot or self.by_loot
            i += 1
            if slot == first:
                self.tall = tall
                self.raised = raised
                number = self._order_replies(seat, hand, lead, depth, first)
        self.lead = held
        self.need = whole
        self.tied = tied
        self.by_loot = by_loot
        return best

    # Certain results -----------------------------------------------------------------------

    def _soon(self) -> int:
        """Answer by the least that each side wins in the next tricks; -1 if that is not enough."""
        # Of the lanes that are open, only those of cards that simply count can be decided.
        at = self.limited
        lanes = self.won | self.used & ~self.gauged_lanes & ~self.closing
        wins = self.won_now[at] + ((lanes >> LANE - 1) * ONES >> TOP & 7) >= self.enough
        lanes = self.lost | self.used & ~self.gauged_lanes & ~self.closing
        loses = self.lost_now[at] + ((lanes >> LANE - 1) * ONES >> TOP & 7) >= self.little
        own = 0
        other = 0
        if self.table.leader:
            if loses:
                other = self._cashed()
            if wins:
                own = self._stopped()
        else:
            if wins:
                own = self._cashed()
            if loses:
                other = self._stopped()
        return self._decided(own, other) if own or other else -1

    def _decided(self, own: int, other: int) -> int:
        """Answer by the factions that are decided; -1 if that is not enough.

        `own` and `other` are what each side is sure to win in addition, in lanes.  No more factions
        are demanded than needed.
        """
        self.tied = False
        self.by_loot = False
        at = self.limited
        most = (self.left | self.falls_by[at]) - 2 * own + 257 * ONES
        least = 255 * ONES - (self.left | self.rises[at]) + 2 * other
        won = (self.score | GUARDS) - most & self.used
        lost = (least | GUARDS) - self.score & self.used
        self.won = won
        self.lost = lost
        self.closing = won | lost
        if self.looted >= 0:
            return self._decided_with_loot(most, least, won, lost)
        if self.won_now[at] + ((won >> LANE - 1) * ONES >> TOP & 7) >= self.enough:
            return self._won(won, most, 0)
        if self.lost_now[at] + ((lost >> LANE - 1) * ONES >> TOP & 7) >= self.little:
            return self._lost(lost, least, 0)
        return -1

    def _decided_with_loot(self, most: int, least: int, won: int, lost: int) -> int:
        """The same with loot: all loot of a side counts for one faction.

        It turns none that is far enough ahead, and of the others only one.  `won` and `lost` are
        the lanes that are decided without loot.
        """
        at = self.limited
        number = self.won_now[at] + ((won >> LANE - 1) * ONES >> TOP & 7)
        if number >= self.enough:
            # What loot may add counts against the side that is ahead, or one faction is spared.
            highest = most + self.threats[2 * at]
            lanes = (self.score | GUARDS) - highest & self.used
            if self.won_now[at] + ((lanes >> LANE - 1) * ONES >> TOP & 7) >= self.enough:
                return self._won(lanes, highest, 0)
            if number > self.enough:
                return self._won(won, most, 1)
        number = self.lost_now[at] + ((lost >> LANE - 1) * ONES >> TOP & 7)
        if number >= self.little:
            lowest = least - self.threats[2 * at + 1]
            lanes = (lowest | GUARDS) - self.score & self.used
            if self.lost_now[at] + ((lanes >> LANE - 1) * ONES >> TOP & 7) >= self.little:
                return self._lost(lanes, lowest, 0)
            if number > self.little:
                return self._lost(lost, least, 1)
        return -1

    def _won(self, lanes: int, most: int, spare: int) -> int:
        """The answer if side 0 has enough factions, and `spare` more, thanks to these lanes."""
        at = self.limited
        mine = self.won_now[at]
        chosen = 0
        while mine < self.enough + spare:
            low = lanes & -lanes
            lanes ^= low
            chosen |= low - (low >> LANE - 1)
            mine += 1
        self.need = self.won_need[at] | most & chosen
        return self._split(mine - spare, self.level > 0)

    def _lost(self, lanes: int, least: int, spare: int) -> int:
        """The answer if side 1 has enough factions, and `spare` more, thanks to these lanes."""
        at = self.limited
        others = self.lost_now[at]
        chosen = 0
        while others < self.little + spare:
            low = lanes & -lanes
            lanes ^= low
            chosen |= low - (low >> LANE - 1)
            others += 1
        self.need = (ANY ^ self.lost_need[at]) & ~chosen | least & chosen
        return self._split(self.decks - others + spare, self.level >= 0)

    # Playing a trick -----------------------------------------------------------------------

    def _known(self, lead: int, slot: int) -> int:
        """The index for looking up the result of a trick, -1 if only the table knows it."""
        k = lead * ROOM + slot
        if self.settled:
            return k
        if self.table.waiting or self.unsure[k]:
            return -1
        if self.removes[lead] or self.removes[slot]:
            value = VALUE_OF[self.card_of[lead if self.removes[lead] else slot]]
            if self.table.display[value] or self.table.display[VALUE_ROOM + value]:
                return -1
        if self.adding != NOBODY:
            at = self.adding
            other = FACTION_COUNT + at
            if self.table.leader:
                at, other = other, at
            if self.table.mask[at] >> VALUE_OF[self.card_of[lead]] & 1:
                k += TRICKS
            if self.table.mask[other] >> VALUE_OF[self.card_of[slot]] & 1:
                k += 2 * TRICKS
        return k

    def _gain(self, seat: int, slot: int) -> int:
        """Add a card to those that a seat has won; returns the values its faction had there."""
        at = self.pile_of[slot]
        if at < 0:
            self.table.display[seat * VALUE_ROOM - at - 1] += 1
            return 0
        at += seat * FACTION_COUNT
        shown = self.table.mask[at]
        self.table.mask[at] = shown | 1 << self.value_of[slot]
        self.table.count[at] += 1
        self.table.total[at] += self.value_of[slot]
        return shown

    def _lose(self, seat: int, slot: int, shown: int) -> None:
        """Remove it again; `shown` are the values of its faction from before."""
        at = self.pile_of[slot]
        if at < 0:
            self.table.display[seat * VALUE_ROOM - at - 1] -= 1
            return
        at += seat * FACTION_COUNT
        self.table.mask[at] = shown
        self.table.count[at] -= 1
        self.table.total[at] -= self.value_of[slot]
