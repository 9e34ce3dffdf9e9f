"""From a sheet to rows: a game is judged, written canonically and taken apart in one go.

An `Encoder` is a judge that notes every trick.  Of a game that is legal it makes the
canonical record and the rows of the derived tables (docs/archive.md): games as text for
DuckDB's CSV reader, tricks and factions as `claimlog.store.parquet`.  Compiled
(``encode.pxd``) or interpreted from this one source: an import spends most of its time here.
Comments are rare and keep their place by rules of their own; a game that has any is written
by `claimlog.notation.writer`.
"""

from datetime import UTC, datetime
from hashlib import sha256

from claimlog.cards import CARDS, FACTION_COUNT, NAMES, deck_letters
from claimlog.notation import names
from claimlog.notation.problems import CODE_OF, CODES
from claimlog.notation.sheet import Sheet
from claimlog.notation.tags import OTHER_TAG, TAG_FIELDS, TAGS, TERMINATIONS, escape, unescape
from claimlog.notation.tokens import ANNOTATION_SHIFT, ANNOTATIONS, IRREGULAR, RESULT
from claimlog.notation.writer import canonical
from claimlog.replay.explain import only_warnings, problems
from claimlog.replay.judge import Judge
from claimlog.replay.recorder import Recorder
from claimlog.results import UNFINISHED, result_text
from claimlog.rules.setup import MAX_TRICKS
from claimlog.store.codes import BY_LEADER, DECIDED, FACE_DOWN, MARGIN, NONE, THREE_SIDES, WON
from claimlog.store.parquet import parquet
from claimlog.store.schema import FACTIONS_WON as FACTION_ROW
from claimlog.store.schema import STAGED
from claimlog.store.schema import TRICKS as TRICK_ROW

TRICKS = 2 * MAX_TRICKS
SEPARATOR = b"\x1f"
LINE_BREAK = b"\x1e"
"""Stands for a line break of the record in the rows."""
HEX = b"\x02"
"""Stands before a record in hexadecimal: one with characters that a file of lines cannot hold."""
ODD = b"\0\r\x02\x1e\x1f"
MEMO = 65536
"""How many names and dates are remembered."""
LINE = 128
"""More bytes than a trick has, written down or as a row."""
TRICK_COLUMNS = [name for name, _ in TRICK_ROW]
FACTION_COLUMNS = [name for name, _ in FACTION_ROW]
TRICK_WIDTH = 4 + len(TRICK_COLUMNS) - 1
FACTION_WIDTH = 4 + len(FACTION_COLUMNS) - 1
SMALL = [b"%d" % i for i in range(256)]
"""Small numbers in digits."""

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
_STAGED = [name for name, _ in STAGED]
_EVENT = _STAGED.index("event")
_ROUND = _STAGED.index("round")
_PLAYER = _STAGED.index("p1")
OPENING = 6
"""How many tricks tell a game from all others."""
WARNING_NAMES = CODES[CODES.index("loot-unknown") :]
"""The warnings, in the order of their bits."""
_WARNING_BIT = {name: bit for bit, name in enumerate(WARNING_NAMES)}
SEARCHED = tuple(TAGS.index(name) for name in ("Scenario", "Annotator", "Recorder", "Director"))

_NAME_ROOM = bytearray(b"".join(name.encode().ljust(4, b"\0") for name in NAMES))
_MARK = [mark.encode() for mark in ANNOTATIONS]
_DECK: dict[int, bytes] = {}


def number_of(kind: str, key: str) -> int:
    """The lasting number of a player or an event: 64 bits of a digest of what names it."""
    return int.from_bytes(sha256(f"{kind}\0{key}".encode()).digest()[:8], "big")


def event_number(name: str) -> int:
    """The number of the event that games call `name`."""
    return number_of("event", names.folded(tidy(name)))


def _key(*parts: bytes) -> bytes:
    """The number, of 64 bits, of what these parts say."""
    return b"%d" % int.from_bytes(sha256(b"\0".join(parts)).digest()[:8], "big")


def _folded(name: bytes) -> bytes:
    """A name in any case."""
    return name.lower() if name.isascii() else names.folded(name.decode()).encode()


def tidy(value: str) -> str:
    """A name as it is compared, "" if it is unknown."""
    text = names.tidy(value)
    return "" if text == "?" else text


