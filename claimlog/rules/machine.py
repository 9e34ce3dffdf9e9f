"""A game in progress: who is to act, what may be done, do it (rules.md).

The `Machine` serves live games and simulation.  It adds hands, followers and the draw pile
to a `Table`, which alone knows what the rules make of the cards.  How much is known of
hands and pile is up to the caller: everything, parts, or nothing.  Cards, factions, seats
and sides are integers that count from 0; `UNKNOWN` stands for a card that nobody knows.

>>> from claimlog.cards import NAMES, card, deck_of
>>> machine = Machine(Setup("GKUWX", leader=2))
>>> machine.to_act.kind.name, machine.to_act.seat
('TURN_UP', None)
>>> machine.turn_up(card("U7")).card == card("U7")
True
>>> machine.to_act.kind.name, machine.to_act.seat
('PLAY', 1)

For each action there are three methods: ``verify_play(card)`` raises `IllegalAction` if
it is not allowed, ``can_play(card)`` tells, ``play(card)`` does it and returns the
`Action`.  `choices` lists what may be done, as integers that `apply` takes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import IntEnum
from functools import cache
from random import Random
from typing import NamedTuple

from claimlog.cards import (
    CARDS,
    COPIES,
    FACTION_COUNT,
    FACTION_OF,
    FACTIONS,
    GNOMES,
    NAMES,
    RACCOONS,
    RACCOONS_USED,
    UNKNOWN,
    VALUE_OF,
    VALUE_ROOM,
)
from claimlog.cards import card as card_named
from claimlog.rules.powers import may_play, seers
from claimlog.rules.reasons import Note
from claimlog.rules.scoring import Count
from claimlog.rules.setup import MAX_TRICKS, SIDES, Setup
from claimlog.rules.table import Table

__all__ = [
    "LEAVE",
    "TAKE",
    "Action",
    "CardsLost",
    "IllegalAction",
    "Kind",
    "Machine",
    "Trick",
    "Turn",
    "deal",
    "perft",
]


class Kind(IntEnum):
    """What is to be done next.

    TURN_UP an upcard (nobody chooses), PLAY a card, DISCARD one face down in an
    Automaton's trick, LOOK: with a Seer take the top hidden card or leave it, PICK an
    upcard (3 or 4 players), DRAW a hidden card (nobody chooses), LOOT: choose the faction
    that a side's loot counts for; OVER: nothing.
    """

    TURN_UP = 0
    PLAY = 1
    DISCARD = 2
    LOOK = 3
    PICK = 4
    DRAW = 5
    LOOT = 6
    OVER = 7


LEAVE, TAKE = 0, 1
"""The Seer's choices."""

_TURN_UP, _PLAY, _DISCARD, _LOOK, _PICK, _DRAW, _LOOT, _OVER = range(8)
_NOBODY = -1


class Turn(NamedTuple):
    """Who is to act and what for; `seat` is None where nobody chooses or acts.

    Who draws a hidden card does not choose it, but has a `seat`.  For LOOT `seat` is the
    side, which is also the number of its first seat.
    """

    kind: Kind
    seat: int | None


class Action(NamedTuple):
    """Something that was done; the log of a game is a list of these.

    `card` is None for a Seer's hidden card that was left, for LOOT it is the faction.
    `irregular` marks a revoke that the director let stand.
    """

    kind: Kind
    seat: int | None
    card: int | None
    irregular: bool = False


class Trick(NamedTuple):
    """One trick as it went; seats and their cards are in seating order unless stated.

    `plays` and the `values` that counted (empty in an automatic trick) are in playing
    order from the `leader`, `ranking` has the seats, best first.  `looked`: the winner
    took a hidden card by a Seer; `picked` is the upcard that the first picker took (None
    with two players).  `taken` has each seat's new follower (empty in Phase 2), `scored`
    what each seat's score pile or display gained, `removed` (seat, Gnome) pairs, `waiting`
    the Trolls left lying, in the order in which they will be taken.  `next_leader` is None
    after the last trick.  `irregular` are the seats whose revoke the director let stand.
    `notes` are the reasons as they were noted (`claimlog.rules.reasons.gathered`).
    """

    number: int
    phase: int
    auto: bool
    upcards: tuple[int, ...]
    leader: int
    plays: tuple[int, ...]
    values: tuple[int, ...]
    winner: int
    ranking: tuple[int, ...]
    looked: bool
    picked: int | None
    taken: tuple[int, ...]
    scored: tuple[tuple[int, ...], ...]
    removed: tuple[tuple[int, int], ...]
    waiting: tuple[int, ...]
    next_leader: int | None
    irregular: tuple[int, ...] = ()
    notes: tuple[Note, ...] = ()


class IllegalAction(ValueError):  # noqa: N818 - the caller is told no, nothing failed
    """What was to be done is not allowed; the message says why.

    `revoked_in` is the trick in which the seat must have revoked if it does hold the
    card after all, otherwise 0.
    """

    def __init__(self, message: str, revoked_in: int = 0) -> None:
        super().__init__(message)
        self.revoked_in = revoked_in


class CardsLost(AssertionError):  # noqa: N818
    """A card of the deck is in no place, or in two."""


