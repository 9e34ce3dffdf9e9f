"""Standings of an event at the desk, and explanations of places.

Games and tie-breaks are counted by `claimlog.directing.counting`, as in the archive.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, Final

import msgspec

from claimlog.directing.counting import DEFAULT, FORFEIT, NO_RECORD, Counting, Line, Played, placed
from claimlog.directing.model import Criterion, seeded
from claimlog.directing.scoring import BYE_RESULTS, bye_score, scores, votes_of
from claimlog.directing.stages import knockout_from, stages
from claimlog.language import words
from claimlog.results import parse_result

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from datetime import date

    from claimlog.directing.board import Board, BoardTable
    from claimlog.directing.desk import Desk
    from claimlog.directing.model import Entrant, Plan

NO_GAME: Final = Played._make([None] * len(Played._fields))._replace(
    game=0, gid=NO_RECORD, complete=False, seats=0, result=0
)
"""Stands for a game without a record."""


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """A player or a team in the standings; lines equal in all tie-breaks share a rank.

    `entrants` are their numbers; `values` are those of the tie-breaks, in order.
    """

    rank: int
    entrants: tuple[int, ...]
    name: str
    games: int
    won: int
    shared: int
    lost: int
    points: float
    votes_for: int
    votes_against: int
    values: tuple[float, ...]


class Standings(msgspec.Struct, frozen=True, kw_only=True):
    """All lines in order, and the tie-breaks that determined it."""

    tiebreaks: tuple[Criterion, ...]
    lines: tuple[Standing, ...]

    @property
    def ties(self) -> list[list[Standing]]:
        """The groups of lines that no tie-break separates."""
        by_rank: dict[int, list[Standing]] = defaultdict(list)
        for line in self.lines:
            by_rank[line.rank].append(line)
        return [lines for lines in by_rank.values() if len(lines) > 1]


class PlaceReason(msgspec.Struct, frozen=True, kw_only=True):
    """What decided between one line and another; nothing did if `tiebreak` is None.

    `name` and `entrants` are the other line's.  `among` are the lines that were level up to this
    tie-break: head-to-head counts games among them.
    """

    name: str
    entrants: tuple[int, ...]
    ahead: bool
    tiebreak: Criterion | None
    mine: float
    theirs: float
    among: tuple[str, ...] = ()

    def worded(self, language: str = "en") -> str:
        """Return the reason as a sentence."""
        say = words(language)
        if self.tiebreak is None:
            return say("standing.level", name=self.name)
        key = "standing.ahead" if self.ahead else "standing.behind"
        # Two decimals, as everywhere, unless the difference is smaller.
        digits = 2 if round(self.mine, 2) != round(self.theirs, 2) else 5
        text = say(
            key,
            name=self.name,
            tiebreak=say(f"by.{self.tiebreak}"),
            mine=_number(self.mine, digits, language),
            theirs=_number(self.theirs, digits, language),
        )
        if self.tiebreak == "head-to-head" and len(self.among) > 2:
            return say("standing.among", text=text, names=say.join(self.among))
        return text


def _number(value: float, digits: int, language: str) -> str:
    text = f"{round(value, digits):g}"
    return text.replace(".", ",") if language == "de" else text


def played(
    board: Board,
    until: int | None = None,
    record: Callable[[BoardTable], Played] = lambda _: NO_GAME,
) -> list[tuple[Played, list[float] | None]]:
    """Return the games and byes of the rounds, with the points of their sides.

    Players are given by number; an entrant without a game or bye gets a row too, but not with
    `until`: they may have entered later.
    Partners who stay together have a row each for a bye; that of the first has both of them.
    `record` returns what is known of the record of a game.
    """
    games: list[tuple[Played, list[float] | None]] = []
    idle = {one.number for one in board.entrants}
    for round in board.rounds[:until]:
        for table in round.tables:
            game = _seated(record(table), [board.entrant(number) for number in table.players])
            given = None
            if table.result is not None:
                votes = votes_of(table.result, table.table.sides)
                game = game._replace(
                    result=parse_result(table.result.result),
                    termination=FORFEIT if table.result.forfeit else None,
                    votes1=votes[0],
                    votes2=votes[1],
                    votes3=votes[2],
                )
                given = scores(table.result, table.table.sides, board.plan.points)
            games.append((game._replace(round=str(round.number), tbl=str(table.number)), given))
            idle.difference_update(table.players)
        byes = {bye.entrant: bye for bye in round.byes}
        for number, alone in _alone(board, byes):
            result = 0 if round.state == "paired" else BYE_RESULTS[byes[number].kind]
            alone = alone._replace(round=str(round.number), result=result)
            games.append((alone, [bye_score(byes[number], board.plan.points)]))
        idle.difference_update(byes)
    if until is None:
        games += [(row, None) for _, row in _alone(board, idle)]
    return games


def up_to_day(
    board: Board, desk: Desk, last: date, played_on: Callable[[BoardTable], date | None]
) -> Board:
    """Return an event with the rounds that had begun by the end of a day, in UTC.

    Of these, only games up to that day have a result.  `played_on` returns the date in the record
    of a table's game; without one, the day counts on which a result was first typed.
    """
    rounds = []
    for round, begun in zip(board.rounds, desk.rounds, strict=True):
        tables = []
        early = begun.started is not None and begun.started.date() <= last
        for table, place in zip(round.tables, begun.tables, strict=True):
            day = played_on(table)
            early |= day is not None and day <= last
            if day is None and place.first is not None:
                day = place.first.date()
            if day is None or day > last:
                table = msgspec.structs.replace(table, result=None, game=None)
            tables.append(table)
        if early:
            rounds.append(msgspec.structs.replace(round, tables=tuple(tables)))
    return msgspec.structs.replace(board, rounds=tuple(rounds))


def _alone(board: Board, numbers: Iterable[int]) -> Iterator[tuple[int, Played]]:
    """Return a row without a result for each of these entrants.

    If partners stay together, and both are among these, the row of the first has both.
    """
    entrants = [board.entrant(number) for number in numbers]
    teams: dict[str, list[Entrant]] = defaultdict(list)
    if board.plan.of_teams:
        for one in seeded(entrants):
            teams[one.team].append(one)
    for one in entrants:
        row = _seated(NO_GAME, [one])
        members = teams[one.team]
        if one.team and len(members) == 2 and one is members[0]:
            row = row._replace(p3=members[1].number, n3=members[1].name)
        yield one.number, row


def _seated(game: Played, entrants: Sequence[Entrant]) -> Played:
    """Return a game with these entrants in its seats."""
    seats = (*entrants, None, None, None)[:4]
    fields: dict[str, Any] = {"seats": len(entrants)}
    for seat, one in enumerate(seats, 1):
        fields[f"p{seat}"] = None if one is None else one.number
        fields[f"n{seat}"] = None if one is None else one.name
    return game._replace(**fields)


def counted(board: Board, until: int | None = None, *, teams: bool = False) -> Counting:
    """Count the games of an event up to a round, for players or for teams of two."""
    counting = Counting({}, teams=teams)
    rows = played(board, until)
    games = [game for game, _ in rows]
    if teams:
        counting.squads = squads(games, teams_of(board))
    counting.add(games, [given for _, given in rows])
    first = knockout_from(board)
    if first is not None:
        counting.reached = stages(games, first)
    return counting


def teams_of(event: Board | Desk) -> dict[int, str]:
    """Return the team of each entrant if partners stay together in the event."""
    if not event.plan.of_teams:
        return {}
    return {one.number: one.team for one in event.entrants if one.team}


def squads(games: Iterable[Played], team_of: Mapping[int, str]) -> dict[int, tuple[int, ...]]:
    """Return all who played for their team, by each of them, where they are more than two."""
    members: dict[str, set[int]] = defaultdict(set)
    for game in games if team_of else ():
        for one in (game.p1, game.p2, game.p3, game.p4):
            if one is not None and one in team_of and (game.seats == 4 or game.p3 is not None):
                members[team_of[one]].add(one)
    large = [tuple(sorted(team)) for team in members.values() if len(team) > 2]
    return {one: team for team in large for one in team}


def order_of(plan: Plan) -> tuple[Criterion, ...]:
    """Return what decides in an event, in order, each once: older plans may have one twice."""
    tiebreaks: tuple[Criterion, ...] = tuple(dict.fromkeys(plan.tiebreaks)) or tuple(DEFAULT)
    return ("stage", *tiebreaks) if plan.system in ("knock-out", "groups") else tiebreaks


def standings(board: Board, until: int | None = None, *, teams: bool | None = None) -> Standings:
    """Return the standings, as of now or after a round.

    `teams`: whether partners are counted as one; by default if they stay together in the event.
    """
    order = order_of(board.plan)
    if teams is None:
        teams = board.plan.of_teams
    lines = counted(board, until, teams=teams).ranked(order)
    return Standings(
        tiebreaks=order,
        lines=tuple(_standing(rank, line) for rank, line in placed(lines)),
    )


def _standing(rank: int, line: Line) -> Standing:
    players = line.in_order()
    return Standing(
        rank=rank,
        entrants=tuple(number for number, _, _ in players),
        name=" & ".join(name for _, _, name in players),
        games=line.games,
        won=line.won,
        shared=line.shared,
        lost=line.lost,
        points=round(line.points, 6),
        votes_for=line.votes_for,
        votes_against=line.votes_against,
        values=tuple(line.values),
    )


def explained(table: Standings, entrant: int) -> list[PlaceReason]:
    """Explain a place: what decided against every line not behind, and against the next one.

    Best first; lines further behind are left out.  The list is empty for an entrant without a line.
    """
    me = next((line for line in table.lines if entrant in line.entrants), None)
    decisions: list[PlaceReason] = []
    if me is None:
        return decisions
    for other in table.lines:
        if other is me:
            continue
        decisions.append(_decided(table, me, other))
        if other.rank > me.rank:
            break
    return decisions


def _decided(table: Standings, me: Standing, other: Standing) -> PlaceReason:
    for place, name in enumerate(table.tiebreaks):
        mine, theirs = me.values[place], other.values[place]
        if mine != theirs:
            level = [line.name for line in table.lines if line.values[:place] == me.values[:place]]
            return PlaceReason(
                name=other.name,
                entrants=other.entrants,
                ahead=mine > theirs,
                tiebreak=name,
                mine=mine,
                theirs=theirs,
                among=tuple(level),
            )
    return PlaceReason(
        name=other.name, entrants=other.entrants, ahead=False, tiebreak=None, mine=0, theirs=0
    )


class Cell(msgspec.Struct, frozen=True, kw_only=True):
    """The games of one line against another: how many, and their points in total."""

    opponent: tuple[int, ...]
    points: float
    games: int


class CrossLine(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the standings with its games; `player` are the numbers of its entrants."""

    rank: int
    player: tuple[int, ...]
    name: str
    points: float
    cells: tuple[Cell, ...]


