"""The words of claimlog in English and German: catalogues, and what is said with them.

A catalogue is a dict of texts by key, each a format string; `en` and `de` have the same
keys and placeholders.  Nothing here knows about terminals or pages.

>>> words("de")("trick", number=3), words("en").faction("X")
('Stich 3', 'Doppelgangers')
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

from claimlog.cards import FACTIONS, LETTERS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["LANGUAGES", "Words", "language_of", "words"]

LANGUAGES: Final = ("en", "de")
"""The languages, the default first."""


class Words:
    """The texts of one language."""

    def __init__(self, language: str, texts: dict[str, str]) -> None:
        self.language = language
        self.texts = texts

    def __call__(self, key: str, /, **values: object) -> str:
        """The text of `key` with its placeholders filled in."""
        text = self.texts[key]
        return text.format(**values) if values else text

    def count(self, key: str, number: int, /, **values: object) -> str:
        """The text of `key` for a number of things, singular or plural."""
        form = "one" if number == 1 else "other"
        return self(f"{key}.{form}", number=number, **values)

    def faction(self, letter: str) -> str:
        """The name of the faction with that letter."""
        return FACTIONS[LETTERS.index(letter)].label(self.language)

    def join(self, parts: Sequence[str]) -> str:
        """A list in words: "a, b and c"."""
        if len(parts) < 2:
            return "".join(parts)
        return self("list", first=", ".join(parts[:-1]), last=parts[-1])

    def either(self, parts: Sequence[str]) -> str:
        """Alternatives in words: "a, b or c"."""
        if len(parts) < 2:
            return "".join(parts)
        return self("either", first=", ".join(parts[:-1]), last=parts[-1])


def words(language: str = "en") -> Words:
    """The words of `language`, "en" or "de"."""
    if language not in LANGUAGES:
        raise ValueError(f"no such language: {language!r} (there are {', '.join(LANGUAGES)})")
    return Words(language, import_module(f"claimlog.words.{language}").TEXTS)


def language_of(environment: Mapping[str, str]) -> str:
    """The language that the locale of `environment` asks for, English if it is no other.

    >>> language_of({"LANG": "de_CH.UTF-8"}), language_of({"LC_ALL": "C", "LANG": "de_DE"})
    ('de', 'en')
    """
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := environment.get(name):
            code = value.replace("-", "_").split("_")[0].split(".")[0].lower()
            return code if code in LANGUAGES else LANGUAGES[0]
    return LANGUAGES[0]
