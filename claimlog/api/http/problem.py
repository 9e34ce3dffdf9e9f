"""Errors as the API sends them: RFC 9457, ``application/problem+json``."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, NoReturn

import msgspec
from litestar.enums import ParamType
from litestar.exceptions import HTTPException

from claimlog.language.isolation import apart
from claimlog.language.messages import KeyedError, Message, all_of, error_words, misfit
from claimlog.store.model import errors as store
from claimlog.store.model.types import ReportedProblem, Unclear

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from litestar.connection import Request

MEDIA_TYPE: Final = "application/problem+json"


class TableConflict(msgspec.Struct, frozen=True, kw_only=True):
    """The state of a table, for a device that lacks entries or may not add any.

    `device` is the device that scores the table, last heard of at `seen_at`; `number` is the number
    of the last entry; `entries` are those that the caller lacks.
    """

    number: int
    device: str | None
    seen_at: datetime | None
    entries: list[dict[str, Any]] = []


class ProblemDetails(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What went wrong with a request.

    `type` identifies the kind of error, `title` names it, `detail` describes this occurrence, both
    in the language that Accept-Language prefers; `key` and `values` are what `detail` is made of,
    for programs with their own wording.  `problems` are those of the record, as ``claimlog
    replay`` reports them; `id` is the game that conflicts, `revision` its revision, `field` the
    argument that is wrong.  `unclear` is present if a name or an id is unknown, with the nearest
    ones, or ambiguous, with the candidates.  `table` is the state of a table.  `request_id` finds
    the request in the server's log.
    """

    type: str
    title: str
    status: int
    detail: str = ""
    key: str = ""
    values: dict[str, Any] = {}
    instance: str = ""
    request_id: str = ""
    field: str | None = None
    id: str | None = None
    revision: int | None = None
    problems: list[ReportedProblem] | None = None
    unclear: Unclear | None = None
    table: TableConflict | None = None


class ApiError(KeyedError):
    """An error that is sent to the client as it is."""

    def __init__(
        self,
        status: int,
        kind: str,
        key: str | Message,
        *,
        headers: Mapping[str, str] | None = None,
        field: str | None = None,
        id: str | None = None,
        revision: int | None = None,
        problems: list[ReportedProblem] | None = None,
        unclear: Unclear | None = None,
        table: TableConflict | None = None,
        **values: object,
    ) -> None:
        own = {"field": field, "id": id, "revision": revision}
        values |= {name: value for name, value in own.items() if value is not None}
        super().__init__(key, **values)
        self.status = status
        self.kind = kind
        self.headers = dict(headers or {})
        if status in (408, 413):
            # The rest of the body is not waited for.
            self.headers["Connection"] = "close"
        self.field = field
        self.id = id
        self.revision = revision
        self.problems = problems
        self.unclear = unclear
        self.table = table

    @property
    def isolated(self) -> Message:
        """The message, in which names from right to left leave the text around them in order."""
        return self.message.changed(apart)

    def details(
        self, instance: str = "", request_id: str = "", language: str = "en"
    ) -> ProblemDetails:
        """Return the error as it is sent, worded in a language."""
        return ProblemDetails(
            type=f"urn:claimlog:{self.kind}",
            title=title_of(self.kind, language),
            status=self.status,
            detail=self.isolated.worded(language),
            **self.message.for_json(),
            instance=instance,
            request_id=request_id,
            field=self.field,
            id=self.id,
            revision=self.revision,
            problems=self.problems,
            unclear=self.unclear,
            table=self.table,
        )


KINDS: Final = (
    "bad-request",
    "bad-query",
    "ambiguous",
    "unauthorized",
    "forbidden",
    "not-found",
    "method-not-allowed",
    "not-acceptable",
    "timeout",
    "conflict",
    "other-device",
    "behind",
    "table-closed",
    "not-over",
    "doubtful",
    "gone",
    "precondition-failed",
    "too-large",
    "unsupported-media-type",
    "invalid-record",
    "precondition-required",
    "too-many-requests",
    "headers-too-large",
    "misdirected",
    "internal",
    "not-installed",
    "unavailable",
    "read-only",
    "disk-full",
)
"""All kinds of errors; their titles are in the catalogues."""


_IN_ADDRESS: Final = (ParamType.QUERY, ParamType.PATH)


def title_of(kind: str, language: str = "en") -> str:
    """Return the title of a kind of error."""
    return error_words(language)(f"title.{kind}")


KIND_OF: Final = {
    400: "bad-request",
    401: "unauthorized",
    403: "forbidden",
    404: "not-found",
    405: "method-not-allowed",
    406: "not-acceptable",
    408: "timeout",
    409: "conflict",
    410: "gone",
    412: "precondition-failed",
    413: "too-large",
    415: "unsupported-media-type",
    422: "invalid-record",
    428: "precondition-required",
    429: "too-many-requests",
    431: "headers-too-large",
    500: "internal",
    501: "not-installed",
    503: "unavailable",
    507: "disk-full",
}
"""The usual kind of error by status."""


