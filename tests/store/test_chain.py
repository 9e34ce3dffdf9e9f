"""The chain: everything is as it was stored, or `db check` says where it is not."""

import gzip
import re
import shutil
import threading
from pathlib import Path

import duckdb
import pytest

from claimlog.directing.model import Entrant
from claimlog.store import Archive, BadQuery
from claimlog.store.file.maintenance import check_chain
from claimlog.store.ledger import chain
from claimlog.store.model.faults import Faults
from claimlog.store.model.types import TieBreak

from .conftest import take_in
from .random_games import records

GAMES = records(12, seed=31)

OLD = Path(__file__).parent / "archives" / "schema2.duckdb.gz"
"""An archive of schema 2 (commit d7b0aaf): 11 games, corrections, a deletion that was undone and
one that was not, two merges, one of them undone, a name, tie-breaks."""


def bring(archive: Archive) -> None:
    """Bring everything stored so far into links and lists."""
    if archive.postgres is not None:
        archive.index(once=True)
    archive.count()


def fill(path: Path | str) -> None:
    """Store all kinds of things in an archive."""
    with Archive.open(path) as archive:
        ids = [one.id or "" for one in take_in(archive, "\n".join(GAMES[:9]), by="Ann", source="a")]
        bring(archive)
        for game in GAMES[9:]:
            archive.store(game, by="Flo", source="post")
        bring(archive)
        archive.correct(ids[1], f'[Annotator "Y"]\n{GAMES[1]}', by="Bo", why="an annotator")
        archive.delete(ids[2], by="Cy", why="played twice")
        archive.delete(ids[3], by="Cy", why="a slip")
        archive.undelete(ids[3], by="Cy", why="no slip")
        events = [event.id for event in archive.events().events]
        archive.rename_event(events[0], "The Cup", by="Di", why="so it is called")
        archive.rename_event(events[0], "The Great Cup", by="Di", why="it is great")
        archive.set_tiebreaks(events[0], ["wins", "points"], by="Di")
        archive.merge_events(events[1], events[0], by="Ed", why="one event")
        archive.split_event(events[1], by="Ed", why="two events")
        archive.merge_events(events[1], events[0], by="Ed", why="one all the same")
        archive.create_event("Spring Cup", by="Fay", why="it is spring")
        archive.enter("Spring Cup", [Entrant(name="Gus")], by="Fay")


CHECKSUM = "was changed: it does not match its checksum"
ADDED = "is not in the chain: it was changed or added"
MISSING = "is missing or was changed"

FEWER = "in link [0-9]+ of the chain, of .*: (0, not 1|1, not 2|2, not 3|7, not 8|8, not 9)"
MORE = "in link [0-9]+ of the chain, of .*: (2, not 1|9, not 8|10, not 9)"

