"""`claimlog standings`: events, their rounds, standings and crosstables."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..files import fail
from .filters import filtered
from .opening import Db, open_archive
from .tables import AsForm, Column, Form, show

if TYPE_CHECKING:
    from claimlog.store import Filter

_TIEBREAKS = "points, votes, vote-difference, head-to-head, buchholz, sonneborn-berger, wins"


@filtered
def events(
    filter: Filter,
    search: Annotated[str, typer.Option(help="A part of the name.")] = "",
    limit: Annotated[int, typer.Option(min=1, max=500, help="At most so many.")] = 50,
    db: Db = None,
    form: AsForm = Form.table,
) -> None:
    """List events, the one played last first."""
    columns: list[Column] = [
        Column("event", lambda row: row.name),
        Column("from", lambda row: row.first_date, spare=1),
        Column("to", lambda row: row.last_date),
        Column("players", lambda row: row.players),
        Column("rounds", lambda row: row.rounds, spare=2),
        Column("games", lambda row: row.games),
    ]
    with open_archive(db) as archive:
        show(archive.events(filter, search=search, limit=limit).events, columns, form)


def standings(
    event: Annotated[str, typer.Argument(help="The event's name or id.")],
    after_round: Annotated[
        str | None, typer.Option("--round", help="As they stood after this round.")
    ] = None,
    until: Annotated[
        str | None, typer.Option(help="Only games played up to this date, YYYY-MM-DD.")
    ] = None,
    as_of: Annotated[
        str | None,
        typer.Option(help="As the archive knew them then: ISO 8601, before later corrections."),
    ] = None,
    tiebreaks: Annotated[
        str | None, typer.Option(help=f"The order of tie-breaks, with commas: {_TIEBREAKS}.")
    ] = None,
    keep: Annotated[
        str | None,
        typer.Option(
            "--keep-by", help="Keep --tiebreaks as the event's own; give the director's name."
        ),
    ] = None,
    crosstable: Annotated[
        bool, typer.Option("--crosstable", help="Everybody against everybody.")
    ] = False,
    rounds: Annotated[bool, typer.Option("--rounds", help="The rounds, table by table.")] = False,
    db: Db = None,
    form: AsForm = Form.table,
) -> None:
    """Show the standings of an event, its crosstable or its rounds."""
    order: Any = None if tiebreaks is None else [word.strip() for word in tiebreaks.split(",")]
    known_at = None
    if as_of is not None:
        try:
            known_at = datetime.fromisoformat(as_of).astimezone()
        except ValueError:
            fail(f"{as_of!r} is no moment; it is written 2026-11-14T19:30:00+01:00")
    with open_archive(db, writing=keep is not None) as archive:
        if keep is not None:
            if order is None:
                fail("--keep-by needs --tiebreaks")
            archive.set_tiebreaks(event, order, by=keep)
        chosen: dict[str, Any] = {
            "tiebreaks": order,
            "until_round": after_round,
            "until": until,
            "known_at": known_at,
        }
        if rounds:
            from .games import COLUMNS

            found = archive.rounds(event)
            rows = [row for one in found for row in one.tables]
            wanted = [column for column in COLUMNS if column.heading not in ("event", "date")]
            show(rows, wanted, form, answer=found)
            return
        if crosstable:
            table = archive.crosstable(event, **chosen)
            _show_crosstable(table, form)
            return
        answer = archive.standings(event, **chosen)
    columns: list[Column] = [
        Column("#", lambda row: row.rank),
        Column("player", lambda row: row.name),
        Column("games", lambda row: row.games, spare=5),
        Column("won", lambda row: row.won, spare=3),
        Column("shared", lambda row: row.shared, spare=1),
        Column("lost", lambda row: row.lost, spare=2),
        Column("factions", lambda row: f"{row.votes_for}:{row.votes_against}", spare=4),
    ]
    for place, name in enumerate(answer.tiebreaks):

        def value(row: Any, place: int = place) -> float:
            return float(row.values[place])

        columns.append(Column(name, value))
    when = f" after round {after_round}" if after_round else ""
    show(answer.lines, columns, form, title=f"{answer.name}{when}", answer=answer)
    if form is Form.table and answer.unfinished:
        print(f"{answer.unfinished} unfinished games do not count")


def _show_crosstable(table: Any, form: Form) -> None:
    columns: list[Column] = [
        Column("#", lambda row: row.rank),
        Column("player", lambda row: row.name),
    ]
    for place, other in enumerate(table.rows):

        def points(row: Any, other: Any = other) -> str:
            if row.player == other.player:
                return "*"
            cells = [cell for cell in row.cells if cell.opponent == other.player]
            return f"{cells[0].points:g}" if cells else ""

        columns.append(Column(str(place + 1), points, spare=len(table.rows) - place))
    columns.append(Column("points", lambda row: float(row.points)))
    show(table.rows, columns, form, title=table.name, answer=table)
