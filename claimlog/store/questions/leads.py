"""Leads: what they are worth, and how long they last."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from msgspec import Meta

from claimlog.results import share_of
from claimlog.rules.setup import sides_of
from claimlog.store.model.codes import MOST_SQL
from claimlog.store.model.filter import By, Filter
from claimlog.store.model.types import NamedRate, Rate
from claimlog.store.questions.arguments import Phase, Whose
from claimlog.store.questions.design_effects import (
    LED,
    counted,
    counting_sql,
    read_game_sums,
    sample_sql,
)
from claimlog.store.questions.expected import expecting
from claimlog.store.questions.intervals import game_sums_sql, rate
from claimlog.store.questions.question import EVERYTHING, OfPlayer, question
from claimlog.store.questions.results import Group
from claimlog.store.questions.where import in_phase, tricks_sql

if TYPE_CHECKING:
    from claimlog.store.questions.games import Games
    from claimlog.store.questions.where import Where


class LeadStats(msgspec.Struct, frozen=True, kw_only=True):
    """What leading and winning Phase 1 are worth: the points of the players who did."""

    games: int
    first_lead: Annotated[Rate, Meta(description="The points of the player who led trick 1.")]
    phase1_last: Annotated[
        Rate, Meta(description="The points of the winner of Phase 1's last trick.")
    ]
    phase1_most: Annotated[
        Rate, Meta(description="The points of the side that won most of Phase 1's tricks.")
    ]
    phase2_first: Annotated[Rate, Meta(description="The points of the player who led Phase 2.")]
    by_seats: list[NamedRate]
    trick_won: Annotated[
        Rate,
        Meta(description="How often the leader of a trick won it, including unfinished games."),
    ]
    trick_won_by_phase: Annotated[list[NamedRate], Meta(description="The same figure by phase.")]


class LengthStat(msgspec.Struct, frozen=True, kw_only=True):
    """Leads of one length: the number of consecutive tricks led by the same seat."""

    length: Annotated[
        int, Meta(ge=1, title="tricks in a row", description="The length of the lead, in tricks.")
    ]
    count: Annotated[int, Meta(title="leads", description="The number of leads of this length.")]
    share: Rate
    result: Annotated[Rate, Meta(title="points", description="The points of the leader.")]


class LeadLengths(msgspec.Struct, frozen=True, kw_only=True):
    """How long leads last."""

    leads: Annotated[int, Meta(description="The number of leads.")]
    mean: Annotated[float | None, Meta(description="The mean length, in tricks.")]
    longest: Annotated[int, Meta(description="The length of the longest lead, in tricks.")]
    lengths: Annotated[list[LengthStat], Meta(description="The lengths, shortest first.")]


@question(
    "/stats/leads",
    "Leads",
    of_player=OfPlayer(
        "What leading and winning Phase 1 are worth to a player; how often leads win.", {}
    ),
)
def lead_stats(games: Games, filter: Filter = EVERYTHING, *, by: Whose = "anybody") -> LeadStats:
    """What leading trick 1 and winning Phase 1 are worth; how often a lead wins its trick."""
    sums = games.summed(filter, by)
    won, rows = _leads(games, filter, by) if sums is None else _leads_summed(games, sums)
    wins = {
        key: expecting(rate(count, points, read_game_sums(sums).effect), anybody)
        for key, count, points, anybody, *sums in won
    }
    first, last, most, second = Group(), Group(), Group(), Group()
    by_seats: dict[int, Group] = defaultdict(Group)
    for seats, leader, result, phase1_last, phase2_first, majority, own_seat, count in rows:
        sides = sides_of(seats)
        for seat, group, tally in (
            (leader, seats, first),
            (leader, seats, by_seats[seats]),
            (phase1_last, seats, last),
            (phase2_first, seats, second),
            (majority, sides, most),  # this one is a side
        ):
            points = share_of(result, seat) if seat else None
            if points is None or (own_seat is not None and (own_seat - seat) % group):
                continue
            tally.add(count, result, points)
    return LeadStats(
        games=first.tally.count,
        first_lead=first.rate(),
        phase1_last=last.rate(),
        phase1_most=most.rate(),
        phase2_first=second.rate(),
        by_seats=[
            NamedRate(key=str(seats), label=f"{seats} players", result=tally.rate())
            for seats, tally in sorted(by_seats.items())
            if tally.tally.count
        ],
        trick_won=wins.get(0, rate(0, 0)),
        trick_won_by_phase=[
            NamedRate(key=str(phase), label=f"Phase {phase}", result=wins[phase])
            for phase in (1, 2)
            if phase in wins
        ],
    )


def _leads(games: Games, filter: Filter, by: By) -> tuple[list[Any], list[Any]]:
    """The tricks that were led and won, by phase, and the games by how they went."""
    where = games.where(filter)
    source, parameters = tricks_sql(where, "game, phase, leader, winner, auto, seats", "", by)
    own = where.own_seat if by == "player" else "NULL"
    mine = " AND leader = own" if by == "player" else ""
    led = f"FROM chosen WHERE {LED}{mine}"
    won = games.database.rows(
        f"""
        {source}, whole AS MATERIALIZED (
            SELECT phase, count(*) AS led, count(*) FILTER (winner = leader) AS won,
                   sum(12 // seats)::BIGINT / 12 AS anybody {led}
            GROUP BY GROUPING SETS ((phase), ())),
        each AS (
            SELECT game, phase, count(*) AS led, count(*) FILTER (winner = leader) AS won {led}
            AND {sample_sql("(SELECT max(led) FROM whole)")}
            GROUP BY GROUPING SETS ((game, phase), (game)))
        SELECT coalesce(whole.phase, 0) AS key, any_value(whole.led), any_value(whole.won),
               any_value(whole.anybody), {game_sums_sql("each.led", "each.won")}
        FROM whole LEFT JOIN each ON whole.phase IS NOT DISTINCT FROM each.phase
        GROUP BY key ORDER BY key
        """,
        parameters,
    )
    where.add("g.result <> 0 AND g.tricks > 0")
    rows = games.database.rows(
        f"""
        SELECT seats, leader, result, phase1_last, phase2_first, most, own, count(*) FROM (
            SELECT *, {MOST_SQL} AS most, {own} AS own FROM games g WHERE {where.sql})
        GROUP BY ALL
        """,
        where.parameters,
    )
    return won, rows


def _leads_summed(games: Games, where: Where) -> tuple[list[Any], list[Any]]:
    """The same from the roll-ups: the intervals are based on all games, not on a sample."""
    won = games.database.rows(
        "SELECT phase, sum(led), sum(won), sum(12 // seats * led) / 12, sum(led), sum(won), "
        "sum(games), sum(won_squared), sum(product), sum(led_squared) "
        f"FROM lead_sums g WHERE {where.sql} GROUP BY phase HAVING sum(led) <> 0 ORDER BY phase",
        where.parameters,
    )
    rows = games.database.rows(
        "SELECT seats, leader, result, phase1_last, phase2_first, most, NULL, sum(number) "
        f"FROM course_sums g WHERE {where.sql} GROUP BY ALL HAVING sum(number) <> 0",
        where.parameters,
    )
    return won, rows


@question(
    "/stats/lead-lengths",
    "Lead lengths",
    of_player=OfPlayer("How many tricks in a row a player leads.", {}),
)
def lead_lengths(
    games: Games, filter: Filter = EVERYTHING, *, phase: Phase = None, by: Whose = "anybody"
) -> LeadLengths:
    """How many tricks in a row the same seat leads."""
    source, parameters = tricks_sql(
        games.where(filter), "game, run, leader, h1", f"{in_phase(phase)} AND run > 0", by
    )
    chosen = "chosen" if by == "anybody" else "(FROM chosen WHERE leader = own)"
    counts = counted(games.database.rows(source + counting_sql(chosen, "run", "h1", 1), parameters))
    sum_of_lengths = sum(run * one.count for run, one in counts.kinds.items())
    return LeadLengths(
        leads=counts.count,
        mean=sum_of_lengths / counts.count if counts.count else None,
        longest=max(counts.kinds, default=0),
        lengths=[
            LengthStat(length=run, count=one.count, share=one.share, result=one.result)
            for run, one in counts.kinds.items()
        ],
    )
