"""What `columns.parquet` writes, DuckDB reads."""

from pathlib import Path
from random import Random

import duckdb
import pytest

from claimlog.store.parquet import parquet


@pytest.mark.parametrize("columns", [2, 15, 24])
@pytest.mark.parametrize("rows", [0, 1, 7, 8, 9, 300, 3000])
def test_rows_come_back(tmp_path: Path, rows: int, columns: int) -> None:
    random = Random(rows)
    width = 4 + columns - 1
    data = b"".join(
        random.randrange(1 << 24).to_bytes(4, "little") + random.randbytes(width - 4)
        for _ in range(rows)
    )
    names = ["game", *(f"c{i}" for i in range(1, columns))]
    path = tmp_path / "rows.parquet"
    path.write_bytes(parquet(data, names))
    found = duckdb.execute("SELECT * FROM read_parquet(?)", [str(path)])
    assert [column[0] for column in found.description or []] == names
    lines = [data[k : k + width] for k in range(0, len(data), width)]
    assert found.fetchall() == [(int.from_bytes(x[:4], "little"), *x[4:]) for x in lines]
