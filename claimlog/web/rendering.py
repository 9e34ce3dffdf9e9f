"""Pages made from templates: text in two languages, numbers, cards, intervals.

The templates are in ``templates/``; they get all their data as values, and query nothing.
"""

from __future__ import annotations

from functools import cache, partial
from math import ceil, floor
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

import msgspec
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from claimlog.cards import FACTIONS
from claimlog.directing.ratings import START, UNSURE
from claimlog.language import Words, site_words, translated
from claimlog.language.isolation import apart
from claimlog.notation.names import LONGEST
from claimlog.replay.narration import isolated, plain
from claimlog.results import readable
from claimlog.web import assets

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; manifest-src 'self'; form-action 'self'; frame-ancestors 'none'; "
    "base-uri 'none'"
)
"""The Content-Security-Policy of every page: nothing external, nothing inline."""


def render(name: str, language: str, /, **values: Any) -> bytes:
    """Return the page made from the template `name` and `values`, in a language."""
    environment = _environment(language)
    text = environment.get_template(name).render(values)
    return text.encode("utf-8", "replace")


@cache
def _environment(language: str) -> Environment:
    words = site_words(language)
    environment = Environment(
        loader=PackageLoader("claimlog.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    environment.filters.update(
        count=lambda value: number(words, value),
        fixed=lambda value, digits=1: number(words, value, digits),
        points=lambda value: points(words, value),
        percent=lambda value, digits=1: percent(words, value, digits),
        day=lambda text: words.date(plain(text)) if text else words("undated"),
        seconds=span,
        quoted=lambda text: quote(text, safe=""),
        plain=lambda text: plain(text or ""),
        # A name in running text, which may be written from right to left.
        name=lambda text: Markup("<bdi>{}</bdi>").format(plain(text or "")),
        # The same where no element can be, as in an option.
        isolated=lambda text: isolated(text or ""),
        builtins=msgspec.to_builtins,
        readable=readable,
    )
    environment.globals.update(
        say=_sayer(words),
        words=words,
        tr=partial(translated, language),
        language=language,
        longest=LONGEST,
        static=lambda name: assets.page().address(name),
        ends_of=ends_of,
        at=_at,
        published=False,
        rating_plot=lambda history: rating_plot(words, history),
        cross_cells=lambda row, rows, at: _cross_cells(words, row, rows, at),
        factions={one.letter: words.faction(one.letter) for one in FACTIONS},
    )
    return environment


def _at(kind: str, which: str) -> str:
    """Return the address of a page of the server."""
    return f"/{kind}/{quote(which, safe='')}"


def _sayer(words: Words) -> Callable[..., str]:
    def say(key: str, number: int | None = None, **values: Any) -> str:
        """Return a text of the pages, singular or plural if a number is given."""
        values = {
            name: apart(value) if type(value) is str else value for name, value in values.items()
        }
        if number is None:
            return words(f"site.{key}", **values)
        form = "one" if number == 1 else "other"
        return words(f"site.{key}.{form}", number=_grouped(words, number), **values)

    return say


def _grouped(words: Words, value: float, digits: int = 0) -> str:
    text = f"{value:z,.{digits}f}"  # z: what is rounded to zero has no minus
    return text.translate(str.maketrans(",.", ".,")) if words.language == "de" else text


def number(words: Words, value: float | None, digits: int = 0) -> str:
    """Return a number in the format of the language, a dash for None."""
    return "–" if value is None else _grouped(words, value, digits)


def points(words: Words, value: float) -> str:
    """Return points in the format of the language, with as many decimals as needed, at most two."""
    digits = next(digits for digits in (0, 1, 2) if round(value, digits) == round(value, 2))
    return number(words, value, digits)


def percent(words: Words, value: float | None, digits: int = 1) -> str:
    """Return a share as a percentage, a dash for None."""
    if value is None:
        return "–"
    return f"{_grouped(words, 100 * value, digits)} %".replace(" ", "\N{NO-BREAK SPACE}")


def _cross_cells(
    words: Words, row: Any, rows: list[Any], at: Callable[[str, str], str] | None
) -> Markup:
    """Return the cells of a row of a crosstable, one for each player in `rows`.

    Games are linked if there is `at`, which gives their addresses.
    A template takes several times as long, and there can be more than a thousand cells.
    """
    cells = {cell.opponent: cell for cell in row.cells}
    titles: dict[int, str] = {}
    drawn = []
    for other in rows:
        text = ""
        cell = cells.get(other.player)
        if cell is not None:
            whole, half = divmod(cell.points, 1)
            text = f"{whole:.0f}½".lstrip("0") if half == 0.5 else points(words, cell.points)
            if cell.games == 1:
                # A result typed by a director has no game to link to.
                place = at("games", cell.ids[0]) if at is not None and cell.ids else ""
                if place:
                    text = f'<a href="{place}">{text}</a>'
            else:
                title = titles.get(cell.games)
                if title is None:
                    number = _grouped(words, cell.games)
                    title = titles[cell.games] = words("site.games-of.other", number=number)
                # As a fraction, one point of two games would look like half a point.
                text = f'<span title="{title}">{text}&nbsp;({cell.games})</span>'
        own = " self" if other.player == row.player else ""
        drawn.append(f'<td class="number{own}">{text}</td>')
    return safe("".join(drawn))


def rating_plot(words: Words, history: list[Any]) -> Markup:
    """Return a plot of the rating after each game, with a band of twice its uncertainty; SVG."""
    width, height, left, most = 640, 180, 34, 500
    step = max(1, len(history) // most)
    shown = [*history[:-1:step], history[-1]]
    points = [(START, UNSURE), *((one.rating, one.uncertainty) for one in shown)]
    low: int = floor(min(rating - 2 * unsure for rating, unsure in points) / 10)
    high: int = ceil(max(rating + 2 * unsure for rating, unsure in points) / 10)

    def x(place: int) -> float:
        return left + (width - left - 8) * place / max(1, len(shown))

    def y(value: float) -> float:
        return 8 + (height - 16) * (high - value / 10) / max(1, high - low)

    line = " ".join(f"{x(k):.1f},{y(rating):.1f}" for k, (rating, _) in enumerate(points))
    above = [
        f"{x(k):.1f},{y(rating + 2 * unsure):.1f}" for k, (rating, unsure) in enumerate(points)
    ]
    below = [
        f"{x(k):.1f},{y(rating - 2 * unsure):.1f}" for k, (rating, unsure) in enumerate(points)
    ]
    grid = "".join(
        f'<line class="grid" x1="{left}" x2="{width}" y1="{y(value):.1f}" y2="{y(value):.1f}"/>'
        f'<text x="{left - 6}" y="{y(value) + 4:.1f}" text-anchor="end">{value}</text>'
        for value in range(10 * low, 10 * high + 1, 10)
    )
    last = words("site.rating.history") + f" {number(words, history[-1].rating, 1)}"
    return safe(
        f'<svg class="ratings" viewBox="0 0 {width} {height}" role="img" aria-label="{last}">{grid}'
        f'<polygon points="{" ".join([*above, *reversed(below)])}"/>'
        f'<polyline points="{line}"/></svg>'
    )


def ends_of(rates: Iterable[Any]) -> tuple[float, float]:
    """Return the ends of an axis, in tenths, that covers all intervals and expected shares.

    `rates` have `low` and `high`, None if there is nothing to count, and may have `expected`.
    """
    known = [rate for rate in rates if rate.low is not None]
    marks = [rate.expected for rate in known if rate.expected is not None]
    low = min([*marks, *(rate.low for rate in known)], default=0.5)
    high = max([*marks, *(rate.high for rate in known)], default=0.5)
    return max(0.0, floor(10 * low - 0.01) / 10), min(1.0, ceil(10 * high + 0.01) / 10)


def span(value: float | None) -> str:
    """Return seconds as minutes and seconds, or as hours, minutes and seconds."""
    if value is None:
        return "–"
    minutes, seconds = divmod(round(value), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def safe(markup: str) -> Markup:
    """Mark HTML or SVG that claimlog made itself as not to be escaped again."""
    return Markup(markup)
