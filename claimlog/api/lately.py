"""What pages show of the whole archive: found anew when something was written, but not too often.

An answer that costs little is always the newest.  One that takes long to find, as on an archive
of millions of games, is shown for a while although others write: the longer, the more it costs.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

T = TypeVar("T")

CHEAP: Final = 0.05
"""Seconds; what takes no longer is always found anew."""
TIMES: Final = 100
"""How many times as long as it took to find an answer may be shown."""
LONGEST: Final = 60.0
"""Seconds that it may be shown at most."""
MOST: Final = 500
"""Answers that are kept."""


class _Answer(NamedTuple):
    value: Any
    generation: int
    at: float
    cost: float


class Lately:
    """Answers by what was asked, from any thread."""

    def __init__(self, generation: Callable[[], int], clock: Callable[[], float] = time.monotonic):
        """`generation` tells another number as soon as anything has been written."""
        self._generation = generation
        self._clock = clock
        self._answers: OrderedDict[Hashable, _Answer] = OrderedDict()
        self._asking: dict[Hashable, threading.Lock] = {}
        self._lock = threading.Lock()

    def get(self, key: Hashable, ask: Callable[[], T]) -> T:
        """The answer to `key`, which `ask` finds if it is not known or too old.

        Who asks while another finds it waits for that answer.
        """
        with self._lock:
            if (known := self._known(key)) is not None:
                return known.value  # type: ignore[no-any-return]
            asking = self._asking.setdefault(key, threading.Lock())
        with asking:
            with self._lock:
                if (known := self._known(key)) is not None:
                    return known.value  # type: ignore[no-any-return]
            generation, begin = self._generation(), self._clock()
            try:
                value = ask()
            finally:
                with self._lock:
                    self._asking.pop(key, None)
            end = self._clock()
            with self._lock:
                self._answers[key] = _Answer(value, generation, end, end - begin)
                self._answers.move_to_end(key)
                while len(self._answers) > MOST:
                    self._answers.popitem(last=False)
            return value

    def _known(self, key: Hashable) -> _Answer | None:
        """The answer, if it still holds; whoever calls has the lock."""
        known = self._answers.get(key)
        if known is None:
            return None
        age = self._clock() - known.at
        held = known.cost > CHEAP and age < min(LONGEST, TIMES * known.cost)
        if known.generation != self._generation() and not held:
            return None
        self._answers.move_to_end(key)
        return known
