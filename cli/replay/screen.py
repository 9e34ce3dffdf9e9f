"""Stepping through games on a terminal.  The pages are those of `page`; this turns them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from rich.text import Text
from textual.app import App
from textual.binding import Binding
from textual.containers import Horizontal, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Footer, Input, Static

from claimlog.replay.narration import HIDDEN
from claimlog.replay.viewpoint import SPECTATOR, Viewpoint

from ..files import read_errors, why
from ..layout import cells, length, table
from ..palette import rich_style
from .board import Board
from .page import Pages

if TYPE_CHECKING:
    from textual import events
    from textual.app import ComposeResult
    from textual.timer import Timer

    from claimlog.game import Game
    from claimlog.language import Words

    from ..layout import Line
    from .shelf import Shelf

KEYS: Final = (
    ("right,l,enter,ctrl+j", "do('next_play')", "←→", "foot.play"),
    ("left,h,backspace", "do('previous_play')", "", ""),
    ("down,j", "do('next_trick')", "↑↓", "foot.trick"),
    ("up,k", "do('previous_trick')", "", ""),
    ("home", "do('first')", "", ""),
    ("end", "do('last')", "", ""),
    ("g", "do('ask_trick')", "g", "foot.go"),
    ("G", "do('ask_game')", "", ""),
    ("n", "do('next_game')", "n p", "foot.game"),
    ("p", "do('previous_game')", "", ""),
    ("space", "do('toggle_auto')", "space", "foot.auto"),
    ("plus", "do('faster')", "", ""),
    ("minus", "do('slower')", "", ""),
    ("v", "do('next_view')", "v", "foot.view"),
    ("question_mark", "do('help')", "?", "foot.help"),
    ("q,escape", "leave", "q", "foot.quit"),
    ("pagedown", "page_down", "", ""),
    ("pageup", "page_up", "", ""),
)
"""Keys, what they do, and how the line below tells of them, if it does."""

SPOILING: Final = frozenset(("result", "votes"))
"""Problems that tell how a game ends: they stand on its last page."""

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
            text.append(part, rich_style(style))
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
            (told("key.ends"), "help.ends"),
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


def stepper(words: Words) -> type[Stepper]:
    """The stepper whose keys are told in one language."""
    bindings = [
        Binding(
            keys,
            action,
            words(text) if text else "",
            show=bool(text),
            key_display=words("foot.space") if display == "space" else display or None,
        )
        for keys, action, display, text in KEYS
    ]
    return type("Stepper", (Stepper,), {"BINDINGS": bindings})


class Stepper(App[None]):
    """Shows one position after another.

    `trick` 0 is the page about the game, the one behind the last trick its result; `played`
    is the number of plays that lie on the table.
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
    Footer { dock: none; width: 1fr; background: ansi_default; text-style: reverse; }
    FooterKey, FooterKey .footer-key--key, FooterKey .footer-key--description {
        background: ansi_default; color: ansi_default; text-style: reverse;
    }
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
        self.more = False
        self.message = ""
        self.failed = False
        self.timer: Timer | None = None
        self.autoplay = pace is not None
        game = shelf.game(number)
        assert game is not None
        self._take(game)

    def _take(self, game: Game) -> None:
        view = self.view
        if view is not None and view > game.seats:
            view = SPECTATOR
        self.viewpoint = Viewpoint(game, view, self.told)
        self.pages = Pages(self.viewpoint, self.told)

    def compose(self) -> ComposeResult:
        """The two lines above, the page, the line below."""
        yield Static(id="top", markup=False)
        yield VerticalScroll(Static(id="page", markup=False), id="body", can_focus=False)
        with Horizontal(id="bar"):
            yield Footer(show_command_palette=False, compact=True)
            yield Static(id="asked", markup=False)
            yield Input(id="typed", type="integer", max_length=9, compact=True)
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
        if 1 <= self.trick <= self.viewpoint.last:
            position = self.viewpoint.at(self.trick, self.played)
            top = pages.top(position, game, width)
            body = Board(pages, width, height - len(top) - 1).draw(position).lines
        else:
            top = pages.top(None, game, width, start=not self.trick)
            body = self._first_page(width) if not self.trick else self._last_page(width)
        self.query_one("#top", Static).update(styled(top))
        self.query_one("#page", Static).update(styled(body))
        self.query_one("#body").scroll_home(animate=False)
        self.more = len(body) > height - len(top) - 1
        self._tell()

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
        """What there is to say at the right of the keys, or instead of them."""
        told = self.told
        said = [self.message] if self.message else []
        if self.timer is not None:
            said.append(told("auto", seconds=f"{self.pace:g}"))
        if self.more:
            said.append(MORE)
        self.query_one("#said", Static).update("  ".join(said))
        asking = bool(self.asked)
        self.query_one(Footer).display = not asking and not self.message
        for name in ("#asked", "#typed"):
            self.query_one(name).display = asking

    # Going -------------------------------------------------------------------------------

    def _go(self, trick: int, played: int | None = None) -> bool:
        """Go to a trick, after all its plays if not told otherwise; return whether we moved."""
        last = self.viewpoint.last
        trick = max(0, min(trick, last + 1))
        full = self.viewpoint.plays(trick) if 1 <= trick <= last else 0
        played = full if played is None else max(0, min(played, full))
        moved = (trick, played) != (self.trick, self.played)
        self.trick, self.played = trick, played
        return moved

    def _plays(self) -> int:
        """The plays of the trick shown."""
        return self.viewpoint.plays(self.trick) if 1 <= self.trick <= self.viewpoint.last else 0

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
        self._go(self.viewpoint.last + 1)

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
        seats = self.viewpoint.seats
        order = [None, *range(1, seats + 1), SPECTATOR]
        self.view = order[(order.index(self.viewpoint.view) + 1) % len(order)]
        self._take(self.viewpoint.game)
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

    def action_do(self, name: str) -> None:
        """Do what a key stands for, and show it."""
        self.message = ""
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
        self.push_screen(Help(self.told))

    def ask_trick(self) -> None:
        """Ask for a trick to go to."""
        self._ask("go-trick")

    def ask_game(self) -> None:
        """Ask for a game to go to."""
        self._ask("go-game")

    def _ask(self, key: str) -> None:
        self._stop()
        self.asked = key
        self.query_one("#asked", Static).update(f"{self.told(key)} ")
        field = self.query_one(Input)
        field.value = ""
        field.display = True
        field.focus()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """While a number is typed, the keys are for that."""
        del parameters
        return action in ("leave", "page_up", "page_down") if self.asked else True

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Go where the number says."""
        asked, typed = self.asked, event.value
        self._stop_asking()
        if typed and asked == "go-trick":
            self._go(int(typed))
        elif typed:
            self._open(int(typed))
        self._show()

    def _stop_asking(self) -> None:
        self.asked = ""
        self.set_focus(None)
        self.refresh_bindings()

    def action_leave(self) -> None:
        """Stop asking for a number, or quit."""
        if not self.asked:
            self.exit()
            return
        self._stop_asking()
        self._tell()
