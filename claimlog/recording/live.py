r"""A game being recorded: entries in notation, doubts, undo and redo.

>>> recording = Recording(State("GKUWX", players=["Anna", "Ben"]))
>>> for word in ("U7", "G5", "G8", "X3", "K4"):
...     entered = recording.enter(word)
>>> print(recording.text, end="")
[CLM "1"]
[Player1 "Anna"]
[Player2 "Ben"]
[Deck "GKUWX"]
[Leader "1"]
[Result "*"]
<BLANKLINE>
1. U7: G5 G8+
2. X3: K4
*
>>> recording.due, entered.closed
(Turn(kind='play', seat=1), None)
>>> recording.enter("G5")
Traceback (most recent call last):
claimlog.recording.entering.Doubt: G5 has shown up already
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from claimlog.cards import CARD_NAMES, COPIES
from claimlog.language import NamedSeats
from claimlog.language import words as words_of
from claimlog.notation.writer import canonical
from claimlog.parts import known
from claimlog.recording.entering import (
    LEAVE,
    Doubt,
    amended,
    do,
    judged,
    pass_over,
    passed,
    read_record,
    record_of,
    stood,
    tried,
)
from claimlog.recording.revising import Revision, revised
from claimlog.replay.narration import Narrator, isolated, plain
from claimlog.replay.viewpoint import Viewpoint
from claimlog.state import UNSEEN, State

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from claimlog.game import Game, Problem, Seat, Trick
    from claimlog.language import Words
    from claimlog.recording.revising import Edit
    from claimlog.rules.setup import Setup
    from claimlog.state import Action, Turn

__all__ = ["Entered", "Recording", "sentences_of", "unseen_of"]


class Entered(NamedTuple):
    """The effect of an entry: its actions, and the trick that it decided, if any."""

    actions: list[Action]
    closed: Trick | None


class Recording:
    """A game being recorded, with everything that can be undone.

    `state` is the game so far.  `keep` is called with the record's text after every change, before
    the change takes effect: if it raises, the exception is passed on and nothing changes.  `clock`
    returns the value of an End tag; with it, the entry that ends the game records the time.

    Every method that changes something can be undone, in the order of the changes.  After undoing
    several and entering the first of them again, the others can still be redone.
    """

    def __init__(
        self,
        state: State,
        keep: Callable[[str], object] | None = None,
        clock: Callable[[], str] | None = None,
    ) -> None:
        self._state = state.copy()
        self._keep = keep
        self._clock = clock
        self._end = state.tags.get("End", "")
        self._past: list[State | int] = []
        self._future: list[State | int] = []
        """The targets of `undo` and `redo`: another state, or a number of actions of this one."""
        self.aside: list[str] = []
        """Words that were undone before something else was entered; `redo` enters them."""
        if state.finished:
            going = state.copy()
            going.go_on()
            self._past.append(going)
        else:
            self._state.go_on()
        self.text = ""
        self._commit(self._state)

    @classmethod
    def resume(
        cls,
        text: str,
        keep: Callable[[str], object] | None = None,
        clock: Callable[[], str] | None = None,
        words: Words | None = None,
    ) -> Recording:
        """Continue a record, whoever wrote it.

        Its actions can be undone one by one.  Raises `RecordError`, a ValueError with the place, if
        it is not one game, or if it has errors, in `words`.  `keep` is first called for the first
        change.
        """
        recording = cls(read_record(text, words))
        recording._keep, recording._clock = keep, clock
        return recording

    # Reading -----------------------------------------------------------------------------

    @property
    def state(self) -> State:
        """A copy of the current state of the game."""
        return self._state.copy()

    @property
    def game(self) -> Game:
        """The game so far."""
        return self._state.game()

    @property
    def due(self) -> Turn:
        """The kind of action due, and who is to act.

        A draw or a Seer's choice that is due may be skipped: the next card is also accepted.
        """
        return self._state.to_act

    @property
    def over(self) -> bool:
        """Whether nothing more can be entered: all is played, or the game was ended."""
        return self._state.over or self._state.finished

    @property
    def now(self) -> State:
        """The current state itself, only to be read (`state` is a copy)."""
        return self._state

    @property
    def setup(self) -> Setup:
        """What was agreed."""
        return self._state.setup

    @property
    def shown(self) -> Game:
        """The game so far, created once for all who only read it."""
        return self._shown

    @property
    def last(self) -> Trick | None:
        """The last trick that was won, or None."""
        return next((t for t in reversed(self._shown.tricks) if t.winner is not None), None)

    def possible(self) -> list[str]:
        """The possible entries for what is due, as far as known (see `State.choices`)."""
        return passed(self._state).choices()

    def unseen(self) -> dict[str, list[str]]:
        """By faction the cards that may still appear, each as often as copies are left.

        In Phase 2 these are the cards that have not been played in either phase.
        """
        return unseen_of(passed(self._state))

    def problems(self, words: Words | None = None) -> list[Problem]:
        """The problems that a reader of the record sees, such as revokes that were let stand.

        Players are named beside their seats.
        """
        tags = self._state.tags
        names = {s: known(tags.get(f"Player{s}", "")) for s in range(1, self.setup.seats + 1)}
        named = {seat: isolated(name) for seat, name in names.items() if name}
        say = NamedSeats(words or words_of(), named)
        return judged(self.text, say, reasons=False).problems

    def name(self, seat: Seat, words: Words) -> str:
        """The name of a seat's player, or its number."""
        return plain(known(self._state.tags.get(f"Player{seat}", ""))) or words("seat", number=seat)

    def why(self, words: Words) -> list[str]:
        """Who won the last trick and why, what else happened, who leads: one sentence each."""
        trick = self.last
        if trick is None:
            return []
        return sentences_of(trick, Narrator(Viewpoint(self._shown, None, words), words))

    # Entries -------------------------------------------------------------------------------

    def enter(
        self, word: str, *, anyway: bool = False, earlier: str | None = None, later: bool = False
    ) -> Entered:
        """Enter something, written as in the notation.

        A card (``g5``, ``U7:``) is whatever is due; ``-G3`` and ``-_`` are discards, ``~W2`` and
        ``~_`` what a Seer took, ``~-`` that it was left, ``=W3`` a pick, ``/U1`` or ``/U1,_``
        draws, a letter the faction that loot counts for.  A play may be followed by ``^`` and an
        annotation.  Draws that nobody announced, and a Seer's card that was left, may be skipped.

        Raises `Doubt`, and changes nothing, for an impossible entry.  With `anyway` it is accepted
        as a revoke that stands, or, if it proves an earlier one, that one is marked; `earlier` is
        the card that was meant in the place where the doubt reports `was` (``"_"``: unknown).  With
        `later` a revoke that stands is noted as one for the director to decide.
        """
        state = self._state.copy()
        if state.finished:
            raise Doubt("word", "the game was ended; undo that first", word)
        before = len(state.log)
        decided = state.decided
        if earlier is not None:
            doubt = self._doubted(state, word)
            if doubt is None or "earlier" not in doubt.remedies:
                raise Doubt("word", "no earlier entry contradicts it", word)
            amended(state, doubt.trick, doubt.was, earlier)
        marked: list[tuple[int, Seat | None]] = []
        while True:
            trial = state.copy()
            try:
                do(trial, word)
                break
            except Doubt as doubt:
                if not anyway or "anyway" not in doubt.remedies:
                    raise
                trick = doubt.trick or trial.trick
                if doubt.code == "follow":
                    word = f"{word}^"
                else:
                    stood(state, doubt)
                if later or doubt.code != "follow":
                    marked.append((trick, doubt.seat))
        done = trial.log[before:]
        new = self._asked(trial, marked) if later and marked else trial
        self._commit(new, None if marked or earlier is not None else len(done))
        entered = Entered(done, self.last if trial.decided > decided else None)
        self._replaced(entered)
        return entered

    def _asked(self, state: State, plays: Sequence[tuple[int, Seat | None]]) -> State:
        """Return the game with plays marked for the director, each a trick and a seat."""
        tricks = state.game().tricks
        edits = [
            {"do": "ask", "trick": trick, "place": place}
            for trick, seat in plays
            for place, play in enumerate(tricks[trick - 1].plays, 1)
            if play.seat == seat
        ]
        return revised(state, edits).state

    def _replaced(self, entered: Entered) -> None:
        """Keep aside only the words that were not entered again.

        A single card counts as replaced if it is not wanted back before the trick is won.
        """
        if self._future or not self.aside:
            return
        cards = [word.strip("-~=/^") for word in self.aside]
        if (card := entered.actions[-1].card) in cards:
            self.aside = self.aside[cards.index(card) + 1 :]
        if len(self.aside) == 1 and entered.closed is not None:
            self.aside = []

    def _doubted(self, state: State, word: str) -> Doubt | None:
        try:
            do(state.copy(), word)
        except Doubt as doubt:
            return doubt
        return None

    def fill(self, trick: int, seat: Seat, card: str) -> None:
        """Name the hidden card that a seat drew, or took with a Seer, in a trick of Phase 1.

        ``"_"`` makes it unknown again.  Raises `Doubt`; KeyError if it took none.
        """
        state = self._state.copy()
        if state.trick == trick:
            pass_over(state, "")
        tried(state, card.upper(), lambda: state.fill(trick, seat, card))
        self._commit(state)

    def mend(self, trick: int, was: str, card: str) -> None:
        """Correct a card that was entered: an upcard, play, discard or draw of a trick.

        Raises `Doubt`; KeyError if there is no such card in the trick.
        """
        state = self._state.copy()
        amended(state, trick, was, card)
        self._commit(state)

    def let_stand(self, trick: int, seat: Seat) -> None:
        """Mark a play as a revoke that the director lets stand; KeyError if there is none."""
        state = self._state.copy()
        state.let_stand(trick, seat)
        self._commit(state)

    def revise(self, edits: Sequence[Edit], *, anyway: bool = False, cut: bool = False) -> Revision:
        """Correct earlier tricks (`EDITS`): one change, after which everything is judged again.

        Raises `Doubt`, and changes nothing, if a play could only stand as a revoke, unless
        `anyway`, and if the game could not continue as it did, unless it is `cut` there: then
        `redo` enters what followed, word by word.  KeyError for a place that does not exist.
        """
        revision = revised(self._state, edits)
        if revision.marked and not anyway:
            raise revision.marked[0]
        if revision.doubt is not None and not cut:
            raise Doubt("then", str(revision.doubt), revision.doubt.card, trick=revision.stopped)
        self._commit(revision.state)
        if revision.doubt is not None:
            self.aside = revision.rest
        return revision

    def revision(self, edits: Sequence[Edit]) -> Revision:
        """The result of `revise`; nothing changes.  Raises KeyError."""
        return revised(self._state, edits)

    def wrong_player(self) -> list[Edit]:
        """The edits for `revise` if the last trick's cards belong to other seats; empty if unclear.

        In trick 1 another seat led.  Later the leader follows from the trick before, so the order
        is rotated once all have played.
        """
        trick = next((each for each in reversed(self._shown.tricks) if each.plays), None)
        seats = self.setup.seats
        if trick is None or trick.number == 1:
            return [{"do": "leader", "seat": self.setup.leader % seats + 1}]
        return [{"do": "turn", "trick": trick.number}] if len(trick.plays) == seats else []

    def note(self, text: str) -> None:
        """Comment on the last play, on the trick, or (before trick 1) on the game.

        Raises ValueError for an empty text.
        """
        text = " ".join(text.encode(errors="replace").decode().replace("\0", "").split())
        if not text:
            raise ValueError("a comment has some text")
        state = self._state.copy()
        state.comment(text)
        self._commit(state)

    def annotate(self, annotation: str) -> None:
        """Annotate the last play (see `State.annotate`); raises ValueError."""
        state = self._state.copy()
        state.annotate(annotation)
        self._commit(state)

    def stamp(self, time: str) -> None:
        """Record the clock's time, as in "0:04:30", with the last play."""
        self.note(f"[%clk {time}]")

    def pause(self, time: str) -> None:
        """Record a pause that began at a clock's time."""
        self.note(f"[%pause {time}]")

    def finish(self, result: str, termination: str) -> None:
        """End the game early: by "resignation", "adjudication", "time" ...

        Raises `Doubt` if the record would have an error.
        """
        state = self._state.copy()
        state.write_end(result, termination)
        text = canonical(state.game())
        if errors := judged(text).errors:
            raise Doubt("record", str(errors[0]), record=text)
        self._commit(state)

    def tag(self, name: str, value: str) -> None:
        """Set a tag, or drop it with ``""``: event, names, also the deck or the leader.

        Raises `Doubt` if the record would have an error with it.
        """
        self.agree({name: value})

    def agree(self, tags: Mapping[str, str]) -> None:
        """Set several tags together, or drop those with ``""``: one change for undo.

        Raises `Doubt`, and changes nothing, if the record would have an error with all of them.
        """
        state = self._agreed(tags)
        if not state.finished:
            state.go_on()
        self._commit(state)

    def disagreement(self, tags: Mapping[str, str]) -> Doubt | None:
        """The reason why `agree` would refuse tags, None if it would not; nothing changes."""
        try:
            self._agreed(tags)
        except Doubt as doubt:
            return doubt
        return None

    def _agreed(self, tags: Mapping[str, str]) -> State:
        """The game with some tags set, read again."""
        game = self._state.game()
        for name, text in tags.items():
            if name in ("Loot", "Votes", "Termination", "Result"):
                raise Doubt(
                    "follows", f"{name} follows from the game, or from how it was ended", name
                )
            game.tags.pop(name, None)
            if value := " ".join(text.split()):
                game.tags[name] = value
            if name == "Deck":
                game.deck = ""
        record = canonical(game)
        try:
            return read_record(record)
        except ValueError as error:
            said = " ".join(value for value in tags.values() if value)
            raise Doubt("record", str(error), said, record=record) from None

    # Undo and redo -------------------------------------------------------------------------

    @property
    def can_undo(self) -> bool:
        """Whether there is something to undo."""
        return bool(self._past or self._state.log)

    @property
    def can_redo(self) -> bool:
        """Whether something was undone that can be done again."""
        return bool(self._future or self.aside)

    def undone(self) -> list[str]:
        """The entries that `redo` would restore, the next one first; no notes or corrections."""
        return [*self._undone(), *self.aside]

    def _undone(self) -> list[str]:
        state = self._state
        for step in reversed(self._future):
            state = state.copy() if isinstance(step, int) else step
            for _ in range(step if isinstance(step, int) else 0):
                state.redo()
        done = len(self._state.log)
        return [word for word in map(_word_of, state.log[done:]) if word]

    def undo(self) -> None:
        """Undo the last change; raises IndexError at the beginning."""
        if self._past:
            step = self._past[-1]
        elif self._state.log:
            step = _steps(self._state)
        else:
            raise IndexError("nothing has been done yet")
        self._go(step, self._past, self._future, back=True)

    def redo(self) -> None:
        """Redo what was undone last, even if something else was entered since.

        Raises IndexError if nothing was undone, `Doubt` if it is no longer possible.
        """
        if self._future:
            self._go_forth()
        elif self.aside:
            word, *rest = self.aside
            self.enter(word)
            self.aside = rest
        else:
            raise IndexError("nothing has been undone")

    def take_aside(self) -> str:
        """Take the next word kept aside, to enter it elsewhere; IndexError if there is none."""
        return self.aside.pop(0)

    def _go_forth(self) -> None:
        self._go(self._future[-1], self._future, self._past, back=False)

    def _go(
        self, step: State | int, here: list[State | int], there: list[State | int], back: bool
    ) -> None:
        new = self._at(step, back=back)
        self._write(new)
        if here:
            here.pop()
        there.append(step if isinstance(step, int) else self._state)
        self._state = new

    def _at(self, step: State | int, *, back: bool) -> State:
        """The game after a step of `_past` or `_future`."""
        if not isinstance(step, int):
            return step.copy()
        new = self._state.copy()
        for _ in range(step):
            if back:
                new.undo()
            else:
                new.redo()
        return new

    def _commit(self, state: State, actions: int | None = None) -> None:
        """Save `state` and make it current; the last `actions` of it are new, or (None) all is."""
        if self._future and self._undone_last(state):
            self._go_forth()  # the same again: what was undone after it can still be redone
            return
        first = state is self._state
        undone = self.undone() if self._future else self.aside
        self._write(state, [] if actions is None else self._kept(state))
        if not first:
            self._past.append(self._state if actions is None else actions)
            self._future.clear()
            self.aside = undone
        self._state = state

    def _undone_last(self, state: State) -> bool:
        """Whether `state` is the one that a redo would lead to."""
        undone = self._at(self._future[-1], back=False)
        return undone.to_act == state.to_act and record_of(undone) == record_of(state)

    def _kept(self, state: State) -> list[Trick]:
        """The tricks that `state`, which continues the last one, has in common with it."""
        if state.decided == 2 * state.setup.tricks:
            return []  # the end reveals which cards were drawn
        return [trick for trick in self._shown.tricks if trick.number < self._state.trick]

    def _write(self, state: State, kept: Sequence[Trick] = ()) -> None:
        if self._clock is not None:
            self._note_end(state, self._clock)
        game = state.game(kept)
        text = canonical(game)
        if self._keep is not None:
            self._keep(text)
        self.text = text
        self._shown = game

    def _note_end(self, state: State, clock: Callable[[], str]) -> None:
        """Record when the game was over; after undo and redo the time is the same."""
        if state.over or state.finished:
            self._end = state.tags.setdefault("End", self._end or clock())
        else:
            state.tags.pop("End", None)


