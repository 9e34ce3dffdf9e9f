"""Storing: batches of rows go into the tables, several in one transaction.

What is acknowledged is committed.  A record that is known, by its digest, is not stored
again; the game that has it is the answer.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import time
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from claimlog.store import schema
from claimlog.store.batch import PARTS, Batch, Entry, Input, Maker, Task, batches
from claimlog.store.codes import MARGIN, NONE
from claimlog.store.database import Database, now
from claimlog.store.errors import (
    ArchiveReadOnly,
    Conflict,
    GameDeleted,
    InvalidRecord,
    NotFound,
    RevisionChanged,
)
from claimlog.store.ids import read_id, write_id
from claimlog.store.types import Outcome, Revision

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from concurrent.futures import Executor, Future
    from datetime import datetime

    from duckdb import DuckDBPyConnection

GAME_COLUMNS: Final = ", ".join(name for name, _ in schema.GAME)
_RECORD: Final = (
    "CASE WHEN substr(record, 1, 1) = chr(2) THEN decode(unhex(substr(record, 2))) "
    "ELSE replace(record, chr(30), chr(10)) END"
)


def _struct(columns: list[tuple[str, str]]) -> str:
    return "{" + ", ".join(f"'{name}': '{kind}'" for name, kind in columns) + "}"


_READ_GAMES: Final = (
    "read_csv(?, columns = " + _struct(schema.STAGED) + ", delim = chr(31), header = false, "
    "quote = '', escape = '', auto_detect = false, max_line_size = LONGEST, "
    "null_padding = false, strict_mode = false, new_line = '\\n')"
)
READ_ROWS: Final = "read_parquet(?)"


def row_columns(columns: list[tuple[str, str]]) -> str:
    """SQL: the columns of the encoder's rows but the first, as they stand in the table."""
    listed = []
    for name, _ in columns[1:]:
        value = f"nullif({name}, {NONE})"
        if name == "margin":
            value = f"({value}::SMALLINT - {MARGIN})::TINYINT"
        listed.append(value if name in schema.UNKNOWN else name)
    return ", ".join(listed)


ROWS: Final = (
    ("tricks", row_columns(schema.TRICKS), "tricks"),
    ("factions_won", row_columns(schema.FACTIONS_WON), "factions"),
)
"""The tables that the encoder makes rows of, their columns, and the part of a batch."""


FEW: Final = 1000
"""Up to so many digests are looked for one way, more another way."""


class Known:
    """A revision that has a digest: the game it belongs to, and whether that was deleted."""

    __slots__ = ("deleted", "game", "gid", "revision")

    def __init__(self, game: int, gid: int, revision: int, deleted: bool) -> None:
        self.game = game
        self.gid = gid
        self.revision = revision
        self.deleted = deleted


Sifted = tuple[dict[bytes, Known], set[int], dict[int, int]]
"""Of a batch: the known digests, the places of what is not stored, ids that had to change."""

SMALL: Final = 500
"""A batch of fewer games is told of before the next is waited for."""

MANY: Final = 25_000
"""So many games are stored in one transaction, for the rows of many tricks go straight into
the file, compressed; those of few are written to the log first."""

AHEAD: Final = 2
"""So many loads are being stored or wait for it while the next is gathered."""

PATIENCE: Final = 2.0
"""Seconds after which games are stored although there might be more."""


class Load:
    """Batches that are stored in one transaction; their games are counted on."""

    def __init__(self, batches: list[Batch]) -> None:
        self.entries = [entry for batch in batches for entry in batch.entries]
        self.longest = max((batch.longest for batch in batches), default=0)
        self.files: list[tuple[str, int]] = []
        """The name of each batch, and how many games stand before it."""
        games = 0
        for batch in batches:
            self.files.append((batch.name, games))
            games += len(batch.entries)

    def discard(self) -> None:
        """Delete the files of rows."""
        for name, _ in self.files:
            for part in PARTS:
                with contextlib.suppress(OSError):
                    Path(f"{name}.{part}").unlink()

    def read_games(self) -> tuple[str, list[Any]]:
        """SQL that reads the rows of the games, and its parameters."""
        reader = _READ_GAMES.replace("LONGEST", str(max(2 << 20, 2 * self.longest)))
        return " UNION ALL ".join(
            f"SELECT * REPLACE (i + {before} AS i), key AS gid FROM {reader}"
            for _, before in self.files
        ), [f"{name}.games" for name, _ in self.files]

    def read_rows(
        self, columns: str, part: str, first: int, skip: set[int]
    ) -> tuple[str, list[Any]]:
        """SQL that reads rows of tricks or factions, but for the games in `skip`.

        The games are numbered from `first`.
        """
        before = [games for _, games in self.files]
        # One reader for all files, for DuckDB reads the files of one side by side.
        number = f"{before}[file_index::INTEGER + 1] + game"
        where = f" WHERE {number} NOT IN ({', '.join(map(str, sorted(skip)))})" if skip else ""
        query = f"SELECT {first} + {number}, {columns} FROM {READ_ROWS}{where}"
        return query, [[f"{name}.{part}" for name, _ in self.files]]


