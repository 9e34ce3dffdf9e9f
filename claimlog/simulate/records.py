"""Play games with policies, and write them as CLM text (docs/notation.md)."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import lru_cache
from random import Random
from typing import TypedDict, Unpack

from claimlog.cards import CARD_AT, FACTIONS, VALUE_ROOM, all_decks, deck_letters, deck_of
from claimlog.game import Game
from claimlog.language.messages import KeyedError
from claimlog.notation.writer import canonical, tag_lines
from claimlog.rules.dealing import deal, shuffle
from claimlog.rules.games import game_of, tags_of
from claimlog.rules.machine import Machine
from claimlog.rules.outcome import names_of, outcome_of
from claimlog.rules.setup import ADVISED_AGAINST, LOOTING, RULINGS, Setup
from claimlog.simulate.playing import Dice, Scribe, play
from claimlog.simulate.policies import POLICIES, Policy, RandomPolicy

__all__ = [
    "LOOT_CARDS",
    "clm_text",
    "simulate",
    "simulate_blocks",
    "simulate_games",
    "simulate_records",
]

LOOT_CARDS = 5
"""The number of Raccoons with loot in a simulated game."""
BLOCK = {"random": 1000, "greedy": 100}
"""The number of games a process plays at a time, by policy; one for the others, which are slow."""
KEPT = 4096
"""The number of setups to cache."""


class PolicyError(KeyedError, ValueError):
    """A policy is unknown, or there are too many or too few."""


def simulate(setup: Setup, policies: Sequence[Policy], rng: Random) -> Machine:
    """Deal and play one game, with policies by seat; return the finished game.

    With four players the first seat of a side chooses for its loot.  Raises ValueError for a wrong
    number of policies, `IllegalAction` if a policy returns something other than one of its choices.
    """
    if len(policies) != setup.seats:
        raise PolicyError("simulate.policies", number=setup.seats, given=len(policies))
    state = Machine(setup, *deal(setup, rng))
    play(state, policies, rng, Scribe())
    return state


def simulate_games(
    n: int,
    *,
    seats: int = 2,
    deck: str | None = None,
    rules: str = "LE2023",
    rulings: Mapping[str, str] | None = None,
    seed: int = 0,
    policy: str = "greedy",
    tags: Mapping[str, str] | None = None,
    draws: bool = True,
) -> Iterator[Game]:
    """Return an iterator over `n` simulated games.

    `deck` is faction letters; None or "random" draws a legal deck for each game, without Trolls
    where LE2023 advises against them.  `policy` is a name from `POLICIES`, or one for each seat,
    separated by commas.  `tags` replace or extend the default ones.  Without `draws`, cards that
    nobody at the table sees are left out.  A game depends only on the arguments and its index, not
    on `n`.  Raises ValueError at once for what the rules do not allow and for unknown policies,
    TypeError for anything of the wrong type.
    """
    series = _Series(seats, deck, rules, rulings, seed, policy)
    values = series.header | dict(tags or {})

    def simulated(index: int) -> Game:
        setup, rng = series.begin(index)
        game = game_of(simulate(setup, series.policies, rng), values)
        if not draws:
            _hide(game)
        return game

    return map(simulated, range(n))


class _Series:
    """Games that differ only in their index: their players, header and setups.

    Raises ValueError for what the rules do not allow and for unknown policies, TypeError for
    anything of the wrong type.
    """

    def __init__(
        self,
        seats: int,
        deck: str | None,
        rules: str,
        rulings: Mapping[str, str] | None,
        seed: int,
        policy: str,
    ) -> None:
        if not isinstance(policy, str):
            raise TypeError(
                f"policy is a name, or one for each seat, separated by commas, not {policy!r}"
            )
        names = policy.split(",")
        if unknown := [name for name in names if name not in POLICIES]:
            raise PolicyError("simulate.no-policy", name=unknown[0], names=POLICIES)
        if len(names) == 1:
            names *= seats
        chosen = dict(rulings or {})
        if deck is None or deck == "random":
            decks = all_decks(seats, classic=rules == "Classic")
            if seats > 2 and rules != "Classic":
                decks = [one for one in decks if not one & ADVISED_AGAINST]
        else:
            decks = [deck_of(deck)]
        # Raise any errors before the first game.
        Setup(deck_letters(decks[0]), seats, rules, chosen)
        self.policies: list[Policy] = [POLICIES[name]() for name in names]
        if len(self.policies) != seats:
            raise PolicyError("simulate.policies", number=seats, given=len(self.policies))
        self.header = {"CLM": "1", "Event": "Simulated"}
        for seat, name in enumerate(names, 1):
            self.header[f"Player{seat}"] = f"{name.capitalize()} {seat}"
        if rules != "LE2023":
            self.header["Rules"] = rules
        if chosen:
            self.header["Rulings"] = " ".join(
                f"{key}={chosen[key]}" for key in RULINGS if key in chosen
            )
        self._seats = seats
        self._decks = [(one, deck_letters(one)) for one in decks]
        self._seed = seed
        self._rng = Random()
        self.setup = lru_cache(KEPT)(self._make_setup)
        self._agreed = (seats, rules, chosen)

    def _make_setup(self, deck: str, leader: int) -> Setup:
        return Setup(deck, *self._agreed, leader)

    def begin(self, index: int) -> tuple[Setup, Random]:
        """Return the setup of a game and its random numbers, valid until the next call."""
        # A string, because integers would seed -1 and 1 alike.
        rng = self._rng
        rng.seed(f"claimlog {self._seed} {index}")
        deck, letters = self._decks[int(rng.random() * len(self._decks))]
        loot: tuple[str, ...] | None = None
        if deck >> LOOTING & 1:
            cards = [CARD_AT[LOOTING * VALUE_ROOM + value] for value in FACTIONS[LOOTING].values]
            shuffle(cards, rng)
            loot = tuple(names_of(sorted(cards[:LOOT_CARDS])))
        leader = int(rng.random() * self._seats)
        setup = self.setup(letters, leader + 1)
        return setup.with_loot(loot) if loot else setup, rng


def _hide(game: Game) -> None:
    """Remove cards that nobody at the table sees."""
    for trick in game.tricks:
        trick.hidden = trick.drawn = None


class _Options(TypedDict, total=False):
    """The options of `simulate_games` besides the number of games."""

    seats: int
    deck: str | None
    rules: str
    rulings: Mapping[str, str] | None
    seed: int
    policy: str
    tags: Mapping[str, str] | None
    draws: bool


def simulate_records(n: int, *, numbers: bool = True, **options: Unpack[_Options]) -> Iterator[str]:
    """Yield the games of `simulate_games` as canonical CLM text, each ending with a line break.

    Without `numbers` the trick numbers are left out, which deviates from the canonical form.
    """
    return map(_Writer(numbers, **options).record, range(n))


def simulate_blocks(
    n: int, *, jobs: int = 0, numbers: bool = True, **options: Unpack[_Options]
) -> Iterator[bytes]:
    """Yield the output of `simulate_records`, many games at a time, with blank lines between games.

    `jobs` is the number of processes, 0: one per core.
    """
    writer = _Writer(numbers, **options)
    size = min([BLOCK.get(name, 1) for name in options.get("policy", "greedy").split(",")])

    def block(task: bytes) -> bytes:
        start = int(task)
        return "\n".join(map(writer.record, range(start, min(start + size, n)))).encode()

    tasks = [b"%d" % start for start in range(0, n, size)]
    jobs = min((jobs or os.cpu_count() or 1) if hasattr(os, "fork") else 1, len(tasks))
    if jobs <= 1:
        return _spaced(map(block, tasks))
    from claimlog.workers import may_fork

    if may_fork():
        return _spaced(_spread(jobs, block, tasks, forked=True))
    how = pickle.dumps((numbers, options))
    sent = [pickle.dumps((how, start, min(start + size, n))) for start in range(0, n, size)]
    return _spaced(_spread(jobs, block_sent, sent, forked=False))


def block_sent(task: bytes) -> bytes:
    """Play a block of games: the task of a process that was not forked."""
    how, start, stop = pickle.loads(task)
    return "\n".join(map(_writer(how).record, range(start, stop))).encode()


@lru_cache(1)
def _writer(how: bytes) -> _Writer:
    numbers, options = pickle.loads(how)
    return _Writer(numbers, **options)


def _spread(
    jobs: int, work: Callable[[bytes], bytes], tasks: list[bytes], *, forked: bool
) -> Iterator[bytes]:
    """Have processes do the tasks; yield their answers in order."""
    from claimlog.workers import Workers

    with closing(Workers(jobs, work, forked=forked)) as workers:
        for task in tasks:
            while not workers.ready:
                yield from workers.take(wait=True)
            workers.begin(task)
        while workers.owed:
            yield from workers.take(wait=True)


def _spaced(blocks: Iterable[bytes]) -> Iterator[bytes]:
    """Put blank lines between blocks, which already have them between their games."""
    for number, block in enumerate(blocks):
        yield b"\n" + block if number else block


class _Writer:
    """Writes games as they are played, without building a `Game`."""

    def __init__(
        self,
        numbers: bool,
        *,
        seats: int = 2,
        deck: str | None = None,
        rules: str = "LE2023",
        rulings: Mapping[str, str] | None = None,
        seed: int = 0,
        policy: str = "greedy",
        tags: Mapping[str, str] | None = None,
        draws: bool = True,
    ) -> None:
        self._series = _Series(seats, deck, rules, rulings, seed, policy)
        self._head = self._series.header | dict(tags or {})
        self._draws = draws
        self._numbers = numbers
        self._dice = None
        if all(type(one) is RandomPolicy for one in self._series.policies):
            self._dice = Dice()
        self._tags = lru_cache(KEPT)(self._make_tags)

    def record(self, index: int) -> str:
        """Play and write a game."""
        setup, rng = self._series.begin(index)
        hands, pile = deal(setup, rng)
        scribe = Scribe(self._draws, self._numbers)
        if self._dice is not None:
            count = self._dice.play(setup, hands, pile, rng, scribe)
        else:
            machine = Machine(setup, hands, pile, True)
            play(machine, self._series.policies, rng, scribe)
            assert machine.count is not None
            count = machine.count
        result = outcome_of(count)
        votes = "-".join([str(count.votes[side]) for side in range(count.sides)])
        loot = setup.loot or ()
        text = self._tags(setup.deck, setup.leader, bool(loot), bool(scribe.loot))
        text = text.replace(_VOTES, votes).replace(_RESULT, result)
        if loot:
            text = text.replace(_LOOT_CARDS, " ".join(loot))
        if scribe.loot:
            text = text.replace(_LOOT, " ".join(scribe.loot))
        return f"{text}\n\n{scribe.tricks()}\n{self._head.get('Result', result)}\n"

    def _make_tags(self, deck: str, leader: int, shows_loot: bool, looted: bool) -> str:
        """The tags that `game_of` gives a game, with placeholders for its loot and outcome."""
        values = tags_of(self._series.setup(deck, leader))
        if shows_loot:
            values["LootCards"] = _LOOT_CARDS
        if looted:
            values["Loot"] = _LOOT
        values |= {"Votes": _VOTES, "Result": _RESULT}
        values |= self._head
        return "\n".join(tag_lines(values, deck))


_LOOT_CARDS, _LOOT, _VOTES, _RESULT = "\0LOOTCARDS", "\0LOOT\0", "\0VOTES", "\0RESULT"
"""Placeholders for values that are not known yet."""


def clm_text(
    machine: Machine,
    tags: Mapping[str, str] | None = None,
    *,
    draws: bool = True,
    numbers: bool = True,
) -> str:
    """Write a game as canonical CLM text; an unfinished one as far as it was played.

    Adds the tags that follow from the game, unless `tags` has them
    (`claimlog.rules.games.game_of`).  `draws` and `numbers` are as in `simulate_records`.
    """
    game = game_of(machine, tags)
    if not draws:
        _hide(game)
    return canonical(game, numbers=numbers)
