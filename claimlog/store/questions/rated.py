"""Ratings of players computed from their games, and their history.

`claimlog.directing.ratings` does the rating; here games are read in the order of play, both
recorded games and results that were only entered at a desk.  `Rating` tags play no role.
"""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Annotated, Any, Final, NamedTuple

import msgspec
from msgspec import Meta

from claimlog.directing.counting import NOT_PLAYED
from claimlog.results import result_text
from claimlog.store.model.errors import BadQuery, PackageMissing
from claimlog.store.model.filter import Filter, values_of
from claimlog.store.model.ids import write_id
from claimlog.store.questions.arguments import MinGames
from claimlog.store.questions.order import natural_key
from claimlog.store.questions.question import EVERYTHING, question

if TYPE_CHECKING:
    from collections.abc import Sequence

    from claimlog.directing.ratings import Rating
    from claimlog.store.questions.games import Games

MOST_RATED = 50_000
"""With more games no ratings are computed: each changes all later ones, one after another."""


_PLAYED: Final = f"NOT (g.tricks = 0 AND g.termination IN {NOT_PLAYED})"
"""SQL: somebody played: the record is not that of a bye or of a forfeit without a trick."""


class PlayerRating(msgspec.Struct, frozen=True, kw_only=True):
    """How strong a player is, judged by their results, and how certain that is.

    In two of three cases the strength is within one `uncertainty` of the `rating`; lists are sorted
    by `low`, which is three uncertainties below it.
    """

    player: str
    id: Annotated[str, Meta(description="The player's id.")]
    games: Annotated[int, Meta(description="The number of rated games.")]
    rating: Annotated[float, Meta(description="The rating; 25 before the first game.")]
    uncertainty: Annotated[
        float, Meta(description="The uncertainty of the rating; 8.33 before the first game.")
    ]
    low: Annotated[
        float, Meta(title="lower bound", description="The rating minus three uncertainties.")
    ]
    recorded: Annotated[
        bool,
        Meta(
            description="Whether any record names the player; if not, all results were entered at "
            "a desk, and there is no profile."
        ),
    ]


class RatingStep(msgspec.Struct, frozen=True, kw_only=True):
    """The rating of a player after a game."""

    game: Annotated[str | None, Meta(description="The game's id; null if there is no record.")]
    event: Annotated[str, Meta(description="The event; empty if the record names none.")]
    round: Annotated[str, Meta(description="The round; empty if the record names none.")]
    day: Annotated[str, Meta(description="The date as written; empty if the year is unknown.")]
    rating: Annotated[float, Meta(description="The rating after the game.")]
    uncertainty: Annotated[float, Meta(description="The uncertainty after the game.")]


@question("/stats/ratings", "Ratings", errors=(501,))
def ratings(
    games: Games, filter: Filter = EVERYTHING, *, min_games: MinGames = 0
) -> list[PlayerRating]:
    """The ratings of players from all games with a result, sorted by the lower bound."""
    played = _played(games, filter)
    called, recorded = _names(games, played)
    return [
        PlayerRating(
            player=recorded.get(one.player) or called.get(one.player) or write_id(one.player),
            id=write_id(one.player),
            games=one.games,
            rating=one.rating,
            uncertainty=one.uncertainty,
            low=one.low,
            recorded=one.player in recorded,
        )
        for one in _rated(played)
        if one.games >= min_games
    ]


@question("/players/{player}/ratings", operation="rating_history", errors=(501,))
def rating_history(games: Games, player: str, filter: Filter = EVERYTHING) -> list[RatingStep]:
    """The rating of a player after each of their games, in the order of play."""
    from claimlog.store.questions.desks import Desks

    return rating_histories(games, filter).get(Desks(games).player(player), [])


def rating_histories(
    games: Games, filter: Filter = EVERYTHING, *, most: int = MOST_RATED
) -> dict[int, list[RatingStep]]:
    """`rating_history` of all players, by number; BadQuery if there are more than `most` games."""
    played = _played(games, filter, most)
    by_key = {one.key: one for one in played}
    return {
        one.player: [
            RatingStep(
                game=by_key[step.game].game,
                event=by_key[step.game].event,
                round=by_key[step.game].round,
                day=by_key[step.game].day,
                rating=step.rating,
                uncertainty=step.uncertainty,
            )
            for step in one.history
        ]
        for one in _rated(played)
    }


