"""The ledger in PostgreSQL: its tables, connections to it, and the meaning of its errors."""

from __future__ import annotations

import contextlib
import os
import re
import threading
import time
from typing import TYPE_CHECKING, Any, Final

from claimlog.store.ledger import chain
from claimlog.store.model import schema
from claimlog.store.model.errors import (
    ArchiveError,
    ArchiveRefused,
    ArchiveTooNew,
    ArchiveUnreachable,
    BadQuery,
    DiskFull,
    Overtaken,
)
from claimlog.store.model.hiding import first_line, keep_secret, secrets_of

try:
    import psycopg
    from psycopg import errors as pg
    from psycopg.conninfo import conninfo_to_dict, make_conninfo
    from psycopg.types.numeric import IntLoader
except ImportError as error:
    raise ArchiveError("postgres.packages") from error

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

VERSION: Final = 5
"""The version of the ledger's schema that this code reads and writes."""

OLDEST: Final = 15
"""The oldest supported PostgreSQL."""

_REFUSED: Final = re.compile(
    r"authentication failed|no password supplied|no pg_hba.conf entry|"
    r"(?:database|role) \".*\" does not exist|permission denied for database"
)
"""PostgreSQL's messages for refusals that will not change by themselves."""

IDLE: Final = 1.0
"""Seconds after which an idle connection is tested before it is used again."""

CREATING, LOADING, DECIDING, MOVING, LINKING = 1, 2, 3, 5, 6
"""Work that only one process does at a time: the numbers of advisory locks in `CLASS`."""
CLASS: Final = 0x636C6D
"""Distinguishes our advisory locks from those of others."""
AT_WORK: Final = CLASS + 1
"""The class of the locks of transactions with a mark; their numbers are below the mark."""

_MARKS: Final = (
    "CREATE SEQUENCE claimlog.marks",
    # From here on the sequence's last value is always the last mark given.
    "SELECT nextval('claimlog.marks')",
    # Each writing transaction has one mark.  Marks are given in one order and become visible in
    # another, so a transaction first locks the last mark, to say that those after it may still be
    # in use (`horizon`).  They are our own numbers, as PostgreSQL's transaction numbers hold only
    # within one cluster.
    f"""CREATE FUNCTION claimlog.this_mark() RETURNS BIGINT LANGUAGE plpgsql AS $$
    DECLARE given TEXT := current_setting('claimlog.mark', true);
    BEGIN
        IF given IS NULL OR given = '' THEN
            PERFORM pg_advisory_xact_lock_shared({AT_WORK}, (last_value & 2147483647)::INTEGER)
                FROM claimlog.marks;
            given := nextval('claimlog.marks');
            PERFORM set_config('claimlog.mark', given, true);
        END IF;
        RETURN given;
    END $$""",
)

_LEASE: Final = (
    # Who brings records to the lake, and until when nobody else does.
    """CREATE TABLE indexing (
        holder VARCHAR NOT NULL, until TIMESTAMPTZ NOT NULL)""",
    "INSERT INTO indexing VALUES ('', '-infinity')",
)

_BY_GAME: Final = "CREATE INDEX ON records (game)"
"""A check goes through the games by their numbers."""

