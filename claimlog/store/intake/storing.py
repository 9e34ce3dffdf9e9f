"""Storing, common to all backends: loads of games, known and doubtful records.

What is acknowledged is committed.  A record whose digest is known is not stored again; the answer
is the game that has it.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import time
from abc import ABC, abstractmethod
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from claimlog.replay.explain import MOST
from claimlog.store.backend import Known, translated
from claimlog.store.intake.batch import PARTS, Batch, Entry, Input, Maker, Task, batches
from claimlog.store.intake.duplicates import IN_COMMON, Duplicate, Duplicates, goes_on, in_order
from claimlog.store.intake.staging import GAMES
from claimlog.store.model import types as t
from claimlog.store.model.errors import (
    Conflict,
    Declined,
    InvalidRecord,
    OutOfMemory,
    RevisionChanged,
    refuse_null,
)
from claimlog.store.model.ids import write_id
from claimlog.store.model.types import Outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from concurrent.futures import Executor, Future
    from datetime import datetime

    from claimlog.store.backend import Backend, LedgerCursor
    from claimlog.store.intake.corrections import Changes
    from claimlog.store.ledger.identities import Identities

T = TypeVar("T")

READ_ROWS: Final = "read_parquet(?)"
"""SQL that reads rows from the encoder's files."""
READ_GAMES: Final = f"(SELECT {GAMES.sql(GAMES.names)} FROM {READ_ROWS})"
"""SQL that reads the games of one file."""

WENT_ON: Final = "the game went on"
IN_ITS_PLACE: Final = "handed in again, to replace what was stored"


@dataclass(slots=True)
class Doubt:
    """A record that was not stored: the games of which it may be a version, and its text."""

    duplicates: list[Duplicate]
    record: str


@dataclass(slots=True)
class Revised:
    """A record that becomes a revision of a game: number, id, revision and reason."""

    game: int
    gid: int
    revision: int
    why: str


@dataclass(slots=True)
class Sifted:
    """The games of a load sorted out, by place: known, doubtful, or revisions of other games.

    `skip` are the places of records not stored as games of their own, `other` the ids of records
    whose own id is taken (two digests that share 64 bits).
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
"""A batch with fewer games is acknowledged before the next is waited for."""


class Pace(NamedTuple):
    """The pace of an import: `many` games are stored in one transaction.

    Up to `ahead` loads are being stored, or wait for it, while the next is collected; after
    `patience` seconds games are stored even if there might be more.
    """

    many: int
    ahead: int
    patience: float


BESIDE_OTHERS: Final = Pace(25_000, 2, 1.0)
"""Others may want to write too; they wait a second at most."""

ALONE: Final = Pace(122_880, 1, 30.0)
"""The pace if nobody else writes.

