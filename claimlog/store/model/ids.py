"""Permanent ids in writing: 64 bits in 13 characters that any URL can hold.

>>> write_id(2**64 - 1), read_id("fzzzzzzzzzzzz") == 2**64 - 1
('fzzzzzzzzzzzz', True)
"""

from __future__ import annotations

from hashlib import sha256
from typing import Final

from claimlog.notation import names

_ALPHABET: Final = "0123456789abcdefghjkmnpqrstvwxyz"
_PAIRS: Final = [first + second for first in _ALPHABET for second in _ALPHABET]
_VALUES: Final = {letter: value for value, letter in enumerate(_ALPHABET)} | {
    "i": 1,
    "l": 1,
    "o": 0,
}
LENGTH: Final = 13
SHORTEST: Final = 4
"""The minimum length of an abbreviated id, if no other id begins the same."""


def write_id(number: int) -> str:
    """Write an id."""
    return (
        _ALPHABET[number >> 60]
        + _PAIRS[number >> 50 & 1023]
        + _PAIRS[number >> 40 & 1023]
        + _PAIRS[number >> 30 & 1023]
        + _PAIRS[number >> 20 & 1023]
        + _PAIRS[number >> 10 & 1023]
        + _PAIRS[number & 1023]
    )


def read_id(text: str) -> int | None:
    """Read an id, in upper or lower case; None if it is not one."""
    if len(text) != LENGTH:
        return None
    number = 0
    for letter in text.lower():
        value = _VALUES.get(letter)
        if value is None:
            return None
        number = number << 5 | value
    return number if number < 1 << 64 else None


def read_beginning(text: str, *, shortest: int | None = None) -> tuple[int, int] | None:
    """The first and the last id that begin with `text`; None if no id can begin so.

    >>> [write_id(number) for number in read_beginning("3F7K") or ()]
    ['3f7k000000000', '3f7kzzzzzzzzz']
    """
    if not (SHORTEST if shortest is None else shortest) <= len(text) <= LENGTH:
        return None
    missing = LENGTH - len(text)
    first = read_id(text + "0" * missing)
    last = read_id((text or "f") + "z" * (missing if text else missing - 1))
    return None if first is None or last is None else (first, last)


def slips(text: str) -> list[int]:
    """The ids that `text` may be a slip for: a letter wrong, missing, too many, or swapped."""
    near = set()
    for place in range(LENGTH + 1):
        before, after = text[:place], text[place:]
        near.add(before + after[1:])
        near.add(before + after[1::-1] + after[2:])
        for letter in _ALPHABET:
            near.add(before + letter + after)
            near.add(before + letter + after[1:])
    return sorted({number for one in near if (number := read_id(one)) is not None})


def tidy(value: str) -> str:
    """A name in the form in which it is compared, "" if it is unknown."""
    text = names.tidy(value)
    return "" if text == "?" else text


def number_of(kind: str, key: str) -> int:
    """The permanent number of a player or event: 64 bits of a digest of its key."""
    return int.from_bytes(sha256(f"{kind}\0{key}".encode()).digest()[:8], "big")


def event_number(name: str) -> int:
    """The number of the event whose games call it `name`."""
    return number_of("event", names.folded(tidy(name)))
