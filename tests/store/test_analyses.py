"""Analyses stored in an archive: made once, found by the digest of the record."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from claimlog.analysis import keeping
from claimlog.analysis.decisions import analyse
from claimlog.analysis.keeping import Kept, Task
from claimlog.evaluation import Analysis
from claimlog.game import Game
from claimlog.replay.recorder import replay_text
from claimlog.simulate import simulate_records
from claimlog.solve import value
from claimlog.store import (
    Archive,
    ArchiveError,
    ArchiveUnreachable,
    Declined,
    Filter,
    RecordDamaged,
    analysing,
)
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
    monkeypatch.setattr(
        analysing, "_by_processes", lambda tasks, _: (analysing.kept(task) for task in tasks)
    )
    monkeypatch.setattr(analysing, "OFTEN", 0.0)


def digests(archive: Archive) -> list[str]:
    games = archive.games(Filter(seats=2), sort="oldest").games
    return [row.digest for row in games]


def test_all_games_of_two_once(stored: Archive):
    """And the stored values are those of the analysis."""
    progress: list[Progress] = []
    assert stored.analyse(redeals=0, report=progress.append) == 3
    assert progress == [Progress(done=number, total=3) for number in (1, 2, 3)]
    for digest, record in zip(digests(stored), RECORDS, strict=True):
        (game,) = replay_text(record)
        report = stored.analysis(digest)
        assert report is not None
        assert json.loads(report) == analyse(game).report(1)
    assert stored.analyse(redeals=0) == 0
    assert stored.analyse(Filter(player="Random 1"), redeals=1) == 3
    assert stored.analyse(redeals=1) == 0


def test_what_is_not_exact_is_analysed_again_on_demand(
    stored: Archive, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(value, "FEW", 1)
    assert stored.analyse(redeals=0, total=1) == 3
    assert stored.analyse(redeals=0) == 0
    assert stored.analyse(redeals=0, inexact=True) == 3
    assert stored.analyse(redeals=0, inexact=True) == 0


def test_an_outage_of_the_database_is_waited_for(stored: Archive, monkeypatch: pytest.MonkeyPatch):
    """Where records are read, where analyses are written, and where old ones are removed."""
    left, slept = 0, 0.0

    def breaking(call: Callable[..., Any]) -> Callable[..., Any]:
        def called(**how: bool) -> Any:
            nonlocal left
            if left:
                left -= 1
                raise ArchiveUnreachable("named", name="db", why="it does not answer")
            return call(**how)

        return called

    def sleep(seconds: float) -> None:
        nonlocal slept
        slept += seconds

    def away(call: Callable[..., Any]) -> Callable[..., Any]:
        def called(*args: Any, **how: bool) -> Any:
            nonlocal left
            answer = call(*args, **how)
            left = 10
            return answer

        return called

    with monkeypatch.context() as patch:
        for name in ("read", "deriving"):
            patch.setattr(stored._backend, name, breaking(getattr(stored._backend, name)))
        patch.setattr(analysing.time, "sleep", sleep)
        for name in ("_missing", "kept"):
            patch.setattr(analysing, name, away(getattr(analysing, name)))
        heard: list[ArchiveUnreachable] = []
        assert stored.analyse(Filter(seats=2), redeals=0, waits=heard.append) == 3
        assert slept > 4 * 20
        # Told once each time; the pauses of ten attempts are 36.7 s.
        assert slept == pytest.approx(36.7 * len(heard))
        left = 100
        with pytest.raises(ArchiveUnreachable):
            analysing._keep(stored._backend, [])
        assert left > 50
    assert stored.best_play_stats()[0].leader.count == 3


def test_the_processes_end_at_once_if_nothing_can_be_stored(
    stored: Archive, monkeypatch: pytest.MonkeyPatch
):
    """Those left until Python ends may abort it."""
    ended = []

    def by_processes(tasks: Iterable[Task], _: int) -> Iterator[Kept]:
        try:
            yield from map(analysing.kept, tasks)
        finally:
            ended.append(True)

    monkeypatch.setattr(analysing, "_by_processes", by_processes)
    monkeypatch.setattr(analysing, "_keep", Mock(side_effect=ArchiveError("worker.died")))
    with pytest.raises(ArchiveError) as caught:
        stored.analyse(redeals=0)
    assert ended, caught.value  # which holds the generator


def test_what_was_broken_off_goes_on(stored: Archive):
    def stop(_: Progress) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stored.analyse(redeals=0, report=stop)
    assert [stored.analysis(digest) is not None for digest in digests(stored)] == [
        True, False, False,
    ]  # fmt: skip
    assert stored.analyse(redeals=0) == 2


@pytest.mark.parametrize("now", ["'no game'", "NULL"])
def test_a_damaged_record_is_left_out(stored: Archive, now: str):
    """The others are analysed and stored, and it is said how many there are of each kind."""
    first, second, third = digests(stored)
    damage(stored, f"UPDATE records SET record = {now} WHERE game = 2")
    for done in (2, 0):
        with pytest.raises(Declined, match=f"analysed: {done};.*damaged: 1; claimlog db check"):
            stored.analyse(redeals=0)
    assert [stored.analysis(one) is None for one in (first, second, third)] == [False, True, False]
    assert second not in [digest.hex() for digest, _ in stored.without_puzzles(10)]


@pytest.mark.parametrize(("now", "exported"), [("'no game'", True), ("''", True), ("NULL", False)])
def test_a_damaged_record_is_named(stored: Archive, now: str, exported: bool):
    """Analysing or showing it used to end in a traceback, and over HTTP in no answer."""
    first, second, _ = stored.games(Filter(seats=2), sort="oldest").games
    damage(stored, f"UPDATE records SET record = {now} WHERE game = 2")
    for ask in (stored.game, stored.record):
        with pytest.raises(RecordDamaged, match=f"{second.id} is damaged: claimlog db check"):
            ask(second.id)
        assert ask(first.id).record == RECORDS[0]
    if not exported:
        with pytest.raises(RecordDamaged, match=second.id):
            list(stored.export("clm"))


def damage(archive: Archive, statement: str) -> None:
    """Change the ledger as no claimlog would."""
    archive.settle()
    with archive._backend.decide() as cursor:
        cursor.execute(statement)


def test_a_correction_and_a_deletion(stored: Archive):
    """An analysis belongs to its record, so that of another record does not count."""
    stored.analyse(redeals=0)
    first, second, _ = stored.games(Filter(seats=2), sort="oldest").games
    stored.correct(first.id, '[Annotator "Y"]\n' + RECORDS[0], by="Bo", why="missing")
    stored.delete(second.id, by="Bo", why="played twice")
    assert [stored.analysis(digest) is None for digest in digests(stored)] == [True, False]
    assert stored.analyse(redeals=0) == 1
    assert stored.analysis(first.digest) is stored.analysis(second.digest) is None
    stored.undelete(second.id, by="Bo", why="no slip")
    assert stored.analyse(redeals=0) == 1


def test_statistics_are_those_of_the_analyses(stored: Archive):
    """Counted again from each game's decisions; empty if nothing is analysed."""
    assert stored.given_away() == stored.best_play_stats() == stored.follower_stats() == []
    stored.analyse(redeals=0)
    games = [next(replay_text(record)) for record in RECORDS]
    found = [analyse(game) for game in games]
    lost: dict[int, list[float]] = {}
    for analysis in found:
        for one in analysis.decisions:
            change = one.before.at_least.share - one.after.at_least.share
            lost.setdefault(one.trick, []).append(change / (2 if one.seat == 1 else -2))
    by_trick = {int(one.key): one for one in stored.given_away()}
    assert {trick: (one.given.count, one.given.points) for trick, one in by_trick.items()} == {
        trick: (len(points), sum(points)) for trick, points in lost.items()
    }
    total = sum(map(sum, lost.values()))
    assert total > 0
    for by in ("player", "faction"):
        rows = stored.given_away(by=by)
        assert sum(one.given.points for one in rows) == total, by
        assert sum(one.a_game * one.games for one in rows) == pytest.approx(total), by
    (own,) = stored.given_away(Filter(player="Random 1"), by="player", of="player")
    assert own == stored.given_away(by="player")[0]
    leads = {
        play.card
        for game in games
        for play in game.tricks[13].plays
        if play.seat == game.tricks[13].leader
    }
    assert {one.key for one in stored.given_away(by="lead")} <= leads

    best = [game_start(game, analysis) for game, analysis in zip(games, found, strict=True)]
    (row,) = stored.best_play_stats(by="deck")
    assert (row.key, row.leader.count) == ("GKBSU", 3)
    assert row.leader.points == sum(points for points, _ in best)
    assert row.changed.points == sum(points != played for points, played in best)
    assert stored.best_play_stats()[0].leader == row.leader

    followers = {one.card: one for one in stored.follower_stats()}
    assert sum(one.best.count for one in followers.values()) <= 3 * 26
    held = [
        (analysis.start.at_least.share, play.seat)
        for game, analysis in zip(games, found, strict=True)
        for trick in game.tricks[13:]
        for play in trick.plays
        if play.card == "G9" and analysis.start is not None
    ]
    assert followers["G9"].best.points == sum(
        (share if seat == 1 else 2 - share) / 2 for share, seat in held
    )


