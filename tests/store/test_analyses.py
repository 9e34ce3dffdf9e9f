"""Analyses that an archive keeps: made once, by the digest of the record."""

import json
from pathlib import Path

import pytest

from claimlog.analysis.decisions import analyse
from claimlog.replay.recorder import replay_text
from claimlog.simulate import simulate_records
from claimlog.store import Archive, Filter, analysing
from claimlog.store.model.types import Progress

RECORDS = list(simulate_records(3, deck="GKBSU", policy="random", seed=7))


@pytest.fixture
def stored(archive: Archive) -> Archive:
    for record in (*RECORDS, *simulate_records(1, seats=3, seed=1)):
        assert archive.store(record).status == "stored"
    return archive


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Analyse in this process, and write each game."""
    monkeypatch.setattr(analysing, "_by_processes", lambda tasks, _: map(analysing.kept, tasks))
    monkeypatch.setattr(analysing, "OFTEN", 0.0)


def digests(archive: Archive) -> list[str]:
    games = archive.games(Filter(seats=2), sort="oldest").games
    return [row.digest for row in games]


def test_all_games_of_two_once(stored: Archive):
    """And what is kept is what the analysis says."""
    told: list[Progress] = []
    assert stored.analyse(redeals=0, report=told.append) == 3
    assert told == [Progress(done=number, total=3) for number in (1, 2, 3)]
    for digest, record in zip(digests(stored), RECORDS, strict=True):
        (game,) = replay_text(record)
        report = stored.analysis(digest)
        assert report is not None
        assert json.loads(report) == analyse(game).report(1)
    assert stored.analyse(redeals=0) == 0
    assert stored.analyse(Filter(player="Random 1"), redeals=1) == 3
    assert stored.analyse(redeals=1) == 0


def test_what_was_broken_off_goes_on(stored: Archive):
    def stop(_: Progress) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stored.analyse(redeals=0, report=stop)
    assert [stored.analysis(digest) is not None for digest in digests(stored)] == [
        True, False, False,
    ]  # fmt: skip
    assert stored.analyse(redeals=0) == 2


def test_a_correction_and_a_deletion(stored: Archive):
    """What is kept belongs to a record, so that of another one does not count."""
    stored.analyse(redeals=0)
    first, second, _ = stored.games(Filter(seats=2), sort="oldest").games
    stored.correct(first.id, '[Annotator "Y"]\n' + RECORDS[0], by="Bo", why="missing")
    stored.delete(second.id, by="Bo", why="played twice")
    assert [stored.analysis(digest) is None for digest in digests(stored)] == [True, False]
    assert stored.analyse(redeals=0) == 1
    assert stored.analysis(first.digest) is stored.analysis(second.digest) is None
    stored.undelete(second.id, by="Bo", why="no slip")
    assert stored.analyse(redeals=0) == 1


@pytest.mark.only_file("a file is compacted, and copied")
def test_it_stays(stored: Archive, tmp_path: Path):
    """When the tables are made again, the file is compacted, or copied."""
    stored.analyse(redeals=0)
    stored.rebuild()
    assert not stored.check().faults
    stored.compact()
    stored.backup(tmp_path / "copy.duckdb")
    with Archive.open(tmp_path / "copy.duckdb", read_only=True) as copy:
        assert all(copy.analysis(digest) for digest in digests(copy))


@pytest.mark.file_is_enough("how it is found is no matter of the ground")
def test_by_processes(archive: Archive, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.undo()
    archive.store(RECORDS[0])
    assert archive.analyse(redeals=2, total=1_000_000) == 1
    assert archive.analysis(digests(archive)[0])
