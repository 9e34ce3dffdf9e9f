r"""A table: a game as a growing list of entries, and what a screen shows of it.

The entries are plain dicts, as sent by a device at the table.  None is rejected because of the
rules: an impossible entry is kept, and waits with all later ones until somebody clears it.

>>> table = Table({"deck": "GKUWX", "players": ["Anna", "Ben"]})
>>> for id, word in (("a", "U7"), ("b", "G5"), ("c", "W8"), ("d", "X3"), ("e", "U4")):
...     _ = table.add({"id": id, "kind": "enter", "word": word})
>>> table.add({"id": "f", "kind": "enter", "word": "G9"})
{'id': 'f', 'number': 6, 'doubtful': True}
>>> table.view()["doubt"]["sentence"]
'Ben did not follow Goblins in trick 1 (with W8), so G9 cannot be in that hand.'
>>> table.add({"id": "g", "kind": "clear", "entry": "f", "anyway": True})
{'id': 'g', 'number': 7, 'doubtful': False}
>>> table.record.splitlines()[-3:]
['1. U7: G5+ W8^', '2. X3: U4+ G9', '*']

It needs only the standard library, so that a page at the table can run this same module.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from claimlog.language import words as words_of
from claimlog.language.messages import KeyedError, Message
from claimlog.notation.names import LONGEST
from claimlog.notation.tokens import ANNOTATIONS
from claimlog.notation.writer import canonical
from claimlog.recording.entering import Doubt, record_of
from claimlog.recording.live import Recording
from claimlog.recording.revising import EDITS, Edit
from claimlog.recording.views import asked, due, hidden, revision_view, shown
from claimlog.replay.narration import isolated, plain
from claimlog.rules.setup import Setup
from claimlog.state import State

if TYPE_CHECKING:
    from collections.abc import Mapping

    from claimlog.game import Game, Problem
    from claimlog.language import Words

__all__ = ["KINDS", "EntryError", "Table", "check"]

Entry: TypeAlias = "dict[str, Any]"
View: TypeAlias = "dict[str, Any]"

MOST: Final = 4000
"""The most entries of a table: a long game has a few hundred."""

_ID: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
_WORD: Final = re.compile(r"[^\s\0]{1,40}")
_CARD: Final = re.compile(r"[A-Za-z][0-9]{1,2}|_")
_TIME: Final = re.compile(r"[0-9]{1,3}:[0-9]{2}(:[0-9]{2})?")
_TAG: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,39}")
_LONGEST: Final = 1000


class EntryError(KeyedError, ValueError):
    """A malformed entry; the message says which one and why."""


def _unless(fits: bool, key: str, **values: object) -> Message | None:
    """The requirement for a value, if it is not met."""
    return None if fits else Message(f"entry.{key}", **values)


def _word(value: object) -> Message | None:
    return _unless(_is(value, _WORD), "word")


def _card(value: object) -> Message | None:
    return _unless(_is(value, _CARD), "card")


def _name(value: object) -> Message | None:
    return _unless(_is(value, _TAG), "name")


def _time(value: object) -> Message | None:
    return _unless(_is(value, _TIME), "time")


def _id(value: object) -> Message | None:
    return _unless(_is(value, _ID), "identity")


def _text(value: object) -> Message | None:
    return _at_most(_LONGEST, value)


def _at_most(most: int, value: object) -> Message | None:
    fits = isinstance(value, str) and len(value.strip()) > 0 and len(value) <= most
    return _unless(fits and "\0" not in str(value), "text", most=most)


def _value(value: object) -> Message | None:
    return None if value == "" else _at_most(LONGEST, value)


def _tags(value: object) -> Message | None:
    """The requirement for tags set together: names with their values, `""` for those to drop."""
    fits = isinstance(value, dict) and 1 <= len(value) <= _MOST_EDITS
    if not fits:
        return _unless(False, "tags", most=_MOST_EDITS)
    pairs: Any = value
    return next((why for one, text in pairs.items() if (why := _name(one) or _value(text))), None)


def _mark(value: object) -> Message | None:
    marks = " ".join(mark for mark in ANNOTATIONS if mark)
    return _unless(isinstance(value, str) and value in ANNOTATIONS, "mark", names=marks)


def _flag(value: object) -> Message | None:
    return _unless(isinstance(value, bool), "flag")


def _trick(value: object) -> Message | None:
    return _unless(_within(value, 26), "trick")


def _seat(value: object) -> Message | None:
    return _unless(_within(value, 4), "seat")


def _side(value: object) -> Message | None:
    return _unless(_within(value, 3), "side")


def _edits(value: object) -> Message | None:
    """The requirement for edits: each has the fields of its kind (`EDITS`), and no others."""
    fits = isinstance(value, list) and 1 <= len(value) <= _MOST_EDITS and all(map(_edit, value))
    return _unless(fits, "edits", most=_MOST_EDITS, names=EDITS)


def _edit(value: object) -> bool:
    if not isinstance(value, dict) or value.get("do") not in EDITS:
        return False
    needed, more = EDITS[value["do"]]
    return {*needed} <= value.keys() - {"do"} <= {*needed, *more} and all(
        _EDITED[name](part) is None for name, part in value.items() if name != "do"
    )


def _words(value: object) -> Message | None:
    fits = isinstance(value, list) and 1 <= len(value) <= _MOST_EDITS
    return _unless(fits and all(_is(word, _WORD) for word in value), "word")  # type: ignore[attr-defined]


def _is(value: object, pattern: re.Pattern[str]) -> bool:
    return isinstance(value, str) and pattern.fullmatch(value) is not None


def _within(value: object, most: int) -> bool:
    return type(value) is int and 1 <= value <= most


NOT_OF_THE_GAME: Final = ("Annotator", "Recorder", "Director")
"""The tags about who wrote the record, not about the game."""

_MOST_EDITS: Final = 30
"""The most edits, or words of a trick, in one entry."""

_EDITED: Final = {
    "trick": _trick,
    "seat": _seat,
    "place": _seat,
    "other": _seat,
    "was": _card,
    "card": _card,
    "words": _words,
}

KINDS: Final = {
    "enter": ({"word": _word}, {"anyway": _flag, "earlier": _card}),
    "undo": ({}, {}),
    "redo": ({}, {}),
    "note": ({"text": _text}, {}),
    "annotate": ({"mark": _mark}, {}),
    "stamp": ({"time": _time}, {}),
    "pause": ({"time": _time}, {}),
    "fill": ({"trick": _trick, "seat": _seat, "card": _card}, {}),
    "mend": ({"trick": _trick, "was": _card, "card": _card}, {}),
    "revise": ({"edits": _edits}, {"anyway": _flag, "cut": _flag}),
    "let_stand": ({"trick": _trick, "seat": _seat}, {}),
    "tag": ({"name": _name, "value": _value}, {}),
    "agree": ({"tags": _tags}, {}),
    "finish": ({"result": _text, "termination": _text}, {}),
    "confirm": ({"side": _side}, {}),
    "unconfirm": ({"side": _side}, {}),
    "clear": (
        {"entry": _id},
        {
            "word": _word,
            "anyway": _flag,
            "earlier": _card,
            "drop": _flag,
            "first": _word,
            "later": _flag,
        },
    ),
}
"""The required and the optional fields, by kind of entry.

