"""docs/guarantees.md names existing tests."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "docs" / "guarantees.md").read_text(encoding="utf-8").partition("\n## ")[0]
ROWS = re.findall(r"^\| (.+) \| (.+) \|$", TEXT, re.MULTILINE)[1:]


def test_each_promise_has_a_test_that_there_is() -> None:
    assert len(ROWS) > 60
    for promise, where in ROWS:
        named = re.findall(r"`([\w/.{}-]+)`", where)
        folder = ROOT
        tests = 0
        for name in named:
            if name.startswith("tests/"):
                path = ROOT / name
                folder = path.parent
            elif name.endswith(".py"):
                path = folder / name
            elif name.startswith("robust."):
                path = ROOT / "tests" / "robust" / f"{name.removeprefix('robust.')}.py"
            else:
                continue
            assert path.exists(), (promise, name)
            tests += 1
        assert tests, promise
