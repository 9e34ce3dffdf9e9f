"""The entry point.  A command's module is imported only when that command runs.

To add a command, add a module beside this one with a function for Typer, and a line in `COMMANDS`.
"""

from __future__ import annotations

import gc
import re
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from claimlog import __version__

from .language import choose_from, tr
from .usage import Group, explain, helped, made, prepare_help, translated

if TYPE_CHECKING:
    from collections.abc import Callable

    from .usage import Command

COMMANDS = {
    "record": "record:record",
    "replay": "replay:replay",
    "validate": "validate:validate",
    "format": "format:format_files",
    "simulate": "simulate:simulate",
    "link": "link:link",
    "puzzles": "puzzles:puzzles",
    "analyse": "analyse:analyse",
    "picture": "picture:picture",
    "rules": "rules:rules",
    "import": "archive.importing:import_games",
    "export": "archive.exporting:export",
    "games": "archive.games:games",
    "game": "archive.games:game",
    "players": "archive.players:players",
    "events": "archive.standings:events",
    "event": "archive.printing:event",
    "desk": "desk:desk",
    "standings": "archive.standings:standings",
    "publish": "archive.publishing:publish",
    "stats": "archive.stats:stats",
    "db": "archive.db:db",
    "serve": "serve:serve",
    "index": "index:index",
    "token": "token:token",
}
"""Each command's module in this package and its function, or a Typer app with subcommands."""


class Commands(Group):
    """The commands of `COMMANDS`, imported on demand."""

    _listing = False

    def list_commands(self, ctx: Any) -> list[str]:
        """The names of all commands, in the order of `COMMANDS`."""
        return list(COMMANDS)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help; the list of commands does not need their options."""
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
        module, _, function = COMMANDS[cmd_name].partition(":")
        listed = getattr(import_module(f".{module}", __package__), function)
        if self._listing:
            return _listed(cmd_name, listed)
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


def _freeze_imports() -> None:
    """Spare the garbage collector what was imported: at its end a short command collects all."""
    if not gc.get_freeze_count():
        gc.freeze()


def _listed(name: str, command: typer.Typer | Callable[..., object]) -> Command:
    """A command as shown in a list of commands."""
    text = command.info.help if isinstance(command, typer.Typer) else command.__doc__
    return TyperCommand(name, help=helped(text or ""))


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


def run() -> None:
    """Run the command line; a wrong call ends with a message and exit code 2."""
    from .files import fail, standard_output

    arguments = [_no_option(argument) for argument in sys.argv[1:]]
    choose_from(arguments)
    if not {"--help", "-h"}.isdisjoint(sys.argv):
        prepare_help()
    with standard_output():
        try:
            command = translated(made(app))
            raise SystemExit(command(arguments, standalone_mode=False))
        except typer.TyperException as error:
            fail(explain(error))
        except typer.Abort:
            raise SystemExit(130) from None
