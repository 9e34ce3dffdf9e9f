"""`Filter`: which games.  Every list, export and statistic takes one.

Each condition is described here once: its name, type, limits and what it means.  The command
line's options, the API's parameters and the tables in the documents come from `CONDITIONS`.

>>> CONDITIONS["leader"].kind, CONDITIONS["leader"].limits, CONDITIONS["played"].all
(<class 'int'>, {'ge': 1, 'le': 4}, True)
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import or_
from types import UnionType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Final,
    Literal,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

import msgspec
from msgspec import Meta

from claimlog.cards import FACTION_COUNT, LETTERS, NAMES
from claimlog.notation.tags import TERMINATIONS
from claimlog.results import IMPOSSIBLE, NO_RESULT, RESULTS, parse_result
from claimlog.rules.setup import RULE_SETS, RULINGS

if TYPE_CHECKING:
    from collections.abc import Mapping

T = TypeVar("T")

# fmt: off
Sort = Literal[
    "newest", "oldest", "date", "-date", "event", "-event", "round", "-round", "table", "-table",
    "player", "-player", "deck", "-deck", "result", "-result", "votes", "-votes",
    "rating", "-rating", "length", "-length",
]
PlayerSort = Literal[
    "games", "-games", "name", "-name", "rate", "-rate", "low", "-low",
    "last", "-last", "rating", "-rating",
]
EventSort = Literal[
    "last", "-last", "first", "-first", "name", "-name",
    "players", "-players", "rounds", "-rounds", "games", "-games",
]
GroupSort = Literal["games", "-games", "key", "-key", "rate", "-rate", "low", "-low"]
CardSort = Literal[
    "card", "-card", "plays", "-plays",
    "led", "-led", "led_low", "-led_low", "followed", "-followed", "followed_low", "-followed_low",
    "discarded", "-discarded", "discarded_low", "-discarded_low",
    "won_led", "-won_led", "won_led_low", "-won_led_low",
    "won_followed", "-won_followed", "won_followed_low", "-won_followed_low",
]
UpcardSort = Literal[
    "card", "-card", "shown", "-shown", "worth", "-worth",
    "taker", "-taker", "taker_low", "-taker_low", "winner", "-winner", "winner_low", "-winner_low",
]
MoveSort = Literal[
    "share", "-share", "won_trick", "-won_trick", "won_trick_low", "-won_trick_low",
    "result", "-result", "result_low", "-result_low",
]
# fmt: on
"""What games, players, events, groups and rows of statistics are sorted by; - turns it around.

