"""What an archive stands on: tables that are queried through DuckDB, and a ledger.

The *ledger* is what the archive records: game records with their revisions, merges, names,
settings, and the chain that proves that none of it was changed (`claimlog.store.ledger.chain`). The
*tables* are derived from it, and all questions query them.  `claimlog.store.file.database` keeps
both in one file.  This module translates DuckDB's errors into those of
`claimlog.store.model.errors`.
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
from abc import ABC, abstractmethod
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar, cast

import duckdb

from claimlog.language.messages import message_of
from claimlog.store.model.errors import (
    ArchiveClosed,
    ArchiveDamaged,
    ArchiveError,
    ArchiveFailed,
    ArchiveLocked,
    ArchiveReadOnly,
    ArchiveTooNew,
    BadQuery,
    Cancelled,
    DiskFull,
    OutOfMemory,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from duckdb import DuckDBPyConnection

    from claimlog.store.model import types as t

    Report = Callable[[t.Progress], None] | None

T = TypeVar("T")

VERSIONS: Final = (
    "SELECT game, revision, digest, stored_at, deleted, record FROM records WHERE gid = ?"
)
"""SQL: the revisions of a game, as `Backend.versions` returns them."""

_FULL: Final = (
    "no space left",
    "disk full",
    "file too large",
    "disk quota",
    "out of disk",
    "could not write all bytes",
    "could not write file",
    "failed to write",
)
_LOCKED: Final = ("could not set lock", "conflicting lock", "being used by another process")
_READ_ONLY: Final = ("read-only", "permission denied", "cannot open file")
_DAMAGED: Final = (
    "not a valid duckdb database",
    "checksum",
    "corrupt",
    "serialization error",
    "failed to load metadata",
    "could not read",
    "wal file",
    "failure while replaying",
)


_SENSELESS: Final = (
    duckdb.ConversionException,
    duckdb.OutOfRangeException,
    duckdb.InvalidInputException,
    duckdb.InvalidTypeException,
    UnicodeEncodeError,
    OverflowError,
)
"""DuckDB's errors for a query with senseless values."""


def _first_line(error: BaseException) -> str:
    return str(error).split("\n")[0][:300]


def let_go(cursor: DuckDBPyConnection) -> None:
    """Close a cursor that may be in a transaction.

    If the catalogue of a lake has gone away, DuckDB kills the whole process when a cursor is closed
    whose transaction has not been rolled back.
    """
    with contextlib.suppress(duckdb.Error):
        cursor.execute("ROLLBACK")
    with contextlib.suppress(duckdb.Error):
        cursor.close()


def now() -> datetime:
    """The current time in UTC, without an offset, as the archive stores it."""
    return datetime.now(UTC).replace(tzinfo=None)


def translated(error: BaseException, path: Path) -> ArchiveError | None:
    """The archive's error for one of DuckDB's or the system's, None if there is none."""
    text = str(error).lower()
    message = _first_line(error)
    if isinstance(error, OSError) and not isinstance(error, duckdb.Error):
        if error.errno in (28, 27, 122):
            return DiskFull("disk-full.path", path=path)
        if error.errno in (1, 13, 30):
            return ArchiveReadOnly("file.not-written", path=path, why=message_of(error))
        return None
    if not isinstance(error, duckdb.Error):
        return None
    if isinstance(error, duckdb.OutOfMemoryException):
        if "max_temp_directory_size" in text:
            return DiskFull("disk-full.why", path=path, why=message)
        return OutOfMemory("out-of-memory")
    if isinstance(error, duckdb.InterruptException):
        return Cancelled("question.gave-way")
    if any(word in text for word in _FULL):
        return DiskFull("disk-full.why", path=path, why=message)
    if any(word in text for word in _LOCKED):
        return ArchiveLocked("archive.locked", path=path)
    if "connection to same database file" in text:
        return ArchiveLocked("archive.open-already", path=path)
    if "newer version" in text or "unsupported version" in text or "storage version" in text:
        return ArchiveTooNew("archive.newer-duckdb", path=path, why=message)
    if any(word in text for word in _READ_ONLY):
        return ArchiveReadOnly("file.not-written", path=path, why=message)
    if "wal does not match" in text:
        return ArchiveDamaged("archive.other-log", path=path)
    if isinstance(error, duckdb.FatalException | duckdb.InternalException) or any(
        word in text for word in _DAMAGED
    ):
        return ArchiveDamaged("file.not-read", path=path, why=message)
    return ArchiveFailed("archive.failed", path=path, why=message)


