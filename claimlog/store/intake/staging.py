"""Rows on their way into the tables: their layout in memory and in files, and reading them.

The encoder collects them in `claimlog.store.intake.rows`.  `Layout` knows the columns, turns them
into a Parquet file and has the SQL that reads it.  Unknown values have stand-ins.
"""

from __future__ import annotations

import struct
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from claimlog.store.intake.parquet import Column, Kind, parquet
from claimlog.store.model.codes import MARGIN, NONE
from claimlog.store.model.schema import FACTIONS_WON, STAGED, TRICKS, UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Iterable


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


class Layout:
    """The layout of one table's rows: `width` bytes in fixed-width columns, and `texts` texts.

    The fixed-width columns have these `sizes`, and in a row these `offsets`.
    """

    def __init__(self, columns: list[tuple[str, str]]) -> None:
        self.names = [name for name, _ in columns]
        self._types = [_TYPES[kind] for _, kind in columns]
        self._sql = dict(columns)
        self.sizes = [struct.calcsize(f"<{one.code}") for one in self._types if one.code]
        self.offsets = [0, *accumulate(self.sizes[:-1])]
        self.width = sum(self.sizes)
        self.texts = sum(not one.code for one in self._types)

    def file(self, numbers: list[bytes], texts: list[list[bytes]], rows: int) -> bytes:
        """A Parquet file of rows, from their columns and their texts, each after its length."""
        fixed, words = iter(numbers), iter(texts)
        columns = [
            Column(name, type.kind, next(fixed) if type.code else b"".join(next(words)))
            for name, type in zip(self.names, self._types, strict=True)
        ]
        return parquet(columns, rows)

    def lists(self, numbers: list[bytes], texts: list[list[str]]) -> list[list[Any]]:
        """The columns as lists of Python values, None for unknown ones."""
        fixed, words = iter(numbers), iter(texts)
        return [
            self._values(name, type, next(fixed) if type.code else next(words))
            for name, type in zip(self.names, self._types, strict=True)
        ]

    def dicts(
        self, numbers: list[bytes], texts: list[list[str]], columns: Iterable[str]
    ) -> list[dict[str, Any]]:
        """The rows as Python values, None for unknown ones; only these columns."""
        names = tuple(columns)
        listed = dict(zip(self.names, self.lists(numbers, texts), strict=True))
        rows = zip(*(listed[name] for name in names), strict=True)
        return [dict(zip(names, row, strict=True)) for row in rows]

    def _values(self, name: str, type: _Type, column: bytes | list[str]) -> list[Any]:
        """The values of a column, None for unknown ones."""
        values: list[Any] = (
            [value for (value,) in struct.iter_unpack(f"<{type.code}", column)]
            if isinstance(column, bytes)
            else list(column)
        )
        kind = self._sql[name]
        if name == "margin":
            return [None if value == NONE else value - MARGIN for value in values]
        if kind == "BOOLEAN":
            return list(map(bool, values))
        if name not in UNKNOWN:
            return values
        if kind == "FLOAT":
            return [None if value != value else value for value in values]
        stand_in = _NO_VALUE[kind]
        return [None if value == stand_in else value for value in values]

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


GAMES: Final = Layout(STAGED)
TRICK_ROWS: Final = Layout(TRICKS)
FACTION_ROWS: Final = Layout(FACTIONS_WON)
