"""Huge, deep, slow, malformed or malicious input gets an error and does no harm."""

import contextlib
import io
import json
import socket
import threading

import httpx
import msgspec
import pytest
from games import game
from test_cancelled import ENDLESS, asking
from test_games import problem
from waiting import PATIENCE, wait_until

from claimlog.api import server
from claimlog.store import OutOfMemory
from claimlog.store.intake.batch import Maker

CLM = {"Content-Type": "text/x-claim"}


def raw(served, data, wait=10.0):
    """Send bytes and read until the server closes or `wait` seconds are over."""
    with socket.create_connection(("127.0.0.1", served.port), timeout=wait) as sock:
        with contextlib.suppress(OSError):
            sock.sendall(data)
        seen = b""
        try:
            while part := sock.recv(65536):
                seen += part
        except OSError:
            pass
    return seen


def chunked(head, body, trailers):
    """A request whose trailers come after its body."""
    return (
        b"POST /v1/games HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/x-claim\r\n"
        b"Connection: close\r\nTransfer-Encoding: chunked\r\n%b\r\n%x\r\n%b\r\n0\r\n%b\r\n"
        % (head, len(body), body, trailers)
    )


def test_trailers_are_no_headers(serve):
    """RFC 9110, 6.5.1: late fields never give rights, another address or a name."""
    served = serve(open_writing=False, proxies="127.0.0.1")
    token, _ = served.app.resources.tokens.create("recorder", "record")
    record = game(1).encode()
    late = b"Authorization: Bearer %b\r\n" % token.encode()
    proxy = b"X-Forwarded-For: 192.0.2.1\r\n"
    answer = raw(served, chunked(proxy, record, late + b"X-Forwarded-For: 198.51.100.9\r\n"))
    assert answer.startswith(b"HTTP/1.1 401 "), answer
    assert json.loads(served.logged().splitlines()[-1])["client"] == "192.0.2.1"
    late = b"X-Claimlog-By: somebody\r\nContent-Type: text/plain\r\nHost: x\r\n"
    answer = raw(served, chunked(b"Authorization: Bearer %b\r\n" % token.encode(), record, late))
    assert answer.startswith(b"HTTP/1.1 201 "), answer


def test_trailers_without_end(serve):
    served = serve()
    begin = chunked(b"", game(1).encode(), b"X: ").removesuffix(b"\r\n")
    with socket.create_connection(("127.0.0.1", served.port), timeout=PATIENCE) as sock:
        sock.sendall(begin)
        with pytest.raises(ConnectionError):
            sock.sendall(b"x" * 50_000_000)
    assert served.http.get("/v1/stats/count").json() == {"games": 0}


INJECTIONS = [
    "'; DROP TABLE games; --",
    "' OR 1=1 --",
    '" OR ""="',
    "x') UNION SELECT record FROM records --",
    "%' AND (SELECT count(*) FROM read_csv('/etc/passwd')) > 0 --",
    "../../../etc/passwd",
    "..%2f..%2fetc%2fpasswd",
    "%_%",
    "\\",
    "\u202e\U0001f0cf",
    "a" * 200,
]


@pytest.mark.parametrize("text", INJECTIONS)
def test_injections_are_text(open_server, text):
    http = open_server.http

    def counts():
        # PostgreSQL cleans up by itself.
        return msgspec.structs.replace(open_server.archive.info(), bytes=0, generation=0)

    before = counts()
    for name in ("player", "event", "site", "round", "table", "text", "partner", "result", "votes",
                 "rules", "rulings", "termination"):  # fmt: skip
        params = {name: text} | ({"player": "Anna Keller"} if name == "partner" else {})
        for path in ("/v1/games", "/v1/stats/count"):
            response = http.get(path, params=params)
            assert response.status_code in (200, 400, 404), response.text
            if response.status_code == 200 and path == "/v1/stats/count" and name != "text":
                assert response.json() == {"games": 0}, name
    for name in ("played", "led", "upcard", "factions", "deck", "since", "cursor", "sort"):
        assert http.get("/v1/games", params={name: text}).status_code == 400
    for path in ("/v1/games", "/v1/players", "/v1/events"):
        response = http.get(f"{path}/{text}")
        assert response.status_code in (400, 404), response.text
    assert counts() == before


