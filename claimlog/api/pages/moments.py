"""What others played at a moment of a stored game, for the viewer on its page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final

import msgspec
from litestar import Request, Response, get
from litestar.di import NamedDependency
from litestar.params import QueryParameter

from claimlog.api.http.filters import GameId
from claimlog.api.http.media_types import JSON
from claimlog.api.http.problem import no_address
from claimlog.api.pages import pictures
from claimlog.api.pages.answering import READ, Place
from claimlog.api.resources import Resources
from claimlog.replay.viewpoint import Viewpoint
from claimlog.store.questions.explorer import Context, Explorer

if TYPE_CHECKING:
    from litestar.handlers import HTTPRouteHandler

    from claimlog.replay.viewpoint import Position

__all__ = ["HANDLERS", "context_of"]

MOVES: Final = 8
"""The most moves shown."""

At = Annotated[str, QueryParameter(name="t", description="The moment: `17` or `17.2`.")]


@get("/games/{game:str}/others", opt=READ)
async def others(
    request: Request[Any, Any, Any], resources: NamedDependency[Resources], game: GameId, at: At
) -> Response[bytes]:
    """What was played at this moment in all games with the same number of players."""
    Place(request, (pictures.MOMENT,))
    trick, _, played = pictures.moment_of(at).partition(".")

    def look() -> Response[bytes]:
        viewpoint = Viewpoint(resources.archive.game(game).game())
        try:
            position = viewpoint.at(int(trick or 1), int(played or 0))
        except IndexError as error:
            raise no_address(request.url.path) from error
        context = context_of(position, viewpoint.seats)
        answer = None if context is None else _explored(resources, context)
        moves = [] if answer is None else answer.moves[:MOVES]
        return Response(
            msgspec.json.encode(
                {
                    "count": 0 if answer is None else answer.count,
                    "moves": [
                        {"card": one.card, "share": one.share.rate, "won": one.result.rate}
                        for one in moves
                    ],
                    "query": {} if context is None else _query(context),
                }
            ),
            media_type=JSON,
        )

    return await resources.read(look)


def _explored(resources: Resources, context: Context) -> Explorer:
    key = ("moment", context.phase, context.seats, context.upcard, *context.played)
    return resources.stale_cache.get(key, lambda: resources.archive.explore(context, examples=0))


def context_of(position: Position, seats: int) -> Context | None:
    """Return a moment's context for the explorer; None if cards are discarded face down."""
    if position.auto or position.decided:
        return None
    cards = [play.card for play in position.plays if play.card is not None]
    return Context(
        phase=position.phase,
        seats=seats,
        upcard=position.upcards[0] if position.upcards and not cards else None,
        played=cards,
    )


def _query(context: Context) -> dict[str, Any]:
    """Return the context as the query of the explorer's page."""
    asked = {"phase": context.phase, "turned": context.upcard, "seats": context.seats}
    return {name: value for name, value in asked.items() if value} | {"after": context.played}


HANDLERS: Final[list[HTTPRouteHandler]] = [others]
"""The handlers of this module."""