Rows that fill one of DuckDB's row groups go straight into the file, compressed; fewer rows are
first written to the log and once more later.
"""

PER_REPORT: Final = 4096
"""The number of games whose outcomes are reported at once."""

ATTEMPTS: Final = 5
"""How many times storing is tried if questions take the memory it needs."""


class Piece(NamedTuple):
    """The games of a batch from `first` up to, but not including, `last`."""

    batch: Batch
    first: int
    last: int

    @classmethod
    def whole(cls, batch: Batch) -> Piece:
        """A whole batch as one piece."""
        return cls(batch, 0, len(batch.entries))

    @property
    def entries(self) -> list[Entry]:
        """The entries of the games."""
        return self.batch.entries[self.first : self.last]

    @property
    def ends(self) -> bool:
        """Whether this is the last piece of its batch."""
        return self.last == len(self.batch.entries)


class Load:
    """Pieces of batches stored in one transaction; their games are numbered consecutively."""

    def __init__(self, pieces: list[Piece]) -> None:
        self.pieces = pieces
        self.entries = [entry for piece in pieces for entry in piece.entries]
        self.files: list[tuple[str, int]] = []
        """The name of each batch, and what to add to a place in it to get the place in the load."""
        games = 0
        for piece in pieces:
            self.files.append((piece.batch.name, games - piece.first))
            games += piece.last - piece.first

    @property
    def values(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """The rows of the games as Python values, by place."""
        for piece, (_, before) in zip(self.pieces, self.files, strict=True):
            for row in piece.batch.values:
                if piece.first <= row["i"] < piece.last:
                    yield before + row["i"], row

    def discard(self) -> None:
        """Delete the files of rows, except those whose rest is in another load."""
        for piece in self.pieces:
            if piece.ends:
                for part in PARTS:
                    with contextlib.suppress(OSError):
                        Path(f"{piece.batch.name}.{part}").unlink()

    def _place(self, of: str) -> str:
        """SQL: the place of a game in the load, computed from `of`, its place in the batch."""
        # One reader for all files, as DuckDB reads the files of one reader in parallel.
        return f"{[before for _, before in self.files]}[file_index::INTEGER + 1] + {of}"

    def _within(self, place: str) -> str:
        """SQL, beginning with WHERE, that excludes the rows of games in other loads."""
        cut = any(piece.first or not piece.ends for piece in self.pieces)
        return f" WHERE {place} BETWEEN 0 AND {len(self.entries) - 1}" if cut else ""

    def _paths(self, part: str) -> list[Any]:
        """The parameters of a query that reads one part of all batches."""
        return [[f"{name}.{part}" for name, _ in self.files]]

    def read_games(self, columns: Sequence[str] | None = None) -> tuple[str, list[Any]]:
        """SQL that reads the rows of the games, with place and id, and its parameters.

        Reads all columns, or only these.
        """
        listed = GAMES.sql(columns or GAMES.names[1:])
        place = self._place("i")
        query = f"SELECT {place} AS i, {listed}, key AS gid FROM {READ_ROWS}"
        return query + self._within(place), self._paths("games")

    def read_rows(self, columns: str, part: str, first: str, some: bool) -> tuple[str, list[Any]]:
        """SQL that reads the rows of a part, and its parameters.

        `first` is SQL that turns a place into the first column.  With `some`, only the games in the
        table `batch` are read.
        """
        place = self._place("i" if part == "games" else "game")
        where = f" WHERE {place} IN (SELECT i FROM batch)" if some else self._within(place)
        query = f"SELECT {first.format(place=place)}, {columns} FROM {READ_ROWS}{where}"
        return query, self._paths(part)

    def read_some_rows(
        self, columns: str, part: str, numbers: dict[int, int]
    ) -> tuple[str, list[Any]]:
        """SQL that reads rows of some games, by place, and gives them other numbers."""
        listed = ", ".join(f"({place}, {game})" for place, game in numbers.items())
        query = (
            f"SELECT chosen.number, {columns} FROM {READ_ROWS} "
            f"JOIN (VALUES {listed}) chosen (place, number) "
            f"ON chosen.place = {self._place('game')}"
        )
        return query, self._paths(part)


class TakeBackError(Exception):
    """Raised to roll back what was written in a transaction."""


class Storing(ABC):
    """The writing side of an archive, without the backend's way of writing."""

    alone = ALONE
    """The pace of an import when nobody else writes."""
    needs_values: Sequence[str] = ()
    """The columns of games that are also needed as Python values (`Batch.values`)."""

    def __init__(self, backend: Backend, identities: Identities) -> None:
        self.backend = backend
        self.identities = identities
        self._makers: list[Maker] = []
        self._stems = itertools.count()

    @abstractmethod
    def _commit(self, load: Load, by: str, source: str, doubtful: t.Doubtful) -> Sifted:
        """Store a load; return the result of sifting it."""

    @abstractmethod
    def _correct(
        self, id: str, load: Load, by: str, why: str, expected: int | None, beside: bool
    ) -> Outcome:
        """Replace another game with the one game of a load."""

    @abstractmethod
    def _correct_games(
        self,
        load: Load,
        changes: list[tuple[int, int, int, str, list[t.TagChange]]],
        by: str,
        why: str,
        dry_run: bool,
        beside: bool,
    ) -> list[t.Correction]:
        """Store the corrected records, unless this is a dry run or something is refused."""

    @abstractmethod
    def delete(self, id: str, by: str, why: str, expected: int | None) -> t.Revision:
        """See `Archive.delete`."""

    @abstractmethod
    def undelete(self, id: str, by: str, why: str, beside: bool) -> t.Revision:
        """See `Archive.undelete`."""

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
        alone: bool,
    ) -> Iterator[list[Outcome]]:
        """See `Archive.import_games`."""
        refuse_null(by=by, source=source)
        self.backend.check_writable()
        number = 1
        pace = self.alone if alone else BESIDE_OTHERS
        folder, stem = self.folder(), self._stem()
        workers = (os.cpu_count() or 1) if workers is None else workers
        read_batches = batches(read, form, folder, stem, workers, language, self.needs_values)
        try:
            with contextlib.closing(read_batches), self._hand() as hand:  # type: ignore[type-var]
                for load, sifted in self._stored(read_batches, pace, hand, by, source, doubtful):
                    for begin in range(0, len(load.entries), PER_REPORT):
                        yield outcomes(load, number, sifted, begin, begin + PER_REPORT)
                    number += len(load.entries)
        finally:
            # Files that workers made of blocks nobody asks for any more.
            for left in folder.glob(f"{stem}-*"):
                left.unlink(missing_ok=True)

    def _stored(
        self,
        batches: Iterator[Batch],
        pace: Pace,
        hand: Executor,
        by: str,
        source: str,
        doubtful: t.Doubtful,
    ) -> Iterator[tuple[Load, Sifted]]:
        """Store batches; yield each load once it is on disk, while the next ones are stored."""
        loads = _loads(batches, pace)
        waiting: deque[tuple[Load, Future[Sifted]]] = deque()
        try:
            while True:
                failed: Exception | None = None
                try:
                    load = next(loads, None)
                except Exception as error:
                    failed, load = error, None  # what came before the error is still stored
                ahead = 0
                if load is not None:
                    waiting.append((load, hand.submit(self._keep, load, by, source, doubtful)))
                    # Whoever sends little at a time waits for the answer.
                    ahead = pace.ahead if len(load.entries) >= SMALL else 0
                while waiting and (waiting[0][1].done() or len(waiting) > ahead):
                    done, future = waiting.popleft()
                    yield done, future.result()
                if failed is not None:
                    raise failed
                if load is None:
                    return
        finally:
            for _, future in waiting:
                future.cancel()

    @contextlib.contextmanager
    def _hand(self) -> Iterator[Executor]:
        """A thread that stores loads one after another."""
        with ThreadPoolExecutor(1, "import") as hand:
            try:
                yield hand
            finally:
                hand.submit(self.backend.release)

    def _keep(self, load: Load, by: str, source: str, doubtful: t.Doubtful) -> Sifted:
        """Store a load and delete its files."""
        try:
            return self.with_room(lambda: self._commit(load, by, source, doubtful))
        finally:
            load.discard()

    def with_room(self, act: Callable[[], T]) -> T:
        """Call a function that stores something; if memory is short, interrupt questions, retry."""
        for _ in range(ATTEMPTS - 1):
            try:
                return act()
            except OutOfMemory:
                self.backend.interrupt_questions()
        return act()

    @contextlib.contextmanager
    def maker(self) -> Iterator[Maker]:
        """A maker that nobody else uses meanwhile."""
        maker = self._makers.pop() if self._makers else Maker()
        try:
            yield maker
        finally:
            self._makers.append(maker)

    def folder(self) -> Path:
        """The folder for rows that are about to be stored."""
        folder = self.backend.spool
        try:
            folder.mkdir(mode=0o700, exist_ok=True)
        except OSError as error:
            raise translated(error, folder) or error from error
        return folder

    def _stem(self) -> str:
        return f"batch{next(self._stems)}"

    def _known(self, cursor: LedgerCursor, digests: list[bytes]) -> dict[bytes, Known]:
        """Those of these digests that are stored."""
        return self.backend.find_digests(cursor, digests)

    def _sift(self, cursor: LedgerCursor, entries: list[Entry]) -> Sifted:
        """Find the records that are known already."""
        digests = [entry.digest for entry in entries if entry.digest]
        known = self._known(cursor, digests)
        sifted = Sifted(known)
        if not known and len({digest[:8] for digest in digests}) == len(digests):
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

    def _weigh(
        self,
        sifted: Sifted,
        duplicates: Duplicates,
        doubtful: t.Doubtful,
        number: Callable[[int], int],
        texts: dict[int, str],
        stored: dict[int, str],
    ) -> None:
        """Decide what happens to records that may be versions of other games.

        A record that continues the only such game, where that stopped unfinished, becomes a
        revision of it, and so does any other record if requested; the rest is doubtful.  `number`
        returns the number of a new game by its place, `texts` are the `wanted` records by place,
        `stored` those of unfinished games by number.
        """
        latest: dict[int, tuple[int, str]] = {}
        """By game: its latest revision so far, and the record of that."""
        for i in sorted(duplicates):
            here: dict[int, Duplicate] = {}
            for duplicate in duplicates[i].values():
                if duplicate.game < 0:
                    place = -1 - duplicate.game
                    if place in sifted.doubts:
                        continue
                    before = sifted.revised.get(place)
                    game = before.game if before else number(place)
                    gid = before.gid if before else duplicate.gid
                    latest.setdefault(game, (1, texts[place]))
                    mine = Duplicate(game, gid, 1, duplicate.finished, duplicate.common)
                else:
                    mine = duplicate
                here.setdefault(mine.game, mine).common.update(mine.common)
            if not here:
                continue
            game, duplicate = next(iter(here.items()))
            revision, text = latest.get(game, (duplicate.revision, stored.get(game, "")))
            on = len(here) == 1 and bool(text) and goes_on(text, texts[i])
            if on or (len(here) == 1 and doubtful == "replace"):
                why = WENT_ON if on else IN_ITS_PLACE
                sifted.revised[i] = Revised(game, duplicate.gid, revision + 1, why)
                latest[game] = revision + 1, texts[i]
            else:
                sifted.doubts[i] = Doubt(list(here.values()), texts[i])

    # One game ----------------------------------------------------------------------------

    def _one(self, record: bytes | str) -> Load:
        """Encode text that must hold exactly one game; others may write meanwhile."""
        data = record.encode() if isinstance(record, str) else record
        name = str(self.folder() / self._stem())
        with self.maker() as maker:
            batch = maker.make(Task(name, 1, "clm", data, values=list(self.needs_values)))
        if batch.error:
            from claimlog.store.intake.batch import _checked

            _checked(batch)
        load = Load([Piece.whole(batch)])
        if len(load.entries) != 1:
            load.discard()
            raise InvalidRecord(
                "game.one-expected",
                number=len(load.entries),
                problems=[problem for entry in load.entries[:MOST] for problem in entry.problems][
                    :MOST
                ],
            )
        return load

    def store(self, record: bytes | str, by: str, source: str, doubtful: t.Doubtful) -> Outcome:
        """See `Archive.store`."""
        refuse_null(by=by, source=source)
        self.backend.check_writable()
        load = self._one(record)
        try:
            sifted = self.with_room(lambda: self._commit(load, by, source, doubtful))
            return outcomes(load, 1, sifted)[0]
        finally:
            load.discard()

    def store_together(self, handed: Sequence[t.Handed]) -> list[Outcome | Exception | None]:
        """See `Archive.store_together`."""
        return [None] * len(handed)

    @abstractmethod
    def prepare(self) -> None:
        """See `Archive.prepare_to_store`."""

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
        self.backend.check_writable()
        load = self._one(record)
        try:
            return self._correct(id, load, by, why, expected, beside)
        finally:
            load.discard()

    def correct_games(
        self,
        records: list[tuple[int, int, int, str]],
        changes: Changes,
        by: str,
        why: str,
        dry_run: bool,
        expected: str | None,
        beside: bool,
    ) -> t.Corrections:
        """See `Archive.correct_games`; `records` are number, id, revision and record of games."""
        self.backend.check_writable()
        refuse_null(by=by, why=why)
        mark = changes.mark([(gid, revision) for _, gid, revision, _ in records])
        if expected not in (None, mark):
            raise Declined("correction.other-than-planned")
        made = [(*one[:3], *changes.made_in(one[3])) for one in records]
        made = [one for one in made if one[4]]
        lines: list[t.Correction] = []
        if made:
            data = "\n".join(one[3] for one in made).encode()
            name = str(self.folder() / self._stem())
            batch = Maker().make(Task(name, 1, "clm", data, values=list(self.needs_values)))
            load = Load([Piece.whole(batch)])
            try:
                lines = self._correct_games(load, made, by, why, dry_run, beside)
            finally:
                load.discard()
        refused = sum(line.status != "corrected" for line in lines)
        return t.Corrections(
            done=not dry_run and not refused,
            games=len(records),
            corrected=len(lines) - refused,
            refused=refused,
            expected=mark,
            lines=lines,
        )


