r"""Streams of games: files of any size, also gzip and zstd, split game by game.

>>> [sheet.tags for sheet, line in sheets(io.BytesIO(b'[Deck "GKUWX"]\n*\n').read)]
[1]
"""

from __future__ import annotations

import errno
import io
import os
import re
import stat
import sys
from contextlib import contextmanager, nullcontext
from functools import partial
from typing import TYPE_CHECKING, BinaryIO, Final, NamedTuple, cast

from claimlog import objects
from claimlog.notation.problems import ENCODING, SYNTAX_LENGTH
from claimlog.notation.sheet import Sheet
from claimlog.results import NO_RESULT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from contextlib import AbstractContextManager

__all__ = [
    "SUFFIXES",
    "Block",
    "blocks",
    "damages",
    "find_bad_bytes",
    "find_files",
    "is_clean",
    "open_games",
    "sheets",
]

SUFFIXES: Final = (".clm", ".clm.gz", ".clm.zst")
"""The suffixes of record files; folders are searched for these."""

CHUNK: Final = 1 << 18
"""Bytes in a block: small enough to stay in the processor's cache while it is judged."""
FIRST_CHUNK: Final = 1 << 16
LONGEST_GAME: Final = 1 << 22
"""Bytes.  A game of 26 tricks has less than 2 kB; longer text is cut off after the line that ends
next, or within one that is as long again, so that a damaged file cannot exhaust memory.
"""

_GZIP: Final = b"\x1f\x8b"
_ZSTD: Final = b"\x28\xb5\x2f\xfd"

_START: Final = 1024
"""Bytes from which is told what a file is."""
_OTHERS: Final = (
    b"PAR1",
    b"%PDF-",
    b"PK\x03\x04",
    b"\x89PNG\r\n",
    b"\xff\xd8\xff",
    b"GIF8",
    b"BZh",
    b"\xfd7zXZ",
    b"7z\xbc\xaf",
    b"\x7fELF",
    b"SQLite format 3\0",
)
"""Beginnings of files that are not text: tables, documents, pictures, other archives."""
_JSON: Final = rb'(?:\xef\xbb\xbf)?\s*\[?\s*\{\s*"\w+"\s*:\s*["{\[\dtfn-]'
"""Lines or a list of JSON objects; also a rare comment, which has tags below it."""
_TAG_TEXT: Final = rb'[ \t]*\[[A-Za-z][A-Za-z0-9_]*[ \t]*"[^\n]*"[ \t]*\]'
_TAG: Final = rb"(?m)^" + _TAG_TEXT

_BORDER: Final = re.compile(rb"\n[ \t\r\v\f]*\n(?=" + _TAG_TEXT + rb"[ \t\r]*\n)")
"""An empty line before a whole tag line: a game begins there, whatever came before."""

_BAD_BYTES: Final = r"(\0+|[\udc80-\udcff](?:[\udc80-\udcff]|[ \t]+(?=[\udc80-\udcff]))*)"
"""NUL, and bytes that are not UTF-8, decoded as lone surrogates with spaces between them."""


@contextmanager
def open_games(path: str) -> Iterator[BinaryIO]:
    """Open a file of games, also in S3, or ``-`` for standard input, and decompress it.

    The compression (gzip or zstd) is recognized by the file's first bytes, not by its name.  Raises
    OSError if it cannot be opened; reading may raise OSError or EOFError if a compressed file is
    damaged.
    """
    with _opened(path) as raw:
        start = raw.peek(_START)[:_START]
        if other := _other_than_records(start):
            error = OSError(errno.EINVAL, f"no records: {other}", path)
            vars(error)["keyed"] = other, {}
            raise error
        if start.startswith(_GZIP):
            import gzip

            with gzip.open(raw) as unpacked:
                yield cast("BinaryIO", unpacked)
        elif start.startswith(_ZSTD):
            if sys.version_info >= (3, 14):
                from compression import zstd
            else:
                from backports import zstd

            with zstd.open(raw) as unpacked:
                yield cast("BinaryIO", unpacked)
        else:
            yield cast("BinaryIO", raw)


def _other_than_records(start: bytes) -> str:
    """Return the key of the message about a file that has no records, from its first bytes.

    "" if it may have some: whole games may follow bytes that are damaged.
    """
    if start[8:12] == b"DUCK":
        return "records.archive"
    if b"{" in start and re.match(_JSON, start) and not re.search(_TAG, start):
        return "records.json"
    return "records.binary" if start.startswith(_OTHERS) else ""


def _opened(path: str) -> AbstractContextManager[io.BufferedReader]:
    if path == "-":
        return nullcontext(cast("io.BufferedReader", sys.stdin.buffer))
    return objects.open_object(path) if objects.is_object(path) else open(path, "rb")


def is_folder(path: str) -> bool:
    """Whether a path, also one in S3, is a folder.  Raises OSError if S3 cannot tell."""
    if objects.is_object(path):
        return objects.is_folder(path, SUFFIXES)
    return path != "-" and os.path.isdir(path)


