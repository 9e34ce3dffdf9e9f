"""The plays of a record that a scorer left to the director to decide."""

from __future__ import annotations

from typing import TYPE_CHECKING

from claimlog.notation.marks import FOR_THE_DIRECTOR

if TYPE_CHECKING:
    from claimlog.game import Game, Play

__all__ = ["left_to_director"]


def left_to_director(game: Game) -> list[tuple[int, Play]]:
    """Return the plays that the director is to decide about, each with the number of its trick."""
    return [
        (trick.number, play)
        for trick in game.tricks
        for play in trick.plays
        if FOR_THE_DIRECTOR in play.comments
    ]