def _loads(batches: Iterator[Batch], pace: Pace) -> Iterator[Load]:
    """Collect batches as they arrive, into loads of as many games as are worth waiting for.

    Each full load has an exact number of legal games, so that its rows fill DuckDB's row groups.
    """
    group: list[Piece] = []
    legal = 0
    many = max(1, pace.many // 16)  # small loads at first, so that storing starts early
    since = 0.0
    failed: Exception | None = None
    try:
        for batch in batches:
            since = since if group else time.monotonic()
            if batch.name:
                group.append(Piece.whole(batch))
            legal += _legal(batch.entries)
            while legal >= many:
                full, group = _divided(group, many)
                yield Load(full)
                legal -= many
                many = min(2 * many, pace.many)
                since = time.monotonic()
            if len(batch.entries) < SMALL or time.monotonic() - since > pace.patience:
                full, group, legal = group, [], 0
                yield Load(full)
    except Exception as error:
        failed = error  # what came before the error is still stored
    if group:
        yield Load(group)
    if failed is not None:
        raise failed


def _legal(entries: list[Entry]) -> int:
    """The number of legal games."""
    return sum(1 for entry in entries if entry.digest)


def _divided(pieces: list[Piece], many: int) -> tuple[list[Piece], list[Piece]]:
    """Split pieces into those with `many` legal games, and the rest."""
    for at, piece in enumerate(pieces):
        legal = _legal(piece.entries)
        if legal > many:
            end = piece.first
            while many:
                many -= bool(piece.batch.entries[end].digest)
                end += 1
            before, after = piece._replace(last=end), piece._replace(first=end)
            return [*pieces[:at], before], [after, *pieces[at + 1 :]]
        many -= legal
    return pieces, []


def wanted(duplicates: Duplicates) -> set[int]:
    """The places of records whose text is needed to weigh duplicates."""
    return {*duplicates, *(-1 - game for here in duplicates.values() for game in here if game < 0)}


def unfinished(duplicates: Duplicates) -> set[int]:
    """The stored games among duplicates that may be continued."""
    return {
        duplicate.game
        for here in duplicates.values()
        for duplicate in here.values()
        if duplicate.game >= 0 and not duplicate.finished
    }


def expect(head: Known, expected: int | None) -> None:
    """Raise RevisionChanged if the current revision is not the expected one, if any."""
    if expected is not None and expected != head.revision:
        raise RevisionChanged("game.other-revision", revision=head.revision, expected=expected)


def outcomes(
    load: Load, first: int, sifted: Sifted, begin: int = 0, end: int | None = None
) -> list[Outcome]:
    """The outcomes of the games at these places of a stored load, numbered from `first`."""
    outcomes = []
    for i, entry in enumerate(load.entries[begin:end], begin):
        status: t.Status
        if not entry.digest:
            outcomes.append(refused(entry, first + i))
            continue
        if i in sifted.doubts:
            outcomes.append(in_doubt(entry, first + i, sifted.doubts[i]))
            continue
        if i in sifted.revised:
            revised = sifted.revised[i]
            status, gid, revision = "corrected", revised.gid, revised.revision
        elif i in sifted.skip:
            was = sifted.known[entry.digest]
            status, gid, revision = "deleted" if was.deleted else "known", was.gid, was.revision
        else:
            status, gid, revision = "stored", sifted.gid(i, entry.digest), 1
        outcomes.append(kept(entry, first + i, status, gid, revision))
    return outcomes


def kept(entry: Entry, number: int, status: t.Status, gid: int, revision: int) -> Outcome:
    """The outcome of a record that is a revision of a game."""
    return Outcome(
        game=number,
        line=entry.line,
        status=status,
        id=write_id(gid),
        revision=revision,
        digest=entry.digest.hex(),
        complete=entry.complete,
        result=entry.result,
        problems=list(entry.problems),
    )


def in_doubt(entry: Entry, number: int, doubt: Doubt) -> Outcome:
    """The outcome of a doubtful record."""
    duplicates = sorted(
        doubt.duplicates,
        key=lambda duplicate: ([name not in duplicate.common for name in IN_COMMON], duplicate.gid),
    )
    return Outcome(
        game=number,
        line=entry.line,
        status="doubtful",
        id=write_id(duplicates[0].gid),
        digest=entry.digest.hex(),
        complete=entry.complete,
        result=entry.result,
        problems=list(entry.problems),
        doubt=t.Doubt(
            in_common=in_order(duplicates[0].common),
            others=[write_id(duplicate.gid) for duplicate in duplicates[1:]],
            record=doubt.record,
        ),
    )


def refused(entry: Entry, number: int) -> Outcome:
    """The outcome of a record that is not a legal game."""
    return Outcome(
        game=number,
        line=entry.line,
        status="invalid",
        complete=entry.complete,
        result=entry.result,
        problems=list(entry.problems),
    )


def follows(head: Known, digest: bytes, moment: datetime, by: str, why: str) -> t.Revision:
    """The revision after `head`; without a digest it is the trace of a deletion."""
    return t.Revision(
        id=write_id(head.gid),
        revision=head.revision + 1,
        at=moment.replace(tzinfo=UTC),
        by=by,
        why=why,
        digest=digest.hex() or None,
        deleted=not digest,
    )


def check_legal(id: str, entry: Entry) -> None:
    """Raise InvalidRecord for a deleted game whose record is no longer legal."""
    if not entry.digest:
        raise InvalidRecord("game.not-legal", id=id, problems=list(entry.problems))


def check_no_duplicate(doubt: Doubt | None) -> None:
    """Raise Conflict for a deleted game that seems to be the same as a stored one."""
    if doubt is not None:
        duplicate = doubt.duplicates[0]
        other = write_id(duplicate.gid)
        raise Conflict("game.same", id=other, common=in_order(duplicate.common))


def corrected(entry: Entry, head: Known, unchanged: bool) -> Outcome:
    """The outcome of a record that replaced `head`, unless it is the same record."""
    if unchanged:
        return kept(entry, 1, "unchanged", head.gid, head.revision)
    return kept(entry, 1, "corrected", head.gid, head.revision + 1)


def corrections(
    load: Load,
    made: list[tuple[int, int, int, str, list[t.TagChange]]],
    others: dict[int, int],
    doubts: dict[int, int],
) -> list[t.Correction]:
    """The results of correcting many records at once.

    `others` are the ids of games that have the same record, by place; `doubts` the ids of games
    that a corrected game now seems to be, by its number.
    """
    lines = []
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
                problems=[] if entry.digest else list(entry.problems),
            )
        )
    return lines
