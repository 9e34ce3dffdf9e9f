"""The first page: what is going on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from litestar import Request, Response, get
from litestar.di import NamedDependency

from claimlog.api.pages.answering import LIVE, Place
from claimlog.api.resources import Resources
from claimlog.api.tables.live import DAMAGED

if TYPE_CHECKING:
    from collections.abc import Callable

    from litestar.handlers import HTTPRouteHandler

    from claimlog.api.tables.schemas import TableRow
    from claimlog.store.model.types import EventPage

GAMES: Final = 12
EVENTS: Final = 8
TABLES: Final = 24


async def live_tables(
    resources: Resources, wanted: Callable[[TableRow], bool] = lambda _: True
) -> list[TableRow]:
    """The tables at which something has been played and more is to come, the newest first."""
    rows = [
        await resources.tables.row(one)
        for one in resources.tables.all()
        if one.state in ("open", DAMAGED)
    ]
    rows = [row for row in rows if row.state == DAMAGED or (row.number and not row.over)]
    return [row for row in rows if wanted(row)][:TABLES]


@get("/", opt=LIVE)
async def home(
    request: Request[Any, Any, Any], resources: NamedDependency[Resources]
) -> Response[bytes]:
    """What is going on: live tables, the last games, events."""
    place = Place(request)
    archive = resources.archive
    live = await live_tables(resources)

    def look() -> Response[bytes]:
        return place.page(
            "home.html",
            live=live,
            games=archive.games(sort="-date", limit=GAMES, total=True),
            events=_events(resources).events,
            name=archive.path.name,
        )

    return await resources.read(look)


def _events(resources: Resources) -> EventPage:
    return resources.stale_cache.get("events", lambda: resources.archive.events(limit=EVENTS))


AHEAD: Final = (_events,)
"""What is found before somebody asks."""
HANDLERS: Final[list[HTTPRouteHandler]] = [home]
"""What is answered here."""
