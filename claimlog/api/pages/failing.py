"""Errors as people see them: a page that says what is wrong, and what would be right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from claimlog.language.refusals import told_in
from claimlog.web.rendering import render

if TYPE_CHECKING:
    from claimlog.api.problem import ApiError


def error_page(error: ApiError, request_id: str, language: str) -> bytes:
    """The page for an error, in a language."""
    details = error.details("", request_id)
    return render(
        "error.html",
        language,
        here="",
        path="/",
        query="",
        other_language=f"?lang={'en' if language == 'de' else 'de'}",
        title=told_in(language, details.title),
        detail=_sentence(told_in(language, details.detail)),
        candidates=details.unclear.candidates if details.unclear else [],
        status=details.status,
        request_id=request_id,
    )


def _sentence(text: str) -> str:
    """What an error says, beginning as a sentence does."""
    return text[:1].upper() + text[1:]
