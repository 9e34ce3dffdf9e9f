"""A full disk: a clear error, nothing lost, and the archive recovers when there is room."""

from __future__ import annotations

import json
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


def assert_whole(path: Path, acknowledged: list[str]) -> None:
    """Check an archive, and that it has the record of each of these games."""
    with Archive.open(path) as archive:
        assert archive.check().good
        whole = map(json.loads, b"".join(archive.export("ndjson")).splitlines())
        assert set(acknowledged) <= {one["row"]["id"] for one in whole if one["record"]}
        for id in acknowledged[::20]:
            archive.record(id)


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
    assert_whole(path, acknowledged)


SERVER = """
import json, resource, sys
from pathlib import Path
from random import Random

sys.path.insert(0, "api")
from conftest import CLM, serving
from claimlog.api.settings import Settings
from store.random_games import record
from waiting import wait_until

path, limit = Path(sys.argv[1]), int(sys.argv[2])
chance = Random(3)

def games(number):
    return "\\n".join(record(chance, tables=100_000) for _ in range(number)).encode()

def only_reason(problem):
    assert problem["type"] == "urn:claimlog:disk-full", problem
    assert problem["status"] == 507, problem
    assert str(path.parent) not in json.dumps(problem), problem

def stored(answer):
    if answer.status_code == 507:
        return [], {"error": answer.json(), "finished": False}
    assert answer.status_code == 200, answer.text
    *lines, last = map(json.loads, answer.text.splitlines())
    return [line["id"] for line in lines], last["summary"]

acknowledged = []

def tell(*ids):
    acknowledged.extend(ids)
    print(*ids)

with serving(path, Settings(open_writing=True)) as server:
    http, spool = server.http, server.archive._backend.spool
    tell(*stored(http.post("/v1/imports", content=games(50), headers=CLM))[0])
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
    for _ in range(400):
        ids, summary = stored(http.post("/v1/imports", content=games(60), headers=CLM))
        tell(*ids)
        if summary["error"]:
            break
    only_reason(summary["error"])
    assert not summary["finished"]
    answer = http.post("/v1/games", content=games(1), headers=CLM)
    while answer.status_code == 201:
        tell(answer.json()["id"])
        answer = http.post("/v1/games", content=games(1), headers=CLM)
    assert answer.status_code == 507, answer.text
    only_reason(answer.json())
    # The thread that makes rows tries again and again, and takes away what it began.
    wait_until(lambda: not [*spool.glob("*")])
    # What was acknowledged is in every answer, or there is none.
    for place in ("/v1/stats/count", "/v1/games?total=true"):
        answer = http.get(place)
        if answer.status_code == 200:
            told = answer.json()
            assert told.get("games" if "count" in place else "total") == len(acknowledged), told
        else:
            only_reason(answer.json())
    assert http.get("/v1/games/" + acknowledged[-1]).status_code == 200
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    small = b'[Player1 "A"]\\n[Player2 "B"]\\n[Deck "GKUWX"]\\n\\n*\\n'
    answer = http.post("/v1/games", content=small, headers=CLM)
    assert answer.status_code == 201, answer.text
    print(answer.json()["id"])
    assert server.archive.check().good
"""


@pytest.mark.skipif(sys.platform != "linux", reason="needs RLIMIT_FSIZE")
def test_a_full_disk_over_http(tmp_path: Path) -> None:
    path = tmp_path / "games.duckdb"
    answer = subprocess.run(
        [sys.executable, "-c", SERVER, str(path), "1500000"],
        capture_output=True, text=True, check=False, cwd=TESTS,
    )  # fmt: skip
    assert answer.returncode == 0, answer.stderr
    assert_whole(path, answer.stdout.split())


KILLED = """
import os, sys
from random import Random
from claimlog.store import Archive
from store.random_games import record

chance = Random(3)
archive = Archive.open(sys.argv[1])
for _ in range(20):
    print(archive.store(record(chance, tables=100_000)).id)
sys.stdout.flush()
os._exit(0)  # their rows wait
"""

