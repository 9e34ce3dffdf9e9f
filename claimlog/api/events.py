"""Events: rounds, tables, crosstable, standings."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any

from litestar import Controller, Request, Response, get, put
from litestar.di import NamedDependency
from litestar.params import JSONBody, QueryParameter

from claimlog.api import answers, schemas
from claimlog.api.doc import operation
from claimlog.api.filters import Cursor, Limit, Name, Search
from claimlog.api.games import by
from claimlog.api.negotiate import JSON
from claimlog.api.service import Service
from claimlog.store import Filter, GameRow
from claimlog.store.types import (
    Crosstable,
    EventPage,
    EventRow,
    RoundRow,
    Standings,
    TieBreak,
)

Order = Annotated[
    list[TieBreak] | None,
    QueryParameter(description="Tie-breaks in their order; without them the event's.", max_items=7),
]
UntilRound = Annotated[str | None, QueryParameter(description="After this round.", max_length=200)]
KnownAt = Annotated[
    datetime | None,
    QueryParameter(description="As the archive knew it then; without an offset in UTC."),
]


def _utc(moment: datetime | None) -> datetime | None:
    if moment is None:
        return None
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


class EventController(Controller):
    """Events of the games."""

    path = "/events"
    tags = ("events",)

    @get(opt=operation(EventPage, errors=(400,), headers={"Link": "The next page and the first."}))
    async def list_events(
        self,
        request: Request[Any, Any, Any],
        service: NamedDependency[Service],
        which: NamedDependency[Filter],
        search: Search = "",
        limit: Limit = 50,
        cursor: Cursor = None,
    ) -> Response[bytes]:
        """Events of the games that the filter lets through, the one played last first."""
        page = await service.run(
            lambda: service.archive.events(which, search=search, limit=limit, cursor=cursor)
        )
        return answers.page(request, page, page.cursor)

    @get("/{event_id:str}", opt=operation(EventRow, errors=(404,)))
    async def event(self, service: NamedDependency[Service], event_id: Name) -> Response[bytes]:
        """One event."""
        return answers.json(await service.run(lambda: service.archive.event(event_id)))

    @get("/{event_id:str}/rounds", opt=operation(list[RoundRow], errors=(404,)))
    async def rounds(self, service: NamedDependency[Service], event_id: Name) -> Response[bytes]:
        """The rounds of an event with their tables."""
        return answers.json(await service.run(lambda: service.archive.rounds(event_id)))

    @get("/{event_id:str}/tables", opt=operation(list[GameRow], errors=(404,)))
    async def tables(
        self,
        service: NamedDependency[Service],
        event_id: Name,
        in_round: Annotated[
            str | None,
            QueryParameter(name="round", description="Of this round.", max_length=200),
        ] = None,
    ) -> Response[bytes]:
        """The games of an event by round and table."""

        def make() -> list[GameRow]:
            rounds = service.archive.rounds(event_id)
            return [
                game
                for row in rounds
                if in_round is None or row.round == in_round
                for game in row.tables
            ]

        return answers.json(await service.run(make))

    @get("/{event_id:str}/standings", opt=operation(Standings, errors=(400, 404)))
    async def standings(
        self,
        service: NamedDependency[Service],
        which: NamedDependency[Filter],
        event_id: Name,
        tiebreaks: Order = None,
        until_round: UntilRound = None,
        known_at: KnownAt = None,
    ) -> Response[bytes]:
        """The standings: now, after a round, by a date (`until`), or as they were known once."""
        return answers.json(
            await service.run(
                lambda: service.archive.standings(
                    event_id,
                    which,
                    tiebreaks=tiebreaks,
                    until_round=until_round,
                    until=which.until,
                    known_at=_utc(known_at),
                )
            )
        )

    @get("/{event_id:str}/crosstable", opt=operation(Crosstable, errors=(400, 404)))
    async def crosstable(
        self,
        service: NamedDependency[Service],
        which: NamedDependency[Filter],
        event_id: Name,
        tiebreaks: Order = None,
        until_round: UntilRound = None,
        known_at: KnownAt = None,
    ) -> Response[bytes]:
        """Everybody against everybody, with the arguments of the standings."""
        return answers.json(
            await service.run(
                lambda: service.archive.crosstable(
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
            EventRow,
            scope="direct",
            body={JSON: schemas.TieBreaks},
            errors=(400, 404, 408, 413, 415),
        ),
    )
    async def set_tiebreaks(
        self,
        request: Request[Any, Any, Any],
        service: NamedDependency[Service],
        event_id: Name,
        data: JSONBody[schemas.TieBreaks],
    ) -> Response[bytes]:
        """Choose the order in which an event's ties are broken."""
        return answers.json(
            await service.run(
                lambda: service.archive.set_tiebreaks(event_id, data.tiebreaks, by=by(request))
            )
        )
