"""Marks for programs in comments, as in PGN, and what a reader sees of them.

>>> for_readers("[%clk 0:04:30] a trap [%value 1-0 3-2]")
'⏱ 0:04:30 a trap'
"""

from __future__ import annotations

import re
from typing import Final

__all__ = ["FOR_THE_DIRECTOR", "for_readers", "with_nothing_left", "without_values"]

FOR_THE_DIRECTOR: Final = "[%director]"
"""The comment on a play that the director is to decide about."""

_LEFT: Final = re.compile(rf"\s*\{{{re.escape(FOR_THE_DIRECTOR)}\}}")

_TIMES: Final = {"clk": "⏱", "pause": "⏸"}
"""Marks with a time of the clock: the sign before it, in any language."""
_VALUES: Final = re.compile(r"\s*\[%(?:value|secures) [^\]]*\]\s*")
_TIME: Final = re.compile(rf"\[%({'|'.join(_TIMES)}) ([^\]]*)\]")


def with_nothing_left(record: str) -> str:
    """A record without the comments that leave plays to the director, who has let them stand.

    >>> with_nothing_left("G5 K8^ {[%director]} /W2")
    'G5 K8^ /W2'
    """
    return _LEFT.sub("", record)


def without_values(comment: str) -> str:
    """A comment without the values that an analysis wrote, "" if nothing else is in it."""
    return _VALUES.sub(" ", comment).strip() if _VALUES.search(comment) else comment


def for_readers(comment: str) -> str:
    """A comment as people read it: clocks as times, and nothing that only a program needs."""
    if "[%" not in comment:
        return comment
    text = without_values(comment.replace(FOR_THE_DIRECTOR, " "))
    return _TIME.sub(lambda mark: f"{_TIMES[mark[1]]} {mark[2].strip()}", text)
