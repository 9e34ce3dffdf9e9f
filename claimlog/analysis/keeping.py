"""The analysis of a game as stored in an archive: the report, and numbers for statistics.

It depends on the record alone, so it is stored under the record's digest.
"""

from __future__ import annotations

import json
import zlib
from math import sqrt
from random import Random
from typing import TYPE_CHECKING, Final, NamedTuple

from claimlog.analysis.answering import one_game, search_of_this_process
from claimlog.analysis.decisions import analyse
from claimlog.analysis.puzzles import KeptPuzzles, kept_puzzles
from claimlog.cards import card
from claimlog.rules.setup import tricks_of
from claimlog.solve.value import FEW, UnanswerableError
from claimlog.state import State

if TYPE_CHECKING:
    from claimlog.evaluation import Analysis, Bounds
    from claimlog.game import Game

__all__ = ["REDEALS", "Graded", "Kept", "Task", "kept", "unpacked"]

REDEALS: Final = 8
"""How often the followers of Phase 2 are redealt by default."""
SHARE: Final = 20
"""A game's effort is divided by this for each redealt hand."""


class Task(NamedTuple):
    """A record to analyse, with the total effort and the number of redeals."""

    digest: bytes
    record: bytes
    total: int
    redeals: int


class Graded(NamedTuple):
    """A decision in numbers: twice the points of side 1 before and after, with best play.

    None if not even the result was found.  `card` is the number of the card.
    """

    trick: int
    seat: int
    card: int
    before: int | None
    after: int | None
    mark: str


class Kept(NamedTuple):
    """The stored analysis of a game.

    `start` is twice the points of side 1 with best play from the first trick of Phase 2.  `redealt`
    is the mean of its points (not doubled) when the followers of Phase 2 are redealt `redeals`
    times, None if the effort left one of these values open, `error` its standard error; `report`
    is compressed (`unpacked`).
    """

    digest: bytes
    trick: int | None
    exact: bool
    start: int | None
    redeals: int
    redealt: float | None
    error: float | None
    decisions: list[Graded]
    report: bytes
    puzzles: KeptPuzzles


def kept(task: Task) -> Kept:
    """Analyse a record of one game: the work of a process.  Raises ValueError otherwise."""
    game = one_game(task.record)
    if game is None:
        raise ValueError("this is not a record of one game")
    search = search_of_this_process() if game.seats == 2 else None
    analysis = analyse(game, lines=False, total=task.total, search=search)
    whole = analysis.from_trick == tricks_of(2) + 1
    start = _share(analysis.start) if whole and analysis.start is not None else None
    redealt = error = None
    if whole and task.redeals:
        redealt, error = _redealt(game, task)
    return Kept(
        task.digest,
        analysis.from_trick,
        analysis.exact,
        start,
        task.redeals,
        redealt,
        error,
        _graded(analysis),
        zlib.compress(json.dumps(analysis.report(1)).encode()),
        kept_puzzles(task.digest, game, search_of_this_process()),
    )


def unpacked(report: bytes) -> bytes:
    """The report as returned by `claimlog.analysis.answering.answer`."""
    return zlib.decompress(report)


def _share(bounds: Bounds) -> int | None:
    """Twice the points of side 1, None if they are not certain."""
    low, high = bounds.at_least.share, bounds.at_most.share
    return low if low == high else None


def _graded(analysis: Analysis) -> list[Graded]:
    return [
        Graded(
            one.trick,
            one.seat,
            card(one.played),
            _share(one.before),
            _share(one.after),
            one.mark,
        )
        for one in analysis.decisions
    ]


def _redealt(game: Game, task: Task) -> tuple[float | None, float | None]:
    """The mean points of side 1 for draw piles in other orders, and its standard error.

    The followers are redealt; score piles and lead stay.  None if the effort does not suffice for
    all of them: a mean of only those that are easy to solve would be that of other deals.
    """
    rng = Random(task.digest)
    effort = max(task.total // SHARE, FEW)
    search = search_of_this_process()
    points = []
    for _ in range(task.redeals):
        state = State.from_game(game, tricks_of(2) + 1)
        try:
            bounds = state.values(effort, search, redeal=rng).value()
        except UnanswerableError:
            return None, None
        twice = _share(bounds)
        if twice is None:
            return None, None
        points.append(twice / 2)
    number = len(points)
    mean = sum(points) / number
    if number == 1:
        return mean, None
    variance = sum((one - mean) ** 2 for one in points) / (number - 1)
    return mean, sqrt(variance / number)
