"""Turn choices into a number, and a number into text.

Part of the format of codes: no change here may change the meaning of a code.
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
"""The characters of a code, the digit 0 first; a URL holds them without escaping."""

CHECK_BITS: Final = 20
_GENERATOR: Final = 0x18359F
"""A 20-bit CRC: it detects every change of up to four bits in a code of 52 characters, and any
change within 20 consecutive bits, hence a mistyped character or two neighbours swapped."""
_MARK: Final = 0x5A17C
"""The check of the empty input, so that a row of zeros is not a valid code."""


class CodeError(KeyedError, ValueError):
    """The text is not a code, or the game has no code; the message says why."""


class Writer:
    """Record which of several weighted options was chosen."""

    def __init__(self) -> None:
        self._chosen: list[tuple[int, int, int]] = []

    def pick(self, options: Sequence[T], weights: Sequence[int], chosen: T | None) -> T:
        """Record that `chosen` was chosen.  Raises CodeError if it is not among the options."""
        for place, option in enumerate(options):
            if option == chosen and weights[place]:
                self._chosen.append((sum(weights[:place]), weights[place], sum(weights)))
                return option
        raise CodeError("code.no-choice", text=chosen)

    def number(self) -> int:
        """All choices as one number; the first choice written is the first one read."""
        number = 1
        for below, weight, total in reversed(self._chosen):
            number = number // weight * total + below + number % weight
        return number


class Reader:
    """Read the choices back from a number."""

    def __init__(self, number: int) -> None:
        self._number = number

    def pick(self, options: Sequence[T], weights: Sequence[int], chosen: T | None) -> T:
        """Return the option that the number says was chosen; `chosen` is always None."""
        if not any(weights):
            raise CodeError("code.nothing")
        rest, at = divmod(self._number, sum(weights))
        for option, weight in zip(options, weights, strict=True):
            if at < weight:
                self._number = rest * weight + at
                return option
            at -= weight
        raise AssertionError("unreachable: the remainder is less than the sum of the weights")

    def end(self) -> None:
        """Check that everything has been read.  Raises CodeError if not."""
        if self._number != 1:
            raise CodeError("code.end")


Coder = Writer | Reader


def letters(number: int) -> str:
    """Write a positive number, with its check added, in characters, lowest digit first."""
    number = number << CHECK_BITS | _check(number)
    written = []
    while number:
        number, place = divmod(number, len(ALPHABET))
        written.append(ALPHABET[place])
    return "".join(written)


def number_of(code: str) -> int:
    """Return the number in a code.  Raises CodeError if its check is wrong."""
    number = 0
    for letter in reversed(code):
        number = number * len(ALPHABET) + ALPHABET.index(letter)
    number, check = number >> CHECK_BITS, number & ((1 << CHECK_BITS) - 1)
    if not number or check != _check(number):
        raise CodeError("code.check")
    return number


def _check(number: int) -> int:
    """The remainder of the number, as a polynomial, divided by the generator."""
    rest = 0
    for byte in number.to_bytes((number.bit_length() + 7) // 8, "big"):
        rest = (rest << 8 ^ _REMAINDERS[rest >> CHECK_BITS - 8 ^ byte]) & (1 << CHECK_BITS) - 1
    return rest ^ _MARK


def _remainder(byte: int) -> int:
    """The remainder of one byte followed by `CHECK_BITS` zeros."""
    rest = byte << CHECK_BITS
    for place in range(7, -1, -1):
        if rest >> place + CHECK_BITS & 1:
            rest ^= _GENERATOR << place
    return rest


_REMAINDERS: Final = tuple(map(_remainder, range(256)))
