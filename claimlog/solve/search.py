"""The value of a position of Phase 2 with two players, all hands known (docs/analysis.md).

What a game counts for is asked of a `Count`: there are no rules here, nor in `Outlook`.
The search keeps what it found of positions in a table of its own, with the lanes for which that
holds, and asks of each position only whether it is worth at least so much; two bounds that meet
are the value.

Compiled (see ``search.pxd``) or interpreted from this one source; interpreted it is some hundred
times slower.
"""

from array import array

from claimlog.cards import FACTION_COUNT
from claimlog.rules.scoring import Count
from claimlog.rules.table import Table
from claimlog.solve.numbers import (
    DEPTH,
    GUARDS,
    HIGHEST,
    LANE,
    LOWEST,
    NONE_YET,
    ONES,
    PLACES,
    ROOM,
)
from claimlog.solve.outlook import Outlook
from claimlog.solve.slots import popcount

WAYS = 8
"""How many positions one place of the table keeps."""
ROW = 3 * WAYS
FIRST = 1 << 11
"""How many places are used at first."""
BOTH = 3
"""Of an answer: it holds whatever is made of ties."""
ANY = sum(511 << LANE * i for i in range(5))


def value_of(share: int, votes: int, others: int) -> int:
    """A result as one number, the higher the better for side 0.

    `share` is 2 for a win of side 0, 1 for a shared one, 0 for a loss; `votes` are its factions,
    `others` those of side 1.  The result comes first, then the difference of factions; where
    both are equal the higher number of factions.
    """
    return share * 1024 + (votes - others + 16) * 32 + votes


def parts_of(value: int) -> tuple[int, int, int]:
    """Share, votes and others of a value."""
    votes = value % 32
    return value // 1024, votes, votes - (value // 32 % 32 - 16)


