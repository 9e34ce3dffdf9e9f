"""Names as spelled in the archive, and games that exist already."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from claimlog.store import Archive

MOST: Final = 5
"""The most names suggested for one."""
HEAD: Final = 4000
"""Bytes of a record that contain its tags."""
OCCASION: Final = ("Event", "Round", "Table", "Date")


class Known:
    """The data of an archive, or of the server at `server`; empty if it cannot be reached."""

    def __init__(
        self, db: Path | None = None, server: str | None = None, token: str | None = None
    ) -> None:
        self.db = db
        self.server = server
        self.token = token

    @contextmanager
    def _archive(self) -> Iterator[Archive]:
        from ..archive.opening import connect

        if self.server:
            from claimlog.client import Client

            with Client(self.server, self.token, timeout=3) as client:
                yield cast("Archive", client)
        else:
            with connect(self.db) as archive:
                yield archive

    def __call__(self, kind: str, text: str) -> list[str]:
        """The names ("player" or "event") that match a typed text: just one if it is clear.

        Case, accents and word order do not matter; otherwise the most similar ones.
        """
        from claimlog.notation.matching import spellings
        from claimlog.store import ArchiveError

        try:
            with self._archive() as archive:
                rows = _rows(archive, kind, text)
        except (ArchiveError, OSError):
            return []
        plain = {*spellings(text)}
        same = [row[0] for row in rows if any(plain & {*spellings(name)} for name in row)]
        return same[:1] or [row[0] for row in rows][:MOST]

    def twins(self, tags: Mapping[str, str], path: Path) -> list[str]:
        """Games of the same event, round, table and day: ids, and files beside `path`."""
        from claimlog.store import ArchiveError, Filter

        event, round_, table, date = (tags.get(name, "") for name in OCCASION)
        if not (event and round_ and table):
            return []
        there = (event, round_, table, date)
        files = sorted(path.parent.glob("*.clm"))
        records = [str(one) for one in files if one.name != path.name and _occasion(one) == there]
        same = Filter(event=event, round=round_, table=table, since=date, until=date)
        try:
            with self._archive() as archive:
                records += [row.id for row in archive.games(same, limit=MOST).games]
        except (ArchiveError, OSError):
            pass
        return records


def _rows(archive: Archive, kind: str, text: str) -> list[list[str]]:
    """Players or events that a text may mean, each with all its names, its own name first."""
    from claimlog.store import Ambiguous, Filter, NotFound

    words = " ".join(text.replace(",", " ").split())
    if kind == "player":
        players = archive.players(search=words, sort="games", limit=50).players
        rows = [[row.name, *row.names] for row in players]
    else:
        rows = [[row.name] for row in archive.events(search=words, limit=50).events]
    if not rows:
        try:
            archive.count(Filter(player=words) if kind == "player" else Filter(event=words))
        except (NotFound, Ambiguous) as error:
            near = error.unclear.candidates if error.unclear is not None else []
            rows = [[one.name] for one in near]
    return rows


def _occasion(file: Path) -> tuple[str, ...]:
    """The event, round, table and day of a record in a file; "" for those it lacks."""
    from claimlog.replay.recorder import replay_text

    try:
        with file.open("rb") as stream:
            game = next(replay_text(stream.read(HEAD)), None)
    except OSError:
        return ()
    return () if game is None else tuple(game.tags.get(name, "") for name in OCCASION)
