"""Trying another card in the stepper: a moment of Phase 2 played on in another way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from claimlog.analysis.trial import Trial
from claimlog.evaluation import Bounds
from claimlog.replay.viewpoint import Viewpoint
from claimlog.rules.setup import side_of

from ..layout import wrap
from .worth import standing, values

if TYPE_CHECKING:
    from claimlog.game import Game
    from claimlog.language import Words
    from claimlog.replay.narration import Narrator

    from ..layout import Line


class Trying:
    """What is tried, against best play or by oneself, and what was found out about it."""

    def __init__(self, game: Game, trick: int, played: int) -> None:
        """Raises UnanswerableError and ValueError as `Trial` does."""
        self.game = game
        self.trial = Trial(game, trick, played)
        self.seat = self.trial.seat
        self.against = True
        """Whether best play answers for the other side."""
        self._reports: dict[tuple[str, ...], dict[str, Any]] = {}

    @property
    def report(self) -> dict[str, Any] | None:
        """What was found about the position, None if nothing was yet."""
        return self._reports.get(tuple(self.trial.cards))

    @property
    def answers(self) -> bool:
        """Whether the next card is best play's."""
        seat, own = self.trial.seat, self.seat
        if not self.against or seat is None or own is None:
            return False
        return side_of(seat - 1, self.game.seats) != side_of(own - 1, self.game.seats)

    def take(self, cards: tuple[str, ...], report: dict[str, Any]) -> bool:
        """Take what was found of a position; return whether best play has played a card."""
        self._reports[cards] = report
        if cards == tuple(self.trial.cards) and self.answers and report["best"]:
            self.trial.play(report["best"][0])
            return True
        return False

    def take_back(self) -> None:
        """Take back to where a card was chosen before."""
        self.trial.take_back()
        while self.trial.cards and self.answers:
            self.trial.take_back()

    def viewpoint(self, words: Words) -> Viewpoint:
        """What there is to see."""
        return Viewpoint(self.trial.game(), None, words)

    def lines(self, narrator: Narrator, words: Words, width: int, *, shown: bool) -> list[Line]:
        """What was played, who wins now and who did in the game; with `shown` values of cards."""
        cards = " ".join(self.trial.cards) or "–"
        who = words("try.against" if self.against else "try.alone")
        lines = wrap([(f"  {words('try.title')} {cards}", "b"), (f"  {who}", "dim")], width, 4)
        report = self.report
        value = None if report is None else Bounds.of_report(report["value"])
        text = words("worth.busy") if value is None else standing(value, narrator, words)
        lines += wrap([(f"  {text}", ""), (f" {self._compared(words)}", "dim")], width, 4)
        if shown and report is not None and not self.answers:
            worth = [(one["card"], Bounds.of_report(one)) for one in report["cards"]]
            lines += wrap(values(worth), width, 4)
        return lines

    def _compared(self, words: Words) -> str:
        """How the game itself ended."""
        score = self.game.score
        if not self.game.complete or score is None:
            return ""
        votes = "-".join(map(str, score.votes.values()))
        return words("try.game", result=self.game.result, votes=votes)
