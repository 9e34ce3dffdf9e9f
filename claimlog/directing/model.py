"""The parts of an event: entrants, plan, rounds, tables, results.

Everything here is immutable and knows no archive.  Entrants are identified by their number in the
event, from 1; seats and sides count from 1, too.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec

from claimlog.notation.names import LONGEST
from claimlog.rules.setup import sides_of

ALL_TRICKS: Final = 26
"""The most tricks a game can have."""
Short = Annotated[str, msgspec.Meta(max_length=LONGEST)]
Number = Annotated[int, msgspec.Meta(ge=1, le=10_000)]
Value = Annotated[float, msgspec.Meta(ge=0, le=1000)]

System = Literal["swiss", "casual", "round-robin", "knock-out", "groups", "rotation", "by-hand"]
"""How rounds are paired: `swiss` is the Dutch system, `casual` a fast one."""

ByeKind = Literal["pairing", "full", "half", "zero"]
"""Why there is a bye: nobody was left to play (`pairing`), or it was requested, with its points."""

TieBreak = Literal[
    "points", "votes", "vote-difference", "head-to-head", "buchholz", "sonneborn-berger", "wins"
]

Criterion = Literal["stage", TieBreak]
"""What decides in standings: in a knock-out, before all tie-breaks, how far somebody has come."""


class _Struct(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The base of all structs here."""


class Entrant(_Struct, frozen=True, kw_only=True):
    """Somebody who takes part; `number` is assigned when they are entered.

    `id` is the tag by which records distinguish players of the same name; `team` and `club` are
    names.
    """

    number: Annotated[int, msgspec.Meta(ge=0, le=10_000)] = 0
    name: Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST)]
    id: Short = ""
    club: Short = ""
    team: Short = ""
    category: Short = ""
    rating: Annotated[float, msgspec.Meta(ge=0, le=10_000)] | None = None
    seed: Number | None = None


def seeded(entrants: list[Entrant]) -> list[Entrant]:
    """Sort entrants by seed, then by rating, then in order of entry."""
    return sorted(
        entrants,
        key=lambda one: (one.seed is None, one.seed or 0, -(one.rating or 0), one.number),
    )


def rounds_for(size: int) -> int:
    """Return how many rounds it takes until everybody has met everybody."""
    return size - 1 + size % 2


class Points(_Struct, frozen=True, kw_only=True):
    """What games and byes give; a shared win gives each side its part of `win`.

    If `draw` is set, a win shared by all sides gives that instead.  `loss` is for a lost game,
    `forfeit` for not showing up.  A `bye` that is not set gives as much as a win, a `half_bye` half
    of a bye.
    """

    win: Value = 1
    draw: Value | None = None
    loss: Value = 0
    forfeit: Value = 0
    bye: Value | None = None
    half_bye: Value | None = None
    zero_bye: Value = 0

    def of_bye(self, kind: ByeKind) -> float:
        """Return what a bye gives."""
        full = self.win if self.bye is None else self.bye
        half = full / 2 if self.half_bye is None else self.half_bye
        return {"half": half, "zero": self.zero_bye}.get(kind, full)


class Plan(_Struct, frozen=True, kw_only=True):
    """How an event is to be played.

    `rounds` is None if the number is not fixed.  `decks` are the letters of the deck of each round,
    or one deck for all; with `draw` each round's deck is drawn from them, or from all decks if the
    list is empty.  The system `groups` has `groups` groups, and `advance` of each go on.  `minutes`
    is the time for a round; spectators see a table `delay` tricks late, without `spectators` only
    after the game.
    """

    system: System = "swiss"
    rounds: Annotated[int, msgspec.Meta(ge=1, le=100)] | None = None
    seats: Annotated[int, msgspec.Meta(ge=2, le=4)] = 2
    decks: Annotated[tuple[Short, ...], msgspec.Meta(max_length=100)] = ()
    draw: bool = False
    rules: Literal["LE2023", "Classic"] = "LE2023"
    rulings: dict[Short, Short] = {}
    minutes: Annotated[int, msgspec.Meta(ge=1, le=10_000)] | None = None
    points: Points = Points()
    tiebreaks: Annotated[tuple[TieBreak, ...], msgspec.Meta(max_length=7)] = ()
    fixed_teams: bool = False
    groups: Annotated[int, msgspec.Meta(ge=2, le=64)] = 2
    advance: Annotated[int, msgspec.Meta(ge=1, le=16)] = 2
    spectators: bool = True
    delay: Annotated[int, msgspec.Meta(ge=0, le=ALL_TRICKS)] = 0
    site: Short = ""

    def __post_init__(self) -> None:
        decks = tuple(deck.upper() for deck in self.decks)
        msgspec.structs.force_setattr(self, "decks", decks)

    @property
    def of_teams(self) -> bool:
        """Whether teams of two play, who stay together."""
        return self.seats == 4 and self.fixed_teams

    @property
    def late(self) -> int:
        """How many tricks late spectators see a table."""
        return self.delay if self.spectators else ALL_TRICKS


class Table(_Struct, frozen=True, kw_only=True):
    """A table of a round: the entrants by seat, and the seat that leads trick 1."""

    number: Number
    players: Annotated[tuple[Number, ...], msgspec.Meta(min_length=2, max_length=4)]
    leader: Annotated[int, msgspec.Meta(ge=1, le=4)] = 1
    deck: Short = ""

    def __post_init__(self) -> None:
        msgspec.structs.force_setattr(self, "deck", self.deck.upper())

    @property
    def sides(self) -> int:
        """The number of sides."""
        return sides_of(len(self.players))


class TableResult(_Struct, frozen=True, kw_only=True):
    """How a game ended: the result as in a record, and if known the factions of each side.

    `forfeit` are the sides that did not show up.
    """

    result: Annotated[str, msgspec.Meta(max_length=20)]
    votes: Annotated[
        tuple[Annotated[int, msgspec.Meta(ge=0, le=20)], ...], msgspec.Meta(max_length=3)
    ] = ()
    forfeit: Annotated[
        tuple[Annotated[int, msgspec.Meta(ge=1, le=3)], ...], msgspec.Meta(max_length=3)
    ] = ()


class Bye(_Struct, frozen=True, kw_only=True):
    """An entrant who does not play in a round, and why."""

    entrant: Number
    kind: ByeKind = "pairing"
