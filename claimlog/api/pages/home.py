"""The home page: what is going on."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from litestar import Request, Response, get
from litestar.di import NamedDependency

from claimlog.api import directed
from claimlog.api.pages.answering import LIVE, Place
from claimlog.api.resources import Resources
from claimlog.api.tables.live import DAMAGED
from claimlog.replay.course import legal, to_act
from claimlog.replay.viewpoint import Viewpoint
from claimlog.store import Filter

if TYPE_CHECKING:
    from collections.abc import Callable

    from litestar.handlers import HTTPRouteHandler

    from claimlog.api.tables.schemas import TableRow
    from claimlog.store import Archive
    from claimlog.store.model.types import EventPage

GAMES: Final = 12
EVENTS: Final = 8
CHOICE: Final = 50
"""How many of the latest games can become the game of the day."""
TABLES: Final = 24


async def live_tables(
    resources: Resources, accepts: Callable[[TableRow], bool] = lambda _: True
) -> list[TableRow]:
    """Return the tables with a game in progress, and damaged ones, the newest first.

    Behind them come those whose game is played later, begun or not.
    """
    rows = [
        await resources.tables.row(one)
        for one in resources.tables.all()
        if one.state in ("open", DAMAGED)
    ]
    rows = [
        await directed.named(resources, row)
        for row in rows
        if not row.over and accepts(row) and not await directed.left(resources, row)
    ]
    rows = [row for row in rows if row.state == DAMAGED or row.number or row.adjourned]
    return sorted(rows, key=lambda row: row.adjourned)[:TABLES]


@get("/", opt=LIVE)
async def home(
    request: Request[Any, Any, Any], resources: NamedDependency[Resources]
) -> Response[bytes]:
    """What is going on: live tables, the last games, events."""
    place = Place(request)
    archive = resources.archive
    live = await live_tables(resources)

    def look() -> Response[bytes]:
        games = archive.games(sort="-date", limit=GAMES, total=True)
        return place.page(
            "home.html",
            live=live,
            today=_of_the_day(resources),
            games=games,
            overruled=archive.overruled(games.games),
            events=_events(resources).events,
            name=archive.shown,
        )

    return await resources.read(look)


class OfTheDay(NamedTuple):
    """A moment of a game with a choice of cards; `at` is the moment as in its address."""

    id: str
    at: str
    seat: int
    name: str


def _of_the_day(resources: Resources) -> OfTheDay | None:
    """Return the game of the day, chosen from the latest games."""
    day = date.today()
    return resources.stale_cache.get(
        ("today", day), lambda: _chosen(resources.archive, day.toordinal())
    )


def _chosen(archive: Archive, number: int) -> OfTheDay | None:
    rows = archive.games(Filter(complete=True), sort="-date", limit=CHOICE).games
    if not rows:
        return None
    row = rows[number % len(rows)]
    viewpoint = Viewpoint(archive.game(row.id).game())
    first = viewpoint.phase_tricks + 1 + number % (viewpoint.phase_tricks // 2)
    for trick in range(first, viewpoint.last + 1):
        for played in range(viewpoint.plays(trick)):
            position = viewpoint.at(trick, played)
            seat = to_act(viewpoint, position)
            if seat is not None and len(legal(viewpoint, position) or ()) > 1:
                at = f"{trick}.{played}" if played else f"{trick}"
                return OfTheDay(row.id, at, seat, viewpoint.name(seat))
    return None


def _events(resources: Resources) -> EventPage:
    return resources.stale_cache.get("events", lambda: resources.archive.events(limit=EVENTS))


AHEAD: Final = (_events, _of_the_day)
"""Computed in advance."""
HANDLERS: Final[list[HTTPRouteHandler]] = [home]
"""The handlers of this module."""
