"""Puzzles are looked for while the server runs: in the games that nobody has looked through.

One process beside the server does it, as one stranger among those who have games analysed, and
between requests: while some come it works for half a second in thirty.  Only a file that may be
written is filled so; for an archive in PostgreSQL, which other programs can write beside its
servers, `claimlog analyse --all` does it.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from claimlog.api.http.problem import ApiError
from claimlog.store import ArchiveError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from claimlog.api.metrics import Metrics
    from claimlog.api.resources import Resources

PAUSE: Final = 20.0
"""Seconds until the first look, and between two looks at whether there are more games."""
GAMES: Final = 50
"""How many records a process searches at once: mostly for half a second."""
CHUNK: Final = 1000
"""How many records are read at once."""
QUIET: Final = 2.0
"""Seconds since the last answer after which nobody seems to be asking."""
LONGEST: Final = 30.0
"""Seconds after which some games are searched although somebody is."""


async def keep_puzzling(resources: Resources) -> None:
    """Find the puzzles of all games, and of those that come."""
    archive = resources.archive
    if archive.read_only or archive.postgres is not None:
        return
    seen = -1
    while True:
        await asyncio.sleep(PAUSE)
        if archive.generation != seen:
            seen = archive.generation
            # Where the archive cannot be read or written just now, it is tried again later.
            with suppress(ArchiveError, ApiError):
                while await _some(resources):
                    pass


async def quiet(
    metrics: Metrics,
    now: Callable[[], float] = time.perf_counter,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> None:
    """Wait until nobody has asked for `QUIET` seconds, but no longer than `LONGEST`."""
    end = now() + LONGEST
    while (left := min(metrics.answered + QUIET, end) - now()) > 0:
        await sleep(left)


async def _some(resources: Resources) -> bool:
    """Look through some games; whether there may be more."""
    archive = resources.archive
    records = await resources.read(lambda: archive.without_puzzles(CHUNK))
    for begin in range(0, len(records), GAMES):
        await quiet(resources.metrics)
        puzzles = await resources.analysts.puzzles(records[begin : begin + GAMES])
        await resources.write(lambda puzzles=puzzles: archive.keep_puzzles(puzzles))  # type: ignore[misc]
    return len(records) == CHUNK
