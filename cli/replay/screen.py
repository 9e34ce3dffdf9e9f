"""Stepping through games on a terminal.  The pages are those of `page`; this turns them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, ClassVar, Final

from rich.text import Text
from textual.app import App
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

from claimlog.replay.position import SPECTATOR, Course
from claimlog.words.telling import HIDDEN

from ..files import read_errors, why
from .page import Line, Pages, cells, clip, length, pad, table

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual import events
    from textual.app import ComposeResult
    from textual.timer import Timer

    from claimlog.replay.game import Replay
    from claimlog.words import Words

    from .shelf import Shelf

STYLES: Final = {
    "b": "bold",
    "head": "bold underline",
    "dim": "dim",
    "win": "bold green",
    "error": "bold red",
    "warn": "bold yellow",
    "note": "italic",
    "f0": "green",
    "f1": "cyan",
    "f2": "magenta",
    "f3": "yellow",
    "f4": "red",
    "f5": "bright_blue",
    "f6": "bold",
}
"""What the styles look like: of the terminal's own sixteen colours."""

PACES: Final = (0.1, 0.2, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0)
"""Seconds for a play, from fast to slow."""

MORE: Final = "▼"
"""Stands where the page goes on below the screen."""


def styled(lines: list[Line]) -> Text:
    """Lines for the terminal."""
    text = Text(no_wrap=True, end="")
    for i, line in enumerate(lines):
        if i:
            text.append("\n")
        for part, style in line:
            text.append(part, STYLES.get(style))
    return text


class Help(ModalScreen[None]):
    """The keys and the marks; any key closes it."""

    DEFAULT_CSS = """
    Help { align: center middle; background: ansi_default; }
    Help Static { width: auto; max-width: 100%; height: auto; max-height: 100%; }
    """

    def __init__(self, words: Words) -> None:
        super().__init__()
        self.told = words

    def compose(self) -> ComposeResult:
        """Lay the help out."""
        yield Static(styled(self._lines()), markup=False)

    def _lines(self) -> list[Line]:
        told = self.told
        keys = (
            ("← →", "help.play"),
            ("↑ ↓", "help.trick"),
            ("Home End", "help.ends"),
            ("g", "help.go"),
            ("n p", "help.game"),
            ("G", "help.go-game"),
            (told("key.space"), "help.auto"),
            ("+ -", "help.speed"),
            ("v", "help.view"),
            (told("key.page"), "help.scroll"),
            ("?", "help.help"),
            ("q Esc", "help.quit"),
        )
        marks = (
            ("+", "help.mark-won"),
            ("! ? !! ?? !? ?!", "help.mark-annotation"),
            ("^", "help.mark-irregular"),
            (HIDDEN, "help.mark-unknown"),
        )
        wide = max(cells(key) for key, _ in (*keys, *marks))
        lines: list[Line] = [[(told("help-title"), "head")]]
        for rows, title in ((keys, ""), (marks, "help.marks")):
            if title:
                lines += [[], [(told(title), "head")]]
            texts: list[list[Line]] = [[[(key, "b")], [(told(text), "")]] for key, text in rows]
            lines += table(texts, [wide, max(length(row[1]) for row in texts)])
        return [*lines, [], [(told("help.close"), "dim")]]

    def on_key(self, event: events.Key) -> None:
        """Close."""
        event.stop()
        self.dismiss()

    def on_click(self) -> None:
        """Close."""
        self.dismiss()


