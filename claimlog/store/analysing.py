"""Stored analyses: find the missing ones, make them and write them.

They are stored by the digest of the record, so those of a corrected or deleted game no longer
count; the next `claimlog analyse --all` removes them.
"""

from __future__ import annotations

import time
from contextlib import closing
from datetime import UTC, datetime
from functools import partial
from random import uniform
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

import msgspec

from claimlog.analysis.keeping import Kept, Task, kept
from claimlog.rules.setup import tricks_of
from claimlog.store.intake.derived import insert_values
from claimlog.store.ledger.records import is_sound
from claimlog.store.model.errors import (
    ArchiveError,
    ArchiveRefused,
    ArchiveUnreachable,
    Declined,
    LakeOvertaken,
)
from claimlog.store.model.schema import ANALYSES, PUZZLES
from claimlog.store.model.types import Progress
from claimlog.store.questions.best_play import any_kept
from claimlog.store.questions.puzzles import any_found
from claimlog.workers import WorkerDied, Workers

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator

    from duckdb import DuckDBPyConnection

    from claimlog.analysis.puzzles import KeptPuzzles
    from claimlog.spread import Spread
    from claimlog.store.backend import Backend, Report
    from claimlog.store.questions.where import Where

    Waits: TypeAlias = Callable[[ArchiveUnreachable], object] | None
    """Called with the reason, if any, before the database is waited for."""

T = TypeVar("T")

CHUNK: Final = 1000
"""The number of records read at a time."""
OFTEN: Final = 10.0
"""Seconds between writes of finished analyses: the most a killed process can lose."""
AHEAD: Final = 16
"""Games queued for each process, as one game may take as long as many others."""
NICE: Final = 10
"""The niceness of the processes."""
PATIENCE: Final = 120.0
"""Seconds to wait for a database that has stopped answering, as when it is restarted."""
LONGEST: Final = 8.0
"""The longest pause between two attempts to reach it; the first are short."""


def analyse_all(
    backend: Backend,
    where: Where,
    total: int,
    redeals: int,
    spread: Spread | None = None,
    report: Report = None,
    *,
    inexact: bool = False,
    waits: Waits = None,
) -> int:
    """Analyse the two-player games that have not been analysed yet; return how many there were.

    With `inexact`, analyse again those whose analysis is not exact, as the effort may be larger
    now.  Runs on all cores, or on the workers of a cluster.  It may be interrupted at any time and
    resumes where it stopped.  Raises Declined at the end if there are damaged records.
    """
    backend.check_writable()
    games = _missing(backend, where, redeals, inexact)
    damaged: list[int] = []
    records = _records(backend, games, damaged, waits)
    tasks = (Task(digest, record, total, redeals) for digest, record in records)
    waiting: list[Kept] = []
    done, written = 0, time.monotonic()
    analyses = spread.map(kept, tasks) if spread else _by_processes(tasks, backend.threads)
    # If an analysis cannot be stored, its processes end now, not when Python does.
    with closing(analyses):
        try:
            for one in analyses if games else ():
                waiting.append(one)
                done += 1
                if time.monotonic() > written + OFTEN:
                    finished, waiting = waiting, []
                    _keep(backend, finished, waits)
                    written = time.monotonic()
                if report is not None:
                    report(Progress(done=done, total=len(games)))
        finally:
            if waiting:
                _keep(backend, waiting, waits)
    _patiently(partial(_forget, backend), waits)
    if damaged:
        raise Declined("analyse.damaged", done=done, number=len(damaged))
    return done


def report_of(backend: Backend, digest: bytes) -> bytes | None:
    """The stored report of a record, still packed; None if there is none."""
    if not any_kept(backend):
        return None
    rows = backend.rows("SELECT report FROM analyses WHERE digest = ?", [digest])
    return bytes(rows[0][0]) if rows else None


def left_open(backend: Backend, where: Where, redeals: int) -> int:
    """How many analysed games have values, or a mean of redeals, that the effort left open."""
    again = _missing(backend, where, redeals, inexact=True)
    return len(again) - len(_missing(backend, where, redeals, inexact=False))


def _missing(backend: Backend, where: Where, redeals: int, inexact: bool) -> dict[int, bytes]:
    """The digests of games whose analysis is missing, has fewer redeals, or is inexact.

    A mean of redeals of which the effort left one open is inexact, too.
    """
    missing, parameters = "true", list(where.parameters)
    if any_kept(backend):
        missing = (
            "NOT EXISTS (SELECT 1 FROM analyses a WHERE a.digest = g.digest AND a.redeals >= ? "
            "AND (NOT ?::BOOLEAN OR a.trick IS NULL OR "
            "a.exact AND (a.redealt IS NOT NULL OR a.redeals = 0 OR a.trick > ?)))"
        )
        parameters += [redeals, inexact, tricks_of(2) + 1]
    rows = backend.rows(
        f"SELECT game, digest FROM games g WHERE seats = 2 AND {where.sql} AND {missing} "
        "ORDER BY game",
        parameters,
    )
    return {game: bytes(digest) for game, digest in rows}


