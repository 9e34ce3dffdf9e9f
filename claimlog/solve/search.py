"""The value of a position of Phase 2 with two players, all hands known (docs/analysis.md).

What cards do is asked of a `Table`, what they count for of a `Count`: there are no rules here.
The search keeps what it found of positions in a table of its own, and asks of each position only
whether it is worth at least so much; two bounds that meet are the value.

Positions are told apart by the hands, the leader and what of the score can still matter: of a
faction that counts by cards alone the difference and who holds its highest card, of all others
everything.  Cards of a hand between which no card of another place lies are one card.

Compiled (see ``search.pxd``) or interpreted from this one source; interpreted it is some hundred
times slower.
"""

from array import array

from claimlog.cards import (
    CARDS,
    FACTION_COUNT,
    FACTION_OF,
    VALUE_OF,
    VALUE_ROOM,
)
from claimlog.rules.limits import Left, asked_about, decided, doubler, doubling, shown_late
from claimlog.rules.powers import may_play, standing
from claimlog.rules.race import FULL, PLAIN, asks_of_piles, lies_open, ways_of
from claimlog.rules.scoring import Count
from claimlog.rules.table import Table
from claimlog.solve.numbers import HIGHEST, LOWEST, NONE_YET, STEP, WORDS

ROOM = 26
"""The most cards that two hands hold."""
DEPTH = 16
"""How many tricks can be kept to take them back: 13, that of `bounds_of`, and the first."""
SAVED = 256
"""How much is kept of a `Table` to take a trick back."""
WAYS = 8
"""How many positions one place of the table keeps."""
LANE = 10
"""The bits of a lane: how far side 0 is ahead in a faction, 256 for not at all."""
GUARDS = sum(512 << LANE * i for i in range(5))
ANY = sum(511 << LANE * i for i in range(5))
NOBODY = -1
EQUAL = 96
"""Marks equal cards in a key."""


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


def popcount(slots: int) -> int:
    """How many slots these are."""
    # Pairs, fours and bytes of bits are added up, then the four bytes.
    slots -= slots >> 1 & 0x55555555
    slots = (slots & 0x33333333) + (slots >> 2 & 0x33333333)
    return ((slots + (slots >> 4)) & 0x0F0F0F0F) * 0x01010101 >> 24 & 63


def mixed(key: int, first: int, second: int) -> int:
    """A key with two more small numbers in it."""
    key = (key ^ first << 32 ^ second) * STEP & WORDS
    return key ^ key >> 29


