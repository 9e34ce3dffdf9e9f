"""Matchings, compared with all that exist."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from claimlog.directing.pairing.matching import Matching


def most(vertices, edges):
    """The largest possible number of pairs, by trying."""
    if not vertices:
        return 0
    first, *rest = vertices
    return max(
        most(rest, edges),
        *(
            1 + most([one for one in rest if one != other], edges)
            for other in rest
            if (first, other) in edges
        ),
        0,
    )


@given(st.integers(2, 8), st.data())
def test_there_are_as_many_pairs_as_there_can_be(count, data):
    couples = list(combinations(range(count), 2))
    edges = data.draw(st.sets(st.sampled_from(couples)))
    neighbours = [[other for other in range(count) if tuple(sorted((one, other))) in edges]
                  for one in range(count)]  # fmt: skip
    everybody = list(range(count))
    first = data.draw(st.none() | st.sampled_from(everybody))
    matching = Matching(neighbours, first)
    pairs = {(one, other) for one, other in enumerate(matching.mate) if 0 <= one < other}
    assert pairs <= edges
    assert len(pairs) == most(everybody, edges)
    assert len(matching.alone) == count - 2 * len(pairs)
    if first is not None and neighbours[first]:
        assert first not in matching.alone
    assert matching.missable() == [
        one
        for one in everybody
        if most([other for other in everybody if other != one], edges) == len(pairs)
    ]
    if edges:
        one, other = data.draw(st.sampled_from(sorted(edges)))
        left = [vertex for vertex in everybody if vertex not in (one, other)]
        assert matching.take(one, other) == (most(left, edges) == len(pairs) - 1)
