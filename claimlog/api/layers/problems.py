"""Errors become problem details, or a page for people; if it is too late, the connection ends."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

import msgspec
from litestar.exceptions import HTTPException

from claimlog.api.http.problem import MEDIA_TYPE, ApiError, as_error, stopping
from claimlog.api.layers.asgi import send_whole
from claimlog.api.layers.observation import printable
from claimlog.api.logs import Aborted
from claimlog.language import preferred
from claimlog.store import ArchiveGone, ArchiveUnreachable, RecordDamaged
from claimlog.store.model.hiding import hidden
from claimlog.web.rendering import POLICY

if TYPE_CHECKING:
    from collections.abc import Callable

    from claimlog.api.layers.asgi import Application, Headers, Message, Receive, Scope, Send
    from claimlog.api.layers.needs import Resources

    ErrorPage = Callable[[ApiError, Scope, str], bytes]
    """Makes the page for an error of a request, in a language."""

NOTHING: Final = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'"
"""The policy of an answer for programs, in case a browser shows it."""


def _is_problem(headers: Headers) -> bool:
    return any(name.lower() == b"content-type" and b"problem" in text for name, text in headers)


class Problems:
    """Answers errors with problem details; logs those that are the server's fault."""

    def __init__(self, app: Application, resources: Resources, error_page: ErrorPage) -> None:
        self.app = app
        self.resources = resources
        self.error_page = error_page

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        started = False
        instead: HTTPException | None = None

        async def sending(message: Message) -> None:
            nonlocal started, instead
            if message.get("status", 0) >= 400 and not _is_problem(message["headers"]):
                # Litestar's documentation router has its own page for 404.
                instead = HTTPException(status_code=message["status"])
            if instead is not None:
                return
            started = True
            await send(message)

        try:
            await self.app(scope, receive, sending)
            if instead is not None:
                raise instead
        except Aborted:
            raise
        except asyncio.CancelledError as error:
            # The server stops and waits no longer.
            if not self.resources.stopping:
                raise
            if started:
                raise Aborted from error
            await self._send(scope, send, stopping())
        except Exception as error:
            refusal = as_error(error)
            if refusal is None or isinstance(
                error, ArchiveGone | ArchiveUnreachable | RecordDamaged
            ):
                self._log(scope, error)
            if refusal is None and isinstance(error, OSError):
                refusal = self._gone()
            if refusal is None:
                refusal = ApiError(500, "internal", "server.see-request")
            if started:
                id = scope["state"]["request_id"]
                self.resources.log.line("warning", "aborted", request_id=id)
                raise Aborted from error
            await self._send(scope, send, refusal)

    def _gone(self) -> ApiError | None:
        """Return the error to answer with if the archive's folder is gone, with all files in it."""
        archive = self.resources.archive
        if archive.postgres is not None or archive.path.exists():
            return None
        return as_error(ArchiveGone("archive.gone", path=archive.path))

    async def _send(self, scope: Scope, send: Send, error: ApiError) -> None:
        # Errors must not reveal where the archive is on the disk.
        error.message = error.message.without(f"{self.resources.archive.path.parent}/")
        page = scope["state"].get("page")
        kind = MEDIA_TYPE
        if page:
            kind = "text/html; charset=utf-8"
            body = self.error_page(error, scope, page)
        else:
            liked = scope["state"]["headers"].get(b"accept-language", b"").decode("latin-1")
            language = preferred(liked)
            details = error.details(quote(scope["path"]), scope["state"]["request_id"], language)
            body = msgspec.json.encode(details)
        headers = [(k.lower().encode(), v.encode("latin-1")) for k, v in error.headers.items()]
        headers += [
            (b"cache-control", b"no-store"),  # browsers keep some errors, 410 even for ever
            (b"content-security-policy", (POLICY if page else NOTHING).encode()),
            (b"referrer-policy", b"same-origin"),
            (b"content-type", kind.encode()),
            (b"content-length", str(len(body)).encode()),
        ]
        if not page:
            headers += [(b"content-language", language.encode()), (b"vary", b"Accept-Language")]
        await send_whole(send, error.status, headers, b"" if scope["method"] == "HEAD" else body)

    def _log(self, scope: Scope, error: BaseException) -> None:
        self.resources.metrics.failures += 1
        request = {
            "request_id": scope["state"]["request_id"],
            "method": scope["method"],
            "path": printable(scope["path"]),
        }
        if isinstance(error, ArchiveUnreachable):
            # It comes with every request until PostgreSQL or the lake answers again.
            self.resources.log.line("error", "failure", error=hidden(str(error)), **request)
        else:
            self.resources.log.failure("failure", error, **request)
