"""A game in progress: who is to act, what is allowed, and doing it (rules.md).

The `Machine` serves live games and simulation.  It adds hands, followers and the draw pile to a
`Table`, which alone applies the rules to the cards.  How much is known about hands and pile is up
to the caller: everything, parts, or nothing.  Cards, factions, seats and sides are integers that
count from 0; `UNKNOWN` is a card that nobody knows.

>>> from claimlog.cards import card
>>> from claimlog.rules.setup import Setup
>>> machine = Machine(Setup("GKUWX", leader=2))
>>> machine.to_act.kind.name, machine.to_act.seat
('TURN_UP', None)
>>> machine.turn_up(card("U7")).card == card("U7")
True
>>> machine.to_act.kind.name, machine.to_act.seat
('PLAY', 1)

For each action there are three methods: ``verify_play(card)`` raises `IllegalAction` if it is not
allowed, ``can_play(card)`` returns whether it is, ``play(card)`` does it and returns the `Action`.
`choices` lists the legal actions, as integers that `apply` takes.
"""

from __future__ import annotations

from claimlog.cards import FACTION_OF, GNOMES, UNKNOWN
from claimlog.rules.actions import LEAVE, TAKE, Action, IllegalAction, Kind, Trick, Turn
from claimlog.rules.legal import Legal
from claimlog.rules.powers import may_play, seers
from claimlog.rules.scoring import Count, loot_of
from claimlog.rules.setup import MAX_TRICKS

__all__ = ["Machine", "perft"]

_TURN_UP, _PLAY, _DISCARD, _LOOK, _PICK, _DRAW, _LOOT, _OVER = map(int, Kind)
_NOBODY = -1
_TURNS = [
    [
        Turn(kind, None if seat < 0 or kind in (Kind.TURN_UP, Kind.OVER) else seat)
        for seat in range(-1, 4)
    ]
    for kind in Kind
]


class Machine(Legal):
    """One game in progress, played action by action.

    Its arguments and attributes are those of `Places`.  `turn_up`, `play`, `discard`, `look`,
    `pick`, `draw` and `choose_loot` return the `Action` that they add to the log; one that is not
    allowed now raises IllegalAction and changes nothing.
    """

    def copy(self, quiet: bool = False) -> Machine:
        """Return an independent copy; a `quiet` one keeps no log and no history (search)."""
        new = Machine.__new__(Machine)
        self._copy_to(new, quiet)
        new.count = None
        if self.count is not None:
            new.count = new._counted()
            for side in range(self.sides):
                if new.count.undecided(side) and not self.count.undecided(side):
                    new.count.choose(side, self.count.loot_for[side])
            if self.kind == _OVER:
                new.count.decide()
        return new

    @property
    def to_act(self) -> Turn:
        """Who is to act, and how."""
        return _TURNS[self.kind][self.actor + 1]  # type: ignore[no-any-return, unused-ignore]

    # Actions -------------------------------------------------------------------------

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

    def apply(self, action: int) -> Action:
        """Do one of `choices`; raises IllegalAction for anything else."""
        self.verify(action)
        return self._done(action)

    def repeat(self, action: Action) -> Action:
        """Repeat an action from a log; raises IllegalAction if it is not allowed now."""
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
        """Turn up and draw from the pile as long as nobody has to act and the cards are known."""
        while (self.kind == _TURN_UP or self.kind == _DRAW) and (self._pile[self._top] != UNKNOWN):
            self.apply_unchecked(self._pile[self._top])

    def apply_unchecked(self, action: int) -> None:
        """Do `action`, which the caller knows to be one of `choices`."""
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
        """Replace the cards that `seat` laid face down (`buried`) by these.

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

    def _turn_up(self, card: int) -> None:
        upcards = self.upcards
        number = self.table.upcard_count
        card = self._from_pile(card, number - len(upcards) - 1)
        self.seen[card] += 1
        upcards.append(card)
        self._note(_TURN_UP, _NOBODY, card)
        if len(upcards) == number:
            self.table.turn_up(upcards[0], upcards[number - 1])
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
        """Move the cards of a fully played trick and find out who may choose."""
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
        """Hand out the upcards; the first picker chooses."""
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
        """Let the next seat draw; when all have drawn, everybody takes their card."""
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
        """End the trick: go on to the next one, or count."""
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
        """Count the score piles; loot without a choice is assigned at once."""
        count = Count()
        count.noting = self.table.noting
        count.gather(self.table, loot_of(self.setup))
        return count

    def _loot_next(self) -> None:
        """Let the next side with a choice choose; if no side has one, decide the game."""
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


def perft(machine: Machine, depth: int) -> int:
    """The number of ways to continue for `depth` actions, or to the end if that comes first.

    Every action counts, including upcards and draws; `machine` is not changed.
    """
    if depth == 0 or machine.kind == _OVER:
        return 1
    total = 0
    for action in machine.choices():
        after = machine.copy(quiet=True)
        after.apply_unchecked(action)
        total += perft(after, depth - 1)
    return total
