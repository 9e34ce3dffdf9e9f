"""Scoring a game on a terminal: what is typed goes to the recording, which is shown."""

from __future__ import annotations

import os
import re
import time
from typing import TYPE_CHECKING, Final

from textual.app import App
from textual.binding import Binding
from textual.containers import Horizontal
from textual.widgets import Footer, Input, Static

from claimlog.cards import CARD_NAMES
from claimlog.recording import Doubt
from claimlog.replay.viewpoint import Viewpoint, by_faction

from ..faces import SMALL, face
from ..layout import clip, fit, length, pad, spread, table, wrap
from ..palette import styled
from ..replay.page import Pages

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual import events
    from textual.app import ComposeResult

    from claimlog.game import Trick
    from claimlog.language import Words
    from claimlog.recording import Recording
    from claimlog.state import State

    from ..layout import Line

KEYS: Final = (
    ("backspace,ctrl+z", "take_back", "⌫", "record.foot-undo"),
    ("ctrl+y", "redo", "^y", "record.foot-redo"),
    ("c", "ask('note')", "c", "record.foot-note"),
    ("h", "ask('fill')", "h", "record.foot-fill"),
    ("o", "ask('mend')", "o", "record.foot-mend"),
    ("l", "ask('tag')", "l", "record.foot-tag"),
    ("full_stop", "stamp", ".", "record.foot-clock"),
    ("ctrl+p", "pause", "^p", "record.foot-pause"),
    ("e", "ask('end')", "e", "record.foot-end"),
    ("q", "leave", "q", "record.foot-quit"),
)
"""Keys that are no faction's letter, what they do, and how the line below tells of them."""

ASKED: Final = {
    "note": "record.note",
    "fill": "record.ask-fill",
    "mend": "record.ask-mend",
    "tag": "record.ask-tag",
    "end": "record.ask-end",
}
"""What is asked for in a line of text."""
MARKS: Final = "~/=-"
"""Marks that stand before a card, as in the notation."""
UNSEEN: Final = "_"
NOTED: Final = re.compile(r"\[%(?:clk|pause) (\d{1,3}):(\d{2}):(\d{2})\]")
"""A time that was noted in a comment."""


def completed(typed: str, led: str = "") -> tuple[str, bool]:
    """What was typed as a word of the notation, and whether no key can go on with it.

    A value alone is of the faction `led`.

    >>> completed("g8"), completed("8", led="G"), completed("r1"), completed("/w2")
    (('G8', True), ('G8', True), ('R1', False), ('/W2', True))
    """
    word = typed.upper()
    mark = word[: len(word) - len(word.lstrip(MARKS))]
    card = word[len(mark) :]
    if card == UNSEEN:
        return word, True
    if card and led and card[0].isdigit():
        card = led + card
    longer = any(name != card and name.startswith(card) for name in CARD_NAMES)
    return mark + card, card[1:].isdigit() and not longer


def recorder(words: Words) -> type[Screen]:
    """The screen whose keys are told in one language."""
    bindings = [
        Binding(keys, action, words(text), key_display=display)
        for keys, action, display, text in KEYS
    ]
    return type("Screen", (Screen,), {"BINDINGS": bindings})


def _noted(text: str) -> int:
    """The last time of a clock that a record notes, in seconds."""
    times = NOTED.findall(text)
    if not times:
        return 0
    hours, minutes, seconds = map(int, times[-1])
    return hours * 3600 + minutes * 60 + seconds


