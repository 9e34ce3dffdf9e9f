"""`claimlog record` as a process in a pseudo-terminal: killed, continued, imported."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest
from replaying import DATA, claimlog

if sys.platform == "win32":
    pytest.skip("needs a pseudo-terminal", allow_module_level=True)
pytest.importorskip("pexpect")
pytest.importorskip("pyte")

from test_replay_screen import COLOUR, Terminal
from waiting import wait_until

MOVES = "1. U7: G5 G8+\n2. X3: K4\n*\n"


class Recorder(Terminal):
    """The recorder in a separate terminal."""

    name = "record"


def test_a_game_is_recorded_killed_gone_on_with_and_imported(tmp_path: Path) -> None:
    path = tmp_path / "game.clm"
    with Recorder(path, "--event", "Open") as terminal:
        for question, answer in (
            ("Round (Enter: none)", "3"),
            ("Table (Enter: none)", ""),
            ("Seat 1", "Anna"),
            ("Seat 2", "Ben"),
            ("Seat 3 (Enter: no more players)", ""),
            ("The letters of the factions", "gkuw"),
            ("with 2 players a deck has 3 ten-card factions", "gkuwx"),
            ("Rule set, LE2023 or Classic [LE2023]", ""),
            ("Who leads trick 1: 1 Anna, 2 Ben [1]", ""),
        ):
            terminal.shows(question)
            terminal.press(answer, "enter")
        terminal.shows("The upcard is due.", "✓ saved game.clm")
        terminal.press(*"u7g58", *"x3k4")
        terminal.shows("Trick 2 of 26", "│ K4 │", "Anna to play.")
        assert path.read_text().endswith(MOVES)
        code, _, error = claimlog("record", path)
        assert (code, error) == (2, "claimlog: record needs a terminal\n")
        with Recorder(path) as second:
            second.shows("another process is recording")
            assert second.ends() == 2
        os.kill(terminal.process.pid, signal.SIGKILL)
        terminal.ends()
    assert path.read_text().endswith(MOVES)
    text = path.read_text()
    assert '[Event "Open"]' in text
    assert '[Round "3"]' in text
    assert '[Player2 "Ben"]' in text
    assert "[End" not in text
    db = tmp_path / "games.duckdb"
    with Recorder(path, "--db", db, "--lang", "de", NO_COLOR="1") as terminal:
        terminal.shows("Stich 2 von 26", "│ K4 │", "Anna ist am Zug.")
        terminal.press("K", "9", "enter", "\x05", "0-1 resignation", "enter")
        terminal.shows("Ergebnis: 0-1", "Enter: fertig")
        assert '[End "20' in path.read_text()
        terminal.press("enter")
        terminal.shows("jetzt importieren? [j/N]")
        terminal.press("j", "enter")
        assert terminal.ends() == 0
        assert not COLOUR.search(terminal.output.decode())
    code, output, _ = claimlog("games", "--db", db)
    assert code == 0
    assert "Open" in output


def test_what_the_director_has_not_decided_is_said_before_the_import(tmp_path: Path) -> None:
    path = tmp_path / "game.clm"
    record = (
        '[Player1 "Anna"]\n[Player2 "Ben"]\n[Deck "GKUWX"]\n[Termination "resignation"]\n'
        '[Result "1-0"]\n\n1. U7: G5+ W8^ {[%director]}\n2. X3: U4+ G9\n1-0\n'
    )
    path.write_text(record)
    with Recorder(path) as terminal:
        terminal.shows("For the director: trick 1, W8 of Ben", "and left to the director")
        terminal.press("enter")
        terminal.shows(
            "The director still has to decide: trick 1, W8 of Ben.", "Import the game now? [y/N]"
        )
        terminal.press("n", "enter")
        assert terminal.ends() == 0


def test_somebody_types_and_does_not_look(tmp_path: Path) -> None:
    """All at once, with a doubt and a slip: the file has only what was meant."""
    path = tmp_path / "game.clm"
    path.write_text('[Deck "GKUWX"]\n[Leader "2"]\n\n*\n')
    with Recorder(path) as terminal:
        terminal.shows("The upcard is due.")
        bells = terminal.output.count(b"\a")
        terminal.press("u1x9k3g1x5x2k2k4\rq5")
        terminal.shows("X2: Seat 1 did not follow", "Typed since, and waiting: k2k4⏎q5")
        assert terminal.output.count(b"\a") - bells == 8
        waiting = '1. U1: X9+ K3\n2. G1: X5\n*\n; waiting "X2k2k4\\nq5"\n'
        wait_until(lambda: path.read_text().endswith(waiting))
        os.kill(terminal.process.pid, signal.SIGKILL)
        terminal.ends()
    with Recorder(path) as terminal:
        terminal.shows("X2: Seat 1 did not follow", "Typed since, and waiting: k2k4⏎q5")
        terminal.press("down", "down", "enter")
        terminal.shows("There is no card Q5.", "│ K4 │")
        entered = "1. U1: X9+ K3^\n2. G1: X5+ X2\n3. K2: K4\n*\n"
        wait_until(lambda: path.read_text().endswith(f'{entered}; waiting "Q5"\n'))
        terminal.press("\x1b")
        terminal.shows("Removed: Q5")
        wait_until(lambda: path.read_text().endswith(entered))
        terminal.press("\x11")
        assert terminal.ends() == 0


def test_what_cannot_be_recorded_is_said(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.clm"
    wrong.write_text('[Deck "GKUWX"]\n\n1. U7: U7 G5\n')
    for path, options, message in (
        (wrong, (), "3:8: card-count"),
        (wrong, ("--lang", "de"), "das lässt sich nicht aufzeichnen"),
        (tmp_path / "none" / "game.clm", ("--lang", "de"), "Ordner"),
        (tmp_path / "none" / "game.clm", (), "there is no folder"),
        ("s3://claim/game.clm", (), "files in S3 are read, not written"),
        (tmp_path / "new.clm", ("-p", "Anna", "-p", "Ben", "--deck", "GK"), "ten-card"),
    ):
        with Recorder(path, *options) as terminal:
            terminal.shows(message)
            assert terminal.ends() == 2
    assert not (tmp_path / "new.clm").exists()


def test_an_error_of_ours_ends_with_a_sentence_and_no_question(tmp_path: Path) -> None:
    path, broken = tmp_path / "game.clm", tmp_path / "broken.py"
    path.write_text((DATA / "sample.clm").read_text(encoding="utf-8"), encoding="utf-8")
    broken.write_text(
        "from claimlog.cli import main\n"
        "from claimlog.cli.record.screen import Screen\n"
        "Screen._assumed = lambda self, width: {}['no such text']\n"
        "main.run()\n"
    )
    shell = f"'{sys.executable}' '{broken}' --lang de record '{path}'"
    with Recorder(shell=shell, width=200) as terminal:
        assert terminal.ends() == 2
        text = terminal.text()
    assert "wegen eines Fehlers in claimlog geschlossen: KeyError: 'no such text'" in text
    assert f"Alles Eingegebene steht in {path}." in text
    for word in ("Traceback", "locals", "importieren"):
        assert word not in text
