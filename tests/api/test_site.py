"""The pages for people, over HTTP; tests/browser tests their scripts."""

from __future__ import annotations

import base64
import csv
import html
import io
import json
import re
import threading
import zlib
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import quote

import pytest
from waiting import PATIENCE

from claimlog import loads
from claimlog.api import pages
from claimlog.api.caches import stale_while_revalidate
from claimlog.cards import LETTERS
from claimlog.language import LANGUAGES, preferred, site_words
from claimlog.link import link_of
from claimlog.simulate import simulate_games
from claimlog.store.model.filter import CONDITIONS
from claimlog.web import rendering

TEMPLATES = sorted((Path(rendering.__file__).parent / "templates").glob("*.html"))
BROWSER = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}
STATISTICS = ("factions", "upcards", "cards", "results", "leads", "lead-lengths", "times")
VOID = {"meta", "link", "input", "use", "path", "rect", "img", "br"}


class Page(HTMLParser):
    """A page: its links, its texts, its ids; every element is closed, every choice has a text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.headings: list[str] = []
        self.open: list[str] = []
        self.scripts = 0
        self.choice = ""
        self.feed(text)
        assert self.open in ([], ["html"]), self.open

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        assert "style" not in given
        assert not [name for name in given if name.startswith("on")]
        if tag == "a":
            self.links.append(given["href"])
        assert tag != "p" or "aria-label" not in given or "role" in given
        if tag == "option":
            self.choice = ""
        if tag == "h1":
            self.headings.append("")
        if tag == "script":
            assert given.get("src", "").startswith("/static/") or "octet-stream" in given.get(
                "type", ""
            )
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        pass

    def handle_endtag(self, tag):
        assert self.open.pop() == tag
        assert tag != "option" or self.choice

    def handle_data(self, data):
        if self.open and self.open[-1] == "h1":
            self.headings[-1] += data.strip()
        if self.open and self.open[-1] == "option":
            self.choice += data.strip()


@pytest.fixture(scope="module")
def ids(http):
    """The ids of a game, a player and an event."""
    row = http.get("/v1/games?limit=1").json()["games"][0]
    return {
        "game": row["id"],
        "player": row["players"][0]["player"],
        "event": row["event_id"],
    }


def see(http, path, **headers):
    """A page as a browser gets it."""
    return http.get(path, headers=BROWSER | headers, follow_redirects=True)


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/games",
        "/games?player=Anna+Keller&outcome=won&sort=date",
        "/games/{game}",
        "/players",
        "/players?search=a&sort=rate",
        "/players/{player}",
        "/events",
        "/events/{event}",
        "/events/{event}/wall",
        *(f"/stats/{kind}" for kind in STATISTICS),
        "/stats/results?by=deck&seats=2",
        "/explorer",
        "/explorer?after=G&phase=1",
        "/factions",
        "/factions/T",
    ],
)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_is_whole_and_says_what_it_is(http, ids, path, language):
    answer = see(http, path.format(**ids), **{"Accept-Language": language})
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["content-language"] == language
    assert f'<html lang="{language}">' in answer.text
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'; script-src 'self'; style-src 'self'" in policy
    assert "unsafe" not in policy
    page = Page(answer.text)
    assert len(page.headings) == 1
    assert not re.search(r'(?:src|href)="(?!/|#|\?)', answer.text)


def test_the_first_page_is_small_with_all_that_it_loads(http):
    answer = see(http, "/")
    loaded = re.findall(r'(?:src|href)="(/static/[^"#]+)', answer.text)
    sizes = [
        int(http.get(address, headers={"Accept-Encoding": "gzip"}).headers["content-length"])
        for address in set(loaded)
    ]
    assert len(sizes) >= 3
    assert len(answer.content) + sum(sizes) < 100_000


@pytest.mark.parametrize(
    "path",
    [
        "/games?sort=date&player=Anna+Keller",
        "/games?results=hidden",
        "/games/{game}?sort=newest&event={event}",
        "/games/{game}?t=3.1",
        "/players?search=a&sort=rate",
        "/players/{player}",
        "/events?sort=name",
        "/stats/results?by=deck&seats=2",
        "/explorer?after=G&phase=1",
    ],
)
def test_the_other_forms_of_a_page_are_there_whatever_its_address_has(http, ids, path):
    text = see(http, path.format(**ids)).text
    forms = re.findall(r'rel="alternate" href="([^"]+)"', text)
    assert forms
    for address in forms:
        assert see(http, html.unescape(address)).status_code == 200, address


def test_the_second_page_of_a_list_leads_to_the_whole_list_in_other_forms(http):
    following = re.search(r'rel="next" href="([^"]+)"', see(http, "/games").text)[1]
    text = see(http, html.unescape(following)).text
    for address in re.findall(r'rel="alternate" href="([^"]+)"', text):
        answer = see(http, html.unescape(address))
        assert answer.status_code == 200, address
        assert ("cursor=" in address) == address.endswith("format=json")


def test_every_link_of_every_kind_of_page_leads_somewhere(http, ids):
    tried = set()
    for path in ("/", "/games", "/players", "/events", "/stats/results?by=deck", "/explorer"):
        page = Page(see(http, path).text)
        for link in page.links:
            kind = re.sub(r"[0-9a-z]{13}|=[^&]*", "_", link)
            if kind in tried or link.startswith("#"):
                continue
            tried.add(kind)
            address = link if link.startswith("/") else path + link
            assert see(http, address).status_code == 200, address
    assert len(tried) > 40


@pytest.mark.parametrize(
    ("path", "accept"),
    [
        ("/games?seats=2", "text/csv"),
        ("/games?seats=2", "text/x-claim"),
        ("/games?seats=2", "application/x-ndjson"),
        ("/games?seats=2", "application/vnd.apache.parquet"),
        ("/games?seats=2", "application/json"),
        ("/games/{game}", "text/x-claim"),
        ("/players", "application/json"),
        ("/stats/factions?seats=2", "application/json"),
        ("/explorer?after=G", "application/json"),
    ],
)
def test_at_the_address_of_a_page_is_what_is_behind_it(http, ids, path, accept):
    path = path.format(**ids)
    forms = {"x-claim": "clm", "x-ndjson": "ndjson", "vnd.apache.parquet": "parquet"}
    name = accept.partition("/")[2]
    wanted = http.get("/v1" + path, headers={"Accept": accept})
    assert wanted.status_code == 200
    assert wanted.headers["content-type"].startswith(accept)
    here = http.get(path, headers={"Accept": accept})
    assert (here.status_code, here.content) == (200, wanted.content)
    link = f"{path}{'&' if '?' in path else '?'}format={forms.get(name, name)}"
    assert http.get(link, headers=BROWSER).content == wanted.content
    # The page is another representation of the same address, also when both are cached.
    assert see(http, path).headers["content-type"].startswith("text/html")
    assert http.get(path, headers={"Accept": accept}).content == wanted.content


@pytest.mark.parametrize(
    ("path", "column"),
    [
        ("/players?sort=name", "name"),
        ("/players/{player}", "of"),
        ("/events", "name"),
        ("/events/{event}", "buchholz"),
        *((f"/stats/{kind}?seats=2", "") for kind in STATISTICS),
        ("/stats/results?by=deck", "key"),
        ("/explorer?after=G", "won_trick_low"),
    ],
)
def test_what_a_page_lists_is_csv_too(http, ids, path, column):
    path = path.format(**ids)
    link = f"{path}{'&' if '?' in path else '?'}format=csv"
    answer = http.get(link, headers=BROWSER)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert http.get(path, headers={"Accept": "text/csv"}).content == answer.content
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    if column:
        assert all(row[column] for row in rows)
    if path.startswith("/players?"):
        players = http.get(f"/v1{path}&limit=1000").json()["players"]
        assert [row["name"] for row in rows] == [row["name"] for row in players]
        assert [float(row["result_points"]) for row in rows] == [
            row["result"]["points"] for row in players
        ]
    for wrong in ("/", "/factions/T", f"/events/{ids['event']}/wall"):
        refused = http.get(wrong, headers={"Accept": "text/csv"})
        assert refused.status_code == 406 or wrong == "/"


@pytest.mark.parametrize("path", ["/stats/results?by=seat", "/stats/leads", "/explorer?trick=1"])
def test_a_statistic_of_the_api_is_csv_too(http, path):
    answer = http.get(f"/v1{path}", headers={"Accept": "text/csv, application/json;q=0.5"})
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert answer.content == http.get(path, headers={"Accept": "text/csv"}).content
    assert http.get(f"/v1{path}", headers={"Accept": "*/*"}).json()
    assert http.get(f"/v1{path}", headers={"Accept": "image/png"}).status_code == 406


@pytest.mark.parametrize(
    "path",
    [
        *(f"{place}/stats/{kind}" for kind in STATISTICS for place in ("", "/v1")),
        *("/explorer", "/v1/explorer", "/players", "/events", "/puzzles"),
    ],
)
def test_csv_has_the_same_header_without_rows(http, path):
    def header(query=""):
        answer = http.get(f"{path}{query}", headers={"Accept": "text/csv"})
        return answer.text.splitlines()[0].split(",")

    nothing = "?search=nothingxyz" if path in ("/players", "/events") else "?text=nothingxyz"
    if path == "/puzzles":
        nothing = "?left=3&level=4&faction=T"
    assert "" not in header(nothing)
    if len(header()) > 1:
        assert header(nothing) == header()


def test_the_csv_of_leads_has_all_of_its_rates(http):
    answer = http.get("/v1/stats/leads").json()
    rows = http.get("/v1/stats/leads", headers={"Accept": "text/csv"}).text
    names = [row["of"] for row in csv.DictReader(io.StringIO(rows))]
    assert names == [
        *(name for name, value in answer.items() if isinstance(value, dict)),
        *(f"by_seats_{one['key']}" for one in answer["by_seats"]),
        *(f"trick_won_by_phase_{one['key']}" for one in answer["trick_won_by_phase"]),
    ]


@pytest.mark.parametrize(
    "agent",
    [
        "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
        "WhatsApp/2.23.20.0",
        "TelegramBot (like TwitterBot)",
        "http.rb/5.1.1 (Mastodon/4.2.0; +https://social.example/)",
    ],
)
def test_who_shows_what_a_link_leads_to_gets_the_page_though_it_takes_anything(http, ids, agent):
    headers = {"User-Agent": agent, "Accept": "*/*"}
    for path in (f"/games/{ids['game']}", f"/games/{ids['game']}/17", "/events"):
        answer = http.get(path, headers=headers)
        assert answer.headers["content-type"].startswith("text/html"), path
        assert ('property="og:title"' in answer.text) is (path != "/events")
    assert http.get("/v1/events", headers=headers).json()["events"]
    assert http.get("/games/xxxxxxxxxxxxx", headers=headers).status_code == 404


def test_programs_that_take_anything_are_sent_to_the_api(http, ids):
    page_alone = http.get(f"/games/{ids['game']}/17")
    assert page_alone.headers["content-type"].startswith("text/html")
    answer = http.get("/games?seats=2")
    assert (answer.status_code, answer.headers["location"]) == (308, "/v1/games?seats=2")
    assert answer.headers["vary"] == "Accept"
    assert http.get("/").json()["name"] == "claimlog"


def test_a_form_is_sent_on_to_the_address_that_says_only_what_was_filled_in(http):
    answer = http.get("/games?text=&player=Anna+Keller&event=&seats=", headers=BROWSER)
    assert (answer.status_code, answer.headers["location"]) == (303, "/games?player=Anna+Keller")
    shown = see(http, "/games?text=&player=Anna+Keller")
    assert 'name="player" type="text" value="Anna Keller"' in shown.text


@pytest.mark.parametrize(
    ("asked", "address"),
    [
        ("since=1.5.2025&until=2025-5-7", "since=2025-05-01&until=2025-05-07"),
        ("since=1+May+2025&until=Mai+2025", "since=2025-05-01&until=2025-05"),
        ("factions=Seers&without=untote,+Goblins", "factions=S&without=UG"),
        ("until=5/2025&deck=GKUWX&text=", "until=2025-05&deck=GKUWX"),
        ("upcard=Untote+7&led=goblins", "upcard=U7&led=G"),
    ],
)
def test_dates_and_factions_are_understood_as_people_write_them(http, asked, address):
    answer = http.get(f"/games?{asked}", headers=BROWSER)
    assert (answer.status_code, answer.headers["location"]) == (303, f"/games?{address}")
    assert http.get(answer.headers["location"], headers=BROWSER).status_code == 200


def test_words_that_find_nothing_may_be_factions_and_a_day(http):
    """In either language, combined with the other conditions; only if they find games."""
    found = see(http, "/games?text=Undead+keller&sort=date&lang=de").text
    (offered,) = re.findall(r'<p class="meant">.*?href="([^"]+)">(.*?)</a>', found)
    assert html.unescape(offered[0]) == "/games?sort=date&text=keller&factions=U"
    assert offered[1] == "Wörter keller · Fraktionen im Deck Untote"
    there = see(http, html.unescape(offered[0]) + "&lang=de").text
    assert 'class="meant"' not in there
    assert re.search(r'class="found"[^>]*>([1-9]\d*) Partie', there)[1] in found
    for text in ("Undead+nobody", "nobody", "Undead+1.1.1900", "1.1.2025+2.1.2025"):
        assert 'class="meant"' not in see(http, f"/games?text={text}").text


@pytest.mark.parametrize(
    ("asked", "name", "said"),
    [
        ("since=someday&player=Anna+Keller", "since", "someday"),
        ("player=Anna+Kellre", "player", "Anna Kellre"),
        ("factions=Ogres", "factions", "Ogres"),
    ],
)
def test_what_is_wrong_with_a_form_stands_beside_its_field(http, asked, name, said):
    answer = see(http, f"/games?{asked}")
    assert answer.status_code in (400, 404)
    Page(answer.text)
    field = re.search(rf'<input id="f-{name}"[^>]*>', answer.text)[0]
    assert f'value="{said}"' in field
    assert f'aria-describedby="w-{name}"' in field
    assert re.search(rf'<p class="wrong" id="w-{name}">[^<]+</p>', answer.text)
    if name == "factions":
        german = html.unescape(see(http, f"/games?{asked}", **{"Accept-Language": "de"}).text)
        assert "Fraktionen im Deck: 'Ogres' ist keine Fraktion: " in german
        assert "id=\"w-factions\">'Ogres' ist keine Fraktion: Gebraucht" in german
    if "Keller" in asked:
        assert 'value="Anna Keller"' in answer.text, "what was asked besides stays"


def test_factions_that_are_ticked_are_one_condition_and_each_condition_can_be_taken_away(http):
    answer = http.get("/games?factions=U&player=&factions=K&seats=2", headers=BROWSER)
    assert answer.headers["location"] == "/games?factions=UK&seats=2"
    text = see(http, answer.headers["location"]).text
    ticked = re.findall(r'name="factions" value="(\w)"[^>]* checked', text)
    assert sorted(ticked) == ["K", "U"]
    assert re.findall(r'<a href="([^"]+)" title="Remove', text) == [
        "/games?seats=2",
        "/games?factions=UK",
    ]


def test_the_search_has_all_conditions_and_shows_what_it_found(http):
    text = see(http, "/games").text
    assert set(CONDITIONS) <= set(re.findall(r'name="(\w+)"', text))
    page = see(http, "/games?player=Anna+Keller&result=1-0&result=0-1").text
    number = http.get("/v1/stats/count?player=Anna+Keller&result=1-0&result=0-1").json()["games"]
    assert 0 < number < 60
    assert f"{number} games" in page
    assert page.count('class="go"') == min(number, 50)


def test_pages_of_a_list_follow_each_other(http):
    seen = []
    path = "/games?sort=date"
    while path:
        text = see(http, path).text
        rows = re.findall(r'class="go" href="(/games/(\w+)\?[^"]*)"', text)
        seen += [id for _, id in rows]
        assert see(http, html.unescape(rows[-1][0])).status_code == 200
        following = re.search(r'rel="next" href="([^"]+)"', text)
        path = following[1].replace("&amp;", "&") if following else ""
    assert len(seen) == len(set(seen)) == http.get("/v1/stats/count").json()["games"]


@pytest.mark.parametrize(
    ("path", "status", "said"),
    [
        ("/nothing/here", 404, "Not found"),
        ("/games/xxxxxxxxxxxxx", 404, "There is no game"),
        ("/players/Anna%20Kellre", 404, "<bdi>Anna Keller</bdi></a>"),
        ("/games?plaier=Anna", 400, "Unknown argument &#39;plaier&#39;"),
        ("/games?seats=9", 400, "Players: must be"),
        ("/stats/nothing", 404, "Not found"),
        ("/factions/Q", 404, "Not found"),
        ("/games?format=xls", 400, "format"),
    ],
)
def test_errors_are_pages_too(http, path, status, said):
    answer = see(http, path)
    assert answer.status_code == status
    if path.endswith("xls"):
        assert answer.json()["field"] == "format"
        return
    assert answer.headers["content-type"].startswith("text/html")
    assert said in answer.text
    Page(answer.text)


def test_errors_are_told_in_german(http):
    text = see(http, "/games/xxxxxxxxxxxxx", **{"Accept-Language": "de"}).text
    assert "Eine Partie xxxxxxxxxxxxx gibt es nicht" in text


def test_names_are_escaped_wherever_they_stand(serve):
    served = serve()
    name = "<script>alert(1)</script>&'"
    record = (
        f'[CLM "1"]\n[Event "{name}"]\n[Player1 "{name}"]\n'
        '[Player2 "B/ C"]\n[Deck "GKUWX"]\n\n1. U7: G5 K8+ {<b>x</b>} *\n'
    )
    stored = served.http.post("/v1/games", content=record, headers={"Content-Type": "text/x-claim"})
    assert stored.status_code == 201, stored.text
    id = stored.json()["id"]
    row = served.http.get(f"/v1/games/{id}").json()["row"]
    for path in (
        "/",
        "/games",
        f"/games/{id}",
        "/players",
        f"/players/{row['players'][0]['player']}",
        f"/players/{quote('B/ C', safe='')}",
        f"/events/{row['event_id']}",
        f"/events/{row['event_id']}/wall",
        f"/games?text={quote(name)}",
    ):
        answer = see(served.http, path)
        assert answer.status_code == 200, path
        assert "<script>alert" not in answer.text
        assert "<b>x</b>" not in answer.text


def test_a_server_that_is_not_open_shows_nothing(serve):
    served = serve(open_reading=False, open_writing=False)
    for path in ("/", "/games", "/players", "/events", "/stats/factions", "/explorer"):
        answer = see(served.http, path)
        assert answer.status_code == 401
        assert "token" in answer.text


def test_what_was_stored_is_on_the_pages_at_once(serve):
    from games import game

    served = serve()
    assert "There are no games yet" in see(served.http, "/").text
    answer = served.http.post(
        "/v1/games", content=game(3, Event="Spring"), headers={"Content-Type": "text/x-claim"}
    )
    assert answer.status_code == 201
    assert f"/games/{answer.json()['id']}" in see(served.http, "/").text
    assert "Spring" in see(served.http, "/events").text


@pytest.mark.parametrize(("language", "said"), [("en", "bye"), ("de", "Freilos")])
def test_a_bye_is_no_game_of_one_player(serve, language, said):
    served = serve()
    bye = '[Player1 "Ann"]\n[Termination "bye"]\n[Result "1"]\n\n1\n'
    kind = {"Content-Type": "text/x-claim"}
    assert served.http.post("/v1/games", content=bye, headers=kind).status_code == 201
    page = see(served.http, "/players/Ann", **{"Accept-Language": language}).text
    assert f'<th scope="row">{said}</th>' in page


def test_an_old_answer_is_not_kept(serve, monkeypatch):
    from games import game

    monkeypatch.setattr(stale_while_revalidate, "CHEAP", -1.0)
    monkeypatch.setattr(stale_while_revalidate, "LONGEST", 0.0)
    served = serve()
    waiting = []
    monkeypatch.setattr(served.app.resources.stale_cache, "_later", waiting.append)
    assert "Spring" not in see(served.http, "/events").text
    served.http.post(
        "/v1/games", content=game(3, Event="Spring"), headers={"Content-Type": "text/x-claim"}
    )
    assert "Spring" not in see(served.http, "/events").text
    waiting[0]()
    assert "Spring" in see(served.http, "/events").text


def test_a_large_archive_is_asked_before_anybody_asks(serve, monkeypatch):
    served = serve()
    resources = served.app.resources
    pages.look_ahead(resources)
    assert resources.stale_cache.asked == 0
    monkeypatch.setattr(pages, "FEWEST", 0)
    # Keep writes of other tests to the same PostgreSQL from invalidating answers.
    monkeypatch.setattr(resources.stale_cache, "_generation", lambda: 0)
    pages.look_ahead(resources)
    done = threading.Event()
    resources.later(done.set)
    assert done.wait(PATIENCE)
    asked = resources.stale_cache.asked
    assert asked > 10
    for path in ("/", "/players", "/events", "/factions/G", "/explorer"):
        assert see(served.http, path).status_code == 200
    for kind in STATISTICS:
        assert see(served.http, f"/stats/{kind}").status_code == 200
    assert resources.stale_cache.asked == asked


@pytest.mark.needs("resvg_py")
def test_a_link_to_a_game_shows_a_picture_in_a_chat(http, ids):
    text = see(http, f"/games/{ids['game']}").text
    address = re.search(r'property="og:image" content="([^"]+)"', text)[1]
    assert address == f"{str(http.base_url).rstrip('/')}/pictures/{ids['game']}"
    picture = http.get(address)
    assert picture.headers["content-type"] == "image/png"
    assert picture.content[:8] == b"\x89PNG\r\n\x1a\n"
    assert (int.from_bytes(picture.content[16:20]), int.from_bytes(picture.content[20:24])) == (
        1200,
        630,
    )
    # The page is cached per host: one host's address never appears in another's answer.
    other = see(http, f"/games/{ids['game']}", Host="claim.example")
    assert f"http://claim.example/pictures/{ids['game']}" in other.text
    assert "claim.example" not in see(http, f"/games/{ids['game']}").text
    assert http.get("/pictures/xxxxxxxxxxxxx").status_code == 404


@pytest.mark.needs("resvg_py")
def test_a_link_to_a_moment_shows_that_moment(http, ids):
    """Of a stored game, and of one in a code; a picture without `t` has cards on the table."""
    game = next(simulate_games(1, seats=2, seed=5))
    for path in (f"/games/{ids['game']}", link_of(game).partition("?")[0]):
        pictures = []
        for query in ("", "?t=2", "?t=2.1", "?t=99"):
            text = see(http, path + query).text
            address = html.unescape(re.search(r'property="og:image" content="([^"]+)"', text)[1])
            assert address.endswith(query)
            pictures.append(http.get(address).content)
        assert len(set(pictures)) == len(pictures)
        assert http.get(f"{path}?t=x", headers={"Accept": "text/html"}).status_code == 400
        wrong = http.get(f"{path}?t=1.22", headers={"Accept": "text/html"})
        assert "17 or 17.2" in wrong.text


def test_without_what_draws_png_a_picture_is_svg(http, ids, monkeypatch):
    monkeypatch.setattr("claimlog.api.pages.pictures.can_draw", lambda: False)
    monkeypatch.setattr("claimlog.api.pages.links.can_draw", lambda: False)
    assert "og:image" not in see(http, f"/games/{ids['game']}?t=3").text
    code = link_of(next(simulate_games(1, seats=2, seed=5))).partition("?")[0]
    for path in (f"/pictures/{ids['game']}?t=6.1", f"{code}/picture?t=6.1"):
        answer = http.get(path)
        assert answer.headers["content-type"] == "image/svg+xml"
        assert answer.text.startswith("<svg ")
        assert "default-src 'none'" in answer.headers["content-security-policy"]


def test_a_picture_speaks_the_language_of_who_looks(http, ids, monkeypatch):
    """Cached answers, here and in browsers, are kept apart by language, whoever asked first."""
    monkeypatch.setattr("claimlog.api.pages.pictures.can_draw", lambda: False)
    monkeypatch.setattr("claimlog.api.pages.links.can_draw", lambda: False)
    code = link_of(next(simulate_games(1, seats=2, seed=5))).partition("?")[0]
    paths = (
        f"/pictures/{ids['game']}?t=6",
        f"/pictures/{ids['game']}/table?t=6",
        f"{code}/picture?t=6",
    )
    for path in paths:
        for _ in range(2):
            for language, trick in (("en", "Trick"), ("de-CH, en;q=0.5", "Stich")):
                answer = http.get(path, headers={"Accept-Language": language})
                assert f"{trick} 6" in answer.text
                assert "Accept-Language" in answer.headers["vary"]


@pytest.mark.needs("resvg_py")
def test_a_link_that_holds_a_game_shows_a_picture_in_a_chat(http):
    game = next(simulate_games(1, seats=2, seed=5))
    link = link_of(game, str(http.base_url).rstrip("/"))
    text = see(http, link).text
    address = html.unescape(re.search(r'property="og:image" content="([^"]+)"', text)[1])
    assert address.partition("?")[0] == link.partition("?")[0] + "/picture"
    picture = http.get(address)
    assert picture.headers["content-type"] == "image/png"
    assert picture.content[:8] == b"\x89PNG\r\n\x1a\n"
    assert picture.content != http.get(address.partition("?")[0]).content, "names stand in it"
    assert "claim.example/r/" in see(http, link, Host="claim.example").text
    assert http.get("/r/AAAAAAAAAAAAAAAA/picture").status_code == 404


@pytest.mark.needs("resvg_py")
def test_a_moment_of_a_game_has_an_address_of_its_own(http, ids):
    """Its preview shows that moment's cards, and its QR code leads back to it."""
    path = f"/games/{ids['game']}"
    text = see(http, f"{path}/7.1").text
    address = html.unescape(re.search(r'property="og:image" content="([^"]+)"', text)[1])
    assert address.endswith(f"/pictures/{ids['game']}?t=7.1")
    assert 'data-at="t7.1"' in text
    scanned = {
        http.get(f"/pictures/{ids['game']}/qr{query}").text for query in ("", "?t=7", "?t=7.1")
    }
    assert len(scanned) == 3
    assert all("<svg" in one for one in scanned)
    assert http.get(f"{path}/nothing", headers=BROWSER).status_code == 404


