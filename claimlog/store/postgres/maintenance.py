"""Maintenance of an archive in PostgreSQL with its lake: check, rebuild, merge files."""

from __future__ import annotations

import contextlib
import time
from typing import TYPE_CHECKING, Final

from claimlog.store.model import types as t
from claimlog.store.model.errors import ArchiveError
from claimlog.store.postgres.backend import lake_place
from claimlog.store.postgres.checking import NEVER_GIVEN, PostgresCheck
from claimlog.store.postgres.connection import Cursor, horizon
from claimlog.store.postgres.fetching import COLUMNS, insert, make_table
from claimlog.store.postgres.indexer import Indexer
from claimlog.store.postgres.rebuilding import LakeRebuild

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from duckdb import DuckDBPyConnection

    from claimlog.store.backend import Report
    from claimlog.store.postgres.backend import PostgresBackend
CHUNK: Final = 20_000

_GAMES: Final = "SELECT count(*), count(*) FILTER (complete) FROM games"
_NAMES: Final = "SELECT (SELECT count(*) FROM players), (SELECT count(*) FROM events)"


class PostgresMaintenance:
    """See `Archive`."""

    def __init__(self, backend: PostgresBackend) -> None:
        self.backend = backend

    def info(self) -> t.Info:
        """Size and counts: games, players and events of the lake, revisions of the ledger."""
        backend = self.backend
        # Apart, as DuckDB waits for each table of a statement if the lake does not answer.
        ((games, complete),) = backend.rows(_GAMES)
        ((players, events),) = backend.rows(_NAMES)
        size = backend.rows("SELECT sum(file_size_bytes) FROM ducklake_table_info('lake')")[0][0]
        revisions, deleted, version, ledger = backend.ask_ledger(
            "SELECT (SELECT count(*) FROM records), (SELECT count(*) FROM heads WHERE deleted), "
            "(SELECT version FROM meta), (SELECT sum(pg_total_relation_size(c.oid)) "
            "FROM pg_class c WHERE relnamespace = 'claimlog'::regnamespace AND relkind = 'r')"
        )[0]
        return t.Info(
            path=str(backend.where),
            bytes=int(size or 0) + int(ledger or 0),
            schema=version,
            read_only=backend.read_only,
            games=games,
            complete=complete,
            revisions=revisions,
            deleted=deleted,
            players=players,
            events=events,
            generation=backend.generation,
        )

    def rebuild(self, report: Report, afresh: bool = False, lake: str | None = None) -> t.Rebuilt:
        """Rebuild the lake's tables from all records; meanwhile nobody else writes to the lake.

        Nothing is read from the existing tables.  A new lake is created if the catalogue is lost,
        if a copy of this database has the same lake, or if another `lake` is given.
        """
        backend = self.backend
        backend.check_writable()
        self._continue_marks()
        elsewhere = False

        def prepare() -> None:
            nonlocal elsewhere
            backend.look_up()
            place = backend.lake if lake is None else lake_place(lake)
            elsewhere = place != backend.lake or backend.is_copy() or not self._has_catalogue()
            if elsewhere:
                backend.lake = place
                self._go_elsewhere(afresh)

        with self._alone(prepare=prepare) as indexer:
            done = LakeRebuild(indexer, report, afresh, elsewhere).run()
        if elsewhere:
            backend.attach_again()
        return done

    def _go_elsewhere(self, afresh: bool) -> None:
        """Use the lake in which an interrupted rebuild has stopped, or else make a new one."""
        backend = self.backend
        if not afresh:
            with backend.postgres.cursor() as ledger:
                if backend.take_up_lake(ledger):
                    return
        with backend.postgres.connection() as connection:
            backend.new_lake(Cursor(connection))
        with backend.postgres.transaction() as ledger:
            backend.remember_lake(ledger)

    def _has_catalogue(self) -> bool:
        there = self.backend.ask_ledger(
            "SELECT to_regclass(?) IS NOT NULL", [f"{self.backend.catalogue}.ducklake_snapshot"]
        )
        return bool(there[0][0])

    def _continue_marks(self) -> None:
        """Continue with marks after the highest one, if records have marks that were never given.

        Records keep their marks, because the chain depends on which records came together.
        """
        with self.backend.transaction(None) as cursor:
            for table in ("records", "batches"):
                cursor.execute(
                    f"SELECT setval('claimlog.marks', (SELECT max(mark) FROM {table})) "
                    f"WHERE EXISTS (SELECT FROM {table} WHERE {NEVER_GIVEN})"
                )

    def check(
        self, report: Report, full: bool, noted: str | None, kept: Path | None
    ) -> t.CheckReport:
        """Compare the lake with the records that it should have by now."""
        return PostgresCheck(self.backend, report, full=full, noted=noted, kept=kept).run()

    def fetch(self, cursor: DuckDBPyConnection, until: int | None, report: Report = None) -> int:
        """Copy records into a temporary table like that of a file.

        Copies those with a mark below `until`, or all that are visible now; returns the mark below
        which it has all.
        """
        make_table(cursor)
        if until is None:
            # Read before the snapshot, which then has everything below this mark.
            with self.backend.ledger() as ledger:
                until = horizon(ledger)
        with self.backend.postgres.transaction() as ledger:
            # A consistent snapshot; the server returns the rows in pieces.
            ledger.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            ledger.execute(
                f"DECLARE every CURSOR FOR SELECT {COLUMNS} FROM records WHERE mark < ?",
                [until],
            )
            total = done = 0
            if report is not None:
                total = ledger.execute(
                    "SELECT count(*) FROM records WHERE mark < ?", [until]
                ).fetchone()[0]
            while rows := ledger.execute(f"FETCH {CHUNK} FROM every").fetchall():
                insert(cursor, rows)
                done += len(rows)
                if report is not None:
                    report(t.Progress(done=done, total=total))
        return until

    @contextlib.contextmanager
    def _alone(
        self, wait: float = 30, *, prepare: Callable[[], None] | None = None
    ) -> Iterator[Indexer]:
        """Be the only one who writes into the lake.

        With `prepare`, see `Indexer`, it is rebuilt.
        """
        self.backend.check_writable()
        indexer = Indexer(self.backend, prepare=prepare)
        end = time.monotonic() + wait
        try:
            while not indexer.begin():
                if time.monotonic() > end:
                    raise ArchiveError("index.running")
                time.sleep(0.2)
            with self.backend.postgres.transaction() as ledger:
                (used,) = ledger.execute("SELECT catalogue FROM meta").fetchone()
                self.backend.drop_lakes(
                    ledger, used, self.backend.catalogue, rebuilding=prepare is not None
                )
            yield indexer
        finally:
            indexer.end()

    def backup(self, path: Path) -> int:
        """Refuse: both halves have their own ways of backing up."""
        raise ArchiveError("postgres.backup")

    def compact(self, wait: float) -> tuple[int, int]:
        """Merge the lake's files; return the size before and after."""
        before = self.info().bytes
        with self._alone(wait) as indexer:
            indexer.tidy(everything=True)
        return before, self.info().bytes
