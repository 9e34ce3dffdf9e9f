"""A game continued in another way (`claimlog.analysis.trial`)."""

from random import Random

import pytest

from claimlog import State
from claimlog.analysis.trial import Trial

LOOT = ("R1", "R3", "R5", "R7", "R9")


@pytest.mark.parametrize("seed", [18, 25, 29])
def test_loot_counts_for_what_is_best_at_the_end(seed: int):
    """In these games the first possible faction for the loot is not the best."""
    state = State.dealt("GKRTU", seed=seed, loot=LOOT)
    chance = Random(seed)
    while state.to_act.kind != "loot":
        state.apply(chance.choice(state.choices()))
    choices = state.choices()
    worth = state.value().at_least
    first = state.copy()
    first.apply(choices[0])
    assert first.value().at_least != worth
    while not state.over:
        state.apply(state.choices()[0])
    trial = Trial(state.game(), 26, 2)
    assert trial.seat is None
    assert trial.report(1000)["value"] == worth.report()
    ended = trial.game()
    assert ended.result == worth.result
    assert ended.score is not None
    assert [ended.score.votes[side] for side in (1, 2)] == list(worth.factions)
