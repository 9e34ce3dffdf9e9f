"""What a handler's signature does not say: required scope, types of the body, errors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from claimlog.api.http.addresses import VERSION

if TYPE_CHECKING:
    from claimlog.api.tokens import Scope


class Operation(msgspec.Struct, frozen=True, kw_only=True):
    """What the signature of an operation's handler does not say.

    `scope` is what a token must allow (None: open to anyone), `cache` whether the answer is cached.
    `body` gives the types of the body by media type (`str` for text, `bytes` for anything), where
    Litestar does not decode it; `errors` the statuses that only some operations have; `headers`
    describes the answer's headers; `links` is a JSON pointer to the id of a game in the answer,
    with which further operations can be called.
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
    """Return the `opt` of a handler; `at_table`: the token of the table concerned suffices."""
    operation = Operation(
        scope=scope, cache=cache, body=body, errors=errors, headers=headers or {}, links=links
    )
    return {"scope": scope, "cache": cache, "operation": operation, "at_table": at_table}


def negotiated(path: str) -> bool:
    """Whether what is read at this path has to be acceptable: not where monitors ask."""
    return path == "/" or path.startswith(f"{VERSION}/")
