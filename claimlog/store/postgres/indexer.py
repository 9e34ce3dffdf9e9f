"""Bring what is new in PostgreSQL to the lake: records, their rows, and how far it has come.

Only the holder of the lease does this; others wait to take over.  Rows, and the mark up to which
they are there, are committed to the lake in one transaction, so each gets there exactly once,
whichever process dies when.  A holder that did not renew the lease in time loses its connections to
PostgreSQL, and of two concurrent transactions over the lake one fails.
"""

from __future__ import annotations

import contextlib
import secrets
import threading
import time
from typing import TYPE_CHECKING, Any, Final

import duckdb

from claimlog.store.intake.derived import GAME_COLUMNS, ROWS, insert_games, insert_names
from claimlog.store.intake.remaking import Remaker
from claimlog.store.intake.storing import READ_GAMES, READ_ROWS
from claimlog.store.model import schema
from claimlog.store.model.errors import ArchiveError, ArchiveUnreachable, LakeOvertaken
from claimlog.store.postgres.backend import BLOCK_TABLES, INLINED, quoted
from claimlog.store.postgres.connection import horizon
from claimlog.store.questions import rollups

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from duckdb import DuckDBPyConnection

    from claimlog.store.postgres.backend import PostgresBackend

MOST: Final = 20_000
"""The approximate maximum number of revisions brought in one transaction."""

PAUSE: Final = 0.2
"""Seconds between two checks for something new, unless much was."""

LONGEST_PAUSE: Final = 1.0
"""Seconds between two checks when nothing has come for long."""

BACKOFF: Final = (0.5, 30.0)
"""Seconds between two attempts when something does not answer: at first, and at most."""

LEASE: Final = 20.0
"""Seconds without renewal after which another process takes over."""

TIDY: Final = 100
"""The number of transactions after which rows in the catalogue are written into files."""

MOST_KEPT: Final = 1000
"""The same as a number of revisions; a thousand make a question take 8 ms longer."""

SMALL: Final = 16 << 20
"""The size in bytes from which a file is not merged with others, unless all are."""

KEPT: Final = "1 hour"
"""How long files are kept that readers may still be reading."""

ORPHANED: Final = "1 day"
"""How long files that belong to nothing are kept: a block's files exist before it is stored."""

_ROWS: Final = (
    "SELECT game, gid, revision, digest, stored_at, deleted, record, mark "
    "FROM records WHERE mark >= ? AND mark < ? "
)


BLOCKS: Final = 1000
"""The largest number of blocks whose files are brought in one transaction."""

_BLOCKS: Final = """
SELECT name, stored, mark, EXISTS (
    SELECT FROM records WHERE records.mark > blocks.before AND records.mark < blocks.mark)
FROM (SELECT name, stored, mark, coalesce(lag(mark) OVER (ORDER BY mark), ?) AS before
      FROM batches WHERE name IS NOT NULL AND mark >= ? AND mark < ?
      ORDER BY mark LIMIT ?) blocks
ORDER BY mark
"""
"""Blocks from a mark on, each with whether other records came before it."""


