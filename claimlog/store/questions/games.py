"""Games: lists, single games, revisions."""

from __future__ import annotations

import base64
import threading
from bisect import bisect_left, bisect_right
from collections import Counter
from datetime import UTC
from functools import cache, lru_cache
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from claimlog.cards import LETTERS, deck_letters
from claimlog.directing.counting import Played
from claimlog.notation.names import NAME_MARK, by_name_sql
from claimlog.notation.reader import Block, sheets_of
from claimlog.notation.sheet import Sheet
from claimlog.notation.tags import TERMINATIONS
from claimlog.results import result_text, share_of
from claimlog.rules.setup import RULE_SETS, RULINGS, sides_of
from claimlog.store.intake.encode import Encoder
from claimlog.store.ledger.records import check_sound, find_head, game_meant, tell_games
from claimlog.store.model import types as t
from claimlog.store.model.errors import BadQuery, GameDeleted, NotFound, RecordDamaged
from claimlog.store.model.filter import Filter
from claimlog.store.model.ids import read_beginning, read_id, write_id
from claimlog.store.questions import kept_rows
from claimlog.store.questions.index import MOST_COUNTED, Index
from claimlog.store.questions.kept_rows import SHOWN
from claimlog.store.questions.where import Where, where

if TYPE_CHECKING:
    from collections.abc import Sequence

    from duckdb import DuckDBPyConnection

    from claimlog.directing.desk import Desk
    from claimlog.store.backend import Backend
    from claimlog.store.ledger.identities import Identities
    from claimlog.store.model.filter import By, Sort
    from claimlog.store.questions.index import Kept, Outcome

MOST: Final = 1000
"""The largest number of rows on a page."""

COLUMNS: Final = ", ".join(f"g.{name}" for name in SHOWN)
"""The columns that `game_row` needs, in its order."""

_FROM_RECORD: Final = SHOWN[4:]
"""The columns that can be derived from the record."""


def natural(column: str) -> str:
    """SQL for a text that sorts naturally: 2 before 10, numbers before words."""
    return (
        f"CASE WHEN regexp_matches({column}, '^[0-9]') "
        f"THEN lpad(regexp_extract({column}, '^[0-9]+'), 9, '0') || {column} "
        f"ELSE coalesce({column}, '') END"
    )


_EVENT: Final = "(SELECT e.name FROM events e WHERE e.event = g.event)"
"""SQL: the name of a game's event, which records may spell in several ways."""
_EVENT_KEY: Final = (
    f"coalesce((SELECT {by_name_sql('e.name')} FROM events e WHERE e.event = g.event), chr(1))"
)
"""SQL: the sort key of that name, computed once per event, not per game."""
_PLAYER_KEY: Final = (
    f"coalesce((SELECT {by_name_sql('s.n1')} FROM (SELECT DISTINCT n1 FROM games) s "
    "WHERE s.n1 = g.n1), chr(1))"
)
"""SQL: the sort key of the name in seat 1, computed once per name."""


class Order(NamedTuple):
    """An order of a list: by a sort key in SQL, of this type, then by number."""

    key: str
    kind: str
    down: bool = False
    by_name: bool = False
    """Whether the key is that of a name (`by_name_sql`)."""

    @property
    def turned(self) -> Order:
        """The opposite order."""
        return self._replace(down=not self.down)

    @property
    def direction(self) -> str:
        """SQL: the direction of the order."""
        return "DESC" if self.down else "ASC"

    @property
    def after(self) -> str:
        """SQL: how a later key compares with an earlier one."""
        return "<" if self.down else ">"

    def check(self, value: Any) -> None:
        """Raise BadQuery if a cursor's value is a name, but not as this order's keys are."""
        if self.by_name and not (isinstance(value, str) and NAME_MARK in value):
            raise BadQuery("question.cursor", field="cursor")


def by_either(orders: dict[str, Order]) -> dict[str, Order]:
    """Return the orders, and each one reversed as `-name`."""
    return orders | {f"-{name}": order.turned for name, order in orders.items()}


