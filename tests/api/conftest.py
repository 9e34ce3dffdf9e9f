from __future__ import annotations

import contextlib
import io
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING

import httpx
import pytest
from games import games
from litestar.testing import TestClient
from waiting import PATIENCE

from claimlog.api.app import create_app
from claimlog.api.caches import stale_while_revalidate
from claimlog.api.logs import Log
from claimlog.api.server import Server, configured
from claimlog.api.settings import Settings
from claimlog.store import Archive

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from claimlog.api.app import Application

CLM = {"Content-Type": "text/x-claim"}


@pytest.fixture(autouse=True)
def nothing_is_dear(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Treat every answer as cheap, so that pages never show outdated answers on a busy machine."""
    if "stale" not in request.node.path.name:
        monkeypatch.setattr(stale_while_revalidate, "CHEAP", float("inf"))


@dataclass
class Served:
    """A server that listens on a port."""

    url: str
    app: Application
    log: io.BytesIO
    http: httpx.Client
    server: Server
    thread: threading.Thread

    @property
    def archive(self) -> Archive:
        return self.app.resources.archive

    @property
    def port(self) -> int:
        return int(self.url.rpartition(":")[2])

    def logged(self) -> str:
        self.app.resources.log.flush()
        return self.log.getvalue().decode()

    def stop(self) -> None:
        """Stop the server, and wait until it has closed its archive."""
        self.app.resources.stop()
        self.server.should_exit = True
        self.thread.join(PATIENCE)
        assert not self.thread.is_alive()


class InThread(Server):
    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


@contextlib.contextmanager
def serving(path: Path | str, settings: Settings, **options: object) -> Iterator[Served]:
    log = io.BytesIO()
    app = create_app(Archive.open(path), settings, Log(log))
    places: list[str] = []
    ready = threading.Event()

    def listening(addresses: list[str]) -> None:
        places.extend(addresses)
        ready.set()

    server = InThread(configured(app, stop_time=5, port=0, **options), app, listening)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    assert ready.wait(PATIENCE), log.getvalue()
    with httpx.Client(base_url=places[0], timeout=PATIENCE) as http:
        served = Served(places[0], app, log, http, server, thread)
        try:
            yield served
        finally:
            served.stop()


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Served]]:
    """Start servers with settings; stop all of them at the end."""
    with contextlib.ExitStack() as stack:
        number = 0

        def start(**settings: object) -> Served:
            nonlocal number
            number += 1
            # Analyses give way to all other work, which may include the other tests.
            usual = {"open_writing": True, "answer_time": PATIENCE}
            made = Settings(**(usual | settings))  # type: ignore[arg-type]
            return stack.enter_context(serving(tmp_path / f"games{number}.duckdb", made))

        yield start


@pytest.fixture(scope="session")
def open_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with 60 games, which tests only read."""
    path = tmp_path_factory.mktemp("api") / "games.duckdb"
    with serving(path, Settings(open_writing=True)) as served:
        for _ in served.archive.import_games(io.BytesIO(games(60).encode()).read, workers=1):
            pass
        yield served


@pytest.fixture(scope="session")
def http(open_server: Served) -> httpx.Client:
    return open_server.http


@pytest.fixture
def app(tmp_path: Path) -> Iterator[TestClient]:
    """An application behind Litestar's test client; its requests come from another machine."""
    made = create_app(Archive.open(tmp_path / "games.duckdb"), Settings(), Log(io.BytesIO()))
    with TestClient(app=made) as client:
        yield client
