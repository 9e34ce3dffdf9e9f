"""`Filter`: which games.  Every list, export and statistic takes one.

Each condition is described once, here: its name, type, limits and meaning.  The command line's
options, the API's parameters and the tables in the documentation are made from `CONDITIONS`.

>>> CONDITIONS["leader"].kind, CONDITIONS["leader"].limits, CONDITIONS["played"].all
(<class 'int'>, {'ge': 1, 'le': 4}, True)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, TypeVar, get_type_hints

import msgspec
from msgspec import Meta

from claimlog.cards import FACTION_COUNT, LETTERS, NAMES
from claimlog.notation.names import LONGEST
from claimlog.notation.tags import TERMINATIONS
from claimlog.results import IMPOSSIBLE, NO_RESULT, RESULTS, parse_result
from claimlog.rules.setup import RULE_SETS, RULINGS
from claimlog.store.model.arguments import CHOICES, Argument, argument

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
# fmt: on
"""The sort orders of games, players and events, and of groups and rows of statistics.

A minus reverses the order.  `low` is the lower end of the rate's interval.
"""

By = Literal["anybody", "player"]
"""Whose plays a statistic counts: everybody's, or only those of the filter's `player`."""

_Text = Annotated[str, Meta(max_length=LONGEST)]
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
"""The pattern of a card or a faction."""
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
    text for text in RESULTS if parse_result(text, alone=True) not in (NO_RESULT, IMPOSSIBLE)
)
_Count = Annotated[int, Meta(ge=1, le=4)]
_Counts = _Count | Annotated[tuple[_Count, ...], _Several]
_Warning = Literal["loot-unknown", "trolls-advised-against", "irregular", "needless-irregular"]
_Warnings = _Warning | Annotated[tuple[_Warning, ...], _Several]
_CARDS: Final = "a card `K5` or a faction `K`; `K5@3` in trick 3, `K5@1-13` in tricks 1 to 13"


class Filter(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """Which games; all conditions must hold, and an empty filter means all games.

    Names and sites match in any case and without accents; a player's aliases are included.  A game
    without a year is in no range of dates.  Of several cards of one kind all must occur.  Of other
    conditions that take several values (a tuple), one is enough: `event=("A", "B")`.
    """

    player: Annotated[_Texts | None, Meta(description="A player, by name or id.")] = None
    seat: Annotated[_Seat | None, Meta(description="The seat of `player`.")] = None
    partner: Annotated[_Texts | None, Meta(description="The partner of `player`.")] = None
    opponent: Annotated[_Texts | None, Meta(description="An opponent of `player`.")] = None
    outcome: Annotated[
        Literal["won", "lost", "shared"] | None, Meta(description="The outcome for `player`.")
    ] = None
    not_player: Annotated[_Texts | None, Meta(description="A player who did not play.")] = None
    event: Annotated[_Texts | None, Meta(description="The event, by name or id.")] = None
    not_event: Annotated[_Texts | None, Meta(description="An event to exclude, by name or id.")] = (
        None
    )
    site: Annotated[_Texts | None, Meta(description="The place where the game was played.")] = None
    round: Annotated[_Texts | None, Meta(description="The round.")] = None
    table: Annotated[_Texts | None, Meta(description="The table.")] = None
    since: Annotated[
        _Date | None,
        Meta(description="The earliest date: `2026`, `2026-11` or `2026-11-14`."),
    ] = None
    until: Annotated[_Date | None, Meta(description="The latest date, inclusive.")] = None
    factions: Annotated[
        _Letters | None, Meta(description="Letters of factions that must all be in the deck.")
    ] = None
    without: Annotated[
        _Letters | None, Meta(description="Letters of factions that must not be in the deck.")
    ] = None
    deck: Annotated[
        _Decks | None, Meta(description="The whole deck, in any order, such as `GKUWX`.")
    ] = None
    rules: Annotated[
        _Texts | None,
        Meta(description="The rule set: `LE2023` or `Classic`.", extra={CHOICES: tuple(RULE_SETS)}),
    ] = None
    rulings: Annotated[
        _Rulings | None, Meta(description="The rulings in force, such as `trolls=line`.")
    ] = None
    seats: Annotated[_Counts | None, Meta(description="The number of seats; a bye has 1.")] = None
    leader: Annotated[_Seats | None, Meta(description="The seat that led trick 1.")] = None
    result: Annotated[
        _Texts | None,
        Meta(description="The result, such as `1-0` or `*`.", extra={CHOICES: _RESULTS}),
    ] = None
    votes: Annotated[
        _Votes | None,
        Meta(description="Factions won: `3-2` in the order of sides, `3:2` in any order."),
    ] = None
    termination: Annotated[
        _Texts | None,
        Meta(
            description="How the game ended: `normal`, `resignation`, `time` …",
            extra={CHOICES: tuple(TERMINATIONS)},
        ),
    ] = None
    complete: Annotated[bool | None, Meta(description="Whether all tricks are in the record.")] = (
        None
    )
    min_tricks: Annotated[
        Annotated[int, Meta(ge=0, le=26)] | None, Meta(description="The minimum number of tricks.")
    ] = None
    max_tricks: Annotated[
        Annotated[int, Meta(ge=0, le=26)] | None, Meta(description="The maximum number of tricks.")
    ] = None
    min_rating: Annotated[
        Annotated[float, Meta(ge=-100000, le=100000)] | None,
        Meta(description="The minimum rating of every player."),
    ] = None
    clean: Annotated[bool | None, Meta(description="Whether the record is free of warnings.")] = (
        None
    )
    warning: Annotated[
        _Warnings | None,
        Meta(description="A warning in the record; `irregular` is a revoke allowed to stand."),
    ] = None
    played: Annotated[_Cards, Meta(description=f"Played: {_CARDS}.")] = ()
    led: Annotated[_Cards, Meta(description=f"Led: {_CARDS}.")] = ()
    won: Annotated[_Cards, Meta(description=f"Won its trick: {_CARDS}.")] = ()
    upcard: Annotated[_Cards, Meta(description=f"Turned up: {_CARDS}.")] = ()
    text: Annotated[
        _Text | None,
        Meta(
            description="Words that must all occur, whatever their case or accents, in names, "
            "event, site, round, annotator, scenario or comments."
        ),
    ] = None


CONDITIONS: Final[dict[str, Argument]] = {
    name: argument(name, hint) for name, hint in get_type_hints(Filter, include_extras=True).items()
}
"""All conditions by name, in the order of the fields."""


def given(arguments: Mapping[str, Any]) -> Filter:
    """Make a filter from arguments; None and empty lists are left out.

    Conditions that may be repeated have a list of values.
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
