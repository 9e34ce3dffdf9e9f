"""Validating by the thousand: whole streams, on every core.

`validate` yields one `GameReport` a game that there is something to say about, in input
order, while several processes judge.  A block of games is the unit of work: it goes to a
process as bytes, and only what is to be reported comes back.
"""

from __future__ import annotations

import os
from collections import deque
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from claimlog.notation.reader import Block, blocks, sheets_of
from claimlog.notation.sheet import Sheet
from claimlog.replay.explain import problems
from claimlog.replay.game import problem_report, reported_result
from claimlog.replay.judge import Judge
from claimlog.replay.suggest import suggestion

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from concurrent.futures import Future

    from claimlog.notation.problems import Problem

SUGGESTIONS: Final = 20
"""For so many failing games of a call the one card is looked for that would mend them."""


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
    """What came of one block: numbers, and reports with `game` counted within the block."""

    games: int = 0
    completes: int = 0
    reports: list[GameReport] = field(default_factory=list)


_workplace: list[tuple[Judge, Sheet]] = []


def judge_block(text: bytes, line: int, everything: bool) -> BlockReport:
    """Judge a block of whole games that begins on `line`.

    Reports every game, or if not `everything` only those with problems.
    """
    if not _workplace:
        _workplace.append((Judge(), Sheet()))
    judge, sheet = _workplace[0]
    done = BlockReport()
    if everything or not (text.isascii() or _is_utf8(text)):
        for _, game_line in sheets_of(Block(text, line), sheet):
            good = judge.judge(sheet)
            done.games += 1
            done.completes += judge.complete
            if everything or not good:
                done.reports.append(_report(judge, done.games, game_line, good))
        return done
    judge.games = judge.completes = judge.lines = 0
    at = 0
    while (at := judge.skim(sheet, text, at)) >= 0:
        done.reports.append(_report(judge, judge.games, line + judge.line, False))
    done.games = judge.games
    done.completes = judge.completes
    return done


def _is_utf8(text: bytes) -> bool:
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True


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


class Validator:
    """Judges streams, on `jobs` processes; keeps the totals of everything judged so far.

    `everything`: report every game, not only those with problems.  `strict`: warnings
    are errors.  Of the first `suggestions` failing games the message offers the one card
    that would make the game legal.
    """

    def __init__(
        self,
        *,
        jobs: int = 0,
        everything: bool = False,
        strict: bool = False,
        suggestions: int = SUGGESTIONS,
    ) -> None:
        self.jobs = jobs or os.cpu_count() or 1
        self.everything = everything
        self.strict = strict
        self.suggestions = suggestions
        self.games = 0
        self.completes = 0
        self.invalid = 0
        self.warned = 0
        self.codes: dict[str, int] = {}
        self._pool: Any = None

    def __enter__(self) -> Validator:
        """Return the validator; leaving the block ends its processes."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the processes."""
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
            self._pool = None

    def validate(
        self, read: Callable[[int], bytes], progress: Callable[[int], None] | None = None
    ) -> Iterator[GameReport]:
        """Judge a stream; `progress` is told the bytes of each block that is done."""
        game = 0
        for size, done in self._judge(blocks(read)):
            for report in done.reports:
                report.game += game
                self._add(report)
                yield report
            game += done.games
            self.games += done.games
            self.completes += done.completes
            if progress is not None:
                progress(size)

    def _judge(self, stream: Iterable[Block]) -> Iterator[tuple[int, BlockReport]]:
        """Judge blocks, in their order; the first here, so that its problems show at once."""
        waiting: deque[tuple[int, Future[BlockReport]]] = deque()
        for number, block in enumerate(stream):
            if number == 0 or self.jobs == 1:
                yield len(block.text), judge_block(block.text, block.line, self.everything)
                continue
            if self._pool is None:
                from concurrent.futures import ProcessPoolExecutor

                self._pool = ProcessPoolExecutor(self.jobs)
            task = self._pool.submit(judge_block, block.text, block.line, self.everything)
            waiting.append((len(block.text), task))
            while len(waiting) > 2 * self.jobs:
                size, task = waiting.popleft()
                yield size, task.result()
        while waiting:
            size, task = waiting.popleft()
            yield size, task.result()

    def _add(self, report: GameReport) -> None:
        """Count a report, and finish it."""
        if self.strict:
            report.problems = [replace(problem, severity="error") for problem in report.problems]
        for problem in report.problems:
            self.codes[problem.code] = self.codes.get(problem.code, 0) + 1
        if report.valid:
            self.warned += bool(report.problems)
        else:
            self.invalid += 1
            if self.invalid <= self.suggestions:
                suggest(report)
