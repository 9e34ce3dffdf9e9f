"""Games: stored, corrected, deleted, listed, exported, replayed."""

from __future__ import annotations

import io
import re
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, NoReturn, cast
from urllib.parse import unquote

import msgspec
from litestar import Controller, Request, delete, get, post, put
from litestar.di import NamedDependency
from litestar.params import PathParameter, QueryParameter

from claimlog.api.http import schemas
from claimlog.api.http.addresses import VERSION
from claimlog.api.http.filters import Cursor, GameId, Limit, Total, Why
from claimlog.api.http.languages import language_of
from claimlog.api.http.media_types import (
    CLM,
    CSV,
    JSON,
    NDJSON,
    PARQUET,
    charset,
    choose,
    media_type,
)
from claimlog.api.http.operation import operation
from claimlog.api.http.problem import ApiError
from claimlog.api.http.responses import ETAG, Answer, Created, Export, Page, encode, etag
from claimlog.api.http.responses import Record as RecordText
from claimlog.api.limits.request_body import small_body
from claimlog.api.resources import Resources
from claimlog.language.messages import Message, message_of
from claimlog.notation.names import LONGEST
from claimlog.replay.explain import MOST
from claimlog.store import (
    Filter,
    GamePage,
    Handed,
    NotFound,
    Outcome,
    Record,
    Revision,
    RevisionChanged,
    Sort,
    StoredGame,
)
from claimlog.store.intake.wording import in_language

if TYPE_CHECKING:
    from collections.abc import Iterator

    from claimlog.api.limits.callers import Caller
    from claimlog.store import Archive, Form

FORMS: Final[dict[str, Form]] = {NDJSON: "ndjson", CLM: "clm", CSV: "csv", PARQUET: "parquet"}
_SUFFIX: Final = {NDJSON: "ndjson", CLM: "clm", CSV: "csv", PARQUET: "parquet"}
RECORDS: Final[dict[str, Any]] = {CLM: str, JSON: schemas.NewGame}
KEPT: Final = ("stored", "known", "corrected", "unchanged")
"""The outcomes after which the archive has a record."""

NO_REVISION: Final = -1
"""A revision that no game has."""

_ETAG: Final = re.compile(r'^(?:W/)?"?([0-9]{1,9})(?:-[0-9a-f]*)?"?$')

Doubtful = Annotated[
    Literal["replace", "beside"] | None,
    QueryParameter(
        description="What to do with a record that differs from a stored game but seems to be "
        "the same game: `replace` makes it a new revision (needs the scope `direct`), `beside` "
        "stores it as a separate game. By default it is refused."
    ),
]
Beside = Annotated[
    bool,
    QueryParameter(
        description="Whether to store it even if another stored game seems to be the same."
    ),
]
Source = Annotated[str, QueryParameter(description="The source of the record.", max_length=LONGEST)]


def caller_of(request: Request[Any, Any, Any]) -> Caller:
    """Return who makes the request."""
    return cast("Caller", request.scope["state"]["caller"])


def by(request: Request[Any, Any, Any]) -> str:
    """Return the name recorded for a change.

    It is the token's; callers who need no token may give one in `X-Claimlog-By`, URL-encoded.
    """
    name = unquote(request.headers.get("x-claimlog-by", "")).strip()[:200]
    return caller_of(request).name or name or "local"


async def one_record(request: Request[Any, Any, Any], limit: int) -> bytes | dict[str, Any]:
    """Return the record in the body: CLM, or a replay report as an object."""
    kind = type_of_body(request, (CLM, JSON))
    body = await small_body(request, limit)
    if kind == CLM:
        return body
    value = _decode(body)
    if "record" not in value:
        return value
    try:
        return msgspec.convert(value, schemas.NewGame).record.encode()
    except (msgspec.ValidationError, UnicodeEncodeError) as error:
        raise ApiError(400, "bad-request", message_of(error)) from error


def _decode(body: bytes) -> dict[str, Any]:
    try:
        value = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ApiError(400, "bad-request", "body.not-json", why=message_of(error)) from error
    if not isinstance(value, dict):
        raise ApiError(400, "bad-request", "body.no-record")
    return value


def type_of_body(request: Request[Any, Any, Any], kinds: tuple[str, ...]) -> str:
    """Return the media type of the body, one of `kinds` and in UTF-8; otherwise raise a 415."""
    header = request.headers.get("content-type", "")
    kind, encoding = media_type(header), charset(header)
    if kind in kinds and encoding in ("utf-8", "utf8", "us-ascii", "ascii"):
        return kind
    message = (
        Message("body.charset", name=encoding)
        if kind in kinds
        else Message("body.media-type", names=kinds)
    )
    raise ApiError(
        415, "unsupported-media-type", message, headers={"Accept-Post": ", ".join(kinds)}
    )


