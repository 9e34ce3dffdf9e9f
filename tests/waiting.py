"""Wait for what nobody announces."""

from __future__ import annotations

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from textual.pilot import Pilot

PATIENCE = 120.0
"""Seconds after which it is not coming any more, also on a machine with much else to do."""


def wait_until(condition: Callable[[], object], patience: float = PATIENCE) -> None:
    """Return as soon as the condition holds.

    Raises:
        AssertionError: It did not hold in time.
    """
    end = time.monotonic() + patience
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.01)


def run_alone(work: Coroutine[Any, Any, Any]) -> Any:
    """Run a coroutine in a thread: where Playwright is, an event loop runs in this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()


async def settled(pilot: Pilot[Any]) -> None:
    """Wait until a screen has done what was asked of it before, and shows that, or has ended.

    Textual's pilot waits until the process does little, as it seems to where others have the
    processors.
    """
    for call in (pilot.app.call_later, pilot.app.call_after_refresh):
        done = asyncio.Event()
        call(done.set)
        while not done.is_set() and pilot.app.return_code is None:
            await asyncio.sleep(0.001)
    await pilot.pause()
