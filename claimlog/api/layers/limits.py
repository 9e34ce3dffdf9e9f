"""Limits for each client: requests a second, and answers that are not finished."""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from typing import TYPE_CHECKING, Final, NamedTuple

from claimlog.api.problem import busy, too_many

if TYPE_CHECKING:
    from claimlog.api.layers.asgi import Application, Headers, Receive, Scope, Send
    from claimlog.api.layers.identity import Caller
    from claimlog.api.resources import Resources

ALWAYS: Final = "/health"
"""Is answered whatever else goes on."""

_CLIENTS: Final = 10_000


class Taken(NamedTuple):
    """What is left in a client's bucket: whole requests, and seconds to wait for one."""

    left: int
    wait: float


class RateLimit:
    """A bucket of requests for each client, which fills up again steadily."""

    def __init__(self, rate: float, burst: int) -> None:
        self.rate = rate
        self.burst = burst
        self._clients: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, client: str, now: float) -> Taken:
        """Take a request out, unless there is none: then `wait` is not 0."""
        if not self.rate:
            return Taken(self.burst, 0.0)
        left, last = self._clients.get(client, (float(self.burst), now))
        left = min(float(self.burst), left + (now - last) * self.rate)
        if left < 1:
            return Taken(0, (1 - left) / self.rate)
        self._clients[client] = (left - 1, now)
        self._clients.move_to_end(client)
        if len(self._clients) > _CLIENTS:
            self._clients.popitem(last=False)
        return Taken(int(left - 1), 0.0)

    def headers(self, taken: Taken) -> Headers:
        """What tells a client about its bucket (draft-ietf-httpapi-ratelimit-headers)."""
        if not self.rate:
            return []
        window = math.ceil(self.burst / self.rate)
        wait = math.ceil(taken.wait) if taken.wait else math.ceil(1 / self.rate)
        return [
            (b"ratelimit-policy", f'"requests";q={self.burst};w={window}'.encode()),
            (b"ratelimit", f'"requests";r={taken.left};t={wait}'.encode()),
        ]


class Limits:
    """Refuses whoever asks for too much: 429 for a client, 503 if all together do.

    Whoever may write is not counted among strangers, and so never crowded out by them.
    """

    def __init__(self, app: Application, resources: Resources) -> None:
        self.app = app
        self.settings = resources.settings
        self.rates = RateLimit(self.settings.rate, self.settings.burst)
        self._unfinished: dict[str, int] = {}
        self._strangers = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["path"] == ALWAYS:
            await self.app(scope, receive, send)
            return
        state = scope["state"]
        caller: Caller = state["caller"]
        self._take(caller, state["extra"])
        if state.get("refusal") is not None:
            raise state["refusal"]
        if caller.trusted:
            await self.app(scope, receive, send)
            return
        self._begin(caller)
        counted = True

        def leave() -> None:
            nonlocal counted
            if counted:
                counted = False
                self._end(caller)

        state["leave"] = leave
        try:
            await self.app(scope, receive, send)
        finally:
            leave()

    def _take(self, caller: Caller, extra: Headers) -> None:
        """Count a request against the rate."""
        taken = self.rates.take(caller.key, time.monotonic())
        extra += self.rates.headers(taken)
        if taken.wait:
            raise too_many(
                f"{self.rates.rate:g} requests a second are allowed; wait {taken.wait:.1f} s",
                math.ceil(taken.wait),
            )

    def _begin(self, caller: Caller) -> None:
        """Count an answer that is not finished."""
        mine = self._unfinished.get(caller.key, 0)
        if mine >= self.settings.unfinished:
            raise too_many(f"{mine} of your requests are being answered, and more may not", 1)
        if self._strangers >= self.settings.requests:
            raise busy("too many requests at once")
        self._unfinished[caller.key] = mine + 1
        self._strangers += 1

    def _end(self, caller: Caller) -> None:
        self._strangers -= 1
        left = self._unfinished[caller.key] - 1
        if left:
            self._unfinished[caller.key] = left
        else:
            del self._unfinished[caller.key]
