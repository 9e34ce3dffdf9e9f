"""What readers do on pages: comments, a puzzle, a frame in another page, printing, the wall."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import httpx
import pytest

pytest.importorskip("playwright.sync_api", reason="needs playwright, of claimlog[test-all]")
from phones import Server, findings
from playwright.sync_api import expect
from states import puzzle_out
from waiting import wait_until

from claimlog import loads
from claimlog.api.tokens import TokenFile
from claimlog.client import Client
from claimlog.directing import acts
from claimlog.directing.model import Entrant, Plan, TableResult
from claimlog.notation.writer import canonical
from claimlog.simulate import simulate_games, simulate_records
from claimlog.store import Archive
from claimlog.web.replay import export_html

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from phones import Phones
    from playwright.sync_api import Route

pytestmark = pytest.mark.slow

SCREEN = {
    "viewport": {"width": 1280, "height": 800}, "is_mobile": False, "has_touch": False,
    "device_scale_factor": 1,
}  # fmt: skip
HTTP = httpx.Client(timeout=60)
CUP = "Spring Cup"
NAMES = ("Anna Keller", "Ben Roth", "Cy Vogt", "Mia Suter", "Jon Meier", "Eva Huber")


@pytest.fixture(scope="module")
def about() -> dict[str, str]:
    """The id of the server's event, and its tokens by scope, once they exist."""
    return {}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, about: dict[str, str]) -> Iterator[Server]:
    """A server with games, puzzles, an event in its second round, and tokens for writing."""
    server = Server(tmp_path_factory.mktemp("reading"))
    with Archive.open(server.archive) as archive:
        for record in simulate_records(4, deck="GKBSU", policy="random", seed=44):
            archive.store(record, doubtful="beside")
        puzzle_out(archive)
    server.start()
    with Client(server.url) as client:
        plan = Plan(system="casual", rounds=3, decks=("GKUWX",))
        about["event"] = client.create_event(CUP, plan, by="Ruth").event
        client.enter(CUP, [Entrant(name=name) for name in NAMES], by="Ruth")
        for number in (1, 2):
            client.pair_round(CUP, by="Ruth")
            links = client.start_round(CUP, number, by="Ruth").links
            for table in (1, 2, 3) if number == 1 else (1,):
                result = TableResult(result="1-0")
                typed = acts.ResultTyped(round=number, table=table, result=result)
                client.direct(CUP, typed, by="Ruth")
            if number == 1:
                client.close_round(CUP, number, by="Ruth")
        HTTP.post(
            f"{server.url}/v1/tables/{links[1].id}/actions",
            json={
                "device": "phone",
                "after": 0,
                "entries": [{"kind": "enter", "id": "a", "word": "U7"}],
            },
            headers={"Authorization": f"Bearer {links[1].scorer.partition('#token=')[2]}"},
        ).raise_for_status()
        about["large"] = client.create_event("Large Cup", plan, by="Ruth").event
        names = [f"Bartholomew Longfellow the {number}th" for number in range(1, 45)]
        client.enter("Large Cup", [Entrant(name=name) for name in names], by="Ruth")
        client.pair_round("Large Cup", by="Ruth")
        client.start_round("Large Cup", 1, by="Ruth")
        for table in range(1, 23):
            drawn = TableResult(result="1/2-1/2")
            typed = acts.ResultTyped(round=1, table=table, result=drawn)
            client.direct("Large Cup", typed, by="Ruth")
    for scope in ("record", "direct"):
        about[scope] = TokenFile(server.archive).create(f"Who may {scope}", scope)[0]
    yield server
    server.stop()


