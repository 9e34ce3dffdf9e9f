"""Upkeep: rebuilding, checking, backup, compaction, restoring."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import duckdb

from claimlog.notation.reader import Block, sheets_of
from claimlog.notation.sheet import Sheet
from claimlog.store.backend import now, translated
from claimlog.store.file.database import Database
from claimlog.store.file.intake import (
    EVERY_ORDER,
    ROWS,
    events_sql,
    every_sql,
    names_sql,
    seats_sql,
)
from claimlog.store.intake.batch import PARTS
from claimlog.store.intake.encode import Encoder
from claimlog.store.intake.storing import READ_GAMES, READ_ROWS
from claimlog.store.ledger import chain
from claimlog.store.model import schema
from claimlog.store.model import types as t
from claimlog.store.model.errors import (
    ArchiveError,
    ArchiveLocked,
    ArchiveMissing,
    DiskFull,
)
from claimlog.store.model.ids import write_id

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from duckdb import DuckDBPyConnection

    Report = Callable[[t.Progress], None] | None

CHUNK: Final = 5000
MOST_FAULTS: Final = 100


def _discard(*paths: Path) -> None:
    for path in paths:
        with contextlib.suppress(OSError):
            path.unlink()


class Remaker:
    """Judges stored records again and makes their rows."""

    def __init__(self, folder: Path) -> None:
        """The rows go through files in `folder`."""
        self.encoder = Encoder()
        # What is stored stays, whatever limits came later.
        self.encoder.any_length = True
        self.sheet = Sheet()
        stem = f"remake-{os.urandom(4).hex()}"
        self.paths = [folder / f"{stem}.{part}" for part in PARTS]

    def discard(self) -> None:
        """Delete the files of rows."""
        _discard(*self.paths)

    def make(self, records: list[tuple[int, str]]) -> list[tuple[int, str]]:
        """Write the rows of records, as (place, text); returns what is wrong with which."""
        encoder = self.encoder
        faults = []
        for place, text in records:
            data = text.encode()
            sheets = 0
            for sheet, line in sheets_of(Block(data, 1), self.sheet):
                sheets += 1
                if sheets > 1:
                    break
                if not encoder.encode(sheet, place):
                    faults.append((place, "the record is not legal: " + _first(encoder, line)))
                elif encoder.record != data:
                    faults.append((place, "the record is not in canonical form"))
            if sheets != 1:
                faults.append((place, "the record is not one game"))
        for path, rows in zip(
            self.paths,
            (encoder.take_games(), encoder.take_tricks(), encoder.take_factions()),
            strict=True,
        ):
            path.write_bytes(rows)
        return faults


def _first(encoder: Encoder, line: int) -> str:
    found = encoder.found(line)
    return str(getattr(found[0], "message", "")) if found else ""


def _chunks(
    cursor: DuckDBPyConnection,
) -> Iterator[list[tuple[int, int, bool, str]]]:
    """All revisions that have a record, as (game, revision, whether current, record)."""
    top = cursor.execute("SELECT coalesce(max(game), 0) FROM records").fetchone()
    assert top is not None
    for low in range(1, top[0] + 1, CHUNK):
        yield cursor.execute(
            "SELECT game, revision, revision = max(revision) OVER (PARTITION BY game), record "
            "FROM records WHERE game BETWEEN ? AND ? "
            "QUALIFY record IS NOT NULL ORDER BY game, revision",
            [low, low + CHUNK - 1],
        ).fetchall()


def _fill(
    cursor: DuckDBPyConnection, remaker: Remaker, prefix: str, report: Report
) -> Iterator[tuple[int, int, str]]:
    """Make the derived rows of all records into tables whose names begin with `prefix`.

    Yields (game, revision, what is wrong) of records that are not what they should be.
    """
    count = cursor.execute("SELECT count(*) FROM records WHERE record IS NOT NULL").fetchone()
    assert count is not None
    done = 0
    for rows in _chunks(cursor):
        for place, message in remaker.make([(i, row[3]) for i, row in enumerate(rows)]):
            yield rows[place][0], rows[place][1], message
        fill_chunk(cursor, remaker, prefix, rows)
        done += len(rows)
        if report is not None:
            report(t.Progress(done=done, total=count[0]))


def fill_chunk(
    cursor: DuckDBPyConnection,
    remaker: Remaker,
    prefix: str,
    rows: list[tuple[int, int, bool, str]],
) -> None:
    """Insert the rows that were made of records: (game, revision, whether current, record)."""
    cursor.execute(
        f"CREATE OR REPLACE TEMP TABLE batch AS SELECT * FROM {READ_GAMES}",
        [str(remaker.paths[0])],
    )
    cursor.execute(
        "CREATE OR REPLACE TEMP TABLE place AS SELECT unnest(?::INTEGER[]) AS i, "
        "unnest(?::BIGINT[]) AS game, unnest(?::SMALLINT[]) AS revision, "
        "unnest(?::BOOLEAN[]) AS current",
        [
            list(range(len(rows))),
            [row[0] for row in rows],
            [row[1] for row in rows],
            [row[2] for row in rows],
        ],
    )
    columns = ", ".join(f"batch.{name}" for name, _ in schema.GAME)
    head = "records.game, records.gid, records.revision, batch.digest, records.stored_at"
    joined = (
        "FROM batch JOIN place USING (i) JOIN records "
        "ON records.game = place.game AND records.revision = place.revision"
    )
    cursor.execute(
        f"INSERT INTO {prefix}games SELECT {head}, {columns} {joined} WHERE current ORDER BY i"
    )
    cursor.execute(
        f"INSERT INTO {prefix}games_before SELECT {head}, "
        "(SELECT min(stored_at) FROM records later WHERE later.game = records.game "
        f"AND later.revision = records.revision + 1), {columns} {joined} "
        "WHERE NOT current ORDER BY i"
    )
    for (table, columns, _), file in zip(ROWS, remaker.paths[1:], strict=True):
        cursor.execute(
            f"INSERT INTO {prefix}{table} SELECT number, {columns} FROM {READ_ROWS} "
            "JOIN (SELECT i AS game, game AS number FROM place WHERE current) USING (game)",
            [str(file)],
        )


class FileUpkeep:
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


def rebuild(database: Database, report: Report) -> t.Rebuilt:
    """See `Archive.rebuild`."""
    with database.transaction() as cursor:
        faults = remake(database, cursor, report)
        games = number_of(cursor, "games")
    return t.Rebuilt(games=games, faults=faults.listed, fault_count=faults.count)


def remake(database: Database, cursor: DuckDBPyConnection, report: Report) -> Faults:
    """Make everything derived again; returns what is wrong with the records.

    A record that is not legal any more stays, and its game is in no other table.
    """
    views = {row[0] for row in cursor.execute("SELECT view_name FROM duckdb_views()").fetchall()}
    for name, statement in schema.DERIVED.items():
        cursor.execute(f"DROP {'VIEW' if name in views else 'TABLE'} IF EXISTS {name}")
        cursor.execute(statement)
    schema.make_lists(cursor)
    return fill(cursor, database.spool, report)


def fill(cursor: DuckDBPyConnection, folder: Path, report: Report) -> Faults:
    """Fill empty tables from the records."""
    faults = Faults()
    folder.mkdir(mode=0o700, exist_ok=True)
    remaker = Remaker(folder)
    try:
        for game, revision, message in _fill(cursor, remaker, "", report):
            faults.add("records", _gid_of(cursor, game), f"revision {revision}: {message}")
    finally:
        remaker.discard()
    _fill_names(cursor, "")
    return faults


def _gid_of(cursor: DuckDBPyConnection, game: int) -> int | None:
    row = cursor.execute("SELECT gid FROM records WHERE game = ? LIMIT 1", [game]).fetchone()
    return None if row is None else int(row[0])


def _fill_names(cursor: DuckDBPyConnection, prefix: str) -> None:
    """Make the players and events of all revisions, as `intake.insert_names` adds them."""
    cursor.execute(f"CREATE OR REPLACE TEMP TABLE every AS {every_sql(prefix)}")
    names, events = names_sql("every", EVERY_ORDER), events_sql("every", EVERY_ORDER)
    cursor.execute(f"INSERT INTO {prefix}players {names} ORDER BY player")
    cursor.execute(f"INSERT INTO {prefix}events {events} ORDER BY event")
    cursor.execute("DROP TABLE every")


# Checking --------------------------------------------------------------------------------


class Faults:
    """What was found to disagree: the first ones, and how many there are."""

    def __init__(self) -> None:
        self.listed: list[t.Fault] = []
        self.count = 0

    def add(self, what: str, gid: int | None, message: str) -> None:
        """Add one, of the game with this id if it is a game's."""
        self.count += 1
        if len(self.listed) < MOST_FAULTS:
            id = None if gid is None else write_id(gid)
            self.listed.append(t.Fault(what=what, id=id, message=message))


