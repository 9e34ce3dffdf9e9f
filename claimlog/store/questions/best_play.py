"""Exact analysis of many games: points given away, and the worth of cards and leads.

Counts only two-player games with a stored analysis (`claimlog analyse --all`), and of these only
what the analysis determined exactly.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Annotated, Final, Literal, get_args

import msgspec
from msgspec import Meta

from claimlog.cards import FACTION_OF, LETTERS, NAMES, deck_letters
from claimlog.results import share_of
from claimlog.store.model.errors import BadQuery
from claimlog.store.model.filter import By, Filter
from claimlog.store.model.ids import write_id
from claimlog.store.model.types import Rate
from claimlog.store.questions.arguments import MinGames
from claimlog.store.questions.intervals import GameSums, RateCounter, Z
from claimlog.store.questions.order import label_key
from claimlog.store.questions.question import EVERYTHING, OfPlayer, question

if TYPE_CHECKING:
    from claimlog.store.backend import Backend
    from claimlog.store.questions.games import Games
    from claimlog.store.questions.where import Where

GivenBy = Literal["player", "faction", "trick", "lead"]
BestBy = Literal["deck", "faction", "all"]

Low = Annotated[
    float | None,
    Meta(
        title="at least",
        description="The lower end of the 95 % interval; null with only one game, which has none.",
    ),
]
High = Annotated[
    float | None,
    Meta(
        title="at most",
        description="The upper end of the 95 % interval; null with only one game, which has none.",
    ),
]

GamesOpen = Annotated[
    int,
    Meta(
        title="left open",
        description="How many more games were analysed but do not count, since a value is open.",
    ),
]

_KEPT: Final = "SELECT 1 FROM duckdb_tables() WHERE table_name = 'analyses'"
_LEAD: Final = 14
"""The first trick of Phase 2."""


def any_kept(database: Backend) -> bool:
    """Whether any analysis has ever been stored."""
    return bool(database.rows(_KEPT))


def _analysed(where: Where, columns: str, more: str = "") -> str:
    """SQL for columns of the games `g` with their analyses `a`."""
    return (
        f"SELECT {columns} FROM (SELECT *{more} FROM games g WHERE {where.sql}) g "
        "JOIN analyses a ON a.digest = g.digest"
    )


# Given away ------------------------------------------------------------------------------


class GivenStat(msgspec.Struct, frozen=True, kw_only=True):
    """The points given away by decisions of one kind.

    `given` are the points given away per decision: a win that became a loss is one, a shared win
    instead of a win is half.  `a_game` is the same per game in which such decisions were made, with
    its 95 % interval.
    """

    key: Annotated[str, Meta(title="group", description="The key of the group.")]
    games: int
    given: Annotated[
        Rate, Meta(title="given away", description="The points given away per decision.")
    ]
    a_game: Annotated[float, Meta(title="per game", description="The points given away per game.")]
    low: Low
    high: High
    open: Annotated[
        int,
        Meta(
            title="left open",
            description="How many more decisions were analysed but do not count, since a value is "
            "open.",
        ),
    ]


@question(
    "/stats/given-away",
    "Given away",
    of_player=OfPlayer("What a player gave away.", {"by": "trick"}),
)
def given_away(
    games: Games,
    filter: Filter = EVERYTHING,
    *,
    by: Annotated[
        GivenBy,
        Meta(
            description="What to group by: who decided, the card's faction, the trick, or the card "
            "that led Phase 2."
        ),
    ] = "trick",
    of: Annotated[
        By, Meta(description="Whose decisions count: everybody's, or only those of `player`.")
    ] = "anybody",
    min_games: MinGames = 0,
) -> list[GivenStat]:
    """How many points the decisions of Phase 2 gave away, by exact analysis."""
    if by not in get_args(GivenBy):
        raise BadQuery("question.given-groups", names=get_args(GivenBy), field="by")
    if of not in get_args(By):
        raise BadQuery("question.decisions", field="of")
    where = games.where(filter)
    own = where.own_seat if of == "player" else "NULL"
    if not any_kept(games.database):
        return []
    player = games.identities.root_sql("CASE seat WHEN 1 THEN p1 ELSE p2 END")
    key, more = {
        "player": (player, ""),
        "faction": ("(SELECT faction FROM cards WHERE cards.card = d.card)", ""),
        "trick": ("trick", ""),
        "lead": ("card", f" AND trick = {_LEAD} AND seat = phase2_first"),
    }[by]
    rows = games.database.rows(
        f"""
        WITH d AS (SELECT game, p1, p2, phase2_first, own, one.*
            FROM ({_analysed(where, "g.*, unnest(a.decisions) AS one", f", {own} AS own")})),
        e AS (SELECT {key} AS key, game, count(before::INTEGER + after) AS n, count(*) - n AS open,
                sum(CASE seat WHEN 1 THEN before::INTEGER - after ELSE after::INTEGER - before END)
                / 2 AS points
            FROM d WHERE (own IS NULL OR own = seat) {more} GROUP BY ALL)
        SELECT key, sum(open), sum(n), sum(points), count(points), sum(points * points),
            sum(points * n), sum(n * n)
        FROM e WHERE key IS NOT NULL GROUP BY key HAVING count(points) >= ?
        """,
        [*where.parameters, max(1, min_games)],
    )
    names = _player_names(games, [row[0] for row in rows]) if by == "player" else {}
    stats = [
        _given(
            _key(by, key, names),
            GameSums(int(count), float(points), number, *map(float, squares)),
            int(left_open),
        )
        for key, left_open, count, points, number, *squares in rows
    ]
    return sorted(stats, key=lambda one: label_key(one.key))


def _key(by: GivenBy, key: int, names: dict[int, str]) -> str:
    """The name of a group."""
    if by == "player":
        return names.get(key) or write_id(key)
    return {"faction": LETTERS, "lead": NAMES}[by][key] if by != "trick" else str(key)


def _player_names(games: Games, players: list[int]) -> dict[int, str]:
    rows = games.database.rows(
        "SELECT player, name FROM players WHERE player IN (SELECT unnest(?::UBIGINT[]))",
        [players],
    )
    return dict(rows)


def _given(key: str, sums: GameSums, left_open: int) -> GivenStat:
    """The points of a group, per decision and per game."""
    number = sums.games
    mean = sums.points / number
    variance = max(0.0, sums.points_squared - number * mean * mean) / max(1, number - 1)
    low, high = _interval(mean, Z * math.sqrt(variance / number), number)
    return GivenStat(
        key=key,
        games=number,
        given=sums.rate(),
        a_game=mean,
        low=None if low is None else max(0.0, low),
        high=high,
        open=left_open,
    )


def _interval(mean: float, spread: float, number: int) -> tuple[float | None, float | None]:
    """The interval around the mean of so many games; none around that of one game."""
    return (mean - spread, mean + spread) if number > 1 else (None, None)


# Best play -------------------------------------------------------------------------------


class BestStat(msgspec.Struct, frozen=True, kw_only=True):
    """How games would have ended with best play of Phase 2, and how they did.

    `leader` are the points of the leader of Phase 2 with best play, `played` the points as the game
    was played, `changed` how often the result differed from that of best play.
    """

    key: Annotated[str, Meta(title="group", description="The key of the group.")]
    leader: Annotated[
        Rate, Meta(title="with best play", description="The points of the leader of Phase 2.")
    ]
    played: Annotated[
        Rate, Meta(title="as played", description="The points as the game was played.")
    ]
    changed: Annotated[
        Rate, Meta(title="changed", description="How often the result was a different one.")
    ]
    open: GamesOpen


@question("/stats/best-play", "Best play")
def best_play_stats(
    games: Games,
    filter: Filter = EVERYTHING,
    *,
    by: Annotated[
        BestBy,
        Meta(description="What to group by; the games of a faction are those with it in the deck."),
    ] = "all",
    min_games: MinGames = 0,
) -> list[BestStat]:
    """How often the leader of Phase 2 wins with best play, and how often the winner changed."""
    if by not in get_args(BestBy):
        raise BadQuery("question.best-groups", names=get_args(BestBy), field="by")
    where = games.where(filter)
    if not any_kept(games.database):
        return []
    rows = games.database.rows(
        _analysed(where, "deck, phase2_first, start, result, count(*)")
        + " WHERE phase2_first IS NOT NULL GROUP BY ALL",
        where.parameters,
    )
    left_open: Counter[str] = Counter()
    groups: dict[str, tuple[RateCounter, ...]] = defaultdict(
        lambda: (RateCounter(), RateCounter(), RateCounter())
    )
    for deck, leader, start, result, count in rows:
        if start is None:
            left_open.update(dict.fromkeys(_groups(by, deck), count))
            continue
        best = start / 2 if leader == 1 else 1 - start / 2
        points = share_of(result, leader)
        for key in _groups(by, deck):
            with_best_play, played, changed = groups[key]
            with_best_play.add(best * count, count)
            if points is not None:
                played.add(points * count, count)
                changed.add(count if points != best else 0, count)
    return [
        BestStat(
            key=key,
            leader=one.rate(),
            played=two.rate(),
            changed=three.rate(),
            open=left_open[key],
        )
        for key, (one, two, three) in sorted(groups.items())
        if one.count >= min_games
    ]


def _groups(by: BestBy, deck: int) -> list[str]:
    """The groups that a game with this deck belongs to."""
    if by == "faction":
        return [letter for place, letter in enumerate(LETTERS) if deck >> place & 1]
    return [deck_letters(deck)] if by == "deck" else ["all"]


# Followers -------------------------------------------------------------------------------


class FollowerStat(msgspec.Struct, frozen=True, kw_only=True):
    """The worth of having a card in Phase 2.

    `best` are the points, with best play, of the player who had it at the beginning of Phase 2,
    `played` the points as the game was played.
    """

    card: str
    faction: str
    times: Annotated[
        int, Meta(description="The number of hands that contained it; two copies count once.")
    ]
    best: Annotated[
        Rate,
        Meta(
            title="with best play",
            description="The points of the player who had it, with best play.",
        ),
    ]
    played: Annotated[
        Rate, Meta(title="as played", description="The points as the game was played.")
    ]
    open: Annotated[
        int,
        Meta(
            title="left open",
            description="How many more hands do not count, since the value of the game is open.",
        ),
    ]


@question("/stats/followers", "Followers")
def follower_stats(games: Games, filter: Filter = EVERYTHING) -> list[FollowerStat]:
    """What each follower is worth in Phase 2: the points of whoever has it, with best play."""
    where = games.where(filter)
    if not any_kept(games.database):
        return []
    rows = games.database.rows(
        f"""
        WITH a AS ({_analysed(where, "game, start, g.result")}
                   WHERE complete),
        h AS (SELECT DISTINCT card, seat, start, a.result, game
              FROM a JOIN plays USING (game) WHERE phase = 2)
        SELECT card, seat, start, result, count(*) FROM h GROUP BY ALL
        """,
        where.parameters,
    )
    counters: dict[int, tuple[RateCounter, RateCounter]] = defaultdict(
        lambda: (RateCounter(), RateCounter())
    )
    left_open: Counter[int] = Counter()
    for card, seat, start, result, number in rows:
        if start is None:
            left_open[card] += number
            continue
        with_best_play, played = counters[card]
        with_best_play.add((start if seat == 1 else 2 - start) / 2 * number, number)
        points = share_of(result, seat)
        if points is not None:
            played.add(points * number, number)
    return [
        FollowerStat(
            card=NAMES[card],
            faction=LETTERS[FACTION_OF[card]],
            times=one.count,
            best=one.rate(),
            played=two.rate(),
            open=left_open[card],
        )
        for card, (one, two) in sorted(counters.items())
    ]


# Luck and skill --------------------------------------------------------------------------


class LuckStat(msgspec.Struct, frozen=True, kw_only=True):
    """How many of a player's points per game are due to the followers that were dealt.

    `cards` is the mean worth of best play of Phase 2 with these followers, less its worth with the
    same followers redealt (score piles and lead stay), with its 95 % interval; `play` is the mean
    of the points less the worth of best play.
    """

    player: str
    id: Annotated[str, Meta(description="The player's id.")]
    games: int
    cards: Annotated[
        float, Meta(title="by cards", description="The points per game due to the cards.")
    ]
    low: Low
    high: High
    play: Annotated[
        float, Meta(title="by play", description="The points per game due to play in Phase 2.")
    ]
    open: GamesOpen


@question("/stats/luck", "Luck and skill")
def luck_stats(
    games: Games, filter: Filter = EVERYTHING, *, min_games: MinGames = 0
) -> list[LuckStat]:
    """How many points per game came from the followers of Phase 2, and from the play."""
    where = games.where(filter)
    if not any_kept(games.database):
        return []
    own = "CASE s WHEN 1 THEN 1 ELSE -1 END"
    rows = games.database.rows(
        f"""
        WITH a AS ({_analysed(where, "g.p1, g.p2, start, redealt, points(result, 1, 2) AS points")}
                   WHERE phase2_first IS NOT NULL AND result <> 0),
        e AS (SELECT CASE s WHEN 1 THEN p1 ELSE p2 END AS p, {own} * (start / 2 - redealt) AS cards,
                     {own} * (points - start / 2) AS play
              FROM a CROSS JOIN (VALUES (1), (2)) seats(s))
        SELECT {games.identities.root_sql("p")} AS key, count(cards) AS number, avg(cards),
               coalesce(stddev_samp(cards), 0), avg(play) FILTER (cards IS NOT NULL),
               count(*) - number
        FROM e WHERE p IS NOT NULL GROUP BY key HAVING number >= ? ORDER BY number DESC, key
        """,
        [*where.parameters, max(1, min_games)],
    )
    names = _player_names(games, [row[0] for row in rows])
    return [
        LuckStat(
            player=names.get(key) or write_id(key),
            id=write_id(key),
            games=number,
            cards=cards,
            low=low,
            high=high,
            play=play,
            open=left_open,
        )
        for key, number, cards, deviation, play, left_open in rows
        for low, high in (_interval(cards, Z * deviation / math.sqrt(number), number),)
    ]
