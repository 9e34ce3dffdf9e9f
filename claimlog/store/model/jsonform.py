"""Games as JSON: an object with the record, or a game of the model (`claimlog.game.Game`).

The part of the latter that `claimlog replay` prints is enough: it shows which cards were taken, not
how that was written, so picks and draws are derived from it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import msgspec

from claimlog.cards import NAMES
from claimlog.game import Game, Trick
from claimlog.language.messages import message_of
from claimlog.notation.tokens import ANNOTATIONS
from claimlog.notation.writer import canonical
from claimlog.rules.powers import seers

if TYPE_CHECKING:
    from collections.abc import Iterator

LONGEST: Final = 1 << 20
"""The maximum length of a record in characters."""


class _Entry(msgspec.Struct):
    """A game as JSON: `record` alone, or `tags` with `tricks`."""

    record: str | None = None
    tags: dict[str, str] | None = None
    comments: list[str] = []
    tricks: list[Trick] = []
    result: str | None = None


_DECODER: Final = msgspec.json.Decoder(_Entry)
_WORD: Final = re.compile(r"[^\s\[\]{};]+")
"""Text that is read as one card at most, whether that card exists or not."""
_RESULT: Final = re.compile(r"[*0-9/-]+")


def text_of_line(line: bytes) -> bytes:
    """The CLM text of one JSON object.  Raises ValueError if it is not one."""
    try:
        entry = _DECODER.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ValueError(f"this is not a game in JSON: {message_of(error)}") from None
    if entry.record is not None:
        return entry.record.encode()
    if entry.tags is None:
        raise ValueError("a game in JSON needs `record`, or `tags` and `tricks`")
    for name in entry.tags:
        if not (name.isascii() and name.isidentifier() and name[0] != "_"):
            raise ValueError(f"{name!r} is not a tag name")
    result = entry.result or entry.tags.get("Result", "*")
    if not _RESULT.fullmatch(result):
        raise ValueError(f"{result!r} is not a result")
    for trick in entry.tricks:
        _complete(trick)
        if not all(map(_WORD.fullmatch, _cards(trick))):
            raise ValueError(f"trick {trick.number} contains something that is not a card")
        if any(play.annotation not in ANNOTATIONS for play in trick.plays):
            raise ValueError(f"trick {trick.number} contains something that is not an annotation")
    game = Game(tags=entry.tags, comments=entry.comments, tricks=entry.tricks, result=result)
    text = canonical(game)
    if len(text) > LONGEST:
        raise ValueError("this is too long for a game")
    return text.encode()


def _cards(trick: Trick) -> Iterator[str]:
    """Every card with which a trick is written."""
    yield from trick.upcards
    for card in (*(play.card for play in trick.plays), trick.hidden, trick.pick):
        if card is not None:
            yield card
    yield from filter(None, trick.drawn or ())


def _complete(trick: Trick) -> None:
    """Add Seer, pick and draws if only the cards taken are given."""
    if trick.looked or trick.pick or trick.drawn:
        return
    if trick.phase != 1 or not trick.ranking or not trick.taken:
        return
    taken = [trick.taken.get(seat) for seat in trick.ranking]
    won = trick.winning
    seer = bool(won and won.card in NAMES and seers(NAMES.index(won.card)))
    if seer and not trick.auto and taken[0] not in trick.upcards:
        trick.looked = True
        trick.hidden = taken.pop(0)
    if len(trick.ranking) > 2 and taken[0]:
        trick.pick = taken[0]
    drawn = taken[len(trick.upcards) :]
    if any(drawn):
        trick.drawn = drawn
