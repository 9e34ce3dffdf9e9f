import gzip
import json
import random
import socket
import threading

import pytest
from games import game, games
from test_games import problem
from waiting import PATIENCE, wait_until

from claimlog.api import generation_poller
from claimlog.client import Client
from claimlog.store import Archive

CLM = {"Content-Type": "text/x-claim"}


def lines(response):
    assert response.status_code == 200, response.text
    assert response.headers["content-type"] == "application/x-ndjson"
    *outcomes, end = [json.loads(line) for line in response.text.splitlines()]
    return outcomes, end["summary"]


def test_the_good_are_stored_and_the_bad_told(serve):
    http = serve().http
    text = "\n".join([game(1), game(2).replace("K", "Q"), game(3), game(1)])
    outcomes, summary = lines(http.post("/v1/imports", content=text.encode(), headers=CLM))
    assert [o["status"] for o in outcomes] == ["stored", "invalid", "stored", "known"]
    assert [o["game"] for o in outcomes] == [1, 2, 3, 4]
    assert outcomes[1]["problems"][0]["line"] > outcomes[1]["line"]
    assert summary["finished"]
    assert summary["outcomes"] == {"stored": 2, "invalid": 1, "known": 1}
    only, _ = lines(http.post("/v1/imports?answer=refused", content=text.encode(), headers=CLM))
    assert [o["status"] for o in only] == ["invalid"]


@pytest.mark.file_is_enough("marks are made up")
def test_a_client_waits_for_what_it_imported(serve, monkeypatch):
    """The header comes before anything is stored, and another server may know less."""
    marks = [0]
    monkeypatch.setattr(Archive, "mark", property(lambda _: marks[0]))
    served = serve()

    def body():
        yield game(1).encode()
        marks[0] = 8

    with Client(served.url) as client:
        *_, end = client.import_games(body())
        assert end["summary"]["mark"] == 8
        marks[0] = 5
        client.store(game(2))
        assert client._http.headers["Claimlog-Mark"] == "8"


@pytest.mark.file_is_enough("a body is parsed before any archive is queried")
@pytest.mark.parametrize("size", [1, 17, 1000])
def test_pieces_of_any_size(serve, size):
    http = serve().http
    data = gzip.compress(games(5).encode()) + gzip.compress(b"\n" + games(5, 5).encode())

    def body():
        for start in range(0, len(data), size):
            yield data[start : start + size]

    headers = CLM | {"Content-Encoding": "gzip"}
    outcomes, summary = lines(http.post("/v1/imports", content=body(), headers=headers))
    assert [o["status"] for o in outcomes] == ["stored"] * 10
    assert summary["finished"]


def test_ndjson(serve):
    http = serve().http
    rows = [json.dumps({"record": game(seed)}) for seed in range(3)]
    headers = {"Content-Type": "application/x-ndjson"}
    body = "\n".join([*rows, "{", "[]"]) + "\n"
    outcomes, _ = lines(http.post("/v1/imports", content=body.encode(), headers=headers))
    assert [o["status"] for o in outcomes] == ["stored"] * 3 + ["invalid"] * 2
    assert [o["line"] for o in outcomes] == [1, 2, 3, 4, 5]


def test_an_export_imports_elsewhere(serve):
    one, two = serve().http, serve().http
    lines(one.post("/v1/imports", content=games(30).encode(), headers=CLM))
    for form in ("text/x-claim", "application/x-ndjson"):
        exported = one.get("/v1/games", headers={"Accept": form}).content
        _, summary = lines(
            two.post("/v1/imports", content=exported, headers={"Content-Type": form})
        )
        assert summary["games"] == 30
    assert summary["outcomes"] == {"known": 30}
    ids = [{row["id"] for row in http.get("/v1/games").json()["games"]} for http in (one, two)]
    assert ids[0] == ids[1]


def test_answers_come_while_the_body_is_still_being_sent(serve):
    served = serve()
    with socket.create_connection(("127.0.0.1", served.port), timeout=PATIENCE) as sock:
        sock.sendall(
            b"POST /v1/imports HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/x-claim\r\n"
            b"Transfer-Encoding: chunked\r\n\r\n"
        )
        send_chunk(sock, games(400).encode())
        seen = b""
        while b'"stored"' not in seen:
            seen += sock.recv(65536)
        assert b"summary" not in seen
        send_chunk(sock, b"")
        while b"summary" not in seen:
            seen += sock.recv(65536)