class Indexer:
    """Brings records to the lake, while it holds the lease."""

    def __init__(
        self, backend: PostgresBackend, *, prepare: Callable[[], object] | None = None
    ) -> None:
        """`prepare`: called with the lease, before the lake is opened.

        It makes a new lake, or else finds out where the lake is now: it may have been replaced.
        """
        self.backend = backend
        self.prepare = prepare or backend.look_up
        self.commits = 0
        self.kept = 0
        """The revisions whose rows may be in the catalogue."""
        self.name = ""
        """The name of the holder of the lease, and of its connections in PostgreSQL."""
        self._announced = 0
        """The last mark published."""
        self._since = -1
        """The mark up to which the lake has everything; nobody else changes it meanwhile."""
        self._root: DuckDBPyConnection | None = None
        self._remaker: Remaker | None = None
        self._ended = threading.Event()

    @property
    def root(self) -> DuckDBPyConnection:
        """The lake, attached for writing, while the lease is held."""
        assert self._root is not None
        return self._root

    def begin(self) -> bool:
        """Take the lease, unless somebody else holds it; return whether it is held now."""
        if self._root is None:
            name = f"claimlog index {secrets.token_hex(8)}"
            with self.backend.postgres.transaction() as cursor:
                row = cursor.execute("SELECT holder FROM indexing FOR UPDATE").fetchone()
                if not cursor.execute(
                    "UPDATE indexing SET holder = ?, until = clock_timestamp() + ? * interval '1s' "
                    "WHERE until < clock_timestamp() RETURNING holder",
                    [name, LEASE],
                ).fetchone():
                    return False
                # The old holder may be stopped, not dead: what it has begun must not be committed.
                cursor.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                    "WHERE application_name = ? AND application_name <> '' "
                    "AND pg_has_role(usesysid, 'USAGE')",
                    [row[0]],
                )
            self.name = name
            self._ended = threading.Event()
            threading.Thread(
                target=self._renew, args=[name, self._ended], name="lease", daemon=True
            ).start()
            try:
                self.prepare()
                self._root = self.backend.lake_root(name)
            except ArchiveError:
                self.end()
                raise
            self.backend.spool.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._remaker = Remaker(self.backend.spool)
        return True

    def _renew(self, name: str, ended: threading.Event) -> None:
        """Renew the lease again and again."""
        while not ended.wait(LEASE / 4):
            try:
                with self.backend.postgres.cursor() as cursor:
                    cursor.execute(
                        "UPDATE indexing SET until = clock_timestamp() + ? * interval '1s' "
                        "WHERE holder = ?",
                        [LEASE, name],
                    )
            except ArchiveError:
                continue  # the next transaction finds out

    def end(self) -> None:
        """Give up the lease."""
        self._ended.set()
        if self._remaker is not None:
            self._remaker.discard()
        if self._root is not None:
            self._root.close()
        if self.name:
            with contextlib.suppress(ArchiveError), self.backend.postgres.cursor() as cursor:
                cursor.execute(
                    "UPDATE indexing SET until = '-infinity' WHERE holder = ?", [self.name]
                )
        self.name, self._root, self._remaker, self._since = "", None, None, -1

    def bring(self) -> int:
        """Bring one transaction's worth of what is new; return the number of revisions."""
        assert self._remaker is not None
        with self.backend.ledger() as ledger:
            end = horizon(ledger)
        if end == self._since:
            return 0
        # Without the lease another process is at work, and this one's work must not be kept.
        self.check_lease()
        self.backend.link_records(end)
        with self.backend.writing_lake(self.root) as cursor:
            row = cursor.execute("SELECT max(mark) FROM watermark").fetchone()
            assert row is not None
            since = int(row[0])
            files, end = self._files(since, end)
            if files:
                until, brought = end, self._register(cursor, files)
            else:
                rows, until = self._new(since, end)
                brought = len(rows)
                if rows:
                    self._bring(cursor, self._remaker, rows)
            if brought:
                cursor.execute("UPDATE watermark SET mark = ?", [until])
                self.check_lease()
        # Only after the commit, as nobody may rely on what is not there.
        if until > self._announced:
            self.backend.tell_progress(until)
            self._announced = until
        self._since = until
        if brought:
            self.commits += 1
            if brought <= INLINED:
                self.kept += brought
            if self.commits % TIDY == 0 or self.kept >= MOST_KEPT:
                self.tidy()
        return brought

    def check_lease(self) -> None:
        """Raise ArchiveUnreachable if another process has taken over."""
        with self.backend.ledger() as cursor:
            if not cursor.execute(
                "SELECT FROM indexing WHERE holder = ? AND until > clock_timestamp()", [self.name]
            ).fetchall():
                raise ArchiveUnreachable("index.taken-over", path=self.backend.where)

    def _files(self, since: int, end: int) -> tuple[list[tuple[str, int]], int]:
        """The next blocks stored before `end`: the names of their files, and their games.

        Also returns the mark below which everything can be brought: with these files, or, if there
        are none, up to the next block.
        """
        with self.backend.ledger() as cursor:
            blocks = cursor.execute(_BLOCKS, [max(since - 1, 0), since, end, BLOCKS]).fetchall()
        files: list[tuple[str, int]] = []
        until = end
        for name, stored, mark, more in blocks:
            if more:
                # Records in between are brought first, as they may concern games of the blocks.
                return (files, until) if files else ([], int(mark))
            files.append((name, stored))
            until = int(mark) + 1
        return files, until

    def _register(self, cursor: DuckDBPyConnection, files: list[tuple[str, int]]) -> int:
        """Add files to the tables; return the number of games in them."""
        for table in BLOCK_TABLES:
            for name, _ in files:
                cursor.execute(
                    "CALL ducklake_add_data_files('lake', ?, ?)",
                    [table, self.backend.block_file(name, table)],
                )
        made = {
            table: "read_parquet(["
            + ", ".join(quoted(self.backend.block_file(name, table)) for name, _ in files)
            + "])"
            for table in BLOCK_TABLES
        }
        insert_names(cursor, made["games"], ORDER)
        rollups.add(cursor, made)
        return sum(stored for _, stored in files)

    def _new(self, since: int, end: int) -> tuple[list[tuple[Any, ...]], int]:
        """Revisions after a mark, those of whole transactions only; and the next mark."""
        with self.backend.ledger() as cursor:
            rows = cursor.execute(
                _ROWS + "ORDER BY mark LIMIT ?",
                [since, end, MOST],
            ).fetchall()
            if len(rows) < MOST:
                return rows, end
            first, last = int(rows[0][-1]), int(rows[-1][-1])
            if first < last:
                return [row for row in rows if row[-1] < last], last
            rows = cursor.execute(_ROWS, [first, first + 1]).fetchall()
            return rows, first + 1

    def _bring(
        self, cursor: DuckDBPyConnection, remaker: Remaker, rows: list[tuple[Any, ...]]
    ) -> None:
        """Bring revisions to the tables."""
        rows.sort(key=lambda row: (row[1], row[2]))
        changed: dict[int, Any] = {}
        listed = []
        for place, row in enumerate(rows):
            game, gid, revision, digest, stored_at, deleted, _, _ = row
            later = rows[place + 1] if place + 1 < len(rows) else None
            until = later[4] if later is not None and later[1] == gid else None
            if revision > 1:
                changed.setdefault(game, stored_at)
            if not deleted:
                listed.append((place, game, gid, revision, digest, stored_at, until))
        if changed:
            self._retire(cursor, changed)
        if listed:
            remaker.make([(place, rows[place][6]) for place, *_ in listed])
            self._insert(cursor, remaker, listed)

    def _retire(self, cursor: DuckDBPyConnection, changed: dict[int, Any]) -> None:
        """Remove the rows of games that have a new revision, keeping a summary."""
        cursor.execute(
            "CREATE OR REPLACE TEMP TABLE changed AS SELECT unnest(?::BIGINT[]) AS game, "
            "unnest(?::TIMESTAMP[]) AS moment",
            [list(changed), list(changed.values())],
        )
        cursor.execute(
            "INSERT INTO games_before SELECT game, gid, revision, digest, stored_at, moment, "
            f"{GAME_COLUMNS} FROM games JOIN changed USING (game)"
        )
        theirs = {
            table: f"(SELECT * FROM {table} WHERE game IN (SELECT game FROM changed))"
            for table in BLOCK_TABLES
        }
        rollups.add(cursor, theirs, -1)
        for table in BLOCK_TABLES:
            cursor.execute(f"DELETE FROM {table} WHERE game IN (SELECT game FROM changed)")

    def _insert(
        self, cursor: DuckDBPyConnection, remaker: Remaker, listed: list[tuple[Any, ...]]
    ) -> None:
        """Insert the rows made, of current revisions and of earlier ones."""
        put_places(cursor, listed)
        put_games(cursor, remaker.paths[0])
        if any(until is not None for *_, until in listed):
            cursor.execute(
                f"INSERT INTO games_before SELECT {_HEAD}, until, {GAME_COLUMNS} FROM batch "
                "WHERE until IS NOT NULL ORDER BY game"
            )
        insert_names(cursor, "batch", ORDER)
        made = {"games": "(SELECT * FROM batch WHERE until IS NULL)"}
        for (table, *_), columns, path in zip(
            ROWS, (schema.TRICKS, schema.FACTIONS_WON), remaker.paths[1:], strict=True
        ):
            # Read once, as for the sums they are read seven times.
            made[table] = f"made_{table}"
            names = ", ".join(name for name, _ in columns)
            cursor.execute(
                f"CREATE OR REPLACE TEMP TABLE {made[table]} AS "
                f"SELECT * FROM ({made_rows(table)}) made ({names})",
                [str(path)],
            )
            cursor.execute(f"INSERT INTO {table} SELECT * FROM {made[table]} ORDER BY game")
        rollups.add(cursor, made)
        for table, *_ in ROWS:
            cursor.execute(f"DROP TABLE {made[table]}")

    def tidy(self, everything: bool = False) -> None:
        """Write rows in the catalogue into files, merge small ones, and release unused ones.

        With `everything`, large files are also merged, those of which little is left are rewritten,
        and leftovers of killed processes are deleted.
        """
        self.kept = 0
        with self.backend.writing_lake(self.root) as cursor:
            rollups.shorten(cursor)
        calls = ["ducklake_flush_inlined_data('lake')"]
        if everything:
            calls += [
                "ducklake_rewrite_data_files('lake')",
                "ducklake_merge_adjacent_files('lake')",
            ]
        else:
            calls.append(f"ducklake_merge_adjacent_files('lake', max_file_size => {SMALL})")
        # A copy of the database has a copy of the catalogue: the files are not ours alone.
        if not self.backend.is_copy():
            calls += [
                f"ducklake_expire_snapshots('lake', older_than => now() - INTERVAL '{KEPT}')",
                f"ducklake_cleanup_old_files('lake', older_than => now() - INTERVAL '{KEPT}')",
            ]
            if everything:
                calls.append(
                    "ducklake_delete_orphaned_files('lake', "
                    f"older_than => now() - INTERVAL '{ORPHANED}')"
                )
        for call in calls:
            try:
                self.root.execute(f"CALL {call}")
            except duckdb.Error as error:
                raise self.backend.not_there(error, "lake.not-tidied") from error


