"""A replay in a real browser: the file that needs no server, and the page of a link."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from phones import PHONE, Phones, Server
from waiting import wait_until

from claimlog import read_games
from claimlog.analysis.course import Course
from claimlog.analysis.trial import lines_of
from claimlog.language import words
from claimlog.link import link_of
from claimlog.replay.narration import Narrator
from claimlog.replay.viewpoint import Viewpoint
from claimlog.simulate import simulate_games
from claimlog.web.replay import all_views, export_html
from claimlog.web.worth import worth_data

pytest.importorskip("playwright.sync_api", reason="needs playwright, of claimlog[test-all]")

from playwright.sync_api import expect

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, Page

    from claimlog.game import Game
    from claimlog.replay.viewpoint import Position

HERE = Path(__file__).parent
DATA = HERE.parents[1] / "data"
SMALL: dict[str, Any] = {"viewport": {"width": 360, "height": 640}, "locale": "en-GB"}
DESKTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}, "locale": "en-GB"}

STEPS = """async () => {
  const found = [];
  const labels = (where) =>
    [...document.querySelectorAll(where)].map((one) => one.getAttribute("aria-label"));
  for (let hash = null; hash !== location.hash; ) {
    hash = location.hash;
    found.push({
      hash,
      faces: labels(".played .face"),
      hands: labels(".hand .small"),
      said: [...document.querySelectorAll(".narration p")].map((one) => one.textContent),
      tricks: document.querySelectorAll(".tricks li button:not(.number)").length,
      wide: document.documentElement.scrollWidth - innerWidth,
    });
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
    for (let i = 0; i < 2; i++) await new Promise(requestAnimationFrame);
  }
  return found;
}"""
"""Step through a game key by key and record what is shown at each moment."""

ALL = """() => document.body.innerText + [...document.querySelectorAll("[aria-label], [title]")]
  .map((one) => `${one.getAttribute("aria-label")} ${one.title}`).join(" ")"""
"""All text on a page, both visible and for screen readers."""


@pytest.fixture
def opened(browser: Browser, tmp_path: Path) -> Iterator[Callable[..., Page]]:
    """Open a replay from disk, without any network; nothing may go wrong on it."""
    wrong: list[str] = []
    contexts = []

    def open_file(
        game: Game, hash: str = "", views: Any = None, worth: Any = None, **more: Any
    ) -> Page:
        path = tmp_path / f"replay{len(contexts)}.html"
        path.write_bytes(export_html(game, views=views or all_views(game), worth=worth))
        context = browser.new_context(offline=True, **more)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda said: wrong.append(said.text))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on(
            "request",
            lambda asked: asked.url.startswith(path.as_uri()) or wrong.append(asked.url),
        )
        page.goto(path.as_uri() + hash)
        expect(page.locator(".viewer")).to_be_visible()
        return page

    yield open_file
    for context in contexts:
        context.close()
    assert wrong == []


def said_of(card: str | None, names: dict[str, str]) -> str:
    """A card's name in words."""
    return f"{names[card[0]]} {card[1:]}" if card else "a card face down"


def cards_of(position: Position) -> set[str]:
    """All cards that a position names."""
    return set(re.findall(r'"([A-Z]\d+)"', json.dumps(position.report())))


@pytest.mark.parametrize(("seats", "screen"), [(2, PHONE), (3, SMALL), (3, DESKTOP), (4, PHONE)])
def test_a_game_is_stepped_through_without_a_network(
    opened: Callable[..., Page], seats: int, screen: dict[str, Any]
) -> None:
    """Every moment is shown correctly, without later cards; a seat sees only what it saw."""
    game = next(simulate_games(1, seats=seats, seed=5))
    page = opened(game, **screen)
    viewpoint = Viewpoint(game)
    narrator = Narrator(viewpoint, words())
    names = {letter: narrator.words.faction(letter) for letter in game.deck}
    shown = page.evaluate(STEPS)
    moments = [
        viewpoint.at(trick, played)
        for trick in range(1, viewpoint.last + 1)
        for played in range(viewpoint.plays(trick) + 1)
    ]
    assert len(shown) == len(moments) + 1
    assert [shown[0]["hash"], shown[-1]["hash"]] == ["", "#end"]
    so_far = 0
    for one, position in zip(shown[:-1], moments, strict=True):
        played = f".{position.played}" if position.played else ""
        assert one["hash"] == ("" if one is shown[0] else f"#t{position.trick}{played}")
        assert sorted(face.removesuffix(", wins") for face in one["faces"]) == sorted(
            f"{narrator.names[play.seat]}: {said_of(play.card, names)}" for play in position.plays
        )
        assert sorted(one["hands"]) == sorted(
            said_of(card, names) for player in position.players for card in player.hand
        )
        assert one["said"][: len(position.why)] == narrator.reasons(position.why)
        so_far += bool(position.played)
        assert one["tricks"] == so_far
        assert one["wide"] <= 0
    expect(page.locator(".verdict").first).to_have_text(narrator.verdict(viewpoint.ending())[0])

    # The page contains nothing that a seat could not see, neither visibly nor for screen readers.
    for view in (0, seats):
        page.evaluate("(hash) => { location.hash = hash }", f"t4.1&seat={view or 'spectator'}")
        expect(page.locator(".seat")).to_have_count(seats)
        expect(page.locator("h2").first).to_contain_text("Trick 4 of")
        expect(page.locator(".hand .back").first).to_be_visible()
        all_said = page.evaluate(ALL)
        hidden = cards_of(viewpoint.at(4, 1)) - {
            card
            for trick in range(1, 5)
            for card in cards_of(Viewpoint(game, view).at(trick, 1 if trick == 4 else None))
        }
        assert hidden
        for card in hidden:
            assert not re.search(rf"\b{said_of(card, names)}\b|\b{card}\b", all_said), card
    nearest = page.locator(".seat.at-bottom .name")
    expect(nearest).to_have_text(narrator.names[seats])