`low` is the lower end of the interval of the rate.
"""

By = Literal["anybody", "player"]
"""Whose plays a statistic counts: everybody's, or those of the filter's `player` alone."""

CHOICES: Final = "choices"

_Text = Annotated[str, Meta(max_length=200)]
_MONTH: Final = "(0[1-9]|1[0-2])"
_DAY: Final = "(0[1-9]|[12][0-9]|3[01])"
_Date = Annotated[str, Meta(pattern=f"^[0-9]{{4}}(-{_MONTH}(-{_DAY})?)?$")]
_LETTER: Final = f"[{LETTERS}{LETTERS.lower()}]"
_Letters = Annotated[str, Meta(pattern=f"^{_LETTER}{{1,{FACTION_COUNT}}}$")]
_Seat = Annotated[int, Meta(ge=1, le=4)]
_CARD: Final = "|".join(
    f"[{letter}{letter.lower()}](?:{'|'.join(name[1:] for name in NAMES if name[0] == letter)})?"
    for letter in LETTERS
)
CARD: Final = f"^(?:{_CARD})$"
"""What a card or a faction is written like."""
_Card = Annotated[str, Meta(pattern=f"^(?:{_CARD})(@[0-9]{{1,2}}(-[0-9]{{1,2}})?)?$")]
_Cards = Annotated[tuple[_Card, ...], Meta(max_length=10)]
_Several = Meta(max_length=20)
_Texts = _Text | Annotated[tuple[_Text, ...], _Several]
_Decks = _Letters | Annotated[tuple[_Letters, ...], _Several]
_Seats = _Seat | Annotated[tuple[_Seat, ...], _Several]
_RULING: Final = "|".join(f"{key}=(?:{'|'.join(ruling.values)})" for key, ruling in RULINGS.items())
_Rulings = Annotated[str, Meta(pattern=f"^(?:{_RULING})(?: (?:{_RULING}))*$", max_length=200)]
_Vote = Annotated[
    str, Meta(pattern="^[0-9]{1,2}(-[0-9]{1,2}){1,2}$|^[0-9]{1,2}(:[0-9]{1,2}){1,2}$")
]
_Votes = _Vote | Annotated[tuple[_Vote, ...], _Several]
_RESULTS: Final = tuple(
    text for text in RESULTS if parse_result(text) not in (NO_RESULT, IMPOSSIBLE)
)
_Count = Annotated[int, Meta(ge=2, le=4)]
_Counts = _Count | Annotated[tuple[_Count, ...], _Several]
_Warning = Literal["loot-unknown", "trolls-advised-against", "irregular", "needless-irregular"]
_Warnings = _Warning | Annotated[tuple[_Warning, ...], _Several]
_CARDS: Final = "a card `K5` or a faction `K`, in any trick, in one `K5@3` or in some `K5@1-13`"


class Filter(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """Which games; all conditions hold together, and an empty filter means all games.

    Of names case does not matter; a player's aliases are included.  A game without a year is
    in no range of dates.  Several cards of one kind must all occur.  Of other conditions that
    take several values (a tuple) one is enough: `event=("A", "B")`.
    """

    player: Annotated[_Texts | None, Meta(description="Who played: a name or an id.")] = None
    seat: Annotated[_Seat | None, Meta(description="The seat of `player`.")] = None
    partner: Annotated[_Texts | None, Meta(description="The partner of `player`.")] = None
    opponent: Annotated[_Texts | None, Meta(description="An opponent of `player`.")] = None
    outcome: Annotated[
        Literal["won", "lost", "shared"] | None, Meta(description="How it went for `player`.")
    ] = None
    not_player: Annotated[_Texts | None, Meta(description="Who did not play.")] = None
    event: Annotated[_Texts | None, Meta(description="The event: its name or id.")] = None
    not_event: Annotated[_Texts | None, Meta(description="An event that it is not of.")] = None
    site: Annotated[_Texts | None, Meta(description="Where it was played.")] = None
    round: Annotated[_Texts | None, Meta(description="The round.")] = None
    table: Annotated[_Texts | None, Meta(description="The table.")] = None
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
    deck: Annotated[_Decks | None, Meta(description="The whole deck, in any order: `GKUWX`.")] = (
        None
    )
    rules: Annotated[
        _Texts | None,
        Meta(description="The rule set: `LE2023` or `Classic`.", extra={CHOICES: tuple(RULE_SETS)}),
    ] = None
    rulings: Annotated[_Rulings | None, Meta(description="Rulings in force: `trolls=line`.")] = None
    seats: Annotated[_Counts | None, Meta(description="The number of seats.")] = None
    leader: Annotated[_Seats | None, Meta(description="The seat that led trick 1.")] = None
    result: Annotated[
        _Texts | None, Meta(description="The result: `1-0`, `*`.", extra={CHOICES: _RESULTS})
    ] = None
    votes: Annotated[
        _Votes | None, Meta(description="Factions won: `3-2` in the order of sides, `3:2` in any.")
    ] = None
    termination: Annotated[
        _Texts | None,
        Meta(
            description="How it ended: `normal`, `resignation`, `time` …",
            extra={CHOICES: tuple(TERMINATIONS)},
        ),
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
    clean: Annotated[bool | None, Meta(description="Whether the record is without warnings.")] = (
        None
    )
    warning: Annotated[
        _Warnings | None,
        Meta(description="A warning of the record; `irregular` is a revoke that was let stand."),
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

    `kind` is the type of a value; `several` says that the argument may stand several times,
    and `all` that then all values must hold, where otherwise one is enough (of `not_…` none).
    `limits` has what msgspec calls `ge`, `le`, `max_length` and `pattern`, as far as set, for
    each value, `choices` are all values where there are few; `most` is how often an argument
    may stand.
    """

    name: str
    kind: Any
    description: str
    limits: dict[str, Any]
    several: bool = False
    all: bool = False
    most: int | None = None
    choices: tuple[str, ...] = ()

    @property
    def schema(self) -> dict[str, Any]:
        """The limits and choices of a value in JSON Schema."""
        names = {
            "ge": "minimum",
            "le": "maximum",
            "max_length": "maxLength",
            "pattern": "pattern",
        }
        made = {names[name]: value for name, value in self.limits.items()}
        return {"enum": list(self.choices)} if self.choices else made

    @property
    def help(self) -> str:
        """The description, with what several values mean."""
        if not self.several:
            return self.description
        meant = "all must hold" if self.all else "none" if self.name[:4] == "not_" else "any"
        return f"{self.description.removesuffix('.')}; several: {meant}."


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
        return _taken_apart(reduce(or_, (k for k in get_args(hint) if k is not type(None))))
    return hint, ()


def _condition(name: str, hint: Any) -> Condition:
    kind, metas = _taken_apart(hint)
    description = next(meta.description for meta in metas if meta.description)
    limits = _limits(metas)
    choices = next((m.extra[CHOICES] for m in metas if m.extra and CHOICES in m.extra), ())
    everything = get_origin(kind) is tuple
    either = get_origin(kind) in (Union, UnionType)  # a value, or a tuple of several
    most = None
    if everything or either:
        one, several = (get_args(kind)[0], kind) if everything else get_args(kind)
        most = (limits if everything else _limits(_taken_apart(several)[1]))["max_length"]
        kind, metas = _taken_apart(one)
        limits = _limits(metas)
    return Condition(
        name,
        kind,
        description,
        limits,
        several=everything or either,
        all=everything,
        most=most,
        choices=choices,
    )


CONDITIONS: Final[dict[str, Condition]] = {
    name: _condition(name, hint)
    for name, hint in get_type_hints(Filter, include_extras=True).items()
}
"""All conditions by name, in the order of the fields."""


def given(arguments: Mapping[str, Any]) -> Filter:
    """Make a filter from arguments; None and empty lists are left out.

    Of those that may stand several times the values are in a list.
    """
    values: dict[str, Any] = {}
    for name, value in arguments.items():
        if value is None or value == []:
            continue
        one = isinstance(value, list) and len(value) == 1 and not CONDITIONS[name].all
        values[name] = value[0] if one else tuple(value) if isinstance(value, list) else value
    return Filter(**values)


def values_of(value: T | tuple[T, ...] | None) -> tuple[T, ...]:
    """The values of a condition: none, one, or several."""
    return () if value is None else value if isinstance(value, tuple) else (value,)
