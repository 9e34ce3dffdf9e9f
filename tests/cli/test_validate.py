"""`claimlog validate`: output, exit codes, folders, packed files, streams."""

import gzip
import io
import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from commands import SCRIPT, claimlog, in_process_of_its_own

from claimlog.cli.validate import validate as command

DATA = Path(__file__).parents[2] / "data"
GOOD = '[CLM "1"]\n[Deck "GKUWX"]\n\n1. U7: G5 G8+ /W2\n*\n'
BAD = '[CLM "1"]\n[Deck "GKUWX"]\n\n1. U7: G5 G8+ /W2\n2. X3: G5+ K4 /G0\n*\n'
WARNED = '[CLM "1"]\n[Deck "GKUWX"]\n\n1. U7: G5 G8+^ /W2\n*\n'


def validate(*arguments: str | Path, stdin: bytes = b"") -> tuple[int, str, str]:
    code, out, err = claimlog("validate", *arguments, stdin=stdin)
    return code, out.decode(), err.decode()


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
    first, source, caret, *rest = out.splitlines()
    assert first.startswith(f"{path}:5:8: slip: replaced-card: trick 2: G5+ should be another")
    assert source == "    2. X3: G5+ K4 /G0"
    assert caret == "           ^^^"
    assert rest == ["  1 problem follows from it (--all shows it)", "1 game, 1 invalid"]


def test_a_file_in_windows_1252_is_called_that(tmp_path: Path) -> None:
    path = tmp_path / "game.clm"
    path.write_bytes(f'[Event "Zürich"]\n[Site "Ærø"]\n{GOOD}'.encode("cp1252"))
    code, out, _ = validate(path)
    assert code == 1
    assert "probably Windows-1252, in which it is 'ü': save the file as UTF-8" in out
    assert "probably Windows-1252, in which it is 'Æ': save the file as UTF-8" in out
    path.write_bytes(GOOD.encode("utf-16"))
    assert "Windows-1252" not in validate(path)[1]


def test_a_file_of_another_kind_is_one_message(tmp_path: Path) -> None:
    path = tmp_path / "games.clm"
    path.write_bytes(b"PAR1" + b"\x15\x04" * 300)
    code, out, err = validate(path)
    assert (code, out) == (2, "0 games, 0 invalid\n")
    assert err.endswith("cannot be read: this is not text, and so not a file with records\n")


def test_all_shows_what_follows_from_a_slip(tmp_path: Path) -> None:
    path = tmp_path / "bad.clm"
    path.write_text(BAD, encoding="utf-8")
    code, out, _ = validate("--all", path)
    assert code == 1
    lines = out.splitlines()
    assert lines[0].startswith(f"{path}:5:8: slip: ")
    assert lines[3].startswith(f"{path}:5:8: error: card-count: trick 2: there is only one G5")
    assert len(lines) == 7


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
        "slip",
    ]  # fmt: skip
    (problem,) = reports[2]["errors"]
    assert list(problem) == [
        "code", "severity", "message", "line", "column", "end_column", "trick", "seat", "card",
        "because",
    ]  # fmt: skip
    assert (problem["line"], problem["column"], problem["card"]) == (10, 8, "G5")
    slip = reports[2]["slip"]
    assert list(slip) == ["kind", "trick", "line", "column", "end_column", "message", "mended"]
    assert (slip["kind"], slip["trick"], slip["line"], slip["column"], slip["end_column"]) == (
        "replaced-card", 2, 10, 8, 11,
    )  # fmt: skip
    assert problem["because"]
    assert slip["mended"] is None
    assert reports[0]["slip"] is None


def test_github_annotations(tmp_path: Path) -> None:
    path = tmp_path / "bad.clm"
    path.write_text(BAD, encoding="utf-8")
    code, out, _ = validate("-f", "github", path)
    assert code == 1
    place = f"file={path},line=5,col=8,endColumn=11,title=card-count"
    slip, error = out.splitlines()
    assert slip.startswith(f"::notice {place.replace('card-count', 'replaced-card')}::trick 2: G5")
    assert error.startswith(f"::error {place}::trick 2: there is")


def test_standard_input() -> None:
    code, out, _ = validate("-", stdin=BAD.encode())
    assert code == 1
    assert out.startswith("<stdin>:5:8: slip: replaced-card")


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
    """U1 is the only card that can replace the impossible one."""
    text = (DATA / "broken" / "not-held-opponents.clm").read_bytes()
    code, out, _ = validate("-", stdin=text)
    assert code == 1
    assert out.startswith("<stdin>:35:9: slip: replaced-card: trick 26: U1 should be U0; ")


def test_what_is_no_record_gets_one_error(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("Notes of the evening\n\n* who played whom\n* who won\n\n[1] later: 3-2\n" * 50)
    code, out, _ = validate(path)
    assert code == 1
    assert out.count("error:") == 1
    assert out.startswith(f"{path}:1:1: error: syntax: this is not a record of a game")
    assert out.endswith("1 game, 1 invalid\n")
    path.write_text("hello\n", encoding="utf-8")
    assert validate(path)[1].count("error:") == 1
    mixed = tmp_path / "mixed.clm"
    mixed.write_text(GOOD + "\n" + BAD, encoding="utf-8")
    assert validate(mixed)[1].endswith("2 games, 1 invalid\n")


def test_several_processes_report_in_order() -> None:
    """In another process: validation forks, which must not happen beside threads of other tests."""
    text = ((GOOD + WARNED) * 4000).encode()
    for words in (("-f", "json", "--summary"), ("-f", "github")):
        outs = [
            in_process_of_its_own("validate", "-j", jobs, *words, "-", stdin=text) for jobs in "12"
        ]
        assert outs[0] == outs[1]
    assert outs[0][1].count(b"\n") == 4000


@pytest.mark.parametrize(
    ("kept", "why"), [(slice(-20), "unvollständig"), (slice(-8), "beschädigt")]
)
def test_why_a_packed_file_cannot_be_read_is_said_in_german(
    tmp_path: Path, kept: slice, why: str
) -> None:
    damaged = tmp_path / "cut.clm.gz"
    packed = gzip.compress(GOOD.encode() * 999)
    damaged.write_bytes(packed[kept] + bytes(8) * (why == "beschädigt"))
    code, _, err = validate("--lang", "de", damaged)
    assert code == 2
    assert f"{damaged} kann nicht gelesen werden: sie ist {why}" in err


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
        [SCRIPT, "validate", "--summary", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    process.stdout.close()
    process.stdout = None
    _, err = process.communicate(text.encode())
    assert b"Traceback" not in err


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_no_thread_runs_where_processes_are_forked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The progress bar for large files on a terminal is drawn without a thread."""

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    running = []

    def counted() -> bool:
        running.append(threading.active_count())
        return False  # pytest-xdist has threads

    path = tmp_path / "games.clm"
    path.write_bytes(((DATA / "sample.clm").read_bytes() + b"\n") * 250)
    threads = threading.active_count()
    monkeypatch.setattr("os.path.getsize", lambda _: 100_000_000)
    monkeypatch.setattr("claimlog.workers.may_fork", counted)
    monkeypatch.setattr("sys.stderr", Terminal())
    monkeypatch.setenv("TERM", "xterm")
    with pytest.raises(SystemExit) as ended:
        command([str(path), str(path)], jobs=3)
    assert ended.value.code == 0
    assert running == [threads] * 2
    assert "MB" in sys.stderr.getvalue()
