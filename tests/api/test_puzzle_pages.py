"""Puzzles over HTTP: found while the server runs, on pages that do not tell how games went on."""

import base64
import io
import json
import re
import zlib
from math import inf

import pytest
from commands import claimlog
from games import game
from litestar.testing import TestClient
from test_games import problem
from waiting import run_alone, wait_until

from claimlog.analysis.answering import answer, puzzling_of, read_puzzles
from claimlog.api import puzzling
from claimlog.api.app import create_app
from claimlog.api.logs import Log
from claimlog.api.metrics import Metrics
from claimlog.api.settings import Settings
from claimlog.client import Client
from claimlog.simulate import simulate_records
from claimlog.store import Archive, analysing

CLM = {"Content-Type": "text/x-claim"}
(RECORD,) = simulate_records(1, deck="GKBSU", policy="random", seed=44)
PAGE = {"Accept": "text/html"}


@pytest.fixture
def served(serve, monkeypatch):
    """A server that looks for puzzles at once, and has found some."""
    monkeypatch.setattr(puzzling, "PAUSE", 0.05)
    monkeypatch.setattr(puzzling, "QUIET", 0.0)
    made = serve()
    assert made.http.post("/v1/games", content=RECORD, headers=CLM).is_success
    wait_until(lambda: made.http.get("/v1/puzzles").json()["puzzles"])
    return made


def test_a_server_finds_them_and_answers_as_an_archive(served):
    http, archive = served.http, served.app.resources.archive
    (second, first) = archive.puzzles().puzzles
    with Client(str(http.base_url)) as client:
        assert client.puzzles() == archive.puzzles()
        assert client.puzzle(first.id) == archive.puzzle(first.id)
        assert client.daily_puzzle() == archive.daily_puzzle()
    limited = http.get("/v1/puzzles?limit=1&total=true")
    assert (limited.json()["total"], 'rel="next"' in limited.headers["link"]) == (2, True)
    assert problem(http.get("/v1/puzzles?level=5"), 400)
    assert problem(http.get("/v1/puzzles/daily?date=2999-01-01"), 404)
    assert problem(http.get(f"/v1/puzzles/{first.id[:-1]}7"), 404)
    # The search for puzzles does not invalidate cached answers.
    before = archive.generation
    archive.keep_puzzles(read_puzzles(answer(puzzling_of([(b"", RECORD.encode())]))))
    assert archive.generation == before
    assert second.trick > first.trick


@pytest.mark.parametrize(
    ("asked", "waited"),
    [
        pytest.param([], 0, id="nobody asks"),
        pytest.param([0, 1], 3, id="until two seconds after the last answer"),
        pytest.param(range(100), 30, id="somebody always asks"),
    ],
)
def test_nobody_who_asks_waits_for_a_search(asked, waited):
    now, metrics = 0.0, Metrics()

    async def sleep(seconds):
        nonlocal now
        now += seconds
        metrics.answered = max((one for one in asked if one <= now), default=-inf)

    metrics.answered = 0.0 if 0 in asked else -inf
    run_alone(puzzling.quiet(metrics, lambda: now, sleep))
    assert now == waited


