"""The rows of a block's new games, in files that become part of the lake."""

from __future__ import annotations

import contextlib
import hashlib
import os
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Final

import duckdb

from claimlog.store.backend import translated
from claimlog.store.model import schema
from claimlog.store.model import types as t
from claimlog.store.model.errors import ArchiveUnreachable, DiskFull
from claimlog.store.model.hiding import first_line
from claimlog.store.postgres.backend import BLOCK_TABLES, PostgresBackend, for_lake, quoted
from claimlog.store.postgres.indexer import put_games, put_places, put_rows

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from claimlog.store.intake.storing import Load
    from claimlog.store.postgres.connection import Cursor

PLAIN: Final[tuple[t.Status, ...]] = ("stored", "known")
"""The outcomes that need no explanation, those of most games."""


def key_of(text: bytes) -> str:
    """The key by which a part is recognised."""
    return hashlib.sha256(text).hexdigest()[:32]


def divided(outcomes: list[t.Outcome], load: Load) -> list[list[t.Outcome]]:
    """Split the outcomes of a load by its parts."""
    return [outcomes[begin:end] for begin, end in pairwise([0, *load.pieces[0].batch.ends])]


class BlockRows:
    """The rows of a block's new games, on their way to files."""

    def __init__(self, backend: PostgresBackend, load: Load, parts: list[str], job: str) -> None:
        """Prepare for the games of a load; `parts` are the keys of its parts."""
        self.backend = backend
        self.load = load
        self.parts = parts
        self.key = parts[0] if len(parts) == 1 else key_of(" ".join(parts).encode())
        self.job = job
        self.numbers: dict[int, int] = {}
        self.name: str | None = None
        """The name of the files, once they are complete."""
        self._files = ""
        self._root = backend.bench()
        self._root.execute("SET threads = 1")
        for table in BLOCK_TABLES:
            self._root.execute(for_lake(schema.DERIVED[table]))

    def begin(self, numbers: dict[int, int]) -> None:
        """Write the rows of tricks and factions for games that will get these numbers."""
        self.numbers = numbers
        if numbers:
            # Two workers may do the same task, and a restored dump may share the lake and give the
            # same numbers: each writes its own files.
            self._files = f"{self.key}-{os.urandom(6).hex()}"
            path, _ = self.load.files[0]
            put_places(
                self._root,
                [(place, game, 0, 1, None, None, None) for place, game in numbers.items()],
            )
            put_rows(self._root, [f"{path}.{part}" for part in ("tricks", "factions")])
            if not self.backend.lake.startswith("s3://"):
                with self._reaching_lake():
                    Path(self._path("games")).parent.mkdir(mode=0o700, exist_ok=True)
            self._write("tricks", "factions_won")

    def end(self, kept: list[tuple[int, int, int, bytes]], moment: datetime) -> None:
        """Write the rows of the games that were stored: (place, number, id, digest)."""
        if len(kept) < len(self.numbers):
            stored = [[game for _, game, _, _ in kept]]
            for table in ("tricks", "factions_won"):
                self._root.execute(
                    f"DELETE FROM {table} WHERE game NOT IN (SELECT unnest(?::BIGINT[]))", stored
                )
            self._write("tricks", "factions_won")
        put_places(
            self._root,
            [(place, game, gid, 1, sha, moment, None) for place, game, gid, sha in kept],
        )
        path, _ = self.load.files[0]
        put_games(self._root, f"{path}.games")
        self._write("games")
        self.name = self._files

    def _path(self, table: str) -> str:
        return self.backend.block_file(self._files, table)

    def _write(self, *tables: str) -> None:
        for table in tables:
            with self._reaching_lake():
                self._root.execute(
                    f"COPY {table} TO {quoted(self._path(table))} "
                    "(FORMAT parquet, COMPRESSION zstd)"
                )

    @contextlib.contextmanager
    def _reaching_lake(self) -> Iterator[None]:
        """Translate the errors of a lake that cannot be written."""
        where = self.backend.where
        try:
            yield
        except (OSError, duckdb.Error) as error:
            known = translated(error, Path(self.backend.files))
            if isinstance(known, DiskFull):
                raise known from error
            raise ArchiveUnreachable("lake.silent", path=where, why=first_line(error)) from error

    def note(self, cursor: Cursor, outcomes: list[t.Outcome]) -> None:
        """Record that the block and its parts were stored, in the same transaction."""
        self._note(cursor, self.key, self.name, outcomes)
        if len(self.parts) > 1:
            for key, part in zip(self.parts, divided(outcomes, self.load), strict=True):
                self._note(cursor, key, None, part)

    def _note(self, cursor: Cursor, key: str, name: str | None, outcomes: list[t.Outcome]) -> None:
        stored = [one.result for one in outcomes if one.status == "stored"]
        whole = all(one.status in PLAIN for one in outcomes)
        cursor.execute(
            "INSERT INTO batches (key, job, name, games, stored, unfinished, whole) "
            "VALUES (?, ?, ?, ?, ?, ?, ?)",
            [key, self.job, name, len(outcomes), len(stored), stored.count("*"), whole],
        )

    def __enter__(self) -> BlockRows:
        return self

    def __exit__(self, *_: object) -> None:
        """Close the DuckDB; delete files that were not completed."""
        self._root.close()
        if self._files and self.name is None and not self.backend.lake.startswith("s3://"):
            for table in BLOCK_TABLES:
                with contextlib.suppress(OSError):
                    Path(self._path(table)).unlink()
