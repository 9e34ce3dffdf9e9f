"""Games without problems, judged while their text is read.

Nearly all games that are validated by the thousand are complete, legal and written canonically.  A
`Skimmer` plays the tricks of such a game as it reads them, and keeps no tokens.  It never says what
is wrong: a game with anything else in it is read again, and judged like any other.  So it only has
to be right about games that it accepts; `tests/replay/test_skim.py` holds it to the judge.
"""

from claimlog.cards import (
    CARD_AT,
    COPIES,
    FACTION_COUNT,
    FACTION_OF,
    LETTERS,
    RACCOONS_USED,
    UNKNOWN,
    VALUE_ROOM,
)
from claimlog.notation.sheet import Sheet
from claimlog.notation.tags import TAG_FIELDS, TAGS
from claimlog.notation.tokens import FACE_DOWN, NO_CARD
from claimlog.replay.judge import Judge
from claimlog.replay.ledger import KEPT, REVOKED
from claimlog.results import RESULT_BYTES
from claimlog.rules.powers import seers
from claimlog.rules.setup import LOOTING, MAX_TRICKS

LONGEST = 80
"""More bytes than the longest trick or result that is skimmed."""
MOST_MISSES = 8
"""The most games that are not skimmed after one that could not be."""
INTERPRETED = __file__.endswith(".py")
"""Whether tokens are judged faster than bytes."""
TAG_RESULT = TAGS.index("Result")


def _cards() -> bytes:
    """The card written with a letter and a digit, at ``letter + 256 * digit``.

    Those whose value has two digits, the first of which is 1, follow as if their last digit were a
    character from `TEN` on; `NO_CARD` if there is none.
    """
    table = bytearray([NO_CARD]) * (256 * (TEN + 10))
    for faction, letter in enumerate(LETTERS):
        for value in range(VALUE_ROOM):
            card = CARD_AT[faction * VALUE_ROOM + value]
            digit = 48 + value if value < 10 else TEN + value - 10
            for c in (letter, letter.lower()):
                table[ord(c) + 256 * digit] = NO_CARD if card == UNKNOWN else card
    return bytes(table)


TEN = 256
CARDS_OF = _cards()
NUMBERS = [
    int.from_bytes((b"%d. " % (t + 1)).ljust(4, b"\0"), "little") for t in range(2 * MAX_TRICKS)
]
"""Each trick's number as it is written: four bytes, of which the last is 0 up to the ninth."""
SHORT_RESULTS = bytes(RESULT_BYTES.get(b"%d-%d" % divmod(k, 2), 0) for k in range(4))
"""The results with which nearly all games of two sides end: 0-1 and 1-0."""
LOOT = bytes(
    card for card in CARD_AT[LOOTING * VALUE_ROOM : (LOOTING + 1) * VALUE_ROOM] if card != UNKNOWN
)
"""The cards of the faction with loot."""
LEFT_OUT = sum(COPIES[card] for card in LOOT) - RACCOONS_USED
"""How many of them are at least not in a game."""


def card_at(cards_of: bytes, p: bytes, i: int) -> int:
    """The card at `i`; `NO_CARD` if there is none."""
    c = p[i + 2]
    if 48 <= c <= 57:
        return cards_of[p[i] + 256 * (TEN + c - 48)] if p[i + 1] == 49 else NO_CARD
    return cards_of[p[i] + 256 * p[i + 1]]


def after_card(p: bytes, i: int) -> int:
    """The end of the card at `i`; few have two digits."""
    return i + 3 if 48 <= p[i + 2] <= 57 else i + 2


def after_number(p: bytes, i: int, t: int) -> int:
    """The end of trick `t`'s number (`t` counts from 0) and of the space after it, or 0."""
    number = p[i] | p[i + 1] << 8 | p[i + 2] << 16
    if t < 9:
        return i + 3 if number == NUMBERS[t] else 0
    return i + 4 if number | p[i + 3] << 24 == NUMBERS[t] else 0


def shown(ledger: bytearray, place: int) -> bool:
    """Count the card at `place` of a ledger as shown; return whether that is possible."""
    number = ledger[place]
    ledger[place] = number - 1 & 255
    return number != 0


def suspect(barred: list[int], seat: int, row: int, faction: int) -> bool:
    """Note a play as in `Judge._plain_tricks`; return whether it may reveal a revoke."""
    known = barred[seat]
    barred[seat] = known | REVOKED[row + faction]
    return known >> faction & 1 != 0


