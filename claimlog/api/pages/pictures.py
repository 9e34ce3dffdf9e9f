"""Pictures of games for links in chats (Open Graph); they need the extra `pictures`."""

from __future__ import annotations

from functools import lru_cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

from litestar import Request, Response, get
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException

from claimlog.api.filters import GameId
from claimlog.api.pages.answering import READ
from claimlog.api.resources import Resources
from claimlog.language import preferred, words
from claimlog.replay.recorder import replay_text
from claimlog.replay.viewpoint import Viewpoint

if TYPE_CHECKING:
    from litestar.handlers import HTTPRouteHandler

    from claimlog.game import Game

PATH: Final = "/pictures"
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
    """A stored game as Phase 2 begins, or at its end if it does not come so far."""
    if not can_draw():
        raise NotFoundException
    language = preferred(request.headers.get("accept-language", ""))
    body = await resources.read(lambda: _drawn(resources.archive.game(game).record, language))
    return answered(body)


def answered(body: bytes) -> Response[bytes]:
    """A picture as an answer."""
    headers = {"Cache-Control": _DAY, "Vary": "Accept-Language"}
    return Response(body, media_type="image/png", headers=headers)


@lru_cache(_KEPT)
def _drawn(record: str, language: str) -> bytes:
    return drawn(next(replay_text(record)), language)


def drawn(game: Game, language: str) -> bytes:
    """The picture of a game; 404 if it has no trick."""
    from claimlog.draw.png import open_graph_png

    told = words(language)
    viewpoint = Viewpoint(game, None, told)
    if not viewpoint.last:
        raise NotFoundException
    moment = min(viewpoint.phase_tricks + 1, viewpoint.last)
    # How the game ends is not told to who has not looked at it yet.
    return open_graph_png(viewpoint, viewpoint.at(moment, 0), told)


HANDLERS: Final[list[HTTPRouteHandler]] = [game_picture]
"""What is answered here."""
