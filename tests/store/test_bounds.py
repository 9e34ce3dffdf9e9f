"""What the catalogue of a lake says of whole columns is right, and nothing is missing for it."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest
from duckdb import DuckDBPyConnection

from claimlog.store import Archive

pytest.importorskip("psycopg", reason="the extra claimlog[cluster] is not installed")

from claimlog.store.postgres.backend import PostgresBackend
from claimlog.store.postgres.indexer import Indexer

from .conftest import take_in
from .random_games import records

GAMES = records(60, seed=8)

COLUMNS = {
    "game": "BIGINT",
    "seats": "UTINYINT",
    "card": "UTINYINT",
    "name": "VARCHAR",
    "day": "DATE",
    "rating": "FLOAT",
    "done": "BOOLEAN",
    "key": "UBIGINT",
    "moment": "TIMESTAMP",
}
VALUES = {
    "seats": "2 + hash(i, {seed}) % 3",
    "card": "hash(i, {seed}) % {kinds}",
    "name": "repeat('n', {length}) || hash(i, {seed}) % {kinds}",
    "day": "DATE '2020-01-01' + (hash(i, {seed}) % {kinds})::INTEGER",
    "rating": "hash(i, {seed}) % {kinds} / 4",
    "done": "hash(i, {seed}) % {kinds} = 0",
    "key": "hash(i, {seed}, {kinds})",
    "moment": "TIMESTAMP '2020-01-01' + to_milliseconds((hash(i, {seed}) % {kinds})::BIGINT * 12345)",
}
CREATE = f"TABLE games ({', '.join(map(' '.join, COLUMNS.items()))})"


@pytest.fixture
def archive(new_archive: str) -> Iterator[Archive]:
    with Archive.open(new_archive) as opened:
        yield opened


def backend_of(archive: Archive) -> PostgresBackend:
    backend = archive._backend
    assert isinstance(backend, PostgresBackend)
    return backend


class Twice:
    """A table in a lake and one in memory, with the same rows."""

    def __init__(self, backend: PostgresBackend, folder: Path, seed: int) -> None:
        self.backend = backend
        self.folder = folder
        self.random = random.Random(seed)
        self.plain = duckdb.connect()
        self.games = 0
        self.files = 0

    def both(self, cursor: DuckDBPyConnection, statement: str) -> None:
        self.plain.execute(statement)
        cursor.execute(statement)

    def file(self, number: int) -> str:
        """A file with new rows in groups of 2,048, which the table in memory gets too."""
        chosen = [f"{self.games} + i AS game"]
        self.games += number
        for column, value in VALUES.items():
            value = value.format(
                seed=self.random.randrange(1 << 30),
                kinds=self.random.choice((1, 3, 200)),
                length=self.random.choice((1, 1, 300)),
            )
            if column != "seats":
                there = ("false", "false", "true", "i % 3 = 0", f"i > {number // 2}")
                value = f"CASE WHEN {self.random.choice(there)} THEN {value} END"
            chosen.append(f"({value})::{COLUMNS[column]} AS {column}")
        path = str(self.folder / f"{self.files}.parquet")
        self.files += 1
        self.plain.execute(
            f"CREATE OR REPLACE TABLE new AS SELECT {', '.join(chosen)} FROM range({number}) r (i)"
        )
        self.plain.execute("INSERT INTO games FROM new")
        self.plain.execute(f"COPY new TO '{path}' (ROW_GROUP_SIZE 2048)")
        return path

    def change(self, cursor: DuckDBPyConnection) -> None:
        """Insert, delete or update rows, or copy them into a new table."""
        choose = self.random.choice
        match choose(("rows", "rows", "many", "files", "files", "delete", "update", "copy")):
            case "rows":
                path = self.file(self.random.randrange(1, 30))
                cursor.execute(f"INSERT INTO games FROM '{path}'")
            case "many":
                cursor.execute(f"INSERT INTO games FROM '{self.file(3000)}'")
            case "files":
                for number in self.random.sample((0, 5, 2048, 3000, 5000), 2):
                    call = "CALL ducklake_add_data_files('lake', 'games', ?)"
                    cursor.execute(call, [self.file(number)])
            case "delete":
                self.both(cursor, f"DELETE FROM games WHERE hash(game) % {choose((1, 2, 9))} = 0")
            case "update":
                column = choose(["card", "name", "day", "rating", "key"])
                value = choose(["NULL", f"(SELECT min({column}) FROM games)"])
                self.both(cursor, f"UPDATE games SET {column} = {value} WHERE game % 3 = 0")
            case "copy":
                cursor.execute("CREATE OR REPLACE TEMP TABLE held AS FROM games")
                cursor.execute("DROP TABLE games")
                cursor.execute(f"CREATE {CREATE}")
                cursor.execute("INSERT INTO games FROM held")

    def questions(self) -> Iterator[tuple[str, list[Any]]]:
        yield "SELECT count(*), max(game), min(seats), max(seats) FROM games", []
        yield "SELECT seats, card, count(*), max(key) FROM games GROUP BY ALL ORDER BY ALL", []
        for column in COLUMNS:
            yield f"SELECT min({column}), max({column}), count({column}) FROM games", []
            yield f"SELECT min({column}) FROM games", []
            yield f"SELECT count(*) FROM games WHERE {column} IS NULL", []
            for order in ("", "DESC"):
                yield f"SELECT {column} FROM games ORDER BY 1 {order} NULLS LAST LIMIT 3", []
            for of in ("min", "max", "any_value"):
                (value,) = self.plain.execute(f"SELECT {of}({column}) FROM games").fetchall()[0]
                for how in ("=", "<=", ">"):
                    asked = f"SELECT count(*) FROM games WHERE {column} {how} ?::{COLUMNS[column]}"
                    yield asked, [value]

    def compare(self, number: int) -> None:
        cursor = self.backend.cursor()
        asked = list(self.questions())
        for question, values in self.random.sample(asked, number):
            here = self.plain.execute(question, values).fetchall()
            assert cursor.execute(question, values).fetchall() == here, question
        cursor.close()


@pytest.mark.parametrize("seed", range(2))
def test_a_lake_answers_as_a_plain_table_does(archive: Archive, tmp_path: Path, seed: int) -> None:
    backend = backend_of(archive)
    assert backend.rows("SELECT current_setting('disabled_optimizers')") == [("",)]
    indexer = Indexer(backend)
    assert indexer.begin()
    twice = Twice(backend, tmp_path, seed)
    try:
        twice.plain.execute(f"CREATE {CREATE}")
        with backend.writing_lake(indexer.root) as cursor:
            cursor.execute("DROP TABLE games")
            cursor.execute(f"CREATE {CREATE}")
        for number in range(7):
            if number in (3, 5):
                indexer.tidy(everything=number == 5)
            else:
                with backend.writing_lake(indexer.root) as cursor:
                    for _ in range(twice.random.choice((1, 1, 3))):
                        twice.change(cursor)
            twice.compare(20)
    finally:
        indexer.end()


def test_wrong_bounds_are_found_and_not_believed(archive: Archive, address: str) -> None:
    """Those of an older claimlog, or of another program that writes to the lake."""
    take_in(archive, "\n".join(GAMES))
    archive.index(once=True)
    assert archive.check(full=False).good
    asked = "SELECT count(*), max(n1) FROM games WHERE n1 >= ''"
    right = archive._backend.rows(asked)
    backend = backend_of(archive)
    with backend.postgres.cursor() as ledger:
        ledger.execute(
            f"INSERT INTO {backend.catalogue}.ducklake_table_column_stats "
            "(table_id, column_id, contains_null, min_value, max_value) "
            f"SELECT table_id, column_id, false, 'A', 'A' FROM {backend.catalogue}.ducklake_table "
            f"JOIN {backend.catalogue}.ducklake_column USING (table_id) "
            "WHERE table_name = 'games' AND column_name = 'n1'"
        )
    with Archive.open(address, read_only=True) as reader:
        assert reader._backend.rows(asked) == right
        assert [(fault.what, fault.message) for fault in reader.check(full=False).faults] == [
            ("games", "the catalogue may be wrong about the least or greatest value of a column")
        ]
    with Archive.open(address) as opened:
        assert opened._backend.rows(asked) == right
        assert opened.check(full=False).good
