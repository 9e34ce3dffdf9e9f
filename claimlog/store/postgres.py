"""The ledger in PostgreSQL: its tables, connections to it, and what its errors mean."""

from __future__ import annotations

import contextlib
import threading
import time
from typing import TYPE_CHECKING, Any, Final

from claimlog.store import schema
from claimlog.store.errors import (
    ArchiveError,
    ArchiveTooNew,
    ArchiveUnreachable,
    BadQuery,
    DiskFull,
    Overtaken,
)

try:
    import psycopg
    from psycopg import errors as pg
    from psycopg.conninfo import conninfo_to_dict
    from psycopg.types.numeric import IntLoader
except ImportError as error:
    raise ArchiveError(
        "an archive on PostgreSQL needs more packages: pip install 'claimlog[cluster]'"
    ) from error

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

VERSION: Final = 1
"""The ledger's schema that this code reads and writes."""

OLDEST: Final = 15
"""The oldest PostgreSQL that will do."""

IDLE: Final = 1.0
"""Seconds after which a connection is looked at before it is used again."""

CREATING, LOADING, DECIDING, INDEXING, MOVING = 1, 2, 3, 4, 5
"""What one does at a time, in all processes: the numbers of advisory locks of `CLASS`."""
CLASS: Final = 0x636C6D
"""Tells our advisory locks from those of others."""

_OWN: Final = (
    "CREATE DOMAIN ubigint AS numeric(20)",
    "CREATE SEQUENCE numbers",
    # A revision is brought to the tables once `mark`, its transaction, is older than all that
    # are at work: numbers that are given in order become visible in another one.
    """CREATE TABLE records (
        game BIGINT NOT NULL, gid UBIGINT NOT NULL, revision SMALLINT NOT NULL, digest BYTEA,
        stored_at TIMESTAMP NOT NULL, who VARCHAR NOT NULL, why VARCHAR NOT NULL,
        source VARCHAR NOT NULL, deleted BOOLEAN NOT NULL, record VARCHAR,
        mark XID8 NOT NULL DEFAULT pg_current_xact_id(), PRIMARY KEY (gid, revision))""",
    "CREATE INDEX ON records (mark)",
    "CREATE INDEX ON records (mark) WHERE deleted",
    # What decides about the next record: the latest revision, and by what twins are found.
    """CREATE TABLE heads (
        gid UBIGINT PRIMARY KEY, game BIGINT NOT NULL, revision SMALLINT NOT NULL,
        deleted BOOLEAN NOT NULL, finished BOOLEAN, event UBIGINT, date VARCHAR, round VARCHAR,
        tbl VARCHAR, seats SMALLINT, players NUMERIC(20)[], table_key UBIGINT, players_key UBIGINT,
        tricks_key UBIGINT)""",
    *(f"CREATE INDEX ON heads ({key})" for key in ("event", *schema.KEYS)),
    "CREATE TABLE digests (digest BYTEA PRIMARY KEY, gid UBIGINT NOT NULL)",
    # Blocks of games that were stored in one go (`claimlog.store.bulk`): `key` is that of the text;
    # the rows of what came new are in files called `name`, if there are any.
    """CREATE TABLE batches (
        key VARCHAR NOT NULL, job VARCHAR NOT NULL, name VARCHAR, games INTEGER NOT NULL,
        stored INTEGER NOT NULL, unfinished INTEGER NOT NULL, whole BOOLEAN NOT NULL,
        mark XID8 NOT NULL DEFAULT pg_current_xact_id())""",
    "CREATE INDEX ON batches (key)",
    "CREATE INDEX ON batches (mark) WHERE name IS NOT NULL",
    "CREATE TABLE tokens (id VARCHAR PRIMARY KEY, token JSONB NOT NULL)",
    # What the tables have: less than all transactions before `mark` is never there.
    "CREATE TABLE progress (mark NUMERIC(20) NOT NULL)",
    "INSERT INTO progress VALUES (0)",
    """CREATE TABLE meta (
        mark VARCHAR NOT NULL, version INTEGER NOT NULL, claimlog VARCHAR NOT NULL,
        created TIMESTAMP NOT NULL, lake VARCHAR NOT NULL)""",
)
TABLES: Final = (*_OWN, *schema.DECISIONS)
"""What makes the ledger; the decisions stand as they do in a file."""


