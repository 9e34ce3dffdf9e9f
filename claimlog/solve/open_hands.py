"""The value of positions of Phase 2 with three or four players, all hands open (docs/analysis.md).

The effects of cards come from a `Table`, the count from a `Count`: there are no rules here.  Two
sides play against each other.  With four players these are the teams.  With three it is one seat
against both others, who play together, so the value is what that seat can secure.

Positions are distinguished by everything on the table and in the hands.  A transposition table
keeps a lower and an upper bound for each.

Compiled (see ``open_hands.pxd``) or interpreted from this one source.
"""

from array import array

from claimlog.cards import FACTION_COUNT, FACTION_OF, VALUE_OF, VALUE_ROOM
from claimlog.rules.powers import may_play, standing
from claimlog.rules.race import asks_of_piles, counts_alone, lies_open
from claimlog.rules.scoring import Count
from claimlog.rules.setup import sides_of
from claimlog.rules.table import Table
from claimlog.solve.numbers import HIGHEST, LOWEST, NONE_YET, STEP, WORDS
from claimlog.solve.search import value_of

ROOM = 36
"""The most cards in all hands."""
DEPTH = 14
"""The number of tricks that can be saved to take them back: twelve, and the first."""
SAVED = 256
"""The room to save a `Table` in, to take a trick back."""
WAYS = 4
"""The number of positions in one place of the table."""


def mixed(key: int, first: int, second: int) -> int:
    """A key with two more numbers mixed in."""
    key = (key ^ first) * STEP & WORDS
    key = (key ^ key >> 29 ^ second) * STEP & WORDS
    return key ^ key >> 31


def popcount(slots: int) -> int:
    """The number of slots in a set."""
    number = 0
    while slots:
        slots &= slots - 1
        number += 1
    return number


