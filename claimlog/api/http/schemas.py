"""The API's input and output types, besides those of the archive."""

from __future__ import annotations

import dataclasses
from functools import cache, reduce
from operator import or_
from types import NoneType, UnionType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Literal,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

import msgspec
from msgspec import UNSET, UnsetType

from claimlog import __version__
from claimlog import game as model
from claimlog.api.http.addresses import VERSION
from claimlog.api.http.problem import ProblemDetails
from claimlog.notation.names import LONGEST
from claimlog.parts import reported
from claimlog.replay import viewpoint
from claimlog.store.model.types import Outcome, ReportedProblem, TieBreak

Text = Annotated[str, msgspec.Meta(max_length=1000)]
Seat = Annotated[int, msgspec.Meta(ge=1, le=4)]
Side = Annotated[int, msgspec.Meta(ge=1, le=3)]


class NewGame(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A game submitted as JSON: its record in CLM."""

    record: str


class Health(msgspec.Struct, frozen=True, kw_only=True):
    """The state of the server."""

    status: Literal["ok"]
    version: str
    generation: int


class Addresses(msgspec.Struct, frozen=True, kw_only=True):
    """The addresses of the lists and statistics of version 1."""

    games: str = f"{VERSION}/games"
    imports: str = f"{VERSION}/imports"
    corrections: str = f"{VERSION}/corrections"
    players: str = f"{VERSION}/players"
    merges: str = f"{VERSION}/merges"
    events: str = f"{VERSION}/events"
    tables: str = f"{VERSION}/tables"
    event_merges: str = f"{VERSION}/event-merges"
    statistics: str = f"{VERSION}/stats"
    explorer: str = f"{VERSION}/explorer"
    archive: str = f"{VERSION}/archive"


class Index(msgspec.Struct, frozen=True, kw_only=True):
    """The addresses of everything."""

    name: Literal["claimlog"] = "claimlog"
    version: str = __version__
    documentation: str = "/docs"
    openapi: str = "/openapi.json"
    health: str = "/health"
    metrics: str = "/metrics"
    v1: Addresses = Addresses()


INDEX = Index()


class Count(msgspec.Struct, frozen=True, kw_only=True):
    """The number of games."""

    games: int


class Sizes(msgspec.Struct, frozen=True, kw_only=True):
    """The archive's size in bytes, before and after compaction."""

    before: int
    after: int


class NewAlias(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Another player (by id) who is the same person."""

    alias: Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST)]
    why: Text = ""


class NewEventAlias(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Another event (by id or name) that is the same one."""

    alias: Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST)]
    why: Text = ""


