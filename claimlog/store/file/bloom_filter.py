"""A Bloom filter for keys: that a game is new is most often known without asking the tables.

Each key of a stored game sets the bit that its last digits name.  A key whose bit is not set
belongs to no stored game; one whose bit is set is looked for.  The bits are found by one query,
once a few games have come after something else was written, and take 32 MB at most.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from claimlog.store.model.schema import KEYS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from duckdb import DuckDBPyConnection

    from claimlog.store.file.database import Database

COLUMNS: Final = (("records", "key"), *(("games", key) for key in KEYS))
"""Where keys stand: a record's own, and those by which it is found in another version."""

ROOM: Final = 64
"""Bits for each game's key, so that few are set by chance."""
LEAST: Final = 1 << 16
MOST: Final = 1 << 28
"""Bits of a filter."""
FEW: Final = 20
"""So many games are looked for before a filter is worth its query, and one for each `SHARE`."""
SHARE: Final = 10_000


class BloomFilter:
    """Finds which keys stored games have; whoever calls is writing."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self._bits = bytearray()
        self._changes = -1
        self._asked = 0

    def add(self, keys: Iterable[int]) -> None:
        """These keys are those of a stored game, too."""
        bits = self._bits
        last = 8 * len(bits) - 1
        if bits:
            for key in keys:
                bits[(key & last) >> 3] |= 0x80 >> (key & 7)

    def known(self, cursor: DuckDBPyConnection, keys: set[int], waiting: Iterable[int]) -> set[int]:
        """Those of `keys` that games in the tables have; `keys` are those of one or more new games.

        `waiting` are the keys of games that may come into the tables meanwhile.
        """
        self._renew(cursor, waiting)
        bits = self._bits
        if bits:
            last = 8 * len(bits) - 1
            keys = {key for key in keys if bits[(key & last) >> 3] & 0x80 >> (key & 7)}
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

    def _renew(self, cursor: DuckDBPyConnection, waiting: Iterable[int]) -> None:
        """Make the bits if they are worth it; those made before something was written are none."""
        if self._changes != self.database.changes:
            self._changes = self.database.changes
            self._bits = bytearray()
            self._asked = 0
        self._asked += 1
        if self._bits or self._asked < FEW:
            return
        row = cursor.execute("SELECT count(*) FROM games").fetchone()
        assert row is not None
        games = row[0]
        if self._asked < FEW + games // SHARE:
            return
        size = LEAST
        while size < min(MOST, ROOM * len(COLUMNS) * games):
            size *= 2
        keys = " UNION ALL ".join(f"SELECT {key} AS key FROM {table}" for table, key in COLUMNS)
        row = cursor.execute(
            f"SELECT bitstring_agg((key & {size - 1})::INTEGER, 0, {size - 1})::BLOB FROM ({keys})"
        ).fetchone()
        assert row is not None
        self._bits = bytearray(row[0] or size // 8)
        self.add(waiting)
