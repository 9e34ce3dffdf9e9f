"""Games that arrive one at a time: acknowledged with their record, brought into the tables later.

DuckDB takes far longer to plan the dozen statements that bring a game into all tables than the
engine takes to judge it.  So a game that is new and similar to no other is written to a journal
(`journal`), with others that arrived at the same moment, and acknowledged: its record is the whole
of its ledger entry.  It then waits, and many are brought in at once: before anything that needs
them is read, before anything else is written, and at the latest when `MOST` wait.  More games are
taken meanwhile.  Opening an archive after a crash brings in what its journal holds.
"""

from __future__ import annotations

import contextlib
from copy import copy
from typing import TYPE_CHECKING, Any, Final

from claimlog.notation.reader import Block
from claimlog.store.file.bloom_filter import BloomFilter
from claimlog.store.file.few import MOST as A_FEW
from claimlog.store.file.few import Few
from claimlog.store.file.intake import Intake
from claimlog.store.file.journal import Waiting as Kept
from claimlog.store.intake.derived import insert_names
from claimlog.store.intake.remaking import Made, Remaker, fill_chunk
from claimlog.store.intake.staging import GAMES
from claimlog.store.intake.storing import kept, refused
from claimlog.store.ledger.chain import checksum_of
from claimlog.store.model.errors import (
    ArchiveError,
    ArchiveFailed,
    ArchiveReadOnly,
    DiskFull,
    refuse_null,
)
from claimlog.store.model.schema import KEYS, SEATS
from claimlog.store.model.types import Handed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from duckdb import DuckDBPyConnection

    from claimlog.store.file.database import Database
    from claimlog.store.intake.batch import Entry, Maker
    from claimlog.store.ledger.identities import Identities
    from claimlog.store.model.types import Doubtful, Outcome

MOST: Final = 1000
"""The largest number of games that may wait."""

_WHO: Final = ("event", *(f"p{seat}" for seat in SEATS))


class _Coming:
    """A game on its way into the archive: its data, and the keys by which it is found."""

    __slots__ = ("by", "digest", "keys", "record", "row", "source", "who")

    def __init__(
        self, maker: Maker, entry: Entry, by: str, source: str, *, beside: bool = False
    ) -> None:
        (row,) = maker.encoder.values_as_dicts(GAMES.names)
        self.row = row
        self.record = maker.encoder.record.decode()
        self.digest = entry.digest
        self.by = by
        self.source = source
        # The keys by which it would be found to be another version of a game.
        keys = () if beside else [row[name] for name in KEYS if row[name] is not None]
        self.keys = {_key(self.digest), *keys}
        self.who = {row[name] for name in _WHO if row[name] is not None}


def _key(digest: bytes) -> int:
    """The value of `records.key`, and also of `gid`."""
    return int.from_bytes(digest[:8], "big")


_TYPES: Final = (
    *("INTEGER", "UBIGINT", "BLOB", "TIMESTAMP", "VARCHAR", "VARCHAR", "VARCHAR", "BLOB"),
)


def _insert(cursor: DuckDBPyConnection, first: int, mark: int, games: list[Kept]) -> list[bytes]:
    """Insert records, numbered from `first`; return their checksums in the order of ids."""
    rows = []
    for number, one in enumerate(games, first):
        key = _key(one.digest)
        checksum = checksum_of(
            number, key, 1, one.digest, one.moment, one.by, "", one.source, deleted=False
        )
        row = number, key, one.digest, one.moment, one.by, one.source, one.record, checksum
        rows.append(row)
    many = len(rows) > 1
    game, gid, digest, moment, by, source, record, checked = (
        f"unnest(${at}::{kind}[])" if many else f"${at}::{kind}"
        for at, kind in enumerate(_TYPES, 1)
    )
    cursor.execute(
        f"INSERT INTO records SELECT {game}, {gid}, 1, {gid}, {digest}, {moment}, {by}, '', "
        f"{source}, false, {record}, ${len(_TYPES) + 1}::BIGINT, {checked}",
        [*(map(list, zip(*rows, strict=True)) if many else rows[0]), mark],
    )
    return [row[-1] for row in sorted(rows, key=lambda row: row[1])]


