"""Games: handed in, corrected, deleted, listed, exported, replayed."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING, Annotated, Any, Final, NoReturn, cast

import msgspec
from litestar import Controller, Request, Response, delete, get, post, put
from litestar.di import NamedDependency
from litestar.params import PathParameter, QueryParameter

from claimlog.api import answers, schemas
from claimlog.api.bodies import small_body
from claimlog.api.doc import operation
from claimlog.api.filters import Cursor, GameId, Limit, Why
from claimlog.api.negotiate import CLM, CSV, JSON, NDJSON, PARQUET, choose, media_type
from claimlog.api.problem import ApiError
from claimlog.api.service import Service
from claimlog.store import Filter, Game, GamePage, Outcome, Record, Revision, Sort

if TYPE_CHECKING:
    from claimlog.api.service import Caller
    from claimlog.store import Form

FORMS: Final[dict[str, Form]] = {NDJSON: "ndjson", CLM: "clm", CSV: "csv", PARQUET: "parquet"}
_SUFFIX: Final = {NDJSON: "ndjson", CLM: "clm", CSV: "csv", PARQUET: "parquet"}
_RECORDS: Final[dict[str, Any]] = {CLM: str, JSON: schemas.NewGame}
_ETAG: Final = re.compile(r'^(?:W/)?"?([0-9]{1,9})(?:-[0-9a-f]*)?"?$')

Source = Annotated[str, QueryParameter(description="Where the record comes from.", max_length=200)]


def caller_of(request: Request[Any, Any, Any]) -> Caller:
    """Who makes the request."""
    return cast("Caller", request.scope["state"]["caller"])


def by(request: Request[Any, Any, Any]) -> str:
    """The name under which a change is kept: the token's, or that it was made on the spot."""
    return caller_of(request).name or "local"


async def _one_record(request: Request[Any, Any, Any], limit: int) -> bytes | dict[str, Any]:
    """The record that the body is: CLM, or a replay report as an object."""
    kind = media_type(request.headers.get("content-type", ""))
    if kind not in (CLM, JSON):
        raise unsupported((CLM, JSON))
    body = await small_body(request, limit)
    if kind == CLM:
        return body
    value = _decode(body)
    if "record" not in value:
        return value
    try:
        return msgspec.convert(value, schemas.NewGame).record.encode()
    except (msgspec.ValidationError, UnicodeEncodeError) as error:
        raise ApiError(400, "bad-request", str(error)) from error


def _decode(body: bytes) -> dict[str, Any]:
    try:
        value = msgspec.json.decode(body)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise ApiError(400, "bad-request", f"the body is not JSON: {error}") from error
    if not isinstance(value, dict):
        raise ApiError(400, "bad-request", "a game is a JSON object with its record")
    return value


def unsupported(kinds: tuple[str, ...]) -> ApiError:
    """A 415 that says what is understood."""
    return ApiError(
        415,
        "unsupported-media-type",
        f"Content-Type must be {' or '.join(kinds)}",
        headers={"Accept-Post": ", ".join(kinds)},
    )


def _refuse(outcome: Outcome) -> NoReturn:
    """Answer that a record was not taken."""
    if outcome.status == "deleted":
        raise ApiError(
            409,
            "conflict",
            f"this game is {outcome.id}, which has been deleted; "
            f"POST /games/{outcome.id}/undelete brings it back",
            id=outcome.id,
        )
    if outcome.status == "conflict":
        raise ApiError(409, "conflict", f"this is game {outcome.id}", id=outcome.id)
    errors = sum(problem.severity == "error" for problem in outcome.problems)
    raise ApiError(
        422,
        "invalid-record",
        f"{errors} error{'' if errors == 1 else 's'}",
        problems=outcome.problems,
    )


def _expected(request: Request[Any, Any, Any]) -> int | None:
    """The revision that If-Match names; -1 if it names none that can be, None if absent."""
    header = request.headers.get("if-match")
    if header is None or header.strip() == "*":
        return None
    match = _ETAG.match(header.strip())
    return int(match[1]) if match else -1


