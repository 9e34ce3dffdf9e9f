"""In every machine-readable report a problem and a slip have the keys that the notation names."""

import io
import json
from pathlib import Path

import pytest
from commands import claimlog
from litestar.testing import TestClient

from claimlog.api.app import create_app
from claimlog.api.logs import Log
from claimlog.api.settings import Settings
from claimlog.store import Archive

ROOT = Path(__file__).parents[1]
PLACE = ["line", "column", "end_column"]
PROBLEM = ["code", "severity", "message", *PLACE, "trick", "seat", "card"]
SLIP = ["kind", "trick", *PLACE, "message", "mended"]
VALIDATED = ["file", "game", "line", "valid", "complete", "result", "errors", "warnings", "slip"]
REPLAYED = [
    *("tags", "seats", "rules", "rulings", "complete", "result", "tricks", "score"),
    *("errors", "warnings"),
]
OFTEN_WRONG = '[Deck "GKUWX"]\n\n1. U7: G5+ G8 /W2\n{nothing} 2. K3: K4 K5+^ /_ what\n1-0\n'
VOTES = (ROOT / "data" / "broken" / "votes.clm").read_text(encoding="utf-8")
WRONG = f"{OFTEN_WRONG}\n{VOTES.replace('26. ', '26. what ')}"
"""Errors and a warning; and votes that may be wrong because of another error."""


def objects(*words: str) -> list[dict]:
    code, out, err = claimlog(*words, stdin=WRONG.encode())
    assert (code, err) == (1, b"")
    return [json.loads(line) for line in out.splitlines()]


def test_problems_on_the_command_line(tmp_path):
    games = objects("validate", "--format", "json", "-")
    assert [list(game) for game in games] == [VALIDATED] * 2
    assert all(game["errors"] for game in games)
    assert games[0]["warnings"]
    assert any(problem["because"] for problem in games[1]["errors"])
    problems_of_games = [game["errors"] + game["warnings"] for game in games]
    assert {tuple(one) for problems in problems_of_games for one in problems} == {
        (*PROBLEM, "because")
    }
    problems_of_games = [
        [{key: one[key] for key in PROBLEM} for one in problems] for problems in problems_of_games
    ]
    replayed = objects("replay", "--format", "json", "-")
    assert [list(game) for game in replayed] == [REPLAYED] * 2
    assert [game["errors"] + game["warnings"] for game in replayed] == problems_of_games
    outcomes = objects("import", "--json", "--db", str(tmp_path / "a.duckdb"), "-")
    assert [sorted(one["problems"], key=str) for one in outcomes] == [
        sorted(problems, key=str) for problems in problems_of_games
    ]
    assert {tuple(one) for game in outcomes for one in game["problems"]} == {tuple(PROBLEM)}


def test_a_slip():
    path = ROOT / "data" / "broken" / "not-held-opponents.clm"
    _, out, _ = claimlog("validate", "--format", "json", path)
    slips = [json.loads(line)["slip"] for line in out.splitlines()]
    assert [list(slip) for slip in slips if slip] == [SLIP]


@pytest.fixture(scope="module")
def http(tmp_path_factory):
    path = tmp_path_factory.mktemp("reports") / "a.duckdb"
    with (
        Archive.open(path) as archive,
        TestClient(
            app := create_app(archive, Settings(open_writing=True), Log(io.BytesIO()))
        ) as client,
    ):
        token, _ = app.resources.tokens.create("Dora", "record")
        client.headers["Authorization"] = f"Bearer {token}"
        client.headers["Content-Type"] = "text/x-claim"
        yield client


@pytest.mark.parametrize("path", ["games", "imports"])
def test_problems_of_the_api(http, path):
    answer = http.post(f"/v1/{path}", content=OFTEN_WRONG)
    problems = json.loads(answer.text.splitlines()[0])["problems"]
    assert problems
    assert {tuple(one) for one in problems} == {tuple(PROBLEM)}
