"""Export games as CLM, NDJSON, CSV and Parquet, piece by piece."""

from __future__ import annotations

import contextlib
import itertools
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from claimlog.store.model import types as t
from claimlog.store.model.errors import BadQuery
from claimlog.store.questions.games import COLUMNS, Games, check_limit, game_row
from claimlog.writing import replacing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from duckdb import DuckDBPyConnection

    from claimlog.store.model.filter import Filter, Sort

PIECE: Final = 1 << 18
CHUNK: Final = 2000
"""The number of records fetched at a time."""

_SEATS: Final = ", ".join(
    f"g.n{s} AS player{s}, text_id(g.p{s}) AS player{s}_id, g.i{s} AS id{s}, g.r{s} AS rating{s}"
    for s in (1, 2, 3, 4)
)
FLAT: Final = (
    "text_id(g.gid) AS id, g.revision, lower(hex(g.digest)) AS digest, g.stored_at, "
    "g.event_name AS event, text_id(g.event) AS event_id, g.site, g.date, g.round, "
    f'g.tbl AS "table", g.started AS "start", g.ended AS "end", g.seats, {_SEATS}, '
    "deck_letters(g.deck) AS deck, CASE g.rules WHEN 1 THEN 'Classic' ELSE 'LE2023' END AS rules, "
    "CASE g.rulings & 1 WHEN 1 THEN 'line' ELSE 'highest' END AS trolls, "
    "CASE g.rulings & 2 WHEN 2 THEN 'last-dragon' ELSE 'last-card' END AS dragons, "
    "CASE g.rulings & 4 WHEN 4 THEN 'played' ELSE 'won-by' END AS automatons, "
    "CASE g.rulings & 8 WHEN 8 THEN 'pile' ELSE 'deck' END AS raccoons, "
    "g.leader, g.complete, result_text(g.result) AS result, "
    # A bye has one side; two or four seats have two.
    "points(g.result, 1, g.seats) AS points1, "
    "CASE WHEN g.seats > 1 THEN points(g.result, 2, g.seats) END AS points2, "
    "CASE WHEN g.seats = 3 THEN points(g.result, 3, g.seats) END AS points3, "
    + ", ".join(
        f"g.votes{s}, CASE WHEN g.won{s} IS NOT NULL THEN deck_letters(g.won{s}) END AS factions{s}"
        for s in (1, 2, 3)
    )
    + ", CASE g.tiebreak WHEN 1 THEN 'cards' WHEN 2 THEN 'value' END AS tiebreak, "
    "(SELECT name FROM terminations WHERE terminations.termination = g.termination) "
    "AS termination, g.tricks, g.phase1_last, g.phase2_first, "
    + ", ".join(f"g.phase1_won{s}" for s in (1, 2, 3, 4))
)
"""The columns of a CSV or Parquet export (docs/archive.md)."""

_CARDS: Final = ("up1", "up2", "c1", "c2", "c3", "c4", "best")
_TRICKS: Final = (
    "text_id(g.gid) AS game, t.n AS trick, t.phase, t.auto = 1 AS auto, up1.name AS upcard1, "
    "up2.name AS upcard2, t.took1 AS upcard1_taker, t.took2 AS upcard2_taker, t.leader, "
    "c1.name AS card1, c2.name AS card2, c3.name AS card3, c4.name AS card4, t.winner, "
    "best.name AS winning_card, g.seats, result_text(g.result) AS result, "
    "points(g.result, t.leader, g.seats) AS leader_points, "
    "points(g.result, t.winner, g.seats) AS winner_points"
)
_PLAYS: Final = (
    "text_id(g.gid) AS game, t.n AS trick, t.phase, t.place, t.seat, cards.name AS card, "
    "factions.letter AS faction, cards.value, t.face_down, t.won, g.seats, "
    "result_text(g.result) AS result, points(g.result, t.seat, g.seats) AS points"
)
_JOINED: Final = " ".join(f"LEFT JOIN cards {c} ON {c}.card = t.{c}" for c in _CARDS)

ROWS: Final = {
    "games": (FLAT, "games g", ""),
    "tricks": (_TRICKS, f"games g JOIN tricks t USING (game) {_JOINED}", ", t.n"),
    "plays": (
        _PLAYS,
        "games g JOIN plays t USING (game) JOIN cards USING (card) JOIN factions USING (faction)",
        ", t.n, t.place",
    ),
}
"""The kinds of row of a CSV or Parquet export: columns, tables, and order within a game."""

_numbers = itertools.count()


