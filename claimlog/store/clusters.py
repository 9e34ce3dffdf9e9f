"""What is counted trick by trick, with intervals that take a game as one draw.

Tricks of a game hang together: who leads well in one does so in the next, and all have the
game's one result.  So the sums are made game by game first (`claimlog.store.rates.Clusters`).
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from claimlog.store.codes import DECIDED, POINTS, WON, points_sql
from claimlog.store.rates import Clusters, RateCounter, clusters_sql, rate

if TYPE_CHECKING:
    from claimlog.store.types import Rate

_SUMS = 6


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of what was counted.

    `share` is that in all, `won_trick` how often the trick was won where it is known,
    `result` the points of finished games; `newest` are numbers of games.
    """

    count: int
    share: Rate
    won_trick: Rate
    result: Rate
    newest: list[int]


@dataclass(frozen=True, slots=True)
class Counted:
    """All that was counted: its number, the points, and by kind, in the order of the kinds."""

    count: int
    result: Rate
    kinds: dict[int, Kind]


def counting_sql(chosen: str, kind: str, how: str, newest: int) -> str:
    """SQL that goes on after ``WITH …``: tricks in `chosen`, counted by the column `kind`.

    `how` is the column that says how the play went (`claimlog.store.codes`); rows for
    `counted`.
    """
    sums = f"{clusters_sql('decided', 'won')}, {clusters_sql('finished', 'points')}"
    return f"""
        , each AS MATERIALIZED (
            SELECT game, {kind} AS kind, count(*) AS k,
                   count(*) FILTER ({how} & {DECIDED} <> 0) AS decided,
                   count(*) FILTER ({how} & {DECIDED | WON} = {DECIDED | WON}) AS won,
                   count({points_sql(how)}) AS finished,
                   coalesce(sum({points_sql(how)}), 0) AS points
            FROM {chosen} WHERE {kind} IS NOT NULL GROUP BY ALL),
        whole AS MATERIALIZED (
            SELECT game, sum(k) AS total, sum(decided) AS decided, sum(won) AS won,
                   sum(finished) AS finished, sum(points) AS points
            FROM each GROUP BY game)
        SELECT NULL, sum(total), count(*), sum(total * total), sum(total * total), {sums}, NULL
        FROM whole
        UNION ALL
        SELECT kind, sum(k), count(*), sum(k * k), sum(k * total), {sums}, max(game, {newest})
        FROM (SELECT each.*, total FROM each JOIN whole USING (game)) GROUP BY kind
    """


def singles_sql(chosen: str, kind: str, how: str, newest: int) -> str:
    """The same where a game has one trick in `chosen` at most; rows for `counted_singles`."""
    return (
        f"SELECT {kind} AS kind, {how} AS how, count(*), max(game, {newest}) FROM {chosen} "
        f"WHERE {kind} IS NOT NULL GROUP BY ALL"
    )


def counted_singles(rows: list[tuple[Any, ...]]) -> Counted:
    """Make rates of what `singles_sql` selected: nothing hangs together."""
    total = sum(count for _, _, count, _ in rows)
    everything = RateCounter()
    by_kind: dict[int, list[tuple[Any, ...]]] = defaultdict(list)
    for row in rows:
        by_kind[row[0]].append(row)
    kinds = {}
    for kind in sorted(by_kind):
        won, result = RateCounter(), RateCounter()
        for _, how, count, _ in by_kind[kind]:
            points = POINTS[how & 7]
            if points is not None:
                result.add(points * count, count)
                everything.add(points * count, count)
            if how & DECIDED:
                won.add(count if how & WON else 0, count)
        number = sum(count for _, _, count, _ in by_kind[kind])
        kinds[kind] = Kind(
            count=number,
            share=rate(total, number),
            won_trick=won.rate(),
            result=result.rate(),
            newest=[game for *_, games in by_kind[kind] for game in games],
        )
    return Counted(total, everything.rate(), kinds)


def counted(rows: list[tuple[Any, ...]]) -> Counted:
    """Make rates of what `counting_sql` selected."""
    whole = next(row for row in rows if row[0] is None)
    _, total, games, squares, *_ = whole
    kinds = {}
    for kind, count, _, own_squares, product, *sums, newest in sorted(
        (row for row in rows if row[0] is not None), key=lambda row: int(row[0])
    ):
        kinds[int(kind)] = Kind(
            count=int(count),
            share=Clusters(
                int(total), count, games, float(own_squares), float(product), float(squares)
            ).rate(),
            won_trick=read_clusters(sums[:_SUMS]).rate(),
            result=read_clusters(sums[_SUMS:]).rate(),
            newest=newest,
        )
    return Counted(int(total or 0), read_clusters(whole[5 + _SUMS : -1]).rate(), kinds)


def read_clusters(sums: tuple[Any, ...] | list[Any]) -> Clusters:
    """`Clusters` from what `clusters_sql` selected."""
    count, points, games, *others = sums
    return Clusters(int(count), float(points), int(games), *map(float, others))
