"""Maintenance: rebuild, check, back up, compact, restore."""

from __future__ import annotations

import contextlib
import functools
import os
import re
import shutil
import stat
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final

import duckdb

from claimlog.store.backend import now, translated
from claimlog.store.file.database import Database
from claimlog.store.file.journal import files_beside
from claimlog.store.file.soundness import followed, held, looking_at, restoring
from claimlog.store.intake.checks import (
    PIECE,
    check_counts,
    check_digests,
    check_names,
    check_rows,
    number_of,
)
from claimlog.store.intake.reached import Reaching
from claimlog.store.intake.rebuilding import Rebuild
from claimlog.store.intake.remaking import (
    CHUNK,
    NEXT,
    PIECED,
    Remaker,
    counting,
    create_derived,
    discard,
    drop,
    end_of_span,
    fill_names,
    span,
)
from claimlog.store.ledger import chain
from claimlog.store.model import schema
from claimlog.store.model import types as t
from claimlog.store.model.errors import ArchiveError, ArchiveLocked, ArchiveMissing, DiskFull
from claimlog.store.model.faults import Faults

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

    from duckdb import DuckDBPyConnection

    from claimlog.store.backend import Report


class FileMaintenance:
    """See `Archive`."""

    def __init__(self, database: Database) -> None:
        self.info = partial(info, database)
        self.rebuild = partial(rebuild, database)
        self.check = partial(check, database)
        self.backup = partial(backup, database)
        self.compact = partial(compact, database)


def info(database: Database) -> t.Info:
    """See `Archive.info`."""
    row = database.rows(
        """
        SELECT (SELECT max(version) FROM meta), (SELECT count(*) FROM games),
               (SELECT count(*) FROM games WHERE complete), (SELECT count(*) FROM records),
               (SELECT count(*) FROM (SELECT game FROM records GROUP BY game
                HAVING arg_max(deleted, revision))),
               (SELECT count(*) FROM players), (SELECT count(*) FROM events)
        """
    )[0]
    version, games, complete, revisions, deleted, players, events = row
    return t.Info(
        path=str(database.path),
        bytes=size_of(database.path),
        schema=version,
        read_only=database.read_only,
        games=games,
        complete=complete,
        revisions=revisions,
        deleted=deleted,
        players=players,
        events=events,
        generation=database.generation,
    )


def rebuild(database: Database, report: Report, afresh: bool) -> t.Rebuilt:
    """See `Archive.rebuild`."""
    return FileRebuild(database, report, afresh).run()


class FileRebuild(Rebuild):
    """A rebuild in a file; nobody can write during its last transaction."""

    def __init__(self, database: Database, report: Report, afresh: bool) -> None:
        super().__init__(database.spool, report, afresh)
        self.database = database

    def transaction(self) -> AbstractContextManager[DuckDBPyConnection]:
        """Nobody asks for these tables."""
        return self.database.deriving(quiet=True)

    def switching(self) -> AbstractContextManager[DuckDBPyConnection]:
        """All answers may change."""
        return self.database.transaction()

    def ledger(self, cursor: DuckDBPyConnection) -> AbstractContextManager[DuckDBPyConnection]:
        """The ledger is in the same file."""
        return contextlib.nullcontext(cursor)

    def records(self, _: DuckDBPyConnection, which: str) -> AbstractContextManager[str]:
        """All records are there."""
        return contextlib.nullcontext(which)

    def horizon(self, cursor: DuckDBPyConnection) -> int:
        """All transactions that have written are committed."""
        return _value(cursor, "SELECT coalesce(max(mark), 0) + 1 FROM records")

    def complete(self, cursor: DuckDBPyConnection, until: int) -> None:
        """Rename the tables; make those of names, the lists, views and macros."""
        for table in PIECED:
            drop(cursor, table)
            cursor.execute(f"ALTER TABLE {NEXT}{table} RENAME TO {table}")
        create_derived(cursor, but=PIECED)
        schema.make_lists(cursor)
        fill_names(cursor, "")

    def use(self) -> None:
        """They are in use."""


# Checking --------------------------------------------------------------------------------


