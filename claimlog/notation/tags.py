"""The tags of a game: their names in canonical order, and the form of their values.

A tag that is not listed here is kept unchanged (docs/notation.md, "Tags").
"""

from __future__ import annotations

import re
from datetime import date, datetime
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

SEATS: Final = (1, 2, 3, 4)

TAGS: Final = (
    "CLM",
    "Event",
    "Site",
    "Date",
    "Round",
    "Table",
    "Start",
    "End",
    *(f"Player{seat}" for seat in SEATS),
    *(f"Rating{seat}" for seat in SEATS),
    *(f"Id{seat}" for seat in SEATS),
    "Deck",
    "Rules",
    "Rulings",
    "Scenario",
    "Annotator",
    "Recorder",
    "Director",
    "Leader",
    *(f"Hand{seat}" for seat in SEATS),
    "Pile",
    "LootCards",
    "Loot",
    "Votes",
    "Termination",
    "Result",
)
"""Every tag that the format defines, in canonical order."""

TAG_IDS: Final = {name.encode(): index for index, name in enumerate(TAGS)}
"""The index of a tag in `TAGS`, by its name in bytes."""

OTHER_TAG: Final = 255
"""In place of an index in `TAGS`: a tag that the format does not define."""

TAG_FIELDS: Final = 6
"""The offsets that a `Sheet` keeps for a tag: its start and end, and those of its name and value.
"""

TERMINATIONS: Final = (
    "normal",
    "resignation",
    "time",
    "forfeit",
    "adjudication",
    "abandoned",
    "unrecorded",
    "bye",
)
"""How a game ended; archives store the index in this list."""

_PLAIN: Final = r'[^"\\\r\n]*'
_DATE: Final = r"([0-9]{4}|\?{4})-([0-9]{2}|\?\?)-([0-9]{2}|\?\?)"
_RATING: Final = r"[0-9]{1,5}(?:\.[0-9]{1,4})?"
_LOOT: Final = r"([1-3])=([A-Za-z])"
_VOTES: Final = r"[0-9]{1,2}(?:-[0-9]{1,2}){0,2}"


def unescape(value: str) -> str:
    r"""Undo the escapes of a tag value: ``\"`` and ``\\``."""
    return re.sub(r'\\(["\\])', r"\1", value) if "\\" in value else value


def escape(value: str) -> str:
    """Escape a tag value for writing; line breaks become spaces."""
    if re.fullmatch(_PLAIN, value):
        return value
    return re.sub(r'(["\\])', r"\\\1", re.sub(r"\r\n|\r|\n", " ", value))


def _check_date(value: str) -> str:
    match = re.fullmatch(_DATE, value)
    if match:
        year, month, day = match.groups()
        numbers = (
            2000 if "?" in year else int(year),  # a leap year: any day may be valid
            1 if "?" in month else int(month),
            1 if "?" in day else int(day),
        )
        try:
            date(*numbers)
        except ValueError:
            return "day"
        return ""
    return "date"


def _check_time(value: str) -> str:
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        return "time"
    return "" if moment.tzinfo is not None else "time"


def _check_rating(value: str) -> str:
    return "" if re.fullmatch(_RATING, value) else "rating"


def _check_termination(value: str) -> str:
    return "" if value in TERMINATIONS else "names"


def _check_rules(value: str) -> str:
    from claimlog.rules.setup import RULE_SETS

    return "" if value in RULE_SETS else "names"


def _check_votes(value: str) -> str:
    return "" if re.fullmatch(_VOTES, value) else "votes"


CHECKS: Final[dict[int, Callable[[str], str]]] = {
    TAGS.index("Date"): _check_date,
    TAGS.index("Start"): _check_time,
    TAGS.index("End"): _check_time,
    **{TAGS.index(f"Rating{seat}"): _check_rating for seat in SEATS},
    TAGS.index("Termination"): _check_termination,
    TAGS.index("Rules"): _check_rules,
    TAGS.index("Votes"): _check_votes,
}
"""Checks by index in `TAGS`: each returns "" for a good value, otherwise the end of the catalogue
key (``wanted.date`` and so on) that says what would be right.
"""


def parse_loot(value: str) -> dict[int, str] | None:
    """Parse a Loot value, ``1=W 2=G``, into faction letters by side (from 1); None if malformed."""
    choices: dict[int, str] = {}
    for word in value.split():
        match = re.fullmatch(_LOOT, word)
        if not match or int(match[1]) in choices:
            return None
        choices[int(match[1])] = match[2].upper()
    return choices