def write_tables(games: Games, folder: Path, filter: Filter) -> list[Path]:
    """See `Archive.write_tables`."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for rows in ROWS:
        path = folder / f"{rows}.parquet"
        with replacing(path) as file:
            file.writelines(export(games, "parquet", filter, "oldest", rows))
        paths.append(path)
    return paths


def export(
    games: Games,
    form: str,
    filter: Filter,
    sort: Sort,
    rows: str = "games",
    limit: int | None = None,
) -> Iterator[bytes]:
    """See `Archive.export`."""
    by = games.order(sort)
    where = games.where(filter)
    order = f"{by.key} {by.direction}, g.game {by.direction}"
    which = where.sql
    if limit is not None:
        first = (
            f"SELECT g.game FROM games g WHERE {which} ORDER BY {order} LIMIT {check_limit(limit)}"
        )
        which = f"g.game IN ({first})"
    if form in ("csv", "parquet"):
        if rows not in ROWS:
            raise BadQuery("question.export-rows", names=ROWS, field="rows")
        columns, tables, within = ROWS[rows]
        columns = games.titled(columns).replace(
            "g.event)", games.identities.event_sql("g.event") + ")"
        )
        sql = f"SELECT {columns} FROM {tables} WHERE {which} ORDER BY {order}{within}"
        return _copied(games, form, sql, where.parameters)
    if form in ("clm", "ndjson"):
        sql = f"SELECT g.game FROM games g WHERE {which} ORDER BY {order}"
        return _pieces(games, form, sql, where.parameters)
    raise BadQuery("question.export-form", field="form")


def _copied(games: Games, form: str, sql: str, parameters: list[object]) -> Iterator[bytes]:
    """Let DuckDB write a file, and yield its bytes."""
    spool = games.database.spool
    path = spool / f"export{next(_numbers)}.{form}"
    options = "FORMAT csv, HEADER" if form == "csv" else "FORMAT parquet, COMPRESSION zstd"
    try:
        with games.database.read() as cursor:
            spool.mkdir(mode=0o700, exist_ok=True)
            quoted = str(path).replace("'", "''")
            if form == "csv":
                sql = _harmless(cursor, sql, parameters)
            cursor.execute(f"COPY ({sql}) TO '{quoted}' ({options})", parameters)
        with open(path, "rb") as file:
            with contextlib.suppress(OSError):
                Path(path).unlink()
            while piece := file.read(PIECE):
                yield piece
    finally:
        path.unlink(missing_ok=True)


def harmless(value: Any) -> Any:
    """A value for CSV: text that a spreadsheet would take for a formula is prefixed with '."""
    formula = isinstance(value, str) and value.startswith(tuple("=+-@\t\r"))
    return f"'{value}" if formula else value


def _harmless(cursor: DuckDBPyConnection, sql: str, parameters: list[object]) -> str:
    """SQL that applies `harmless` to all texts."""
    cursor.execute(f"SELECT * FROM ({sql}) LIMIT 0", parameters)
    texts = [f'"{name}"' for name, kind, *_ in cursor.description or () if str(kind) == "VARCHAR"]
    made = ", ".join(
        f"CASE WHEN regexp_matches({name}, '^[=+\\-@\\t\\r]') THEN chr(39) || {name} "
        f"ELSE {name} END AS {name}"
        for name in texts
    )
    return f"SELECT * REPLACE ({made}) FROM ({sql})" if made else sql


def _pieces(games: Games, form: str, sql: str, parameters: list[object]) -> Iterator[bytes]:
    """Yield records in pieces, from one snapshot."""
    waiting: list[bytes] = []
    size = 0
    with games.database.snapshot() as cursor:
        listed = [row[0] for row in cursor.execute(sql, parameters).fetchall()]
        first = True
        for start in range(0, len(listed), CHUNK):
            chunk = listed[start : start + CHUNK]
            for data in _chunk(games, form, cursor, chunk):
                if form == "clm" and not first:
                    waiting.append(b"\n")
                first = False
                waiting.append(data)
                size += len(data)
            if size >= PIECE:
                yield b"".join(waiting)
                waiting = []
                size = 0
    if waiting:
        yield b"".join(waiting)


def _chunk(
    games: Games, form: str, cursor: DuckDBPyConnection, chunk: list[int]
) -> Iterator[bytes]:
    texts = games.texts(cursor, chunk)
    if form == "clm":
        yield from (texts[game].encode() for game in chunk)
        return
    low, high = min(chunk), max(chunk)
    rows = cursor.execute(
        f"SELECT g.game, {COLUMNS} FROM games g WHERE g.game BETWEEN {low} AND {high} "
        "AND g.game IN (SELECT unnest(?::BIGINT[]))",
        [chunk],
    ).fetchall()
    by_game = {row[0]: row[1:] for row in rows}
    for game in chunk:
        row = game_row(by_game[game], games.identities)
        yield msgspec.json.encode(t.StoredGame(row=row, record=texts[game])) + b"\n"
