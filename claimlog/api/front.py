"""The outermost layer: who asks, may they, is the answer known, how long did it take.

Litestar's middleware sees neither unknown paths nor wrong methods; this does.  It is plain
ASGI, so that a known answer costs little: it is sent without going further.
"""

from __future__ import annotations

import asyncio
import hashlib
import itertools
import re
import secrets
import time
from collections import OrderedDict
from typing import TYPE_CHECKING, Any, Final

import msgspec
from litestar.exceptions import HTTPException

from claimlog.api.cache import LARGEST, Answer
from claimlog.api.logs import Aborted
from claimlog.api.problem import MEDIA_TYPE, ApiError, as_error
from claimlog.api.service import NOBODY, Caller
from claimlog.api.settings import is_loopback
from claimlog.api.tokens import SCOPES, TokenError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from litestar import Litestar

    from claimlog.api.service import Service
    from claimlog.api.settings import Settings

    Message = dict[str, Any]
    Receive = Callable[[], Awaitable[Message]]
    Send = Callable[[Message], Awaitable[None]]

_REQUEST_ID: Final = re.compile(rb"[A-Za-z0-9._-]{8,64}")
_SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_CLIENTS: Final = 10_000
_SECURITY: Final = [(b"x-content-type-options", b"nosniff")]
_CORS_EXPOSED: Final = b"ETag, Link, Location, Retry-After, X-Request-ID"


class RateLimit:
    """A bucket of requests for each client, which fills up again steadily."""

    def __init__(self, rate: float, burst: int) -> None:
        self.rate = rate
        self.burst = burst
        self._clients: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait(self, client: str, now: float) -> float:
        """Take a request out; returns the seconds until that is possible, 0 if it was."""
        if not self.rate:
            return 0.0
        left, last = self._clients.get(client, (float(self.burst), now))
        left = min(float(self.burst), left + (now - last) * self.rate)
        if left < 1:
            return (1 - left) / self.rate
        self._clients[client] = (left - 1, now)
        self._clients.move_to_end(client)
        if len(self._clients) > _CLIENTS:
            self._clients.popitem(last=False)
        return 0.0


class Front:
    """The ASGI application that is served; `app` is Litestar's behind it."""

    def __init__(self, app: Litestar, service: Service) -> None:
        self.app = app
        self.service = service
        self._next: Any = app
        self._limit = RateLimit(service.settings.rate, service.settings.burst)
        self._prefix = secrets.token_hex(4)
        self._number = itertools.count(1)
        self._paths: list[tuple[re.Pattern[str], frozenset[str]]] = []

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] == "lifespan":
            await self._next(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008, "reason": ""})
            return
        exchange = Exchange(self, scope, receive, send)
        metrics = self.service.metrics
        metrics.in_flight += 1
        try:
            await exchange.run()
        finally:
            metrics.in_flight -= 1

    def request_id(self, wanted: bytes | None) -> str:
        """The client's own id for its request if it is a sound one, otherwise a new one."""
        if wanted is not None and _REQUEST_ID.fullmatch(wanted):
            return wanted.decode()
        return f"{self._prefix}-{next(self._number)}"

    def caller(self, scope: dict[str, Any], headers: dict[bytes, bytes]) -> Caller:
        """Who asks; raises 401 for a token that is none."""
        settings = self.service.settings
        client = scope.get("client")
        address = str(client[0]) if client else ""
        authorization = headers.get(b"authorization")
        if authorization is not None:
            kind, _, text = authorization.decode("latin-1").partition(" ")
            token = None
            if kind.lower() == "bearer":
                try:
                    token = self.service.tokens.find(text.strip())
                except TokenError as error:
                    self.service.log.failure("tokens", error)
                    raise ApiError(503, "unavailable", "the tokens cannot be read") from error
            if token is None:
                self.admit(Caller("", NOBODY, _network(address)))
                raise unauthorized("the token is unknown, has expired or has been revoked")
            return Caller(token.name, SCOPES.index(token.scope), token.id)
        level = SCOPES.index("read") if settings.open_reading else NOBODY
        if settings.open_writing and _is_local(address, headers):
            level = SCOPES.index("admin")
        return Caller("", level, _network(address))

    def admit(self, caller: Caller) -> None:
        """Raise 429 for a client that asks too often, 503 if there are too many."""
        wait = self._limit.wait(caller.key, time.monotonic())
        if wait:
            raise ApiError(
                429,
                "too-many-requests",
                f"{self._limit.rate:g} requests a second are allowed; wait {wait:.1f} s",
                headers={"Retry-After": str(int(wait) + 1)},
            )
        if self.service.metrics.in_flight > self.service.settings.requests:
            raise ApiError(
                503, "unavailable", "too many requests at once", headers={"Retry-After": "1"}
            )

    def methods(self, path: str) -> list[str]:
        """What can be done with a path, sorted; empty if there is no such path."""
        if not self._paths:
            for route in self.app.routes:
                pattern = re.sub(r"\\{[^}]*\\}", "[^/]+", re.escape(route.path_format))
                methods = set(getattr(route, "methods", ())) | {"OPTIONS"}
                if "GET" in methods:
                    methods.add("HEAD")
                self._paths.append((re.compile(pattern), frozenset(methods)))
        path = "/" + path.strip("/")
        found = [methods for pattern, methods in self._paths if pattern.fullmatch(path)]
        return sorted(frozenset().union(*found))

    def cors(self, origin: bytes | None) -> list[tuple[bytes, bytes]]:
        """The headers that let a page of another origin read the answer."""
        allowed = self.service.settings.cors
        if not allowed:
            return []
        headers = [(b"vary", b"Origin")]
        if origin is not None and ("*" in allowed or origin.decode("latin-1") in allowed):
            headers.append((b"access-control-allow-origin", b"*" if "*" in allowed else origin))
            headers.append((b"access-control-expose-headers", _CORS_EXPOSED))
        return headers