_BY_NUMBER: Final = Order("g.game", "INTEGER")
ORDERS: Final = {
    "newest": _BY_NUMBER.turned,
    "oldest": _BY_NUMBER,
    **by_either({
        "date": Order("coalesce(g.day, DATE '0001-01-01')", "DATE"),
        "event": Order(_EVENT_KEY, "VARCHAR", by_name=True),
        "round": Order(natural("g.round"), "VARCHAR"),
        "table": Order(natural("g.tbl"), "VARCHAR"),
        "player": Order(_PLAYER_KEY, "VARCHAR", by_name=True),
        "deck": Order("g.deck", "INTEGER"),
        "result": Order("g.result", "UTINYINT"),
        "votes": Order("coalesce(g.votes1::INTEGER, -1)", "INTEGER"),
        "rating": Order("coalesce(g.min_rating, -1)", "FLOAT"),
        "length": Order("g.tricks", "UTINYINT"),
    }),
}  # fmt: skip

MOST_KEPT: Final = 5000
"""Games whose rows are kept; then all are dropped."""
NEAR: Final = 3
"""Games of which one in so many is wanted are read as a whole."""
SHORT: Final = 500
"""A round of fewer games is sorted whole to find the neighbours of one."""

_RULING_KEYS: Final = ("trolls", "dragons", "automatons", "raccoons")
_TIEBREAKS: Final = (None, "cards", "value")


def write_cursor(*values: Any) -> str:
    """Pack values into a cursor."""
    return base64.urlsafe_b64encode(msgspec.json.encode(values)).decode().rstrip("=")


def read_cursor(cursor: str, *kinds: type) -> list[Any]:
    """Unpack a cursor.  Raises BadQuery."""
    try:
        data = base64.urlsafe_b64decode(cursor.encode() + b"=" * (-len(cursor) % 4))
        values = msgspec.json.decode(data)
        if (
            not isinstance(values, list)
            or len(values) != len(kinds)
            or not all(isinstance(v, kind) for v, kind in zip(values, kinds, strict=True))
        ):
            raise ValueError
    except (ValueError, msgspec.DecodeError, UnicodeEncodeError):
        raise BadQuery("question.cursor", field="cursor") from None
    return values


def check_limit(limit: int) -> int:
    """Return the limit, if it is from 1 to `MOST`.  Raises BadQuery."""
    if not 1 <= limit <= MOST:
        raise BadQuery("question.limit", most=MOST, field="limit")
    return limit


_id: Final = lru_cache(4096)(write_id)
"""The id of a player or an event; cached, as most are in many rows."""


@lru_cache(4096)
def _factions_of(deck: int) -> tuple[tuple[str, int], ...]:
    """The letters of a deck's factions, each with its bit."""
    return tuple((letter, 1 << f) for f, letter in enumerate(LETTERS) if deck >> f & 1)


_letters: Final = lru_cache(4096)(deck_letters)


@cache
def _rulings_of(bits: int) -> dict[str, str]:
    return {key: RULINGS[key].values[bits >> bit & 1] for bit, key in enumerate(_RULING_KEYS)}


@cache
def _points_of(result: int, sides: int) -> dict[int, float]:
    return {side: share_of(result, side) or 0.0 for side in range(1, sides + 1)}


_of_event: Final = itemgetter(*map(kept_rows.COLUMNS.index, Played._fields[1:]))
"""The values of a `Played` after the first, from a row that a server keeps."""


def game_row(row: Sequence[Any], identities: Identities) -> t.GameRow:
    """A `GameRow` from a row of `COLUMNS`."""
    (
        gid, revision, digest, stored_at, event_name, event, site, date, round, table, seats, deck,
        rules, rulings, leader, complete, result, votes1, votes2, votes3, won1, won2, won3,
        tiebreak, termination, tricks, phase1_last, *who,
    ) = row  # fmt: skip
    sides = sides_of(seats)
    scored = won1 is not None
    merged = identities.merged()
    players = []
    for seat in range(seats):
        name, player, tag_id, rating = who[4 * seat : 4 * seat + 4]
        if player is not None:
            player = _id(merged.get(player, player))
        players.append(
            t.SeatRow(seat=seat + 1, name=name, player=player, tag_id=tag_id, rating=rating)
        )
    factions: dict[str, int | None] | None = None
    if scored:
        # Those of sides that there are not are None.
        won2, won3 = won2 or 0, won3 or 0
        factions = {
            letter: 1 if won1 & bit else 2 if won2 & bit else 3 if won3 & bit else None
            for letter, bit in _factions_of(deck)
        }
    return t.GameRow(
        id=write_id(gid),
        revision=revision,
        digest=digest.hex(),
        stored_at=stored_at.replace(tzinfo=UTC),
        event=event_name if event is None else identities.event_title(event, event_name),
        event_id=None if event is None else _id(identities.event_root(event)),
        site=site,
        date=date,
        round=round,
        table=table,
        seats=seats,
        players=players,
        deck=_letters(deck),
        rules=RULE_SETS[rules],
        rulings=_rulings_of(rulings).copy(),
        leader=leader,
        complete=complete,
        result=result_text(result),
        points=_points_of(result, sides).copy() if result else None,
        votes=None if votes1 is None else dict(enumerate([votes1, votes2, votes3][:sides], 1)),
        factions=factions,
        tiebreak=_TIEBREAKS[tiebreak] if scored else None,
        termination=TERMINATIONS[termination],
        tricks=tricks,
        phase1_winner=phase1_last,
    )


