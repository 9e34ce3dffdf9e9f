"""Players: lists, profiles, head-to-head, aliases."""

from __future__ import annotations

import datetime
import math
from collections import defaultdict
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final

import msgspec

from claimlog.cards import FACTIONS, LETTERS
from claimlog.notation.names import by_name, by_name_sql
from claimlog.results import share_of
from claimlog.store.ledger.merges import Merges
from claimlog.store.model import types as t
from claimlog.store.model.errors import BadQuery, Conflict, Declined, NotFound, refuse_null
from claimlog.store.model.ids import write_id
from claimlog.store.questions import lists
from claimlog.store.questions.expected import FAIR_SQL, exact, expecting, fair, sum_sql
from claimlog.store.questions.games import Order, by_either, check_limit
from claimlog.store.questions.intervals import low_sql, rate
from claimlog.store.questions.order import natural_key
from claimlog.store.questions.profile import Played, Seen, Tallies, seen_by
from claimlog.store.questions.where import OF_PLAYER, contains_words, one_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from claimlog.store.model.filter import Filter
    from claimlog.store.questions.desks import Desks
    from claimlog.store.questions.games import Games

SEATS: Final = (1, 2, 3, 4)
_ORDERS: Final = by_either({
    "games": Order("games", "BIGINT", down=True),
    "name": Order(by_name_sql("name"), "VARCHAR", by_name=True),
    "rate": Order("rate", "DOUBLE", down=True),
    "low": Order(low_sql("points", "finished"), "DOUBLE", down=True),
    "last": Order("day", "VARCHAR", down=True),
    "rating": Order("coalesce(rating, -1)", "FLOAT", down=True),
})  # fmt: skip
_SIDES: Final = (1, 2, 3)
MOST_LINES: Final = 100
"""The largest number of opponents, partners or events in a profile."""


def seated(games: str, columns: str = "") -> str:
    """SQL: the players of the games of a CTE, one row per seat."""
    return " UNION ALL ".join(
        f"SELECT game, p{s} AS p, {s} AS seat, r{s} AS rating, day, date, seats, result{columns} "
        f"FROM {games} WHERE p{s} IS NOT NULL"
        for s in SEATS
    )


_COLUMNS: Final = ", ".join(f"g.{name}" for name in Played._fields)


MOST_AHEAD: Final = 800.0
"""The limit of a performance above or below the opponents, if everything or nothing was won."""


