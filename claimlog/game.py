"""The model: one game as people and programs handle it, trick by trick.

Whatever reads, plays, shows, stores or writes a game does it with these classes.  Cards are
their names (``"G5"``), seats and sides count from 1, as in the notation and the reports
(docs/notation.md).  `Game`, `Trick`, `Play` and the score are plain and mutable: they hold what
a record says and what the rules made of it, and nobody judges it again when it is changed.
`Problem` is frozen.  All of them are dataclasses with slots that msgspec encodes and decodes as
they are; only the standard library is needed for them.

>>> play = Play(seat=2, card="G5", value=5, annotation="!")
>>> play
Play(seat=2, card='G5', value=5, annotation='!')
>>> play.report()
{'seat': 2, 'card': 'G5', 'value': 5}
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal

from claimlog import hooks
from claimlog.parts import IF_ANY, KEPT, Part, Problem, Seat, Side

if TYPE_CHECKING:
    from claimlog.evaluation import Analysis

__all__ = [
    "FactionScore",
    "Game",
    "Loot",
    "Play",
    "Problem",
    "Reason",
    "Score",
    "Seat",
    "SeatCard",
    "Side",
    "SideCard",
    "Trick",
]

_OF_THE_END: Final = frozenset({"Loot", "Votes", "Result"})
"""Tags that say nothing about the tricks."""
_LATE: Final = 1000
"""A number behind that of every trick, for problems of a whole game."""


@dataclass(slots=True, repr=False)
class Reason(Part):
    """Why something went as it did: a small code, and what it is about.

    `seat` is the seat (in a `Score` the side) that it happened to, `cards` the cards that
    brought it about (None: not known), `faction` a letter, `number` a trick or a value; which
    of them are there depends on the `code`.
    """

    code: str
    seat: int | None = None
    cards: tuple[str | None, ...] = ()
    faction: str = ""
    number: int = 0


@dataclass(slots=True, repr=False)
class Play(Part):
    """One play of a trick, or in an automatic trick one discard.

    `card` is its name, None if unknown; `value` the value that counted (None face down).
    `irregular`: a revoke that the director let stand.
    """

    seat: Seat
    card: str | None
    value: int | None = None
    annotation: str = field(default="", metadata=KEPT)
    irregular: bool = field(default=False, metadata=KEPT)
    comments: list[str] = field(default_factory=list, metadata=KEPT)


@dataclass(slots=True)
class SeatCard(Part):
    """A card and the seat that it belonged to."""

    seat: Seat
    card: str


@dataclass(slots=True)
class SideCard(Part):
    """A card and the side that it belonged to."""

    side: Side
    card: str


@dataclass(slots=True, kw_only=True, repr=False)
class Trick(Part):
    """One trick of a game; a card that is not known is None.

    `auto`: an Automaton won it beforehand, `plays` are the discards.  `looked`: the winner
    took the hidden card `hidden` with a Seer; `pick` is the upcard that the first picker
    took, `drawn` what is written of the cards drawn by the others (None: nothing is).
    `taken`, `scored`, `removed`, `waiting`, `ranking`, `winner` and `next_leader` are as in
    the reports (docs/notation.md, "Reports"); None where the trick was cut short.
    `reasons` say why it was won, what went where and who leads next.
    """

    number: int
    phase: Literal[1, 2] = 1
    auto: bool = False
    upcards: list[str] = field(default_factory=list)
    leader: Seat = 1
    plays: list[Play] = field(default_factory=list)
    winner: Seat | None = None
    ranking: list[Seat] | None = None
    taken: dict[Seat, str | None] | None = None
    scored: dict[Seat, list[str]] | None = None
    removed: list[SeatCard] | None = None
    waiting: list[str] | None = None
    next_leader: Seat | None = None
    looked: bool = field(default=False, metadata=KEPT)
    hidden: str | None = field(default=None, metadata=KEPT)
    pick: str | None = field(default=None, metadata=KEPT)
    drawn: list[str | None] | None = field(default=None, metadata=KEPT)
    comments: list[str] = field(default_factory=list, metadata=KEPT)
    reasons: list[Reason] = field(default_factory=list, metadata=KEPT)

    @property
    def winning(self) -> Play | None:
        """The play (or discard) of the winner, None if the trick was cut short."""
        return next((play for play in self.plays if play.seat == self.winner), None)

    @property
    def ends_with_play(self) -> bool:
        """Whether a play stands last in its record, so that a comment behind it is the play's."""
        return bool(self.plays) and not (self.looked or self.pick or self.drawn)

    def comments_at(self, played: int) -> list[str]:
        """The comments on a moment: of the last play, or of the trick before and after all."""
        if 0 < played < len(self.plays) or (played and self.ends_with_play):
            return self.plays[played - 1].comments
        return self.comments

    def __repr__(self) -> str:
        """The trick in a line, much as the notation writes it."""
        words = [f"{self.number}."]
        if self.upcards:
            words.append(f"{','.join(self.upcards)}:")
        for play in self.plays:
            mark = "+" if play.seat == self.winner and not self.auto else ""
            words.append(f"{play.seat}={'-' if self.auto else ''}{play.card or '_'}{mark}")
        return f"<Trick {' '.join(words)}>"


@dataclass(slots=True, repr=False)
class FactionScore(Part):
    """How one faction was won: `counts` (and for Bards `runs`) by side, the winning side.

    `reason` is the code of what decided it.
    """

    counts: dict[Side, int]
    runs: dict[Side, int] | None = field(default=None, metadata=IF_ANY)
    winner: Side | None = None
    reason: str = field(default="", metadata=KEPT)


