r"""Comments that a reader of a page writes: where each one goes in the record.

The scripts know no notation.  They put a comment where it is said here.

>>> from claimlog.replay.recorder import replay_text
>>> game = next(replay_text('[Deck "GKUWX"]\n1. U7: G5 K8+ /W2 2. X3: K4 *'))
>>> record = record_to_comment(game)
>>> start, end, before, after = record["places"]["1.1"]
>>> text = record["text"]
>>> (text[:start] + before + "{why?}" + after + text[end:]).splitlines()[2]
'1. U7: G5 {why?} K8+ /W2'
"""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING, Any, Final

from claimlog.notation.writer import canonical

if TYPE_CHECKING:
    from claimlog.game import Game

__all__ = ["record_to_comment"]

_MARK: Final = re.compile(r"(\s*)\{\0([\d.]+)\}(\s*)")
"""A comment as it is put everywhere to see where it goes; no record holds the character NUL."""


def record_to_comment(game: Game) -> dict[str, Any] | None:
    """The record of a game, and where a comment goes in it; None for a game with errors.

    `places` are by moment, "0" for the game, "17.2" after two plays of trick 17: from where to
    where white space is taken out for the comment in braces, and what stands before and after it
    instead.  Places count UTF-16 units, as scripts do.  `digest` tells records apart.
    """
    if not game.legal:
        return None
    text = canonical(game)
    comments = {"0": game.comments} | {
        f"{trick.number}.{played}": game.comments_at(trick.number, played)
        for trick in game.tricks
        for played in range(1, len(trick.plays) + 1)
    }
    for name, there in comments.items():
        there.append(f"\0{name}")
    try:
        marked = canonical(game)
    finally:
        for there in comments.values():
            there.pop()
    # What stands between two marks stands in the record, too, but for white space.
    places = {}
    at, end = 0, 0
    for mark in _MARK.finditer(marked):
        for character in marked[end : mark.start()]:
            if not character.isspace():
                at = text.index(character, at) + 1
        end = mark.end()
        white = re.compile(r"\s*").match(text, at)
        assert white is not None
        places[mark[2]] = [_units(text[:at]), _units(text[: white.end()]), mark[1], mark[3]]
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return {"text": text, "places": places, "digest": digest[:16]}


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
