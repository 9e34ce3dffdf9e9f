"""Events: rounds, standings, crosstables.

Everybody gets the points of their side.  Opponents are who sits on other sides.  With more
than one opponent in a game, Buchholz and Sonneborn-Berger take the mean of their points.
"""

from __future__ import annotations

import re
from collections import defaultdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, get_args

from claimlog.notation.names import composed
from claimlog.rules.setup import sides_of
from claimlog.store import types as t
from claimlog.store.codes import share_of
from claimlog.store.database import now
from claimlog.store.errors import ArchiveError, BadQuery, Conflict, NotFound, refuse_null
from claimlog.store.games import COLUMNS, check_limit, game_row, read_cursor, write_cursor
from claimlog.store.ids import write_id
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
_MERGE: Final = (
    "alias, event, stored_at, who, why, undone_at, undone_by, undone_why FROM event_merges"
)
DIGITS: Final = 100
"""A number of more digits is a word."""

_COLUMNS: Final = (
    *("gid", "seats", "result", "votes1", "votes2", "votes3", "p1", "p2", "p3", "p4"),
    *("n1", "n2", "n3", "n4", "round", "day", "game"),
)


def round_key(round: str | None) -> list[tuple[int, int, str]]:
    """How rounds are ordered: numbers by value, before words."""
    parts = re.findall(r"\d+|\D+", composed(round or ""))
    return [
        (0, int(part), "") if part.isdecimal() and len(part) <= DIGITS else (1, 0, part)
        for part in parts
    ]


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
    """A player while the standings are made."""

    def __init__(self, player: int) -> None:
        self.player = player
        self.name = ""
        self.games = self.won = self.shared = self.lost = 0
        self.points = 0.0
        self.votes = [0, 0]
        self.met: list[tuple[float, list[int], int]] = []  # points, opponents, gid
        self.values: list[float] = []


