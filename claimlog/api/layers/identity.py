"""Who makes a request, and whether it is really them: tokens, this machine, other origins."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from claimlog.api.http.hosts import (
    client_network,
    host_name,
    is_address,
    is_loopback,
    is_own_host,
    wider_network,
)
from claimlog.api.http.problem import ApiError, unauthorized
from claimlog.api.layers.asgi import headers_of
from claimlog.api.limits.callers import CALLER, NOBODY, Caller
from claimlog.api.tokens import SCOPES, TokenError, active

if TYPE_CHECKING:
    from collections.abc import Mapping

    from claimlog.api.layers.asgi import Application, Receive, Scope, Send
    from claimlog.api.layers.needs import Resources
    from claimlog.api.tokens import Token

SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})

_OF_PROXIES: Final = frozenset(
    {
        b"forwarded",
        b"via",
        b"x-real-ip",
        b"x-client-ip",
        b"x-cluster-client-ip",
        b"x-original-host",
        b"x-proxyuser-ip",
        b"client-ip",
        b"true-client-ip",
        b"fastly-client-ip",
        b"fly-client-ip",
        b"cf-connecting-ip",
        b"cf-ray",
        b"cdn-loop",
    }
)
"""Headers that a reverse proxy adds, besides all that begin with X-Forwarded."""


class Identity:
    """Finds out who makes a request; 401 for an invalid token, 403 for foreign pages."""

    def __init__(self, app: Application, resources: Resources) -> None:
        self.app = app
        self.resources = resources
        self._tokens: Mapping[str, Token] | None = None
        """The tokens, if they were just looked up."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        _check_host(scope)
        headers = headers_of(scope)
        self._refuse_strange_host(headers.get(b"host"))
        state = scope["state"]
        client = scope.get("client")
        address = str(client[0]) if client else ""
        nobody = Caller("", NOBODY, client_network(address), "", wider_network(address))
        # Set before anything is refused, so that refusals are counted too.
        state["caller"] = nobody
        await self.resources.generation()  # so that the tokens are current
        try:
            state["caller"] = self._caller(scope, headers, nobody)
            if scope["method"] not in SAFE:
                self._refuse_strange_origin(headers)
        except ApiError as error:
            state["refusal"] = error
        CALLER.set(state["caller"])
        await self.app(scope, receive, send)

    def _caller(self, scope: Scope, headers: dict[bytes, bytes], nobody: Caller) -> Caller:
        settings = self.resources.settings
        authorization = headers.get(b"authorization")
        if authorization is not None:
            kind, _, text = authorization.decode("latin-1").partition(" ")
            token = None
            if kind.lower() == "bearer":
                try:
                    token = active(self._known_now(), text.strip())
                except TokenError as error:
                    self.resources.log.failure("tokens", error)
                    raise ApiError(503, "unavailable", "token.unreadable") from error
            level = SCOPES.index("read") if settings.open_reading else NOBODY
            if token is None and (table := self.resources.tables.find_token(text.strip())):
                return Caller(table.name, level, table.id, table.table)
            if token is None:
                raise unauthorized("token.unknown")
            return Caller(token.name, SCOPES.index(token.scope), token.id)
        level = SCOPES.index("read") if settings.open_reading else NOBODY
        if self.writes_openly() and is_local(scope):
            level = SCOPES.index("admin")
        return Caller("", level, nobody.key, "", nobody.network)

    def _known_now(self) -> Mapping[str, Token]:
        """Return all tokens by id, looked up once for the requests that came together."""
        if self._tokens is None:
            self._tokens = self.resources.tokens.known
            # Before any request that the loop learns of only now.
            asyncio.get_running_loop().call_soon(self._forget)
        return self._tokens

    def _forget(self) -> None:
        self._tokens = None

    def writes_openly(self) -> bool:
        """Whether requests from this machine may write without a token at present."""
        settings = self.resources.settings
        if not settings.open_writing or settings.proxies:
            return False
        if settings.open_writing == "until-token":
            try:
                return not self._known_now()
            except TokenError as error:
                self.resources.log.failure("tokens", error)
                return False
        return True

    def _refuse_strange_host(self, host: bytes | None) -> None:
        """Refuse a strange host name, which a web page may have pointed here (DNS rebinding)."""
        hosts = self.resources.settings.hosts
        if hosts is None or host is None:
            return
        header = host.decode("latin-1")
        if is_own_host(header) or is_address(header) or host_name(header) in hosts:
            return
        raise ApiError(421, "misdirected", "host.other", host=header[:100])

    def _refuse_strange_origin(self, headers: dict[bytes, bytes]) -> None:
        """Refuse writes by a page of another origin in the name of the user of this machine."""
        origin = headers.get(b"origin")
        if origin is None or b"authorization" in headers:
            return
        own = headers.get(b"host", b"")
        if origin.partition(b"://")[2] != own and origin.decode("latin-1") not in (
            self.resources.settings.cors
        ):
            raise ApiError(403, "forbidden", "host.origin")


def _check_host(scope: Scope) -> None:
    """Refuse a request without exactly one Host header, which is ambiguous (RFC 9112, 3.2)."""
    hosts = [name for name, _ in scope["headers"]].count(b"host")
    if hosts != 1 and scope.get("http_version") != "1.0":
        raise ApiError(400, "bad-request", "host.missing")


def is_local(scope: Scope) -> bool:
    """Whether a request certainly comes from this machine, and not from a page or proxy.

    A reverse proxy on this machine forwards requests of others.  Some proxies say so in a header,
    nginx speaks HTTP/1.0 by default, and others pass the Host header on.  A page of another site
    can make a name of its own point to this machine.
    """
    client = scope.get("client")
    if not client or not is_loopback(str(client[0])) or scope.get("http_version") == "1.0":
        return False
    hosts = [value for name, value in scope["headers"] if name == b"host"]
    if len(hosts) != 1 or not is_own_host(hosts[0].decode("latin-1")):
        return False
    return not any(
        name in _OF_PROXIES or name.startswith(b"x-forwarded") for name, _ in scope["headers"]
    )
