"""The arguments that select games, made from `store.model.filter`, and other common ones."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, TypeVar

import msgspec
from litestar.di import NamedDependency
from litestar.params import PathParameter, QueryParameter

from claimlog.notation.names import LONGEST
from claimlog.store import Filter
from claimlog.store.model.filter import CARD, CONDITIONS, given

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from claimlog.store.model.arguments import Argument

F = TypeVar("F", bound="Callable[..., Any]")

GameId = Annotated[
    str, PathParameter(description="The game's permanent id.", min_length=1, max_length=40)
]
Name = Annotated[
    str, PathParameter(description="An id or a name.", min_length=1, max_length=LONGEST)
]
Cursor = Annotated[
    str | None,
    QueryParameter(
        description="The cursor from the previous page; see the `Link` header.", max_length=2000
    ),
]
Limit = Annotated[
    int,
    QueryParameter(
        description="The number of items per page.",
        ge=1,
        le=1000,
        schema_extra={"minimum": 1, "maximum": 1000},
    ),
]
Search = Annotated[str, QueryParameter(description="Part of the name.", max_length=LONGEST)]
Total = Annotated[bool, QueryParameter(description="Whether to include the total number.")]
Language = Annotated[
    Literal["en", "de"], QueryParameter(description="The language of sentences and problems.")
]
LanguageOrNone = Annotated[
    Literal["en", "de"] | None,
    QueryParameter(description="The language of problems; the default is that of Accept-Language."),
]
Why = Annotated[str, QueryParameter(description="The reason for the change.", max_length=1000)]


def parameter(argument: Argument) -> inspect.Parameter:
    """Return the query parameter for an argument."""
    kind: Any = argument.kind
    # Patterns are only for the document: the archive explains better what is wrong.
    limits = {name: limit for name, limit in argument.limits.items() if name != "pattern"}
    if argument.several:
        kind = list[Annotated[kind, msgspec.Meta(**limits)]] if limits else list[kind]
        described = QueryParameter(
            description=argument.help,
            max_items=argument.most,
            schema_extra={"uniqueItems": True} if argument.unique else None,
        )
    else:
        described = QueryParameter(
            description=argument.help, **limits, schema_extra=argument.schema
        )
    default = None if argument.several else argument.default
    return inspect.Parameter(
        argument.name,
        inspect.Parameter.KEYWORD_ONLY,
        default=default,
        annotation=Annotated[kind | None if default is None else kind, described],
    )


def games_wanted(*, resources: object, **arguments: Any) -> Filter:
    """Make the filter of a request (a Litestar dependency)."""
    return given(arguments)


def games_of(player_id: Name, *, resources: object, **arguments: Any) -> Filter:
    """Make the filter of a request whose path names the player (a Litestar dependency)."""
    return msgspec.structs.replace(given(arguments), player=player_id)


# Litestar reads the signatures, so that the conditions are defined in one place only.
_ARGUMENTS: Final = [parameter(condition) for condition in CONDITIONS.values()]
_AFTER_RESOURCES: Final = inspect.Parameter(
    "resources", inspect.Parameter.KEYWORD_ONLY, annotation=NamedDependency[object]
)
"""Makes a dependency follow another one: Litestar makes independent ones in a task each."""


def sign(function: Any, parameters: list[inspect.Parameter], answers: Any) -> None:
    """Give a function the signature that Litestar reads."""
    function.__signature__ = inspect.Signature(parameters, return_annotation=answers)
    function.__annotations__ = {p.name: p.annotation for p in parameters} | {"return": answers}


def asked_with(arguments: Iterable[Argument]) -> Callable[[F], F]:
    """Replace a handler's last parameter by these arguments, passed by name."""

    def signed(function: F) -> F:
        whole = inspect.signature(function, eval_str=True)
        own = [p.replace(kind=p.KEYWORD_ONLY) for p in list(whole.parameters.values())[:-1]]
        sign(function, [*own, *map(parameter, arguments)], whole.return_annotation)
        return function

    return signed


sign(games_wanted, [_AFTER_RESOURCES, *_ARGUMENTS], Filter)
sign(
    games_of,
    [
        _AFTER_RESOURCES,
        inspect.Parameter("player_id", inspect.Parameter.KEYWORD_ONLY, annotation=Name),
        *(argument for argument in _ARGUMENTS if argument.name != "player"),
    ],
    Filter,
)

ITEMS: Final[dict[str, dict[str, Any]]] = {
    "after": {"pattern": CARD},
    **{name: one.schema for name, one in CONDITIONS.items() if one.several and one.schema},
}
"""The JSON Schema of each value of a list argument, which Litestar does not give."""
