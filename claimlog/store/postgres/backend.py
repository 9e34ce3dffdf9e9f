"""An archive beyond one machine: the ledger in PostgreSQL, the tables in a lake (DuckLake).

All writes go to PostgreSQL; `postgres.indexer` brings them to the lake, whose catalogue is in the
same PostgreSQL.  So the tables are a moment behind: callers that must see what they wrote wait for
its mark.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import re
import secrets
import tempfile
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

import duckdb

from claimlog import objects
from claimlog.cards import NAMES
from claimlog.language.messages import message_of
from claimlog.store.backend import Backend, Known, let_go, now, translated
from claimlog.store.ledger import chain
from claimlog.store.model import schema
from claimlog.store.model.errors import (
    ArchiveClosed,
    ArchiveDamaged,
    ArchiveError,
    ArchiveFailed,
    ArchiveMissing,
    ArchiveReadOnly,
    ArchiveTooNew,
    ArchiveUnreachable,
    LakeOvertaken,
)
from claimlog.store.model.hiding import first_line, hidden, keep_secret
from claimlog.store.postgres import bounds
from claimlog.store.postgres.connection import (
    CLASS,
    CREATING,
    DECIDING,
    LINKING,
    LOADING,
    PLACE,
    VERSION,
    Cursor,
    Postgres,
    upgrade,
)
from claimlog.store.postgres.connection import (
    TABLES as LEDGER,
)
from claimlog.store.questions import rollups

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from duckdb import DuckDBPyConnection

    from claimlog.store.backend import LedgerCursor

FRESH: Final = 0.05
"""Seconds for which a generation is reused without asking whether others have written."""

PAUSE: Final = 0.05
"""Seconds between two checks whether the tables have reached a mark."""

EXTENSIONS: Final = ("postgres_scanner", "ducklake")

S3_PATIENCE: Final = {
    "http_timeout": "30",
    "http_retries": "1",
    "http_retry_wait_ms": "1000",
    "s3_uploader_max_filesize": "50GB",
    "s3_uploader_thread_limit": "4",
}
"""How long DuckDB waits for an S3 that does not answer; by default two minutes, six to write.

The time limit is for a whole request, so that files are sent in the smallest parts, of 5 MB, a few
at a time.
"""

INLINED: Final = 1000
"""The largest number of rows that a statement keeps in the catalogue instead of writing a file."""

CATALOGUE: Final = "claimlog_lake"
"""The schema in PostgreSQL with the lake's catalogue, or the beginning of its name."""

UNFINISHED: Final = "rebuilding"
"""A table beside the catalogue of a lake that is being rebuilt and not in use yet."""

BLOCK_TABLES: Final = ("games", "tricks", "factions_won")
"""The tables that also have files of blocks of games (`claimlog.store.postgres.bulk`)."""

_LOST: Final = re.compile(
    r"NoSuchKey|No such file or directory|creating a new DuckLake is explicitly disabled"
)
"""What DuckDB says about missing files, and about a missing catalogue."""

_CONFLICT: Final = re.compile(r"maximum retry count|Transaction conflict")
"""What DuckDB says of the one of two simultaneous commits that failed."""

_GENERATION: Final = (
    # The number of transactions that have ended: it grows with every write, here or elsewhere.
    "SELECT pg_snapshot_xmax(now)::text::numeric(20) - "
    "(SELECT count(*) FROM pg_snapshot_xip(now)) FROM pg_current_snapshot() now"
)