def test_a_comment_is_kept_by_the_server_for_whoever_may_correct(
    phones: Phones, server: Server, about: dict[str, str]
) -> None:
    """Without a sufficient token the server says so, and the text stays."""
    id = HTTP.get(f"{server.url}/v1/games?limit=1").json()["games"][0]["id"]
    page = phones.new(**SCREEN)
    page.goto(f"{server.url}/games/{id}#t2.1")
    expect(page.locator("select.views")).to_be_visible()
    phones.expected = "status of 4"
    page.keyboard.press("c")
    page.keyboard.type("Why not {G9}?")
    save = page.get_by_role("button", name="Save", exact=True)
    save.click()
    for refused in (about["record"], about["direct"]):
        expect(page.get_by_role("alert")).to_contain_text("token")
        page.get_by_label("Director's token").fill(refused)
        save.click()
    comment = page.locator(".narration .comment")
    expect(comment).to_contain_text("Why not (G9)?")
    expect(page).to_have_url(re.compile("#t2.1$"))
    expect(page.locator("#comment-text")).to_have_value("")
    expect(save).to_be_focused()
    expect(save).to_be_disabled()
    # The next one does not ask for the token again; both are in the record, each as a revision.
    page.keyboard.press("Escape")
    page.locator("body").press("ArrowLeft")
    page.locator("body").press("c")
    page.keyboard.type("A quiet opening.")
    held: list[Route] = []
    page.route("**/v1/games/*", lambda route: held.append(route))
    page.keyboard.press("Control+Enter")
    wait_until(lambda: page.wait_for_timeout(10) or held)
    page.locator("#comment-text").fill("What is typed meanwhile stays.")
    held.pop().continue_()
    page.unroute("**/v1/games/*")
    # The comment is not on the card shown now, so only this message says where it went.
    expect(page.locator(".commenting [role=status]")).to_have_text("On trick 1: saved.")
    expect(page.locator("#comment-text")).to_have_value("What is typed meanwhile stays.")
    stored = HTTP.get(f"{server.url}/v1/games/{id}").json()
    game = loads(stored["record"])[0]
    assert game.comments_at(2, 1) == ["Why not (G9)?"]
    assert game.comments_at(1, 2) == ["A quiet opening."]
    revisions = HTTP.get(f"{server.url}/v1/games/{id}/revisions").json()
    assert [(one["by"], one["why"]) for one in revisions][-2:] == [
        ("Who may direct", "Comment")
    ] * 2
    # Somebody else is faster: that is told, and saving again works.
    HTTP.put(
        f"{server.url}/v1/games/{id}",
        content=stored["record"].replace("A quiet opening.", "A very quiet opening."),
        headers={
            "Content-Type": "text/x-claim",
            "If-Match": f'"{stored["row"]["revision"]}"',
            "Authorization": f"Bearer {about['direct']}",
        },
    ).raise_for_status()
    save.click()
    expect(page.get_by_role("alert")).to_have_text(
        "Somebody else has corrected the game meanwhile. It is shown as it is now: save once more."
    )
    save.click()
    expect(page.locator(".commenting [role=status]")).to_have_text("On trick 1: saved.")
    expect(page.get_by_role("alert")).to_have_count(0)
    both = loads(HTTP.get(f"{server.url}/v1/games/{id}").json()["record"])[0].comments_at(1, 2)
    assert both == ["A very quiet opening.", "What is typed meanwhile stays."]
    assert list(findings(page)) == []


def test_comments_in_an_exported_page_are_saved_as_a_record(phones: Phones, tmp_path: Path) -> None:
    """They are restored when the page is opened again, and are in the downloaded file."""
    (game,) = simulate_games(1, seats=3, seed=5)
    file = tmp_path / "game.html"
    file.write_bytes(export_html(game, views=[None, 1]))
    page = phones.browser.new_context(**SCREEN, offline=True, locale="en-GB").new_page()
    phones.contexts.append(page.context)
    page.goto(file.as_uri())
    written = {"": "Three beginners.", "#t3.2": "Too high.", "#t4.3": "Now it turns. 🙂"}
    for place, text in written.items():
        page.evaluate("(hash) => { location.hash = hash }", place or "#t1")
        page.locator("body").press("c")
        page.keyboard.type(text)
        page.get_by_role("button", name="Save", exact=True).click()
        expect(page.locator(".narration .comment")).to_contain_text(text)
    page.reload()
    expect(page.locator(".narration .comment")).to_contain_text("Now it turns.")
    page.locator(".commenting summary").click()
    assert list(findings(page)) == []
    with page.expect_download() as saved:
        page.get_by_role("button", name="Download with comments").click()
    for place, text in zip(((0, 0), (3, 2), (4, 3)), written.values(), strict=True):
        game.comments_at(*place).append(text)
    assert saved.value.path().read_text() == canonical(game)
    page.get_by_role("button", name="Remove").click()
    expect(page.locator(".narration .comment")).to_have_count(0)


