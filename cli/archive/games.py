"""`claimlog games` and `claimlog game`: find games, look at one, correct it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..files import fail, why
from .filters import filtered
from .opening import By, Db, Why, open_archive
from .tables import AsForm, Column, Form, show

if TYPE_CHECKING:
    from claimlog.store import Filter, GameRow

game = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    help="Look at one game, or correct it.",
)

Id = Annotated[str, typer.Argument(help="The game's id, as claimlog games shows it.")]


def _players(row: GameRow) -> str:
    return " - ".join(seat.name or "?" for seat in row.seats)


def _votes(row: GameRow) -> str | None:
    return None if row.votes is None else "-".join(map(str, row.votes))


COLUMNS: list[Column] = [
    Column("id", lambda row: row.id),
    Column("date", lambda row: row.date),
    Column("event", lambda row: row.event, spare=2),
    Column("round", lambda row: row.round, spare=4),
    Column("table", lambda row: row.table, spare=1),
    Column("players", _players),
    Column("deck", lambda row: row.deck),
    Column("result", lambda row: row.result),
    Column("votes", _votes, spare=3),
]


@filtered
def games(
    filter: Filter,
    db: Db = None,
    sort: Annotated[
        str,
        typer.Option(
            help="newest, oldest, date, -date, event, player, rating, -rating, length, -length."
        ),
    ] = "newest",
    limit: Annotated[int, typer.Option(min=1, help="At most so many games.")] = 20,
    count: Annotated[bool, typer.Option("--count", help="Only how many there are.")] = False,
    form: AsForm = Form.table,
) -> None:
    """List games."""
    with open_archive(db) as archive:
        if count:
            print(archive.count(filter))
            return
        rows: list[GameRow] = []
        cursor = None
        while len(rows) < limit:
            wanted = min(limit - len(rows), 500)
            page = archive.games(filter, sort=sort, limit=wanted, cursor=cursor)  # type: ignore[arg-type]
            rows += page.games
            cursor = page.cursor
            if cursor is None:
                break
        show(rows, COLUMNS, form)
        if cursor is not None and form is Form.table:
            print(f"{len(rows):,} of {archive.count(filter):,} games; more with --limit")


@game.command("show")
def show_game(
    id: Id,
    db: Db = None,
    revision: Annotated[int | None, typer.Option(help="An earlier revision.")] = None,
) -> None:
    """Print a game's record; pipe it into claimlog replay - to step through it."""
    with open_archive(db) as archive:
        found = archive.record(id, revision)
        if found.record is None:
            told = found.revision
            who = f" by {told.by}" if told.by else ""
            reason = f" ({told.why})" if told.why else ""
            fail(f"{id} was deleted{who}{reason}; --revision {told.revision - 1} shows what it was")
        sys.stdout.write(found.record)


@game.command()
def revisions(id: Id, db: Db = None, form: AsForm = Form.table) -> None:
    """List a game's revisions: when, who, why."""
    columns: list[Column] = [
        Column("revision", lambda row: row.revision),
        Column("at (UTC)", lambda row: f"{row.at:%Y-%m-%d %H:%M:%S}"),
        Column("by", lambda row: row.by),
        Column("why", lambda row: row.why),
        Column("what", lambda row: "deleted" if row.deleted else "stored"),
        Column("from", lambda row: row.source),
    ]
    with open_archive(db) as archive:
        show(archive.revisions(id), columns, form)


@game.command()
def correct(
    id: Id,
    file: Annotated[str, typer.Argument(help="The corrected record; - for standard input.")],
    by: By,
    why_: Annotated[str, typer.Option("--why", help="Why; it is kept.")],
    db: Db = None,
) -> None:
    """Replace a game's record; the old one is kept. Standings follow at once.

    Exit codes: 0 corrected or unchanged, 1 the record has errors, 2 anything else.
    """
    try:
        text = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except OSError as error:
        fail(f"{file} cannot be read: {why(error)}")
    with open_archive(db, writing=True) as archive:
        outcome = archive.correct(id, text, by=by, why=why_)
    for problem in outcome.problems:
        print(
            f"{file}:{problem.line}:{problem.column}: "
            f"{problem.severity}: {problem.code}: {problem.message}"
        )
    if outcome.status == "invalid":
        print("not corrected")
        raise SystemExit(1)
    print(f"{id} {outcome.status}, revision {outcome.revision}")


@game.command()
def delete(id: Id, by: By, why: Why, db: Db = None) -> None:
    """Delete a game; a trace of it, and its revisions, stay."""
    with open_archive(db, writing=True) as archive:
        trace = archive.delete(id, by=by, why=why)
    print(f"{id} deleted, revision {trace.revision}")


@game.command()
def undelete(id: Id, by: By, why: Why, db: Db = None) -> None:
    """Bring a deleted game back."""
    with open_archive(db, writing=True) as archive:
        revision = archive.undelete(id, by=by, why=why)
    print(f"{id} is back, revision {revision.revision}")
