"""Two servers of one archive in PostgreSQL: simultaneous requests, and PostgreSQL unavailable."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from backends import Server, server, why_not
from conftest import CLM, serving
from games import game
from waiting import run_alone

from claimlog.api import generation_poller
from claimlog.api.generation_poller import GenerationPoller
from claimlog.api.settings import Settings
from claimlog.store import Archive, ArchiveUnreachable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class Asked:
    """Stands for PostgreSQL and for the tokens: a query takes this many seconds."""

    known_generation = None
    epoch = 0
    where = "nowhere"

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds

    @property
    def generation(self) -> int:
        time.sleep(self.seconds)
        return 7

    def tokens(self) -> None:
        pass


@pytest.mark.slow
def test_patience_begins_with_the_query(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generation_poller, "PATIENCE", 4.0)
    asked: Any = Asked(2.5)
    poller = GenerationPoller(asked, asked)
    poller._thread.submit(time.sleep, 2.5)
    assert run_alone(poller.generation()) == 7
    poller.close()


def test_patience_with_a_thread_that_is_stuck_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generation_poller, "PATIENCE", 0.05)
    asked: Any = Asked(0)
    poller = GenerationPoller(asked, asked)
    stuck = threading.Event()
    poller._thread.submit(stuck.wait)
    with pytest.raises(ArchiveUnreachable):
        run_alone(poller.generation())
    stuck.set()
    poller.close()


@pytest.fixture(scope="module")
def own_postgres() -> Iterator[Server]:
    """A PostgreSQL that may be stopped."""
    if why := why_not():
        pytest.skip(why)
    folder = Path("/tmp") / f"claimlog-nodes-{os.getpid()}"
    with server(folder / "postgres") as made:
        made.execute("CREATE DATABASE nodes")
        yield made
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module")
def nodes(
    own_postgres: Server, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[list[httpx.Client]]:
    """Clients of two servers of the same archive, whose lists are kept up to date."""
    address = own_postgres.address("nodes")
    Archive.open(address, lake=str(tmp_path_factory.mktemp("lake"))).close()
    with contextlib.ExitStack() as stack:
        yield [
            stack.enter_context(serving(address, Settings(open_writing=True))).http
            for _ in range(2)
        ]


def post(one: httpx.Client, text: str) -> httpx.Response:
    return one.post("/v1/games", content=text, headers=CLM)


def at_once(*calls: Callable[[], httpx.Response]) -> list[httpx.Response]:
    with ThreadPoolExecutor(len(calls)) as threads:
        return [answer.result() for answer in [threads.submit(call) for call in calls]]


def test_the_same_game_to_both_is_stored_once(nodes: list[httpx.Client]) -> None:
    for seed in range(8):
        answers = at_once(*(partial(post, one, game(seed)) for one in nodes))
        assert sorted(answer.status_code for answer in answers) == [200, 201]
        assert len({answer.json()["id"] for answer in answers}) == 1


def test_a_correction_of_the_same_revision_to_both_is_made_once(nodes: list[httpx.Client]) -> None:
    made = post(nodes[0], game(20))
    place, tag = f"/v1/games/{made.json()['id']}", made.headers["etag"]

    def put(one: httpx.Client, name: str) -> httpx.Response:
        return one.put(
            place,
            content=game(20, Annotator=name),
            headers=CLM | {"If-Match": tag},
            params={"why": "to see who is first"},
        )

    answers = at_once(lambda: put(nodes[0], "Ann"), lambda: put(nodes[1], "Bob"))
    assert sorted(answer.status_code for answer in answers) == [200, 412]
    # Both return at once the correction that was made.
    first = "Ann" if answers[0].status_code == 200 else "Bob"
    for one in nodes:
        assert f'[Annotator "{first}"]' in one.get(place, headers={"Accept": "text/x-claim"}).text


def wait_for(node: httpx.Client, place: str, status: int) -> httpx.Response:
    """Wait for the first answer with this status."""
    end = time.monotonic() + 30
    while (answer := node.get(place)).status_code != status:
        assert time.monotonic() < end, answer.text
        time.sleep(0.05)
    return answer


def assert_away(answer: httpx.Response) -> None:
    assert answer.status_code == 503
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.headers["retry-after"] == "1"
    assert answer.json()["detail"] == "the archive does not answer at the moment"


def test_a_postgresql_that_does_not_answer_holds_nobody_up(
    nodes: list[httpx.Client], own_postgres: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(generation_poller, "PATIENCE", 0.2)
    one = nodes[0]
    assert one.get("/health").status_code == 200
    with own_postgres.paused():
        # It does not respond again before all of these have been answered.
        assert_away(wait_for(one, "/health", 503))
        for answer in at_once(
            lambda: one.get("/v1/games"),
            lambda: one.get("/v1/games/0000000000000"),
            lambda: post(one, game(30)),
            lambda: one.get("/health", headers={"Authorization": "Bearer clm_x_y"}),
        ):
            assert_away(answer)
    assert wait_for(one, "/health", 200).json()["status"] == "ok"
    assert post(one, game(31)).status_code == 201


def test_a_node_goes_on_when_postgresql_is_back(
    nodes: list[httpx.Client], own_postgres: Server
) -> None:
    own_postgres.stop(signal.SIGKILL)
    try:
        for one in nodes:
            assert_away(wait_for(one, "/v1/games/0000000000000", 503))
            assert_away(post(one, game(40)))
            assert "does not answer" in one.get("/", headers={"Accept": "text/html"}).text
    finally:
        own_postgres.start()
    for one in nodes:
        wait_for(one, "/health", 200)
        assert wait_for(one, "/v1/games", 200).json()["games"] == []
    made = post(nodes[0], game(41))
    assert made.status_code == 201
    assert nodes[1].get(f"/v1/games/{made.json()['id']}").status_code == 200


def test_pages_name_the_archive_as_a_command_takes_it(nodes: list[httpx.Client]) -> None:
    """They gave the name of the database as if it were a file."""
    for path in ("/", "/puzzles"):
        page = nodes[0].get(path, headers={"Accept": "text/html"}).text
        assert "claimlog import games.clm --db postgresql://…<" in page
