"""The state of the table: the data that powers, table and scoring work on.

Compiled (see ``data.pxd``) or interpreted from this one source.  Cards, factions and decks are the
integers of `claimlog.cards`; seats and sides count from 0 here.
"""

from claimlog.cards import (
    CARD_AT,
    FACTION_COUNT,
    FACTION_OF,
    GNOMES,
    UNKNOWN,
    VALUE_OF,
    VALUE_ROOM,
)
from claimlog.cards import FACTIONS as ALL_FACTIONS
from claimlog.rules.reasons import GNOMES_JOIN, Note, Noted, gathered
from claimlog.rules.setup import MAX_SEATS, MAX_TRICKS, SIDES

NONE = -1
GNOME_VALUES = bytes(sorted(ALL_FACTIONS[GNOMES].values))
GNOME_KINDS = len(GNOME_VALUES)
FACTION_ROOM = 24
"""The most factions there is room for; to raise it, raise the number in ``data.pxd`` too."""
if FACTION_COUNT > FACTION_ROOM:
    raise ImportError(
        f"claimlog/cards.py lists {FACTION_COUNT} factions, but there is room for {FACTION_ROOM}: "
        "raise FACTION_ROOM in claimlog/rules/data.py and FACTIONS in data.pxd"
    )

# Initial contents of the arrays.  Compiled they are C arrays; if a length differs from the one in
# data.pxd, importing the module fails.
NO_PILES = list(bytes(MAX_SEATS * FACTION_ROOM))
NO_DISPLAYS = list(bytes(MAX_SEATS * VALUE_ROOM))
NO_FOLLOWERS = list(bytes([UNKNOWN]) * (MAX_SEATS * MAX_TRICKS))
NO_WINNERS = list(bytes(FACTION_ROOM))


class TableData:
    """One game as it lies on the table, between and within tricks, without the hands.

    `count`, `mask` and `total` describe the score piles: at ``seat * FACTION_COUNT + faction`` the
    number of cards, the set of their values (bit ``1 << value``) and their sum.  `display` counts
    the Gnomes that lie open, at ``seat * VALUE_ROOM + value``.  `followers` holds what a seat took
    in each Phase 1 trick, at ``seat * MAX_TRICKS + trick - 1``.  `gained_*` and `removed_*` list
    the cards moved by the current trick (up to 16), `trolls` the Trolls left lying, in the order in
    which they will be taken.  `automaton` is the Automaton that won the automatic trick in advance.

    With `noting` on, everything that the current trick moved and decided is noted with its reason
    (see `claimlog.rules.reasons`); `reasons` returns them.
    """

    def __init__(self) -> None:
        self.noting = False
        self.notes: list[Note] = []
        self.seats = 2
        self.tricks = 13
        self.upcard_count = 1
        self.deck = 0
        self.troll_line = False
        self.any_dragon = False
        self.any_automaton = False
        # Compiled, these lists are C arrays.
        self.count = list(NO_PILES)
        self.mask = list(NO_PILES)
        self.total = list(NO_PILES)
        self.display = list(NO_DISPLAYS)
        self.followers = list(NO_FOLLOWERS)
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
        """Clear the table for a new game with the same setup."""
        self.trick = 1
        self.leader = 0
        self.auto = False
        self.automaton = UNKNOWN
        self.played = 0
        self.factions = 0
        self.winner = 0
        self.next_leader = 0
        self.next_auto = False
        self.gained = 0
        self.removed = 0
        self.waiting = 0
        self.count[:] = NO_PILES
        self.mask[:] = NO_PILES
        self.total[:] = NO_PILES
        self.display[:] = NO_DISPLAYS
        self.followers[:] = NO_FOLLOWERS

    def seat_of(self, play: int) -> int:
        """The seat of the trick's play number `play` (0 is the lead)."""
        seat = self.leader + play
        return seat - self.seats if seat >= self.seats else seat

    def note(
        self, reason: int, seat: int, card: int = NONE, number: int = 0, faction: int = NONE
    ) -> None:
        """With `noting` on, note that `reason` is why something happened to `seat`."""
        if self.noting:
            self.notes.append((reason, seat, card, number, faction))

    def reasons(self) -> list[Noted]:
        """Why the current trick went as it did, in the order of the report."""
        return gathered(self.notes)

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
        self.display[seat * VALUE_ROOM + VALUE_OF[card]] += 1
        self.gained_seat[self.gained] = seat
        self.gained_card[self.gained] = card
        self.gained += 1


