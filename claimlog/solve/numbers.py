"""Numbers that several modules of the searches use."""

from typing import Final

LOWEST: Final = 0
HIGHEST: Final = 4096
"""Beyond all values (`claimlog.solve.search.value_of`)."""
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
