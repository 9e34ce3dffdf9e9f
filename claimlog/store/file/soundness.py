"""Check that an archive's files are sound before DuckDB may open them.

DuckDB creates a missing file and then ignores the log beside it, accepts a truncated file as it is,
and takes a damaged log for one that was cut off while it was being written.  Each may cost
acknowledged games, so such files are refused here, and nothing is changed.
"""

from __future__ import annotations

import contextlib
import os
import struct
import sys
from os import SEEK_END
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final

import duckdb

if sys.platform != "win32":
    import fcntl

from claimlog.language.messages import message_of
from claimlog.store.backend import translated
from claimlog.store.file import journal
from claimlog.store.model.errors import ArchiveDamaged, ArchiveError, ArchiveLocked

if TYPE_CHECKING:
    from collections.abc import Iterator

_MAGIC: Final = b"DUCK"
_HEADS: Final = (4096, 8192)
"""Offsets of the file's two heads; the one with the higher number counts."""
_HEAD: Final = struct.Struct("<8xQ16xQQ")
"""A head's fields: its number, the number of blocks, and the block size."""
_BLOCKS: Final = 12288
"""The offset of the first block."""
_BEYOND_END: Final = "Could not read enough bytes"
"""DuckDB's words when a block that it needs is not in the file."""

_LOG_BEGIN: Final = b"\x64\x00\x62\x65\x00"
_ENTRY: Final = struct.Struct("<Q8x")
"""What precedes each entry of a log: its size, and a checksum."""
_ENTRY_BEGIN: Final = b"\x64\x00"


@contextlib.contextmanager
def looking_at(path: Path) -> Iterator[None]:
    """Raise ArchiveError if the system does not let this user look at a file or its folder."""
    try:
        yield
    except OSError as error:
        what = error.filename or path
        raise ArchiveError("file.not-read", path=what, why=message_of(error)) from error


def followed(path: Path) -> Path:
    """The file that a path names: a link is followed, because logs lie beside the file itself."""
    return Path(os.path.realpath(path)) if path.is_symlink() else path


def restoring(path: Path) -> Path:
    """The copy of a backup that is about to become this archive."""
    return path.with_name(path.name + ".restoring")


def held(part: Path, flags: int = 0) -> BinaryIO | None:
    """Open a file for nobody else until it is closed; None if somebody has it.  Raises OSError.

    Whoever is killed lets go.
    """
    file = os.fdopen(os.open(part, os.O_RDONLY | flags, 0o600), "rb")
    try:
        if sys.platform != "win32":
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        # Another process may have deleted it meanwhile.
        if os.path.samestat(os.fstat(file.fileno()), part.stat()):
            return file
    except OSError:
        pass
    file.close()
    return None


def drop_left(path: Path) -> None:
    """Delete what a restore that was killed has left beside an archive that is there.

    Where there are no such locks, on Windows, it stays until the next restore.
    """
    part = restoring(path)
    if sys.platform == "win32" or not part.exists():
        return
    with contextlib.suppress(OSError):
        if (file := held(part)) is not None:
            with file:
                if not path.exists():
                    return  # since we opened it, it was moved away to make room
                for left in (Path(f"{part}.wal"), *journal.files_beside(part)):
                    left.unlink(missing_ok=True)
                part.unlink()


def check_links(link: Path, path: Path) -> None:
    """Raise ArchiveDamaged if games wait beside a link: claimlog 1.0.0 left its journal there."""
    logs = zip(journal.files_beside(link), journal.files_beside(path), strict=True)
    for log, there in logs if link != path else ():
        if log.is_file() and log.stat().st_size:
            raise ArchiveDamaged("archive.log-of-link", path=path, log=log, there=there)


def check_files(path: Path) -> None:
    """Raise ArchiveDamaged unless file and log are sound, as far as their structure tells."""
    logs = [Path(f"{path}.wal"), *journal.files_beside(path)]
    log = logs[0]
    size = path.stat().st_size if path.is_file() else 0
    logged = log.stat().st_size if log.is_file() else 0
    if not size:
        if restoring(path).exists() and not path.exists():
            raise ArchiveDamaged("archive.restoring", path=path, part=restoring(path))
        left = next((one for one in logs if one.is_file() and one.stat().st_size), None)
        if left and not path.is_dir():
            key = "archive.empty" if path.exists() else "archive.lost"
            raise ArchiveDamaged(key, path=path, log=left)
        return
    with path.open("rb") as file:
        if file.read(12)[8:] != _MAGIC:
            # DuckDB would look for an extension that reads it.
            raise ArchiveDamaged("archive.not-duckdb", path=path)
        file.seek(0)
        there = blocks_there(path, file)
    if there is not None:
        _check_blocks(path, there)
    if logged:
        with log.open("rb") as file:
            _check_log(log, file, logged)
    journal.check(path)


