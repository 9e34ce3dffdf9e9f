"""Names, and who has which name, Id tag or id: kept in memory by a server, to save planning SQL.

A name is compared as by DuckDB's `lower`.  Python agrees about the letters of Latin-1; for any
other, and whenever names may have changed since they were read, the tables are asked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from claimlog.notation.names import tidy
from claimlog.store.model.ids import read_id

if TYPE_CHECKING:
    from collections.abc import Iterable

    from claimlog.store.backend import Backend
    from claimlog.store.model import types as t

MOST: Final = 50_000
"""The largest number of players and events that are kept, of 450 bytes each."""
_LATIN_1: Final = "\xff"

_SQL: Final[dict[t.Kind, str]] = {
    "player": "SELECT player, name, lower(name), tag_id FROM players",
    "event": "SELECT event, name, lower(name), NULL FROM events",
}


class _Names:
    """The names of all players, or of all events."""

    def __init__(self, rows: list[tuple[Any, ...]]) -> None:
        self.name_of: dict[int, str | None] = {number: name for number, name, _, _ in rows}
        self.names = _by_text((name, number) for number, _, name, _ in rows)
        self.tags = _by_text((tag, number) for number, _, _, tag in rows)


def _by_text(pairs: Iterable[tuple[str | None, int]]) -> dict[str, tuple[int, ...]]:
    """The numbers by text."""
    numbers: dict[str, tuple[int, ...]] = {}
    for text, number in pairs:
        if text is not None:
            numbers[text] = (*numbers.get(text, ()), number)
    return numbers


class Called:
    """Finds players and events by what they are called exactly, for any number of threads."""

    def __init__(self, database: Backend) -> None:
        self.database = database
        self.wanted = False
        """Whether somebody has asked for what only `prepare` can read."""
        self._known: tuple[tuple[Any, ...], dict[t.Kind, _Names]] = (), {}
        """The names, and what the backend counted before they were read."""

    def find(self, kind: t.Kind, text: str) -> set[int] | None:
        """The players or events with this id, Id tag or name; None if the tables must be asked."""
        names, number, name = self._current(kind), read_id(text), tidy(text)
        if names is None:
            return None
        # An id goes before a name.
        if number is not None and number in names.name_of:
            return {number}
        if name > "" and max(name) > _LATIN_1:
            return None
        return {*names.tags.get(name, ()), *names.names.get(name.lower(), ())}

    def names(self, kind: t.Kind, numbers: Iterable[int]) -> dict[int, str] | None:
        """The names of these players or events by number; None if the tables must be asked."""
        names = self._current(kind)
        if names is None:
            return None
        given = ((number, names.name_of.get(number)) for number in numbers)
        return {number: name for number, name in given if name is not None}

    def _current(self, kind: t.Kind) -> _Names | None:
        """The names, if they are known."""
        if self.database.version is None:
            return None
        self.database.settle()
        counted, known = self._known
        self.wanted = counted != self._counted()
        return None if self.wanted or not known else known[kind]

    def prepare(self) -> None:
        """Read the names, unless they are known; not while this thread writes."""
        self.wanted = False
        if self.database.version is None:
            return
        self.database.settle()
        counted = self._counted()
        if self._known[0] == counted:
            return
        with self.database.snapshot() as cursor:
            ((number,),) = cursor.execute(
                "SELECT (SELECT count(*) FROM players) + (SELECT count(*) FROM events)"
            ).fetchall()
            known = {
                kind: _Names(cursor.execute(sql).fetchall())
                for kind, sql in _SQL.items()
                if number <= MOST
            }
        self._known = counted, known

    def _counted(self) -> tuple[Any, ...]:
        """What the backend counts; it changes whenever a name does."""
        return self.database.version, self.database.named
