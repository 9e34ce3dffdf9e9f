"""Rates with their confidence intervals."""

from __future__ import annotations

import math
from typing import Final

from claimlog.store.types import Rate

Z: Final = 1.959963984540054
"""The 97.5 % point of the normal distribution: intervals are 95 % ones."""


def rate(count: int | None, points: float | None) -> Rate:
    """The rate of `points` in `count`, with Wilson's interval.

    A shared win counts as its share; Wilson's formula takes it like any other sum.
    """
    n = int(count or 0)
    s = float(points or 0.0)
    if not n:
        return Rate(count=0, points=0.0, rate=None, low=None, high=None)
    p = min(max(s / n, 0.0), 1.0)
    base = 1 + Z * Z / n
    middle = p + Z * Z / (2 * n)
    spread = Z * math.sqrt(p * (1 - p) / n + Z * Z / (4 * n * n))
    return Rate(
        count=n,
        points=round(s, 6),
        rate=p,
        low=max(0.0, (middle - spread) / base),
        high=min(1.0, (middle + spread) / base),
    )


class RateCounter:
    """Counts observations for a `Rate`."""

    __slots__ = ("count", "points")

    def __init__(self) -> None:
        self.count = 0
        self.points = 0.0

    def add(self, points: float | None, count: int = 1) -> None:
        """Add an observation; None adds nothing."""
        if points is not None:
            self.count += count
            self.points += points

    def rate(self) -> Rate:
        """The rate so far."""
        return rate(self.count, self.points)
