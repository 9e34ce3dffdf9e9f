"""Sort the rows of a statistic by one of their numbers, a rate, or a rate's lower end."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, Final, Protocol, TypeVar

from claimlog.notation.names import by_name, composed
from claimlog.store.model import types as t
from claimlog.store.model.errors import BadQuery

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

T = TypeVar("T")


class Rated(Protocol):
    """A row of a statistic, with the names of its rates that count different things."""

    RATES: ClassVar[tuple[str, ...]]


Row = TypeVar("Row", bound=Rated)

LOW: Final = "_low"
"""Suffix of a rate's name for the lower end of its interval."""


def ordered(rows: Sequence[Row], sort: str, keys: Sequence[str], min_games: int) -> list[Row]:
    """Sort rows by `sort`, one of `keys`: highest first, rows without a value last.

    The first of `keys` is the order that `rows` already have; - reverses an order.  Rows are left
    out if the rate sorted by counts fewer than `min_games`; if no rate is sorted by, those of which
    any rate does.  Raises BadQuery.
    """
    if sort not in keys:
        raise BadQuery("question.order", sort=sort, names=keys, field="sort")
    name, down = sort.removeprefix("-"), not sort.startswith("-")
    field = name.removesuffix(LOW)
    kept = [row for row in rows if _least(row, field) >= min_games]
    if name == keys[0]:
        return kept if down else kept[::-1]
    return by_value(kept, lambda row: _value(getattr(row, field), name), down=down)


def by_value(rows: Sequence[T], value: Callable[[T], float | None], *, down: bool) -> list[T]:
    """Sort rows by a value, keeping the order of equal ones; those without a value come last."""
    valued = [(value(row), row) for row in rows]
    known = [(one, row) for one, row in valued if one is not None]
    known.sort(key=lambda pair: pair[0], reverse=down)
    return [row for _, row in known] + [row for one, row in valued if one is None]


def _least(row: Any, field: str) -> int:
    """The count of the rate `field`, or the lowest count of all rates."""
    chosen = getattr(row, field, None)
    rates = [chosen] if isinstance(chosen, t.Rate) else [getattr(row, n) for n in type(row).RATES]
    return min(rate.count for rate in rates)


def _value(value: Any, name: str) -> float | None:
    if not isinstance(value, t.Rate):
        return None if value is None else float(value)
    return value.low if name.endswith(LOW) else value.rate


_DIGITS: Final = 100
"""A number with more digits is treated as a word."""


@lru_cache(1000)
def natural_key(text: str | None) -> tuple[tuple[int, int, str], ...]:
    """The sort key of rounds and tables: numbers by value, before words."""
    parts = re.findall(r"\d+|\D+", composed(text or ""))
    return tuple(
        (0, int(part), "") if part.isdecimal() and len(part) <= _DIGITS else (1, 0, part)
        for part in parts
    )


def label_key(text: str) -> tuple[Any, ...]:
    """The sort key of groups: names as in `by_name`, but numbers by value."""
    return tuple(map(natural_key, by_name(text)))
