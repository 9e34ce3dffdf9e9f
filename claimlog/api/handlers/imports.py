"""Imports: any number of games in one request, answered game by game as they are stored."""

from __future__ import annotations

import asyncio
import os
import tempfile
import threading
import time
from collections import deque
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

import msgspec
from litestar import Controller, Request, post
from litestar.di import NamedDependency
from litestar.params import QueryParameter

from claimlog.api.handlers.games import Doubtful, Source, by, caller_of, doubtful_of, type_of_body
from claimlog.api.http import schemas
from claimlog.api.http.filters import LanguageOrNone
from claimlog.api.http.languages import language_of
from claimlog.api.http.media_types import CLM, NDJSON
from claimlog.api.http.operation import operation
from claimlog.api.http.problem import ApiError, as_error, stopping
from claimlog.api.http.responses import Lines
from claimlog.api.limits.request_body import encoding, pieces
from claimlog.api.resources import Resources
from claimlog.store import DiskFull

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from claimlog.store import Outcome

AHEAD: Final = 4 << 20
"""Bytes of a body that may wait for the archive."""

MOMENT: Final = 0.5
"""Seconds without data after which the games so far are stored and acknowledged."""

PROBLEMS: Final = 10_000
"""How many problems an answer reports in full; after that only the first of each game."""

_CHUNK: Final = 1 << 16


class Feed:
    """A body as a blocking file: filled by the event loop, read by the import's thread."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._parts: deque[bytes] = deque()
        self._size = 0
        self._end = False
        self.error: BaseException | None = None
        self._changed = threading.Condition()
        self._room = asyncio.Event()
        self._room.set()

    async def put(self, data: bytes) -> None:
        """Add data; waits while too much is unread."""
        with self._changed:
            if self._end:
                return
            self._parts.append(data)
            self._size += len(data)
            if self._size > AHEAD:
                self._room.clear()
            self._changed.notify()
        await self._room.wait()

    def finish(self, error: BaseException | None = None) -> None:
        """Mark the end: the body is complete, or broke off because of `error`."""
        with self._changed:
            self._end = True
            self.error = self.error or error
            self._changed.notify()
        self._loop.call_soon_threadsafe(self._room.set)

    def read(self, size: int = -1) -> bytes | None:
        """Return up to `size` bytes, b"" at the end, None if there is nothing for a moment.

        Raises BrokenOffError if the body broke off.

        A record that was cut in two must not look like an unfinished one.
        """
        with self._changed:
            if not self._parts and not self._end:
                self._changed.wait(MOMENT)
            if not self._parts and not self._end:
                return None
            if self.error is not None and not self._parts:
                raise BrokenOffError from self.error
            parts = []
            left = size if size >= 0 else self._size
            while self._parts and left > 0:
                part = self._parts.popleft()
                if len(part) > left:
                    self._parts.appendleft(part[left:])
                    part = part[:left]
                parts.append(part)
                left -= len(part)
                self._size -= len(part)
            if self._size < AHEAD // 2 and not self._room.is_set():
                self._loop.call_soon_threadsafe(self._room.set)
        return b"".join(parts)


class BrokenOffError(OSError):
    """The body of an import did not arrive completely; the cause says why."""


class Spool:
    """Lines waiting to be sent, in a file: the client may read them after sending everything."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        # In memory as long as they are few.
        self._file = tempfile.SpooledTemporaryFile(AHEAD)  # noqa: SIM115 — closed by close
        self._lock = threading.Lock()
        self._read = 0
        self._full = False
        self._end = False
        self._news = asyncio.Event()

    def write(self, data: bytes) -> None:
        """Add lines; called in the import's thread."""
        with self._lock:
            if self._file.closed or self._full:
                return
            try:
                self._file.seek(0, os.SEEK_END)
                self._file.write(data)
            except OSError:
                self._full = True
        self._loop.call_soon_threadsafe(self._news.set)

    def finish(self) -> None:
        """Mark the end."""
        self._end = True
        self._loop.call_soon_threadsafe(self._news.set)

    async def lines(self) -> AsyncIterator[bytes]:
        """Yield what was written, in pieces, until the end.  Raises DiskFull if it has no room."""
        while True:
            end = self._end
            if self._full:
                raise DiskFull("disk-full.answer")
            with self._lock:
                self._file.seek(self._read)
                data = self._file.read(_CHUNK)
            if data:
                self._read += len(data)
                yield data
            elif end:
                return
            else:
                await self._news.wait()
                self._news.clear()

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._file.close()