_TURNS = [
    [
        Turn(kind, None if seat < 0 or kind in (Kind.TURN_UP, Kind.OVER) else seat)
        for seat in range(-1, 4)
    ]
    for kind in Kind
]
_ASKED = (
    "an upcard is to be turned up",
    "seat {} is to play a card",
    "seat {} is to discard a card face down",
    "seat {} is to take the top hidden card or to leave it",
    "seat {} is to pick an upcard",
    "seat {} is to draw a hidden card",
    "side {} is to choose what its loot counts for",
    "the game is over",
)


class Machine:
    """One game in progress.

    `hands` and `pile` are the deal, each with `UNKNOWN` for unknown cards; where one is
    None nothing of it is known.  The pile counts from the top.  A `quiet` machine keeps no
    log, no history and no reasons.
    Raises ValueError if the deal does not fit the setup.

    To read, not to write, by seat where it says so:

    - `hands`: known cards in each hand, ascending, and `unknown`: how many more it has.
    - `followers`: what each seat took in Phase 1, `UNKNOWN` included; empty in Phase 2,
      whose hands they are.
    - `shown`: those of each seat's followers, later of its hand, that everybody saw.
    - `piles`: each score pile in order; `displays`: each seat's open Gnomes.  At the end
      these join the piles.
    - `upcards`, `drawn` (hidden cards on their way to the followers), `discards`,
      `buried` (of the discards those that each seat laid face down), `removed` as
      (seat, Gnome).
    - `log`: every `Action` so far; `history`: every finished `Trick`.
    - `count`: the `Count` of a finished game, otherwise None (while loot is being chosen
      it is gathered, not decided).
    - `table`: the `Table` underneath.
    """

    def __init__(
        self,
        setup: Setup,
        hands: Sequence[Sequence[int]] | None = None,
        pile: Sequence[int] | None = None,
        quiet: bool = False,
    ) -> None:
        self.setup = setup
        self.seats = setup.seats
        self.phase_tricks = setup.tricks
        self.sides = setup.sides
        self.deck = setup.factions
        self.table = Table()
        self.table.noting = not quiet
        set_table(self.table, setup)
        self.raccoons_in_pile = setup.rulings["raccoons"] == "pile"
        seats = range(setup.seats)
        # Copies of each card that have not shown up in any place yet.
        self.left = bytearray(_copies(self.deck))
        self.raccoons = 0
        # Copies of each card that every player has seen.
        self.seen = bytearray(CARDS)
        self.hands: list[list[int]] = [[] for _ in seats]
        self.unknown = [setup.tricks for _ in seats]
        # Factions that a seat's hand cannot hold, for it did not follow them.
        self.voids = [0 for _ in seats]
        self.followers: list[list[int]] = [[] for _ in seats]
        self.shown: list[list[int]] = [[] for _ in seats]
        self.piles: list[list[int]] = [[] for _ in seats]
        self.displays: list[list[int]] = [[] for _ in seats]
        self.buried: list[list[int]] = [[] for _ in seats]
        self.discards: list[int] = []
        self.removed: list[tuple[int, int]] = []
        self.upcards: list[int] = []
        self.drawn: list[int] = []
        self.log: list[Action] = []
        self.history: list[Trick] = []
        self.quiet = quiet
        self.count: Count | None = None
        self.looked = False
        self.hidden = UNKNOWN
        self.pick_at = 0
        self.irregular = False
        self.waived: list[int] = []
        self.kind = _TURN_UP
        self.actor = _NOBODY
        self._pile = [UNKNOWN] * (setup.seats * setup.tricks)
        self._top = 0
        if hands is not None:
            self._take_hands(hands)
        if pile is not None:
            if len(pile) != len(self._pile):
                raise ValueError(f"the pile has {len(self._pile)} cards, not {len(pile)}")
            for card in pile:
                self._locate(card)
            self._pile = list(pile)

    def _take_hands(self, hands: Sequence[Sequence[int]]) -> None:
        if len(hands) != self.seats:
            raise ValueError(f"there are {self.seats} hands, not {len(hands)}")
        for seat, hand in enumerate(hands):
            if len(hand) != self.phase_tricks:
                raise ValueError(
                    f"seat {seat + 1} holds {self.phase_tricks} cards, not {len(hand)}"
                )
            for card in hand:
                self._locate(card)
                if self.raccoons_in_pile and card != UNKNOWN and FACTION_OF[card] == RACCOONS:
                    raise ValueError(f"{NAMES[card]} belongs in the pile, not in a hand")
            self.hands[seat] = sorted([card for card in hand if card != UNKNOWN])
            self.unknown[seat] = hand.count(UNKNOWN)

    def _locate(self, card: int) -> None:
        """Note that a card of the deal is no longer among those nobody knows."""
        if card == UNKNOWN:
            return
        if not 0 <= card < CARDS or not self._may_be(card):
            raise ValueError(self._nowhere(card))
        self._reveal(card)

    # Copies --------------------------------------------------------------------------

    def copy(self, quiet: bool = False) -> Machine:
        """Return an independent copy; a `quiet` one keeps no log and no history (search)."""
        new = Machine.__new__(Machine)
        new.setup = self.setup
        new.seats = self.seats
        new.phase_tricks = self.phase_tricks
        new.sides = self.sides
        new.deck = self.deck
        new.table = Table()
        copy_table(self.table, new.table)
        if not (quiet or self.quiet):
            new.table.noting = True
            new.table.notes = self.table.notes[:]
        new.raccoons_in_pile = self.raccoons_in_pile
        new.left = bytearray(self.left)
        new.raccoons = self.raccoons
        new.seen = bytearray(self.seen)
        new.hands = [x[:] for x in self.hands]
        new.unknown = self.unknown[:]
        new.voids = self.voids[:]
        new.followers = [x[:] for x in self.followers]
        new.shown = [x[:] for x in self.shown]
        new.piles = [x[:] for x in self.piles]
        new.displays = [x[:] for x in self.displays]
        new.buried = [x[:] for x in self.buried]
        new.discards = self.discards[:]
        new.removed = self.removed[:]
        new.upcards = self.upcards[:]
        new.drawn = self.drawn[:]
        new.quiet = quiet or self.quiet
        new.log = [] if new.quiet else self.log[:]
        new.history = [] if new.quiet else self.history[:]
        new.count = None
        if self.count is not None:
            new.count = new._counted()
            for side in range(self.sides):
                if new.count.undecided(side) and not self.count.undecided(side):
                    new.count.choose(side, self.count.loot_for[side])
            if self.kind == _OVER:
                new.count.decide()
        new.looked = self.looked
        new.hidden = self.hidden
        new.pick_at = self.pick_at
        new.irregular = self.irregular
        new.waived = self.waived[:]
        new.kind = self.kind
        new.actor = self.actor
        new._pile = self._pile
        new._top = self._top
        return new

    # What stands where ---------------------------------------------------------------

    @property
    def to_act(self) -> Turn:
        """Who is to act, and what for."""
        return _TURNS[self.kind][self.actor + 1]  # type: ignore[no-any-return, unused-ignore]

    @property
    def trick(self) -> int:
        """The number of the current trick, from 1; at the end that of the last."""
        return self.table.trick

    @property
    def phase(self) -> int:
        """The phase of the current trick, 1 or 2."""
        return 1 if self.table.trick <= self.phase_tricks else 2

    @property
    def auto(self) -> bool:
        """Whether an Automaton won the current trick beforehand."""
        return bool(self.table.auto)

    @property
    def leader(self) -> int:
        """The seat that leads the current trick."""
        return self.table.leader

    @property
    def winner(self) -> int | None:
        """The seat that won the current trick, None as long as that is open."""
        return None if self.kind in (_TURN_UP, _PLAY, _DISCARD) else self.table.winner

    @property
    def plays(self) -> list[int]:
        """The cards played to the current trick, the leader's first."""
        return [self.table.cards[i] for i in range(self.table.played)]

    @property
    def lying(self) -> list[int]:
        """The cards lying in the current trick; none once they have been moved away."""
        return self.plays if self.kind in (_PLAY, _DISCARD) else []

    @property
    def trolls(self) -> list[int]:
        """The Trolls left lying, in the order in which they will be taken."""
        return [self.table.trolls[i] for i in range(self.table.waiting)]

    @property
    def pile(self) -> list[int]:
        """What is left of the draw pile, from the top."""
        return self._pile[self._top :]

    @property
    def pile_left(self) -> int:
        """How many cards are left in the draw pile."""
        return len(self._pile) - self._top

    def cards_of(self, side: int, faction: int) -> int:
        """How many cards of `faction` a side has won so far, open Gnomes included."""
        return cards_won(self.table, side, faction)

    def values_of(self, seat: int, faction: int) -> int:
        """The values of `faction` in a seat's score pile, as a set (bit ``1 << value``)."""
        return self.table.mask[seat * FACTION_COUNT + faction]

    def unseen(self, seat: int) -> bytearray:
        """How many copies of each card of the deck `seat` has not seen, by card.

        It has seen what lay open, its own cards and what it laid face down itself.
        """
        unseen = bytearray(_copies(self.deck))
        seen = self.seen
        for card in range(CARDS):
            if seen[card]:
                unseen[card] -= seen[card]
        for card in self.shown[seat]:
            unseen[card] += 1  # both seen and its own
        for card in self.hands[seat]:
            unseen[card] -= 1
        for card in self.followers[seat]:
            if card != UNKNOWN:
                unseen[card] -= 1
        for card in self.buried[seat]:
            if card != UNKNOWN:
                unseen[card] -= 1
        return unseen

    # What may be done ------------------------------------------------------------------

    def choices(self) -> list[int]:
        """What may be done now, ascending; empty only when the game is over.

        Cards to turn up, play, discard, pick or draw, `LEAVE` and `TAKE` for a Seer,
        factions for loot.  Of an unknown hand or pile it is every card that can still
        be there as far as is known; a card to discard or draw may then be `UNKNOWN` too.
        """
        kind = self.kind
        if kind == _PLAY or kind == _DISCARD:
            return self._from_hand(self.actor, kind == _PLAY)
        if kind == _TURN_UP or kind == _DRAW:
            top = self._pile[self._top]
            if top != UNKNOWN:
                return [top]
            cards = [card for card in range(CARDS) if self._may_be(card)]
            if kind == _DRAW:
                cards.append(UNKNOWN)
            return cards
        if kind == _PICK:
            return sorted(set(self.upcards))
        if kind == _LOOK:
            return [LEAVE, TAKE]
        if kind == _LOOT and self.count is not None:
            fewest = self.count.fewest[self.actor]
            return [faction for faction in range(FACTION_COUNT) if fewest >> faction & 1]
        return []

    def _from_hand(self, seat: int, openly: bool) -> list[int]:
        """The cards that `seat` may play to the trick or, if not `openly`, discard."""
        hand = self.hands[seat]
        table = self.table
        cards: list[int] = []
        before = -1
        if openly and table.played:
            led = FACTION_OF[table.cards[0]]
            held = self._held(seat)
            for card in hand:
                if card != before and may_play(held, led, FACTION_OF[card]):
                    cards.append(card)
                before = card
        else:
            led = -1
            held = 0
            for card in hand:
                if card != before:
                    cards.append(card)
                before = card
        if self.unknown[seat]:
            cards += [
                card
                for card in range(CARDS)
                if self._may_hold(seat, card)
                and card not in hand
                and (led < 0 or may_play(held, led, FACTION_OF[card]))
            ]
            cards.sort()
            if not openly:
                cards.append(UNKNOWN)
        return cards

    def _held(self, seat: int) -> int:
        """The factions that `seat` is known to hold, as a set."""
        held = 0
        for card in self.hands[seat]:
            held |= 1 << FACTION_OF[card]
        return held

    def _may_be(self, card: int) -> bool:
        """Whether a card that nobody knows may be `card`."""
        return self.left[card] > 0 and (
            FACTION_OF[card] != RACCOONS or self.raccoons < RACCOONS_USED
        )

    def _may_hold(self, seat: int, card: int) -> bool:
        """Whether an unknown card in `seat`'s hand may be `card`."""
        if not self._may_be(card) or self.voids[seat] >> FACTION_OF[card] & 1:
            return False
        return not (
            self.raccoons_in_pile
            and FACTION_OF[card] == RACCOONS
            and self.table.trick <= self.phase_tricks
        )

    # Why not -----------------------------------------------------------------------------

    def _due(self, kind: int) -> None:
        if self.kind != kind:
            raise IllegalAction(_ASKED[self.kind].format(self.actor + 1))

    def _nowhere(self, card: int) -> str:
        """Why a card that nobody knows cannot be `card`."""
        if not 0 <= card < CARDS:
            return "there is no such card"
        if not self.deck >> FACTION_OF[card] & 1:
            return f"{FACTIONS[FACTION_OF[card]].name} are not in this deck"
        if FACTION_OF[card] == RACCOONS and self.left[card]:
            return f"ten Raccoons have shown up already, {NAMES[card]} is not among them"
        return f"{NAMES[card]} has shown up already"

    def _verify_held(self, seat: int, card: int) -> None:
        if card in self.hands[seat]:
            return
        if not self.unknown[seat]:
            if not 0 <= card < CARDS:
                raise IllegalAction("there is no such card")
            raise IllegalAction(f"seat {seat + 1} does not hold {NAMES[card]}")
        if card == UNKNOWN:
            raise IllegalAction("a card that is played must be named")
        if not 0 <= card < CARDS or not self._may_be(card):
            raise IllegalAction(self._nowhere(card))
        if self._may_hold(seat, card):
            return
        faction = FACTION_OF[card]
        if not self.voids[seat] >> faction & 1:
            raise IllegalAction(f"{NAMES[card]} belongs in the pile, not in a hand")
        number = self._void_since(seat, faction)
        raise IllegalAction(
            f"seat {seat + 1} did not follow {FACTIONS[faction].name} in trick {number}, "
            f"so it cannot hold {NAMES[card]}",
            number,
        )

    def _void_since(self, seat: int, faction: int) -> int:
        """The trick of this phase in which `seat` did not follow `faction`."""
        first = 1 if self.phase == 1 else self.phase_tricks + 1
        for trick in self.history[first - 1 :]:
            played = trick.plays[(seat + self.seats - trick.leader) % self.seats]
            if (
                not trick.auto
                and seat not in trick.irregular
                and FACTION_OF[trick.plays[0]] == faction
                and not may_play(1 << faction, faction, FACTION_OF[played])
            ):
                return trick.number
        return self.table.trick

    def _verify_hidden(self, card: int, others: int) -> None:
        """Check a card from the pile: the top, or in any order one of `others` after it."""
        ahead = self._pile[self._top : self._top + 1 + others]
        if card in ahead or (UNKNOWN in ahead and 0 <= card < CARDS and self._may_be(card)):
            return
        if UNKNOWN in ahead:
            raise IllegalAction(self._nowhere(card))
        raise IllegalAction(f"the pile's next card is {NAMES[ahead[0]]}")

    def verify_turn_up(self, card: int | None = None) -> None:
        """Check that `card` may be turned up; None stands for the pile's top, if known.

        Two upcards are turned up together: either may be named first.
        Raises IllegalAction.
        """
        self._due(_TURN_UP)
        if card is None:
            card = self._pile[self._top]
        if card == UNKNOWN:
            raise IllegalAction("an upcard that is turned up must be named")
        self._verify_hidden(card, self.setup.upcards - len(self.upcards) - 1)

    def verify_play(self, card: int, *, irregular: bool = False) -> None:
        """Check that `card` may be played; if `irregular`, only that it can be there.

        Raises IllegalAction.
        """
        self._due(_PLAY)
        seat = self.actor
        self._verify_held(seat, card)
        table = self.table
        if irregular or not table.played:
            return
        led = FACTION_OF[table.cards[0]]
        if not may_play(self._held(seat), led, FACTION_OF[card]):
            held = [NAMES[c] for c in self.hands[seat] if FACTION_OF[c] == led]
            raise IllegalAction(
                f"seat {seat + 1} must follow {FACTIONS[led].name}: it holds {', '.join(held)}"
            )

    def verify_discard(self, card: int = UNKNOWN) -> None:
        """Check that `card` may be discarded face down; raises IllegalAction."""
        self._due(_DISCARD)
        if card != UNKNOWN:
            self._verify_held(self.actor, card)
        elif not self.unknown[self.actor]:
            raise IllegalAction(f"the hand of seat {self.actor + 1} is known: name the card")

    def verify_look(self, take: bool, card: int | None = None) -> None:
        """Check that the Seer's player may `take` the hidden card; raises IllegalAction."""
        self._due(_LOOK)
        if take:
            self._verify_draw(card)
        elif card is not None:
            raise IllegalAction("a hidden card that is left stays hidden")

    def verify_pick(self, card: int) -> None:
        """Check that the upcard `card` may be picked; raises IllegalAction."""
        self._due(_PICK)
        if card not in self.upcards:
            names = " or ".join(NAMES[c] for c in self.upcards)
            raise IllegalAction(f"seat {self.actor + 1} picks one of the upcards, {names}")

    def verify_draw(self, card: int | None = None) -> None:
        """Check that `card` may be drawn; None or `UNKNOWN` stand for the pile's top.

        Raises IllegalAction.
        """
        self._due(_DRAW)
        self._verify_draw(card)

    def _verify_draw(self, card: int | None) -> None:
        if card is not None and card != UNKNOWN:
            self._verify_hidden(card, 0)

    def verify_loot(self, faction: int) -> None:
        """Check that the side's loot may count for `faction`; raises IllegalAction."""
        self._due(_LOOT)
        fewest = self.choices()
        if faction not in fewest:
            names = " or ".join(FACTIONS[f].name for f in fewest)
            raise IllegalAction(f"side {self.actor + 1} has fewest of {names}")

    def can_turn_up(self, card: int | None = None) -> bool:
        """Whether `turn_up` would succeed."""
        return self._can(self.verify_turn_up, card)

    def can_play(self, card: int, *, irregular: bool = False) -> bool:
        """Whether `play` would succeed."""
        try:
            self.verify_play(card, irregular=irregular)
        except IllegalAction:
            return False
        return True

    def can_discard(self, card: int = UNKNOWN) -> bool:
        """Whether `discard` would succeed."""
        return self._can(self.verify_discard, card)

    def can_look(self, take: bool, card: int | None = None) -> bool:
        """Whether `look` would succeed."""
        return self._can(self.verify_look, take, card)

    def can_pick(self, card: int) -> bool:
        """Whether `pick` would succeed."""
        return self._can(self.verify_pick, card)

    def can_draw(self, card: int | None = None) -> bool:
        """Whether `draw` would succeed."""
        return self._can(self.verify_draw, card)

    def can_loot(self, faction: int) -> bool:
        """Whether `choose_loot` would succeed."""
        return self._can(self.verify_loot, faction)

    def _can(self, verify: Callable[..., None], *args: object) -> bool:
        try:
            verify(*args)
        except IllegalAction:
            return False
        return True

    # Doing it ------------------------------------------------------------------------

    def turn_up(self, card: int | None = None) -> Action:
        """Turn up the next upcard (see `verify_turn_up`)."""
        self.verify_turn_up(card)
        return self._done(UNKNOWN if card is None else card)

    def play(self, card: int, *, irregular: bool = False) -> Action:
        """Play `card`; `irregular`: a revoke that the director lets stand."""
        self.verify_play(card, irregular=irregular)
        self.irregular = irregular
        return self._done(card)

    def discard(self, card: int = UNKNOWN) -> Action:
        """Discard `card` face down."""
        self.verify_discard(card)
        return self._done(card)

    def look(self, take: bool, card: int | None = None) -> Action:
        """With a Seer `take` the top hidden card (`card`, if it becomes known) or leave it."""
        self.verify_look(take, card)
        if card is not None:
            self.hidden = card
        return self._done(TAKE if take else LEAVE)

    def pick(self, card: int) -> Action:
        """Pick the upcard `card`."""
        self.verify_pick(card)
        return self._done(card)

    def draw(self, card: int | None = None) -> Action:
        """Draw the pile's top card, `card` if it becomes known."""
        self.verify_draw(card)
        return self._done(UNKNOWN if card is None else card)

    def choose_loot(self, faction: int) -> Action:
        """Let the side's loot count for `faction`."""
        self.verify_loot(faction)
        return self._done(faction)

    def verify(self, action: int) -> None:
        """Check that `action` is among `choices`; raises IllegalAction."""
        kind = self.kind
        if kind == _LOOK:
            if action not in (LEAVE, TAKE):
                raise IllegalAction("the Seer's player takes the hidden card or leaves it")
        elif kind == _TURN_UP:
            self.verify_turn_up(action)
        elif kind == _PLAY:
            self.verify_play(action)
        elif kind == _DISCARD:
            self.verify_discard(action)
        elif kind == _PICK:
            self.verify_pick(action)
        elif kind == _DRAW:
            self.verify_draw(action)
        elif kind == _LOOT:
            self.verify_loot(action)
        else:
            raise IllegalAction(_ASKED[_OVER])

    def apply(self, action: int) -> Action:
        """Do one of `choices`; raises IllegalAction if it is not one of them."""
        self.verify(action)
        return self._done(action)

    def repeat(self, action: Action) -> Action:
        """Do again what a log says; raises IllegalAction if that is not to be done now."""
        kind, _, card, irregular = action
        self._due(kind)
        if kind == _LOOK:
            return self.look(card is not None, card)
        if card is None:
            raise IllegalAction("a card must be named")
        if kind == _PLAY:
            return self.play(card, irregular=irregular)
        return self.apply(card)

    def _done(self, action: int) -> Action:
        kind, seat = self.to_act
        self.apply_unchecked(action)
        return Action(kind, seat, action) if self.quiet else self.log[len(self.log) - 1]

    def proceed(self) -> None:
        """Turn up and draw from the pile, as far as nobody has to act and cards are known."""
        while (self.kind == _TURN_UP or self.kind == _DRAW) and (self._pile[self._top] != UNKNOWN):
            self.apply_unchecked(self._pile[self._top])

    def apply_unchecked(self, action: int) -> None:
        """Do `action`, which the caller knows to be among `choices`."""
        kind = self.kind
        if kind == _PLAY:
            self._play(action)
        elif kind == _TURN_UP:
            self._turn_up(action)
        elif kind == _DRAW:
            self._draw(action)
        elif kind == _PICK:
            self._pick(action)
        elif kind == _LOOK:
            self._look(action)
        elif kind == _DISCARD:
            self._discard(action)
        elif kind == _LOOT:
            self._loot(action)

    def rebury(self, seat: int, cards: list[int]) -> None:
        """Let `seat` have laid these cards face down instead of those in `buried`.

        For search, where nobody knows them.
        """
        buried = self.buried[seat]
        place = (seat + self.seats - self.table.leader) % self.seats
        lies = self.kind == _DISCARD and place < self.table.played
        for i, card in enumerate(cards):
            if lies and i == len(buried) - 1:
                self.table.cards[place] = card
            else:
                self.discards.remove(buried[i])
                self.discards.append(card)
            buried[i] = card

    def _note(self, kind: int, seat: int, card: int | None) -> None:
        if not self.quiet:
            turn: Turn = _TURNS[kind][seat + 1]
            self.log.append(Action(turn.kind, turn.seat, card, self.irregular))

    def _reveal(self, card: int) -> None:
        """A card that nobody knew turns out to be `card`."""
        self.left[card] -= 1
        if FACTION_OF[card] == RACCOONS:
            self.raccoons += 1

    def _from_pile(self, card: int, others: int) -> int:
        """Take the top card off the pile, as far as known `card`; return what it is.

        If it turns out to be one of the `others` after it, they change places.
        """
        at = self._top
        top: int = self._pile[at]
        if card != UNKNOWN and card != top:
            ahead = self._pile[at : at + 1 + others]
            self._pile = self._pile[:]  # copies share it
            if card in ahead:
                self._pile[at + ahead.index(card)] = top
            else:
                self._reveal(card)
                self._pile[at + ahead.index(UNKNOWN)] = top
            top = card
        self._top = at + 1
        return top

    def _from_hand_of(self, seat: int, card: int) -> None:
        """Take `card` out of a hand."""
        hand = self.hands[seat]
        if card in hand:
            hand.remove(card)
            return
        self.unknown[seat] -= 1
        if card != UNKNOWN:
            self._reveal(card)
            self.voids[seat] &= ~(1 << FACTION_OF[card])

    def _turn_up(self, card: int) -> None:
        upcards = self.upcards
        wanted = self.table.upcard_count
        card = self._from_pile(card, wanted - len(upcards) - 1)
        self.seen[card] += 1
        upcards.append(card)
        self._note(_TURN_UP, _NOBODY, card)
        if len(upcards) == wanted:
            self.table.turn_up(upcards[0], upcards[wanted - 1])
            self.kind = _DISCARD if self.table.auto else _PLAY
            self.actor = self.table.leader

    def _play(self, card: int) -> None:
        table = self.table
        seat = self.actor
        self._note(_PLAY, seat, card)
        self._from_hand_of(seat, card)
        shown = self.shown[seat]
        if table.trick > self.phase_tricks and card in shown:
            shown.remove(card)
        else:
            self.seen[card] += 1
        if self.irregular:
            self.waived.append(seat)
        elif table.played:
            led = FACTION_OF[table.cards[0]]
            if not may_play(1 << led, led, FACTION_OF[card]):
                self.voids[seat] |= 1 << led
        self.irregular = False
        table.play(card)
        if table.played < self.seats:
            self.actor = table.seat_of(table.played)
        else:
            self._settle()

    def _discard(self, card: int) -> None:
        table = self.table
        seat = self.actor
        self._note(_DISCARD, seat, card)
        self._from_hand_of(seat, card)
        self.buried[seat].append(card)
        table.play(card)
        if table.played < self.seats:
            self.actor = table.seat_of(table.played)
        else:
            self._settle()

    def _settle(self) -> None:
        """All have played: move the cards and see who may choose."""
        table = self.table
        table.settle()
        late = table.trick > self.phase_tricks
        for i in range(table.gained):
            card = table.gained_card[i]
            if late and FACTION_OF[card] == GNOMES:
                self.displays[table.gained_seat[i]].append(card)
            else:
                self.piles[table.gained_seat[i]].append(card)
        if late:
            for i in range(table.removed):
                self.displays[table.removed_seat[i]].remove(table.removed_card[i])
                self.removed.append((table.removed_seat[i], table.removed_card[i]))
            self._finish()
            return
        for i in range(self.seats):
            card = table.cards[i]
            for k in range(table.gained):
                if table.gained_card[k] == card:
                    break
            else:
                self.discards.append(card)
        self.looked = False
        self.hidden = UNKNOWN
        self.pick_at = 0
        if not table.auto and seers(table.cards[table.ranked[0]]):
            self.kind = _LOOK
            self.actor = table.winner
        else:
            self._share()

    def _look(self, take: int) -> None:
        if take:
            self.looked = True
            card = self._from_pile(self.hidden, 0)
            self.hidden = card
            self.drawn.append(card)
            self._note(_LOOK, self.actor, card)
        else:
            self._note(_LOOK, self.actor, None)
        self._share()

    def _share(self) -> None:
        """Hand out the upcards, the first picker choosing."""
        table = self.table
        if self.seats == 2:
            self._draw_next()
        else:
            self.kind = _PICK
            self.actor = table.seat_of(table.ranked[1 if self.looked else 0])

    def _pick(self, card: int) -> None:
        self.pick_at = 0 if self.upcards[0] == card else 1
        self._note(_PICK, self.actor, card)
        self._draw_next()

    def _draw_next(self) -> None:
        """Let the next of the others draw; when all have, everybody takes their card."""
        table = self.table
        drawn = len(self.drawn) - (1 if self.looked else 0)
        draws = table.draws(self.looked)
        if drawn < draws:
            self.kind = _DRAW
            self.actor = table.seat_of(table.ranked[self.seats - draws + drawn])
            return
        first = UNKNOWN
        second = UNKNOWN
        if draws:
            first = self.drawn[drawn - draws + (1 if self.looked else 0)]
            second = self.drawn[len(self.drawn) - 1]
        table.recruit(self.looked, self.hidden, self.pick_at, first, second)
        for seat in range(self.seats):
            card = table.followers[seat * MAX_TRICKS + table.trick - 1]
            self.followers[seat].append(card)
            if card in self.upcards:
                self.upcards.remove(card)
                self.shown[seat].append(card)
        self.drawn.clear()
        self._finish()

    def _draw(self, card: int) -> None:
        seat = self.actor
        card = self._from_pile(card, 0)
        self.drawn.append(card)
        self._note(_DRAW, seat, card)
        self._draw_next()

    def _finish(self) -> None:
        """The trick is over: go on to the next one, or count."""
        table = self.table
        if not self.quiet:
            self._summarize()
        self.waived.clear()
        if table.trick == 2 * self.phase_tricks:
            for seat in range(self.seats):
                self.piles[seat].extend(self.displays[seat])
                self.displays[seat].clear()
            self.count = self._counted()
            self._loot_next()
            return
        table.advance()
        if table.trick <= self.phase_tricks:
            self.kind = _TURN_UP
            self.actor = _NOBODY
            return
        if table.trick == self.phase_tricks + 1:
            for seat in range(self.seats):
                followers = self.followers[seat]
                self.hands[seat] = sorted([card for card in followers if card != UNKNOWN])
                self.unknown[seat] = len(followers) - len(self.hands[seat])
                self.voids[seat] = 0
                followers.clear()
        self.kind = _PLAY
        self.actor = table.leader

    def _counted(self) -> Count:
        """Gather the score piles; loot that has no choice counts at once."""
        count = Count()
        count.noting = self.table.noting
        count.gather(self.table, loot_of(self.setup))
        return count

    def _loot_next(self) -> None:
        """Let the next side with a choice choose; when none has, decide the game."""
        count = self.count
        assert count is not None
        for side in range(self.sides):
            if count.undecided(side):
                self.kind = _LOOT
                self.actor = side
                return
        count.decide()
        self.kind = _OVER
        self.actor = _NOBODY

    def _loot(self, faction: int) -> None:
        assert self.count is not None
        self._note(_LOOT, self.actor, faction)
        self.count.choose(self.actor, faction)
        self._loot_next()

    def _summarize(self) -> None:
        """Append the finished trick to the history."""
        table = self.table
        seats = self.seats
        number = table.trick
        early = number <= self.phase_tricks
        scored: list[list[int]] = [[] for _ in range(seats)]
        for i in range(table.gained):
            scored[table.gained_seat[i]].append(table.gained_card[i])
        self.history.append(
            Trick(
                number,
                1 if early else 2,
                bool(table.auto),
                tuple([table.upcards[i] for i in range(table.upcard_count)]) if early else (),
                table.leader,
                tuple([table.cards[i] for i in range(seats)]),
                () if table.auto else tuple([table.values[i] for i in range(seats)]),
                table.winner,
                tuple([table.seat_of(table.ranked[i]) for i in range(seats)]),
                early and self.looked,
                table.upcards[self.pick_at] if early and seats > 2 else None,
                tuple([table.followers[k * MAX_TRICKS + number - 1] for k in range(seats)])
                if early
                else (),
                tuple([tuple(cards) for cards in scored]),
                tuple(
                    [(table.removed_seat[i], table.removed_card[i]) for i in range(table.removed)]
                ),
                tuple([table.trolls[i] for i in range(table.waiting)]),
                None if number == 2 * self.phase_tricks else table.next_leader,
                tuple(self.waived),
                tuple(table.notes),
            )
        )

    # Checks ------------------------------------------------------------------------------

    def places(self) -> dict[str, list[int]]:
        """Every card of the deck by where it is, `UNKNOWN` for those that nobody knows.

        The four unused Raccoons are in no place.
        """
        seats = range(self.seats)
        places = {
            "upcards": self.upcards[:],
            "lying": self.lying,
            "pile": self.pile,
            "drawn": self.drawn[:],
            "discards": self.discards[:],
            "trolls": self.trolls,
            "removed": [card for _, card in self.removed],
        }
        for seat in seats:
            places[f"hand {seat + 1}"] = self.hands[seat] + [UNKNOWN] * self.unknown[seat]
            places[f"followers {seat + 1}"] = self.followers[seat][:]
            places[f"pile {seat + 1}"] = self.piles[seat][:]
            places[f"display {seat + 1}"] = self.displays[seat][:]
        return places

    def conserved(self) -> None:
        """Check that every card of the deck is in exactly one place.

        Also that the table's counts agree with the score piles.  Raises CardsLost.
        """
        cards = [card for place in self.places().values() for card in place]
        dealt = 2 * self.seats * self.phase_tricks
        if len(cards) != dealt:
            raise CardsLost(f"{len(cards)} cards, not {dealt}")
        for card in range(CARDS):
            copies = COPIES[card] if self.deck >> FACTION_OF[card] & 1 else 0
            found = cards.count(card)
            if found + self.left[card] != copies:
                raise CardsLost(
                    f"{NAMES[card]}: {found} found, {self.left[card]} left, {copies} exist"
                )
        if sum(FACTION_OF[card] == RACCOONS for card in cards if card != UNKNOWN) != self.raccoons:
            raise CardsLost("Raccoons")
        unused = 4 if self.deck >> RACCOONS & 1 else 0
        if cards.count(UNKNOWN) + unused != sum(self.left):
            raise CardsLost(f"{cards.count(UNKNOWN)} unknown cards, {sum(self.left)} left")
        for seat in range(self.seats):
            factions = [FACTION_OF[c] for c in self.piles[seat] + self.displays[seat]]
            k = seat * VALUE_ROOM
            shown = sum([self.table.display[k + value] for value in range(VALUE_ROOM)])
            for faction in range(FACTION_COUNT):
                counted = self.table.count[seat * FACTION_COUNT + faction]
                if faction == GNOMES:
                    counted += shown
                if counted != factions.count(faction):
                    raise CardsLost(f"{FACTIONS[faction].name} of seat {seat + 1}")


