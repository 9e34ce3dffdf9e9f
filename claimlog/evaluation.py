"""What an analysis says of a game: values of positions, decisions with their marks.

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
"""A win became a loss, a shared win a loss, or a win a shared one."""
FACTION_GONE: Final = "?"
"""The result stands, and a faction is given away."""
ONLY: Final = "!"
"""The only card that keeps the result, where at least two others lose it."""
MARKS: Final = (RESULT_GONE, FACTION_GONE, ONLY)

_WINNERS: Final = (0b10, 0b11, 0b01)
"""The sides that win or share the win, by `Value.share`."""
_RESULTS: Final[tuple[str, ...]] = tuple(result_text(result_of(2, winners)) for winners in _WINNERS)
"""The results as the notation writes them, by `Value.share`."""


@total_ordering
@dataclass(frozen=True, slots=True)
class Value:
    """A value, ordered as side 1 likes it: the result, then the difference of factions.

    `share` is 2 if side 1 wins, 1 if the win is shared, 0 if side 2 wins; `mine` are the factions
    of side 1, `others` those of side 2.  Of equal differences that with more factions for side 1
    is the higher one.
    """

    share: int
    mine: int
    others: int
    _written: ClassVar[tuple[str, ...]] = _RESULTS

    def __lt__(self, other: Value) -> bool:
        """Whether side 1 likes the other one better."""
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
        """The result as the notation writes it."""
        return self._written[self.share]

    @property
    def factions(self) -> tuple[int, int]:
        """The factions that side 1 and side 2 win."""
        return self.mine, self.others

    def report(self) -> dict[str, Any]:
        """The value for JSON."""
        return {"result": self.result, "factions": list(self.factions)}

    @classmethod
    def of_report(cls, report: dict[str, Any]) -> Value:
        """The value that a report is of."""
        if "secures" in report:
            return Secured.of_report(report["secures"])
        return cls(cls._written.index(report["result"]), *report["factions"])


class Secured(Value):
    """What one seat of three can secure against both others: they play together against it.

    `mine` are the factions of that seat, `others` the most that one of the others has.
    """

    __slots__ = ()
    _written: ClassVar[tuple[str, ...]] = ("0", "1/2", "1")
    """The seat's part of the result, as the notation writes it."""

    def report(self) -> dict[str, Any]:
        """The value for JSON."""
        return {"secures": super().report()}


class Bounds(NamedTuple):
    """What is known of a value: at least and at most; equal where it is exact."""

    at_least: Value
    at_most: Value

    @property
    def exact(self) -> bool:
        """Whether both are the same."""
        return self.at_least == self.at_most

    def report(self) -> dict[str, Any]:
        """The value for JSON, or both bounds."""
        if self.exact:
            return self.at_least.report()
        return {"at_least": self.at_least.report(), "at_most": self.at_most.report()}

    @classmethod
    def of_report(cls, report: dict[str, Any]) -> Bounds:
        """The bounds that a report is of."""
        least, most = report.get("at_least", report), report.get("at_most", report)
        return cls(Value.of_report(least), Value.of_report(most))


class CardValue(NamedTuple):
    """A legal card, and what the position after it is worth."""

    card: str
    value: Bounds

    def report(self) -> dict[str, Any]:
        """The card for JSON."""
        return {"card": self.card, **self.value.report()}


@dataclass(frozen=True, slots=True)
class Decision:
    """A play of a seat that could choose between cards that are not equivalent in what follows.

    `before` is the value of the position, `after` that of the position after the card that was
    `played`; values are seen from side 1, with three players from the seat (`Secured`).  `cards`
    are all legal cards, ascending.  `mark` is one of `MARKS` or "".  `known`: the seat knew all
    cards that the others held, which only one of two players can.
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
        """The decision that a report is of."""
        cards = tuple(CardValue(one["card"], Bounds.of_report(one)) for one in report["cards"])
        return cls(**{**report, "before": Bounds.of_report(report["before"]), "cards": cards})

    @property
    def after(self) -> Bounds:
        """The value after the card that was played."""
        return next(one.value for one in self.cards if one.card == self.played)

    @property
    def exact(self) -> bool:
        """Whether all values are."""
        return self.before.exact and all(one.value.exact for one in self.cards)

    @property
    def kept(self) -> bool:
        """Whether the card was as good as any."""
        return self.after == self.before

    @property
    def best(self) -> list[str]:
        """The cards that keep the value; none unless it is exact."""
        return [one.card for one in self.cards if self.before.exact and one.value == self.before]

    def report(self) -> dict[str, Any]:
        """The decision for JSON (docs/analysis.md)."""
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
    """A seat's decisions in numbers: how many, how many kept the value, what the others lost."""

    seat: Seat
    decisions: int
    kept: int
    results: int
    factions: int


@dataclass(frozen=True, slots=True)
class Analysis:
    """What can be said about Phase 2 of a game.

    `from_trick` is the first trick of which all is known, None if there is none: then `why` says
    so ("errors", or as `UnanswerableError.key`).  `start` is the value before that trick, `end`
    that after the last play; None where nothing can be said, and with three players, who have no
    value in common.  `lines` tells by place in `decisions` how the game goes on with best play from
    the best card: seats and cards.
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
        """Whether all values are exact; not if there are none."""
        return self.from_trick is not None and all(one.exact for one in self.decisions)

    @property
    def costly(self) -> list[Decision]:
        """The decisions that gave something away."""
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
            **({} if self.seats == 2 else {"hands": "open"}),
            "decisions": [one.report() for one in self.decisions],
            "problems": [problem.report() for problem in self.problems],
        }
