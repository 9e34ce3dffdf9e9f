"""The how-to steps of docs/architecture.md, as changes of files."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "architecture.md"
STEP = re.compile(r"```diff\n--- (\S+)\n(.*?)\n```\n", re.DOTALL)


def steps(heading: str) -> list[tuple[str, str]]:
    """Return the steps below a heading: pairs of a file and its new lines.

    New lines go beside the existing line that the step shows; a step without one creates the file.
    """
    section = PAGE.read_text().split(f"## {heading}\n")[1].partition("\n## ")[0]
    return STEP.findall(section)


def with_step(text: str, step: str) -> str:
    """Return the text with a step's new lines."""
    changes = step.split("\n")
    new = [line[1:] for line in changes if line.startswith("+")]
    known = [line[1:] for line in changes if not line.startswith("+")]
    if not known:
        assert not text
        return "\n".join([*new, ""])
    (beside,) = known
    lines = text.split("\n")
    (place,) = [i for i, line in enumerate(lines) if line.startswith(beside)]
    place += changes[0][1:] == beside
    return "\n".join([*lines[:place], *new, *lines[place:]])


def take(tree: Path, heading: str) -> list[str]:
    """Apply the steps below a heading to a copy of claimlog; return the changed files."""
    blocks = steps(heading)
    for name, step in blocks:
        file = tree / name
        text = file.read_text() if file.exists() else ""
        file.unlink(missing_ok=True)  # it may be a hard link to the original
        file.write_text(with_step(text, step))
    return sorted({name for name, _ in blocks})


class Installed:
    """An installation: the one in `site`, or the one that the other tests use."""

    def __init__(self, site: Path | None, pure: str) -> None:
        self.environment = {**os.environ, "CLAIMLOG_PURE": pure, "LC_ALL": "C.UTF-8"}
        if site:
            self.environment["PYTHONPATH"] = str(site)

    def run(self, *command: str, code: int = 0, text: str = "") -> str:
        """Return what a command prints."""
        done = subprocess.run(
            [sys.executable, *command], env=self.environment, input=text, encoding="utf-8",
            capture_output=True, cwd=sys.prefix, check=False,
        )  # fmt: skip
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout

    def claimlog(self, *command: str, code: int = 0, text: str = "") -> str:
        """Return what `claimlog` prints."""
        call = "from claimlog.cli.main import run; run()"
        return self.run("-c", call, *command, code=code, text=text)
