"""The faults that a check of an archive finds."""

from __future__ import annotations

from typing import Final

from claimlog.language.messages import Message
from claimlog.store.model import types as t
from claimlog.store.model.ids import write_id

MOST_FAULTS: Final = 100


def fault_of(what: str, gid: int | None, key: str, /, **values: object) -> t.Fault:
    """The fault ``fault.`` plus key, of the game with this id if it belongs to a game."""
    id = None if gid is None else write_id(gid)
    return t.Fault.of(what, id, Message(f"fault.{key}", **values))


class Faults:
    """The first faults found, and the number of all."""

    def __init__(self) -> None:
        self.listed: list[t.Fault] = []
        self.count = 0

    def add(self, what: str, gid: int | None, key: str, /, **values: object) -> None:
        """Add a fault, see `fault_of`."""
        self.count += 1
        if len(self.listed) < MOST_FAULTS:
            self.listed.append(fault_of(what, gid, key, **values))

    def take(self, others: Faults) -> None:
        """Add other faults."""
        self.count += others.count
        self.listed = [*self.listed, *others.listed][:MOST_FAULTS]
