"""Corrections of many games by one request."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import Controller, Request, post
from litestar.di import NamedDependency
from litestar.params import JSONBody, QueryParameter

from claimlog.api.handlers.games import Beside, by
from claimlog.api.http import schemas
from claimlog.api.http.operation import operation
from claimlog.api.http.responses import Answer
from claimlog.api.resources import Resources
from claimlog.store import Filter
from claimlog.store.model.types import Corrections

DryRun = Annotated[
    bool, QueryParameter(description="Whether to only show the changes; `false` makes them.")
]


class CorrectionController(Controller):
    """Corrections of tags in many records."""

    path = "/corrections"
    tags = ("games",)

    @post(
        status_code=200,
        opt=operation(scope="direct", errors=(400, 404, 408, 409, 413, 415)),
    )
    async def correct_games(
        self,
        request: Request[Any, Any, Any],
        resources: NamedDependency[Resources],
        which: NamedDependency[Filter],
        data: JSONBody[schemas.NewTags],
        dry_run: DryRun = True,
        beside: Beside = False,
    ) -> Answer[Corrections]:
        """Correct who played, when and where in the games selected by the filter.

        All games are corrected in one transaction, or none if one cannot be: `done` says which.
        Pass the `expected` of a dry run to do exactly what it showed; 409 if anything has changed
        since.
        """
        return Answer(
            await resources.write(
                lambda: resources.archive.correct_games(
                    which,
                    tags=data.tags,
                    names=data.names,
                    by=by(request),
                    why=data.why,
                    dry_run=dry_run,
                    expected=data.expected,
                    beside=beside,
                )
            )
        )
