r"""Puzzles: positions near the end of a game in which only one card keeps the win.

Only games of two players count, and a seat that knew all cards: it knows its own hand, and by
elimination that the other seat holds the rest.

>>> from claimlog import read_games
>>> (game,) = read_games("data/sample.clm")
>>> [(one.trick, one.seat, one.solution, one.level) for one in puzzles_of(game)]
[]
"""

from __future__ import annotations

import hashlib
import json
import zlib
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from claimlog.analysis.decisions import sound_part, unseen
from claimlog.analysis.trial import Trial
from claimlog.cards import LETTERS
from claimlog.cards import card as card_named
from claimlog.evaluation import Bounds, CardValue
from claimlog.solve.value import UnanswerableError
from claimlog.state import State

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from claimlog.game import Game, Play, Seat, Trick
    from claimlog.solve.search import Search
    from claimlog.solve.value import Values

__all__ = [
    "LEVELS",
    "KeptPuzzles",
    "Puzzle",
    "PuzzleNumbers",
    "Try",
    "by_day",
    "kept_puzzles",
    "puzzles_of",
]

FIRST: Final = 19
"""The trick with which eight are left to play."""
LAST: Final = 24
"""The trick with which three are left to play."""
LEVELS: Final = (8, 40, 200)
"""The most lines of each level's puzzles; the last level has no limit."""
MOST: Final = 1000
"""The most lines that are counted."""

Line = list[tuple[int, str]]
"""Seats, from 1, and cards."""