class Import:
    """One import: a task reads the body, a thread stores the games, the answer flows back."""

    def __init__(
        self,
        request: Request[Any, Any, Any],
        resources: Resources,
        form: Literal["clm", "ndjson"],
        source: str,
        only_refused: bool,
        doubtful: Literal["refuse", "replace", "beside"],
        language: str,
    ) -> None:
        loop = asyncio.get_running_loop()
        self.request = request
        self.resources = resources
        self.form = form
        self.by = by(request)
        self.source = source
        self.only_refused = only_refused
        self.doubtful = doubtful
        self.language = language
        self.packed = encoding(request)
        self.feed = Feed(loop)
        self.spool = Spool(loop)
        self.loop = loop
        self.games = self.problems = 0
        self.outcomes: dict[str, int] = {}
        self.problem: ApiError | None = None

    async def answer(self) -> AsyncIterator[bytes]:
        """Yield the answer's lines; the import continues to its end even if nobody reads them."""
        with self.resources.budget.streams.take(caller_of(self.request)):
            self.resources.on_stop.add(self._stop)
            reader = asyncio.ensure_future(self._read_body())
            self.resources.start(self._store, "import")
            try:
                async for data in self.spool.lines():
                    if self.problem is not None and not self.games:
                        raise self.problem
                    yield data
            finally:
                self.resources.on_stop.discard(self._stop)
                reader.cancel()
                self.feed.finish(ConnectionError("nobody waits for the answer"))
                self.spool.close()

    def _stop(self) -> None:
        """End with what has arrived; may be called from anywhere, even from a signal handler."""
        error = stopping()
        self.loop.call_soon_threadsafe(self.feed.finish, error)

    async def _read_body(self) -> None:
        """Pass the body to the thread."""
        body = pieces(self.request.stream(), self.packed, self.resources.settings.max_ratio)
        try:
            async for piece in body:
                if piece:
                    await self.feed.put(piece)
            self.feed.finish()
        except BaseException as error:
            self.feed.finish(error)
            if not isinstance(error, Exception):
                raise

    def _store(self) -> None:
        """Store the games; runs in the import's thread."""
        begin = time.monotonic()
        encoder = msgspec.json.Encoder()
        try:
            for batch in self.resources.archive.import_games(
                self.feed.read,
                form=self.form,
                by=self.by,
                source=self.source,
                doubtful=self.doubtful,
                language=self.language,
            ):
                lines = [self._reported(outcome) for outcome in batch if self._count(outcome)]
                if lines:
                    self.spool.write(b"".join(encoder.encode(line) + b"\n" for line in lines))
        except BaseException as error:
            cause = error.__cause__ if isinstance(error, BrokenOffError) else error
            self.problem = as_error(cause or error)
            if self.problem is None:
                self.loop.call_soon_threadsafe(self._log, cause or error)
                self.problem = ApiError(500, "internal", "server.see-log")
        end = schemas.ImportEnd(
            summary=schemas.ImportSummary(
                games=self.games,
                outcomes=self.outcomes,
                finished=self.problem is None,
                seconds=round(time.monotonic() - begin, 3),
                mark=self.resources.archive.mark,
                error=None if self.problem is None else self.problem.details(),
            )
        )
        self.spool.write(encoder.encode(end) + b"\n")
        # This comes before the answer is complete, because a server that stops then closes the
        # loop.
        self.loop.call_soon_threadsafe(self._tally)
        self.spool.finish()

    def _count(self, outcome: Outcome) -> bool:
        """Count an outcome; returns whether to report it."""
        self.games += 1
        self.outcomes[outcome.status] = self.outcomes.get(outcome.status, 0) + 1
        return not self.only_refused or outcome.status not in ("stored", "known", "corrected")

    def _reported(self, outcome: Outcome) -> Outcome:
        """Return an outcome as reported: after many problems, with only its first one."""
        self.problems += len(outcome.problems)
        if self.problems > PROBLEMS and len(outcome.problems) > 1:
            return msgspec.structs.replace(outcome, problems=outcome.problems[:1])
        return outcome

    def _tally(self) -> None:
        metrics = self.resources.metrics
        for status, number in self.outcomes.items():
            metrics.outcomes[status] = metrics.outcomes.get(status, 0) + number

    def _log(self, error: BaseException) -> None:
        self.resources.metrics.failures += 1
        request_id = self.request.scope["state"].get("request_id", "")
        self.resources.log.failure("import", error, request_id=request_id)


class ImportController(Controller):
    """Imports of many games."""

    path = "/imports"
    tags = ("games",)

    @post(
        status_code=200,
        opt=operation(
            scope="record",
            body={CLM: str, NDJSON: schemas.NewGame},
            errors=(400, 408, 413, 415, 503),
        ),
    )
    async def import_games(
        self,
        request: Request[Any, Any, Any],
        resources: NamedDependency[Resources],
        source: Source = "",
        answer: Annotated[
            Literal["all", "refused"],
            QueryParameter(
                description="Which games get a line in the answer: all, or only those not stored."
            ),
        ] = "all",
        doubtful: Doubtful = None,
        lang: LanguageOrNone = None,
    ) -> Lines[schemas.ImportLine]:
        """Store many games: CLM, or NDJSON with one object per line; gzip by Content-Encoding.

        The answer has a line for each game, in input order, sent once the game is on the disk, and
        begins before the whole body has been read; its last line is a `summary`.  Illegal games are
        refused, and so are games that seem to be a stored game but differ from it, unless
        `doubtful` says otherwise; the others are stored.  If the connection breaks, every game that
        a line was sent for is stored.
        """
        kind = type_of_body(request, (CLM, NDJSON))
        how = doubtful_of(request, doubtful)
        form: Literal["clm", "ndjson"] = "clm" if kind == CLM else "ndjson"
        language = lang or language_of(request)
        work = Import(request, resources, form, source, answer == "refused", how, language)
        return Lines(work.answer(), NDJSON)
