"""Blocks of games become batches of rows, in this process or in workers.

A *block* is text with whole games; a *batch* is what the encoder made of it: three files of
rows, and an entry for each game.  Workers are processes that read blocks from their standard
input and write entries to their standard output, MessagePack with a length before it.
"""

from __future__ import annotations

import contextlib
import os
import queue
import subprocess
import sys
import threading
from collections import deque
from typing import TYPE_CHECKING, Any, BinaryIO, Final, Literal, cast

import msgspec

from claimlog.notation.problems import Problem
from claimlog.notation.reader import Block, blocks, sheets_of
from claimlog.notation.sheet import Sheet
from claimlog.store.encode import Encoder
from claimlog.store.errors import ArchiveError, DiskFull
from claimlog.store.jsonform import text_of_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

Input = Literal["clm", "ndjson"]

BLOCK: Final = 2 << 20
FIRST: Final = 1 << 16
NICE: Final = 10
"""Workers make way for whoever stores what they made, and for who reads meanwhile."""
LONGEST_LINE: Final = 1 << 23
"""Bytes: a line of NDJSON that goes on for longer is refused."""


class Task(msgspec.Struct, array_like=True):
    """A block on its way to a worker: where the rows go, where the block begins."""

    name: str
    line: int
    form: str
    text: bytes


class Entry(msgspec.Struct, array_like=True, gc=False):
    """What the encoder found of a game: `digest` is empty if it is refused."""

    line: int
    digest: bytes
    complete: bool
    result: str
    problems: list[Problem]


class Batch(msgspec.Struct, array_like=True):
    """What became of a block: `name` is that of its files, `longest` their longest row."""

    name: str
    entries: list[Entry]
    longest: int
    error: str = ""
    errno: int = 0


class Maker:
    """Makes batches; keeps what the encoder remembers from one to the next."""

    def __init__(self) -> None:
        self.encoder = Encoder()
        self.sheet = Sheet()

    def entries(self, block: Block, form: str) -> list[Entry]:
        """Encode a block; the rows stay in the encoder."""
        entries: list[Entry] = []
        if form == "clm":
            for sheet, line in sheets_of(block, self.sheet):
                entries.append(self._entry(sheet, line, len(entries)))
        else:
            for number, text in enumerate(block.text.split(b"\n")):
                if text.strip():
                    entries.append(self._json_entry(text, block.line + number, len(entries)))
        return entries

    def _entry(self, sheet: Sheet, line: int, index: int) -> Entry:
        encoder = self.encoder
        good = encoder.encode(sheet, index)
        return Entry(
            line,
            encoder.digest if good else b"",
            bool(encoder.complete),
            encoder.result_written(),
            cast("list[Problem]", encoder.found(line)),
        )

    def _json_entry(self, text: bytes, line: int, index: int) -> Entry:
        try:
            record = text_of_line(text)
        except ValueError as error:
            return Entry(line, b"", False, "*", [_problem(str(error), line)])
        found = list(sheets_of(Block(record, 1), self.sheet)) if record.strip() else []
        if len(found) != 1:
            message = f"a line holds one game, not {len(found)}"
            return Entry(line, b"", False, "*", [_problem(message, line)])
        sheet, first = next(iter(sheets_of(Block(record, 1), self.sheet)))
        entry = self._entry(sheet, first, index)
        entry.line = line
        return entry

    def make(self, task: Task) -> Batch:
        """Encode a block and write its rows to files."""
        encoder = self.encoder
        encoder.longest = 0
        entries = self.entries(Block(task.text, task.line), task.form)
        batch = Batch(task.name, entries, encoder.longest)
        rows = (encoder.take_games(), encoder.take_tricks(), encoder.take_factions())
        try:
            for part, data in zip(PARTS, rows, strict=True):
                with open(f"{task.name}.{part}", "wb", buffering=0) as file:
                    _write_all(file, data)
        except OSError as error:
            batch.error = str(error)
            batch.errno = error.errno or 0
        return batch


PARTS: Final = ("games", "tricks", "factions")


