"""All places of an event: overall, within categories, of teams, and who shares one.

Lines are those of the standings at the desk; lines level in all tie-breaks share a place, and
nothing else decides.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from claimlog.directing.model import Criterion
from claimlog.directing.standings import prizes, standings, team_table
from claimlog.notation.names import sorted_names

if TYPE_CHECKING:
    from claimlog.directing.board import Board


class Ranked(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the standings: a player, or partners who stay together."""

    rank: int
    entrants: tuple[int, ...]
    name: str
    points: float
    category: str
    in_category: int | None
    """The place within the category; None without a category."""


class RankedTeam(msgspec.Struct, frozen=True, kw_only=True):
    """A team in an event for single players, with the sum of its members' points."""

    rank: int
    team: str
    points: float
    members: tuple[int, ...]


class Ranking(msgspec.Struct, frozen=True, kw_only=True):
    """All places of an event, as of now or after a round."""

    event: str
    name: str
    round: int | None
    tiebreaks: tuple[Criterion, ...]
    lines: tuple[Ranked, ...]
    shared: tuple[tuple[int, ...], ...]
    """The groups that share a place, by the numbers of the entrants."""
    teams: tuple[RankedTeam, ...]

    def within(self, category: str) -> list[Ranked]:
        """Return the lines of a category, best first."""
        return [line for line in self.lines if line.category == category]

    @property
    def categories(self) -> list[str]:
        """All categories, in alphabetical order."""
        return sorted_names({line.category for line in self.lines if line.category})


def ranking(board: Board, until: int | None = None) -> Ranking:
    """Return the places of an event, in its categories and teams."""
    table = standings(board, until)
    place = {
        line.entrants: (category, number)
        for category in {one.category for one in board.entrants if one.category}
        for number, line in prizes(board, table, category)
    }
    lines = []
    for line in table.lines:
        category, number = place.get(line.entrants, ("", None))
        lines.append(
            Ranked(
                rank=line.rank,
                entrants=line.entrants,
                name=line.name,
                points=line.points,
                category=category,
                in_category=number,
            )
        )
    return Ranking(
        event=board.event,
        name=board.name,
        round=until,
        tiebreaks=table.tiebreaks,
        lines=tuple(lines),
        shared=tuple(
            tuple(number for line in those for number in line.entrants) for those in table.ties
        ),
        teams=tuple(
            RankedTeam(rank=one.rank, team=one.team, points=one.points, members=one.members)
            for one in team_table(board, table)
        ),
    )