class _Game(NamedTuple):
    """A game to be rated; `key` identifies it, `game` is its id if it has a record.

    `order` begins with the first day that the date may mean.
    """

    key: str
    order: tuple[date, *tuple[Any, ...]]
    game: str | None
    event: str
    round: str
    day: str
    players: tuple[int, ...]
    names: tuple[str, ...]
    result: str


def _rated(played: list[_Game]) -> list[Rating]:
    from claimlog.directing.ratings import MissingOpenskill, RatedGame
    from claimlog.directing.ratings import ratings as rated

    try:
        return rated(RatedGame(one.key, one.players, one.result) for one in played)
    except MissingOpenskill as error:
        raise PackageMissing("ratings.missing") from error


def _played(games: Games, filter: Filter, most: int = MOST_RATED) -> list[_Game]:
    """The games in the order of play: by date, event, round and table, then by storing.

    Games without a year come first.
    """
    where = games.where(filter)
    where.add("g.result IS NOT NULL AND g.result <> 0")
    where.add(_PLAYED)
    number = games.count(filter)
    if number > most:
        raise BadQuery("ratings.many", number=number, most=most)
    title = games.event_name_sql()
    rows = games.database.rows(
        f"SELECT g.game, g.gid, g.day, coalesce(g.date, ''), coalesce({title}, ''), "
        "coalesce(g.round, ''), coalesce(g.tbl, ''), g.seats, g.result, "
        "[g.p1, g.p2, g.p3, g.p4], [g.n1, g.n2, g.n3, g.n4] "
        f"FROM games g WHERE {where.sql}",
        where.parameters,
    )
    by_key: dict[str, _Game] = {}
    root = games.identities.root
    for game, gid, day, written, event, round, table, seats, result, players, names in rows:
        if None in players[:seats]:
            continue
        id = write_id(gid)
        by_key[id] = _Game(
            key=id,
            order=(day or date.min, event, natural_key(round), natural_key(table), game),
            game=id,
            event=event,
            round=round,
            day=written if day else "",
            players=tuple(root(one) for one in players[:seats]),
            names=tuple(names[:seats]),
            result=result_text(result),
        )
    if msgspec.structs.replace(filter, event=None) == EVERYTHING:
        _typed_at_desks(games, values_of(filter.event), by_key)
    return sorted(by_key.values(), key=lambda one: one.order)


def _typed_at_desks(games: Games, events: Sequence[str], by_key: dict[str, _Game]) -> None:
    """Add what only directors know: results of games without a record, and overridden ones."""
    from claimlog.store.questions.desks import Desks

    desks = Desks(games)
    which = {games.identities.event(event) for event in events}
    recorded_as = dict(games.database.rows("SELECT event, name FROM events"))
    for number in desks.all():
        if which and number not in which:
            continue
        board = desks.board_of(number)
        title = games.identities.event_title(number, recorded_as.get(number) or board.name)
        players = desks.players(board.entrants)
        for round in board.rounds:
            for table in round.tables:
                recorded = by_key.pop(table.game or "", None)
                typed = table.result
                if typed is None or typed.forfeit:
                    continue
                if table.source == "record" and recorded is None:
                    continue  # the record is of a game that is not rated
                key = table.game or f"{board.event}.{round.number}.{table.number}"
                if recorded:
                    first, day = recorded.order[0], recorded.day
                else:
                    first = table.at.date() if table.at else date.min
                    day = first.isoformat() if table.at else ""
                at = (natural_key(str(round.number)), natural_key(str(table.number)))
                by_key[key] = _Game(
                    key=key,
                    order=(first, title, *at, 0),
                    game=table.game,
                    event=title,
                    round=str(round.number),
                    day=day,
                    players=tuple(players[one] for one in table.players),
                    names=tuple(board.entrant(one).name for one in table.players),
                    result=typed.result,
                )


def _names(games: Games, played: list[_Game]) -> tuple[dict[int, str], dict[int, str | None]]:
    """The names of players in their last games, and in the archive of those that it has."""
    called = {
        player: name
        for one in played
        for player, name in zip(one.players, one.names, strict=True)
        if name
    }
    rows = games.database.rows(
        "SELECT player, name FROM players WHERE player IN (SELECT unnest(?::UBIGINT[]))",
        [sorted({player for one in played for player in one.players})],
    )
    return called, dict(rows)
