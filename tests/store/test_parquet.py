"""DuckDB reads what `parquet` writes."""

import struct
from datetime import date, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

import duckdb
import pytest

from claimlog.store.intake.parquet import Column, parquet


def read(path: Path, file: bytes) -> tuple[list[str], list[str], list[tuple[Any, ...]]]:
    path.write_bytes(file)
    selected = duckdb.execute("SELECT * FROM read_parquet(?)", [str(path)])
    columns = selected.description or []
    return [one[0] for one in columns], [str(one[1]) for one in columns], selected.fetchall()


@pytest.mark.parametrize("columns", [2, 15, 24])
@pytest.mark.parametrize("rows", [0, 1, 7, 8, 9, 300, 3000])
def test_small_numbers_come_back(tmp_path: Path, rows: int, columns: int) -> None:
    random = Random(rows)
    numbers = [random.randrange(1 << 31) for _ in range(rows)]
    data = [random.randbytes(rows) for _ in range(1, columns)]
    names = ["game", *(f"c{i}" for i in range(1, columns))]
    file = parquet(
        [
            Column("game", "int", struct.pack(f"<{rows}i", *numbers)),
            *(Column(name, "byte", column) for name, column in zip(names[1:], data, strict=True)),
        ],
        rows,
    )
    found, _, values = read(tmp_path / "rows.parquet", file)
    assert found == names
    assert values == list(zip(numbers, *data, strict=True))


@pytest.mark.parametrize("rows", [0, 1, 300])
def test_every_kind_comes_back(tmp_path: Path, rows: int) -> None:
    random = Random(rows)
    numbers = [random.randrange(1 << 64) for _ in range(rows)]
    reals = [random.randrange(3000) / 4 for _ in range(rows)]
    days = [random.randrange(-300_000, 300_000) for _ in range(rows)]
    moments = [random.randrange(-(10**15), 10**15) for _ in range(rows)]
    texts = ["Ä" * random.randrange(5000) for _ in range(rows)]
    digests = [random.randbytes(32) for _ in range(rows)]
    encoded = [text.encode() for text in texts]
    file = parquet(
        [
            Column("number", "number", struct.pack(f"<{rows}Q", *numbers)),
            Column("real", "real", struct.pack(f"<{rows}f", *reals)),
            Column("day", "date", struct.pack(f"<{rows}i", *days)),
            Column("moment", "moment", struct.pack(f"<{rows}q", *moments)),
            Column("text", "text", b"".join(struct.pack("<I", len(one)) + one for one in encoded)),
            Column("digest", "digest", b"".join(digests)),
        ],
        rows,
    )
    _, types, values = read(tmp_path / "rows.parquet", file)
    assert types == ["UBIGINT", "FLOAT", "DATE", "TIMESTAMP", "VARCHAR", "BLOB"]
    assert values == list(
        zip(
            numbers,
            reals,
            [date(1970, 1, 1) + timedelta(days=day) for day in days],
            [datetime(1970, 1, 1) + timedelta(microseconds=one) for one in moments],
            texts,
            digests,
            strict=True,
        )
    )
