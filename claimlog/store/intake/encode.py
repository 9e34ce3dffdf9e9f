"""Judge a sheet, write its canonical record and make its rows, all in one pass.

An `Encoder` is a judge that notes every trick.  For a legal game it makes the canonical record and
the rows of the derived tables (docs/archive.md), in the layout of `claimlog.store.intake.staging`.
It is compiled (``encode.pxd``) or interpreted from this one source: the workers of an import spend
most of their time here. Comments are rare, and their place follows rules of their own; a game with
comments is written by `claimlog.notation.writer`.
"""

import struct
from datetime import UTC, date, datetime, timedelta
from hashlib import sha256
from typing import Any

from claimlog.cards import CARDS, FACTION_COUNT, NAMES, deck_letters
from claimlog.notation import names
from claimlog.notation.problems import CODE_OF
from claimlog.notation.sheet import Sheet
from claimlog.notation.tags import OTHER_TAG, TAG_FIELDS, TAGS, TERMINATIONS, escape, unescape
from claimlog.notation.tokens import ANNOTATION_SHIFT, ANNOTATIONS, IRREGULAR, RESULT
from claimlog.notation.writer import canonical
from claimlog.replay.explain import only_warnings, problems
from claimlog.replay.judge import Judge
from claimlog.replay.recorder import Recorder
from claimlog.results import UNFINISHED, result_text
from claimlog.rules.setup import MAX_TRICKS
from claimlog.store.intake.parquet import DIGEST
from claimlog.store.intake.rows import Rows, packed
from claimlog.store.intake.staging import (
    FACTION_ROWS,
    GAMES,
    NO_DATE,
    NO_INTEGER,
    NO_MOMENT,
    NO_NUMBER,
    NO_REAL,
    TRICK_ROWS,
)
from claimlog.store.model.codes import (
    BY_LEADER,
    DECIDED,
    FACE_DOWN,
    MARGIN,
    NONE,
    THREE_SIDES,
    WARNING_NAMES,
    WON,
)
from claimlog.store.model.ids import number_of, tidy

TRICKS = 2 * MAX_TRICKS
MEMO = 65536
"""The number of tags cached."""
KEPT = 64
"""The number of places for which the tag of the previous game is kept."""
LINE = 128
"""More bytes than a trick needs, as text or as a row."""
NOTHING = packed(b"")
INTEGER, NUMBER = 4, 8
"""The sizes of numbers in a row, in bytes; a float is written as the integer of its bits."""

TAG_COUNT = len(TAGS)
TAG_EVENT = TAGS.index("Event")
TAG_SITE = TAGS.index("Site")
TAG_DATE = TAGS.index("Date")
TAG_ROUND = TAGS.index("Round")
TAG_TABLE = TAGS.index("Table")
TAG_START = TAGS.index("Start")
TAG_END = TAGS.index("End")
TAG_PLAYER = TAGS.index("Player1")
TAG_RATING = TAGS.index("Rating1")
TAG_ID = TAGS.index("Id1")
TAG_DECK = TAGS.index("Deck")
TAG_TERMINATION = TAGS.index("Termination")
TAG_RESULT = TAGS.index("Result")
TAG_VOTES = TAGS.index("Votes")
OPENING = 6
"""The number of tricks that are enough to tell a game from all others."""
_WARNING_BIT = {name: bit for bit, name in enumerate(WARNING_NAMES)}
SEARCHED = tuple(TAGS.index(name) for name in ("Scenario", "Annotator", "Recorder", "Director"))

_NAME_ROOM = bytearray(b"".join(name.encode().ljust(4, b"\0") for name in NAMES))
_MARK = [mark.encode() for mark in ANNOTATIONS]
_DECK: dict[int, bytes] = {}


_FRESH = sha256()


def _digest(text: bytes) -> bytes:
    """The SHA-256 of a text; copying a hash object costs half of creating one."""
    hashed = _FRESH.copy()
    hashed.update(text)
    return hashed.digest()


def day_of(value: str) -> str:
    """The first day that a date with unknown parts may mean, "" if the year is unknown."""
    parts = value.split("-")
    if len(parts) != 3 or "?" in parts[0] or parts[0] == "0000":
        return ""
    month = "01" if "?" in parts[1] else parts[1]
    day = "01" if "?" in parts[2] or "?" in parts[1] else parts[2]
    return f"{parts[0]}-{month}-{day}"


