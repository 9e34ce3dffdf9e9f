"""Players: who they are, how they did, against whom."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from litestar import Controller, Request, Response, delete, get, post
from litestar.di import NamedDependency
from litestar.params import JSONBody, QueryParameter

from claimlog.api import answers, schemas
from claimlog.api.doc import operation
from claimlog.api.filters import Cursor, Limit, Name, Search, Why
from claimlog.api.games import by
from claimlog.api.negotiate import JSON
from claimlog.api.service import Service
from claimlog.store import Filter
from claimlog.store.types import HeadToHead, Merge, PlayerPage, PlayerProfile


class PlayerController(Controller):
    """Players of the games."""

    path = "/players"
    tags = ("players",)

    @get(opt=operation(PlayerPage, errors=(400,), headers={"Link": "The next page and the first."}))
    async def list_players(
        self,
        request: Request[Any, Any, Any],
        service: NamedDependency[Service],
        which: NamedDependency[Filter],
        search: Search = "",
        sort: Annotated[
            Literal["games", "name", "rate", "last"], QueryParameter(description="The order.")
        ] = "games",
        limit: Limit = 50,
        cursor: Cursor = None,
    ) -> Response[bytes]:
        """Players of the games that the filter lets through."""
        page = await service.run(
            lambda: service.archive.players(
                which, search=search, sort=sort, limit=limit, cursor=cursor
            )
        )
        return answers.page(request, page, page.cursor)

    @get("/{player_id:str}", opt=operation(PlayerProfile, errors=(400, 404)))
    async def player(
        self,
        service: NamedDependency[Service],
        which: NamedDependency[Filter],
        player_id: Name,
    ) -> Response[bytes]:
        """A player's profile over the games that the filter lets through."""
        return answers.json(await service.run(lambda: service.archive.player(player_id, which)))

    @get(
        "/{player_id:str}/against/{opponent_id:str}",
        opt=operation(HeadToHead, errors=(400, 404)),
    )
    async def head_to_head(
        self,
        service: NamedDependency[Service],
        which: NamedDependency[Filter],
        player_id: Name,
        opponent_id: Name,
        limit: Annotated[
            int, QueryParameter(description="How many of the newest games.", ge=0, le=200)
        ] = 20,
    ) -> Response[bytes]:
        """Two players against each other, and together as partners."""
        return answers.json(
            await service.run(
                lambda: service.archive.head_to_head(player_id, opponent_id, which, limit=limit)
            )
        )

    @post(
        "/{player_id:str}/aliases",
        status_code=201,
        opt=operation(
            scope="direct",
            answers={201: {JSON: Merge}},
            body={JSON: schemas.NewAlias},
            errors=(400, 404, 408, 409, 413, 415),
        ),
    )
    async def merge(
        self,
        request: Request[Any, Any, Any],
        service: NamedDependency[Service],
        player_id: Name,
        data: JSONBody[schemas.NewAlias],
    ) -> Response[bytes]:
        """Say that another player is this one: from now on the other's games are this one's."""
        merge = await service.run(
            lambda: service.archive.merge_players(
                data.alias, player_id, by=by(request), why=data.why
            )
        )
        return answers.json(merge, status=201)

    @delete(
        "/{player_id:str}/aliases/{alias:str}",
        status_code=204,
        opt=operation(scope="direct", answers={204: None}, errors=(404,)),
    )
    async def split(
        self,
        request: Request[Any, Any, Any],
        service: NamedDependency[Service],
        player_id: Name,
        alias: Name,
        why: Why = "",
    ) -> None:
        """Undo a merge."""
        await service.run(lambda: service.archive.split_player(alias, by=by(request), why=why))


class MergeController(Controller):
    """Aliases that were merged."""

    path = "/merges"
    tags = ("players",)

    @get(opt=operation(list[Merge]))
    async def merges(self, service: NamedDependency[Service]) -> Response[bytes]:
        """All merges in force."""
        return answers.json(await service.run(service.archive.merges))