def _write_all(file: Any, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[file.write(view) :]


def _problem(message: str, line: int) -> Problem:
    return Problem("syntax", "error", message, line, 1, 2)


# Blocks ------------------------------------------------------------------------------------


def line_blocks(read: Callable[[int], bytes], size: int, first: int) -> Iterator[Block]:
    """Cut NDJSON into blocks of whole lines."""
    line = 1
    rest = b""
    wanted = first
    while True:
        data = read(wanted)
        rest += data
        cut = rest.rfind(b"\n") + 1 if data else len(rest)
        if cut:
            yield Block(rest[:cut], line)
            line += rest.count(b"\n", 0, cut)
            rest = rest[cut:]
        if not data:
            return
        if len(rest) > LONGEST_LINE:
            raise ArchiveError(f"line {line} is longer than {LONGEST_LINE} bytes")
        wanted = size


def cut(read: Callable[[int], bytes], form: Input) -> Iterator[Block]:
    """Cut a stream into blocks."""
    return (blocks if form == "clm" else line_blocks)(read, BLOCK, FIRST)


# Workers -------------------------------------------------------------------------------------


class Worker:
    """A process that encodes the blocks it is sent, one after another."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-c", "from claimlog.store.batch import work; work()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self._decoder = msgspec.msgpack.Decoder(Batch)
        self._answers: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        # A thread reads, so that the process never waits to answer while we send.
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        stdout = cast("BinaryIO", self.process.stdout)
        data: bytes | None = b""
        while data is not None:
            try:
                data = _receive(stdout)
            except (OSError, ValueError):
                data = None
            self._answers.put(data)

    def send(self, task: Task) -> None:
        """Hand over a block."""
        stdin = cast("BinaryIO", self.process.stdin)
        data = msgspec.msgpack.encode(task)
        try:
            stdin.write(len(data).to_bytes(4, "big"))
            stdin.write(data)
            stdin.flush()
        except OSError as error:
            raise ArchiveError("a worker process has died") from error

    def receive(self) -> Batch:
        """Wait for the next batch."""
        data = self._answers.get()
        if data is None:
            raise ArchiveError("a worker process has died")
        return self._decoder.decode(data)

    def stop(self) -> None:
        """End the process."""
        # At the end of its input the process ends, and with it the thread that listens.
        with contextlib.suppress(OSError):
            cast("BinaryIO", self.process.stdin).close()
        try:
            self.process.wait(2)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def _receive(stream: BinaryIO) -> bytes | None:
    head = stream.read(4)
    if len(head) < 4:
        return None
    size = int.from_bytes(head, "big")
    data = stream.read(size)
    return data if len(data) == size else None


def work() -> None:
    """What a worker does until its input ends."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(NICE)
    maker = Maker()
    decoder = msgspec.msgpack.Decoder(Task)
    stdin, stdout = sys.stdin.buffer, sys.stdout.buffer
    while (data := _receive(stdin)) is not None:
        answer = msgspec.msgpack.encode(maker.make(decoder.decode(data)))
        try:
            stdout.write(len(answer).to_bytes(4, "big"))
            stdout.write(answer)
            stdout.flush()
        except OSError:
            return


def batches(
    read: Callable[[int], bytes], form: Input, folder: Path, stem: str, workers: int
) -> Iterator[Batch]:
    """Make batches of a stream, in its order; small streams are encoded in this process.

    The files of a batch are the caller's to delete.
    """
    tasks = (
        Task(str(folder / f"{stem}-{number}"), block.line, form, block.text)
        for number, block in enumerate(cut(read, form))
    )
    maker = Maker()
    hands: list[Worker] = []
    free: deque[Worker] = deque()
    busy: deque[Worker] = deque()
    try:
        for task in tasks:
            if workers < 2 or len(task.text) < BLOCK // 4:
                # Little is waiting: whoever sends it wants an answer, not speed.
                while busy:
                    worker = busy.popleft()
                    batch = worker.receive()
                    free.append(worker)
                    yield _checked(batch)
                yield _checked(maker.make(task))
                continue
            if not hands:
                hands = [Worker() for _ in range(workers)]
                # Two blocks each: one in hand, one waiting, for nobody is to be idle.
                free.extend(hands * 2)
            if not free:
                worker = busy.popleft()
                batch = worker.receive()
                worker.send(task)
                busy.append(worker)
                yield _checked(batch)
                continue
            worker = free.popleft()
            worker.send(task)
            busy.append(worker)
        while busy:
            yield _checked(busy.popleft().receive())
    finally:
        for worker in hands:
            worker.stop()


def _checked(batch: Batch) -> Batch:
    if batch.errno in (27, 28, 122):
        raise DiskFull(f"there is no room for an import: {batch.error}")
    if batch.error:
        raise ArchiveError(f"an import cannot write its rows: {batch.error}")
    return batch
