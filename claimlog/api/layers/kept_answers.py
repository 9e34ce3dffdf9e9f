"""The cache of answers, which are sent again without going further until anything is written."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from claimlog.api.caches.answers import Answer
from claimlog.api.layers.asgi import headers_of, send_whole
from claimlog.language import preferred
from claimlog.web.packed import takes_gzip

if TYPE_CHECKING:
    from claimlog.api.layers.asgi import Application, Headers, Message, Receive, Scope, Send
    from claimlog.api.layers.needs import Resources


class KeptAnswers:
    """Caches complete answers to GET, and gives each an ETag if it has none.

    A cached answer is only sent to callers who may read.
    """

    def __init__(self, app: Application, resources: Resources) -> None:
        self.app = app
        self.resources = resources

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["method"] != "GET":
            await self.app(scope, receive, send)
            return
        resources = self.resources
        generation = await resources.generation()
        language = scope["state"].get("page", "")
        given = headers_of(scope)
        # A page does not depend on what a browser accepts besides HTML, but on its own host, which
        # it names in the address of its picture.
        accept = b"" if language else given.get(b"accept", b"")
        host = given.get(b"host", b"").decode("latin-1") if language else ""
        # Pictures contain words, too.
        liked = language or preferred(given.get(b"accept-language", b"").decode("latin-1"))
        gzipped = takes_gzip(given.get(b"accept-encoding", b"").decode("latin-1"))
        key = (scope["path"], scope["query_string"], accept, host, liked, gzipped)
        if scope["state"]["caller"].level >= 0:
            known = resources.cache.get(key, generation)
            if known is not None:
                resources.metrics.cache_hits += 1
                scope["state"]["route"] = known.route
                scope["state"]["shared"] = True
                await send_whole(send, 200, known.headers, known.body)
                return
        held: Message | None = None
        old = resources.stale_cache.old

        async def sending(message: Message) -> None:
            nonlocal held
            if message["type"] == "http.response.start":
                held = message
                return
            if held is not None:
                start, held = held, None
                handler = scope.get("route_handler")
                whole = not message.get("more_body", False)
                if (
                    whole
                    and start["status"] == 200
                    and handler is not None
                    and handler.opt.get("cache", True)
                    and (b"cache-control", b"no-store") not in start["headers"]
                    # Perhaps another answer was stale, but then this one is merely not cached.
                    and resources.stale_cache.old == old
                ):
                    headers = self._headers(start["headers"], message["body"], bool(language))
                    start = {**start, "headers": headers}
                    route = scope.get("path_template", "")
                    kept = Answer(generation, headers, message["body"], route)
                    scope["state"]["shared"] = resources.cache.put(key, kept)
                await send(start)
            await send(message)

        await self.app(scope, receive, sending)

    def _headers(self, headers: Headers, body: bytes, page: bool) -> Headers:
        """The headers of a cached answer."""
        names = {name.lower() for name, _ in headers}
        made = [header for header in headers if header[0] != b"vary"]
        varies = b", ".join(text for name, text in headers if name == b"vary")
        if b"etag" not in names:
            made.append((b"etag", etag_of(body).encode()))
        if b"cache-control" not in names:
            open_reading = self.resources.settings.open_reading
            made.append((b"cache-control", b"no-cache" if open_reading else b"private, no-cache"))
        depends = [b"Accept"]
        if page or b"Accept-Language" in varies:
            depends.append(b"Accept-Language")
        if b"Accept-Encoding" in varies:
            depends.append(b"Accept-Encoding")
        made.append((b"vary", b", ".join(depends)))
        return made


def etag_of(body: bytes) -> str:
    """Return the ETag of a representation without a revision."""
    return f'"{hashlib.blake2b(body, digest_size=9).hexdigest()}"'
