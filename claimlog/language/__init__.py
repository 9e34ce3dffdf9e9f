"""The words of claimlog in English and German: catalogues of texts, and functions for them.

A catalogue is a dict of texts by key, each a format string; `en` and `de` have the same keys and
placeholders.  Nothing here knows about terminals or pages.

>>> words("de")("trick", number=3), words("en").faction("X")
('Stich 3', 'Doppelgangers')
"""

from __future__ import annotations

import re
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Final, cast

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from claimlog.cards import DeckError

__all__ = [
    "LANGUAGES",
    "NamedSeats",
    "Words",
    "language_of",
    "preferred",
    "site_words",
    "translated",
    "words",
]

LANGUAGES: Final = ("en", "de")
"""The languages, the default first."""

_MOMENT: Final = (
    r"(?P<date>[0-9]{4}-[0-9]{2}-[0-9]{2})[Tt ](?P<time>[0-9]{2}:[0-9]{2})[0-9:.,]*"
    r"(?:[Zz]|(?P<hours>[+-][0-9]{2}):?(?P<minutes>[0-9]{2}))"
)


class Words:
    """The texts of one language."""

    def __init__(self, language: str, texts: dict[str, str]) -> None:
        self.language = language
        self.texts = texts

    def __call__(self, key: str, /, **values: object) -> str:
        """Return the text of `key` with its placeholders filled in."""
        text = self.texts[key]
        return text.format(**values) if values else text

    def count(self, key: str, number: int, /, **values: object) -> str:
        """Return the text of `key` for a number of things, singular or plural."""
        form = "one" if number == 1 else "other"
        return self(f"{key}.{form}", number=number, **values)

    def date(self, text: str) -> str:
        """Return a date in the format of the language, without ``??`` parts; other text unchanged.

        Without a year or a month, the smaller parts are left out, too.

        >>> words("en").date("2026-11-04"), words("de").date("2026-11-04")
        ('4 Nov 2026', '4.11.2026')
        >>> words("en").date("2026-11-??"), words("de").date("2026-??-??")
        ('Nov 2026', '2026')
        >>> words("en").date("????-??-??"), words("de").date("????-12-24")
        ('undated', 'ohne Datum')
        """
        year, _, rest = text.partition("-")
        month, _, day = rest.partition("-")
        if not (len(text) == 10 and len(year) == 4 and len(month) == len(day) == 2):
            return text
        if year == "????":
            return self("undated")
        if not year.isdigit():
            return text
        if not (month.isdigit() and 1 <= int(month) <= 12):
            return year
        name = self("months").split()[int(month) - 1]
        if not day.isdigit():
            return self("month-of", month=name, year=year)
        return self("day-of", day=int(day), month=name, year=year)

    def moment(self, text: str) -> str:
        """Return a date and time (RFC 3339) in the format of the language; other text unchanged.

        >>> words("en").moment("2026-11-04T18:05:30+01:00"), words("de").moment("2026-11-04 17:05Z")
        ('4 Nov 2026, 18:05 (UTC+1)', '4.11.2026, 17:05 Uhr (UTC)')
        """
        match = re.fullmatch(_MOMENT, text)
        if match is None:
            return text
        zone = "UTC"
        if match["hours"] and int(match["hours"] + match["minutes"]):
            minutes = f":{match['minutes']}" if int(match["minutes"]) else ""
            zone += f"{match['hours'][0]}{int(match['hours'][1:])}{minutes}"
        return self("moment-of", date=self.date(match["date"]), time=match["time"], zone=zone)

    def faction(self, letter: str, *, dative: bool = False) -> str:
        """Return the name of a faction, in the dative for German after "mit" and "von".

        >>> words("de").faction("K", dative=True), words("de").faction("B", dative=True)
        ('Rittern', 'Barden')
        """
        # Imported here because the command line needs languages before cards.
        from claimlog.cards import FACTIONS, LETTERS

        name = FACTIONS[LETTERS.index(letter)].label(self.language)
        return f"{name}n" if dative and self.language == "de" and name[-1] != "n" else name

    def deck(self, problem: DeckError) -> str:
        """Return what is wrong with a deck."""
        factions = self.either([self.faction(letter) for letter in problem.factions])
        return self(f"deck.{problem.key}", factions=factions, **problem.values)

    def join(self, parts: Sequence[str]) -> str:
        """Return a list in words: "a, b and c"."""
        if len(parts) < 2:
            return "".join(parts)
        return self("list", first=", ".join(parts[:-1]), last=parts[-1])

    def either(self, parts: Sequence[str]) -> str:
        """Return alternatives in words: "a, b or c"."""
        if len(parts) < 2:
            return "".join(parts)
        return self("either", first=", ".join(parts[:-1]), last=parts[-1])


class NamedSeats(Words):
    """The texts of one language, in which a record's problems have names beside seats."""

    def __init__(self, words: Words, names: Mapping[int, str]) -> None:
        super().__init__(words.language, words.texts)
        self.names = names

    def __call__(self, key: str, /, **values: object) -> str:
        """Return the text of `key` with its placeholders filled in."""
        if key == "problem.seat" and (name := self.names.get(cast("int", values["number"]))):
            return super().__call__("problem.seat-named", name=name, **values)
        return super().__call__(key, **values)


def words(language: str = "en") -> Words:
    """Return the words of `language`, "en" or "de"."""
    if language not in LANGUAGES:
        raise ValueError(f"no such language: {language!r} (there are {', '.join(LANGUAGES)})")
    return Words(language, import_module(f"claimlog.language.{language}").TEXTS)


def site_words(language: str = "en") -> Words:
    """Return the words of `language`, including those only for the server's pages."""
    words_of_games = words(language)
    more = import_module(f"claimlog.language.{language}_site").TEXTS
    return Words(language, words_of_games.texts | more)


def translated(language: str, text: str) -> str:
    """Translate a text of the command line or of a statistic; its key is the English text.

    >>> translated("de", "tricks in a row"), translated("en", "tricks in a row")
    ('Stiche in Folge', 'tricks in a row')
    """
    if language != "de":
        return text
    from claimlog.language.de_commands import TEXTS

    return TEXTS.get(text, text)


@lru_cache(maxsize=100)
def preferred(header: str) -> str:
    """Return the language that an Accept-Language header prefers, English by default.

    >>> preferred("de-CH,de;q=0.9,en;q=0.8"), preferred("fr, en;q=0.5, de;q=0.4"), preferred("")
    ('de', 'en', 'en')
    """
    best, most = LANGUAGES[0], 0.0
    for part in header[:500].split(","):
        name, _, quality = part.strip().partition(";q=")
        code = name.partition("-")[0].strip().lower()
        try:
            value = float(quality or 1)
        except ValueError:
            continue
        if code in LANGUAGES and value > most:
            best, most = code, value
    return best


def language_of(environment: Mapping[str, str]) -> str:
    """Return the language of the locale in `environment`, English by default.

    >>> language_of({"LANG": "de_CH.UTF-8"}), language_of({"LC_ALL": "C", "LANG": "de_DE"})
    ('de', 'en')
    """
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := environment.get(name):
            code = value.replace("-", "_").split("_")[0].split(".")[0].lower()
            return code if code in LANGUAGES else LANGUAGES[0]
    return LANGUAGES[0]