def _records(
    backend: Backend, games: dict[int, bytes], damaged: list[int], waits: Waits = None
) -> Iterator[tuple[bytes, bytes]]:
    """Yield digests and records of games, leaving out games that have changed since.

    Those whose record is not the one that was stored are added to `damaged`.
    """
    numbers = list(games)
    for begin in range(0, len(numbers), CHUNK):
        some = numbers[begin : begin + CHUNK]
        texts = _patiently(partial(_texts, backend, games, some), waits)
        for game, text in texts.items():
            if is_sound(text, games[game]):
                yield games[game], text.encode()
            else:
                damaged.append(game)


def _texts(backend: Backend, games: dict[int, bytes], numbers: list[int]) -> dict[int, str]:
    """The records of some games, "" if damaged, without games that have changed since."""
    with backend.read() as cursor:
        rows = cursor.execute(
            "SELECT game, digest FROM games WHERE game IN (SELECT unnest(?::BIGINT[]))", [numbers]
        ).fetchall()
        same = [game for game, digest in rows if bytes(digest) == games[game]]
        texts = backend.texts(cursor, same)
    return {game: texts.get(game, "") for game in same}


def _by_processes(tasks: Iterable[Task], size: int) -> Generator[Kept, None, None]:
    """Run tasks in processes on this machine and yield the answers in order."""
    pool = Workers(
        size,
        work,
        forked=False,
        ahead=AHEAD,
        nice=NICE,
        read=msgspec.msgpack.Decoder(Kept).decode,
    )
    try:
        for task in tasks:
            yield from pool.take(wait=not pool.ready)
            pool.begin(msgspec.msgpack.encode(task))
        while pool.owed:
            yield from pool.take(wait=True)
    except WorkerDied as error:
        raise ArchiveError("worker.died") from error
    finally:
        pool.close()


def work(task: bytes) -> bytes:
    """The work of each of these processes: analyse one encoded `Task`."""
    return msgspec.msgpack.encode(kept(msgspec.msgpack.decode(task, type=Task)))


def _keep(backend: Backend, analyses: list[Kept], waits: Waits = None) -> None:
    """Replace the stored analyses of these records; on disk when this returns."""
    rows = [
        (*one[:7], [graded._asdict() for graded in one.decisions], one.report) for one in analyses
    ]

    def write() -> None:
        with backend.deriving() as cursor:
            _put(cursor, "analyses", ANALYSES, rows)
            _put(cursor, "puzzles", PUZZLES, _rows_of([one.puzzles for one in analyses]))

    _patiently(write, waits)


def _put(
    cursor: DuckDBPyConnection, table: str, made: str, rows: list[tuple[bytes, *tuple[Any, ...]]]
) -> None:
    """Insert rows, whose first column is a digest, replacing rows with the same digests."""
    cursor.execute(made)
    cursor.execute(
        f"DELETE FROM {table} WHERE digest IN (SELECT unnest(?::BLOB[]))",
        [[row[0] for row in rows]],
    )
    insert_values(cursor, table, rows)


def _rows_of(
    puzzles: list[KeptPuzzles],
) -> list[tuple[bytes, datetime, list[dict[str, int]], bytes]]:
    now = datetime.now(UTC).replace(tzinfo=None)
    return [
        (one.digest, now, [each._asdict() for each in one.numbers], one.report) for one in puzzles
    ]


def without_puzzles(backend: Backend, most: int) -> list[tuple[bytes, bytes]]:
    """Digests and records of two-player games not searched for puzzles yet, newest first."""
    missing = "true"
    if any_found(backend):
        missing = "NOT EXISTS (SELECT 1 FROM puzzles p WHERE p.digest = g.digest)"
    rows = backend.rows(
        f"SELECT game, digest FROM games g WHERE seats = 2 AND {missing} "
        "ORDER BY game DESC LIMIT ?",
        [most],
    )
    return list(_records(backend, {game: bytes(digest) for game, digest in rows}, []))


def keep_puzzles(backend: Backend, puzzles: list[KeptPuzzles]) -> None:
    """Store the puzzles found in records; this changes no other answer."""
    rows = _rows_of(puzzles)
    with backend.deriving(quiet=True) as cursor:
        _put(cursor, "puzzles", PUZZLES, rows)


def _forget(backend: Backend) -> None:
    """Remove the analyses and puzzles of records that no game has any more."""
    for table, there in (("analyses", any_kept(backend)), ("puzzles", any_found(backend))):
        outdated = f"FROM {table} WHERE digest NOT IN (SELECT digest FROM games)"
        if there and backend.rows(f"SELECT 1 {outdated} LIMIT 1"):
            with backend.deriving() as cursor:
                cursor.execute(f"DELETE {outdated}")


def _patiently(work: Callable[[], T], waits: Waits = None) -> T:
    """Call a function, again while the database does not answer or somebody else has just written.

    Of several concurrent writers a lake accepts only one; the others retry until it is their turn,
    as an indexer may commit several times a second.
    """
    pause, left = 0.1, PATIENCE
    while True:
        try:
            return work()
        except LakeOvertaken:
            time.sleep(uniform(0.1, 0.3))
        except ArchiveRefused:
            raise
        except ArchiveUnreachable as error:
            if left < 0:
                raise
            if waits is not None and left == PATIENCE:
                waits(error)
            time.sleep(pause)
            left -= pause
            pause = min(2 * pause, LONGEST)
