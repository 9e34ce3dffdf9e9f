"""The desk of a directed event: entrants, rounds, results, and what was done."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeVar

import msgspec
from litestar import Controller, Request, get, post
from litestar.di import NamedDependency
from litestar.params import JSONBody, PathParameter

from claimlog.api import directed
from claimlog.api.handlers.games import by
from claimlog.api.http.addresses import VERSION
from claimlog.api.http.filters import Name, sign
from claimlog.api.http.languages import language_of
from claimlog.api.http.operation import operation
from claimlog.api.http.responses import Answer, Created
from claimlog.api.http.schemas import Text
from claimlog.api.resources import Resources
from claimlog.api.tables import schemas as tables
from claimlog.directing import acts
from claimlog.directing.board import (
    Board,
    BoardRound,
    BoardTable,
    Notice,
    StartedRound,
    TableLink,
    TableNews,
)
from claimlog.directing.desk import Entry
from claimlog.directing.model import Entrant, Number, Plan
from claimlog.directing.pairing.outcome import RELAXATIONS, PairedRound, Relaxation, Remark
from claimlog.directing.uploads import EnteredList
from claimlog.notation.names import LONGEST
from claimlog.store import ArchiveError, NotFound

if TYPE_CHECKING:
    from collections.abc import Callable

    from litestar.handlers import HTTPRouteHandler

    from claimlog.api.tokens import Scope

T = TypeVar("T")
RoundNumber = Annotated[int, PathParameter(description="The round, from 1.", ge=1, le=10_000)]
_ERRORS: Final = (400, 404, 408, 409, 412, 413, 415)
_RECORDED: Final = ("result", "confirm")
"""Acts that the scorers of tables may do, too."""


class _Body(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What all request bodies may contain."""

    why: Text = ""


class NewEvent(_Body, frozen=True, kw_only=True):
    """An event that is to be directed."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST)]
    plan: Plan = msgspec.field(default_factory=Plan)


class NewEntrants(_Body, frozen=True, kw_only=True):
    """New entrants; they get the next numbers."""

    entrants: Annotated[list[Entrant], msgspec.Meta(min_length=1, max_length=5000)]


class PairingRound(_Body, frozen=True, kw_only=True):
    """How the next round is paired: which rules may be relaxed."""

    relax: Annotated[list[Relaxation], msgspec.Meta(max_length=len(RELAXATIONS))] = []
    seen: Number | None = None


class NewList(_Body, frozen=True, kw_only=True):
    """A list as text, one entry per line."""

    text: Annotated[str, msgspec.Meta(min_length=1, max_length=2_000_000)]


class TypedResults(NewList, frozen=True, kw_only=True):
    """Results as a director types them, `7 1-0, 8 ½-½ 2-2`, for the round being played or another.

    `correct` also changes confirmed results, and those of a closed round.
    """

    round: Number | None = None
    correct: bool = False


class StartingRound(_Body, frozen=True, kw_only=True):
    """The start of a round."""


class Linking(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request for new links of a round."""


class ClosingRound(_Body, frozen=True, kw_only=True):
    """How a round is closed: whether games without a result are played later."""

    adjourn: bool = False


class Undoing(_Body, frozen=True, kw_only=True):
    """What to undo: the last act, if its number is `expected`."""

    expected: Number | None = None