AGAIN = """
import resource, sys
from claimlog.store import Archive, DiskFull

path, read_only, ids = sys.argv[1], sys.argv[2] == "reading", sys.argv[3:]
free = resource.RLIM_INFINITY
resource.setrlimit(resource.RLIMIT_FSIZE, (2000, free))
with Archive.open(path, read_only=read_only) as archive:
    for id in ids:
        assert archive.record(id).record
    for ask in (archive.count, archive.games, archive.players, lambda: list(archive.export("clm"))):
        try:
            told = ask()
        except DiskFull:
            continue
        raise AssertionError(told)
    resource.setrlimit(resource.RLIMIT_FSIZE, (free, free))
    if not read_only:
        archive.check()
        assert archive.count() == len(ids)
with Archive.open(path, read_only=read_only) as archive:
    assert archive.count() == len(ids)
    assert archive.check().good
"""


@pytest.mark.skipif(sys.platform != "linux", reason="needs RLIMIT_FSIZE")
@pytest.mark.parametrize("how", ["reading", "writing"])
def test_a_full_disk_at_the_start(tmp_path: Path, how: str) -> None:
    """An archive whose process was killed opens; no answer lacks one of its games."""
    path = str(tmp_path / "games.duckdb")

    def run(script: str, *arguments: str) -> list[str]:
        answer = subprocess.run(
            [sys.executable, "-c", script, path, *arguments],
            capture_output=True, text=True, check=False, cwd=TESTS,
        )  # fmt: skip
        assert answer.returncode == 0, answer.stderr
        return answer.stdout.split()

    run(AGAIN, how, *run(KILLED))


CORRECTED = """
import resource, sys
from random import Random
from claimlog.store import Archive, DiskFull, Filter, GameDeleted
from store.random_games import record

path, limit = sys.argv[1], int(sys.argv[2])
free = resource.RLIM_INFINITY
chance = Random(3)

def state(archive):
    "The site of each game, None of one that is deleted."
    sites = {}
    for id in texts:
        try:
            sites[id] = archive.game(id).row.site
        except GameDeleted:
            sites[id] = None
    return sites

with Archive.open(path) as archive:
    texts = {archive.store(text).id: text for text in
             (record(chance, tables=100_000) for _ in range(60))}
    archive.settle()
    expected = state(archive)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, free))
    refused = {"correct": 0, "delete": 0, "correct_games": 0}
    for turn in range(400):
        id = chance.choice([id for id, site in expected.items() if site is not None])
        how = chance.choice(["correct", "correct", "correct_games", "delete"])
        site = f"Hall {turn} " + "x" * 400
        try:
            if how == "correct":
                text = "\\n".join(l for l in texts[id].splitlines() if not l.startswith("[Site"))
                archive.correct(id, f'[Site "{site}"]\\n' + text, by="Ann", why="hall")
                expected[id] = site
            elif how == "delete":
                archive.delete(id, by="Ann", why="twice")
                expected[id] = None
            else:
                archive.correct_games(
                    Filter(), tags={"Site": site}, by="Ann", why="hall", dry_run=False
                )
                expected = {id: old and site for id, old in expected.items()}
        except DiskFull:
            refused[how] += 1
            if all(refused.values()):
                break
    assert all(refused.values()), refused
    assert state(archive) == expected
    resource.setrlimit(resource.RLIMIT_FSIZE, (free, free))
    assert state(archive) == expected
    assert archive.check().good
with Archive.open(path) as archive:
    assert state(archive) == expected
    assert archive.check().good
"""


@pytest.mark.skipif(sys.platform != "linux", reason="needs RLIMIT_FSIZE")
def test_corrections_and_deletions_on_a_full_disk(tmp_path: Path) -> None:
    """Acknowledged changes are in every answer, refused ones in none, then and afterwards."""
    answer = subprocess.run(
        [sys.executable, "-c", CORRECTED, str(tmp_path / "games.duckdb"), "1000000"],
        capture_output=True, text=True, check=False, cwd=TESTS,
    )  # fmt: skip
    assert answer.returncode == 0, answer.stderr
