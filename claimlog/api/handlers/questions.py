"""The questions (`claimlog.store.questions.asked`) as operations of the API."""

from __future__ import annotations

import inspect
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from litestar import Request, get
from litestar.di import NamedDependency

from claimlog.api.http.filters import Name, parameter, sign
from claimlog.api.http.media_types import CSV, JSON, choose
from claimlog.api.http.operation import operation
from claimlog.api.http.responses import Answer, Page, Table
from claimlog.api.http.rows import csv_of, rows_of
from claimlog.api.http.schemas import Count
from claimlog.api.resources import Resources
from claimlog.store import Filter
from claimlog.store.model.filter import CONDITIONS
from claimlog.store.questions.asked import QUESTIONS
from claimlog.store.questions.columns import listed
from claimlog.store.questions.moments import in_utc

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from litestar.handlers import HTTPRouteHandler

    from claimlog.store.model.arguments import Argument
    from claimlog.store.questions.question import Question

_TAGS: Final = {
    **{"players": "players", "merges": "players"},
    **{"events": "events", "event-merges": "events", "puzzles": "puzzles"},
}
"""Tags of the operations by the first part of the path; the others are statistics."""


def _whole(question: Question[..., Any]) -> HTTPRouteHandler:
    """Return the operation that asks a question about the games of a filter."""
    ids = {f"{name}_id": name for name in question.places}
    path = question.path
    for id, name in ids.items():
        path = path.replace(f"{{{name}}}", f"{{{id}:str}}")
    # An argument that is also a condition of the filter is passed to both.
    common = [name for name in question.arguments if question.filtered and name in CONDITIONS]

    which = "mine" if question.alone else "which"

    def given(values: Mapping[str, Any]) -> dict[str, Any]:
        asked = {ids.get(name, name): _in_utc(value) for name, value in values.items()}
        if question.filtered:
            asked["filter"] = asked.pop(which)
        return asked | {name: getattr(asked["filter"], name) for name in common}

    own = [one for name, one in question.arguments.items() if name not in common]
    filter = [which] if question.filtered else []
    return _handler(question, path, question.operation, question.summary, filter, ids, own, given)


def _of_player(question: Question[..., Any]) -> HTTPRouteHandler:
    """Return the operation that asks the same question about a single player."""
    whose, (summary, defaults) = question.whose, question.of_player or ("", {})
    own = [
        replace(one, default=defaults.get(name, one.default))
        for name, one in question.arguments.items()
        if name != whose
    ]

    def given(values: Mapping[str, Any]) -> dict[str, Any]:
        others = {name: v for name, v in values.items() if name not in ("mine", "player_id")}
        return {"filter": values["mine"], whose or "": "player", **others}

    path = f"/players/{{player_id:str}}/{question.name}"
    name = f"player_{question.name.replace('-', '_')}"
    return _handler(question, path, name, summary, ["mine"], ["player_id"], own, given)


def _handler(
    question: Question[..., Any],
    path: str,
    name: str,
    summary: str,
    filter: list[str],
    ids: Iterable[str],
    arguments: list[Argument],
    given: Callable[[Mapping[str, Any]], dict[str, Any]],
) -> HTTPRouteHandler:
    """Return a handler with a question's arguments, which `given` converts for the question."""
    paged = "cursor" in question.arguments
    statistic = question.path.startswith(("/stats/", "/explorer"))

    async def handle(
        resources: Resources, request: Any = None, **values: Any
    ) -> Answer[Any] | Table:
        form = choose(request.headers.get("accept", ""), (JSON, CSV)) if statistic else JSON
        asked = question.put_together(given(values))
        ask = getattr(resources.archive, question.__name__)
        answer = await resources.read(lambda: ask(**asked))
        if form == CSV:
            rows = rows_of(question.answers, answer)
            return Table(csv_of(rows, listed(question.answers)[1]))
        return Page(answer, request, answer.cursor) if paged else Answer(answer)

    parameters = [
        *([_parameter("request", Request)] if paged or statistic else []),
        _parameter("resources", NamedDependency[Resources]),
        *(_parameter(one, NamedDependency[Filter]) for one in filter),
        *(_parameter(one, Name) for one in ids),
        *map(parameter, arguments),
    ]
    kind: Any = (Page if paged else Answer)[question.answers]
    handle.__name__, handle.__doc__ = name, summary
    sign(handle, parameters, kind | Table if statistic else kind)
    tag = _TAGS.get(path.split("/")[1], "statistics")
    return get(path, tags=[tag], opt=operation(cache=question.kept, errors=question.errors))(handle)


def _in_utc(value: Any) -> Any:
    """Return a moment in UTC; other values unchanged."""
    return in_utc(value).replace(tzinfo=UTC) if isinstance(value, datetime) else value


def _parameter(name: str, annotation: Any) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=annotation)


@get("/stats/count", tags=["statistics"], opt=operation())
async def count(
    resources: NamedDependency[Resources], which: NamedDependency[Filter]
) -> Answer[Count]:
    """The number of games."""
    games = await resources.read(lambda: resources.archive.count(which))
    return Answer(Count(games=games))


HANDLERS: Final[list[HTTPRouteHandler]] = [
    count,
    *map(_whole, QUESTIONS),
    *(_of_player(one) for one in QUESTIONS if one.of_player),
]
"""The handlers of this module."""
