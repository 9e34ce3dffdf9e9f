"""Games printed as text: plain for a pipe, in colour on a terminal that supports it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from claimlog.replay.viewpoint import Viewpoint

from ..layout import text_of
from ..palette import escape
from .page import Pages

if TYPE_CHECKING:
    from typing import TextIO

    from claimlog.game import Game
    from claimlog.language import Words

    from ..layout import Line

WIDTH: Final = 80
"""The width of text that does not go to a terminal."""


class Printer:
    """Prints pages to a stream."""

    def __init__(self, out: TextIO, words: Words) -> None:
        self.out = out
        self.words = words
        self.width = WIDTH
        self.colors = False
        reconfigure = getattr(out, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")
        if out.isatty():
            self.colors = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
            self.width = max(40, min(_columns(out), 160))

    def lines(self, lines: list[Line]) -> None:
        """Print lines, each with a line break."""
        write = self.out.write
        for line in lines:
            write((self._colored(line) if self.colors else text_of(line)) + "\n")

    def _colored(self, line: Line) -> str:
        return "".join(
            f"{begin}{text}\x1b[0m" if text.strip() and (begin := escape(style)) else text
            for text, style in line
        ).rstrip()

    def game(self, game: Game, number: int, view: int | None) -> None:
        """Print a whole game."""
        viewpoint = Viewpoint(game, view, self.words)
        pages = Pages(viewpoint, self.words)
        words, width = self.words, self.width
        if number > 1:
            self.lines([[]])
        title = f"{words('game', number=number)} · {pages.narrator.title()}"
        self.lines([[(title, "b")], [("=" * min(len(title), width), "dim")]])
        self.lines(pages.tags(width))
        self.lines(pages.comments(game.comments, width))
        self.lines(pages.problems([p for p in viewpoint.problems if p.trick is None], width))
        phase = 0
        for trick in game.tricks:
            if trick.phase != phase:
                phase = trick.phase
                start = viewpoint.at(trick.number, 0)
                heading = words(f"phase-{phase}")
                self.lines([[], [(heading, "b")], [("-" * len(heading), "dim")]])
                self.lines(pages.hands(start, width, only_hands=True))
                if phase == 2:
                    self.lines(pages.piles(start, width))
            self.lines([[], [(words("trick", number=trick.number), "b")]])
            self.lines(pages.trick(viewpoint.at(trick.number), width))
        ending = viewpoint.ending()
        heading = pages.narrator.end()
        self.lines([[], [(heading, "b")], [("-" * len(heading), "dim")]])
        if ending is not None:
            self.lines(pages.ending(ending, width))
        else:
            if game.tricks:
                last = viewpoint.at(viewpoint.last)
                self.lines([*pages.hands(last, width), *pages.piles(last, width)])
            self.lines(pages.sentences([pages.narrator.stopped()], width, "b"))
        late = [p for p in viewpoint.problems if (p.trick or 0) > viewpoint.last]
        self.lines(pages.problems(late, width))

    def position(self, game: Game, number: int, trick: int, view: int | None) -> None:
        """Print the position after one trick."""
        viewpoint = Viewpoint(game, view, self.words)
        pages = Pages(viewpoint, self.words)
        position = viewpoint.at(trick)
        self.lines(pages.top(position, self.words("game", number=number), self.width))
        self.lines(pages.position(position, self.width))
        elsewhere = [p for p in viewpoint.problems if p.trick != trick]
        self.lines(pages.problems(elsewhere, self.width))

    def problems(self, game: Game, message: str) -> None:
        """Print a message and a game's errors."""
        pages = Pages(Viewpoint(game), self.words)
        self.lines([[(message, "b")], *pages.problems(game.errors, self.width)])


def _columns(out: TextIO) -> int:
    try:
        return int(os.environ.get("COLUMNS", "")) or WIDTH
    except ValueError:
        pass
    try:
        return os.get_terminal_size(out.fileno()).columns or WIDTH
    except (OSError, ValueError):
        return WIDTH
