"""The filter of the archive as options: the same for every list, export and statistic."""

from __future__ import annotations

import inspect
from enum import StrEnum
from functools import wraps
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

if TYPE_CHECKING:
    from collections.abc import Callable


class Outcome(StrEnum):
    """How a game went for a player."""

    won = "won"
    lost = "lost"
    shared = "shared"


_CARDS: Final = "a card K5 or a faction K, also K5@3 or K5@1-13 for tricks; repeatable"

_OPTIONS: Final[dict[str, tuple[Any, str]]] = {
    "player": (str | None, "A player's name or id."),
    "seat": (int | None, "The seat of --player."),
    "partner": (str | None, "The partner of --player."),
    "opponent": (str | None, "An opponent of --player."),
    "outcome": (Outcome | None, "How it went for --player."),
    "event": (str | None, "An event's name or id."),
    "site": (str | None, "Where it was played."),
    "round": (str | None, "The round."),
    "table": (str | None, "The table."),
    "since": (str | None, "From this date on: YYYY, YYYY-MM or YYYY-MM-DD."),
    "until": (str | None, "Up to this date."),
    "factions": (str | None, "Faction letters that are all in the deck."),
    "without": (str | None, "Faction letters that are not in the deck."),
    "deck": (str | None, "The whole deck."),
    "rules": (str | None, "LE2023 or Classic."),
    "rulings": (str | None, "Rulings in force, as in trolls=line."),
    "seats": (int | None, "The number of players."),
    "leader": (int | None, "The seat that led trick 1."),
    "result": (str | None, "The result, as in 1-0."),
    "votes": (str | None, "Factions won: 3-2 by side, 3:2 in any order."),
    "termination": (str | None, "normal, resignation, time, ..."),
    "complete": (bool | None, "Only games with all their tricks, or only others."),
    "min_tricks": (int | None, "At least so many tricks."),
    "max_tricks": (int | None, "At most so many tricks."),
    "min_rating": (float | None, "Every player is rated at least so high."),
    "played": (list[str] | None, f"Played: {_CARDS}."),
    "led": (list[str] | None, f"Led: {_CARDS}."),
    "won": (list[str] | None, f"Won its trick: {_CARDS}."),
    "upcard": (list[str] | None, f"Turned up: {_CARDS}."),
    "text": (str | None, "Words in names, event, site, comments."),
}


def filtered(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give `command`, which takes a keyword `filter`, the filter's options instead of it.

    A parameter of the command's own takes the place of an option of the same name.
    """

    @wraps(command)
    def with_options(**given: Any) -> Any:
        wanted = {option.name: given.pop(option.name) for option in options}
        return command(filter=_filter(wanted), **given)

    # The store's Filter is known to the type checker alone: start-up stays without it.
    names = {**command.__globals__, "Filter": object}
    signature = inspect.signature(command, globals=names, eval_str=True)
    own = [parameter for name, parameter in signature.parameters.items() if name != "filter"]
    options = [
        inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=None,
            annotation=Annotated[kind, typer.Option(help=text, rich_help_panel="Which games")],
        )
        for name, (kind, text) in _OPTIONS.items()
        if name not in signature.parameters
    ]
    with_options.__signature__ = signature.replace(  # type: ignore[attr-defined]
        parameters=[p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in own] + options
    )
    with_options.__annotations__ = {p.name: p.annotation for p in own + options}
    return with_options


def _filter(wanted: dict[str, Any]) -> Any:
    """Build the store's filter."""
    from .opening import need_server_extra

    need_server_extra()
    from claimlog.store import Filter

    values: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in wanted.items()
        if value is not None and value != []
    }
    return Filter(**values)
