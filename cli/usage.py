"""Wrong calls reported like all other errors, and help in the language of the run."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import typer
from typer.core import TyperCommand, TyperGroup, TyperOption

from claimlog.language import LANGUAGES

from .language import choose, tr

if TYPE_CHECKING:
    from collections.abc import Callable

    Command = TyperCommand | TyperGroup

_FRAMES: Final = {
    "DEFAULT_STRING": "[default: {}]",
    "ENVVAR_STRING": "[env var: {}]",
    "REQUIRED_LONG_STRING": "[required]",
    "ARGUMENTS_PANEL_TITLE": "Arguments",
    "OPTIONS_PANEL_TITLE": "Options",
    "COMMANDS_PANEL_TITLE": "Commands",
}
"""Typer's headings in the help, by the names of their constants."""

_ERRORS: Final = (
    (r"No such option: (?P<name>.*)", "there is no option {name}"),
    (
        r"No such command '(?P<name>[^']*)'\. Did you mean '(?P<near>[^']*)'.*\?",
        "there is no command {name}; did you mean {near}?",
    ),
    (r"No such command '(?P<name>.*)'\.", "there is no command {name}"),
    (r"Missing command\.", "a command is missing"),
    (r"Got unexpected extra argument\(?s?\)? \((?P<name>.*)\)", "unexpected argument {name}"),
    (r"Option '(?P<name>.*)' requires an argument\.", "{name} needs a value"),
    (r"Option '(?P<name>.*)' does not take a value\.", "{name} takes no value"),
    (r"'(?P<value>.*)' is not a valid (int|int range)\.", "{value} is not a whole number"),
    (r"'(?P<value>.*)' is not a valid (float|float range)\.", "{value} is not a number"),
    (
        r"(?P<value>.*) is not in the range (?P<range>.*)\.",
        "{value} is not in the range {range}",
    ),
    (r"'(?P<value>.*)' is not one of (?P<names>.*)\.", "{value} is not one of {names}"),
)
"""Typer's messages about a wrong call, and our wording of them."""


_FILES: Final = frozenset(("file", "files", "links", "output", "FILE", "[GAME]"))
"""The names and metavars of parameters that are files."""


class Group(TyperGroup):
    """A group of commands: without a command, show the help with exit code 2."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the options before the command."""
        if not args and not ctx.resilient_parsing:
            typer.echo(ctx.get_help(), err=True)
            ctx.exit(2)
        return super().parse_args(ctx, args)


def made(app: typer.Typer) -> Command:
    """Return the command that Typer makes of an app."""
    command = typer.main.get_command(app)
    assert isinstance(command, (TyperCommand, TyperGroup))
    return command


def translated(command: Command) -> Command:
    """Translate the help of a command, and add the option --lang."""
    for part in (command, *getattr(command, "commands", {}).values()):
        part.help = helped(part.help or "")
        for parameter in part.params:
            for name in ("help", "rich_help_panel"):
                if text := getattr(parameter, name, None):
                    setattr(parameter, name, _translated(text))
            if not _of_file(parameter):
                cast = partial(_utf8, parameter, parameter.type_cast_value)
                setattr(parameter, "type_cast_value", cast)  # noqa: B010 — of this one alone
        usage = part.get_usage
        setattr(part, "get_usage", partial(_usage, usage))  # noqa: B010 — of this one alone
        part.params.append(_lang())
        shown = part.get_help_option(typer.Context(part))
        if shown is not None:
            shown.help = tr("Show this message and exit.")
    return command


def _of_file(parameter: Any) -> bool:
    """Whether a parameter names files, whose names may be any bytes."""
    return (
        parameter.name in _FILES
        or parameter.metavar in _FILES
        or parameter.type.name in ("path", "file", "directory")
    )