class DeskController(Controller):
    """Events that are directed here."""

    tags = ("desk",)

    @get("/desks", opt=operation())
    async def desks(self, resources: NamedDependency[Resources]) -> Answer[list[Board]]:
        """All events directed here, latest first."""
        return Answer(await resources.read(resources.archive.desks))

    @post("/events", status_code=201, opt=operation(scope="direct", errors=_ERRORS))
    async def create_event(
        self,
        request: Request[Any, Any, Any],
        resources: NamedDependency[Resources],
        data: JSONBody[NewEvent],
    ) -> Created[Board]:
        """Start directing an event."""
        made = await _at_desk(
            resources,
            lambda: resources.archive.create_event(
                data.name, data.plan, by=by(request), why=data.why
            ),
        )
        return Created(made, headers={"Location": f"{VERSION}/events/{made.event}/desk"})

    @get("/events/{event_id:str}/desk", opt=operation(errors=(404,)))
    async def desk(self, resources: NamedDependency[Resources], event_id: Name) -> Answer[Board]:
        """The state of an event: entrants, rounds with their tables and results."""
        return Answer(await resources.read(lambda: resources.archive.desk(event_id)))

    @get("/events/{event_id:str}/desk/tables", opt=operation(scope="direct", errors=(404,)))
    async def desk_tables(
        self, resources: NamedDependency[Resources], event_id: Name
    ) -> Answer[list[TableNews]]:
        """The tables at which games of the current rounds are being recorded.

        They are shown as the director sees them, without the spectators' delay; `number` is null if
        the names match no table.
        """
        board = await resources.read(lambda: resources.archive.desk(event_id))
        return Answer(await directed.news(resources, board), headers={"Cache-Control": "no-store"})

    @get("/events/{event_id:str}/notice", opt=operation(cache=False, errors=(404,)))
    async def notice(self, resources: NamedDependency[Resources], event_id: Name) -> Answer[Notice]:
        """What all screens of an event show now: the clock of the round, and the announcement.

        `…/live` and the events of its tables also send it, as `event: notice`, when it changes.
        """
        notice = await resources.read(lambda: resources.archive.notice(event_id))
        return Answer(notice, headers={"Cache-Control": "no-store"})

    @get("/events/{event_id:str}/acts", opt=operation(errors=(404,)))
    async def desk_acts(
        self, resources: NamedDependency[Resources], event_id: Name
    ) -> Answer[list[Entry]]:
        """Everything done at the desk: who did what, when and why, including undone acts."""
        return Answer(await resources.read(lambda: resources.archive.desk_acts(event_id)))

    @post(
        "/events/{event_id:str}/entrants",
        status_code=200,
        opt=operation(scope="direct", errors=_ERRORS),
    )
    async def enter(
        self,
        request: Request[Any, Any, Any],
        resources: NamedDependency[Resources],
        event_id: Name,
        data: JSONBody[NewEntrants],
    ) -> Answer[Board]:
        """Enter players, including late ones."""
        return Answer(
            await _at_desk(
                resources,
                lambda: resources.archive.enter(
                    event_id, data.entrants, by=by(request), why=data.why
                ),
            )
        )

    @post(
        "/events/{event_id:str}/entrants/list",
        status_code=200,
        opt=operation(scope="direct", errors=_ERRORS),
    )
    async def enter_list(
        self,
        request: Request[Any, Any, Any],
        resources: NamedDependency[Resources],
        event_id: Name,
        data: JSONBody[NewList],
    ) -> Answer[EnteredList]:
        """Enter players from a list: CSV with a header row, one name per line, or TRF16.

        Lines that cannot be read are reported, in the language that Accept-Language prefers; all
        others are entered.
        """
        entered = await _at_desk(
            resources,
            lambda: resources.archive.enter_list(event_id, data.text, by=by(request), why=data.why),
        )
        return Answer(_worded(entered, request))

    @post(
        "/events/{event_id:str}/entrants/trf",
        status_code=200,
        opt=operation(scope="direct", errors=(*_ERRORS, 501)),
    )
    async def enter_trf(
        self,
        request: Request[Any, Any, Any],
        resources: NamedDependency[Resources],
        event_id: Name,
        data: JSONBody[NewList],
    ) -> Answer[EnteredList]:
        """Import an event with two players per game from TRF16: entrants, pairings, results.

        409 if anybody has been entered already.
        """
        entered = await _at_desk(
            resources,
            lambda: resources.archive.enter_trf(event_id, data.text, by=by(request), why=data.why),
        )
        return Answer(_worded(entered, request))

    @post(
        "/events/{event_id:str}/pair/list",
        status_code=200,
        opt=operation(scope="direct", errors=_ERRORS),
    )
    async def pair_list(
        self,
        request: Request[Any, Any, Any],
        resources: NamedDependency[Resources],
        event_id: Name,
        data: JSONBody[NewList],
    ) -> Answer[PairedRound]:
        """Pair the next round as listed, one table per line: `1; Anna Keller; Ben Roth`.

        409 with all lines that cannot be read; then nothing is paired.
        """
        return Answer(
            await _at_desk(
                resources,
                lambda: resources.archive.pair_list(
                    event_id, data.text, by=by(request), why=data.why
                ),
            )
        )

    @post(
        "/events/{event_id:str}/results/list",
        status_code=200,
        opt=operation(scope="direct", errors=_ERRORS),
    )
    async def enter_results(
        self,
        request: Request[Any, Any, Any],
        resources: NamedDependency[Resources],
        event_id: Name,
        data: JSONBody[TypedResults],
    ) -> Answer[EnteredList]:
        """Enter the results of many tables: `7 1-0, 8 ½-½ 2-2, 9 forfeit 2`, or one per line.

        Results that cannot be read or entered are reported, in the language that Accept-Language
        prefers; all others are entered.
        """
        entered = await _at_desk(
            resources,
            lambda: resources.archive.enter_results(
                event_id,
                data.text,
                by=by(request),
                why=data.why,
                round=data.round,
                correct=data.correct,
            ),
        )
        return Answer(_worded(entered, request))

    @post(
        "/events/{event_id:str}/pair",
        status_code=200,
        opt=operation(scope="direct", errors=(*_ERRORS, 501)),
    )
    async def pair_round(
        self,
        request: Request[Any, Any, Any],
        resources: NamedDependency[Resources],
        event_id: Name,
        data: JSONBody[PairingRound],
    ) -> Answer[PairedRound]:
        """Pair the next round by the event's system, or pair again one that has not started.

        409 if it cannot be paired, with the reason, the entrants and the rules to relax; 412 if a
        round was paired, changed, started or closed after the act that was `seen`; 501 if the
        server lacks the package for the system.
        """
        return Answer(
            await _at_desk(
                resources,
                lambda: resources.archive.pair_round(
                    event_id, by=by(request), why=data.why, relax=data.relax, seen=data.seen
                ),
            )
        )

    @get("/events/{event_id:str}/rounds/{round_number:int}/remarks", opt=operation(errors=(404,)))
    async def pairing_remarks(
        self,
        resources: NamedDependency[Resources],
        event_id: Name,
        round_number: RoundNumber,
    ) -> Answer[list[Remark]]:
        """Remarks for the director on the pairing of a round: rematches, second byes."""
        return Answer(
            await resources.read(lambda: resources.archive.pairing_remarks(event_id, round_number))
        )

    @post(
        "/events/{event_id:str}/rounds/{round_number:int}/start",
        status_code=200,
        opt=operation(scope="direct", errors=_ERRORS),
    )
    async def start_round(
        self,
        request: Request[Any, Any, Any],
        resources: NamedDependency[Resources],
        event_id: Name,
        round_number: RoundNumber,
        data: JSONBody[StartingRound],
    ) -> Answer[StartedRound]:
        """Start a round, and open a live table for each game that has a deck.

        The scorers' links contain the tokens of their tables, which are shown only once.
        """
        who = by(request)
        started = await _at_desk(
            resources,
            lambda: resources.archive.start_round(event_id, round_number, by=who, why=data.why),
        )
        board = started.desk
        links = await _links(request, resources, board, board.rounds[round_number - 1])
        headers = {"Cache-Control": "no-store"}
        return Answer(StartedRound(desk=board, links=tuple(links)), headers=headers)

    @post(
        "/events/{event_id:str}/rounds/{round_number:int}/links",
        status_code=200,
        opt=operation(scope="direct", errors=_ERRORS),
    )
    async def round_links(
        self,
        request: Request[Any, Any, Any],
        resources: NamedDependency[Resources],
        event_id: Name,
        round_number: RoundNumber,
        data: JSONBody[Linking],
    ) -> Answer[list[TableLink]]:
        """New links to the tables of a round without a result; earlier links remain valid."""
        board = await resources.read(lambda: resources.archive.desk(event_id))
        if not 1 <= round_number <= len(board.rounds):
            raise NotFound("desk.not-paired", number=round_number)
        which = board.rounds[round_number - 1]
        if not which.going:
            raise ArchiveError("desk.not-playing", number=round_number)
        links = await _links(request, resources, board, which)
        return Answer(links, headers={"Cache-Control": "no-store"})

    @post(
        "/events/{event_id:str}/rounds/{round_number:int}/close",
        status_code=200,
        opt=operation(scope="direct", errors=_ERRORS),
    )
    async def close_round(
        self,
        request: Request[Any, Any, Any],
        resources: NamedDependency[Resources],
        event_id: Name,
        round_number: RoundNumber,
        data: JSONBody[ClosingRound],
    ) -> Answer[Board]:
        """Close a round; 409 if games have no result, unless they are to be played later."""
        return Answer(
            await _at_desk(
                resources,
                lambda: resources.archive.close_round(
                    event_id, round_number, by=by(request), why=data.why, adjourn=data.adjourn
                ),
            )
        )

    @post(
        "/events/{event_id:str}/undo",
        status_code=200,
        opt=operation(scope="direct", errors=_ERRORS),
    )
    async def undo_act(
        self,
        request: Request[Any, Any, Any],
        resources: NamedDependency[Resources],
        event_id: Name,
        data: JSONBody[Undoing],
    ) -> Answer[Board]:
        """Undo the last act that has not been undone; a trace of it is kept."""
        return Answer(
            await _at_desk(
                resources,
                lambda: resources.archive.undo_act(
                    event_id, by=by(request), why=data.why, expected=data.expected
                ),
            )
        )