def as_error(error: BaseException) -> ApiError | None:
    """Return the error to answer with, or None if the server itself is at fault."""
    match error:
        case ApiError():
            return error
        case store.GameDeleted():
            return ApiError(410, "gone", error.message)
        case store.NotFound():
            return _unclear(404, "not-found", error)
        case store.Ambiguous():
            return _unclear(400, "ambiguous", error)
        case store.BadQuery():
            return ApiError(400, "bad-query", error.message, field=error.field or None)
        case store.InvalidRecord():
            return ApiError(422, "invalid-record", error.message, problems=error.problems)
        case store.Conflict():
            return ApiError(409, "conflict", error.message, id=error.id)
        case store.RevisionChanged():
            return ApiError(412, "precondition-failed", error.message, revision=error.revision)
        case store.ArchiveReadOnly():
            return ApiError(403, "read-only", "server.read-only")
        case store.DiskFull():
            return ApiError(507, "disk-full", "disk-full.server")
        case store.PackageMissing():
            return ApiError(501, "not-installed", error.message)
        case store.OutOfMemory():
            return busy(error.message, wait=5)
        case store.ArchiveGone():
            return busy(error.message, wait=5)
        case store.ArchiveUnreachable() | store.Overtaken():
            return busy("archive.no-answer")
        case store.Cancelled():
            return busy(error.message)
        case store.RecordDamaged():
            return ApiError(500, "internal", error.message)
        case store.ArchiveClosed():
            return stopping()
        case store.ArchiveLocked() | store.ArchiveDamaged() | store.ArchiveTooNew():
            return None
        case store.ArchiveError() if type(error) in (store.ArchiveError, store.Declined):
            return ApiError(409, "conflict", error.message)
        case HTTPException() if error.status_code < 500 or error.status_code == 503:
            status = error.status_code if error.status_code in KIND_OF else 400
            kind = "bad-query" if _of_arguments(error) else KIND_OF[status]
            return ApiError(
                status, kind, _message(error), headers=error.headers, field=_field(error)
            )
    return None


def _unclear(status: int, kind: str, error: store.NotFound | store.Ambiguous) -> ApiError:
    """Return the error for a name or an id that is unknown or ambiguous."""
    unclear = error.unclear
    field = unclear.field or None if unclear else None
    return ApiError(status, kind, error.message, field=field, unclear=unclear)


def _of_arguments(error: HTTPException) -> bool:
    """Whether Litestar refuses nothing but arguments in the address."""
    items = error.extra if isinstance(error.extra, list) else []
    return bool(items) and all(item.get("source") in _IN_ADDRESS for item in items)


def _field(error: HTTPException) -> str | None:
    """Return the argument that Litestar refuses, if it names one."""
    for item in error.extra if isinstance(error.extra, list) else []:
        if isinstance(item, dict) and item.get("key"):
            return str(item["key"])
    return None


def _message(error: HTTPException) -> Message:
    """Return Litestar's reasons for refusing a request, in one sentence."""
    extra = error.extra if isinstance(error.extra, list) else []
    said = [
        Message("named", name=item["key"], why=why) if item.get("key", "data") != "data" else why
        for item in extra
        if isinstance(item, dict) and "message" in item
        for why in [misfit(str(item["message"]))]
    ]
    return all_of(said) if said else misfit(error.detail)


def pass_on(request: Request[Any, Any, Any], error: Exception) -> NoReturn:
    """Litestar's exception handler for everything: passes the error on to the layer outside."""
    if isinstance(error, RecursionError) and request.method not in ("GET", "HEAD"):
        # Only a body can be nested so deeply.
        raise ApiError(400, "bad-request", "body.too-deep") from error
    raise error


def unknown_argument(name: str, known: Iterable[str]) -> ApiError:
    """Return a 400 for an argument that does not exist."""
    names = sorted(known)
    key = "argument.unknown" if names else "argument.none"
    return ApiError(400, "bad-query", key, names=names, field=name[:50])


def no_address(path: str) -> ApiError:
    """Return a 404 for an address that does not exist."""
    return ApiError(404, "not-found", "not-found", path=path[:200])


def wrong_method(path: str, method: str, known: Iterable[str]) -> ApiError:
    """Return a 405 for an address that has other methods."""
    names = list(known)
    return ApiError(
        405,
        "method-not-allowed",
        "method-not-allowed",
        headers={"Allow": ", ".join(names)},
        path=path[:200],
        method=method,
        names=names,
    )


def unauthorized(key: str, **values: Any) -> ApiError:
    """Return a 401 with the header that it needs."""
    headers = {"WWW-Authenticate": 'Bearer realm="claimlog"'}
    return ApiError(401, "unauthorized", key, headers=headers, **values)


def busy(key: str | Message, *, wait: int = 1, **values: Any) -> ApiError:
    """Return a 503 that says after how many seconds to try again."""
    return ApiError(503, "unavailable", key, headers={"Retry-After": str(wait)}, **values)


def too_many(key: str | Message, *, wait: int, **values: Any) -> ApiError:
    """Return a 429 that says after how many seconds to try again."""
    return ApiError(429, "too-many-requests", key, headers={"Retry-After": str(wait)}, **values)


def stopping() -> ApiError:
    """Return the 503 of a server that is about to stop."""
    return ApiError(503, "unavailable", "server.stopping")
