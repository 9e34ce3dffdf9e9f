"""Signals wake an app that waits for keys.

Python handles a signal only when its main thread continues.  If another thread received the signal,
or it arrived just before the loop began to wait, a new terminal size would not be noticed before
the next key.
"""

from __future__ import annotations

import asyncio
import signal
import socket
from contextlib import contextmanager
from typing import TYPE_CHECKING

from textual.app import App

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def woken_by_signals() -> Iterator[None]:
    """Make the running loop continue at each signal; does nothing where this is not supported."""
    if not hasattr(signal, "SIGWINCH"):
        yield
        return
    loop = asyncio.get_running_loop()
    read, written = socket.socketpair()
    with read, written:
        for end in (read, written):
            end.setblocking(False)
        loop.add_reader(read, read.recv, 4096)
        signal.set_wakeup_fd(written.fileno(), warn_on_full_buffer=False)
        try:
            yield
        finally:
            signal.set_wakeup_fd(-1)
            loop.remove_reader(read)


class Waking(App[None]):
    """An app whose loop continues at each signal."""

    async def run_async(self, *args: object, **options: object) -> None:
        """See `textual.app.App.run_async`."""
        with woken_by_signals():
            await super().run_async(*args, **options)  # type: ignore[arg-type]
