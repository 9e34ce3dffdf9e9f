"""Rates counted trick by trick, with intervals that treat a game as one observation.

The tricks of a game are correlated: a player who leads well in one does so in the next, and all
have the game's one result.  So sums per game (`questions.intervals.GameSums`) tell by how much the
intervals widen, the design effects.  Counts always cover everything; with more than `SAMPLED`
tricks, the effects are those of a sample of the games, drawn by hash.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from claimlog.store.model.codes import DECIDED, POINTS, WON, points_sql
from claimlog.store.questions.expected import PARTS, Averages, exact_rate, expecting
from claimlog.store.questions.intervals import GameSums, RateCounter, game_sums_sql, rate

if TYPE_CHECKING:
    from claimlog.store.model.types import Rate

SAMPLED: Final = 100_000
"""The approximate number of tricks that are evaluated game by game."""

LEAST: Final = 100
"""A kind seen in fewer games of a sample gets the effects of all kinds together."""

LED: Final = "auto = 0 AND winner IS NOT NULL"
"""SQL for the tricks that somebody led and somebody won."""

_SUMS: Final = 6


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of what was counted.

    `share` is its share of everything, `won_trick` how often the trick was won, where that is
    known, `result` the points of finished games; `newest` are numbers of games.  The expected value
    of the latter two rates is that of all kinds together.
    """

    count: int
    share: Rate
    won_trick: Rate
    result: Rate
    newest: list[int]


@dataclass(frozen=True, slots=True)
class Counted:
    """Everything that was counted: its number, the points, and the kinds in order."""

    count: int
    result: Rate
    kinds: dict[int, Kind]


@dataclass(frozen=True, slots=True)
class Effects:
    """The factors by which a kind's variances exceed those of independent observations."""

    share: float = 1.0
    won_trick: float = 1.0
    result: float = 1.0


def sample_sql(number: str) -> str:
    """A condition that samples games, so that they have about `SAMPLED` of `number` tricks.

    `number` is a scalar subquery.
    """
    # Not HUGEINT, the type of sums, which is slow.
    return f"hash(game) % greatest(1, {number} // {SAMPLED})::UBIGINT = 0"


def counting_sql(chosen: str, kind: str, how: str, newest: int) -> str:
    """SQL that continues ``WITH …``: tricks in `chosen`, counted by the column `kind`.

    `how` is the column that says how the play went (`claimlog.store.model.codes`); its rows are
    read by `counted`.
    """
    sums = f"{game_sums_sql('decided', 'won')}, {game_sums_sql('finished', 'points')}"
    nothing = ", ".join(["NULL"] * (4 + 2 * _SUMS))
    # These sums are not HUGEINT either, and the points are whole numbers, so that sums are exact.
    return f"""
        , singles AS MATERIALIZED (
            SELECT {kind} AS kind, {how} AS how, count(*) AS number, max(game, {newest}) AS newest
            FROM {chosen} WHERE {kind} IS NOT NULL GROUP BY ALL)
        , each AS MATERIALIZED (
            SELECT game, {kind} AS kind, count(*) AS k,
                   count(*) FILTER ({how} & {DECIDED} <> 0) AS decided,
                   count(*) FILTER ({how} & {DECIDED | WON} = {DECIDED | WON}) AS won,
                   count({points_sql(how)}) AS finished,
                   coalesce(sum(({PARTS} * {points_sql(how)})::INTEGER), 0)::INTEGER AS points
            FROM {chosen} WHERE {kind} IS NOT NULL
                AND {sample_sql("(SELECT sum(number) FROM singles)")}
            GROUP BY ALL),
        whole AS MATERIALIZED (
            SELECT game, sum(k)::INTEGER AS total, sum(decided)::INTEGER AS decided,
                   sum(won)::INTEGER AS won, sum(finished)::INTEGER AS finished,
                   sum(points)::INTEGER AS points
            FROM each GROUP BY game)
        SELECT kind, how, number, newest, {nothing} FROM singles
        UNION ALL
        SELECT NULL, NULL, sum(total), NULL, count(*), 0, 0, sum(total * total), {sums} FROM whole
        UNION ALL
        SELECT kind, NULL, sum(k), NULL, count(*), sum(k * k), sum(k * total), 0, {sums}
        FROM (SELECT each.*, total FROM each JOIN whole USING (game)) GROUP BY kind
    """


