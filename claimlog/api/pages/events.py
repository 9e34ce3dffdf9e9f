"""Pages about events: the list, one event, and the screen on the wall."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Final
from urllib.parse import quote

import msgspec
from litestar import Request, Response, get
from litestar.di import NamedDependency
from litestar.params import QueryParameter

from claimlog.api.begun import begun
from claimlog.api.event_names import names_at_tables
from claimlog.api.http.filters import Cursor, Name, Search
from claimlog.api.http.media_types import JSON
from claimlog.api.http.rows import standings_rows
from claimlog.api.pages.answering import LIVE, Place, list_page, listed
from claimlog.api.pages.home import live_tables
from claimlog.api.resources import Resources
from claimlog.language import site_words
from claimlog.notation.names import folded
from claimlog.replay.narration import plain
from claimlog.rules.setup import sides_of
from claimlog.store.model.filter import EventSort, Filter
from claimlog.store.model.types import Standings

if TYPE_CHECKING:
    from litestar.handlers import HTTPRouteHandler

    from claimlog.api.tables.schemas import TableRow

SORTS: Final[tuple[EventSort, ...]] = ("last", "name", "players", "rounds", "games")
CROSS: Final = 40
"""Players; a larger crosstable would be unreadable."""
LAST: Final = 40
"""Games of the last round on a page."""
LINES: Final = 200
"""Lines of standings on a page."""
TEAMS: Final = 50
"""Teams on a page, as any two players may have been one."""
OTHER_WORDS: Final = {
    "adjourned": "page.adjourned",
    "bye": "site.print.bye",
    "forfeit": "site.desk.forfeit",
}
"""Texts of the wall's script besides `site.wall.…`."""


@get("/events", opt=LIVE)
async def events(
    request: Request[Any, Any, Any],
    resources: NamedDependency[Resources],
    search: Search = "",
    sort: Annotated[EventSort, QueryParameter(description="The order.")] = "last",
    cursor: Cursor = None,
) -> Response[bytes]:
    """All events, and first those that so far have only open tables."""
    place = Place(request, ("search", "sort", "cursor"))
    wanted = folded(search)
    first = place.for_people and cursor is None
    those = await begun(resources, lambda name: wanted in name) if first else {}
    return await list_page(place, resources, "events", sort, search, cursor, begun=those)


async def _tables(resources: Resources, event: str) -> list[TableRow]:
    """Return the open tables of the event with this name; none if the archive knows it."""
    wanted = folded(event)
    found = await begun(resources, lambda name: name == wanted)
    return [row for rows in found.values() for row in rows]


@get("/events/{event_id:str}", opt=LIVE)
async def event(
    request: Request[Any, Any, Any], resources: NamedDependency[Resources], event_id: Name
) -> Response[bytes]:
    """One event: its standings, its crosstable, its rounds, its tables.

    Of an event that has only open tables, those.  With `results=hidden` no results are shown, for
    people who want to watch the games first.
    """
    place = Place(request, ("results",))
    archive = resources.archive
    if tables := await _tables(resources, event_id):
        name = tables[0].event or ""
        return place.page("event-begun.html", here="events", name=name, tables=tables)
    full = await resources.read(
        lambda: resources.stale_cache.get(
            ("event", event_id), lambda: archive.event_in_full(event_id, most=CROSS, games=LAST)
        )
    )
    row = full.event
    names = await names_at_tables(resources, row.id, row.name)
    live = await live_tables(resources, lambda one: one.event in names)

    def look() -> Response[bytes]:
        directed = archive.directed(row.id)
        # An entrant who has no recorded game has no page.
        known = (
            {one.id for one in archive.players(Filter(event=row.id), limit=1000).players}
            if directed
            else None
        )

        def at(kind: str, which: str) -> str:
            absent = kind == "players" and known is not None and which not in known
            return "" if absent else f"/{kind}/{quote(which, safe='')}"

        return place.page(
            "event.html",
            here="events",
            rows=standings_rows(full.standings),
            event=row,
            board=archive.desk(row.id) if directed else None,
            ranking=archive.places(row.id) if directed else None,
            at=at,
            live=live,
            standings=_cut(full.standings),
            more=len(full.standings.lines) - LINES,
            teams=_cut(full.teams, TEAMS),
            more_teams=len(full.teams.lines) - TEAMS,
            crosstable=full.crosstable,
            rounds=full.rounds,
            last=next(reversed(full.rounds), None),
            games=full.games,
            overruled=archive.overruled(full.games),
            hidden=place.results_hidden,
        )

    return await resources.read(look)


