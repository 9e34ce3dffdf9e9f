"""Wrong calls, told like all other errors, and the help in the language of the run."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from claimlog.language import LANGUAGES

from .language import choose, tr

if TYPE_CHECKING:
    from collections.abc import Callable

    from typer._click import Command
    from typer._click.exceptions import ClickException

_FRAMES: Final = {
    "DEFAULT_STRING": "[default: {}]",
    "ENVVAR_STRING": "[env var: {}]",
    "REQUIRED_LONG_STRING": "[required]",
    "ARGUMENTS_PANEL_TITLE": "Arguments",
    "OPTIONS_PANEL_TITLE": "Options",
    "COMMANDS_PANEL_TITLE": "Commands",
}
"""What Typer writes around the help, by the name of its constant."""

_ERRORS: Final = (
    (r"No such option: (?P<name>.*)", "there is no option {name}"),
    (r"No such command '(?P<name>.*)'\.", "there is no command {name}"),
    (r"Missing command\.", "a command is missing"),
    (r"Got unexpected extra argument\(?s?\)? \((?P<name>.*)\)", "{name} is too much"),
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
"""What Typer says about a wrong call, and how we say it."""


def translated(command: Command) -> Command:
    """The command with its help in the language of the run, and with the option --lang."""
    from typer import Context
    from typer.core import TyperOption

    for part in (command, *getattr(command, "commands", {}).values()):
        part.help = helped(part.help or "")
        for parameter in part.params:
            for name in ("help", "rich_help_panel"):
                if text := getattr(parameter, name, None):
                    setattr(parameter, name, _translated(text))
        usage = part.get_usage
        setattr(part, "get_usage", partial(_usage, usage))  # noqa: B010 — of this one alone
        part.params.append(_lang(TyperOption))
        shown = part.get_help_option(Context(part))
        if shown is not None:
            shown.help = tr("Show this message and exit.")
    return command


def helped(text: str) -> str:
    """The help of a command in the language of the run, a line for each paragraph.

    Typer would break the lines where they are broken in the source.
    """
    return "\n\n".join(tr(" ".join(paragraph.split())) for paragraph in text.split("\n\n"))


def _usage(usage: Callable[[Any], str], ctx: Any) -> str:
    """How a command is called, in the language of the run."""
    return usage(ctx).replace("Usage:", tr("Usage:"), 1)


def _translated(text: str) -> str:
    """A text of the help; of one that ends with a list of names only what stands before it."""
    whole = tr(text)
    if whole != text:
        return whole
    head, colon, names = text.partition(": ")
    return f"{tr(head)}{colon}{names}"


def _lang(option: Any) -> Any:
    from typer._types import TyperChoice

    def chosen(_: Any, __: Any, value: str | None) -> None:
        if value is not None:
            choose(value)

    return option(
        param_decls=["--lang"],
        type=TyperChoice(LANGUAGES),
        default=None,
        expose_value=False,
        is_eager=True,
        callback=chosen,
        help=tr("The language; otherwise that of the locale."),
    )


def translate_frames() -> None:
    """Let Typer write what stands around the help in the language of the run."""
    from typer import rich_utils

    for name, text in _FRAMES.items():
        setattr(rich_utils, name, tr(text))


def explain(error: ClickException) -> str:
    """What is wrong with a call, in a line or two."""
    from typer._click.exceptions import BadParameter, MissingParameter, NoSuchOption, UsageError

    message = error.message
    if isinstance(error, MissingParameter):
        text = tr("{name} is missing", name=_name(error))
    else:
        text = _said(message)
        if isinstance(error, BadParameter) and error.param is not None:
            text = f"{_name(error)}: {text}"
        if isinstance(error, NoSuchOption) and error.possibilities:
            text += f"; {tr('is it {name}?', name=error.possibilities[0])}"
    if isinstance(error, UsageError) and error.ctx is not None:
        text += "\n" + tr("{command} --help tells more", command=error.ctx.command_path)
    return text


def _name(error: Any) -> str:
    """What a parameter is called on the command line."""
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
