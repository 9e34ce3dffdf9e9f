"""The keyboard at a table: typed words go to the recording, and impossible ones wait.

Nothing typed is ignored, and no key of a card answers a question: while a word waits for an answer,
everything typed queues up behind it, and is entered once the answer is given.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from claimlog.cards import CARD_NAMES, LETTERS
from claimlog.recording import Aside, Doubt
from claimlog.state import UNSEEN

from .typed import card_of, is_card, typed, word_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from claimlog.language import Words
    from claimlog.recording import Recording

ENTER: Final = "enter"
"""The key that ends a word, and continues with the next trick."""


def keys_of(keys: Iterable[str]) -> str:
    """A row of keys for display."""
    return "".join("⏎" if key == ENTER else key for key in keys)


class Waiting(NamedTuple):
    """A word that was not accepted: it waits until somebody decides about it.

    `line` is the text typed for it; without a doubt, the file could not be written.
    """

    word: str
    line: str
    doubt: Doubt | None


class Answer(NamedTuple):
    """A possible answer about a waiting word: what to do, with which card, and its text."""

    what: str
    card: str
    text: str


class Keyboard:
    """The state of typing: the line, the waiting word, and the keys typed after it.

    `ring` is called for each word that is not accepted, and for each key that waits or is refused;
    `entered` after each entry.
    """

    def __init__(
        self,
        recording: Recording,
        words: Words,
        ring: Callable[[], object],
        entered: Callable[[], object],
    ) -> None:
        self.recording = recording
        self.words = words
        self.ring = ring
        self.entered = entered
        self.line = ""
        """The part of a word typed so far."""
        self.message = ""
        self.failed = ""
        """The reason why the file could not be written last time."""
        self.waiting: Waiting | None = None
        self.behind: list[str] = []
        """Keys typed since something has been waiting: they are entered once it is settled."""
        self.rest: list[str] = []
        """Keys that waited and are being entered now."""
        self.taking = False
        """Whether the waiting word is being entered."""
        self.quiet = False
        """Whether the waiting word is put off: keys typed after it do not ring."""
        self.chosen: int | None = None
        """The selected answer."""
        self.instead = ""
        """Whether the correct card is being typed: for the waiting word ("word"), or "earlier"."""
        self.closed = False
        """Whether the trick won last is still shown on the table."""
        self.over = False
        """Whether Enter was pressed at the end."""

    # Typing ----------------------------------------------------------------------------------

    def press(self, key: str, *, again: bool = False) -> None:
        """Handle a key; `again`: one that had to wait."""
        if not again:
            self.message = ""
        if self.waiting is not None and not self.instead:
            self.behind.append(key)
            if not again and not self.quiet:
                self.ring()
        elif key in (ENTER, " "):
            self._close(key)
        else:
            deck = self.recording.setup.deck
            loot = self.recording.due.kind == "loot" and not self.instead
            step = typed(self.line, key, self.led(), letters=loot)
            self.line = step.line
            if step.word:
                self._whole(step.word)
            if step.again:
                self.press(key, again=again)
            elif step.line and step.line[-1].isalpha() and step.line[-1] not in deck:
                self.refuse(self._no_faction(step.line[-1]))

    def _no_faction(self, letter: str) -> str:
        """The message about a letter that begins no card of the deck."""
        words, deck = self.words, self.recording.setup.deck
        letters = self.factions(deck)
        if letter in LETTERS:
            faction = words.faction(letter)
            return f"{words('doubt.deck', faction=faction)} {words('record.back', letters=letters)}"
        return words("record.no-letter", letter=letter, letters=letters)

    def _close(self, key: str) -> None:
        """End the word; with Enter alone continue with the next trick, or leave."""
        if self.line:
            line, self.line = self.line, ""
            self._whole(line)
        elif key == ENTER and self.recording.over and not self.instead:
            self.over = True
        elif key == ENTER:
            self.closed = False

    def led(self) -> str:
        """The led faction, if a value alone stands for one of its cards."""
        state = self.recording.now
        due = state.to_act.kind == "play" and self.instead != "earlier"
        return state.plays[0][1][0] if due and state.plays else ""

    @property
    def word(self) -> str:
        """The line as a word."""
        return word_of(self.line, self.led())

    def _whole(self, line: str) -> None:
        """Enter a complete word, or use it as the answer about a waiting one."""
        word = word_of(line, self.led())
        if self.instead == "earlier":
            self._mend_earlier(word)
        else:
            self._enter(word, line)

    def _enter(self, word: str, line: str, *, anyway: bool = False, later: bool = False) -> None:
        """Enter a word; an impossible one waits, otherwise the keys typed after it follow."""
        if self._entered(word, line, anyway=anyway, later=later):
            self._follow()

    def _entered(
        self, word: str, line: str, *, anyway: bool = False, earlier: str = "", later: bool = False
    ) -> bool:
        """Enter a word; return whether it was accepted."""
        recording = self.recording
        self.taking = True
        try:
            entered = recording.enter(word, anyway=anyway, earlier=earlier or None, later=later)
        except Doubt as doubt:
            if earlier and self.waiting is not None:
                self.refuse(doubt.sentence(self.words, self.who))
                self.instead = ""
            else:
                self._wait(Waiting(word, line, doubt))
            return False
        except OSError as error:
            self.failed = str(error)
            self._wait(Waiting(word, line, None))
            return False
        finally:
            self.taking = False
        self.failed = ""
        self.closed = entered.closed is not None or (
            self.closed and entered.actions[-1].kind in ("look", "pick", "draw")
        )
        self.entered()
        return True

    def _wait(self, waiting: Waiting) -> None:
        """Make a word wait, and ring."""
        self.quiet = False
        self.waiting, self.chosen, self.instead = waiting, None, ""
        self.ring()

    def _follow(self) -> None:
        """Enter the keys that were typed after a word that is now settled."""
        following = bool(self.rest)
        self.rest, self.behind = [*self.rest, *self.behind], []
        self.waiting, self.chosen, self.instead = None, None, ""
        while self.rest and not following:
            self.press(self.rest.pop(0), again=True)

    @property
    def aside(self) -> Aside:
        """What is waiting, key by key, for a file; excludes what is being entered at the moment."""
        waiting = self.waiting if not self.taking else None
        keys = [*(waiting.line if waiting else ""), *self.behind, *self.rest]
        kept = "".join("\n" if key == ENTER else key for key in keys)
        return Aside(kept, later=waiting.word if waiting and self.quiet else "")

    def restore(self, aside: Aside) -> None:
        """Type again what was waiting; what was put off stays so."""
        for key in aside.waiting:
            self.press(ENTER if key == "\n" else key, again=True)
        self.quiet = self.waiting is not None and self.waiting.word == aside.later

    # Answers ---------------------------------------------------------------------------------

    def why_not(self, waiting: Waiting) -> str:
        """The reason why a word was not accepted."""
        words, doubt, word = self.words, waiting.doubt, waiting.word
        if doubt is None:
            return self.failed
        if doubt.code != "word" or self.recording.over:
            return doubt.sentence(words, self.who)
        card = card_of(word)
        deck = self.recording.setup.deck
        if self.recording.due.kind == "loot":
            return words("record.no-loot", letters=self.factions(self.recording.possible()))
        if card.isdigit():
            return words("record.no-faction", letters=self.factions(deck))
        if card[:1] not in deck and card[:1] in LETTERS and card[:1]:
            return words("doubt.deck", faction=words.faction(card[0]))
        if len(card) == 1 and card in deck:
            return words("record.no-value", faction=words.faction(card))
        if card in CARD_NAMES or card == UNSEEN:
            return doubt.sentence(words, self.who)
        return words("record.no-card", letters=self.factions(deck))

    def who(self, seat: int) -> str:
        """The name of a seat's player."""
        return self.recording.name(seat, self.words)

    def factions(self, letters: Iterable[str]) -> str:
        """Factions with their letters."""
        return ", ".join(f"{letter} {self.words.faction(letter)}" for letter in letters)

    def answers(self, waiting: Waiting) -> list[Answer]:
        """The possible answers about the waiting word."""
        words, word, doubt = self.words, waiting.word, waiting.doubt
        if doubt is None:
            return [
                Answer("again", "", words("record.again")),
                Answer("drop", "", words("record.drop", word=word)),
            ]
        answers = []
        if doubt.code == "pick" and doubt.seat is not None:
            answers += [
                Answer("first", card, words("record.first", name=self.who(doubt.seat), card=card))
                for card in dict.fromkeys(self.recording.state.upcards)
            ]
        answers.append(Answer("retype", "", words("record.retype", word=word)))
        if "anyway" in doubt.remedies:
            answers.append(Answer("anyway", "", words("record.happened")))
            answers.append(Answer("later", "", words("record.later-stands")))
        if "earlier" in doubt.remedies:
            place = {"was": doubt.was, "trick": doubt.trick}
            answers.append(Answer("earlier", "", words("record.earlier", **place)))
        if "anyway" not in doubt.remedies and not self.quiet:
            answers.append(Answer("later", "", words("record.later")))
        return [*answers, Answer("drop", "", words("record.drop", word=word))]

    def move(self, step: int) -> None:
        """Select the next answer (1), or the previous one (-1)."""
        if self.waiting is None or self.instead:
            self.refuse(self.words("record.first-instead" if self.instead else "record.no-key"))
            return
        number = len(self.answers(self.waiting))
        self.chosen = (self.chosen + step if self.chosen is not None else min(step, 0)) % number

    def settle(self) -> None:
        """Carry out the selected answer."""
        waiting = self.waiting
        assert waiting is not None
        assert self.chosen is not None
        answer = self.answers(waiting)[self.chosen]
        self.message = ""
        if answer.what == "drop":
            self.message = self.words("record.away", keys=waiting.word)
            self._follow()
        elif answer.what in ("retype", "earlier"):
            self.instead = "word" if answer.what == "retype" else "earlier"
            self.chosen = None
        elif answer.what == "first":
            self.behind = [*waiting.line, " ", *self.behind]
            self._enter(answer.card, answer.card)
        elif answer.what == "later" and not self._stands(waiting):
            self.quiet, self.chosen = True, None
        else:
            later = answer.what == "later"
            anyway = later or answer.what == "anyway"
            self._enter(waiting.word, waiting.line, anyway=anyway, later=later)

    def _stands(self, waiting: Waiting) -> bool:
        """Whether a waiting word can be entered as a revoke that stands."""
        return waiting.doubt is not None and "anyway" in waiting.doubt.remedies

    def _mend_earlier(self, card: str) -> None:
        """Correct the earlier card that conflicts with the waiting word."""
        waiting = self.waiting
        assert waiting is not None
        if self._entered(waiting.word, waiting.line, earlier=card):
            self._follow()

    def refuse(self, message: str) -> None:
        """Ring, and show the reason."""
        self.message = message
        self.ring()

    @property
    def open(self) -> str:
        """The text typed but not entered."""
        line = self.line if self.waiting is None or self.instead else ""
        return (self.waiting.line if self.waiting is not None else "") + keys_of(self.behind) + line

    def clear(self) -> None:
        """Discard (Esc) the text typed but not entered, with a message."""
        self.message = ""
        if self.instead:
            self.instead, self.line = "", ""
        elif self.open:
            self.message = self.words("record.away", keys=self.open)
            self.waiting, self.behind, self.chosen, self.line = None, [], None, ""
        elif self.recording.aside:
            self.message = self.words("record.away", keys=" ".join(self.recording.aside))
            self.recording.aside = []

    # Other actions ---------------------------------------------------------------------------

    def free(self) -> bool:
        """Whether nothing is waiting; otherwise ring, and show what comes first."""
        self.message = ""
        if self.line and self.waiting is None and is_card(self.line, self.led()):
            self._close("")
        if self.instead:
            self.refuse(self.words("record.first-instead"))
        elif self.waiting is not None:
            self.refuse(self.words("record.first-answer", word=self.waiting.word))
        elif self.line:
            self.refuse(self.words("record.first-type", word=self.line))
        return self.waiting is None and not self.line

    def take_back(self) -> None:
        """Take back a key, or the last entry."""
        self.message = ""
        waiting = self.waiting
        if self.line:
            self.line = self.line[:-1]
        elif self.instead:
            self.instead = ""
        elif self.behind:
            self.behind.pop()
        elif waiting is not None:
            self.waiting, self.chosen, self.line = None, None, waiting.line[:-1]
        else:
            self._step(self.recording.undo)

    def redo(self) -> None:
        """Redo what was taken back, even if something was entered since."""
        if not self.free():
            return
        self._step(self.recording.redo)

    def _step(self, step: Callable[[], None]) -> None:
        self.closed = False
        self.change(step)

    def change(self, change: Callable[[], object]) -> bool:
        """Change something other than cards, or go back or forth; show any error."""
        try:
            change()
        except IndexError:
            self.refuse(self.words("record.nothing"))
        except Doubt as doubt:
            self.refuse(doubt.sentence(self.words, self.who))
        except OSError as error:
            self.failed = str(error)
            self.ring()
        except (ValueError, KeyError):
            return False
        else:
            self.failed = ""
        return True
