"""Maximum matching in a graph: Edmonds' algorithm, with augmenting paths and blossoms.

Libraries find a single best matching.  Here a matching is kept and modified: the first to be paired
gets the best partner with whom everybody else can still be paired.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

NOBODY: Final = -1


class Matching:
    """A maximum matching of the vertices 0 to n - 1.

    `first` is not left alone if it has any neighbour.
    """

    def __init__(self, neighbours: Sequence[Iterable[int]], first: int | None = None) -> None:
        self.neighbours = [list(others) for others in neighbours]
        self.mate = [NOBODY] * len(self.neighbours)
        self.gone = [False] * len(self.neighbours)
        order = sorted(range(len(self.mate)), key=lambda vertex: vertex != first)
        for vertex in order:
            if self.mate[vertex] == NOBODY:
                for other in self.neighbours[vertex]:
                    if self.mate[other] == NOBODY:
                        self.mate[vertex], self.mate[other] = other, vertex
                        break
        for vertex in order:
            if self.mate[vertex] == NOBODY:
                self._augment(vertex)

    @property
    def alone(self) -> list[int]:
        """The vertices without a partner."""
        return [
            vertex
            for vertex, mate in enumerate(self.mate)
            if mate == NOBODY and not self.gone[vertex]
        ]

    def take(self, one: int, other: int) -> bool:
        """Remove a pair if that costs no other pair; returns whether it was removed."""
        if self.mate[one] != other:
            before = self.mate[:]
            left = [mate for mate in (self.mate[one], self.mate[other]) if mate != NOBODY]
            for vertex in (one, other, *left):
                self.mate[vertex] = NOBODY
            self.gone[one] = self.gone[other] = True
            if len(left) == 2 and not any(map(self._augment, left)):
                self.mate = before
                self.gone[one] = self.gone[other] = False
                return False
        self.gone[one] = self.gone[other] = True
        self.mate[one] = self.mate[other] = NOBODY
        return True

    def missable(self) -> list[int]:
        """Return the vertices that some maximum matching leaves alone."""
        vertices = []
        for vertex in range(len(self.mate)):
            mate = self.mate[vertex]
            if self.gone[vertex]:
                continue
            if mate == NOBODY:
                vertices.append(vertex)
                continue
            before = self.mate[:]
            self.mate[vertex] = self.mate[mate] = NOBODY
            self.gone[vertex] = True
            if self._augment(mate):
                vertices.append(vertex)
            self.mate = before
            self.gone[vertex] = False
        return vertices

    def _augment(self, root: int) -> bool:
        """Find a partner for `root` if nobody loses theirs; returns whether there is one."""
        count = len(self.mate)
        mate, gone = self.mate, self.gone
        parent = [NOBODY] * count
        base = list(range(count))
        outer = [False] * count
        outer[root] = True
        queue = [root]
        for vertex in queue:
            for other in self.neighbours[vertex]:
                if gone[other] or base[vertex] == base[other] or mate[vertex] == other:
                    continue
                if other == root or (mate[other] != NOBODY and parent[mate[other]] != NOBODY):
                    self._shrink(vertex, other, parent, base, outer, queue)
                elif parent[other] == NOBODY:
                    parent[other] = vertex
                    if mate[other] == NOBODY:
                        self._flip(other, parent)
                        return True
                    outer[mate[other]] = True
                    queue.append(mate[other])
        return False

    def _shrink(
        self,
        one: int,
        other: int,
        parent: list[int],
        base: list[int],
        outer: list[bool],
        queue: list[int],
    ) -> None:
        """Contract the odd cycle that two outer vertices close."""
        top = self._meeting(one, other, parent, base)
        inside = set()
        for start, child in ((one, other), (other, one)):
            vertex, below = start, child
            while base[vertex] != top:
                inside |= {base[vertex], base[self.mate[vertex]]}
                parent[vertex] = below
                below = self.mate[vertex]
                vertex = parent[below]
        for vertex in range(len(base)):
            if base[vertex] in inside:
                base[vertex] = top
                if not outer[vertex]:
                    outer[vertex] = True
                    queue.append(vertex)

    def _meeting(self, one: int, other: int, parent: list[int], base: list[int]) -> int:
        """Return where the paths of two vertices to the root meet."""
        seen = set()
        while True:
            one = base[one]
            seen.add(one)
            if self.mate[one] == NOBODY:
                break
            one = parent[self.mate[one]]
        other = base[other]
        while other not in seen:
            other = base[parent[self.mate[other]]]
        return other

    def _flip(self, end: int, parent: list[int]) -> None:
        """Exchange matched and unmatched edges along a path."""
        while end != NOBODY:
            before = parent[end]
            following = self.mate[before]
            self.mate[end], self.mate[before] = before, end
            end = following
