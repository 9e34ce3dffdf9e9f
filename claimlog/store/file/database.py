"""The DuckDB file with ledger and tables: opens it safely, allows one writer at a time."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import tempfile
import threading
import time
from copy import copy
from glob import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, cast

import duckdb

from claimlog.cards import NAMES
from claimlog.language.messages import message_of
from claimlog.store.backend import VERSIONS, Backend, Known, now, translated
from claimlog.store.file.cursors import Cursor
from claimlog.store.file.journal import Journal
from claimlog.store.file.soundness import (
    check_files,
    check_links,
    drop_left,
    followed,
    looking_at,
)
from claimlog.store.file.upgrades import MIGRATIONS
from claimlog.store.intake.remaking import remake
from claimlog.store.ledger import chain
from claimlog.store.model import schema
from claimlog.store.model.errors import (
    ArchiveDamaged,
    ArchiveError,
    ArchiveFailed,
    ArchiveGone,
    ArchiveLocked,
    ArchiveMissing,
    ArchiveReadOnly,
    ArchiveTooNew,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

    from duckdb import DuckDBPyConnection

    from claimlog.store.backend import LedgerCursor

Written = Literal["anything", "decisions", "rows"]
"""What is written: decisions without games, rows of waiting games, or anything else."""

PATIENCE: Final = 1.0
"""Seconds before another attempt to bring in what could not be brought in."""

TOUCHED: Final = 5000
"""The largest number of changed games that are remembered."""

CHECKPOINT: Final = "256MB"
"""The size at which the log is checkpointed into the file."""


def _nothing() -> None:
    """Bring in nothing: no games wait."""


def _none(_: int) -> None:
    """Find nothing: no such game waits."""


def backups_of(path: Path) -> str:
    """How the names of folders begin in which a server makes backups of an archive to be sent."""
    return f".{path.name}.backup-"


def _which(path: Path) -> tuple[int, int] | None:
    """The device and the number of the file at a path; None if there is none."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