def check(
    database: Database, report: Report, full: bool, noted: str | None, kept: Path | None
) -> t.CheckReport:
    """See `Archive.check`."""
    faults = Faults()
    database.settle(needed=True)
    with database.surveying, database.in_use.shared():
        cursor = database.cursor()
        try:
            # Writes only temporary tables, which take memory until their transaction ends.
            with database.asked(cursor):
                missing = _check_shape(cursor, faults)
                reaching = Reaching(kept, state_of(database.path), full)
                folder = database.spool / f"check{os.getpid()}-{id(cursor)}"
                since = None
                if "records" not in missing:
                    since = _value(cursor, "SELECT coalesce(max(mark), 0) FROM records")
                    _check_games(cursor, reaching, missing, folder, report)
                cursor.execute("BEGIN")
                _check_whole(cursor, reaching, missing, folder, since)
                head = ""
                if missing.isdisjoint(chain.TABLES):
                    head = check_chain(cursor, reaching.faults, noted, full)
                counts = [
                    0 if name in missing else number_of(cursor, name)
                    for name in ("games", "records")
                ]
                cursor.execute("ROLLBACK")
                reaching.forget()
        except (duckdb.Error, OSError) as error:
            raise translated(error, database.path) or error from error
        finally:
            cursor.close()
    faults.take(reaching.faults)
    return t.CheckReport(
        games=counts[0],
        revisions=counts[1],
        faults=faults.listed,
        fault_count=faults.count,
        head=head,
        continued=reaching.continued,
    )


def state_of(path: Path) -> str:
    """What is checked or moved: the file, which nobody must have written to since."""
    files = [file.stat() for file in (path, Path(f"{path}.wal")) if file.exists()]
    return " ".join(f"{file.st_ino}-{file.st_size}-{file.st_mtime_ns}" for file in files)


def _value(cursor: DuckDBPyConnection, query: str) -> int:
    """The number that a query asks for."""
    row = cursor.execute(query).fetchone()
    assert row is not None
    return int(row[0])


def _check_games(
    cursor: DuckDBPyConnection,
    reaching: Reaching,
    missing: set[str],
    folder: Path,
    report: Report,
) -> None:
    """Check the games piece by piece, each as it is at that moment."""
    at = reaching.at
    count = counting(report, number_of(cursor, "records"), at.done)
    while not at.ranged:
        cursor.execute("BEGIN")
        high = end_of_span(cursor, "records", at.low, PIECE)
        which = span(at.low, high)
        _check_piece(cursor, reaching, missing, folder, which)
        number = number_of(cursor, f"records WHERE {which}")
        cursor.execute("ROLLBACK")
        at.low, at.ranged, at.done = high, high is None, at.done + number
        count(number)
        reaching.keep()


def _check_whole(
    cursor: DuckDBPyConnection,
    reaching: Reaching,
    missing: set[str],
    folder: Path,
    since: int | None,
) -> None:
    """Check what concerns all games, and those that were written to after a mark."""
    if since is None:
        check_counts(cursor, reaching.faults, missing, "true")
    elif _value(cursor, "SELECT coalesce(max(mark), 0) FROM records") > since:
        which = f"game IN (SELECT game FROM records WHERE mark > {since})"
        _check_piece(cursor, reaching, missing, folder, which)
    if since is not None:
        check_digests(cursor, reaching.faults)
    check_names(cursor, reaching.faults, missing, reaching.at.full)


def _check_piece(
    cursor: DuckDBPyConnection,
    reaching: Reaching,
    missing: set[str],
    folder: Path,
    which: str,
) -> None:
    """Check some of the games; `folder` holds the rows made again."""
    check_counts(cursor, reaching.faults, missing, which)
    if not reaching.at.full:
        return
    folder.mkdir(parents=True, exist_ok=True)
    try:
        check_rows(cursor, reaching.faults, Remaker(folder), missing, which)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def check_chain(
    cursor: DuckDBPyConnection,
    faults: Faults,
    noted: str | None,
    full: bool = True,
    *,
    place: chain.Place | None = None,
    reached: Callable[[chain.Place], None] = lambda _: None,
) -> str:
    """Compare the ledger with its chain; return the head.

    For the rest see `claimlog.store.ledger.chain.check`.
    """

    def rows(query: str) -> Iterator[list[tuple[Any, ...]]]:
        cursor.execute(query)
        while piece := cursor.fetchmany(CHUNK):
            yield piece

    return chain.check(rows, chain.DUCKDB, faults, noted, full=full, place=place, reached=reached)


_SHAPES: Final = {
    "table": "SELECT table_name, list((column_name, data_type, is_nullable) ORDER BY column_index)"
    " FROM duckdb_columns() WHERE NOT internal AND database_name = current_database() "
    "AND table_name NOT IN (SELECT view_name FROM duckdb_views()) GROUP BY table_name",
    "view": "SELECT view_name, sql FROM duckdb_views() "
    "WHERE NOT internal AND database_name = current_database()",
    "macro": "SELECT function_name, list((parameters, macro_definition)) FROM duckdb_functions() "
    "WHERE function_type = 'macro' AND NOT internal AND database_name = current_database() "
    "GROUP BY function_name",
}
"""By kind: a query for the names and definitions in a file."""
_ALL_OF: Final = "SELECT * FROM {} ORDER BY ALL"


_BOOLEANS: Final = {"f": "false", "t": "true"}


