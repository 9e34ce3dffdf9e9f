"""Questions that nobody waits for any more are interrupted, and no others."""

import asyncio
import contextlib
import io
import socket
import threading

import httpx
import pytest
from games import games
from waiting import PATIENCE, wait_until

from claimlog.store import Archive, Cancelled, CancelToken

ENDLESS = "SELECT sum(a.range * b.range % 7) FROM range(10000000) a, range(10000000) b"
LONG = "SELECT sum(range % 7)::BIGINT FROM range(20000000)"
SUM = sum(range(7)) * (20_000_000 // 7) + sum(n % 7 for n in range(20_000_000 // 7 * 7, 20_000_000))


def asking(served, sql):
    """Let the archive answer /v1/stats/factions by running `sql`."""
    return lambda *_, **__: [row[0] for row in served.archive._backend.rows(sql)]


def leave(served, path="/v1/stats/factions", accept="*/*"):
    """Ask, and hang up before there is an answer."""
    with socket.create_connection(("127.0.0.1", served.port), timeout=PATIENCE) as sock:
        sock.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\nAccept: {accept}\r\n\r\n".encode())
        wait_until(lambda: served.app.resources.metrics.in_flight)


def readers(served):
    """The threads that are reading from the archive."""
    return served.archive._backend.in_use._holders


def test_a_client_that_leaves(serve, monkeypatch):
    """With one reading thread, the next question is answered only if the first is abandoned."""
    served = serve(readers=1)
    monkeypatch.setattr(served.archive, "faction_stats", asking(served, ENDLESS), raising=False)
    for number in range(3):
        leave(served)
        # Another address each time, because a cached answer would not ask the archive.
        assert served.http.get(f"/v1/stats/cards?min_tricks={number}").json() == []
    wait_until(lambda: not served.app.resources.metrics.in_flight and not readers(served))
    log = served.logged()
    assert log.count('"status":499') == 3
    assert '"failure"' not in log
    assert "ASGI" not in log


def test_no_other_question_is_harmed(serve, monkeypatch):
    served = serve(readers=3)
    monkeypatch.setattr(served.archive, "faction_stats", asking(served, ENDLESS), raising=False)
    monkeypatch.setattr(served.archive, "upcard_stats", asking(served, LONG), raising=False)
    answers = []

    def ask():
        for number in range(2):
            url = f"{served.url}/v1/stats/upcards?min_tricks={number}"
            answers.append(httpx.get(url, timeout=60).json())

    threads = [threading.Thread(target=ask) for _ in range(2)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        leave(served)
    for thread in threads:
        thread.join()
    assert answers == [[SUM]] * 4
    wait_until(lambda: not readers(served))


@pytest.mark.only_file("a lake may take longer than allowed here")
def test_an_answer_over_the_time_limit(serve, monkeypatch):
    served = serve(readers=1, answer_time=0.3)
    monkeypatch.setattr(served.archive, "faction_stats", asking(served, ENDLESS), raising=False)
    for _ in range(2):
        assert served.http.get("/v1/stats/factions").status_code == 503
    wait_until(lambda: not readers(served))
    assert served.http.get("/v1/stats/cards").json() == []


@pytest.mark.parametrize("accept", ["application/x-ndjson", "text/csv"])
def test_an_export_that_is_left(serve, monkeypatch, accept):
    """An export is interrupted while its query runs, before there is anything to send."""
    served = serve(streams=1)
    for _ in served.archive.import_games(io.BytesIO(games(3).encode()).read, workers=1):
        pass

    def export(*_, **__):
        if accept == "text/csv":
            yield from asking(served, ENDLESS)()
        with served.archive._backend.snapshot() as cursor:
            yield cursor.execute(ENDLESS).fetchall()

    with monkeypatch.context() as patch:
        patch.setattr(served.archive, "export", export, raising=False)
        leave(served, "/v1/games", accept)
        wait_until(lambda: not served.app.resources.budget.streams and not readers(served))
    assert served.http.get("/v1/games", headers={"Accept": accept}).is_success


@pytest.mark.only_file("DuckDB writes nothing for PostgreSQL")
def test_writing_is_never_interrupted(tmp_path):
    """An abandoned write stores all or nothing, and once it has begun to write it continues."""
    with Archive.open(tmp_path / "games.duckdb") as archive:
        question = CancelToken()

        def store():
            with archive._backend.transaction() as cursor:
                question.cancel()
                cursor.execute(LONG)
                assert archive.count() == 0
            return archive.count()

        with pytest.raises(Cancelled):
            archive.ask(question, store)
        assert archive.ask(CancelToken(), archive.count) == 0
        with pytest.raises(Cancelled):
            archive.ask(question, archive.check)
        assert archive.check().good


def test_a_question_is_forgotten_with_its_answer(tmp_path):
    """Cancelling late does not affect a later user of the same thread's cursor."""
    with Archive.open(tmp_path / "games.duckdb") as archive:
        question = CancelToken()
        archive.ask(question, archive.count)
        stop = threading.Event()

        def cancel():
            while not stop.is_set():
                question.cancel()

        thread = threading.Thread(target=cancel)
        thread.start()
        with contextlib.ExitStack() as stack:
            stack.callback(thread.join)
            stack.callback(stop.set)
            assert archive._backend.rows(LONG) == [(SUM,)]


def test_a_question_to_an_archive_that_was_closed_meanwhile_is_cancelled(tmp_path):
    """Then others that are to be cancelled with it still are."""
    question = CancelToken()
    with Archive.open(tmp_path / "games.duckdb") as archive:

        def ask():
            with archive._backend.read() as cursor:
                cursor.close()
                question.cancel()

        archive.ask(question, ask)
        with pytest.raises(Cancelled):
            archive.ask(question, archive.count)


def awaiting(sock, path="/v1/games"):
    """Send the head of a request, and return once the server waits for its body."""
    sock.sendall(
        f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/x-claim\r\n"
        "Expect: 100-continue\r\nContent-Length: 500\r\n\r\n".encode()
    )
    seen = b""
    while not seen.endswith(b"\r\n\r\n"):
        seen += sock.recv(1000)
    assert seen.startswith(b"HTTP/1.1 100 ")


def read(sock):
    """Everything until the server closes."""
    return b"".join(iter(lambda: sock.recv(65536), b""))


def test_a_body_that_has_not_come_when_the_server_stops(serve):
    served = serve(idle_time=600, body_time=600)
    place = "127.0.0.1", served.port
    with (
        socket.create_connection(place, timeout=PATIENCE) as begun,
        socket.create_connection(place, timeout=PATIENCE) as later,
    ):
        awaiting(begun)
        begun.sendall(b"[Even")
        served.app.resources.stop()
        later.sendall(
            b"POST /v1/analysis HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/x-claim\r\n"
            b"Connection: close\r\nContent-Length: 500\r\n\r\n"
        )
        assert b"the server is stopping" in begun.recv(65536)
        told = read(later)
        assert told.startswith(b"HTTP/1.1 503 ")
        assert b"the server is stopping" in told
    assert '"failure"' not in served.logged()


def test_what_is_still_going_on_when_the_server_waits_no_longer(serve, monkeypatch):
    served = serve()
    resources = served.app.resources
    begun = threading.Event()

    async def never(*_):
        begun.set()
        await asyncio.Event().wait()

    monkeypatch.setattr(resources, "read", never)
    with socket.create_connection(("127.0.0.1", served.port), timeout=PATIENCE) as sock:
        sock.sendall(b"GET /v1/stats/factions HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert begun.wait(PATIENCE)
        served.server.force_exit = True
        resources.stop()
        served.server.should_exit = True
        told = read(sock)
    assert told.startswith(b"HTTP/1.1 503 ")
    assert b"the server is stopping" in told
    resources.close()
    assert "Traceback" not in served.logged()
