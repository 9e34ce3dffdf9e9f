"""Insert the rows of games into the derived tables, with the names of players and events."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any, Final

from claimlog.store.intake.staging import FACTION_ROWS, GAMES, TRICK_ROWS
from claimlog.store.model import schema

if TYPE_CHECKING:
    from collections.abc import Sequence

    from duckdb import DuckDBPyConnection


GAME_COLUMNS: Final = ", ".join(name for name, _ in schema.GAME)


STAGED_COLUMNS: Final = GAMES.sql(name for name, _ in schema.GAME)


ROWS: Final = (
    ("tricks", TRICK_ROWS.sql(TRICK_ROWS.names[1:]), "tricks"),
    ("factions_won", FACTION_ROWS.sql(FACTION_ROWS.names[1:]), "factions"),
)
"""Tables whose rows the encoder makes, their columns except `game`, and the part of a batch."""


TOGETHER: Final = 50
"""The number of rows that `insert_values` inserts per statement."""


def insert_values(cursor: DuckDBPyConnection, table: str, rows: Sequence[tuple[Any, ...]]) -> None:
    """Insert rows into a table, many per statement, as DuckDB plans each statement again."""
    for begin in range(0, len(rows), TOGETHER):
        some = rows[begin : begin + TOGETHER]
        places = ", ".join([f"({', '.join('?' * len(some[0]))})"] * len(some))
        cursor.execute(f"INSERT INTO {table} VALUES {places}", [*chain.from_iterable(some)])


def insert_games(
    cursor: DuckDBPyConnection, head: str, parameters: list[Any], source: str = "batch"
) -> None:
    """Insert the games of the table `source`; `head` is SQL for the first five columns."""
    cursor.execute(f"INSERT INTO games SELECT {head}, {GAME_COLUMNS} FROM {source}", parameters)


def seats_sql(source: str, order: str) -> str:
    """SQL: the players of `source`, one row per seat, with their names as written."""
    return " UNION ALL ".join(
        f"SELECT {order} AS place, {seat} AS seat, p{seat} AS player, "
        f"coalesce(n{seat}, i{seat}) AS name, i{seat} AS tag_id FROM {source} "
        f"WHERE p{seat} IS NOT NULL"
        for seat in schema.SEATS
    )


def names_sql(source: str, order: str, only: str = "true") -> str:
    """SQL: the players in `source`, each with the most frequent name.

    Of equally frequent names it is the one that comes first in this order; `only` is a condition on
    the players.
    """
    return (
        "SELECT player, arg_min(name, (-times, first)) AS name, any_value(tag_id) AS tag_id FROM ("
        "SELECT player, name, any_value(tag_id) AS tag_id, count(*) AS times, "
        f"min((place, seat)) AS first FROM ({seats_sql(source, order)}) "
        f"WHERE {only} GROUP BY player, name) GROUP BY player"
    )


def events_sql(source: str, order: str, only: str = "true") -> str:
    """SQL: the events in `source`, each with its most frequent name, as in `names_sql`."""
    return (
        "SELECT event, arg_min(name, (-times, first)) AS name FROM ("
        f"SELECT event, event_name AS name, count(*) AS times, min({order}) AS first "
        f"FROM {source} WHERE event IS NOT NULL AND {only} GROUP BY event, event_name) "
        "GROUP BY event"
    )


def every_sql(prefix: str = "") -> str:
    """SQL: the names in all revisions, from tables with this prefix."""
    columns = ", ".join(f"p{s}, n{s}, i{s}" for s in schema.SEATS)
    return " UNION ALL ".join(
        f"SELECT stored_at, revision, game, event, event_name, {columns} FROM {prefix}{table}"
        for table in ("games", "games_before")
    )


EVERY_ORDER: Final = "(stored_at, revision, game)"


MOST_COUNTED: Final = 2_000_000
"""In archives with more games, only `claimlog db rebuild` counts names again."""


def insert_names(cursor: DuckDBPyConnection, source: str = "batch", order: str = "i") -> None:
    """Add the players and events that are new, and count names again where the spelling is new.

    The name shown is the one in most revisions, so that a player whose first game was misspelled
    does not keep the wrong name.  The games must already be in the tables.  `remaking` makes all
    names from all revisions, in the order of time, revision and game.
    """
    # Usually there is nothing to do, and finding that out first costs less.
    unlike = cursor.execute(_unlike_sql(source)).fetchall()
    if any(table == "players" and new for table, _, new, _ in unlike):
        cursor.execute(
            f"INSERT INTO players SELECT * FROM ({names_sql(source, order)}) "
            "ANTI JOIN players USING (player) ORDER BY player"
        )
    if any(table == "events" and new for table, _, new, _ in unlike):
        cursor.execute(
            f"INSERT INTO events SELECT * FROM ({events_sql(source, order)}) "
            "ANTI JOIN events USING (event) ORDER BY event"
        )
    for kind, key, counted in (("players", "player", names_sql), ("events", "event", events_sql)):
        otherwise = [
            str(number)
            for table, number, new, two_names in unlike
            if table == kind and (two_names or not new)
        ]
        if otherwise and _countable(cursor):
            only = f"{key} IN ({', '.join(otherwise)})"
            names = counted(f"({every_sql()})", EVERY_ORDER, only)
            changed = cursor.execute(
                f"SELECT now.name, {key} FROM ({names}) now JOIN {kind} USING ({key}) "
                f"WHERE now.name <> {kind}.name"
            ).fetchall()
            for name, number in changed:
                cursor.execute(f"UPDATE {kind} SET name = ? WHERE {key} = ?", [name, number])


def _unlike_sql(source: str) -> str:
    """SQL: the players and events in `source` that are new or spelled differently in the tables.

    With whether they are new, and whether `source` has several spellings of them.
    """
    return " UNION ALL ".join(
        f"SELECT '{table}', {key}, {table}.{key} IS NULL, min(given.name) <> max(given.name) "
        f"FROM ({given}) given LEFT JOIN {table} USING ({key}) "
        f"WHERE {key} IS NOT NULL AND given.name IS DISTINCT FROM {table}.name GROUP BY ALL"
        for table, key, given in (
            ("players", "player", seats_sql(source, "0")),
            ("events", "event", f"SELECT event, event_name AS name FROM {source}"),
        )
    )


def _countable(cursor: DuckDBPyConnection) -> bool:
    """Whether reading the names of all games takes negligible time."""
    row = cursor.execute("SELECT count(*) FROM games").fetchone()
    assert row is not None
    return int(row[0]) <= MOST_COUNTED
