"""The Python examples of docs/library.md and the README run as they stand."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
_EXAMPLE = re.compile(r"```python\n(.*?)```", re.DOTALL)
LINES = 10
"""The most lines that an example of the library may have."""


def examples(page: str) -> list[str]:
    return _EXAMPLE.findall((ROOT / page).read_text(encoding="utf-8"))


LIBRARY = examples("docs/library.md")
README = examples("README.md")


def run(example: str, folder: Path) -> str:
    """Run an example in a folder that has the sample data; return what it prints."""
    (folder / "data").symlink_to(ROOT / "data")
    done = subprocess.run(
        [sys.executable, "-c", example], cwd=folder, capture_output=True, text=True, check=False
    )
    assert not done.stderr, done.stderr
    assert done.returncode == 0
    return done.stdout


@pytest.mark.parametrize("number", range(len(LIBRARY)))
def test_an_example_of_the_library_runs(number: int, tmp_path: Path) -> None:
    example = LIBRARY[number]
    assert len([line for line in example.splitlines() if line]) <= LINES
    for name in ("pandas", "polars"):  # in the extra `test`
        if name in example:
            pytest.importorskip(name)
    assert run(example, tmp_path)


def test_the_readme_shows_one_of_them(tmp_path: Path) -> None:
    assert README
    for example in README:
        assert example in LIBRARY
    assert len(LIBRARY) > 6


def test_every_name_is_listed() -> None:
    import claimlog

    page = (ROOT / "docs/library.md").read_text(encoding="utf-8")
    parts = {"Loot", "SeatCard", "SideCard", "compiled", "__version__"}
    missing = [name for name in claimlog.__all__ if f"`{name}" not in page]
    assert set(missing) <= parts