class GameController(Controller):
    """Games of the archive."""

    path = "/games"
    tags = ("games",)

    @post(
        status_code=201,
        opt=operation(
            scope="record",
            answers={201: {JSON: Outcome}, 200: {JSON: Outcome}},
            body=_RECORDS,
            errors=(400, 408, 409, 413, 415, 422),
            headers={"Location": "The game.", "ETag": "For If-Match."},
        ),
    )
    async def store(
        self,
        request: Request[Any, Any, Any],
        service: NamedDependency[Service],
        source: Source = "",
    ) -> Response[bytes]:
        """Store a game, as CLM, as JSON with the CLM in `record`, or as a replay report.

        201 if it is new, 200 if it was there already, 422 with all problems if it is not
        one legal game.  The game is on the disk when this is answered.
        """
        record = await _one_record(request, service.settings.max_body)
        archive, who = service.archive, by(request)
        if isinstance(record, dict):
            line = io.BytesIO(msgspec.json.encode(record) + b"\n")
            batches = await service.run(
                lambda: list(archive.import_games(line.read, form="ndjson", by=who, source=source))
            )
            outcomes = [outcome for batch in batches for outcome in batch]
            if len(outcomes) != 1:
                raise ApiError(422, "invalid-record", f"{len(outcomes)} games", problems=[])
            outcome = outcomes[0]
        else:
            outcome = await service.run(lambda: archive.store(record, by=who, source=source))
        service.metrics.outcome(outcome.status)
        if outcome.status not in ("stored", "known"):
            _refuse(outcome)
        return answers.json(
            outcome,
            status=201 if outcome.status == "stored" else 200,
            headers={"Location": f"/games/{outcome.id}", "ETag": f'"{outcome.revision}"'},
        )

    @get(
        opt=operation(
            answers={200: {JSON: GamePage, NDJSON: bytes, CLM: str, CSV: bytes, PARQUET: bytes}},
            errors=(400, 406, 503),
            headers={"Link": "The next page and the first."},
        ),
    )
    async def list_games(
        self,
        request: Request[Any, Any, Any],
        service: NamedDependency[Service],
        which: NamedDependency[Filter],
        sort: Annotated[Sort | None, QueryParameter(description="The order.")] = None,
        limit: Limit = 50,
        cursor: Cursor = None,
    ) -> Response[bytes]:
        """List games: JSON in pages; NDJSON, CLM, CSV and Parquet all games, streamed.

        A stream that ends before its end is cut off in the middle of a chunk, which every
        client reports as an error.  `limit` and `cursor` are for pages alone.
        """
        form = choose(request.headers.get("accept", ""), (JSON, *FORMS))
        archive = service.archive
        if form == JSON:
            page = await service.run(
                lambda: archive.games(which, sort=sort or "newest", limit=limit, cursor=cursor)
            )
            return answers.page(request, page, page.cursor)
        if cursor is not None:
            raise ApiError(400, "bad-query", "cursor is for pages in JSON", field="cursor")
        pieces = service.pump(lambda: archive.export(FORMS[form], which, sort=sort or "oldest"))
        name = f'attachment; filename="games.{_SUFFIX[form]}"'
        return answers.Streamed(pieces, form, {"Content-Disposition": name, "Vary": "Accept"})

    @get(
        "/{game:str}",
        opt=operation(
            answers={200: {JSON: Game, CLM: str}},
            errors=(404, 406, 410),
            headers={"ETag": "For If-None-Match and If-Match."},
        ),
    )
    async def game(
        self, request: Request[Any, Any, Any], service: NamedDependency[Service], game: GameId
    ) -> Response[bytes]:
        """One game: with what is known about it as JSON, or its canonical record as CLM."""
        form = choose(request.headers.get("accept", ""), (JSON, CLM))
        found = await service.run(lambda: service.archive.game(game))
        body = found.record.encode() if form == CLM else msgspec.json.encode(found)
        return answers.encoded(body, form, headers={"ETag": answers.etag(found.row.revision, body)})

    @put(
        "/{game:str}",
        opt=operation(
            Outcome,
            scope="direct",
            body=_RECORDS,
            errors=(400, 404, 408, 409, 410, 412, 413, 415, 422, 428),
            headers={"ETag": "For the next If-Match."},
        ),
    )
    async def correct(
        self,
        request: Request[Any, Any, Any],
        service: NamedDependency[Service],
        game: GameId,
        why: Why = "",
    ) -> Response[bytes]:
        """Correct a game: its record is replaced, and the old one kept as a revision.

        If-Match must name the ETag of the game that is meant.  409 if the record is another
        game's.
        """
        if "if-match" not in request.headers:
            raise ApiError(
                428, "precondition-required", "If-Match must name the ETag of the game corrected"
            )
        expected = _expected(request)
        record = await _one_record(request, service.settings.max_body)
        if isinstance(record, dict):
            raise ApiError(400, "bad-request", "a correction is CLM, or JSON with `record`")
        outcome = await service.run(
            lambda: service.archive.correct(
                game, record, by=by(request), why=why, expected=expected
            )
        )
        service.metrics.outcome(outcome.status)
        if outcome.status not in ("corrected", "unchanged"):
            _refuse(outcome)
        return answers.json(outcome, headers={"ETag": f'"{outcome.revision}"'})

    @delete(
        "/{game:str}",
        status_code=200,
        opt=operation(Revision, scope="direct", errors=(404, 410, 412)),
    )
    async def delete(
        self,
        request: Request[Any, Any, Any],
        service: NamedDependency[Service],
        game: GameId,
        why: Why = "",
    ) -> Response[bytes]:
        """Delete a game; its revisions and who deleted it, when and why are kept.

        With If-Match only the revision that it names is deleted.
        """
        expected = _expected(request)
        revision = await service.run(
            lambda: service.archive.delete(game, by=by(request), why=why, expected=expected)
        )
        return answers.json(revision)

    @post(
        "/{game:str}/undelete",
        status_code=200,
        opt=operation(Revision, scope="direct", errors=(404, 409)),
    )
    async def undelete(
        self,
        request: Request[Any, Any, Any],
        service: NamedDependency[Service],
        game: GameId,
        why: Why = "",
    ) -> Response[bytes]:
        """Bring a deleted game back as it was last."""
        revision = await service.run(
            lambda: service.archive.undelete(game, by=by(request), why=why)
        )
        return answers.json(revision)

    @get("/{game:str}/revisions", opt=operation(list[Revision], errors=(404,)))
    async def revisions(self, service: NamedDependency[Service], game: GameId) -> Response[bytes]:
        """All revisions of a game, the oldest first, also of a deleted one."""
        return answers.json(await service.run(lambda: service.archive.revisions(game)))

    @get(
        "/{game:str}/revisions/{revision:int}",
        opt=operation(answers={200: {JSON: Record, CLM: str}}, errors=(404, 406)),
    )
    async def revision(
        self,
        request: Request[Any, Any, Any],
        service: NamedDependency[Service],
        game: GameId,
        revision: Annotated[int, PathParameter(description="From 1.", ge=1, le=32767)],
    ) -> Response[bytes]:
        """One revision with its record, as JSON or CLM."""
        form = choose(request.headers.get("accept", ""), (JSON, CLM))
        found = await service.run(lambda: service.archive.record(game, revision))
        if form == JSON:
            return answers.json(found)
        if found.record is None:
            raise ApiError(404, "not-found", "this revision is the trace of a deletion")
        return answers.encoded(found.record.encode(), CLM)

    @get("/{game:str}/replay", opt=operation(schemas.ReplayReport, errors=(404, 410)))
    async def replay(self, service: NamedDependency[Service], game: GameId) -> Response[bytes]:
        """A game trick by trick: who won what and why it counted as it did."""
        from claimlog.replay.game import replay_text

        def make() -> dict[str, Any]:
            return next(replay_text(service.archive.game(game).record)).report()

        return answers.json(await service.run(make))

    @get(
        "/{game:str}/tricks/{trick:int}",
        opt=operation(schemas.PositionReport, errors=(400, 404, 410)),
    )
    async def position(
        self,
        service: NamedDependency[Service],
        game: GameId,
        trick: Annotated[int, PathParameter(description="The trick's number.", ge=1, le=26)],
        view: Annotated[
            int | None,
            QueryParameter(
                description="The seat that looks on, 0 for a spectator; without it all cards "
                "known lie open.",
                ge=0,
                le=4,
            ),
        ] = None,
        played: Annotated[
            int | None, QueryParameter(description="After so many plays.", ge=0, le=4)
        ] = None,
    ) -> Response[bytes]:
        """The position in a trick, after all its plays or after some."""
        from claimlog.replay.game import replay_text
        from claimlog.replay.position import Course

        def make() -> dict[str, Any]:
            replay = next(replay_text(service.archive.game(game).record))
            if view is not None and view > replay.seats:
                raise ApiError(400, "bad-query", f"there are {replay.seats} seats", field="view")
            if trick > len(replay.tricks):
                raise ApiError(404, "not-found", f"there are {len(replay.tricks)} tricks")
            return Course(replay, None if view is None else view - 1).at(trick, played).report()

        return answers.json(await service.run(make))
