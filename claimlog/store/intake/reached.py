"""How far a check, a rebuild or a move has come, so that an interrupted one can go on."""

from __future__ import annotations

import contextlib
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final, TypeVar

import msgspec

from claimlog.store.backend import now
from claimlog.store.ledger.chain import Place
from claimlog.store.model import schema
from claimlog.store.model import types as t
from claimlog.store.model.faults import Faults
from claimlog.writing import replacing

if TYPE_CHECKING:
    from pathlib import Path

    from claimlog.store.backend import LedgerCursor

LONGEST: Final = timedelta(days=7)
"""The time after its beginning in which a check can go on; what it saw may have changed since."""


class Reached(msgspec.Struct, kw_only=True):
    """What was gone through, when that began, and how far it has come.

    `archive` says what it was: the tables, and the claimlog that did it.
    """

    archive: str
    begun: datetime
    low: int | None = None
    """The games with lower numbers are done."""
    ranged: bool = False
    """All games are done."""
    since: int = 0
    """Revisions of these with this mark or a higher one are not."""
    done: int = 0
    """The number of revisions done."""
    place: Place = Place()
    """The part of the chain that a check has compared, or that was there when a rebuild began."""


R = TypeVar("R", bound=Reached)


def made_by() -> str:
    """The claimlog at work: another may judge records differently, or keep them differently."""
    from claimlog import __version__

    return f"{__version__} {schema.VERSION}"


def begin(cursor: LedgerCursor, table: str, at: Reached) -> None:
    """Create a table that says how far it has come, in the transaction of what it is about."""
    cursor.execute(f"CREATE TABLE {table} (reached VARCHAR)")
    cursor.execute(f"INSERT INTO {table} VALUES (?)", [written(at)])


def note(cursor: LedgerCursor, table: str, at: Reached) -> None:
    """Write into that table how far it has come now."""
    cursor.execute(f"UPDATE {table} SET reached = ?", [written(at)])


def noted(cursor: LedgerCursor, table: str, kind: type[R]) -> R:
    """Read that from the table; raises MsgspecError if another claimlog wrote it."""
    row = cursor.execute(f"SELECT reached FROM {table}").fetchone()
    assert row is not None
    return msgspec.json.decode(row[0], type=kind)


def written(at: Reached) -> str:
    """How far it has come, as text."""
    return msgspec.json.encode(at).decode()


class Checked(Reached):
    """How far a check has come, and what it has found."""

    full: bool
    faults: list[t.Fault] = []
    fault_count: int = 0
    compared: int | None = None
    """How many of the faults listed are of games, once all have been compared."""


class Reaching:
    """How far a check has come; goes on from what an interrupted one left in a file."""

    def __init__(self, path: Path | None, archive: str, full: bool) -> None:
        """`archive` says what is checked; without a path nothing is kept."""
        from claimlog import __version__

        archive = f"{__version__} {archive}"  # another may judge the records differently
        self.path = path
        self.at = Checked(archive=archive, full=full, begun=now())
        self.continued: datetime | None = None
        """When the check began that goes on here."""
        self.faults = Faults()
        left = self._left()
        if left is not None and (left.archive, left.full) == (archive, full):
            self.at, self.continued = left, left.begun
            self.faults.listed, self.faults.count = left.faults, left.fault_count

    def _left(self) -> Checked | None:
        """What the last check left behind, if it was interrupted."""
        if self.path is None:
            return None
        try:
            left = msgspec.json.decode(self.path.read_bytes(), type=Checked)
        except (OSError, msgspec.MsgspecError):
            return None
        return left if now() - left.begun < LONGEST else None

    def keep(self) -> None:
        """Keep what has been reached; if the file cannot be written, the next check starts over."""
        if self.path is None:
            return
        self.at.faults, self.at.fault_count = self.faults.listed, self.faults.count
        with contextlib.suppress(OSError):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with replacing(self.path) as stream:
                stream.write(msgspec.json.encode(self.at))

    def forget(self) -> None:
        """Remove the file, as there is nothing left to go on with."""
        if self.path is not None:
            with contextlib.suppress(OSError):
                self.path.unlink(missing_ok=True)