class Events:
    """The reading side for events, and their settings."""

    def __init__(self, games: Games) -> None:
        self.games = games
        self.database = games.database
        self.identities = games.identities

    def page(
        self, filter: Filter, search: str, sort: str, limit: int, cursor: str | None
    ) -> t.EventPage:
        """See `Archive.events`."""
        check_limit(limit)
        orders = self._sorting()
        if sort not in orders:
            raise BadQuery(f"events are sorted by {', '.join(orders)}", "sort")
        key, kind, down = orders[sort]
        conditions = []
        parameters: list[Any] = []
        if search.strip():
            like, words = contains_words("name", search)
            conditions.append(like)
            parameters += words
        if cursor is not None:
            name, value, event = read_cursor(cursor, str, object, str)
            if name != sort:
                raise BadQuery("the cursor is that of a list sorted differently", "cursor")
            after = "<" if down else ">"
            conditions.append(
                f"{key} {after} ?::{kind} OR ({key} = ?::{kind} AND event > ?::UBIGINT)"
            )
            parameters += [value, value, event]
        order = f"{key} {'DESC' if down else 'ASC'}"
        rows = self._table(filter, conditions, parameters, limit + 1, key, order)
        more = None
        if len(rows) > limit:
            more = write_cursor(sort, rows[limit - 1][-1], str(rows[limit - 1][0]))
        return t.EventPage(events=self._rows(rows[:limit]), cursor=more)

    def _seats(self) -> str:
        """SQL for the events and players of all games."""
        return " UNION ALL ".join(
            f"SELECT {self.identities.event_sql('event')} AS event, "
            f"{self.identities.root_sql(f'p{s}')} AS p FROM games"
            for s in SEATS
        )

    def _sorting(self) -> dict[str, tuple[str, str, bool]]:
        """By sort order: what to sort by, its type, whether descending; then by id."""
        players = f"(SELECT count(DISTINCT p) FROM ({self._seats()}) s WHERE s.event = d.event)"
        keys = {
            "last": ("day", "VARCHAR", True),
            "first": ("coalesce(first, '')", "VARCHAR", False),
            "name": ("name", "VARCHAR", False),
            "players": (players, "BIGINT", True),
            "rounds": ("rounds", "BIGINT", True),
            "games": ("games", "BIGINT", True),
        }
        return keys | {
            f"-{name}": (key, kind, not down) for name, (key, kind, down) in keys.items()
        }

    def _table(
        self,
        filter: Filter,
        conditions: list[str],
        parameters: list[Any],
        limit: int,
        key: str = "day",
        order: str = "day DESC",
    ) -> list[tuple[Any, ...]]:
        made = self.games.where(filter)
        made.add("g.event IS NOT NULL")
        condition = " AND ".join(f"({c})" for c in conditions) or "true"
        name = self.identities.event_name_sql("e.event", "e.name")
        return self.database.rows(
            f"""
            WITH f AS (SELECT g.* REPLACE ({self.identities.event_sql("g.event")} AS event)
                       FROM games g WHERE {made.sql}),
            c AS (SELECT event, count(*) AS games, count(*) FILTER (complete) AS complete,
                         count(DISTINCT round) AS rounds, list_sort(list(DISTINCT site)) AS sites,
                         arg_min(date, (day, game)) AS first, arg_max(date, (day, game)) AS last,
                         coalesce(max(day)::VARCHAR, '') AS day FROM f GROUP BY event),
            d AS (SELECT c.*, {name} AS name FROM c JOIN events e USING (event))
            SELECT event, name, games, complete, rounds, sites, first, last, {key} FROM d
            WHERE {condition} ORDER BY {order}, event LIMIT {limit}
            """,
            [*made.parameters, *parameters],
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
            for event, name, games, complete, rounds, sites, first, last, _ in rows
        ]

    def _orders(self) -> dict[int, list[t.TieBreak]]:
        return dict(
            self.database.rows(
                "SELECT event, arg_max(tiebreaks, stored_at) FROM event_settings GROUP BY event"
            )
        )

    def find(self, text: str) -> int:
        """The event that an id or a name means.  Raises NotFound, Ambiguous."""
        return self.identities.event(text)

    def event(self, text: str) -> t.EventRow:
        """See `Archive.event`."""
        event = self.find(text)
        from claimlog.store.filter import Filter

        rows = self._table(Filter(event=write_id(event)), [], [], 1)
        if not rows:
            raise NotFound(f"event {text} has no games any more")
        return self._rows(rows)[0]

    def rounds(self, text: str) -> list[t.RoundRow]:
        """See `Archive.rounds`."""
        # One query: a game that is deleted meanwhile is there or is not.
        listed = self.database.rows(
            f"SELECT {COLUMNS} FROM games g WHERE {self._of(self.find(text))} ORDER BY g.game"
        )
        by_round: dict[str | None, list[tuple[Any, t.GameRow]]] = defaultdict(list)
        for columns in listed:
            row = game_row(columns, self.identities)
            by_round[row.round].append((round_key(row.table), row))
        return [
            t.RoundRow(
                round=round,
                games=len(found),
                complete=sum(row.complete for _, row in found),
                tables=[row for _, row in sorted(found, key=lambda item: item[0])],
            )
            for round, found in sorted(by_round.items(), key=lambda item: round_key(item[0]))
        ]

    def set_tiebreaks(self, text: str, tiebreaks: Sequence[str], by: str) -> t.EventRow:
        """See `Archive.set_tiebreaks`."""
        refuse_null(by=by)
        event = self.find(text)
        _check(tiebreaks)
        with self.database.transaction() as cursor:
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
        with self.database.transaction() as cursor:
            event = self.find(text)
            other = self.identities.event_root(event_number(name))
            played = f"SELECT 1 FROM games g WHERE {self._of(other)} LIMIT 1"
            if other != event and cursor.execute(played).fetchall():
                id = write_id(other)
                raise Conflict(f"event {id} has this name: merge them if they are one", id)
            cursor.execute(
                "INSERT INTO event_names VALUES (?, ?, ?, ?, ?)", [event, name, now(), by, why]
            )
        return self.event(write_id(event))

    def names(self, text: str) -> list[t.EventName]:
        """See `Archive.event_names`."""
        event = self.find(text)
        rows = self.database.rows(
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
        with self.database.transaction() as cursor:
            source = self.identities.event_alias(alias)
            target = self.find(into)
            if self.identities.event_root(source) != source:
                raise ArchiveError(f"event {alias} has been merged already")
            if source == target:
                raise ArchiveError("an event cannot be merged into itself")
            moment = now()
            cursor.execute(
                "INSERT INTO event_merges VALUES (?, ?, ?, ?, ?, NULL, NULL, NULL)",
                [source, target, moment, by, why],
            )
        return self._merge((source, target, moment, by, why, None, None, None))

    def split(self, alias: str, by: str, why: str, event: str | None) -> t.EventMerge:
        """See `Archive.split_event`."""
        refuse_null(by=by, why=why)
        with self.database.transaction() as cursor:
            number = self.identities.event_alias(alias)
            row = cursor.execute(
                f"SELECT {_MERGE} WHERE alias = ? AND undone_at IS NULL", [number]
            ).fetchone()
            if row is None:
                raise NotFound(f"event {alias} is not merged into another")
            if event is not None and self.find(event) != self.identities.event_root(number):
                raise NotFound(f"event {alias} is not merged into {event}")
            moment = now()
            cursor.execute(
                "UPDATE event_merges SET undone_at = ?, undone_by = ?, undone_why = ? "
                "WHERE alias = ? AND undone_at IS NULL",
                [moment, by, why, number],
            )
        return self._merge((*row[:-3], moment, by, why))

    def merges(self, undone: bool) -> list[t.EventMerge]:
        """See `Archive.event_merges`."""
        which = "" if undone else "WHERE undone_at IS NULL"
        rows = self.database.rows(f"SELECT {_MERGE} {which} ORDER BY stored_at, alias")
        return [self._merge(row) for row in rows]

    def _merge(self, row: tuple[Any, ...]) -> t.EventMerge:
        alias, event, at, who, why, undone_at, undone_by, undone_why = row
        named = self.database.rows("SELECT name FROM events WHERE event = ?", [alias])
        return t.EventMerge(
            alias=write_id(alias),
            alias_name=named[0][0] if named else "",
            event=write_id(event if undone_at else self.identities.event_root(event)),
            at=at.replace(tzinfo=UTC),
            by=who,
            why=why,
            undone_at=None if undone_at is None else undone_at.replace(tzinfo=UTC),
            undone_by=undone_by,
            undone_why=undone_why,
        )

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
        event, order, lines, games, unfinished = self._lines(
            text, filter, tiebreaks, until_round, until, known_at
        )
        standing: list[t.Standing] = []
        for place, line in enumerate(lines):
            rank = place + 1
            if standing and line.values == standing[-1].values:
                rank = standing[-1].rank
            standing.append(
                t.Standing(
                    rank=rank,
                    player=write_id(line.player),
                    name=line.name,
                    games=line.games,
                    won=line.won,
                    shared=line.shared,
                    lost=line.lost,
                    points=round(line.points, 6),
                    votes_for=line.votes[0],
                    votes_against=line.votes[1],
                    values=line.values,
                )
            )
        return t.Standings(
            event=write_id(event),
            name=self._name(event),
            tiebreaks=order,
            until_round=until_round,
            until=until,
            known_at=known_at,
            games=games,
            unfinished=unfinished,
            lines=standing,
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
        event, _, lines, _, _ = self._lines(text, filter, tiebreaks, until_round, until, known_at)
        rows = []
        rank = 0
        before: list[float] | None = None
        for place, line in enumerate(lines):
            if line.values != before:
                rank, before = place + 1, line.values
            cells: dict[int, tuple[float, list[str]]] = {}
            for points, opponents, gid in line.met:
                for opponent in opponents:
                    sum_so_far, ids = cells.get(opponent, (0.0, []))
                    cells[opponent] = (sum_so_far + points, [*ids, write_id(gid)])
            rows.append(
                t.CrossRow(
                    rank=rank,
                    player=write_id(line.player),
                    name=line.name,
                    points=round(line.points, 6),
                    cells=[
                        t.CrossCell(
                            opponent=write_id(other.player),
                            points=round(cells[other.player][0], 6),
                            games=len(cells[other.player][1]),
                            ids=cells[other.player][1],
                        )
                        for other in lines
                        if other.player in cells
                    ],
                )
            )
        return t.Crosstable(event=write_id(event), name=self._name(event), rows=rows)

    def _name(self, event: int) -> str:
        rows = self.database.rows("SELECT name FROM events WHERE event = ?", [event])
        return self.identities.event_title(event, rows[0][0])

    def _of(self, event: int) -> str:
        """SQL: the game is one of this event, or of another that was merged into it."""
        numbers = ", ".join(map(str, sorted(self.identities.with_event_aliases(event))))
        return f"g.event IN ({numbers})"

    def _lines(
        self,
        text: str,
        filter: Filter,
        tiebreaks: list[t.TieBreak] | None,
        until_round: str | None,
        until: str | None,
        known_at: datetime | None,
    ) -> tuple[int, list[t.TieBreak], list[_Line], int, int]:
        """The players in their order, and the numbers of finished and unfinished games."""
        event = self.find(text)
        order = tiebreaks or self._orders().get(event, DEFAULT)
        _check(order)
        if until_round is not None:
            self._check_round(event, until_round)
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
            f"SELECT {', '.join('g.' + name for name in _COLUMNS)} FROM {source} g "
            f"WHERE {made.sql} ORDER BY g.game",
            made.parameters,
        )
        lines: dict[int, _Line] = {}
        games = unfinished = 0
        last = round_key(until_round)
        for row in rows:
            game = dict(zip(_COLUMNS, row, strict=True))
            if until_round is not None and (
                game["round"] is None or round_key(game["round"]) > last
            ):
                continue
            games += game["result"] != 0
            unfinished += game["result"] == 0
            self._count(game, lines)
        return event, order, _ranked(list(lines.values()), order), games, unfinished

    def _check_round(self, event: int, round: str) -> None:
        """Raise BadQuery for a round that the event does not have."""
        rows = self.database.rows(
            f"SELECT DISTINCT round FROM games g WHERE {self._of(event)} AND round IS NOT NULL"
        )
        rounds = sorted((row[0] for row in rows), key=round_key)
        if round_key(round) not in map(round_key, rounds):
            known = f"its rounds are {', '.join(rounds)}" if rounds else "its games have no round"
            raise BadQuery(f"the event has no round {round}: {known}", "until_round")

    def _count(self, game: dict[str, Any], lines: dict[int, _Line]) -> None:
        """Count a game for everybody who played it."""
        seats = game["seats"]
        sides = sides_of(seats)
        players = [
            None if game[f"p{s + 1}"] is None else self.identities.root(game[f"p{s + 1}"])
            for s in range(seats)
        ]
        result = game["result"]
        for seat, player in enumerate(players):
            if player is None:
                continue
            line = lines.setdefault(player, _Line(player))
            if game[f"p{seat + 1}"] == player or not line.name:
                line.name = game[f"n{seat + 1}"] or write_id(player)
            if not result:
                continue
            side = seat % sides
            points = share_of(result, seat + 1) or 0.0
            line.games += 1
            line.points += points
            line.won += points == 1
            line.lost += points == 0
            line.shared += 0 < points < 1
            opponents = [p for s, p in enumerate(players) if p is not None and s % sides != side]
            line.met.append((points, opponents, game["gid"]))
            if game["votes1"] is not None:
                votes = [game[f"votes{k + 1}"] for k in range(sides)]
                line.votes[0] += votes[side]
                line.votes[1] += sum(votes) - votes[side]


def _check(tiebreaks: Sequence[str]) -> None:
    strange = [name for name in tiebreaks if name not in TIEBREAKS]
    if strange or not tiebreaks or len(set(tiebreaks)) < len(tiebreaks):
        raise BadQuery(f"tie-breaks are some of {', '.join(TIEBREAKS)}, each once", "tiebreaks")


def _ranked(lines: list[_Line], order: Sequence[str]) -> list[_Line]:
    """Sort by the tie-breaks, filling in their values."""
    points = {line.player: line.points for line in lines}
    groups = [lines]
    for name in order:
        split: list[list[_Line]] = []
        for group in groups:
            members = {line.player for line in group}
            by_value: dict[float, list[_Line]] = defaultdict(list)
            for line in group:
                value = round(float(_value(line, name, points, members)), 6)
                line.values.append(value)
                by_value[value].append(line)
            split += [by_value[value] for value in sorted(by_value, reverse=True)]
        groups = split
    return [
        line
        for group in groups
        for line in sorted(group, key=lambda line: (line.name, line.player))
    ]


def _value(line: _Line, name: str, points: dict[int, float], members: set[int]) -> float:
    """One tie-break of one player; `members` are those it is to be told apart from."""
    if name == "points":
        return line.points
    if name == "votes":
        return line.votes[0]
    if name == "vote-difference":
        return line.votes[0] - line.votes[1]
    if name == "wins":
        return line.won
    total = 0.0
    for won, opponents, _ in line.met:
        if name == "head-to-head":
            total += won if members.intersection(opponents) and len(members) > 1 else 0
        elif opponents:
            mean = sum(points[opponent] for opponent in opponents) / len(opponents)
            total += mean if name == "buchholz" else won * mean
    return total
