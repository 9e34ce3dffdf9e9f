"""Writing games: the canonical and the compact form (docs/notation.md, "Canonical form").

Both take the `claimlog.game.Game` of a legal record.  The text reads back as the same game, and the
canonical form of a canonical record is that record.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from claimlog.notation.tags import SEATS, TAGS, escape

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from claimlog.game import Game, Trick

_CARD_TAGS: Final = frozenset({"Pile", "LootCards", "Loot", *(f"Hand{seat}" for seat in SEATS)})
"""The tags that are written in upper case, like cards."""

_SPACE: Final = r"[ \t\n\r\v\f]+"


def canonical(game: Game, *, numbers: bool = True) -> str:
    """Write a game in canonical form, with a line break at the end.

    Without `numbers` the trick numbers are left out, which deviates from the canonical form.
    """
    lines = [*tag_lines(game.tags, game.deck), ""]
    if game.comments:
        lines.append(_comments(game.comments).strip())
    lines += [
        "".join(_trick(trick, " ", f"{trick.number}." if numbers else "")).removesuffix("\n")
        for trick in game.tricks
    ]
    lines.append(game.result)
    return _tidy("\n".join(lines))


def compact(game: Game) -> str:
    """Write a game in compact form: the tags, then all tricks on one line."""
    words = [_comments(game.comments).lstrip()] if game.comments else []
    words += ["".join(_trick(trick, "")) for trick in game.tricks]
    words.append(game.result)
    return _tidy("\n".join([*tag_lines(game.tags, game.deck), " ".join(words)]))


def _tidy(text: str) -> str:
    """Strip white space around line breaks, and end with a single one."""
    return "\n".join(line.strip(" ") for line in text.split("\n")) + "\n"


def tag_lines(tags: Mapping[str, str], deck: str = "") -> list[str]:
    """The tag section: known tags in the order of `TAGS`, others in their own order, Result last.

    `deck` is the deck's canonical letters, which are written unless they are "" (unknown).
    """
    values = dict(tags)
    if deck and "Deck" in values:
        values["Deck"] = deck
    for name in _CARD_TAGS & values.keys():
        values[name] = values[name].upper()
    known = [name for name in TAGS if name in values and name != "Result"]
    others = [name for name in values if name not in TAGS]
    last = ["Result"] if "Result" in values else []
    return [f'[{name} "{escape(values[name])}"]' for name in known + others + last]


def _trick(trick: Trick, space: str, number: str = "") -> Iterable[str]:
    """The tokens of a trick, `space` before each.

    A comment after a play would belong to the play.  If neither a choice nor a drawn card comes
    last, the trick's own comments therefore come before its first card: after its number, without a
    number after its upcards, and without these at the end after all.
    """
    comments = _comments(trick.comments, space)
    yield number
    if number and trick.ends_with_play:
        yield comments
    if trick.upcards:
        yield f"{space}{','.join(trick.upcards)}:"
        if not number and trick.ends_with_play:
            yield comments
    for play in trick.plays:
        mark = "+" if play.seat == trick.winner and not trick.auto else ""
        irregular = "^" if play.irregular else ""
        face_down = "-" if trick.auto else ""
        yield f"{space}{face_down}{play.card or '_'}{mark}{irregular}{play.annotation}"
        if play.comments:
            yield _comments(play.comments, space)
    if trick.looked:
        yield f"{space}~{trick.hidden or '_'}"
    if trick.pick:
        yield f"{space}={trick.pick}"
    if trick.drawn:
        yield f"{space}/{','.join(card or '_' for card in trick.drawn)}"
    if not (trick.ends_with_play and (number or trick.upcards)):
        yield comments


def _comments(comments: Iterable[str], space: str = " ") -> str:
    """Comments in braces; one with a closing brace in it runs to the end of its line.

    Line breaks become spaces, as they are read.
    """
    return "".join(
        f"{space}; {text}\n" if "}" in text else f"{space}{{{text}}}"
        for text in (re.sub(_SPACE, " ", comment).strip(" ") for comment in comments)
    )
