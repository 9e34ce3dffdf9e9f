"""How simulated players choose: at random, greedily, or by looking ahead.

A policy sees a `PolicyView`, that is, only what its seat may know.  It works with estimates, not
rules: every choice offered is legal, and the `Machine` determines its effect.

The same seed must give the same game everywhere, so floats are only added and multiplied, one by
one: ``sum`` rounds differently from Python 3.12 on, and ``**`` depends on the platform.  Integers
are divided by floats, because compiled code would drop the remainder.

Compiled (``policies.pxd``) or interpreted from this one source.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from random import Random
from typing import Final, Protocol

from claimlog.cards import (
    AUTOMATONS,
    CARDS,
    COPIES,
    DOPPELGANGERS,
    DWARVES,
    FACTION_COUNT,
    FACTION_OF,
    FACTIONS,
    GOBLINS,
    GRIFFINS,
    KNIGHTS,
    PEASANTS,
    RACCOONS,
    SEERS,
    UNDEAD,
    VALUE_OF,
)
from claimlog.cards import card as card_named
from claimlog.rules.actions import LEAVE, TAKE, Kind
from claimlog.rules.machine import Machine
from claimlog.rules.powers import standing
from claimlog.simulate.view import PolicyView
from claimlog.solve.search import Search
from claimlog.solve.value import EFFORT

__all__ = [
    "POLICIES",
    "ExpertPolicy",
    "GreedyPolicy",
    "PerfectPolicy",
    "Policy",
    "RandomPolicy",
]

NOBODY = -1
_TURN_UP, _PLAY, _DISCARD, _LOOK, _PICK, _DRAW, _LOOT, _OVER = (int(kind) for kind in Kind)


class Policy(Protocol):
    """Chooses for one seat."""

    def choose(self, view: PolicyView, choices: Sequence[int], rng: Random) -> int:
        """Return one of `choices`, which are at least two (see `Machine.choices`)."""
        ...


class RandomPolicy:
    """Chooses at random."""

    def choose(self, view: PolicyView, choices: Sequence[int], rng: Random) -> int:
        """Return one of `choices`."""
        chance = rng.random()
        return choices[int(chance * len(choices))]


@cache
def _factions(deck: int) -> tuple[int, ...]:
    return tuple(faction for faction in range(FACTION_COUNT) if deck >> faction & 1)


@cache
def _cards(deck: int) -> tuple[int, ...]:
    return tuple(card for card in range(CARDS) if deck >> FACTION_OF[card] & 1)


# The value of followers of a faction apart from their rank, measured in games of greedy players:
# mostly how often they win tricks unexpectedly.
_BIAS: Final = {
    GOBLINS: -0.1,
    KNIGHTS: 0.2,
    GRIFFINS: 0.1,
    RACCOONS: -0.15,
    SEERS: -0.1,
    DOPPELGANGERS: 0.4,
}
_FLAT: Final = {PEASANTS: -0.12, DWARVES: 0.0}
"""Factions whose cards are as good to lose as to win."""


@cache
def _worth(deck: int, seats: int) -> list[float]:
    """The value of a follower in Phase 2, in factions won, by card."""
    worth = [0.0] * CARDS
    for card in range(CARDS):
        faction = FACTION_OF[card]
        values = FACTIONS[faction].values
        below = sum(copies for value, copies in values.items() if value < VALUE_OF[card])
        rank = (below + COPIES[card] / 2) / FACTIONS[faction].size
        worth[card] = -0.3 + 0.9 * rank * rank + _BIAS.get(faction, 0.0)
        if faction in _FLAT:
            worth[card] = _FLAT[faction]
    return worth


@cache
def _swing(steps: int) -> tuple[float, ...]:
    """The value of one more card of a faction when `steps` others are still to be won.

    By the lead over the best opponent, from -25 to 25: half the difference between winning and
    losing the card in the sign of the final lead, if the others fall to either side at random.
    """
    ways = [1.0]
    for _ in range(steps):
        ways = [a + b for a, b in zip([0.0, *ways], [*ways, 0.0], strict=True)]
    total = float(1 << steps)
    table = []
    for lead in range(-25, 26):
        gain = 0.0
        for k, way in enumerate(ways):
            end = lead + 2 * k - steps
            gain += way * ((end + 1 > 0) - (end + 1 < 0) - (end - 1 > 0) + (end - 1 < 0))
        table.append(gain / total / 2)
    return tuple(table)


COST: Final = 0.1
"""The cost of playing the best card of the first hand, in factions won."""
LATE_COST: Final = 0.5
"""The same for the second hand."""


class GreedyPolicy:
    """Plays sensibly card by card.

    In Phase 1 it wins good upcards cheaply and otherwise gives away low cards; in Phase 2
    it wins tricks with cards of factions that are still open.
    """

    def choose(self, view: PolicyView, choices: Sequence[int], rng: Random) -> int:
        """Return one of `choices`."""
        kind = view.kind
        if kind == _PLAY:
            return self._play_late(view, choices) if view.late else self._play(view, choices)
        return self._choose_else(view, choices, kind)

    def _choose_else(self, view: PolicyView, choices: Sequence[int], kind: int) -> int:
        """Return one of `choices` for everything but plays."""
        worth = _worth(view.deck, view.seats)
        if kind == _DISCARD:
            return min(choices, key=lambda card: (_early_worth(card), card))
        if kind == _LOOK:
            best = max(worth[card] for card in view.upcards)
            return TAKE if worth[view.hidden] > best else LEAVE
        if kind == _PICK:
            return max(choices, key=lambda card: (worth[card], card))
        if kind == _LOOT:
            return max(choices, key=lambda faction: (self._loot(view, faction), faction))
        return choices[0]

    def _loot(self, view: PolicyView, faction: int) -> float:
        """The outcome of the game if the loot counts for `faction`."""
        outcome = view.after(faction).outcome()
        if outcome is None:
            return 0.0
        shares, votes = outcome
        return shares[view.side] * 100 + votes[view.side]

    # Phase 1 -------------------------------------------------------------------------

    def _play(self, view: PolicyView, choices: Sequence[int]) -> int:
        worth = _worth(view.deck, view.seats)
        unseen = view.unseen()
        prize = self._prize(view, worth, unseen)
        chances = _Chances(view, unseen)
        best = choices[0]
        best_score = -99.0
        for card in choices:
            win = chances.of(card)
            extra = 0.0
            faction = FACTION_OF[card]
            if faction == SEERS:
                extra = 0.1
            elif faction == AUTOMATONS and view.trick < view.setup.tricks:
                extra = 0.15
            gain = prize
            if faction == UNDEAD:
                gain += 0.15
            score = win * (gain + extra) - COST * _early_worth(card)
            if score > best_score:
                best = card
                best_score = score
        return best

    def _prize(self, view: PolicyView, worth: list[float], unseen: bytearray) -> float:
        """The advantage of winning the trick over not winning it."""
        number = _number(unseen)
        total = 0.0
        for card in _cards(view.deck):
            value = worth[card]
            total += value * unseen[card]
        hidden = total / number if number else 0.5
        prize = max([worth[card] for card in view.upcards]) - hidden
        if view.seats == 2:
            prize *= 2  # one player's gain is the other's loss
        for card in view.plays:
            if FACTION_OF[card] == UNDEAD:
                prize += 0.15
        if view.trick == view.setup.tricks:
            prize += 0.1  # the lead in Phase 2
        return prize

    # Phase 2 -------------------------------------------------------------------------

    def _play_late(self, view: PolicyView, choices: Sequence[int]) -> int:
        unseen = view.unseen()
        swings = _swings(view, unseen)
        if view.played == view.seats - 1:
            return self._play_last(view, choices, swings)
        chances = _Chances(view, unseen)
        dwarves = view.seats == 2
        stake = 0.0
        for faction in _factions(view.deck):
            stake += swings[faction]
        # Assume average cards for those still to be played.
        stake *= (view.seats - 1 - view.played) / len(_factions(view.deck))
        for card in view.plays:
            stake += swings[FACTION_OF[card]]
        best = choices[0]
        best_score = -99.0
        for card in choices:
            win = chances.of(card)
            faction = FACTION_OF[card]
            swing = swings[faction]
            if dwarves and faction == DWARVES:
                swing = -swing
            score = (2 * win - 1) * (stake + swing) - LATE_COST * _strength(card)
            if score > best_score:
                best = card
                best_score = score
        return best

    def _play_last(self, view: PolicyView, choices: Sequence[int], swings: list[float]) -> int:
        """Play the last card of a trick: its effect is known."""
        best = choices[0]
        best_score = -99.0
        before = view.standings()
        factions = _factions(view.deck)
        for card in choices:
            after = view.standings_after(card)
            score = -LATE_COST * _strength(card)
            for faction in factions:
                lead = after[faction]
                was = before[faction]
                swing = swings[faction]
                score += (lead - was) * swing
            if score > best_score:
                best = card
                best_score = score
        return best


_FOLLOWING: Final = 32
"""The lowest rank of a card that counts as the led faction."""
_KEYS: Final = 96
"""More than any rank, including a Griffin's bonus."""