class Players:
    """The reading side for players, and the merging of aliases."""

    def __init__(self, games: Games) -> None:
        self.games = games
        self.database = games.database
        self.identities = games.identities
        self._merges = Merges(games.database, "player", "merges")

    # Lists -----------------------------------------------------------------------------

    def page(
        self,
        filter: Filter,
        search: str,
        sort: str,
        limit: int,
        cursor: str | None,
        min_games: int,
        total: bool,
    ) -> t.PlayerPage:
        """See `Archive.players`."""
        if sort not in _ORDERS:
            raise BadQuery("question.player-order", names=_ORDERS, field="sort")
        where = self.games.where(filter)
        conditions: list[str] = []
        if search.strip():
            like, words = contains_words("concat_ws(' ', name, tag_id)", search)
            ids = self.database.rows(f"SELECT player FROM players WHERE {like}", words)
            conditions.append(one_of("player", {self.identities.root(row[0]) for row in ids}))
        if min_games:
            conditions.append(f"finished >= {int(min_games)}")
        table = lists.Table(
            f"""
            f AS (SELECT *, {lists.MOMENT} AS moment FROM games g WHERE {where.sql}),
            s AS ({seated("f", ", moment")}),
            c AS (SELECT {self.identities.root_sql("p")} AS player, count(*) AS games,
                         count(points(result, seat, seats)) AS finished,
                         {sum_sql("points(result, seat, seats)")} AS points,
                         {sum_sql(FAIR_SQL)} AS fair,
                         arg_min(date, moment) AS first, arg_max(date, moment) AS last,
                         arg_max(rating, coalesce(moment, game)) AS rating,
                         coalesce(max(day)::VARCHAR, '') AS day
                  FROM s GROUP BY 1),
            d AS (SELECT c.*, coalesce(players.name, '') AS name,
                         coalesce(points / nullif(finished, 0), -1) AS rate
                  FROM c LEFT JOIN players USING (player))
            """,
            "player, name, games, finished, points, fair, first, last, rating",
            conditions,
            where.parameters,
        )
        listed = lists.page(self.database, table, _ORDERS, sort, limit, cursor, total)
        return t.PlayerPage(
            players=self._rows(listed.rows), cursor=listed.cursor, total=listed.total
        )

    def _rows(self, rows: list[tuple[Any, ...]]) -> list[t.PlayerRow]:
        names = self.names({row[0] for row in rows})
        return [
            t.PlayerRow(
                id=write_id(player),
                name=name,
                names=names.get(player, []),
                games=games,
                result=expecting(rate(finished, points), shares),
                first_date=first,
                last_date=last,
                last_rating=rating,
            )
            for player, name, games, finished, points, shares, first, last, rating in rows
        ]

    def names(self, roots: set[int]) -> dict[int, list[str]]:
        """All names and ids of players, including those of their aliases."""
        return self._names(self._entries(roots)) if roots else {}

    def _entries(self, roots: set[int]) -> list[tuple[int, str | None, str | None]]:
        """Number, name and Id tag of players and their aliases."""
        return self.database.rows(
            "SELECT player, name, tag_id FROM players WHERE "
            + one_of("player", self.identities.with_aliases(roots))
        )

    def _names(self, entries: list[tuple[int, str | None, str | None]]) -> dict[int, list[str]]:
        """All names and ids in entries, by the players that they stand for."""
        names: dict[int, list[str]] = defaultdict(list)
        for player, name, tag_id in sorted(
            entries, key=lambda row: (by_name(row[1] or ""), row[0])
        ):
            known = names[self.identities.root(player)]
            known += [text for text in (name, tag_id) if text and text not in known]
        return names

    def find(self, text: str) -> int:
        """The one player that an id or a name means.  Raises NotFound or Ambiguous."""
        return self.identities.player(text)

    # Profiles --------------------------------------------------------------------------

    def _seen(self, player: int, filter: Filter) -> list[Seen]:
        """The games of a player, newest first; `seat` and the like of the filter are about them."""
        numbers = self.identities.with_aliases({player})
        if filter.player is None and any(getattr(filter, field) is not None for field in OF_PLAYER):
            where = self.games.where(msgspec.structs.replace(filter, player=write_id(player)))
        else:
            where = self.games.where(filter)
            where.add(" OR ".join(one_of(f"g.p{s}", numbers) for s in SEATS))
        # First find the games, then read them, as `Games.page` does.
        parameters: list[Any] = []
        which = where.inside("g.game", parameters)
        rows = self.database.rows(f"SELECT {_COLUMNS} FROM games g WHERE {which}", parameters)
        # Sorted here, by number: for so few DuckDB takes longer to plan it.
        return seen_by(numbers, sorted(rows, key=itemgetter(0), reverse=True))

    def in_full(self, text: str, filter: Filter, number: int) -> t.PlayerInFull:
        """See `Archive.player_in_full`."""
        player = self.find(text)
        seen = self._seen(player, filter)
        row = self._row_of(player, seen)
        last = sorted(seen, key=_played, reverse=True)
        newest = list(dict.fromkeys(one.row.game for one in last[: number * len(SEATS)]))
        return t.PlayerInFull(
            profile=self._profile(row, seen),
            streaks=_streaks(row, seen),
            performance=_performance(row, seen),
            games=self.games.rows(newest[:number]),
        )

    def profile(self, text: str, filter: Filter) -> t.PlayerProfile:
        """See `Archive.player`."""
        player = self.find(text)
        seen = self._seen(player, filter)
        return self._profile(self._row_of(player, seen), seen)

    def streaks(self, text: str, filter: Filter) -> t.Streaks:
        """See `Archive.streaks`."""
        player = self.find(text)
        seen = self._seen(player, filter)
        return _streaks(self._row_of(player, seen), seen)

    def performance(self, text: str, filter: Filter) -> t.Performance:
        """See `Archive.performance`."""
        player = self.find(text)
        seen = self._seen(player, filter)
        return _performance(self._row_of(player, seen), seen)

    def _row_of(self, player: int, seen: list[Seen]) -> t.PlayerRow:
        """The row of a player in the list, computed from the games, which may be none."""
        points = [one.points for one in seen if one.points is not None]
        fair_share = sum(fair(one.row.result) for one in seen if one.points is not None)
        first, newest = lists.first_and_last(one.row for one in seen)
        rated = [one for one in seen if one.rating(one.seat) is not None]
        last = max(
            rated, key=lambda one: (one.row.day or datetime.date.min, one.row.game), default=None
        )
        entries = self._entries({player})
        return t.PlayerRow(
            id=write_id(player),
            name=next((name for number, name, _ in entries if number == player), None) or "",
            names=self._names(entries).get(player, []),
            games=len(seen),
            result=expecting(rate(len(points), exact(sum(points))), fair_share),
            first_date=first,
            last_date=newest,
            last_rating=last.rating(last.seat) if last else None,
        )

    def _profile(self, player: t.PlayerRow, games: list[Seen]) -> t.PlayerProfile:
        tallies = _Tallied(games, self.identities.merged())
        event_names: dict[int, str] = {}
        events: dict[int, _Tally] = defaultdict(_Tally)
        for (event, name), tally in tallies.of("events").items():
            root = self.identities.event_root(event)
            events[root].add(tally.points, tally.count, tally.fair)
            event_names[root] = self.identities.event_title(event, name)
        often, with_whom = _most(tallies.of("opponents")), _most(tallies.of("partners"))
        names = self._labels({who for who, _ in often + with_whom})
        leading, phase1 = tallies.of("leading"), tallies.of("phase1")
        return t.PlayerProfile(
            player=player,
            by_seat=[
                _named(str(seat + 1), f"seat {seat + 1}", tally)
                for seat, tally in sorted(tallies.of("by_seat").items())
            ],
            by_seats=[
                _named(str(seats), f"{seats} players" if seats > 1 else "bye", tally)
                for seats, tally in sorted(tallies.of("by_seats").items())
            ],
            leading=leading[True].rate(),
            following=leading[False].rate(),
            phase1_won=phase1[True].rate(),
            phase1_lost=phase1[False].rate(),
            with_faction=_by_faction(tallies.of("with_faction")),
            factions_won=_by_faction(tallies.factions_won()),
            opponents=[_named(write_id(who), names.get(who, ""), tally) for who, tally in often],
            partners=[_named(write_id(who), names.get(who, ""), tally) for who, tally in with_whom],
            events=[
                _named(write_id(event), event_names[event], tally) for event, tally in _most(events)
            ],
            votes_for=_mean(tallies.sum("votes_for"), tallies.sum("counted")),
            votes_against=_mean(tallies.sum("votes_against"), tallies.sum("counted")),
        )

    def _labels(self, players: set[int]) -> dict[int, str]:
        # Joined, as planning a long list takes longer than reading all rows.
        return dict(
            self.database.rows(
                "SELECT player, name FROM players WHERE player IN (SELECT unnest(?::UBIGINT[]))",
                [list(players)],
            )
        )

    def head_to_head(
        self, text: str, opponent_text: str, filter: Filter, limit: int
    ) -> t.HeadToHead:
        """See `Archive.head_to_head`."""
        player, opponent = self.find(text), self.find(opponent_text)
        if player == opponent:
            raise BadQuery("player.same", field="opponent")
        against, together = _Tally(), _Tally()
        won = lost = shared = neither = mine = theirs = 0
        games = []
        all_seen = self._seen(player, filter)
        for seen in all_seen:
            for seat, partner in seen.others():
                other = seen.player(seat)
                if other is None or self.identities.root(other) != opponent:
                    continue
                games.append(seen.row.game)
                if seen.points is not None:
                    tally = together if partner else against
                    tally.add(seen.points, 1, fair(seen.row.result))
                if partner:
                    continue
                points = share_of(seen.row.result, seat + 1)
                if seen.points is not None and points is not None:
                    won += seen.points > points
                    lost += seen.points < points
                    shared += seen.points == points > 0
                    neither += seen.points == points == 0
                own, others = seen.votes(seen.seat), seen.votes(seat)
                if own is not None and others is not None:
                    mine += own
                    theirs += others
        return t.HeadToHead(
            player=self._row_of(player, all_seen),
            opponent=self._row_of(opponent, self._seen(opponent, filter)),
            against=against.rate(),
            won=won,
            lost=lost,
            shared=shared,
            neither=neither,
            votes_for=mine,
            votes_against=theirs,
            together=together.rate(),
            games=self.games.rows(games[: check_limit(limit)]),
        )

    # Aliases ---------------------------------------------------------------------------

    def merge(self, alias: str, into: str, by: str, why: str) -> t.Merge:
        """See `Archive.merge_players`."""
        refuse_null(by=by, why=why)
        with self.database.decide() as cursor:
            source = self._called(self.identities.alias, alias)
            target = self.identities.root(self._called(self.find, into))
            if source in self.identities.merged():
                raise Declined("player.merged-already", name=alias)
            if source == target:
                raise Declined("player.into-itself")
            self._refuse_if_met(source, target)
            row = self._merges.add(cursor, source, target, by, why)
        return self._merges_of([row])[0]

    @property
    def _desks(self) -> Desks:
        from claimlog.store.questions.desks import Desks

        return Desks(self.games)

    def _called(self, find: Callable[[str], int], text: str) -> int:
        """The player meant, who may also be an entrant of an event without any game."""
        # An entrant's own name goes before a similar one.
        entered = None
        if not self.identities.exactly_called(text):
            entered = self._desks.entered(text)
        return find(text) if entered is None else entered

    def _refuse_if_met(self, source: int, target: int) -> None:
        """Raise Conflict if both have played in one game: then they are two people."""
        one = ", ".join(map(str, self.identities.with_aliases({source})))
        two = ", ".join(map(str, self.identities.with_aliases({target})))
        seats = "[p1, p2, p3, p4]"
        met = self.database.rows(
            f"SELECT gid FROM games WHERE list_has_any({seats}, [{one}]::UBIGINT[]) "
            f"AND list_has_any({seats}, [{two}]::UBIGINT[]) ORDER BY game LIMIT 1"
        )
        if met:
            id = write_id(met[0][0])
            raise Conflict("player.met", id=id)
        both = [self.identities.with_aliases({one}) for one in (source, target)]
        at_desk = self._desks.meeting(*both)
        if at_desk is not None:
            event, round = at_desk
            raise Declined("player.met-at-desk", event=event, round=round)

    def split(self, alias: str, by: str, why: str, player: str | None) -> t.Merge:
        """See `Archive.split_player`."""
        refuse_null(by=by, why=why)
        with self.database.decide() as cursor:
            number = self._called(self.identities.alias, alias)
            row = self._merges.in_force(cursor, number)
            if row is None:
                raise NotFound("player.not-merged", name=alias)
            if player is not None and self.find(player) != self.identities.root(number):
                raise NotFound("player.not-merged-into", name=alias, other=player)
            row = self._merges.undo(cursor, row, by, why)
        return self._merges_of([row])[0]

    def merges(self, undone: bool) -> list[t.Merge]:
        """See `Archive.merges`."""
        return self._merges_of(self._merges.rows(undone))

    def _merges_of(self, rows: list[tuple[Any, ...]]) -> list[t.Merge]:
        fields = self._merges.fields(rows, self.identities.root, self._name_at_desk)
        return [t.Merge(**one) for one in fields]

    def _name_at_desk(self, player: int) -> str:
        """The name of an entrant of an event without any game; "" if there is none."""
        return self._desks.entrant_name(player)


