"""Games as JSON: an object with the record, or a report as `claimlog replay` prints it.

A report shows what was taken, not how it was written, so choices and draws are worked out
from there; comments and annotations are not in it.
"""

from __future__ import annotations

from typing import Any

import msgspec

from claimlog.notation.writer import tag_lines


class Play(msgspec.Struct):
    """A play of a report."""

    seat: int
    card: str | None


class Trick(msgspec.Struct):
    """A trick of a report, as far as it fixes the notation."""

    number: int
    plays: list[Play]
    phase: int = 1
    auto: bool = False
    upcards: list[str] = []
    winner: int | None = None
    ranking: list[int] | None = None
    taken: dict[str, str | None] | None = None


class Game(msgspec.Struct):
    """A game as JSON: `record` alone, or `tags` with `tricks`."""

    record: str | None = None
    tags: dict[str, str] | None = None
    tricks: list[Trick] = []
    result: str | None = None


_DECODER = msgspec.json.Decoder(Game)


def text_of_line(line: bytes) -> bytes:
    """The CLM text of one JSON object.  Raises ValueError if it is none."""
    try:
        game = _DECODER.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ValueError(f"this is no game in JSON: {error}") from None
    if game.record is not None:
        return game.record.encode()
    if game.tags is None:
        raise ValueError("a game in JSON has `record`, or `tags` and `tricks`")
    for name in game.tags:
        if not (name.isascii() and name.isidentifier() and name[0] != "_"):
            raise ValueError(f"{name!r} is no tag name")
    words = [*tag_lines(game.tags), ""]
    words += [_trick(trick) for trick in game.tricks]
    words.append(game.result or game.tags.get("Result", "*"))
    text = "\n".join(words) + "\n"
    if len(text) > 1 << 20:
        raise ValueError("this is no game: it is too long")
    return text.encode()


def _trick(trick: Trick) -> str:
    words: list[Any] = [f"{trick.number}."]
    if trick.upcards:
        words.append(",".join(trick.upcards) + ":")
    for play in trick.plays:
        mark = "+" if play.seat == trick.winner and not trick.auto else ""
        words.append(f"{'-' if trick.auto else ''}{play.card or '_'}{mark}")
    if trick.phase == 1 and trick.ranking and trick.taken:
        words += _taken(trick, [trick.taken.get(str(seat)) for seat in trick.ranking])
    text = " ".join(words)
    if any(c in text for c in "[]{};\n\r"):
        raise ValueError(f"trick {trick.number} holds what is no card")
    return text


def _taken(trick: Trick, taken: list[str | None]) -> list[str]:
    """Seer, pick and draws: `taken` are the cards taken, in rank order."""
    words = []
    won = next((play.card for play in trick.plays if play.seat == trick.winner), None)
    ups = list(trick.upcards)
    seer = bool(won) and str(won).startswith("S") and not trick.auto and taken[0] not in ups
    if seer:
        words.append(f"~{taken[0] or '_'}")
        taken = taken[1:]
    if len(taken) + seer > 2 and taken[0]:
        words.append(f"={taken[0]}")
    drawn = taken[len(ups) :]
    if drawn and any(drawn):
        words.append("/" + ",".join(card or "_" for card in drawn))
    return words
