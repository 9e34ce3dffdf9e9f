"""Addresses of clients and of this machine."""

from __future__ import annotations

import ipaddress
import re
import socket
from functools import lru_cache
from typing import Final

_KNOWN: Final = 4096
"""Addresses whose parsed form is cached, as every request needs it."""

_HOST: Final = re.compile(r"(\[[0-9A-Fa-f:.]{2,45}\]|[A-Za-z0-9.-]{1,253})(?::[0-9]{1,5})?")

_ORIGIN: Final = re.compile(
    r"(?!http:.*:80$|https:.*:443$)"  # a browser leaves the usual port out
    r"[a-z][a-z0-9+.-]*://(\[[0-9a-f:.]{2,45}\]|[a-z0-9._-]{1,253})(:[0-9]{1,5})?"
)


@lru_cache(_KNOWN)
def is_loopback(host: str) -> bool:
    """Whether a host name or address means this machine."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]").partition("%")[0]).is_loopback
    except ValueError:
        return False


def is_own_host(header: str) -> bool:
    """Whether a Host header, taken strictly, names this machine.

    >>> [is_own_host(text) for text in ("localhost:8000", "[::1]", "localhost:80@evil")]
    [True, True, False]
    """
    match = _HOST.fullmatch(header)
    return match is not None and is_loopback(match[1])


def is_ip(text: str) -> bool:
    """Whether this is an IP address, not the name of a host."""
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True


def is_address(header: str) -> bool:
    """Whether a Host header is an address, which nobody can point to another machine."""
    match = _HOST.fullmatch(header)
    return is_ip(match[1].strip("[]") if match else "")


def in_url(host: str) -> str:
    """A name or address as it is written in a URL.

    >>> in_url("fd00::2"), in_url("192.168.1.2")
    ('[fd00::2]', '192.168.1.2')
    """
    return f"[{host}]" if ":" in host else host


def bound(host: str, port: int) -> socket.socket:
    """Return a socket bound to an address; the caller must close it.  Raises OSError."""
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
    except BaseException:
        listener.close()
        raise
    return listener


def host_name(header: str) -> str:
    """Return the name in a Host header, without the port, in lower case; "" if invalid.

    >>> host_name("Club.example:8000")
    'club.example'
    """
    match = _HOST.fullmatch(header)
    return match[1].lower().rstrip(".") if match else ""


def is_origin(text: str) -> bool:
    """Whether a browser may name the origin of a page like this.

    >>> tried = "https://club.example", "https://club.example/", "https://club.example:443"
    >>> [is_origin(text) for text in tried]
    [True, False, False]
    """
    return _ORIGIN.fullmatch(text) is not None


@lru_cache(_KNOWN)
def client_network(address: str) -> str:
    """Return what counts as one client: an IPv4 address, or the /64 of an IPv6 address.

    >>> client_network("2001:db8:1:2::7") == client_network("2001:db8:1:2:3:4:5:6")
    True
    """
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv6Address):
        if parsed.ipv4_mapped is not None:
            return str(parsed.ipv4_mapped)
        return str(ipaddress.ip_network((parsed, 64), strict=False))
    return str(parsed)


@lru_cache(_KNOWN)
def wider_network(address: str) -> str:
    """Return what one provider may have given to many clients: for an IPv6 address the /48."""
    network = client_network(address)
    if ":" not in network:
        return network
    return str(ipaddress.IPv6Network(network).supernet(new_prefix=48))


class Proxies:
    """The reverse proxies whose X-Forwarded-For is believed: addresses and networks.

    Raises ValueError for text that is neither.
    """

    def __init__(self, text: str = "") -> None:
        self.networks = [
            ipaddress.ip_network(word, strict=False) for word in text.replace(",", " ").split()
        ]

    def __bool__(self) -> bool:
        return bool(self.networks)

    def __contains__(self, address: str) -> bool:
        try:
            parsed = ipaddress.ip_address(address.partition("%")[0])
        except ValueError:
            return False
        return any(parsed in network for network in self.networks)

    def __str__(self) -> str:
        return ",".join(map(str, self.networks))
