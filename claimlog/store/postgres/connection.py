"""The ledger in PostgreSQL: its tables, connections to it, and what its errors mean."""

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

VERSION: Final = 4
"""The ledger's schema that this code reads and writes."""

OLDEST: Final = 15
"""The oldest PostgreSQL that will do."""

_REFUSED: Final = re.compile(
    r"authentication failed|no password supplied|no pg_hba.conf entry|"
    r"(?:database|role) \".*\" does not exist|permission denied for database"
)
"""What PostgreSQL says to whom it will not let in later either."""

IDLE: Final = 1.0
"""Seconds after which a connection is looked at before it is used again."""

CREATING, LOADING, DECIDING, MOVING, LINKING = 1, 2, 3, 5, 6
"""What one does at a time, in all processes: the numbers of advisory locks of `CLASS`."""
CLASS: Final = 0x636C6D
"""Tells our advisory locks from those of others."""
AT_WORK: Final = CLASS + 1
"""The advisory locks of transactions that have a mark; their numbers are less than the mark."""

_MARKS: Final = (
    "CREATE SEQUENCE claimlog.marks",
    # From here on the last mark that was given is always the sequence's last value.
    "SELECT nextval('claimlog.marks')",
    # Each transaction that writes has one mark.  Marks are given in order and become visible in
    # another one, so a lock says first that all marks after the last one may still be at work
    # (`horizon`).  They are numbers of our own, for those of transactions end with a cluster.
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

_OWN: Final = (
    "CREATE DOMAIN ubigint AS numeric(20)",
    "CREATE SEQUENCE numbers",
    *_MARKS,
    # A revision is brought to the tables once no transaction is at work that may have a mark
    # before its own.
    """CREATE TABLE records (
        game BIGINT NOT NULL, gid UBIGINT NOT NULL, revision SMALLINT NOT NULL, digest BYTEA,
        stored_at TIMESTAMP NOT NULL, who VARCHAR NOT NULL, why VARCHAR NOT NULL,
        source VARCHAR NOT NULL, deleted BOOLEAN NOT NULL, record VARCHAR,
        mark BIGINT NOT NULL DEFAULT claimlog.this_mark(), checksum BYTEA NOT NULL,
        PRIMARY KEY (gid, revision))""",
    "CREATE INDEX ON records (mark)",
    "CREATE INDEX ON records (mark) WHERE deleted",
    # What decides about the next record: the latest revision, and by what duplicates are found; the
    # round is in small letters.
    """CREATE TABLE heads (
        gid UBIGINT PRIMARY KEY, game BIGINT NOT NULL, revision SMALLINT NOT NULL,
        deleted BOOLEAN NOT NULL, finished BOOLEAN, event UBIGINT, date VARCHAR, round VARCHAR,
        tbl VARCHAR, seats SMALLINT, players NUMERIC(20)[], table_key UBIGINT, players_key UBIGINT,
        tricks_key UBIGINT)""",
    *(f"CREATE INDEX ON heads ({key})" for key in ("event, round", *schema.KEYS)),
    "CREATE TABLE digests (digest BYTEA PRIMARY KEY, gid UBIGINT NOT NULL)",
    # Blocks of games that were stored in one go (`postgres.bulk`): `key` is that of the text;
    # the rows of what came new are in files called `name`, if there are any.
    """CREATE TABLE batches (
        key VARCHAR NOT NULL, job VARCHAR NOT NULL, name VARCHAR, games INTEGER NOT NULL,
        stored INTEGER NOT NULL, unfinished INTEGER NOT NULL, whole BOOLEAN NOT NULL,
        mark BIGINT NOT NULL DEFAULT claimlog.this_mark())""",
    "CREATE INDEX ON batches (key)",
    "CREATE INDEX ON batches (mark) WHERE name IS NOT NULL",
    "CREATE TABLE tokens (id VARCHAR PRIMARY KEY, token JSONB NOT NULL)",
    # What the tables have: less than all transactions before `mark` is never there.
    "CREATE TABLE progress (mark BIGINT NOT NULL)",
    "INSERT INTO progress VALUES (0)",
    *_LEASE,
    # `files` is the folder within the lake that this archive alone writes to, and `catalogue` the
    # schema that knows what is there; `place` is the database that they belong to.
    """CREATE TABLE meta (
        mark VARCHAR NOT NULL, version INTEGER NOT NULL, claimlog VARCHAR NOT NULL,
        created TIMESTAMP NOT NULL, lake VARCHAR NOT NULL, files VARCHAR NOT NULL,
        catalogue VARCHAR NOT NULL, cards VARCHAR[] NOT NULL, place VARCHAR NOT NULL)""",
)
_CHAIN: Final = (schema.CHAIN, "ALTER TABLE chain ADD PRIMARY KEY (link)")
_ACTS: Final = "ALTER TABLE acts ADD PRIMARY KEY (event, number)"

TABLES: Final = (*_OWN, *schema.DECISIONS, *_CHAIN, _ACTS)
"""What makes the ledger; decisions and the chain stand as they do in a file."""

PLACE: Final = (
    "SELECT concat_ws('/', system_identifier, "
    "(SELECT oid FROM pg_database WHERE datname = current_database())) FROM pg_control_system()"
)
"""Tells which database of which PostgreSQL this is: another one after a dump was restored."""

_TO_2: Final = (
    *_MARKS,
    # The lake's watermark goes on with the numbers that there are.
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
    """Bring an older ledger up to date, in one transaction; its lake has these cards."""
    if version < 2:
        _upgrade_to_2(cursor, cards)
    if version < 4:
        cursor.execute(schema.ACTS)
        cursor.execute(_ACTS)
    if version < 3:
        for statement in _TO_3:
            cursor.execute(statement)
        chain.link_everything(cursor)
    cursor.execute("UPDATE meta SET version = ?", [VERSION])


def _upgrade_to_2(cursor: Cursor, cards: list[str]) -> None:
    for statement in _TO_2:
        cursor.execute(statement)
    rounds = cursor.execute("SELECT DISTINCT round FROM heads WHERE round IS NOT NULL").fetchall()
    for (name,) in rounds:
        if name != name.lower():
            cursor.execute("UPDATE heads SET round = ? WHERE round = ?", [name.lower(), name])
    # An older archive may have been copied: whether its lake has two is not known.
    cursor.execute("UPDATE meta SET files = lake, cards = ?", [cards])
    cursor.execute("ALTER TABLE meta ALTER files SET NOT NULL, ALTER cards SET NOT NULL")


def horizon(cursor: Cursor) -> int:
    """The mark before which everything is visible to whoever asks from now on.

    It waits for nobody but those who write records of this archive.
    """
    (last,) = cursor.execute("SELECT last_value FROM claimlog.marks").fetchone()
    # Only now, for who takes a lock later gets a mark after `last`.
    rows = cursor.execute(
        "SELECT objid::bigint FROM pg_locks WHERE locktype = 'advisory' AND classid = ? "
        "AND objsubid = 2 AND database = (SELECT oid FROM pg_database "
        "WHERE datname = current_database())",
        [AT_WORK],
    ).fetchall()
    # A lock has the last 31 bits of a mark that had been given before it.
    return int(min([last, *(last - ((last - given) & 0x7FFFFFFF) for (given,) in rows)]) + 1)


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
        keep_secret(*secrets_of(address), os.environ.get("PGPASSWORD"))
        try:
            parts = conninfo_to_dict(address)
        except (psycopg.ProgrammingError, UnicodeError):
            # What libpq says quotes whatever it could not read, which may be half a password.
            raise ArchiveError("postgres.address") from None
        keep_secret(*(str(parts[one]) for one in ("password", "sslpassword") if parts.get(one)))
        self.label = f"postgresql://{parts.get('host', '')}/{parts.get('dbname', '')}"
        """The address as it may be shown: without user and password."""
        where = [str(parts[part]) for part in ("host", "port", "dbname") if parts.get(part)]
        self.name = "-".join(where).replace("/", "-")
        """The same as part of a file's name."""
        self._lock = threading.Lock()
        self._idle: list[tuple[float, psycopg.Connection[Any]]] = []

    def named(self, name: str) -> str:
        """The address for connections that PostgreSQL shows under a name, ours with a number."""
        address: str = make_conninfo(self.address, application_name=name, connect_timeout=10)
        return address

    def open(self, name: str = "claimlog") -> psycopg.Connection[Any]:
        """A new connection, the caller's own.

        Raises ArchiveUnreachable, or ArchiveRefused where it would be refused later as well.
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
                return Overtaken("postgres.overtaken")
            case pg.DiskFull() | pg.OutOfMemory():
                return DiskFull("disk-full.postgres", path=self.label, why=first_line(error))
            case pg.UndefinedTable() | pg.UndefinedColumn() | pg.UndefinedObject():
                return ArchiveTooNew(
                    "postgres.other-tables", path=self.label, why=first_line(error)
                )
            case psycopg.DataError():
                return BadQuery("question.refused", why=first_line(error))
        return ArchiveUnreachable("postgres.silent", path=self.label, why=first_line(error))
