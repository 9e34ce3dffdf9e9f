"""The analysis of one record for who waits for it: made in a process of its own.

The search knows no rest, so it is not for a process that others wait for.  Its total effort is
bounded: what it does not find out has bounds in place of a value.
"""

from __future__ import annotations

import json
from functools import cache
from itertools import islice
from typing import Final

from claimlog.analysis.decisions import analyse, unanswered
from claimlog.replay.recorder import replay_text
from claimlog.solve.search import Search

__all__ = ["TOTAL", "answer", "task_of"]

TOTAL: Final = 10_000_000
"""How many positions are looked at for all decisions of a game, where somebody waits."""


def task_of(record: bytes, total: int = TOTAL) -> bytes:
    """What `answer` is to be asked."""
    return b"%d\n" % total + record


def answer(task: bytes) -> bytes:
    """The object that ``claimlog analyse --format json`` prints of a record: a process's work.

    Nothing, unless it is a record of one game.
    """
    total, _, record = task.partition(b"\n")
    games = list(islice(replay_text(record), 2))
    if len(games) != 1:
        return b""
    (game,) = games
    if game.seats == 2:
        found = analyse(game, lines=False, total=int(total), search=_search())
    else:
        found = unanswered(game, "seats")
    return json.dumps(found.report(1)).encode()


@cache
def _search() -> Search:
    """The search of this process: it is dear to make."""
    return Search()
