"""The types of ASGI, and what the layers leave for each other in ``scope["state"]``.

=============  ==========================================================
resources      what the server has (`claimlog.api.resources`), by `Observation`
request_id     the id of the request, by `Observation`
extra          headers that every answer to it gets, by any layer
caller         who asks, by `Identity`
refusal        why it is refused all the same, by `Identity`
leave          no longer counts the answer among the unfinished ones, by `Limits`
shared         whether the answer's bytes are kept for many, by whoever keeps them
connection     the connection that it came by, by the server
route          which path of the API it is, by whoever knows it first
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
    """The request's headers by their names in small letters; of one sent twice the last."""
    state = scope["state"]
    headers = state.get("headers")
    if headers is None:
        headers = state["headers"] = dict(scope["headers"])
    return cast("dict[bytes, bytes]", headers)


async def send_whole(send: Send, status: int, headers: Headers, body: bytes = b"") -> None:
    """Send an answer that is complete."""
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})
