"""The values of cards of Phase 2 on the stepper's pages: the strip, marks, values.

A separate process finds them, starting with the last trick, which is the fastest; values not found
yet are shown as unknown.
"""

from __future__ import annotations

import json
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

from claimlog.analysis.answering import grade, grading_of, trial_of, try_out
from claimlog.analysis.course import Course
from claimlog.analysis.story import score_of
from claimlog.evaluation import ONLY, RESULT_GONE, Decision
from claimlog.notation.writer import canonical
from claimlog.rules.setup import tricks_of
from claimlog.workers import Worker

from ..layout import length, wrap

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from claimlog.analysis.course import Place
    from claimlog.evaluation import Bounds
    from claimlog.game import Game
    from claimlog.language import Words
    from claimlog.replay.narration import Narrator

    from ..layout import Line

NICE: Final = 10
"""The niceness of the processes, which yield to others."""
WINS: Final = {1: "▀", 2: "▄", 0: "■", None: "·"}
"""A cell of the strip, by the side that wins: 0 if they share the win, None if unknown."""
STYLES: Final = {RESULT_GONE: "error", ONLY: "win"}
COST: Final = {"??": "worth.result", "?": "worth.faction", "!": "worth.only"}


class Analyst:
    """Processes that analyse a game, and moments being tried; each one at a time."""

    def __init__(self) -> None:
        self._grader = Worker(grade, nice=NICE), Lock()
        self._trier = Worker(try_out, nice=NICE), Lock()

    def grade(self, record: bytes, trick: int | None) -> dict[str, Any]:
        """The report on a trick.  Raises WorkerDied after `end`."""
        return _asked(*self._grader, grading_of(record, trick))

    def try_out(self, record: bytes, start: Place, cards: Sequence[str]) -> dict[str, Any]:
        """The report on a moment being tried.  Raises WorkerDied after `end`."""
        return _asked(*self._trier, trial_of(record, start, cards))

    def end(self) -> None:
        """End the processes, whatever they are doing."""
        for worker, _ in (self._grader, self._trier):
            worker.end()


def _asked(worker: Worker, turn: Lock, task: bytes) -> dict[str, Any]:
    """The answer of a process, when it is free."""
    with turn:
        report: dict[str, Any] = json.loads(worker.ask(task))
    return report


