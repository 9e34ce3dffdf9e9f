"""Imports point downwards only, also for types (docs/architecture.md, pyproject.toml)."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.needs("importlinter")

ROOT = Path(__file__).parents[1]


def contracts(folder: Path) -> dict[str, bool]:
    """Return the contracts in pyproject.toml, and whether the tree in `folder` keeps them."""
    done = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache"],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    kept = dict(re.findall(r"^(.+) (KEPT|BROKEN)", done.stdout, re.MULTILINE))
    assert kept, done.stdout + done.stderr
    assert done.returncode == ("BROKEN" in kept.values())
    return {name: how == "KEPT" for name, how in kept.items()}


def test_each_layer_imports_only_what_stands_below_it() -> None:
    assert set(contracts(ROOT).values()) == {True}


@pytest.mark.parametrize(
    ("file", "line", "broken"),
    [
        ("claimlog/cards.py", "    from claimlog.language import Words", "each layer"),
        ("claimlog/notation/tags.py", "    from claimlog.replay.judge import Judge", "each layer"),
        ("claimlog/notation/tags.py", "    from claimlog.language import Words", "each layer"),
        ("claimlog/rules/setup.py", "    from claimlog.notation.tags import TAGS", "each layer"),
        ("claimlog/store/model/types.py", "    from claimlog.api.app import app", "each layer"),
        ("claimlog/api/app.py", "    import cli.main", "each layer"),
        ("claimlog/replay/judge.py", "    import duckdb", "the engine"),
        ("claimlog/simulate/view.py", "    import rich.console", "the engine"),
        ("claimlog/store/model/types.py", "    import litestar", "the archive"),
        ("claimlog/api/app.py", "    import textual.app", "the server"),
        ("claimlog/web/site.py", "    from claimlog.api.app import create_app", "each layer"),
        ("claimlog/web/engine.py", "    import duckdb", "the pages"),
        ("claimlog/draw/faces.py", "    import duckdb", "the engine"),
        ("claimlog/draw/faces.py", "    from claimlog.store import Filter", "each layer"),
        (
            "claimlog/store/backend.py",
            "    from claimlog.store.archive import Archive",
            "no circle",
        ),
    ],
)
def test_a_breach_is_found(file: str, line: str, broken: str, tmp_path: Path) -> None:
    for name in ("claimlog", "cli"):
        skipped = shutil.ignore_patterns("*.so", "*.pyd", "__pycache__")
        shutil.copytree(ROOT / name, tmp_path / name, ignore=skipped)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    with (tmp_path / file).open("a") as source:
        source.write(f"\nif TYPE_CHECKING:\n{line}\n")
    kept = contracts(tmp_path)
    assert [name for name in kept if not kept[name] and name.startswith(broken)]
