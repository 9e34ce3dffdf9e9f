"""The search for puzzles in the background, in games that have not been searched yet.

One process beside the server does it, counted as one stranger among those who have games analysed,
and between requests: under load it works for half a second in thirty.  Only a file that may be
written is filled this way; for an archive in PostgreSQL, which other programs can write to beside
its servers, use `claimlog analyse --all`.
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
"""Seconds before the first search, and between two checks for more games."""
GAMES: Final = 50
"""How many records a process searches at once; this mostly takes half a second."""
CHUNK: Final = 1000
"""How many records are read at once."""
QUIET: Final = 2.0
"""Seconds since the last answer after which the server counts as idle."""
LONGEST: Final = 30.0
"""Seconds after which some games are searched even if the server is not idle."""


async def keep_puzzling(resources: Resources) -> None:
    """Find the puzzles of all games, and of new ones as they come."""
    archive = resources.archive
    if archive.read_only or archive.postgres is not None:
        return
    seen = -1
    while True:
        await asyncio.sleep(PAUSE)
        if archive.generation != seen:
            seen = archive.generation
            # If the archive cannot be read or written now, try again later.
            with suppress(ArchiveError, ApiError):
                while await _some(resources):
                    pass


async def quiet(
    metrics: Metrics,
    now: Callable[[], float] = time.perf_counter,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> None:
    """Wait until nothing was answered for `QUIET` seconds, but at most `LONGEST`."""
    end = now() + LONGEST
    while (left := min(metrics.answered + QUIET, end) - now()) > 0:
        await sleep(left)


async def _some(resources: Resources) -> bool:
    """Search some games; returns whether there may be more."""
    archive = resources.archive
    records = await resources.read(lambda: archive.without_puzzles(CHUNK))
    for begin in range(0, len(records), GAMES):
        await quiet(resources.metrics)
        puzzles = await resources.analysts.puzzles(records[begin : begin + GAMES])
        await resources.write(lambda puzzles=puzzles: archive.keep_puzzles(puzzles))  # type: ignore[misc]
    return len(records) == CHUNK
