"""Move an archive from a file into PostgreSQL with a lake."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import duckdb
import msgspec

from claimlog.store.archive import Archive
from claimlog.store.backend import now, translated
from claimlog.store.file.maintenance import state_of
from claimlog.store.intake.checks import PIECE, number_of
from claimlog.store.intake.reached import begin, made_by, note, noted
from claimlog.store.intake.remaking import PIECED, counting, end_of_span, span
from claimlog.store.model import schema
from claimlog.store.model import types as t
from claimlog.store.model.errors import ArchiveError, ArchiveLocked, ArchiveUnreachable
from claimlog.store.moving.steps import (
    DECISIONS,
    MOVED,
    NAMES,
    REACHED,
    Begun,
    Move,
    Moving,
    columns_of,
    copy_kept,
    go,
    go_on,
    is_table,
    one,
    open_file,
)
from claimlog.store.postgres.backend import PostgresBackend, lake_place, quoted
from claimlog.store.postgres.checking import check_chain
from claimlog.store.postgres.connection import CLASS, MOVING, PLACE, Cursor, Postgres
from claimlog.store.questions import rollups

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from duckdb import DuckDBPyConnection

    from claimlog.store.backend import Report
    from claimlog.store.moving.steps import Last

CHUNK: Final = 20_000
"""The number of rows that are sent to PostgreSQL at once."""

INTO_LAKE: Final = 500_000
"""The approximate number of revisions whose rows one transaction brings to the lake.

Each writes a file for each table.
"""

_RECORDS: Final = (
    "game, gid, revision, digest, stored_at, who, why, source, deleted, record, mark, checksum"
)

_HEADS: Final = (
    "gid, game, revision, deleted, finished, event, date, round, tbl, seats, players, "
    "table_key, players_key, tricks_key"
)

_HEADS_OF: Final = """
SELECT last.gid, last.game, last.revision, last.deleted, result <> 0, event, date, round, tbl,
       seats, '{{' || concat_ws(',', p1, p2, p3, p4) || '}}', table_key, players_key, tricks_key
FROM (SELECT game, gid, max(revision) AS revision, arg_max(deleted, revision) AS deleted
      FROM source.main.records WHERE {which} GROUP BY game, gid) last