async def _at_desk(resources: Resources, work: Callable[[], T]) -> T:
    """Do something at a desk, and let all screens show it."""
    done = await resources.write(work)
    resources.tables.desk_changed()
    return done


def _worded(entered: EnteredList, request: Request[Any, Any, Any]) -> EnteredList:
    """Return the list with its problems in the language of the request."""
    language = language_of(request)
    problems = tuple(
        msgspec.structs.replace(one, text=one.worded(language)) for one in entered.problems
    )
    return msgspec.structs.replace(entered, problems=problems)


async def _links(
    request: Request[Any, Any, Any], resources: Resources, board: Board, round: BoardRound
) -> list[TableLink]:
    """Return links to all tables of a round without a result, opening those that are not open."""
    place, who = str(request.base_url).rstrip("/"), by(request)
    return [
        await _opened(resources, board, round, table, place, who)
        for table in round.tables
        if table.table.deck and table.result is None
    ]


async def _opened(
    resources: Resources, board: Board, round: BoardRound, table: BoardTable, place: str, who: str
) -> TableLink:
    """Open a live table for a game; if it is open already, make another link for the scorer."""
    players = [board.entrant(number).name for number in table.players]
    live = resources.tables
    for known in await directed.tables_of(resources, board, round):
        if known.table is table and known.live.state == "open":
            token, _ = await live.token(known.live, "", who)
            return _link(place, round, table, known.live.id, token)
    new = tables.NewTable(
        deck=table.table.deck,
        players=players,
        leader=table.table.leader,
        rules=board.plan.rules,
        rulings=board.plan.rulings,
        site=board.plan.site or None,
        delay=board.plan.late,
        event=board.name,
        round=str(round.number),
        table=str(table.number),
    )
    shown, token = await live.open(new, who)
    return _link(place, round, table, shown.id, token)


