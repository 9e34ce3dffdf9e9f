"""docs/cli.md is true: it names every command, and shows what each prints.

`python tests/test_cli_docs.py` writes the real output into the page, but where `…` stands for
what differs.
"""

import os
import re
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
import typer

from claimlog.cli.main import COMMANDS, Commands

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "cli.md"
_BLOCK = re.compile(r"```console\n(.*?)```", re.DOTALL)
_STEP = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
_SERVE = """claimlog serve --port {port} > {folder}/out 2> {folder}/log &
trap "kill $!" EXIT
until grep -qs documentation {folder}/out; do kill -0 $! || break; sleep 0.05; done
cat {folder}/out"""


def outputs(commands: list[str], folder: Path) -> list[str]:
    """What the commands print, given to one shell one after the other.

    Their scratch files and the archive lie in `folder`; the server has a port that is free.
    """
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    lines = ["exec 2>&1"]
    for number, command in enumerate(commands):
        wanted = _SERVE.format(port=port, folder=folder) if command == "claimlog serve &" else ""
        wanted = wanted or command.replace("/tmp/", f"{folder}/").replace(":8000", f":{port}")
        lines += [wanted, f"echo '<<{number}>>'"]
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", "\n".join(lines)],
        cwd=ROOT, capture_output=True, text=True, timeout=600, check=False,
        env=os.environ | {
            "PATH": path, "LC_ALL": "C.UTF-8", "COLUMNS": "80", "XDG_DATA_HOME": str(folder),
        },
    )  # fmt: skip
    text = done.stdout.replace(f":{port}", ":8000").replace(f"{folder}/", "/tmp/")
    return re.split(r"<<\d+>>\n", text)[:-1]


def is_shown(shown: str, output: str) -> bool:
    """Whether the page shows this output; `…` stands for anything."""
    return re.fullmatch(".*?".join(map(re.escape, shown.split("…"))), output, re.DOTALL) is not None


def steps() -> list[tuple[str, str]]:
    """The commands of the page, and what it shows of each."""
    return [step for block in _BLOCK.findall(PAGE.read_text()) for step in _STEP.findall(block)]


@pytest.mark.slow
def test_every_example_is_what_the_command_prints(tmp_path: Path) -> None:
    commands = [command for command, _ in steps()]
    for (command, shown), output in zip(steps(), outputs(commands, tmp_path), strict=True):
        assert is_shown(shown, output), f"$ {command}\n{output}"


def test_the_page_has_every_command() -> None:
    given = "\n".join(command for command, _ in steps())
    group = Commands()
    context = typer.Context(group)
    for name in COMMANDS:
        command = group.get_command(context, name)
        for part in getattr(command, "commands", {"": None}):
            assert re.search(rf"\bclaimlog {f'{name} {part}'.strip()}\b", given), (name, part)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        real = iter(outputs([command for command, _ in steps()], Path(scratch)))

    def _written(step: re.Match[str]) -> str:
        output = next(real)
        return f"$ {step[1]}\n{step[2] if is_shown(step[2], output) else output}"

    PAGE.write_text(
        _BLOCK.sub(
            lambda block: f"```console\n{_STEP.sub(_written, block[1])}```", PAGE.read_text()
        )
    )