_COUNTS: Final = (
    (
        "games",
        "a game stands in one table and not in the other",
        """SELECT coalesce(a.gid, b.gid) FROM
           (SELECT game, gid, max(revision) AS revision, arg_max(deleted, revision) AS deleted
            FROM records GROUP BY game, gid HAVING NOT arg_max(deleted, revision)) a
           FULL JOIN games b ON a.game = b.game AND a.revision = b.revision AND a.gid = b.gid
           WHERE a.game IS NULL OR b.game IS NULL""",
    ),
    (
        "games",
        "a game stands there more than once",
        "SELECT any_value(gid) FROM games GROUP BY game HAVING count(*) > 1",
    ),
    (
        "records",
        "the revisions are not numbered from 1 on",
        """SELECT any_value(gid) FROM records GROUP BY game
           HAVING count(*) <> max(revision) OR min(revision) <> 1
           OR count(DISTINCT revision) <> count(*) OR count(DISTINCT gid) <> 1""",
    ),
    (
        "records",
        "two games have the same record",
        """SELECT any_value(gid) FROM records WHERE digest IS NOT NULL
           GROUP BY digest HAVING count(DISTINCT game) > 1""",
    ),
    (
        "tricks",
        "the tricks are not as many as the game has",
        """SELECT gid FROM games LEFT JOIN
           (SELECT game, count(*) AS number FROM tricks GROUP BY game) USING (game)
           WHERE coalesce(number, 0) <> tricks""",
    ),
    (
        "tricks",
        "there are tricks without a game",
        "SELECT NULL FROM tricks ANTI JOIN games USING (game) GROUP BY game",
    ),
    (
        "factions_won",
        "the counts are not those of the deck",
        """SELECT gid FROM games LEFT JOIN
           (SELECT game, bit_or(1::INTEGER << faction) AS deck, count(*) AS number
            FROM factions_won GROUP BY game) f USING (game)
           WHERE CASE WHEN won1 IS NULL THEN f.deck IS NOT NULL
                 ELSE f.deck IS DISTINCT FROM games.deck OR number <> bit_count(games.deck) END""",
    ),
    (
        "factions_won",
        "there are counts without a game",
        "SELECT NULL FROM factions_won ANTI JOIN games USING (game) GROUP BY game",
    ),
    (
        "players",
        "a player is missing",
        """SELECT NULL FROM (SELECT unnest([p1, p2, p3, p4]) AS player FROM games)
           ANTI JOIN players USING (player) WHERE player IS NOT NULL""",
    ),
    (
        "events",
        "an event is missing",
        "SELECT NULL FROM games ANTI JOIN events USING (event) WHERE event IS NOT NULL",
    ),
    (
        "players",
        "a player stands there more than once",
        "SELECT NULL FROM players GROUP BY player HAVING count(*) > 1",
    ),
    (
        "events",
        "an event stands there more than once",
        "SELECT NULL FROM events GROUP BY event HAVING count(*) > 1",
    ),
)


