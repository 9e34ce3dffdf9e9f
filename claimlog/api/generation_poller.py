"""Whether anything was written: asked of PostgreSQL, away from the event loop."""

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
"""Seconds after which PostgreSQL is taken not to answer."""


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
        """The generation of which the tokens are known; others ask for it without them."""

    async def generation(self) -> int:
        """The generation as it is now; the tokens are known then, too.

        Who asks at the same moment gets the same answer.  Raises ArchiveUnreachable.
        """
        backend = self.backend
        remembered = backend.known_generation
        if remembered is not None and remembered == self._read:
            return remembered
        if self._asking is None or self._asking.done() or self._epoch != backend.epoch:
            self._epoch, self._begun = backend.epoch, time.monotonic()
            self._asking = self._thread.submit(self._ask)
        asking = asyncio.wrap_future(self._asking)
        left = self._begun + PATIENCE - time.monotonic()
        if not (await asyncio.wait({asking}, timeout=max(left, 0)))[0]:
            raise ArchiveUnreachable("archive.silent", path=backend.where)
        generation = asking.result()
        if isinstance(generation, ArchiveError):
            raise generation
        return generation

    def _ask(self) -> int | ArchiveError:
        try:
            generation = self.backend.generation
            self.tokens.tokens()
            self._read = generation
        except ArchiveError as error:
            return error
        return generation

    def close(self) -> None:
        """Ask no more; unanswered questions are not waited for."""
        self._thread.shutdown(wait=False, cancel_futures=True)