class OpenHands:
    """Values of one game's positions; `load` one, then use `bounds`, `bounds_of` and `play`.

    `entries` is the number of places for positions (a power of two, 64 bytes per position).
    """

    def __init__(self, entries: int = 1 << 16) -> None:
        self.table = Table()
        self.count = Count()
        self.size = entries
        self.keys = array("Q", bytes(8 * WAYS * entries))
        self.kept = array("q", bytes(8 * WAYS * entries))
        self.seats = 0
        self.sides = 0
        self.hero = 0
        self.wants = [0] * 4
        self.card_of = [0] * 36
        self.faction_of = [0] * 36
        self.of_faction = [0] * 24
        self.allowed = [0] * 24
        self.ranks = [0] * 864
        self.factions = [0] * 24
        self.simple = [0] * 24
        self.open_lies = [0] * 24
        self.loot_for = [0] * 4
        self.hands = [0] * 4
        self.first_hands = [0] * 4
        self.bit = [1 << slot for slot in range(36)]
        self.tricks = [0] * 64
        self.tried = [0] * 2304
        self.weights = [0] * 36
        self.saved = [0] * 4096
        self.salt = 0
        self.slots = 0
        self.decks = 0
        self.loot = 0
        self.played = 0
        self.by_seat = False
        self.shown = False
        self.nodes = 0
        self.limit = 0
        self.exhausted = False
        self.chosen = NONE_YET

    def load(
        self, table: Table, hands: list[list[int]], loot: int, plays: list[int], hero: int = 0
    ) -> None:
        """Load a position: the table at the beginning of a trick, and all hands.

        `loot` is the set of values whose Raccoons show loot.  `plays` are the cards already played
        to the trick, which are no longer in the hands.  Values are those of the side `hero`, from
        0.
        """
        # Part of every key, so that nothing from other positions is found again.
        self.salt = (self.salt + STEP) & WORDS
        self.seats = len(hands)
        self.sides = sides_of(self.seats)
        self.hero = hero
        mine = self.table
        mine.set_up(
            self.seats, table.tricks, table.deck, table.leader, table.troll_line, False, False
        )
        mine.any_dragon = table.any_dragon
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
            held[(table.leader + i) % self.seats].append(card)
        cards = sorted((card, seat) for seat in range(self.seats) for card in held[seat])
        self.slots = len(cards)
        for seat in range(self.seats):
            self.hands[seat] = 0
            self.wants[seat] = 1 if seat % self.sides == hero else 0
        for faction in range(FACTION_COUNT):
            self.of_faction[faction] = 0
        for slot, (card, seat) in enumerate(cards):
            self.card_of[slot] = card
            self.faction_of[slot] = FACTION_OF[card]
            self.hands[seat] |= self.bit[slot]
            self.of_faction[FACTION_OF[card]] |= self.bit[slot]
        self._prepare(table.deck)
        self.played = 0
        self._save(DEPTH - 1)
        for seat in range(self.seats):
            self.first_hands[seat] = self.hands[seat]
        for card in plays:
            self.play(card)

    def _prepare(self, deck: int) -> None:
        """Look up what does not change while the hands are played."""
        self.decks = 0
        self.shown = False
        self.by_seat = asks_of_piles(deck)
        for faction in range(FACTION_COUNT):
            self.allowed[faction] = 0
            self.simple[faction] = 1 if counts_alone(faction, deck, self.loot) else 0
            self.open_lies[faction] = 1 if lies_open(faction) else 0
            if deck >> faction & 1:
                self.factions[self.decks] = faction
                self.decks += 1
                self.shown = self.shown or lies_open(faction)
            for slot in range(self.slots):
                other = self.faction_of[slot]
                rank = standing(other, faction) * 32 + VALUE_OF[self.card_of[slot]]
                self.ranks[faction * ROOM + slot] = rank
                if may_play(1 << faction, faction, other):
                    self.allowed[faction] |= self.bit[slot]

    # Queries -------------------------------------------------------------------------------

    def seat(self) -> int:
        """The seat that plays next, from 0."""
        return (self.table.leader + self.played) % self.seats

    def hand(self, seat: int) -> list[int]:
        """The cards that a seat, from 0, still holds, ascending."""
        held = self.hands[seat]
        return [self.card_of[slot] for slot in range(self.slots) if held >> slot & 1]

    def choices(self) -> list[int]:
        """The cards that may be played next, ascending, each kind once."""
        legal = self._legal(self.seat(), 0)
        return sorted({self.card_of[slot] for slot in range(self.slots) if legal >> slot & 1})

    def same(self) -> list[list[int]]:
        """The `choices`, each in a group of its own: values of won cards may decide a game."""
        return [[card] for card in self.choices()]

    def play(self, card: int) -> None:
        """Play a card of the seat to play, one in its hand; the last card decides the trick."""
        seat = self.seat()
        slot = 0
        while self.card_of[slot] != card or not self.hands[seat] >> slot & 1:
            slot += 1
            if slot == self.slots:
                raise ValueError("the hand does not have this card")
        self.hands[seat] ^= self.bit[slot]
        self.tricks[self.played] = slot
        self.played += 1
        if self.played == self.seats:
            self._decide(0)
            self.played = 0

    def rewind(self) -> None:
        """Go back to the beginning of the trick that was loaded."""
        self._restore(DEPTH - 1)
        for seat in range(self.seats):
            self.hands[seat] = self.first_hands[seat]
        self.played = 0

    def over(self) -> bool:
        """Whether all tricks have been played."""
        return self.table.trick > 2 * self.table.tricks

    def bounds(self, limit: int, low: int = LOWEST, high: int = HIGHEST) -> tuple[int, int]:
        """The lower and upper bounds of the position's value; equal if it is exact.

        `limit` is the most positions to search, `low` and `high` are bounds already known.
        """
        return self._meet(-1, limit, low, high)

    def bounds_of(
        self, card: int, limit: int, low: int = LOWEST, high: int = HIGHEST
    ) -> tuple[int, int]:
        """The same for the position after a card.  Raises ValueError if the card is not legal."""
        legal = self._legal(self.seat(), 0)
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
            found = self._ask(slot, beta)
            if self.exhausted:
                break
            if found >= beta:
                low = found
            else:
                high = found
            guess = found
        return low, high

    def _ask(self, slot: int, beta: int) -> int:
        if slot < 0:
            return self._begin(beta, 0) if not self.played else self._goes_on(beta, 0, NONE_YET)
        seat = self.seat()
        self.hands[seat] ^= self.bit[slot]
        self.tricks[self.played] = slot
        self.played += 1
        value = self._goes_on(beta, 0, NONE_YET)
        self.played -= 1
        self.hands[seat] ^= self.bit[slot]
        return value

    # The search ----------------------------------------------------------------------------

    def _legal(self, seat: int, depth: int) -> int:
        """The slots that `seat` may play next."""
        hand = self.hands[seat]
        if self.played == 0:
            return hand
        led = self.faction_of[self.tricks[4 * depth]]
        if hand & self.of_faction[led]:
            return hand & self.allowed[led]
        return hand

    def _decide(self, depth: int) -> None:
        """Decide the trick on the table, and go on to the next."""
        table = self.table
        for i in range(self.seats):
            table.cards[i] = self.card_of[self.tricks[4 * depth + i]]
        table.played = self.seats
        table.settle()
        table.advance()

    def _begin(self, beta: int, depth: int) -> int:
        """Search whether the position at the beginning of a trick is worth at least `beta`.

        The result is a lower bound of the value if it is at least `beta`, otherwise an upper bound.
        """
        table = self.table
        if table.trick > 2 * table.tricks:
            return self._end()
        self.nodes += 1
        if self.nodes > self.limit:
            self.exhausted = True
            return 0
        value = self._sure(beta)
        if value >= 0:
            return value
        key = self._key()
        place = (key & self.size - 1) * WAYS
        at = -1
        low = LOWEST
        high = HIGHEST
        first = NONE_YET
        for i in range(WAYS):
            if self.keys[place + i] == key:
                at = place + i
                entry = self.kept[at]
                first = entry & 255
                low = entry >> 8 & 8191
                high = entry >> 21
                if low >= beta:
                    return low
                if high < beta:
                    return high
        self.chosen = first
        best = self._goes_on(beta, depth, first)
        if self.exhausted:
            return 0
        first = self.chosen
        if best >= beta:
            low = best
        else:
            high = best
        if at < 0:
            # Replace one of them at random.
            at = place + (self.nodes & WAYS - 1)
        self.keys[at] = key
        self.kept[at] = first | low << 8 | high << 21
        return best

    def _goes_on(self, beta: int, depth: int, first: int) -> int:
        """The same in the middle of a trick; at its beginning, `chosen` becomes the best card."""
        if self.played == self.seats:
            self._save(depth)
            self._decide(depth)
            self.played = 0
            value = self._begin(beta, depth + 1)
            self.played = self.seats
            self._restore(depth)
            return value
        seat = (self.table.leader + self.played) % self.seats
        wants = self.wants[seat]
        best = LOWEST if wants else HIGHEST
        answer = NONE_YET
        at = (4 * depth + self.played) * ROOM
        number = self._order(seat, depth, first, at)
        for i in range(number):
            slot = self.tried[at + i]
            self.hands[seat] ^= self.bit[slot]
            self.tricks[4 * depth + self.played] = slot
            self.played += 1
            value = self._goes_on(beta, depth, NONE_YET)
            self.played -= 1
            self.hands[seat] ^= self.bit[slot]
            if self.exhausted:
                return 0
            if wants:
                best = max(best, value)
                if value >= beta:
                    answer = slot
                    break
            else:
                best = min(best, value)
                if value < beta:
                    answer = slot
                    break
        self.chosen = first if answer == NONE_YET else answer
        return best

    def _order(self, seat: int, depth: int, first: int, at: int) -> int:
        """Put the slots to try into `tried`, one of equal cards; returns their number."""
        legal = self._legal(seat, depth)
        row = 0
        best = -1
        owner = 0
        if self.played:
            row = self.faction_of[self.tricks[4 * depth]] * ROOM
            for i in range(self.played):
                rank = self.ranks[row + self.tricks[4 * depth + i]]
                if rank > best:
                    best = rank
                    owner = self.wants[(self.table.leader + i) % self.seats]
        number = 0
        last = -1
        for slot in range(self.slots):
            if not legal >> slot & 1:
                continue
            if self.card_of[slot] == last:
                continue
            last = self.card_of[slot]
            if self.played:
                rank = self.ranks[row + slot]
                # First the cards that win the trick for one's side, the lowest of them first.
                if owner == self.wants[seat] or rank < best:
                    weight = -(rank & 31)
                else:
                    weight = 64 - (rank & 31)
            else:
                weight = self.ranks[self.faction_of[slot] * ROOM + slot] & 31
            if slot == first:
                weight = 1 << 20
            k = number
            while k > 0 and self.weights[k - 1] < weight:
                self.weights[k] = self.weights[k - 1]
                self.tried[at + k] = self.tried[at + k - 1]
                k -= 1
            self.weights[k] = weight
            self.tried[at + k] = slot
            number += 1
        return number

    def _sure(self, beta: int) -> int:
        """Answer by the factions that are already decided; -1 if that is not enough."""
        table = self.table
        hands = 0
        for seat in range(self.seats):
            hands |= self.hands[seat]
        least = 0
        most = self.decks
        others_least = 0
        taken = 0
        for side in range(self.sides):
            sure = 0
            for i in range(self.decks):
                faction = self.factions[i]
                if not self.simple[faction]:
                    continue
                left = popcount(hands & self.of_faction[faction])
                for k in range(table.waiting):
                    if FACTION_OF[table.trolls[k]] == faction:
                        left += 1
                own = 0
                other = 0
                for rival in range(self.sides):
                    number = 0
                    seat = rival
                    while seat < self.seats:
                        number += table.count[seat * FACTION_COUNT + faction]
                        seat += self.sides
                    if rival == side:
                        own = number
                    elif number > other:
                        other = number
                if own > other + left:
                    sure += 1
            if side == self.hero:
                least = sure
            else:
                taken += sure
                others_least = max(others_least, sure)
        most -= taken
        others_most = self.decks - least
        low = value_of(2 if least > others_most else 0, least, others_most)
        if low >= beta:
            return low
        high = value_of(2 if most >= others_least else 0, most, others_least)
        if high < beta:
            return high
        return -1

    def _end(self) -> int:
        """The value of a finished game; sides choose their loot one after the other."""
        count = self.count
        count.gather(self.table, self.loot)
        for side in range(self.sides):
            self.loot_for[side] = -1
            if count.undecided(side):
                return self._looted(0)
        count.decide()
        return self._counted()

    def _looted(self, side: int) -> int:
        """Each side chooses what is best for it, knowing that the later ones do so, too."""
        count = self.count
        if side == self.sides:
            count.gather(self.table, self.loot)
            for chooser in range(self.sides):
                if self.loot_for[chooser] >= 0:
                    count.choose(chooser, self.loot_for[chooser])
            count.decide()
            return self._counted()
        count.gather(self.table, self.loot)
        self.loot_for[side] = -1
        if not count.undecided(side):
            return self._looted(side + 1)
        fewest = count.fewest[side]
        best = LOWEST if side == self.hero else HIGHEST
        for faction in range(FACTION_COUNT):
            if fewest >> faction & 1:
                self.loot_for[side] = faction
                value = self._looted(side + 1)
                best = max(best, value) if side == self.hero else min(best, value)
        self.loot_for[side] = -1
        return best

    def _counted(self) -> int:
        count = self.count
        share = 0
        others = 0
        if count.share[self.hero]:
            share = 2
        for side in range(self.sides):
            if side != self.hero:
                others = max(others, count.votes[side])
                if share and count.share[side]:
                    share = 1
        return value_of(share, count.votes[self.hero], others)

    def _key(self) -> int:
        """The key of the position."""
        table = self.table
        key = mixed(self.salt, table.leader, self.hands[0])
        for seat in range(1, self.seats):
            key = mixed(key, seat, self.hands[seat])
        # Join the piles of partners if no trick depends on whose they are.
        piles = self.seats if self.by_seat else self.sides
        for pile in range(piles):
            for i in range(self.decks):
                number = 0
                mask = 0
                total = 0
                seat = pile
                while seat < self.seats:
                    k = seat * FACTION_COUNT + self.factions[i]
                    number += table.count[k]
                    mask |= table.mask[k]
                    total += table.total[k]
                    seat += piles
                key = mixed(key, mask, number << 16 | total)
            if self.shown:
                for value in range(VALUE_ROOM):
                    key = mixed(key, value, table.display[pile * VALUE_ROOM + value])
        for i in range(table.waiting):
            key = mixed(key, i + 1, table.trolls[i])
        return key

    def _save(self, depth: int) -> None:
        """Save the table as it is at the beginning of a trick."""
        table = self.table
        saved = self.saved
        n = depth * SAVED
        for seat in range(self.seats):
            for i in range(self.decks):
                k = seat * FACTION_COUNT + self.factions[i]
                saved[n] = table.count[k]
                saved[n + 1] = table.mask[k]
                saved[n + 2] = table.total[k]
                n += 3
            if self.shown:
                for k in range(VALUE_ROOM):
                    saved[n] = table.display[seat * VALUE_ROOM + k]
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
        for seat in range(self.seats):
            for i in range(self.decks):
                k = seat * FACTION_COUNT + self.factions[i]
                table.count[k] = saved[n]
                table.mask[k] = saved[n + 1]
                table.total[k] = saved[n + 2]
                n += 3
            if self.shown:
                for k in range(VALUE_ROOM):
                    table.display[seat * VALUE_ROOM + k] = saved[n]
                    n += 1
        table.trick = saved[n]
        table.leader = saved[n + 1]
        table.waiting = saved[n + 2]
        n += 3
        for k in range(table.waiting):
            table.trolls[k] = saved[n + k]
        table.auto = False
