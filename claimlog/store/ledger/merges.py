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
        # (alias, what it stood for or stands for) for each row
        pairs = [(row[0], row[1] if row[5] else root(row[1])) for row in rows]
        names = dict(
            self.database.rows(
                f"SELECT {self.kind}, name FROM {self.kind}s "
                f"WHERE {self.kind} IN (SELECT unnest(?::UBIGINT[]))",
                [sorted({number for pair in pairs for number in pair})],
            )
        )

        def name(number: int) -> str:
            return names.get(number) or name_without_games(number)

        return [
            self._one(row, into, name(alias), name(into))
            for row, (alias, into) in zip(rows, pairs, strict=True)
        ]

    def _one(self, row: _Row, into: int, alias_name: str, name: str) -> dict[str, Any]:
        alias, _, at, who, why, undone_at, undone_by, undone_why = row
        return {
            "alias": write_id(alias),
            "alias_name": alias_name,
            self.kind: write_id(into),
            f"{self.kind}_name": name,
            "at": at.replace(tzinfo=UTC),
            "by": who,
            "why": why,
            "undone_at": None if undone_at is None else undone_at.replace(tzinfo=UTC),
            "undone_by": undone_by,
            "undone_why": undone_why,
        }
