"""What a handler says beyond its signature: who may ask, what the body is, which errors come."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from claimlog.api.tokens import Scope


class Operation(msgspec.Struct, frozen=True, kw_only=True):
    """An operation, beyond what its handler's signature says.

    `scope` is what a token needs to allow (None: whoever asks), `cache` whether the answer is
    kept.  `body` are the types of the body by media type (`str` and `bytes` for text and
    anything), where Litestar does not decode it; `errors` the statuses that only some
    operations have; `headers` what headers of the answer are for; `links` where the answer has
    the id of a game, as a JSON pointer, by which further operations can be asked.
    """

    scope: Scope | None = "read"
    cache: bool = True
    body: dict[str, Any] | None = None
    errors: tuple[int, ...] = ()
    headers: dict[str, str] = {}
    links: str = ""


def operation(
    *,
    scope: Scope | None = "read",
    cache: bool = True,
    body: dict[str, Any] | None = None,
    errors: tuple[int, ...] = (),
    headers: dict[str, str] | None = None,
    links: str = "",
    at_table: bool = False,
) -> dict[str, Any]:
    """The `opt` of a handler; `at_table`: the token of the table that is meant is enough."""
    operation = Operation(
        scope=scope, cache=cache, body=body, errors=errors, headers=headers or {}, links=links
    )
    return {"scope": scope, "cache": cache, "operation": operation, "at_table": at_table}