def test_what_others_played_at_a_moment_is_what_the_explorer_says(http, ids):
    game = loads(http.get(f"/v1/games/{ids['game']}", headers={"Accept": "text/x-claim"}).text)[0]
    for trick, played in ((1, 0), (2, 1), (14, 0)):
        now = game.tricks[trick - 1]
        asked = {"phase": now.phase, "after": [play.card for play in now.plays[:played]]}
        if now.upcards and not played:
            asked["turned"] = now.upcards[0]
        said = http.get("/v1/explorer", params=asked | {"seats": game.seats}).json()
        moment = f"{trick}.{played}" if played else f"{trick}"
        found = http.get(f"/games/{ids['game']}/others?t={moment}", headers=BROWSER).json()
        assert found["count"] == said["count"] > 0
        assert [(one["card"], one["share"]) for one in found["moves"]] == [
            (one["card"], one["share"]["rate"]) for one in said["moves"][:8]
        ]


def test_an_event_tells_no_result_where_none_is_wanted(http, ids):
    path = f"/events/{ids['event']}"
    assert 'class="winner"' in see(http, path).text
    hidden = see(http, f"{path}?results=hidden").text
    for part in ('class="winner"', 'class="standings"', 'class="cross"', "1-0"):
        assert part not in hidden
    assert 'class="go"' in hidden
    # Nor do the linked lists and their pages, which show results again on request.
    links = {html.unescape(one) for one in re.findall(r'href="(/games\?[^"]+)"', hidden)}
    listed = [one for one in links if "format=" not in one]
    assert len(listed) > 1
    for link in listed:
        text = see(http, link).text
        assert 'class="go"' in text
        assert 'class="winner"' not in text
        shown = re.search(r'href="([^"]+)">Show the results', text)
        assert shown
        assert 'class="winner"' in see(http, html.unescape(shown[1])).text
    found = http.get(f"{path}/round", headers=BROWSER).json()
    assert found["tables"]
    assert all(len(one) == 4 for one in found["tables"])