def moment_of(value: str) -> datetime | None:
    """A time to the second in UTC, None if `value` is not a valid one."""
    try:
        moment = datetime.fromisoformat(value).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    return moment.replace(microsecond=0) if moment.year >= 1000 else None


def _seat(number: int) -> int:
    """The number of a seat from 1, or `NONE`."""
    return number if number == NONE else number + 1


class Value:
    """The value of a tag, for the record and for the rows.

    `written` is the tag's name and value as in the text, `line` the tag in canonical form, `text`
    its value as in a column, empty if unknown, `packed` the same in a file, `folded` without
    differences of case.
    `number` is its form in a row: the number of an event or a player (also as text in `digits`), a
    day, a time, or the bits of a rating (also as `rating`).
    """

    def __init__(self, line: bytes, text: bytes, kind: int) -> None:
        self.line = line
        self.written = b""
        self.text = text
        self.packed = packed(text)
        self.kind = kind
        self.folded = b""
        self.digits = b""
        self.number = _UNKNOWN.get(kind, NO_NUMBER)
        self.rating = 0.0
        if text:
            self._read(text.decode())

    def _read(self, text: str) -> None:
        """Set what a known value stands for."""
        kind = self.kind
        folded = names.folded(text)
        self.folded = folded.encode()
        if kind == TAG_EVENT:
            self._stand_for("event", folded)
        elif TAG_PLAYER <= kind < TAG_PLAYER + 4:
            self._stand_for("name", folded)
        elif TAG_ID <= kind < TAG_ID + 4:
            self._stand_for("id", text)
        elif TAG_RATING <= kind < TAG_RATING + 4:
            self.rating = float(text)
            self.number = int.from_bytes(struct.pack("<f", self.rating), "little")
        elif kind == TAG_TERMINATION:
            self.number = TERMINATIONS.index(text)
        elif kind == TAG_DATE:
            if day := day_of(text):
                self.number = (date.fromisoformat(day) - _EPOCH.date()).days & _FOUR_BYTES
        elif kind in (TAG_START, TAG_END) and (moment := moment_of(text)):
            self.number = (moment - _EPOCH) // timedelta(microseconds=1) & _EIGHT_BYTES

    def _stand_for(self, kind: str, key: str) -> None:
        """Set the permanent number of an event or a player."""
        self.number = number_of(kind, key)
        self.digits = b"%d" % self.number


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_FOUR_BYTES = 2**32 - 1
_EIGHT_BYTES = 2**64 - 1
_UNKNOWN = {
    **dict.fromkeys(range(TAG_RATING, TAG_RATING + 4), NO_REAL),
    TAG_DATE: NO_DATE,
    TAG_START: NO_MOMENT,
    TAG_END: NO_MOMENT,
}
"""The stand-in for a tag that is absent or unknown, if it is not `NO_NUMBER`."""
_ABSENT = [Value(b"", b"", kind) for kind in range(TAG_COUNT)]