def test_points_are_those_of_cards_and_play(stored: Archive):
    """Of two opponents, one loses what the other gains from either."""
    assert stored.luck_stats() == []
    stored.analyse(redeals=2)
    found = {one.player: one for one in stored.luck_stats()}
    one, two = found["Random 1"], found["Random 2"]
    assert one.id == stored.player("Random 1").player.id
    assert (one.games, one.cards, one.play) == (3, -two.cards, -two.play)
    starts = [analyse(next(replay_text(record))).start for record in RECORDS]
    best = sum(start.at_least.share / 2 for start in starts if start is not None)
    won = sum('[Result "1-0"]' in record for record in RECORDS)
    assert one.play == pytest.approx((won - best) / 3)
    assert one.low <= one.cards <= one.high


def test_a_game_with_an_open_redeal_has_no_luck(stored: Archive, monkeypatch: pytest.MonkeyPatch):
    """As the mean of the others would be that of hands which are easy to solve."""
    with monkeypatch.context() as short:
        short.setattr(keeping, "FEW", 1)
        short.setattr(keeping, "SHARE", 10**9)
        assert stored.analyse(redeals=2) == 3
    assert stored.best_play_stats()[0].leader.count == 3
    assert stored.luck_stats() == []
    assert stored.analyse(redeals=2) == 0
    assert stored.analyses_left_open(redeals=2) == 3
    assert stored.analyse(redeals=2, inexact=True) == 3
    assert stored.analyses_left_open(redeals=2) == 0
    assert {one.games for one in stored.luck_stats()} == {3}
    assert stored.analyse(redeals=2, inexact=True) == 0


