"""What can be set about the server (docs/operations.md)."""

from __future__ import annotations

import ipaddress
from typing import Final

import msgspec

KB: Final = 1 << 10
MB: Final = 1 << 20


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """How the API answers; times are in seconds, sizes in bytes.

    `open_reading`: whoever asks may read; otherwise a token is needed.  `open_writing`:
    requests from this very machine may write without a token; others never.  `rate` is the
    number of requests a second that a client may make on average (0: any), `burst` how many
    at once.  `max_body` bounds a single game and other small bodies, unpacked; an import
    may be of any size, but its unpacked size may not exceed `max_ratio` times its packed
    one.  `idle_time` is how long a body may stall, `body_time` how long a small one may
    take altogether, `answer_time` how long an answer that is not streamed may take.
    """

    open_reading: bool = True
    open_writing: bool = False
    cors: tuple[str, ...] = ()
    rate: float = 0.0
    burst: int = 100
    max_body: int = MB
    max_ratio: int = 200
    idle_time: float = 30.0
    body_time: float = 60.0
    answer_time: float = 30.0
    readers: int = 8
    streams: int = 8
    requests: int = 512
    cache_size: int = 64 * MB
    log_requests: bool = True


def is_loopback(host: str) -> bool:
    """Whether a host name or address means this very machine."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]").partition("%")[0]).is_loopback
    except ValueError:
        return False
