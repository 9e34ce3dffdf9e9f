"""Rows on a terminal as a table, for programs as JSON or CSV."""

from __future__ import annotations

import csv
import sys
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from claimlog.store import Rate


class Form(StrEnum):
    """How an answer is printed."""

    table = "table"
    json = "json"
    csv = "csv"


AsForm = Annotated[Form, typer.Option("--format", "-f", help="How to print the answer.")]

GAP: Final = "  "
TIED: Final = "\N{NO-BREAK SPACE}"
"""Stands for a space at which no line is broken."""
RATE: Final = ("count", "rate", "low", "high")
"""What CSV has of a rate, a column each."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its heading, and its value for a row.

    `rate` says that the values are rates.  Where a terminal is too narrow, columns that have
    a number in `spare` are left out, the lowest first.
    """

    heading: str
    value: Callable[[Any], Any]
    spare: int = 0
    rate: bool = False


def show(
    rows: Iterable[Any],
    columns: Sequence[Column],
    form: Form,
    *,
    title: str = "",
    answer: Any = None,
) -> None:
    """Print rows.

    As JSON `answer` is printed whole if it is given, otherwise an object a row and line.
    """
    if form is Form.json:
        import msgspec

        for item in [answer] if answer is not None else rows:
            sys.stdout.write(msgspec.json.encode(item).decode() + "\n")
    elif form is Form.csv:
        _csv(rows, columns)
    else:
        _table([[column.value(row) for column in columns] for row in rows], columns, title)
    sys.stdout.flush()


def _csv(rows: Iterable[Any], columns: Sequence[Column]) -> None:
    writer = csv.writer(sys.stdout, lineterminator="\n")
    headings: list[str] = []
    for column in columns:
        headings += [f"{column.heading} {part}" for part in RATE] if column.rate else []
        headings += [] if column.rate else [column.heading]
    writer.writerow(headings)
    for row in rows:
        cells: list[Any] = []
        for column in columns:
            value = column.value(row)
            cells += [getattr(value, part) for part in RATE] if column.rate else [value]
        writer.writerow(round(cell, 6) if isinstance(cell, float) else cell for cell in cells)


def _table(rows: list[list[Any]], columns: Sequence[Column], title: str) -> None:
    """Print a table, on a terminal as wide as that is."""
    from rich.console import Console
    from rich.text import Text

    from claimlog.words.telling import plain

    terminal = Console(soft_wrap=True, highlight=False) if sys.stdout.isatty() else None

    def strong(line: str) -> None:
        if terminal is None:
            print(line)
        else:
            terminal.print(Text(line, style="bold"))

    if title:
        strong(plain(title))
    if not rows:
        print("nothing found")
        return
    texts = [[_text(value) for value in row] for row in rows]
    right = [
        all(value is None or isinstance(value, int | float) for value in values)
        for values in zip(*rows, strict=True)
    ]
    kept, widths = _fit(columns, texts, terminal.width if terminal else None)
    for number, row in enumerate([[column.heading for column in columns], *texts]):
        cells = [
            _broken(row[place], width, hyphens=not number)
            for place, width in zip(kept, widths, strict=True)
        ]
        height = max(map(len, cells))
        for line in range(height):
            parts = []
            for place, cell, width in zip(kept, cells, widths, strict=True):
                # What is short stands at the bottom of the heading, at the top of a row.
                at = line if number else line - height + len(cell)
                part = cell[at] if 0 <= at < len(cell) else ""
                space = " " * (width - _width(part))
                parts.append(space + part if right[place] else part + space)
            whole = GAP.join(parts).replace(TIED, " ").rstrip()
            if number:
                print(whole)
            else:
                strong(whole)
    if len(kept) < len(columns):
        out = [column.heading for place, column in enumerate(columns) if place not in kept]
        print(f"No room here for: {', '.join(out)}.")


def _fit(
    columns: Sequence[Column], texts: list[list[str]], room: int | None
) -> tuple[list[int], list[int]]:
    """Which columns have room, and how wide each is.

    Headings are broken before a column is left out; only then are cells broken.
    """
    kept = list(range(len(columns)))
    cells = [max(_width(row[place]) for row in texts) for place in kept]
    whole = [max(_width(columns[place].heading), cells[place]) for place in kept]
    if room is None:
        return kept, whole
    narrow = [max(_longest(columns[place].heading, hyphens=True), cells[place]) for place in kept]
    least = [
        max(
            _longest(columns[place].heading, hyphens=True),
            *(_longest(row[place], hyphens=False) for row in texts),
        )
        for place in kept
    ]

    def total(widths: list[int]) -> int:
        return sum(widths[place] for place in kept) + len(GAP) * (len(kept) - 1)

    spare = sorted((p for p in kept if columns[p].spare), key=lambda p: columns[p].spare)
    for place in spare:
        if total(narrow) <= room:
            break
        kept.remove(place)
    widths = narrow
    while total(widths) > room:
        place = max(kept, key=lambda place: (widths[place] - least[place] > 0, widths[place]))
        if widths[place] <= least[place]:
            break
        widths[place] -= 1
    for place in kept:
        # Room that is left goes to headings, as far as they need fewer lines with it.
        heading = columns[place].heading
        for width in range(min(whole[place], widths[place] + room - total(widths)), 0, -1):
            if width <= widths[place]:
                break
            lines = len(_broken(heading, width, hyphens=True))
            if lines < len(_broken(heading, width - 1, hyphens=True)):
                widths[place] = width
                break
    return kept, [widths[place] for place in kept]


def _broken(text: str, width: int, *, hyphens: bool) -> list[str]:
    """The lines of a cell."""
    if _width(text) <= width:
        return [text]
    from textwrap import wrap

    # textwrap counts characters, not columns: it only cuts the text into its pieces here.
    lines: list[str] = []
    for piece in wrap(text, 1, break_long_words=False, break_on_hyphens=hyphens):
        joint = "" if lines and hyphens and lines[-1].endswith("-") else " "
        if lines and _width(lines[-1] + joint + piece) <= width:
            lines[-1] += joint + piece
        else:
            lines.append(piece)
    return lines


def _longest(text: str, *, hyphens: bool) -> int:
    """The width of the longest piece that cannot be broken."""
    return max(map(_width, _broken(text, 1, hyphens=hyphens)), default=0)


def _width(text: str) -> int:
    from rich.cells import cell_len

    return cell_len(text)


def _text(value: Any) -> str:
    from claimlog.words.telling import plain

    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:g}" if value == round(value, 2) else f"{value:.2f}"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, str):
        return plain(value)
    return _rate(value)


def _rate(value: Rate) -> str:
    """A rate with its count and its interval: ``53.2 % of 1,204 (51.1-55.3)``."""
    if value.rate is None or value.low is None or value.high is None:
        return "-"
    low, high = 100 * value.low, 100 * value.high
    share = f"{100 * value.rate:.1f} % of {value.count:,}".replace(" ", TIED)
    return f"{share} ({low:.1f}-{high:.1f})"