class Try(NamedTuple):
    """A legal card, its value, and the continuation with best play on both sides."""

    card: CardValue
    line: Line


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position in which only one card keeps the win of the player to move.

    `played` is the number of plays of the trick on the table.  `lines` is the number of lines that
    a solver must see who answers each play of the other seat with the first winning card: one for
    each way in which the other seat may continue, at most `MOST`.
    """

    game: Game
    trick: int
    played: int
    seat: Seat
    solution: str
    tries: tuple[Try, ...]
    lines: int

    @property
    def level(self) -> int:
        """The level, from 1 (easy) to 4."""
        return 1 + sum(self.lines > most for most in LEVELS)

    @property
    def left(self) -> int:
        """The number of tricks to play, including the current one."""
        return LAST + 3 - self.trick

    @property
    def wrong(self) -> list[str]:
        """The cards that give away the win."""
        return [one.card.card for one in self.tries if one.card.card != self.solution]

    def tried(self, card: str) -> Try | None:
        """The result of a card; None if it may not be played."""
        return next((one for one in self.tries if one.card.card == card), None)

    @property
    def hints(self) -> tuple[str, list[str]]:
        """The letter of the solution's faction, and about half of the wrong cards."""
        others = [card for card in self.wrong if card[0] != self.solution[0]] or self.wrong
        return self.solution[0], others[: (len(self.wrong) + 1) // 2]

    def played_on(self, card: str) -> Game:
        """The game continued after a card with best play, without its real continuation.

        Raises KeyError for a card that may not be played.
        """
        one = self.tried(card)
        if one is None:
            raise KeyError(card)
        return Trial(self.game, self.trick, self.played, [name for _, name in one.line]).game()

    @property
    def factions(self) -> int:
        """The factions of the cards in the hands, as a set of bits."""
        state = State.from_game(self.game, self.trick, self.played)
        cards = [*state.hand(1), *state.hand(2)]
        return reduce(or_, (1 << LETTERS.index(name[0]) for name in cards))

    @classmethod
    def of_report(cls, game: Game, report: dict[str, Any]) -> Puzzle:
        """Return a game's puzzle from a report."""
        tries = tuple(
            Try(
                CardValue(one["card"], Bounds.of_report(one)),
                [(int(play[0]), play[2:]) for play in one["line"]],
            )
            for one in report["tries"]
        )
        trick, played, seat = report["trick"], report["played"], report["seat"]
        return cls(game, trick, played, seat, report["solution"], tries, report["lines"])

    def report(self) -> dict[str, Any]:
        """The puzzle as JSON."""
        return {
            "trick": self.trick,
            "played": self.played,
            "seat": self.seat,
            "level": self.level,
            "lines": self.lines,
            "solution": self.solution,
            "hints": self.hints[1],
            "tries": [
                one.card.report() | {"line": [f"{seat}:{card}" for seat, card in one.line]}
                for one in self.tries
            ],
        }


def puzzles_of(game: Game, search: Search | None = None) -> Iterator[Puzzle]:
    """The puzzles of a game in its order; of an invalid one those before its first error."""
    game = sound_part(game)
    if game.seats != 2:
        return
    hidden = unseen(game)
    for trick, played, seat in list(_moments(game, search)):
        if not hidden[seat]:
            puzzle = _puzzle(game, trick, played, seat, search)
            if all(one.card.value.exact for one in puzzle.tries):
                yield puzzle


class PuzzleNumbers(NamedTuple):
    """A puzzle in numbers; `factions` are those of the cards in the hands, as a set of bits."""

    trick: int
    played: int
    level: int
    lines: int
    factions: int


class KeptPuzzles(NamedTuple):
    """The puzzles of a record as stored in an archive; `report` is theirs, compressed."""

    digest: bytes
    numbers: list[PuzzleNumbers]
    report: bytes


def kept_puzzles(digest: bytes, game: Game, search: Search) -> KeptPuzzles:
    """The puzzles of a game whose record has this digest."""
    puzzles = list(puzzles_of(game, search))
    return KeptPuzzles(
        digest,
        [
            PuzzleNumbers(one.trick, one.played, one.level, one.lines, one.factions)
            for one in puzzles
        ],
        zlib.compress(json.dumps([one.report() for one in puzzles]).encode()),
    )


def _moments(game: Game, search: Search | None) -> Iterator[tuple[int, int, Seat]]:
    """The moments at which only one card keeps the win, and at least two others do not."""
    if len(game.tricks) < FIRST:
        return
    try:
        values = State.from_game(game, FIRST).values(None, search)
    except UnanswerableError:
        return
    for trick, played, play in _plays(game):
        groups = values.groups()
        seat = values.seat
        if play.card is None or play.irregular or seat != play.seat:
            return
        if len(groups) > 2 and trick.number <= LAST:
            before = values.value()
            if _won(before, seat):
                keeping = [group for group in groups if _won(values.after(group[0]), seat)]
                if len(keeping) == 1 == len(set(keeping[0])):
                    yield trick.number, played, seat
        if not any(play.card in group for group in groups):
            return
        values.play(play.card)


def _plays(game: Game) -> Iterator[tuple[Trick, int, Play]]:
    for trick in game.tricks[FIRST - 1 :]:
        for played, play in enumerate(trick.plays):
            yield trick, played, play


def _won(bounds: Bounds, seat: Seat) -> bool:
    """Whether it is certain that a seat wins."""
    return bounds.at_least.share == 2 if seat == 1 else bounds.at_most.share == 0


def _puzzle(game: Game, trick: int, played: int, seat: Seat, search: Search | None) -> Puzzle:
    values = State.from_game(game, trick, played).values(None, search)
    before = values.value()
    cards = [
        CardValue(name, values.after(group[0], before))
        for group in values.groups()
        for name in dict.fromkeys(group)
    ]
    solution = next(one.card for one in cards if _won(one.value, seat))
    tries = []
    for one in sorted(cards, key=lambda one: card_named(one.card)):
        values.rewind()
        values.play(one.card)
        tries.append(Try(one, [(seat, one.card), *values.best()]))
    lines = _lines(values, seat, [solution], 0)
    return Puzzle(game, trick, played, seat, solution, tuple(tries), lines)


def _lines(values: Values, solver: Seat, path: list[str], counted: int) -> int:
    """The number of lines after `path`, added to those `counted` already."""
    values.rewind()
    for card in path:
        values.play(card)
    if values.over:
        return counted + 1
    seat, groups = values.seat, values.groups()
    if seat == solver:
        groups = [next(group for group in groups if _won(values.after(group[0]), solver))]
    for group in groups:
        if counted < MOST:
            counted = _lines(values, solver, [*path, group[0]], counted)
    return counted


def by_day(names: Iterable[str], day: str) -> list[str]:
    """The names in the order of the day: the same for everybody, and different every day."""
    return sorted(names, key=lambda name: hashlib.sha256(f"{day} {name}".encode()).digest())
