"""Ratings of players from their games: Plackett-Luce, by openskill, for two, three, four, teams.

Games are counted in the order of play, so that the same games always give the same ratings; a
correction of a game changes all ratings after it.  Those who share a win share the first place; the
losers share the last, as the rules know no second place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from claimlog.results import parse_result
from claimlog.rules.setup import sides_of

if TYPE_CHECKING:
    from collections.abc import Iterable

START: Final = 25.0
"""The rating of a player without games, as in openskill."""
UNSURE: Final = START / 3
"""The uncertainty of that rating."""


class RatedGame(NamedTuple):
    """A game to be rated: the players by seat, and the result as written."""

    game: str
    players: tuple[int, ...]
    result: str


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """A rating after a game."""

    game: str
    rating: float
    uncertainty: float


class Rating(msgspec.Struct, frozen=True, kw_only=True):
    """How strong a player is.

    In two of three cases the strength is within one `uncertainty` of the `rating`; `low`, by which
    lists are sorted, is three of them below it.
    """

    player: int
    rating: float
    uncertainty: float
    low: float
    games: int
    history: tuple[Step, ...]


class MissingOpenskill(Exception):  # noqa: N818 — the name says it
    """The extra `events` is not installed."""


def ratings(games: Iterable[RatedGame]) -> list[Rating]:
    """Return the ratings of all who played these games, highest `low` first.

    Games without a result, and those in which somebody sits twice, are not counted.
    """
    try:
        from openskill.models import PlackettLuce
        from openskill.models.weng_lin.plackett_luce import PlackettLuceRating
    except ImportError:
        raise MissingOpenskill("pip install 'claimlog[events]'") from None

    model = PlackettLuce(mu=START, sigma=UNSURE)
    known: dict[int, PlackettLuceRating] = {}
    history: dict[int, list[Step]] = {}
    for game in games:
        sides = sides_of(len(game.players))
        number = parse_result(game.result)
        if number // 8 != sides or sides < 2 or len({*game.players}) < len(game.players):
            continue
        teams = [game.players[side::sides] for side in range(sides)]
        before = [[known.get(one) or model.rating() for one in team] for team in teams]
        ranks = [1.0 if number >> side & 1 else 2.0 for side in range(sides)]
        after = model.rate(before, ranks=ranks)
        for team, rated in zip(teams, after, strict=True):
            for player, rating in zip(team, rated, strict=True):
                known[player] = rating
                history.setdefault(player, []).append(
                    Step(game=game.game, rating=rating.mu, uncertainty=rating.sigma)
                )
    ranked = [
        Rating(
            player=player,
            rating=rating.mu,
            uncertainty=rating.sigma,
            low=rating.mu - 3 * rating.sigma,
            games=len(history[player]),
            history=tuple(history[player]),
        )
        for player, rating in known.items()
    ]
    return sorted(ranked, key=lambda one: (-one.low, one.player))