class Search(Outlook):
    """Values of one game's positions; `load` one, then `bounds`, `bounds_of` and `play`.

    `entries` is how many places for positions there are (a power of two, 192 bytes each).  Few
    are used at first: what lies close together is found sooner.

    While `plain` is true, positions are told apart by all of their cards, no two cards are one,
    and nothing is decided before the last trick: much slower, and what the rest is compared with.
    """

    def __init__(self, entries: int = 1 << 18) -> None:
        super().__init__()
        self.count = Count()
        self.most = entries
        self.size = min(entries, FIRST)
        self.stored = 0
        # Of each place the keys, what was found, and for which scores, `WAYS` of each.
        self.memory = array("Q", bytes(8 * ROW * entries))
        self.need = 0
        self.first = 0
        self.enough = 0
        self.little = 0
        self.level = 0
        self.tied = False
        self.stakes = [0] * 384
        self.weighed = 0
        self.runs = [0] * 5
        self.weights = [0] * 26
        self.tried = [0] * 416
        self.answers = [0] * 416
        self.nodes = 0
        self.limit = 0
        self.exhausted = False
        self.plain = False

    # What is asked -------------------------------------------------------------------------

    def bounds(self, limit: int, low: int = LOWEST, high: int = HIGHEST) -> tuple[int, int]:
        """At least and at most what the position is worth; equal where that is exact.

        `limit` is how many positions may be looked at, `low` and `high` what is known already.
        """
        return self._meet(-1, limit, low, high)

    def bounds_of(
        self, card: int, limit: int, low: int = LOWEST, high: int = HIGHEST
    ) -> tuple[int, int]:
        """The same for the position after a card.  Raises ValueError if it may not be played."""
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
        self._limit(0)
        least = value_of(0, 0, self.decks)
        most = value_of(2, self.decks, 0)
        low = max(low, least)
        high = min(high, most)
        guess = value_of(1, 0, 0)
        if high < most:
            # A position from which a card cannot make it better: most cards keep what it is worth.
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
                    # It depends on who shows more: the values of all cards count now.
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
        # Of more factions than are enough nothing is asked: answers hold more often then.
        self.enough = self._enough(beta, self.level > 0)
        self.little = self.decks - self._enough(beta, self.level >= 0) + 1
        self._weigh(0)
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
        """Whether the position at the beginning of a trick is worth at least `beta`.

        What is returned is at least `beta` and at most the value, or less than `beta` and at
        least the value; `need` says for which other scores that holds, too, and `tied` whether it
        depends on what is made of a tie (`level`).
        """
        table = self.table
        if table.trick > 2 * table.tricks:
            value = -1 if self.plain else self._decided(beta, 0, 0)
            return value if value >= 0 else self._end(beta)
        self.nodes += 1
        if self.nodes > self.limit:
            self.exhausted = True
            return 0
        value = self._sure(beta)
        if value >= 0:
            return value
        seat = table.leader
        hand = self.hands[seat]
        if not hand & hand - 1:
            # The last trick is played sooner than looked up.
            self.hands[seat] = 0
            value = self._follows(PLACES[hand % 37], beta, depth)
            self.hands[seat] = hand
            return value
        key = self._exact_key() if self.exactly else self._key()
        shut = self.shut
        open_lanes = self.open
        coarse = 0 if self.exactly else self.coarse
        tall = self.tall
        raised = self.raised
        first = NONE_YET
        sort = 1 if self.level < 0 else 2
        memory = self.memory
        if coarse:
            value = self._kept(coarse, beta)
            if value >= 0:
                return value
            first = self.first
        value = self._kept(key, beta)
        if value >= 0:
            return value
        if self.first != NONE_YET:
            first = self.first
        self._weigh(depth)
        number = self._order(seat, hand, first, depth * ROOM)
        best = LOWEST if seat == 0 else HIGHEST
        whole = 0 if seat else ANY
        chosen = NONE_YET
        tied = False
        for i in range(number):
            slot = self.tried[depth * ROOM + i]
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
                    break
                whole = self._least(whole, self.need)
                best = max(best, value)
            else:
                if value < beta:
                    best = value
                    chosen = slot
                    whole = self.need
                    tied = self.tied
                    break
                whole = self._greatest(whole, self.need)
                best = min(best, value)
            tied = tied or self.tied
        if chosen == NONE_YET:
            chosen = first
        # What holds where a tie is lost holds where it is won, and the other way round.
        if not tied or (self.level < 0) == (best >= beta):
            sort = BOTH
        self.tied = sort != BOTH
        self.need = whole
        if shut:
            if best >= beta:
                # Asked is that a side has the faction, and so it is by the key.
                whole = whole & ~shut | self._asked(whole) & ONES & shut
                self.need = self._reopened(whole, shut, 0)
            else:
                whole = ANY ^ whole
                whole = ANY ^ (whole & ~shut | self._asked(whole) & ONES & shut)
                self.need = self._reopened(whole, shut, 1)
        if coarse and not (whole if best >= beta else ANY ^ whole) & open_lanes:
            key = coarse
        if self.stored > 4 * self.size and self.size < self.most:
            self._grow()
        self.stored += 1
        place = (key & self.size - 1) * ROW
        i = place
        while i < place + WAYS and memory[i]:
            i += 1
        # If all are taken any of them gives way, at random.
        place = i if i < place + WAYS else place + (self.nodes & WAYS - 1)
        memory[place] = key
        entry = best | (1 << 13 if best >= beta else 0) | sort << 14 | chosen << 16
        memory[place + WAYS] = entry
        memory[place + 2 * WAYS] = whole
        return best

    def _kept(self, key: int, beta: int) -> int:
        """What is kept of a position that answers the question, or -1; `first` is its best card."""
        score = self.score
        sort = 1 if self.level < 0 else 2
        memory = self.memory
        self.first = NONE_YET
        place = (key & self.size - 1) * ROW
        for i in range(place, place + WAYS):
            if memory[i] == key:
                entry = memory[i + WAYS]
                value = entry & 8191
                self.first = entry >> 16
                need = memory[i + 2 * WAYS]
                if not entry >> 14 & sort:
                    # It holds only if ties go to the other side.
                    continue
                if entry >> 13 & 1:
                    if value >= beta and ((score | GUARDS) - need & GUARDS) == GUARDS:
                        self.need = self._reopened(need, self.shut, 0) if self.shut else need
                        self.tied = (entry >> 14 & 3) != BOTH
                        return value
                elif value < beta and ((need | GUARDS) - score & GUARDS) == GUARDS:
                    self.need = self._reopened(need, self.shut, 1) if self.shut else need
                    self.tied = (entry >> 14 & 3) != BOTH
                    return value
        return -1

    def _grow(self) -> None:
        """Use twice as many places: half of what is kept moves there."""
        memory = self.memory
        size = self.size
        self._clear(size, 2 * size)
        for i in range(size):
            at = i * ROW
            to = (size + i) * ROW
            for k in range(WAYS):
                if memory[at + k] & size:
                    for n in range(0, ROW, WAYS):
                        memory[to + k + n] = memory[at + k + n]
                    memory[at + k] = 0
        self.size = 2 * size

    def _clear(self, begin: int, end: int) -> None:
        """Forget what stands in these places."""
        memory = self.memory
        for i in range(begin, end):
            for k in range(WAYS):
                memory[i * ROW + k] = 0

    def load(self, table: Table, hands: list[list[int]], loot: int, plays: list[int]) -> None:
        """As `Outlook.load`; nothing of what was found before is kept."""
        super().load(table, hands, loot, plays)
        self.size = min(self.most, FIRST)
        self.stored = 0
        self._clear(0, self.size)

    def _after(self, lead: int, slot: int, beta: int, depth: int) -> int:
        """The position after both cards of a trick; the table is as before afterwards."""
        table = self.table
        seat = 1 - table.leader
        self.hands[seat] ^= 1 << slot
        held = self.lead
        score = self.score
        left = self.left
        numbers = self.numbers
        self.numbers = numbers - self.one[lead] - self.one[slot]
        self.lead = -1
        below = 0 if depth == DEPTH - 1 else depth + 1
        limited = self.limited
        changes = (self.asked >> self.faction_of[lead] | self.asked >> self.faction_of[slot]) & 1
        k = self._known(lead, slot)
        if k >= 0:
            leader = table.leader
            first = self.goes_first[k]
            second = self.goes_second[k]
            shown_first = table.mask[first * FACTION_COUNT + self.faction_of[lead]]
            self._gain(first, lead)
            shown_second = table.mask[second * FACTION_COUNT + self.faction_of[slot]]
            self._gain(second, slot)
            table.leader = self.leads_next[k]
            table.trick += 1
            if changes:
                self._limit(below)
            value = self._leads(beta, below)
            table.trick -= 1
            table.leader = leader
            self._lose(second, slot, shown_second)
            self._lose(first, lead, shown_first)
        else:
            self._save(depth)
            self._decide(lead, slot)
            self._score()
            if changes:
                self._limit(below)
            value = self._leads(beta, below)
            self._restore(depth)
        self.lead = held
        if changes:
            self.limited = limited
            self.apart = self.aparts[limited]
            self.unwon = self.lefts[limited]
        self.numbers = numbers
        self.need = self._before(self.need, score, self.score)
        self.score = score
        self.left = left
        self.hands[seat] ^= 1 << slot
        return value

    def _follows(self, lead: int, beta: int, depth: int) -> int:
        """The same once a card has been led."""
        seat = 1 - self.table.leader
        hand = self._following(self.hands[seat], lead)
        row = self.faction_of[lead] * ROOM
        held = self.lead
        self.lead = lead
        best = LOWEST if seat == 0 else HIGHEST
        whole = 0 if seat else ANY
        tied = False
        number = 0
        last = -1
        at = depth * ROOM
        self.weighed = depth * 24
        rest = hand
        while rest:
            low = rest & -rest
            rest ^= low
            slot = PLACES[low % 37]
            if last >= 0 and self._equivalent(seat, last, slot):
                last = slot
                continue
            last = slot
            # First what wins most or gives away least, with the lowest card that does it.
            weight = 32 * self._swing(seat, lead, slot)
            weight -= self.ranks[row + slot] & 31
            k = number
            while k > 0 and self.weights[k - 1] < weight:
                self.weights[k] = self.weights[k - 1]
                self.answers[at + k] = self.answers[at + k - 1]
                k -= 1
            self.weights[k] = weight
            self.answers[at + k] = slot
            number += 1
        for i in range(number):
            value = self._after(lead, self.answers[at + i], beta, depth)
            if self.exhausted:
                self.lead = held
                return 0
            if seat == 0:
                if value >= beta:
                    self.lead = held
                    return value
                best = max(best, value)
                whole = self._least(whole, self.need)
            else:
                if value < beta:
                    self.lead = held
                    return value
                best = min(best, value)
                whole = self._greatest(whole, self.need)
            tied = tied or self.tied
        self.lead = held
        self.need = whole
        self.tied = tied
        return best

    def _order(self, seat: int, hand: int, first: int, at: int) -> int:
        """Put the slots to try into `tried`, of equivalent cards one; returns how many."""
        number = 0
        last = -1
        rest = hand
        while rest:
            low = rest & -rest
            rest ^= low
            slot = PLACES[low % 37]
            if last >= 0 and self._equivalent(seat, last, slot):
                last = slot
                continue
            last = slot
            weight = self._lead_weight(seat, slot)
            if slot == first:
                weight = 1 << 30
            k = number
            while k > 0 and self.weights[k - 1] < weight:
                self.weights[k] = self.weights[k - 1]
                self.tried[at + k] = self.tried[at + k - 1]
                k -= 1
            self.weights[k] = weight
            self.tried[at + k] = slot
            number += 1
        return number

    def _lead_weight(self, seat: int, slot: int) -> int:
        """How good a lead looks: what it wins at least, then the lead itself, then its rank."""
        replies = self._following(self.hands[1 - seat], slot)
        # Few answers are looked through sooner.
        weight = -120 * popcount(replies)
        best = 4096
        while replies:
            low = replies & -replies
            replies ^= low
            best = min(best, self._swing(seat, slot, PLACES[low % 37]))
        if best > 0:
            weight += 2 * (self.ranks[self.faction_of[slot] * ROOM + slot] & 31)
        return weight + 32 * best

    def _swing(self, seat: int, lead: int, slot: int) -> int:
        """What a trick of two cards is worth to a seat: its stakes, and a little for the lead."""
        k = lead * ROOM + slot
        worth = 2 if self.leads_next[k] == seat else -2
        stake = self.stakes[self.weighed + self.faction_of[lead]]
        worth += stake if self.goes_first[k] == seat else -stake
        stake = self.stakes[self.weighed + self.faction_of[slot]]
        return worth + (stake if self.goes_second[k] == seat else -stake)

    def _weigh(self, depth: int) -> None:
        """Look up what a card of each faction is worth now (`stakes`)."""
        self.weighed = depth * 24
        for i in range(self.decks):
            faction = self.factions[i]
            shift = self.lane[faction]
            if shift < 0 or self.judged[faction]:
                self.stakes[self.weighed + faction] = 4
                continue
            x = (self.score >> shift & 1023) - 256
            left = self.left >> shift & 1023
            if x > left or -x > left:
                self.stakes[self.weighed + faction] = 0
            else:
                self.stakes[self.weighed + faction] = 1 + 8 // (left + 1)

    # What is sure already ------------------------------------------------------------------

    def _sure(self, beta: int) -> int:
        """Answer by the factions that are decided, now or by the next tricks of each side.

        -1 if that is not enough.
        """
        if self.plain:
            return -1
        value = self._decided(beta, 0, 0)
        if value < 0 and self.steady:
            own = self._cashed()
            other = self._stopped()
            if own or other:
                if self.table.leader:
                    value = self._decided(beta, other, own)
                else:
                    value = self._decided(beta, own, other)
        return value

    def _decided(self, beta: int, own: int, other: int) -> int:
        """Answer by the factions of which each side wins at least so much, in lanes."""
        self.tied = False
        mine = 0
        others = 0
        need = 0
        limit = ANY
        enough = self.enough
        little = self.little
        at = 24 * self.limited
        if self.bounded:
            for i in range(self.decks):
                faction = self.factions[i]
                one = 1
                if self.sure_for[at + faction] == 0:
                    mine += 1
                    if self.judged[faction]:
                        need |= one << self.lane[faction]
                elif self.sure_for[at + faction] == 1:
                    others += 1
                    if self.judged[faction]:
                        limit ^= one << self.lane[faction]
        for i in range(self.lanes):
            shift = LANE * i
            x = (self.score >> shift & 1023) - 256
            faction = self.of_lane[i]
            if self.gauged[faction]:
                most = self.fall[at + faction]
                least = self.rise[at + faction]
            else:
                left = self.left >> shift & 1023
                most = left - 2 * (own >> shift & 1023)
                least = left - 2 * (other >> shift & 1023)
            if x > most:
                if mine < enough:
                    mine += 1
                    one = 256 + most + 1
                    need |= one << shift
            elif -x > least and others < little:
                others += 1
                one = 511 - (256 - least - 1)
                limit ^= one << shift
        if mine >= enough:
            self.need = need
            return self._split(mine, self.level > 0)
        if others >= little:
            self.need = limit
            return self._split(self.decks - others, self.level >= 0)
        return -1

    def _cashed(self) -> int:
        """What the leader wins at once, in lanes, by cards that nothing in the other hand beats."""
        leader = self.table.leader
        hand = self.hands[leader]
        other = self.hands[1 - leader]
        sure = 0
        tricks = 0
        for i in range(self.decks):
            faction = self.factions[i]
            rest = hand & self.of_faction[faction]
            self.runs[i] = 0
            if not rest:
                continue
            gain = 0
            winners = 0
            beaten = 0
            while rest:
                low = rest & -rest
                rest ^= low
                slot = PLACES[low % 37]
                if not other & self.beaten_by[slot]:
                    winners += 1
                    gain += self.worth[self.card_of[slot]]
                else:
                    beaten |= low
            own = other & self.of_faction[faction]
            if winners and beaten and winners >= popcount(other & self.allowed[faction]):
                # Then the other hand has followed with all that it has of this faction.
                while beaten:
                    low = beaten & -beaten
                    beaten ^= low
                    slot = PLACES[low % 37]
                    if not other & self.beaten_by[slot] & ~own:
                        winners += 1
                        gain += self.worth[self.card_of[slot]]
            self.runs[i] = winners
            tricks += winners
            if self.counts[faction]:
                sure |= gain << self.lane[faction]
        if not tricks:
            return 0
        for i in range(self.decks):
            faction = self.factions[i]
            if self.falls[faction]:
                # Who has the faction must follow, unless another card may be played for it;
                # and who plays more cards than it has of others plays these.
                own = popcount(other & self.of_faction[faction])
                more = self.runs[i] - popcount(other & self.allowed[faction]) + own
                more = max(min(own, more), tricks - popcount(other) + own)
                if more > 0:
                    gain = 2 * more
                    sure += gain << self.lane[faction]
        return sure

    def _stopped(self) -> int:
        """What the other side wins at least, in lanes: the leader must let it in to these cards.

        They win whenever they are led or follow to their faction, and so many of the leader's
        cards lose to one of them that none has to be thrown away before.
        """
        leader = self.table.leader
        hand = self.hands[leader]
        other = self.hands[1 - leader]
        sure = 0
        number = 0
        lets_in = 0
        rest = other
        while rest:
            low = rest & -rest
            rest ^= low
            slot = PLACES[low % 37]
            if not hand & self.beaten_by[slot]:
                faction = self.faction_of[slot]
                taken = hand & self.beats[slot]
                follow = hand & self.of_faction[faction]
                if not follow & ~taken and popcount(lets_in | taken) > number:
                    lets_in |= taken
                    number += 1
                    if self.counts[faction]:
                        gain = self.worth[self.card_of[slot]]
                        sure += gain << self.lane[faction]
        return sure

    def _split(self, mine: int, level: bool) -> int:
        """The value where side 0 wins so many factions, and side 1 the others.

        `level`: side 0 wins where both have equally many.
        """
        others = self.decks - mine
        share = 2 if mine > others or (level and mine == others) else 0
        return share * 1024 + (mine - others + 16) * 32 + mine

    def _enough(self, beta: int, level: bool) -> int:
        """How many factions side 0 needs for a value of at least `beta`."""
        mine = 0
        while mine <= self.decks and self._split(mine, level) < beta:
            mine += 1
        return mine

    # The end -------------------------------------------------------------------------------

    def _end(self, beta: int) -> int:
        """The value of a finished game; a side's loot counts for what is best for it."""
        count = self.count
        self.tied = False
        level = self.level
        value = self._valued()
        if level and (self.loot or count.votes[0] == count.votes[1]):
            # What it is worth if a tie goes to the other side.
            self.level = -level
            other = self._valued()
            self.level = level
            self.tied = (value < beta) != (other < beta)
            if not self.tied:
                value = max(value, other) if value < beta else min(value, other)
        self.need = 0 if value >= beta else ANY
        if not self.lanes:
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
        # Somewhere nobody wins: then it is as it is.
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
            # By what the cards show: left open, once to the one side and once to the other.
            share = 2 if self.level > 0 else 0
        elif not count.share[0]:
            share = 0
        elif not count.share[1]:
            share = 2
        return share * 1024 + (count.votes[0] - count.votes[1] + 16) * 32 + count.votes[0]

    def _looted(self) -> int:
        """Side 0 chooses first, and knows that side 1 chooses then."""
        count = self.count
        fewest = [count.fewest[side] if count.undecided(side) else 0 for side in range(2)]
        best = LOWEST
        for mine in range(FACTION_COUNT):
            if fewest[0] and not fewest[0] >> mine & 1:
                continue
            worst = HIGHEST
            for other in range(FACTION_COUNT):
                if fewest[1] and not fewest[1] >> other & 1:
                    continue
                count.gather(self.table, self.loot)
                if fewest[0]:
                    count.choose(0, mine)
                if fewest[1]:
                    count.choose(1, other)
                count.decide()
                worst = min(worst, self._counted())
                if not fewest[1]:
                    break
            best = max(best, worst)
            if not fewest[0]:
                break
        return best
