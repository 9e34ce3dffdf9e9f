"""Pages of statistics, and the explorer."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Final, get_args

from litestar import Request, Response, get
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, QueryParameter

from claimlog.api.http.filters import asked_with
from claimlog.api.http.rows import LEADS, rows_of
from claimlog.api.pages.answering import READ, Place
from claimlog.api.resources import Resources
from claimlog.store import Filter
from claimlog.store.model.filter import CONDITIONS, By
from claimlog.store.questions.asked import QUESTIONS, Asked
from claimlog.store.questions.columns import columns, listed
from claimlog.store.questions.explorer import ExplorerMove

if TYPE_CHECKING:
    from litestar.handlers import HTTPRouteHandler

    from claimlog.store.questions.explorer import Explorer

STATISTICS: Final = {one.name: one for one in QUESTIONS if one.title}
"""The statistics that have a page."""
_ALL: Final = Filter()
MOST: Final = 100
"""The most groups on a page."""
MOVES: Final = 40
"""Moves of the explorer on a page, unless all are requested."""
_OF_A_PLAYER: Final = ("opponent", "partner")
"""Groupings that need a player in the filter."""
_ASKED: Final[dict[str, dict[str, Any]]] = {"upcards": {"sort": "worth"}}
"""The arguments of a statistic on its page that differ from the defaults."""


def _worth(row: Any) -> float:
    return row.worth.rate or 0.0


def answer_to(resources: Resources, kind: str, which: Filter = _ALL, **given: Any) -> Any:
    """Return the answer to one statistic, cached by `StaleWhileRevalidate`."""

    def ask() -> Any:
        question = getattr(resources.archive, STATISTICS[kind].__name__)
        answer = question(filter=which, **_ASKED.get(kind, {}), **given)
        return sorted(answer, key=_worth, reverse=True) if kind == "factions" else answer

    return resources.stale_cache.get(("stats", kind, which, *given.values()), ask)


def _groupings(kind: str) -> tuple[str, ...]:
    """Return the groupings that a statistic's page offers."""
    one = STATISTICS[kind].arguments.get("by")
    return () if one is None or one.kind is By else get_args(one.kind)


@get("/stats/{kind:str}", opt=READ)
async def stats(
    request: Request[Any, Any, Any],
    resources: NamedDependency[Resources],
    which: NamedDependency[Filter],
    kind: FromPath[str],
    by: Annotated[str, QueryParameter(description="What to group by.")] = "",
) -> Response[bytes]:
    """One statistic over the games of a filter."""
    if kind not in STATISTICS:
        raise NotFoundException
    groupings = _groupings(kind)
    own = ("by",) if groupings else ()
    if groupings and by not in groupings:
        by = STATISTICS[kind].arguments["by"].default
    place = Place(request, (*CONDITIONS, *own))
    archive = resources.archive

    def look() -> Response[bytes]:
        answer = answer_to(resources, kind, which, **dict.fromkeys(own, by))
        rows = rows_of(STATISTICS[kind].answers, answer)
        row = listed(STATISTICS[kind].answers)[1]
        return place.page(
            "stats.html",
            here="stats",
            rows=rows,
            listing=row,
            answer=answer,
            listed=rows,
            columns=columns(row),
            kind=kind,
            statistics=STATISTICS,
            by=by,
            groupings=[one for one in groupings if which.player or one not in _OF_A_PLAYER],
            games=archive.count(which),
            most=MOST,
            leads=LEADS,
            **place.form("by", tied=_OF_A_PLAYER),
        )

    return await resources.read(look)


_CHOSEN: Final = ("trick", "phase", "turned", "after", "by", "sort")
"""The explorer's arguments that its page has."""


def _explored(
    resources: Resources, query: str = "", which: Filter = _ALL, **given: Any
) -> Explorer:
    def ask() -> Explorer:
        return resources.archive.explore(filter=which, **Asked.explore.put_together(given))

    return resources.stale_cache.get(("explorer", query), ask)


@get("/explorer", opt=READ)
@asked_with([Asked.explore.arguments[name] for name in _CHOSEN])
async def explorer(
    request: Request[Any, Any, Any],
    resources: NamedDependency[Resources],
    which: NamedDependency[Filter],
    everything: Annotated[
        bool, QueryParameter(name="all", description="All moves, however many.")
    ] = False,
    **chosen: Any,
) -> Response[bytes]:
    """What was played at a moment of a trick, and how it turned out."""
    own = (*_CHOSEN, "all")
    place = Place(request, (*CONDITIONS, *own))

    def look() -> Response[bytes]:
        answer = _explored(resources, place.query, which, **chosen)
        return place.page(
            "explorer.html",
            here="explorer",
            rows=answer.moves,
            listing=ExplorerMove,
            context=answer.context,
            answer=answer,
            sort=chosen["sort"],
            most=len(answer.moves) if everything else MOVES,
            **place.form(*own, tied=("player",)),
        )

    return await resources.read(look)


AHEAD: Final = (
    *(partial(answer_to, kind=kind) for kind in STATISTICS if kind not in ("results", "ratings")),
    partial(answer_to, kind="results", by="seat"),
    _explored,
)
"""Computed in advance."""
HANDLERS: Final[list[HTTPRouteHandler]] = [stats, explorer]
"""The handlers of this module."""
