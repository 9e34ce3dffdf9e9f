"""Which game is meant by an id, or by the beginning of one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from claimlog.store import types as t
from claimlog.store.errors import Ambiguous, NotFound
from claimlog.store.ids import SHORTEST, read_beginning, slips, write_id

if TYPE_CHECKING:
    from collections.abc import Sequence

    from duckdb import DuckDBPyConnection


def game_meant(cursor: DuckDBPyConnection, id: str) -> int:
    """The number of the lasting id, also that of a deleted game.  Raises NotFound, Ambiguous."""
    shown = " ".join(id.split())
    found = _begun(cursor, shown)
    if len(found) == 1:
        return found[0]
    told = tell_games(cursor, (found or _near(cursor, shown))[: t.MOST_CANDIDATES])
    unclear = t.Unclear(kind="game", text=shown, field="", count=len(found), candidates=told)
    if not found:
        raise NotFound(f"there is no game {shown}", unclear)
    raise Ambiguous(f"the ids of {len(found)} games begin with {shown}: give more of it", unclear)


def _begun(cursor: DuckDBPyConnection, text: str) -> list[int]:
    bounds = read_beginning(text)
    if bounds is None:
        return []
    rows = cursor.execute(
        "SELECT DISTINCT gid FROM records WHERE gid BETWEEN ? AND ? ORDER BY gid", list(bounds)
    ).fetchall()
    return [row[0] for row in rows]


def _near(cursor: DuckDBPyConnection, text: str) -> list[int]:
    """Games whose id is like `text`: one slip apart, otherwise with the longest same beginning."""
    found = cursor.execute(
        "SELECT DISTINCT gid FROM records WHERE gid IN (SELECT unnest(?::UBIGINT[])) ORDER BY gid",
        [slips(text)],
    ).fetchall()
    if found:
        return [row[0] for row in found]
    for length in range(len(text) - 1, SHORTEST - 1, -1):
        if begun := _begun(cursor, text[:length]):
            return begun
    return []


def tell_games(cursor: DuckDBPyConnection, games: Sequence[int]) -> list[t.Candidate]:
    """What tells games apart, in their order."""
    rows = cursor.execute(
        """
        SELECT wanted.gid, [n1, n2, n3, n4][:seats], event_name, date, game IS NULL
        FROM (SELECT unnest(?::UBIGINT[]) AS gid) wanted LEFT JOIN games USING (gid)
        """,
        [games],
    ).fetchall()
    told = {
        gid: t.Candidate(
            kind="game",
            id=write_id(gid),
            name=" - ".join(name or "?" for name in names or ()),
            event=event,
            last_date=date,
            deleted=deleted,
        )
        for gid, names, event, date, deleted in rows
    }
    return [told[gid] for gid in games]
