"""Events: rounds, standings, crosstables."""

from __future__ import annotations

from collections import Counter, defaultdict
from datetime import UTC, datetime
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from claimlog.directing.counting import (
    DEFAULT,
    NO_RECORD,
    Counting,
    Line,
    Met,
    Played,
    placed,
)
from claimlog.directing.stages import stages
from claimlog.directing.standings import squads
from claimlog.notation.names import by_name_sql, sorted_names
from claimlog.store.backend import now
from claimlog.store.ledger.acts import acts_of
from claimlog.store.ledger.merges import Merges
from claimlog.store.model import types as t
from claimlog.store.model.errors import (
    BadQuery,
    Conflict,
    Declined,
    NotFound,
    refuse_null,
    refuse_unfit,
)
from claimlog.store.model.filter import Filter
from claimlog.store.model.ids import read_id, tidy, write_id
from claimlog.store.questions import lists
from claimlog.store.questions.desks import Desks, Outline
from claimlog.store.questions.games import COLUMNS, Order, by_either, game_row
from claimlog.store.questions.moments import games_at
from claimlog.store.questions.order import natural_key
from claimlog.store.questions.question import EVERYTHING
from claimlog.store.questions.standings import check_tiebreaks, counting_of
from claimlog.store.questions.where import _bound, contains_words

if TYPE_CHECKING:
    import datetime as times
    from collections.abc import Iterator, Sequence

    from claimlog.store.questions.games import Games


FEW: Final = 5000
"""The most games of an event that are read to count them."""


class _Listed(NamedTuple):
    """What is read of a game for the row of its event in a list."""

    game: int
    site: str | None
    date: str | None
    day: times.date | None
    complete: bool
    round: str | None
    p1: int | None
    p2: int | None
    p3: int | None
    p4: int | None


class _Reading(NamedTuple):
    """The games of an event that count, and the order of its tie-breaks.

    `scores` are what each game gives its sides, None if that is their share of the win.  `names`
    are those that players have everywhere in the archive, by number; empty if the event is directed
    here, as its entrants have the names under which they were entered.
    """

    event: int
    name: str
    order: list[t.Criterion]
    games: list[Played]
    scores: list[list[float] | None]
    names: dict[int, str]
    knockout_from: int | None
    """The first round of the event's knock-out, if it is directed here and has one."""
    team_of: dict[int, str]
    """The players' teams, if it is directed here and partners stay together."""

    def number(self, teams: bool = False) -> dict[str, int]:
        """The numbers of finished and of unfinished games."""
        counted = [
            game.result
            for game in self.games
            # Entrants who have not played yet are alone in a game without a result.
            if (game.result or game.seats > 1)
            # The bye of a team has both partners.
            and (not teams or game.seats == 4 or (game.seats == 1 and game.p3 is not None))
        ]
        unfinished = counted.count(0)
        return {"games": len(counted) - unfinished, "unfinished": unfinished}