def _played(one: Seen) -> tuple[datetime.date, int]:
    """The order of games: by date, then storing; unknown dates first."""
    return one.row.day or datetime.date.min, one.row.game


def _when(row: Played) -> tuple[Any, ...]:
    """The order of games: by date, start, round, table, storing; unknown dates first."""
    return (
        row.day or datetime.date.min,
        row.started or datetime.datetime.min,
        natural_key(row.round),
        natural_key(row.tbl),
        row.game,
    )


def _streaks(player: t.PlayerRow, games: list[Seen]) -> t.Streaks:
    seen = [one for one in games if one.points is not None and one.played]
    seen.sort(key=lambda one: _when(one.row))
    kinds = {
        "won": [one.points == 1 for one in seen],
        "lost": [one.points == 0 for one in seen],
        "shared": [0 < (one.points or 0) < 1 for one in seen],
        "unbeaten": [(one.points or 0) > 0 for one in seen],
        "winless": [(one.points or 0) < 1 for one in seen],
    }

    def streak(run: tuple[int, int] | None) -> t.Streak | None:
        if run is None:
            return None
        first, last = seen[run[0]].row, seen[run[1] - 1].row
        return t.Streak(
            length=run[1] - run[0],
            first=write_id(first.gid),
            last=write_id(last.gid),
            first_date=first.date if first.day else None,
            last_date=last.date if last.day else None,
        )

    runs = {kind: _runs(held) for kind, held in kinds.items()}
    longest = {
        kind: streak(max(of_kind, key=lambda run: run[1] - run[0], default=None))
        for kind, of_kind in runs.items()
    }
    kind: Any = next(
        (k for k in ("won", "lost", "shared") if runs[k] and runs[k][-1][1] == len(seen)), None
    )
    return t.Streaks(
        player=player.id,
        name=player.name,
        games=len(seen),
        won=longest["won"],
        lost=longest["lost"],
        unbeaten=longest["unbeaten"],
        winless=longest["winless"],
        current=streak(runs[kind][-1]) if kind else None,
        current_kind=kind,
    )


