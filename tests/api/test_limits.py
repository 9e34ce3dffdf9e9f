"""No client without a token can block others, least of all clients that may write."""

import contextlib
import io
import json
import socket

import httpx
import pytest
from games import game, games
from test_access import bearer
from test_cancelled import ENDLESS, asking
from test_games import problem
from waiting import PATIENCE, wait_until

CLM = {"Content-Type": "text/x-claim"}


@pytest.fixture
def sockets():
    """Connect; everything is closed at the end."""
    with contextlib.ExitStack() as stack:

        def connect(served, sent=b""):
            sock = stack.enter_context(socket.socket())
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            sock.settimeout(20)
            sock.connect(("127.0.0.1", served.port))
            sock.sendall(sent)
            return sock

        yield connect


def filled(served, number=60, **tags):
    text = games(number) if not tags else "\n".join(game(n, **tags) for n in range(number))
    for _ in served.archive.import_games(io.BytesIO(text.encode()).read, workers=1):
        pass


def writer(served):
    """A client with a token to record."""
    token, _ = served.app.resources.tokens.create("recorder", "record")
    return httpx.Client(base_url=served.url, headers=bearer(token) | CLM, timeout=PATIENCE)


def levels(served):
    return {json.loads(line)["level"] for line in served.logged().splitlines()}


def test_answers_that_nobody_reads(serve, sockets):
    """A cached answer of 200 kB, requested again and again, and never read."""
    served = serve(open_writing=False, idle_time=1.0, unfinished=4, requests=8)
    filled(served, 400)
    size = len(served.http.get("/v1/games?limit=300").content)
    assert 100_000 < size < 1 << 18
    ask = b"GET /v1/games?limit=300 HTTP/1.1\r\nHost: x\r\n\r\n"
    socks = [sockets(served, ask * 50) for _ in range(12)]
    # Soon they are closed because they do not read, and others are answered again.
    wait_until(lambda: served.http.get("/v1/stats/count").status_code == 429)
    assert served.http.get("/health").status_code == 200
    with writer(served) as http:
        assert http.post("/v1/games", content=game(9000).encode()).status_code == 201
    for sock in socks:
        # Closed connections end; those answered with 429 stay open for a while.
        sock.settimeout(0.3)
        with contextlib.suppress(ConnectionError, TimeoutError):
            while sock.recv(1 << 20):
                pass
    wait_until(lambda: not served.app.resources.metrics.in_flight)
    assert served.http.get("/v1/stats/count").json() == {"games": 401}
    assert levels(served) == {"info"}


def test_what_is_left_unread_when_a_connection_closes(serve, sockets, monkeypatch):
    monkeypatch.setattr("claimlog.api.server.CLOSE_TIME", 0.2)
    served = serve()
    filled(served, 40)
    ask = b"GET /v1/games?limit=40 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
    sockets(served, ask)
    wait_until(lambda: served.app.resources.metrics.requests)
    wait_until(lambda: not served.server.server_state.connections)


def test_exports_that_nobody_reads(serve, sockets):
    served = serve(open_writing=False, client_streams=2)
    filled(served, 300, comment="x" * 20_000)
    ask = b"GET /v1/games HTTP/1.1\r\nHost: x\r\nAccept: application/x-ndjson\r\n\r\n"
    for _ in range(4):
        sockets(served, ask)
    streams = served.app.resources.budget.streams
    wait_until(lambda: len(streams) == 2)
    problem(served.http.get("/v1/games", headers={"Accept": "text/csv"}), 503)
    with writer(served) as http:
        text = games(3, 9000).encode()
        assert '"finished":true' in http.post("/v1/imports", content=text).text
        export = http.get("/v1/games?since=2026-11-28", headers={"Accept": "text/csv"})
        assert export.status_code == 200


def test_connections_that_lie_idle(serve, sockets):
    served = serve(connections=20)
    socks = [sockets(served) for _ in range(60)]
    for _ in range(3):
        assert httpx.get(f"{served.url}/health").status_code == 200
    closed = 0
    for sock in socks:
        sock.setblocking(False)
        try:
            closed += sock.recv(1) == b""
        except BlockingIOError:
            pass
        except ConnectionError:
            closed += 1
    assert closed >= 40


def test_health_is_answered_beside_a_local_writer_who_fills_all_connections(serve, sockets):
    """None of the connections is idle: each is in the middle of a record."""
    served = serve(connections=20)
    begun = b"POST /v1/games HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/x-claim\r\n"
    for _ in range(60):
        sockets(served, begun + b"Content-Length: 1000\r\n\r\n[D")
    for _ in range(3):
        assert httpx.get(f"{served.url}/health").status_code == 200
    assert httpx.get(f"{served.url}/v1/stats/count").status_code == 503


