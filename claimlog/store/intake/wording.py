"""Word the problems of a refused record in another language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from claimlog.language import LANGUAGES
from claimlog.replay.validate import judge_block
from claimlog.store.model.types import ReportedProblem

if TYPE_CHECKING:
    from collections.abc import Sequence


def in_language(
    problems: Sequence[ReportedProblem], text: bytes, language: str
) -> list[ReportedProblem]:
    """Return the problems of the record `text`, given in English, in `language`.

    The record is judged again.  If that finds others, as in a text that is no record of one game,
    those given are returned.
    """
    if not problems or language == LANGUAGES[0]:
        return list(problems)
    reports = judge_block(text, 1, False, language=language).reports
    worded = [ReportedProblem.of(problem) for report in reports for problem in report.problems]
    if [(one.code, one.line) for one in worded] != [(one.code, one.line) for one in problems]:
        return list(problems)
    return worded