class CountData:
    """The score piles of each side at the end, for the end-of-game powers to work on.

    `count`, `mask` and `total` are as in `TableData`, but by side and including what the powers add
    or move; `cards` counts only real cards.  `moved` is the set of Peasants that left, `runs` the
    longest run of Bards, `loot` the number of loot Raccoons, `fewest` the set of factions that they
    may count for and `loot_for` the one that they do count for (`UNKNOWN`: none, or not chosen
    yet).  `won_by` is the side that won a faction, or -1.

    With `noting` on, everything is noted with its reason; `reasons` returns them, by side.
    """

    def __init__(self) -> None:
        self.noting = False
        self.notes: list[Note] = []
        self.players = 2
        self.sides = 2
        self.deck = 0
        self.tiebreak = 0
        self.count = list(NO_PILES)
        self.cards = list(NO_PILES)
        self.mask = list(NO_PILES)
        self.total = list(NO_PILES)
        self.moved = [0] * 4
        self.runs = [0] * 4
        self.loot = [0] * 4
        self.loot_for = [UNKNOWN] * 4
        self.fewest = [0] * 4
        self.won_by = list(NO_WINNERS)
        self.votes = [0] * 4
        self.share = [0] * 4

    def note(
        self, reason: int, side: int, card: int = NONE, number: int = 0, faction: int = NONE
    ) -> None:
        """With `noting` on, note that `reason` is why something happened to `side`."""
        if self.noting:
            self.notes.append((reason, side, card, number, faction))

    def reasons(self) -> list[Noted]:
        """Why the game ended as it did, in the order of the report."""
        return sorted(gathered(self.notes), key=lambda noted: (noted.reason, noted.seat))

    def collect(self, position: TableData) -> None:
        """Join the score piles and the Gnome displays of `position` by side.

        With four players, seats 1 and 3 are a side, and so are 2 and 4 (rules.md, "Seats").
        """
        self.players = position.seats
        self.sides = SIDES[position.seats]
        self.deck = position.deck
        self.count[:] = position.count
        self.mask[:] = position.mask
        self.total[:] = position.total
        if self.sides < position.seats:
            for i in range(self.sides * FACTION_COUNT):
                j = i + self.sides * FACTION_COUNT
                self.count[i] += position.count[j]
                self.mask[i] |= position.mask[j]
                self.total[i] += position.total[j]
        if position.deck >> GNOMES & 1:
            for side in range(self.sides):
                for i in range(GNOME_KINDS):
                    value = GNOME_VALUES[i]
                    gnomes = 0
                    # A range with a step would be an object even when compiled.
                    seat = side
                    while seat < position.seats:
                        gnomes += position.display[seat * VALUE_ROOM + value]
                        seat += self.sides
                    if gnomes:
                        k = side * FACTION_COUNT + GNOMES
                        self.count[k] += gnomes
                        self.mask[k] |= 1 << value
                        self.total[k] += gnomes * value
                        if self.noting:
                            for _ in range(gnomes):
                                self.note(GNOMES_JOIN, side, CARD_AT[GNOMES * VALUE_ROOM + value])
        for i in range(self.sides):
            self.moved[i] = 0
            self.loot[i] = 0
            self.fewest[i] = 0
            self.loot_for[i] = UNKNOWN
            self.runs[i] = 0
