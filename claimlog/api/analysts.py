"""What the decisions of games were worth: found by processes beside the server, and kept.

A value is searched for without rest, so no thread of the server does it.  A game has a total
effort (`claimlog.analysis.answering`), a client one process at a time, and strangers together all
but one.  A process whose answer nobody waits for any more is ended.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Final

from claimlog.analysis.answering import answer, puzzling_of, read_puzzles, task_of, trial_of
from claimlog.api.http.problem import ApiError
from claimlog.api.limits.callers import CALLER
from claimlog.workers import Worker, WorkerDied

if TYPE_CHECKING:
    from collections.abc import Sequence

    from claimlog.analysis.course import Place
    from claimlog.analysis.puzzles import KeptPuzzles
    from claimlog.api.limits.budget import FairQueue

KEPT: Final = 16 << 20
"""Bytes of answers that are kept."""
NICE: Final = 5
"""How far the processes make way for the server."""


class Analysts:
    """At most `size` processes that analyse records, each one at a time."""

    def __init__(self, size: int, queue: FairQueue) -> None:
        self._queue = queue
        self._threads = ThreadPoolExecutor(size, "analysis")
        self._idle: list[Worker] = []
        self._working: set[Worker] = set()
        self._kept: OrderedDict[bytes, bytes] = OrderedDict()
        self._used = 0

    async def of(self, record: bytes) -> bytes:
        """The object of a record of one game, as JSON (docs/analysis.md).

        Raises ApiError unless it is one.
        """
        body = await self._answer(task_of(record))
        if not body:
            raise ApiError(422, "invalid-record", "record.not-one", problems=[])
        return body

    async def tried(self, record: bytes, start: Place, cards: Sequence[str]) -> bytes:
        """What a game of a record is worth if it goes on with other cards, as `Trial.report`.

        That they may be played has been seen to.
        """
        return await self._answer(trial_of(record, start, cards))

    async def puzzles(self, records: Sequence[tuple[bytes, bytes]]) -> list[KeptPuzzles]:
        """The puzzles of records, each with its digest."""
        async with self._queue.taken(CALLER.get()):
            return read_puzzles(await self._find(puzzling_of(records)))

    async def _answer(self, task: bytes) -> bytes:
        key = hashlib.blake2b(task, digest_size=16).digest()
        if key not in self._kept:
            async with self._queue.taken(CALLER.get()):
                # It may have been found while others had their turns.
                if key not in self._kept:
                    self._keep(key, await self._find(task))
        self._kept.move_to_end(key)
        return self._kept[key]

    async def _find(self, task: bytes) -> bytes:
        worker = self._idle.pop() if self._idle else Worker(answer, nice=NICE)
        self._working.add(worker)
        work = self._threads.submit(worker.ask, task)
        try:
            body = await asyncio.wrap_future(work)
        except BaseException as error:
            # It may have to wait for a process that has just begun.
            asyncio.get_running_loop().run_in_executor(None, worker.end)
            if isinstance(error, WorkerDied):
                raise ApiError(503, "unavailable", "analysis.broken-off") from error
            raise
        finally:
            self._working.discard(worker)
        self._idle.append(worker)
        return body

    def _keep(self, key: bytes, body: bytes) -> None:
        self._kept[key] = body
        self._used += len(body)
        while self._used > KEPT and len(self._kept) > 1:
            self._used -= len(self._kept.popitem(last=False)[1])

    def stop(self) -> None:
        """End all processes."""
        for worker in (*self._working, *self._idle):
            worker.end()
        self._idle.clear()

    def close(self) -> None:
        """The same, and let the threads finish."""
        self.stop()
        self._threads.shutdown(wait=True, cancel_futures=True)
