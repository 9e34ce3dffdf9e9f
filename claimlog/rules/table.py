"""Trick after trick: who wins, who takes what, who leads (rules.md, "Phase 1", "Phase 2").

A `Table` is given the cards and applies the rules to them.  It knows no hands and judges nothing:
`claimlog.rules.legal` and `claimlog.replay.judge` decide whether a card may be played, both with
`claimlog.rules.powers.may_play`.

The order of calls in a trick: `turn_up` (Phase 1), `play` for each card, `settle`, in Phase 1
`recruit`, then `advance`.
"""

from collections.abc import Callable, Iterable, Sequence

from claimlog.cards import (
    AUTOMATONS,
    CARD_AT,
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
    VALUE_ROOM,
)
from claimlog.cards import FACTION_OF as _FACTION_OF
from claimlog.cards import VALUE_OF as _VALUE_OF
from claimlog.rules.data import TableData
from claimlog.rules.powers import (
    automatons,
    dragons,
    dwarves,
    giants,
    griffins,
    standing,
    trolls,
    undead,
    winning,
)
from claimlog.rules.reasons import (
    AUTO,
    AUTOMATON_FIRST,
    FIRST_OF_EQUALS,
    GNOMES_OPEN,
    GRIFFIN,
    MARK,
    NEXT_AUTOMATON,
    NEXT_DRAGON,
    NEXT_LAST_DRAGON,
    NEXT_WINNER,
    PHASE_2,
    SCORED,
    SEER,
    TAKEN_HIDDEN,
    TAKEN_SEER,
    TAKEN_UPCARD,
)
from claimlog.rules.setup import MAX_TRICKS, SIDES, UPCARDS, Setup

NOBODY = -1
_table: Callable[[Iterable[int]], Sequence[int]] = tuple if __file__.endswith(".py") else bytes
"""The interpreter indexes a tuple faster than bytes."""
_factions = _table(_FACTION_OF)
_values = _table(_VALUE_OF)
_ranks = _table(
    standing(_FACTION_OF[card], led) * 32 + _VALUE_OF[card]
    for led in range(FACTION_COUNT)
    for card in range(CARDS)
)
# Compiled, these are pointers.
FACTION_OF = _factions
VALUE_OF = _values
RANKS = _ranks
"""The rank of a card to the lead of a faction, before any bonus, at ``led * CARDS + card``."""


