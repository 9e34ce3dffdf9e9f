"""Puzzles stored in an archive: found once in each record, listed, the same all day."""

import datetime
from datetime import UTC, timedelta

import pytest

from claimlog.analysis.answering import answer, puzzling_of, read_puzzles
from claimlog.analysis.puzzles import puzzles_of
from claimlog.replay.recorder import replay_text
from claimlog.simulate import simulate_records
from claimlog.store import Archive, BadQuery, GameDeleted, NotFound, analysing

RECORDS = [
    record
    for number, record in enumerate(simulate_records(30, deck="GKBSU", policy="random", seed=1))
    if number in (9, 10, 11)
]
"""Two records with one and two puzzles, and one without any."""
TODAY = datetime.datetime.now(UTC).date()


def look_for(archive: Archive) -> None:
    records = archive.without_puzzles(100)
    archive.keep_puzzles(read_puzzles(answer(puzzling_of(records))))


@pytest.fixture
def stored(archive: Archive) -> Archive:
    for record in RECORDS:
        archive.store(record)
    look_for(archive)
    return archive


def test_they_are_those_of_the_games(stored: Archive):
    """The newest first, each with all its details."""
    expected = [one for record in reversed(RECORDS) for game in replay_text(record)
                for one in reversed(list(puzzles_of(game)))]  # fmt: skip
    page = stored.puzzles(total=True)
    assert (page.total, page.cursor, len(expected)) == (3, None, 3)
    for row, puzzle in zip(page.puzzles, expected, strict=True):
        assert (row.trick, row.played, row.level, row.lines, row.left) == (
            puzzle.trick, puzzle.played, puzzle.level, puzzle.lines, puzzle.left,
        )  # fmt: skip
        whole = stored.puzzle(row.id)
        assert (whole.solution, whole.seat) == (puzzle.solution, puzzle.seat)
        assert whole.of(puzzle.game) == puzzle
        assert not {"solution", "tries", "hints", "game"} & set(row.__struct_fields__)
    assert stored.without_puzzles(10) == []


def test_some_are_chosen_and_turned_over(stored: Archive):
    one, two, three = stored.puzzles().puzzles
    assert [row.id for row in stored.puzzles(level=4).puzzles] == [two.id]
    assert [row.id for row in stored.puzzles(left=3).puzzles] == [three.id]
    assert [row.id for row in stored.puzzles(faction="u").puzzles] == [
        row.id for row in (one, two, three) if "U" in row.factions
    ]
    first = stored.puzzles(limit=2)
    assert stored.puzzles(limit=2, cursor=first.cursor).puzzles == [three]
    assert stored.puzzles_beside(two.id) == (one.id, three.id)
    assert stored.puzzles_beside(one.id) == ("", two.id)
    assert stored.puzzles_beside(two.id, level=4) == ("", "")
    for wrong in ({"faction": "Q"}, {"faction": "GK"}):
        with pytest.raises(BadQuery, match="faction"):
            stored.puzzles(**wrong)


def test_that_of_a_day_stays(stored: Archive):
    """While more are found; for earlier days there was none yet."""
    daily = stored.daily_puzzle()
    assert daily == stored.daily_puzzle(date=TODAY.isoformat())
    for record in simulate_records(1, deck="GKBSU", policy="random", seed=44):
        stored.store(record)
    look_for(stored)
    assert len(stored.puzzles().puzzles) == 5
    assert stored.daily_puzzle() == daily
    with pytest.raises(NotFound, match="on that day"):
        stored.daily_puzzle(date=(TODAY + timedelta(days=1)).isoformat())
    with pytest.raises(BadQuery, match="not a date"):
        stored.daily_puzzle(date="yesterday")


def test_links_last_as_long_as_the_puzzle(stored: Archive):
    """After a correction of the players; not after the end of the game was changed."""
    one = stored.puzzles().puzzles[0]
    game = one.id.partition("-")[0]
    stored.correct(game, '[Annotator "Y"]\n' + stored.game(game).record, by="Bo", why="who")
    with pytest.raises(NotFound):
        stored.puzzle(one.id)
    look_for(stored)
    assert stored.puzzle(one.id).level == one.level
    stored.delete(game, by="Bo", why="twice")
    with pytest.raises(GameDeleted):
        stored.puzzle(one.id)
    assert one not in stored.puzzles().puzzles
    for wrong in ("abc", "0000000000000-20-1", one.id.replace(f"-{one.trick}-", "-14-")):
        with pytest.raises(NotFound):
            stored.puzzle(wrong)


def test_an_analysis_of_all_finds_them(archive: Archive, monkeypatch: pytest.MonkeyPatch):
    """And removes those of records that no game has any more."""
    monkeypatch.setattr(
        analysing, "_by_processes", lambda tasks, _: (analysing.kept(task) for task in tasks)
    )
    assert archive.puzzles().puzzles == []
    with pytest.raises(NotFound):
        archive.daily_puzzle()
    archive.store(RECORDS[0])
    archive.analyse(redeals=0)
    (one,) = archive.puzzles().puzzles
    assert archive.without_puzzles(10) == []
    archive.delete(one.id.partition("-")[0], by="Bo", why="twice")
    archive.analyse(redeals=0)
    assert archive.puzzles().puzzles == []
