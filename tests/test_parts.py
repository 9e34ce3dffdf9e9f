"""The list of slow tests names existing tests, and each test is in one of the parts."""

from __future__ import annotations

import inspect
import re
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import parts
from waiting import PATIENCE

ROOT = Path(__file__).parents[1]


def test_what_is_listed_as_slow_is_there() -> None:
    names: dict[str, set[str]] = {}
    for listed, _ in parts.listed():
        path, _, test = listed.partition("::")
        if path not in names:
            text = (ROOT / path).read_text(encoding="utf-8")
            names[path] = set(re.findall(r"^(?:async )?def (test_\w+)", text, re.MULTILINE))
        assert test in names[path], f"{listed}: python tests/scripts/slow.py rewrites the list"


def test_what_the_first_part_does_not_read_is_in_the_rest() -> None:
    config: Any = SimpleNamespace(option=SimpleNamespace(part="first"))
    for name in parts.NEEDS:
        (path,) = (ROOT / "tests").rglob(name)
        assert parts.pytest_ignore_collect(path, config)
        file = next(path.glob("test_*.py")) if path.is_dir() else path
        item: Any = SimpleNamespace(
            path=file, nodeid="tests/of_no_list.py::test", get_closest_marker=lambda _: None
        )
        assert parts.of_the_rest(item, frozenset())


def test_no_call_of_httpx_gives_up_after_its_own_five_seconds() -> None:
    for name in ("request", "get", "head", "post", "put", "patch", "delete", "options", "stream"):
        defaults = inspect.signature(getattr(httpx, name)).parameters
        assert defaults["timeout"].default == PATIENCE, name
    assert httpx.Client().timeout.read == httpx.AsyncClient().timeout.read == PATIENCE


def test_no_two_files_have_the_same_name() -> None:
    """In folders that are not packages, pytest would import only the first of them."""
    files = (ROOT / "tests").rglob("test_*.py")
    names = Counter(path.name for path in files if not (path.parent / "__init__.py").exists())
    assert [name for name, number in names.items() if number > 1] == []