def test_a_game_leads_to_those_beside_it_in_its_list(http, ids):
    """In the order of the search; without a search, the games of the round."""
    first = http.get("/v1/games?sort=-date&until=2999&limit=1").json()["games"][0]["id"]
    walked, address = [], f"/games/{first}?sort=-date&until=2999"
    while address:
        walked.append(address.split("/")[2].split("?")[0])
        found = re.search(r'rel="next" href="([^"]+)"', see(http, address).text)
        address = found and html.unescape(found[1])
    rows = http.get("/v1/games?sort=-date&until=2999&limit=1000").json()["games"]
    assert walked == [one["id"] for one in rows]
    last = see(http, f"/games/{walked[-1]}?sort=-date&until=2999").text
    assert f'rel="prev" href="/games/{walked[-2]}?' in last


def test_a_page_of_a_game_brings_one_view_and_says_where_all_are(http, ids):
    page = see(http, f"/games/{ids['game']}", **{"Accept-Language": "de"}).text
    packed = re.search(r'id="replay-data">([^<]+)<', page)
    begun = json.loads(zlib.decompress(base64.b64decode(packed[1])))
    more = re.search(r'data-more="([^"]+)"', page)[1]
    answer = see(http, more)
    assert answer.headers["content-type"] == "application/json"
    data = answer.json()
    assert begun["order"] == ["open"]
    seats = [str(seat) for seat in range(1, data["seats"] + 1)]
    assert data["order"] == ["open", "spectator", *seats]
    assert list(data["about"]) == ["de"], "in the language of the page"
    assert data["about"]["de"]["title"] == begun["about"]["de"]["title"]
    assert data["plays"] == begun["plays"]
    assert see(http, more.replace(ids["game"], "0000000000000")).status_code == 404


