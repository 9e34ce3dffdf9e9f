"""The one card that would make a game legal.

A scorer's slip is nearly always one card.  Where changing one card makes the whole game
legal, and only one such change does, the report offers it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from claimlog.cards import CARDS, FACTION_OF, NAMES
from claimlog.notation.tokens import DISCARD, DRAW, FACE_DOWN, PICK, PLAY, SEER, UPCARD
from claimlog.replay.explain import only_warnings

if TYPE_CHECKING:
    from claimlog.replay.judge import Judge

_LONGEST = 400
"""Tokens: a legal game has fewer, and so no change of a card mends a longer one."""

_CHANGEABLE = frozenset({UPCARD, PLAY, DISCARD, PICK, SEER, DRAW})


def single_changes(judge: Judge, most: int = 2) -> list[tuple[int, int]]:
    """Single-card changes that make the last judged game legal: (token, new card).

    At most `most` are looked for.  The judge is left as it was.
    """
    sheet = judge.sheet
    found: list[tuple[int, int]] = []
    if sheet.faults or sheet.size > _LONGEST:
        return found
    deck = judge.deck
    cards = [card for card in range(CARDS) if deck >> FACTION_OF[card] & 1]
    tracing, judge.tracing = judge.tracing, False
    for token in range(sheet.size):
        written = sheet.card[token]
        if sheet.kind[token] not in _CHANGEABLE or written == FACE_DOWN:
            continue
        for card in cards:
            if card == written:
                continue
            sheet.card[token] = card
            if judge.judge(sheet) or only_warnings(judge):
                found.append((token, card))
                if len(found) == most:
                    break
        sheet.card[token] = written
        if len(found) == most:
            break
    judge.judge(sheet)
    judge.tracing = tracing
    return found


def suggestion(judge: Judge, line: int) -> str:
    """The one change that makes the last judged game legal, in words, or ""."""
    changes = single_changes(judge)
    if len(changes) != 1:
        return ""
    token, card = changes[0]
    sheet = judge.sheet
    start, end = sheet.start[token], sheet.end[token]
    row = line + sheet.text.count(b"\n", sheet.begin, start)
    written = sheet.text[start:end].decode(errors="replace").strip("+^!?-=~/,:")
    column = len(sheet.text[sheet.text.rfind(b"\n", 0, start) + 1 : start].decode()) + 1
    return (
        f"the game is legal if {written} in line {row}, column {column} is {NAMES[card]}, "
        "and by no other single card"
    )