def blocks_there(path: Path, file: BinaryIO) -> int | None:
    """The number of whole blocks in a file that has fewer than its head says, otherwise None.

    DuckDB writes the head before it returns free blocks at the end of the file, so this alone is
    not damage.
    """
    head = file.read(_BLOCKS)
    # Read after the head: another process may be writing, and extends the file first.
    size = file.seek(0, SEEK_END)
    if size < _BLOCKS:
        raise _cut_off(path, size)
    _, blocks, block = max(_HEAD.unpack_from(head, place) for place in _HEADS)
    return (size - _BLOCKS) // block if block and size < _BLOCKS + blocks * block else None


def _check_blocks(path: Path, there: int) -> None:
    """Raise ArchiveDamaged if a table has anything in a block beyond the end of the file.

    Raises what opening it would raise, except that it is in use.
    """
    try:
        with duckdb.connect(path, read_only=True) as connection:
            tables = connection.execute(
                "SELECT table_name FROM duckdb_tables() WHERE NOT temporary"
            ).fetchall()
            for (table,) in tables:
                row = connection.execute(
                    "SELECT max(greatest(block_id, coalesce(list_max(additional_block_ids), -1))) "
                    "FROM pragma_storage_info(?)",
                    [table],
                ).fetchone()
                if row is not None and row[0] is not None and row[0] >= there:
                    raise _cut_off(path, path.stat().st_size)
    except duckdb.ConnectionException:
        return  # this process already has it open
    except duckdb.Error as error:
        if _BEYOND_END in str(error):
            raise _cut_off(path, path.stat().st_size) from error
        kind = translated(error, path)
        if isinstance(kind, ArchiveLocked):
            return  # another process has it open, and opening it will report that
        raise kind or error from error


def _cut_off(path: Path, size: int) -> ArchiveDamaged:
    return ArchiveDamaged("archive.cut-off", path=path, size=size)


def _number(data: bytes, at: int) -> tuple[int, int]:
    """A number of variable length, and where it ends; raises IndexError at the end of `data`."""
    number = shift = 0
    while True:
        byte = data[at]
        at += 1
        number |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return number, at


def _end_of_head(data: bytes) -> int:
    """Where the head of a log ends, -1 if it is not a head; raises IndexError if cut off."""
    if not data.startswith(_LOG_BEGIN[: len(data)]):
        return -1
    _, at = _number(data, len(_LOG_BEGIN))
    while True:
        field = data[at : at + 2]
        if len(field) < 2:
            raise IndexError
        at += 2
        if field == b"\xff\xff":
            return at
        if field == b"\x66\x00":
            count, at = _number(data, at)
            for _ in range(count):
                _, at = _number(data, at)
        elif field == b"\x67\x00":
            _, at = _number(data, at)
        else:
            return -1


def _check_log(log: Path, file: BinaryIO, size: int) -> None:
    """Raise ArchiveDamaged if the log has no head, or whole entries follow where it seems to end.

    A log may end in the middle of an entry, if a process or the machine stopped while writing it;
    that entry was never acknowledged.
    """
    try:
        at = _end_of_head(file.read(256))
    except IndexError:
        if size < 256:
            return  # cut off while its head was being written
        at = -1
    if at < 0:
        raise ArchiveDamaged("archive.log-damaged", log=log)
    while at < size:
        file.seek(at)
        head = file.read(_ENTRY.size)
        length = _ENTRY.unpack(head)[0] if len(head) == _ENTRY.size else size
        if at + _ENTRY.size + length > size:
            if _goes_on(file, at, size):
                raise ArchiveDamaged("archive.log-damaged-at", log=log, at=at)
            return
        at += _ENTRY.size + length


def _goes_on(file: BinaryIO, start: int, size: int) -> bool:
    """Whether whole entries, up to the very end, follow anywhere after `start`."""
    file.seek(start)
    rest = file.read(size - start)
    return any(_reaches_end(rest, at) for at in _places(rest))


def _places(rest: bytes) -> Iterator[int]:
    """The offsets at which an entry may begin."""
    at = rest.find(_ENTRY_BEGIN, _ENTRY.size + 1)
    while at >= 0:
        yield at - _ENTRY.size
        at = rest.find(_ENTRY_BEGIN, at + 1)


def _reaches_end(rest: bytes, at: int) -> bool:
    """Whether entries follow one another from `at` to the end."""
    while at + _ENTRY.size + len(_ENTRY_BEGIN) <= len(rest):
        begin = at + _ENTRY.size
        if rest[begin : begin + len(_ENTRY_BEGIN)] != _ENTRY_BEGIN:
            return False
        at = begin + int(_ENTRY.unpack_from(rest, at)[0])
    return at == len(rest)
