"""`claimlog analyse`: the story, the values, JSON, and marks in the record."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from commands import claimlog

from claimlog import simulate_games
from claimlog.notation.writer import canonical
from claimlog.store import ArchiveUnreachable, analysing

SAMPLE = Path("data/sample.clm")
CASES = Path("data/conformance/records")


def analyse(*arguments: str | Path, stdin: bytes = b"") -> tuple[int, str, str]:
    code, out, err = claimlog("analyse", *arguments, stdin=stdin)
    return code, out.decode(), err.decode()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A record with mistakes that is quickly analysed."""
    (game,) = simulate_games(1, deck="GKBSU", policy="random", seed=7)
    path = tmp_path / "game.clm"
    path.write_text(canonical(game))
    return path


def test_the_story():
    code, out, err = analyse(SAMPLE)
    assert (code, err) == (0, "")
    assert "In trick 15 Ben Roth gave the game away with X8; G7, G8 or U9 would have kept" in out
    assert "gave it back with X7; G9, W4, W6 or another would have kept it" in out
    assert "15     Ben Roth     X8 ??   G7, G8, U9 " in out
    assert "Anna Keller: 11 decisions, 10 as good as any, one changed the result" in out


def test_one_seat(path: Path):
    _, out, _ = analyse(path, "--seat", "1")
    assert "U3 ??" in out
    assert "U1 ??" not in out
    assert "\nRandom 2: " not in out


def test_a_trick_in_german(path: Path):
    code, out, _ = analyse(path, "--trick", "16", "--lang", "de")
    assert code == 0
    assert "Stich 16, Random 1:\nKarte  Wert\nG2     1-0 (3-2)\n" in out
    assert "U3     0-1 (2-3)  ← ??\n" in out


def test_a_trick_without_a_decision(path: Path):
    _, out, _ = analyse(path, "--trick", "26")
    assert "Trick 26 has no decision" in out


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (("--trick", "40"), "Game 1 has 26 tricks; there is no trick 40."),
        (("--seat", "3"), "Game 1 has 2 seats; there is no seat 3."),
    ],
)
def test_a_trick_or_a_seat_that_is_not_there(path: Path, wrong: tuple[str, ...], message: str):
    assert analyse(path, *wrong) == (2, "", f"claimlog: {message}\n")


def test_a_trick_of_phase_1(path: Path):
    _, out, _ = analyse(path, "--trick", "5")
    assert "Trick 5 has no values: they begin with trick 14." in out


def test_every_seat_of_a_team():
    _, out, _ = analyse("data/team-cup.clm", "--game", "1", "--seat", "3", "--effort", "20")
    assert "Ben Roth: " in out
    assert "Lukas Hofer: " not in out


def test_an_error_in_phase_2_ends_the_story():
    code, out, _ = analyse("data/broken/revoke-phase-2.clm")
    assert code == 1
    assert "There is an error in trick 15; only the tricks before it are analysed." in out
    assert " error: revoke: trick 15" in out
    assert "Anna Keller won" not in out


def test_who_could_know(path: Path):
    _, out, _ = analyse(path)
    assert "Both players could work out each other's hand." in out
    _, out, _ = analyse("data/powers/raccoons.clm")
    assert "could work out" not in out
    assert "Ben Roth could not know the other hand: 4 more cards were never shown." in out


def test_json_is_a_line_a_game(path: Path):
    _, out, _ = analyse("data/thursday-evening.clm", "--format", "json", "--effort", "100")
    reports = [json.loads(line) for line in out.splitlines()]
    assert [report["game"] for report in reports] == [1, 2, 3, 4, 5]
    assert {report["hands"] for report in reports} == {"open"}
    _, out, _ = analyse(path, "--format", "json", "--trick", "16", "--seat", "2")
    (report,) = [json.loads(line) for line in out.splitlines()]
    assert [one["played"] for one in report["decisions"]] == ["U1"]


def test_little_effort_says_so():
    code, out, _ = analyse(SAMPLE, "--effort", "1")
    assert code == 1
    assert "Not all values are exact; a larger --effort determines more of them." in out


def test_a_record_with_errors():
    code, out, _ = analyse("data/broken/winner-mark.clm")
    assert code == 1
    assert "winner-mark" in out


def test_annotating_a_file_twice_changes_nothing(path: Path):
    code, out, err = analyse(path, "--annotate")
    assert (code, out, err) == (0, "", "")
    once = path.read_text()
    assert once.count("[%value ") == 20
    assert analyse(path, "--annotate")[0] == 0
    assert path.read_text() == once
    assert claimlog("validate", path)[0] == 0


