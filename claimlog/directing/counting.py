"""Counting the games of an event for its players, and ranking them.

Everybody gets the points of their side.  Opponents are those on other sides.  With more than one
opponent in a game, Buchholz and Sonneborn-Berger take the mean of their points.
"""

from __future__ import annotations

import datetime as times
from collections import defaultdict
from functools import cache
from itertools import repeat
from typing import TYPE_CHECKING, Any, Final, NamedTuple, get_args

from claimlog.directing.model import TieBreak
from claimlog.notation.names import by_name
from claimlog.notation.tags import TERMINATIONS
from claimlog.results import share_of
from claimlog.rules.setup import sides_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

TIEBREAKS: Final[tuple[TieBreak, ...]] = get_args(TieBreak)
DEFAULT: Final[list[TieBreak]] = [
    "points",
    "votes",
    "head-to-head",
    "buchholz",
    "sonneborn-berger",
]

Who = tuple[int, ...]
"""A player, or the players of a team."""


FORFEIT: Final = TERMINATIONS.index("forfeit")
"""How a game ended that was not played."""

NOT_PLAYED: Final = (FORFEIT, TERMINATIONS.index("bye"))
"""How records without a trick end that are not of a game that somebody played."""

NO_RECORD: Final = -1
"""Stands for the id of a game that has no record."""


class Played(NamedTuple):
    """What is read of a game for its event."""

    game: int
    gid: int
    site: str | None
    date: str | None
    day: times.date | None
    complete: bool
    seats: int
    result: int
    termination: int | None
    votes1: int | None
    votes2: int | None
    votes3: int | None
    p1: int | None
    p2: int | None
    p3: int | None
    p4: int | None
    n1: str | None
    n2: str | None
    n3: str | None
    n4: str | None
    round: str | None
    tbl: str | None


# The columns of the first seat or side, which the others follow.
_PLAYER, _NAME, _VOTES = map(Played._fields.index, ("p1", "n1", "votes1"))


class Line:
    """A player or a team while the standings are computed."""

    def __init__(self, who: Who, ids: list[str]) -> None:
        self.who = who
        self.ids = ids
        self.names = [""] * len(who)
        self.games = self.won = self.shared = self.lost = 0
        self.points = 0.0
        self.votes_for = self.votes_against = 0
        self.stage = 0
        """The round of the knock-out that was reached; see `claimlog.directing.stages`."""
        self.faced = self.beaten = 0.0
        """The points of all opponents, and of beaten ones (in a tie a share of them)."""
        self.met: list[tuple[float, int, list[tuple[int, Line]]]] = []
        """For each game the points, the side, and who sat on which side."""
        self.values: list[float] = []

    def in_order(self) -> list[tuple[int, str, str]]:
        """Return the players with their ids and names, by name."""
        players = zip(self.who, self.ids, self.names, strict=True)
        return sorted(players, key=lambda one: (by_name(one[2]), one[0]))

    def fields(self) -> dict[str, Any]:
        """Return what the standings say about players and teams alike."""
        return {
            "games": self.games,
            "won": self.won,
            "shared": self.shared,
            "lost": self.lost,
            "points": round(self.points, 6),
            "votes_for": self.votes_for,
            "votes_against": self.votes_against,
            "values": self.values,
        }


class Met:
    """Games of one line against another: their points in total, and their ids.

    Games without a record have no id.
    """

    def __init__(self) -> None:
        self.points = 0.0
        self.games = 0
        self.gids: list[int] = []


_Known = tuple[Line, list[tuple[int, int, bool]]]
"""A line, and for each player in it: which, in which of the places, under their own number."""


_SHARES: Final = repeat(None)
"""Each game gives its sides their share of the win."""


_TEAM_SEATS: Final = (4, 1)
"""The games of teams; one seat is a bye, which counts for partners if it names the other in p3."""


