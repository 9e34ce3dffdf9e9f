"""Encoded answers, kept until anything is written to the archive."""

from __future__ import annotations

from collections import OrderedDict
from typing import Final, NamedTuple

LARGEST: Final = 1 << 18
"""Bytes; larger answers are not kept."""

_OVERHEAD: Final = 600


class Answer(NamedTuple):
    """An answer as it was sent; `headers` include ETag, Content-Type and Content-Length."""

    generation: int
    etag: bytes
    headers: list[tuple[bytes, bytes]]
    body: bytes
    route: str


class Cache:
    """The answers used last, by path, query and Accept header.

    An answer holds as long as the archive's generation is the one that it was made in.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self.used = 0
        self._answers: OrderedDict[tuple[str, bytes, bytes], Answer] = OrderedDict()

    def get(self, key: tuple[str, bytes, bytes], generation: int) -> Answer | None:
        """The answer to `key`, if there is one that still holds."""
        answer = self._answers.get(key)
        if answer is None:
            return None
        if answer.generation != generation:
            self._drop(key)
            return None
        self._answers.move_to_end(key)
        return answer

    def put(self, key: tuple[str, bytes, bytes], answer: Answer) -> None:
        """Keep an answer, and let go of those not used for longest."""
        if len(answer.body) > LARGEST or sum(map(len, key)) > 4096:
            return
        self._drop(key)
        self._answers[key] = answer
        self.used += len(answer.body) + _OVERHEAD
        while self.used > self.size:
            self._drop(next(iter(self._answers)))

    def _drop(self, key: tuple[str, bytes, bytes]) -> None:
        old = self._answers.pop(key, None)
        if old is not None:
            self.used -= len(old.body) + _OVERHEAD