class Screen(App[None]):
    """Shows a recording, and takes what is typed: cards at once when they are whole.

    `clock` tells the seconds that have gone by; by default it is the machine's.  The clock goes on
    from the last time that the record notes.
    """

    TITLE = "claimlog record"
    ENABLE_COMMAND_PALETTE = False
    ALLOW_SELECT = False
    AUTO_FOCUS = None
    CSS = """
    Screen { background: ansi_default; color: ansi_default; overflow: hidden; }
    #page { width: 100%; height: 1fr; }
    #asking { dock: bottom; height: 1; margin-bottom: 1; }
    #asked { width: auto; height: 1; }
    #typed { width: 1fr; background: ansi_default; }
    Footer { dock: bottom; width: 100%; background: ansi_default; text-style: reverse; }
    FooterKey, FooterKey .footer-key--key, FooterKey .footer-key--description {
        background: ansi_default; color: ansi_default; text-style: reverse;
    }
    """

    def __init__(
        self,
        recording: Recording,
        name: str,
        words: Words,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        if not os.environ.get("NO_COLOR"):
            os.environ.pop("NO_COLOR", None)
        super().__init__(ansi_color=True)
        self.theme = "ansi-dark"
        self.recording = recording
        self.name_of_file = name
        self.told = words
        self.now = clock
        self.began = clock() - _noted(recording.text)
        self.paused: float | None = None
        self.typed = ""
        self.message = ""
        self.asked = ""
        self.doubt: Doubt | None = None
        self.word = ""
        self.mending = False
        self.closed = False

    def compose(self) -> ComposeResult:
        """The page, the line for texts, the keys."""
        yield Static(id="page", markup=False)
        with Horizontal(id="asking"):
            yield Static(id="asked", markup=False)
            yield Input(id="typed", compact=True)
        yield Footer(show_command_palette=False, compact=True)

    def on_mount(self) -> None:
        """Show the game, and the clock every second."""
        self._show()
        self.set_interval(1.0, self._show)

    def on_resize(self) -> None:
        """Lay the page out again."""
        self.call_after_refresh(self._show)

    def action_help_quit(self) -> None:
        """Ctrl+C ends at once, as anywhere else; all is saved."""
        self.exit()

    # Showing -----------------------------------------------------------------------------

    def _show(self) -> None:
        width, height = self.size
        if not width:
            return
        asking = bool(self.asked)
        self.query_one("#asking").display = asking
        lines = self._lines(width)
        room = height - 1 - asking
        said = self._said(width)
        body = lines[: max(room - len(said), 0)]
        body += [[] for _ in range(room - len(said) - len(body))]
        self.query_one("#page", Static).update(styled([*body, *said]))

    def _lines(self, width: int) -> list[Line]:
        recording, told = self.recording, self.told
        state, game = recording.state, recording.game
        pages = Pages(Viewpoint(game, None, told), told)
        right: Line = [(f"{self._time()}  ", "dim"), (f"✓ {told('record.saved')} ", "win")]
        right.append((clip(self.name_of_file, 24), ""))
        left: Line = [(clip(pages.narrator.title(), width - length(right) - 2), "b")]
        lines = spread(left, right, width)
        if recording.over:
            ending = pages.viewpoint.ending()
            over = (
                pages.ending(ending, width)
                if ending is not None
                else pages.sentences([f"{told('Result')}: {game.result}"], width, "b")
            )
            return [*lines, [], *over, *self._race(pages, state, width)[: 0 if ending else None]]
        trick = self._shown(state)
        number = trick.number if trick is not None and self.closed else state.trick
        lines.append([(told("trick-of", number=number, total=pages.total), "head")])
        lines += self._trick(trick, width)
        if trick is not None and trick.winner is not None:
            lines += pages.sentences(recording.why(told), width)
        return [*lines, [], *self._race(pages, state, width)]

    def _shown(self, state: State) -> Trick | None:
        """The trick on the table, or that which was won just now."""
        if self.closed:
            return self.recording.last
        tricks = self.recording.game.tricks
        return tricks[-1] if tricks and tricks[-1].number == state.trick else None

    def _trick(self, trick: Trick | None, width: int) -> list[Line]:
        """Upcards and plays, each as a card with what it is below it."""
        told = self.told
        cards: list[tuple[str, str]] = []
        if trick is not None:
            cards += [(card, told.count("upcards", 1)) for card in trick.upcards]
            cards += [
                (
                    (play.card or UNSEEN)
                    + ("+" if play.seat == trick.winner else "")
                    + ("^" if play.irregular else ""),
                    self._who(play.seat),
                )
                for play in trick.plays
            ]
        lines: list[Line] = [[], [], [], []]
        wide = min(14, (width - 2) // max(len(cards), 1) - 2)
        for card, label in cards:
            for line, part in zip(lines, [*face(card), [(clip(label, wide), "")]], strict=True):
                line += [("  ", ""), *pad(part, max(wide, SMALL.width))]
        return lines

    def _race(self, pages: Pages, state: State, width: int) -> list[Line]:
        """For each faction what has not shown up, and what each side has won."""
        unseen = self.recording.unseen()
        sides = range(1, state.setup.sides + 1)
        won: dict[int, dict[str, list[str]]] = {}
        for side in sides:
            seats = [seat for seat in range(1, state.seats + 1) if state.side(seat) == side]
            pile = [card for s in seats for card in (*state.score_pile(s), *state.gnomes(s))]
            won[side] = by_faction(pile)
        rows: list[list[Line]] = [
            [[], [(self.told("record.unseen"), "head")]]
            + [[(pages.narrator.side_short(side), "head")] for side in sides]
        ]
        for letter in state.deck:
            row = [pages.faction(letter), pages.values(unseen[letter])]
            numbers = {side: state.count(side, letter) for side in sides}
            for side in sides:
                cell = pages.values(won[side].get(letter, []))
                ahead = numbers[side] == max(numbers.values()) > min(numbers.values())
                cell[0] = (f"{'>' if ahead else ' '}{numbers[side]}", "b")
                row.append(cell)
            rows.append(row)
        wanted = [max(length(row[i]) for row in rows) for i in range(len(rows[0]))]
        return table(rows, fit(wanted, width - 2 * len(wanted) - 2, range(1, len(wanted))), 1)

    def _said(self, width: int) -> list[Line]:
        """What is asked or due, and what has been typed: the lines at the bottom."""
        told, recording = self.told, self.recording
        lines: list[Line] = []
        if self.doubt is not None:
            lines += wrap([(f"{self.word}: {self.doubt.told(told, self._who)}", "warn")], width, 2)
            ways = [told("record.mistyped")]
            if "anyway" in self.doubt.remedies:
                ways.append(told("record.happened"))
            if "earlier" in self.doubt.remedies:
                place = {"was": self.doubt.was, "trick": self.doubt.trick}
                ways.append(told("record.earlier", **place))
            if self.mending:
                place = {"was": self.doubt.was, "trick": self.doubt.trick}
                lines.append([(told("record.instead", **place), "b"), (f" {self.typed}▏", "b")])
            else:
                lines += wrap([("   ".join(ways), "b")], width, 2)
            return lines
        if self.message:
            lines += wrap([(self.message, "warn")], width, 2)
        if recording.over:
            return [*lines, [(told("record.close"), "b")]]
        if recording.state.tags.get("Hand1") and not self.closed:
            cards = " ".join(recording.possible())
            lines += wrap([(told("record.legal", cards=cards), "dim")], width, 2)[:2]
        due: Line = [(self._due(), "b")]
        if self.closed:
            due.append((f" {told('record.enter')}", "dim"))
        lines += wrap([*due, (f" {self.typed.upper()}▏", "b")], width, 2)
        return lines

    def _due(self) -> str:
        told, recording = self.told, self.recording
        kind, seat = recording.due
        name = "" if seat is None else self._who(seat)
        if kind == "play":
            return told("to-play" if recording.state.plays else "to-lead", name=name)
        if kind == "discard":
            return told("to-discard", name=name)
        return told(f"due.{kind}", name=name)

    def _who(self, seat: int) -> str:
        return self.recording.name(seat, self.told)

    def _time(self) -> str:
        """The clock."""
        seconds = int((self.now() if self.paused is None else self.paused) - self.began)
        time = f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
        return f"{time} {self.told('record.paused')}" if self.paused is not None else time

    # Cards ---------------------------------------------------------------------------------

    def on_key(self, event: events.Key) -> None:
        """Take the keys that make up a card, and those that answer a question."""
        if self.asked:
            if event.key == "escape":
                event.stop()
                self._close_line()
            return
        key = event.character or ""
        if event.key == "enter" or event.key == "ctrl+j":
            self._enter_key()
        elif event.key == "escape":
            self._forget()
        elif self.doubt is not None and not self.mending:
            self._answer(key)
        elif self._is_entry(key):
            self._type(key)
        else:
            return
        event.stop()
        event.prevent_default()
        self._show()

    def _is_entry(self, key: str) -> bool:
        """Whether a key belongs to a card: a faction's letter, a digit, a mark."""
        letters = self.recording.state.deck
        if self.typed and self.typed[-1].isalpha():
            return key.isdigit()
        return bool(key) and (key.upper() in letters or key.isdigit() or key in MARKS + UNSEEN)

    def _type(self, key: str) -> None:
        self.message = ""
        self.typed += key
        if self.recording.due.kind == "loot":
            self._take(self.typed)
            return
        word, whole = completed(self.typed, self._led())
        if whole or word == "~-":
            self._take(word)

    def _led(self) -> str:
        """The faction that was led, where a value alone is one of it."""
        plays = self.recording.state.plays
        due = self.recording.due.kind == "play" and not self.mending
        return plays[0][1][0] if due and plays else ""

    def _take(self, word: str) -> None:
        """A word is whole: enter it, or what was meant before it."""
        self.typed = ""
        if self.mending:
            self._do(self.word, earlier=word)
        else:
            self._do(word)

    def _do(self, word: str, *, anyway: bool = False, earlier: str | None = None) -> None:
        """Enter a word; what cannot be is asked about."""
        self.doubt, self.mending, self.message, self.word = None, False, "", word
        try:
            entered = self.recording.enter(word, anyway=anyway, earlier=earlier)
        except Doubt as doubt:
            self.doubt = doubt
        except OSError as error:
            self.message = str(error)
        else:
            self.closed = entered.closed is not None or (
                self.closed and entered.actions[-1].kind in ("look", "pick", "draw")
            )
            self._go_on()

    def _go_on(self) -> None:
        """A pause is over."""
        if self.paused is not None:
            self.began += self.now() - self.paused
            self.paused = None

    def _enter_key(self) -> None:
        """Enter what was typed, close the trick, or end."""
        if self.doubt is not None and not self.mending:
            self._forget()
        elif self.typed:
            self._take(completed(self.typed, self._led())[0])
        elif self.recording.over:
            self.exit()
        else:
            self.closed = False

    def _answer(self, key: str) -> None:
        """What somebody says to a doubt."""
        assert self.doubt is not None
        if key == "1":
            self._forget()
        elif key == "2" and "anyway" in self.doubt.remedies:
            self._do(self.word, anyway=True)
        elif key == "3" and "earlier" in self.doubt.remedies:
            self.mending = True

    def _forget(self) -> None:
        """Mistyped."""
        self.typed, self.message, self.doubt, self.mending = "", "", None, False

    # Keys ------------------------------------------------------------------------------------

    def action_take_back(self) -> None:
        """Take back a key, or the last entry."""
        if self.typed or self.doubt is not None:
            self.typed = self.typed[:-1]
            if not self.mending:
                self.doubt = None
        else:
            self._step(self.recording.undo)
        self._show()

    def action_redo(self) -> None:
        """Do again what was taken back."""
        self._step(self.recording.redo)
        self._show()

    def _step(self, step: Callable[[], None]) -> None:
        self._forget()
        self.closed = False
        self._tried(step)

    def _tried(self, change: Callable[[], None]) -> bool:
        """Change something beside the cards; say what was wrong."""
        try:
            change()
        except IndexError:
            self.message = self.told("record.nothing")
        except Doubt as doubt:
            self.message = doubt.told(self.told, self._who)
        except OSError as error:
            self.message = str(error)
        except (ValueError, KeyError):
            return False
        return True

    def action_stamp(self) -> None:
        """Note the clock's time with the last play."""
        self._tried(lambda: self.recording.stamp(self._time().split()[0]))
        self._show()

    def action_pause(self) -> None:
        """Stop the clock, and note it; any entry goes on."""
        if self.paused is None:
            self._tried(lambda: self.recording.pause(self._time()))
            self.paused = self.now()
        else:
            self._go_on()
        self._show()

    def action_leave(self) -> None:
        """End; all is saved."""
        self.exit()

    # A line of text --------------------------------------------------------------------------

    def action_ask(self, what: str) -> None:
        """Ask for a text."""
        self._forget()
        self.asked = what
        self.query_one("#asked", Static).update(self.told(ASKED[what]) + " ")
        typed = self.query_one("#typed", Input)
        typed.value = ""
        self._show()
        typed.focus()

    def _close_line(self) -> None:
        self.asked = ""
        self.set_focus(None)
        self._show()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Do what a text says."""
        what, text = self.asked, event.value.strip()
        if text and not self._tried(lambda: self._told(what, text)):
            self.message = self.told("record.not-so", text=text)
        self._close_line()

    def _told(self, what: str, text: str) -> None:
        """Raises ValueError for what is not understood, KeyError for a place that is none."""
        recording = self.recording
        if what == "note":
            recording.note(text)
        elif what == "mend":
            trick, was, card = text.split()
            recording.mend(int(trick), was.upper(), card.upper())
        elif what == "fill":
            trick, seat, card = text.split()
            recording.fill(int(trick), int(seat), card.upper())
        elif what == "tag":
            name, _, value = text.partition(" ")
            recording.tag(name, value)
        else:
            result, why = text.split()
            recording.finish(result, why)
        self.closed = False
