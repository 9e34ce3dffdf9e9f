"""Records of card games: the rules, a notation, replay, and a server.

Importing this package loads almost nothing; each name is loaded on first use (docs/library.md). If
the environment variable CLAIMLOG_PURE is set (to anything but "0"), the modules run interpreted
even where compiled ones lie beside them.
"""

from __future__ import annotations

import os

from claimlog import hooks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from claimlog.cards import CARD_NAMES, FACTIONS
    from claimlog.game import (
        FactionScore,
        Game,
        Loot,
        Play,
        Problem,
        Reason,
        Score,
        SeatCard,
        SideCard,
        Trick,
    )
    from claimlog.library import dump, dumps, loads, open_archive, read_games, write_tables
    from claimlog.rules.setup import Setup
    from claimlog.simulate import simulate_games
    from claimlog.state import IllegalAction, State

__version__ = "1.0.0"

__all__ = [
    "CARD_NAMES",
    "FACTIONS",
    "FactionScore",
    "Game",
    "IllegalAction",
    "Loot",
    "Play",
    "Problem",
    "Reason",
    "Score",
    "SeatCard",
    "Setup",
    "SideCard",
    "State",
    "Trick",
    "__version__",
    "compiled",
    "dump",
    "dumps",
    "loads",
    "open_archive",
    "read_games",
    "simulate_games",
    "write_tables",
]

_PLACES = {
    "cards": ("CARD_NAMES", "FACTIONS"),
    "library": ("dump", "dumps", "loads", "open_archive", "read_games", "write_tables"),
    "rules.setup": ("Setup",),
    "simulate": ("simulate_games",),
    "state": ("IllegalAction", "State"),
}
"""The names by module; the rest of `__all__` is in `game`."""

if os.environ.get("CLAIMLOG_PURE", "0") not in ("", "0"):
    from claimlog import _pure

    _pure.install()


def _analyse(*arguments: Any) -> Any:
    from claimlog.analysis.decisions import analyse

    return analyse(*arguments)


def _game_html(game: Game) -> str:
    from claimlog.draw.notebook import game_html

    return game_html(game)


def _game_svg(game: Game) -> str | None:
    from claimlog.draw.notebook import game_svg

    return game_svg(game)


hooks.analyse, hooks.game_html, hooks.game_svg = _analyse, _game_html, _game_svg


def __getattr__(name: str) -> object:
    """Load a name on first use."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    place = next((place for place, names in _PLACES.items() if name in names), "game")
    value = getattr(import_module(f"{__name__}.{place}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """All names, loaded or not."""
    return sorted({*globals(), *__all__})


def compiled() -> bool:
    """Whether the compiled kernel is running rather than the interpreted one."""
    from importlib.machinery import EXTENSION_SUFFIXES
    from importlib.util import find_spec

    try:
        spec = find_spec("claimlog.rules.table")
    except ModuleNotFoundError:
        return False
    return spec is not None and (spec.origin or "").endswith(tuple(EXTENSION_SUFFIXES))