def test_every_faction_has_a_page_with_its_power(http):
    for letter in LETTERS:
        text = see(http, f"/factions/{letter}").text
        power = site_words("en")(f"power.{letter}")
        assert power[:20].replace("'", "&#39;") in text


def test_the_words_of_the_pages_are_the_same_in_both_languages():
    english, german = (list(site_words(language).texts) for language in LANGUAGES)
    assert english == german
    templates = "".join(path.read_text() for path in TEMPLATES)
    modules = "".join(path.read_text() for path in Path(rendering.__file__).parent.glob("*.py"))
    for key in (key for key in english if key.startswith("site.")):
        name = key.removeprefix("site.").removesuffix(".one").removesuffix(".other")
        parts = name.split(".")
        beginnings = [".".join(parts[:number]) for number in range(1, len(parts))]
        composed = any(f'"{begin}." ~' in templates for begin in beginnings)
        composed = composed or parts[0] in ("wall", "when") or name.startswith("puzzle.say.")
        composed = composed or f'said("{key}")' in modules
        assert f'say("{name}"' in templates or f"say('{name}'" in templates or composed, key


def test_the_language_that_a_browser_likes_best():
    assert preferred("de-CH,de;q=0.9,en;q=0.8") == "de"
    assert preferred("en-US,en;q=0.5,de;q=0.3") == "en"
    assert preferred("fr;q=0.9,de;q=0.1") == "de"
    assert preferred("fr, x;q=y, *") == "en"