class Worth:
    """The results for one game so far."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.record = canonical(game).encode()
        self.why = ""
        """The reason why there are no results, as the key of a text."""
        self.done = False
        self._decisions: list[Decision] = []
        self.course = Course(game, None, [])

    def tricks(self) -> Iterator[int | None]:
        """The tricks to ask for; None for all at once."""
        if self.game.seats == 2:
            yield from range(len(self.game.tricks), tricks_of(2), -1)
        else:
            yield None

    def take(self, report: dict[str, Any]) -> None:
        """Store the results for a trick."""
        if report["from_trick"] is None:
            codes = [one["code"] for one in report["problems"]]
            why = next((one for one in codes if one.startswith("analysis-")), "errors")
            self.why = f"worth.{why}"
            return
        decisions = [Decision.of_report(one) for one in report["decisions"]]
        self._decisions = [*decisions, *self._decisions]
        self.course = Course(self.game, report["from_trick"], self._decisions)

    def finish(self) -> None:
        """Note that the analysis is complete."""
        self.done = True
        if not self._decisions and not self.why:
            self.why = "worth.analysis-phase-1"

    def seen_by(self, view: int | None) -> bool:
        """Whether a view may see any of it."""
        return view is None or view in self.course.knowing

    def marks(self, view: int | None) -> dict[tuple[int, int], str]:
        """The marks by trick and seat."""
        if not self.seen_by(view):
            return {}
        return {(one.trick, one.seat): one.mark for one in self.course.decisions.values()}

    def next_mistake(self, at: Place, view: int | None) -> Place | None:
        """The moment after the next costly decision; after the last one, the first one's.

        None if there is none, or none known yet.
        """
        places = self.course.costly if self.seen_by(view) else []
        return next((one for one in places if one > at), places[0] if places else None)


class WorthPages:
    """Lines about the values of one game, as far as a view may see them."""

    def __init__(self, worth: Worth, narrator: Narrator, words: Words, width: int) -> None:
        self.worth = worth
        self.narrator = narrator
        self.words = words
        self.view = narrator.viewpoint.view
        self.width = width

    def lines(self, at: Place, *, asked: bool) -> list[Line]:
        """The strip, who wins, the cost of the last card, the values of the possible cards.

        While a card is `asked` for, nothing that follows is shown.
        """
        worth, words = self.worth, self.words
        why = worth.why
        if not why and not worth.seen_by(self.view):
            why = "worth.view" if worth.done else "worth.busy"
        if why:
            return wrap([(f"  {words(why)}", "dim")], self.width, 4)
        lines = self._strip(at, asked=asked)
        lines += wrap([(f"  {self._standing(at)}", "")], self.width, 4)
        if played := worth.course.decisions.get(at):
            lines += self._played(played)
        after = worth.course.decisions.get((at[0], at[1] + 1))
        if after and not asked and self.view in (None, after.seat):
            lines += wrap(values((one.card, one.value) for one in after.cards), self.width, 4)
        return lines

    def _standing(self, at: Place) -> str:
        """A sentence on who is winning, as far as known."""
        worth, words = self.worth, self.words
        seats, first = worth.game.seats, worth.course.first
        value = worth.course.values.get(at)
        if not worth.done and value is None:
            return words("worth.busy")
        if seats > 2 and first is not None and at[0] < first:
            return words("worth.from", trick=first)
        if seats == 3:
            return words("worth.secured-hands")
        text = standing(value, self.narrator, words)
        return text if seats == 2 else f"{text} {words('worth.open-hands')}"

    def _strip(self, at: Place, *, asked: bool) -> list[Line]:
        game, course = self.worth.game, self.worth.course
        first, seats = tricks_of(game.seats) + 1, game.seats
        cells = [(trick, n) for trick in range(first, 2 * first - 1) for n in range(1, seats + 1)]
        step = 2 if 2 * len(cells) + 2 <= self.width else 1
        here = at if at[1] else (at[0] - 1, seats)
        strip: Line = [("  ", "")]
        marks: Line = [("  ", "")]
        for place in cells:
            hidden = place > at and asked
            cell = WINS[winner(None if hidden else course.values.get(place))]
            strip.append(
                (cell.ljust(step), "chosen" if place == here else "" if place < here else "dim")
            )
            one = course.decisions.get(place)
            mark = one.mark if one and not hidden else ""
            marks.append((mark[:step].ljust(step), STYLES.get(mark, "warn")))
        lines = [strip, marks] if any(text.strip() for text, _ in marks) else [strip]
        if seats == 3:
            return lines
        sides = [self.narrator.side_short(side) for side in (1, 2)]
        legend = "   ".join(f"{WINS[side]} {name}" for side, name in enumerate(sides, 1))
        if length(strip) + len(legend) + 3 <= self.width:
            strip.append((f"   {legend}", "dim"))
        else:
            lines.insert(0, [(f"  {legend}", "dim")])
        return lines

    def _played(self, one: Decision) -> list[Line]:
        """The cost of a decision."""
        lines: list[Line] = []
        own = self.view in (None, one.seat)
        if one.mark:
            gone = one.mark == RESULT_GONE and self.worth.game.seats == 3
            text = f" {self.words('worth.secured' if gone else COST[one.mark])}"
            if one.mark in (RESULT_GONE, "?") and own:
                text += " " + self.words("worth.better", cards=", ".join(one.best))
            style = STYLES.get(one.mark, "warn")
            lines += wrap([(f"  {one.played} {one.mark}", style), (text, "")], self.width, 4)
        if not one.known and self.worth.game.seats == 2:
            lines += wrap([(f"  {self.words('worth.unknowable')}", "dim")], self.width, 4)
        return lines


def winner(value: Bounds | None) -> int | None:
    """The side that wins according to a value; 0 if they share the win, None if unknown."""
    if value is None or value.at_least.share != value.at_most.share:
        return None
    return (2, 0, 1)[value.at_least.share]


def standing(value: Bounds | None, narrator: Narrator, words: Words) -> str:
    """A sentence on who wins with best play."""
    side = winner(value)
    if value is None or side is None:
        return words("worth.unknown" if value is None else "worth.open")
    score = score_of(value.at_least, side or 1)
    if not side:
        return words("worth.shared", score=score)
    name = narrator.side_short(side)
    return (
        words("worth.wins", name=name, score=score)
        if value.exact
        else words("worth.about", name=name)
    )


def values(cards: Iterable[tuple[str, Bounds]]) -> Line:
    """Cards with the factions of side 1 and side 2; cards of equal value together."""
    groups: dict[str, list[str]] = {}
    for card, value in cards:
        text = score_of(value.at_least, 1) if value.exact else "?"
        groups.setdefault(text, []).append(card)
    line: Line = [("  ", "")]
    for text, names in groups.items():
        line += [(f"{text}: ", "b"), (f"{' '.join(names)}   ", "")]
    return line
