"""Trying another card in the stepper: playing on differently from a moment of Phase 2."""

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
    """The line being tried, against best play or by hand, and the results for it."""

    def __init__(self, game: Game, trick: int, played: int) -> None:
        """Raises UnanswerableError and ValueError, like `Trial`."""
        self.game = game
        self.trial = Trial(game, trick, played)
        self.seat = self.trial.seat
        self.against = True
        """Whether the other side answers with best play."""
        self._reports: dict[tuple[str, ...], dict[str, Any]] = {}

    @property
    def report(self) -> dict[str, Any] | None:
        """The result for the position, None if there is none yet."""
        return self._reports.get(tuple(self.trial.cards))

    @property
    def answers(self) -> bool:
        """Whether the next card is to be played by best play."""
        seat, own = self.trial.seat, self.seat
        if not self.against or seat is None or own is None:
            return False
        return side_of(seat - 1, self.game.seats) != side_of(own - 1, self.game.seats)

    def take(self, cards: tuple[str, ...], report: dict[str, Any]) -> bool:
        """Store the result for a position; return whether best play has played a card."""
        self._reports[cards] = report
        if cards == tuple(self.trial.cards) and self.answers and report["best"]:
            self.trial.play(report["best"][0])
            return True
        return False

    def take_back(self) -> None:
        """Take cards back to the last one that was chosen."""
        self.trial.take_back()
        while self.trial.cards and self.answers:
            self.trial.take_back()

    def viewpoint(self, words: Words) -> Viewpoint:
        """The viewpoint of the position being tried."""
        return Viewpoint(self.trial.game(), None, words)

    def lines(self, narrator: Narrator, words: Words, width: int, *, shown: bool) -> list[Line]:
        """The cards played, who wins now and who won the game; with `shown` values of cards."""
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
