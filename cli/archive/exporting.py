"""`claimlog export`: export games from the archive, or one game as a page to step through."""

from __future__ import annotations

import sys
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from claimlog.store.model.filter import Filter

from ..files import fail, form_named, read_errors, write
from ..language import current_words, language, said, tr
from .completing import games_or_files
from .filters import filtered
from .opening import Db, open_archive
from .stored import NeitherError, check_view, games_of, name_of, source, view_of

if TYPE_CHECKING:
    from pathlib import Path


class ExportForm(StrEnum):
    """The format of an export."""

    clm = "clm"
    ndjson = "ndjson"
    csv = "csv"
    parquet = "parquet"


@filtered
def export(
    filter: Filter,
    one: Annotated[
        str | None,
        typer.Argument(
            metavar="[GAME]",
            help="With --html: a file, a stored game's id, a game's code or link, or - for "
            "standard input.",
            autocompletion=games_or_files,
        ),
    ] = None,
    db: Db = None,
    form: Annotated[
        ExportForm | None,
        typer.Option(
            "--format",
            "-f",
            help="Records, or tables of games; by default as the file is named, otherwise clm.",
        ),
    ] = None,
    output: Annotated[
        str, typer.Option("--output", "-o", help="The file to write; - is standard output.")
    ] = "-",
    html: Annotated[
        str,
        typer.Option(
            metavar="FILE",
            help="Write GAME as a page to step through, even offline.",
        ),
    ] = "",
    game: Annotated[
        int | None, typer.Option("--game", "-g", min=1, help="With --html: the game of the file.")
    ] = None,
    hide: Annotated[
        str | None,
        typer.Option(
            metavar="SEAT|spectator",
            help="With --html: include only what this seat, or a spectator, could see.",
        ),
    ] = None,
    worth: Annotated[
        bool,
        typer.Option("--worth", help="With --html: also show what each card of Phase 2 was worth."),
    ] = False,
) -> None:
    """Write games to a file or to standard output, the oldest first.

    With --html, one game becomes a page for any browser that steps through the game as claimlog
    replay does; everything it needs is in the file.
    """
    if html:
        if one is None:
            fail(tr("--html needs a game: a file, an id, a code or a link"))
        if filter != Filter() or output != "-" or form is not None:
            fail(
                tr(
                    "--html writes one game and cannot be combined with filters, --format or "
                    "--output"
                )
            )
        _export_html(one, game, hide, html, db, worth=worth)
        return
    if one is not None or game is not None or hide is not None or worth:
        fail(tr("a game can be named only with --html; otherwise filters choose the games"))
    if form is None:
        form = form_named(output, ExportForm) or ExportForm.clm
    if form is ExportForm.parquet and output == "-" and sys.stdout.isatty():
        fail(tr("Parquet cannot be printed on a terminal: name a file with --output"))
    with open_archive(db) as archive:
        write(output, archive.export(form.value, filter))


def _export_html(
    file: str, only: int | None, hide: str | None, output: str, db: Path | None, *, worth: bool
) -> None:
    """Write one game as a page."""
    from claimlog.web.replay import all_views, export_html

    say = current_words()
    view = view_of(hide, say)
    number, game = 0, None
    try:
        for number, game in games_of(source(file, db, say), only or 1, say, say):
            check_view(view, game, number, say)
    except NeitherError as error:
        fail(str(error))
    except read_errors() as error:
        fail(say("unreadable", file=name_of(file), why=said(error)))
    assert game is not None
    views = all_views(game) if view is None else [view]
    data = None
    if worth:
        from claimlog.analysis.trial import lines_of
        from claimlog.web.worth import worth_data

        analysis = game.analysis()
        lines = lines_of(game, analysis) if game.seats == 2 and None in views else []
        data = worth_data(game, analysis.report(1), views=views, lines=lines)
    write(output, [export_html(game, views=views, language=language(), worth=data)])
