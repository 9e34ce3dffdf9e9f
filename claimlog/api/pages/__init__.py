"""The pages for people: what the API answers, as HTML from the templates of `claimlog.web`.

Their addresses are those of the API without its version (`claimlog.api.layers.addresses`).
"""

from __future__ import annotations

from typing import Final

from litestar import Router

from claimlog.api.layers.addresses import PAGES
from claimlog.api.pages import events, factions, games, home, players, statistics

__all__ = ["ROUTER"]

ROUTER: Final = Router(
    PAGES,
    route_handlers=[
        *home.HANDLERS,
        *games.HANDLERS,
        *players.HANDLERS,
        *events.HANDLERS,
        *statistics.HANDLERS,
        *factions.HANDLERS,
    ],
    include_in_schema=False,
)
"""All pages."""
