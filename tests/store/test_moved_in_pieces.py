"""A move goes piece by piece, and goes on where it was interrupted."""

import shutil
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest
from commands import claimlog

pytest.importorskip("psycopg", reason="the extra claimlog[cluster] is not installed")

from claimlog.store import Archive, ArchiveError, DiskFull
from claimlog.store.intake import reached
from claimlog.store.model import schema
from claimlog.store.model.ids import write_id
from claimlog.store.moving import into_file, into_postgres, move, steps
from claimlog.store.postgres.connection import Postgres
from claimlog.store.questions.rollups import ROLLUPS

from . import pieces
from .pieces import GAMES, PIECE, Stopped, bring, fill, running

ANN = {"by": "Ann", "why": "to see"}


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make pieces so small that a few games have many."""
    pieces.small(monkeypatch)
    for module in (into_file, into_postgres):
        monkeypatch.setattr(module, "PIECE", PIECE)
    monkeypatch.setattr(into_postgres, "CHUNK", 4)
    monkeypatch.setattr(into_postgres, "INTO_LAKE", 12)
    monkeypatch.setattr(into_file, "INTO_FILE", 10)


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive in a file."""
    path = tmp_path_factory.mktemp("filled") / "games.duckdb"
    with opened(path, create=True) as archive:
        ids = fill(archive)
        archive.create_event("Spring Cup", by="Fay", why="it is spring")
        archive.rename_event(archive.events(limit=1).events[0].id, "The Cup", **ANN)
        archive.delete(ids[10], **ANN)
    return path


@pytest.fixture
def file(filled: Path, tmp_path: Path) -> Path:
    """The same archive, in a folder of the test."""
    return Path(shutil.copy(filled, tmp_path))


def opened(path: Path, create: bool = False) -> Archive:
    """The archive in a file, whatever backend the other tests use."""
    return Archive.of(steps.open_file(path, create=create))


