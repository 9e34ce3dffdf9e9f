"""Every page in every state of an archive and its tables, in both languages, in this process."""

from __future__ import annotations

import html
import io
import re
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote, urlsplit

import pytest
from games import game
from jinja2 import Environment
from litestar.testing import TestClient
from test_site import Page

from claimlog import dumps
from claimlog.api import links
from claimlog.api.app import create_app
from claimlog.api.logs import Log
from claimlog.api.pages import HANDLERS as PAGES
from claimlog.api.pages.pictures import can_draw
from claimlog.api.pages.statistics import KINDS
from claimlog.api.settings import Settings
from claimlog.cards import LETTERS
from claimlog.language import LANGUAGES, site_words
from claimlog.link import encode
from claimlog.simulate import simulate_games
from claimlog.store import Archive
from claimlog.store.types import Grouping
from claimlog.web import rendering
from claimlog.web.site import table_page

TEMPLATES = Path(rendering.__file__).parent / "templates"
CLM = {"Content-Type": "text/x-claim"}
DELETED = "Ada Short"


def agreed(result: str, *names: str, **tags: str) -> str:
    """A record without tricks."""
    given = {f"Player{seat}": name for seat, name in enumerate(names, 1)} | tags
    lines = [f'[{name} "{value}"]' for name, value in given.items()]
    return "\n".join([*lines, f'[Result "{result}"]', "", result, ""])


RECORDS = [
    game(1, Event="Spring Cup", Date="2026-05-02"),
    game(2, Event="SPRING CUP", Date="2026-05-??", Round="2"),
    game(3, Event="", Date="????-??-??", Round="", Table=""),
    game(4, tricks=9, Event="Spring Cup", Date="2026-06-01", Round="3"),
    game(5, tricks=20, Event="Undated", Date="????-??-??"),
    *(
        dumps(one)
        for seats in (3, 4)
        for one in simulate_games(2, seats=seats, seed=7, tags={"Event": "Many", "Round": "1"})
    ),
    agreed("1", "Anna Keller", Event="Spring Cup", Round="1", Termination="bye"),
    agreed("0-1", "Ben Roth", "Cy", Deck="GKUWX", Event="Forfeits", Termination="forfeit"),
    agreed("*", "?", "Dan", Deck="GKUWX", Event="Nothing yet"),
    agreed(
        "1/2-1/2", "Anna Keller", "Ben Roth", Deck="GKUWX", Event="Draws", Id1="AK-1",
        Rating1="1510", Rating2="1490.5", Site="Bern", Termination="adjudication",
        Scenario="A duel",
    ),
]  # fmt: skip


@dataclass
class Archived:
    """An archive behind the application, without a network."""

    http: TestClient
    archive: Archive
    token: str
    tables: list[str] = field(default_factory=list)

    def see(self, path: str, language: str = "en", **headers: str):
        """A page as a browser gets it."""
        asked = {"Accept": "text/html", "Accept-Language": language} | headers
        return self.http.get(path, headers=asked, follow_redirects=True)

    def post(self, path: str, **how):
        headers = how.pop("headers", {}) | {"Authorization": f"Bearer {self.token}"}
        answer = self.http.post(f"/v1/{path}", headers=headers, **how)
        assert answer.status_code in (200, 201), answer.text
        return answer.json()


EVENTS = ("Spring Cup", None, "Spring Cup", None, "Another Cup", "Spring Cup")
"""Of the tables: nothing has been played at the first, and the third is abandoned."""