def doubtful_of(
    request: Request[Any, Any, Any], doubtful: Literal["replace", "beside"] | None
) -> Literal["refuse", "replace", "beside"]:
    """What to do with doubtful records; 403 if the caller may not replace stored ones."""
    if doubtful == "replace" and not caller_of(request).may("direct"):
        raise ApiError(403, "forbidden", "token.replace")
    return doubtful or "refuse"


def refuse(outcome: Outcome, doubtful: str = "game.doubtful") -> NoReturn:
    """Raise the error for a record that was not stored; `doubtful` is the message for doubts."""
    if outcome.doubt is not None:
        raise ApiError(409, "doubtful", doubtful, id=outcome.id, common=outcome.doubt.in_common)
    if outcome.status == "deleted":
        raise ApiError(
            409,
            "conflict",
            "game.was-deleted",
            id=outcome.id,
            path=f"{VERSION}/games/{outcome.id}/undelete",
        )
    if outcome.status == "conflict":
        raise ApiError(409, "conflict", "game.is", id=outcome.id)
    errors = sum(problem.severity == "error" for problem in outcome.problems)
    key = "errors.one" if errors == 1 else "errors.other" if errors < MOST else "errors-more"
    raise ApiError(422, "invalid-record", f"record.{key}", number=errors, problems=outcome.problems)


def _worded(outcome: Outcome, record: bytes, language: str) -> Outcome:
    """The outcome of a record with its problems in the language of the request."""
    if not outcome.problems:
        return outcome
    problems = in_language(outcome.problems, record, language)
    return msgspec.structs.replace(outcome, problems=problems)


def _sent(request: Request[Any, Any, Any]) -> str:
    """If-Match, whose list may be spread over several lines; "*" if absent."""
    return ", ".join(request.headers.getall("if-match", ["*"])).strip()


def _expected(archive: Archive, game: str, sent: str) -> int | None:
    """The revision that If-Match asks for, None for any, `NO_REVISION` if it is no ETag of a game.

    Of several it is the current one, if it is among them.
    """
    if sent == "*":
        return None
    tags = [_ETAG.match(part.strip()) for part in sent.split(",")]
    named = [int(tag[1]) for tag in tags if tag]
    if len(named) > 1:
        with suppress(NotFound):
            current = archive.game(game).row.revision
            return current if current in named else named[0]
    return named[0] if named else NO_REVISION


@contextmanager
def _matching(sent: str) -> Iterator[None]:
    """If If-Match was no ETag of a game, say so in place of naming the revision it did not name."""
    try:
        yield
    except RevisionChanged as error:
        if error.message.values["expected"] != NO_REVISION:
            raise
        raise ApiError(
            412, "precondition-failed", "game.no-etag", revision=error.revision, sent=sent
        ) from error


def _with_etag(archive: Archive, outcome: Outcome) -> tuple[Outcome, str]:
    """Return an outcome with the ETag of the stored revision, as for a request without Accept."""
    if outcome.status not in KEPT:
        return outcome, ""
    try:
        game = archive.game(str(outcome.id))
    except NotFound:
        game = None
    if game is None or game.row.revision != outcome.revision:
        # Somebody was faster; their revision must not be overwritten unseen.
        return outcome, f'"{outcome.revision}"'
    return outcome, etag(game.row.revision, encode(game))