class Intake:
    """The writing side of an archive."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self._maker = Maker()
        self._stems = itertools.count()
        self._next = 0

    # Many games --------------------------------------------------------------------------

    def import_games(
        self,
        read: Callable[[int], bytes],
        form: Input,
        by: str,
        source: str,
        workers: int | None,
    ) -> Iterator[list[Outcome]]:
        """See `Archive.import_games`."""
        database = self.database
        if database.read_only:
            raise ArchiveReadOnly(f"{database.path} was opened for reading only")
        number = 1
        made = batches(
            read,
            form,
            self._folder(),
            self._stem(),
            (os.cpu_count() or 1) if workers is None else workers,
        )
        with contextlib.closing(made), self._hand() as hand:  # type: ignore[type-var]
            for load, sifted in self._stored(_loads(made), hand, by, source):
                if load.entries:
                    yield _outcomes(load, number, sifted)
                    number += len(load.entries)

    def _stored(
        self, made: Iterator[Load], hand: Executor, by: str, source: str
    ) -> Iterator[tuple[Load, Sifted]]:
        """Store loads; each is handed on once it is on the disk, while the next are stored."""
        waiting: deque[tuple[Load, Future[Sifted]]] = deque()
        try:
            while True:
                failed: Exception | None = None
                try:
                    load = next(made, None)
                except Exception as error:
                    failed, load = error, None  # what came before it is stored
                ahead = 0
                if load is not None:
                    waiting.append((load, hand.submit(self._keep, load, by, source)))
                    # Whoever sends little at a time waits for the answer.
                    ahead = AHEAD if len(load.entries) >= SMALL else 0
                while waiting and (waiting[0][1].done() or len(waiting) > ahead):
                    done, future = waiting.popleft()
                    yield done, future.result()
                if failed is not None:
                    raise failed
                if load is None:
                    return
        finally:
            for load, future in waiting:
                if future.cancel():
                    load.discard()

    @contextlib.contextmanager
    def _hand(self) -> Iterator[Executor]:
        """A thread that stores loads one after another."""
        with ThreadPoolExecutor(1, "import") as hand:
            try:
                yield hand
            finally:
                hand.submit(self.database.release)

    def _keep(self, load: Load, by: str, source: str) -> Sifted:
        """Store a load and delete its files."""
        try:
            return self._commit(load, by, source)
        finally:
            load.discard()

    def _folder(self) -> Path:
        """Where the rows wait."""
        folder = self.database.spool
        try:
            folder.mkdir(exist_ok=True)
        except OSError as error:
            from claimlog.store.database import translated

            raise translated(error, folder) or error from error
        return folder

    def _stem(self) -> str:
        return f"batch{next(self._stems)}"

    def _commit(self, load: Load, by: str, source: str) -> Sifted:
        """Store a load; returns what was known of it before."""
        if not any(entry.digest for entry in load.entries):
            return {}, set(), {}
        with self.database.transaction() as cursor:
            known, skip, other = self._sift(cursor, load.entries)
            if len(skip) < sum(1 for entry in load.entries if entry.digest):
                moment = now()
                base = self._base(cursor)
                self._insert(cursor, load, base, skip, other, moment, by, source)
                self._next = base + len(load.entries)
        return known, skip, other

    def _sift(self, cursor: DuckDBPyConnection, entries: list[Entry]) -> Sifted:
        """Find what is known already.

        Returns the known digests, the places of what is not to be stored, and other ids
        for records whose own is taken (two digests that share 64 bits).
        """
        digests = [entry.digest for entry in entries if entry.digest]
        keys = {int.from_bytes(digest[:8], "big") for digest in digests}
        known = find_digests(cursor, keys)
        skip: set[int] = set()
        other: dict[int, int] = {}
        if not known and len(keys) == len(digests):
            return known, skip, other
        taken = {int.from_bytes(digest[:8], "big") for digest in known}
        for i, entry in enumerate(entries):
            if not entry.digest:
                continue
            if entry.digest in known:
                skip.add(i)
                continue
            gid = int.from_bytes(entry.digest[:8], "big")
            if gid in taken:
                gid = other[i] = int.from_bytes(entry.digest[8:16], "big")
            taken.add(gid)
            known[entry.digest] = Known(-1, gid, 1, False)
        return known, skip, other

    def _base(self, cursor: DuckDBPyConnection) -> int:
        """The first free number of a game."""
        if not self._next:
            row = cursor.execute("SELECT coalesce(max(game), 0) + 1 FROM records").fetchone()
            assert row is not None
            self._next = int(row[0])
        return self._next

    def _insert(
        self,
        cursor: DuckDBPyConnection,
        load: Load,
        base: int,
        skip: set[int],
        other: dict[int, int],
        moment: datetime,
        by: str,
        source: str,
    ) -> None:
        """Insert the rows of a load, but for the games in `skip`."""
        query, files = load.read_games()
        cursor.execute(f"CREATE OR REPLACE TEMP TABLE batch AS {query}", files)
        if skip:
            left_out = ", ".join(map(str, sorted(skip)))
            cursor.execute(f"DELETE FROM batch WHERE i IN ({left_out})")
        for i, gid in other.items():
            cursor.execute("UPDATE batch SET gid = ? WHERE i = ?", [gid, i])
        cursor.execute(
            "INSERT INTO records SELECT ? + i, gid, 1, key, unhex(digest), ?, ?, '', ?, false, "
            f"{_RECORD} FROM batch",
            [base, moment, by, source],
        )
        insert_games(cursor, "? + i, gid, 1, unhex(digest), ?", [base, moment])
        insert_names(cursor)
        for table, columns, part in ROWS:
            query, files = load.read_rows(columns, part, base, skip)
            cursor.execute(f"INSERT INTO {table} {query}", files)

    # One game ----------------------------------------------------------------------------

    def _one(self, record: bytes | str) -> Load:
        """Encode text that must hold exactly one game."""
        data = record.encode() if isinstance(record, str) else record
        name = str(self._folder() / self._stem())
        batch = self._maker.make(Task(name, 1, "clm", data))
        if batch.error:
            from claimlog.store.batch import _checked

            _checked(batch)
        load = Load([batch])
        if len(load.entries) != 1:
            load.discard()
            raise InvalidRecord(
                f"one game is expected here, not {len(load.entries)}",
                [problem for entry in load.entries for problem in entry.problems],
            )
        return load

    def store(self, record: bytes | str, by: str, source: str) -> Outcome:
        """See `Archive.store`."""
        with self.database.write():
            load = self._one(record)
            try:
                return _outcomes(load, 1, self._commit(load, by, source))[0]
            finally:
                load.discard()

    def correct(
        self, id: str, record: bytes | str, by: str, why: str, expected: int | None
    ) -> Outcome:
        """See `Archive.correct`."""
        with self.database.write():
            load = self._one(record)
            try:
                return self._correct(id, load, by, why, expected)
            finally:
                load.discard()

    def _correct(self, id: str, load: Load, by: str, why: str, expected: int | None) -> Outcome:
        entry = load.entries[0]
        with self.database.transaction() as cursor:
            head = find_head(cursor, id)
            if head.deleted:
                raise GameDeleted(f"game {id} has been deleted")
            _expect(head, expected)
            if not entry.digest:
                return _refused(entry, 1)
            known = find_digests(cursor, {int.from_bytes(entry.digest[:8], "big")})
            was = known.get(entry.digest)
            if was is not None and was.game != head.game:
                raise Conflict(
                    f"this record is that of game {write_id(was.gid)}", write_id(was.gid)
                )
            row = cursor.execute(
                "SELECT digest FROM records WHERE game = ? AND revision = ?",
                [head.game, head.revision],
            ).fetchone()
            assert row is not None
            unchanged = bytes(row[0]) == entry.digest
            revision = head.revision
            if not unchanged:
                revision += 1
                self._replace(cursor, load, head, revision, now(), by, why)
        return Outcome(
            game=1,
            line=entry.line,
            status="unchanged" if unchanged else "corrected",
            id=write_id(head.gid),
            revision=revision,
            digest=entry.digest.hex(),
            complete=entry.complete,
            result=entry.result,
            problems=entry.problems,
        )

    def _replace(
        self,
        cursor: DuckDBPyConnection,
        load: Load,
        head: Known,
        revision: int,
        moment: datetime,
        by: str,
        why: str,
    ) -> None:
        """Put the game of a load in the place of game `head`, as a new revision."""
        query, files = load.read_games()
        cursor.execute(f"CREATE OR REPLACE TEMP TABLE batch AS {query}", files)
        cursor.execute("UPDATE batch SET gid = ?", [head.gid])
        self._retire(cursor, head.game, moment)
        cursor.execute(
            "INSERT INTO records SELECT ?, gid, ?, key, unhex(digest), ?, ?, ?, '', false, "
            f"{_RECORD} FROM batch",
            [head.game, revision, moment, by, why],
        )
        insert_games(cursor, "?, gid, ?::SMALLINT, unhex(digest), ?", [head.game, revision, moment])
        insert_names(cursor)
        for table, columns, part in ROWS:
            query, files = load.read_rows(columns, part, head.game, set())
            cursor.execute(f"INSERT INTO {table} {query}", files)

    def _retire(self, cursor: DuckDBPyConnection, game: int, moment: datetime) -> None:
        """Take the current rows of a game out of the derived tables, keeping a summary."""
        cursor.execute(
            "INSERT INTO games_before SELECT game, gid, revision, digest, stored_at, ?, "
            f"{GAME_COLUMNS} FROM games WHERE game = ?",
            [moment, game],
        )
        for table in ("games", "tricks", "factions_won"):
            cursor.execute(f"DELETE FROM {table} WHERE game = ?", [game])

    def delete(self, id: str, by: str, why: str, expected: int | None) -> Revision:
        """See `Archive.delete`."""
        with self.database.transaction() as cursor:
            head = find_head(cursor, id)
            if head.deleted:
                raise GameDeleted(f"game {id} has been deleted already")
            _expect(head, expected)
            moment = now()
            self._retire(cursor, head.game, moment)
            cursor.execute(
                "INSERT INTO records VALUES (?, ?, ?, NULL, NULL, ?, ?, ?, '', true, NULL)",
                [head.game, head.gid, head.revision + 1, moment, by, why],
            )
        return Revision(
            id=write_id(head.gid),
            revision=head.revision + 1,
            at=moment.replace(tzinfo=UTC),
            by=by,
            why=why,
            deleted=True,
        )

    def undelete(self, id: str, by: str, why: str) -> Revision:
        """See `Archive.undelete`."""
        with self.database.write() as cursor:
            head = find_head(cursor, id)
            row = cursor.execute(
                "SELECT record FROM records WHERE game = ? AND revision = ?",
                [head.game, head.revision - 1],
            ).fetchone()
            if not head.deleted or row is None:
                raise NotFound(f"game {id} has not been deleted")
            load = self._one(row[0])
            try:
                with self.database.transaction() as cursor:
                    moment = now()
                    self._replace(cursor, load, head, head.revision + 1, moment, by, why)
            finally:
                load.discard()
        return Revision(
            id=write_id(head.gid),
            revision=head.revision + 1,
            at=moment.replace(tzinfo=UTC),
            by=by,
            why=why,
            digest=load.entries[0].digest.hex(),
        )


def _loads(made: Iterator[Batch]) -> Iterator[Load]:
    """Gather batches as they come, as many as it is worth to wait for."""
    group: list[Batch] = []
    games = 0
    many = MANY // 4  # at first nobody has anything to store
    since = 0.0
    failed: Exception | None = None
    try:
        try:
            for batch in made:
                since = since if group else time.monotonic()
                group.append(batch)
                games += len(batch.entries)
                few = len(batch.entries) < SMALL
                if games >= many or few or time.monotonic() - since > PATIENCE:
                    full, group, games = group, [], 0
                    many = min(2 * many + 1, MANY)
                    yield Load(full)
        except Exception as error:
            failed = error  # what came before it is stored
        rest, group = group, []
        if rest:
            yield Load(rest)
        if failed is not None:
            raise failed
    finally:
        Load(group).discard()


def insert_games(cursor: DuckDBPyConnection, head: str, parameters: list[Any]) -> None:
    """Insert the games of the table `batch`; `head` gives the first five columns."""
    cursor.execute(f"INSERT INTO games SELECT {head}, {GAME_COLUMNS} FROM batch", parameters)


def insert_names(cursor: DuckDBPyConnection) -> None:
    """Add the players and events of the table `batch` that are new."""
    # Most often there is none, and to ask for that costs less.
    numbers = " UNION ALL ".join(f"SELECT p{seat} AS player FROM batch" for seat in schema.SEATS)
    new = cursor.execute(
        f"SELECT 1 FROM ({numbers}) ANTI JOIN players USING (player) "
        "WHERE player IS NOT NULL LIMIT 1"
    ).fetchall()
    if new:
        seats = " UNION ALL ".join(
            f"SELECT i AS place, {seat} AS seat, p{seat} AS player, n{seat} AS name, "
            f"i{seat} AS tag_id FROM batch WHERE p{seat} IS NOT NULL"
            for seat in schema.SEATS
        )
        cursor.execute(
            "INSERT INTO players SELECT player, coalesce(arg_min(name, place * 4 + seat), "
            f"any_value(tag_id)), any_value(tag_id) FROM ({seats}) "
            "WHERE player NOT IN (SELECT player FROM players) GROUP BY player ORDER BY player"
        )
    new = cursor.execute(
        "SELECT 1 FROM batch ANTI JOIN events USING (event) WHERE event IS NOT NULL LIMIT 1"
    ).fetchall()
    if new:
        cursor.execute(
            "INSERT INTO events SELECT event, arg_min(event_name, i) FROM batch "
            "WHERE event IS NOT NULL AND event NOT IN (SELECT event FROM events) "
            "GROUP BY event ORDER BY event"
        )


def find_digests(cursor: DuckDBPyConnection, keys: set[int]) -> dict[bytes, Known]:
    """The digests that begin with one of `keys`, from all revisions."""
    if not keys:
        return {}
    if len(keys) < FEW:
        # Most often nothing is known, and that is soon asked.
        listed = ", ".join(map(str, keys))
        if not cursor.execute(f"SELECT 1 FROM records WHERE key IN ({listed}) LIMIT 1").fetchall():
            return {}
    rows = cursor.execute(
        """
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
        if len(keys) < FEW
        else """
        SELECT hits.digest, hits.game, hits.gid, max(hits.revision), bool_or(games.game IS NULL)
        FROM records hits LEFT JOIN games USING (game)
        WHERE hits.key IN (SELECT unnest(?::UBIGINT[])) GROUP BY ALL
        """,
        [list(keys)],
    ).fetchall()
    return {
        bytes(d): Known(game, gid, revision, deleted) for d, game, gid, revision, deleted in rows
    }


