"""Every page in every state of an archive and its tables, in both languages, in this process."""

from __future__ import annotations

import html
import io
import re
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import quote, quote_plus, urlsplit

import pytest
from jinja2 import Environment
from litestar.testing import TestClient
from states import DELETED, Archived, addresses, fill, puzzle_out
from test_site import Page

from claimlog.api.app import create_app
from claimlog.api.logs import Log
from claimlog.api.settings import Settings
from claimlog.cards import LETTERS
from claimlog.language import LANGUAGES, site_words
from claimlog.store import Archive
from claimlog.web import rendering

TEMPLATES = Path(rendering.__file__).parent / "templates"


@pytest.fixture(scope="module")
def archives(tmp_path_factory):
    """An archive without games, one with something of every kind, and the templates used."""
    with ExitStack() as stack, pytest.MonkeyPatch.context() as patch:
        shown = set()
        whole = Environment.get_template

        def noted(self, name, *more, **values):
            shown.add(name)
            return whole(self, name, *more, **values)

        patch.setattr(Environment, "get_template", noted)
        made = []
        for name in ("empty", "full"):
            path = tmp_path_factory.mktemp("pages") / f"{name}.duckdb"
            archive = stack.enter_context(Archive.open(path))
            app = create_app(archive, Settings(open_writing=True), Log(io.BytesIO()))
            token, _ = app.resources.tokens.create("Dora", "direct")
            made.append(Archived(stack.enter_context(TestClient(app=app)), token))
        fill(made[1])
        puzzle_out(archive)
        yield *made, shown


def visible(text: str) -> str:
    """The text that people read on a page, without records, scripts and markup."""
    text = re.sub(r"(?s)<(script|pre|style)\b.*?</\1>", " ", text)
    return html.unescape(re.sub(r"<[^>]+>", " ", text))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("which", [0, 1], ids=["empty", "full"])
def test_every_page_is_shown_in_every_state(archives, which, language):
    served = archives[which]
    known = addresses(served)
    assert len(known) > (50 if which else 20)
    for path in known:
        answer = served.see(path, language)
        assert answer.status_code == 200, f"{path}: {answer.text[:300]}"
        if "html" not in answer.headers["content-type"] or path.startswith("/tables"):
            continue
        page = Page(answer.text)
        words = visible(answer.text)
        assert "??" not in words, (path, words)
        assert DELETED not in words
        assert not re.search(
            r"\d\d:\d\d:\d\d|\d\d\d\d-\d\d-\d\d|\{\w+\}|\bNone\b|\bTrue\b", words
        ), (path, words)
        assert page.links or path.startswith("/r/"), path


@pytest.mark.parametrize("language", LANGUAGES)
def test_tables_being_recorded_are_shown_where_they_belong(archives, language):
    served = archives[1]
    word = site_words(language)("site.live")
    home, spring = served.see("/", language).text, served.see("/events/Spring%20Cup", language).text
    for table, here, there in zip(
        served.tables, (0, 1, 0, 1, 1, 1, 0), (0, 0, 0, 0, 0, 1, 0), strict=True
    ):
        assert (f"/tables/{table}" in home, f"/tables/{table}" in spring) == (here, there)
    assert word in home
    assert word in spring
    assert word not in served.see("/events/Forfeits", language).text


def test_numbers_and_the_links_beside_them_agree(archives):
    """A link that says "5 games" leads to five; so does each number in a table that is a link."""
    served = archives[1]
    tried = 0
    for path in addresses(served):
        if path.startswith(("/tables", "/r/")) or path.endswith("/views"):
            continue
        for address, text in re.findall(
            r'<a [^>]*href="(/games[^"/]*)"[^>]*>(.*?)</a>(?: <span class="dim">.*?</span>)?',
            served.see(path).text,
        ):
            number = re.search(
                r"([\d,]+)(?: complete)? games?$", html.unescape(re.sub("<.*?>", "", text)).strip()
            )
            if number is None:
                continue
            tried += 1
            there = served.see(html.unescape(address)).text
            assert re.search(r'role="status">([\d,]+) games?<', there)[1] == number[1], (
                path,
                address,
            )
    assert tried > 5


