"""Games that come one at a time: acknowledged with their record, their other rows made later.

DuckDB takes far longer to plan the dozen statements that bring a game into all tables than the
engine takes to judge it.  So a game that is new and like no other is stored by one statement:
its record, which is all that the archive is told.  Its derived rows wait, and are made for many
games at once: before anything that needs them is read, before anything else is written, and at
the latest when `MOST` games wait.  Which games wait follows from the file itself, for all others
stand in `games` or `games_before`: who opens it after a crash makes the rows that are missing.

Whoever comes while others are being stored is stored together with all who wait: the commits
are shared.
"""

from __future__ import annotations

import threading
from copy import copy
from typing import TYPE_CHECKING, Final

from claimlog.notation.reader import Block
from claimlog.store.file.bloom_filter import BloomFilter
from claimlog.store.file.intake import Intake
from claimlog.store.intake.derived import insert_names
from claimlog.store.intake.remaking import Made, Remaker, fill_chunk
from claimlog.store.intake.storing import kept, refused
from claimlog.store.ledger.chain import checksum_of
from claimlog.store.model.errors import ArchiveFailed, ArchiveReadOnly, DiskFull, refuse_null
from claimlog.store.model.schema import KEYS, SEATS

if TYPE_CHECKING:
    from datetime import datetime

    from duckdb import DuckDBPyConnection

    from claimlog.store.file.database import Database
    from claimlog.store.intake.batch import Entry, Maker
    from claimlog.store.ledger.identities import Identities
    from claimlog.store.model.types import Doubtful, Outcome

MOST: Final = 500
"""So many games wait at most."""
TOGETHER: Final = 100
"""So many games are stored by one statement at most."""

_WHO: Final = ("event", *(f"p{seat}" for seat in SEATS))

Row = tuple[int, int, bytes, "datetime", bool, str]
"""Number, revision, digest, moment, whether deleted, and record of a game."""


class _Coming:
    """A game on its way into the archive, and what became of it."""

    __slots__ = ("by", "digest", "done", "error", "keys", "record", "row", "source", "turn", "who")

    def __init__(self, maker: Maker, entry: Entry, by: str, source: str, beside: bool) -> None:
        (row,) = maker.encoder.values_told([*_WHO, *KEYS])
        maker.encoder.drop_rows()
        self.record = maker.encoder.record.decode()
        self.digest = entry.digest
        self.by = by
        self.source = source
        # By what it would be found to be another version of a game.
        keys = () if beside else [row[name] for name in KEYS if row[name] is not None]
        self.keys = {self.key, *keys}
        self.who = {row[name] for name in _WHO if row[name] is not None}
        self.row: Row | None = None
        self.turn = threading.Event()
        self.done = False
        self.error: BaseException | None = None

    @property
    def key(self) -> int:
        """What `records.key` has, and `gid` too."""
        return int.from_bytes(self.digest[:8], "big")

    def checksum(self, game: int, moment: datetime) -> bytes:
        """That of its revision, if it has this number."""
        return checksum_of(
            game, self.key, 1, self.digest, moment, self.by, "", self.source, deleted=False
        )


def _insert(
    cursor: DuckDBPyConnection, first: int, mark: int, moment: datetime, games: list[_Coming]
) -> None:
    """Write the records of games, numbered from `first`."""
    values = [
        [
            game,
            one.key,
            one.key,
            one.digest,
            one.by,
            one.source,
            one.record,
            one.checksum(game, moment),
            moment,
            mark,
        ]
        for game, one in enumerate(games, first)
    ]
    columns = ["?::INTEGER", "?::UBIGINT", "?::UBIGINT", "?::BLOB", *3 * ["?::VARCHAR"], "?::BLOB"]
    columns += ["?::TIMESTAMP", "?::BIGINT"]
    if len(games) > 1:
        # As columns: DuckDB binds each value of a list of rows for itself.
        columns = [f"unnest({one}[])" for one in columns]
        values = [[list(column) for column in zip(*values, strict=True)]]
    columns = [one.replace("?", f"${number}") for number, one in enumerate(columns, 1)]
    game, gid, key, digest, by, source, record, checksum, stored_at, marked = columns
    cursor.execute(
        f"INSERT INTO records SELECT {game}, {gid}, 1, {key}, {digest}, {stored_at}, {by}, '', "
        f"{source}, false, {record}, {marked}, {checksum}",
        values[0],
    )


