"""Play one game with policies, writing its tricks as it goes.

Compiled (``playing.pxd``) or interpreted from this one source.
"""

from collections.abc import Callable, Sequence
from random import Random

from claimlog.cards import FACTION_COUNT, FACTION_OF, LETTERS, NAMES, UNKNOWN
from claimlog.rules.actions import TAKE, IllegalAction, Kind
from claimlog.rules.machine import Machine
from claimlog.rules.powers import may_play, seers
from claimlog.rules.scoring import Count, loot_of
from claimlog.rules.setup import MAX_TRICKS, Setup
from claimlog.rules.table import Table, set_table
from claimlog.simulate.policies import Policy
from claimlog.simulate.view import PolicyView

_TURN_UP, _PLAY, _DISCARD, _LOOK, _PICK, _DRAW, _LOOT, _OVER = (int(kind) for kind in Kind)
_NUMBERS = [f"\n{number}." for number in range(2 * MAX_TRICKS + 1)]
_AFTER_SPACE = [f" {name}" for name in NAMES]
_AFTER_COMMA = [f",{name}" for name in NAMES]
_WON = [f" {name}+" for name in NAMES]
_FACE_DOWN = [f" -{name}" for name in NAMES]
_LOOKED = [f" ~{name}" for name in NAMES]
_PICKED = [f" ={name}" for name in NAMES]
_DRAWN = [f" /{name}" for name in NAMES]


class Scribe:
    """Writes the tricks of a game as `claimlog.notation.writer.canonical` does.

    `words` joined are the tricks, with a line break before each; `loot` is the tag's value.
    Without `draws` or `numbers`, hidden cards or trick numbers are left out.
    """

    def __init__(self, draws: bool = True, numbers: bool = True) -> None:
        self.draws = draws
        self.numbers = numbers
        self.words: list[str] = []
        self.loot: list[str] = []
        self.turned = 0
        self.drawn = 0

    def tricks(self) -> str:
        """The tricks, one on each line."""
        text = "".join(self.words)[1:]
        return text if self.numbers else text.replace("\n ", "\n").lstrip(" ")

    def begin(self, trick: int) -> None:
        """Begin the line of a trick."""
        self.turned = 0
        self.drawn = 0
        self.words.append(_NUMBERS[trick] if self.numbers else "\n")

    def upcard(self, card: int, number: int) -> None:
        """Write an upcard, one of `number` in this trick."""
        self.words.append(_AFTER_COMMA[card] if self.turned else _AFTER_SPACE[card])
        self.turned += 1
        if self.turned == number:
            self.words.append(":")

    def plays(self, table: Table, leader: int, auto: bool) -> None:
        """Write the cards of a trick that is settled."""
        words = self.words
        won = (table.winner + table.seats - leader) % table.seats
        for i in range(table.seats):
            card = table.cards[i]
            if auto:
                words.append(_FACE_DOWN[card])
            elif i == won:
                words.append(_WON[card])
            else:
                words.append(_AFTER_SPACE[card])

    def looked(self, card: int) -> None:
        """Write the hidden card that the winner took with a Seer."""
        self.words.append(_LOOKED[card] if self.draws else " ~_")

    def picked(self, card: int) -> None:
        """Write the upcard that the first picker took."""
        self.words.append(_PICKED[card])

    def draw(self, card: int) -> None:
        """Write a hidden card that was drawn."""
        if self.draws:
            self.words.append(_AFTER_COMMA[card] if self.drawn else _DRAWN[card])
            self.drawn += 1

    def looted(self, side: int, faction: int) -> None:
        """Note the faction that a side's loot counts for."""
        self.loot.append(f"{side + 1}={LETTERS[faction]}")


def play(machine: Machine, policies: Sequence[Policy], rng: Random, scribe: Scribe) -> None:
    """Play a game with known hands and pile to its end; the policies are by seat.

    Raises `IllegalAction` if a policy returns something other than one of its choices.
    """
    views = [PolicyView(machine, seat) for seat in range(machine.seats)]
    table = machine.table
    kind = machine.kind
    while kind != _OVER:
        if kind in (_TURN_UP, _DRAW):
            action = machine._pile[machine._top]
        else:
            choices = machine.choices()
            action = choices[0]
            if len(choices) > 1:
                seat = machine.actor
                chosen = policies[seat].choose(views[seat], choices, rng)
                if chosen not in choices:
                    raise IllegalAction(f"the policy of seat {seat + 1} chose {chosen}")
                action = chosen
        if kind in (_PLAY, _DISCARD):
            leader = table.leader
            if not table.played and table.trick > machine.phase_tricks:
                scribe.begin(table.trick)
            last = table.played + 1 == machine.seats
            machine.apply_unchecked(action)
            if last:
                scribe.plays(table, leader, kind == _DISCARD)
        else:
            if kind == _TURN_UP:
                if not machine.upcards:
                    scribe.begin(table.trick)
                scribe.upcard(action, table.upcard_count)
            elif kind == _DRAW:
                scribe.draw(action)
            elif kind == _PICK:
                scribe.picked(action)
            elif kind == _LOOK:
                if action == TAKE:
                    scribe.looked(machine._pile[machine._top])
            else:
                scribe.looted(machine.actor, action)
            machine.apply_unchecked(action)
        kind = machine.kind


