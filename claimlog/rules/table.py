"""Trick after trick: who wins, who takes what, who leads (rules.md, "Phase 1", "Phase 2").

A `Table` is told the cards and answers with what the rules make of them.  It knows no
hands and judges nothing: `claimlog.rules.state` and `claimlog.replay.judge` decide
whether a card may be played, both by `claimlog.rules.powers.may_play`.

The order of calls in a trick: `turn_up` (Phase 1), `play` for each card, `settle`, in
Phase 1 `recruit`, then `advance`.
"""

from collections.abc import Callable, Iterable, Sequence

from claimlog.cards import (
    AUTOMATONS,
    CARDS,
    DRAGONS,
    DWARVES,
    FACTION_COUNT,
    GIANTS,
    GNOMES,
    GRIFFINS,
    TROLLS,
    UNDEAD,
    UNKNOWN,
)
from claimlog.cards import FACTION_OF as _FACTION_OF
from claimlog.cards import VALUE_OF as _VALUE_OF
from claimlog.rules.position import Position
from claimlog.rules.powers import (
    automatons,
    dragons,
    dwarves,
    giants,
    griffins,
    standing,
    trolls,
    undead,
)
from claimlog.rules.setup import MAX_TRICKS

_table: Callable[[Iterable[int]], Sequence[int]] = tuple if __file__.endswith(".py") else bytes
"""The interpreter looks into a tuple quicker than into bytes."""
FACTION_OF = _table(_FACTION_OF)
VALUE_OF = _table(_VALUE_OF)
RANKS = _table(
    standing(FACTION_OF[card], led) * 32 + VALUE_OF[card]
    for led in range(FACTION_COUNT)
    for card in range(CARDS)
)
"""How a card ranks when a faction was led, before any bonus, at ``led * CARDS + card``."""