def check(database: Database, report: Report, full: bool, noted: str | None) -> t.CheckReport:
    """See `Archive.check`."""
    faults = Faults()
    database.settle(needed=True)
    with database.in_use.shared():
        cursor = database.cursor()
        try:
            # Nothing is written but temporary tables; all is seen as of this moment.
            with database.asked(cursor):
                cursor.execute("BEGIN")
                missing = _check_shape(cursor, faults)
                check_counts(cursor, faults, missing)
                head = ""
                if missing.isdisjoint(chain.TABLES):
                    head = check_chain(cursor, faults, noted, full)
                if full and "records" not in missing:
                    folder = database.spool / f"check{os.getpid()}-{id(cursor)}"
                    check_all(cursor, faults, folder, report, missing)
                counts = [
                    0 if name in missing else number_of(cursor, name)
                    for name in ("games", "records")
                ]
                cursor.execute("ROLLBACK")
        except duckdb.Error as error:
            raise translated(error, database.path) or error from error
        finally:
            cursor.close()
    return t.CheckReport(
        games=counts[0],
        revisions=counts[1],
        faults=faults.listed,
        fault_count=faults.count,
        head=head,
    )


def check_chain(
    cursor: DuckDBPyConnection, faults: Faults, noted: str | None, full: bool = True
) -> str:
    """Compare what the archive was told with its chain; returns the head."""

    def rows(query: str) -> Iterator[list[tuple[Any, ...]]]:
        cursor.execute(query)
        while piece := cursor.fetchmany(CHUNK):
            yield piece

    return chain.check(rows, chain.DUCKDB, faults, noted, full=full)


