"""Analyses over HTTP: the command's output, computed beside the server, within its budget."""

import contextlib
import json
import os
import re
import socket
import threading

import httpx
import pytest
import sleeping
from commands import claimlog
from games import game
from test_access import bearer
from test_games import problem
from waiting import PATIENCE, wait_until

from claimlog import State
from claimlog.api import analysts
from claimlog.client import Client
from claimlog.link import encode
from claimlog.notation.writer import canonical
from claimlog.simulate import simulate_games
from claimlog.web.replay import all_views, replay_data
from claimlog.web.worth import worth_data

CLM = {"Content-Type": "text/x-claim"}
LONG = game(1, Event="For ever")


def simulated(**wanted):
    """A record that is quickly analysed."""
    return canonical(next(simulate_games(1, deck="GKBSU", policy="random", seed=7, **wanted)))


def test_what_the_command_prints(serve, tmp_path):
    """For a stored game, and for a record as CLM and as JSON."""
    http = serve().http
    record = simulated()
    place = http.post("/v1/games", content=record, headers=CLM).headers["location"]
    (tmp_path / "game.clm").write_text(record)
    printed = json.loads(claimlog("analyse", tmp_path / "game.clm", "--format", "json")[1])
    assert printed["exact"]
    assert len([one for one in printed["decisions"] if one["mark"] == "??"]) > 1
    answer = http.get(f"{place}/analysis")
    assert answer.json() == printed
    known = {"If-None-Match": answer.headers["etag"]}
    assert http.get(f"{place}/analysis", headers=known).status_code == 304
    assert http.post("/v1/analysis", content=record, headers=CLM).json() == printed
    assert http.post("/v1/analysis", json={"record": record}).json() == printed
    with Client(str(http.base_url)) as client:
        assert client.game_analysis(place.rpartition("/")[2]) == printed
        assert client.analysis_of(record) == printed
    assert http.get("/v1/stats/count").json() == {"games": 1}


def test_the_pages_of_a_game_fetch_what_was_found(serve):
    """The pages of a stored game and of a code, which may ask only their own server."""
    http = serve().http
    record = simulated()
    place = http.post("/v1/games", content=record, headers=CLM).headers["location"]
    report = http.get(f"{place}/analysis").json()
    page = {"Accept": "text/html"}
    played = next(simulate_games(1, deck="GKBSU", policy="random", seed=7))
    for path in (place.removeprefix("/v1"), f"/r/{encode(played)}"):
        shown = http.get(path, headers=page)
        assert "connect-src 'self'" in shown.headers["content-security-policy"]
        (address,) = re.findall(r'data-worth="([^"]+)"', shown.text)
        data = http.get(f"{address}/worth", headers=page).json()
        assert data == worth_data(played, report, views=all_views(played))
    assert http.get("/r/AAAAAAAA/worth", headers=page).status_code == 404


def test_a_game_is_played_on_in_another_way(serve):
    """The tried cards, followed by best play, make a separate game."""
    http = serve().http
    place = http.post("/v1/games", content=simulated(), headers=CLM).headers["location"]
    played = next(simulate_games(1, deck="GKBSU", policy="random", seed=7))
    page = {"Accept": "text/html"}
    for path in (place.removeprefix("/v1"), f"/r/{encode(played)}"):
        found = http.get(f"{path}/try?t=22.0&cards=B4+S8&lang=de", headers=page).json()
        assert (found["line"][:2], found["known"], len(found["line"])) == (["B4", "S8"], 2, 10)
        assert found["value"] == [0, 1, 4]
        assert found["cards"]["B6"] == [0, 1, 4]
        branch = State.from_game(played, 22)
        for card in found["line"]:
            branch.play(card)
        assert branch.over
        expected = replay_data(branch.game(), views=[None], languages=["de"])
        assert (found["data"]["views"], found["data"]["values"]) == (
            expected["views"],
            json.loads(json.dumps(expected["values"])),
        )
        for wrong in ("t=22.0&cards=G2", "t=4.0", "t=99.0", "t=22"):
            assert http.get(f"{path}/try?{wrong}", headers=page).status_code == 400, wrong


@pytest.mark.parametrize("seats", [3, 4])
def test_three_and_four_with_open_hands(serve, tmp_path, seats):
    """The last tricks, as the command prints them, and on the page of the game."""
    http = serve().http
    played = next(simulate_games(1, seats=seats, deck="GKBDSUW", policy="random", seed=seats))
    record = canonical(played)
    place = http.post("/v1/games", content=record, headers=CLM).headers["location"]
    (tmp_path / "game.clm").write_text(record)
    printed = json.loads(claimlog("analyse", tmp_path / "game.clm", "--format", "json")[1])
    assert printed["decisions"]
    assert printed["hands"] == "open"
    assert all(("secures" in one["before"]) == (seats == 3) for one in printed["decisions"])
    assert http.get(f"{place}/analysis").json() == printed
    assert http.post("/v1/analysis", content=record, headers=CLM).json() == printed
    page = {"Accept": "text/html"}
    data = http.get(f"{place.removeprefix('/v1')}/worth", headers=page).json()
    assert data == worth_data(played, printed, views=all_views(played))
    assert list(data["views"]) == ["open"]
    assert data["views"]["open"]["decisions"]
    assert bool(data["views"]["open"]["course"]) == (seats == 4)


