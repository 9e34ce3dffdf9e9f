"""Numbers for the content of a movetext: kinds of token, flags, placeholders for cards."""

from __future__ import annotations

from typing import Final

NUMBER, UPCARD, PLAY, DISCARD, PICK, SEER, DRAW, RESULT, JUNK = range(1, 10)
"""The kinds of token: a trick number, an upcard, a play, a face-down card, the first
picker's upcard, the Seer's hidden card, a drawn card, the result, something unreadable."""

WON, IRREGULAR = 1, 2
"""Flags after a card: ``+`` and ``^``."""
ANNOTATION_SHIFT: Final = 2
ANNOTATIONS: Final = ("", "!", "?", "!!", "??", "!?", "?!")
"""The annotations; a token's flags hold the index, shifted by `ANNOTATION_SHIFT`."""
FIRST: Final = 32
"""Flag: the first card of its group (upcards or drawn cards)."""
ALONE: Final = 64
"""Flag of unreadable text: white space precedes it, so it may be meant as a play."""

HIGHEST_NUMBER: Final = 0xFFFF
"""The highest trick number that is told apart from others."""

NO_CARD: Final = 254
"""A card that does not exist, where a card should be."""
FACE_DOWN: Final = 255
"""``_``: an unknown card; the same number as `claimlog.cards.UNKNOWN`."""


def annotation_of(flags: int) -> str:
    """The annotation in a token's flags, or ""."""
    return ANNOTATIONS[flags >> ANNOTATION_SHIFT & 7]
