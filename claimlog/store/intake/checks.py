"""Check that the derived tables are what the records yield, on either backend."""

from __future__ import annotations

import re
import shutil
from typing import TYPE_CHECKING, Final

from claimlog.store.intake.derived import EVERY_ORDER, every_sql, seats_sql
from claimlog.store.intake.remaking import Remaker, fill_from_records, fill_names, gid_of
from claimlog.store.model import schema
from claimlog.store.model.faults import MOST_FAULTS, Faults

if TYPE_CHECKING:
    from pathlib import Path

    from duckdb import DuckDBPyConnection

    from claimlog.store.backend import Report


_COUNTS: Final = (
    (
        "games",
        "game-in-one",
        """SELECT coalesce(a.gid, b.gid) FROM
           (SELECT game, gid, max(revision) AS revision, arg_max(deleted, revision) AS deleted
            FROM records GROUP BY game, gid HAVING NOT arg_max(deleted, revision)) a
           FULL JOIN games b ON a.game = b.game AND a.revision = b.revision AND a.gid = b.gid
           WHERE a.game IS NULL OR b.game IS NULL""",
    ),
    (
        "games",
        "game-twice",
        "SELECT any_value(gid) FROM games GROUP BY game HAVING count(*) > 1",
    ),
    (
        "records",
        "revisions",
        """SELECT any_value(gid) FROM records GROUP BY game
           HAVING count(*) <> max(revision) OR min(revision) <> 1
           OR count(DISTINCT revision) <> count(*) OR count(DISTINCT gid) <> 1""",
    ),
    (
        "records",
        "same-record",
        """SELECT any_value(gid) FROM records WHERE digest IS NOT NULL
           GROUP BY digest HAVING count(DISTINCT game) > 1""",
    ),
    (
        "tricks",
        "tricks",
        """SELECT gid FROM games LEFT JOIN
           (SELECT game, count(*) AS number FROM tricks GROUP BY game) USING (game)
           WHERE coalesce(number, 0) <> tricks""",
    ),
    (
        "tricks",
        "tricks-alone",
        "SELECT NULL FROM tricks ANTI JOIN games USING (game) GROUP BY game",
    ),
    (
        "factions_won",
        "counts",
        """SELECT gid FROM games LEFT JOIN
           (SELECT game, bit_or(1::INTEGER << faction) AS deck, count(*) AS number
            FROM factions_won GROUP BY game) f USING (game)
           WHERE CASE WHEN won1 IS NULL THEN f.deck IS NOT NULL
                 ELSE f.deck IS DISTINCT FROM games.deck OR number <> bit_count(games.deck) END""",
    ),
    (
        "factions_won",
        "counts-alone",
        "SELECT NULL FROM factions_won ANTI JOIN games USING (game) GROUP BY game",
    ),
    (
        "players",
        "player-missing",
        """SELECT NULL FROM (SELECT unnest([p1, p2, p3, p4]) AS player FROM games)
           ANTI JOIN players USING (player) WHERE player IS NOT NULL""",
    ),
    (
        "events",
        "event-missing",
        "SELECT NULL FROM games ANTI JOIN events USING (event) WHERE event IS NOT NULL",
    ),
    (
        "players",
        "player-twice",
        "SELECT NULL FROM players GROUP BY player HAVING count(*) > 1",
    ),
    (
        "events",
        "event-twice",
        "SELECT NULL FROM events GROUP BY event HAVING count(*) > 1",
    ),
)


def check_counts(cursor: DuckDBPyConnection, faults: Faults, missing: set[str]) -> None:
    """Check the counts that must agree, in the tables that are not missing."""
    for what, key, sql in _COUNTS:
        if any(re.search(rf"\b{name}\b", sql) for name in missing):
            continue
        for row in cursor.execute(sql).fetchmany(MOST_FAULTS + 1):
            faults.add(what, row[0], key)


