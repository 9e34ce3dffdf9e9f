"""Copies of an archive's file: backups and compaction, beside a check and beside each other."""

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from waiting import PATIENCE

from claimlog.store import Archive
from claimlog.store.file import maintenance

from .conftest import take_in
from .random_games import records


@pytest.mark.only_file("copies a file")
def test_copies_wait_for_a_check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two at once; games are stored meanwhile."""
    begun, go = threading.Event(), threading.Event()
    check_rows = maintenance.check_rows

    def slow(*arguments: Any) -> None:
        check_rows(*arguments)
        begun.set()
        assert go.wait(PATIENCE)

    monkeypatch.setattr(maintenance, "check_rows", slow)
    copies = [tmp_path / "one.duckdb", tmp_path / "two.duckdb"]
    with Archive.open(tmp_path / "a.duckdb") as archive, ThreadPoolExecutor(4) as pool:
        take_in(archive, "\n".join(records(5, seed=2)))
        checked = pool.submit(archive.check)
        assert begun.wait(PATIENCE)
        made = [pool.submit(archive.backup, copy) for copy in copies]
        compacted = pool.submit(archive.compact)
        assert archive.store(records(1, seed=9)[0]).status == "stored"
        go.set()
        assert checked.result().good
        assert all(one.result() for one in made)
        assert compacted.result()
        assert archive.count() == 6
    for copy in copies:
        with Archive.open(copy) as archive:
            assert archive.count() == 6
