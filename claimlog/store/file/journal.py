"""Keep single games on disk before they are in the tables, in two small files beside the archive.

DuckDB takes a hundred times as long to store a game as the engine takes to judge it.  So a game
that arrives alone is written here and acknowledged; later many are brought into the archive at
once.  Meanwhile new games go to the other file, in turn, and then the games brought in are cut off.

Games that arrive together form one entry: a begin mark, its size, a checksum, the games in
MessagePack, and an end mark.  A killed process may leave half an entry behind, which was never
acknowledged; anything else that is incomplete is damage.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import struct
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from claimlog.store.backend import translated
from claimlog.store.model.errors import ArchiveDamaged

if TYPE_CHECKING:
    from io import FileIO

SUFFIXES: Final = (".games1", ".games2")
"""The suffixes that the files add to the archive's name."""

MOST: Final = 1 << 18
"""The most bytes of games already in the archive that may stay in a file."""

_BEGIN: Final = b"\x00CLM\x00\x01\xf5\xfa"
_END: Final = b"\xfa\xf5\x00games"
_SUM: Final = 16
_HEAD: Final = struct.Struct(f"<{len(_BEGIN)}sI{_SUM}s")
_sync: Final = getattr(os, "fdatasync", os.fsync)


class Waiting(msgspec.Struct, array_like=True, gc=False):
    """An acknowledged game: its first revision, except for the number."""

    digest: bytes
    moment: datetime
    by: str
    source: str
    record: str


class Entry(msgspec.Struct, array_like=True, gc=False):
    """Games that arrived together; `place` numbers the entries across both files."""

    place: int
    games: list[Waiting]


def files_beside(path: Path) -> list[Path]:
    """The paths of an archive's journal files, whether they exist or not."""
    return [Path(f"{path}{suffix}") for suffix in SUFFIXES]


def _sum(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=_SUM).digest()


_pack: Final = msgspec.msgpack.Encoder().encode
_unpack: Final = msgspec.msgpack.Decoder(Entry).decode


class Journal:
    """The journal of one archive; the caller makes sure that nobody else uses it meanwhile."""

    def __init__(self, archive: Path) -> None:
        self.archive = archive
        self._paths = files_beside(archive)
        self._files: list[FileIO] = []
        self._sizes = [0, 0]
        self._place = 0
        self._now = 0
        """The index of the file being written."""

    def read(self) -> list[Waiting]:
        """Return all games in order of arrival; raises ArchiveDamaged."""
        entries = []
        for number, path in enumerate(self._paths):
            those, self._sizes[number] = _read(path)
            entries += those
        entries.sort(key=lambda entry: entry.place)
        self._place = entries[-1].place if entries else 0
        return [game for entry in entries for game in entry.games]

    def append(self, games: list[Waiting]) -> None:
        """Write games; they are on disk when this returns.  Raises DiskFull and the like."""
        self._place += 1
        data = _pack(Entry(self._place, games))
        entry = _HEAD.pack(_BEGIN, len(data), _sum(data)) + data + _END
        path = self._paths[self._now]
        try:
            if not self._files:
                self._open()
            file, size = self._files[self._now], self._sizes[self._now]
            if not size:
                # Whoever may read the archive may read the journal.
                path.chmod(self.archive.stat().st_mode & 0o777)
            try:
                rest = memoryview(entry)
                while rest:
                    rest = rest[file.write(rest) :]
                _sync(file.fileno())
            except OSError:
                file.truncate(size)
                raise
        except OSError as error:
            raise translated(error, path) or error from error
        self._sizes[self._now] += len(entry)

    def _open(self) -> None:
        """Open the files, and cut off an incomplete entry at the end."""
        self._files = [path.open("ab", buffering=0) for path in self._paths]
        for file, size in zip(self._files, self._sizes, strict=True):
            file.truncate(size)
        if os.name != "nt":
            handle = os.open(self.archive.parent, os.O_RDONLY)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)

    def turn(self) -> None:
        """Switch to the other file."""
        self._now = 1 - self._now

    def clear(self) -> None:
        """Drop the games written before the last turn: they are in the archive.

        A few may stay, because truncating takes time; on reading they turn out to be in the
        archive.
        """
        other = 1 - self._now
        if self._files and self._sizes[other] > MOST:
            self._files[other].truncate(0)
            self._sizes[other] = 0

    def close(self, done: bool) -> None:
        """Close the files; if `done`, every game is in the archive, and the files are deleted."""
        for file in self._files:
            file.close()
        self._files = []
        if done:
            self._sizes = [0, 0]
            for path in self._paths:
                with contextlib.suppress(OSError):
                    path.unlink(missing_ok=True)


def check(archive: Path) -> None:
    """Raise ArchiveDamaged if anything in an archive's journal is incomplete."""
    for path in files_beside(archive):
        _read(path)


def _read(path: Path) -> tuple[list[Entry], int]:
    """The entries of a file, and the offset at which the last one ends."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return [], 0
    except OSError as error:
        raise translated(error, path) or error from error
    entries = []
    at = 0
    while (held := _entry(data, at)) is not None:
        try:
            entries.append(_unpack(held))
        except msgspec.DecodeError as error:
            raise _damaged(path, at) from error
        at += _HEAD.size + len(held) + len(_END)
    # A killed process leaves the beginning of one entry behind, nothing else.
    if at < len(data) and (data.endswith(_END) or _goes_on(data, at + 1)):
        raise _damaged(path, at)
    return entries, at


def _entry(data: bytes, at: int) -> bytes | None:
    """The content of the entry at this offset, None if there is no complete one."""
    if len(data) - at < _HEAD.size:
        return None
    begin, size, checksum = _HEAD.unpack_from(data, at)
    first = at + _HEAD.size
    held = data[first : first + size]
    whole = begin == _BEGIN and data[first + size : first + size + len(_END)] == _END
    return held if whole and _sum(held) == checksum else None


def _goes_on(data: bytes, at: int) -> bool:
    """Whether a complete entry begins anywhere from this offset on."""
    while (at := data.find(_BEGIN, at)) >= 0:
        if _entry(data, at) is not None:
            return True
        at += 1
    return False


def _damaged(path: Path, at: int) -> ArchiveDamaged:
    return ArchiveDamaged("archive.games-damaged", path=path, at=at)