def check_counts(cursor: DuckDBPyConnection, faults: Faults, missing: set[str]) -> None:
    """Count what must agree, in the tables that are not missing."""
    for what, message, sql in _COUNTS:
        if any(re.search(rf"\b{name}\b", sql) for name in missing):
            continue
        for row in cursor.execute(sql).fetchmany(MOST_FAULTS + 1):
            faults.add(what, row[0], message)


def number_of(cursor: DuckDBPyConnection, table: str) -> int:
    """How many rows a table has."""
    row = cursor.execute(f"SELECT count(*) FROM {table}").fetchone()
    assert row is not None
    return int(row[0])


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
"""By kind: the names of what is in a file, and how each is made."""


def _plain(made: object) -> str:
    """How something is made, but for what DuckDB 1.5 writes otherwise once it was in the log."""
    return re.sub(
        r"lambda (\w+):|[() ]", lambda found: f"{found[1]}->" if found[1] else "", str(made)
    )


def _check_shape(cursor: DuckDBPyConnection, faults: Faults) -> set[str]:
    """Compare tables, views, macros and lists with those of a new archive.

    Returns the tables that cannot be read as they should be.
    """
    missing = set()
    with duckdb.connect(":memory:") as new:
        schema.create(new, now())
        for kind, sql in _SHAPES.items():
            found = dict(cursor.execute(sql).fetchall())
            for name, wanted in new.execute(sql).fetchall():
                if name not in found:
                    faults.add(name, None, f"the {kind} is missing")
                elif _plain(found[name]) != _plain(wanted):
                    faults.add(name, None, f"the {kind} is not made as it should be")
                else:
                    continue
                if kind == "table":
                    missing.add(name)
        for name in schema.LISTS:
            everything = f"SELECT * FROM {name} ORDER BY ALL"
            if name not in missing and (
                cursor.execute(everything).fetchall() != new.execute(everything).fetchall()
            ):
                faults.add(name, None, "the list is not what this claimlog writes")
    return missing


