"""Errors as people see them: a page that says what is wrong, and what would be right."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, quote, urlencode

from claimlog.language.refusals import told_in
from claimlog.web.rendering import render

if TYPE_CHECKING:
    from claimlog.api.layers.asgi import Scope
    from claimlog.api.problem import ApiError
    from claimlog.store.types import Candidate, Unclear


def error_page(error: ApiError, scope: Scope, language: str) -> bytes:
    """The page for an error of a request, in a language."""
    details = error.details("", scope["state"]["request_id"])
    unclear = details.unclear
    return render(
        "error.html",
        language,
        here="",
        path="/",
        query="",
        data_query="",
        other_language=f"?lang={'en' if language == 'de' else 'de'}",
        title=told_in(language, details.title),
        detail=_sentence(told_in(language, details.detail)),
        candidates=[(one, _address(scope, unclear, one)) for one in unclear.candidates]
        if unclear
        else [],
        status=details.status,
        request_id=details.request_id,
    )


def _address(scope: Scope, unclear: Unclear, candidate: Candidate) -> str:
    """Where to go on if a candidate is meant: to its page, or to the same question about it."""
    if not unclear.field:
        return f"/{candidate.kind}s/{quote(candidate.id, safe='')}"
    query = parse_qsl(scope["query_string"].decode("latin-1"))
    meant = [
        (name, candidate.id if name == unclear.field and value == unclear.text else value)
        for name, value in query
    ]
    return f"{quote(scope['path'])}?{urlencode(meant)}"


def _sentence(text: str) -> str:
    """What an error says, beginning as a sentence does."""
    return text[:1].upper() + text[1:]
