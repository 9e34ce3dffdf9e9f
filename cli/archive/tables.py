"""Rows on a terminal as a table, for programs as JSON or CSV."""

from __future__ import annotations

import csv
import sys
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from claimlog.notation.names import by_name

from ..files import fail
from ..language import amount, current_words, points, tr
from .options import taking

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from rich.table import Table
    from rich.text import Text

    from claimlog.store.model.types import Rate


class Form(StrEnum):
    """The output format."""

    table = "table"
    json = "json"
    csv = "csv"


AsForm = Annotated[Form, typer.Option("--format", "-f", help="The output format.")]
Wide = Annotated[
    bool, typer.Option("--wide", "-w", help="All columns, even if the terminal is too narrow.")
]

RATE: Final = ("count", "rate", "low", "high")
"""The CSV columns of a rate."""

GAP: Final = 2
WIDEST: Final = 10_000
"""The width of a table that need not fit a terminal."""
BAR: Final = 5
"""The width of the bar of a rate."""
MANY: Final = 40
"""Rows of a statistic that a table shows by default."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its heading, and its value for a row.

    `rate`: the values are rates; `plotted`: a plot shows them; `faction` gives the letter whose
    colour a value has; `date` is for dates in notation; `shown` is the value in the language of the
    run, for a table; `order` is the sort key where the value is not enough. On a narrow terminal,
    columns with a number in `spare` are left out, the lowest first; those with one in `least` may
    shrink to that width: their cells are wrapped, or with `cut` end in an ellipsis.
    """

    heading: str
    value: Callable[[Any], Any]
    spare: int = 0
    rate: bool = False
    plotted: bool = False
    least: int = 0
    cut: bool = False
    date: bool = False
    faction: Callable[[Any], str] | None = None
    shown: Callable[[Any], str] | None = None
    order: Callable[[Any], Any] | None = None

    @property
    def key(self) -> str:
        """Its name for `--sort`: the heading without the unit."""
        return self.heading.partition(" (")[0].lower().replace(" ", "-")


@dataclass(frozen=True, slots=True)
class Look:
    """The presentation of a table, from the options of `tabled`."""

    form: Form = Form.table
    wide: bool = False
    intervals: bool = False
    sort: str = ""
    min_games: int = 0
    limit: int | None = 0
    """Rows shown: 0 for all, None for `MANY` on a terminal and all otherwise."""
    plot: str = ""
    """The file for a plot of the rates, "" for none."""


