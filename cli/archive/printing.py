"""`claimlog event print`: pages for a director to hang up or hand out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from claimlog.web.printing import KINDS, OF_A_ROUND, PRIZES

from ..files import fail, say, write
from ..language import language, said, tr
from . import announcing, places, planning, taking  # noqa: F401 — registers their commands
from .directing import OfRound, the_round
from .events import Event, event
from .opening import Db, open_archive
from .publishing import desk_of

if TYPE_CHECKING:
    from claimlog.directing.board import BoardRound, TableLink
    from claimlog.web.printing import Printed

__all__ = ["event"]


@event.command("print")
def print_event(
    event: Event,
    kind: Annotated[
        str,
        typer.Argument(
            help="pairings, standings, crosstable, sheets (to write a score on), cards (for the "
            "tables, A6), prizes (by category and team) or certificates.",
            autocompletion=lambda: list(KINDS),
        ),
    ],
    round: OfRound = None,
    links: Annotated[
        Path | None,
        typer.Option(
            help="With cards: the file that event start --links wrote; each card then has its "
            "scorer's link as a QR code."
        ),
    ] = None,
    prizes: Annotated[
        int, typer.Option(min=1, max=1000, help="With prizes and certificates: down to this rank.")
    ] = PRIZES,
    output: Annotated[
        str, typer.Option("--output", "-o", help="The file to write; -: standard output.")
    ] = "-",
    db: Db = None,
) -> None:
    """Write a page to print: A4, black on white. Any browser prints it."""
    from claimlog.web.printing import printed

    if kind not in KINDS:
        fail(tr("{value} is not one of {names}", value=kind, names=", ".join(KINDS)))
    of_kind: Printed = kind
    given = [] if links is None else _links_in(links)
    with open_archive(db) as archive:
        if of_kind in OF_A_ROUND:
            board = archive.desk(event)
            of_round = the_round(board, round)
            page = printed(
                of_kind,
                language(),
                name=board.name,
                board=board,
                round=of_round,
                links=_addresses(given, of_round) if kind == "cards" else None,
            )
        elif kind == "prizes":
            ranking = archive.places(event, round=round)
            page = printed(
                of_kind,
                language(),
                name=ranking.name,
                ranking=ranking,
                names={one.number: one.name for one in archive.desk(event).entrants},
                most=prizes,
            )
        elif desk := desk_of(archive, event):
            after = None if round is None else the_round(desk, round).number
            page = printed(
                of_kind, language(), name=desk.name, board=desk, after=after, most=prizes
            )
        else:
            until = None if round is None else str(round)
            standings = archive.standings(event, until_round=until)
            page = printed(
                of_kind,
                language(),
                name=standings.name,
                after=until,
                standings=standings,
                crosstable=archive.crosstable(event, until_round=until),
                most=prizes,
            )
    write(output, [page])


def _links_in(file: Path) -> list[TableLink]:
    """The links in a file that event start or event links wrote."""
    import msgspec

    from claimlog.directing.board import TableLink

    try:
        return msgspec.json.decode(file.read_bytes(), type=list[TableLink])
    except OSError as error:
        fail(tr("{file} cannot be read: {why}", file=file, why=said(error)))
    except msgspec.DecodeError as error:
        fail(tr("{file} has no links: {why}", file=file, why=said(error)))


def _addresses(links: list[TableLink], round: BoardRound) -> dict[int, str]:
    """The addresses of scorers by table, without those of other games, which are named."""
    others = [str(link.table) for link in links if not link.of(round)]
    if others:
        say(
            tr(
                "left out links of another game at table {tables}: "
                "claimlog event links writes new ones",
                tables=", ".join(others),
            )
        )
    return {link.table: link.scorer for link in links if link.of(round)}