class Stopping:
    """Stops a move at each step: before what it has reached is committed, or right after that."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.seen: set[tuple[Any, ...]] = set()
        self.new = False
        self.times = 0
        for module in (into_file, into_postgres):
            for name in ("begin", "note"):
                self._watch(monkeypatch, module, name)
            monkeypatch.setattr(module, "go", self._go)

    def _watch(self, monkeypatch: pytest.MonkeyPatch, module: Any, name: str) -> None:
        write = getattr(reached, name)

        def watched(cursor: Any, table: str, at: steps.Moving) -> None:
            write(cursor, table, at)
            state = (type(cursor), at.low, at.ranged, at.since, at.whole, at.lake, at.checked)
            if state not in self.seen:
                self.seen.add(state)
                self.times += 1
                if self.times % 2:
                    raise Stopped
                self.new = True

        monkeypatch.setattr(module, name, watched)

    def _go(self, steps: Iterator[None]) -> None:
        for _ in steps:
            if self.new:
                self.new = False
                raise Stopped


@pytest.fixture
def stopping(monkeypatch: pytest.MonkeyPatch) -> Stopping:
    return Stopping(monkeypatch)


def interrupted(source: Any, target: Any, after: int, lake: str | None = None) -> None:
    """Begin a move, and stop it after some steps."""
    left = iter(range(after - 1))

    def stop(steps: Iterator[None]) -> None:
        for _ in steps:
            if next(left, None) is None:
                raise Stopped

    with pytest.MonkeyPatch.context() as patch, pytest.raises(Stopped):
        for module in (into_file, into_postgres):
            patch.setattr(module, "go", stop)
        move(source, target, lake=lake)


def rows(archive: Archive) -> dict[str, Any]:
    """All rows, as far as they are the same in a file and in PostgreSQL with a lake."""
    ledger = {
        name: archive._backend.ask_ledger(
            f"SELECT {columns} FROM {name} ORDER BY {columns.replace('deleted, ', '')}"
        )
        for name, columns in {
            "records": "game, revision, gid, deleted, mark, digest, record, who, why",
            "chain": "link, what, until, entries, head",
            "acts": "event, number, act",
            "event_names": "event, name",
        }.items()
    }
    tables = (*schema.DERIVED, *schema.LISTS)
    lake = {name: archive._backend.rows(f"SELECT * FROM {name} ORDER BY ALL") for name in tables}
    plain = {
        name: [[bytes(x) if isinstance(x, memoryview) else x for x in row] for row in found]
        for name, found in {**ledger, **lake}.items()
    }
    return {**plain, "players": archive.players(limit=50).players, "cards": archive.card_stats()}


def test_it_is_stopped_at_every_step_and_goes_on(
    file: Path, address: str, tmp_path: Path, stopping: Stopping
) -> None:
    lake, back = str(tmp_path / "lake"), tmp_path / "back.duckdb"
    with opened(file) as archive:
        whole, head = rows(archive), archive.check().head
    stopping.times = 0
    while not (moved := stopped(file, address, lake)):
        with pytest.raises(ArchiveError, match=r"there is no archive|claimlog db move, which goes"):
            Archive.open(address, create=False)
    assert stopping.times >= 10
    assert moved.continued
    assert (moved.games, moved.revisions, moved.faults, moved.head) == (20, 27, 0, head)
    with Archive.open(address) as archive:
        assert rows(archive) == whole
        assert archive.check(head=head).good
        tables = archive._backend.rows("SELECT table_name FROM duckdb_tables() WHERE NOT temporary")
        assert {name for (name,) in tables} == {
            *(*schema.DERIVED, *schema.LISTS, *ROLLUPS),
            *("settings", "watermark"),
        }
        bring(archive)  # nothing comes twice
        assert rows(archive) == whole
    stopping.times, stopping.seen = 0, set()
    while not (moved := stopped(address, back)):
        assert not back.exists()
        with pytest.raises(ArchiveError, match=r"no archive|claimlog db move, which goes"):
            opened(tmp_path / "back.duckdb.moving")
    assert stopping.times >= 6
    assert moved.continued
    assert (moved.games, moved.revisions, moved.faults, moved.head) == (20, 27, 0, head)
    assert not list(tmp_path.glob("*.moving*"))
    with opened(back) as archive:
        assert rows(archive) == whole
        assert archive.check(head=head).good


def stopped(source: Any, target: Any, lake: str | None = None) -> Any:
    """Begin a move, or go on; return what was moved, None if it was stopped."""
    try:
        return move(source, target, lake=lake)
    except Stopped:
        return None


def test_a_file_that_has_changed_is_moved_from_the_beginning(
    file: Path, address: str, tmp_path: Path
) -> None:
    lake = str(tmp_path / "lake")
    interrupted(file, address, 3, lake)
    with opened(file):
        pass  # who only looks at it changes nothing
    interrupted(file, address, 5, lake)
    with opened(file) as archive:
        archive.store(GAMES[22], by="Di")
        archive.delete(archive.games(limit=1).games[0].id, **ANN)
        whole = rows(archive)
    moved = move(file, address, lake=lake)
    assert (moved.continued, moved.games, moved.revisions) == (None, 20, 29)
    assert moved.given_up
    with Archive.open(address) as archive:
        assert rows(archive) == whole
        assert archive.check().good


@pytest.fixture
def cluster(file: Path, address: str, tmp_path: Path) -> str:
    """The same archive in PostgreSQL."""
    move(file, address, lake=str(tmp_path / "lake"))
    return address


def test_what_has_changed_in_postgresql_comes_along(
    cluster: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After some of the games were moved, and after all of them."""
    back = tmp_path / "back.duckdb"
    fetch, asked = into_file.fetch, list[str]()

    def full(cursor: Any, ledger: Any, which: str) -> int:
        asked.append(which)
        if len(asked) == 4:
            raise duckdb.IOException("Could not write: No space left on device")
        return fetch(cursor, ledger, which)

    monkeypatch.setattr(into_file, "fetch", full)
    with pytest.raises(DiskFull, match="back"):
        move(cluster, back)
    with Archive.open(cluster) as archive:
        gids = archive._backend.ask_ledger("SELECT DISTINCT gid, game FROM records ORDER BY game")
        first, last = (write_id(int(gids[place][0])) for place in (1, -1))
        archive.delete(first, **ANN)
        archive.store(GAMES[22], by="Di")
        bring(archive)
    interrupted(cluster, back, 5)
    with Archive.open(cluster) as archive:
        archive.undelete(first, **ANN)
        archive.correct(last, f'[Annotator "Z"]\n{GAMES[21]}', **ANN)
        archive.rename_event(archive.events(limit=1).events[0].id, "Cup", **ANN)
        bring(archive)
        whole = rows(archive)
    moved = move(cluster, back)
    assert asked.count(asked[0]) == 1
    assert (moved.given_up, moved.games, moved.revisions) == (None, 21, 31)
    assert moved.continued
    with opened(back) as archive:
        assert rows(archive) == whole
        assert archive.check(head=moved.head).good


