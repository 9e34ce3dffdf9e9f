"""Rows on their way into a table, collected column by column.

The encoder fills them; it is compiled together with this module (``rows.pxd``), or interpreted.
"""

from typing import Any

from claimlog.store.intake.staging import Layout

ROOM = 64
"""The number of rows for which there is room at first."""
HEAD = 4
"""The bytes before a text: its length."""


def packed(text: bytes) -> bytes:
    """A text preceded by its length, as in a file."""
    return len(text).to_bytes(HEAD, "little") + text


class Rows:
    """`count` rows of a table.

    `data` has room for `room` rows: the fixed-width columns one after another, each with its values
    one after another, least significant byte first.  `texts` are the columns of packed texts.
    """

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.count = 0
        self.room = ROOM
        self.data = bytearray(ROOM * layout.width)
        self.texts: list[list[bytes]] = [[] for _ in range(layout.texts)]

    def make_room(self, rows: int) -> None:
        """Make room for more rows."""
        if self.count + rows <= self.room:
            return
        before = self._columns()
        while self.count + rows > self.room:
            self.room *= 2
        self.data = bytearray(self.room * self.layout.width)
        for at, column in zip(self.layout.offsets, before, strict=True):
            k = at * self.room
            self.data[k : k + len(column)] = column

    def _columns(self) -> list[bytes]:
        """The fixed-width columns."""
        room = self.room
        count = self.count
        return [
            bytes(self.data[at * room : at * room + size * count])
            for at, size in zip(self.layout.offsets, self.layout.sizes, strict=True)
        ]

    def take(self) -> bytes:
        """Return a file of the rows, and drop them."""
        file = self.layout.file(self._columns(), self.texts, self.count)
        self.drop()
        return file

    def drop(self) -> None:
        """Drop the rows."""
        self.count = 0
        self.texts = [[] for _ in range(self.layout.texts)]

    def lists(self) -> list[list[Any]]:
        """The columns as lists of Python values, None for unknown ones."""
        return self.layout.lists(self._columns(), self._plain())

    def dicts(self, columns: list[str]) -> list[dict[str, Any]]:
        """The rows as Python values; only these columns."""
        return self.layout.dicts(self._columns(), self._plain(), columns)

    def _plain(self) -> list[list[str]]:
        """The columns of texts, unpacked."""
        return [[text[HEAD:].decode() for text in column] for column in self.texts]
