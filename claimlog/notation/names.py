"""Names in the form in which they are compared: composed (NFC), with normalized white space.

An accented letter may be one character or two; the player or event is the same.

>>> tidy(" Jo\N{COMBINING DIAERESIS}rg  K ") == "J\N{LATIN SMALL LETTER O WITH DIAERESIS}rg K"
True

Normalizing takes time quadratic in the number of consecutive marks, and blocks everything else
meanwhile.  So the length of names is limited on entry (`excess`), and text that is not limited,
such as comments, is made "stream-safe" before it is normalized (UAX #15, section 13).
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

LONGEST: Final = 500
"""The most characters in a name or in any other tag value."""

MARKS: Final = 30
"""The most combining marks in a row: more than any language needs (UAX #15)."""

NAME_MARK: Final = "\x01"
"""Stands between the two parts of `by_name_sql`, and sorts before all that names contain."""

LETTERS: Final = {
    "\N{LATIN SMALL LETTER DOTLESS I}": "i",
    "ð": "d", "đ": "d", "ł": "l", "ø": "o", "æ": "ae", "œ": "oe", "þ": "th",
}  # fmt: skip
"""Letters that Unicode does not take apart, and as which ones they are searched and sorted."""

_CASE: Final = {
    "\N{LATIN SMALL LETTER LONG S}": "s",
    "\N{GREEK SMALL LETTER FINAL SIGMA}": "\N{GREEK SMALL LETTER SIGMA}",
    "ß": "ss",
}
"""Small letters that differ from others in case only."""

_TO_LOWER: Final = str.maketrans({
    "\N{LATIN CAPITAL LETTER I WITH DOT ABOVE}": "i",
    "\N{GREEK CAPITAL LETTER SIGMA}": "\N{GREEK SMALL LETTER SIGMA}",
})  # fmt: skip
"""The capitals of which DuckDB's `lower` makes other letters than Python does."""
_SAME_CASE: Final = str.maketrans(_CASE)
_PLAIN: Final = str.maketrans(LETTERS)

_JOINER: Final = "\N{COMBINING GRAPHEME JOINER}"
"""Ends a run of marks; invisible."""


@cache
def _maybe() -> re.Pattern[str]:
    """A pattern for a possible excess of marks.

    A character has at most three marks, and none has any below this range.  Compiled on first use,
    since most names have no such character and compiling takes time.
    """
    return re.compile(f"[\u0300-\U0010ffff]{{{MARKS // 3}}}")


def composed(text: str) -> str:
    """A text in Unicode's composed form, NFC, in time proportional to its length."""
    return text if text.isascii() else unicodedata.normalize("NFC", stream_safe(text))


def tidy(text: str) -> str:
    """A name, composed, with one space between its words and none around them."""
    return composed(" ".join(text.split()))


def folded(text: str) -> str:
    """A text, case-folded and composed."""
    return composed(text.casefold())


def by_name(text: str) -> tuple[str, str]:
    """The sort key of a name in a list: in plain letters without case and accents, then with them.

    All spellings of a name that differ in case only have the same key, so that a list read page by
    page stays in its order if another spelling becomes the most frequent one.
    """
    if text.isascii():
        lower = text.lower()
        return lower, lower
    lower = text.translate(_TO_LOWER).lower().translate(_SAME_CASE)
    apart = unicodedata.normalize("NFD", stream_safe(lower))
    letters = "".join(c for c in apart if not unicodedata.category(c).startswith("M"))
    return unicodedata.normalize("NFC", letters).translate(_PLAIN), lower


def sorted_names(names: Iterable[str]) -> list[str]:
    """Names in the order of `by_name`, and those that differ in case only in a fixed one."""
    return sorted(names, key=lambda name: (by_name(name), name))


def by_name_sql(name: str) -> str:
    """SQL: one text that sorts as `by_name` does; '' for NULL.  It contains `NAME_MARK`."""
    name = f"coalesce({name}, '')"
    return f"{plain_sql(name)} || chr(1) || {_lower_sql(name)}"


def plain_sql(text: str) -> str:
    """SQL: the text in plain letters without case and accents, the first part of `by_name`."""
    lower = _replaced_sql(f"lower({text})", _CASE)
    return _unless_ascii(text, _replaced_sql(f"strip_accents({lower})", LETTERS))


def _lower_sql(text: str) -> str:
    return _unless_ascii(text, _replaced_sql(f"lower({text})", _CASE))


def _unless_ascii(text: str, sql: str) -> str:
    # Most names are ASCII, and replacing letters takes twice as long as all else.
    return f"CASE WHEN strlen({text}) = length({text}) THEN lower({text}) ELSE {sql} END"


def _replaced_sql(sql: str, letters: dict[str, str]) -> str:
    for old, new in letters.items():
        sql = f"replace({sql}, '{old}', '{new}')"
    return sql


def excess(text: str) -> str:
    """The limit a name exceeds: "characters", "marks" (in a row), or "" if it is within limits."""
    if len(text) > LONGEST:
        return "characters"
    return "" if text.isascii() or stream_safe(text) == text else "marks"


def stream_safe(text: str) -> str:
    """The text with a joiner wherever more than `MARKS` combining marks would follow one another.

    As in UAX #15, marks are counted in the decomposed text (NFKD).
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
    """The numbers of marks at a character's start and end, and whether it is nothing but marks."""
    marks = [unicodedata.combining(part) > 0 for part in unicodedata.normalize("NFKD", letter)]
    if all(marks):
        return len(marks), len(marks), True
    return marks.index(False), marks[::-1].index(False), False
