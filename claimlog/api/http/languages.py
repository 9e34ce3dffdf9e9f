"""The language of an answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from claimlog.language import preferred

if TYPE_CHECKING:
    from litestar import Request


def language_of(request: Request[Any, Any, Any]) -> str:
    """The language that Accept-Language prefers."""
    return preferred(request.headers.get("accept-language", ""))
