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
from claimlog.language.messages import KeyedError, message_of
from claimlog.notation.tokens import ANNOTATIONS
from claimlog.notation.writer import canonical
from claimlog.rules.powers import seers

if TYPE_CHECKING:
    from collections.abc import Iterator

LONGEST: Final = 1 << 20
"""The maximum length of a record in characters."""


class NotAGame(KeyedError, ValueError):  # noqa: N818 — the name says it
    """JSON that is not a game."""


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
    """The CLM text of one JSON object.  Raises NotAGame if it is not a game."""
    try:
        entry = _DECODER.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise NotAGame("json.not-a-game", why=message_of(error)) from None
    if entry.record is not None:
        return entry.record.encode()
    if entry.tags is None:
        raise NotAGame("json.needs")
    for name in entry.tags:
        if not (name.isascii() and name.isidentifier() and name[0] != "_"):
            raise NotAGame("json.tag", name=name)
    result = entry.result or entry.tags.get("Result", "*")
    if not _RESULT.fullmatch(result):
        raise NotAGame("json.result", result=result)
    for trick in entry.tricks:
        _complete(trick)
        if not all(map(_WORD.fullmatch, _cards(trick))):
            raise NotAGame("json.card", trick=trick.number)
        if any(play.annotation not in ANNOTATIONS for play in trick.plays):
            raise NotAGame("json.annotation", trick=trick.number)
    game = Game(tags=entry.tags, comments=entry.comments, tricks=entry.tricks, result=result)
    text = canonical(game)
    if len(text) > LONGEST:
        raise NotAGame("json.too-long")
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
