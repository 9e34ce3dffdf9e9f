"""The faults that a check of an archive finds."""

from __future__ import annotations

from typing import Final

from claimlog.language.messages import Message
from claimlog.store.model import types as t
from claimlog.store.model.ids import write_id

MOST_FAULTS: Final = 100


class Faults:
    """The first faults found, and the number of all."""

    def __init__(self) -> None:
        self.listed: list[t.Fault] = []
        self.count = 0

    def add(self, what: str, gid: int | None, key: str, /, **values: object) -> None:
        """Add the fault ``fault.`` plus key, of the game with this id if it belongs to a game."""
        self.count += 1
        if len(self.listed) < MOST_FAULTS:
            id = None if gid is None else write_id(gid)
            self.listed.append(t.Fault.of(what, id, Message(f"fault.{key}", **values)))

    def take(self, others: Faults) -> None:
        """Add other faults."""
        self.count += others.count
        self.listed = [*self.listed, *others.listed][:MOST_FAULTS]
