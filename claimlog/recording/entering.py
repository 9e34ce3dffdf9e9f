"""Entries made at a table: words in notation, and doubts about them."""

from __future__ import annotations

import re
from functools import partial
from io import BytesIO
from typing import TYPE_CHECKING, Final

from claimlog.cards import CARD_NAMES, LETTERS
from claimlog.language.messages import KeyedError
from claimlog.notation.reader import sheets
from claimlog.notation.tokens import ANNOTATIONS
from claimlog.notation.writer import canonical
from claimlog.replay.recorder import Recorder
from claimlog.state import UNSEEN, Contradiction, IllegalAction, State

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from claimlog.game import Game, Problem, Seat
    from claimlog.language import Words
    from claimlog.state import Turn

__all__ = [
    "LEAVE",
    "OF_THE_END",
    "Doubt",
    "RecordError",
    "amended",
    "do",
    "errors_of",
    "judged",
    "pass_over",
    "passed",
    "read_record",
    "record_of",
    "stood",
    "tried",
]

_LEFT_OPEN: Final = frozenset({"missing-choice", "result"})
"""Errors of a record while only the loot's faction is still to be chosen."""
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
OF_THE_END: Final = ("Loot", "Votes", "Termination", "Result", "End")
"""The tags about the end of a game."""
LEAVE: Final = "~-"
"""The Seer's player leaves the hidden card.  The notation has nothing for this."""


class Doubt(IllegalAction):
    """An impossible entry: either it was mistyped, or the game really went that way.

    `code` is the objection to it:

    - "word": it is not an entry, or not the one due
    - "card": there is no such card; "deck": its faction is not in the deck
    - "out": the card has been seen in `trick`, from `seat` (None: an upcard) as `was`
    - "follow": the seat must follow, as it is known to hold cards of the led faction
    - "void": the seat did not follow that faction in `trick`, with `was`
    - "hand": the seat cannot hold it, or cannot take it
    - "pick": `seat` must pick an upcard first, and this is not one of them
    - "then": with this correction, the game could not have continued as it did in `trick`
    - "record": the record would have an error, given in the message
    - "follows": the tag follows from the game
    - "place": there is nothing of the kind to change (in a `Table`)

    `remedies` are the options, besides dropping it, for `Recording.enter`: "anyway" keeps it and
    marks the revoke, "earlier" corrects `was` in `trick` instead.
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
        """The record that would have the error, to report it in another language."""

    def sentence(self, words: Words, name: Callable[[Seat], str]) -> str:
        """The objection in a language; `name` returns the names of seats."""
        errors = errors_of(judged(self.record, words)) if self.record else []
        return words(
            f"doubt.{self.code}" if self.seat or self.code != "out" else "doubt.out-upcard",
            card=self.card,
            name=name(self.seat) if self.seat else "",
            trick=self.trick,
            was=self.was,
            faction=words.faction(self.card[0]) if self.card[:1] in LETTERS and self.card else "",
            message=errors[0].message if errors else str(self),
        )


def do(state: State, word: str) -> None:
    """Carry out a word; raises `Doubt`."""
    text = word.strip()
    if state.to_act.kind == "loot":
        chosen = _LOOT.fullmatch(text)
        if chosen is None:
            raise Doubt("word", f"{text!r} is not the letter of a faction", text)
        tried(state, "", lambda: state.choose_loot(chosen[1].upper()))
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
            tried(state, card, partial(state.draw, card or UNSEEN))
        return
    if mark == "~":
        _expect(state, "look", text)
        if len(cards) > 1:
            raise Doubt("word", f"{text!r} is more than one card", text)
        tried(state, cards[0], partial(state.look, True, cards[0] or UNSEEN))
        return
    pass_over(state, {"-": "discard", "=": "pick"}.get(mark, ""))
    if len(cards) > 1 and state.to_act.kind != "turn-up":
        raise Doubt("word", f"{text!r} is more than one card", text)
    for card in cards:
        _card(state, mark, card, bool(read["irregular"]))
    if read["annotation"]:
        if read["annotation"] not in ANNOTATIONS or state.log[-1].kind != "play":
            raise Doubt("word", f"{read['annotation']} is not an annotation of a play", text)
        state.annotate(read["annotation"])


def _card(state: State, mark: str, card: str, irregular: bool) -> None:
    """Carry out a card, either without a mark or with its own."""
    kind = state.to_act.kind
    due = {"-": "discard", "=": "pick"}.get(mark, kind)
    _expect(state, due, f"{mark}{card}")
    if irregular and kind != "play":
        raise Doubt("word", "only a play can be a revoke", card)
    if kind == "turn-up":
        tried(state, card, lambda: state.turn_up(card))
    elif kind == "play":
        tried(state, card, lambda: state.play(card, irregular=irregular))
    elif kind == "discard":
        tried(state, card, lambda: state.discard(card))
    elif kind == "pick":
        tried(state, card, lambda: state.pick(card))
    else:
        raise Doubt("word", "all cards have been played", card)


def pass_over(state: State, due: str) -> None:
    """Leave draws unknown and a Seer's card unused, so that the next card can be entered."""
    while state.to_act.kind in ("look", "draw") and state.to_act.kind != due:
        if state.to_act.kind == "look":
            state.look(False)
        else:
            state.draw()


