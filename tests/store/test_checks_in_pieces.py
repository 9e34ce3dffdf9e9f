"""A check goes through an archive piece by piece, and goes on where it was interrupted."""

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from commands import claimlog

from claimlog.store import Archive
from claimlog.store.file import maintenance
from claimlog.store.intake import reached, remaking
from claimlog.store.ledger import chain
from claimlog.store.model.ids import write_id
from claimlog.store.model.types import CheckReport

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


def make_small(patch: pytest.MonkeyPatch) -> None:
    """Make pieces so small that a few games have many."""
    pieces.small(patch)
    patch.setattr(maintenance, "PIECE", PIECE)
    patch.setattr(chain, "LINKS", 3)
    patch.setattr(chain, "PIECE", 6)


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    make_small(monkeypatch)


@pytest.fixture(params=["file", "lake"])
def archive(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Archive]:
    """An archive with games, in a file or in a database with a lake."""
    if request.param == "lake":
        pytest.importorskip("psycopg")
        from claimlog.store.postgres import checking

        monkeypatch.setattr(checking, "PIECE", PIECE)
    with opened_copy(request, tmp_path, monkeypatch) as archive:
        yield archive


class Stopping:
    """Stops a check after some pieces; `last` is the report of one that was not stopped."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        from claimlog.store.intake.reached import Reaching

        self.left = -1
        self.last: CheckReport | None = None
        keep = Reaching.keep

        def kept(reaching: Reaching) -> None:
            keep(reaching)
            self.left -= 1
            if self.left == 0:
                raise Stopped

        monkeypatch.setattr(Reaching, "keep", kept)


@pytest.fixture
def stopping(monkeypatch: pytest.MonkeyPatch) -> Stopping:
    return Stopping(monkeypatch)


def check(archive: Archive, full: bool = True) -> CheckReport:
    return archive.check(resume="yes", full=full)


def plain(report: CheckReport) -> Any:
    """What a report says, whether it was continued or not, whatever the order of the faults."""
    faults = sorted((one.what, one.id or "", one.message) for one in report.faults)
    return report.games, report.revisions, report.fault_count, report.head, report.behind, faults


def interrupted(archive: Archive, stopping: Stopping, after: int, full: bool = True) -> bool:
    """Begin a check and stop it after some pieces; return whether it came so far."""
    stopping.left = after
    try:
        stopping.last = check(archive, full)
    except Stopped:
        return True
    finally:
        stopping.left = -1
    return False


@pytest.mark.parametrize("full", [True, False])
def test_it_is_stopped_at_every_piece_and_looks_at_none_twice(
    archive: Archive, stopping: Stopping, monkeypatch: pytest.MonkeyPatch, full: bool
) -> None:
    seen: list[str] = []
    make = remaking.Remaker.make

    def made(remaker: remaking.Remaker, some: list[tuple[int, str]]) -> Any:
        assert len(some) <= 4  # one game may have several revisions
        seen.extend(text for _, text in some)
        return make(remaker, some)

    monkeypatch.setattr(remaking.Remaker, "make", made)
    for statement in DAMAGE:
        change(archive, statement)
    whole = check(archive, full)
    assert not whole.good
    assert whole.continued is None
    assert (whole.games, whole.revisions) == (21, 26)
    once = sorted(seen)
    assert len(once) == (24 if full else 0)
    seen.clear()
    times = 0
    while interrupted(archive, stopping, 1, full):
        times += 1
    assert times >= 3
    if archive.postgres is None or not full:
        assert sorted(seen) == once
    else:
        # Games with faults are looked at again in the end.
        again = Counter(seen) - Counter(once)
        assert not Counter(once) - Counter(seen)
        assert 0 < len(again) < len(once)
    assert stopping.last is not None
    assert stopping.last.continued is not None
    assert plain(stopping.last) == plain(whole)
    assert not archive.beside(".check").exists()


@only_lake
def test_records_are_asked_for_by_the_piece(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    from claimlog.store.postgres import checking, connection

    asked: list[int] = []
    fetchall = connection.Cursor.fetchall

    def counted(cursor: connection.Cursor) -> list[Any]:
        rows = fetchall(cursor)
        asked.append(len(rows))
        return rows

    monkeypatch.setattr(checking, "CHUNK", 7)
    monkeypatch.setattr(connection.Cursor, "fetchall", counted)
    assert check(archive).good
    assert PIECE <= max(asked) <= PIECE + 2


@only_file
def test_what_was_interrupted_is_another_check(archive: Archive, stopping: Stopping) -> None:
    assert interrupted(archive, stopping, 2)
    # A quick check is another one; it takes the place of what was left.
    assert check(archive, full=False).continued is None
    assert check(archive).continued is None
    assert interrupted(archive, stopping, 2)
    assert archive.check().continued is None  # keeps nothing
    assert archive.check(resume="afresh").continued is None
    assert archive.check(resume="yes").continued is None


def test_a_rebuilt_archive_is_checked_from_the_beginning(
    archive: Archive, stopping: Stopping
) -> None:
    change(archive, DAMAGE[0])
    assert interrupted(archive, stopping, 2)
    archive.rebuild()
    report = check(archive)
    assert report.continued is None
    assert report.good


@only_file
def test_an_old_note_and_a_damaged_one_are_none(
    archive: Archive, stopping: Stopping, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert interrupted(archive, stopping, 2)
    later = reached.now() + timedelta(days=8)
    with monkeypatch.context() as patch:
        patch.setattr(reached, "now", lambda: later)
        assert check(archive).continued is None
    assert interrupted(archive, stopping, 2)
    kept = archive.beside(".check")
    assert kept.exists()
    kept.write_bytes(b'{"archive": ')
    assert check(archive).continued is None
    assert not kept.exists()


@only_file
def test_a_file_that_was_written_to_is_checked_from_the_beginning(
    archive: Archive, stopping: Stopping
) -> None:
    assert interrupted(archive, stopping, 2)
    archive.store(GAMES[23])
    assert check(archive).continued is None


@only_lake
def test_what_changes_after_it_was_looked_at_is_looked_at_again(
    archive: Archive, stopping: Stopping
) -> None:
    assert interrupted(archive, stopping, 2)
    ((gid,),) = archive._backend.ask_ledger(
        "SELECT gid FROM heads WHERE NOT deleted ORDER BY game LIMIT 1"
    )
    first = write_id(int(gid))
    archive.delete(first, by="Di", why="to see")
    archive.store(GAMES[23], by="Di")
    bring(archive)
    report = check(archive)
    assert report.continued is not None
    assert report.good, report.faults
    assert (report.games, report.revisions, report.behind) == (21, 28, 0)
    assert interrupted(archive, stopping, 2)
    archive.undelete(first, by="Di", why="to see")
    bring(archive)
    change(archive, f"UPDATE games SET site = 'Nowhere' WHERE gid = {gid}")
    report = check(archive)
    assert report.continued is not None
    assert {fault.id for fault in report.faults} == {first}


@only_lake
def test_faults_that_were_repaired_meanwhile_are_not_told(
    archive: Archive, stopping: Stopping
) -> None:
    rows = "SELECT gid, site FROM games ORDER BY game"
    (first, second, *_) = archive._backend.rows(rows)
    for gid, _ in (first, second):
        change(archive, f"UPDATE games SET site = 'Nowhere' WHERE gid = {gid}")
    assert interrupted(archive, stopping, 1)
    change(archive, f"UPDATE games SET site = '{first[1] or ''}' WHERE gid = {first[0]}")
    if first[1] is None:
        change(archive, f"UPDATE games SET site = NULL WHERE gid = {first[0]}")
    report = check(archive)
    assert report.continued is not None
    assert {fault.id for fault in report.faults} == {write_id(second[0])}
    assert report.fault_count == len(report.faults)


@only_lake
def test_faults_found_before_the_chain_was_compared_stay(
    archive: Archive, stopping: Stopping
) -> None:
    ((gid, number),) = archive._backend.ask_ledger(
        "SELECT gid, revision FROM records ORDER BY game, revision LIMIT 1"
    )
    with archive._backend.decide() as ledger:
        ledger.execute(
            "UPDATE records SET who = 'Eve' WHERE gid = ? AND revision = ?", [gid, number]
        )
    change(archive, DAMAGE[0])
    whole = plain(check(archive))
    after = 1
    while interrupted(archive, stopping, after):
        assert plain(check(archive)) == whole
        after += 3
    assert after > 4


PROGRAM = """
import sys, time
from claimlog.store.file import maintenance
from claimlog.store.intake import reached
maintenance.PIECE = 9
if sys.argv[1].startswith("postgresql"):
    from claimlog.store.postgres import checking
    checking.PIECE = 9