def opened(served, kind="text/x-claim", length=None):
    """A connection on which an import has begun."""
    sock = socket.create_connection(("127.0.0.1", served.port), timeout=PATIENCE)
    size = f"Content-Length: {length}" if length else "Transfer-Encoding: chunked"
    sock.sendall(
        f"POST /v1/imports HTTP/1.1\r\nHost: localhost\r\nContent-Type: {kind}\r\n"
        f"{size}\r\n\r\n".encode()
    )
    return sock


def read_until(sock, mark, number=1):
    """Read until `mark` has come this many times; fail if the connection ends or stalls."""
    seen = b""
    while seen.count(mark) < number:
        part = sock.recv(65536)
        assert part, seen[-500:]
        seen += part
    return seen


@pytest.mark.parametrize("tricks", [26, 5])
def test_every_complete_game_is_acknowledged_while_the_body_stays_open(serve, tricks):
    served = serve()
    text = "\n".join(game(seed, tricks=tricks) for seed in range(900)).encode()
    with opened(served) as sock:
        sender = threading.Thread(target=send_chunk, args=(sock, text))
        sender.start()
        read_until(sock, b'"stored"', 900)
        sender.join()
        # And one more, and half of another.
        send_chunk(sock, b"\n" + game(5000).encode() + b"\n" + game(5001).encode()[:300])
        read_until(sock, b'"stored"')
        assert served.http.get("/v1/stats/count").json() == {"games": 901}


@pytest.mark.file_is_enough("a body is parsed before any archive is queried")
def test_ndjson_is_acknowledged_line_by_line(serve):
    served = serve()
    lines = [json.dumps({"record": game(seed)}).encode() + b"\n" for seed in range(20)]
    with opened(served, "application/x-ndjson") as sock:
        for line in lines:
            send_chunk(sock, line + lines[0][:40])
            read_until(sock, b"\n")
            send_chunk(sock, lines[0][40:])
            read_until(sock, b"\n")


@pytest.mark.file_is_enough("a body is parsed before any archive is queried")
def test_games_without_empty_lines_between_them(serve):
    """Without an empty line, a game begins with its tags."""
    served = serve()
    text = "".join(game(seed) for seed in range(300)).encode()
    with opened(served) as sock:
        send_chunk(sock, text)
        read_until(sock, b'"stored"', 300)


@pytest.mark.parametrize("way", ["stall", "hang up", "stop"])
def test_what_was_complete_before_an_import_ends_badly_is_stored(serve, way):
    served = serve(idle_time=1.0)
    text = (games(900) + "\n" + game(900)[:-200]).encode()
    with opened(served, length=10_000_000) as sock:
        sock.sendall(text)
        if way == "hang up":
            sock.shutdown(socket.SHUT_WR)
        elif way == "stop":
            read_until(sock, b'"stored"')
            served.app.resources.stop()
        if way != "hang up":
            assert b'"finished":false' in read_until(sock, b'"seconds"')
    wait_until(lambda: served.archive.count() >= 900)
    assert served.archive.count() == 900
    wait_until(lambda: not served.app.resources.budget.streams)
    spool = served.archive._backend.spool
    assert not spool.exists() or not list(spool.iterdir())


@pytest.mark.file_is_enough("a body is parsed before any archive is queried")
def test_a_line_that_is_too_long_is_refused_alone(serve, monkeypatch):
    http = serve().http
    long = json.dumps({"record": game(1), "more": "x" * (9 << 20)})
    lines_sent = [json.dumps({"record": game(seed)}) for seed in range(3)]
    lines_sent.insert(1, long)
    headers = {"Content-Type": "application/x-ndjson"}
    outcomes, summary = lines(
        http.post("/v1/imports", content="\n".join(lines_sent).encode(), headers=headers)
    )
    assert [o["status"] for o in outcomes] == ["stored", "invalid", "stored", "stored"]
    assert [o["line"] for o in outcomes] == [1, 2, 3, 4]
    assert "longer than" in outcomes[1]["problems"][0]["message"]
    assert summary["finished"]


def send_chunk(sock, data):
    sock.sendall(b"%x\r\n%s\r\n" % (len(data), data))


def test_what_was_acknowledged_before_a_lost_connection_is_stored(serve):
    served = serve()
    with socket.create_connection(("127.0.0.1", served.port), timeout=PATIENCE) as sock:
        sock.sendall(
            b"POST /v1/imports HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/x-claim\r\n"
            b"Content-Length: 100000000\r\n\r\n"
        )
        sock.sendall(games(400).encode() + b"\n" + game(400)[:-200].encode())
        seen = b""
        while seen.count(b'"stored"') < 50:
            seen += sock.recv(65536)
    ids = [
        line.split(b'"id":"')[1][:13].decode() for line in seen.split(b"\n") if b'"id":"' in line
    ]
    wait_until(lambda: not served.app.resources.budget.streams)
    for id in random.Random(1).sample(ids[:-1], 20):
        assert served.http.get(f"/v1/games/{id}").status_code == 200
    # The game that was cut in two does not count as an unfinished one.
    assert served.http.get("/v1/stats/count?complete=false").json() == {"games": 0}
    assert served.http.post("/v1/archive/check").json()["fault_count"] == 0


