r"""One slip, one message: the smallest single slip that explains all errors of a game.

Who types from a paper sheet transposes two plays, forgets a colon, skips a trick; the judge
then finds errors tricks later.  `find_slip` undoes one slip after another (docs/notation.md,
"Slips") and judges the game again: a slip is named if undoing it leaves no error, and no other
slip of the same size does.  What to write instead is offered only if exactly one text makes
the game legal.

>>> found = find_slip(b'[Deck "GKUWX"]\n1. U7: G5 G8+ /W2 2. X3 K4+ U1 /G0 *')
>>> found.slip.kind, found.slip.trick, found.slip.mended
('missing-colon', 2, 'X3:')
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import combinations, pairwise, product
from typing import TYPE_CHECKING, Any, Final

from claimlog.cards import (
    CARDS,
    COPIES,
    FACTION_OF,
    LETTERS,
    NAMES,
    DeckError,
    deck_letters,
    deck_of,
    deck_problem,
)
from claimlog.language import words
from claimlog.notation import problems as p
from claimlog.notation.sheet import Sheet
from claimlog.notation.tags import OTHER_TAG, TAG_FIELDS, TAGS
from claimlog.notation.tokens import (
    DISCARD,
    DRAW,
    FACE_DOWN,
    FIRST,
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
from claimlog.replay.explain import only_warnings
from claimlog.replay.judge import Judge
from claimlog.replay.spoken import spoken_card
from claimlog.results import UNFINISHED
from claimlog.rules.setup import upcards_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from claimlog.language import Words

__all__ = ["KINDS", "Explanation", "Slip", "explain", "find_slip"]

KINDS: Final = (
    "replaced-card",
    "transposed-plays",
    "swapped-tricks",
    "swapped-draws",
    "missing-play",
    "missing-colon",
    "missing-draw",
    "missing-trick",
    "written-twice",
    "wrong-leader",
    "wrong-deck",
    "swapped-names",
    "missing-comma",
    "wrong-colon",
    "wrong-numbers",
    "exchanged-plays",
)
"""Every kind of slip."""

LONGEST: Final = 300
"""Tokens: a legal game has fewer, and so no single slip explains a longer one."""
EFFORT: Final = 40_000
"""How much is tried before a game is left unexplained; see `_Search.spend`."""
USUAL: Final = 8_000
"""Bytes: a record that is longer, by comments or tags, costs effort for what is beyond."""
TAGS_A_TRY: Final = 100
TEXT_A_TRY: Final = 500
"""How many bytes of tags are judged, or of text read, for the effort of 1."""
PLACES: Final = 6
"""How many places are named where several slips explain a game."""

_HOPELESS: Final = frozenset(
    {"encoding", "version", "bad-tag", "duplicate-tag", "bad-seats", "bad-ruling"}
)
"""Errors that no slip in the list explains."""
_OF_THE_END: Final = frozenset({"result", "votes"})
_CARDS: Final = frozenset({UPCARD, PLAY, DISCARD, PICK, SEER, DRAW})

Tokens = list[tuple[int, int, int, int]]
"""Tokens of a movetext: kind, card, flags, and which token of the text it is (-1: none)."""


@dataclass(frozen=True, slots=True)
class Slip:
    """One slip that explains every error of a game.

    `line`, `column` and `end_column` are as in a `claimlog.game.Problem`, and `mended` is what
    put there makes the game legal, None where nothing or more than one thing would.  `start`
    and `end` are the same place as offsets in the game's text.  Where later numbers are mended
    too, the slip itself ends at `core` (0: at `end`), and `kept` characters of the text stand
    for it.
    """

    kind: str
    trick: int | None
    line: int
    column: int
    end_column: int
    message: str
    mended: str | None
    start: int = 0
    end: int = 0
    core: int = 0
    kept: int = 0

    def report(self) -> dict[str, Any]:
        """The object that ``claimlog validate --format json`` prints."""
        return {
            "kind": self.kind,
            "trick": self.trick,
            "line": self.line,
            "column": self.column,
            "end_column": self.end_column,
            "message": self.message,
            "mended": self.mended,
        }


@dataclass(frozen=True, slots=True)
class Explanation:
    """What explains a game's errors: one slip, or the places where one of several may be.

    `failure` is what went wrong if the search itself did, "" otherwise.
    """

    slip: Slip | None = None
    places: list[str] = field(default_factory=list)
    failure: str = ""

    def told(self, say: Words | None = None) -> str:
        """The places in words, "" if there are none."""
        if not self.places:
            return ""
        say = say or words()
        return say("slip.places", places=say.either(self.places))


_NOTHING: Final = Explanation()


class _SpentError(Exception):
    """All effort is spent."""


@dataclass(slots=True)
class _Found:
    """One way to undo a slip: its kind and place, and the text to write from `start` to `end`.

    `key` is the same for all ways to undo the same slip; `told` fills in its message.
    """

    kind: str
    key: object
    trick: int
    start: int
    end: int
    text: str | None
    told: dict[str, object]
    core: int = 0
    kept: int = 0


def _one_mending(ways: list[_Found]) -> bool:
    """Whether a slip is mended in exactly one way, as names in the wrong seats are, too."""
    return len({way.text for way in ways}) == 1 and (
        ways[0].text is not None or ways[0].kind == "swapped-names"
    )


@dataclass(slots=True)
class _Group:
    """One trick as written: the places of its tokens in the list of tokens."""

    first: int
    stop: int
    number: int
    ups: list[int]
    plays: list[int]
    draws: list[int]
    early: bool


def explain(text: bytes, line: int = 1, say: Words | None = None) -> Explanation:
    """As `find_slip`; but where the search fails, that is told in place of a slip.

    A report goes on without it: the judge has found the errors, and other games follow.
    """
    try:
        return find_slip(text, line, say)
    except Exception as error:  # whatever it is: it is shown to the user, with the game's errors
        return Explanation(failure=f"{type(error).__name__}: {error}".strip(": "))


def find_slip(text: bytes, line: int = 1, say: Words | None = None) -> Explanation:
    """Find the slip that explains all errors of the one game in `text`.

    `line` is the number of the line on which the text begins, `say` are the words of the
    message, English unless given.
    """
    sheet, judge = Sheet(), Judge()
    sheet.read(text, 0, True)
    if sheet.size > LONGEST:
        return _NOTHING
    judge.judge(sheet)
    if only_warnings(judge):
        return _NOTHING
    return _Search(sheet, judge, say or words()).explanation(line)


class _Search:
    """Undoes slips in one game and judges what becomes of it."""

    def __init__(self, sheet: Sheet, judge: Judge, say: Words) -> None:
        self.sheet = sheet
        self.judge = judge
        self.say = say
        self.text = sheet.text
        self.seats = judge.seats
        self.tricks = judge.tricks
        self.wanted_ups = upcards_of(self.seats)
        self.deck = judge.deck if judge.deck_known else 0
        self.codes = {p.CODE_OF[finding[0]] for finding in judge.findings} - p.WARNINGS
        self.findings = list(judge.findings)
        self.faults = list(sheet.faults)
        self.result = judge.result
        self.played = judge.played_result() if judge.scored else None
        self.votes = [judge.count.votes[side] for side in range(judge.sides)]
        self.sides = judge.sides
        self.leader = judge.leader
        self.tag_of = list(judge.tag_of)
        n = sheet.size
        self.starts = list(sheet.start[:n])
        self.ends = list(sheet.end[:n])
        self.tokens: Tokens = [(sheet.kind[i], sheet.card[i], sheet.flags[i], i) for i in range(n)]
        self.base = tuple(bytes([token[k] for token in self.tokens]) for k in range(3))
        self.loaded = False
        self.spent = 0
        # The tags are judged with everything that is tried.
        tags = sheet.tag_at[TAG_FIELDS * sheet.tags - 1] if sheet.tags else 0
        self.heavy_tags = max(0, tags - USUAL) // TAGS_A_TRY
        self.numbers = sum(kind == NUMBER for kind, *_ in self.tokens)
        self.numbered = self.numbers > self.tricks // 2
        self.groups = self._group(self.tokens)
        self._count()

    def _group(self, tokens: Tokens) -> list[_Group]:
        """The tricks, as they are written."""
        groups: list[_Group] = []
        group: _Group | None = None
        for i, (kind, card, flags, _) in enumerate(tokens):
            if kind == RESULT:
                break
            late = len(groups) >= self.tricks
            fresh = (
                group is None
                or kind == NUMBER
                or (
                    kind == UPCARD
                    and flags & FIRST
                    and bool(group.ups or group.plays or group.draws)
                )
                or (
                    kind in (PLAY, DISCARD)
                    and len(group.plays) == self.seats
                    and late
                    and not self.numbered
                )
            )
            if fresh:
                if group is not None:
                    group.stop = i
                group = _Group(i, len(tokens), card if kind == NUMBER else 0, [], [], [], True)
                groups.append(group)
                group.early = len(groups) <= self.tricks
            assert group is not None
            if kind == UPCARD:
                group.ups.append(i)
            elif kind in (PLAY, DISCARD, JUNK):
                group.plays.append(i)
            elif kind in (DRAW, SEER):
                group.draws.append(i)
        if group is not None:
            group.stop = len(tokens) - (tokens[-1][0] == RESULT)
        return groups

    def _count(self) -> None:
        """Count the cards played in Phase 1, taken, and played in Phase 2."""
        self.hands: Counter[int] = Counter()
        self.taken: Counter[int] = Counter()
        self.late: Counter[int] = Counter()
        for group in self.groups:
            for i in group.plays:
                (self.hands if group.early else self.late)[self.tokens[i][1]] += 1
            for i in (*group.ups, *group.draws):
                if group.early:
                    self.taken[self.tokens[i][1]] += 1
        self.full = len(self.groups) >= 2 * self.tricks - 1 and self.result != UNFINISHED
        self.cards = [card for card in range(CARDS) if self.deck >> FACTION_OF[card] & 1]
        # Cards that are not in the deck: only another card, or another deck, helps there.
        self.strange = {
            i
            for i, (kind, card, *_) in enumerate(self.tokens)
            if kind in _CARDS and card < NO_CARD and not self.deck >> FACTION_OF[card] & 1
        }

    # Judging --------------------------------------------------------------------------------

    def spend(self, effort: int) -> None:
        """Spend some of `EFFORT`, about a microsecond of compiled judging each.

        What is tried, and so what is told, depends on the text alone and on no clock.  Raises
        _SpentError when all is spent.
        """
        self.spent += effort
        if self.spent > EFFORT:
            raise _SpentError

    def legal(self, tokens: Tokens) -> bool:
        """Whether the game has no errors with these tokens."""
        if len(tokens) > self.sheet.room:
            return False
        self.spend(8 + len(tokens) // 8 + self.heavy_tags)
        self.loaded = False
        self._load(*(bytes([token[k] for token in tokens]) for k in range(3)))
        return self._judge()

    def legal_with(self, *changes: tuple[int, int, int, int]) -> bool:
        """Whether the game has no errors with some tokens changed."""
        self.spend(9 + self.heavy_tags)
        if not self.loaded:
            self._load(*self.base)
            self.loaded = True
        sheet = self.sheet
        kinds, cards, flags = sheet.kind, sheet.card, sheet.flags
        for kind, card, flag, i in changes:
            kinds[i], cards[i], flags[i] = kind, card, flag
        legal = self._judge()
        for *_, i in changes:
            kinds[i], cards[i], flags[i], _ = self.tokens[i]
        return legal

    def _load(self, kinds: bytes, cards: bytes, flags: bytes) -> None:
        """Let the sheet have these tokens."""
        sheet = self.sheet
        n = len(kinds)
        sheet.kind[:n] = kinds
        sheet.card[:n] = cards
        sheet.flags[:n] = flags
        sheet.kind[n] = sheet.kind[n + 1] = 0
        sheet.size = n
        sheet.faults = []
        if n and kinds[n - 1] == RESULT:
            sheet.start[n - 1], sheet.end[n - 1] = self.starts[-1], self.ends[-1]

    def _judge(self) -> bool:
        judge = self.judge
        if judge.judge(self.sheet):
            return True
        return len(judge.findings) < 9 and only_warnings(judge)

    def legal_text(self, start: int, end: int, new: bytes) -> bool:
        """Whether the game has no errors with another text in one place."""
        self.spend(100 + self.heavy_tags + max(0, len(self.text) - USUAL) // TEXT_A_TRY)
        sheet = Sheet()
        sheet.read(self.text[:start] + new + self.text[end:], 0, True)
        return bool(self.judge.judge(sheet)) or only_warnings(self.judge)

    # The search ------------------------------------------------------------------------------

    def explanation(self, line: int) -> Explanation:
        """The slip, or the places of several."""
        if self.codes & _HOPELESS or not self.tokens:
            return _NOTHING
        if self.faults:
            steps: list[list[Callable[[], Iterator[_Found]]]] = [
                [self._faulty, self._wrong_colon, self._list_fault]
            ]
        elif "bad-deck" in self.codes or not self.deck or len(self.strange) > 1:
            steps = [[self._wrong_deck]]
        elif self.strange:
            steps = [[self._replaced, self._wrong_deck]]
        elif self.codes <= _OF_THE_END:
            # Who sits and leads elsewhere has played the same game; nothing else is as near.
            steps = [
                [self._wrong_leader, self._swapped_names],
                [self._transposed, self._swapped_draws, self._swapped_tricks],
            ]
        else:
            steps = [
                [
                    self._missing_colon,
                    self._missing_comma,
                    self._wrong_colon,
                    self._wrong_numbers,
                    self._token_twice,
                    self._wrong_deck,
                    self._wrong_leader,
                    self._missing_draw,
                    self._missing_play,
                    self._replaced,
                ],
                [self._transposed, self._swapped_draws, self._swapped_tricks],
                [self._exchanged_near],
                [self._trick_twice, self._missing_trick],
                [self._exchanged_far],
            ]
        return self._smallest(steps, line)

    def _smallest(
        self, steps: list[list[Callable[[], Iterator[_Found]]]], line: int
    ) -> Explanation:
        """The smallest slip, one with one mending before those that several would do for.

        Each step has slips of one size, the first the smallest.
        """
        open_ones: list[list[_Found]] = []
        whole = True
        for step in steps:
            alternatives, whole = self._found_by(step)
            sure = [ways for ways in alternatives if _one_mending(ways)]
            if sure:
                # If not all could be tried, there may be more: nothing is the only one.
                if whole and len(sure) == 1:
                    return Explanation(self._slip(sure[0], line))
                return Explanation(None, self._places(sure))
            open_ones = open_ones or alternatives
            if not whole:
                break
        if whole and len(open_ones) == 1:
            return Explanation(self._slip(open_ones[0], line))
        return Explanation(None, self._places(open_ones)) if open_ones else _NOTHING

    def _found_by(
        self, step: list[Callable[[], Iterator[_Found]]]
    ) -> tuple[list[list[_Found]], bool]:
        """The slips of one size that explain the game, and whether all could be tried."""
        by_key: dict[object, list[_Found]] = {}
        try:
            for kind in step:
                for way in kind():
                    by_key.setdefault(way.key, []).append(way)
                    if sum(map(_one_mending, by_key.values())) > PLACES + 1:
                        return list(by_key.values()), True
        except _SpentError:
            return list(by_key.values()), False
        return list(by_key.values()), True

    def _slip(self, ways: list[_Found], line: int) -> Slip:
        way = ways[0]
        texts = {other.text for other in ways}
        mended = way.text if len(texts) == 1 else None
        told = dict(way.told)
        key = f"slip.{told.pop('key', way.kind)}"
        if mended is not None:
            told["mended"] = mended
        elif f"{key}.open" in self.say.texts:
            key += ".open"
        text = self.text
        before = text.rfind(b"\n", 0, way.start) + 1
        lead = text[before : way.start].decode(errors="replace").removeprefix("\ufeff")
        message = self.say(key, **told)
        if way.trick and key.removesuffix(".open") not in _OWN_PLACE:
            message = self.say("problem.in-trick", number=way.trick, text=message)
        column = len(lead) + 1
        width = len(text[way.start : way.end].decode(errors="replace"))
        return Slip(
            kind=way.kind,
            trick=way.trick or None,
            line=line + text.count(b"\n", 0, way.start),
            column=column,
            end_column=column + max(width, 1),
            message=message,
            mended=mended,
            start=way.start,
            end=way.end,
            core=way.core,
            kept=way.kept,
        )

    def _places(self, alternatives: list[list[_Found]]) -> list[str]:
        """Where one of several slips may be, in the order of the text."""
        ways = sorted((ways[0] for ways in alternatives), key=lambda way: way.start)
        say = self.say
        kinds: dict[str, dict[int, list[str]]] = {}
        for way in ways[:PLACES]:
            written = self.text[way.start : way.core or way.end].decode(errors="replace")
            written = " ".join(written.split())
            if way.kind == "exchanged-plays":
                written = say.join([str(way.told["one"]), str(way.told["two"])])
            if way.kind in _OF_TAGS:
                written = _OF_TAGS[way.kind].format(**way.told)
            shown = kinds.setdefault(way.kind, {}).setdefault(way.trick, [])
            shown.append(written if len(written) <= 24 else written[:21] + "...")
        places = []
        for kind, tricks in kinds.items():
            name = say(f"slip.name.{kind}")
            where = [
                f"{say('problem.trick', number=trick)} ({', '.join(shown)})"
                for trick, shown in tricks.items()
                if trick
            ]
            if 0 in tricks:
                name = f"{name} ({', '.join(tricks[0])})"
            if len(ways) > PLACES and kind == list(kinds)[-1]:
                where.append("...")
            places.append(say("slip.in", name=name, where=say.either(where)) if where else name)
        return places

    def _span(self, tokens: Iterable[int]) -> tuple[int, int]:
        """Start and end of the text of tokens, with what belongs to the first and last."""
        places = [i for i in tokens if i >= 0]
        return min(self._start(i) for i in places), max(self._end(i) for i in places)

    def _start(self, i: int) -> int:
        """Where the text of a token begins: a draw with its slash."""
        start = self.starts[i]
        first = self.tokens[i][0] == DRAW and self.tokens[i][2] & FIRST
        return start - 1 if first and self.text[start - 1 : start] == b"/" else start

    def _end(self, i: int) -> int:
        """Where the text of a token ends: an upcard with its colon."""
        end = self.ends[i]
        return end + (self.tokens[i][0] == UPCARD and self.text[end : end + 1] == b":")

    def _written(self, i: int) -> str:
        return self.text[self.starts[i] : self.ends[i]].decode(errors="replace")

    def _renamed(self, i: int, card: int) -> str:
        """The text of a token with another card in it."""
        written = self._written(i)
        if self.tokens[i][0] == JUNK:
            return NAMES[card]
        head = written[0] if written[0] in "-=~" else ""
        tail = written.lstrip("-=~").lstrip(_LETTERS_DIGITS)
        return head + NAMES[card] + tail

    def _trick(self, group: _Group) -> int:
        return self.groups.index(group) + 1

    # One card --------------------------------------------------------------------------------

    def _replaced(self) -> Iterator[_Found]:
        """A card that stands for another one."""
        if not self.deck:
            return
        for trick, group in enumerate(self.groups, 1):
            for i in range(group.first, group.stop):
                kind, card, flags, _ = self.tokens[i]
                if kind not in _CARDS or card == FACE_DOWN:
                    continue
                if self.strange and i not in self.strange:
                    continue
                ways = 0
                for other in self._fitting(group, i):
                    if other == card:
                        continue
                    if self.legal_with((kind, other, flags, i)):
                        ways += 1
                        yield _Found(
                            "replaced-card", ("card", i), trick, self.starts[i], self.ends[i],
                            self._renamed(i, other), {"written": self._written(i)},
                        )  # fmt: skip
                        if ways > 1:
                            break

    def _fitting(self, group: _Group, i: int | None, kind: int = PLAY) -> list[int]:
        """The cards of which one could stand at a token, or (None) could be put in a trick."""
        card = NO_CARD
        if i is not None:
            kind, card = self.tokens[i][:2]
        if kind == PICK:
            return [self.tokens[j][1] for j in group.ups if self.tokens[j][1] < NO_CARD]
        hands, taken, late, copies = self.hands, self.taken, self.late, COPIES
        fitting = []
        for other in self.cards:
            mine = 1 if other == card else 0
            if not group.early:
                fits = hands[other] + late[other] - mine < copies[other]
            elif kind in (PLAY, DISCARD):
                fits = hands[other] - mine + max(taken[other], late[other]) < copies[other]
            else:
                fits = hands[other] + max(taken[other] - mine + 1, late[other]) <= copies[other]
                fits = fits and (not self.full or late[other] > taken[other] - mine)
            if fits:
                fitting.append(other)
        return fitting

    def _faulty(self) -> Iterator[_Found]:
        """One text that cannot be read and nothing else: a card, or upcards without a colon."""
        if len(self.faults) != 1:
            return
        fault, start, end = self.faults[0]
        if fault == p.SYNTAX_COLON and not self.codes:
            ups = [i for i in range(len(self.tokens)) if start <= self.starts[i] < end]
            group = next(g for g in self.groups if ups[0] in g.ups)
            text = self.text[start:end].decode(errors="replace") + ":"
            trick = self._trick(group)
            yield _Found("missing-colon", ("colon", start), trick, start, end, text, {})
        if fault != p.SYNTAX_TOKEN or not self.deck:
            return
        for group in self.groups:
            for i in group.plays:
                if self.tokens[i][0] != JUNK:
                    continue
                ways = 0
                written = self._written(i)
                spoken = spoken_card(written)
                tail = written[len(written.rstrip("+^!?")) :] if spoken < NO_CARD else ""
                flags = WON if "+" in tail else 0
                for card in [spoken] if spoken < NO_CARD else self._fitting(group, None):
                    if self.legal_with((PLAY, card, flags, i)):
                        ways += 1
                        yield _Found(
                            "replaced-card", ("card", i), self._trick(group), start, end,
                            NAMES[card] + tail, {"written": written},
                        )  # fmt: skip
                        if ways > 1:
                            return

    # Something left out ------------------------------------------------------------------------

    def _missing_colon(self) -> Iterator[_Found]:
        """An upcard that is read as a play."""
        if not self.codes & {"play-count", "syntax"}:
            return
        for group in self.groups:
            if not group.early:
                break
            plays = [i for i in range(group.first, group.stop) if self.tokens[i][0] == PLAY]
            if len(plays) <= self.seats:
                continue
            for k, i in enumerate(plays):
                # The first of the trick, or the first after its draws.
                if k and self.tokens[i - 1][0] == PLAY and len(plays) != 2 * self.seats + 1:
                    continue
                tokens = list(self.tokens)
                tokens[i] = (UPCARD, tokens[i][1], FIRST, i)
                if self.legal(tokens):
                    trick = next(n for n, g in enumerate(self._group(tokens), 1) if i in g.ups)
                    yield _Found(
                        "missing-colon", ("colon", i), trick, self.starts[i], self.ends[i],
                        self._written(i) + ":", {"written": self._written(i)},
                    )  # fmt: skip

    def _missing_comma(self) -> Iterator[_Found]:
        """3 or 4 players: the first upcard is read as a play, as in ``U7 W3:``."""
        if self.wanted_ups != 2:
            return
        for i in range(1, len(self.tokens)):
            (kind, card, _, _), (after, other, flags, _) = self.tokens[i - 1 : i + 1]
            if kind != PLAY or after != UPCARD or not flags & FIRST:
                continue
            tokens = list(self.tokens)
            tokens[i - 1 : i + 1] = [(UPCARD, card, FIRST, i - 1), (UPCARD, other, 0, i)]
            if self.legal(tokens):
                yield self._comma(i - 1, i, tokens)

    def _list_fault(self) -> Iterator[_Found]:
        """3 or 4 players: something else than one comma between the upcards."""
        if len(self.faults) != 1 or self.wanted_ups != 2:
            return
        start = self.faults[0][1]
        cards = [i for i, token in enumerate(self.tokens) if token[0] != JUNK]
        for i, j in pairwise(cards):
            (kind, card, _, _), (after, other, _, _) = self.tokens[i], self.tokens[j]
            between = self.text[self.ends[i] : self.starts[j]]
            if (
                kind not in (PLAY, UPCARD)
                or after != UPCARD
                or not self.ends[i] <= start < self.starts[j]
                or between.strip(b" \t,.")
            ):
                continue
            tokens = [token for token in self.tokens if token[0] != JUNK]
            place = tokens.index(self.tokens[i])
            tokens[place : place + 2] = [(UPCARD, card, FIRST, i), (UPCARD, other, 0, j)]
            way = self._comma(i, j, tokens)
            if way.text and self.legal_text(way.start, way.end, way.text.encode()):
                yield way

    def _comma(self, i: int, j: int, tokens: Tokens) -> _Found:
        """What joins two upcards by a comma."""
        groups = enumerate(self._group(tokens), 1)
        trick = next(n for n, g in groups if any(tokens[k][3] == j for k in g.ups))
        start, end = self.starts[i], self._end(j)
        text = f"{self._written(i)},{self._written(j)}:"
        written = self.text[start:end].decode(errors="replace")
        return _Found(
            "missing-comma", ("comma", j), trick, start, end, text, {"written": written}
        )  # fmt: skip

    def _wrong_colon(self) -> Iterator[_Found]:
        """A dot or a semicolon for the colon after the upcards."""
        for group in self.groups:
            if not group.early:
                break
            cards = [
                i for i in range(group.first, group.stop) if self.tokens[i][0] in (UPCARD, PLAY)
            ]
            for i in cards[: self.wanted_ups]:
                at = self.ends[i]
                if self.text[at : at + 1] not in (b".", b";"):
                    continue
                if self.legal_text(at, at + 1, b":"):
                    start = self.starts[cards[0]]
                    written = self.text[start : at + 1].decode(errors="replace")
                    yield _Found(
                        "wrong-colon", ("colon", i), self._trick(group), start, at + 1,
                        written[:-1] + ":", {"written": written},
                    )  # fmt: skip

    def _wrong_numbers(self) -> Iterator[_Found]:
        """From one trick on all numbers are off by the same."""
        if "trick-number" not in self.codes:
            return
        numbered = [(k, group) for k, group in enumerate(self.groups, 1) if group.number]
        first = next((k for k, group in numbered if group.number != k), 0)
        shifts = {group.number - k for k, group in numbered if k >= first}
        if not first or len(shifts) != 1 or not self.legal(self._numbered(self.tokens)):
            return
        (shift,) = shifts
        token = self.groups[first - 1].first
        start, core = self.starts[token], self.ends[token]
        end, text = self._counted(first - 1, start, shift)
        key = "wrong-numbers" if shift > 0 else "wrong-numbers-low"
        yield _Found(
            "wrong-numbers", ("numbers",), first, start, end, text,
            {"key": key, "number": first, "by": abs(shift), "written": self._written(token)},
            core, len(f"{first}."),
        )  # fmt: skip

    def _missing_draw(self) -> Iterator[_Found]:
        """3 or 4 players: one of a trick's two drawn cards."""
        if self.seats == 2 or "play-count" not in self.codes:
            return
        for finding in self.findings:
            if finding[0] != p.DRAW_COUNT or finding[3] > len(self.groups):
                continue
            group = self.groups[finding[3] - 1]
            draws = [i for i in group.draws if self.tokens[i][0] == DRAW]
            if len(draws) != 1:
                continue
            (i,) = draws
            named = self._written(i)
            named_way = _Found(
                "missing-draw", ("draw", i), finding[3], self._start(i), self._end(i), None,
                {"written": named},
            )  # fmt: skip
            ways: list[_Found] = []
            for place in (0, 1):
                for card in [*self._fitting(group, None, DRAW), FACE_DOWN]:
                    tokens = list(self.tokens)
                    pair = [(DRAW, card, 0, -1), (DRAW, tokens[i][1], 0, i)]
                    pair = pair if place == 0 else pair[::-1]
                    pair[0] = (DRAW, pair[0][1], FIRST, pair[0][3])
                    tokens[i : i + 1] = pair
                    if self.legal(tokens):
                        if card == FACE_DOWN:
                            ways = ways or [named_way]
                        else:
                            both = [NAMES[card], named] if place == 0 else [named, NAMES[card]]
                            ways = [way for way in ways if way.text]
                            ways.append(
                                _Found(
                                    "missing-draw", ("draw", i), finding[3], self._start(i),
                                    self._end(i), "/" + ",".join(both), {"written": named},
                                )
                            )  # fmt: skip
                    if len(ways) > 1:
                        break
            yield from ways

    def _missing_play(self) -> Iterator[_Found]:
        """A play that was left out."""
        if not self.deck or not self.codes & {"play-count", "incomplete", "not-held"}:
            return
        short = [g for g in self.groups if len(g.plays) < self.seats]
        if self.numbered or any(g.early for g in short):
            candidates = [g for g in short if g is not self.groups[-1] or self.full]
            if len(candidates) > 1:
                return
        else:
            # Without numbers Phase 2 is one row of plays: it may be missing anywhere.
            candidates = [g for g in self.groups if not g.early] if len(short) == 1 else []
        for group in candidates:
            where = [*group.plays]
            if not where:
                continue
            if len(group.plays) < self.seats:
                where.append(where[-1] + 1)
            auto = self.tokens[group.plays[0]][0] == DISCARD
            kind = DISCARD if auto else PLAY
            for at in where:
                ways = 0
                for card in self._fitting(group, None, kind):
                    tokens = list(self.tokens)
                    tokens.insert(at, (kind, card, 0, -1))
                    if not self.legal(tokens):
                        continue
                    ways += 1
                    name = ("-" if auto else "") + NAMES[card]
                    near = group.plays[0] if at == group.plays[0] else at - 1
                    start, end = self._start(near), self._end(near)
                    written = self.text[start:end].decode(errors="replace")
                    both = f"{name} {written}" if near == at else f"{written} {name}"
                    yield _Found(
                        "missing-play", ("play", self._trick(group)), self._trick(group),
                        start, end, both, {"card": name},
                    )  # fmt: skip
                    if ways > 1:
                        break

    def _missing_trick(self) -> Iterator[_Found]:
        """A whole trick: any cards, whoever won it."""
        if not 0 < len(self.groups) < 2 * self.tricks:
            return
        gaps = [
            k
            for k, group in enumerate(self.groups)
            if group.number and group.number == (self.groups[k - 1].number if k else 0) + 2
        ]
        if self.numbered and len(gaps) != 1:
            return  # where the numbers go on without a gap, nobody left a trick out
        places = gaps if self.numbered else range(len(self.groups) + 1)
        for k in places:
            early = k < self.tricks
            at = self.groups[k].first if k < len(self.groups) else self.groups[-1].stop
            for winner in range(self.seats):
                blank: Tokens = [(NUMBER, k + 1, 0, -1)]
                picked: Tokens = []
                if early:
                    blank += [
                        (UPCARD, FACE_DOWN, 0 if j else FIRST, -1) for j in range(self.wanted_ups)
                    ]
                    if self.seats > 2:
                        picked.append((PICK, FACE_DOWN, 0, -1))
                blank += [
                    (PLAY, FACE_DOWN, WON if j == winner else 0, -1) for j in range(self.seats)
                ]
                tokens = [*self.tokens[:at], *blank, *picked, *self.tokens[at:]]
                if self.legal(self._numbered(tokens) if self.numbers else tokens):
                    near = min(k, len(self.groups) - 1)
                    group = self.groups[near]
                    start, end = self._span([group.first])
                    yield _Found(
                        "missing-trick", ("trick", k), k + 1, start, end, None, {"number": k + 1}
                    )
                    break

    def _numbered(self, tokens: Tokens) -> Tokens:
        """The tokens with every number in them right."""
        self.spend(len(tokens))
        renumbered = []
        for number, group in enumerate(self._group(tokens), 1):
            for i in range(group.first, group.stop):
                kind, card, flags, place = tokens[i]
                renumbered.append((kind, number if kind == NUMBER else card, flags, place))
        if tokens and tokens[-1][0] == RESULT:
            renumbered.append(tokens[-1])
        return renumbered

    # Something twice ---------------------------------------------------------------------------

    def _token_twice(self) -> Iterator[_Found]:
        """A card written twice."""
        for i in range(1, len(self.tokens)):
            kind, card, _, _ = self.tokens[i]
            if kind not in _CARDS or self.tokens[i - 1][:2] != (kind, card):
                continue
            for gone in (i, i - 1):  # one of them may bear the mark
                tokens = [token for token in self.tokens if token[3] != gone]
                if kind == DRAW:
                    first = i - 1 if gone == i else i
                    place = tokens.index(self.tokens[first])
                    tokens[place] = (DRAW, card, FIRST, first)
                if self.legal(tokens):
                    group = next(g for g in self.groups if g.first <= i - 1 < g.stop)
                    kept = i - 1 if gone == i else i
                    start, end = self._span([i - 1, i])
                    text = self.text[self._start(kept) : self._end(kept)].decode()
                    yield _Found(
                        "written-twice", ("twice", i), self._trick(group), start, end, text,
                        {"written": self._written(i)},
                    )  # fmt: skip
                    break

    def _trick_twice(self) -> Iterator[_Found]:
        """A trick written twice."""
        for k in range(1, len(self.groups)):
            one, two = self.groups[k - 1], self.groups[k]
            if self._content(one) != self._content(two):
                continue
            tokens = [*self.tokens[: two.first], *self.tokens[two.stop :]]
            plain = self.legal(tokens)
            if plain or self.legal(self._numbered(tokens)):
                start, end = self._span(range(one.first, two.stop))
                last = self._end(self.tokens[one.stop - 1][3])
                text = self.text[start:last].decode(errors="replace")
                told: dict[str, object] = {"key": "trick-twice", "number": one.number or k}
                way = _Found("written-twice", ("twice", two.first), k + 1, start, end, text, told)
                if not plain:
                    told["key"] = "trick-twice-numbered"
                    way.core, way.kept = end, len(text)
                    way.end, rest = self._counted(k + 1, end, 1)
                    way.text = text + rest
                yield way

    def _counted(self, k: int, start: int, shift: int) -> tuple[int, str]:
        """The text from `start`, where group `k` follows, all numbers from its on less `shift`.

        Returns where it ends, after the last number, and the text.
        """
        parts: list[bytes] = []
        at = start
        for group in self.groups[k:]:
            if group.number:
                place = self.tokens[group.first][3]
                first, last = self.starts[place], self.ends[place]
                parts += [self.text[at:first], b"%d" % (group.number - shift)]
                at = last
                while self.text[first : first + 1].isdigit():
                    first += 1
                parts.append(self.text[first:last])
        return at, b"".join(parts).decode(errors="replace")

    def _content(self, group: _Group) -> list[tuple[int, int]]:
        return [token[:2] for token in self.tokens[group.first : group.stop] if token[0] != NUMBER]

    # Two things swapped --------------------------------------------------------------------------

    def _legal_swapped(self, i: int, j: int) -> bool:
        """Whether the game has no errors with two cards swapped, marks with them."""
        kind, card, flags, _ = self.tokens[i]
        other_kind, other, other_flags, _ = self.tokens[j]
        if card == other:
            return False
        if kind == other_kind == PLAY:
            flags, other_flags = other_flags, flags
        return self.legal_with((kind, other, flags, i), (other_kind, card, other_flags, j))

    def _swapped(self, kind: str, trick: int, i: int, j: int) -> _Found:
        start, end = self.starts[i], self.ends[j]
        middle = self.text[self.ends[i] : self.starts[j]].decode(errors="replace")
        if self.tokens[i][0] == self.tokens[j][0]:
            text = self._written(j) + middle + self._written(i)
        else:
            text = self._renamed(i, self.tokens[j][1]) + middle
            text += self._renamed(j, self.tokens[i][1])
        told: dict[str, object] = {"one": self._written(i), "two": self._written(j)}
        other = self._trick(next(g for g in self.groups if g.first <= j < g.stop))
        if other != trick:
            told |= {"key": f"{kind}-far", "number": other}
        return _Found(kind, (kind, i, j), trick, start, end, text, told)

    def _transposed(self) -> Iterator[_Found]:
        """Two plays of a trick in the wrong order."""
        for group in self.groups:
            for i, j in combinations(group.plays, 2):
                if self._legal_swapped(i, j):
                    yield self._swapped("transposed-plays", self._trick(group), i, j)

    def _swapped_draws(self) -> Iterator[_Found]:
        """Two drawn cards swapped, or an upcard and another card of its trick."""
        draws = [i for group in self.groups if group.early for i in group.draws]
        pairs = [*combinations(draws, 2)]
        for group in self.groups:
            if group.early:
                pairs += [(i, j) for i in group.ups for j in (*group.plays, *group.draws) if i < j]
        for i, j in pairs:
            if FACE_DOWN in (self.tokens[i][1], self.tokens[j][1]):
                continue
            if self._legal_swapped(i, j):
                group = next(g for g in self.groups if g.first <= i < g.stop)
                yield self._swapped("swapped-draws", self._trick(group), i, j)

    def _exchanged_near(self) -> Iterator[_Found]:
        """Two plays of neighbouring tricks exchanged: of a seat, in Phase 2 also of a place."""
        for k in range(1, len(self.groups)):
            yield from self._exchanged_plays(k - 1, k)

    def _exchanged_far(self) -> Iterator[_Found]:
        """Two plays of a seat exchanged between tricks that are not neighbours."""
        for k, other in combinations(range(len(self.groups)), 2):
            if other > k + 1:
                yield from self._exchanged_plays(k, other)

    def _exchanged_plays(self, k: int, other: int) -> Iterator[_Found]:
        one, two = self.groups[k], self.groups[other]
        if one.early != two.early:
            return
        in_place = other == k + 1 and not one.early
        for (place, i), (its_place, j) in product(enumerate(one.plays), enumerate(two.plays)):
            if self._legal_swapped(i, j) and (
                (in_place and place == its_place) or self._seat_of(i, k) == self._seat_of(j, other)
            ):
                yield self._swapped("exchanged-plays", k + 1, i, j)

    def _seat_of(self, token: int, t: int) -> int:
        """Whose play a token of trick `t` (from 0) is in the game that was judged last."""
        return list(self.judge.play_token[t * 4 : t * 4 + self.seats]).index(token)

    def _swapped_tricks(self) -> Iterator[_Found]:
        """Two neighbouring tricks in the wrong order."""
        for k in range(1, len(self.groups)):
            one, two = self.groups[k - 1], self.groups[k]
            if one.early != two.early or not (one.plays and two.plays):
                continue
            a, b = self._body(one), self._body(two)
            heads = [self.tokens[g.first : g.first + 1] if g.number else [] for g in (one, two)]
            numbers = sorted(token[1] for head in heads for token in head)
            tokens = list(self.tokens[: one.first])
            for head, body in ((heads[0], b), (heads[1], a)):
                if head:
                    tokens.append((NUMBER, numbers.pop(0), 0, head[0][3]))
                tokens += self.tokens[body[0] : body[1]]
            tokens += self.tokens[two.stop :]
            if self.legal(tokens):
                start, end = self._span(range(one.first, two.stop))
                yield _Found(
                    "swapped-tricks", ("tricks", k), k, start, end, self._exchanged(one, two),
                    {"one": k, "two": k + 1},
                )  # fmt: skip

    def _body(self, group: _Group) -> tuple[int, int]:
        return group.first + (group.number > 0), group.stop

    def _exchanged(self, one: _Group, two: _Group) -> str:
        """The text of two tricks, the second first, with the numbers in order."""
        (a, b), (c, d) = self._body(one), self._body(two)
        first = self.text[self._start(a) : self._end(b - 1)].decode(errors="replace")
        second = self.text[self._start(c) : self._end(d - 1)].decode(errors="replace")
        numbers = sorted(number for number in (one.number, two.number) if number)
        between = self.text[self._end(b - 1) : self._start(two.first)].decode(errors="replace")
        parts = []
        for group, body in ((one, second), (two, first)):
            parts.append(f"{numbers.pop(0)}. {body}" if group.number else body)
        return parts[0] + between + parts[1]

    # Tags ------------------------------------------------------------------------------------

    def _tag(self, name: str) -> tuple[int, int, int, int] | None:
        """Start and end of a tag, and of its value."""
        place = self.tag_of[TAGS.index(name)]
        if place == OTHER_TAG:
            return None
        at = self.sheet.tag_at[place * TAG_FIELDS : (place + 1) * TAG_FIELDS]
        return at[0], at[1], at[4], at[5]

    def _wrong_leader(self) -> Iterator[_Found]:
        """Another seat led trick 1."""
        tag = self._tag("Leader")
        deck = self._tag("Deck")
        for seat in range(self.seats):
            if seat == self.leader:
                continue
            new = f'[Leader "{seat + 1}"]'
            if tag is not None:
                start, end = tag[:2]
            elif deck is not None:
                start, end = deck[:2]
                new = f"{self.text[start:end].decode(errors='replace')}\n{new}"
            else:
                return
            if self.legal_text(start, end, new.encode()):
                told: dict[str, object] = {"seat": seat + 1, "leader": self.leader + 1}
                yield _Found("wrong-leader", ("leader",), 0, start, end, new, told)

    def _wrong_deck(self) -> Iterator[_Found]:
        """Another letter in the deck."""
        tag = self._tag("Deck")
        if tag is None:
            return
        start, end, first, last = tag
        letters = self.text[first:last].decode(errors="replace").upper()
        shown = {
            LETTERS[FACTION_OF[card]] for kind, card, *_ in self.tokens
            if kind in _CARDS and card < NO_CARD
        }  # fmt: skip
        strange = sorted(shown - set(letters))
        if len(strange) != 1:
            return
        (letter,) = strange
        for k in range(len(letters)):
            if letters[k] in shown:
                continue
            changed = letters[:k] + letter + letters[k + 1 :]
            try:
                deck = deck_of(changed)
            except DeckError:
                continue
            if deck_problem(deck, self.seats, classic=self.judge.classic):
                continue
            new = f'[Deck "{deck_letters(deck)}"]'
            if self.legal_text(start, end, new.encode()):
                told: dict[str, object] = {"deck": deck_letters(deck), "written": letters}
                yield _Found("wrong-deck", ("deck",), 0, start, end, new, told)

    def _swapped_names(self) -> Iterator[_Found]:
        """The result, and the votes, are those of the other seats."""
        tag = self._tag("Player1")
        if tag is None or self.played is None or self.result == UNFINISHED:
            return
        votes = self._tag("Votes")
        written = None
        if votes is not None:
            parts = self.text[votes[2] : votes[3]].split(b"-")
            written = [int(part) for part in parts]
        for one, two in combinations(range(self.sides), 2):
            winners = self.result & 7
            swapped = winners & ~(1 << one | 1 << two)
            swapped |= (winners >> one & 1) << two | (winners >> two & 1) << one
            if self.sides * 8 + swapped != self.played or swapped == winners:
                continue
            if written is not None:
                changed = list(written)
                changed[one], changed[two] = changed[two], changed[one]
                if changed != self.votes:
                    continue
            told: dict[str, object] = {"one": f"Player{one + 1}", "two": f"Player{two + 1}"}
            yield _Found("swapped-names", ("names", one, two), 0, tag[0], tag[1], None, told)


_LETTERS_DIGITS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_"
_OWN_PLACE: Final = frozenset(
    {
        *("slip.swapped-tricks", "slip.missing-trick"),
        *("slip.trick-twice", "slip.trick-twice-numbered"),
        *("slip.wrong-numbers", "slip.wrong-numbers-low"),
    }
)
"""Messages that name the trick themselves."""
_OF_TAGS: Final = {
    "wrong-leader": "Leader",
    "wrong-deck": "Deck",
    "swapped-names": "{one}, {two}",
}
"""Kinds of slips in tags: in which."""
