"""Addresses: the methods of each, and addresses without a version.

Answers OPTIONS, completes the Allow header of 405, and redirects an address from before versions
were introduced to its current one.

An address without a version is also that of a page for people.  A browser, which asks for HTML,
gets the page, and so does a service that previews links.  A request for CLM, CSV and so on, by
`Accept` or with ``format=csv`` in the query, gets what the versioned address answers.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qsl, quote_plus, unquote, unquote_plus

from litestar.exceptions import MethodNotAllowedException, NotFoundException

from claimlog.api.http.addresses import PAGES, SLASH, VERSION
from claimlog.api.http.meant import meant
from claimlog.api.http.media_types import CSV, FORMATS, HTML, JSON, choose
from claimlog.api.http.problem import ApiError, no_address, wrong_method
from claimlog.api.layers.asgi import headers_of, send_whole
from claimlog.language import LANGUAGES, preferred

if TYPE_CHECKING:
    from litestar import Litestar

    from claimlog.api.layers.asgi import Application, Headers, Receive, Scope, Send


TOGETHER: Final = ("factions", "without")
"""Conditions whose several values are joined into one: a form has a checkbox for each faction."""
_SHOWS_LINKS: Final = re.compile(r"bot\b|\+https?:|whatsapp|facebookexternalhit", re.IGNORECASE)
"""The user agents of services that preview links; most accept any media type."""
_QUOTED_SLASH: Final = re.compile(rb"%2f", re.IGNORECASE)


class Routes:
    """The paths that Litestar knows, and their methods."""

    def __init__(self, app: Litestar) -> None:
        self.app = app

    @cached_property
    def _paths(self) -> dict[tuple[int, str], list[tuple[re.Pattern[str], frozenset[str]]]]:
        """Patterns and methods, by number of segments and what comes before the first parameter."""
        paths: dict[tuple[int, str], list[tuple[re.Pattern[str], frozenset[str]]]] = {}
        for route in self.app.routes:
            path = route.path_format
            pattern = re.sub(r"\\{[^}]*\\}", "[^/]+", re.escape(path))
            methods = set(getattr(route, "methods", ())) | {"OPTIONS"}
            if "GET" in methods:
                methods.add("HEAD")
            beginning = path.partition("{")[0].rpartition("/")[0] if "{" in path else path
            place = path.count("/"), beginning
            paths.setdefault(place, []).append((re.compile(pattern), frozenset(methods)))
        return paths

    @cached_property
    def _versioned(self) -> frozenset[str]:
        """The first words of the paths that have a version."""
        begin = VERSION + "/"
        return frozenset(
            route.path_format.removeprefix(begin).split("/")[0]
            for route in self.app.routes
            if route.path_format.startswith(begin)
        )

    def methods(self, path: str) -> list[str]:
        """Return the methods of a path, sorted; empty if there is no such path."""
        path = beginning = "/" + path.strip("/")
        segments = path.count("/")
        found = set[str]()
        while True:
            for pattern, methods in self._paths.get((segments, beginning), ()):
                if pattern.fullmatch(path):
                    found |= methods
            if not beginning:
                return sorted(found)
            beginning = beginning.rpartition("/")[0]

    def has_page(self, path: str) -> bool:
        """Whether there is a page for people at this path."""
        return bool(self.methods(PAGES + path))

    def has_moved(self, path: str) -> bool:
        """Whether this is an address from before versions were introduced."""
        first = path.lstrip("/").partition("/")[0]
        if first not in self._versioned or self.methods(path):
            return False
        return bool(self.methods(VERSION + path))


class Addresses:
    """Answers for the methods of addresses, and sends requests on to pages and versions."""

    def __init__(self, app: Application, routes: Routes) -> None:
        self.app = app
        self.routes = routes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        asked = scope["path"]
        raw: bytes = scope.get("raw_path") or asked.encode()
        if _QUOTED_SLASH.search(raw):
            path = unquote(_QUOTED_SLASH.sub(SLASH.encode(), raw).decode("ascii"))
            scope = {**scope, "path": path}
        if scope["method"] in ("GET", "HEAD"):
            address = self._for_people(scope)
            if address is None:
                await send_whole(send, *_without_empty(scope, raw))
                return
            scope = address
        path = scope["path"]
        if self.routes.has_moved(path):
            place = VERSION.encode() + raw
            if scope["query_string"]:
                place += b"?" + scope["query_string"]
            # 308 keeps method and body.
            moved = [(b"location", place), (b"vary", b"Accept"), (b"content-length", b"0")]
            await send_whole(send, 308, moved)
            return
        if scope["method"] == "OPTIONS":
            methods = self.routes.methods(path)
            if not methods:
                raise no_address(asked)
            await send_whole(send, 204, [(b"allow", ", ".join(methods).encode())])
            return
        try:
            await self.app(scope, receive, send)
        except NotFoundException as error:
            raise no_address(asked) from error
        except MethodNotAllowedException as error:
            raise wrong_method(asked, scope["method"], self.routes.methods(path)) from error

    def _for_people(self, scope: Scope) -> Scope | None:
        """Return the request to pass on: to a page, to the data behind it, or unchanged.

        None if the page's address has arguments without a value, as forms send them, dates and
        factions as people write them, or one faction per argument, as checkboxes send them.
        """
        path = scope["path"]
        if path.startswith((f"{VERSION}/", f"{PAGES}/")):
            return scope
        headers = headers_of(scope)
        accept = headers.get(b"accept", b"").decode("latin-1")
        query = scope["query_string"]
        arguments = parse_qsl(query.decode("latin-1"), keep_blank_values=True) if query else []
        form = next((value for name, value in arguments if name == "format"), None)
        page = self.routes.has_page(path)
        if page and form is not None:
            return self._as_data(scope, form)
        if page and accept in ("", "*/*"):
            agent = headers.get(b"user-agent", b"").decode("latin-1")
            answered = self.routes.methods(path) or self.routes.methods(VERSION + path)
            if _SHOWS_LINKS.search(agent) or not answered:
                accept = HTML
        if page and accept not in ("", "*/*") and _only_csv(path, accept):
            return {**scope, "path": PAGES + path}
        if accept and accept != "*/*" and _likes_pages(accept):
            if page or not (self.routes.methods(path) or self.routes.has_moved(path)):
                scope["state"]["page"] = _language(scope, arguments)
            if not page:
                return scope
            if any(not value or meant(name, value) != value for name, value in arguments):
                return None
            if any(sum(name == one for name, _ in arguments) > 1 for one in TOGETHER):
                return None
            return {**scope, "path": PAGES + path, "query_string": _without(query, "lang")}
        if page and accept not in ("", "*/*") and self.routes.methods(VERSION + path):
            return {**scope, "path": VERSION + path}
        return scope

    def _as_data(self, scope: Scope, form: str) -> Scope:
        """Return the request for the data that a page shows, in a format for programs."""
        if form not in FORMATS:
            raise ApiError(400, "bad-query", "argument.choices", names=FORMATS, field="format")
        headers = [header for header in scope["headers"] if header[0] != b"accept"]
        headers.append((b"accept", FORMATS[form].encode()))
        scope["state"]["headers"] = dict(headers)
        path = VERSION + scope["path"] if scope["path"] != "/" else "/"
        if _only_csv(scope["path"], FORMATS[form]):
            path = PAGES + scope["path"]
        return {
            **scope,
            "path": path,
            "query_string": _without(scope["query_string"], "format", "lang"),
            "headers": headers,
        }


def _only_csv(path: str, accept: str) -> bool:
    """Whether rows of a page other than games are wanted as CSV, which the page itself makes."""
    if path == "/" or path.startswith("/games"):
        return False
    try:
        return choose(accept, (JSON, CSV, HTML)) == CSV
    except ApiError:
        return False


def _likes_pages(accept: str) -> bool:
    """Whether the client prefers HTML to every other type on offer."""
    try:
        return choose(accept, (JSON, *FORMATS.values(), HTML)) == HTML
    except ApiError:
        return False


def _language(scope: Scope, arguments: list[tuple[str, str]]) -> str:
    """The language of a page: from the address, or else from the browser."""
    for name, value in arguments:
        if name == "lang" and value in LANGUAGES:
            return value
    return preferred(headers_of(scope).get(b"accept-language", b"").decode("latin-1"))


def _without(query: bytes, *names: str) -> bytes:
    """Return a query without the arguments of these names, all others unchanged."""
    pairs = [
        (unquote_plus(pair.partition(b"=")[0].decode("latin-1")), pair)
        for pair in query.split(b"&")
    ]
    return b"&".join(pair for name, pair in pairs if name not in names)


def _meant(pair: bytes) -> bytes:
    """Return an argument in its exact form; one that is understood as it stands is unchanged."""
    name, _, value = pair.partition(b"=")
    text = unquote_plus(value.decode("latin-1"), errors="replace")
    said = meant(name.decode("latin-1"), text)
    return pair if said == text else name + b"=" + quote_plus(said).encode()


def _without_empty(scope: Scope, raw: bytes) -> tuple[int, Headers]:
    """Redirect a form to the address with only the fields filled in, in their exact form."""
    pairs = [pair for pair in scope["query_string"].split(b"&") if not pair.endswith(b"=") and pair]
    pairs = [_meant(pair) for pair in pairs if b"=" in pair]
    for name in TOGETHER:
        begins = f"{name}=".encode()
        ticked = [pair.removeprefix(begins) for pair in pairs if pair.startswith(begins)]
        if len(ticked) > 1:
            first = next(i for i, pair in enumerate(pairs) if pair.startswith(begins))
            rest = [pair for pair in pairs if not pair.startswith(begins)]
            pairs = [*rest[:first], begins + b"".join(ticked), *rest[first:]]
    place = raw + (b"?" + b"&".join(pairs) if pairs else b"")
    return 303, [(b"location", place), (b"content-length", b"0")]