class _Own(threading.local):
    """The objects with which a thread parses records."""

    def __init__(self) -> None:
        self.encoder = Encoder()
        self.sheet = Sheet()


_own = _Own()


def _taken_apart(record: str) -> list[Any] | None:
    """The values of `COLUMNS` after the first four, from a record; None if it is invalid."""
    sheet, _ = next(sheets_of(Block(record.encode(), 1), _own.sheet))
    row = _own.encoder.values_of(sheet)
    return None if row is None else [row[name] for name in _FROM_RECORD]


def _first(
    order: Order, where: Where, most: int, after: tuple[Any, int] | None = None
) -> tuple[str, list[Any]]:
    """SQL for number, id and sort key of the first games in an order, and its parameters.

    With `after`, those after the game with this sort key and number.
    """
    by = f"key {order.direction}, game {order.direction}"
    later, parameters = "true", list(where.parameters)
    if after is not None and order.key == _BY_NUMBER.key:
        later = f"game {order.after} ?"
        parameters.append(after[1])
    elif after is not None:
        # The first half is implied, but sorts most games out without their number.
        key = f"?::{order.kind}"
        later = f"key {order.after}= {key} AND (key, game) {order.after} ({key}, ?)"
        parameters += [after[0], *after]
    # The key is computed in a subquery, once for all three uses.
    return (
        f"SELECT * FROM (SELECT g.game, g.gid, {order.key} AS key FROM games g "
        f"WHERE {where.sql}) WHERE {later} ORDER BY {by} LIMIT {most}",
        parameters,
    )