def test_other_tables_and_an_older_ledger_are_moved_from_the_beginning(
    cluster: str, tmp_path: Path
) -> None:
    back = tmp_path / "back.duckdb"
    interrupted(cluster, back, 3)
    with Archive.open(cluster) as archive:
        archive.rebuild()
    moved = move(cluster, back)
    assert (moved.continued, moved.games, moved.revisions) == (None, 20, 27)
    assert moved.given_up
    other = tmp_path / "other.duckdb"
    interrupted(cluster, other, 3)
    with Archive.open(cluster) as archive, archive._backend.decide() as ledger:
        ledger.execute("UPDATE chain SET head = checksum")
    moved = move(cluster, other)
    assert (moved.continued, moved.games, moved.revisions) == (None, 20, 27)
    assert moved.given_up
    assert moved.faults


def test_half_of_another_archive_is_refused(
    file: Path, cluster: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    other, back = tmp_path / "other.duckdb", tmp_path / "back.duckdb"
    with opened(other, create=True) as archive:
        archive.store(GAMES[0])
    server = request.getfixturevalue("postgres")
    database = f"other_{Postgres(cluster).label.rpartition('/')[2]}"
    server.execute(f"CREATE DATABASE {database}")
    second, lake = server.address(database), str(tmp_path / "second")
    interrupted(other, second, 3, lake)
    with pytest.raises(ArchiveError, match=f"{database} has half of another archive.*--afresh"):
        move(file, second, lake=lake)
    assert move(other, second, lake=lake).continued
    interrupted(second, back, 2)
    half = (tmp_path / "back.duckdb.moving").read_bytes()
    with pytest.raises(ArchiveError, match=r"back\.duckdb\.moving has half of another archive"):
        move(cluster, back)
    assert (tmp_path / "back.duckdb.moving").read_bytes() == half
    moved = move(cluster, back, afresh=True)
    assert (moved.continued, moved.given_up, moved.games) == (None, None, 20)


def test_it_starts_over_for_another_lake_or_a_lost_one(
    file: Path, address: str, tmp_path: Path
) -> None:
    first, second = tmp_path / "lake", tmp_path / "second"
    interrupted(file, address, 2, str(first))
    interrupted(file, address, 6, str(second))
    with Postgres(address).cursor() as cursor:
        place, catalogue = cursor.execute("SELECT lake, catalogue FROM meta").fetchone()
        assert place == f"{second}/"
        cursor.execute(f"DROP SCHEMA {catalogue} CASCADE")
    moved = move(file, address, lake=str(second))
    assert (moved.continued, moved.given_up, moved.games) == (None, None, 20)
    with Archive.open(address) as archive:
        assert archive.check().good


PROGRAM = """
import sys, time
from claimlog.store.moving import into_file, into_postgres
for module in (into_file, into_postgres):
    module.PIECE = 9
into_file.INTO_FILE = 10
def waiting(steps):
    for number, _ in enumerate(steps):
        if number == 2:
            print("now", flush=True)
            time.sleep(600)
into_file.go = into_postgres.go = waiting
from claimlog.cli.main import run
sys.argv = ["claimlog", "db", "move", *sys.argv[1:]]
run()
"""


def test_the_command_goes_on_where_it_was_killed(file: Path, address: str, tmp_path: Path) -> None:
    lake, back = tmp_path / "lake", tmp_path / "back.duckdb"
    for how, *command in (
        (signal.SIGKILL, file, address, "--lake", lake),
        (signal.SIGINT, address, back),
    ):
        with running(PROGRAM, *command) as (process, printed):
            assert printed.readline() == "now\n"
            process.send_signal(how)
            assert process.wait(60) != 0
        code, out, errors = claimlog("db", "move", *command)
        assert (code, errors.decode()) == (0, "")
        assert "this continued a move begun on" in out.decode()
        assert "games: 20, revisions: 27, moved to" in out.decode()
