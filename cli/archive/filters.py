"""The filter of the archive as options: the same for every list, export and statistic."""

from __future__ import annotations

from types import GenericAlias
from typing import TYPE_CHECKING, Annotated, Any

import typer

from claimlog.store.filter import CONDITIONS, Filter

from . import completing
from .options import taking

if TYPE_CHECKING:
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


def _filter(**wanted: Any) -> Filter:
    values: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in wanted.items()
        if value is not None and value != []
    }
    return Filter(**values)


filtered = taking(
    "filter", {name: (_option(one), None) for name, one in CONDITIONS.items()}, _filter
)
"""Gives a command, which takes a keyword `filter`, the filter's options instead of it."""
