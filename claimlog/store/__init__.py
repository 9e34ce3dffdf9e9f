"""The archive: games in one DuckDB file or in PostgreSQL, and questions about them.

See docs/archive.md.  All access goes through `Archive`.  Nothing here knows HTTP or a terminal.

>>> from claimlog.store import Archive, Filter
>>> with Archive.open("games.duckdb") as archive:  # doctest: +SKIP
...     archive.games(Filter(player="Anna Keller", led=("K9@1",)))
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from claimlog.store.archive import Archive, Form
    from claimlog.store.backend import CancelToken
    from claimlog.store.model.errors import (
        Ambiguous,
        ArchiveClosed,
        ArchiveDamaged,
        ArchiveError,
        ArchiveGone,
        ArchiveLocked,
        ArchiveMissing,
        ArchiveReadOnly,
        ArchiveRefused,
        ArchiveTooNew,
        ArchiveUnreachable,
        BadQuery,
        Cancelled,
        Conflict,
        Declined,
        DiskFull,
        GameDeleted,
        InvalidRecord,
        NotFound,
        Overtaken,
        PackageMissing,
        RecordDamaged,
        RevisionChanged,
    )
    from claimlog.store.model.filter import Filter, Sort
    from claimlog.store.model.types import (
        Candidate,
        CheckReport,
        Doubt,
        Doubtful,
        DoubtfulPair,
        GamePage,
        GameRow,
        Handed,
        Outcome,
        Rate,
        Record,
        Revision,
        StoredGame,
        Unclear,
    )
    from claimlog.store.questions.explorer import Context

__all__ = [
    "Ambiguous",
    "Archive",
    "ArchiveClosed",
    "ArchiveDamaged",
    "ArchiveError",
    "ArchiveFailed",
    "ArchiveGone",
    "ArchiveLocked",
    "ArchiveMissing",
    "ArchiveReadOnly",
    "ArchiveRefused",
    "ArchiveTooNew",
    "ArchiveUnreachable",
    "BadQuery",
    "CancelToken",
    "Cancelled",
    "Candidate",
    "CheckReport",
    "Conflict",
    "Context",
    "Declined",
    "DiskFull",
    "Doubt",
    "Doubtful",
    "DoubtfulPair",
    "Filter",
    "Form",
    "GameDeleted",
    "GamePage",
    "GameRow",
    "Handed",
    "InvalidRecord",
    "NotFound",
    "OutOfMemory",
    "Outcome",
    "Overtaken",
    "PackageMissing",
    "Rate",
    "Record",
    "RecordDamaged",
    "Revision",
    "RevisionChanged",
    "Sort",
    "StoredGame",
    "Unclear",
]

_PLACES = {
    "archive": ("Archive", "Form"),
    "backend": ("CancelToken",),
    "questions.explorer": ("Context",),
    "model.filter": ("Filter", "Sort"),
    "model.types": (
        *("Candidate", "CheckReport", "Doubt", "Doubtful", "DoubtfulPair"),
        *("GamePage", "GameRow", "Handed", "Outcome", "Rate", "Record", "Revision", "StoredGame"),
        "Unclear",
    ),
}
"""The module of each name; the rest of `__all__` is in `model.errors`."""


def __getattr__(name: str) -> Any:
    """Import names on first use, so that a filter is available without DuckDB."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = next((place for place, names in _PLACES.items() if name in names), "model.errors")
    value = getattr(import_module(f"{__name__}.{module}"), name)
    globals()[name] = value
    return value
