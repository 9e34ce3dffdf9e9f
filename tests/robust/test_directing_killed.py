"""A few rounds of `directing`; the script runs hundreds."""

import os
import random
from pathlib import Path

import pytest

from .directing import begin, round_of


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="no SIGKILL on this system")
def test_no_acknowledged_act_is_lost(tmp_path: Path) -> None:
    random.seed(7)
    first = number = begin(tmp_path / "games.duckdb")
    for seed in range(3):
        number, faults = round_of(tmp_path / "games.duckdb", seed, number, 0.8)
        assert faults == []
    assert number > first
