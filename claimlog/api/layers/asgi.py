"""The types of ASGI, and what the layers leave for each other in ``scope["state"]``.

=============  ==========================================================
resources      the server's resources (`claimlog.api.resources`), by `Observation`
request_id     the id of the request, by `Observation`
extra          headers that every answer to the request gets, by any layer
caller         who makes the request, by `Identity`
refusal        why it is refused nevertheless, by `Identity`
leave          stops counting the answer as unfinished, by `Limits`
shared         whether the answer's bytes are cached, by the cache
connection     the connection of the request, by the server
route          the route of the request, by whichever layer knows it first
deadline       the limits of time and size, by `Deadlines`
=============  ==========================================================
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias, cast

Scope: TypeAlias = dict[str, Any]
Message: TypeAlias = dict[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]
Application: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]
Headers: TypeAlias = list[tuple[bytes, bytes]]


def headers_of(scope: Scope) -> dict[bytes, bytes]:
    """The request's headers by lower-case name; the last one if a header was sent twice."""
    state = scope["state"]
    headers = state.get("headers")
    if headers is None:
        headers = state["headers"] = dict(scope["headers"])
    return cast("dict[bytes, bytes]", headers)


async def send_whole(send: Send, status: int, headers: Headers, body: bytes = b"") -> None:
    """Send a complete answer."""
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})
