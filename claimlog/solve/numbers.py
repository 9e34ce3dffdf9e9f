"""Numbers that several modules of the searches use."""

from typing import Final

LOWEST: Final = 0
HIGHEST: Final = 4096
"""Beyond all values (`claimlog.solve.search.value_of`)."""
NOBODY: Final = -1
NONE_YET: Final = 255
"""In place of a slot."""
WORDS: Final = (1 << 64) - 1
"""Keys of positions are 64 bits."""
STEP: Final = 0x9E3779B97F4A7C15
"""What keys are multiplied with, to mix them."""
ROOM: Final = 26
"""The most cards that the hands of two players hold."""
DEPTH: Final = 16
"""How many tricks of two players can be kept: 13, that of `bounds_of`, and the first."""
LANE: Final = 10
"""The bits of a lane: how far side 0 is ahead in a faction, 256 for not at all."""
GUARDS: Final = sum(512 << LANE * i for i in range(5))
ONES: Final = sum(1 << LANE * i for i in range(5))
ANY: Final = 511 * ONES
"""Asked in each lane: that it is at most the most."""
WHOLE: Final = (1 << ROOM) - 1
"""All slots."""
TRICKS: Final = ROOM * ROOM
"""All tricks of two slots."""
BITS: Final = 7
"""So many bits are moved at once; four times that is enough for all hands."""


def _packed(of: int) -> bytes:
    """The bits of each set of `BITS` slots at the slots `of`, moved together."""
    sets, number = [0], 0
    for bit in range(BITS):
        if of >> bit & 1:
            sets += [bits | 1 << number for bits in sets]
            number += 1
        else:
            sets += sets
    return bytes(sets)


PACKED: Final = b"".join(_packed(of) for of in range(1 << BITS))
"""At a set of slots, times 128, and another: the bits of that at the first, moved together."""
NUMBERS: Final = bytes(bits.bit_count() for bits in range(1 << BITS))
SPREAD: Final = 0x077CB531
"""Times a power of two of 32 bits: the highest five of the product tell it from all others."""
PLACES: Final = bytes(
    next(bit for bit in range(32) if SPREAD << bit >> 27 & 31 == rest) for rest in range(32)
)
"""The slot of a set of one, by these five bits."""