class Table(TableData):
    """A `TableData` that tricks are played on."""

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
        """Begin a new game; the flags are the rulings that differ from those of LE2023."""
        self.seats = seats
        self.tricks = tricks
        self.upcard_count = UPCARDS[seats]
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
        if self.noting:
            self.notes.clear()
        if self.auto:
            # The Automaton's player wins; no power applies to a face-down card.
            for i in range(self.seats):
                self.ranked[i] = i
            self.winner = self.leader
            self.next_leader = self.leader
            if self.noting:
                self.note(AUTO, self.winner, self.automaton, self.trick - 1)
                self._note_leader(NOBODY)
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
        dragon = NOBODY
        if factions >> DRAGONS & 1:
            dragon = dragons(self)
            # An Automaton outranks a Dragon in the same trick.
            if dragon >= 0 and not self.next_auto:
                self.next_leader = dragon
        if self.noting:
            self._note_winner()
            self._note_leader(dragon)

    def concede(self, best: int) -> bool:
        """Let the play `best` win a trick whose cards are not all known.

        The effect of an unreadable card is unknown, so no power moves cards; the other seats are
        ranked in playing order.  Returns whether the next leader is known.
        """
        self.gained = 0
        self.removed = 0
        self.next_auto = False
        self.ranked[0] = best
        k = 1
        for i in range(self.seats):
            if i != best:
                self.ranked[k] = i
                k += 1
            if self.cards[i] < CARDS:
                self.values[i] = self.value_of(self.seat_of(i), self.cards[i])
        self.winner = self.seat_of(best)
        self.next_leader = self.winner
        card = self.cards[best]
        last = self.cards[self.seats - 1]
        if self.noting:
            self.notes.clear()
            self.note(MARK, self.winner, card if card < CARDS else UNKNOWN)
        if self.trick < self.tricks and self.deck >> AUTOMATONS & 1:
            if card >= CARDS or self.any_automaton:
                return False
            self.next_auto = automatons(self, card)
        dragon = NOBODY
        if self.deck >> DRAGONS & 1 and not self.next_auto:
            if last >= CARDS or self.any_dragon:
                return False
            if FACTION_OF[last] == DRAGONS:
                dragon = self.seat_of(self.seats - 1)
                self.next_leader = dragon
        if self.noting:
            self._note_leader(dragon)
        return True

    def _note_winner(self) -> None:
        """Note why the play that ranks highest does so."""
        best = self.ranked[0]
        led = FACTION_OF[self.cards[0]]
        faction = FACTION_OF[self.cards[best]]
        stands = standing(faction, led)
        rivals = False
        equal = False
        for i in range(self.seats):
            if i != best and standing(FACTION_OF[self.cards[i]], led) == stands:
                rivals = True
                if self.values[i] == self.values[best]:
                    equal = True
        self.note(winning(faction, led, rivals), self.winner, self.cards[best], 0, led)
        if not equal:
            return
        for i in range(self.seats):
            card = self.cards[i]
            value = self.values[i]
            if value == self.values[best] and standing(FACTION_OF[card], led) == stands:
                self.note(FIRST_OF_EQUALS, self.winner, card, value, led)

    def _note_leader(self, dragon: int) -> None:
        """Note who leads the next trick and why; `dragon` is the seat a Dragon lets lead."""
        follows = self.trick + 1
        if self.next_auto:
            if dragon >= 0:
                self.note(AUTOMATON_FIRST, self.winner)
            self.note(NEXT_AUTOMATON, self.winner, NOBODY, follows)
            return
        if self.trick == 2 * self.tricks:
            return
        if dragon >= 0:
            last = self.seats - 1
            play = (dragon + self.seats - self.leader) % self.seats
            reason = NEXT_DRAGON if play == last else NEXT_LAST_DRAGON
            self.note(reason, dragon, self.cards[play], follows)
        else:
            self.note(NEXT_WINNER, self.next_leader, NOBODY, follows)
        if self.trick == self.tricks:
            self.note(PHASE_2, NOBODY)

    def value_of(self, seat: int, card: int) -> int:
        """The value of `card` if `seat` plays it now, including the Griffin's bonus."""
        if self.trick > self.tricks and self.deck >> GRIFFINS & 1:
            return VALUE_OF[card] + griffins(self, seat, card)
        return VALUE_OF[card]

    def _rank(self) -> None:
        """Rank the plays: by standing to the led faction, then by value, then the earlier first."""
        cards = self.cards
        if self.seats == 2 and not (self.trick > self.tricks and self.deck >> GRIFFINS & 1):
            # The same, specialized for by far the most common case.
            card = cards[0]
            other = cards[1]
            row = FACTION_OF[card] * CARDS
            self.values[0] = VALUE_OF[card]
            self.values[1] = VALUE_OF[other]
            self.factions = 1 << FACTION_OF[card] | 1 << FACTION_OF[other]
            second = RANKS[row + other] > RANKS[row + card]
            self.ranked[0] = second
            self.ranked[1] = 1 - second
        else:
            self._rank_all()

    def _rank_all(self) -> None:
        """Do what `_rank` does, for any number of plays and with the Griffin's bonus."""
        cards = self.cards
        keys = self.keys
        ranked = self.ranked
        seats = self.seats
        row = FACTION_OF[cards[0]] * CARDS
        bonus = self.trick > self.tricks and self.deck >> GRIFFINS & 1
        seat = self.leader
        factions = 0
        for i in range(seats):
            card = cards[i]
            key = RANKS[row + card]
            value = VALUE_OF[card]
            if bonus:
                extra = griffins(self, seat, card)
                key += extra
                if extra and self.noting:
                    griffin = CARD_AT[GRIFFINS * VALUE_ROOM + value]
                    self.note(GRIFFIN, seat, card, value + extra)
                    self.note(GRIFFIN, seat, griffin, value + extra)
                value += extra
                seat += 1
                if seat == seats:
                    seat = 0
            factions |= 1 << FACTION_OF[card]
            self.values[i] = value
            keys[i] = key
        self.factions = factions
        for i in range(seats):
            k = i
            while k > 0 and keys[ranked[k - 1]] < keys[i]:
                ranked[k] = ranked[k - 1]
                k -= 1
            ranked[k] = i

    def _collect(self) -> None:
        """Phase 2: put all played cards on the winner's score pile, except for powers."""
        winner = self.winner
        factions = self.factions
        goes_to = self.goes_to
        seats = self.seats
        noted = len(self.notes) if self.noting else 0
        for i in range(seats):
            goes_to[i] = winner
        if factions >> DWARVES & 1:
            dwarves(self)
        for i in range(seats):
            card = self.cards[i]
            faction = FACTION_OF[card]
            if faction == GNOMES:
                self.lay_open(goes_to[i], card)
            elif faction != TROLLS:
                # `gain`, inlined: nearly all cards of a game pass here.
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
        if self.noting:
            self._note_gains(noted)
        if factions >> TROLLS & 1 or self.waiting:
            trolls(self)
        if factions >> GIANTS & 1:
            giants(self)

    def _note_gains(self, noted: int) -> None:
        """Note the cards that the winner gains; those moved by a power follow note `noted`."""
        noted_cards = [note[2] for note in self.notes[noted:]]
        for k in range(self.gained):
            card = self.gained_card[k]
            if FACTION_OF[card] == GNOMES:
                self.note(GNOMES_OPEN, self.winner, card)
            elif card not in noted_cards:
                self.note(SCORED, self.winner, card)

    def draws(self, looked: bool) -> int:
        """The number of hidden cards the others draw; `looked`: the winner took one with a Seer."""
        return self.seats - self.upcard_count - (1 if looked else 0)

    def recruit(self, looked: bool, hidden: int, pick: int, first: int, second: int) -> None:
        """Phase 1: hand out the trick's follower cards in rank order (rules.md, 4).

        `looked`: the winner took the card `hidden` with a Seer.  `pick` is the upcard (0
        or 1) that the first picker took, -1 if unknown; `first` and `second` are the
        hidden cards drawn by the others.  Cards may be `UNKNOWN`.
        """
        if self.seats == 2 and not looked and not self.noting:
            # Most tricks: the winner takes the upcard, the other draws.
            place = self.trick - 1
            seat = self.winner * MAX_TRICKS + place
            self.followers[seat] = UNKNOWN if pick < 0 else self.upcards[pick]
            self.followers[MAX_TRICKS + 2 * place - seat] = first
        else:
            self._hand_out(looked, hidden, pick, first, second)

    def _hand_out(self, looked: bool, hidden: int, pick: int, first: int, second: int) -> None:
        """Do what `recruit` does, for any number of seats and with a Seer."""
        seats = self.seats
        place = self.trick - 1
        upcards = self.upcard_count
        picked = 0
        drawn = 0
        if looked and self.noting:
            self.note(SEER, self.winner)
        for i in range(seats):
            reason = TAKEN_UPCARD
            if i == 0 and looked:
                card = hidden
                reason = TAKEN_SEER
            elif picked < upcards:
                card = UNKNOWN if pick < 0 else self.upcards[pick if picked == 0 else 1 - pick]
                picked += 1
            else:
                card = first if drawn == 0 else second
                reason = TAKEN_HIDDEN
                drawn += 1
            seat = self.leader + self.ranked[i]
            if seat >= seats:
                seat -= seats
            self.followers[seat * MAX_TRICKS + place] = card
            if self.noting:
                self.note(reason, seat)

    def advance(self) -> None:
        """Go on to the next trick."""
        self.trick += 1
        self.leader = self.next_leader
        self.auto = self.next_auto
        self.played = 0