CHANGES = [
    ("UPDATE records SET who = 'Nobody' WHERE game = {first}", "records", f"revision 1 {CHECKSUM}"),
    ("UPDATE records SET why = '' WHERE deleted AND why LIKE 'pl%'", "records", f"2 {CHECKSUM}"),
    ("UPDATE records SET source = 'b' WHERE game = {other}", "records", CHECKSUM),
    (
        "UPDATE records SET stored_at = TIMESTAMP '2020-01-01' WHERE game = {last}",
        "records",
        CHECKSUM,
    ),
    ("UPDATE records SET checksum = digest WHERE game = {other}", "records", CHECKSUM),
    (
        "DELETE FROM records WHERE game = {last}",
        "records",
        FEWER,
    ),
    (
        "DELETE FROM records WHERE game = {first}",
        "records",
        FEWER,
    ),
    (
        "INSERT INTO records SELECT game + 50, gid + 50, revision, {key} digest, stored_at, who, "
        "why, source, deleted, record, mark, checksum FROM records WHERE game = {other}",
        "records",
        MORE,
    ),
    (
        "UPDATE records SET mark = (SELECT min(mark) FROM records) WHERE game = {last}",
        "records",
        FEWER,
    ),
    (
        # Two change places, and with them the order in which they came.
        "UPDATE records SET mark = (SELECT max(mark) FROM records WHERE game IN ({last}, {other})) "
        "+ (SELECT min(mark) FROM records WHERE game IN ({last}, {other})) - mark WHERE game IN ({last}, {other})",
        "records",
        "a revision in link [0-9]+ of the chain, of .*, was replaced",
    ),
    ("DELETE FROM chain WHERE link = 3", "chain", "link 3 is missing"),
    ("UPDATE chain SET stored_at = TIMESTAMP '2020-01-01' WHERE link = 3", "chain", "link 3, of"),
    ("DELETE FROM chain", "chain", "revisions that are in none of its links: 16"),
    ("UPDATE event_settings SET tiebreaks = ARRAY['points']", "event_settings", ADDED),
    ("UPDATE event_settings SET who = 'X'", "event_settings", MISSING),
    ("DELETE FROM event_settings", "event_settings", MISSING),
    ("UPDATE event_names SET name = 'Cup' WHERE name = 'The Cup'", "event_names", ADDED),
    ("INSERT INTO event_names SELECT * FROM event_names", "event_names", ADDED),
    ("UPDATE event_merges SET undone_why = '' WHERE undone_why <> ''", "event_merges", MISSING),
    ("UPDATE event_merges SET undone_at = NULL", "event_merges", MISSING),
    ("DELETE FROM event_merges", "event_merges", MISSING),
    ("UPDATE acts SET act = replace(act, 'Gus', 'Guy')", "acts", ADDED),
    ("UPDATE acts SET number = 3 WHERE number = 2", "acts", MISSING),
    ("DELETE FROM acts WHERE number = 2", "acts", MISSING),
]


