"""Listening: uvicorn, with limits on what comes before and after a request."""

from __future__ import annotations

import gc
import logging
import socket
import sys
from functools import partial
from typing import TYPE_CHECKING, Any, Final, cast

import msgspec
import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from claimlog.api.app import create_app
from claimlog.api.http.hosts import bound, client_network, in_url, is_loopback, wider_network
from claimlog.api.http.problem import MEDIA_TYPE, ApiError
from claimlog.api.limits.budget import WIDE
from claimlog.api.logs import Handler, Log
from claimlog.api.settings import Settings

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable
    from pathlib import Path

    from claimlog.api.app import Application
    from claimlog.store import Archive

HEAD_TIME: Final = 10.0
"""Seconds that the head of a request may take to arrive."""

HEAD_SIZE: Final = 1 << 16
"""Bytes that the head of a request may have."""

CONNECTIONS: Final = 2000
"""Connections of all clients together."""

SPARE: Final = 32
"""Connections beyond `CONNECTIONS`, on which only the health of the server can be asked for."""

CLOSE_TIME: Final = 5.0
"""Seconds in which a client must read some of what remains when its connection closes."""

LEAST_SPEED: Final = 1000
"""Bytes a second that a client must read of an answer."""

STOP_TIME: Final = 10
"""Seconds that requests have to end when the server is stopped."""

GARBAGE: Final = (50_000, 20, 50)
"""Thresholds of the garbage collector.  A page makes tens of thousands of objects; with the
defaults the collector would search them, and everything else alive, several times along the way."""


class HeadTooLargeError(Exception):
    """The head of a request is larger than `HEAD_SIZE`."""


class Connections:
    """The open connections by client; a client over its limit loses idle ones."""

    def __init__(self, settings: Settings, log: Log) -> None:
        self.settings = settings
        self.log = log
        self.proxies = settings.trusted()
        self._by_client: dict[str, dict[Connection, None]] = {}
        self._by_network: dict[str, dict[Connection, None]] = {}
        self._number = 0
        self._spare: dict[Connection, None] = {}

    def add(self, connection: Connection) -> None:
        """Count a connection; if there is no room, it is a spare one.

        A spare connection can only ask for the server's health, and the oldest is closed for a new
        one.
        """
        address = connection.address
        connection.owner = client_network(address)
        connection.network = wider_network(address)
        mine = self._by_client.setdefault(connection.owner, {})
        near = self._by_network.setdefault(connection.network, {})
        mine[connection] = near[connection] = None
        self._number += 1
        # All connections through a proxy come from its address.
        counted = address not in self.proxies
        room = True
        if counted and len(mine) > self.settings.connections:
            room = self._close_idle(mine, connection)
        elif counted and len(near) > WIDE * self.settings.connections:
            room = self._close_idle(near, connection)
        elif self._number > CONNECTIONS:
            room = self._close_idle(max(self._by_client.values(), key=len), connection)
        if not room:
            self._leave(connection)
            connection.spare = True
            self._spare[connection] = None
            if len(self._spare) > SPARE:
                next(iter(self._spare)).drop()

    def remove(self, connection: Connection) -> None:
        """Forget a closed connection."""
        self._spare.pop(connection, None)
        if self._leave(connection) or connection.watching or connection.spare:
            connection.watching = False
            self._number -= 1

    def watch(self, connection: Connection, watching: bool) -> None:
        """Count a connection as watching events, or no longer; watchers are counted separately."""
        if watching and self._leave(connection):
            connection.watching = True
        elif not watching and connection.watching:
            connection.watching = False
            self._by_client.setdefault(connection.owner, {})[connection] = None
            self._by_network.setdefault(connection.network, {})[connection] = None

    def _leave(self, connection: Connection) -> bool:
        """Stop counting a connection against its client; returns whether it was counted."""
        if connection not in self._by_client.get(connection.owner, {}):
            return False
        for those, name in (
            (self._by_client, connection.owner),
            (self._by_network, connection.network),
        ):
            del those[name][connection]
            if not those[name]:
                del those[name]
        return True

    def _close_idle(self, those: dict[Connection, None], new: Connection) -> bool:
        """Close the connection that has been idle longest, except `new`."""
        for connection in those:
            if connection is not new and connection.idle:
                connection.drop()
                return True
        return False