@pytest.mark.file_is_enough("a body is parsed before any archive is queried")
@pytest.mark.parametrize(
    "body", [b"nonsense", gzip.compress(b"x" * 100, mtime=0)[:-4], b"\x1f\x8b"]
)
def test_gzip_that_is_none(serve, body):
    http = serve().http
    headers = CLM | {"Content-Encoding": "gzip"}
    problem(http.post("/v1/imports", content=body, headers=headers), 400)
    problem(http.post("/v1/games", content=body, headers=headers), 400)


def test_gzip_that_breaks_off_after_some_games(serve):
    http = serve().http
    packed = gzip.compress(games(2000).encode())
    headers = CLM | {"Content-Encoding": "gzip"}
    response = http.post("/v1/imports", content=packed[: len(packed) // 2], headers=headers)
    outcomes, summary = lines(response)
    assert not summary["finished"]
    assert summary["error"]["status"] == 400
    assert http.get("/v1/stats/count").json()["games"] == len(outcomes)


def test_other_encodings_and_types_are_refused(serve):
    http = serve().http
    problem(http.post("/v1/imports", content=b"x", headers=CLM | {"Content-Encoding": "br"}), 415)
    problem(http.post("/v1/imports", content=b"x", headers={"Content-Type": "text/csv"}), 415)
    kind = {"Content-Type": "text/x-claim; charset=windows-1252"}
    refused = problem(http.post("/v1/imports", content=b"x", headers=kind), 415)
    assert refused["detail"] == "the body must be UTF-8, not windows-1252"
    assert lines(http.post("/v1/imports", content=b"", headers=CLM))[1]["games"] == 0


@pytest.mark.file_is_enough("a body is parsed before any archive is queried")
def test_a_zip_bomb_is_not_unpacked(serve):
    served = serve()
    zeros = gzip.compress(b" " * 200_000_000, 9)
    headers = CLM | {"Content-Encoding": "gzip"}
    problem(served.http.post("/v1/imports", content=zeros, headers=headers), 413)
    problem(served.http.post("/v1/games", content=zeros, headers=headers), 413)


def test_reading_goes_on_while_imports_run(serve, monkeypatch):
    # On a busy machine the thread that asks PostgreSQL may wait longer for its turn.
    monkeypatch.setattr(generation_poller, "PATIENCE", PATIENCE)
    served = serve()
    place = served.http.post("/v1/games", content=game(5000).encode(), headers=CLM).headers[
        "location"
    ]
    stop = threading.Event()
    wrong = []

    def read():
        import httpx

        with httpx.Client(base_url=served.url, timeout=PATIENCE) as http:
            while not stop.is_set():
                for path in (place, "/v1/stats/results", "/v1/games?limit=5", "/v1/players"):
                    response = http.get(path)
                    if response.status_code != 200:
                        wrong.append(response.text)

    threads = [threading.Thread(target=read) for _ in range(32)]
    for thread in threads:
        thread.start()
    try:
        for start in range(0, 900, 300):
            body = games(300, start).encode()
            _, summary = lines(
                served.http.post("/v1/imports?answer=refused", content=body, headers=CLM)
            )
            assert summary["outcomes"] == {"stored": 300}
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    refused = [line for line in served.logged().splitlines() if '"status":200' not in line]
    assert not wrong, "\n".join(wrong[:3] + refused)
    assert served.http.get("/v1/stats/count").json() == {"games": 901}
    assert "failure" not in served.logged()


def test_imports_are_counted(serve):
    served = serve(streams=1)
    with socket.create_connection(("127.0.0.1", served.port), timeout=PATIENCE) as sock:
        sock.sendall(
            b"POST /v1/imports HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/x-claim\r\n"
            b"Content-Length: 1000\r\n\r\nx"
        )
        wait_until(lambda: served.app.resources.budget.streams)
        response = served.http.post("/v1/imports", content=b"*", headers=CLM)
        assert response.headers["retry-after"]
        problem(response, 503)
        problem(served.http.get("/v1/games", headers={"Accept": "text/csv"}), 503)
