"""Sums over all games that a lake keeps beside its tables, so that no tricks need be read.

Each has what a question would count in one of the tables, by the columns the question groups by:
its size is bounded by the cards and the seats, not by the games.  The transaction that brings rows
to the lake also adds their sums; what a correction removes is added again with a minus sign.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from claimlog.store.intake.remaking import spans
from claimlog.store.model.codes import MOST_SQL
from claimlog.store.questions.design_effects import LED

if TYPE_CHECKING:
    from collections.abc import Mapping

    from duckdb import DuckDBPyConnection


PIECE: Final = 500_000
"""The number of games whose rows are summed together, when all are."""


class RollUp(NamedTuple):
    """A table of sums: the table they are of, their keys, and the sums.

    `select` is the SQL that computes its rows from the rows of `source`, written as ``{rows}``.
    """

    source: str
    keys: dict[str, str]
    sums: dict[str, str]
    select: str


_CARDS: Final = " UNION ALL ".join(
    f"SELECT seats, phase, c{j} AS card, h{j} AS how, {j} = 1 AS led, count(*) AS number "
    f"FROM {{rows}} WHERE c{j} IS NOT NULL GROUP BY ALL"
    for j in (1, 2, 3, 4)
)
_UPCARDS: Final = " UNION ALL ".join(
    f"SELECT seats, up{k} AS card, u{k} AS code, count(*) AS number FROM {{rows}} "
    f"WHERE phase = 1 AND up{k} IS NOT NULL GROUP BY ALL"
    for k in (1, 2)
)

ROLLUPS: Final[dict[str, RollUp]] = {
    "card_sums": RollUp(
        "tricks",
        {
            "seats": "UTINYINT",
            "phase": "UTINYINT",
            "card": "UTINYINT",
            "how": "UTINYINT",
            "led": "BOOLEAN",
        },
        {"number": "BIGINT"},
        _CARDS,
    ),
    "upcard_sums": RollUp(
        "tricks",
        {"seats": "UTINYINT", "card": "UTINYINT", "code": "UTINYINT"},
        {"number": "BIGINT"},
        _UPCARDS,
    ),
    "lead_sums": RollUp(
        "tricks",
        {"seats": "UTINYINT", "phase": "UTINYINT"},
        {
            "led": "BIGINT",
            "won": "BIGINT",
            "games": "BIGINT",
            "won_squared": "BIGINT",
            "product": "BIGINT",
            "led_squared": "BIGINT",
        },
        # Phase 0 stands for both phases.  An INTEGER, because DuckDB makes a place for each group
        # that two UTINYINT could form, which takes 65 ms.
        "SELECT seats, coalesce(phase::INTEGER, 0) AS phase, sum(led) AS led, sum(won) AS won, "
        "count(*) AS games, sum(won * won) AS won_squared, sum(won * led) AS product, "
        "sum(led * led) AS led_squared FROM (SELECT game, seats, phase, count(*) AS led, "
        "count(*) FILTER (winner = leader) AS won FROM {rows} "
        f"WHERE {LED} GROUP BY GROUPING SETS ((game, seats, phase), (game, seats))) GROUP BY ALL",
    ),
    "course_sums": RollUp(
        "games",
        {
            "seats": "UTINYINT",
            "leader": "UTINYINT",
            "result": "UTINYINT",
            "phase1_last": "UTINYINT",
            "phase2_first": "UTINYINT",
            "most": "UTINYINT",
        },
        {"number": "BIGINT"},
        f"SELECT seats, leader, result, phase1_last, phase2_first, {MOST_SQL} AS most, "
        "count(*) AS number FROM {rows} WHERE result <> 0 AND tricks > 0 GROUP BY ALL",
    ),
    "deck_sums": RollUp(
        "games",
        {"seats": "UTINYINT", "deck": "INTEGER"},
        {"number": "BIGINT"},
        "SELECT seats, deck, count(*) AS number FROM {rows} WHERE complete GROUP BY ALL",
    ),
    "faction_sums": RollUp(
        "factions_won",
        {"seats": "UTINYINT", "faction": "UTINYINT", "code": "UTINYINT"},
        {"number": "BIGINT", "margin": "BIGINT"},
        "SELECT seats, faction, code, count(*) AS number, coalesce(sum(margin), 0) AS margin "
        "FROM {rows} GROUP BY ALL",
    ),
}
"""The roll-ups by name."""

TABLES: Final = tuple(
    f"CREATE TABLE {name} ("
    + ", ".join(f"{column} {kind}" for column, kind in {**one.keys, **one.sums}.items())
    + ")"
    for name, one in ROLLUPS.items()
)
"""The statements that create the tables."""


def add(
    cursor: DuckDBPyConnection, rows: Mapping[str, str], sign: int = 1, prefix: str = ""
) -> None:
    """Add the sums of rows, by their table, to the roll-ups; with `sign` -1 subtract them.

    The roll-ups' names begin with `prefix`.
    """
    for name, one in ROLLUPS.items():
        sums = ", ".join(f"{sign} * {column}" for column in one.sums)
        cursor.execute(
            f"INSERT INTO {prefix}{name} SELECT {', '.join(one.keys)}, {sums} "
            f"FROM ({one.select.format(rows=rows[one.source])})"
        )


def summed(name: str, prefix: str = "") -> str:
    """SQL for a roll-up, whose name begins with `prefix`, with one row per key."""
    one = ROLLUPS[name]
    sums = ", ".join(f"sum({column})::BIGINT AS {column}" for column in one.sums)
    first = next(iter(one.sums))
    return (
        f"SELECT {', '.join(one.keys)}, {sums} FROM {prefix}{name} "
        f"GROUP BY {', '.join(one.keys)} HAVING sum({first}) <> 0"
    )


def shorten(cursor: DuckDBPyConnection) -> None:
    """Combine added rows into one row per key."""
    for name in ROLLUPS:
        cursor.execute(f"CREATE OR REPLACE TEMP TABLE short AS {summed(name)}")
        cursor.execute(f"DELETE FROM {name}")
        cursor.execute(f"INSERT INTO {name} FROM short")


def make(cursor: DuckDBPyConnection) -> None:
    """Compute all roll-ups again, from all rows."""
    for name in ROLLUPS:
        cursor.execute(f"DELETE FROM {name}")
    _add_all(cursor, "")


def _add_all(cursor: DuckDBPyConnection, prefix: str) -> None:
    """Add the sums of all rows, some games after others, as some sums count the games."""
    for which in list(spans(cursor, "games", PIECE)):
        rows = {
            name: f"(SELECT * FROM {name} WHERE {which})"
            for name in ("games", "tricks", "factions_won")
        }
        add(cursor, rows, prefix=prefix)


def wrong(cursor: DuckDBPyConnection) -> list[str]:
    """The roll-ups that differ from the sums over the tables."""
    for name, statement in zip(ROLLUPS, TABLES, strict=True):
        cursor.execute(
            statement.replace(f"CREATE TABLE {name}", f"CREATE OR REPLACE TEMP TABLE again_{name}")
        )
    _add_all(cursor, "again_")
    faults = []
    for name, one in ROLLUPS.items():
        # Both have one row per key, so every row that they share occurs twice.
        both = f"{summed(name)} UNION ALL {summed(name, 'again_')}"
        keys = ", ".join([*one.keys, *one.sums])
        differ = f"SELECT 1 FROM ({both}) GROUP BY {keys} HAVING count(*) <> 2 LIMIT 1"
        if cursor.execute(differ).fetchone():
            faults.append(name)
        cursor.execute(f"DROP TABLE again_{name}")
    return faults
