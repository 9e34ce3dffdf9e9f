"""Choices as a number, and a number as text.

Part of the format of codes: nothing here may change what a code means.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar

from claimlog.language.messages import KeyedError

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "ALPHABET",
    "CHECK_BITS",
    "CodeError",
    "Coder",
    "Reader",
    "Writer",
    "letters",
    "number_of",
]

T = TypeVar("T")

ALPHABET: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
"""The characters of a code, that for 0 first; an address holds them as they are."""

CHECK_BITS: Final = 20
_GENERATOR: Final = 0x18359F
"""A CRC of 20 bits: it finds every change of up to four bits in a code of 52 characters, and any
change within 20 bits in a row, so one character for another and neighbours that changed places."""
_MARK: Final = 0x5A17C
"""What the check of nothing is, so that a row of zeros is no code."""


class CodeError(KeyedError, ValueError):
    """A text that is no code, or a game that has none; the message says why."""


class Writer:
    """Takes down which of several options was chosen, each with its weight."""

    def __init__(self) -> None:
        self._chosen: list[tuple[int, int, int]] = []

    def pick(self, options: Sequence[T], weights: Sequence[int], chosen: T | None) -> T:
        """Note that `chosen` was chosen.  Raises CodeError if it is none of the options."""
        for place, option in enumerate(options):
            if option == chosen and weights[place]:
                self._chosen.append((sum(weights[:place]), weights[place], sum(weights)))
                return option
        raise CodeError("code.no-choice", text=chosen)

    def number(self) -> int:
        """All of it as one number: what was chosen first is what is read first."""
        number = 1
        for below, weight, total in reversed(self._chosen):
            number = number // weight * total + below + number % weight
        return number


class Reader:
    """Chooses as a number says."""

    def __init__(self, number: int) -> None:
        self._number = number

    def pick(self, options: Sequence[T], weights: Sequence[int], chosen: T | None) -> T:
        """The option that was chosen, which is read here: `chosen` is None."""
        if not any(weights):
            raise CodeError("code.nothing")
        rest, at = divmod(self._number, sum(weights))
        for option, weight in zip(options, weights, strict=True):
            if at < weight:
                self._number = rest * weight + at
                return option
            at -= weight
        raise AssertionError("weights sum up to their sum")

    def end(self) -> None:
        """All must have been read now.  Raises CodeError if it was not."""
        if self._number != 1:
            raise CodeError("code.end")


Coder = Writer | Reader


def letters(number: int) -> str:
    """A number from 1, its check added, in characters, the lowest first."""
    number = number << CHECK_BITS | _check(number)
    written = []
    while number:
        number, place = divmod(number, len(ALPHABET))
        written.append(ALPHABET[place])
    return "".join(written)


def number_of(code: str) -> int:
    """The number in a code.  Raises CodeError if its check is not right."""
    number = 0
    for letter in reversed(code):
        number = number * len(ALPHABET) + ALPHABET.index(letter)
    number, check = number >> CHECK_BITS, number & ((1 << CHECK_BITS) - 1)
    if not number or check != _check(number):
        raise CodeError("code.check")
    return number


def _check(number: int) -> int:
    """The remainder of the number, as a polynomial, by the generator."""
    rest = 0
    for byte in number.to_bytes((number.bit_length() + 7) // 8, "big"):
        rest = (rest << 8 ^ _REMAINDERS[rest >> CHECK_BITS - 8 ^ byte]) & (1 << CHECK_BITS) - 1
    return rest ^ _MARK


def _remainder(byte: int) -> int:
    """The remainder of one byte with `CHECK_BITS` zeros behind it."""
    rest = byte << CHECK_BITS
    for place in range(7, -1, -1):
        if rest >> place + CHECK_BITS & 1:
            rest ^= _GENERATOR << place
    return rest


_REMAINDERS: Final = tuple(map(_remainder, range(256)))
