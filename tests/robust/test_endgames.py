"""The values of positions equal those of plain enumeration (tests/robust/endgames.py)."""

from random import Random

import pytest
from examples import number_of

from claimlog import compiled
from claimlog.solve.open_hands import OpenHands
from claimlog.solve.search import Search
from claimlog.state import State
from robust import starts
from robust.endgames import compare, wrong

pytestmark = pytest.mark.no_cover


def test_values_are_those_of_trying_everything():
    chance = Random(20261123)
    search = Search(1 << 10)
    assert compare(chance, number_of(8), 3, search) == []
    assert compare(chance, number_of(8), 4, search) == []
    open_hands = OpenHands(1 << 10)
    for seats in (3, 4):
        assert compare(chance, number_of(2), 2, open_hands, seats) == []


@pytest.mark.parametrize(("deck", "seed", "line"), [("MPVUX", 105, 0), ("NIVUX", 60, 2)])
def test_decided_peasants_and_gnomes_still_double_vikings(deck: str, seed: int, line: int):
    """Nobody can lose them any more, but it still matters which side has which values."""
    state = State.dealt(deck, seed=seed)
    chance = Random(seed)
    while state.trick < 23:
        state.apply(chance.choice(state.choices()))
    assert wrong(state._machine, Random(line), Search(1 << 10)) == []


@pytest.mark.parametrize(
    "deck", ["GKRTU", "GKBRX", "NIRSU", "MPRUV", "NIBTV", "GKFRT", "NIFTX", "NIFDW"]
)
@pytest.mark.parametrize("trolls", ["highest", "line"])
def test_numbers_stand_for_cards_with_loot_waiting_trolls_and_runs(deck: str, trolls: str):
    chance = Random(f"{deck} {trolls}")
    search = Search(1 << 10)
    loot = chance.sample([f"R{value}" for value in range(10)], 5) if "R" in deck else None
    for seed in range(number_of(3)):
        state = State.dealt(deck, seed=seed, rulings={"trolls": trolls}, loot=loot)
        while state.trick < 24:
            state.apply(chance.choice(state.choices()))
        assert wrong(state._machine, chance, search) == []


def test_whole_starts_have_the_values_of_a_search_that_knows_exact_positions_only():
    """With all 13 cards (tests/robust/starts.py); interpreted this would take minutes."""
    cards = 13 if compiled() else 4
    compared = starts.compare(
        Random(20261125), max(4, number_of(0.15)), Search(1 << 12), Search(1 << 16), cards, 200_000
    )
    assert compared.faults == []
    assert compared.starts
