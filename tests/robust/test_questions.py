"""A few hundred questions of `questions`; the script asks any number."""

from pathlib import Path

import pytest

from claimlog.store import Archive

from .questions import ask, fill


@pytest.mark.parametrize("seed", [1, 1001])
def test_answers_are_those_of_an_independent_count(tmp_path: Path, seed: int) -> None:
    with Archive.open(tmp_path / "games.duckdb") as archive:
        games = fill(archive, 60, seed)
        wrong = [ask(archive, games, number) for number in range(seed, seed + 200)]
    assert [fault for fault in wrong if fault is not None] == []
    assert len(games) == 60