@pytest.mark.parametrize(
    "path",
    ["/docs/../../etc/passwd", "/docs/%2e%2e/%2e%2e/etc/passwd", "/docs//etc/passwd", "/\\..\\x",
     "/docs/..", "/v1/games/%00", "/%ff%fe", "/v1/games/%ff", "//evil.example/x",
     "/docs/settings.py"],
)  # fmt: skip
def test_paths_lead_nowhere_else(open_server, path):
    seen = raw(open_server, f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
    assert seen.split(b" ")[1] in (b"400", b"404"), seen
    assert b"application/problem+json" in seen
    assert b"root:" not in seen


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("plyer=x", "plyer"),
        ("player=clara&seat=1&seat=2", "seat"),
        ("limit=0", "limit"),
        ("limit=1001", "limit"),
        ("seat=1", "seat"),
        ("since=2026-13", "since"),
        ("since=yesterday", "since"),
        ("player=%00", "player"),
        ("player=%ff", None),
        ("sort=worst", "sort"),
        ("min_rating=nan", "min_rating"),
        ("min_rating=inf", "min_rating"),
        ("led=" + "&led=".join(["K5"] * 11), None),
        ("led=Q5", "led"),
        ("&".join(f"led=K{n}" for n in range(70)), None),
        ("player=" + "x" * 501, "player"),
        ("votes=x", "votes"),
        ("complete=perhaps", "complete"),
        ("seats=null", "seats"),
        ("complete=null", "complete"),
        ("min_rating=", "min_rating"),
        ("outcome=null&player=x", "outcome"),
        ("seats=2.0", "seats"),
    ],
)
def test_arguments_that_mean_nothing(http, query, field):
    details = problem(http.get(f"/v1/games?{query}"), 400)
    if field:
        assert details["field"] == field
    assert "Traceback" not in json.dumps(details)


@pytest.mark.parametrize("number", ["5e-324", "0.00001234567890123456789", "-1E2", "1200"])
def test_numbers_are_written_in_any_way(http, number):
    assert http.get("/v1/stats/count", params={"min_rating": number}).status_code == 200


def test_choices_are_listed(http):
    assert "newest, oldest, date" in problem(http.get("/v1/games?sort=worst"), 400)["detail"]
    by = problem(http.get("/v1/stats/results?by=null"), 400)
    assert by["field"] == "by"
    assert "leader" in by["detail"]
    event = "/v1/events/Zurich%20Claim%20Open/standings?tiebreaks=points&tiebreaks=luck"
    assert "buchholz" in problem(http.get(event), 400)["detail"]
    # A name may be anything.
    assert "null" in problem(http.get("/v1/stats/count?player=null"), 404)["detail"]


def test_null_characters_in_names_and_headers(serve):
    http = serve().http
    record = game(1).encode()
    assert problem(http.get("/v1/players/a%00"), 400)["field"] == "player_id"
    assert problem(http.get("/v1/events/%00"), 400)["field"] == "event_id"
    headers = CLM | {"X-Claimlog-By": "a%00"}
    assert problem(http.post("/v1/games", content=record, headers=headers), 400)["field"] == "by"
    merge = {"alias": "Anna", "why": "\0"}
    assert problem(http.post("/v1/players/Ben/aliases", json=merge), 400)["field"] == "why"
    spoiled = record.replace(b"Open", b"Op\0en")
    details = problem(http.post("/v1/games", content=spoiled, headers=CLM), 422)
    assert [one["code"] for one in details["problems"]] == ["encoding"]
    assert http.get("/v1/stats/count").json() == {"games": 0}


@pytest.mark.parametrize(
    ("moment", "status"),
    [
        ("null", 400),
        ("-1", 400),
        ("99999999999999", 400),
        ("2026-01-01", 400),
        ("0000-01-01T00:00:00Z", 400),
        ("0001-01-01T00:00:00%2B14:00", 200),
        ("9999-12-31T23:59:59-14:00", 200),
    ],
)
def test_moments_that_are_none_or_far_away(http, moment, status):
    answer = http.get(f"/v1/events/Zurich%20Claim%20Open/standings?known_at={moment}")
    assert answer.status_code == status, answer.text
    assert status == 200 or answer.json()["field"] == "known_at"


def test_names_with_slashes(serve):
    http = serve().http
    name = "Anna/Ben K. 100%"
    http.post("/v1/games", content=game(1, Player1=name, Event="A/B").encode(), headers=CLM)
    answer = http.get("/v1/players/Anna%2FBen%20K.%20100%25")
    assert answer.json()["player"]["name"] == name, answer.text
    assert http.get("/v1/events/A%2fB").json()["name"] == "A/B"
    assert http.get("/v1/events/A%2fB/rounds").is_success
    assert http.options("/v1/events/A%2FB").headers["allow"] == "GET, HEAD, OPTIONS"


