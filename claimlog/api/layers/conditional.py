"""Conditional requests and HEAD: answers sent without their body."""

from __future__ import annotations

from typing import TYPE_CHECKING

from claimlog.api.layers.asgi import headers_of
from claimlog.api.logs import Aborted

if TYPE_CHECKING:
    from claimlog.api.layers.asgi import Application, Headers, Message, Receive, Scope, Send


class Conditional:
    """Answers 304 to a client that has the answer already, and HEAD with the headers of GET."""

    def __init__(self, app: Application) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        head = scope["method"] == "HEAD"
        if_none_match = headers_of(scope).get(b"if-none-match")
        if (if_none_match is None and not head) or scope["method"] not in ("GET", "HEAD"):
            await self.app(scope, receive, send)
            return
        no_body = head
        all_sent = False

        async def sending(message: Message) -> None:
            nonlocal no_body, all_sent
            if message["type"] == "http.response.start":
                etag = _etag(message["headers"])
                if (
                    message["status"] == 200
                    and if_none_match is not None
                    and etag is not None
                    and matches(if_none_match, etag)
                ):
                    no_body = True
                    headers = [h for h in message["headers"] if not h[0].startswith(b"content-")]
                    message = {**message, "status": 304, "headers": headers}
            elif no_body:
                going_on = message.get("more_body", False)
                await send({**message, "body": b"", "more_body": False})
                if going_on:
                    all_sent = True
                    raise Aborted
                return
            await send(message)

        try:
            await self.app({**scope, "method": "GET"} if head else scope, receive, sending)
        except Exception:
            # `sending` breaks a stream off, which Litestar takes for an error.
            if not all_sent:
                raise


def _etag(headers: Headers) -> bytes | None:
    return next((value for name, value in headers if name == b"etag"), None)


def matches(if_none_match: bytes, etag: bytes) -> bool:
    """Whether If-None-Match names this ETag (a weak comparison, as the header requires)."""
    if if_none_match.strip() == b"*":
        return True
    return any(part.strip().removeprefix(b"W/") == etag for part in if_none_match.split(b","))
