"""Pages about games: the search, and one game with its viewer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final
from urllib.parse import quote, urlencode

import msgspec
from litestar import Request, Response, get
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException
from litestar.params import PathParameter, QueryParameter

from claimlog.api.http.filters import Cursor, GameId
from claimlog.api.http.meant import conditions_in
from claimlog.api.http.media_types import JSON
from claimlog.api.pages import pictures
from claimlog.api.pages.answering import READ, Place
from claimlog.api.resources import Resources
from claimlog.directing.board import stands
from claimlog.language import site_words
from claimlog.notation.marks import FOR_THE_DIRECTOR, with_nothing_left
from claimlog.replay.narration import Narrator
from claimlog.replay.recorder import replay_text
from claimlog.replay.viewpoint import Viewpoint
from claimlog.store import Filter, Sort
from claimlog.store.model.filter import CONDITIONS
from claimlog.web import replay
from claimlog.web.comments import record_to_comment

if TYPE_CHECKING:
    from litestar.handlers import HTTPRouteHandler

    from claimlog.game import Game
    from claimlog.store import Archive
    from claimlog.store.model.types import StoredGame

LIMIT: Final = 50
TELLING: Final = ("Result", "Votes", "Termination")
"""Tags that reveal how a game ended."""


@get("/games", opt=READ)
async def games(
    request: Request[Any, Any, Any],
    resources: NamedDependency[Resources],
    which: NamedDependency[Filter],
    sort: Annotated[Sort, QueryParameter(description="The order.")] = "newest",
    cursor: Cursor = None,
) -> Response[bytes]:
    """The search; all conditions are in the address.

    With `results=hidden` no results are shown.
    """
    place = Place(request, (*CONDITIONS, "sort", "cursor", "results"))

    def look() -> Response[bytes]:
        page = resources.archive.games(which, sort=sort, limit=LIMIT, cursor=cursor, total=True)
        return place.page(
            "games.html",
            here="games",
            page=page,
            overruled=resources.archive.overruled(page.games),
            sort=sort,
            first=cursor is None,
            hidden=place.results_hidden,
            listed=_listed(place),
            whole_query=place.data_query("cursor"),
            meant=None if page.games else _meant(place, resources, which),
            **place.form("sort", "results"),
        )

    return await resources.read(look)


def _meant(
    place: Place, resources: Resources, which: Filter
) -> tuple[str, dict[str, str], int] | None:
    """Return other conditions a text without matches may mean: address, conditions, games."""
    conditions = conditions_in(" ".join(place.values("text")))
    if not conditions:
        return None
    asked: dict[str, Any] = {"text": None, **conditions}
    other = msgspec.structs.replace(which, **asked)
    total = resources.archive.games(other, limit=1, total=True).total
    return (place.with_query(cursor=None, **asked), conditions, total) if total else None


@get("/games/{game:str}", opt=READ)
async def game(
    request: Request[Any, Any, Any],
    resources: NamedDependency[Resources],
    which: NamedDependency[Filter],
    game: GameId,
    sort: Annotated[Sort | None, QueryParameter(description="The order of the list.")] = None,
) -> Response[bytes]:
    """One game to step through, with its details; `t` is the moment to begin at.

    The conditions select a list: the previous and next game are those in that list.
    """
    place = Place(request, (pictures.MOMENT, *CONDITIONS, "sort"))
    at = pictures.moment_of(request.query_params.get(pictures.MOMENT, ""))
    return await _shown(resources, place, game, at, which, sort)


@get("/games/{game:str}/{moment:str}", opt=READ)
async def moment(
    request: Request[Any, Any, Any],
    resources: NamedDependency[Resources],
    which: NamedDependency[Filter],
    game: GameId,
    moment: Annotated[str, PathParameter(description="The moment: `17` or `17.2`.")],
    sort: Annotated[Sort | None, QueryParameter(description="The order of the list.")] = None,
) -> Response[bytes]:
    """One moment of a game; a link to it shows that moment's cards in a chat."""
    place = Place(request, (*CONDITIONS, "sort"))
    if not pictures.is_moment(moment):
        raise NotFoundException
    return await _shown(resources, place, game, moment, which, sort)


