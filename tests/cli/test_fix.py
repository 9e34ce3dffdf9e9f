"""`validate --fix` and `format --fix`: what is shown, asked and written."""

import os
import pty
import re
import subprocess
from pathlib import Path

import commands
import pytest

DATA = Path(__file__).parents[2] / "data"
SLIP = (DATA / "broken" / "not-held-opponents.clm").read_bytes()
GOOD = b'[CLM "1"]\n[Deck "GKUWX"]\n\n1. U7: G5 G8+ /W2\n*\n'
SEVERAL = (DATA / "broken" / "revoke.clm").read_bytes()
COLON = b'[Deck "GKUWX"]\r\n\r\n1. U7: G5 G8+ /W2\r\n2. X3 K4+ U1 /G0\r\n*\r\n'


def claimlog(*arguments: str | Path) -> tuple[int, str, str]:
    code, out, err = commands.claimlog(*arguments)
    return code, out.decode(), err.decode()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "games.clm"
    file.write_bytes(GOOD + b"\n" + SLIP + b"\n" + SEVERAL)
    file.chmod(0o640)
    return file


def test_unique_repairs_are_shown_and_written(path: Path) -> None:
    code, out, err = claimlog("validate", "--fix", "--yes", path)
    mended = SLIP.replace(b"26. G4+ U1", b"26. G4+ U0 {corrected: was U1}")
    assert path.read_bytes() == GOOD + b"\n" + mended + b"\n" + SEVERAL
    assert path.stat().st_mode & 0o777 == 0o640
    assert os.listdir(path.parent) == [path.name]
    assert (code, err) == (1, "")
    assert out.splitlines()[:4] == [
        f"{path}:41:9: slip: replaced-card: trick 26: U1 should be U0; that makes the game legal",
        "  - 26. G4+ U1",
        "  + 26. G4+ U0 {corrected: was U1}",
        f"1 repair written to {path}",
    ]
    assert out.endswith("3 games, 1 invalid\n")


def test_nothing_is_written_unasked(path: Path) -> None:
    before = path.read_bytes()
    code, out, err = claimlog("validate", "--fix", path)
    assert code == 1
    assert path.read_bytes() == before
    assert "  + 26. G4+ U0" in out
    assert "--yes" in err


@pytest.mark.parametrize(("answer", "written"), [(b"y\n", True), (b"n\n", False), (b"\n", False)])
def test_on_a_terminal_it_is_asked(path: Path, answer: bytes, written: bool) -> None:
    before = path.read_bytes()
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [commands.SCRIPT, "validate", "--fix", str(path)], stdin=theirs, stdout=subprocess.PIPE
    ) as process:
        os.close(theirs)
        os.write(ours, answer)
        out = process.communicate()[0].decode()
    os.close(ours)
    assert f"Write 1 repair to {path}? [y/N]" in out
    assert (path.read_bytes() != before) == written


def test_a_tag_is_mended_with_a_comment_to_the_game(tmp_path: Path) -> None:
    text = (DATA / "sample.clm").read_text(encoding="utf-8")
    # With names, these could be wrong instead, and nothing would be written.
    text = re.sub(r"\[Player\d .*\n", "", text)
    assert '[Leader "2"]' in text
    file = tmp_path / "game.clm"
    file.write_text(text.replace('[Leader "2"]', '[Leader "1"]'), encoding="utf-8")
    assert claimlog("validate", "--fix", "--yes", file)[0] == 0
    assert file.read_text(encoding="utf-8") == text.replace(
        "1. W1:", '{corrected: was [Leader "1"]}\n1. W1:', 1
    )


def test_line_ends_stay(tmp_path: Path) -> None:
    file = tmp_path / "game.clm"
    file.write_bytes(COLON)
    assert claimlog("validate", "--fix", "--yes", file)[0] == 0
    assert file.read_bytes() == COLON.replace(b"X3 ", b"X3: {corrected: was X3} ")


def test_format_mends_first(tmp_path: Path) -> None:
    file = tmp_path / "game.clm"
    file.write_bytes(COLON)
    code, out, _ = claimlog("format", "--fix", "--yes", file)
    assert code == 0
    assert file.read_bytes() == (
        b'[Deck "GKUWX"]\n\n1. U7: G5 G8+ /W2\n2. X3: K4+ U1 /G0 {corrected: was X3}\n*\n'
    )
    assert f"formatted {file}" in out


def test_a_second_time_there_is_nothing_to_mend(path: Path) -> None:
    claimlog("validate", "--fix", "--yes", path)
    once = path.read_bytes()
    out = claimlog("validate", "--fix", "--yes", path)[1]
    assert path.read_bytes() == once
    assert "written" not in out


def test_what_cannot_be_written(path: Path) -> None:
    assert claimlog("validate", "--fix", "-")[0] == 2
    assert claimlog("format", "--fix", "--check", path)[0] == 2
    packed = path.with_suffix(".clm.gz")
    packed.write_bytes(b"")
    code, _, err = claimlog("validate", "--fix", packed)
    assert code == 2
    assert "unpack it first" in err