class Dice:
    """Plays games with random choices, exactly as `play` does with `RandomPolicy` alone.

    No policy looks at such a game, so hands and a `Table` are enough: it does not track what a seat
    may know.  It can be reused for the next game.
    """

    def __init__(self) -> None:
        self.table = Table()
        self.count = Count()
        self.at = [0] * 13  # the cards of a hand

    def play(
        self, setup: Setup, hands: list[list[int]], pile: list[int], rng: Random, scribe: Scribe
    ) -> Count:
        """Play a dealt game to its end; returns its count, which is valid until the next game."""
        table = self.table
        set_table(table, setup)
        seats = table.seats
        tricks = table.tricks
        for hand in hands:
            hand.sort()
        top = 0
        draw = rng.random
        while True:
            trick = table.trick
            scribe.begin(trick)
            if trick <= tricks:
                table.turn_up(pile[top], pile[top + table.upcard_count - 1])
                top += table.upcard_count
                for i in range(table.upcard_count):
                    scribe.upcard(table.upcards[i], table.upcard_count)
            leader = table.leader
            auto = table.auto
            led = -1
            for i in range(seats):
                hand = hands[table.seat_of(i)]
                k = self._choose(hand, led, draw)
                card = hand[k]
                del hand[k]
                if i == 0 and not auto:
                    led = FACTION_OF[card]
                table.play(card)
            table.settle()
            scribe.plays(table, leader, auto)
            if trick <= tricks:
                top = self._recruit(pile, top, draw, scribe)
            if trick == 2 * tricks:
                break
            table.advance()
            if trick == tricks:
                for seat in range(seats):
                    k = seat * MAX_TRICKS
                    hands[seat] = sorted([table.followers[k + i] for i in range(tricks)])
        count = self.count
        count.gather(table, loot_of(setup))
        for side in range(count.sides):
            if count.undecided(side):
                fewest = count.fewest[side]
                factions = [faction for faction in range(FACTION_COUNT) if fewest >> faction & 1]
                chance = draw()
                faction = factions[int(chance * len(factions))]
                scribe.looted(side, faction)
                count.choose(side, faction)
        count.decide()
        return count

    def _choose(self, hand: list[int], led: int, draw: Callable[[], float]) -> int:
        """Choose a card that may be played to a lead (-1: none); returns its index."""
        at = self.at
        size = len(hand)
        held = 0
        if led >= 0:
            for i in range(size):
                card = hand[i]
                held |= 1 << FACTION_OF[card]
        number = 0
        before = -1
        for i in range(size):
            card = hand[i]
            if card != before and (led < 0 or may_play(held, led, FACTION_OF[card])):
                at[number] = i
                number += 1
            before = card
        if number == 1:
            return at[0]
        chance = draw()
        return at[int(chance * number)]

    def _recruit(self, pile: list[int], top: int, draw: Callable[[], float], scribe: Scribe) -> int:
        """Hand out followers from the upcards and the pile; returns the new top of the pile."""
        table = self.table
        hidden = UNKNOWN
        looked = False
        if not table.auto and seers(table.cards[table.ranked[0]]):
            chance = draw()
            if int(chance * 2) == TAKE:
                looked = True
                hidden = pile[top]
                top += 1
                scribe.looked(hidden)
        pick = 0
        if table.upcard_count > 1:
            first = table.upcards[0]
            second = table.upcards[1]
            if first != second:
                chance = draw()
                pick = int(chance * 2)
                if first > second:
                    pick = 1 - pick
            scribe.picked(table.upcards[pick])
        first = UNKNOWN
        second = UNKNOWN
        draws = table.draws(looked)
        for i in range(draws):
            second = pile[top]
            top += 1
            if i == 0:
                first = second
            scribe.draw(second)
        table.recruit(looked, hidden, pick, first, second)
        return top
