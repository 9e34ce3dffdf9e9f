"""The filter of the archive as options: the same for every list, export and statistic."""

from __future__ import annotations

import inspect
from functools import wraps
from types import GenericAlias
from typing import TYPE_CHECKING, Annotated, Any

import typer

from claimlog.store.filter import CONDITIONS, Filter

from . import completing

if TYPE_CHECKING:
    from collections.abc import Callable

    from claimlog.store.filter import Condition

PANEL = "Which games"


def _option(condition: Condition) -> Any:
    """The type of a condition's option, with what Typer has to know of it."""
    text = condition.description.replace("`", "")
    kind: Any = GenericAlias(list, condition.kind) if condition.several else condition.kind
    return Annotated[
        kind | None,
        typer.Option(
            help=f"{text[:-1]}; repeatable." if condition.several else text,
            min=condition.limits.get("ge"),
            max=condition.limits.get("le"),
            rich_help_panel=PANEL,
            autocompletion=completing.CONDITIONS.get(condition.name),
        ),
    ]


def filtered(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give `command`, which takes a keyword `filter`, the filter's options instead of it.

    A parameter of the command's own takes the place of an option of the same name.
    """

    @wraps(command)
    def with_options(**given: Any) -> Any:
        wanted = {name: given.pop(name) for name in names}
        values: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in wanted.items()
            if value is not None and value != []
        }
        return command(filter=Filter(**values), **given)

    signature = inspect.signature(
        command, globals={**command.__globals__, "Filter": Filter}, eval_str=True
    )
    own = [parameter for name, parameter in signature.parameters.items() if name != "filter"]
    names = [name for name in CONDITIONS if name not in signature.parameters]
    options = [
        inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=None,
            annotation=_option(CONDITIONS[name]),
        )
        for name in names
    ]
    with_options.__signature__ = signature.replace(  # type: ignore[attr-defined]
        parameters=[p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in own] + options
    )
    with_options.__annotations__ = {p.name: p.annotation for p in own + options}
    return with_options
