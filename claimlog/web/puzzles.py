"""A page of puzzles that needs no server, and no script: what is hidden is opened by a click."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from claimlog import __version__
from claimlog.language import words
from claimlog.replay.viewpoint import Viewpoint, by_faction
from claimlog.web import assets
from claimlog.web.rendering import render
from claimlog.web.replay import Inline

if TYPE_CHECKING:
    from collections.abc import Sequence

    from claimlog.analysis.puzzles import Puzzle


def page_html(puzzles: Sequence[Puzzle], language: str) -> bytes:
    """A page with these puzzles, their hints and solutions."""
    theme, pages = (assets.unpacked(assets.page().files[name]).decode() for name in _STYLES)
    return render(
        "puzzles-file.html",
        language,
        version=__version__,
        style=Inline(theme + pages),
        puzzles=[_shown(one, language) for one in puzzles],
    )


_STYLES = ("theme.css", "pages.css")


def _shown(puzzle: Puzzle, language: str) -> dict[str, Any]:
    """What the page shows of a puzzle; nothing of what came after it in the game."""
    viewpoint = Viewpoint(puzzle.game, None, words(language))
    position = viewpoint.at(puzzle.trick, puzzle.played)
    players = [
        {
            "name": viewpoint.name(player.seat),
            "hand": [card for card in player.hand if card],
            "won": list(by_faction([*player.pile, *player.gnomes]).values()),
        }
        for player in position.players
    ]
    letter, wrong = puzzle.hints
    return {
        "trick": puzzle.trick,
        "total": puzzle.trick + puzzle.left - 1,
        "deck": puzzle.game.deck,
        "level": puzzle.level,
        "lines": puzzle.lines,
        "players": players,
        "plays": [(viewpoint.name(play.seat), play.card) for play in position.plays],
        "turn": viewpoint.name(puzzle.seat),
        "faction": letter,
        "wrong": wrong,
        "solution": puzzle.solution,
        "tries": [
            {
                "card": one.card.card,
                "result": one.card.value.at_least.result,
                "factions": "{}-{}".format(*one.card.value.at_least.factions),
                "line": [card for _, card in one.line],
            }
            for one in puzzle.tries
        ],
    }