class CancelToken:
    """Lets any thread cancel the reading of a question.

    Writing is never interrupted: it takes little time, and happens completely or not at all.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._cursors: list[DuckDBPyConnection] = []
        self._cancelled = False

    def cancel(self) -> None:
        """Interrupt the reading, and let nothing more be read.

        A query that is just about to begin is missed: call this again until the reader has ended.
        """
        with self._lock:
            self._cancelled = True
            for cursor in self._cursors:
                with contextlib.suppress(duckdb.ConnectionException):  # closed with the archive
                    cursor.interrupt()

    @contextlib.contextmanager
    def reading(self, cursor: DuckDBPyConnection) -> Iterator[None]:
        """Let the token cancel what a cursor reads in this context; raises Cancelled."""
        with self._lock:
            if self._cancelled:
                raise Cancelled("question.cancelled")
            self._cursors.append(cursor)
        try:
            yield
        except duckdb.InterruptException as error:
            raise Cancelled("question.cancelled") from error
        finally:
            with self._lock:
                self._cursors.remove(cursor)


class SharedLock:
    """A lock held by many at a time, or by one exclusively."""

    def __init__(self) -> None:
        self._condition = threading.Condition()
        self._holders = 0
        self._shut = False
        self._mine = threading.local()

    def acquire_shared(self, nested: bool = False) -> None:
        """Wait until nobody holds it exclusively, then hold it, shared, until `release_shared`."""
        with self._condition:
            while self._shut and not nested:
                self._condition.wait()
            self._holders += 1

    def release_shared(self) -> None:
        """Release a lock held with `acquire_shared`."""
        with self._condition:
            self._holders -= 1
            self._condition.notify_all()

    @contextlib.contextmanager
    def shared(self) -> Iterator[None]:
        """Hold it, shared with others; may be nested."""
        depth = getattr(self._mine, "depth", 0)
        self.acquire_shared(nested=depth > 0)
        self._mine.depth = depth + 1
        try:
            yield
        finally:
            self._mine.depth = depth
            self.release_shared()

    @contextlib.contextmanager
    def exclusive(self, timeout: float) -> Iterator[None]:
        """Hold it exclusively; raises TimeoutError if the others do not release it in time."""
        end = time.monotonic() + timeout
        with self._condition:
            self._shut = True
            try:
                while self._holders:
                    left = end - time.monotonic()
                    if left <= 0:
                        raise TimeoutError
                    self._condition.wait(left)
            except BaseException:
                self._shut = False
                self._condition.notify_all()
                raise
        try:
            yield
        finally:
            with self._condition:
                self._shut = False
                self._condition.notify_all()


class LedgerCursor(Protocol):
    """A cursor that reads and writes the ledger, of DuckDB or PostgreSQL."""

    def execute(self, sql: str, parameters: Any = None, /) -> LedgerCursor:
        """Execute a statement; its parameters are written ``?``."""

    def fetchall(self) -> list[Any]:
        """All rows of the result."""

    def fetchone(self) -> Any:
        """The next row of the result, None after the last one."""


class Maintenance(Protocol):
    """The maintenance of a backend: see `Archive`."""

    def info(self) -> t.Info:
        """The size of the archive, and counts."""

    def rebuild(self, report: Report, afresh: bool, /) -> t.Rebuilt:
        """Rebuild everything derived; go on where an interrupted one stopped unless `afresh`."""

    def check(
        self, report: Report, full: bool, noted: str | None, kept: Path | None, /
    ) -> t.CheckReport:
        """Prove that everything derived agrees with the records, and these with the chain.

        How far it has come is noted in the file `kept`, and it goes on from there.
        """

    def backup(self, path: Path, /) -> int:
        """Write a copy; return its size."""

    def compact(self, wait: float, /) -> tuple[int, int]:
        """Return unused space to the disk; return the size before and after."""


class Known:
    """A revision with a known digest: the game it belongs to, and whether that is deleted."""

    __slots__ = ("deleted", "game", "gid", "revision")

    def __init__(self, game: int, gid: int, revision: int, deleted: bool) -> None:
        self.game = game
        self.gid = gid
        self.revision = revision
        self.deleted = deleted


class Backend(ABC):
    """An open backend.

    `read` and `snapshot` provide cursors over the tables, `ledger` and `decide` over the ledger;
    all may be used from any thread.
    """

    rolls_up = False
    """Whether there are roll-ups beside the tables (`claimlog.store.questions.rollups`)."""

    def __init__(
        self,
        path: Path | str,
        spool: Path,
        *,
        read_only: bool,
        memory_limit: str,
        threads: int | None,
    ) -> None:
        self.where = path
        """The file, or the address without its password."""
        self.spool = spool
        """The folder for rows about to be stored and for what does not fit into memory."""
        self.read_only = read_only
        self.memory_limit = memory_limit
        self.threads = threads or os.cpu_count() or 1
        self.in_use = SharedLock()
        self.upgraded: Path | None = None
        """The copy of the file from before an upgrade, if there was one."""
        self.came = self.made = 0
        """How many games arrived one at a time, and how many of them are in the tables."""
        self.named = 0
        """How often those brought names that may be new."""
        self._decided: dict[str, tuple[int, Any]] = {}
        self._local = threading.local()
        self._era = 0
        self._cursors: list[DuckDBPyConnection] = []
        self._reading: Counter[DuckDBPyConnection] = Counter()
        self._lock = threading.Lock()
        self._root: DuckDBPyConnection | None = None

    @property
    def config(self) -> dict[str, Any]:
        """The configuration of every DuckDB that claimlog opens."""
        return {
            "threads": self.threads,
            "memory_limit": self.memory_limit,
            "temp_directory": str(self.spool),
            "autoinstall_known_extensions": False,
            "autoload_known_extensions": False,
            # Rows about to be stored are read once, and DuckDB never forgets a file's name.
            "enable_external_file_cache": False,
            # Statistics group by two columns of 8 and 6 bits.
            "perfect_ht_threshold": 18,
        }

    @property
    def waiting(self) -> int:
        """The number of games that arrived and are not in the tables yet."""
        return self.came - self.made

    @property
    @abstractmethod
    def generation(self) -> int:
        """Increases with every write."""

    @property
    def version(self) -> tuple[int, int] | None:
        """Stays the same as long as no row of a stored game changes; None if that is unknown.

        New games may come meanwhile.
        """
        return None

    def changed_since(self, version: tuple[int, int]) -> set[int] | None:
        """The stored games of which rows may have changed since a version; None if any may have.

        Games stored since then are not among them.
        """
        return None

    @property
    @abstractmethod
    def decisions(self) -> int:
        """Increases whenever merges, names or settings are written."""

    @abstractmethod
    def settle(self, *, needed: bool = False) -> None:
        """Make sure, for a reader, that the derived tables are complete.

        Raises the reason if they cannot be; if `needed`, it is tried in any case.
        """

    def versions(self, gid: int | None) -> list[tuple[Any, ...]]:
        """The revisions of a game: (number, revision, digest, time, whether deleted, record)."""
        return self.ask_ledger(VERSIONS, [gid])

    def decided(self, what: str, ask: Callable[[], T]) -> T:
        """The result of `ask` about decisions, cached until the next decision."""
        if getattr(self._local, "writing", False):
            return ask()  # the answer may depend on what is never committed
        decisions = self.decisions
        remembered = self._decided.get(what)
        if remembered is None or remembered[0] != decisions:
            remembered = self._decided[what] = decisions, ask()
        return cast("T", remembered[1])

    def waits(self, gid: int | None) -> tuple[Any, ...] | None:
        """The revision of a game that is not in the tables yet, None if there is none.

        (Id, revision, time, who, why, source, digest, whether deleted, record.)
        """
        return None

    def just_judged(self, gid: int) -> dict[str, Any] | None:
        """The row of a game that was judged to be stored just now; it is given once at most."""
        return None

    @abstractmethod
    def close(self) -> None:
        """Close everything; waits for a running write."""

    @abstractmethod
    def ledger(self) -> contextlib.AbstractContextManager[LedgerCursor]:
        """A cursor that reads the ledger."""

    @abstractmethod
    def decide(self) -> contextlib.AbstractContextManager[LedgerCursor]:
        """A transaction that writes a decision into the ledger; only one runs at a time."""

    @abstractmethod
    def deriving(
        self, *, quiet: bool = False
    ) -> contextlib.AbstractContextManager[DuckDBPyConnection]:
        """A transaction over the tables, for data kept beside those derived from the records.

        `quiet`: it leaves all cached answers valid.
        """

    @abstractmethod
    def link(self, cursor: LedgerCursor, what: str, *values: Any) -> None:
        """Add a decision to the chain, at the end of a transaction begun by `decide`.

        `values`: see `claimlog.store.ledger.chain.link_decision`.
        """

    @abstractmethod
    def find_digests(self, cursor: LedgerCursor, digests: Collection[bytes]) -> dict[bytes, Known]:
        """What is known of these digests, and of others that share 64 bits with them.

        `cursor` is the ledger's.
        """

    @abstractmethod
    def texts(self, cursor: DuckDBPyConnection, games: list[int]) -> dict[int, str]:
        """The records of these games, as in the tables that `cursor` sees."""

    def _disconnect(self) -> None:
        with self._lock:
            cursors, self._cursors = self._cursors, []
            root, self._root = self._root, None
            self._era += 1
        for cursor in cursors:
            with contextlib.suppress(duckdb.Error):
                cursor.close()
        if root is not None:
            with contextlib.suppress(duckdb.Error):
                root.close()

    def translated(self, error: BaseException) -> ArchiveError | None:
        """The archive's error for one of DuckDB's or the system's, None if there is none."""
        return translated(error, Path(self.where))

    def check_writable(self) -> None:
        """Raise ArchiveReadOnly unless the file was opened for writing."""
        if self.read_only:
            raise ArchiveReadOnly("archive.for-reading", path=self.where)

    def check_there(self) -> None:  # noqa: B027 — only a file can be gone
        """Raise ArchiveGone if the file was deleted, moved or replaced, or its disk is gone."""

    # Cursors -------------------------------------------------------------------------------

    def cursor(self) -> DuckDBPyConnection:
        """A new cursor; the caller must close it."""
        root = self._root
        if root is None:
            raise ArchiveClosed("archive.closed", path=self.where)
        return root.cursor()

    @contextlib.contextmanager
    def _interruptible(self, cursor: DuckDBPyConnection) -> Iterator[None]:
        """Let `interrupt_questions` interrupt what the cursor reads in this context."""
        with self._lock:
            self._reading[cursor] += 1
        try:
            yield
        finally:
            with self._lock:
                self._reading[cursor] -= 1
                if not self._reading[cursor]:
                    del self._reading[cursor]

    def interrupt_questions(self) -> None:
        """Interrupt what other threads are reading, and wait a moment for them to end."""
        own = getattr(self._local, "cursor", None)
        with self._lock:
            for cursor in self._reading:
                if cursor is not own:
                    cursor.interrupt()
        time.sleep(0.1)

    def _own(self) -> DuckDBPyConnection:
        """This thread's cursor."""
        if getattr(self._local, "era", 0) != self._era or self._root is None:
            cursor = self.cursor()
            with self._lock:
                self._cursors.append(cursor)
            self._local.cursor = cursor
            self._local.era = self._era
        own: DuckDBPyConnection = self._local.cursor
        return own

    def ask(self, token: CancelToken, function: Callable[[], T]) -> T:
        """Call a function; `token` can cancel what it reads in this thread."""
        self._local.token = token
        try:
            return function()
        finally:
            self._local.token = None

    def asked(self, cursor: DuckDBPyConnection) -> contextlib.AbstractContextManager[None]:
        """Let this thread's token, if it has one, cancel what the cursor reads in this context."""
        token: CancelToken | None = getattr(self._local, "token", None)
        if token is None or getattr(self._local, "writing", False):
            return contextlib.nullcontext()
        return token.reading(cursor)

    def release(self) -> None:
        """Close this thread's cursor; for threads that will not read again."""
        cursor = getattr(self._local, "cursor", None)
        with self._lock:
            if cursor not in self._cursors:
                return
            self._cursors.remove(cursor)
        self._local.era = 0
        with contextlib.suppress(duckdb.Error):
            cursor.close()

    @contextlib.contextmanager
    def read(self, settled: bool = True) -> Iterator[DuckDBPyConnection]:
        """This thread's cursor, for reading; `settled` may be false to read only records."""
        if settled:
            self.settle()
        with self.in_use.shared(), self.translating():
            cursor = self._own()
            with self._interruptible(cursor), self.asked(cursor):
                yield cursor

    @contextlib.contextmanager
    def snapshot(self) -> Iterator[DuckDBPyConnection]:
        """A separate cursor in a read-only transaction, which sees no later changes.

        It may be exited in another thread than it was entered in, as generators are.
        """
        self.settle()
        self.in_use.acquire_shared()
        try:
            cursor = self.cursor()
            try:
                with (
                    self.translating(),
                    self._interruptible(cursor),
                    self.asked(cursor),
                ):
                    cursor.execute("BEGIN TRANSACTION READ ONLY")
                    yield cursor
            finally:
                let_go(cursor)
        finally:
            self.in_use.release_shared()

    @contextlib.contextmanager
    def translating(self) -> Iterator[None]:
        """Translate what DuckDB raises while reading into the archive's errors."""
        try:
            yield
        except _SENSELESS as error:
            raise BadQuery("question.refused", why=_first_line(error)) from error
        except RuntimeError as error:
            # DuckDB 1.5 raises this if a text holds half a surrogate pair.
            if "cast Python instance" not in str(error):
                raise
            raise BadQuery("question.surrogate") from error
        except duckdb.Error as error:
            raise self.translated(error) or error from error

    def rows(self, sql: str, parameters: Any = None) -> list[tuple[Any, ...]]:
        """Query the tables and fetch all rows."""
        with self.read() as cursor:
            return cursor.execute(sql, parameters).fetchall()

    def ask_ledger(self, sql: str, parameters: Any = None) -> list[tuple[Any, ...]]:
        """Query the ledger and fetch all rows."""
        with self.ledger() as cursor:
            return cursor.execute(sql, parameters).fetchall()
