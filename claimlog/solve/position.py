"""A position of Phase 2 with two players, all hands known: cards, moves, and what tells it apart.

What cards do is asked of a `Table`: there are no rules here.

Positions are told apart by the hands, the leader and what of the score can still matter.  How far
a side is ahead in a faction is kept in a lane of one number, beside the key.  Cards of a hand
between which no card of another place lies are one card, unless a power asks which they are.
"""

from claimlog.cards import (
    CARDS,
    FACTION_COUNT,
    FACTION_OF,
    VALUE_OF,
    VALUE_ROOM,
)
from claimlog.rules.limits import Left, ask, decided, gauge, near
from claimlog.rules.powers import may_play, standing
from claimlog.rules.race import (
    FULL,
    adds_to_ranks,
    asks_of_piles,
    can_gauge,
    counts_alone,
    counts_besides_loot,
    lies_open,
    moved_by,
    ranks_by_piles,
    removed_by,
    shows_loot,
    told_apart,
    waits_in_line,
    ways_of,
)
from claimlog.rules.table import Table
from claimlog.solve.numbers import DEPTH, LANE, ROOM, STEP, WORDS

SAVED = 256
"""How much is kept of a `Table` to take a trick back."""
NOBODY = -1
EQUAL = 96
"""Marks equal cards in a key."""
APART = 128
"""Marks cards in a key that are told apart."""


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


