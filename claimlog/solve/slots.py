"""Sets of cards in the hands of two players, one bit per card: counting and packing.

A card's bit is its *slot*.  Compiled (see ``slots.pxd``) or interpreted from this one source.
"""

from claimlog.solve.numbers import NUMBERS, PACKED


def popcount(slots: int) -> int:
    """The number of slots in a set."""
    # Add up pairs, fours and bytes of bits, then the four bytes.
    slots -= slots >> 1 & 0x55555555
    slots = (slots & 0x33333333) + (slots >> 2 & 0x33333333)
    return ((slots + (slots >> 4)) & 0x0F0F0F0F) * 0x01010101 >> 24 & 63


def packed(of: int, slots: int) -> int:
    """The bits of `slots` at the slots `of`, packed together."""
    part = of & 127
    found = PACKED[part << 7 | slots & 127]
    number = NUMBERS[part]
    part = of >> 7 & 127
    found |= PACKED[part << 7 | slots >> 7 & 127] << number
    number += NUMBERS[part]
    part = of >> 14 & 127
    found |= PACKED[part << 7 | slots >> 14 & 127] << number
    number += NUMBERS[part]
    part = of >> 21 & 127
    return found | PACKED[part << 7 | slots >> 21 & 127] << number