def test_bodies_that_are_too_large(serve):
    served = serve(max_body=10_000)
    big = game(1, Event="x" * 20_000).encode()
    problem(served.http.post("/v1/games", content=big, headers=CLM), 413)
    problem(served.http.post("/v1/games", content=iter([big[:9000], big[9000:]]), headers=CLM), 413)
    answer = raw(
        served,
        b"POST /v1/games HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/x-claim\r\n"
        b"Content-Length: 99999999999999\r\n\r\n",
    )
    assert answer.startswith(b"HTTP/1.1 413 ")
    assert served.http.post("/v1/imports", content=big + b"\n", headers=CLM).status_code == 200


def test_one_endless_game_in_an_import(serve):
    http = serve().http
    body = (b'[Event "x"]\n' + b"U7: G5 " * 1000 for _ in range(1200))
    response = http.post("/v1/imports", content=body, headers=CLM)
    assert response.status_code == 200
    assert json.loads(response.text.splitlines()[-1])["summary"]["finished"]
    assert len(response.content) < 5_000_000


FLOODS = {
    "tokens": b'[Deck "GKUWX"]\n1. ' + b"Q " * 400_000,
    "plays": b'[Deck "GKUWX"]\n1. ' + b"G5 {x} " * 120_000,
    "tags": b'[Deck "GKUWX"]\n' * 60_000,
    "bytes": bytes(range(256)) * 3000,
    "games": b'[Deck "GKUWX"]\n1. Q Q\n\n' * 20_000,
}


@pytest.mark.parametrize("flood", FLOODS)
def test_little_that_is_wrong_everywhere_gives_a_short_answer(serve, flood):
    served = serve()
    body = FLOODS[flood]
    response = served.http.post("/v1/games", content=body, headers=CLM)
    details = problem(response, 422)
    assert len(response.content) < 100_000
    response = served.http.post("/v1/imports", content=body, headers=CLM)
    lines = [json.loads(line) for line in response.text.splitlines()]
    assert lines[-1]["summary"]["finished"]
    if flood == "games":
        assert sum(len(line["problems"]) for line in lines[:-1]) < 31_000
        assert len(lines) == 20_001
    elif flood == "tokens":
        assert len(response.content) < 100_000
        assert details["detail"] == "100 errors or more"
        assert details["problems"][-1]["message"].endswith("; and 399,900 more")


def test_judging_lets_others_write(serve, monkeypatch):
    """A record that takes long to judge does not delay another that is stored."""
    served = serve()
    judge = Maker.entries
    going_on, go_on = threading.Event(), threading.Event()

    def slow(maker, block, form):
        entries = judge(maker, block, form)
        if b"slow" in block.text:
            going_on.set()
            assert go_on.wait(PATIENCE)
        return entries

    monkeypatch.setattr(Maker, "entries", slow)
    first = threading.Thread(
        target=lambda: httpx.post(
            f"{served.url}/v1/games", content=game(1, Site="slow").encode(), headers=CLM
        )
    )
    first.start()
    assert going_on.wait(PATIENCE)
    assert served.http.post("/v1/games", content=game(2).encode(), headers=CLM).status_code == 201
    go_on.set()
    first.join()
    assert served.archive.count() == 2


def test_questions_of_too_many_conditions(http):
    cards = [("led", f"G{n}") for n in range(6)] + [("played", f"K{n}") for n in range(2, 8)]
    assert problem(http.get("/v1/games", params=cards), 400)["field"] == "led"
    words = {"text": " ".join("abcdefghijk")}
    assert problem(http.get("/v1/stats/count", params=words), 400)["field"] == "text"


def test_questions_of_too_many_arguments(http):
    query = "&".join(f"event=e{number}" for number in range(65))
    answer = http.get(f"/v1/games?{query}")
    assert answer.status_code == 400
    assert answer.json()["detail"] == "at most 64 arguments may be given"


def test_questions_that_need_too_much_memory(serve, monkeypatch):
    served = serve()
    sql = "SELECT list(range) FROM range(1000000000)"
    monkeypatch.setattr(
        served.archive, "faction_stats", lambda *_, **__: served.archive._backend.rows(sql)
    )
    answer = served.http.get("/v1/stats/factions")
    problem(answer, 503)
    assert answer.headers["retry-after"]
    assert '"failure"' not in served.logged()
    assert served.http.post("/v1/games", content=game(1).encode(), headers=CLM).is_success