def _number(unseen: bytearray) -> int:
    """The number of unseen cards."""
    total = 0
    for copies in unseen:
        total += copies
    return total


def _early_worth(card: int) -> float:
    """The value of a card of the first hand for winning tricks, about 0 to 1."""
    return VALUE_OF[card] / 9.0 + (0.2 if FACTION_OF[card] == DOPPELGANGERS else 0.0)


def _strength(card: int) -> float:
    return VALUE_OF[card] / 9.0 + (0.3 if FACTION_OF[card] == DOPPELGANGERS else 0.0)


def _swings(view: PolicyView, unseen: bytearray) -> list[float]:
    """The value of winning one more card, by faction."""
    left = [0.0] * FACTION_COUNT
    held = 0
    for other in range(view.seats):
        if other != view.seat:
            held += view.hand_size(other)
            for card in view.shown(other):
                left[FACTION_OF[card]] += 1
                held -= 1
    hidden = _number(unseen)
    share = held / (1.0 * hidden) if hidden else 0.0
    for card in _cards(view.deck):
        if unseen[card]:
            more = unseen[card] * share
            left[FACTION_OF[card]] += more
    for card in view.hand:
        left[FACTION_OF[card]] += 1
    for card in view.plays:
        left[FACTION_OF[card]] += 1
    leads = view.standings()
    swings = [0.0] * FACTION_COUNT
    for faction in _factions(view.deck):
        swings[faction] = _swing(max(round(left[faction]) - 1, 0))[leads[faction] + 25]
    return swings


