"""What is typed at a table, key by key: where a word ends, and which keys cannot continue it.

Every printable key is part of the typed text.  None is ignored, so that a slip can never turn the
keys after it into another word: text that is not a card is a word too, which is refused.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from claimlog.cards import CARD_NAMES
from claimlog.notation.tags import TERMINATIONS
from claimlog.recording.entering import LEAVE
from claimlog.state import UNSEEN

if TYPE_CHECKING:
    from claimlog.language import Words

MARKS: Final = "~/=-"
"""Marks that precede a card, as in the notation."""


LEAST: Final = 3
"""Letters that are enough of a word for how a game ended."""


class Typed(NamedTuple):
    """The state after a key: the text in the line, and the word that was completed, if any.

    `again`: the word was completed before the key, which begins the next one.
    """

    line: str
    word: str = ""
    again: bool = False


def card_of(word: str, led: str = "") -> str:
    """The card of a word, without its mark; a value alone belongs to the faction `led`.

    >>> card_of("G8"), card_of("8", led="G"), card_of("/W2"), card_of("8")
    ('G8', 'G8', 'W2', '8')
    """
    card = word.lstrip(MARKS)
    return led + card if led and card == word and card[:1].isdigit() else card


def word_of(line: str, led: str = "") -> str:
    """The typed text as a word of the notation.

    >>> word_of("8", led="G"), word_of("/W2", led="G")
    ('G8', '/W2')
    """
    card = card_of(line, led)
    return line[: len(line) - len(line.lstrip(MARKS))] + card


def typed(line: str, key: str, led: str = "", *, letters: bool = False) -> Typed:
    """The effect of a printable key after `line`; with `letters` a letter alone is a word.

    A value alone may be typed after a faction was led.  R1 may become R10 to R13, so that word is
    completed by the next key.

    >>> typed("", "g")
    Typed(line='G', word='', again=False)
    >>> typed("G", "8").word, typed("", "8", led="G").word, typed("", "#").word
    ('G8', '8', '#')
    >>> typed("R1", "3").word, typed("R1", "5"), typed("G", "k")
    ('R13', Typed(line='', word='R1', again=True), Typed(line='', word='G', again=True))
    """
    key = key.upper() if key.isascii() else key
    longer = line + key
    if longer == LEAVE:
        return Typed("", longer)
    card = line.lstrip(MARKS)
    if key in MARKS:
        return Typed(longer) if not line else Typed("", line, again=True)
    if key.isdigit() and key.isascii():
        alone = not card[:1].isalpha()
        value = card if alone else card[1:]
        values = _values((led if card == line else "") if alone else card[0])
        if value and value + key not in values:
            return Typed("", line, again=True)
        if any(one != value + key and one.startswith(value + key) for one in values):
            return Typed(longer)
        return Typed("", longer)
    if card:
        return Typed("", line, again=True)
    if key.isalpha() and key.isascii() and not letters:
        return Typed(longer)
    return Typed("", longer)


def why_ended(text: str, say: Words) -> str:
    """How a game ended, as the notation has it: from its word or that of the language.

    Three letters are enough if they mean only one.

    >>> from claimlog.language import words
    >>> [why_ended(one, words("de")) for one in ("Aufgabe", "zeit", "time", "au", "nonsense")]
    ['resignation', 'time', 'time', 'au', 'nonsense']
    """
    begin = text.casefold()
    meant = [
        name
        for name in TERMINATIONS
        if name.startswith(begin) or say(f"termination.{name}").casefold().startswith(begin)
    ]
    return meant[0] if len(meant) == 1 and len(begin) >= LEAST else text


@cache
def _values(faction: str) -> frozenset[str]:
    """The values of a faction's cards; all values if there is no such faction."""
    own = frozenset(name[1:] for name in CARD_NAMES if name[0] == faction)
    return own or frozenset(name[1:] for name in CARD_NAMES)


def is_card(word: str, led: str = "") -> bool:
    """Whether the word is an existing card.

    >>> is_card("R1"), is_card("R"), is_card("1", led="R"), is_card("1")
    (True, False, True, False)
    """
    return card_of(word, led) in (*CARD_NAMES, UNSEEN)
