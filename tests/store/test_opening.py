"""Opening: versions, locks, damage, missing rights."""

import gzip
import os
import shutil
import stat
import subprocess
import sys
import threading
from pathlib import Path

import duckdb
import pytest

from claimlog.store import (
    Archive,
    ArchiveClosed,
    ArchiveDamaged,
    ArchiveError,
    ArchiveLocked,
    ArchiveMissing,
    ArchiveReadOnly,
    ArchiveTooNew,
    CheckReport,
)
from claimlog.store.archive import default_path
from claimlog.store.file import maintenance, upgrades
from claimlog.store.model import schema
from claimlog.store.model.ids import read_id, write_id

from .conftest import take_in
from .random_games import records
from .test_people import short

GAMES = records(5, seed=2)


def filled(path: Path) -> Path:
    with Archive.open(path) as archive:
        take_in(archive, "\n".join(GAMES))
    return path


@pytest.mark.only_file("inspects the file itself")
def test_an_archive_is_created_and_found_again(tmp_path: Path) -> None:
    path = filled(tmp_path / "new" / "folder" / "games.duckdb")
    with Archive.open(path, create=False) as archive:
        assert archive.info().games == 5
        assert archive.path == path
    assert [p.name for p in path.parent.iterdir()] == ["games.duckdb"]


def test_the_default_lies_in_the_data_directory(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    with Archive.open() as archive:
        assert archive.path == default_path()
        if sys.platform == "linux":
            assert archive.path == tmp_path / "claimlog" / "games.duckdb"


def test_a_missing_archive(tmp_path: Path) -> None:
    for how in ({"create": False}, {"read_only": True}):
        with pytest.raises(ArchiveMissing):
            Archive.open(tmp_path / "none.duckdb", **how)
    assert list(tmp_path.iterdir()) == []


def test_a_closed_archive_says_so(tmp_path: Path) -> None:
    archive = Archive.open(tmp_path / "games.duckdb")
    archive.close()
    archive.close()
    with pytest.raises(ArchiveClosed):
        archive.count()
    with pytest.raises(ArchiveClosed):
        archive.store(GAMES[0])


@pytest.mark.only_file("inspects the file itself")
def test_reading_only(tmp_path: Path) -> None:
    path = filled(tmp_path / "games.duckdb")
    before = path.read_bytes()
    with Archive.open(path, read_only=True) as archive:
        id = archive.games().games[0].id
        assert archive.check().good
        assert b"".join(archive.export("parquet"))[:4] == b"PAR1"
        for write in (
            lambda: archive.store(GAMES[0]),
            lambda: take_in(archive, GAMES[0]),
            lambda: archive.delete(id, by="", why=""),
            lambda: archive.compact(),
            lambda: archive.rebuild(),
        ):
            with pytest.raises(ArchiveReadOnly):
                write()
    assert path.read_bytes() == before


@pytest.mark.only_file("inspects the file itself")
@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write everything")
def test_a_file_without_the_right_to_write(tmp_path: Path) -> None:
    path = filled(tmp_path / "games.duckdb")
    path.chmod(0o444)
    with pytest.raises(ArchiveReadOnly):
        Archive.open(path)


@pytest.mark.only_file("inspects the file itself")
@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write everything")
def test_a_folder_without_the_right_to_write(tmp_path: Path) -> None:
    tmp_path.chmod(0o555)
    try:
        with pytest.raises(ArchiveReadOnly):
            Archive.open(tmp_path / "games.duckdb")
    finally:
        tmp_path.chmod(0o755)


@pytest.mark.only_file("any number of processes can open an archive in PostgreSQL")
def test_a_second_process_is_told_that_the_file_is_in_use(tmp_path: Path) -> None:
    path = filled(tmp_path / "games.duckdb")
    code = (
        "import sys; from claimlog.store import Archive, ArchiveLocked\n"
        "try: Archive.open(sys.argv[1], read_only=sys.argv[2] == '1')\n"
        "except ArchiveLocked as error: print('locked', error)"
    )
    with Archive.open(path) as archive:
        for read_only in "01":
            answer = subprocess.run(
                [sys.executable, "-c", code, path, read_only],
                capture_output=True, text=True, check=True,
            )  # fmt: skip
            assert answer.stdout.startswith("locked")
            assert "in use by another process" in answer.stdout
        assert archive.count() == 5


@pytest.mark.only_file("an archive in PostgreSQL can be opened any number of times")
@pytest.mark.parametrize("first", [False, True])
def test_a_file_that_this_process_has_open_is_not_opened_again(tmp_path: Path, first: bool) -> None:
    path = filled(tmp_path / "games.duckdb")
    copy = shutil.copy(path, tmp_path / "copy.duckdb")
    link = tmp_path / "link.duckdb"
    link.symlink_to(path)
    with Archive.open(path, read_only=first) as archive:
        if not first:
            archive.store(records(1, seed=3)[0])
        games = archive.count()
        for again, second in ((path, first), (path, not first), (link, first)):
            with pytest.raises(ArchiveLocked, match="already open in this process") as caught:
                Archive.open(again, read_only=second)
            assert "schon in diesem Prozess" in caught.value.message.worded("de")
            assert archive.count() == games
        with pytest.raises(ArchiveLocked, match="already open in this process"):
            Archive.restore(copy, path, force=True)
        assert archive.check().good
    with Archive.open(path) as archive:
        assert archive.count() == games
        archive.store(records(1, seed=4)[0])
        assert archive.count() == games + 1


@pytest.mark.only_file("damages a file")
@pytest.mark.parametrize(
    "content", [b"", b"\0" * 100, b"not a database at all", b'[CLM "1"]\n' * 5000]
)
def test_what_is_no_archive(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "games.duckdb"
    path.write_bytes(content)
    if content:
        with pytest.raises(ArchiveDamaged):
            Archive.open(path)
        assert path.read_bytes() == content
    else:  # a file made by mktemp, or by a process killed at once
        with Archive.open(path) as archive:
            assert archive.count() == 0


@pytest.mark.only_file("damages a file")
def test_another_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "other.duckdb"
    with duckdb.connect(str(path)) as other:
        other.execute("CREATE TABLE mine AS SELECT 1 AS x")
    with pytest.raises(ArchiveDamaged):
        Archive.open(path)
    with duckdb.connect(str(path)) as other:
        assert other.execute("SHOW TABLES").fetchall() == [("mine",)]


@pytest.mark.only_file("damages a file")
@pytest.mark.parametrize("cut", [0.1, 0.5, 0.9])
def test_a_truncated_archive(tmp_path: Path, cut: float) -> None:
    path = filled(tmp_path / "games.duckdb")
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * cut)])
    with pytest.raises(ArchiveDamaged), Archive.open(path) as archive:
        archive.check()


