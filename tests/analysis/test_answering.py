"""A worker process that analyses records: one game, within a total effort."""

import json

from claimlog.analysis.answering import answer, task_of
from claimlog.evaluation import Decision
from claimlog.notation.writer import canonical
from claimlog.simulate import simulate_games

# One of the quickest to examine to its end: others take twenty times as long.
GAME = next(simulate_games(1, deck="MPSVX", policy="random", seed=14))
RECORD = canonical(GAME).encode()


def test_the_whole_effort_is_shared_so_that_the_end_is_exact():
    """With little effort left each answer still gets a little, which suffices near the end."""
    report, whole = (json.loads(answer(task_of(RECORD, total))) for total in (0, 10_000_000))
    assert (report["exact"], whole["exact"]) == (False, True)
    assert "at_least" in report["decisions"][0]["before"]
    for number, right in zip(report["decisions"], whole["decisions"], strict=True):
        one, value = Decision.of_report(number), Decision.of_report(right)
        assert one.before.at_least <= value.before.at_least <= one.before.at_most
        for (card, bounds), (_, exact) in zip(one.cards, value.cards, strict=True):
            assert bounds.at_least <= exact.at_least <= bounds.at_most, card
    assert report["decisions"][-10:] == whole["decisions"][-10:]


def test_a_report_can_be_read_again():
    analysis = GAME.analysis()
    assert [Decision.of_report(one.report()) for one in analysis.decisions] == analysis.decisions
    assert json.loads(answer(task_of(RECORD))) == analysis.report(1)


def test_one_game_is_wanted():
    assert answer(task_of(b"")) == answer(task_of(RECORD + b"\n" + RECORD)) == b""
