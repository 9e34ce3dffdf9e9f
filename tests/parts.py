"""The tests in two parts: a quick first one, and the rest.

`python -m pytest` runs the first part, some minutes of tests that touch everything, and says how
many it left out; ``--part rest`` runs those, ``--part all`` both.  If files are named, all their
tests run.

The rest are tests marked `slow`, tests that need a package of the extras `test-all` or
`test-cluster` (``needs("pandas")``, `tests/browser`, a lake), and tests that `slow.txt` lists
because of their measured time:

    python -m pytest -n auto --part all --durations=0 | python tests/scripts/slow.py
"""

from __future__ import annotations

from collections import Counter
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

if TYPE_CHECKING:
    from collections.abc import Container, Iterator

NEEDS: Final = {
    "browser": "playwright",
    "test_openapi.py": "schemathesis",
    **dict.fromkeys(
        (
            *("test_bulk.py", "test_ledger_upgrades.py", "test_moved_in_pieces.py"),
            *("test_moving.py", "test_rollups.py"),
        ),
        "psycopg",
    ),
}
"""Files and folders that cannot be imported without a package."""
FIXTURES: Final = frozenset({"own_postgres", "postgres", "s3", "workers"})
"""Fixtures that need packages of the extra `test-cluster`."""
LIST: Final = Path(__file__).with_name("slow.txt")
LONGEST: Final = 20.0
"""Tests that take at least this many seconds run before all others."""
_LEFT_OUT: Final = pytest.StashKey[int]()


def listed() -> Iterator[tuple[str, float]]:
    """Tests with long measured times, as ``tests/file.py::name``, and their seconds."""
    for line in LIST.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            seconds, name = line.split()
            yield name, float(seconds)


def name_of(item: pytest.Item) -> str:
    """A test's name in the list: without its parameters."""
    return item.nodeid.partition("[")[0]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option for the part to run."""
    parser.addoption(
        "--part",
        choices=("first", "rest", "all"),
        help="the quick tests (the default if no files are given), the rest, or all "
        "(tests/parts.py)",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Choose the default part here, because pytest always passes files to the workers."""
    config.addinivalue_line(
        "markers",
        "needs(packages): skipped without them (extras test-all, test-cluster)",
    )
    config.stash[_LEFT_OUT] = 0
    if config.option.part is None:
        named = config.args_source is pytest.Config.ArgsSource.ARGS
        config.option.part = "all" if named else "first"


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """In the first part, do not import files that need further packages."""
    needed = collection_path.name in NEEDS and collection_path.is_relative_to(LIST.parent)
    return True if needed and config.option.part == "first" else None


def of_the_rest(item: pytest.Item, slow: Container[str]) -> bool:
    """Whether a test belongs to the second part, given the slow ones.

    Tests whose files the first part does not import always do.  So do tests that need packages
    which README's command does not install: no test of the first part is skipped.
    """
    return (
        name_of(item) in slow
        or not NEEDS.keys().isdisjoint(item.path.parts)
        or not FIXTURES.isdisjoint(getattr(item, "fixturenames", ()))
        or any(map(item.get_closest_marker, ("slow", "needs")))
    )


def missing(item: pytest.Item) -> list[str]:
    """Return the missing packages that a test needs."""
    marks = item.iter_markers("needs")
    return [name for mark in marks for name in mark.args if find_spec(name) is None]


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out tests of the other part, and skip those that need a missing package."""
    for item in items:
        if names := missing(item):
            why = f"needs {', '.join(names)} (pip install -e '.[test-all,test-cluster]')"
            item.add_marker(pytest.mark.skip(reason=why))
    part = config.option.part
    if part == "all":
        return
    slow = dict(listed())
    kept, other = [], []
    for item in items:
        (kept if of_the_rest(item, slow) == (part == "rest") else other).append(item)
    # The longest tests come first, so that none is left running alone at the end.
    each = Counter(map(name_of, kept))
    kept.sort(key=lambda item: slow.get(name_of(item), 0) / each[name_of(item)] < LONGEST)
    items[:] = kept
    config.stash[_LEFT_OUT] = len(other)
    if other:
        config.hook.pytest_deselected(items=other)
    if hasattr(config, "workeroutput"):
        config.workeroutput["left_out"] = len(other)


class Controller:
    """Reports, in the controlling process, the number of tests that the workers left out."""

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Take one worker's number; all workers collect the same tests."""
        output = getattr(node, "workeroutput", {})
        node.config.stash[_LEFT_OUT] = output.get("left_out", 0)


def pytest_sessionstart(session: pytest.Session) -> None:
    """Listen to workers."""
    session.config.pluginmanager.register(Controller())


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Say how many tests were left out, and how to run them."""
    number = config.stash[_LEFT_OUT]
    if number and config.option.part == "first":
        terminalreporter.write_line(
            f"{number} tests that take longer were left out, and those in a browser; to run them: "
            "pip install -e '.[test-all]' && python -m pytest -n auto --part rest"
        )
