"""A few rounds of `recording`; the script runs hundreds."""

import os
import random
from pathlib import Path

import pytest

from .recording import round_of


@pytest.mark.skipif(os.name == "nt", reason="no SIGKILL on this system")
def test_no_entry_that_was_acknowledged_is_lost(tmp_path: Path) -> None:
    random.seed(7)
    changes = 0
    for number in range(1, 5):
        done, faults = round_of(tmp_path / "game.clm", number, 0.5)
        assert faults == []
        changes += done
    assert changes > 4
