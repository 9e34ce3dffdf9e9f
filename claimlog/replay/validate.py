"""Validating by the thousand: whole streams, on every core.

`validate` yields one `GameReport` a game that there is something to say about, in input
order, while several processes judge (`claimlog.replay.crew`).  A block of games is the unit
of work; only what is to be reported comes back.
"""

from __future__ import annotations

import os
from collections import deque
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

from claimlog.notation.problems import WARNINGS
from claimlog.notation.reader import Block, is_utf8, pieces, sheets_of, spans
from claimlog.notation.sheet import Sheet
from claimlog.replay.crew import Crew, memory_file
from claimlog.replay.explain import codes, problems
from claimlog.replay.game import problem_report, reported_result
from claimlog.replay.judge import Judge
from claimlog.replay.suggest import suggestion

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from claimlog.notation.problems import Problem

SUGGESTIONS: Final = 20
"""For so many failing games of a call the one card is looked for that would mend them."""
ALONE: Final = 2
"""So many blocks are judged before other processes are started."""
WINDOW: Final = 64
"""So many blocks may be judged before the first of them is done."""
PLACE: Final = 1 << 25
"""Bytes kept free for a copied block; none is longer (see `LONGEST_GAME`)."""


@dataclass(slots=True)
class GameReport:
    """What `claimlog validate` says about one game; `game` and `line` count from 1.

    `source` has the text of the lines that problems point at, by line number; `text` is
    the game itself where it has errors.
    """

    game: int
    line: int
    complete: bool
    result: str
    problems: list[Problem]
    source: dict[int, str] = field(default_factory=dict)
    text: bytes = b""

    @property
    def errors(self) -> list[Problem]:
        """The problems that make the game invalid."""
        return [problem for problem in self.problems if problem.severity == "error"]

    @property
    def warnings(self) -> list[Problem]:
        """The problems that do not."""
        return [problem for problem in self.problems if problem.severity == "warning"]

    @property
    def valid(self) -> bool:
        """Whether the game has no errors."""
        return not self.errors

    def report(self, file: str) -> dict[str, Any]:
        """The object that ``claimlog validate --format json`` prints."""
        return {
            "file": file,
            "game": self.game,
            "line": self.line,
            "valid": self.valid,
            "complete": self.complete,
            "result": self.result,
            "errors": [problem_report(problem) for problem in self.errors],
            "warnings": [problem_report(problem) for problem in self.warnings],
        }


@dataclass(slots=True)
class BlockReport:
    """What came of one block: numbers, and reports with `game` counted within the block.

    `tally` has, instead of reports, how many games had each list of codes.
    """

    games: int = 0
    completes: int = 0
    lines: int = 0
    reports: list[GameReport] = field(default_factory=list)
    tally: dict[tuple[str, ...], int] = field(default_factory=dict)


_workplace: list[tuple[Judge, Sheet]] = []


def judge_block(text: bytes, line: int, everything: bool, summary: bool = False) -> BlockReport:
    """Judge a block of whole games that begins on `line`.

    Reports every game, or if not `everything` only those with problems; for a `summary`
    only their codes.
    """
    if not _workplace:
        _workplace.append((Judge(), Sheet()))
    judge, sheet = _workplace[0]
    done = BlockReport()
    tally = done.tally
    if everything or not is_utf8(text):
        for _, game_line in sheets_of(Block(text, line), sheet):
            good = judge.judge(sheet)
            done.games += 1
            done.completes += judge.complete
            if summary:
                if not good:
                    found = codes(judge)
                    tally[found] = tally.get(found, 0) + 1
            elif everything or not good:
                done.reports.append(_report(judge, done.games, game_line, good))
        done.lines = text.count(b"\n")
        return done
    judge.games = judge.completes = judge.lines = 0
    at = 0
    while (at := judge.skim(sheet, text, at)) >= 0:
        if summary:
            found = codes(judge)
            tally[found] = tally.get(found, 0) + 1
        else:
            done.reports.append(_report(judge, judge.games, line + judge.line, False))
    done.games = judge.games
    done.completes = judge.completes
    done.lines = judge.lines
    return done


def _report(judge: Judge, game: int, line: int, good: bool) -> GameReport:
    report = GameReport(game, line, bool(judge.complete), reported_result(judge), [])
    if not good:
        report.problems = problems(judge, line)
        sheet = judge.sheet
        lines = sheet.text[sheet.begin : sheet.finish].split(b"\n")
        for problem in report.problems:
            if problem.line not in report.source and problem.line - line < len(lines):
                text = lines[problem.line - line].decode(errors="replace").rstrip("\r")
                report.source[problem.line] = text
        # The first line in full: white space before the tag or token belongs to it.
        start = sheet.text.rfind(b"\n", 0, sheet.begin) + 1
        if line in report.source:
            head = sheet.text[start : sheet.begin].decode(errors="replace").lstrip("\ufeff")
            report.source[line] = head + report.source[line]
        report.text = sheet.text[start : sheet.finish]
    return report


def suggest(report: GameReport) -> None:
    """Add to the first error of a report the one card that would make the game legal."""
    if any(problem.code == "encoding" for problem in report.problems):
        return  # no other card mends bad bytes
    judge, sheet = Judge(), Sheet()
    sheet.read(report.text, 0, True)
    judge.judge(sheet)
    words = suggestion(judge, report.line)
    for place, problem in enumerate(report.problems):
        if words and problem.severity == "error":
            message = f"{problem.message}; {words}"
            report.problems[place] = replace(problem, message=message)
            return


