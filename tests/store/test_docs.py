"""The examples in docs/archive.md work."""

import re
from pathlib import Path

import duckdb
import pytest

from claimlog.store import Archive
from claimlog.store.model import schema

pytestmark = pytest.mark.only_file("the page is about the file")

TEXT = (Path(__file__).parents[2] / "docs" / "archive.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def folder(full: Archive, tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("docs")
    full.backup(made / "games.duckdb")
    (made / "games.parquet").write_bytes(b"".join(full.export("parquet")))
    return made


def test_every_query_runs(folder: Path) -> None:
    raw = duckdb.connect(str(folder / "games.duckdb"), read_only=True)
    queries = [
        query
        for block in re.findall(r"```sql\n(.*?)```", TEXT, re.S)
        for query in block.split(";")
        if query.strip()
    ]
    assert len(queries) == 3
    for query in queries:
        assert raw.execute(query).fetchall()


@pytest.mark.needs("pandas", "polars", "pyarrow")
@pytest.mark.parametrize("block", re.findall(r"```python\n(.*?)```", TEXT, re.S))
def test_every_program_runs(
    folder: Path, block: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    exec(block, {})


def test_every_column_is_explained(folder: Path) -> None:
    raw = duckdb.connect(str(folder / "games.duckdb"), read_only=True)
    rows = raw.execute(
        "SELECT table_name, column_name FROM duckdb_columns() WHERE NOT internal"
    ).fetchall()
    # p1 … p4 are explained together; settings and meta are internal.
    missing = [
        (table, column)
        for table, column in rows
        if table
        not in ("settings", "meta", "merges", "event_settings", "event_merges", "event_names")
        and not re.search(rf"\b{re.sub('[1-4]$', '', column)}[1-4]?\b", TEXT)
    ]
    assert not missing


def test_every_table_is_there(folder: Path) -> None:
    raw = duckdb.connect(str(folder / "games.duckdb"), read_only=True)
    tables = {row[0] for row in raw.execute("SHOW TABLES").fetchall()}
    assert set(schema.DERIVED) <= tables
    assert all(f"{table}" in TEXT for table in tables)


def test_every_exported_column_is_explained(folder: Path) -> None:
    raw = duckdb.connect()
    rows = raw.execute("DESCRIBE FROM read_parquet(?)", [str(folder / "games.parquet")]).fetchall()
    section = TEXT[TEXT.index("## The Parquet") :].replace("*n*", "")
    for name, *_ in rows:
        base = re.sub(r"[1-4](_id)?$", r"\1", name)
        assert re.search(rf"\b{base}\b", section), name