class Exchange:
    """One request and its answer."""

    __slots__ = (
        "accept",
        "body_done",
        "body_size",
        "caller",
        "etags",
        "extra",
        "finished",
        "front",
        "generation",
        "gone",
        "head",
        "held",
        "id",
        "left",
        "limited",
        "method",
        "opened",
        "received",
        "scope",
        "sent",
        "service",
        "started",
        "status",
        "streaming",
        "the_receive",
        "the_send",
        "timer",
    )

    def __init__(self, front: Front, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        self.front = front
        self.service = front.service
        self.scope = scope
        self.the_receive = receive
        self.the_send = send
        self.method: str = scope["method"]
        self.head = self.method == "HEAD"
        self.id = ""
        self.caller = Caller("", NOBODY, "")
        self.accept = b""
        self.etags: bytes | None = None
        self.extra: list[tuple[bytes, bytes]] = []
        self.generation = -1
        self.held: dict[str, Any] | None = None
        self.started = False
        self.streaming = False
        self.status = 0
        self.sent = 0
        self.received = 0
        self.body_size = 0
        self.body_done = False
        self.limited = True
        self.finished = False
        self.opened = False
        self.left = False
        self.gone: asyncio.Event | None = None
        self.timer: asyncio.Timeout | None = None

    # The way through --------------------------------------------------------------------

    async def run(self) -> None:
        """Answer, count and log."""
        begin = time.perf_counter()
        scope = self.scope
        headers = dict(scope["headers"])
        self.id = self.front.request_id(headers.get(b"x-request-id"))
        self.extra = [
            (b"x-request-id", self.id.encode()),
            *_SECURITY,
            *self.front.cors(headers.get(b"origin")),
        ]
        route = ""
        try:
            self.caller = self.front.caller(scope, headers)
            self.front.admit(self.caller)
            if self.method not in _SAFE:
                self._refuse_strange_origin(headers)
            route = await self._answer(headers)
        except ApiError as error:
            await self._fail(error)
        except Aborted:
            if not self.head:
                raise
        except asyncio.CancelledError:
            if not self.left:
                self.status = self.status or 499
                raise
            self.status = 499
        except Exception as error:
            # Of a HEAD whose head has been sent, the rest is given up in `send`.
            if not (self.head and self.streaming):
                await self._fail(error)
        finally:
            self._count(route or scope.get("path_template", ""), time.perf_counter() - begin)

    async def _answer(self, headers: dict[bytes, bytes]) -> str:
        """Send a known answer or ask Litestar; returns the route if it knows it."""
        scope = self.scope
        if self.method == "GET" or self.head:
            self.accept = headers.get(b"accept", b"")
            self.etags = headers.get(b"if-none-match")
            self.generation = self.service.archive.generation
            if self.caller.level >= 0:
                key = (scope["path"], scope["query_string"], self.accept)
                known = self.service.cache.get(key, self.generation)
                if known is not None:
                    self.service.metrics.cache_hits += 1
                    await self._send_answer(known)
                    return known.route
        elif self.method == "OPTIONS":
            await self._options(headers)
            return ""
        length = headers.get(b"content-length", b"")
        self.body_size = int(length) if length.isdigit() and len(length) < 20 else 0
        self.body_done = not self.body_size and b"transfer-encoding" not in headers
        self.scope = scope = {**scope, "method": "GET"} if self.head else scope
        state = scope["state"] = dict(scope.get("state") or {})
        state |= {"request_id": self.id, "caller": self.caller, "exchange": self}
        settings = self.service.settings
        watch = None
        if self.body_done and self.method in _SAFE:
            self.gone = asyncio.Event()
            watch = asyncio.create_task(self._watch(self.gone, asyncio.current_task()))
        try:
            async with asyncio.timeout(
                settings.answer_time if self.body_done else settings.body_time
            ) as self.timer:
                await self.front._next(scope, self.receive, self.send)
        except TimeoutError as error:
            if self.timer is None or not self.timer.expired():
                raise
            if not self.body_done:
                raise _too_slow() from error
            raise ApiError(
                503,
                "unavailable",
                f"no answer was found within {settings.answer_time:g} s",
                headers={"Retry-After": "5"},
            ) from error
        finally:
            if watch is not None:
                watch.cancel()
        return str(scope.get("path_template", ""))

    async def _watch(self, gone: asyncio.Event, task: asyncio.Task[Any] | None) -> None:
        """Give up a question when the client that asked it has gone."""
        while (await self.the_receive())["type"] != "http.disconnect":
            pass
        gone.set()
        if task is not None and not self.finished:
            self.left = True
            task.cancel()

    def unlimited(self) -> None:
        """Lift the limits on body and time (not on stalling): for imports and streams."""
        self.limited = False
        if self.timer is not None:
            self.timer.reschedule(None)

    # Receiving --------------------------------------------------------------------------

    async def receive(self) -> Message:
        """Pass a part of the body on, within the limits."""
        if self.gone is not None:
            if not self.opened:
                self.opened = True
                return {"type": "http.request", "body": b"", "more_body": False}
            await self.gone.wait()
            return {"type": "http.disconnect"}
        if self.body_done:
            return await self.the_receive()
        limit = self.service.settings.max_body
        if self.limited and self.body_size > limit:
            raise _too_large(limit)
        try:
            async with asyncio.timeout(self.service.settings.idle_time):
                message = await self.the_receive()
        except TimeoutError as error:
            raise _too_slow() from error
        if message["type"] == "http.disconnect":
            raise ApiError(400, "bad-request", "the connection was lost before the body's end")
        if message["type"] == "http.request":
            self.received += len(message.get("body", b""))
            self.body_done = not message.get("more_body", False)
            if self.limited and self.received > limit:
                raise _too_large(limit)
            if self.body_done and self.limited and self.timer is not None:
                now = asyncio.get_running_loop().time()
                self.timer.reschedule(now + self.service.settings.answer_time)
        return message

    # Sending ----------------------------------------------------------------------------

    async def send(self, message: Message) -> None:
        """Pass a part of the answer on; hold its head back until it is known to be short."""
        if message["type"] == "http.response.start":
            held = message
            self.status = held["status"]
            if self.status == 405:
                allow = ", ".join(self.front.methods(self.scope["path"]))
                held["headers"] = [
                    *(h for h in held["headers"] if h[0].lower() != b"allow"),
                    (b"allow", allow.encode()),
                ]
            self.held = held
            return
        if message["type"] != "http.response.body":
            await self.the_send(message)
            return
        if self.held is not None:
            held, self.held = self.held, None
            if not message.get("more_body", False):
                await self._send_whole(held, message["body"])
                return
            self.streaming = True
            self.unlimited()
            held["headers"] = [*held["headers"], *self.extra]
            self.started = True
            await self.the_send(held)
            if self.head:
                self.finished = True
                await self.the_send({"type": "http.response.body", "body": b"", "more_body": False})
                raise Aborted
        self.sent += len(message["body"])
        if not message["body"] and message.get("more_body", False):
            return
        self.finished = not message.get("more_body", False)
        try:
            async with asyncio.timeout(self.service.settings.idle_time):
                await self.the_send(message)
        except TimeoutError as error:
            self.service.log.line("warning", "stalled", request_id=self.id)
            raise Aborted from error

    async def _send_whole(self, held: dict[str, Any], body: bytes) -> None:
        """Send an answer that is complete; keep it if it is worth keeping."""
        if self.status >= 400 and not _is_problem(held["headers"]):
            await self._fail(HTTPException(status_code=self.status))
            return
        handler = self.scope.get("route_handler")
        keep = handler is not None and handler.opt.get("cache", True)
        if self.status != 200 or self.generation < 0 or not keep:
            held["headers"] = [*held["headers"], *self.extra]
            await self._send_raw(held, body)
            return
        headers = [h for h in held["headers"] if h[0] != b"vary"]
        names = {name.lower(): value for name, value in headers}
        etag = names.get(b"etag")
        if etag is None:
            etag = b'"' + hashlib.blake2b(body, digest_size=9).hexdigest().encode() + b'"'
            headers.append((b"etag", etag))
        if b"cache-control" not in names:
            open_reading = self.service.settings.open_reading
            headers.append(
                (b"cache-control", b"no-cache" if open_reading else b"private, no-cache")
            )
        headers.append((b"vary", b"Accept"))
        answer = Answer(self.generation, etag, headers, body, self.scope.get("path_template", ""))
        if len(body) <= LARGEST:
            key = (self.scope["path"], self.scope["query_string"], self.accept)
            self.service.cache.put(key, answer)
        await self._send_answer(answer)

    async def _send_answer(self, answer: Answer) -> None:
        """Send an answer, or that the client has it already."""
        if self.etags is not None and _matches(self.etags, answer.etag):
            self.status = 304
            headers = [h for h in answer.headers if not h[0].startswith(b"content-")]
            body = b""
        else:
            self.status = 200
            headers = answer.headers
            body = answer.body
        await self._send_raw(
            {
                "type": "http.response.start",
                "status": self.status,
                "headers": [*headers, *self.extra],
            },
            body,
        )

    async def _send_raw(self, head: dict[str, Any], body: bytes) -> None:
        if self.head:
            body = b""
        self.sent += len(body)
        self.started = self.finished = True
        await self.the_send(head)
        await self.the_send({"type": "http.response.body", "body": body, "more_body": False})

    # What else there is to answer -------------------------------------------------------

    async def _options(self, headers: dict[bytes, bytes]) -> None:
        """Say what can be done with a path, to people and to browsers of other origins."""
        methods = self.front.methods(self.scope["path"])
        if not methods:
            raise ApiError(404, "not-found", "Not Found")
        allow = ", ".join(methods).encode()
        answer = [(b"allow", allow), *self.extra]
        if b"access-control-request-method" in headers and self.front.cors(headers.get(b"origin")):
            answer += [
                (b"access-control-allow-methods", allow),
                (
                    b"access-control-allow-headers",
                    b"Authorization, Content-Type, Content-Encoding, If-Match, If-None-Match",
                ),
                (b"access-control-max-age", b"600"),
            ]
        self.status = 204
        await self._send_raw({"type": "http.response.start", "status": 204, "headers": answer}, b"")

    def _refuse_strange_origin(self, headers: dict[bytes, bytes]) -> None:
        """A page of another origin may not write in the name of who sits at this machine."""
        origin = headers.get(b"origin")
        if origin is None or b"authorization" in headers:
            return
        own = headers.get(b"host", b"")
        if origin.partition(b"://")[2] != own and origin.decode("latin-1") not in (
            self.service.settings.cors
        ):
            raise ApiError(403, "forbidden", "pages of this origin may not write here")

    async def _fail(self, error: Exception) -> None:
        """Answer with a problem, or if it is too late for that end the connection."""
        known = as_error(error)
        if known is None:
            self.log_failure(error)
            known = ApiError(500, "internal", "the request id finds the reason in the server's log")
        if self.started:
            if not isinstance(error, ApiError):
                self.service.log.line("warning", "aborted", request_id=self.id)
            raise Aborted
        self.status = known.status
        body = msgspec.json.encode(known.details(self.scope["path"], self.id))
        headers = [(k.lower().encode(), v.encode("latin-1")) for k, v in known.headers.items()]
        headers += [
            (b"content-type", MEDIA_TYPE.encode()),
            (b"content-length", str(len(body)).encode()),
        ]
        await self._send_raw(
            {
                "type": "http.response.start",
                "status": known.status,
                "headers": [*headers, *self.extra],
            },
            body,
        )

    def log_failure(self, error: BaseException) -> None:
        """Write down that the server is at fault."""
        self.service.metrics.failures += 1
        self.service.log.failure(
            "failure",
            error,
            request_id=self.id,
            method=self.method,
            path=_printable(self.scope["path"]),
        )

    def _count(self, route: str, seconds: float) -> None:
        metrics = self.service.metrics
        metrics.count(self.method, route or "(none)", self.status, seconds)
        metrics.sent += self.sent
        metrics.received += self.received
        if self.service.settings.log_requests:
            client = self.scope.get("client")
            self.service.log.line(
                "info",
                "request",
                request_id=self.id,
                client=client[0] if client else None,
                by=self.caller.name,
                method=self.method,
                path=_printable(self.scope["path"]),
                query=self.scope["query_string"].decode("latin-1")[:500],
                status=self.status,
                bytes=self.sent,
                ms=round(seconds * 1000, 3),
            )


def unauthorized(detail: str) -> ApiError:
    """A 401 with the header that it needs."""
    return ApiError(
        401, "unauthorized", detail, headers={"WWW-Authenticate": 'Bearer realm="claimlog"'}
    )


def _too_large(limit: int) -> ApiError:
    return ApiError(413, "too-large", f"the body has more than {limit} bytes")


def _too_slow() -> ApiError:
    return ApiError(408, "timeout", "the body stalled or took too long")


def _printable(path: str) -> str:
    return path.encode(errors="replace").decode()[:500]


def _is_problem(headers: list[tuple[bytes, bytes]]) -> bool:
    return any(name.lower() == b"content-type" and b"problem" in text for name, text in headers)


def _matches(wanted: bytes, etag: bytes) -> bool:
    """Whether If-None-Match names this ETag (compared weakly, as it asks for)."""
    if wanted.strip() == b"*":
        return True
    return any(part.strip().removeprefix(b"W/") == etag for part in wanted.split(b","))


def _is_local(address: str, headers: dict[bytes, bytes]) -> bool:
    """Whether a request surely comes from this machine, and from no page or proxy.

    A reverse proxy on this machine forwards requests of others; a page of another site can
    make a name of its own mean this machine.
    """
    if not is_loopback(address) or b"x-forwarded-for" in headers or b"forwarded" in headers:
        return False
    host = headers.get(b"host", b"").decode("latin-1")
    name = host.rpartition("]")[0] + "]" if host.startswith("[") else host.partition(":")[0]
    return is_loopback(name)


def _network(address: str) -> str:
    """What counts as one client: an IPv4 address, or the first half of an IPv6 address."""
    return ":".join(address.split(":")[:4]) if ":" in address else address


def settings_are_safe(settings: Settings, host: str) -> bool:
    """Whether nobody can write without a token from elsewhere."""
    return is_loopback(host) or not settings.open_writing
