"""`claimlog games` and `claimlog game`: find games, show one, correct it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from claimlog.notation.reader import open_games
from claimlog.store.model.filter import Sort

from ..files import fail, read_errors, tell
from ..language import amount, language, said, tr
from ..usage import Group
from . import completing
from .correcting import correct_all
from .filters import filtered
from .opening import By, Db, Why, open_archive
from .tables import Column, Form, Look, show, tabled

if TYPE_CHECKING:
    from claimlog.store import Archive, Filter, GameRow, Revision

game = typer.Typer(
    cls=Group,
    pretty_exceptions_enable=False,
    add_completion=False,
    help="Look at one game, or correct it.",
)

game.command("correct-all")(correct_all)

Id = Annotated[
    str,
    typer.Argument(help="The game's id, or its beginning.", autocompletion=completing.games),
]


def _players(row: GameRow) -> str:
    return " - ".join(seat.name or "?" for seat in row.players)


def _votes(row: GameRow) -> str | None:
    return None if row.votes is None else "-".join(map(str, row.votes.values()))


COLUMNS: list[Column] = [
    Column("id", lambda row: row.id),
    Column("date", lambda row: row.date, spare=5, date=True),
    Column("event", lambda row: row.event, least=18, cut=True),
    Column("round", lambda row: row.round, spare=4),
    Column("table", lambda row: row.table, spare=1),
    Column("players", _players, least=24),
    Column("deck", lambda row: row.deck, spare=3),
    Column("result", lambda row: row.result),
    Column("votes", _votes, spare=2),
]


def _what(row: Revision) -> str:
    return "deleted" if row.deleted else "stored"


REVISIONS: list[Column] = [
    Column("revision", lambda row: row.revision),
    Column(
        "at (UTC)",
        lambda row: f"{row.at:%Y-%m-%d %H:%M:%S}",
        order=lambda row: f"{row.at:%Y-%m-%d %H:%M:%S.%f}",
    ),
    Column("by", lambda row: row.by, least=8),
    Column("why", lambda row: row.why, least=16),
    Column("what", _what, shown=lambda row: tr(_what(row))),
    Column("from", lambda row: row.source, spare=1, least=8),
]


@filtered
@tabled()
def games(
    filter: Filter,
    look: Look,
    db: Db = None,
    sort: Annotated[Sort, typer.Option(help="The order.")] = "newest",
    limit: Annotated[int, typer.Option(min=1, help="At most this many games.")] = 20,
    count: Annotated[bool, typer.Option("--count", help="Only print how many there are.")] = False,
) -> None:
    """List games."""
    with open_archive(db) as archive:
        if count:
            print(archive.count(filter))
            return
        rows: list[GameRow] = []
        cursor = None
        while len(rows) < limit:
            size = min(limit - len(rows), 500)
            page = archive.games(filter, sort=sort, limit=size, cursor=cursor)
            rows += page.games
            cursor = page.cursor
            if cursor is None:
                break
        more = ""
        if cursor is not None and look.form is Form.table:
            more = tr(
                "and {number} more (--limit)", number=amount(archive.count(filter) - len(rows))
            )
        show(rows, COLUMNS, look, more=more)


@game.command("show")
def show_game(
    id: Id,
    db: Db = None,
    revision: Annotated[int | None, typer.Option(help="An earlier revision.")] = None,
) -> None:
    """Print a game's record; pipe it into claimlog replay - to step through it."""
    with open_archive(db) as archive:
        record = archive.record(id, revision)
        if record.record is None:
            trace = record.revision
            fail(
                tr("{id} was deleted by {who}", id=trace.id, who=trace.by or "?")
                + (f" ({trace.why})" if trace.why else "")
                + "; "
                + tr("--revision {number} shows what it was", number=trace.revision - 1)
            )
        sys.stdout.write(record.record)


@game.command()
@tabled(REVISIONS)
def revisions(id: Id, look: Look, db: Db = None) -> None:
    """List a game's revisions: when, who, why."""
    with open_archive(db) as archive:
        show(archive.revisions(id), REVISIONS, look)


@game.command()
def correct(
    id: Id,
    file: Annotated[str, typer.Argument(help="The corrected record; - for standard input.")],
    by: By,
    why_: Annotated[str, typer.Option("--why", help="Why; recorded with the change.")],
    revision: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="The revision to replace; without it, a record that undoes the last "
            "correction is refused.",
        ),
    ] = None,
    db: Db = None,
) -> None:
    """Replace a game's record; the old one is kept. Standings change at once.

    Exit codes: 0 corrected or unchanged, 1 the record has errors, 2 anything else.
    """
    try:
        with open_games(file) as stream:
            text = stream.read()
    except read_errors() as error:
        fail(tr("{file} cannot be read: {why}", file=file, why=said(error)))
    with open_archive(db, writing=True) as archive:
        if revision is None:
            last = archive.revisions(id)[-1]
            if _undoes(archive, last, text):
                fail(
                    tr(
                        "this would undo revision {number}, by {who}: make the change in what "
                        "claimlog game show prints now, or give --revision {number}",
                        number=last.revision,
                        who=last.by,
                    )
                )
            revision = last.revision
        outcome = archive.correct(id, text, by=by, why=why_, expected=revision)
    from claimlog.store.intake.wording import in_language

    for problem in in_language(outcome.problems, text, language()):
        tell(
            f"{file}:{problem.line}:{problem.column}: "
            f"{tr(problem.severity)}: {problem.code}: {problem.message}"
        )
    if outcome.status == "invalid":
        print(tr("not corrected"))
        raise SystemExit(1)
    if outcome.status == "doubtful":
        print(tr("this seems to be game {id}: not corrected", id=outcome.id))
        raise SystemExit(1)
    print(
        tr(
            "{id} {status}, revision {number}",
            id=outcome.id,
            status=tr(outcome.status),
            number=outcome.revision,
        )
    )


def _undoes(archive: Archive, last: Revision, text: bytes) -> bool:
    """Whether a record undoes the last correction of a game, and changes something else.

    Then it was probably made from an earlier revision, while somebody else corrected the game.
    """
    from claimlog.notation.writer import canonical
    from claimlog.replay.recorder import replay_text

    if last.revision < 2 or last.deleted:
        return False
    before = archive.record(last.id, last.revision - 1).record
    games = list(replay_text(text.decode(errors="replace")))
    if before is None or len(games) != 1 or games[0].errors:
        return False
    new, now, then = (
        set(one.splitlines())
        for one in (canonical(games[0]), archive.record(last.id).record or "", before)
    )
    return new != then and then - now <= new and new.isdisjoint(now - then) and now != then


@game.command()
def delete(id: Id, by: By, why: Why, db: Db = None) -> None:
    """Delete a game; a trace of it and its revisions are kept."""
    with open_archive(db, writing=True) as archive:
        trace = archive.delete(id, by=by, why=why)
    print(
        tr(
            "{id} {status}, revision {number}",
            id=trace.id,
            status=tr("deleted"),
            number=trace.revision,
        )
    )


@game.command()
def undelete(id: Id, by: By, why: Why, db: Db = None) -> None:
    """Restore a deleted game."""
    with open_archive(db, writing=True) as archive:
        revision = archive.undelete(id, by=by, why=why)
    print(tr("{id} is back, revision {number}", id=revision.id, number=revision.revision))
