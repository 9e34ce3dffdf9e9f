"""What the decisions of a game's Phase 2 were worth, for a stored game or a record."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
from litestar import Controller, Request, get, post
from litestar.di import NamedDependency

from claimlog.api.handlers.games import RECORDS, one_record
from claimlog.api.http import schemas
from claimlog.api.http.filters import GameId
from claimlog.api.http.languages import language_of
from claimlog.api.http.operation import operation
from claimlog.api.http.problem import ApiError
from claimlog.api.http.responses import Encoded
from claimlog.api.resources import Resources
from claimlog.language import LANGUAGES, words
from claimlog.store.intake.wording import in_language
from claimlog.store.model.types import ReportedProblem


class AnalysisController(Controller):
    """Analyses of games."""

    tags = ("games",)

    @get("/games/{game:str}/analysis", opt=operation(errors=(404, 410)))
    async def analysis(
        self,
        request: Request[Any, Any, Any],
        resources: NamedDependency[Resources],
        game: GameId,
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
        report = await resources.analysts.of(record) if kept is None else kept
        return await _worded(request, report, record)

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
        return await _worded(request, await resources.analysts.of(record), record)


async def _worded(
    request: Request[Any, Any, Any], report: bytes, record: bytes
) -> Encoded[schemas.AnalysisReport]:
    """The report, with its problems in the language of the request."""
    language = language_of(request)
    if language != LANGUAGES[0]:
        say, answer = words(language), msgspec.json.decode(report)
        problems = msgspec.convert(answer["problems"], list[ReportedProblem])
        worded = await asyncio.to_thread(in_language, problems, record, language)
        for shown, problem in zip(answer["problems"], worded, strict=True):
            _, of_analysis, reason = problem.code.partition("analysis-")
            shown["message"] = say(f"analysis.why.{reason}") if of_analysis else problem.message
        report = msgspec.json.encode(answer)
    return Encoded(report, headers={"Vary": "Accept-Language"})
