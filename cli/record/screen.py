"""Scoring a game on a terminal: keys go to the recording, which is shown."""

from __future__ import annotations

import os
import re
import time
from typing import TYPE_CHECKING, Final

from textual.binding import Binding
from textual.widgets import Static

from claimlog.recording.views import asked
from claimlog.replay.narration import Narrator
from claimlog.replay.viewpoint import Viewpoint, by_faction
from claimlog.rules.setup import RULINGS
from claimlog.state import UNSEEN

from ..faces import SMALL, face
from ..foot import Keys
from ..layout import clip, fit, length, pad, spread, table, wrap
from ..palette import styled
from ..replay.page import Pages
from ..waking import Waking
from .form import Agreed
from .keyboard import ENTER, Keyboard, keys_of
from .tricks import Tricks
from .typed import is_card, why_ended

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual import events
    from textual.app import ComposeResult

    from claimlog.game import Trick
    from claimlog.language import Words
    from claimlog.recording import Journal, Recording
    from claimlog.recording.revising import Edit
    from claimlog.state import State

    from ..layout import Line
    from .keyboard import Waiting

KEYS: Final = (
    ("backspace,ctrl+z", "take_back", "⌫", "record.foot-undo"),
    ("ctrl+y", "redo", "^y", "record.foot-redo"),
    ("ctrl+n", "ask('note')", "^n", "record.foot-note"),
    ("ctrl+o", "ask('mend')", "^o", "record.foot-mend"),
    ("ctrl+l", "tricks", "^l", "record.foot-tricks"),
    ("ctrl+e", "ask('end')", "^e", "record.foot-end"),
    ("question_mark", "help", "?", "record.foot-keys"),
    ("ctrl+q", "leave", "^q", "record.foot-quit"),
    ("ctrl+w", "turn", "", ""),
    ("ctrl+d", "ask('fill')", "", ""),
    ("ctrl+t", "agreed", "", ""),
    ("ctrl+p", "pause", "", ""),
    ("full_stop", "stamp", "", ""),
)
"""Keys that are not part of a card, their actions, and their labels in the footer, if any.

Letters and digits are only for cards, so that a slip cannot trigger anything else.
"""

BOUND: Final = frozenset(key for keys, *_ in KEYS for key in keys.split(",")) | {"ctrl+c"}
"""Keys with an action, whatever is being typed."""

HELP: Final = (
    ("g5  u7", "record.help-card"),
    ("8", "record.help-value"),
    ("/w2  /_", "record.help-draw"),
    ("~w2  ~_  ~-", "record.help-look"),
    ("_", "record.help-discard"),
    ("Enter", "record.help-enter"),
    ("⌫  Esc", "record.help-back"),
    ("^z  ^y", "record.help-undo"),
    ("^l", "record.help-tricks"),
    ("^w", "record.help-turn"),
    ("^o", "record.help-mend"),
    ("^d", "record.help-fill"),
    ("^n", "record.help-note"),
    ("^t", "record.help-agreed"),
    (".  ^p", "record.help-clock"),
    ("^e  ^q", "record.help-end"),
)
"""What can be typed, with explanations."""

ASKED: Final = {
    "note": "record.note",
    "fill": "record.ask-fill",
    "insert": "record.ask-insert",
    "mend": "record.ask-mend",
    "end": "record.ask-end",
    "end-of-three": "record.ask-end-of-three",
}
"""The questions for a line of text."""
TAKEN: Final = {"=": "pick", "~": "look"}
"""Keys on the list of tricks that change who took which card."""
CLOSES: Final = ("enter", "ctrl+j", "ctrl+m")
"""Keys that end a word, and continue with the next trick."""
NARROW: Final = 60
"""Columns below which factions have no names, so that their cards have more room."""
NOTED: Final = re.compile(r"\[%(?:clk|pause) (\d{1,3}):(\d{2}):(\d{2})\]")
"""A time recorded in a comment."""


