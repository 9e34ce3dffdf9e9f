"""Games: lists, single games, revisions."""

from __future__ import annotations

import base64
import threading
from datetime import UTC
from typing import TYPE_CHECKING, Any, Final

import msgspec

from claimlog.cards import LETTERS, deck_letters
from claimlog.notation.names import NAME_MARK, by_name_sql
from claimlog.notation.reader import Block, sheets_of
from claimlog.notation.sheet import Sheet
from claimlog.notation.tags import TERMINATIONS
from claimlog.results import result_text, share_of
from claimlog.rules.setup import RULE_SETS, RULINGS, sides_of
from claimlog.store.intake.encode import Encoder
from claimlog.store.ledger.records import find_head, game_meant, tell_games
from claimlog.store.model import types as t
from claimlog.store.model.errors import BadQuery, GameDeleted, NotFound
from claimlog.store.model.filter import Filter
from claimlog.store.model.ids import read_beginning, read_id, write_id
from claimlog.store.questions.where import Where, where

if TYPE_CHECKING:
    from claimlog.directing.desk import Desk
    from claimlog.store.backend import Backend
    from claimlog.store.ledger.identities import Identities
    from claimlog.store.model.filter import By, Sort

MOST: Final = 1000
"""The largest number of rows on a page."""

_SEATS: Final = ", ".join(f"g.n{s}, g.p{s}, g.i{s}, g.r{s}" for s in (1, 2, 3, 4))
COLUMNS: Final = (
    "g.gid, g.revision, g.digest, g.stored_at, g.event_name, g.event, g.site, g.date, g.round, "
    "g.tbl, g.seats, g.deck, g.rules, g.rulings, g.leader, g.complete, g.result, g.votes1, "
    "g.votes2, g.votes3, g.won1, g.won2, g.won3, g.tiebreak, g.termination, g.tricks, "
    f"g.phase1_last, {_SEATS}"
)
"""The columns that `game_row` needs, in its order."""

_FROM_RECORD: Final = COLUMNS.replace("g.", "").split(", ")[4:]
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
_KEYS: Final = {
    "date": ("coalesce(g.day, DATE '0001-01-01')", "DATE"),
    "event": (_EVENT_KEY, "VARCHAR"),
    "round": (natural("g.round"), "VARCHAR"),
    "table": (natural("g.tbl"), "VARCHAR"),
    "player": (_PLAYER_KEY, "VARCHAR"),
    "deck": ("g.deck", "INTEGER"),
    "result": ("g.result", "UTINYINT"),
    "votes": ("coalesce(g.votes1::INTEGER, -1)", "INTEGER"),
    "rating": ("coalesce(g.min_rating, -1)", "FLOAT"),
    "length": ("g.tricks", "UTINYINT"),
}
ORDERS: Final[dict[str, tuple[str, str, bool]]] = {
    "newest": ("g.game", "INTEGER", True),
    "oldest": ("g.game", "INTEGER", False),
    **{name: (*key, False) for name, key in _KEYS.items()},
    **{f"-{name}": (*key, True) for name, key in _KEYS.items()},
}
"""By sort order: the sort key, its type, whether descending; then by game number."""

_TURNED: Final[dict[str, Any]] = {
    "newest": "oldest",
    "oldest": "newest",
    **{name: f"-{name}" for name in _KEYS},
    **{f"-{name}": name for name in _KEYS},
}
"""The opposite of each order."""
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


def check_key(key: str, value: Any) -> None:
    """Raise BadQuery if the order is one by name, but a cursor's value no such key."""
    if "chr(1)" in key and not (isinstance(value, str) and NAME_MARK in value):
        raise BadQuery("question.cursor", field="cursor")


def check_limit(limit: int) -> int:
    """Return the limit, if it is from 1 to `MOST`.  Raises BadQuery."""
    if not 1 <= limit <= MOST:
        raise BadQuery("question.limit", most=MOST, field="limit")
    return limit


