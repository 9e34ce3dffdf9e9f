r"""A game as it is recorded: entries as the notation writes them, doubts, undo and redo.

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
claimlog.recording.live.Doubt: G5 has shown up already
"""

from __future__ import annotations

import re
from collections import Counter
from functools import partial
from io import BytesIO
from typing import TYPE_CHECKING, Final, NamedTuple

from claimlog.cards import CARD_NAMES, COPIES, LETTERS
from claimlog.notation.reader import sheets
from claimlog.notation.tokens import ANNOTATIONS
from claimlog.notation.writer import canonical
from claimlog.replay.narration import Narrator, plain
from claimlog.replay.recorder import Recorder
from claimlog.replay.viewpoint import Viewpoint
from claimlog.state import UNSEEN, Contradiction, IllegalAction, State

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from claimlog.game import Game, Problem, Seat, Trick
    from claimlog.language import Words
    from claimlog.rules.setup import Setup
    from claimlog.state import Action, Turn

__all__ = ["Doubt", "Entered", "Recording"]

_OF_THE_END: Final = frozenset({"missing-choice", "result"})
"""Errors that a record has as long as only the loot's faction is open."""
_WORD: Final = re.compile(
    r"""
    (?P<mark>[-~=/]?)
    (?P<cards>(?:[A-Za-z]\d{1,2}|_)(?:,(?:[A-Za-z]\d{1,2}|_))*|)
    :?
    (?P<irregular>\^?)
    (?P<annotation>[!?]{0,2})
    """,
    re.VERBOSE,
)
_LOOT: Final = re.compile(r"(?:\d=)?([A-Za-z])")
LEAVE: Final = "~-"
"""The Seer's player leaves the hidden card.  The notation writes nothing then."""


class Doubt(IllegalAction):
    """An entry that cannot be: was it mistyped, or did it happen so?

    `code` says what speaks against it:

    - "word": it is no entry at all, or not what is due
    - "card": there is no such card; "deck": its faction is not in the deck
    - "out": the card is out already, in `trick`, by `seat` (None: an upcard) as `was`
    - "follow": the seat must follow, for it is known to hold cards of the faction led
    - "void": the seat did not follow that faction in `trick`, with `was`
    - "hand": the seat cannot hold it, or cannot take it
    - "pick": `seat` must pick an upcard first, and this is none of them
    - "then": mended so, the game could not have gone on as it did in `trick`
    - "record": the record would have an error, which the message tells
    - "follows": the tag follows from the game
    - "place": there is nothing of the kind to change (of a `Table`)

    `remedies` are what can be done, besides not taking it, with `Recording.enter`: "anyway"
    keeps it and marks the revoke, "earlier" corrects `was` in `trick` instead.
    """

    def __init__(
        self,
        code: str,
        message: str,
        card: str = "",
        *,
        seat: Seat | None = None,
        trick: int = 0,
        was: str = "",
        remedies: tuple[str, ...] = (),
        record: str = "",
    ) -> None:
        super().__init__(message)
        self.code = code
        self.card = card
        self.seat = seat
        self.trick = trick
        self.was = was
        self.remedies = remedies
        self.record = record
        """The record that would have the error, so that it can be told in another language."""

    def sentence(self, words: Words, name: Callable[[Seat], str]) -> str:
        """What speaks against it, in a language; `name` tells the seats' names."""
        errors = _errors(_judged(self.record, words)) if self.record else []
        return words(
            f"doubt.{self.code}" if self.seat or self.code != "out" else "doubt.out-upcard",
            card=self.card,
            name=name(self.seat) if self.seat else "",
            trick=self.trick,
            was=self.was,
            faction=words.faction(self.card[0]) if self.card[:1] in LETTERS and self.card else "",
            message=errors[0].message if errors else str(self),
        )


class Entered(NamedTuple):
    """What an entry did: its actions, and the trick that it decided, if it did."""

    actions: list[Action]
    closed: Trick | None


