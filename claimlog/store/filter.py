"""`Filter`: which games.  Every list, export and statistic takes one.

Each condition is described here once: its name, type, limits and what it means.  The command
line's options, the API's parameters and the tables in the documents come from `CONDITIONS`.

>>> CONDITIONS["leader"].kind, CONDITIONS["leader"].limits, CONDITIONS["played"].several
(<class 'int'>, {'ge': 1, 'le': 4}, True)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta

from claimlog.cards import FACTION_COUNT

# fmt: off
Sort = Literal[
    "newest", "oldest", "date", "-date", "event", "-event", "round", "-round", "table", "-table",
    "player", "-player", "deck", "-deck", "result", "-result", "votes", "-votes",
    "rating", "-rating", "length", "-length",
]
PlayerSort = Literal[
    "games", "-games", "name", "-name", "rate", "-rate", "last", "-last", "rating", "-rating"
]
EventSort = Literal[
    "last", "-last", "first", "-first", "name", "-name",
    "players", "-players", "rounds", "-rounds", "games", "-games",
]
# fmt: on
"""What games, players and events are sorted by; - turns the order around."""

_Text = Annotated[str, Meta(max_length=200)]
_Date = Annotated[str, Meta(pattern=r"^[0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?$")]
_Letters = Annotated[str, Meta(pattern=f"^[A-Za-z]{{1,{FACTION_COUNT}}}$")]
_Seat = Annotated[int, Meta(ge=1, le=4)]
_Card = Annotated[str, Meta(pattern=r"^[A-Za-z][0-9]{0,2}(@[0-9]{1,2}(-[0-9]{1,2})?)?$")]
_Cards = Annotated[tuple[_Card, ...], Meta(max_length=10)]
_CARDS: Final = "a card `K5` or a faction `K`, in any trick, in one `K5@3` or in some `K5@1-13`"


class Filter(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """Which games; all conditions hold together, and an empty filter means all games.

    Of names case does not matter; a player's aliases are included.  A game without a year is
    in no range of dates.  Several cards of one kind must all occur.
    """

    player: Annotated[_Text | None, Meta(description="Who played: a name or an id.")] = None
    seat: Annotated[_Seat | None, Meta(description="The seat of `player`.")] = None
    partner: Annotated[_Text | None, Meta(description="The partner of `player`.")] = None
    opponent: Annotated[_Text | None, Meta(description="An opponent of `player`.")] = None
    outcome: Annotated[
        Literal["won", "lost", "shared"] | None, Meta(description="How it went for `player`.")
    ] = None
    event: Annotated[_Text | None, Meta(description="The event: its name or id.")] = None
    site: Annotated[_Text | None, Meta(description="Where it was played.")] = None
    round: Annotated[_Text | None, Meta(description="The round.")] = None
    table: Annotated[_Text | None, Meta(description="The table.")] = None
    since: Annotated[
        _Date | None,
        Meta(description="From this date on: `2026`, `2026-11` or `2026-11-14`."),
    ] = None
    until: Annotated[_Date | None, Meta(description="Up to this date, that day included.")] = None
    factions: Annotated[
        _Letters | None, Meta(description="Letters of factions that are all in the deck.")
    ] = None
    without: Annotated[
        _Letters | None, Meta(description="Letters of factions that are not in the deck.")
    ] = None
    deck: Annotated[_Letters | None, Meta(description="The whole deck, in any order: `GKUWX`.")] = (
        None
    )
    rules: Annotated[_Text | None, Meta(description="The rule set: `LE2023` or `Classic`.")] = None
    rulings: Annotated[_Text | None, Meta(description="Rulings in force: `trolls=line`.")] = None
    seats: Annotated[
        Annotated[int, Meta(ge=2, le=4)] | None, Meta(description="The number of seats.")
    ] = None
    leader: Annotated[_Seat | None, Meta(description="The seat that led trick 1.")] = None
    result: Annotated[_Text | None, Meta(description="The result: `1-0`, `*`.")] = None
    votes: Annotated[
        _Text | None, Meta(description="Factions won: `3-2` in the order of sides, `3:2` in any.")
    ] = None
    termination: Annotated[
        _Text | None, Meta(description="How it ended: `normal`, `resignation`, `time` …")
    ] = None
    complete: Annotated[bool | None, Meta(description="Whether all tricks are in the record.")] = (
        None
    )
    min_tricks: Annotated[
        Annotated[int, Meta(ge=0, le=26)] | None, Meta(description="At least this many tricks.")
    ] = None
    max_tricks: Annotated[
        Annotated[int, Meta(ge=0, le=26)] | None, Meta(description="At most this many tricks.")
    ] = None
    min_rating: Annotated[
        Annotated[float, Meta(ge=-100000, le=100000)] | None,
        Meta(description="Every player is rated, and at least so high."),
    ] = None
    played: Annotated[_Cards, Meta(description=f"Played: {_CARDS}.")] = ()
    led: Annotated[_Cards, Meta(description=f"Led: {_CARDS}.")] = ()
    won: Annotated[_Cards, Meta(description=f"Won its trick: {_CARDS}.")] = ()
    upcard: Annotated[_Cards, Meta(description=f"Turned up: {_CARDS}.")] = ()
    text: Annotated[
        _Text | None,
        Meta(
            description="Words that all occur in names, event, site, round, annotator, scenario "
            "or comments."
        ),
    ] = None


@dataclass(frozen=True)
class Condition:
    """One field of `Filter` as an argument.

    `kind` is the type of a value; `several` says that the argument may stand several times.
    `limits` has what msgspec calls `ge`, `le`, `max_length` and `pattern`, as far as set, for
    each value; `most` is how often an argument may stand.
    """

    name: str
    kind: Any
    description: str
    limits: dict[str, Any]
    several: bool = False
    most: int | None = None


def _limits(metas: tuple[Meta, ...]) -> dict[str, Any]:
    return {
        name: value
        for meta in metas
        for name in ("ge", "le", "max_length", "pattern")
        if (value := getattr(meta, name)) is not None
    }


def _taken_apart(hint: Any) -> tuple[Any, tuple[Meta, ...]]:
    """A type without its annotations and without None, and its annotations."""
    if get_origin(hint) is Annotated:
        inner, *own = get_args(hint)
        kind, metas = _taken_apart(inner)
        return kind, (*metas, *own)
    if type(None) in get_args(hint):
        return _taken_apart(next(kind for kind in get_args(hint) if kind is not type(None)))
    return hint, ()


def _condition(name: str, hint: Any) -> Condition:
    kind, metas = _taken_apart(hint)
    description = next(meta.description for meta in metas if meta.description)
    limits = _limits(metas)
    if get_origin(kind) is not tuple:
        return Condition(name, kind, description, limits)
    most = limits["max_length"]
    kind, metas = _taken_apart(get_args(kind)[0])
    return Condition(name, kind, description, _limits(metas), several=True, most=most)


CONDITIONS: Final[dict[str, Condition]] = {
    name: _condition(name, hint)
    for name, hint in get_type_hints(Filter, include_extras=True).items()
}
"""All conditions by name, in the order of the fields."""
