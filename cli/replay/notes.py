"""Comments and marks that a reader adds to games, until they are saved."""

from __future__ import annotations

from typing import TYPE_CHECKING

from claimlog.notation.tokens import ANNOTATIONS
from claimlog.notation.writer import canonical

if TYPE_CHECKING:
    from claimlog.game import Game, Play


class Notes:
    """The games of a file to which something was added, by number, and the unsaved changes."""

    def __init__(self) -> None:
        self.games: dict[int, Game] = {}
        self.unsaved = 0

    def comment(self, number: int, game: Game, trick: int, played: int, text: str) -> None:
        """Add a comment at a moment: to the last play, to the trick, or to the game."""
        game.comments_at(trick, played).append(" ".join(text.split()))
        self._changed(number, game)

    def mark(self, number: int, game: Game, play: Play) -> None:
        """Give a play the next annotation; the last one is followed by none."""
        play.annotation = ANNOTATIONS[(ANNOTATIONS.index(play.annotation) + 1) % len(ANNOTATIONS)]
        self._changed(number, game)

    def _changed(self, number: int, game: Game) -> None:
        self.games[number] = game
        self.unsaved += 1

    def texts(self) -> dict[int, str]:
        """The records of the games, in canonical form, by number."""
        return {number: canonical(game) for number, game in self.games.items()}

    def saved(self) -> None:
        """Note that everything has been saved."""
        self.games.clear()
        self.unsaved = 0
