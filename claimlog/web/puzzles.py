"""Puzzles on pages: in a file without server or script, and beside a server's board."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from claimlog import __version__
from claimlog.language import words
from claimlog.replay.viewpoint import Viewpoint, by_faction
from claimlog.web import assets
from claimlog.web.rendering import render
from claimlog.web.replay import Inline, replay_data, replay_json, script_head
from claimlog.web.worth import value_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from claimlog.analysis.puzzles import Puzzle


def page_html(puzzles: Sequence[Puzzle], language: str) -> bytes:
    """Return a page with these puzzles, their hints and solutions."""
    theme, pages = (assets.unpacked(assets.page().files[name]).decode() for name in _STYLES)
    return render(
        "puzzles-file.html",
        language,
        version=__version__,
        style=Inline(theme + pages),
        puzzles=[shown(one, language) for one in puzzles],
    )


def board(puzzle: Puzzle, language: str) -> Markup:
    """Return the initial data of the page's script: the solution, of which it shows the start."""
    script = Markup('<script type="application/octet-stream" id="replay-data">{}</script>')
    return script.format(replay_json(line(puzzle, puzzle.solution, language)["data"]))


def line(puzzle: Puzzle, card: str, language: str) -> dict[str, Any]:
    """Return how the game continues after a card, for the script.

    It contains nothing of the real continuation.  Raises KeyError if the card may not be played.
    """
    one = puzzle.tried(card)
    game = puzzle.played_on(card)
    assert one is not None
    return {
        "value": value_of(one.card.value),
        "data": replay_data(game, views=[None], languages=(language,)),
    }


def head() -> Markup:
    """Return the styles and scripts of a puzzle page."""
    return script_head(_SCRIPT)


_STYLES = ("theme.css", "pages.css")
_SCRIPT = "puzzle.js"


def shown(puzzle: Puzzle, language: str) -> dict[str, Any]:
    """Return what the page shows of a puzzle, without anything that came later in the game."""
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