@cache
def _copies(deck: int) -> bytes:
    """How many copies of each card a deck has."""
    return bytes([COPIES[card] if deck >> FACTION_OF[card] & 1 else 0 for card in range(CARDS)])


def cards_won(table: Table, side: int, faction: int) -> int:
    """How many cards of `faction` a side has won on a table so far, open Gnomes included."""
    number = 0
    seat = side
    while seat < table.seats:
        number += table.count[seat * FACTION_COUNT + faction]
        if faction == GNOMES:
            for value in range(VALUE_ROOM):
                number += table.display[seat * VALUE_ROOM + value]
        seat += SIDES[table.seats]
    return number


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


def loot_of(setup: Setup) -> int:
    """The values of the Raccoons that show loot, as a set; none where nobody knows."""
    loot = 0
    if setup.loot and setup.factions >> RACCOONS & 1:
        for name in setup.loot:
            loot |= 1 << VALUE_OF[card_named(name)]
    return loot


def copy_table(old: Table, new: Table) -> None:
    """Make `new` like `old`; what lives only while a trick is settled is left out."""
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


def shuffle(cards: list[int], rng: Random) -> None:
    """Shuffle in place, by ``rng.random`` alone: the same on every version of Python."""
    draw = rng.random
    for i in range(len(cards) - 1, 0, -1):
        chance = draw()
        k = int(chance * (i + 1))
        cards[i], cards[k] = cards[k], cards[i]


