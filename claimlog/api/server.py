"""Listening: uvicorn, with limits on what comes before a request is one."""

from __future__ import annotations

import asyncio
import logging
import socket
import sys
from typing import TYPE_CHECKING, Any, Final, cast

import msgspec
import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from claimlog.api.app import create_app
from claimlog.api.front import settings_are_safe
from claimlog.api.logs import Handler, Log
from claimlog.api.problem import MEDIA_TYPE, ApiError
from claimlog.api.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable

    from claimlog.api.front import Front
    from claimlog.store import Archive

HEAD_TIME: Final = 10.0
"""Seconds that the head of a request may take to arrive."""

HEAD_SIZE: Final = 1 << 16
"""Bytes that it may have."""

CONNECTIONS: Final = 2000
STOP_TIME: Final = 10
"""Seconds that requests have to end when the server is stopped."""


class Protocol(HttpToolsProtocol):
    """HTTP/1.1, where a head must arrive in time, be of sane size, and errors are problems."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a connection, unless there are too many."""
        super().connection_made(transport)
        self._head_size = 0
        self._head_timer: asyncio.TimerHandle | None = None
        if len(self.connections) > CONNECTIONS:
            self._refuse(503, "unavailable", "too many connections")
        else:
            self._await_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._stop_timer()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read on; a head that does not end is refused."""
        if self.transport.is_closing():
            return
        in_head = self._head_timer is not None or self.timeout_keep_alive_task is not None
        if in_head and self._head_timer is None:
            self._await_head()
        if in_head:
            self._head_size += len(data)
        super().data_received(data)
        if self._head_timer is not None and self._head_size > HEAD_SIZE:
            self._refuse(431, "headers-too-large", f"the head has more than {HEAD_SIZE} bytes")

    def on_headers_complete(self) -> None:
        """Begin with the request."""
        self._stop_timer()
        super().on_headers_complete()

    def send_400_response(self, msg: str) -> None:
        """Say that this is not HTTP."""
        self._refuse(400, "bad-request", "this is not HTTP/1.1")

    def _await_head(self) -> None:
        self._head_size = 0
        self._stop_timer()
        self._head_timer = self.loop.call_later(HEAD_TIME, self._head_late)

    def _stop_timer(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None

    def _head_late(self) -> None:
        if not self.transport.is_closing():
            self._refuse(408, "timeout", f"the head took more than {HEAD_TIME:g} s")

    def _refuse(self, status: int, kind: str, detail: str) -> None:
        self._stop_timer()
        body = msgspec.json.encode(ApiError(status, kind, detail).details())
        head = (
            f"HTTP/1.1 {status} {kind}\r\ncontent-type: {MEDIA_TYPE}\r\n"
            f"content-length: {len(body)}\r\nconnection: close\r\n\r\n"
        )
        self.transport.write(head.encode() + body)
        self.transport.close()


class Server(uvicorn.Server):
    """Tells the application at once when it is to stop, and the caller when it listens."""

    def __init__(
        self, config: uvicorn.Config, app: Front, ready: Callable[[list[str]], None] | None
    ) -> None:
        super().__init__(config)
        self.application = app
        self.ready = ready

    def handle_exit(self, sig: int, frame: Any) -> None:
        """Stop: imports end with what is stored."""
        self.application.service.stop()
        super().handle_exit(sig, frame)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen."""
        await super().startup(sockets)
        if self.ready is not None and self.started:
            places = [sock.getsockname() for server in self.servers for sock in server.sockets]
            self.ready([_url(place) for place in places])


def _url(place: Any) -> str:
    host, port = place[0], place[1]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def serve(
    archive: Archive,
    settings: Settings,
    *,
    host: str = "127.0.0.1",
    port: int = 8000,
    proxies: str = "",
    log: Log | None = None,
    ready: Callable[[list[str]], None] | None = None,
) -> None:
    """Serve until a signal comes.  Raises OSError if the address cannot be listened on.

    `proxies` are the addresses of reverse proxies whose X-Forwarded-For is believed.
    """
    if not settings_are_safe(settings, host):
        raise ValueError("writing without a token is for this machine alone")
    log = log or Log()
    app = create_app(archive, settings, log)
    handler = Handler(log)
    loggers = [logging.getLogger(name) for name in ("uvicorn.error", "asyncio")]
    for logger in loggers:
        logger.addHandler(handler)
        logger.setLevel(logging.WARNING)
        logger.propagate = False
    config = uvicorn.Config(
        cast("Any", app),
        host=host,
        port=port,
        http=Protocol,
        ws="none",
        loop="uvloop" if sys.platform != "win32" else "asyncio",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=bool(proxies),
        forwarded_allow_ips=proxies or None,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=STOP_TIME,
        backlog=1024,
    )
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        Server(config, app, ready).run(sockets=[listener])
    finally:
        listener.close()
        log.flush()