def test_a_page_has_the_board_the_hints_and_the_solution(served):
    """And links to the neighbouring puzzles within the selection; in both languages."""
    http = served.http
    (second, first) = served.app.resources.archive.puzzles().puzzles
    page = http.get(f"/puzzles/{second.id}?level=1", headers=PAGE)
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert "<script>" not in page.text
    assert f'href="/puzzles/{first.id}?level=1"' in page.text
    assert "Which card wins?" in page.text
    assert f'href="/puzzles/{second.id}?format=json"' in page.text
    german = http.get("/puzzles/daily", headers=PAGE | {"Accept-Language": "de"}).text
    assert "Aufgabe des" in german
    assert "Welche Karte gewinnt?" in german
    # The board knows the line of the solution, and not how the game really continued.
    data = packed(page.text)
    assert data["ending"]["result"] == ("1-0" if data_seat(page.text) == 1 else "0-1")
    whole = served.app.resources.archive.puzzle(second.id)
    lost = next(one for one in whole.tries if one.card != whole.solution)
    line = http.get(f"/puzzles/{second.id}/line?card={lost.card}", headers=PAGE).json()
    assert line["value"][1:] == lost.factions
    assert line["data"]["ending"]["result"] == lost.result
    assert http.get(f"/puzzles/{second.id}/line?card=X9", headers=PAGE).status_code == 400
    listed = http.get("/puzzles?left=3", headers=PAGE).text
    assert f"/puzzles/{second.id}?left=3" in listed
    assert f"/puzzles/{first.id}?" not in listed
    for path in ("/", "/games"):
        assert 'href="/puzzles' in http.get(path, headers=PAGE).text


def packed(page):
    match = re.search(r'id="replay-data">([^<]+)<', page)
    return json.loads(zlib.decompress(base64.b64decode(match[1])))


def data_seat(page):
    return int(re.search(r'data-seat="(\d)"', page)[1])


def test_without_puzzles_it_says_what_to_do(serve):
    """An empty archive, one that was not searched, and one that cannot be written."""
    http = serve().http
    for path in ("/puzzles", "/puzzles/daily"):
        assert "claimlog import games.clm" in http.get(path, headers=PAGE).text
    assert problem(http.get("/v1/puzzles/daily"), 404)["key"] == "puzzle.not-searched"
    code, _, error = claimlog("puzzles", "--server", str(http.base_url))
    assert code == 1
    assert b"no game has been searched; claimlog analyse --all does that" in error
    http.post("/v1/games", content=game(1), headers=CLM)
    assert "being searched for puzzles" in http.get("/puzzles", headers=PAGE).text


def test_a_server_that_may_only_read(tmp_path):
    """It looks for none, and explains how to find them."""
    path = tmp_path / "games.duckdb"
    with Archive.open(path) as archive:
        archive.store(RECORD)
    archive = Archive.open(path, read_only=True)
    with TestClient(app=create_app(archive, Settings(), Log(io.BytesIO()))) as client:
        assert "claimlog analyse --all" in client.get("/puzzles", headers=PAGE).text


def test_the_page_of_a_player_says_what_came_from_cards(tmp_path, monkeypatch):
    """As in the statistic; without analyses it explains how to make them."""
    monkeypatch.setattr(
        analysing, "_by_processes", lambda tasks, _: (analysing.kept(task) for task in tasks)
    )
    archive = Archive.open(tmp_path / "games.duckdb")
    archive.store(RECORD)
    with TestClient(app=create_app(archive, Settings(), Log(io.BytesIO()))) as client:
        address = "/players/Random 1"
        assert "claimlog analyse --all" in client.get(address, headers=PAGE).text
        archive.analyse(redeals=4)
        own = next(row for row in archive.luck_stats() if row.player == "Random 1")
        said = client.get(address, headers=PAGE).text
        assert "claimlog analyse --all" not in said
        assert own.cards
        assert f"gave {own.cards:+.2f} points per game" in said
        # One game has no interval, and so none that would be certain.
        given = archive.given_away(by="player")
        assert [(one.games, one.low, one.high) for one in (own, *given)] == [(1, None, None)] * 3
        for kind in ("luck", "given-away?by=player"):
            table = client.get(f"/stats/{kind}", headers=PAGE).text
            assert table.count('<td class="number"><span class="none">–</span></td>') == 4
        archive.store(next(simulate_records(1, deck="GKBSU", policy="random", seed=3)))
        made = analysing.kept
        monkeypatch.setattr(analysing, "kept", lambda task: made(task)._replace(start=None))
        archive.analyse(redeals=4)
        assert own.open == 0
        said = client.get(address, headers=PAGE).text
        assert "In 1 game the cards" in said
        assert "Not counted: 1 game of which the analysis left a value open." in said
