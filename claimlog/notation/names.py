"""Names as they are compared: composed (NFC), their white space in order.

A letter with its accent may be one character or two; people and events are the same.

>>> tidy(" Jo\N{COMBINING DIAERESIS}rg  K ") == "J\N{LATIN SMALL LETTER O WITH DIAERESIS}rg K"
True

Normalising takes time that grows with the square of the marks in a row, and nobody else has a
turn meanwhile.  So names are held within limits where they enter (`excess`), and what is
normalised all the same, as comments, is made "stream-safe" before (UAX #15, section 13).
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from typing import Final

LONGEST: Final = 500
"""Characters that a name, and any other value of a tag, may have."""

MARKS: Final = 30
"""Combining marks that may stand in a row: more than any language needs (UAX #15)."""

_JOINER: Final = "\N{COMBINING GRAPHEME JOINER}"
"""Ends a row of marks and is not seen."""


@cache
def _maybe() -> re.Pattern[str]:
    """What may be too many marks: a character is three at most, and begins with one from here on.

    Most names have no such character, and to compile it takes time at every start.
    """
    return re.compile(f"[\u0300-\U0010ffff]{{{MARKS // 3}}}")


def composed(text: str) -> str:
    """A text in Unicode's composed form, NFC; takes time that grows with its length."""
    return text if text.isascii() else unicodedata.normalize("NFC", stream_safe(text))


def tidy(text: str) -> str:
    """A name composed, with one space between its words and none around them."""
    return composed(" ".join(text.split()))


def folded(text: str) -> str:
    """A text in any case, composed."""
    return composed(text.casefold())


def excess(text: str) -> str:
    """What a name has too much of: "characters", "marks" in a row, or "" if it is within limits."""
    if len(text) > LONGEST:
        return "characters"
    return "" if text.isascii() or stream_safe(text) == text else "marks"


def stream_safe(text: str) -> str:
    """The text with a joiner wherever more than `MARKS` combining marks would follow each other.

    As in UAX #15, the marks are those of the decomposed text (NFKD).
    """
    if _maybe().search(text) is None:
        return text
    parts = []
    row = begin = 0
    for i, letter in enumerate(text):
        if letter < "\u0300":
            row = 0
            continue
        first, last, all_marks = _marks_of(letter)
        if row + first > MARKS:
            parts.append(text[begin:i])
            begin = i
            row = 0
        row = row + first if all_marks else last
    parts.append(text[begin:])
    return _JOINER.join(parts)


@lru_cache(1 << 12)
def _marks_of(letter: str) -> tuple[int, int, bool]:
    """Of a character: the marks that it begins with and ends with, and whether all of it is."""
    marks = [unicodedata.combining(part) > 0 for part in unicodedata.normalize("NFKD", letter)]
    if all(marks):
        return len(marks), len(marks), True
    return marks.index(False), marks[::-1].index(False), False
