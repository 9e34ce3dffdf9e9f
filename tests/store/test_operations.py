"""An archive in PostgreSQL as operators back it up, lose parts of it and restore it."""

from __future__ import annotations

import io
import os
import shutil
import signal
import subprocess
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb
import pytest
from backends import Server, made_its_own, server, why_not
from s3_server import S3

from claimlog.store import Archive, ArchiveRefused, ArchiveUnreachable
from claimlog.store.backend import let_go

from .random_games import records

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.slow

GAMES = records(12)


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    if why := why_not():
        pytest.skip(why)
    made = Path("/tmp") / f"claimlog-operations-{os.getpid()}"
    yield made
    shutil.rmtree(made, ignore_errors=True)


@pytest.fixture(scope="module")
def source(folder: Path) -> Iterator[Server]:
    """A PostgreSQL that may be stopped."""
    with server(folder / "source" / "postgres") as made:
        yield made


@pytest.fixture(scope="module")
def other(folder: Path) -> Iterator[Server]:
    """Another PostgreSQL, with independent transaction numbers."""
    with server(folder / "other" / "postgres") as made:
        yield made


@pytest.fixture
def address(source: Server, request: pytest.FixtureRequest) -> str:
    name = name_for(request)
    source.execute(f"CREATE DATABASE {name}")
    return source.address(name)


def name_for(request: pytest.FixtureRequest) -> str:
    """The name of a test's database."""
    return f"archive{abs(hash(request.node.nodeid))}"


@pytest.fixture(scope="module")
def prepared(source: Server, folder: Path) -> Path:
    """The lake of the archive in the database `prepared`, which each test gets a copy of.

    Four games are in its lists, and two are not in them yet.  Of two of the four the rows are in
    files, of the others in the catalogue.
    """
    source.execute("CREATE DATABASE prepared")
    lake = folder / "lake"
    with Archive.open(source.address("prepared"), lake=str(lake)) as archive:
        for games in (GAMES[:2], GAMES[2:4]):
            archive.compact()
            for game in games:
                archive.store(game)
            archive.index(once=True)
        for game in GAMES[4:6]:
            archive.store(game)
    return lake


