"""Forked processes that judge pieces of a file beside this one.

A piece goes to a process as two offsets: everybody reads the same file.  A stream that
cannot be read at offsets is copied, piece by piece, to a file in memory first.
"""

from __future__ import annotations

import os
import pickle
import select
import struct
import tempfile
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable

_TASK: Final = struct.Struct("=qqq")
_LENGTH: Final = struct.Struct("=q")

AHEAD: Final = 4
"""Pieces that wait for each process, so that none is ever idle."""


def memory_file() -> int:
    """The descriptor of a file without a name, in memory where the system has such files."""
    if hasattr(os, "memfd_create"):
        return os.memfd_create("claimlog")
    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())


class Crew:
    """`size` processes that do `work` with pieces of the file `file`.

    `begin` hands out a piece, `collect` takes what is done, in any order; `finished` is
    called with the number of a piece and what came of it.
    """

    def __init__(
        self,
        size: int,
        file: int,
        work: Callable[[bytes], Any],
        finished: Callable[[int, Any], None],
    ) -> None:
        self.waiting = 0
        self._finished = finished
        self._results: dict[int, int] = {}
        take, self._tasks = os.pipe()
        try:
            for _ in range(size):
                result, put = os.pipe()
                process = os.fork()
                if not process:
                    try:
                        for end in (self._tasks, result, *self._results):
                            os.close(end)  # else nobody would see the others' end
                        _work(take, put, file, work)
                    finally:
                        os._exit(0)
                os.close(put)
                self._results[result] = process
        finally:
            os.close(take)

    @property
    def ready(self) -> bool:
        """Whether the processes can take another piece."""
        return self.waiting < AHEAD * len(self._results)

    def begin(self, number: int, start: int, stop: int) -> None:
        """Have the bytes `start` to `stop` of the file worked on."""
        os.write(self._tasks, _TASK.pack(number, start, stop))
        self.waiting += 1

    def collect(self, *, wait: bool) -> None:
        """Take what is done; if `wait`, at least one piece."""
        if not self.waiting:
            return
        for result in select.select(list(self._results), [], [], None if wait else 0)[0]:
            length = _read(result, _LENGTH.size)
            if not length:
                raise ChildProcessError("a process that judged games has ended")
            number, done = pickle.loads(_read(result, *_LENGTH.unpack(length)))
            self.waiting -= 1
            if isinstance(done, BaseException):
                raise done
            self._finished(number, done)

    def close(self) -> None:
        """End the processes, whatever they do."""
        os.close(self._tasks)
        for result, process in self._results.items():
            os.close(result)
            os.kill(process, 15)
            os.waitpid(process, 0)
        self._results.clear()


def _work(take: int, put: int, file: int, work: Callable[[bytes], Any]) -> None:
    """What a process does: a piece after the other, until there are no more."""
    while task := os.read(take, _TASK.size):
        number, start, stop = _TASK.unpack(task)
        try:
            done: Any = work(os.pread(file, stop - start, start))
        except Exception as error:
            done = error
        data = pickle.dumps((number, done), pickle.HIGHEST_PROTOCOL)
        view = memoryview(_LENGTH.pack(len(data)) + data)
        while view:
            view = view[os.write(put, view) :]


def _read(file: int, length: int) -> bytes:
    """Read so many bytes from a pipe, or b"" at its end."""
    data = b""
    while len(data) < length:
        more = os.read(file, length - len(data))
        if not more:
            return b""
        data += more
    return data
