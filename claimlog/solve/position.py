"""A position of Phase 2 with two players, all hands known: cards, moves, and its identity.

The effects of cards come from a `Table`: there are no rules here.

Positions are distinguished by the hands, the leader and the parts of the score that can still
matter.  The lead of a side in each faction is kept in a lane of one number, beside the key.  Cards
of a hand with no card from elsewhere between them are treated as one, unless a power depends on
which they are; so only the order of a faction's cards, by hands, matters.
"""

from claimlog.cards import (
    CARDS,
    FACTION_COUNT,
    FACTION_OF,
    VALUE_OF,
    VALUE_ROOM,
)
from claimlog.rules.limits import Left
from claimlog.rules.powers import may_play
from claimlog.rules.race import (
    FULL,
    adds_to_ranks,
    asks_of_piles,
    can_gauge,
    counts_alone,
    lies_open,
    limited_by,
    moved_by,
    removed_by,
    shows_loot,
    waits_in_line,
    ways_of,
)
from claimlog.rules.table import Table
from claimlog.solve.numbers import (
    BITS,
    DEPTH,
    GUARDS,
    LANE,
    NOBODY,
    PLACES,
    ROOM,
    SPREAD,
    STEP,
    TRICKS,
    WHOLE,
    WORDS,
)

SAVED = 256
"""The room to save a `Table` in, to take a trick back."""
LANE_MASK = (1 << LANE) - 1


