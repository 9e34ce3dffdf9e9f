"""The director's pages: all directed events, one event with its rounds, pages to print."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Final, get_args

from litestar import Request, Response, get
from litestar.di import NamedDependency
from litestar.params import PathParameter, QueryParameter
from msgspec.structs import replace

from claimlog.api import directed
from claimlog.api.handlers.games import caller_of
from claimlog.api.http.filters import Name
from claimlog.api.http.problem import ApiError
from claimlog.api.pages.answering import LIVE, Place
from claimlog.api.pages.failing import sentence
from claimlog.api.resources import Resources
from claimlog.directing.counting import DEFAULT
from claimlog.directing.model import System, TableResult, TieBreak
from claimlog.directing.pairing.outcome import RELAXATIONS
from claimlog.language import translated, words
from claimlog.language.messages import error_words
from claimlog.replay.narration import isolated, plain
from claimlog.results import result_of, result_text
from claimlog.rules.setup import sides_of
from claimlog.store.model.errors import NotFound
from claimlog.web.printing import OF_A_ROUND, Printed, printed

if TYPE_CHECKING:
    from litestar.handlers import HTTPRouteHandler

    from claimlog.api.tables.schemas import TableRow
    from claimlog.directing.board import Board
    from claimlog.directing.pairing.outcome import Remark


@get("/desk", opt=LIVE)
async def desks(
    request: Request[Any, Any, Any], resources: NamedDependency[Resources]
) -> Response[bytes]:
    """The events that are directed here, and a form to create one."""
    place = Place(request)
    boards = await resources.read(resources.archive.desks)
    return place.page("desks.html", here="desk", boards=boards, systems=get_args(System))


@get("/events/{event_id:str}/desk", opt=LIVE)
async def desk(
    request: Request[Any, Any, Any], resources: NamedDependency[Resources], event_id: Name
) -> Response[bytes]:
    """One event as its director sees it, with everything that can be done now."""
    place = Place(request)
    board = await resources.read(lambda: resources.archive.desk(event_id))
    current = board.rounds[-1] if board.rounds else None
    # Only callers who may direct see what is still hidden from spectators.
    news = await directed.news(resources, board) if caller_of(request).may("direct") else []
    now = datetime.now(UTC)
    remarks = (
        await resources.read(lambda: resources.archive.pairing_remarks(event_id, current.number))
        if current is not None and current.state == "paired"
        else []
    )
    sides = sides_of(board.plan.seats)
    say = error_words(place.language)
    return place.page(
        "desk.html",
        here="desk",
        board=board,
        current=current,
        undoes=board.last and board.last.described(partial(translated, place.language)),
        remarks=[_isolated(one).worded(place.language) for one in remarks],
        live=await _live(resources, board),
        news={(one.round, one.number): one for one in reversed(news) if one.number is not None},
        strange=[one for one in news if one.number is None],
        silent=directed.silent(board, news, now),
        waiting=[board.entrant(one).name for one in (current.waiting if current else ())[:LONGEST]],
        ago=lambda at: minutes_ago(at, now),
        relaxations={one: say(f"relax.{one}") for one in RELAXATIONS},
        no_deck=sentence(say("typed.no-deck")),
        results=lambda result: choices(sides, result),
        systems=get_args(System),
        tiebreaks=get_args(TieBreak),
        usual=tuple(DEFAULT),
        at=lambda kind, which: f"/{kind}/{which}",
    )


def _isolated(remark: Remark) -> Remark:
    """Return a remark whose names are written in their own direction."""
    values = {
        name: isolated(value) if isinstance(value, str) else value
        for name, value in remark.values.items()
    }
    return replace(remark, values=values)


async def _live(resources: Resources, board: Board) -> dict[tuple[int, int], TableRow]:
    """Return the live tables of the rounds being watched, by round and table number."""
    return {
        (round.number, one.table.number): one.row
        for round in board.watched
        for one in reversed(await directed.tables_of(resources, board, round))
        if one.table is not None
    }


@get("/events/{event_id:str}/places", opt=LIVE)
async def places(
    request: Request[Any, Any, Any],
    resources: NamedDependency[Resources],
    event_id: Name,
    round_number: Annotated[
        int | None, QueryParameter(name="round", description="After this round.", ge=1)
    ] = None,
    entrant: Annotated[
        int | None, QueryParameter(description="Whose place is explained, by number.", ge=1)
    ] = None,
) -> Response[bytes]:
    """An explanation of an entrant's place, places by category, teams."""
    place = Place(request, ("round", "entrant"))
    archive = resources.archive

    def look() -> Response[bytes]:
        places = archive.places(event_id, round=round_number)
        board = archive.desk(event_id)
        why = archive.place_reasons(event_id, str(entrant), round=round_number) if entrant else []
        say = words(place.language)
        shared = [
            say.join([plain(board.entrant(one).name) for one in those]) for those in places.shared
        ]
        return place.page(
            "places.html",
            here="events",
            rows=places.lines,
            places=places,
            board=board,
            entrant=entrant,
            why=[one.worded(place.language) for one in why],
            order=[say(f"order.{one}") for one in places.tiebreaks],
            shared=shared,
        )

    return await resources.read(look)


