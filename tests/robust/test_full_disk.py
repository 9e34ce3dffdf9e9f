"""No room left: a clear error, nothing lost, and the archive goes on when there is room."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from claimlog.store import Archive

TESTS = Path(__file__).parent.parent
CHILD = """
import io, resource, sys
from random import Random
from claimlog.store import Archive, ArchiveError, DiskFull
from store.random_games import record

path, limit = sys.argv[1], int(sys.argv[2])
chance = Random(3)
with Archive.open(path) as archive:
    for text in [record(chance, tables=100_000) for _ in range(20)]:
        print(archive.store(text).id)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
    full = 0
    for number in range(400):
        text = "\\n".join(record(chance, tables=100_000) for _ in range(60))
        try:
            for batch in archive.import_games(io.BytesIO(text.encode()).read, workers=1):
                for outcome in batch:
                    print(outcome.id)
        except DiskFull as error:
            full += 1
            # Reading goes on.
            assert archive.count() >= 20
            if full == 3:
                break
    assert full == 3, full
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    for text in [record(chance, tables=100_000) for _ in range(20)]:
        print(archive.store(text).id)
    assert archive.check().good
"""


@pytest.mark.skipif(sys.platform != "linux", reason="needs RLIMIT_FSIZE")
@pytest.mark.parametrize("limit", [1_000_000, 1_500_000, 3_000_000])
def test_a_full_disk(tmp_path: Path, limit: int) -> None:
    path = tmp_path / "games.duckdb"
    answer = subprocess.run(
        [sys.executable, "-c", CHILD, str(path), str(limit)],
        capture_output=True, text=True, check=False, cwd=TESTS,
    )  # fmt: skip
    assert answer.returncode == 0, answer.stderr
    acknowledged = answer.stdout.split()
    assert len(acknowledged) >= 40
    with Archive.open(path) as archive:
        assert archive.check().good
        for id in acknowledged:
            archive.record(id)
