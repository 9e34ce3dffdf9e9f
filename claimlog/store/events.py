"""Events: rounds, standings, crosstables.

Everybody gets the points of their side.  Opponents are who sits on other sides.  With more
than one opponent in a game, Buchholz and Sonneborn-Berger take the mean of their points.
"""

from __future__ import annotations

import datetime as times
from collections import Counter, defaultdict
from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple, get_args

import msgspec

from claimlog.rules.setup import sides_of
from claimlog.store import lists
from claimlog.store import types as t
from claimlog.store.codes import share_of
from claimlog.store.errors import ArchiveError, BadQuery, Conflict, NotFound, refuse_null
from claimlog.store.games import (
    COLUMNS,
    game_row,
    natural_key,
)
from claimlog.store.ground import now
from claimlog.store.ids import write_id
from claimlog.store.merges import Merges
from claimlog.store.players import SEATS
from claimlog.store.schema import GAME
from claimlog.store.where import _bound, contains_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from claimlog.store.filter import Filter
    from claimlog.store.games import Games

TIEBREAKS: Final[tuple[t.TieBreak, ...]] = get_args(t.TieBreak)
DEFAULT: Final[list[t.TieBreak]] = [
    "points",
    "votes",
    "head-to-head",
    "buchholz",
    "sonneborn-berger",
]


class _Played(NamedTuple):
    """What is read of a game for its event."""

    game: int
    gid: int
    site: str | None
    date: str | None
    day: times.date | None
    complete: bool
    seats: int
    result: int
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


# Where the columns of the first seat or side are; those of the others follow.
_PLAYER, _NAME, _VOTES = map(_Played._fields.index, ("p1", "n1", "votes1"))

_Who = tuple[int, ...]
"""A player, or the players of a team."""


def in_utc(moment: datetime) -> datetime:
    """A moment in UTC, without an offset; at either end of time if it lies beyond.

    Without an offset it is UTC already.
    """
    if moment.tzinfo is None:
        return moment
    try:
        return moment.astimezone(UTC).replace(tzinfo=None)
    except OverflowError:
        return datetime.min if moment.year == 1 else datetime.max


class _Line:
    """A player or a team while the standings are made."""

    def __init__(self, who: _Who) -> None:
        self.who = who
        self.names = [""] * len(who)
        self.games = self.won = self.shared = self.lost = 0
        self.points = 0.0
        self.votes = [0, 0]
        self.met: list[tuple[float, list[_Who], int]] = []  # points, opponents, gid
        self.values: list[float] = []

    def told(self) -> dict[str, Any]:
        """What standings say of players and of teams alike."""
        return {
            "games": self.games,
            "won": self.won,
            "shared": self.shared,
            "lost": self.lost,
            "points": round(self.points, 6),
            "votes_for": self.votes[0],
            "votes_against": self.votes[1],
            "values": self.values,
        }


class _Reading(NamedTuple):
    """The games of an event that are to be counted, and the order of the tie-breaks."""

    event: int
    name: str
    order: list[t.TieBreak]
    games: list[_Played]

    def number(self, teams: bool = False) -> dict[str, int]:
        """How many games are finished and not."""
        counted = [game.result for game in self.games if not teams or game.seats == 4]
        unfinished = counted.count(0)
        return {"games": len(counted) - unfinished, "unfinished": unfinished}


