"""Lines of styled words, and tables of them: for a pipe or a screen alike.

A line is a list of spans, (text, style).  Styles are names in `palette.STYLES`; the code that
prints the lines decides on their appearance, and no information depends on style alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

Span = tuple[str, str]
Line = list[Span]


def cells(text: str) -> int:
    """The number of terminal columns that `text` needs."""
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    from claimlog.language.isolation import JOINERS

    return sum(
        0 if combining(c) or c in JOINERS else 2 if east_asian_width(c) in "WF" else 1 for c in text
    )


def length(line: Line) -> int:
    """The number of columns that a line needs."""
    return sum(cells(text) for text, _ in line)


def text_of(line: Line) -> str:
    """A line without its styles."""
    return "".join(text for text, _ in line).rstrip()


def clip(text: str, width: int) -> str:
    """`text` in at most `width` columns, with an ellipsis if it is cut off."""
    if cells(text) <= width:
        return text
    while text and cells(text) >= width:
        text = text[:-1]
    return text.rstrip() + "…" if width > 0 else ""


def clip_start(text: str, width: int) -> str:
    """`text` in at most `width` columns: its end, as somebody types it."""
    if cells(text) <= width:
        return text
    while text and cells(text) >= width:
        text = text[1:]
    return "…" + text if width > 0 else ""


def wrap(line: Line, width: int, indent: int = 0) -> list[Line]:
    """Break a line at its spaces; lines after the first are indented."""
    if length(line) <= width:
        return [line]
    lines: list[Line] = []
    current: Line = []
    used = 0
    gap = ""
    for text, style in line:
        for i, word in enumerate(text.split(" ")):
            if i:
                gap = f"{gap} "
            if not word:
                continue
            for piece in _pieces(word, max(width - indent, 1)):
                size = cells(piece)
                if used + len(gap) + size > width and any(t.strip() for t, _ in current):
                    lines.append(current)
                    current, used, gap = [(" " * indent, "")], indent, ""
                if gap:
                    current.append((gap, style))
                    used += len(gap)
                current.append((piece, style))
                used += size
                gap = ""
    return [*lines, current]


def _pieces(word: str, width: int) -> list[str]:
    """Split a word into pieces that fit into `width`."""
    if cells(word) <= width:
        return [word]
    pieces = [""]
    for c in word:
        if cells(pieces[-1] + c) > width:
            pieces.append("")
        pieces[-1] += c
    return pieces


def pad(line: Line, width: int) -> Line:
    """A line padded with spaces to `width`."""
    return [*line, (" " * max(width - length(line), 0), "")]


def spread(left: Line, right: Line, width: int) -> list[Line]:
    """Two texts at opposite ends of a line, or one below the other if there is no room."""
    room = width - length(left) - length(right)
    if room < 2:
        return [*wrap(left, width, 2), *([right] if right else [])]
    return [[*left, (" " * room, ""), *right]] if right else [left]


def table(rows: Sequence[Sequence[Line]], widths: Sequence[int], indent: int = 2) -> list[Line]:
    """Rows of cells side by side, two spaces apart; cells too long for their column are wrapped."""
    lines: list[Line] = []
    for row in rows:
        broken = [wrap(cell, width) for cell, width in zip(row, widths, strict=True)]
        for i in range(max(len(cell) for cell in broken)):
            line: Line = [(" " * indent, "")]
            for cell, width in zip(broken, widths, strict=True):
                line += [*pad(cell[i] if i < len(cell) else [], width), ("  ", "")]
            lines.append(line)
    return lines


def beside(left: list[Line], right: list[Line], width: int) -> list[Line]:
    """Two blocks side by side, the left one `width` wide."""
    lines = []
    for i in range(max(len(left), len(right))):
        line = left[i] if i < len(left) else []
        lines.append([*pad(line, width), *(right[i] if i < len(right) else [])])
    return lines


def fit(needed: Sequence[int], room: int, flexible: Sequence[int]) -> list[int]:
    """Column widths that fit into `room`: the flexible columns shrink, the widest first."""
    widths = list(needed)
    while sum(widths) > room:
        widest = max(flexible, key=lambda column: widths[column])
        if widths[widest] <= 4:
            break
        widths[widest] -= 1
    return widths
