"""A rebuild goes through an archive piece by piece, and goes on where it was interrupted."""

import shutil
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from commands import claimlog

from claimlog.store import Archive
from claimlog.store.intake import reached, rebuilding, remaking
from claimlog.store.intake.rebuilding import Rebuild
from claimlog.store.model import schema
from claimlog.store.model.ids import write_id
from claimlog.store.model.types import Progress, Rebuilt
from claimlog.store.questions.rollups import ROLLUPS

from . import pieces
from .pieces import (
    DAMAGE,
    GAMES,
    PIECE,
    Stopped,
    bring,
    change,
    only_file,
    only_lake,
    opened_by,
    opened_copy,
)

TABLES = (*schema.DERIVED, *schema.LISTS)


def make_small(patch: pytest.MonkeyPatch) -> None:
    """Make pieces so small that a few games have many."""
    pieces.small(patch)
    patch.setattr(rebuilding, "PIECE", PIECE)


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    make_small(monkeypatch)


@pytest.fixture(params=["file", "lake"])
def archive(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Archive]:
    """An archive with games, in a file or in a database with a lake."""
    with opened_copy(request, tmp_path, monkeypatch) as archive:
        yield archive


class Stopping:
    """Stops a rebuild after a number of steps with one to follow, or just before it commits."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.left = self.uncommitted = -1
        self.finished = False
        """Whether one was stopped whose tables are complete, in a lake that is not in use."""
        self.last: Rebuilt | None = None
        again, written = Rebuild.again, reached.written

        def stopped(rebuild: Rebuild, step: Callable[[], Any]) -> Any:
            result = again(rebuild, step)
            begun = step == rebuild._begin and not rebuild.continued
            finished = rebuild.elsewhere and step == rebuild._finish and not self.finished
            self.finished = self.finished or finished
            self.left -= begun or result is True or finished
            if self.left == 0:
                raise Stopped
            return result

        def noted(at: reached.Reached) -> str:
            self.uncommitted -= 1
            if self.uncommitted == 0:
                raise Stopped
            return written(at)

        monkeypatch.setattr(Rebuild, "again", stopped)
        monkeypatch.setattr(reached, "written", noted)


@pytest.fixture
def stopping(monkeypatch: pytest.MonkeyPatch) -> Stopping:
    return Stopping(monkeypatch)


def interrupted(
    archive: Archive, stopping: Stopping, after: int = -1, uncommitted: int = -1, **how: Any
) -> bool:
    """Begin a rebuild and stop it; return whether it came so far."""
    stopping.left, stopping.uncommitted = after, uncommitted
    try:
        stopping.last = archive.rebuild(**how)
    except Stopped:
        return True
    finally:
        stopping.left = stopping.uncommitted = -1
    return False


def contents(archive: Archive) -> dict[str, list[Any]]:
    """All rows of all tables."""
    names = TABLES if archive.postgres is None else (*TABLES, *ROLLUPS, "watermark")
    return {name: rows_of(archive, name) for name in names}


def rows_of(archive: Archive, table: str) -> list[Any]:
    """All rows of a table."""
    return archive._backend.rows(f"SELECT * FROM {table} ORDER BY ALL")


def left(archive: Archive) -> list[str]:
    """The tables that a rebuild has left."""
    rows = archive._backend.rows(
        "SELECT table_name FROM duckdb_tables() WHERE table_name LIKE 'next\\_%' ESCAPE '\\' "
        "AND NOT temporary"
    )
    return [name for (name,) in rows]


def at_once(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> dict[str, list[Any]]:
    """What a rebuild in one piece makes."""
    with monkeypatch.context() as patch:
        patch.setattr(rebuilding, "PIECE", 1000)
        patch.setattr(remaking, "CHUNK", 1000)
        patch.setattr(remaking, "PART", 1000)
        assert archive.rebuild(afresh=True).continued is None
    return contents(archive)


def test_it_is_stopped_at_every_step_and_makes_no_piece_twice(
    archive: Archive, stopping: Stopping, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = at_once(archive, monkeypatch)
    assert archive.check().good
    made: list[str] = []
    make = remaking.Remaker.make

    def counted(remaker: remaking.Remaker, some: list[tuple[int, str]]) -> Any:
        made.extend(text for _, text in some)
        return make(remaker, some)

    monkeypatch.setattr(remaking.Remaker, "make", counted)
    for statement in DAMAGE:
        change(archive, statement)
    damaged = contents(archive)
    times = 0
    while interrupted(archive, stopping, 1):
        times += 1
        if left(archive):
            assert contents(archive) == damaged
    assert times >= 4
    assert len(made) == 24
    assert stopping.last is not None
    assert stopping.last.games == 21
    assert stopping.last.fault_count == 0
    assert contents(archive) == whole
    assert left(archive) == []
    assert archive.check().good


def test_what_was_not_committed_is_made_again(
    archive: Archive, stopping: Stopping, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = at_once(archive, monkeypatch)
    change(archive, DAMAGE[0])
    damaged = contents(archive)
    times = 0
    while interrupted(archive, stopping, uncommitted=times + 1):
        times += 1
        assert contents(archive) == damaged
        # Every second one was stopped in its first piece.
        assert interrupted(archive, stopping, uncommitted=1)
        assert contents(archive) == damaged
    assert times >= 2
    assert contents(archive) == whole
    assert left(archive) == []


def test_what_has_changed_meanwhile_is_included(
    archive: Archive, stopping: Stopping, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = [row.id for row in archive.games(limit=30).games]
    gids = archive._backend.ask_ledger("SELECT DISTINCT gid, game FROM records ORDER BY game")
    first, second, third = (write_id(int(gid)) for gid, _ in gids[1:4])
    assert interrupted(archive, stopping, 3)
    archive.delete(first, by="Di", why="to see")
    archive.correct(second, f'[Annotator "Z"]\n{GAMES[2]}', by="Di", why="to see")
    archive.store(GAMES[22], by="Di")
    bring(archive)
    assert interrupted(archive, stopping, 2)
    archive.undelete(first, by="Di", why="to see")
    archive.delete(third, by="Di", why="to see")
    archive.delete(ids[0], by="Di", why="the last one")
    archive.store(GAMES[23], by="Di")
    bring(archive)
    now = contents(archive)
    monkeypatch.setattr(rebuilding, "PIECE", 2)
    times = 0
    while interrupted(archive, stopping, 1):
        times += 1
        assert not left(archive) or contents(archive) == now
    assert times >= 3
    bring(archive)
    rebuilt = contents(archive)
    assert rebuilt == at_once(archive, monkeypatch)
    assert rebuilt["games"] == now["games"]
    assert archive.check().good
    assert archive.count() == 21


@only_file
def test_what_is_written_to_a_file_during_a_rebuild_is_included(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = 0

    def reported(_: Progress) -> None:
        nonlocal calls
        calls += 1

    again = Rebuild.again

    def stored(rebuild: Rebuild, step: Callable[[], Any]) -> Any:
        result = again(rebuild, step)
        if step == rebuild._next and result is False:
            archive.store(GAMES[22], by="Di")
        return result

    monkeypatch.setattr(Rebuild, "again", stored)
    assert archive.rebuild(reported).games == 22
    assert calls > 5
    assert archive.check().good


def test_readers_keep_the_old_tables(archive: Archive) -> None:
    change(archive, DAMAGE[1])
    with archive._backend.snapshot() as reader:
        ((before,),) = reader.execute("SELECT count(*) FROM factions_won").fetchall()
        archive.rebuild()
        ((still,),) = reader.execute("SELECT count(*) FROM factions_won").fetchall()
    ((after,),) = archive._backend.rows("SELECT count(*) FROM factions_won")
    assert before == still < after


def test_another_one_starts_over(
    archive: Archive, stopping: Stopping, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert interrupted(archive, stopping, 2)
    done = archive.rebuild(afresh=True)
    assert (done.continued, done.games) == (None, 21)
    assert left(archive) == []
    assert interrupted(archive, stopping, 2)
    with monkeypatch.context() as patch:
        patch.setattr("claimlog.__version__", "another")
        assert archive.rebuild().continued is None
    # An older ledger was restored, which does not know what was rebuilt.
    assert interrupted(archive, stopping, 2)
    with archive._backend.decide() as ledger:
        ledger.execute("UPDATE chain SET head = checksum")
    assert archive.rebuild().continued is None
    assert archive.count() == 21


def test_what_was_left_is_no_fault_and_stays(archive: Archive, stopping: Stopping) -> None:
    assert interrupted(archive, stopping, 3)
    there = left(archive)
    assert len(there) == 6
    assert archive.check().good
    assert archive.check(full=False).good
    archive.compact()
    archive.store(GAMES[22])
    bring(archive)
    assert left(archive) == there
    done = archive.rebuild()
    assert done.continued is not None
    assert done.games == 22
    assert archive.check().good


def test_records_that_are_not_legal_are_reported_at_the_end(
    archive: Archive, stopping: Stopping
) -> None:
    gids = archive._backend.ask_ledger("SELECT DISTINCT gid, game FROM records ORDER BY game")
    first, second = (write_id(int(gid)) for gid, _ in gids[1:3])
    with archive._backend.decide() as ledger:
        ledger.execute(
            "UPDATE records SET record = 'no game' WHERE gid = ? OR gid = ?",
            [gids[1][0], gids[2][0]],
        )
    assert interrupted(archive, stopping, 2)
    archive.delete(second, by="Di", why="to see")
    done = archive.rebuild()
    assert done.continued is not None
    assert {fault.id for fault in done.faults} == {first, second}
    assert done.fault_count == 2


@only_lake
def test_a_piece_is_made_again_if_somebody_else_wrote_to_the_lake(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    from claimlog.store.postgres.indexer import Indexer

    with Archive.open(archive.postgres.postgres.address) as other:  # type: ignore[union-attr]
        calls = iter(range(100))
        check = Indexer.check_lease

        def disturbed(indexer: Indexer) -> None:
            check(indexer)
            if next(calls) % 2 == 0:
                change(other, "INSERT INTO settings VALUES ('other', '')")

        monkeypatch.setattr(Indexer, "check_lease", disturbed)
        assert archive.rebuild().games == 21
    assert next(calls) >= 8
    assert archive.check().good


def catalogues(archive: Archive) -> set[str]:
    rows = archive._backend.ask_ledger(
        "SELECT nspname FROM pg_namespace WHERE nspname ~ '^claimlog_lake'"
    )
    return {name for (name,) in rows}


@only_lake
def test_it_goes_on_in_another_lake(
    archive: Archive, stopping: Stopping, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert archive.postgres is not None
    whole = at_once(archive, monkeypatch)["games"]
    other = str(tmp_path / "other")
    (used,) = catalogues(archive)
    monkeypatch.setattr(rebuilding, "PIECE", 15)
    seen = set()
    while interrupted(archive, stopping, 1, lake=other):
        seen |= catalogues(archive)
        archive.postgres.look_up()
        assert rows_of(archive, "games") == whole
        if len(seen) == 2:
            archive.compact()
            archive.store(GAMES[22], by="Di")
            bring(archive)
            whole = rows_of(archive, "games")
            seen.add("")
        assert len(catalogues(archive)) == 2
    assert stopping.finished
    assert len(seen) == 3
    (new,) = catalogues(archive)
    assert archive.postgres.catalogue == new != used
    assert archive.postgres.lake == f"{other}/"
    bring(archive)
    assert rows_of(archive, "games") == whole
    assert archive.check().good
    assert left(archive) == []


@only_lake
def test_readers_find_what_is_stored_after_a_rebuild(archive: Archive) -> None:
    """Also once rows in the catalogue have been written into files."""
    assert archive.postgres is not None
    with Archive.open(archive.postgres.postgres.address, read_only=True) as reader:
        for number, game in enumerate(GAMES[22:], 1):
            assert archive.rebuild().games == 20 + number
            assert reader.count() == 20 + number
            archive.store(game)
            bring(archive)
            assert reader.count() == 21 + number
            archive.compact()
            assert reader.count() == 21 + number


@only_lake
def test_only_one_other_lake_is_kept(archive: Archive, stopping: Stopping, tmp_path: Path) -> None:
    (used,) = catalogues(archive)
    other, third = str(tmp_path / "other"), str(tmp_path / "third")
    assert interrupted(archive, stopping, 2, lake=other)
    first = catalogues(archive)
    assert interrupted(archive, stopping, 2, lake=other, afresh=True)
    second = catalogues(archive)
    assert len(first) == len(second) == 2
    assert first & second == {used}
    assert interrupted(archive, stopping, 2, lake=third)
    assert catalogues(archive) & (first | second) == {used}
    done = archive.rebuild()
    assert done.continued is None
    assert catalogues(archive) == {used}
    assert archive.check().good


@only_lake
def test_lost_files_are_made_again(archive: Archive, stopping: Stopping, tmp_path: Path) -> None:
    assert interrupted(archive, stopping, 3)
    archive.compact()  # writes rows in the catalogue into files
    shutil.rmtree(tmp_path / "lake")
    done = archive.rebuild()
    assert (done.continued, done.games) == (None, 21)
    assert archive.check().good


PROGRAM = """
import sys, time
from claimlog.store.intake import rebuilding
rebuilding.PIECE = 9
again = rebuilding.Rebuild.again
steps = 0
def waiting(rebuild, step):
    global steps
    result = again(rebuild, step)
    steps += 1
    if steps == 2:
        print("now", flush=True)
        time.sleep(600)
    return result
rebuilding.Rebuild.again = waiting
from claimlog.cli.main import run
sys.argv = ["claimlog", "db", "rebuild", "--db", sys.argv[1]]
run()
"""


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_the_command_goes_on_where_it_was_interrupted(
    archive: Archive, how: signal.Signals
) -> None:
    with opened_by(PROGRAM, archive) as (where, process, printed):
        assert printed.readline() == "now\n"
        process.send_signal(how)
        assert process.wait(60) != 0
    code, out, errors = claimlog("db", "rebuild", "--db", where)
    assert (code, errors.decode()) == (0, "")
    assert "this continued a rebuild begun on" in out.decode()
    assert "21 games" in out.decode()
    _, out, _ = claimlog("db", "rebuild", "--db", where, "--afresh", "--lang", "de")
    assert out.decode() == "21 Partien\n"
