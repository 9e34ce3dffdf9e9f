"""Pictures of games and tables, for links in chats (Open Graph): PNG, or SVG without an extra."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from functools import lru_cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Annotated, Any, Final

import segno
from litestar import Request, Response, get
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException
from litestar.params import PathParameter, QueryParameter

from claimlog.api.http.filters import GameId
from claimlog.api.http.languages import language_of
from claimlog.api.http.problem import ApiError
from claimlog.api.pages.answering import LIVE, READ
from claimlog.api.resources import Resources
from claimlog.api.tables.live import SPECTATOR
from claimlog.draw import picture
from claimlog.game import Trick
from claimlog.language import words
from claimlog.replay.recorder import replay_text
from claimlog.replay.viewpoint import SPECTATOR as ONLOOKER
from claimlog.replay.viewpoint import Position, Viewpoint
from claimlog.web.site import Preview

if TYPE_CHECKING:
    from litestar.handlers import HTTPRouteHandler

    from claimlog.game import Game
    from claimlog.language import Words

PATH: Final = "/pictures"
MOMENT: Final = "t"
"""The argument that selects a moment: a trick, and after a dot the number of its plays."""
_MOMENT: Final = re.compile(r"([1-9]\d?)(?:\.(\d))?", re.ASCII)
_KEPT: Final = 32
"""Pictures that are cached, because many people fetch a link in a chat."""
_DAY: Final = "public, max-age=86400"


def can_draw() -> bool:
    """Whether the extra `pictures` is installed."""
    return find_spec("resvg_py") is not None and find_spec("matplotlib") is not None


@get(f"{PATH}/{{game:str}}", opt=READ, include_in_schema=False)
async def game_picture(
    request: Request[Any, Any, Any], resources: NamedDependency[Resources], game: GameId
) -> Response[bytes]:
    """A stored game at a moment, by default with the first trick of Phase 2 on the table."""
    at = moment_of(request.query_params.get(MOMENT, ""))
    language = language_of(request)
    body = await resources.read(lambda: _drawn(resources.archive.game(game).record, language, at))
    return answered(body)


@get(f"{PATH}/{{game:str}}/table", opt=READ, include_in_schema=False)
async def table_picture(
    request: Request[Any, Any, Any],
    resources: NamedDependency[Resources],
    game: GameId,
    seat: Annotated[int | None, QueryParameter(description="Whose eyes.", ge=1, le=4)] = None,
) -> Response[bytes]:
    """The whole table at a moment as a seat saw it, as SVG."""
    at = moment_of(request.query_params.get(MOMENT, "")) or "1"
    say = words(language_of(request))

    def look() -> bytes:
        played = resources.archive.game(game).game()
        viewpoint = Viewpoint(played, seat if seat and seat <= played.seats else None, say)
        if not viewpoint.last:
            raise NotFoundException
        trick, _, number = at.partition(".")
        position = viewpoint.at(min(int(trick), viewpoint.last), int(number or 0))
        return picture.position_svg(viewpoint, position, say).encode()

    return answered(await resources.read(look))


@get(f"{PATH}/tables/{{id:str}}", opt=LIVE, include_in_schema=False)
async def live_picture(
    request: Request[Any, Any, Any],
    resources: NamedDependency[Resources],
    id: Annotated[str, PathParameter(description="The table's id.")],
) -> Response[bytes]:
    """A table at which a game is being recorded, as spectators see it now."""
    record = await resources.tables.record(resources.tables.get(id), SPECTATOR)
    language = language_of(request)
    answer = answered(await resources.read(lambda: _watched(record, language)))
    answer.headers["Cache-Control"] = "no-cache"
    return answer


async def preview_of_table(resources: Resources, id: str) -> Preview | None:
    """Return what a shared link to a table shows: who plays and where; None if unknown."""
    live = resources.tables.known(id)
    if live is None:
        return None
    row = await resources.tables.row(live)
    place = [row.event, row.round and f"R{row.round}", row.table and f"T{row.table}"]
    return Preview(
        " – ".join(row.players),
        " · ".join(filter(None, place)),
        # Chats cache by address, so each trick and card has its own.
        f"{PATH}/tables/{id}?n={row.number}" if can_draw() else "",
    )


@get(f"{PATH}/{{game:str}}/qr", opt=READ, include_in_schema=False, sync_to_thread=False)
def qr(request: Request[Any, Any, Any], game: GameId) -> Response[bytes]:
    """The address of a game's page, or of a moment of it, as a QR code."""
    at = moment_of(request.query_params.get(MOMENT, ""))
    origin = str(request.base_url).rstrip("/")
    out = io.BytesIO()
    code = segno.make(f"{origin}/games/{game}{'/' if at else ''}{at}", error="m", micro=False)
    code.save(out, kind="svg", xmldecl=False, scale=5, light="white")
    return answered(out.getvalue())


def is_moment(text: str) -> bool:
    """Whether a text names a moment, as ``17`` or ``17.2``."""
    return bool(_MOMENT.fullmatch(text))


def moment_of(text: str) -> str:
    """Return the moment in `t`, as ``17`` or ``17.2``; "" if there is none.

    Raises ApiError for any other text.
    """
    if text and not is_moment(text):
        raise ApiError(400, "bad-query", "argument.moment", field=MOMENT)
    return text


def answered(body: bytes) -> Response[bytes]:
    """Return a picture as an answer."""
    headers = {"Cache-Control": _DAY, "Vary": "Accept-Language"}
    if body.startswith(b"<svg"):
        headers["Content-Security-Policy"] = "default-src 'none'; style-src 'unsafe-inline'"
        return Response(body, media_type="image/svg+xml", headers=headers)
    return Response(body, media_type="image/png", headers=headers)


@lru_cache(_KEPT)
def _drawn(record: str, language: str, at: str) -> bytes:
    return drawn(next(replay_text(record)), language, at)


def drawn(game: Game, language: str, at: str) -> bytes:
    """Return the picture of a game, `at` a moment if given; 404 if it has no trick."""
    say = words(language)
    viewpoint = Viewpoint(game, None, say)
    if not viewpoint.last:
        raise NotFoundException
    if asked := _MOMENT.fullmatch(at):
        trick, played = min(int(asked[1]), viewpoint.last), int(asked[2] or 0)
    else:
        trick = min(viewpoint.phase_tricks + 1, viewpoint.last)
        # By default the end of the game is not revealed.
        played = viewpoint.plays(trick) - (trick == viewpoint.last)
    return _preview(viewpoint, viewpoint.at(trick, played), say)


@lru_cache(_KEPT)
def _watched(record: str, language: str) -> bytes:
    """Return the picture of the last trick spectators see, without the card that ends the game."""
    say, game = words(language), next(replay_text(record))
    if not game.tricks:
        game = replace(game, tricks=[Trick(number=1, leader=game.leader)])
    viewpoint = Viewpoint(game, ONLOOKER, say)
    played = viewpoint.plays(viewpoint.last) - game.complete
    return _preview(viewpoint, viewpoint.at(viewpoint.last, played), say)


def _preview(viewpoint: Viewpoint, position: Position, say: Words) -> bytes:
    if not can_draw():
        return picture.preview_svg(viewpoint, position, say).encode()
    from claimlog.draw.png import open_graph_png

    return open_graph_png(viewpoint, position, say)


HANDLERS: Final[list[HTTPRouteHandler]] = [game_picture, table_picture, live_picture, qr]
"""The handlers of this module."""
