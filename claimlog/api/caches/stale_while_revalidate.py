"""What pages show of the whole archive, recomputed after writes, but not too often.

A cheap answer is always current.  One that takes long to compute, as on an archive of millions of
games, is shown for a while although others write: the more it costs, the longer.  After that it is
shown once more while a new one is computed, unless it is too old.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

T = TypeVar("T")

CHEAP: Final = 0.2
"""Seconds; an answer that takes no longer is always recomputed."""
TIMES: Final = 100
"""How many times its cost in time an answer may be shown."""
LONGEST: Final = 60.0
"""Seconds that an answer may be shown at most before a new one is computed."""
OLDEST: Final = 600.0
"""Seconds; an older answer is not shown while a new one is computed."""
MOST: Final = 500
"""The most answers that are kept."""


class _Answer(NamedTuple):
    value: Any
    generation: int
    at: float
    cost: float


class StaleWhileRevalidate:
    """Cached answers by key, for any thread."""

    def __init__(
        self,
        generation: Callable[[], int],
        later: Callable[[Callable[[], object]], None],
        clock: Callable[[], float] = time.monotonic,
    ):
        """`generation` returns a new number as soon as anything has been written.

        `later` calls a function in another thread, when there is time.
        """
        self.asked = 0
        """How many answers were computed."""
        self.old = 0
        """How many answers were given that a later write may have changed."""
        self._generation = generation
        self._later = later
        self._clock = clock
        self._renewing: set[Hashable] = set()
        self._answers: OrderedDict[Hashable, _Answer] = OrderedDict()
        self._asking: dict[Hashable, threading.Lock] = {}
        self._lock = threading.Lock()

    def get(self, key: Hashable, ask: Callable[[], T]) -> T:
        """Return the answer to `key`, computed by `ask` if it is missing or too old.

        Callers wait for an answer that another thread is computing.
        """
        return self._get(key, ask, known_too=True)

    def _get(self, key: Hashable, ask: Callable[[], T], known_too: bool) -> T:
        with self._lock:
            if known_too and (kept := self._known(key, ask)) is not None:
                return kept.value  # type: ignore[no-any-return]
            asking = self._asking.setdefault(key, threading.Lock())
        with asking:
            with self._lock:
                if known_too and (kept := self._known(key, ask)) is not None:
                    return kept.value  # type: ignore[no-any-return]
            generation, begin = self._generation(), self._clock()
            try:
                value = ask()
            finally:
                with self._lock:
                    self._asking.pop(key, None)
            end = self._clock()
            with self._lock:
                self.asked += 1
                self._answers[key] = _Answer(value, generation, end, end - begin)
                self._answers.move_to_end(key)
                while len(self._answers) > MOST:
                    self._answers.popitem(last=False)
            return value

    def _known(self, key: Hashable, ask: Callable[[], object]) -> _Answer | None:
        """Return the cached answer if it may be shown, else None; the caller holds the lock."""
        kept = self._answers.get(key)
        if kept is None:
            return None
        if kept.generation != self._generation():
            age = self._clock() - kept.at
            if kept.cost <= CHEAP or age >= OLDEST:
                return None
            if age >= min(LONGEST, TIMES * kept.cost) and key not in self._renewing:
                self._renewing.add(key)
                self._later(lambda: self._renew(key, ask))
            self.old += 1
        self._answers.move_to_end(key)
        return kept

    def _renew(self, key: Hashable, ask: Callable[[], object]) -> None:
        try:
            self._get(key, ask, known_too=False)
        finally:
            with self._lock:
                self._renewing.discard(key)
