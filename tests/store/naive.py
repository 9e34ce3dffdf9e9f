"""The archive's questions answered the slow way, from replays, for the tests to compare with."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

from claimlog.game import Game as Played
from claimlog.game import Trick
from claimlog.rules.setup import sides_of
from claimlog.store import Rate


@cache
def _points(result: str) -> list[float]:
    """The points of each side."""
    return [float(Fraction(part)) for part in result.split("-")]


@dataclass
class Game:
    """A replay with the properties that questions need."""

    replay: Played
    id: str

    @property
    def seats(self) -> int:
        return self.replay.seats

    @property
    def sides(self) -> int:
        return sides_of(self.replay.seats)

    @property
    def tags(self) -> dict[str, str]:
        return self.replay.tags

    @property
    def deck(self) -> set[str]:
        return set(self.replay.tags["Deck"])

    @property
    def finished(self) -> bool:
        return self.replay.result != "*"

    def points(self, seat: int) -> float | None:
        """The points of a seat, from 1."""
        if not self.finished:
            return None
        return _points(self.replay.result)[(seat - 1) % self.sides]

    def name(self, seat: int) -> str | None:
        return self.tags.get(f"Player{seat}")

    def who(self, seat: int) -> str | None:
        """The player's identity: the Id, otherwise the name."""
        return self.tags.get(f"Id{seat}") or self.name(seat)

    def tricks(self, number: int | None = None) -> list[Trick]:
        return [t for t in self.replay.tricks if number is None or t.number == number]

    @property
    def votes(self) -> list[int] | None:
        return list(self.replay.score.votes.values()) if self.replay.score else None


class Sum:
    """Counts for a rate; observations added with a game are correlated within it."""

    def __init__(self) -> None:
        self.count = 0
        self.total = 0.0
        self.by_game: dict[str, list[float]] = defaultdict(list)

    def add(self, points: float | None, count: int = 1, game: str | None = None) -> None:
        if points is not None:
            self.count += count
            self.total += points
            if game is not None:
                self.by_game[game].append(points)

    def effect(self) -> float:
        """How many times wider the variance is than that of independent observations."""
        groups = [values for values in self.by_game.values() if values]
        if all(len(values) == 1 for values in groups):
            return 1.0
        rate = self.total / self.count
        apart = rate * (1 - rate) * self.count
        if len(groups) == 1 or apart < 1e-9:
            return sum(len(values) ** 2 for values in groups) / self.count
        off = [sum(value - rate for value in values) for values in groups]
        return max(1.0, len(off) / (len(off) - 1) * sum(x * x for x in off) / apart)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Rate):
            return NotImplemented
        if other.count != self.count or not math.isclose(
            other.points, self.total, abs_tol=1e-4, rel_tol=1e-9
        ):
            return False
        if not self.count:
            return other.rate is None
        assert other.rate is not None
        assert other.low is not None
        assert other.high is not None
        effect = self.effect()
        low, high = wilson(self.count / effect, self.total / effect)
        return (
            math.isclose(other.rate, self.total / self.count, abs_tol=1e-6)
            and math.isclose(other.low, low, abs_tol=1e-6)
            and math.isclose(other.high, high, abs_tol=1e-6)
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Sum({self.count}, {self.total})"


def wilson(count: float, points: float) -> tuple[float, float]:
    """Wilson's interval as the roots of its quadratic equation."""
    z2 = 1.959963984540054**2
    p = points / count
    a, b, c = 1 + z2 / count, -(2 * p + z2 / count), p * p
    root = math.sqrt(max(0.0, b * b - 4 * a * c))
    return max(0.0, (-b - root) / (2 * a)), min(1.0, (-b + root) / (2 * a))


def sums() -> defaultdict[Any, Sum]:
    return defaultdict(Sum)


def seats_in_order(trick: Trick, seats: int) -> list[int]:
    """The seats of a trick from 1, the leader first."""
    return [(trick.leader - 1 + k) % seats + 1 for k in range(seats)]
