"""The rows of the newest games, as lists and standings show them, kept in memory by a server.

DuckDB decodes a column of a block of games to read one of them, and a row of a list has forty.
Here a row is a JSON array of 400 bytes, which takes 2 µs to decode.
"""

from __future__ import annotations

from array import array
from binascii import a2b_base64
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from msgspec import json

from claimlog.store.model.schema import SEATS

if TYPE_CHECKING:
    from collections.abc import Mapping

MOST: Final = 150_000
"""The number of newest games whose rows are kept."""

SHOWN: Final = (
    *("gid", "revision", "digest", "stored_at", "event_name", "event", "site", "date", "round"),
    *("tbl", "seats", "deck", "rules", "rulings", "leader", "complete", "result"),
    *("votes1", "votes2", "votes3", "won1", "won2", "won3", "tiebreak", "termination", "tricks"),
    *("phase1_last", *(f"{column}{seat}" for seat in SEATS for column in "npir")),
)
"""The columns of `games` that a list shows."""
COLUMNS: Final = (*SHOWN, "day")
"""Those that are kept."""
_JSON_HAS: Final = {
    "digest": "to_base64(digest)",
    "stored_at": "epoch_us(stored_at)",
}
"""How JSON has a column that it knows no type for."""
ROW_SQL: Final = f"json_array({', '.join(_JSON_HAS.get(name, name) for name in COLUMNS)})::VARCHAR"
"""SQL: the row of a game as it is kept."""

_EPOCH: Final = datetime(1970, 1, 1)
_DIGEST, _STORED, _DAY = map(COLUMNS.index, ("digest", "stored_at", "day"))
_decode: Final = json.Decoder(list[Any]).decode


def unpacked(row: str | bytes) -> list[Any]:
    """The values of `COLUMNS`; those in `SHOWN` are for `shown`."""
    values = _decode(row)
    if values[_DAY] is not None:
        values[_DAY] = date.fromisoformat(values[_DAY])
    return values


def shown(values: list[Any]) -> list[Any]:
    """The values of `SHOWN`, as DuckDB gives them."""
    values = values[: len(SHOWN)]
    values[_DIGEST] = a2b_base64(values[_DIGEST])
    values[_STORED] = _EPOCH + timedelta(microseconds=values[_STORED])
    return values


class KeptRows:
    """The rows of games with consecutive numbers, of which some may be missing."""

    def __init__(self, first: int) -> None:
        self.first = first
        """The number of the first game."""
        self._text = bytearray()
        self._ends = array("Q", [0])

    def __len__(self) -> int:
        return len(self._ends) - 1

    def add(self, rows: Mapping[int, str], last: int) -> None:
        """Add the games up to number `last`."""
        for game in range(self.first + len(self), last + 1):
            self._text += rows.get(game, "").encode()
            self._ends.append(len(self._text))

    def get(self, game: int) -> list[Any] | None:
        """The values of `COLUMNS` of a game, if it is here; see `unpacked`."""
        at = game - self.first
        if not 0 <= at < len(self):
            return None
        text = bytes(self._text[self._ends[at] : self._ends[at + 1]])
        return unpacked(text) if text else None

    def newest(self) -> KeptRows:
        """The newest `MOST` of them."""
        rest = max(len(self) - MOST, 0)
        some = KeptRows(self.first + rest)
        begin = self._ends[rest]
        some._text = self._text[begin:]
        some._ends = array("Q", [end - begin for end in self._ends[rest:]])
        return some
