"""Pages about factions: their powers and their worth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from litestar import Request, Response, get
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from claimlog.api.pages.answering import READ, Place
from claimlog.api.pages.statistics import answer_to
from claimlog.api.resources import Resources
from claimlog.cards import FACTIONS, LETTERS
from claimlog.rules.setup import RULINGS

if TYPE_CHECKING:
    from collections import Counter

    from litestar.handlers import HTTPRouteHandler


@get("/factions", opt=READ)
async def factions(request: Request[Any, Any, Any]) -> Response[bytes]:
    """All factions."""
    return Place(request).page("factions.html", here="factions", all=FACTIONS)


@get("/factions/{letter:str}", opt=READ)
async def faction(
    request: Request[Any, Any, Any], resources: NamedDependency[Resources], letter: FromPath[str]
) -> Response[bytes]:
    """One faction: its power, its cards, its worth."""
    place = Place(request)
    if len(letter) != 1 or letter.upper() not in LETTERS:
        raise NotFoundException
    one = FACTIONS[LETTERS.index(letter.upper())]

    def look() -> Response[bytes]:
        # A card can only be played if its faction is in the deck, so queries over all games serve
        # all factions.
        stats, cards, upcards = (
            answer_to(resources, kind) for kind in ("factions", "cards", "upcards")
        )
        return place.page(
            "faction.html",
            here="factions",
            one=one,
            games=_games(resources)[one.letter],
            stat=next((stat for stat in stats if stat.faction == one.letter), None),
            cards={row.card: row for row in cards},
            upcards={row.card: row for row in upcards},
            rulings={
                key: ruling.values for key, ruling in RULINGS.items() if ruling.about == one.letter
            },
        )

    return await resources.read(look)


def _games(resources: Resources) -> Counter[str]:
    """The number of games that have each faction in their deck."""
    return resources.stale_cache.get("games by faction", resources.archive.games_by_faction)


AHEAD: Final = (_games,)
"""Computed in advance."""
HANDLERS: Final[list[HTTPRouteHandler]] = [factions, faction]
"""The handlers of this module."""