class Skimmer(Judge):
    """A `Judge` that reads on until a game has something to report.

    `games` and `completes` are the numbers of games and of complete games read, `lines` that of
    line breaks, `line` the value of `lines` at the start of the last game judged.
    """

    def __init__(self) -> None:
        super().__init__()
        self.games = 0
        self.completes = 0
        self.line = 0
        self.lines = 0
        self.misses = 0
        self.read_lines = 0

    def skim(self, sheet: Sheet, text: bytes, at: int) -> int:
        """Judge the games of `text` from offset `at` on, as long as there is nothing to report.

        Returns the end of the first game with something to report (`sheet` holds that game), or -1
        at the end of the text.
        """
        waiting = 0
        while at < len(text):
            if not INTERPRETED and not waiting:
                end = self.glance(sheet, text, at)
                if end >= 0:
                    self.misses = 0
                    self.lines += self.read_lines
                    self.games += 1
                    self.completes += 1
                    at = end
                    continue
                # Comments, say, are rarely in one game only.
                self.misses = waiting = min(2 * self.misses + 1, MOST_MISSES)
            else:
                waiting -= 1
            at = sheet.read(text, at, True)
            self.line = self.lines + sheet.line
            self.lines += sheet.lines
            if sheet.found():
                good = self.judge(sheet)
                self.games += 1
                if self.complete:
                    self.completes += 1
                if not good:
                    return at
        return -1

    def glance(self, sheet: Sheet, text: bytes, at: int) -> int:
        """The end of the game at `at` if it is complete and without problems.

        Returns -1 if that takes a closer look.  `read_lines` becomes the number of line breaks.
        """
        i = sheet.read_tags(text, at)
        if i < 0 or sheet.faults:
            return -1
        self.sheet = sheet
        self._begin()
        self._header()
        if self.findings or self.dealt or self.raccoons_in_pile or not self.deck_known or self.bye:
            return -1
        self._set_table()
        self.read_lines = sheet.lines
        i = self._play_tricks(text, i)
        if i >= 0:
            i = self._read_end(text, i)
        if i < 0:
            return -1
        self.complete = True
        self._end()
        return -1 if self.findings else i

    def _play_tricks(self, text: bytes, i: int) -> int:
        """Play all tricks, written from `i` on; return the end of the last one, or -1."""
        safe = len(text) - LONGEST
        i = self._first_phase(text, i, safe)
        if i < 0 or (self.deck >> LOOTING & 1 and self._left_out() < LEFT_OUT):
            return -1
        self._take_up()
        return self._second_phase(text, i, safe)

    def _first_phase(self, p: bytes, i: int, safe: int) -> int:
        """Play the tricks of Phase 1; return the end of the last one, or -1."""
        cards_of = CARDS_OF
        faction_of = FACTION_OF
        table = self.table
        ledger = self.ledger
        lying = table.cards
        barred = self.barred
        seats = self.seats
        upcards = table.upcard_count
        lines = 0
        for k in range(seats):
            barred[k] = 0
        for t in range(self.tricks):
            if i >= safe:
                return -1
            if p[i] <= 32:
                i = self._white(p, i, safe)
            i = after_number(p, i, t)
            if not i:
                return -1
            for k in range(upcards):
                card = card_at(cards_of, p, i)
                i = after_card(p, i)
                if not shown(ledger, card) or p[i] != (58 if k == upcards - 1 else 44):
                    return -1
                i += 1
                table.upcards[k] = card
            if p[i] != 32:
                return -1
            i += 1
            marks = 0
            if table.auto:
                i = self._discards(p, i)
                if i < 0:
                    return -1
            else:
                seat = table.leader
                row = 0
                for k in range(seats):
                    card = card_at(cards_of, p, i)
                    i = after_card(p, i)
                    if not shown(ledger, card):
                        return -1
                    faction = faction_of[card]
                    if k == 0:
                        row = FACTION_COUNT * faction
                    if suspect(barred, seat, row, faction):
                        return -1
                    lying[k] = card
                    # No branches: the winner is unpredictable.
                    mark = p[i] == 43
                    marks += mark << k
                    i += mark
                    c = p[i]
                    if c != 32 and c != 10:
                        return -1
                    lines += c == 10
                    i += 1
                    seat += 1
                    if seat == seats:
                        seat = 0
            table.settle()
            if marks and marks != 1 << table.ranked[0]:
                return -1
            if seats == 2 and p[i] == 47:
                # What `_choose` does with nearly all tricks of two players.
                card = card_at(cards_of, p, i + 1)
                i = after_card(p, i + 1)
                c = p[i]
                if not shown(ledger, card) or (c != 32 and c != 10):
                    return -1
                lines += c == 10
                i += 1
                table.recruit(False, FACE_DOWN, 0, card, FACE_DOWN)
            else:
                i = self._choose(p, i)
                if i < 0:
                    return -1
            table.advance()
        self.read_lines += lines
        return i

    def _second_phase(self, p: bytes, i: int, safe: int) -> int:
        """Play the tricks of Phase 2, all of whose cards are known; return the end, or -1."""
        cards_of = CARDS_OF
        faction_of = FACTION_OF
        table = self.table
        ledger = self.ledger
        lying = table.cards
        barred = self.barred
        seats = self.seats
        tricks = self.tricks
        kept = KEPT
        lines = 0
        for k in range(seats):
            barred[k] = 0
        for t in range(tricks, 2 * tricks):
            if i >= safe or table.auto:
                return -1
            if p[i] <= 32:
                i = self._white(p, i, safe)
            i = after_number(p, i, t)
            if not i:
                return -1
            marks = 0
            seat = table.leader
            row = 0
            for k in range(seats):
                card = card_at(cards_of, p, i)
                i = after_card(p, i)
                if not shown(ledger, kept + seat * 256 + card):
                    return -1
                faction = faction_of[card]
                if k == 0:
                    row = FACTION_COUNT * faction
                if suspect(barred, seat, row, faction):
                    return -1
                lying[k] = card
                # No branches, as in `_first_phase`.
                mark = p[i] == 43
                marks += mark << k
                i += mark
                c = p[i]
                if c != 32 and c != 10:
                    return -1
                lines += c == 10
                i += 1
                seat += 1
                if seat == seats:
                    seat = 0
            table.settle()
            if marks and marks != 1 << table.ranked[0]:
                return -1
            table.advance()
        self.read_lines += lines
        return i

    def _discards(self, p: bytes, i: int) -> int:
        """Read the cards of an automatic trick from `i` on; return their end, or -1."""
        table = self.table
        seat = table.leader
        for k in range(self.seats):
            if p[i] != 45:
                return -1
            card = card_at(CARDS_OF, p, i + 1)
            i = self._gap(p, after_card(p, i + 1))
            if i < 0 or not shown(self.ledger, card):
                return -1
            if suspect(self.barred, seat, FACTION_COUNT * FACTION_COUNT, FACTION_OF[card]):
                return -1
            table.cards[k] = card
            seat += 1
            if seat == self.seats:
                seat = 0
        return i

    def _left_out(self) -> int:
        """The number of `LOOT` not shown."""
        ledger = self.ledger
        number = 0
        for card in LOOT:
            number += ledger[card]
        return number

    def _white(self, p: bytes, i: int, limit: int) -> int:
        """The end of the white space at `i`, at most `limit`."""
        while i < limit and (p[i] == 32 or p[i] == 10):
            self.read_lines += p[i] == 10
            i += 1
        return i

    def _choose(self, p: bytes, i: int) -> int:
        """Read a trick's Seer, pick and draws from `i` on; return their end, or -1."""
        table = self.table
        ledger = self.ledger
        upcards = table.upcard_count
        looked = False
        hidden = FACE_DOWN
        pick = 0
        first = second = FACE_DOWN
        if p[i] == 126:
            if table.auto or not seers(table.cards[table.ranked[0]]):
                return -1
            looked = True
            hidden = card_at(CARDS_OF, p, i + 1)
            i = after_card(p, i + 1)
            if not shown(ledger, hidden):
                return -1
            i = self._gap(p, i)
        if upcards == 2:
            if i < 0 or p[i] != 61:
                return -1
            card = card_at(CARDS_OF, p, i + 1)
            i = after_card(p, i + 1)
            if card == NO_CARD:
                return -1
            pick = 0 if card == table.upcards[0] else 1
            if card != table.upcards[pick]:
                return -1
            i = self._gap(p, i)
        wanted = self.draws[1 if looked else 0]
        for k in range(wanted):
            if i < 0 or p[i] != (44 if k else 47):
                return -1
            card = card_at(CARDS_OF, p, i + 1)
            i = after_card(p, i + 1)
            if not shown(ledger, card):
                return -1
            if k:
                second = card
            else:
                first = card
        if wanted:
            i = self._gap(p, i)
        if i >= 0:
            table.recruit(looked, hidden, pick, first, second)
        return i

    def _gap(self, p: bytes, i: int) -> int:
        """The end of the white space at `i`, which is one character, or -1."""
        c = p[i]
        if c != 32 and c != 10:
            return -1
        self.read_lines += c == 10
        return i + 1

    def _read_end(self, text: bytes, i: int) -> int:
        """Read the result and the white space around it; return the game's end, or -1."""
        p = text
        sheet = self.sheet
        limit = sheet.limit
        start = i = self._white(p, i, limit)
        while i < limit and p[i] != 32 and p[i] != 10:
            i += 1
        result = 0
        if i - start == 3 and p[start + 1] == 45:
            first = p[start] - 48
            second = p[start + 2] - 48
            if 0 <= first <= 1 and 0 <= second <= 1:
                result = SHORT_RESULTS[2 * first + second]
        if not result:
            result = RESULT_BYTES.get(text[start:i], 0)
        if not result:
            return -1
        if self.tag_of[TAG_RESULT] >= 0:
            k = self.tag_of[TAG_RESULT] * TAG_FIELDS
            written = sheet.tag_at[k + 4]
            if sheet.tag_at[k + 5] - written != i - start:
                return -1
            for k in range(i - start):
                if p[start + k] != p[written + k]:
                    return -1
            self.tag_result = result
        self.result = sheet.result = result
        i = self._white(p, i, limit)
        # Anything else than the next game's tags takes a closer look.
        if i < limit and p[i] != 91:
            return -1
        return i
