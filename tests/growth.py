"""What a piece of work costs: calls of functions and memory, without a clock.

Other threads and the collector of garbage can only add to either, so the least of several tries
counts.
"""

from __future__ import annotations

import gc
import sys
import tracemalloc
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

TRIES = 2


class Cost(NamedTuple):
    """Calls of functions, also of those in C, and the bytes of memory used at most."""

    calls: int
    memory: int


def calls_of(work: Callable[[], object]) -> int:
    """The calls that this thread makes."""
    calls = 0

    def count(*_: object) -> None:
        nonlocal calls
        calls += 1

    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(None)
    return calls


def memory_of(work: Callable[[], object]) -> int:
    """The most memory that is in use at once, what the work answers included."""
    tracemalloc.start(1)
    try:
        kept = work()
        peak = tracemalloc.get_traced_memory()[1]
        del kept
        return peak
    finally:
        tracemalloc.stop()


def cost(work: Callable[[], object]) -> Cost:
    """What the work costs: the least of some tries."""
    gc.collect()
    gc.disable()
    try:
        calls = min(calls_of(work) for _ in range(TRIES))
        return Cost(calls, min(memory_of(work) for _ in range(TRIES)))
    finally:
        gc.enable()


def assert_linear(one: Cost, four: Cost, room: Cost) -> None:
    """Four times as much to do costs not much more than four times as much, and some `room`."""
    assert four.calls < 6 * one.calls + room.calls
    assert four.memory < 6 * one.memory + room.memory
