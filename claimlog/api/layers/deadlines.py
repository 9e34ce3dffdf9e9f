"""Deadlines: how long and how large a body may be, how long an answer may take.

A query is given up when nobody waits for its answer any more.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from claimlog.api.http.problem import ApiError, busy, stopping
from claimlog.api.layers.asgi import headers_of
from claimlog.api.layers.identity import SAFE
from claimlog.api.logs import ClientLeft

if TYPE_CHECKING:
    from claimlog.api.layers.asgi import Application, Message, Receive, Scope, Send
    from claimlog.api.layers.needs import Resources


class Deadlines:
    """Gives every request a `Deadline`, in ``scope["state"]["deadline"]``."""

    def __init__(self, app: Application, resources: Resources) -> None:
        self.app = app
        self.resources = resources

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        deadline = Deadline(self.resources, scope, receive, send)
        scope["state"]["deadline"] = deadline
        try:
            await deadline.keep(self.app)
        finally:
            scope["state"]["route"] = scope.get("path_template", "")


class Deadline:
    """The limits of one request."""

    def __init__(self, resources: Resources, scope: Scope, receive: Receive, send: Send) -> None:
        self.resources = resources
        self.settings = resources.settings
        self.scope = scope
        self._receive = receive
        self._send = send
        headers = headers_of(scope)
        length = headers.get(b"content-length", b"")
        self._size = int(length) if length.isdigit() and len(length) < 20 else 0
        self._received = 0
        self._body_done = not self._size and b"transfer-encoding" not in headers
        self._limited = True
        self._timer: asyncio.Timeout | None = None
        self._stalling: asyncio.Timeout | None = None
        """Runs while a part of the body is awaited."""
        self._task: asyncio.Task[Any] | None = None
        self._watching: asyncio.Task[None] | None = None
        self._gone = asyncio.Event()
        self._opened = self._finished = self._left = False

    async def keep(self, app: Application) -> None:
        """Let `app` answer within the limits."""
        settings = self.settings
        self._task = asyncio.current_task()
        if self._body_done and self.scope["method"] in SAFE:
            self._watch()
        try:
            async with asyncio.timeout(
                settings.answer_time if self._body_done else settings.body_time
            ) as self._timer:
                await app(self.scope, self.receive, self.send)
        except TimeoutError as error:
            if self._timer is None or not self._timer.expired():
                raise
            if not self._body_done:
                raise _too_slow() from error
            raise busy("question.too-slow", seconds=settings.answer_time, wait=5) from error
        except asyncio.CancelledError:
            if not self._left or self._task is None:
                raise
            self._task.uncancel()
            raise ClientLeft from None
        finally:
            if self._watching is not None:
                self._watching.cancel()

    def lift(self) -> None:
        """Lift the limits on body and time (not on stalling), for imports and streams."""
        self._limited = False
        if self._timer is not None:
            self._timer.reschedule(None)
        if self._body_done and self._watching is None:
            self._watch()

    def watch(self) -> None:
        """Give up the query when its client leaves, although it came with a body."""
        if self._body_done and self._watching is None:
            self._watch()

    def _watch(self) -> None:
        self._watching = asyncio.create_task(self._wait_until_gone())

    async def _wait_until_gone(self) -> None:
        """Give up the query when its client has left."""
        while (await self._receive())["type"] != "http.disconnect":
            pass
        self._gone.set()
        if self._task is not None and not self._finished:
            self._left = True
            self._task.cancel()

    async def receive(self) -> Message:
        """Pass on a part of the body, within the limits."""
        if self._watching is not None:
            if not self._opened:
                self._opened = True
                return {"type": "http.request", "body": b"", "more_body": False}
            await self._gone.wait()
            return {"type": "http.disconnect"}
        if self._body_done:
            return await self._receive()
        limit = self.settings.max_body
        if self._limited and self._size > limit:
            raise _too_large(limit)
        try:
            message = await self._part()
        except TimeoutError as error:
            if self._limited and self.resources.stopping:
                raise stopping() from error
            raise _too_slow() from error
        if message["type"] == "http.disconnect":
            raise ApiError(400, "bad-request", "body.lost")
        if message["type"] == "http.request":
            self._received += len(message.get("body", b""))
            self._body_done = not message.get("more_body", False)
            if self._limited and self._received > limit:
                raise _too_large(limit)
            if self._body_done and self._limited and self._timer is not None:
                now = asyncio.get_running_loop().time()
                self._timer.reschedule(now + self.settings.answer_time)
        return message

    async def _part(self) -> Message:
        """The next part of the body; one that has not come when the server stops is not awaited.

        Raises TimeoutError.  Imports, without limits, end by themselves.
        """
        loop = asyncio.get_running_loop()

        def stop() -> None:
            loop.call_soon_threadsafe(self._give_up)

        gone = self._limited and self.resources.stopping
        self.resources.on_stop.add(stop)
        try:
            async with asyncio.timeout(0 if gone else self.settings.idle_time) as self._stalling:
                return await self._receive()
        finally:
            self._stalling = None
            self.resources.on_stop.discard(stop)

    def _give_up(self) -> None:
        stalling = self._stalling
        if self._limited and stalling is not None and not stalling.expired():
            stalling.reschedule(0)

    async def send(self, message: Message) -> None:
        """Pass on a part of the answer; a stream has no time limit."""
        if message["type"] == "http.response.body":
            going_on = message.get("more_body", False)
            if going_on:
                if self._limited:
                    self.lift()
                if not message.get("body"):
                    return
            else:
                self._finished = True
                if self._timer is not None:
                    # The answer is complete; the connection decides how fast it must be read.
                    self._timer.reschedule(None)
        await self._send(message)


def _too_large(limit: int) -> ApiError:
    return ApiError(413, "too-large", "body.too-large", limit=limit)


def _too_slow() -> ApiError:
    return ApiError(408, "timeout", "body.slow")
