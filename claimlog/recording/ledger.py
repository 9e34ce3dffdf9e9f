"""The file of a table at a server: what was agreed, every entry, and how it ended.

A line of JSON for each thing that happened, which is on the disk before it is acknowledged.
The last line may be half of one after a crash: nobody was told of it, and it is cut off.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from claimlog.recording.journal import sync_folder

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Ledger", "LedgerError", "ledgers"]

Line: TypeAlias = "dict[str, Any]"

SUFFIX: Final = ".jsonl"
_TAIL: Final = 1 << 16


class LedgerError(OSError):
    """A ledger cannot be read or written, or is none; the message says why."""


class Ledger:
    """A file that only grows, line by line; it is its owner's alone."""

    def __init__(self, folder: Path, name: str) -> None:
        self.name = name
        self.path = folder / f"{name}{SUFFIX}"

    def create(self, line: Line) -> None:
        """Begin the file with a line; raises `LedgerError` if there is one already."""
        folder = self.path.parent
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            handle = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except OSError as error:
            raise self._failed("created", error) from error
        try:
            _write(handle, line)
        except OSError as error:
            self.path.unlink(missing_ok=True)
            raise self._failed("written", error) from error
        finally:
            os.close(handle)
        sync_folder(folder)

    def append(self, line: Line) -> None:
        """Add a line, which is on the disk when this returns; or raise, and leave the file.

        Half a line that a crash has left at the end is cut off first.
        """
        try:
            handle = os.open(self.path, os.O_RDWR)
        except OSError as error:
            raise self._failed("written", error) from error
        try:
            whole = _whole(handle)
            os.ftruncate(handle, whole)
            os.lseek(handle, whole, os.SEEK_SET)
            try:
                _write(handle, line)
            except OSError:
                os.ftruncate(handle, whole)
                raise
        except OSError as error:
            raise self._failed("written", error) from error
        finally:
            os.close(handle)

    def lines(self) -> list[Line]:
        """All lines, without half a line at the end; raises `LedgerError` for a damaged one."""
        try:
            data = self.path.read_bytes()
        except OSError as error:
            raise self._failed("read", error) from error
        *whole, _ = data.split(b"\n")
        return [self._read(text, number) for number, text in enumerate(whole, 1)]

    def ends(self) -> tuple[Line, Line]:
        """The first line and the last, which may be the same."""
        try:
            with self.path.open("rb") as file:
                first = file.readline()
                size = file.seek(0, os.SEEK_END)
                file.seek(max(size - _TAIL, 0))
                tail = file.read()
        except OSError as error:
            raise self._failed("read", error) from error
        *whole, _ = tail.split(b"\n")
        last = whole[-1] if len(whole) > 1 else b""
        if not last:
            lines = self.lines()
            if not lines:
                raise LedgerError(f"{self.path} holds no table")
            return lines[0], lines[-1]
        return self._read(first, 1), self._read(last, 0)

    def _read(self, text: bytes, number: int) -> Line:
        try:
            line = json.loads(text)
        except ValueError as error:
            where = f"line {number}" if number else "the last line"
            raise LedgerError(f"{self.path} is damaged: {where} is no JSON") from error
        if not isinstance(line, dict):
            raise LedgerError(f"{self.path} is damaged: a line is no object")
        return line

    def _failed(self, what: str, error: OSError) -> LedgerError:
        made = LedgerError(f"{self.path} cannot be {what}: {error.strerror}")
        made.errno = error.errno
        return made


def ledgers(folder: Path) -> Iterator[Ledger]:
    """All ledgers of a folder, by name."""
    if folder.is_dir():
        for path in sorted(folder.glob(f"*{SUFFIX}")):
            yield Ledger(folder, path.name.removesuffix(SUFFIX))


def _whole(handle: int) -> int:
    """How long a file is without half a line at its end."""
    size = os.fstat(handle).st_size
    while size:
        begin = max(size - _TAIL, 0)
        os.lseek(handle, begin, os.SEEK_SET)
        piece = os.read(handle, size - begin)
        if b"\n" in piece:
            return begin + piece.rindex(b"\n") + 1
        size = begin
    return 0


def _write(handle: int, line: Line) -> None:
    """Write a line and have it on the disk."""
    data = json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
    while data:
        data = data[os.write(handle, data) :]
    os.fsync(handle)
