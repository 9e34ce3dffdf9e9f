"""The file of a table at a server: what was agreed, every entry, and how it ended.

Every event is a line of JSON, which is on disk before it is acknowledged.  After a crash the last
line may be incomplete: it was never acknowledged, and is cut off.

A line ends with its number and a checksum of everything before these, to detect corrupted bits and
missing lines.  Lines written before checksums were introduced have none; from the first line with a
checksum on, all lines have one.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from claimlog.language.messages import KeyedError, Message, message_of
from claimlog.recording.journal import sync_folder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from claimlog.recording.entries import Table

__all__ = ["TABLES", "Ledger", "LedgerError", "damaged", "ledgers"]

Line: TypeAlias = "dict[str, Any]"

SUFFIX: Final = ".jsonl"
TABLES: Final = ".tables"
"""The suffix of the folder of ledgers, after the name of its archive."""
_TAIL: Final = 1 << 16
_FIELDS: Final = frozenset(
    {"at", "by", "delay", "device", "end", "entries", "revoked", "row", "table", "tokens"}
)
"""The possible fields of a line besides its number and its checksum."""
_SUM: Final = re.compile(rb',"line":([0-9]{1,9}),"sum":"([0-9a-f]{16})"\}')
_SUM_SIZE: Final = 64
"""More bytes than the end of a line that `_SUM` matches."""


class LedgerError(KeyedError, OSError):
    """A ledger cannot be read or written, or is malformed; the message says why."""


class Ledger:
    """A file that only grows, line by line; only its owner can read it."""

    def __init__(self, folder: Path, name: str) -> None:
        self.name = name
        self.path = folder / f"{name}{SUFFIX}"

    def create(self, line: Line) -> None:
        """Create the file with a first line; raises `LedgerError` if it exists."""
        folder = self.path.parent
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            handle = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except OSError as error:
            raise self._failed("created", error) from error
        try:
            _write(handle, line, 1)
        except OSError as error:
            self.path.unlink(missing_ok=True)
            raise self._failed("written", error) from error
        finally:
            os.close(handle)
        sync_folder(folder)

    def append(self, line: Line) -> None:
        """Append a line, which is on disk when this returns; if it raises, the file is unchanged.

        An incomplete line left at the end by a crash is cut off first.
        """
        try:
            handle = os.open(self.path, os.O_RDWR)
        except OSError as error:
            raise self._failed("written", error) from error
        try:
            whole = _whole(handle)
            number = self._number(handle, whole)
            os.ftruncate(handle, whole)
            os.lseek(handle, whole, os.SEEK_SET)
            try:
                _write(handle, line, number)
            except OSError:
                os.ftruncate(handle, whole)
                raise
        except LedgerError:
            raise
        except OSError as error:
            raise self._failed("written", error) from error
        finally:
            os.close(handle)

    def lines(self) -> list[Line]:
        """All complete lines; raises `LedgerError` for a damaged one."""
        try:
            data = self.path.read_bytes()
        except OSError as error:
            raise self._failed("read", error) from error
        *whole, rest = data.split(b"\n")
        self._check_rest(rest)
        sums = False
        lines = []
        for number, text in enumerate(whole, 1):
            line, has_sum = self._read(text, number)
            if sums and not has_sum:
                raise self._damaged(number, Message("line.no-checksum"))
            sums = sums or has_sum
            lines.append(line)
        return lines

    def table(self) -> Table:
        """The game that results from the lines; raises `LedgerError` if they do not make one."""
        from claimlog.recording.entries import Table

        lines = self.lines()
        number = 1
        try:
            table = Table(lines[0]["table"]["text"])
            for line in lines:
                for entry in line.get("entries", ()):
                    table.add(entry)
                number += 1
        except (AttributeError, LookupError, TypeError, ValueError) as error:
            raise self._damaged(number, Message("line.no-sense", why=message_of(error))) from error
        return table

    def first(self) -> Line:
        """The first line, whatever the state of the others."""
        try:
            with self.path.open("rb") as file:
                return self._read(file.readline().removesuffix(b"\n"), 1)[0]
        except LedgerError:
            raise
        except OSError as error:
            raise self._failed("read", error) from error

    def sound(self) -> Iterator[Line]:
        """The lines that can be read, whatever the state of the others."""
        try:
            whole = self.path.read_bytes().split(b"\n")[:-1]
        except OSError as error:
            raise self._failed("read", error) from error
        for text in whole:
            with suppress(LedgerError):
                yield self._read(text, 0)[0]

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
        *whole, rest = tail.split(b"\n")
        last = whole[-1] if len(whole) > 1 else b""
        if not last:
            lines = self.lines()
            if not lines:
                raise LedgerError("ledger.empty", path=self.path)
            return lines[0], lines[-1]
        self._check_rest(rest)
        begin, has_sum = self._read(first.removesuffix(b"\n"), 1)
        end, has_sum_too = self._read(last, 0)
        if has_sum and not has_sum_too:
            raise self._damaged(0, Message("line.no-checksum"))
        return begin, end

    def _read(self, text: bytes, number: int) -> tuple[Line, bool]:
        """A line that must have this number (0: any), and whether it has a checksum."""
        match = _SUM.fullmatch(text, max(len(text) - _SUM_SIZE, text.rfind(b',"line":')))
        if match is not None:
            if match[2].decode() != _sum(text[: match.start(2)]):
                raise self._damaged(number, Message("line.changed"))
            if number not in (0, int(match[1])):
                raise self._damaged(number, Message("line.others-missing", number=int(match[1])))
            text = text[: match.start()] + b"}"
        try:
            line = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise self._damaged(number, Message("line.no-json")) from error
        if not isinstance(line, dict):
            raise self._damaged(number, Message("line.no-object"))
        if not _FIELDS.issuperset(line):
            raise self._damaged(number, Message("line.unknown-fields"))
        return line, match is not None

    def _check_rest(self, rest: bytes) -> None:
        """Check that the text after the last line break is empty, or incomplete after a crash."""
        match = _SUM.search(rest[:-1], max(len(rest) - _SUM_SIZE, 0))
        if match is not None and match[2].decode() == _sum(rest[: match.start(2)]):
            raise self._damaged(0, Message("line.no-end"))

    def _number(self, handle: int, whole: int) -> int:
        """The number of the next line, after the first `whole` bytes."""
        os.lseek(handle, max(whole - _SUM_SIZE, 0), os.SEEK_SET)
        end = os.read(handle, min(whole, _SUM_SIZE)).removesuffix(b"\n")
        match = _SUM.search(end)
        if match is not None and match.end() == len(end):
            return int(match[1]) + 1
        return len(self.lines()) + 1

    def _damaged(self, number: int, what: Message) -> LedgerError:
        if number:
            what = Message("line.numbered", number=number, what=what)
        else:
            what = Message("line.last", what=what)
        return LedgerError("ledger.damaged", path=self.path, what=what)

    def _failed(self, what: str, error: OSError) -> LedgerError:
        made = LedgerError(f"file.not-{what}", path=self.path, why=message_of(error))
        made.errno = error.errno
        return made


def ledgers(folder: Path) -> Iterator[Ledger]:
    """All ledgers of a folder, by name."""
    if folder.is_dir():
        for path in sorted(folder.glob(f"*{SUFFIX}")):
            yield Ledger(folder, path.name.removesuffix(SUFFIX))


def damaged(folder: Path) -> Iterator[tuple[str, Message]]:
    """The damaged ledgers of a folder: name, and what is wrong."""
    for ledger in ledgers(folder):
        try:
            ledger.table()
        except LedgerError as error:
            yield ledger.name, error.message.values.get("what", error.message)


def _whole(handle: int) -> int:
    """The length of a file without an incomplete line at its end."""
    size = os.fstat(handle).st_size
    while size:
        begin = max(size - _TAIL, 0)
        os.lseek(handle, begin, os.SEEK_SET)
        piece = os.read(handle, size - begin)
        if b"\n" in piece:
            return begin + piece.rindex(b"\n") + 1
        size = begin
    return 0


def _sum(text: bytes) -> str:
    return hashlib.blake2b(text, digest_size=8).hexdigest()


def _write(handle: int, line: Line, number: int) -> None:
    """Write a line with its number and checksum, and flush it to disk."""
    text = json.dumps({**line, "line": number}, ensure_ascii=False, separators=(",", ":"))
    data = text.encode()[:-1] + b',"sum":"'
    data += _sum(data).encode() + b'"}\n'
    while data:
        data = data[os.write(handle, data) :]
    os.fsync(handle)