_OWN: Final = (
    "CREATE DOMAIN ubigint AS numeric(20)",
    "CREATE SEQUENCE numbers",
    *_MARKS,
    # A revision is brought to the tables once no running transaction can have a lower mark.
    """CREATE TABLE records (
        game BIGINT NOT NULL, gid UBIGINT NOT NULL, revision SMALLINT NOT NULL, digest BYTEA,
        stored_at TIMESTAMP NOT NULL, who VARCHAR NOT NULL, why VARCHAR NOT NULL,
        source VARCHAR NOT NULL, deleted BOOLEAN NOT NULL, record VARCHAR,
        mark BIGINT NOT NULL DEFAULT claimlog.this_mark(), checksum BYTEA NOT NULL,
        PRIMARY KEY (gid, revision))""",
    "CREATE INDEX ON records (mark)",
    "CREATE INDEX ON records (mark) WHERE deleted",
    _BY_GAME,
    # What the next record is compared with: each game's latest revision, and the keys by which
    # duplicates are found; the round is in lower case.
    """CREATE TABLE heads (
        gid UBIGINT PRIMARY KEY, game BIGINT NOT NULL, revision SMALLINT NOT NULL,
        deleted BOOLEAN NOT NULL, finished BOOLEAN, event UBIGINT, date VARCHAR, round VARCHAR,
        tbl VARCHAR, seats SMALLINT, players NUMERIC(20)[], table_key UBIGINT, players_key UBIGINT,
        tricks_key UBIGINT)""",
    *(f"CREATE INDEX ON heads ({key})" for key in ("event, round", *schema.KEYS)),
    "CREATE TABLE digests (digest BYTEA PRIMARY KEY, gid UBIGINT NOT NULL)",
    # Blocks of games that were stored together (`postgres.bulk`): `key` is that of the text; the
    # rows of new games are in files called `name`, if there are any.
    """CREATE TABLE batches (
        key VARCHAR NOT NULL, job VARCHAR NOT NULL, name VARCHAR, games INTEGER NOT NULL,
        stored INTEGER NOT NULL, unfinished INTEGER NOT NULL, whole BOOLEAN NOT NULL,
        mark BIGINT NOT NULL DEFAULT claimlog.this_mark())""",
    "CREATE INDEX ON batches (key)",
    "CREATE INDEX ON batches (mark) WHERE name IS NOT NULL",
    "CREATE TABLE tokens (id VARCHAR PRIMARY KEY, token JSONB NOT NULL)",
    # How far the tables are: they have at least all transactions before `mark`.
    "CREATE TABLE progress (mark BIGINT NOT NULL)",
    "INSERT INTO progress VALUES (0)",
    *_LEASE,
    # `files` is the folder within the lake that only this archive writes to, and `catalogue` the
    # schema that describes its contents; `place` is the database that they belong to.
    """CREATE TABLE meta (
        mark VARCHAR NOT NULL, version INTEGER NOT NULL, claimlog VARCHAR NOT NULL,
        created TIMESTAMP NOT NULL, lake VARCHAR NOT NULL, files VARCHAR NOT NULL,
        catalogue VARCHAR NOT NULL, cards VARCHAR[] NOT NULL, place VARCHAR NOT NULL)""",
)
_CHAIN: Final = (schema.CHAIN, "ALTER TABLE chain ADD PRIMARY KEY (link)")
_ACTS: Final = "ALTER TABLE acts ADD PRIMARY KEY (event, number)"

TABLES: Final = (*_OWN, *schema.DECISIONS, *_CHAIN, _ACTS)
"""The statements that create the ledger; decisions and the chain are the same as in a file."""

PLACE: Final = (
    "SELECT concat_ws('/', system_identifier, "
    "(SELECT oid FROM pg_database WHERE datname = current_database())) FROM pg_control_system()"
)
"""SQL that identifies this database of this PostgreSQL; a restored dump is a different one."""

_TO_2: Final = (
    *_MARKS,
    # New marks continue from the existing numbers, and so does the lake's watermark.
    "SELECT setval('claimlog.marks', greatest((SELECT mark::bigint FROM progress), "
    "(SELECT coalesce(max(mark::text::bigint), 0) FROM records), "
    "pg_current_xact_id()::text::bigint))",
    *(
        f"ALTER TABLE {table} ALTER mark DROP DEFAULT, "
        "ALTER mark TYPE BIGINT USING mark::text::bigint, "
        "ALTER mark SET DEFAULT claimlog.this_mark()"
        for table in ("records", "batches")
    ),
    "ALTER TABLE progress ALTER mark TYPE BIGINT",
    *_LEASE,
    "ALTER TABLE heads ADD IF NOT EXISTS date VARCHAR",
    'UPDATE heads SET date = (regexp_match(record, \'\\[Date "([^"]*)"\\]\'))[1] FROM records '
    "WHERE records.gid = heads.gid AND records.revision = heads.revision",
    "DROP INDEX heads_event_idx",
    "CREATE INDEX ON heads (event, round)",
    "ALTER TABLE meta ADD files VARCHAR, ADD catalogue VARCHAR NOT NULL DEFAULT 'claimlog_lake', "
    "ADD cards VARCHAR[], ADD place VARCHAR NOT NULL DEFAULT ''",
)


