"""A few rounds of `rebuilding`; the script runs hundreds."""

import os
import random
from pathlib import Path

import pytest

from .rebuilding import run


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="no SIGKILL on this system")
@pytest.mark.only_file("the children open the file")
def test_a_killed_rebuild_goes_on(tmp_path: Path) -> None:
    random.seed(7)
    assert run(str(tmp_path / "games.duckdb"), None, 3, 1.0) == []
