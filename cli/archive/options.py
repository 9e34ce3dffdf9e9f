"""Options shared by several commands: they replace one parameter of a command."""

from __future__ import annotations

import inspect
from enum import StrEnum
from functools import wraps
from types import GenericAlias
from typing import TYPE_CHECKING, Annotated, Any, get_args

import typer

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from claimlog.store.model.arguments import Argument


def option(
    argument: Argument,
    name: str = "",
    panel: str | None = None,
    completion: Callable[..., Any] | None = None,
) -> Any:
    """The type of an argument's option, annotated for Typer.

    `name` is the name of the option, if it differs from the argument's.
    """
    kind: Any = argument.kind
    if argument.several:
        choices = get_args(kind)  # from a Literal: Typer does not support lists of those
        one = StrEnum(argument.name, list(zip(choices, choices, strict=True))) if choices else kind
        kind = GenericAlias(list, one)
    return Annotated[
        kind | None if argument.several or argument.default is None else kind,
        typer.Option(
            *filter(None, [name]),
            help=argument.help.replace("`", ""),
            min=argument.limits.get("ge"),
            max=argument.limits.get("le"),
            rich_help_panel=panel,
            autocompletion=completion,
        ),
    ]


def taking(
    name: str,
    options: Mapping[str, tuple[Any, Any]],
    make: Callable[..., Any],
    *,
    first: bool = False,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Replace the parameter `name` of a command by options, passing it the result of `make`.

    `options` are annotation and default by name.  A parameter of the command replaces an option
    with the same name.  `first`: they precede the command's own parameters.
    """

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(command)
        def with_options(**given: Any) -> Any:
            values = {one: given.pop(one) for one in added}
            return command(**given, **{name: make(**values)})

        known = command.__globals__ | dict.fromkeys(("Filter", "Look"), object)
        signature = inspect.signature(command, globals=known, eval_str=True)
        own = [parameter for key, parameter in signature.parameters.items() if key != name]
        added = [one for one in options if one not in signature.parameters]
        new = [
            inspect.Parameter(
                one,
                inspect.Parameter.KEYWORD_ONLY,
                annotation=options[one][0],
                default=options[one][1],
            )
            for one in added
        ]
        parameters = new + own if first else own + new
        with_options.__signature__ = signature.replace(  # type: ignore[attr-defined]
            parameters=[p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in parameters]
        )
        with_options.__annotations__ = {p.name: p.annotation for p in parameters}
        return with_options

    return decorate
