import asyncio
import io
import stat
import subprocess
import sys
import threading
from datetime import UTC, datetime, timedelta

import pytest
from games import game
from test_games import problem

from claimlog import read_games
from claimlog.api import tokens
from claimlog.api.app import create_app, routes
from claimlog.api.handlers.guards import Guard
from claimlog.api.http.hosts import is_loopback
from claimlog.api.layers.limits import RateLimit
from claimlog.api.logs import Log
from claimlog.api.tokens import TokenError, TokenFile, active, tokens_of
from claimlog.link import encode
from claimlog.store import Archive

CLM = {"Content-Type": "text/x-claim"}


def bearer(token):
    return {"Authorization": f"Bearer {token}"}


@pytest.fixture
def file(tmp_path):
    return TokenFile(tmp_path / "games.duckdb")


def test_only_a_hash_is_kept(file):
    text, token = file.create("Anna", "record")
    assert text not in file.path.read_text()
    assert text.split("_", 2)[2] not in file.path.read_text()
    assert stat.S_IMODE(file.path.stat().st_mode) == 0o600
    assert active(file.known, text) == token
    for wrong in ("", "x", text[:-1], text + "x", text.replace("clm", "abc"), "clm_" + "é" * 40):
        assert active(file.known, wrong) is None


def test_revoked_and_expired_tokens_are_none(file):
    text, token = file.create("Anna", "record")
    assert file.revoke(token.id).revoked is not None
    assert file.revoke(token.id).revoked is not None
    assert active(file.known, text) is None
    old, _ = file.create("Ben", "read", datetime.now(UTC) - timedelta(seconds=1))
    assert active(file.known, old) is None
    with pytest.raises(TokenError):
        file.revoke("nobody")


