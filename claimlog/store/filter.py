"""`Filter`: which games.  Every list, export and statistic takes one."""

from __future__ import annotations

from typing import Literal

import msgspec

Sort = Literal[
    "newest", "oldest", "date", "-date", "event", "player", "rating", "-rating", "length", "-length"
]


class Filter(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """Which games; all conditions hold together, and an empty filter means all games.

    A *player* is a player's id in the archive, an ``Id`` tag or a name as written (case does
    not matter); aliases are included.  `seat`, `partner`, `opponent` and `outcome` are about
    `player` and need it.  Dates are ``YYYY``, ``YYYY-MM`` or ``YYYY-MM-DD``, both ends
    included; a game without a year is in no range.  `event` is an id or a name.

    `factions` and `without` are letters that are all, or not at all, in the deck; `deck` is
    the whole deck in any order.  `rulings` is as the tag, ``trolls=line``: those in force.
    `votes` is ``3-2`` (sides in order) or ``3:2`` (in any order).  `min_tricks` and
    `max_tricks` bound the number of tricks recorded.  `min_rating`: every player of the game
    is rated, and at least so high.

    `played`, `led` and `won` are cards ``K5`` or factions ``K``, anywhere or in a trick
    ``K5@3`` or tricks ``K5@1-13``; several must all hold.  `won` is the card that won the
    trick.  `upcard` alike.  `text` are words that must all occur in names, event, site,
    round, annotator, scenario or comments, in any case.
    """

    player: str | None = None
    seat: int | None = None
    partner: str | None = None
    opponent: str | None = None
    outcome: Literal["won", "lost", "shared"] | None = None
    event: str | None = None
    site: str | None = None
    round: str | None = None
    table: str | None = None
    since: str | None = None
    until: str | None = None
    factions: str | None = None
    without: str | None = None
    deck: str | None = None
    rules: str | None = None
    rulings: str | None = None
    seats: int | None = None
    leader: int | None = None
    result: str | None = None
    votes: str | None = None
    termination: str | None = None
    complete: bool | None = None
    min_tricks: int | None = None
    max_tricks: int | None = None
    min_rating: float | None = None
    played: tuple[str, ...] = ()
    led: tuple[str, ...] = ()
    won: tuple[str, ...] = ()
    upcard: tuple[str, ...] = ()
    text: str | None = None