@pytest.fixture(scope="module")
def archived(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("archived") / "games.duckdb"
    fill(path)
    return path


GAME = {
    "first": "(SELECT min(game) FROM records)",
    "other": "(SELECT max(game) FROM records WHERE who = 'Ann')",
    "last": "(SELECT max(game) FROM records WHERE who = 'Flo')",
}


def faults_of(archive: Archive) -> Faults:
    """Return the faults in an archive's chain, on either backend."""
    faults = Faults()
    if archive.postgres is None:
        with archive._backend.read() as cursor:
            check_chain(cursor, faults, None)
    else:
        from claimlog.store.postgres.checking import check_chain as check_in_postgres

        with archive.postgres.postgres.transaction() as ledger:
            check_in_postgres(ledger, faults, None)
    return faults


def assert_named(faults: Faults, where: str, message: str) -> None:
    messages = [fault.message for fault in faults.listed if fault.what == where]
    assert any(re.search(message, one) for one in messages), faults.listed


@pytest.mark.only_file("changes the file")
@pytest.mark.parametrize(("change", "where", "message"), CHANGES)
def test_a_change_is_named(
    archived: Path, tmp_path: Path, change: str, where: str, message: str
) -> None:
    path = tmp_path / "games.duckdb"
    shutil.copy(archived, path)
    with duckdb.connect(path) as raw:
        raw.execute(change.format(key="key,", **GAME))
    with Archive.open(path, read_only=True) as archive:
        assert_named(faults_of(archive), where, message)


TABLES = ("records", "chain", "event_names", "event_settings", "event_merges", "acts")


def test_a_change_is_named_in_postgresql(address: str, tmp_path: Path) -> None:
    Archive.open(address, lake=str(tmp_path)).close()
    fill(address)
    with Archive.open(address) as archive:
        assert archive.postgres is not None
        archive.index(once=True)
        report = archive.check()
        assert report.good
        assert re.fullmatch(r"[0-9]+-[0-9a-f]{32}", report.head)
        with archive.postgres.ledger() as cursor:
            for table in TABLES:
                cursor.execute(f"CREATE TEMP TABLE {table}_kept AS TABLE {table}")
            for change, where, message in CHANGES:
                cursor.execute(change.format(key="", **GAME))
                assert_named(faults_of(archive), where, message)
                for table in TABLES:
                    cursor.execute(f"DELETE FROM {table}")
                    cursor.execute(f"INSERT INTO {table} TABLE {table}_kept")
        assert archive.check() == report


def test_a_head_that_was_noted(archive: Archive) -> None:
    """It is in the chain of the same archive later, and in no other."""
    assert archive.check(full=False).head == ""
    take_in(archive, "\n".join(GAMES[:4]))
    bring(archive)
    noted = archive.check().head
    archive.store(GAMES[5])
    archive.rebuild()
    report = archive.check(head=noted.upper())
    assert report.good
    assert report.head != noted
    other = noted[:-1] + ("0" if noted[-1] != "0" else "1")
    (fault,) = archive.check(head=other, full=False).faults
    assert (fault.what, fault.message) == (
        "chain",
        f"the head {other} that was noted is not in it",
    )
    with pytest.raises(BadQuery, match="a number, a hyphen and 32 digits"):
        archive.check(head="12")


@pytest.mark.only_file("changes the file")
def test_a_chain_that_was_made_anew_has_other_heads(tmp_path: Path) -> None:
    """Without a noted head the two cannot be distinguished."""
    path = tmp_path / "games.duckdb"
    with Archive.open(path) as archive:
        take_in(archive, "\n".join(GAMES[:4]))
        noted = archive.check().head
    with duckdb.connect(path) as raw:
        raw.execute("UPDATE records SET who = 'Nobody' WHERE game = 1")
        raw.execute(f"UPDATE records SET checksum = {chain.DUCKDB.checksum}")
        raw.execute("DELETE FROM chain")
        chain.link_everything(raw)
    with Archive.open(path) as archive:
        assert archive.check().good
        assert not archive.check(head=noted).good


@pytest.mark.skipif(duckdb.__version__ < "2", reason="the file was written by DuckDB 2")
@pytest.mark.only_file("there is no older schema")
def test_an_archive_without_a_chain_gets_one(tmp_path: Path) -> None:
    path = tmp_path / "games.duckdb"
    path.write_bytes(gzip.decompress(OLD.read_bytes()))
    with Archive.open(path) as archive:
        report = archive.check()
        assert (report.games, report.revisions, report.fault_count) == (11, 16, 0)
        # One link of records, and one for each decision.
        assert report.head.startswith("7-")
        archive.delete(archive.games().games[0].id, by="Ann", why="a slip")
        assert archive.check(head=report.head).good
    with duckdb.connect(path) as raw:
        raw.execute("UPDATE records SET why = '' WHERE why = 'no slip'")
        raw.execute("UPDATE merges SET why = '' WHERE undone_why = 'two people'")
    with Archive.open(path) as archive:
        assert [fault.what for fault in archive.check().faults] == ["records", "merges", "merges"]


@pytest.mark.only_file("is about the file")
def test_the_chain_goes_where_the_archive_goes(archived: Path, tmp_path: Path) -> None:
    with Archive.open(archived) as archive:
        before = archive.check()
        assert before.good
        archive.backup(tmp_path / "backup.duckdb")
        archive.rebuild()
        archive.compact()
        assert archive.check() == before
    Archive.restore(tmp_path / "backup.duckdb", tmp_path / "games.duckdb")
    with Archive.open(tmp_path / "games.duckdb") as archive:
        archive.store(records(1, seed=77)[0])
        assert archive.check(head=before.head).good


def test_who_writes_at_once_makes_one_chain(archive: Archive) -> None:
    """Four writers of games at once, and decisions at the same time."""
    texts = records(24, seed=8)
    archive.store(texts[0])
    bring(archive)
    event = archive.events().events[0].id
    failed: list[BaseException] = []

    def store(texts: list[str]) -> None:
        try:
            for text in texts:
                archive.store(text, doubtful="beside")
        except BaseException as error:
            failed.append(error)

    writers = [threading.Thread(target=store, args=[texts[i::4]]) for i in range(4)]
    for writer in writers:
        writer.start()
    orders: list[TieBreak] = ["wins", "points", "votes"]
    for order in orders:
        archive.set_tiebreaks(event, [order], by="Di")
    for writer in writers:
        writer.join()
    assert not failed
    bring(archive)
    report = archive.check()
    assert report.good
    assert report.revisions == 24
