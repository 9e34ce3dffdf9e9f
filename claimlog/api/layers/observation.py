"""Timing and log: every request gets an id and is counted, timed and logged."""

from __future__ import annotations

import asyncio
import itertools
import re
import secrets
import time
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote_to_bytes

from claimlog.api.layers.asgi import headers_of
from claimlog.api.limits.callers import NOT_KNOWN
from claimlog.api.logs import ClientLeft

if TYPE_CHECKING:
    from claimlog.api.layers.asgi import Application, Message, Receive, Scope, Send
    from claimlog.api.layers.needs import Resources

_REQUEST_ID: Final = re.compile(rb"[A-Za-z0-9._-]{8,64}")
_NO_SNIFFING: Final = (b"x-content-type-options", b"nosniff")


class Observation:
    """Counts and logs requests, and gives every answer the id of its request."""

    def __init__(self, app: Application, resources: Resources) -> None:
        self.app = app
        self.resources = resources
        self._prefix = secrets.token_hex(4)
        self._number = itertools.count(1)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        begin = time.perf_counter()
        metrics = self.resources.metrics
        state = scope["state"] = dict(scope.get("state") or {})
        id = state["request_id"] = self._id(headers_of(scope).get(b"x-request-id"))
        state["resources"] = self.resources
        state["caller"] = NOT_KNOWN
        extra = state["extra"] = [(b"x-request-id", id.encode()), _NO_SNIFFING]
        status = sent = received = 0

        async def sending(message: Message) -> None:
            nonlocal status, sent
            if message["type"] == "http.response.start":
                status = message["status"]
                message = {**message, "headers": [*message["headers"], *extra]}
            else:
                sent += len(message.get("body", b""))
            await send(message)

        async def receiving() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            return message

        metrics.in_flight += 1
        try:
            await self.app(scope, receiving, sending)
        except ClientLeft:
            status = 499
        except asyncio.CancelledError:
            status = status or 499
            raise
        finally:
            metrics.in_flight -= 1
            metrics.answered = time.perf_counter()
            seconds = metrics.answered - begin
            metrics.count(scope["method"], state.get("route") or "(none)", status, seconds)
            metrics.sent += sent
            metrics.received += received
            if self.resources.settings.log_requests:
                self._log(scope, status, sent, seconds)

    def _id(self, given: bytes | None) -> str:
        """Return the client's own id for its request if it is valid, otherwise a new one."""
        if given is not None and _REQUEST_ID.fullmatch(given):
            return given.decode()
        return f"{self._prefix}-{next(self._number)}"

    def _log(self, scope: Scope, status: int, sent: int, seconds: float) -> None:
        client = scope.get("client")
        self.resources.log.line(
            "info",
            "request",
            request_id=scope["state"]["request_id"],
            client=client[0] if client else None,
            by=scope["state"]["caller"].name,
            method=scope["method"],
            path=printable(scope["path"]),
            query=_readable(scope["query_string"]),
            status=status,
            bytes=sent,
            ms=round(seconds * 1000, 3),
        )


def printable(path: str) -> str:
    """Return a path as it may be logged."""
    return path.encode(errors="replace").decode()[:500]


def _readable(query: bytes) -> str:
    """Return a query for the log: as sent, unless percent-encoding hides a token."""
    text = query.decode("latin-1")
    if b"%" in query and b"clm" in (plain := unquote_to_bytes(query)):
        text = plain.decode(errors="replace")
    return text[:500]
