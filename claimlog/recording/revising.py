"""Correct earlier tricks: apply some edits and judge everything that follows again.

A game is split into the words of its tricks; these are edited, and entered again from the first.
Comments on the cards move with them.  The cards of a trick keep the order in which they were
played: the leader determines whose they are.

>>> state = State("GKUWX", players=["Anna", "Ben"])
>>> for word in ("U7", "G5", "G8", "X3", "K4", "K2"):
...     do(state, word)
>>> revised(state, [{"do": "turn", "trick": 1}]).state.game().tricks
[<Trick 1. U7: 1=G8+ 2=G5>, <Trick 2. X3: 1=K4+ 2=K2>]
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from claimlog.notation.marks import FOR_THE_DIRECTOR
from claimlog.notation.writer import canonical
from claimlog.recording.entering import (
    OF_THE_END,
    Doubt,
    do,
    judged,
    read_record,
    record_of,
    stood,
)
from claimlog.state import UNSEEN, State

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from claimlog.game import Game, Play, Trick

__all__ = ["EDITS", "Edit", "Revision", "revised"]

Edit: TypeAlias = "dict[str, Any]"

EDITS: Final = {
    "card": (("trick", "was", "card"), ("place",)),
    "swap": (("trick", "place", "other"), ()),
    "turn": (("trick",), ()),
    "pick": (("trick",), ()),
    "look": (("trick",), ()),
    "insert": (("trick", "words"), ()),
    "delete": (("trick",), ()),
    "leader": (("seat",), ()),
    "ask": (("trick", "place"), ()),
    "settle": (("trick", "place"), ()),
}
"""The edits of tricks, each with its required and its optional fields.

