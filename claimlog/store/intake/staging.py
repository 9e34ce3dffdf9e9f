"""Rows on their way into the tables: their layout in memory and in files, and reading them.

The encoder writes the fixed-width columns of a row into one buffer, number after number, least
significant byte first; texts go to a list.  `Layout` knows the columns, turns both into a Parquet
file and has the SQL that reads it.  Unknown values have stand-ins.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from claimlog.store.intake.parquet import Column, Kind, parquet
from claimlog.store.model.codes import MARGIN, NONE
from claimlog.store.model.schema import FACTIONS_WON, STAGED, TRICKS, UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence


class _Type(NamedTuple):
    """How a column type is stored: its Parquet kind, its size, and the stand-in for unknown."""

    kind: Kind
    code: str
    """The format for `struct`; "" for a text."""
    none: str
    """SQL for the stand-in."""


_TYPES: Final = {
    "UTINYINT": _Type("byte", "B", str(NONE)),
    "TINYINT": _Type("byte", "B", str(NONE)),
    "BOOLEAN": _Type("byte", "B", ""),
    "INTEGER": _Type("int", "i", "-1"),
    "UBIGINT": _Type("number", "Q", "0"),
    "FLOAT": _Type("real", "f", "'nan'"),
    "DATE": _Type("date", "i", "'-infinity'"),
    "TIMESTAMP": _Type("moment", "q", "'-infinity'"),
    "VARCHAR": _Type("text", "", "''"),
    "BLOB": _Type("digest", "32s", ""),
}

NO_INTEGER: Final = 2**32 - 1
NO_NUMBER: Final = 0
NO_REAL: Final = int.from_bytes(struct.pack("<f", float("nan")), "little")
NO_DATE: Final = (1 - 2**31) & (2**32 - 1)
NO_MOMENT: Final = (1 - 2**63) & (2**64 - 1)
"""The stand-ins, as they are written."""


class _Picked(NamedTuple):
    """How columns are picked from the numbers and texts of a row."""

    places: list[int]
    unknown: list[tuple[int, Any]]
    """Columns that may be unknown, and their stand-ins."""
    converted: list[tuple[int, Callable[[Any], Any]]]
    """Columns with values that are converted."""


class Layout:
    """The layout of one table's rows: `width` bytes and `texts` texts each."""

    def __init__(self, columns: list[tuple[str, str]]) -> None:
        self.names = [name for name, _ in columns]
        self._types = [_TYPES[kind] for _, kind in columns]
        self._sql = dict(columns)
        self._struct = struct.Struct("<" + "".join(one.code for one in self._types))
        self.width = self._struct.size
        self.texts = sum(not one.code for one in self._types)
        self._picks: dict[tuple[str, ...], _Picked] = {}

    def file(self, rows: bytes, words: list[bytes]) -> bytes:
        """A Parquet file of rows and their texts."""
        columns = []
        at = word = 0
        for name, type in zip(self.names, self._types, strict=True):
            if type.code:
                size = struct.calcsize(f"<{type.code}")
                columns.append(Column(name, type.kind, _picked(rows, at, size, self.width)))
                at += size
            else:
                columns.append(Column(name, type.kind, _joined(words[word :: self.texts])))
                word += 1
        return parquet(columns, len(rows) // self.width)

    def values(
        self, rows: bytes, words: Sequence[bytes], columns: Iterable[str]
    ) -> Iterator[dict[str, Any]]:
        """Yield columns of rows as Python values, None for unknown ones."""
        names = tuple(columns)
        for row in self._tuples(rows, words, names):
            yield dict(zip(names, row, strict=True))

    def lists(self, rows: bytes, words: Sequence[bytes]) -> list[list[Any]]:
        """The columns of rows as lists of Python values, as `values_sql` takes them."""
        valued = list(self._tuples(rows, words, tuple(self.names)))
        if not valued:
            return [[] for _ in self.names]
        return list(map(list, zip(*valued, strict=True)))

    def _tuples(
        self, rows: bytes, words: Sequence[bytes], columns: tuple[str, ...]
    ) -> Iterator[list[Any]]:
        """Yield the values of columns, row by row."""
        places, unknown, converted = self._pick(columns)
        texts = self.texts
        first = 0
        for numbers in self._struct.iter_unpack(rows):
            raw = (*numbers, *[word.decode() for word in words[first : first + texts]])
            first += texts
            row = [raw[place] for place in places]
            for at, stand_in in unknown:
                if row[at] == stand_in:
                    row[at] = None
            for at, convert in converted:
                row[at] = convert(row[at])
            yield row

    def _pick(self, columns: tuple[str, ...]) -> _Picked:
        """Return how to pick these columns."""
        picked = self._picks.get(columns)
        if picked is None:
            texts = [
                one for one, type in zip(self.names, self._types, strict=True) if not type.code
            ]
            stored = [name for name in self.names if name not in texts] + texts
            picked = self._picks[columns] = _Picked(
                [stored.index(name) for name in columns],
                [
                    (at, _NO_VALUE[self._sql[name]])
                    for at, name in enumerate(columns)
                    if name in UNKNOWN and self._sql[name] in _NO_VALUE
                ],
                [
                    (at, convert)
                    for at, name in enumerate(columns)
                    if (convert := self._converter(name)) is not None
                ],
            )
        return picked

    def _converter(self, name: str) -> Callable[[Any], Any] | None:
        """Return what makes a value of a column that is neither stored as itself nor unknown."""
        if name == "margin":
            return lambda value: None if value == NONE else value - MARGIN
        if self._sql[name] == "BOOLEAN":
            return bool
        if name in UNKNOWN and self._sql[name] == "FLOAT":
            return lambda value: None if value != value else value
        return None

    def values_sql(self, columns: Iterable[str], many: bool, first: int = 1) -> str:
        """SQL: columns made from such values, from parameter `first` on; of `many` rows, or one."""
        return ", ".join(
            _parameter(self._sql[name], number, many) for number, name in enumerate(columns, first)
        )

    def sql(self, columns: Iterable[str]) -> str:
        """SQL: columns of such a file, converted to those of the table."""
        listed = []
        for name in columns:
            kind, value = self._sql[name], name
            if name in UNKNOWN:
                value = f"nullif({name}, {_TYPES[kind].none})"
            if name == "margin":
                value = f"({value}::SMALLINT - {MARGIN})::TINYINT"
            elif kind == "BOOLEAN":
                value = f"{name} = 1"
            listed.append(value if value == name else f"{value} AS {name}")
        return ", ".join(listed)


_COUNTED: Final = {
    "DATE": ("DATE '1970-01-01' + {}", "INTEGER"),
    "TIMESTAMP": ("make_timestamp({})", "BIGINT"),
}
"""SQL for types whose values are counts of days or microseconds, and the type of these."""


def _parameter(kind: str, number: int, many: bool) -> str:
    """SQL: a parameter that is a value of this type, or a list of values if `many`."""
    sql, counted = _COUNTED.get(kind, ("{}", kind))
    if not many:
        return sql.format(f"${number}::{counted}")
    # DuckDB takes longer to read lists that are cast to a type.
    return sql.format(f"unnest(${number}{f'::{counted}[]' if counted != kind else ''})")


_NO_VALUE: Final = {
    "UTINYINT": NONE,
    "INTEGER": -1,
    "UBIGINT": NO_NUMBER,
    "DATE": 1 - 2**31,
    "TIMESTAMP": 1 - 2**63,
    "VARCHAR": "",
}
"""The stand-ins, as they are read."""


def _picked(rows: bytes, at: int, size: int, width: int) -> bytes:
    """The column of `size` bytes at offset `at` of each row."""
    if size == 1:
        return rows[at::width]
    column = bytearray(size * (len(rows) // width))
    for place in range(size):
        column[place::size] = rows[at + place :: width]
    return bytes(column)


_SIZES: Final = [size.to_bytes(4, "little") for size in range(4096)]


def _joined(texts: list[bytes]) -> bytes:
    """Concatenate texts, each preceded by its length."""
    parts = [b""] * (2 * len(texts))
    parts[1::2] = texts
    parts[::2] = [
        _SIZES[size] if size < len(_SIZES) else size.to_bytes(4, "little")
        for size in map(len, texts)
    ]
    return b"".join(parts)


GAMES: Final = Layout(STAGED)
TRICK_ROWS: Final = Layout(TRICKS)
FACTION_ROWS: Final = Layout(FACTIONS_WON)
