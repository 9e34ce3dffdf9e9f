"""Split the bytes of one game into tags, tokens and comments (docs/notation.md).

A `Sheet` is a score sheet that has not been judged.  `Sheet.read` takes the next game out of a
buffer; it finds the end of that game and reports unreadable text, but knows no rules.  Compiled
(``sheet.pxd``) or interpreted from this one source.
"""

import re
from array import array
from collections.abc import MutableSequence

from claimlog.cards import CARD_AT, FACTION_COUNT, LETTERS, UNKNOWN, VALUE_ROOM
from claimlog.notation.problems import (
    SYNTAX_AFTER_TAG,
    SYNTAX_COLON,
    SYNTAX_COMMENT,
    SYNTAX_LIST,
    SYNTAX_MARK,
    SYNTAX_SPACE,
    SYNTAX_TAG,
    SYNTAX_TOKEN,
)
from claimlog.notation.tags import OTHER_TAG, TAG_FIELDS, TAG_IDS, TAGS
from claimlog.notation.tokens import (
    ALONE,
    ANNOTATION_SHIFT,
    DISCARD,
    DRAW,
    FACE_DOWN,
    FIRST,
    HIGHEST_NUMBER,
    IRREGULAR,
    JUNK,
    NO_CARD,
    NUMBER,
    PICK,
    PLAY,
    RESULT,
    SEER,
    UPCARD,
    WON,
)
from claimlog.results import NO_RESULT, RESULT_BYTES, parse_result

_SPACE, _LETTER, _DIGIT = 1, 2, 4
_WORD = 8
_SPACE_KIND = 99
LONGEST = 6
"""More bytes than a number or a card has with its prefix, its ``+`` and the byte after it."""
_SPACES = " \t\r\n\v\f"


def _classes() -> bytes:
    table = bytearray(256)
    for space in _SPACES:
        table[ord(space)] = _SPACE
    for c in range(256):
        if chr(c).isascii() and chr(c).isalpha():
            table[c] = _LETTER | _WORD
        elif 48 <= c <= 57:
            table[c] = _DIGIT | _WORD
    table[95] = _WORD
    return bytes(table)


def _factions() -> bytes:
    table = bytearray([255]) * 256
    for faction, letter in enumerate(LETTERS):
        table[ord(letter)] = table[ord(letter.lower())] = faction
    return bytes(table)


def _kinds() -> bytes:
    """The kind of a simple token, by its first character."""
    table = bytearray(256)
    for c in range(256):
        if chr(c).isascii() and chr(c).isalpha():
            table[c] = PLAY
        elif 48 <= c <= 57:
            table[c] = NUMBER
    for prefix, kind in (("-", DISCARD), ("=", PICK), ("~", SEER), ("/", DRAW)):
        table[ord(prefix)] = kind
    for space in _SPACES:
        table[ord(space)] = _SPACE_KIND
    return bytes(table)


def _sketch(first: int, last: int, length: int) -> int:
    """A number below 256 that nearly tells which tag's name has these letters and length."""
    return first + 6 * last + 32 * length & 255


_CARD_AT = CARD_AT.replace(bytes([UNKNOWN]), bytes([NO_CARD]))
_GOES_ON = bytes(c in b"0123456789," for c in range(256))
_ENDS_TEXT = bytes(c in b'"\\\n\0' for c in range(256))
"""Also 0, which follows the last byte of a text, where the compiler looks."""
MOST_FAULTS = 1000
"""The most faults kept: more than are ever reported or made by mistake."""
INTERPRETED = __file__.endswith(".py")
"""Whether one call for many bytes is faster than a loop, and a list faster than an array."""
_TEXT = re.compile(rb'[^"\\\n]*')
"""Text that the compiler looks for with `_ENDS_TEXT`."""
_CLASS = _classes()
_KIND = _kinds()
_FACTION = _factions()
_TAG_COUNT = len(TAGS)
NAME_ROOM = 16
_NAMES = b"".join(name.encode().ljust(NAME_ROOM, b"\0") for name in TAGS)
"""The name of each tag, at ``NAME_ROOM * tag``."""
_LENGTHS = bytes(len(name) for name in TAGS).ljust(256, b"\0")
"""The length of each tag's name, 0 for `OTHER_TAG`."""
_SKETCHED = [_sketch(ord(name[0]), ord(name[-1]), len(name)) for name in TAGS]
_SKETCHES = bytes(_SKETCHED.index(n) if n in _SKETCHED else OTHER_TAG for n in range(256))
"""A tag whose name has a sketch, `OTHER_TAG` if none has it."""
_BOM = b"\xef\xbb\xbf"