@dataclass(slots=True)
class Loot(Part):
    """What a side's loot counted for: the faction's letter, and how many Raccoons showed loot."""

    faction: str
    number: int


@dataclass(slots=True, kw_only=True, repr=False)
class Score(Part):
    """The end of a complete game, by side.

    `piles` are the score piles after the Peasants have moved; `moved` those Peasants, with
    the side that they left; `loot` by side what its loot counted for.  `tiebreak` is the
    last comparison that told equal sides apart.
    """

    piles: dict[Side, list[str]]
    factions: dict[str, FactionScore]
    votes: dict[Side, int]
    tiebreak: Literal["cards", "value"] | None = None
    result: str
    moved: list[SideCard] = field(default_factory=list, metadata=KEPT)
    loot: dict[Side, Loot] = field(default_factory=dict, metadata=KEPT)
    reasons: list[Reason] = field(default_factory=list, metadata=KEPT)

    @property
    def winners(self) -> list[Side]:
        """The sides that won or share the win, as counted."""
        return _winners(self.result)


def _winners(result: str) -> list[Side]:
    """The sides that win or share the win by a result."""
    parts = enumerate(result.split("-"), 1)
    return [side for side, part in parts if part.startswith("1")]


@dataclass(slots=True, kw_only=True, repr=False)
class Game(Part):
    """One game: who played what, what the rules made of it, and what is wrong with its record.

    `tags` are the values by name, in the order of the text.  `seats` is the number of seats,
    `deck` the letters of its factions ("" where nobody can tell), `leader` the seat that leads
    trick 1; `rulings` are all four as in force.  `tricks` are those of which the leader is
    known; `score` is None unless the game is complete and could be counted.  `line` is the
    number of the line on which its record begins, `comments` are those before trick 1.

    Two games are equal if they are the same game: neither where their records stand in a
    text nor the problems of these count.
    """

    tags: dict[str, str] = field(default_factory=dict)
    seats: int = 2
    rules: str = "LE2023"
    rulings: dict[str, str] = field(default_factory=dict)
    complete: bool = False
    result: str = "*"
    tricks: list[Trick] = field(default_factory=list)
    score: Score | None = None
    deck: str = field(default="", metadata=KEPT)
    leader: Seat = field(default=1, metadata=KEPT)
    comments: list[str] = field(default_factory=list, metadata=KEPT)
    problems: list[Problem] = field(default_factory=list, compare=False, metadata=KEPT)
    line: int = field(default=1, compare=False, metadata=KEPT)

    @property
    def errors(self) -> list[Problem]:
        """The problems that make the game invalid."""
        return [problem for problem in self.problems if problem.severity == "error"]

    @property
    def warnings(self) -> list[Problem]:
        """The problems that do not."""
        return [problem for problem in self.problems if problem.severity == "warning"]

    @property
    def legal(self) -> bool:
        """Whether the game has no errors."""
        return not self.errors

    @property
    def winners(self) -> list[Side]:
        """The sides that won or share the win; none if the game is unfinished."""
        return _winners(self.result)

    def player(self, seat: Seat) -> str:
        """The name of a seat's player, "" if unknown."""
        name = self.tags.get(f"Player{seat}", "?").strip()
        return "" if name == "?" else name

    def comments_at(self, trick: int, played: int) -> list[str]:
        """The comments on a moment, for more to be added; trick 0 is the game as a whole.

        They are those of the last play there, of the trick where nothing of it is played, or all
        and its choices and drawn cards are written.
        """
        return self.tricks[trick - 1].comments_at(played) if trick else self.comments

    def report(self) -> dict[str, Any]:
        """The object that ``claimlog replay --format json`` prints.

        Of an invalid game it has the tricks before the first error, and no score.
        """
        shown = super(Game, self).report()
        errors = self.errors
        if errors:
            first = min(
                _LATE if problem.tag in _OF_THE_END else problem.trick or 0 for problem in errors
            )
            before = (trick.number < first for trick in self.tricks)
            shown["tricks"] = [
                trick for trick, legal in zip(shown["tricks"], before, strict=True) if legal
            ]
            shown["score"] = None
        shown["errors"] = [problem.report() for problem in errors]
        shown["warnings"] = [problem.report() for problem in self.warnings]
        return shown

    def analysis(self, effort: int | None = None) -> Analysis:
        """What each decision of Phase 2 was worth (`claimlog.analysis.decisions.analyse`).

        `effort` is how many positions are looked at for one answer at most.
        """
        analysis: Analysis = hooks.analyse(self) if effort is None else hooks.analyse(self, effort)
        return analysis

    def _repr_html_(self) -> str:
        """What a notebook shows: the game as a table, its last position as a picture."""
        return hooks.game_html(self)

    def __repr__(self) -> str:
        """The game in a line: players, result, event, deck, how far it goes."""
        return f"<Game {self}>"

    def __str__(self) -> str:
        """The game in a line, as `repr`."""
        names = [self.player(seat) or "?" for seat in range(1, self.seats + 1)]
        number = len(self.tricks)
        parts = [
            " ".join(filter(None, (self.tags.get(tag, "") for tag in ("Event", "Date")))),
            self.deck,
            f"{number} trick{'' if number == 1 else 's'}",
        ]
        if errors := len(self.errors):
            parts.append(f"{errors} error{'' if errors == 1 else 's'}")
        return f"{' - '.join(names)} {self.result} ({', '.join(filter(None, parts))})"
