"""Rows on a terminal as a table, for programs as JSON or CSV."""

from __future__ import annotations

import csv
import sys
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from claimlog.store import Rate

    Column = tuple[str, Callable[[Any], Any]]


class Form(StrEnum):
    """How an answer is printed."""

    table = "table"
    json = "json"
    csv = "csv"


AsForm = Annotated[Form, typer.Option("--format", "-f", help="How to print the answer.")]


def show(
    rows: Iterable[Any],
    columns: Sequence[Column],
    form: Form,
    *,
    title: str = "",
    answer: Any = None,
) -> None:
    """Print rows; `columns` are (heading, value of a row) pairs.

    As JSON `answer` is printed whole if it is given, otherwise an object a row and line.
    """
    if form is Form.json:
        import msgspec

        for item in [answer] if answer is not None else rows:
            sys.stdout.write(msgspec.json.encode(item).decode() + "\n")
    elif form is Form.csv:
        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerow([heading for heading, _ in columns])
        for row in rows:
            writer.writerow([_plain(value(row)) for _, value in columns])
    elif sys.stdout.isatty():
        _rich_table(rows, columns, title)
    else:
        _aligned(rows, columns, title)
    sys.stdout.flush()


def _plain(value: Any) -> Any:
    return value if isinstance(value, int | float) else _text(value)


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:g}" if value == round(value, 2) else f"{value:.2f}"
    if isinstance(value, int):
        return f"{value:,}"
    return str(value)


def _right(value: Any) -> bool:
    return isinstance(value, int | float)


def _rich_table(rows: Iterable[Any], columns: Sequence[Column], title: str) -> None:
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    table = Table(title=title or None, title_justify="left", box=None, pad_edge=False)
    cells = [[value(row) for _, value in columns] for row in rows]
    for place, (heading, _) in enumerate(columns):
        numbers = bool(cells) and all(_right(row[place]) or row[place] is None for row in cells)
        table.add_column(heading, justify="right" if numbers else "left")
    for row in cells:
        table.add_row(*[escape(_text(cell)) for cell in row])
    Console().print(table)


def _aligned(rows: Iterable[Any], columns: Sequence[Column], title: str) -> None:
    cells = [[value(row) for _, value in columns] for row in rows]
    texts = [[heading for heading, _ in columns], *[[_text(c) for c in row] for row in cells]]
    widths = [max(len(row[place]) for row in texts) for place in range(len(columns))]
    numbers = [
        bool(cells) and all(_right(row[place]) or row[place] is None for row in cells)
        for place in range(len(columns))
    ]
    if title:
        print(title)
    for row in texts:
        line = [
            text.rjust(width) if number else text.ljust(width)
            for text, width, number in zip(row, widths, numbers, strict=True)
        ]
        print("  ".join(line).rstrip())


def rate(value: Rate) -> str:
    """A rate with its interval and count: ``53.2 % (51.1-55.3) of 1,204``."""
    if value.rate is None or value.low is None or value.high is None:
        return "-"
    low, high = 100 * value.low, 100 * value.high
    return f"{100 * value.rate:.1f} % ({low:.1f}-{high:.1f}) of {value.count:,}"
