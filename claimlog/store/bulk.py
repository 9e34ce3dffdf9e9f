"""Storing games by the workers of a cluster: a block of a file is a task.

A task is one transaction in PostgreSQL.  The rows for the lake are in files by then, whose name
stands in the same transaction; `claimlog.store.indexer` lets them be part of the lake in place of
the records.  A task that is done again finds its block stored.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections import Counter, deque
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from claimlog.notation.reader import parts
from claimlog.store import schema
from claimlog.store import types as t
from claimlog.store.batch import Task
from claimlog.store.cluster import BLOCK_TABLES, Cluster, for_lake, quoted
from claimlog.store.cluster_intake import ClusterIntake
from claimlog.store.errors import Overtaken, refuse_null
from claimlog.store.hiding import shown
from claimlog.store.identities import Identities
from claimlog.store.indexer import put_games, put_places, put_rows
from claimlog.store.storing import ATTEMPTS, Load, Piece

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime
    from typing import BinaryIO

    from claimlog.notation.reader import Part
    from claimlog.spread import Spread
    from claimlog.store.postgres import Cursor

SIZE: Final = 8 << 20
"""Bytes of a file that are a task: some 8,000 games."""


PLAIN: Final[tuple[t.Status, ...]] = ("stored", "known")
"""What is told of most games, and needs no more words."""


class Address(str):
    """The address of a database; workers write their tasks into their logs, this one without it."""

    __slots__ = ()

    def __repr__(self) -> str:
        """What may be shown."""
        return repr(shown(self))


class Job(NamedTuple):
    """A task for a worker; `job` is the import that it belongs to.

    `everything`: tell of every game, also where a block is known.
    """

    address: Address
    job: str
    part: Part
    by: str
    source: str
    doubtful: t.Doubtful
    language: str
    everything: bool


class Done(NamedTuple):
    """What became of a block: how many games and lines it has, and what is to be told of it.

    `counts` are games of which nothing else is told, by status and whether they are complete.
    """

    games: int
    lines: int
    counts: Counter[tuple[t.Status, bool]]
    outcomes: list[t.Outcome]


class Rows:
    """The rows of a block's new games, on their way to files."""

    def __init__(self, cluster: Cluster, load: Load, key: str, job: str) -> None:
        self.cluster = cluster
        self.load = load
        self.key = key
        self.job = job
        self.numbers: dict[int, int] = {}
        self.name: str | None = None
        """The name of the files, once they are written."""
        self._files = ""
        self._root = cluster.bench()
        self._root.execute("SET threads = 1")
        for table in BLOCK_TABLES:
            self._root.execute(for_lake(schema.DERIVED[table]))

    def begin(self, numbers: dict[int, int]) -> None:
        """Write the rows of tricks and factions, for games that will have these numbers."""
        self.numbers = numbers
        if numbers:
            # Two workers may do the same task: each writes files of its own.
            self._files = f"{self.key}-{min(numbers.values())}"
            path, _ = self.load.files[0]
            put_places(
                self._root,
                [(place, game, 0, 1, None, None, None) for place, game in numbers.items()],
            )
            put_rows(self._root, [f"{path}.{part}" for part in ("tricks", "factions")])
            if not self.cluster.lake.startswith("s3://"):
                Path(self._path("games")).parent.mkdir(mode=0o700, exist_ok=True)
            self._write("tricks", "factions_won")

    def end(self, kept: list[tuple[int, int, int, bytes]], moment: datetime) -> None:
        """Write the rows of the games that are stored: (place, number, id, digest)."""
        if len(kept) < len(self.numbers):
            stored = [[game for _, game, _, _ in kept]]
            for table in ("tricks", "factions_won"):
                self._root.execute(
                    f"DELETE FROM {table} WHERE game NOT IN (SELECT unnest(?::BIGINT[]))", stored
                )
            self._write("tricks", "factions_won")
        put_places(
            self._root,
            [(place, game, gid, 1, sha, moment, None) for place, game, gid, sha in kept],
        )
        path, _ = self.load.files[0]
        put_games(self._root, f"{path}.games")
        self._write("games")
        self.name = self._files

    def _path(self, table: str) -> str:
        return self.cluster.block_file(self._files, table)

    def _write(self, *tables: str) -> None:
        for table in tables:
            self._root.execute(
                f"COPY {table} TO {quoted(self._path(table))} (FORMAT parquet, COMPRESSION zstd)"
            )

    def note(self, cursor: Cursor, told: list[t.Outcome]) -> None:
        """Write down that the block was stored, in the same transaction."""
        stored = [one.complete for one in told if one.status == "stored"]
        whole = all(one.status in PLAIN for one in told)
        cursor.execute(
            "INSERT INTO batches (key, job, name, games, stored, unfinished, whole) "
            "VALUES (?, ?, ?, ?, ?, ?, ?)",
            [self.key, self.job, self.name, len(told), len(stored), stored.count(False), whole],
        )

    def __enter__(self) -> Rows:
        return self

    def __exit__(self, *_: object) -> None:
        """Close what wrote them; nobody reads files that have no name."""
        self._root.close()
        if self._files and self.name is None and not self.cluster.lake.startswith("s3://"):
            for table in BLOCK_TABLES:
                Path(self._path(table)).unlink(missing_ok=True)


