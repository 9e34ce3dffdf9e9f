"""Find records in the ledger by an id, or by the beginning of one.

The SQL is valid in both DuckDB and PostgreSQL.
"""

from __future__ import annotations

import contextlib
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from claimlog.store.backend import Known
from claimlog.store.model import types as t
from claimlog.store.model.errors import Ambiguous, ArchiveUnreachable, NotFound, RecordDamaged
from claimlog.store.model.ids import SHORTEST, read_beginning, read_id, slips, write_id

if TYPE_CHECKING:
    from collections.abc import Sequence

    from claimlog.store.backend import Backend, LedgerCursor


def is_sound(record: str | None, digest: bytes) -> bool:
    """Whether this is the record that was stored with this digest."""
    return record is not None and sha256(record.encode()).digest() == bytes(digest)


def check_sound(record: str | None, digest: bytes, gid: int) -> None:
    """Raise RecordDamaged unless this is the record that was stored with this digest."""
    if not is_sound(record, digest):
        raise RecordDamaged("record.damaged", id=write_id(gid))


def find_head(backend: Backend, cursor: LedgerCursor, id: str) -> Known:
    """The latest revision of a game, by its id or the beginning of one.

    Raises NotFound or Ambiguous.
    """
    sql = (
        "SELECT game, gid, revision, deleted FROM records WHERE gid = ? "
        "ORDER BY revision DESC LIMIT 1"
    )
    row = cursor.execute(sql, [read_id(id)]).fetchone()
    if row is None:
        row = cursor.execute(sql, [game_meant(backend, cursor, id)]).fetchone()
    assert row is not None
    return Known(*row)


def game_meant(backend: Backend, cursor: LedgerCursor, id: str) -> int:
    """The permanent id of a game, even of a deleted one.  Raises NotFound or Ambiguous."""
    shown = " ".join(id.split())
    gids = _begun(cursor, shown)
    if len(gids) == 1:
        return gids[0]
    candidates = tell_games(backend, cursor, (gids or _near(cursor, shown))[: t.MOST_CANDIDATES])
    unclear = t.Unclear(kind="game", text=shown, field="", count=len(gids), candidates=candidates)
    if not gids:
        raise NotFound("game.unknown", id=shown, unclear=unclear)
    raise Ambiguous("game.several", number=len(gids), id=shown, unclear=unclear)


def _begun(cursor: LedgerCursor, text: str) -> list[int]:
    bounds = read_beginning(text)
    if bounds is None:
        return []
    rows = cursor.execute(
        "SELECT DISTINCT gid FROM records WHERE gid BETWEEN ? AND ? ORDER BY gid", list(bounds)
    ).fetchall()
    return [row[0] for row in rows]


def _near(cursor: LedgerCursor, text: str) -> list[int]:
    """Games whose id is like `text`: one slip away, otherwise with the longest common beginning."""
    rows = cursor.execute(
        "SELECT DISTINCT gid FROM records WHERE gid IN (SELECT unnest(?::UBIGINT[])) ORDER BY gid",
        [slips(text)],
    ).fetchall()
    if rows:
        return [row[0] for row in rows]
    for length in range(len(text) - 1, SHORTEST - 1, -1):
        if begun := _begun(cursor, text[:length]):
            return begun
    return []


def tell_games(backend: Backend, cursor: LedgerCursor, games: Sequence[int]) -> list[t.Candidate]:
    """Candidates that help to tell games apart, in the same order; `cursor` is the ledger's."""
    if not games:
        return []
    listed = ", ".join(map(str, games))
    deleted = dict(
        cursor.execute(
            f"SELECT gid, deleted FROM records WHERE gid IN ({listed}) ORDER BY gid, revision"
        ).fetchall()
    )
    rows: list[tuple[Any, ...]] = [(gid, None, None, None, None) for gid in games]
    # If the lake is unreachable, ids have to do.
    with contextlib.suppress(ArchiveUnreachable):
        rows = backend.rows(
            """
            SELECT wanted.gid, [n1, n2, n3, n4][:seats], event_name, date, day
            FROM (SELECT unnest(?::UBIGINT[]) AS gid) wanted LEFT JOIN games USING (gid)
            """,
            [games],
        )
    candidates = {
        gid: t.Candidate(
            kind="game",
            id=write_id(gid),
            name=" - ".join(name or "?" for name in names or ()),
            event=event,
            last_date=date if day else None,
            deleted=deleted[gid],
        )
        for gid, names, event, date, day in rows
    }
    return [candidates[gid] for gid in games]
