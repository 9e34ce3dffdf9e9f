"""Limits for each client: requests a second, and unfinished answers."""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from claimlog.api.http.problem import busy, too_many
from claimlog.api.limits.budget import WIDE

if TYPE_CHECKING:
    from claimlog.api.layers.asgi import Application, Headers, Message, Receive, Scope, Send
    from claimlog.api.layers.needs import Resources
    from claimlog.api.limits.budget import Budget, Hold
    from claimlog.api.limits.callers import Caller

ALWAYS: Final = "/health"
"""The path that is always answered."""

PIECE: Final = 1 << 16
"""Bytes that are given to the connection at once."""

_CLIENTS: Final = 10_000


class Allowance(NamedTuple):
    """What is left in a client's bucket: whole requests, and the seconds to wait for one."""

    left: int
    wait: float


class RateLimit:
    """A bucket of requests for each client, which refills steadily."""

    def __init__(self, rate: float, burst: int) -> None:
        self.rate = rate
        self.burst = burst
        self._clients: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, client: str, now: float) -> Allowance:
        """Take a request out of the bucket; `wait` is not 0 if it is empty."""
        if not self.rate:
            return Allowance(self.burst, 0.0)
        left, last = self._clients.get(client, (float(self.burst), now))
        left = min(float(self.burst), left + (now - last) * self.rate)
        if left < 1:
            return Allowance(0, (1 - left) / self.rate)
        self._clients[client] = (left - 1, now)
        self._clients.move_to_end(client)
        if len(self._clients) > _CLIENTS:
            self._clients.popitem(last=False)
        return Allowance(int(left - 1), 0.0)

    def headers(self, taken: Allowance) -> Headers:
        """Return the headers that describe a bucket (draft-ietf-httpapi-ratelimit-headers)."""
        if not self.rate:
            return []
        window = math.ceil(self.burst / self.rate)
        wait = math.ceil(taken.wait) if taken.wait else math.ceil(1 / self.rate)
        return [
            (b"ratelimit-policy", f'"requests";q={self.burst};w={window}'.encode()),
            (b"ratelimit", f'"requests";r={taken.left};t={wait}'.encode()),
        ]


class Limits:
    """Refuses excessive requests: 429 for one client's, 503 for those of all together.

    Long answers are sent in pieces as the client reads them, so that unread parts are not copied
    and are not kept for a client that has left.
    """

    def __init__(self, app: Application, resources: Resources) -> None:
        self.app = app
        self.settings = resources.settings
        self.budget = resources.budget
        self.rates = RateLimit(self.settings.rate, self.settings.burst)
        self.wide_rates = RateLimit(WIDE * self.settings.rate, WIDE * self.settings.burst)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        state = scope["state"]
        if scope["path"] == ALWAYS:
            await self.app(scope, receive, send)
            return
        connection = state.get("connection")
        if connection is not None and connection.spare:
            raise busy("limit.connections")
        caller: Caller = state["caller"]
        self._take(caller, state["extra"])
        if state.get("refusal") is not None:
            raise state["refusal"]
        with self.budget.answers.take(caller) as hold:
            state["leave"] = hold.give_back
            sending = _Pieces(self.budget, caller, state, hold, send)
            try:
                await self.app(scope, receive, sending.send)
            finally:
                sending.close()

    def _take(self, caller: Caller, extra: Headers) -> None:
        """Count a request against the rate."""
        now = time.monotonic()
        taken = self.rates.take(caller.key, now)
        extra += self.rates.headers(taken)
        wait = taken.wait
        if not wait and caller.network != caller.key:
            wait = self.wide_rates.take(caller.network, now).wait
        if wait:
            raise too_many("limit.rate", rate=self.rates.rate, seconds=wait, wait=math.ceil(wait))


class _Pieces:
    """Sends an answer in pieces, and counts the bytes still unread."""

    def __init__(
        self, budget: Budget, caller: Caller, state: dict[str, Any], hold: Hold, send: Send
    ) -> None:
        self._budget = budget
        self._caller = caller
        self._state = state
        self._hold = hold
        self._send = send
        self._start: Message | None = None
        self._unread: Hold | None = None

    async def send(self, message: Message) -> None:
        """Send a part of the answer."""
        if message["type"] == "http.response.start":
            self._start = message
            return
        body = message.get("body", b"")
        going_on = message.get("more_body", False)
        if len(body) > PIECE and not self._state.get("shared"):
            self._unread = self._budget.unread.take(self._caller, len(body))
        if self._start is not None:
            start, self._start = self._start, None
            await self._send(start)
        if len(body) <= PIECE and not going_on:
            await self._send(message)
            return
        # From here on the answer waits for the client to read.
        connection = self._state.get("connection")
        self._hold.drop = None if connection is None else connection.drop
        for begin in range(0, max(len(body), 1), PIECE):
            more = going_on or begin + PIECE < len(body)
            piece = body[begin : begin + PIECE]
            await self._send({**message, "body": piece, "more_body": more})
        self.close()

    def close(self) -> None:
        """Stop counting: the rest will not be read."""
        if self._unread is not None:
            self._unread.give_back()
            self._unread = None