def _utf8(parameter: Any, cast: Callable[[Any, Any], Any], ctx: Any, value: Any) -> Any:
    """Convert the value of a parameter, unless it is not UTF-8."""
    for text in value if isinstance(value, (list, tuple)) else (value,):
        if isinstance(text, str) and not text.isascii() and re.search("[\ud800-\udfff]", text):
            shown = text.encode(errors="surrogateescape").decode(errors="replace")
            raise typer.BadParameter(
                tr(
                    "{text} is not UTF-8: the terminal or the script has another encoding",
                    text=shown,
                ),
                ctx,
                parameter,
            )
    return cast(ctx, value)


def helped(text: str) -> str:
    """The help of a command in the language of the run, one line per paragraph.

    Otherwise Typer would keep the line breaks of the source.
    """
    return "\n\n".join(tr(" ".join(paragraph.split())) for paragraph in text.split("\n\n"))


def _usage(usage: Callable[[Any], str], ctx: Any) -> str:
    """The usage of a command in the language of the run."""
    return usage(ctx).replace("Usage:", tr("Usage:"), 1)


def _translated(text: str) -> str:
    """Translate a text of the help; if it ends with a list of names, only the part before that."""
    whole = tr(text)
    if whole != text:
        return whole
    head, colon, names = text.partition(": ")
    return f"{tr(head)}{colon}{names}"


def _lang() -> TyperOption:
    def chosen(_: Any, __: Any, value: str | None) -> None:
        if value is None:
            return
        if value not in LANGUAGES:
            names = ", ".join(LANGUAGES)
            raise typer.BadParameter(tr("{value} is not one of {names}", value=value, names=names))
        choose(value)

    return TyperOption(
        param_decls=["--lang"],
        type=str,
        metavar=f"<{'|'.join(LANGUAGES)}>",
        autocompletion=lambda *_: list(LANGUAGES),
        default=None,
        expose_value=False,
        is_eager=True,
        callback=chosen,
        help=tr("The language; by default that of the locale."),
    )


def prepare_help() -> None:
    """Make Typer write its headings in the language of the run, and cut nothing off."""
    from rich.columns import Columns
    from rich.table import Table
    from typer import rich_utils

    class Whole(Table):
        """A table whose last column gives way, the others keep their names whole."""

        def add_row(self, *cells: Any, **how: Any) -> None:
            super().add_row(*cells, **how)
            for column in self.columns:
                column.overflow = "fold"
            for column in self.columns[:-2]:
                column.no_wrap = True

    def folded(items: list[Any]) -> Columns:
        for item in items:
            item.overflow = "fold"
        return Columns(items)

    for name, text in _FRAMES.items():
        setattr(rich_utils, name, tr(text))
    changed: Any = rich_utils
    changed.Table, changed.Columns = Whole, folded


def explain(error: typer.TyperException) -> str:
    """The problem with a call, in a line or two."""
    bad = error if isinstance(error, typer.BadParameter) else None
    if bad is not None and not bad.message:
        text = tr("{name} is missing", name=_name(bad))
    else:
        text = _said(error.message)
        if bad is not None and bad.param is not None:
            text = f"{_name(bad)}: {text}"
        # Other attributes of an error depend on its kind; most kinds have no public name in Typer.
        if near := getattr(error, "possibilities", None):
            text += f"; {tr('did you mean {name}?', name=near[0])}"
    if (context := getattr(error, "ctx", None)) is not None:
        text += "\n" + tr("see {command} --help", command=context.command_path)
    return text


def _name(error: Any) -> str:
    """The name of a parameter on the command line."""
    param = error.param
    if param is None:
        return str(error.param_hint or "")
    if param.param_type_name == "argument":
        return str(param.name).upper()
    return str(param.opts[0])


def _said(message: str) -> str:
    for pattern, text in _ERRORS:
        if match := re.fullmatch(pattern, message):
            values = {name: value.replace("'", "") for name, value in match.groupdict().items()}
            return tr(text, **values) if values else tr(text)
    return message
