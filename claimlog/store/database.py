"""The DuckDB file: opening it safely, one cursor a thread, one writer at a time.

DuckDB's errors are translated into those of `claimlog.store.errors` here.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import tempfile
import threading
import time
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, TypeVar

import duckdb

from claimlog.cards import NAMES
from claimlog.store import schema
from claimlog.store.errors import (
    ArchiveClosed,
    ArchiveDamaged,
    ArchiveError,
    ArchiveFailed,
    ArchiveLocked,
    ArchiveMissing,
    ArchiveReadOnly,
    ArchiveTooNew,
    BadQuery,
    Cancelled,
    DiskFull,
    OutOfMemory,
)
from claimlog.store.soundness import check_files

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from duckdb import DuckDBPyConnection

T = TypeVar("T")

Written = Literal["anything", "games", "rows"]
"""What is written: single games, the derived rows that wait for them, or anything else."""

PATIENCE: Final = 1.0
"""Seconds until the rows that could not be made are tried again."""

CHECKPOINT: Final = "256MB"
"""So much may lie in the log before it is worked into the file."""

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
"""What DuckDB says to a question with senseless values in it."""


def _first_line(error: BaseException) -> str:
    return str(error).split("\n")[0][:300]


def _nothing() -> None:
    """Nothing waits."""


def now() -> datetime:
    """The time in UTC, without an offset, as the archive keeps it."""
    return datetime.now(UTC).replace(tzinfo=None)


def translated(error: BaseException, path: Path) -> ArchiveError | None:
    """The archive's error for one of DuckDB's or the system's, None if it has none."""
    text = str(error).lower()
    message = _first_line(error)
    if isinstance(error, OSError) and not isinstance(error, duckdb.Error):
        if error.errno in (28, 27, 122):
            return DiskFull(f"there is no room left on the disk of {path}")
        if error.errno in (1, 13, 30):
            return ArchiveReadOnly(f"{path} cannot be written: {error.strerror}")
        return None
    if not isinstance(error, duckdb.Error):
        return None
    if isinstance(error, duckdb.OutOfMemoryException):
        if "max_temp_directory_size" in text:
            return DiskFull(f"there is no room left on the disk of {path}: {message}")
        return OutOfMemory("this needs more memory than there is at the moment")
    if isinstance(error, duckdb.InterruptException):
        return Cancelled("the question was given up: its memory was needed for storing games")
    if any(word in text for word in _FULL):
        return DiskFull(f"there is no room left on the disk of {path}: {message}")
    if any(word in text for word in _LOCKED):
        return ArchiveLocked(
            f"{path} is in use by another process, and only one can have it open; "
            "if that is a claimlog server, ask it over HTTP"
        )
    if "newer version" in text or "unsupported version" in text or "storage version" in text:
        return ArchiveTooNew(f"{path} was written by a newer DuckDB: {message}")
    if any(word in text for word in _READ_ONLY):
        return ArchiveReadOnly(f"{path} cannot be written: {message}")
    if isinstance(error, duckdb.FatalException | duckdb.InternalException) or any(
        word in text for word in _DAMAGED
    ):
        return ArchiveDamaged(f"{path} cannot be read: {message}")
    return ArchiveFailed(f"{path}: {message}")


