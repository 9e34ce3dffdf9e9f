"""Move a whole archive from a file into PostgreSQL with a lake, or back.

The source is left as it is.  The target becomes an archive only when everything is there: a move
that failed leaves nothing, and one that was killed starts over.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import duckdb

from claimlog.store.addresses import check_move, is_address
from claimlog.store.archive import Archive
from claimlog.store.backend import translated
from claimlog.store.file.database import Database
from claimlog.store.file.maintenance import check_chain
from claimlog.store.intake.derived import insert_values
from claimlog.store.ledger import chain
from claimlog.store.model import schema
from claimlog.store.model import types as t
from claimlog.store.model.errors import ArchiveError, ArchiveLocked
from claimlog.store.model.faults import Faults
from claimlog.store.postgres.backend import PostgresBackend, quoted
from claimlog.store.postgres.checking import pieces
from claimlog.store.postgres.connection import CLASS, DECIDING, LOADING, MOVING, Postgres
from claimlog.store.postgres.maintenance import PostgresMaintenance
from claimlog.store.questions import rollups

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from duckdb import DuckDBPyConnection

    from claimlog.store.backend import LedgerCursor, Report

    Last = Callable[[Path | PostgresBackend, Path | PostgresBackend], None]

CHUNK: Final = 20_000

WAIT: Final = 60.0
"""Seconds to wait for the lake to catch up with PostgreSQL."""

DECISIONS: Final = (
    *("merges", "event_merges", "event_names", "event_settings", "acts", "settings", "chain"),
)

_MOVED: Final = {"settings": " WHERE name <> 'cards'"}
"""Conditions on the rows to move: the target already has this claimlog's card numbers."""

_RECORDS: Final = (
    "game, gid, revision, digest, stored_at, who, why, source, deleted, record, mark, checksum"
)

_HEADS: Final = (
    "gid, game, revision, deleted, finished, event, date, round, tbl, seats, players, "
    "table_key, players_key, tricks_key"
)

_HEADS_OF: Final = """
SELECT last.gid, last.game, last.revision, last.deleted, result <> 0, event, date, round, tbl,
       seats, '{' || concat_ws(',', p1, p2, p3, p4) || '}', table_key, players_key, tricks_key
FROM (SELECT game, gid, max(revision) AS revision, arg_max(deleted, revision) AS deleted
      FROM source.main.records GROUP BY game, gid) last
LEFT JOIN source.main.games USING (game)
"""

_DIGESTS_OF: Final = (
    "SELECT digest, arg_min(gid, stored_at) FROM source.main.records "
    "WHERE digest IS NOT NULL GROUP BY digest"
)


def move(
    source: str | Path,
    target: str | Path,
    *,
    lake: str | None = None,
    report: Report = None,
    last: Last = lambda *_: None,
) -> t.Moved:
    """Move an archive; one of the two is a file, the other the address of a database.

    `last` moves everything else that belongs to the archive; its arguments are the source and the
    target, each a path or a backend.  Raises ArchiveError, in particular if there already is an
    archive at `target`.
    """
    check_move(source, target)
    if is_address(source):
        return _into_file(str(source), Path(target), lake, report, last)
    return _into_postgres(Path(source), str(target), lake, report, last)


def _file(path: Path, *, create: bool) -> Database:
    return Database(path, read_only=False, create=create, memory_limit="1GB", threads=None)


# Into PostgreSQL -----------------------------------------------------------------------------


def _into_postgres(
    source: Path, address: str, lake: str | None, report: Report, last: Last
) -> t.Moved:
    try:
        # Opened for writing, because rows of single games may still have to be made.
        Archive.of(_file(source, create=False)).close()
    except ArchiveLocked as error:
        raise ArchiveError("move.source-in-use", path=source) from error
    with _alone(address):
        backend = PostgresBackend(
            address,
            lake,
            read_only=False,
            create=True,
            memory_limit="1GB",
            threads=None,
            half=True,
        )
        with contextlib.closing(backend):
            try:
                return _fill_postgres(source, backend, report, last)
            except Exception:
                with contextlib.suppress(ArchiveError):
                    backend.discard()
                raise