@pytest.fixture
def filled(source: Server, prepared: Path, request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An archive like the prepared one, with its lake in the test's folder."""
    name = name_for(request)
    lake = shutil.copytree(prepared, tmp_path / "lake")
    source.execute(f"CREATE DATABASE {name} TEMPLATE prepared")
    made_its_own(source.address(name), prepared, lake)
    return source.address(name)


def dump(there: Server, address: str, file: Path) -> None:
    subprocess.run(
        [there.programs / "pg_dump", "-Fc", "-f", file, address], check=True, capture_output=True
    )


def restore(there: Server, file: Path, name: str) -> str:
    there.execute(f"CREATE DATABASE {name}")
    subprocess.run(
        [there.programs / "pg_restore", "-d", there.address(name), file],
        check=True,
        capture_output=True,
    )
    return there.address(name)


def assert_all_there(address: str, number: int) -> None:
    """Check that this many games are in the records and in the lists."""
    with Archive.open(address, create=False) as archive:
        archive.index(once=True)
        assert archive.count() == number
        report = archive.check()
        assert (report.games, report.revisions, report.behind) == (number, number, 0)
        assert report.good, report.faults


@pytest.mark.parametrize("where", ["other", "source"])
def test_a_dump_restored_elsewhere(
    filled: str, where: str, tmp_path: Path, source: Server, request: pytest.FixtureRequest
) -> None:
    there: Server = request.getfixturevalue(where)
    dump(source, filled, tmp_path / "dump")
    address = restore(there, tmp_path / "dump", f"restored_{where}")
    with Archive.open(address, create=False) as archive:
        assert archive.postgres is not None
        assert archive.postgres.is_copy()
        assert archive.store(GAMES[0]).status == "known"
        assert archive.store(GAMES[6]).status == "stored"
    assert_all_there(address, 7)
    with Archive.open(address, create=False) as archive:
        assert archive.rebuild(lake=str(tmp_path / "another")).games == 7
        assert archive.postgres is not None
        assert not archive.postgres.is_copy()
        assert archive.count() == 7
    if where == "other":
        from claimlog.store.moving import move  # needs psycopg

        moved = move(address, tmp_path / "moved.duckdb")
        assert (moved.games, moved.revisions) == (7, 7)
    # The original is unchanged.
    shutil.rmtree(tmp_path / "another")
    with Archive.open(filled) as archive:
        assert archive.count() == 4
        assert archive.index(once=True) == 2


def test_a_dump_whose_lake_is_gone(
    filled: str, tmp_path: Path, source: Server, other: Server
) -> None:
    dump(source, filled, tmp_path / "dump")
    address = restore(other, tmp_path / "dump", "without_lake")
    shutil.rmtree(tmp_path / "lake")
    with Archive.open(address, create=False) as archive:
        assert archive.store(GAMES[6]).status == "stored"
        with pytest.raises(ArchiveUnreachable):
            archive.games()
        assert archive.rebuild().games == 7
    assert_all_there(address, 7)


@pytest.mark.parametrize("lost", ["files", "catalogue"])
def test_a_lost_lake(filled: str, lost: str, tmp_path: Path) -> None:
    with Archive.open(filled) as node:
        assert node.count() == 4
        with Archive.open(filled) as archive:
            assert archive.postgres is not None
            if lost == "files":
                shutil.rmtree(tmp_path / "lake")
            else:
                with archive.postgres.ledger() as cursor:
                    cursor.execute(f"DROP SCHEMA {archive.postgres.catalogue} CASCADE")
        with Archive.open(filled) as archive:
            for ask in (archive.games, archive.check, archive.compact):
                with pytest.raises(
                    ArchiveUnreachable, match="claimlog db rebuild makes them again"
                ):
                    ask()
            assert archive.store(GAMES[6]).status == "stored"
            assert archive.rebuild().games == 7
            assert archive.count() == 7
        # A process that has it open finds the new one.
        try:
            games = node.count()
        except ArchiveUnreachable:
            games = node.count()
        assert games == 7
    assert_all_there(filled, 7)


def test_a_lost_catalogue_of_a_database_with_version_in_its_name(
    source: Server, tmp_path: Path
) -> None:
    """DuckDB's message has the name; only "version mismatch" is about versions."""
    source.execute("CREATE DATABASE conversion")
    address = source.address("conversion")
    with Archive.open(address, lake=str(tmp_path / "lake")) as archive:
        backend = archive.postgres
    assert backend is not None
    with backend.postgres.cursor() as cursor:
        cursor.execute(f"DROP SCHEMA {backend.catalogue} CASCADE")
    with Archive.open(address) as archive, pytest.raises(ArchiveUnreachable):
        archive.count()


def test_s3_away_at_the_start(address: str, s3: S3, tmp_path: Path) -> None:
    with Archive.open(address, lake="s3://claim/lake") as archive:
        archive.store(GAMES[0])
        archive.index(once=True)
        archive.compact()
    s3.stop()
    with Archive.open(address, create=False) as archive:
        assert archive.store(GAMES[1]).status == "stored"
        text = "\n".join(GAMES[:4]).encode()
        batches = archive.import_games(io.BytesIO(text).read, workers=1)
        assert [one.status for batch in batches for one in batch] == [
            "known",
            "known",
            "stored",
            "stored",
        ]
        with pytest.raises(ArchiveUnreachable):
            archive.games()
        with pytest.raises(ArchiveUnreachable):
            archive.index(once=True)
        s3.start()
        assert archive.index(once=True) == 3
        assert archive.count() == 4
    assert_all_there(address, 4)


def test_a_backup_of_files_that_takes_over(
    filled: str, source: Server, folder: Path, tmp_path: Path
) -> None:
    with server(folder / "standby" / "postgres", source) as standby:
        standby.execute("SELECT pg_promote()")
        address = standby.address(filled.rpartition("/")[2])
        with Archive.open(address, create=False) as archive:
            assert archive.store(GAMES[6]).status == "stored"
        assert_all_there(address, 7)


def test_marks_that_were_never_given(filled: str, tmp_path: Path) -> None:
    with Archive.open(filled) as archive:
        assert archive.postgres is not None
        with archive.postgres.ledger() as cursor:
            cursor.execute("UPDATE records SET mark = mark + 1000 WHERE game = 6")
        report = archive.check()
        assert [fault.message for fault in report.faults] == ["its mark was never issued"]
        assert archive.rebuild().games == 6
    assert_all_there(filled, 6)


def test_who_writes_holds_the_lists_back_and_nobody_else(filled: str, source: Server) -> None:
    import psycopg

    with Archive.open(filled) as archive:
        assert archive.postgres is not None
        with (
            psycopg.connect(source.address("postgres")) as elsewhere,
            psycopg.connect(filled) as beside,
        ):
            for connection in (elsewhere, beside):
                connection.execute("CREATE TABLE open_for_long (a INTEGER)")
            assert archive.index(once=True) == 2
            # A transaction that has a mark, but has not yet written what others must wait for.
            beside.execute("SELECT claimlog.this_mark()")
            archive.store(GAMES[6])
            assert archive.index(once=True) == 0
            assert not archive.wait(archive.mark, timeout=0)
            beside.rollback()
            assert archive.index(once=True) == 1
            assert archive.wait(archive.mark, timeout=0)
            elsewhere.rollback()


def test_who_stops_renewing_the_lease_loses_it(filled: str) -> None:
    from claimlog.store.postgres.indexer import Indexer

    with Archive.open(filled) as one, Archive.open(filled) as two:
        assert one.postgres is not None
        assert two.postgres is not None
        frozen, second = Indexer(one.postgres), Indexer(two.postgres)
        assert frozen.begin()
        assert not second.begin()
        # It hangs in the middle of a transaction, and does not renew its lease.
        cursor = frozen.root.cursor()
        cursor.execute("BEGIN")
        cursor.execute("UPDATE lake.watermark SET mark = 0")
        frozen._ended.set()
        with two.postgres.ledger() as ledger:
            ledger.execute("UPDATE indexing SET until = '-infinity'")
        assert second.begin()
        assert second.bring() == 2
        with pytest.raises(duckdb.Error):
            cursor.execute("COMMIT")
        let_go(cursor)
        with pytest.raises(ArchiveUnreachable):
            frozen.bring()
        frozen.end()
        assert not Indexer(one.postgres).begin()
        second.end()
        assert two.count() == 6


def test_the_indexer_outlives_postgresql(filled: str, source: Server) -> None:
    faults: list[str] = []
    came = threading.Event()
    away = threading.Event()
    stopped = threading.Event()

    def fault(error: Exception) -> None:
        faults.append(str(error))
        away.set()

    with Archive.open(filled) as archive:
        thread = threading.Thread(
            target=lambda: archive.index(
                going_on=lambda: not stopped.is_set(),
                report=lambda _: came.set(),
                fault=fault,
            )
        )
        thread.start()
        try:
            assert came.wait(60)
            came.clear()
            source.stop(signal.SIGKILL)
            assert away.wait(60)
            source.start()
            with Archive.open(filled) as node:
                assert node.store(GAMES[7]).status == "stored"
            assert came.wait(60)
        finally:
            stopped.set()
            thread.join(60)
        assert archive.count() == 7
    assert faults


def test_a_merge_leaves_stores_beside_each_other(filled: str) -> None:
    with Archive.open(filled) as archive:
        archive.index(once=True)
        names = [row.name for row in archive.players(limit=2).players]
        archive.merge_players(names[0], names[1], by="D", why="same")
        keys = archive._intake._keys
        seen: list[object] = []
        archive._intake._keys = lambda facts: seen.append(keys(facts)) or seen[-1]  # type: ignore[method-assign, func-returns-value]
        assert archive.store(GAMES[8]).status == "stored"
        assert seen
        assert None not in seen


def test_writers_do_not_ask_the_lake(filled: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The titles of renamed events come from it, but nobody needs them to store a game."""
    with Archive.open(filled) as archive:
        archive.index(once=True)
        archive.rename_event(archive.events(limit=1).events[0].name, "New", by="D", why="sponsor")
        assert archive.postgres is not None
        archive.postgres.attach_again()
        asked = []

        def away(**how: object) -> None:
            asked.append(how)
            raise ArchiveUnreachable("lake.silent", path="there", why="away")

        monkeypatch.setattr(archive.postgres, "_connect", away)
        stored = archive.store(GAMES[8])
        assert stored.id is not None
        archive.correct(stored.id, GAMES[9], by="D", why="the wrong one", beside=True)
        archive.delete(stored.id, by="D", why="twice")
        archive.undelete(stored.id, by="D", why="not twice")
        assert not asked


def test_whom_postgresql_refuses(source: Server) -> None:
    with pytest.raises(ArchiveRefused, match="does not exist"):
        Archive.open(source.address("nothing_of_that_name"), create=False)