class _Chances:
    """The chance that a card wins the current trick, as far as a seat can tell."""

    def __init__(self, view: PolicyView, unseen: bytearray) -> None:
        self.view = view
        self.unseen = unseen
        # The cards that may beat one of the faction `row`, see `_rivals`.
        self.row = NOBODY
        self.above = bytearray(_KEYS)
        self.certain = NOBODY
        self._look_round(view)

    def _look_round(self, view: PolicyView) -> None:
        """Find out what has been played, and who is still to play."""
        seats = view.seats
        leader = view.leader
        late = view.late
        plays = view.plays
        played = len(plays)
        self.led = FACTION_OF[plays[0]] if played else NOBODY
        self.best = NOBODY
        for i in range(played):
            card = plays[i]
            seat = (leader + i) % seats
            if seat % view.sides != view.side or seats != 4:
                self.best = max(self.best, _key(card, self.led))
        self.last = played + 1 >= seats
        held = 0
        self.shown: list[int] = []
        for i in range(played + 1, seats):
            seat = (leader + i) % seats
            if seat % view.sides != view.side:
                held += view.hand_size(seat)
                if late:
                    shown = view.shown(seat)
                    held -= len(shown)
                    self.shown += shown
        hidden = _number(self.unseen)
        self.miss = 1 - held / (1.0 * hidden) if hidden else 1.0

    def of(self, card: int) -> float:
        """The chance of `card`."""
        led = self.led if self.led >= 0 else FACTION_OF[card]
        key = _key(card, led) + self.view.bonus(card)
        if key <= self.best:
            return 0.0
        if self.last:
            return 1.0
        if led != self.row:
            self._rivals(led)
        if self.certain > key:
            return 0.05
        chance = 1.0
        for _ in range(self.above[key]):
            chance *= self.miss
        return chance

    def _rivals(self, led: int) -> None:
        """Find the cards that may beat a card of the faction `led`.

        `above` has, by rank, the number of unseen cards that rank higher; `certain` is the highest
        rank among the cards known to be in other hands.
        """
        self.row = led
        above = self.above = bytearray(_KEYS)
        unseen = self.unseen
        for card in _cards(self.view.deck):
            if unseen[card]:
                key = _key(card, led)
                if key >= _FOLLOWING:
                    above[key - 1] += unseen[card]
        for key in range(_KEYS - 1, 0, -1):
            above[key - 1] += above[key]
        self.certain = NOBODY
        for card in self.shown:
            key = _key(card, led)
            if key >= _FOLLOWING:
                self.certain = max(self.certain, key)


