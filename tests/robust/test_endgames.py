"""The values of positions are those that plain enumeration finds (tests/robust/endgames.py)."""

from random import Random

from examples import number_of

from claimlog.solve.search import Search
from robust.endgames import compare


def test_values_are_those_of_trying_everything():
    chance = Random(20261123)
    search = Search(1 << 10)
    assert compare(chance, number_of(8), 3, search) == []
    assert compare(chance, number_of(8), 4, search) == []
