"""Tiny records: no command that reads records crashes on one, or drops the others."""

import io
import json
import signal
import sys
from pathlib import Path

import pytest

from claimlog.cli.main import run
from claimlog.cli.serve import _for_this_run as for_this_run
from claimlog.notation.reader import sheets
from claimlog.recording import Journal, JournalError, Recording
from claimlog.replay import slip
from claimlog.replay.mending import mend
from claimlog.replay.validate import judge_block
from claimlog.store import Archive

TAG = '[Deck "GKUWX"]\n'
GOOD = f"{TAG}\n1. U7: G5 G8+ /W2\n*\n"
FEW = {
    "result": f"{TAG}\n1-0\n",
    "result alone": "1-0\n",
    "open": f"{TAG}\n*\n",
    "tag": TAG,
    "tag of nothing": '[Room "Blue"]\n',
    "number": f"{TAG}\n1.\n",
    "numbers": f"{TAG}\n1. 2.\n1-0\n",
    "comment": f"{TAG}\n{{nothing}}\n",
    "comment and result": f"{TAG}\n{{nothing}} 1-0\n",
    "open comment": f"{TAG}\n{{nothing\n",
    "upcard": f"{TAG}\nU7:\n1-0\n",
    "play": f"{TAG}\nG5\n1-0\n",
    "draw": f"{TAG}\n/W2\n1-0\n",
    "mark": f"{TAG}\n+ 1-0\n",
    "junk": f"{TAG}\nwhat 1-0\n",
    "three seats": '[Player3 "C"]\n[Deck "GKUWXDS"]\n\n1-0-0\n',
    "bye": '[Player1 "A"]\n[Termination "bye"]\n\n1\n',
    "no deck": '[Player1 "A"]\n[Player2 "B"]\n\n1-0\n',
}
SLIPS = sorted((Path(__file__).parents[2] / "data" / "conformance" / "records").glob("slip-*.clm"))


