"""The guard before every handler: scope, media type, names with slashes, and valid arguments."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import parse_qsl

from claimlog.api.handlers.query_arguments import arguments_of
from claimlog.api.http.addresses import SLASH
from claimlog.api.http.media_types import JSON, choose
from claimlog.api.http.operation import Operation, negotiated
from claimlog.api.http.problem import ApiError, unauthorized, unknown_argument
from claimlog.api.http.responses import offered
from claimlog.api.layers.asgi import headers_of
from claimlog.api.limits.callers import NOBODY

if TYPE_CHECKING:
    from litestar.connection import ASGIConnection
    from litestar.handlers import BaseRouteHandler

    from claimlog.api.handlers.query_arguments import Kind
    from claimlog.api.limits.callers import Caller

MOST_ARGUMENTS = 64

_KINDS: Final = {
    "integer": re.compile(r"[+-]?[0-9]{1,18}"),
    "number": re.compile(r"[+-]?[0-9]{1,18}(\.[0-9]{1,30})?([eE][+-]?[0-9]{1,3})?"),
    "boolean": re.compile(r"true|false|1|0", re.IGNORECASE),
}
"""How values other than text are written."""

_MOMENT: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ]")


def _check_scope(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
    """401 or 403 unless the caller may do what needs the handler's `scope`."""
    scope = handler.opt.get("scope", "read")
    caller: Caller = connection.scope["state"]["caller"]
    if scope is None or caller.may(scope):
        return
    if caller.table:
        # A table's token suffices for operations at that table, and for nothing else.
        meant = connection.scope["path_params"].get("table_id")
        if handler.opt.get("at_table") and meant == caller.table:
            return
    elif caller.level == NOBODY or not caller.name:
        raise unauthorized("token.scope", scope=scope)
    raise ApiError(403, "forbidden", "token.scope", scope=scope)


def _restore_slashes(connection: ASGIConnection[Any, Any, Any, Any]) -> None:
    """Restore the slashes of names in the path (`Addresses` replaced them).

    A null character in a name is 400.
    """
    values: dict[str, Any] = connection.scope["path_params"]
    for name, value in values.items():
        if isinstance(value, str) and "\0" in value:
            raise ApiError(400, "bad-query", "text.null", field=name)
        if isinstance(value, str) and SLASH in value:
            values[name] = value.replace(SLASH, "/")


class Guard:
    """What Litestar calls before every handler.

    It is not one of Litestar's guards, which get a copy of the handler for each request; and it is
    a coroutine, because Litestar calls plain functions in a thread.
    """

    def __init__(self) -> None:
        self._arguments: dict[tuple[str, str], dict[str, Kind] | None] = {}
        """The arguments of the operations requested so far, by path and method."""
        self._offered: dict[str, tuple[str, ...]] = {}
        """The media types that operations answer with, by path."""

    async def __call__(self, connection: ASGIConnection[Any, Any, Any, Any]) -> None:
        """Raise an ApiError if the caller may not ask this, or not in this way."""
        handler: BaseRouteHandler = connection.scope["route_handler"]
        _check_scope(connection, handler)
        _restore_slashes(connection)
        scope: Any = connection.scope
        accept = headers_of(scope).get(b"accept", b"").decode("latin-1")
        if accept not in ("", "*/*", JSON) and scope["method"] == "GET":
            self._check_accept(scope["path_template"], handler, accept)
        if scope["query_string"]:
            self._check_arguments(connection, handler)

    def _check_accept(self, place: str, handler: BaseRouteHandler, accept: str) -> None:
        """406 if an operation has none of the media types that the caller accepts."""
        if place not in self._offered:
            known = negotiated(place) and isinstance(handler.opt.get("operation"), Operation)
            annotation = handler.parsed_fn_signature.return_type.annotation
            self._offered[place] = offered(annotation) if known else ()
        if offers := self._offered[place]:
            choose(accept, offers)

    def _check_arguments(
        self, connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler
    ) -> None:
        """400 for arguments that the operation does not have; only lists may be repeated.

        Otherwise a misspelt filter would be ignored, and the answer wrong.
        """
        scope: Any = connection.scope
        text = scope["query_string"]
        place = scope["path_template"], scope["method"]
        if place not in self._arguments:
            # Pages check theirs.
            checked = isinstance(handler.opt.get("operation"), Operation)
            self._arguments[place] = arguments_of(handler) if checked else None
        arguments = self._arguments[place]
        if arguments is None:
            return
        seen: set[str] = set()
        if text.count(b"&") >= MOST_ARGUMENTS:
            raise ApiError(400, "bad-query", "argument.too-many", most=MOST_ARGUMENTS)
        try:
            names = parse_qsl(
                text.decode("ascii"),
                keep_blank_values=True,
                errors="strict",
            )
        except ValueError as error:
            raise ApiError(400, "bad-query", "argument.encoding") from error
        for name, value in names:
            if name not in arguments:
                raise unknown_argument(name, arguments)
            if name in seen and not arguments[name].several:
                raise ApiError(400, "bad-query", "argument.once", field=name)
            if "\0" in value:
                raise ApiError(400, "bad-query", "text.null", field=name)
            _check_value(name, value, arguments[name])
            seen.add(name)


def _check_value(name: str, value: str, kind: Kind) -> None:
    """Refuse an impossible value of an argument, and say what is possible."""
    if kind.choices and value not in kind.choices:
        raise ApiError(400, "bad-query", "argument.choices", field=name, names=list(kind.choices))
    if kind.type == "date-time" and not _MOMENT.match(value):
        raise ApiError(400, "bad-query", "argument.moment-of-time", field=name)
    if kind.type in _KINDS and not _KINDS[kind.type].fullmatch(value):
        raise ApiError(400, "bad-query", f"argument.{kind.type}", field=name)
