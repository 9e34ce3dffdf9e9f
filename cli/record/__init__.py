"""`claimlog record`: score a game on a terminal while it is played."""

from __future__ import annotations

import os
import sys
from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import typer

from ..archive.opening import Db
from ..files import fail
from ..fixing import check_writable
from ..language import agreed, tr
from ..language import told as words

if TYPE_CHECKING:
    from claimlog.recording import Journal, Recording
    from claimlog.state import State


def record(
    file: Annotated[str, typer.Argument(help="The record to write, or to go on with.")],
    player: Annotated[
        list[str] | None, typer.Option("--player", "-p", help="A player's name, seat by seat.")
    ] = None,
    event: Annotated[str | None, typer.Option(help="The event.")] = None,
    round_: Annotated[str | None, typer.Option("--round", help="The round.")] = None,
    table: Annotated[str | None, typer.Option(help="The table.")] = None,
    deck: Annotated[str | None, typer.Option(help="The letters of the factions.")] = None,
    rules: Annotated[str, typer.Option(help="The rule set: LE2023 or Classic.")] = "LE2023",
    leader: Annotated[int, typer.Option(min=1, max=4, help="The seat that leads trick 1.")] = 1,
    hands: Annotated[
        bool, typer.Option("--hands", help="Ask for the hands, and show what is legal.")
    ] = False,
    db: Db = None,
    server: Annotated[
        str | None, typer.Option(help="Send the game to a running server, http://127.0.0.1:8000.")
    ] = None,
    token: Annotated[
        str | None, typer.Option(envvar="CLAIMLOG_TOKEN", help="The token for --server.")
    ] = None,
) -> None:
    """Record a game while it is played, card by card.

    Every card is on disk at once; opening the file again goes on. What a new record needs and no
    option says is asked for. At the end it offers to import the game. Exit codes: 0 done, 2
    the file cannot be used or the call was wrong.
    """
    from claimlog.recording import Journal, JournalError

    if not (sys.stdin.isatty() and sys.stdout.isatty()) or os.environ.get("TERM") == "dumb":
        fail(tr("record needs a terminal"))
    check_writable(file)
    try:
        with Journal(file) as journal:
            if journal.text is None:
                tags = {"Event": event, "Round": round_, "Table": table}
                state = _begun(player, deck, rules, leader, hands, tags)
                over = _run(journal, state)
            else:
                over = _run(journal, None)
    except (JournalError, ValueError) as error:
        fail(f"{file}: {error}" if isinstance(error, ValueError) else str(error))
    if over and agreed(tr("Import the game now?")):
        from ..archive.importing import import_games

        import_games([file], db=db, server=server, token=token)


def _begun(
    player: list[str] | None,
    deck: str | None,
    rules: str,
    leader: int,
    hands: bool,
    tags: dict[str, str | None],
) -> State:
    """The table, asked for where the options do not tell; raises ValueError."""
    from claimlog.rules.setup import Setup
    from claimlog.state import State

    players = player or _names()
    setup = Setup(
        deck or typer.prompt(tr("The letters of the factions")),
        seats=len(players),
        rules=rules,
        leader=leader,
    )
    held = None
    if hands:
        held = {
            seat: typer.prompt(tr("The hand of {name}", name=name)).upper()
            for seat, name in enumerate(players, 1)
        }
    began = now()
    told = {name: " ".join(value.split()) for name, value in tags.items() if value}
    told |= {"Date": began[:10], "Start": began}
    return State(setup, players=players, hands=held, tags=told)


def now() -> str:
    """The time here, as the tags Start and End note it."""
    return datetime.now().astimezone().replace(microsecond=0).isoformat()


def _names() -> list[str]:
    """The players, as many as are named."""
    from claimlog.rules.setup import MAX_SEATS

    players: list[str] = []
    while len(players) < MAX_SEATS:
        seat = len(players) + 1
        name = typer.prompt(
            tr("Seat {number}", number=seat), default="" if seat > 2 else "?", show_default=False
        ).strip()
        if not name:
            break
        players.append(" ".join(name.split()))
    return players


def _run(journal: Journal, state: State | None) -> bool:
    """Record on the screen; return whether the game is over."""
    from claimlog.recording import Recording

    from .screen import recorder

    if state is not None:
        recording: Recording = Recording(state, journal.write, now)
    else:
        recording = Recording.resume(journal.text or "", journal.write, now)
    app = recorder(words())(recording, os.path.basename(journal.path), words())
    app.run()
    return recording.over
