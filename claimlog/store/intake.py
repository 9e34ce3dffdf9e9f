"""Storing: batches of rows go into the tables, several in one transaction.

What is acknowledged is committed.  A record that is known, by its digest, is not stored
again; the game that has it is the answer.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import time
from collections import defaultdict, deque
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from claimlog.replay.explain import MOST
from claimlog.store import schema
from claimlog.store import types as t
from claimlog.store.batch import PARTS, Batch, Entry, Input, Maker, Task, batches
from claimlog.store.codes import MARGIN, NONE
from claimlog.store.database import Database, now
from claimlog.store.duplicates import IN_COMMON, Twin, Twins, goes_on, in_order, pairs_of
from claimlog.store.duplicates import find as find_twins
from claimlog.store.errors import (
    ArchiveError,
    Conflict,
    GameDeleted,
    InvalidRecord,
    NotFound,
    OutOfMemory,
    RevisionChanged,
    refuse_null,
)
from claimlog.store.game_ids import game_meant
from claimlog.store.ids import read_id, write_id
from claimlog.store.types import Outcome, Revision

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from concurrent.futures import Executor, Future
    from datetime import datetime

    from duckdb import DuckDBPyConnection

    from claimlog.store.corrections import Changes
    from claimlog.store.identities import Identities

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
"""Up to this many digests are looked for one way, more another way."""


class Known:
    """A revision that has a digest: the game it belongs to, and whether that was deleted."""

    __slots__ = ("deleted", "game", "gid", "revision")

    def __init__(self, game: int, gid: int, revision: int, deleted: bool) -> None:
        self.game = game
        self.gid = gid
        self.revision = revision
        self.deleted = deleted


WENT_ON: Final = "the game went on"
IN_ITS_PLACE: Final = "handed in again, to replace what was stored"


@dataclass(slots=True)
class Doubt:
    """A record that was not stored: which games it may be a version of, and its text."""

    twins: list[Twin]
    record: str


@dataclass(slots=True)
class Revised:
    """A record that becomes a revision of a game: number, id, revision and why."""

    game: int
    gid: int
    revision: int
    why: str


@dataclass(slots=True)
class Sifted:
    """What was found of a load, by place: what is known, in doubt, a revision of another game.

    `skip` are the places of what is not stored as a game of its own, `other` the ids of
    records whose own is taken (two digests that share 64 bits).
    """

    known: dict[bytes, Known] = field(default_factory=dict)
    skip: set[int] = field(default_factory=set)
    other: dict[int, int] = field(default_factory=dict)
    doubts: dict[int, Doubt] = field(default_factory=dict)
    revised: dict[int, Revised] = field(default_factory=dict)

    def gid(self, place: int, digest: bytes) -> int:
        """The id of a new game."""
        return self.other.get(place) or int.from_bytes(digest[:8], "big")


SMALL: Final = 500
"""A batch of fewer games is acknowledged before the next is waited for."""

MANY: Final = 25_000
"""How many games are stored in one transaction, for the rows of many tricks go straight into
the file, compressed; those of few are written to the log first."""

AHEAD: Final = 2
"""How many loads are being stored, or wait for it, while the next is gathered."""

ATTEMPTS: Final = 5
"""So often games are stored again when questions took the memory for it."""

PATIENCE: Final = 1.0
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

    def read_some_rows(
        self, columns: str, part: str, numbers: dict[int, int]
    ) -> tuple[str, list[Any]]:
        """SQL that reads rows of some games, by place, with other numbers."""
        before = [games for _, games in self.files]
        listed = ", ".join(f"({place}, {game})" for place, game in numbers.items())
        query = (
            f"SELECT chosen.number, {columns} FROM {READ_ROWS} "
            f"JOIN (VALUES {listed}) chosen (place, number) "
            f"ON chosen.place = {before}[file_index::INTEGER + 1] + game"
        )
        return query, [[f"{name}.{part}" for name, _ in self.files]]


class _TakeBackError(Exception):
    """What was written in a transaction is not to stay."""


class Intake:
    """The writing side of an archive."""

    def __init__(self, database: Database, identities: Identities) -> None:
        self.database = database
        self.identities = identities
        self._makers: list[Maker] = []
        self._stems = itertools.count()
        self._next = 0
        self._last: datetime | None = None

    # Many games --------------------------------------------------------------------------

    def import_games(
        self,
        read: Callable[[int], bytes | None],
        form: Input,
        by: str,
        source: str,
        workers: int | None,
        doubtful: t.Doubtful,
        language: str,
    ) -> Iterator[list[Outcome]]:
        """See `Archive.import_games`."""
        refuse_null(by=by, source=source)
        database = self.database
        database.check_writable()
        number = 1
        folder, stem = self.folder(), self._stem()
        workers = (os.cpu_count() or 1) if workers is None else workers
        made = batches(read, form, folder, stem, workers, language)
        try:
            with contextlib.closing(made), self._hand() as hand:  # type: ignore[type-var]
                for load, sifted in self._stored(_loads(made), hand, by, source, doubtful):
                    if load.entries:
                        yield _outcomes(load, number, sifted)
                        number += len(load.entries)
        finally:
            # What workers had made of blocks that nobody asks for any more.
            for left in folder.glob(f"{stem}-*"):
                left.unlink(missing_ok=True)

    def _stored(
        self, made: Iterator[Load], hand: Executor, by: str, source: str, doubtful: t.Doubtful
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
                    waiting.append((load, hand.submit(self._keep, load, by, source, doubtful)))
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

    def _keep(self, load: Load, by: str, source: str, doubtful: t.Doubtful) -> Sifted:
        """Store a load and delete its files."""
        try:
            return self._with_room(load, by, source, doubtful)
        finally:
            load.discard()

    def _with_room(self, load: Load, by: str, source: str, doubtful: t.Doubtful) -> Sifted:
        """Store a load; where memory is short, questions make room for it."""
        for _ in range(ATTEMPTS - 1):
            try:
                return self._commit(load, by, source, doubtful)
            except OutOfMemory:
                self.database.interrupt_questions()
        return self._commit(load, by, source, doubtful)

    def folder(self) -> Path:
        """Where the rows wait."""
        folder = self.database.spool
        try:
            folder.mkdir(mode=0o700, exist_ok=True)
        except OSError as error:
            from claimlog.store.database import translated

            raise translated(error, folder) or error from error
        return folder

    def _stem(self) -> str:
        return f"batch{next(self._stems)}"

    def _commit(self, load: Load, by: str, source: str, doubtful: t.Doubtful) -> Sifted:
        """Store a load; returns what was found of it."""
        digests = sum(1 for entry in load.entries if entry.digest)
        if not digests:
            return Sifted()
        with self.database.transaction() as cursor:
            sifted = self._sift(cursor, load.entries)
            if len(sifted.skip) < digests:
                self._keep_new(cursor, load, sifted, by, source, doubtful)
        return sifted

    def _sift(self, cursor: DuckDBPyConnection, entries: list[Entry]) -> Sifted:
        """Find what is known already."""
        digests = [entry.digest for entry in entries if entry.digest]
        keys = {int.from_bytes(digest[:8], "big") for digest in digests}
        known = find_digests(cursor, keys)
        sifted = Sifted(known)
        if not known and len(keys) == len(digests):
            return sifted
        taken = {int.from_bytes(digest[:8], "big") for digest in known}
        for i, entry in enumerate(entries):
            if not entry.digest:
                continue
            if entry.digest in known:
                sifted.skip.add(i)
                continue
            gid = int.from_bytes(entry.digest[:8], "big")
            if gid in taken:
                gid = sifted.other[i] = int.from_bytes(entry.digest[8:16], "big")
            taken.add(gid)
            known[entry.digest] = Known(-1, gid, 1, False)
        return sifted

    def moment(self, cursor: DuckDBPyConnection) -> datetime:
        """Now, but not before what was stored last: clocks are put back at times."""
        if self._last is None:
            row = cursor.execute("SELECT max(stored_at) FROM records").fetchone()
            self._last = row[0] if row is not None else None
        moment = now()
        if self._last is not None:
            moment = max(moment, self._last)
        self._last = moment
        return moment

    def number(self, cursor: DuckDBPyConnection) -> int:
        """The first free number of a game."""
        if not self._next:
            row = cursor.execute("SELECT coalesce(max(game), 0) + 1 FROM records").fetchone()
            assert row is not None
            self._next = int(row[0])
        return self._next

    def took(self, free: int) -> None:
        """Numbers were given to games; this one is the first that is free now."""
        self._next = free

    def _keep_new(
        self,
        cursor: DuckDBPyConnection,
        load: Load,
        sifted: Sifted,
        by: str,
        source: str,
        doubtful: t.Doubtful,
    ) -> None:
        """Store what is new of a load, as games of its own or revisions of others."""
        moment = self.moment(cursor)
        base = self.number(cursor)
        query, files = load.read_games()
        cursor.execute(f"CREATE OR REPLACE TEMP TABLE batch AS {query}", files)
        _leave_out(cursor, sifted.skip)
        for i, gid in sifted.other.items():
            cursor.execute("UPDATE batch SET gid = ? WHERE i = ?", [gid, i])
        if doubtful != "beside":
            twins = find_twins(cursor, len(load.entries) - len(sifted.skip), self.identities)
            if twins:
                self._weigh(cursor, sifted, twins, base, doubtful)
                cursor.execute(
                    "CREATE OR REPLACE TEMP TABLE held AS SELECT * FROM batch WHERE i IN "
                    "(SELECT unnest(?::INTEGER[]))",
                    [list(sifted.revised)],
                )
                apart = {*sifted.revised, *sifted.doubts}
                _leave_out(cursor, apart)
                sifted.skip |= apart
        self._insert(cursor, load, base, sifted.skip, moment, by, source)
        revisions: dict[int, dict[int, Revised]] = defaultdict(dict)
        for i, revised in sifted.revised.items():
            revisions[revised.revision][i] = revised
        for _, some in sorted(revisions.items()):
            self._revise(cursor, load, "held", some, moment, by, source)
        self.took(base + len(load.entries))

    def _weigh(
        self,
        cursor: DuckDBPyConnection,
        sifted: Sifted,
        twins: Twins,
        base: int,
        doubtful: t.Doubtful,
    ) -> None:
        """Decide what becomes of records that may be versions of other games.

        A record that goes on where the only such game stopped, unfinished, is a revision of
        it, and so is any other if asked for; the rest is in doubt.
        """
        wanted = {*twins, *(-1 - game for here in twins.values() for game in here if game < 0)}
        texts = dict(
            cursor.execute(
                f"SELECT i, {_RECORD} FROM batch WHERE i IN (SELECT unnest(?::INTEGER[]))",
                [list(wanted)],
            ).fetchall()
        )
        unfinished = {
            twin.game for here in twins.values() for twin in here.values()
            if twin.game >= 0 and not twin.finished
        }  # fmt: skip
        stored = dict(
            cursor.execute(
                "SELECT game, record FROM records JOIN games USING (game, revision) "
                "WHERE game IN (SELECT unnest(?::INTEGER[]))",
                [list(unfinished)],
            ).fetchall()
        )
        latest: dict[int, tuple[int, str]] = {}
        """By game: its revision after what came before, and that one's record."""
        for i in sorted(twins):
            here: dict[int, Twin] = {}
            for twin in twins[i].values():
                if twin.game < 0:
                    place = -1 - twin.game
                    if place in sifted.doubts:
                        continue
                    before = sifted.revised.get(place)
                    game = before.game if before else base + place
                    gid = before.gid if before else twin.gid
                    latest.setdefault(game, (1, texts[place]))
                    mine = Twin(game, gid, 1, twin.finished, twin.common)
                else:
                    mine = twin
                here.setdefault(mine.game, mine).common.update(mine.common)
            if not here:
                continue
            game, twin = next(iter(here.items()))
            revision, text = latest.get(game, (twin.revision, stored.get(game, "")))
            on = len(here) == 1 and bool(text) and goes_on(text, texts[i])
            if on or (len(here) == 1 and doubtful == "replace"):
                why = WENT_ON if on else IN_ITS_PLACE
                sifted.revised[i] = Revised(game, twin.gid, revision + 1, why)
                latest[game] = revision + 1, texts[i]
            else:
                sifted.doubts[i] = Doubt(list(here.values()), texts[i])

    def _insert(
        self,
        cursor: DuckDBPyConnection,
        load: Load,
        base: int,
        skip: set[int],
        moment: datetime,
        by: str,
        source: str,
    ) -> None:
        """Insert the games of the table `batch`, and the load's other rows but for `skip`."""
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

    def _revise(
        self,
        cursor: DuckDBPyConnection,
        load: Load,
        table: str,
        revised: dict[int, Revised],
        moment: datetime,
        by: str,
        source: str,
    ) -> None:
        """Put games of a load, in `table`, in the place of others, by their place."""
        cursor.execute(
            "CREATE OR REPLACE TEMP TABLE revised AS SELECT unnest(?::INTEGER[]) AS i, "
            "unnest(?::INTEGER[]) AS game, unnest(?::UBIGINT[]) AS gid, "
            "unnest(?::SMALLINT[]) AS revision, unnest(?::VARCHAR[]) AS why",
            [
                list(revised),
                [it.game for it in revised.values()],
                [it.gid for it in revised.values()],
                [it.revision for it in revised.values()],
                [it.why for it in revised.values()],
            ],
        )
        self._retire(cursor, [it.game for it in revised.values()], moment)
        cursor.execute(
            "INSERT INTO records SELECT revised.game, revised.gid, revised.revision, key, "
            f"unhex(digest), ?, ?, revised.why, ?, false, {_RECORD} "
            f"FROM {table} batch JOIN revised USING (i)",
            [moment, by, source],
        )
        insert_games(
            cursor,
            "revised.game, revised.gid, revised.revision, unhex(digest), ?",
            [moment],
            f"{table} JOIN revised USING (i)",
        )
        insert_names(cursor, f"{table} JOIN revised USING (i)", "revised.game")
        numbers = {i: it.game for i, it in revised.items()}
        for name, columns, part in ROWS:
            query, files = load.read_some_rows(columns, part, numbers)
            cursor.execute(f"INSERT INTO {name} {query}", files)

    # One game ----------------------------------------------------------------------------

    def _one(self, record: bytes | str) -> Load:
        """Encode text that must hold exactly one game; others may write meanwhile."""
        data = record.encode() if isinstance(record, str) else record
        name = str(self.folder() / self._stem())
        maker = self._makers.pop() if self._makers else Maker()
        batch = maker.make(Task(name, 1, "clm", data))
        self._makers.append(maker)
        if batch.error:
            from claimlog.store.batch import _checked

            _checked(batch)
        load = Load([batch])
        if len(load.entries) != 1:
            load.discard()
            raise InvalidRecord(
                f"one game is expected here, not {len(load.entries)}",
                [problem for entry in load.entries[:MOST] for problem in entry.problems][:MOST],
            )
        return load

    def store(self, record: bytes | str, by: str, source: str, doubtful: t.Doubtful) -> Outcome:
        """See `Archive.store`."""
        refuse_null(by=by, source=source)
        self.database.check_writable()
        load = self._one(record)
        try:
            return _outcomes(load, 1, self._with_room(load, by, source, doubtful))[0]
        finally:
            load.discard()

    def correct(
        self,
        id: str,
        record: bytes | str,
        by: str,
        why: str,
        expected: int | None,
        beside: bool,
    ) -> Outcome:
        """See `Archive.correct`."""
        refuse_null(by=by, why=why)
        self.database.check_writable()
        load = self._one(record)
        try:
            return self._correct(id, load, by, why, expected, beside)
        finally:
            load.discard()

    def _correct(
        self, id: str, load: Load, by: str, why: str, expected: int | None, beside: bool
    ) -> Outcome:
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
            if not unchanged:
                doubt = self._replace(cursor, load, head, by, why, beside)
                if doubt is not None:
                    return _in_doubt(entry, 1, doubt)
        return Outcome(
            game=1,
            line=entry.line,
            status="unchanged" if unchanged else "corrected",
            id=write_id(head.gid),
            revision=head.revision if unchanged else head.revision + 1,
            digest=entry.digest.hex(),
            complete=entry.complete,
            result=entry.result,
            problems=entry.problems,
        )

    def correct_games(
        self,
        found: list[tuple[int, int, int, str]],
        changes: Changes,
        by: str,
        why: str,
        dry_run: bool,
        expected: str | None,
        beside: bool,
    ) -> t.Corrections:
        """See `Archive.correct_games`; `found` are number, id, revision and record of the games."""
        self.database.check_writable()
        refuse_null(by=by, why=why)
        mark = changes.mark([(gid, revision) for _, gid, revision, _ in found])
        if expected not in (None, mark):
            raise ArchiveError("the games or the changes are not those of the dry run any more")
        made = [(*one[:3], *changes.made_in(one[3])) for one in found]
        made = [one for one in made if one[4]]
        lines: list[t.Correction] = []
        if made:
            data = "\n".join(one[3] for one in made).encode()
            name = str(self.folder() / self._stem())
            load = Load([Maker().make(Task(name, 1, "clm", data))])
            try:
                lines = self._correct_games(load, made, by, why, dry_run, beside)
            finally:
                load.discard()
        refused = sum(line.status != "corrected" for line in lines)
        return t.Corrections(
            done=not dry_run and not refused,
            games=len(found),
            corrected=len(lines) - refused,
            refused=refused,
            expected=mark,
            lines=lines,
        )

    def _correct_games(
        self,
        load: Load,
        made: list[tuple[int, int, int, str, list[t.TagChange]]],
        by: str,
        why: str,
        dry_run: bool,
        beside: bool,
    ) -> list[t.Correction]:
        """Store the corrected records, unless this is a dry run or something is refused."""
        assert len(load.entries) == len(made)
        lines: list[t.Correction] = []
        with contextlib.suppress(_TakeBackError), self.database.transaction() as cursor:
            numbers = [game for game, *_ in made]
            current = dict(
                cursor.execute(
                    "SELECT game, revision FROM games WHERE game IN (SELECT unnest(?::INTEGER[]))",
                    [numbers],
                ).fetchall()
            )
            if current != {game: revision for game, _, revision, *_ in made}:
                raise ArchiveError("some of the games were changed meanwhile")
            before = pairs_of(cursor, numbers, self.identities)
            query, files = load.read_games()
            cursor.execute(f"CREATE OR REPLACE TEMP TABLE batch AS {query}", files)
            taken = {
                digest: was.gid if was.game >= 0 else 0
                for digest, was in find_digests(
                    cursor,
                    {int.from_bytes(e.digest[:8], "big") for e in load.entries if e.digest},
                ).items()
            }
            revised = {}
            others: dict[int, int] = {}
            for i, (game, gid, revision, _, _) in enumerate(made):
                digest = load.entries[i].digest
                if not digest:
                    continue
                if taken.setdefault(digest, gid) != gid:
                    others[i] = taken[digest]
                else:
                    revised[i] = Revised(game, gid, revision + 1, why)
            if revised:
                self._revise(cursor, load, "batch", revised, self.moment(cursor), by, "")
            after = {} if beside else pairs_of(cursor, numbers, self.identities)
            doubts = {one: gid for (one, two), gid in after.items() if (one, two) not in before}
            for i, (game, gid, revision, _, changes) in enumerate(made):
                entry = load.entries[i]
                status: t.CorrectionStatus = "corrected"
                other = others.get(i, doubts.get(game))
                if not entry.digest:
                    status = "invalid"
                elif other is not None:
                    status = "conflict" if i in others else "doubtful"
                lines.append(
                    t.Correction(
                        id=write_id(gid),
                        revision=revision + 1,
                        changes=changes,
                        status=status,
                        other=None if other is None else write_id(other),
                        problems=[] if entry.digest else entry.problems,
                    )
                )
            if dry_run or any(line.status != "corrected" for line in lines):
                raise _TakeBackError
        return lines

    def _replace(
        self,
        cursor: DuckDBPyConnection,
        load: Load,
        head: Known,
        by: str,
        why: str,
        beside: bool,
    ) -> Doubt | None:
        """Put the one game of a load in the place of game `head`, as a new revision.

        Unless `beside`, nothing is done if that seems to be a version of yet another game,
        of which `head` was none before.
        """
        query, files = load.read_games()
        cursor.execute(f"CREATE OR REPLACE TEMP TABLE batch AS {query}", files)
        if not beside:
            twins = find_twins(cursor, 1, self.identities).get(0, {})
            twins.pop(head.game, None)
            if twins:
                cursor.execute(
                    "CREATE OR REPLACE TEMP TABLE batch AS SELECT 0 AS i, * EXCLUDE (game) "
                    "FROM games WHERE game = ?",
                    [head.game],
                )
                for game in find_twins(cursor, 1, self.identities).get(0, {}):
                    twins.pop(game, None)
                cursor.execute(f"CREATE OR REPLACE TEMP TABLE batch AS {query}", files)
            if twins:
                text = cursor.execute(f"SELECT {_RECORD} FROM batch").fetchone()
                assert text is not None
                return Doubt(list(twins.values()), text[0])
        revised = {0: Revised(head.game, head.gid, head.revision + 1, why)}
        self._revise(cursor, load, "batch", revised, self.moment(cursor), by, "")
        return None

    def _retire(self, cursor: DuckDBPyConnection, games: list[int], moment: datetime) -> None:
        """Take the current rows of games out of the derived tables, keeping a summary."""
        those = f"game = {games[0]}" if len(games) == 1 else "game IN (SELECT unnest(?::INTEGER[]))"
        which = [] if len(games) == 1 else [games]
        cursor.execute(
            "INSERT INTO games_before SELECT game, gid, revision, digest, stored_at, ?, "
            f"{GAME_COLUMNS} FROM games WHERE {those}",
            [moment, *which],
        )
        for table in ("games", "tricks", "factions_won"):
            cursor.execute(f"DELETE FROM {table} WHERE {those}", which)

    def delete(self, id: str, by: str, why: str, expected: int | None) -> Revision:
        """See `Archive.delete`."""
        refuse_null(by=by, why=why)
        with self.database.transaction() as cursor:
            head = find_head(cursor, id)
            if head.deleted:
                raise GameDeleted(f"game {id} has been deleted already")
            _expect(head, expected)
            moment = self.moment(cursor)
            self._retire(cursor, [head.game], moment)
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

    def undelete(self, id: str, by: str, why: str, beside: bool) -> Revision:
        """See `Archive.undelete`."""
        refuse_null(by=by, why=why)
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
                if not load.entries[0].digest:
                    raise InvalidRecord(
                        f"game {id} is not legal any more", load.entries[0].problems
                    )
                with self.database.transaction() as cursor:
                    doubt = self._replace(cursor, load, head, by, why, beside)
                    if doubt is not None:
                        other = write_id(doubt.twins[0].gid)
                        raise Conflict(
                            f"game {other} seems to be the same game; it has the same "
                            f"{' and '.join(in_order(doubt.twins[0].common))}",
                            other,
                        )
            finally:
                load.discard()
            row = cursor.execute(
                "SELECT stored_at FROM records WHERE game = ? ORDER BY revision DESC LIMIT 1",
                [head.game],
            ).fetchone()
            assert row is not None
        return Revision(
            id=write_id(head.gid),
            revision=head.revision + 1,
            at=row[0].replace(tzinfo=UTC),
            by=by,
            why=why,
            digest=load.entries[0].digest.hex(),
        )


