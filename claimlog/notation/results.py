"""The result of a game, written and as a number.

A result is one integer: 0 for ``*``, otherwise ``sides * 8`` plus the set of sides that
win or share the win.  `IMPOSSIBLE` stands for one that is well written but no game's.
"""

from __future__ import annotations

import re
from typing import Final

UNFINISHED: Final = 0
IMPOSSIBLE: Final = 254
NO_RESULT: Final = 255

_PART: Final = "(?:0|1(?:/[23])?)"
PATTERN: Final = re.compile(rf"\*|{_PART}(?:-{_PART})+")


def result_of(sides: int, winners: int) -> int:
    """The result in which the set `winners` of `sides` sides win or share the win."""
    return sides * 8 + winners


def result_text(result: int) -> str:
    """Write a result: ``"1-0"``, ``"1/2-0-1/2"`` or ``"*"``.

    >>> result_text(result_of(3, 0b101))
    '1/2-0-1/2'
    """
    if not 16 < result < 32:
        return "*"
    sides, winners = divmod(result, 8)
    share = "1" if winners.bit_count() == 1 else f"1/{winners.bit_count()}"
    return "-".join(share if winners >> side & 1 else "0" for side in range(sides))


RESULTS: Final[dict[str, int]] = {
    "*": UNFINISHED,
    **{result_text(result): result for result in (*range(17, 20), *range(25, 32))},
}
"""Every result that a game of two or three sides can have, by how it is written."""


RESULT_BYTES: Final = {text.encode(): result for text, result in RESULTS.items()}
"""The same by their bytes."""


def parse_result(text: str) -> int:
    """Read a result; `IMPOSSIBLE` if no game can end so, `NO_RESULT` if it is none."""
    if text in RESULTS:
        return RESULTS[text]
    return IMPOSSIBLE if PATTERN.fullmatch(text) else NO_RESULT