def test_a_moment_stands_in_a_frame_of_another_page(phones: Phones, server: Server) -> None:
    """As *Share* offers it; the page of a stored game cannot be framed."""
    id = HTTP.get(f"{server.url}/v1/games?limit=1").json()["games"][0]["id"]
    page = phones.new(**SCREEN)
    page.goto(f"{server.url}/games/{id}/5.1")
    expect(page.locator("select.views")).to_be_visible()
    page.locator(".act-share").click()
    embed = page.get_by_label("For another page").input_value()
    page = phones.listened(page.context.new_page())
    page.set_content(f"<h1>My evening</h1>{embed}")
    frame = page.frame_locator("iframe")
    expect(frame.locator("h2").first).to_contain_text("Trick 5 of 26")
    expect(frame.locator(".played .face")).to_have_count(1)
    frame.locator(".act-next").click()
    expect(frame.locator(".played .face")).to_have_count(2)
    phones.expected = "frame-ancestors"
    page.set_content(f'<iframe src="{server.url}/games/{id}"></iframe>')
    expect(page.frame_locator("iframe").locator(".viewer")).to_have_count(0)


def test_the_game_of_the_day_is_guessed_from_the_first_page(phones: Phones, server: Server) -> None:
    """The link leads to the moment of the picture, seen by the seat to play."""
    page = phones.new(**SCREEN)
    page.goto(server.url)
    expect(page.locator(".today img")).to_be_visible()
    trick = re.search(r"/(\d+)[.#]", page.locator(".today a").first.get_attribute("href") or "")
    assert trick
    page.get_by_role("link", name="Guess the card").click()
    expect(page.locator("h2").first).to_contain_text(f"Trick {trick[1]} of 26")
    page.locator(".hand button").first.click()
    expect(page.locator(".guessing")).to_contain_text("Others played here")
    page.locator("body").press("End")
    expect(page.locator(".guessing")).to_contain_text("of 3 points")


def test_a_puzzle_is_solved(phones: Phones, server: Server) -> None:
    """A wrong card shows what it leads to, the right one that it wins; keys step on and back."""
    page = phones.new(**SCREEN)
    page.goto(f"{server.url}/puzzles/daily")
    puzzle = HTTP.get(f"{server.url}/v1/puzzles/daily").json()
    cards = page.locator(".acts .hand button")
    expect(cards.first).to_be_visible()
    wrong = next(one["card"] for one in puzzle["tries"] if one["card"] != puzzle["solution"])
    came = page.locator(".came")
    for card, sign in ((wrong, "✗"), (puzzle["solution"], "✓")):
        cards.filter(has_text=card).first.click()
        expect(came).to_contain_text(f"{sign} {card}")
        assert list(findings(page)) == []
        lying = page.locator(".played .face").count()
        page.keyboard.press("ArrowRight")
        expect(page.locator(".played .face")).not_to_have_count(lying)
        page.keyboard.press("Escape")
        expect(came).not_to_contain_text(sign)


def test_a_puzzle_is_solved_by_keyboard_and_ear(phones: Phones, server: Server) -> None:
    """At 200 %: the focus goes to what a card led to, and each step is read out."""
    page = phones.new(**SCREEN | {"viewport": {"width": 640, "height": 400}})
    page.goto(f"{server.url}/puzzles/daily")
    cards, came = page.locator(".acts .hand button"), page.locator(".came")
    expect(came).to_be_visible()
    expect(came).not_to_be_focused()
    cards.first.press("Enter")
    expect(came).to_be_focused()
    expect(came).to_contain_text(re.compile("[✓✗]"))
    expect(came).to_be_in_viewport()
    said = page.locator(".sr[role=status]")
    heard = said.inner_text()
    assert heard
    on = page.get_by_role("button", name="Forward")
    on.press("Enter")
    expect(said).not_to_have_text(heard)
    while on.is_enabled():
        on.press("Enter")
        page.wait_for_timeout(50)
    expect(came).to_be_focused()
    page.get_by_role("button", name="Try again").press("Enter")
    expect(came).to_be_focused()
    expect(came).to_have_text("Choose a card.")


