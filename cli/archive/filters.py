"""The filter of the archive as options: the same for every list, export and statistic."""

from __future__ import annotations

from enum import StrEnum
from types import GenericAlias
from typing import TYPE_CHECKING, Annotated, Any, get_args

import typer

from claimlog.store.model.filter import CONDITIONS, Filter, given

from . import completing
from .options import taking

if TYPE_CHECKING:
    from claimlog.store.model.filter import Condition

PANEL = "Which games"


def _option(condition: Condition) -> Any:
    """The type of a condition's option, with what Typer has to know of it."""
    kind: Any = condition.kind
    if condition.several:
        choices = get_args(kind)  # of a Literal, of which Typer takes no lists
        one = StrEnum(condition.name, list(zip(choices, choices, strict=True))) if choices else kind
        kind = GenericAlias(list, one)
    return Annotated[
        kind | None,
        typer.Option(
            help=condition.help.replace("`", ""),
            min=condition.limits.get("ge"),
            max=condition.limits.get("le"),
            rich_help_panel=PANEL,
            autocompletion=completing.CONDITIONS.get(condition.name),
        ),
    ]


def _filter(**wanted: Any) -> Filter:
    return given(wanted)


filtered = taking(
    "filter", {name: (_option(one), None) for name, one in CONDITIONS.items()}, _filter
)
"""Gives a command, which takes a keyword `filter`, the filter's options instead of it."""
