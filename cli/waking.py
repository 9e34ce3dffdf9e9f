"""Signals wake an app that waits for keys, and a defect of ours ends it with a sentence.

Python handles a signal only when its main thread continues.  If another thread received the signal,
or it arrived just before the loop began to wait, a new terminal size would not be noticed before
the next key.
"""

from __future__ import annotations

import asyncio
import signal
import socket
from contextlib import contextmanager
from pathlib import Path
from traceback import extract_tb
from typing import TYPE_CHECKING

from textual.app import App

from .files import fail
from .language import tr

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
    """An app whose loop continues at each signal.

    If it fails, it shows no traceback, except with ``TEXTUAL=debug``; `failure` says why.
    """

    @property
    def failure(self) -> str:
        """The error that ended the app, and where it occurred; empty if there was none."""
        error = self._exception
        if error is None:
            return ""
        places = extract_tb(error.__traceback__)[-3:]
        where = " ".join(f"{Path(one.filename).name}:{one.lineno}" for one in places)
        return f"{type(error).__name__}: {error} ({where})"

    async def run_async(self, *args: object, **options: object) -> None:
        """See `textual.app.App.run_async`."""
        self.error_console.quiet = "debug" not in self.features
        with woken_by_signals():
            await super().run_async(*args, **options)  # type: ignore[arg-type]


def run_screen(app: Waking, kept: str, *, mouse: bool = True) -> None:
    """Run an app; if it fails, say why and what is `kept`, and end with exit code 2."""
    app.run(mouse=mouse)
    if app.failure:
        why = tr("the screen closed because of an error in claimlog: {why}", why=app.failure)
        fail(f"{why}\n{kept}")
