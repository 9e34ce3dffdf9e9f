"""Players and events that a director merged into others: who, when and why, even if undone."""

from __future__ import annotations

from datetime import UTC
from typing import TYPE_CHECKING, Any

from claimlog.store.backend import now
from claimlog.store.model.ids import write_id

if TYPE_CHECKING:
    from collections.abc import Callable

    from claimlog.store.backend import Backend, LedgerCursor

_Row = tuple[Any, ...]


class Merges:
    """The table of merges of one kind, "player" or "event".

    Whether a merge is allowed is not checked here.
    """

    def __init__(self, database: Backend, kind: str, table: str) -> None:
        self.database = database
        self.kind = kind
        self.table = table
        self._select = (
            f"SELECT alias, {kind}, stored_at, who, why, undone_at, undone_by, undone_why "
            f"FROM {table}"
        )

    def add(self, cursor: LedgerCursor, alias: int, into: int, by: str, why: str) -> _Row:
        """Merge `alias` into another one; return the row."""
        decision = [alias, into, now(), by, why]
        cursor.execute(
            f"INSERT INTO {self.table} VALUES (?, ?, ?, ?, ?, NULL, NULL, NULL)", decision
        )
        self.database.link(cursor, self.table, *decision)
        row = self.in_force(cursor, alias)
        assert row is not None
        return row

    def in_force(self, cursor: LedgerCursor, alias: int) -> _Row | None:
        """The merge of `alias`, None if it is not merged."""
        row: _Row | None = cursor.execute(
            f"{self._select} WHERE alias = ? AND undone_at IS NULL", [alias]
        ).fetchone()
        return row

    def undo(self, cursor: LedgerCursor, row: _Row, by: str, why: str) -> _Row:
        """Undo a merge that is in force, keeping its trace; return the row."""
        moment = now()
        cursor.execute(
            f"UPDATE {self.table} SET undone_at = ?, undone_by = ?, undone_why = ? "
            "WHERE alias = ? AND undone_at IS NULL",
            [moment, by, why, row[0]],
        )
        self.database.link(cursor, f"{self.table}_undone", *row[:3], moment, by, why)
        return (*row[:-3], moment, by, why)

    def rows(self, undone: bool) -> list[_Row]:
        """All merges in force, with `undone` also those that were undone, oldest first."""
        which = "" if undone else "WHERE undone_at IS NULL"
        return self.database.ask_ledger(f"{self._select} {which} ORDER BY stored_at, alias")

    def fields(
        self, rows: list[_Row], root: Callable[[int], int], name_without_games: Callable[[int], str]
    ) -> list[dict[str, Any]]:
        """Rows as fields of the answers.

        `root` returns what a number stands for in the end, `name_without_games` the name of what is
        only known from a desk.
        """
        names = dict(
            self.database.rows(
                f"SELECT {self.kind}, name FROM {self.kind}s "
                f"WHERE {self.kind} IN (SELECT unnest(?::UBIGINT[]))",
                [[row[0] for row in rows]],
            )
        )
        return [
            self._one(row, names.get(row[0]) or name_without_games(row[0]), root) for row in rows
        ]

    def _one(self, row: _Row, name: str, root: Callable[[int], int]) -> dict[str, Any]:
        alias, into, at, who, why, undone_at, undone_by, undone_why = row
        return {
            "alias": write_id(alias),
            "alias_name": name,
            self.kind: write_id(into if undone_at else root(into)),
            "at": at.replace(tzinfo=UTC),
            "by": who,
            "why": why,
            "undone_at": None if undone_at is None else undone_at.replace(tzinfo=UTC),
            "undone_by": undone_by,
            "undone_why": undone_why,
        }