def test_statistics_say_how_much_does_not_count(stored: Archive, monkeypatch: pytest.MonkeyPatch):
    """Of three games, one whose start is open, and one of whose redeals one is."""
    opened = digests(stored)

    def kept(task: Task) -> Kept:
        one = keeping.kept(task)
        if one.digest.hex() == opened[0]:
            decisions = [decision._replace(after=None) for decision in one.decisions]
            return one._replace(start=None, redealt=None, decisions=decisions)
        return one._replace(redealt=None) if one.digest.hex() == opened[1] else one

    monkeypatch.setattr(analysing, "kept", kept)
    stored.analyse(redeals=2)
    assert {(row.games, row.open) for row in stored.luck_stats()} == {(1, 2)}
    assert stored.luck_stats(min_games=2) == []
    for by in ("deck", "all"):
        (best,) = stored.best_play_stats(by=by)
        assert (best.leader.count, best.open) == (2, 1)
    hands = Counter(
        card
        for record in RECORDS
        for game in replay_text(record)
        for card, _ in {(p.card, p.seat) for trick in game.tricks[13:] for p in trick.plays}
    )
    followers = stored.follower_stats()
    assert {row.card: row.times + row.open for row in followers}.items() <= hands.items()
    assert 0 < sum(row.open for row in followers) <= 26
    for by in ("trick", "player", "faction"):
        rows = stored.given_away(by=by)
        assert {row.games for row in rows} == {2}
        assert all(0 < row.open < row.given.count for row in rows)


def game_start(game: Game, analysis: Analysis) -> tuple[float, float]:
    """The points of the leader of Phase 2: with best play, and as played."""
    assert analysis.start is not None
    leader = game.tricks[13].leader
    first = analysis.start.at_least.share / 2
    played = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}[game.result]
    return (first, played) if leader == 1 else (1 - first, 1 - played)


@pytest.mark.only_file("compacts and copies a file")
def test_it_stays(stored: Archive, tmp_path: Path):
    """When the tables are made again, or the file is compacted or copied."""
    stored.analyse(redeals=0)
    stored.rebuild()
    assert not stored.check().faults
    stored.compact()
    stored.backup(tmp_path / "copy.duckdb")
    with Archive.open(tmp_path / "copy.duckdb", read_only=True) as copy:
        assert all(copy.analysis(digest) for digest in digests(copy))


@pytest.mark.file_is_enough("it is found in the same way on any backend")
def test_by_processes(archive: Archive, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.undo()
    archive.store(RECORDS[0])
    assert archive.analyse(redeals=2, total=1_000_000) == 1
    assert archive.analysis(digests(archive)[0])