class PostgresBackend(Backend):
    """Ledger and tables of one archive; any number of processes may have it open."""

    rolls_up = True

    def __init__(
        self,
        address: str,
        lake: str | None,
        *,
        read_only: bool,
        create: bool,
        memory_limit: str,
        threads: int | None,
        half: bool = False,
    ) -> None:
        """Open an archive, or create one; `half`: one that is not a complete archive yet."""
        self.postgres = Postgres(address)
        spool = Path(tempfile.gettempdir()) / f"claimlog-{secrets.token_hex(8)}"
        super().__init__(
            self.postgres.label,
            spool,
            read_only=read_only,
            memory_limit=memory_limit,
            threads=threads,
        )
        self.mark = 0
        """The mark of the last write here: `wait` waits until the tables have it."""
        self._opening = threading.Lock()
        self._stale = False
        self._seen = (0.0, 0)
        self.epoch = 0
        """Increases with every write here: earlier answers may be outdated."""
        self.lake = ""
        """The folder of the lake."""
        self.files = ""
        """The folder within it that only this archive writes to."""
        self.catalogue = CATALOGUE
        try:
            self._open(lake, create and not read_only, half)
            try:
                self._root = self._connect(writing=False)
            except ArchiveUnreachable:
                # Records can be read and stored without the lake; each question tries again to open
                # it.
                self._root = self.bench()
                self._stale = True
            self._era += 1
        except BaseException:
            self.close()
            raise

    # Opening and closing -----------------------------------------------------------------

    def _open(self, lake: str | None, create: bool, half: bool) -> None:
        """Find out where the lake is; create ledger and lake if there are none yet."""
        place = None if lake is None else lake_place(lake)
        with self.postgres.cursor() as cursor:
            there = cursor.execute("SELECT to_regclass('claimlog.meta') IS NOT NULL").fetchone()[0]
            meta = cursor.execute("SELECT mark, version FROM meta").fetchone() if there else None
        if meta is None or (half and create and meta[0] == schema.HALF):
            if not create:
                raise ArchiveMissing("archive.missing", path=self.where)
            if place is None:
                raise ArchiveError("lake.needed")
            self._create(place, half)
            return
        mark, version = meta
        if half and mark != schema.HALF:
            raise ArchiveError("move.exists", path=self.where)
        if mark == schema.HALF and not half:
            raise ArchiveError("move.unfinished", path=self.where)
        if mark not in (schema.MARK, schema.HALF):
            raise ArchiveDamaged("archive.not-one", path=self.where)
        if version > VERSION:
            raise ArchiveTooNew(
                "archive.newer-schema", path=self.where, version=version, known=VERSION
            )
        if version < VERSION:
            self._upgrade(version)
        cards = self.look_up()
        if cards != list(NAMES):
            raise ArchiveTooNew("archive.newer-factions", path=self.where)
        if place not in (None, self.lake):
            raise ArchiveError("lake.other", path=self.where, place=self.lake, other=place)

    def look_up(self) -> list[str]:
        """Read where the lake is now; return the cards, by whose numbers it was made."""
        with self.postgres.cursor() as cursor:
            self.lake, self.files, self.catalogue, cards = cursor.execute(
                "SELECT lake, files, catalogue, cards FROM meta"
            ).fetchone()
        return list(cards)

    def is_copy(self) -> bool:
        """Whether this database was copied since its lake was made: two may then share the lake."""
        return self.ask_ledger(f"SELECT place IS DISTINCT FROM ({PLACE}) FROM meta")[0][0] is True

    def _upgrade(self, version: int) -> None:
        """Upgrade the ledger of an older claimlog."""
        self.check_writable()
        cards = self._cards_of_lake() if version < 2 else []
        with self.postgres.transaction() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(?, ?)", [CLASS, CREATING])
            cursor.execute(
                "LOCK TABLE records, batches, heads, progress, meta, merges, event_merges, "
                "event_names, event_settings"
            )
            (now_there,) = cursor.execute("SELECT version FROM meta").fetchone()
            if version <= now_there < VERSION:
                upgrade(cursor, now_there, cards)

    def _cards_of_lake(self) -> list[str]:
        """The cards of a lake of the first schema, which are not in PostgreSQL."""
        with self.postgres.cursor() as cursor:
            self.lake = cursor.execute("SELECT lake FROM meta").fetchone()[0]
        self.files = self.lake
        root = self._connect(writing=False)
        try:
            return schema.cards_in(_over_lake(root))
        except duckdb.Error as error:
            raise self._silent(error) from error
        finally:
            root.close()

    def _create(self, lake: str, half: bool) -> None:
        """Create ledger and lake; parts that exist already are created again."""
        from claimlog import __version__

        with self.postgres.connection() as connection:
            connection.execute("SELECT pg_advisory_lock(%s, %s)", (CLASS, CREATING))
            try:
                with connection.transaction():
                    cursor = Cursor(connection)
                    if half:
                        cursor.execute("DROP SCHEMA IF EXISTS claimlog CASCADE")
                    elif cursor.execute("SELECT to_regclass('claimlog.meta')").fetchone()[0]:
                        # Somebody else was faster.
                        self._open(lake, create=False, half=False)
                        return
                    self.drop_lakes(cursor)
                self.lake = lake
                self.new_lake(cursor)
                with connection.transaction():
                    cursor.execute("CREATE SCHEMA IF NOT EXISTS claimlog")
                    for statement in LEDGER:
                        cursor.execute(statement)
                    cursor.execute(
                        "INSERT INTO meta (mark, version, claimlog, created, lake, files, "
                        "catalogue, cards, place) VALUES (?, ?, ?, ?, ?, ?, ?, ?, "
                        f"({PLACE}))",
                        [
                            schema.HALF if half else schema.MARK,
                            VERSION,
                            __version__,
                            now(),
                            lake,
                            self.files,
                            self.catalogue,
                            list(NAMES),
                        ],
                    )
            finally:
                connection.execute("SELECT pg_advisory_unlock(%s, %s)", (CLASS, CREATING))

    def new_lake(self, cursor: Cursor) -> None:
        """Create a lake without games, in a folder and with a catalogue of its own.

        The previous lake, which may be incomplete or shared with a copy of this database, is not
        touched again; its catalogue is dropped once the new lake is in use.
        """
        self.catalogue = f"{CATALOGUE}_{secrets.token_hex(4)}"
        self.files = self._files_of(self.catalogue)
        cursor.execute(f"CREATE SCHEMA {self.catalogue}")
        try:
            self._create_lake()
        except BaseException:
            with contextlib.suppress(ArchiveError), self.postgres.cursor() as other:
                other.execute(f"DROP SCHEMA IF EXISTS {self.catalogue} CASCADE")
            raise

    def _files_of(self, catalogue: str) -> str:
        return f"{self.lake}{catalogue.removeprefix(f'{CATALOGUE}_')}/"

    def drop_lakes(self, cursor: LedgerCursor, *used: str, rebuilding: bool = False) -> None:
        """Drop the catalogues left by processes that were killed while they made a lake.

        Nobody else may be making one.  Those in which a rebuild can go on are kept, unless another
        is `rebuilding`.
        """
        for name, unfinished in _catalogues(cursor):
            if name not in used and (rebuilding or not unfinished):
                cursor.execute(f"DROP SCHEMA {name} CASCADE")

    def remember_lake(self, cursor: LedgerCursor) -> None:
        """Remember the lake that is being made: a rebuild may go on in it."""
        table = f"{self.catalogue}.{UNFINISHED}"
        cursor.execute(f"CREATE TABLE {table} (lake VARCHAR NOT NULL, place VARCHAR NOT NULL)")
        cursor.execute(f"INSERT INTO {table} SELECT ?, ({PLACE})", [self.lake])

    def take_up_lake(self, cursor: LedgerCursor) -> bool:
        """Use an unfinished lake of this archive in the same place; return whether there is one."""
        for name, unfinished in _catalogues(cursor):
            if (
                unfinished
                and cursor.execute(
                    f"SELECT FROM {name}.{UNFINISHED} WHERE lake = ? AND place = ({PLACE})",
                    [self.lake],
                ).fetchall()
            ):
                self.catalogue = name
                self.files = self._files_of(name)
                return True
        return False

    def discard(self) -> None:
        """Remove a half archive and its lake's catalogue, after everybody has closed the lake."""
        with self.postgres.transaction() as cursor:
            if cursor.execute("SELECT mark FROM meta").fetchone()[0] == schema.HALF:
                cursor.execute("DROP SCHEMA claimlog CASCADE")
                self.drop_lakes(cursor)

    def _create_lake(self) -> None:
        """Create the tables."""
        if not self.lake.startswith("s3://"):
            try:
                Path(self.files).mkdir(mode=0o700, parents=True, exist_ok=True)
            except OSError as error:
                raise translated(error, Path(self.lake)) or ArchiveError(
                    "file.not-created", path=self.lake, why=message_of(error)
                ) from error
        root = self._connect(writing=True)
        try:
            with self.writing_lake(root) as cursor:
                make_tables(cursor)
        finally:
            root.close()

    def bench(self, *extensions: str) -> DuckDBPyConnection:
        """A DuckDB in memory that can write to the lake's place; the caller must close it."""
        config = self.config | {
            # To verify the signatures of extensions takes half a second.  Ours are Python packages,
            # as this code is; nothing else without a signature can be loaded afterwards.
            "allow_unsigned_extensions": True,
            # DuckDB's default.  A lake tells it no bounds, so with more it would make a place for
            # each group that two UTINYINT could form, which takes 50 ms.
            "perfect_ht_threshold": 12,
        }
        root = duckdb.connect(":memory:", config=config)
        try:
            on_s3 = self.lake.startswith("s3://")
            for extension in (*(("httpfs",) if on_s3 else ()), *extensions):
                _load(root, extension)
            root.execute("SET allow_unsigned_extensions = false")
            root.execute("SET TimeZone = 'UTC'")
            if on_s3:
                root.execute(_secret())
                for name, value in S3_PATIENCE.items():
                    root.execute(f"SET GLOBAL {name} = {quoted(value)}")
        except BaseException:
            root.close()
            raise
        return root

    def _connect(self, *, writing: bool, name: str = "claimlog") -> DuckDBPyConnection:
        """Attach the lake to a DuckDB in memory, whose connections to PostgreSQL get this name."""
        root = self.bench(*EXTENSIONS)
        try:
            root.execute(f"SET enable_external_file_cache = {not writing}")
            # After somebody else's commit this one must fail: its rows are already there.
            root.execute("SET ducklake_max_retry_count = 0")
            # Lists look for a few games first and then read only their rows.  DuckDB would do the
            # same for the few columns of the search: twice as many requests for lists of files.
            root.execute("SET GLOBAL late_materialization_max_rows = 0")
            mode = f"DATA_PATH {quoted(self.files)}" if writing else "READ_ONLY"
            root.execute(
                f"ATTACH {quoted('ducklake:postgres:' + self.postgres.named(name))} AS lake "
                f"({mode}, METADATA_SCHEMA '{self.catalogue}', CREATE_IF_NOT_EXISTS {writing}, "
                f"DATA_INLINING_ROW_LIMIT {INLINED})"
            )
            if writing or not self._has_no_bounds():
                root.execute("SET GLOBAL disabled_optimizers = 'statistics_propagation'")
            # A lake does not store macros.
            for name, statement in schema.VIEWS.items():
                if "MACRO" in statement:
                    root.execute(statement.replace(f"MACRO {name}", f"MACRO memory.main.{name}"))
        except duckdb.Error as error:
            root.close()
            if "version mismatch" in str(error).lower():
                raise ArchiveTooNew(
                    "lake.version", path=self.where, why=first_line(error)
                ) from error
            raise self.not_there(error, "lake.not-opened") from error
        except ArchiveError:
            root.close()
            raise
        return root

    def _has_no_bounds(self) -> bool:
        """Whether the lake's catalogue says nothing of whole columns; else it may be wrong."""
        with self.postgres.cursor() as ledger:
            if not bounds.tables(ledger, self.catalogue):
                return True
            with contextlib.suppress(ArchiveError):
                if not self.read_only:
                    bounds.forget(ledger, self.catalogue)
                    return True
        return False

    def close(self) -> None:
        """Close everything."""
        self._disconnect()
        self.postgres.close()
        with contextlib.suppress(OSError):
            for left in self.spool.iterdir():
                left.unlink()
            self.spool.rmdir()

    # The tables ----------------------------------------------------------------------------

    def cursor(self) -> DuckDBPyConnection:
        """A new cursor over the lake; after an error the lake is attached again."""
        if self._stale and self._root is not None:
            with self._opening:
                if self._stale:
                    self.look_up()
                    root = self._connect(writing=False)
                    self._root, self._stale = root, False
                    self._era += 1
        return _over_lake(super().cursor())

    def translated(self, error: BaseException) -> ArchiveError | None:
        """The archive's error for one of DuckDB's."""
        kind = translated(error, Path(self.where))
        if kind is None or not isinstance(error, duckdb.Error):
            return kind
        if isinstance(kind, ArchiveFailed | ArchiveReadOnly | ArchiveDamaged):
            self.attach_again()
            return self._silent(error)
        return type(kind)(hidden(str(kind)))

    def _silent(self, error: BaseException) -> ArchiveUnreachable:
        return self.not_there(error, "lake.silent")

    def not_there(self, error: BaseException, key: str) -> ArchiveUnreachable:
        """The archive's error, by default this one, for an error about a lake's files."""
        if _CONFLICT.search(str(error)):
            return LakeOvertaken("lake.overtaken", path=self.where)
        if _LOST.search(str(error)):
            key = "lake.lost"
        return ArchiveUnreachable(key, path=self.where, why=first_line(error))

    @contextlib.contextmanager
    def writing_lake(self, root: DuckDBPyConnection) -> Iterator[DuckDBPyConnection]:
        """A transaction over the lake, for a writer of rows."""
        # DuckLake would make wrong bounds of those that a table's first transaction has added.
        self._forget_bounds()
        cursor = None
        try:
            cursor = root.cursor()
            # First, as otherwise the path is looked up in a transaction of its own.
            cursor.execute("BEGIN")
            yield _over_lake(cursor)
            cursor.execute("COMMIT")
        except duckdb.Error as error:
            raise self._silent(error) from error
        finally:
            if cursor is not None:
                let_go(cursor)
        with contextlib.suppress(ArchiveError):  # the next writer does it, too
            self._forget_bounds()

    def _forget_bounds(self) -> None:
        with self.postgres.cursor() as ledger:
            bounds.forget(ledger, self.catalogue)

    @contextlib.contextmanager
    def deriving(self, *, quiet: bool = False) -> Iterator[DuckDBPyConnection]:
        """The tables are in the lake, where only one of several concurrent writers succeeds."""
        self.check_writable()
        root = self.lake_root()
        try:
            with self.writing_lake(root) as cursor:
                yield cursor
        finally:
            root.close()
        self.look_again()

    def attach_again(self) -> None:
        """Let the next question attach the lake again."""
        self._stale = True
        self._era += 1

    def lake_root(self, name: str = "claimlog") -> DuckDBPyConnection:
        """The lake, attached for writing; the caller must close it."""
        if self._root is None:
            raise ArchiveClosed("archive.closed", path=self.where)
        return self._connect(writing=True, name=name)

    def block_file(self, name: str, table: str) -> str:
        """The path of the file with a block's rows for a table."""
        return f"{self.files}blocks/{name}-{table}.parquet"

    # The ledger ----------------------------------------------------------------------------

    @property
    def generation(self) -> int:
        """Increases with every transaction of any client."""
        generation = self.known_generation
        if generation is None:
            epoch = self.epoch
            with self.postgres.cursor() as cursor:
                generation = int(cursor.execute(_GENERATION).fetchone()[0])
            with self._lock:
                if epoch == self.epoch:
                    self._seen = (time.monotonic(), generation)
        return generation

    @property
    def known_generation(self) -> int | None:
        """The generation, if it was read a moment ago."""
        since, generation = self._seen
        return generation if time.monotonic() - since <= FRESH else None

    def look_again(self) -> None:
        """Read the generation afresh next time, as something was written."""
        with self._lock:
            self.epoch += 1
            self._seen = (0.0, 0)

    @property
    def decisions(self) -> int:
        """Decisions have no generation of their own."""
        return self.generation

    def settle(self, *, needed: bool = False) -> None:
        """Do nothing: readers that need the latest writes wait for their mark."""

    def ledger(self) -> contextlib.AbstractContextManager[Cursor]:
        """A cursor of PostgreSQL."""
        if self._root is None:
            raise ArchiveClosed("archive.closed", path=self.where)
        return self.postgres.cursor()

    @contextlib.contextmanager
    def transaction(self, keys: Collection[int] | None) -> Iterator[Cursor]:
        """Write records; meanwhile nobody else can write any that have one of these keys.

        Without `keys`, nobody else can write any records at all.
        """
        self.check_writable()
        if self._root is None:
            raise ArchiveClosed("archive.closed", path=self.where)
        with self.postgres.transaction() as cursor:
            shared = "" if keys is None else "_shared"
            cursor.execute(
                f"SELECT pg_advisory_xact_lock{shared}({CLASS}, {LOADING})",
            )
            if keys:
                # Advisory locks have signed numbers; sorted, so that no two transactions wait for
                # each other.
                signed = sorted(key - (1 << 63) for key in set(keys))
                cursor.execute(
                    "SELECT pg_advisory_xact_lock(key) FROM unnest(?::BIGINT[]) AS key", [signed]
                )
            yield cursor
            mark = self.mark_of(cursor)
        self._written(mark)

    @contextlib.contextmanager
    def decide(self) -> Iterator[Cursor]:
        """Write a decision."""
        self.check_writable()
        with self.postgres.transaction() as cursor:
            cursor.execute(f"SELECT pg_advisory_xact_lock({CLASS}, {DECIDING})")
            self.look_again()
            yield cursor
        self.look_again()

    def link(self, cursor: LedgerCursor, what: str, *values: Any) -> None:
        """Others that add to the chain wait until this is committed."""
        self._lock_chain(cursor)
        chain.link_decision(cursor, what, *values)

    def link_records(self, until: int) -> None:
        """Add new records with marks below `until` (see `horizon`) to the chain."""
        with self.postgres.transaction() as cursor:
            self._lock_chain(cursor)
            chain.link_records(cursor, chain.last(cursor), until)

    def _lock_chain(self, cursor: LedgerCursor) -> None:
        cursor.execute(f"SELECT pg_advisory_xact_lock({CLASS}, {LINKING})")

    def mark_of(self, cursor: Cursor) -> int:
        """The mark of a transaction, 0 if it has not written any records."""
        row = cursor.execute("SELECT current_setting('claimlog.mark', true)").fetchone()
        return int(row[0] or 0)

    def _written(self, mark: int) -> None:
        with self._lock:
            self.mark = max(self.mark, mark)
        self.look_again()

    def progress(self) -> int:
        """A mark below which the tables have everything."""
        return int(self.ask_ledger("SELECT mark FROM progress")[0][0])

    def tell_progress(self, mark: int) -> None:
        """Publish how far the tables are."""
        with self.postgres.cursor() as cursor:
            cursor.execute("UPDATE progress SET mark = greatest(mark, ?)", [mark])

    def wait(self, mark: int, timeout: float, going_on: Callable[[], bool] | None = None) -> bool:
        """Wait until the tables have the write with this mark; return whether they have it."""
        end = time.monotonic() + timeout
        while self.progress() <= mark:
            if time.monotonic() > end or (going_on is not None and not going_on()):
                return False
            time.sleep(PAUSE)
        self.look_again()
        return True

    def find_digests(self, cursor: LedgerCursor, digests: Collection[bytes]) -> dict[bytes, Known]:
        """Uses indexes; also finds other digests with the same first 64 bits, by the id.

        `mark` then covers what is known: who stores a game once more, after a lost answer and maybe
        at another node, wants to find it in lists, too.
        """
        asked = list(digests)
        # Written so that PostgreSQL uses the indexes even before it has statistics.
        rows = cursor.execute(
            """
            SELECT d.digest, h.game, h.gid, r.revision, h.deleted, r.mark
            FROM unnest(?::BYTEA[]) AS wanted (digest)
            JOIN digests d USING (digest) JOIN heads h USING (gid)
            CROSS JOIN LATERAL (SELECT max(revision) AS revision, max(mark) AS mark FROM records
                                WHERE gid = h.gid AND digest = d.digest) r
            UNION ALL
            SELECT r.digest, h.game, h.gid, 1, h.deleted, 0
            FROM unnest(?::NUMERIC[], ?::BYTEA[]) AS wanted (gid, digest) JOIN heads h USING (gid)
            CROSS JOIN LATERAL (SELECT digest FROM records
                                WHERE gid = h.gid AND revision = 1 LIMIT 1) r
            WHERE r.digest <> wanted.digest
            """,
            [asked, [int.from_bytes(digest[:8], "big") for digest in asked], asked],
        ).fetchall()
        with self._lock:
            self.mark = max([self.mark, *(int(row[-1]) for row in rows)])
        return {
            bytes(digest): Known(game, gid, revision, deleted)
            for digest, game, gid, revision, deleted, _ in rows
        }

    def texts(self, cursor: DuckDBPyConnection, games: list[int]) -> dict[int, str]:
        """The revisions come from the lake, their records from the ledger."""
        which = cursor.execute(
            "SELECT gid, revision, game FROM games WHERE game IN (SELECT unnest(?::BIGINT[]))",
            [games],
        ).fetchall()
        number = {gid: game for gid, _, game in which}
        rows = self.ask_ledger(
            "SELECT gid, record FROM records JOIN (SELECT unnest(?::numeric[]) AS gid, "
            "unnest(?::SMALLINT[]) AS revision) wanted USING (gid, revision)",
            [[row[0] for row in which], [row[1] for row in which]],
        )
        return {number[gid]: record for gid, record in rows}


