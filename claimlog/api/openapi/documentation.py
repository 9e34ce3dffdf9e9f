"""The OpenAPI document, and a page to read it and try it out, without external resources.

The page is Swagger UI 5.35.0 (Apache-2.0, data/swagger-ui.LICENSE.txt), packed with gzip.
"""

from __future__ import annotations

import gzip
import importlib.resources
from functools import cache
from typing import Any, Final

from litestar import Request, Router, get
from litestar.datastructures import ResponseHeader
from litestar.enums import OpenAPIMediaType
from litestar.openapi.plugins import OpenAPIRenderPlugin

from claimlog.api.http.media_types import JSON
from claimlog.api.http.responses import Bytes, encode

_POLICY: Final = (
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "object-src 'none'; frame-ancestors 'none'; base-uri 'none'"
)
_DAY: Final = "public, max-age=86400"
_OPEN: Final[dict[str, Any]] = {"scope": None}


@cache
def _file(name: str) -> bytes:
    return (importlib.resources.files("claimlog.api") / "data" / name).read_bytes()


def _packed(request: Request[Any, Any, Any], name: str, media_type: str) -> Bytes:
    """Return a gzipped file, unpacked for the few clients that do not accept gzip."""
    body = _file(name + ".gz")
    headers = {"Cache-Control": _DAY, "Vary": "Accept-Encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers["Content-Encoding"] = "gzip"
    else:
        body = gzip.decompress(body)
    return Bytes(body, media_type, headers=headers)


class Page(OpenAPIRenderPlugin):
    """The page, at ``/docs``."""

    def render(self, request: Request[Any, Any, Any], openapi_schema: dict[str, Any]) -> bytes:
        """Return the page."""
        return _file("docs.html")


class Document(OpenAPIRenderPlugin):
    """The document, at ``/docs/openapi.json``: Litestar's, completed by `describe`."""

    def render(self, request: Request[Any, Any, Any], openapi_schema: dict[str, Any]) -> bytes:
        """Return the document."""
        return encode(request.app.state.openapi())


@get("/openapi.json", opt=_OPEN, include_in_schema=False)
async def openapi_document(request: Request[Any, Any, Any]) -> Bytes:
    """The document at its usual address."""
    return Bytes(encode(request.app.state.openapi()), JSON)


@get("/swagger-ui-bundle.js", opt=_OPEN | {"cache": False}, include_in_schema=False)
async def bundle(request: Request[Any, Any, Any]) -> Bytes:
    """Swagger UI."""
    return _packed(request, "swagger-ui-bundle.js", "text/javascript")


@get("/swagger-ui.css", opt=_OPEN | {"cache": False}, include_in_schema=False)
async def style(request: Request[Any, Any, Any]) -> Bytes:
    """The stylesheet of Swagger UI."""
    return _packed(request, "swagger-ui.css", "text/css")


@get("/start.js", opt=_OPEN, include_in_schema=False)
async def start() -> Bytes:
    """The script that starts Swagger UI."""
    return Bytes(_file("start.js"), "text/javascript")


@get("/favicon.ico", opt=_OPEN, include_in_schema=False)
async def favicon() -> Bytes:
    """The pages' icon."""
    return Bytes(_file("favicon.svg"), "image/svg+xml", headers={"Cache-Control": _DAY})


def router() -> Router:
    """Return the page and its files, under ``/docs``."""
    return Router(
        "/docs",
        route_handlers=[bundle, style, start],
        opt=_OPEN,
        include_in_schema=False,
        response_headers=[ResponseHeader(name="Content-Security-Policy", value=_POLICY)],
    )


PLUGINS: Final = (
    Page(path="/"),
    Document(path="/openapi.json", media_type=OpenAPIMediaType.OPENAPI_JSON),
)
