"""Names as people type them: find the one that is meant, or similar ones.

Case, accents, punctuation and word order are ignored; words may be left out or abbreviated.  An
umlaut may be typed as a plain letter or as two letters.

>>> names = Names([(1, "Anna Keller"), (2, "Jörg Müller"), (3, "Anna Kolb")])
>>> names.meant("keller, ANNA"), names.meant("mueller"), names.meant("a k")
({1}, {2}, {1, 3})
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from typing import TYPE_CHECKING, Final

from claimlog.notation.names import LETTERS, folded, stream_safe

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

NEAREST: Final = 5
"""How many names are suggested for an unknown one."""

LIKE: Final = 65
"""The similarity, out of 100, from which a name is suggested."""

LONGEST: Final = 100
"""Texts of more characters are not compared, which would take long."""

_LETTERS: Final = str.maketrans(LETTERS)
_IN_TWO: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe"})


def words_of(text: str) -> list[str]:
    """The words of a name, sorted, in lower case and without accents."""
    text = text.casefold()
    if not text.isascii():
        text = unicodedata.normalize("NFKD", stream_safe(text.translate(_LETTERS)))
    return sorted("".join(c if c.isalnum() else " " for c in text if not _mark(c)).split())


def _mark(letter: str) -> bool:
    return letter in "'\u2019" or unicodedata.combining(letter) != 0


def spellings(text: str) -> list[str]:
    """The forms of a name to look for: its sorted words, and a second form if it has umlauts."""
    plain = " ".join(words_of(text))
    if text.isascii():
        return [plain]
    two = " ".join(words_of(folded(text).translate(_IN_TWO)))
    return [plain] if two == plain else [plain, two]


class Names:
    """Many names, each with the number of its owner; an owner may have several."""

    def __init__(self, names: Iterable[tuple[int, str]]) -> None:
        self._by_spelling: dict[str, set[int]] = defaultdict(set)
        for number, name in names:
            for spelling in spellings(name):
                self._by_spelling[spelling].add(number)
        self._spellings = list(self._by_spelling)

    def meant(self, text: str) -> set[int]:
        """The owners meant: by the whole name, otherwise whole words of it, otherwise prefixes.

        Only the closest kind of match counts; empty if nothing matches.
        """
        asked = [spelling for spelling in spellings(text) if spelling]
        whole = {number for one in asked for number in self._by_spelling.get(one, ())}
        if whole:
            return whole
        some: set[int] = set()
        begun: set[int] = set()
        for one in asked:
            words = sorted(one.split(), key=len, reverse=True)
            first = " " + words[0]
            for spelling in self._spellings:
                if first in " " + spelling and _begins(words, spelling.split()):
                    begun |= self._by_spelling[spelling]
                    if set(words) <= set(spelling.split()):
                        some |= self._by_spelling[spelling]
        return some or begun

    def nearest(self, text: str) -> list[int]:
        """The owners of the names most similar to `text`, the most similar first."""
        if len(text) > LONGEST:
            return []
        from rapidfuzz import fuzz, process

        scores: dict[int, float] = {}
        for one in spellings(text):
            if one:
                for spelling, like, _ in process.extract(
                    one, self._spellings, scorer=fuzz.WRatio, score_cutoff=LIKE, limit=NEAREST
                ):
                    for number in self._by_spelling[spelling]:
                        scores[number] = max(like, scores.get(number, 0))
        return sorted(scores, key=lambda number: (-scores[number], number))[:NEAREST]


def _begins(short: Sequence[str], words: list[str]) -> bool:
    """Whether each of `short`, the longest first, is a prefix of a different word."""
    for one in short:
        place = next((place for place, word in enumerate(words) if word.startswith(one)), None)
        if place is None:
            return False
        del words[place]
    return True