def find_head(cursor: DuckDBPyConnection, id: str) -> Known:
    """The latest revision of a game.  Raises NotFound."""
    gid = read_id(id)
    row = None
    if gid is not None:
        row = cursor.execute(
            "SELECT game, gid, revision, deleted FROM records WHERE gid = ? "
            "ORDER BY revision DESC LIMIT 1",
            [gid],
        ).fetchone()
    if row is None:
        raise NotFound(f"there is no game {id}")
    return Known(*row)


def _expect(head: Known, expected: int | None) -> None:
    if expected is not None and expected != head.revision:
        raise RevisionChanged(
            f"the game's revision is {head.revision}, not {expected}", head.revision
        )


def _outcomes(load: Load, first: int, sifted: Sifted) -> list[Outcome]:
    """What became of the games of a stored load, numbered from `first`."""
    known, skip, other = sifted
    outcomes = []
    for i, entry in enumerate(load.entries):
        if not entry.digest:
            outcomes.append(_refused(entry, first + i))
            continue
        was = known.get(entry.digest) if i in skip else None
        gid = was.gid if was else other.get(i) or int.from_bytes(entry.digest[:8], "big")
        outcomes.append(
            Outcome(
                game=first + i,
                line=entry.line,
                status="stored" if was is None else "deleted" if was.deleted else "known",
                id=write_id(gid),
                revision=was.revision if was else 1,
                digest=entry.digest.hex(),
                complete=entry.complete,
                result=entry.result,
                problems=entry.problems,
            )
        )
    return outcomes


def _refused(entry: Entry, number: int) -> Outcome:
    return Outcome(
        game=number,
        line=entry.line,
        status="invalid",
        complete=entry.complete,
        result=entry.result,
        problems=entry.problems,
    )
