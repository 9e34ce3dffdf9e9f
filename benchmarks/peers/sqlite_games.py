"""Games in SQLite, as a programmer would write it who needs an API by the evening.

Tables with indexes, one connection per thread, one query for each question.  Nothing is validated:
rows and records are stored as they come, read from claimlog's export.
"""

from __future__ import annotations

import hashlib
import json
import math
import sqlite3
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

SCHEMA = """
CREATE TABLE games (
    id TEXT PRIMARY KEY, event TEXT, site TEXT, date TEXT, round TEXT, tbl TEXT,
    seats INTEGER, deck TEXT, leader INTEGER, complete INTEGER, result TEXT, record TEXT);
CREATE TABLE seats (
    game TEXT, seat INTEGER, player TEXT, rating REAL, side INTEGER, points REAL, votes INTEGER);
CREATE TABLE factions (game TEXT, faction TEXT, winner INTEGER, points REAL, by_leader INTEGER);
"""
INDEXES = """
CREATE INDEX games_event ON games (event);
CREATE INDEX games_date ON games (date);
CREATE INDEX seats_game ON seats (game);
CREATE INDEX seats_player ON seats (player);
CREATE INDEX factions_game ON factions (game);
ANALYZE;
"""
_local = threading.local()
_path = Path()


def use(path: Path) -> None:
    """Choose the file."""
    global _path
    _path = path


def connection() -> sqlite3.Connection:
    """This thread's connection; committed data is on disk."""
    if not hasattr(_local, "connection"):
        _local.connection = sqlite3.connect(_path, isolation_level=None)
        _local.connection.execute("PRAGMA journal_mode = WAL")
        _local.connection.execute("PRAGMA synchronous = FULL")
        _local.connection.execute("PRAGMA cache_size = -262144")
    own: sqlite3.Connection = _local.connection
    return own


def rows_of(row: dict[str, Any], record: str) -> tuple[tuple[Any, ...], list[Any], list[Any]]:
    """The rows of a game in the three tables."""
    game = (
        *(row["id"], row["event"], row["site"], row["date"], row["round"], row["table"]),
        *(row["seats"], row["deck"], row["leader"], row["complete"]),
        *(row["result"], record),
    )
    # By side, in order.
    points, votes = (list((row[name] or {}).values()) for name in ("points", "votes"))
    sides = 2 if row["seats"] == 4 else row["seats"]
    seats = []
    for seat in row["players"]:
        side = (seat["seat"] - 1) % sides
        seats.append(
            (
                *(row["id"], seat["seat"], seat["name"], seat["rating"], side),
                *(points[side] if points else None, votes[side] if votes else None),
            )
        )
    factions = []
    for faction, winner in (row["factions"] or {}).items():
        worth = points[winner - 1] if points and winner else None
        by_leader = None if winner is None else (row["leader"] - 1) % sides == winner - 1
        factions.append((row["id"], faction, winner, worth, by_leader))
    return game, seats, factions


def insert(games: list[Any], seats: list[Any], factions: list[Any]) -> None:
    """Store rows, in one transaction."""
    db = connection()
    db.execute("BEGIN")
    db.executemany(f"INSERT OR IGNORE INTO games VALUES ({', '.join('?' * 12)})", games)
    db.executemany("INSERT INTO seats VALUES (?, ?, ?, ?, ?, ?, ?)", seats)
    db.executemany("INSERT INTO factions VALUES (?, ?, ?, ?, ?)", factions)
    db.execute("COMMIT")


def build(path: Path, export: Path) -> dict[str, Any]:
    """Make the file from claimlog's NDJSON export; return how long that took."""
    use(path)
    connection().executescript(SCHEMA)
    begin = time.perf_counter()
    waiting: tuple[list[Any], list[Any], list[Any]] = ([], [], [])
    count = 0
    with export.open(encoding="utf-8") as lines:
        for line in lines:
            item = json.loads(line)
            game, seats, factions = rows_of(item["row"], item["record"])
            waiting[0].append(game)
            waiting[1].extend(seats)
            waiting[2].extend(factions)
            count += 1
            if count % 5000 == 0:
                insert(*waiting)
                waiting = ([], [], [])
    insert(*waiting)
    connection().executescript(INDEXES)
    connection().execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return {"seconds": time.perf_counter() - begin, "games": count}


# Questions ----------------------------------------------------------------------------------


def _where(filter: dict[str, str]) -> tuple[str, list[Any]]:
    conditions, values = [], []
    if "player" in filter:
        conditions.append("g.id IN (SELECT game FROM seats WHERE player = ?)")
        values.append(filter["player"])
    if "event" in filter:
        conditions.append("g.event = ?")
        values.append(filter["event"])
    if "since" in filter:
        conditions.append("g.date >= ?")
        values.append(filter["since"])
    if "until" in filter:
        conditions.append("g.date <= ?")
        values.append(filter["until"])
    return " AND ".join(conditions) or "1", values


