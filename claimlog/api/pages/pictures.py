"""Pictures of games for links in chats (Open Graph); they need the extra `pictures`."""

from __future__ import annotations

import re
from functools import lru_cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

from litestar import Request, Response, get
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException

from claimlog.api.http.filters import GameId
from claimlog.api.http.problem import ApiError
from claimlog.api.pages.answering import READ
from claimlog.api.resources import Resources
from claimlog.language import preferred, words
from claimlog.replay.recorder import replay_text
from claimlog.replay.viewpoint import Viewpoint

if TYPE_CHECKING:
    from litestar.handlers import HTTPRouteHandler

    from claimlog.game import Game

PATH: Final = "/pictures"
MOMENT: Final = "t"
"""The argument that says which moment is meant: a trick, and after a dot its plays."""
_MOMENT: Final = re.compile(r"([1-9]\d?)(?:\.(\d))?", re.ASCII)
_KEPT: Final = 32
"""Pictures that are kept: a link in a chat is fetched by many at once."""
_DAY: Final = "public, max-age=86400"


def can_draw() -> bool:
    """Whether the extra `pictures` is installed."""
    return find_spec("resvg_py") is not None and find_spec("matplotlib") is not None


@get(f"{PATH}/{{game:str}}", opt=READ, include_in_schema=False)
async def game_picture(
    request: Request[Any, Any, Any], resources: NamedDependency[Resources], game: GameId
) -> Response[bytes]:
    """A stored game at a moment, otherwise with the first trick of Phase 2 on the table."""
    check_can_draw()
    at = moment_of(request.query_params.get(MOMENT, ""))
    language = preferred(request.headers.get("accept-language", ""))
    body = await resources.read(lambda: _drawn(resources.archive.game(game).record, language, at))
    return answered(body)


def check_can_draw() -> None:
    """Raise ApiError without the extra `pictures`."""
    if not can_draw():
        raise ApiError(404, "not-found", "server.no-pictures")


def moment_of(text: str) -> str:
    """The moment that `t` asks for, as ``17`` or ``17.2``; "" if none.

    Raises ApiError for another text.
    """
    if text and not _MOMENT.fullmatch(text):
        raise ApiError(400, "bad-query", "argument.moment", field=MOMENT)
    return text


def answered(body: bytes) -> Response[bytes]:
    """A picture as an answer."""
    headers = {"Cache-Control": _DAY, "Vary": "Accept-Language"}
    return Response(body, media_type="image/png", headers=headers)


@lru_cache(_KEPT)
def _drawn(record: str, language: str, at: str) -> bytes:
    return drawn(next(replay_text(record)), language, at)


def drawn(game: Game, language: str, at: str) -> bytes:
    """The picture of a game, `at` a moment where one is asked for; 404 if it has no trick."""
    from claimlog.draw.png import open_graph_png

    say = words(language)
    viewpoint = Viewpoint(game, None, say)
    if not viewpoint.last:
        raise NotFoundException
    if asked := _MOMENT.fullmatch(at):
        trick = min(int(asked[1]), viewpoint.last)
        return open_graph_png(viewpoint, viewpoint.at(trick, int(asked[2] or 0)), say)
    trick = min(viewpoint.phase_tricks + 1, viewpoint.last)
    # How the game ends is not told to who has not looked at it yet.
    played = viewpoint.plays(trick) - (trick == viewpoint.last)
    return open_graph_png(viewpoint, viewpoint.at(trick, played), say)


HANDLERS: Final[list[HTTPRouteHandler]] = [game_picture]
"""What is answered here."""