def _plain(made: object) -> str:
    """A definition without what DuckDB 1.5 writes differently, also after it was in the log."""
    return re.sub(
        r"lambda (\w+):|\bmain\.|[() ]",
        lambda match: f"{match[1]}->" if match[1] else "",
        re.sub(r"CAST\('([ft])' AS BOOLEAN\)", lambda match: _BOOLEANS[match[1]], str(made)),
    )


def _check_shape(cursor: DuckDBPyConnection, faults: Faults) -> set[str]:
    """Compare tables, views, macros and lists with those of a new archive.

    Returns the tables that cannot be read as they should be.
    """
    missing = set()
    shapes, lists = _shape_of_new()
    for kind, sql in _SHAPES.items():
        tables = dict(cursor.execute(sql).fetchall())
        for name, right in shapes[kind].items():
            if name not in tables:
                faults.add(name, None, f"{kind}-missing")
            elif _plain(tables[name]) != right:
                faults.add(name, None, f"{kind}-shape")
            else:
                continue
            if kind == "table":
                missing.add(name)
    for name, rows in lists.items():
        if name not in missing and cursor.execute(_ALL_OF.format(name)).fetchall() != rows:
            faults.add(name, None, "list")
    return missing


@functools.cache
def _shape_of_new() -> tuple[dict[str, dict[str, str]], dict[str, list[tuple[object, ...]]]]:
    """All definitions of a new archive, by kind and name; and the rows of its lists."""
    with duckdb.connect(":memory:") as new:
        schema.create(new, now())
        shapes = {
            kind: {name: _plain(made) for name, made in new.execute(sql).fetchall()}
            for kind, sql in _SHAPES.items()
        }
        lists = {name: new.execute(_ALL_OF.format(name)).fetchall() for name in schema.LISTS}
    return shapes, lists


# Copies ------------------------------------------------------------------------------------


def _copy_to(database: Database, target: Path) -> None:
    """Write a compacted copy of what is committed now to `target`, inside the spool."""
    quoted = str(target).replace("'", "''")
    name = f"copy_{os.urandom(8).hex()}"  # others may be making one, too
    with database.in_use.shared():
        cursor = database.cursor()
        try:
            source = cursor.execute("SELECT current_database()").fetchone()
            assert source is not None
            cursor.execute(f"ATTACH '{quoted}' AS {name} (READ_WRITE)")
            try:
                cursor.execute(f'COPY FROM DATABASE "{source[0]}" TO {name}')
                cursor.execute(f"CHECKPOINT {name}")
            finally:
                with contextlib.suppress(duckdb.Error):
                    cursor.execute(f"DETACH {name}")
        except duckdb.Error as error:
            raise translated(error, target) or error from error
        finally:
            cursor.close()


def backup(database: Database, path: Path) -> int:
    """See `Archive.backup`."""
    database.check_there()
    with looking_at(path):
        if path.is_dir():
            raise ArchiveError("file.folder", path=path)
        if path.exists():
            raise ArchiveError("file.exists", path=path)
    copy = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _work_beside(database, path.absolute())
        copy = database.spool / f"backup-{os.getpid()}-{os.urandom(4).hex()}.duckdb"
        database.spool.mkdir(mode=0o700, exist_ok=True)
        with database.surveying:
            database.settle()
            _copy_to(database, copy)
        part = path.with_name(path.name + ".part")
        try:
            try:
                os.replace(copy, part)
            except OSError:  # on another disk
                shutil.copyfile(copy, part)
            _sync(part)
            shutil.copymode(database.path, part)  # which may allow nobody to write
            if path.exists():
                raise ArchiveError("file.exists", path=path)
            os.replace(part, path)
        finally:
            discard(part)
        return path.stat().st_size
    except OSError as error:
        raise translated(error, path) or error from error
    finally:
        if copy is not None:
            discard(copy, Path(f"{copy}.wal"))


def _work_beside(database: Database, target: Path) -> None:
    """Let an archive that is only read make copies where they are to go.

    Its spool is in the system's folder for temporary files, which may have less room.
    """
    if not database.read_only or database.spool in target.parents:
        return
    # If others are reading just now, that folder has to do.
    with contextlib.suppress(TimeoutError), database.in_use.exclusive(0):
        shutil.rmtree(database.spool, ignore_errors=True)
        database.spool = target.with_name(target.name + ".spool")
        shutil.rmtree(database.spool, ignore_errors=True)
        database.reopen()


def compact(database: Database, wait: float) -> tuple[int, int]:
    """See `Archive.compact`."""
    copy = database.spool / f"compact-{os.urandom(4).hex()}.duckdb"
    # Nobody may write between the copy and the swap.
    with database.surveying, database.writing():
        before = size_of(database.path)
        try:
            database.spool.mkdir(mode=0o700, exist_ok=True)
            _copy_to(database, copy)
            if size_of(copy) >= before:
                return before, before  # nothing to be gained
            _sync(copy)
            database.swap(copy, wait)
        except OSError as error:
            raise translated(error, copy) or error from error
        finally:
            discard(copy, Path(f"{copy}.wal"))
    return before, size_of(database.path)


