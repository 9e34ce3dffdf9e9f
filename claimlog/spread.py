"""Work for a Dask cluster: tasks go to its processes, and their answers come back in order.

A task is a picklable argument of a module-level function.  Tasks can be repeated: if a process is
killed, its tasks go to another one.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
from collections import deque
from typing import TYPE_CHECKING, Any, Final, TypeVar
from urllib.parse import urlsplit

from claimlog import __version__
from claimlog.language.messages import KeyedError, Message, message_of

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable

Task = TypeVar("Task")
Answer = TypeVar("Answer")

WAIT: Final = 10
"""Seconds in which a scheduler must answer and have workers."""

AHEAD: Final = 4
"""The number of tasks to hand out per worker thread."""

LONELY: Final = 60.0
"""Seconds without any worker after which nobody waits for one any longer."""

CHECK: Final = 5.0
"""Seconds between two checks, while an answer is awaited, whether there are workers."""

_one_at_a_time = threading.Lock()


class ClusterError(KeyedError):
    """The cluster cannot do what it is asked to; the message is meant for people."""


def _do(work: Callable[[Any], Any], task: Any) -> Any:
    # The code that judges and encodes keeps state for a single thread.
    with _one_at_a_time:
        return work(task)


async def _in_turn(work: Callable[[], object]) -> None:
    # A worker calls this in the thread in which it answers its scheduler.
    await asyncio.to_thread(_do, lambda _: work(), None)


def _version() -> str:
    return __version__


class Spread:
    """The workers of the scheduler at an address, ``tcp://host:port``.  Raises ClusterError."""

    def __init__(self, address: str) -> None:
        try:
            import logging

            import distributed
        except ImportError as error:
            raise ClusterError("cluster.packages") from error
        # Each of its loggers has its own level.
        for name in [name for name in logging.root.manager.loggerDict if "distributed" in name]:
            logging.getLogger(name).setLevel(logging.CRITICAL)
        self.address = address
        connect: Any = distributed.Client
        _knock(address)
        try:
            self._client: Any = connect(address, timeout=WAIT, set_as_default=False)
        except Exception as error:
            raise ClusterError(
                "cluster.unreachable", address=address, why=_first_line(error)
            ) from error
        try:
            self._threads = self._meet()
        except BaseException:
            self.close()
            raise

    def _meet(self) -> int:
        """Wait for workers that run this version of claimlog; return their number of threads."""
        try:
            self._client.wait_for_workers(1, timeout=WAIT)
        except TimeoutError as error:
            raise ClusterError("cluster.no-workers", address=self.address) from error
        try:
            versions = set(self._client.run(_version).values())
        except Exception as error:
            raise ClusterError(
                "cluster.workers-fail",
                address=self.address,
                version=__version__,
                why=_first_line(error),
            ) from error
        if versions != {__version__}:
            raise ClusterError(
                "cluster.versions",
                address=self.address,
                version=sorted(versions),
                other=__version__,
            )
        return sum(self._client.nthreads().values())

    def map(
        self, work: Callable[[Task], Answer], tasks: Iterable[Task]
    ) -> Generator[Answer, None, None]:
        """Run the tasks and yield their answers in order.  Raises what the work raises."""
        owed: deque[Any] = deque()
        try:
            for task in tasks:
                owed.append(self._submit(work, task))
                while len(owed) > AHEAD * self._threads:
                    yield self._answer(owed.popleft())
            while owed:
                yield self._answer(owed.popleft())
        finally:
            with contextlib.suppress(Exception):
                for future in owed:
                    future.cancel()

    def everywhere(self, work: Callable[[], object]) -> None:
        """Run `work` on every worker, between its tasks; those that have just died are ignored."""
        self._client.run(_in_turn, work, on_error="ignore")

    def _submit(self, work: Callable[[Task], Answer], task: Task) -> Any:
        try:
            return self._client.submit(_do, work, task, pure=False)
        except Exception as error:
            if self._client.status == "running":
                raise
            raise ClusterError("cluster.silent", address=self.address) from error

    def _answer(self, future: Any) -> Any:
        from distributed import CancelledError, KilledWorker
        from distributed.comm import CommClosedError

        try:
            self._wait(future)
            return future.result()
        except KilledWorker as error:
            raise ClusterError("cluster.died", address=self.address) from error
        except (CancelledError, CommClosedError) as error:
            raise ClusterError("cluster.silent", address=self.address) from error

    def _wait(self, future: Any) -> None:
        """Wait for an answer, while there are workers."""
        alone = 0.0
        while not future.done():
            try:
                future.exception(timeout=CHECK)
            except TimeoutError:
                alone = 0 if self._workers() else alone + CHECK
                if alone > LONELY:
                    raise ClusterError("cluster.no-workers", address=self.address) from None

    def _workers(self) -> int:
        """The number of workers that the scheduler knows."""
        try:
            return len(self._client.nthreads())
        except Exception as error:
            raise ClusterError("cluster.silent", address=self.address) from error

    def close(self) -> None:
        """Cancel the remaining work."""
        with contextlib.suppress(Exception):
            self._client.close()

    def __enter__(self) -> Spread:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _knock(address: str) -> None:
    """Check that something listens at the address: a client without a server gives up slowly."""
    parts = urlsplit(address)
    try:
        if parts.scheme not in ("tcp", "tls") or not parts.hostname or not parts.port:
            raise ValueError
    except ValueError:
        raise ClusterError("cluster.address", address=address) from None
    try:
        socket.create_connection((parts.hostname, parts.port), WAIT).close()
    except OSError as error:
        raise ClusterError(
            "cluster.unreachable", address=address, why=_first_line(error)
        ) from error


def _first_line(error: BaseException) -> Message:
    if isinstance(error, OSError) and error.strerror:
        return message_of(error)
    return Message("said", text=" ".join(str(error).split())[:300] or type(error).__name__)
