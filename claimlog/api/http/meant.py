"""The exact form of what people write into a form: dates, cards and the names of factions.

>>> meant("since", "1. Mai 2025"), meant("until", "5/2025"), meant("factions", "Untote, Goblins")
('2025-05-01', '2025-05', 'UG')
>>> meant("played", "Untote 7"), meant("led", "goblins@3"), meant("won", "U7@1-13")
('U7', 'G@3', 'U7@1-13')
>>> meant("factions", "GU"), meant("since", "soon"), meant("player", "1.5.2025")
('GU', 'soon', '1.5.2025')
>>> day = date(2026, 1, 15)
>>> [meant("until", text, day) for text in ("last month", "dieses Jahr", "Gestern")]
['2025-12', '2026', '2026-01-14']
"""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import Final

from claimlog.cards import FACTIONS
from claimlog.notation.names import folded

__all__ = ["conditions_in", "meant"]

_DATES: Final = ("since", "until")
_DECKS: Final = ("factions", "without", "deck")
_CARDS: Final = ("played", "led", "won", "upcard")

_CARD: Final = re.compile(r"(?P<name>[^\W\d_]+) ?(?P<value>[0-9]{1,2})?(?P<where>@[0-9-]+)?")
_ISO: Final = re.compile(r"(?P<year>[0-9]{4})-(?P<month>[0-9]{1,2})(?:-(?P<day>[0-9]{1,2}))?")
_POINTS: Final = re.compile(
    r"(?:(?P<day>[0-9]{1,2})\. *)?(?P<month>[0-9]{1,2})[./] *(?P<year>[0-9]{4})"
)
_NAMED: Final = re.compile(
    r"(?:(?P<day>[0-9]{1,2})\.? +)?(?P<name>[^\W\d_]{3,})\.?,? +(?P<year>[0-9]{4})"
)
_MONTHS: Final = (
    ("january", "januar"), ("february", "februar"), ("march", "märz", "maerz"), ("april",),
    ("may", "mai"), ("june", "juni"), ("july", "juli"), ("august",), ("september",),
    ("october", "oktober"), ("november",), ("december", "dezember"),
)  # fmt: skip
_NAMES: Final = {
    folded(name): one.letter for one in FACTIONS for name in (one.name, one.name_de, one.letter)
}


_DAYS: Final = {"today": 0, "heute": 0, "yesterday": 1, "gestern": 1}
_SPANS: Final = {
    folded(f"{which} {what}"): (back, long)
    for whichs, back in (
        (("this", "dieser", "diesen", "dieses"), 0),
        (("last", "letzter", "letzten", "letztes"), 1),
    )
    for whats, long in ((("month", "Monat"), "month"), (("year", "Jahr"), "year"))
    for which in whichs
    for what in whats
}
"""How many months or years ago, by words."""


def meant(name: str, value: str, today: date | None = None) -> str:
    """Return a condition's value in its exact form, or unchanged if it is not understood."""
    text = " ".join(value.split())
    if name in _DATES:
        return _date(text) or _by_today(folded(text), today or date.today()) or value
    if name in _CARDS and (card := _CARD.fullmatch(text)):
        letter = _letters([card["name"]])
        return letter + (card["value"] or "") + (card["where"] or "") if letter else value
    if name in _DECKS and not text.isalpha():
        return _letters(re.split(r"[\s,;+&]+", text)) or value
    return _letters([text]) or value if name in _DECKS else value


def conditions_in(text: str) -> dict[str, str]:
    """Return other conditions in free text: factions of the deck, a day or a month.

    Empty if there are none.

    >>> conditions_in("moser Untote goblins 14.11.2026")
    {'text': 'moser', 'factions': 'UG', 'since': '2026-11-14', 'until': '2026-11-14'}
    >>> conditions_in("Ines Moser")
    {}
    """
    words, letters, days = [], "", []
    for word in text.split():
        if len(word) > 1 and (letter := _letters([word])):
            letters += letter if letter not in letters else ""
        elif day := _date(word):
            days.append(day)
        else:
            words.append(word)
    if len(days) > 1 or not (letters or days):
        return {}
    conditions = {"text": " ".join(words), "factions": letters}
    conditions |= dict.fromkeys(_DATES, days[0]) if days else {}
    return {name: value for name, value in conditions.items() if value}


def _letters(words: list[str]) -> str:
    """Return the letters of factions by their names, in either language; "" if one is unknown."""
    letters = [_NAMES.get(folded(word), "") for word in words if word]
    return "".join(letters) if all(letters) else ""


def _by_today(text: str, today: date) -> str:
    """Return a relative day, month or year as YYYY-MM-DD, YYYY-MM or YYYY; "" if it is none."""
    if text in _DAYS:
        return (today - timedelta(_DAYS[text])).isoformat()
    if text not in _SPANS:
        return ""
    back, long = _SPANS[text]
    if long == "year":
        return str(today.year - back)
    return (today.replace(day=1) - timedelta(back)).isoformat()[:7]


def _date(text: str) -> str:
    """Return a date as YYYY-MM-DD or YYYY-MM; "" if it is not a date."""
    for form in (_ISO, _POINTS, _NAMED):
        match = form.fullmatch(text)
        if match is not None:
            break
    else:
        return ""
    parts = match.groupdict()
    if "name" in parts:
        begun = folded(parts["name"])
        named = (n for n, names in enumerate(_MONTHS, 1) if any(s.startswith(begun) for s in names))
        month = next(named, 0)
    else:
        month = int(parts["month"])
    if not 1 <= month <= 12:
        return ""
    day = f"-{int(parts['day']):02}" if parts["day"] else ""
    return f"{parts['year']}-{month:02}{day}"
