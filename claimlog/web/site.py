"""The page at the table and its files: the same for every table, whose data come from the API."""

from __future__ import annotations

import gzip
import json
from collections.abc import Awaitable, Callable
from functools import cache
from html import escape
from typing import TYPE_CHECKING, Annotated, Any, Final, NamedTuple, TypeAlias

from litestar import Request, Response, get
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException
from litestar.params import PathParameter

from claimlog.language import LANGUAGES
from claimlog.web import assets, bundle, rendering
from claimlog.web.packed import Unpacked, takes_gzip

if TYPE_CHECKING:
    from litestar.handlers import HTTPRouteHandler


class Preview(NamedTuple):
    """What a link to a table shows: title, description, and the path of a picture ("" for none)."""

    title: str
    about: str = ""
    picture: str = ""


Previewing: TypeAlias = Callable[[str], Awaitable[Preview | None]]
"""Returns what the link of a table shows, by its id; None if there is no such table."""

_OPEN: Final[dict[str, Any]] = {"scope": None, "cache": False}
_FOR_EVER: Final = "public, max-age=31536000, immutable"
_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; "
    "connect-src 'self'; worker-src 'self'; manifest-src 'self'; form-action 'none'; "
    "frame-ancestors 'none'; base-uri 'none'"
)
_POLICY_OF_THE_ENGINE: Final = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"
)
"""The script that runs Python is the only one that may compile WebAssembly."""


@cache
def _filled(name: str) -> bytes:
    """Return a file with the addresses of the two trees filled in."""
    text = assets.unpacked(assets.page().files[name]).decode()
    return (
        text.replace("{page}", f"/static/{assets.page().version}")
        .replace("{vendor}", f"/static/{assets.vendor().version}")
        .replace("{engine}", str(assets.engine_size()))
        .encode()
    )


@cache
def _script() -> assets.Asset:
    """Return the page's script with its imports: one request instead of thirty."""
    body = bundle.bundled(_SCRIPT, frozenset({_WORDS})).encode()
    return assets.Asset(assets.media_type(_SCRIPT), gzip.compress(body, 9, mtime=0), packed=True)


def _answer(body: bytes, name: str, **headers: str) -> Response[bytes]:
    named = {key.replace("_", "-"): value for key, value in headers.items()}
    return Response(
        body,
        media_type=assets.media_type(name),
        headers={"Cache-Control": "no-cache", "Referrer-Policy": "no-referrer", **named},
    )


def _table_page(shown: Preview, origin: str = "") -> Response[bytes]:
    shared = rendering.render(
        "shared-link.html",
        LANGUAGES[0],
        title=shown.title,
        description=shown.about,
        picture=shown.picture and origin + shown.picture,
    )
    page = _filled("table.html").replace(b"{title}", escape(shown.title).encode())
    page = page.replace(b"{shared}", shared.strip())
    return _answer(page, "table.html", Content_Security_Policy=_POLICY)


@get("/tables", opt=_OPEN, include_in_schema=False, sync_to_thread=False)
def tables_page() -> Response[bytes]:
    """The page: open tables, and a new one."""
    return _table_page(Preview("Claim"))


@get("/tables/{id:str}", opt=_OPEN, include_in_schema=False)
async def table_page(
    request: Request[Any, Any, Any],
    preview: NamedDependency[Previewing],
    id: Annotated[str, PathParameter(description="The table's id.")],
) -> Response[bytes]:
    """The page at which a game is being recorded.

    A shared link shows who plays and where, with a picture of what spectators see.
    """
    return _table_page(await preview(id) or Preview("Claim"), str(request.base_url).rstrip("/"))


@get("/sw.js", opt=_OPEN, include_in_schema=False, sync_to_thread=False)
def service_worker() -> Response[bytes]:
    """The service worker, which keeps the page and all that it needs on the phone."""
    page, vendor = assets.page(), assets.vendor()
    inside = set(bundle.modules(_SCRIPT)) - {_SCRIPT, _WORDS}
    names = sorted(page.files.keys() - _FILLED - inside)
    kept = {
        "page": [page.address(name) for name in names],
        "vendor": [vendor.address(name) for name in sorted(vendor.files)],
    }
    head = f"const KEPT = {json.dumps(kept)};\n"
    return _answer(head.encode() + _filled("sw.js"), "sw.js")


@get("/manifest.webmanifest", opt=_OPEN, include_in_schema=False, sync_to_thread=False)
def manifest() -> Response[bytes]:
    """The manifest, which a phone needs to install the page."""
    return _answer(_filled("app.webmanifest"), "app.webmanifest")


@get("/static/{version:str}/{name:str}", opt=_OPEN, include_in_schema=False)
async def static_file(
    request: Request[Any, Any, Any],
    version: Annotated[str, PathParameter(description="What is in the files.")],
    name: Annotated[str, PathParameter(description="The file's name.")],
) -> Response[bytes]:
    """A file of the page; its address changes with the content."""
    tree = next((t for t in (assets.page(), assets.vendor()) if t.version == version), None)
    asset = tree.files.get(name) if tree is not None else None
    if asset is not None and name == _SCRIPT:
        asset = _script()
    if asset is None:
        raise NotFoundException
    headers = {
        "Cache-Control": _FOR_EVER,
        "ETag": f'"{version}"',
        "Vary": "Accept-Encoding",
        "Cross-Origin-Resource-Policy": "same-origin",
    }
    if asset.packed and takes_gzip(request.headers.get("accept-encoding", "")):
        headers["Content-Encoding"] = "gzip"
        headers["ETag"] = f'"{version}-gzip"'
        body = asset.body
    else:
        body = await _UNPACKED.of(asset)
    request.scope["state"]["shared"] = True
    if name == "engine.js":
        headers["Content-Security-Policy"] = _POLICY_OF_THE_ENGINE
    return Response(body, media_type=asset.media_type, headers=headers)


_UNPACKED: Final = Unpacked()
_FILLED: Final = frozenset({"table.html", "sw.js", "app.webmanifest"})
"""Files with addresses of their own, which contain the trees' addresses."""

_SCRIPT: Final = "main.js"
_WORDS: Final = "words.js"
"""The script with the page's words, which fetches them before the page's script is there."""

HANDLERS: Final[list[HTTPRouteHandler]] = [
    tables_page,
    table_page,
    service_worker,
    manifest,
    static_file,
]
"""The handlers of this module."""
