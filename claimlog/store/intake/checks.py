"""Check that the derived tables are what the records yield, on either backend, piece by piece.

A piece is some of the games, chosen by a condition on the column `game`; what concerns the names of
players and events is checked for all games.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from claimlog.store.intake.derived import EVERY_ORDER, every_sql, seats_sql
from claimlog.store.intake.remaking import (
    PART,
    PIECED,
    Remaker,
    fill_from_records,
    gid_of,
    id_parts,
)
from claimlog.store.model import schema
from claimlog.store.model.faults import MOST_FAULTS, Faults

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


PIECE: Final = 10_000
"""The approximate number of revisions in a piece."""

_COUNTS: Final = (
    (
        "games",
        "game-in-one",
        """SELECT coalesce(a.gid, b.gid) FROM
           (SELECT game, gid, max(revision) AS revision, arg_max(deleted, revision) AS deleted
            FROM {records} GROUP BY game, gid HAVING NOT arg_max(deleted, revision)) a
           FULL JOIN {games} b ON a.game = b.game AND a.revision = b.revision AND a.gid = b.gid
           WHERE a.game IS NULL OR b.game IS NULL""",
    ),
    (
        "games",
        "game-twice",
        "SELECT any_value(gid) FROM {games} GROUP BY game HAVING count(*) > 1",
    ),
    (
        "records",
        "revisions",
        """SELECT any_value(gid) FROM {records} GROUP BY game
           HAVING count(*) <> max(revision) OR min(revision) <> 1
           OR count(DISTINCT revision) <> count(*) OR count(DISTINCT gid) <> 1""",
    ),
    (
        "tricks",
        "tricks",
        """SELECT gid FROM {games} LEFT JOIN
           (SELECT game, count(*) AS number FROM {tricks} GROUP BY game) USING (game)
           WHERE coalesce(number, 0) <> tricks""",
    ),
    (
        "tricks",
        "tricks-alone",
        "SELECT NULL FROM {tricks} ANTI JOIN {games} USING (game) GROUP BY game",
    ),
    (
        "factions_won",
        "counts",
        """SELECT gid FROM {games} games LEFT JOIN
           (SELECT game, bit_or(1::INTEGER << faction) AS deck, count(*) AS number
            FROM {factions_won} GROUP BY game) f USING (game)
           WHERE CASE WHEN won1 IS NULL THEN f.deck IS NOT NULL
                 ELSE f.deck IS DISTINCT FROM games.deck OR number <> bit_count(games.deck) END""",
    ),
    (
        "factions_won",
        "counts-alone",
        "SELECT NULL FROM {factions_won} ANTI JOIN {games} USING (game) GROUP BY game",
    ),
    (
        "players",
        "player-missing",
        """SELECT NULL FROM (SELECT unnest([p1, p2, p3, p4]) AS player FROM {games})
           ANTI JOIN players USING (player) WHERE player IS NOT NULL""",
    ),
    (
        "events",
        "event-missing",
        "SELECT NULL FROM {games} ANTI JOIN events USING (event) WHERE event IS NOT NULL",
    ),
)
"""By table and fault: a query for the ids of faulty games, in the tables of a piece."""

_RECORDS: Final = (
    (
        "revision-digest",
        "digest IS NOT NULL AND (digest <> unhex(sha256(record)) "
        "OR key <> ('0x' || substr(hex(digest), 1, 16))::UBIGINT)",
    ),
    (
        "revision-kind",
        "(digest IS NULL) <> deleted OR (record IS NULL) <> deleted OR (key IS NULL) <> deleted",
    ),
)
"""By fault: the condition on a revision that has it."""

_NAMES: Final = (("players", "player"), ("events", "event"))
"""The tables of names and their keys."""


def rows_of(table: str, which: str) -> str:
    """SQL: the rows of a piece in a table."""
    return f"(SELECT * FROM {table} WHERE {which})"


def check_counts(cursor: DuckDBPyConnection, faults: Faults, missing: set[str], which: str) -> None:
    """Check the counts that must agree in a piece, in the tables that are not missing."""
    pieces = {table: rows_of(table, which) for table in ("records", *PIECED)}
    for what, key, sql in _COUNTS:
        if any(re.search(rf"\b{name}\b", sql) for name in missing):
            continue
        for row in cursor.execute(sql.format(**pieces)).fetchmany(MOST_FAULTS + 1):
            faults.add(what, row[0], key)


def number_of(cursor: DuckDBPyConnection, table: str) -> int:
    """The number of rows in a table."""
    row = cursor.execute(f"SELECT count(*) FROM {table}").fetchone()
    assert row is not None
    return int(row[0])


def check_rows(
    cursor: DuckDBPyConnection,
    faults: Faults,
    remaker: Remaker,
    missing: set[str],
    which: str,
) -> None:
    """Judge the records of a piece again and compare all its rows."""
    for table in PIECED:
        cursor.execute(
            schema.DERIVED[table].replace(f"TABLE {table}", f"OR REPLACE TEMP TABLE remade_{table}")
        )
    for key, wrong in _RECORDS:
        for gid, revision in cursor.execute(
            f"SELECT gid, revision FROM records WHERE ({which}) AND ({wrong})"
        ).fetchall():
            faults.add("records", gid, key, number=revision)
    for game, revision, message in fill_from_records(cursor, remaker, "remade_", which=which):
        faults.add("records", gid_of(cursor, game), "record", number=revision, why=message)
    for table in PIECED:
        if table not in missing:
            theirs = rows_of(table, which)
            for row in _differing(cursor, "game", theirs, f"(SELECT * FROM remade_{table})"):
                gid = None if row[0] is None else gid_of(cursor, row[0])
                _tell(faults, table, gid, "row", row)
        cursor.execute(f"DROP TABLE remade_{table}")


def _differing(
    cursor: DuckDBPyConnection, key: str, ours: str, theirs: str
) -> list[tuple[int | None, bool, bool]]:
    """Keys whose rows differ in two relations: whether they have more, or fewer, in the first."""
    return cursor.execute(
        # One pass over the rows of both: rows that occur equally often in both cancel out.
        f"SELECT {key}, bool_or(more > 0), bool_or(more < 0) FROM "
        f"(SELECT COLUMNS(* EXCLUDE (side)), sum(side) AS more FROM "
        f"(SELECT *, 1 AS side FROM {ours} UNION ALL SELECT *, -1 FROM {theirs}) "
        f"GROUP BY ALL HAVING more <> 0) GROUP BY {key} LIMIT {MOST_FAULTS + 1}"
    ).fetchall()


def _tell(
    faults: Faults,
    table: str,
    id: int | None,
    fault: str,
    row: tuple[int | None, bool, bool],
) -> None:
    """Add the faults of a row of `_differing`."""
    for there, end in zip(row[1:], ("", "-missing"), strict=True):
        if there:
            faults.add(table, id, f"{fault}{end}")


def check_names(cursor: DuckDBPyConnection, faults: Faults, missing: set[str], full: bool) -> None:
    """Check the players and events of all games; with `full` compare them with those of the games.

    The names are those of the tables of games, which `check_rows` compares with the records.
    """
    known = missing.isdisjoint(("games", "games_before"))
    parts = id_parts(cursor, "games") if known else ["true"]
    for table, key in _NAMES:
        if table in missing:
            continue
        for part in parts:
            which = part.format(key)
            twice = f"SELECT {key} FROM {table} WHERE {which} GROUP BY {key} HAVING count(*) > 1"
            for _ in cursor.execute(twice).fetchmany(MOST_FAULTS + 1):
                faults.add(table, None, f"{key}-twice")
            if full and known:
                _compare_names(cursor, faults, table, key, which)


def _compare_names(
    cursor: DuckDBPyConnection, faults: Faults, table: str, key: str, which: str
) -> None:
    """Compare some names with those of all revisions."""
    every = f"({every_sql()})"
    given = (
        f"SELECT player, name, any_value(tag_id) AS tag_id FROM ({seats_sql(every, EVERY_ORDER)})"
        if key == "player"
        else f"SELECT event, event_name AS name FROM {every}"
    )
    cursor.execute(
        f"CREATE OR REPLACE TEMP TABLE given AS {given} "
        f"WHERE {key} IS NOT NULL AND {which} GROUP BY {key}, name"
    )
    more = ", any_value(tag_id) AS tag_id" if key == "player" else ""
    theirs = f"(SELECT {key}{more} FROM given GROUP BY {key})"
    ours = f"(SELECT * EXCLUDE (name) FROM {table} WHERE {which})"
    for row in _differing(cursor, key, ours, theirs):
        _tell(faults, table, row[0], "rows", row)
    # Which of several names is shown may change.
    for (number,) in cursor.execute(
        f"SELECT {key} FROM {rows_of(table, which)} named SEMI JOIN given USING ({key}) "
        f"ANTI JOIN given ON given.{key} = named.{key} "
        f"AND given.name IS NOT DISTINCT FROM named.name LIMIT {MOST_FAULTS + 1}"
    ).fetchall():
        faults.add(table, number, "misnamed")
    cursor.execute("DROP TABLE given")


def check_digests(cursor: DuckDBPyConnection, faults: Faults) -> None:
    """Check that no two games of a file have the same record."""
    parts = number_of(cursor, "records") // PART + 1
    for part in range(parts):
        twice = (
            "SELECT any_value(gid) FROM records WHERE digest IS NOT NULL "
            f"AND hash(digest) % {parts} = {part} GROUP BY digest HAVING count(DISTINCT game) > 1"
        )
        for (gid,) in cursor.execute(twice).fetchmany(MOST_FAULTS + 1):
            faults.add("records", gid, "same-record")
