"""The arguments that choose games, made from `store.model.filter`, and others that recur."""

from __future__ import annotations

import inspect
from typing import Annotated, Any, Final, Literal

import msgspec
from litestar.params import PathParameter, QueryParameter

from claimlog.store import Filter
from claimlog.store.model.filter import CARD, CONDITIONS, Condition, given

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
Total = Annotated[bool, QueryParameter(description="Whether to tell how many there are in all.")]
Language = Annotated[
    Literal["en", "de"], QueryParameter(description="The language of sentences and problems.")
]
MinGames = Annotated[
    int,
    QueryParameter(
        description="Only what counts at least so many results.",
        ge=0,
        le=1_000_000_000,
        schema_extra={"minimum": 0},
    ),
]
Why = Annotated[str, QueryParameter(description="The reason, for the records.", max_length=1000)]

Undone = Annotated[bool, QueryParameter(description="Also the merges that were undone.")]


def _argument(condition: Condition) -> inspect.Parameter:
    """A condition as an argument of a query."""
    kind: Any = condition.kind
    # Patterns are for the document: the archive says better what is wrong.
    limits = {name: limit for name, limit in condition.limits.items() if name != "pattern"}
    if condition.several:
        kind = list[Annotated[kind, msgspec.Meta(**limits)]]
        described = QueryParameter(description=condition.help, max_items=condition.most)
    else:
        described = QueryParameter(
            description=condition.help, **limits, schema_extra=condition.schema
        )
    return inspect.Parameter(
        condition.name,
        inspect.Parameter.KEYWORD_ONLY,
        default=None,
        annotation=Annotated[kind | None, described],
    )


def games_wanted(**arguments: Any) -> Filter:
    """Make the filter of a request (a Litestar dependency)."""
    return given(arguments)


def games_of(player_id: Name, **arguments: Any) -> Filter:
    """Make the filter of a request whose path names the player (a Litestar dependency)."""
    return msgspec.structs.replace(given(arguments), player=player_id)


# Litestar reads the signatures; the conditions stand in one place alone.
_ARGUMENTS: Final = [_argument(condition) for condition in CONDITIONS.values()]


def _taking(function: Any, arguments: list[inspect.Parameter]) -> None:
    function.__signature__ = inspect.Signature(arguments, return_annotation=Filter)
    function.__annotations__ = {p.name: p.annotation for p in arguments} | {"return": Filter}


_taking(games_wanted, _ARGUMENTS)
_taking(
    games_of,
    [
        inspect.Parameter("player_id", inspect.Parameter.KEYWORD_ONLY, annotation=Name),
        *(argument for argument in _ARGUMENTS if argument.name != "player"),
    ],
)

ITEMS: Final[dict[str, dict[str, Any]]] = {
    "after": {"pattern": CARD},
    **{name: one.schema for name, one in CONDITIONS.items() if one.several and one.schema},
}
"""By list argument what holds for each of its values, in JSON Schema: Litestar does not say."""