def test_questions_without_end(serve, monkeypatch, sockets):
    """One client has at most half of the threads, and clients that may write have others."""
    served = serve(open_writing=False, readers=4)
    monkeypatch.setattr(served.archive, "faction_stats", asking(served, ENDLESS), raising=False)
    for number in range(12):
        sockets(
            served, b"GET /v1/stats/factions?min_tricks=%d HTTP/1.1\r\nHost: x\r\n\r\n" % number
        )
    wait_until(lambda: served.app.resources.metrics.in_flight == 12)
    token, _ = served.app.resources.tokens.create("reader", "read")
    other = httpx.get(f"{served.url}/v1/stats/count", headers=bearer(token), timeout=PATIENCE)
    assert other.json() == {"games": 0}
    with writer(served) as http:
        assert http.post("/v1/games", content=game(1).encode()).status_code == 201


def test_what_is_left_is_told(serve):
    served = serve(rate=1, burst=5)
    answer = served.http.get("/v1/games")
    assert answer.headers["ratelimit-policy"] == '"requests";q=5;w=5'
    assert answer.headers["ratelimit"] == '"requests";r=4;t=1'
    missing = served.http.get("/v1/games/0000000000000")
    assert missing.status_code == 404
    assert missing.headers["ratelimit"] == '"requests";r=3;t=1'
    assert "ratelimit" not in serve().http.get("/v1/games").headers


def post(served, **headers):
    return served.http.post("/v1/games", content=game(1).encode(), headers=CLM | headers)


def test_a_token_closes_writing_at_once_and_for_good(serve):
    served = serve(open_writing="until-token")
    assert post(served).status_code == 201
    text, token = served.app.resources.tokens.create("Anna", "record")
    problem(post(served), 401)
    assert post(served, **bearer(text)).status_code == 200
    served.app.resources.tokens.revoke(token.id)
    problem(post(served), 401)


@pytest.mark.only_file("the file of tokens is damaged")
def test_tokens_that_cannot_be_read_close_writing(serve):
    served = serve(open_writing="until-token")
    assert post(served).status_code == 201
    served.app.resources.tokens.path.write_text("{")
    problem(post(served), 401)


@pytest.mark.parametrize(
    "name", ["X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host", "X-Real-IP", "Via",
             "Forwarded", "CF-Connecting-IP", "True-Client-IP"],
)  # fmt: skip
def test_any_sign_of_a_proxy_closes_writing(serve, name):
    served = serve()
    problem(post(served, **{name: "127.0.0.1"}), 401)
    assert post(served).status_code == 201


def test_a_configured_proxy_closes_writing(serve):
    served = serve(proxies="127.0.0.0/8")
    problem(post(served), 401)


@pytest.mark.parametrize(
    "host", ["localhost:80@evil.example", "[::1]evil.example", "localhost.evil.example",
             "localhost:x", "[::1", "::1", "127.0.0.1, evil.example", "localhost/"],
)  # fmt: skip
def test_hosts_that_only_look_like_this_machine(serve, host):
    assert post(serve(), Host=host).status_code in (400, 401)


def test_two_hosts_or_none_are_refused(serve, sockets):
    served = serve()
    for hosts in (b"Host: localhost\r\nHost: evil.example\r\n", b""):
        sock = sockets(served, b"GET /health HTTP/1.1\r\n" + hosts + b"\r\n")
        assert sock.recv(65536).startswith(b"HTTP/1.1 400 ")
    record = game(1).encode()
    sock = sockets(
        served,
        b"POST /v1/games HTTP/1.0\r\nHost: localhost\r\nContent-Type: text/x-claim\r\n"
        b"Content-Length: %d\r\n\r\n%s" % (len(record), record),
    )
    assert sock.recv(65536).startswith(b"HTTP/1.1 401 ")


def test_tokens_are_never_logged(serve):
    served = serve()
    text, token = served.app.resources.tokens.create("Anna", "record")
    secret = text.split("_", 2)[2]
    quoted = "".join(f"%{ord(letter):02x}" for letter in text)
    for path in (
        f"/v1/games?token={text}",
        f"/v1/games?x={quoted}",
        f"/v1/games/{text}",
        f"/{text}",
    ):
        served.http.get(path, headers={"X-Request-ID": text[:60]})
    log = served.logged()
    assert token.id in log
    assert secret not in log
    assert secret[:20] not in log
    assert quoted not in log