class Question:
    """Something that is read from the archive, and can be given up from any thread.

    What writes is never interrupted: it is over soon, and done or not done.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._cursors: list[DuckDBPyConnection] = []
        self._cancelled = False

    def cancel(self) -> None:
        """Interrupt the reading, and let nothing more be read.

        A query that is about to begin is not met: call it again until the reader has ended.
        """
        with self._lock:
            self._cancelled = True
            for cursor in self._cursors:
                cursor.interrupt()

    @contextlib.contextmanager
    def reading(self, cursor: DuckDBPyConnection) -> Iterator[None]:
        """While a cursor reads for this question; raises Cancelled."""
        with self._lock:
            if self._cancelled:
                raise Cancelled("the question has been cancelled")
            self._cursors.append(cursor)
        try:
            yield
        except duckdb.InterruptException as error:
            raise Cancelled("the question has been cancelled") from error
        finally:
            with self._lock:
                self._cursors.remove(cursor)


class SharedLock:
    """A lock that many hold at a time, or one alone."""

    def __init__(self) -> None:
        self._condition = threading.Condition()
        self._holders = 0
        self._shut = False
        self._mine = threading.local()

    def acquire_shared(self, nested: bool = False) -> None:
        """Wait until nobody holds it alone, and hold it with others until `release_shared`."""
        with self._condition:
            while self._shut and not nested:
                self._condition.wait()
            self._holders += 1

    def release_shared(self) -> None:
        """Hold it no longer."""
        with self._condition:
            self._holders -= 1
            self._condition.notify_all()

    @contextlib.contextmanager
    def shared(self) -> Iterator[None]:
        """Hold it with others; may be nested."""
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
        """Hold it alone; raises TimeoutError if the others do not leave in time."""
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


class Database:
    """An open file.  `read` and `write` hand out cursors; both may be used from any thread."""

    def __init__(
        self, path: Path, *, read_only: bool, create: bool, memory_limit: str, threads: int | None
    ) -> None:
        if path.is_dir():
            raise ArchiveDamaged(f"{path} is a folder, not an archive")
        self.path = path
        self.read_only = read_only
        self.memory_limit = memory_limit
        self.threads = threads or os.cpu_count() or 1
        self.spool = (
            # Made only when it is needed, so that nothing is left behind.
            Path(tempfile.gettempdir()) / f"claimlog-{secrets.token_hex(8)}"
            if read_only
            else path.with_name(path.name + ".spool")
        )
        self.in_use = SharedLock()
        self.generation = 0
        """Grows with everything that is written."""
        self.decisions = 0
        """Grows with everything that is written but games that come one at a time."""
        self.waiting = 0
        """So many games may have come whose derived rows are still to be made."""
        self.bring_in: Callable[[], None] = _nothing
        """Makes the rows that wait; called by whoever is writing (`claimlog.store.waiting`)."""
        self._patience = 0.0
        self.upgraded: Path | None = None
        """Where a copy of the file lies as it was before an upgrade, if there was one."""
        self._writing = threading.RLock()
        self._doomed = False
        self._local = threading.local()
        self._era = 0
        self._cursors: list[DuckDBPyConnection] = []
        self._reading: Counter[DuckDBPyConnection] = Counter()
        self._lock = threading.Lock()
        self._root: DuckDBPyConnection | None = None
        check_files(path)
        if not path.exists():
            if read_only or not create:
                raise ArchiveMissing(f"there is no archive at {path}")
            try:
                path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            except OSError as error:
                raise translated(error, path) or ArchiveError(
                    f"{path} cannot be created: {error.strerror}"
                ) from error
        elif not path.is_file():
            raise ArchiveDamaged(f"{path} is not a file")
        elif not read_only and not os.access(path, os.W_OK):
            raise ArchiveReadOnly(f"{path} cannot be written")
        if not read_only and path.exists() and not path.stat().st_size:
            path.unlink()  # a name that somebody has reserved
        fresh = not path.exists()
        self._connect()
        try:
            if fresh:
                # For the owner alone; who wants it otherwise changes the file's mode.
                path.chmod(0o600)
                self._create()
            else:
                self._check_version()
        except BaseException:
            self.close()
            raise

    # Opening and closing -----------------------------------------------------------------

    def _connect(self) -> None:
        """Open the file and tie DuckDB down."""
        try:
            root = duckdb.connect(
                str(self.path),
                read_only=self.read_only,
                config={
                    "threads": self.threads,
                    "memory_limit": self.memory_limit,
                    "temp_directory": str(self.spool),
                    "autoinstall_known_extensions": False,
                    "autoload_known_extensions": False,
                    "checkpoint_threshold": CHECKPOINT,
                    "preserve_insertion_order": True,
                    # Statistics count over two columns of 8 and 6 bits.
                    "perfect_ht_threshold": 18,
                },
            )
        except duckdb.Error as error:
            raise translated(error, self.path) or ArchiveDamaged(
                f"{self.path} cannot be opened: {error}"
            ) from error
        folder = str(self.spool).replace("'", "''")
        root.execute("SET TimeZone = 'UTC'")
        root.execute(f"SET allowed_directories = ['{folder}']")
        root.execute("SET enable_external_access = false")
        root.execute("SET lock_configuration = true")
        self._root = root
        self._era += 1
        if not self.read_only:
            shutil.rmtree(self.spool, ignore_errors=True)

    def _create(self) -> None:
        with self.write() as cursor:
            schema.create(cursor, now())
            cursor.execute("CHECKPOINT")

    def _check_version(self) -> None:
        """Refuse what is no archive or too new; bring what is too old up to date."""
        with self.read() as cursor:
            tables = {
                row[0]
                for row in cursor.execute("SELECT table_name FROM duckdb_tables()").fetchall()
            }
            if "meta" not in tables:
                if not tables and not self.read_only:
                    # Created, but the process was killed before the tables were there.
                    fresh = True
                else:
                    raise ArchiveDamaged(f"{self.path} is a DuckDB file, but no claimlog archive")
            else:
                fresh = False
                row = cursor.execute("SELECT mark, version FROM meta").fetchone()
                if row is None or row[0] != schema.MARK:
                    raise ArchiveDamaged(f"{self.path} is no claimlog archive")
                version = int(row[1])
        if fresh:
            self._create()
            return
        if version > schema.VERSION:
            raise ArchiveTooNew(
                f"{self.path} has schema {version}; this claimlog knows {schema.VERSION} and older"
            )
        if version < schema.VERSION:
            self._upgrade(version)
        self._check_cards()

    def _check_cards(self) -> None:
        """Refuse an archive whose cards have other numbers; add factions that are new to it."""
        with self.read() as cursor:
            cards = schema.cards_in(cursor)
        if cards == list(NAMES):
            return
        if cards[: len(NAMES)] == list(NAMES):
            raise ArchiveTooNew(f"{self.path} has factions that this claimlog does not know")
        if cards != list(NAMES[: len(cards)]):
            raise ArchiveError(
                f"{self.path} numbers the cards differently from claimlog/cards.py: "
                "factions keep their places there, and new ones go to the end"
            )
        if not self.read_only:
            with self.transaction() as cursor:
                schema.make_lists(cursor)

    def _upgrade(self, version: int) -> None:
        """Bring an older schema up to date, after laying a copy of the file beside it."""
        if self.read_only:
            raise ArchiveReadOnly(
                f"{self.path} has the older schema {version}: open it for writing once"
            )
        from claimlog.store.maintenance import remake

        with self.write() as cursor:
            cursor.execute("CHECKPOINT")
            copy = self._lay_beside(version)
            cursor.execute("BEGIN")
            for step in range(version, schema.VERSION):
                schema.MIGRATIONS[step](cursor)
            remake(self, cursor, None)
            cursor.execute("UPDATE meta SET version = ?", [schema.VERSION])
            cursor.execute("COMMIT")
            cursor.execute("CHECKPOINT")
        self.upgraded = copy

    def _lay_beside(self, version: int) -> Path:
        """Lay a copy of the file beside it; what lies there already is left alone."""
        copy = self.path.with_name(f"{self.path.name}.schema{version}.backup")
        number = 1
        while copy.exists():
            number += 1
            copy = self.path.with_name(f"{self.path.name}.schema{version}.backup{number}")
        part = copy.with_name(copy.name + ".part")
        try:
            shutil.copy2(self.path, part)
            with open(part, "rb+") as file:
                os.fsync(file.fileno())
            os.replace(part, copy)
        except OSError as error:
            part.unlink(missing_ok=True)
            raise translated(error, copy) or ArchiveError(str(error)) from error
        return copy

    def close(self) -> None:
        """Close everything; waits for who is writing."""
        with self._writing:
            if self.waiting and self._root is not None:
                # Who opens the file next makes the rows that cannot be made now.
                with contextlib.suppress(ArchiveError):
                    self.bring_in()
            self._disconnect()
        shutil.rmtree(self.spool, ignore_errors=True)

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

    def check_writable(self) -> None:
        """Raise ArchiveReadOnly unless the file was opened for writing."""
        if self.read_only:
            raise ArchiveReadOnly(f"{self.path} was opened for reading only")

    @contextlib.contextmanager
    def writing(self, what: Written = "anything") -> Iterator[None]:
        """Keep others from writing; nothing waits any more unless single games are written."""
        self.check_writable()
        with self._writing:
            if what == "anything" and self.waiting:
                self.bring_in()
            yield

    def settle(self) -> None:
        """Make the derived rows that wait, for a reader.

        Whoever writes makes them before, so a reader never waits for a long writing.  Where they
        cannot be made, as on a full disk, what is read lacks these games for the time being.
        """
        while (
            self.waiting
            and not getattr(self._local, "writing", False)
            and time.monotonic() >= self._patience
        ):
            if not self._writing.acquire(timeout=0.02):
                continue
            try:
                if self.waiting:
                    self.bring_in()
            except ArchiveError:
                self._patience = time.monotonic() + PATIENCE
            finally:
                self._writing.release()

    @contextlib.contextmanager
    def opened_for_writing(self) -> Iterator[None]:
        """While a file that is open for reading only can be written.

        Raises ArchiveReadOnly.
        """
        with self._writing:
            if not os.access(self.path, os.W_OK):
                raise ArchiveReadOnly(f"{self.path} cannot be written")
            self._disconnect()
            self.read_only = False
            try:
                self._connect()
                yield
            finally:
                self._disconnect()
                self.read_only = True
                self._connect()

    def swap(self, file: Path, wait: float) -> None:
        """Put another file in this one's place, once nobody is reading; within `writing`."""
        try:
            with self.in_use.exclusive(wait):
                self._disconnect()
                try:
                    if Path(f"{self.path}.wal").exists():
                        raise ArchiveError("the log could not be worked in; nothing was changed")
                    shutil.copymode(self.path, file)
                    os.replace(file, self.path)
                finally:
                    self._connect()
        except TimeoutError:
            raise ArchiveError(
                f"somebody has been reading for more than {wait:g} seconds; nothing was changed"
            ) from None

    def reopen(self) -> None:
        """Open the file again, after it was replaced or DuckDB gave up on it."""
        self._disconnect()
        self._connect()

    # Cursors -------------------------------------------------------------------------------

    def cursor(self) -> DuckDBPyConnection:
        """A new cursor, of the caller's own; to be closed by the caller."""
        root = self._root
        if root is None:
            raise ArchiveClosed(f"{self.path} has been closed")
        return root.cursor()

    @contextlib.contextmanager
    def _interruptible(self, cursor: DuckDBPyConnection) -> Iterator[None]:
        """While a cursor reads, `interrupt_questions` meets it."""
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
        """Give up what others read at the moment, and wait a moment until they have ended."""
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

    def ask(self, question: Question, function: Callable[[], T]) -> T:
        """Call a function; what it reads in this thread is read for `question`."""
        self._local.question = question
        try:
            return function()
        finally:
            self._local.question = None

    def asked(self, cursor: DuckDBPyConnection) -> contextlib.AbstractContextManager[None]:
        """While a cursor reads what this thread has been asked for."""
        question: Question | None = getattr(self._local, "question", None)
        if question is None or getattr(self._local, "writing", False):
            return contextlib.nullcontext()
        return question.reading(cursor)

    def release(self) -> None:
        """Close this thread's cursor: the thread will not ask again."""
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
        """This thread's cursor, for reading; records alone need not be `settled`."""
        if settled:
            self.settle()
        with self.in_use.shared():
            try:
                cursor = self._own()
                with self._interruptible(cursor), self.asked(cursor):
                    yield cursor
            except _SENSELESS as error:
                raise BadQuery(f"this cannot be asked: {_first_line(error)}") from error
            except duckdb.Error as error:
                raise translated(error, self.path) or error from error

    @contextlib.contextmanager
    def write(self, what: Written = "anything") -> Iterator[DuckDBPyConnection]:
        """This thread's cursor, for writing: one thread at a time; may be nested.

        What goes wrong is rolled back; after an error that DuckDB itself does not survive
        the file is opened again.
        """
        with self.writing(what):
            outermost = not getattr(self._local, "writing", False)
            self._local.writing = True
            try:
                with self.in_use.shared():
                    cursor = self._own()
                    try:
                        yield cursor
                        self._count(what)
                        self._guard_log()
                    except BaseException:
                        with contextlib.suppress(duckdb.Error):
                            cursor.execute("ROLLBACK")
                        raise
            except (duckdb.Error, OSError) as error:
                kind = translated(error, self.path)
                if isinstance(error, duckdb.FatalException) or self._broken():
                    self._doomed = True
                raise kind or error from error
            finally:
                if outermost:
                    self._local.writing = False
                    if self._doomed:
                        self._doomed = False
                        self._recover()

    def _count(self, what: Written) -> None:
        """Something was written."""
        # Rows that were only late to come change no answer, for they come before it is made.
        self.generation += what != "rows" or self._patience > 0
        self.decisions += what == "anything"
        if what == "rows":
            self._patience = 0.0

    def _guard_log(self) -> None:
        """Let nobody read the log who may not read the file."""
        log = f"{self.path}.wal"
        with contextlib.suppress(OSError):
            mode = os.stat(self.path).st_mode
            if os.stat(log).st_mode & ~mode & 0o777:
                shutil.copymode(self.path, log)

    def _broken(self) -> bool:
        """Whether DuckDB has given up on the file."""
        try:
            self._own().execute("SELECT 1").fetchall()
        except duckdb.Error:
            return True
        return False

    def _recover(self) -> None:
        """Open the file again after an error that DuckDB did not survive."""
        with contextlib.suppress(TimeoutError), self.in_use.exclusive(30):
            self.reopen()

    @contextlib.contextmanager
    def transaction(self) -> Iterator[DuckDBPyConnection]:
        """Write in one transaction: all of it or nothing."""
        with self.write() as cursor:
            cursor.execute("BEGIN")
            yield cursor
            cursor.execute("COMMIT")

    @contextlib.contextmanager
    def snapshot(self) -> Iterator[DuckDBPyConnection]:
        """A cursor of its own in a read-only transaction: nothing changes under it.

        It may be left in another thread than it was entered in, as generators are.
        """
        self.settle()
        self.in_use.acquire_shared()
        try:
            cursor = self.cursor()
            try:
                with self._interruptible(cursor), self.asked(cursor):
                    cursor.execute("BEGIN TRANSACTION READ ONLY")
                    yield cursor
            except _SENSELESS as error:
                raise BadQuery(f"this cannot be asked: {_first_line(error)}") from error
            except duckdb.Error as error:
                raise translated(error, self.path) or error from error
            finally:
                cursor.close()
        finally:
            self.in_use.release_shared()

    def rows(self, sql: str, parameters: Any = None, settled: bool = True) -> list[tuple[Any, ...]]:
        """Ask, and fetch everything."""
        with self.read(settled) as cursor:
            return cursor.execute(sql, parameters).fetchall()
