"""No answer and no log of a server contains a password, whatever happens to its database."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from backends import server, why_not
from conftest import CLM, Served, serving
from games import game

from claimlog.api.settings import Settings
from claimlog.store import Archive

if TYPE_CHECKING:
    from collections.abc import Iterator

    import backends

PASSWORD = "Kn0rr-Zwieback"

READ = (
    *("/v1/archive", "/v1/games", "/v1/games?player=Ann", "/v1/players", "/v1/events"),
    *("/v1/stats/count", "/v1/tables", "/v1/merges", "/metrics", "/health", "/", "/players"),
)


@pytest.fixture
def guarded() -> Iterator[backends.Server]:
    """A PostgreSQL that requires a password."""
    if why := why_not():
        pytest.skip(why)
    folder = Path("/tmp") / f"claimlog-guarded-{os.getpid()}"
    with server(folder / "postgres", password=PASSWORD) as made:
        made.execute("CREATE DATABASE guarded")
        yield made
    shutil.rmtree(folder, ignore_errors=True)


def ask(served: Served, number: int) -> list[int]:
    """Send all kinds of requests; check that no answer has the password.  Return the statuses."""
    http = served.http
    answers = [
        *(http.get(path) for path in READ),
        http.post("/v1/games", content=game(number), headers=CLM),
        http.post("/v1/imports", content=game(number + 1), headers=CLM),
        http.post("/v1/archive/check"),
        http.post("/v1/archive/backup"),
    ]
    for answer in answers:
        for secret in (PASSWORD, PASSWORD[:5], PASSWORD[-8:]):
            assert secret not in f"{answer.headers} {answer.text}", answer.url
    return [answer.status_code for answer in answers]


@pytest.mark.slow
def test_no_answer_has_a_password(guarded: backends.Server, tmp_path: Path) -> None:
    address = guarded.address("guarded")
    with Archive.open(address, lake=str(tmp_path / "lake")) as archive:
        archive.store(game(1))
        archive.index(once=True)
    with serving(address, Settings(open_writing=True)) as served:
        there = ask(served, 2)
        guarded.stop()
        try:
            gone = ask(served, 4)
        finally:
            guarded.start()
        logged = served.logged()
    assert there.count(200) > 10
    assert gone.count(503) > 8
    assert '"failure"' in logged or '"request"' in logged
    assert PASSWORD[:5] not in logged