def check_all(
    cursor: DuckDBPyConnection,
    faults: Faults,
    folder: Path,
    report: Report,
    missing: set[str],
) -> None:
    """Judge every record again and compare all rows; `folder` is for what is made anew."""
    folder.mkdir(parents=True, exist_ok=True)
    try:
        for table in schema.DERIVED:
            cursor.execute(
                schema.DERIVED[table].replace(
                    f"TABLE {table}", f"OR REPLACE TEMP TABLE remade_{table}"
                )
            )
        for gid, revision in cursor.execute(
            "SELECT gid, revision FROM records WHERE digest IS NOT NULL AND "
            "(digest <> unhex(sha256(record)) "
            "OR key <> ('0x' || substr(hex(digest), 1, 16))::UBIGINT)"
        ).fetchall():
            faults.add("records", gid, f"revision {revision} does not have its digest")
        for gid, revision in cursor.execute(
            "SELECT gid, revision FROM records WHERE (digest IS NULL) <> deleted "
            "OR (record IS NULL) <> deleted OR (key IS NULL) <> deleted"
        ).fetchall():
            faults.add("records", gid, f"revision {revision} is neither a record nor a deletion")
        for game, revision, message in _fill(cursor, Remaker(folder), "remade_", report):
            faults.add("records", _gid_of(cursor, game), f"revision {revision}: {message}")
        _fill_names(cursor, "remade_")
        named = ("games", "games_before")  # where the names of players and events come from
        for table in schema.DERIVED:
            if table not in missing:
                _compare(cursor, faults, table)
            if table not in named:
                cursor.execute(f"DROP TABLE remade_{table}")
        for table in named:
            cursor.execute(f"DROP TABLE remade_{table}")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _compare(cursor: DuckDBPyConnection, faults: Faults, table: str) -> None:
    """Compare a derived table with what the records give."""
    key = {"players": "player", "events": "event"}.get(table, "game")
    columns = "*" if key == "game" else "* EXCLUDE (name)"
    differing = cursor.execute(
        # All rows of both are read once: those that both have, as often as each other, cancel out.
        f"SELECT {key}, bool_or(more > 0), bool_or(more < 0) FROM "
        f"(SELECT COLUMNS(* EXCLUDE (side)), sum(side) AS more FROM "
        f"(SELECT {columns}, 1 AS side FROM {table} "
        f"UNION ALL SELECT {columns}, -1 FROM remade_{table}) GROUP BY ALL HAVING more <> 0) "
        f"GROUP BY {key} LIMIT {MOST_FAULTS + 1}"
    ).fetchall()
    for which, message in (
        (1, "a row is not what the record says"),
        (2, "a row that the record asks for is missing"),
    ):
        for row in differing:
            number = row[0]
            if not row[which]:
                continue
            if key == "game":
                faults.add(table, None if number is None else _gid_of(cursor, number), message)
            else:
                faults.add(table, number, message.replace("the record", "the records"))
    if key != "game":
        for number in _misnamed(cursor, table, key):
            faults.add(table, number, "the name is none that the records give")


def _misnamed(cursor: DuckDBPyConnection, table: str, key: str) -> list[int]:
    """Players or events whose name no record has: which of them is shown may change with time."""
    given = (
        seats_sql("every", EVERY_ORDER)
        if key == "player"
        else "SELECT event, event_name AS name FROM every WHERE event IS NOT NULL"
    )
    rows = cursor.execute(
        f"WITH every AS ({every_sql('remade_')}) "
        f"SELECT {key} FROM {table} SEMI JOIN remade_{table} USING ({key}) "
        f"ANTI JOIN ({given}) given ON given.{key} = {table}.{key} "
        f"AND given.name IS NOT DISTINCT FROM {table}.name LIMIT {MOST_FAULTS + 1}"
    ).fetchall()
    return [int(number) for (number,) in rows]


# Copies ------------------------------------------------------------------------------------


def _copy_to(database: Database, target: Path) -> None:
    """Write a compacted copy of what is committed now to `target`, inside the spool."""
    quoted = str(target).replace("'", "''")
    with database.in_use.shared():
        cursor = database.cursor()
        try:
            source = cursor.execute("SELECT current_database()").fetchone()
            assert source is not None
            cursor.execute(f"ATTACH '{quoted}' AS the_copy (READ_WRITE)")
            try:
                cursor.execute(f'COPY FROM DATABASE "{source[0]}" TO the_copy')
                cursor.execute("CHECKPOINT the_copy")
            finally:
                with contextlib.suppress(duckdb.Error):
                    cursor.execute("DETACH the_copy")
        except duckdb.Error as error:
            raise translated(error, target) or error from error
        finally:
            cursor.close()