def for_lake(statement: str) -> str:
    """Adapt a statement for a table in a file to one in the lake."""
    return re.sub(r" USING COMPRESSION \w+", "", statement).replace("game INTEGER", "game BIGINT")


TABLES: Final = (
    *map(for_lake, (*schema.DERIVED.values(), *schema.LISTS.values(), schema.VIEWS["plays"])),
    *rollups.TABLES,
    "CREATE TABLE settings (name VARCHAR, value VARCHAR)",
    "CREATE TABLE watermark (mark UBIGINT)",
)
"""The statements that create the lake; it has everything below the mark `watermark`."""


def _catalogues(cursor: LedgerCursor) -> list[tuple[str, bool]]:
    """The catalogues of lakes in the database, and whether each is unfinished."""
    return cursor.execute(
        "SELECT nspname, EXISTS (SELECT FROM pg_class WHERE relnamespace = pg_namespace.oid "
        "AND relname = ?) FROM pg_namespace WHERE nspname ~ ? AND pg_has_role(nspowner, 'USAGE')",
        [UNFINISHED, f"^{CATALOGUE}(_[0-9a-f]{{8}})?$"],
    ).fetchall()


def make_tables(cursor: DuckDBPyConnection, mark: int = 0) -> None:
    """Create the lake's tables, replacing existing ones without reading them.

    They are to have everything below `mark`.
    """
    for statement in TABLES:
        kind, name = re.findall(r"(TABLE|VIEW) (\w+)", statement)[0]
        cursor.execute(f"DROP {kind} IF EXISTS {name}")
        cursor.execute(statement)
    schema.fill_lists(cursor)
    cursor.execute("INSERT INTO watermark VALUES (?)", [mark])


