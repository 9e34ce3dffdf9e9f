"""The model: one game for people and programs, trick by trick.

All code that reads, plays, shows, stores or writes a game uses these classes.  Cards are names
(``"G5"``); seats and sides count from 1, as in the notation and the reports (docs/notation.md).
`Game`, `Trick`, `Play` and the score are plain and mutable: they hold a record and what the rules
made of it, and changing them does not judge it again.  `Problem` is frozen.  All are dataclasses
with slots, which msgspec encodes and decodes directly; they need only the standard library.

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
from claimlog.parts import IF_ANY, KEPT, Part, Problem, Seat, Side, known

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
"""A number higher than any trick's, for problems of a whole game."""


@dataclass(slots=True, repr=False)
class Reason(Part):
    """Why something happened: a short code, and what it refers to.

    `seat` is the seat (in a `Score` the side) that it happened to, `cards` the cards that caused it
    (None: unknown), `faction` a letter, `number` a trick or a value; which of them are set depends
    on the `code`.
    """

    code: str
    seat: int | None = None
    cards: tuple[str | None, ...] = ()
    faction: str = ""
    number: int = 0


@dataclass(slots=True, repr=False)
class Play(Part):
    """One play in a trick, or one discard in an automatic trick.

    `card` is its name, None if unknown; `value` is the value that counted (None if face down).
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
    """A card and the seat it belonged to."""

    seat: Seat
    card: str


@dataclass(slots=True)
class SideCard(Part):
    """A card and the side it belonged to."""

    side: Side
    card: str


@dataclass(slots=True, kw_only=True, repr=False)
class Trick(Part):
    """One trick of a game; an unknown card is None.

    `auto`: an Automaton won it in advance, and `plays` are the discards.  `looked`: the winner took
    the hidden card `hidden` with a Seer; `pick` is the upcard that the first picker took, `drawn`
    what the record says about the cards drawn by the others (None: nothing).  `taken`, `scored`,
    `removed`, `waiting`, `ranking`, `winner` and `next_leader` are as in the reports
    (docs/notation.md, "Reports"); None if the trick was cut short.  `reasons` say why it was won,
    where cards went and who leads next.
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
        """The play (or discard) of the winner; None if the trick was cut short."""
        return next((play for play in self.plays if play.seat == self.winner), None)

    @property
    def ends_with_play(self) -> bool:
        """Whether its record ends with a play, so that a comment after it belongs to that play."""
        return bool(self.plays) and not (self.looked or self.pick or self.drawn)

    def comments_at(self, played: int) -> list[str]:
        """The comments at a moment: of the last play, or of the trick before and after all."""
        if 0 < played < len(self.plays) or (played and self.ends_with_play):
            return self.plays[played - 1].comments
        return self.comments

    def __repr__(self) -> str:
        """The trick on one line, much as in the notation."""
        words = [f"{self.number}."]
        if self.upcards:
            words.append(f"{','.join(self.upcards)}:")
        for play in self.plays:
            mark = "+" if play.seat == self.winner and not self.auto else ""
            words.append(f"{play.seat}={'-' if self.auto else ''}{play.card or '_'}{mark}")
        return f"<Trick {' '.join(words)}>"


@dataclass(slots=True, repr=False)
class FactionScore(Part):
    """How one faction was won: `counts` (and for Bards `runs`) by side, and the winning side.

    `reason` is the code of what decided it.
    """

    counts: dict[Side, int]
    runs: dict[Side, int] | None = field(default=None, metadata=IF_ANY)
    winner: Side | None = None
    reason: str = field(default="", metadata=KEPT)


@dataclass(slots=True)
class Loot(Part):
    """What a side's loot counted for: the faction's letter and the number of Raccoons with loot."""

    faction: str
    number: int


@dataclass(slots=True, kw_only=True, repr=False)
class Score(Part):
    """The end of a complete game, by side.

    `piles` are the score piles after the Peasants have moved; `moved` are those Peasants with the
    side they left; `loot` says what each side's loot counted for.  `tiebreak` is the last
    comparison that separated equal sides.
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
    """The sides that win or share the win in a result."""
    parts = enumerate(result.split("-"), 1)
    return [side for side, part in parts if part.startswith("1")]


class Judged:
    """What has problems: those that make it invalid, and those that do not."""

    __slots__ = ()
    problems: list[Problem]

    @property
    def errors(self) -> list[Problem]:
        """The problems that make the game invalid."""
        return [problem for problem in self.problems if problem.severity == "error"]

    @property
    def warnings(self) -> list[Problem]:
        """The problems that do not make it invalid."""
        return [problem for problem in self.problems if problem.severity == "warning"]


@dataclass(slots=True, kw_only=True, repr=False)
class Game(Judged, Part):
    """One game: its plays, what the rules made of them, and the problems of its record.

    `tags` are the values by name, in the order of the text.  `seats` is the number of seats, `deck`
    the letters of its factions ("" if unknown), `leader` the seat that leads trick 1; `rulings` are
    all four rulings in force.  `tricks` are those whose leader is known; `score` is None unless the
    game is complete and could be scored.  `line` is the line on which its record begins, `comments`
    are those before trick 1.

    Two games are equal if they were played alike: the position of their records in a text and the
    problems of these do not count.
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
    def legal(self) -> bool:
        """Whether the game has no errors."""
        return not self.errors

    @property
    def winners(self) -> list[Side]:
        """The sides that won or share the win; empty if the game is unfinished."""
        return _winners(self.result)

    def player(self, seat: Seat) -> str:
        """The name of a seat's player, "" if unknown."""
        return known(self.tags.get(f"Player{seat}", ""))

    def comments_at(self, trick: int, played: int) -> list[str]:
        """The comments at a moment, as a list to add to; trick 0 is the whole game.

        After `played` plays they are those of the last play; before the first play, and once the
        choices and drawn cards are written, those of the trick.
        """
        return self.tricks[trick - 1].comments_at(played) if trick else self.comments

    def report(self) -> dict[str, Any]:
        """The object that ``claimlog replay --format json`` prints.

        For an invalid game it has the tricks before the first error, and no score.
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
        """The value of each decision in Phase 2 (`claimlog.analysis.decisions.analyse`).

        `effort` is the most positions to search for one answer.
        """
        analysis: Analysis = hooks.analyse(self) if effort is None else hooks.analyse(self, effort)
        return analysis

    def _repr_html_(self) -> str:
        """The game for a notebook: a table, and its last position as a picture."""
        return hooks.game_html(self)

    def __repr__(self) -> str:
        """The game on one line: players, result, event, deck, number of tricks."""
        return f"<Game {self}>"

    def __str__(self) -> str:
        """The game on one line, as in `repr`."""
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
