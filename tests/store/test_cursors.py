"""Statements that are parsed once (`claimlog.store.file.cursors`)."""

from unittest.mock import Mock

import duckdb
import pytest

from claimlog.store.file import cursors
from claimlog.store.file.cursors import Cursor


@pytest.fixture
def statements(monkeypatch: pytest.MonkeyPatch) -> dict[str, duckdb.Statement]:
    """The cached statements."""
    kept: dict[str, duckdb.Statement] = {}
    monkeypatch.setattr(cursors, "_READ", kept)
    return kept


def test_a_kept_statement_sees_what_has_changed(statements) -> None:
    with duckdb.connect() as root:
        one, other = Cursor(root.cursor()), Cursor(root.cursor())
        one.execute("CREATE TABLE t (a INTEGER)")
        for number in range(3):
            one.execute("INSERT INTO t VALUES (?)", [number])
            assert other.execute("SELECT sum(a), ? FROM t", ["x"]).fetchone() == (
                sum(range(number + 1)),
                "x",
            )
        assert len(statements) == 2
        one.execute("ALTER TABLE t ALTER a TYPE VARCHAR")
        with pytest.raises(duckdb.BinderException):
            other.execute("SELECT sum(a), ? FROM t", ["x"])


def test_not_all_statements_are_kept(statements, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cursors, "MOST", 4)
    with duckdb.connect() as root:
        cursor = Cursor(root.cursor())
        for number in range(10):
            assert cursor.execute(f"SELECT {number}").fetchall() == [(number,)]
            assert len(statements) <= 4
        assert cursor.execute("SELECT 1; SELECT 2").fetchall() == [(2,)]
        assert "SELECT 1; SELECT 2" not in statements
        with pytest.raises(duckdb.ParserException):
            cursor.execute("SELECT FROM WHERE")


@pytest.mark.parametrize("call", [lambda one: one.execute("SELECT 1"), Cursor.fetchall])
def test_ctrl_c_during_a_statement_is_no_error_of_duckdb(call) -> None:
    """DuckDB asks for signals itself, and raises an error of its own."""
    with duckdb.connect() as root:
        inner = Mock(wraps=root.cursor())
        inner.execute.side_effect = inner.fetchall.side_effect = RuntimeError("Query interrupted")
        with pytest.raises(KeyboardInterrupt):
            call(Cursor(inner))
        inner.execute.side_effect = inner.fetchall.side_effect = RuntimeError("Something else")
        with pytest.raises(RuntimeError, match="Something else"):
            call(Cursor(inner))
