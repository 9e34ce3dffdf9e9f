"""CORS: what pages of other origins may read, and the preflight requests of browsers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from claimlog.api.layers.asgi import headers_of, send_whole

if TYPE_CHECKING:
    from claimlog.api.layers.addresses import Routes
    from claimlog.api.layers.asgi import Application, Headers, Receive, Scope, Send

_EXPOSED: Final = (
    b"Claimlog-Mark, ETag, Link, Location, RateLimit, RateLimit-Policy, Retry-After, X-Request-ID"
)
_ACCEPTED: Final = (
    b"Authorization, Claimlog-Mark, Content-Encoding, Content-Type, If-Match, If-None-Match, "
    b"Last-Event-ID, X-Claimlog-By, X-Request-ID"
)


class Cors:
    """Lets pages of the `allowed` origins read the answers."""

    def __init__(self, app: Application, allowed: tuple[str, ...], routes: Routes) -> None:
        self.app = app
        self.allowed = allowed
        self.routes = routes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        headers = headers_of(scope)
        scope["state"]["extra"] += self._headers(headers.get(b"origin"))
        if scope["method"] == "OPTIONS" and b"access-control-request-method" in headers:
            methods = self.routes.methods(scope["path"])
            if methods:
                answer = [
                    (b"allow", ", ".join(methods).encode()),
                    (b"access-control-allow-methods", ", ".join(methods).encode()),
                    (b"access-control-allow-headers", _ACCEPTED),
                    (b"access-control-max-age", b"600"),
                ]
                await send_whole(send, 204, answer)
                return
        await self.app(scope, receive, send)

    def _headers(self, origin: bytes | None) -> Headers:
        headers = [(b"vary", b"Origin")]
        everybody = "*" in self.allowed
        if origin is not None and (everybody or origin.decode("latin-1") in self.allowed):
            headers.append((b"access-control-allow-origin", b"*" if everybody else origin))
            headers.append((b"access-control-expose-headers", _EXPOSED))
        return headers
