"""Move an archive from PostgreSQL with its lake into a file."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import TYPE_CHECKING, Final

import duckdb
import msgspec

from claimlog.store.archive import Archive
from claimlog.store.backend import let_go, now, translated
from claimlog.store.file.maintenance import check_chain
from claimlog.store.file.soundness import check_files
from claimlog.store.intake.checks import PIECE, number_of
from claimlog.store.intake.derived import insert_values
from claimlog.store.intake.reached import begin, made_by, note, noted
from claimlog.store.intake.remaking import PIECED, changed, counting, end_of_span, span, spans
from claimlog.store.ledger import chain
from claimlog.store.model import schema
from claimlog.store.model.errors import ArchiveDamaged, ArchiveError, ArchiveLocked, DiskFull
from claimlog.store.moving.steps import (
    DECISIONS,
    KEPT,
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
from claimlog.store.postgres.backend import quoted
from claimlog.store.postgres.checking import pieces
from claimlog.store.postgres.connection import CLASS, DECIDING, LOADING, PLACE, Cursor
from claimlog.store.postgres.fetching import fetch

if TYPE_CHECKING:
    from collections.abc import Iterator

    from duckdb import DuckDBPyConnection

    from claimlog.store.backend import Report
    from claimlog.store.model import types as t
    from claimlog.store.moving.steps import Last
    from claimlog.store.postgres.backend import PostgresBackend

INTO_FILE: Final = 50_000
"""The approximate number of revisions that one transaction brings to a file, with their rows."""

WAIT: Final = 60.0
"""Seconds to wait for the lake to catch up with PostgreSQL."""


def move(
    address: str, target: Path, lake: str | None, report: Report, last: Last, afresh: bool
) -> t.Moved:
    """See `claimlog.store.moving.move`."""
    _refuse(target)
    part = target.with_name(target.name + ".moving")
    with contextlib.ExitStack() as stack:
        archive = stack.enter_context(Archive.open(address, lake=lake, create=False))
        backend = archive.postgres
        assert backend is not None
        held = stack.enter_context(backend.postgres.transaction())
        for lock in (LOADING, DECIDING):
            held.execute("SELECT pg_advisory_xact_lock(?, ?)", [CLASS, lock])
        mark, revisions = held.execute(
            "SELECT coalesce(max(mark), 0), count(*) FROM records"
        ).fetchone()
        archive.bring()
        if not backend.wait(mark, WAIT):
            raise ArchiveError("move.lake-behind")
        root = stack.enter_context(contextlib.closing(backend.lake_root()))
        with backend.writing_lake(root) as cursor:
            fresh = _source_in_lake(backend, held, cursor, mark)
        try:
            begun = _open_part(root, held, part, fresh, afresh)
            moving = _IntoFile(begun, backend, held, root, target, part, last)
            moving.count = counting(report, revisions, begun.at.done)
            go(moving.steps())
        except duckdb.Error as error:
            raise translated(error, part) or error from error
        except OSError as error:
            raise translated(error, target) or error from error
        return moving.moved(str(target), moving.games, revisions, moving.head)


def _refuse(target: Path) -> None:
    """Raise ArchiveError if there is anything in the target's place."""
    for there in (target, Path(f"{target}.wal")):
        if there.exists():
            raise ArchiveError("move.exists", path=target)


def _source_in_lake(
    backend: PostgresBackend, held: Cursor, cursor: DuckDBPyConnection, mark: int
) -> Moving:
    """A new move from PostgreSQL, whose lake must have everything up to a mark."""
    (has,) = one(cursor, "SELECT max(mark) FROM watermark")
    if has <= mark:
        known, number = held.execute(
            "SELECT count(*) FILTER (WHERE mark < ?), count(*) FROM records", [has]
        ).fetchone()
        raise ArchiveError("move.lake-incomplete", number=number, known=known)
    created, place = held.execute(f"SELECT created, ({PLACE}) FROM meta").fetchone()
    # A rebuild replaces the tables.
    (tables,) = one(
        cursor, "SELECT table_uuid FROM ducklake_table_info('lake') WHERE table_name = 'games'"
    )
    return Moving(
        source=f"{place} {created}",
        archive=f"{made_by()} {backend.catalogue} {tables}",
        begun=now(),
        since=mark + 1,
        place=chain.end(held),
    )


def _open_part(
    root: DuckDBPyConnection, held: Cursor, part: Path, fresh: Moving, afresh: bool
) -> Begun:
    """Attach the half file as ``target``: the one that an interrupted move has left, or a new one.

    Whatever no move can go on with is overwritten: only moves use such a name.
    """
    cursor = root.cursor()
    table = f"target.main.{REACHED}"
    left = _attach_left(cursor, part)
    same = left is not None and chain.knows(held, left.place)  # or an older ledger was restored
    begun = go_on(None if afresh else left, fresh, part, same)
    if begun.continued is None:
        cursor.execute("DETACH DATABASE IF EXISTS target")
        for old in (part, Path(f"{part}.wal")):
            old.unlink(missing_ok=True)
        open_file(part, create=True, half=True).close()
        _attach(cursor, part)
    cursor.execute("BEGIN")
    if begun.continued is None:
        begin(cursor, table, begun.at)
    else:
        # What is copied from now on may be newer than the chain was when the move began.
        begun.at.place = fresh.place
        note(cursor, table, begun.at)
    cursor.execute("COMMIT")
    return begun


def _attach(cursor: DuckDBPyConnection, part: Path) -> None:
    cursor.execute(f"ATTACH {quoted(str(part))} AS target")


