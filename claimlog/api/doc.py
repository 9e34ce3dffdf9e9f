"""What an operation's entry in the OpenAPI document says beyond its signature."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from claimlog.api.negotiate import JSON

if TYPE_CHECKING:
    from claimlog.api.tokens import Scope


class Doc(msgspec.Struct, frozen=True, kw_only=True):
    """An operation: its answers by status, its body, its errors.

    `answers` are the types by status (None: no body), or of other media types than JSON a
    type for each; `str` and `bytes` are text and anything.  `body` alike.  `headers` are
    descriptions of headers of the successful answers.
    """

    answers: dict[int, Any]
    body: dict[str, Any] | None = None
    errors: tuple[int, ...] = ()
    headers: dict[str, str] = {}


def operation(
    answer: Any = None,
    *,
    scope: Scope | None = "read",
    cache: bool = True,
    status: int = 200,
    answers: dict[int, Any] | None = None,
    body: dict[str, Any] | None = None,
    errors: tuple[int, ...] = (),
    headers: dict[str, str] | None = None,
) -> dict[str, Any]:
    """The `opt` of a handler: the scope that it needs, whether it is cached, its `Doc`."""
    doc = Doc(
        answers=answers or {status: {JSON: answer}},
        body=body,
        errors=errors,
        headers=headers or {},
    )
    return {"scope": scope, "cache": cache, "doc": doc}