class Events:
    """The reading side for events, and their settings."""

    def __init__(self, games: Games) -> None:
        self.games = games
        self.database = games.database
        self.identities = games.identities
        self._merges = Merges(games.database, "event", "event_merges")

    def page(
        self,
        filter: Filter,
        search: str,
        sort: str,
        limit: int,
        cursor: str | None,
        total: bool,
    ) -> t.EventPage:
        """See `Archive.events`."""
        orders = self._sorting()
        if sort not in orders:
            raise BadQuery(f"events are sorted by {', '.join(orders)}", "sort")
        like, words = contains_words("name", search)
        table = self._table(filter)
        table = table._replace(conditions=[like], parameters=[*table.parameters, *words])
        found = lists.page(self.database, table, orders, sort, limit, cursor, total)
        return t.EventPage(events=self._rows(found.rows), cursor=found.cursor, total=found.total)

    def _seats(self) -> str:
        """SQL for the events and players of all games."""
        return " UNION ALL ".join(
            f"SELECT {self.identities.event_sql('event')} AS event, "
            f"{self.identities.root_sql(f'p{s}')} AS p FROM games"
            for s in SEATS
        )

    def _sorting(self) -> lists.Orders:
        players = f"(SELECT count(DISTINCT p) FROM ({self._seats()}) s WHERE s.event = d.event)"
        return lists.by_either({
            "last": ("day", "VARCHAR", True),
            "first": ("coalesce(first, '')", "VARCHAR", False),
            "name": ("name", "VARCHAR", False),
            "players": (players, "BIGINT", True),
            "rounds": ("rounds", "BIGINT", True),
            "games": ("games", "BIGINT", True),
        })  # fmt: skip

    def _table(self, filter: Filter) -> lists.Table:
        made = self.games.where(filter)
        made.add("g.event IS NOT NULL")
        name = self.identities.event_name_sql("e.event", "e.name")
        return lists.Table(
            f"""
            f AS (SELECT g.* REPLACE ({self.identities.event_sql("g.event")} AS event),
                         {lists.MOMENT} AS moment FROM games g WHERE {made.sql}),
            c AS (SELECT event, count(*) AS games, count(*) FILTER (complete) AS complete,
                         count(DISTINCT round) AS rounds, list_sort(list(DISTINCT site)) AS sites,
                         arg_min(date, moment) AS first, arg_max(date, moment) AS last,
                         coalesce(max(day)::VARCHAR, '') AS day FROM f GROUP BY event),
            d AS (SELECT c.*, {name} AS name FROM c JOIN events e USING (event))
            """,
            "event, name, games, complete, rounds, sites, first, last",
            [],
            made.parameters,
        )

    def _rows(self, rows: list[tuple[Any, ...]]) -> list[t.EventRow]:
        if not rows:
            return []
        listed = ", ".join(str(row[0]) for row in rows)
        players = dict(
            self.database.rows(
                f"SELECT event, count(DISTINCT p) FROM ({self._seats()}) "
                f"WHERE event IN ({listed}) GROUP BY event"
            )
        )
        orders = self._orders()
        return [
            t.EventRow(
                id=write_id(event),
                name=name,
                sites=[site for site in sites or [] if site],
                games=games,
                complete=complete,
                players=players.get(event, 0),
                rounds=rounds,
                first_date=first,
                last_date=last,
                tiebreaks=orders.get(event, DEFAULT),
            )
            for event, name, games, complete, rounds, sites, first, last in rows
        ]

    def _orders(self) -> dict[int, list[t.TieBreak]]:
        return dict(
            self.database.told("SELECT event, tiebreaks FROM event_settings ORDER BY stored_at")
        )

    def find(self, text: str) -> int:
        """The event that an id or a name means.  Raises NotFound, Ambiguous."""
        return self.identities.event(text)

    def event(self, text: str) -> t.EventRow:
        """See `Archive.event`."""
        event = self.find(text)
        from claimlog.store.filter import Filter

        found = self.page(Filter(event=write_id(event)), "", "last", 1, None, False).events
        if not found:
            raise _gone(text)
        return found[0]

    def rounds(self, text: str) -> list[t.RoundRow]:
        """See `Archive.rounds`."""
        # One query: a game that is deleted meanwhile is there or is not.
        listed = self.database.rows(
            f"SELECT {COLUMNS} FROM games g WHERE {self._of(self.find(text))} ORDER BY g.game"
        )
        by_round: dict[str | None, list[tuple[Any, t.GameRow]]] = defaultdict(list)
        for columns in listed:
            row = game_row(columns, self.identities)
            by_round[row.round].append((natural_key(row.table), row))
        return [
            t.RoundRow(
                round=round,
                games=len(found),
                complete=sum(row.complete for _, row in found),
                tables=[row for _, row in sorted(found, key=lambda item: item[0])],
            )
            for round, found in sorted(by_round.items(), key=lambda item: natural_key(item[0]))
        ]

    def set_tiebreaks(self, text: str, tiebreaks: Sequence[str], by: str) -> t.EventRow:
        """See `Archive.set_tiebreaks`."""
        refuse_null(by=by)
        event = self.find(text)
        _check(tiebreaks)
        with self.database.decide() as cursor:
            cursor.execute(
                "INSERT INTO event_settings VALUES (?, ?, ?, ?)",
                [event, list(tiebreaks), now(), by],
            )
        return self.event(text)

    # Names and aliases -----------------------------------------------------------------

    def rename(self, text: str, name: str, by: str, why: str) -> t.EventRow:
        """See `Archive.rename_event`."""
        from claimlog.store.encode import event_number, tidy

        refuse_null(name=name, by=by, why=why)
        name = tidy(name)
        if not name:
            raise BadQuery("an event has a name", "name")
        with self.database.decide() as cursor:
            event = self.find(text)
            other = self.identities.event_root(event_number(name))
            played = f"SELECT 1 FROM games g WHERE {self._of(other)} LIMIT 1"
            if other != event and self.database.rows(played):
                id = write_id(other)
                raise Conflict(f"event {id} has this name: merge them if they are one", id)
            cursor.execute(
                "INSERT INTO event_names VALUES (?, ?, ?, ?, ?)", [event, name, now(), by, why]
            )
        return self.event(write_id(event))

    def names(self, text: str) -> list[t.EventName]:
        """See `Archive.event_names`."""
        event = self.find(text)
        rows = self.database.told(
            "SELECT name, stored_at, who, why FROM event_names WHERE event = ? ORDER BY stored_at",
            [event],
        )
        recorded = self.database.rows("SELECT name FROM events WHERE event = ?", [event])[0][0]
        before = [recorded, *(row[0] for row in rows)]
        return [
            t.EventName(
                event=write_id(event),
                name=name,
                before=was,
                at=at.replace(tzinfo=UTC),
                by=who,
                why=why,
            )
            for was, (name, at, who, why) in zip(before, rows, strict=False)
        ]

    def merge(self, alias: str, into: str, by: str, why: str) -> t.EventMerge:
        """See `Archive.merge_events`."""
        refuse_null(by=by, why=why)
        with self.database.decide() as cursor:
            source = self.identities.event_alias(alias)
            target = self.find(into)
            if self.identities.event_root(source) != source:
                raise ArchiveError(f"event {alias} has been merged already")
            if source == target:
                raise ArchiveError("an event cannot be merged into itself")
            row = self._merges.add(cursor, source, target, by, why)
        return self._told([row])[0]

    def split(self, alias: str, by: str, why: str, event: str | None) -> t.EventMerge:
        """See `Archive.split_event`."""
        refuse_null(by=by, why=why)
        with self.database.decide() as cursor:
            number = self.identities.event_alias(alias)
            row = self._merges.in_force(cursor, number)
            if row is None:
                raise NotFound(f"event {alias} is not merged into another")
            if event is not None and self.find(event) != self.identities.event_root(number):
                raise NotFound(f"event {alias} is not merged into {event}")
            row = self._merges.undo(cursor, row, by, why)
        return self._told([row])[0]

    def merges(self, undone: bool) -> list[t.EventMerge]:
        """See `Archive.event_merges`."""
        return self._told(self._merges.rows(undone))

    def _told(self, rows: list[tuple[Any, ...]]) -> list[t.EventMerge]:
        return [
            t.EventMerge(**fields) for fields in self._merges.told(rows, self.identities.event_root)
        ]

    # Standings -------------------------------------------------------------------------

    def standings(
        self,
        text: str,
        filter: Filter,
        tiebreaks: list[t.TieBreak] | None,
        until_round: str | None,
        until: str | None,
        known_at: datetime | None,
    ) -> t.Standings:
        """See `Archive.standings`."""
        reading = self._read(text, filter, tiebreaks, until_round, until, known_at)
        standings = self._standings(reading, self._lines(reading))
        return msgspec.structs.replace(
            standings, until_round=until_round, until=until, known_at=known_at
        )

    def in_full(self, text: str, most: int) -> t.EventInFull:
        """See `Archive.event_in_full`."""
        from claimlog.store.filter import Filter

        reading = self._read(text, Filter(), None, None, None, None)
        if not reading.games:
            raise _gone(text)
        lines = self._lines(reading)
        games = reading.games
        rounds = Counter(game.round for game in games if game.round is not None)
        dated = sorted((game for game in games if game.date is not None), key=lists.by_day)
        return t.EventInFull(
            event=t.EventRow(
                id=write_id(reading.event),
                name=reading.name,
                sites=sorted({game.site for game in games if game.site}),
                games=len(games),
                complete=sum(game.complete for game in games),
                players=len(lines),
                rounds=len(rounds),
                first_date=dated[0].date if dated else None,
                last_date=dated[-1].date if dated else None,
                tiebreaks=reading.order,
            ),
            rounds={round: rounds[round] for round in sorted(rounds, key=natural_key)},
            standings=self._standings(reading, lines),
            teams=self._teams(reading),
            crosstable=self._crosstable(reading, lines) if len(lines) <= most else None,
        )

    def _standings(self, reading: _Reading, lines: list[_Line]) -> t.Standings:
        return t.Standings(
            event=write_id(reading.event),
            name=reading.name,
            tiebreaks=reading.order,
            until_round=None,
            until=None,
            known_at=None,
            **reading.number(),
            lines=[
                t.Standing(
                    rank=rank,
                    player=write_id(line.who[0]),
                    name=line.names[0],
                    **line.told(),
                )
                for rank, line in _placed(lines)
            ],
        )

    def crosstable(
        self,
        text: str,
        filter: Filter,
        tiebreaks: list[t.TieBreak] | None,
        until_round: str | None,
        until: str | None,
        known_at: datetime | None,
    ) -> t.Crosstable:
        """See `Archive.crosstable`."""
        reading = self._read(text, filter, tiebreaks, until_round, until, known_at)
        return self._crosstable(reading, self._lines(reading))

    def _crosstable(self, reading: _Reading, lines: list[_Line]) -> t.Crosstable:
        rows = []
        for rank, line in _placed(lines):
            cells: dict[_Who, tuple[float, list[str]]] = {}
            for points, opponents, gid in line.met:
                for opponent in opponents:
                    sum_so_far, ids = cells.get(opponent, (0.0, []))
                    cells[opponent] = (sum_so_far + points, [*ids, write_id(gid)])
            rows.append(
                t.CrossRow(
                    rank=rank,
                    player=write_id(line.who[0]),
                    name=line.names[0],
                    points=round(line.points, 6),
                    cells=[
                        t.CrossCell(
                            opponent=write_id(other.who[0]),
                            points=round(cells[other.who][0], 6),
                            games=len(cells[other.who][1]),
                            ids=cells[other.who][1],
                        )
                        for other in lines
                        if other.who in cells
                    ],
                )
            )
        return t.Crosstable(event=write_id(reading.event), name=reading.name, rows=rows)

    def teams(
        self,
        text: str,
        filter: Filter,
        tiebreaks: list[t.TieBreak] | None,
        until_round: str | None,
        until: str | None,
        known_at: datetime | None,
    ) -> t.TeamStandings:
        """See `Archive.team_standings`."""
        return self._teams(self._read(text, filter, tiebreaks, until_round, until, known_at))

    def _teams(self, reading: _Reading) -> t.TeamStandings:
        return t.TeamStandings(
            event=write_id(reading.event),
            name=reading.name,
            tiebreaks=reading.order,
            **reading.number(teams=True),
            lines=[
                t.TeamStanding(
                    rank=rank,
                    players=list(map(write_id, line.who)),
                    names=line.names,
                    **line.told(),
                )
                for rank, line in _placed(self._lines(reading, teams=True))
            ],
        )

    def ranks(self, text: str, filter: Filter, tiebreaks: list[t.TieBreak] | None) -> t.Ranks:
        """See `Archive.ranks`."""
        event = self.find(text)
        order = self._order(event, tiebreaks)
        by_round: dict[Any, list[_Played]] = defaultdict(list)
        for game in self._played(event, filter, None, None):
            if game.round is not None:
                by_round[natural_key(game.round)].append(game)
        lines: dict[_Who, _Line] = {}
        stood: list[dict[_Who, tuple[int, float]]] = []
        last: list[_Line] = []
        for key in sorted(by_round):
            for game in by_round[key]:
                self._count(game, lines)
            for line in lines.values():
                line.values = []
            last = _ranked(list(lines.values()), order)
            stood.append({line.who: (rank, line.points) for rank, line in _placed(last)})
        return t.Ranks(
            event=write_id(event),
            name=self._name(event),
            tiebreaks=order,
            rounds=[by_round[key][0].round or "" for key in sorted(by_round)],
            lines=[
                t.RankLine(
                    player=write_id(line.who[0]),
                    name=line.names[0],
                    ranks=[after[line.who][0] if line.who in after else None for after in stood],
                    points=[
                        round(after[line.who][1], 6) if line.who in after else None
                        for after in stood
                    ],
                )
                for line in last
            ],
        )

    def _name(self, event: int) -> str:
        rows = self.database.rows("SELECT name FROM events WHERE event = ?", [event])
        return self.identities.event_title(event, rows[0][0])

    def _of(self, event: int) -> str:
        """SQL: the game is one of this event, or of another that was merged into it."""
        numbers = ", ".join(map(str, sorted(self.identities.with_event_aliases(event))))
        return f"g.event IN ({numbers})"

    def _order(self, event: int, tiebreaks: list[t.TieBreak] | None) -> list[t.TieBreak]:
        """The tie-breaks that are wanted, or those of the event.  Raises BadQuery."""
        order = tiebreaks or self._orders().get(event, DEFAULT)
        _check(order)
        return order

    def _read(
        self,
        text: str,
        filter: Filter,
        tiebreaks: list[t.TieBreak] | None,
        until_round: str | None,
        until: str | None,
        known_at: datetime | None,
    ) -> _Reading:
        event = self.find(text)
        order = self._order(event, tiebreaks)
        if until_round is not None:
            self._check_round(event, until_round)
        games = self._played(event, filter, until, known_at)
        if until_round is not None:
            last = natural_key(until_round)
            games = [
                game for game in games if game.round is not None and natural_key(game.round) <= last
            ]
        return _Reading(event, self._name(event), order, games)

    def _lines(self, reading: _Reading, teams: bool = False) -> list[_Line]:
        """The players, or the teams of games of four, in their order."""
        lines: dict[_Who, _Line] = {}
        for game in reading.games:
            if not teams or game.seats == 4:
                self._count(game, lines, teams)
        return _ranked(list(lines.values()), reading.order)

    def _played(
        self, event: int, filter: Filter, until: str | None, known_at: datetime | None
    ) -> list[_Played]:
        """The games of an event, in the order of storing."""
        made = self.games.where(filter)
        made.add(self._of(event))
        if until is not None:
            made.add("g.day <= ?", _bound(until, "until", last=True))
        source = "games"
        if known_at is not None:
            moment = in_utc(known_at)
            columns = "game, gid, revision, digest, stored_at, " + ", ".join(n for n, _ in GAME)
            source = (
                f"(SELECT {columns} FROM games WHERE stored_at <= $moment UNION ALL "
                f"SELECT {columns} FROM games_before "
                "WHERE stored_at <= $moment AND until > $moment)"
            ).replace("$moment", f"TIMESTAMP '{moment.isoformat(' ')}'")
        rows = self.database.rows(
            f"SELECT {', '.join('g.' + name for name in _Played._fields)} FROM {source} g "
            f"WHERE {made.sql} ORDER BY g.game",
            made.parameters,
        )
        return list(map(_Played._make, rows))

    def _check_round(self, event: int, round: str) -> None:
        """Raise BadQuery for a round that the event does not have."""
        rows = self.database.rows(
            f"SELECT DISTINCT round FROM games g WHERE {self._of(event)} AND round IS NOT NULL"
        )
        rounds = sorted((row[0] for row in rows), key=natural_key)
        if natural_key(round) not in map(natural_key, rounds):
            known = f"its rounds are {', '.join(rounds)}" if rounds else "its games have no round"
            raise BadQuery(f"the event has no round {round}: {known}", "until_round")

    def _count(self, game: _Played, lines: dict[_Who, _Line], teams: bool = False) -> None:
        """Count a game for everybody who played it, or for the teams of its sides."""
        columns: tuple[Any, ...] = game
        sides = sides_of(game.seats)
        merged = self.identities.merged()
        # By side: who it is, and where each of them sits.
        known: list[tuple[int, _Who, dict[int, int]]] = []
        for group in _groups(game.seats, teams):
            there = {
                merged.get(player, player): seat
                for seat in group
                if (player := columns[_PLAYER + seat]) is not None
            }
            if len(there) == len(group):
                known.append((group[0] % sides, tuple(sorted(there)), there))
        result = game.result
        votes = None if game.votes1 is None else columns[_VOTES : _VOTES + sides]
        for side, who, there in known:
            line = lines.get(who)
            if line is None:
                line = lines[who] = _Line(who)
            for k, player in enumerate(who):
                seat = there[player]
                if columns[_PLAYER + seat] == player or not line.names[k]:
                    line.names[k] = columns[_NAME + seat] or write_id(player)
            if not result:
                continue
            points = share_of(result, side + 1) or 0.0
            line.games += 1
            line.points += points
            line.won += points == 1
            line.lost += points == 0
            line.shared += 0 < points < 1
            line.met.append((points, [one for other, one, _ in known if other != side], game.gid))
            if votes is not None:
                line.votes[0] += votes[side]
                line.votes[1] += sum(votes) - votes[side]


