"""Make the derived rows again from the stored records."""

from __future__ import annotations

import contextlib
import os
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Final

from claimlog.language.messages import Message
from claimlog.notation.reader import Block, sheets_of
from claimlog.notation.sheet import Sheet
from claimlog.store.intake.batch import PARTS
from claimlog.store.intake.derived import EVERY_ORDER, ROWS, events_sql, every_sql, names_sql
from claimlog.store.intake.encode import Encoder
from claimlog.store.intake.storing import READ_GAMES, READ_ROWS
from claimlog.store.model import schema
from claimlog.store.model import types as t
from claimlog.store.model.faults import Faults

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from duckdb import DuckDBPyConnection

    from claimlog.store.backend import LedgerCursor, Report


CHUNK: Final = 5000
"""The approximate number of revisions whose rows are made together."""

PART: Final = 500_000
"""The number of games with whose players and events another part of the names begins."""

NEXT: Final = "next_"
"""The beginning of the names of the tables that a rebuild fills beside those in use."""

PIECED: Final = ("games", "games_before", "tricks", "factions_won")
"""The derived tables that are made or compared piece by piece."""

Made = tuple[int, int, bool, str, int, datetime]
"""Game, revision, whether current, record, id, and the time it was stored."""


def discard(*paths: Path) -> None:
    """Delete files; those that cannot be deleted are left."""
    for path in paths:
        with contextlib.suppress(OSError):
            path.unlink()


class Remaker:
    """Judges stored records again and makes their rows."""

    def __init__(self, folder: Path) -> None:
        """Create one that writes the rows to files in `folder`."""
        self.encoder = Encoder()
        # Stored games stay valid, even if a limit was introduced later.
        self.encoder.any_length = True
        self.sheet = Sheet()
        self.folder = folder
        self.paths: list[Path] = []
        """The files of the last rows made."""

    def discard(self) -> None:
        """Delete the files of rows."""
        discard(*self.paths)

    def make(self, records: list[tuple[int, str]]) -> list[tuple[int, Message]]:
        """Write the rows of records, given as (place, text); return the faults by place.

        The files of the rows made before are deleted.
        """
        encoder = self.encoder
        faults = []
        for place, text in records:
            data = text.encode()
            sheets = 0
            for sheet, line in sheets_of(Block(data, 1), self.sheet):
                sheets += 1
                if sheets > 1:
                    break
                if not encoder.encode(sheet, place):
                    why = _first(encoder, line)
                    faults.append((place, Message("record.illegal", why=why)))
                elif encoder.record != data:
                    faults.append((place, Message("record.not-canonical")))
            if sheets != 1:
                faults.append((place, Message("record.not-one-game")))
        self.discard()
        # DuckDB 1.5 takes a file for the one that it has read before if they have the same name,
        # size and second of change.
        stem = f"remake-{os.urandom(8).hex()}"
        self.paths = [self.folder / f"{stem}.{part}" for part in PARTS]
        for path, rows in zip(self.paths, encoder.take_rows(), strict=True):
            path.write_bytes(rows)
        return faults


def _first(encoder: Encoder, line: int) -> str:
    problems = encoder.problems(line)
    return str(getattr(problems[0], "message", "")) if problems else ""


def spans(cursor: LedgerCursor, table: str, size: int) -> Iterator[str]:
    """Divide the games of a table into ranges of about `size` rows; yield conditions on `game`.

    Each number is in exactly one of them, and so is a row without one.
    """
    low: int | None = None
    more = True
    while more:
        high = end_of_span(cursor, table, low, size)
        yield span(low, high)
        low, more = high, high is not None


def end_of_span(cursor: LedgerCursor, table: str, low: int | None, size: int) -> int | None:
    """Where a range of about `size` rows ends that begins with a game: the game after its last.

    None if these are all that are left.
    """
    row = cursor.execute(
        f"SELECT game FROM {table} WHERE {span(low, None)} AND game IS NOT NULL "
        f"ORDER BY game LIMIT 1 OFFSET {size}"
    ).fetchone()
    return None if row is None else max(int(row[0]), (low or 0) + 1)


