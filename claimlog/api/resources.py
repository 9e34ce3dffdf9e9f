"""What all requests share: the archive, the settings, threads, tokens, counters and the log."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar
from weakref import WeakSet

from claimlog.api.analysts import Analysts
from claimlog.api.caches.answers import Cache
from claimlog.api.caches.stale_while_revalidate import StaleWhileRevalidate
from claimlog.api.generation_poller import GenerationPoller
from claimlog.api.limits.budget import Budget
from claimlog.api.limits.callers import CALLER
from claimlog.api.logs import Log
from claimlog.api.metrics import Metrics
from claimlog.api.settings import Settings
from claimlog.api.tables.live import Tables
from claimlog.api.tokens import tokens_of
from claimlog.store import CancelToken

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator

    from claimlog.store import Archive, Handed, Outcome

T = TypeVar("T")

LAST_WORDS: Final = 5.0
"""Seconds that a thread has to end when the server stops."""

WRITERS: Final = 32
"""Threads that judge and store records; games that arrive together are stored together."""

TOGETHER: Final = 100
"""The most games stored in one go."""
PATIENCE: Final = 0.05
"""Seconds that a game waits for those before it, which may take long to judge."""


class _Coming(NamedTuple):
    """A game to be stored, what to call with its outcome, and the future that takes the result."""

    handed: Handed
    then: Callable[[Outcome], Any]
    future: asyncio.Future[Any]


def _then(one: _Coming, outcome: Outcome | Exception | None) -> Any:
    """Return the result for a game; an exception is returned, to be raised by its future."""
    if outcome is None or isinstance(outcome, Exception):
        return outcome
    try:
        return one.then(outcome)
    except Exception as error:
        return error


def _tell(futures: list[asyncio.Future[Any]], results: list[Any]) -> None:
    """Set the results of the waiting futures; called in the loop."""
    for future, one in zip(futures, results, strict=True):
        if future.cancelled():
            continue
        if isinstance(one, Exception):
            future.set_exception(one)
        else:
            future.set_result(one)


class Resources:
    """Everything that outlives a request."""

    def __init__(self, archive: Archive, settings: Settings, log: Log | None = None) -> None:
        self.archive = archive
        self.settings = settings
        self.tokens = tokens_of(archive)
        backend = archive.postgres
        self._poller = None if backend is None else GenerationPoller(backend, self.tokens)
        self.log = log or Log()
        self.budget = Budget(settings)
        self.analysts = Analysts(settings.analysts, self.budget.analyses)
        self.tables = Tables(archive, self.budget, self.log)
        self.metrics = Metrics()
        self.cache = Cache(settings.cache_size)
        self.stale_cache = StaleWhileRevalidate(lambda: archive.generation, self.later)
        self.stopping = False
        self._ahead = CancelToken()
        self.on_stop: set[Callable[[], None]] = {
            self.tables.stop,
            self._ahead.cancel,
            self.analysts.stop,
        }
        self._readers = ThreadPoolExecutor(settings.readers, "reader")
        self._writers = ThreadPoolExecutor(WRITERS, "writer")
        self._reader_ahead = ThreadPoolExecutor(1, "ahead")
        self._handed: list[_Coming] = []
        self._storing = 0
        self._lock = threading.Lock()
        self._threads: WeakSet[threading.Thread] = WeakSet()

    async def generation(self) -> int:
        """The generation of the archive, which grows with every write."""
        if self._poller is None:
            return self.archive.generation
        return await self._poller.generation()

    async def read(self, function: Callable[[], T]) -> T:
        """Call a blocking function that queries the archive, in a thread.

        If nobody waits for it any more, its reading from the archive is interrupted.
        """
        token = CancelToken()
        async with self.budget.questions.taken(CALLER.get()):
            work = self._readers.submit(self.archive.ask, token, function)
            try:
                return await asyncio.wrap_future(work)
            except asyncio.CancelledError:
                self._cancel(token, lambda: not work.done())
                raise

    async def write(self, function: Callable[[], T]) -> T:
        """Call a blocking function that changes the archive, in a thread.

        It never waits for queries, and is not interrupted.
        """
        return await asyncio.shield(asyncio.wrap_future(self._writers.submit(function)))

    async def store(self, handed: Handed, then: Callable[[Outcome], T]) -> T:
        """Store one game, and call a function in a thread with its outcome.

        Games that arrive at the same moment are judged and stored together, outside the loop.
        """

        def alone() -> T:
            record, by, source, doubtful = handed
            return then(self.archive.store(record, by=by, source=source, doubtful=doubtful))

        if self.archive.postgres is not None:
            return await self.write(alone)
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T | None] = loop.create_future()
        coming = _Coming(handed, then, future)
        with self._lock:
            self._handed.append(coming)
            alone_here = not self._storing
        if alone_here:
            self._begin_storing()
        else:
            loop.call_later(PATIENCE, self._store_beside, coming)
        outcome = await asyncio.shield(future)
        # The game may resemble another one, which takes further queries.
        return await self.write(alone) if outcome is None else outcome

    def _begin_storing(self) -> None:
        """Let one more thread store what has arrived."""
        with self._lock:
            self._storing += 1
        self._writers.submit(self._store_handed)

    def _store_beside(self, coming: _Coming) -> None:
        """Store a game in another thread if those before it still hold it up."""
        with self._lock:
            waits = any(one is coming for one in self._handed)
        if waits:
            self._begin_storing()

    def _store_handed(self) -> None:
        """Store the games that have arrived, and those that arrive meanwhile."""
        while True:
            with self._lock:
                group, self._handed = self._handed[:TOGETHER], self._handed[TOGETHER:]
                if not group:
                    self._storing -= 1
                    return
            try:
                outcomes = self.archive.store_together([one.handed for one in group])
                results = [
                    _then(one, outcome) for one, outcome in zip(group, outcomes, strict=True)
                ]
            except Exception as error:
                results = [error] * len(group)
            loop = group[0].future.get_loop()
            loop.call_soon_threadsafe(_tell, [one.future for one in group], results)

    def later(self, function: Callable[[], object]) -> None:
        """Call a function that queries the archive and that nobody waits for, one at a time.

        Failure is not reported; a request that needs the answer asks again.
        """
        if not self.stopping:
            self._reader_ahead.submit(self.archive.ask, self._ahead, function)

    def _cancel(self, token: CancelToken, going_on: Callable[[], bool]) -> None:
        """Interrupt a query's reading until its thread has ended."""
        if going_on():
            token.cancel()
            asyncio.get_running_loop().call_later(0.05, self._cancel, token, going_on)

    async def pump(self, make: Callable[[], Iterator[T]]) -> AsyncIterator[T]:
        """Run a blocking iterator in a thread of its own, a few items ahead."""
        loop = asyncio.get_running_loop()
        queue: asyncio.Queue[tuple[bool, T | BaseException | None]] = asyncio.Queue()
        room = threading.Semaphore(3)
        left = threading.Event()
        token = CancelToken()

        def put(good: bool, item: T | BaseException | None) -> None:
            if not left.is_set():
                loop.call_soon_threadsafe(queue.put_nowait, (good, item))

        def give() -> None:
            for item in make():
                put(True, item)
                room.acquire()
                if left.is_set():
                    return
            put(False, None)

        def run() -> None:
            try:
                self.archive.ask(token, give)
            except BaseException as error:
                put(False, error)

        with self.budget.streams.take(CALLER.get()):
            thread = self.start(run, "stream")
            try:
                while True:
                    good, item = await queue.get()
                    if isinstance(item, BaseException):
                        raise item
                    if not good:
                        return
                    room.release()
                    yield item  # type: ignore[misc]
            finally:
                left.set()
                room.release()
                self._cancel(token, thread.is_alive)

    def start(self, function: Callable[[], None], name: str) -> threading.Thread:
        """Call a function in a thread of its own, which `close` waits for."""
        thread = threading.Thread(target=function, name=name, daemon=True)
        self._threads.add(thread)
        thread.start()
        return thread

    def stop(self) -> None:
        """Announce that the server stops, so that whatever may run for long ends soon."""
        self.stopping = True
        for callback in tuple(self.on_stop):
            callback()

    def close(self) -> None:
        """Let the threads finish and close the archive."""
        self.stopping = True
        self._ahead.cancel()
        for threads in (self._readers, self._writers, self._reader_ahead):
            threads.shutdown(wait=True, cancel_futures=True)
        self.analysts.close()
        if self._poller is not None:
            self._poller.close()
        self.tables.close()
        for thread in tuple(self._threads):
            thread.join(LAST_WORDS)
        self.archive.close()
        self.log.flush()