def test_what_cannot_be_analysed(serve):
    http = serve().http
    four = canonical(next(simulate_games(1, seats=4, seed=1)))
    wrong = http.post("/v1/analysis", content=simulated().replace("1. ", "1. Q9 ", 1), headers=CLM)
    assert wrong.json()["from_trick"] is None
    assert {one["severity"] for one in wrong.json()["problems"]} == {"error"}
    for body in ("", four + "\n" + four):
        refused = http.post("/v1/analysis", content=body, headers=CLM)
        assert problem(refused, 422)["type"] == "urn:claimlog:invalid-record"
    assert problem(http.get("/v1/games/0000000000000/analysis"), 404)
    assert problem(http.post("/v1/analysis", content=four), 415)


def test_what_is_wrong_is_told_in_the_language_of_who_asks(serve):
    http = serve().http
    german = {"Accept-Language": "de"}
    begun = simulated().partition("14.")[0] + "*\n"
    wrong = begun.replace("1. ", "1. Q9 ", 1)
    for record, english, text in (
        (begun, "ends before Phase 2", "endet vor Phase 2"),
        (wrong, "Phase 2 has no draws", "in Phase 2 wird nichts gezogen"),
    ):
        first, other = (
            http.post("/v1/analysis", content=record, headers={**CLM, **liked}).json()
            for liked in ({}, german)
        )
        for answer, words in ((first, english), (other, text)):
            assert words in " ".join(one.pop("message") for one in answer["problems"])
        assert first == other
    begun = re.sub(r"\[(Result|Votes) .*\n", "", begun)
    place = http.post("/v1/games", content=begun, headers=CLM).headers["location"]
    for liked, text in (({}, "The record ends"), (german, "Die Aufzeichnung endet")):
        for _ in range(2):
            answer = http.get(f"{place}/analysis", headers=liked)
            assert answer.json()["problems"][0]["message"].startswith(text)
            assert "Accept-Language" in answer.headers["vary"]


# The budget -----------------------------------------------------------------------------------


@pytest.fixture
def asleep(monkeypatch):
    """Records of the event "For ever" are never analysed."""
    monkeypatch.setattr(analysts, "answer", sleeping.work)
    monkeypatch.setenv("PYTHONPATH", os.path.dirname(__file__))


def processes(served):
    """The running worker processes."""
    return [worker._workers for worker in served.app.resources.analysts._working]


def ask(served, text):
    """Send a record to be analysed, without waiting for an answer."""
    sock = socket.create_connection(("127.0.0.1", served.port), timeout=PATIENCE)
    head = "POST /v1/analysis HTTP/1.1\r\nHost: x\r\nContent-Type: text/x-claim\r\n"
    sock.sendall(f"{head}Content-Length: {len(text)}\r\n\r\n{text}".encode())
    return sock


def test_strangers_leave_a_process_to_who_may_write(serve, asleep):
    """Strangers all wait for the same process, and the server answers everything else."""
    served = serve(open_writing=False)
    with contextlib.ExitStack() as stack:
        for _ in range(3):
            stack.enter_context(ask(served, LONG))
        wait_until(lambda: served.app.resources.metrics.in_flight == 3)
        wait_until(lambda: processes(served) and all(processes(served)))
        assert served.http.get("/v1/stats/count").json() == {"games": 0}
        token, _ = served.app.resources.tokens.create("recorder", "record")
        headers = bearer(token) | CLM
        trusted = served.http.post("/v1/analysis", content=game(2), headers=headers)
        assert trusted.is_success
        assert len(processes(served)) == 1
    wait_until(lambda: not served.app.resources.metrics.in_flight and not processes(served))
    assert served.http.post("/v1/analysis", content=game(3), headers=CLM).is_success


def test_a_process_ends_with_its_client_or_when_the_time_is_over(serve, asleep):
    served = serve(answer_time=1.0)
    for leave in (True, False):
        with ask(served, LONG) as sock:
            wait_until(lambda: all(processes(served)) and processes(served))
            (workers,) = processes(served)
            if not leave:
                assert sock.recv(1000).startswith(b"HTTP/1.1 503")
        # Its pipes are closed once it is dead.
        wait_until(lambda: not workers._processes)  # noqa: B023 — it is waited for here
    assert '"failure"' not in served.logged()


def test_a_process_that_dies_is_replaced(serve, asleep):
    served = serve()
    answers = []
    asking = threading.Thread(
        target=lambda: answers.append(
            httpx.post(f"{served.url}/v1/analysis", content=LONG, headers=CLM, timeout=PATIENCE)
        )
    )
    asking.start()
    wait_until(lambda: all(processes(served)) and processes(served))
    (workers,) = processes(served)
    workers._processes[0].end()
    asking.join()
    assert problem(answers[0], 503)["type"] == "urn:claimlog:unavailable"
    assert served.http.post("/v1/analysis", content=game(4), headers=CLM).is_success