class Games:
    """The reading side for games."""

    def __init__(self, database: Backend, identities: Identities) -> None:
        self.database = database
        self.identities = identities
        self.index = Index(database)
        self._newest = 0
        """The number of the newest game, when last looked up."""
        self._kept: tuple[tuple[int, int] | None, dict[int, tuple[Any, ...]]] = None, {}
        """A version of the archive, and what was read for pages since, by number of the game."""
        self.directed: dict[int, Desk] = {}
        """Cached states of the events directed here (`claimlog.store.questions.desks`)."""

    def where(self, filter: Filter) -> Where:
        """Compile a filter."""
        return where(filter, self.identities)

    def summed(self, filter: Filter, by: By = "anybody") -> Where | None:
        """The condition on the roll-ups, if there are any and they can answer for these games."""
        others = msgspec.structs.replace(filter, seats=None)
        if not self.database.rolls_up or by != "anybody" or others != Filter():
            return None
        return self.where(filter)

    def order(self, sort: str) -> Order:
        """The order with this name.  Raises BadQuery."""
        if sort not in ORDERS:
            raise BadQuery("question.game-order", names=ORDERS, field="sort")
        order = ORDERS[sort]
        if order.key == _EVENT_KEY:
            key = self.identities.event_name_sql("g.event", _EVENT_KEY, by_name_sql)
            order = order._replace(key=key)
        return order

    def event_name_sql(self) -> str:
        """SQL over `games g` for the current name of an event, however its records spell it."""
        return self.identities.event_name_sql("g.event", _EVENT)

    def titled(self, sql: str) -> str:
        """SQL over `games g` with the current titles of events in place of the names in games."""
        name = self.identities.event_name_sql("g.event", "g.event_name")
        return sql.replace("g.event_name", name)

    def page(
        self, filter: Filter, sort: Sort, limit: int, cursor: str | None, total: bool
    ) -> t.GamePage:
        """See `Archive.games`."""
        check_limit(limit)
        order = self.order(sort)
        where = self.where(filter)
        number = self._count(where) if total else None
        after = None
        if cursor is not None:
            name, value, game = read_cursor(cursor, str, object, int)
            if name != sort:
                raise BadQuery("question.other-cursor", field="cursor")
            order.check(value)
            after = value, game
        version = self.database.version
        # First find the games, then read their wide rows only.
        which = self._which(order, where, limit + 1, after)
        rows = self._rows([row[0] for row in which[:limit]], version)
        more = None
        if len(which) > limit:
            game, _, value = which[limit - 1]
            more = write_cursor(sort, str(value) if order.kind == "DATE" else value, game)
        return t.GamePage(games=rows, cursor=more, total=number)

    def neighbours(self, filter: Filter, sort: Sort, id: str) -> tuple[str | None, str | None]:
        """See `Archive.neighbours`."""
        order, gid = self.order(sort), read_id(id)
        if filter.event is not None and filter.round is not None:
            # Most rounds are short: sorting one takes a quarter of the time of two searches.
            where = self.where(filter)
            rows = self.database.rows(
                f"SELECT g.gid FROM games g WHERE {where.sql} ORDER BY {order.key} "
                f"{order.direction}, g.game {order.direction} LIMIT {SHORT}",
                where.parameters,
            )
            ids = [None, *(row[0] for row in rows), None]
            if len(rows) < SHORT and gid is not None and gid in ids:
                at = ids.index(gid)
                return _written(ids[at - 1]), _written(ids[at + 1])
        of_game = self.database.rows(
            f"SELECT {order.key}, g.game FROM games g WHERE gid = ?", [gid]
        )
        if not of_game:
            return None, None
        asked, parameters = [], list[Any]()
        for place, one in enumerate((order.turned, order)):
            sql, values = _first(one, self.where(filter), 1, of_game[0])
            asked.append(f"SELECT {place}, gid FROM ({sql})")
            parameters += values
        beside = dict(self.database.rows(" UNION ALL ".join(asked), parameters))
        return _written(beside.get(0)), _written(beside.get(1))

    def _which(
        self, order: Order, where: Where, most: int, after: tuple[Any, int] | None
    ) -> list[tuple[Any, ...]]:
        """The number, id and sort key of the first games in an order; see `_first`."""
        if where.empty and after is None and order == ORDERS["newest"]:
            # Looking through all games for the newest takes longer than two queries.
            least = max(self._newest - 2 * most, 0)
            recent = Where()
            recent.add("g.game > ?", least)
            rows = self.database.rows(*_first(order, recent, most))
            if least and len(rows) < most:
                rows = self.database.rows(*_first(order, where, most))
            self._newest = rows[0][0] if rows else 0
            return rows
        games = self._numbers(where) if order.key == _BY_NUMBER.key else None
        if games is None:
            return self.database.rows(*_first(order, where, most, after))
        if order.down:
            end = len(games) if after is None else bisect_left(games, after[1])
            some = games[max(end - most, 0) : end][::-1]
        else:
            begin = 0 if after is None else bisect_right(games, after[1])
            some = games[begin : begin + most]
        return [(game, None, game) for game in some]

    def _numbers(self, where: Where) -> Sequence[int] | None:
        """The numbers of these games in ascending order; None if the tables have to be asked."""
        found = self._in_memory(where)
        return None if found is None else found[1]

    def _in_memory(self, where: Where) -> tuple[Kept, Sequence[int]] | None:
        """What a server keeps, and the numbers of these games; None if the tables must be asked."""
        if not where.only_who or (where.players is None and where.events is None):
            return None
        kept = self.index.current()
        return None if kept is None else (kept, kept.games(where.players, where.events))

    def outcomes(self, where: Where) -> Counter[Outcome] | None:
        """How many of these games have which outcome; None if the tables have to be asked."""
        found = self._in_memory(where)
        if found is None or len(found[1]) > MOST_COUNTED:
            return None
        return found[0].outcomes(found[1])

    def factions(self, filter: Filter) -> list[tuple[Any, ...]]:
        """The decks of complete games, and the counts of their factions.

        The rows are (None, deck, number, None) and (faction, code, number, sum of margins).
        """
        sums = self.summed(filter)
        if sums is not None:
            return self.database.rows(
                "SELECT NULL, deck, sum(number), NULL FROM deck_sums g "
                f"WHERE {sums.sql} GROUP BY deck UNION ALL "
                "SELECT faction, code, sum(number), sum(margin) FROM faction_sums g "
                f"WHERE {sums.sql} GROUP BY faction, code",
                2 * sums.parameters,
            )
        where = self.where(filter)
        found = self._in_memory(where)
        if found is not None and len(found[1]) <= MOST_COUNTED:
            return found[0].factions(found[1])
        inside = "true" if where.empty else "game IN (SELECT game FROM chosen)"
        where.add("g.complete")
        return self.database.rows(
            f"WITH chosen AS MATERIALIZED (SELECT game, deck FROM games g WHERE {where.sql}) "
            "SELECT NULL, deck, count(*), NULL FROM chosen GROUP BY deck UNION ALL "
            "SELECT faction, code, count(*), sum(margin) FROM factions_won "
            f"WHERE {inside} GROUP BY faction, code",
            where.parameters,
        )

    def rows(self, games: list[int]) -> list[t.GameRow]:
        """The rows of these games, in the same order."""
        rows = self._from_memory(games)
        rows |= self._read([game for game in games if game not in rows])
        return [game_row(rows[game], self.identities) for game in games if game in rows]

    def _rows(self, games: list[int], version: tuple[int, int] | None) -> list[t.GameRow]:
        """The same for games that were found at a version of the archive, whose rows are kept."""
        rows = self._from_memory(games)
        if len(rows) < len(games):
            of, kept = self._kept
            if version is None:
                kept = {}
            elif of != version or len(kept) > MOST_KEPT:
                kept = {}
                self._kept = version, kept
            missing = [game for game in games if game not in rows and game not in kept]
            if missing:
                kept |= self._read(missing)
            rows = kept | rows
        return [game_row(rows[game], self.identities) for game in games if game in rows]

    def played(self, events: set[int]) -> list[Played] | None:
        """The games of these events, in the order of storing; None if the tables must be asked."""
        kept = self.index.current()
        games = [] if kept is None else kept.games(None, events)
        if kept is None or len(games) > MOST_COUNTED:
            return None
        rows = [(game, kept.row(game)) for game in games]
        played = [Played(game, *_of_event(row)) for game, row in rows if row is not None]
        return played if len(played) == len(games) else None

    def _from_memory(self, games: list[int]) -> dict[int, Sequence[Any]]:
        """The values of `COLUMNS` of those of these games that a server keeps."""
        # A single statement for the rows takes less time than to follow.
        kept = self.index.current(follow=False) if games else None
        if kept is None:
            return {}
        rows = ((game, kept.row(game)) for game in games)
        return {game: kept_rows.shown(row) for game, row in rows if row is not None}

    def _read(self, games: list[int]) -> dict[int, tuple[Any, ...]]:
        """The values of `COLUMNS` of these games, and perhaps of others, by number."""
        if not games:
            return {}
        low, high = min(games), max(games)
        # Only in a lake are numbers so large; elsewhere a list of another type takes a cast.
        kind = "INTEGER" if high < 1 << 31 else "BIGINT"
        # DuckDB reads all rows for a long IN list, and plans a join faster than a semi-join.
        source, parameters = (
            f"(SELECT unnest(?::{kind}[]) AS game) JOIN games g USING (game)",
            list[Any]([games]),
        )
        if high - low < NEAR * len(games):
            # A range is planned in half the time.
            source, parameters = "games g WHERE g.game BETWEEN ? AND ?", [low, high]
        rows = self.database.rows(f"SELECT g.game, {COLUMNS} FROM {source}", parameters)
        return {row[0]: row[1:] for row in rows}

    def count(self, filter: Filter) -> int:
        """See `Archive.count`."""
        return self._count(self.where(filter))

    def _count(self, where: Where) -> int:
        games = self._numbers(where)
        if games is not None:
            return len(games)
        rows = self.database.rows(
            f"SELECT count(*) FROM games g WHERE {where.sql}", where.parameters
        )
        return int(rows[0][0])

    def by_faction(self) -> Counter[str]:
        """See `Archive.games_by_faction`."""
        counts = Counter[str]()
        for deck, games in self.database.rows("SELECT deck, count(*) FROM games GROUP BY deck"):
            counts.update(dict.fromkeys(_letters(deck), games))
        return counts

    def records(self, filter: Filter, most: int) -> list[tuple[int, int, int, str]]:
        """Number, id, revision and record of games.  Raises BadQuery if there are too many."""
        where = self.where(filter)
        with self.database.snapshot() as cursor:
            rows = cursor.execute(
                f"SELECT g.game, g.gid, g.revision FROM games g WHERE {where.sql} ORDER BY g.game "
                f"LIMIT {most + 1}",
                where.parameters,
            ).fetchall()
            if len(rows) > most:
                raise BadQuery("correction.too-many", most=most)
            texts = self.texts(cursor, [row[0] for row in rows]) if rows else {}
        return [(*row, texts[row[0]]) for row in rows]

    def texts(self, cursor: DuckDBPyConnection, games: list[int]) -> dict[int, str]:
        """The records of games.  Raises RecordDamaged if one is missing."""
        texts = self.database.texts(cursor, games)
        for game in games:
            if texts.get(game) is None:
                sql = "SELECT gid FROM games WHERE game = ?"
                (gid,) = cursor.execute(sql, [game]).fetchall()[0]
                raise RecordDamaged("record.damaged", id=write_id(gid))
        return texts

    def game(self, id: str) -> t.StoredGame:
        """See `Archive.game`."""
        gid = read_id(id)
        versions = self.database.versions(gid)
        if gid is None or not versions:
            with self.database.ledger() as cursor:
                gid = game_meant(self.database, cursor, id)
            versions = self.database.versions(gid)
        game, revision, digest, stored_at, deleted, record = max(versions, key=lambda row: row[1])
        if deleted:
            raise GameDeleted("game.deleted", id=write_id(gid))
        check_sound(record, digest, gid)
        made = self.database.just_judged(gid)
        if made is not None and made["digest"] == digest:
            row: list[Any] | None = [made[name] for name in _FROM_RECORD]
        else:
            # Judging the record again takes less time than reading that many columns.
            row = _taken_apart(record)
        if row is None:
            return t.StoredGame(row=self.rows([game])[0], record=record)
        return t.StoredGame(
            row=game_row((gid, revision, digest, stored_at, *row), self.identities), record=record
        )

    def beginning(self, kind: t.Kind, text: str, limit: int) -> list[t.Candidate]:
        """See `Archive.beginning`."""
        if kind != "game":
            return self.identities.beginning(kind, text, limit)
        bounds = read_beginning(text, shortest=0)
        if bounds is None:
            return []
        rows = self.database.rows(
            "SELECT gid FROM games WHERE gid BETWEEN ? AND ? ORDER BY game DESC LIMIT ?",
            [*bounds, limit],
        )
        with self.database.ledger() as cursor:
            return tell_games(self.database, cursor, [row[0] for row in rows])

    def record(self, id: str, revision: int | None) -> t.Record:
        """See `Archive.record`."""
        waits = self.database.waits(read_id(id))
        if waits is not None and revision in (None, 1):
            return t.Record(revision=_revision(waits), record=waits[-1])
        with self.database.ledger() as cursor:
            head = find_head(self.database, cursor, id)
            row = cursor.execute(
                f"SELECT {_REVISION}, record FROM records WHERE gid = ? AND revision = ?",
                [head.gid, head.revision if revision is None else revision],
            ).fetchone()
        if row is None:
            raise NotFound("game.no-revision", id=id, number=revision)
        if not row[7]:
            check_sound(row[-1], row[6], row[0])
        return t.Record(revision=_revision(row), record=row[-1])

    def revisions(self, id: str) -> list[t.Revision]:
        """See `Archive.revisions`."""
        waits = self.database.waits(read_id(id))
        if waits is not None:
            return [_revision(waits)]
        sql = f"SELECT {_REVISION} FROM records WHERE gid = ? ORDER BY revision"
        with self.database.ledger() as cursor:
            rows = cursor.execute(sql, [read_id(id)]).fetchall()
            if not rows:
                rows = cursor.execute(sql, [game_meant(self.database, cursor, id)]).fetchall()
        return [_revision(row) for row in rows]

    def find_digest(self, digest: str) -> t.Revision | None:
        """See `Archive.find_digest`."""
        try:
            sought = bytes.fromhex(digest)
        except ValueError:
            raise BadQuery("question.digest", field="digest") from None
        if len(sought) != 32:
            raise BadQuery("question.digest", field="digest")
        with self.database.ledger() as cursor:
            known = self.database.find_digests(cursor, [sought]).get(sought)
            if known is None:
                return None
            row = cursor.execute(
                f"SELECT {_REVISION} FROM records WHERE gid = ? AND revision = ?",
                [known.gid, known.revision],
            ).fetchone()
        assert row is not None
        return _revision(row)


_REVISION: Final = "gid, revision, stored_at, who, why, source, digest, deleted"


def _written(gid: int | None) -> str | None:
    return None if gid is None else write_id(gid)


def _revision(row: tuple[Any, ...]) -> t.Revision:
    gid, revision, at, who, why, source, digest, deleted = row[:8]
    return t.Revision(
        id=write_id(gid),
        revision=revision,
        at=at.replace(tzinfo=UTC),
        by=who,
        why=why,
        source=source,
        digest=None if digest is None else bytes(digest).hex(),
        deleted=deleted,
    )
