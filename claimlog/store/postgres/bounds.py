"""What the catalogue of a lake says of a column as a whole: its least and its greatest value.

DuckDB believes it, and finds nothing beyond.  But for DuckLake (of DuckDB 1.5) unknown bounds are
those of a column without values: when it adds rows, it takes theirs for those of all.  Bounds
become unknown by a file with values in a column but none in its first 122,880 rows, by several
files in the first transaction of a table if the first one has no values, and by rewriting such
files.  Besides, it takes the bounds for values that are there, even if a transaction has removed
rows that it had added.

So the catalogue keeps no bounds.  DuckLake adds them, still right, when it writes to a table for
the first time, and later only changes those that are there; a column without them is unknown.
What it knows of each file, by which files are passed over, is right, and so are its counts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from claimlog.store.backend import LedgerCursor


def forget(ledger: LedgerCursor, catalogue: str) -> None:
    """Remove all bounds from the catalogue."""
    ledger.execute(f"DELETE FROM {catalogue}.ducklake_table_column_stats")


def tables(ledger: LedgerCursor, catalogue: str) -> list[str]:
    """The tables of which the catalogue has bounds."""
    rows = ledger.execute(
        f"SELECT DISTINCT table_name FROM {catalogue}.ducklake_table "
        f"JOIN {catalogue}.ducklake_table_column_stats USING (table_id) "
        "WHERE end_snapshot IS NULL ORDER BY table_name"
    ).fetchall()
    return [name for (name,) in rows]
