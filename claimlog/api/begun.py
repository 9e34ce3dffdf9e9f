"""Events of which there are only open tables: no game is stored, and no director has begun them."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Final

from claimlog.notation.names import folded
from claimlog.store import Ambiguous, NotFound
from claimlog.store.model.ids import event_number, write_id

if TYPE_CHECKING:
    from collections.abc import Callable

    from claimlog.api.resources import Resources
    from claimlog.api.tables.schemas import TableRow
    from claimlog.store import Archive

MOST: Final = 24
"""Events in a list."""


async def begun(resources: Resources, accepts: Callable[[str], bool]) -> dict[str, list[TableRow]]:
    """Return the open tables of such events, by name; `accepts` is asked about the folded name."""
    tables = resources.tables
    events: dict[str, list[TableRow]] = {}
    for row in [await tables.row(one) for one in tables.all() if one.state == "open"]:
        if row.event and accepts(folded(row.event)):
            events.setdefault(folded(row.event), []).append(row)
    latest = list(events.values())[:MOST]

    def look() -> dict[str, list[TableRow]]:
        named = [(those[0].event or "", those) for those in latest]
        return {name: those for name, those in named if not stored(resources.archive, name)}

    return await resources.read(look) if latest else {}


def stored(archive: Archive, name: str) -> bool:
    """Whether the archive has an event of this name, or one that had it."""
    with suppress(NotFound, Ambiguous):
        archive.event(write_id(event_number(name)))
        return True
    # By name also a similar one is found.
    with suppress(NotFound, Ambiguous):
        return folded(archive.event(name).name) == folded(name)
    return False
