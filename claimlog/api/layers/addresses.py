"""Addresses: what can be done with each, and those without a version.

Answers OPTIONS, completes the Allow header of 405, and sends an address of before there were
versions to the one that it has now.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote

from claimlog.api.layers.asgi import send_whole
from claimlog.api.problem import ApiError

if TYPE_CHECKING:
    from litestar import Litestar

    from claimlog.api.layers.asgi import Application, Receive, Scope, Send

VERSION: Final = "/v1"
"""What the addresses of the API begin with."""

SLASH: Final = "\x1f"
"""Stands in a path for a slash that belongs to a name (``%2F``)."""

_QUOTED_SLASH: Final = re.compile(rb"%2f", re.IGNORECASE)


class Routes:
    """The paths that Litestar knows, and their methods."""

    def __init__(self, app: Litestar) -> None:
        self.app = app

    @cached_property
    def _paths(self) -> list[tuple[re.Pattern[str], frozenset[str]]]:
        found = []
        for route in self.app.routes:
            pattern = re.sub(r"\\{[^}]*\\}", "[^/]+", re.escape(route.path_format))
            methods = set(getattr(route, "methods", ())) | {"OPTIONS"}
            if "GET" in methods:
                methods.add("HEAD")
            found.append((re.compile(pattern), frozenset(methods)))
        return found

    @cached_property
    def _versioned(self) -> frozenset[str]:
        """The first words of addresses that have a version."""
        begin = VERSION + "/"
        return frozenset(
            route.path_format.removeprefix(begin).split("/")[0]
            for route in self.app.routes
            if route.path_format.startswith(begin)
        )

    def methods(self, path: str) -> list[str]:
        """What can be done with a path, sorted; empty if there is no such path."""
        path = "/" + path.strip("/")
        found = [methods for pattern, methods in self._paths if pattern.fullmatch(path)]
        return sorted(frozenset().union(*found))

    def has_moved(self, path: str) -> bool:
        """Whether this is an address of before there were versions, and not that of a page."""
        first = path.lstrip("/").partition("/")[0]
        if first not in self._versioned or self.methods(path):
            return False
        return bool(self.methods(VERSION + path))


class Addresses:
    """Knows what can be done with an address."""

    def __init__(self, app: Application, routes: Routes) -> None:
        self.app = app
        self.routes = routes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        raw: bytes = scope.get("raw_path") or scope["path"].encode()
        if _QUOTED_SLASH.search(raw):
            path = unquote(_QUOTED_SLASH.sub(SLASH.encode(), raw).decode("ascii"))
            scope = {**scope, "path": path}
        path = scope["path"]
        if self.routes.has_moved(path):
            place = VERSION.encode() + raw
            if scope["query_string"]:
                place += b"?" + scope["query_string"]
            # 308 keeps method and body.
            await send_whole(send, 308, [(b"location", place), (b"content-length", b"0")])
            return
        if scope["method"] == "OPTIONS":
            methods = self.routes.methods(path)
            if not methods:
                raise ApiError(404, "not-found", "Not Found")
            await send_whole(send, 204, [(b"allow", ", ".join(methods).encode())])
            return
        try:
            await self.app(scope, receive, send)
        except Exception as error:
            if getattr(error, "status_code", 0) != 405:
                raise
            allow = ", ".join(self.routes.methods(path))
            raise ApiError(
                405, "method-not-allowed", "Method Not Allowed", headers={"Allow": allow}
            ) from error
