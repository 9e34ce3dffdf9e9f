"""The DuckDB file, in which ledger and tables stand: opening it safely, one writer at a time."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import tempfile
import threading
import time
from copy import copy
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, cast

import duckdb

from claimlog.cards import NAMES
from claimlog.language.messages import message_of
from claimlog.store.backend import VERSIONS, Backend, Known, now, translated
from claimlog.store.file.cursors import Cursor
from claimlog.store.file.journal import Journal
from claimlog.store.file.soundness import check_files
from claimlog.store.file.upgrades import MIGRATIONS
from claimlog.store.intake.remaking import remake
from claimlog.store.ledger import chain
from claimlog.store.model import schema
from claimlog.store.model.errors import (
    ArchiveDamaged,
    ArchiveError,
    ArchiveMissing,
    ArchiveReadOnly,
    ArchiveTooNew,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from duckdb import DuckDBPyConnection

    from claimlog.store.backend import LedgerCursor

Written = Literal["anything", "decisions", "rows"]
"""What is written: decisions without games, single games that wait, or anything else."""

PATIENCE: Final = 1.0
"""Seconds until what could not be brought in is tried again."""

CHECKPOINT: Final = "256MB"
"""How large the log may grow before it is checkpointed into the file."""


def _nothing() -> None:
    """Nothing waits."""


def _none(_: int) -> None:
    """No such game waits."""


class Database(Backend):
    """An open file.  `read` and `write` hand out cursors; both may be used from any thread."""

    def __init__(
        self, path: Path, *, read_only: bool, create: bool, memory_limit: str, threads: int | None
    ) -> None:
        if path.is_dir():
            raise ArchiveDamaged("archive.folder", path=path)
        spool = (
            # Made only when it is needed, so that nothing is left behind.
            Path(tempfile.gettempdir()) / f"claimlog-{secrets.token_hex(8)}"
            if read_only
            else path.with_name(path.name + ".spool")
        )
        super().__init__(
            path, spool, read_only=read_only, memory_limit=memory_limit, threads=threads
        )
        self.path = path
        self._generation = 0
        self._decisions = 0
        self.changes = 0
        """Grows with everything that is written but decisions and games that come one at a time."""
        self.journal = Journal(path)
        self.bring_in: Callable[[], None] = _nothing
        """Brings the games in that wait; called by whoever is writing (`file.waiting`)."""
        self.find_waiting: Callable[[int], tuple[Any, ...] | None] = _none
        """A game that waits, by its id, as `waits` tells it."""
        self._patience = 0.0
        """No reader tries to bring in what waits before this moment."""
        self._why: ArchiveError | None = None
        """Why it could not be brought in last."""
        self._link: chain.Link | None = None
        """The last link of the chain; None where it is to be looked up."""
        self._writing = threading.RLock()
        self._taking = threading.RLock()
        """Held while single games are taken; taken after `_writing` by whoever takes both."""
        self._doomed = False
        check_files(path)
        if not path.exists():
            if read_only or not create:
                raise ArchiveMissing("archive.missing", path=path)
            try:
                path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            except OSError as error:
                raise translated(error, path) or ArchiveError(
                    "file.not-created", path=path, why=message_of(error)
                ) from error
        elif not path.is_file():
            raise ArchiveDamaged("file.not-one", path=path)
        elif not read_only and not os.access(path, os.W_OK):
            raise ArchiveReadOnly("file.read-only", path=path)
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

    @property
    def generation(self) -> int:
        """Grows with everything that is written."""
        return self._generation

    @property
    def decisions(self) -> int:
        """Grows with everything that is written but games that come one at a time."""
        return self._decisions

    # Opening and closing -----------------------------------------------------------------

    def _connect(self) -> None:
        """Open the file and tie DuckDB down."""
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
                    raise ArchiveDamaged("archive.only-duckdb", path=self.path)
            else:
                fresh = False
                row = cursor.execute("SELECT mark, version FROM meta").fetchone()
                if row is None or row[0] != schema.MARK:
                    raise ArchiveDamaged("archive.not-one", path=self.path)
                version = int(row[1])
        if fresh:
            self._create()
            return
        if version > schema.VERSION:
            raise ArchiveTooNew(
                "archive.newer-schema", path=self.path, version=version, known=schema.VERSION
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
            raise ArchiveTooNew("archive.newer-factions", path=self.path)
        if cards != list(NAMES[: len(cards)]):
            raise ArchiveError("archive.other-cards", path=self.path)
        if not self.read_only:
            with self.transaction() as cursor:
                schema.make_lists(cursor)

    def _upgrade(self, version: int) -> None:
        """Bring an older schema up to date, after laying a copy of the file beside it."""
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
            raise translated(error, copy) or ArchiveError("said", text=error) from error
        return copy

    def close(self) -> None:
        """Close everything; waits for who is writing."""
        with self._writing:
            if self.waiting and self._root is not None:
                # Who opens the file next brings in what cannot be brought in now.
                with contextlib.suppress(ArchiveError):
                    self.bring_in()
            if self._root is not None:
                self.journal.close(done=not self.waiting and not self.read_only)
            self._disconnect()
        shutil.rmtree(self.spool, ignore_errors=True)

    @contextlib.contextmanager
    def writing(self, what: Written = "anything") -> Iterator[None]:
        """Keep others from writing; unless what waits is written, nothing waits any more."""
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
        """Take single games: nobody else does, and nothing is written but those that wait.

        Whatever this thread reads meanwhile lacks what waits.
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
        """So many single games wait from now on; while taking."""
        self.came += games
        self._generation += 1
        # What could be written again makes room for hope.
        self._patience = 0.0

    def settle(self, *, needed: bool = False) -> None:
        """Bring in the games that wait, for a reader; those that come meanwhile may wait.

        Whoever writes does so before, so a reader never waits for a long writing.  Where they
        cannot be brought in, as on a full disk, it is raised why: no answer lacks a game that was
        acknowledged.  It is tried again after `PATIENCE`, or at once where they are `needed`.
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
        """While a file that is open for reading only can be written.

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
        """Put another file in this one's place, once nobody is reading; within `writing`."""
        try:
            with self.in_use.exclusive(wait):
                self._disconnect()
                try:
                    if Path(f"{self.path}.wal").exists():
                        raise ArchiveError("archive.log-not-applied")
                    shutil.copymode(self.path, file)
                    os.replace(file, self.path)
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
                        self._link = None
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
        # Games that waited change no answer, for they are brought in before it is made.
        self._generation += what != "rows"
        self._decisions += what != "rows"
        self.changes += what == "anything"
        # What could be written again makes room for hope.
        self._patience = 0.0

    def _guard_log(self) -> None:
        """Keep those who may not read the file from reading the log."""
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
    def transaction(self, what: Written = "anything") -> Iterator[DuckDBPyConnection]:
        """Write in one transaction: all or nothing.

        Revisions become part of the chain, those of single games by `link_new`.
        """
        with self.write(what) as cursor:
            cursor.execute("BEGIN")
            yield cursor
            if what != "rows":
                self.link_new(cursor)
            cursor.execute("COMMIT")

    def link_new(self, cursor: DuckDBPyConnection, checksums: list[bytes] | None = None) -> None:
        """Make revisions part of the chain that are in no link.

        Faster if their `checksums` are known, in the order of their ids.
        """
        before = self.last_link(cursor)
        self._link = (
            chain.link_records(cursor, before)
            if checksums is None
            else chain.link_new(cursor, before, checksums)
        )

    def last_link(self, cursor: DuckDBPyConnection) -> chain.Link:
        """The last link of the chain; while writing."""
        if self._link is None:
            self._link = chain.last(cursor)
        return self._link

    def cursor(self) -> DuckDBPyConnection:
        """One that reads a statement once."""
        return cast("DuckDBPyConnection", Cursor(super().cursor()))

    # The ledger ----------------------------------------------------------------------------

    def ledger(self) -> contextlib.AbstractContextManager[DuckDBPyConnection]:
        """It stands beside the tables."""
        return self.read()

    def decide(self) -> contextlib.AbstractContextManager[DuckDBPyConnection]:
        """One writes at a time in any case."""
        return self.transaction("decisions")

    @contextlib.contextmanager
    def deriving(self, *, quiet: bool = False) -> Iterator[DuckDBPyConnection]:
        """They stand in the same file."""
        with self.write("rows" if quiet else "anything") as cursor:
            cursor.execute("BEGIN")
            yield cursor
            cursor.execute("COMMIT")

    def link(self, cursor: LedgerCursor, what: str, *values: Any) -> None:
        """Nobody else writes meanwhile."""
        self._link = None
        chain.link_decision(cursor, what, *values)

    def versions(self, gid: int | None) -> list[tuple[Any, ...]]:
        """What waits is at hand."""
        waits = self.waits(gid)
        if waits is not None:
            _, revision, moment, _, _, _, digest, deleted, record = waits
            return [(0, revision, digest, moment, deleted, record)]
        # What is not found there is in the tables, if anywhere: games leave it after they came in.
        with self.read(settled=False) as cursor:
            return cursor.execute(VERSIONS, [gid]).fetchall()

    def waits(self, gid: int | None) -> tuple[Any, ...] | None:
        """A game that came by itself."""
        return None if gid is None else self.find_waiting(gid)

    def find_digests(self, cursor: LedgerCursor, digests: Collection[bytes]) -> dict[bytes, Known]:
        """Looked for by their first 64 bits."""
        return find_digests(cursor, {int.from_bytes(digest[:8], "big") for digest in digests})

    def texts(self, cursor: DuckDBPyConnection, games: list[int]) -> dict[int, str]:
        """Both stand in the one snapshot."""
        low, high = min(games), max(games)
        # Whole stretches are asked for as such: a long IN list takes time to read.
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
"""Up to this many digests are looked for one way, more another way."""


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
    """The digests that begin with one of `keys`, from all revisions."""
    if not keys:
        return {}
    if len(keys) >= FEW:
        return _known(cursor, _KNOWN_MANY.format(keys="SELECT unnest(?::UBIGINT[])"), [list(keys)])
    # Most often nothing is known, and that is soon asked.
    listed = ", ".join(map(str, keys))
    if not cursor.execute(f"SELECT 1 FROM records WHERE key IN ({listed}) LIMIT 1").fetchall():
        return {}
    return _known(cursor, _KNOWN_FEW, [list(keys)])


def find_digests_of(cursor: LedgerCursor, table: str) -> dict[bytes, Known]:
    """The same for the many keys in a table."""
    return _known(cursor, _KNOWN_MANY.format(keys=f"SELECT key FROM {table}"), [])


def _known(cursor: LedgerCursor, query: str, parameters: list[Any]) -> dict[bytes, Known]:
    return {
        bytes(digest): Known(game, gid, revision, deleted)
        for digest, game, gid, revision, deleted in cursor.execute(query, parameters).fetchall()
    }