def numbers(size: int) -> MutableSequence[int]:
    """Return `size` zeros; compiled modules read an array without creating Python integers."""
    return [0] * size if INTERPRETED else array("i", bytes(4 * size))


def _with_room(values: MutableSequence[int], more: int) -> MutableSequence[int]:
    """Return values created by `numbers`, with room for `more`."""
    longer = numbers(len(values) + more)
    for i, value in enumerate(values):
        longer[i] = value
    return longer


def _after_text(text: bytes, i: int, limit: int) -> int:
    match = _TEXT.match(text, i, limit)
    return match.end() if match else i


class Sheet:
    """The tags and tokens of one game; offsets are bytes in `text`.

    Tokens are stored in parallel arrays, in the first `size` entries of each: `kind`, `card` (for a
    number its lower byte, for a result the result), `flags` (for a number its upper byte), `start`,
    `end`; a number is at most `HIGHEST_NUMBER`.  Tags: `tag_id` and, six each, `tag_at` (the first
    `tags` of each).  `comments` holds three entries each: the token before it or -1, and start and
    end without the braces; `faults` holds unreadable text as (fault, start, end), up to
    `MOST_FAULTS`, and `more_faults` is the number of others.
    `lines` is the number of line breaks passed, `line` that of those before `begin`.
    """

    def __init__(self) -> None:
        self.text = b""
        self.limit = 0
        self.room = 512
        self.kind = bytearray(self.room + 2)
        self.card = bytearray(self.room + 2)
        self.flags = bytearray(self.room + 2)
        self.start = numbers(self.room + 2)
        self.end = numbers(self.room + 2)
        self.tag_room = 64
        self.tag_id = bytearray([OTHER_TAG]) * self.tag_room
        self.tag_at = numbers(TAG_FIELDS * self.tag_room)
        self.comments = array("i")
        self.faults: list[tuple[int, int, int]] = []
        self.more_faults = 0
        self.size = 0
        self.tags = 0
        self.begin = 0
        self.line = 0
        self.lines = 0
        self.finish = 0
        self.result = NO_RESULT
        self.irregulars = 0
        self.last_card = NO_CARD

    def read(self, text: bytes, at: int, final: bool) -> int:
        """Read the game that starts at or after offset `at` of `text`.

        Returns the offset where the next game may start, or -1 if the game may continue beyond the
        end of `text` (never if `final`: nothing follows).  If only white space is left, `found` is
        false.
        """
        i = self.read_tags(text, at)
        if i < 0:
            i = -i - 1
        else:
            if self.begin < 0:
                self.begin = i
                self.line = self.lines
            if INTERPRETED:
                i = _WORDS.read(self, i)
            i = self._movetext(i)
        self.kind[self.size] = 0
        self.kind[self.size + 1] = 0
        if i >= self.limit and not final:
            return -1
        return i

    def read_tags(self, text: bytes, at: int) -> int:
        """Read only the tags of the game that starts at or after offset `at` of `text`.

        Returns the start of its movetext, or ``-1 - offset`` if the game ends before that.
        """
        self.text = text
        self.limit = len(text)
        self.size = 0
        self.tags = 0
        self.result = NO_RESULT
        self.irregulars = 0
        if self.comments:
            self.comments = array("i")
        if self.faults:
            self.faults = []
            self.more_faults = 0
        self.begin = -1
        self.lines = self.line = 0
        self.finish = at
        return self._header(at)

    def fault(self, fault: int, start: int, end: int) -> None:
        """Add unreadable text to the faults, or count it if there are too many."""
        if len(self.faults) < MOST_FAULTS:
            self.faults.append((fault, start, end))
        else:
            self.more_faults += 1

    def found(self) -> bool:
        """Whether `read` found a game: tags, tokens or unreadable text."""
        return self.tags > 0 or self.size > 0 or len(self.faults) > 0

    def _header(self, i: int) -> int:
        """Read the tag section from `i`.

        Returns the start of the movetext, or ``-1 - offset`` if the game ends before it.
        """
        p = self.text
        after_blank = False
        fresh = True
        while True:
            j = i
            while j < self.limit and _CLASS[p[j]] == _SPACE and p[j] != 10:
                j += 1
            if self.begin < 0 and j < self.limit and p[j] == 0xEF and p[j : j + 3] == _BOM:
                j += 3
                while j < self.limit and _CLASS[p[j]] == _SPACE and p[j] != 10:
                    j += 1
            if j >= self.limit:
                return -1 - self.limit
            c = p[j]
            if c == 10:
                if fresh:
                    after_blank = self.tags > 0 or len(self.faults) > 0
                fresh = True
                self.lines += 1
                i = j + 1
            elif c == 91:
                if after_blank:
                    return -1 - i
                i = self._tag(j)
                fresh = True
            elif c == 123 or c == 59:
                if self.begin < 0:
                    self.begin = j
                    self.line = self.lines
                i = self._comment(j)
                fresh = False
                if i < 0:
                    return i
            else:
                return j

    def _tag(self, at: int) -> int:
        """Read the tag line whose ``[`` is at `at`; return the start of the next line."""
        p = self.text
        limit = self.limit
        if self.begin < 0:
            self.begin = at
            self.line = self.lines
        name = at + 1
        # Try the tag first that the previous game had in this place.
        n = self.tags
        tag = self.tag_id[n] if n < self.tag_room else OTHER_TAG
        i = name + _LENGTHS[tag]
        if i >= limit or p[i] != 32 or not self._named(tag, name):
            tag = OTHER_TAG
            i = name
            while i < limit and _CLASS[p[i]] & _WORD:
                i += 1
        name_end = i
        while i < limit and (p[i] == 32 or p[i] == 9):
            i += 1
        if name < name_end and _CLASS[p[name]] & _LETTER and i < limit and p[i] == 34:
            i += 1
            value = i
            if INTERPRETED:
                i = _after_text(self.text, i, limit)
            else:
                while not _ENDS_TEXT[p[i]]:
                    i += 1
            while i < limit and p[i] != 34 and p[i] != 10:
                i += 2 if p[i] == 92 and i + 1 < limit and p[i + 1] != 10 else 1
            value_end = i
            if i < limit and p[i] == 34:
                i += 1
                while i < limit and (p[i] == 32 or p[i] == 9):
                    i += 1
                if i < limit and p[i] == 93:
                    i += 1
                    if n == self.tag_room:
                        self._grow_tags()
                    if tag == OTHER_TAG:
                        self.tag_id[n] = tag = self._tag_named(name, name_end)
                    k = n * TAG_FIELDS
                    self.tag_at[k] = at
                    self.tag_at[k + 1] = i
                    self.tag_at[k + 2] = name
                    self.tag_at[k + 3] = name_end
                    self.tag_at[k + 4] = value
                    self.tag_at[k + 5] = value_end
                    self.tags = n + 1
                    self.finish = i
                    if i < limit and p[i] == 10:
                        self.lines += 1
                        return i + 1
                    return self._end_of_line(i, SYNTAX_AFTER_TAG)
        return self._end_of_line(at, SYNTAX_TAG)

    def _named(self, tag: int, at: int) -> bool:
        """Whether the name of `tag` is at `at`; the text does not end before."""
        p = self.text
        names = _NAMES
        start = NAME_ROOM * tag
        length = _LENGTHS[tag]
        if INTERPRETED:
            return length > 0 and self.text.startswith(_NAMES[start : start + length], at)
        k = 0
        while k < length and p[at + k] == names[start + k]:
            k += 1
        return k == length > 0

    def _tag_named(self, start: int, end: int) -> int:
        """The tag whose name is there, `OTHER_TAG` if it is none that the format defines."""
        p = self.text
        tag = _SKETCHES[_sketch(p[start], p[end - 1], end - start)]
        if tag < _TAG_COUNT and _LENGTHS[tag] == end - start and self._named(tag, start):
            return tag
        return TAG_IDS.get(self.text[start:end], OTHER_TAG)

    def _grow_tags(self) -> None:
        """Make room for more tags."""
        self.tag_id += bytearray([OTHER_TAG]) * self.tag_room
        self.tag_at = _with_room(self.tag_at, TAG_FIELDS * self.tag_room)
        self.tag_room *= 2

    def _end_of_line(self, i: int, fault: int) -> int:
        """Skip to the next line; anything but white space before it is a `fault`."""
        p = self.text
        start = -1
        end = i
        while i < self.limit and p[i] != 10:
            if _CLASS[p[i]] != _SPACE:
                if start < 0:
                    start = i
                end = i + 1
            i += 1
        if start >= 0:
            self.fault(fault, start, end)
            self.finish = end
        if i < self.limit:
            self.lines += 1
            i += 1
        return i

    def _comment(self, at: int) -> int:
        """Read the comment at `at`; return its end.

        Returns ``-1 - offset`` of the next game's tag line if that comes first.
        """
        p = self.text
        i = at + 1
        if p[at] == 59:
            while i < self.limit and p[i] != 10:
                i += 1
            self.comments.extend((self.size - 1, at + 1, i))
            self.finish = i
            return i
        while i < self.limit and p[i] != 125:
            if p[i] == 10:
                self.lines += 1
                if self._tag_line(i + 1):
                    self.comments.extend((self.size - 1, at + 1, i))
                    self.fault(SYNTAX_COMMENT, at, at + 1)
                    self.finish = i
                    return -1 - (i + 1)
            i += 1
        self.comments.extend((self.size - 1, at + 1, i))
        self.finish = i
        if i >= self.limit:
            self.fault(SYNTAX_COMMENT, at, at + 1)
            return i
        self.finish = i + 1
        return i + 1

    def _tag_line(self, i: int) -> bool:
        """Whether the line at `i` is a tag, ``[Name "value"]``, and nothing else."""
        p = self.text
        while i < self.limit and (p[i] == 32 or p[i] == 9):
            i += 1
        if i + 1 >= self.limit or p[i] != 91 or not _CLASS[p[i + 1]] & _LETTER:
            return False
        i += 1
        while i < self.limit and _CLASS[p[i]] & _WORD:
            i += 1
        while i < self.limit and (p[i] == 32 or p[i] == 9):
            i += 1
        if i >= self.limit or p[i] != 34:
            return False
        last = i
        while i < self.limit and p[i] != 10:
            if _CLASS[p[i]] != _SPACE:
                last = i
            i += 1
        return p[last] == 93

    def _movetext(self, i: int) -> int:
        """Read the movetext from `i`; return where the next game may start.

        Nearly every token is a number or a single card: these are read here, all others by
        `_token`.
        """
        p = self.text
        limit = self.limit
        kinds = self.kind
        cards = self.card
        flags = self.flags
        starts = self.start
        ends = self.end
        kind_at = _KIND
        faction_at = _FACTION
        card_at = _CARD_AT
        n = self.size
        room = self.room
        begin = i
        before = i if n else -1  # starts of the last token and the last line break
        line = i
        over = False
        while i < limit:
            # Within `LONGEST` of the end, and in case of doubt, tokens are left to `_token`. A
            # token has at least two bytes: there is room for all tokens up to `safe`.
            safe = 0 if over else min(limit - LONGEST, i + 2 * (room - n))
            while i < safe:
                c = p[i]
                kind = kind_at[c]
                if kind == _SPACE_KIND:
                    if c == 10:
                        self.lines += 1
                        line = i
                    i += 1
                elif kind == NUMBER:
                    number = c - 48
                    after = i + 1
                    c = p[after]
                    if 48 <= c <= 57:
                        number = number * 10 + c - 48
                        after += 1
                        c = p[after]
                    if c != 46 or (i > begin and kind_at[p[i - 1]] != _SPACE_KIND):
                        break
                    kinds[n] = NUMBER
                    cards[n] = number
                    flags[n] = 0
                    starts[n] = before = i
                    i = after + 1
                    ends[n] = i
                    n += 1
                    if p[i] == 32:
                        i += 1
                elif kind:
                    at = i if kind == PLAY else i + 1
                    faction = faction_at[p[at]]
                    value = p[at + 1] - 48
                    after = at + 2
                    c = p[after]
                    if value == 1 and 48 <= c <= 57:
                        value = c - 38
                        after += 1
                        c = p[after]
                    if faction >= FACTION_COUNT or not 0 <= value < VALUE_ROOM or _GOES_ON[c]:
                        break
                    before = i
                    if c == 58 and kind == PLAY:
                        kind = UPCARD
                        flag = FIRST
                    elif kind == PLAY or kind == DISCARD:
                        # No branch: which play wins is unpredictable.
                        flag = c == 43
                        after += flag
                        flag *= WON
                    elif kind == DRAW:
                        i = at
                        flag = FIRST
                    else:
                        flag = 0
                    kinds[n] = kind
                    cards[n] = card_at[faction * VALUE_ROOM + value]
                    flags[n] = flag
                    starts[n] = i
                    ends[n] = i = after
                    n += 1
                    c = p[i]
                    if c == 32 or kind == UPCARD:
                        i += 1
                    elif c == 10:
                        self.lines += 1
                        line = i
                        i += 1
                    elif c == 94 or c == 33 or c == 63 or c == 43:
                        self.size = n
                        i = self._marks(i)
                else:
                    break
            if i >= limit:
                break
            c = p[i]
            if kind_at[c] == _SPACE_KIND:
                if c == 10:
                    self.lines += 1
                    line = i
                i += 1
                continue
            self.size = n
            if c == 123 or c == 59:
                i = self._comment(i)
                if i < 0:
                    return -1 - i
                continue
            if c == 91 and line > before and i + 1 < limit and _CLASS[p[i + 1]] & _LETTER:
                break
            if over:
                break
            if n == room:
                self._grow()
                kinds = self.kind
                cards = self.card
                flags = self.flags
                starts = self.start
                ends = self.end
                room = self.room
            before = i
            i = self._token(i, i == begin or kind_at[p[i - 1]] == _SPACE_KIND)
            n = self.size
            over = self.result != NO_RESULT
        self.size = n
        if n and ends[n - 1] > self.finish:
            self.finish = ends[n - 1]
        return i

    def _token(self, i: int, spaced: bool) -> int:
        """Read any one token at `i`; return its end."""
        p = self.text
        c = p[i]
        if _CLASS[c] & _LETTER and i + 1 < self.limit and _CLASS[p[i + 1]] & _DIGIT:
            i = self._card_or_upcards(i)
        elif _CLASS[c] & _DIGIT or c == 42:
            i = self._number_or_result(i, spaced)
        elif c == 45:
            i = self._one_card(i, DISCARD, spaced)
        elif c == 47:
            i = self._drawn(i, spaced)
        elif c == 61:
            i = self._one_card(i, PICK, spaced)
        elif c == 126:
            i = self._one_card(i, SEER, spaced)
        elif c == 94 or c == 33 or c == 63:
            i = self._marks(i)
        else:
            i = self._junk(i, SYNTAX_TOKEN, spaced)
        self.finish = i
        return i

    def _grow(self) -> None:
        """Double the room for tokens."""
        self.kind = self.kind + bytearray(self.room)
        self.card = self.card + bytearray(self.room)
        self.flags = self.flags + bytearray(self.room)
        self.start = _with_room(self.start, self.room)
        self.end = _with_room(self.end, self.room)
        self.room *= 2

    def _add(self, kind: int, card: int, flags: int, start: int, end: int) -> None:
        n = self.size
        if n == self.room:
            self._grow()
        self.kind[n] = kind
        self.card[n] = card
        self.flags[n] = flags
        self.start[n] = start
        self.end[n] = end
        self.size = n + 1

    def _junk(self, at: int, fault: int, spaced: bool) -> int:
        """Skip unreadable text: up to white space, a comment or the next card.

        A word with a value, ``Knight5`` or ``Knight 5``, is one token: a card as it is spoken.
        """
        p = self.text
        i = self._spoken_card(at)
        while i < self.limit:
            c = p[i]
            if _CLASS[c] == _SPACE or c == 123 or c == 59:
                break
            if _CLASS[c] & _LETTER and i + 1 < self.limit and _CLASS[p[i + 1]] & _DIGIT:
                break
            i += 1
        self.fault(fault, at, i)
        self._add(JUNK, NO_CARD, ALONE if spaced else 0, at, i)
        return i

    def _spoken_card(self, at: int) -> int:
        """The end of the value of a word with a value, otherwise just after `at`.

        A word has at least three letters, of any language; its value has one or two digits and is
        neither a result nor the number of a trick.
        """
        p = self.text
        i = at
        while i < self.limit and (p[i] > 127 or _CLASS[p[i]] & _LETTER):
            i += 1
        if i < at + 3 or i >= self.limit:
            return at + 1
        if p[i] == 32:
            i += 1
        first = i
        while i < self.limit and _CLASS[p[i]] & _DIGIT:
            i += 1
        after = 0 if i >= self.limit else p[i]
        if not first < i < first + 3 or after == 46 or after == 45 or after == 47:
            return at + 1
        return i

    def _card_end(self, p: bytes, i: int, limit: int) -> int:
        """The end of the card whose letter is at `i`, or `i` if there is no card.

        The card itself is left in `last_card`.
        """
        if i + 1 >= limit:
            return i
        c = p[i]
        value = p[i + 1] - 48
        if not 0 <= value <= 9 or not _CLASS[c] & _LETTER:
            return i
        i += 2
        if value and i < limit and 0 <= p[i] - 48 <= 9:
            value = value * 10 + p[i] - 48
            i += 1
        card = NO_CARD
        faction = _FACTION[c]
        if faction < FACTION_COUNT and value < VALUE_ROOM:
            card = _CARD_AT[faction * VALUE_ROOM + value]
        self.last_card = card
        return i

    def card_end(self, i: int) -> int:
        """The end of the card at `i` in the text, or -1; the card is left in `last_card`."""
        end = self._card_end(self.text, i, self.limit)
        return end if end > i else -1

    def _card_or_upcards(self, at: int) -> int:
        """Read a play, or upcards: cards joined by commas, followed by a colon."""
        p = self.text
        i = self._card_end(p, at, self.limit)
        c = 0 if i >= self.limit else p[i]
        if c != 58 and c != 44:
            self._add(PLAY, self.last_card, 0, at, i)
            return i if _CLASS[c] == _SPACE else self._marks(i)
        self._add(UPCARD, self.last_card, FIRST, at, i)
        while c == 44:
            start = i + 1
            i = self._card_end(p, start, self.limit)
            if i == start:
                self.fault(SYNTAX_LIST, start - 1, start)
                return i
            self._add(UPCARD, self.last_card, 0, start, i)
            c = 0 if i >= self.limit else p[i]
        if c == 58:
            return i + 1
        self.fault(SYNTAX_COLON, at, i)
        return i

    def _one_card(self, at: int, kind: int, spaced: bool) -> int:
        """Read ``-G3``, ``=G3`` or ``~G3``; the card may be ``_``, but not after ``=``."""
        p = self.text
        i = at + 1
        if i < self.limit and p[i] == 95 and kind != PICK:
            self.last_card = FACE_DOWN
            i += 1
        else:
            i = self._card_end(p, at + 1, self.limit)
            if i == at + 1:
                return self._junk(at, SYNTAX_TOKEN, spaced)
        self._add(kind, self.last_card, 0, at, i)
        return self._marks(i) if kind == DISCARD else i

    def _drawn(self, at: int, spaced: bool) -> int:
        """Read ``/W2`` or ``/U1,_``."""
        p = self.text
        i = at
        first = FIRST
        while i < self.limit and (p[i] == 44 or first):
            start = i + 1
            if start < self.limit and p[start] == 95:
                self.last_card = FACE_DOWN
                i = start + 1
            else:
                i = self._card_end(p, start, self.limit)
                if i == start:
                    if first:
                        return self._junk(at, SYNTAX_TOKEN, spaced)
                    self.fault(SYNTAX_LIST, start - 1, start)
                    return i
            self._add(DRAW, self.last_card, first, start, i)
            first = 0
        return i

    def _marks(self, i: int) -> int:
        """Read ``+``, ``^`` and an annotation after the last card, each once, in any order."""
        p = self.text
        n = self.size - 1
        while i < self.limit:
            c = p[i]
            mark = 0
            length = 1
            if c == 43:
                mark = WON
            elif c == 94:
                mark = IRREGULAR
                self.irregulars += 1
            elif c == 33 or c == 63:
                d = p[i + 1] if i + 1 < self.limit else 0
                if d == 33 or d == 63:
                    length = 2
                    annotation = (3 if d == 33 else 5) if c == 33 else (6 if d == 33 else 4)
                else:
                    annotation = 1 if c == 33 else 2
                mark = annotation << ANNOTATION_SHIFT
            else:
                break
            taken = mark if mark < 4 else 28
            if (
                n < 0
                or (self.kind[n] != PLAY and self.kind[n] != DISCARD)
                or (self.flags[n] & taken)
            ):
                self.fault(SYNTAX_MARK, i, i + length)
            else:
                self.flags[n] |= mark
                self.end[n] = i + length if self.end[n] == i else self.end[n]
            i += length
        return i

    def _number_or_result(self, at: int, spaced: bool) -> int:
        """Read ``7.`` or ``1-0``; either must be preceded by white space."""
        p = self.text
        i = at
        number = 0
        while i < self.limit and _CLASS[p[i]] & _DIGIT:
            number = min(number * 10 + p[i] - 48, HIGHEST_NUMBER)
            i += 1
        if i < self.limit and i > at and p[i] == 46:
            i += 1
            self._add(NUMBER, number & 255, number >> 8, at, i)
        else:
            while i < self.limit and (_CLASS[p[i]] & _DIGIT or p[i] == 45 or p[i] == 47):
                i += 1
            if p[at] == 42:
                i = at + 1
            written = p[at:i]
            result = RESULT_BYTES.get(written, NO_RESULT)
            if result == NO_RESULT or result < 16:
                # A bye's result is a single number: it stands alone, or is a number without its
                # dot.
                alone = self.size == 0 and self._ends(i)
                result = parse_result(written.decode(), alone=alone)
            if result == NO_RESULT:
                return self._junk(at, SYNTAX_TOKEN, spaced)
            self.result = result
            self._add(RESULT, result, 0, at, i)
        if not spaced:
            self.fault(SYNTAX_SPACE, at, i)
        return i

    def _ends(self, i: int) -> bool:
        """Whether only white space, a comment or the next game's tags follow `i`."""
        p = self.text
        while i < self.limit and _CLASS[p[i]] == _SPACE:
            i += 1
        return i >= self.limit or p[i] == 91 or p[i] == 123 or p[i] == 59


if INTERPRETED:
    from claimlog.notation.word_cache import Words

    _WORDS = Words(Sheet())
