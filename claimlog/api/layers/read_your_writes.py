"""Reading one's own writes: answers wait until the tables have them (docs/postgresql.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from claimlog.api.http.problem import ApiError, busy
from claimlog.api.layers.asgi import headers_of

if TYPE_CHECKING:
    from claimlog.api.layers.asgi import Application, Message, Receive, Scope, Send
    from claimlog.api.layers.needs import Resources

HEADER: Final = b"claimlog-mark"
LONGEST: Final = 10.0
"""Seconds that an answer waits for a write."""


class ReadYourWrites:
    """Sends the mark of a write, and waits for a mark that a request gives."""

    def __init__(self, app: Application, resources: Resources) -> None:
        self.app = app
        self.resources = resources

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        archive = self.resources.archive
        if scope["method"] == "GET":
            text = headers_of(scope).get(HEADER)
            if text is not None:
                if not text.isdigit() or len(text) > 20:
                    raise ApiError(400, "bad-request", "argument.mark")
                mark = int(text)
                if not await self.resources.read(lambda: archive.wait(mark, timeout=LONGEST)):
                    raise busy("server.not-listed")
            await self.app(scope, receive, send)
            return

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] < 400:
                headers = [*message["headers"], (HEADER, str(archive.mark).encode())]
                message = {**message, "headers": headers}
            await send(message)

        await self.app(scope, receive, sending)
