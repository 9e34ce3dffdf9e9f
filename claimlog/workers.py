"""Worker processes that answer tasks in the order in which these were given.

A task and its answer are bytes.  `Workers` hands each task to the least busy process, collects
answers as they arrive and yields them in order; an exception in a worker is raised here.  Processes
are forked, so they start at once with everything this process has loaded.  Where this process has
threads (which rules out forking) or the system has no fork, they are started from scratch.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
from collections import deque
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any, BinaryIO, Final, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Work = Callable[[bytes], bytes]

MEMORY: Final = dict.fromkeys(("MALLOC_MMAP_THRESHOLD_", "MALLOC_TRIM_THRESHOLD_"), str(1 << 30))
"""Make the C library of Linux keep freed memory: a worker soon needs as much again."""

HEAD: Final = 5
"""The bytes before each message: its length, in four bytes, and whether it is an exception."""


def may_fork() -> bool:
    """Whether this process can be forked: only beside no other thread, which could hold a lock."""
    if not hasattr(os, "fork") or threading.active_count() > 1:
        return False
    try:
        return len(os.listdir("/proc/self/task")) == 1
    except OSError:
        return True


class WorkerDied(ChildProcessError):  # noqa: N818 — it says what happened
    """A worker ended before its work was done."""


@dataclass(eq=False, slots=True)
class _Process:
    """A process with a pipe in each direction; `asked` are its unanswered tasks."""

    tasks: BinaryIO
    answers: BinaryIO
    end: Callable[[], object]
    asked: deque[int] = field(default_factory=deque)


def _forked(work: Work, nice: int, others: list[_Process]) -> _Process:
    """Fork this process."""
    take, tasks = os.pipe()
    answers, put = os.pipe()
    child = os.fork()
    if not child:
        try:
            # Otherwise nobody would see the end of the others' pipes.
            for other in others:
                os.close(other.tasks.fileno())
                os.close(other.answers.fileno())
            os.close(tasks)
            os.close(answers)
            _answer(os.fdopen(take, "rb"), os.fdopen(put, "wb"), work, nice)
        finally:
            os._exit(0)
    os.close(take)
    os.close(put)

    def end() -> None:
        # SIGTERM would be lost if it came before Python has forgotten the parent's signals.
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)

    return _Process(os.fdopen(tasks, "wb"), os.fdopen(answers, "rb"), end)


def _started(work: Work, nice: int) -> _Process:
    """Start a new process; `work` is a module-level function."""
    call = f"serve({work.__module__!r}, {work.__qualname__!r}, {nice})"
    process = subprocess.Popen(
        [sys.executable, "-P", "-c", f"from claimlog.workers import serve; {call}"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=os.environ | MEMORY,
    )

    def end() -> None:
        process.kill()
        process.wait()

    return _Process(cast("BinaryIO", process.stdin), cast("BinaryIO", process.stdout), end)


class Workers:
    """`size` processes that do `work`, with at most `ahead` tasks queued for each.

    `begin` submits a task, `take` yields the answers, as decoded by `read`.  Processes are `forked`
    or newly started, as `may_fork` says.  With `nice` they yield to other processes.  Every method
    raises WorkerDied if a process has ended or was killed.
    """

    def __init__(
        self,
        size: int,
        work: Work,
        *,
        forked: bool,
        ahead: int = 2,
        nice: int = 0,
        read: Callable[[bytes], Any] = bytes,
    ) -> None:
        self._ahead = ahead
        self._read = read
        self._begun = self._taken = 0
        self._done: dict[int, Any] = {}
        self._heard: queue.SimpleQueue[tuple[_Process, tuple[bool, bytes] | None]]
        self._heard = queue.SimpleQueue()
        self._listeners: list[threading.Thread] = []
        self._processes: list[_Process] = []
        try:
            for _ in range(size):
                others = self._processes
                others.append(_forked(work, nice, others) if forked else _started(work, nice))
        except BaseException:
            self.close()
            raise
        # Threads listen, so that no process is blocked on answering while this one sends; they
        # start only now, because forking must not happen beside threads.
        for process in self._processes:
            listener = threading.Thread(target=self._listen, args=(process,), daemon=True)
            listener.start()
            self._listeners.append(listener)

    @property
    def owed(self) -> int:
        """The number of tasks begun whose answers have not been taken yet."""
        return self._begun - self._taken

    @property
    def ready(self) -> bool:
        """Whether a process can take another task."""
        self._collect(wait=False)
        return any(len(process.asked) < self._ahead for process in self._processes)

    def begin(self, task: bytes) -> None:
        """Give a task to the least busy process."""
        process = min(self._processes, key=lambda each: len(each.asked))
        process.asked.append(self._begun)
        self._begun += 1
        try:
            _send(process.tasks, task)
        except OSError as error:
            raise WorkerDied("a worker process has died") from error

    def add(self, answer: Any) -> None:
        """Add an answer found in this process, to be yielded when its turn comes."""
        self._done[self._begun] = answer
        self._begun += 1

    def take(self, *, wait: bool) -> Iterator[Any]:
        """Yield the answers whose turn has come; if `wait`, at least one, unless none is owed."""
        self._collect(wait=False)
        while self.owed and (wait or self._taken in self._done):
            while self._taken not in self._done:
                self._collect(wait=True)
            wait = False
            answer = self._done.pop(self._taken)
            self._taken += 1
            yield answer

    def close(self) -> None:
        """End the processes, whatever they are doing."""
        for process in self._processes:
            process.end()
        for listener in self._listeners:
            listener.join()
        for process in self._processes:
            process.answers.close()
            with contextlib.suppress(OSError):  # unread tasks are lost
                process.tasks.close()
        self._processes.clear()
        self._listeners.clear()

    def _listen(self, process: _Process) -> None:
        """Queue the answers of a process until it ends."""
        answer: tuple[bool, bytes] | None = (False, b"")
        while answer is not None:
            answer = _receive(process.answers)
            self._heard.put((process, answer))

    def _collect(self, *, wait: bool) -> None:
        """Process the queued answers; if `wait`, wait for at least one."""
        while wait or not self._heard.empty():
            process, answer = self._heard.get()
            wait = False
            if answer is None:
                raise WorkerDied("a worker process has died")
            failed, data = answer
            if failed:
                raise pickle.loads(data)
            self._done[process.asked.popleft()] = self._read(data)


class Worker:
    """One process that does one task after another, for threads that wait for the answers.

    It starts with the first task, as a new process, not forked.  `end` ends it from any thread,
    even in the middle of its work; it cannot be used afterwards.
    """

    def __init__(self, work: Work, *, nice: int = 0) -> None:
        self._work = work
        self._nice = nice
        self._workers: Workers | None = None
        self._lock = threading.Lock()
        self._ended = False

    def ask(self, task: bytes) -> bytes:
        """Run a task and return its answer.  Raises WorkerDied, also after a call of `end`."""
        with self._lock:
            if self._ended:
                raise WorkerDied("the worker process was ended")
            if self._workers is None:
                self._workers = Workers(1, self._work, forked=False, nice=self._nice)
            workers = self._workers
            workers.begin(task)
        (answer,) = workers.take(wait=True)
        return cast("bytes", answer)

    def end(self) -> None:
        """End the process, whatever it is doing."""
        with self._lock:
            self._ended = True
            workers, self._workers = self._workers, None
        if workers is not None:
            workers.close()


def serve(module: str, name: str, nice: int) -> None:
    """Run a newly started process; its work is a module-level function."""
    work: Work = getattr(import_module(module), name)
    _answer(sys.stdin.buffer, sys.stdout.buffer, work, nice)


def _answer(tasks: BinaryIO, answers: BinaryIO, work: Work, nice: int) -> None:
    """Do one task after another until there are no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # a forked process has its parent's handler
    if nice and hasattr(os, "nice"):
        os.nice(nice)
    while (task := _receive(tasks)) is not None:
        failed = False
        try:
            data = work(task[1])
        except Exception as error:
            failed = True
            data = pickle.dumps(error)
        try:
            _send(answers, data, failed=failed)
        except OSError:
            return


def _send(stream: BinaryIO, data: bytes, *, failed: bool = False) -> None:
    stream.write(len(data).to_bytes(4, "big") + bytes([failed]))
    stream.write(data)
    stream.flush()


def _receive(stream: BinaryIO) -> tuple[bool, bytes] | None:
    """Return the next message and whether it is an exception; None at the end."""
    head = stream.read(HEAD)
    if len(head) < HEAD:
        return None
    size = int.from_bytes(head[:4], "big")
    data = stream.read(size)
    return (bool(head[4]), data) if len(data) == size else None