class Recording:
    """A game that is being recorded, with all that can be undone.

    `state` is the game so far.  `keep` is given the record's text after every change, before
    the change counts: what it raises is passed on, and the change has not happened.  `clock`
    tells what an End tag says; with it the entry that ends the game notes when that was.

    Every method that changes something can be undone, in the order of the changes.  Whoever
    undoes some and enters the first of them again can still redo the others.
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
        """What `undo` and `redo` go to: another state, or so many actions of this one."""
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
    ) -> Recording:
        """Go on with a record, whoever wrote it.

        Its actions can be undone one by one.  Raises ValueError, with the place, if it is not
        one game, or if it has errors.  `keep` is first called for the first change.
        """
        recording = cls(_read(text))
        recording._keep, recording._clock = keep, clock
        return recording

    # What stands where -------------------------------------------------------------------

    @property
    def state(self) -> State:
        """A copy of the game as it stands, to ask it anything."""
        return self._state.copy()

    @property
    def game(self) -> Game:
        """The game as it stands."""
        return _game(self._state)

    @property
    def due(self) -> Turn:
        """What is due, and who is to act.

        A draw or a Seer that is due may be passed over: the next card is an entry as well.
        """
        return self._state.to_act

    @property
    def over(self) -> bool:
        """Whether nothing more can be entered: all is played, or the game was finished."""
        return self._state.over or self._state.finished

    @property
    def now(self) -> State:
        """The game as it stands itself, only to look at (`state` is a copy)."""
        return self._state

    @property
    def setup(self) -> Setup:
        """What was agreed."""
        return self._state.setup

    @property
    def shown(self) -> Game:
        """The game as it stands, made once for all who only look at it."""
        return self._shown

    @property
    def last(self) -> Trick | None:
        """The last trick that has been won, None if none has."""
        return next((t for t in reversed(self._shown.tricks) if t.winner is not None), None)

    def possible(self) -> list[str]:
        """The entries for what is due, as far as anybody can know (see `State.choices`)."""
        return passed(self._state).choices()

    def unseen(self) -> dict[str, list[str]]:
        """By faction the cards that may still come: what has not shown up, as often as it is left.

        In Phase 2 these are the cards that have not been played in either phase.
        """
        return unseen_of(passed(self._state))

    def problems(self, words: Words | None = None) -> list[Problem]:
        """What a reader of the record is told: revokes that were let stand, for example."""
        return _judged(self.text, words, reasons=False).problems

    def name(self, seat: Seat, words: Words) -> str:
        """The name of a seat's player, or its number."""
        return plain(self._state.tags.get(f"Player{seat}", "").strip("?")) or words(
            "seat", number=seat
        )

    def why(self, words: Words) -> list[str]:
        """Who won the last trick and why, what else happened, who leads: a sentence each."""
        trick = self.last
        if trick is None:
            return []
        return sentences_of(trick, Narrator(Viewpoint(self._shown, None, words), words))

    # Entries -------------------------------------------------------------------------------

    def enter(self, word: str, *, anyway: bool = False, earlier: str | None = None) -> Entered:
        """Take an entry, written as in the notation.

        A card (``g5``, ``U7:``) is what is due; ``-G3`` and ``-_`` are discards, ``~W2`` and
        ``~_`` what a Seer took, ``~-`` that it was left, ``=W3`` a pick, ``/U1`` or ``/U1,_``
        draws, a letter the faction that loot counts for.  ``^`` and an annotation may stand
        behind a play.  Draws that nobody told, and a Seer's card that was left, may be passed
        over.

        Raises `Doubt`, and changes nothing, for what cannot be.  With `anyway` it is taken as
        a revoke that stands, or, where it proves one, that one is marked; `earlier` is the card
        that was meant in the place where the doubt says that `was` stands (``"_"``: unknown).
        """
        state = self._state.copy()
        if state.finished:
            raise Doubt("word", "the game was ended; undo that first", word)
        before = len(state.log)
        decided = state.decided
        if earlier is not None:
            doubt = self._doubted(state, word)
            if doubt is None or "earlier" not in doubt.remedies:
                raise Doubt("word", "no earlier entry speaks against it", word)
            _amended(state, doubt.trick, doubt.was, earlier)
        marked = False
        while True:
            trial = state.copy()
            try:
                self._do(trial, word)
                break
            except Doubt as doubt:
                if not anyway or "anyway" not in doubt.remedies:
                    raise
                if doubt.code == "follow":
                    word = f"{word}^"
                else:
                    _stood(state, doubt)
                    marked = True
        done = trial.log[before:]
        self._commit(trial, None if marked or earlier is not None else len(done))
        return Entered(done, self.last if trial.decided > decided else None)

    def _doubted(self, state: State, word: str) -> Doubt | None:
        try:
            self._do(state.copy(), word)
        except Doubt as doubt:
            return doubt
        return None

    def _do(self, state: State, word: str) -> None:
        """Do what a word says; raises `Doubt`."""
        text = word.strip()
        if state.to_act.kind == "loot":
            chosen = _LOOT.fullmatch(text)
            if chosen is None:
                raise Doubt("word", f"{text!r} is not the letter of a faction", text)
            _tried(state, "", lambda: state.choose_loot(chosen[1].upper()))
            return
        if text == LEAVE:
            _expect(state, "look", text)
            state.look(False)
            return
        read = _WORD.fullmatch(text)
        if read is None or not (read["cards"] or read["mark"]):
            raise Doubt("word", f"{text!r} is not an entry", text)
        cards = [card.upper() for card in read["cards"].split(",")]
        mark = read["mark"]
        if mark == "/":
            _expect(state, "draw", text)
            for card in cards:
                _expect(state, "draw", text)
                _tried(state, card, partial(state.draw, card or UNSEEN))
            return
        if mark == "~":
            _expect(state, "look", text)
            if len(cards) > 1:
                raise Doubt("word", f"{text!r} is more than one card", text)
            _tried(state, cards[0], partial(state.look, True, cards[0] or UNSEEN))
            return
        _pass_over(state, {"-": "discard", "=": "pick"}.get(mark, ""))
        if len(cards) > 1 and state.to_act.kind != "turn-up":
            raise Doubt("word", f"{text!r} is more than one card", text)
        for card in cards:
            self._card(state, mark, card, bool(read["irregular"]))
        if read["annotation"]:
            if read["annotation"] not in ANNOTATIONS or state.log[-1].kind != "play":
                raise Doubt("word", f"{read['annotation']} is no annotation of a play", text)
            state.annotate(read["annotation"])

    def _card(self, state: State, mark: str, card: str, irregular: bool) -> None:
        """Do what a card without a mark, or with one of its place, says."""
        kind = state.to_act.kind
        wanted = {"-": "discard", "=": "pick"}.get(mark, kind)
        _expect(state, wanted, f"{mark}{card}")
        if irregular and kind != "play":
            raise Doubt("word", "only a play can be a revoke", card)
        if kind == "turn-up":
            _tried(state, card, lambda: state.turn_up(card))
        elif kind == "play":
            _tried(state, card, lambda: state.play(card, irregular=irregular))
        elif kind == "discard":
            _tried(state, card, lambda: state.discard(card))
        elif kind == "pick":
            _tried(state, card, lambda: state.pick(card))
        else:
            raise Doubt("word", "all has been played", card)

    def fill(self, trick: int, seat: Seat, card: str) -> None:
        """Say which hidden card a seat drew, or took with a Seer, in a trick of Phase 1.

        ``"_"`` makes it unknown again.  Raises `Doubt`; KeyError if it took none.
        """
        state = self._state.copy()
        if state.trick == trick:
            _pass_over(state, "")
        _tried(state, card.upper(), lambda: state.fill(trick, seat, card))
        self._commit(state)

    def mend(self, trick: int, was: str, card: str) -> None:
        """Correct a card that was entered: an upcard, play, discard or draw of a trick.

        Raises `Doubt`; KeyError if there is no such card in the trick.
        """
        state = self._state.copy()
        _amended(state, trick, was, card)
        self._commit(state)

    def let_stand(self, trick: int, seat: Seat) -> None:
        """Mark a play as a revoke that the director lets stand; KeyError if there is none."""
        state = self._state.copy()
        state.let_stand(trick, seat)
        self._commit(state)

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
        """Note the clock's time, as in "0:04:30", with the last play."""
        self.note(f"[%clk {time}]")

    def pause(self, time: str) -> None:
        """Note a pause that began at a clock's time."""
        self.note(f"[%pause {time}]")

    def finish(self, result: str, termination: str) -> None:
        """Say how the game ended before its end: "resignation", "adjudication", "time" ...

        Raises `Doubt` if the record would have an error.
        """
        state = self._state.copy()
        state.write_end(result, termination)
        text = canonical(_game(state))
        if errors := _judged(text).errors:
            raise Doubt("record", str(errors[0]), record=text)
        self._commit(state)

    def tag(self, name: str, value: str) -> None:
        """Set a tag, or drop it with ``""``: event, names, also the deck or who leads.

        Raises `Doubt` if the record would have an error with it.
        """
        if name in ("Loot", "Votes", "Termination", "Result"):
            raise Doubt("follows", f"{name} follows from the game, or from how it was ended", name)
        value = " ".join(value.split())
        game = _game(self._state)
        game.tags.pop(name, None)
        if value:
            game.tags[name] = value
        if name == "Deck":
            game.deck = ""
        text = canonical(game)
        try:
            state = _read(text)
        except ValueError as error:
            raise Doubt("record", str(error), value, record=text) from None
        if not state.finished:
            state.go_on()
        self._commit(state)

    # Back and forth ------------------------------------------------------------------------

    @property
    def can_undo(self) -> bool:
        """Whether there is something to undo."""
        return bool(self._past or self._state.log)

    @property
    def can_redo(self) -> bool:
        """Whether something was undone that can be done again."""
        return bool(self._future)

    def undone(self) -> list[str]:
        """The entries that `redo` would bring back, the next first; without notes and mends."""
        state = self._state
        for step in reversed(self._future):
            state = state.copy() if isinstance(step, int) else step
            for _ in range(step if isinstance(step, int) else 0):
                state.redo()
        done = len(self._state.log)
        return [word for word in map(_word_of, state.log[done:]) if word]

    def undo(self) -> None:
        """Take the last change back; raises IndexError at the beginning."""
        if self._past:
            step = self._past[-1]
        elif self._state.log:
            step = _steps(self._state)
        else:
            raise IndexError("nothing has been done yet")
        self._go(step, self._past, self._future, back=True)

    def redo(self) -> None:
        """Do again what was undone last; raises IndexError if nothing was."""
        if not self._future:
            raise IndexError("nothing has been undone")
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
        """Let `state` be what there is, once it is kept; `actions` of it are new, or all is."""
        if self._future and self._undone_last(state):
            self.redo()  # the same again: what was undone behind it is still to be had
            return
        first = state is self._state
        self._write(state, [] if actions is None else self._kept(state))
        if not first:
            self._past.append(self._state if actions is None else actions)
            self._future.clear()
        self._state = state

    def _undone_last(self, state: State) -> bool:
        """Whether `state` is what a redo would lead to."""
        undone = self._at(self._future[-1], back=False)
        return undone.to_act == state.to_act and record_of(undone) == record_of(state)

    def _kept(self, state: State) -> list[Trick]:
        """The tricks that stand in `state`, which goes on from the last, as they did there."""
        if state.decided == 2 * state.setup.tricks:
            return []  # the end tells which cards were drawn
        return [trick for trick in self._shown.tricks if trick.number < self._state.trick]

    def _write(self, state: State, kept: Sequence[Trick] = ()) -> None:
        if self._clock is not None:
            self._note_end(state, self._clock)
        game = _game(state, kept)
        text = canonical(game)
        if self._keep is not None:
            self._keep(text)
        self.text = text
        self._shown = game

    def _note_end(self, state: State, clock: Callable[[], str]) -> None:
        """Say when the game was over; undone and done again it is the same time."""
        if state.over or state.finished:
            self._end = state.tags.setdefault("End", self._end or clock())
        else:
            state.tags.pop("End", None)


