"""The tricks so far, and correcting them: edits are previewed before they are accepted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from claimlog.cards import card as number_of
from claimlog.notation.marks import FOR_THE_DIRECTOR
from claimlog.recording.views import deleted, revision_view
from claimlog.rules.powers import seers
from claimlog.state import UNSEEN

from ..layout import clip, length, wrap
from .typed import is_card, typed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from claimlog.game import Trick
    from claimlog.language import Words
    from claimlog.recording import Recording
    from claimlog.recording.revising import Edit, Revision

    from ..layout import Line

NAMES: Final = (12, 8, 4, 1, 0)
"""How long the names in a trick may be, the most first; 1 is the seat's number."""


class Tricks:
    """The list of tricks: one is selected, and possibly one of its cards.

    `edits` are the changes not accepted yet, `seen` is their result.
    """

    def __init__(self, recording: Recording, words: Words) -> None:
        self.recording = recording
        self.words = words
        self.edits: list[Edit] = []
        self.seen: Revision | None = None
        self.line = ""
        """The part of a card typed so far."""
        self.message = ""
        self.at = max(len(self.tricks()), 1)
        """The selected trick."""
        self.place = 0
        """Its selected card, from 1; 0 if none is selected: then cards cannot be corrected."""
        self.top = 0

    def tricks(self) -> list[Trick]:
        """The tricks with the edits applied."""
        if self.seen is not None:
            return self.seen.state.game().tricks
        return self.recording.shown.tricks

    def cards(self) -> list[tuple[str, int]]:
        """The cards of the selected trick, each with its place among the plays; 0 for an upcard."""
        tricks = self.tricks()
        if not 1 <= self.at <= len(tricks):
            return []
        trick = tricks[self.at - 1]
        plays = [(play.card or UNSEEN, place) for place, play in enumerate(trick.plays, 1)]
        return [*((card, 0) for card in trick.upcards), *plays]

    # Keys ------------------------------------------------------------------------------------

    def move(self, key: str, room: int) -> None:
        """Select another trick or card."""
        if key in ("left", "right"):
            number = len(self.cards())
            step = 1 if key == "right" else -1
            if number:
                self.place = (self.place + step - 1) % number + 1 if self.place else 1
        else:
            step = {"up": -1, "down": 1, "pageup": -room, "pagedown": room}[key]
            self.at = max(1, min(self.at + step, len(self.tricks()) or 1))
            self.place = min(self.place, len(self.cards()))

    def press(self, key: str) -> None:
        """Handle a key of a card, which replaces the selected one."""
        step = typed(self.line, key)
        self.line = step.line
        if step.word:
            self.card(step.word)
        if step.again:
            self.press(key)

    def card(self, word: str) -> None:
        """Replace the selected card."""
        self.line = ""
        if not is_card(word):
            self.message = self.words("record.not-so", text=word)
            return
        was, place = self.cards()[self.place - 1]
        edit: Edit = {"do": "card", "trick": self.at, "was": was, "card": word}
        self.add(edit | ({"place": place} if place else {}))

    def swap(self) -> None:
        """Swap the selected play and the next one between their players."""
        cards = self.cards()
        place = cards[self.place - 1][1] if self.place else 0
        plays = sum(1 for _, one in cards if one)
        if not place or plays < 2:
            self.message = self.words("record.mark-play")
            return
        self.add({"do": "swap", "trick": self.at, "place": place, "other": place % plays + 1})

    def ask(self) -> None:
        """Leave the selected play to the director to decide, or mark it as decided."""
        place = self.cards()[self.place - 1][1] if self.place else 0
        if not place:
            self.message = self.words("record.mark-play")
            return
        play = self.tricks()[self.at - 1].plays[place - 1]
        what = "settle" if FOR_THE_DIRECTOR in play.comments else "ask"
        self.add({"do": what, "trick": self.at, "place": place})

    def add(self, edit: Edit) -> None:
        """Add an edit, if its place exists."""
        self._see([*self.edits, edit])

    def back(self) -> bool:
        """Delete a character, or undo the last edit; return whether there was one."""
        if self.line:
            self.line = self.line[:-1]
        elif self.edits:
            self._see(self.edits[:-1])
        else:
            return False
        return True

    def _see(self, edits: list[Edit]) -> None:
        self.message = ""
        try:
            self.seen = self.recording.revision(edits) if edits else None
        except KeyError:
            self.message = self.words("doubt.place")
        else:
            self.edits = edits
        self.at = max(1, min(self.at, len(self.tricks()) or 1))
        self.place = min(self.place, len(self.cards()))

    def take(self) -> None:
        """Accept the edits; raises what `Recording.revise` raises."""
        self.recording.revise(self.edits, anyway=True, cut=True)

    # Lines -----------------------------------------------------------------------------------

    def lines(self, width: int, room: int) -> list[Line]:
        """The list, as much of it as fits, including the selected trick."""
        words, tricks = self.words, self.tricks()
        self.top = max(min(self.top, self.at - 1, max(len(tricks) - room, 0)), self.at - room, 0)
        marks = f"{'▲' if self.top else ' '}{'▼' if self.top + room < len(tricks) else ' '}"
        title: Line = [(f"{words('record.tricks')}  ", "head")]
        title.append((f"{words('record.tricks-keys')} {marks}", "dim"))
        lines = [title if length(title) <= width else title[1:]]
        changed = self._changed()
        for number, trick in enumerate(tricks, 1):
            if self.top < number <= self.top + room:
                lines.append(self._line(number, trick, number in changed, width))
        return lines

    def _line(self, number: int, trick: Trick, changed: bool, width: int) -> Line:
        """A trick: its cards, each with its player, whose name is shortened until all have room."""
        here = number == self.at
        start: Line = [("▸" if here else " ", "b"), (f"{number:>3}. ", "b" if here else "")]
        for most in NAMES:
            line = [*start, *self._cards(trick, here, most)]
            if changed:
                line.append((" *", "warn"))
            if length(line) <= width:
                break
        return line

    def _cards(self, trick: Trick, here: bool, most: int) -> Line:
        """The cards of a trick, with names of at most `most` letters, or else seats or nothing."""
        line: Line = []
        place = 0
        for card in trick.upcards:
            place += 1
            line += [(card, self._style(here, place)), (" ", "")]
        if trick.upcards:
            line.append(("| ", "dim"))
        for play in trick.plays:
            place += 1
            asked = FOR_THE_DIRECTOR in play.comments
            marks = ("^" if play.irregular else "") + ("?" if asked else "")
            card = (play.card or UNSEEN) + marks
            won = play.seat == trick.winner
            name = clip(self.recording.name(play.seat, self.words), most)
            if most:
                line.append((f"{name if most > 1 else play.seat} ", ""))
            line.append((card, self._style(here, place) or ("b" if won else "")))
            line.append((("+ " if won else "  ") if most > 1 else "+ " if won else " ", "win"))
        return line

    def _style(self, here: bool, place: int) -> str:
        return "chosen" if here and place == self.place else ""

    def _of_taken(self) -> Iterator[str]:
        """The keys that change who took which card in the selected trick, as texts."""
        for trick in self.tricks()[self.at - 1 : self.at]:
            if trick.pick:
                yield "record.mend-pick"
            won = next((play.card for play in trick.plays if play.seat == trick.winner), None)
            if trick.phase == 1 and not trick.auto and won and seers(number_of(won)):
                yield "record.mend-look"

    def _changed(self) -> set[int]:
        """The tricks that would change."""
        if self.seen is None:
            return set()
        shown = revision_view(self.recording, self.seen, self.words)
        return {trick["number"] for trick in shown["tricks"] if trick["changed"]}

    def said(self, width: int) -> list[Line]:
        """The result of the edits, and the available keys."""
        words, lines = self.words, []
        if self.message:
            lines += wrap([(self.message, "warn")], width, 2)
        if self.seen is None:
            text = words("record.mend-card" if self.place else "record.mend-how")
            if self.place and self.cards()[self.place - 1][1]:
                text += f"   {words('record.mend-play')}"
            text += "".join(f"   {words(key)}" for key in self._of_taken())
            return [*lines, *wrap([(text, "dim"), (f" {self.line}▏", "b")], width, 2)]
        seen = self.seen

        def name(seat: int) -> str:
            return self.recording.name(seat, words)

        changed = len(self._changed())
        if gone := deleted(self.recording, seen):
            text = words("record.mend-deleted", tricks=", ".join(map(str, gone)))
            lines.append([(text, "b")])
        lines.append([(words.count("record.mended", changed), "b")])
        for doubt in seen.marked[:3]:
            text = f"^ {doubt.sentence(words, name)}"
            lines += wrap([(text, "warn")], width, 2)[:2]
        if seen.doubt is not None:
            text = words(
                "record.mend-stops", trick=seen.stopped, why=seen.doubt.sentence(words, name)
            )
            lines += wrap([(text, "warn")], width, 2)
            rest = words("record.mend-rest", words=" ".join(seen.rest))
            lines.append([(clip(rest, width), "warn")])
        lines += wrap([(words("record.mend-take"), "b"), (f" {self.line}▏", "b")], width, 2)
        return lines
