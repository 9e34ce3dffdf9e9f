"""Every example in a docstring is correct."""

import ast
import doctest
import importlib
from pathlib import Path

import pytest

import claimlog

pytestmark = pytest.mark.no_cover

ROOT = Path(claimlog.__file__).parents[1]
SOURCES = [
    path
    for folder in ("claimlog", "cli")
    for path in sorted((ROOT / folder).rglob("*.py"))
    if ">>>" in path.read_text(encoding="utf-8")
]


def module_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    parts = parts[:-1] if parts[-1] == "__init__" else parts
    return ".".join(parts if parts[0] == "claimlog" else ("claimlog", *parts))


@pytest.mark.parametrize("path", SOURCES, ids=module_of)
def test_examples(path: Path) -> None:
    """Examples are taken from the source: compiled modules do not show all of their docstrings."""
    module = importlib.import_module(module_of(path))
    tree = ast.parse(path.read_text(encoding="utf-8"))
    runner = doctest.DocTestRunner()
    said: list[str] = []
    for node in ast.walk(tree):
        if not isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        text = ast.get_docstring(node, clean=False) or ""
        if ">>>" not in text:
            continue
        name = getattr(node, "name", module.__name__)
        examples = doctest.DocTestParser().get_doctest(
            text, dict(vars(module)), name, str(path), node.body[0].lineno - 1
        )
        runner.run(examples, out=said.append)
    assert runner.tries > 0
    assert runner.failures == 0, "".join(said)
