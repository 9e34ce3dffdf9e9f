"""The steps of a move, in both directions, and how far one has come."""

from __future__ import annotations

import contextlib
from abc import ABC, abstractmethod
from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from claimlog.store.file.database import Database
from claimlog.store.intake.reached import Reached
from claimlog.store.ledger import chain
from claimlog.store.model import schema
from claimlog.store.model import types as t
from claimlog.store.model.errors import ArchiveError
from claimlog.store.model.faults import Faults

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime

    from duckdb import DuckDBPyConnection

    from claimlog.store.postgres.backend import PostgresBackend

    Last = Callable[[Path | PostgresBackend, Path | PostgresBackend], None]

REACHED: Final = "moving"
"""The table in a half archive, and in its lake, that says how far the move has come."""

DECISIONS: Final = (
    *("merges", "event_merges", "event_names", "event_settings", "acts", "settings", "chain"),
)

MOVED: Final = {"settings": " WHERE name <> 'cards'"}
"""Conditions on the rows to move: the target already has this claimlog's card numbers."""

NAMES: Final = {"players": "player", "events": "event"}
"""The derived tables that are moved as a whole, and their keys."""

KEPT: Final = {"analyses": schema.ANALYSES, "puzzles": schema.PUZZLES}
"""Tables that may be there, and are moved because they took long to compute."""


class Moving(Reached):
    """How far a move has come, beside its pieces; `archive` says what the source was like."""

    source: str
    """Which archive is moved."""
    whole: bool = False
    """What concerns all games is there, too: decisions, or the names and sums of a lake."""
    lake: bool = False
    """The lake is complete."""
    checked: chain.Place = chain.Place()
    """The part of the chain that has been compared."""
    faults: int = 0
    """The number of faults in it."""


class Begun(NamedTuple):
    """How a move begins: what to go on with; and when another began that could not go on."""

    at: Moving
    continued: datetime | None = None
    given_up: datetime | None = None


def open_file(path: Path, *, create: bool, half: bool = False) -> Database:
    """Open a file for a move, for writing; `half`: create one that is not an archive yet."""
    return Database(
        path, read_only=False, create=create, memory_limit="1GB", threads=None, half=half
    )


def go(steps: Iterator[None]) -> None:
    """Take all steps; what each has done is kept if the next ones are interrupted."""
    deque(steps, 0)


def go_on(left: Moving | None, fresh: Moving, target: str | Path, same: bool = True) -> Begun:
    """Go on with what an interrupted move has left, if the source is the `same` as it was."""
    if left is None:
        return Begun(fresh)
    if left.source != fresh.source:
        raise ArchiveError("move.other", path=target)
    if left.archive != fresh.archive or not same:
        return Begun(fresh, given_up=left.begun)
    return Begun(left, continued=left.begun)


class Move(ABC):
    """The steps of a move; each notes how far it has come."""

    def __init__(self, begun: Begun) -> None:
        self.begun = begun
        self.faults = Faults()
        self.faults.count = begun.at.faults
        self.count: Callable[[int], None] = lambda _: None

    @abstractmethod
    def steps(self) -> Iterator[None]:
        """Move everything; yields after each step."""

    @abstractmethod
    def noting(self) -> contextlib.AbstractContextManager[tuple[Any, Moving]]:
        """A transaction over the target: a cursor, and how far it has come, which is noted."""

    def reached(self, place: chain.Place) -> None:
        """Note how much of the chain has been compared."""
        with self.noting() as (_, at):
            at.checked, at.faults = place, self.faults.count

    def moved(self, path: str, games: int, revisions: int, head: str) -> t.Moved:
        """Say what was moved."""
        return t.Moved(
            path=path,
            games=games,
            revisions=revisions,
            faults=self.faults.count,
            head=head,
            continued=self.begun.continued,
            given_up=self.begun.given_up,
        )


def columns_of(cursor: DuckDBPyConnection, database: str, table: str) -> str:
    """The columns of a table, for SQL; "" if there is none."""
    rows = cursor.execute(
        "SELECT column_name FROM duckdb_columns() WHERE database_name = ? "
        "AND table_name = ? ORDER BY column_index",
        [database, table],
    ).fetchall()
    return ", ".join(row[0] for row in rows)


def is_table(cursor: DuckDBPyConnection, database: str, table: str) -> bool:
    """Whether there is a table."""
    return bool(columns_of(cursor, database, table))


def copy_kept(cursor: DuckDBPyConnection, source: str, target: str) -> None:
    """Copy the analyses and puzzles too, because they took long to compute."""
    for name, made in KEPT.items():
        if is_table(cursor, source, name):
            cursor.execute(made.replace(name, f"{target}.main.{name}", 1))
            cursor.execute(f"INSERT INTO {target}.main.{name} FROM {source}.main.{name}")


def one(cursor: DuckDBPyConnection, query: str) -> tuple[Any, ...]:
    """The row that a query yields."""
    row = cursor.execute(query).fetchone()
    assert row is not None
    return row