@cache
def _groups(seats: int, teams: bool) -> list[range]:
    """The seats, from 0, that are counted as one: each alone, or those of a side."""
    sides = sides_of(seats)
    if teams:
        return [range(side, seats, sides) for side in range(sides)]
    return [range(seat, seat + 1) for seat in range(seats)]


def _gone(text: str) -> NotFound:
    return NotFound(f"event {text} has no games any more")


def _check(tiebreaks: Sequence[str]) -> None:
    strange = [name for name in tiebreaks if name not in TIEBREAKS]
    if strange or not tiebreaks or len(set(tiebreaks)) < len(tiebreaks):
        raise BadQuery(f"tie-breaks are some of {', '.join(TIEBREAKS)}, each once", "tiebreaks")


def _placed(lines: list[_Line]) -> list[tuple[int, _Line]]:
    """Lines in their order with their ranks; those with equal values share one."""
    placed: list[tuple[int, _Line]] = []
    for place, line in enumerate(lines, 1):
        same = placed and placed[-1][1].values == line.values
        placed.append((placed[-1][0] if same else place, line))
    return placed


def _ranked(lines: list[_Line], order: Sequence[str]) -> list[_Line]:
    """Sort by the tie-breaks, filling in their values."""
    points = {line.who: line.points for line in lines}
    groups = [lines]
    for name in order:
        split: list[list[_Line]] = []
        for group in groups:
            members = {line.who for line in group}
            by_value: dict[float, list[_Line]] = defaultdict(list)
            for line in group:
                value = round(float(_value(line, name, points, members)), 6)
                line.values.append(value)
                by_value[value].append(line)
            split += [by_value[value] for value in sorted(by_value, reverse=True)]
        groups = split
    return [
        line for group in groups for line in sorted(group, key=lambda line: (line.names, line.who))
    ]


def _value(line: _Line, name: str, points: dict[_Who, float], members: set[_Who]) -> float:
    """One tie-break of one line; `members` are those it is to be told apart from."""
    if name == "points":
        return line.points
    if name == "votes":
        return line.votes[0]
    if name == "vote-difference":
        return line.votes[0] - line.votes[1]
    if name == "wins":
        return line.won
    if name == "head-to-head":
        if len(members) == 1:
            return 0.0
        return sum(won for won, opponents, _ in line.met if not members.isdisjoint(opponents))
    total = 0.0
    for won, opponents, _ in line.met:
        if len(opponents) == 1:
            mean = points[opponents[0]]
        elif opponents:
            mean = sum(points[opponent] for opponent in opponents) / len(opponents)
        else:
            continue
        total += mean if name == "buchholz" else won * mean
    return total
