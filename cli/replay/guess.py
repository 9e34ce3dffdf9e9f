"""Guessing: each card is asked for before it is shown, and the score is kept."""

from __future__ import annotations

from contextlib import ExitStack
from threading import Lock
from typing import TYPE_CHECKING, Final, NamedTuple

from claimlog.replay.course import legal, to_act

if TYPE_CHECKING:
    from pathlib import Path

    from claimlog.language import Words
    from claimlog.replay.viewpoint import Position, Viewpoint
    from claimlog.store import Archive
    from claimlog.store.questions.explorer import Explorer

MOST: Final = 5
"""The most cards for which the frequency of plays by others is shown."""


class Answer(NamedTuple):
    """A guess, the card that was played, and all cards that could have been."""

    guessed: str
    played: str
    choices: list[str]


class Guesses:
    """The questions and answers; if `seat` is given, only its plays are asked for."""

    def __init__(self, seat: int | None = None) -> None:
        self.seat = seat
        self.answers: dict[tuple[int, int, int], Answer] = {}
        """By game, trick and number of the play."""
        self.last: Answer | None = None
        self.choice = 0
        self.typed = ""

    def due(self, viewpoint: Viewpoint, position: Position, game: int) -> list[str]:
        """The cards to choose from; empty if there is no question.

        There is none if only one card may be played, if the viewer does not know the hand, or if an
        answer was given before.
        """
        seat = to_act(viewpoint, position)
        if (
            seat is None
            or self.seat not in (None, seat)
            or self._place(position, game) in self.answers
        ):
            return []
        cards = legal(viewpoint, position) or []
        return cards if len(cards) > 1 and self._next(viewpoint, position) is not None else []

    def _place(self, position: Position, game: int) -> tuple[int, int, int]:
        return game, position.trick, position.played

    def _next(self, viewpoint: Viewpoint, position: Position) -> str | None:
        return viewpoint.tricks[position.trick - 1].plays[position.played].card

    def move(self, step: int, choices: list[str]) -> None:
        """Select another card."""
        self.choice = (self.choice + step) % len(choices)
        self.typed = ""

    def type(self, key: str, choices: list[str]) -> str | None:
        """Handle a key of a card's name; return the card once it is unique, else None.

        >>> guesses = Guesses()
        >>> guesses.type("k", ["K3", "K9"]), guesses.type("9", ["K3", "K9"])
        (None, 'K9')
        """
        for typed in (self.typed + key.upper(), key.upper()):
            matching = [card for card in choices if card.startswith(typed)]
            if matching:
                self.typed = typed
                self.choice = choices.index(matching[0])
                return matching[0] if matching == [typed] else None
        self.typed = ""
        return None

    def answer(self, card: str, viewpoint: Viewpoint, position: Position, game: int) -> None:
        """Record a guess."""
        choices = self.due(viewpoint, position, game)
        played = self._next(viewpoint, position)
        assert played is not None
        self.last = self.answers[self._place(position, game)] = Answer(card, played, choices)
        self.choice, self.typed = 0, ""

    @property
    def score(self) -> tuple[int, int]:
        """The numbers of right guesses and of all guesses."""
        right = sum(one.guessed == one.played for one in self.answers.values())
        return right, len(self.answers)

    def verdict(self, words: Words) -> str:
        """The verdict on the last answer; "" if there is none."""
        if self.last is None:
            return ""
        right, number = self.score
        same = self.last.guessed == self.last.played
        key = "guess.right" if same else "guess.wrong"
        verdict = words(key, guessed=self.last.guessed, played=self.last.played)
        return f"{verdict} {words('guess.score', right=right, number=number)}"


class Others:
    """What others played in a situation, from an archive if one is available."""

    def __init__(self, db: Path | None) -> None:
        self.db = db
        self._stack = ExitStack()
        self._archive: Archive | None = None
        self._turn = Lock()
        """Two quick guesses query one after the other: the archive is opened only once."""

    def close(self) -> None:
        """Close the archive."""
        self._stack.close()

    def played(self, position: Position, seats: int) -> Explorer | None:
        """The plays at this moment in all games; None if unknown.

        They are unknown in tricks that an Automaton has won: discards are face down.
        """
        with self._turn:
            return self._played(position, seats)

    def _played(self, position: Position, seats: int) -> Explorer | None:
        from claimlog.store import ArchiveError, Context
        from claimlog.store.archive import default_path

        from ..archive.opening import chosen, connect

        if position.auto:
            return None
        if self._archive is None:
            if self.db is None and not chosen.url and not default_path().exists():
                return None
            try:
                self._archive = self._stack.enter_context(connect(self.db))
            except ArchiveError:
                return None
        cards = [play.card for play in position.plays if play.card is not None]
        context = Context(
            phase=position.phase,
            seats=seats,
            upcard=position.upcards[0] if position.upcards and not cards else None,
            played=cards,
        )
        try:
            return self._archive.explore(context, examples=0)
        except ArchiveError:
            return None


def others_said(answer: Answer, explorer: Explorer, words: Words) -> str:
    """How often others played the possible cards, as a share of all plays; "" if nobody did.

    The most frequent come first.
    """
    moves = [
        f"{move.card} {100 * move.share.rate:.0f} %"
        for move in explorer.moves
        if move.card in answer.choices and move.share.rate
    ]
    if not moves:
        return ""
    return words.count("guess.others", explorer.count, moves=", ".join(moves[:MOST]))
