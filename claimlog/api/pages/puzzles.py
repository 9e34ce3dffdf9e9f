"""Pages of puzzles: the list, one puzzle, the puzzle of a day."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Annotated, Any, Final
from urllib.parse import urlencode

import msgspec
from litestar import Request, Response, get
from litestar.di import NamedDependency
from litestar.params import QueryParameter

from claimlog.api.http.filters import Cursor, Name
from claimlog.api.http.media_types import JSON
from claimlog.api.http.problem import ApiError
from claimlog.api.pages.answering import LIVE, READ, Place
from claimlog.api.resources import Resources
from claimlog.language import site_words
from claimlog.store import Filter, NotFound
from claimlog.store.questions.puzzles import PuzzleRow, day_of
from claimlog.web import puzzles as shown

if TYPE_CHECKING:
    from litestar.handlers import HTTPRouteHandler

    from claimlog.game import Game
    from claimlog.store import Archive
    from claimlog.store.questions.puzzles import StoredPuzzle

LIMIT: Final = 50
CHOSEN: Final = ("level", "faction", "left")
"""The arguments that select puzzles."""

Level = Annotated[int | None, QueryParameter(ge=1, le=4, description="Only of this level.")]
Faction = Annotated[
    str | None, QueryParameter(max_length=1, description="Only with cards of this faction.")
]
Left = Annotated[
    int | None, QueryParameter(ge=3, le=8, description="Only with so many tricks to be played.")
]


@get("/puzzles", opt=LIVE)
async def puzzles(
    request: Request[Any, Any, Any],
    resources: NamedDependency[Resources],
    level: Level = None,
    faction: Faction = None,
    left: Left = None,
    cursor: Cursor = None,
) -> Response[bytes]:
    """The puzzles by level, faction and length."""
    place = Place(request, (*CHOSEN, "cursor"))
    archive = resources.archive

    def look() -> Response[bytes]:
        page = archive.puzzles(
            level=level, faction=faction, left=left, limit=LIMIT, cursor=cursor, total=True
        )
        return place.page(
            "puzzles.html",
            here="puzzles",
            rows=page.puzzles,
            listing=PuzzleRow,
            page=page,
            first=cursor is None,
            chosen={"level": level, "faction": faction and faction.upper(), "left": left},
            conditions=_conditions(place),
            state=_state(archive) if not page.total else "",
            name=archive.shown,
        )

    return await resources.read(look)


def _state(archive: Archive) -> str:
    """Return the reason why there are no puzzles."""
    if not archive.count(Filter(seats=(2,))):
        return "no-games"
    if archive.puzzles(limit=1).puzzles:
        return "none-such"
    if archive.read_only or archive.postgres is not None:
        return "analyse"
    return "coming" if archive.without_puzzles(1) else "none"


def _conditions(place: Place) -> str:
    """Return the selection, for the addresses of other pages."""
    return urlencode([pair for pair in place.arguments if pair[0] in CHOSEN])


@get("/puzzles/daily", opt=LIVE)
async def daily(
    request: Request[Any, Any, Any],
    resources: NamedDependency[Resources],
    date: Annotated[str, QueryParameter(max_length=10, description="The day, in UTC.")] = "",
) -> Response[bytes]:
    """The puzzle of a day."""
    place = Place(request, ("date",))
    archive = resources.archive

    def look() -> Response[bytes]:
        day = day_of(date)
        before, after = day - timedelta(days=1), day + timedelta(days=1)
        try:
            puzzle_of_day = archive.daily_puzzle(date=day.isoformat())
        except NotFound as error:
            if place.for_people and not date:
                return place.page(
                    "puzzles.html",
                    here="puzzles",
                    page=archive.puzzles(limit=1, total=True),
                    first=True,
                    chosen=dict.fromkeys(CHOSEN),
                    conditions="",
                    state=_state(archive),
                    name=archive.shown,
                )
            raise ApiError(404, "not-found", error.message) from error
        return _page(
            place,
            archive.game(puzzle_of_day.game).game(),
            puzzle_of_day,
            day=day.isoformat(),
            before=f"/puzzles/daily?date={before.isoformat()}",
            after=f"/puzzles/daily?date={after.isoformat()}" if after <= day_of("") else "",
        )

    return await resources.read(look)


@get("/puzzles/{puzzle_id:str}", opt=LIVE)
async def puzzle(
    request: Request[Any, Any, Any],
    resources: NamedDependency[Resources],
    puzzle_id: Name,
    level: Level = None,
    faction: Faction = None,
    left: Left = None,
) -> Response[bytes]:
    """One puzzle; the selection of the list determines the previous and the next one."""
    place = Place(request, CHOSEN)
    archive = resources.archive

    def look() -> Response[bytes]:
        stored = archive.puzzle(puzzle_id)
        conditions = _conditions(place)
        more = f"?{conditions}" if conditions else ""
        before, after = archive.puzzles_beside(stored.id, level=level, faction=faction, left=left)
        return _page(
            place,
            archive.game(stored.game).game(),
            stored,
            conditions=conditions,
            before=before and f"/puzzles/{before}{more}",
            after=after and f"/puzzles/{after}{more}",
        )

    return await resources.read(look)


def _page(
    place: Place,
    game: Game,
    puzzle_shown: StoredPuzzle,
    *,
    before: str,
    after: str,
    day: str = "",
    conditions: str = "",
) -> Response[bytes]:
    one = puzzle_shown.of(game)
    return place.page(
        "puzzle.html",
        here="puzzles",
        rows=[puzzle_shown],
        data_query=place.data_query(*CHOSEN),
        puzzle=puzzle_shown,
        one=shown.shown(one, place.language),
        board=shown.board(one, place.language),
        head=shown.head(),
        day=day,
        before=before,
        after=after,
        conditions=conditions,
        said=_said(place.language),
    )


def _said(language: str) -> dict[str, str]:
    """Return the script's texts, by the names of its attributes."""
    words = site_words(language)
    names = ("choose", "right", "wrong", "again", "failed", "busy", "back", "on")
    return {name: words(f"site.puzzle.say.{name}") for name in names}


@get("/puzzles/{puzzle_id:str}/line", opt=READ)
async def line(
    request: Request[Any, Any, Any],
    resources: NamedDependency[Resources],
    puzzle_id: Name,
    card: Annotated[str, QueryParameter(max_length=3, description="The card that is tried.")],
) -> Response[bytes]:
    """How the game continues after a card, with best play by both sides."""
    place = Place(request, ("card",))
    archive = resources.archive

    def look() -> Response[bytes]:
        stored = archive.puzzle(puzzle_id)
        one = stored.of(archive.game(stored.game).game())
        if one.tried(card) is None:
            raise ApiError(400, "bad-query", "puzzle.no-card", card=card, field="card")
        data = shown.line(one, card, place.language)
        return Response(msgspec.json.encode(data), media_type=JSON)

    return await resources.read(look)


HANDLERS: Final[list[HTTPRouteHandler]] = [puzzles, daily, puzzle, line]
"""The handlers of this module."""
