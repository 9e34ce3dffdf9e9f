"""The arguments of filters and questions, each described once, by its type.

>>> from msgspec import Meta
>>> one = argument("phase", Annotated[int, Meta(ge=1, le=2, description="Of this phase.")] | None)
>>> one.kind, one.limits, one.help
(<class 'int'>, {'ge': 1, 'le': 2}, 'Of this phase.')
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import or_
from types import UnionType
from typing import Annotated, Any, Final, Union, get_args, get_origin

from msgspec import Meta

CHOICES: Final = "choices"
"""The key under which an annotation lists all values, if its type does not."""

_NAMES: Final = {
    "ge": "minimum",
    "le": "maximum",
    "max_length": "maxLength",
    "pattern": "pattern",
}
"""The limits by msgspec's name and by JSON Schema's."""


@dataclass(frozen=True)
class Argument:
    """A field of `Filter`, or an argument of a question.

    `kind` is the type of a value; `several` says that the argument may be repeated, and `all` that
    then all values must hold, where otherwise one is enough (for `not_…`, none may hold); the
    values of an `ordered` list belong together.  `limits` are msgspec's `ge`, `le`, `max_length`
    and `pattern`, as far as set, for each value; `choices` are all values if there are few; `most`
    is how often the argument may be repeated, `unique` that no value may occur twice.
    """

    name: str
    kind: Any
    description: str
    limits: dict[str, Any]
    several: bool = False
    all: bool = False
    ordered: bool = False
    most: int | None = None
    unique: bool = False
    choices: tuple[str, ...] = ()
    default: Any = None

    @property
    def schema(self) -> dict[str, Any]:
        """The limits and choices of a value in JSON Schema."""
        made = {_NAMES[name]: value for name, value in self.limits.items()}
        return {"enum": list(self.choices)} if self.choices else made

    @property
    def help(self) -> str:
        """The description, followed by the meaning of several values."""
        if not self.several or self.ordered:
            return self.description
        which = "all must" if self.all else "none may" if self.name[:4] == "not_" else "any may"
        return f"{self.description.removesuffix('.')}; repeatable, {which} match."


def argument(name: str, hint: Any, default: Any = None) -> Argument:
    """The argument described by a type and its annotations."""
    kind, metas = taken_apart(hint)
    description = next(meta.description for meta in metas if meta.description)
    limits = _limits(metas)
    choices = next((m.extra[CHOICES] for m in metas if m.extra and CHOICES in m.extra), ())
    ordered = get_origin(kind) is list
    everything = get_origin(kind) is tuple
    either = get_origin(kind) in (Union, UnionType)  # a value, or a tuple of several values
    most = None
    if everything or either or ordered:
        one, several = get_args(kind) if either else (get_args(kind)[0], kind)
        most = (_limits(taken_apart(several)[1]) if either else limits)["max_length"]
        kind, inner = taken_apart(one)
        limits = _limits(inner)
    return Argument(
        name,
        kind,
        description,
        limits,
        several=everything or either or ordered,
        all=everything,
        ordered=ordered,
        most=most,
        unique=any((m.extra_json_schema or {}).get("uniqueItems") for m in metas),
        choices=choices,
        default=default,
    )


def _limits(metas: tuple[Meta, ...]) -> dict[str, Any]:
    return {
        name: value
        for meta in metas
        for name in _NAMES
        if (value := getattr(meta, name)) is not None
    }


def taken_apart(hint: Any) -> tuple[Any, tuple[Meta, ...]]:
    """Return a type without its annotations and without None, and the annotations."""
    if get_origin(hint) is Annotated:
        inner, *own = get_args(hint)
        kind, metas = taken_apart(inner)
        return kind, (*metas, *own)
    if type(None) in get_args(hint):
        return taken_apart(reduce(or_, (k for k in get_args(hint) if k is not type(None))))
    return hint, ()