_TO_3: Final = (
    "ALTER TABLE records ADD checksum BYTEA",
    f"UPDATE records SET checksum = {chain.POSTGRES.checksum}",
    "ALTER TABLE records ALTER checksum SET NOT NULL",
    *_CHAIN,
)


def upgrade(cursor: Cursor, version: int, cards: list[str]) -> None:
    """Upgrade an older ledger in one transaction; `cards` are those of its lake."""
    if version < 2:
        _upgrade_to_2(cursor, cards)
    if version < 4:
        cursor.execute(schema.ACTS)
        cursor.execute(_ACTS)
    if version < 3:
        for statement in _TO_3:
            cursor.execute(statement)
        chain.link_everything(cursor)
    if version < 5:
        cursor.execute(_BY_GAME)
    cursor.execute("UPDATE meta SET version = ?", [VERSION])


def _upgrade_to_2(cursor: Cursor, cards: list[str]) -> None:
    for statement in _TO_2:
        cursor.execute(statement)
    rounds = cursor.execute("SELECT DISTINCT round FROM heads WHERE round IS NOT NULL").fetchall()
    for (name,) in rounds:
        if name != name.lower():
            cursor.execute("UPDATE heads SET round = ? WHERE round = ?", [name.lower(), name])
    # An older archive may have been copied: it is not known whether two share its lake.
    cursor.execute("UPDATE meta SET files = lake, cards = ?", [cards])
    cursor.execute("ALTER TABLE meta ALTER files SET NOT NULL, ALTER cards SET NOT NULL")


def horizon(cursor: Cursor) -> int:
    """The mark below which everything is visible to queries from now on.

    Only transactions that write records of this archive hold it back.
    """
    (last,) = cursor.execute("SELECT last_value FROM claimlog.marks").fetchone()
    # Read after `last`, because a lock taken later belongs to a mark after `last`.
    rows = cursor.execute(
        "SELECT objid::bigint FROM pg_locks WHERE locktype = 'advisory' AND classid = ? "
        "AND objsubid = 2 AND database = (SELECT oid FROM pg_database "
        "WHERE datname = current_database())",
        [AT_WORK],
    ).fetchall()
    # A lock's number is the low 31 bits of a mark given before its own.
    return int(min([last, *(last - ((last - given) & 0x7FFFFFFF) for (given,) in rows)]) + 1)


class Cursor:
    """A cursor that is used like DuckDB's."""

    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        self.cursor = connection.cursor()

    def execute(self, sql: str, parameters: Any = None, /) -> Cursor:
        """Execute a statement; its parameters are written ``?``."""
        self.cursor.execute(sql.replace("?", "%s").encode(), parameters)
        return self

    def fetchall(self) -> list[Any]:
        """All rows of the result."""
        rows: list[Any] = self.cursor.fetchall()
        return rows

    def fetchone(self) -> Any:
        """The next row of the result."""
        return self.cursor.fetchone()

    def copy(self, table: str, columns: str, rows: Iterable[tuple[Any, ...]]) -> None:
        """Insert many rows."""
        with self.cursor.copy(f"COPY {table} ({columns}) FROM STDIN".encode()) as copy:
            for row in rows:
                copy.write_row(row)


