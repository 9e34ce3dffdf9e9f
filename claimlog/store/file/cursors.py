"""Cursors that read a statement once: to parse SQL is a fifth of a short question's time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection, Statement

MOST: Final = 500
"""How many statements are kept; then all are forgotten, for many must have come only once."""

_READ: Final[dict[str, Statement]] = {}
_READ_AGAIN: Final = ("SELECT", "WITH", "FROM", "INSERT", "CREATE OR REPLACE TEMP")
"""How statements begin that are kept.  They belong to no connection: DuckDB copies and plans them
again each time."""


class Cursor:
    """A cursor of DuckDB's, with all that it has."""

    def __init__(self, cursor: DuckDBPyConnection) -> None:
        self._cursor = cursor

    def execute(self, query: str, parameters: Any = None) -> DuckDBPyConnection:
        """See `duckdb.DuckDBPyConnection.execute`."""
        statement = _READ.get(query)
        if statement is None and query.startswith(_READ_AGAIN):
            statements = self._cursor.extract_statements(query)
            if len(statements) == 1:
                if len(_READ) >= MOST:
                    _READ.clear()
                statement = _READ[query] = statements[0]
        self._cursor.execute(query if statement is None else statement, parameters)
        return cast("DuckDBPyConnection", self)

    def __getattr__(self, name: str) -> Any:
        """Whatever else a cursor has."""
        return getattr(self._cursor, name)
