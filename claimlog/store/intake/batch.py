"""Turn blocks of games into batches of rows, in this process or in workers.

A *block* is text with whole games; a *batch* is what the encoder made of it: three files of rows,
and one entry per game.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal, cast

import msgspec

from claimlog.game import Problem
from claimlog.language import LANGUAGES, words
from claimlog.language.messages import Message, message_of
from claimlog.notation.reader import Block, blocks, sheets_of
from claimlog.notation.sheet import Sheet
from claimlog.replay.explain import problems
from claimlog.store.intake.encode import Encoder
from claimlog.store.model.errors import ArchiveError, DiskFull
from claimlog.store.model.jsonform import text_of_line
from claimlog.store.model.types import ReportedProblem
from claimlog.workers import WorkerDied, Workers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

Input = Literal["clm", "ndjson"]

BLOCK: Final = 2 << 20
FIRST: Final = 1 << 16
NICE: Final = 10
"""The niceness of workers: storing what they made, and reading meanwhile, come first."""
LONGEST_LINE: Final = 1 << 23
"""The maximum length of an NDJSON line in bytes; longer ones are refused."""
TOO_LONG: Final = b"\xff"
"""Stands for a line that is too long."""


class Task(msgspec.Struct, array_like=True):
    """A block on its way to a worker, with the name of the files for its rows and its first line.

    Problems are worded in `language`; `values` are columns of games that are also returned as
    values.  `more` are further texts, each with line numbers of its own.
    """

    name: str
    line: int
    form: str
    text: bytes
    language: str = LANGUAGES[0]
    values: list[str] = []
    more: list[bytes] = []


class Entry(msgspec.Struct, array_like=True, gc=False):
    """What the encoder found out about a game; `digest` is empty if the game is refused."""

    line: int
    digest: bytes
    complete: bool
    result: str
    problems: tuple[ReportedProblem, ...]


class Batch(msgspec.Struct, array_like=True):
    """The result of a block: the name of its files, one entry per game, and the requested values.

    `ends` are the places after the last game of each text.
    """

    name: str
    entries: list[Entry]
    values: list[dict[str, Any]] = []
    ends: list[int] = []
    error: str = ""
    errno: int = 0


class Maker:
    """Makes batches; keeps what the encoder caches from one to the next."""

    def __init__(self) -> None:
        self.encoder = Encoder()
        self.sheet = Sheet()
        self.words = words()

    def entries(self, block: Block, form: str, first: int = 0) -> list[Entry]:
        """Encode a block; its games are numbered from `first`, their rows stay in the encoder."""
        entries: list[Entry] = []
        if form == "clm":
            for sheet, line in sheets_of(block, self.sheet):
                entries.append(self._entry(sheet, line, first + len(entries)))
        else:
            for number, text in enumerate(block.text.split(b"\n")):
                if text.strip():
                    entries.append(
                        self._json_entry(text, block.line + number, first + len(entries))
                    )
        return entries

    def _entry(self, sheet: Sheet, line: int, index: int) -> Entry:
        encoder = self.encoder
        good = encoder.encode(sheet, index)
        return Entry(
            line,
            encoder.digest if good else b"",
            bool(encoder.complete),
            encoder.result_written().decode(),
            self._problems(line) if encoder.findings or sheet.faults else (),
        )

    def _problems(self, line: int) -> tuple[ReportedProblem, ...]:
        """The problems of the last game."""
        encoder = self.encoder
        if self.words.language != LANGUAGES[0] and encoder.findings:
            listed = problems(encoder, line, self.words)
        else:
            listed = cast("list[Problem]", encoder.problems(line))
        return tuple(map(ReportedProblem.of, listed))

    def _json_entry(self, text: bytes, line: int, index: int) -> Entry:
        if text == TOO_LONG or len(text) > LONGEST_LINE:
            return self._refused(line, Message("json.long-line", most=LONGEST_LINE))
        try:
            record = text_of_line(text)
        except ValueError as error:
            return self._refused(line, message_of(error))
        games = list(sheets_of(Block(record, 1), self.sheet)) if record.strip() else []
        if len(games) != 1:
            return self._refused(line, Message("json.one-game", number=len(games)))
        sheet, first = next(iter(sheets_of(Block(record, 1), self.sheet)))
        entry = self._entry(sheet, first, index)
        entry.line = line
        return entry

    def _refused(self, line: int, why: Message) -> Entry:
        """The entry of a line that is not a record."""
        message = why.worded(self.words.language)
        problem = Problem("syntax", "error", message, line, 1, 2)
        return Entry(line, b"", False, "*", (ReportedProblem.of(problem),))

    def make(self, task: Task) -> Batch:
        """Encode a block and write its rows to files."""
        encoder = self.encoder
        if task.language != self.words.language:
            self.words = words(task.language)
        entries = self.entries(Block(task.text, task.line), task.form)
        ends = [len(entries)]
        for text in task.more:
            entries += self.entries(Block(text, 1), task.form, len(entries))
            ends.append(len(entries))
        values = encoder.values_as_dicts(task.values) if task.values else []
        batch = Batch(task.name, entries, values, ends)
        rows = encoder.take_rows()
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


# Blocks ------------------------------------------------------------------------------------


def line_blocks(read: Callable[[int], bytes | None], size: int, first: int) -> Iterator[Block]:
    """Cut NDJSON into blocks of whole lines; yield `TOO_LONG` for a line that is too long.

    If `read` returns None, because there is nothing yet, an empty block is yielded.
    """
    line = 1
    rest = b""
    size_wanted = first
    skipping = False
    while True:
        data = read(size_wanted)
        if data is None:
            yield Block(b"", line)
            continue
        if skipping:
            _, newline, data_after = data.partition(b"\n")
            if data and not newline:
                continue
            yield Block(TOO_LONG + b"\n", line)
            line += 1
            skipping = False
            if not data:
                return
            data = data_after
            if not data:
                continue
        rest += data
        cut = rest.rfind(b"\n") + 1 if data else len(rest)
        if cut:
            yield Block(rest[:cut], line)
            line += rest.count(b"\n", 0, cut)
            rest = rest[cut:]
        if not data:
            return
        if len(rest) > LONGEST_LINE:
            rest, skipping = b"", True
        size_wanted = size


def cut(read: Callable[[int], bytes | None], form: Input) -> Iterator[Block]:
    """Cut a stream into blocks."""
    return (blocks if form == "clm" else line_blocks)(read, BLOCK, FIRST)


# In other processes --------------------------------------------------------------------------


_makers: list[Maker] = []


def make(task: bytes) -> bytes:
    """The work of a worker: turn a task into a batch, both in MessagePack."""
    if not _makers:
        _makers.append(Maker())
    return msgspec.msgpack.encode(_makers[0].make(msgspec.msgpack.decode(task, type=Task)))


def batches(
    read: Callable[[int], bytes | None],
    form: Input,
    folder: Path,
    stem: str,
    workers: int,
    language: str = LANGUAGES[0],
    values: Sequence[str] = (),
) -> Iterator[Batch]:
    """Make batches of a stream, in order; small streams are encoded in this process.

    The caller must delete the files of a batch.  If the stream has nothing yet, an empty batch
    without a name is yielded, as its sender waits for an answer.  If reading fails, everything
    before the failure is made first.
    """
    failed: Exception | None = None
    tasks = (
        Task(str(folder / f"{stem}-{number}"), block.line, form, block.text, language, list(values))
        for number, block in enumerate(cut(read, form))
    )
    maker = Maker()
    pool: Workers | None = None
    try:
        while True:
            try:
                task = next(tasks, None)
            except Exception as error:
                task, failed = None, error
            if task is None:
                break
            if workers < 2 or len(task.text) < BLOCK // 4:
                # Little is waiting: its sender wants an answer, not throughput.
                while pool is not None and pool.owed:
                    yield from map(_checked, pool.take(wait=True))
                yield _checked(maker.make(task)) if task.text else Batch("", [])
                continue
            if pool is None:
                # Not forked: DuckDB and the server have threads.
                read_batch = msgspec.msgpack.Decoder(Batch).decode
                pool = Workers(workers, make, forked=False, nice=NICE, read=read_batch)
            # Two blocks per worker, one in work and one queued, so that no worker is idle.
            made = list(pool.take(wait=pool.owed >= 2 * workers))
            pool.begin(msgspec.msgpack.encode(task))
            yield from map(_checked, made)
        while pool is not None and pool.owed:
            yield from map(_checked, pool.take(wait=True))
        if failed is not None:
            raise failed
    except WorkerDied as error:
        raise ArchiveError("worker.died") from error
    finally:
        if pool is not None:
            pool.close()


def _checked(batch: Batch) -> Batch:
    if batch.errno in (27, 28, 122):
        raise DiskFull("disk-full.import", why=batch.error)
    if batch.error:
        raise ArchiveError("import.not-written", why=batch.error)
    return batch