async def _shown(
    resources: Resources, place: Place, game: str, at: str, which: Filter, sort: Sort | None
) -> Response[bytes]:
    drawn_at = f"?{pictures.MOMENT}={at}" if at else ""
    archive = resources.archive
    # Links to other formats and the other language are those of the game.
    address = place.path = f"/games/{quote(game, safe='')}"

    def look() -> Response[bytes]:
        stored = archive.game(game)
        words = site_words(place.language)
        played = _decided(archive, stored, stored.game())
        narrator = Narrator(Viewpoint(played, None, words), words)
        row = stored.row
        chosen, order, listed = which, sort or "newest", True
        if which == Filter():
            # By default the list is the game's round.
            chosen = Filter(event=row.event_id, round=row.round)
            order, listed = "table", bool(row.event_id and row.round)
        suffix = f"?{kept}" if (kept := _listed(place)) else ""
        before, after = archive.neighbours(game, chosen, sort=order) if listed else (None, None)
        return place.page(
            "game.html",
            here="games",
            data_query="",
            title=_sides(narrator),
            description=narrator.title(),
            viewer=replay.embedded(
                played,
                views=replay.all_views(played)[:1],
                language=place.language,
                more=f"{address}/views?lang={place.language}",
                worth=address,
                at=at,
            ),
            viewer_head=replay.head(),
            picture=f"{place.origin}{pictures.PATH}/{game}{drawn_at}"
            if pictures.can_draw() and played.tricks
            else "",
            row=row,
            overruled=archive.overruled([row]).get(row.id),
            before=before and f"/games/{before}{suffix}",
            after=after and f"/games/{after}{suffix}",
            tags=[
                (narrator.tag(name), narrator.value(name, value))
                for name, value in played.tags.items()
                if name not in TELLING
            ],
            telling=[
                (narrator.tag(name), narrator.value(name, value))
                for name, value in played.tags.items()
                if name in TELLING
            ],
            record=stored.record,
            revisions=archive.revisions(game),
        )

    return await resources.read(look)


@get("/games/{game:str}/views", opt=READ)
async def views(
    request: Request[Any, Any, Any], resources: NamedDependency[Resources], game: GameId
) -> Response[bytes]:
    """A game in all views, for the viewer on its page, which begins with one of them."""
    place = Place(request)
    archive = resources.archive

    def look() -> Response[bytes]:
        stored = archive.game(game)
        own = stored.game()
        played = _decided(archive, stored, own)
        data = replay.replay_data(
            played, views=replay.all_views(played), languages=(place.language,)
        )
        record = None if archive.read_only else record_to_comment(own)
        data["record"] = record and {**record, "revision": stored.row.revision}
        return Response(msgspec.json.encode(data), media_type=JSON)

    return await resources.read(look)


def _decided(archive: Archive, stored: StoredGame, own: Game) -> Game:
    """Return a game to show: `own`, or without what was left to a director who let it stand."""
    event = stored.row.event_id
    asked = FOR_THE_DIRECTOR in stored.record
    if asked and event and archive.directed(event) and stands(archive.desk(event), stored.row.id):
        return next(replay_text(with_nothing_left(stored.record)))
    return own


def _listed(place: Place) -> str:
    """Return the arguments that select the list around a game, for its address."""
    return urlencode([pair for pair in place.arguments if pair[0] in (*CONDITIONS, "sort")])


def _sides(narrator: Narrator) -> str:
    """Return who plays against whom."""
    viewpoint = narrator.viewpoint
    return " – ".join(
        " & ".join(narrator.names[seat] for seat in viewpoint.members(side))
        for side in range(1, viewpoint.sides + 1)
    )


HANDLERS: Final[list[HTTPRouteHandler]] = [games, game, moment, views]
"""The handlers of this module."""
