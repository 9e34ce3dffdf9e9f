"""What the decisions of a game's Phase 2 were worth, for a stored game or a record."""

from __future__ import annotations

from typing import Any

from litestar import Controller, Request, get, post
from litestar.di import NamedDependency

from claimlog.api.handlers.games import RECORDS, one_record
from claimlog.api.http import schemas
from claimlog.api.http.filters import GameId
from claimlog.api.http.operation import operation
from claimlog.api.http.problem import ApiError
from claimlog.api.http.responses import Encoded
from claimlog.api.resources import Resources


class AnalysisController(Controller):
    """Analyses of games."""

    tags = ("games",)

    @get("/games/{game:str}/analysis", opt=operation(errors=(404, 410)))
    async def analysis(
        self, resources: NamedDependency[Resources], game: GameId
    ) -> Encoded[schemas.AnalysisReport]:
        """Each decision of Phase 2 with the exact values of all cards, and what was given away.

        With three and four players only the last tricks, with all hands open; with three players a
        value is what a seat can secure.  If nothing can be said, `problems` says why.  The effort
        is limited: cards whose values were not determined have bounds, and `exact` is false.
        Results stored by `claimlog analyse --all` are returned at once.
        """
        archive = resources.archive

        def look() -> tuple[bytes, bytes | None]:
            stored = archive.game(game)
            return stored.record.encode(), archive.analysis(stored.row.digest)

        record, kept = await resources.read(look)
        return Encoded(await resources.analysts.of(record) if kept is None else kept)

    @post(
        "/analysis",
        status_code=200,
        opt=operation(body=RECORDS, errors=(400, 408, 413, 415, 422)),
    )
    async def analyse(
        self, request: Request[Any, Any, Any], resources: NamedDependency[Resources]
    ) -> Encoded[schemas.AnalysisReport]:
        """Analyse a record, as CLM or as JSON with the CLM in `record`; nothing is stored.

        In a record with errors, only what comes before the first error counts.
        """
        record = await one_record(request, resources.settings.max_body)
        if isinstance(record, dict):
            raise ApiError(400, "bad-request", "body.analysis")
        request.scope["state"]["deadline"].watch()
        return Encoded(await resources.analysts.of(record))
