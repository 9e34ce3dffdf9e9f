"""Store games with the workers of a Dask cluster: a task is a block of a file, or several files.

A task is one transaction in PostgreSQL.  By then the rows for the lake are in files, whose name is
recorded in the same transaction; `postgres.indexer` adds these files to the lake instead of reading
the records.  A repeated task finds its block stored.
"""

from __future__ import annotations

import contextlib
import os
from collections import Counter, deque
from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from claimlog.notation.reader import Part, at_offsets, open_games, parts
from claimlog.store.intake.batch import Task
from claimlog.store.intake.storing import ATTEMPTS, Load, Piece
from claimlog.store.ledger.identities import Identities
from claimlog.store.model import types as t
from claimlog.store.model.errors import Overtaken, refuse_null
from claimlog.store.model.hiding import shown
from claimlog.store.postgres.backend import PostgresBackend
from claimlog.store.postgres.block_rows import PLAIN, BlockRows, divided, key_of
from claimlog.store.postgres.intake import PostgresIntake, Source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from claimlog.spread import Spread

SIZE: Final = 8 << 20
"""The size of a task in bytes of a file: about 8,000 games."""


class Address(str):
    """The address of a database, whose repr has no password, as workers log their tasks."""

    __slots__ = ()

    def __repr__(self) -> str:
        """The part of the address that may be shown."""
        return repr(shown(self))


class Job(NamedTuple):
    """A task for a worker; `job` is the import that it belongs to.

    `parts` are one part of a big file, or several small files; `sources` are their origins.
    `everything`: report every game, even if a block is known.
    """

    address: Address
    job: str
    parts: tuple[Part, ...]
    sources: tuple[str, ...]
    by: str
    doubtful: t.Doubtful
    language: str
    everything: bool


class Done(NamedTuple):
    """The result of a part: the number of its games, lines and bytes, and what to report.

    `counts` are games with nothing else to report, by status and whether they are finished:
    unfinished games have no result.
    """

    games: int
    lines: int
    size: int
    counts: Counter[tuple[t.Status, bool]]
    outcomes: list[t.Outcome]


# What a worker does ----------------------------------------------------------------------------

_intakes: dict[str, PostgresIntake] = {}


def close_all() -> None:
    """Close everything that this worker has open."""
    while _intakes:
        _intakes.popitem()[1].backend.close()


def _intake(address: str) -> PostgresIntake:
    """The intake of an archive; it stays open for the next task."""
    if address not in _intakes:
        backend = PostgresBackend(
            address, None, read_only=False, create=False, memory_limit="1GB", threads=1
        )
        _intakes[address] = PostgresIntake(backend, Identities(backend))
    return _intakes[address]


def store_parts(job: Job) -> list[Done | OSError]:
    """Store the parts of a task, except those already done; a part may be unreadable."""
    intake = _intake(job.address)
    done: list[Done | OSError | None] = [None] * len(job.parts)
    texts: dict[int, bytes] = {}
    keys: list[str] = []
    for place, part in enumerate(job.parts):
        try:
            text = part.read()
        except OSError as error:
            done[place] = error
            continue
        key = key_of(text)
        if not job.everything and (counts := _known(intake.backend, key, job.job)):
            done[place] = Done(counts.total(), text.count(b"\n"), len(text), counts, [])
        else:
            texts[place] = text
            keys.append(key)
    if texts:
        for (place, text), outcomes in zip(
            texts.items(), _stored(intake, job, texts, keys), strict=True
        ):
            plain: Counter[tuple[t.Status, bool]] = Counter()
            if not job.everything:
                plain.update(
                    (one.status, one.result != "*") for one in outcomes if one.status in PLAIN
                )
            others = [one for one in outcomes if job.everything or one.status not in PLAIN]
            done[place] = Done(len(outcomes), text.count(b"\n"), len(text), plain, others)
    return [one for one in done if one is not None]


def _stored(
    intake: PostgresIntake, job: Job, texts: dict[int, bytes], keys: list[str]
) -> list[list[t.Outcome]]:
    """Store texts, by their places in the task, as one block; return the outcomes of each."""
    first, *more = texts.values()
    with intake.maker() as maker:
        name = str(intake.folder() / f"block-{os.urandom(6).hex()}")
        values = list(intake.needs_values)
        batch = maker.make(Task(name, 1, "clm", first, job.language, values, more))
        load = Load([Piece.whole(batch)])
    source: Source = job.sources[next(iter(texts))]
    if more:
        source = [
            job.sources[place]
            for place, (begin, end) in zip(texts, pairwise([0, *batch.ends]), strict=True)
            for _ in range(begin, end)
        ]
    try:
        outcomes = _store(intake, load, keys, source, job)
    finally:
        load.discard()
    return [
        [msgspec.structs.replace(one, game=number) for number, one in enumerate(part, 1)]
        for part in divided(outcomes, load)
    ]