@pytest.mark.parametrize("path", ["/v1/games", "/v1/imports"])
def test_a_question_makes_room_for_what_is_stored(serve, monkeypatch, path):
    """If memory is short, questions are abandoned, and storing is tried again."""
    served = serve()
    endless = asking(served, ENDLESS)
    monkeypatch.setattr(served.archive, "faction_stats", endless, raising=False)
    answers = []
    asker = threading.Thread(
        target=lambda: answers.append(httpx.get(f"{served.url}/v1/stats/factions", timeout=60))
    )
    asker.start()
    wait_until(lambda: served.archive._backend._reading)
    intake = served.archive._intake
    # In a file a single game waits in the journal; nothing else is written at once.
    alone = path == "/v1/games" and hasattr(intake, "_waiting")
    what, name = (intake._waiting, "_take") if alone else (intake, "_commit")
    plain = getattr(what, name)
    refused = []

    def short_of_memory(*arguments):
        if asker.is_alive():
            refused.append(name)
            raise OutOfMemory("the questions have it all")
        return plain(*arguments)

    monkeypatch.setattr(what, name, short_of_memory)
    assert served.http.post(path, content=game(1).encode(), headers=CLM).is_success
    assert refused
    asker.join()
    problem(answers[0], 503)


def test_slow_bodies(serve):
    served = serve(idle_time=0.3, body_time=600)
    head = (
        b"HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/x-claim\r\nContent-Length: 100\r\n\r\n"
    )
    for path in (b"/v1/games ", b"/v1/imports "):
        assert b"408" in raw(served, b"POST " + path + head + b"[")
    served = serve(idle_time=600, body_time=0.8)
    with socket.create_connection(("127.0.0.1", served.port), timeout=PATIENCE) as sock:
        sock.sendall(b"POST /v1/games " + head)
        seen = b""
        sock.settimeout(0.15)
        for _ in range(99):  # never as much as was announced
            with contextlib.suppress(TimeoutError):
                sock.sendall(b"x")
                seen = sock.recv(1000)
            if seen:
                break
        assert seen.startswith(b"HTTP/1.1 408 ")


