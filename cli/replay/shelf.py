"""Any game of a file by its number, without keeping the games in memory.

A file is read block by block (`claimlog.notation.reader.blocks`) and only as far as needed; the
shelf remembers where each block begins.  Input that cannot be read twice, or only remotely
(compressed files, pipes, files in S3), is copied to a temporary file as it is read.
"""

from __future__ import annotations

import io
import os
from bisect import bisect_right
from contextlib import ExitStack
from tempfile import SpooledTemporaryFile
from typing import TYPE_CHECKING, BinaryIO, Final, cast

from claimlog.notation.reader import Block, blocks, plain_file, sheets_of
from claimlog.notation.sheet import Sheet
from claimlog.recording.journal import file_mark
from claimlog.replay.recorder import Recorder
from claimlog.writing import replacing

from ..archive.stored import open_source

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from types import TracebackType

    from claimlog.game import Game
    from claimlog.language import Words

IN_MEMORY: Final = 1 << 24
"""The most bytes of a temporary copy in memory before it is moved to disk."""


FIRST_BLOCKS: Final = 3
"""Blocks to read at once, so that the number of games of a small file is known."""


class ChangedError(Exception):
    """The file has been changed by another program since it was opened."""


class Shelf:
    """The games of one file; use it in a ``with`` statement."""

    def __init__(self, path: str, say: Words | None = None, name: str = "") -> None:
        self.path = path
        self.name = name or os.path.basename(path)
        self.invalid = 0
        """The number of invalid games taken out."""
        self._sheet = Sheet()
        self._recorder = Recorder(say)
        self._stack = ExitStack()
        self._judged: set[int] = set()

    def __enter__(self) -> Shelf:
        """Open the file."""
        self.known = 0
        """The number of games seen so far."""
        self.total: int | None = None
        """The number of games, None until the end has been seen."""
        self._first: list[int] = []  # the number of each block's first game,
        self._line: list[int] = []  # its first line,
        self._start: list[int] = []  # and the offset of its first byte
        self._end = 0
        self._kept: tuple[int, Block] | None = None
        self._seen: tuple[int, int, int] | None = None
        stream = self._stack.enter_context(open_source(self.path))
        if plain_file(stream) >= 0 and not self.path.startswith("/dev/"):
            self._copy: BinaryIO = self._stack.enter_context(open(self.path, "rb"))
            self._seen = file_mark(os.fstat(self._copy.fileno()))
            read = stream.read
        else:
            spool = SpooledTemporaryFile(max_size=IN_MEMORY)
            self._copy = cast("BinaryIO", self._stack.enter_context(spool))

            def read(size: int = -1, /) -> bytes:
                data = stream.read(size)
                self._copy.seek(0, io.SEEK_END)
                self._copy.write(data)
                return data

        self._blocks: Iterator[Block] = blocks(read)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the file."""
        self._stack.close()

    def game(self, number: int) -> Game | None:
        """Return game `number` (from 1), or None if there are not that many.

        Raises OSError or EOFError if the file cannot be read further.
        """
        # Read one game further, to know whether the last one is the last.
        while number >= self.known and self.total is None:
            self._read_on()
        while self.total is None and len(self._first) < FIRST_BLOCKS:
            self._read_on()
        if not 1 <= number <= self.known:
            return None
        place = bisect_right(self._first, number) - 1
        place_in_block = number - self._first[place]
        for i, (sheet, line) in enumerate(sheets_of(self._block(place), self._sheet)):
            if i == place_in_block:
                game = self._recorder.record(sheet, line)
                if number not in self._judged:
                    self._judged.add(number)
                    self.invalid += not game.legal
                return game
        raise OSError("it has changed while it was read")

    # Saving --------------------------------------------------------------------------------

    @property
    def kept(self) -> bool:
        """Whether the games come from a writable kind of file: local, and not compressed."""
        return self._seen is not None

    def save(self, texts: Mapping[int, str], path: str | None = None) -> None:
        """Rewrite games, by number; all others stay as they are, byte for byte.

        Writes to the file that they came from, or with all others to a new one.  Raises
        `ChangedError` if the file has changed meanwhile, OSError (FileExistsError for a new file
        that exists already) if it cannot be written.
        """
        while self.total is None:
            self._read_on()
        self._copy.seek(0)
        data = self._copy.read(self._end)
        for number in sorted(texts, reverse=True):
            start, end = self._span(number)
            text = texts[number].strip().encode()
            if b"\r\n" in data[start:end]:
                text = text.replace(b"\n", b"\r\n")
            data = data[:start] + text + data[end:]
        if path is not None:
            with open(path, "xb") as new:
                new.write(data)
            return
        if file_mark(os.stat(self.path)) != self._seen:
            raise ChangedError(self.path)
        with replacing(self.path) as out:
            out.write(data)
        self._stack.close()
        self.__enter__()

    def _span(self, number: int) -> tuple[int, int]:
        """The start and end of a game's text."""
        place = bisect_right(self._first, number) - 1
        text, at = self._block(place).text, 0
        left = number - self._first[place]
        while True:
            after = self._sheet.read(text, at, True)
            if self._sheet.found():
                if not left:
                    break
                left -= 1
            at = after
        begin = self._sheet.begin
        end = begin + len(text[begin:after].rstrip())
        return self._start[place] + begin, self._start[place] + end

    def _read_on(self) -> None:
        """Read one more block and count its games."""
        block = next(self._blocks, None)
        if block is None:
            self.total = self.known
            return
        number = sum(1 for _ in sheets_of(block, self._sheet))
        if number:
            self._first.append(self.known + 1)
            self._line.append(block.line)
            self._start.append(self._end)
            self._kept = (len(self._first) - 1, block)
        self._end += len(block.text)
        self.known += number

    def _block(self, place: int) -> Block:
        """Return block number `place`, reading it again unless it is the one kept."""
        if self._kept is None or self._kept[0] != place:
            end = self._start[place + 1] if place + 1 < len(self._start) else self._end
            self._copy.seek(self._start[place])
            text = self._copy.read(end - self._start[place])
            self._kept = (place, Block(text, self._line[place]))
        return self._kept[1]
