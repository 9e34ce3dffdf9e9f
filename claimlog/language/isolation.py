"""Text from elsewhere among claimlog's own: made harmless, and apart if from right to left."""

from __future__ import annotations

from typing import Final
from unicodedata import bidirectional, category

ISOLATE: Final = "\N{FIRST STRONG ISOLATE}\N{POP DIRECTIONAL ISOLATE}"
"""The marks before and after a text that is written in its own direction."""


JOINERS: Final = "\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}"
"""Invisible, but part of the spelling of names, and of emoji; they change no order."""
_KEPT: Final = frozenset(f"\n\t{JOINERS}")


def harmless(text: str) -> str:
    """Replace what would do something to a terminal or to the text around it.

    Escape sequences control a terminal, and writing-direction marks reverse the text around them.
    """
    if text.isprintable():
        return text
    return "".join(
        c if c.isprintable() or c in _KEPT or category(c) == "Zs" else "\N{REPLACEMENT CHARACTER}"
        for c in text
    )


def apart(text: str) -> str:
    """Mark what is written from right to left, so that the text around it stays in order."""
    if not text.isascii() and any(bidirectional(c) in ("R", "AL") for c in text):
        return f"{ISOLATE[0]}{text}{ISOLATE[1]}"
    return text
