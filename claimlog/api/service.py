"""What all requests share: the archive, the settings, threads, tokens, counters and the log."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

from claimlog.api.cache import Cache
from claimlog.api.logs import Log
from claimlog.api.metrics import Metrics
from claimlog.api.problem import ApiError
from claimlog.api.settings import Settings
from claimlog.api.tokens import SCOPES, TokenFile
from claimlog.store import Question

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator

    from claimlog.api.tokens import Scope
    from claimlog.store import Archive

T = TypeVar("T")

NOBODY = -1


class Caller:
    """Who makes a request: a name for the records, and what they may do."""

    __slots__ = ("key", "level", "name")

    def __init__(self, name: str, level: int, key: str) -> None:
        self.name = name
        self.level = level
        self.key = key

    def may(self, scope: Scope) -> bool:
        """Whether the caller may do what `scope` is for."""
        return self.level >= SCOPES.index(scope)


class Service:
    """Everything that outlives a request."""

    def __init__(self, archive: Archive, settings: Settings, log: Log | None = None) -> None:
        self.archive = archive
        self.settings = settings
        self.tokens = TokenFile(archive.path)
        self.log = log or Log()
        self.metrics = Metrics()
        self.cache = Cache(settings.cache_size)
        self.stopping = False
        self.on_stop: set[Callable[[], None]] = set()
        self.streams = 0
        self._threads = ThreadPoolExecutor(settings.readers, "reader")

    async def run(self, function: Callable[[], T]) -> T:
        """Call a function that blocks in a thread.

        If nobody waits for it any more, whatever it reads from the archive is interrupted.
        """
        question = Question()
        work = self._threads.submit(self.archive.ask, question, function)
        try:
            return await asyncio.wrap_future(work)
        except asyncio.CancelledError:
            self._give_up(question, lambda: not work.done())
            raise

    def _give_up(self, question: Question, going_on: Callable[[], bool]) -> None:
        """Interrupt the reading for a question until its thread has ended."""
        if going_on():
            question.give_up()
            asyncio.get_running_loop().call_later(0.05, self._give_up, question, going_on)

    async def pump(self, make: Callable[[], Iterator[T]]) -> AsyncIterator[T]:
        """Run an iterator that blocks in a thread of its own, a few items ahead."""
        self.take_stream()
        loop = asyncio.get_running_loop()
        queue: asyncio.Queue[tuple[bool, T | BaseException | None]] = asyncio.Queue()
        room = threading.Semaphore(3)
        left = threading.Event()
        question = Question()

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
                self.archive.ask(question, give)
            except BaseException as error:
                put(False, error)

        thread = threading.Thread(target=run, name="stream", daemon=True)
        thread.start()
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
            self._give_up(question, thread.is_alive)
            self.streams -= 1

    def take_stream(self) -> None:
        """Count a stream; whoever takes one counts it off when it is over."""
        if self.streams >= self.settings.streams:
            raise ApiError(
                503,
                "unavailable",
                f"{self.streams} imports and exports are going on, and more may not",
                headers={"Retry-After": "5"},
            )
        self.streams += 1

    def stop(self) -> None:
        """Say that the server is to stop: what could go on for long ends soon."""
        self.stopping = True
        for callback in tuple(self.on_stop):
            callback()

    def close(self) -> None:
        """Let the threads finish and close the archive."""
        self.stopping = True
        self._threads.shutdown(wait=True, cancel_futures=True)
        self.archive.close()
        self.log.flush()
