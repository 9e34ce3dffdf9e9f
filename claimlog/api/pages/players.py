"""Pages about players: the list, and a profile."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Final

import msgspec
from litestar import Request, Response, get
from litestar.di import NamedDependency
from litestar.params import QueryParameter

from claimlog.api.http.filters import Cursor, Name, Search
from claimlog.api.pages.answering import READ, Place, list_page, listed
from claimlog.api.resources import Resources
from claimlog.language import site_words
from claimlog.store.model.errors import BadQuery, PackageMissing
from claimlog.store.model.filter import Filter, PlayerSort
from claimlog.store.model.types import NamedRate

if TYPE_CHECKING:
    from litestar.handlers import HTTPRouteHandler

    from claimlog.store.questions.rated import RatingStep

SORTS: Final[tuple[PlayerSort, ...]] = ("games", "name", "rate", "rating", "last")
GAMES: Final = 10
SHOWN: Final = 12
"""Opponents, partners and events on a profile."""
MOST_RATED: Final = 10_000
"""The most games for which a profile shows ratings; computing them takes under half a second."""
OF_A_PLAYER: Final = (
    *("by_seat", "by_seats", "with_faction", "factions_won", "opponents", "partners", "events"),
)
"""The results of a profile."""


@get("/players", opt=READ)
async def players(
    request: Request[Any, Any, Any],
    resources: NamedDependency[Resources],
    search: Search = "",
    sort: Annotated[PlayerSort, QueryParameter(description="The order.")] = "games",
    cursor: Cursor = None,
) -> Response[bytes]:
    """All players."""
    place = Place(request, ("search", "sort", "cursor"))
    return await list_page(place, resources, "players", sort, search, cursor)


@get("/players/{player_id:str}", opt=READ)
async def player(
    request: Request[Any, Any, Any], resources: NamedDependency[Resources], player_id: Name
) -> Response[bytes]:
    """One player."""
    place = Place(request)
    archive = resources.archive

    def look() -> Response[bytes]:
        full = resources.stale_cache.get(
            ("player", player_id), lambda: archive.player_in_full(player_id, games=GAMES)
        )
        profile = full.profile
        luck = resources.stale_cache.get(
            ("luck", player_id), lambda: archive.luck_stats(Filter(player=profile.player.id))
        )
        history: dict[str, list[RatingStep]] = {}
        with suppress(BadQuery, PackageMissing):  # too many games, or the package is missing
            history = resources.stale_cache.get(
                "ratings", lambda: archive.rating_histories(most=MOST_RATED)
            )
        words = site_words(place.language)
        moments = [
            NamedRate(key=name, label=words(f"site.when.{name}"), result=getattr(profile, name))
            for name in ("leading", "following", "phase1_won", "phase1_lost")
        ]
        return place.page(
            "player.html",
            here="players",
            rows=(
                {"of": name, **msgspec.to_builtins(row)}
                for name in OF_A_PLAYER
                for row in getattr(profile, name)
            ),
            profile=_cut(profile),
            moments=moments,
            games=full.games,
            overruled=archive.overruled(full.games),
            streaks=full.streaks,
            performance=full.performance,
            history=history.get(profile.player.id),
            luck=next((row for row in luck if row.id == profile.player.id), None),
        )

    return await resources.read(look)


def _cut(profile: Any) -> Any:
    """Return a profile with no more rows than a page shows."""
    return msgspec.structs.replace(
        profile,
        **{name: getattr(profile, name)[:SHOWN] for name in ("opponents", "partners", "events")},
    )


AHEAD: Final = tuple(partial(listed, kind="players", sort=sort) for sort in SORTS)
"""Computed in advance: the orders that the page offers."""
HANDLERS: Final[list[HTTPRouteHandler]] = [players, player]
"""The handlers of this module."""
