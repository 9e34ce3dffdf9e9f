"""Events: rounds, tables, crosstable, standings."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import Controller, Request, delete, get, post, put
from litestar.di import NamedDependency
from litestar.params import JSONBody, QueryParameter

from claimlog.api.handlers.games import by
from claimlog.api.http import schemas
from claimlog.api.http.addresses import VERSION
from claimlog.api.http.filters import Name, Why
from claimlog.api.http.operation import operation
from claimlog.api.http.responses import Answer, Created
from claimlog.api.resources import Resources
from claimlog.notation.names import LONGEST, composed
from claimlog.store import GameRow
from claimlog.store.model.types import (
    EventMerge,
    EventRow,
)


class EventController(Controller):
    """Events of the games."""

    path = "/events"
    tags = ("events",)

    @get("/{event_id:str}/tables", opt=operation(errors=(404,)))
    async def tables(
        self,
        resources: NamedDependency[Resources],
        event_id: Name,
        in_round: Annotated[
            str | None,
            QueryParameter(name="round", description="The round.", max_length=LONGEST),
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

    @put(
        "/{event_id:str}/tiebreaks",
        opt=operation(
            scope="direct",
            errors=(400, 404, 408, 409, 413, 415),
        ),
    )
    async def set_tiebreaks(
        self,
        request: Request[Any, Any, Any],
        resources: NamedDependency[Resources],
        event_id: Name,
        data: JSONBody[schemas.TieBreaks],
    ) -> Answer[EventRow]:
        """Choose the order of an event's tie-breaks.

        That of a directed event is in its plan; it is refused here.
        """
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
        """Rename an event; games submitted under the new name belong to it, too."""
        return Answer(
            await resources.write(
                lambda: resources.archive.rename_event(
                    event_id, data.name, by=by(request), why=data.why
                )
            )
        )

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
        """Merge another event into this one: from now on its games count as this one's."""
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
