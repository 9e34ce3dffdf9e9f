"""`claimlog index`: bring new games of an archive in PostgreSQL to its lists and statistics."""

from __future__ import annotations

import signal
import threading
from typing import Annotated

import typer

from claimlog.store.addresses import is_address

from .archive.opening import Db, open_archive
from .files import fail, say
from .language import amount, said, tr


def index(
    db: Db = None,
    once: Annotated[bool, typer.Option("--once", help="Bring what there is now, and end.")] = False,
) -> None:
    """Bring what was stored in PostgreSQL to the lake, which lists and statistics are asked of.

    Runs beside the servers until SIGINT or SIGTERM. Of several, one is at work and the others wait
    to take over.
    """
    if not is_address(db):
        fail(said("only an archive in PostgreSQL is indexed: --db postgresql://…"))
    stopped = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stopped.set())
    with open_archive(db, writing=True) as archive:
        if not once:
            typer.echo(tr("claimlog indexes {file}", file=archive.where))
        total = archive.index(
            once=once,
            going_on=lambda: not stopped.is_set(),
            fault=None if once else lambda error: say(said(error)),
        )
    typer.echo(tr("{number} revisions indexed", number=amount(total)))
