"""Rebuild the lake of an archive in PostgreSQL, in its place or elsewhere."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from claimlog.cards import NAMES
from claimlog.store.intake.rebuilding import Rebuild
from claimlog.store.intake.remaking import NEXT, PIECED, drop_next, fill_names
from claimlog.store.model.errors import ArchiveUnreachable
from claimlog.store.postgres.backend import UNFINISHED, for_lake, make_tables
from claimlog.store.postgres.connection import PLACE, horizon
from claimlog.store.postgres.fetching import fetch
from claimlog.store.questions import rollups

if TYPE_CHECKING:
    from collections.abc import Iterator

    from duckdb import DuckDBPyConnection

    from claimlog.store.backend import LedgerCursor, Report
    from claimlog.store.model import types as t
    from claimlog.store.postgres.indexer import Indexer


class LakeRebuild(Rebuild):
    """A rebuild in the lake that an indexer has open; what comes meanwhile is indexed afterwards.

    `elsewhere`: the lake is another one than that in use, and takes its place at the end.
    """

    def __init__(self, indexer: Indexer, report: Report, afresh: bool, elsewhere: bool) -> None:
        self.backend = indexer.backend
        super().__init__(self.backend.spool, report, afresh)
        self.indexer = indexer
        self.elsewhere = elsewhere
        self.place = [self.backend.lake, self.backend.files, self.backend.catalogue]

    def run(self) -> t.Rebuilt:
        """Start over if what an interrupted rebuild has left is lost."""
        try:
            return super().run()
        except ArchiveUnreachable as error:
            if self.afresh or error.message.key != "lake.lost":
                raise
        self.afresh, self.continued = True, None
        return super().run()

    @contextlib.contextmanager
    def transaction(self) -> Iterator[DuckDBPyConnection]:
        """It is committed only if nobody else has taken over."""
        with self.backend.writing_lake(self.indexer.root) as cursor:
            yield cursor
            self.indexer.check_lease()

    switching = transaction

    def ledger(self, _: DuckDBPyConnection) -> contextlib.AbstractContextManager[LedgerCursor]:
        """The ledger is in PostgreSQL."""
        return self.backend.ledger()

    @contextlib.contextmanager
    def records(self, cursor: DuckDBPyConnection, which: str) -> Iterator[str]:
        """Only these are fetched."""
        with self.backend.ledger() as ledger:
            fetch(cursor, ledger, which)
        yield "true"
        cursor.execute("DROP TABLE temp.records")

    def horizon(self, _: DuckDBPyConnection) -> int:
        """A mark that no running transaction holds back."""
        with self.backend.ledger() as ledger:
            end = horizon(ledger)
        self.backend.link_records(end)
        return end

    def made(self, table: str) -> str:
        """The lake has its own types."""
        return for_lake(super().made(table))

    def complete(self, cursor: DuckDBPyConnection, until: int) -> None:
        """Copy the rows, and make the tables of names, the lists and the sums.

        Tables that many transactions have filled do not take the place of the others, as rows kept
        in the catalogue (DuckLake of DuckDB 1.5) stay under the old name.
        """
        make_tables(cursor, until)
        for table in PIECED:
            cursor.execute(f"INSERT INTO {table} SELECT * FROM {NEXT}{table}")
        fill_names(cursor, "")
        rollups.make(cursor)

    def use(self) -> None:
        """Let everybody use this lake from now on, and say how far it is."""
        backend = self.backend
        if self.elsewhere:
            with backend.postgres.transaction() as ledger:
                (old,) = ledger.execute("SELECT catalogue FROM meta").fetchone()
                ledger.execute(
                    "UPDATE meta SET lake = ?, files = ?, catalogue = ?, cards = ?, "
                    f"place = ({PLACE})",
                    [*self.place, list(NAMES)],
                )
                ledger.execute(f"DROP TABLE {self.place[-1]}.{UNFINISHED}")
                ledger.execute(f"DROP SCHEMA IF EXISTS {old} CASCADE")
            self.again(self._drop_next)
        backend.tell_progress(self.target)

    def _drop_next(self) -> None:
        with self.transaction() as cursor:
            drop_next(cursor)
