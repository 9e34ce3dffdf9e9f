"""Errors as the API tells them: RFC 9457, ``application/problem+json``."""

from __future__ import annotations

from datetime import datetime
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final, NoReturn

import msgspec
from litestar.exceptions import HTTPException

from claimlog.store.model import errors as store
from claimlog.store.model.types import ReportedProblem, Unclear

if TYPE_CHECKING:
    from collections.abc import Mapping

    from litestar.connection import Request

MEDIA_TYPE: Final = "application/problem+json"


class TableConflict(msgspec.Struct, frozen=True, kw_only=True):
    """How a table stands whose entries somebody does not know, or may not add to.

    `device` is the device that scores it, which was last heard of at `seen_at`; `number` is that
    of the last entry; `entries` are those that the caller lacks.
    """

    number: int
    device: str | None
    seen_at: datetime | None
    entries: list[dict[str, Any]] = []


class ProblemDetails(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What went wrong with a request.

    `type` tells the kinds of errors apart, `title` names it, `detail` says it of this
    request.  `problems` are those of the record, as ``claimlog validate`` reports them;
    `id` is the game that stands in the way, `revision` its revision, `field` the argument
    that is wrong.  `unclear` is there if a name or an id is nobody's, with the nearest ones, or
    several may be meant, with them.  `table` says how a table stands.  `request_id` finds the
    request in the server's log.
    """

    type: str
    title: str
    status: int
    detail: str = ""
    instance: str = ""
    request_id: str = ""
    field: str | None = None
    id: str | None = None
    revision: int | None = None
    problems: list[ReportedProblem] | None = None
    unclear: Unclear | None = None
    table: TableConflict | None = None


class ApiError(Exception):
    """An error that is answered as it is."""

    def __init__(
        self,
        status: int,
        kind: str,
        detail: str,
        *,
        headers: Mapping[str, str] | None = None,
        field: str | None = None,
        id: str | None = None,
        revision: int | None = None,
        problems: list[ReportedProblem] | None = None,
        unclear: Unclear | None = None,
        table: TableConflict | None = None,
    ) -> None:
        super().__init__(detail)
        self.status = status
        self.kind = kind
        self.detail = detail
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

    def details(self, instance: str = "", request_id: str = "") -> ProblemDetails:
        """The error as it is sent."""
        return ProblemDetails(
            type=f"urn:claimlog:{self.kind}",
            title=TITLES[self.kind],
            status=self.status,
            detail=self.detail,
            instance=instance,
            request_id=request_id,
            field=self.field,
            id=self.id,
            revision=self.revision,
            problems=self.problems,
            unclear=self.unclear,
            table=self.table,
        )


TITLES: Final = {
    "bad-request": "The request cannot be understood",
    "bad-query": "An argument cannot be understood",
    "ambiguous": "Several may be meant",
    "unauthorized": "A token is needed",
    "forbidden": "The token does not allow this",
    "not-found": "There is no such thing here",
    "method-not-allowed": "Method not allowed",
    "not-acceptable": "None of the media types asked for can be made",
    "timeout": "The request took too long to arrive",
    "conflict": "It contradicts what is there",
    "other-device": "Another device scores this table",
    "behind": "The table has other entries than the device knows",
    "table-closed": "The table takes no more entries",
    "not-over": "The game is not over",
    "doubtful": "It seems to be a stored game, and differs from it",
    "gone": "The game has been deleted",
    "precondition-failed": "The game has changed meanwhile",
    "too-large": "The request is too large",
    "unsupported-media-type": "The request's media type is not understood",
    "invalid-record": "The record is not one legal game",
    "precondition-required": "Say which revision is meant",
    "too-many-requests": "Too many requests",
    "headers-too-large": "The request's head is too large",
    "misdirected": "The server does not answer for this host",
    "internal": "The server failed",
    "unavailable": "The server cannot answer now",
    "read-only": "The archive cannot be written",
    "disk-full": "There is no room left",
}
"""Each kind of error, and its title."""

_KINDS: Final = {
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
    503: "unavailable",
}


def as_error(error: BaseException) -> ApiError | None:
    """The error to answer with, None if this one is nobody's fault but ours."""
    match error:
        case ApiError():
            return error
        case store.GameDeleted():
            return ApiError(410, "gone", str(error))
        case store.NotFound():
            return _unclear(404, "not-found", error)
        case store.Ambiguous():
            return _unclear(400, "ambiguous", error)
        case store.BadQuery():
            return ApiError(400, "bad-query", str(error), field=error.field or None)
        case store.InvalidRecord():
            return ApiError(422, "invalid-record", str(error), problems=error.problems)
        case store.Conflict():
            return ApiError(409, "conflict", str(error), id=error.id)
        case store.RevisionChanged():
            return ApiError(412, "precondition-failed", str(error), revision=error.revision)
        case store.ArchiveReadOnly():
            return ApiError(403, "read-only", "this server stores and changes nothing")
        case store.DiskFull():
            return ApiError(507, "disk-full", "there is no room left on the server's disk")
        case store.OutOfMemory():
            return busy(str(error), 5)
        case store.ArchiveUnreachable() | store.Overtaken():
            return busy("the archive does not answer at the moment", 1)
        case store.Cancelled():
            return busy(str(error), 1)
        case store.ArchiveClosed():
            return ApiError(503, "unavailable", "the server is stopping")
        case store.ArchiveLocked() | store.ArchiveDamaged() | store.ArchiveTooNew():
            return None
        case store.ArchiveError() if type(error) is store.ArchiveError:
            return ApiError(409, "conflict", str(error))
        case HTTPException() if error.status_code < 500 or error.status_code == 503:
            status = error.status_code if error.status_code in _KINDS else 400
            return ApiError(
                status, _KINDS[status], _detail(error), headers=error.headers, field=_field(error)
            )
    return None


def _unclear(status: int, kind: str, error: store.NotFound | store.Ambiguous) -> ApiError:
    """The error for a name or an id that does not say who is meant."""
    unclear = error.unclear
    field = unclear.field or None if unclear else None
    return ApiError(status, kind, str(error), field=field, unclear=unclear)


def _field(error: HTTPException) -> str | None:
    """The argument that Litestar refuses, if it says which."""
    for item in error.extra if isinstance(error.extra, list) else []:
        if isinstance(item, dict) and item.get("key"):
            return str(item["key"])
    return None


def _detail(error: HTTPException) -> str:
    """What Litestar says about a request that it refuses, in one sentence."""
    words = []
    extra = error.extra if isinstance(error.extra, list) else []
    for item in extra:
        if isinstance(item, dict) and "message" in item:
            key = item.get("key")
            words.append(f"{key}: {item['message']}" if key else str(item["message"]))
    if words:
        return "; ".join(words)
    return HTTPStatus(error.status_code).phrase if error.status_code in (404, 405) else error.detail


def pass_on(request: Request[Any, Any, Any], error: Exception) -> NoReturn:
    """Litestar's exception handler for everything: the layer outside of it answers."""
    if isinstance(error, RecursionError) and request.method not in ("GET", "HEAD"):
        # Only a body that was sent so is nested so deeply.
        raise ApiError(400, "bad-request", "the body is nested too deeply") from error
    raise error


def unauthorized(detail: str) -> ApiError:
    """A 401 with the header that it needs."""
    return ApiError(
        401, "unauthorized", detail, headers={"WWW-Authenticate": 'Bearer realm="claimlog"'}
    )


def busy(detail: str, wait: int = 1) -> ApiError:
    """A 503 that says after how many seconds to come again."""
    return ApiError(503, "unavailable", detail, headers={"Retry-After": str(wait)})


def too_many(detail: str, wait: int) -> ApiError:
    """A 429 that says after how many seconds to come again."""
    return ApiError(429, "too-many-requests", detail, headers={"Retry-After": str(wait)})