def claimlog(monkeypatch, *args, stdin=""):
    """Run the command in this process; return its exit code, output and error output."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in "oe")
    source = io.TextIOWrapper(io.BufferedReader(io.BytesIO(stdin.encode())), "utf-8")
    for name, stream in (("stdin", source), ("stdout", out), ("stderr", err)):
        monkeypatch.setattr(sys, name, stream)
    monkeypatch.setattr(sys, "argv", ["claimlog", *map(str, args)])
    with pytest.raises(SystemExit) as end:
        run()
    texts = [stream.buffer.getvalue().decode() for stream in (out, err)]
    return end.value.code or 0, *texts


@pytest.fixture
def few(monkeypatch, tmp_path):
    """All these records in one file, each followed by a good one, and a way to run commands."""
    path = tmp_path / "few.clm"
    text = "\n".join(f"{record}\n{GOOD}" for record in FEW.values())
    path.write_text(text, encoding="utf-8")

    def ask(*args):
        code, out, err = claimlog(monkeypatch, *args, stdin=text)
        assert code in (0, 1, 2), (args, err)
        return out

    return path, text, sum(1 for _ in sheets(io.BytesIO(text.encode()).read)), ask


def test_no_command_for_files_dies_of_them(few):
    """Whatever they report about these records, they read all the good ones."""
    path, text, games, ask = few
    reports = [json.loads(line) for line in ask("validate", "-f", "json", "-").splitlines()]
    assert [report["game"] for report in reports] == list(range(1, games + 1))
    assert sum(report["valid"] for report in reports) > len(FEW)
    for options in ((), ("-f", "github"), ("--summary",), ("--strict", "--all")):
        answer = ask("validate", *options, path)
        assert answer
        assert "failed" not in answer
    ask("validate", "--fix", "--yes", path)
    assert path.read_text(encoding="utf-8") == text
    replayed = [json.loads(line) for line in ask("replay", "-f", "json", path).splitlines()]
    assert len(replayed) == games
    assert sum(len(game["tricks"]) == 1 and game["result"] == "*" for game in replayed) >= len(FEW)
    assert ask("replay", "-f", "text", path)
    ask("link", path)
    ask("format", "--check", path)
    ask("format", "-")


def test_no_command_for_one_game_dies_of_them(few, tmp_path):
    path, _, games, ask = few
    for game in range(1, games, 2):  # between them are the good ones
        ask("replay", "--game", game, "--hide", "1", "--trick", "1", path)
        ask("picture", "--game", game, path, "-o", tmp_path / "one.svg")
        ask("export", "--game", game, "--html", tmp_path / "one.html", path)


def test_a_result_without_tricks_is_incomplete(monkeypatch):
    code, out, _ = claimlog(monkeypatch, "validate", "-f", "json", "-", stdin=FEW["result"])
    (report,) = map(json.loads, out.splitlines())
    (error,) = report["errors"]
    assert code == 1
    assert (error["code"], error["line"], error["column"], error["end_column"]) == (
        "incomplete", 3, 1, 4,
    )  # fmt: skip
    assert report["slip"] is None


def test_all_are_taken_into_the_archive_or_refused(monkeypatch, tmp_path):
    """In one file; games without tricks may be stored if they say why they have none."""
    text = "\n".join([*FEW.values(), GOOD])
    db = ("--db", tmp_path / "db.duckdb")
    code, out, err = claimlog(monkeypatch, "import", *db, "-", stdin=text)
    assert code in (0, 1), err
    code, out, _ = claimlog(monkeypatch, "export", *db)
    assert code == 0
    assert "1. U7: G5 G8+ /W2\n*\n" in out


def test_a_recording_goes_on_or_says_why_not(tmp_path):
    """A file that is not the record of one game stays as it is."""
    path = tmp_path / "game.clm"
    said = []
    for text in [*map(str.encode, FEW.values()), *(file.read_bytes() for file in SLIPS), b"\0"]:
        path.write_bytes(text)
        try:
            with Journal(path) as journal:
                Recording.resume(journal.text or "", journal.write)
            said.append("")
        except (JournalError, ValueError) as error:
            said.append(str(error) or repr(error))
        assert path.read_bytes() == text
    assert said.count("") == 4, "open, tag, number, comment"
    assert not any("Error" in why for why in said)


def test_files_to_look_at_are_served_without_what_is_not_legal(few, monkeypatch, capsys):
    path, *_ = few
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    with for_this_run([str(path), *map(str, SLIPS)], "1GB") as made, Archive.open(made) as archive:
        assert GOOD.split("\n\n")[1].encode() in b"".join(archive.export("clm"))
    assert "games are not legal and not shown" in capsys.readouterr().err


def test_a_search_that_fails_leaves_the_report_whole(monkeypatch):
    """The report says so, in every format; games before and after are unaffected."""

    def fail(*_):
        raise IndexError("list index out of range")

    wrong = GOOD.replace("G8+", "G8").replace("G5", "G5+")
    text = f"{GOOD}\n{wrong}\n{GOOD}"
    _, before, _ = claimlog(monkeypatch, "validate", "-f", "json", "-", stdin=text)
    monkeypatch.setattr(slip, "find_slip", fail)
    code, out, err = claimlog(monkeypatch, "validate", "-", stdin=text)
    assert (code, err) == (1, "")
    assert "error: winner-mark" in out
    assert "the search for one slip that explains these errors failed (IndexError: list" in out
    assert out.endswith("3 games, 1 invalid\n")
    _, github, _ = claimlog(monkeypatch, "validate", "-f", "github", "-", stdin=text)
    assert "::notice file=<stdin>,line=6::note: the search" in github
    _, after, _ = claimlog(monkeypatch, "validate", "-f", "json", "-", stdin=text)
    reports = [json.loads(line) for line in after.splitlines()]
    assert [report["slip"] for report in reports] == [None] * 3
    assert [r["errors"] and r["errors"][0]["code"] for r in reports] == [[], "winner-mark", []]
    assert len(before.splitlines()) == 3
    assert mend(text.encode()) == (text.encode(), [])
    (report,) = judge_block(wrong.encode(), 1, False, slips=True).reports
    assert report.failure == "IndexError: list index out of range"
