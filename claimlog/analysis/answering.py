"""The analysis of one record for somebody who is waiting, in a process of its own.

The search never pauses, so it must not run in a process that others wait for.  Its total effort is
limited: when it runs out, values are replaced by bounds.
"""

from __future__ import annotations

import json
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Final

import msgspec

from claimlog.analysis.decisions import analyse
from claimlog.analysis.puzzles import KeptPuzzles, kept_puzzles
from claimlog.analysis.trial import Trial
from claimlog.replay.recorder import replay_text
from claimlog.solve.search import Search

if TYPE_CHECKING:
    from collections.abc import Sequence

    from claimlog.analysis.course import Place
    from claimlog.game import Game

__all__ = [
    "TOTAL",
    "answer",
    "grade",
    "grading_of",
    "one_game",
    "puzzling_of",
    "read_puzzles",
    "search_of_this_process",
    "task_of",
    "trial_of",
    "try_out",
]

_PUZZLES: Final = b"puzzles"
TOTAL: Final = 10_000_000
"""The most positions to search for all decisions of a game while somebody waits."""


def task_of(record: bytes, total: int = TOTAL) -> bytes:
    """Create a task for `answer`."""
    return b"%d\n" % total + record


def answer(task: bytes) -> bytes:
    """The object that ``claimlog analyse --format json`` prints for a record: a process's work.

    Empty unless it is a record of exactly one game.  Also handles the tasks of `trial_of` and
    `puzzling_of`.
    """
    total, _, record = task.partition(b"\n")
    if total == _PUZZLES:
        return _puzzles(record)
    if b" " in total:
        return try_out(task)
    game = one_game(record)
    if game is None:
        return b""
    search = search_of_this_process() if game.seats == 2 else None
    analysis = analyse(game, lines=False, total=int(total), search=search)
    return json.dumps(analysis.report(1)).encode()


def puzzling_of(records: Sequence[tuple[bytes, bytes]]) -> bytes:
    """Create a task for `answer`: the puzzles of records, each with its digest."""
    return _PUZZLES + b"\n" + msgspec.msgpack.encode(records)


def read_puzzles(body: bytes) -> list[KeptPuzzles]:
    """Decode the puzzles in an answer."""
    return msgspec.msgpack.decode(body, type=list[KeptPuzzles])


def _puzzles(records: bytes) -> bytes:
    search = search_of_this_process()
    puzzles = []
    for digest, record in msgspec.msgpack.decode(records, type=list[tuple[bytes, bytes]]):
        game = one_game(record)
        if game is not None:
            puzzles.append(kept_puzzles(digest, game, search))
    return msgspec.msgpack.encode(puzzles)


def grading_of(record: bytes, trick: int | None) -> bytes:
    """Create a task for `grade`."""
    return b"%d\n" % (trick or 0) + record


def grade(task: bytes) -> bytes:
    """The object for one trick, or for all tricks: a process's work for one waiting person.

    Each decision has its own effort, so that the first ones are solved, too.
    """
    trick, _, record = task.partition(b"\n")
    (game,) = replay_text(record)
    search = search_of_this_process() if game.seats == 2 else None
    analysis = analyse(game, trick=int(trick) or None, lines=False, search=search)
    return json.dumps(analysis.report(1)).encode()


def trial_of(record: bytes, start: Place, cards: Sequence[str]) -> bytes:
    """Create a task for `try_out`."""
    return " ".join([*map(str, start), *cards]).encode() + b"\n" + record


def try_out(task: bytes) -> bytes:
    """`Trial.report`, as JSON: a process's work.  Raises ValueError as `Trial` does."""
    head, _, record = task.partition(b"\n")
    trick, played, *cards = head.decode().split()
    (game,) = replay_text(record)
    trial = Trial(game, int(trick), int(played), cards)
    return json.dumps(
        trial.report(TOTAL, search_of_this_process() if game.seats == 2 else None)
    ).encode()


def one_game(record: bytes) -> Game | None:
    """The game of a record, None unless it has exactly one."""
    games = list(islice(replay_text(record), 2))
    return games[0] if len(games) == 1 else None


@cache
def search_of_this_process() -> Search:
    """The search of this process, which is expensive to create."""
    return Search()