def test_two_processes_make_tokens_at_once(tmp_path):
    files = [TokenFile(tmp_path / "games.duckdb") for _ in range(4)]
    threads = [
        threading.Thread(target=lambda f=f: [f.create("x", "read") for _ in range(5)])
        for f in files
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(files[0].tokens()) == 20


def test_a_lock_that_another_process_holds_is_waited_for(file, monkeypatch):
    """It is not taken away from its owner, however long that takes."""
    script = (
        "import sys, pathlib; from claimlog.api.tokens import TokenFile; "
        "file = TokenFile(pathlib.Path(sys.argv[1])); "
        "tokens = file._writing(); held = tokens.__enter__(); "
        "print('held', flush=True); sys.stdin.read(); tokens.__exit__(None, None, None)"
    )
    path = file.path.with_name("games.duckdb")
    holder = subprocess.Popen(
        [sys.executable, "-c", script, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert holder.stdout.readline() == b"held\n"
    monkeypatch.setattr(tokens, "_LOCK_TIME", 0.2)
    for _ in range(3):
        with pytest.raises(TokenError, match="another process"):
            file.create("Anna", "read")
    holder.kill()
    holder.wait()
    file.create("Anna", "read")
    assert len(file.tokens()) == 1


def test_a_damaged_file_is_an_error(file):
    file.path.write_text("{")
    with pytest.raises(TokenError):
        active(file.known, "clm_x_y")


def test_scopes(serve):
    served = serve(open_writing=False, open_reading=False)
    made = {
        scope: served.app.resources.tokens.create(scope, scope)[0]
        for scope in ("read", "record", "direct", "admin")
    }
    asked = {
        "read": ("GET", "/v1/games"),
        "record": ("POST", "/v1/games"),
        "direct": ("DELETE", "/v1/games/0000000000000"),
        "admin": ("POST", "/v1/archive/check"),
    }
    for number, (method, path) in enumerate(asked.values()):
        answer = served.http.request(method, path, content=b"", headers=CLM)
        problem(answer, 401)
        assert answer.headers["www-authenticate"].startswith("Bearer")
        for place, token in enumerate(made.values()):
            answer = served.http.request(method, path, content=b"", headers=CLM | bearer(token))
            if place < number:
                problem(answer, 403)
            else:
                assert answer.status_code in (200, 404, 422), answer.text
    response = served.http.post(
        "/v1/games", content=game(1).encode(), headers=CLM | bearer(made["record"])
    )
    revisions = served.http.get(
        response.headers["location"] + "/revisions", headers=bearer(made["read"])
    )
    assert revisions.json()[0]["by"] == "record"


def test_every_handler_has_the_guard_before_it():
    for route in routes().routes:
        for handler in route.route_handlers:
            if "OPTIONS" not in handler.http_methods:  # answered before Litestar
                assert isinstance(handler.resolve_before_request(), Guard), route.path


def test_tokens_are_looked_up_once_for_requests_that_come_together(tmp_path, monkeypatch):
    made = create_app(Archive.open(tmp_path / "games.duckdb"), log=Log(io.BytesIO()))
    file = made.resources.tokens
    looked = []
    look = TokenFile.tokens
    monkeypatch.setattr(TokenFile, "tokens", lambda self: looked.append(self) or look(self))
    text, token = file.create("Anna", "read")
    statuses = []

    async def ask():
        headers = [(b"host", b"localhost"), (b"authorization", f"Bearer {text}".encode())]
        scope = {
            **{"type": "http", "http_version": "1.1", "method": "GET", "path": "/v1/no-such"},
            **{"query_string": b"", "headers": headers, "client": ("127.0.0.1", 1)},
            **{"server": ("localhost", 80), "scheme": "http", "root_path": ""},
        }

        async def send(message):
            if message["type"] == "http.response.start":
                statuses.append(message["status"])

        await made(scope, asyncio.Event().wait, send)

    async def together():
        await asyncio.gather(*[ask() for _ in range(5)])
        assert len(looked) == 1
        file.revoke(token.id)
        await ask()

    looked.clear()
    asyncio.run(together())
    assert statuses == [404] * 5 + [401]
    made.resources.close()


def test_revoking_works_while_the_server_runs(serve):
    served = serve(open_reading=False)
    elsewhere = tokens_of(served.archive)
    text, token = elsewhere.create("Anna", "read")
    assert served.http.get("/v1/games", headers=bearer(text)).status_code == 200
    assert served.http.get("/v1/games", headers=bearer(text)).status_code == 200
    elsewhere.revoke(token.id)
    problem(served.http.get("/v1/games", headers=bearer(text)), 401)
    problem(served.http.get("/v1/games", headers={"Authorization": "Basic eDp5"}), 401)


def test_closed_reading_closes_what_is_cached(serve):
    served = serve(open_reading=False, open_writing=False)
    text, _ = served.app.resources.tokens.create("Anna", "read")
    answer = served.http.get("/v1/games", headers=bearer(text))
    assert answer.headers["cache-control"] == "private, no-cache"
    problem(served.http.get("/v1/games"), 401)
    problem(served.http.get("/metrics"), 401)
    assert served.http.get("/health").status_code == 200
    assert served.http.get("/docs").status_code == 200
    assert served.http.get("/openapi.json").status_code == 200
    assert served.http.get("/docs").status_code == 200
    code = encode(next(read_games(game(3))))
    for page in ("/tables", f"/r/{code}"):
        assert served.http.get(page).status_code == 200
    assert served.http.get("/", headers={"Accept": "application/json"}).status_code == 200
    assert served.http.get("/", headers={"Accept": "text/html"}).status_code == 401
    for page in ("/docs", "/openapi.json", "/tables"):
        assert served.http.get(page, headers=bearer("clm_x_y")).status_code == 401


def test_local_writing_is_for_this_machine(serve):
    http = serve().http
    for strange in (
        {"X-Forwarded-For": "203.0.113.7"},
        {"Forwarded": "for=203.0.113.7"},
        {"Host": "evil.example"},
        {"Host": "127.0.0.1.evil.example"},
    ):
        problem(http.post("/v1/games", content=b"*", headers=CLM | strange), 401)
    problem(
        http.post("/v1/games", content=b"*", headers=CLM | {"Origin": "http://evil.example"}), 403
    )
    host = {"Host": "localhost:80", "Origin": "http://localhost:80"}
    problem(http.post("/v1/games", content=b"*", headers=CLM | host), 422)
    problem(http.post("/v1/games", content=b"*", headers=CLM | {"Host": "[::1]:80"}), 422)


def test_requests_from_elsewhere_never_write_without_a_token(app):
    """The requests of Litestar's test client come from an address that is not this machine's."""
    problem(app.post("/v1/games", content=b"*", headers=CLM), 401)
    assert app.get("/v1/games").status_code == 200


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "127.9.9.9", "::1", "[::1]"])
def test_loopback(host):
    assert is_loopback(host)
    assert not is_loopback(host + ".example.org")


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.1", "example.org", ""])
def test_not_loopback(host):
    assert not is_loopback(host)


def test_rates():
    limit = RateLimit(2.0, 3)
    assert [limit.take("a", 0.0) for _ in range(3)] == [(2, 0), (1, 0), (0, 0)]
    assert limit.take("a", 0.0) == (0, 0.5)
    assert limit.take("b", 0.0) == (2, 0)
    assert limit.take("a", 0.5) == (0, 0)
    assert limit.take("a", 0.5) == (0, 0.5)
    for number in range(20_000):
        limit.take(f"client {number}", 1.0)
    assert len(limit._clients) <= 10_000


def test_too_many_requests(serve):
    served = serve(rate=0.5, burst=3)
    assert [served.http.get("/v1/games").status_code for _ in range(3)] == [200] * 3
    response = served.http.get("/v1/games")
    problem(response, 429)
    assert 1 <= int(response.headers["retry-after"]) <= 3
    # Nobody may try tokens without limit either.
    problem(served.http.get("/v1/games", headers=bearer("clm_x_y")), 429)


def test_cors(serve):
    page = {"Origin": "https://club.example"}
    none = serve().http.get("/v1/games", headers=page)
    assert "access-control-allow-origin" not in none.headers
    served = serve(cors=("https://club.example",))
    for _ in range(2):
        answer = served.http.get("/v1/games", headers=page)
        assert answer.headers["access-control-allow-origin"] == "https://club.example"
        assert "Origin" in answer.headers["vary"]
        other = served.http.get("/v1/games", headers={"Origin": "https://other.example"})
        assert "access-control-allow-origin" not in other.headers
    asked = page | {"Access-Control-Request-Method": "PUT"}
    preflight = served.http.options("/v1/games/x", headers=asked)
    assert preflight.status_code == 204
    assert "PUT" in preflight.headers["access-control-allow-methods"]
    assert "If-Match" in preflight.headers["access-control-allow-headers"]
    accepted = preflight.headers["access-control-allow-headers"].split(", ")
    assert {"X-Claimlog-By", "X-Request-ID", "Last-Event-ID", "Claimlog-Mark"} <= {*accepted}
    assert accepted == sorted(accepted)
    exposed = answer.headers["access-control-expose-headers"].split(", ")
    assert "Claimlog-Mark" in exposed
    for item in served.http.get("/openapi.json").json()["paths"].values():
        for operation in item.values():
            for parameter in operation["parameters"]:
                assert parameter.get("in") != "header" or parameter["name"] in accepted
            for response in operation["responses"].values():
                assert response.get("headers", {}).keys() <= {*exposed}
    missing = served.http.get("/nowhere", headers=page)
    assert missing.headers["access-control-allow-origin"] == "https://club.example"
    anybody = serve(cors=("*",)).http.get("/v1/games", headers=page)
    assert anybody.headers["access-control-allow-origin"] == "*"
