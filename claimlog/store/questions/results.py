"""Results, grouped by any property of games; and how long games took."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, get_args

import msgspec
from msgspec import Meta

from claimlog.cards import LETTERS, deck_letters
from claimlog.notation.tags import TERMINATIONS
from claimlog.results import share_of
from claimlog.rules.setup import RULE_SETS, RULINGS, sides_of
from claimlog.store.model.errors import BadQuery
from claimlog.store.model.filter import By, Filter
from claimlog.store.model.ids import write_id
from claimlog.store.model.types import Rate
from claimlog.store.questions.arguments import MinGames
from claimlog.store.questions.columns import Seconds
from claimlog.store.questions.expected import exact_rate, expecting, fair
from claimlog.store.questions.intervals import RateCounter, rate
from claimlog.store.questions.order import by_value, label_key
from claimlog.store.questions.question import EVERYTHING, OfPlayer, question

if TYPE_CHECKING:
    from claimlog.store.questions.games import Games
    from claimlog.store.questions.where import Where

Grouping = Literal[
    "seat",
    "side",
    "leader",
    "deck",
    "faction",
    "rules",
    "rulings",
    "seats",
    "termination",
    "event",
    "year",
    "month",
    "round",
    "site",
    "table",
    "votes",
    "tiebreak",
    "player",
    "opponent",
    "partner",
]


class GroupStat(msgspec.Struct, frozen=True, kw_only=True):
    """The games of a group, and how those with a result went.

    By seat, side, leader and player, `result` is that of this seat, side or player; by opponent and
    partner, that of the filter's player; otherwise that of the side that led trick 1, where a game
    without a trick, which nobody led, does not count.  If only the filter's player counts, it is
    always the player's.  `label` is the player's name if `key` is a player, otherwise `key`.
    `shared` is the number of shared wins.
    """

    key: str
    label: str
    games: int
    share: Rate
    result: Rate
    shared: int


class ResultStats(msgspec.Struct, frozen=True, kw_only=True):
    """Results, grouped."""

    by: Grouping
    games: int
    complete: int
    groups: list[GroupStat]


GroupSort = Literal["games", "-games", "key", "-key", "rate", "-rate", "low", "-low"]
GROUPINGS: Final[tuple[str, ...]] = get_args(Grouping)
GROUP_SORTS: Final[tuple[str, ...]] = get_args(GroupSort)
_PEOPLE: Final = ("player", "opponent", "partner")
_OUTCOME: Final = ("seat", "side", "leader", "seats")
"""Groupings by what a server keeps of a game's outcome."""
_NAMED: Final = ("event", *_PEOPLE)
"""Groupings by a number rather than a spelling, which is then replaced by the name."""


@question(
    "/stats/results",
    "Results",
    of_player=OfPlayer(
        "How a player did, by opponent, event, month, seat and so on.", {"by": "opponent"}
    ),
)
def result_stats(
    games: Games,
    by: Annotated[Grouping, Meta(description="What to group by.")] = "seat",
    filter: Filter = EVERYTHING,
    *,
    of: Annotated[
        By, Meta(description="Whose points count: the leader's, or those of `player`.")
    ] = "anybody",
    sort: Annotated[GroupSort, Meta(description="The sort order of the groups.")] = "games",
    min_games: MinGames = 0,
) -> ResultStats:
    """Results by seat, leader, deck and so on, with 95 % confidence intervals."""
    if by not in GROUPINGS:
        raise BadQuery("question.result-groups", names=GROUPINGS, field="by")
    if sort not in GROUP_SORTS:
        raise BadQuery("question.group-order", names=GROUP_SORTS, field="sort")
    if of not in get_args(By):
        raise BadQuery("question.points", field="of")
    where = games.where(filter)
    groups, total, complete = (
        _by_people(games, by, where) if by in _PEOPLE else _by_games(games, by, where, of)
    )
    labels = _names(games, by, set(groups)) if by in _NAMED else {}
    stats = [
        GroupStat(
            key=write_id(key) if by in _PEOPLE else labels.get(key, str(key)),
            label=labels.get(key, str(key)),
            games=group.games,
            share=rate(total, group.games),
            result=group.rate(),
            shared=group.shared,
        )
        for key, group in groups.items()
        if group.tally.count >= min_games
    ]
    return ResultStats(
        by=by,
        games=total,
        complete=complete,
        groups=_sorted_groups(stats, sort),
    )


