"""What the API takes and gives beyond the archive's own types."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from claimlog.api.problem import ProblemDetails
from claimlog.notation.problems import Problem
from claimlog.store.types import TieBreak

Text = Annotated[str, msgspec.Meta(max_length=1000)]
Seat = Annotated[int, msgspec.Meta(ge=1, le=4)]
BySeat = dict[str, list[str]]


class NewGame(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A game handed in as JSON: its record in CLM."""

    record: str


class Health(msgspec.Struct, frozen=True, kw_only=True):
    """How the server is."""

    status: Literal["ok"]
    version: str
    generation: int


class Count(msgspec.Struct, frozen=True, kw_only=True):
    """How many games."""

    games: int


class Sizes(msgspec.Struct, frozen=True, kw_only=True):
    """The archive's size in bytes, before and after it was compacted."""

    before: int
    after: int


class NewAlias(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player (by id) who is somebody else too."""

    alias: Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
    why: Text = ""


class TieBreaks(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The order in which an event's ties are broken."""

    tiebreaks: Annotated[list[TieBreak], msgspec.Meta(min_length=1, max_length=7)]


class ImportSummary(msgspec.Struct, frozen=True, kw_only=True):
    """The last line of an import's answer.

    `finished` says whether the whole body was read; if not, `error` says why, and of what
    came before all games are stored that a line says so of.
    """

    games: int
    outcomes: dict[str, int]
    finished: bool
    seconds: float
    error: ProblemDetails | None = None


class ImportEnd(msgspec.Struct, frozen=True, kw_only=True):
    """The last line of an import's answer, told from the others by its only member."""

    summary: ImportSummary


# Replays ---------------------------------------------------------------------------------


class ReplayPlay(msgspec.Struct, frozen=True, kw_only=True):
    """A play; `value` is the value that counted."""

    seat: Seat
    card: str | None
    value: int | None


class RemovedGnome(msgspec.Struct, frozen=True, kw_only=True):
    """A Gnome that was removed, and from whom."""

    seat: Seat
    card: str


class ReplayTrick(msgspec.Struct, frozen=True, kw_only=True):
    """A trick (docs/notation.md, "Reports"); what follows the plays is null if it was cut short."""

    number: int
    phase: Literal[1, 2]
    auto: bool
    upcards: list[str]
    leader: Seat
    plays: list[ReplayPlay]
    winner: Seat | None
    ranking: list[Seat] | None
    taken: dict[str, str | None] | None
    scored: BySeat | None
    removed: list[RemovedGnome] | None
    waiting: list[str] | None
    next_leader: Seat | None


class ReplayFaction(msgspec.Struct, frozen=True, kw_only=True):
    """How a faction was counted; `runs` for Bards alone."""

    counts: dict[str, int]
    winner: int | None
    runs: dict[str, int] | msgspec.UnsetType = msgspec.UNSET


class ReplayScore(msgspec.Struct, frozen=True, kw_only=True):
    """The end of a game, by side."""

    piles: BySeat
    factions: dict[str, ReplayFaction]
    votes: dict[str, int]
    tiebreak: Literal["cards", "value"] | None
    result: str


class ReplayReport(msgspec.Struct, frozen=True, kw_only=True):
    """A game trick by trick, as ``claimlog replay --format json`` prints it."""

    tags: dict[str, str]
    seats: int
    rules: str
    rulings: dict[str, str]
    complete: bool
    result: str
    tricks: list[ReplayTrick]
    score: ReplayScore | None
    errors: list[Problem]
    warnings: list[Problem]


# Positions -------------------------------------------------------------------------------


class Taken(msgspec.Struct, frozen=True, kw_only=True):
    """What a seat took for its followers (null: not known to whoever looks on)."""

    card: str | None
    how: str


class Placed(msgspec.Struct, frozen=True, kw_only=True):
    """A play on the table; `role` says how it stands to the lead."""

    seat: Seat
    card: str | None
    value: int | None
    bonus: int
    role: str
    rank: int | None
    taken: Taken | None
    annotation: str
    irregular: bool
    comments: list[str]


class Fact(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that happened."""

    key: str
    seat: int | None
    cards: list[str | None]
    faction: str
    number: int


class SeatView(msgspec.Struct, frozen=True, kw_only=True):
    """What lies with a seat; null for a card that whoever looks on does not know."""

    seat: Seat
    side: int
    hand: list[str | None]
    followers: list[str | None]
    pile: list[str]
    gnomes: list[str]


class Smashed(msgspec.Struct, frozen=True, kw_only=True):
    """A Gnome that was removed, from whom and in which trick."""

    seat: Seat
    card: str
    trick: int


class PositionReport(msgspec.Struct, frozen=True, kw_only=True):
    """A moment of a game: trick `trick` after `played` plays."""

    trick: int
    played: int
    phase: int
    auto: bool
    upcards: list[str]
    order: list[Seat]
    plays: list[Placed]
    decided: bool
    winner: Seat | None
    why: list[Fact]
    outcome: list[Fact]
    next: list[Fact]
    seats: list[SeatView]
    draw_pile: int
    waiting: list[str]
    removed: list[Smashed]
    comments: list[str]
