"""Archives that are gone through in pieces of a few games, in a file or a lake."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import pytest

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


@contextmanager
def filled(
    request: pytest.FixtureRequest, tmp_path: Path, patch: pytest.MonkeyPatch
) -> Iterator[Archive]:
    """An archive with games, for a fixture: in a file, or in a database with a lake."""
    patch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    where: str | Path = tmp_path / "games.duckdb"
    lake = None
    if request.param == "lake":
        where, lake = request.getfixturevalue("address"), str(tmp_path / "lake")
    elif request.config.getoption("backend") == "lake":
        pytest.skip("is about a file")
    with Archive.open(where, lake=lake) as archive:
        fill(archive)
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