def number_of(cursor: DuckDBPyConnection, table: str) -> int:
    """The number of rows in a table."""
    row = cursor.execute(f"SELECT count(*) FROM {table}").fetchone()
    assert row is not None
    return int(row[0])


def check_all(
    cursor: DuckDBPyConnection,
    faults: Faults,
    folder: Path,
    report: Report,
    missing: set[str],
) -> None:
    """Judge every record again and compare all rows; `folder` holds the rows made again."""
    folder.mkdir(parents=True, exist_ok=True)
    try:
        for table in schema.DERIVED:
            cursor.execute(
                schema.DERIVED[table].replace(
                    f"TABLE {table}", f"OR REPLACE TEMP TABLE remade_{table}"
                )
            )
        for gid, revision in cursor.execute(
            "SELECT gid, revision FROM records WHERE digest IS NOT NULL AND "
            "(digest <> unhex(sha256(record)) "
            "OR key <> ('0x' || substr(hex(digest), 1, 16))::UBIGINT)"
        ).fetchall():
            faults.add("records", gid, "revision-digest", number=revision)
        for gid, revision in cursor.execute(
            "SELECT gid, revision FROM records WHERE (digest IS NULL) <> deleted "
            "OR (record IS NULL) <> deleted OR (key IS NULL) <> deleted"
        ).fetchall():
            faults.add("records", gid, "revision-kind", number=revision)
        for game, revision, message in fill_from_records(
            cursor, Remaker(folder), "remade_", report
        ):
            faults.add("records", gid_of(cursor, game), "record", number=revision, why=message)
        fill_names(cursor, "remade_")
        named = ("games", "games_before")  # the tables with the names of players and events
        for table in schema.DERIVED:
            if table not in missing:
                _compare(cursor, faults, table)
            if table not in named:
                cursor.execute(f"DROP TABLE remade_{table}")
        for table in named:
            cursor.execute(f"DROP TABLE remade_{table}")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _compare(cursor: DuckDBPyConnection, faults: Faults, table: str) -> None:
    """Compare a derived table with what the records yield."""
    key = {"players": "player", "events": "event"}.get(table, "game")
    columns = "*" if key == "game" else "* EXCLUDE (name)"
    differing = cursor.execute(
        # One pass over the rows of both: rows that occur equally often in both cancel out.
        f"SELECT {key}, bool_or(more > 0), bool_or(more < 0) FROM "
        f"(SELECT COLUMNS(* EXCLUDE (side)), sum(side) AS more FROM "
        f"(SELECT {columns}, 1 AS side FROM {table} "
        f"UNION ALL SELECT {columns}, -1 FROM remade_{table}) GROUP BY ALL HAVING more <> 0) "
        f"GROUP BY {key} LIMIT {MOST_FAULTS + 1}"
    ).fetchall()
    for which, end in ((1, ""), (2, "-missing")):
        for row in differing:
            number = row[0]
            if not row[which]:
                continue
            if key == "game":
                faults.add(table, None if number is None else gid_of(cursor, number), f"row{end}")
            else:
                faults.add(table, number, f"rows{end}")
    if key != "game":
        for number in _misnamed(cursor, table, key):
            faults.add(table, number, "misnamed")


def _misnamed(cursor: DuckDBPyConnection, table: str, key: str) -> list[int]:
    """Players or events whose name is in no record; which of several is shown may change."""
    given = (
        seats_sql("every", EVERY_ORDER)
        if key == "player"
        else "SELECT event, event_name AS name FROM every WHERE event IS NOT NULL"
    )
    rows = cursor.execute(
        f"WITH every AS ({every_sql('remade_')}) "
        f"SELECT {key} FROM {table} SEMI JOIN remade_{table} USING ({key}) "
        f"ANTI JOIN ({given}) given ON given.{key} = {table}.{key} "
        f"AND given.name IS NOT DISTINCT FROM {table}.name LIMIT {MOST_FAULTS + 1}"
    ).fetchall()
    return [int(number) for (number,) in rows]
