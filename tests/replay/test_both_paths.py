"""The compiled and the interpreted path report the same about data/ and damaged games.

The whole comparison is tests/scripts/compare_paths.py.
"""

import runpy
from pathlib import Path

import pytest

from claimlog import compiled

SCRIPT = Path(__file__).parents[1] / "scripts" / "compare_paths.py"


@pytest.mark.skipif(not compiled(), reason="not compiled")
def test_both_paths_report_the_same() -> None:
    assert runpy.run_path(str(SCRIPT))["compare"](400) == ""


def test_damaged_games_are_mostly_broken_and_always_the_same() -> None:
    script = runpy.run_path(str(SCRIPT))
    reports = [script["reports"](script["damaged"](number)) for number in range(60)]
    assert reports == [script["reports"](script["damaged"](number)) for number in range(60)]
    assert sum('"errors": [{' in text for text in reports) > 40
