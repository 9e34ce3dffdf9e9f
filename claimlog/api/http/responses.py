"""The answers that handlers declare: what they return is what the OpenAPI document says.

A handler is annotated with one of these classes, or with several joined by ``|``; mypy holds
the value that it answers with against the type in brackets, and `openapi` describes that type.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Final, Generic, Literal, TypeVar, cast
from urllib.parse import parse_qsl, urlencode

import msgspec
from litestar.response import Response
from msgspec import UNSET, UnsetType

from claimlog.api.http.media_types import CLM, CSV, JSON, NDJSON, PARQUET
from claimlog.store.model.types import StoredGame

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping

    from litestar.connection import Request
    from litestar.response.base import ASGIResponse
    from litestar.types import HTTPResponseStartEvent, Receive, Scope, Send

T = TypeVar("T")

encode: Final = msgspec.json.Encoder().encode

IN_BRACKETS: Final = object()
"""Stands for the type that an annotation has in brackets."""

ETAG: Final = "For If-None-Match, and where a game is changed for If-Match."


class Described(Response[bytes]):
    """An answer that describes itself.

    `STATUS` is its status, `HEADERS` says what its headers are for, `MEDIA` are its media
    types and what is in them: a type, `str` for text, `bytes` for what has no schema, or
    `IN_BRACKETS` for the type that a handler's annotation gives.
    """

    STATUS: ClassVar[int] = 200
    HEADERS: ClassVar[Mapping[str, str]] = {}
    MEDIA: ClassVar[Mapping[str, Any]] = {}


class Answer(Described, Generic[T]):
    """An answer in JSON."""

    MEDIA = {JSON: IN_BRACKETS}  # noqa: RUF012

    def __init__(self, value: T, *, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(
            encode(value),
            media_type=JSON,
            status_code=self.STATUS,
            headers=dict(headers or {}),
        )


class Created(Answer[T]):
    """The answer in JSON that something has been made, and where it is."""

    STATUS = 201
    HEADERS = {"Location": "Where it is."}  # noqa: RUF012


class Page(Answer[T]):
    """A page of a list, with links to the next and the first."""

    HEADERS = {"Link": "The next page and the first."}  # noqa: RUF012

    def __init__(self, value: T, request: Request[Any, Any, Any], cursor: str | None) -> None:
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
        super().__init__(value, headers={"Link": ", ".join(links)})


class Bytes(Described):
    """An answer that is encoded already."""

    def __init__(
        self, body: bytes, media_type: str, *, headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(body, media_type=media_type, status_code=200, headers=dict(headers or {}))


class Record(Bytes):
    """A record in CLM."""

    MEDIA = {CLM: str}  # noqa: RUF012

    def __init__(self, record: str, *, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(record.encode(), CLM, headers=headers)


class Encoded(Bytes, Generic[T]):
    """An answer in JSON, of the type in brackets, that was encoded for many."""

    MEDIA = {JSON: IN_BRACKETS}  # noqa: RUF012

    def __init__(self, body: bytes, *, headers: Mapping[str, str] | None = None) -> None:
        tag = f'"{hashlib.blake2b(body, digest_size=9).hexdigest()}"'
        super().__init__(body, JSON, headers={"ETag": tag, **(headers or {})})


class Drawing(Bytes):
    """A drawing in SVG, for whoever asked alone."""

    MEDIA = {"image/svg+xml": str}  # noqa: RUF012

    def __init__(self, body: bytes) -> None:
        super().__init__(body, "image/svg+xml", headers={"Cache-Control": "no-store"})


class PlainText(Bytes):
    """Plain text."""

    MEDIA = {"text/plain": str}  # noqa: RUF012


class Streamed(Described):
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
        # What comes in pieces may take its time.
        cast("Any", scope)["state"]["deadline"].lift()
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


class Slow(Streamed, Generic[T]):
    """An answer in JSON that takes longer than others may."""

    MEDIA = {JSON: IN_BRACKETS}  # noqa: RUF012

    def __init__(self, values: AsyncIterator[T]) -> None:
        super().__init__((encode(value) async for value in values), JSON)


class Lines(Streamed, Generic[T]):
    """An object a line, each of the type in brackets, while it goes on."""

    MEDIA = {NDJSON: IN_BRACKETS}  # noqa: RUF012


class Export(Streamed):
    """Games as a file."""

    MEDIA = {NDJSON: StoredGame, CLM: str, CSV: bytes, PARQUET: bytes}  # noqa: RUF012


class ServerEvent(msgspec.Struct, frozen=True, kw_only=True):
    """One server-sent event."""

    event: Literal["table", "live", "notice", "end"]
    data: Annotated[str, msgspec.Meta(extra_json_schema={"contentMediaType": JSON})]
    id: str | UnsetType = UNSET


class Events(Streamed):
    """Server-sent events."""

    MEDIA = {"text/event-stream": ServerEvent}  # noqa: RUF012

    def __init__(self, pieces: AsyncIterator[bytes]) -> None:
        # Proxies are not to wait until there is more.
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        super().__init__(pieces, "text/event-stream", headers)


class Backup(Streamed):
    """A copy of the archive."""

    MEDIA = {"application/vnd.duckdb": bytes}  # noqa: RUF012


def etag(revision: int, body: bytes) -> str:
    """The ETag of a representation of a game: its revision, and which representation."""
    return f'"{revision}-{hashlib.blake2b(body, digest_size=6).hexdigest()}"'
