"""What is shown lies where it can be seen: measured in a browser, at the screens people have."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from phones import Server

from claimlog import dumps
from claimlog.simulate import simulate_games
from claimlog.store import Archive, Filter

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.slow

LAPTOPS = ((1280, 720), (1280, 800), (1366, 768))
PHONE = (390, 844)
NAMES = {f"Player{seat}": f"Bartholomew Longfellow the {seat}th" for seat in range(1, 5)}

OUTSIDE = """() => [...document.querySelectorAll("main :is(a, input, .button)")].filter((one) => {
  const box = one.getBoundingClientRect();
  const inside = (one.closest(".panel, .wide") ?? document.body).getBoundingClientRect();
  return box.width && (box.right > inside.right + 1 || box.left < inside.left - 1);
}).map((one) => one.outerHTML.slice(0, 120))"""
"""The links and fields that lie outside of the card or table that they are in."""

HIDDEN = """(wanted) => {
  const bar = document.querySelector(".viewer nav").getBoundingClientRect().top;
  return [...document.querySelectorAll(wanted)].filter((one) => {
    const box = one.getBoundingClientRect();
    return box.bottom > bar + 1 || box.top < 0 || box.right > innerWidth + 1;
  }).map((one) => `${one.className} ${JSON.stringify(one.getBoundingClientRect())} ${bar}`);
}"""
"""What of a table lies under the bar, or beside the screen."""


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, dict[int, str]]]:
    """A server with games of two, three and four, and one of each."""
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
    """One page for all of them."""
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


@pytest.mark.parametrize("size", [*LAPTOPS, PHONE], ids=str)
def test_all_seats_of_a_table_are_seen_at_once(
    games: tuple[Server, dict[int, str]], page: Page, size: tuple[int, int]
) -> None:
    server, ids = games
    page.set_viewport_size({"width": size[0], "height": size[1]})
    for seats in (3, 4):
        for moment in ("#t1.1", "#t14.1"):
            page.goto("about:blank")
            page.goto(f"{server.url}/games/{ids[seats]}{moment}")
            page.wait_for_selector(".felt")
            assert page.evaluate(HIDDEN, ".viewer .seat") == [], (seats, moment)
        page.goto("about:blank")
        page.goto(f"{server.url}/games/{ids[seats]}#t2")  # who leads may choose
        page.get_by_role("button", name="Guess").click()
        page.wait_for_selector("button.small.may")
        assert page.evaluate(HIDDEN, "button.small.may") == [], seats
