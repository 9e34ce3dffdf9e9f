"""Archives that are gone through in pieces of a few games, in a file or a lake."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import pytest
from backends import Server, made_its_own

from claimlog.store import Archive
from claimlog.store.intake import remaking

from .conftest import take_in
from .random_games import records

GAMES = records(24, seed=5)
PIECE = 9


class Stopped(BaseException):
    """Stands for what ends a process."""


def small(patch: pytest.MonkeyPatch) -> None:
    """Make parts so small that a few games have many."""
    patch.setattr(remaking, "CHUNK", 2)
    patch.setattr(remaking, "PART", 7)


def fill(archive: Archive) -> list[str]:
    """Store games, corrections and deletions; return the ids."""
    ids = [one.id or "" for one in take_in(archive, "\n".join(GAMES[:18]), by="Ann")]
    bring(archive)
    for game in GAMES[18:22]:
        ids.append(archive.store(game, by="Bo").id or "")
        bring(archive)
    archive.correct(ids[3], f'[Annotator "Y"]\n{GAMES[3]}', by="Bo", why="an annotator")
    archive.delete(ids[9], by="Cy", why="twice")
    archive.delete(ids[0], by="Cy", why="a slip")
    archive.undelete(ids[0], by="Cy", why="no slip")
    bring(archive)
    return ids


def bring(archive: Archive) -> None:
    """Bring everything to the tables."""
    if archive.postgres is not None:
        archive.index(once=True)
    archive.count()


class Filled:
    """An archive with games that each test of a module gets a copy of, as filling takes seconds.

    It is in a file, or in a database with a lake.
    """

    def __init__(self, folder: Path, server: Server | None = None) -> None:
        """Fill one in a folder; with `server`, its lake is there."""
        self.folder = folder
        self.server = server
        where: str | Path = folder / "games.duckdb"
        if server is not None:
            self.name = f"filled{abs(hash(folder))}"
            server.execute(f"CREATE DATABASE {self.name}")
            where = server.address(self.name)
        with Archive.open(where, lake=str(folder / "lake") if server else None) as archive:
            fill(archive)

    def copied(self, name: str, folder: Path) -> str | Path:
        """Copy it into a folder, a lake's database under this name; return where it is."""
        shutil.copytree(self.folder, folder, dirs_exist_ok=True)
        if self.server is None:
            return folder / "games.duckdb"
        self.server.execute(f"CREATE DATABASE {name} TEMPLATE {self.name}")
        address = self.server.address(name)
        made_its_own(address, self.folder / "lake", folder / "lake")
        return address


def fill_one(request: pytest.FixtureRequest, factory: pytest.TempPathFactory, kind: str) -> Filled:
    """For a fixture of a module: fill an archive in a file or a lake, made small by the module."""
    if kind == "file" and request.config.getoption("backend") == "lake":
        pytest.skip("is about a file")
    server = request.getfixturevalue("postgres") if kind == "lake" else None
    folder = factory.mktemp("filled")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(folder / "data"))
        request.module.make_small(patch)
        return Filled(folder, server)


@contextmanager
def opened_copy(
    request: pytest.FixtureRequest, tmp_path: Path, patch: pytest.MonkeyPatch
) -> Iterator[Archive]:
    """For a fixture with the parameter "file" or "lake": a copy of what `filled_NAME` is."""
    filled: Filled = request.getfixturevalue(f"filled_{request.param}")
    patch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    where = filled.copied(f"copy{abs(hash(request.node.nodeid))}", tmp_path)
    with Archive.open(where, create=False) as archive:
        yield archive


only_file = pytest.mark.parametrize("archive", ["file"], indirect=True)
only_lake = pytest.mark.parametrize("archive", ["lake"], indirect=True)


def change(archive: Archive, statement: str) -> None:
    """Change the tables behind the archive's back."""
    with archive._backend.deriving() as cursor:
        cursor.execute(statement)


DAMAGE = (
    "UPDATE tricks SET winner = winner % seats + 1 WHERE n = 2 AND game % 4 = 0",
    "DELETE FROM factions_won WHERE game % 9 = 1",
    "UPDATE players SET name = 'Nobody' WHERE player IN (SELECT min(player) FROM players)",
)


@contextmanager
def opened_by(
    program: str, archive: Archive
) -> Iterator[tuple[str, "subprocess.Popen[str]", IO[str]]]:
    """Close an archive, and start a program with its address or path.

    Yields that, the process and what it prints.
    """
    where = archive.postgres.postgres.address if archive.postgres else str(archive.path)
    archive.close()
    with running(program, where) as (process, printed):
        yield where, process, printed


@contextmanager
def running(program: str, *args: object) -> Iterator[tuple["subprocess.Popen[str]", IO[str]]]:
    """Start a program; yields the process and what it prints."""
    with subprocess.Popen(
        [sys.executable, "-c", program, *map(str, args)], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        yield process, process.stdout
