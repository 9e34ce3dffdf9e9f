"""What lies on the table: the data that powers, table and scoring work on.

Compiled (see ``position.pxd``) or interpreted from this one source.  Cards, factions
and decks are the integers of `claimlog.cards`; seats and sides count from 0 here.
"""

from claimlog.cards import FACTION_COUNT, FACTION_OF, GNOMES, UNKNOWN, VALUE_OF


class Position:
    """One game as it lies on the table, between and within tricks, without the hands.

    `count`, `mask` and `total` describe the score piles: at ``seat * 17 + faction`` the
    number of cards, the set of their values (bit ``1 << value``) and their sum.
    `display` counts the Gnomes that lie open, at ``seat * 10 + value``.  `followers`
    holds what a seat took in each Phase 1 trick, at ``seat * 13 + trick - 1``.
    `gained_*` and `removed_*` list what the current trick moved, `trolls` the Trolls
    left lying, in the order in which they will be taken.
    """

    def __init__(self) -> None:
        self.seats = 2
        self.tricks = 13
        self.deck = 0
        self.troll_line = False
        self.any_dragon = False
        self.any_automaton = False
        # Lists with a plain length: the compiler makes C arrays of them.  There is room for
        # four seats with 17 factions, ten values or 13 tricks each.
        self.count = [0] * 68
        self.mask = [0] * 68
        self.total = [0] * 68
        self.display = [0] * 40
        self.followers = [UNKNOWN] * 52
        self.upcards = [0] * 2
        self.cards = [0] * 4
        self.values = [0] * 4
        self.ranked = [0] * 4
        self.keys = [0] * 4
        self.goes_to = [0] * 4
        self.gained_seat = [0] * 16
        self.gained_card = [0] * 16
        self.removed_seat = [0] * 16
        self.removed_card = [0] * 16
        self.trolls = [0] * 16
        self.clear()

    def clear(self) -> None:
        """Empty the table for a new game with the same set-up."""
        self.trick = 1
        self.leader = 0
        self.auto = False
        self.played = 0
        self.factions = 0
        self.winner = 0
        self.next_leader = 0
        self.next_auto = False
        self.gained = 0
        self.removed = 0
        self.waiting = 0
        self.count = [0] * 68
        self.mask = [0] * 68
        self.total = [0] * 68
        self.display = [0] * 40
        self.followers = [UNKNOWN] * 52

    def seat_of(self, play: int) -> int:
        """The seat of the trick's play number `play` (0 is the lead)."""
        seat = self.leader + play
        return seat - self.seats if seat >= self.seats else seat

    def gain(self, seat: int, card: int) -> None:
        """Put `card` on `seat`'s score pile."""
        k = seat * FACTION_COUNT + FACTION_OF[card]
        value = VALUE_OF[card]
        self.count[k] += 1
        self.mask[k] |= 1 << value
        self.total[k] += value
        n = self.gained
        self.gained_seat[n] = seat
        self.gained_card[n] = card
        self.gained = n + 1

    def lay_open(self, seat: int, card: int) -> None:
        """Add the Gnome `card` to `seat`'s open display."""
        self.display[seat * 10 + VALUE_OF[card]] += 1
        self.gained_seat[self.gained] = seat
        self.gained_card[self.gained] = card
        self.gained += 1


class Tally:
    """The score piles of each side at the end, while the end-of-game powers work on them.

    `count`, `mask` and `total` are as in `Position`, but by side and with what the powers
    add or move; `cards` counts real cards only.  `moved` is the set of Peasants that left,
    `runs` the longest run of Bards, `loot` the number of loot Raccoons, `fewest` the set
    of factions that they may count for and `loot_for` the one that they do (`UNKNOWN`:
    none, or still to be chosen).  `won_by` is the side that won a faction, or -1.
    """

    def __init__(self) -> None:
        self.players = 2
        self.sides = 2
        self.deck = 0
        self.tiebreak = 0
        self.count = [0] * 68
        self.cards = [0] * 68
        self.mask = [0] * 68
        self.total = [0] * 68
        self.moved = [0] * 4
        self.runs = [0] * 4
        self.loot = [0] * 4
        self.loot_for = [UNKNOWN] * 4
        self.fewest = [0] * 4
        self.won_by = [0] * 17
        self.votes = [0] * 4
        self.share = [0] * 4

    def collect(self, position: Position) -> None:
        """Join the score piles and the Gnome displays of `position` per side.

        With four players seats 1 and 3, and 2 and 4, are a side (rules.md, "Seats").
        """
        self.players = position.seats
        self.sides = 2 if position.seats == 4 else position.seats
        self.deck = position.deck
        self.count[:] = position.count
        self.mask[:] = position.mask
        self.total[:] = position.total
        if position.seats == 4:
            for i in range(self.sides * FACTION_COUNT):
                j = i + self.sides * FACTION_COUNT
                self.count[i] += position.count[j]
                self.mask[i] |= position.mask[j]
                self.total[i] += position.total[j]
        if position.deck >> GNOMES & 1:
            for seat in range(position.seats):
                side = seat % self.sides
                for value in range(10):
                    gnomes = position.display[seat * 10 + value]
                    if gnomes:
                        k = side * FACTION_COUNT + GNOMES
                        self.count[k] += gnomes
                        self.mask[k] |= 1 << value
                        self.total[k] += gnomes * value
        for i in range(self.sides):
            self.moved[i] = 0
            self.loot[i] = 0
            self.fewest[i] = 0
            self.loot_for[i] = UNKNOWN
            self.runs[i] = 0