def passed(state: State) -> State:
    """Return the game with everything skipped that may be; only to be read."""
    if state.to_act.kind not in ("look", "draw"):
        return state
    copy = state.copy()
    pass_over(copy, "")
    return copy


def _expect(state: State, kind: str, word: str) -> None:
    if kind == "draw" and state.to_act.kind == "look":
        state.look(False)
    due, seat = state.to_act
    if due == "pick" and kind != due:
        raise Doubt("pick", f"seat {seat} picks an upcard first", word, seat=seat)
    if due != kind:
        raise Doubt("word", f"{word!r} is not expected now", word)


def tried(state: State, card: str, action: Callable[[], object]) -> None:
    """Run `action`; raises `Doubt` if the state refuses it."""
    to_act = state.to_act
    try:
        action()
    except Contradiction as error:
        raise Doubt("then", str(error), card, trick=error.trick) from None
    except IllegalAction as error:
        raise _doubt(state, card, to_act, error) from None


def _doubt(state: State, card: str, to_act: Turn, error: IllegalAction) -> Doubt:
    """The objection to a card: the first of all that apply."""
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
    """The trick in which a card was last seen, and the seat (None: as an upcard)."""
    for trick in reversed(state.game().tricks):
        for play in reversed(trick.plays):
            if play.card == card:
                return trick.number, play.seat
        for seat, taken in (trick.taken or {}).items():
            if taken == card and card not in trick.upcards:
                return trick.number, seat
        if card in trick.upcards:
            return trick.number, None
    return None


def amended(state: State, trick: int, was: str, card: str) -> None:
    """Correct a card of a trick (`State.amend`); raises `Doubt`."""
    tried(state, card.upper(), lambda: state.amend(trick, was, card))


def stood(state: State, doubt: Doubt) -> None:
    """Let the play concerned stand as a revoke."""
    assert doubt.seat is not None
    seat = doubt.seat
    tried(state, doubt.card, lambda: state.let_stand(doubt.trick, seat))


# Records ---------------------------------------------------------------------------------------


class RecordError(KeyedError, ValueError):
    """A text that a recording cannot start from: it has errors, no deck, or not exactly one game.

    `problems` are its errors, in the order of the text.
    """

    problems: Sequence[Problem] = ()


def _wrong(problems: Sequence[Problem]) -> RecordError:
    first = problems[0]
    place = f"{first.line}:{first.column}: {first.code}"
    error = RecordError("record.wrong", why=f"{place}: {first.message}")
    error.problems = problems
    return error


def record_of(state: State) -> str:
    """The record of a game so far."""
    return canonical(state.game())


def judged(text: str, words: Words | None = None, *, reasons: bool = True) -> Game:
    """The one game of a text; raises `RecordError` if there is not exactly one."""
    recorder = Recorder(words, reasons=reasons)
    games = [recorder.record(*sheet) for sheet in sheets(BytesIO(text.encode()).read)]
    if len(games) != 1:
        raise RecordError("record.not-one-but", number=len(games))
    return games[0]


def errors_of(game: Game) -> list[Problem]:
    """The errors of a record, except those due to loot still to be chosen."""
    return [error for error in game.errors if error.code not in _LEFT_OPEN]


def read_record(text: str, words: Words | None = None) -> State:
    """The state of a record; raises `RecordError`, with the place, if it has errors.

    `words` are the words for errors, English by default.
    """
    game = judged(text, words)
    if errors := errors_of(game):
        raise _wrong(errors)
    if not game.deck:
        raise RecordError("record.no-deck")
    state = State.from_game(game, proven=False)
    if game.errors and state.to_act.kind != "loot":
        raise _wrong(game.errors)
    return state