class GameController(Controller):
    """Games of the archive."""

    path = "/games"
    tags = ("games",)

    @post(
        status_code=201,
        opt=operation(
            scope="record",
            body=RECORDS,
            errors=(400, 408, 409, 413, 415, 422),
            headers={"Location": "The address of the game.", "ETag": ETAG},
            links="/id",
        ),
    )
    async def store(
        self,
        request: Request[Any, Any, Any],
        resources: NamedDependency[Resources],
        source: Source = "",
        doubtful: Doubtful = None,
    ) -> Created[Outcome] | Answer[Outcome]:
        """Store a game, as CLM, as JSON with the CLM in `record`, or as a replay report.

        201 if it is new, 200 if it was stored already or continues a stored unfinished game, 409
        with the game's id if it seems to be a stored game but differs from it, 422 with all
        problems if it is not exactly one legal game.  When the answer arrives, the game is on the
        disk.
        """
        how = doubtful_of(request, doubtful)
        record = await one_record(request, resources.settings.max_body)
        archive, who = resources.archive, by(request)
        language = language_of(request)
        if isinstance(record, dict):
            line = io.BytesIO(msgspec.json.encode(record) + b"\n")
            batches = await resources.write(
                lambda: list(
                    archive.import_games(
                        line.read,
                        form="ndjson",
                        by=who,
                        source=source,
                        doubtful=how,
                        language=language,
                    )
                )
            )
            outcomes = [outcome for batch in batches for outcome in batch]
            if len(outcomes) != 1:
                raise ApiError(
                    422, "invalid-record", "record.games", number=len(outcomes), problems=[]
                )
            outcome, tag = await resources.write(lambda: _with_etag(archive, outcomes[0]))
        else:
            outcome, tag = await resources.store(
                Handed(record, who, source, how),
                lambda outcome: _with_etag(archive, _worded(outcome, record, language)),
            )
        resources.metrics.outcome(outcome.status)
        if not tag:
            refuse(outcome)
        headers = {"Location": f"{VERSION}/games/{outcome.id}", "ETag": tag}
        if outcome.status == "stored":
            return Created(outcome, headers=headers)
        return Answer(outcome, headers=headers)

    @get(
        opt=operation(errors=(400, 503)),
    )
    async def list_games(
        self,
        request: Request[Any, Any, Any],
        resources: NamedDependency[Resources],
        which: NamedDependency[Filter],
        sort: Annotated[Sort | None, QueryParameter(description="The sort order.")] = None,
        limit: Limit = 50,
        cursor: Cursor = None,
        total: Total = False,
    ) -> Page[GamePage] | Export:
        """List games: in JSON page by page; in NDJSON, CLM, CSV and Parquet all games, streamed.

        Unless `sort` says otherwise, a page begins with the newest game, a stream with the oldest.
        With `limit` a stream has at most so many games; `cursor` and `total` are only for pages.
        A stream that breaks off is cut in the middle of a chunk, which every client reports as an
        error.
        """
        form = choose(request.headers.get("accept", ""), (JSON, *FORMS))
        archive = resources.archive
        if form == JSON:
            page = await resources.read(
                lambda: archive.games(
                    which, sort=sort or "newest", limit=limit, cursor=cursor, total=total
                )
            )
            return Page(page, request, page.cursor)
        for field, given in (("cursor", cursor is not None), ("total", total)):
            if given:
                raise ApiError(400, "bad-query", "question.only-json", field=field)
        most = limit if "limit" in request.query_params else None
        pieces = resources.pump(
            lambda: archive.export(FORMS[form], which, sort=sort or "oldest", limit=most)
        )
        name = f'attachment; filename="games.{_SUFFIX[form]}"'
        return Export(pieces, form, {"Content-Disposition": name, "Vary": "Accept"})

    @get(
        "/{game:str}",
        opt=operation(errors=(404, 410), headers={"ETag": ETAG}, links="/row/id"),
    )
    async def game(
        self, request: Request[Any, Any, Any], resources: NamedDependency[Resources], game: GameId
    ) -> Answer[StoredGame] | RecordText:
        """A game: as JSON with its details, or its canonical record as CLM."""
        form = choose(request.headers.get("accept", ""), (JSON, CLM))
        stored = await resources.read(lambda: resources.archive.game(game))
        if form == CLM:
            headers = {"ETag": etag(stored.row.revision, stored.record.encode())}
            return RecordText(stored.record, headers=headers)
        return Answer(stored, headers={"ETag": etag(stored.row.revision, encode(stored))})

    @put(
        "/{game:str}",
        opt=operation(
            scope="direct",
            body=RECORDS,
            errors=(400, 404, 408, 409, 410, 412, 413, 415, 422, 428),
            headers={"ETag": ETAG},
            links="/id",
        ),
    )
    async def correct(
        self,
        request: Request[Any, Any, Any],
        resources: NamedDependency[Resources],
        game: GameId,
        why: Why = "",
        beside: Beside = False,
    ) -> Answer[Outcome]:
        """Correct a game: its record is replaced, and the old one kept as a revision.

        If-Match must give the ETag of the game to be corrected.  409 if the record is or seems to
        be that of another game; `beside` stores it if it only seems so.
        """
        if "if-match" not in request.headers:
            raise ApiError(428, "precondition-required", "body.if-match")
        sent = _sent(request)
        record = await one_record(request, resources.settings.max_body)
        if isinstance(record, dict):
            raise ApiError(400, "bad-request", "body.correction")
        archive = resources.archive
        language = language_of(request)
        with _matching(sent):
            outcome, tag = await resources.write(
                lambda: _with_etag(
                    archive,
                    _worded(
                        archive.correct(
                            game,
                            record,
                            by=by(request),
                            why=why,
                            expected=_expected(archive, game, sent),
                            beside=beside,
                        ),
                        record,
                        language,
                    ),
                )
            )
        resources.metrics.outcome(outcome.status)
        if not tag:
            refuse(outcome, "game.would-be")
        return Answer(outcome, headers={"ETag": tag})

    @delete(
        "/{game:str}",
        status_code=200,
        opt=operation(scope="direct", errors=(404, 410, 412)),
    )
    async def delete(
        self,
        request: Request[Any, Any, Any],
        resources: NamedDependency[Resources],
        game: GameId,
        why: Why = "",
    ) -> Answer[Revision]:
        """Delete a game; its revisions are kept, along with who deleted it, when and why.

        With If-Match the game is deleted only if it has that revision.
        """
        sent, archive = _sent(request), resources.archive
        with _matching(sent):
            revision = await resources.write(
                lambda: archive.delete(
                    game, by=by(request), why=why, expected=_expected(archive, game, sent)
                )
            )
        return Answer(revision)

    @post(
        "/{game:str}/undelete",
        status_code=200,
        opt=operation(scope="direct", errors=(404, 409)),
    )
    async def undelete(
        self,
        request: Request[Any, Any, Any],
        resources: NamedDependency[Resources],
        game: GameId,
        why: Why = "",
        beside: Beside = False,
    ) -> Answer[Revision]:
        """Restore a deleted game in its last version.

        409 if it is not deleted, or has been stored again since.
        """
        revision = await resources.write(
            lambda: resources.archive.undelete(game, by=by(request), why=why, beside=beside)
        )
        return Answer(revision)

    @get("/{game:str}/revisions", opt=operation(errors=(404,)))
    async def revisions(
        self, resources: NamedDependency[Resources], game: GameId
    ) -> Answer[list[Revision]]:
        """All revisions of a game, the oldest first, including those of a deleted game."""
        return Answer(await resources.read(lambda: resources.archive.revisions(game)))

    @get(
        "/{game:str}/revisions/{revision:int}",
        opt=operation(errors=(404,)),
    )
    async def revision(
        self,
        request: Request[Any, Any, Any],
        resources: NamedDependency[Resources],
        game: GameId,
        revision: Annotated[
            int, PathParameter(description="The number of the revision, from 1.", ge=1, le=32767)
        ],
    ) -> Answer[Record] | RecordText:
        """A revision with its record, as JSON or CLM."""
        form = choose(request.headers.get("accept", ""), (JSON, CLM))
        record = await resources.read(lambda: resources.archive.record(game, revision))
        if form == JSON:
            return Answer(record)
        if record.record is None:
            raise ApiError(404, "not-found", "game.only-trace")
        return RecordText(record.record)

    @get("/{game:str}/replay", opt=operation(errors=(404, 410)))
    async def replay(
        self, resources: NamedDependency[Resources], game: GameId
    ) -> Answer[schemas.ReplayReport]:
        """A game trick by trick: who won each trick, and how the game was scored."""

        def make() -> schemas.ReplayReport:
            replay = resources.archive.game(game).game()
            return msgspec.convert(replay.report(), schemas.ReplayReport)

        return Answer(await resources.read(make))

    @get(
        "/{game:str}/tricks/{trick:int}",
        opt=operation(errors=(400, 404, 410)),
    )
    async def position(
        self,
        resources: NamedDependency[Resources],
        game: GameId,
        trick: Annotated[int, PathParameter(description="The trick's number.", ge=1, le=26)],
        view: Annotated[
            int | None,
            QueryParameter(
                description="The seat whose view to show, 0 for a spectator; by default all known "
                "cards are shown.",
                ge=0,
                schema_extra={"minimum": 0},
                le=4,
            ),
        ] = None,
        played: Annotated[
            int | None,
            QueryParameter(
                description="The number of plays after which to show the position; by default all.",
                ge=0,
                le=4,
                schema_extra={"minimum": 0},
            ),
        ] = None,
    ) -> Answer[schemas.PositionReport]:
        """The position in a trick, after all or some of its plays."""
        from claimlog.replay.viewpoint import Viewpoint

        def make() -> schemas.PositionReport:
            replay = resources.archive.game(game).game()
            if view is not None and view > replay.seats:
                raise ApiError(
                    400, "bad-query", "argument.seats", number=replay.seats, field="view"
                )
            if trick > len(replay.tricks):
                raise ApiError(404, "not-found", "game.tricks", number=len(replay.tricks))
            moment = Viewpoint(replay, view).at(trick, played)
            return msgspec.convert(moment.report(), schemas.PositionReport)

        return Answer(await resources.read(make))
