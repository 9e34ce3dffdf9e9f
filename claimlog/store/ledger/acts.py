"""What the directors of events did: acts, in the order in which each event had them.

Rows are only ever added.  What an act says is known to `claimlog.directing` alone; here it is
text, of which the first act of an event tells the event's name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import msgspec

from claimlog.store.backend import now

if TYPE_CHECKING:
    from datetime import datetime

    from claimlog.store.backend import Backend, LedgerCursor


class ActRow(NamedTuple):
    """A row: the act's number within its event, when, who and why, and the act in JSON."""

    number: int
    at: datetime
    who: str
    why: str
    act: str


class _Named(msgspec.Struct):
    """What is read here of an event's first act."""

    name: str


def directed(backend: Backend) -> dict[int, str]:
    """The events that have a director's desk, and what they were called when it was made."""
    rows = backend.decided(
        "directed",
        lambda: backend.ask_ledger(
            "SELECT event, act FROM acts WHERE number = 1 ORDER BY stored_at"
        ),
    )
    return {event: msgspec.json.decode(act, type=_Named).name for event, act in rows}


def acts_of(cursor: LedgerCursor, event: int, after: int = 0) -> list[ActRow]:
    """The acts of an event behind one, in order."""
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
