"""Shell completion of players, events, games, factions and cards.

Errors are never shown: a half-typed command is on the terminal.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

MOST: Final = 50
"""The most suggestions."""


class Offer(str):
    """A suggestion, even if it does not begin exactly with the typed text.

    Typer drops suggestions that do not; but case does not matter here, and bash gets names with
    spaces in the form in which they must be typed.
    """

    __slots__ = ()

    def startswith(self, *_: Any) -> bool:
        """Return True: it has been selected already."""
        return True


def _offers(texts: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Texts, each with a description, in the form the shell expects."""
    if os.environ.get("_CLAIMLOG_COMPLETE") != "complete_bash":
        return [(Offer(text), description) for text, description in texts]
    words = os.environ.get("COMP_WORDS", "").split("\n")
    place = int(os.environ.get("COMP_CWORD", "0"))
    quoted = place < len(words) and words[place][:1] in ("'", '"') and words[place][:1]
    return [(Offer(text if quoted else _escaped(text)), description) for text, description in texts]


def _escaped(text: str) -> str:
    """A text as typed in bash without quotes."""
    return "".join(c if c.isalnum() or c in "-_./,+@%:" else f"\\{c}" for c in text)


def _asked(ctx: typer.Context, kind: str, text: str) -> list[tuple[str, str]]:
    """Rows of the archive that begin with `text`."""
    from .opening import connect

    try:
        with connect(ctx.params.get("db")) as archive:
            rows = archive.beginning(kind, text, limit=MOST)  # type: ignore[arg-type]
    except Exception:
        return []
    return [
        (one.id, ", ".join(filter(None, (one.name, one.last_date))))
        if one.kind == "game"
        else (one.name, "")
        for one in rows
    ]


def players(ctx: typer.Context, incomplete: str) -> list[tuple[str, str]]:
    """Names of players."""
    return _offers(_asked(ctx, "player", incomplete))


def events(ctx: typer.Context, incomplete: str) -> list[tuple[str, str]]:
    """Names of events."""
    return _offers(_asked(ctx, "event", incomplete))


def games(ctx: typer.Context, incomplete: str) -> list[tuple[str, str]]:
    """Ids of games, the newest first."""
    return _offers(_asked(ctx, "game", incomplete))


def games_or_files(ctx: typer.Context, incomplete: str) -> list[tuple[str, str]]:
    """Ids of games, unless a file may be meant: without suggestions the shell offers files."""
    if not incomplete or any(Path().glob(f"{incomplete.replace('[', '[[]')}*")):
        return []
    return games(ctx, incomplete)


def letters(incomplete: str) -> list[tuple[str, str]]:
    """Letters of factions, to add one to those typed."""
    from claimlog.cards import FACTIONS

    typed = incomplete.upper()
    return _offers(
        (typed + faction.letter, faction.name)
        for faction in FACTIONS
        if faction.letter not in typed
    )


def factions(incomplete: str) -> list[tuple[str, str]]:
    """Factions by name."""
    from claimlog.cards import FACTIONS

    return _offers(
        (faction.name, faction.letter)
        for faction in FACTIONS
        if faction.name.lower().startswith(incomplete.lower())
    )


def cards(incomplete: str) -> list[tuple[str, str]]:
    """Cards of the typed faction, or letters of factions."""
    from claimlog.cards import NAMES

    if not incomplete:
        return letters("")
    return _offers((name, "") for name in NAMES if name.startswith(incomplete.upper()))


CONDITIONS: Final[dict[str, Callable[..., list[tuple[str, str]]]]] = {
    "player": players,
    "partner": players,
    "opponent": players,
    "not_player": players,
    "event": events,
    "not_event": events,
    **dict.fromkeys(("factions", "without", "deck"), letters),
    **dict.fromkeys(("played", "led", "won", "upcard"), cards),
}
"""Completions by condition of a filter."""


Games = Annotated[
    str,
    typer.Argument(
        help="A file of games, a stored game's id, a game's code or link, or - for standard input.",
        autocompletion=games_or_files,
    ),
]
"""The argument of a command that shows games."""