@get("/events/{event_id:str}/round", opt=LIVE)
async def last_round(
    request: Request[Any, Any, Any], resources: NamedDependency[Resources], event_id: Name
) -> Response[bytes]:
    """The last round, for the wall: number, tables, byes.

    Of each table the players by side, the result, and whether it was a forfeit.
    """
    Place(request)
    archive = resources.archive
    only_open = await _tables(resources, event_id)

    def look() -> Response[bytes]:
        if only_open:
            return _round(None, [], [])
        row = archive.event(event_id)
        number, tables, byes = None, [], []
        board = archive.desk(row.id) if archive.directed(row.id) else None
        if board is not None and board.rounds:
            current = board.rounds[-1]
            number = str(current.number)
            for one in current.tables:
                names = [
                    [entrant.name for entrant in board.side(one, side)]
                    for side in range(one.table.sides)
                ]
                result, forfeit = "", False
                if one.result is not None:
                    result, forfeit = one.result.result, bool(one.result.forfeit)
                tables.append([str(one.number), names, result, forfeit])
            byes = [board.entrant(one.entrant).name for one in current.byes]
        elif last := resources.stale_cache.get(
            # Every wall asks again after every change.
            ("last round", row.id),
            lambda: archive.rounds(row.id)[-1:],
        ):
            number = last[0].round
            for game in last[0].tables:
                sides = sides_of(game.seats)
                names = [
                    [seat.name or "?" for seat in game.players[side::sides]]
                    for side in range(sides)
                ]
                forfeit = game.termination == "forfeit"
                tables.append([game.table or "", names, game.result, forfeit])
        return _round(number, tables, byes)

    return await resources.read(look)


def _round(number: str | None, tables: list[Any], byes: list[str]) -> Response[bytes]:
    body = {"number": number and plain(number), "tables": tables, "byes": byes}
    return Response(msgspec.json.encode(body), media_type=JSON)


@get("/events/{event_id:str}/wall", opt=LIVE)
async def wall(
    request: Request[Any, Any, Any],
    resources: NamedDependency[Resources],
    event_id: Name,
    seconds: Annotated[
        int, QueryParameter(description="How long each page stays.", ge=3, le=120)
    ] = 12,
) -> Response[bytes]:
    """A screen for the wall: it turns its pages by itself, and shows changes at once."""
    place = Place(request, ("seconds",))
    archive = resources.archive
    only_open = await _tables(resources, event_id)

    def look() -> Response[bytes]:
        if only_open:
            standings = _none_yet(only_open[0].event or "")
        else:
            standings = archive.standings(event_id)
            if not standings.lines:
                archive.event(event_id)  # raises NotFound if it has no games any more
        texts = site_words(place.language).texts
        return place.page(
            "wall.html",
            seconds=seconds,
            standings=_cut(standings),
            wall_words=json.dumps(
                {
                    key.removeprefix("site.wall."): text
                    for key, text in texts.items()
                    if key.startswith("site.wall.")
                }
                | {name: texts[key] for name, key in OTHER_WORDS.items()}
            ),
        )

    return await resources.read(look)


def _none_yet(event: str) -> Standings:
    """Return the standings of an event of which no game is stored."""
    return Standings(
        event=event,
        name=event,
        tiebreaks=[],
        until_round=None,
        until=None,
        known_at=None,
        games=0,
        unfinished=0,
        lines=[],
    )


def _cut(standings: Any, most: int = LINES) -> Any:
    """Return standings with at most `most` lines."""
    return msgspec.structs.replace(standings, lines=standings.lines[:most])


AHEAD: Final = tuple(partial(listed, kind="events", sort=sort) for sort in SORTS)
"""Computed in advance: the orders that the page offers."""
HANDLERS: Final[list[HTTPRouteHandler]] = [events, event, last_round, wall]
"""The handlers of this module."""
