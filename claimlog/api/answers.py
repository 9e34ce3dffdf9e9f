"""Making answers: encoded JSON, pages with Link headers, streams."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import parse_qsl, urlencode

import msgspec
from litestar.response import Response

from claimlog.api.negotiate import JSON

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping

    from litestar.connection import Request
    from litestar.response.base import ASGIResponse
    from litestar.types import HTTPResponseStartEvent, Receive, Scope, Send

encode = msgspec.json.Encoder().encode


def json(
    value: Any, *, status: int = 200, headers: Mapping[str, str] | None = None
) -> Response[bytes]:
    """An answer in JSON."""
    return encoded(encode(value), JSON, status=status, headers=headers)


def encoded(
    body: bytes, media_type: str, *, status: int = 200, headers: Mapping[str, str] | None = None
) -> Response[bytes]:
    """An answer that is encoded already."""
    return Response(body, media_type=media_type, status_code=status, headers=dict(headers or {}))


def etag(revision: int, body: bytes) -> str:
    """The ETag of a representation of a game: its revision, and which representation."""
    return f'"{revision}-{hashlib.blake2b(body, digest_size=6).hexdigest()}"'


def page(request: Request[Any, Any, Any], value: Any, cursor: str | None) -> Response[bytes]:
    """A page of a list, with links to the next and the first."""
    query = [
        pair
        for pair in parse_qsl(request.scope["query_string"].decode(), keep_blank_values=True)
        if pair[0] != "cursor"
    ]
    path = request.scope["path"]
    first = f"{path}?{urlencode(query)}" if query else path
    links = [f'<{first}>; rel="first"']
    if cursor is not None:
        links.insert(0, f'<{path}?{urlencode([*query, ("cursor", cursor)])}>; rel="next"')
    return json(value, headers={"Link": ", ".join(links)})


class Streamed(Response[bytes]):
    """An answer in pieces.

    An error in the middle ends the connection, so that a truncated answer cannot be taken
    for a whole one; an error before the first piece is answered as any other.
    """

    def __init__(
        self,
        pieces: AsyncIterator[bytes],
        media_type: str,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(b"", media_type=media_type, headers=dict(headers or {}))
        self.pieces = pieces

    def to_asgi_response(self, *args: Any, **kwargs: Any) -> ASGIResponse:
        """Make what sends the pieces; called by Litestar."""
        return cast("ASGIResponse", self._send)

    async def _send(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the head once there is a first piece, and then all pieces."""
        headers = {"Content-Type": self.media_type or "", **self.headers}
        start: HTTPResponseStartEvent = {
            "type": "http.response.start",
            "status": 200,
            "headers": [(name.lower().encode(), text.encode()) for name, text in headers.items()],
        }
        started = False
        try:
            async for piece in self.pieces:
                if not started:
                    await send(start)
                    started = True
                await send({"type": "http.response.body", "body": piece, "more_body": True})
            if not started:
                await send(start)
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            await self.pieces.aclose()  # type: ignore[attr-defined]
