"""What cards of Phase 2 are worth, and what others would have led to, for the viewer of a game.

It is computed by processes beside the server, within the limits on analyses.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final

import msgspec
from litestar import Request, Response, get
from litestar.di import NamedDependency
from litestar.params import PathParameter, QueryParameter

from claimlog.analysis.trial import Trial
from claimlog.api.http.filters import GameId
from claimlog.api.http.media_types import JSON
from claimlog.api.http.problem import ApiError
from claimlog.api.pages.answering import READ, Place
from claimlog.api.resources import Resources
from claimlog.language import LANGUAGES
from claimlog.language.messages import message_of
from claimlog.link import PATH, CodeError, read_link
from claimlog.notation.writer import canonical
from claimlog.web.replay import all_views
from claimlog.web.worth import trial_data, worth_data

if TYPE_CHECKING:
    from collections.abc import Callable

    from litestar.handlers import HTTPRouteHandler

    from claimlog.game import Game
    from claimlog.store import StoredGame

_OF_A_CODE: Final[dict[str, Any]] = {"scope": "read", "cache": False}

Code = Annotated[str, PathParameter(description="The code, as `claimlog link` prints it.")]
At = Annotated[
    str,
    QueryParameter(
        name="t", pattern=r"^\d{1,2}\.\d$", description="The trick, and how many cards lie there."
    ),
]
Cards = Annotated[str, QueryParameter(max_length=200, description="The cards since then.")]


@get("/games/{game:str}/worth", opt=READ)
async def worth(
    request: Request[Any, Any, Any], resources: NamedDependency[Resources], game: GameId
) -> Response[bytes]:
    """The analysis of a game."""
    Place(request)
    archive = resources.archive

    def look() -> tuple[StoredGame, bytes | None]:
        stored = archive.game(game)
        return stored, archive.analysis(stored.row.digest)

    stored, kept = await resources.read(look)
    return await _worth(resources, stored.game(), stored.record, kept)


@get("/games/{game:str}/try", opt=READ)
async def tried(
    request: Request[Any, Any, Any],
    resources: NamedDependency[Resources],
    game: GameId,
    at: At,
    cards: Cards = "",
) -> Response[bytes]:
    """A game continued with other cards from a moment on, and what that is worth."""
    place = Place(request, ("t", "cards"))
    archive = resources.archive
    return await _tried(
        resources, lambda: archive.game(game).game(), at, cards, language=place.language
    )


@get(f"{PATH}{{code:str}}/worth", opt=_OF_A_CODE, include_in_schema=False)
async def linked_worth(resources: NamedDependency[Resources], code: Code) -> Response[bytes]:
    """The analysis of the game of a code."""
    game = await resources.read(lambda: _of_code(code))
    return await _worth(resources, game, canonical(game))


@get(f"{PATH}{{code:str}}/try", opt=_OF_A_CODE, include_in_schema=False)
async def linked_try(
    request: Request[Any, Any, Any],
    resources: NamedDependency[Resources],
    code: Code,
    at: At,
    cards: Cards = "",
    lang: Annotated[str, QueryParameter(description="The language of the page.")] = "",
) -> Response[bytes]:
    """The game of a code continued with other cards, and what that is worth."""
    language = lang if lang in LANGUAGES else LANGUAGES[0]
    named = f"{code}?{request.scope['query_string'].decode('latin-1')}"
    return await _tried(resources, lambda: _of_code(named), at, cards, language=language)


def _of_code(link: str) -> Game:
    """Return the game of a code, with the names after it."""
    try:
        return read_link(link)
    except CodeError as error:
        raise ApiError(404, "not-found", error.message) from error


async def _worth(
    resources: Resources, game: Game, record: str, kept: bytes | None = None
) -> Response[bytes]:
    analysed = await resources.analysts.of(record.encode()) if kept is None else kept
    report = msgspec.json.decode(analysed)
    data = worth_data(game, report, views=all_views(game))
    return Response(msgspec.json.encode(data), media_type=JSON)


async def _tried(
    resources: Resources, find: Callable[[], Game], at: str, cards: str, *, language: str
) -> Response[bytes]:
    trick, _, played = at.partition(".")

    def begin() -> tuple[Game, Trial]:
        game = find()
        try:
            return game, Trial(game, int(trick), int(played), cards.split())
        except (ValueError, IndexError) as error:
            raise ApiError(400, "bad-query", message_of(error), field="cards") from error

    game, trial = await resources.read(begin)
    analysed = await resources.analysts.tried(canonical(game).encode(), trial.start, trial.cards)
    report = msgspec.json.decode(analysed)
    data = await resources.read(lambda: trial_data(trial, report, language=language))
    return Response(msgspec.json.encode(data), media_type=JSON)


HANDLERS: Final[list[HTTPRouteHandler]] = [worth, tried]
"""The handlers for stored games."""
LINKED: Final[list[HTTPRouteHandler]] = [linked_worth, linked_try]
"""The handlers for games in an address."""