class Search:
    """Values of one game's positions; `load` one, then `bounds`, `bounds_of` and `play`.

    `entries` is how many positions are kept (a power of two, 24 bytes each).
    """

    def __init__(self, entries: int = 1 << 18) -> None:
        self.table = Table()
        self.count = Count()
        self.size = entries
        self.keys = array("Q", bytes(8 * WAYS * entries))
        self.kept = array("q", bytes(8 * WAYS * entries))
        self.needs = array("Q", bytes(8 * WAYS * entries))
        self.score = 0
        self.left = 0
        self.need = 0
        self.lanes = 0
        self.lane = [0] * 24
        self.worth = [0] * 256
        self.level = 0
        self.mode = 0
        self.may_level = False
        self.exactly = False
        self.card_of = [0] * 26
        self.faction_of = [0] * 26
        self.ranks = [0] * 624
        self.above = [0] * 26
        self.of_faction = [0] * 24
        self.of_value = [0] * 16
        self.below = [0] * 16
        self.allowed = [0] * 24
        self.merges = [0] * 24
        self.across = [0] * 24
        self.factions = [0] * 24
        self.places = [0] * 48
        self.open_lies = [0] * 24
        self.shown_late = [0] * 24
        self.first_of = [0] * 24
        self.goes_first = [0] * 676
        self.goes_second = [0] * 676
        self.leads_next = [0] * 676
        self.beaten_by = [0] * 26
        self.falls = [0] * 24
        self.settled = False
        self.wild = 0
        self.way = [0] * 24
        self.sure_for = [0] * 24
        self.asked = [0] * 24
        self.asker = [0] * 24
        self.doubles = NOBODY
        self.bounded = False
        self.unwon = Left()
        self.saved = [0] * 4096
        self.hands = [0] * 2
        self.first_hands = [0] * 2
        self.first_score = 0
        self.first_left = 0
        self.weights = [0] * 26
        self.tried = [0] * 416
        self.answers = [0] * 416
        self.shown = False
        self.salt = 0
        self.slots = 0
        self.decks = 0
        self.loot = 0
        self.nodes = 0
        self.limit = 0
        self.exhausted = False
        self.lead = -1

    def load(self, table: Table, hands: list[list[int]], loot: int, plays: list[int]) -> None:
        """Take a position: the table at the beginning of a trick, and both hands.

        `loot` is the set of values whose Raccoons show loot.  `plays` are the cards of the
        trick that have been played; the hands have them no more.
        """
        # Of another position nothing is found again: this goes into every key.
        self.salt = (self.salt + STEP) & WORDS
        mine = self.table
        mine.set_up(2, table.tricks, table.deck, table.leader, table.troll_line, False, False)
        mine.trick = table.trick
        mine.count[:] = table.count
        mine.mask[:] = table.mask
        mine.total[:] = table.total
        mine.display[:] = table.display
        mine.trolls[:] = table.trolls
        mine.waiting = table.waiting
        self.loot = loot
        held = [list(hand) for hand in hands]
        for i, card in enumerate(plays):
            held[(table.leader + i) % 2].append(card)
        cards = sorted((card, seat) for seat in range(2) for card in held[seat])
        self.slots = len(cards)
        self.hands[0] = self.hands[1] = 0
        for faction in range(FACTION_COUNT):
            self.of_faction[faction] = 0
        for value in range(VALUE_ROOM):
            self.of_value[value] = 0
        for slot, (card, seat) in enumerate(cards):
            self.card_of[slot] = card
            self.faction_of[slot] = FACTION_OF[card]
            self.hands[seat] |= 1 << slot
            self.of_faction[FACTION_OF[card]] |= 1 << slot
            self.of_value[VALUE_OF[card]] |= 1 << slot
        for value in range(VALUE_ROOM - 1):
            self.below[value + 1] = self.below[value] | self.of_value[value]
        self._prepare(table.deck)
        self.lead = -1
        self.settled = not asks_of_piles(table.deck)
        if self.settled:
            self._look_up_tricks()
        self._save(DEPTH - 2)
        self.first_hands[0] = self.hands[0]
        self.first_hands[1] = self.hands[1]
        self.first_score = self.score
        self.first_left = self.left
        for card in plays:
            self.play(card)

    def _prepare(self, deck: int) -> None:
        """Look up what does not change while the hands are played."""
        self.decks = 0
        self.shown = False
        for faction in range(FACTION_COUNT):
            self.open_lies[faction] = 1 if lies_open(faction) else 0
            self.shown_late[faction] = 1 if shown_late(faction) else 0
            if deck >> faction & 1:
                self.factions[self.decks] = faction
                self.places[2 * self.decks] = faction
                self.places[2 * self.decks + 1] = FACTION_COUNT + faction
                self.decks += 1
                self.shown = self.shown or lies_open(faction)
        present = [self._present(faction) for faction in range(FACTION_COUNT)]
        ways, self.may_level = ways_of(deck, self.loot, present)
        table = self.table
        self.lanes = 0
        self.score = 0
        self.left = 0
        self.wild = 0
        self.doubles = doubler(deck)
        for faction in range(FACTION_COUNT):
            self.sure_for[faction] = NOBODY
            self.asked[faction] = 0
        for faction, other in asked_about(deck):
            self.asked[faction] = 1
            self.asker[faction] = other
        self.bounded = FULL in ways
        for faction in range(FACTION_COUNT):
            self.way[faction] = ways[faction]
            self.lane[faction] = -1
            if deck >> faction & 1 and ways[faction] < FULL:
                shift = LANE * self.lanes
                self.lane[faction] = shift
                self.lanes += 1
                # Of an odd number both cannot win equally many: the highest does not matter.
                even = len(present[faction]) % 2 == 0
                top = max(present[faction], default=-1) if even else -1
                for card in range(CARDS):
                    if FACTION_OF[card] == faction:
                        self.worth[card] = 3 if VALUE_OF[card] == top else 2
                lead = 2 * (table.count[faction] - table.count[FACTION_COUNT + faction])
                if top >= 0 and table.mask[faction] >> top & 1:
                    lead += 1
                elif top >= 0 and table.mask[FACTION_COUNT + faction] >> top & 1:
                    lead -= 1
                left = sum(
                    self.worth[self.card_of[slot]]
                    for slot in range(self.slots)
                    if self.faction_of[slot] == faction
                )
                for i in range(table.waiting):
                    if FACTION_OF[table.trolls[i]] == faction:
                        left += self.worth[table.trolls[i]]
                self.score += 256 + lead << shift
                self.left += left << shift
            self.merges[faction] = 1 if ways[faction] == PLAIN else 0
            self.allowed[faction] = 0
            self.across[faction] = 0
            self.first_of[faction] = 0
            while (
                self.first_of[faction] < self.slots
                and self.faction_of[self.first_of[faction]] < faction
            ):
                self.first_of[faction] += 1
            for slot in range(self.slots):
                other = self.faction_of[slot]
                rank = standing(other, faction) * 32 + VALUE_OF[self.card_of[slot]]
                self.ranks[faction * ROOM + slot] = rank
                if may_play(1 << faction, faction, other):
                    self.allowed[faction] |= 1 << slot
                # Cards that may be compared with each other when either faction is led.
                if may_play(1 << faction, faction, other) or may_play(1 << other, other, faction):
                    self.across[faction] |= 1 << slot
                # Cards that are compared with those of other factions by their values.
                if other != faction and may_play(1 << faction, faction, other):
                    self.wild |= 1 << slot
        for slot in range(self.slots):
            row = self.faction_of[slot] * ROOM
            self.above[slot] = 0
            for other in range(self.slots):
                if self.ranks[row + other] > self.ranks[row + slot]:
                    self.above[slot] |= 1 << other

    def _present(self, faction: int) -> list[int]:
        """The values of a faction's cards that are in piles, in line or in hands, each copy."""
        table = self.table
        values = [
            VALUE_OF[self.card_of[slot]]
            for slot in range(self.slots)
            if self.faction_of[slot] == faction
        ]
        for seat in range(2):
            k = seat * FACTION_COUNT + faction
            shown = [value for value in range(VALUE_ROOM) if table.mask[k] >> value & 1]
            values += shown
            # Copies of a value beyond the first are not told apart; any will do.
            values += shown[:1] * (table.count[k] - len(shown))
            if lies_open(faction):
                for value in range(VALUE_ROOM):
                    values += [value] * table.display[seat * VALUE_ROOM + value]
        for k in range(table.waiting):
            if FACTION_OF[table.trolls[k]] == faction:
                values.append(VALUE_OF[table.trolls[k]])
        return values

    # What is asked -------------------------------------------------------------------------

    def seat(self) -> int:
        """Who plays next, from 0."""
        return self.table.leader if self.lead < 0 else 1 - self.table.leader

    def hand(self, seat: int) -> list[int]:
        """The cards that a seat, from 0, still holds, ascending."""
        held = self.hands[seat]
        return [self.card_of[slot] for slot in range(self.slots) if held >> slot & 1]

    def choices(self) -> list[int]:
        """The cards that may be played next, ascending, each kind once."""
        legal = self._legal(self.seat())
        return sorted({self.card_of[slot] for slot in range(self.slots) if legal >> slot & 1})

    def same(self) -> list[list[int]]:
        """The `choices` in groups of cards that are equivalent in what follows."""
        # Where the values of cards may be compared at the end, no two of them are.
        self.exactly = self.may_level
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

    def play(self, card: int) -> None:
        """Play a card of who is to play, one that the hand has; the trick may be decided by it."""
        seat = self.seat()
        slot = 0
        while self.card_of[slot] != card or not self.hands[seat] >> slot & 1:
            slot += 1
            if slot == self.slots:
                raise ValueError("the hand does not have this card")
        if self.lead < 0:
            self.hands[seat] ^= 1 << slot
            self.lead = slot
            return
        self.hands[seat] ^= 1 << slot
        self._decide(self.lead, slot)
        self._score()
        self.lead = -1

    def rewind(self) -> None:
        """Go back to the beginning of the trick that was loaded."""
        self._restore(DEPTH - 2)
        self.hands[0] = self.first_hands[0]
        self.hands[1] = self.first_hands[1]
        self.score = self.first_score
        self.left = self.first_left
        self.lead = -1

    def over(self) -> bool:
        """Whether all tricks are played."""
        return self.table.trick > 2 * self.table.tricks

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
        self.exactly = False
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
            self.mode = self.level + 1 + 4 * self.exactly
            found = self._ask(slot, beta)
            if self.level and found < beta and not self.exhausted:
                self.level = 1
                self.mode = 2
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

    def _legal(self, seat: int) -> int:
        """The slots that `seat` may play next."""
        hand = self.hands[seat]
        if self.lead < 0:
            return hand
        return self._following(hand, self.lead)

    def _following(self, hand: int, lead: int) -> int:
        """Of a hand what may follow a lead."""
        led = self.faction_of[lead]
        if hand & self.of_faction[led]:
            return hand & self.allowed[led]
        return hand

    def _equivalent(self, seat: int, lower: int, higher: int) -> bool:
        """Whether two cards of a hand, next to each other there, are one card in what follows."""
        if self.card_of[lower] == self.card_of[higher]:
            return True
        faction = self.faction_of[lower]
        if faction != self.faction_of[higher] or not self.merges[faction] or self.exactly:
            return False
        # Whoever has the highest card of all wins where both have equally many.
        if self.worth[self.card_of[higher]] > 2:
            return False
        first = VALUE_OF[self.card_of[lower]]
        last = VALUE_OF[self.card_of[higher]]
        others = self.hands[1 - seat]
        if self.lead >= 0:
            others |= 1 << self.lead
        between = (self.below[last] | self.of_value[last]) & ~self.below[first]
        return not between & others & self.across[faction]

    def _decide(self, lead: int, slot: int) -> None:
        """Decide the trick of these two cards, and go on to the next."""
        table = self.table
        table.cards[0] = self.card_of[lead]
        table.cards[1] = self.card_of[slot]
        table.played = 2
        table.settle()
        table.advance()

    def _after(self, lead: int, slot: int, beta: int, depth: int) -> int:
        """The position after both cards of a trick; the table is as before afterwards."""
        table = self.table
        seat = 1 - table.leader
        self.hands[seat] ^= 1 << slot
        held = self.lead
        score = self.score
        left = self.left
        self.lead = -1
        below = 0 if depth == DEPTH - 1 else depth + 1
        if self.settled:
            # What these two cards do is known: nothing else on the table changes it.
            k = lead * ROOM + slot
            leader = table.leader
            first = self.goes_first[k] * FACTION_COUNT + self.faction_of[lead]
            second = self.goes_second[k] * FACTION_COUNT + self.faction_of[slot]
            shown_first = table.mask[first]
            self._gain(first, lead)
            shown_second = table.mask[second]
            self._gain(second, slot)
            table.leader = self.leads_next[k]
            table.trick += 1
            value = self._leads(beta, below)
            table.trick -= 1
            table.leader = leader
            self._lose(second, slot, shown_second)
            self._lose(first, lead, shown_first)
        else:
            self._save(depth)
            self._decide(lead, slot)
            self._score()
            value = self._leads(beta, below)
            self._restore(depth)
        self.lead = held
        self.need = self._before(self.need, score, self.score)
        self.score = score
        self.left = left
        self.hands[seat] ^= 1 << slot
        return value

    def _gain(self, k: int, slot: int) -> None:
        """Put a card on the score pile of a seat and faction."""
        table = self.table
        card = self.card_of[slot]
        table.count[k] += 1
        table.mask[k] |= 1 << VALUE_OF[card]
        table.total[k] += VALUE_OF[card]
        shift = self.lane[self.faction_of[slot]]
        if shift >= 0:
            worth = self.worth[card]
            if k < FACTION_COUNT:
                self.score += worth << shift
            else:
                self.score -= worth << shift
            self.left -= worth << shift

    def _lose(self, k: int, slot: int, shown: int) -> None:
        """Take it away again; `shown` are the values that were there before."""
        table = self.table
        table.count[k] -= 1
        table.mask[k] = shown
        table.total[k] -= VALUE_OF[self.card_of[slot]]

    def _look_up_tricks(self) -> None:
        """Let the table decide every trick of two cards, if powers ask nothing of the piles."""
        table = Table()
        for faction in range(FACTION_COUNT):
            self.falls[faction] = 1
        for lead in range(self.slots):
            self.beaten_by[lead] = 0
            leader = self.hands[1] >> lead & 1
            for slot in range(self.slots):
                if self.hands[1] >> slot & 1 == leader:
                    continue
                table.set_up(2, 13, self.table.deck, leader, False, False, False)
                table.trick = table.tricks + 1
                table.play(self.card_of[lead])
                table.play(self.card_of[slot])
                table.settle()
                k = lead * ROOM + slot
                self.leads_next[k] = table.next_leader
                for i in range(table.gained):
                    # Both may be the same card, of which there are copies: then either will do.
                    if table.gained_card[i] == self.card_of[lead]:
                        self.goes_first[k] = table.gained_seat[i]
                    if table.gained_card[i] == self.card_of[slot]:
                        self.goes_second[k] = table.gained_seat[i]
                if table.next_leader != leader or self.goes_first[k] != leader:
                    self.beaten_by[lead] |= 1 << slot
                elif self.goes_second[k] != leader:
                    self.falls[self.faction_of[slot]] = 0

    def _score(self) -> None:
        """Count what the trick that was just decided moved to score piles."""
        table = self.table
        for i in range(table.gained):
            card = table.gained_card[i]
            shift = self.lane[FACTION_OF[card]]
            if shift >= 0:
                worth = self.worth[card]
                if table.gained_seat[i] == 0:
                    self.score += worth << shift
                else:
                    self.score -= worth << shift
                self.left -= worth << shift

    def _leads(self, beta: int, depth: int) -> int:
        """Whether the position at the beginning of a trick is worth at least `beta`.

        What is returned is at least `beta` and at most the value, or less than `beta` and at
        least the value; `need` says for which other scores that holds, too.
        """
        table = self.table
        if table.trick > 2 * table.tricks:
            return self._end(beta)
        self.nodes += 1
        if self.nodes > self.limit:
            self.exhausted = True
            return 0
        self._limit()
        value = self._sure(beta)
        if value >= 0:
            return value
        key = self._key()
        score = self.score
        first = NONE_YET
        place = (key & self.size - 1) * WAYS
        for i in range(WAYS):
            if self.keys[place + i] == key:
                entry = self.kept[place + i]
                value = entry & 8191
                first = entry >> 14
                need = self.needs[place + i]
                if entry >> 13 & 1:
                    if value >= beta and ((score | GUARDS) - need & GUARDS) == GUARDS:
                        self.need = need
                        return value
                elif value < beta and ((need | GUARDS) - score & GUARDS) == GUARDS:
                    self.need = need
                    return value
        seat = table.leader
        hand = self.hands[seat]
        number = self._order(seat, hand, first, depth * ROOM)
        best = LOWEST if seat == 0 else HIGHEST
        whole = 0 if seat else ANY
        chosen = NONE_YET
        for i in range(number):
            slot = self.tried[depth * ROOM + i]
            self.hands[seat] = hand ^ 1 << slot
            value = self._follows(slot, beta, depth)
            self.hands[seat] = hand
            if self.exhausted:
                return 0
            if seat == 0:
                if value >= beta:
                    best = value
                    chosen = slot
                    whole = self.need
                    break
                whole = self._least(whole, self.need)
                best = max(best, value)
            else:
                if value < beta:
                    best = value
                    chosen = slot
                    whole = self.need
                    break
                whole = self._greatest(whole, self.need)
                best = min(best, value)
        if chosen == NONE_YET:
            chosen = first
        # Any of them gives way, at random.
        place += self.nodes & WAYS - 1
        self.keys[place] = key
        self.kept[place] = best | (1 << 13 if best >= beta else 0) | chosen << 14
        self.needs[place] = whole
        self.need = whole
        return best

    def _sure(self, beta: int) -> int:
        """Answer by the factions that are decided, now or by the leader's next tricks.

        -1 if that is not enough.
        """
        mine = 0
        others = 0
        need = 0
        limit = ANY
        # Of more factions than are enough nothing is asked: the answer holds more often then.
        enough = self._enough(beta, self.level > 0)
        little = self.decks - self._enough(beta, self.level >= 0) + 1
        sure = self._sure_gains() if self.settled else 0
        leader = self.table.leader
        for i in range(self.decks):
            if self.sure_for[self.factions[i]] == 0:
                mine += 1
            elif self.sure_for[self.factions[i]] == 1:
                others += 1
        for i in range(self.lanes):
            shift = LANE * i
            x = (self.score >> shift & 1023) - 256
            gain = 2 * (sure >> shift & 1023)
            left = self.left >> shift & 1023
            if x > left - (0 if leader else gain):
                if mine < enough:
                    mine += 1
                    one = 256 + left - (0 if leader else gain) + 1
                    need |= one << shift
            elif -x > left - (gain if leader else 0) and others < little:
                others += 1
                one = 511 - (256 - left + (gain if leader else 0) - 1)
                limit ^= one << shift
        if mine >= enough:
            self.need = need
            return self._split(mine, self.level > 0)
        if others >= little:
            self.need = limit
            return self._split(self.decks - others, self.level >= 0)
        return -1

    def _limit(self) -> None:
        """Find out which of the factions without a lane cannot be lost any more."""
        if not self.bounded:
            return
        table = self.table
        unwon = self.unwon
        hands = self.hands[0] | self.hands[1]
        for i in range(self.decks):
            faction = self.factions[i]
            rest = hands & self.of_faction[faction]
            unwon.number[faction] = popcount(rest)
            values = 0
            slot = self.first_of[faction]
            rest >>= slot
            while rest:
                if rest & 1:
                    values |= 1 << VALUE_OF[self.card_of[slot]]
                rest >>= 1
                slot += 1
            unwon.values[faction] = values
        for i in range(table.waiting):
            unwon.number[FACTION_OF[table.trolls[i]]] += 1
        for i in range(self.decks):
            faction = self.factions[i]
            if self.way[faction] == FULL:
                self.sure_for[faction] = decided(table, faction, unwon, self.loot)

    def _sure_gains(self) -> int:
        """What the leader wins at once, in lanes, by cards that nothing in the other hand beats."""
        leader = self.table.leader
        hand = self.hands[leader]
        other = self.hands[1 - leader]
        sure = 0
        for i in range(self.decks):
            faction = self.factions[i]
            shift = self.lane[faction]
            rest = hand & self.of_faction[faction]
            if shift < 0 or not rest:
                continue
            gain = 0
            winners = 0
            slot = self.first_of[faction]
            rest >>= slot
            while rest:
                if rest & 1 and not other & self.beaten_by[slot]:
                    winners += 1
                    gain += self.worth[self.card_of[slot]]
                rest >>= 1
                slot += 1
            if winners and self.falls[faction]:
                # Who has the faction must follow, unless another card may be played for it.
                winners -= popcount(other & self.allowed[faction] & ~self.of_faction[faction])
                captured = popcount(other & self.of_faction[faction])
                if winners > 0 and captured > 0:
                    gain += 2 * min(winners, captured)
            sure |= gain << shift
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

    def _least(self, first: int, second: int) -> int:
        """Lane by lane the smaller number."""
        if first == ANY:
            return second
        found = 0
        for i in range(self.lanes):
            shift = LANE * i
            a = first >> shift & 1023
            b = second >> shift & 1023
            found |= (a if a < b else b) << shift
        return found

    def _greatest(self, first: int, second: int) -> int:
        """Lane by lane the greater number."""
        if first == 0:
            return second
        found = 0
        for i in range(self.lanes):
            shift = LANE * i
            a = first >> shift & 1023
            b = second >> shift & 1023
            found |= (a if a > b else b) << shift
        return found

    def _before(self, need: int, was: int, now: int) -> int:
        """What has to be so before a trick that changed the score, so that `need` is after it."""
        if was == now:
            return need
        found = 0
        for i in range(self.lanes):
            shift = LANE * i
            lane = need >> shift & 1023
            if lane and lane != 511:
                lane -= (now >> shift & 1023) - (was >> shift & 1023)
            found |= lane << shift
        return found

    def _order(self, seat: int, hand: int, first: int, at: int) -> int:
        """Put the slots to try into `tried`, of equivalent cards one; returns how many."""
        number = 0
        last = -1
        for slot in range(self.slots):
            if not hand >> slot & 1:
                continue
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

    def _stake(self, slot: int) -> int:
        """What winning this card may still be worth: nothing where its faction is decided."""
        shift = self.lane[self.faction_of[slot]]
        if shift < 0:
            return 2
        x = (self.score >> shift & 1023) - 256
        left = self.left >> shift & 1023
        return 0 if x > left or -x > left else 2 + 8 // (left + 1)

    def _lead_weight(self, seat: int, slot: int) -> int:
        """How good a lead looks."""
        mine = self.ranks[self.faction_of[slot] * ROOM + slot]
        if self._following(self.hands[1 - seat], slot) & self.above[slot]:
            return -32 * self._stake(slot) - (mine & 31)
        return 32 * self._stake(slot) + (mine & 31)

    def _follows(self, lead: int, beta: int, depth: int) -> int:
        """The same once a card has been led."""
        seat = 1 - self.table.leader
        hand = self._following(self.hands[seat], lead)
        row = self.faction_of[lead] * ROOM
        held = self.lead
        self.lead = lead
        best = LOWEST if seat == 0 else HIGHEST
        whole = 0 if seat else ANY
        number = 0
        last = -1
        at = depth * ROOM
        to_beat = self.ranks[row + lead]
        stake = self._stake(lead)
        for slot in range(self.slots):
            if not hand >> slot & 1:
                continue
            if last >= 0 and self._equivalent(seat, last, slot):
                last = slot
                continue
            last = slot
            # First what wins most or gives away least, with the lowest card that does it.
            weight = 32 * (stake + self._stake(slot))
            if self.ranks[row + slot] <= to_beat:
                weight = -weight
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
        self.lead = held
        self.need = whole
        return best

    def _end(self, beta: int) -> int:
        """The value of a finished game; a side's loot counts for what is best for it."""
        count = self.count
        count.gather(self.table, self.loot)
        if not count.undecided(0) and not count.undecided(1):
            count.decide()
            value = self._counted()
        else:
            value = self._looted()
        self.need = 0 if value >= beta else ANY
        if not self.lanes:
            return value
        enough = self._enough(beta, self.level > 0)
        little = self.decks - self._enough(beta, self.level >= 0) + 1
        mine = 0
        others = 0
        for i in range(self.decks):
            faction = self.factions[i]
            if self.lane[faction] < 0:
                mine += 1 if count.won_by[faction] == 0 else 0
                others += 1 if count.won_by[faction] == 1 else 0
        # Of more factions than are enough nothing is asked: the answer holds more often then.
        need = self.need
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
            need |= one << shift
        self.need = need
        return value

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

    def _key(self) -> int:
        """A number for the position without what the lanes say."""
        table = self.table
        top = 0
        key = mixed(self.salt, table.leader, self.mode)
        hands = self.hands[0] | self.hands[1]
        whole = 1 if self.exactly else 0
        doubling_open = self.doubles != NOBODY and self.sure_for[self.doubles] == NOBODY
        if whole:
            key = mixed(key, self.hands[0], self.hands[1])
        for i in range(self.decks):
            faction = self.factions[i]
            way = self.way[faction]
            if not whole:
                rest = hands & self.of_faction[faction]
                if self.merges[faction]:
                    # Of these cards only the order matters, among themselves and to those that
                    # may be compared with them, and whether the highest is there.
                    slot = self.first_of[faction]
                    compared = 0 if self.wild >> slot & 1 else hands & self.wild
                    order = 1
                    before = -1
                    rest >>= slot
                    while rest:
                        if rest & 1:
                            card = self.card_of[slot]
                            top = self.worth[card]
                            # Between equal cards the lead decides, not the order.
                            if card == before:
                                key = mixed(key, order, EQUAL)
                            before = card
                            seat = self.hands[1] >> slot & 1
                            order = order * 2 + seat
                            if compared:
                                others = self.hands[1 - seat] & compared
                                at = 2 * popcount(others & self.below[VALUE_OF[card]])
                                if others & self.of_value[VALUE_OF[card]]:
                                    at += 1
                                key = mixed(key, order, at)
                        rest >>= 1
                        slot += 1
                    key = mixed(key, order, top)
                else:
                    key = mixed(key, self.hands[0] & rest, self.hands[1] & rest)
                    if rest and hands & self.wild:
                        # What they are compared with matters by its values, too.
                        key = mixed(key, self.hands[0] & self.wild, self.hands[1] & self.wild)
            k = faction
            j = FACTION_COUNT + faction
            if whole or way == FULL:
                sure = self.sure_for[faction] != NOBODY and not self.loot
                # The values of one that nobody can lose any more may still double others.
                if sure and not whole and not (doubling_open and self.shown_late[faction]):
                    key = mixed(key, faction, 128 + self.sure_for[faction])
                    continue
                key = mixed(key, table.mask[k], table.mask[j])
                key = mixed(key, table.count[k], table.count[j])
                if whole:
                    key = mixed(key, table.total[k], table.total[j])
                if self.open_lies[faction]:
                    for value in range(VALUE_ROOM):
                        key = mixed(key, table.display[value], table.display[VALUE_ROOM + value])
            elif self.asked[faction]:
                asker = self.asker[faction]
                if (
                    asker == NOBODY
                    or self.sure_for[asker] == NOBODY
                    or (doubling_open and self.shown_late[asker])
                ):
                    key = mixed(key, table.mask[k], table.mask[j])
        faction = self.doubles
        if doubling_open:
            value = self.unwon.values[faction]
            k = doubling(table, 0) & (value | table.mask[faction])
            j = doubling(table, 1) & (value | table.mask[FACTION_COUNT + faction])
            key = mixed(key, k, j)
        for i in range(table.waiting):
            key = mixed(key, table.trolls[i], i + 1)
        return key

    def _save(self, depth: int) -> None:
        """Keep the table as it is at the beginning of a trick."""
        table = self.table
        saved = self.saved
        n = depth * SAVED
        for i in range(2 * self.decks):
            k = self.places[i]
            saved[n] = table.count[k]
            saved[n + 1] = table.mask[k]
            saved[n + 2] = table.total[k]
            n += 3
        if self.shown:
            for k in range(2 * VALUE_ROOM):
                saved[n] = table.display[k]
                n += 1
        saved[n] = table.trick
        saved[n + 1] = table.leader
        saved[n + 2] = table.waiting
        n += 3
        for k in range(table.waiting):
            saved[n + k] = table.trolls[k]

    def _restore(self, depth: int) -> None:
        """Make the table what was kept."""
        table = self.table
        saved = self.saved
        n = depth * SAVED
        for i in range(2 * self.decks):
            k = self.places[i]
            table.count[k] = saved[n]
            table.mask[k] = saved[n + 1]
            table.total[k] = saved[n + 2]
            n += 3
        if self.shown:
            for k in range(2 * VALUE_ROOM):
                table.display[k] = saved[n]
                n += 1
        table.trick = saved[n]
        table.leader = saved[n + 1]
        table.waiting = saved[n + 2]
        n += 3
        for k in range(table.waiting):
            table.trolls[k] = saved[n + k]
        table.auto = False
