"""What can still change in a position of Phase 2 with two players, and the key of a position.

`claimlog.rules.limits` knows which cards matter at the end: there are no rules here.

Compiled (see ``outlook.pxd``) or interpreted from this one source.
"""

from claimlog.cards import FACTION_COUNT, FACTION_OF, VALUE_OF, VALUE_ROOM
from claimlog.rules.limits import ask, close, decided, gauge, giants_for, loot_for, near, prepare
from claimlog.rules.race import FULL
from claimlog.solve.numbers import (
    BITS,
    GUARDS,
    LANE,
    NOBODY,
    ONES,
    PLACES,
    SOME,
    SPREAD,
    STEP,
    WORDS,
)
from claimlog.solve.position import Position
from claimlog.solve.slots import packed, popcount

APART = 128
"""Distinguishes the worth of waiting Trolls from other numbers in a key."""


def mixed(key: int, first: int, second: int) -> int:
    """A key with two more small numbers mixed in."""
    key = (key ^ first << 32 ^ second) * STEP & WORDS
    return key ^ key >> 29


class Outlook(Position):
    """A position with its key."""

    def same(self) -> list[list[int]]:
        """The `choices` in groups of equivalent cards."""
        # If the values of cards may be compared at the end, no two cards are equivalent.
        self.exactly = self.may_level
        self._limit(0, -1)
        self._tell()
        self.tall = self.tallest
        self._raise()
        seat = self.seat()
        legal = self._legal(seat)
        groups: list[list[int]] = []
        group: list[int] = []
        last = -1
        for slot in range(self.slots):
            if legal >> slot & 1:
                card = self.card_of[slot]
                if last >= 0 and self._equivalent(seat, last, slot):
                    if card != self.card_of[last]:
                        group.append(card)
                else:
                    group = [card]
                    groups.append(group)
                last = slot
        return groups

    # What distinguishes positions ------------------------------------------------------------

    def _limit(self, depth: int, played: int) -> None:
        """Find out what can still change in factions whose cards do not simply count for one.

        This remains valid for later positions until a card of the factions `asked` is played.
        `played` is the set of factions of which cards have been played since the last time, so that
        the others are as they were; -1 if they may not be.
        """
        known = self.limited
        self.limited = depth
        if not self.bounded:
            return
        before = self.lefts[known]
        unwon = self.lefts[depth]
        self.unwon = unwon
        hands = self.hands[0] | self.hands[1]
        if self.lead >= 0:
            hands |= 1 << self.lead
        for i in range(self.asking):
            faction = self.asked_factions[i]
            if played >> faction & 1:
                rest = hands & self.of_faction[faction]
                number = self.numbers[0] + self.numbers[1] >> self.number_at[faction] & 31
                unwon.number[faction] = number
                unwon.values[faction] = self._values(faction, rest)
                unwon.pairs[faction] = self._pairs(rest) if rest & self.copied else 0
            else:
                unwon.number[faction] = before.number[faction]
                unwon.values[faction] = before.values[faction]
                unwon.pairs[faction] = before.pairs[faction]
        for i in range(self.table.waiting):
            faction = FACTION_OF[self.table.trolls[i]]
            if self.asked >> faction & 1:
                unwon.number[faction] += 1
                unwon.values[faction] |= 1 << VALUE_OF[self.table.trolls[i]]
        unwon.late = 0
        prepare(self.table, unwon, before, played)
        at = depth * 48
        first = known * 48
        score = self.score
        rises = self.rises[known]
        falls = self.falls_by[known]
        for i in range(self.gauges):
            faction = self.gauged_factions[i]
            other = FACTION_COUNT + faction
            if not played & self.limited_by[faction]:
                self.shows[at + faction] = self.shows[first + faction]
                self.shows[at + other] = self.shows[first + other]
                continue
            gauge(self.table, faction, unwon)
            self.shows[at + faction] = unwon.shows[0]
            self.shows[at + other] = unwon.shows[1]
            shift = self.lane[faction]
            others = 1023
            others = ~(others << shift)
            lane = 256 + unwon.margin
            score = score & others | lane << shift
            lane = unwon.rise
            rises = rises & others | lane << shift
            lane = unwon.fall
            falls = falls & others | lane << shift
        self.score = score
        self.rises[depth] = rises
        self.falls_by[depth] = falls
        # The demands that decided factions make on their lanes.
        won = 0
        lost = 0
        need = 0
        limit = 0
        for i in range(self.judges):
            faction = self.judged_factions[i]
            side = decided(self.table, faction, unwon, self.loot)
            self.sure_for[depth * 24 + faction] = side
            lane = 1
            if side == 0:
                won += 1
                need |= lane << self.lane[faction]
            elif side == 1:
                lost += 1
                limit |= lane << self.lane[faction]
        self.won_now[depth] = won
        self.lost_now[depth] = lost
        self.won_need[depth] = need
        self.lost_need[depth] = limit
        if self.looted >= 0:
            for side in range(2):
                if played >> self.looted & 1:
                    threat = 2 * loot_for(self.table, unwon, self.loot, 1 - side)
                    self.threats[2 * depth + side] = threat * ONES
                else:
                    self.threats[2 * depth + side] = self.threats[2 * known + side]
        self.told[depth] = 0

    def _tell(self) -> None:
        """Find the cards in hands to distinguish (`apart`), unless known since `_limit`.

        Only needed where decided factions are not enough for an answer.
        """
        depth = self.limited
        if not self.bounded or self.told[depth]:
            return
        self.told[depth] = 1
        unwon = self.unwon
        # Where the margin exceeds what can change it (`Search._decided`).
        won = (self.score | GUARDS) - self.falls_by[depth] - 257 * ONES & self.gauged_lanes & GUARDS
        lost = (255 * ONES - self.rises[depth] | GUARDS) - self.score & self.gauged_lanes & GUARDS
        unwon.closed = 0
        if self.looted < 0 and won | lost:
            for i in range(self.gauges):
                faction = self.gauged_factions[i]
                if (won | lost) >> self.lane[faction] + LANE - 1 & 1:
                    unwon.closed |= 1 << faction
        close(self.table, unwon)
        ask(self.table, unwon, self.loot)
        self.closed_won[depth] = won if unwon.closed else 0
        self.closed_lost[depth] = lost if unwon.closed else 0
        apart = 0
        for i in range(self.asking):
            faction = self.asked_factions[i]
            values = unwon.values[faction] & unwon.asks[faction]
            k = self.values_at[faction]
            apart |= self.slots_of[k + (values & SOME)]
            apart |= self.slots_of[k + SOME + 1 + (values >> BITS)]
        self.apart = apart
        self.aparts[depth] = apart

    def _values(self, faction: int, rest: int) -> int:
        """The values of a set of cards of one faction."""
        k = self.values_at[faction]
        rest >>= self.begins[faction]
        return self.values_of[k + (rest & SOME)] | self.values_of[k + SOME + 1 + (rest >> BITS)]

    def _pairs(self, rest: int) -> int:
        """The values that a set of cards of one faction has twice."""
        values = 0
        pairs = 0
        while rest:
            low = rest & -rest
            rest ^= low
            value = 1 << VALUE_OF[self.card_of[PLACES[low * SPREAD >> 27 & 31]]]
            pairs |= values & value
            values |= value
        return pairs

    def _raise(self) -> None:
        """Find the cards that must be distinguished because won cards may raise their ranks.

        They are the cards that win or lose against another one because of that, and the cards of
        the other hand against which they do (`raised`); also the values of the raising cards that
        each side has won (`adds_to`).
        """
        self.raised = 0
        if self.adding == NOBODY:
            return
        mine = self.hands[0]
        theirs = self.hands[1]
        if self.lead >= 0:
            if self.table.leader:
                theirs |= 1 << self.lead
            else:
                mine |= 1 << self.lead
        rest = (mine | theirs) & self.of_faction[self.adding]
        coming = self._values(self.adding, rest)
        asked = 0
        raised = 0
        for side in range(2):
            others = mine if side else theirs
            won = self.table.mask[side * FACTION_COUNT + self.adding]
            rest = self.raisable & (theirs if side else mine)
            self.adds_to[side] = 0
            while rest:
                low = rest & -rest
                rest ^= low
                slot = PLACES[low * SPREAD >> 27 & 31]
                value = 1 << VALUE_OF[self.card_of[slot]]
                against = self.raises[slot] & others
                if against and value & (won | coming):
                    raised |= low | against
                    self.adds_to[side] |= won & value
                    asked |= coming & value
        rest = (mine | theirs) & self.of_faction[self.adding]
        while asked:
            low = asked & -asked
            asked ^= low
            raised |= rest & self.of_value[PLACES[low * SPREAD >> 27 & 31]]
        self.raised = raised

    def _key(self) -> int:
        """The key of the position, without the content of the lanes."""
        mine = self.hands[0]
        theirs = self.hands[1]
        hands = mine | theirs
        self._tell()
        self._raise()
        raised = self.raised & hands
        key = (self.salt + self.table.leader ^ self.numbers[0] + self.numbers[1]) * STEP & WORDS
        key ^= key >> 29
        # All cards in the order of factions and values: the owner of each, the identity of some.
        sides = self._shut(hands)
        order = packed(hands, theirs)
        self.pattern = mixed(key, order, 0)
        key = mixed(key, order, self.tall)
        if sides:
            key = mixed(key, 2, sides)
        if raised:
            key = mixed(key, packed(hands, raised), raised)
            key = mixed(key, self.adds_to[0], self.adds_to[1])
        if self.several:
            # Between equal cards the lead decides, not the order.
            rest = 0
            for i in range(self.several):
                same = hands & self.copies[i]
                if same & mine and same & theirs:
                    rest |= same & same - 1
            if rest:
                key = mixed(key, packed(hands, rest), 0)
        rest = hands & self.wild
        while rest:
            low = rest & -rest
            rest ^= low
            others = mine if low & theirs else theirs
            key = mixed(
                key, packed(hands, others & self.reaches[PLACES[low * SPREAD >> 27 & 31]]), 1
            )
        if (
            self.table.waiting
            and not self.shut >> max(0, self.lane[FACTION_OF[self.table.trolls[0]]]) & 1
        ):
            # Only the number of waiting Trolls matters, and whether the highest is one of them.
            for i in range(self.table.waiting):
                key = mixed(key, APART + self.worth[self.table.trolls[i]], i + 1)
        self.coarse = 0
        if self.open and self.looted < 0:
            self.coarse = (key ^ key >> 32) * STEP & WORDS
            self.coarse ^= self.coarse >> 32
        apart = self.apart & hands
        if apart:
            key = mixed(key, packed(hands, apart), apart)
        if self.singly & hands:
            key = mixed(key, mine & self.singly, theirs & self.singly)
            if hands & self.wild:
                # The values of the cards that they are compared with matter, too.
                key = mixed(key, mine & self.wild, theirs & self.wild)
        for i in range(self.specials):
            key = self._key_of(self.special[i], key)
        for i in range(self.table.waiting):
            card = self.table.trolls[i]
            asked = not self.merges[FACTION_OF[card]]
            if self.bounded:
                asked = asked or self.unwon.asks[FACTION_OF[card]] >> VALUE_OF[card] & 1 == 1
            if asked:
                key = mixed(key, card, i + 1)
        if self.looted >= 0:
            k = self.looted
            i = popcount(self.table.mask[k] & self.loot)
            key = mixed(key, i, popcount(self.table.mask[FACTION_COUNT + k] & self.loot))
            self.coarse = (key ^ key >> 32) * STEP & WORDS
            self.coarse ^= self.coarse >> 32
            key = self._with_numbers(key)
        key = (key ^ key >> 32) * STEP & WORDS
        return key ^ key >> 32

    def _with_numbers(self, key: int) -> int:
        """Mix in all that loot may be compared with at the end: the numbers of cards won.

        Where each card counts for one, the lanes and the cards left say these.
        """
        key = mixed(key, 0, self.score)
        numbers = 0
        for i in range(self.specials):
            k = self.special[i]
            j = FACTION_COUNT + k
            mine = self.table.count[k]
            theirs = self.table.count[j]
            if self.open_lies[k]:
                for value in range(VALUE_ROOM):
                    mine += self.table.display[value]
                    theirs += self.table.display[VALUE_ROOM + value]
            numbers = numbers << 8 | mine << 4 | theirs
        return mixed(key, 1, numbers)

    def _shut(self, hands: int) -> int:
        """Find the lanes that are `shut`: a side has the faction whatever is still played.

        Nothing more is distinguished in these.  Returns bits for these lanes, apart by side.
        `tall` becomes the cards that are the highest of an open faction.
        """
        tall = hands & self.tallest
        self.tall = tall
        self.shut = 0
        self.open = 0
        if self.looted >= 0 or (not self.bounded and not self.closing):
            return 0
        # By the guard bits of lanes, those of factions for which more than the lane matters first.
        at = self.limited
        won = self.closed_won[at] | self.won_need[at] << LANE - 1
        lost = self.closed_lost[at] | self.lost_need[at] << LANE - 1
        undecided = self.full_lanes & ~(won | lost)
        self.open = undecided | undecided - (undecided >> LANE - 1)
        if tall or self.table.waiting:
            for i in range(self.lanes):
                faction = self.of_lane[i]
                if self.way[faction] != FULL and (
                    tall & self.of_faction[faction]
                    or (self.table.waiting and FACTION_OF[self.table.trolls[0]] == faction)
                ):
                    shift = LANE * i
                    x = (self.score >> shift & 1023) - 256
                    left = self.left >> shift & 1023
                    one = 512
                    if x > left or -x > left:
                        tall &= ~self.of_faction[faction]
                        if x > 0:
                            won |= one << shift
                        else:
                            lost |= one << shift
        self.shut = won | lost
        self.shut |= self.shut - (self.shut >> LANE - 1)
        self.tall = tall
        return won | lost >> 1

    def _asked(self, need: int) -> int:
        """All bits of the lanes with a demand, none of the others."""
        lanes = (need | GUARDS) - ONES & GUARDS
        return lanes | lanes - (lanes >> LANE - 1)

    def _reopened(self, need: int, shut: int, side: int) -> int:
        """Set the demand in shut lanes that have one to what keeps them shut."""
        for i in range(self.lanes):
            shift = LANE * i
            if not shut >> shift & 1:
                continue
            x = need >> shift & 1023
            if x == (511 if side else 0):
                continue
            faction = self.of_lane[i]
            if self.judged[faction]:
                x = -255 if side else -256
            elif not self.gauged[faction]:
                x = self.left >> shift & 1023
            elif side:
                x = self.rises[self.limited] >> shift & 1023
            else:
                x = self.falls_by[self.limited] >> shift & 1023
            one = 1023
            need &= ~(one << shift)
            one = 256 - x - 1 if side else 256 + x + 1
            need |= one << shift
        return need

    def _key_of(self, faction: int, key: int) -> int:
        """Mix the won cards of a faction into a key, if more of it matters than a lane says."""
        k = faction
        j = FACTION_COUNT + faction
        if self.gauged[faction]:
            closed = self.closed_won[self.limited] | self.closed_lost[self.limited]
            if closed >> self.lane[faction] + LANE - 1 & 1:
                return key
            first = 48 * self.limited
            key = mixed(key, self.shows[first + k], self.shows[first + j])
            late = self.unwon.late
            if self.giants_of[faction] != NOBODY:
                # The Gnomes that may still be removed, as far as their number matters.
                rest = self.unwon.values[self.giants_of[faction]]
                shown = rest
                while rest:
                    value = PLACES[(rest & -rest) * SPREAD >> 27 & 31]
                    rest &= rest - 1
                    first = self.table.display[value]
                    second = self.table.display[VALUE_ROOM + value]
                    if self.unwon.capped:
                        number = giants_for(self.unwon, value)
                        first = min(first, number)
                        second = min(second, number)
                    shown = shown << 4 | first << 2 | second
                key = mixed(key, 0, shown)
            elif late and self.kings_of[faction] != NOBODY:
                # The side to which each value will move matters, too.
                key = mixed(key, self.table.mask[k] & late, self.table.mask[j] & late)
                rest = self.kings_of[faction]
                value = near(self.table.mask[rest]) & late
                key = mixed(key, value, near(self.table.mask[FACTION_COUNT + rest]) & late)
            return key
        if self.way[faction] != FULL:
            return key
        # The cards of a decided faction do not matter.
        first = self.sure_for[24 * self.limited + faction]
        if first != NOBODY:
            # Otherwise the lanes that are shut say whose it is.
            return key if self.looted < 0 else mixed(key, APART, first)
        key = mixed(key, self.table.count[k], self.table.count[j])
        key = mixed(key, self.table.mask[k], self.table.mask[j])
        if self.open_lies[faction]:
            for value in range(VALUE_ROOM):
                key = mixed(key, self.table.display[value], self.table.display[VALUE_ROOM + value])
        return key

    def _exact_key(self) -> int:
        """The key of the position with all of its cards."""
        self.shut = 0
        self.tall = self.tallest
        table = self.table
        key = mixed(self.salt, table.leader, 1)
        key = mixed(key, self.hands[0], self.hands[1])
        self.pattern = key
        for i in range(self.decks):
            k = self.factions[i]
            j = FACTION_COUNT + k
            key = mixed(key, table.count[k], table.count[j])
            key = mixed(key, table.mask[k], table.mask[j])
            key = mixed(key, table.total[k], table.total[j])
            if self.open_lies[k]:
                for value in range(VALUE_ROOM):
                    key = mixed(key, table.display[value], table.display[VALUE_ROOM + value])
        for i in range(table.waiting):
            key = mixed(key, table.trolls[i], i + 1)
        key = (key ^ key >> 32) * STEP & WORDS
        return key ^ key >> 32

    # Lanes ---------------------------------------------------------------------------------

    def _least(self, first: int, second: int) -> int:
        """The smaller number in each lane."""
        lanes = (first | GUARDS) - second & GUARDS
        lanes -= lanes >> LANE - 1
        return second & lanes | first & ~lanes

    def _greatest(self, first: int, second: int) -> int:
        """The greater number in each lane."""
        lanes = (first | GUARDS) - second & GUARDS
        lanes -= lanes >> LANE - 1
        return first & lanes | second & ~lanes

    def _before(self, need: int, was: int, now: int) -> int:
        """Convert demands after a trick that changed the score into demands before it."""
        if was == now:
            return need
        # Lanes without a demand (0, or the maximum) stay as they are.
        lanes = (need | GUARDS) - ONES & ~(need + ONES) & GUARDS
        lanes -= lanes >> LANE - 1
        return (need & lanes) + (was & lanes) - (now & lanes) | need & ~lanes
