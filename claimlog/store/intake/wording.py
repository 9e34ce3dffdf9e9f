"""Word the problems of a record in another language."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from claimlog.language import LANGUAGES
from claimlog.replay.validate import judge_block
from claimlog.store.model.types import ReportedProblem

if TYPE_CHECKING:
    from collections.abc import Sequence


def in_language(
    problems: Sequence[ReportedProblem], text: bytes, language: str
) -> list[ReportedProblem]:
    """Return the problems of the record `text`, given in English, in `language`.

    The record is judged again.  Problems that are not found then stay in English, as in a text that
    is no record of one game.
    """
    if not problems or language == LANGUAGES[0]:
        return list(problems)
    reports = judge_block(text, 1, False, language=language).reports
    worded = [ReportedProblem.of(problem) for report in reports for problem in report.problems]
    found = {_without_words(one): one for one in worded}
    return [found.get(_without_words(one), one) for one in problems]


def _without_words(problem: ReportedProblem) -> ReportedProblem:
    return msgspec.structs.replace(problem, message="")
