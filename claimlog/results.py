"""The result of a game, in notation and as a number.

A result is one integer (see `result_of`), 0 for ``*``.  A bye has one side; `HALF_BYE` is half a
point for it.  `IMPOSSIBLE` is a well-formed result that no game can have.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Final

__all__ = [
    "HALF_BYE",
    "IMPOSSIBLE",
    "NO_RESULT",
    "RESULTS",
    "RESULT_BYTES",
    "UNFINISHED",
    "parse_result",
    "readable",
    "result_of",
    "result_text",
    "share_of",
]

UNFINISHED: Final = 0
IMPOSSIBLE: Final = 254
NO_RESULT: Final = 255
HALF_BYE: Final = 10
"""Half a point for the one side of a bye."""


def result_of(sides: int, winners: int) -> int:
    """Return a result as a number: the set `winners` of `sides` sides win or share the win."""
    return sides * 8 + winners


@cache
def result_text(result: int) -> str:
    """Write a result: ``"1-0"``, ``"1/2-0-1/2"`` or ``"*"``.

    >>> result_text(result_of(3, 0b101))
    '1/2-0-1/2'
    """
    if not 8 <= result < 32:
        return "*"
    if result == HALF_BYE:
        return "1/2"
    sides, winners = divmod(result, 8)
    share = "1" if winners.bit_count() == 1 else f"1/{winners.bit_count()}"
    return "-".join(share if winners >> side & 1 else "0" for side in range(sides))


def readable(result: str) -> str:
    """Write a result for people.

    >>> readable("1/2-0-1/2")
    '½-0-½'
    """
    return result.replace("1/2", "½").replace("1/3", "⅓")


_PATTERN: Final = r"[0-9]{1,2}(?:/[0-9])?(?:-[0-9]{1,2}(?:/[0-9])?)*"


RESULTS: Final[dict[str, int]] = {
    "*": UNFINISHED,
    **{result_text(result): result for result in (*range(16, 20), *range(24, 32))},
    **{result_text(result): result for result in (8, 9, HALF_BYE)},
}
"""Every result of two or three sides, and of a bye's one side, by its notation."""


RESULT_BYTES: Final = {text.encode(): result for text, result in RESULTS.items()}
"""The same, by notation in bytes."""


def parse_result(text: str, *, alone: bool = False) -> int:
    """Parse a result; `IMPOSSIBLE` if no game can have it, `NO_RESULT` if it is not a result.

    A result of one side belongs to a bye; it is accepted only if `alone`.
    """
    if "-" not in text and text != "*" and not alone:
        return NO_RESULT
    if text in RESULTS:
        return RESULTS[text]
    return IMPOSSIBLE if re.fullmatch(_PATTERN, text) else NO_RESULT


@lru_cache(2048)
def share_of(result: int, seat: int) -> float | None:
    """The points of a seat (from 1) for a result; None if there is no result."""
    if not result:
        return None
    if result == HALF_BYE:
        return 0.5
    winners = result & 7
    return (winners >> ((seat - 1) % (result >> 3)) & 1) / max(1, winners.bit_count())
