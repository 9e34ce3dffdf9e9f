"""A few rounds of `killing`; the script runs hundreds."""

import os
import random
from pathlib import Path

import pytest

from .killing import Ledger, round_of


@pytest.mark.skipif(os.name == "nt", reason="no SIGKILL on this system")
def test_nothing_acknowledged_is_lost(tmp_path: Path) -> None:
    random.seed(7)
    ledger = Ledger()
    for number in range(1, 6):
        seed = 10 if number == 5 else number
        assert round_of(tmp_path / "games.duckdb", seed, ledger, 0.8) == []
    assert ledger.known
