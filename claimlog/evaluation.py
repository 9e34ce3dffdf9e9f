"""The results of an analysis: values of positions, and decisions with their marks.

>>> Value(2, 3, 2), Value(1, 2, 2).result, Value(0, 1, 4).factions
(Value(share=2, mine=3, others=2), '1/2-1/2', (1, 4))
>>> Value(2, 3, 2) > Value(1, 2, 2) > Value(0, 2, 3) > Value(0, 1, 4)
True
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import total_ordering
from typing import Any, ClassVar, Final, NamedTuple

from claimlog.parts import Problem, Seat
from claimlog.results import result_of, result_text

__all__ = [
    "FACTION_GONE",
    "MARKS",
    "ONLY",
    "RESULT_GONE",
    "Analysis",
    "Bounds",
    "CardValue",
    "Decision",
    "Secured",
    "Summary",
    "Value",
]

RESULT_GONE: Final = "??"
"""A win became a loss or a shared win, or a shared win became a loss."""
FACTION_GONE: Final = "?"
"""The result is unchanged, but a faction was given away."""
ONLY: Final = "!"
"""The only card that keeps the result, where at least two others do not."""
MARKS: Final = (RESULT_GONE, FACTION_GONE, ONLY)

_WINNERS: Final = (0b10, 0b11, 0b01)
"""The set of sides that win or share the win, by `Value.share`."""
_RESULTS: Final[tuple[str, ...]] = tuple(result_text(result_of(2, winners)) for winners in _WINNERS)
"""The results in notation, by `Value.share`."""


@total_ordering
@dataclass(frozen=True, slots=True)
class Value:
    """A value, ordered from side 1's point of view: the result, then the difference in factions.

    `share` is 2 if side 1 wins, 1 if the win is shared, 0 if side 2 wins; `mine` is the number of
    factions that side 1 wins, `others` that of side 2.  Of two equal differences, the one with more
    factions for side 1 is higher.
    """

    share: int
    mine: int
    others: int
    _written: ClassVar[tuple[str, ...]] = _RESULTS

    def __lt__(self, other: Value) -> bool:
        """Whether the other value is better for side 1."""
        return self._rank < other._rank

    @property
    def parts(self) -> tuple[int, int, int]:
        """`share`, `mine` and `others`."""
        return self.share, self.mine, self.others

    @property
    def _rank(self) -> tuple[int, int, int]:
        return self.share, self.mine - self.others, self.mine

    @property
    def result(self) -> str:
        """The result in notation."""
        return self._written[self.share]

    @property
    def factions(self) -> tuple[int, int]:
        """The numbers of factions that side 1 and side 2 win."""
        return self.mine, self.others

    def report(self) -> dict[str, Any]:
        """The value as JSON."""
        return {"result": self.result, "factions": list(self.factions)}

    @classmethod
    def of_report(cls, report: dict[str, Any]) -> Value:
        """Return the value in a report."""
        if "secures" in report:
            return Secured.of_report(report["secures"])
        return cls(cls._written.index(report["result"]), *report["factions"])


class Secured(Value):
    """What one seat of three can secure when both others play together against it.

    `mine` is the number of factions of that seat, `others` the most that either other seat has.
    """

    __slots__ = ()
    _written: ClassVar[tuple[str, ...]] = ("0", "1/2", "1")
    """The seat's share of the result, in notation."""

    def report(self) -> dict[str, Any]:
        """The value as JSON."""
        return {"secures": super().report()}


class Bounds(NamedTuple):
    """What is known about a value: a lower and an upper bound, equal if it is exact."""

    at_least: Value
    at_most: Value

    @property
    def exact(self) -> bool:
        """Whether both bounds are equal."""
        return self.at_least == self.at_most

    def report(self) -> dict[str, Any]:
        """The value as JSON, or both bounds."""
        if self.exact:
            return self.at_least.report()
        return {"at_least": self.at_least.report(), "at_most": self.at_most.report()}

    @classmethod
    def of_report(cls, report: dict[str, Any]) -> Bounds:
        """Return the bounds in a report."""
        least, most = report.get("at_least", report), report.get("at_most", report)
        return cls(Value.of_report(least), Value.of_report(most))


