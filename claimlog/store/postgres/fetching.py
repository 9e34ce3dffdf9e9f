"""Copy records from PostgreSQL into a table of DuckDB."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from claimlog.store.model import schema

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from claimlog.store.postgres.connection import Cursor

_COLUMNS: Final = {
    "game": "BIGINT",
    "gid": "UBIGINT",
    "revision": "SMALLINT",
    "key": "UBIGINT",
    "digest": "BLOB",
    "stored_at": "TIMESTAMP",
    "who": "VARCHAR",
    "why": "VARCHAR",
    "source": "VARCHAR",
    "deleted": "BOOLEAN",
    "record": "VARCHAR",
    "mark": "BIGINT",
    "checksum": "BLOB",
}
"""The columns of records in a file, and the types in which they are copied."""

COLUMNS: Final = ", ".join(name for name in _COLUMNS if name != "key")
"""The columns of records in PostgreSQL."""

_INSERT: Final = "INSERT INTO temp.records SELECT " + ", ".join(
    f"unnest(?::{kind}[])" for kind in _COLUMNS.values()
)


def fetch(cursor: DuckDBPyConnection, ledger: Cursor, which: str, *, texts: bool = True) -> int:
    """Copy some records into a temporary table like that of a file; return their number.

    `which` is a condition on them; without `texts` the records themselves are left out.
    """
    make_table(cursor)
    names = COLUMNS if texts else COLUMNS.replace("record,", "NULL AS record,")
    rows = ledger.execute(f"SELECT {names} FROM records WHERE {which}").fetchall()
    insert(cursor, rows)
    return len(rows)


def make_table(cursor: DuckDBPyConnection) -> None:
    """Create the temporary table, empty."""
    statement = re.sub(r" USING COMPRESSION \w+", "", schema.RECORDS)
    statement = statement.replace("game INTEGER", "game BIGINT")
    cursor.execute(statement.replace("CREATE TABLE", "CREATE OR REPLACE TEMP TABLE"))


def insert(cursor: DuckDBPyConnection, rows: list[tuple[Any, ...]]) -> None:
    """Insert rows with the columns of `COLUMNS`."""
    if rows:
        columns = [list(column) for column in zip(*rows, strict=True)]
        columns.insert(3, [d and int.from_bytes(d[:8], "big") for d in columns[3]])
        cursor.execute(_INSERT, columns)