def _link(place: str, round: BoardRound, table: BoardTable, id: str, token: str) -> TableLink:
    watch = f"{place}/tables/{id}"
    return TableLink(
        table=table.number,
        id=id,
        scorer=f"{watch}#token={token}",
        watch=watch,
        round=round.number,
        players=table.players,
    )


def _doing(verb: str, kind: type[acts.Act]) -> HTTPRouteHandler:
    """Return the operation that does an act at a desk: its body has the fields of the act."""
    fields = [
        (one.encode_name, one.type, *([] if one.required else [one.default]))
        for one in msgspec.structs.fields(kind)
    ]
    body = msgspec.defstruct(
        f"Desk{kind.__name__}",
        [*fields, ("expected", Number | None, None), ("seen", Number | None, None)],
        bases=(_Body,),
        frozen=True,
        kw_only=True,
        module=__name__,
        namespace={"__doc__": kind.__doc__},
    )
    scope: Scope = "record" if verb in _RECORDED else "direct"

    async def handle(request: Any, resources: Resources, event_id: str, data: Any) -> Answer[Any]:
        act, who = kind(**{name: getattr(data, name) for name, *_ in fields}), by(request)
        board = await _at_desk(
            resources,
            lambda: resources.archive.direct(
                event_id, act, by=who, why=data.why, expected=data.expected, seen=data.seen
            ),
        )
        if isinstance(act, acts.Planned) and board.played:
            for one in await directed.tables_of(resources, board, board.played):
                await resources.tables.set_delay(one.live, board.plan.late, who)
        return Answer(board)

    handle.__name__, handle.__doc__ = f"desk_{verb}", kind.__doc__
    annotations: dict[str, Any] = {
        "request": Request,
        "resources": NamedDependency[Resources],
        "event_id": Name,
        "data": JSONBody[body],  # type: ignore[valid-type,misc]
    }
    parameters = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=annotation)
        for name, annotation in annotations.items()
    ]
    sign(handle, parameters, Answer[Board])
    return post(
        f"/events/{{event_id:str}}/desk/{verb}",
        status_code=200,
        tags=["desk"],
        opt=operation(scope=scope, errors=_ERRORS),
    )(handle)


HANDLERS: Final[list[HTTPRouteHandler]] = [_doing(verb, kind) for verb, kind in acts.DIRECT.items()]
"""The operations for acts that take only their own fields."""
