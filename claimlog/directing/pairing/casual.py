"""A fast Swiss system for a club evening: by points, without rematches.

Starting with the most points, each gets an opponent with equal points, half the group away, as in
the Dutch system; whoever is left over drops to the next points.  A choice is never made if the
others could not all be paired afterwards.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from claimlog.directing.pairing.matching import Matching
from claimlog.directing.pairing.outcome import Pair, Unpairable

if TYPE_CHECKING:
    from collections.abc import Collection

    from claimlog.directing.pairing.field import Field
    from claimlog.directing.pairing.outcome import Relaxation, Unit

Paired = tuple[list[Pair], list["Unit"]]
"""The pairs, and the units with a bye."""


def paired(field: Field, relax: Collection[Relaxation] = ()) -> Paired:
    """Pair a field.  Raises Unpairable."""
    units = field.by_points()
    graph = _Graph(field, units, relax)
    matching = Matching(graph.neighbours, first=graph.bye)
    again: list[tuple[int, int]] = []
    if matching.alone:
        if "rematch" not in relax or graph.bye in matching.alone:
            raise graph.stuck(matching, relax)
        again = graph.again(matching.alone)
        for pair in again:
            for vertex in pair:
                matching.gone[vertex] = True
    return _choose(field, graph, matching, again)


def _choose(
    field: Field, graph: _Graph, matching: Matching, pairs: list[tuple[int, int]]
) -> Paired:
    """Pair from the top down, the bye first, each with the best possible opponent."""
    if graph.bye is not None and not matching.gone[graph.bye]:
        for vertex in reversed(graph.neighbours[graph.bye]):
            if not matching.gone[vertex] and matching.take(graph.bye, vertex):
                pairs = [*pairs, (vertex, graph.bye)]
                break
    for vertex in range(len(graph.units)):
        if not matching.gone[vertex]:
            for other in graph.preferred(vertex, matching):
                if matching.take(vertex, other):
                    pairs = [*pairs, (vertex, other)]
                    break
    chosen: list[Pair] = []
    byes: list[Unit] = []
    for one, other in sorted(map(sorted, pairs)):
        if other == graph.bye:
            byes.append(graph.units[one])
        else:
            chosen.append(field.leading(graph.units[one], graph.units[other]))
    return chosen, byes


class _Graph:
    """Who may play whom; with an odd number of units the bye is an extra, last vertex."""

    def __init__(self, field: Field, units: list[Unit], relax: Collection[Relaxation]) -> None:
        self.field = field
        self.units = units
        self.bye = len(units) if len(units) % 2 else None
        self.neighbours: list[list[int]] = [
            [
                other
                for other, against in enumerate(units)
                if other != one and not field.have_met(unit, against)
            ]
            for one, unit in enumerate(units)
        ]
        if self.bye is not None:
            may = [
                one for one, unit in enumerate(units) if "bye" in relax or not field.had_bye(unit)
            ]
            may.sort(key=lambda one: (not field.had_bye(units[one]), one))
            for one in may:
                self.neighbours[one].append(self.bye)
            self.neighbours.append(may)
        self._clash = [
            {other for other in others if other != self.bye and field.clash(unit, units[other])}
            for unit, others in zip(units, self.neighbours, strict=False)
        ]

    def preferred(self, vertex: int, matching: Matching) -> list[int]:
        """Return the vertices that one may be paired with, the best first."""
        score = self.field.score(self.units[vertex])
        free = [other for other in self.neighbours[vertex] if not matching.gone[other]]
        group = [
            other
            for other in range(len(self.units))
            if not matching.gone[other] and self.field.score(self.units[other]) == score
        ]
        place = {other: k for k, other in enumerate(group)}
        half = place[vertex] + max(len(group) // 2, 1)

        def wish(other: int) -> tuple[float, bool, int]:
            away = abs(place[other] - half) if other in place else other
            return (
                abs(score - self.field.score(self.units[other])),
                other in self._clash[vertex],
                away,
            )

        return sorted((other for other in free if other != self.bye), key=wish)

    def again(self, alone: list[int]) -> list[tuple[int, int]]:
        """Pair those left over: who met least often, then who are closest in points."""
        left = alone[:]
        pairs = []
        while len(left) > 1:
            one = left.pop(0)
            met = self.field.history.met(self.units[one].key)
            other = min(left, key=lambda other: (met[self.units[other].key], other))
            left.remove(other)
            pairs.append((one, other))
        return pairs

    def stuck(self, matching: Matching, relax: Collection[Relaxation]) -> Unpairable:
        """Return why not everybody can be paired: who compete for too few opponents."""
        rivals = matching.missable()
        left = sorted({other for one in rivals for other in self.neighbours[one]} - {*rivals})
        who = self._of(rivals)
        others = self._of(left)
        if self.bye is not None and not self.neighbours[self.bye]:
            return Unpairable("pairing.bye-again", names=who, relax=("bye",))
        ways: tuple[Relaxation, ...] = ("rematch",)
        if self.bye is not None and "bye" not in relax:
            ways = ("rematch", "bye")
        key = "stuck" if others else "all-met" if self._all_met(rivals) else "stuck-apart"
        if self.bye in left:
            key = "stuck-bye" if others else "stuck-bye-alone"
        return Unpairable(f"pairing.{key}", names=who, left=others, relax=ways)

    def _all_met(self, vertices: list[int]) -> bool:
        """Whether all of these have met each other."""
        return not any(set(self.neighbours[one]) & {*vertices} for one in vertices)

    def _of(self, vertices: list[int]) -> list[Unit]:
        """Return the units of these vertices, by seed."""
        units = [self.units[one] for one in vertices if one != self.bye]
        return sorted(units, key=lambda unit: unit.rank)
