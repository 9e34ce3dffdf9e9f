"""Questions about players; `claimlog.store.questions.players` finds the answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from msgspec import Meta

from claimlog.store.model import types as t
from claimlog.store.model.filter import Filter, PlayerSort
from claimlog.store.questions.arguments import Cursor, Limit, MinGames, Search, Total, Undone
from claimlog.store.questions.question import EVERYTHING, question

if TYPE_CHECKING:
    from claimlog.store.questions.games import Games
    from claimlog.store.questions.players import Players


def _of(games: Games) -> Players:
    # Imported here, as a client of a server does not need the modules that read the tables.
    from claimlog.store.questions.players import Players

    return Players(games)


@question("/players", operation="list_players")
def players(
    games: Games,
    filter: Filter = EVERYTHING,
    *,
    search: Search = "",
    sort: Annotated[PlayerSort, Meta(description="The sort order.")] = "games",
    limit: Limit = 50,
    cursor: Cursor = None,
    min_games: MinGames = 0,
    total: Total = False,
) -> t.PlayerPage:
    """Players of the games that match the filter.

    `min_games` leaves out players with fewer finished games.
    """
    return _of(games).page(filter, search, sort, limit, cursor, min_games, total)


@question("/players/{player}", operation="player")
def player(games: Games, player: str, filter: Filter = EVERYTHING) -> t.PlayerProfile:
    """A player's profile over the games that match the filter.

    Raises NotFound, as all questions about a player do.
    """
    return _of(games).profile(player, filter)


@question("/players/{player}/against/{opponent}", operation="head_to_head")
def head_to_head(
    games: Games,
    player: str,
    opponent: str,
    filter: Filter = EVERYTHING,
    *,
    limit: Annotated[
        int, Meta(ge=1, le=1000, description="The number of newest games to include.")
    ] = 20,
) -> t.HeadToHead:
    """Two players against each other, and together as partners."""
    return _of(games).head_to_head(player, opponent, filter, limit)


@question("/players/{player}/streaks", alone=True)
def streaks(games: Games, player: str, filter: Filter = EVERYTHING) -> t.Streaks:
    """The longest streaks of a player, and the current one.

    In the order of date, start, round and storing.
    """
    return _of(games).streaks(player, filter)


@question("/players/{player}/performance", alone=True)
def performance(games: Games, player: str, filter: Filter = EVERYTHING) -> t.Performance:
    """The rating performance of a player."""
    return _of(games).performance(player, filter)


@question("/merges")
def merges(games: Games, *, undone: Undone = False) -> list[t.Merge]:
    """All merges in force; with `undone`, also those that were undone."""
    return _of(games).merges(undone)