class CardValue(NamedTuple):
    """A legal card, and the value of the position after it."""

    card: str
    value: Bounds

    def report(self) -> dict[str, Any]:
        """The card as JSON."""
        return {"card": self.card, **self.value.report()}


@dataclass(frozen=True, slots=True)
class Decision:
    """A play where the seat had a choice between cards that are not equivalent.

    `before` is the value of the position, `after` its value after the card that was `played`;
    values are seen from side 1, with three players from the seat (`Secured`).  `cards` are all
    legal cards, ascending.  `mark` is one of `MARKS` or "".  `known`: the seat knew every card that
    the others held, which is only possible with two players.
    """

    trick: int
    seat: Seat
    played: str
    before: Bounds
    cards: tuple[CardValue, ...]
    mark: str
    known: bool

    @classmethod
    def of_report(cls, report: dict[str, Any]) -> Decision:
        """Return the decision in a report."""
        cards = tuple(CardValue(one["card"], Bounds.of_report(one)) for one in report["cards"])
        return cls(**{**report, "before": Bounds.of_report(report["before"]), "cards": cards})

    @property
    def after(self) -> Bounds:
        """The value after the card that was played."""
        return next(one.value for one in self.cards if one.card == self.played)

    @property
    def exact(self) -> bool:
        """Whether all values are exact."""
        return self.before.exact and all(one.value.exact for one in self.cards)

    @property
    def kept(self) -> bool:
        """Whether no other card was better."""
        return self.after == self.before

    @property
    def best(self) -> list[str]:
        """The cards that keep the value; empty unless it is exact."""
        return [one.card for one in self.cards if self.before.exact and one.value == self.before]

    def report(self) -> dict[str, Any]:
        """The decision as JSON (docs/analysis.md)."""
        return {
            "trick": self.trick,
            "seat": self.seat,
            "played": self.played,
            "before": self.before.report(),
            "cards": [one.report() for one in self.cards],
            "mark": self.mark,
            "known": self.known,
        }


class Summary(NamedTuple):
    """A seat's numbers of decisions: all, value kept, result given away, faction given away."""

    seat: Seat
    decisions: int
    kept: int
    results: int
    factions: int


@dataclass(frozen=True, slots=True)
class Analysis:
    """The analysis of Phase 2 of a game.

    `from_trick` is the first trick from which all cards are known, or None; `why` then gives the
    reason ("errors", or an `UnanswerableError.key`).  `start` is the value before that trick, `end`
    the value after the last play; None if unknown, and with three players, who have no value in
    common.  `lines` has, by place in `decisions`, the continuation with best play from the best
    card: seats and cards.
    """

    from_trick: int | None
    why: str
    start: Bounds | None
    end: Bounds | None
    decisions: list[Decision] = field(default_factory=list)
    lines: dict[int, list[tuple[Seat, str]]] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    seats: int = 2

    @property
    def exact(self) -> bool:
        """Whether all values are exact; False if the game could not be analysed."""
        return self.from_trick is not None and all(one.exact for one in self.decisions)

    @property
    def costly(self) -> list[Decision]:
        """The decisions that gave away a result or a faction."""
        return [one for one in self.decisions if one.mark in (RESULT_GONE, FACTION_GONE)]

    def summaries(self) -> list[Summary]:
        """Each seat's decisions in numbers."""
        summaries = []
        for seat in range(1, self.seats + 1):
            own = [one for one in self.decisions if one.seat == seat]
            marks = [one.mark for one in own]
            kept = sum(one.kept for one in own)
            summaries.append(
                Summary(seat, len(own), kept, marks.count(RESULT_GONE), marks.count(FACTION_GONE))
            )
        return summaries

    def report(self, number: int) -> dict[str, Any]:
        """The object that ``claimlog analyse --format json`` prints (docs/analysis.md)."""
        return {
            "game": number,
            "from_trick": self.from_trick,
            "exact": self.exact,
            **({"hands": "open"} if self.seats > 2 else {}),
            "decisions": [one.report() for one in self.decisions],
            "problems": [problem.report() for problem in self.problems],
        }
