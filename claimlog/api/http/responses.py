"""The answers that handlers declare, from which the OpenAPI document is made.

A handler is annotated with one of these classes, or with several joined by ``|``; mypy checks the
value in the answer against the type in brackets, and `openapi` describes that type.
"""

from __future__ import annotations

import hashlib
from types import UnionType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    ClassVar,
    Final,
    Generic,
    Literal,
    TypeVar,
    Union,
    cast,
    get_args,
    get_origin,
)
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
"""Stands for the type in an annotation's brackets."""

ETAG: Final = "The ETag, for `If-None-Match`, and for `If-Match` when changing the game."


class Described(Response[bytes]):
    """An answer that describes itself.

    `STATUS` is its status, `HEADERS` describes its headers, `MEDIA` gives the content by media
    type: a type, `str` for text, `bytes` for content without a schema, or `IN_BRACKETS` for the
    type in the brackets of a handler's annotation.
    """

    STATUS: ClassVar[int] = 200
    HEADERS: ClassVar[Mapping[str, str]] = {}
    MEDIA: ClassVar[Mapping[str, Any]] = {}

    def to_asgi_response(self, *args: Any, **kwargs: Any) -> ASGIResponse:
        """Return the function that sends the answer; called by Litestar."""
        return cast("ASGIResponse", self._send)

    async def _send(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the answer, which is encoded already."""
        body = self.content
        kind = self.media_type or ""
        if kind.startswith("text/"):
            kind += "; charset=utf-8"
        headers = {"Content-Type": kind, "Content-Length": str(len(body)), **self.headers}
        start: HTTPResponseStartEvent = {
            "type": "http.response.start",
            "status": self.status_code or self.STATUS,
            "headers": [
                (name.lower().encode(), text.encode("latin-1")) for name, text in headers.items()
            ],
        }
        await send(start)
        await send({"type": "http.response.body", "body": body, "more_body": False})


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
    """An answer in JSON for something that was created, with its address."""

    STATUS = 201
    HEADERS = {"Location": "The address of the new resource."}  # noqa: RUF012


class Page(Answer[T]):
    """A page of a list, with links to the next and the first page."""

    HEADERS = {"Link": "Links to the next and the first page."}  # noqa: RUF012

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
    """An answer that is already encoded."""

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
    """An answer in JSON, of the type in brackets, encoded once for many clients."""

    MEDIA = {JSON: IN_BRACKETS}  # noqa: RUF012

    def __init__(self, body: bytes, *, headers: Mapping[str, str] | None = None) -> None:
        tag = f'"{hashlib.blake2b(body, digest_size=9).hexdigest()}"'
        super().__init__(body, JSON, headers={"ETag": tag, **(headers or {})})


class Drawing(Bytes):
    """A drawing in SVG that is not cached."""

    MEDIA = {"image/svg+xml": str}  # noqa: RUF012

    def __init__(self, body: bytes) -> None:
        super().__init__(body, "image/svg+xml", headers={"Cache-Control": "no-store"})


class PlainText(Bytes):
    """Plain text."""

    MEDIA = {"text/plain": str}  # noqa: RUF012


class Streamed(Described):
    """An answer in pieces.

    An error in the middle ends the connection, so that a truncated answer cannot be taken for a
    complete one; an error before the first piece is answered like any other.
    """

    def __init__(
        self,
        pieces: AsyncIterator[bytes],
        media_type: str,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(b"", media_type=media_type, headers=dict(headers or {}))
        self.pieces = pieces

    async def _send(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the head once there is a first piece, and then all pieces."""
        headers = {"Content-Type": self.media_type or "", **self.headers}
        start: HTTPResponseStartEvent = {
            "type": "http.response.start",
            "status": 200,
            "headers": [(name.lower().encode(), text.encode()) for name, text in headers.items()],
        }
        # A streamed answer has no time limit.
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
    """An answer in JSON that may take longer than others."""

    MEDIA = {JSON: IN_BRACKETS}  # noqa: RUF012

    def __init__(self, values: AsyncIterator[T]) -> None:
        super().__init__((encode(value) async for value in values), JSON)


class Lines(Streamed, Generic[T]):
    """JSON objects of the type in brackets, one a line, sent as they come."""

    MEDIA = {NDJSON: IN_BRACKETS}  # noqa: RUF012


class Export(Streamed):
    """Games as a file."""

    MEDIA = {NDJSON: StoredGame, CLM: str, CSV: bytes, PARQUET: bytes}  # noqa: RUF012


class Table(Bytes):
    """The rows of an answer as CSV."""

    MEDIA = {CSV: bytes}  # noqa: RUF012

    def __init__(self, body: bytes) -> None:
        super().__init__(body, CSV)


class ServerEvent(msgspec.Struct, frozen=True, kw_only=True):
    """One server-sent event."""

    event: Literal["table", "live", "notice", "end"]
    data: Annotated[str, msgspec.Meta(extra_json_schema={"contentMediaType": JSON})]
    id: str | UnsetType = UNSET


class Events(Streamed):
    """Server-sent events."""

    MEDIA = {"text/event-stream": ServerEvent}  # noqa: RUF012

    def __init__(self, pieces: AsyncIterator[bytes]) -> None:
        # Proxies must not wait for more before they pass events on.
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        super().__init__(pieces, "text/event-stream", headers)


class Backup(Streamed):
    """A copy of the archive."""

    MEDIA = {"application/vnd.duckdb": bytes}  # noqa: RUF012


def members(kind: Any) -> tuple[Any, ...]:
    """Return the members of a union, or the type itself."""
    return get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)


def offered(annotation: Any) -> tuple[str, ...]:
    """Return the media types of the answers that a handler's annotation declares."""
    kinds = (get_origin(part) or part for part in members(annotation))
    return tuple(media for kind in kinds for media in kind.MEDIA)


def etag(revision: int, body: bytes) -> str:
    """Return the ETag of a game's representation, from its revision and content."""
    return f'"{revision}-{hashlib.blake2b(body, digest_size=6).hexdigest()}"'
