"""Change something in a game and judge it again.

A `Trial` has the tokens of a game, grouped into tricks as written, and says whether the game is
legal with other tokens or with another text in one place.  Every attempt costs effort, which is
limited (docs/notation.md, "Slips").
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from claimlog.cards import (
    CARDS,
    FACTION_OF,
    NAMES,
)
from claimlog.notation import problems as p
from claimlog.notation.sheet import Sheet
from claimlog.notation.tags import TAG_FIELDS
from claimlog.notation.tokens import (
    DISCARD,
    DRAW,
    FIRST,
    JUNK,
    NO_CARD,
    NUMBER,
    PICK,
    PLAY,
    RESULT,
    SEER,
    UPCARD,
)
from claimlog.replay.explain import only_warnings
from claimlog.replay.judge import Judge
from claimlog.results import UNFINISHED
from claimlog.rules.setup import upcards_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from claimlog.language import Words

__all__ = ["WITH_CARDS", "Group", "SpentError", "Tokens", "Trial", "Way"]

EFFORT: Final = 40_000
"""The effort to spend before a game is left unexplained; see `Trial.spend`."""
USUAL: Final = 8_000
"""Bytes: in a longer record, with many comments or tags, the excess costs effort."""
TAGS_A_TRY: Final = 100
TEXT_A_TRY: Final = 500
"""Bytes of tags judged, or of text read, for one unit of effort."""

WITH_CARDS: Final = frozenset({UPCARD, PLAY, DISCARD, PICK, SEER, DRAW})
"""Kinds of tokens that name a card."""

Tokens = list[tuple[int, int, int, int]]
"""Tokens of a movetext: kind, card, flags, and index of the token in the text (-1: none)."""


class SpentError(Exception):
    """All effort is spent."""


@dataclass(slots=True)
class Way:
    """One way to undo a slip: its kind and place, and the replacement for `start` to `end`.

    `key` is the same for all ways to undo the same slip; `values` fill in its message.
    """

    kind: str
    key: object
    trick: int
    start: int
    end: int
    text: str | None
    values: dict[str, object]
    core: int = 0
    kept: int = 0


@dataclass(slots=True)
class Group:
    """One trick as written: the indices of its tokens in the list of tokens."""

    first: int
    stop: int
    number: int | None
    ups: list[int]
    plays: list[int]
    draws: list[int]
    early: bool


class Trial:
    """A game, and whether it is legal after a change."""

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
        # The tags are judged again in every attempt.
        tags = sheet.tag_at[TAG_FIELDS * sheet.tags - 1] if sheet.tags else 0
        self.heavy_tags = max(0, tags - USUAL) // TAGS_A_TRY
        self.numbers = sum(kind == NUMBER for kind, *_ in self.tokens)
        self.numbered = self.numbers > self.tricks // 2
        self.groups = self._group(self.tokens)
        self._count()

    def _group(self, tokens: Tokens) -> list[Group]:
        """Group the tokens into tricks, as written."""
        groups: list[Group] = []
        group: Group | None = None
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
                number = card | flags << 8 if kind == NUMBER else None
                group = Group(i, len(tokens), number, [], [], [], True)
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
        # Cards that are not in the deck: only another card, or another deck, helps.
        self.strange = {
            i
            for i, (kind, card, *_) in enumerate(self.tokens)
            if kind in WITH_CARDS and card < NO_CARD and not self.deck >> FACTION_OF[card] & 1
        }

    # Judging --------------------------------------------------------------------------------

    def spend(self, effort: int) -> None:
        """Spend some of `EFFORT`, one unit being about a microsecond of compiled judging.

        The attempts, and thus the answer, depend only on the text, not on a clock.  Raises
        SpentError when all is spent.
        """
        self.spent += effort
        if self.spent > EFFORT:
            raise SpentError

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
        """Put these tokens into the sheet."""
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

    # The text ---------------------------------------------------------------------------------

    def _span(self, tokens: Iterable[int]) -> tuple[int, int]:
        """Start and end of the text of tokens, including what belongs to the first and last."""
        places = [i for i in tokens if i >= 0]
        return min(self._start(i) for i in places), max(self._end(i) for i in places)

    def _start(self, i: int) -> int:
        """The start of a token's text, including the slash of a draw."""
        start = self.starts[i]
        first = self.tokens[i][0] == DRAW and self.tokens[i][2] & FIRST
        return start - 1 if first and self.text[start - 1 : start] == b"/" else start

    def _end(self, i: int) -> int:
        """The end of a token's text, including the colon of an upcard."""
        end = self.ends[i]
        return end + (self.tokens[i][0] == UPCARD and self.text[end : end + 1] == b":")

    def _written(self, i: int) -> str:
        return self.text[self.starts[i] : self.ends[i]].decode(errors="replace")

    def _renamed(self, i: int, card: int) -> str:
        """The text of a token with its card replaced."""
        written = self._written(i)
        if self.tokens[i][0] == JUNK:
            return NAMES[card]
        head = written[0] if written[0] in "-=~" else ""
        tail = written.lstrip("-=~").lstrip(_LETTERS_DIGITS)
        return head + NAMES[card] + tail

    def _trick(self, group: Group) -> int:
        return self.groups.index(group) + 1


_LETTERS_DIGITS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_"
