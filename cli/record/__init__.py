"""`claimlog record`: score a game on a terminal while it is played."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..archive import completing
from ..archive.opening import Db
from ..files import fail
from ..fixing import check_writable
from ..language import agreed, current_words, said, tr

if TYPE_CHECKING:
    from claimlog.recording import Journal, Recording
    from claimlog.state import State

    from .known import Known


def record(
    file: Annotated[str, typer.Argument(help="The record to write, or to continue.")],
    player: Annotated[
        list[str] | None,
        typer.Option(
            "--player",
            "-p",
            help="A player's name, seat by seat.",
            autocompletion=completing.players,
        ),
    ] = None,
    event: Annotated[
        str | None, typer.Option(help="The event.", autocompletion=completing.events)
    ] = None,
    round_: Annotated[str | None, typer.Option("--round", help="The round.")] = None,
    table: Annotated[str | None, typer.Option(help="The table.")] = None,
    deck: Annotated[str | None, typer.Option(help="The letters of the factions.")] = None,
    rules: Annotated[str | None, typer.Option(help="The rule set: LE2023 or Classic.")] = None,
    ruling: Annotated[
        list[str] | None,
        typer.Option("--ruling", help="A ruling, as in trolls=line; repeatable."),
    ] = None,
    leader: Annotated[
        int | None, typer.Option(min=1, max=4, help="The seat that leads trick 1.")
    ] = None,
    loot: Annotated[
        str | None, typer.Option(help='The Raccoons that show loot, as in "R2 R5".')
    ] = None,
    recorder: Annotated[
        str | None, typer.Option(envvar="CLAIMLOG_RECORDER", help="Who records the game.")
    ] = None,
    hands: Annotated[
        bool, typer.Option("--hands", help="Ask for the hands, and show what is legal.")
    ] = False,
    db: Db = None,
    server: Annotated[
        str | None,
        typer.Option(
            help="Send the game to a running server, http://127.0.0.1:8000; by default the one in "
            "CLAIMLOG_SERVER."
        ),
    ] = None,
    token: Annotated[
        str | None, typer.Option(envvar="CLAIMLOG_TOKEN", help="The token for --server.")
    ] = None,
) -> None:
    """Record a game while it is played, card by card.

    Every card is saved at once; to continue a game, open its file again. The command asks for
    whatever a new record needs and no option gives. At the end it offers to import the game. Exit
    codes: 0 done, 2 the file cannot be used or the call was wrong.
    """
    from claimlog.recording import Journal, JournalError

    if not (sys.stdin.isatty() and sys.stdout.isatty()) or os.environ.get("TERM") == "dumb":
        fail(tr("record needs a terminal"))
    check_writable(file)
    from .known import Known

    known = Known(db, server, token)
    try:
        with Journal(file) as journal:
            if journal.text is None:
                from .start import Options, start

                rulings = tuple(ruling or ())
                agreement = (deck, rules, rulings, leader, loot, hands, recorder)
                options = Options(player or [], event, round_, table, *agreement)
                state = start(options, known)
                _warn_of_twins(known, state, journal.path)
                recording = _run(journal, known, state)
            else:
                recording = _run(journal, known, None)
    except (JournalError, ValueError) as error:
        fail(f"{file}: {said(error)}" if isinstance(error, ValueError) else said(error))
    if not recording.over:
        return
    _warn_of_questions(recording)
    if agreed(tr("Import the game now?")):
        from ..archive.importing import import_games

        import_games([file], db=db, server=server, token=token)


def _warn_of_twins(known: Known, state: State, path: str) -> None:
    """Ask whether another game of the same event, round and table is intended."""
    there = known.twins(state.tags, Path(path))
    if not there:
        return
    typer.echo(tr("This event, round and table is recorded already: {what}", what=", ".join(there)))
    if not agreed(tr("Record another game of it?")):
        raise typer.Exit


def _warn_of_questions(recording: Recording) -> None:
    """Name the plays about which the director still has to decide."""
    from claimlog.recording.views import asked

    for one in asked(recording):
        place = {"trick": one["trick"], "card": one["card"]}
        name = recording.name(one["seat"], current_words())
        typer.echo(
            tr(
                "The director still has to decide: trick {trick}, {card} of {name}.",
                **place,
                name=name,
            )
        )


def _run(journal: Journal, known: Known, state: State | None) -> Recording:
    """Record on the screen; return the game."""
    from claimlog.recording import Recording

    from ..waking import run_screen
    from .screen import recorder
    from .start import now

    name, words = os.path.basename(journal.path), current_words()
    if state is not None:
        recording: Recording = Recording(state, journal.write, now)
    else:
        recording = Recording.resume(journal.text or "", journal.write, now, words)
    app = recorder(words)(recording, name, words, known=known, journal=journal)
    run_screen(app, tr("All that was entered is kept in {file}.", file=journal.path))
    return recording
