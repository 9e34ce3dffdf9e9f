"""What a piece of work costs: calls of functions and memory, without a clock.

Other threads can only add to either, so what is found to be too much is measured once more.
"""

from __future__ import annotations

import gc
import sys
import tracemalloc
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable


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
    """What the work costs; the collector of garbage has no part in it."""
    gc.collect()
    gc.disable()
    try:
        return Cost(calls_of(work), memory_of(work))
    finally:
        gc.enable()


def assert_linear(of: Callable[[int], Callable[[], object]], size: int, room: Cost) -> Cost:
    """Four times as much to do costs not much more than four times as much, and some `room`.

    `of` makes the work of a size.  Returns what four times the size costs.
    """
    of(size)()  # what is done only once
    one, four = cost(of(size)), cost(of(4 * size))
    if four.calls >= 6 * one.calls + room.calls or four.memory >= 6 * one.memory + room.memory:
        one, four = cost(of(size)), cost(of(4 * size))
    assert four.calls < 6 * one.calls + room.calls
    assert four.memory < 6 * one.memory + room.memory
    return four
