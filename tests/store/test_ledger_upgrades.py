"""An archive in PostgreSQL that an older claimlog made is upgraded when it is opened."""

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("psycopg", reason="the extra claimlog[cluster] is not installed")

from claimlog.store import Archive, ArchiveReadOnly
from claimlog.store.postgres.connection import VERSION

from .random_games import records
from .test_people import short

FINAL = short("Cup", 1, "1-0", "Ann", "Bo").replace('[Round "1"]', '[Round "Final"]')
GAMES = [FINAL, *records(5, seed=40)]

TO_4 = ("DROP INDEX records_game_idx", "UPDATE meta SET version = 4")
TO_2 = (
    *TO_4,
    "DROP TABLE acts",
    "DROP TABLE chain",
    "ALTER TABLE records DROP COLUMN checksum",
    "UPDATE meta SET version = 2",
)
TO_1 = (
    *TO_2,
    *(
        f"ALTER TABLE {table} ALTER mark DROP DEFAULT, ALTER mark TYPE XID8 "
        "USING mark::text::xid8, ALTER mark SET DEFAULT pg_current_xact_id()"
        for table in ("records", "batches")
    ),
    "DROP FUNCTION this_mark",
    "DROP SEQUENCE marks",
    "ALTER TABLE progress ALTER mark TYPE NUMERIC(20)",
    "DROP TABLE indexing",
    "DROP INDEX heads_event_round_idx",
    "CREATE INDEX ON heads (event)",
    "ALTER TABLE heads DROP COLUMN date",
    "UPDATE heads SET round = 'Final' WHERE round = 'final'",
    "UPDATE meta SET version = 1, lake = files",
    "ALTER TABLE meta DROP COLUMN files, DROP COLUMN catalogue, DROP COLUMN cards, "
    "DROP COLUMN place",
)
"""SQL that turns a ledger into an older one: the reverse of later changes."""


def shape(archive: Archive) -> tuple[set[Any], set[Any], set[Any]]:
    """The columns, indexes and functions of a ledger."""
    assert archive.postgres is not None
    ask = archive.postgres.ask_ledger
    columns = ask(
        "SELECT table_name, column_name, data_type, is_nullable, "
        "CASE WHEN table_name <> 'meta' THEN column_default END "
        "FROM information_schema.columns WHERE table_schema = 'claimlog'"
    )
    indexes = ask("SELECT indexdef FROM pg_indexes WHERE schemaname = 'claimlog'")
    functions = ask(
        "SELECT proname, prosrc FROM pg_proc WHERE pronamespace = 'claimlog'::regnamespace"
    )
    return set(columns), set(indexes), set(functions)


@pytest.mark.parametrize(("version", "statements"), [(1, TO_1), (2, TO_2), (4, TO_4)])
def test_an_older_ledger_is_brought_up_to_date(
    address: str, tmp_path: Path, version: int, statements: tuple[str, ...]
) -> None:
    with Archive.open(address, lake=str(tmp_path)) as archive:
        assert archive.postgres is not None
        ids = [archive.store(game, by="Ann", source="a").id or "" for game in GAMES[:5]]
        archive.index(once=True)
        archive.delete(ids[1], by="Bo", why="played twice")
        event = archive.events().events[0].id
        archive.rename_event(event, "The Cup", by="Di", why="so it is called")
        heads = "SELECT gid, date, round, event FROM heads WHERE NOT deleted ORDER BY gid"
        before = shape(archive), archive.postgres.ask_ledger(heads)
        with archive.postgres.postgres.transaction() as cursor:
            for statement in statements:
                cursor.execute(statement)
            if version == 1:
                catalogue = archive.postgres.catalogue
                cursor.execute(f"ALTER SCHEMA {catalogue} RENAME TO claimlog_lake")
    with pytest.raises(ArchiveReadOnly):
        Archive.open(address, read_only=True)
    with Archive.open(address) as archive:
        assert archive.postgres is not None
        assert archive.info().schema == VERSION
        assert (shape(archive), archive.postgres.ask_ledger(heads)) == before
        assert archive.store(GAMES[5]).status == "stored"
        assert archive.store(GAMES[0]).status == "known"
        assert archive.index(once=True) == 2
        assert archive.count() == 5
        report = archive.check()
        assert report.good, report.faults
        assert report.revisions == 7
        assert report.behind == 0
        with archive.postgres.ledger() as cursor:
            cursor.execute("UPDATE records SET who = 'Nobody' WHERE revision = 2")
        assert [fault.id for fault in archive.check().faults] == [ids[1]]