class Position:
    """A position to play cards from and take them back: `load` one first."""

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
        self.value_of = [0] * 26
        # The faction of a slot, or the value of one that lies open: -1 for 0, -2 for 1 ...
        self.pile_of = [0] * 26
        self.of_faction = [0] * 24
        self.of_value = [0] * 16
        self.below = [0] * 16
        self.allowed = [0] * 24
        self.merges = [0] * 24
        self.factions = [0] * 24
        self.places = [0] * 48
        self.open_lies = [0] * 24
        # For each trick who leads next (4), gets the lead (2) and the other card (1): side 1 or 0.
        self.outcomes = [0] * 2704
        # The amount of each slot, in its lane; for `countable` ones nothing else matters to the
        # end.
        self.amounts = [0] * 26
        self.countable = 0
        self.unsure = [0] * 676
        self.removes = [0] * 26
        self.adding = NOBODY
        self.raises = [0] * 26
        self.raisable = 0
        self.raised = 0
        self.adds_to = [0] * 2
        self.beaten_by = [0] * 26
        self.falls = [0] * 24
        self.beats = [0] * 26
        self.counts = [0] * 24
        self.adds = [0] * 24
        self.looted = -1
        self.kings_of = [0] * 24
        self.giants_of = [0] * 24
        self.settled = False
        self.wild = 0
        self.way = [0] * 24
        self.gauged = [0] * 24
        self.limited_by = [0] * 24
        self.judged = [0] * 24
        # Those factions as lists, and the ones that `limits` is asked about.
        self.gauges = self.judges = self.asking = 0
        self.gauged_factions = [0] * 5
        self.judged_factions = [0] * 5
        self.asked_factions = [0] * 5
        # Results of `_limit`, by depth of the search.
        self.sure_for = [0] * 384
        # The guard bits of lanes of factions that a side has for certain.
        self.closed_won = [0] * 16
        self.closed_lost = [0] * 16
        self.full_lanes = 0
        self.told = [0] * 16
        # The possible rise and fall of gauged lanes, and the decided factions with their demands.
        self.rises = [0] * 16
        self.falls_by = [0] * 16
        self.won_now = [0] * 16
        self.lost_now = [0] * 16
        self.won_need = [0] * 16
        self.lost_need = [0] * 16
        # What the loot of the other side may add, in each lane: against side 0, against side 1.
        self.threats = [0] * 32
        # The guard bits of all lanes, and of those that are decided (`Search._decided`).
        self.used = 0
        self.closing = 0
        # The lanes that `_limit` fills.
        self.gauged_lanes = 0
        self.shows = [0] * 768
        self.lefts = [Left() for _ in range(DEPTH)]
        self.limited = 0
        self.asked = 0
        self.apart = 0
        self.aparts = [0] * 16
        self.bounded = False
        self.unwon = Left()
        self.saved = [0] * 4096
        # The number of cards of each faction in each hand, five bits for a faction.
        self.numbers = [0] * 2
        self.first_numbers = [0] * 2
        self.number_at = [0] * 24
        self.one = [0] * 26
        # For each faction its lowest slot, and from where on `values_of` has the values of each set
        # of its cards, seven at a time.
        self.begins = [0] * 24
        self.values_at = [0] * 24
        self.values_of = [0] * 1280
        # The other way round: the slots of a set of values.
        self.slots_of = [0] * 1280
        self.reaches = [0] * 26
        self.copies = [0] * 26
        self.several = 0
        self.copied = 0
        self.starts = 0
        self.special = [0] * 24
        self.specials = 0
        self.singly = 0
        self.tallest = 0
        self.tall = 0
        self.shut = 0
        self.coarse = 0
        self.pattern = 0
        self.open = 0
        self.hands = [0] * 2
        self.first_hands = [0] * 2
        self.first_score = 0
        self.first_left = 0
        self.displays = 0
        self.display_at = [0] * 32
        self.salt = 0
        self.slots = 0
        self.decks = 0
        self.loot = 0
        self.lead = -1

    def load(self, table: Table, hands: list[list[int]], loot: int, plays: list[int]) -> None:
        """Load a position: the table at the beginning of a trick, and both hands.

        `loot` is the set of values whose Raccoons show loot.  `plays` are the cards already played
        to the trick, which are no longer in the hands.
        """
        # Part of every key, so that nothing from other positions is found again.
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
        self._look_up_order()
        self._look_up_values()
        self._look_up_tricks()
        self._save(DEPTH - 2)
        self.first_hands[0] = self.hands[0]
        self.first_hands[1] = self.hands[1]
        self.first_score = self.score
        self.first_left = self.left
        self.first_numbers[0] = self.numbers[0]
        self.first_numbers[1] = self.numbers[1]
        for card in plays:
            self.play(card)

    def _prepare(self, deck: int) -> None:
        """Look up what does not change while the hands are played."""
        self.decks = 0
        self.displays = 0
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
                if lies_open(faction):
                    for seat in range(2):
                        for value in sorted(set(self._present(faction))):
                            self.display_at[self.displays] = seat * VALUE_ROOM + value
                            self.displays += 1
        for unwon in self.lefts:
            unwon.factions = list(self.factions)
            unwon.decks = self.decks
        present = [self._present(faction) for faction in range(FACTION_COUNT)]
        ways, self.may_level = ways_of(deck, self.loot, present)
        table = self.table
        for card in range(CARDS):
            self.worth[card] = 0
        self.lanes = 0
        self.score = 0
        self.left = 0
        self.used = 0
        self.gauged_lanes = 0
        self.full_lanes = 0
        self.wild = 0
        self.looted = -1
        for faction in self.factions[: self.decks]:
            if self.loot and shows_loot(faction):
                self.looted = faction
        self.bounded = FULL in ways or self.looted >= 0
        self.limited = 0
        self.rises[0] = self.falls_by[0] = 0
        self.won_now[0] = self.lost_now[0] = 0
        self.won_need[0] = self.lost_need[0] = 0
        self.closed_won[0] = self.closed_lost[0] = 0
        for i in range(2 * DEPTH):
            self.threats[i] = 0
        self.asked = 0
        for faction in range(FACTION_COUNT):
            self.limited_by[faction] = limited_by(faction, deck)
            if deck >> faction & 1 and ways[faction] == FULL:
                self.asked |= self.limited_by[faction]
        if self.looted >= 0:
            self.asked |= 1 << self.looted
        self.apart = 0
        for faction in sorted(range(FACTION_COUNT), key=ways.__getitem__):
            self.way[faction] = ways[faction]
            self.lane[faction] = -1
            self.gauged[faction] = 0
            if ways[faction] == FULL and can_gauge(faction):
                self.gauged[faction] = 1
            # Others that only the end can decide have a lane that says whether they are demanded.
            self.judged[faction] = 0
            if deck >> faction & 1 and ways[faction] == FULL:
                self.judged[faction] = 0 if self.gauged[faction] else 1
            if deck >> faction & 1 and (self.gauged[faction] or self.judged[faction]):
                shift = LANE * self.lanes
                self.lane[faction] = shift
                self.of_lane[self.lanes] = faction
                self.lanes += 1
                self.used |= GUARDS & LANE_MASK << shift
                self.full_lanes |= GUARDS & LANE_MASK << shift
                if self.gauged[faction]:
                    self.gauged_lanes |= LANE_MASK << shift
                self.score += 256 << shift
            elif deck >> faction & 1 and ways[faction] < FULL:
                shift = LANE * self.lanes
                self.lane[faction] = shift
                self.of_lane[self.lanes] = faction
                self.lanes += 1
                self.used |= GUARDS & LANE_MASK << shift
                # An odd number of cards cannot be split evenly: the highest does not matter,
                # unless loot is added.
                even = len(present[faction]) % 2 == 0 or self.looted >= 0
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
            # Whether taking a card changes the lead at once.
            self.counts[faction] = 0
            if self.lane[faction] >= 0 and ways[faction] < FULL and not waits_in_line(faction):
                self.counts[faction] = 1
            self.merges[faction] = 1
            if ways[faction] == FULL and counts_alone(faction, deck, 0):
                self.merges[faction] = 0
            self.allowed[faction] = 0
            for slot in range(self.slots):
                other = self.faction_of[slot]
                if may_play(1 << faction, faction, other):
                    self.allowed[faction] |= 1 << slot
                # Cards that are compared by value with those of other factions.
                if other != faction and may_play(1 << faction, faction, other):
                    self.wild |= 1 << slot

    def _present(self, faction: int) -> list[int]:
        """The values of a faction's cards in piles, in line and in hands, one for each copy."""
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
            # Further copies of a value are not distinguished; any value will do.
            values += shown[:1] * (table.count[k] - len(shown))
            if lies_open(faction):
                for value in range(VALUE_ROOM):
                    values += [value] * table.display[seat * VALUE_ROOM + value]
        for k in range(table.waiting):
            if FACTION_OF[table.trolls[k]] == faction:
                values.append(VALUE_OF[table.trolls[k]])
        return values

    # Queries -------------------------------------------------------------------------------

    def seat(self) -> int:
        """The seat that plays next, from 0."""
        return self.table.leader if self.lead < 0 else 1 - self.table.leader

    def hand(self, seat: int) -> list[int]:
        """The cards that a seat, from 0, still holds, ascending."""
        held = self.hands[seat]
        return [self.card_of[slot] for slot in range(self.slots) if held >> slot & 1]

    def choices(self) -> list[int]:
        """The cards that may be played next, ascending, each kind once."""
        legal = self._legal(self.seat())
        return sorted({self.card_of[slot] for slot in range(self.slots) if legal >> slot & 1})

    def play(self, card: int) -> None:
        """Play a card of the seat to play; decides the trick if it is the second card.

        Raises ValueError if the hand does not have it; does not check whether it is legal.
        """
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
        self.numbers[1 - seat] -= self.one[self.lead]
        self.numbers[seat] -= self.one[slot]
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
        self.numbers[0] = self.first_numbers[0]
        self.numbers[1] = self.first_numbers[1]
        self.lead = -1

    def over(self) -> bool:
        """Whether all tricks have been played."""
        return self.table.trick > 2 * self.table.tricks

    # Moves ---------------------------------------------------------------------------------

    def _legal(self, seat: int) -> int:
        """The slots that `seat` may play next."""
        hand = self.hands[seat]
        if self.lead < 0:
            return hand
        return self._following(hand, self.lead)

    def _following(self, hand: int, lead: int) -> int:
        """The cards of a hand that may follow a lead."""
        led = self.faction_of[lead]
        if hand & self.of_faction[led]:
            return hand & self.allowed[led]
        return hand

    def _equivalent(self, seat: int, lower: int, higher: int) -> bool:
        """Whether two adjacent cards of a hand can be treated as one."""
        if self.card_of[lower] == self.card_of[higher]:
            return True
        faction = self.faction_of[lower]
        if faction != self.faction_of[higher] or not self.merges[faction] or self.exactly:
            return False
        # With equal counts the highest card decides the faction.
        if (self.tall >> higher & 1) or (self.apart | self.raised) & (1 << lower | 1 << higher):
            return False
        first = VALUE_OF[self.card_of[lower]]
        last = VALUE_OF[self.card_of[higher]]
        others = self.hands[1 - seat]
        if self.lead >= 0:
            others |= 1 << self.lead
        # With equal values the lead wins: a card of another faction can only follow.
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
        """Update the lanes with the cards that the trick just decided moved to score piles."""
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

    def _look_up_order(self) -> None:
        """Look up the order of the slots, and the factions for which more than order matters."""
        self.numbers[0] = self.numbers[1] = 0
        self.several = 0
        self.copied = 0
        self.starts = 0
        self.tallest = 0
        self.countable = 0
        self.singly = 0
        self.specials = 0
        self.gauges = self.judges = self.asking = 0
        before = -1
        for i in range(self.decks):
            faction = self.factions[i]
            self.number_at[faction] = 5 * i
            mine = self.of_faction[faction]
            self.starts |= mine & -mine
            if self.way[faction] != FULL and not (
                self.asked >> faction & 1 or self.adds[faction] or self.open_lies[faction]
            ):
                self.countable |= mine
            if not self.merges[faction]:
                self.singly |= mine
            if self.way[faction] == FULL or self.adds[faction]:
                self.special[self.specials] = faction
                self.specials += 1
            if self.gauged[faction]:
                self.gauged_factions[self.gauges] = faction
                self.gauges += 1
            if self.judged[faction]:
                self.judged_factions[self.judges] = faction
                self.judges += 1
            if self.asked >> faction & 1:
                self.asked_factions[self.asking] = faction
                self.asking += 1
            for slot in range(self.slots):
                if not mine >> slot & 1:
                    continue
                card = self.card_of[slot]
                value = VALUE_OF[card]
                self.value_of[slot] = value
                self.pile_of[slot] = -1 - value if self.open_lies[faction] else faction
                same = mine & self.of_value[value]
                one = 1
                one <<= 5 * i
                self.one[slot] = one
                amount = 0
                if self.lane[faction] >= 0:
                    amount = self.worth[card]
                    amount <<= self.lane[faction]
                self.amounts[slot] = amount
                self.numbers[self.hands[1] >> slot & 1] += one
                self.reaches[slot] = WHOLE & ~self.wild & ~self.below[value]
                if self.worth[card] > 2:
                    self.tallest |= 1 << slot
                if card != before and same & same - 1:
                    self.copies[self.several] = same
                    self.copied |= same
                    self.several += 1
                before = card

    def _look_up_values(self) -> None:
        """Look up the values of each set of a faction's cards, and the cards of a set of values."""
        for i in range(self.decks):
            faction = self.factions[i]
            mine = self.of_faction[faction]
            slot = PLACES[(mine & -mine) * SPREAD >> 27 & 31] if mine else 0
            self.begins[faction] = slot
            self.values_at[faction] = 2 * i << BITS
            for half in range(2):
                k = 2 * i + half << BITS
                number = 1
                self.values_of[k] = self.slots_of[k] = 0
                for bit in range(BITS):
                    value = 0
                    if slot < self.slots and mine >> slot & 1:
                        value = 1 << VALUE_OF[self.card_of[slot]]
                    shown = mine & self.of_value[half * BITS + bit]
                    for part in range(number):
                        self.values_of[k + number + part] = self.values_of[k + part] | value
                        self.slots_of[k + number + part] = self.slots_of[k + part] | shown
                    number *= 2
                    slot += 1

    def _look_up_tricks(self) -> None:
        """Have the table decide every trick of two cards, with empty piles.

        This is the result unless powers depend on what lies on the table (`_known`); then it is
        only used to order the moves.  If won cards raise the ranks of others, each trick has four
        results.
        """
        table = Table()
        self.adding = NOBODY
        self.raisable = 0
        for faction in range(FACTION_COUNT):
            self.falls[faction] = self.counts[faction]
            if self.adds[faction] and self.table.deck >> faction & 1:
                self.adding = faction
        for slot in range(self.slots):
            self.raises[slot] = 0
            self.beaten_by[slot] = 0
            self.beats[slot] = 0
            self.removes[slot] = 0
            for i in range(self.decks):
                if self.giants_of[self.factions[i]] == self.faction_of[slot]:
                    self.removes[slot] = 1
        for lead in range(self.slots):
            for slot in range(self.slots):
                if (self.hands[1] >> lead ^ self.hands[1] >> slot) & 1:
                    self._look_up_trick(table, lead, slot)

    def _look_up_trick(self, table: Table, lead: int, slot: int) -> None:
        leader = self.hands[1] >> lead & 1
        first = VALUE_OF[self.card_of[lead]]
        second = VALUE_OF[self.card_of[slot]]
        k = lead * ROOM + slot
        results = 0
        # Whether the lead wins and keeps the lead, whatever ranks are raised; whether it loses so;
        # whether the other card may go to the other side.
        kept = True
        lost = True
        shared = False
        for higher in range(3 if self.adding != NOBODY else 0, -1, -1):
            table.set_up(2, 13, self.table.deck, leader, False, False, False)
            table.trick = table.tricks + 1
            if higher & 1:
                table.mask[leader * FACTION_COUNT + self.adding] = 1 << first
            if higher & 2:
                table.mask[(1 - leader) * FACTION_COUNT + self.adding] = 1 << second
            table.play(self.card_of[lead])
            table.play(self.card_of[slot])
            table.settle()
            mine = table.winner
            other = table.winner
            for i in range(table.gained):
                # If both are copies of the same card, either will do.
                if table.gained_card[i] == self.card_of[lead]:
                    mine = table.gained_seat[i]
                if table.gained_card[i] == self.card_of[slot]:
                    other = table.gained_seat[i]
            # The effect of a raised rank: the leader's card, the other, or both.
            now = (table.next_leader * 2 + mine) * 2 + other
            self.outcomes[k + TRICKS * higher] = now
            results |= now << 4 * higher
            kept = kept and table.next_leader == leader and mine == leader
            lost = lost and table.winner != leader and other != leader
            shared = shared or other != leader
        if self.adding != NOBODY:
            if (results ^ results >> 4) & 0x0F0F:
                self.raises[lead] |= 1 << slot
                self.raisable |= 1 << lead
            if (results ^ results >> 8) & 0x00FF:
                self.raises[slot] |= 1 << lead
                self.raisable |= 1 << slot
        # The last result was the one with empty piles.
        self.unsure[k] = 1 if table.waiting else 0
        if self.removes[lead] and (self.removes[slot] or self.open_lies[self.faction_of[slot]]):
            self.unsure[k] = 1
        if self.removes[slot] and self.open_lies[self.faction_of[lead]]:
            self.unsure[k] = 1
        if not kept:
            self.beaten_by[lead] |= 1 << slot
            if lost and self.allowed[self.faction_of[lead]] >> slot & 1:
                self.beats[slot] |= 1 << lead
        elif shared:
            self.falls[self.faction_of[slot]] = 0

    def _save(self, depth: int) -> None:
        """Save the table as it is at the beginning of a trick."""
        table = self.table
        saved = self.saved
        n = depth * SAVED
        for i in range(2 * self.decks):
            k = self.places[i]
            saved[n] = table.count[k]
            saved[n + 1] = table.mask[k]
            saved[n + 2] = table.total[k]
            n += 3
        for i in range(self.displays):
            saved[n] = table.display[self.display_at[i]]
            n += 1
        saved[n] = table.trick
        saved[n + 1] = table.leader
        saved[n + 2] = table.waiting
        n += 3
        for k in range(table.waiting):
            saved[n + k] = table.trolls[k]

    def _restore(self, depth: int) -> None:
        """Restore the saved table."""
        table = self.table
        saved = self.saved
        n = depth * SAVED
        for i in range(2 * self.decks):
            k = self.places[i]
            table.count[k] = saved[n]
            table.mask[k] = saved[n + 1]
            table.total[k] = saved[n + 2]
            n += 3
        for i in range(self.displays):
            table.display[self.display_at[i]] = saved[n]
            n += 1
        table.trick = saved[n]
        table.leader = saved[n + 1]
        table.waiting = saved[n + 2]
        n += 3
        for k in range(table.waiting):
            table.trolls[k] = saved[n + k]
        table.auto = False