@pytest.mark.parametrize("letter", LETTERS[:6])
def test_a_faction_is_in_as_many_games_as_the_search_finds(archives, letter):
    served = archives[1]
    text = served.see(f"/factions/{letter}").text
    number = served.http.get(f"/v1/stats/count?factions={letter}").json()["games"]
    complete = served.http.get(f"/v1/stats/count?factions={letter}&complete=true").json()["games"]
    assert f'<a href="/games?factions={letter}">{number} game' in text
    if complete:
        assert (
            f'<a href="/games?factions={letter}&amp;complete=true">{complete} complete game' in text
        )


@pytest.mark.parametrize("name", ["Émile Zürcher", "Łukasz 王"])
def test_names_of_any_script_are_searched_as_they_are(archives, name):
    served = archives[1]
    for asked in (f"player={quote(name)}", f"text={quote_plus(name)}", f"p%6Cayer={quote(name)}"):
        number = len(served.ask(f"games?{asked}&limit=100")["games"])
        for language in ("", "&lang=de", "&lang=en"):
            page = served.see(f"/games?{asked}{language}")
            assert page.status_code == 200, (asked, page.text)
            assert re.search(r'role="status">(\d+) (?:games?|Partien?|Spiele?)<', page.text)[
                1
            ] == str(number)
        data = served.see(f"/games?{asked}&format=json").json()
        assert len(data["games"]) == number > 0


@pytest.mark.parametrize(
    ("path", "rates"),
    [
        ("results?by=seats", lambda found: [one["result"] for one in found["groups"]]),
        ("results?by=seat", lambda found: [one["result"] for one in found["groups"]]),
        ("factions", lambda found: [one["worth"] for one in found]),
        ("upcards", lambda found: [one["taker"] for one in found]),
    ],
)
def test_the_broken_line_is_where_the_expected_share_is(archives, path, rates):
    served = archives[1]
    text = served.see(f"/stats/{path}").text
    ends = re.search(r'class="ends"><span>([\d.]+).%</span>.*?<span>([\d.]+).%<', text)
    low, high = (float(end) / 100 for end in ends.groups())
    drawn = [float(x) for x in re.findall(r'class="expected" d="M([\d.]+) 0v12"', text)]
    expected = [
        one["expected"]
        for one in rates(served.ask(f"stats/{path}"))
        if one["rate"] is not None and one["expected"] is not None
    ]
    assert len(set(expected)) > (path != "results?by=seat")
    there = sorted(100 * (share - low) / (high - low) for share in expected)
    assert sorted(drawn) == pytest.approx(there, abs=0.06)


def test_every_template_was_used(archives):
    served = archives[1]
    assert served.see("/games?plaier=Anna").status_code == 400
    id = served.ids("games")[0]
    assert served.http.get(f"/v1/games/{id}/html").status_code in (200, 404)
    for path in addresses(served):
        served.see(path)
    left = {path.name for path in TEMPLATES.glob("*.html")} - archives[2]
    # The pages that `export --html` and `publish` write, and the extra ones of `serve --lan`.
    assert left <= {
        "replay-file.html",
        "published.html",
        "published-games.html",
        "trust.html",
        "puzzles-file.html",
        # tests/api/test_desk_pages.py
        "desk.html",
        "places.html",
        "print.html",
    }


def test_links_lead_somewhere(archives):
    """Follow one link of each kind on each kind of page."""
    served = archives[1]
    tried = set()
    for path in addresses(served):
        answer = served.see(path)
        if "html" not in answer.headers["content-type"] or path.startswith("/tables"):
            continue
        for link in Page(answer.text).links:
            kind = re.sub(r"[0-9a-z]{13}|=[^& ]*|/[A-Z]\b", "_", f"{path} {link}")
            if kind in tried or link.startswith("#") or urlsplit(link).netloc:
                continue
            tried.add(kind)
            address = link if link.startswith("/") else path.partition("?")[0] + link
            assert served.see(address).status_code == 200, (path, address)
    assert len(tried) > 60
