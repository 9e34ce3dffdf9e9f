"""A Bloom filter for keys: most new games are recognised as new without querying the tables.

Each key of a stored game sets two bits, given by the lowest bits of its two halves.  A key with a
bit that is not set belongs to no stored game; any other has to be looked up.  One query makes the
bits, when a server starts and once a few games have arrived since anything else was written; they
take at most 32 MB.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from claimlog.store.intake.checks import number_of
from claimlog.store.model.schema import KEYS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from duckdb import DuckDBPyConnection

    from claimlog.store.file.database import Database

COLUMNS: Final = (("records", "key"), *(("games", key) for key in KEYS))
"""The key columns: a record's own key, and those by which its other versions are found."""

ROOM: Final = 64
"""Bits per key, enough that few are set by chance."""
HALF: Final = 32
"""Bits of half a key."""
LEAST: Final = 1 << 16
MOST: Final = 1 << 28
"""The smallest and largest number of bits in a filter."""
FEW: Final = 20
"""Look-ups before a filter is worth its query, plus one for every `SHARE` stored games."""
SHARE: Final = 10_000


class BloomFilter:
    """Tells which keys stored games have; the caller must be writing."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self._bits = bytearray()
        self._changes = -1
        self._asked = 0

    def add(self, keys: Iterable[int]) -> None:
        """Add the keys of a stored game."""
        bits = self._bits
        last = 8 * len(bits) - 1
        if bits:
            for key in keys:
                for half in (key, key >> HALF):
                    bits[(half & last) >> 3] |= 0x80 >> (half & 7)

    def known(self, cursor: DuckDBPyConnection, keys: set[int], waiting: Iterable[int]) -> set[int]:
        """Return those of `keys` that games in the tables have; `keys` are those of new games.

        `waiting` are the keys of games that may come into the tables in the meantime.
        """
        self._renew(cursor, waiting)
        bits = self._bits
        if bits:
            last = 8 * len(bits) - 1
            keys = {
                key
                for key in keys
                if bits[(key & last) >> 3] & 0x80 >> (key & 7)
                and bits[(key >> HALF & last) >> 3] & 0x80 >> (key >> HALF & 7)
            }
            if not keys:
                return keys
        rows = cursor.execute(
            " UNION ALL ".join(
                f"SELECT {key} FROM {table} WHERE {key} IN (SELECT unnest($1::UBIGINT[]))"
                for table, key in COLUMNS
            ),
            [list(keys)],
        ).fetchall()
        return {row[0] for row in rows}

    def prepare(self, cursor: DuckDBPyConnection, waiting: Iterable[int]) -> None:
        """Make the bits now; see `known`."""
        self._drop_old()
        if not self._bits:
            self._make(cursor, number_of(cursor, "games"), waiting)

    def _renew(self, cursor: DuckDBPyConnection, waiting: Iterable[int]) -> None:
        """Make the bits if they are worth it; drop those from before the last write."""
        self._drop_old()
        self._asked += 1
        if self._bits or self._asked < FEW:
            return
        games = number_of(cursor, "games")
        if self._asked >= FEW + games // SHARE:
            self._make(cursor, games, waiting)

    def _drop_old(self) -> None:
        if self._changes != self.database.changes:
            self._changes = self.database.changes
            self._bits = bytearray()
            self._asked = 0

    def _make(self, cursor: DuckDBPyConnection, games: int, waiting: Iterable[int]) -> None:
        size = LEAST
        while size < min(MOST, ROOM * len(COLUMNS) * games):
            size *= 2
        keys = " UNION ALL ".join(f"SELECT {key} AS key FROM {table}" for table, key in COLUMNS)
        row = cursor.execute(
            f"SELECT bitstring_agg((half & {size - 1})::INTEGER, 0, {size - 1})::BLOB "
            f"FROM (SELECT unnest([key, key >> {HALF}]) AS half FROM ({keys}))"
        ).fetchone()
        assert row is not None
        self._bits = bytearray(row[0] or size // 8)
        self.add(waiting)
