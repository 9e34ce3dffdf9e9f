"""Players: who they are, how they did, against whom."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import Controller, Request, delete, get, post
from litestar.di import NamedDependency
from litestar.params import JSONBody, QueryParameter

from claimlog.api.handlers.games import by
from claimlog.api.http import schemas
from claimlog.api.http.addresses import VERSION
from claimlog.api.http.filters import Cursor, Limit, MinGames, Name, Search, Total, Undone, Why
from claimlog.api.http.operation import operation
from claimlog.api.http.responses import Answer, Created, Page
from claimlog.api.resources import Resources
from claimlog.store import Filter
from claimlog.store.model.filter import PlayerSort
from claimlog.store.model.types import (
    HeadToHead,
    Merge,
    Performance,
    PlayerPage,
    PlayerProfile,
    Streaks,
)


class PlayerController(Controller):
    """Players of the games."""

    path = "/players"
    tags = ("players",)

    @get(opt=operation(errors=(400,)))
    async def list_players(
        self,
        request: Request[Any, Any, Any],
        resources: NamedDependency[Resources],
        which: NamedDependency[Filter],
        search: Search = "",
        sort: Annotated[PlayerSort, QueryParameter(description="The order.")] = "games",
        limit: Limit = 50,
        cursor: Cursor = None,
        min_games: MinGames = 0,
        total: Total = False,
    ) -> Page[PlayerPage]:
        """Players of the games that the filter lets through."""
        page = await resources.read(
            lambda: resources.archive.players(
                which,
                search=search,
                sort=sort,
                limit=limit,
                cursor=cursor,
                min_games=min_games,
                total=total,
            )
        )
        return Page(page, request, page.cursor)

    @get("/{player_id:str}", opt=operation(errors=(400, 404)))
    async def player(
        self,
        resources: NamedDependency[Resources],
        which: NamedDependency[Filter],
        player_id: Name,
    ) -> Answer[PlayerProfile]:
        """A player's profile over the games that the filter lets through."""
        return Answer(await resources.read(lambda: resources.archive.player(player_id, which)))

    @get("/{player_id:str}/streaks", opt=operation(errors=(400, 404)))
    async def streaks(
        self,
        resources: NamedDependency[Resources],
        mine: NamedDependency[Filter],
        player_id: Name,
    ) -> Answer[Streaks]:
        """The longest streaks of a player, and the one that goes on."""
        return Answer(await resources.read(lambda: resources.archive.streaks(player_id, mine)))

    @get("/{player_id:str}/performance", opt=operation(errors=(400, 404)))
    async def performance(
        self,
        resources: NamedDependency[Resources],
        mine: NamedDependency[Filter],
        player_id: Name,
    ) -> Answer[Performance]:
        """The rating performance of a player."""
        return Answer(await resources.read(lambda: resources.archive.performance(player_id, mine)))

    @get(
        "/{player_id:str}/against/{opponent_id:str}",
        opt=operation(errors=(400, 404)),
    )
    async def head_to_head(
        self,
        resources: NamedDependency[Resources],
        which: NamedDependency[Filter],
        player_id: Name,
        opponent_id: Name,
        limit: Annotated[
            int, QueryParameter(description="How many of the newest games.", ge=1, le=1000)
        ] = 20,
    ) -> Answer[HeadToHead]:
        """Two players against each other, and together as partners."""
        return Answer(
            await resources.read(
                lambda: resources.archive.head_to_head(player_id, opponent_id, which, limit=limit)
            )
        )

    @post(
        "/{player_id:str}/aliases",
        status_code=201,
        opt=operation(
            scope="direct",
            errors=(400, 404, 408, 409, 413, 415),
        ),
    )
    async def merge(
        self,
        request: Request[Any, Any, Any],
        resources: NamedDependency[Resources],
        player_id: Name,
        data: JSONBody[schemas.NewAlias],
    ) -> Created[Merge]:
        """Say that another player is this one: from now on the other's games are this one's."""
        merge = await resources.write(
            lambda: resources.archive.merge_players(
                data.alias, player_id, by=by(request), why=data.why
            )
        )
        place = f"{VERSION}/players/{merge.player}"
        return Created(merge, headers={"Location": place})

    @delete(
        "/{player_id:str}/aliases/{alias:str}",
        status_code=204,
        opt=operation(scope="direct", errors=(404,)),
    )
    async def split(
        self,
        request: Request[Any, Any, Any],
        resources: NamedDependency[Resources],
        player_id: Name,
        alias: Name,
        why: Why = "",
    ) -> None:
        """Undo a merge; 404 if the other player is not merged into this one. A trace is kept."""
        await resources.write(
            lambda: resources.archive.split_player(alias, by=by(request), why=why, player=player_id)
        )


class MergeController(Controller):
    """Aliases that were merged."""

    path = "/merges"
    tags = ("players",)

    @get(opt=operation(errors=(400,)))
    async def merges(
        self, resources: NamedDependency[Resources], undone: Undone = False
    ) -> Answer[list[Merge]]:
        """All merges in force, with `undone` also those that were undone."""
        return Answer(await resources.read(lambda: resources.archive.merges(undone=undone)))