def changed(cursor: LedgerCursor, since: int, target: int, size: int) -> tuple[list[int], int]:
    """The games of about `size` revisions with marks from `since` on, and the mark where they end.

    That is at most `target`; these are whole transactions, at least one.
    """
    rows = cursor.execute(
        "SELECT mark, game FROM records WHERE mark >= ? AND mark < ? ORDER BY mark LIMIT ?",
        [since, target, size],
    ).fetchall()
    until = target
    if len(rows) == size:
        until = max(rows[-1][0], since + 1)
        rows = cursor.execute(
            "SELECT mark, game FROM records WHERE mark >= ? AND mark < ?", [since, until]
        ).fetchall()
    return sorted({game for _, game in rows}), until


def span(low: int | None, high: int | None) -> str:
    """SQL: the games from one number on and below another; without a lower end also NULL."""
    if low is None:
        return "true" if high is None else f"(game < {high} OR game IS NULL)"
    return f"game >= {low}" if high is None else f"game >= {low} AND game < {high}"


def fill_from_records(
    cursor: DuckDBPyConnection,
    remaker: Remaker,
    prefix: str,
    made: Callable[[int], None] = lambda _: None,
    which: str = "true",
) -> Iterator[tuple[int, int, Message]]:
    """Make the derived rows of records in tables whose names begin with `prefix`.

    `which` is a condition on the games.  Calls `made` with the number of records made since the
    last call; yields (game, revision, fault) for faulty records.
    """
    for part in list(spans(cursor, f"(SELECT game FROM records WHERE {which})", CHUNK)):
        rows: list[Made] = cursor.execute(
            "SELECT game, revision, revision = max(revision) OVER (PARTITION BY game), record, "
            f"gid, stored_at FROM records WHERE ({which}) AND {part} "
            "QUALIFY record IS NOT NULL ORDER BY game, revision"
        ).fetchall()
        for place, message in remaker.make([(i, row[3]) for i, row in enumerate(rows)]):
            yield rows[place][0], rows[place][1], message
        fill_chunk(cursor, remaker, prefix, rows)
        made(len(rows))


def fill_chunk(
    cursor: DuckDBPyConnection,
    remaker: Remaker,
    prefix: str,
    rows: list[Made],
) -> None:
    """Insert the rows made from records."""
    cursor.execute(
        f"CREATE OR REPLACE TEMP TABLE batch AS SELECT * FROM {READ_GAMES}",
        [str(remaker.paths[0])],
    )
    cursor.execute(
        "CREATE OR REPLACE TEMP TABLE place AS SELECT unnest(?::INTEGER[]) AS i, "
        "unnest(?::BIGINT[]) AS game, unnest(?::SMALLINT[]) AS revision, "
        "unnest(?::BOOLEAN[]) AS current, unnest(?::UBIGINT[]) AS gid, "
        "unnest(?::TIMESTAMP[]) AS stored_at",
        [
            list(range(len(rows))),
            *([row[column] for row in rows] for column in (0, 1, 2, 4, 5)),
        ],
    )
    columns = ", ".join(f"batch.{name}" for name, _ in schema.GAME)
    head = "place.game, place.gid, place.revision, batch.digest, place.stored_at"
    joined = "FROM batch JOIN place USING (i)"
    cursor.execute(
        f"INSERT INTO {prefix}games SELECT {head}, {columns} {joined} WHERE current ORDER BY i"
    )
    if not all(row[2] for row in rows):
        cursor.execute(
            f"INSERT INTO {prefix}games_before SELECT {head}, "
            "(SELECT min(stored_at) FROM records later WHERE later.game = place.game "
            f"AND later.revision = place.revision + 1), {columns} {joined} "
            "WHERE NOT current ORDER BY i"
        )
    for (table, columns, _), file in zip(ROWS, remaker.paths[1:], strict=True):
        cursor.execute(
            f"INSERT INTO {prefix}{table} SELECT number, {columns} FROM {READ_ROWS} "
            "JOIN (SELECT i AS game, game AS number FROM place WHERE current) USING (game)",
            [str(file)],
        )


