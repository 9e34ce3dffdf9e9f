"""Is this record a legal game?  The judge notes what is wrong (rules.md, docs/notation.md).

A `Judge` plays the tokens of a `Sheet` on a `Table` and keeps track of what the record proves about
every card.  It notes *findings*, tuples of integers ``(finding, start, end, trick, seat, card,
token, extra)``: `start` and `end` are offsets in the sheet's text, `trick` counts from 1 (0: none),
`seat` from 0 (-1: none), `card` is a card or `NO_CARD`, `token` the token that the finding is about
or -1, and `extra` is explained where the finding is created.  Only `claimlog.replay.explain` has
words for them.

Compiled (``judge.pxd``) or interpreted from this one source: validating ten million games spends
its time here.
"""

from collections import Counter

from claimlog.cards import (
    CARD_AT,
    CARDS,
    FACTION_COUNT,
    LETTERS,
    RACCOONS_USED,
    VALUE_OF,
    VALUE_ROOM,
    deck_problem,
)
from claimlog.cards import FACTION_OF as _FACTION_OF
from claimlog.notation.names import LONGEST, MARKS, excess
from claimlog.notation.problems import (
    AUTO_DISCARD,
    AUTO_PLAY,
    BAD_DECK,
    BAD_RULING,
    BAD_SEATS,
    BAD_TAG,
    CARD_COUNT,
    CHOICE_TWICE,
    DRAW_COUNT,
    DRAW_TWICE,
    DUPLICATE_TAG,
    FEW_PLAYS,
    FEW_UPCARDS,
    GAME_OVER,
    HAND_PLAY,
    HAND_RACCOON,
    HAND_SIZE,
    ILLEGAL_LOOT,
    ILLEGAL_PICK,
    INCOMPLETE,
    IRREGULAR_PLAY,
    LATE_CHOICE,
    LATE_UPCARDS,
    LOOT_UNKNOWN,
    MANY_PLAYS,
    MANY_UPCARDS,
    MISSING_LOOT,
    MISSING_PICK,
    NEEDLESS_IRREGULAR,
    NO_LOOT_DUE,
    NO_PICK_DUE,
    NO_SEER_DUE,
    NOT_HELD,
    NOT_IN_DECK,
    PILE_CARD,
    PILE_SIZE,
    RACCOON_COUNT,
    RESULT_DIFFER,
    RESULT_OPEN,
    RESULT_PARTS,
    RESULT_WRONG,
    REVOKE,
    SYNTAX_ORDER,
    TAG_LENGTH,
    TAG_MARKS,
    TRICK_NUMBER,
    TROLLS_ADVISED_AGAINST,
    UNKNOWN_CARD,
    VERSION,
    VOTES_WRONG,
    WINNER_MARK,
)
from claimlog.notation.sheet import Sheet, numbers
from claimlog.notation.tags import CHECKS, OTHER_TAG, TAG_FIELDS, TAGS, parse_loot, unescape
from claimlog.notation.tokens import (
    ALONE,
    DISCARD,
    DRAW,
    FACE_DOWN,
    FIRST,
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
from claimlog.replay.ledger import KEPT, PLAYS, REVOKED, SIZE, WHOLE_BOX, fill
from claimlog.results import (
    IMPOSSIBLE,
    NO_RESULT,
    RESULT_BYTES,
    UNFINISHED,
    parse_result,
)
from claimlog.rules.powers import may_play, seers
from claimlog.rules.scoring import Count
from claimlog.rules.setup import (
    ADVISED_AGAINST,
    LOOTING,
    MAX_SEATS,
    MAX_TRICKS,
    RULINGS,
    SIDES,
    TRICKS,
    default_rulings,
    upcards_of,
)
from claimlog.rules.table import Table

INTERPRETED = __file__.endswith(".py")
"""Whether one call for many bytes is faster than a loop over them."""
FACTION_OF = tuple(_FACTION_OF) if INTERPRETED else _FACTION_OF
"""As in `claimlog.cards`; the interpreter indexes a tuple faster than bytes."""

SHORT = 2 * MARKS
"""A tag of up to this many bytes, name and value, is within the limits on characters and marks."""

TAG_COUNT = len(TAGS)
TAG_CLM = TAGS.index("CLM")
TAG_PLAYER = TAGS.index("Player1")
TAG_DECK = TAGS.index("Deck")
TAG_RULES = TAGS.index("Rules")
TAG_RULINGS = TAGS.index("Rulings")
TAG_LEADER = TAGS.index("Leader")
TAG_HAND = TAGS.index("Hand1")
TAG_PILE = TAGS.index("Pile")
TAG_LOOT_CARDS = TAGS.index("LootCards")
TAG_LOOT = TAGS.index("Loot")
TAG_VOTES = TAGS.index("Votes")
TAG_TERMINATION = TAGS.index("Termination")
TAG_RESULT = TAGS.index("Result")

CHECKED = bytes(index in CHECKS for index in range(TAG_COUNT))
DECKLESS = frozenset((b"unrecorded", b"forfeit", b"bye"))
"""The terminations of games that may be recorded without a deck."""
LETTERS_SET = frozenset(LETTERS)
NO_FACTION = 255
MOST_FINDINGS = 2000
"""The most findings kept of kinds that a text may have any number of."""
MEMORY = 4096
"""The most good tag values and decks to remember."""


def _shapes() -> list[list[bytes]]:
    table = []
    for seats in range(MAX_SEATS + 1):
        upcards = upcards_of(seats)
        choices = ([] if seats == 2 else [PICK]) + [DRAW] * (seats - upcards)
        row = []
        for plays in ([PLAY] * seats, [DISCARD] * seats):
            row.append(bytes([NUMBER, *plays]))
            row.append(bytes([NUMBER, *[UPCARD] * upcards, *plays, *choices]))
        table.append(row)
    return table


SHAPES = _shapes()
"""The kinds of token in a trick written plainly.

By the number of seats; of each four the second is for Phase 1, and the last two for automatic
tricks.
"""


DECK_LETTERS = bytes(
    LETTERS.find(chr(c).upper()) % (FACTION_COUNT + 1) if 0 < c < 128 else FACTION_COUNT
    for c in range(256)
)
"""The faction named by a byte in the Deck tag, `FACTION_COUNT` if it names none."""


class Judge:
    """Judges one sheet after another; its fields hold the results for the last one.

    `findings` is as described above; `unsaid` is the number of further errors, if there are more
    than anybody will read.  `seats`, `rules`, `rulings`, `leader` and `deck` are those in force;
    `deck_known` is false if the record's deck is impossible.  `complete`: all tricks are there.
    `scored`: the game could be counted, and `count` holds the count.  Plays by trick and seat are
    in `play_card` and `play_token` at ``(trick - 1) * 4 + seat``, the led faction of each trick in
    `led`, the first token of each in `first_token`; `known_tricks` is the number of tricks with
    known seats.  With `tracing` on, `judge` calls `trace` after every trick whose leader is known.

    `ledger` counts the copies of each card that have not shown up yet, from `PLAYS` on those not
    yet played in Phase 2, from `KEPT` on those that a seat is known to have taken and not played,
    at ``seat * 256 + card``.
    """

    def __init__(self) -> None:
        self.sheet = Sheet()
        self.table = Table()
        self.count = Count()
        self.findings: list[tuple[int, int, int, int, int, int, int, int]] = []
        self.unsaid = 0
        self.tracing = False
        self.good: list[set[bytes]] = [set() for _ in range(TAG_COUNT)]
        self.decks = [bytearray() for _ in range(2 * MAX_SEATS + 2)]
        self.choices: dict[bytes, dict[int, str]] = {}
        self.play_card = bytearray(8 * MAX_TRICKS)
        self.play_token = numbers(8 * MAX_TRICKS)
        self.led = bytearray(2 * MAX_TRICKS)
        self.first_token = numbers(2 * MAX_TRICKS + 2)
        # Lists with constant lengths: the compiler makes C arrays of them.
        self.tag_of = [-1] * 64
        self.lies = [0] * 4
        self.ups = [0] * 2
        self.drawn = [0] * 4
        self.draw_card = [0] * 4
        self.up_card = [0] * 2
        self.draws = [0] * 2
        self.held = [0] * 4
        self.spare = [0] * 4
        self.faulted = [0] * 4
        self.barred = [0] * 4
        self.doubt = [0] * 4
        self.later = [0] * 4
        self.all_known = [0] * 4
        self.rest = [0] * (MAX_SEATS * FACTION_COUNT)
        self.loose: list[int] = []
        self.any_length = False
        """Whether tags may be longer than the format allows, as in old archives."""
        self.ledger = bytearray(SIZE)
        self.rules = "LE2023"
        self.rulings: dict[str, str] = {}
        self.hands: list[list[int] | None] = [None] * MAX_SEATS
        self.pile: list[int] | None = None
        self.loot_choice: dict[int, str] = {}
        self._begin()

    def _begin(self) -> None:
        """Reset the fields that the next game does not overwrite."""
        self.leader = 0
        self.deck = WHOLE_BOX
        self.deck_known = False
        self.classic = False
        self.any_dragon = False
        self.any_automaton = False
        self.raccoons_in_pile = False
        self.normal = True
        self.dealt = False
        self.loot = -1
        self.tag_result = NO_RESULT
        self.number_shift = 0
        self.lost = False
        self.spoiled = False
        self.cut = False
        self.scored = False
        self.done = 0
        self.plain = 0
        self.suspect = False
        self.raccoons = 0
        self.looked = False
        self.pick = -1
        self.forfeit = False
        self.deckless = False
        self.bye = False
        if self.loose:
            self.loose = []
        if self.findings:
            self.findings = []
            self.unsaid = 0

    def judge(self, sheet: Sheet) -> bool:
        """Judge `sheet`; return whether there is nothing to report."""
        self.sheet = sheet
        self._begin()
        self._header()
        self._read_result()
        self._set_table()
        last = sheet.size
        if last and sheet.kind[last - 1] == RESULT:
            last -= 1
        i = 0
        while i < last:
            if not (self.lost or self.dealt or self.raccoons_in_pile):
                i = self._plain_tricks(i, last)
            if i < last:
                i = self._trick(i, last)
        if not self.lost:
            self.known_tricks = self.table.trick - 1 + (1 if self.cut else 0)
        self.complete = self.done == 2 * self.tricks and not self.bye
        if self.dealt:
            self._check_deal()
        if self.suspect or self.plain < 2 * self.tricks or sheet.irregulars:
            self._prove(0, min(self.known_tricks, self.tricks))
            self._prove(self.tricks, self.known_tricks)
        self._end()
        return not self.findings and not sheet.faults

    def _set_table(self) -> None:
        """Begin the game on the table."""
        self.table.set_up(
            self.seats,
            self.tricks,
            self.deck,
            self.leader,
            self.troll_line,
            self.any_dragon,
            self.any_automaton,
        )
        self.draws[0] = self.table.draws(False)
        self.draws[1] = self.table.draws(True)

    # Notes ---------------------------------------------------------------------------

    def _note(self, finding: int, token: int, seat: int, extra: int) -> None:
        """Note a finding about a token of the current trick."""
        sheet = self.sheet
        self.findings.append(
            (
                finding,
                sheet.start[token],
                sheet.end[token],
                self.table.trick,
                seat,
                NO_CARD if sheet.kind[token] == NUMBER else sheet.card[token],
                token,
                extra,
            )
        )

    def _room(self) -> bool:
        """Whether to keep another error of an unlimited kind; errors not kept are counted."""
        if len(self.findings) < MOST_FINDINGS:
            return True
        self.unsaid += 1
        return False

    def _note_extra(self, finding: int, token: int, seat: int) -> None:
        """Note a finding (0: none) about a card without effect, or that it cannot exist."""
        card = self.sheet.card[token]
        if self.sheet.kind[token] == NUMBER:
            card = FACE_DOWN
        if card == NO_CARD:
            finding = 0 if self.sheet.kind[token] == JUNK else UNKNOWN_CARD
        elif card < NO_CARD and not self.deck >> FACTION_OF[card] & 1:
            finding = NOT_IN_DECK
        if finding and self._room():
            self._note(finding, token, seat, self.table.leader if finding == AUTO_PLAY else 0)

    def _note_many(self, token: int) -> None:
        """Note that the trick before the current one continues with too many plays."""
        self.table.trick -= 1
        place = (self.table.trick - 1) * 4
        self._note_one_more(token, self.sheet.kind[self.play_token[place]] == DISCARD)
        self.table.trick += 1

    def _note_one_more(self, token: int, auto: bool) -> None:
        """Note a play or discard more than the current trick has, as the wrong one of the two."""
        finding = MANY_PLAYS
        if not self.lost and auto != (self.sheet.kind[token] == DISCARD):
            finding = AUTO_PLAY if auto else AUTO_DISCARD
        self._note_extra(finding, token, -1)

    def _note_missing(self, finding: int, token: int, seat: int, extra: int) -> None:
        """Note that something is missing after `token`; it is not about the token itself."""
        sheet = self.sheet
        start = sheet.start[token]
        self.findings.append(
            (finding, start, sheet.end[token], self.table.trick, seat, NO_CARD, -1, extra)
        )

    def _note_tag(self, finding: int, tag: int, extra: int) -> None:
        """Note a finding about the tag at index `tag` in the sheet, -1 if it is missing.

        A missing tag is reported at the result, without one at the game's first line.
        """
        sheet = self.sheet
        n = sheet.size
        if tag >= 0:
            k = tag * TAG_FIELDS
            start = sheet.tag_at[k]
            end = sheet.tag_at[k + 1]
        elif n and sheet.kind[n - 1] == RESULT:
            start = sheet.start[n - 1]
            end = sheet.end[n - 1]
        elif self.tag_of[TAG_RESULT] >= 0:
            k = self.tag_of[TAG_RESULT] * TAG_FIELDS
            start = sheet.tag_at[k]
            end = sheet.tag_at[k + 1]
        else:
            start = sheet.begin
            end = -1
        self.findings.append((finding, start, end, 0, -1, NO_CARD, -1, extra))

    # The tags ------------------------------------------------------------------------

    def _header(self) -> None:
        """Read seats, deck, rules and deal from the tags."""
        sheet = self.sheet
        ids = sheet.tag_id
        self.tag_of = [-1] * 64
        tag_of = self.tag_of
        others = 0
        for i in range(sheet.tags):
            tag = ids[i]
            k = i * TAG_FIELDS
            if sheet.tag_at[k + 5] - sheet.tag_at[k + 2] > SHORT and not self.any_length:
                self._check_length(i)
            if tag == OTHER_TAG:
                others += 1
            elif tag_of[tag] >= 0:
                if self._room():
                    self._note_tag(DUPLICATE_TAG, i, 0)
            else:
                tag_of[tag] = i
                if CHECKED[tag] and tag != TAG_VOTES:
                    self._check_value(tag, i)
        if others > 1:
            self._check_others()
        if self.tag_of[TAG_CLM] >= 0 and self._digit(TAG_CLM) != 1:
            self._note_tag(VERSION, self.tag_of[TAG_CLM], 0)
        if self.tag_of[TAG_TERMINATION] >= 0:
            self._read_termination()
        self._read_seats()
        if self.tag_of[TAG_RULES] >= 0:
            self.classic = self._value(TAG_RULES) == b"Classic"
        self.rules = "Classic" if self.classic else "LE2023"
        self.troll_line = self.classic
        if self.tag_of[TAG_RULINGS] >= 0:
            self._read_rulings()
        elif self.tracing:
            self.rulings = default_rulings(self.rules)
        self._read_deck()
        if self.tag_of[TAG_LEADER] >= 0:
            leader = self._digit(TAG_LEADER)
            if 0 < leader <= self.seats:
                self.leader = leader - 1
            else:
                self._note_tag(BAD_TAG, self.tag_of[TAG_LEADER], 0)
        for i in range(TAG_HAND, TAG_LOOT + 1):
            if self.tag_of[i] >= 0:
                self._read_deal()
                break
        if self.deck_known and self.deck >> LOOTING & 1 and self.loot < 0:
            self._note_tag(LOOT_UNKNOWN, self.tag_of[TAG_DECK], 0)
        if self.deck_known and self.seats > 2 and not self.classic and self.deck & ADVISED_AGAINST:
            self._note_tag(TROLLS_ADVISED_AGAINST, self.tag_of[TAG_DECK], 0)

    def _value(self, tag: int) -> bytes:
        """The value of a defined tag as written, b"" if it is missing."""
        if self.tag_of[tag] < 0:
            return b""
        k = self.tag_of[tag] * TAG_FIELDS
        text = self.sheet.text
        start = self.sheet.tag_at[k + 4]
        end = self.sheet.tag_at[k + 5]
        return text[start:end]

    def _digit(self, tag: int) -> int:
        """The value of a defined tag if it is a single digit, otherwise not a digit."""
        k = self.tag_of[tag] * TAG_FIELDS
        text = self.sheet.text
        start = self.sheet.tag_at[k + 4]
        return text[start] - 48 if self.sheet.tag_at[k + 5] - start == 1 else -1

    def text_of(self, tag: int) -> str:
        """The unescaped value of a defined tag."""
        return unescape(self._value(tag).decode(errors="replace"))

    def _check_value(self, tag: int, place: int) -> None:
        """Check the value of a tag with a fixed form; good values are remembered."""
        value = self._value(tag)
        good = self.good[tag]
        if value not in good:
            if CHECKS[tag](self.text_of(tag)):
                self._note_tag(BAD_TAG, place, 0)
            elif len(good) < MEMORY:
                good.add(value)

    def _check_length(self, place: int) -> None:
        """Check the length of a tag and the number of consecutive marks in it."""
        k = place * TAG_FIELDS
        at = self.sheet.tag_at
        value = unescape(self.sheet.text[at[k + 4] : at[k + 5]].decode(errors="replace"))
        finding = TAG_MARKS if (too_many := excess(value)) else 0
        if too_many == "characters" or at[k + 3] - at[k + 2] > LONGEST:
            finding = TAG_LENGTH
        if finding and self._room():
            self._note_tag(finding, place, 0)

    def _check_others(self) -> None:
        """Find tags that the format does not define and that occur twice."""
        sheet = self.sheet
        names = set()
        for i in range(sheet.tags):
            if sheet.tag_id[i] == OTHER_TAG:
                k = i * TAG_FIELDS
                name = sheet.text[sheet.tag_at[k + 2] : sheet.tag_at[k + 3]]
                if name in names and self._room():
                    self._note_tag(DUPLICATE_TAG, i, 0)
                names.add(name)

    def _read_termination(self) -> None:
        value = self._value(TAG_TERMINATION)
        self.normal = value == b"normal"
        self.forfeit = value == b"forfeit"
        self.bye = value == b"bye"
        self.deckless = value in DECKLESS

    def _read_seats(self) -> None:
        """Read the seats: the highest Player tag is their number; none may be missing before it."""
        highest = 0
        missing = False
        for i in range(MAX_SEATS, 0, -1):
            if self.tag_of[TAG_PLAYER + i - 1] >= 0:
                if not highest:
                    highest = i
            elif highest:
                missing = True
        if self.bye and highest == 1:
            self.seats = 1
        else:
            if missing or highest == 1 or self.bye:
                self._note_tag(BAD_SEATS, self.tag_of[TAG_PLAYER + max(highest, 1) - 1], highest)
                self.bye = False
            self.seats = max(highest, 2)
            played = self._plays_of_first_trick()
            if played != self.seats and played > 1:
                self._read_other_seats(highest, played)
        self.tricks = TRICKS[self.seats]
        self.sides = SIDES[self.seats]

    def _plays_of_first_trick(self) -> int:
        """The number of plays in the first trick, 0 if it does not begin with upcards."""
        kinds = self.sheet.kind
        size = self.sheet.size
        i = 0
        while i < size and (kinds[i] == NUMBER or kinds[i] == UPCARD):
            i += 1
        first = i
        while i < size and kinds[i] == PLAY:
            i += 1
        return i - first if first else 0

    def _read_other_seats(self, highest: int, played: int) -> None:
        """Take the number of seats from the tricks if these and the deck agree on another one.

        Then only the Player tags are wrong.  A single trick counts less than the tags if these fit
        the deck: it may lack a play.
        """
        sheet = self.sheet
        deck = max(self._deck(), 0)
        if played > MAX_SEATS or deck_problem(deck, played):
            return
        upcards = upcards_of(played)
        tricks = ups = plays = 0
        for i in range(sheet.size):
            kind = sheet.kind[i]
            if kind == UPCARD and sheet.flags[i] & FIRST:
                if tricks and (plays != played or ups != upcards):
                    return
                tricks += 1
                ups = plays = 0
                if tricks > 2:
                    break
            ups += kind == UPCARD
            plays += kind == PLAY or kind == DISCARD
        if tricks < 2 or plays not in (0, played):
            return
        if tricks == 2 and not plays and not deck_problem(deck, self.seats):
            return
        if BAD_SEATS not in [finding[0] for finding in self.findings]:
            self._note_tag(
                BAD_SEATS,
                self.tag_of[TAG_PLAYER + highest - 1 if highest else TAG_DECK],
                highest + 8 * played,
            )
        self.seats = played

    def _read_rulings(self) -> None:
        self.rulings = default_rulings(self.rules)
        for word in self.text_of(TAG_RULINGS).split():
            key, _, value = word.partition("=")
            if key in RULINGS and value in RULINGS[key].values:
                self.rulings[key] = value
            else:
                self._note_tag(BAD_RULING, self.tag_of[TAG_RULINGS], 0)
                break
        self.troll_line = self.rulings["trolls"] == "line"
        self.any_dragon = self.rulings["dragons"] == "last-dragon"
        self.any_automaton = self.rulings["automatons"] == "played"
        self.raccoons_in_pile = self.rulings["raccoons"] == "pile"

    def _deck(self) -> int:
        """The deck named by the tag, -1 if unreadable, 0 if there is no tag."""
        if self.tag_of[TAG_DECK] < 0:
            return 0
        letters = DECK_LETTERS
        k = self.tag_of[TAG_DECK] * TAG_FIELDS
        text = self.sheet.text
        deck = 0
        for i in range(self.sheet.tag_at[k + 4], self.sheet.tag_at[k + 5]):
            faction = letters[text[i]]
            if faction == FACTION_COUNT or deck >> faction & 1:
                return -1
            deck |= 1 << faction
        return deck

    def _read_deck(self) -> None:
        deck = self._deck()
        if deck <= 0 or not self._deck_is_legal(deck):
            deck = 0
        fill(self.ledger, deck or WHOLE_BOX)
        if deck:
            self.deck = deck
            self.deck_known = True
        elif self.tag_of[TAG_DECK] >= 0 or not self.deckless:
            self._note_tag(BAD_DECK, self.tag_of[TAG_DECK], 0)

    def _deck_is_legal(self, deck: int) -> bool:
        """Whether the game can be played with this deck; answers are remembered: 1 yes, 2 no."""
        place = 2 * self.seats + (1 if self.classic else 0)
        if not self.decks[place]:
            self.decks[place] = bytearray(WHOLE_BOX + 1)
        known = self.decks[place]
        if not known[deck]:
            # A bye is not played: any deck will do.
            seats = [self.seats] if self.seats > 1 else [2, 3]
            problems = [deck_problem(deck, n, classic=self.classic) for n in seats]
            known[deck] = 1 if None in problems else 2
        return known[deck] == 1

    def _read_result(self) -> None:
        """Compare the result in the tag with the result in the movetext."""
        sheet = self.sheet
        self.result = sheet.result
        if self.tag_of[TAG_RESULT] >= 0:
            if self._results_agree():
                self.tag_result = sheet.result
            else:
                self.tag_result = RESULT_BYTES.get(self._value(TAG_RESULT), NO_RESULT)
            if self.tag_result == NO_RESULT:
                self.tag_result = parse_result(self.text_of(TAG_RESULT), alone=True)
            if self.tag_result == NO_RESULT:
                self._note_tag(BAD_TAG, self.tag_of[TAG_RESULT], 0)
            elif self.result == NO_RESULT:
                self.result = self.tag_result
        if self.result == NO_RESULT:
            self.result = UNFINISHED

    def _results_agree(self) -> bool:
        """Whether tag and movetext write the result in the same way."""
        sheet = self.sheet
        token = sheet.size - 1
        if token < 0 or sheet.kind[token] != RESULT:
            return False
        text = sheet.text
        k = self.tag_of[TAG_RESULT] * TAG_FIELDS
        i = sheet.start[token]
        length = sheet.end[token] - i
        j = sheet.tag_at[k + 4]
        if sheet.tag_at[k + 5] - j != length:
            return False
        n = 0
        while n < length and text[i + n] == text[j + n]:
            n += 1
        return n == length

    # The deal, as far as the tags give it -------------------------------------------------

    def _read_deal(self) -> None:
        """Read Hand1 to Hand4, Pile, LootCards and Loot."""
        self.hands = [None] * MAX_SEATS
        self.pile = None
        for seat in range(self.seats):
            if self.tag_of[TAG_HAND + seat] >= 0:
                cards = self._read_cards(TAG_HAND + seat)
                self.hands[seat] = cards
                self.dealt = True
                if len(cards) != self.tricks:
                    k = self.tag_of[TAG_HAND + seat] * TAG_FIELDS
                    at = self.sheet.tag_at
                    self.findings.append(
                        (HAND_SIZE, at[k], at[k + 1], 0, seat, NO_CARD, -1, len(cards))
                    )
        if self.tag_of[TAG_PILE] >= 0:
            self.pile = self._read_cards(TAG_PILE)
            self.dealt = True
            if len(self.pile) != self.seats * self.tricks:
                self._note_tag(PILE_SIZE, self.tag_of[TAG_PILE], len(self.pile))
                self.pile = None
        if self.tag_of[TAG_LOOT_CARDS] >= 0:
            self._read_loot()
        if self.tag_of[TAG_LOOT] >= 0:
            value = self._value(TAG_LOOT)
            choice = self.choices.get(value)
            if choice is None:
                choice = parse_loot(self.text_of(TAG_LOOT)) or {}
                if len(self.choices) >= MEMORY:
                    self.choices.clear()
                self.choices[value] = choice
            self.loot_choice = choice
            if (
                not choice
                or max(choice) > self.sides
                or not LETTERS_SET.issuperset(choice.values())
            ):
                self._note_tag(BAD_TAG, self.tag_of[TAG_LOOT], 0)
                self.loot_choice = {}

    def _read_loot(self) -> None:
        """Read the Raccoons that show loot, as a set of values."""
        sheet = self.sheet
        k = self.tag_of[TAG_LOOT_CARDS] * TAG_FIELDS
        i = sheet.tag_at[k + 4]
        end = sheet.tag_at[k + 5]
        self.loot = 0
        while i < end:
            i = sheet.card_end(i)
            card = sheet.last_card
            known = i > 0 and card < NO_CARD and FACTION_OF[card] == LOOTING
            if not known or (i < end and sheet.text[i] != 32):
                self.loot = -1
                break
            self.loot |= 1 << VALUE_OF[card]
            i += 1
        if self.loot < 0:
            self.loot = 0
            for card in self._read_cards(TAG_LOOT_CARDS):
                if card < NO_CARD:
                    self.loot |= 1 << VALUE_OF[card]

    def _read_cards(self, tag: int) -> list[int]:
        """Read the cards of a tag, `FACE_DOWN` for ``_`` and for impossible cards."""
        sheet = self.sheet
        k = self.tag_of[tag] * TAG_FIELDS
        at = sheet.tag_at[k + 4]
        value = self._value(tag)
        cards = []
        end = 0
        for word in value.split():
            start = value.index(word, end)
            end = start + len(word)
            card = shown = read_card(word)
            finding = 0
            if card == NO_CARD:
                card = FACE_DOWN
                if word != b"_" or tag == TAG_LOOT_CARDS:
                    finding = UNKNOWN_CARD if card_like(word) else BAD_TAG
            elif tag == TAG_LOOT_CARDS:
                if FACTION_OF[card] != LOOTING:
                    finding = BAD_TAG
                    card = FACE_DOWN
            elif not self.deck >> FACTION_OF[card] & 1:
                finding = NOT_IN_DECK
                card = FACE_DOWN
            elif tag < TAG_PILE and self.raccoons_in_pile and FACTION_OF[card] == LOOTING:
                finding = HAND_RACCOON
            if finding and self._room():
                seat = tag - TAG_HAND if tag < TAG_PILE else -1
                self.findings.append((finding, at + start, at + end, 0, seat, shown, -1, TAG_COUNT))
            cards.append(card)
        return cards

    def _pile_card(self, place: int) -> int:
        """The card at index `place` among the trick's cards from the Pile, or `FACE_DOWN`."""
        pile = self.pile or []
        return pile[self.seats * (self.table.trick - 1) + place]

    def _check_pile(self) -> None:
        """Compare the trick's upcards with the Pile, in any order: they were turned up together."""
        upcards = self.table.upcard_count
        listed = [self._pile_card(place) for place in range(upcards)]
        for i in range(upcards):
            card = self.up_card[i]
            if card >= NO_CARD:
                continue
            if card in listed:
                listed.remove(card)
            elif FACE_DOWN in listed:
                listed.remove(FACE_DOWN)
            else:
                self._note(PILE_CARD, self.ups[i], -1, listed[0])

    def _check_deal(self) -> None:
        """Compare the hands in the tags with the plays, and count all cards of the deal."""
        trick = self.table.trick
        seen = min(self.known_tricks, self.tricks)
        strays = self._strays(seen) if self.lost else Counter()
        for seat in range(self.seats):
            hand = self.hands[seat]
            if hand is None:
                continue
            left, unknown = self.left_of_hand(seat, seen)
            if unknown < 0:
                self._note_hand_plays(seat, seen)
            for card in left:
                if strays[card]:
                    strays[card] -= 1
                else:
                    self._count_dealt(card, TAG_HAND + seat)
        self.table.trick = trick
        if self.pile is not None:
            # Cards in a trick that was cut short are not counted again.
            place = self.seats * min(trick - 1, self.tricks)
            begun = place + self.seats
            shown = self._shown_of_pile() if self.cut else []
            for card in self.pile[place:]:
                if place < begun and card in shown:
                    shown.remove(card)
                elif card < NO_CARD:
                    self._count_dealt(card, TAG_PILE)
                place += 1

    def _note_hand_plays(self, seat: int, stop: int) -> None:
        """Note plays that contradict a Hand tag."""
        hand = list(self.hands[seat] or ())
        for t in range(stop):
            card = self.play_card[t * 4 + seat]
            if card >= NO_CARD:
                continue
            if card in hand:
                hand.remove(card)
            elif FACE_DOWN in hand:
                hand.remove(FACE_DOWN)
            else:
                self.table.trick = t + 1
                self._note(HAND_PLAY, self.play_token[t * 4 + seat], seat, 0)

    def _strays(self, seen: int) -> Counter[int]:
        """The cards played in Phase 1 by unknown seats, after `seen` tricks."""
        sheet = self.sheet
        stop = self.first_token[self.tricks] if self.table.trick > self.tricks else sheet.size
        return Counter(
            [
                sheet.card[token]
                for token in range(self.first_token[seen], stop)
                if sheet.kind[token] == PLAY or sheet.kind[token] == DISCARD
            ]
        )

    def _shown_of_pile(self) -> list[int]:
        """The cards from the pile in the trick that was cut short."""
        sheet = self.sheet
        return [
            sheet.card[token]
            for token in range(self.first_token[self.table.trick - 1], sheet.size)
            if sheet.kind[token] in (UPCARD, DRAW, SEER)
        ]

    def _count_dealt(self, card: int, tag: int) -> None:
        """Count a card of the deal that the movetext does not reach."""
        finding = self._count(card)
        if finding and self._room():
            k = self.tag_of[tag] * TAG_FIELDS
            seat = tag - TAG_HAND if tag < TAG_PILE else -1
            at = self.sheet.tag_at
            self.findings.append((finding, at[k], at[k + 1], 0, seat, card, -1, tag))

    # Cards -----------------------------------------------------------------------------

    def _count(self, card: int) -> int:
        """Count a card of the deck that shows up; return the finding if it is impossible."""
        if not self.ledger[card]:
            return CARD_COUNT
        self.ledger[card] -= 1
        if FACTION_OF[card] == LOOTING:
            self.raccoons += 1
            if self.raccoons > RACCOONS_USED:
                return RACCOON_COUNT
        return 0

    def _show(self, ledger: bytearray, card: int, token: int, seat: int) -> int:
        """Note a card of the deck shown in Phase 1; return it, or `NO_CARD` if impossible."""
        if ledger[card] and FACTION_OF[card] != LOOTING:
            ledger[card] -= 1
            return card
        return self._look_at(card, token, seat)

    def _show_token(self, token: int, seat: int) -> int:
        return self._show(self.ledger, self.sheet.card[token], token, seat)

    def _look_at(self, card: int, token: int, seat: int) -> int:
        """Do what `_show` does for a card that needs a closer look."""
        if card >= NO_CARD:
            if card == NO_CARD and self.sheet.kind[token] != JUNK:
                self._note(UNKNOWN_CARD, token, seat, 0)
            return card
        if not self.deck >> FACTION_OF[card] & 1:
            self._note(NOT_IN_DECK, token, seat, 0)
            return NO_CARD
        finding = self._count(card)
        if finding:
            self._note(finding, token, seat, 0)
            return NO_CARD
        return card

    def _show_follower(self, token: int, seat: int) -> int:
        """Note a card played in Phase 2; return it, or `NO_CARD` if impossible.

        `seat` is -1 if unknown.
        """
        card = self.sheet.card[token]
        if card >= NO_CARD:
            if card == NO_CARD and self.sheet.kind[token] != JUNK:
                self._note(UNKNOWN_CARD, token, seat, 0)
            return NO_CARD
        if not self.deck >> FACTION_OF[card] & 1:
            self._note(NOT_IN_DECK, token, seat, 0)
            return NO_CARD
        ledger = self.ledger
        if not ledger[PLAYS + card]:
            self._note(CARD_COUNT, token, seat, 1)
            return NO_CARD
        ledger[PLAYS + card] -= 1
        if seat < 0:
            return card
        k = KEPT + seat * 256 + card
        if ledger[k]:
            ledger[k] -= 1
        elif self.spare[seat] and ledger[card]:
            # One of the cards that nobody saw the seat take.
            self.spare[seat] -= 1
            if self._count(card):
                self._note(RACCOON_COUNT, token, seat, 1)
        elif self.spare[seat] and card in self.loose:
            # One of the cards taken by an unknown seat.
            self.spare[seat] -= 1
            self.loose.remove(card)
        else:
            self.faulted[seat] = 1
            self._note(NOT_HELD, token, seat, 0)
        return card

    def _take_up(self) -> None:
        """Between the phases, make each seat's known followers its new hand."""
        ledger = self.ledger
        followers = self.table.followers
        tricks = self.tricks
        for seat in range(self.seats):
            spare = 0
            place = seat * MAX_TRICKS
            kept = KEPT + seat * 256
            for t in range(place, place + tricks):
                card = followers[t]
                if card < NO_CARD:
                    ledger[kept + card] += 1
                else:
                    spare += 1
            self.spare[seat] = spare
            self.faulted[seat] = 0

    # Plain tricks ----------------------------------------------------------------------------

    def _plain_tricks(self, i: int, last: int) -> int:
        """Judge tricks from token `i` on as long as they are written plainly.

        A plain trick has number, upcards, plays, pick and draws, all present and in this order.
        Nearly all tricks are plain; for them this does the work of `_trick`, `_play_out` and
        `_choices` in one fast loop, provided that no tag gives the deal and the seats are known.
        Any other trick is left to these methods, and errors of a card or a mark are worked out by
        the same methods as there.

        `barred` collects the factions that each seat cannot have held, according to its plays; a
        seat that plays one later in the phase is a `suspect` of a revoke, for `_prove`.
        """
        sheet = self.sheet
        table = self.table
        kinds = sheet.kind
        cards = sheet.card
        flags = sheet.flags
        ledger = self.ledger
        play_card = self.play_card
        play_token = self.play_token
        lying = table.cards
        turned_up = table.upcards
        up_card = self.up_card
        barred = self.barred
        first_token = self.first_token
        leds = self.led
        tracing = self.tracing
        suspects = 0
        up_card[1] = FACE_DOWN
        turned_up[1] = FACE_DOWN
        seats = self.seats
        tricks = self.tricks
        upcards = table.upcard_count
        draws = self.draws[0]
        begun = t = table.trick - 1
        stop = 2 * tricks
        shapes = SHAPES[seats]
        shift = self.number_shift
        while i < last and t < stop:
            early = t < tricks
            auto = table.auto
            shape = shapes[(2 if auto else 0) + (1 if early else 0)]
            length = len(shape)
            if INTERPRETED:
                if not sheet.kind.startswith(shape, i):
                    break
            else:
                k = 0
                while k < length and kinds[i + k] == shape[k]:
                    k += 1
                if k < length:
                    break
            j = i + length
            if cards[i] | flags[i] << 8 != t + 1 + shift or (kinds[j] != NUMBER and j < last):
                break
            first = i + 1
            if early:
                first += upcards
                if upcards == 2 and flags[i + 2] & FIRST:
                    break
                if draws == 2 and flags[j - 1] & FIRST:
                    break
            after = first + seats
            # The trick is plain: play it.
            first_token[t] = i
            if early:
                for k in range(i + 1, first):
                    card = cards[k]
                    if ledger[card] and FACTION_OF[card] != LOOTING:
                        ledger[card] -= 1  # `_show`, inlined here and below
                    else:
                        card = self._look_at(card, k, -1)
                    up_card[k - i - 1] = card
                    turned_up[k - i - 1] = card
            elif t == tricks:
                self._take_up()
            if t == 0 or t == tricks:
                for k in range(seats):
                    barred[k] = 0
            card = cards[first]
            led = NO_FACTION if auto or card >= NO_CARD else FACTION_OF[card]
            row = FACTION_COUNT * (FACTION_COUNT if led == NO_FACTION else led)
            seat = table.leader
            usable = True
            marks = 0
            places = 4 * t
            for k in range(first, after):
                card = cards[k]
                if early:
                    if ledger[card] and FACTION_OF[card] != LOOTING:
                        ledger[card] -= 1
                    else:
                        card = self._look_at(card, k, seat)
                else:
                    place = KEPT + seat * 256 + card
                    if ledger[place] and ledger[PLAYS + card]:
                        ledger[place] -= 1
                        ledger[PLAYS + card] -= 1
                    else:
                        card = self._show_follower(k, seat)
                if card < NO_CARD:
                    faction = FACTION_OF[card]
                    if barred[seat] >> faction & 1:
                        suspects = 1
                    barred[seat] |= REVOKED[row + faction]
                else:
                    usable = False
                lying[k - first] = card
                place = places + seat
                play_card[place] = card
                play_token[place] = k
                marks += flags[k]  # no branch: the winner is unpredictable
                seat += 1
                if seat == seats:
                    seat = 0
            pick = 0
            if early and upcards == 2:
                card = cards[after]
                pick = 0 if card == up_card[0] else 1 if card == up_card[1] else -1
                if card >= NO_CARD:
                    pick = -1
            if not usable or pick < 0 or tracing:
                self.looked = False
                self.pick = pick
                self._keep_tokens(i, first, after)
                if not usable:
                    suspects = 1
                if lying[0] >= NO_CARD:
                    led = NO_FACTION
            leds[t] = led
            known = True
            if auto or usable:
                table.settle()
                if marks and (auto or marks != flags[first + table.ranked[0]]):
                    # Some mark other than just one on the winning play.
                    self._keep_tokens(i, first, after)
                    self._winner_marks(auto)
            else:
                known = self._concede()
            if early and usable and pick >= 0:
                drawn = cards[j - draws]
                if ledger[drawn] and FACTION_OF[drawn] != LOOTING:
                    ledger[drawn] -= 1
                else:
                    drawn = self._look_at(drawn, j - draws, -1)
                second = FACE_DOWN
                if draws == 2:
                    second = self._show(ledger, cards[j - 1], j - 1, -1)
                table.recruit(False, FACE_DOWN, pick, drawn, second)
            elif early and known:
                self._choices(draws, after if upcards == 2 else -1, -1, usable)
            elif early:
                self._lost_choices(draws, after if upcards == 2 else -1, -1)
            if tracing and not self.lost:
                self.trace(
                    upcards if early else 0,
                    seats,
                    draws if early else 0,
                    after if early and upcards == 2 else -1,
                    -1,
                )
            table.advance()
            t += 1
            i = j
            if not usable and self.lost:
                break
        first_token[t] = last
        self.done += t - begun
        self.plain += t - begun
        if suspects:
            self.suspect = True
        return i

    def _keep_tokens(self, first: int, play: int, after: int) -> None:
        """Note the tokens of upcards, plays and draws of a plain trick, as `_trick` does."""
        for k in range(2):
            self.ups[k] = first + 1 + k
        for k in range(after - play):
            self.lies[k] = play + k
        for k in range(self.draws[0]):
            self.drawn[k] = after + (0 if self.seats == 2 else 1) + k

    # Tricks ------------------------------------------------------------------------------

    def _trick(self, i: int, last: int) -> int:
        """Judge the trick whose first token is `i`; return the next trick's first token."""
        sheet = self.sheet
        table = self.table
        seats = self.seats
        first = i
        numbered = sheet.kind[i] == NUMBER
        if numbered:
            if self._number_at(i) != table.trick + self.number_shift:
                self._number(i, last)
            i += 1
        if table.trick <= 2 * self.tricks:
            self.first_token[table.trick - 1] = first
            self.first_token[table.trick] = last
        early = table.trick <= self.tricks
        ups = lies = drawn = 0
        pick = seer = junk = -1
        junk_at = 0
        while i < last:
            kind = sheet.kind[i]
            if kind == PLAY or kind == DISCARD:
                if lies == seats:
                    if table.trick >= self.tricks and (
                        not early
                        or drawn
                        or pick >= 0
                        or seer >= 0
                        or not self._draws_follow(i, last)
                    ):
                        break
                    self._note_one_more(i, table.auto)
                else:
                    if (drawn or pick >= 0 or seer >= 0) and early:
                        self._note(SYNTAX_ORDER, i, -1, 0)
                    self.lies[lies] = i
                    lies += 1
            elif kind == UPCARD:
                if lies or drawn or pick >= 0 or seer >= 0 or (ups and sheet.flags[i] & FIRST):
                    break
                if ups < 2:
                    self.ups[ups] = i
                ups += 1
                if ups > table.upcard_count and early:
                    self._note_extra(MANY_UPCARDS, i, -1)
            elif kind == DRAW:
                if sheet.flags[i] & FIRST and drawn:
                    self._note_extra(DRAW_TWICE, i, -1)
                elif drawn < 4:
                    self.drawn[drawn] = i
                    drawn += 1
            elif kind == PICK:
                if pick >= 0:
                    self._note_extra(CHOICE_TWICE, i, -1)
                else:
                    pick = i
            elif kind == SEER:
                if seer >= 0:
                    self._note_extra(CHOICE_TWICE, i, -1)
                else:
                    seer = i
            elif kind == JUNK:
                if junk < 0 and sheet.flags[i] & ALONE:
                    junk = i
                    junk_at = lies
            else:
                break
            i += 1
        # Plays without a number after a trick with one: they may belong to that trick.
        more = not numbered and not ups and lies > 0
        if more and lies == seats:
            t = table.trick - 2
            more = t >= 0 and sheet.kind[self.first_token[t]] == NUMBER
        if table.trick > 2 * self.tricks:
            if more:
                self._note_many(first)
            else:
                over = AUTO_DISCARD if sheet.kind[first] == DISCARD else GAME_OVER
                self._note_extra(over, first, -1)
            self.first_token[2 * self.tricks] = first
            self.spoiled = True
            return last
        if junk >= 0 and lies == seats - 1:
            # Unreadable text in place of a missing play was meant as that play.
            for j in range(lies, junk_at, -1):
                self.lies[j] = self.lies[j - 1]
            self.lies[junk_at] = junk
            lies += 1
        if (
            not early
            and more
            and i < last
            and self.done
            and sheet.kind[i] == NUMBER
            and self._number_at(i) == table.trick + self.number_shift
        ):
            # The number of the current trick only follows here: these were extra plays.
            self._note_many(first)
            return i
        if lies < seats:
            if i < last:
                if junk < 0:
                    self._note_missing(FEW_PLAYS, i - 1, -1, lies)
                self._lose()
            else:
                self.cut = True
        if table.trick == self.tricks + 1 and not self.lost:
            self._take_up()
        self._play_out(ups, lies, drawn, pick, seer, first)
        if not self.cut:
            self.done += 1
            table.advance()
        return i

    def _draws_follow(self, token: int, last: int) -> bool:
        """Whether draws or choices follow the plays of an incomplete trick: Phase 2 has none."""
        sheet = self.sheet
        i = token
        while i < last and (sheet.kind[i] == PLAY or sheet.kind[i] == DISCARD):
            i += 1
        if i == last or i - token >= self.seats:
            return False
        kind = sheet.kind[i]
        return kind == DRAW or kind == PICK or kind == SEER

    def _number_at(self, token: int) -> int:
        """The trick number of a token."""
        return self.sheet.card[token] | self.sheet.flags[token] << 8

    def _number(self, token: int, last: int) -> None:
        """Check the number of a trick; if the numbers continue after a gap, tricks are missing."""
        number = self._number_at(token)
        if number == self.table.trick + self.number_shift:
            return
        self._note(TRICK_NUMBER, token, -1, number)
        if self._goes_on(token, last):
            if number > self.table.trick and number <= 2 * self.tricks:
                self._lose()
                for t in range(self.table.trick - 1, number):
                    self.first_token[t] = token
                self.first_token[number] = last
                self.table.trick = number
                self.number_shift = 0
            else:
                self.number_shift = number - self.table.trick

    def _goes_on(self, token: int, last: int) -> bool:
        """Whether more of the later numbers continue from that of `token` than without it.

        Tricks without a number are counted by their upcards, in Phase 2 by their plays.
        """
        sheet = self.sheet
        number = self._number_at(token)
        wanted = self.table.trick + self.number_shift
        tricks = plays = ups = more = 0
        for i in range(token + 1, last):
            kind = sheet.kind[i]
            if kind == NUMBER:
                tricks += 1
                plays = ups = 0
                if self._number_at(i) == number + tricks:
                    more += 1
                elif self._number_at(i) == wanted + tricks:
                    more -= 1
            elif kind == UPCARD and sheet.flags[i] & FIRST:
                if plays or ups:
                    tricks += 1
                    plays = 0
                ups = 1
            elif kind == PLAY or kind == DISCARD:
                if plays == self.seats and self.table.trick + tricks >= self.tricks:
                    tricks += 1
                    plays = ups = 0
                plays += 1
        return more > 0

    def _lose(self) -> None:
        """Stop applying the rules: from here on nobody knows who leads."""
        if not self.lost:
            self.known_tricks = self.table.trick - 1
            self.lost = True
        self.spoiled = True

    def _play_out(self, ups: int, lies: int, drawn: int, pick: int, seer: int, first: int) -> None:
        """Judge a trick whose tokens have been collected, and play it on the table."""
        sheet = self.sheet
        table = self.table
        t = table.trick - 1
        early = t < self.tricks
        hand_only = early and self.raccoons_in_pile
        lost = self.lost
        auto = table.auto and not lost
        wanted = DISCARD if auto else PLAY
        usable = True
        row = t * 4
        self.led[t] = NO_FACTION
        if early:
            self._upcards(ups, lies, first)
        elif ups:
            self._note_extra(LATE_UPCARDS, self.ups[0], -1)
        mixed = False
        seat = -1 if lost else table.leader
        for j in range(lies):
            token = self.lies[j]
            card = self._show_token(token, seat) if early else self._show_follower(token, seat)
            if card >= NO_CARD:
                usable = False
            table.cards[j] = card
            if lost:
                continue
            if sheet.kind[token] != wanted and not mixed and sheet.kind[token] != JUNK:
                self._note(AUTO_PLAY if auto else AUTO_DISCARD, token, seat, table.leader)
                mixed = True
            self.play_card[row + seat] = card
            self.play_token[row + seat] = token
            if hand_only and card < NO_CARD and FACTION_OF[card] == LOOTING:
                self._note(HAND_RACCOON, token, seat, 0)
            seat += 1
            if seat == self.seats:
                seat = 0
        table.played = lies
        if lies and not auto and not lost and table.cards[0] < NO_CARD:
            self.led[t] = FACTION_OF[table.cards[0]]
        if lost or lies < self.seats:
            if not lost:
                for j in range(lies, self.seats):
                    self.play_card[row + table.seat_of(j)] = NO_CARD
            self._lost_choices(drawn, pick, seer)
        elif not (auto or usable) and not self._concede():
            self._lost_choices(drawn, pick, seer)
        else:
            if auto or usable:
                table.settle()
                self._winner_marks(auto)
            if early:
                self._choices(drawn, pick, seer, usable)
            elif pick >= 0 or seer >= 0 or drawn:
                self._late_choices(drawn, pick, seer)
        if self.tracing and not self.lost:
            self.trace(ups, lies, drawn, pick, seer)

    def trace(self, ups: int, lies: int, drawn: int, pick: int, seer: int) -> None:
        """Hook for subclasses, called after every trick if `tracing` is on.

        `ups`, `lies` and `drawn` are the numbers of upcards, plays and drawn cards, whose tokens
        are in the fields of these names; `pick` and `seer` are tokens or -1.
        """

    def _upcards(self, ups: int, lies: int, first: int) -> None:
        """Phase 1: judge the upcards."""
        wanted = self.table.upcard_count
        if ups < wanted and not (self.cut and not lies):
            self._note_missing(FEW_UPCARDS, first, -1, ups)
        self.up_card[0] = self._show_token(self.ups[0], -1) if ups else FACE_DOWN
        self.up_card[1] = FACE_DOWN
        if ups > 1 and wanted == 2:
            self.up_card[1] = self._show_token(self.ups[1], -1)
        if self.dealt and ups == wanted and self.pile is not None:
            self._check_pile()
        upcards = self.table.upcards
        upcards[0] = self.up_card[0]
        upcards[1] = self.up_card[1]

    def _winner_marks(self, auto: bool) -> None:
        """Check that every ``+`` is on the winning play."""
        table = self.table
        best = -1 if auto else table.ranked[0]
        for j in range(self.seats):
            token = self.lies[j]
            if not self.sheet.flags[token] & WON or j == best:
                continue
            if not auto or self.sheet.kind[token] != PLAY:  # otherwise being a play is the error
                self._note(WINNER_MARK, token, table.seat_of(j), table.winner)

    def _concede(self) -> bool:
        """Settle a trick with an unusable card: the play with the ``+`` wins, if there is one.

        Returns whether there is one.
        """
        sheet = self.sheet
        table = self.table
        self.spoiled = True
        marked = -1
        for j in range(self.seats):
            if sheet.flags[self.lies[j]] & WON:
                marked = j if marked < 0 else MAX_SEATS
        if not 0 <= marked < self.seats:
            self._lose()
            self.known_tricks = table.trick
            return False
        if not table.concede(marked):
            self._lose()
            self.known_tricks = table.trick
        return True

    # Choices ---------------------------------------------------------------------------------

    def _choices(self, drawn: int, pick: int, seer: int, usable: bool) -> None:
        """Phase 1: judge the Seer, the pick and the draws; then everybody takes a card."""
        sheet = self.sheet
        table = self.table
        winner = table.winner
        hidden = FACE_DOWN
        self.looked = False
        self.pick = -1
        if seer >= 0:
            best = table.cards[table.ranked[0]]
            hidden = self._show_token(seer, winner)
            if table.auto or (best < NO_CARD and not seers(best)):
                self._note(NO_SEER_DUE, seer, winner, 0)
            else:
                self.looked = True
        if self.seats == 2:
            self.pick = 0
            if pick >= 0:
                self._note_extra(NO_PICK_DUE, pick, winner)
        elif pick >= 0:
            card = sheet.card[pick]
            seat = table.seat_of(table.ranked[1 if self.looked else 0])
            if card < NO_CARD and card == self.up_card[0]:
                self.pick = 0
            elif card < NO_CARD and card == self.up_card[1]:
                self.pick = 1
            elif card < NO_CARD and self._upcard_written(card) >= 0:
                # An impossible card; but it is known who took it, and so who took the other one.
                self.pick = self._upcard_written(card)
                if not self.deck >> FACTION_OF[card] & 1:
                    self._note_extra(ILLEGAL_PICK, pick, seat)
            elif card == FACE_DOWN:
                pass  # `claimlog.replay.slip` inserts tricks of unknown cards
            elif card == NO_CARD or not self.deck >> FACTION_OF[card] & 1:
                self._note_extra(ILLEGAL_PICK, pick, seat)
            elif self.up_card[0] < NO_CARD and self.up_card[1] < NO_CARD:
                self._note(ILLEGAL_PICK, pick, seat, 0)
        elif not (self.cut or self._may_stop()):
            seat = table.seat_of(table.ranked[1 if self.looked else 0])
            self._note_missing(MISSING_PICK, self.lies[self.seats - 1], seat, 0)
        wanted = self.draws[1 if self.looked else 0]
        begun = 0 < drawn < wanted and self._may_stop()
        if drawn and drawn != wanted and not begun:
            self._note(DRAW_COUNT, self.drawn[0], -1, drawn * 4 + wanted)
        for k in range(drawn):
            card = self._show_token(self.drawn[k], -1)
            if k < wanted:
                self.draw_card[k] = card
        for k in range(drawn, wanted):
            self.draw_card[k] = FACE_DOWN
        if self.dealt and self.pile is not None:
            hidden = self._draws_from_pile(wanted, drawn, seer, hidden, begun)
        if not usable and self.seats > 2 and not table.auto:
            # The second in rank is unknown: any seat may have taken any card.
            self.pick = -1
            for k in range(wanted):
                if self.draw_card[k] < NO_CARD:
                    self.loose.append(self.draw_card[k])
                self.draw_card[k] = FACE_DOWN
        if self.pick < 0:
            for k in range(2):
                if self.up_card[k] < NO_CARD:
                    self.loose.append(self.up_card[k])
        table.recruit(self.looked, hidden, self.pick, self.draw_card[0], self.draw_card[1])

    def _upcard_written(self, card: int) -> int:
        """The index of the trick's upcard that is written as `card`, -1 if there is none."""
        first = self.first_token[self.table.trick - 1]
        for k in range(2):
            token = self.ups[k]
            if (
                token >= first
                and self.sheet.kind[token] == UPCARD
                and self.sheet.card[token] == card
            ):
                return k
        return -1

    def _may_stop(self) -> bool:
        """Whether this is the last trick of a record that may stop anywhere."""
        after = self.lies[self.seats - 1]
        for i in range(after + 1, self.sheet.size):
            kind = self.sheet.kind[i]
            if kind == NUMBER or kind == UPCARD or kind == PLAY or kind == DISCARD:
                return False
        return self.result == UNFINISHED or not self.normal

    def _draws_from_pile(self, wanted: int, drawn: int, seer: int, hidden: int, begun: bool) -> int:
        """Fill in unknown draws from the Pile and compare known ones with it."""
        place = self.table.upcard_count
        if self.looked:
            card = self._pile_card(place)
            place += 1
            if hidden >= NO_CARD:
                hidden = card
                if card < NO_CARD:
                    self._count_dealt(card, TAG_PILE)
            elif card < NO_CARD and card != hidden:
                self._note(PILE_CARD, seer, self.table.winner, card)
        for k in range(wanted):
            card = self._pile_card(place + k)
            if card >= NO_CARD:
                continue
            if self.draw_card[k] >= NO_CARD:
                self.draw_card[k] = card
                self._count_dealt(card, TAG_PILE)
            elif card != self.draw_card[k] and (drawn == wanted or begun):
                self._note(PILE_CARD, self.drawn[k], -1, card)
        return hidden

    def _late_choices(self, drawn: int, pick: int, seer: int) -> None:
        """Note choices in Phase 2, which has none."""
        for token in (pick, seer):
            if token >= 0:
                self._note_extra(LATE_CHOICE, token, -1)
        for k in range(drawn):
            # One finding covers all drawn cards, except impossible ones.
            self._note_extra(0 if k else LATE_CHOICE, self.drawn[k], -1)

    def _lost_choices(self, drawn: int, pick: int, seer: int) -> None:
        """Check the cards of a trick that cannot be judged."""
        if self.table.trick > self.tricks:
            self._late_choices(drawn, pick, seer)
            return
        if seer >= 0:
            self._show_token(seer, -1)
        if pick >= 0:
            self._note_extra(NO_PICK_DUE if self.seats == 2 else 0, pick, -1)
        most = max(self.draws[0], self.draws[1])
        if self.cut and drawn > most:
            self._note(DRAW_COUNT, self.drawn[0], -1, drawn * 4 + most)
        for k in range(drawn):
            self._show_token(self.drawn[k], -1)

    # Proofs ------------------------------------------------------------------------------------

    def _prove(self, start: int, stop: int) -> None:
        """Find the revokes of one phase, tricks `start` to `stop` - 1 (from 0).

        A seat held the cards that it played or discarded later in the phase, those that its Hand
        tag gives, and in Phase 2 those it is known to have taken (docs/notation.md, "What is
        known").  Cards that never come to light may have been used in an earlier unreadable play or
        discard.  Going backwards, `held` is the set of factions that it still held for its later
        plays, `later` the number of these, and `doubt` the number of its earlier unreadable plays.
        """
        seats = self.seats
        irregular = self.sheet.irregulars > 0
        play_card = self.play_card
        leds = self.led
        held = self.held
        doubt = self.doubt
        later = self.later
        for seat in range(seats):
            held[seat] = 0
            doubt[seat] = 0
            later[seat] = 0
        # In a complete game whose plays are all readable, Phase 2 leaves no cards over.
        counted = stop > start
        counted = counted and (self.spoiled or not self.complete if start else self.dealt)
        if counted or irregular:
            self._count_rest(start, stop, counted)
        for t in range(stop - 1, start - 1, -1):
            led = leds[t]
            for seat in range(seats):
                card = play_card[t * 4 + seat]
                if card >= NO_CARD:
                    doubt[seat] -= 1
                    continue
                faction = FACTION_OF[card]
                if led != NO_FACTION and self._held(
                    seat, REVOKED[led * FACTION_COUNT + faction], counted
                ):
                    self._revoke(t, seat)
                elif irregular:
                    self._no_revoke(t, seat, start)
                held[seat] |= 1 << faction
                later[seat] += 1

    def _held(self, seat: int, factions: int, counted: bool) -> bool:
        """Whether a seat is proven to have held one of `factions` (a set)."""
        if self.held[seat] & factions:
            return True
        if counted and factions:
            for faction in range(FACTION_COUNT):
                if (
                    factions >> faction & 1
                    and self.rest[seat * FACTION_COUNT + faction] > self.doubt[seat]
                ):
                    return True
        return False

    def _count_rest(self, start: int, stop: int, counted: bool) -> None:
        """Count each seat's cards that never come to light in tricks `start` to `stop` - 1.

        Sets `rest`, by seat and faction, `doubt`, and `all_known`: no other cards are left of those
        that the seat had at the start of the phase.
        """
        for i in range(len(self.rest)):
            self.rest[i] = 0
        for seat in range(self.seats):
            self.all_known[seat] = 0
            for t in range(start, stop):
                if self.play_card[t * 4 + seat] >= NO_CARD:
                    self.doubt[seat] += 1
            if not counted:
                continue
            k = seat * FACTION_COUNT
            if start:
                if not self.faulted[seat]:
                    for card in range(CARDS):
                        self.rest[k + FACTION_OF[card]] += self.ledger[KEPT + seat * 256 + card]
                    self.all_known[seat] = self.spare[seat] == 0
            elif self.hands[seat] is not None:
                left, unknown = self.left_of_hand(seat, stop)
                for card in left:
                    self.rest[k + FACTION_OF[card]] += 1
                size = len(self.hands[seat] or ())
                self.all_known[seat] = unknown == 0 and size == self.tricks

    def left_of_hand(self, seat: int, stop: int) -> tuple[list[int], int]:
        """The cards of a Hand tag that never come to light before trick `stop` (from 0).

        Returns them, and the number of unknown ones left; negative if the seat played more cards
        that the tag does not list.
        """
        hand = self.hands[seat] or []
        left = [card for card in hand if card < NO_CARD]
        unknown = len(hand) - len(left)
        for t in range(stop):
            card = self.play_card[t * 4 + seat]
            if card in left:
                left.remove(card)
            elif card < NO_CARD:
                unknown -= 1
        return left, unknown

    def _revoke(self, t: int, seat: int) -> None:
        """Note a revoke in trick `t` (from 0), as a warning if the director let it stand."""
        token = self.play_token[t * 4 + seat]
        card = self.sheet.card[token]
        start = self.sheet.start[token]
        end = self.sheet.end[token]
        finding = IRREGULAR_PLAY if self.sheet.flags[token] & IRREGULAR else REVOKE
        self.findings.append((finding, start, end, t + 1, seat, card, token, self.led[t]))

    def _no_revoke(self, t: int, seat: int, start: int) -> None:
        """Note a ``^`` on a play that is proven legal."""
        token = self.play_token[t * 4 + seat]
        if not self.sheet.flags[token] & IRREGULAR:
            return
        card = self.sheet.card[token]
        faction = FACTION_OF[card]
        led = self.led[t]
        if led == NO_FACTION:
            # Any card may be laid face down; to an unreadable lead nobody can tell.
            if self.sheet.kind[token] != DISCARD:
                return
        elif not may_play(1 << led, led, faction):
            # Legal only if all cards that the seat still held are known: it played all of them, or
            # its remaining cards are known and of other factions.
            left = self.tricks - (t - start) - 1
            if self.later[seat] != left and not (
                self.all_known[seat] and self.rest[seat * FACTION_COUNT + led] == 0
            ):
                return
        at = self.sheet.start[token]
        end = self.sheet.end[token]
        self.findings.append((NEEDLESS_IRREGULAR, at, end, t + 1, seat, card, token, led))

    # The end -------------------------------------------------------------------------------------

    def _end(self) -> None:
        """Count the game if possible, and check what the record says about its end."""
        differ = self.tag_result != NO_RESULT and self.sheet.result != NO_RESULT
        differ = differ and not self._same_result()
        if self.complete and not self.lost and self.deck_known and not self.spoiled:
            self._score()
        if self.bye:
            if self.result == UNFINISHED and not self._result_unread():
                self._note_result(RESULT_OPEN)
        elif not self.complete:
            if self.normal and self.result != UNFINISHED:
                self._note_tag(INCOMPLETE, -1, self.done)
        elif self.result == UNFINISHED and not differ and not self._result_unread():
            self._note_result(RESULT_OPEN)
        if self.result != UNFINISHED and not self._result_possible():
            self._note_result(RESULT_PARTS)
        elif differ:
            self._note_result(RESULT_DIFFER)
        elif self.scored and self.normal and self.result not in (UNFINISHED, self.played_result()):
            self._note_result(RESULT_WRONG)
        if self.tag_of[TAG_VOTES] >= 0 and not self._votes_as_counted():
            self._check_votes()

    def _same_result(self) -> bool:
        """Whether tag and movetext, which both have a result, have the same one."""
        if self.tag_result == IMPOSSIBLE:
            return self._results_agree()
        return self.tag_result == self.sheet.result

    def _result_possible(self) -> bool:
        """Whether a game with that many sides can end so; only a forfeit can have no winner."""
        if self.result >> 3 != self.sides:
            return False
        return self.result & 7 != 0 or self.forfeit or self.bye

    def _result_unread(self) -> bool:
        """Whether the only result is in a tag that cannot be read."""
        return (
            self.tag_of[TAG_RESULT] >= 0
            and self.tag_result == NO_RESULT
            and self.sheet.result == NO_RESULT
        )

    def _note_result(self, finding: int) -> None:
        """Note a finding about the result: at its tag if that is wrong, else in the movetext."""
        played = self.played_result() if self.scored else NO_RESULT
        tag = self.tag_of[TAG_RESULT]
        if tag >= 0 and self.tag_result == played:
            tag = -1
        last = self.sheet.size - 1
        if tag < 0 and last >= 0 and self.sheet.kind[last] != RESULT:
            # It is missing: report it at the end.
            start, end = self.sheet.start[last], self.sheet.end[last]
            self.findings.append((finding, start, end, 0, -1, NO_CARD, -1, played))
        else:
            self._note_tag(finding, tag, played)

    def played_result(self) -> int:
        """The result as played."""
        winners = 0
        for side in range(self.sides):
            if self.count.share[side]:
                winners |= 1 << side
        return self.sides * 8 + winners

    def _score(self) -> None:
        """Count the piles, with loot as chosen."""
        count = self.count
        loot = max(self.loot, 0) if self.deck >> LOOTING & 1 else 0
        count.gather(self.table, loot)
        self.scored = True
        if self.deck >> LOOTING & 1 and (loot or self.tag_of[TAG_LOOT] >= 0):
            self._choose_loot()
        count.decide()

    def _choose_loot(self) -> None:
        """Let each side's loot count as the Loot tag says (rules.md, "Raccoons")."""
        count = self.count
        chosen = self.loot_choice if self.tag_of[TAG_LOOT] >= 0 else {}
        for side in range(self.sides):
            letter = chosen.get(side + 1)
            if letter is None:
                if count.undecided(side):
                    self._note_tag(MISSING_LOOT, self.tag_of[TAG_LOOT], side)
                    self.scored = False
                continue
            faction = LETTERS.index(letter)
            if not count.fewest[side]:
                self._note_tag(NO_LOOT_DUE, self.tag_of[TAG_LOOT], side)
            elif not count.fewest[side] >> faction & 1:
                self._note_tag(ILLEGAL_LOOT, self.tag_of[TAG_LOOT], side * 32 + faction)
                self.scored = self.scored and not count.undecided(side)
            elif count.undecided(side):
                count.choose(side, faction)

    def _votes_as_counted(self) -> bool:
        """Whether the Votes tag has the counted votes, character for character."""
        text = self.sheet.text
        k = self.tag_of[TAG_VOTES] * TAG_FIELDS
        start = self.sheet.tag_at[k + 4]
        if not self.scored or self.sheet.tag_at[k + 5] - start != 2 * self.sides - 1:
            return False
        for side in range(self.sides):
            if text[start + 2 * side] != 48 + self.count.votes[side]:
                return False
            if side and text[start + 2 * side - 1] != 45:
                return False
        return True

    def _check_votes(self) -> None:
        """Check votes that could not be compared or differ from the count."""
        findings = len(self.findings)
        self._check_value(TAG_VOTES, self.tag_of[TAG_VOTES])
        if len(self.findings) == findings and self._value(TAG_VOTES).count(b"-") != self.sides - 1:
            self._note_tag(BAD_TAG, self.tag_of[TAG_VOTES], 1)
        if self.scored and self.normal and len(self.findings) == findings:
            self._note_tag(VOTES_WRONG, self.tag_of[TAG_VOTES], 0)


def card_like(word: bytes) -> bool:
    """Whether `word` is written like a card, even if there is no such card."""
    digits = word[1:]
    return (
        word[:1].isalpha()
        and digits.isdigit()
        and len(digits) <= 2
        and (digits == b"0" or digits[:1] != b"0")
    )


def read_card(word: bytes) -> int:
    """The card that `word` names, or `NO_CARD`."""
    if not card_like(word):
        return NO_CARD
    faction = LETTERS.find(word[:1].decode().upper())
    value = int(word[1:])
    if faction < 0 or value >= VALUE_ROOM:
        return NO_CARD
    card = CARD_AT[faction * VALUE_ROOM + value]
    return card if card < NO_CARD else NO_CARD
