"""The look of everything on a terminal: one style for each kind of text, one colour per faction.

Text is bold, dim and so on, or in the terminal's own colours.  The colours of the factions are
fixed ones out of 256: readable on white, on black and on the usual backgrounds, and distinguishable
for people who see no red, no green or no blue (a test measures both).  A terminal with fewer
colours shows only the letters, which always accompany them.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from rich.text import Text

    from .layout import Line

STYLES: Final = {
    "b": "bold",
    "head": "bold underline",
    "dim": "dim",
    "win": "bold green",
    "error": "bold red",
    "warn": "bold yellow",
    "note": "italic",
    "chosen": "reverse",
}
"""Styles by name, in rich's syntax."""

FACTIONS: Final = {
    "G": 35,
    "K": 69,
    "N": 106,
    "I": 132,
    "M": 163,
    "P": 138,
    "A": 169,
    "B": 201,
    "D": 203,
    "F": 175,
    "R": 97,
    "S": 62,
    "T": 95,
    "U": 129,
    "V": 161,
    "W": 64,
    "X": 140,
}
"""The colour of each faction, by its letter: a number from 16 to 255."""

PAPER: Final = 231
"""The background colour of cards."""

_CODES: Final = {
    "bold": "1",
    "dim": "2",
    "italic": "3",
    "underline": "4",
    "reverse": "7",
    "red": "31",
    "green": "32",
    "yellow": "33",
}


def faction_style(letter: str) -> str:
    """The name of a faction's style, "" if there is no such faction."""
    return f"faction {letter}" if letter in FACTIONS else ""


def face_style(letter: str) -> str:
    """The name of the style of a faction's cards when drawn as cards."""
    return f"card {letter}" if letter in FACTIONS else ""


def many_colours() -> bool:
    """Whether the terminal has 256 colours."""
    return "256" in os.environ.get("TERM", "") or os.environ.get("COLORTERM", "") != ""


def rich_style(style: str) -> str:
    """A style in rich's syntax, "" for plain text."""
    if style.startswith("faction "):
        return f"color({FACTIONS[style[-1]]})" if many_colours() else ""
    if style.startswith("card "):
        return f"bold color({FACTIONS[style[-1]]}) on color({PAPER})" if many_colours() else "bold"
    if style == "code":  # light on dark, whatever the terminal's colours
        return "color(231) on color(16)" if many_colours() else "white on black"
    return STYLES.get(style, "")


def styled(lines: list[Line]) -> Text:
    """Lines for the terminal."""
    from rich.text import Text

    from claimlog.language.isolation import harmless

    text = Text(no_wrap=True, end="")
    for i, line in enumerate(lines):
        if i:
            text.append("\n")
        for part, style in line:
            text.append(harmless(part), rich_style(style))
    return text


def escape(style: str) -> str:
    """The escape sequence that starts a style, "" for plain text."""
    if style.startswith("faction "):
        return f"\x1b[38;5;{FACTIONS[style[-1]]}m" if many_colours() else ""
    codes = [_CODES[word] for word in STYLES.get(style, "").split()]
    return f"\x1b[{';'.join(codes)}m" if codes else ""