class Position:
    """A position that cards are played from and taken back to: `load` one first."""

    def __init__(self) -> None:
        self.table = Table()
        self.score = 0
        self.left = 0
        self.lanes = 0
        self.lane = [0] * 24
        self.of_lane = [0] * 5
        self.worth = [0] * 256
        self.may_level = False
        self.exactly = False
        self.card_of = [0] * 26
        self.faction_of = [0] * 26
        self.ranks = [0] * 624
        self.of_faction = [0] * 24
        self.of_value = [0] * 16
        self.below = [0] * 16
        self.allowed = [0] * 24
        self.merges = [0] * 24
        self.factions = [0] * 24
        self.places = [0] * 48
        self.open_lies = [0] * 24
        self.first_of = [0] * 24
        self.goes_first = [0] * 676
        self.goes_second = [0] * 676
        self.leads_next = [0] * 676
        self.beaten_by = [0] * 26
        self.falls = [0] * 24
        self.beats = [0] * 26
        self.counts = [0] * 24
        self.adds = [0] * 24
        self.counted = [0] * 24
        self.tops = [0] * 24
        self.loots = [0] * 24
        self.kings_of = [0] * 24
        self.giants_of = [0] * 24
        self.settled = False
        self.steady = False
        self.wild = 0
        self.way = [0] * 24
        self.sure_for = [0] * 24
        self.gauged = [0] * 24
        self.rise = [0] * 24
        self.fall = [0] * 24
        self.shows = [0] * 48
        self.apart = 0
        self.aparts = [0] * 16
        self.bounded = False
        self.unwon = Left()
        self.saved = [0] * 4096
        self.hands = [0] * 2
        self.first_hands = [0] * 2
        self.first_score = 0
        self.first_left = 0
        self.shown = False
        self.salt = 0
        self.slots = 0
        self.decks = 0
        self.loot = 0
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
        self.steady = not ranks_by_piles(table.deck)
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
            self.adds[faction] = 1 if adds_to_ranks(faction) else 0
            king = moved_by(faction)
            giant = removed_by(faction)
            self.kings_of[faction] = NOBODY if king is None else king
            self.giants_of[faction] = NOBODY if giant is None else giant
            if deck >> faction & 1:
                self.factions[self.decks] = faction
                self.places[2 * self.decks] = faction
                self.places[2 * self.decks + 1] = FACTION_COUNT + faction
                self.decks += 1
                self.shown = self.shown or lies_open(faction)
        present = [self._present(faction) for faction in range(FACTION_COUNT)]
        ways, self.may_level = ways_of(deck, self.loot, present)
        table = self.table
        for card in range(CARDS):
            self.worth[card] = 0
        self.lanes = 0
        self.score = 0
        self.left = 0
        self.wild = 0
        for faction in range(FACTION_COUNT):
            self.sure_for[faction] = NOBODY
        self.bounded = FULL in ways
        self.apart = 0
        for faction in range(FACTION_COUNT):
            self.way[faction] = ways[faction]
            self.lane[faction] = -1
            # Where loot may count for any faction nobody can be said to be ahead.
            self.gauged[faction] = 0
            if ways[faction] == FULL and can_gauge(faction, deck, self.loot):
                self.gauged[faction] = 1
            if deck >> faction & 1 and self.gauged[faction]:
                shift = LANE * self.lanes
                self.lane[faction] = shift
                self.of_lane[self.lanes] = faction
                self.lanes += 1
                self.score += 256 << shift
            elif deck >> faction & 1 and ways[faction] < FULL:
                shift = LANE * self.lanes
                self.lane[faction] = shift
                self.of_lane[self.lanes] = faction
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
            # With loot nobody is ahead, but values do not matter: only numbers, and the highest.
            self.counted[faction] = 0
            if ways[faction] == FULL and self.loot and deck >> faction & 1:
                self.counted[faction] = counts_besides_loot(faction, deck, present[faction])
            self.tops[faction] = 0
            self.loots[faction] = self.loot if shows_loot(faction) else 0
            if self.counted[faction]:
                highest = max(present[faction], default=-1)
                self.tops[faction] = 1 << highest if highest >= 0 else 0
                for card in range(CARDS):
                    if FACTION_OF[card] == faction:
                        self.worth[card] = 3 if VALUE_OF[card] == highest else 2
            # Whether who takes a card is ahead by it at once.
            self.counts[faction] = 0
            if self.lane[faction] >= 0 and not self.gauged[faction] and not waits_in_line(faction):
                self.counts[faction] = 1
            self.merges[faction] = 1
            if told_apart(faction, deck) or (
                ways[faction] == FULL
                and not self.counted[faction]
                and (self.loot or counts_alone(faction, deck, 0))
            ):
                self.merges[faction] = 0
            self.allowed[faction] = 0
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
                # Cards that are compared with those of other factions by their values.
                if other != faction and may_play(1 << faction, faction, other):
                    self.wild |= 1 << slot

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
        self._limit(0)
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

    # Moves ---------------------------------------------------------------------------------

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
        if self.worth[self.card_of[higher]] > 2 or self.apart & (1 << lower | 1 << higher):
            return False
        first = VALUE_OF[self.card_of[lower]]
        last = VALUE_OF[self.card_of[higher]]
        others = self.hands[1 - seat]
        if self.lead >= 0:
            others |= 1 << self.lead
        # Of equal values the lead wins: a card of another faction only follows to one that is led.
        if self.wild >> lower & 1:
            between = others & self.below[last] & ~self.below[first]
        else:
            between = others & self.below[last + 1] & ~self.below[first]
            between &= self.of_faction[faction] | self.wild & ~self.of_value[first]
        return not between

    def _decide(self, lead: int, slot: int) -> None:
        """Decide the trick of these two cards, and go on to the next."""
        table = self.table
        table.cards[0] = self.card_of[lead]
        table.cards[1] = self.card_of[slot]
        table.played = 2
        table.settle()
        table.advance()

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
        """Let the table decide every trick of two cards, as it is with empty piles.

        That is what happens where powers ask nothing of the piles; elsewhere it only says what
        to try first.
        """
        table = Table()
        for faction in range(FACTION_COUNT):
            self.falls[faction] = self.counts[faction]
        for slot in range(self.slots):
            self.beaten_by[slot] = 0
            self.beats[slot] = 0
        for lead in range(self.slots):
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
                self.goes_first[k] = table.winner
                self.goes_second[k] = table.winner
                for i in range(table.gained):
                    # Both may be the same card, of which there are copies: then either will do.
                    if table.gained_card[i] == self.card_of[lead]:
                        self.goes_first[k] = table.gained_seat[i]
                    if table.gained_card[i] == self.card_of[slot]:
                        self.goes_second[k] = table.gained_seat[i]
                if table.next_leader != leader or self.goes_first[k] != leader:
                    self.beaten_by[lead] |= 1 << slot
                    follows = self.allowed[self.faction_of[lead]] >> slot & 1
                    if follows and table.winner != leader and self.goes_second[k] != leader:
                        self.beats[slot] |= 1 << lead
                elif self.goes_second[k] != leader:
                    self.falls[self.faction_of[slot]] = 0

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

    # What tells positions apart --------------------------------------------------------------

    def _limit(self, depth: int) -> None:
        """Find out what can still change in factions whose cards do not count for one alone.

        Also which cards of hands are told apart (`apart`).
        """
        if not self.bounded:
            return
        table = self.table
        unwon = self.unwon
        hands = self.hands[0] | self.hands[1]
        if self.lead >= 0:
            hands |= 1 << self.lead
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
            faction = FACTION_OF[table.trolls[i]]
            unwon.number[faction] += 1
            unwon.values[faction] |= 1 << VALUE_OF[table.trolls[i]]
        unwon.late = 0
        ask(table, unwon, self.loot)
        apart = 0
        for i in range(self.decks):
            faction = self.factions[i]
            values = unwon.asks[faction]
            if self.gauged[faction]:
                gauge(table, faction, unwon)
                self.rise[faction] = unwon.rise
                self.fall[faction] = unwon.fall
                self.shows[faction] = unwon.shows[0]
                self.shows[FACTION_COUNT + faction] = unwon.shows[1]
                shift = self.lane[faction]
                lane = 1023
                self.score &= ~(lane << shift)
                lane = 256 + unwon.margin
                self.score |= lane << shift
                lane = 1023
                self.left &= ~(lane << shift)
                lane = max(unwon.rise, unwon.fall)
                self.left |= lane << shift
            elif self.way[faction] == FULL:
                self.sure_for[faction] = decided(table, faction, unwon, self.loot)
            slot = 0
            while values:
                if values & 1:
                    apart |= self.of_value[slot] & self.of_faction[faction]
                values >>= 1
                slot += 1
        self.apart = apart
        self.aparts[depth] = apart

    def _key(self) -> int:
        """A number for the position without what the lanes say."""
        table = self.table
        top = 0
        key = mixed(self.salt, table.leader, self.exactly)
        hands = self.hands[0] | self.hands[1]
        whole = 1 if self.exactly else 0
        late = self.unwon.late if self.bounded else 0
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
                            if self.apart >> slot & 1:
                                key = mixed(key, order, APART + card)
                            seat = self.hands[1] >> slot & 1
                            order = order * 2 + seat
                            if compared:
                                others = self.hands[1 - seat] & compared
                                at = popcount(others & self.below[VALUE_OF[card] + 1])
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
            if whole or (way == FULL and not self.gauged[faction]):
                # The cards of one that nobody can lose any more do not matter.
                if not whole and self.sure_for[faction] != NOBODY and not self.loot:
                    key = mixed(key, faction, 128 + self.sure_for[faction])
                    continue
                key = mixed(key, table.count[k], table.count[j])
                if self.counted[faction] and not whole:
                    first = table.mask[k]
                    second = table.mask[j]
                    top = self.tops[faction]
                    key = mixed(key, 1 if first & top else 0, 1 if second & top else 0)
                    top = self.loots[faction]
                    key = mixed(key, popcount(first & top), popcount(second & top))
                    continue
                key = mixed(key, table.mask[k], table.mask[j])
                if whole:
                    key = mixed(key, table.total[k], table.total[j])
                if self.open_lies[faction]:
                    for value in range(VALUE_ROOM):
                        key = mixed(key, table.display[value], table.display[VALUE_ROOM + value])
            elif self.gauged[faction]:
                key = mixed(key, self.shows[k], self.shows[j])
                if self.giants_of[faction] != NOBODY:
                    # Of those that may still be taken away as many as there are.
                    rest = self.unwon.values[self.giants_of[faction]]
                    for value in range(VALUE_ROOM):
                        if rest >> value & 1:
                            way = table.display[value] * 4 + table.display[VALUE_ROOM + value]
                            key = mixed(key, value, way)
                elif late and self.kings_of[faction] != NOBODY:
                    # Which side they come to matters by their values, too.
                    key = mixed(key, table.mask[k] & late, table.mask[j] & late)
                    rest = self.kings_of[faction]
                    value = near(table.mask[rest]) & late
                    key = mixed(key, value, near(table.mask[FACTION_COUNT + rest]) & late)
            elif self.adds[faction]:
                key = mixed(
                    key,
                    table.mask[k] & self._values(self.hands[0]),
                    table.mask[j] & self._values(self.hands[1]),
                )
        for i in range(table.waiting):
            card = table.trolls[i]
            asked = whole or not self.merges[FACTION_OF[card]]
            if self.bounded:
                asked = asked or self.unwon.asks[FACTION_OF[card]] >> VALUE_OF[card] & 1
            # Of others it only matters how many wait, and whether the highest does.
            key = mixed(key, card if asked else APART + self.worth[card], i + 1)
        key = (key ^ key >> 32) * STEP & WORDS
        return key ^ key >> 32

    def _values(self, hand: int) -> int:
        """The values of the cards of a hand."""
        values = 0
        for value in range(VALUE_ROOM):
            if hand & self.of_value[value]:
                values |= 1 << value
        return values
