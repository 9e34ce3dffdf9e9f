"""`claimlog desk`: an event directed on a terminal, its tables live on the screen."""

from __future__ import annotations

import os
import sys

from ..archive.events import Event
from ..archive.opening import By, Db, open_archive
from ..files import fail
from ..language import tr


def desk(event: Event, by: By, db: Db = None) -> None:
    """Direct an event on a screen of its own: all tables live, and a line for commands.

    ? lists the commands. With --server it follows what phones record.
    """
    if not (sys.stdin.isatty() and sys.stdout.isatty()) or os.environ.get("TERM") == "dumb":
        fail(tr("desk needs a terminal; claimlog event does the same with commands"))
    from claimlog.store import Archive

    from ..waking import run_screen
    from .screen import Desk

    with open_archive(db, writing=True) as archive:
        archive.desk(event)
        app = Desk(archive, event, by, live=not isinstance(archive, Archive))
        run_screen(app, tr("All that was entered is kept in the archive."), mouse=False)