def _fill_postgres(source: Path, backend: PostgresBackend, report: Report, last: Last) -> t.Moved:
    """Copy everything into a half archive, and make it a whole one."""
    with contextlib.closing(backend.lake_root()) as root:
        attached = f"ATTACH {quoted(str(source))} AS source (READ_ONLY)"
        try:
            root.execute(attached)
        except duckdb.Error as error:
            raise translated(error, source) or error from error
        with backend.postgres.transaction() as ledger:
            games, revisions, mark = _fill_ledger(ledger, root, report)
            faults = Faults()
            head = chain.check(pieces(ledger), chain.POSTGRES, faults, None)
            with backend.writing_lake(root) as tables:
                for name in schema.DERIVED:
                    tables.execute(f"INSERT INTO {name} BY NAME FROM source.main.{name}")
                _copy_analyses(tables, "source.main", "lake.main")
                rollups.make(tables)
                tables.execute("UPDATE watermark SET mark = ?", [mark + 1])
            ledger.execute("UPDATE progress SET mark = ?", [mark + 1])
            last(source, backend)
            ledger.execute("UPDATE meta SET mark = ?", [schema.MARK])
        return t.Moved(
            path=str(backend.where),
            games=games,
            revisions=revisions,
            faults=faults.count,
            head=head,
        )


@contextlib.contextmanager
def _alone(address: str) -> Iterator[None]:
    """Make sure that nobody else moves an archive to this database at the same time."""
    with contextlib.closing(Postgres(address).open()) as connection:
        row = connection.execute("SELECT pg_try_advisory_lock(%s, %s)", (CLASS, MOVING)).fetchone()
        if not row or not row[0]:
            raise ArchiveError("move.running")
        yield


def _fill_ledger(ledger: Any, root: DuckDBPyConnection, report: Report) -> tuple[int, int, int]:
    """Copy the ledger of a file into empty tables of PostgreSQL.

    Returns the number of games, the number of revisions, and the highest mark.
    """
    source = root.cursor()
    games, revisions, top, mark = _one(
        source,
        "SELECT (SELECT count(*) FROM source.main.games), count(*), coalesce(max(game), 0), "
        "coalesce(max(mark), 0) FROM source.main.records",
    )

    def copy(
        table: str,
        columns: str,
        query: str,
        report: Report = None,
        change: Callable[[tuple[Any, ...]], tuple[Any, ...]] | None = None,
    ) -> None:
        source.execute(query)
        done = 0
        while rows := source.fetchmany(CHUNK):
            ledger.copy(table, columns, map(change, rows) if change else rows)
            done += len(rows)
            if report is not None:
                report(t.Progress(done=done, total=revisions))

    copy(
        "records",
        _RECORDS,
        f"SELECT {_RECORDS} FROM source.main.records ORDER BY game, revision",
        report,
    )
    copy("heads", _HEADS, _HEADS_OF, change=_with_small_round)
    copy("digests", "digest, gid", _DIGESTS_OF)
    for name in DECISIONS:
        columns = _columns(source, "source", name)
        where = _MOVED.get(name, "")
        copy(name, columns, f"SELECT {columns} FROM source.main.{name}{where}")
    if top:
        ledger.execute("SELECT setval('numbers', ?)", [top])
    (mark,) = ledger.execute(
        "SELECT setval('claimlog.marks', greatest(last_value, ?)) FROM claimlog.marks", [mark]
    ).fetchone()
    return games, revisions, mark


def _with_small_round(row: tuple[Any, ...]) -> tuple[Any, ...]:
    """A row of `heads` in PostgreSQL's form, with the round in lower case."""
    place = _HEADS.split(", ").index("round")
    name = row[place]
    return (*row[:place], name and name.lower(), *row[place + 1 :])


def _columns(cursor: DuckDBPyConnection, database: str, table: str) -> str:
    rows = cursor.execute(
        "SELECT column_name FROM duckdb_columns() WHERE database_name = ? "
        "AND table_name = ? ORDER BY column_index",
        [database, table],
    ).fetchall()
    return ", ".join(row[0] for row in rows)