CUT = """() => [...document.querySelectorAll("body *")].filter((one) => {
  const box = one.getBoundingClientRect();
  const { overflowX } = getComputedStyle(one);
  const cut = overflowX !== "visible" && one.scrollWidth > one.clientWidth + 1;
  return box.width > 1 && one.checkVisibility() && (box.right > innerWidth + 1 || cut);
}).map((one) => one.outerHTML.slice(0, 120))"""
"""The elements that do not fit the paper."""


def test_nothing_is_cut_off_on_paper(phones: Phones, server: Server, about: dict[str, str]) -> None:
    """A game takes one page; the crosstable of 44 players shows their results round by round."""
    page = phones.new(**SCREEN)
    page.emulate_media(media="print")
    id = HTTP.get(f"{server.url}/v1/games?limit=1&sort=oldest").json()["games"][0]["id"]
    large = f"/events/{about['large']}"
    for path, millimetres in (
        (f"{large}/print/pairings", 182),
        (f"{large}/print/standings", 182),
        (f"{large}/print/crosstable", 269),
        (f"/events/{about['event']}/print/crosstable", 182),
        (f"/events/{about['event']}", 190),
        (f"/games/{id}", 186),
    ):
        page.set_viewport_size({"width": round(millimetres * 96 / 25.4), "height": 900})
        page.goto(server.url + path)
        expect(page.locator("tbody:visible").first).to_be_visible()
        assert page.evaluate(CUT) == [], path
    expect(page.locator(".record:visible tbody tr")).to_have_count(26 + 5)
    assert len(re.findall(rb"/Type /Page\b", page.pdf(prefer_css_page_size=True))) == 1
    page.goto(f"{server.url}{large}/print/crosstable")
    expect(page.locator(".cross tbody tr")).to_have_count(44)
    page.goto(f"{server.url}/puzzles/daily")
    expect(page.locator(".plain tbody tr:visible")).to_have_count(2)  # its position


def test_no_page_is_wider_than_a_narrow_screen_with_large_letters(
    phones: Phones, server: Server
) -> None:
    """Upright and on its side."""
    page = phones.new(**SCREEN, locale="de-CH")
    id = HTTP.get(f"{server.url}/v1/games?limit=1&sort=oldest").json()["games"][0]["id"]
    game = f"/games/{id}"
    for path in ("/", "/players", "/events", "/puzzles", "/explorer", "/factions", game):
        page.goto(server.url + path)
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        for width, height in ((320, 640), (740, 360)):
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate("document.documentElement.scrollWidth") <= width, (path, width)


def test_the_wall_turns_all_that_a_hall_wants_in_its_language(
    phones: Phones, server: Server, about: dict[str, str]
) -> None:
    page = phones.new(**SCREEN, locale="de-CH")
    page.goto(f"{server.url}/events/{about['event']}/wall?seconds=120")
    expect(page.locator("#state")).to_contain_text("Stand")
    expect(page.locator("#page")).to_have_text("1/4")
    shown = {}
    for number in range(1, 5):
        expect(page.locator("#page")).to_have_text(f"{number}/4")
        shown[page.locator("#what").inner_text()] = page.locator("#wall").inner_text()
        assert list(findings(page)) == []
        page.locator("#wall").click()
    assert list(shown) == [
        "Rangliste", "Läuft gerade", "Paarungen · Runde 2", "Ergebnisse · Runde 2",
    ]  # fmt: skip
    assert "Stich 1 von 26" in shown["Läuft gerade"]
    assert all(name in shown["Rangliste"] for name in NAMES)
    assert "1-0" in shown["Ergebnisse · Runde 2"]


