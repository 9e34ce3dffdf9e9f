"""docs/cli.md is accurate: it names every command, and shows what each prints.

`python tests/test_cli_docs.py` writes the real output into the page, except where `…` stands for
varying text.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
import typer
from commands import shell

from claimlog.cli.main import COMMANDS, Commands

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "cli.md"
_BLOCK = re.compile(r"```console\n(.*?)```", re.DOTALL)
_STEP = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
_SERVE = """claimlog serve --port 0 > {folder}/out 2> {folder}/log &
trap "kill $!" EXIT
until grep -qs documentation {folder}/out; do kill -0 $! || break; sleep 0.05; done
port=$(grep -o '127.0.0.1:[0-9]*' {folder}/out | head -n 1 | cut -d : -f 2)
cat {folder}/out"""


def outputs(commands: list[str], folder: Path) -> list[str]:
    """Return the output of the commands, run one after the other.

    Their scratch files and the archive are in `folder`.  From the first command that sets a
    variable on, one shell runs them all; the server there uses a free port.
    """
    env = os.environ | {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "LC_ALL": "C.UTF-8", "COLUMNS": "80", "XDG_DATA_HOME": str(folder),
    }  # fmt: skip
    given = [command.replace("/tmp/", f"{folder}/") for command in commands]
    place = next(n for n, command in enumerate(given) if command.startswith("export "))
    texts = [shell(line, env=env, cwd=ROOT, merged=True)[1].decode() for line in given[:place]]
    lines = ["exec 2>&1"]
    for command in given[place:]:
        wanted = command.replace(":8000", ":$port")
        wanted = _SERVE.format(folder=folder) if command == "claimlog serve &" else wanted
        lines += [wanted, "echo '<<>>'"]
    lines += ["echo $port"]
    done = subprocess.run(
        ["bash", "-c", "\n".join(lines)],
        cwd=ROOT, capture_output=True, text=True, timeout=600, check=False, env=env,
    )  # fmt: skip
    *others, port = done.stdout.split("<<>>\n")
    texts += [text.replace(f":{port.strip()}", ":8000") for text in others]
    return [text.replace(f"{folder}/", "/tmp/") for text in texts]


def is_shown(shown: str, output: str) -> bool:
    """Whether the page shows this output; `…` stands for anything."""
    return re.fullmatch(".*?".join(map(re.escape, shown.split("…"))), output, re.DOTALL) is not None


def steps() -> list[tuple[str, str]]:
    """The commands of the page, and the output shown for each."""
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