def test_annotating_elsewhere(path: Path, tmp_path: Path):
    before = path.read_bytes()
    code, out, _ = analyse(path, "--annotate", "--output", "-")
    assert code == 0
    assert path.read_bytes() == before
    _, again, _ = analyse("-", "--annotate", stdin=before)
    assert again == out
    analyse(path, "--annotate", "--output", tmp_path / "new.clm")
    assert (tmp_path / "new.clm").read_text() == out


def test_a_mark_by_hand_stays(path: Path):
    path.write_text(path.read_text().replace("16. U3+ U1", "16. U3+!? U1"))
    analyse(path, "--annotate")
    assert "16. U3+!? {[%value 0-1 2-3]} U1?? {" in path.read_text()
    analyse(path, "--annotate", "--replace")
    assert "16. U3+?? {" in path.read_text()


def test_what_is_not_annotated(path: Path):
    """A record with errors stays as it is."""
    broken = Path("data/broken/winner-mark.clm").read_bytes()
    path.write_bytes(broken)
    code, _, err = analyse(path, "--annotate")
    assert (code, path.read_bytes()) == (2, broken)
    assert "winner-mark" in err


@pytest.mark.parametrize(
    "wrong",
    [
        ("--replace",),
        ("--output", "-"),
        ("--annotate", "--trick", "15"),
        ("--annotate", "--format", "json"),
        ("--game", "7"),
        ("--redeals", "8"),
    ],
)
def test_wrong_calls(path: Path, wrong: tuple[str, ...]):
    code, out, err = analyse(path, *wrong)
    assert (code, out) == (2, "")
    assert err.startswith("claimlog: ")


@pytest.mark.parametrize("path", sorted(CASES.glob("slip-*.clm")), ids=lambda path: path.stem)
def test_records_with_slips(path: Path):
    """Later cards may show that an earlier play was impossible, before any error is reported."""
    code, out, err = analyse(path, "--format", "json", "--effort", "1")
    assert (code, err) == (1, "")
    assert out.count("\n") == path.read_text().count("[CLM ")


@pytest.mark.parametrize("text", [b"", b" \n", "\ufeff".encode()])
@pytest.mark.parametrize("options", [[], ["--annotate"]])
def test_a_file_without_games(text: bytes, options: list[str]):
    code, out, err = analyse("-", *options, stdin=text)
    assert (code, out, err) == (2, "", "claimlog: <stdin> contains no games\n")


def test_a_code_in_place_of_a_file(path: Path):
    _, code, _ = claimlog("link", path)
    status, out, _ = analyse(code.decode().strip(), "--trick", "16")
    assert status == 0
    assert "U3    0-1 (2-3)  ← ??" in out


def test_what_the_effort_left_open_is_said(tmp_path: Path):
    db = ("--db", tmp_path / "games.duckdb")
    assert claimlog("import", SAMPLE, *db)[0] == 0
    assert analyse("--all", "--redeals", "1", "--effort", "1", *db)[1].splitlines() == [
        "1 game analysed",
        "1 game has values left open and does not count in all statistics: --all --inexact with a "
        "larger --effort",
    ]
    assert b"analysed completely yet" in claimlog("stats", "luck", *db)[1]
    assert analyse("--all", "--redeals", "1", "--inexact", *db)[1] == "1 game analysed\n"
    assert b"completely" not in claimlog("stats", "luck", *db)[1]


def test_that_the_database_is_waited_for_is_said(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    db = tmp_path / "games.duckdb"
    assert claimlog("import", path, "--db", db)[0] == 0
    read = analysing._texts
    silent = ArchiveUnreachable("postgres.silent", path="db", why="connection refused")
    answers = iter([silent, silent])

    def texts(*arguments: Any) -> dict[int, str]:
        for error in answers:
            raise error
        return read(*arguments)

    monkeypatch.setattr(analysing, "_texts", texts)
    assert analyse("--all", "--redeals", "0", "--db", db) == (
        0,
        "1 game analysed\n",
        "claimlog: db does not answer: connection refused; waiting up to 120 s for an answer\n",
    )


def test_the_archive(path: Path, tmp_path: Path):
    """Games are analysed once; and the options for files and for the archive exclude each other."""
    db = tmp_path / "games.duckdb"
    assert claimlog("import", path, "--db", db)[0] == 0
    assert analyse("--all", "--redeals", "0", "--db", db) == (0, "1 game analysed\n", "")
    assert analyse("--all", "--redeals", "0", "--db", db)[1] == "0 games analysed\n"
    for arguments in (
        ("--all", path),
        ("--all", "--seat", "1"),
        (path, "--cluster", "tcp://a:1"),
        (),
    ):
        assert analyse(*arguments)[0] == 2