class Encoder(Judge):
    """A judge that writes down what it sees; see `encode`.

    After `encode`, `record` is the canonical record and `digest` its digest.  The `take_*` methods
    return the rows collected so far.
    """

    def __init__(self) -> None:
        super().__init__()
        self.tracing = True
        self.page = bytearray(TRICKS * LINE)
        self.filled = 0
        self.record = b""
        self.digest = b""
        self.noted = 0
        self.t_leader = bytearray(TRICKS)
        self.t_winner = bytearray(TRICKS)
        self.t_auto = bytearray(TRICKS)
        self.t_up = bytearray(2 * TRICKS)
        self.t_took = bytearray(2 * TRICKS)
        self.t_card = bytearray(4 * TRICKS)
        self.t_best = bytearray(TRICKS)
        self.wins = bytearray(4)
        self.gains = bytearray(4)
        self.game_rows = Rows(GAMES)
        self.trick_rows = Rows(TRICK_ROWS)
        self.faction_rows = Rows(FACTION_ROWS)
        self.at = 0
        self.word = 0
        self.opening = bytearray(6 * OPENING + 1)
        self.memo: dict[bytes, Value] = {}
        self.last: list[Value | None] = [None] * KEPT
        self.values: list[Value] = list(_ABSENT)
        self.others: list[Value] = []
        self.recorder: Recorder | None = None

    def encode(self, sheet: Sheet, index: int) -> bool:
        """Judge `sheet`; if it is legal, make its record and add its rows as game `index`."""
        self.filled = 0
        self.noted = 0
        if not self.judge(sheet) and not only_warnings(self):
            return False
        self._read_tags()
        if sheet.comments:
            if self.recorder is None:
                self.recorder = Recorder(reasons=False)
            self.record = canonical(self.recorder.record(sheet, 1)).encode()
        else:
            self._write()
        self.digest = _digest(self.record)
        self._rows(index)
        return True

    def values_of(self, sheet: Sheet) -> dict[str, Any] | None:
        """The row of one game, as in `claimlog.store.model.schema.STAGED`; None if it is invalid.

        The row is not kept.
        """
        if not self.encode(sheet, 0):
            return None
        (row,) = self.values_as_dicts(GAMES.names)
        self.drop_rows()
        return row

    def values_as_dicts(self, columns: list[str]) -> list[dict[str, Any]]:
        """Columns of the rows of the games, as Python values."""
        return self.game_rows.dicts(columns)

    def rows_as_lists(self) -> tuple[list[list[Any]], list[list[Any]], list[list[Any]]]:
        """The rows of games, tricks and factions, each column a list of Python values."""
        return self.game_rows.lists(), self.trick_rows.lists(), self.faction_rows.lists()

    def drop_rows(self) -> None:
        """Drop the rows of all games."""
        self.game_rows.drop()
        self.trick_rows.drop()
        self.faction_rows.drop()

    def problems(self, line: int) -> list[object]:
        """The problems of the last game, in words; `line` is its first line in the file."""
        return list(problems(self, line)) if self.findings or self.sheet.faults else []

    def result_written(self) -> bytes:
        """The result of the last game as written, or else that of the tag."""
        sheet = self.sheet
        if sheet.size and sheet.kind[sheet.size - 1] == RESULT:
            token = sheet.size - 1
            return sheet.text[sheet.start[token] : sheet.end[token]]
        return result_text(self.result).encode()

    # The canonical record --------------------------------------------------------------

    def trace(self, ups: int, lies: int, drawn: int, pick: int, seer: int) -> None:
        """Write the trick canonically and note who did what."""
        if not (ups or lies or drawn or pick >= 0 or seer >= 0):
            return
        if self.filled + LINE > len(self.page):
            return
        sheet = self.sheet
        table = self.table
        t = table.trick - 1
        early = t < self.tricks
        auto = table.auto
        self._digits(t + 1)
        self._put(46)  # .
        self.noted = t + 1
        self.t_up[2 * t] = NONE
        self.t_up[2 * t + 1] = NONE
        if early:
            first = True
            for j in range(min(ups, 2)):
                card = table.upcards[j]
                if card < CARDS:
                    self._put(32 if first else 44)  # a space or a comma
                    self._card(card)
                    first = False
                    self.t_up[2 * t + j] = card
            if not first:
                self._put(58)  # :
        for j in range(4):
            self.t_card[4 * t + j] = NONE
        for j in range(lies):
            token = self.lies[j]
            seat = table.seat_of(j)
            card = self.play_card[t * 4 + seat]
            self._put(32)
            if auto:
                self._put(45)  # -
            self._card(card)
            if card < CARDS:
                self.t_card[4 * t + j] = card
            if not auto and not self.cut and seat == table.winner:
                self._put(43)  # +
            flags = sheet.flags[token]
            if flags:
                if flags & IRREGULAR:
                    self._put(94)  # ^
                mark = _MARK[flags >> ANNOTATION_SHIFT & 7]
                for k in range(len(mark)):
                    self._put(mark[k])
        if seer >= 0:
            self._put(32)
            self._put(126)  # ~
            self._card(sheet.card[seer])
        if pick >= 0 and sheet.card[pick] < CARDS:
            self._put(32)
            self._put(61)  # =
            self._card(sheet.card[pick])
        for k in range(drawn):
            if not k:
                self._put(32)
            self._put(44 if k else 47)  # a comma or /
            self._card(sheet.card[self.drawn[k]])
        self._put(10)
        self._note_trick(t, early, auto)

    def _put(self, byte: int) -> None:
        """Write a character of the tricks."""
        page = self.page
        page[self.filled] = byte
        self.filled += 1

    def _digits(self, value: int) -> None:
        """Write a number below 100."""
        if value >= 10:
            self._put(48 + value // 10)
        self._put(48 + value % 10)

    def _card(self, card: int) -> None:
        """Write a card's name, ``_`` for an unknown one."""
        if card >= CARDS:
            self._put(95)
            return
        k = 4 * card
        while _NAME_ROOM[k]:
            self._put(_NAME_ROOM[k])
            k += 1

    def _note_trick(self, t: int, early: bool, auto: bool) -> None:
        """Note the leader, the winner and who took the upcards."""
        table = self.table
        self.t_leader[t] = table.leader
        self.t_auto[t] = auto
        self.t_took[2 * t] = NONE
        self.t_took[2 * t + 1] = NONE
        self.t_winner[t] = NONE
        self.t_best[t] = NONE
        if self.cut:
            return
        self.t_winner[t] = table.winner
        if not auto:
            self.t_best[t] = self.play_card[t * 4 + table.winner]
        if early and self.pick >= 0:
            j = 1 if self.looked else 0
            self.t_took[2 * t + self.pick] = table.seat_of(table.ranked[j])
            if self.seats > 2:
                self.t_took[2 * t + 1 - self.pick] = table.seat_of(table.ranked[j + 1])

    def _read_tags(self) -> None:
        """Get the values of the tags; usually the same name and value have been read before."""
        sheet = self.sheet
        self.values = list(_ABSENT)
        self.others = []
        for place in range(sheet.tags):
            tag = sheet.tag_id[place]
            k = place * TAG_FIELDS
            value = self.last[place] if place < KEPT else None
            if value is None or not self._stands(value.written, sheet.tag_at[k + 2], k):
                value = self._value_of(place, tag)
                if place < KEPT:
                    self.last[place] = value
            if tag == OTHER_TAG:
                self.others.append(value)
            else:
                self.values[tag] = value

    def _stands(self, written: bytes, at: int, k: int) -> bool:
        """Whether the tag with its fields at `k`, at `at` in the text, is exactly `written`.

        It often is the same as at its place in the previous game, and this comparison is quick.
        """
        length = len(written)
        text = self.sheet.text
        known = written
        if self.sheet.tag_at[k + 5] - at != length:
            return False
        i = length
        while i and text[at + i - 1] == known[i - 1]:
            i -= 1
        return not i

    def _value_of(self, place: int, tag: int) -> Value:
        """The value of the tag at `place` in the sheet."""
        sheet = self.sheet
        k = place * TAG_FIELDS
        written = sheet.text[sheet.tag_at[k + 2] : sheet.tag_at[k + 5]]
        value = self.memo.get(written)
        if value is None:
            if len(self.memo) >= MEMO:
                self.memo.clear()
            plain = unescape(sheet.text[sheet.tag_at[k + 4] : sheet.tag_at[k + 5]].decode())
            value = Value(self._canonical_tag(place), tidy(plain).encode(), tag)
            value.written = written
            self.memo[written] = value
        return value

    def _canonical_tag(self, place: int) -> bytes:
        """The canonical line of the tag at `place` in the sheet."""
        sheet = self.sheet
        k = place * TAG_FIELDS
        name = sheet.text[sheet.tag_at[k + 2] : sheet.tag_at[k + 3]]
        value = sheet.text[sheet.tag_at[k + 4] : sheet.tag_at[k + 5]].decode()
        return b'[%b "%b"]\n' % (name, escape(unescape(value)).encode())

    def _write(self) -> None:
        """Assemble the canonical record: tags, tricks, result."""
        parts = []
        for tag in range(TAG_COUNT):
            if tag == TAG_DECK and self.deck_known and self.tag_of[TAG_DECK] >= 0:
                if self.deck not in _DECK:
                    _DECK[self.deck] = b'[Deck "%b"]\n' % deck_letters(self.deck).encode()
                parts.append(_DECK[self.deck])
            elif tag != TAG_RESULT:
                value = self.values[tag]
                if value.line:
                    parts.append(value.line)
        parts += [value.line for value in self.others]
        value = self.values[TAG_RESULT]
        tricks = bytes(self.page[: self.filled])
        parts += (value.line, b"\n", tricks, self.result_written(), b"\n")
        self.record = b"".join(parts)

    # Rows ------------------------------------------------------------------------------

    def _rows(self, index: int) -> None:
        """Add the rows of the last game to all tables."""
        self._gains()
        self._add_tricks(index)
        if self.scored:
            self._add_factions(index)
        self._game_row(index)

    def _gains(self) -> None:
        """Set the code of each seat's points."""
        winners = self.result & 7
        share = (winners & 1) + (winners >> 1 & 1) + (winners >> 2 & 1)
        for seat in range(self.seats):
            if not winners:
                self.gains[seat] = 0
            elif winners >> (seat % self.sides) & 1:
                self.gains[seat] = 5 - share
            else:
                self.gains[seat] = 1

    def _how(self, t: int, place: int) -> int:
        """The code of how the play at `place` of trick `t` (both from 0) went."""
        if self.t_card[4 * t + place] == NONE:
            return NONE
        seat = (self.t_leader[t] + place) % self.seats
        code = self.gains[seat]
        if self.t_winner[t] != NONE:
            code |= DECIDED
            if seat == self.t_winner[t]:
                code |= WON
        if self.t_auto[t]:
            code |= FACE_DOWN
        return code

    def _upcard(self, t: int, which: int) -> int:
        """How the game went for the player who took an upcard and for the winner of its trick."""
        if self.t_up[2 * t + which] == NONE:
            return NONE
        code = 0
        if self.t_took[2 * t + which] != NONE:
            code = self.gains[self.t_took[2 * t + which]]
        if self.t_winner[t] != NONE:
            code |= self.gains[self.t_winner[t]] << 3
        return code

    def _trick_row(self, index: int, t: int, early: bool, length: int) -> None:
        """Add a row for trick `t`; the columns are `claimlog.store.model.schema.TRICKS`."""
        rows = self.trick_rows
        row = rows.data
        room = rows.room
        k = rows.count * INTEGER
        row[k] = index & 255
        row[k + 1] = index >> 8 & 255
        row[k + 2] = index >> 16 & 255
        row[k + 3] = 0
        k = INTEGER * room + rows.count
        row[k] = t + 1
        row[k + room] = 1 if early else 2
        row[k + 2 * room] = self.t_auto[t]
        row[k + 3 * room] = self.t_leader[t] + 1
        row[k + 4 * room] = _seat(self.t_winner[t])
        for j in range(2):
            row[k + (5 + j) * room] = self.t_up[2 * t + j]
            row[k + (7 + j) * room] = self._upcard(t, j)
            row[k + (9 + j) * room] = _seat(self.t_took[2 * t + j])
        for j in range(4):
            row[k + (11 + j) * room] = self.t_card[4 * t + j]
            row[k + (15 + j) * room] = self._how(t, j)
        row[k + 19 * room] = self.t_best[t]
        row[k + 20 * room] = length
        row[k + 21 * room] = self.seats
        row[k + 22 * room] = self.result
        rows.count += 1

    def _add_tricks(self, index: int) -> None:
        """Add a row for each trick of the last game."""
        for seat in range(4):
            self.wins[seat] = 0
        self.trick_rows.make_room(TRICKS)
        for t in range(self.noted):
            early = t < self.tricks
            if early and self.t_winner[t] != NONE:
                self.wins[self.t_winner[t]] += 1
            # The length of the run of leads that begins here, 0 if one continues.
            length = 0
            if t in (0, self.tricks) or self.t_leader[t] != self.t_leader[t - 1]:
                end = min(self.noted, self.tricks if early else 2 * self.tricks)
                length = 1
                while t + length < end and self.t_leader[t + length] == self.t_leader[t]:
                    length += 1
            self._trick_row(index, t, early, length)

    def _add_factions(self, index: int) -> None:
        """Add a row for each faction of the deck; the columns are `schema.FACTIONS_WON`."""
        count = self.count
        three = self.sides == 3
        rows = self.faction_rows
        rows.make_room(FACTION_COUNT)
        row = rows.data
        room = rows.room
        for faction in range(FACTION_COUNT):
            if not self.deck >> faction & 1:
                continue
            winner = count.won_by[faction]
            code = THREE_SIDES if three else 0
            if winner >= 0:
                code |= DECIDED | self.gains[winner]
                if winner == self.leader % self.sides:
                    code |= BY_LEADER
            k = rows.count * INTEGER
            row[k] = index & 255
            row[k + 1] = index >> 8 & 255
            row[k + 2] = index >> 16 & 255
            row[k + 3] = 0
            k = INTEGER * room + rows.count
            row[k] = faction
            row[k + room] = winner + 1 if winner >= 0 else NONE
            row[k + 2 * room] = count.count[faction]
            row[k + 3 * room] = count.count[FACTION_COUNT + faction]
            row[k + 4 * room] = count.count[2 * FACTION_COUNT + faction] if three else NONE
            row[k + 5 * room] = NONE if winner < 0 else self._margin(faction) + MARGIN
            row[k + 6 * room] = code
            row[k + 7 * room] = self.seats
            row[k + 8 * room] = self.leader % self.sides + 1
            row[k + 9 * room] = self.result
            rows.count += 1

    def _margin(self, faction: int) -> int:
        """By how many cards the winner of a faction leads; negative if Bards are won with fewer."""
        count = self.count
        best = count.count[count.won_by[faction] * FACTION_COUNT + faction]
        second = 0
        for side in range(self.sides):
            if side != count.won_by[faction]:
                second = max(second, count.count[side * FACTION_COUNT + faction])
        return best - second

    def _put_number(self, value: int, size: int) -> None:
        """Write the game's number in the next column, one of `size` bytes."""
        rows = self.game_rows
        row = rows.data
        k = self.at * rows.room + rows.count * size
        for i in range(size):
            row[k + i] = value >> 8 * i & 255
        self.at += size

    def _put_key(self, digest: bytes) -> None:
        """Write the first 64 bits of a digest as a number, or the stand-in if it is empty."""
        key = NO_NUMBER
        first = digest
        if len(digest):
            for i in range(NUMBER):
                key = key << 8 | first[i]
        self._put_number(key, NUMBER)

    def _put_digest(self) -> None:
        """Write the digest."""
        rows = self.game_rows
        row = rows.data
        digest = self.digest
        k = self.at * rows.room + rows.count * DIGEST
        for i in range(DIGEST):
            row[k + i] = digest[i]
        self.at += DIGEST

    def _put_byte(self, value: int) -> None:
        """Write the game's number in the next column, one of one byte."""
        rows = self.game_rows
        row = rows.data
        row[self.at * rows.room + rows.count] = value
        self.at += 1

    def _put_text(self, text: bytes) -> None:
        """Write the game's text, which is packed, in the next column of texts."""
        column = self.game_rows.texts[self.word]
        column.append(text)
        self.word += 1

    def _game_row(self, index: int) -> None:
        """Add a row for the game; the columns are `claimlog.store.model.schema.STAGED`."""
        self.game_rows.make_room(1)
        self.at = self.word = 0
        values = self.values
        event = values[TAG_EVENT]
        self._put_number(index, INTEGER)
        self._put_key(self.digest)
        self._put_digest()
        self._put_number(event.number, NUMBER)
        value = values[TAG_DATE]
        self._put_number(value.number, INTEGER)
        value = values[TAG_START]
        self._put_number(value.number, NUMBER)
        value = values[TAG_END]
        self._put_number(value.number, NUMBER)
        self._put_byte(self.seats)
        self._put_text(event.packed)
        for tag in (TAG_SITE, TAG_DATE, TAG_ROUND, TAG_TABLE):
            value = values[tag]
            self._put_text(value.packed)
        self._seat_columns()
        self._put_number(self.deck if self.deck_known else 0, INTEGER)
        self._put_byte(self.classic)
        self._put_byte(
            self.troll_line
            | self.any_dragon << 1
            | self.any_automaton << 2
            | self.raccoons_in_pile << 3
        )
        self._put_byte(self.leader + 1)
        self._put_byte(self.complete)
        self._put_byte(self.result)
        value = values[TAG_TERMINATION]
        self._put_byte(value.number if value.text else 0)
        self._put_byte(self.noted)
        self._score_columns()
        done = 0 < self.tricks <= self.noted and self.t_winner[self.tricks - 1] != NONE
        self._put_byte(self.t_winner[self.tricks - 1] + 1 if done else NONE)
        self._put_byte(self.t_leader[self.tricks] + 1 if self.noted > self.tricks else NONE)
        for seat in range(4):
            self._put_byte(self.wins[seat] if seat < self.seats else NONE)
        self._put_text(self._searched())
        self._put_byte(self._warnings())
        self._keys()
        self._put_text(packed(self.record))
        self.game_rows.count += 1

    def _seat_columns(self) -> None:
        """Write who sat where, and the lowest rating if all are known."""
        rated = 0
        lowest = self.values[TAG_RATING]
        for seat in range(4):
            if seat >= self.seats:
                self._put_number(NO_NUMBER, NUMBER)
                self._put_number(NO_REAL, INTEGER)
                self._put_text(NOTHING)
                self._put_text(NOTHING)
                continue
            player = self._player(seat)
            rating = self.values[TAG_RATING + seat]
            self._put_number(player.number, NUMBER)
            self._put_number(rating.number, INTEGER)
            player = self.values[TAG_PLAYER + seat]
            self._put_text(player.packed)
            player = self.values[TAG_ID + seat]
            self._put_text(player.packed)
            rated += rating.number != NO_REAL
            if rating.rating < lowest.rating:
                lowest = rating
        self._put_number(lowest.number if rated == self.seats else NO_REAL, INTEGER)

    def _player(self, seat: int) -> Value:
        """The tag that identifies the player of a seat: the id if there is one, else the name."""
        tag_id = self.values[TAG_ID + seat]
        return tag_id if tag_id.text else self.values[TAG_PLAYER + seat]

    def _score_columns(self) -> None:
        """Write votes and factions of each side, and what broke a tie."""
        count = self.count
        written = [] if self.scored else self._votes_written()
        for side in range(3):
            if self.scored and side < self.sides:
                won = 0
                for faction in range(FACTION_COUNT):
                    if self.deck >> faction & 1 and count.won_by[faction] == side:
                        won |= 1 << faction
                self._put_byte(count.votes[side])
                self._put_number(won, INTEGER)
            else:
                self._put_byte(int(written[side]) if side < len(written) else NONE)
                self._put_number(NO_INTEGER, INTEGER)
        self._put_byte(count.tiebreak if self.scored else NONE)

    def _votes_written(self) -> list[bytes]:
        """The votes in the tag of a game that has a result but cannot be scored."""
        if self.result == UNFINISHED or self.tag_of[TAG_VOTES] < 0:
            return []
        return list(self._value(TAG_VOTES).split(b"-"))

    def _searched(self) -> bytes:
        """Further text for the search, packed: some tags, and comments."""
        there = len(self.sheet.comments) > 0
        for tag in SEARCHED:
            there = there or self.tag_of[tag] >= 0
        if not there:
            return NOTHING
        text = self.sheet.text
        words = [self.values[t].text.decode() for t in SEARCHED]
        words += [
            names.tidy(text[start:end].decode(errors="replace"))
            for _, start, end in zip(*[iter(self.sheet.comments)] * 3, strict=True)
        ]
        return packed(" ".join(words).strip().encode())

    def _warnings(self) -> int:
        """The warnings of the last game as bits, in the order of `WARNING_NAMES`."""
        bits = 0
        for finding in self.findings:
            bits |= 1 << _WARNING_BIT[CODE_OF[finding[0]]]
        return bits

    def _keys(self) -> None:
        """Write the keys by which other versions of the same game are found.

        They stand for event, round and table; event, round and players; the deck and the first six
        tricks.  Each is unknown if a part of it is unknown.
        """
        value = self.values[TAG_EVENT]
        event = value.digits
        value = self.values[TAG_ROUND]
        round_name = value.folded
        value = self.values[TAG_TABLE]
        table = value.folded
        at_table = among = tricks = b""
        if event and round_name:
            if table:
                at_table = _digest(b"\0".join((b"table", event, round_name, table)))
            players = [self._player(seat).digits for seat in range(self.seats)]
            if all(players):
                players.sort()
                among = _digest(b"\0".join((b"players", event, round_name, *players)))
        if self.noted >= OPENING and self.t_winner[OPENING - 1] != NONE:
            opening = self.opening
            for k in range(4 * OPENING):
                opening[k] = self.t_card[k]
            for k in range(2 * OPENING):
                opening[4 * OPENING + 1 + k] = self.t_up[k]
            head = b"tricks\0%d\0%d\0" % (self.deck, self.t_leader[0])
            tricks = _digest(head + self.opening)
        self._put_key(at_table)
        self._put_key(among)
        self._put_key(tricks)

    def take_rows(self) -> tuple[bytes, bytes, bytes]:
        """Return files of the rows of games, tricks and factions, and drop them."""
        return self.game_rows.take(), self.trick_rows.take(), self.faction_rows.take()
