"""The value of each moment of Phase 2, and who could know it: for everything that shows a game.

>>> from claimlog import simulate_games
>>> game = next(simulate_games(1, deck="GKBSU", policy="random", seed=7))
>>> analysis = game.analysis()
>>> course = Course(game, analysis.from_trick, analysis.decisions)
>>> course.values[14, 0].at_least, course.decisions[14, 1].played, sorted(course.knowing)
(Value(share=2, mine=3, others=2), 'G3', [1, 2])
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from claimlog.analysis.decisions import sound_part
from claimlog.evaluation import FACTION_GONE, RESULT_GONE, Bounds

if TYPE_CHECKING:
    from claimlog.evaluation import Decision
    from claimlog.game import Game

__all__ = ["COSTLY", "Course", "Place"]

COSTLY: Final = (RESULT_GONE, FACTION_GONE)
"""The marks of decisions that gave something away."""

Place = tuple[int, int]
"""A trick, and the number of its plays on the table."""


class Course:
    """The values along a game, from the decisions found so far.

    `values` are those of moments, from side 1's point of view; a moment without a known value is
    missing.  With three players, who have no value in common, it is empty.  `decisions` are stored
    at the moment after the play.  `knowing` are the seats that knew all cards.
    """

    def __init__(self, game: Game, first: int | None, decisions: list[Decision]) -> None:
        self.first = first
        places = {
            (trick.number, play.seat): (trick.number, number)
            for trick in game.tricks
            for number, play in enumerate(trick.plays, 1)
        }
        self.decisions = {places[one.trick, one.seat]: one for one in decisions}
        self.knowing = frozenset(
            seat
            for seat in range(1, game.seats + 1)
            if (own := [one.known for one in decisions if one.seat == seat]) and all(own)
        )
        self.values: dict[Place, Bounds] = {}
        if first is not None and game.seats != 3:
            self._fill(sound_part(game))

    @property
    def costly(self) -> list[Place]:
        """The moments after a decision that gave something away."""
        return sorted(at for at, one in self.decisions.items() if one.mark in COSTLY)

    def _fill(self, game: Game) -> None:
        """Give each moment its value: only decisions and revokes change it."""
        stretch: list[Place] = []
        known: list[Bounds] = []

        def close() -> None:
            if known:
                least = max(one.at_least for one in known)
                value = Bounds(least, min(one.at_most for one in known))
                self.values.update(dict.fromkeys(stretch, value))
            stretch.clear()
            known.clear()

        for trick in game.tricks[(self.first or 1) - 1 :]:
            stretch.append((trick.number, 0))
            for number, play in enumerate(trick.plays, 1):
                decision = self.decisions.get((trick.number, number))
                if decision is not None:
                    known.append(decision.before)
                if decision is not None or play.irregular:
                    close()
                if decision is not None:
                    known.append(decision.after)
                stretch.append((trick.number, number))
        if not game.complete:
            # In an unfinished game it is unknown whether the rest was played in the best way.
            del stretch[1:]
        close()