def unseen_of(state: State) -> dict[str, list[str]]:
    """By faction the cards that have not shown up in a game (`Recording.unseen`)."""
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
    """Who won a trick and why, what else happened, who leads: a sentence each."""
    return narrator.reasons(
        [each for each in trick.reasons if not each.code.startswith(("role.", "taken."))]
    )


def record_of(state: State) -> str:
    """The record of a game as it stands."""
    return canonical(_game(state))


def _judged(text: str, words: Words | None = None, *, reasons: bool = True) -> Game:
    """The one game of a text; raises ValueError if it is not one."""
    recorder = Recorder(words, reasons=reasons)
    games = [recorder.record(*sheet) for sheet in sheets(BytesIO(text.encode()).read)]
    if len(games) != 1:
        raise ValueError(f"a recording is one game, and here are {len(games)}")
    return games[0]


def _errors(game: Game) -> list[Problem]:
    """The errors of a record, but for what only waits for the loot's faction."""
    return [error for error in game.errors if error.code not in _OF_THE_END]


def _read(text: str) -> State:
    """The state of a record; raises ValueError, with the place, if it has errors."""
    game = _judged(text)
    if errors := _errors(game):
        raise ValueError(str(errors[0]))
    if not game.deck:
        raise ValueError("a recording needs a Deck tag")
    state = State.from_game(game, proven=False)
    if game.errors and state.to_act.kind != "loot":
        raise ValueError(str(game.errors[0]))
    return state


