"""Migrations that bring older archives up to date."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from claimlog.store.ledger import chain
from claimlog.store.model.schema import ACTS, CHAIN, FIXED, RECORDS

if TYPE_CHECKING:
    from collections.abc import Callable

    import duckdb


def _keep_what_was_undone(connection: duckdb.DuckDBPyConnection) -> None:
    """From 1 to 2: a trace of undone merges; merged and renamed events."""
    for column in ("undone_at TIMESTAMP", "undone_by VARCHAR", "undone_why VARCHAR"):
        connection.execute(f"ALTER TABLE merges ADD COLUMN {column}")
    for statement in FIXED:
        if "event_merges" in statement or "event_names" in statement:
            connection.execute(statement)


_MIGRATED: Final = 100_000
"""Revisions per link in the first links of an older archive's chain."""


def _begin_chain(connection: duckdb.DuckDBPyConnection) -> None:
    """From 2 to 3: checksums of the records, and a chain of them."""
    connection.execute("ALTER TABLE records RENAME TO records_of_2")
    connection.execute(RECORDS)
    connection.execute(
        "INSERT INTO records SELECT *, 1 + ((row_number() OVER (ORDER BY stored_at, game, revision)"
        f" - 1) // {_MIGRATED}), {chain.DUCKDB.checksum} FROM records_of_2 ORDER BY rowid"
    )
    connection.execute("DROP TABLE records_of_2")
    connection.execute(CHAIN)
    connection.execute(ACTS)  # the chain covers them too
    chain.link_everything(connection)


def _begin_acts(connection: duckdb.DuckDBPyConnection) -> None:
    """From 3 to 4: the acts of directors of events."""
    connection.execute(ACTS)


MIGRATIONS: Final[dict[int, Callable[[duckdb.DuckDBPyConnection], None]]] = {
    1: _keep_what_was_undone,
    2: _begin_chain,
    3: _begin_acts,
}
"""By version: what turns an archive of that version into one of the next.

These change only the ledger; afterwards everything derived is rebuilt.
"""
