"""The columns of a statistic's table, from the annotations of its rows' fields.

>>> from claimlog.store.questions.leads import LengthStat
>>> [(column.title, column.kind) for column in columns(LengthStat)]
[('tricks in a row', 'number'), ('leads', 'number'), ('share', 'rate'), ('points', 'rate')]
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, NamedTuple, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta

from claimlog.store.model.types import Rate

SECONDS: Final = "seconds"
Seconds = Meta(extra={SECONDS: True})
"""Annotates a field whose number is a time in seconds."""

Kind = Literal["text", "number", "rate", "seconds"]


class Column(NamedTuple):
    """A field of a row as a column; `title` is its heading, in English."""

    name: str
    title: str
    kind: Kind


def columns(row: type) -> list[Column]:
    """The columns of rows of this type; a field's heading is its title, if it has one."""
    return [_column(name, hint) for name, hint in get_type_hints(row, include_extras=True).items()]


def _column(name: str, hint: Any) -> Column:
    hint, *metas = get_args(hint) if get_origin(hint) is Annotated else (hint,)
    title = next((meta.title for meta in metas if meta.title), name.replace("_", " "))
    kind: Kind = "text"
    if any(meta.extra for meta in metas):
        kind = "seconds"
    elif hint is Rate:
        kind = "rate"
    elif hint is not str:
        kind = "number"
    return Column(name, title, kind)


def listed(answer: Any) -> tuple[str, type]:
    """The field of this type of answer that has the rows ("" if it is a list), and their type."""
    if get_origin(answer) is list:
        return "", get_args(answer)[0]
    for name, hint in get_type_hints(answer).items():
        if get_origin(hint) is list and issubclass(get_args(hint)[0], msgspec.Struct):
            return name, get_args(hint)[0]
    raise TypeError(f"{answer} has no rows")