def _known(backend: PostgresBackend, key: str, job: str) -> Counter[tuple[t.Status, bool]]:
    """The outcomes of the games of a block that is completely stored; empty for any other block.

    If games have been deleted since, the block counts as not stored, as they have to be reported.
    """
    rows = backend.ask_ledger(
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


def _store(
    intake: PostgresIntake, load: Load, keys: list[str], source: Source, job: Job
) -> list[t.Outcome]:
    """Store a block, retrying if somebody else was faster."""
    for _ in range(ATTEMPTS - 1):
        with contextlib.suppress(Overtaken), BlockRows(intake.backend, load, keys, job.job) as rows:
            return intake.store_block(load, rows, job.by, source, job.doubtful)
    with BlockRows(intake.backend, load, keys, job.job) as rows:
        return intake.store_block(load, rows, job.by, source, job.doubtful)


# What gives the tasks out ----------------------------------------------------------------------


class File(NamedTuple):
    """A file that is being imported: its size, if known, and the results of its parts."""

    path: str
    size: int
    done: Iterator[Done]


class _End(NamedTuple):
    """Marks the end of a file's parts; `error` is the reason if it ended early."""

    error: Exception | None


class Import:
    """An import by the workers of a Dask cluster.

    Small files share a task, and tasks are submitted without waiting for earlier answers.
    """

    def __init__(
        self,
        spread: Spread,
        address: str,
        *,
        job: str,
        by: str,
        doubtful: t.Doubtful,
        language: str,
        everything: bool,
    ) -> None:
        refuse_null(by=by)
        self.spread = spread
        self._made = partial(
            Job,
            Address(address),
            job,
            by=by,
            doubtful=doubtful,
            language=language,
            everything=everything,
        )
        self._files: deque[tuple[str, int]] = deque()
        """The files that were begun, and their sizes."""
        self._order: deque[Part | _End] = deque()
        """The parts that were submitted, and the end of each file."""
        self._done: deque[Done | OSError] = deque()
        """The results of parts, in their order."""

    def files(self, paths: Iterable[str]) -> Iterator[File]:
        """Have files stored; yield each with its results, which must be read to the end.

        Games and lines are numbered within the file; an error in reading it is raised from its
        results.
        """
        answers = self.spread.map(store_parts, self._tasks(paths))

        def go_on() -> bool:
            """Wait for the next answer; return whether there was one."""
            answer = next(answers, None)
            self._done.extend(answer or ())
            return answer is not None

        while self._files or go_on() or self._files:
            if self._files:
                path, size = self._files.popleft()
                yield File(path, size, self._of_file(go_on))

    def _tasks(self, paths: Iterable[str]) -> Iterator[Job]:
        held: list[tuple[Part, str]] = []
        size = 0
        for path in paths:
            error: Exception | None = None
            begun = False
            try:
                refuse_null(source=path)
                with open_games(path) as stream:
                    offsets = at_offsets(stream)
                    self._files.append((path, offsets[1] if offsets else 0))
                    begun = True
                    for part in parts(stream, SIZE):
                        if held and size + part.size > SIZE:
                            yield self._task(held)
                            held, size = [], 0
                        held.append((part, path))
                        size += part.size
                        self._order.append(part)
            except Exception as why:
                error = why
            if not begun:
                self._files.append((path, 0))
            self._order.append(_End(error))
        if held:
            yield self._task(held)

    def _task(self, held: list[tuple[Part, str]]) -> Job:
        return self._made(
            parts=tuple(part for part, _ in held), sources=tuple(path for _, path in held)
        )

    def _of_file(self, go_on: Callable[[], bool]) -> Iterator[Done]:
        games = lines = 0
        unread: Exception | None = None
        while True:
            while not self._order:
                go_on()
            part = self._order.popleft()
            if isinstance(part, _End):
                if unread or part.error:
                    raise unread or part.error or OSError
                return
            while not self._done:
                go_on()
            done = self._done.popleft()
            if isinstance(done, OSError):
                unread = unread or done
                continue
            yield done._replace(outcomes=[_moved(one, games, lines) for one in done.outcomes])
            games += done.games
            lines += done.lines


def _moved(outcome: t.Outcome, games: int, lines: int) -> t.Outcome:
    """The outcome of a part, moved down by a number of games and lines."""
    return msgspec.structs.replace(
        outcome,
        game=outcome.game + games,
        line=outcome.line + lines,
        problems=[msgspec.structs.replace(one, line=one.line + lines) for one in outcome.problems],
    )