def _leave_out(cursor: DuckDBPyConnection, places: set[int]) -> None:
    """Take games out of the table `batch`."""
    if places:
        listed = ", ".join(map(str, sorted(places)))
        cursor.execute(f"DELETE FROM batch WHERE i IN ({listed})")


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
                if batch.name:
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


def insert_games(
    cursor: DuckDBPyConnection, head: str, parameters: list[Any], source: str = "batch"
) -> None:
    """Insert the games of the table `batch`; `head` gives the first five columns."""
    cursor.execute(f"INSERT INTO games SELECT {head}, {GAME_COLUMNS} FROM {source}", parameters)


def names_sql(source: str, order: str) -> str:
    """SQL: the players in `source`, each with the name first seen in this order."""
    seats = " UNION ALL ".join(
        f"SELECT {order} AS place, {seat} AS seat, p{seat} AS player, n{seat} AS name, "
        f"i{seat} AS tag_id FROM {source} WHERE p{seat} IS NOT NULL"
        for seat in schema.SEATS
    )
    return (
        "SELECT player, arg_min(coalesce(name, tag_id), (place, seat)) AS name, "
        f"any_value(tag_id) AS tag_id FROM ({seats}) GROUP BY player"
    )


def events_sql(source: str, order: str) -> str:
    """SQL: the events in `source`, each with the name first seen in this order."""
    return (
        f"SELECT event, arg_min(event_name, {order}) AS name FROM {source} "
        "WHERE event IS NOT NULL GROUP BY event"
    )


