"""What a rate would be if the grouping made no difference: shown beside its interval.

There are two kinds.  Points of a seat, a player or the leader are compared with a *fair share*:
what a game has brought, divided equally among its sides, so one half with two sides and a third
with three. Winning a faction or taking an upcard is a success in itself, and goes with more points
than that; so these are compared with their *average*: what all factions, upcards or cards together
brought in games with the same number of seats or sides.  Both follow the mix of games that was
counted (docs/archive.md, "Expected shares").
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, Final

import msgspec

from claimlog.results import HALF_BYE
from claimlog.store.questions.intervals import rate

if TYPE_CHECKING:
    from collections.abc import Hashable

    from claimlog.store.model.types import Rate
    from claimlog.store.questions.intervals import RateCounter

FAIR_SQL: Final = (
    f"CASE WHEN result = 0 THEN NULL WHEN result = {HALF_BYE} THEN 0.5 "
    "WHEN result & 7 = 0 THEN 0 ELSE 1 / (result // 8) END"
)
"""SQL for `fair` of the column `result`."""


PARTS: Final = 6
"""Every share of a win is a whole number of these parts: 1, 1/2 or 1/3 of it."""


def sum_sql(shares: str) -> str:
    """SQL for an exact sum of shares, which does not depend on the order of the rows."""
    return f"(sum(({PARTS} * ({shares}))::INTEGER)::BIGINT / {PARTS})"


def exact(points: float) -> float:
    """Return a sum of shares without the rounding errors of adding them.

    >>> 1 + 1 / 3 + 1 / 3 + 1 / 3, exact(1 + 1 / 3 + 1 / 3 + 1 / 3)
    (1.9999999999999998, 2.0)
    """
    return round(PARTS * points) / PARTS


def exact_rate(counter: RateCounter, effect: float = 1.0) -> Rate:
    """The rate of counted shares, whatever the order in which they were counted."""
    return rate(counter.count, exact(counter.points), effect)


def fair(result: int) -> float:
    """The share of a side in a game with this result if all sides were alike.

    >>> from claimlog.results import parse_result
    >>> [fair(parse_result(text)) for text in ("1-0", "1/2-1/2", "0-1-0", "0-0")]
    [0.5, 0.5, 0.3333333333333333, 0.0]
    """
    if result == HALF_BYE:
        return 0.5
    return 1 / (result >> 3) if result & 7 else 0.0


def expecting(rate: Rate, sum_of_shares: float | None) -> Rate:
    """Add the expected rate, from the sum of the expected shares of what the rate counts."""
    if sum_of_shares is None or not rate.count:
        return rate
    return msgspec.structs.replace(rate, expected=round(sum_of_shares / rate.count, 9))


class Averages:
    """Counts several kinds of things, to find what each would bring if all kinds were alike."""

    def __init__(self) -> None:
        self._kinds: dict[Hashable, dict[Any, int]] = defaultdict(lambda: defaultdict(int))
        self._all: dict[Any, list[float]] = defaultdict(lambda: [0.0, 0.0])

    def add(self, kind: Hashable, mix: Any, points: float, count: int) -> None:
        """Add observations of a kind and their points; only those with the same `mix` compare."""
        self._kinds[kind][mix] += count
        sums = self._all[mix]
        sums[0] += points
        sums[1] += count

    def of(self, kind: Hashable) -> float | None:
        """The sum of the expected shares of a kind; None if it was not observed."""
        seen = self._kinds.get(kind)
        if seen is None:
            return None
        return sum(
            count * self._all[mix][0] / self._all[mix][1] for mix, count in seen.items() if count
        )