LEFT JOIN (SELECT * FROM source.main.games WHERE {which}) games USING (game)
"""

_DIGESTS_OF: Final = """
INSERT INTO digests SELECT DISTINCT ON (digest) digest, gid FROM records
WHERE ({which}) AND digest IS NOT NULL ORDER BY digest, stored_at
ON CONFLICT (digest) DO UPDATE SET gid = excluded.gid WHERE
(SELECT min(stored_at) FROM records WHERE gid = excluded.gid AND digest = excluded.digest) <
(SELECT min(stored_at) FROM records WHERE gid = digests.gid AND digest = digests.digest)
"""
"""SQL for PostgreSQL: a record that two games have had is that of the earlier one."""


def move(
    source: Path, address: str, lake: str | None, report: Report, last: Last, afresh: bool
) -> t.Moved:
    """See `claimlog.store.moving.move`."""
    try:
        # Opened for writing, because rows of single games may still have to be made.
        file = open_file(source, create=False)
        with Archive.of(file):
            ((created,),) = file.rows("SELECT created FROM meta")
    except ArchiveLocked as error:
        raise ArchiveError("move.source-in-use", path=source) from error
    state = state_of(source)
    fresh = Moving(source=str(created), archive=f"{made_by()} {state}", begun=now())
    with _alone(address) as (target, where):
        left = None if afresh else _left_in_postgres(target, lake)
        begun = go_on(left, fresh, where)
        backend = PostgresBackend(
            address,
            lake,
            read_only=False,
            create=not begun.continued,
            memory_limit="1GB",
            threads=None,
            half=True,
        )
        with contextlib.closing(backend):
            try:
                with contextlib.closing(backend.lake_root()) as root:
                    try:
                        root.execute(f"ATTACH {quoted(str(source))} AS source (READ_ONLY)")
                        if state_of(source) != state:
                            raise ArchiveError("move.source-in-use", path=source)
                        moving = _IntoPostgres(begun, source, backend, root, last)
                        moving.prepare(report)
                        go(moving.steps())
                        return moving.done()
                    except duckdb.Error as error:
                        raise translated(error, source) or error from error
            except Exception:
                with contextlib.suppress(ArchiveError):
                    with backend.postgres.cursor() as cursor:
                        begun_there = _is_begun(cursor)
                    if not begun_there:
                        backend.discard()
                raise


@contextlib.contextmanager
def _alone(address: str) -> Iterator[tuple[Cursor, str]]:
    """Make sure that nobody else moves an archive to this database at the same time.

    Yields a cursor over it, and its address as it is shown.
    """
    postgres = Postgres(address)
    with contextlib.closing(postgres), postgres.cursor() as cursor:
        if not cursor.execute("SELECT pg_try_advisory_lock(?, ?)", [CLASS, MOVING]).fetchone()[0]:
            raise ArchiveError("move.running")
        yield cursor, postgres.label


def _is_begun(target: Cursor) -> bool:
    """Whether a move to this database has begun, and can go on."""
    there = target.execute("SELECT to_regclass(?) IS NOT NULL", [f"claimlog.{REACHED}"])
    return bool(there.fetchone()[0])


def _left_in_postgres(target: Cursor, lake: str | None) -> Moving | None:
    """What an interrupted move has left in a database, if the lake is to be in the same place."""
    if not _is_begun(target):
        return None
    with contextlib.suppress(msgspec.MsgspecError):  # left by another claimlog
        left = noted(target, REACHED, Moving)
        place, ours = target.execute(f"SELECT lake, place = ({PLACE}) FROM meta").fetchone()
        if ours and (lake is None or lake_place(lake) == place):
            return left
    return None


class _IntoPostgres(Move):
    """A move into a half archive in PostgreSQL."""

    def __init__(
        self,
        begun: Begun,
        source: Path,
        backend: PostgresBackend,
        root: DuckDBPyConnection,
        last: Last,
    ) -> None:
        """`root` has the lake and the source attached."""
        super().__init__(begun)
        self.source = source
        self.backend = backend
        self.root = root
        self.last = last
        self.file = root.cursor()
        """For reading the source."""
        self.head = ""
        self.games = number_of(self.file, "source.main.games")
        self.revisions = number_of(self.file, "source.main.records")

    def prepare(self, report: Report) -> None:
        """Note that it has begun, or find out how far it has come."""
        at = self.begun.at
        if self.begun.continued is None:
            with self.backend.writing_lake(self.root) as lake:
                begin(lake, REACHED, at)
            with self.backend.postgres.transaction() as ledger:
                begin(ledger, REACHED, at)
        rows = 0
        if at.lake:
            rows = self.revisions
        else:
            with self.backend.writing_lake(self.root) as lake:
                if not is_table(lake, "lake", REACHED):
                    where = self.backend.where
                    raise ArchiveUnreachable("lake.lost", path=where, why=self.backend.catalogue)
                rows = noted(lake, REACHED, Moving).done

        def halved(news: t.Progress) -> None:
            """Everything is copied twice: to PostgreSQL, and to the lake."""
            if report is not None:
                report(t.Progress(done=news.done // 2, total=self.revisions))

        self.count = counting(halved, 2 * self.revisions, at.done + rows)

    def steps(self) -> Iterator[None]:
        """First the ledger, then the lake."""
        yield
        while self._copy_records():
            yield
        self._copy_decisions()
        yield
        with self.backend.postgres.transaction() as ledger:
            self.head = check_chain(
                ledger,
                self.faults,
                None,
                place=self.begun.at.checked,
                reached=self.reached,
            )
        yield
        with self.noting() as (_, at):
            complete = at.lake
        if not complete:
            while self._copy_rows():
                yield
            self._complete_lake()
            yield
            with self.noting() as (_, at):
                at.lake = True
            yield
        with self.backend.writing_lake(self.root) as lake:
            lake.execute(f"DROP TABLE IF EXISTS {REACHED}")
        yield
        self.last(self.source, self.backend)
        with self.backend.postgres.transaction() as ledger:
            ledger.execute("UPDATE progress SET mark = (SELECT last_value + 1 FROM marks)")
            ledger.execute("UPDATE meta SET mark = ?", [schema.MARK])
            ledger.execute(f"DROP TABLE {REACHED}")

    def done(self) -> t.Moved:
        """What was moved."""
        return self.moved(str(self.backend.where), self.games, self.revisions, self.head)

    @contextlib.contextmanager
    def noting(self) -> Iterator[tuple[Cursor, Moving]]:
        """What a killed process has begun to commit is waited for."""
        with self.backend.postgres.transaction() as ledger:
            ledger.execute(f"LOCK TABLE {REACHED}")
            at = noted(ledger, REACHED, Moving)
            yield ledger, at
            note(ledger, REACHED, at)

    def _copy_records(self) -> bool:
        """Copy the next piece of the ledger; return whether there was one."""
        with self.noting() as (ledger, at):
            if at.ranged:
                return False
            high = end_of_span(self.file, "source.main.records", at.low, PIECE)
            which = span(at.low, high)
            number = self._copy(
                ledger,
                "records",
                _RECORDS,
                f"SELECT {_RECORDS} FROM source.main.records WHERE {which} ORDER BY game, revision",
            )
            heads = _HEADS_OF.format(which=which)
            self._copy(ledger, "heads", _HEADS, heads, change=_with_small_round)
            ledger.execute(_DIGESTS_OF.format(which=which))
            at.low, at.ranged = high, high is None
            at.done += number
        self.count(number)
        return True

    def _copy_decisions(self) -> None:
        """Copy what people have decided, and the chain; go on with the numbers after the last."""
        with self.noting() as (ledger, at):
            if at.whole:
                return
            for name in DECISIONS:
                columns = columns_of(self.file, "source", name)
                where = MOVED.get(name, "")
                self._copy(
                    ledger, name, columns, f"SELECT {columns} FROM source.main.{name}{where}"
                )
            top, mark = one(
                self.file, "SELECT max(game), coalesce(max(mark), 0) FROM source.main.records"
            )
            if top:
                ledger.execute("SELECT setval('numbers', ?)", [top])
            ledger.execute(
                "SELECT setval('claimlog.marks', greatest(last_value, ?)) FROM claimlog.marks",
                [mark],
            )
            at.whole = True

    def _copy(
        self,
        ledger: Cursor,
        table: str,
        columns: str,
        query: str,
        change: Callable[[tuple[Any, ...]], tuple[Any, ...]] | None = None,
    ) -> int:
        """Copy the answer of a query over the source; return the number of rows."""
        self.file.execute(query)
        number = 0
        while rows := self.file.fetchmany(CHUNK):
            ledger.copy(table, columns, map(change, rows) if change else rows)
            number += len(rows)
        return number

    def _copy_rows(self) -> bool:
        """Copy the next piece of the tables to the lake; return whether there was one."""
        with self.backend.writing_lake(self.root) as lake:
            at = noted(lake, REACHED, Moving)
            if at.ranged:
                return False
            high = end_of_span(lake, "source.main.records", at.low, INTO_LAKE)
            which = span(at.low, high)
            number = number_of(lake, f"source.main.records WHERE {which}")
            for name in PIECED:
                lake.execute(f"INSERT INTO {name} BY NAME FROM source.main.{name} WHERE {which}")
            at.low, at.ranged = high, high is None
            at.done += number
            note(lake, REACHED, at)
        self.count(number)
        return True

    def _complete_lake(self) -> None:
        """Copy names and what took long to compute, and make the sums."""
        with self.backend.ledger() as ledger:
            (mark,) = ledger.execute("SELECT last_value FROM claimlog.marks").fetchone()
        with self.backend.writing_lake(self.root) as lake:
            at = noted(lake, REACHED, Moving)
            if at.whole:
                return
            for name in NAMES:
                lake.execute(f"INSERT INTO {name} BY NAME FROM source.main.{name}")
            copy_kept(lake, "source", "lake")
            rollups.make(lake)
            lake.execute("UPDATE watermark SET mark = ?", [mark + 1])
            at.whole = True
            note(lake, REACHED, at)


def _with_small_round(row: tuple[Any, ...]) -> tuple[Any, ...]:
    """A row of `heads` in PostgreSQL's form, with the round in lower case."""
    place = _HEADS.split(", ").index("round")
    name = row[place]
    return (*row[:place], name and name.lower(), *row[place + 1 :])