def _game(state: State, kept: Sequence[Trick] = ()) -> Game:
    """The game of a state, as its record reads back.

    As long as a Seer's player has not said whether to take the hidden card it reads as left.
    """
    game = state.game(kept)
    if state.to_act.kind != "look":
        return game
    left = state.copy()
    left.look(False)
    seen = left.game(kept)
    seen.tags, seen.result = game.tags, game.result
    return seen


def _steps(state: State) -> int:
    """How many actions of a record that was opened one undo takes back.

    The draws that nobody noted, and the hidden card that a Seer left, go with the card behind.
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
    """An action as the entry that does it; "" for a draw that nobody saw."""
    if action.kind == "look":
        return LEAVE if action.card is None else f"~{action.card}"
    if action.kind == "draw":
        return "" if action.card == UNSEEN else f"/{action.card}"
    return f"{action.card}{'^' if action.irregular else ''}"


def _pass_over(state: State, wanted: str) -> None:
    """Leave draws open, and a Seer's card where it lies, so that the next card can come."""
    while state.to_act.kind in ("look", "draw") and state.to_act.kind != wanted:
        if state.to_act.kind == "look":
            state.look(False)
        else:
            state.draw()


def passed(state: State) -> State:
    """A game with what may be passed over passed over; only to look at."""
    if state.to_act.kind not in ("look", "draw"):
        return state
    copy = state.copy()
    _pass_over(copy, "")
    return copy


