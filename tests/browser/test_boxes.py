"""Everything shown is visible: measured in a browser, at common screen sizes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import httpx
import pytest

pytest.importorskip("playwright.sync_api", reason="needs playwright, of claimlog[test-all]")
from phones import Server, findings
from playwright.sync_api import expect
from waiting import wait_until

from claimlog import dumps, loads
from claimlog.simulate import simulate_games
from claimlog.store import Archive, Filter
from claimlog.web.replay import export_html

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.slow

CLM = {"Accept": "text/x-claim"}
SCREENS = ((1280, 720), (1366, 768), (820, 1180), (360, 740))
NAMES = {f"Player{seat}": f"Bartholomew Longfellow the {seat}th" for seat in range(1, 5)}

OUTSIDE = """() => [...document.querySelectorAll("main :is(a, input, .button)")].filter((one) => {
  const box = one.getBoundingClientRect();
  const inside = (one.closest(".panel, .wide") ?? document.body).getBoundingClientRect();
  return box.width && (box.right > inside.right + 1 || box.left < inside.left - 1);
}).map((one) => one.outerHTML.slice(0, 120))"""
"""The links and fields that extend beyond their card or table."""

HIDDEN = """(wanted) => {
  const bar = document.querySelector(".viewer nav").getBoundingClientRect().top;
  return [...document.querySelectorAll(wanted)].filter((one) => {
    const box = one.getBoundingClientRect();
    return box.bottom > bar + 1 || box.top < 0 || box.right > innerWidth + 1;
  }).map((one) => `${one.className} ${JSON.stringify(one.getBoundingClientRect())} ${bar}`);
}"""
"""The elements of the table that are under the bar, or off the screen."""

APART = """() => {
  const boxes = [...document.querySelectorAll(".felt > .seat, .felt .spot, .felt .lying .small")]
    .map((one) => [one, one.getBoundingClientRect()]);
  const inside = document.querySelector(".felt").getBoundingClientRect();
  return boxes.flatMap(([one, a], i) => [
    ...(a.bottom > inside.bottom + 1 || a.right > inside.right + 1 ? [one.className] : []),
    ...boxes.slice(i + 1).filter(([other, b]) =>
      !one.contains(other) && a.left < b.right - 2 && b.left < a.right - 2 &&
      a.top < b.bottom - 2 && b.top < a.bottom - 2,
    ).map(([other]) => `${one.className} over ${other.className}`),
  ]);
}"""
"""Seats, upcards and places on the table that overlap, or extend beyond the table."""


LYING = """() => {
  const [lying, ...seats] = [...document.querySelectorAll(".felt .lying, .felt > .seat")]
    .sort((one) => (one.matches(".lying") ? -1 : 1)).map((one) => one.getBoundingClientRect());
  return seats.filter((box) => box.left < lying.right - 1 && lying.left < box.right - 1 &&
    box.top < lying.bottom - 1 && lying.top < box.bottom - 1);
}"""
"""The seats that the upcards and the draw pile lie on."""

WIDE = """() => [...document.querySelectorAll(".viewer .race, .viewer .standing, .viewer .players")]
  .filter((one) => one.scrollWidth > one.clientWidth + 1 ||
    one.getBoundingClientRect().right > one.parentElement.getBoundingClientRect().right + 1)
  .map((one) => one.className)"""
"""The parts of the page that do not fit into what is around them."""


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, dict[int, str]]]:
    """A server with games of two, three and four players, and the ids of one each."""
    server = Server(tmp_path_factory.mktemp("boxes"))
    about = {**NAMES, "Event": "The Masters of the Upper Lake", "Date": "2026-11-12", "Round": "1"}
    with Archive.open(server.archive) as archive:
        for seats in (2, 3, 4):
            tags = {name: value for name, value in about.items() if name <= f"Player{seats}"}
            for game in simulate_games(3, seats=seats, seed=2, tags=tags):
                archive.store(dumps(game), doubtful="beside")
        ids = {seats: archive.games(Filter(seats=seats)).games[0].id for seats in (2, 3, 4)}
    server.start()
    yield server, ids
    server.stop()


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    """One page for all tests."""
    context = browser.new_context(locale="en-GB")
    yield context.new_page()
    context.close()


def test_links_lie_inside_their_cards(games: tuple[Server, dict[int, str]], page: Page) -> None:
    server, _ = games
    for path in (
        "/",
        "/games?seats=4",
        "/players",
        "/players/Bartholomew%20Longfellow%20the%201th",
        "/events",
        "/events/The%20Masters%20of%20the%20Upper%20Lake",
    ):
        for width in (1024, 1280, 1440, 1600, 1920):
            page.set_viewport_size({"width": width, "height": 800})
            if width == 1024:
                page.goto(server.url + path)
            assert page.evaluate(OUTSIDE) == [], (path, width)
            assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def test_the_start_of_a_game_is_read_from_its_top(
    games: tuple[Server, dict[int, str]], page: Page
) -> None:
    server, ids = games
    page.set_viewport_size({"width": 390, "height": 844})
    for seats in (2, 4):
        page.goto("about:blank")
        page.goto(f"{server.url}/games/{ids[seats]}#start")
        cover = page.locator(".cover").bounding_box()
        first = page.locator(".cover .players li").first.bounding_box()
        assert cover is not None
        assert first is not None
        assert first["y"] >= cover["y"]
        page.locator(".begin").click()
        expect(page.locator(".felt .seat")).to_have_count(seats)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_game_opens_on_the_table_and_all_of_it_is_seen(
    games: tuple[Server, dict[int, str]], page: Page, tmp_path: Path, seats: int
) -> None:
    server, ids = games
    file = tmp_path / "game.html"
    record = httpx.get(f"{server.url}/v1/games/{ids[seats]}", headers=CLM).text
    file.write_bytes(export_html(loads(record)[0], views=[None, 1]))
    middle = {2: 14, 3: 13, 4: 10}[seats]
    wanted = ".viewer :is(.seat, .at-bottom .hand .small, .spot, .followers, .narration b)"
    wanted += ", .tools :is(button, select), .followers small"
    for number, address in enumerate((f"{server.url}/games/{ids[seats]}", file.as_uri())):
        for place, moment in enumerate(("", "#t2", f"#t{middle - 1}.1", f"#t{middle}.1")):
            # It is opened on one screen, which is then given the sizes of the others: where things
            # are follows from the size alone. All in all, each moment is opened on each screen.
            first = (2 * seats + number + place) % len(SCREENS)
            for size in SCREENS[first:] + SCREENS[:first]:
                page.set_viewport_size({"width": size[0], "height": size[1]})
                if size == SCREENS[first]:
                    page.goto("about:blank")
                    page.goto(address + moment)
                    page.wait_for_selector(".felt .seat")
                assert page.evaluate(HIDDEN, wanted) == [], (address, moment, size)
                assert page.evaluate(APART) == [], (address, moment, size)


@pytest.mark.parametrize("seats", [3, 4])
def test_on_a_low_screen_nothing_lies_on_anything(page: Page, tmp_path: Path, seats: int) -> None:
    """As at twice the size on a small screen, or on a phone held sideways."""
    (game,) = simulate_games(1, seats=seats, seed=3)
    file = tmp_path / "game.html"
    file.write_bytes(export_html(game, views=[None]))
    page.goto(f"{file.as_uri()}#t1.2")
    page.wait_for_selector(".felt .seat")
    for size in ((640, 400), (640, 500), (600, 400), (568, 320), (667, 375), (480, 640)):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        assert page.evaluate(LYING) == [], size


def test_each_trick_of_the_list_is_one_line(page: Page, tmp_path: Path) -> None:
    (game,) = simulate_games(1, seats=3, deck="GKRUWDX", seed=1)
    file = tmp_path / "game.html"
    file.write_bytes(export_html(game, views=[None]))
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(f"{file.as_uri()}#end")
    page.wait_for_selector(".tricks li")
    rows = page.evaluate(
        """() => [...document.querySelectorAll(".tricks li")]
          .map((one) => [one.offsetHeight, one.scrollWidth > one.clientWidth])"""
    )
    assert len({height for height, _ in rows}) == 1
    assert not any(wide for _, wide in rows)


def test_a_name_without_a_space_stays_in_its_box(page: Page, tmp_path: Path) -> None:
    (game,) = simulate_games(1, seed=3, tags={"Player1": "W" * 200})
    file = tmp_path / "game.html"
    file.write_bytes(export_html(game, views=[None]))
    for width in (1280, 360):
        page.set_viewport_size({"width": width, "height": 800})
        for moment in ("#start", "#t2", "#end"):
            page.goto("about:blank")
            page.goto(file.as_uri() + moment)
            page.wait_for_selector(".felt")
            assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
            assert page.evaluate(WIDE) == [], (width, moment)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_cards_to_choose_from_are_seen(
    games: tuple[Server, dict[int, str]], page: Page, seats: int
) -> None:
    server, ids = games
    for size in SCREENS:  # the page scrolls to them when it asks
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.goto("about:blank")
        page.goto(f"{server.url}/games/{ids[seats]}#t2")  # the leader may choose
        page.get_by_role("button", name="Guess").click()
        page.wait_for_selector("button.small.may")
        assert page.evaluate(HIDDEN, "button.small.may") == [], size


def test_cards_grow_where_there_is_room(games: tuple[Server, dict[int, str]], page: Page) -> None:
    server, ids = games
    wide = "() => document.querySelector('.at-bottom .hand .small').getBoundingClientRect().width"
    for seats in (2, 3, 4):
        page.goto("about:blank")
        page.goto(f"{server.url}/games/{ids[seats]}")
        found = []
        for width, height in ((1280, 720), (1920, 1080), (2560, 1440)):
            page.set_viewport_size({"width": width, "height": height})
            found.append(page.wait_for_selector(".felt .seat") and page.evaluate(wide))
        assert found[0] >= 40
        assert found[1] > 1.2 * found[0]
        assert found[2] > 1.2 * found[1]


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_card_moves_to_where_it_is_played(
    games: tuple[Server, dict[int, str]], page: Page, motion: str
) -> None:
    server, ids = games
    page.set_viewport_size({"width": 1280, "height": 720})
    page.emulate_media(reduced_motion=motion)
    page.goto("about:blank")
    page.goto(f"{server.url}/games/{ids[2]}")
    page.wait_for_selector(".felt .seat")
    moving = page.evaluate(
        """() => new Promise((done) => {
          const seen = new MutationObserver(() => {
            if (!document.querySelector(".played .face")) return;
            const all = document.getAnimations().filter((one) =>
              one.effect.target.closest(".felt"));
            seen.disconnect();
            done(all.map((one) => [
              one.effect.target.dataset.at.slice(0, 4), one.effect.getTiming().duration]));
          });
          seen.observe(document.body, { childList: true, subtree: true });
          document.querySelector(".act-next").click();
        })"""
    )
    assert (["play", 150] in moving) == (motion == "no-preference")
    assert motion == "no-preference" or moving == []
    page.emulate_media(reduced_motion="no-preference")


def test_a_moment_is_guessed_looked_up_and_passed_on(
    games: tuple[Server, dict[int, str]], page: Page
) -> None:
    """Guessing starts from the seat's own view, shows what others played, and ends with points."""
    server, ids = games
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto("about:blank")
    page.goto(f"{server.url}/games/{ids[2]}/2")
    expect(page.locator("select.views")).to_be_visible()
    page.locator(".others summary").click()
    expect(page.locator(".others tbody tr").first).to_contain_text("%", timeout=60_000)
    page.locator(".act-share").click()
    link = page.get_by_label("Link", exact=True)
    expect(link).to_have_value(f"{server.url}/games/{ids[2]}/2")
    expect(page.get_by_label("The whole game in a code")).to_have_value(re.compile(r"/r/\S+t=2$"))
    drawn = "(all) => all.every((one) => one.complete && one.naturalWidth > 0)"
    wait_until(lambda: page.locator("dialog[open] img").evaluate_all(drawn))
    assert list(findings(page)) == []
    page.keyboard.press("Escape")
    page.locator(".act-guess").click()
    seat = page.locator(".seat.acts .dot").inner_text()
    expect(page.locator("select.views")).to_have_value(seat)
    expect(page.locator(".at-top .hand .back").first).to_be_visible()
    page.locator(".hand button").first.click()
    expect(page.locator(".guessing")).to_contain_text("Others played here", timeout=60_000)
    page.get_by_role("button", name="Next question").click()
    expect(page.locator(".hand button").first).to_be_visible()
    page.locator("body").press("End")
    expect(page.locator(".guessing")).to_contain_text("of 3 points")
    assert list(findings(page)) == []
