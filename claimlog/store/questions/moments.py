"""The archive as it was at an earlier moment."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from claimlog.store.model.schema import GAME

_COLUMNS: Final = "game, gid, revision, digest, stored_at, " + ", ".join(n for n, _ in GAME)


def in_utc(moment: datetime) -> datetime:
    """A time in UTC without an offset, clipped to what `datetime` can represent.

    A time without an offset is in UTC already.
    """
    if moment.tzinfo is None:
        return moment
    try:
        return moment.astimezone(UTC).replace(tzinfo=None)
    except OverflowError:
        return datetime.min if moment.year == 1 else datetime.max


def games_at(known_at: datetime | None) -> str:
    """SQL for the games as the archive knew them at a moment, or knows them now."""
    if known_at is None:
        return "games"
    moment = f"TIMESTAMP '{in_utc(known_at).isoformat(' ')}'"
    return (
        f"(SELECT {_COLUMNS} FROM games WHERE stored_at <= {moment} UNION ALL "
        f"SELECT {_COLUMNS} FROM games_before WHERE stored_at <= {moment} AND until > {moment})"
    )
