"""What the decisions of games were worth, computed by processes beside the server and cached.

The search for a value never pauses, so it runs in no thread of the server.  A game has a total
effort (`claimlog.analysis.answering`), a client has one process at a time, and strangers together
have all but one.  A process is ended when nobody waits for its answer any more.
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
"""Bytes of answers that are cached."""
NICE: Final = 5
"""How nice the processes are to the server."""


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
        """Return the analysis of a record of one game, as JSON (docs/analysis.md).

        Raises ApiError unless the record holds exactly one game.
        """
        body = await self._answer(task_of(record))
        if not body:
            raise ApiError(422, "invalid-record", "record.not-one", problems=[])
        return body

    async def tried(self, record: bytes, start: Place, cards: Sequence[str]) -> bytes:
        """Return what a game is worth if it continues with other cards, as `Trial.report`.

        The caller has checked that the cards may be played.
        """
        return await self._answer(trial_of(record, start, cards))

    async def puzzles(self, records: Sequence[tuple[bytes, bytes]]) -> list[KeptPuzzles]:
        """Return the puzzles of records, each record given with its digest."""
        async with self._queue.taken(CALLER.get()):
            return read_puzzles(await self._find(puzzling_of(records)))

    async def _answer(self, task: bytes) -> bytes:
        key = hashlib.blake2b(task, digest_size=16).digest()
        if key not in self._kept:
            async with self._queue.taken(CALLER.get()):
                # Another request may have computed it while this one waited for its turn.
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
            # `end` may have to wait for a process that has only just started.
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
        """End all processes and wait for the threads."""
        self.stop()
        self._threads.shutdown(wait=True, cancel_futures=True)
