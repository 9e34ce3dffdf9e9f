"""The entry point.  A command's module is imported only when that command runs.

To add a command, add a module beside this one with a function for Typer, and a line in `COMMANDS`.
"""

from __future__ import annotations

import functools
import gc
import re
import signal
import sys
import threading
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from claimlog import __version__

from .language import choose_from, tr
from .usage import Group, explain, made, prepare_help, translated

if TYPE_CHECKING:
    from .usage import Command

COMMANDS = {
    "record": ("record:record", "Record a game while it is played, card by card."),
    "replay": ("replay:replay", "Replay games play by play, with what every power does."),
    "validate": ("validate:validate", "Check that records are legal games."),
    "format": ("format:format_files", "Rewrite records in canonical form."),
    "simulate": ("simulate:simulate", "Write simulated games in canonical form."),
    "link": (
        "link:link",
        "Print the code of each game, one per line: a whole game in about 50 characters.",
    ),
    "puzzles": (
        "puzzles:puzzles",
        "Find the only card that keeps the win, three to eight tricks before the end.",
    ),
    "analyse": (
        "analyse:analyse",
        "Show which plays of Phase 2 gave something away, by exact search.",
    ),
    "picture": (
        "picture:picture",
        "Draw a moment of a game: the cards, the hands, the standing of the factions.",
    ),
    "rules": ("rules:rules", "Show the cards and powers of a faction, or of all, and the rulings."),
    "import": (
        "archive.importing:import_games",
        "Store games in the archive; those with errors are refused, the rest are stored.",
    ),
    "export": (
        "archive.exporting:export",
        "Write games to a file or to standard output, the oldest first.",
    ),
    "games": ("archive.games:games", "List games."),
    "game": ("archive.games:game", "Look at one game, or correct it."),
    "players": ("archive.players:players", "Players and their results."),
    "events": ("archive.standings:events", "List events, the one played last first."),
    "event": (
        "archive.printing:event",
        "Direct an event from the entry list to the end; rename and merge events.",
    ),
    "desk": (
        "desk:desk",
        "Direct an event on a screen of its own: all tables live, and a line for commands.",
    ),
    "standings": (
        "archive.standings:standings",
        "Show the standings of an event, its crosstable or its rounds.",
    ),
    "publish": (
        "archive.publishing:publish",
        "Write a website about an event: standings, crosstable, rounds, players, games to replay.",
    ),
    "stats": (
        "archive.stats:stats",
        "Statistics on the games of the archive; rates are shown with their 95 % intervals.",
    ),
    "db": ("archive.db:db", "Maintain the archive's file."),
    "serve": (
        "serve:serve",
        "Serve the archive over HTTP: pages for people, and an API documented at /docs.",
    ),
    "index": (
        "index:index",
        "Copy what was stored in PostgreSQL to the lake, which lists and statistics read.",
    ),
    "token": ("token:token", "Create, list and revoke tokens for the server."),
}
"""Each command's place and summary: its module in this package with its function, or a Typer app
with subcommands, and how its help begins.  So a list of commands imports none of them.
"""


class Commands(Group):
    """The commands of `COMMANDS`, imported on demand."""

    _listing = False

    def list_commands(self, ctx: Any) -> list[str]:
        """The names of all commands, in the order of `COMMANDS`."""
        return list(COMMANDS)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help; the list of commands does not need the commands."""
        self._listing = True
        try:
            super().format_help(ctx, formatter)
        finally:
            self._listing = False
        _freeze_imports()

    def get_command(self, ctx: Any, cmd_name: str) -> Command | None:
        """Return the command with that name, importing its module."""
        if cmd_name not in COMMANDS:
            from difflib import get_close_matches

            if near := get_close_matches(cmd_name, COMMANDS, 1):
                ctx.fail(
                    tr(
                        "there is no command {name}; did you mean {near}?",
                        name=cmd_name,
                        near=near[0],
                    )
                )
            return None
        place, summary = COMMANDS[cmd_name]
        if self._listing:
            return TyperCommand(cmd_name, help=tr(summary))
        module, _, function = place.partition(":")
        listed = getattr(import_module(f".{module}", __package__), function)
        if isinstance(listed, typer.Typer):
            commands = listed
        else:
            commands = typer.Typer(pretty_exceptions_enable=False, add_completion=False)
            commands.command(cmd_name)(listed)
        command = made(commands)
        command.name = cmd_name
        if module.startswith("archive.") or cmd_name in (
            "desk",
            "analyse",
            "picture",
            "puzzles",
            "replay",
            "validate",
        ):
            from .archive.opening import add_lake, add_server

            add_lake(command)
            add_server(command)
        elif cmd_name in ("serve", "index", "token"):
            from .archive.opening import add_lake

            add_lake(command)
        _freeze_imports()
        return translated(command)


@functools.cache
def _freeze_imports() -> None:
    """Spare the garbage collector what was imported: at its end a short command collects all.

    Only once, because to count what is frozen is to look at all of it.
    """
    if not gc.get_freeze_count():
        gc.freeze()


app = typer.Typer(name="claimlog", cls=Commands, pretty_exceptions_enable=False)


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"claimlog {__version__}")
        raise typer.Exit


@app.callback()
def main(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Check, replay, store and serve records of games of Claim."""


def _no_option(argument: str) -> str:
    """The argument; a code that begins with a hyphen as a path, since it looks like an option."""
    if argument[:1] != "-" or not re.fullmatch("(?!--[a-z-]+$)-[A-Za-z0-9_-]{4,}", argument):
        return argument
    from .archive.stored import is_code

    return f"/r/{argument}" if is_code(argument) else argument


def _interrupt_when_terminated() -> list[int]:
    """Let SIGTERM end a command as Ctrl-C does, so that it cleans up; tell that it has come."""
    came: list[int] = []

    def interrupt(number: int, _: object) -> None:
        came.append(number)
        signal.signal(number, signal.SIG_DFL)  # if the command does not end
        raise KeyboardInterrupt

    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, interrupt)
    return came


def run() -> None:
    """Run the command line; a wrong call ends with a message and exit code 2."""
    from .files import fail, standard_output

    terminated = _interrupt_when_terminated()
    arguments = [_no_option(argument) for argument in sys.argv[1:]]
    choose_from(arguments)
    if not {"--help", "-h"}.isdisjoint(sys.argv):
        prepare_help()
    try:
        with standard_output():
            try:
                command = translated(made(app))
                raise SystemExit(command(arguments, standalone_mode=False))
            except typer.TyperException as error:
                fail(explain(error))
            except (typer.Abort, KeyboardInterrupt):
                raise SystemExit(130) from None
    finally:
        if terminated:
            signal.raise_signal(signal.SIGTERM)  # which systemd, for one, expects
