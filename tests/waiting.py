"""Wait for events that send no notification."""

from __future__ import annotations

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from textual.pilot import Pilot

PATIENCE = 120.0
"""Seconds after which it will never happen, even on a busy machine."""


def wait_until(condition: Callable[[], object], patience: float = PATIENCE) -> None:
    """Return as soon as the condition holds.

    Raises:
        AssertionError: It did not hold in time.
    """
    end = time.monotonic() + patience
    while not condition():
        assert time.monotonic() < end, "timed out while waiting"
        time.sleep(0.01)


def run_alone(work: Coroutine[Any, Any, Any]) -> Any:
    """Run a coroutine in a thread: with Playwright, an event loop already runs in this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()


async def settled(pilot: Pilot[Any]) -> None:
    """Wait until a screen has processed all earlier requests and shows the result, or has ended.

    Textual's pilot waits until the process does little, which may also be because other processes
    have the processors.
    """
    for call in (pilot.app.call_later, pilot.app.call_after_refresh):
        done = asyncio.Event()
        call(done.set)
        while not done.is_set() and pilot.app.return_code is None:
            await asyncio.sleep(0.001)
    await pilot.pause()
