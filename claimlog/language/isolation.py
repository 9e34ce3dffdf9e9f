"""Names written from right to left, in sentences written from left to right."""

from __future__ import annotations

from typing import Final
from unicodedata import bidirectional

ISOLATE: Final = "\N{FIRST STRONG ISOLATE}\N{POP DIRECTIONAL ISOLATE}"
"""The marks before and after a text that is written in its own direction."""


def apart(text: str) -> str:
    """Mark what is written from right to left, so that the text around it stays in order."""
    if not text.isascii() and any(bidirectional(c) in ("R", "AL") for c in text):
        return f"{ISOLATE[0]}{text}{ISOLATE[1]}"
    return text
