"""Players: merging and splitting them."""

from __future__ import annotations

from typing import Any

from litestar import Controller, Request, delete, post
from litestar.di import NamedDependency
from litestar.params import JSONBody

from claimlog.api.handlers.games import by
from claimlog.api.http import schemas
from claimlog.api.http.addresses import VERSION
from claimlog.api.http.filters import Name, Why
from claimlog.api.http.operation import operation
from claimlog.api.http.responses import Created
from claimlog.api.resources import Resources
from claimlog.store.model.types import (
    Merge,
)


class PlayerController(Controller):
    """Players of the games."""

    path = "/players"
    tags = ("players",)

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
        """Merge another player into this one: from now on the other's games are this one's."""
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
