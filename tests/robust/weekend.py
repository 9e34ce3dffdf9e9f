"""The plan of a weekend event: late, leaving and resting players, results, a count of points."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

ROUNDS = 7
LATE, GONE, RESTING, ILL = 25, 5, 7, 8
"""The players who enter before round 2, withdraw after round 3, have a half-point bye in round 3,
and a bye without points in round 5."""
WRONG = (2, 1)
"""The round and the table whose result is typed wrong, and corrected two rounds later."""
BYES = {"pairing": 1, "half": 0.5, "zero": 0}


class Seen(NamedTuple):
    """A round as it was paired: the entrants by table, and those who have a bye of any kind."""

    tables: list[tuple[int, ...]]
    byes: list[int]


def result_of(round: int, players: tuple[int, ...]) -> str:
    """How the game of two entrants ends; the stronger one usually wins, some games are shared."""
    first, second = players
    luck = (first * 31 + second * 17 + round * 7) % 10
    if luck == 0:
        return "1/2-1/2"
    return "1-0" if (first < second) == (luck < 8) else "0-1"


def turned(result: str) -> str:
    """The result with its sides mixed up."""
    return "0-1" if result == "1-0" else "1-0"


def kind_of(entrant: int, round: int) -> str:
    """The kind of bye that an entrant has in a round."""
    return {(RESTING, 3): "half", (ILL, 5): "zero"}.get((entrant, round), "pairing")


def counted(rounds: Iterable[Seen]) -> dict[int, float]:
    """The points of all entrants.

    Checks that everybody present plays or rests in each round, that no two meet twice, and that
    nobody rests twice without asking, but at least once somebody rests.
    """
    points = dict.fromkeys(range(1, LATE + 1), 0.0)
    met: Counter[frozenset[int]] = Counter()
    rested: Counter[int] = Counter()
    for number, round in enumerate(rounds, 1):
        away = ({GONE} if number >= 4 else set()) | ({LATE} if number == 1 else set())
        seated = [player for players in round.tables for player in players]
        assert sorted([*seated, *round.byes, *away]) == list(range(1, LATE + 1))
        for entrant in round.byes:
            kind = kind_of(entrant, number)
            rested[entrant] += kind == "pairing"
            points[entrant] += BYES[kind]
        assert number != 3 or RESTING in round.byes
        assert number != 5 or ILL in round.byes
        met.update(map(frozenset, round.tables))
        for players in round.tables:
            ended = result_of(number, players)
            halves = (0.5, 0.5) if "/" in ended else (float(ended[0]), float(ended[2]))
            for player, share in zip(players, halves, strict=True):
                points[player] += share
    assert set(met.values()) == {1}
    assert max(rested.values()) == 1
    return points