_HEAD: Final = "game, number, revision, sha, stored_at"

ORDER: Final = "(stored_at, revision, game)"
"""The order in which the first name of a player or event is found."""


def put_places(cursor: DuckDBPyConnection, listed: list[tuple[Any, ...]]) -> None:
    """Set the revisions of the rows: (place, game, id, revision, digest, time, until)."""
    columns = ("INTEGER", "BIGINT", "UBIGINT", "SMALLINT", "BLOB", "TIMESTAMP", "TIMESTAMP")
    names = ("i", "game", "number", "revision", "sha", "stored_at", "until")
    unnested = ", ".join(
        f"unnest(?::{kind}[]) AS {name}" for kind, name in zip(columns, names, strict=True)
    )
    cursor.execute(
        f"CREATE OR REPLACE TEMP TABLE place AS SELECT {unnested}",
        [list(column) for column in zip(*listed, strict=True)],
    )


def put_games(cursor: DuckDBPyConnection, path: object) -> None:
    """Insert the current ones of the games made; the table `batch` then has all of them."""
    cursor.execute(
        f"CREATE OR REPLACE TEMP TABLE batch AS SELECT * FROM {READ_GAMES} JOIN place USING (i)",
        [str(path)],
    )
    insert_games(cursor, _HEAD, [], "batch WHERE until IS NULL ORDER BY game")