class Cursor:
    """A cursor that is asked as DuckDB's are."""

    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        self.cursor = connection.cursor()

    def execute(self, sql: str, parameters: Any = None, /) -> Cursor:
        """Ask; parameters are written ``?``."""
        self.cursor.execute(sql.replace("?", "%s").encode(), parameters)
        return self

    def fetchall(self) -> list[Any]:
        """All rows of the answer."""
        rows: list[Any] = self.cursor.fetchall()
        return rows

    def fetchone(self) -> Any:
        """The next row of the answer."""
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
        try:
            parts = conninfo_to_dict(address)
        except psycopg.ProgrammingError as error:
            raise ArchiveError(
                f"this is no address of a PostgreSQL database: {first_line(error)}"
            ) from error
        self.label = f"postgresql://{parts.get('host', '')}/{parts.get('dbname', '')}"
        """The address as it may be shown: without a password."""
        where = [str(parts[part]) for part in ("host", "port", "dbname") if parts.get(part)]
        self.name = "-".join(where).replace("/", "-")
        """The same as part of a file's name."""
        self._lock = threading.Lock()
        self._idle: list[tuple[float, psycopg.Connection[Any]]] = []

    def open(self) -> psycopg.Connection[Any]:
        """A new connection, the caller's own.  Raises ArchiveUnreachable."""
        try:
            connection = psycopg.connect(
                self.address, autocommit=True, connect_timeout=10, application_name="claimlog"
            )
        except psycopg.Error as error:
            raise ArchiveUnreachable(
                f"{self.label} cannot be reached: {first_line(error)}"
            ) from error
        if connection.info.server_version < OLDEST * 10000:
            version = connection.info.server_version // 10000
            connection.close()
            raise ArchiveError(f"{self.label} is PostgreSQL {version}; {OLDEST} or newer is needed")
        connection.adapters.register_loader("numeric", IntLoader)  # all of ours are whole
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
        """A connection, for a while; its errors are translated."""
        connection = self._take()
        try:
            yield connection
        except psycopg.Error as error:
            if connection.broken:
                self.close()
            raise self.translated(error) from error
        except UnicodeEncodeError as error:
            raise BadQuery(f"this cannot be asked: {first_line(error)}") from error
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
        """A cursor in a transaction: all of it or nothing."""
        with self.connection() as connection, connection.transaction():
            yield Cursor(connection)

    def close(self) -> None:
        """Close what nobody uses."""
        with self._lock:
            idle, self._idle = self._idle, []
        for _, connection in idle:
            connection.close()

    def translated(self, error: psycopg.Error) -> ArchiveError:
        """The archive's error for one of PostgreSQL's."""
        match error:
            case pg.UniqueViolation() | pg.DeadlockDetected() | pg.SerializationFailure():
                return Overtaken("somebody else changed the same at the same moment: try again")
            case pg.DiskFull() | pg.OutOfMemory():
                return DiskFull(f"there is no room left in {self.label}: {first_line(error)}")
            case pg.UndefinedTable() | pg.UndefinedColumn() | pg.UndefinedObject():
                return ArchiveTooNew(
                    f"{self.label} has other tables than this claimlog knows: {first_line(error)}"
                )
            case psycopg.DataError():
                return BadQuery(f"this cannot be asked: {first_line(error)}")
        return ArchiveUnreachable(f"{self.label} does not answer: {first_line(error)}")


def first_line(error: BaseException) -> str:
    """What an error says, in a line."""
    return " ".join(str(error).split())[:300]