def game_row(row: tuple[Any, ...], identities: Identities) -> t.GameRow:
    """A `GameRow` from a row of `COLUMNS`."""
    (
        gid, revision, digest, stored_at, event_name, event, site, date, round, table, seats, deck,
        rules, rulings, leader, complete, result, votes1, votes2, votes3, won1, won2, won3,
        tiebreak, termination, tricks, phase1_last, *who,
    ) = row  # fmt: skip
    sides = sides_of(seats)
    scored = won1 is not None
    winners = [won1, won2, won3]
    return t.GameRow(
        id=write_id(gid),
        revision=revision,
        digest=bytes(digest).hex(),
        stored_at=stored_at.replace(tzinfo=UTC),
        event=event_name if event is None else identities.event_title(event, event_name),
        event_id=None if event is None else write_id(identities.event_root(event)),
        site=site,
        date=date,
        round=round,
        table=table,
        seats=seats,
        players=[
            t.SeatRow(
                seat=seat + 1,
                name=who[4 * seat],
                player=None
                if who[4 * seat + 1] is None
                else write_id(identities.root(who[4 * seat + 1])),
                tag_id=who[4 * seat + 2],
                rating=who[4 * seat + 3],
            )
            for seat in range(seats)
        ],
        deck=deck_letters(deck),
        rules=RULE_SETS[rules],
        rulings={
            key: RULINGS[key].values[rulings >> bit & 1] for bit, key in enumerate(_RULING_KEYS)
        },
        leader=leader,
        complete=complete,
        result=result_text(result),
        points={side: share_of(result, side) or 0.0 for side in range(1, sides + 1)}
        if result
        else None,
        votes=None if votes1 is None else dict(enumerate([votes1, votes2, votes3][:sides], 1)),
        factions={
            letter: next((side + 1 for side in range(sides) if winners[side] >> f & 1), None)
            for f, letter in enumerate(LETTERS)
            if deck >> f & 1
        }
        if scored
        else None,
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


class Games:
    """The reading side for games."""

    def __init__(self, database: Backend, identities: Identities) -> None:
        self.database = database
        self.identities = identities
        self._newest = 0
        """The number of the newest game, when last looked up."""
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

    def order(self, sort: str) -> tuple[str, str, bool]:
        """The sort key, its type, and whether descending.  Raises BadQuery."""
        if sort not in ORDERS:
            raise BadQuery("question.game-order", names=ORDERS, field="sort")
        key, kind, down = ORDERS[sort]
        if key == _EVENT_KEY:
            key = self.identities.event_name_sql("g.event", key, by_name_sql)
        return key, kind, down

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
        key, kind, _ = self.order(sort)
        where = self.where(filter)
        number = self.count(filter) if total else None
        if cursor is not None:
            name, value, game = read_cursor(cursor, str, object, int)
            if name != sort:
                raise BadQuery("question.other-cursor", field="cursor")
            check_key(key, value)
            self._after(where, sort, value, game)
        order = self._order_by(sort)
        # First find the games, then read their wide rows only.
        which = self._which(key, where, order, limit + 1)
        rows = self.rows([row[0] for row in which[:limit]])
        more = None
        if len(which) > limit:
            game, value = which[limit - 1]
            more = write_cursor(sort, str(value) if kind == "DATE" else value, game)
        return t.GamePage(games=rows, cursor=more, total=number)

    def neighbours(self, filter: Filter, sort: Sort, id: str) -> tuple[str | None, str | None]:
        """See `Archive.neighbours`."""
        key, _, _ = self.order(sort)
        of_game = self.database.rows(
            f"SELECT g.game, {key} FROM games g WHERE gid = ?", [read_id(id)]
        )
        if not of_game:
            return None, None
        game, value = of_game[0]
        asked, parameters = [], list[Any]()
        for place, order in enumerate((_TURNED[sort], sort)):
            where = self.where(filter)
            self._after(where, order, value, game)
            asked.append(
                f"(SELECT {place}, g.gid FROM games g WHERE {where.sql} "
                f"ORDER BY {self._order_by(order)} LIMIT 1)"
            )
            parameters += where.parameters
        beside = dict(self.database.rows(" UNION ALL ".join(asked), parameters))
        before, after = (write_id(beside[place]) if place in beside else None for place in (0, 1))
        return before, after

    def _after(self, where: Where, sort: str, value: Any, game: int) -> None:
        """Add the condition that a game comes after the one with this sort key and number."""
        key, kind, down = self.order(sort)
        after = "<" if down else ">"
        if key == "g.game":
            where.add(f"g.game {after} ?", game)
        else:
            # The first half is implied, but sorts most games out without their number.
            where.add(
                f"{key} {after}= ?::{kind} AND ({key}, g.game) {after} (?::{kind}, ?)",
                value, value, game,
            )  # fmt: skip

    def _order_by(self, sort: str) -> str:
        """SQL: the sort key and its direction, then the game's number."""
        key, _, down = self.order(sort)
        direction = "DESC" if down else "ASC"
        return (
            f"g.game {direction}" if key == "g.game" else f"{key} {direction}, g.game {direction}"
        )

    def _which(self, key: str, where: Where, order: str, most: int) -> list[tuple[Any, ...]]:
        """The first games in an order, each with its sort key."""
        asked = f"SELECT g.game, {key} FROM games g WHERE {{}} ORDER BY {order} LIMIT {most}"
        if where.empty and order == "g.game DESC":
            # Looking through all games for the newest takes longer than two queries.
            least = max(self._newest - 2 * most, 0)
            rows = self.database.rows(asked.format("g.game > ?"), [least])
            if least and len(rows) < most:
                rows = self.database.rows(asked.format("true"))
            self._newest = rows[0][0] if rows else 0
            return rows
        return self.database.rows(asked.format(where.sql), where.parameters)

    def rows(self, games: list[int]) -> list[t.GameRow]:
        """The rows of these games, in the same order."""
        if not games:
            return []
        # A semi-join, as DuckDB reads all rows for a long IN list.
        rows = self.database.rows(
            f"SELECT g.game, {COLUMNS} FROM games g WHERE g.game IN (SELECT unnest(?::BIGINT[]))",
            [games],
        )
        by_game = {row[0]: row[1:] for row in rows}
        return [game_row(by_game[game], self.identities) for game in games if game in by_game]

    def count(self, filter: Filter) -> int:
        """See `Archive.count`."""
        where = self.where(filter)
        rows = self.database.rows(
            f"SELECT count(*) FROM games g WHERE {where.sql}", where.parameters
        )
        return int(rows[0][0])

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
            texts = self.database.texts(cursor, [row[0] for row in rows]) if rows else {}
        return [(*row, texts[row[0]]) for row in rows]

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
        return t.Record(revision=_revision(row), record=row[-1])

    def revisions(self, id: str) -> list[t.Revision]:
        """See `Archive.revisions`."""
        waits = self.database.waits(read_id(id))
        if waits is not None:
            return [_revision(waits)]
        with self.database.ledger() as cursor:
            head = find_head(self.database, cursor, id)
            rows = cursor.execute(
                f"SELECT {_REVISION} FROM records WHERE gid = ? ORDER BY revision", [head.gid]
            ).fetchall()
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