def fill(served: Archived) -> None:
    """Store games of all kinds, and open tables of all kinds."""
    for record in RECORDS:
        served.post("games?doubtful=beside", content=record.encode(), headers=CLM)
    gone = served.post("games", content=game(8, Player1=DELETED, Event="Gone"), headers=CLM)
    served.archive.delete(gone["id"], by="Dora", why="twice")
    first = served.archive.games(sort="oldest", limit=1).games[0].id
    served.archive.correct(
        first, dumps(served.archive.game(first).game()).replace("2026-05-02", "2026-05-03"),
        by="Dora", why="the day before was a Friday",
    )  # fmt: skip
    for number, event in enumerate(EVENTS):
        about = {"deck": "GKUWX", "players": ["Anna", "Ben"], "event": event, "round": "4"}
        table = served.post("tables", json={name: value for name, value in about.items() if value})
        path = f"tables/{table['id']}"
        if number:
            entries = [
                {"id": f"{number}{word}", "kind": "enter", "word": word}
                for word in ("U7", "G5", "G8")
            ]
            served.post(f"{path}/actions", json={"device": "a", "after": 0, "entries": entries})
        if number == 2:
            served.post(f"{path}/abandon", json={"reason": "fire alarm"})
        served.tables.append(table["id"])


@pytest.fixture(scope="module")
def archives(tmp_path_factory):
    """An archive without games, one with all there can be, and the templates used."""
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
            token, _ = app.resources.tokens.create("Dora", "record")
            made.append(Archived(stack.enter_context(TestClient(app=app)), archive, token))
        fill(made[1])
        yield *made, shown


def addresses(served: Archived) -> list[str]:
    """The pages of an archive: of each kind all that differ."""
    found = ["/games?seats=3&sort=date", "/explorer?after=G&phase=1", "/explorer?trick=2&all=true"]
    found += [
        f"/stats/results?by={by}" for by in Grouping.__args__ if by not in ("opponent", "partner")
    ]
    if served.tables:
        found += ["/stats/results?by=opponent&player=Clara+Meier", "/stats/factions?seats=3"]
    archive = served.archive
    filled = {
        "letter": LETTERS,
        "kind": KINDS,
        "game": [row.id for row in archive.games(limit=100).games],
        "player_id": [quote(row.id) for row in archive.players(limit=100).players],
        "event_id": [quote(row.id) for row in archive.events(limit=100).events],
        "id": served.tables,
        "code": [encode(next(simulate_games(1, seats=2, seed=3)))],
    }
    for handler in (*PAGES, table_page, *links.HANDLERS):
        for path in handler.paths:
            if path.endswith("/picture") and not can_draw():
                continue
            names = re.findall(r"\{(\w+):str\}", path)
            assert len(names) <= 1, path
            values = filled[names[0]] if names else [""]
            found += [re.sub(r"\{\w+:str\}", value, path) for value in values]
    return found


def told(text: str) -> str:
    """What people read on a page: no records, no scripts, no marks of HTML."""
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
        words = told(answer.text)
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
        served.tables, (0, 1, 0, 1, 1, 1), (0, 0, 0, 0, 0, 1), strict=True
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


def test_every_template_was_used(archives):
    served = archives[1]
    assert served.see("/games?plaier=Anna").status_code == 400
    id = served.archive.games(limit=1).games[0].id
    assert served.http.get(f"/v1/games/{id}/html").status_code in (200, 404)
    for path in addresses(served):
        served.see(path)
    left = {path.name for path in TEMPLATES.glob("*.html")} - archives[2]
    assert left <= {"replay-file.html"}, "the page that `claimlog export --html` writes"


def test_links_lead_somewhere(archives):
    """Of every kind of link on every page one is followed."""
    served = archives[1]
    tried = set()
    for path in addresses(served):
        answer = served.see(path)
        if "html" not in answer.headers["content-type"] or path.startswith("/tables"):
            continue
        for link in Page(answer.text).links:
            kind = re.sub(r"[0-9a-z]{13}|=[^&]*", "_", link)
            if kind in tried or link.startswith("#") or urlsplit(link).netloc:
                continue
            tried.add(kind)
            address = link if link.startswith("/") else path.partition("?")[0] + link
            assert served.see(address).status_code == 200, (path, address)
    assert len(tried) > 60