def _performance(player: t.PlayerRow, games: list[Seen]) -> t.Performance:
    tally = _Tally()
    ratings = 0.0
    for seen in games:
        if seen.points is None or seen.sides != 2 or not seen.played:
            continue
        theirs = [seen.rating(seat) for seat, mate in seen.others() if not mate]
        known = [rating for rating in theirs if rating is not None]
        if len(known) == len(theirs):
            tally.add(seen.points, 1, fair(seen.row.result))
            ratings += sum(known) / len(known)
    result = tally.rate()
    mean = ratings / tally.count if tally.count else None

    def above(share: float | None) -> float | None:
        return None if mean is None or share is None else mean + _ahead(share)

    return t.Performance(
        player=player.id,
        name=player.name,
        games=tally.count,
        opponents=mean,
        result=result,
        performance=above(result.rate),
        low=above(result.low),
        high=above(result.high),
    )


def _runs(held: list[bool]) -> list[tuple[int, int]]:
    """The runs in which something holds: the first place of each, and the place after its last."""
    runs: list[tuple[int, int]] = []
    for place, holds in enumerate(held):
        if holds:
            goes_on = runs and runs[-1][1] == place
            first = runs.pop()[0] if goes_on else place
            runs.append((first, place + 1))
    return runs


def _ahead(share: float) -> float:
    """How far above the opponents' mean a player with this score plays."""
    if not 0 < share < 1:
        return MOST_AHEAD if share >= 1 else -MOST_AHEAD
    return min(MOST_AHEAD, max(-MOST_AHEAD, 400 * math.log10(share / (1 - share))))


