"""Validating games by the thousand: whole streams, on every core.

`validate` yields a `GameReport` for each game with something to report, in input order, while
several processes judge.  The unit of work is a block of games; only the reports come back.
"""

from __future__ import annotations

import os
import struct
from collections import deque
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, BinaryIO, Final

from claimlog.language import LANGUAGES
from claimlog.notation.problems import WARNINGS
from claimlog.notation.reader import Block, is_clean, parts, pieces, sheets_of, spans
from claimlog.notation.sheet import Sheet
from claimlog.replay.skim import Skimmer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from claimlog.notation.reader import Part
    from claimlog.replay.game_report import GameReport
    from claimlog.spread import Spread
    from claimlog.workers import Workers

ALONE: Final = 2
"""The number of blocks judged before other processes are started."""
WINDOW: Final = 64
"""The most blocks that may be judged before the first of them is finished."""
AHEAD: Final = 4
"""The number of blocks queued for each process, so that none is ever idle."""
FAR: Final = 1 << 21
"""Bytes in a block for a worker of a cluster."""
NEAR: Final = 1 << 17
"""Bytes in a block of a file that one process judges: the C library would return the memory of
larger ones to the system each time, and fetch it again.
"""
PLACE: Final = 1 << 25
"""Bytes reserved for a copied block; none is longer (see `LONGEST_GAME`)."""


class BlockReport:
    """The result for one block: numbers, and reports with `game` counted within the block.

    `tally` has, instead of reports, the number of games with each list of codes.
    """

    def __init__(self) -> None:
        self.games = 0
        self.completes = 0
        self.lines = 0
        self.reports: list[GameReport] = []
        self.tally: dict[tuple[str, ...], int] = {}


_workplace: list[tuple[Skimmer, Sheet]] = []


def judge_block(
    text: bytes,
    line: int,
    everything: bool,
    summary: bool = False,
    slips: bool = False,
    language: str = LANGUAGES[0],
) -> BlockReport:
    """Judge a block of whole games that begins on `line`.

    Reports every game, or if not `everything` only those with problems; for a `summary` only their
    codes.  `slips`: look for the slip that explains a game's errors.
    """
    if not _workplace:
        _workplace.append((Skimmer(), Sheet()))
    judge, sheet = _workplace[0]
    done = BlockReport()
    tally = done.tally
    if everything or not is_clean(text):
        for _, game_line in sheets_of(Block(text, line), sheet):
            good = judge.judge(sheet)
            done.games += 1
            done.completes += judge.complete
            if summary:
                if not good:
                    codes = _codes(judge)
                    tally[codes] = tally.get(codes, 0) + 1
            elif everything or not good:
                done.reports.append(_report(judge, done.games, game_line, good, slips, language))
        done.lines = text.count(b"\n")
        return done
    judge.games = judge.completes = judge.lines = 0
    at = 0
    while (at := judge.skim(sheet, text, at)) >= 0:
        if summary:
            codes = _codes(judge)
            tally[codes] = tally.get(codes, 0) + 1
        else:
            done.reports.append(
                _report(judge, judge.games, line + judge.line, False, slips, language)
            )
    done.games = judge.games
    done.completes = judge.completes
    done.lines = judge.lines
    return done


# Modules needed only for a game with problems, or for many games, are imported locally: the command
# for one good game starts faster.


def _codes(judge: Skimmer) -> tuple[str, ...]:
    from claimlog.replay.explain import codes

    return codes(judge)


def _report(
    judge: Skimmer, game: int, line: int, good: bool, slips: bool, language: str
) -> GameReport:
    from claimlog.replay.game_report import report_game

    return report_game(judge, game, line, good, slips, language)


def judge_part(task: tuple[Part, bool, bool, bool, str]) -> BlockReport:
    """Judge a part, as `judge_block` does: the task of a worker in a cluster."""
    part, everything, summary, slips, language = task
    return judge_block(part.read(), 1, everything, summary, slips, language)


def judge_sent(task: bytes) -> bytes:
    """Judge a block that was sent as it is: the task of a process that was not forked."""
    import pickle

    text, everything, summary, slips, language = pickle.loads(task)
    return pickle.dumps(judge_block(text, 1, everything, summary, slips, language), -1)


_PART: Final = struct.Struct("=qq")
"""Start and end of a block in the file: all that a forked process receives."""


def _memory_file() -> int:
    """The descriptor of an unnamed file, in memory if the system supports that."""
    if hasattr(os, "memfd_create"):
        return os.memfd_create("claimlog")
    import tempfile

    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())


def _copies(texts: Iterable[bytes], file: int) -> Iterator[tuple[int, int]]:
    """Copy blocks to a file, overwriting those no longer needed; yield their ranges."""
    for number, text in enumerate(texts):
        start = number % (WINDOW + 1) * PLACE
        os.pwrite(file, text, start)
        yield start, start + len(text)


def _reader(file: int, place: int) -> Callable[[int], bytes]:
    """Return a function that reads a file from `place` on."""
    stream = os.fdopen(os.dup(file), "rb")
    stream.seek(place)
    return stream.read


