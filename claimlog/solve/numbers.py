"""Numbers shared by several modules of the searches."""

from typing import Final

LOWEST: Final = 0
HIGHEST: Final = 4096
"""Beyond all values (`claimlog.solve.search.value_of`)."""
NOBODY: Final = -1
NO_CARD: Final = 31
"""No best card is known; cards are slots, which need five bits."""
NONE_YET: Final = 255
"""No slot yet."""
WORDS: Final = (1 << 64) - 1
"""Keys of positions are 64 bits."""
STEP: Final = 0x9E3779B97F4A7C15
"""The multiplier that mixes keys."""
ROOM: Final = 26
"""The most cards that the hands of two players hold."""
DEPTH: Final = 16
"""The number of tricks of two players that can be saved: 13, that of `bounds_of`, and the first."""
REPLIES: Final = DEPTH * ROOM
"""The place of the replies to try, after the leads of all depths."""
LANE: Final = 10
"""The bits of a lane, which holds the lead of side 0 in a faction, plus 256."""
GUARDS: Final = sum(512 << LANE * i for i in range(5))
ONES: Final = sum(1 << LANE * i for i in range(5))
ANY: Final = 511 * ONES
"""A demand in each lane that always holds: at most the maximum."""
WHOLE: Final = (1 << ROOM) - 1
"""All slots."""
TRICKS: Final = ROOM * ROOM
"""All tricks of two slots."""
BITS: Final = 7
"""The number of bits to pack at once; four times as many are enough for all hands."""
SOME: Final = (1 << BITS) - 1
"""So many bits."""


def _packed(of: int) -> bytes:
    """For each set of `BITS` slots, its bits at the slots `of`, packed together."""
    sets, number = [0], 0
    for bit in range(BITS):
        if of >> bit & 1:
            sets += [bits | 1 << number for bits in sets]
            number += 1
        else:
            sets += sets
    return bytes(sets)


PACKED: Final = b"".join(_packed(of) for of in range(1 << BITS))
"""At ``of * 128 + slots``, the bits of `slots` at the slots `of`, packed together."""
NUMBERS: Final = bytes(bits.bit_count() for bits in range(1 << BITS))
SPREAD: Final = 0x077CB531
"""Multiplied by a power of two of 32 bits, it has a distinct value in the highest five bits."""
PLACES: Final = bytes(
    next(bit for bit in range(32) if SPREAD << bit >> 27 & 31 == rest) for rest in range(32)
)
"""The slot of a set of one, by these five bits."""