def recorder(words: Words) -> type[Screen]:
    """The screen with the labels of its keys in one language."""
    bindings = [
        Binding(
            keys, action, words(text) if text else "", show=bool(text), key_display=display or None
        )
        for keys, action, display, text in KEYS
    ]
    return type("Screen", (Screen,), {"BINDINGS": bindings})


def _noted(text: str) -> int:
    """The last clock time in a record, in seconds."""
    times = NOTED.findall(text)
    if not times:
        return 0
    hours, minutes, seconds = map(int, times[-1])
    return hours * 3600 + minutes * 60 + seconds


class Screen(Waking):
    """Shows a recording, and handles keys: cards are entered as soon as they are complete.

    `clock` returns the elapsed seconds; by default it is the machine's.  The game's clock continues
    from the last time in the record.  `known` returns the names of players and events ("player",
    "event") in an archive that match a text.  `journal` keeps what is waiting, and what was undone.
    """

    TITLE = "claimlog record"
    ENABLE_COMMAND_PALETTE = False
    ALLOW_SELECT = False
    AUTO_FOCUS = None
    CSS = """
    Screen { background: ansi_default; color: ansi_default; overflow: hidden; }
    #page { width: 100%; height: 1fr; }
    Keys { dock: bottom; width: 100%; background: ansi_default; text-style: reverse; }
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
        known: Callable[[str, str], list[str]] = lambda kind, text: [],
        journal: Journal | None = None,
    ) -> None:
        if not os.environ.get("NO_COLOR"):
            os.environ.pop("NO_COLOR", None)
        super().__init__(ansi_color=True)
        self.theme = "ansi-dark"
        self.recording = recording
        self.name_of_file = name
        self.words = words
        self.now = clock
        self.known = known
        self.began = clock() - _noted(recording.text)
        self.paused: float | None = None
        self.asked = ""
        """The question being asked."""
        self.text = ""
        self.keyboard = Keyboard(recording, words, lambda: self.bell(), self._go_on)
        self.journal = journal
        if journal is not None:
            journal.waiting = lambda: self.keyboard.aside
        self.page = ""
        """The page shown instead of the table: "help", "tricks", "agreed"."""
        self.helped = 0
        """The first line of the help that is shown, if it needs several pages."""
        self.turns = 0
        """The first line of the next page of the help, if there is one."""
        self.tricks = Tricks(recording, words)
        self.agreed: Agreed | None = None
        self.leaving = False

    def compose(self) -> ComposeResult:
        """Compose the page and the footer."""
        yield Static(id="page", markup=False)
        yield Keys()

    def on_mount(self) -> None:
        """Show the game, restore what was waiting, and update the clock every second."""
        if self.journal is not None:
            self.recording.aside = self.journal.aside.undone.split()
            self.keyboard.restore(self.journal.aside)
        self._draw()
        self.set_interval(1.0, self._draw)

    def on_resize(self) -> None:
        """Lay the page out again."""
        self.call_after_refresh(self._draw)

    def action_help_quit(self) -> None:
        """Quit with Ctrl+C, as anywhere else; all entries are saved."""
        self.action_leave()

    # Showing -----------------------------------------------------------------------------

    def _show(self) -> None:
        """Save the notes beside the record, and draw the page."""
        recording = self.recording
        try:
            if self.journal is not None:
                self.journal.put_aside("" if recording.over else " ".join(recording.undone()))
        except OSError as error:
            self.keyboard.failed = str(error)
        self._draw()

    def _draw(self) -> None:
        width, height = self.size
        if not width:
            return
        lines = self._lines(width)
        room = height - 1
        said = self._said(width)
        body = lines[: max(room - len(said), 0)]
        body += [[] for _ in range(room - len(said) - len(body))]
        for page in self.query("#page").results(Static):  # empty while the screen opens or closes
            page.update(styled([*body, *said]))

    def _lines(self, width: int) -> list[Line]:
        recording, words = self.recording, self.words
        state, game = recording.state, recording.game
        pages = Pages(Viewpoint(game, None, words), words)
        right: Line = [(f"{self._time()}  ", "dim")]
        right.append(
            (f"✗ {words('record.unsaved')} ", "error")
            if self.keyboard.failed
            else (f"✓ {words('record.saved')} ", "win")
        )
        right.append((clip(self.name_of_file, 24), ""))
        left: Line = [(clip(pages.narrator.title(), width - length(right) - 2), "b")]
        lines = spread(left, right, width)
        if self.page == "help":
            return [*lines, *self._help(width, self._room() + 2 - len(lines))]
        if self.page == "tricks":
            return [*lines, *self.tricks.lines(width, self._room())]
        if self.page == "agreed" and self.agreed is not None:
            return [*lines, *self.agreed.lines(width, self._room())]
        if recording.over:
            ending = pages.viewpoint.ending()
            over = (
                pages.ending(ending, width)
                if ending is not None
                else pages.sentences([f"{words('Result')}: {game.result}"], width, "b")
                + pages.sentences(pages.narrator.early(), width)
            )
            return [*lines, [], *over, *self._race(pages, state, width)[: 0 if ending else None]]
        trick = self._shown(state)
        number = trick.number if trick is not None and self.keyboard.closed else state.trick
        lines.append([(words("trick-of", number=number, total=pages.total), "head")])
        lines += self._trick(trick, width)
        if trick is not None and trick.winner is not None:
            lines += pages.sentences(recording.why(words), width)
        return [*lines, [], *self._race(pages, state, width)]

    def _shown(self, state: State) -> Trick | None:
        """The trick on the table, or the one just won."""
        if self.keyboard.closed:
            return self.recording.last
        tricks = self.recording.game.tricks
        return tricks[-1] if tricks and tricks[-1].number == state.trick else None

    def _trick(self, trick: Trick | None, width: int) -> list[Line]:
        """Upcards and plays, each as a card with its explanation below, in rows."""
        words = self.words
        cards: list[tuple[str, str]] = []
        if trick is not None:
            cards += [(card, words.count("upcards", 1)) for card in trick.upcards]
            cards += [
                (
                    (play.card or UNSEEN)
                    + ("+" if play.seat == trick.winner else "")
                    + ("^" if play.irregular else ""),
                    self._who(play.seat),
                )
                for play in trick.plays
            ]
        most = max(width // (SMALL.width + 2), 1)
        rows = max(-(-len(cards) // most), 1)
        most = -(-len(cards) // rows)
        wide = min(14, width // max(most, 1) - 2)
        lines: list[Line] = []
        for row in range(rows):
            lines += [[], [], [], []]
            for card, label in cards[row * most : (row + 1) * most]:
                parts = [*face(card), [(clip(label, wide), "")]]
                for line, part in zip(lines[-4:], parts, strict=True):
                    line += [("  ", ""), *pad(part, max(wide, SMALL.width))]
        return lines

    def _race(self, pages: Pages, state: State, width: int) -> list[Line]:
        """For each faction the cards not seen yet, and those that each side has won."""
        unseen = self.recording.unseen()
        sides = range(1, state.setup.sides + 1)
        won: dict[int, dict[str, list[str]]] = {}
        for side in sides:
            seats = [seat for seat in range(1, state.seats + 1) if state.side(seat) == side]
            pile = [card for s in seats for card in (*state.score_pile(s), *state.gnomes(s))]
            won[side] = by_faction(pile)
        narrow = width < NARROW
        names = [pages.narrator.side_short(side) for side in sides]
        rows: list[list[Line]] = [
            [[], [(self.words("record.unseen"), "head")]]
            + [[(clip(name, 11 - 2 * len(names)) if narrow else name, "head")] for name in names]
        ]
        for letter in state.deck:
            faction = pages.faction(letter)
            row = [faction[:1] if narrow else faction, pages.values(unseen[letter])]
            numbers = {side: state.count(side, letter) for side in sides}
            for side in sides:
                cell = pages.values(won[side].get(letter, []))
                ahead = numbers[side] == max(numbers.values()) > min(numbers.values())
                cell[0] = (f"{'>' if ahead else ' '}{numbers[side]}", "b")
                row.append(cell)
            rows.append(row)
        widths = [max(length(row[i]) for row in rows) for i in range(len(rows[0]))]
        return table(rows, fit(widths, width - 2 * len(widths) - 2, range(1, len(widths))), 1)

    def _help(self, width: int, room: int) -> list[Line]:
        """What can be typed, in pages if there is no room for all of it."""
        words = self.words
        rows: list[list[Line]] = [[[(keys, "b")], [(words(text), "")]] for keys, text in HELP]
        wide = max(length(row[0]) for row in rows)
        whole = table(rows, [wide, width - wide - 6])
        shown = whole[self.helped : self.helped + room]
        self.turns = self.helped + room if self.helped + room < len(whole) else 0
        how = f"{words('record.more-help')} ▼" if self.turns else words("record.close-help")
        title: Line = [(words("help-title"), "head"), (f"  {how}", "dim")]
        return [title, *shown]

    def _room(self) -> int:
        """The number of tricks that fit on the page."""
        width, height = self.size
        return max(height - 4 - len(self._said(width)), 1)

    def _said(self, width: int) -> list[Line]:
        """The lines at the bottom: what is asked or due, and the text typed."""
        words, recording, keyboard = self.words, self.recording, self.keyboard
        lines: list[Line] = []
        message = keyboard.message or ("" if keyboard.waiting else keyboard.failed)
        if message:
            lines += wrap([(message, "warn")], width, 2)
        if self.asked:
            return [
                *lines,
                *wrap([(words(ASKED[self.asked]), "b"), (f" {self.text}▏", "")], width, 2),
            ]
        if self.page == "tricks":
            return [*lines, *self.tricks.said(width)]
        if self.page == "agreed" and self.agreed is not None:
            return [*lines, *self.agreed.said(width)]
        if keyboard.waiting is not None:
            return [*self._waiting(keyboard.waiting, width), *lines]
        if recording.over and not keyboard.line:
            return [*self._assumed(width), *lines, [(words("record.close"), "b")]]
        if recording.state.tags.get("Hand1") and not keyboard.closed:
            cards = " ".join(recording.possible())
            lines += wrap([(words("record.legal", cards=cards), "dim")], width, 2)[:2]
        if recording.aside:
            undone = words("record.undone", words=" ".join(recording.aside))
            lines.append([(clip(undone, width), "dim")])
        due: Line = [(self._due(), "b")]
        # A pick still belongs to the trick that is shown.
        if keyboard.closed and not recording.over and recording.due[0] != "pick":
            due.append((f" {words('record.enter')}", "dim"))
        due.append((f" {keyboard.line}▏", "b"))
        if is_card(keyboard.line, keyboard.led()):
            due.append((f" {words('record.enter-card', word=keyboard.word)}", "dim"))
        return [*lines, *wrap(due, width, 2)]

    def _waiting(self, waiting: Waiting, width: int) -> list[Line]:
        """The waiting word and the reason, the possible answers, and the keys typed since."""
        words, keyboard = self.words, self.keyboard
        why = keyboard.why_not(waiting)
        text = why if why.startswith(f"{waiting.word} ") else f"{waiting.word}: {why}"
        lines = wrap([(text, "warn")], width, 2)
        if keyboard.instead:
            doubt = waiting.doubt
            was, trick = (doubt.was, doubt.trick) if doubt is not None else ("", 0)
            text = (
                words("record.instead", was=was, trick=trick)
                if keyboard.instead == "earlier"
                else words("record.instead-word", was=waiting.word)
            )
            lines.append([(f"{text} {keyboard.line}▏", "b")])
        else:
            for number, answer in enumerate(keyboard.answers(waiting)):
                chosen = number == keyboard.chosen
                whole: Line = [(answer.text, "chosen" if chosen else "b")]
                for row, line in enumerate(wrap(whole, width - 2, 2)):
                    lines.append([("▸ " if chosen and not row else "  ", "b"), *line])
            lines += wrap([(words("record.choose"), "dim")], width, 2)
        if keyboard.behind:
            keys = words("record.behind", keys=keys_of(keyboard.behind))
            lines += wrap([(keys, "b")], width, 2)
        return lines

    def _assumed(self, width: int) -> list[Line]:
        """The rules by which the game was counted, and what the record leaves open."""
        words, recording = self.words, self.recording
        setup = recording.setup
        rules = [setup.rules]
        rules += [
            f"{key}={value}"
            for key, value in setup.rulings.items()
            if RULINGS[key].about in setup.deck
        ]
        if setup.loot is not None:
            rules.append(f"LootCards {' '.join(setup.loot) or '–'}")
        lines = wrap([(words("record.assumed", rules=", ".join(rules)), "dim")], width, 2)
        pages = Pages(Viewpoint(recording.shown, None, words), words)
        for one in asked(recording):
            place = {"trick": one["trick"], "card": one["card"], "name": self._who(one["seat"])}
            lines = [*wrap([(words("record.asked", **place), "warn")], width, 2), *lines]
        return [*pages.problems(recording.problems(words), width), *lines]

    def _due(self) -> str:
        words, recording = self.words, self.recording
        if recording.over:
            return words("due.over")
        kind, seat = recording.due
        name = "" if seat is None else self._who(seat)
        if kind == "play":
            return words("to-play" if recording.state.plays else "to-lead", name=name)
        if kind == "discard":
            return words("to-discard", name=name)
        if kind == "pick":
            return words("due.pick", name=name, cards=" ".join(recording.state.upcards))
        if kind == "loot":
            name = Narrator(Viewpoint(recording.shown, None, words), words).side(seat or 1)
            return words(
                "due.loot", name=name, letters=self.keyboard.factions(recording.possible())
            )
        return words(f"due.{kind}", name=name)

    def _who(self, seat: int) -> str:
        return self.recording.name(seat, self.words)

    def _time(self) -> str:
        """The clock."""
        seconds = int((self.now() if self.paused is None else self.paused) - self.began)
        time = f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
        return f"{time} {self.words('record.paused')}" if self.paused is not None else time

    # Cards ---------------------------------------------------------------------------------

    def on_key(self, event: events.Key) -> None:
        """Handle the keys that form words, and those that answer questions."""
        if self.asked:
            self._text_key(event)
            if event.key != "ctrl+c":
                event.stop()
                event.prevent_default()
            self._show()
            return
        key = ENTER if event.key in CLOSES else event.key
        keyboard = self.keyboard
        if key == "question_mark" and self.page != "agreed":
            return
        if self.page == "agreed" and self.agreed is not None:
            if key in ("ctrl+q", "ctrl+c"):
                return
            self._agreed_key(self.agreed, key, event)
        elif self.page == "tricks" and self._tricks_key(key, event):
            pass
        elif key in ("up", "down", "pageup", "pagedown", "tab"):
            self.keyboard.move(-1 if key in ("up", "pageup") else 1)
        elif key == "escape" and self.page:
            self.page = ""
        elif key == "escape" and self.leaving:
            keyboard.message = ""
        elif key == "escape":
            keyboard.clear()
        elif key == ENTER and keyboard.waiting and keyboard.chosen is not None:
            keyboard.settle()
        elif key == ENTER and self.page:
            self.page = ""
        elif key == ENTER or (event.is_printable and key != "full_stop"):
            self.page = ""
            keyboard.press(key if key == ENTER else event.character or "")
            if keyboard.over:
                self.exit()
        elif key in BOUND:
            return
        else:
            keyboard.refuse(self.words("record.no-key"))
        self.leaving = False
        event.stop()
        event.prevent_default()
        self._show()

    def _tricks_key(self, key: str, event: events.Key) -> bool:
        """Handle a key on the list of tricks; return whether it was one of the list's."""
        tricks = self.tricks
        tricks.message = ""
        if key in ("up", "down", "pageup", "pagedown", "left", "right"):
            tricks.move(key, self._room())
        elif key in ("backspace", "ctrl+z"):
            if not tricks.back():
                self.page = ""
        elif key == "escape":
            self.page = ""
            if tricks.edits:
                self.keyboard.message = self.words("record.mend-left")
        elif key == "insert" or (key == "plus" and not tricks.line):
            self.asked, self.text = "insert", ""
        elif key == "delete":
            tricks.add({"do": "delete", "trick": tricks.at})
        elif key == "tab":
            tricks.swap()
        elif key == "exclamation_mark":
            tricks.ask()
        elif event.character in TAKEN:
            tricks.add({"do": TAKEN[event.character], "trick": tricks.at})
        elif key == "ctrl+w":
            tricks.add(self._turning(tricks.at))
        elif key == ENTER and tricks.line:
            tricks.card(tricks.line)
        elif key == ENTER and tricks.edits:
            self._take(tricks.take)
        elif event.is_printable and tricks.place and key != "full_stop":
            tricks.press(event.character or "")
        elif event.is_printable and tricks.edits:
            tricks.message = self.words("record.mend-first")
        else:
            return False
        if tricks.message:
            self.bell()
        return True

    def _agreed_key(self, form: Agreed, key: str, event: events.Key) -> None:
        """Handle a key on the form of what was agreed."""
        if key in ("up", "down"):
            form.move(-1 if key == "up" else 1)
        elif key in ("left", "right"):
            form.choose(-1 if key == "left" else 1)
        elif key == "tab":
            form.swap()
        elif key in ("backspace", "ctrl+z"):
            form.back()
        elif key == "escape":
            if not form.leave():
                self.page = ""
                self.keyboard.message = self.words("record.mend-left") if form.tags() else ""
        elif key == ENTER:
            if form.enter():
                self._take(form.take, changed=bool(form.tags()), wrong=form.problem is not None)
        elif event.is_printable:
            form.press(event.character or "")
        else:
            form.message = self.words("record.mend-first")
        if form.message:
            self.bell()

    def _turning(self, trick: int) -> Edit:
        """The edit for a trick whose cards belong to other seats: in trick 1 another seat led."""
        if trick > 1:
            return {"do": "turn", "trick": trick}
        seen = self.tricks.seen
        setup = self.recording.setup if seen is None else seen.state.setup
        return {"do": "leader", "seat": setup.leader % setup.seats + 1}

    def _take(self, take: Callable[[], None], *, changed: bool = True, wrong: bool = False) -> None:
        """Accept the changes made on a page, unless they are wrong, and return to the table."""
        keyboard = self.keyboard
        if wrong:
            self.bell()
        elif keyboard.change(take):
            self.page = ""
            if changed and not (keyboard.message or keyboard.failed):
                keyboard.message = self.words("record.mend-taken")

    def _go_on(self) -> None:
        """End a pause."""
        if self.paused is not None:
            self.began += self.now() - self.paused
            self.paused = None

    def on_paste(self, event: events.Paste) -> None:
        """Handle pasted text as typed; a line break is Enter, in a text a space."""
        if self.asked:
            self.text += " ".join(event.text.split("\n"))
        elif self.page == "agreed" and self.agreed is not None:
            for key in " ".join(event.text.split()):
                self.agreed.press(key)
        else:
            self.page = ""
            for key in event.text.replace("\r", ""):
                self.keyboard.press(ENTER if key == "\n" else key)
        self._show()

    def _text_key(self, event: events.Key) -> None:
        """Handle a key while a text is typed."""
        if event.key == "escape":
            self.asked = ""
        elif event.key in CLOSES:
            self._submit()
        elif event.key == "backspace":
            self.text = self.text[:-1]
        elif event.is_printable:
            self.text += event.character or ""
        elif event.key != "ctrl+c":
            self.keyboard.refuse(self.words("record.first-text"))

    # Keys ------------------------------------------------------------------------------------

    def _free(self) -> bool:
        """Whether nothing is waiting for an answer; otherwise show a message."""
        self.page, self.leaving = "", False
        free = self.keyboard.free()
        self._show()
        return free

    def action_take_back(self) -> None:
        """Take back a key, or the last entry."""
        self.page, self.leaving = "", False
        self.keyboard.take_back()
        self._show()

    def action_redo(self) -> None:
        """Redo what was taken back."""
        self.page, self.leaving = "", False
        self.keyboard.redo()
        self._show()

    def action_stamp(self) -> None:
        """Record the clock's time with the last play."""
        if self._free():
            self.keyboard.change(lambda: self.recording.stamp(self._time().split()[0]))
            self._show()

    def action_pause(self) -> None:
        """Stop the clock, and record that; any entry restarts it."""
        if not self._free():
            return
        if self.paused is None:
            self.keyboard.change(lambda: self.recording.pause(self._time()))
            self.paused = self.now()
        else:
            self._go_on()
        self._show()

    def action_help(self) -> None:
        """Show the keys, until the next key."""
        page, self.helped = self.page, self.turns if self.page == "help" else 0
        if self.keyboard.waiting is None or self._free():
            self.page = "" if page == "help" and not self.helped else "help"
        self._show()

    def action_tricks(self) -> None:
        """Show the tricks so far, the last one at the bottom."""
        if self._free():
            self.page, self.tricks = "tricks", Tricks(self.recording, self.words)
            self._show()

    def action_agreed(self) -> None:
        """Show what was agreed, to correct it."""
        if self._free():
            self.page, self.agreed = "agreed", Agreed(self.recording, self.words, self.known)
            self._show()

    def action_turn(self) -> None:
        """Preview the last trick with its cards given to the other seats, to accept it."""
        if not self._free():
            return
        edits = self.recording.wrong_player()
        self.page, self.tricks = "tricks", Tricks(self.recording, self.words)
        self.tricks.at = edits[0].get("trick", 1) if edits else self.tricks.at
        for edit in edits:
            self.tricks.add(edit)
        seen = self.tricks.seen
        if seen is not None and not seen.marked and seen.doubt is None:
            self._take(self.tricks.take)
        elif not edits:
            self.keyboard.refuse(self.words("record.turn-later"))
        self._show()

    def action_leave(self) -> None:
        """Quit; all entries are saved, with a warning first about keys that were not entered."""
        keys = self.keyboard.open
        if keys and not self.leaving:
            self.leaving = True
            kept = self.keyboard.aside.waiting and self.journal is not None
            self.keyboard.refuse(self.words("record.aside" if kept else "record.not-in", keys=keys))
            self._show()
        else:
            self.exit()

    # A line of text --------------------------------------------------------------------------

    def action_ask(self, what: str) -> None:
        """Ask for a text."""
        if not self._free():
            return
        if what == "end" and self.recording.setup.sides == 3:
            what = "end-of-three"
        self.asked, self.text = what, ""
        self._show()

    def _submit(self) -> None:
        """Carry out the typed text."""
        what, text, keyboard = self.asked, self.text.strip(), self.keyboard
        self.asked = keyboard.message = ""
        if what == "insert":
            words = text.replace(":", " ").replace(",", " ").split()
            if words:
                self.tricks.add({"do": "insert", "trick": self.tricks.at, "words": words})
            return
        if text and not keyboard.change(lambda: self._entered(what, text)):
            keyboard.refuse(self.words("record.not-so", text=text))
        keyboard.closed = False

    def _entered(self, what: str, text: str) -> None:
        """Carry out a text.  Raises ValueError for invalid text, KeyError for an unknown place."""
        recording = self.recording
        if what == "note":
            recording.note(text)
        elif what == "mend":
            trick, was, card = text.split()
            recording.mend(int(trick), was.upper(), card.upper())
        elif what == "fill":
            trick, seat, card = text.split()
            recording.fill(int(trick), int(seat), card.upper())
        else:
            result, why = text.replace("½", "1/2").replace("⅓", "1/3").split(maxsplit=1)
            recording.finish(result, why_ended(why, self.words))
