"""Paged lists of players and events: sorted by one of their values, then by number."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from claimlog.store.model.errors import BadQuery
from claimlog.store.questions.games import Order, check_limit, read_cursor, write_cursor

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import date

    from claimlog.store.backend import Backend

MOMENT: Final = "((day - DATE '0001-01-01')::BIGINT << 32) + game"
"""SQL: a number that orders games by date and storing; NULL if the year is unknown.

So the aggregates `arg_min` and `arg_max` ignore games without a date, however that is written.
Comparing structs of date and number takes three times as long.
"""


def first_and_last(rows: Iterable[Any]) -> tuple[str | None, str | None]:
    """The dates of the first and the last of these games, in the order of `MOMENT`."""
    dated = [row for row in rows if row.day is not None]
    if not dated:
        return None, None
    return min(dated, key=_by_day).date, max(dated, key=_by_day).date


def _by_day(row: Any) -> tuple[date, int]:
    return row.day, row.game


class Page(NamedTuple):
    """Rows of a list, the cursor of the next page, and the number of all rows if requested."""

    rows: list[tuple[Any, ...]]
    cursor: str | None
    total: int | None


class Table(NamedTuple):
    """A list in SQL: CTEs, the last called `d`, the columns selected from it, and conditions.

    The first of the `columns` is the number that identifies a row.
    """

    ctes: str
    columns: str
    conditions: list[str]
    parameters: list[Any]


def page(
    database: Backend,
    table: Table,
    orders: dict[str, Order],
    sort: str,
    limit: int,
    cursor: str | None,
    total: bool,
) -> Page:
    """A page of a list, in one of its orders.  Raises BadQuery."""
    check_limit(limit)
    order = orders[sort]
    number = table.columns.split(",")[0]
    after, parameters = "true", []
    if cursor is not None:
        name, value, last = read_cursor(cursor, str, object, str)
        if name != sort:
            raise BadQuery("question.other-cursor", field="cursor")
        order.check(value)
        key, then = f"?::{order.kind}", order.after
        after = f"key {then} {key} OR (key = {key} AND {number} > ?::UBIGINT)"
        parameters = [value, value, last]
    count = "count(*) OVER ()" if total else "NULL"
    # Counted in the same query, before the cursor applies, as making the table is what takes long.
    rows = database.rows(
        f"""
        WITH {table.ctes},
        e AS (SELECT {table.columns}, {order.key} AS key, {count} AS number
              FROM d WHERE {" AND ".join(f"({c})" for c in table.conditions) or "true"})
        SELECT * FROM e WHERE {after}
        ORDER BY key {order.direction}, {number} LIMIT {limit + 1}
        """,
        [*table.parameters, *parameters],
    )
    more = None
    if len(rows) > limit:
        *_, value, _ = last = rows[limit - 1]
        more = write_cursor(sort, value, str(last[0]))
    counted = None
    if total:
        counted = rows[0][-1] if rows else 0
        if not rows and cursor is not None:
            counted = page(database, table, orders, sort, 1, None, True).total
    return Page([row[:-2] for row in rows[:limit]], more, counted)