class Stepper(App[None]):
    """Shows one position after another.

    `trick` 0 is the page about the game, the one behind the last trick its result; `played`
    is the number of plays that lie on the table.
    """

    TITLE = "claimlog replay"
    ENABLE_COMMAND_PALETTE = False
    ALLOW_SELECT = False
    CSS = """
    Screen { background: ansi_default; color: ansi_default; overflow: hidden; }
    #top { dock: top; height: auto; }
    #bar { dock: bottom; height: 1; text-style: reverse; }
    #body { height: 1fr; scrollbar-size-vertical: 0; }
    #page { width: 100%; height: auto; }
    """

    def __init__(
        self, shelf: Shelf, number: int, view: int | None, words: Words, pace: float | None = None
    ) -> None:
        if not os.environ.get("NO_COLOR"):
            os.environ.pop("NO_COLOR", None)
        super().__init__(ansi_color=True)
        self.theme = "ansi-dark"
        self.shelf = shelf
        self.told = words
        self.view = view
        self.number = number
        self.trick = 0
        self.played = 0
        self.pace = pace or 1.0
        self.asked = ""
        self.typed = ""
        self.message = ""
        self.failed = False
        self.timer: Timer | None = None
        self.autoplay = pace is not None
        game = shelf.game(number)
        assert game is not None
        self._take(game)

    def _take(self, game: Replay) -> None:
        view = self.view
        if view is not None and view >= game.seats:
            view = SPECTATOR
        self.course = Course(game, view)
        self.pages = Pages(self.course, self.told)

    def compose(self) -> ComposeResult:
        """The two lines above, the page, the line below."""
        yield Static(id="top", markup=False)
        yield VerticalScroll(Static(id="page", markup=False), id="body", can_focus=False)
        yield Static(id="bar", markup=False)

    def on_mount(self) -> None:
        """Show the first page."""
        self._show()
        if self.autoplay:
            self._start()

    def on_resize(self) -> None:
        """Lay the page out again."""
        self.call_after_refresh(self._show)

    def action_help_quit(self) -> None:
        """Ctrl+C ends at once, as anywhere else."""
        self.exit()

    # Showing -----------------------------------------------------------------------------

    def _show(self) -> None:
        """Show where we are."""
        width, height = self.size
        if not width:
            return
        told, pages = self.told, self.pages
        total = self.shelf.total
        key = "game" if total is None else "game-of"
        game = told(key, number=self.number, total=total)
        body: list[Line]
        if 1 <= self.trick <= self.course.last:
            position = self.course.at(self.trick, self.played)
            top = pages.top(position, game, width)
            body = pages.screen(position, width, height - len(top) - 1)
        else:
            top = pages.top(None, game, width, start=not self.trick)
            body = self._first_page(width) if not self.trick else self._last_page(width)
        self.query_one("#top", Static).update(styled(top))
        self.query_one("#page", Static).update(styled(body))
        self.query_one("#body").scroll_home(animate=False)
        self.more = len(body) > height - len(top) - 1
        self._bar()

    def _first_page(self, width: int) -> list[Line]:
        game, pages = self.course.game, self.pages
        return [
            *pages.tags(width),
            *pages.comments(game.comments, width),
            *pages.problems([p for p in game.problems if p.trick is None], width),
        ]

    def _last_page(self, width: int) -> list[Line]:
        game, pages = self.course.game, self.pages
        ending = self.course.ending()
        if ending is not None:
            return [*pages.ending(ending, width), *pages.problems(game.problems, width)]
        return [
            *pages.sentences([pages.stopped()], width, "b"),
            *pages.problems(game.problems, width),
        ]

    def _bar(self) -> None:
        """The bottom line: what is asked, what there is to say, or the keys."""
        width = self.size.width
        told = self.told
        right = []
        if self.timer is not None:
            right.append(told("auto", seconds=f"{self.pace:g}"))
        if self.more:
            right.append(MORE)
        end = f" {'  '.join(right)} " if right else " "
        room = width - 1 - cells(end)
        if self.asked:
            text = told(self.asked, typed=self.typed + "_")
        elif self.message:
            text = self.message
        else:
            keys = told("keys").split("  ")
            while len(keys) > 2 and cells("  ".join(keys)) > room:
                keys.pop(-3)
            text = "  ".join(keys)
        line = pad([(f" {clip(text, room)}", "")], width - cells(end))
        self.query_one("#bar", Static).update(styled([[*line, (end, "")]]))

    # Going -------------------------------------------------------------------------------

    def _go(self, trick: int, played: int | None = None) -> bool:
        """Go to a trick, after all its plays if not told otherwise; return whether we moved."""
        last = self.course.last
        trick = max(0, min(trick, last + 1))
        full = self.course.plays(trick) if 1 <= trick <= last else 0
        played = full if played is None else max(0, min(played, full))
        moved = (trick, played) != (self.trick, self.played)
        self.trick, self.played = trick, played
        return moved

    def _plays(self) -> int:
        """The plays of the trick shown."""
        return self.course.plays(self.trick) if 1 <= self.trick <= self.course.last else 0

    def next_play(self) -> bool:
        """One play on; return whether there was one."""
        if self.played < self._plays():
            return self._go(self.trick, self.played + 1)
        return self._go(self.trick + 1, 0)

    def previous_play(self) -> None:
        """One play back."""
        if self.played:
            self._go(self.trick, self.played - 1)
        else:
            self._go(self.trick - 1)

    def next_trick(self) -> None:
        """To the end of this trick, or of the next one."""
        self._go(self.trick if self.played < self._plays() else self.trick + 1)

    def previous_trick(self) -> None:
        """To the end of the trick before."""
        self._go(self.trick - 1)

    def first(self) -> None:
        """To the page about the game."""
        self._go(0)

    def last(self) -> None:
        """To the result."""
        self._go(self.course.last + 1)

    def next_game(self) -> None:
        """To the next game of the file."""
        self._open(self.number + 1)

    def previous_game(self) -> None:
        """To the game before."""
        self._open(self.number - 1)

    def _open(self, number: int) -> None:
        """Open another game; the file is read as far as it takes."""
        if number < 1:
            self.message = self.told("first-game")
            return
        try:
            game = self.shelf.game(number)
            if game is None and self.shelf.total:
                if self.number == self.shelf.total:
                    self.message = self.told("last-game")
                    return
                number = self.shelf.total
                game = self.shelf.game(number)
        except read_errors() as error:
            self.failed = True
            self.message = self.told("unreadable", file=self.shelf.name, why=why(error))
            return
        if game is not None:
            self.number = number
            self.trick = self.played = 0
            self._take(game)

    def next_view(self) -> None:
        """All cards open, then seat by seat, then as a spectator."""
        seats = self.course.seats
        order = [None, *range(seats), SPECTATOR]
        self.view = order[(order.index(self.course.view) + 1) % len(order)]
        self._take(self.course.game)
        if self.view is None:
            self.message = self.told("view-open")

    # Playing by itself -------------------------------------------------------------------

    def toggle_auto(self) -> None:
        """Start or stop playing by itself."""
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
            self.message = self.told("auto", seconds=f"{pace:g}")

    # Keys --------------------------------------------------------------------------------

    def page_down(self) -> None:
        """Scroll down."""
        self.query_one("#body").scroll_page_down(animate=False)

    def page_up(self) -> None:
        """Scroll up."""
        self.query_one("#body").scroll_page_up(animate=False)

    def help(self) -> None:
        """Show the keys."""
        self._stop()
        self.push_screen(Help(self.told))

    def ask_trick(self) -> None:
        """Ask for a trick to go to."""
        self._ask("go-trick")

    def ask_game(self) -> None:
        """Ask for a game to go to."""
        self._ask("go-game")

    def _ask(self, key: str) -> None:
        self._stop()
        self.asked, self.typed = key, ""

    KEYS: ClassVar[dict[str, Callable[[Stepper], object]]] = {
        "right": next_play,
        "l": next_play,
        "enter": next_play,
        "ctrl+j": next_play,
        "left": previous_play,
        "h": previous_play,
        "backspace": previous_play,
        "down": next_trick,
        "j": next_trick,
        "up": previous_trick,
        "k": previous_trick,
        "home": first,
        "end": last,
        "g": ask_trick,
        "G": ask_game,
        "n": next_game,
        "p": previous_game,
        "space": toggle_auto,
        "plus": faster,
        "minus": slower,
        "v": next_view,
        "question_mark": help,
        "q": App.exit,
        "escape": App.exit,
    }
    SCROLLING: ClassVar[dict[str, Callable[[Stepper], object]]] = {
        "pagedown": page_down,
        "pageup": page_up,
    }

    def on_key(self, event: events.Key) -> None:
        """Do what a key stands for."""
        if event.key in self.SCROLLING:
            self.SCROLLING[event.key](self)
            return
        self.message = ""
        if self.asked:
            self._typing(event)
            return
        action = self.KEYS.get(event.key)
        if action is not None:
            event.stop()
            action(self)
            self._show()

    def _typing(self, event: events.Key) -> None:
        """A key while a number is asked for."""
        event.stop()
        if event.character and event.character in "0123456789" and len(self.typed) < 9:
            self.typed += event.character
        elif event.key == "backspace":
            self.typed = self.typed[:-1]
        elif event.key in ("enter", "ctrl+j"):
            asked, self.asked = self.asked, ""
            if self.typed and asked == "go-trick":
                self._go(int(self.typed))
            elif self.typed:
                self._open(int(self.typed))
            self._show()
            return
        elif event.key in ("escape", "q"):
            self.asked = ""
        self._bar()