def remake(cursor: DuckDBPyConnection, folder: Path, report: Report) -> Faults:
    """Rebuild everything derived at once; return the faults of the records.

    A record that is no longer legal stays, and its game is in no other table.
    """
    drop_next(cursor)
    create_derived(cursor)
    schema.make_lists(cursor)
    return fill(cursor, folder, report)


def create_derived(cursor: DuckDBPyConnection, but: Collection[str] = ()) -> None:
    """Create the derived tables of a file, empty, replacing whatever has their names."""
    for name, statement in schema.DERIVED.items():
        if name not in but:
            drop(cursor, name)
            cursor.execute(statement)


def drop(cursor: DuckDBPyConnection, name: str) -> None:
    """Drop what has the name of a table."""
    views = cursor.execute("SELECT view_name FROM duckdb_views()").fetchall()
    cursor.execute(f"DROP {'VIEW' if (name,) in views else 'TABLE'} IF EXISTS {name}")


def drop_next(cursor: DuckDBPyConnection) -> None:
    """Drop what a rebuild has left beside the tables in use."""
    for name in (*PIECED, "faults", "reached"):
        cursor.execute(f"DROP TABLE IF EXISTS {NEXT}{name}")


def fill(cursor: DuckDBPyConnection, folder: Path, report: Report) -> Faults:
    """Fill empty tables from the records."""
    faults = Faults()
    folder.mkdir(mode=0o700, exist_ok=True)
    remaker = Remaker(folder)
    count = cursor.execute("SELECT count(*) FROM records WHERE record IS NOT NULL").fetchone()
    assert count is not None
    try:
        for game, revision, message in fill_from_records(
            cursor, remaker, "", counting(report, count[0])
        ):
            faults.add("records", gid_of(cursor, game), "record", number=revision, why=message)
    finally:
        remaker.discard()
    fill_names(cursor, "")
    return faults


def counting(report: Report, total: int, done: int = 0) -> Callable[[int], None]:
    """A function that reports progress, called with what has been done since the last call."""

    def made(number: int) -> None:
        nonlocal done
        done += number
        if report is not None:
            # Some may have come since they were counted, or are done twice.
            report(t.Progress(done=min(done, total), total=total))

    return made


def gid_of(cursor: DuckDBPyConnection, game: int) -> int | None:
    """The permanent id of a game."""
    row = cursor.execute("SELECT gid FROM records WHERE game = ? LIMIT 1", [game]).fetchone()
    return None if row is None else int(row[0])


def fill_names(cursor: DuckDBPyConnection, prefix: str) -> None:
    """Make the players and events of all revisions, as `insert_names` adds them."""
    every = f"({every_sql(prefix)})"
    for part in id_parts(cursor, f"{prefix}games"):
        names = names_sql(every, EVERY_ORDER, part.format("player"))
        events = events_sql(every, EVERY_ORDER, part.format("event"))
        cursor.execute(f"INSERT INTO {prefix}players {names} ORDER BY player")
        cursor.execute(f"INSERT INTO {prefix}events {events} ORDER BY event")


def id_parts(cursor: DuckDBPyConnection, table: str) -> list[str]:
    """SQL conditions on ids of players or events, whose column is written ``{}``.

    They divide the ids in a table of games into parts, in their order, whose names fit in memory.
    """
    row = cursor.execute(f"SELECT count(*) FROM {table}").fetchone()
    assert row is not None
    number = int(row[0]) // PART + 1
    ends = [(place << 64) // number for place in range(number + 1)]
    # An id is the beginning of a digest, so that the parts are of about the same size.
    return [f"{{0}} >= {low} AND {{0}} <= {high - 1}" for low, high in pairwise(ends)]