def _by_games(games: Games, by: str, where: Where, of: By) -> tuple[dict[Any, Group], int, int]:
    """Groups by a property of the game, the number of games, and of complete ones."""
    outcomes = games.outcomes(where) if by in _OUTCOME and of != "player" else None
    if outcomes is None:
        rows = _asked(games, by, where, of)
    else:
        rows = [
            (
                *(getattr(one, by, 0), one.seats, one.leader, one.result, number),
                *(number * one.complete, one.led, None),
            )
            for one, number in outcomes.items()
        ]
    groups: dict[Any, Group] = defaultdict(Group)
    for value, seats, leader, result, count, _, led, own_seats in rows:
        if by == "leader" and not led:
            continue
        for group_key, seat in _groups(by, value, seats, leader):
            counting = [seat] if led or by in ("seat", "side") else []
            if own_seats is not None:
                counting = own_seats
                if by in ("seat", "side"):
                    counting = [own for own in own_seats if not (own - seat) % _number(by, seats)]
                    if not counting:
                        continue
            groups[group_key].add(count, result, *(share_of(result, own) for own in counting))
    return groups, sum(row[4] for row in rows), sum(row[5] for row in rows)


def _asked(games: Games, by: str, where: Where, of: By) -> list[tuple[Any, ...]]:
    """Numbers of games that are alike.

    The columns are the value they are grouped by, seats, leader, result, the number of all games
    and of complete ones, whether they have a trick, and the list of the player's own seats.
    """
    key = {
        "seat": "0",
        "side": "0",
        "faction": "deck",
        "event": games.identities.event_sql("event"),
        "year": "year(day)",
        "month": "regexp_extract(date, '^[0-9]{4}-[0-9]{2}')",
        "table": "tbl",
        "votes": "CASE WHEN won1 IS NOT NULL THEN concat_ws('-', votes1, votes2, votes3) END",
    }.get(by, by)
    own = where.own_seats if of == "player" else "NULL"
    return games.database.rows(
        "SELECT key, seats, leader, result, count(*), count(*) FILTER (complete), led, own "
        f"FROM (SELECT {key} AS key, seats, leader, result, complete, tricks > 0 AS led, "
        f"{own} AS own FROM games g WHERE {where.sql}) GROUP BY ALL",
        where.parameters,
    )


def _by_people(games: Games, by: str, where: Where) -> tuple[dict[Any, Group], int, int]:
    """The same by player, or by opponent or partner of the filter's player."""
    mate = "seats = 4 AND (own - seat) % 2 = 0"
    condition = f"own <> seat AND {'' if by == 'partner' else 'NOT '}({mate})"
    own = "NULL" if by == "player" else where.own_seat
    key = games.identities.root_sql("p")
    rows_of = f"SELECT {key} AS key, result, [seat] AS who FROM s"
    if by != "player":
        # A game counts once for an opponent or partner of two of its seats.
        rows_of = (
            f"SELECT key, result, who FROM (SELECT game, {key} AS key, result, "
            f"list(own ORDER BY own) AS who FROM s WHERE {condition} GROUP BY ALL)"
        )
    seats = " UNION ALL ".join(
        f"SELECT game, p{s} AS p, {s} AS seat, own, seats, result FROM f WHERE p{s} IS NOT NULL"
        for s in (1, 2, 3, 4)
    )
    rows = games.database.rows(
        f"""
        WITH f AS MATERIALIZED (SELECT *, {own} AS own FROM games g WHERE {where.sql}),
        s AS ({seats})
        SELECT key, result, who, count(*), NULL FROM ({rows_of}) GROUP BY ALL
        UNION ALL SELECT NULL, NULL, NULL, count(DISTINCT game),
                         count(DISTINCT game) FILTER (complete) FROM f
        """,
        where.parameters,
    )
    groups: dict[Any, Group] = defaultdict(Group)
    total = complete = 0
    for root, result, who, count, whole in rows:
        if root is None:
            total, complete = count, whole
        else:
            groups[root].add(count, result, *(share_of(result, seat) for seat in who))
    return groups, total, complete


def _names(games: Games, by: str, numbers: set[int]) -> dict[int, str]:
    """The names of players or events."""
    kind = "event" if by == "event" else "player"
    rows = games.database.rows(
        f"SELECT {kind}, coalesce(name, '') FROM {kind}s "
        f"WHERE {kind} IN (SELECT unnest(?::UBIGINT[]))",
        [sorted(numbers)],
    )
    if by == "event":
        return {key: games.identities.event_title(key, name) for key, name in rows}
    return dict(rows)


