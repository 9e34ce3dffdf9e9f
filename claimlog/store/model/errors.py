# ruff: noqa: N818 — the names are clear without "Error"
"""The errors of an archive, one exception class each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from claimlog.language.messages import KeyedError, Message
from claimlog.notation.names import LONGEST, MARKS, excess

if TYPE_CHECKING:
    from collections.abc import Sequence

    from claimlog.language.messages import Message
    from claimlog.store.model.types import ReportedProblem, Unclear


class ArchiveError(KeyedError):
    """Anything that the archive refuses or cannot do; the message is for people."""


class Declined(ArchiveError):
    """What was asked does not fit the present state, for example that of an event."""


class ArchiveMissing(ArchiveError):
    """There is no archive at this path, and it was not to be created."""


class ArchiveLocked(ArchiveError):
    """The archive is open already, in another process or in this one."""


class ArchiveDamaged(ArchiveError):
    """The file is not an archive, or can no longer be read."""


class RecordDamaged(ArchiveError):
    """The record of a game is not the one that was stored."""


class ArchiveTooNew(ArchiveError):
    """A newer claimlog wrote this archive."""


class ArchiveReadOnly(ArchiveError):
    """The archive was opened for reading, or its file or folder cannot be written."""


class ArchiveGone(ArchiveError):
    """The archive's file was deleted or moved after it was opened, or its disk is not there."""


class ArchiveClosed(ArchiveError):
    """The archive has been closed."""


class Cancelled(ArchiveError):
    """The question was cancelled (`CancelToken.cancel`)."""


class ArchiveUnreachable(ArchiveError):
    """PostgreSQL or the lake does not answer; it may do so again soon."""


class ArchiveRefused(ArchiveUnreachable):
    """PostgreSQL refuses this user: a wrong password, no such database, no right to write."""


class LakeOvertaken(ArchiveUnreachable):
    """Somebody else has written to the lake at the same moment; retrying helps, however often."""


class Overtaken(ArchiveError):
    """Somebody else wrote the same thing at the same moment; retrying helps."""


class DiskFull(ArchiveError):
    """There is no space left; nothing of the batch was stored."""


class OutOfMemory(ArchiveError):
    """There is not enough memory for this, at least not now."""


class PackageMissing(ArchiveError):
    """The answer needs a package that is not installed here; the message says which."""


class ArchiveFailed(ArchiveError):
    """DuckDB failed unexpectedly; its own error is the cause."""


class NotFound(ArchiveError):
    """No such game, revision, player or event; `unclear` has the nearest names or ids, if any."""

    def __init__(
        self, key: str | Message, /, *, unclear: Unclear | None = None, **values: object
    ) -> None:
        super().__init__(key, **values)
        self.unclear = unclear


class GameDeleted(NotFound):
    """The game existed and has been deleted; `Archive.revisions` says when and why."""


class InvalidRecord(ArchiveError):
    """The record is not one legal game; `problems` says why."""

    def __init__(
        self, key: str | Message, /, *, problems: Sequence[ReportedProblem] = (), **values: object
    ) -> None:
        super().__init__(key, **values)
        self.problems = list(problems)


class Conflict(ArchiveError):
    """The correction would make the game equal to another one, `id`."""

    @property
    def id(self) -> str:
        """The id of the other game, player or event."""
        return str(self.message.values["id"])


class RevisionChanged(ArchiveError):
    """Somebody else was faster: the game's revision is `revision`, not the expected one."""

    @property
    def revision(self) -> int:
        """The current revision."""
        return int(self.message.values["revision"])


class BadQuery(ArchiveError):
    """A filter, a sort order, a cursor or another argument cannot be understood.

    `field` names it.
    """

    @property
    def field(self) -> str:
        """The argument, "" if the problem is not in a single one."""
        return str(self.message.values.get("field", ""))


def refuse_null(**texts: str) -> None:
    """Raise BadQuery if one of the texts, by field, contains a null character."""
    for field, text in texts.items():
        if "\0" in text:
            raise BadQuery("text.null", field=field)


def refuse_unfit(**names: str) -> None:
    """Raise BadQuery if one of the names, by field, is longer than names in records may be."""
    refuse_null(**names)
    for field, name in names.items():
        match excess(name):
            case "characters":
                raise BadQuery("text.too-long", field=field, most=LONGEST)
            case "marks":
                raise BadQuery("text.marks", field=field, most=MARKS)


class Ambiguous(BadQuery):
    """Several players, events or games may be meant; `unclear` lists them."""

    def __init__(
        self, key: str | Message, /, *, unclear: Unclear | None = None, **values: object
    ) -> None:
        super().__init__(key, **values)
        self.unclear = unclear

    @property
    def field(self) -> str:
        """The argument, "" if the problem is not in a single one."""
        return self.unclear.field if self.unclear else ""