def find_files(paths: Iterable[str]) -> Iterator[str]:
    """Yield the files at `paths`: files as they are, folders searched for records, and ``-``.

    A folder that cannot be searched is yielded like a file: opening it raises the error.
    """
    for path in paths:
        if objects.is_object(path):
            yield from objects.find(path, SUFFIXES)
        elif is_folder(path):
            closed: list[OSError] = []
            for folder, folders, names in os.walk(path, onerror=closed.append):
                folders.sort()
                for name in sorted(names):
                    if name.endswith(SUFFIXES):
                        yield os.path.join(folder, name)
            yield from (error.filename for error in closed)
        else:
            yield path


def damages() -> tuple[type[Exception], ...]:
    """The exceptions that reading a damaged compressed file may raise."""
    errors: list[type[Exception]] = [EOFError]
    if "gzip" in sys.modules:
        errors.append(sys.modules["gzip"].BadGzipFile)
    if "zlib" in sys.modules:
        errors.append(sys.modules["zlib"].error)
    zstd = sys.modules.get("backports.zstd") or sys.modules.get("compression.zstd")
    if zstd is not None:
        errors.append(zstd.ZstdError)
    return tuple(errors)


def plain_file(stream: BinaryIO) -> int:
    """The descriptor of a stream from `open_games`, -1 unless it is a plain local file."""
    if stream is sys.stdin.buffer or not isinstance(getattr(stream, "raw", None), io.FileIO):
        return -1
    file = stream.fileno()
    return file if stat.S_ISREG(os.fstat(file).st_mode) else -1


def at_offsets(stream: BinaryIO) -> tuple[str, int, Callable[[int, int], bytes]] | None:
    """Path, length and ``read(size, start)`` of a stream from `open_games`, if it is seekable."""
    raw = getattr(stream, "raw", None)
    if isinstance(raw, objects.ObjectFile):
        return raw.name, raw.size, raw.pread
    file = plain_file(stream)
    if file < 0:
        return None
    return os.path.abspath(stream.name), os.fstat(file).st_size, partial(os.pread, file)


class Block:
    """A piece of a stream that holds whole games: its bytes and the number of its first line."""

    __slots__ = ("line", "text")

    def __init__(self, text: bytes, line: int) -> None:
        self.text = text
        self.line = line


def blocks(
    read: Callable[[int], bytes | None], size: int = CHUNK, first: int = FIRST_CHUNK
) -> Iterator[Block]:
    """Split a stream into blocks of about `size` bytes, the first of `first` bytes.

    Blocks can be judged independently of each other.  They are longer than `size` only where no
    game begins for that long.  `read` may return None if no data is available yet, as non-blocking
    files do: then the complete games are yielded, or an empty block.  If it raises, the complete
    games are yielded first.
    """
    line = 1
    for text in pieces(read, size, first):
        yield Block(text, line)
        line += text.count(b"\n")


def pieces(
    read: Callable[[int], bytes | None], size: int = CHUNK, first: int = FIRST_CHUNK
) -> Iterator[bytes]:
    """Split a stream as `blocks` does, without counting lines."""
    rest = b""
    size_wanted = first
    begun = False
    while True:
        try:
            data = read(size_wanted)
        except Exception:
            if cut := _end_of_games(rest):
                yield rest[:cut]
            raise
        if data is None:
            cut = _end_of_games(rest)
            begun = begun or cut > 0
            yield rest[:cut]
            rest = rest[cut:]
            continue
        cut = _last_border(data) if begun else -1
        if cut > 0:
            # The rest of the previous data is copied once, and only here.
            yield b"".join((rest, memoryview(data)[:cut]))
            rest = data[cut:]
            continue
        text = rest + data
        cut = len(text)
        if data:
            cut = _last_border(text)
            if cut > 0 and not begun and not _holds_game(text[:cut]):
                cut = -1  # comments before the first tag belong to the first game
            if cut < 0 and len(text) < LONGEST_GAME:
                rest = text
                size_wanted = max(size_wanted, len(text))
                continue
            if cut < 0:
                # At the end of a line, as columns are counted from its beginning.
                cut = text.find(b"\n", LONGEST_GAME - 1) + 1
                if not cut and len(text) < 2 * LONGEST_GAME:
                    rest = text
                    size_wanted = max(size_wanted, len(text))
                    continue
                cut = cut or len(text)
        if cut:
            yield text[:cut]
            begun = True
        rest = text[cut:]
        size_wanted = size
        if not data:
            return


def spans(
    read: Callable[[int, int], bytes],
    length: int,
    start: int,
    size: int = CHUNK,
    each: Callable[[Callable[[int], int], Iterable[int]], Iterable[int]] = map,
) -> Iterator[tuple[int, int]]:
    """Split a file into spans of about `size` bytes, as `pieces` does, without reading all of it.

    Starts at `start`, where a game begins; stops early where no game begins for too long.
    ``read(size, start)`` reads anywhere in the file; `each` is `map` or a version that prefetches.
    """
    for stop in each(partial(_next_border, read), range(start + size, length, size)):
        if stop < 0:
            return
        if stop > start:
            yield start, stop
            start = stop
    if start < length:
        yield start, length


