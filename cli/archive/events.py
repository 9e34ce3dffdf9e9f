"""`claimlog event`: rename events, merge and split them."""

from __future__ import annotations

from typing import Annotated

import typer

from ..language import tr
from ..usage import Group
from . import completing
from .opening import By, Db, Why, open_archive
from .tables import Column, Look, show, tabled, tell_merge

event = typer.Typer(
    cls=Group,
    pretty_exceptions_enable=False,
    add_completion=False,
    help="Direct an event from the entry list to the end; rename and merge events.",
)

Event = Annotated[
    str, typer.Argument(help="The event's name or id.", autocompletion=completing.events)
]

NAMES: list[Column] = [
    Column("before", lambda row: row.before, least=16),
    Column("name", lambda row: row.name, least=16),
    Column(
        "at (UTC)",
        lambda row: f"{row.at:%Y-%m-%d %H:%M:%S}",
        spare=1,
        order=lambda row: f"{row.at:%Y-%m-%d %H:%M:%S.%f}",
    ),
    Column("by", lambda row: row.by),
    Column("why", lambda row: row.why, spare=2),
]


@event.command()
def rename(
    event: Event,
    name: Annotated[str, typer.Argument(help="The new name.")],
    by: By,
    why: Why = "",
    db: Db = None,
) -> None:
    """Give an event another name; the records stay as they are."""
    with open_archive(db, writing=True) as archive:
        before = archive.event(event).name
        row = archive.rename_event(event, name, by=by, why=why)
    print(tr("{event} is now called {name}", event=before, name=row.name))


@event.command()
@tabled()
def names(event: Event, look: Look, db: Db = None) -> None:
    """Show the names that an event was given, by whom, when and why."""
    with open_archive(db) as archive:
        given = archive.event_names(event)
    show(given, NAMES, look)


@event.command()
def merge(
    alias: Annotated[
        str,
        typer.Argument(
            help="The event that is the same as the other.", autocompletion=completing.events
        ),
    ],
    into: Event,
    by: By,
    why: Why = "",
    db: Db = None,
) -> None:
    """Count the games of one event for another from now on."""
    with open_archive(db, writing=True) as archive:
        merged = archive.merge_events(alias, into, by=by, why=why)
    tell_merge(merged.alias_name, merged.alias, merged.event, merged.event_name)


@event.command()
def split(
    alias: Annotated[
        str, typer.Argument(help="The event that was merged.", autocompletion=completing.events)
    ],
    by: By,
    why: Why = "",
    db: Db = None,
) -> None:
    """Undo a merge of events."""
    with open_archive(db, writing=True) as archive:
        undone = archive.split_event(alias, by=by, why=why)
    print(tr("{alias} is a separate event again", alias=undone.alias_name or alias))