class Connection(HttpToolsProtocol):
    """HTTP/1.1 with time limits for sending heads and reading answers; errors are problems."""

    def __init__(self, connections: Connections, **options: Any) -> None:
        super().__init__(**options)
        self.connections_of_all = connections
        self.owner = ""
        self.network = ""
        self.watching = False
        self.spare = False
        self._answering: Any = None
        self._head_size = self._parsed = 0
        self._in_head = True
        self._body_came = False
        self._no_body_size = 0
        self._head_timer: asyncio.TimerHandle | None = None
        self._unread_timer: asyncio.TimerHandle | None = None
        self._close_timer: asyncio.TimerHandle | None = None

    @property
    def address(self) -> str:
        """The address of the client; empty if there is none, as with a Unix socket."""
        # Whatever its type says, uvicorn has None here until a connection is made.
        client: Any = self.client
        return str(client[0]) if client else ""

    def watch(self, watching: bool) -> None:
        """Count the connection as watching events, or no longer."""
        self.connections_of_all.watch(self, watching)

    @property
    def idle(self) -> bool:
        """Whether no request is being answered."""
        return self._answering is None or bool(self._answering.response_complete)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a connection; if there are too many, it is a spare one."""
        super().connection_made(transport)
        self.connections_of_all.add(self)
        self._await_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        for timer in (self._head_timer, self._unread_timer, self._close_timer):
            if timer is not None:
                timer.cancel()
        self.connections_of_all.remove(self)
        # uvicorn tells the last request, but it may be another one that is being answered.
        self.pipeline.clear()
        if not self.idle:
            self._answering.disconnected = True
            self._answering.message_event.set()
        super().connection_lost(exc)

    # Reading ---------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        """Read on; a head that does not end is refused."""
        if self.transport.is_closing():
            return
        in_head = self._head_timer is not None or self.timeout_keep_alive_task is not None
        if in_head and self._head_timer is None:
            self._await_head()
        if in_head:
            self._head_size += len(data)
        self._body_came = False
        super().data_received(data)
        # Bytes that are neither head nor body are trailers or chunk extensions.
        self._no_body_size = 0 if in_head or self._body_came else self._no_body_size + len(data)
        if self.transport.is_closing():
            return
        if self._head_timer is not None and self._head_size > HEAD_SIZE:
            self._refuse_head()
        elif self._no_body_size > HEAD_SIZE:
            self._refuse(431, "headers-too-large", "head.no-body", number=HEAD_SIZE)

    def on_message_begin(self) -> None:
        """Begin to read a head."""
        self._in_head = True
        self._parsed = len(b"GET  HTTP/1.1\r\n\r\n")
        super().on_message_begin()

    def on_url(self, url: bytes) -> None:
        """Take a part of the address."""
        self._count(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a header; trailers are ignored (RFC 9110, 6.5.1)."""
        if self._in_head:
            self._count(len(name) + len(value) + len(b": \r\n"))
            super().on_header(name, value)

    def _count(self, size: int) -> None:
        """Count what was parsed of a head: it may have come, whole, with other data."""
        self._parsed += size
        if self._parsed > HEAD_SIZE:
            raise HeadTooLargeError

    def on_body(self, body: bytes) -> None:
        """Take a part of the body."""
        self._body_came = True
        super().on_body(body)

    def on_headers_complete(self) -> None:
        """Begin with the request."""
        self._in_head = False
        self._stop_head_timer()
        self.scope["state"]["connection"] = self
        super().on_headers_complete()
        if self.parser.get_http_version() == "1.0":
            _until_close(self.cycle)
        if not self.pipeline:
            self._answering = self.cycle
        if self.spare:
            self.cycle.keep_alive = False

    def send_400_response(self, msg: str) -> None:
        """Answer that this is not HTTP, or too large."""
        if self._in_head and self._parsed > HEAD_SIZE:
            self._refuse_head()
        else:
            self._refuse(400, "bad-request", "head.not-http")

    def _refuse_head(self) -> None:
        self._refuse(431, "headers-too-large", "head.size", number=HEAD_SIZE)

    def _await_head(self) -> None:
        self._head_size = 0
        self._stop_head_timer()
        self._head_timer = self.loop.call_later(HEAD_TIME, self._head_late)

    def _stop_head_timer(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None

    def _head_late(self) -> None:
        if not self.transport.is_closing():
            self._refuse(408, "timeout", "head.slow", seconds=HEAD_TIME)

    # Writing ---------------------------------------------------------------------------

    def pause_writing(self) -> None:
        """Give a client that does not read some time to do so."""
        super().pause_writing()
        if self._unread_timer is None:
            self._await_reading()

    def resume_writing(self) -> None:
        """Stop the timer: the client reads again."""
        super().resume_writing()
        if self._unread_timer is not None:
            self._unread_timer.cancel()
            self._unread_timer = None

    def on_response_complete(self) -> None:
        """Make sure that the rest of an answer is read before long."""
        following = self.pipeline[-1][0] if self.pipeline else None
        super().on_response_complete()
        if self.transport.is_closing():
            self._close_soon()
        elif following is not None:
            self._answering = following

    def timeout_keep_alive_handler(self) -> None:
        """Close a connection on which nothing has been asked for a while."""
        super().timeout_keep_alive_handler()
        self._close_soon()

    def shutdown(self) -> None:
        """Close the connection as soon as no request is being answered, as the server stops."""
        super().shutdown()
        if self.transport.is_closing():
            self._close_soon()

    def _await_reading(self) -> None:
        time = self.connections_of_all.settings.idle_time
        left = self.transport.get_write_buffer_size() - LEAST_SPEED * time
        self._unread_timer = self.loop.call_later(time, self._check_reading, left)

    def _check_reading(self, most: float) -> None:
        """Close the connection of a client that does not read."""
        if self.transport.get_write_buffer_size() <= most:
            self._await_reading()
            return
        self.connections_of_all.log.line("info", "unread", client=self.address)
        self.transport.abort()

    def _refuse(self, status: int, kind: str, key: str, **values: Any) -> None:
        self._stop_head_timer()
        body = msgspec.json.encode(ApiError(status, kind, key, **values).details())
        head = (
            f"HTTP/1.1 {status} {kind}\r\ncontent-type: {MEDIA_TYPE}\r\n"
            f"content-length: {len(body)}\r\nconnection: close\r\n\r\n"
        )
        self.transport.write(head.encode() + body)
        self.transport.close()
        self._close_soon()

    def _close_soon(self) -> None:
        """Start the timer that ends a closing connection."""
        if self._close_timer is None:
            self._await_close()

    def _await_close(self) -> None:
        left = self.transport.get_write_buffer_size()
        self._close_timer = self.loop.call_later(CLOSE_TIME, self._check_close, left)

    def _check_close(self, before: int) -> None:
        if self.transport.get_write_buffer_size() < before:
            self._await_close()
        else:
            self.transport.abort()

    def drop(self) -> None:
        """Close the connection at once."""
        self.transport.abort()


def _until_close(cycle: RequestResponseCycle) -> None:
    """Let an answer of unknown length end with the connection: HTTP/1.0 knows no chunks."""
    send = cycle.send
    known = False

    async def sending(message: Any) -> None:
        nonlocal known
        if message["type"] == "http.response.start":
            known = any(name.lower() == b"content-length" for name, _ in message["headers"])
            if not known:
                cycle.chunked_encoding = False
        elif not known:
            cycle.expected_content_length = len(message.get("body", b""))
        await send(message)

    cycle.send = sending  # type: ignore[method-assign]


class Server(uvicorn.Server):
    """Tells the application at once when it is to stop, and the caller when it listens."""

    def __init__(
        self,
        config: uvicorn.Config,
        app: Application,
        ready: Callable[[list[str]], None] | None,
        stopped: Callable[[], None] | None = None,
    ) -> None:
        super().__init__(config)
        self.application = app
        self.ready = ready
        self.stopped = stopped

    def handle_exit(self, sig: int, frame: Any) -> None:
        """Stop; imports end with what is stored."""
        self.application.resources.stop()
        super().handle_exit(sig, frame)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen."""
        await super().startup(sockets)
        if self.ready is not None and self.started:
            places = [sock.getsockname() for server in self.servers for sock in server.sockets]
            self.ready([_url(place, tls=self.config.is_ssl) for place in places])

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop listening; uvicorn then lets the signal end the process."""
        if self.stopped is not None:
            self.stopped()
        await super().shutdown(sockets)


def _url(place: Any, *, tls: bool = False) -> str:
    host, port = place[0], place[1]
    scheme = "https" if tls else "http"
    return f"{scheme}://{in_url(host)}:{port}"


def configured(app: Application, *, stop_time: int = STOP_TIME, **options: Any) -> uvicorn.Config:
    """Return uvicorn's configuration for the application."""
    settings = app.resources.settings
    connections = Connections(settings, app.resources.log)
    return uvicorn.Config(
        cast("Any", app),
        http=cast("Any", partial(Connection, connections)),
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=bool(connections.proxies),
        forwarded_allow_ips=str(connections.proxies) or None,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=stop_time,
        backlog=1024,
        **options,
    )


def serve(
    archive: Archive,
    settings: Settings,
    *,
    host: str = "127.0.0.1",
    port: int = 8000,
    log: Log | None = None,
    ready: Callable[[list[str]], None] | None = None,
    stopped: Callable[[], None] | None = None,
    certificate: Path | None = None,
    key: Path | None = None,
) -> None:
    """Serve until a signal comes; calls `ready` with the addresses and `stopped` at the end.

    With a `certificate` (PEM, including intermediate certificates) and its `key`, if that is not in
    the same file, serve HTTPS.  Raises OSError if the address cannot be listened on or these files
    cannot be used, and ValueError if other machines could write without a token.
    """
    if settings.open_writing and not is_loopback(host):
        raise ValueError("writing without a token is only allowed from this machine")
    log = log or Log()
    app = create_app(archive, settings, log)
    handler = Handler(log)
    loggers = [logging.getLogger(name) for name in ("uvicorn.error", "asyncio")]
    for logger in loggers:
        logger.addHandler(handler)
        logger.setLevel(logging.WARNING)
        logger.propagate = False
    loop = "uvloop" if sys.platform != "win32" else "asyncio"
    tls: dict[str, Any] = {}
    if certificate is not None:
        tls = {"ssl_certfile": certificate, "ssl_keyfile": key}
    config = configured(app, host=host, port=port, loop=loop, **tls)
    try:
        with bound(host, port) as listener:
            gc.freeze()
            gc.set_threshold(*GARBAGE)
            Server(config, app, ready, stopped).run(sockets=[listener])
    finally:
        log.flush()
