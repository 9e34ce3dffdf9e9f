"""`claimlog publish`: a static site about an event."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

from claimlog.store import Filter, NotFound
from claimlog.store.model.types import EventInFull, GameRow
from claimlog.writing import replacing

from ..files import fail
from ..language import amount, language, said, tr
from . import completing
from .opening import Db, open_archive
from .taking import results_csv

if TYPE_CHECKING:
    from claimlog.directing.board import Board
    from claimlog.store import Archive

CROSS = 100
"""With more players there is no crosstable, as it would be unreadable."""


class _Line(msgspec.Struct):
    """A line of an NDJSON export."""

    row: GameRow
    record: str


def _in_full(archive: Archive, event: str) -> EventInFull:
    """The content of the first page, also for an archive behind a server."""
    row = archive.event(event)
    rounds = archive.rounds(row.id)
    return EventInFull(
        event=row,
        rounds={one.round: one.games for one in rounds if one.round is not None},
        games=rounds[-1].tables if rounds else [],
        standings=archive.standings(row.id),
        teams=archive.team_standings(row.id),
        crosstable=archive.crosstable(row.id) if row.players <= CROSS else None,
    )


def desk_of(archive: Archive, event: str) -> Board | None:
    """The event as its director sees it; None if nobody directs it.  Raises NotFound."""
    id = archive.event(event).id
    try:
        return archive.desk(id)
    except NotFound:
        return None


def _of_a_desk(board: Board) -> dict[str, bytes]:
    """The files for other programs that only a directed event has."""
    from claimlog.directing.pairing.outcome import Unpairable
    from claimlog.directing.trf import write_trf

    files = {"results.csv": results_csv(board)}
    if board.plan.seats == 2:
        with contextlib.suppress(Unpairable):
            files["event.trf"] = write_trf(board).encode()
    return files


def publish(
    event: Annotated[
        str, typer.Argument(help="The event's name or id.", autocompletion=completing.events)
    ],
    folder: Annotated[
        Path, typer.Argument(help="The folder to write to; files of an earlier run are replaced.")
    ],
    db: Db = None,
) -> None:
    """Write a website about an event: standings, crosstable, rounds, players, games to replay.

    It consists only of static files, for any web host; the same games give the same bytes.
    """
    from claimlog.api.http.rows import csv_of, standings_rows
    from claimlog.web.publish import site

    with open_archive(db) as archive:
        overview = _in_full(archive, event)
        board = desk_of(archive, overview.event.id)
        ranking = None if board is None else archive.places(overview.event.id)
        filter = Filter(event=overview.event.id)
        lines = b"".join(archive.export("ndjson", filter, sort="round")).splitlines()
        records = [msgspec.json.decode(line, type=_Line) for line in lines]
        downloads = {
            "games.clm": b"".join(archive.export("clm", filter, sort="round")),
            "games.csv": b"".join(archive.export("csv", filter, sort="round")),
            "standings.csv": csv_of(standings_rows(overview.standings)),
            "event.json": msgspec.json.format(msgspec.json.encode(overview), indent=2),
        }
    if board is not None:
        downloads |= _of_a_desk(board)
    files = 0
    try:
        for path, body in site(
            overview,
            [(one.row, one.record) for one in records],
            board,
            ranking,
            downloads,
            language=language(),
        ):
            place = folder / path
            place.parent.mkdir(parents=True, exist_ok=True)
            with replacing(place) as file:
                file.write(body)
            files += 1
    except OSError as error:
        fail(tr("{file} cannot be written: {why}", file=error.filename or folder, why=said(error)))
    print(
        tr(
            "{files} files written to {folder}: open {index}",
            files=amount(files),
            folder=folder,
            index=folder / "index.html",
        )
    )