def set_table(table: Table, setup: Setup) -> None:
    """Begin a new game on a table."""
    rulings = setup.rulings
    table.set_up(
        setup.seats,
        setup.tricks,
        setup.factions,
        setup.leader - 1,
        rulings["trolls"] == "line",
        rulings["dragons"] == "last-dragon",
        rulings["automatons"] == "played",
    )


def copy_table(old: Table, new: Table) -> None:
    """Make `new` a copy of `old`, except for what is only used while a trick is settled."""
    new.seats = old.seats
    new.tricks = old.tricks
    new.upcard_count = old.upcard_count
    new.deck = old.deck
    new.troll_line = old.troll_line
    new.any_dragon = old.any_dragon
    new.any_automaton = old.any_automaton
    new.count[:] = old.count
    new.mask[:] = old.mask
    new.total[:] = old.total
    new.display[:] = old.display
    new.followers[:] = old.followers
    new.upcards[:] = old.upcards
    new.cards[:] = old.cards
    new.values[:] = old.values
    new.ranked[:] = old.ranked
    new.gained_seat[:] = old.gained_seat
    new.gained_card[:] = old.gained_card
    new.removed_seat[:] = old.removed_seat
    new.removed_card[:] = old.removed_card
    new.trolls[:] = old.trolls
    new.trick = old.trick
    new.leader = old.leader
    new.auto = old.auto
    new.automaton = old.automaton
    new.played = old.played
    new.factions = old.factions
    new.winner = old.winner
    new.next_leader = old.next_leader
    new.next_auto = old.next_auto
    new.gained = old.gained
    new.removed = old.removed
    new.waiting = old.waiting


def cards_won(table: Table, side: int, faction: int) -> int:
    """The number of cards of `faction` that a side has won so far, open Gnomes included."""
    number = 0
    seat = side
    while seat < table.seats:
        number += table.count[seat * FACTION_COUNT + faction]
        if faction == GNOMES:
            for value in range(VALUE_ROOM):
                number += table.display[seat * VALUE_ROOM + value]
        seat += SIDES[table.seats]
    return number