def day_of(value: str) -> str:
    """The first day that a date with unknown parts may mean, "" without a year."""
    parts = value.split("-")
    if len(parts) != 3 or "?" in parts[0] or parts[0] == "0000":
        return ""
    month = "01" if "?" in parts[1] else parts[1]
    day = "01" if "?" in parts[2] or "?" in parts[1] else parts[2]
    return f"{parts[0]}-{month}-{day}"


def moment_of(value: str) -> str:
    """A moment in UTC, as DuckDB reads it; "" if there is none."""
    try:
        moment = datetime.fromisoformat(value).astimezone(UTC)
    except (ValueError, OverflowError):
        return ""
    return moment.strftime("%Y-%m-%d %H:%M:%S") if moment.year >= 1000 else ""


def _seat(number: int) -> int:
    """A seat counted from 1, if it is known."""
    return number if number == NONE else number + 1


class Encoder(Judge):
    """A judge that writes down what it sees; see `encode`.

    After `encode`: `record` is the canonical record, `digest` its digest.  The `take_*`
    functions hand over the rows collected so far.
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
        self.trick_rows = bytearray(1 << 16)
        self.trick_size = 0
        self.faction_rows = bytearray(1 << 14)
        self.faction_size = 0
        self.game_rows: list[bytes] = []
        self.memo: dict[bytes, bytes] = {}
        self.names: dict[bytes, bytes] = {}
        self.events: dict[bytes, bytes] = {}
        self.players: dict[bytes, bytes] = {}
        self.ids: dict[bytes, bytes] = {}
        self.days: dict[bytes, bytes] = {}
        self.longest = 0
        self.recorder: Recorder | None = None

    def encode(self, sheet: Sheet, index: int) -> bool:
        """Judge `sheet`; if it is legal, make its record and add its rows as game `index`."""
        self.filled = 0
        self.noted = 0
        if not self.judge(sheet) and not only_warnings(self):
            return False
        if sheet.comments:
            if self.recorder is None:
                self.recorder = Recorder(reasons=False)
            self.record = canonical(self.recorder.record(sheet, 1)).encode()
        else:
            self._write()
        self.digest = sha256(self.record).digest()
        self._rows(index)
        return True

    def fields(self, sheet: Sheet) -> list[str] | None:
        """The row of one game as text, by `claimlog.store.schema.STAGED`; None if it is invalid.

        No row is kept.
        """
        if not self.encode(sheet, 0):
            return None
        return self.take_fields()

    def take_fields(self) -> list[str]:
        """The row of the last game, as `fields` gives it; no row is kept."""
        row: bytes = self.game_rows.pop()
        self.drop_rows()
        return row.decode().split(SEPARATOR.decode())

    def drop_rows(self) -> None:
        """Forget the rows of all games."""
        self.trick_size = self.faction_size = 0
        self.game_rows = []

    def found(self, line: int) -> list[object]:
        """The problems of the last game, in words."""
        return list(problems(self, line)) if self.findings or self.sheet.faults else []

    def result_written(self) -> str:
        """The result of the last game as written, otherwise the tag's."""
        sheet = self.sheet
        if sheet.size and sheet.kind[sheet.size - 1] == RESULT:
            token = sheet.size - 1
            return sheet.text[sheet.start[token] : sheet.end[token]].decode()
        return result_text(self.result)

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
        self.page[self.filled] = byte
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
        """Note leader, winner and who took the upcards."""
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

    def _write(self) -> None:
        """Put the canonical record together: tags, tricks, result."""
        sheet = self.sheet
        out = bytearray()
        places = []
        others = []
        last = -1
        for i in range(sheet.tags):
            tag = sheet.tag_id[i]
            if tag == TAG_RESULT:
                last = i
            elif tag == OTHER_TAG:
                others.append(i)
            else:
                places.append((tag, i))
        places.sort()
        for tag, i in places:
            self._write_tag(out, tag, i)
        for i in others:
            self._write_tag(out, OTHER_TAG, i)
        if last >= 0:
            self._write_tag(out, TAG_RESULT, last)
        out += b"\n"
        out += self.page[: self.filled]
        out += self.result_written().encode()
        out += b"\n"
        self.record = bytes(out)

    def _write_tag(self, out: bytearray, tag: int, place: int) -> None:
        sheet = self.sheet
        k = place * TAG_FIELDS
        if tag == TAG_DECK and self.deck_known:
            if self.deck not in _DECK:
                _DECK[self.deck] = b'[Deck "%b"]\n' % deck_letters(self.deck).encode()
            out += _DECK[self.deck]
            return
        # The same name and value were most often written before.
        written = sheet.text[sheet.tag_at[k + 2] : sheet.tag_at[k + 5]]
        known = self.memo.get(written)
        if known is None:
            if len(self.memo) >= MEMO:
                self.memo.clear()
            name = sheet.text[sheet.tag_at[k + 2] : sheet.tag_at[k + 3]]
            value = sheet.text[sheet.tag_at[k + 4] : sheet.tag_at[k + 5]]
            text = escape(unescape(value.decode(errors="replace"))).encode()
            known = b'[%b "%b"]\n' % (name, text)
            self.memo[written] = known
        out += known

    # Rows ------------------------------------------------------------------------------

    def _rows(self, index: int) -> None:
        """Add the rows of the last game to all tables."""
        self._gains()
        self._add_tricks(index)
        if self.scored:
            self._add_factions(index)
        self._game_row(index)

    def _gains(self) -> None:
        """The code of each seat's points."""
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
        """How the play at `place` of trick `t` (both from 0) went."""
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
        """How the game went for the taker of an upcard and the winner of its trick."""
        if self.t_up[2 * t + which] == NONE:
            return NONE
        code = 0
        if self.t_took[2 * t + which] != NONE:
            code = self.gains[self.t_took[2 * t + which]]
        if self.t_winner[t] != NONE:
            code |= self.gains[self.t_winner[t]] << 3
        return code

    def _trick_row(self, index: int, t: int, early: bool, length: int) -> None:
        """A row of trick `t`; the columns are `claimlog.store.schema.TRICKS`."""
        row = self.trick_rows
        k = self.trick_size
        row[k] = index & 255
        row[k + 1] = index >> 8 & 255
        row[k + 2] = index >> 16 & 255
        row[k + 3] = 0
        row[k + 4] = t + 1
        row[k + 5] = 1 if early else 2
        row[k + 6] = self.t_auto[t]
        row[k + 7] = self.t_leader[t] + 1
        row[k + 8] = _seat(self.t_winner[t])
        for j in range(2):
            row[k + 9 + j] = self.t_up[2 * t + j]
            row[k + 11 + j] = self._upcard(t, j)
            row[k + 13 + j] = _seat(self.t_took[2 * t + j])
        for j in range(4):
            row[k + 15 + j] = self.t_card[4 * t + j]
            row[k + 19 + j] = self._how(t, j)
        row[k + 23] = self.t_best[t]
        row[k + 24] = length
        row[k + 25] = self.seats
        row[k + 26] = self.result
        self.trick_size = k + TRICK_WIDTH

    def _add_tricks(self, index: int) -> None:
        """A row for each trick of the last game."""
        for seat in range(4):
            self.wins[seat] = 0
        if self.trick_size + TRICKS * TRICK_WIDTH > len(self.trick_rows):
            self.trick_rows = bytearray(self.trick_rows) + bytearray(len(self.trick_rows))
        for t in range(self.noted):
            early = t < self.tricks
            if early and self.t_winner[t] != NONE:
                self.wins[self.t_winner[t]] += 1
            # The length of the lead that begins here, 0 where one goes on.
            length = 0
            if t in (0, self.tricks) or self.t_leader[t] != self.t_leader[t - 1]:
                end = min(self.noted, self.tricks if early else 2 * self.tricks)
                length = 1
                while t + length < end and self.t_leader[t + length] == self.t_leader[t]:
                    length += 1
            self._trick_row(index, t, early, length)

    def _add_factions(self, index: int) -> None:
        """A row for each faction of the deck; the columns are `schema.FACTIONS_WON`."""
        count = self.count
        if self.faction_size + FACTION_COUNT * FACTION_WIDTH > len(self.faction_rows):
            self.faction_rows = bytearray(self.faction_rows) + bytearray(len(self.faction_rows))
        row = self.faction_rows
        for faction in range(FACTION_COUNT):
            if not self.deck >> faction & 1:
                continue
            winner = count.won_by[faction]
            code = THREE_SIDES if self.sides == 3 else 0
            if winner >= 0:
                code |= DECIDED | self.gains[winner]
                if winner == self.leader % self.sides:
                    code |= BY_LEADER
            k = self.faction_size
            row[k] = index & 255
            row[k + 1] = index >> 8 & 255
            row[k + 2] = index >> 16 & 255
            row[k + 3] = 0
            row[k + 4] = faction
            row[k + 5] = winner + 1 if winner >= 0 else NONE
            row[k + 6] = count.count[faction]
            row[k + 7] = count.count[FACTION_COUNT + faction]
            row[k + 8] = count.count[2 * FACTION_COUNT + faction] if self.sides == 3 else NONE
            row[k + 9] = NONE if winner < 0 else self._margin(faction) + MARGIN
            row[k + 10] = code
            row[k + 11] = self.seats
            row[k + 12] = self.leader % self.sides + 1
            row[k + 13] = self.result
            self.faction_size = k + FACTION_WIDTH

    def _margin(self, faction: int) -> int:
        """By how many cards the winner of a faction leads; Bards may be won with fewer."""
        count = self.count
        best = count.count[count.won_by[faction] * FACTION_COUNT + faction]
        second = 0
        for side in range(self.sides):
            if side != count.won_by[faction]:
                second = max(second, count.count[side * FACTION_COUNT + faction])
        return best - second

    def _known(self, tag: int) -> bytes:
        """A tag's value for a column, b"" if it is absent or unknown."""
        if self.tag_of[tag] == OTHER_TAG:
            return b""
        value = self._value(tag)
        known = self.names.get(value)
        if known is None:
            if len(self.names) >= MEMO:
                self.names.clear()
            known = tidy(unescape(value.decode(errors="replace"))).encode()
            self.names[value] = known
        return known

    def _remember(self, memo: dict[bytes, bytes], kind: str, value: bytes) -> bytes:
        """The number of an event or a player, or a day or a moment, for a tag's value."""
        if not value:
            return b""
        known = memo.get(value)
        if known is None:
            if len(memo) >= MEMO:
                memo.clear()
            text = value.decode()
            if kind == "day":
                known = day_of(text).encode()
            elif kind == "id":
                known = b"%d" % number_of(kind, text)
            else:
                known = b"%d" % number_of(kind, names.folded(text))
            memo[value] = known
        return known

    def _game_row(self, index: int) -> None:
        """One line; the columns are `claimlog.store.schema.STAGED`."""
        event = self._known(TAG_EVENT)
        date = self._known(TAG_DATE)
        start = self._known(TAG_START)
        end = self._known(TAG_END)
        fields = [
            b"%d" % index,
            b"%d" % int.from_bytes(self.digest[:8], "big"),
            self.digest.hex().encode(),
            self._remember(self.events, "event", event),
            event,
            self._known(TAG_SITE),
            date,
            self._remember(self.days, "day", date),
            self._known(TAG_ROUND),
            self._known(TAG_TABLE),
            moment_of(start.decode()).encode() if start else b"",
            moment_of(end.decode()).encode() if end else b"",
            SMALL[self.seats],
        ]
        ratings = []
        for seat in range(4):
            if seat >= self.seats:
                fields += (b"", b"", b"", b"")
                continue
            name = self._known(TAG_PLAYER + seat)
            tag_id = self._known(TAG_ID + seat)
            rating = self._known(TAG_RATING + seat)
            if tag_id:
                player = self._remember(self.ids, "id", tag_id)
            else:
                player = self._remember(self.players, "name", name)
            fields += (player, name, tag_id, rating)
            if rating:
                ratings.append(float(rating))
        count = self.count
        masks = [0, 0, 0]
        if self.scored:
            for faction in range(FACTION_COUNT):
                if self.deck >> faction & 1 and count.won_by[faction] >= 0:
                    masks[count.won_by[faction]] |= 1 << faction
        termination = self._value(TAG_TERMINATION).decode()
        fields += (
            b"%g" % min(ratings) if len(ratings) == self.seats else b"",
            b"%d" % self.deck if self.deck_known else b"0",
            b"1" if self.classic else b"0",
            b"%d"
            % (
                self.troll_line
                | self.any_dragon << 1
                | self.any_automaton << 2
                | self.raccoons_in_pile << 3
            ),
            SMALL[self.leader + 1],
            b"1" if self.complete else b"0",
            SMALL[self.result],
            b"%d" % (TERMINATIONS.index(termination) if termination else 0),
            SMALL[self.noted],
        )
        written = [] if self.scored else self._votes_written()
        for side in range(3):
            if self.scored and side < self.sides:
                fields += (SMALL[count.votes[side]], b"%d" % masks[side])
            elif side < len(written):
                fields += (SMALL[int(written[side])], b"")
            else:
                fields += (b"", b"")
        fields.append(SMALL[count.tiebreak] if self.scored else b"")
        done = 0 < self.tricks <= self.noted and self.t_winner[self.tricks - 1] != NONE
        fields.append(SMALL[self.t_winner[self.tricks - 1] + 1] if done else b"")
        later = self.noted > self.tricks
        fields.append(SMALL[self.t_leader[self.tricks] + 1] if later else b"")
        for seat in range(4):
            fields.append(SMALL[self.wins[seat]] if seat < self.seats else b"")
        fields.append(self._searched())
        fields.append(SMALL[self._warnings()])
        fields += self._keys(fields)
        if len(self.record.translate(None, ODD)) < len(self.record):
            fields.append(HEX + self.record.hex().encode())
        else:
            fields.append(self.record.replace(b"\n", LINE_BREAK))
        row = SEPARATOR.join(fields)
        self.longest = max(self.longest, len(row))
        self.game_rows.append(row)

    def _votes_written(self) -> list[bytes]:
        """The votes of a game that has a result and cannot be counted, as its tag says."""
        if self.result == UNFINISHED or self.tag_of[TAG_VOTES] == OTHER_TAG:
            return []
        return list(self._value(TAG_VOTES).split(b"-"))

    def _searched(self) -> bytes:
        """Further text that a search looks at: some tags, and comments."""
        if not self.sheet.comments and not any(self.tag_of[t] != OTHER_TAG for t in SEARCHED):
            return b""
        text = self.sheet.text
        words = [self._known(t).decode() for t in SEARCHED]
        words += [
            names.tidy(text[start:end].decode(errors="replace"))
            for _, start, end in self.sheet.comments
        ]
        return " ".join(words).strip().encode()

    def _warnings(self) -> int:
        """The warnings of the last game as bits, in the order of `WARNING_NAMES`."""
        bits = 0
        for finding in self.findings:
            bits |= 1 << _WARNING_BIT[CODE_OF[finding[0]]]
        return bits

    def _keys(self, fields: list[bytes]) -> tuple[bytes, bytes, bytes]:
        """What the same game has in common however often it is handed in.

        Event, round and table; event, round and players; the deck and the first six tricks.
        Each is empty where something of it is not known.
        """
        event = fields[_EVENT]
        round_name = _folded(fields[_ROUND])
        table = _folded(fields[_ROUND + 1])
        at_table = among = tricks = b""
        if event and round_name:
            if table:
                at_table = _key(b"table", event, round_name, table)
            players = [fields[_PLAYER + 4 * seat] for seat in range(self.seats)]
            if all(players):
                players.sort()
                among = _key(b"players", event, round_name, *players)
        if self.noted >= OPENING and self.t_winner[OPENING - 1] != NONE:
            tricks = _key(
                b"tricks",
                b"%d" % self.deck,
                SMALL[self.t_leader[0]],
                bytes(self.t_card[: 4 * OPENING]),
                bytes(self.t_up[: 2 * OPENING]),
            )
        return at_table, among, tricks

    def take_games(self) -> bytes:
        """The rows of the games, a line each."""
        rows = b"".join([row + b"\n" for row in self.game_rows])
        self.game_rows = []
        return rows

    def take_tricks(self) -> bytes:
        """The rows of the tricks."""
        rows = bytes(self.trick_rows[: self.trick_size])
        self.trick_size = 0
        return parquet(rows, TRICK_COLUMNS)

    def take_factions(self) -> bytes:
        """The rows of the factions."""
        rows = bytes(self.faction_rows[: self.faction_size])
        self.faction_size = 0
        return parquet(rows, FACTION_COLUMNS)
