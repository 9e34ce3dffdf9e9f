"""The arguments that choose games: the same for every list, export and statistic."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from litestar.params import PathParameter, QueryParameter

from claimlog.store import Filter

_NAME: Final = 200
_CARDS: Final = r"^[A-Za-z][0-9]{0,2}(@[0-9]{1,2}(-[0-9]{1,2})?)?$"
_DATE: Final = r"^[0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?$"

GameId = Annotated[
    str, PathParameter(description="The game's lasting id.", min_length=1, max_length=40)
]
Name = Annotated[str, PathParameter(description="An id or a name.", min_length=1, max_length=_NAME)]
Cursor = Annotated[
    str | None,
    QueryParameter(description="That of the page before; see the Link header.", max_length=2000),
]
Limit = Annotated[int, QueryParameter(description="How many on a page.", ge=1, le=1000)]
Search = Annotated[str, QueryParameter(description="A part of the name.", max_length=_NAME)]
Why = Annotated[str, QueryParameter(description="The reason, for the records.", max_length=1000)]


def _text(description: str) -> QueryParameter:
    return QueryParameter(description=description, max_length=_NAME)


def _cards(description: str) -> QueryParameter:
    return QueryParameter(
        description=f"{description}: a card `K5` or a faction `K`, in any trick, in one `K5@3` "
        "or in some `K5@1-13`; several must all hold.",
        max_items=10,
    )


def games_wanted(
    player: Annotated[str | None, _text("Who played: id, `Id` tag or name.")] = None,
    seat: Annotated[
        int | None, QueryParameter(description="The seat of `player`.", ge=1, le=4)
    ] = None,
    partner: Annotated[str | None, _text("The partner of `player`.")] = None,
    opponent: Annotated[str | None, _text("An opponent of `player`.")] = None,
    outcome: Annotated[
        Literal["won", "lost", "shared"] | None,
        QueryParameter(description="How it went for `player`."),
    ] = None,
    event: Annotated[str | None, _text("The event: id or name.")] = None,
    site: Annotated[str | None, _text("The site.")] = None,
    round: Annotated[str | None, _text("The round.")] = None,
    table: Annotated[str | None, _text("The table.")] = None,
    since: Annotated[
        str | None,
        QueryParameter(description="The first date: `2026`, `2026-11` or a day.", pattern=_DATE),
    ] = None,
    until: Annotated[
        str | None, QueryParameter(description="The last date, likewise.", pattern=_DATE)
    ] = None,
    factions: Annotated[
        str | None,
        QueryParameter(
            description="Letters of factions that are all in the deck.", pattern="^[A-Za-z]{1,17}$"
        ),
    ] = None,
    without: Annotated[
        str | None,
        QueryParameter(
            description="Letters of factions that are not in the deck.", pattern="^[A-Za-z]{1,17}$"
        ),
    ] = None,
    deck: Annotated[
        str | None,
        QueryParameter(
            description="The whole deck, in any order: `GKUWX`.", pattern="^[A-Za-z]{1,17}$"
        ),
    ] = None,
    rules: Annotated[str | None, _text("`LE2023` or `Classic`.")] = None,
    rulings: Annotated[str | None, _text("Rulings in force: `trolls=line`.")] = None,
    seats: Annotated[
        int | None, QueryParameter(description="The number of seats.", ge=2, le=4)
    ] = None,
    leader: Annotated[
        int | None, QueryParameter(description="The seat that led trick 1.", ge=1, le=4)
    ] = None,
    result: Annotated[str | None, _text("The result: `1-0`, `*`.")] = None,
    votes: Annotated[
        str | None, _text("Factions won: `3-2` in the order of sides, `3:2` in any.")
    ] = None,
    termination: Annotated[str | None, _text("How it ended: `normal`, `time` …")] = None,
    complete: Annotated[
        bool | None, QueryParameter(description="Whether all tricks are there.")
    ] = None,
    min_tricks: Annotated[
        int | None, QueryParameter(description="At least so many tricks.", ge=0, le=26)
    ] = None,
    max_tricks: Annotated[
        int | None, QueryParameter(description="At most so many tricks.", ge=0, le=26)
    ] = None,
    min_rating: Annotated[
        float | None,
        QueryParameter(
            description="Every player is rated, and at least so high.", ge=-100000, le=100000
        ),
    ] = None,
    played: Annotated[list[str] | None, _cards("Played")] = None,
    led: Annotated[list[str] | None, _cards("Led")] = None,
    won: Annotated[list[str] | None, _cards("Won the trick")] = None,
    upcard: Annotated[list[str] | None, _cards("Turned up")] = None,
    text: Annotated[
        str | None,
        _text("Words that all occur in names, event, site, round, annotator or comments."),
    ] = None,
) -> Filter:
    """Make the filter of a request (a Litestar dependency)."""
    return Filter(
        player=player,
        seat=seat,
        partner=partner,
        opponent=opponent,
        outcome=outcome,
        event=event,
        site=site,
        round=round,
        table=table,
        since=since,
        until=until,
        factions=factions,
        without=without,
        deck=deck,
        rules=rules,
        rulings=rulings,
        seats=seats,
        leader=leader,
        result=result,
        votes=votes,
        termination=termination,
        complete=complete,
        min_tricks=min_tricks,
        max_tricks=max_tricks,
        min_rating=min_rating,
        played=tuple(played or ()),
        led=tuple(led or ()),
        won=tuple(won or ()),
        upcard=tuple(upcard or ()),
        text=text,
    )