class Events:
    """The reading side for events, and their settings."""

    def __init__(self, games: Games) -> None:
        self.games = games
        self.database = games.database
        self.identities = games.identities
        self._merges = Merges(games.database, "event", "event_merges")
        self.desks = Desks(games)

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
            raise BadQuery("question.event-order", names=orders, field="sort")
        like, words = contains_words("name", search)
        outlines = self.desks.outlines()
        table = self._table(filter, outlines)
        table = table._replace(conditions=[like], parameters=[*table.parameters, *words])
        page = lists.page(self.database, table, orders, sort, limit, cursor, total)
        return t.EventPage(
            events=self._rows(page.rows, outlines), cursor=page.cursor, total=page.total
        )

    def _seats(self, which: str = "IS NOT NULL") -> str:
        """SQL for events and their players, a row per seat; `which` is a condition on the event."""
        event = self.identities.event_sql("event")
        return (
            f"SELECT event, {self.identities.root_sql('p')} AS p FROM (SELECT {event} AS event, "
            f"unnest([p1, p2, p3, p4]) AS p FROM games WHERE {event} {which})"
        )

    def _sorting(self) -> dict[str, Order]:
        played = f"(SELECT count(DISTINCT p) FROM ({self._seats()}) s WHERE s.event = d.event)"
        players = f"coalesce(entrants, {played})"
        return by_either({
            "last": Order("day", "VARCHAR", down=True),
            "first": Order("coalesce(first, '')", "VARCHAR"),
            "name": Order(by_name_sql("name"), "VARCHAR", by_name=True),
            "players": Order(players, "BIGINT", down=True),
            "rounds": Order("rounds", "BIGINT", down=True),
            "games": Order("games", "BIGINT", down=True),
        })  # fmt: skip

    def _table(self, filter: Filter, outlines: Sequence[Outline]) -> lists.Table:
        """The events with games that meet a filter; all directed ones without a filter.

        The entrants and rounds of a directed event are those of its desk, also if they have no
        record, or one under another name.
        """
        where = self.games.where(filter)
        where.add("g.event IS NOT NULL")
        name = self.identities.event_name_sql("e.event", "e.name")
        return lists.Table(
            f"""
            f AS (SELECT g.* REPLACE ({self.identities.event_sql("g.event")} AS event),
                         {lists.MOMENT} AS moment FROM games g WHERE {where.sql}),
            c AS (SELECT event, count(*) AS games, count(*) FILTER (complete) AS complete,
                         count(DISTINCT round) AS rounds, list(DISTINCT site) AS sites,
                         arg_min(date, moment) AS first, arg_max(date, moment) AS last,
                         coalesce(max(day)::VARCHAR, '') AS day FROM f GROUP BY event),
            b AS (SELECT unnest(?::UBIGINT[]) AS event, unnest(?::BIGINT[]) AS entrants,
                         unnest(?::BIGINT[]) AS rounds,
                         unnest(?::VARCHAR[]) AS site, unnest(?::VARCHAR[]) AS day,
                         unnest(?::VARCHAR[]) AS name),
            d AS (SELECT c.* REPLACE (coalesce(b.rounds, c.rounds) AS rounds), b.entrants,
                         {name} AS name FROM c JOIN events e USING (event)
                  LEFT JOIN b ON b.event = c.event UNION ALL
                  SELECT event, 0, 0, rounds, [site], NULL, NULL, day, entrants, name FROM b
                  WHERE ? AND event NOT IN (SELECT event FROM c))
            """,
            "event, name, games, complete, rounds, sites, first, last",
            [],
            [
                *where.parameters,
                [one.event for one in outlines],
                [one.entrants for one in outlines],
                [one.rounds for one in outlines],
                [one.site for one in outlines],
                [one.day for one in outlines],
                [one.name for one in outlines],
                filter == Filter(),
            ],
        )

    def _rows(self, rows: list[tuple[Any, ...]], outlines: Sequence[Outline]) -> list[t.EventRow]:
        if not rows:
            return []
        seats = self._seats("IN (SELECT unnest(?::UBIGINT[]))")
        players = dict(
            self.database.rows(
                f"SELECT event, count(DISTINCT p) FROM ({seats}) GROUP BY event",
                [[row[0] for row in rows]],
            )
        )
        players |= {one.event: one.entrants for one in outlines}
        orders = self._orders()
        return [
            t.EventRow(
                id=write_id(event),
                name=name,
                sites=sorted_names(filter(None, sites or [])),
                games=games,
                complete=complete,
                players=players.get(event, 0),
                rounds=rounds,
                first_date=first,
                last_date=last,
                tiebreaks=self.desks.tiebreaks(event) or orders.get(event) or [*DEFAULT],
            )
            for event, name, games, complete, rounds, sites, first, last in rows
        ]

    def _orders(self) -> dict[int, list[t.Criterion]]:
        rows = self.database.decided(
            "tiebreaks",
            lambda: self.database.ask_ledger(
                "SELECT event, tiebreaks FROM event_settings ORDER BY stored_at"
            ),
        )
        return dict(rows)

    def find(self, text: str) -> int:
        """The event that an id or a name means.  Raises NotFound or Ambiguous."""
        return self.identities.event(text)

    def event(self, text: str) -> t.EventRow:
        """See `Archive.event`."""
        event = self.find(text)
        # DuckDB plans a query that counts in five times the time in which it finds a few rows.
        rows = self.database.rows(
            f"SELECT {', '.join(_Listed._fields)} FROM games g "
            f"WHERE {self._of(event)} LIMIT {FEW + 1}"
        )
        if len(rows) > FEW:
            return self.page(Filter(event=write_id(event)), "", "last", 1, None, False).events[0]
        games = list(map(_Listed._make, rows))
        directed = self.desks.directed(event)
        if not games and not directed:
            raise _gone(text)
        if directed:
            players, rounds = self.desks.size(event)
        else:
            seated = {one for game in games for one in (game.p1, game.p2, game.p3, game.p4)}
            players = len({self.identities.root(one) for one in seated if one is not None})
            rounds = len({game.round for game in games if game.round is not None})
        order = self._order(event, None)
        row = self._row(event, self._name(event), games, players, rounds, order)
        if games or not (site := self.desks.board_of(event).plan.site):
            return row
        return msgspec.structs.replace(row, sites=[site])

    def _row(
        self,
        event: int,
        name: str,
        games: Sequence[_Listed | Played],
        players: int,
        rounds: int,
        tiebreaks: list[t.Criterion],
    ) -> t.EventRow:
        """The row of an event in the list, computed from its games."""
        first, last = lists.first_and_last(games)
        return t.EventRow(
            id=write_id(event),
            name=name,
            sites=sorted_names({game.site for game in games if game.site}),
            games=len(games),
            complete=sum(game.complete for game in games),
            players=players,
            rounds=rounds,
            first_date=first,
            last_date=last,
            tiebreaks=tiebreaks,
        )

    def rounds(self, text: str) -> list[t.RoundRow]:
        """See `Archive.rounds`."""
        # One query, so that a game deleted meanwhile is consistently there or not.
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
                games=len(played),
                complete=sum(row.complete for _, row in played),
                tables=[row for _, row in sorted(played, key=lambda item: item[0])],
            )
            for round, played in sorted(by_round.items(), key=lambda item: natural_key(item[0]))
        ]

    def set_tiebreaks(self, text: str, tiebreaks: Sequence[str], by: str) -> t.EventRow:
        """See `Archive.set_tiebreaks`."""
        refuse_null(by=by)
        event = self.find(text)
        check_tiebreaks(tiebreaks)
        with self.database.decide() as cursor:
            if acts_of(cursor, event):
                raise Declined("event.order-of-plan", name=self._name(event))
            decision = [event, list(tiebreaks), now(), by]
            cursor.execute("INSERT INTO event_settings VALUES (?, ?, ?, ?)", decision)
            self.database.link(cursor, "event_settings", *decision)
        return self.event(text)

    # Names and aliases -----------------------------------------------------------------

    def rename(self, text: str, name: str, by: str, why: str) -> t.EventRow:
        """See `Archive.rename_event`."""
        refuse_unfit(name=name)
        refuse_null(by=by, why=why)
        name = tidy(name)
        if not name:
            raise BadQuery("event.name", field="name")
        with self.database.decide() as cursor:
            event = self.find(text)
            other = self.identities.event_named(name)
            played = f"SELECT 1 FROM games g WHERE {self._of(other)} LIMIT 1"
            if other != event and (self.desks.directed(other) or self.database.rows(played)):
                id = write_id(other)
                raise Conflict("event.same-name", id=id)
            decision = [event, name, now(), by, why]
            cursor.execute("INSERT INTO event_names VALUES (?, ?, ?, ?, ?)", decision)
            self.database.link(cursor, "event_names", *decision)
        return self.event(write_id(event))

    def names(self, text: str) -> list[t.EventName]:
        """See `Archive.event_names`."""
        event = self.find(text)
        rows = self.database.ask_ledger(
            "SELECT name, stored_at, who, why FROM event_names WHERE event = ? ORDER BY stored_at",
            [event],
        )
        names = self.database.rows("SELECT name FROM events WHERE event = ?", [event])
        # An event directed here may have no games yet.
        first = names[0][0] if names else self.desks.first_name(event)
        before = [first, *(row[0] for row in rows)]
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
                raise Declined("event.merged-already", id=alias)
            if source == target:
                raise Declined("event.into-itself")
            if self.desks.directed(source) and self.desks.rounds(source):
                name = self.identities.event_title(source, self.desks.name(source))
                raise Declined("event.has-desk", name=name)
            row = self._merges.add(cursor, source, target, by, why)
        return self._merges_of([row])[0]

    def split(self, alias: str, by: str, why: str, event: str | None) -> t.EventMerge:
        """See `Archive.split_event`."""
        refuse_null(by=by, why=why)
        with self.database.decide() as cursor:
            number = self.identities.event_alias(alias)
            row = self._merges.in_force(cursor, number)
            if row is None:
                raise NotFound("event.not-merged", alias=alias)
            if event is not None and self.find(event) != self.identities.event_root(number):
                raise NotFound("event.not-merged-into", alias=alias, event=event)
            row = self._merges.undo(cursor, row, by, why)
        return self._merges_of([row])[0]

    def merges(self, undone: bool) -> list[t.EventMerge]:
        """See `Archive.event_merges`."""
        return self._merges_of(self._merges.rows(undone))

    def _merges_of(self, rows: list[tuple[Any, ...]]) -> list[t.EventMerge]:
        fields = self._merges.fields(rows, self.identities.event_root, self._name_at_desk)
        merges = [t.EventMerge(**one) for one in fields]
        return [
            msgspec.structs.replace(
                one, event_name=self.identities.event_title(read_id(one.event) or 0, one.event_name)
            )
            for one in merges
        ]

    def _name_at_desk(self, event: int) -> str:
        """The name of an event directed here that has no games; "" if it is not directed."""
        if not self.desks.directed(event):
            return ""
        given = self.database.ask_ledger(
            "SELECT name FROM event_names WHERE event = ? ORDER BY stored_at DESC LIMIT 1", [event]
        )
        return str(given[0][0]) if given else self.desks.first_name(event)

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
        standings = self._standings(reading, self._counting(reading).ranked(reading.order))
        return msgspec.structs.replace(
            standings, until_round=until_round, until=until, known_at=known_at
        )

    def in_full(self, text: str, most: int, number: int) -> t.EventInFull:
        """See `Archive.event_in_full`."""
        reading = self._read(text, Filter(), None, None, None, None)
        directed = self.desks.directed(reading.event)
        if not reading.games and not directed:
            raise _gone(text)
        counting = self._counting(reading)
        lines = counting.ranked(reading.order)
        games = [game for game in reading.games if game.gid != NO_RECORD]
        rounds = Counter(game.round for game in games if game.round is not None)
        players, number_of_rounds = (
            self.desks.size(reading.event) if directed else (len(lines), len(rounds))
        )
        in_order = sorted(rounds, key=natural_key)
        shown = [game for game in games if not in_order or game.round == in_order[-1]]
        shown.sort(key=lambda game: natural_key(game.tbl))
        return t.EventInFull(
            event=self._row(
                reading.event, reading.name, games, players, number_of_rounds, reading.order
            ),
            rounds={round: rounds[round] for round in in_order},
            games=self.games.rows([game.game for game in shown[:number]]),
            standings=self._standings(reading, lines),
            teams=self._teams(reading),
            crosstable=(
                self._crosstable(reading, lines, counting.cells()) if len(lines) <= most else None
            ),
        )

    def _standings(self, reading: _Reading, lines: list[Line]) -> t.Standings:
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
                    player=line.ids[0],
                    name=line.names[0],
                    **line.fields(),
                )
                for rank, line in placed(lines)
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
        counting = self._counting(reading)
        return self._crosstable(reading, counting.ranked(reading.order), counting.cells())

    def _crosstable(
        self, reading: _Reading, lines: list[Line], cells: dict[Line, dict[Line, Met]]
    ) -> t.Crosstable:
        return t.Crosstable(
            event=write_id(reading.event),
            name=reading.name,
            rows=[
                t.CrossRow(
                    rank=rank,
                    player=line.ids[0],
                    name=line.names[0],
                    points=round(line.points, 6),
                    cells=[t.CrossCell(opponent=other.ids[0], **cell) for other, cell in row],
                )
                for rank, line, row in _crossed(lines, cells)
            ],
        )

    def team_crosstable(
        self,
        text: str,
        filter: Filter,
        tiebreaks: list[t.TieBreak] | None,
        until_round: str | None,
        until: str | None,
        known_at: datetime | None,
    ) -> t.TeamCrosstable:
        """See `Archive.team_crosstable`."""
        reading = self._read(text, filter, tiebreaks, until_round, until, known_at)
        counting = self._counting(reading, teams=True)
        return t.TeamCrosstable(
            event=write_id(reading.event),
            name=reading.name,
            rows=[
                t.TeamCrossRow(
                    rank=rank,
                    **_partners(line),
                    points=round(line.points, 6),
                    cells=[
                        t.TeamCrossCell(opponents=_partners(other)["players"], **cell)
                        for other, cell in row
                    ],
                )
                for rank, line, row in _crossed(counting.ranked(reading.order), counting.cells())
            ],
        )

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
                    **_partners(line),
                    **line.fields(),
                )
                for rank, line in placed(self._counting(reading, teams=True).ranked(reading.order))
            ],
        )

    def ranks(self, text: str, filter: Filter, tiebreaks: list[t.TieBreak] | None) -> t.Ranks:
        """See `Archive.ranks`."""
        event = self.find(text)
        by_round: dict[Any, list[tuple[Played, list[float] | None]]] = defaultdict(list)
        reading = self._read(text, filter, tiebreaks, None, None, None)
        for game, scores in zip(reading.games, reading.scores, strict=True):
            if game.round is not None:
                by_round[natural_key(game.round)].append((game, scores))
        stood: list[dict[Line, tuple[int, float]]] = []
        last: list[Line] = []
        counting = counting_of(self.identities.merged())
        until: list[Played] = []
        for key in sorted(by_round):
            counting.add(*zip(*by_round[key], strict=True))
            _spell(counting, reading.names)
            if reading.knockout_from is not None:
                until += [game for game, _ in by_round[key]]
                counting.reached = stages(until, reading.knockout_from)
            last = counting.ranked(reading.order)
            stood.append({line: (rank, line.points) for rank, line in placed(last)})
        return t.Ranks(
            event=write_id(event),
            name=self._name(event),
            tiebreaks=reading.order,
            rounds=[by_round[key][0][0].round or "" for key in sorted(by_round)],
            lines=[
                t.RankLine(
                    player=line.ids[0],
                    name=line.names[0],
                    ranks=[after[line][0] if line in after else None for after in stood],
                    points=[round(after[line][1], 6) if line in after else None for after in stood],
                )
                for line in last
            ],
        )

    def _name(self, event: int) -> str:
        names = self.identities.kept.names("event", [event])
        if names is None:
            names = dict(
                self.database.rows("SELECT event, name FROM events WHERE event = ?", [event])
            )
        name = names[event] if event in names else self.desks.name(event)
        return self.identities.event_title(event, name)

    def _of(self, event: int) -> str:
        """SQL: whether the game is one of this event, or of one merged into it."""
        numbers = ", ".join(map(str, sorted(self.identities.with_event_aliases(event))))
        return f"g.event IN ({numbers})"

    def _order(
        self, event: int, tiebreaks: Sequence[t.Criterion] | None, known_at: datetime | None = None
    ) -> list[t.Criterion]:
        """The requested tie-breaks, or else what decides in the event.  Raises BadQuery.

        If the event is directed here, its plan has them, whatever was set before.
        """
        if tiebreaks:
            check_tiebreaks(tiebreaks)
            return list(tiebreaks)
        return self.desks.tiebreaks(event, known_at) or self._orders().get(event) or [*DEFAULT]

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
        order = self._order(event, tiebreaks, known_at)
        directed = self._directed(event, filter, until, known_at)
        if directed is None:
            # Records do not say who has advanced in a knock-out.
            order = [one for one in order if one != "stage"]
        if until_round is not None:
            known = None if directed is None else self.desks.rounds(event)
            self._check_round(event, until_round, known)
        scored: list[tuple[Played, list[float] | None]] = (
            [(game, None) for game in self._played(event, filter, until, known_at)]
            if directed is None
            else directed
        )
        if until_round is not None:
            last = natural_key(until_round)
            scored = [
                (game, scores)
                for game, scores in scored
                if game.round is not None and natural_key(game.round) <= last
            ]
        return _Reading(
            event,
            self._name(event),
            order,
            [game for game, _ in scored],
            [scores for _, scores in scored],
            self._names(scored) if directed is None else {},
            None if directed is None else self.desks.knockout_from(event, known_at),
            {} if directed is None else self.desks.teams(event, known_at),
        )

    def _names(self, scored: list[tuple[Played, list[float] | None]]) -> dict[int, str]:
        """The names of all who played, merged players under the name of whom they stand for."""
        seats = {player for game, _ in scored for player in (game.p1, game.p2, game.p3, game.p4)}
        players = {self.identities.root(player) for player in seats if player is not None}
        names = self.identities.kept.names("player", players)
        if names is not None:
            return names
        return dict(
            self.database.rows(
                "SELECT player, name FROM players "
                "WHERE player IN (SELECT unnest(?::UBIGINT[])) AND name IS NOT NULL",
                [sorted(players)],
            )
        )

    def _directed(
        self, event: int, filter: Filter, until: str | None, known_at: datetime | None
    ) -> list[tuple[Played, list[float] | None]] | None:
        """All games and byes of an event directed here, with the scores they give each side.

        None for other events, before the director's first act, and with a filter other than a last
        day: filters are about records.
        """
        if msgspec.structs.replace(filter, until=None) != EVERYTHING:
            return None
        if not self.desks.directed(event):
            return None
        days = [_bound(one, "until", last=True) for one in (until, filter.until) if one is not None]
        recorded = {game.gid: game for game in self._played(event, EVERYTHING, None, known_at)}
        return self.desks.played(event, recorded, min(days, default=None), known_at)

    def _counting(self, reading: _Reading, *, teams: bool = False) -> Counting:
        """Count the games, for players or for the teams of four-player games."""
        counting = counting_of(self.identities.merged(), teams=teams)
        if teams:
            counting.squads = squads(reading.games, reading.team_of)
        counting.add(reading.games, reading.scores)
        _spell(counting, reading.names)
        if reading.knockout_from is not None:
            counting.reached = stages(reading.games, reading.knockout_from)
        return counting

    def _played(
        self, event: int, filter: Filter, until: str | None, known_at: datetime | None
    ) -> list[Played]:
        """The games of an event, in the order of storing."""
        if filter == EVERYTHING and until is None and known_at is None:
            kept = self.games.played(self.identities.with_event_aliases(event))
            if kept is not None:
                return kept
        where = self.games.where(filter)
        where.add(self._of(event))
        if until is not None:
            where.add("g.day <= ?", _bound(until, "until", last=True))
        columns = ", ".join(f"g.{name}" for name in Played._fields)
        rows = self.database.rows(
            f"SELECT {columns} FROM {games_at(known_at)} g WHERE {where.sql}", where.parameters
        )
        # Sorted here, by number: for so few DuckDB takes longer to plan it.
        return list(map(Played._make, sorted(rows, key=itemgetter(0))))

    def _check_round(self, event: int, round: str, known: list[str] | None) -> None:
        """Raise BadQuery for a round that the event does not have.

        `known` are its rounds; if None, they are taken from its games.
        """
        if known is None:
            rows = self.database.rows(
                f"SELECT DISTINCT round FROM games g WHERE {self._of(event)} AND round IS NOT NULL"
            )
            known = [row[0] for row in rows]
        rounds = sorted(set(known), key=natural_key)
        if natural_key(round) not in map(natural_key, rounds):
            key = "event.no-round" if rounds else "event.no-rounds"
            raise BadQuery(key, round=round, rounds=rounds, field="until_round")


def _spell(counting: Counting, names: dict[int, str]) -> None:
    """Give players the names that they have elsewhere, however their games here spell them."""
    for line in counting.lines.values():
        line.names = [names.get(*one) for one in zip(line.who, line.names, strict=True)]


def _partners(line: Line) -> dict[str, Any]:
    """Return the fields of a team: the ids and the names of its players."""
    partners = line.in_order()
    return {"players": [id for _, id, _ in partners], "names": [name for _, _, name in partners]}


def _crossed(
    lines: list[Line], cells: dict[Line, dict[Line, Met]]
) -> Iterator[tuple[int, Line, list[tuple[Line, dict[str, Any]]]]]:
    """Yield ranks and lines, each with those it has met and the fields of their cells."""
    for rank, line in placed(lines):
        met = cells[line]
        yield rank, line, [(other, _against(met[other])) for other in lines if other in met]


def _against(met: Met) -> dict[str, Any]:
    """Return the fields of a cell: points, number of games, their ids."""
    ids = [write_id(gid) for gid in met.gids]
    return {"points": round(met.points, 6), "games": met.games, "ids": ids}


def _gone(text: str) -> NotFound:
    return NotFound("event.no-games", name=text)