A play is given by its `place` in the trick, from 1.  "card": the card `was` was another one;
"swap": two players played each other's cards; "turn": the order is rotated by one player, the last
card was the first; "pick": the two upcards went to the other player each; "look": the hidden card
was taken with a Seer if it had been left, or the reverse; "insert": a trick that was left out,
before `trick`; "delete": one that was not played; "leader": who led trick 1; "ask": the director is
to decide about a play; "settle": the director has decided.
"""


_LOOKED, _PICKED = "~", "="
_MARKS: Final = (_LOOKED, _PICKED, "/")
_CARD: Final = re.compile(r"([A-Z]\d+|_)")


@dataclass
class _Sheet:
    """The words of a trick, in order: its upcards, its plays, and the cards taken."""

    upcards: list[str] = field(default_factory=list)
    plays: list[tuple[str, list[str]]] = field(default_factory=list)
    """Each with its comments; a discard includes its mark."""
    taken: list[str] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    number: int = 0
    """The number of the trick, 0 if it was left out."""


@dataclass
class Revision:
    """The result of edits: the game as far as it goes, and the rest.

    `marked` are the plays that can only stand as revokes, and are marked as such; `doubt` is the
    objection that stops the game in trick `stopped`, `rest` the words from there on.  `dropped` are
    words that are no longer due.
    """

    state: State
    marked: list[Doubt] = field(default_factory=list)
    doubt: Doubt | None = None
    stopped: int = 0
    rest: list[str] = field(default_factory=list)
    dropped: list[str] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    """For each trick its previous number, 0 for one that was left out."""


def revised(state: State, edits: Sequence[Edit]) -> Revision:
    """Return a game with some edits, judged from the beginning; `state` is not changed.

    Raises `Doubt` for an edit that does not fit this game, KeyError for a trick or a seat that does
    not exist.
    """
    game = state.game()
    sheets = [_apart(trick) for trick in game.tricks]
    leader = game.leader
    for edit in edits:
        if edit["do"] == "leader":
            if edit["seat"] > game.seats:
                raise KeyError(f"there is no seat {edit['seat']}")
            leader = edit["seat"]
        else:
            _edit(sheets, edit, game.seats)
    revision = Revision(_bare(game, leader), numbers=[sheet.number for sheet in sheets])
    _enter(revision, sheets)
    if revision.doubt is None:
        _end(revision.state, state, game)
    return revision


def _apart(trick: Trick) -> _Sheet:
    """Split a trick into words."""
    taken = []
    if trick.looked:
        taken.append(f"{_LOOKED}{trick.hidden or UNSEEN}")
    if trick.pick:
        taken.append(f"{_PICKED}{trick.pick}")
    if trick.drawn:
        taken.append("/" + ",".join(card or UNSEEN for card in trick.drawn))
    mark = "-" if trick.auto else ""
    plays = [(f"{mark}{_word(play)}", list(play.comments)) for play in trick.plays]
    return _Sheet(list(trick.upcards), plays, taken, list(trick.comments), trick.number)


def _word(play: Play) -> str:
    return f"{play.card or UNSEEN}{'^' if play.irregular else ''}{play.annotation}"


def _edit(sheets: list[_Sheet], edit: Edit, seats: int) -> None:
    """Apply one edit; raises KeyError if its place does not exist."""
    what, number = edit["do"], edit["trick"]
    if what == "insert":
        if not 1 <= number <= len(sheets) + 1:
            raise KeyError(f"there is no trick {number}")
        sheets.insert(number - 1, _written(edit["words"], seats))
        return
    if not 1 <= number <= len(sheets):
        raise KeyError(f"there is no trick {number}")
    sheet = sheets[number - 1]
    if what == "delete":
        del sheets[number - 1]
    elif what == "turn":
        if len(sheet.plays) < seats:
            raise KeyError(f"trick {number} lacks a card")
        sheet.plays = [sheet.plays[-1], *sheet.plays[:-1]]
    elif what == "pick":
        _pick_other(sheet, number)
    elif what == "look":
        left = [word for word in sheet.taken if word[0] != _LOOKED]
        sheet.taken = left if len(left) < len(sheet.taken) else [_LOOKED + UNSEEN, *left]
    elif what == "card":
        _replace(sheet, edit)
    else:
        place = _place(sheet, edit, "place")
        if what == "swap":
            other = _place(sheet, edit, "other")
            plays = sheet.plays
            plays[place], plays[other] = plays[other], plays[place]
        else:
            comments = sheet.plays[place][1]
            comments[:] = [text for text in comments if text != FOR_THE_DIRECTOR]
            if what == "ask":
                comments.append(FOR_THE_DIRECTOR)


def _pick_other(sheet: _Sheet, number: int) -> None:
    """Let the first to pick take the other upcard."""
    picked = next((word[1:] for word in sheet.taken if word[0] == _PICKED), "")
    if picked not in sheet.upcards:
        raise KeyError(f"nobody picked an upcard in trick {number}")
    rest = [*sheet.upcards]
    rest.remove(picked)
    sheet.taken = [f"{_PICKED}{rest[0]}" if word[0] == _PICKED else word for word in sheet.taken]


def _place(sheet: _Sheet, edit: Edit, name: str) -> int:
    """The index of a play of a trick."""
    place: int = edit[name]
    if place > len(sheet.plays):
        raise KeyError(f"trick {edit['trick']} has no play {place}")
    return place - 1


def _written(words: Sequence[str], seats: int) -> _Sheet:
    """A trick given as words, in the order in which it was played."""
    sheet = _Sheet()
    plain = [word for word in words if word[:1] not in _MARKS]
    turned_up = max(len(plain) - seats, 0)
    sheet.upcards = plain[:turned_up]
    sheet.plays = [(word, []) for word in plain[turned_up:]]
    sheet.taken = [word for word in words if word[:1] in _MARKS]
    return sheet


def _replace(sheet: _Sheet, edit: Edit) -> None:
    """Replace a card, in all places of the trick where it occurs."""
    was, card = edit["was"].upper(), edit["card"].upper()
    replaced = False

    def other(word: str) -> str:
        nonlocal replaced
        parts = _CARD.split(word)
        replaced = replaced or was in parts
        return "".join(card if part == was else part for part in parts)

    if "place" in edit:
        place = _place(sheet, edit, "place")
        word, comments = sheet.plays[place]
        sheet.plays[place] = (other(word), comments)
    else:
        sheet.upcards = [other(word) for word in sheet.upcards]
        sheet.plays = [(other(word), comments) for word, comments in sheet.plays]
        sheet.taken = [other(word) for word in sheet.taken]
    if not replaced:
        raise KeyError(f"there is no {was} in trick {edit['trick']}")


def _bare(game: Game, leader: int) -> State:
    """The game before its first card."""
    tags = {name: value for name, value in game.tags.items() if name not in OF_THE_END}
    tags["Leader"] = str(leader)
    return read_record(canonical(replace(game, tags=tags, tricks=[], result="*", score=None)))


def _enter(revision: Revision, sheets: Sequence[_Sheet]) -> None:
    """Enter tricks again, as far as possible."""
    for number, sheet in enumerate(sheets, 1):
        words = list(_in_order(sheet))
        for at, (word, comments) in enumerate(words):
            doubt = _entered(revision, word)
            if doubt is not None:
                later = [word for one in sheets[number:] for word, _ in _in_order(one)]
                revision.doubt, revision.stopped = doubt, number
                revision.rest = [word for word, _ in words[at:]] + later
                return
            for text in comments:
                revision.state.comment(text)
        for text in sheet.comments:
            revision.state.comment(text, trick=number)


def _in_order(sheet: _Sheet) -> Iterator[tuple[str, list[str]]]:
    """The words of a trick, each with the comments after it."""
    yield from ((word, []) for word in sheet.upcards)
    yield from sheet.plays
    yield from ((word, []) for word in sheet.taken)


def _entered(revision: Revision, word: str) -> Doubt | None:
    """Enter a word; mark it if it can only stand as a revoke, drop it if it is not due."""
    while word:
        trial = revision.state.copy()
        try:
            do(trial, word)
        except Doubt as doubt:
            if "anyway" in doubt.remedies:
                revision.marked.append(doubt)
                if doubt.code == "follow":
                    word = _marked(word)
                else:
                    stood(revision.state, doubt)
                continue
            if word[0] in _MARKS and doubt.code == "word":
                revision.dropped.append(word)
                return None
            return doubt
        revision.state = trial
        return None
    return None


def _marked(word: str) -> str:
    """A play marked as a revoke that stands."""
    card = word.rstrip("!?")
    return f"{card}^{word[len(card) :]}"


def _end(made: State, before: State, game: Game) -> None:
    """End the game as it ended before, as far as possible."""
    for action in before.log:
        if action.kind == "loot" and action.card and made.can_loot(action.card):
            made.choose_loot(action.card)
    if before.finished:
        made.write_end(game.result, game.tags["Termination"])
        if judged(record_of(made)).errors:
            made.go_on()