def _rate(count: int, points: float) -> dict[str, Any]:
    if not count:
        return {"count": 0, "rate": None, "low": None, "high": None}
    z, p = 1.959963984540054, points / count
    base = 1 + z * z / count
    middle = p + z * z / (2 * count)
    spread = z * math.sqrt(p * (1 - p) / count + z * z / (4 * count * count))
    return {
        "count": count,
        "rate": p,
        "low": (middle - spread) / base,
        "high": (middle + spread) / base,
    }


def _dicts(cursor: sqlite3.Cursor) -> Iterator[dict[str, Any]]:
    names = [column[0] for column in cursor.description]
    for row in cursor:
        yield dict(zip(names, row, strict=True))


def game(id: str) -> dict[str, Any] | None:
    """One game."""
    db = connection()
    row = next(_dicts(db.execute("SELECT * FROM games WHERE id = ?", [id])), None)
    if row is not None:
        row["players"] = list(
            _dicts(db.execute("SELECT * FROM seats WHERE game = ? ORDER BY seat", [id]))
        )
    return row


def page(filter: dict[str, str], limit: int) -> list[dict[str, Any]]:
    """The newest games of a filter."""
    db = connection()
    condition, values = _where(filter)
    games = list(
        _dicts(
            db.execute(
                "SELECT id, event, site, date, round, tbl, seats, deck, leader, complete, result "
                f"FROM games g WHERE {condition} ORDER BY g.rowid DESC LIMIT ?",
                [*values, limit],
            )
        )
    )
    for one in games:
        one["players"] = list(
            _dicts(db.execute("SELECT * FROM seats WHERE game = ? ORDER BY seat", [one["id"]]))
        )
    return games


def by_seat(filter: dict[str, str]) -> list[dict[str, Any]]:
    """The points of each seat."""
    condition, values = _where(filter)
    rows = connection().execute(
        "SELECT s.seat, count(s.points), total(s.points) FROM games g JOIN seats s "
        f"ON s.game = g.id WHERE {condition} GROUP BY s.seat ORDER BY s.seat",
        values,
    )
    return [{"key": str(seat), "result": _rate(n, points)} for seat, n, points in rows]


def by_faction(filter: dict[str, str]) -> list[dict[str, Any]]:
    """How often each faction was won, by the leader, and what that was worth."""
    condition, values = _where(filter)
    rows = connection().execute(
        "SELECT f.faction, count(*), count(f.winner), total(f.by_leader), count(f.points), "
        "total(f.points) FROM games g JOIN factions f ON f.game = g.id "
        f"WHERE {condition} GROUP BY f.faction ORDER BY f.faction",
        values,
    )
    return [
        {
            "faction": faction,
            "decided": _rate(count, won),
            "by_leader": _rate(won, leader),
            "worth": _rate(finished, points),
        }
        for faction, count, won, leader, finished, points in rows
    ]


def standings(event: str) -> list[dict[str, Any]]:
    """Points, votes and Buchholz of an event's players."""
    rows = connection().execute(
        "SELECT s.game, s.player, s.side, s.points, s.votes FROM games g JOIN seats s "
        "ON s.game = g.id WHERE g.event = ? AND s.points IS NOT NULL",
        [event],
    )
    tables: dict[str, list[tuple[str, int, float, int]]] = defaultdict(list)
    for game, player, side, points, votes in rows:
        tables[game].append((player, side, points, votes or 0))
    totals: dict[str, list[float]] = defaultdict(lambda: [0, 0.0, 0, 0.0])
    for seated in tables.values():
        for player, _, points, votes in seated:
            line = totals[player]
            line[0] += 1
            line[1] += points
            line[2] += votes
    for seated in tables.values():
        for player, side, _, _ in seated:
            others = [totals[p][1] for p, s, _, _ in seated if s != side]
            totals[player][3] += sum(others) / len(others) if others else 0
    ranked = sorted(totals.items(), key=lambda item: (-item[1][1], -item[1][2], -item[1][3]))
    return [
        {"rank": i, "player": p, "games": n, "points": s, "votes": v, "buchholz": b}
        for i, (p, (n, s, v, b)) in enumerate(ranked, 1)
    ]


def store(item: dict[str, Any]) -> str:
    """Store one game; it is on disk when this returns."""
    row = {**item["row"], "id": hashlib.sha256(item["record"].encode()).hexdigest()[:13]}
    game, seats, factions = rows_of(row, item["record"])
    insert([game], seats, factions)
    return str(row["id"])