def test_slow_and_endless_heads(serve, monkeypatch):
    monkeypatch.setattr(server, "HEAD_TIME", 0.4)
    served = serve()
    assert raw(served, b"").startswith(b"HTTP/1.1 408 ")
    assert raw(served, b"GET / HTTP/1.1\r\nHost:").startswith(b"HTTP/1.1 408 ")
    with socket.create_connection(("127.0.0.1", served.port), timeout=PATIENCE) as sock:
        sock.sendall(b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n")
        seen = b""
        while not seen.endswith(b"}"):
            seen += sock.recv(65536)
        assert seen.startswith(b"HTTP/1.1 200 ")
        sock.sendall(b"GET /hea")
        assert sock.recv(65536).startswith(b"HTTP/1.1 408 ")
    long = raw(served, b"GET / HTTP/1.1\r\n" + b"X-A: " + b"a" * 500_000)
    assert long.startswith(b"HTTP/1.1 431 ")
    assert raw(served, b"GET /" + b"a" * 500_000).startswith(b"HTTP/1.1 431 ")
    # A head that came whole, in one piece:
    for url, name in ((70_000, 1), (65_530, 1), (1, 70_000), (1, 65_530)):
        whole = b"GET /%s HTTP/1.1\r\nHost: x\r\nX: %s\r\n\r\n" % (b"a" * url, b"b" * name)
        assert raw(served, whole).startswith(b"HTTP/1.1 431 ")
    many = b"".join(b"X-%d: y\r\n" % number for number in range(9000))
    assert raw(served, b"GET / HTTP/1.1\r\nHost: x\r\n" + many + b"\r\n").startswith(
        b"HTTP/1.1 431 "
    )
    fits = b"GET /health HTTP/1.0\r\nHost: x\r\nX: %s\r\n\r\n" % (b"b" * 65_400)
    assert raw(served, fits).startswith(b"HTTP/1.1 200 ")
    assert served.http.get("/health").status_code == 200


@pytest.mark.parametrize(
    "data",
    [
        b"\x16\x03\x01\x02\x00\x01\x00",
        b"nonsense\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET /health HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        b"POST /v1/games HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"FROB /v1/games HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET /v1/games HTTP/1.1\r\nHost: x\r\nX:\0y\r\n\r\n",
    ],
)
def test_what_is_not_http(open_server, data):
    seen = raw(open_server, data)
    assert seen.startswith(b"HTTP/1.1 400 "), seen[:200]
    assert b"application/problem+json" in seen


@pytest.mark.parametrize("method", ["PATCH", "TRACE", "PROPFIND", "DELETE"])
def test_methods_that_there_are_not(http, method):
    response = http.request(method, "/v1/games")
    problem(response, 405)
    assert response.headers["allow"] == "GET, HEAD, OPTIONS, POST"
    assert http.options("/v1/games").headers["allow"] == "GET, HEAD, OPTIONS, POST"
    problem(http.options("/nowhere"), 404)
    problem(http.get("/nowhere"), 404)
    assert http.head("/nowhere").content == b""


def test_a_client_that_does_not_read(serve):
    served = serve(idle_time=0.5)
    text = "\n".join(game(n, comment="x" * 20_000) for n in range(400))
    for _ in served.archive.import_games(io.BytesIO(text.encode()).read, workers=1):
        pass
    with socket.socket() as sock:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        sock.connect(("127.0.0.1", served.port))
        sock.sendall(b"GET /v1/games HTTP/1.1\r\nHost: x\r\nAccept: application/x-ndjson\r\n\r\n")
        wait_until(lambda: '"unread"' in served.logged())
    wait_until(lambda: not served.app.resources.budget.streams)
    assert {json.loads(line)["level"] for line in served.logged().splitlines()} == {"info"}


def test_a_broken_stream_cannot_be_taken_for_a_whole_one(serve, monkeypatch):
    served = serve()

    def export(*_, **__):
        yield b"x" * 70_000
        raise ValueError("the disk is gone")

    monkeypatch.setattr(served.archive, "export", export, raising=False)
    with pytest.raises(httpx.RemoteProtocolError):
        served.http.get("/v1/games", headers={"Accept": "text/csv"})
    log = served.logged()
    assert "the disk is gone" in log
    assert '"aborted"' in log


@pytest.mark.parametrize("accept", ["text/csv", "application/x-ndjson", "application/json"])
def test_http_1_0_knows_no_chunks(open_server, accept):
    head = f"Host: localhost\r\nAccept: {accept}\r\n\r\n".encode()
    answer = raw(open_server, b"GET /v1/games HTTP/1.0\r\n" + head)
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200 ")
    assert b"transfer-encoding" not in head
    assert b"keep-alive" not in head
    wanted = open_server.http.get("/v1/games", headers={"Accept": accept})
    assert body == wanted.content
    told = raw(open_server, b"HEAD /v1/games HTTP/1.0\r\nHost: localhost\r\n\r\n")
    assert told.startswith(b"HTTP/1.1 200 ")
    assert told.endswith(b"\r\n\r\n")


def test_a_failure_is_logged_and_tells_nothing(serve, monkeypatch):
    served = serve()

    def fail(*_, **__):
        raise RuntimeError("what a /path")

    monkeypatch.setattr(served.archive, "games", fail, raising=False)
    response = served.http.get("/v1/games")
    details = problem(response, 500)
    assert "/path" not in response.text
    lines = [json.loads(line) for line in served.logged().splitlines()]
    failure = next(line for line in lines if line["event"] == "failure")
    assert failure["request_id"] == details["request_id"]
    assert "what a /path" in failure["traceback"]
    assert served.app.resources.metrics.failures == 1


def test_an_answer_that_takes_too_long(serve, monkeypatch):
    served = serve(answer_time=0.2)
    answered = threading.Event()
    monkeypatch.setattr(
        served.archive, "games", lambda *_, **__: answered.wait(PATIENCE), raising=False
    )
    response = served.http.get("/v1/games")
    answered.set()
    problem(response, 503)
    assert response.headers["retry-after"]


def test_request_ids(http):
    assert http.get("/health", headers={"X-Request-ID": "abc-12345"}).headers["x-request-id"] == (
        "abc-12345"
    )
    for bad in ("x", "a b c d e f g h", "a" * 100, '{"a":"b"}'):
        assert http.get("/health", headers={"X-Request-ID": bad}).headers["x-request-id"] != bad


def test_log_lines_cannot_be_forged(open_server):
    open_server.http.get("/v1/games/x%0a%7b%22level%22:%22error%22%7d")
    for line in open_server.logged().splitlines():
        assert json.loads(line)["level"] == "info" or "event" in json.loads(line)
