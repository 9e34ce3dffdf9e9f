r"""Mending records: unique repairs of slips, each with a comment that quotes the old text.

>>> text = b'[Deck "GKUWX"]\n\n1. U7: G5 G8+ /W2\n2. X3 K4+ U1 /G0\n*\n'
>>> mended, (repair,) = mend(text)
>>> repair.after
'2. X3: {corrected: was X3} K4+ U1 /G0'
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from claimlog.notation.reader import find_bad_bytes, is_clean
from claimlog.notation.sheet import Sheet
from claimlog.notation.tags import TAG_FIELDS
from claimlog.replay.explain import is_stray, only_warnings
from claimlog.replay.judge import Judge
from claimlog.replay.slip import explain

if TYPE_CHECKING:
    from claimlog.language import Words
    from claimlog.replay.slip import Slip

__all__ = ["Repair", "mend"]

_ENDS: Final = b" \t\r\n\v\f{;"
"""Bytes before which a comment may be inserted."""


@dataclass(frozen=True, slots=True)
class Repair:
    """A slip that was mended: its place in the original text, and its lines before and after."""

    slip: Slip
    before: str
    after: str


def mend(data: bytes, say: Words | None = None) -> tuple[bytes, list[Repair]]:
    """Mend every game of a file that exactly one repair of a single slip makes legal.

    Returns the new file and the repairs; everything else stays as it is, byte for byte.  `say` are
    the words for the slips' messages.
    """
    sheet, judge = Sheet(), Judge()
    clean = is_clean(data)
    parts: list[bytes] = []
    repairs: list[Repair] = []
    done = at = line = 0
    while at < len(data):
        after = sheet.read(data, at, True)
        game_line = line + sheet.line + 1
        line += sheet.lines
        if sheet.found():
            if not clean:
                find_bad_bytes(sheet, after)
            legal = judge.judge(sheet) or only_warnings(judge)
            if not legal and not is_stray(judge):
                start = data.rfind(b"\n", 0, sheet.begin) + 1
                mended = _mended(data[start : sheet.finish], game_line, judge, say)
                if mended is not None:
                    text, repair = mended
                    parts += [data[done:start], text]
                    done = sheet.finish
                    repairs.append(repair)
        at = after
    return b"".join([*parts, data[done:]]), repairs


def _mended(text: bytes, line: int, judge: Judge, say: Words | None) -> tuple[bytes, Repair] | None:
    """A game with its slip mended, if there is only one way to do so; otherwise None."""
    if not is_clean(text):
        return None
    slip = explain(text, line, say).slip
    if slip is None or slip.mended is None:
        return None
    core = slip.core or slip.end
    was = b" ".join(text[slip.start : core].replace(b"}", b")").split())
    comment = b"{corrected: was %b}" % was
    mended = slip.mended.encode()
    if slip.trick is None:
        # A tag: the comment belongs to the game.
        sheet = Sheet()
        sheet.read(text, 0, True)
        last = sheet.tag_at[(sheet.tags - 1) * TAG_FIELDS + 1]
        place = sheet.start[0] if sheet.size else last
        first, found, _ = text.partition(b"\n")
        line_end = b"\r\n" if found and first.endswith(b"\r") else b"\n"
        new = b"".join(
            [text[: slip.start], mended, text[slip.end : place], comment, line_end, text[place:]]
        )
    elif slip.core:
        head, tail = slip.mended[: slip.kept].encode(), slip.mended[slip.kept :].encode()
        new = b"".join([text[: slip.start], head, b" ", comment, tail, text[slip.end :]])
    else:
        place = slip.end
        while place < len(text) and text[place] not in _ENDS:
            place += 1
        rest = text[place:]
        gap = b"" if not rest or rest[:1].isspace() else b" "
        new = b"".join(
            [text[: slip.start], mended, text[slip.end : place], b" ", comment, gap, rest]
        )
    sheet = Sheet()
    sheet.read(new, 0, True)
    if sheet.faults or not (judge.judge(sheet) or only_warnings(judge)):
        return None
    shown = slice(text.rfind(b"\n", 0, slip.start) + 1, text.find(b"\n", slip.end))
    before = text[shown].decode() if shown.stop >= 0 else text[shown.start :].decode()
    grown = len(new) - len(text) if slip.trick is not None else len(mended) - slip.end + slip.start
    after = new[shown.start : (shown.stop if shown.stop >= 0 else len(text)) + grown].decode()
    return new, Repair(slip, before.rstrip("\r"), after.rstrip("\r"))
