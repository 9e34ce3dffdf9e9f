"""How many positions the search of Phase 2 looks at (docs/analysis.md, "How it works")."""

import pytest

from claimlog import State, compiled, simulate_games
from claimlog.solve.search import Search


@pytest.mark.skipif(not compiled(), reason="interpreted it takes minutes")
def test_cards_that_answered_positions_with_the_same_hands_are_tried_first():
    """Ordered only by what cards promise, these starts take half as many positions again."""
    search = Search()
    positions = 0
    for game in simulate_games(10, seed=20261128):
        State.from_game(game, 14).values(search=search).value()
        positions += search.nodes
    assert positions < 900_000