keep = reached.Reaching.keep
def kept(reaching):
    keep(reaching)
    print(reaching.at.done, flush=True)
    if reaching.at.done > 10:
        time.sleep(600)
reached.Reaching.keep = kept
from claimlog.store import Archive
Archive.open(sys.argv[1], read_only=True).check(resume="yes")
"""


def test_the_command_goes_on_where_a_process_was_killed(archive: Archive) -> None:
    with opened_by(PROGRAM, archive) as (where, process, printed):
        assert any(int(line) > 10 for line in printed)
        process.kill()
    code, out, _ = claimlog("db", "check", "--db", where)
    assert code == 0
    assert "this continued a check begun on" in out.decode()
    _, out, _ = claimlog("db", "check", "--db", where, "--lang", "de")
    assert "Fortsetzung" not in out.decode()


@only_file
def test_what_is_written_to_a_file_during_a_check_is_checked_too(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    ((gid,),) = archive._backend.ask_ledger("SELECT min_by(gid, game) FROM records")
    texts: list[str] = []
    make = remaking.Remaker.make

    def made(remaker: remaking.Remaker, some: list[tuple[int, str]]) -> Any:
        texts.extend(text for _, text in some)
        return make(remaker, some)

    def kept(_: reached.Reaching) -> None:
        monkeypatch.undo()
        monkeypatch.setattr(remaking.Remaker, "make", made)
        with ThreadPoolExecutor(1) as pool:
            why = {"by": "Di", "why": "to see"}
            text = f'[Annotator "Z"]\n{GAMES[0]}'
            pool.submit(archive.correct, write_id(gid), text, **why).result()

    monkeypatch.setattr(reached.Reaching, "keep", kept)
    report = check(archive)
    assert report.good, report.faults
    assert report.revisions == 27
    assert any('[Annotator "Z"]' in text for text in texts)
