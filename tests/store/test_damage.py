"""Damaged files: refused, unchanged, with advice."""

from __future__ import annotations

import errno
import os
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING
from unittest.mock import Mock

import duckdb
import pytest

from claimlog.store import (
    Archive,
    ArchiveDamaged,
    ArchiveError,
    ArchiveLocked,
    ArchiveMissing,
    ArchiveReadOnly,
    ArchiveTooNew,
)
from claimlog.store.file.cursors import Cursor
from claimlog.store.file.maintenance import _sync
from claimlog.store.file.soundness import blocks_there, check_files
from claimlog.store.model.errors import DiskFull, OutOfMemory

from .conftest import take_in
from .random_games import records

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

pytestmark = pytest.mark.only_file("damages a file")

GAMES = records(5, seed=2)
DIE = """
import os, sys
from claimlog.store import Archive
archive = Archive.open(sys.argv[1])
for text in sys.stdin.read().split("\\0"):
    archive.store(text)
    if sys.argv[2]:
        archive.settle()
os._exit(9)
"""


def left_behind(folder: Path, settled: str) -> dict[str, bytes]:
    """The files of a process that stored five games and was killed."""
    path = folder / "games.duckdb"
    done = subprocess.run(
        [sys.executable, "-c", DIE, path, settled], input="\0".join(GAMES), text=True, check=False
    )
    assert done.returncode == 9
    return {file.name[len(path.name) :]: file.read_bytes() for file in folder.glob("games.*")}


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """All games are in the log."""
    files = left_behind(tmp_path_factory.mktemp("killed"), "settled")
    return {suffix: files[suffix] for suffix in ("", ".wal")}


