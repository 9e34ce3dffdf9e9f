"""Numbers that both searches use."""

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