@get("/events/{event_id:str}/print/{kind:str}", opt=LIVE)
async def print_page(
    request: Request[Any, Any, Any],
    resources: NamedDependency[Resources],
    event_id: Name,
    kind: Annotated[Printed, PathParameter(description="What is printed.")],
    round_number: Annotated[
        int | None, QueryParameter(name="round", description="The round.", ge=1)
    ] = None,
) -> Response[bytes]:
    """A page to print."""
    place = Place(request, ("round",))
    archive = resources.archive

    def look() -> bytes:
        if kind in OF_A_ROUND:
            board = archive.desk(event_id)
            number = round_number or len(board.rounds)
            if not 1 <= number <= len(board.rounds):
                raise NotFound("desk.not-paired", number=number)
            which = board.rounds[number - 1]
            return printed(kind, place.language, name=board.name, board=board, round=which)
        if kind == "prizes":
            ranking = archive.places(event_id, round=round_number)
            names = {one.number: one.name for one in archive.desk(event_id).entrants}
            return printed(kind, place.language, name=ranking.name, ranking=ranking, names=names)
        id = archive.event(event_id).id
        if archive.directed(id):
            board = archive.desk(id)
            if round_number is not None and round_number > len(board.rounds):
                raise NotFound("desk.not-paired", number=round_number)
            return printed(kind, place.language, name=board.name, board=board, after=round_number)
        until = None if round_number is None else str(round_number)
        standings = archive.standings(id, until_round=until)
        return printed(
            kind,
            place.language,
            name=standings.name,
            after=until,
            standings=standings,
            crosstable=archive.crosstable(id, until_round=until),
        )

    if not place.for_people:
        raise ApiError(406, "not-acceptable", "media.no-rows")
    return Response(await resources.read(look), media_type="text/html")


def choices(sides: int, result: TableResult | None) -> list[tuple[TableResult, bool]]:
    """Return the results to choose from, and which of them is a table's `result`.

    A result that is not usually offered, such as a recorded one, is the last.
    """
    chosen = None if result is None else replace(result, votes=())
    offered = RESULTS_OF[sides]
    more = [] if chosen is None or chosen in offered else [chosen]
    return [(one, one == chosen) for one in offered + more]


def _results(sides: int) -> list[TableResult]:
    """Return the results of games, then those where all sides but one, or all, are absent."""
    everybody = range(1, sides + 1)
    alone = [1 << side - 1 for side in everybody]
    several = [winners for winners in range(1 << sides) if winners.bit_count() > 1]
    played = [TableResult(result=result_text(result_of(sides, one))) for one in alone + several]
    return played + [
        TableResult(
            result=result_text(result_of(sides, one)),
            forfeit=tuple(side for side in everybody if not one >> side - 1 & 1),
        )
        for one in [*alone, 0]
    ]


RESULTS_OF: Final = {sides: _results(sides) for sides in (2, 3)}
"""The results to choose from, by the number of sides."""


def minutes_ago(at: datetime, now: datetime) -> int:
    """Whole minutes since a moment."""
    return max(int((now - at).total_seconds() // 60), 0)


LONGEST: Final = 6
"""How many of the entrants still waiting are named."""
HANDLERS: Final[list[HTTPRouteHandler]] = [desks, desk, places, print_page]
"""The handlers of this module."""
