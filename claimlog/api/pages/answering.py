"""What all pages have in common: their address, language and answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple
from urllib.parse import parse_qsl, quote, urlencode

from litestar import Response

from claimlog.api.http.addresses import PAGES, SLASH
from claimlog.api.http.media_types import CSV
from claimlog.api.http.problem import ApiError, unknown_argument
from claimlog.api.http.rows import MOST, csv_of
from claimlog.store.model.filter import CONDITIONS
from claimlog.store.questions import columns
from claimlog.web.rendering import POLICY, render

if TYPE_CHECKING:
    from collections.abc import Container, Iterable

    from litestar import Request

    from claimlog.api.resources import Resources

READ: Final[dict[str, Any]] = {"scope": "read"}
"""A page whose answer is cached until anything is written."""
ROWS: Final = 50
"""Rows of a list on a page."""
LIVE: Final[dict[str, Any]] = {"scope": "read", "cache": False}
"""A page that shows tables at which games are being recorded."""

_SHOWN: Final = ("all", "entrant", "results")
"""Arguments that select what a page shows; programs get everything."""
_KINDS: Final = {int: "number", float: "number"}
_FIRST: Final = ("text", "player", "opponent", "event", "since", "until", "seats", "factions")
"""The most common conditions; a page shows the others on demand."""


class Field(NamedTuple):
    """A condition as a field of a form; `first`: it is shown at once."""

    name: str
    help: str
    input: str
    choices: tuple[str, ...]
    pattern: str
    least: float | None
    most: float | None
    first: bool


class Place:
    """The place of a page: its path, its arguments, its language."""

    def __init__(self, request: Request[Any, Any, Any], known: Iterable[str] = ()) -> None:
        """`known` are the arguments that the page has; raises ApiError for any other."""
        path: str = request.scope["path"].removeprefix(PAGES) or "/"
        self.path = "/".join(quote(part.replace(SLASH, "/"), safe="") for part in path.split("/"))
        self.query = request.scope["query_string"].decode("latin-1")
        self.arguments = parse_qsl(self.query)
        self.language: str = request.scope["state"].get("page", "en")
        self.for_people = "page" in request.scope["state"]
        self.limit = ROWS if self.for_people else MOST
        self.origin = f"{request.scope.get('scheme', 'http')}://{request.headers.get('host', '')}"
        names = set(known)
        for name, _ in self.arguments:
            if name not in names:
                raise unknown_argument(name, names)

    def values(self, name: str) -> list[str]:
        """Return the values of an argument."""
        return [value for key, value in self.arguments if key == name]

    @property
    def results_hidden(self) -> bool:
        """Whether the results of games are to be hidden."""
        return self.values("results") == ["hidden"]

    def with_query(self, add: dict[str, str] | None = None, **other: str | None) -> str:
        """Return this address with other arguments; those of `add` are added to existing ones."""
        kept = [pair for pair in self.arguments if pair[0] not in other]
        kept += [(name, value) for name, value in other.items() if value is not None]
        kept += list((add or {}).items())
        return f"{self.path}?{urlencode(kept)}" if kept else self.path

    def page(
        self,
        template: str,
        *,
        here: str = "",
        rows: Iterable[Any] | None = None,
        listing: type | None = None,
        **values: Any,
    ) -> Response[bytes]:
        """Return the page; `here` is the section of the site that it belongs to.

        `rows` are what it lists, of the type `listing`; a request for CSV gets those.
        """
        if not self.for_people:
            if rows is None:
                raise ApiError(406, "not-acceptable", "media.no-rows")
            return Response(csv_of(rows, listing), media_type=CSV)
        body = self.html(template, here=here, **values)
        return Response(
            body,
            media_type="text/html",
            headers={
                "Content-Security-Policy": POLICY,
                "Content-Language": self.language,
                "Referrer-Policy": "same-origin",
            },
        )

    def data_query(self, *shown: str) -> str:
        """Return the arguments without those that only select what the page shows."""
        return urlencode([pair for pair in self.arguments if pair[0] not in (*_SHOWN, *shown)])

    def html(self, template: str, **values: Any) -> bytes:
        """Return the page as HTML."""
        other = "en" if self.language == "de" else "de"
        return render(
            template,
            self.language,
            **{
                "path": self.path,
                "data_query": self.data_query(),
                "query": self.query,
                "with_query": self.with_query,
                "other_language": self.with_query(lang=other),
            }
            | values,
        )

    def form(self, *kept: str, tied: Container[str] = ()) -> dict[str, Any]:
        """Return the values for a form of the conditions; arguments `kept` stay as they are.

        Arguments with values in `tied` are removed when all conditions are cleared.
        """
        form = form_of(self.arguments, kept) | {"chips": self._chips(tied)}
        return form | {"cleared": [pair for pair in form["kept"] if pair[1] not in tied]}

    def _chips(self, tied: Container[str]) -> list[tuple[str, str, str]]:
        """The conditions: name, value, and this address without it and what is tied to it."""
        chips = []
        for i, (name, value) in enumerate(self.arguments):
            if name in CONDITIONS:
                rest = [
                    pair
                    for k, pair in enumerate(self.arguments)
                    if k != i and pair[0] != "cursor" and not (name == "player" and pair[1] in tied)
                ]
                chips.append((name, value, f"{self.path}?{urlencode(rest)}" if rest else self.path))
        return chips


def form_of(
    arguments: list[tuple[str, str]], kept: Iterable[str] = (), wrong: dict[str, str] | None = None
) -> dict[str, Any]:
    """Return the values for a form of the conditions in an address; `wrong` has errors by name."""
    chosen: dict[str, list[str]] = {}
    for name, value in arguments:
        if name in CONDITIONS:
            chosen.setdefault(name, []).append(value)
    return {
        "fields": FIELDS,
        "chosen": chosen,
        "wrong": wrong or {},
        "chips": [],
        "kept": (stay := [pair for pair in arguments if pair[0] in kept]),
        "cleared": stay,
        "conditions": urlencode([pair for pair in arguments if pair[0] in CONDITIONS]),
    }


def listed(
    resources: Resources,
    kind: Literal["events", "players"],
    sort: str,
    limit: int = ROWS,
    search: str = "",
    cursor: str | None = None,
) -> Any:
    """Return a page of the list of events or players, cached by `StaleWhileRevalidate`."""
    return resources.stale_cache.get(
        (kind, limit, search, sort, cursor),
        lambda: getattr(resources.archive, kind)(
            search=search, sort=sort, limit=limit, cursor=cursor, total=True
        ),
    )


async def list_page(
    place: Place,
    resources: Resources,
    kind: Literal["events", "players"],
    sort: str,
    search: str,
    cursor: str | None,
    **more: Any,
) -> Response[bytes]:
    """Return the HTML page of that list, which also shows `more`."""

    def look() -> Response[bytes]:
        page = listed(resources, kind, sort, place.limit, search, cursor)
        first = not place.values("cursor")
        shown = {"search": search, "sort": sort, "first": first, **more}
        rows, (_, row) = getattr(page, kind), columns.listed(type(page))
        return place.page(f"{kind}.html", here=kind, rows=rows, listing=row, page=page, **shown)

    return await resources.read(look)


def _fields() -> list[Field]:
    fields = []
    for one in CONDITIONS.values():
        choices = one.choices
        if one.kind is bool:
            choices = ("true", "false")
        elif one.name == "outcome":
            choices = ("won", "lost", "shared")
        fields.append(
            Field(
                name=one.name,
                help=one.help.replace("`", ""),
                input=_KINDS.get(one.kind, "text"),
                choices=choices,
                pattern="",
                least=one.limits.get("ge"),
                most=one.limits.get("le"),
                first=one.name in _FIRST,
            )
        )
    return sorted(fields, key=lambda one: _FIRST.index(one.name) if one.first else len(_FIRST))


FIELDS: Final = _fields()
"""All conditions, the most common ones first."""