def insert_names(cursor: DuckDBPyConnection, source: str = "batch", order: str = "i") -> None:
    """Add the players and events of games that are new, with the names first seen.

    `maintenance` makes all of them from all revisions, by moment, revision and game.
    """
    # Most often there is none, and to ask for that costs less.
    numbers = " UNION ALL ".join(f"SELECT p{seat} AS player FROM {source}" for seat in schema.SEATS)
    new = cursor.execute(
        f"SELECT 1 FROM ({numbers}) ANTI JOIN players USING (player) "
        "WHERE player IS NOT NULL LIMIT 1"
    ).fetchall()
    if new:
        cursor.execute(
            f"INSERT INTO players SELECT * FROM ({names_sql(source, order)}) "
            "ANTI JOIN players USING (player) ORDER BY player"
        )
    new = cursor.execute(
        f"SELECT 1 FROM {source} ANTI JOIN events USING (event) WHERE event IS NOT NULL LIMIT 1"
    ).fetchall()
    if new:
        cursor.execute(
            f"INSERT INTO events SELECT * FROM ({events_sql(source, order)}) "
            "ANTI JOIN events USING (event) ORDER BY event"
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
    """The latest revision of a game, by its id or the beginning of one.

    Raises NotFound, Ambiguous.
    """
    sql = (
        "SELECT game, gid, revision, deleted FROM records WHERE gid = ? "
        "ORDER BY revision DESC LIMIT 1"
    )
    row = cursor.execute(sql, [read_id(id)]).fetchone()
    if row is None:
        row = cursor.execute(sql, [game_meant(cursor, id)]).fetchone()
    assert row is not None
    return Known(*row)


def _expect(head: Known, expected: int | None) -> None:
    if expected is not None and expected != head.revision:
        raise RevisionChanged(
            f"the game's revision is {head.revision}, not {expected}", head.revision
        )


def _outcomes(load: Load, first: int, sifted: Sifted) -> list[Outcome]:
    """What became of the games of a stored load, numbered from `first`."""
    outcomes = []
    for i, entry in enumerate(load.entries):
        status: t.Status
        if not entry.digest:
            outcomes.append(_refused(entry, first + i))
            continue
        if i in sifted.doubts:
            outcomes.append(_in_doubt(entry, first + i, sifted.doubts[i]))
            continue
        if i in sifted.revised:
            revised = sifted.revised[i]
            status, gid, revision = "corrected", revised.gid, revised.revision
        elif i in sifted.skip:
            was = sifted.known[entry.digest]
            status, gid, revision = "deleted" if was.deleted else "known", was.gid, was.revision
        else:
            status, gid, revision = "stored", sifted.gid(i, entry.digest), 1
        outcomes.append(
            Outcome(
                game=first + i,
                line=entry.line,
                status=status,
                id=write_id(gid),
                revision=revision,
                digest=entry.digest.hex(),
                complete=entry.complete,
                result=entry.result,
                problems=entry.problems,
            )
        )
    return outcomes


def _in_doubt(entry: Entry, number: int, doubt: Doubt) -> Outcome:
    twins = sorted(doubt.twins, key=lambda twin: [name not in twin.common for name in IN_COMMON])
    return Outcome(
        game=number,
        line=entry.line,
        status="doubtful",
        id=write_id(twins[0].gid),
        digest=entry.digest.hex(),
        complete=entry.complete,
        result=entry.result,
        problems=entry.problems,
        doubt=t.Doubt(
            in_common=in_order(twins[0].common),
            others=[write_id(twin.gid) for twin in twins[1:]],
            record=doubt.record,
        ),
    )


def _refused(entry: Entry, number: int) -> Outcome:
    return Outcome(
        game=number,
        line=entry.line,
        status="invalid",
        complete=entry.complete,
        result=entry.result,
        problems=entry.problems,
    )
