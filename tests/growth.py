"""The cost of a piece of work, in function calls and memory, without a clock.

Other threads can only add to either, so an excessive result is measured once more.
"""

from __future__ import annotations

import gc
import sys
import tracemalloc
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable


class Cost(NamedTuple):
    """Function calls, including those in C, and peak memory in bytes."""

    calls: int
    memory: int


def calls_of(work: Callable[[], object]) -> int:
    """Count the calls in this thread."""
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
    """Measure the peak memory in use, including the result of the work."""
    tracemalloc.start(1)
    try:
        kept = work()
        peak = tracemalloc.get_traced_memory()[1]
        del kept
        return peak
    finally:
        tracemalloc.stop()


def cost(work: Callable[[], object]) -> Cost:
    """Measure the cost of the work, without garbage collection."""
    gc.collect()
    gc.disable()
    try:
        return Cost(calls_of(work), memory_of(work))
    finally:
        gc.enable()


def assert_linear(of: Callable[[int], Callable[[], object]], size: int, room: Cost) -> Cost:
    """Check that four times the work costs at most about four times as much, plus some `room`.

    `of` makes the work of a given size.  Returns the cost of four times the size.
    """
    of(size)()  # work that is done only once
    one, four = cost(of(size)), cost(of(4 * size))
    if four.calls >= 6 * one.calls + room.calls or four.memory >= 6 * one.memory + room.memory:
        one, four = cost(of(size)), cost(of(4 * size))
    assert four.calls < 6 * one.calls + room.calls
    assert four.memory < 6 * one.memory + room.memory
    return four
