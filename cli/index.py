"""`claimlog index`: add new games of an archive in PostgreSQL to its lists and statistics."""

from __future__ import annotations

import signal
import threading
from typing import Annotated

import typer

from claimlog.store.addresses import is_address

from .archive.opening import Db, lake_of, patiently, refusals
from .files import fail, say
from .language import amount, said, tr


def index(
    db: Db = None,
    once: Annotated[bool, typer.Option("--once", help="Copy what is there now, and exit.")] = False,
    every: Annotated[
        float,
        typer.Option(
            min=0.05,
            max=3600,
            metavar="SECONDS",
            help="How far lists may lag behind single games; a longer time means less work.",
        ),
    ] = 0.2,
) -> None:
    """Copy what was stored in PostgreSQL to the lake, which lists and statistics read.

    Runs alongside the servers until SIGINT or SIGTERM. If several run, one works and the others
    wait to take over. While PostgreSQL or the lake does not answer, it waits and says so.

    Exit codes: 0 stopped, or with --once everything is copied; 2 the archive cannot be used, or
    with --once does not answer.
    """
    if not is_address(db):
        fail(said("index.without-postgres"))
    stopped = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stopped.set())
    from claimlog.store import Archive

    def opened() -> Archive:
        return Archive.open(db, lake=lake_of(db), create=False)

    with refusals():
        archive = opened() if once else patiently(opened, stopped.wait)
        if archive is None:
            return
        with archive:
            if not once:
                typer.echo(tr("claimlog indexes {file}", file=archive.where))
            total = archive.index(
                once=once,
                going_on=lambda: not stopped.is_set(),
                fault=None if once else lambda error: say(said(error)),
                pause=every,
            )
    typer.echo(tr("{number} revisions indexed", number=amount(total)))
