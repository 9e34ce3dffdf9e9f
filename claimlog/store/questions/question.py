"""`Question`: something that an archive can be asked, described once.

A question is a function that answers it.  Its arguments with their descriptions, the type of its
answer and its summary are those of the function; its HTTP path is given beside it.  They yield the
methods of `Archive` and `Client`, the API's routes with their descriptions, the options of
commands, the list of pages and the tables in the documentation.

>>> from claimlog.store.questions.asked import Asked
>>> Asked.lead_lengths.path, list(Asked.lead_lengths.arguments), Asked.lead_lengths.filtered
('/stats/lead-lengths', ['phase', 'by'], True)
"""

from __future__ import annotations

import inspect
import re
from functools import cached_property, update_wrapper
from types import MethodType
from typing import (
    TYPE_CHECKING,
    Any,
    Concatenate,
    Final,
    Generic,
    NamedTuple,
    ParamSpec,
    Protocol,
    TypeVar,
    get_type_hints,
    overload,
)

from msgspec.structs import replace

from claimlog.store.model.arguments import Argument, argument, taken_apart
from claimlog.store.model.errors import BadQuery
from claimlog.store.model.filter import By, Filter, values_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from claimlog.store.questions.games import Games

P = ParamSpec("P")
T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

EVERYTHING: Final = Filter()
ASKED_AS: Final = "asked as"
"""The key under which the annotation of a struct's field names the argument."""
_PART: Final = re.compile(r"\{(\w+)\}")


class OfPlayer(NamedTuple):
    """The same question about a single player: its summary, and the defaults that differ."""

    summary: str
    defaults: dict[str, Any]


class Asking(Protocol):
    """Something that answers questions: a local archive, or a client of a server."""

    def answer(self, question: Question[..., T], *args: Any, **given: Any) -> T:
        """Answer a question, asked with these arguments."""


class Question(Generic[P, T_co]):
    """A question; as an attribute of a class it is a method of its instances, which answer it."""

    __name__: str

    def __init__(
        self,
        function: Callable[Concatenate[Games, P], T_co],
        path: str,
        title: str = "",
        of_player: OfPlayer | None = None,
        operation: str = "",
        alone: bool = False,
        kept: bool = True,
        errors: tuple[int, ...] = (),
    ) -> None:
        """`path` is its HTTP path, with the names of arguments in braces.

        A statistic with a `title` has a page.  `operation` is its name in programs, if that is not
        the path's last part.  `alone`: the filter must have no player except that of the path.
        `kept`: the answer stays the same until something is stored.  `errors` are HTTP statuses
        that other questions with such a path do not have.
        """
        update_wrapper(self, function)
        self.function = function
        self.path = path
        self.title = title
        self.of_player = of_player
        self.alone = alone
        self.kept = kept
        self.errors = errors
        self.name = path.rpartition("/")[2]
        self.operation = operation or self.name.replace("-", "_")

    @overload
    def __get__(self, asked: None, owner: type) -> Question[P, T_co]: ...

    @overload
    def __get__(self, asked: Asking, owner: type) -> Callable[P, T_co]: ...

    def __get__(self, asked: Asking | None, owner: type) -> Question[P, T_co] | Callable[P, T_co]:
        return self if asked is None else MethodType(self, asked)

    def __call__(self, asked: Asking, *args: P.args, **given: P.kwargs) -> T_co:
        """Ask the question."""
        return asked.answer(self, *args, **given)

    @cached_property
    def signature(self) -> inspect.Signature:
        """The arguments with which it is asked, without the one that answers it."""
        whole = inspect.signature(self.function)
        return whole.replace(parameters=list(whole.parameters.values())[1:])

    @cached_property
    def _hints(self) -> dict[str, Any]:
        return get_type_hints(self.function, localns={"Games": object}, include_extras=True)

    @property
    def answers(self) -> Any:
        """The type of the answer."""
        return self._hints["return"]

    @property
    def filtered(self) -> bool:
        """Whether it is about the games of a filter."""
        return "filter" in self.signature.parameters

    @property
    def places(self) -> list[str]:
        """The arguments that are parts of the path."""
        return _PART.findall(self.path)

    @cached_property
    def arguments(self) -> dict[str, Argument]:
        """All other arguments except the filter, by name; a struct is passed as its fields."""
        arguments: dict[str, Argument] = {}
        for name, one in self.signature.parameters.items():
            if name in self.structs:
                arguments |= {asked: one for asked, (_, one) in self.structs[name].items()}
            elif name != "filter" and name not in self.places:
                default = None if one.default is one.empty else one.default
                arguments[name] = argument(name, self._hints[name], default)
        return arguments

    @cached_property
    def structs(self) -> dict[str, dict[str, tuple[str, Argument]]]:
        """The arguments that are structs: their fields, by the names of the arguments."""
        return {
            name: _fields(self._hints[name])
            for name in self.signature.parameters
            if name != "filter" and isinstance(self._hints[name], type(Filter))
        }

    def put_together(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Build the function's arguments from those of the request."""
        given = dict(values)
        for name, fields in self.structs.items():
            asked = {field: given.pop(one, None) for one, (field, _) in fields.items()}
            given[name] = self._hints[name](**{k: v for k, v in asked.items() if v is not None})
        return given

    def taken_apart(self, *args: Any, **given: Any) -> dict[str, Any]:
        """Split the function's arguments, as far as given, into those of a request.

        A struct's field without a description is a condition of the filter.
        """
        asked = self.signature.bind(*args, **given).arguments
        for name, fields in self.structs.items():
            struct = asked.pop(name)
            asked |= {one: getattr(struct, field) for one, (field, _) in fields.items()}
            described = {field for field, _ in fields.values()}
            for condition in set(struct.__struct_fields__) - described:
                if (value := getattr(struct, condition)) is not None:
                    filter = asked.get("filter", EVERYTHING)
                    if (known := values_of(getattr(filter, condition))) and value not in known:
                        raise BadQuery(
                            "question.not-in-filter",
                            name=name,
                            condition=condition,
                            field=condition,
                        )
                    asked["filter"] = replace(filter, **{condition: value})
        return asked

    @property
    def whose(self) -> str | None:
        """The argument that says whether only the filter's player counts."""
        return next((name for name, one in self.arguments.items() if one.kind is By), None)

    @property
    def summary(self) -> str:
        """Its subject in one sentence."""
        return " ".join(inspect.cleandoc(self.__doc__ or "").partition("\n\n")[0].split())


def _fields(struct: type) -> dict[str, tuple[str, Argument]]:
    """The described fields of a struct, by the names of their arguments."""
    fields = {}
    for name, hint in get_type_hints(struct, include_extras=True).items():
        _, metas = taken_apart(hint)
        if any(meta.description for meta in metas):
            asked = next(
                (m.extra[ASKED_AS] for m in metas if m.extra and ASKED_AS in m.extra), name
            )
            fields[asked] = (name, argument(asked, hint))
    return fields


def question(
    path: str,
    title: str = "",
    *,
    of_player: OfPlayer | None = None,
    operation: str = "",
    alone: bool = False,
    kept: bool = True,
    errors: tuple[int, ...] = (),
) -> Callable[[Callable[Concatenate[Games, P], T]], Question[P, T]]:
    """Decorate a function that answers a question, to make it the question asked at `path`."""

    def made(function: Callable[Concatenate[Games, P], T]) -> Question[P, T]:
        return Question(function, path, title, of_player, operation, alone, kept, errors)

    return made
