"""Events: rounds, tables, crosstable, standings."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any

from litestar import Controller, Request, delete, get, post, put
from litestar.di import NamedDependency
from litestar.params import JSONBody, QueryParameter

from claimlog.api.handlers.games import by
from claimlog.api.http import schemas
from claimlog.api.http.addresses import VERSION
from claimlog.api.http.filters import Cursor, Limit, Name, Search, Total, Undone, Why
from claimlog.api.http.operation import operation
from claimlog.api.http.responses import Answer, Created, Page
from claimlog.api.resources import Resources
from claimlog.notation.names import composed
from claimlog.store import Filter, GameRow
from claimlog.store.model.filter import EventSort
from claimlog.store.model.types import (
    Crosstable,
    EventMerge,
    EventName,
    EventPage,
    EventRow,
    Ranks,
    RoundRow,
    Standings,
    TeamStandings,
    TieBreak,
)
from claimlog.store.questions.events import in_utc

Order = Annotated[
    list[TieBreak] | None,
    QueryParameter(
        description="Tie-breaks in their order; without them the event's.",
        max_items=7,
        schema_extra={"uniqueItems": True},
    ),
]
UntilRound = Annotated[str | None, QueryParameter(description="After this round.", max_length=200)]
KnownAt = Annotated[
    datetime | None,
    QueryParameter(description="As the archive knew it then; without an offset in UTC."),
]


def _utc(moment: datetime | None) -> datetime | None:
    return None if moment is None else in_utc(moment).replace(tzinfo=UTC)


class EventController(Controller):
    """Events of the games."""

    path = "/events"
    tags = ("events",)

    @get(opt=operation(errors=(400,)))
    async def list_events(
        self,
        request: Request[Any, Any, Any],
        resources: NamedDependency[Resources],
        which: NamedDependency[Filter],
        search: Search = "",
        sort: Annotated[EventSort, QueryParameter(description="The order.")] = "last",
        limit: Limit = 50,
        cursor: Cursor = None,
        total: Total = False,
    ) -> Page[EventPage]:
        """Events of the games that the filter lets through."""
        page = await resources.read(
            lambda: resources.archive.events(
                which, search=search, sort=sort, limit=limit, cursor=cursor, total=total
            )
        )
        return Page(page, request, page.cursor)

    @get("/{event_id:str}", opt=operation(errors=(404,)))
    async def event(
        self, resources: NamedDependency[Resources], event_id: Name
    ) -> Answer[EventRow]:
        """One event."""
        return Answer(await resources.read(lambda: resources.archive.event(event_id)))

    @get("/{event_id:str}/rounds", opt=operation(errors=(404,)))
    async def rounds(
        self, resources: NamedDependency[Resources], event_id: Name
    ) -> Answer[list[RoundRow]]:
        """The rounds of an event with their tables."""
        return Answer(await resources.read(lambda: resources.archive.rounds(event_id)))

    @get("/{event_id:str}/tables", opt=operation(errors=(404,)))
    async def tables(
        self,
        resources: NamedDependency[Resources],
        event_id: Name,
        in_round: Annotated[
            str | None,
            QueryParameter(name="round", description="Of this round.", max_length=200),
        ] = None,
    ) -> Answer[list[GameRow]]:
        """The games of an event by round and table."""

        def make() -> list[GameRow]:
            rounds = resources.archive.rounds(event_id)
            return [
                game
                for row in rounds
                if in_round is None or row.round == composed(in_round)
                for game in row.tables
            ]

        return Answer(await resources.read(make))

    @get("/{event_id:str}/standings", opt=operation(errors=(400, 404)))
    async def standings(
        self,
        resources: NamedDependency[Resources],
        which: NamedDependency[Filter],
        event_id: Name,
        tiebreaks: Order = None,
        until_round: UntilRound = None,
        known_at: KnownAt = None,
    ) -> Answer[Standings]:
        """The standings: now, after a round, by a date (`until`), or as they were known once."""
        return Answer(
            await resources.read(
                lambda: resources.archive.standings(
                    event_id,
                    which,
                    tiebreaks=tiebreaks,
                    until_round=until_round,
                    until=which.until,
                    known_at=_utc(known_at),
                )
            )
        )

    @get("/{event_id:str}/teams", opt=operation(errors=(400, 404)))
    async def teams(
        self,
        resources: NamedDependency[Resources],
        which: NamedDependency[Filter],
        event_id: Name,
        tiebreaks: Order = None,
        until_round: UntilRound = None,
        known_at: KnownAt = None,
    ) -> Answer[TeamStandings]:
        """The standings of teams: who sat on one side in games of four."""
        return Answer(
            await resources.read(
                lambda: resources.archive.team_standings(
                    event_id,
                    which,
                    tiebreaks=tiebreaks,
                    until_round=until_round,
                    until=which.until,
                    known_at=_utc(known_at),
                )
            )
        )

    @get("/{event_id:str}/ranks", opt=operation(errors=(400, 404)))
    async def ranks(
        self,
        resources: NamedDependency[Resources],
        which: NamedDependency[Filter],
        event_id: Name,
        tiebreaks: Order = None,
    ) -> Answer[Ranks]:
        """Rank and points of everybody after each round."""
        return Answer(
            await resources.read(
                lambda: resources.archive.ranks(event_id, which, tiebreaks=tiebreaks)
            )
        )

    @get("/{event_id:str}/crosstable", opt=operation(errors=(400, 404)))
    async def crosstable(
        self,
        resources: NamedDependency[Resources],
        which: NamedDependency[Filter],
        event_id: Name,
        tiebreaks: Order = None,
        until_round: UntilRound = None,
        known_at: KnownAt = None,
    ) -> Answer[Crosstable]:
        """Everybody against everybody, with the arguments of the standings."""
        return Answer(
            await resources.read(
                lambda: resources.archive.crosstable(
                    event_id,
                    which,
                    tiebreaks=tiebreaks,
                    until_round=until_round,
                    until=which.until,
                    known_at=_utc(known_at),
                )
            )
        )

    @put(
        "/{event_id:str}/tiebreaks",
        opt=operation(
            scope="direct",
            errors=(400, 404, 408, 413, 415),
        ),
    )
    async def set_tiebreaks(
        self,
        request: Request[Any, Any, Any],
        resources: NamedDependency[Resources],
        event_id: Name,
        data: JSONBody[schemas.TieBreaks],
    ) -> Answer[EventRow]:
        """Choose the order in which an event's ties are broken."""
        return Answer(
            await resources.write(
                lambda: resources.archive.set_tiebreaks(event_id, data.tiebreaks, by=by(request))
            )
        )

    @put(
        "/{event_id:str}/name",
        opt=operation(scope="direct", errors=(400, 404, 408, 409, 413, 415)),
    )
    async def rename_event(
        self,
        request: Request[Any, Any, Any],
        resources: NamedDependency[Resources],
        event_id: Name,
        data: JSONBody[schemas.NewName],
    ) -> Answer[EventRow]:
        """Call an event by another name; games handed in under that name are its own, too."""
        return Answer(
            await resources.write(
                lambda: resources.archive.rename_event(
                    event_id, data.name, by=by(request), why=data.why
                )
            )
        )

    @get("/{event_id:str}/names", opt=operation(errors=(404,)))
    async def event_names(
        self, resources: NamedDependency[Resources], event_id: Name
    ) -> Answer[list[EventName]]:
        """The names that an event was given, by whom, when and why."""
        return Answer(await resources.read(lambda: resources.archive.event_names(event_id)))

    @post(
        "/{event_id:str}/aliases",
        status_code=201,
        opt=operation(scope="direct", errors=(400, 404, 408, 409, 413, 415)),
    )
    async def merge_events(
        self,
        request: Request[Any, Any, Any],
        resources: NamedDependency[Resources],
        event_id: Name,
        data: JSONBody[schemas.NewEventAlias],
    ) -> Created[EventMerge]:
        """Say that another event is this one: from now on the other's games are this one's."""
        merge = await resources.write(
            lambda: resources.archive.merge_events(
                data.alias, event_id, by=by(request), why=data.why
            )
        )
        return Created(merge, headers={"Location": f"{VERSION}/events/{merge.event}"})

    @delete(
        "/{event_id:str}/aliases/{alias:str}",
        status_code=204,
        opt=operation(scope="direct", errors=(404,)),
    )
    async def split_event(
        self,
        request: Request[Any, Any, Any],
        resources: NamedDependency[Resources],
        event_id: Name,
        alias: Name,
        why: Why = "",
    ) -> None:
        """Undo a merge; 404 if the other event is not merged into this one. A trace is kept."""
        await resources.write(
            lambda: resources.archive.split_event(alias, by=by(request), why=why, event=event_id)
        )


class EventMergeController(Controller):
    """Events that were merged."""

    path = "/event-merges"
    tags = ("events",)

    @get(opt=operation(errors=(400,)))
    async def event_merges(
        self, resources: NamedDependency[Resources], undone: Undone = False
    ) -> Answer[list[EventMerge]]:
        """All merges of events in force, with `undone` also those that were undone."""
        return Answer(await resources.read(lambda: resources.archive.event_merges(undone=undone)))
