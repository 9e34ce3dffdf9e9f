"""Cursors that parse each statement only once: a fifth of a short query's time is parsing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection, Statement

MOST: Final = 500
"""The number of statements cached; then all are dropped, as many were probably used once."""

_READ: Final[dict[str, Statement]] = {}
_READ_AGAIN: Final = ("SELECT", "WITH", "FROM", "INSERT", "CREATE OR REPLACE TEMP")
"""The beginnings of statements worth caching.

They are not tied to a connection: DuckDB copies and plans them each time.
"""


def _tell_of_interrupt(error: RuntimeError) -> None:
    """Raise KeyboardInterrupt if it was that which ended a statement: DuckDB only says so."""
    if str(error) == "Query interrupted":
        raise KeyboardInterrupt from error


class Cursor:
    """A DuckDB cursor, with everything else that it offers."""

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
        try:
            self._cursor.execute(query if statement is None else statement, parameters)
        except RuntimeError as error:
            _tell_of_interrupt(error)
            raise
        return cast("DuckDBPyConnection", self)

    def fetchall(self) -> list[Any]:
        """See `duckdb.DuckDBPyConnection.fetchall`."""
        try:
            return self._cursor.fetchall()
        except RuntimeError as error:
            _tell_of_interrupt(error)
            raise

    def __getattr__(self, name: str) -> Any:
        """Any other attribute of the cursor."""
        return getattr(self._cursor, name)