def singles_sql(chosen: str, kind: str, how: str, newest: int) -> str:
    """The same if a game has at most one trick in `chosen`: nothing is correlated then."""
    return (
        f"SELECT {kind} AS kind, {how} AS how, count(*), max(game, {newest}) FROM {chosen} "
        f"WHERE {kind} IS NOT NULL GROUP BY ALL"
    )


def counted(rows: list[tuple[Any, ...]]) -> Counted:
    """Make rates of the rows that `counting_sql` or `singles_sql` selected."""
    singles = [row for row in rows if row[1] is not None]
    total = sum(row[2] for row in singles)
    effects, others = _effects([row for row in rows if row[1] is None], total)
    everything = RateCounter()
    by_kind: dict[int, list[tuple[Any, ...]]] = defaultdict(list)
    for row in singles:
        by_kind[row[0]].append(row)
    kinds = {}
    averages = Averages()
    for kind in sorted(by_kind):
        effect = effects.get(kind, others)
        won, result = RateCounter(), RateCounter()
        for _, how, count, *_ in by_kind[kind]:
            points = POINTS[how & 7]
            if points is not None:
                result.add(points * count, count)
                everything.add(points * count, count)
                averages.add(("result", kind), "result", points * count, count)
            if how & DECIDED:
                won.add(count if how & WON else 0, count)
                averages.add(("won", kind), "won", count if how & WON else 0, count)
        number = sum(row[2] for row in by_kind[kind])
        kinds[kind] = Kind(
            count=number,
            share=rate(total, number, effect.share),
            won_trick=won.rate(effect.won_trick),
            result=exact_rate(result, effect.result),
            newest=[game for row in by_kind[kind] for game in row[3]],
        )
    kinds = {
        kind: replace(
            one,
            won_trick=expecting(one.won_trick, averages.of(("won", kind))),
            result=expecting(one.result, averages.of(("result", kind))),
        )
        for kind, one in kinds.items()
    }
    return Counted(total, exact_rate(everything, others.result), kinds)


def _effects(rows: list[tuple[Any, ...]], total: int) -> tuple[dict[int, Effects], Effects]:
    """The effects of the kinds seen in enough games, and those of all kinds together."""
    whole = next((row for row in rows if row[0] is None and row[2]), None)
    if whole is None:
        return {}, Effects()
    _, _, tricks, _, games, _, _, squares, *sums = whole
    least = LEAST if tricks < total else 0
    effects = {}
    for kind, _, count, _, seen, own_squares, product, _, *own in rows:
        if kind is not None and seen >= least:
            share = GameSums(
                int(tricks), count, games, float(own_squares), float(product), float(squares)
            )
            effects[int(kind)] = _of_sums(share.effect, own)
    return effects, _of_sums(1.0, sums)


def _of_sums(share: float, sums: list[Any]) -> Effects:
    won, result = read_game_sums(sums[:_SUMS]), read_game_sums(sums[_SUMS:], PARTS)
    return Effects(share, won.effect, result.effect)


def read_game_sums(sums: tuple[Any, ...] | list[Any], parts: int = 1) -> GameSums:
    """`GameSums` from the columns that `game_sums_sql` selected, whose points are in such parts."""
    count, points, games, squares, product, count_squared = sums
    return GameSums(
        int(count),
        float(points) / parts,
        int(games),
        float(squares) / parts**2,
        float(product) / parts,
        float(count_squared),
    )