def test_the_page_of_a_link_on_a_desktop(phones: Phones, server: Server) -> None:
    """Deep link, keys, slider, list, guessing, view, languages, light and dark, printing."""
    game = next(read_games(DATA / "sample.clm"))
    page = phones.listened(phones.browser.new_context(**DESKTOP).new_page())
    phones.contexts.append(page.context)
    address = link_of(game, server.url)
    page.goto(f"{server.url}/health")
    page.goto(f"{address}#t7.1&seat=1")
    where, played = page.locator("h2").first, page.locator(".played .face")
    expect(where).to_contain_text("Trick 7 of 26")
    expect(page.locator("h1").first).to_contain_text("Club evening")
    expect(page.locator("select.views")).to_have_value("1")
    expect(played).to_have_count(1)
    expect(page.locator(".at-top .hand .back")).to_have_count(7)

    def ends(hash: str) -> None:
        expect(page).to_have_url(re.compile(f"{re.escape(hash)}$"))

    for key, hash in (
        ("l", "#t7.2&seat=1"), ("j", "#t8.2&seat=1"), ("k", "#t7.2&seat=1"), ("h", "#t7.1&seat=1"),
        ("v", "#t7.1&seat=2"), ("v", "#t7.1"), ("End", "#end"), ("ArrowLeft", "#t26.2"),
    ):  # fmt: skip
        page.keyboard.press(key)
        ends(hash)
    page.keyboard.press("g")
    page.keyboard.type("17")
    page.keyboard.press("Enter")
    ends("#t17")
    page.get_by_label("Trick 3", exact=True).click()
    ends("#t3")
    page.locator(".tricks li").nth(1).locator("button").nth(2).click()
    ends("#t2.2")
    slider = page.get_by_label("Position in the game").and_(page.locator("input"))
    slider.fill("22")
    ends("#t8")
    slider.press("ArrowRight")
    ends("#t8.1")
    axe(page)
    bottom = page.locator(".at-bottom .name")
    expect(bottom).to_have_text("Anna Keller")
    page.locator("body").press("f")
    expect(bottom).to_have_text("Ben Roth")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("previous and next play")
    page.keyboard.press("Escape")

    # A fragment that names a place on the page is not a moment of the game.
    page.evaluate(
        """() => new Promise((done) => {
          const drawn = () => requestAnimationFrame(() => requestAnimationFrame(done));
          addEventListener("hashchange", drawn, { once: true });
          location.replace("#main");
        })"""
    )
    expect(where).to_contain_text("Trick 8 of 26")

    # Guessing from the view of the seat to play: choose a legal card, then see the card played and
    # the number of right guesses.
    page.evaluate("() => location.replace('#t7.1')")
    ends("#t7.1")
    page.keyboard.press("x")
    expect(page.locator(".guessing")).to_contain_text("Which card does Ben Roth play?")
    choices = page.locator(".hand button")
    expect(choices).to_have_count(4)
    page.get_by_role("button", name="Doppelgangers 5", exact=True).first.click()
    ends("#t7.2&seat=2")
    expect(page.locator(".guessing")).to_contain_text("You chose X5; X2 was played.")
    expect(page.locator(".guessing")).to_contain_text("0 of 1 right.")
    page.keyboard.press("ArrowRight")
    ends("#t8&seat=2")
    page.keyboard.press("ArrowRight")
    ends("#t8.1&seat=2")
    page.keyboard.press("1")
    ends("#t8.2&seat=2")
    expect(page.locator(".guessing .score")).to_contain_text("of 2 right")
    axe(page)
    # Afterwards all hands are open again, unless the reader chose another view meanwhile.
    page.keyboard.press("Escape")
    ends("#t8.2")
    expect(page.locator(".guessing")).to_have_count(0)
    for key, running in (("a", "true"), ("Escape", "false")):
        page.keyboard.press(key)
        expect(page.locator(".act-auto")).to_have_attribute("aria-pressed", running)
    slider.fill("24")
    other = "&seat=spectator"
    for keys, view in (("xx", ""), ("xvvvx", other), ("xx", other), ("vvv", "")):
        for key in keys:
            page.keyboard.press(key)
        ends(f"#t8.2{view}")

    page.get_by_role("button", name="Deutsch").click()
    expect(where).to_contain_text("Stich 8 von 26")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    background = "() => getComputedStyle(document.querySelector('.viewer')).backgroundColor"
    light = page.evaluate(background)
    page.locator(".act-theme").click()
    wait_until(lambda: page.evaluate(background) != light)
    axe(page)
    page.keyboard.press("End")
    expect(page.locator(".ending table")).to_contain_text("Doppelgänger")
    axe(page)
    page.keyboard.press("Home")
    expect(page.locator(".cover")).to_be_visible()
    axe(page)

    page.emulate_media(media="print")
    expect(page.locator(".viewer")).to_be_hidden()
    expect(page.locator(".record:visible tbody tr")).to_have_count(26 + 5)
    page.emulate_media(media="screen")

    # Going back leaves the page, however many moments were visited.
    page.go_back()
    expect(page).to_have_url(f"{server.url}/health")

    for form, begin in (("application/json", '{"tags"'), ("text/plain", "[CLM"), (None, "<!doc")):
        answer = httpx.get(address, headers={"Accept": form} if form else {})
        assert answer.status_code == 200
        assert answer.text.startswith(begin)
        assert "max-age=86400" in answer.headers["cache-control"]
    mistyped = httpx.get(f"{server.url}/r/AAAAAAAAAAAAAAAA", headers={"Accept": "text/html"})
    assert mistyped.status_code == 404
    assert "mistyped, cut off or from a newer claimlog" in mistyped.text


