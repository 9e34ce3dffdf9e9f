"""Rebuild the derived tables piece by piece, beside those in use.

Each piece is committed together with how far the rebuild has come, so that it can go on after it
was interrupted.  At the end one transaction puts the new tables in the place of the old ones, and
makes what concerns all games.  Games that have changed since they were made are made again.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Final, TypeVar

import msgspec

from claimlog.store.backend import now
from claimlog.store.intake.checks import PIECE, number_of
from claimlog.store.intake.derived import insert_values
from claimlog.store.intake.reached import Reached, begin, made_by, note, noted
from claimlog.store.intake.remaking import (
    NEXT,
    PIECED,
    Remaker,
    changed,
    counting,
    drop_next,
    end_of_span,
    fill_from_records,
    gid_of,
    span,
)
from claimlog.store.ledger import chain
from claimlog.store.model import schema
from claimlog.store.model import types as t
from claimlog.store.model.errors import LakeOvertaken
from claimlog.store.model.faults import MOST_FAULTS, fault_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager
    from datetime import datetime
    from pathlib import Path

    from duckdb import DuckDBPyConnection

    from claimlog.store.backend import LedgerCursor, Report

T = TypeVar("T")

REACHED: Final = f"{NEXT}reached"
"""The table that says how far a rebuild has come."""

PAUSE: Final = 0.05
"""Seconds until a piece is made again, as somebody else has written to the lake meanwhile."""


class Rebuilding(Reached):
    """How far a rebuild has come."""

    switched: bool = False
    """The new tables are in place, in a lake that is not in use yet."""


class Rebuild(ABC):
    """One rebuild; a backend says where the records and the tables are."""

    elsewhere = False
    """Whether the tables are in a lake that is not in use yet."""

    def __init__(self, folder: Path, report: Report, afresh: bool) -> None:
        """`folder` is for the rows of a piece; `afresh`: do not continue what was interrupted."""
        self.folder = folder
        self.report = report
        self.afresh = afresh
        self.remaker = Remaker(folder)
        self.continued: datetime | None = None
        self.target = 0
        """The mark below which the tables have everything, or are to have it."""
        self.count: Callable[[int], None] = lambda _: None

    @abstractmethod
    def transaction(self) -> AbstractContextManager[DuckDBPyConnection]:
        """A transaction that makes a piece."""

    @abstractmethod
    def switching(self) -> AbstractContextManager[DuckDBPyConnection]:
        """The transaction at the end."""

    @abstractmethod
    def ledger(self, cursor: DuckDBPyConnection, /) -> AbstractContextManager[LedgerCursor]:
        """A cursor over the ledger, in a transaction over the tables."""

    @abstractmethod
    def records(self, cursor: DuckDBPyConnection, which: str, /) -> AbstractContextManager[str]:
        """Let `records` have those of a condition, and perhaps others; yields a condition on it."""

    @abstractmethod
    def horizon(self, cursor: DuckDBPyConnection, /) -> int:
        """A mark below which the ledger, and its chain, have everything."""

    @abstractmethod
    def complete(self, cursor: DuckDBPyConnection, until: int) -> None:
        """Put the new tables in the place of the old ones, and make what concerns all games.

        They have everything below the mark `until`.
        """

    @abstractmethod
    def use(self) -> None:
        """Say that the tables are there; let them be used if they are elsewhere."""

    def run(self) -> t.Rebuilt:
        """Rebuild what has not been rebuilt yet."""
        self.folder.mkdir(mode=0o700, exist_ok=True)
        try:
            self.again(self._begin)
            while self.again(self._next):
                pass
            done = self.again(self._finish)
            self.use()
            return done
        finally:
            self.remaker.discard()

    def again(self, step: Callable[[], T]) -> T:
        """Do a step; again, if it was not committed because somebody else wrote to the lake."""
        while True:
            try:
                return step()
            except LakeOvertaken:
                time.sleep(PAUSE)

    def _begin(self) -> None:
        """Go on where an interrupted rebuild has stopped, or create the tables."""
        with self.transaction() as cursor:
            self.target = self.horizon(cursor)
            with self.ledger(cursor) as ledger:
                (total,) = ledger.execute(
                    "SELECT count(*) FROM records WHERE record IS NOT NULL"
                ).fetchone()
                at = None if self.afresh else self._left(cursor, ledger)
                if at is not None:
                    self.continued = at.begun
                else:
                    at = Rebuilding(
                        archive=made_by(),
                        begun=now(),
                        since=self.target,
                        place=chain.end(ledger),
                    )
                    self._create(cursor, at)
        self.count = counting(self.report, total, at.done)

    def _left(self, cursor: DuckDBPyConnection, ledger: LedgerCursor) -> Rebuilding | None:
        """What an interrupted rebuild of this ledger has left, if this claimlog can go on."""
        if not cursor.execute(
            f"SELECT 1 FROM duckdb_tables() WHERE table_name = '{REACHED}' AND NOT temporary"
        ).fetchall():
            return None
        at = noted(cursor, REACHED, Rebuilding)
        if at.archive != made_by() or (at.switched and not self.elsewhere):
            return None
        return at if chain.knows(ledger, at.place) else None

    def _create(self, cursor: DuckDBPyConnection, at: Rebuilding) -> None:
        drop_next(cursor)
        for table in PIECED:
            cursor.execute(self.made(table).replace(f"TABLE {table}", f"TABLE {NEXT}{table}", 1))
        cursor.execute(f"CREATE TABLE {NEXT}faults (game BIGINT, fault VARCHAR)")
        begin(cursor, REACHED, at)

    def made(self, table: str) -> str:
        """The statement that creates a table."""
        return schema.DERIVED[table]

    def _next(self) -> bool:
        """Make the next piece; return whether there was one."""
        with self.transaction() as cursor:
            # Read here, so that a piece is made once even if two processes are at work.
            at = noted(cursor, REACHED, Rebuilding)
            if at.ranged:
                if at.switched or at.since >= self.target:
                    return False
                self._make_changed(cursor, at, self.target)
            else:
                with self.ledger(cursor) as ledger:
                    high = end_of_span(ledger, "records", at.low, PIECE)
                self._make(cursor, at, span(at.low, high))
                at.low, at.ranged = high, high is None
            note(cursor, REACHED, at)
        return True

    def _make_changed(self, cursor: DuckDBPyConnection, at: Rebuilding, target: int) -> None:
        """Make games again that have changed, below a mark."""
        with self.ledger(cursor) as ledger:
            games, at.since = changed(ledger, at.since, target, PIECE)
        if games:
            which = f"game IN ({', '.join(map(str, games))})"
            for table in (*PIECED, "faults"):
                cursor.execute(f"DELETE FROM {NEXT}{table} WHERE {which}")
            self._make(cursor, at, which)

    def _make(self, cursor: DuckDBPyConnection, at: Rebuilding, which: str) -> None:
        """Make the rows of some games, as they were below the mark `at.since`."""
        faults: list[tuple[int, str]] = []

        def made(number: int) -> None:
            at.done += number
            self.count(number)

        with self.records(cursor, f"({which}) AND mark < {at.since}") as chosen:
            for game, revision, why in fill_from_records(cursor, self.remaker, NEXT, made, chosen):
                gid = gid_of(cursor, game)
                fault = fault_of("records", gid, "record", number=revision, why=why)
                faults.append((game, msgspec.json.encode(fault).decode()))
        insert_values(cursor, f"{NEXT}faults", faults)

    def _finish(self) -> t.Rebuilt:
        """Put the tables in their place, and make the others."""
        with self.switching() as cursor:
            at = noted(cursor, REACHED, Rebuilding)
            if not at.switched:
                target = self.horizon(cursor)
                while at.since < target:
                    self._make_changed(cursor, at, target)
                self.complete(cursor, at.since)
                at.switched = True
                note(cursor, REACHED, at)
            listed = cursor.execute(
                f"SELECT fault FROM {NEXT}faults ORDER BY game LIMIT {MOST_FAULTS}"
            ).fetchall()
            done = t.Rebuilt(
                games=number_of(cursor, "games"),
                faults=[msgspec.json.decode(text, type=t.Fault) for (text,) in listed],
                fault_count=number_of(cursor, f"{NEXT}faults"),
                continued=self.continued,
            )
            if not self.elsewhere:
                drop_next(cursor)
        self.target = at.since
        return done