# What a worker does ----------------------------------------------------------------------------

_intakes: dict[str, ClusterIntake] = {}


def close_all() -> None:
    """Close what this worker has open."""
    while _intakes:
        _intakes.popitem()[1].cluster.close()


def _intake(address: str) -> ClusterIntake:
    """What stores in an archive; it stays open for the next task."""
    if address not in _intakes:
        cluster = Cluster(
            address, None, read_only=False, create=False, memory_limit="1GB", threads=1
        )
        _intakes[address] = ClusterIntake(cluster, Identities(cluster))
    return _intakes[address]


def store_part(job: Job) -> Done:
    """Store a part of a file, unless that is done already."""
    text = job.part.read()
    lines = text.count(b"\n")
    key = hashlib.sha256(text).hexdigest()[:32]
    intake = _intake(job.address)
    if not job.everything and (counts := _known(intake.cluster, key, job.job)):
        return Done(counts.total(), lines, counts, [])
    with intake.maker() as maker:
        name = str(intake.folder() / f"block-{os.urandom(6).hex()}")
        batch = maker.make(Task(name, 1, "clm", text, job.language, list(intake.needs_values)))
        load = Load([Piece.whole(batch)])
    try:
        told = _store(intake, load, key, job)
    finally:
        load.discard()
    if job.everything:
        return Done(len(told), lines, Counter(), told)
    plain: Counter[tuple[t.Status, bool]] = Counter(
        (one.status, one.complete) for one in told if one.status in PLAIN
    )
    return Done(len(told), lines, plain, [one for one in told if one.status not in PLAIN])


def _known(cluster: Cluster, key: str, job: str) -> Counter[tuple[t.Status, bool]]:
    """What became of the games of a block all of which are stored; nothing of any other.

    Games deleted since then are to be told of.
    """
    rows = cluster.told(
        "SELECT job, games, stored, unfinished FROM batches WHERE key = ? AND whole AND NOT EXISTS "
        "(SELECT FROM records WHERE deleted AND records.mark > batches.mark) "
        "ORDER BY job = ? DESC, mark LIMIT 1",
        [key, job],
    )
    counts: Counter[tuple[t.Status, bool]] = Counter()
    for whose, games, stored, unfinished in rows:
        if whose != job:
            stored = unfinished = 0
        counts["known", True] = games - stored
        counts["stored", True] = stored - unfinished
        counts["stored", False] = unfinished
    return +counts


def _store(intake: ClusterIntake, load: Load, key: str, job: Job) -> list[t.Outcome]:
    """Store a block; again, if somebody else was faster."""
    for _ in range(ATTEMPTS - 1):
        with contextlib.suppress(Overtaken), Rows(intake.cluster, load, key, job.job) as rows:
            return intake.store_block(load, rows, job.by, job.source, job.doubtful)
    with Rows(intake.cluster, load, key, job.job) as rows:
        return intake.store_block(load, rows, job.by, job.source, job.doubtful)


# What gives the tasks out ----------------------------------------------------------------------


def import_far(
    stream: BinaryIO,
    spread: Spread,
    address: str,
    *,
    job: str,
    by: str,
    source: str,
    doubtful: t.Doubtful,
    language: str,
    everything: bool,
    progress: Callable[[int], None],
) -> Iterator[Done]:
    """Have what `open_games` opened stored by the workers of a cluster.

    Yields what became of each block, in order; games and lines are counted in the stream.
    """
    refuse_null(by=by, source=source)
    sizes: deque[int] = deque()

    def tasks() -> Iterator[Job]:
        for part in parts(stream, SIZE):
            sizes.append(part.size)
            yield Job(Address(address), job, part, by, source, doubtful, language, everything)

    games = lines = 0
    for done in spread.map(store_part, tasks()):
        yield done._replace(outcomes=[_moved(one, games, lines) for one in done.outcomes])
        games += done.games
        lines += done.lines
        progress(sizes.popleft())


def _moved(outcome: t.Outcome, games: int, lines: int) -> t.Outcome:
    """An outcome of a block, so many games and lines further down."""
    return msgspec.structs.replace(
        outcome,
        game=outcome.game + games,
        line=outcome.line + lines,
        problems=[replace(one, line=one.line + lines) for one in outcome.problems],
    )
