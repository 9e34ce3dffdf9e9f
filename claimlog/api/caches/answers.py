"""The cache of the answers used last, as they were sent."""

from __future__ import annotations

from collections import OrderedDict
from typing import Final, NamedTuple

LARGEST: Final = 1 << 18
"""Bytes; larger answers are not cached."""


_OVERHEAD: Final = 600


Key = tuple[str, bytes, bytes, str, str, bool]
"""Path, query, Accept header; for a page the host it was requested from; the client's language;
whether it may be gzipped."""


class Answer(NamedTuple):
    """An answer as it was sent; `headers` include ETag, Content-Type and Content-Length."""

    generation: int
    headers: list[tuple[bytes, bytes]]
    body: bytes
    route: str


class Cache:
    """The answers used last.

    An answer is valid as long as the archive has the generation it was made in.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self.used = 0
        self._answers: OrderedDict[Key, Answer] = OrderedDict()

    def get(self, key: Key, generation: int) -> Answer | None:
        """Return the cached answer for `key`, or None if there is none that is still valid."""
        answer = self._answers.get(key)
        if answer is None:
            return None
        if answer.generation != generation:
            self._drop(key)
            return None
        self._answers.move_to_end(key)
        return answer

    def put(self, key: Key, answer: Answer) -> bool:
        """Cache an answer and evict those unused longest; returns whether it was cached."""
        if len(answer.body) > LARGEST or sum(map(len, key[:4])) > 4096:
            return False
        self._drop(key)
        self._answers[key] = answer
        self.used += len(answer.body) + _OVERHEAD
        while self.used > self.size:
            self._drop(next(iter(self._answers)))
        return True

    def _drop(self, key: Key) -> None:
        old = self._answers.pop(key, None)
        if old is not None:
            self.used -= len(old.body) + _OVERHEAD
