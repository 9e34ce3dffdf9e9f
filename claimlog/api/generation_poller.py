"""The generation of an archive in PostgreSQL, asked for outside the event loop."""

from __future__ import annotations

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Final

from claimlog.store import ArchiveError, ArchiveUnreachable

if TYPE_CHECKING:
    from concurrent.futures import Future

    from claimlog.api.tokens import Tokens
    from claimlog.store.postgres.backend import PostgresBackend

PATIENCE: Final = 3.0
"""Seconds without an answer after which PostgreSQL counts as unreachable.

A query may have to wait as long for the thread, which a busy machine or the query before delays.
"""


class GenerationPoller:
    """Knows the generation of an archive in PostgreSQL, and its tokens."""

    def __init__(self, backend: PostgresBackend, tokens: Tokens) -> None:
        self.backend = backend
        self.tokens = tokens
        self._thread = ThreadPoolExecutor(1, "poller")
        self._asking: Future[int | ArchiveError] | None = None
        self._begun = 0.0
        self._epoch = -1
        self._read = -1
        """The generation at which the tokens were last read."""

    async def generation(self) -> int:
        """Return the current generation, after reading the tokens if it is new.

        Callers that ask at the same moment share one query.  Raises ArchiveUnreachable.
        """
        backend = self.backend
        remembered = backend.known_generation
        if remembered is not None and remembered == self._read:
            return remembered
        if self._asking is None or self._asking.done() or self._epoch != backend.epoch:
            self._epoch, self._begun = backend.epoch, time.monotonic()
            self._asking = self._thread.submit(self._ask)
        asking = asyncio.wrap_future(self._asking)
        # Meanwhile the thread may begin.
        while not asking.done():
            left = self._begun + PATIENCE - time.monotonic()
            if left <= 0:
                raise ArchiveUnreachable("archive.silent", path=backend.where)
            await asyncio.wait({asking}, timeout=left)
        generation = asking.result()
        if isinstance(generation, ArchiveError):
            raise generation
        return generation

    def _ask(self) -> int | ArchiveError:
        self._begun = time.monotonic()
        try:
            generation = self.backend.generation
            self.tokens.tokens()
            self._read = generation
        except ArchiveError as error:
            return error
        return generation

    def close(self) -> None:
        """Stop asking, without waiting for unanswered queries."""
        self._thread.shutdown(wait=False, cancel_futures=True)
