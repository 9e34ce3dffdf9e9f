"""docs/tutorial.md is accurate: its game is recorded on a terminal, and its commands are run."""

from __future__ import annotations

import os
import re
import shlex
import sys
from pathlib import Path

import pytest
from commands import shell
from test_cli_docs import is_shown
from waiting import PATIENCE

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "tutorial.md").read_text(encoding="utf-8")
_STEP = re.compile(r"^\$ (.*)\n((?:(?!\$ |```).*\n)*)", re.MULTILINE)


def keys(line: str) -> str:
    """What a line of the table of keys sends to the terminal."""
    if line.startswith("Ctrl+E "):
        return "\x05" + line.removeprefix("Ctrl+E ").replace(" Enter", "\r")
    return line.replace("Enter", "\r").replace(" ", "")


def record(folder: Path, env: dict[str, str]) -> None:
    """Record the page's game as the page says."""
    pexpect = pytest.importorskip("pexpect", reason="needs a pseudo-terminal")
    command, typed = re.findall(r"```(?:sh|text)\n(claimlog record .*|u7 [^`]*)\n```", PAGE)
    process = pexpect.spawn(
        command,
        cwd=folder,
        env=env | {"TERM": "xterm-256color"},
        dimensions=(24, 80),
        timeout=PATIENCE,
    )
    try:
        process.expect("upcard is due")
        for line in typed.splitlines():
            process.send(keys(line))
        process.expect("Result: 1-0")
        process.send("\r")
        process.expect(r"Import the game now")
        process.sendline("n")
        process.expect(pexpect.EOF)
    finally:
        process.close(force=True)
    assert process.exitstatus == 0


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_the_tutorial_runs_from_top_to_bottom(tmp_path: Path) -> None:
    env = os.environ | {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "LC_ALL": "C.UTF-8", "COLUMNS": "80", "XDG_DATA_HOME": str(tmp_path / "archive"),
    }  # fmt: skip
    (tmp_path / "data").symlink_to(ROOT / "data")
    record(tmp_path, env)
    steps = _STEP.findall(PAGE)
    for command, shown in steps:
        output = shell(command, env=env, cwd=tmp_path, merged=True)[1].decode()
        assert is_shown(shown, output), f"$ {command}\n{output}"
    named = {shlex.split(command)[1] for command, _ in steps if command.startswith("claimlog")}
    assert {"validate", "import", "standings", "link", "export"} <= named
