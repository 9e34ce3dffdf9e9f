"""Media types: of a request's body, and the choice for its answer."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from claimlog.api.http.problem import ApiError

JSON: Final = "application/json"
NDJSON: Final = "application/x-ndjson"
CLM: Final = "text/x-claim"
CSV: Final = "text/csv"
PARQUET: Final = "application/vnd.apache.parquet"
HTML: Final = "text/html"

FORMATS: Final = {"json": JSON, "ndjson": NDJSON, "clm": CLM, "csv": CSV, "parquet": PARQUET}
"""The values of `format` in a page's query, and the media types they stand for."""

ALIASES: Final = {
    "application/ndjson": NDJSON,
    "application/jsonl": NDJSON,
    "application/x-parquet": PARQUET,
    "application/parquet": PARQUET,
}


def media_type(header: str) -> str:
    """Return the media type of a Content-Type header, without parameters."""
    name = header.partition(";")[0].strip().lower()
    return ALIASES.get(name, name)


def charset(header: str) -> str:
    """Return the encoding that a Content-Type header names, by default UTF-8.

    >>> charset('text/x-claim; Charset="UTF-8"')
    'utf-8'
    """
    for parameter in header.split(";")[1:]:
        key, _, value = parameter.partition("=")
        if key.strip().lower() == "charset":
            return value.strip().strip('"').lower()
    return "utf-8"


def choose(accept: str, offers: tuple[str, ...]) -> str:
    """Return the offer that the Accept header prefers, the first of equally good ones.

    Raises 406 if it accepts none, unless it accepts HTML, as browsers do when they follow a link.

    >>> choose("text/*;q=0.5, application/json;q=0.1", (JSON, CSV))
    'text/csv'
    """
    if not accept or accept == "*/*" or accept == offers[0]:
        return offers[0]
    best = _best(accept[:2000], offers)
    if not best:
        raise ApiError(406, "not-acceptable", "media.offers", names=offers)
    return best


@lru_cache(maxsize=500)
def _best(accept: str, offers: tuple[str, ...]) -> str:
    """Return the best offer, an empty string if none is accepted."""
    ranges = [_range(part) for part in accept.split(",") if part.strip()]
    best, most = "", 0.0
    for offer in offers:
        quality, closest = 0.0, -1
        for name, value in ranges:
            close = _closeness(name, offer)
            if close > closest:
                quality, closest = value, close
        if quality > most:
            best, most = offer, quality
    return best or (offers[0] if HTML in accept.lower() else "")


def _range(text: str) -> tuple[str, float]:
    """Return a media range and its quality."""
    name, *parameters = text.split(";")
    quality = 1.0
    for parameter in parameters:
        key, _, value = parameter.partition("=")
        if key.strip().lower() == "q":
            try:
                quality = min(1.0, max(0.0, float(value)))
            except ValueError:
                quality = 0.0
    return media_type(name), quality


def _closeness(name: str, offer: str) -> int:
    """How closely a range names an offer, -1 if it does not."""
    if name == offer:
        return 2
    if name == offer.partition("/")[0] + "/*":
        return 1
    return 0 if name == "*/*" else -1