@pytest.mark.parametrize("language", LANGUAGES)
def test_pages_show_the_tables_at_which_games_are_recorded(serve, language):
    from games import game

    served = serve()
    served.http.post(
        "/v1/games", content=game(3, Event="Spring"), headers={"Content-Type": "text/x-claim"}
    )

    def opened(*entries):
        agreed = {"deck": "GKUWX", "players": ["Ann", "Ben"], "event": "Spring"}
        table = served.http.post("/v1/tables", json=agreed).json()
        added = served.http.post(
            f"/v1/tables/{table['id']}/actions",
            json={
                "device": "d",
                "after": 0,
                "entries": [{"id": f"e{at}", **one} for at, one in enumerate(entries)],
            },
        )
        assert added.status_code == 200, added.text
        return f'<a class="tile" href="/tables/{table["id"]}">'

    upcard = {"kind": "enter", "word": "U7"}
    played = opened(upcard)
    empty = opened()
    over = opened(upcard, {"kind": "finish", "result": "1-0", "termination": "resignation"})
    for path in ("/", "/events/Spring"):
        page = see(served.http, path, **{"Accept-Language": language})
        assert page.status_code == 200
        assert played in page.text
        assert empty not in page.text
        assert over not in page.text
        assert site_words(language)("site.live") in page.text
