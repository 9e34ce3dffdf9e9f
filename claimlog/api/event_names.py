"""Under which names the live tables of an event were opened: it may have been renamed or merged."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from claimlog.notation.names import folded
from claimlog.store import Ambiguous, NotFound

if TYPE_CHECKING:
    from claimlog.api.resources import Resources


async def names_at_tables(resources: Resources, id: str, name: str) -> set[str]:
    """Return the names of an event, as written, at live tables; `name` is the one that it has now.

    A former name that has become that of another event is not one of them.
    """
    archive = resources.archive
    rows = [await resources.tables.row(one) for one in resources.tables.all()]
    written = {row.event for row in rows if row.event}
    names = {one for one in written if folded(one) == folded(name)}
    others = written - names
    if not others:
        return names

    def ask() -> set[str]:
        known = {folded(one.before) for one in archive.event_names(id)}
        known |= {folded(one.alias_name) for one in archive.event_merges() if one.event == id}
        found = set()
        for one in others:
            with suppress(NotFound, Ambiguous):
                if folded(one) in known and archive.event(one).id == id:
                    found.add(one)
        return found

    return names | await resources.read(ask)