@pytest.mark.only_file("damages a file")
def test_damage_inside_is_told(tmp_path: Path) -> None:
    path = filled(tmp_path / "games.duckdb")
    data = bytearray(path.read_bytes())
    for at in range(0, len(data), 4096):
        data[at : at + 64] = b"\xaa" * len(data[at : at + 64])
    path.write_bytes(data)
    with pytest.raises(ArchiveDamaged), Archive.open(path) as archive:
        archive.check()


@pytest.mark.only_file("damages a file")
def test_a_folder_is_no_archive(tmp_path: Path) -> None:
    with pytest.raises(ArchiveDamaged):
        Archive.open(tmp_path)


# Versions ----------------------------------------------------------------------------------


def set_version(path: Path, version: int) -> None:
    with duckdb.connect(str(path)) as raw:
        raw.execute("UPDATE meta SET version = ?", [version])


@pytest.mark.only_file("there is no older schema")
def test_a_newer_archive_is_refused(tmp_path: Path) -> None:
    path = filled(tmp_path / "games.duckdb")
    set_version(path, schema.VERSION + 1)
    before = path.read_bytes()
    with pytest.raises(ArchiveTooNew):
        Archive.open(path)
    assert path.read_bytes() == before


@pytest.mark.only_file("there is no older schema")
def test_an_older_archive_is_upgraded_after_a_backup(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = filled(tmp_path / "games.duckdb")

    def migrate(cursor: duckdb.DuckDBPyConnection) -> None:
        cursor.execute("CREATE TABLE added AS SELECT 42 AS answer")

    version = schema.VERSION
    monkeypatch.setattr(schema, "VERSION", version + 1)
    monkeypatch.setitem(upgrades.MIGRATIONS, version, migrate)
    with pytest.raises(ArchiveReadOnly):
        Archive.open(path, read_only=True)
    with Archive.open(path) as archive:
        assert archive.info().schema == version + 1
        assert archive.info().games == 5
    with duckdb.connect(str(path)) as raw:
        assert raw.execute("FROM added").fetchall() == [(42,)]
    monkeypatch.undo()
    backup = tmp_path / f"games.duckdb.schema{version}.backup"
    with Archive.open(backup) as archive:
        assert archive.info().schema == version
        assert archive.info().games == 5


@pytest.mark.only_file("there is no older schema")
def test_a_failed_upgrade_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = filled(tmp_path / "games.duckdb")

    def migrate(cursor: duckdb.DuckDBPyConnection) -> None:
        cursor.execute("DROP TABLE games")
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(schema, "VERSION", schema.VERSION + 1)
        patch.setitem(upgrades.MIGRATIONS, schema.VERSION - 1, migrate)
        with pytest.raises(ArchiveError):
            Archive.open(path)
    with Archive.open(path) as archive:
        assert archive.info().games == 5
        assert archive.check().good


OLD = Path(__file__).parent / "archives" / "schema1.duckdb.gz"
"""An archive that claimlog 0.1.0 wrote (commit f4cbeac): 22 games, one of them corrected, one
deleted, one typed twice under other names; a merge; an event's own tie-breaks."""
of_duckdb_2 = pytest.mark.skipif(
    duckdb.__version__ < "2", reason="DuckDB 2 wrote the old archives; 1.5 cannot read them"
)


@of_duckdb_2
@pytest.mark.only_file("there is no older schema")
def test_an_archive_of_0_1_0_is_upgraded(tmp_path: Path) -> None:
    path = tmp_path / "games.duckdb"
    path.write_bytes(gzip.decompress(OLD.read_bytes()))
    before = path.read_bytes()
    with pytest.raises(ArchiveReadOnly, match=r"schema 1.*claimlog db rebuild"):
        Archive.open(path, read_only=True)
    assert path.read_bytes() == before
    with Archive.open(path) as archive:
        info = archive.info()
        assert (info.schema, info.games, info.deleted, info.revisions) == (
            schema.VERSION,
            21,
            1,
            24,
        )
        report = archive.check()
        assert report == CheckReport(
            games=21, revisions=24, faults=[], fault_count=0, head=report.head
        )
        (merge,) = archive.merges()
        assert (merge.alias_name, merge.by, merge.why) == (
            "Felix Amstutz",
            "Director",
            "one person",
        )
        corrected = [row for row in archive.games(limit=100).games if row.revision == 2]
        assert len(corrected) == 1
        assert [r.by for r in archive.revisions(corrected[0].id)] == ["Recorder", "Director"]
        # The reason for the new schema: the game that was typed twice.
        (pair,) = archive.doubtful()
        assert pair.in_common == ["players", "tricks"]
        assert {row.id for row in archive.games(limit=100).games} >= {pair.id, pair.other}
        copy = archive.upgraded_from
    assert copy == tmp_path / "games.duckdb.schema1.backup"
    assert copy.read_bytes() == before
    with Archive.open(path) as archive:
        assert archive.upgraded_from is None
        assert archive.check().good
    # An earlier copy is left alone.
    path.write_bytes(before)
    copy.write_bytes(b"something else")
    with Archive.open(path) as archive:
        assert archive.upgraded_from == tmp_path / "games.duckdb.schema1.backup2"
    assert copy.read_bytes() == b"something else"


@of_duckdb_2
@pytest.mark.only_file("there is no older schema")
@pytest.mark.parametrize("old", sorted(OLD.parent.glob("schema*.gz")), ids=lambda path: path.name)
def test_a_backup_of_an_older_claimlog_is_restored_and_then_upgraded(
    tmp_path: Path, old: Path
) -> None:
    backup, path = tmp_path / "old.duckdb", tmp_path / "games.duckdb"
    backup.write_bytes(gzip.decompress(old.read_bytes()))
    Archive.restore(backup, path)
    assert path.read_bytes() == backup.read_bytes()
    with Archive.open(path) as archive:
        assert archive.count() >= 11
        assert archive.check().good
        archive.store(GAMES[0])
        copy = archive.upgraded_from
    # So does the copy that the upgrade made.
    assert copy is not None
    assert Archive.restore(copy, path, force=True) is not None
    assert path.read_bytes() == backup.read_bytes()


@of_duckdb_2
@pytest.mark.only_file("there is no older schema")
def test_a_damaged_backup_of_an_older_claimlog_is_not_restored(tmp_path: Path) -> None:
    backup, path = tmp_path / "old.duckdb", tmp_path / "games.duckdb"
    data = gzip.decompress(OLD.read_bytes())
    backup.write_bytes(data[: len(data) // 2])
    with pytest.raises(ArchiveDamaged):
        Archive.restore(backup, path)
    assert not path.exists()


@pytest.mark.skipif(duckdb.__version__ < "2", reason="DuckDB 1.5 writes them so itself")
@pytest.mark.only_file("writes into the file")
def test_definitions_as_duckdb_1_5_wrote_them_are_no_faults(tmp_path: Path) -> None:
    path = filled(tmp_path / "games.duckdb")
    with duckdb.connect(str(path)) as raw:
        raw.execute(
            "CREATE OR REPLACE MACRO text_id(number) AS "
            'array_to_string(main.list_apply("range"(0, 13), lambda i: '
            "substr('0123456789abcdefghjkmnpqrstvwxyz', "
            "(1 + CAST(((number >> (60 - (5 * i))) & 31) AS INTEGER)), 1)), '')"
        )
        (view,) = raw.execute("SELECT sql FROM duckdb_views() WHERE view_name = 'plays'").fetchone()
        assert view.count("false") == 1
        raw.execute(
            view.replace("CREATE", "CREATE OR REPLACE").replace("false", "CAST('f' AS BOOLEAN)")
        )
    with Archive.open(path, read_only=True) as archive:
        assert archive.check().faults == []


@pytest.mark.only_file("writes into the file")
def test_a_record_that_is_not_legal_any_more_stops_nothing(tmp_path: Path) -> None:
    path = filled(tmp_path / "games.duckdb")
    with duckdb.connect(str(path)) as raw:
        raw.execute("UPDATE records SET record = 'no game' WHERE game = 2")
    with Archive.open(path) as archive:
        done = archive.rebuild()
        assert (done.games, done.fault_count) == (4, 1)
        assert done.faults[0].what == "records"
        assert archive.count() == 4
        id = done.faults[0].id
        assert id
        assert not archive.check().good
        archive.correct(id, HIDDEN, by="Director", why="as it was")
        assert archive.count() == 5


# Upkeep ------------------------------------------------------------------------------------


def test_a_record_with_a_longer_tag_than_is_taken_today_stays(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = short("Cup " + "x" * 600, 1, "1-0", "Ann", "Bo")
    with monkeypatch.context() as before:
        before.setattr("claimlog.replay.judge.excess", lambda _: "")
        assert archive.store(text, by="Eva").status == "stored"
    assert archive.store(text.replace("Ann", "Cy"), by="Eva").status == "invalid"
    assert archive.rebuild().fault_count == 0
    assert archive.check().good
    (row,) = archive.games().games
    assert row.event == "Cup " + "x" * 600
    assert archive.game(row.id).game().tags["Event"] == row.event


@pytest.mark.only_file("PostgreSQL is backed up with pg_dump")
def test_backup_compact_and_restore(tmp_path: Path) -> None:
    path = filled(tmp_path / "games.duckdb")
    copy = tmp_path / "copy.duckdb"
    with Archive.open(path) as archive:
        ids = [row.id for row in archive.games().games]
        archive.delete(ids[0], by="me", why="test")
        assert archive.backup(copy) == copy.stat().st_size
        with pytest.raises(ArchiveError):
            archive.backup(copy)
        archive.delete(ids[1], by="me", why="test")
        before, after = archive.compact()
        assert before > 0
        assert after == maintenance.size_of(path) <= before
        assert archive.count() == 3
        assert archive.check().good
        with pytest.raises(ArchiveLocked):
            other = subprocess.run(
                [
                    sys.executable, "-c",
                    "import sys; from claimlog.store import Archive, ArchiveLocked\n"
                    "try: Archive.restore(*sys.argv[1:], force=True)\n"
                    "except ArchiveLocked: sys.exit(7)",
                    copy, path,
                ],
                check=False,
            )  # fmt: skip
            assert other.returncode == 7
            raise ArchiveLocked("archive.locked", path=path)
    with pytest.raises(ArchiveError):
        Archive.restore(copy, path)
    kept = Archive.restore(copy, path, force=True)
    with Archive.open(path) as archive:
        assert archive.count() == 4
        assert archive.check().good
    assert [p for p in tmp_path.iterdir() if ".before-" in p.name] == [kept]
    with Archive.open(kept, read_only=True) as archive:
        assert archive.count() == 3
        assert archive.backup(tmp_path / "another.duckdb")
    assert Archive.restore(tmp_path / "another.duckdb", tmp_path / "new.duckdb") is None
    with pytest.raises(ArchiveMissing):
        Archive.restore(tmp_path / "none", path, force=True)
    (tmp_path / "bad").write_bytes(b"bad")
    with pytest.raises(ArchiveDamaged):
        Archive.restore(tmp_path / "bad", path, force=True)


@pytest.mark.only_file("PostgreSQL is backed up with pg_dump")
def test_every_replaced_archive_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also those that are replaced in the same second."""
    moment = maintenance.now()
    monkeypatch.setattr(maintenance, "now", lambda: moment)
    path, copy = filled(tmp_path / "games.duckdb"), tmp_path / "copy.duckdb"
    with Archive.open(path) as archive:
        archive.backup(copy)
        archive.delete(archive.games().games[0].id, by="me", why="test")
    kept = [Archive.restore(copy, path, force=True) for _ in range(3)]
    counts = []
    for one in kept:
        assert one is not None
        with Archive.open(one, read_only=True) as archive:
            counts.append(archive.count())
    assert counts == [4, 5, 5]


@pytest.mark.only_file("a lake is compacted while others read")
@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_compacting_follows_a_link(tmp_path: Path) -> None:
    """A copy in place of the link would make two archives of one."""
    path, link = tmp_path / "disk" / "games.duckdb", tmp_path / "games.duckdb"
    with Archive.open(path) as archive:
        take_in(archive, "\n".join(records(300, seed=14)), doubtful="beside")
        for _ in range(5):
            archive.rebuild()
    link.symlink_to(path)
    with Archive.open(link) as archive:
        before, after = archive.compact()
        assert after < before
        assert archive.count() == 300
    assert link.is_symlink()
    assert path.stat().st_size == after
    with Archive.open(path, read_only=True) as archive:
        assert archive.count() == 300
    assert {file.name for file in tmp_path.rglob("*")} == {"disk", "games.duckdb"}


@pytest.mark.only_file("a lake is compacted while others read")
def test_compacting_never_makes_a_file_larger(tmp_path: Path) -> None:
    path = tmp_path / "games.duckdb"
    with Archive.open(path) as archive:
        for text in GAMES:
            archive.store(text)
        # Most of it is in the log, which needs less room than the tables would.
        before, after = archive.compact()
        assert after <= before
        take_in(archive, "\n".join(records(300, seed=14)), doubtful="beside")
        for _ in range(5):
            archive.rebuild()
        before, after = archive.compact()
        assert after < before
        assert after == maintenance.size_of(path)
        # Compacting is idempotent.
        assert archive.compact() == (after, after)
        assert archive.count() == 305
        assert archive.check().good


def test_reading_goes_on_while_compacting(tmp_path: Path) -> None:
    path = tmp_path / "games.duckdb"
    with Archive.open(path) as archive:
        take_in(archive, "\n".join(records(200, seed=11)))
        stop = threading.Event()
        failures: list[BaseException] = []

        def read() -> None:
            try:
                while not stop.is_set():
                    assert archive.count() == 200
                    assert len(archive.games(limit=20).games) == 20
            except BaseException as error:
                failures.append(error)

        readers = [threading.Thread(target=read) for _ in range(2)]
        for reader in readers:
            reader.start()
        for _ in range(3):
            archive.compact()
        stop.set()
        for reader in readers:
            reader.join()
        assert not failures
        assert archive.check().good


@pytest.mark.only_file("a lake is compacted while others read")
def test_an_export_keeps_compaction_waiting(tmp_path: Path) -> None:
    with Archive.open(tmp_path / "games.duckdb") as archive:
        take_in(archive, "\n".join(records(1000, seed=12)))
        archive.rebuild()  # leaves free space, so that there is something to gain
        export = archive.export("clm")
        first = next(export)
        with pytest.raises(ArchiveError, match="reading"):
            archive.compact(wait=0.2)
        rest = b"".join(export)
        archive.compact(wait=1)
        assert first + rest == b"".join(archive.export("clm"))


@pytest.mark.only_file("PostgreSQL is backed up with pg_dump")
def test_rebuilding_makes_the_same_tables(full: Archive, tmp_path: Path) -> None:
    path = tmp_path / "games.duckdb"
    full.backup(path)
    with Archive.open(path) as archive:
        assert archive.rebuild().games == 400
        assert archive.check().good
        assert archive.faction_stats() == full.faction_stats()


DAMAGE = [
    ("DELETE FROM tricks WHERE game = 3 AND n = 1", "tricks"),
    ("UPDATE tricks SET c1 = 7 WHERE game = 2 AND n = 1 AND c1 <> 7", "tricks"),
    ("UPDATE tricks SET c1 = 8 WHERE game = 2 AND n = 1 AND c1 <> 8", "tricks"),
    ("UPDATE tricks SET run = run + 1 WHERE game = 2 AND n = 1", "tricks"),
    ("UPDATE tricks SET h1 = 0", "tricks"),
    ("INSERT INTO tricks SELECT * FROM tricks WHERE game = 1 AND n = 1", "tricks"),
    ("DELETE FROM factions_won WHERE game IN (SELECT min(game) FROM factions_won)", "factions_won"),
    ("UPDATE factions_won SET count1 = count1 + 1 WHERE game IN (SELECT min(game) FROM factions_won)", "factions_won"),
    ("UPDATE games SET result = 0 WHERE game = (SELECT min(game) FROM games WHERE result <> 0)", "games"),
    ("UPDATE games SET n1 = 'Somebody' WHERE game = 1", "games"),
    ("UPDATE games SET extra = 'more' WHERE game = 1", "games"),
    ("UPDATE games SET stored_at = stored_at + INTERVAL 1 SECOND WHERE game = 1", "games"),
    ("UPDATE games SET tricks_key = 1 WHERE game = 1", "games"),
    ("UPDATE games SET warnings = 15 WHERE game = 1", "games"),
    ("DELETE FROM games WHERE game = 2", "games"),
    ("UPDATE games_before SET until = until + INTERVAL 1 DAY", "games_before"),
    ("UPDATE games_before SET p1 = 3", "games_before"),
    ("DELETE FROM games_before", "games_before"),
    ("DELETE FROM players WHERE player IN (SELECT p1 FROM games)", "players"),
    ("UPDATE players SET name = 'Somebody' WHERE player IN (SELECT p1 FROM games WHERE game = 1)", "players"),
    ("UPDATE players SET tag_id = 'X' WHERE player IN (SELECT p1 FROM games WHERE game = 1)", "players"),
    ("INSERT INTO players SELECT * FROM players LIMIT 1", "players"),
    ("INSERT INTO players VALUES (7, 'Nobody', NULL)", "players"),
    ("DELETE FROM events", "events"),
    ("UPDATE events SET name = 'Somewhere'", "events"),
    ("UPDATE events SET event = event + 1", "events"),
    ("UPDATE cards SET name = 'K5' WHERE name = 'K6'", "cards"),
    ("DELETE FROM cards WHERE card = 3", "cards"),
    ("UPDATE factions SET name_de = 'Zwerge'", "factions"),
    ("UPDATE terminations SET name = 'odd' WHERE termination = 0", "terminations"),
    ("INSERT INTO terminations VALUES (77, 'odd')", "terminations"),
    ("CREATE OR REPLACE VIEW plays AS SELECT 1 AS game", "plays"),
    ("DROP VIEW plays", "plays"),
    ("DROP VIEW plays; CREATE TABLE plays AS SELECT 1 AS game", "plays"),
    ("CREATE OR REPLACE MACRO points(result, seat, seats) AS 1", "points"),
    ("DROP MACRO text_id", "text_id"),
    ("CREATE OR REPLACE MACRO deck_letters(deck) AS 'GKUWX'", "deck_letters"),
    ("CREATE OR REPLACE MACRO result_text(result) AS '1-0'", "result_text"),
    ("ALTER TABLE games ADD COLUMN more INTEGER", "games"),
    ("ALTER TABLE tricks DROP COLUMN best", "tricks"),
    ("ALTER TABLE games ALTER tricks TYPE BIGINT", "games"),
    *((f"DROP TABLE {table}", table) for table in (*schema.DERIVED, *schema.LISTS)),
]  # fmt: skip
MESSAGES = [
    ("UPDATE records SET record = replace(record, 'Open', 'Closed') WHERE game = 1", "records"),
    ("DELETE FROM records WHERE game = 1", "games"),
    ("UPDATE records SET revision = 3 WHERE game = 1", "records"),
    ("UPDATE records SET digest = unhex('00') WHERE game = 3", "records"),
    ("UPDATE records SET key = 5 WHERE game = 3", "records"),
    ("UPDATE records SET deleted = true WHERE game = 3", "records"),
    ("UPDATE records SET gid = 5 WHERE game = 3", "games"),
    ("DROP TABLE records", "records"),
    ("DROP TABLE merges", "merges"),
    ("DROP TABLE event_settings", "event_settings"),
    ("ALTER TABLE records DROP COLUMN source", "records"),
]


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive with every kind of row, to be copied."""
    path = filled(tmp_path_factory.mktemp("sound") / "games.duckdb")
    with Archive.open(path) as archive:
        ids = [row.id for row in archive.games(sort="oldest").games]
        archive.store(HIDDEN)
        archive.correct(ids[3], records(1, seed=99)[0], by="me", why="test")
        archive.delete(ids[4], by="me", why="test")
        assert archive.check().good
    return path


HIDDEN = records(1, seed=55)[0]


@pytest.mark.only_file("damages a file")
@pytest.mark.parametrize(("damage", "where"), [*DAMAGE, *MESSAGES], ids=lambda value: value[:60])
def test_check_finds_what_disagrees(sound: Path, tmp_path: Path, damage: str, where: str) -> None:
    path = tmp_path / "games.duckdb"
    shutil.copy(sound, path)
    with duckdb.connect(str(path)) as raw:
        raw.execute(damage)
    with Archive.open(path) as archive:
        report = archive.check()
        assert not report.good
        assert where in {fault.what for fault in report.faults}
        if (damage, where) in DAMAGE:
            archive.rebuild()
            assert archive.check().good


def test_ids() -> None:
    for number in (0, 1, 2**63, 2**64 - 1, 1234567890123456789):
        assert read_id(write_id(number)) == number
        assert read_id(write_id(number).upper()) == number
    assert read_id("z" * 13) is None
    assert read_id("ü" * 13) is None


def test_many_threads_read_while_one_imports(tmp_path: Path) -> None:
    texts = records(120, seed=4)
    with Archive.open(tmp_path / "games.duckdb") as archive:
        failures: list[BaseException] = []
        stop = threading.Event()

        def read() -> None:
            try:
                while not stop.is_set():
                    total = archive.count()
                    rows = archive.games(limit=100, sort="oldest").games
                    assert len(rows) >= min(100, total)
                    assert len({row.id for row in rows}) == len(rows)
                    stats = archive.result_stats("seats")
                    assert sum(group.games for group in stats.groups) == stats.games
                    for row in rows[:3]:
                        assert archive.game(row.id).row == row
            except BaseException as error:
                failures.append(error)

        readers = [threading.Thread(target=read) for _ in range(8)]
        for reader in readers:
            reader.start()
        for text in texts[:20]:
            archive.store(text)
        take_in(archive, "\n".join(texts))
        stop.set()
        for reader in readers:
            reader.join()
        assert not failures, failures
        assert archive.check().good


def test_many_threads_store_the_same_games(tmp_path: Path) -> None:
    texts = records(15, seed=6)
    with Archive.open(tmp_path / "games.duckdb") as archive:
        statuses: list[str] = []

        def write() -> None:
            for text in texts:
                statuses.append(archive.store(text).status)  # noqa: PERF401

        writers = [threading.Thread(target=write) for _ in range(4)]
        for writer in writers:
            writer.start()
        for writer in writers:
            writer.join()
        assert statuses.count("stored") == 15
        assert statuses.count("known") == 45
        assert archive.check().good


@pytest.mark.only_file("PostgreSQL is backed up with pg_dump")
def test_a_copy_of_the_file_alone_is_an_archive(tmp_path: Path) -> None:
    path = filled(tmp_path / "games.duckdb")
    shutil.copy(path, tmp_path / "other.duckdb")
    with Archive.open(tmp_path / "other.duckdb") as archive:
        assert archive.check().good


@pytest.mark.only_file("there is no older schema")
def test_an_archive_from_before_the_last_faction(tmp_path: Path) -> None:
    """A faction at the end of the list is added; one that shifts the others' numbers is not."""
    path = filled(tmp_path / "games.duckdb")

    def cards(change: str = "SELECT 1") -> list[tuple[object, ...]]:
        with duckdb.connect(path) as connection:
            connection.execute(change)
            return connection.execute("FROM cards ORDER BY card").fetchall()

    whole = cards()
    earlier = cards(
        "DELETE FROM cards WHERE name LIKE 'X%'; DELETE FROM factions WHERE letter = 'X'; "
        "UPDATE settings SET value = regexp_replace(value, ' X.*', '') WHERE name = 'cards'"
    )
    assert len(earlier) == len(whole) - 10
    with Archive.open(path, read_only=True) as archive:
        assert archive.count() == 5
    assert cards() == earlier
    Archive.open(path).close()
    assert cards() == whole
    cards("UPDATE settings SET value = value || ' Z0' WHERE name = 'cards'")
    with pytest.raises(ArchiveTooNew, match="factions that this claimlog does not know"):
        Archive.open(path)
    cards("UPDATE settings SET value = replace(value, 'G0 ', '') WHERE name = 'cards'")
    with pytest.raises(ArchiveError, match="new ones go to the end"):
        Archive.open(path)


@pytest.mark.only_file("inspects the file itself")
def test_files_are_for_their_owner_alone(tmp_path: Path) -> None:
    """Even if the owner's umask would let others read; and as the owner changes it."""
    mask = os.umask(0)
    try:
        path = tmp_path / "new" / "games.duckdb"
        with Archive.open(path) as archive:
            take_in(archive, "\n".join(records(1000, seed=12)))
            archive.backup(tmp_path / "backup.duckdb")
            files = [path, path.with_name("games.duckdb.wal"), tmp_path / "backup.duckdb"]
            assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}
            for folder in (path.parent, path.with_name("games.duckdb.spool")):
                assert stat.S_IMODE(folder.stat().st_mode) == 0o700
            path.chmod(0o640)
            archive.rebuild()
            before, after = archive.compact()
            assert after < before
            archive.delete(archive.games().games[0].id, by="test", why="")
            assert {stat.S_IMODE(file.stat().st_mode) for file in files[:2]} == {0o640}
        restored = [path, tmp_path / "restored.duckdb"]
        for file in restored:
            Archive.restore(files[2], file, force=True)
        assert [stat.S_IMODE(file.stat().st_mode) for file in restored] == [0o640, 0o600]
    finally:
        os.umask(mask)