def _attach_left(cursor: DuckDBPyConnection, part: Path) -> Moving | None:
    """Attach a half file, if there is one; return how far the move has come that has left it."""
    if not part.exists():
        return None
    try:
        try:
            check_files(part)
            _attach(cursor, part)
        except duckdb.Error as error:
            raise translated(error, part) or error from error
    except ArchiveDamaged:
        return None
    except ArchiveLocked as error:
        raise ArchiveError("move.running") from error
    if is_table(cursor, "target", REACHED):
        with contextlib.suppress(msgspec.MsgspecError):  # of another claimlog
            return noted(cursor, f"target.main.{REACHED}", Moving)
    return None


class _IntoFile(Move):
    """A move into a half file; nobody can write to its source meanwhile."""

    def __init__(
        self,
        begun: Begun,
        backend: PostgresBackend,
        held: Cursor,
        root: DuckDBPyConnection,
        target: Path,
        part: Path,
        last: Last,
    ) -> None:
        """`held` keeps others from writing; `root` has the lake and the half file attached."""
        super().__init__(begun)
        self.backend = backend
        self.held = held
        self.root = root
        self.target = target
        self.part = part
        self.last = last
        (self.until,) = held.execute("SELECT coalesce(max(mark), 0) + 1 FROM records").fetchone()
        self.head = ""
        self.games = 0

    def steps(self) -> Iterator[None]:
        """First the games, then what concerns all of them."""
        yield
        while self._copy_next():
            # DuckDB would keep what it has written in its memory.
            self.root.execute("DETACH target")
            _attach(self.root, self.part)
            yield
        self._copy_whole()
        yield
        with contextlib.closing(self.root.cursor()) as cursor:
            cursor.execute("SET search_path = 'target.main'")
            self.head = check_chain(
                cursor, self.faults, None, place=self.begun.at.checked, reached=self.reached
            )
            self.games = number_of(cursor, "games")
            cursor.execute("CHECKPOINT target")
        yield
        self.last(self.backend, self.target)
        self._finish()

    @contextlib.contextmanager
    def noting(self) -> Iterator[tuple[DuckDBPyConnection, Moving]]:
        """What does not fit on the disk is the file's, everything else the lake's."""
        cursor = self.root.cursor()
        try:
            cursor.execute("BEGIN")
            at = noted(cursor, f"target.main.{REACHED}", Moving)
            yield cursor, at
            note(cursor, f"target.main.{REACHED}", at)
            cursor.execute("COMMIT")
        except duckdb.Error as error:
            if isinstance(full := translated(error, self.part), DiskFull):
                raise full from error
            raise self.backend.not_there(error, "lake.silent") from error
        finally:
            let_go(cursor)

    def _copy_next(self) -> bool:
        """Copy the next piece; return whether there was one."""
        with self.noting() as (cursor, at):
            if not at.ranged:
                high = end_of_span(self.held, "records", at.low, INTO_FILE)
                which = span(at.low, high)
                at.low, at.ranged = high, high is None
            elif at.since < self.until:
                # These may have changed since they were copied.
                games, at.since = changed(self.held, at.since, self.until, PIECE)
                which = f"game IN ({', '.join(map(str, games))})" if games else "false"
                for name in ("records", *PIECED):
                    cursor.execute(f"DELETE FROM target.main.{name} WHERE {which}")
            else:
                return False
            number = self._copy(cursor, which)
            at.done += number
        self.count(number)
        return True

    def _copy(self, cursor: DuckDBPyConnection, which: str) -> int:
        """Copy the games of a condition; return the number of revisions."""
        number = 0
        for part in list(
            spans(self.held, f"(SELECT game FROM records WHERE {which}) piece", PIECE)
        ):
            number += fetch(cursor, self.held, f"({which}) AND {part}")
            cursor.execute(
                "INSERT INTO target.main.records FROM temp.records ORDER BY game, revision"
            )
        cursor.execute("DROP TABLE temp.records")
        for name in PIECED:
            cursor.execute(
                f"INSERT INTO target.main.{name} BY NAME "
                f"SELECT * FROM lake.main.{name} WHERE {which} ORDER BY game"
            )
        return number

    def _copy_whole(self) -> None:
        """Copy names, decisions, the chain, and what took long to compute; they may be there."""
        with self.noting() as (cursor, at):
            at.whole = True
            for name, key in NAMES.items():
                cursor.execute(f"DELETE FROM target.main.{name}")
                cursor.execute(
                    f"INSERT INTO target.main.{name} BY NAME FROM lake.main.{name} ORDER BY {key}"
                )
            for name in KEPT:
                cursor.execute(f"DROP TABLE IF EXISTS target.main.{name}")
            copy_kept(cursor, "lake", "target")
            for name in DECISIONS:
                cursor.execute(f"DELETE FROM target.main.{name}{MOVED.get(name, '')}")
                columns = columns_of(cursor, "target", name)
                for rows in pieces(self.held)(f"SELECT {columns} FROM {name}"):
                    insert_values(cursor, f"target.main.{name}", rows)

    def _finish(self) -> None:
        """Make the file an archive, in its place."""
        _refuse(self.target)
        cursor = self.root.cursor()
        cursor.execute("BEGIN")
        cursor.execute(f"DROP TABLE target.main.{REACHED}")
        cursor.execute("UPDATE target.main.meta SET mark = ?", [schema.MARK])
        cursor.execute("COMMIT")
        cursor.execute("CHECKPOINT target")
        cursor.execute("DETACH target")
        if Path(f"{self.part}.wal").exists():
            raise ArchiveError("archive.log-not-applied")
        with open(self.part, "rb+") as file:
            os.fsync(file.fileno())
        os.replace(self.part, self.target)