class Database(Backend):
    """An open file.  `read` and `write` provide cursors; any thread may use both."""

    def __init__(
        self,
        path: Path,
        *,
        read_only: bool,
        create: bool,
        memory_limit: str,
        threads: int | None,
        older: bool = False,
        half: bool = False,
    ) -> None:
        """Open a file; `older`: an older schema is no obstacle to reading, and is left as it is.

        `half`: create one that is not a complete archive yet.
        """
        with looking_at(path):
            if path.is_dir():
                raise ArchiveDamaged("archive.folder", path=path)
            # Everything lies beside the file itself, which a compacted copy replaces, and nothing
            # beside a link to it: so it is found in whatever way the file is opened.
            real = followed(path)
        spool = (
            # Created only when needed, so that nothing is left behind.
            Path(tempfile.gettempdir()) / f"claimlog-{secrets.token_hex(8)}"
            if read_only
            else real.with_name(real.name + ".spool")
        )
        super().__init__(
            path, spool, read_only=read_only, memory_limit=memory_limit, threads=threads
        )
        self.path = path
        self._real = real
        self._open_file: tuple[int, int] | None = None
        """Which file is open, as others may come to lie at its path."""
        self._generation = 0
        self._decisions = 0
        self.changes = 0
        """Increases with every write except decisions and games that arrive one at a time."""
        self._touching: set[int] | None = None
        """The stored games that this write changes; None if it may change any."""
        self._touched: tuple[int, list[tuple[int, set[int]]]] = 0, []
        """A value of `changes`, and the games that each write since changed, with its value."""
        self.journal = Journal(real)
        self.bring_in: Callable[[], None] = _nothing
        """Brings in the waiting games; the caller must be writing (`file.waiting`)."""
        self.find_waiting: Callable[[int], tuple[Any, ...] | None] = _none
        """Finds a waiting game by its id; returns what `waits` does."""
        self.take_row: Callable[[int], dict[str, Any] | None] = _none
        """Takes the row of a game that just arrived, by its id."""
        self._patience = 0.0
        """The time before which no reader tries to bring in waiting games."""
        self._why: ArchiveError | None = None
        """Why the last attempt to bring them in failed."""
        self._link: chain.Link | None = None
        """The last link of the chain; None if it has to be looked up."""
        self._writing = threading.RLock()
        self.surveying = threading.Lock()
        """Held while the file is checked or copied: DuckDB does not do both.  It is taken first."""
        self._taking = threading.RLock()
        """Held while single games are taken; a thread that needs both takes `_writing` first."""
        self._doomed = False
        self._mark = schema.HALF if half else schema.MARK
        with looking_at(path):
            check_links(path, real)
            check_files(real)
        if not path.exists():
            if read_only or not create:
                raise ArchiveMissing("archive.missing", path=path)
            try:
                real.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            except OSError as error:
                raise translated(error, path) or ArchiveError(
                    "file.not-created", path=path, why=message_of(error)
                ) from error
        elif not path.is_file():
            raise ArchiveDamaged("file.not-one", path=path)
        elif not path.stat().st_size and (read_only or not create):
            raise ArchiveMissing("archive.nothing-in", path=path)
        elif not read_only:
            # The folder, too: whatever is stored is first written to a log beside the file.
            for place in (path, real.parent):
                if not os.access(place, os.W_OK):
                    raise ArchiveReadOnly("file.read-only", path=place)
        if not read_only and path.exists() and not path.stat().st_size:
            real.unlink()  # a name that somebody has reserved with an empty file
        fresh = not path.exists()
        self._connect()
        if not read_only:
            # Only now: later, an import may use the spool while a copy takes the file's place.
            shutil.rmtree(self.spool, ignore_errors=True)
            for left in real.parent.glob(f"{escape(backups_of(real))}*"):
                shutil.rmtree(left, ignore_errors=True)
            drop_left(real)
        try:
            if fresh:
                # For the owner only, unless somebody changes the file's mode later.
                path.chmod(0o600)
                self._create()
            else:
                self._check_version(older)
        except BaseException:
            self.close()
            raise

    @property
    def generation(self) -> int:
        """Increases with every write."""
        return self._generation

    @property
    def version(self) -> tuple[int, int] | None:
        """Unknown to a thread that writes, as this may never be committed."""
        if getattr(self._local, "writing", False):
            return None
        # After an error it is not certain what was committed: then the file is opened again.
        return self.changes, self._era

    @property
    def decisions(self) -> int:
        """Increases with every write except games that arrive one at a time."""
        return self._decisions

    def touch(self, games: Iterable[int]) -> None:
        """Say which stored games this write changes, perhaps none; otherwise it may change any."""
        self._touching = (self._touching or set()).union(games)

    def changed_since(self, version: tuple[int, int]) -> set[int] | None:
        """Only the last changes are known."""
        changes, era = version
        first, touched = self._touched
        if era != self._era or changes < first:
            return None
        return set().union(*(games for at, games in touched if at > changes))

    def check_there(self) -> None:
        """Raise ArchiveGone if the file was deleted, moved or replaced, or its disk is not there.

        What is written to such a file, which is still open, would be lost later.
        """
        if (gone := self._gone()) is not None:
            raise gone

    def _gone(self) -> ArchiveGone | None:
        """The error if the open file is no longer at its path."""
        there = _which(self._real)
        if there is None:
            return ArchiveGone("archive.gone", path=self.path)
        if there != self._open_file:
            return ArchiveGone("archive.replaced", path=self.path)
        return None

    def check_writable(self) -> None:
        """Raise ArchiveReadOnly, or ArchiveGone: then nothing may be acknowledged."""
        super().check_writable()
        self.check_there()

    def translated(self, error: BaseException) -> ArchiveError | None:
        """The archive's error; a file that is gone explains why it cannot be read or written."""
        kind = super().translated(error)
        if isinstance(kind, ArchiveDamaged | ArchiveFailed | ArchiveReadOnly):
            return self._gone() or kind
        return kind

    # Opening and closing -----------------------------------------------------------------

    def _connect(self) -> None:
        """Open the file and restrict what DuckDB may do."""
        try:
            root = duckdb.connect(
                str(self.path),
                read_only=self.read_only,
                config={
                    **self.config,
                    "checkpoint_threshold": CHECKPOINT,
                    "preserve_insertion_order": True,
                },
            )
        except duckdb.Error as error:
            raise translated(error, self.path) or ArchiveDamaged(
                "file.not-opened", path=self.path, why=message_of(error)
            ) from error
        folder = str(self.spool).replace("'", "''")
        try:
            root.execute("SET TimeZone = 'UTC'")
        except duckdb.InvalidInputException as error:
            # DuckDB has given us its instance for another archive of this process.
            root.close()
            raise ArchiveLocked("archive.open-already", path=self.path) from error
        root.execute(f"SET allowed_directories = ['{folder}']")
        root.execute("SET enable_external_access = false")
        root.execute("SET lock_configuration = true")
        self._root = root
        self._open_file = _which(self._real)
        self._era += 1

    def _create(self) -> None:
        with self.write() as cursor:
            schema.create(cursor, now(), self._mark)
            cursor.execute("CHECKPOINT")

    def _check_version(self, older: bool) -> None:
        """Refuse files that are not archives or too new; upgrade those that are too old.

        An older one that is only read is refused, unless `older` permits it.
        """
        with self.read() as cursor:
            version: int | None = None
            try:
                row = cursor.execute("SELECT mark, version FROM meta").fetchone()
            except duckdb.CatalogException:
                # Asked only now: listing the tables takes a sixth of the time of opening a file.
                tables = cursor.execute("SELECT table_name FROM duckdb_tables()").fetchall()
                if tables or self.read_only:
                    raise ArchiveDamaged("archive.only-duckdb", path=self.path) from None
                # The process that created it was killed before it made the tables.
            else:
                if row is not None and row[0] == schema.HALF:
                    raise ArchiveError("move.unfinished", path=self.path)
                if row is None or row[0] != schema.MARK:
                    raise ArchiveDamaged("archive.not-one", path=self.path)
                version = int(row[1])
        if version is None:
            self._create()
            return
        if version > schema.VERSION:
            raise ArchiveTooNew(
                "archive.newer-schema", path=self.path, version=version, known=schema.VERSION
            )
        if version < schema.VERSION:
            if self.read_only and older:
                return
            self._upgrade(version)
        self._check_cards()

    def _check_cards(self) -> None:
        """Refuse an archive with different card numbers; add factions that are new to it."""
        with self.read() as cursor:
            cards = schema.cards_in(cursor)
        if cards == list(NAMES):
            return
        if cards[: len(NAMES)] == list(NAMES):
            raise ArchiveTooNew("archive.newer-factions", path=self.path)
        if cards != list(NAMES[: len(cards)]):
            raise ArchiveError("archive.other-cards", path=self.path)
        if not self.read_only:
            with self.transaction() as cursor:
                schema.make_lists(cursor)

    def _upgrade(self, version: int) -> None:
        """Upgrade an older schema, after putting a copy of the file beside it."""
        if self.read_only:
            raise ArchiveReadOnly("archive.older-schema", path=self.path, version=version)
        with self.write() as cursor:
            cursor.execute("CHECKPOINT")
            copy = self._lay_beside(version)
            cursor.execute("BEGIN")
            for step in range(version, schema.VERSION):
                MIGRATIONS[step](cursor)
            remake(cursor, self.spool, None)
            cursor.execute("UPDATE meta SET version = ?", [schema.VERSION])
            cursor.execute("COMMIT")
            cursor.execute("CHECKPOINT")
        self.upgraded = copy

    def _lay_beside(self, version: int) -> Path:
        """Put a copy of the file beside it, without overwriting an earlier copy."""
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
            raise translated(error, copy) or ArchiveError("said", text=error) from error
        return copy

    def close(self) -> None:
        """Close everything; waits for a running write."""
        with self._writing:
            if self.waiting and self._root is not None:
                # What cannot be brought in now is brought in when the file is next opened.
                with contextlib.suppress(ArchiveError):
                    self.bring_in()
            if self._root is not None:
                self.journal.close(done=not self.waiting and not self.read_only)
            self._disconnect()
        shutil.rmtree(self.spool, ignore_errors=True)

    @contextlib.contextmanager
    def writing(self, what: Written = "anything") -> Iterator[None]:
        """Keep others from writing; unless `what` is "rows", first bring in the waiting games."""
        self.check_writable()
        with self._writing:
            if what == "rows":
                yield
                return
            with self._taking:
                if self.waiting:
                    self.bring_in()
                yield

    @contextlib.contextmanager
    def taking(self) -> Iterator[None]:
        """Hold the sole right to take single games; only waiting games may be written meanwhile.

        What this thread reads meanwhile lacks the waiting games.
        """
        self.check_writable()
        with self._taking:
            before = getattr(self._local, "writing", False)
            self._local.writing = True
            try:
                yield
            finally:
                self._local.writing = before

    def took(self, games: int) -> None:
        """Count games that now wait; called within `taking`."""
        self.came += games
        self._generation += 1
        # Writing worked, so bringing in may work again.
        self._patience = 0.0

    def settle(self, *, needed: bool = False) -> None:
        """Bring in the waiting games, for a reader; those that arrive meanwhile may keep waiting.

        Writers do this first, so a reader never waits for a long write.  If they cannot be brought
        in, for example on a full disk, the reason is raised: no answer lacks an acknowledged game.
        The next attempt is made after `PATIENCE`, or at once if the games are `needed`.
        """
        came = self.came
        while self.made < came and not getattr(self._local, "writing", False):
            if not needed and self._why is not None and time.monotonic() < self._patience:
                raise copy(self._why)
            if not self._writing.acquire(timeout=0.02):
                continue
            try:
                if self.made < came:
                    self.bring_in()
                self._why = None
            except ArchiveError as error:
                self._patience = time.monotonic() + PATIENCE
                self._why = error
                raise
            finally:
                self._writing.release()

    @contextlib.contextmanager
    def opened_for_writing(self) -> Iterator[None]:
        """Make a file that was opened for reading writable in this context.

        Raises ArchiveReadOnly.
        """
        with self._writing:
            if not os.access(self.path, os.W_OK):
                raise ArchiveReadOnly("file.read-only", path=self.path)
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
        """Replace the file with another one, once nobody is reading; called within `writing`."""
        try:
            with self.in_use.exclusive(wait):
                self._disconnect()
                try:
                    if Path(f"{self._real}.wal").exists():
                        raise ArchiveError("archive.log-not-applied")
                    shutil.copymode(self.path, file)
                    os.replace(file, self._real)
                finally:
                    self._connect()
        except TimeoutError:
            raise ArchiveError("archive.being-read", seconds=wait) from None

    def reopen(self) -> None:
        """Open the file again, after it was replaced or DuckDB gave up on it."""
        self._disconnect()
        self._connect()

    @contextlib.contextmanager
    def write(self, what: Written = "anything") -> Iterator[DuckDBPyConnection]:
        """This thread's cursor, for writing: one thread at a time; may be nested.

        Errors roll back; after an error that DuckDB itself does not survive, the file is reopened.
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
                        self._link = None
                        with contextlib.suppress(duckdb.Error):
                            cursor.execute("ROLLBACK")
                        raise
            except (duckdb.Error, OSError) as error:
                kind = self.translated(error)
                if isinstance(error, duckdb.FatalException) or self._broken():
                    self._doomed = True
                raise kind or error from error
            finally:
                if outermost:
                    self._local.writing = False
                    self._touching = None
                    if self._doomed:
                        self._doomed = False
                        self._recover()

    def _count(self, what: Written) -> None:
        """Update the counters after a write."""
        # Bringing in waiting games changes no answer: it is done before any is given.
        self._generation += what != "rows"
        self._decisions += what != "rows"
        if what == "anything":
            self._note_touched(self.changes + 1)
            self.changes += 1
        # Writing worked, so bringing in may work again.
        self._patience = 0.0

    def _note_touched(self, changes: int) -> None:
        """Note which games the write that makes `changes` so many has changed."""
        first, touched = self._touched
        if self._touching is None:
            first, touched = changes, []
        elif self._touching:
            touched = [*touched, (changes, self._touching)]
            while len(touched) > TOUCHED or sum(len(games) for _, games in touched) > TOUCHED:
                first, _ = touched.pop(0)
        # Replaced as a whole, because others may be reading.
        self._touched = first, touched

    def _guard_log(self) -> None:
        """Make sure that whoever may not read the file may not read the log either."""
        log = f"{self._real}.wal"
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
        """Reopen the file after an error that DuckDB did not survive."""
        with contextlib.suppress(TimeoutError), self.in_use.exclusive(30):
            self.reopen()

    @contextlib.contextmanager
    def transaction(self, what: Written = "anything") -> Iterator[DuckDBPyConnection]:
        """Write in one transaction: all or nothing.

        Links new revisions into the chain; rows of single games are linked by `link_new`.
        """
        with self.write(what) as cursor:
            cursor.execute("BEGIN")
            yield cursor
            if what != "rows":
                self.link_new(cursor)
            cursor.execute("COMMIT")

    def link_new(self, cursor: DuckDBPyConnection, checksums: list[bytes] | None = None) -> None:
        """Add the revisions that are not in the chain yet to it.

        Faster if their `checksums` are known, in the order of their ids.
        """
        before = self.last_link(cursor)
        self._link = (
            chain.link_records(cursor, before)
            if checksums is None
            else chain.link_new(cursor, before, checksums)
        )

    def last_link(self, cursor: DuckDBPyConnection) -> chain.Link:
        """The last link of the chain; called while writing."""
        if self._link is None:
            self._link = chain.last(cursor)
        return self._link

    def cursor(self) -> DuckDBPyConnection:
        """A cursor that parses each statement only once."""
        return cast("DuckDBPyConnection", Cursor(super().cursor()))

    # The ledger ----------------------------------------------------------------------------

    def ledger(self) -> contextlib.AbstractContextManager[DuckDBPyConnection]:
        """The ledger is in the same file as the tables."""
        return self.read()

    def decide(self) -> contextlib.AbstractContextManager[DuckDBPyConnection]:
        """There is only one writer at a time anyway."""
        return self.transaction("decisions")

    @contextlib.contextmanager
    def deriving(self, *, quiet: bool = False) -> Iterator[DuckDBPyConnection]:
        """The derived tables are in the same file."""
        with self.write("rows" if quiet else "anything") as cursor:
            self.touch(())
            cursor.execute("BEGIN")
            yield cursor
            cursor.execute("COMMIT")

    def link(self, cursor: LedgerCursor, what: str, *values: Any) -> None:
        """Nobody else writes meanwhile."""
        self._link = None
        chain.link_decision(cursor, what, *values)

    def versions(self, gid: int | None) -> list[tuple[Any, ...]]:
        """Waiting games come from memory."""
        waits = self.waits(gid)
        if waits is not None:
            _, revision, moment, _, _, _, digest, deleted, record = waits
            return [(0, revision, digest, moment, deleted, record)]
        # A game that does not wait is in the tables, if anywhere: it waits until it is in them.
        with self.read(settled=False) as cursor:
            return cursor.execute(VERSIONS, [gid]).fetchall()

    def waits(self, gid: int | None) -> tuple[Any, ...] | None:
        """A waiting game that arrived by itself."""
        return None if gid is None else self.find_waiting(gid)

    def just_judged(self, gid: int) -> dict[str, Any] | None:
        """Only a game that waits."""
        return self.take_row(gid)

    def find_digests(self, cursor: LedgerCursor, digests: Collection[bytes]) -> dict[bytes, Known]:
        """Looks digests up by their first 64 bits."""
        return find_digests(cursor, {int.from_bytes(digest[:8], "big") for digest in digests})

    def texts(self, cursor: DuckDBPyConnection, games: list[int]) -> dict[int, str]:
        """Records and tables are read in the same snapshot."""
        low, high = min(games), max(games)
        # Contiguous ranges are queried as such: a long IN list takes time to parse.
        whole = high - low + 1 == len(games)
        which = "" if whole else "AND g.game IN (SELECT unnest(?::INTEGER[]))"
        return dict(
            cursor.execute(
                "SELECT g.game, r.record FROM games g "
                "JOIN records r ON r.game = g.game AND r.revision = g.revision "
                f"WHERE r.game BETWEEN {low} AND {high} "
                f"AND g.game BETWEEN {low} AND {high} {which}",
                None if whole else [games],
            ).fetchall()
        )


FEW: Final = 1000
"""The number of digests from which the second of the two queries is faster."""


_KNOWN_FEW: Final = """
    WITH hits AS (
        SELECT game, gid, revision, digest FROM records
        WHERE key IN (SELECT unnest(?::UBIGINT[])))
    SELECT hits.digest, hits.game, hits.gid, max(hits.revision),
           bool_or(last.deleted AND last.revision = top.revision)
    FROM hits
    JOIN (SELECT game, max(revision) AS revision FROM records
          WHERE game IN (SELECT game FROM hits) GROUP BY game) top USING (game)
    JOIN records last ON last.game = top.game AND last.revision = top.revision
    GROUP BY ALL
