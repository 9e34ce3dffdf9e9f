"""Play on differently, from any moment of a game's Phase 2, by hand or with best play.

>>> from claimlog import simulate_games
>>> trial = Trial(next(simulate_games(1, deck="GKBSU", policy="random", seed=7)), 22, 0)
>>> trial.seat, trial.legal()
(2, ['B4', 'B6', 'S3', 'S6', 'U7'])
>>> trial.play("B4")
>>> trial.moment, trial.seat, trial.legal()
((22, 1), 1, ['G2', 'G4', 'G5', 'K9', 'S8'])
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from claimlog.analysis.decisions import sound_part
from claimlog.solve.value import UnanswerableError
from claimlog.state import State

if TYPE_CHECKING:
    from collections.abc import Iterable

    from claimlog.analysis.course import Place
    from claimlog.evaluation import Analysis
    from claimlog.game import Game, Seat
    from claimlog.solve.search import Search

__all__ = ["Trial", "lines_of"]


class Trial:
    """A game played on differently from a moment of a trick, with `cards` so far.

    Raises UnanswerableError if the moment is not in Phase 2, if not all hands are known, and with
    three players; ValueError for a card that may not be played, and a record that is not legal.
    """

    def __init__(self, game: Game, trick: int, played: int, cards: Iterable[str] = ()) -> None:
        if game.seats == 3:
            raise UnanswerableError("seats")
        self._state = State.from_game(game, trick, played)
        if self._state.phase != 2:
            raise UnanswerableError("phase-1")
        if any(None in hand or "_" in hand for hand in self._hands()):
            raise UnanswerableError("unknown")
        self.start: Place = (trick, played)
        self.cards: list[str] = []
        for card in cards:
            self.play(card)

    def _hands(self) -> list[list[str]]:
        return [self._state.hand(seat) for seat in range(1, self._state.seats + 1)]

    @property
    def seat(self) -> Seat | None:
        """The seat that plays next; None at the end."""
        turn = self._state.to_act
        return turn.seat if turn.kind == "play" else None

    def legal(self) -> list[str]:
        """The cards that may be played, ascending, each name once."""
        return list(dict.fromkeys(self._state.choices())) if self.seat is not None else []

    @property
    def moment(self) -> Place:
        """The trick, and the number of its plays on the table."""
        trick, played = self.start
        for _ in self.cards:
            full = played == self._state.seats
            trick, played = (trick + 1, 1) if full else (trick, played + 1)
        return trick, played

    def play(self, card: str) -> None:
        """Play a card.  Raises ValueError if it may not be played."""
        self._state.play(card)
        self.cards.append(card)

    def take_back(self) -> None:
        """Take the last card back, if there is one."""
        if self.cards:
            self._state.undo()
            self.cards.pop()

    def game(self) -> Game:
        """The game up to here, followed by one way to its end, which shows what is held.

        Loot counts for what is best for the side that chooses.
        """
        state = self._state.copy()
        while not state.over:
            choices = state.choices()
            state.apply(_loot(state, choices) if state.to_act.kind == "loot" else choices[0])
        return state.game()

    def report(self, total: int, search: Search | None = None) -> dict[str, Any]:
        """The value of the position and of each card that may be played, and a line of best play.

        `total` is the most positions to search.  In the form of an analysis report.
        """
        values = self._state.values(total, search)
        values.allowance = total
        value = values.value()
        cards = {}
        if self.seat is not None:
            cards = {
                name: after.report()
                for group in values.groups()
                for after in [values.after(group[0], value)]
                for name in group
            }
        return {
            "value": value.report(),
            "cards": [{"card": card} | cards[card] for card in self.legal()],
            "best": [card for _, card in values.best()] if self.seat is not None else [],
        }


def _loot(state: State, choices: list[str]) -> str:
    """The faction that is best for loot to count for."""
    worth = {}
    for choice in choices:
        after = state.copy()
        after.apply(choice)
        worth[choice] = after.value().at_least
    best = max if state.values().wants(state.to_act.seat or 1) else min
    return best(choices, key=worth.__getitem__)


def lines_of(game: Game, analysis: Analysis) -> list[dict[str, list[str]]]:
    """The continuations with best play after each card of each decision; with two players.

    Of an invalid game only the part before its first error counts, as in the analysis.  A line ends
    early if the effort runs out.
    """
    if analysis.from_trick is None or not analysis.decisions:
        return []
    plays = [
        (trick.number, play.seat, play.card)
        for trick in game.tricks[analysis.from_trick - 1 :]
        for play in trick.plays
    ]
    values = State.from_game(sound_part(game), analysis.from_trick).values()
    continuations = []
    for decision in analysis.decisions:
        lines = {}
        for card, _ in decision.cards:
            values.rewind()
            for trick, seat, played in plays:
                if (trick, seat) == (decision.trick, decision.seat):
                    break
                values.play(played or "")
            values.play(card)
            lines[card] = [one for _, one in values.best()]
        continuations.append(lines)
    return continuations
