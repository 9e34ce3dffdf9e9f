"""What there is to report about one game: its problems, and the slip that explains them.

A stream of good games needs none of this.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from claimlog.game import Judged, Problem
from claimlog.language import words
from claimlog.replay.explain import is_stray, problems, reported_result

if TYPE_CHECKING:
    from collections.abc import Iterator

    from claimlog.language import Words
    from claimlog.replay.judge import Judge
    from claimlog.replay.slip import Slip


@dataclass(slots=True)
class GameReport(Judged):
    """The report of `claimlog validate` on one game; `game` and `line` count from 1.

    `source` has the text of the lines that problems point at, by line number; `text` is the game
    itself if it has errors, and `slip` the one slip that explains them all.  `doubtful`: several
    slips would, and the first error's message says where; `failure` is the error if the search for
    a slip failed.  `stray`: it does not look like a record at all.
    """

    game: int
    line: int
    complete: bool
    result: str
    problems: list[Problem]
    source: dict[int, str] = field(default_factory=dict)
    text: bytes = b""
    slip: Slip | None = None
    doubtful: bool = False
    failure: str = ""
    stray: bool = False

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
            "errors": [
                problem.report() | {"because": problem.follows or self.slip is not None}
                for problem in self.errors
            ],
            "warnings": [problem.report() | {"because": False} for problem in self.warnings],
            "slip": None if self.slip is None else self.slip.report(),
        }

    def make_strict(self) -> None:
        """Turn the warnings into errors."""
        self.problems = [replace(problem, severity="error") for problem in self.problems]

    def move(self, lines: int) -> None:
        """Move the report `lines` lines further down."""
        self.line += lines
        self.problems = [replace(p, line=p.line + lines) for p in self.problems]
        self.source = {line + lines: text for line, text in self.source.items()}
        if self.slip is not None:
            self.slip = replace(self.slip, line=self.slip.line + lines)


def report_game(
    judge: Judge, game: int, line: int, good: bool, slips: bool, language: str
) -> GameReport:
    """Report what the judge found in its game, number `game`, which begins on `line`.

    `good`: it found nothing.  `slips`: look for the slip that explains its errors.
    """
    report = GameReport(game, line, bool(judge.complete), reported_result(judge), [])
    if not good:
        report.problems = problems(judge, line, words(language))
        sheet = judge.sheet
        wanted = sorted({problem.line - line for problem in report.problems})
        for number, text in _lines(sheet.text, sheet.begin, sheet.finish, wanted):
            report.source[line + number] = text
        # The whole first line: white space before the tag or token is part of it.
        start = sheet.text.rfind(b"\n", 0, sheet.begin) + 1
        if line in report.source:
            head = sheet.text[start : sheet.begin].decode(errors="replace").lstrip("\ufeff")
            report.source[line] = head + report.source[line]
        report.text = sheet.text[start : sheet.finish]
        report.stray = is_stray(judge)
        if slips and not report.stray and not report.valid:
            _explain(report, words(language))
    return report


def _lines(text: bytes, begin: int, end: int, numbers: list[int]) -> Iterator[tuple[int, str]]:
    """The lines of the given numbers, ascending and from 0, between two offsets."""
    here = 0
    for number in numbers:
        while here < number and begin >= 0:
            begin = text.find(b"\n", begin, end) + 1 or -1
            here += 1
        if begin < 0:
            return
        stop = text.find(b"\n", begin, end)
        line = text[begin : end if stop < 0 else stop]
        yield number, line.decode(errors="replace").rstrip("\r")


def _explain(report: GameReport, say: Words) -> None:
    """Find the slip of a game with errors; several possible ones are added to the first error."""
    if any(problem.code == "encoding" for problem in report.problems):
        return  # no other text repairs bad bytes
    from claimlog.replay.slip import explain

    explanation = explain(report.text, report.line, say)
    report.slip = explanation.slip
    report.failure = explanation.failure
    if explanation.slip is not None:
        number = explanation.slip.line - report.line
        for _, text in _lines(report.text, 0, len(report.text), [number]):
            report.source.setdefault(explanation.slip.line, text.removeprefix("\ufeff"))
    places = explanation.sentence(say)
    for place, problem in enumerate(report.problems):
        if places and problem.severity == "error" and not problem.follows:
            message = f"{problem.message}; {places}"
            report.problems[place] = replace(problem, message=message)
            report.doubtful = True
            return