def _sync(path: Path) -> None:
    with open(path, "rb+") as file:
        os.fsync(file.fileno())


def size_of(path: Path) -> int:
    """The size of an archive, including its log."""
    total = 0
    for part in (path, *_logs(followed(path))):
        with contextlib.suppress(OSError):
            total += part.stat().st_size
    return total


def _logs(path: Path) -> list[Path]:
    """The files beside an archive that may hold games which are not in it, if there are any."""
    return [log for log in (Path(f"{path}.wal"), *files_beside(path)) if log.exists()]


def restore(backup: Path, path: Path, force: bool) -> Path | None:
    """See `Archive.restore`."""
    with looking_at(backup):
        if not backup.is_file():
            raise ArchiveMissing("backup.missing", path=backup)
        backup = followed(backup)
    with looking_at(path):
        if path.is_dir():
            raise ArchiveError("archive.folder", path=path)
        path = followed(path)
    _read_all(backup)
    part = restoring(path)
    # A copy of a killed process's archive is complete only with its logs.
    suffixes = [log.name.removeprefix(backup.name) for log in _logs(backup)]
    parts = {suffix: Path(f"{part}{suffix}") for suffix in [*suffixes, ""]}
    kept: dict[Path, Path] = {}
    old = None
    holding = _begun(path, part)
    try:
        mode = stat.S_IMODE(path.stat().st_mode) if path.exists() else 0o600
        discard(*_logs(part))
        for suffix, one in parts.items():
            one.touch(0o600)
            shutil.copyfile(f"{backup}{suffix}", one)
            _sync(one)
            one.chmod(mode)
        logs = _logs(path)
        if path.exists() or logs:
            if not force:
                raise ArchiveError("archive.in-place", path=path)
            _refuse_open(path)
            old = _unused(path.with_name(f"{path.name}.before-{now():%Y%m%d-%H%M%S}"))
            kept = {log: Path(f"{old}{log.name.removeprefix(path.name)}") for log in logs}
            for log, name in kept.items():
                _keep(log, name)
    except BaseException as error:
        holding.close()
        discard(*parts.values(), *kept.values())
        if isinstance(error, OSError):
            raise translated(error, path) or error from error
        raise
    try:
        # Wherever this is killed, no archive is without its logs, and none has those of another:
        # the old one goes where its logs are already, the new one comes where its logs are.
        # Meanwhile there is none, and whoever opens it is refused (`check_files`).
        if old is not None and path.exists():
            os.replace(path, old)
        holding.close()
        for log in kept:
            log.unlink()
        for suffix, one in parts.items():
            os.replace(one, f"{path}{suffix}")
    except OSError as error:
        holding.close()
        if path.exists():  # it could not be moved away
            discard(*parts.values(), *kept.values())
        raise translated(error, path) or error from error
    return old


def _begun(path: Path, part: Path) -> BinaryIO:
    """Begin the copy that is to become an archive; nobody deletes it until this is closed."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = held(part, os.O_CREAT)
        if file is not None:
            part.chmod(0o600)  # it may have been left behind
    except OSError as error:
        raise translated(error, path) or error from error
    if file is None:
        raise ArchiveLocked("archive.restoring-now", path=path, part=part)
    return file


def _keep(log: Path, name: Path) -> None:
    """Give a log another name besides its own; a copy, where the file system has only one name."""
    try:
        os.link(log, name)
    except OSError:
        shutil.copy2(log, name)
        _sync(name)


def _unused(path: Path) -> Path:
    """The path of an archive that is not there yet: this one, or with a number."""
    number, free = 1, path
    while free.exists() or _logs(free):
        number += 1
        free = Path(f"{path}-{number}")
    return free


def _read_all(path: Path) -> None:
    """Read every block of an archive, also an older one; raises ArchiveDamaged if that fails."""
    database = Database(
        path, read_only=True, create=False, memory_limit="512MB", threads=1, older=True
    )
    try:
        for (table,) in database.rows("SELECT table_name FROM duckdb_tables()"):
            database.rows(f'SELECT bit_xor(hash(everything)) FROM "{table}" everything')
    finally:
        database.close()


def _refuse_open(path: Path) -> None:
    """Raise ArchiveLocked if a process, also this one, has the archive open."""
    if not path.exists():
        return
    try:
        # Opened read-only: a damaged file is to be kept as it is.
        duckdb.connect(str(path), read_only=True).close()
    except duckdb.Error as error:
        kind = translated(error, path)
        if isinstance(kind, ArchiveLocked):
            raise kind from error
        if isinstance(kind, DiskFull):
            raise kind from error