class Waiting:
    """Stores single games, and brings in those that wait."""

    def __init__(self, database: Database, identities: Identities, intake: Intake) -> None:
        self.database = database
        self.identities = identities
        self.intake = intake
        self._bloom_filter = BloomFilter(database)
        self._few = Few()
        self._keys: set[int] = set()
        """The keys of all waiting games, as in `_Coming.keys`."""
        self._came: dict[int, tuple[Kept, set[int]]] = {}
        """The waiting games and their keys, by id."""
        self._leaving: dict[int, tuple[Kept, set[int]]] = {}
        """The same for the games being brought in; they arrived before all others."""
        self._rows: dict[int, dict[str, Any]] = {}
        """The rows of games that just arrived, by id, until somebody takes them."""
        self._unmade: list[Made] = []
        """Records that have no rows yet."""
        self._why_not = DiskFull("disk-full.was")
        database.bring_in = self._bring_in
        database.find_waiting = self._find
        database.take_row = self._take_row
        self._after_opening()

    # Storing -----------------------------------------------------------------------------

    def store(self, handed: Sequence[Handed]) -> list[Outcome | Exception | None]:
        """Store games that arrived at the same moment, or refuse them; return the outcome of each.

        The outcome is None if the game may be like another or is not exactly one game: it has to be
        stored by itself.
        """
        self.database.check_writable()
        outcomes: list[Outcome | Exception | None] = []
        coming: dict[int, tuple[_Coming, Entry]] = {}
        with self.intake.maker() as maker:
            for place, one in enumerate(handed):
                outcomes.append(None)
                try:
                    refuse_null(by=one.by, source=one.source)
                    entries = maker.entries(Block(one.record, 1), "clm")
                    if len(entries) == 1 and not entries[0].digest:
                        outcomes[place] = refused(entries[0], 1)
                    elif len(entries) == 1:
                        beside = one.doubtful == "beside"
                        made = _Coming(maker, entries[0], one.by, one.source, beside=beside)
                        coming[place] = made, entries[0]
                except Exception as error:
                    outcomes[place] = error
                finally:
                    maker.encoder.drop_rows()
        if coming:
            try:
                taken = self.intake.with_room(
                    lambda: self._take([one for one, _ in coming.values()])
                )
            except Exception as error:
                taken = set()
                outcomes = [error if place in coming else one for place, one in enumerate(outcomes)]
            for place, (made, entry) in coming.items():
                if made in taken:
                    outcomes[place] = kept(entry, 1, "stored", _key(made.digest), 1)
        return outcomes

    def prepare(self) -> None:
        """See `Archive.prepare_to_store`."""
        with self.database.taking(), self.database.read(settled=False) as cursor:
            self._bloom_filter.prepare(cursor, self._keys)

    def _take(self, coming: list[_Coming]) -> set[_Coming]:
        """Write the games that are new and like no other to the journal; return them."""
        database = self.database
        with database.taking():
            involved = self.identities.involved()
            with database.read(settled=False) as cursor:
                keys = set().union(*(one.keys for one in coming))
                taken = self._keys | self._bloom_filter.known(cursor, keys, self._keys)
                new: list[_Coming] = []
                for one in coming:
                    # Merged players and events need more than a comparison of keys.
                    if taken.isdisjoint(one.keys) and involved.isdisjoint(one.who):
                        taken |= one.keys
                        new.append(one)
                if not new:
                    return set()
                moment = self.intake.moment(cursor)
            games = [Kept(one.digest, moment, one.by, one.source, one.record) for one in new]
            database.journal.append(games)
            for one, game in zip(new, games, strict=True):
                self._add(game, one.keys)
                self._rows[_key(one.digest)] = one.row
            database.took(len(games))
        return set(new)

    def _add(self, game: Kept, keys: set[int]) -> None:
        """Add a game to those that wait."""
        self._came[_key(game.digest)] = game, keys
        self._keys |= keys
        self._bloom_filter.add(keys)

    def make_room(self) -> None:
        """Bring games in if too many wait; if that fails, readers get the error."""
        if self.database.waiting >= MOST:
            with contextlib.suppress(ArchiveError), self.database.writing("rows"):
                self._bring_in()

    def _find(self, gid: int) -> tuple[Any, ...] | None:
        """Find a waiting game by its id."""
        kept = self._came.get(gid) or self._leaving.get(gid)
        if kept is None:
            return None
        game = kept[0]
        return gid, 1, game.moment, game.by, "", game.source, game.digest, False, game.record

    def _take_row(self, gid: int) -> dict[str, Any] | None:
        """Take the row of a game that just arrived, made when it was judged, if it is there."""
        return self._rows.pop(gid, None)

    # The games that wait -------------------------------------------------------------------

    def _bring_in(self) -> None:
        """Bring in all games that have arrived so far; the caller must be writing."""
        came = self.database.came
        if self._unmade:
            self.intake.with_room(self._make_rows)
        while self.database.made < came:
            self.intake.with_room(self._bring_some)

    def _bring_some(self) -> None:
        """Bring in the games left from the journal's last turn, or turn it and bring in all."""
        database = self.database
        with database.taking():
            if not self._leaving:
                self._leaving, self._came = self._came, {}
                database.journal.turn()
        self._write([game for game, _ in self._leaving.values()])
        with database.taking():
            database.made += len(self._leaving)
            database.journal.clear()
            for gid in self._leaving:
                self._rows.pop(gid, None)
            self._leaving = {}
            self._keys = set().union(*(keys for _, keys in self._came.values()))

    def _write(self, games: list[Kept]) -> None:
        """Bring games into all tables."""
        database = self.database
        try:
            with database.transaction("rows") as cursor:
                first = self.intake.number(cursor)
                database.link_new(cursor, _insert(cursor, first, self.intake.mark(cursor), games))
                rows: list[Made] = [
                    (number, 1, True, game.record, _key(game.digest), game.moment)
                    for number, game in enumerate(games, first)
                ]
                few = len(rows) <= A_FEW and self._few.insert(cursor, rows, database.changes)
                if not few:
                    self._few.forget()
                    self._fill(cursor, rows)
        except BaseException:
            self._few.forget()
            raise
        database.named += not few or self._few.named
        self.intake.took(first + len(games))

    def _fill(self, cursor: DuckDBPyConnection, rows: list[Made]) -> None:
        """Make the derived rows of records."""
        remaker = Remaker(self.intake.folder())
        try:
            remaker.make([(place, row[3]) for place, row in enumerate(rows)])
            fill_chunk(cursor, remaker, "", rows)
            insert_names(cursor)
        finally:
            remaker.discard()

    # After a crash -------------------------------------------------------------------------

    def _after_opening(self) -> None:
        """Bring in what a process was killed before bringing in."""
        database = self.database
        games = database.journal.read()
        try:
            with database.read(settled=False) as cursor:
                known = database.find_digests(cursor, [game.digest for game in games])
                unmade = self._missing(cursor)
        except ArchiveFailed:
            return  # a table is missing, which `db check` will report
        # A record that is no longer legal has no rows.
        if any(self._keys_of(row[3]) for row in unmade):
            self._unmade = unmade
            database.came += len(unmade)
        for game in games:
            if game.digest not in known:
                self._add(game, self._keys_of(game.record) | {_key(game.digest)})
                database.came += 1
        try:
            if database.waiting and database.read_only:
                with database.opened_for_writing():
                    self._finish()
            elif not database.read_only:
                self._finish()
        except ArchiveReadOnly as error:
            raise ArchiveReadOnly("archive.unfinished", path=database.path) from error
        except DiskFull as error:
            # Questions that need only records are answered; all others raise the reason.
            if database.read_only:
                self._why_not = error
                database.bring_in = self._refuse

    def _finish(self) -> None:
        """Bring in the waiting games, and delete the journal."""
        self._bring_in()
        self.database.journal.close(done=True)

    def _missing(self, cursor: DuckDBPyConnection) -> list[Made]:
        """The games without rows, in order: versions without a journal wrote records first."""
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

    def _make_rows(self) -> None:
        """Make the rows of records that have none."""
        with self.database.transaction("rows") as cursor:
            self._fill(cursor, self._unmade)
            self.database.link_new(cursor)
        self.database.named += 1
        self.database.made += len(self._unmade)
        self._unmade = []

    def _refuse(self) -> None:
        """Raise the reason why games could not be brought in when the file was opened to read."""
        raise copy(self._why_not)

    def _keys_of(self, record: str) -> set[int]:
        """The keys by which a game is found; empty if its record is not legal."""
        with self.intake.maker() as maker:
            try:
                entries = maker.entries(Block(record.encode(), 1), "clm")
                if len(entries) != 1 or not entries[0].digest:
                    return set()
                return _Coming(maker, entries[0], "", "").keys
            finally:
                maker.encoder.drop_rows()


class FileIntake(Intake):
    """Stores games in the file, where games that arrive one at a time may wait."""

    def __init__(self, database: Database, identities: Identities) -> None:
        super().__init__(database, identities)
        self._waiting = Waiting(database, identities, self)

    def store(self, record: bytes | str, by: str, source: str, doubtful: Doubtful) -> Outcome:
        """See `Archive.store`; a game that is like no other is stored quickly."""
        data = record.encode() if isinstance(record, str) else record
        (outcome,) = self._waiting.store([Handed(data, by, source, doubtful)])
        if isinstance(outcome, Exception):
            raise outcome
        self._waiting.make_room()
        return outcome or super().store(record, by, source, doubtful)

    def store_together(self, handed: Sequence[Handed]) -> list[Outcome | Exception | None]:
        """See `Archive.store_together`."""
        self._waiting.make_room()
        return self._waiting.store(handed)

    def prepare(self) -> None:
        """See `Archive.prepare_to_store`."""
        self._waiting.prepare()