class Validator:
    """Judges streams, on `jobs` processes; keeps the totals of everything judged so far.

    `everything`: report every game, not only those with problems.  `summary`: report none, only
    keep the totals.  `strict`: treat warnings as errors.  `slips`: look for the slip that explains
    a game's errors (`claimlog.replay.slip`).  Messages are in `language`, "en" or "de".
    """

    def __init__(
        self,
        *,
        jobs: int = 0,
        everything: bool = False,
        summary: bool = False,
        strict: bool = False,
        slips: bool = True,
        language: str = LANGUAGES[0],
    ) -> None:
        self.jobs = (jobs or os.cpu_count() or 1) if hasattr(os, "fork") else 1
        self.everything = everything
        self.summary = summary
        self.strict = strict
        self.slips = slips
        self.language = language
        self.games = 0
        self.completes = 0
        self.invalid = 0
        self.warned = 0
        self.codes: dict[str, int] = {}
        self._workers: Workers | None = None

    def __enter__(self) -> Validator:
        """Return the validator; leaving the block ends its processes."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the processes."""
        if self._workers is not None:
            self._workers.close()
            self._workers = None

    def validate(
        self,
        read: Callable[[int], bytes],
        progress: Callable[[int], None] | None = None,
        file: int = -1,
    ) -> Iterator[GameReport]:
        """Judge a stream; `progress` is called with the number of bytes of each finished block.

        `file` is the descriptor that `read` reads from, if it can be read at offsets.
        """
        return self._reports(self._judge(read, file), progress)

    def validate_far(
        self,
        stream: BinaryIO,
        spread: Spread,
        progress: Callable[[int], None] | None = None,
    ) -> Iterator[GameReport]:
        """Have a stream from `open_games` judged by the workers of a cluster."""
        sizes: deque[int] = deque()

        def tasks() -> Iterator[tuple[Part, bool, bool, bool, str]]:
            for part in parts(stream, FAR):
                sizes.append(part.size)
                yield part, self.everything, self.summary, self.slips, self.language

        judged = spread.map(judge_part, tasks())
        return self._reports(((sizes.popleft(), done) for done in judged), progress)

    def _reports(
        self,
        judged: Iterable[tuple[int, BlockReport]],
        progress: Callable[[int], None] | None,
    ) -> Iterator[GameReport]:
        """Yield the reports on judged blocks, in order."""
        game = line = 0
        stray = last = swallowed = 0
        for size, done in judged:
            for report in done.reports:
                # Pieces of text that is not a record are reported as one.
                report.game += game
                if report.stray and stray and not report.valid and report.game == last + 1:
                    last += 1
                    swallowed += 1
                    self.games -= 1
                    continue
                stray = report.stray and not report.valid
                last = report.game
                report.game -= swallowed
                if line:
                    report.move(line)
                self._add(report)
                yield report
            for codes, number in done.tally.items():
                self._count(codes, number)
            game += done.games
            line += done.lines
            self.games += done.games
            self.completes += done.completes
            if progress is not None:
                progress(size)

    def _block(self, text: bytes) -> BlockReport:
        return judge_block(text, 1, self.everything, self.summary, self.slips, self.language)

    def _judge(self, read: Callable[[int], bytes], file: int) -> Iterator[tuple[int, BlockReport]]:
        """Judge blocks in order; the first ones here, so that their problems appear at once.

        Other processes are started only for longer streams.
        """
        place = 0
        stream = pieces(read)
        for number, text in enumerate(stream):
            if number < ALONE or (self.jobs == 1 and file < 0):
                yield len(text), self._block(text)
                place += len(text)
            elif file < 0:
                memory = _memory_file()
                try:
                    yield from self._share(memory, _copies(chain([text], stream), memory))
                finally:
                    os.close(memory)
            else:
                length = os.fstat(file).st_size
                read_at = partial(os.pread, file)
                judged = (
                    self._share(file, spans(read_at, length, place))
                    if self.jobs > 1
                    else self._alone(file, spans(read_at, length, place, NEAR))
                )
                for size, done in judged:
                    yield size, done
                    place += size
                for text in pieces(_reader(file, place)):  # where no game begins for long
                    yield len(text), self._block(text)
                return

    def _alone(
        self, file: int, parts: Iterator[tuple[int, int]]
    ) -> Iterator[tuple[int, BlockReport]]:
        """Judge parts of a file here."""
        for start, stop in parts:
            yield stop - start, self._block(os.pread(file, stop - start, start))

    def _share(
        self, file: int, parts: Iterator[tuple[int, int]]
    ) -> Iterator[tuple[int, BlockReport]]:
        """Judge parts of a file here and in other processes; yield them in order."""
        import pickle

        from claimlog.workers import Workers, may_fork

        forked = may_fork()
        options = self.everything, self.summary, self.slips, self.language

        def judge(task: bytes) -> bytes:
            start, stop = _PART.unpack(task)
            return pickle.dumps(self._block(os.pread(file, stop - start, start)), -1)

        def task(start: int, stop: int) -> bytes:
            if forked:
                return _PART.pack(start, stop)
            return pickle.dumps((os.pread(file, stop - start, start), *options), -1)

        sizes: deque[int] = deque()
        part = next(parts, None)
        workers = self._workers = Workers(
            self.jobs - 1,
            judge if forked else judge_sent,
            forked=forked,
            ahead=AHEAD,
            read=pickle.loads,
        )
        try:
            while part or sizes:
                here = False
                while part and not here and workers.owed < WINDOW:
                    start, stop = part
                    if workers.ready:
                        workers.begin(task(start, stop))
                    else:
                        workers.add(self._block(os.pread(file, stop - start, start)))
                        here = True
                    sizes.append(stop - start)
                    part = next(parts, None)
                for done in workers.take(wait=not here):
                    yield sizes.popleft(), done
        finally:
            self.__exit__()

    def _add(self, report: GameReport) -> None:
        """Count a report, and apply `strict` to it."""
        if self.strict:
            report.make_strict()
        self._count(tuple(problem.code for problem in report.problems), 1)

    def _count(self, codes: tuple[str, ...], number: int) -> None:
        """Count games with these codes."""
        for code in codes:
            self.codes[code] = self.codes.get(code, 0) + number
        if codes and (self.strict or not WARNINGS.issuperset(codes)):
            self.invalid += number
        elif codes:
            self.warned += number
