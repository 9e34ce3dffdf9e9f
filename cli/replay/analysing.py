"""The stepper's analysis, and moments that are played on differently."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from claimlog.notation.writer import canonical
from claimlog.rules.setup import tricks_of
from claimlog.solve.value import UnanswerableError
from claimlog.workers import WorkerDied

from ..waking import Waking
from .page import Pages
from .trying import Trying
from .worth import Analyst, Worth, WorthPages

if TYPE_CHECKING:
    from claimlog.game import Game
    from claimlog.language import Words
    from claimlog.replay.viewpoint import Viewpoint

    from ..layout import Line
    from .guess import Guesses


class Analysing(Waking):
    """The part of the stepper that waits for separate processes; `Stepper` has the rest."""

    viewpoint: Viewpoint
    pages: Pages
    words: Words
    view: int | None
    trick: int
    played: int
    message: str
    guessing: bool
    guesses: Guesses

    def __init__(self, *, ansi_color: bool) -> None:
        super().__init__(ansi_color=ansi_color)
        self.analyst = Analyst()
        self.worth: Worth | None = None
        self.worth_shown = False
        self.trying: Trying | None = None

    def on_unmount(self) -> None:
        """End the processes, so that nothing waits for an answer."""
        self.analyst.end()

    def choices(self) -> list[str]:
        """The cards to choose from."""
        raise NotImplementedError

    def _show(self) -> None:
        raise NotImplementedError

    def _take(self, game: Game) -> None:
        raise NotImplementedError

    def _go(self, trick: int, played: int | None = None) -> bool:
        raise NotImplementedError

    def _place(self) -> tuple[int, int]:
        raise NotImplementedError

    def _stop(self) -> None:
        raise NotImplementedError

    # What cards were worth ---------------------------------------------------------------

    def _worth_lines(self, width: int) -> list[Line]:
        """The position being tried, or the values of cards of Phase 2."""
        words, narrator = self.words, self.pages.narrator
        if self.trying is not None:
            return self.trying.lines(narrator, words, width, shown=self.worth_shown)
        if self.worth is None or not self.worth_shown or not self._late():
            return []
        self.pages.judged = self.worth.marks(self.view)
        place = self._place()
        if self.trick > self.viewpoint.last:
            place = (place[0], self.viewpoint.plays(place[0]))
        pages = WorthPages(self.worth, narrator, words, width)
        return pages.lines(place, asked=bool(self.choices()))

    def _late(self) -> bool:
        """Whether Phase 2 has begun."""
        return self.trick > tricks_of(self.viewpoint.seats)

    def toggle_worth(self) -> None:
        """Turn the display of the winning side and of card values in Phase 2 on or off."""
        self.worth_shown = not self.worth_shown
        self.pages.judged = {}
        if self.worth_shown and self.trying is None:
            self._analyse()
            if not self._late():
                self.message = self.words("worth-later")

    def next_mistake(self) -> None:
        """Go to the card after the next decision that gave something away."""
        self.worth_shown = True
        worth = self._analyse()
        # When guessing, the card is asked for first.
        before = int(self.guessing)
        place = worth.next_mistake((self.trick, self.played + before), self.view)
        if place is not None:
            self._go(place[0], place[1] - before)
        else:
            self.message = self.words("worth-none" if worth.done else "worth.busy")

    def _analyse(self) -> Worth:
        """The results for this game so far; the first call starts the analysis."""
        game = self.viewpoint.game
        if self.worth is None or self.worth.game is not game:
            worth = self.worth = Worth(game)
            self.run_worker(lambda: self._grade(worth), thread=True, group="worth")
        return self.worth

    def _grade(self, worth: Worth) -> None:
        """Find the values of a game's cards, in its own thread."""
        try:
            for trick in worth.tricks():
                if self.worth is not worth or worth.why:
                    return
                report = self.analyst.grade(worth.record, trick)
                self.call_from_thread(self._graded, worth, report)
        except WorkerDied:
            return
        self.call_from_thread(self._graded, worth, None)

    def _graded(self, worth: Worth, report: dict[str, Any] | None) -> None:
        if report is None:
            worth.finish()
        else:
            worth.take(report)
        if self.worth is worth and self.worth_shown:
            self._show()

    # Trying another card -----------------------------------------------------------------------

    def try_out(self) -> None:
        """Play on differently from here."""
        place = self._place()
        try:
            if self.view is not None or not 1 <= self.trick <= self.viewpoint.last:
                raise UnanswerableError("phase-1")
            self.trying = Trying(self.viewpoint.game, *place)
        except UnanswerableError as error:
            key = "try.view" if self.view is not None else f"try.{error.key}"
            self.message = self.words(key)
        except ValueError:
            self.message = self.words("note-legal")
        else:
            self._stop()
            self._tried()

    def _tried(self) -> None:
        """Show the position being tried, and ask for its value."""
        trying = self.trying
        assert trying is not None
        self.guesses.choice, self.guesses.typed = 0, ""
        self.viewpoint = trying.viewpoint(self.words)
        self.pages = Pages(self.viewpoint, self.words)
        self.trick, self.played = trying.trial.moment
        if self.played == self.viewpoint.plays(self.trick):
            # The player to move sees the hand.
            self.trick, self.played = self.trick + 1, 0
        if trying.report is None:
            cards = tuple(trying.trial.cards)
            self.run_worker(lambda: self._ask_worth(trying, cards), thread=True, group="try")

    def _ask_worth(self, trying: Trying, cards: tuple[str, ...]) -> None:
        """Ask for the value of a position, in a separate thread."""
        try:
            record = canonical(trying.game).encode()
            report = self.analyst.try_out(record, trying.trial.start, cards)
        except WorkerDied:
            return
        self.call_from_thread(self._answer_try, trying, cards, report)

    def _answer_try(self, trying: Trying, cards: tuple[str, ...], report: dict[str, Any]) -> None:
        played = trying.take(cards, report)
        if self.trying is trying:
            if played:
                self._tried()
            self._show()

    def _try_key(self, key: str, character: str) -> bool:
        """Handle a key for the position being tried; return whether it was one."""
        trying, guesses = self.trying, self.guesses
        assert trying is not None
        self.message = ""
        choices = self.choices()
        if key == "escape":
            self.stop_trying()
        elif key in ("backspace", "up"):
            trying.take_back()
            self._tried()
        elif key == "tab":
            trying.against = not trying.against
            if trying.report is not None and trying.take(tuple(trying.trial.cards), trying.report):
                self._tried()
        elif choices and key in ("right", "l", "left", "h"):
            guesses.move(1 if key in ("right", "l") else -1, choices)
        elif choices and key in ("enter", "ctrl+j", "space"):
            self.try_card(choices[guesses.choice % len(choices)])
        elif character.isalnum() and (
            guesses.typed or any(card[0] == character.upper() for card in choices)
        ):
            if card := guesses.type(character, choices):
                self.try_card(card)
        elif key == "w":
            self.worth_shown = not self.worth_shown
        else:
            return False
        return True

    def try_card(self, card: str) -> None:
        """Play a card in the position being tried."""
        assert self.trying is not None
        self.trying.trial.play(card)
        self._tried()

    def stop_trying(self) -> None:
        """Return to the game, to where it was left."""
        trying, self.trying = self.trying, None
        assert trying is not None
        self._take(trying.game)
        self._go(*trying.trial.start)
