"""The page at the table and its files: the same for every table, whose data the API has."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from functools import cache
from html import escape
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeAlias

from litestar import Request, Response, get
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException
from litestar.params import PathParameter

from claimlog.web import assets, bundle
from claimlog.web.packed import Unpacked, takes_gzip

if TYPE_CHECKING:
    from litestar.handlers import HTTPRouteHandler

Preview: TypeAlias = Callable[[str], Awaitable[tuple[str, str] | None]]
"""Title and description of a table by its id, or None if it is not there."""

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
    """A file with the addresses of the two trees in it."""
    text = assets.unpacked(assets.page().files[name]).decode()
    # A slow phone asks for all scripts at once, not for one after the other that names it.
    modules = (
        f'<link rel="modulepreload" href="{{page}}/{one}">' for one in bundle.modules("main.js")
    )
    return (
        text.replace("{modules}", "\n".join(modules))
        .replace("{page}", f"/static/{assets.page().version}")
        .replace("{vendor}", f"/static/{assets.vendor().version}")
        .replace("{engine}", str(assets.engine_size()))
        .encode()
    )


def _answer(body: bytes, name: str, **headers: str) -> Response[bytes]:
    named = {key.replace("_", "-"): value for key, value in headers.items()}
    return Response(
        body,
        media_type=assets.media_type(name),
        headers={"Cache-Control": "no-cache", "Referrer-Policy": "no-referrer", **named},
    )


def _table_page(title: str, about: str) -> Response[bytes]:
    page = _filled("table.html")
    for name, text in ((b"{title}", title), (b"{about}", about)):
        page = page.replace(name, escape(text).encode())
    return _answer(page, "table.html", Content_Security_Policy=_POLICY)


@get("/tables", opt=_OPEN, include_in_schema=False, sync_to_thread=False)
def tables_page() -> Response[bytes]:
    """The page: open tables, and a new one."""
    return _table_page("Claim", "")


@get("/tables/{id:str}", opt=_OPEN, include_in_schema=False)
async def table_page(
    preview: NamedDependency[Preview],
    id: Annotated[str, PathParameter(description="The table's id.")],
) -> Response[bytes]:
    """The page at which a game is being recorded.

    Where a link is shared it is shown who plays and where (`preview`), and no card.
    """
    return _table_page(*(await preview(id) or ("Claim", "")))


@get("/sw.js", opt=_OPEN, include_in_schema=False, sync_to_thread=False)
def service_worker() -> Response[bytes]:
    """What keeps the page and all that it needs on the phone."""
    page, vendor = assets.page(), assets.vendor()
    kept = {
        "page": [page.address(name) for name in sorted(page.files) if name not in _FILLED],
        "vendor": [vendor.address(name) for name in sorted(vendor.files)],
    }
    head = f"const KEPT = {json.dumps(kept)};\n"
    return _answer(head.encode() + _filled("sw.js"), "sw.js")


@get("/manifest.webmanifest", opt=_OPEN, include_in_schema=False, sync_to_thread=False)
def manifest() -> Response[bytes]:
    """What a phone needs to know to install the page."""
    return _answer(_filled("app.webmanifest"), "app.webmanifest")


@get("/static/{version:str}/{name:str}", opt=_OPEN, include_in_schema=False)
async def static_file(
    request: Request[Any, Any, Any],
    version: Annotated[str, PathParameter(description="What is in the files.")],
    name: Annotated[str, PathParameter(description="The file's name.")],
) -> Response[bytes]:
    """A file of the page; its address is another one as soon as anything in it is."""
    tree = next((t for t in (assets.page(), assets.vendor()) if t.version == version), None)
    asset = tree.files.get(name) if tree is not None else None
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
"""Files that have addresses of their own, with the trees' addresses in them."""

HANDLERS: Final[list[HTTPRouteHandler]] = [
    tables_page,
    table_page,
    service_worker,
    manifest,
    static_file,
]
"""All that is answered here."""
