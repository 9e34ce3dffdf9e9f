"""Pages of statistics, and the explorer."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Final, get_args

from litestar import Request, Response, get
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, QueryParameter

from claimlog.api.handlers.stats import (
    After,
    By,
    Groups,
    MoveOrder,
    Phase,
    Trick,
    Turned,
    context_of,
)
from claimlog.api.pages.answering import READ, Place
from claimlog.api.resources import Resources
from claimlog.store import Archive, Filter
from claimlog.store.model.filter import CONDITIONS
from claimlog.store.model.types import Context, Grouping, LeadStats

if TYPE_CHECKING:
    from litestar.handlers import HTTPRouteHandler

    from claimlog.store.model.types import Explorer

KINDS: Final = ("factions", "upcards", "cards", "results", "leads", "lead-lengths", "times")
"""The statistics that have a page."""
_ALL: Final = Filter()
_ANYWHEN: Final = Context()
MOST: Final = 100
"""Groups on a page."""
MOVES: Final = 40
"""Moves of the explorer on a page, unless all are wanted."""
LEADS: Final = ("first_lead", "phase1_last", "phase1_most", "phase2_first", "trick_won")
"""What is told of leads."""
_OF_A_PLAYER: Final = ("opponent", "partner")
"""Groupings that want a player in the filter."""


def _asked(archive: Archive, kind: str, which: Filter, by: Grouping) -> Any:
    """The rows of one statistic."""
    match kind:
        case "factions":
            return sorted(archive.faction_stats(which), key=_worth, reverse=True)
        case "upcards":
            return archive.upcard_stats(which, sort="worth")
        case "cards":
            return archive.card_stats(which)
        case "results":
            return archive.result_stats(by, which)
        case "leads":
            return archive.lead_stats(which)
        case "lead-lengths":
            return archive.lead_lengths(which)
        case "times":
            return archive.time_stats(which)
    raise NotFoundException


def _rows(found: Any) -> list[Any]:
    """The rows of a statistic: a list, or what is listed in it."""
    if isinstance(found, LeadStats):
        return [{"of": name, "result": getattr(found, name)} for name in LEADS]
    for name in ("groups", "lengths", "by_seats"):
        if not isinstance(found, list) and hasattr(found, name):
            rows: list[Any] = getattr(found, name)
            return rows
    return list(found)


def _worth(row: Any) -> float:
    return row.worth.rate or 0.0


def found(resources: Resources, kind: str, by: Grouping = "seat", which: Filter = _ALL) -> Any:
    """The rows of one statistic, as new as `StaleWhileRevalidate` has them."""
    return resources.stale_cache.get(
        ("stats", kind, by, which), lambda: _asked(resources.archive, kind, which, by)
    )


@get("/stats/{kind:str}", opt=READ)
async def stats(
    request: Request[Any, Any, Any],
    resources: NamedDependency[Resources],
    which: NamedDependency[Filter],
    kind: FromPath[str],
    by: Groups = "seat",
) -> Response[bytes]:
    """One statistic over the games of a filter."""
    place = Place(request, (*CONDITIONS, *(("by",) if kind == "results" else ())))
    archive = resources.archive

    def look() -> Response[bytes]:
        rows = found(resources, kind, by, which)
        return place.page(
            "stats.html",
            here="stats",
            rows=_rows(rows),
            found=rows,
            kind=kind,
            kinds=KINDS,
            by=by,
            groupings=[
                one for one in get_args(Grouping) if which.player or one not in _OF_A_PLAYER
            ],
            games=archive.count(which),
            most=MOST,
            leads=LEADS,
            **place.form("by", tied=_OF_A_PLAYER),
        )

    return await resources.read(look)


def _explored(
    resources: Resources,
    query: str = "",
    context: Context = _ANYWHEN,
    which: Filter = _ALL,
    by: By = "anybody",
    sort: MoveOrder = "share",
) -> Explorer:
    return resources.stale_cache.get(
        ("explorer", query),
        lambda: resources.archive.explore(context, which, by=by, sort=sort),
    )


@get("/explorer", opt=READ)
async def explorer(
    request: Request[Any, Any, Any],
    resources: NamedDependency[Resources],
    which: NamedDependency[Filter],
    trick: Trick = None,
    phase: Phase = None,
    turned: Turned = None,
    after: After = None,
    by: By = "anybody",
    sort: MoveOrder = "share",
    everything: Annotated[
        bool, QueryParameter(name="all", description="All moves, however many.")
    ] = False,
) -> Response[bytes]:
    """What was played in a moment of a trick, and how it went."""
    own = ("trick", "phase", "turned", "after", "by", "sort", "all")
    place = Place(request, (*CONDITIONS, *own))
    context = context_of(which, trick, phase, turned, after)

    def look() -> Response[bytes]:
        answer = _explored(resources, place.query, context, which, by, sort)
        return place.page(
            "explorer.html",
            here="explorer",
            rows=answer.moves,
            context=context,
            answer=answer,
            sort=sort,
            most=len(answer.moves) if everything else MOVES,
            **place.form(*own, tied=("player",)),
        )

    return await resources.read(look)


AHEAD: Final = (*(partial(found, kind=kind) for kind in KINDS), _explored)
"""What is found before somebody asks."""
HANDLERS: Final[list[HTTPRouteHandler]] = [stats, explorer]
"""What is answered here."""