class Postgres:
    """Connections to one database; each is lent to one thread at a time."""

    def __init__(self, address: str) -> None:
        self.address = address
        keep_secret(*secrets_of(address), os.environ.get("PGPASSWORD"))
        try:
            parts = conninfo_to_dict(address)
        except (psycopg.ProgrammingError, UnicodeError):
            # libpq's message quotes what it could not parse, which may be part of a password.
            raise ArchiveError("postgres.address") from None
        keep_secret(*(str(parts[one]) for one in ("password", "sslpassword") if parts.get(one)))
        port = f":{parts['port']}" if parts.get("port") else ""
        self.label = f"postgresql://{parts.get('host', '')}{port}/{parts.get('dbname', '')}"
        """The address without user and password."""
        where = [str(parts[part]) for part in ("host", "port", "dbname") if parts.get(part)]
        self.name = "-".join(where).replace("/", "-")
        """The same as part of a file name."""
        self._lock = threading.Lock()
        self._idle: list[tuple[float, psycopg.Connection[Any]]] = []

    def named(self, name: str) -> str:
        """The address for connections that PostgreSQL lists under this name."""
        address: str = make_conninfo(self.address, application_name=name, connect_timeout=10)
        return address

    def open(self, name: str = "claimlog") -> psycopg.Connection[Any]:
        """A new connection, owned by the caller.

        Raises ArchiveUnreachable, or ArchiveRefused if a later attempt would be refused too.
        """
        try:
            connection = psycopg.connect(self.named(name), autocommit=True)
        except psycopg.Error as error:
            kind = ArchiveRefused if _REFUSED.search(str(error)) else ArchiveUnreachable
            raise kind("postgres.unreachable", path=self.label, why=first_line(error)) from error
        if connection.info.server_version < OLDEST * 10000:
            version = connection.info.server_version // 10000
            connection.close()
            raise ArchiveError("postgres.too-old", path=self.label, version=version, oldest=OLDEST)
        connection.adapters.register_loader("numeric", IntLoader)  # all our numbers are integers
        connection.execute("SET search_path = claimlog")
        return connection

    def _take(self) -> psycopg.Connection[Any]:
        while True:
            with self._lock:
                since, connection = self._idle.pop() if self._idle else (0.0, None)
            if connection is None:
                return self.open()
            if time.monotonic() - since < IDLE:
                return connection
            try:
                connection.execute("SELECT 1")
            except psycopg.Error:
                connection.close()
            else:
                return connection

    @contextlib.contextmanager
    def connection(self) -> Iterator[psycopg.Connection[Any]]:
        """Lend a connection; its errors are translated."""
        connection = self._take()
        try:
            yield connection
        except psycopg.Error as error:
            if connection.broken:
                self.close()
            raise self.translated(error) from error
        except UnicodeEncodeError as error:
            raise BadQuery("question.refused", why=first_line(error)) from error
        finally:
            if connection.closed:
                connection.close()
            else:
                with self._lock:
                    self._idle.append((time.monotonic(), connection))

    @contextlib.contextmanager
    def cursor(self) -> Iterator[Cursor]:
        """A cursor, for reading."""
        with self.connection() as connection:
            yield Cursor(connection)

    @contextlib.contextmanager
    def transaction(self) -> Iterator[Cursor]:
        """A cursor in a transaction: all or nothing."""
        with self.connection() as connection, connection.transaction():
            yield Cursor(connection)

    def close(self) -> None:
        """Close the idle connections."""
        with self._lock:
            idle, self._idle = self._idle, []
        for _, connection in idle:
            connection.close()

    def translated(self, error: psycopg.Error) -> ArchiveError:
        """The archive's error for one of PostgreSQL's."""
        match error:
            case pg.UniqueViolation() | pg.DeadlockDetected() | pg.SerializationFailure():
                return Overtaken("postgres.overtaken")
            case pg.DiskFull() | pg.OutOfMemory():
                return DiskFull("disk-full.postgres", path=self.label, why=first_line(error))
            case pg.UndefinedTable() | pg.UndefinedColumn() | pg.UndefinedObject():
                return ArchiveTooNew(
                    "postgres.other-tables", path=self.label, why=first_line(error)
                )
            case pg.InsufficientPrivilege():
                return ArchiveRefused(
                    "postgres.not-allowed", path=self.label, why=first_line(error)
                )
            case pg.ReadOnlySqlTransaction():
                return ArchiveUnreachable(
                    "postgres.no-writes", path=self.label, why=first_line(error)
                )
            case psycopg.DataError():
                return BadQuery("question.refused", why=first_line(error))
        return ArchiveUnreachable("postgres.silent", path=self.label, why=first_line(error))