def test_on_a_phone_it_is_swiped_and_plays_by_itself(
    opened: Callable[..., Page], tmp_path: Path
) -> None:
    """Also in a frame of another page, and without scripts as tables."""
    game = next(simulate_games(1, seats=4, seed=5))
    page = opened(game, "#t1", views=[None], **PHONE | {"viewport": {"width": 360, "height": 640}})
    swipe = """(right) => {
      const stage = document.querySelector(".stage");
      const touch = (x) => new Touch({ identifier: 1, target: stage, clientX: x, clientY: 300 });
      stage.dispatchEvent(new TouchEvent("touchstart", { touches: [touch(180)], bubbles: true }));
      stage.dispatchEvent(
        new TouchEvent("touchend", { changedTouches: [touch(180 + right)], bubbles: true }));
    }"""
    page.evaluate(swipe, -90)
    expect(page).to_have_url(re.compile("#t1.1$"))
    page.evaluate(swipe, 90)
    expect(page).to_have_url(re.compile("html$"))
    page.locator(".centre").tap()
    expect(page).to_have_url(re.compile("#t1.1$"))
    expect(page.locator("select.views")).to_have_count(0)
    small = page.evaluate(
        """[...document.querySelectorAll("nav button, .tools button")]
        .map((one) => one.getBoundingClientRect()).filter((box) => box.height < 43)"""
    )
    assert small == []
    page.set_viewport_size({"width": 360, "height": 480})
    page.locator("body").press("?")
    expect(page.get_by_role("heading", name="Keys")).to_be_in_viewport(ratio=1)
    page.keyboard.press("Escape")
    page.set_viewport_size({"width": 360, "height": 640})
    page.evaluate("() => { location.hash = 't18.2' }")
    page.locator(".act-auto").tap()
    expect(page.locator(".ending")).to_be_visible()

    path = page.url.partition("#")[0]
    other = tmp_path / "other.html"
    other.write_text(f'<iframe src="{path}#t3" width="700" height="500"></iframe>')
    framing = page.context.new_page()
    framing.goto(other.as_uri())
    expect(framing.frame_locator("iframe").locator("h2").first).to_contain_text("Trick 3")

    plain = page.context.browser.new_context(java_script_enabled=False)
    try:
        still = plain.new_page()
        still.goto(path)
        assert "Trick" not in still.locator(".record:visible").inner_text()
        expect(still.locator(".record:visible tbody tr")).to_have_count(18 + len(game.deck))
    finally:
        plain.close()