@cache
def _sorted_out(deck: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The cards of a deck, and apart from them its Raccoons."""
    cards: list[int] = []
    raccoons: list[int] = []
    for card in range(CARDS):
        if deck >> FACTION_OF[card] & 1:
            place = raccoons if FACTION_OF[card] == RACCOONS else cards
            place.extend([card] * COPIES[card])
    return tuple(cards), tuple(raccoons)


def deal(setup: Setup, rng: Random) -> tuple[list[list[int]], list[int]]:
    """Shuffle the deck and deal it: the hands by seat, and the pile from its top.

    Four Raccoons are removed unseen; with the ruling ``raccoons=pile`` the ten others go
    into the pile alone (rules.md, "Cards", "Rulings").
    """
    cards, raccoons = map(list, _sorted_out(setup.factions))
    shuffle(raccoons, rng)
    del raccoons[RACCOONS_USED:]
    if setup.rulings["raccoons"] != "pile":
        cards += raccoons
        raccoons = []
    shuffle(cards, rng)
    n = setup.tricks
    hands = [cards[seat * n : seat * n + n] for seat in range(setup.seats)]
    pile = cards[setup.seats * n :]
    if raccoons:
        pile += raccoons
        shuffle(pile, rng)
    return hands, pile


def perft(machine: Machine, depth: int) -> int:
    """The number of ways to go on for `depth` actions, or to the end if that comes first.

    Every action counts, upcards and draws too; `machine` stays as it is.
    """
    if depth == 0 or machine.kind == _OVER:
        return 1
    total = 0
    for action in machine.choices():
        after = machine.copy(quiet=True)
        after.apply_unchecked(action)
        total += perft(after, depth - 1)
    return total
