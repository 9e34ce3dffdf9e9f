"""Cards drawn as cards, and a canvas to place them on, in lines as in `layout`.

A face has its letter and value in a frame, both in the colour of the faction; a hidden card shows
its back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from .layout import cells
from .palette import face_style

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .layout import Line


class Size(NamedTuple):
    """The columns and rows of a card, including its frame."""

    width: int
    height: int


SMALL: Final = Size(6, 3)
LARGE: Final = Size(9, 5)
HUGE: Final = Size(15, 7)
"""With room for the name of its faction."""

FRAMES: Final = {"": "╭─╮│╰╯", "won": "╔═╗║╚╝", "empty": "╭╌╮╎╰╯"}
"""Frames by meaning: corners and edges."""
BACK: Final = "░"


def _framed(inner: Sequence[str], size: Size, frame: str, style: str) -> list[Line]:
    """Rows of text in a frame."""
    left, flat, right, side, low_left, low_right = list(FRAMES[frame])
    edge = flat * (size.width - 2)
    rows = [f"{left}{edge}{right}"]
    rows += [f"{side}{text:{size.width - 2}}{side}" for text in inner]
    rows.append(f"{low_left}{edge}{low_right}")
    return [[(row, style)] for row in rows]


def face(card: str, size: Size = SMALL, frame: str = "", name: str = "") -> list[Line]:
    """A card, face up; anything after its value, such as a mark, is shown with it.

    `name` is the name of its faction, for cards with room for it.

    >>> [row[0][0] for row in face("K9+")]
    ['╭────╮', '│K9+ │', '╰────╯']
    """
    wide, high = size.width - 2, size.height - 2
    inner = [f"{card:^{wide}}"]
    if high > 1:
        inner = [f" {card}", *[""] * (high - 2), f"{card} ".rjust(wide)]
    if size is HUGE:
        inner[high // 2] = f"{name:^{wide}}"
    return _framed(inner, size, frame, face_style(card[0]))


def back(size: Size = SMALL, text: str = "") -> list[Line]:
    """A card, face down, optionally with a `text` on its back."""
    wide = size.width - 2
    inner = [BACK * wide] * (size.height - 2)
    even = text + " " * ((wide - len(text)) % 2) if text else ""
    inner[len(inner) // 2] = f"{even:{BACK}^{wide}}"
    return _framed(inner, size, "", "dim")


def place(size: Size = SMALL, text: str = "") -> list[Line]:
    """An empty place for a card."""
    inner = [""] * (size.height - 2)
    inner[len(inner) // 2] = f"{text:^{size.width - 2}}"
    return _framed(inner, size, "empty", "dim")


class Canvas:
    """A canvas of columns and rows; later content covers earlier content."""

    def __init__(self, width: int, height: int) -> None:
        self.width = width
        self.height = height
        self._rows: list[list[tuple[str, str]]] = [
            [(" ", "")] * width for _ in range(max(height, 0))
        ]

    def put(self, row: int, column: int, line: Line, width: int | None = None) -> None:
        """Put a line, in at most `width` columns; whatever exceeds the edge is cut off."""
        if not 0 <= row < self.height:
            return
        end = self.width if width is None else min(self.width, column + width)
        own = self._rows[row]
        for text, style in line:
            for c in text:
                size = cells(c)
                if size == 0 and 0 < column <= end:
                    own[column - 1] = (own[column - 1][0] + c, own[column - 1][1])
                elif column >= 0 and column + size <= end:
                    own[column] = (c, style)
                    own[column + 1 : column + size] = [("", style)] * (size - 1)
                column += size

    def lay(self, row: int, column: int, lines: Sequence[Line]) -> None:
        """Put a block of lines."""
        for i, line in enumerate(lines):
            self.put(row + i, column, line)

    def lines(self) -> list[Line]:
        """The content as lines."""
        return [_joined(row) for row in self._rows]


def _joined(row: Sequence[tuple[str, str]]) -> Line:
    """Join cells of one style into spans, without trailing blanks."""
    line: Line = []
    for c, style in row:
        if line and line[-1][1] == style:
            line[-1] = (line[-1][0] + c, style)
        else:
            line.append((c, style))
    while line and not line[-1][0].strip():
        line.pop()
    return line
