from __future__ import annotations

import io
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from backends import Server, made_its_own

from claimlog.game import Game as Played
from claimlog.replay.recorder import replay_text
from claimlog.store import Archive, Outcome

from .random_games import records

if TYPE_CHECKING:
    from .pieces import Filled


def take_in(archive: Archive, text: str | bytes, **how: object) -> list[Outcome]:
    """Import a text."""
    data = text.encode() if isinstance(text, str) else text
    batches = archive.import_games(io.BytesIO(data).read, **how)  # type: ignore[arg-type]
    return [outcome for batch in batches for outcome in batch]


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    with Archive.open(tmp_path / "games.duckdb") as opened:
        yield opened


@pytest.fixture(scope="session")
def played() -> list[str]:
    """Many random records."""
    return records(400)


@pytest.fixture(scope="session")
def replayed(played: list[str]) -> list[Played]:
    return [next(replay_text(text)) for text in played]


@pytest.fixture(scope="session")
def full(tmp_path_factory: pytest.TempPathFactory, played: list[str]) -> Iterator[Archive]:
    """An archive with these records, for reading."""
    path = tmp_path_factory.mktemp("full") / "games.duckdb"
    with Archive.open(path) as opened:
        outcomes = take_in(opened, "\n".join(played))
        assert {outcome.status for outcome in outcomes} == {"stored"}
        yield opened


@pytest.fixture
def address(postgres: Server, request: pytest.FixtureRequest) -> str:
    """The address of a separate database."""
    name = f"cluster{abs(hash(request.node.nodeid))}"
    postgres.execute(f"CREATE DATABASE {name}")
    return postgres.address(name)


@pytest.fixture(scope="session")
def new_lake(postgres: Server, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The lake of a new archive in the database `new`."""
    postgres.execute("CREATE DATABASE new")
    lake = tmp_path_factory.mktemp("new") / "lake"
    Archive.open(postgres.address("new"), lake=str(lake)).close()
    return lake


@pytest.fixture
def new_archive(postgres: Server, new_lake: Path, address: str, tmp_path: Path) -> str:
    """The same address, where there is a new archive now, whose lake is in the test's folder.

    It is copied, as to create one takes half a second.
    """
    name = address.rpartition("/")[2]
    postgres.execute(f"DROP DATABASE {name}", f"CREATE DATABASE {name} TEMPLATE new")
    made_its_own(address, new_lake, Path(shutil.copytree(new_lake, tmp_path / "lake")))
    return address


@pytest.fixture(scope="module")
def filled_file(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Filled:
    """A filled archive in a file, for a module that uses `pieces`."""
    from .pieces import fill_one  # which imports this module

    return fill_one(request, tmp_path_factory, "file")


@pytest.fixture(scope="module")
def filled_lake(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Filled:
    """The same in a database with a lake."""
    from .pieces import fill_one

    return fill_one(request, tmp_path_factory, "lake")
