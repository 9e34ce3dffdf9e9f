"""The README shows what the commands print.

`python tests/test_readme.py` writes the real output into the README.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import commands
import pytest

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
_EXAMPLE = re.compile(r"```console\n(.*?)```", re.DOTALL)


def run_block(block: str, scratch: str) -> str:
    """The block's commands with their current output; scratch files are in `scratch`."""
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "LC_ALL": "C.UTF-8",
        "COLUMNS": "80",
    }
    lines = []
    for line in block.splitlines():
        if not line.startswith("$ "):
            continue
        command = line[2:].replace("/tmp/", f"{scratch}/")
        _, out, err = commands.shell(command, cwd=ROOT, env=environment)
        assert not err, err.decode()
        lines += [line, out.decode().rstrip("\n")]
    return "\n".join(lines) + "\n"


def shown_in(svg: str) -> list[str]:
    """The words in a picture, in order."""
    return [text for text in re.findall(r">([^<>]*)</text>", svg) if text.strip()]


@pytest.mark.parametrize(
    ("name", "page"),
    [("stepper", README), ("picture", README), ("recorder", ROOT / "docs" / "recording.md")],
)
def test_a_picture_is_what_the_screen_shows(name: str, page: Path) -> None:
    """docs/stepper.py, docs/picture.py and docs/recorder.py draw them again."""
    draw = [sys.executable, "-c", f"import {name}; print({name}.picture())"]
    done = subprocess.run(
        draw, cwd=ROOT / "docs", capture_output=True, encoding="utf-8", check=True
    )
    picture = (ROOT / "docs" / f"{name}.svg").read_text(encoding="utf-8")
    assert shown_in(done.stdout) == shown_in(picture)
    assert len(shown_in(picture)) > 40
    place = (ROOT / "docs" / f"{name}.svg").relative_to(page.parent).as_posix()
    text = page.read_text(encoding="utf-8")
    assert f"]({place})" in text or f'<img src="{place}"' in text
    assert "url(http" not in picture


def test_examples_in_the_readme_are_what_the_commands_print(tmp_path: Path) -> None:
    blocks = _EXAMPLE.findall(README.read_text())
    assert len(blocks) >= 4
    for block in blocks:
        assert run_block(block, str(tmp_path)) == block


def test_figures_in_the_readme_are_those_of_the_measurements() -> None:
    bullets = re.findall(r"^- (.*\*\*.*)$", README.read_text(encoding="utf-8"), re.MULTILINE)
    measured = (ROOT / "docs" / "performance.md").read_text(encoding="utf-8")
    figures = [
        figure for line in bullets for figure in re.findall(r"\d[\d,.]*(?: %| m?s\b| MB)?", line)
    ]
    assert len(figures) > 3
    assert [figure for figure in figures if figure not in measured] == []


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        README.write_text(
            _EXAMPLE.sub(
                lambda match: f"```console\n{run_block(match[1], folder)}```", README.read_text()
            )
        )