A "clear" resolves the entry in doubt: it is dropped, or tried again, as another `word`, with
`anyway` or `earlier` as in `Recording.enter`, or once the word `first` has been entered.  `later`
leaves it to the director: with `anyway` it is noted in the record, otherwise it keeps waiting.
"""


MARKS: Final = ("-", "~", "=", "/")
"""The marks that may precede a card."""
_HOW: Final = ("anyway", "earlier", "later")
_ONE_OF: Final = ("word", "earlier", "drop", "first")
"""A "clear" has at most one of these."""


def check(entry: object) -> Entry:
    """Return a well-formed entry; raises `EntryError` for anything else."""
    if not isinstance(entry, dict):
        raise EntryError("entry.not-one")
    id, kind = entry.get("id"), entry.get("kind")
    if why := _id(id):
        raise EntryError("entry.id", what=why)
    if not isinstance(kind, str) or kind not in KINDS:
        raise EntryError("entry.kind", id=id, names=KINDS)
    needed, more = KINDS[kind]
    for name, test in needed.items():
        if name not in entry:
            raise EntryError("entry.needs", id=id, kind=kind, names=needed)
        if why := test(entry[name]):
            raise EntryError("entry.field", id=id, name=name, what=why)
    for name, value in entry.items():
        if name in needed or name in ("id", "kind"):
            continue
        if name not in more:
            key = "entry.unknown" if needed or more else "entry.no-fields"
            raise EntryError(key, id=id, kind=kind, name=str(name)[:40], names=[*needed, *more])
        if why := more[name](value):
            raise EntryError("entry.field", id=id, name=name, what=why)
    if kind == "clear" and sum(name in entry for name in _ONE_OF) > 1:
        raise EntryError("entry.one-of", id=id, names=_ONE_OF)
    return entry


class Table:
    """A game at a table: its entries in order, and the game that results from them.

    `setup` is what was agreed: a dict with `deck` and `players` (names by seat), and, if known,
    `leader`, `rules`, `rulings`, `loot`, `hands` (by seat), `event`, `site`, `date`, `round`,
    `table`, `start`, `recorder`; or an unfinished record.  Raises ValueError if it does not
    describe a game, with the reason in `words`.

    An entry has an `id`, chosen by its sender, and a `kind` (`KINDS`).  Entries with the same id
    are the same entry, however often it is sent.
    """

    def __init__(self, setup: str | Mapping[str, Any], words: Words | None = None) -> None:
        text = setup if isinstance(setup, str) else _begun(setup)
        self._recording = Recording.resume(text, words=words)
        self.setup = self._recording.text
        """The record with which the table started."""
        self.entries: list[Entry] = []
        """All entries, in the order of their numbers, which start at 1."""
        self._numbers: dict[str, int] = {}
        self._waiting: list[Entry] = []
        self._taken_back: list[Entry] = []
        self._doubt: Doubt | None = None
        self._because: Doubt | None = None
        self._later = ""
        """The entry left to the director: it waits, and nobody is asked about it."""
        self._confirmed: set[int] = set()
        self._in_a_row: set[int] = set()
        """The sides that have confirmed the end since the last change of any kind."""
        self._end: object = None
        """What all sides have confirmed last: whoever watches with a delay has seen it."""
        self._uncovered = 0
        """How many tricks these have seen of it, as far as they still stand."""
        self._views: dict[tuple[str, int | None, int], View] = {}
        self._boards: dict[str, View] = {}
        self._sound = ""
        self._seen: tuple[tuple[str, str], View] | None = None

    # Entries -------------------------------------------------------------------------------

    @property
    def number(self) -> int:
        """The number of the last entry, 0 if there is none."""
        return len(self.entries)

    def knows(self, id: str) -> bool:
        """Whether there is an entry with that id."""
        return id in self._numbers

    def add(self, entry: Entry) -> Entry:
        """Add an entry; returns its `id`, its `number`, and whether it is `doubtful`.

        Raises `EntryError`, and changes nothing, if it is malformed.
        """
        check(entry)
        id = entry["id"]
        if id not in self._numbers:
            if len(self.entries) >= MOST:
                raise EntryError("table.full", most=MOST)
            self.entries.append(entry)
            self._numbers[id] = len(self.entries)
            self._views.clear()
            self._boards.clear()
            self._fold(entry)
            decided = self._recording.now.decided
            if self.closed:
                self._end, self._uncovered = self._played(), decided
            self._uncovered = min(self._uncovered, decided)
        return self.outcome(id)

    def outcome(self, id: str) -> Entry:
        """The current value of what `add` returned for an entry; KeyError if there is none."""
        doubtful = bool(self._waiting) and self._waiting[0]["id"] == id
        return {"id": id, "number": self._numbers[id], "doubtful": doubtful}

    def since(self, number: int) -> list[Entry]:
        """The entries after `number`, each with its own number."""
        later = self.entries[number:]
        return [{"number": at, **entry} for at, entry in enumerate(later, number + 1)]

    def _fold(self, entry: Entry) -> None:
        """Apply an entry."""
        kind = entry["kind"]
        # In a ledger of 1.0.0 any change took confirmations back, and entries went on.
        if self.refuses(entry) and self._in_a_row == self._confirmed:
            return
        if self._waiting and kind == "clear":
            self._clear(entry)
        elif self._waiting and kind == "undo":
            self._taken_back.append(self._waiting.pop())
            if not self._waiting:
                self._doubt = self._because = None
        elif kind == "redo" and self._taken_back:
            self._do(self._taken_back.pop())
        elif kind == "redo" and not self._waiting and self._recording.aside:
            self._do({"id": entry["id"], "kind": "enter", "word": self._recording.take_aside()})
        elif kind != "clear":
            self._taken_back.clear()
            self._do(entry)

    def _do(self, entry: Entry) -> None:
        """Apply an entry, or let it wait behind one that is in doubt."""
        if not self._waiting:
            self._doubt = self._tried(entry)
            if self._doubt is None:
                return
        self._waiting.append(entry)

    def _clear(self, entry: Entry) -> None:
        """Resolve the entry in doubt."""
        first = self._waiting[0]
        if entry["entry"] != first["id"]:
            return
        self._taken_back.clear()
        self._because = None
        if entry.get("later") and not entry.get("anyway"):
            self._later = first["id"]
            return
        if not entry.get("drop"):
            name = "word" if first["kind"] == "enter" else "card"
            if "first" in entry:
                before = self._tried({"kind": "enter", "word": entry["first"]})
                if before is not None:
                    self._because = before
                    return
            cleared = dict(first)
            if "word" in entry and name in first:
                cleared[name] = entry["word"]
            if first["kind"] == "enter":
                cleared |= {key: entry[key] for key in _HOW if key in entry}
            elif first["kind"] == "revise" and "anyway" in entry:
                cleared["anyway"] = entry["anyway"]
            doubt = self._tried(cleared)
            if doubt is not None:
                if "word" in entry and name in first:
                    self._waiting[0] = {**first, name: entry["word"]}
                    self._doubt = doubt
                elif "first" in entry:
                    self._doubt = doubt
                else:
                    self._because = doubt
                return
        waiting, self._waiting, self._doubt = self._waiting[1:], [], None
        for later in waiting:
            self._do(later)

    def _tried(self, entry: Entry) -> Doubt | None:
        """Apply an entry, or return the objection to it."""
        kind = entry["kind"]
        recording = self._recording
        if kind in ("confirm", "unconfirm"):
            if recording.over and entry["side"] in self._sides():
                for confirmed in (self._confirmed, self._in_a_row):
                    change = confirmed.add if kind == "confirm" else confirmed.discard
                    change(entry["side"])
            return None
        before = self._played() if self._confirmed else None
        try:
            self._change(kind, entry)
        except Doubt as doubt:
            return doubt
        except (KeyError, ValueError) as error:
            return Doubt("place", str(error.args[0]), str(entry.get("was", "")))
        self._in_a_row.clear()
        if self._confirmed and self._played() != before:
            self._confirmed.clear()
        return None

    def _played(self) -> object:
        """What the sides confirm: the cards, the result, and what was agreed."""
        game = self._recording.shown
        agreed = {name: game.tags[name] for name in game.tags.keys() - {*NOT_OF_THE_GAME}}
        return self._recording.now.log, game.result, agreed

    def _change(self, kind: str, entry: Entry) -> None:
        """Change the recording; raises what it raises."""
        recording = self._recording
        if kind == "enter":
            recording.enter(
                entry["word"],
                anyway=entry.get("anyway", False),
                earlier=entry.get("earlier"),
                later=entry.get("later", False),
            )
        elif kind == "undo":
            if recording.can_undo:
                recording.undo()
        elif kind == "redo":
            if recording.can_redo:
                recording.redo()
        elif kind == "note":
            recording.note(entry["text"])
        elif kind == "annotate":
            recording.annotate(entry["mark"])
        elif kind == "stamp":
            recording.stamp(entry["time"])
        elif kind == "pause":
            recording.pause(entry["time"])
        elif kind == "fill":
            recording.fill(entry["trick"], entry["seat"], entry["card"])
        elif kind == "mend":
            recording.mend(entry["trick"], entry["was"].upper(), entry["card"])
        elif kind == "revise":
            anyway, cut = entry.get("anyway", False), entry.get("cut", False)
            recording.revise(entry["edits"], anyway=anyway, cut=cut)
        elif kind == "let_stand":
            recording.let_stand(entry["trick"], entry["seat"])
        elif kind == "tag":
            recording.tag(entry["name"], entry["value"])
        elif kind == "agree":
            recording.agree(entry["tags"])
        else:
            recording.finish(entry["result"], entry["termination"])

    # Reading ---------------------------------------------------------------------------------

    @property
    def record(self) -> str:
        """The record so far, without waiting entries."""
        return self._recording.text

    @property
    def game(self) -> Game:
        """The game so far, without waiting entries; only to be read."""
        return self._recording.shown

    @property
    def over(self) -> bool:
        """Whether nothing more can be played."""
        return self._recording.over

    @property
    def waiting(self) -> int:
        """The number of waiting entries, including the one in doubt."""
        return len(self._waiting)

    @property
    def closed(self) -> bool:
        """Whether all sides have confirmed the end; until one takes that back, nothing changes."""
        return self.over and self._confirmed == {*self._sides()} and not self._waiting

    def refuses(self, entry: Entry) -> bool:
        """Whether an entry would change nothing, as the game is `closed`."""
        takes_back = entry["kind"] == "unconfirm" and entry["side"] in self._sides()
        return self.closed and not takes_back

    def _sides(self) -> range:
        return range(1, self._recording.setup.sides + 1)

    def view(self, words: Words | None = None) -> View:
        """Everything that a screen at the table shows, as JSON, in the language of `words`.

        It is created once after each entry, and the same dict is returned to all.
        """
        words = words or words_of()
        key = (words.language, None, 0)
        if key not in self._views:
            self._views[key] = self._scorers(words)
        return self._views[key]

    def seen(self, words: Words | None = None, seat: int = 0, delay: int = 0) -> View:
        """What others may see, as JSON: a seat, or (0) a spectator.

        Until the end this leaves out hands, draws, what a Seer took and face-down discards (except
        the seat's own), and what is in doubt.  With a `delay` a trick is shown once that many more
        have been won, or the end has been confirmed; what was shown once stays shown.
        """
        words = words or words_of()
        key = (words.language, seat, delay)
        if key not in self._views:
            self._views[key] = self._others(words, seat, delay)
        return self._views[key]

    def seen_record(self, seat: int = 0, delay: int = 0) -> str:
        """The record as others may see it."""
        shown = self._shown_tricks(delay)
        return self.record if self.over and shown is None else self._text(seat, shown)

    def _text(self, seat: int, tricks: int | None) -> str:
        """The record without hidden cards, and with `tricks` tricks."""
        game = hidden(self.game, seat, tricks)
        return self.record if game is self.game else canonical(game)

    def _shown_tricks(self, delay: int) -> int | None:
        """The number of tricks shown with a delay; None: all."""
        known = self.closed or (self.over and self._end is not None and self._end == self._played())
        if not delay or known:
            return None
        return max(self._recording.state.decided - delay, self._uncovered)

    def _scorers(self, words: Words) -> View:
        recording = self._recording
        doubt = None
        if self._doubt is not None and self._waiting:
            doubt = self._doubt_view(words)
        return {
            "number": self.number,
            **self._board(words),
            "possible": recording.possible() if not recording.over else [],
            "doubt": doubt,
            "waiting": max(len(self._waiting) - 1, 0),
            "can_undo": not self.closed and bool(self._waiting or recording.can_undo),
            "can_redo": not self.closed and bool(self._taken_back or recording.can_redo),
            "confirmed": sorted(self._confirmed),
            "closed": self.closed,
            "record": self.record,
            "undone": recording.undone(),
            "wrong_player": [] if recording.over else recording.wrong_player(),
            "asked": asked(recording),
        }

    def revision(self, edits: list[Edit], words: Words | None = None) -> View:
        """The result of a "revise" with these edits; nothing changes.

        Raises `EntryError` for malformed edits, and `Doubt` for a place that does not exist.
        """
        if why := _edits(edits):
            raise EntryError("entry.field", id="-", name="edits", what=why)
        try:
            revision = self._recording.revision(edits)
        except KeyError as error:
            raise Doubt("place", str(error.args[0])) from None
        return revision_view(self._recording, revision, words or words_of())

    def _doubt_view(self, words: Words) -> View:
        """The entry in doubt, and the reason."""
        doubt, because = self._doubt, self._because
        assert doubt is not None
        entry = self._waiting[0]

        def name(seat: int) -> str:
            return isolated(self._recording.name(seat, words))

        return {
            "entry": entry["id"],
            "number": self._numbers[entry["id"]],
            "kind": entry["kind"],
            "word": str(entry.get("word", entry.get("card", ""))),
            "mark": entry["word"][0] if str(entry.get("word", ""))[:1] in MARKS else "",
            "code": doubt.code,
            "sentence": doubt.sentence(words, name),
            "card": doubt.card,
            "seat": doubt.seat,
            "trick": doubt.trick or None,
            "was": doubt.was,
            "remedies": list(doubt.remedies),
            "because": because.sentence(words, name) if because is not None else "",
            "later": entry["id"] == self._later,
            "behind": [str(one.get("word", one["kind"])) for one in self._waiting[1:]],
        }

    def _others(self, words: Words, seat: int, delay: int) -> View:
        shown = self._shown_tricks(delay)
        over = self.over and shown is None
        if over:
            board, text = self._board(words), self.record
        else:
            text = self._text(seat, shown)
            board = self._board_of(text, words) if text != self.record else self._board(words)
            if shown is None:
                board = {**board, "due": due(self._recording)}
            # Only the scorer sees what the director has not decided yet.
            open_ = {(one["trick"], one["seat"]) for one in asked(self._recording)}
            if open_:
                told = [
                    one for one in board["problems"] if (one["trick"], one["seat"]) not in open_
                ]
                board = {**board, "problems": told}
        return {
            "number": self.number if shown is None else board["decided"],
            **board,
            "confirmed": sorted(self._confirmed) if over else [],
            "closed": self.closed,
            "record": text,
        }

    def _board(self, words: Words) -> View:
        """The view of the record."""
        if words.language not in self._boards:
            self._boards[words.language] = shown(self._recording, words, self._problems(words))
        return self._boards[words.language]

    def _board_of(self, text: str, words: Words) -> View:
        """The view of another record; the last one is kept, as it may not have changed."""
        key = (words.language, text)
        if self._seen is None or self._seen[0] != key:
            recording = Recording.resume(text)
            self._seen = (key, shown(recording, words, recording.problems(words)))
        return self._seen[1]

    def _problems(self, words: Words) -> list[Problem]:
        """The record's problems.

        As long as no play is marked and cards are still to come, these are the problems of the
        tags: if there were none, the record need not be judged again.
        """
        tags, _, moves = self.record.partition("\n\n")
        going_on = "^" not in moves and not self.over and self._recording.due.kind != "loot"
        if going_on and self._sound == tags:
            return []
        problems = self._recording.problems(words)
        self._sound = tags if going_on and not problems else ""
        return problems


def _begun(setup: Mapping[str, Any]) -> str:
    """The record of a game in which nothing has been played."""
    players = [plain(str(name)) for name in setup["players"]]
    hands = setup.get("hands")
    agreed = Setup(
        str(setup["deck"]),
        seats=len(players),
        rules=setup.get("rules") or "LE2023",
        rulings=dict(setup.get("rulings") or {}),
        leader=setup.get("leader") or 1,
        loot=None if setup.get("loot") is None else tuple(setup["loot"]),
    )
    tags = {
        name.capitalize(): " ".join(str(setup[name]).split())
        for name in ("event", "site", "date", "round", "table", "start", "recorder")
        if setup.get(name)
    }
    held = None if not hands else {int(seat): cards for seat, cards in hands.items()}
    state = State(agreed, players=players, hands=held, tags=tags)
    return record_of(state)
