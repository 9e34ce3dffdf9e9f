"""Upkeep of an archive in PostgreSQL with its lake: checking, rebuilding, merging files."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import time
from typing import TYPE_CHECKING, Final

from claimlog.store import maintenance, rollups, schema
from claimlog.store import types as t
from claimlog.store.errors import ArchiveError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from duckdb import DuckDBPyConnection

    from claimlog.store.cluster import Cluster
    from claimlog.store.indexer import Indexer
    from claimlog.store.maintenance import Report

CHUNK: Final = 20_000

_COUNTS: Final = """
SELECT (SELECT count(*) FROM games), (SELECT count(*) FROM games WHERE complete),
       (SELECT count(*) FROM players), (SELECT count(*) FROM events)
"""


class ClusterUpkeep:
    """See `Archive`."""

    def __init__(self, cluster: Cluster) -> None:
        self.cluster = cluster

    def info(self) -> t.Info:
        """Size and counts: games, players and events of the lake, revisions of the ledger."""
        cluster = self.cluster
        games, complete, players, events = cluster.rows(_COUNTS)[0]
        size = cluster.rows("SELECT sum(file_size_bytes) FROM ducklake_table_info('lake')")[0][0]
        revisions, deleted, version, ledger = cluster.told(
            "SELECT (SELECT count(*) FROM records), (SELECT count(*) FROM heads WHERE deleted), "
            "(SELECT version FROM meta), (SELECT sum(pg_total_relation_size(c.oid)) "
            "FROM pg_class c WHERE relnamespace = 'claimlog'::regnamespace AND relkind = 'r')"
        )[0]
        return t.Info(
            path=str(cluster.where),
            bytes=int(size or 0) + int(ledger or 0),
            schema=version,
            read_only=cluster.read_only,
            games=games,
            complete=complete,
            revisions=revisions,
            deleted=deleted,
            players=players,
            events=events,
            generation=cluster.generation,
        )

    def rebuild(self, report: Report) -> t.Rebuilt:
        """Make the lake's tables again; nobody brings anything meanwhile."""
        with self._alone() as indexer, self.cluster.writing_lake(indexer.root) as cursor:
            until = self.fetch(cursor, None)
            for name in schema.DERIVED:
                cursor.execute(f"DELETE FROM {name}")
            faults = maintenance.fill(cursor, self.cluster.spool, report)
            rollups.make(cursor)
            cursor.execute("UPDATE watermark SET mark = ?", [until])
            games = maintenance.number_of(cursor, "games")
        return t.Rebuilt(games=games, faults=faults.listed, fault_count=faults.count)

    def check(self, report: Report, full: bool) -> t.CheckReport:
        """Compare the lake with the records that it is to have by now."""
        cluster = self.cluster
        faults = maintenance.Faults()
        folder = cluster.spool / f"check{os.getpid()}"
        with cluster.in_use.shared():
            cursor = cluster.cursor()
            try:
                with cluster.asked(cursor):
                    cursor.execute("BEGIN")
                    row = cursor.execute("SELECT max(mark) FROM watermark").fetchone()
                    assert row is not None
                    self.fetch(cursor, int(row[0]))
                    maintenance.check_counts(cursor, faults, set())
                    for name in rollups.wrong(cursor):
                        faults.add(name, None, "the sums are not those of the games")
                    if full:
                        maintenance.check_all(cursor, faults, folder, report, set())
                    games, revisions = (
                        maintenance.number_of(cursor, name) for name in ("games", "records")
                    )
                    cursor.execute("ROLLBACK")
            finally:
                cursor.close()
                shutil.rmtree(folder, ignore_errors=True)
        return t.CheckReport(
            games=games, revisions=revisions, faults=faults.listed, fault_count=faults.count
        )

    def fetch(self, cursor: DuckDBPyConnection, until: int | None, report: Report = None) -> int:
        """Make a temporary table of the records, as a file has it; returns their mark."""
        statement = re.sub(r" USING COMPRESSION \w+", "", schema.RECORDS)
        statement = statement.replace("game INTEGER", "game BIGINT")
        cursor.execute(statement.replace("CREATE TABLE", "CREATE OR REPLACE TEMP TABLE"))
        with self.cluster.postgres.transaction() as ledger:
            # All as of one moment; the server hands the rows out piece by piece.
            ledger.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            if until is None:
                until = int(
                    ledger.execute(
                        "SELECT pg_snapshot_xmin(pg_current_snapshot())::text::numeric(20)"
                    ).fetchone()[0]
                )
            ledger.execute(
                "DECLARE every CURSOR FOR SELECT game, gid, revision, digest, stored_at, who, "
                "why, source, deleted, record FROM records WHERE mark < ?::text::xid8",
                [str(until)],
            )
            total = done = 0
            if report is not None:
                total = ledger.execute(
                    "SELECT count(*) FROM records WHERE mark < ?::text::xid8", [str(until)]
                ).fetchone()[0]
            while rows := ledger.execute(f"FETCH {CHUNK} FROM every").fetchall():
                columns = [list(column) for column in zip(*rows, strict=True)]
                keys = [d and int.from_bytes(d[:8], "big") for d in columns[3]]
                cursor.execute(
                    "INSERT INTO temp.records SELECT unnest(?::BIGINT[]), unnest(?::UBIGINT[]), "
                    "unnest(?::SMALLINT[]), unnest(?::UBIGINT[]), unnest(?::BLOB[]), "
                    "unnest(?::TIMESTAMP[]), unnest(?::VARCHAR[]), unnest(?::VARCHAR[]), "
                    "unnest(?::VARCHAR[]), unnest(?::BOOLEAN[]), unnest(?::VARCHAR[])",
                    [*columns[:3], keys, *columns[3:]],
                )
                done += len(rows)
                if report is not None:
                    report(t.Progress(done=done, total=total))
        return until

    @contextlib.contextmanager
    def _alone(self, wait: float = 30) -> Iterator[Indexer]:
        """Be the one who writes into the lake."""
        from claimlog.store.indexer import Indexer

        self.cluster.check_writable()
        indexer = Indexer(self.cluster)
        end = time.monotonic() + wait
        try:
            while not indexer.begin():
                if time.monotonic() > end:
                    raise ArchiveError(
                        "claimlog index is at work on this archive: stop it, and start it again "
                        "afterwards"
                    )
                time.sleep(0.2)
            yield indexer
        finally:
            indexer.end()

    def backup(self, path: Path) -> int:
        """Refuse: both halves have their own ways."""
        raise ArchiveError(
            "an archive in PostgreSQL is backed up with pg_dump; its lake is made again from that "
            "by claimlog db rebuild"
        )

    def compact(self, wait: float) -> tuple[int, int]:
        """Merge the lake's files; returns the size before and after."""
        before = self.info().bytes
        with self._alone(wait) as indexer:
            indexer.tidy()
        return before, self.info().bytes