"""
_KNOWN_MANY: Final = """
    SELECT hits.digest, hits.game, hits.gid, max(hits.revision), bool_or(games.game IS NULL)
    FROM records hits LEFT JOIN games USING (game)
    WHERE hits.key IN ({keys}) GROUP BY ALL
"""


def find_digests(cursor: LedgerCursor, keys: set[int]) -> dict[bytes, Known]:
    """Find, among all revisions, the digests that begin with one of `keys`."""
    if not keys:
        return {}
    if len(keys) >= FEW:
        return _known(cursor, _KNOWN_MANY.format(keys="SELECT unnest(?::UBIGINT[])"), [list(keys)])
    # Usually nothing is known, and this query is quick.
    listed = ", ".join(map(str, keys))
    if not cursor.execute(f"SELECT 1 FROM records WHERE key IN ({listed}) LIMIT 1").fetchall():
        return {}
    return _known(cursor, _KNOWN_FEW, [list(keys)])


def find_digests_of(cursor: LedgerCursor, table: str) -> dict[bytes, Known]:
    """Like `find_digests`, for the many keys in a table."""
    return _known(cursor, _KNOWN_MANY.format(keys=f"SELECT key FROM {table}"), [])


def _known(cursor: LedgerCursor, query: str, parameters: list[Any]) -> dict[bytes, Known]:
    return {
        bytes(digest): Known(game, gid, revision, deleted)
        for digest, game, gid, revision, deleted in cursor.execute(query, parameters).fetchall()
    }
