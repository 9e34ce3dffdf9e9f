"""Errors as people see them: a page that says what is wrong, and how to put it right."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qsl, quote, urlencode

from claimlog.api.http.addresses import PAGES
from claimlog.language import site_words
from claimlog.language.messages import Message
from claimlog.store.model.filter import CONDITIONS
from claimlog.web.rendering import render

if TYPE_CHECKING:
    from claimlog.api.http.problem import ApiError
    from claimlog.api.layers.asgi import Scope
    from claimlog.store.model.types import Candidate, Unclear


_WITH_FORM: Final = ("/games", "/stats/", "/explorer")
"""Pages with a form for conditions."""


def error_page(error: ApiError, scope: Scope, language: str) -> bytes:
    """Return the page for an error of a request, in a language."""
    from claimlog.api.pages.answering import form_of

    details = error.details("", scope["state"]["request_id"], language)
    unclear = details.unclear
    detail = sentence(details.detail)
    path = scope["path"].removeprefix(PAGES)
    field = (unclear.field if unclear else "") or details.field or ""
    form = {}
    if field in CONDITIONS and path.startswith(_WITH_FORM):
        # The values stay in the form, and the error is shown beside its field.
        why = error.isolated
        if why.key == "named" and why.values["name"] == field:
            label = site_words(language)(f"site.filter.{field}")
            detail = Message("named", **why.values | {"name": label}).worded(language)
            why = Message("said", text=why.values["why"])
        wrong = {field: sentence(why.worded(language))}
        form = form_of(parse_qsl(scope["query_string"].decode("latin-1")), (), wrong)
    return render(
        "error.html",
        language,
        here="",
        path=quote(path) if form else "/",
        query="",
        data_query="",
        other_language=f"?lang={'en' if language == 'de' else 'de'}",
        title=details.title,
        detail=detail,
        form=form,
        **form,
        candidates=[(one, _address(scope, unclear, one)) for one in unclear.candidates]
        if unclear
        else [],
        status=details.status,
        request_id=details.request_id,
    )


def _address(scope: Scope, unclear: Unclear, candidate: Candidate) -> str:
    """Return the link for a candidate: to its page, or to the same query about it."""
    if not unclear.field:
        return f"/{candidate.kind}s/{quote(candidate.id, safe='')}"
    query = parse_qsl(scope["query_string"].decode("latin-1"))
    meant = [
        (name, candidate.id if name == unclear.field and value == unclear.text else value)
        for name, value in query
    ]
    return f"{quote(scope['path'])}?{urlencode(meant)}"


def sentence(text: str) -> str:
    """Return an error's text with a capital letter."""
    return text[:1].upper() + text[1:]