def backup(database: Database, path: Path) -> int:
    """See `Archive.backup`."""
    database.settle()
    if path.is_dir():
        raise ArchiveError(f"{path} is a folder: give the name of the file to write")
    if path.exists():
        raise ArchiveError(f"there is a file at {path} already")
    folder = database.spool
    copy = folder / f"backup-{os.getpid()}-{os.urandom(4).hex()}.duckdb"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        _copy_to(database, copy)
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(path.name + ".part")
        try:
            shutil.copyfile(copy, part)
            shutil.copymode(database.path, part)
            _sync(part)
            if path.exists():
                raise ArchiveError(f"there is a file at {path} already")
            os.replace(part, path)
        finally:
            _discard(part)
        return path.stat().st_size
    except OSError as error:
        raise translated(error, path) or error from error
    finally:
        _discard(copy, Path(f"{copy}.wal"))


def compact(database: Database, wait: float) -> tuple[int, int]:
    """See `Archive.compact`."""
    copy = database.spool / f"compact-{os.urandom(4).hex()}.duckdb"
    # From the copy to the swap nobody may write.
    with database.writing():
        before = size_of(database.path)
        try:
            database.spool.mkdir(mode=0o700, exist_ok=True)
            _copy_to(database, copy)
            if size_of(copy) >= before:
                return before, before  # nothing is to be gained
            _sync(copy)
            database.swap(copy, wait)
        except OSError as error:
            raise translated(error, copy) or error from error
        finally:
            _discard(copy, Path(f"{copy}.wal"))
    return before, size_of(database.path)


def _sync(path: Path) -> None:
    with open(path, "rb+") as file:
        os.fsync(file.fileno())


def size_of(path: Path) -> int:
    """The size of an archive with its log."""
    total = 0
    for part in (path, Path(f"{path}.wal")):
        with contextlib.suppress(OSError):
            total += part.stat().st_size
    return total


def restore(backup: Path, path: Path, force: bool) -> Path | None:
    """See `Archive.restore`."""
    if not backup.is_file():
        raise ArchiveMissing(f"there is no backup at {backup}")
    if path.is_dir():
        raise ArchiveError(f"{path} is a folder, not an archive")
    _read_all(backup)
    part = path.with_name(path.name + ".restoring")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(backup, part)
        _sync(part)
        old = None
        log = Path(f"{path}.wal")
        if path.exists() or log.exists():
            if not force:
                raise ArchiveError(f"there is an archive at {path}; it is replaced only by force")
            _refuse_open(path)
            stamp = f"{now():%Y%m%d-%H%M%S}"
            old = path.with_name(f"{path.name}.before-{stamp}")
            if log.exists():
                os.replace(log, f"{old}.wal")
            if path.exists():
                os.replace(path, old)
        os.replace(part, path)
        return old
    except OSError as error:
        raise translated(error, path) or error from error
    finally:
        _discard(part)


def _read_all(path: Path) -> None:
    """Read every block of an archive; raises ArchiveDamaged where that cannot be done."""
    database = Database(path, read_only=True, create=False, memory_limit="512MB", threads=1)
    try:
        for (table,) in database.rows("SELECT table_name FROM duckdb_tables()"):
            database.rows(f'SELECT bit_xor(hash(everything)) FROM "{table}" everything')
    finally:
        database.close()


def _refuse_open(path: Path) -> None:
    """Raise ArchiveLocked if a process has the archive open."""
    if not path.exists():
        return
    try:
        # To read only: what lies there may be damaged, and is to be kept as it is.
        duckdb.connect(str(path), read_only=True).close()
    except duckdb.Error as error:
        kind = translated(error, path)
        if isinstance(kind, ArchiveLocked):
            raise kind from error
        if isinstance(kind, DiskFull):
            raise kind from error