def tabled(columns: Sequence[Column] = ()) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Replace the keyword `look` of a command by the options of its table.

    With `columns`, those of a statistic, it can also be sorted, cut and shown with intervals.
    """
    options: dict[str, tuple[Any, Any]] = {"form": (AsForm, Form.table), "wide": (Wide, False)}
    if any(column.rate for column in columns):
        options |= {
            "intervals": (
                Annotated[
                    bool, typer.Option("--intervals", help="95 % intervals instead of ± and bar.")
                ],
                False,
            ),
            "min_games": (
                Annotated[
                    int, typer.Option(min=0, help="Only rates with a count of at least this.")
                ],
                0,
            ),
        }
    if any(column.plotted for column in columns):
        options["plot"] = (
            Annotated[
                str,
                typer.Option(
                    metavar="FILE",
                    help="Draw the rates with their intervals into this file, .svg or .png; - is "
                    "standard output.",
                ),
            ],
            "",
        )
    if columns:
        keys = ", ".join(column.key for column in columns)
        options |= {
            "sort": (
                Annotated[
                    str,
                    typer.Option(
                        help="The column to sort by; a - before it reverses the order, .low after "
                        f"a rate takes the lower end of its interval: {keys}."
                    ),
                ],
                "",
            ),
            "limit": (
                Annotated[int | None, typer.Option(min=1, help="At most this many rows.")],
                None,
            ),
        }
    return taking("look", options, Look)


def tell_merge(name: str, alias: str, into: str, into_name: str) -> None:
    """Print whose games now count for which player or event."""
    other = f"{into_name} ({into})" if into_name else into
    print(tr("{name} ({alias}) now counts for {player}", name=name, alias=alias, player=other))


def show(
    rows: Iterable[Any],
    columns: Sequence[Column],
    look: Look,
    *,
    title: str = "",
    answer: Any = None,
    listed: str = "",
    more: str = "",
    fewer: int = 0,
    tight: bool = False,
    nothing: str = "",
) -> None:
    """Print rows; `more` is the text after the last one, `tight` is for many narrow columns.

    `nothing` is the text if there are none, by default "nothing found".  `fewer` is the number of
    rows with too few games, besides those left out here.

    As JSON, `answer` is printed as a whole if given, otherwise one object per row and line.  If
    `listed` names the field of `answer` with the rows, they are sorted and cut there, too; if not,
    options for this end the command.
    """
    rows = list(rows)
    if look.plot:
        _plot(rows, columns, look)
        if look.plot == "-":
            return
    if look.form is Form.json:
        import msgspec

        if answer is None or listed:
            rows, _, _ = _chosen(rows, columns, look)
        else:
            _refuse_choice(look)
        if listed:
            answer = msgspec.structs.replace(answer, **{listed: rows})
        for item in [answer] if answer is not None else rows:
            sys.stdout.write(msgspec.json.encode(item).decode() + "\n")
    else:
        chosen, few, rest = _chosen(rows, columns, look)
        if look.form is Form.csv:
            _csv(chosen, columns)
        else:
            notes = [more] if more else []
            if not chosen:
                notes.insert(0, tr(nothing if nothing and not rows else "nothing found"))
            if rest:
                notes.append(tr("and {number} more (--limit)", number=amount(rest)))
            if few := few + fewer:
                notes.append(
                    tr(
                        "{number} with fewer than {least} left out (--min-games)",
                        number=amount(few),
                        least=amount(look.min_games),
                    )
                )
            _Table(columns, look, tight).show(chosen, title, notes)
    sys.stdout.flush()


def _refuse_choice(look: Look) -> None:
    """End the command if an option chooses rows, and the answer in JSON is not made of them."""
    given = {"--sort": look.sort, "--min-games": look.min_games, "--limit": look.limit}
    for option in (name for name, value in given.items() if value):
        fail(tr("{option} is for the rows of a table; as JSON this is one answer", option=option))


def _chosen(rows: list[Any], columns: Sequence[Column], look: Look) -> tuple[list[Any], int, int]:
    """The rows to show, in order, and the numbers of those with too few games and of those cut."""
    kept = rows
    if look.min_games:
        rates = [column for column in columns if column.rate]
        kept = [
            row
            for row in rows
            if min((column.value(row).count for column in rates), default=0) >= look.min_games
        ]
    if look.sort:
        kept = _sorted(kept, columns, look.sort)
    few = len(rows) - len(kept)
    limit = look.limit or len(kept)
    if look.limit is None and look.form is Form.table and sys.stdout.isatty():
        limit = MANY
    return kept[:limit], few, max(0, len(kept) - limit)


def _plot(rows: list[Any], columns: Sequence[Column], look: Look) -> None:
    """Plot the rates of the table; cards and factions with the highest first."""
    from ..drawing import form_of, needing_more
    from ..files import write

    form = form_of(look.plot, None)
    first = columns[0]
    column = next(column for column in columns if column.plotted)
    sort = look.sort or (column.key if first.faction else "")
    chosen, _, _ = _chosen(rows, columns, replace(look, sort=sort, limit=look.limit or 0))
    with needing_more():
        from claimlog.draw.plots import Measured, rates

        measured = [
            Measured(
                label=_text((first.shown or first.value)(row)),
                faction=first.faction(row) if first.faction else "",
                rate=rate.rate,
                low=rate.low,
                high=rate.high,
                counted=amount(rate.count),
                expected=rate.expected,
            )
            for row in chosen
            if (rate := column.value(row)).rate is not None
        ]
        if not measured:
            fail(tr("nothing found"))
        title = f"{tr(first.heading)}: {tr(column.heading)}"
        axis = tr("rate with its 95 % interval; at the right, the number counted")
        if any(one.expected is not None for one in measured):
            axis += f"\n{tr('dashed line: what to expect in such games')}"
        write(look.plot, [rates(measured, title[0].upper() + title[1:], axis, form=form.value)])


def _sorted(rows: list[Any], columns: Sequence[Column], sort: str) -> list[Any]:
    """Sort rows by a column: numbers and rates with the highest first, words from A to Z."""
    heading, _, end = sort.removeprefix("-").partition(".")
    column = next((column for column in columns if column.key == heading), None)
    if column is None or (end and not (end == "low" and column.rate)):
        heading = sort.removeprefix("-")
        fail(
            tr(
                "there is no column {name} to sort by; there are: {names}",
                name=heading,
                names=_keys(columns),
            )
        )
    order = column.order or column.value
    values = [(column.value(row).low if end else _order(order(row)), row) for row in rows]
    valued = [item for item in values if item[0] is not None]
    words = any(isinstance(value, tuple) for value, _ in valued)
    valued.sort(key=lambda item: item[0], reverse=words == sort.startswith("-"))
    return [row for _, row in valued] + [row for value, row in values if value is None]


def _keys(columns: Sequence[Column]) -> str:
    return ", ".join(column.key for column in columns)


def _order(value: Any) -> Any:
    if isinstance(value, str):
        return by_name(value) if value else None
    return value.rate if value is not None and not isinstance(value, int | float) else value


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
        writer.writerow(map(_cell, cells))


def _cell(value: Any) -> Any:
    """A value in CSV."""
    from claimlog.store.questions.export import harmless

    return round(value, 6) if isinstance(value, float) else harmless(value)


class _Table:
    """A rich table for a terminal, or at its full width for a pipe."""

    def __init__(self, columns: Sequence[Column], look: Look, tight: bool) -> None:
        from rich.console import Console

        self.columns = list(columns)
        self.look = look
        self.terminal = sys.stdout.isatty()
        self.console = Console(highlight=False, markup=False, emoji=False)
        self.room = self.console.width if self.terminal and not look.wide else WIDEST
        self.gap = 1 if tight else GAP

    def show(self, rows: Sequence[Any], title: str, notes: list[str]) -> None:
        """Print the table, and the notes below it."""
        from rich.text import Text

        from claimlog.replay.narration import plain

        if title:
            self._print(Text(plain(title), style="bold"))
        if rows:
            cells = [[self._cell(column, row) for column in self.columns] for row in rows]
            kept = self._fitting(cells)
            self._lay_out(rows, cells, kept)
            if len(kept) < len(self.columns):
                out = [tr(c.heading) for place, c in enumerate(self.columns) if place not in kept]
                notes.append(
                    tr(
                        "columns left out: {names} (--wide, or a wider terminal)",
                        names=", ".join(out),
                    )
                )
        for note in notes:
            self._print(Text(note))

    def _print(self, what: Text | Table) -> None:
        """Print to the terminal, or to a pipe without wrapping lines."""
        from rich.console import Console

        console = self.console
        if self.room == WIDEST:
            console = Console(
                width=WIDEST, highlight=False, markup=False, force_terminal=self.terminal,
                color_system="auto" if self.terminal else None,
            )  # fmt: skip
        with console.capture() as captured:
            console.print(what)
        for line in captured.get().splitlines():
            print(line.rstrip())

    def _cell(self, column: Column, row: Any) -> Text:
        from rich.text import Text

        from ..palette import faction_style, rich_style

        value = column.value(row)
        if column.rate:
            return self._rate(value)
        if column.date and value is not None:
            value = current_words().date(value)
        if column.shown is not None:
            value = column.shown(row)
        letter = column.faction(row) if column.faction is not None else ""
        return Text(_text(value), style=rich_style(faction_style(letter)))

    def _rate(self, value: Rate) -> Text:
        """A rate with half its interval and a bar, ``53.2 % ±2  ██▋··``, or with its interval."""
        from rich.text import Text

        if value.rate is None or value.low is None or value.high is None:
            return Text("–".rjust(7))
        low, high = 100 * value.low, 100 * value.high
        share = amount(100 * value.rate, 1).rjust(5)
        if self.look.intervals:
            return Text(f"{share} % ({amount(low, 1)}–{amount(high, 1)})")
        return Text.assemble(f"{share} % ", (f"±{(high - low) / 2:<2.0f} ", "dim"), bar(value.rate))

    def _fitting(self, cells: list[list[Text]]) -> list[int]:
        """The columns that fit."""
        kept = list(range(len(self.columns)))
        spare = [place for place in kept if self.columns[place].spare]
        for place in sorted(spare, key=lambda place: self.columns[place].spare):
            if self._total([self._least(p, cells) for p in kept]) <= self.room:
                break
            kept.remove(place)
        return kept

    def _total(self, widths: list[int]) -> int:
        return sum(widths) + self.gap * (len(widths) - 1)

    def _least(self, place: int, cells: list[list[Text]]) -> int:
        """The minimum width of a column: headings are wrapped, cells only where allowed."""
        column = self.columns[place]
        widest = max(row[place].cell_len for row in cells)
        if column.least:
            widest = min(widest, column.least)
        return max(widest, *(len(word) for word in _pieces(tr(column.heading))))

    def _widths(self, cells: list[list[Text]], kept: list[int]) -> list[int]:
        """The width of each column: the minimum, plus any room left over."""
        widths = [self._least(place, cells) for place in kept]
        needed = [max(row[place].cell_len for row in cells) for place in kept]
        headings = [len(tr(self.columns[place].heading)) for place in kept]
        # Columns that can be cut off get room last.
        order = sorted(range(len(kept)), key=lambda i: self.columns[kept[i]].cut)
        for wish in (needed, headings):
            for i in order:
                width = wish[i]
                room = self.room - self._total(widths)
                widths[i] = max(widths[i], min(width, widths[i] + max(room, 0)))
        # Where that is too much, words stay whole: the column with most to spare is narrowed first.
        words = [self._longest_word(place, cells) for place in kept]
        while self._total(widths) > self.room:
            i = max(range(len(kept)), key=lambda i: widths[i] - words[i])
            if widths[i] <= words[i]:
                break
            widths[i] -= 1
        return widths

    def _longest_word(self, place: int, cells: list[list[Text]]) -> int:
        """The width of the longest word of a column."""
        from rich.cells import cell_len

        parts = _pieces(tr(self.columns[place].heading))
        return max(cell_len(word) for row in cells for word in (*parts, *row[place].plain.split()))

    def _lay_out(self, rows: Sequence[Any], cells: list[list[Text]], kept: list[int]) -> None:
        from rich.table import Table

        table = Table(box=None, padding=(0, self.gap, 0, 0), pad_edge=False, header_style="bold")
        for place, width in zip(kept, self._widths(cells, kept), strict=True):
            column = self.columns[place]
            values = [column.value(row) for row in rows]
            numbers = all(value is None or isinstance(value, int | float) for value in values)
            heading = tr(column.heading)
            if len(heading) > width:
                heading = heading.replace("-", "-\n")
            table.add_column(
                heading,
                justify="right" if numbers and not column.rate else "left",
                width=width,
                overflow="ellipsis" if column.cut else "fold",
                no_wrap=column.cut,
                vertical="top",
            )
        for row in cells:
            table.add_row(*(row[place] for place in kept))
        self._print(table)


def _pieces(heading: str) -> list[str]:
    """The parts at which a heading may be broken."""
    return heading.replace("-", "- ").split()


def bar(rate: float) -> str:
    """A rate as a bar of `BAR` cells, in eighths."""
    eighths = round(8 * BAR * min(max(rate, 0.0), 1.0))
    whole, part = divmod(eighths, 8)
    return ("█" * whole + (" ▏▎▍▌▋▊▉"[part] if part else "")).ljust(BAR, "·")


def _text(value: Any) -> str:
    from claimlog.replay.narration import plain

    if value is None:
        return ""
    if isinstance(value, float):
        return points(value)
    if isinstance(value, int):
        return amount(value)
    return plain(str(value))
