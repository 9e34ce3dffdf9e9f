"""Check an archive in PostgreSQL with its lake, piece by piece.

Each piece is compared in a snapshot of its own, as a snapshot of a lake loses its files after a
while.  Whatever is stored meanwhile in games that have been compared is compared afterwards, so
that in the end everything below one mark has been.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from typing import TYPE_CHECKING, Any, Final

from claimlog.store.backend import let_go
from claimlog.store.intake.checks import PIECE, check_counts, check_names, check_rows, number_of
from claimlog.store.intake.reached import Reaching
from claimlog.store.intake.remaking import Remaker, changed, counting, end_of_span, span
from claimlog.store.ledger import chain
from claimlog.store.model import types as t
from claimlog.store.model.faults import MOST_FAULTS, Faults
from claimlog.store.model.ids import read_id
from claimlog.store.postgres import bounds
from claimlog.store.postgres.connection import PLACE, Cursor
from claimlog.store.postgres.fetching import fetch
from claimlog.store.questions import rollups

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from duckdb import DuckDBPyConnection

    from claimlog.store.backend import Report
    from claimlog.store.postgres.backend import PostgresBackend

CHUNK: Final = 20_000
"""The number of rows that PostgreSQL returns at once."""

NEVER_GIVEN: Final = "mark > (SELECT last_value FROM claimlog.marks)"

_PIECE: Final = (
    (
        "heads",
        "head-row",
        "SELECT r.gid FROM (SELECT DISTINCT ON (gid) gid, game, revision, deleted FROM records "
        "WHERE {which} ORDER BY gid, revision DESC) r LEFT JOIN heads h USING (gid) "
        "WHERE (h.game, h.revision, h.deleted) IS DISTINCT FROM (r.game, r.revision, r.deleted)",
    ),
    (
        "digests",
        "digest-missing",
        "SELECT r.gid FROM records r LEFT JOIN digests d USING (digest) "
        "WHERE {which} AND r.digest IS NOT NULL AND d.digest IS NULL",
    ),
    (
        # Two games with the same record share a row of `digests`, which is the record of one.
        "records",
        "same-record",
        "SELECT r.gid FROM records r JOIN digests d USING (digest) WHERE {which} "
        "AND d.gid <> r.gid AND EXISTS (SELECT FROM records other WHERE other.gid = d.gid "
        "AND other.digest = r.digest)",
    ),
)
"""By table and fault: a query for the ids of games in a piece of the ledger that have it."""

_WHOLE: Final = (
    ("records", "mark", f"SELECT gid FROM records WHERE {NEVER_GIVEN}"),
    (
        "heads",
        "head-row",
        "SELECT gid FROM heads WHERE NOT EXISTS "
        "(SELECT FROM records WHERE records.gid = heads.gid)",
    ),
)
"""The same for the whole ledger."""


class PostgresCheck:
    """One check of an archive; `kept` is the file in which it notes how far it has come."""

    def __init__(
        self,
        backend: PostgresBackend,
        report: Report,
        *,
        full: bool,
        noted: str | None,
        kept: Path | None,
    ) -> None:
        self.backend = backend
        self.full = full
        self.noted = noted
        self.folder = backend.spool / f"check{os.getpid()}"
        self.remaker = Remaker(self.folder)
        with self._snapshot() as (cursor, watermark):
            self.reaching = Reaching(kept, self._checked(cursor), full)
            at = self.reaching.at
            if self.reaching.continued is None:
                at.since = watermark
        (total,) = backend.ask_ledger("SELECT count(*) FROM records")[0]
        self.count = counting(report, total, at.done)

    def _checked(self, cursor: DuckDBPyConnection) -> str:
        """What is checked: the database, the lake and its tables.

        A rebuild replaces the tables.
        """
        (place,) = self.backend.ask_ledger(PLACE)[0]
        tables = cursor.execute(
            "SELECT table_uuid FROM ducklake_table_info('lake') WHERE table_name = 'games'"
        ).fetchall()
        backend = self.backend
        return " ".join(map(str, (place, backend.files, backend.catalogue, *tables[0])))

    def run(self) -> t.CheckReport:
        """Check everything that has not been checked yet."""
        at, faults = self.reaching.at, self.reaching.faults
        if self.full:
            self.folder.mkdir(parents=True, exist_ok=True)
        try:
            while not at.ranged:
                self._compare_next()
                self.reaching.keep()
            with self._snapshot() as (_, target):
                pass
            while at.since < target:
                self._compare_changed(target)
                self.reaching.keep()
            if at.compared is None:
                at.compared = len(faults.listed)
            if self.reaching.continued is not None:
                self._look_again(at.compared)
        finally:
            shutil.rmtree(self.folder, ignore_errors=True)
        with self.backend.postgres.transaction() as ledger:
            head = check_chain(
                ledger,
                faults,
                self.noted,
                full=self.full,
                until=at.since,
                place=at.place,
                reached=self._reached,
            )
        games = self._check_whole()
        self.reaching.forget()
        (revisions, behind) = self.backend.ask_ledger(
            "SELECT count(*) FILTER (WHERE mark < ?), count(*) FILTER (WHERE mark >= ?) "
            "FROM records",
            [at.since, at.since],
        )[0]
        return t.CheckReport(
            games=games,
            revisions=revisions,
            faults=faults.listed,
            fault_count=faults.count,
            behind=behind,
            head=head,
            continued=self.reaching.continued,
        )

    @contextlib.contextmanager
    def _snapshot(self) -> Iterator[tuple[DuckDBPyConnection, int]]:
        """The lake as it is now, and the mark below which it has everything."""
        backend = self.backend
        with backend.in_use.shared(), backend.translating():
            cursor = backend.cursor()
            try:
                with backend.asked(cursor):
                    cursor.execute("BEGIN")
                    row = cursor.execute("SELECT max(mark) FROM watermark").fetchone()
                    assert row is not None
                    yield cursor, int(row[0])
            finally:
                let_go(cursor)

    def _compare_next(self) -> None:
        """Compare the next range of games."""
        at = self.reaching.at
        with self._snapshot() as (cursor, watermark):
            with self.backend.ledger() as ledger:
                high = end_of_span(ledger, "records", at.low, PIECE)
            which = span(at.low, high)
            self._compare(cursor, watermark, which, which)
        at.low, at.ranged = high, high is None

    def _compare_changed(self, target: int) -> None:
        """Compare games that have changed since they were compared, below a mark."""
        at = self.reaching.at
        with self.backend.ledger() as ledger:
            games, until = changed(ledger, at.since, target, PIECE)
        self._compare_games(games)
        at.since = until

    def _look_again(self, compared: int) -> None:
        """Compare games with faults again, which may have been repaired since they were found.

        The first `compared` faults are those of games, the others are the chain's.
        """
        at, faults = self.reaching.at, self.reaching.faults
        found, others = faults.listed[:compared], faults.listed[compared:]
        if not found or faults.count > len(faults.listed):
            return
        ids = [one.id and read_id(one.id) for one in found]
        with self.backend.ledger() as ledger:
            games = {
                int(gid): game
                for gid, game in ledger.execute(
                    "SELECT DISTINCT gid, game FROM records WHERE gid = ANY(?::NUMERIC[])",
                    [[gid for gid in ids if gid]],
                ).fetchall()
            }
        faults.listed, faults.count = [], 0
        done = at.done
        self._compare_games(sorted(games.values()))
        at.done = done
        kept = [one for one, gid in zip(found, ids, strict=True) if gid not in games]
        faults.listed += kept
        at.compared = len(faults.listed)
        faults.listed += others
        faults.count += len(kept) + len(others)

    def _compare_games(self, games: list[int]) -> None:
        """Compare some games."""
        if not games:
            return
        with self._snapshot() as (cursor, watermark):
            cursor.execute(
                "CREATE TEMP TABLE looked AS SELECT unnest(?::BIGINT[]) AS game", [games]
            )
            theirs = f"game = ANY('{{{','.join(map(str, games))}}}'::BIGINT[])"
            self._compare(cursor, watermark, theirs, "game IN (SELECT game FROM looked)")
            cursor.execute("DROP TABLE looked")

    def _compare(self, cursor: DuckDBPyConnection, watermark: int, theirs: str, which: str) -> None:
        """Compare a piece: the games of a condition in PostgreSQL and in the lake."""
        faults = self.reaching.faults
        with self.backend.ledger() as ledger:
            number = fetch(cursor, ledger, f"{theirs} AND mark < {watermark}", texts=self.full)
            self._check_ledger(ledger, [(*one, sql.format(which=theirs)) for *one, sql in _PIECE])
        check_counts(cursor, faults, set(), which)
        if self.full:
            check_rows(cursor, faults, self.remaker, set(), which)
        cursor.execute("DROP TABLE temp.records")
        self.reaching.at.done += number
        self.count(number)

    def _check_ledger(self, ledger: Cursor, queries: Any) -> None:
        """Check the consistency of the tables in PostgreSQL."""
        for what, key, sql in queries:
            for (gid,) in ledger.execute(f"{sql} LIMIT {MOST_FAULTS + 1}").fetchall():
                self.reaching.faults.add(what, int(gid), key)

    def _reached(self, place: chain.Place) -> None:
        self.reaching.at.place = place
        self.reaching.keep()

    def _check_whole(self) -> int:
        """Check what cannot be divided among the games; return their number."""
        faults = self.reaching.faults
        with self.backend.ledger() as ledger:
            self._check_ledger(ledger, _WHOLE)
            for name in bounds.tables(ledger, self.backend.catalogue):
                faults.add(name, None, "bounds")
        with self._snapshot() as (cursor, _):
            check_names(cursor, faults, set(), self.full)
            for name in rollups.wrong(cursor):
                faults.add(name, None, "sums")
            return number_of(cursor, "games")


def check_chain(
    ledger: Cursor,
    faults: Faults,
    noted: str | None,
    *,
    full: bool = True,
    until: int | None = None,
    place: chain.Place | None = None,
    reached: Callable[[chain.Place], None] = lambda _: None,
) -> str:
    """Compare the ledger with its chain, in a consistent snapshot; return the head.

    `ledger` must be at the beginning of a transaction; for the rest see
    `claimlog.store.ledger.chain.check`.
    """
    ledger.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
    return chain.check(
        pieces(ledger),
        chain.POSTGRES,
        faults,
        noted,
        full=full,
        until=until,
        place=place,
        reached=reached,
    )


def pieces(ledger: Cursor) -> chain.Rows:
    """Run queries in a transaction, fetching the rows in pieces."""

    def rows(query: str) -> Iterator[list[tuple[Any, ...]]]:
        ledger.execute(f"DECLARE asked CURSOR FOR {query}")
        while piece := ledger.execute(f"FETCH {CHUNK} FROM asked").fetchall():
            yield piece
        ledger.execute("CLOSE asked")

    return rows
