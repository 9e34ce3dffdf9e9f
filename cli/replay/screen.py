"""Stepping through games on a terminal.  The pages are those of `page`; this shows them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from textual import events
from textual.binding import Binding
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import Input, Static

from claimlog.replay.narration import HIDDEN
from claimlog.replay.viewpoint import SPECTATOR, SPOILING, Viewpoint

from ..files import read_errors
from ..foot import Keys
from ..language import said
from ..palette import styled
from .analysing import Analysing
from .board import Board
from .guess import Guesses, others_said
from .help import Help
from .notes import Notes
from .page import Pages
from .shelf import ChangedError

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.app import ComposeResult
    from textual.timer import Timer

    from claimlog.game import Game
    from claimlog.language import Words
    from claimlog.replay.viewpoint import Position
    from claimlog.store.questions.explorer import Explorer

    from ..layout import Line
    from .cardtable import Spot
    from .guess import Answer, Others
    from .shelf import Shelf

KEYS: Final = (
    ("right,l,enter,ctrl+j,space", "do('next_play')", "←→", "foot.play"),
    ("left,h,backspace", "do('previous_play')", "", ""),
    ("down,j", "do('next_trick')", "↑↓", "foot.trick"),
    ("up,k", "do('previous_trick')", "", ""),
    ("home", "do('first')", "", ""),
    ("end", "do('last')", "", ""),
    ("g", "do('ask_trick')", "g", "foot.go"),
    ("x", "do('toggle_guess')", "x", "foot.guess"),
    ("question_mark", "do('help')", "?", "foot.help"),
    ("q,escape", "leave", "q", "foot.quit"),
    ("n", "do('next_game')", "n p", "foot.game"),
    ("p", "do('previous_game')", "", ""),
    ("G", "do('ask_game')", "", ""),
    ("v", "do('next_view')", "v", "foot.view"),
    ("c", "do('ask_comment')", "c", "foot.comment"),
    ("w", "do('toggle_worth')", "w", "foot.worth"),
    ("m", "do('next_mistake')", "", ""),
    ("t", "do('try_out')", "", ""),
    ("exclamation_mark", "do('mark')", "", ""),
    ("s", "do('save')", "", ""),
    ("a", "do('toggle_auto')", "", ""),
    ("plus", "do('faster')", "", ""),
    ("minus", "do('slower')", "", ""),
    ("pagedown", "page_down", "", ""),
    ("pageup", "page_up", "", ""),
)
"""Keys, their actions, and their labels in the footer, if any."""

PACES: Final = (0.1, 0.2, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0)
"""Seconds per play, from fast to slow."""

MORE: Final = "▼"
"""Shown where the page continues below the screen."""

LEFT_TO_ALL: Final = ("q", "question_mark", "ctrl+c", "pagedown", "pageup")
"""The keys that keep their actions while a position is being tried."""

ANSWERS: Final = {"escape": "stay", "s": "save"}
"""The answers to the question whether to leave without saving; a second q leaves."""

LONGEST: Final = 1000
"""The most characters of a comment."""


class Body(VerticalScroll):
    """The page; the mouse wheel moves play by play instead of scrolling it."""

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Leave the wheel to the stepper."""
        event.prevent_default()

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Leave the wheel to the stepper."""
        event.prevent_default()


def stepper(words: Words) -> type[Stepper]:
    """The stepper with the labels of its keys in one language."""
    bindings = [
        Binding(
            keys,
            action,
            words(text) if text else "",
            show=bool(text),
            key_display=display or None,
        )
        for keys, action, display, text in KEYS
    ]
    # Before the binding of a screen or a field, which copies a selection.
    bindings.append(Binding("ctrl+c", "help_quit", show=False, priority=True))
    return type("Stepper", (Stepper,), {"BINDINGS": bindings})


class Stepper(Analysing):
    """Shows one position after another.

    `trick` 0 is the page about the game, the one after the last trick is its result; `played` is
    the number of plays on the table.
    """

    TITLE = "claimlog replay"
    ENABLE_COMMAND_PALETTE = False
    ALLOW_SELECT = False
    AUTO_FOCUS = None
    CSS = """
    Screen { background: ansi_default; color: ansi_default; overflow: hidden; }
    #top { dock: top; height: auto; }
    #bar { dock: bottom; height: 1; text-style: reverse; padding: 0 1; }
    #asked, #said { width: auto; height: 1; text-style: reverse; }
    #typed { width: 1fr; text-style: reverse; background: ansi_default; }
    Keys { dock: none; width: 1fr; background: ansi_default; text-style: reverse; }
    FooterKey, FooterKey .footer-key--key, FooterKey .footer-key--description {
        background: ansi_default; color: ansi_default; text-style: reverse;
    }
    #body { height: 1fr; scrollbar-size-vertical: 0; }
    #page { width: 100%; height: auto; }
    """

    def __init__(
        self,
        shelf: Shelf,
        number: int,
        view: int | None,
        words: Words,
        pace: float | None = None,
        guesses: Guesses | None = None,
        others: Others | None = None,
    ) -> None:
        """`guesses` starts in guessing mode, `others` tells what else was played."""
        if not os.environ.get("NO_COLOR"):
            os.environ.pop("NO_COLOR", None)
        super().__init__(ansi_color=True)
        self.theme = "ansi-dark"
        self.shelf = shelf
        self.words = words
        self.view = view
        self.number = number
        self.trick = 0
        self.played = 0
        self.pace = pace or 1.0
        self.asked = ""
        self.more = False
        self.message = ""
        self.failed = False
        self.timer: Timer | None = None
        self.autoplay = pace is not None
        self.guessing = guesses is not None
        self.guesses = guesses or Guesses()
        self.others = others
        self.elsewhere = ""
        self.notes = Notes()
        self.left = False
        self.spots: list[Spot] = []
        game = shelf.game(number)
        assert game is not None
        self._take(game)

    def _take(self, game: Game) -> None:
        view = self.view
        if view is not None and view > game.seats:
            view = SPECTATOR
        self.viewpoint = Viewpoint(game, view, self.words)
        self.pages = Pages(self.viewpoint, self.words)

    def compose(self) -> ComposeResult:
        """Compose the two lines at the top, the page, and the line at the bottom."""
        yield Static(id="top", markup=False)
        yield Body(Static(id="page", markup=False), id="body", can_focus=False)
        with Horizontal(id="bar"):
            yield Keys()
            yield Static(id="asked", markup=False)
            yield Input(
                id="typed", type="integer", max_length=9, compact=True, select_on_focus=False
            )
            yield Static(id="said", markup=False)

    def on_mount(self) -> None:
        """Show the first page."""
        self._show()
        if self.autoplay:
            self._start()

    def on_resize(self) -> None:
        """Lay the page out again."""
        self.call_after_refresh(self._show)

    def action_help_quit(self) -> None:
        """Quit with Ctrl+C at once, as anywhere else, unless there are unsaved changes."""
        self._leave()

    # Showing -----------------------------------------------------------------------------

    def _show(self) -> None:
        """Show the current position."""
        width, height = self.size
        if not width:
            return
        words, pages = self.words, self.pages
        total = self.shelf.total
        key = "game" if total is None else "game-of"
        game = words(key, number=self.number, total=total)
        body: list[Line]
        if 1 <= self.trick <= self.viewpoint.last:
            position = self.viewpoint.at(self.trick, self.played)
            top = pages.top(position, game, width)
            board = Board(pages, width, height - len(top) - 1)
            choices = self.choices()
            chosen = choices[self.guesses.choice % len(choices)] if choices else None
            said = [*self._guessed(board.left, chosen), *self._worth_lines(board.left)]
            body, self.spots = board.draw(position, chosen, said)
        else:
            self.spots = []
            top = pages.top(None, game, width, start=not self.trick)
            body = self._first_page(width) if not self.trick else self._last_page(width)
            body = [*self._worth_lines(width), *body]
        self.query_one("#top", Static).update(styled(top))
        self.query_one("#page", Static).update(styled(body))
        self.query_one("#body").scroll_home(animate=False)
        self.more = len(body) > height - len(top) - 1
        self._tell()

    def _guessed(self, width: int, chosen: str | None) -> list[Line]:
        """The verdict on the last guess, and the current question."""
        if not self.guessing or self.trying is not None:
            return []
        pages, words = self.pages, self.words
        lines = pages.sentences(filter(None, [self.guesses.verdict(words)]), width, "b")
        lines += pages.sentences(filter(None, [self.elsewhere]), width)
        if chosen is not None:
            lines += pages.sentences([words("guess.ask", card=chosen)], width)
        return lines

    def _first_page(self, width: int) -> list[Line]:
        game, pages = self.viewpoint.game, self.pages
        problems = [
            problem
            for problem in self.viewpoint.problems
            if problem.trick is None and problem.code not in SPOILING
        ]
        return [
            *pages.tags(width, ending=False),
            *pages.comments(game.comments, width),
            *pages.problems(problems, width),
        ]

    def _last_page(self, width: int) -> list[Line]:
        problems, pages = self.viewpoint.problems, self.pages
        ending = self.viewpoint.ending()
        if ending is not None:
            return [*pages.ending(ending, width), *pages.problems(problems, width)]
        return [
            *pages.sentences([pages.narrator.stopped()], width, "b"),
            *pages.outcome(width),
            *pages.problems(problems, width),
        ]

    def _tell(self) -> None:
        """Show messages at the right of the keys, or instead of them."""
        words = self.words
        said = [self.message] if self.message else []
        if self.notes.unsaved and not self.message:
            said.append(words.count("unsaved", self.notes.unsaved))
        if self.timer is not None:
            said.append(words("auto", seconds=f"{self.pace:g}"))
        if self.more:
            said.append(MORE)
        self.query_one("#said", Static).update("  ".join(said))
        asking = bool(self.asked)
        self.query_one(Keys).display = not asking and not self.message
        for name in ("#asked", "#typed"):
            self.query_one(name).display = asking

    # Navigation --------------------------------------------------------------------------

    def _go(self, trick: int, played: int | None = None) -> bool:
        """Go to a trick, by default after all its plays; return whether the position changed."""
        last = self.viewpoint.last
        trick = max(0, min(trick, last + 1))
        full = self.viewpoint.plays(trick) if 1 <= trick <= last else 0
        played = full if played is None else max(0, min(played, full))
        moved = (trick, played) != (self.trick, self.played)
        self.guesses.last, self.elsewhere = None, ""
        self.guesses.choice, self.guesses.typed = 0, ""
        self.trick, self.played = trick, played
        return moved

    def _plays(self) -> int:
        """The number of plays of the trick shown."""
        return self.viewpoint.plays(self.trick) if 1 <= self.trick <= self.viewpoint.last else 0

    def next_play(self) -> bool:
        """Go one play on, when guessing up to the next question; return whether there was one."""
        moved = self._step()
        while self.guessing and self.played < self._plays() and not self.choices():
            self._step()
        return moved

    def _step(self) -> bool:
        if self.played < self._plays():
            return self._go(self.trick, self.played + 1)
        return self._go(self.trick + 1, 0)

    def previous_play(self) -> None:
        """Go one play back."""
        if self.played:
            self._go(self.trick, self.played - 1)
        else:
            self._go(self.trick - 1)

    def next_trick(self) -> None:
        """Go to the end of this trick, or of the next one."""
        self._go(self.trick if self.played < self._plays() else self.trick + 1)

    def previous_trick(self) -> None:
        """Go to the end of the trick before."""
        self._go(self.trick - 1)

    def first(self) -> None:
        """Go to the page about the game."""
        self._go(0)

    def last(self) -> None:
        """Go to the result."""
        self._go(self.viewpoint.last + 1)

    def next_game(self) -> None:
        """Go to the next game of the file."""
        self._open(self.number + 1)

    def previous_game(self) -> None:
        """Go to the game before."""
        self._open(self.number - 1)

    def _open(self, number: int) -> None:
        """Open another game; the file is read only as far as needed."""
        if number < 1:
            self.message = self.words("first-game")
            return
        try:
            game = self._game(number)
            if game is None and self.shelf.total:
                if self.number == self.shelf.total:
                    self.message = self.words("last-game")
                    return
                number = self.shelf.total
                game = self._game(number)
        except read_errors() as error:
            self.failed = True
            self.message = self.words("unreadable", file=self.shelf.name, why=said(error))
            return
        if game is not None:
            self.number = number
            self.trick = self.played = 0
            self._take(game)
            if self.worth_shown:
                self._analyse()

    def _game(self, number: int) -> Game | None:
        """A game of the file, including additions."""
        return self.notes.games.get(number) or self.shelf.game(number)

    def next_view(self) -> None:
        """Switch the view: all cards open, then seat by seat, then as a spectator."""
        seats = self.viewpoint.seats
        order = [None, *range(1, seats + 1), SPECTATOR]
        self.view = order[(order.index(self.viewpoint.view) + 1) % len(order)]
        self._take(self.viewpoint.game)
        if self.view is None:
            self.message = self.words("view-open")

    # Guessing ------------------------------------------------------------------------------

    def choices(self) -> list[str]:
        """The cards to choose from if the next one is to be guessed or tried, else empty."""
        if self.trying is not None:
            return [] if self.trying.answers else self.trying.trial.legal()
        if not (self.guessing and 1 <= self.trick <= self.viewpoint.last):
            return []
        return self.guesses.due(self.viewpoint, self._position(), self.number)

    def _position(self) -> Position:
        return self.viewpoint.at(self.trick, self.played)

    def toggle_guess(self) -> None:
        """Turn guessing on or off."""
        self._stop()
        self.guessing = not self.guessing
        self.guesses.last, self.elsewhere = None, ""
        if not self.guessing:
            self.message = self.words("guess.off")
        elif not self.choices():
            self.message = self.words("guess.on")

    def guess(self, card: str) -> None:
        """Record a guess, and go on to the card that was played."""
        position, guesses = self._position(), self.guesses
        guesses.answer(card, self.viewpoint, position, self.number)
        answer = guesses.last
        self.next_play()
        guesses.last = answer
        if self.others is not None and answer is not None:
            self.run_worker(lambda: self._ask_others(position, answer), thread=True, group="others")

    def _ask_others(self, position: Position, answer: Answer) -> None:
        """Ask what others played, in a separate thread."""
        assert self.others is not None
        explorer = self.others.played(position, self.viewpoint.seats)
        if explorer is not None:
            self.call_from_thread(self._tell_others, answer, explorer)

    def _tell_others(self, answer: Answer, explorer: Explorer) -> None:
        if self.guesses.last is answer:
            self.elsewhere = others_said(answer, explorer, self.words)
            self._show()

    def _guessed_by(self, key: str, character: str) -> bool:
        """Handle a key for a guess, clearing the message; return whether it was one."""
        said, self.message = self.message, ""
        if self._guess_key(key, character, self.choices()):
            return True
        self.message = said
        return False

    def _guess_key(self, key: str, character: str, choices: list[str]) -> bool:
        """Handle a key for a guess; return whether it was one."""
        guesses = self.guesses
        if key == "escape":
            self.toggle_guess()
        elif not choices:
            return False
        elif key in ("right", "l", "left", "h"):
            guesses.move(1 if key in ("right", "l") else -1, choices)
        elif key in ("enter", "ctrl+j", "space"):
            self.guess(choices[guesses.choice % len(choices)])
        elif character.isalnum() and (
            guesses.typed or any(card[0] == character.upper() for card in choices)
        ):
            if card := guesses.type(character, choices):
                self.guess(card)
        else:
            return False
        return True

    # Comments ------------------------------------------------------------------------------

    def _place(self) -> tuple[int, int]:
        """The trick and play for a comment: the one shown, or the last one."""
        last = self.viewpoint.last
        return (self.trick, self.played) if self.trick <= last else (last, 0)

    def _may_note(self) -> bool:
        """Whether the game can be rewritten; otherwise show the reason."""
        if self.viewpoint.game.legal:
            return True
        self.message = self.words("note-legal")
        return False

    def ask_comment(self) -> None:
        """Ask for a comment on what is shown."""
        if not self._may_note():
            return
        trick, played = self._place()
        about = self.words("note-game")
        if trick:
            about = self.words("note-trick", number=trick)
            if 0 < played < self.viewpoint.plays(trick):
                play = self._position().plays[played - 1]
                about = self.words("note-play", card=play.card or HIDDEN)
        self._ask("note", about, LONGEST)

    def mark(self) -> None:
        """Give the last play shown the next annotation."""
        if not (1 <= self.trick <= self.viewpoint.last and self.played):
            self.message = self.words("mark-none")
        elif self._may_note():
            game = self.viewpoint.game
            play = game.tricks[self.trick - 1].plays[self.played - 1]
            self.notes.mark(self.number, game, play)
            key, card = "mark-set" if play.annotation else "mark-off", play.card or HIDDEN
            self.message = self.words(key, card=card, mark=play.annotation)

    def save(self) -> None:
        """Save the additions: to the file the games came from, or ask for another one."""
        if not self.notes.unsaved:
            self.message = self.words("saved-nothing")
        elif self.shelf.kept:
            self._save(None)
        else:
            self._ask("save-as", self.words("save-as"), LONGEST)

    def _save(self, path: str | None) -> None:
        name = path or self.shelf.name
        try:
            self.shelf.save(self.notes.texts(), path)
        except ChangedError:
            self.message = self.words("saved-changed", file=name)
        except FileExistsError:
            self.message = self.words("saved-there", file=name)
        except read_errors() as error:
            self.message = self.words("saved-not", file=name, why=said(error))
        else:
            self.notes.saved()
            self.message = self.words("saved", file=name)

    # The mouse -----------------------------------------------------------------------------

    def on_mouse_scroll_down(self) -> None:
        """Wheel: go one play on, without guessing."""
        self._wheel(self._step)

    def on_mouse_scroll_up(self) -> None:
        """Wheel: go one play back."""
        self._wheel(self.previous_play)

    def _wheel(self, step: Callable[[], object]) -> None:
        if not self.asked and len(self.screen_stack) == 1 and self.trying is None:
            step()
            self.message, self.left = "", False
            self._show()

    def on_click(self, event: events.Click) -> None:
        """Choose a card or a trick; elsewhere a click on the left goes back, on the right on."""
        body = self.query_one("#body")
        x, y = event.screen_x, event.screen_y
        if self.asked or len(self.screen_stack) > 1 or not body.region.contains(x, y):
            return
        y += int(body.scroll_y) - body.region.y
        spot = next((one for one in self.spots if one.covers(x, y)), None)
        if spot is not None and spot.what == "trick" and self.trying is None:
            self._go(int(spot.value))
        elif spot is not None and self.choices():
            (self.guess if self.trying is None else self.try_card)(spot.value)
        elif self.trying is not None:
            return
        elif x < self.size.width // 2:
            self.previous_play()
        elif not self.choices():
            self.next_play()
        self.message, self.left = "", False
        self._show()

    # Autoplay ----------------------------------------------------------------------------

    def toggle_auto(self) -> None:
        """Start or stop autoplay."""
        if self.timer is not None:
            self._stop()
        else:
            self._start()

    def _start(self) -> None:
        self.timer = self.set_interval(self.pace, self._tick)

    def _stop(self) -> None:
        if self.timer is not None:
            self.timer.stop()
            self.timer = None

    def _tick(self) -> None:
        if not self.next_play():
            self._stop()
        self.message = ""
        self._show()

    def faster(self) -> None:
        """Play faster."""
        self._set_pace(max((p for p in PACES if p < self.pace), default=PACES[0]))

    def slower(self) -> None:
        """Play slower."""
        self._set_pace(min((p for p in PACES if p > self.pace), default=PACES[-1]))

    def _set_pace(self, pace: float) -> None:
        self.pace = pace
        if self.timer is not None:
            self._stop()
            self._start()
        else:
            self.message = self.words("auto", seconds=f"{pace:g}")

    # Keys --------------------------------------------------------------------------------

    async def on_event(self, event: events.Event) -> None:
        """Handle a key once the effects of the previous one are complete.

        Textual passes keys on to the focused widget, which handles them later: if keys arrive all
        at once, some would miss a field that has just opened, or be swallowed by one that is
        closing.
        """
        if isinstance(event, events.Key):
            await self._press(event)
        else:
            await super().on_event(event)

    async def _press(self, event: events.Key) -> None:
        key, character = event.key, event.character or ""
        if len(self.screen_stack) > 1:
            self.pop_screen()
        elif self.asked and key in ("enter", "ctrl+j"):
            self._answered(self.query_one(Input).value)
        elif self.asked and event.is_printable:
            field = self.query_one(Input)
            if field.selection.is_empty:
                field.insert_text_at_cursor(character)
            else:
                field.replace(character, *field.selection)
        elif self.left and key in ANSWERS:
            self.action_do(ANSWERS[key])
        elif self.trying is not None and key not in LEFT_TO_ALL:
            self.left = False
            if self._try_key(key, character):
                self._show()
        elif self.guessing and not self.asked and self._guessed_by(key, character):
            self.left = False
            self._show()
        elif bound := self.active_bindings.get(key):
            await self.run_action(bound.binding.action, bound.node)

    def action_do(self, name: str) -> None:
        """Carry out the action of a key, and show the result."""
        self.message, self.left = "", False
        getattr(self, name)()
        self._show()

    def action_page_down(self) -> None:
        """Scroll down."""
        self.query_one("#body").scroll_page_down(animate=False)

    def action_page_up(self) -> None:
        """Scroll up."""
        self.query_one("#body").scroll_page_up(animate=False)

    def help(self) -> None:
        """Show the keys."""
        self._stop()
        self.push_screen(Help(self.words))

    def ask_trick(self) -> None:
        """Ask for a trick to go to, before its first card."""
        self._ask("go-trick", self.words("go-trick"))

    def ask_game(self) -> None:
        """Ask for a game to go to."""
        self._ask("go-game", self.words("go-game"))

    def _ask(self, key: str, label: str, longest: int = 0) -> None:
        """Ask for a number, or for a text of at most `longest` characters."""
        self._stop()
        self.asked = key
        self.query_one("#asked", Static).update(f"{label} ")
        field = self.query_one(Input)
        field.type = "text" if longest else "integer"
        field.max_length = longest or 9
        field.value = ""
        field.display = True
        self.set_focus(field)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """While text is typed, only these keys keep their actions."""
        del parameters
        return action in ("leave", "help_quit", "page_up", "page_down") if self.asked else True

    def _answered(self, typed: str) -> None:
        """Go to the number entered, or use the text."""
        asked = self.asked
        self._stop_asking()
        if typed and asked == "go-trick":
            self._go(int(typed), 0)
        elif typed and asked == "go-game":
            self._open(int(typed))
        elif typed.strip() and asked == "save-as":
            self._save(typed.strip())
        elif typed.strip():
            self.notes.comment(
                self.number, self.viewpoint.game, *self._place(), " ".join(typed.split())
            )
        self._show()

    def _stop_asking(self) -> None:
        self.asked = ""
        self.set_focus(None)
        self.refresh_bindings()

    def action_leave(self) -> None:
        """Stop asking or guessing, or quit."""
        if self.asked:
            self._stop_asking()
            self._tell()
        else:
            self._leave()

    def stay(self) -> None:
        """Take back the wish to quit."""

    def _leave(self) -> None:
        """Quit; with unsaved changes only at the second attempt."""
        if self.notes.unsaved and not self.left:
            self.left = True
            self.message = self.words.count("unsaved-leave", self.notes.unsaved)
            self._tell()
            return
        self.exit()
