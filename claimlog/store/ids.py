"""How lasting ids are written: 64 bits in 13 characters that stand in any URL.

>>> write_id(2**64 - 1), read_id("fzzzzzzzzzzzz") == 2**64 - 1
('fzzzzzzzzzzzz', True)
"""

from __future__ import annotations

from typing import Final

_ALPHABET: Final = "0123456789abcdefghjkmnpqrstvwxyz"
_PAIRS: Final = [first + second for first in _ALPHABET for second in _ALPHABET]
_VALUES: Final = {letter: value for value, letter in enumerate(_ALPHABET)} | {
    "i": 1,
    "l": 1,
    "o": 0,
}
LENGTH: Final = 13


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
    """Read an id, None if it is none; letters may be of either case."""
    if len(text) != LENGTH:
        return None
    number = 0
    for letter in text.lower():
        value = _VALUES.get(letter)
        if value is None:
            return None
        number = number << 5 | value
    return number if number < 1 << 64 else None
