"""The arguments that choose games, made from `claimlog.store.filter`, and others that recur."""

from __future__ import annotations

import inspect
from typing import Annotated, Any, Final

from litestar.params import PathParameter, QueryParameter

from claimlog.store import Filter
from claimlog.store.filter import CONDITIONS, Condition

_NAME: Final = 200

GameId = Annotated[
    str, PathParameter(description="The game's lasting id.", min_length=1, max_length=40)
]
Name = Annotated[str, PathParameter(description="An id or a name.", min_length=1, max_length=_NAME)]
Cursor = Annotated[
    str | None,
    QueryParameter(description="That of the page before; see the Link header.", max_length=2000),
]
Limit = Annotated[int, QueryParameter(description="How many on a page.", ge=1, le=1000)]
Search = Annotated[str, QueryParameter(description="A part of the name.", max_length=_NAME)]
Why = Annotated[str, QueryParameter(description="The reason, for the records.", max_length=1000)]

Undone = Annotated[bool, QueryParameter(description="Also the merges that were undone.")]


def _argument(condition: Condition) -> inspect.Parameter:
    """A condition as an argument of a query."""
    kind: Any = condition.kind
    if condition.several:
        kind = list[kind]
        described = QueryParameter(
            description=f"{condition.description} Several must all hold.",
            max_items=condition.most,
        )
    else:
        described = QueryParameter(description=condition.description, **condition.limits)
    return inspect.Parameter(
        condition.name,
        inspect.Parameter.KEYWORD_ONLY,
        default=None,
        annotation=Annotated[kind | None, described],
    )


def games_wanted(**arguments: Any) -> Filter:
    """Make the filter of a request (a Litestar dependency)."""
    given: dict[str, Any] = {
        name: tuple(value) if CONDITIONS[name].several else value
        for name, value in arguments.items()
        if value is not None
    }
    return Filter(**given)


# Litestar reads the signature; the conditions stand in one place alone.
_ARGUMENTS: Final = [_argument(condition) for condition in CONDITIONS.values()]
games_wanted.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
    _ARGUMENTS, return_annotation=Filter
)
games_wanted.__annotations__ = {p.name: p.annotation for p in _ARGUMENTS} | {"return": Filter}