def _copies(texts: Iterable[bytes], file: int) -> Iterator[tuple[int, int]]:
    """Copy blocks to a file, over those that nobody needs any more; yield where they are."""
    for number, text in enumerate(texts):
        start = number % (WINDOW + 1) * PLACE
        os.pwrite(file, text, start)
        yield start, start + len(text)


def _reader(file: int, place: int) -> Callable[[int], bytes]:
    """Something that reads a file on from `place`."""
    stream = os.fdopen(os.dup(file), "rb")
    stream.seek(place)
    return stream.read


def _move(report: GameReport, lines: int) -> None:
    """Let a report of a block stand `lines` lines further down."""
    report.line += lines
    report.problems = [replace(p, line=p.line + lines) for p in report.problems]
    report.source = {line + lines: text for line, text in report.source.items()}


class Validator:
    """Judges streams, on `jobs` processes; keeps the totals of everything judged so far.

    `everything`: report every game, not only those with problems.  `summary`: report none,
    only keep the totals.  `strict`: warnings are errors.  Of the first `suggestions`
    failing games the message offers the one card that would make the game legal.
    """

    def __init__(
        self,
        *,
        jobs: int = 0,
        everything: bool = False,
        summary: bool = False,
        strict: bool = False,
        suggestions: int = SUGGESTIONS,
    ) -> None:
        self.jobs = (jobs or os.cpu_count() or 1) if hasattr(os, "fork") else 1
        self.everything = everything
        self.summary = summary
        self.strict = strict
        self.suggestions = suggestions
        self.games = 0
        self.completes = 0
        self.invalid = 0
        self.warned = 0
        self.codes: dict[str, int] = {}
        self._crew: Crew | None = None

    def __enter__(self) -> Validator:
        """Return the validator; leaving the block ends its processes."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the processes."""
        if self._crew is not None:
            self._crew.close()
            self._crew = None

    def validate(
        self,
        read: Callable[[int], bytes],
        progress: Callable[[int], None] | None = None,
        file: int = -1,
    ) -> Iterator[GameReport]:
        """Judge a stream; `progress` is told the bytes of each block that is done.

        `file` is the descriptor that `read` reads from, where that can be read at offsets.
        """
        game = line = 0
        for size, done in self._judge(read, file):
            for report in done.reports:
                report.game += game
                if line:
                    _move(report, line)
                self._add(report)
                yield report
            for found, number in done.tally.items():
                self._count(found, number)
            game += done.games
            line += done.lines
            self.games += done.games
            self.completes += done.completes
            if progress is not None:
                progress(size)

    def _block(self, text: bytes) -> BlockReport:
        return judge_block(text, 1, self.everything, self.summary)

    def _judge(self, read: Callable[[int], bytes], file: int) -> Iterator[tuple[int, BlockReport]]:
        """Judge blocks, in their order; the first ones here, so that their problems show at once.

        Other processes are started only for what is longer.
        """
        place = 0
        stream = pieces(read)
        for number, text in enumerate(stream):
            if number < ALONE or self.jobs == 1:
                yield len(text), self._block(text)
                place += len(text)
            elif file < 0:
                memory = memory_file()
                try:
                    yield from self._share(memory, _copies(chain([text], stream), memory))
                finally:
                    os.close(memory)
            else:
                for size, done in self._share(file, spans(file, place)):
                    yield size, done
                    place += size
                for text in pieces(_reader(file, place)):  # where no game begins for long
                    yield len(text), self._block(text)
                return

    def _share(
        self, file: int, parts: Iterator[tuple[int, int]]
    ) -> Iterator[tuple[int, BlockReport]]:
        """Judge parts of a file here and in other processes; yield them in their order."""
        done: dict[int, BlockReport] = {}
        sizes: deque[int] = deque()
        told = begun = 0
        part = next(parts, None)
        crew = self._crew = Crew(self.jobs - 1, file, self._block, done.__setitem__)
        try:
            while part or sizes:
                here = False
                while part and not here and begun - told < WINDOW:
                    start, stop = part
                    if crew.ready:
                        crew.begin(begun, start, stop)
                    else:
                        done[begun] = self._block(os.pread(file, stop - start, start))
                        here = True
                    begun += 1
                    sizes.append(stop - start)
                    part = next(parts, None)
                crew.collect(wait=not here and told not in done)
                while told in done:
                    yield sizes.popleft(), done.pop(told)
                    told += 1
        finally:
            self.__exit__()

    def _add(self, report: GameReport) -> None:
        """Count a report, and finish it."""
        if self.strict:
            report.problems = [replace(problem, severity="error") for problem in report.problems]
        self._count(tuple(problem.code for problem in report.problems), 1)
        if not report.valid and self.invalid <= self.suggestions:
            suggest(report)

    def _count(self, found: tuple[str, ...], number: int) -> None:
        """Count games with these codes."""
        for code in found:
            self.codes[code] = self.codes.get(code, 0) + number
        if found and (self.strict or not WARNINGS.issuperset(found)):
            self.invalid += number
        elif found:
            self.warned += number