class Group:
    """Games that are counted together, and the points of the sides that count in them."""

    def __init__(self) -> None:
        self.games = 0
        self.shared = 0
        self.fair = 0.0
        self.tally = RateCounter()

    def rate(self) -> Rate:
        """The rate so far, with the one expected if all sides were alike."""
        return expecting(exact_rate(self.tally), self.fair)

    def add(self, games: int, result: int, *points: float | None) -> None:
        """Add games with one result, and the points of each seat that counts, if there are any."""
        self.games += games
        counted = [one for one in points if one is not None]
        for one in counted:
            self.tally.add(one * games, games)
            self.fair += fair(result) * games
        if counted and (result & 7).bit_count() > 1:
            self.shared += games


def _number(by: str, seats: int) -> int:
    """The number of seats or sides."""
    return seats if by == "seat" else sides_of(seats)


def _sorted_groups(groups: list[GroupStat], sort: str) -> list[GroupStat]:
    """Groups in the requested order; those without a rate come last."""
    name = sort.removeprefix("-")
    groups = sorted(groups, key=lambda group: (label_key(group.label), group.key))
    if name == "key":
        return groups[::-1] if sort != name else groups
    return by_value(
        groups,
        lambda group: group.games if name == "games" else getattr(group.result, name),
        down=sort == name,
    )


def _groups(by: str, value: Any, seats: int, leader: int) -> list[tuple[Any, int]]:
    """The groups a game belongs to, each with the seat whose points count."""
    sides = sides_of(seats)
    if by == "seat":
        return [(seat, seat) for seat in range(1, seats + 1)]
    if by == "side":
        return [(side, side) for side in range(1, sides + 1)]
    if by == "faction":
        return [(LETTERS[f], leader) for f in range(len(LETTERS)) if value >> f & 1]
    if by == "deck":
        return [(deck_letters(value), leader)] if value else []
    if by == "rules":
        return [(RULE_SETS[value], leader)]
    if by == "termination":
        return [(TERMINATIONS[value], leader)]
    if by == "tiebreak":
        return [(("none", "cards", "value")[value], leader)] if value is not None else []
    if by == "rulings":
        return [
            (f"{key}={RULINGS[key].values[value >> bit & 1]}", leader)
            for bit, key in enumerate(("trolls", "dragons", "automatons", "raccoons"))
        ]
    return [(value, leader)] if value not in (None, "") else []


# Times -----------------------------------------------------------------------------------


class TimeStat(msgspec.Struct, frozen=True, kw_only=True):
    """How long games with this number of seats took."""

    seats: int
    games: int
    mean: Annotated[float, Seconds, Meta(description="The mean, in seconds.")]
    median: Annotated[float, Seconds, Meta(description="The median, in seconds.")]
    shortest: Annotated[int, Seconds, Meta(description="The shortest, in seconds.")]
    longest: Annotated[int, Seconds, Meta(description="The longest, in seconds.")]


class TimeStats(msgspec.Struct, frozen=True, kw_only=True):
    """How long games took, from the tags Start and End: None if no game has both."""

    games: int
    timed: Annotated[int, Meta(description="The number of games with a start and an end.")]
    mean: Annotated[float | None, Meta(description="The mean, in seconds.")]
    median: Annotated[float | None, Meta(description="The median, in seconds.")]
    shortest: Annotated[int | None, Meta(description="The shortest, in seconds.")]
    longest: Annotated[int | None, Meta(description="The longest, in seconds.")]
    by_seats: list[TimeStat]


@question("/stats/times", "Times")
def time_stats(games: Games, filter: Filter = EVERYTHING) -> TimeStats:
    """How long games took, from the tags Start and End."""
    where = games.where(filter)
    rows = games.database.rows(
        f"""
        WITH timed AS (
            SELECT seats, date_diff('second', started, ended) AS took FROM games g
            WHERE {where.sql})
        SELECT seats, count(*) FILTER (took > 0), count(*), avg(took) FILTER (took > 0),
               median(took) FILTER (took > 0), min(took) FILTER (took > 0),
               max(took) FILTER (took > 0)
        FROM timed GROUP BY GROUPING SETS ((), (seats)) ORDER BY seats NULLS FIRST
        """,
        where.parameters,
    )
    (_, timed, total, mean, median, shortest, longest), *by_seats = rows
    return TimeStats(
        games=total,
        timed=timed,
        mean=mean,
        median=median,
        shortest=shortest,
        longest=longest,
        by_seats=[
            TimeStat(
                seats=seats,
                games=timed,
                mean=mean,
                median=median,
                shortest=shortest,
                longest=longest,
            )
            for seats, timed, _, mean, median, shortest, longest in by_seats
            if timed
        ],
    )