def test_a_game_of_long_names_and_many_factions_fits_its_table(
    phones: Phones, server: Server, about: dict[str, str]
) -> None:
    """As a row on the first page, in German, and as a card on a phone; without an event, too."""
    (record,) = simulate_records(1, seats=4, deck="GKUWXDS", policy="random", seed=3)
    tags = '[Date "2026-11-14"]\n' + "".join(
        f'[Player{seat} "Bartholomäus Langenschwalbach der {seat}."]\n' for seat in (1, 2, 3, 4)
    )
    _, _, moves = record.partition("\n\n")
    kept = [line for line in record.splitlines() if line.startswith(("[Deck", "[Leader"))]
    HTTP.post(
        f"{server.url}/v1/games",
        content=(tags + "\n".join(kept) + "\n\n" + moves).encode(),
        headers={"Content-Type": "text/x-claim", "Authorization": f"Bearer {about['record']}"},
    ).raise_for_status()
    for width, path in ((1280, "/"), (1100, "/games"), (360, "/"), (360, "/games")):
        page = phones.new(**SCREEN | {"viewport": {"width": width, "height": 800}}, locale="de-CH")
        page.goto(server.url + path)
        table = page.locator(".wide:has(> table.games)")
        expect(table).to_contain_text("Langenschwalbach")
        assert table.evaluate("one => one.scrollWidth <= one.clientWidth"), (width, path)


def test_beside_names_of_sixty_letters_the_points_stay_in_view(
    phones: Phones, server: Server, about: dict[str, str]
) -> None:
    """On a phone, on the wall as a phone shows it, and on paper; also of a name without a space."""
    names = ("Wolfeschlegelsteinhausenbergerdorffwelchevoralternwarenwissen"[:60], "ش" * 60)
    with Client(server.url, about["direct"]) as client:
        plan = Plan(rounds=2, decks=("GKUWX",))
        event = client.create_event("Long Cup", plan, by="Ruth").event
        client.enter(event, [Entrant(name=name) for name in names], by="Ruth")
        client.pair_round(event, by="Ruth")
        client.start_round(event, 1, by="Ruth")
        drawn = acts.ResultTyped(round=1, table=1, result=TableResult(result="1/2-1/2"))
        client.direct(event, drawn, by="Ruth")
    page = phones.new(viewport={"width": 320, "height": 2000})
    for path in ("", "/places", "/desk", "/wall"):
        page.goto(f"{server.url}/events/{event}{path}")
        if path in ("", "/wall"):
            for points in page.locator(".standings tbody td.result").all():
                expect(points).to_have_text("0.5")
                expect(points).to_be_in_viewport(ratio=1)
        if not path:
            expect(page.locator(".paired tbody td:last-child")).to_be_in_viewport(ratio=1)
        assert page.evaluate("document.documentElement.scrollWidth") == 320, path
    (record,) = simulate_records(1, deck="GKUWX", policy="random", seed=9)
    kept = [line for line in record.splitlines() if not line.startswith(("[Player", "[Event "))]
    tags = [f'[Player{seat} "{name}"]' for seat, name in enumerate(names, 1)]
    HTTP.post(
        f"{server.url}/v1/games",
        content="\n".join([f'[Event "{names[0]}"]', *tags, *kept]).encode(),
        headers={"Content-Type": "text/x-claim", "Authorization": f"Bearer {about['record']}"},
    ).raise_for_status()
    for path, cell in (("players?search=Wolfe", "td.number"), ("events?search=Wolfe", "td.date")):
        page.goto(f"{server.url}/{path}")
        expect(page.locator(f".names tbody {cell}").first).to_be_in_viewport(ratio=1)
    page = phones.new(**SCREEN | {"viewport": {"width": 688, "height": 900}})
    page.emulate_media(media="print")
    for kind in ("pairings", "standings", "crosstable", "prizes", "sheets", "certificates"):
        page.goto(f"{server.url}/events/{event}/print/{kind}")
        expect(page.locator("main")).to_contain_text(names[0])
        assert page.evaluate(CUT) == [], kind
