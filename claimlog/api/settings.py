"""The settings of the server (docs/operations.md)."""

from __future__ import annotations

from typing import Final, Literal

import msgspec

from claimlog.api.http.hosts import Proxies

KB: Final = 1 << 10
MB: Final = 1 << 20


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """How the API answers; times are in seconds, sizes in bytes.

    `open_reading`: anyone may read; otherwise a token is needed.  `open_writing`: requests that
    certainly come from this machine may write without a token; others never may.  With
    `"until-token"` that ends as soon as a token is created.  `proxies` are those whose
    X-Forwarded-For is believed; if there are any, nobody writes without a token.

    `hosts` are the names that the server answers to, besides addresses and this machine's own names
    (None: any name).  A web page elsewhere could make a name of its own point to this machine.

    `rate` is the number of requests a second that a client may make on average (0: any number),
    `burst` how many at once.  A client is a token, an IPv4 address or an IPv6 /64.  `connections`
    and `unfinished` limit what one client may have at a time, `requests` what all clients without a
    token have together.  `streams` are exports and imports at once, counted separately with and
    without a token; one client may have `client_streams` of them.  `readers` are the threads that
    answer queries; a client without a token has at most half of them.  `analysts` are the processes
    that analyse games; a client without a token has at most one, and all of them together leave one
    free.

    `watchers` are the event streams of all clients together; one client may have `client_watchers`,
    enough for a hall behind one address.  They do not count as connections or unfinished answers.
    A stream ends after `watch_time`, and the client reconnects.

    `max_body` limits a single game and other small bodies, unpacked; an import may be of any size,
    but its unpacked size may not exceed `max_ratio` times its packed one.  `idle_time` is how long
    a body may stall and how long a client may not read, `body_time` how long a small body may take
    altogether, `answer_time` how long an answer that is not streamed may take.
    """

    open_reading: bool = True
    open_writing: bool | Literal["until-token"] = False
    proxies: str = ""
    cors: tuple[str, ...] = ()
    hosts: tuple[str, ...] | None = None
    rate: float = 0.0
    burst: int = 100
    connections: int = 256
    unfinished: int = 64
    requests: int = 512
    streams: int = 8
    client_streams: int = 2
    readers: int = 8
    analysts: int = 2
    watchers: int = 1500
    client_watchers: int = 1000
    watch_time: float = 3600.0
    max_body: int = MB
    max_ratio: int = 200
    idle_time: float = 30.0
    body_time: float = 60.0
    answer_time: float = 30.0
    cache_size: int = 64 * MB
    log_requests: bool = True

    def trusted(self) -> Proxies:
        """The proxies.  Raises ValueError if they are neither addresses nor networks."""
        return Proxies(self.proxies)
