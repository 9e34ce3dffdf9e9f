"""Results as a director types them: one line for each table, as short as possible.

    7 1-0          side 1 wins at table 7
    7 1            the same
    8 ½-½ 2-2      a shared win (also =, 1/2-1/2, 0.5-0.5), with the factions of each side
    9 forfeit 2    side 2 did not show up; without a number nobody did
    10 -           no result yet: removes the one that was typed

>>> read_line("8 ½-½ 2-2")
Line(table=8, result='1/2-1/2', votes=(2, 2), forfeit=(), cleared=False)
>>> read_line("9 forfeit 2")
Line(table=9, result='', votes=(), forfeit=(2,), cleared=False)
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from claimlog.directing.model import TableResult
from claimlog.language.messages import KeyedError
from claimlog.results import result_of, result_text

_SHARES: Final = {
    **{"1": "1", "0": "0"},
    **dict.fromkeys(("½", "1/2", "0.5", "0,5", ".5", "5"), "1/2"),
    **dict.fromkeys(("⅓", "1/3"), "1/3"),
}
_NOBODY: Final = (1, 2, 3)
"""All sides there may be, which did not show up."""
_FORFEIT: Final = frozenset(("forfeit", "ff", "kampflos", "k"))
_HYPHENS: Final = str.maketrans("–—:", "---")
_VOTES: Final = re.compile(r"[0-9]{1,2}(-[0-9]{1,2}){1,2}")
_COMMA: Final = re.compile(
    r"(?<=0),5(?=[-–—:]0([-–—:]0)?[,.]5)|(?<=[.,]5[-–—:]0),5|(?<=[.,]5[-–—:]0[-–—:]0),5"
)
"""The decimal comma of a German half in a pair of halves, which separates no results."""
_TABLE: Final = re.compile(r"[0-9]{1,4}")


class Unreadable(KeyedError, ValueError):  # noqa: N818 — the name says it
    """A line without a valid result; the message says what is wrong with it."""


class Line(NamedTuple):
    """What a line says about a table.

    `result` is written as in a record, "" if it follows from `forfeit`, the sides that did not show
    up (all sides if nobody did); at a table of three the other two may have played.  "=" is a win
    that all share.
    """

    table: int
    result: str = ""
    votes: tuple[int, ...] = ()
    forfeit: tuple[int, ...] = ()
    cleared: bool = False


def lines_of(text: str) -> list[tuple[int, str]]:
    """Split a text into results, each with the number of its line.

    Results are on separate lines, or separated by commas or semicolons.
    """
    return [
        (number, part.strip())
        for number, line in enumerate(_COMMA.sub(".5", text).splitlines(), 1)
        for part in re.split("[,;]", line)
        if part.strip()
    ]


def read_line(text: str) -> Line:
    """Read a line.  Raises Unreadable."""
    words = text.translate(_HYPHENS).split()
    if not words or not _TABLE.fullmatch(words[0]) or not int(words[0]):
        raise Unreadable("typed.table", words=text)
    table, rest = int(words[0]), words[1:]
    if not rest:
        raise Unreadable("typed.no-result", table=table)
    if rest == ["-"] or rest == ["*"]:
        return Line(table, cleared=True)
    if rest[0].lower() in _FORFEIT:
        return Line(table, forfeit=_absent(table, rest[1:]))
    absent: tuple[int, ...] = ()
    if at := next((k for k, word in enumerate(rest) if word.lower() in _FORFEIT), 0):
        absent = _absent(table, rest[at + 1 :])
        if absent == _NOBODY:
            raise Unreadable("typed.forfeit", table=table)
        rest = rest[:at]
    if len(rest) > 2:
        raise Unreadable("typed.too-much", table=table, words=" ".join(rest[2:]))
    votes: tuple[int, ...] = ()
    if len(rest) == 2:
        if not _VOTES.fullmatch(rest[1]):
            raise Unreadable("typed.votes", table=table, word=rest[1])
        votes = tuple(map(int, rest[1].split("-")))
    return Line(table, _result(table, rest[0]), votes, absent)


def result_at(line: Line, sides: int) -> TableResult | None:
    """Return the result that a line gives for a table with this many sides; None removes it.

    Raises Unreadable.
    """
    if line.cleared:
        return None
    everybody = range(1, sides + 1)
    sole = int(line.result) if line.result in ("1", "2", "3") else 0
    named = () if line.forfeit == _NOBODY else line.forfeit
    if max(sole, *named, 0) > sides:
        raise Unreadable("desk.sides", table=line.table, number=sides)
    if line.forfeit and not line.result:
        absent = tuple(side for side in everybody if side in line.forfeit)
        if len(absent) not in (sides - 1, sides):
            raise Unreadable("typed.absent", table=line.table, absent=absent[0])
        winners = sum(1 << side - 1 for side in everybody if side not in absent)
        return TableResult(result=result_text(result_of(sides, winners)), forfeit=absent)
    result = line.result
    if result == "=":
        result = result_text(result_of(sides, (1 << sides) - 1))
    elif sole:
        result = result_text(result_of(sides, 1 << sole - 1))
    return TableResult(result=result, votes=line.votes, forfeit=line.forfeit)


def _absent(table: int, words: list[str]) -> tuple[int, ...]:
    """Return the sides that did not show up: those given, or all."""
    if len(words) > 2 or not all(re.fullmatch("[123]", word) for word in words):
        raise Unreadable("typed.forfeit", table=table)
    return tuple(sorted({int(word) for word in words})) or _NOBODY


def _result(table: int, word: str) -> str:
    """Return a result as in a record; a bare number, "1", is the side that wins alone."""
    if word == "=" or re.fullmatch("[123]", word):
        return word
    shares = [_SHARES.get(part) for part in word.split("-")]
    if len(shares) not in (2, 3) or None in shares:
        raise Unreadable("typed.result", table=table, word=word)
    return "-".join(filter(None, shares))
