"""What a command writes: files as a whole, through links, into pipes; standard output if it can."""

from __future__ import annotations

import fcntl
import os
import stat
import subprocess
import sys
import tempfile
from typing import TYPE_CHECKING

import commands
import pytest
from archiving import at, claimlog, lay_out

from claimlog import simulate_games
from claimlog.cli.palette import styled
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


FULL = "claimlog: standard output cannot be written: no space left on device\n"


def into_full(folder: Path, *words: str) -> tuple[int, str]:
    """Run a command whose standard output is full; return its code and what it says."""
    with (
        open("/dev/full", "wb") as out,
        tempfile.TemporaryFile() as err,
        commands._process(words, at(folder), folder),
    ):
        with commands._streams((folder / "sample.clm").read_bytes(), out, err):
            code = commands._run()
        err.seek(0)
        return code, err.read().decode()


@pytest.mark.parametrize(
    "call",
    [
        "--help",
        "--version",
        "analyse --help",
        "validate sample.clm",
        "validate wrong.clm --format json",
        "rules",
        "format -",
        "format --check --compact sample.clm",
        "games --db games.duckdb",
        "games --db games.duckdb --format json",
        "stats factions --db games.duckdb --format csv",
        "export --db games.duckdb",
        "export --db games.duckdb --format csv",
        "replay sample.clm",
        "replay wrong.clm --format json",
        "link sample.clm",
        "analyse quick.clm",
        "analyse quick.clm --annotate -o -",
        "picture sample.clm -o -",
        "puzzles --simulate --format json",
        "simulate",
        "simulate -n 300",
    ],
)
def test_a_full_standard_output(folder: Path, call: str) -> None:
    assert into_full(folder, *call.split()) == (2, FULL)


def test_a_full_standard_output_in_german(folder: Path) -> None:
    assert into_full(folder, "rules", "--lang", "de") == (
        2,
        "claimlog: auf die Standardausgabe kann nicht geschrieben werden: kein Platz mehr auf dem "
        "Datenträger\n",
    )


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_full_standard_output_of_a_process(folder: Path, unbuffered: str) -> None:
    with open("/dev/full", "wb") as out:
        done = subprocess.run(
            [commands.SCRIPT, "link", "sample.clm"], cwd=folder, stdout=out, stderr=subprocess.PIPE,
            env=at(folder) | {"PYTHONUNBUFFERED": unbuffered}, timeout=60, check=False,
        )  # fmt: skip
    assert (done.returncode, done.stderr.decode()) == (2, FULL)


@pytest.mark.parametrize("call", ["rules", "simulate -n 300", "link sample.clm", "events"])
def test_a_closed_pipe_is_no_error(folder: Path, call: str) -> None:
    read, write = os.pipe()
    os.close(read)
    with open(write, "wb") as out, tempfile.TemporaryFile() as err:
        words = (*call.split(), *["--db", "games.duckdb"] * (call == "events"))
        with (
            commands._process(words, at(folder), folder),
            commands._streams(b"", out, err),
        ):
            code = commands._run()
        assert (code, err.tell()) == (0, 0)


def test_without_standard_output_nothing_is_printed(folder: Path) -> None:
    line = "claimlog rules >&-"
    assert commands.shell(line, env=at(folder), cwd=folder) == (0, b"", b"")


HARM = "\x1b[31m\x07\u202e\u2066"
NAME = f"An{HARM}na"


@pytest.fixture(scope="module")
def harmful(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with records and an event whose texts would control a terminal."""
    path = tmp_path_factory.mktemp("harmful")
    lay_out(path)
    record = (path / "sample.clm").read_text(encoding="utf-8")
    changed = record.replace("Anna", NAME).replace("the first card", f"the {HARM}first card")
    slip = (path / "wrong.clm").read_text(encoding="utf-8").replace('"GKUWX"', f'"GKUWX{HARM}"')
    (path / "changed.clm").write_text(changed, encoding="utf-8")
    (path / "deck.clm").write_text(slip, encoding="utf-8")
    (path / "mend.clm").write_text(changed.replace("1. W1:", f"{{{HARM}}} 1. W1"), encoding="utf-8")
    assert claimlog(path, "import", "sample.clm", "--db", "games.duckdb")[0] == 0
    return path


@pytest.mark.parametrize(
    "call",
    [
        "analyse changed.clm",
        "analyse changed.clm --trick 15",
        "import changed.clm --db games.duckdb",
        "import deck.clm --db games.duckdb",
        "game correct 8emz5k5amwvkk deck.clm --by Ruth --why x --db games.duckdb",
        "format changed.clm --diff --compact",
        "format deck.clm",
        "validate deck.clm",
        "validate mend.clm --fix --yes",
    ],
)
def test_nothing_in_a_record_controls_the_terminal(harmful: Path, call: str) -> None:
    _, out, err = claimlog(harmful, *call.split(" "))
    assert not {*HARM} - {*"[31m"} & {*out, *err}
    assert "\N{REPLACEMENT CHARACTER}" in out + err


def test_nothing_on_a_screen_controls_the_terminal() -> None:
    assert styled([[(NAME, "b")]]).plain == "An\ufffd[31m\ufffd\ufffd\ufffdna"