def _key(card: int, led: int) -> int:
    """The rank of `card` when `led` was led, before any bonus."""
    stands = standing(FACTION_OF[card], led)
    return stands * _FOLLOWING + VALUE_OF[card]


class ExpertPolicy(GreedyPolicy):
    """Greedy in Phase 1; in Phase 2 it tries every choice in imagined games."""

    def __init__(self, samples: int = 40) -> None:
        self.samples = samples

    def choose(self, view: PolicyView, choices: Sequence[int], rng: Random) -> int:
        """Return one of `choices`."""
        if view.kind != _PLAY or not view.late:
            return GreedyPolicy.choose(self, view, choices, rng)
        totals = [0.0] * len(choices)
        for _ in range(self.samples):
            world = view.imagine(rng)
            for i, card in enumerate(choices):
                game = world.copy(True)
                game.apply_unchecked(card)
                _play_on(game, rng)
                shares, votes = PolicyView(game, view.seat).outcome() or ([], [])
                totals[i] += shares[view.side] + 0.1 * votes[view.side]
        return choices[totals.index(max(totals))]


def _play_on(game: Machine, rng: Random) -> None:
    """Play a game at random to its end."""
    draw = rng.random
    while game.kind != _OVER:
        options = game.choices()
        chance = draw()
        game.apply_unchecked(options[int(chance * len(options))])


_ENTRIES: Final = 1 << 15
"""The most positions, in eights, that the search of `PerfectPolicy` keeps: about 6 MB."""


class PerfectPolicy(ExpertPolicy):
    """Plays Phase 2 with two players exactly, and everything else like `ExpertPolicy`.

    Exactly only if it knows the other hand; not with Raccoons or after discards that it did not
    see, nor if `effort` positions are not enough.  Among cards of equal value it plays the one that
    `ExpertPolicy` would.
    """

    def __init__(self, samples: int = 40, effort: int = EFFORT) -> None:
        ExpertPolicy.__init__(self, samples)
        self.effort = effort

    def choose(self, view: PolicyView, choices: Sequence[int], rng: Random) -> int:
        """Return one of `choices`."""
        best = self._best(view) if view.kind == _PLAY and view.late else []
        if len(best) == 1:
            return best[0]
        return ExpertPolicy.choose(self, view, best or choices, rng)

    def _best(self, view: PolicyView) -> list[int]:
        """The cards that keep the position's value; empty if it is unknown."""
        # A new one each time: leftovers of another game must not change how far it gets.
        values = view.values(self.effort, Search(_ENTRIES))
        if values is None:
            return []
        worth = values.value()
        if not worth.exact:
            return []
        kept = [group for group in values.groups() if values.after(group[0], worth) == worth]
        return sorted(card_named(name) for group in kept for name in group)


POLICIES: Final[dict[str, type[RandomPolicy] | type[GreedyPolicy]]] = {
    "random": RandomPolicy,
    "greedy": GreedyPolicy,
    "expert": ExpertPolicy,
    "perfect": PerfectPolicy,
}
"""The policies by name."""