class Counting:
    """The lines of players, or of teams in games of four and byes, as games are counted."""

    def __init__(
        self,
        merged: Mapping[int, int],
        *,
        teams: bool = False,
        written: Callable[[int], str] = str,
    ) -> None:
        """Players in `merged` stand for others; `written` turns a player's number into an id."""
        self._written = written
        self.reached: Mapping[int, int] = {}
        """The stage of each player in a knock-out."""
        self.squads: Mapping[int, Who] = {}
        """All players of a team with substitutes, by each of them: they are one line."""
        self.lines: dict[Who, Line] = {}
        self._merged = merged
        self._teams = teams
        self._known: dict[Who, _Known] = {}
        self._games: list[
            tuple[int, list[tuple[int, Line]], list[float], Sequence[float], bool]
        ] = []

    def add(
        self, games: Iterable[Played], scores: Iterable[Sequence[float] | None] = _SHARES
    ) -> None:
        """Count games for everybody who played them.

        `scores` are the points of each game's sides, if not their share of the win.
        """
        for game, given in zip(games, scores, strict=False):
            if not self._teams or game.seats in _TEAM_SEATS:
                self._add(game, given)

    def _add(self, game: Played, scores: Sequence[float] | None) -> None:
        columns: tuple[Any, ...] = game
        known: list[tuple[int, Line]] = []
        sides, groups = _groups(game.seats, self._teams)
        for side, names, players in groups:
            raw = tuple([columns[place] for place in players])
            met = self._known.get(raw)
            if met is None:
                if None in raw or (met := self._meet(raw)) is None:
                    continue
                self._known[raw] = met
            line, order = met
            for k, place, own in order:
                if own or not line.names[k]:
                    line.names[k] = columns[names[place]] or line.ids[k]
            known.append((side, line))
        if not game.result:
            return
        shares = _shares(game.result, sides)
        votes = None if game.votes1 is None else columns[_VOTES : _VOTES + sides]
        given = scores or shares
        for side, line in known:
            share, points = shares[side], given[side]
            line.games += 1
            line.points += points
            if share == 1:
                line.won += 1
            elif share == 0:
                line.lost += 1
            else:
                line.shared += 1
            line.met.append((points, side, known))
            if votes is not None:
                line.votes_for += votes[side]
                line.votes_against += sum(votes) - votes[side]
        self._games.append((game.gid, known, shares, given, game.termination != FORFEIT))

    def _meet(self, raw: Who) -> _Known | None:
        """Return the line for these places; None if one player would be in it twice."""
        roots = [self._merged.get(player, player) for player in raw]
        who = tuple(sorted(roots))
        if len(set(who)) < len(who):
            return None
        squad = self.squads.get(who[0], ())
        if set(who) <= set(squad):
            who = tuple(squad)
        line = self.lines.get(who)
        if line is None:
            line = self.lines[who] = Line(who, [self._written(player) for player in who])
        places = [(who.index(root), place) for place, root in enumerate(roots)]
        return line, [(k, place, raw[place] == who[k]) for k, place in sorted(places)]

    def ranked(self, order: Sequence[str]) -> list[Line]:
        """Return the lines sorted by tie-breaks, with their values."""
        for line in self.lines.values():
            line.values = []
            line.stage = max(self.reached.get(player, 0) for player in line.who)
        if "buchholz" in order or "sonneborn-berger" in order:
            self._weigh()
        groups = [list(self.lines.values())]
        for name in order:
            split: list[list[Line]] = []
            for group in groups:
                members = set(group)
                by_value: dict[float, list[Line]] = defaultdict(list)
                for line in group:
                    value = round(float(_VALUES[name](line, members)), 6)
                    line.values.append(value)
                    by_value[value].append(line)
                split += [by_value[value] for value in sorted(by_value, reverse=True)]
            groups = split
        return [
            line
            for group in groups
            for line in sorted(group, key=lambda line: (list(map(by_name, line.names)), line.who))
        ]

    def _weigh(self) -> None:
        """Compute the points of everybody's opponents in the games that were played."""
        for line in self.lines.values():
            line.faced = line.beaten = 0.0
        for _, known, shares, _, played in self._games:
            if not played:
                continue
            for side, line in known:
                total, number = 0.0, 0
                for beyond, other in known:
                    if beyond != side:
                        total += other.points
                        number += 1
                if number:
                    line.faced += total / number
                    line.beaten += shares[side] * total / number

    def cells(self) -> dict[Line, dict[Line, Met]]:
        """Return the games between lines, by line and opponent."""
        cells: dict[Line, dict[Line, Met]] = defaultdict(dict)
        for gid, known, _, given, _ in self._games:
            for side, line in known:
                row = cells[line]
                for beyond, other in known:
                    if beyond != side:
                        met = row.get(other)
                        if met is None:
                            met = row[other] = Met()
                        met.points += given[side]
                        met.games += 1
                        if gid != NO_RECORD:
                            met.gids.append(gid)
        return cells


@cache
def _groups(seats: int, teams: bool) -> tuple[int, list[tuple[int, list[int], list[int]]]]:
    """Return the number of sides, and the groups counted as one: each seat, or each side.

    A group is its side, from 0, and the columns of its names and players in `Played`.  In a bye,
    partners have the seats of the first side of four.
    """
    sides = sides_of(seats)
    groups = [range(side, seats, sides) for side in range(sides)]
    if not teams:
        groups = [range(seat, seat + 1) for seat in range(seats)]
    elif seats == 1:
        groups = [range(0, 4, 2)]
    return sides, [
        (group[0] % sides, [_NAME + seat for seat in group], [_PLAYER + seat for seat in group])
        for group in groups
    ]


@cache
def _shares(result: int, sides: int) -> list[float]:
    """Return the points of each side."""
    return [share_of(result, side) or 0.0 for side in range(1, sides + 1)]


def _head_to_head(line: Line, group: set[Line]) -> float:
    """Return the points in games against the lines that a line is tied with."""
    if len(group) == 1:
        return 0.0
    return sum(
        points
        for points, side, known in line.met
        if any(beyond != side and other in group for beyond, other in known)
    )


_VALUES: Final[dict[str, Callable[[Line, set[Line]], float]]] = {
    "stage": lambda line, _: line.stage,
    "points": lambda line, _: line.points,
    "votes": lambda line, _: line.votes_for,
    "vote-difference": lambda line, _: line.votes_for - line.votes_against,
    "wins": lambda line, _: line.won,
    "head-to-head": _head_to_head,
    "buchholz": lambda line, _: line.faced,
    "sonneborn-berger": lambda line, _: line.beaten,
}


def placed(lines: list[Line]) -> list[tuple[int, Line]]:
    """Return lines in order with their ranks; equal values share a rank."""
    ranks: list[tuple[int, Line]] = []
    rank, values = 0, None
    for place, line in enumerate(lines, 1):
        if line.values != values:
            rank, values = place, line.values
        ranks.append((rank, line))
    return ranks
