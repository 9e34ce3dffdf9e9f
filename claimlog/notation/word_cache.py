"""The interpreted reader's shortcut: it reads a movetext word by word, not byte by byte.

It knows nothing about the notation; it asks a `Sheet` for the tokens of each word, once.
"""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING, Final, Protocol

from claimlog.results import NO_RESULT

if TYPE_CHECKING:
    from array import array
    from collections.abc import MutableSequence

LONGEST_MOVETEXT: Final = 1 << 12
"""More bytes than the movetext of any game without comments."""
LONGEST_WORD: Final = 32
MEMORY: Final = 1 << 16
"""The most words to remember."""
FIELDS: Final = 6


class Sheet(Protocol):
    """The parts of `claimlog.notation.sheet.Sheet` that are used here."""

    text: bytes
    room: int
    kind: bytearray
    card: bytearray
    flags: bytearray
    start: MutableSequence[int]
    end: MutableSequence[int]
    comments: array[int]
    faults: list[tuple[int, int, int]]
    size: int
    tags: int
    lines: int
    result: int
    irregulars: int

    def read(self, text: bytes, at: int, final: bool) -> int:
        """Read a game from a text."""


class Words(dict[bytes, bytes]):
    """The tokens in words of a movetext, six bytes each: kind, card, flags and three steps.

    The steps lead from the end of the previous token to the token's start, from there to its end,
    and from the last token of a word to the next word.  Between white space a word always means the
    same; KeyError if it contains anything but tokens, or none.
    """

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        """Reads words seen for the first time."""

    def __missing__(self, word: bytes) -> bytes:
        """Read a single word."""
        sheet = self.sheet
        if len(word) > LONGEST_WORD or not word.isascii():
            raise KeyError(word)
        sheet.read(word, 0, True)
        if sheet.tags or sheet.faults or sheet.comments or sheet.irregulars:
            raise KeyError(word)
        if sheet.result != NO_RESULT:
            raise KeyError(word)
        tokens = bytearray()
        at = 0
        for k in range(sheet.size):
            start, end = sheet.start[k], sheet.end[k]
            tokens += bytes((sheet.kind[k], sheet.card[k], sheet.flags[k]))
            tokens += bytes((start - at, end - start, 0))
            at = end
        tokens[-1] = len(word) + 1 - at
        if len(self) >= MEMORY:
            self.clear()
        self[word] = bytes(tokens)
        return self[word]

    def read(self, sheet: Sheet, at: int) -> int:
        """Read a game's movetext from `at` up to its last word into an empty `sheet`.

        Returns the end; or `at`, with nothing read, unless all these words are known here, with one
        byte of white space between them.
        """
        text = sheet.text
        end = text.find(b"\n[", at, at + LONGEST_MOVETEXT)
        movetext = text[at : end if end > at else at + LONGEST_MOVETEXT].rstrip()
        words = movetext.split()
        if len(words) < 2 or words[-1].startswith(b"["):
            return at
        last = words.pop()
        try:
            tokens = b"".join(map(self.__getitem__, words))
        except KeyError:
            return at
        size = len(tokens) // FIELDS
        if size > sheet.room:
            return at
        steps = bytearray(3 * size)
        for k in range(3):
            steps[k::3] = tokens[k + 3 :: FIELDS]
        places = list(accumulate(steps, initial=at))
        if places[-1] - at + len(last) != len(movetext):
            return at
        sheet.kind[:size] = tokens[::FIELDS]
        sheet.card[:size] = tokens[1::FIELDS]
        sheet.flags[:size] = tokens[2::FIELDS]
        sheet.start[:size] = places[1::3]
        sheet.end[:size] = places[2::3]
        sheet.size = size
        after = places[-1] - 1
        sheet.lines += text.count(b"\n", at, after)
        return after
