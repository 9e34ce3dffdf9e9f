r"""Comments that a reader of a page writes: where each one goes in the record.

The scripts know no notation; they insert a comment at the place given here.

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
"""A comment inserted everywhere to find the places; no record contains the character NUL."""


def record_to_comment(game: Game) -> dict[str, Any] | None:
    """Return a game's record with the places for comments; None for a game with errors.

    `places` are by moment, "0" for the game, "17.2" after two plays of trick 17: the start and end
    of the white space that the comment in braces replaces, and the text before and after the
    comment. Places count UTF-16 units, as scripts do.  `digest` identifies the record.
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
    # Apart from white space, the text between two marks is the same in the record.
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