class Table(Position):
    """A `Position` that tricks are played on."""

    def set_up(
        self,
        seats: int,
        tricks: int,
        deck: int,
        leader: int,
        troll_line: bool,
        any_dragon: bool,
        any_automaton: bool,
    ) -> None:
        """Begin a new game; the flags are the rulings that differ from LE2023's own."""
        self.seats = seats
        self.tricks = tricks
        self.deck = deck
        self.troll_line = troll_line
        self.any_dragon = any_dragon
        self.any_automaton = any_automaton
        self.clear()
        self.leader = leader

    def turn_up(self, first: int, second: int) -> None:
        """Turn up the trick's upcards; `second` is `UNKNOWN` with two players."""
        self.upcards[0] = first
        self.upcards[1] = second

    def play(self, card: int) -> None:
        """Play (in an automatic trick discard) the next player's card."""
        self.cards[self.played] = card
        self.played += 1

    def settle(self) -> None:
        """Decide the trick: rank the plays, find the winner and let the powers act.

        Sets `winner`, `ranked` (the plays, best first), `next_leader` and `next_auto`, and
        moves the cards that go to score piles and displays.
        """
        self.gained = 0
        self.removed = 0
        self.next_auto = False
        if self.auto:
            self.factions = 0
            # The Automaton's player wins; no power applies to a face-down card.
            for i in range(self.seats):
                self.ranked[i] = i
            self.winner = self.leader
            self.next_leader = self.leader
            return
        self._rank()
        winner = self.leader + self.ranked[0]
        if winner >= self.seats:
            winner -= self.seats
        self.winner = winner
        self.next_leader = winner
        factions = self.factions
        if self.trick > self.tricks:
            self._collect()
        else:
            if factions >> UNDEAD & 1:
                undead(self)
            if self.deck >> AUTOMATONS & 1:
                self.next_auto = automatons(self, self.cards[self.ranked[0]])
        # An Automaton outranks a Dragon in the same trick.
        if factions >> DRAGONS & 1 and not self.next_auto:
            leader = dragons(self)
            if leader >= 0:
                self.next_leader = leader

    def concede(self, winning: int) -> None:
        """Let the play `winning` win a trick whose cards are not all known.

        No power acts; the other seats are ranked in playing order.
        """
        self.gained = 0
        self.removed = 0
        self.factions = 0
        self.next_auto = False
        self.ranked[0] = winning
        k = 1
        for i in range(self.seats):
            if i != winning:
                self.ranked[k] = i
                k += 1
        self.winner = self.seat_of(winning)
        self.next_leader = self.winner

    def _rank(self) -> None:
        """Order the plays: by standing to the led faction, by value, the earlier first."""
        cards = self.cards
        ranked = self.ranked
        values = self.values
        row = FACTION_OF[cards[0]] * CARDS
        bonus = self.trick > self.tricks and self.deck >> GRIFFINS & 1
        seats = self.seats
        if seats == 2 and not bonus:
            # The same for the case that is by far the most common.
            card = cards[0]
            other = cards[1]
            values[0] = VALUE_OF[card]
            values[1] = VALUE_OF[other]
            self.factions = 1 << FACTION_OF[card] | 1 << FACTION_OF[other]
            second = 1 if RANKS[row + other] > RANKS[row + card] else 0
            ranked[0] = second
            ranked[1] = 1 - second
            return
        keys = self.keys
        factions = 0
        for i in range(seats):
            card = cards[i]
            key = RANKS[row + card]
            value = VALUE_OF[card]
            if bonus:
                extra = griffins(self, self.seat_of(i), card)
                key += extra
                value += extra
            factions |= 1 << FACTION_OF[card]
            values[i] = value
            keys[i] = key
        self.factions = factions
        for i in range(seats):
            k = i
            while k > 0 and keys[ranked[k - 1]] < keys[i]:
                ranked[k] = ranked[k - 1]
                k -= 1
            ranked[k] = i

    def _collect(self) -> None:
        """Phase 2: the winner puts all played cards on the score pile, powers apart."""
        winner = self.winner
        factions = self.factions
        goes_to = self.goes_to
        cards = self.cards
        seats = self.seats
        for i in range(seats):
            goes_to[i] = winner
        if factions >> DWARVES & 1:
            dwarves(self)
        for i in range(seats):
            card = cards[i]
            faction = FACTION_OF[card]
            if faction == GNOMES:
                self.lay_open(goes_to[i], card)
            elif faction != TROLLS:
                # `gain`, spelled out: this is where nearly all cards of a game pass.
                seat = goes_to[i]
                k = seat * FACTION_COUNT + faction
                value = VALUE_OF[card]
                self.count[k] += 1
                self.mask[k] |= 1 << value
                self.total[k] += value
                n = self.gained
                self.gained_seat[n] = seat
                self.gained_card[n] = card
                self.gained = n + 1
        if factions >> TROLLS & 1 or self.waiting:
            trolls(self)
        if factions >> GIANTS & 1:
            giants(self)

    def draws(self, looked: bool) -> int:
        """How many hidden cards the others draw; `looked`: the winner took one by a Seer."""
        return self.seats - (1 if self.seats == 2 else 2) - (1 if looked else 0)

    def recruit(self, looked: bool, hidden: int, pick: int, first: int, second: int) -> None:
        """Phase 1: hand out the trick's follower cards in rank order (rules.md, 4).

        `looked`: the winner took the card `hidden` with a Seer.  `pick` is the upcard (0
        or 1) that the first picker took, -1 if unknown; `first` and `second` are the
        hidden cards drawn by the others.  Cards may be `UNKNOWN`.
        """
        seats = self.seats
        followers = self.followers
        place = self.trick - 1
        if seats == 2 and not looked:
            # Most tricks: the winner takes the upcard, the other draws.
            seat = self.winner * MAX_TRICKS + place
            followers[seat] = UNKNOWN if pick < 0 else self.upcards[pick]
            followers[MAX_TRICKS + 2 * place - seat] = first
            return
        upcards = 1 if seats == 2 else 2
        picked = 0
        drawn = 0
        for i in range(seats):
            if i == 0 and looked:
                card = hidden
            elif picked < upcards:
                card = UNKNOWN if pick < 0 else self.upcards[pick if picked == 0 else 1 - pick]
                picked += 1
            else:
                card = first if drawn == 0 else second
                drawn += 1
            seat = self.leader + self.ranked[i]
            if seat >= seats:
                seat -= seats
            followers[seat * MAX_TRICKS + place] = card

    def advance(self) -> None:
        """Go on to the next trick."""
        self.trick += 1
        self.leader = self.next_leader
        self.auto = self.next_auto
        self.played = 0