def _mean(total: int, number: int) -> float | None:
    return total / number if number else None


class _Tally:
    """Points, the number of games, and the points to expect if all sides were alike."""

    def __init__(self) -> None:
        self.count = 0
        self.points = 0.0
        self.fair = 0.0

    def add(self, points: float, count: int, fair: float) -> None:
        """Add points of games."""
        self.count += count
        self.points += points
        self.fair += fair

    def rate(self) -> t.Rate:
        """The rate, with the expected one."""
        return expecting(rate(self.count, exact(self.points)), self.fair)


class _Tallied:
    """A player's scores, counted separately for games with different fair shares."""

    def __init__(self, games: list[Seen], merged: Mapping[int, int]) -> None:
        by_share: dict[float, list[Seen]] = defaultdict(list)
        for one in games:
            by_share[fair(one.row.result)].append(one)
        self.parts = {share: Tallies(some, merged) for share, some in by_share.items()}

    def sum(self, name: str) -> int:
        """A number, summed over all games."""
        return sum(getattr(part, name) for part in self.parts.values())

    def of(self, name: str) -> dict[Any, _Tally]:
        """The counters with this name, by key."""
        tallies: dict[Any, _Tally] = defaultdict(_Tally)
        for share, part in self.parts.items():
            for key, tally in getattr(part, name).items():
                tallies[key].add(tally.points, tally.count, share * tally.count)
        return tallies

    def factions_won(self) -> dict[int, _Tally]:
        """How often factions were won; the fair share is one side's, if anybody won the faction."""
        tallies = self.of("factions_won")
        for faction, tally in tallies.items():
            tally.fair = sum(
                part.won_by_any[4 * faction + sides] / sides
                for sides in _SIDES
                for part in self.parts.values()
            )
        return tallies


def _named(key: str, label: str, tally: _Tally) -> t.NamedRate:
    return t.NamedRate(key=key, label=label, result=tally.rate())


def _by_faction(tallies: dict[Any, _Tally]) -> list[t.NamedRate]:
    return [_named(LETTERS[f], FACTIONS[f].name, tallies[f]) for f in sorted(tallies)]


def _most(tallies: dict[int, _Tally]) -> list[tuple[int, _Tally]]:
    """The most frequent ones."""
    return sorted(tallies.items(), key=lambda item: (-item[1].count, item[0]))[:MOST_LINES]