def _over_lake(cursor: DuckDBPyConnection) -> DuckDBPyConnection:
    cursor.execute("SET search_path = 'lake.main,memory.main'")
    return cursor


def lake_place(lake: str) -> str:
    """The place of a lake in the form in which it is stored; for a folder its absolute path."""
    scheme = urlsplit(lake).scheme
    if scheme == "s3":
        return lake.rstrip("/") + "/"
    if scheme and "://" in lake:
        raise ArchiveError("lake.not-one", text=lake)
    return str(Path(lake).expanduser().resolve()) + "/"


def quoted(text: str) -> str:
    """A text as an SQL literal."""
    return "'" + text.replace("'", "''") + "'"


def _load(root: DuckDBPyConnection, name: str) -> None:
    """Load an extension from its Python package."""
    spec = importlib.util.find_spec(f"duckdb_extension_{name}")
    places = [] if spec is None else list(spec.submodule_search_locations or ())
    files = [path for place in places for path in Path(place).rglob("*.duckdb_extension")]
    if not files:
        raise ArchiveError("postgres.packages")
    try:
        root.execute(f"LOAD {quoted(str(files[0]))}")
    except duckdb.Error as error:
        raise ArchiveError("lake.duckdb", version=duckdb.__version__, name=name) from error


def _secret() -> str:
    """SQL that tells DuckDB how to reach S3, from the usual environment variables."""
    env = os.environ
    endpoint = objects.endpoint()
    settings = {
        "KEY_ID": env.get("AWS_ACCESS_KEY_ID"),
        "SECRET": env.get("AWS_SECRET_ACCESS_KEY"),
        "SESSION_TOKEN": env.get("AWS_SESSION_TOKEN"),
        "REGION": objects.region() or "us-east-1",
        "ENDPOINT": urlsplit(endpoint).netloc if endpoint else None,
        "URL_STYLE": "path" if endpoint else None,
        "USE_SSL": "false" if endpoint and endpoint.startswith("http://") else None,
    }
    keep_secret(settings["SECRET"], settings["SESSION_TOKEN"])
    given = ", ".join(f"{name} {quoted(value)}" for name, value in settings.items() if value)
    return f"CREATE SECRET (TYPE s3, {given})"