def _copy_analyses(cursor: DuckDBPyConnection, source: str, target: str) -> None:
    """Copy the analyses and puzzles too, because they took long to compute."""
    for name, made in (("analyses", schema.ANALYSES), ("puzzles", schema.PUZZLES)):
        if _columns(cursor, source.partition(".")[0], name):
            cursor.execute(made.replace(name, f"{target}.{name}", 1))
            cursor.execute(f"INSERT INTO {target}.{name} FROM {source}.{name}")


def _one(cursor: DuckDBPyConnection, query: str) -> tuple[Any, ...]:
    row = cursor.execute(query).fetchone()
    assert row is not None
    return row


# Into a file ---------------------------------------------------------------------------------


def _into_file(address: str, target: Path, lake: str | None, report: Report, last: Last) -> t.Moved:
    for there in (target, Path(f"{target}.wal")):
        if there.exists():
            raise ArchiveError("move.exists", path=target)
    part = target.with_name(target.name + ".moving")
    with contextlib.ExitStack() as stack:
        archive = stack.enter_context(Archive.open(address, lake=lake, create=False))
        backend = archive.postgres
        assert backend is not None
        held = stack.enter_context(backend.postgres.transaction())
        for lock in (LOADING, DECIDING):
            held.execute("SELECT pg_advisory_xact_lock(?, ?)", [CLASS, lock])
        mark, all_revisions = held.execute(
            "SELECT coalesce(max(mark), 0), count(*) FROM records"
        ).fetchone()
        archive.bring()
        if not backend.wait(mark, WAIT):
            raise ArchiveError("move.lake-behind")
        try:
            # Those of a move that was killed.
            for left in (part, Path(f"{part}.wal")):
                left.unlink(missing_ok=True)
            _file(part, create=True).close()
            games, revisions = _fill_file(backend, held, part, report)
            if revisions != all_revisions:
                raise ArchiveError("move.lake-incomplete", number=all_revisions, known=revisions)
            with open(part, "rb+") as file:
                os.fsync(file.fileno())
            faults = Faults()
            with contextlib.closing(_file(part, create=False)) as made, made.read() as cursor:
                head = check_chain(cursor, faults, None)
            last(backend, target)
            os.replace(part, target)
        except OSError as error:
            raise translated(error, target) or error from error
        finally:
            for left in (part, Path(f"{part}.wal")):
                left.unlink(missing_ok=True)
    return t.Moved(
        path=str(target), games=games, revisions=revisions, faults=faults.count, head=head
    )


def _fill_file(
    backend: PostgresBackend, held: LedgerCursor, part: Path, report: Report
) -> tuple[int, int]:
    """Write PostgreSQL's ledger and the lake's tables into a new archive.

    Returns the number of games and the number of revisions.
    """
    with contextlib.closing(backend.lake_root()) as root:
        root.execute(f"ATTACH {quoted(str(part))} AS target")
        with backend.writing_lake(root) as cursor:
            (mark,) = _one(cursor, "SELECT max(mark) FROM watermark")
            PostgresMaintenance(backend).fetch(cursor, mark, report)
            cursor.execute(
                "INSERT INTO target.main.records FROM temp.records ORDER BY game, revision"
            )
            for name in schema.DERIVED:
                order = "player" if name == "players" else "event" if name == "events" else "game"
                cursor.execute(
                    f"INSERT INTO target.main.{name} BY NAME FROM lake.main.{name} ORDER BY {order}"
                )
            _copy_analyses(cursor, "lake.main", "target.main")
            for name in DECISIONS:
                columns = _columns(cursor, "target", name)
                rows = held.execute(f"SELECT {columns} FROM {name}").fetchall()
                insert_values(cursor, f"target.main.{name}", rows)
            counts = "SELECT (SELECT count(*) FROM {0}.games), (SELECT count(*) FROM {0}.records)"
            games, revisions = _one(cursor, counts.format("target.main"))
        root.execute("DETACH target")
    return games, revisions
