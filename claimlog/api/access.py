"""What every handler is guarded by: the caller's scope, and arguments that mean something."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl

from claimlog.api.front import unauthorized
from claimlog.api.problem import ApiError
from claimlog.api.service import NOBODY

if TYPE_CHECKING:
    from collections.abc import Callable

    from litestar.connection import ASGIConnection
    from litestar.handlers import BaseRouteHandler

    from claimlog.api.service import Caller

MOST_ARGUMENTS = 64


def check_scope(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
    """Litestar guard: 401 or 403 unless the caller may do what the handler's `scope` is for."""
    scope = handler.opt.get("scope", "read")
    caller: Caller = connection.scope["state"]["caller"]
    if scope is None or caller.may(scope):
        return
    if caller.level == NOBODY or not caller.name:
        raise unauthorized(f"this needs a token with the scope {scope}")
    raise ApiError(403, "forbidden", f"this needs a token with the scope {scope}")


class ArgumentGuard:
    """Litestar guard: 400 for arguments that the operation does not have.

    A misspelt filter would otherwise be a filter left out, and the answer a wrong one.
    """

    def __init__(self) -> None:
        self.operations: Callable[[], dict[tuple[str, str], dict[str, bool]]] = dict

    def __call__(
        self, connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler
    ) -> None:
        """Check the query; arguments that are no lists may stand once."""
        text = connection.scope["query_string"]
        if not text:
            return
        scope: Any = connection.scope
        key = (scope["path_template"], scope["method"])
        known = self.operations().get(key)
        if known is None:
            return
        seen: set[str] = set()
        try:
            names = parse_qsl(
                text.decode("ascii"),
                keep_blank_values=True,
                max_num_fields=MOST_ARGUMENTS,
                errors="strict",
            )
        except ValueError as error:
            raise ApiError(400, "bad-query", "the query is not URL-encoded UTF-8") from error
        for name, value in names:
            if name not in known:
                there = ", ".join(sorted(known)) or "none"
                raise ApiError(
                    400,
                    "bad-query",
                    f"there is no argument {name[:50]!r} here, but {there}",
                    field=name[:50],
                )
            if name in seen and not known[name]:
                raise ApiError(400, "bad-query", f"{name} may stand once only", field=name)
            if "\0" in value:
                raise ApiError(400, "bad-query", f"{name} holds a null character", field=name)
            seen.add(name)