class Waiting:
    """Stores single games, and makes the rows that wait."""

    def __init__(self, database: Database, identities: Identities, intake: Intake) -> None:
        self.database = database
        self.identities = identities
        self.intake = intake
        self._lock = threading.Lock()
        self._queue: list[_Coming] = []
        self._led = False
        self._bloom_filter = BloomFilter(database)
        self._keys: set[int] = set()
        """What the games that wait are found by, as `_Coming.keys`."""
        self._rows: dict[int, Row] = {}
        """The games that wait, by id."""
        self._why_not = DiskFull("disk-full.was")
        database.bring_in = self._bring_in
        database.find_waiting = self._rows.get
        self._after_opening()

    # Storing -----------------------------------------------------------------------------

    def store(self, record: bytes | str, by: str, source: str, beside: bool) -> Outcome | None:
        """Store a game, or refuse it; None if it may be like another, or is not one game.

        See `Archive.store` for what is raised.
        """
        refuse_null(by=by, source=source)
        self.database.check_writable()
        data = record.encode() if isinstance(record, str) else record
        with self.intake.maker() as maker:
            entries = maker.entries(Block(data, 1), "clm")
            if len(entries) != 1 or not entries[0].digest:
                maker.encoder.drop_rows()
                return refused(entries[0], 1) if len(entries) == 1 else None
            entry = entries[0]
            coming = _Coming(maker, entry, by, source, beside)
        self._wait(coming)
        if coming.error is not None:
            raise coming.error
        return None if coming.row is None else kept(entry, 1, "stored", coming.key, 1)

    def _wait(self, coming: _Coming) -> None:
        """Wait until a game is stored; whoever comes first stores those who wait with it."""
        with self._lock:
            self._queue.append(coming)
            leads, self._led = not self._led, True
        if not leads:
            coming.turn.wait()
        if coming.done:
            return
        try:
            with self.database.writing("games"):
                self._next()
        finally:
            with self._lock:
                self._led = bool(self._queue)
                if self._queue:
                    self._queue[0].turn.set()

    def _next(self) -> None:
        """Store those who have come meanwhile; whoever calls is writing."""
        with self._lock:
            group, self._queue = self._queue[:TOGETHER], self._queue[TOGETHER:]
        try:
            self.intake.with_room(lambda: self._put(group))
            if len(self._rows) >= MOST:
                self._bring_in()
        except Exception as error:
            # Some may be in the file none the less.
            self.database.waiting += len(group)
            self._bloom_filter.forget()
            for one in group:
                if one.row is None:
                    one.error = error
        finally:
            for one in group:
                one.done = True
                one.turn.set()

    def _put(self, group: list[_Coming]) -> None:
        """Write the records of those games that are new and like no other."""
        with self.database.write("games") as cursor:
            self._put_new(cursor, group)

    def _put_new(self, cursor: DuckDBPyConnection, group: list[_Coming]) -> None:
        involved = self.identities.involved()
        taken = self._keys | self._bloom_filter.found(
            cursor, set().union(*(one.keys for one in group))
        )
        new: list[_Coming] = []
        for one in group:
            # Of players and events that were merged more is to be asked.
            if taken.isdisjoint(one.keys) and involved.isdisjoint(one.who):
                taken |= one.keys
                new.append(one)
        if not new:
            return
        moment = self.intake.moment(cursor)
        first = self.intake.number(cursor)
        _insert(cursor, first, self.database.mark(cursor), moment, new)
        self.intake.took(first + len(new))
        for game, one in enumerate(new, first):
            one.row = self._rows[one.key] = (game, 1, one.digest, moment, False, one.record)
            self._keys |= one.keys
            self._bloom_filter.add(one.keys)
        self.database.waiting = len(self._rows)

    # The rows that wait --------------------------------------------------------------------

    def _bring_in(self) -> None:
        """Make the rows that wait; whoever calls is writing."""
        self.intake.with_room(self._make_rows)

    def _make_rows(self) -> None:
        with self.database.transaction("rows") as cursor:
            rows = self._missing(cursor)
            remaker = Remaker(self.intake.folder())
            try:
                remaker.make([(place, row[3]) for place, row in enumerate(rows)])
                fill_chunk(cursor, remaker, "", rows)
                insert_names(cursor)
            finally:
                remaker.discard()
        self._keys.clear()
        self._rows.clear()
        self.database.waiting = 0

    def _missing(self, cursor: DuckDBPyConnection) -> list[Made]:
        """The games without rows, in their order."""
        if self.database.waiting == len(self._rows) > 0:
            # Nobody else has written since they came.
            known = sorted((row[0], key, row[3], row[5]) for key, row in self._rows.items())
            return [(game, 1, True, record, key, moment) for game, key, moment, record in known]
        last = 0
        for table in ("games", "games_before"):
            row = cursor.execute(f"SELECT coalesce(max(game), 0) FROM {table}").fetchone()
            assert row is not None
            last = max(last, row[0])
        return cursor.execute(
            "SELECT game, revision, true, record, gid, stored_at FROM records WHERE game > ? "
            "QUALIFY count(*) OVER (PARTITION BY game) = 1 ORDER BY game",
            [last],
        ).fetchall()

    def _after_opening(self) -> None:
        """Make the rows that a process did not come to make before it was killed."""
        database = self.database
        try:
            with database.read() as cursor:
                missing = self._missing(cursor)
        except ArchiveFailed:
            return  # a table is missing, as `db check` will say
        # A record that is not legal any more has no rows.
        if not any(self._is_legal(row[3]) for row in missing):
            return
        try:
            if database.read_only:
                with database.opened_for_writing():
                    self._bring_in()
            else:
                self._bring_in()
        except ArchiveReadOnly as error:
            raise ArchiveReadOnly("archive.unfinished", path=database.path) from error
        except DiskFull as error:
            # What needs no more than the records is answered; all else says why it cannot be.
            database.waiting = len(missing)
            if database.read_only:
                self._why_not = error
                database.bring_in = self._refuse

    def _refuse(self) -> None:
        """Say again why the rows could not be made when the file was opened for reading."""
        raise copy(self._why_not)

    def _is_legal(self, record: str) -> bool:
        with self.intake.maker() as maker:
            entries = maker.entries(Block(record.encode(), 1), "clm")
            maker.encoder.drop_rows()
        return any(entry.digest for entry in entries)


class FileIntake(Intake):
    """Storing in the file, where games that come one at a time may wait for their rows."""

    def __init__(self, database: Database, identities: Identities) -> None:
        super().__init__(database, identities)
        self._waiting = Waiting(database, identities, self)

    def store(self, record: bytes | str, by: str, source: str, doubtful: Doubtful) -> Outcome:
        """See `Archive.store`; a game that is like no other is soon stored."""
        alone = self._waiting.store(record, by, source, doubtful == "beside")
        return alone or super().store(record, by, source, doubtful)
