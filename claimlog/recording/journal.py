"""The file of a recording: always a whole record, and open in one process only."""

from __future__ import annotations

import json
import os
import re
from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING, Final, NamedTuple

from claimlog.language.messages import KeyedError, message_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

__all__ = ["Aside", "Journal", "JournalError", "parted"]

_ASIDE: Final = re.compile(r"^; (waiting|undone|later) (\".*\")\n?", re.MULTILINE)


class Aside(NamedTuple):
    r"""What was typed at a table but is not in the record: comments after it.

    `waiting` is what waits for an answer, key by key, `undone` the words that redo would enter,
    `later` the waiting word whose answer was put off.

    >>> print(Aside("X2k4", "U5 X3").text, end="")
    ; waiting "X2k4"
    ; undone "U5 X3"
    >>> parted("1. U7: G5\n*\n" + Aside("X2k4").text)
    ('1. U7: G5\n*\n', Aside(waiting='X2k4', undone='', later=''))
    """

    waiting: str = ""
    undone: str = ""
    later: str = ""

    @property
    def text(self) -> str:
        """The comments, one per line."""
        return "".join(
            f"; {name} {json.dumps(said.encode(errors='replace').decode(), ensure_ascii=False)}\n"
            for name, said in zip(self._fields, self, strict=True)
            if said
        )


def parted(text: str) -> tuple[str, Aside]:
    """Split a file into its record and the `Aside` after it."""
    fields = {}
    for name, said in _ASIDE.findall(text):
        with suppress(ValueError):
            fields[name] = json.loads(said)
    return _ASIDE.sub("", text), Aside(**fields)


class JournalError(KeyedError, OSError):
    """The file cannot be opened or written, or is in use or changed; the message says why."""


class Journal:
    """A file that always holds the last text written to it, complete whatever happens.

    A new text is written beside it and replaces it once it is on disk, so that a reader never sees
    half of one.  While the journal is open no other process can open it: it holds a lock on an
    empty file beside it (``.GAME.clm.lock``), which is not deleted.

    `text` is the record in the file, None if there is none yet, and `aside` what follows it.
    `waiting` returns what is waiting whenever a record is written; both get to disk together, so
    that no word is there twice.  Raises `JournalError`.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        from filelock import FileLock, Timeout

        self.path = os.path.realpath(path)
        self.text: str | None = None
        self.aside = Aside()
        self.waiting: Callable[[], Aside] = Aside
        self._seen: tuple[int, int, int] | None = None
        self._open = ExitStack()
        folder, name = os.path.split(self.path)
        self._folder = folder
        self._new = os.path.join(folder, f".{name}.new")
        if not os.path.isdir(folder):
            raise JournalError("journal.no-folder", folder=folder)
        try:
            # Keep the lock file: deleting it would let two processes hold it.
            self._open.enter_context(FileLock(os.path.join(folder, f".{name}.lock"), timeout=0))
        except Timeout:
            raise JournalError("journal.in-use", path=path) from None
        except OSError as error:
            raise JournalError("file.not-locked", path=path, why=message_of(error)) from error
        try:
            with open(self.path, "rb") as file:
                self._seen = file_mark(os.fstat(file.fileno()))
                self.text, self.aside = parted(file.read().decode("utf-8-sig"))
        except FileNotFoundError:
            pass
        except UnicodeDecodeError as error:
            self.close()
            raise JournalError("journal.not-utf-8", path=path, byte=error.start) from None
        except OSError as error:
            self.close()
            raise JournalError("file.not-read", path=path, why=message_of(error)) from error

    def write(self, text: str) -> None:
        """Make `text` the record in the file, with what is waiting; on disk when this returns.

        Raises `JournalError`, and leaves the file as it is, if it cannot be written, or if another
        program has changed it since it was read or written here.
        """
        self._put(text, self.waiting())

    def put_aside(self, undone: str) -> None:
        """Keep what is waiting and what was `undone` after the record; raises `JournalError`."""
        aside = self.waiting()._replace(undone=undone)
        if self.text is not None and aside != self.aside:
            self._put(self.text, aside)

    def _put(self, text: str, aside: Aside) -> None:
        try:
            if self._now() != self._seen:
                raise JournalError("journal.changed", path=self.path)
            mode = 0o666 if self._seen is None else os.stat(self.path).st_mode & 0o777
            flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
            with os.fdopen(os.open(self._new, flags, mode), "wb") as file:
                file.write((text + aside.text).encode())
                file.flush()
                os.fsync(file.fileno())
                seen = file_mark(os.fstat(file.fileno()))
            os.replace(self._new, self.path)
            self._seen = seen
            sync_folder(self._folder)
        except JournalError:
            raise
        except OSError as error:
            raise JournalError("file.not-written", path=self.path, why=message_of(error)) from error
        self.text, self.aside = text, aside

    def _now(self) -> tuple[int, int, int] | None:
        try:
            return file_mark(os.stat(self.path))
        except FileNotFoundError:
            return None

    def close(self) -> None:
        """Close the file, so that others can open it."""
        self._open.close()

    def __enter__(self) -> Journal:
        """Return the journal itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close it."""
        self.close()


def sync_folder(folder: str | os.PathLike[str]) -> None:
    """Flush a folder to disk after a file was renamed, if the system can open folders."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def file_mark(status: os.stat_result) -> tuple[int, int, int]:
    """Values that identify a file and change when it changes."""
    return status.st_ino, status.st_size, status.st_mtime_ns
