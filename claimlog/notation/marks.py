"""Marks for programs in comments, as in PGN, and what a reader sees of them.

>>> for_readers("[%clk 0:04:30] a trap [%value 1-0 3-2]")
'⏱ 0:04:30 a trap'
"""

from __future__ import annotations

import re
from typing import Final

__all__ = ["FOR_THE_DIRECTOR", "for_readers", "without_values"]

FOR_THE_DIRECTOR: Final = "[%director]"
"""The comment on a play that the director is to decide about."""

_TIMES: Final = {"clk": "⏱", "pause": "⏸"}
"""Marks with a time of the clock: the sign before it, in any language."""
_VALUES: Final = re.compile(r"\s*\[%(?:value|secures) [^\]]*\]\s*")
_TIME: Final = re.compile(rf"\[%({'|'.join(_TIMES)}) ([^\]]*)\]")


def without_values(comment: str) -> str:
    """A comment without the values that an analysis wrote, "" if nothing else is in it."""
    return _VALUES.sub(" ", comment).strip() if _VALUES.search(comment) else comment


def for_readers(comment: str) -> str:
    """A comment as people read it: clocks as times, and nothing that only a program needs."""
    if "[%" not in comment:
        return comment
    text = without_values(comment.replace(FOR_THE_DIRECTOR, " "))
    return _TIME.sub(lambda mark: f"{_TIMES[mark[1]]} {mark[2].strip()}", text)