def put_rows(cursor: DuckDBPyConnection, paths: Sequence[object]) -> None:
    """Insert the rows of tricks and factions made from current games."""
    for (table, *_), path in zip(ROWS, paths, strict=True):
        cursor.execute(f"INSERT INTO {table} {made_rows(table)} ORDER BY place.game", [str(path)])


def made_rows(table: str) -> str:
    """SQL that reads the rows of tricks or factions made from current games."""
    chosen = next(columns for name, columns, _ in ROWS if name == table)
    return (
        f"SELECT place.game, {chosen} FROM {READ_ROWS} made "
        "JOIN place ON place.i = made.game WHERE until IS NULL"
    )


def bring_now(backend: PostgresBackend) -> None:
    """Bring what is new to the lake, unless somebody is already doing so."""
    indexer = Indexer(backend)
    more = True
    try:
        while more:
            try:
                more = indexer.begin() and indexer.bring() > 0
            except LakeOvertaken:
                time.sleep(PAUSE)
    finally:
        indexer.end()


def index(
    backend: PostgresBackend,
    *,
    once: bool,
    going_on: Callable[[], bool],
    report: Callable[[int], None] | None = None,
    fault: Callable[[ArchiveError], None] | None = None,
    pause: float = PAUSE,
) -> int:
    """Bring records to the lake: with `once`, all that there are, otherwise while `going_on`.

    If another process holds the lease, wait for it.  `report` is called with the number of
    revisions brought, `fault` with each error, once if it repeats; then it tries again.  Between
    two transactions that bring little it waits for `pause` seconds.  Returns the total number of
    revisions brought.
    """
    indexer = Indexer(backend)
    total = 0
    wait = pause
    said = ""
    try:
        while going_on():
            try:
                brought = indexer.bring() if indexer.begin() else None
            except LakeOvertaken:
                _sleep(PAUSE, going_on)
                continue
            except ArchiveError as error:
                indexer.end()
                if once or fault is None:
                    raise
                if str(error) != said:
                    said = str(error)
                    fault(error)
                wait = min(max(wait * 2, BACKOFF[0]), BACKOFF[1])
                _sleep(wait, going_on)
                continue
            said = ""
            if brought:
                total += brought
                wait = pause
                if report is not None:
                    report(brought)
            elif brought == 0 and once:
                return total
            else:
                wait = max(pause, min(wait * 1.2, LONGEST_PAUSE))
            # After a small transaction, wait for more to arrive: each transaction creates files.
            if not brought or (brought < MOST and not once):
                _sleep(PAUSE if once else wait, going_on)
    finally:
        indexer.end()
    return total


def _sleep(seconds: float, going_on: Callable[[], bool]) -> None:
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0 and going_on():
        time.sleep(min(left, PAUSE))