def crosstable(board: Board, until: int | None = None) -> list[CrossLine]:
    """Return the standings with the games of each line against every other that it met."""
    counting = counted(board, until, teams=board.plan.of_teams)
    lines = counting.ranked(order_of(board.plan))
    cells = counting.cells()
    rows = []
    for rank, line in placed(lines):
        standing = _standing(rank, line)
        rows.append(
            CrossLine(
                rank=rank,
                player=line.who,
                name=standing.name,
                points=standing.points,
                cells=tuple(
                    Cell(opponent=other.who, points=round(met.points, 6), games=met.games)
                    for other in lines
                    if (met := cells[line].get(other)) is not None
                ),
            )
        )
    return rows


class TeamLine(msgspec.Struct, frozen=True, kw_only=True):
    """A team in an event for single players: the points of its best members."""

    rank: int
    team: str
    points: float
    members: tuple[int, ...]


def team_table(board: Board, table: Standings, best: int | None = None) -> list[TeamLine]:
    """Rank teams by the points of their `best` members, or of all; equal teams share a rank."""
    teams: dict[str, list[Standing]] = defaultdict(list)
    for line in table.lines:
        if len(line.entrants) == 1 and (team := board.entrant(line.entrants[0]).team):
            teams[team].append(line)
    sums = {
        team: round(sum(line.points for line in lines[:best]), 6) for team, lines in teams.items()
    }
    return [
        TeamLine(
            rank=1 + sum(other > points for other in sums.values()),
            team=team,
            points=points,
            members=tuple(line.entrants[0] for line in teams[team][:best]),
        )
        for team, points in sorted(sums.items(), key=lambda item: (-item[1], item[0]))
    ]


def prizes(board: Board, table: Standings, category: str) -> list[tuple[int, Standing]]:
    """Return the lines of a category with their places in it; equal ranks share a place."""
    inside = [
        line
        for line in table.lines
        if all(board.entrant(number).category == category for number in line.entrants)
    ]
    return [(1 + sum(other.rank < line.rank for other in inside), line) for line in inside]


def cut(lines: Sequence[Standing], number: int) -> tuple[list[Standing], list[Standing]]:
    """Return the lines certain to be in the first `number`, and those tied for the last places."""
    if number >= len(lines) or lines[number - 1].rank != lines[number].rank:
        return list(lines[:number]), []
    rank = lines[number - 1].rank
    return (
        [line for line in lines if line.rank < rank],
        [line for line in lines if line.rank == rank],
    )
