"""Statements that are parsed once (`claimlog.store.file.cursors`)."""

import os
import signal
import sys
import threading

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


@pytest.mark.skipif(os.name == "nt", reason="needs signals")
@pytest.mark.skipif(duckdb.__version__ < "2", reason="earlier versions go on with a long statement")
@pytest.mark.parametrize("what", ["execute", "fetchall"])
def test_ctrl_c_during_a_long_statement_is_no_error_of_duckdb(what, monkeypatch) -> None:
    begun = threading.Event()

    def interrupt() -> None:
        begun.wait()
        os.kill(os.getpid(), signal.SIGINT)

    numbers = "SELECT a.i FROM range(10_000) a(i), range(10_000) b(i), range(10_000) c(i)"
    thread = threading.Thread(target=interrupt)
    # The thread runs only while this one is inside DuckDB.
    before = sys.getswitchinterval()
    sys.setswitchinterval(1000)
    try:
        with duckdb.connect() as root:
            cursor = Cursor(root.cursor())
            thread.start()
            if what != "execute":
                cursor.execute(f"{numbers} WHERE hash(a.i, b.i, c.i) % 1000 = 0")
            with pytest.raises(KeyboardInterrupt):
                begun.set()
                if what == "execute":
                    cursor.execute(f"CREATE TABLE t AS {numbers}")
                else:
                    cursor.fetchall()
            assert cursor.execute("SELECT 1").fetchall() == [(1,)]
    finally:
        sys.setswitchinterval(before)
        begun.set()
        thread.join()