def _expect(state: State, kind: str, word: str) -> None:
    if kind == "draw" and state.to_act.kind == "look":
        state.look(False)
    due, seat = state.to_act
    if due == "pick" and kind != due:
        raise Doubt("pick", f"seat {seat} picks an upcard first", word, seat=seat)
    if due != kind:
        raise Doubt("word", f"{word!r} is not expected now", word)


def _tried(state: State, card: str, action: Callable[[], object]) -> None:
    """Do something; raises `Doubt` where the state refuses it."""
    to_act = state.to_act
    try:
        action()
    except Contradiction as error:
        raise Doubt("then", str(error), card, trick=error.trick) from None
    except IllegalAction as error:
        raise _doubt(state, card, to_act, error) from None


def _doubt(state: State, card: str, to_act: Turn, error: IllegalAction) -> Doubt:
    """What speaks against a card: the first of all that apply."""
    message = str(error)
    kind, seat = to_act
    if card == UNSEEN or not card:
        return Doubt("hand" if card else "word", message, card, seat=seat)
    if card not in CARD_NAMES:
        return Doubt("card", message, card)
    if card[0] not in state.deck:
        return Doubt("deck", message, card)
    if kind == "pick":
        return Doubt("pick", message, card, seat=seat)
    if error.revoked_in:
        was = next(
            play.card
            for play in state.tricks[error.revoked_in - 1].plays
            if play.seat == seat
        )  # fmt: skip
        remedies = ("anyway", "earlier")
        return Doubt(
            "void", message, card, seat=seat, trick=error.revoked_in, was=was or "",
            remedies=remedies,
        )  # fmt: skip
    if kind == "play" and state.can_play(card, irregular=True):
        return Doubt("follow", message, card, seat=seat, remedies=("anyway",))
    place = _place(state, card)
    if place is not None:
        trick, by = place
        return Doubt(
            "out", message, card, seat=by, trick=trick, was=card, remedies=("earlier",)
        )  # fmt: skip
    return Doubt("hand", message, card, seat=seat)


def _place(state: State, card: str) -> tuple[int, Seat | None] | None:
    """In which trick a card showed up last, and by whom (None: as an upcard)."""
    for trick in reversed(_game(state).tricks):
        for play in reversed(trick.plays):
            if play.card == card:
                return trick.number, play.seat
        for seat, taken in (trick.taken or {}).items():
            if taken == card and card not in trick.upcards:
                return trick.number, seat
        if card in trick.upcards:
            return trick.number, None
    return None


def _amended(state: State, trick: int, was: str, card: str) -> None:
    _tried(state, card.upper(), lambda: state.amend(trick, was, card))


def _stood(state: State, doubt: Doubt) -> None:
    assert doubt.seat is not None
    seat = doubt.seat
    _tried(state, doubt.card, lambda: state.let_stand(doubt.trick, seat))
