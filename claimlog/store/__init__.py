"""The archive: games in one DuckDB file, and questions about them (docs/archive.md).

Everything goes through `Archive`.  Nothing here knows HTTP or a terminal.

>>> from claimlog.store import Archive, Filter
>>> with Archive.open("games.duckdb") as archive:  # doctest: +SKIP
...     archive.games(Filter(player="Anna Keller", led=("K9@1",)))
"""

from claimlog.store.archive import Archive, Form
from claimlog.store.database import Question
from claimlog.store.errors import (
    ArchiveClosed,
    ArchiveDamaged,
    ArchiveError,
    ArchiveLocked,
    ArchiveMissing,
    ArchiveReadOnly,
    ArchiveTooNew,
    BadQuery,
    Conflict,
    DiskFull,
    GameDeleted,
    GivenUp,
    InvalidRecord,
    NotFound,
    RevisionChanged,
)
from claimlog.store.filter import Filter, Sort
from claimlog.store.types import (
    CheckReport,
    Context,
    Game,
    GamePage,
    GameRow,
    Outcome,
    Rate,
    Record,
    Revision,
)

__all__ = [
    "Archive",
    "ArchiveClosed",
    "ArchiveDamaged",
    "ArchiveError",
    "ArchiveLocked",
    "ArchiveMissing",
    "ArchiveReadOnly",
    "ArchiveTooNew",
    "BadQuery",
    "CheckReport",
    "Conflict",
    "Context",
    "DiskFull",
    "Filter",
    "Form",
    "Game",
    "GameDeleted",
    "GamePage",
    "GameRow",
    "GivenUp",
    "InvalidRecord",
    "NotFound",
    "Outcome",
    "Question",
    "Rate",
    "Record",
    "Revision",
    "RevisionChanged",
    "Sort",
]
