"""Wait for what nobody announces."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

PATIENCE = 60.0
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
