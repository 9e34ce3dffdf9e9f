"""What the decisions of a game's Phase 2 were worth: of a stored game, or of a record."""

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
    """Games analysed."""

    tags = ("games",)

    @get("/games/{game:str}/analysis", opt=operation(errors=(404, 410)))
    async def analysis(
        self, resources: NamedDependency[Resources], game: GameId
    ) -> Encoded[schemas.AnalysisReport]:
        """Each decision of Phase 2 with the exact values of all cards, and what was given away.

        With three and four players the last tricks alone, with all hands open; with three a value
        is what a seat can secure.  Where nothing can be said `problems` says why.  There is a limit
        to the effort: cards whose values were not found out have bounds, and `exact` is false.
        What `claimlog analyse --all` has found is kept, and answered at once.
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
        """The same of a record, as CLM or as JSON with the CLM in `record`; nothing is stored.

        Of a record with errors what stands before the first one counts.
        """
        record = await one_record(request, resources.settings.max_body)
        if isinstance(record, dict):
            raise ApiError(400, "bad-request", "body.analysis")
        request.scope["state"]["deadline"].watch()
        return Encoded(await resources.analysts.of(record))
