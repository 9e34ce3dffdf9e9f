"""The acts of the directors of events, in order, per event.

Rows are only ever added.  Only `claimlog.directing` knows what an act says; here it is text, from
which just the event's name is read, in the event's first act.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import msgspec

from claimlog.store.backend import now

if TYPE_CHECKING:
    from datetime import datetime

    from claimlog.store.backend import Backend, LedgerCursor


class ActRow(NamedTuple):
    """A row: the act's number within its event, when, who and why, and the act as JSON."""

    number: int
    at: datetime
    who: str
    why: str
    act: str


class _Named(msgspec.Struct):
    """The part of an event's first act that is read here."""

    name: str


def directed(backend: Backend) -> dict[int, str]:
    """The events that have a director's desk, with their names when it was created."""
    rows = backend.decided(
        "directed",
        lambda: backend.ask_ledger(
            "SELECT event, act FROM acts WHERE number = 1 ORDER BY stored_at"
        ),
    )
    return {event: msgspec.json.decode(act, type=_Named).name for event, act in rows}


def acts_of(cursor: LedgerCursor, event: int, after: int = 0) -> list[ActRow]:
    """The acts of an event after number `after`, in order."""
    rows = cursor.execute(
        "SELECT number, stored_at, who, why, act FROM acts WHERE event = ? AND number > ? "
        "ORDER BY number",
        [event, after],
    ).fetchall()
    return [ActRow._make(row) for row in rows]


def add_act(
    backend: Backend, cursor: LedgerCursor, event: int, number: int, by: str, why: str, act: str
) -> None:
    """Add an act to an event, within `Backend.decide`."""
    decision = [event, number, now(), by, why, act]
    cursor.execute("INSERT INTO acts VALUES (?, ?, ?, ?, ?, ?)", decision)
    backend.link(cursor, "acts", *decision)