def unseen_of(state: State) -> dict[str, list[str]]:
    """By faction the cards that have not been seen in a game (`Recording.unseen`)."""
    kinds = (
        ("play", "discard") if state.phase == 2 else ("play", "discard", "turn-up", "draw", "look")
    )
    gone = Counter(action.card for action in state.log if action.kind in kinds)
    return {
        letter: [
            name
            for card, name in enumerate(CARD_NAMES)
            if name[0] == letter
            for _ in range(COPIES[card] - gone[name])
        ]
        for letter in state.deck
    }


def sentences_of(trick: Trick, narrator: Narrator) -> list[str]:
    """Who won a trick and why, what else happened, who leads: one sentence each."""
    return narrator.reasons(
        [each for each in trick.reasons if not each.code.startswith(("role.", "taken."))]
    )


def _steps(state: State) -> int:
    """The number of actions that one undo takes back in a record that was opened.

    Unrecorded draws, and the hidden card that a Seer left, go together with the card after them.
    """
    log = state.log
    steps = 1
    while steps < len(log) and (
        (log[-1 - steps].kind == "draw" and log[-1 - steps].card == UNSEEN)
        or (log[-1 - steps].kind == "look" and log[-1 - steps].card is None)
    ):
        steps += 1
    return steps


def _word_of(action: Action) -> str:
    """The entry for an action; "" for a draw that nobody saw."""
    if action.kind == "look":
        return LEAVE if action.card is None else f"~{action.card}"
    if action.kind == "draw":
        return "" if action.card == UNSEEN else f"/{action.card}"
    return f"{action.card}{'^' if action.irregular else ''}"
