"""The arguments that the query of an operation may have, from its handler's signature.

The OpenAPI document has the same and more, but Litestar takes a second to make it, for all
operations at once.
"""

from __future__ import annotations

import datetime
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin

from litestar.params import QueryParameter

from claimlog.api.http.filters import ITEMS

if TYPE_CHECKING:
    from litestar.handlers import BaseRouteHandler
    from litestar.typing import FieldDefinition


class Kind(NamedTuple):
    """What an argument's values may be: of a type, written in JSON Schema's words."""

    type: Literal["string", "integer", "number", "boolean", "date-time"]
    choices: tuple[str, ...] = ()
    """All possible values, if they are listed."""
    several: bool = False
    """Whether the argument may be repeated."""


def arguments_of(handler: BaseRouteHandler) -> dict[str, Kind]:
    """Return the arguments by name: those of the handler and of what it depends on."""
    provided = handler.resolve_dependencies()
    own: dict[str, Kind] = {}
    others: dict[str, Kind] = {}
    for field in handler.parsed_fn_signature.parameters.values():
        own |= _argument(field)
        if field.name in provided:
            for theirs in provided[field.name].parsed_fn_signature.parameters.values():
                others |= _argument(theirs)
    return others | own


def _argument(field: FieldDefinition) -> dict[str, Kind]:
    """Return a parameter's name in the query, with its kind; nothing if it is no argument."""
    described = field.kwarg_definition
    if not isinstance(described, QueryParameter):
        return {}
    name = described.name or field.name
    return {name: _kind(name, field.annotation)}


def _kind(name: str, annotation: Any) -> Kind:
    origin, inside = get_origin(annotation), get_args(annotation)
    if origin in (Union, UnionType):
        (annotation,) = (part for part in inside if part is not NoneType)
        return _kind(name, annotation)
    if origin is list:
        listed = _kind(name, inside[0])
        return listed._replace(
            several=True, choices=tuple(ITEMS.get(name, {}).get("enum", listed.choices))
        )
    if origin is Annotated:
        return _kind(name, inside[0])
    if origin is Literal:
        return Kind("string", inside)
    return Kind(_TYPES[annotation])


_TYPES: dict[type, Any] = {
    str: "string",
    int: "integer",
    float: "number",
    bool: "boolean",
    datetime.datetime: "date-time",
}
