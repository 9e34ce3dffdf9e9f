"""`claimlog desk` as a process in a pseudo-terminal; its changes are stored."""

from __future__ import annotations

import os

import pytest
from archiving import claimlog

pytest.importorskip("pexpect")
pytest.importorskip("pyte")

from test_replay_screen import Terminal

pytestmark = pytest.mark.slow


class Desk(Terminal):
    """The desk in a separate terminal."""

    name = "desk"


def test_a_round_is_directed_in_a_terminal(tmp_path, monkeypatch):
    db = tmp_path / "games.duckdb"
    monkeypatch.setitem(os.environ, "CLAIMLOG_BY", "Ruth")
    for words in (
        ("create", "Cup", "--system", "by-hand", "--deck", "GKUWX"),
        ("enter", "Cup", "Ann", "Bo", "Cy", "Di"),
    ):
        code, _, err = claimlog(tmp_path, "event", *words, "--db", str(db))
        assert code == 0, err
    with Desk("Cup", "--db", db, "--by", "Ruth", "--lang", "de") as terminal:
        terminal.shows("Ann", "Di")
        terminal.press("paaren 1-2 3-4", "enter")
        terminal.shows("Ann – Bo", "GKUWX")
        terminal.press("start", "enter")
        terminal.shows("2 Ergebnisse fehlen")
        terminal.press("1 1-0 3-2", "enter")
        terminal.shows("1 Ergebnis fehlt", "1-0 (3-2)")
        terminal.press("ende", "enter")
        assert terminal.ends() == 0
    code, out, _ = claimlog(tmp_path, "event", "show", "Cup", "--db", str(db), "-f", "csv")
    assert code == 0
    assert "Ann – Bo,1-0 (3-2),typed" in out
