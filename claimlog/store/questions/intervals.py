"""Rates with their confidence intervals."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from claimlog.store.model.types import Rate

Z: Final = 1.959963984540054
"""The 97.5 % point of the normal distribution, for 95 % intervals."""


def rate(count: int | None, points: float | None, effect: float = 1.0) -> Rate:
    """The rate of `points` in `count`, with Wilson's interval.

    Its lower end is exactly 0 if nothing was scored, its upper end exactly 1 if everything was.
    A shared win counts as its share, which Wilson's formula handles like any other sum.  With a
    design effect above 1, the interval is that of a number of observations divided by the effect.
    """
    n = int(count or 0)
    s = float(points or 0.0)
    if not n:
        return Rate(count=0, points=0.0, rate=None, low=None, high=None)
    p = min(max(s / n, 0.0), 1.0)
    m = n / effect
    base = 1 + Z * Z / m
    middle = p + Z * Z / (2 * m)
    spread = Z * math.sqrt(p * (1 - p) / m + Z * Z / (4 * m * m))
    return Rate(
        count=n,
        points=round(s, 6),
        rate=p,
        # There the formula gives exactly 0 or 1, but its rounded terms need not.
        low=max(0.0, (middle - spread) / base) if p > 0 else 0.0,
        high=min(1.0, (middle + spread) / base) if p < 1 else 1.0,
    )


def low_sql(points: str, count: str) -> str:
    """SQL for the lower end of a rate's interval, 0 if nothing was scored."""
    p, n = f"({points} / {count})", f"{count}::DOUBLE"
    spread = f"{Z} * sqrt(greatest(0, {p} * (1 - {p})) / {n} + {Z * Z} / (4 * {n} * {n}))"
    low = f"({p} + {Z * Z} / (2 * {n}) - {spread}) / (1 + {Z * Z} / {n})"
    return f"CASE WHEN {points} > 0 THEN greatest(0, {low}) ELSE 0 END"


@dataclass(frozen=True, slots=True)
class GameSums:
    """Sums over games in which something was observed, once or several times in each.

    `count` is the sum of the numbers n of observations, `points` that of their points y, `games`
    the number of games; then the sums of y², yn and n².
    """

    count: int
    points: float
    games: int
    points_squared: float
    product: float
    count_squared: float

    @property
    def effect(self) -> float:
        """The design effect: the rate's variance divided by that of independent observations.

        The variance is the cluster-robust one of a ratio, G/(G-1) * Σ(y-pn)² / (Σn)² over G games.
        If it says nothing, because there is only one game, or everything or nothing was scored, a
        game counts as one observation.  Never below 1: a few games estimate it badly.
        """
        n = self.count
        if self.count_squared == n:  # one observation per game, or none at all
            return 1.0
        p = self.points / n
        plain = p * (1 - p) / n
        if self.games < 2 or plain < 1e-12:
            return self.count_squared / n
        squares = self.points_squared - 2 * p * self.product + p * p * self.count_squared
        robust = self.games / (self.games - 1) * max(0.0, squares) / n**2
        return max(1.0, robust / plain)

    def rate(self) -> Rate:
        """The rate, with an interval that allows for correlation within games."""
        return rate(self.count, self.points, self.effect) if self.count else rate(0, 0)


def game_sums_sql(count: str, points: str) -> str:
    """SQL for the fields of `GameSums`, from rows of one game each."""
    return (
        f"coalesce(sum({count}), 0), coalesce(sum({points}), 0), count(*) FILTER ({count} > 0), "
        f"coalesce(sum(({points}) * ({points})), 0), coalesce(sum(({points}) * {count}), 0), "
        f"coalesce(sum({count} * {count}), 0)"
    )


class RateCounter:
    """Counts observations for a `Rate`."""

    def __init__(self) -> None:
        self.count = 0
        self.points = 0.0

    def add(self, points: float | None, count: int = 1) -> None:
        """Add observations; points of None add nothing."""
        if points is not None:
            self.count += count
            self.points += points

    def rate(self, effect: float = 1.0) -> Rate:
        """The rate so far."""
        return rate(self.count, self.points, effect)
