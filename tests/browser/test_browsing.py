"""The server's pages in a real browser: search, players, events, the wall, phone and desktop."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import pytest

pytest.importorskip("playwright.sync_api", reason="needs playwright, of claimlog[test-all]")
from playwright.sync_api import Page, expect

from claimlog.store import Archive

if TYPE_CHECKING:
    from collections.abc import Iterator

    from phones import Phones, Server

DATA = Path(__file__).parents[2] / "data"
FILES = ("zurich-open.clm", "team-cup.clm", "thursday-evening.clm", "without-tricks.clm")
CLM = {"Content-Type": "text/x-claim"}
DESKTOP = {
    "viewport": {"width": 1280, "height": 800}, "is_mobile": False, "has_touch": False,
    "device_scale_factor": 1,
}  # fmt: skip


@pytest.fixture(scope="module")
def server(server: Server) -> Iterator[Server]:
    """A server with the sample games."""
    server.stop()
    with Archive.open(server.archive) as archive:
        for name in FILES:
            with (DATA / name).open("rb") as file:
                for _ in archive.import_games(file.read, workers=1):
                    pass
    server.start()
    return server


def test_from_the_first_page_to_a_game_and_back(phones: Phones, server: Server) -> None:
    page = phones.new(**DESKTOP)
    # 90 from the files, and those that other tests have stored before.
    held = httpx.get(f"{server.url}/v1/archive").json()["games"]
    assert held >= 90
    page.goto(server.url)
    expect(page.locator(".lead")).to_have_text(
        f"This archive holds {held} games. Puzzle of the day"
    )
    page.get_by_role("searchbox").fill("zurich amstutz")
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{server.url}/games?text=zurich+amstutz")
    expect(page.locator(".found")).to_have_text("8 games")
    page.get_by_label("Up to date").fill("2026-11-14")
    page.get_by_label("Player", exact=True).press_sequentially("Felix Ams")
    offered = page.locator("#l-player option")
    expect(offered).to_have_text(["Felix Amstutz (13)", "Felix Amstutz (1)"])
    values = [one.get_attribute("value") for one in offered.all()]
    assert values[0] != values[1], "two have this name, and one of them can be picked"
    page.get_by_label("Player", exact=True).fill("Felix Amstutz")
    phones.expected = "400"
    page.get_by_role("button", name="Show").click()
    asked = "text=zurich+amstutz&player=Felix+Amstutz&until=2026-11-14"
    assert page.url == f"{server.url}/games?{asked}"
    # Two players have this name: choosing one repeats the search with that player.
    page.locator(".error li a").first.click()
    expect(page.locator(".found")).to_have_text("4 games")
    page.get_by_role("link", name="View").first.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Felix Amstutz")
    # The page comes with one view, and loads the others later; a link to a seat's view shows that.
    page.locator("select.views").select_option("1")
    expect(page).to_have_url(re.compile("#seat=1$"))
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile("#t1.1&seat=1$"))
    page.reload()
    expect(page.locator("select.views")).to_have_value("1")
    expect(page.get_by_role("heading", level=2).first).to_contain_text("1")
    page.go_back()
    expect(page.locator(".found")).to_have_text("4 games")
    expect(page.get_by_label("Up to date")).to_have_value("2026-11-14")
    page.locator(".games .who a", has_text="Felix Amstutz").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Felix Amstutz")
    page.get_by_role("link", name="Team Cup of the Lake (simulated)").first.click()
    expect(page.get_by_role("heading", name="Teams")).to_be_visible()


def test_the_pages_speak_german_to_who_reads_german(phones: Phones, server: Server) -> None:
    page = phones.new(locale="de-CH")
    page.goto(f"{server.url}/stats/factions")
    expect(page.get_by_role("heading", level=1)).to_have_text("Statistik")
    page.get_by_role("link", name="English").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Statistics")


def test_the_wall_follows_an_import_and_turns_its_pages(phones: Phones, server: Server) -> None:
    page = phones.new(**DESKTOP)
    event = next(
        row["id"]
        for row in httpx.get(f"{server.url}/v1/events").json()["events"]
        if row["name"].startswith("Zurich")
    )
    page.goto(f"{server.url}/events/{event}/wall?seconds=3")
    expect(page.locator("#state")).to_contain_text("As of")
    first = page.locator("tbody tr").first
    expect(first).to_contain_text("Ines Moser")
    # Beside the standings the results of the last round.
    expect(page.locator("#page")).to_have_text(re.compile("./2"))
    expect(page.locator("#what")).to_have_text("Results · Round 8")
    # Meanwhile a game begins, and games are handed in.
    table = server.open_table(event="Zurich Claim Open (simulated)", round="9", table="1")
    begun = {"device": "d", "after": 0, "entries": [{"id": "a", "kind": "enter", "word": "U7"}]}
    httpx.post(
        f"{server.url}/v1/tables/{table.id}/actions",
        json=begun,
        headers={"Authorization": f"Bearer {table.token}"},
    ).raise_for_status()
    expect(page.locator("#page")).to_have_text(re.compile("./3"))
    expect(page.locator(".tile")).to_contain_text("Anna Keller")
    records = [
        f'[CLM "1"]\n[Event "Zurich Claim Open (simulated)"]\n[Round "{number}"]\n[Table "9"]\n'
        f'[Player1 "Paul Wyss"]\n[Player2 "David Frei"]\n[Deck "GKUWX"]\n[Result "1-0"]\n'
        '[Termination "forfeit"]\n\n1-0\n'
        for number in range(20, 30)
    ]
    for record in records:
        answer = httpx.post(f"{server.url}/v1/games", content=record, headers=CLM)
        assert answer.status_code == 201, answer.text
    expect(page.locator("tbody tr").first).to_contain_text("Paul Wyss")
    expect(page.locator("#wall")).to_contain_text("10/0/0")
    page.locator("#wall").click()
    expect(page.locator(".tile")).to_be_visible()


def test_the_wall_shows_everybody_whole_also_with_names_of_several_lines(
    phones: Phones, server: Server
) -> None:
    names = [f"P{number:02}{' of a long name' * (number % 10)}" for number in range(40)]
    for number, pair in enumerate(zip(names[::2], names[1::2], strict=True)):
        record = (
            f'[CLM "1"]\n[Event "Long names"]\n[Round "1"]\n[Table "{number}"]\n'
            f'[Player1 "{pair[0]}"]\n[Player2 "{pair[1]}"]\n[Deck "GKUWX"]\n[Result "1-0"]\n'
            '[Termination "forfeit"]\n\n1-0\n'
        )
        answer = httpx.post(f"{server.url}/v1/games", content=record, headers=CLM)
        assert answer.status_code == 201, answer.text
    page = phones.new(**DESKTOP)
    page.goto(f"{server.url}/events/Long names/wall?seconds=120")
    expect(page.locator("#state")).to_contain_text("As of")
    expect(page.locator("#what")).to_have_text("Standings")
    results = "Results · Round 1"
    shown: dict[str, set[str]] = {"Standings": set(), results: set()}
    number = last = 0
    # The round comes a moment after the standings, and has more pages.
    while number < last or not shown[results]:
        expect(page.locator("#page")).to_have_text(re.compile(rf"^({number + 1}|1)/"))
        number, last = map(int, page.locator("#page").inner_text().split("/"))
        rows = page.evaluate(
            """() => [...document.querySelectorAll("#wall tbody tr")].map((row) => [
                row.querySelector("th").innerText,
                row.getBoundingClientRect().bottom <=
                    document.getElementById("wall").getBoundingClientRect().bottom,
            ])"""
        )
        assert all(whole for _, whole in rows)
        shown[page.locator("#what").inner_text()].update(name for name, _ in rows)
        page.locator("#wall").click()
    assert sorted(shown["Standings"]) == names
    assert sorted(shown[results]) == [
        f"{one} – {other}" for one, other in zip(names[::2], names[1::2], strict=True)
    ]


def test_on_a_phone_all_columns_of_the_wall_can_be_scrolled_to(
    phones: Phones, server: Server
) -> None:
    order = ["points", "buchholz", "head-to-head", "sonneborn-berger", "vote-difference"]
    plan = {"system": "by-hand", "tiebreaks": order}
    made = httpx.post(f"{server.url}/v1/events", json={"name": "Narrow", "plan": plan}).json()
    v1 = f"{server.url}/v1/events/{made['event']}"
    for place, sent in (
        ("entrants/list", {"text": "Maximiliane von Hohenzollern\nBo"}),
        ("pair/list", {"text": "1; 2"}),
        ("rounds/1/start", {}),
        ("desk/result", {"round": 1, "table": 1, "result": {"result": "1-0"}}),
    ):
        assert httpx.post(f"{v1}/{place}", json=sent).is_success
    page = phones.new(**DESKTOP | {"viewport": {"width": 360, "height": 740}})
    page.goto(f"{server.url}/events/{made['event']}/wall?seconds=120")
    expect(page.locator("#page")).to_have_text(re.compile(r"1/\d"))
    page.locator("#wall").hover()
    page.mouse.wheel(2000, 0)
    last = page.locator("#wall thead th").last
    expect(last).to_be_in_viewport(ratio=1)
    expect(page.locator("#wall tbody th").first).to_be_in_viewport(ratio=1)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


@pytest.mark.parametrize("path", ["/games", "/puzzles", "/desk"])
@pytest.mark.parametrize("language", ["en", "de"])
def test_on_a_phone_the_menu_shows_where_the_page_is(
    phones: Phones, server: Server, path: str, language: str
) -> None:
    page = phones.new(viewport={"width": 360, "height": 740}, java_script_enabled=False)
    page.goto(f"{server.url}{path}?lang={language}")
    entry = page.locator("header.site nav a[aria-current]")
    expect(entry).to_be_in_viewport(ratio=0.99)
    entries = page.locator("header.site nav a")
    # Afterwards the menu scrolls freely.
    page.wait_for_timeout(300)
    for one in (entries.first, entries.last):
        one.scroll_into_view_if_needed()
        page.wait_for_timeout(300)
        expect(one).to_be_in_viewport(ratio=0.99)


def test_the_wall_names_who_has_a_bye_and_who_did_not_come(phones: Phones, server: Server) -> None:
    plan = {"system": "by-hand", "decks": ["GKUWX"]}
    made = httpx.post(f"{server.url}/v1/events", json={"name": "Byes", "plan": plan})
    event = f"{server.url}/v1/events/{made.json()['event']}"

    def send(place: str, **sent: str) -> None:
        httpx.post(f"{event}/{place}", json=sent).raise_for_status()

    send("entrants/list", text="Ann\nBo\nCy\nDi\nEd")
    send("pair/list", text="Ann; Bo\nCy; Di\nEd; bye")
    send("rounds/1/start")
    page = phones.new(**DESKTOP, locale="de-DE")
    page.goto(f"{server.url}/events/Byes/wall?seconds=120")
    for title, results in (("Paarungen", ("", "")), ("Ergebnisse", ("½-½", "0-1 kampflos"))):
        expect(page.locator("#what")).to_have_text("Rangliste")
        expect(page.locator("#page")).to_have_text(re.compile("1/2"))
        page.locator("#wall").click()
        expect(page.locator("#what")).to_have_text(f"{title} · Runde 1")
        expect(page.locator("tbody tr")).to_have_text(
            [f"1Ann – Bo{results[0]}", f"2Cy – Di{results[1]}", "–EdFreilos"]
        )
        send("results/list", text="1 =, 2 forfeit 1")
        page.reload()
    send("pair/list", text="Ann; Cy\nBo; Ed\nDi; bye")
    send("rounds/2/start")
    httpx.post(f"{event}/rounds/2/close", json={"adjourn": True}).raise_for_status()
    page.reload()
    expect(page.locator("#what")).to_have_text("Rangliste")
    page.locator("#wall").click()
    expect(page.locator("#what")).to_have_text("Wird später gespielt")
    for players in ("Ann – Cy", "Bo – Ed"):
        expect(page.locator("li").filter(has_text=players)).to_have_count(1)


def test_the_first_page_holds_a_long_word_in_the_name_of_an_event(
    phones: Phones, server: Server
) -> None:
    name = "x" * 80
    record = (
        f'[Event "{name}"]\n[Date "2029-12-31"]\n[Player1 "Ann"]\n[Player2 "Bob"]\n'
        '[Termination "forfeit"]\n[Result "1-0"]\n\n1-0\n'
    )
    assert httpx.post(f"{server.url}/v1/games", content=record, headers=CLM).status_code == 201
    page = phones.new(**DESKTOP | {"viewport": {"width": 360, "height": 740}})
    page.goto(server.url)
    expect(page.locator(".lines").get_by_text(name)).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_the_result_that_counts_instead_stays_on_one_line(phones: Phones, server: Server) -> None:
    plan = {"system": "by-hand", "decks": ["GKUWX"]}
    made = httpx.post(f"{server.url}/v1/events", json={"name": "Corrected", "plan": plan})
    event = f"{server.url}/v1/events/{made.json()['event']}"
    record = (
        '[Event "Corrected"]\n[Date "2029-12-30"]\n[Round "1"]\n[Player1 "Ann"]\n'
        '[Player2 "Bo"]\n[Termination "forfeit"]\n[Result "1-0"]\n\n1-0\n'
    )
    for place, sent in (
        ("entrants/list", {"text": "Ann\nBo"}),
        ("pair/list", {"text": "Ann; Bo"}),
        ("rounds/1/start", {}),
        ("results/list", {"text": "1 0-1", "correct": True}),
    ):
        httpx.post(f"{event}/{place}", json=sent).raise_for_status()
    assert httpx.post(f"{server.url}/v1/games", content=record, headers=CLM).status_code == 201
    page = phones.new(**DESKTOP | {"viewport": {"width": 360, "height": 740}})
    page.goto(f"{server.url}/games")
    remark = page.get_by_text("director: 0-1")
    expect(remark).to_be_visible()
    assert remark.evaluate("remark => remark.getClientRects().length") == 1


IN_ORDER = """(line, names) => {
  const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
  const left = (name) => {
    walker.currentNode = line;
    while (walker.nextNode()) {
      const at = walker.currentNode.data.indexOf(name);
      if (at < 0) continue;
      const range = document.createRange();
      range.setStart(walker.currentNode, at);
      range.setEnd(walker.currentNode, at + name.length);
      return range.getBoundingClientRect().left;
    }
    throw new Error(name);
  };
  return left(names[0]) < left(names[1]);
}"""
"""Whether the first of two names is on the left in a line."""


def test_names_from_right_to_left_stay_in_order_at_the_table(
    phones: Phones, server: Server
) -> None:
    names = ["דוד לוי", "فاطمة الزهراء"]
    table = server.open_table(players=names, event="אביב 2026", leader=1)
    page = phones.new()
    page.goto(f"{server.url}/tables")
    row = page.locator(f'a[href="/tables/{table.id}"]')
    assert row.locator("strong").evaluate(IN_ORDER, names)
    assert row.locator("span").evaluate(IN_ORDER, ["2026", "3"])
    page.goto(table.scoring)
    expect(page.locator("header h1")).to_be_visible()
    assert page.locator("header h1").evaluate(IN_ORDER, names)


def test_a_box_to_tick_stands_beside_its_label(phones: Phones, server: Server) -> None:
    made = httpx.post(
        f"{server.url}/v1/events", json={"name": "Ticks", "plan": {"system": "by-hand"}}
    )
    page = phones.new(**DESKTOP)
    page.goto(f"{server.url}/events/{made.json()['event']}/desk")
    page.get_by_text("How it is played").click()
    apart = page.get_by_label("The deck of each round is drawn").evaluate(
        """(tick) => {
          const line = document.createRange();
          line.selectNode(tick.nextSibling);
          const [box, text] = [tick.getBoundingClientRect(), line.getClientRects()[0]];
          return box.top + box.bottom - text.top - text.bottom;
        }"""
    )
    assert abs(apart) <= 8


def test_a_list_from_excel_is_read_on_the_desk(phones: Phones, server: Server) -> None:
    """In Windows-1252, with a message; what is in neither is refused."""
    made = httpx.post(
        f"{server.url}/v1/events", json={"name": "Open", "plan": {"system": "by-hand"}}
    )
    page = phones.new(**DESKTOP)
    page.goto(f"{server.url}/events/{made.json()['event']}/desk")
    form = page.locator('form[data-post$="entrants/list"]')
    file, area, wrong = form.locator("input"), form.locator("textarea"), form.locator(".wrong")
    names = "Name;Verein\r\nJörg Groß;Köln\r\nZoë Œuvre;\r\n"

    def choose(content: bytes) -> None:
        file.set_input_files({"name": "list.csv", "mimeType": "text/csv", "buffer": content})

    choose(names.encode("utf-16"))
    expect(wrong).to_have_text("The file is not UTF-8: save the list as UTF-8.")
    expect(area).to_have_value("")
    choose(names.encode("cp1252"))
    expect(wrong).to_have_text("The file is not UTF-8; read as Windows-1252. Check the names.")
    expect(area).to_have_value(names.replace("\r\n", "\n"))
    choose(names.encode("utf-8-sig"))
    expect(wrong).to_be_hidden()
    form.get_by_role("button", name="Enter players").click()
    entered = page.locator(".entrants li")
    expect(entered).to_have_text([re.compile("Jörg Groß Köln"), re.compile("Zoë Œuvre")])


def test_a_message_on_the_desk_stays_while_the_forms_follow_the_event(
    phones: Phones, server: Server
) -> None:
    plan = {"system": "by-hand"}
    made = httpx.post(f"{server.url}/v1/events", json={"name": "Messages", "plan": plan})
    page = phones.new(**DESKTOP)
    page.goto(f"{server.url}/events/{made.json()['event']}/desk")
    entry, typed = (
        page.locator(f'form[data-post$="{one}/list"]') for one in ("entrants", "results")
    )
    entry.get_by_role("textbox").fill("Ann\nBo\nAnn")
    entry.get_by_role("button", name="Enter players").click()
    already = "line 3: Ann is entered already, in line 1, as Ann"
    expect(entry.locator(".wrong")).to_have_text(already)
    pairings = page.locator('form[data-post$="pair/list"]')
    for number in (1, 2):
        pairings.get_by_role("textbox").fill("Ann; Bo")
        pairings.get_by_role("button", name="Pair by hand").click()
        page.get_by_role("button", name="Start the round").click()
        expect(typed.get_by_role("combobox")).to_have_value(str(number))
        typed.get_by_label("Table and result").fill("1 1-0, 9 1-0")
        typed.get_by_role("button").click()
        expect(typed.locator(".wrong")).to_contain_text("table 9")
        page.get_by_role("button", name="Close the round").click()
    expect(entry.locator(".wrong")).to_have_text(already)


def test_lines_that_the_desk_refuses_stay_to_be_corrected(phones: Phones, server: Server) -> None:
    event, page = at_desk(server, phones, "Refused", {"system": "by-hand"})
    entry, typed = (
        page.locator(f'form[data-post$="{one}/list"]') for one in ("entrants", "results")
    )
    names = entry.get_by_role("textbox")
    names.fill("Name;Rating\nEd;12\nFlo;high\nCy;")
    entry.get_by_role("button", name="Enter players").click()
    expect(names).to_have_value("Name;Rating\nFlo;high\nCy;")
    for place, sent in (
        ("pair/list", {"text": "Ann; Bo\nCy; Di"}),
        ("rounds/1/start", {}),
        ("results/list", {"text": "1 1-0, 2 1-0"}),
        ("rounds/1/close", {}),
        ("pair/list", {"text": "Ann; Cy\nBo; Di"}),
        ("rounds/2/start", {}),
    ):
        httpx.post(f"{event}/{place}", json=sent).raise_for_status()
    page.reload()
    line, round = typed.get_by_label("Table and result"), typed.get_by_role("combobox")
    round.select_option("1")
    typed.get_by_label("Why").fill("sides mixed up")
    line.fill("1 0-1, 2 0-1")
    line.press("Enter")
    expect(typed.locator(".wrong")).to_contain_text("on /desk “As the director”")
    expect(line).to_have_value("1 0-1, 2 0-1")
    expect(round).to_have_value("1")
    typed.get_by_label("As the director").check()
    line.fill("1 0-1, 7 1-0")
    line.press("Enter")
    expect(typed.locator(".wrong")).to_contain_text("round 1 has no table 7")
    expect(line).to_have_value("7 1-0")
    line.fill("2 0-1")
    line.press("Enter")
    expect(line).to_have_value("")
    expect(round).to_have_value("2")
    tables = httpx.get(f"{event}/desk").json()["rounds"][0]["tables"]
    assert [one["result"]["result"] for one in tables] == ["0-1", "0-1"]


def at_desk(server: Server, phones: Phones, name: str, plan: dict[str, object]) -> tuple[str, Page]:
    """The address of an event with four entrants, and its desk."""
    made = httpx.post(f"{server.url}/v1/events", json={"name": name, "plan": plan}).json()
    event = f"{server.url}/v1/events/{made['event']}"
    entrants = [{"name": one} for one in ("Ann", "Bo", "Cy", "Di")]
    httpx.post(f"{event}/entrants", json={"entrants": entrants}).raise_for_status()
    page = phones.new(**DESKTOP)
    page.goto(f"{server.url}/events/{made['event']}/desk")
    return event, page


def test_a_keyboard_stays_where_it_was_when_the_desk_follows(
    phones: Phones, server: Server
) -> None:
    plan = {"system": "by-hand", "decks": ["GKUWX"]}
    event, page = at_desk(server, phones, "Keys", plan)
    httpx.post(f"{event}/pair/list", json={"text": "Ann; Bo\nCy; Di"}).raise_for_status()
    page.reload()

    def press(name: str) -> None:
        page.get_by_role("button", name=name).first.focus()
        page.keyboard.press("Enter")

    press("Start the round")
    expect(page.get_by_role("heading", name="2 results missing")).to_be_focused()
    for table in (2, 1):
        page.get_by_label(f"Result {table}", exact=True).focus()
        page.keyboard.press("1")
        expect(page.locator(f'[data-table="{table}"].missing')).to_have_count(0)
        expect(page.get_by_label(f"Result {table}", exact=True)).to_be_focused()
    for told in (page.get_by_label("Result 1", exact=True), page.locator(".entrants button").first):
        expect(told).to_have_accessible_description(re.compile("Ann"))
    page.once("dialog", lambda dialog: dialog.accept())
    press("withdraw")
    expect(page.locator(".entrants li", has_text="Ann")).to_be_focused()
    entry = page.locator('form[data-post$="entrants/list"]')
    entry.get_by_role("textbox").fill("Ed")
    entry.locator("button").press("Enter")
    expect(page.locator(".entrants li")).to_have_count(5)
    expect(entry.locator("button")).to_be_focused()


def test_a_form_that_is_being_filled_in_does_not_hold_back_the_others(
    phones: Phones, server: Server
) -> None:
    _, page = at_desk(server, phones, "Others", {"system": "by-hand"})
    pairings = page.locator('form[data-post$="pair/list"]')
    message = page.get_by_label("Message to all screens")
    message.fill("Pizza")
    pairings.get_by_role("textbox").fill("Ann; Bo\nCy; Di")
    pairings.locator("button").press("Enter")
    exchange = page.locator('form[data-post$="desk/exchange"]')
    expect(exchange).to_be_visible()
    expect(message).to_have_value("Pizza")
    pairings.get_by_role("textbox").fill("Ann; Cy")
    page.get_by_role("button", name="Start the round").click()
    expect(page.locator('form[data-post$="desk/seat"]')).to_be_visible()
    expect(pairings.get_by_role("textbox")).to_have_value("Ann; Cy")
    message.press("Enter")
    expect(page.get_by_role("button", name="Remove the message")).to_be_visible()
    expect(message).to_have_value("")
    expect(message).to_be_focused()


def test_the_lists_of_a_form_that_is_being_filled_in_follow_the_event(
    phones: Phones, server: Server
) -> None:
    """What is chosen stays if it is still there; otherwise the form says so."""
    event, page = at_desk(server, phones, "Lists", {"system": "by-hand"})
    for number, text in enumerate(("Ann; Bo\nCy; Di", "Ann; Cy\nBo; Di"), 1):
        httpx.post(f"{event}/pair/list", json={"text": text}).raise_for_status()
        httpx.post(f"{event}/rounds/{number}/start", json={}).raise_for_status()
    page.reload()
    exchange = page.locator('form[data-post$="desk/exchange"]')
    one, other = exchange.locator("select").all()
    one.select_option("3")
    typed = page.locator('form[data-post$="results/list"]')
    line = typed.get_by_label("Table and result")
    line.fill("1 1-0")
    typed.locator("select").select_option("2")
    page.locator("summary", has_text="Change an entrant").click()
    change = page.locator('form[data-post$="desk/change"]')
    change.get_by_label("Who").select_option("1")
    change.get_by_label("Club").fill("Bern")  # the focus stays here
    rated = {"entrant": {"number": 3, "name": "Cyril"}}
    httpx.post(f"{event}/desk/change", json=rated).raise_for_status()
    httpx.post(f"{event}/entrants", json={"entrants": [{"name": "Ed"}]}).raise_for_status()
    for list_ in (one, other, change.get_by_label("Who")):
        expect(list_.locator("option").last).to_have_text("5 Ed", timeout=15_000)
    expect(one).to_have_value("3")
    expect(one.locator("option:checked")).to_have_text("3 Cyril")
    expect(change.get_by_label("Who")).to_have_value("1")
    expect(change.get_by_label("Club")).to_have_value("Bern")
    # Whoever is chosen now is shown as they are, so that nobody's work is overwritten.
    change.get_by_label("Who").select_option("3")
    expect(change.get_by_label("Name")).to_have_value("Cyril")
    change.get_by_label("Club").fill("Bern")
    with page.expect_response("**/desk/change") as answer:
        change.get_by_role("button").click()
    assert answer.value.ok
    for _ in range(4):
        httpx.post(f"{event}/undo", json={}).raise_for_status()
    page.locator("h1").click()
    expect(typed.locator(".wrong")).to_have_text("No longer there, choose again: 2", timeout=15_000)
    expect(line).to_have_value("1 1-0")
    expect(typed.locator("select")).to_have_value("1")
    expect(one.locator("option").last).to_have_text("4 Di")
    expect(one).to_have_value("3")
    httpx.post(f"{event}/undo", json={}).raise_for_status()
    httpx.post(f"{event}/undo", json={}).raise_for_status()
    expect(typed.locator(".wrong")).to_have_text(
        "This is not possible any more at the moment.", timeout=15_000
    )


def test_cards_are_those_of_the_round_that_is_still_played(phones: Phones, server: Server) -> None:
    event, page = at_desk(server, phones, "Late", {"system": "by-hand", "decks": ["GKUWX"]})
    for number, text in enumerate(("1; Ann; Bo\n2; Cy; Di", "1; Ann; Cy\n2; Bo; Di"), 1):
        httpx.post(f"{event}/pair/list", json={"text": text}).raise_for_status()
        if number == 1:
            httpx.post(f"{event}/rounds/1/start", json={}).raise_for_status()
    page.reload()
    page.get_by_role("button", name="Cards with codes for the tables").click()
    cards = page.locator("#links .card")
    expect(cards.filter(has_text="Ann – Bo")).to_contain_text("Late · round 1")
    expect(cards.filter(has_text="Cy – Di")).to_contain_text("Late · round 1")
    expect(cards).to_have_count(2)


def test_the_desk_is_printed_without_its_forms(phones: Phones, server: Server) -> None:
    """The tables begin on the first page, and nothing else follows but the players."""
    event, page = at_desk(server, phones, "Paper", {"system": "casual"})
    names = "\n".join(f"Player {chr(65 + n // 6)}{chr(97 + n % 6)}" for n in range(36))
    httpx.post(f"{event}/entrants/list", json={"text": names}).raise_for_status()
    httpx.post(f"{event}/pair", json={}).raise_for_status()
    httpx.post(f"{event}/rounds/1/start", json={}).raise_for_status()
    page.reload()
    page.emulate_media(media="print")
    expect(page.locator("#forms, #typed")).to_have_count(2)
    for form in page.locator("#forms, #typed, .acts, .entrants button").all():
        expect(form).to_be_hidden()
    assert page.pdf(format="A4").count(b"/Type /Page\n") == 2


def test_no_word_is_broken_on_the_cards_of_a_round(phones: Phones, server: Server) -> None:
    event, page = at_desk(server, phones, "Karten", {"system": "by-hand", "decks": ["GKUWX"]})
    httpx.post(f"{event}/pair/list", json={"text": "Ann; Bo\nCy; Di"}).raise_for_status()
    page.set_viewport_size({"width": 1100, "height": 760})
    page.goto(f"{page.url}?lang=de")
    page.get_by_role("button", name="Runde starten").click()
    captions = page.locator("#links figcaption")
    expect(captions).to_have_count(4)
    broken = """all => all.filter((one) => {
      const { clientWidth } = one;
      one.style.width = "min-content";
      one.style.overflowWrap = "normal";
      return one.clientWidth > clientWidth;
    }).length"""
    assert captions.evaluate_all(broken) == 0


def test_two_directors_do_not_undo_each_other(phones: Phones, server: Server) -> None:
    """What somebody else has changed since the page was shown is not overwritten by a form."""
    event, page = at_desk(server, phones, "Two", {"system": "by-hand"})
    meanwhile = "this was changed meanwhile, by local: look at it again first"
    plan = page.locator('form[data-post$="desk/plan"]')
    page.get_by_text("How it is played").click()
    plan.get_by_label("Rounds", exact=True).fill("5")
    change = page.locator('form[data-post$="desk/change"]')
    page.locator("summary", has_text="Change an entrant").click()
    change.get_by_label("Who").select_option("1")
    change.get_by_label("Club").fill("Bern")
    other = {"system": "by-hand", "minutes": 40}
    httpx.post(f"{event}/desk/plan", json={"plan": other}).raise_for_status()
    rated = {"entrant": {"number": 1, "name": "Ann", "rating": 1700}}
    httpx.post(f"{event}/desk/change", json=rated).raise_for_status()
    for form in (plan, change):
        form.get_by_role("button").click()
        expect(form.locator(".wrong")).to_have_text(meanwhile)
    board = httpx.get(f"{event}/desk").json()
    assert (board["plan"]["minutes"], board["plan"]["rounds"]) == (40, None)
    assert (board["entrants"][0]["rating"], board["entrants"][0]["club"]) == (1700, "")
    page.reload()
    # What the form itself has changed is no surprise, also while another form is filled in.
    page.get_by_label("Message").fill("Soon")
    page.get_by_text("How it is played").click()
    for rounds in ("5", "6"):
        plan.get_by_label("Rounds", exact=True).fill(rounds)
        with page.expect_response("**/desk/plan") as answer:
            plan.get_by_role("button").click()
        assert answer.value.ok
    assert httpx.get(f"{event}/desk").json()["plan"]["minutes"] == 40
    assert [one.split(" of ")[-1] for one in phones.wrong] == ["412 (Precondition Failed)"] * 2
    phones.wrong.clear()


def test_a_result_that_somebody_else_has_entered_stays(phones: Phones, server: Server) -> None:
    event, page = at_desk(server, phones, "Results", {"system": "by-hand"})
    httpx.post(f"{event}/pair/list", json={"text": "1; Ann; Bo\n2; Cy; Di"}).raise_for_status()
    httpx.post(f"{event}/rounds/1/start", json={}).raise_for_status()
    page.reload()
    form = page.locator('tr[data-table="1"] form.result')
    form.get_by_role("combobox").focus()
    typed = {"round": 1, "table": 1, "result": {"result": "1-0"}}
    httpx.post(f"{event}/desk/result", json=typed).raise_for_status()
    form.get_by_role("combobox").select_option("0-1")
    expect(form.locator(".wrong")).to_have_text("table 1 has the result 1-0 meanwhile, by local")
    expect(form.get_by_role("combobox")).to_have_value("")
    page.get_by_label("Message").focus()
    expect(form.get_by_role("combobox")).to_have_value("1-0", timeout=15_000)
    with page.expect_response("**/desk/result") as answer:
        form.get_by_role("combobox").select_option("0-1")
    assert answer.value.ok
    undo = page.get_by_role("button", name="Undo: result 0-1 (round 1, table 1), by local")
    expect(undo).to_be_visible()
    assert httpx.get(f"{event}/desk").json()["rounds"][0]["tables"][0]["result"]["result"] == "0-1"
    assert [one.split(" of ")[-1] for one in phones.wrong] == ["412 (Precondition Failed)"]
    phones.wrong.clear()


def test_why_the_desk_refused_something_stays_with_what_may_be_allowed(
    phones: Phones, server: Server
) -> None:
    """The board follows the event meanwhile, wherever the focus is."""
    event, page = at_desk(server, phones, "Ties", {"system": "knock-out"})
    httpx.post(f"{event}/pair", json={}).raise_for_status()
    httpx.post(f"{event}/rounds/1/start", json={}).raise_for_status()
    for table in (1, 2):
        typed = {"round": 1, "table": table, "result": {"result": "1/2-1/2"}}
        httpx.post(f"{event}/desk/result", json=typed).raise_for_status()
    page.reload()
    page.get_by_role("button", name="Close the round").click()
    page.get_by_role("button", name="Pair round 2").click()
    wrong = page.locator("#board .wrong:not([hidden])")
    expect(wrong).to_contain_text("a knock-out needs a winner")
    page.get_by_label("Message").focus()
    httpx.post(f"{event}/entrants", json={"entrants": [{"name": "Ed"}]}).raise_for_status()
    expect(page.locator(".entrants li")).to_have_count(5, timeout=15_000)
    expect(wrong).to_contain_text("a knock-out needs a winner")
    wrong.get_by_role("button", name="let the better seed advance").click()
    expect(page.get_by_role("heading", name="Round 2")).to_be_visible()
    assert [one.split(" of ")[-1] for one in phones.wrong] == ["409 (Conflict)"]
    phones.wrong.clear()