class NewName(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The new name of an event."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST)]
    why: Text = ""


Value = Annotated[str, msgspec.Meta(max_length=LONGEST)]


class NewTags(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """New values for tags (null: remove the tag), and new names for players.

    `expected` is that of a dry run.
    """

    tags: dict[Value, Value | None] = {}
    names: dict[Value, Value] = {}
    why: Text = ""
    expected: Value | None = None


class TieBreaks(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The order of an event's tie-breaks."""

    tiebreaks: Annotated[
        list[TieBreak],
        msgspec.Meta(
            min_length=1,
            max_length=7,
            extra_json_schema={"uniqueItems": True},
        ),
    ]


class ImportSummary(msgspec.Struct, frozen=True, kw_only=True):
    """The last line of an import's answer.

    `finished` says whether the whole body was read; if not, `error` says why, and the games before
    it are stored whose lines say so.
    """

    games: int
    outcomes: dict[str, int]
    finished: bool
    seconds: float
    mark: int
    error: ProblemDetails | None = None


class ImportEnd(msgspec.Struct, frozen=True, kw_only=True):
    """The last line of an import's answer, which differs from the others by its only member."""

    summary: ImportSummary


ImportLine = Outcome | ImportEnd
"""A line of an import's answer: one for each game, and the summary at the end."""


# Replays ---------------------------------------------------------------------------------


def _of_report(kind: Any) -> Any:
    """Return the type that the JSON reports have for a type of the model (`claimlog.game`)."""
    if kind == model.Seat:
        return Seat
    if kind == model.Side:
        return Side
    if kind is model.Reason:
        return Fact
    if dataclasses.is_dataclass(kind) or hasattr(kind, "_fields"):
        return _struct(cast("type", kind))
    arguments = tuple(map(_of_report, get_args(kind)))
    origin = get_origin(kind)
    if origin is dict:
        return dict[str, arguments[1]]  # type: ignore[valid-type]
    if origin is list:
        return list[arguments[0]]  # type: ignore[valid-type]
    if origin in (Union, UnionType):
        return reduce(or_, arguments)
    return kind


@cache
def _struct(kind: type, name: str = "", *more: tuple[str, Any]) -> Any:
    """Return a struct of the fields that the reports of a model class have."""
    hints = get_type_hints(kind, include_extras=True)
    fields: list[Any] = []
    if dataclasses.is_dataclass(kind):
        names = reported(kind)
    else:  # a named tuple; positions have no problems
        names = {field: True for field in hints if field != "problems"}
    for field, always in names.items():
        shown = _of_report(hints[field])
        if not always:
            shown = Union[(*(one for one in get_args(shown) if one is not NoneType), UnsetType)]
        fields.append((field, shown) if always else (field, shown, UNSET))
    return msgspec.defstruct(
        name or (f"Replay{kind.__name__}" if dataclasses.is_dataclass(kind) else kind.__name__),
        [*fields, *more],
        frozen=True,
        kw_only=True,
        module=__name__,
        namespace={"__doc__": (kind.__doc__ or "").partition("\n")[0]},
    )


if TYPE_CHECKING:

    class ReplayReport(msgspec.Struct):
        """A game trick by trick, as ``claimlog replay --format json`` prints it."""

else:
    _PROBLEMS = list[_struct(model.Problem)]
    ReplayReport = _struct(
        model.Game, "ReplayReport", ("errors", _PROBLEMS), ("warnings", _PROBLEMS)
    )
    ReplayReport.__doc__ = "A game trick by trick, as ``claimlog replay --format json`` prints it."


# Analyses --------------------------------------------------------------------------------


class SecuredValue(msgspec.Struct, frozen=True, kw_only=True):
    """What one seat of three can secure against both others.

    Its share of the result, its factions, and the most that one of the others has.
    """

    result: Literal["1", "1/2", "0"]
    factions: Annotated[list[int], msgspec.Meta(min_length=2, max_length=2)]


class PositionValue(msgspec.Struct, frozen=True, kw_only=True):
    """The final result of a position with best play, or what a seat of three `secures`."""

    result: Literal["1-0", "1/2-1/2", "0-1"] | UnsetType = UNSET
    factions: Annotated[list[int], msgspec.Meta(min_length=2, max_length=2)] | UnsetType = UNSET
    secures: SecuredValue | UnsetType = UNSET


class Worth(PositionValue, frozen=True, kw_only=True):
    """A value, or both its bounds if it is not known exactly."""

    at_least: PositionValue | UnsetType = UNSET
    at_most: PositionValue | UnsetType = UNSET


class CardWorth(Worth, frozen=True, kw_only=True):
    """A legal card, and what the position after it is worth."""

    card: str


class DecisionReport(msgspec.Struct, frozen=True, kw_only=True):
    """A play by a seat that could choose between cards with different consequences."""

    trick: int
    seat: Seat
    played: str
    before: Worth
    cards: list[CardWorth]
    mark: Literal["", "??", "?", "!"]
    known: bool


class AnalysisReport(msgspec.Struct, frozen=True, kw_only=True):
    """What the decisions of a game were worth, as ``claimlog analyse --format json`` prints it."""

    game: int
    from_trick: int | None
    exact: bool
    hands: Literal["open"] | UnsetType = UNSET
    decisions: list[DecisionReport]
    problems: list[ReportedProblem]


# Positions -------------------------------------------------------------------------------


class Fact(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that happened."""

    key: str
    seat: Seat | None
    cards: list[str | None]
    faction: str
    number: int


if TYPE_CHECKING:

    class PositionReport(msgspec.Struct):
        """A moment of a game: trick `trick` after `played` plays."""

else:
    PositionReport = _struct(viewpoint.Position, "PositionReport")
