"""`claimlog format`: it rewrites files, and never damages one."""

import gzip
import os
import threading
from pathlib import Path

import pytest
from commands import claimlog

pytestmark = pytest.mark.no_cover

TYPED = (
    '[Deck "xwukg"]\n[CLM "1"]\n[Room "2"]\n[Event "Evening"]\n\n'
    "u7:g5 g8 {close} /w2\n{next} x3: k4 u1/g0 *"
)
CANONICAL = (
    '[CLM "1"]\n[Event "Evening"]\n[Deck "GKUWX"]\n[Room "2"]\n\n'
    "1. U7: G5 G8+ {close} /W2 {next}\n2. X3: K4+ U1 /G0\n*\n"
)
COMPACT = (
    '[CLM "1"]\n[Event "Evening"]\n[Deck "GKUWX"]\n[Room "2"]\n'
    "U7:G5G8+{close}/W2{next} X3:K4+U1/G0 *\n"
)
BAD = CANONICAL.replace("G8+", "G5+")


def format_files(*arguments: str | Path, stdin: bytes = b"") -> tuple[int, str, str]:
    code, out, err = claimlog("format", *arguments, stdin=stdin)
    return code, out.decode(), err.decode()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "typed.clm"
    path.write_text(TYPED, encoding="utf-8")
    return path


def test_rewrites_in_canonical_form_once(path: Path) -> None:
    path.chmod(0o640)
    assert format_files(path) == (0, f"formatted {path}\n", "")
    assert path.read_text(encoding="utf-8") == CANONICAL
    assert path.stat().st_mode & 0o777 == 0o640
    assert format_files(path) == (0, "", "")
    assert format_files("--check", path) == (0, "", "")


def test_compact_and_back(path: Path) -> None:
    assert format_files("--compact", path)[0] == 0
    assert path.read_text(encoding="utf-8") == COMPACT
    assert format_files(path)[0] == 0
    assert path.read_text(encoding="utf-8") == CANONICAL


@pytest.mark.parametrize("how", ["--check", "--diff"])
@pytest.mark.parametrize(("text", "code"), [(TYPED, 1), (CANONICAL, 0)])
def test_a_pipe_is_checked(tmp_path: Path, how: str, text: str, code: int) -> None:
    pipe = tmp_path / "pipe.clm"
    os.mkfifo(pipe)
    writing = threading.Thread(target=pipe.write_text, args=(text,), daemon=True)
    writing.start()
    found, out, err = format_files(how, pipe)
    writing.join()
    assert (found, err) == (code, "")
    shown = f"would change {pipe}" if how == "--check" else f"--- {pipe}"
    assert out.startswith(shown if code else "")
    assert bool(out) == bool(code)


def test_check_and_diff_write_nothing(path: Path) -> None:
    assert format_files("--check", path) == (1, f"would change {path}\n", "")
    code, out, _ = format_files("--diff", path)
    assert code == 1
    assert '-[Deck "xwukg"]' in out.splitlines()
    assert "+2. X3: K4+ U1 /G0" in out.splitlines()
    assert path.read_text(encoding="utf-8") == TYPED
    assert list(path.parent.iterdir()) == [path]


def test_standard_input() -> None:
    assert format_files("-", stdin=TYPED.encode()) == (0, CANONICAL, "")
    code, out, err = format_files("-", stdin=BAD.encode())
    assert (code, out) == (1, "")
    assert "not formatted: <stdin>:6:11: card-count" in err


def test_many_games_are_parted_by_an_empty_line(tmp_path: Path) -> None:
    path = tmp_path / "two.clm"
    path.write_text(f"{TYPED}\n{CANONICAL}", encoding="utf-8")
    assert format_files(path)[0] == 0
    assert path.read_text(encoding="utf-8") == f"{CANONICAL}\n{CANONICAL}"


def test_a_file_with_an_invalid_game_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "bad.clm"
    path.write_text(f"{TYPED}\n{BAD}", encoding="utf-8")
    code, out, err = format_files(path)
    assert (code, out) == (1, "")
    assert f"{path}:" in err
    assert path.read_text(encoding="utf-8") == f"{TYPED}\n{BAD}"
    assert list(tmp_path.iterdir()) == [path]


def test_folders_and_links(tmp_path: Path, path: Path) -> None:
    link = tmp_path / "link.clm"
    link.symlink_to(path)
    assert format_files(tmp_path)[0] == 0
    assert link.is_symlink()
    assert path.read_text(encoding="utf-8") == CANONICAL


def test_packed_files_are_only_checked(tmp_path: Path) -> None:
    packed = tmp_path / "a.clm.gz"
    packed.write_bytes(gzip.compress(CANONICAL.encode()))
    assert format_files("--check", packed)[0] == 0
    assert format_files(packed)[0] == 2


def test_what_cannot_be_read(tmp_path: Path) -> None:
    code, _, err = format_files(tmp_path / "none.clm")
    assert code == 2
    assert "no such file" in err
    assert "Traceback" not in err
