"""Compression: complete answers are sent gzipped to clients that accept it.

Only textual answers to GET that gain by it are compressed, and none with an ETag of the handler's:
a change of a game names it by that ETag, whichever way it was sent.  No answer to GET contains a
secret, so the size of a compressed answer reveals nothing (BREACH).
"""

from __future__ import annotations

import asyncio
import gzip
from typing import TYPE_CHECKING, Final

from claimlog.api.http.media_types import CLM, CSV, HTML, JSON, media_type
from claimlog.api.layers.asgi import headers_of
from claimlog.web.packed import takes_gzip

if TYPE_CHECKING:
    from claimlog.api.layers.asgi import Application, Headers, Message, Receive, Scope, Send

SMALLEST: Final = 1400
"""Bytes that fit into one packet, so that compressing them gains nothing."""

LARGE: Final = 1 << 15
"""The bytes from which an answer is compressed in a thread."""

LEVEL: Final = 5
KINDS: Final = frozenset({HTML, JSON, CLM, CSV, "image/svg+xml", "text/plain", "text/javascript"})
"""The media types that are compressed."""


class Packing:
    """Compresses answers."""

    def __init__(self, app: Application) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["method"] != "GET":
            await self.app(scope, receive, send)
            return
        taken = takes_gzip(headers_of(scope).get(b"accept-encoding", b"").decode("latin-1"))
        held: Message | None = None

        async def sending(message: Message) -> None:
            nonlocal held
            if message["type"] == "http.response.start":
                held = message
                return
            if held is not None:
                start, held = held, None
                body = message.get("body", b"")
                if not message.get("more_body", False) and _worth(start, body):
                    headers = _vary(start["headers"])
                    if taken:
                        body = await packed(body)
                        headers = [h for h in headers if h[0].lower() != b"content-length"]
                        headers.append((b"content-encoding", b"gzip"))
                        headers.append((b"content-length", str(len(body)).encode()))
                        message = {**message, "body": body}
                    start = {**start, "headers": headers}
                await send(start)
            await send(message)

        await self.app(scope, receive, sending)


async def packed(body: bytes) -> bytes:
    """Return a compressed body."""
    if len(body) < LARGE:
        return gzip.compress(body, LEVEL, mtime=0)
    return await asyncio.to_thread(gzip.compress, body, LEVEL, mtime=0)


def _worth(start: Message, body: bytes) -> bool:
    """Whether an answer may be compressed, and gains by it."""
    if start["status"] != 200 or len(body) < SMALLEST:
        return False
    headers = {name.lower(): value for name, value in start["headers"]}
    if b"etag" in headers or b"content-encoding" in headers:
        return False
    return media_type(headers.get(b"content-type", b"").decode("latin-1")) in KINDS


def _vary(headers: Headers) -> Headers:
    """Return the headers with Accept-Encoding in Vary."""
    others = [value for name, value in headers if name.lower() == b"vary"]
    kept = [header for header in headers if header[0].lower() != b"vary"]
    return [*kept, (b"vary", b", ".join([*others, b"Accept-Encoding"]))]
