"""The pages for people: the API's answers as HTML, from the templates of `claimlog.web`.

Their addresses are those of the API without its version (`claimlog.api.layers.addresses`).
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from litestar import Router

from claimlog.api.http.addresses import PAGES
from claimlog.api.pages import (
    desk,
    events,
    factions,
    games,
    home,
    moments,
    players,
    puzzles,
    statistics,
    worth,
)

if TYPE_CHECKING:
    from litestar.handlers import HTTPRouteHandler

    from claimlog.api.resources import Resources

__all__ = ["HANDLERS", "ROUTER", "look_ahead"]

FEWEST: Final = 20_000
"""Games; a smaller archive answers without noticeable delay."""

HANDLERS: Final[list[HTTPRouteHandler]] = [
    *home.HANDLERS,
    *games.HANDLERS,
    *moments.HANDLERS,
    *worth.HANDLERS,
    *players.HANDLERS,
    *events.HANDLERS,
    *desk.HANDLERS,
    *statistics.HANDLERS,
    *puzzles.HANDLERS,
    *factions.HANDLERS,
]
"""The handlers of all pages."""
ROUTER: Final = Router(PAGES, route_handlers=HANDLERS, include_in_schema=False)
"""Where the pages are inside the server."""


def look_ahead(resources: Resources) -> None:
    """Compute the answers that most visitors want first and that take long, in advance."""
    if resources.archive.count() >= FEWEST:
        for module in (home, events, players, statistics, factions):
            for find in module.AHEAD:
                resources.later(partial(find, resources))