def _next_border(read: Callable[[int, int], bytes], place: int) -> int:
    """The offset of the first game that begins at `place` or later, -1 if none does for long."""
    window = 1 << 13
    while window <= LONGEST_GAME:
        if border := _BORDER.search(read(window, place)):
            return place + border.end()
        window *= 8
    return -1


class Part(NamedTuple):
    """Whole games of a stream: a range of a file, or a text."""

    path: str
    start: int
    stop: int
    text: bytes

    def read(self) -> bytes:
        """Return the text; possible wherever the file is accessible."""
        if self.text:
            return self.text
        try:
            if objects.is_object(self.path):
                return objects.ObjectFile(self.path).pread(self.stop - self.start, self.start)
            with open(self.path, "rb") as file:
                file.seek(self.start)
                return file.read(self.stop - self.start)
        except OSError as error:
            why = error.strerror or str(error)
            why = why[0].lower() + why[1:] if why[1:2].islower() else why
            why = f"the workers of the cluster do not see it: {why}"
            unseen = OSError(error.errno, why, self.path)
            vars(unseen)["keyed"] = "file.unseen", {}
            raise unseen from error

    @property
    def size(self) -> int:
        """The number of bytes."""
        return len(self.text) or self.stop - self.start


def parts(stream: BinaryIO, size: int) -> Iterator[Part]:
    """Split a stream from `open_games` into parts of about `size` bytes.

    The parts of a plain file are of equal size and read by whoever processes them; compressed files
    are read here.
    """
    if border := at_offsets(stream):
        path, length, read = border
        stop = 0
        number = -(-length // size) or 1
        size = -(-length // number) or 1
        each = objects.ahead if objects.is_object(path) else map
        for start, stop in spans(read, length, 0, size, each):
            yield Part(path, start, stop, b"")
        stream.seek(stop)
    for text in pieces(stream.read, size, size):
        yield Part("", 0, 0, text)


def _end_of_games(text: bytes) -> int:
    """The end of the games that are complete in `text`, which may continue; 0 if there are none.

    A game is complete if another follows, or if its result is on a finished line.  (A comment after
    a game's result belongs to the next game.)
    """
    sheet = Sheet()
    at = end = 0
    while at < len(text):
        at = sheet.read(text, at, True)
        done = at < len(text) or (sheet.result != NO_RESULT and text.endswith(b"\n"))
        if sheet.found() and done:
            end = at
    return end


def _holds_game(text: bytes) -> bool:
    sheet = Sheet()
    sheet.read(text, 0, True)
    return sheet.found()


def _last_border(text: bytes) -> int:
    """The offset of the last game that is sure to begin in `text`, or -1."""
    window = 1 << 12
    while True:
        start = max(0, len(text) - window)
        border = -1
        for match in _BORDER.finditer(text, start):
            border = match.end()
        if border > 0 or start == 0:
            return border
        window *= 8


def sheets(read: Callable[[int], bytes], sheet: Sheet | None = None) -> Iterator[tuple[Sheet, int]]:
    """Split a stream into one sheet per game, each with the number of the line it begins on.

    The same `Sheet` object is reused for each game.  Bytes that are not UTF-8 and text longer than
    any game are among its faults.
    """
    sheet = sheet or Sheet()
    for block in blocks(read):
        yield from sheets_of(block, sheet)


def sheets_of(block: Block, sheet: Sheet) -> Iterator[tuple[Sheet, int]]:
    """Split one block, as `sheets` does."""
    text = block.text
    line = block.line
    at = 0
    clean = is_clean(text)
    while at < len(text):
        after = sheet.read(text, at, True)
        lines = sheet.lines
        if sheet.found():
            if not clean:
                find_bad_bytes(sheet, after)
            if after - sheet.begin >= LONGEST_GAME:
                sheet.fault(SYNTAX_LENGTH, sheet.begin, sheet.begin + 1)
            yield sheet, line + sheet.line
        line += lines
        at = after


def is_clean(text: bytes) -> bool:
    """Whether all bytes are UTF-8 without NUL, so that no game need be searched for bad ones."""
    if b"\0" in text:
        return False
    if not text.isascii():
        try:
            text.decode()
        except UnicodeDecodeError:
            return False
    return True


def find_bad_bytes(sheet: Sheet, end: int) -> None:
    """Add NULs and bytes that are not UTF-8, in the sheet's text up to `end`, to its faults."""
    at = sheet.begin
    text = sheet.text[at:end].decode(errors="surrogateescape")
    for number, piece in enumerate(re.split(_BAD_BYTES, text)):
        size = len(piece.encode(errors="surrogateescape"))
        if number == 1:
            # However many faults there are, this is kept: it may be the reason for all others.
            sheet.faults.insert(0, (ENCODING, at, at + size))
        elif number % 2:
            sheet.fault(ENCODING, at, at + size)
        at += size
