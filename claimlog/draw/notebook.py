"""What a notebook shows of games: a table and the last position, in the language of the locale."""

from __future__ import annotations

import os
from html import escape
from typing import TYPE_CHECKING, Final

from claimlog.draw.picture import position_svg
from claimlog.language import language_of, words
from claimlog.replay.narration import Narrator
from claimlog.replay.viewpoint import Viewpoint

if TYPE_CHECKING:
    from claimlog.game import Game
    from claimlog.language import Words

__all__ = ["game_html", "game_svg"]

_SIZE: Final = (840, 560)
"""What fits into a cell of a notebook, in pixels."""


def game_svg(game: Game) -> str | None:
    """Return the last position of a game with open cards, None if it has no trick."""
    viewpoint = Viewpoint(game)
    if not viewpoint.last:
        return None
    return position_svg(viewpoint, viewpoint.at(viewpoint.last), _words(), size=_SIZE)


def game_html(game: Game) -> str:
    """Return the players, the result, the problems of the record, and the last position."""
    say = _words()
    narrator = Narrator(Viewpoint(game, say=say), say)
    rows = [(say("seat", number=seat), narrator.player(seat)) for seat in narrator.names]
    rows += narrator.details()
    table = "".join(
        f"<tr><th>{escape(name)}</th><td>{escape(value)}</td></tr>" for name, value in rows
    )
    items = "".join(
        f"<li>{escape(narrator.problem(one))}</li>" for one in narrator.viewpoint.problems
    )
    return f"<table>{table}</table>{items and f'<ul>{items}</ul>'}{game_svg(game) or ''}"


def _words() -> Words:
    return words(language_of(os.environ))
