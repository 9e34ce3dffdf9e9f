"""The analysis of one record for who waits for it: made in a process of its own.

The search never pauses, so it does not belong in a process that others wait for.  Its total effort
is bounded: where it runs out, bounds take the place of a value.
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
"""How many positions are looked at for all decisions of a game, where somebody waits."""


def task_of(record: bytes, total: int = TOTAL) -> bytes:
    """What `answer` is to be asked."""
    return b"%d\n" % total + record


def answer(task: bytes) -> bytes:
    """The object that ``claimlog analyse --format json`` prints of a record: a process's work.

    Nothing, unless it is a record of one game.  Also what is to be tried out (`try_out`), and
    the puzzles of several records (`puzzling_of`).
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
    """What `answer` is to be asked for the puzzles of records, each with its digest."""
    return _PUZZLES + b"\n" + msgspec.msgpack.encode(records)


def read_puzzles(body: bytes) -> list[KeptPuzzles]:
    """The puzzles that were answered."""
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
    """What `grade` is to be asked."""
    return b"%d\n" % (trick or 0) + record


def grade(task: bytes) -> bytes:
    """The object of one trick, or of all tricks: a process's work for one person who waits.

    Each decision has an effort of its own, so that the first ones are found out, too.
    """
    trick, _, record = task.partition(b"\n")
    (game,) = replay_text(record)
    search = search_of_this_process() if game.seats == 2 else None
    analysis = analyse(game, trick=int(trick) or None, lines=False, search=search)
    return json.dumps(analysis.report(1)).encode()


def trial_of(record: bytes, start: Place, cards: Sequence[str]) -> bytes:
    """What `try_out` is to be asked."""
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
    """The game of a record, None unless it is one game."""
    games = list(islice(replay_text(record), 2))
    return games[0] if len(games) == 1 else None


@cache
def search_of_this_process() -> Search:
    """The search of this process: it is expensive to make."""
    return Search()
