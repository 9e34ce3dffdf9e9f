"""A whole game in an address: ``/r/CODE`` shows the game encoded in it, without an archive."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, Final
from urllib.parse import parse_qsl, urlencode

from litestar import Request, Response, get
from litestar.di import NamedDependency
from litestar.params import PathParameter

from claimlog.api.http.languages import language_of
from claimlog.api.http.media_types import CLM, JSON, choose
from claimlog.api.http.problem import ApiError
from claimlog.api.pages import worth
from claimlog.api.pages.pictures import (
    MOMENT,
    answered,
    can_draw,
    drawn,
    moment_of,
)
from claimlog.api.resources import Resources
from claimlog.language import LANGUAGES
from claimlog.link import PATH, CodeError, read_link
from claimlog.notation.writer import canonical
from claimlog.web import replay

if TYPE_CHECKING:
    from litestar.handlers import HTTPRouteHandler

_HTML: Final = "text/html"
_TEXT: Final = "text/plain"
_KEPT: Final = 64
"""Pages that are cached, because many people open a link at once."""
_OPEN: Final[dict[str, Any]] = {"scope": None, "cache": False}
_DAY: Final = "public, max-age=86400"
"""A code always means the same game, but the next version may show it differently."""


Code = Annotated[str, PathParameter(description="The code, as `claimlog link` prints it.")]


@get(f"{PATH}{{code:str}}", opt=_OPEN, include_in_schema=False)
async def linked_game(
    request: Request[Any, Any, Any], resources: NamedDependency[Resources], code: Code
) -> Response[bytes]:
    """The game of a code: a page to step through it, its report in JSON, or its record.

    `t` is the moment to begin at.
    """
    moment_of(request.query_params.get(MOMENT, ""))
    form = choose(request.headers.get("accept", ""), (_HTML, JSON, CLM, _TEXT))
    query = request.scope["query_string"].decode("latin-1")
    asked = request.query_params.get("lang")
    language = asked if asked in LANGUAGES else language_of(request)
    try:
        picture = _picture_of(request)
        body = await resources.read(lambda: _answer(f"{code}?{query}", form, language, picture))
    except CodeError as error:
        if form == _HTML:
            # Show the error as a page.
            request.scope["state"]["page"] = language
        raise ApiError(404, "not-found", error.message) from error
    return Response(body, media_type=form, headers=_HEADERS | {"Cache-Control": _DAY})


_HEADERS: Final = {
    "Content-Security-Policy": replay.POLICY,
    "Referrer-Policy": "no-referrer",
    "Vary": "Accept, Accept-Language",
}


@get(f"{PATH}{{code:str}}/picture", opt=_OPEN, include_in_schema=False)
async def linked_picture(
    request: Request[Any, Any, Any], resources: NamedDependency[Resources], code: Code
) -> Response[bytes]:
    """A picture of the game of a code, for links in chats."""
    query = request.scope["query_string"].decode("latin-1")
    at = moment_of(request.query_params.get(MOMENT, ""))
    try:
        language = language_of(request)
        body = await resources.read(lambda: _drawn(f"{code}?{query}", language, at))
    except CodeError as error:
        raise ApiError(404, "not-found", error.message) from error
    return answered(body)


@lru_cache(_KEPT)
def _drawn(link: str, language: str, at: str) -> bytes:
    return drawn(read_link(link), language, at)


def _picture_of(request: Request[Any, Any, Any]) -> str:
    """Return the address of the picture for the requested page; "" if there is none."""
    if not can_draw():
        return ""
    path, _, query = str(request.url).partition("?")
    names = {name: text for name, text in parse_qsl(query) if name != "lang"}
    return f"{path}/picture?{urlencode(names)}" if names else f"{path}/picture"


@lru_cache(_KEPT)
def _answer(link: str, form: str, language: str, picture: str) -> bytes:
    """Return the answer for a code with names.  Raises CodeError if the code is invalid."""
    game = read_link(link)
    if form == JSON:
        return json.dumps(game.report(), ensure_ascii=False).encode()
    if form == _HTML:
        return replay.page_html(
            game,
            language=language,
            picture=picture if game.tricks else "",
            worth=f"{PATH}{link}".rstrip("?"),
        )
    return canonical(game).encode()


HANDLERS: Final[list[HTTPRouteHandler]] = [linked_game, linked_picture, *worth.LINKED]
"""The handlers of this module."""
