"""`claimlog puzzles`: asks for a card, and checks the answer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commands import claimlog

from claimlog.simulate import simulate_records
from claimlog.store import Archive

DAY = ("--simulate", "--date", "2026-11-24")


def puzzles(*arguments: str | Path, stdin: str = "") -> tuple[int, str]:
    code, out, err = claimlog("puzzles", *arguments, stdin=stdin.encode())
    return code, out.decode() + err.decode()


def test_asking():
    """Hints, an illegal card, a wrong one, the right one."""
    code, out = puzzles(*DAY, stdin="?\n?\nq\nn5\nN3\n")
    assert code == 0
    asked = out[out.index("\n> ") :].splitlines()[1:]
    assert asked[0] == "> It is one of the Gnomes."
    assert asked[1].startswith("> These do not win: ")
    assert "possible are N3, N5, N7, X8" in asked[2]
    assert asked[3].startswith("> ✗ N5, 1-0 (3-2): N5 N3 ")
    assert asked[4].startswith("> ✓ N3, 0-1 (2-3): N3 ")
    assert puzzles(*DAY, stdin="=\n")[1].splitlines()[-1].startswith("> ✓ N3")


def test_in_german_to_the_end_of_the_input():
    _, out = puzzles(*DAY, "--lang", "de")
    assert "Greedy 2 ist am Zug. Welche Karte gewinnt? (Stufe 4;" in out
    assert out.splitlines()[-1].startswith("✓ N3")


def test_of_a_level_as_json():
    code, out = puzzles(*DAY, "--level", "2", "--format", "json")
    found = [json.loads(line) for line in out.splitlines()]
    assert (code, [one["level"] for one in found]) == (0, [2])
    # The code is the game, and the same puzzle is found in it again.
    again = json.loads(puzzles(found[0]["code"], "--level", "2", "--format", "json")[1])
    assert again == found[0]


def test_of_the_archive(tmp_path: Path):
    """The puzzle of the day is the one that a server of this archive has."""
    db = tmp_path / "games.duckdb"
    (tmp_path / "games.clm").write_text(
        "\n".join(simulate_records(40, deck="GKBSU", policy="random", seed=1))
    )
    claimlog("import", tmp_path / "games.clm", "--db", db)
    db.chmod(0o444)
    few = puzzles("--db", db, "--format", "json", "-n", "2")
    db.chmod(0o644)
    for day in ((), ("--date", "2026-11-20")):
        code, out = puzzles("--db", db, "--format", "json", "-n", "2", *day)
        found = [json.loads(line) for line in out.splitlines()]
        assert (code, len(found), len(few[1].splitlines())) == (0, 2, 2)
        with Archive.open(db, read_only=True) as archive:
            daily = archive.daily_puzzle(date=day[1] if day else "")
        assert (daily.trick, daily.solution) == (found[0]["trick"], found[0]["solution"])
    none = claimlog("puzzles", "--db", db, "--date", "2999-01-01", "-f", "json")
    to_come = b"claimlog: the puzzle for 2999-01-01 will be published on that day\n"
    assert none == (1, b"", to_come)
    assert claimlog("puzzles", "--simulate", "--date", "2999-01-01") == (1, b"", to_come)
    page = tmp_path / "page.html"
    assert puzzles("--db", db, "--html", page)[0] == 0
    assert page.read_text().startswith("<!doctype html>")


@pytest.mark.parametrize("wrong", [("--date", "today"), ("--html", "-", "--format", "json")])
def test_wrong_calls(wrong: tuple[str, ...]):
    assert puzzles("--simulate", *wrong)[0] == 2


def test_an_option_is_not_taken_for_the_file_to_write(tmp_path: Path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, out, err = claimlog("puzzles", *DAY, "--html", "--level")
    assert (code, out) == (2, b"")
    assert b"the name of the file to write is missing before --level" in err
    assert not list(tmp_path.iterdir())
