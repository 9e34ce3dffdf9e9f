"""Findings in words: what is wrong, where, and what would be right.

`problems` converts what a `Sheet` and a `Judge` noted into the problems of the reports.  The
content of each message is worked out in `messages`.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from claimlog.cards import (
    CARDS,
    NAMES,
)
from claimlog.game import Problem
from claimlog.language import words
from claimlog.notation import problems as p
from claimlog.notation.tags import OTHER_TAG, TAG_FIELDS, TAGS
from claimlog.notation.tokens import DISCARD, DRAW, NO_CARD, PLAY, RESULT, SEER, UPCARD
from claimlog.replay.messages import message_of, tag_of
from claimlog.results import NO_RESULT, UNFINISHED, result_text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from claimlog.language import Words
    from claimlog.notation.sheet import Sheet
    from claimlog.replay.judge import Judge

    Finding = tuple[int, int, int, int, int, int, int, int]
    _Teller = Callable[[Words, Judge, Finding], str]

MOST: Final = 100
"""The most errors, and the most warnings, that are reported for a game."""

LOOKED_AT: Final = 1000
"""The most that are examined, as one token gets one error: no human slip causes more."""

_OF_THE_OUTCOME: Final = frozenset(
    {p.MISSING_LOOT, p.ILLEGAL_LOOT, p.NO_LOOT_DUE, p.RESULT_WRONG, p.VOTES_WRONG}
)
"""Findings that compare a tag or the result with the count made from the plays."""

_BOM: Final = "\ufeff"


def problems(
    judge: Judge, line: int, say: Words | None = None, languages: Sequence[str] = ()
) -> list[Problem]:
    """The problems of the game that `judge` judged last, in the order of the text.

    `line` is the number of the line (from 1) that contains the sheet's `begin`; `say` are the words
    for messages, English by default; each problem keeps its message in the other `languages`, too.
    At most `MOST` errors and as many warnings are reported; the last of them gives the number of
    the others.
    """
    say = say or words()
    page = _Page(judge, line)
    kept, left_out = _kept(judge)
    # No catalogue is loaded for a game without problems.
    others = [words(each) for each in languages if kept and each != say.language]
    broken = any(item[3] and p.CODE_OF[item[0]] not in p.WARNINGS for item in kept)
    listed: list[Problem] = []
    seen = [0, 0]
    # In the order of the text, because the page only moves down.
    for item in kept:
        warning = p.CODE_OF[item[0]] in p.WARNINGS
        seen[warning] += 1
        if seen[warning] <= MOST:
            problem = page.problem(item, message_of(say, judge, item))
            if others:
                texts = {each.language: message_of(each, judge, item) for each in others}
                problem = replace(problem, texts=texts)
            if broken and item[0] in _OF_THE_OUTCOME:
                problem = replace(problem, follows=True)
            listed.append(problem)
    listed.sort(key=_place)
    for severity, all_seen, more in zip(("error", "warning"), seen, left_out, strict=True):
        number = max(0, all_seen - MOST) + more
        places = [place for place, problem in enumerate(listed) if problem.severity == severity]
        if number and places:
            last = listed[places[-1]]
            listed[places[-1]] = replace(
                last,
                message=_and_more(say, last.message, number),
                texts={
                    each.language: _and_more(each, last.texts[each.language], number)
                    for each in others
                },
            )
    return listed


def _and_more(say: Words, text: str, number: int) -> str:
    """The last message, with the number of those that are left out."""
    shown = format(number, ",").replace(",", say("thousands"))
    return say("problem.and-more", text=text, number=shown)


def _place(problem: Problem) -> tuple[int, int, int, str, int, str, str]:
    """The sort key of problems, the same everywhere."""
    return (
        problem.line,
        problem.column,
        problem.end_column,
        problem.code,
        problem.seat or 0,
        problem.card or "",
        problem.message,
    )


def codes(judge: Judge) -> tuple[str, ...]:
    """The codes of `problems`, without the messages."""
    if not judge.sheet.faults and len(judge.findings) == 1:
        return (p.CODE_OF[judge.findings[0][0]],)
    return tuple(p.CODE_OF[finding[0]] for finding in _kept(judge)[0])


def reported_result(judge: Judge) -> str:
    """The result as written, in the movetext or else in the tag; as played if it is in neither."""
    sheet = judge.sheet
    if sheet.size and sheet.kind[sheet.size - 1] == RESULT:
        token = sheet.size - 1
        return sheet.text[sheet.start[token] : sheet.end[token]].decode()
    if judge.tag_result != NO_RESULT:
        return judge.text_of(TAGS.index("Result"))
    return result_text(judge.played_result() if judge.scored else UNFINISHED)


def is_stray(judge: Judge) -> bool:
    """Whether the text hardly looks like a record: no known tag, hardly a card."""
    sheet = judge.sheet
    if any(sheet.tag_id[i] != OTHER_TAG for i in range(sheet.tags)):
        return False
    kinds = bytes(sheet.kind[: sheet.size])
    cards = sum(map(kinds.count, (PLAY, UPCARD, DISCARD, DRAW, SEER)))
    return not cards or len(sheet.faults) + sheet.more_faults > max(cards, 4)


def _kept(judge: Judge) -> tuple[list[Finding], tuple[int, int]]:
    """The findings to report, and the numbers of errors and warnings not even examined."""
    faults = judge.sheet.faults
    tried = judge.sheet.tags or any(fault == p.SYNTAX_TAG for fault, *_ in faults)
    if len(faults) > (1 if tried else 0) and is_stray(judge):
        # What is not UTF-8 may still be a record, as in UTF-16.
        none = p.NO_RECORD, judge.sheet.begin, -1
        code, start, end = next((one for one in faults if one[0] == p.ENCODING), none)
        return [(code, start, end, 0, -1, NO_CARD, -1, 0)], (0, 0)
    findings = judge.findings
    more = judge.sheet.more_faults + judge.unsaid
    warnings_more = 0
    if len(faults) > LOOKED_AT or len(findings) > LOOKED_AT:
        errors = [item for item in findings if p.CODE_OF[item[0]] not in p.WARNINGS]
        warnings = [item for item in findings if p.CODE_OF[item[0]] in p.WARNINGS]
        more += max(0, len(faults) - LOOKED_AT) + max(0, len(errors) - LOOKED_AT)
        warnings_more = max(0, len(warnings) - LOOKED_AT)
        faults = faults[:LOOKED_AT]
        findings = errors[:LOOKED_AT] + warnings[:LOOKED_AT]
    unread = [
        (fault, start, end, _trick_at(judge, start), -1, NO_CARD, -1, 0)
        for fault, start, end in faults
    ]
    return _first_of_each_token(judge.sheet, unread + findings), (more, warnings_more)


def _trick_at(judge: Judge, offset: int) -> int:
    """The trick (from 1) whose text contains `offset`, 0 in the tags and before trick 1."""
    sheet = judge.sheet
    token = bisect_right(range(sheet.size), offset, key=lambda i: sheet.start[i]) - 1
    if token >= 0 and sheet.kind[token] == RESULT:
        token -= 1
    if token < 0:
        # A mark without a play; comments before trick 1 belong to the game.
        tags = sheet.tag_at[(sheet.tags - 1) * TAG_FIELDS + 1] if sheet.tags else 0
        return 1 if offset >= tags and sheet.text[offset : offset + 1] in b"+^!?" else 0
    tricks = min(judge.table.trick, 2 * judge.tricks + 1)
    return bisect_right(range(tricks), token, key=lambda t: judge.first_token[t])


def only_warnings(judge: Judge) -> bool:
    """Whether the judged game is legal: nothing unreadable, and no findings but warnings."""
    return not judge.sheet.faults and all(
        p.CODE_OF[finding[0]] in p.WARNINGS for finding in judge.findings
    )


def _first_of_each_token(sheet: Sheet, findings: list[Finding]) -> list[Finding]:
    """One token gets one code, the first of its errors in order of precedence."""
    first: dict[int, int] = {}
    tokens = [item[6] if item[6] >= 0 else _token_at(sheet, item) for item in findings]
    unreadable = sorted((start, end) for code, start, end, *_ in findings if code == p.ENCODING)
    unspaced = {start for code, start, *_ in findings if code == p.SYNTAX_SPACE}
    for (finding, *_), token in zip(findings, tokens, strict=True):
        if token >= 0:
            first[token] = min(finding, first.get(token, finding))
    kept = []
    for item, token in zip(findings, tokens, strict=True):
        finding, start, end = item[:3]
        if token >= 0 and first[token] != finding:
            continue
        if item[6] >= 0 and start in unspaced:
            continue
        if p.CODE_OF[finding] == "syntax" and unreadable:
            place = bisect_left(unreadable, (end, 0)) - 1
            if place >= 0 and start < unreadable[place][1]:
                continue
        kept.append(item)
    return sorted(set(kept), key=lambda item: item[1:] + item[:1])


def _token_at(sheet: Sheet, finding: Finding) -> int:
    """The token that a finding without one points at, -1 if none.

    Problems of the whole game have no trick, whatever they point at.
    """
    _, start, end, trick = finding[:4]
    token = bisect_right(range(sheet.size), start, key=lambda i: sheet.start[i]) - 1
    if not trick or token < 0 or sheet.kind[token] == RESULT or not 0 <= end <= sheet.end[token]:
        return -1
    return token


class _Page:
    """Finds lines and columns, in characters, in the text of a sheet, from top to bottom."""

    def __init__(self, judge: Judge, line: int) -> None:
        self.judge = judge
        sheet = self.sheet = judge.sheet
        self.line = line
        self.at = sheet.text.rfind(b"\n", 0, sheet.begin) + 1
        self.column = 1

    def go_to(self, start: int) -> None:
        """Move to the offset `start`, which must not be before the previous one."""
        text = self.sheet.text
        breaks = text.count(b"\n", self.at, start)
        if breaks:
            self.line += breaks
            self.at = text.rfind(b"\n", self.at, start) + 1
            self.column = 1
        before = text[self.at : start].decode(errors="replace")
        self.column += len(before.removeprefix(_BOM) if self.column == 1 else before)
        self.at = start

    def problem(self, finding: Finding, message: str) -> Problem:
        code = p.CODE_OF[finding[0]]
        _, start, end, trick, seat, card = finding[:6]
        text = self.sheet.text
        self.go_to(start)
        line, column = self.line, self.column
        if end < 0:
            end = text.find(b"\n", start)
            end = len(text) if end < 0 else end
            end -= text[start:end].endswith(b"\r")
        width = len(text[start:end].decode(errors="replace"))
        return Problem(
            code=code,
            severity="warning" if code in p.WARNINGS else "error",
            message=message,
            line=line,
            column=column,
            end_column=column + max(width, 1),
            trick=trick or None,
            seat=seat + 1 if seat >= 0 else None,
            card=NAMES[card] if card < CARDS else None,
            tag=_about(code, trick) or tag_of(self.judge, finding)[0],
        )


def _about(code: str, trick: int) -> str:
    """The tag that a problem is about, wherever it points."""
    if code in ("incomplete", "result"):
        return "Result"
    if code in ("missing-choice", "illegal-choice") and not trick:
        return "Loot"
    return "Votes" if code == "votes" else ""