@pytest.mark.parametrize("screen", [DESKTOP, PHONE])
def test_what_cards_were_worth_is_seen_on_keys(
    opened: Callable[..., Page], screen: dict[str, Any]
) -> None:
    """By default only who is winning; on keys the next mistake, and what each card is worth."""
    game = next(simulate_games(1, deck="GKBSU", policy="random", seed=7))
    analysis = game.analysis()
    page = opened(
        game,
        "#t13.2",
        worth=worth_data(
            game, analysis.report(1), views=all_views(game), lines=lines_of(game, analysis)
        ),
        **screen,
    )
    panel, bars = page.locator(".worth"), page.locator(".strip .best rect")
    expect(panel).to_have_count(0)
    for mistake in analysis.costly:
        page.locator("body").press("m")
        expect(panel.locator("p.bad")).to_contain_text(f"{mistake.played} {mistake.mark}")
        better = f"Better: {', '.join(mistake.best)}."
        expect(panel.locator("p.bad")).to_contain_text(better)
        # A screen reader says so, too.
        expect(page.locator("p.sr[role=status]")).to_contain_text(better)
    trick, played = max(Course(game, 14, analysis.decisions).costly)
    expect(bars).to_have_count((trick - 14) * 2 + played)
    axe(page)
    page.locator("body").press("ArrowLeft")
    expect(page.locator(".hand .value")).to_have_count(0)
    page.locator("body").press("w")
    expect(bars).to_have_count(26)
    assert page.locator(".acts .hand .may").evaluate_all(
        "(all) => all.map((one) => [one.querySelector('b').textContent,"
        " one.querySelector('i').textContent])"
    ) == [
        [one.card, "{}-{}".format(*one.value.at_least.factions)]
        for one in analysis.costly[-1].cards
    ]
    # The alternatives, as far as a file has them.
    page.locator("body").press("t")
    expect(panel.locator(".lines li")).to_have_count(len(analysis.costly[-1].cards) + 1)
    page.locator("body").press("t")
    axe(page)
    # While guessing, they appear only after the guess.
    page.locator("body").press("x")
    expect(page.locator(".guessing")).to_be_visible()
    expect(page.locator(".hand .value")).to_have_count(0)
    expect(bars).to_have_count((trick - 14) * 2 + played - 1)
    page.locator("body").press("1")
    expect(panel.locator(".values")).to_contain_text(analysis.costly[-1].played)
    page.locator("body").press("x")
    for view, number in (("1", 26), ("spectator", 0)):
        page.evaluate("(hash) => { location.hash = hash }", f"t{trick}.{played}&seat={view}")
        expect(page.locator("select.views")).to_have_value(view)
        expect(bars).to_have_count(number)
    expect(panel).to_contain_text("not all hands are known")
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0


def test_another_card_is_tried_at_a_server(phones: Phones, server: Server) -> None:
    """A card leads to a separate game, followed by best play; then back to the game."""
    game = next(simulate_games(1, deck="GKBSU", policy="random", seed=7))
    page = phones.listened(phones.browser.new_context(**DESKTOP).new_page())
    phones.contexts.append(page.context)
    page.goto(f"{link_of(game, server.url)}#t21.2")
    panel, where = page.locator(".worth"), page.locator("h2").first
    expect(page.locator(".strip .best")).to_be_visible()
    page.keyboard.press("w")
    page.keyboard.press("t")
    # After a trick, the next one can be played differently.
    expect(where).to_contain_text("Trick 22 of 26")
    expect(panel).to_contain_text("The game ended 1-0, 4-1.")
    page.locator(".acts .hand button", has_text="B4").click()
    expect(page.locator(".played .face")).to_have_count(1)
    expect(panel).to_contain_text("Best play wins for Random 1, 3-2.")
    expect(panel.locator(".values")).to_contain_text("S8 1-4")
    axe(page)
    page.locator(".acts .hand button", has_text="S8").click()
    expect(panel).to_contain_text("Best play wins for Random 2, 4-1.")
    # On with best play to the end, and back to where another card is chosen.
    page.keyboard.press("End")
    expect(page.locator(".verdict").first).to_contain_text("Random 2")
    page.keyboard.press("Home")
    expect(where).to_contain_text("Trick 22 of 26")
    expect(page.locator(".played .face")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(page).to_have_url(re.compile("#t21.2$"))
    page.keyboard.press("End")
    expect(page.locator(".verdict").first).to_contain_text("Random 1")


def axe(page: Page) -> None:
    """Check that axe-core has no serious findings."""
    script = gzip.decompress((HERE / "axe.min.js.gz").read_bytes()).decode()
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(script)
    violations = page.evaluate("async () => (await axe.run()).violations")
    serious = [
        (one["id"], [node["html"][:200] for node in one["nodes"]][:3], one["help"])
        for one in violations
        if one["impact"] in ("serious", "critical")
    ]
    assert serious == []
