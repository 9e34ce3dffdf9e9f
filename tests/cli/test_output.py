"""What a command writes to a file: whole, through links, with the file's own mode, into pipes."""

from __future__ import annotations

import fcntl
import os
import stat
import sys
from typing import TYPE_CHECKING

import pytest
from archiving import claimlog, lay_out

from claimlog import simulate_games
from claimlog.notation.writer import canonical

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs pipes with names")

CALLS = [
    "simulate -o",
    "picture sample.clm --format svg -o",
    "analyse quick.clm --annotate -o",
    "export --html",
    "export --db games.duckdb -o",
    "export --db games.duckdb --format csv -o",
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("output")
    lay_out(path)
    (game,) = simulate_games(1, deck="GKBSU", policy="random", seed=7)
    (path / "quick.clm").write_text(canonical(game))
    assert claimlog(path, "import", "sample.clm", "--db", "games.duckdb")[0] == 0
    return path


def run(folder: Path, call: str, output: str) -> None:
    words = [*call.split(), output]
    code, out, err = claimlog(folder, *words, *["sample.clm"] * call.endswith("--html"))
    assert (code, out, err) == (0, "", "")


@pytest.mark.parametrize("call", CALLS)
def test_a_pipe_gets_what_is_written(folder: Path, call: str) -> None:
    pipe = folder / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        fcntl.fcntl(reader, fcntl.F_SETPIPE_SZ, 1 << 20)
        run(folder, call, "pipe")
        assert stat.S_ISFIFO(pipe.lstat().st_mode)
        run(folder, call, "file")
        assert os.read(reader, 1 << 20) == (folder / "file").read_bytes() != b""
    finally:
        os.close(reader)
        pipe.unlink()
        (folder / "file").unlink(missing_ok=True)


@pytest.mark.parametrize("call", CALLS)
def test_links_and_modes_are_kept(folder: Path, call: str) -> None:
    (folder / "there").mkdir()
    real, link = folder / "there" / "real", folder / "link"
    link.symlink_to("there/real")
    try:
        run(folder, call, "link")  # to a file that does not exist yet
        mask = os.umask(0)
        os.umask(mask)
        assert real.stat().st_mode & 0o777 == 0o666 & ~mask
        text = real.read_bytes()
        real.write_text("as it was")
        real.chmod(0o604)
        run(folder, call, "link")
        assert link.is_symlink()
        assert real.read_bytes() == text
        assert real.stat().st_mode & 0o777 == 0o604
        assert os.listdir(real.parent) == ["real"]
    finally:
        link.unlink()
        real.unlink(missing_ok=True)
        real.parent.rmdir()


def test_the_record_that_is_annotated_keeps_its_link_and_mode(folder: Path) -> None:
    real, link = folder / "real.clm", folder / "link.clm"
    before = (folder / "quick.clm").read_text()
    real.write_text(before)
    real.chmod(0o600)
    link.symlink_to("real.clm")
    assert claimlog(folder, "analyse", "link.clm", "--annotate") == (0, "", "")
    assert link.is_symlink()
    assert real.read_text() != before
    assert real.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    "call", [("analyse", "--annotate"), ("format",), ("validate", "--fix", "--yes")]
)
def test_a_pipe_is_not_rewritten(folder: Path, call: tuple[str, ...]) -> None:
    pipe = folder / "pipe.clm"
    os.mkfifo(pipe)
    try:
        code, out, err = claimlog(folder, *call, "pipe.clm")
    finally:
        pipe.unlink()
    assert (code, out) == (2, "")
    assert err.startswith("claimlog: pipe.clm: pipes and devices are read, not written; ")


def test_a_packed_record_is_not_annotated_in_place(folder: Path) -> None:
    (folder / "packed.clm.gz").write_bytes(b"")
    code, out, err = claimlog(folder, "analyse", "packed.clm.gz", "--annotate")
    assert (code, out) == (2, "")
    assert err.startswith("claimlog: packed.clm.gz: packed files are read, not written")