@pytest.fixture(scope="module")
def waiting(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """All games are in the journal."""
    return left_behind(tmp_path_factory.mktemp("waiting"), "")


def lay(path: Path, files: dict[str, bytes]) -> None:
    for suffix, data in files.items():
        Path(f"{path}{suffix}").write_bytes(data)


def files_of(path: Path) -> dict[str, bytes]:
    return {p.name: p.read_bytes() for p in path.parent.iterdir() if p.is_file()}


def smashed(data: bytes, at: int, size: int = 8) -> bytes:
    return data[:at] + b"\xaa" * size + data[at + size :]


def test_what_was_killed_is_there(tmp_path: Path, killed: dict[str, bytes]) -> None:
    lay(tmp_path / "games.duckdb", killed)
    with Archive.open(tmp_path / "games.duckdb") as archive:
        assert archive.count() == 5
        assert archive.check().good


def refused(path: Path, match: str) -> None:
    before = files_of(path)
    for read_only in (True, False):
        with pytest.raises(ArchiveDamaged, match=match):
            Archive.open(path, read_only=read_only)
        assert files_of(path) == before


@pytest.mark.parametrize("missing", [True, False])
def test_a_log_without_its_file(tmp_path: Path, killed: dict[str, bytes], missing: bool) -> None:
    path = tmp_path / "games.duckdb"
    lay(path, {".wal": killed[".wal"]} | ({} if missing else {"": b""}))
    refused(path, "Put the file back beside its log")
    with Archive.open(tmp_path / "other.duckdb") as archive:
        archive.store(GAMES[0])
    with pytest.raises(ArchiveError, match="only --force"):
        Archive.restore(tmp_path / "other.duckdb", path)
    kept = Archive.restore(tmp_path / "other.duckdb", path, force=True)
    assert Path(f"{kept}.wal").read_bytes() == killed[".wal"]
    with Archive.open(path) as archive:
        assert archive.count() == 1


@pytest.mark.parametrize("size", [1, 100, 4096, 8192, 12288, 20000, 300000, -4096, -1])
def test_a_file_that_was_cut_off(tmp_path: Path, killed: dict[str, bytes], size: int) -> None:
    path = tmp_path / "games.duckdb"
    lay(path, killed | {"": killed[""][:size]})
    if size == 1:
        refused(path, "is not a claimlog archive")
    else:
        refused(path, "has been cut off")


def test_a_check_says_that_the_disk_is_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Archive.open(tmp_path / "games.duckdb") as archive:
        archive.store(records(1, seed=3)[0])
        archive.settle()
        full = OSError(errno.ENOSPC, "No space left on device")
        monkeypatch.setattr(Path, "write_bytes", Mock(side_effect=full))
        with pytest.raises(DiskFull):
            archive.check()


@pytest.mark.skipif(duckdb.__version__ < "2", reason="DuckDB 1.5 does not ask whose log it is")
def test_the_log_of_another_file_is_named(tmp_path: Path) -> None:
    """A file that took the place of an open one, whose process was then killed."""
    path, other = tmp_path / "games.duckdb", tmp_path / "other.duckdb"
    for number, file in enumerate((path, other)):
        with Archive.open(file) as archive:
            archive.store(records(1, seed=number)[0])
    with duckdb.connect(path) as connection:
        connection.execute("PRAGMA disable_checkpoint_on_shutdown")
        connection.execute("CREATE TABLE one AS SELECT 1 AS n")
    assert (tmp_path / "games.duckdb.wal").exists()
    other.replace(path)
    with pytest.raises(ArchiveDamaged, match=r"games.duckdb.wal is the log of another file"):
        Archive.open(path)


def test_a_file_that_duckdb_shortened_is_sound(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It returns free blocks at the end after it wrote their number."""
    path, copy = tmp_path / "games.duckdb", tmp_path / "copy.duckdb"
    with duckdb.connect(path) as connection:
        connection.execute("CREATE TABLE kept AS SELECT range AS n FROM range(10)")
        connection.execute("CREATE TABLE gone AS SELECT hash(range) AS n FROM range(2_000_000)")
        connection.execute("CHECKPOINT")
        whole = path.stat().st_size
        connection.execute("DROP TABLE gone")
        connection.execute("CHECKPOINT")
        connection.execute("INSERT INTO kept SELECT range FROM range(1000)")
        connection.execute("CHECKPOINT")
        copy.write_bytes(path.read_bytes())
        assert copy.stat().st_size < whole / 10
        with copy.open("rb") as file:
            assert blocks_there(copy, file) is not None, "it is not shorter than its head says"
        check_files(copy)
        check_files(path)  # which this process has open
    # What it says of files that a newer one wrote, and the like.
    for error, kind in (
        (
            duckdb.IOException(
                "IO Error: Trying to read a database file with version number 999, but we can only "
                "read versions between 64 and 68.\nThe database file was created with an newer "
                "version of DuckDB."
            ),
            ArchiveTooNew,
        ),
        (duckdb.IOException('IO Error: Cannot open file "x": Permission denied'), ArchiveReadOnly),
        (duckdb.OutOfMemoryException("Out of Memory Error: failed to allocate"), OutOfMemory),
    ):
        with monkeypatch.context() as patch, pytest.raises(kind):
            patch.setattr(duckdb, "connect", Mock(side_effect=error))
            check_files(copy)
    lay(copy, {"": copy.read_bytes()[: -(1 << 18)]})
    with pytest.raises(ArchiveDamaged, match="has been cut off"):
        check_files(copy)


@pytest.mark.parametrize("at", [0, 2, 5, 8, 30])
def test_a_log_that_is_damaged_at_its_beginning(
    tmp_path: Path, killed: dict[str, bytes], at: int
) -> None:
    path = tmp_path / "games.duckdb"
    lay(path, killed | {".wal": smashed(killed[".wal"], at, 16)})
    refused(path, "games")


def test_a_log_that_is_damaged_anywhere(tmp_path: Path, killed: dict[str, bytes]) -> None:
    """Everything is there, or the file is refused; a refused file is left as it is."""
    path = tmp_path / "games.duckdb"
    log = killed[".wal"]
    for at in range(0, len(log) - 64, len(log) // 40):
        lay(path, killed | {".wal": smashed(log, at)})
        try:
            with Archive.open(path, read_only=True) as archive:
                count = archive.count()
        except ArchiveDamaged:
            continue
        # Damage to the length of the very last entries looks like a truncated log.
        assert count == 5 or at > len(log) - 6000, (at, count)


def test_a_log_that_was_not_written_to_its_end(tmp_path: Path, killed: dict[str, bytes]) -> None:
    """A killed process leaves such a log: its complete entries are there."""
    counts = []
    path = tmp_path / "games.duckdb"
    log = killed[".wal"]
    for size in [*range(0, len(log), len(log) // 25), len(log)]:
        lay(path, killed | {".wal": log[:size]})
        with Archive.open(path, read_only=True) as archive:
            counts.append(archive.count())
    assert counts == sorted(counts)
    assert counts[-1] == 5


JOURNAL = ".games1"


def test_a_journal_that_was_not_written_to_its_end(
    tmp_path: Path, waiting: dict[str, bytes]
) -> None:
    """A killed process leaves such a journal: its complete entries are there, and it continues."""
    journal = waiting[JOURNAL]
    counts = []
    for size in [*range(0, len(journal), len(journal) // 12), len(journal)]:
        path = tmp_path / f"{size}.duckdb"
        lay(path, waiting | {JOURNAL: journal[:size]})
        with Archive.open(path, read_only=size % 2 == 0) as archive:
            counts.append(archive.count())
            assert archive.check().good
        with Archive.open(path) as archive:
            assert archive.count() == counts[-1]
    assert counts == sorted(counts)
    assert (counts[0], counts[-1]) == (0, 5)


def test_a_journal_that_is_damaged_anywhere(tmp_path: Path, waiting: dict[str, bytes]) -> None:
    """Nothing is lost unnoticed, unless the very end looks like a truncated journal."""
    path = tmp_path / "games.duckdb"
    journal = waiting[JOURNAL]
    for at in [*range(0, len(journal) - 16, len(journal) // 40), 4, 12, 30]:
        lay(path, waiting | {JOURNAL: smashed(journal, at)})
        refused(path, "is damaged at byte")


def test_a_journal_without_its_archive(tmp_path: Path, waiting: dict[str, bytes]) -> None:
    path = tmp_path / "games.duckdb"
    lay(path, {JOURNAL: waiting[JOURNAL]})
    refused(path, "Put the file back beside its log")
    with Archive.open(tmp_path / "other.duckdb") as archive:
        archive.store(GAMES[0])
    kept = Archive.restore(tmp_path / "other.duckdb", path, force=True)
    assert Path(f"{kept}{JOURNAL}").read_bytes() == waiting[JOURNAL]
    with Archive.open(path) as archive:
        assert archive.count() == 1


@pytest.mark.parametrize("state", ["killed", "waiting"])
def test_a_copy_with_its_logs_is_restored_with_them(
    tmp_path: Path, state: str, request: pytest.FixtureRequest
) -> None:
    """What a killed process stored last is in the logs only."""
    files = request.getfixturevalue(state)
    copy = tmp_path / "copy.duckdb"
    lay(copy, files)
    path = tmp_path / "new" / "games.duckdb"
    Archive.restore(copy, path)
    assert {file.name[len(copy.name) :] for file in tmp_path.glob("copy*")} == set(files)
    with Archive.open(path) as archive:
        assert archive.count() == 5
        assert archive.check().good
    lay(copy, files)
    Archive.restore(copy, path, force=True)
    with Archive.open(path) as archive:
        assert archive.count() == 5


RESTORE = """
import os, sys
from claimlog.store import Archive
for line in sys.stdin:
    copy, path, left = line.rstrip("\\n").split("\\0")
    child = os.fork()
    if not child:
        left = int(left)
        def killed(event, args):
            global left
            if event in ("os.rename", "os.remove", "os.link"):
                left -= 1
                if left < 0:
                    os._exit(9)
        sys.addaudithook(killed)
        Archive.restore(copy, path, force=True)
        os._exit(0)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""
"""Restores in a process of its own, each time a copy of this one, which has imported everything."""


@pytest.fixture(scope="module")
def restoring() -> Iterator[Callable[[Path, Path, int], int]]:
    """Restores a copy, and is killed after so many renames and the like; returns the exit code."""
    with subprocess.Popen(
        [sys.executable, "-c", RESTORE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        asked, answers = process.stdin, process.stdout

        def restore(copy: Path, path: Path, left: int) -> int:
            print(copy, path, left, sep="\0", file=asked, flush=True)
            return int(answers.readline())

        yield restore


@pytest.mark.parametrize("state", ["killed", "waiting"])
def test_restoring_through_a_link_replaces_the_file_it_leads_to(
    tmp_path: Path, state: str, request: pytest.FixtureRequest
) -> None:
    """With its logs, which lie beside the file, so that they are found without the link, too."""
    path, link = tmp_path / "disk" / "games.duckdb", tmp_path / "games.duckdb"
    path.parent.mkdir()
    link.symlink_to(path)
    copy = tmp_path / "copy.duckdb"
    lay(path, request.getfixturevalue(state))
    with Archive.open(copy) as archive:
        archive.store(GAMES[0])
    kept = Archive.restore(copy, link, force=True)
    assert kept is not None
    assert kept.parent == path.parent
    assert link.is_symlink()
    for one, games in ((link, 1), (path, 1), (kept, 5)):
        with Archive.open(one) as archive:
            assert archive.count() == games
    lay(copy, request.getfixturevalue(state))
    Archive.restore(copy, link, force=True)
    with Archive.open(path) as archive:
        assert archive.count() == 5


def test_games_stored_through_a_link_are_found_without_it(
    tmp_path: Path, waiting: dict[str, bytes]
) -> None:
    path, link = tmp_path / "disk" / "games.duckdb", tmp_path / "games.duckdb"
    path.parent.mkdir()
    link.symlink_to(path)
    for _ in range(2):  # of a file that is created through the link, and of one that is there
        left_behind(tmp_path, "")
    with Archive.open(path) as archive:
        assert archive.count() == 5
    # Where claimlog 1.0.0 left them.
    Path(f"{link}{JOURNAL}").write_bytes(waiting[JOURNAL])
    with pytest.raises(ArchiveDamaged, match="to which the link leads") as caught:
        Archive.open(link)
    assert f"Move it to {path}{JOURNAL}" in caught.value.message.worded()


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="each process is a copy of one")
@pytest.mark.parametrize(
    ("old", "new"), [("killed", ""), ("waiting", ""), ("", "killed"), ("killed", "waiting")]
)
def test_whenever_restoring_is_killed_either_archive_is_whole(
    tmp_path: Path,
    old: str,
    new: str,
    request: pytest.FixtureRequest,
    restoring: Callable[[Path, Path, int], int],
) -> None:
    """Or it is refused until restoring is repeated; the old one is kept in any case."""
    moments = 0
    ended = 9
    while ended:
        folder = tmp_path / str(moments)
        folder.mkdir()
        path, copy = folder / "games.duckdb", folder / "copy.duckdb"
        for file, state in ((path, old), (copy, new)):
            if state:
                lay(file, request.getfixturevalue(state))
        if not old or not new:
            with Archive.open(copy if old else path) as archive:
                archive.store(GAMES[0])
        counts = {path: 5 if old else 1, copy: 5 if new else 1}
        ended = restoring(copy, path, moments)
        assert ended in (0, 9)
        kept = [one for one in folder.glob("games.duckdb.before-*") if one.stem == path.name]
        try:
            with Archive.open(path) as archive:
                there = archive.count()
        except ArchiveDamaged:
            assert kept
            Archive.restore(copy, path, force=True)
            with Archive.open(path) as archive:
                assert archive.count() == counts[copy]
        else:
            assert there in counts.values()
            assert there == counts[path] or kept
        for one in kept[:1]:
            with Archive.open(one) as archive:
                assert archive.count() == counts[path]
        moments += 1
    assert moments > 3


@pytest.mark.skipif(sys.platform == "win32", reason="there it stays until the next restore")
def test_what_a_killed_restore_left_is_deleted_when_the_archive_is_opened(
    tmp_path: Path, killed: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """But not while a restore is running, which would lose both archives."""
    path, copy = tmp_path / "games.duckdb", tmp_path / "copy.duckdb"
    with Archive.open(copy) as archive:
        archive.store(GAMES[0])
    lay(path, killed)
    lay(Path(f"{path}.restoring"), killed)
    with Archive.open(path, read_only=True):
        assert Path(f"{path}.restoring").exists()
    Archive.open(path).close()
    assert not [*tmp_path.glob("*.restoring*")]

    opened = 0

    def interrupted(part: Path) -> None:
        nonlocal opened
        with Archive.open(path) as archive:
            opened += archive.count()
        with pytest.raises(ArchiveLocked, match="is being put in place of"):
            Archive.restore(copy, path, force=True)
        _sync(part)

    monkeypatch.setattr("claimlog.store.file.maintenance._sync", interrupted)
    lay(Path(f"{path}.restoring"), killed)
    Path(f"{path}.restoring").chmod(0o400)
    kept = Archive.restore(copy, path, force=True)
    assert kept is not None
    assert opened == 5
    for one, games in ((path, 1), (kept, 5)):
        with Archive.open(one) as archive:
            assert archive.count() == games
    assert not [*tmp_path.glob("*.restoring*")]


def test_games_of_the_journal_that_are_in_the_archive_stay_single(
    tmp_path: Path, waiting: dict[str, bytes]
) -> None:
    """A process was killed after moving them into the archive, before truncating the journal."""
    path = tmp_path / "games.duckdb"
    lay(path, waiting)
    with Archive.open(path) as archive:
        assert archive.count() == 5
    lay(path, {JOURNAL: waiting[JOURNAL]})
    for read_only in (True, False):
        with Archive.open(path, read_only=read_only) as archive:
            assert archive.count() == 5
            assert archive.check().good
    assert not Path(f"{path}{JOURNAL}").exists()


def test_nothing_is_left_in_the_temporary_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    with pytest.raises(ArchiveMissing):
        Archive.open(tmp_path / "none.duckdb", read_only=True)
    (tmp_path / "bad.duckdb").write_bytes(b"bad" * 5000)
    with pytest.raises(ArchiveDamaged):
        Archive.open(tmp_path / "bad.duckdb", read_only=True)
    with Archive.open(tmp_path / "games.duckdb") as archive:
        archive.store(GAMES[0])
    with Archive.open(tmp_path / "games.duckdb", read_only=True) as archive:
        assert archive.check().good
        assert b"".join(archive.export("parquet"))
    assert list((tmp_path / "temporary").iterdir()) == []


def test_a_file_of_another_kind_is_not_for_duckdb(tmp_path: Path) -> None:
    """DuckDB reads one of SQLite with an extension, if that is installed."""
    path = tmp_path / "games.duckdb"
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE mine (x)")
    other.close()
    refused(path, "is not a claimlog archive")


def test_an_empty_file_is_no_archive_until_something_is_stored(tmp_path: Path) -> None:
    path = tmp_path / "games.duckdb"
    path.touch()
    for how in ({"read_only": True}, {"create": False}):
        with pytest.raises(ArchiveMissing, match="is empty: there is no archive in it"):
            Archive.open(path, **how)
        assert files_of(path) == {path.name: b""}
    with Archive.open(path) as archive:
        assert archive.count() == 0


def test_a_backup_is_made_where_it_goes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """There is room, unlike perhaps in the system's folder for temporary files."""
    path, there = tmp_path / "games.duckdb", tmp_path / "disk"
    with Archive.open(path) as archive:
        assert [archive.store(record).status for record in GAMES] == ["stored"] * 5
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "no such folder"))
    with Archive.open(path, read_only=True) as archive:
        archive.backup(there / "one.duckdb")
        archive.backup(there / "two.duckdb")
        assert archive.count() == 5
    assert sorted(one.name for one in there.iterdir()) == ["one.duckdb", "two.duckdb"]
    with Archive.open(there / "two.duckdb") as archive:
        assert archive.count() == 5


def test_compacting_leaves_an_import_what_it_has_written(tmp_path: Path) -> None:
    path = tmp_path / "games.duckdb"
    with Archive.open(path) as archive:
        take_in(archive, "\n".join(records(300, seed=14)), doubtful="beside")
        for _ in range(5):
            archive.rebuild()
        rows = path.with_name("games.duckdb.spool") / "batch0-1.games"
        rows.parent.mkdir(exist_ok=True)
        rows.write_bytes(b"rows")
        before, after = archive.compact()
        assert after < before
        assert rows.read_bytes() == b"rows"


def test_copies_are_made_at_the_same_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Archive.open(tmp_path / "games.duckdb") as archive:
        archive.store(GAMES[0])
        names = set()
        execute = Cursor.execute

        def noted(cursor: Cursor, query: str, parameters: object = None) -> object:
            if query.startswith("ATTACH"):
                names.add(query.rpartition(" AS ")[2])
            return execute(cursor, query, parameters)

        monkeypatch.setattr(Cursor, "execute", noted)
        archive.backup(tmp_path / "one.duckdb")
        archive.backup(tmp_path / "two.duckdb")
        assert len(names) == 2, "DuckDB would refuse the second of two that have one name"
