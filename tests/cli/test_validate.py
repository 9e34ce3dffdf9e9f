"""`claimlog validate` as a process: output, exit codes, folders, packed files, streams."""

import gzip
import json
import subprocess
import sys
from pathlib import Path

import pytest

CLAIMLOG = (sys.executable, "-c", "from claimlog.cli.main import run; run()")
DATA = Path(__file__).parents[2] / "data"
GOOD = '[CLM "1"]\n[Deck "GKUWX"]\n\n1. U7: G5 G8+ /W2\n*\n'
BAD = '[CLM "1"]\n[Deck "GKUWX"]\n\n1. U7: G5 G8+ /W2\n2. X3: G5+ K4 /G0\n*\n'
WARNED = '[CLM "1"]\n[Deck "GKUWX"]\n\n1. U7: G5 G8+^ /W2\n*\n'


def validate(*arguments: str | Path, stdin: bytes = b"") -> tuple[int, str, str]:
    done = subprocess.run(
        [*CLAIMLOG, "validate", *map(str, arguments)],
        input=stdin,
        capture_output=True,
        check=False,
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.clm").write_text(GOOD, encoding="utf-8")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "b.clm.gz").write_bytes(gzip.compress((GOOD + BAD).encode()))
    (tmp_path / "sub" / "c.txt").write_text("no record", encoding="utf-8")
    return tmp_path


def test_good_files() -> None:
    code, out, err = validate(DATA / "sample.clm", DATA / "powers")
    assert (code, err) == (0, "")
    assert out == "18 games, 0 invalid\n"


def test_text_shows_the_line_with_a_caret(tmp_path: Path) -> None:
    path = tmp_path / "bad.clm"
    path.write_text(BAD, encoding="utf-8")
    code, out, _ = validate(path)
    assert code == 1
    first, source, caret, *_ = out.splitlines()
    assert first.startswith(f"{path}:5:8: error: card-count: trick 2: there is only one G5")
    assert source == "    2. X3: G5+ K4 /G0"
    assert caret == "           ^^^"


def test_json_has_an_object_for_each_game(folder: Path) -> None:
    code, out, _ = validate("--format", "json", folder)
    reports = [json.loads(line) for line in out.splitlines()]
    assert code == 1
    packed = str(folder / "sub" / "b.clm.gz")
    places = [(r["file"], r["game"], r["line"], r["valid"]) for r in reports]
    assert places == [
        (str(folder / "a.clm"), 1, 1, True),
        (packed, 1, 1, True),
        (packed, 2, 6, False),
    ]
    assert list(reports[2]) == [
        "file", "game", "line", "valid", "complete", "result", "errors", "warnings",
    ]  # fmt: skip
    (problem,) = reports[2]["errors"]
    assert list(problem) == [
        "code", "severity", "message", "line", "column", "end_column", "trick", "seat", "card",
    ]  # fmt: skip
    assert (problem["line"], problem["column"], problem["card"]) == (10, 8, "G5")


def test_github_annotations(tmp_path: Path) -> None:
    path = tmp_path / "bad.clm"
    path.write_text(BAD, encoding="utf-8")
    code, out, _ = validate("-f", "github", path)
    assert code == 1
    place = f"file={path},line=5,col=8,endColumn=11,title=card-count"
    assert out.startswith(f"::error {place}::trick 2: there is")
    assert out.count("\n") == 1


def test_standard_input() -> None:
    code, out, _ = validate("-", stdin=BAD.encode())
    assert code == 1
    assert out.startswith("<stdin>:5:8: error: card-count")


def test_summary(folder: Path) -> None:
    code, out, _ = validate("--summary", folder)
    assert code == 1
    numbers = dict(line.rsplit(maxsplit=1) for line in out.splitlines())
    assert numbers == {
        "games": "3", "valid": "2", "invalid": "1", "complete": "0", "with warnings": "0",
        "  card-count": "1",
    }  # fmt: skip
    code, out, _ = validate("--summary", "--format", "json", folder)
    assert json.loads(out)["codes"] == {"card-count": 1}


def test_strict_turns_warnings_into_errors() -> None:
    assert validate("-", stdin=WARNED.encode())[0] == 0
    code, out, _ = validate("--strict", "-", stdin=WARNED.encode())
    assert code == 1
    assert "error: needless-irregular" in out


def test_the_mending_card_is_offered() -> None:
    """U1 is the one card that can stand where an impossible one does."""
    text = (DATA / "broken" / "not-held-opponents.clm").read_bytes()
    code, out, _ = validate("-", stdin=text)
    assert code == 1
    assert "the game is legal if U1 in line 35, column 9 is U0, and by no other single card" in out


def test_several_processes_report_in_order() -> None:
    text = (GOOD + WARNED) * 4000
    outs = [
        validate("-j", jobs, "-f", "json", "--summary", "-", stdin=text.encode()) for jobs in "12"
    ]
    assert outs[0] == outs[1]
    outs = [validate("-j", jobs, "-f", "github", "-", stdin=text.encode()) for jobs in "12"]
    assert outs[0] == outs[1]
    assert outs[0][1].count("\n") == 4000


def test_what_cannot_be_read(tmp_path: Path) -> None:
    damaged = tmp_path / "cut.clm.gz"
    damaged.write_bytes(gzip.compress(GOOD.encode() * 999)[:-20])
    good = tmp_path / "good.clm"
    good.write_text(GOOD, encoding="utf-8")
    code, out, err = validate(damaged, tmp_path / "none.clm", good)
    assert code == 2
    assert f"claimlog: {damaged} cannot be read" in err
    assert f"claimlog: {tmp_path / 'none.clm'} cannot be read: no such file or directory" in err
    assert "Traceback" not in err
    assert out == "1 game, 0 invalid\n"


def test_a_wrong_call() -> None:
    assert validate("--format", "xml", "-")[0] == 2
    assert validate()[0] == 2


def test_a_closed_pipe_is_no_error() -> None:
    text = BAD * 20000
    process = subprocess.Popen(
        [*CLAIMLOG, "validate", "--summary", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    process.stdout.close()
    process.stdout = None
    _, err = process.communicate(text.encode())
    assert b"Traceback" not in err
