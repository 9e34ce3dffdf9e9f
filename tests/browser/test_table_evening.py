"""Whole evenings at tables of three and four: long names, small screens, what follows a game."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING

import httpx
import pytest
from phones import LONG, Phones, Server, Table, findings
from waiting import wait_until

from claimlog import dumps
from claimlog.link import link_of
from claimlog.simulate import simulate_games

pytest.importorskip("playwright.sync_api", reason="needs playwright, of claimlog[test-all]")

from playwright.sync_api import expect
from test_table_phone import FOUR, SMALL, entered, scoring, taken_over

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playwright.sync_api import Route

LONG_NAMES = [
    "Maximiliane-Friederike von Hohenzollern-Sigmaringen",
    "Ben Roth",
    "\u0da2\u0dba\u0dc0\u0dbb\u0dca\u0db0\u0db1\u0db4\u0dd4\u0dbb\u0dba",
    "Bartholomäus-Konstantin Schwarzenberger-Himmelsbach",
]

BEYOND = """() => [...document.querySelectorAll(".top, .top *")].filter((one) => {
  const { left, right, width } = one.getBoundingClientRect();
  const outside = left < -1 || right > innerWidth + 1;
  return width && (outside || one.scrollWidth > one.clientWidth + 1);
}).map((one) => `${one.tagName} ${one.className} ${one.textContent.slice(0, 40)}`)"""
"""What of the end of a game is cut off at a side of the screen, or of its own box."""


def played_out(server: Server, seats: int, names: Sequence[str]) -> Table:
    """A table of three or four whose last card has been played."""
    game = next(simulate_games(1, deck="MPBFSTX", seats=seats, seed=3))
    game.tags |= {f"Player{seat}": name for seat, name in enumerate(names[:seats], 1)}
    answer = httpx.post(f"{server.url}/v1/tables", json={"text": dumps(game)}, timeout=LONG / 1000)
    assert answer.status_code == 201, answer.text
    return Table(server, answer.json()["id"], answer.json()["token"])


@pytest.mark.parametrize("seats", [3, 4])
def test_the_end_of_a_game_fits_the_screen_however_long_the_names_are(
    phones: Phones, server: Server, seats: int
) -> None:
    """For scorers and spectators, also with letters twice as large."""
    table = played_out(server, seats, LONG_NAMES)
    for address, there in ((table.scoring, ".over .choices button"), (table.watching, ".ending")):
        page = phones.without_rules(viewport=SMALL, locale="de-CH")
        page.goto(address)
        expect(page.locator(there).first).to_be_attached(timeout=LONG)
        assert page.evaluate(BEYOND) == []
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        assert page.evaluate(BEYOND) == []
        heights = [one.bounding_box()["height"] for one in page.locator(".ending th").all()]  # type: ignore[index]
        assert max(heights) < SMALL["height"]


def test_undo_takes_a_mistaken_confirmation_back_but_no_card(
    phones: Phones, server: Server
) -> None:
    table = played_out(server, 3, FOUR)
    record = table.answer()["view"]["record"]
    page = phones.without_rules(viewport=SMALL)
    page.goto(table.scoring)
    sides = page.get_by_role("button", name=re.compile("that is right"))
    for left in (2, 1):
        sides.first.tap()
        expect(sides).to_have_count(left, timeout=LONG)
    for left in (2, 3):
        page.locator("#undo").tap()
        expect(sides).to_have_count(left)
        assert table.answer()["view"]["record"] == record
    page.locator("#undo").tap()
    expect(page.locator("#due")).to_be_visible()


def test_on_a_phone_a_trial_shows_the_cards_to_choose_from(phones: Phones, server: Server) -> None:
    """And right below the table what comes of them; with hands hidden it says why none can be."""
    game = next(simulate_games(1, deck="GKBSU", policy="random", seed=7))
    page = phones.new(viewport=SMALL)
    page.goto(f"{link_of(game, server.url)}#t21.2")
    button = page.locator(".act-try")
    expect(button).to_be_enabled(timeout=LONG)
    button.tap()
    cards = page.locator(".acts .hand button")
    expect(cards.first).to_be_in_viewport(ratio=1)
    cards.first.tap()
    came = page.get_by_role("region", name="Try another card")
    for text in ("You try:", "With best play"):
        expect(came.get_by_text(text)).to_be_in_viewport(ratio=1)
    page.get_by_role("button", name="Back to the game").tap()
    page.locator(".views").select_option("1")
    expect(button).to_be_disabled()
    expect(button).to_have_attribute("title", "To try another card, show all cards (v).")


def test_no_other_card_is_offered_to_try_in_a_game_of_three(phones: Phones, server: Server) -> None:
    game = next(simulate_games(1, deck="MPBFSTX", seats=3, seed=3))
    page = phones.new(viewport=SMALL)
    page.goto(f"{link_of(game, server.url)}#t22.3")
    expect(page.locator(".act-mistake")).to_be_visible(timeout=LONG)
    expect(page.locator(".act-try")).to_have_count(0)


@pytest.mark.parametrize(
    ("players", "words", "drew"),
    [
        (FOUR, ["G5", "K3", "D4", "D9", "X2", "G0", "=K3"], ["Clara Meier", "Dan O'Neill"]),
        (FOUR, ["G5", "K3", "S4", "S9", "X2", "S0", "~_", "=K3"], ["Ben Roth", "Dan O'Neill"]),
        (FOUR[:2], ["S7", "G8", "G5"], ["Ben Roth"]),
    ],
)
def test_a_drawn_card_is_asked_of_those_who_drew(
    phones: Phones, server: Server, players: list[str], words: list[str], drew: list[str]
) -> None:
    """Not of those who took an upcard; a Seer's hidden card counts."""
    table = server.open_table(deck="GKDFSWX" if len(players) > 2 else "GKDSX", players=players)
    entered(table, *words)
    page = scoring(phones, table)
    taken_over(page)
    page.locator("#menu").tap()
    page.get_by_role("button", name="A card that was drawn").tap()
    assert sorted(page.get_by_label("Who drew it").locator("option").all_inner_texts()) == drew
    page.get_by_role("button", name="Tap the card").tap()
    page.locator('[data-card="X0"]').tap()
    wait_until(lambda: "X0" in table.answer()["view"]["record"])
    expect(page.locator("dialog")).to_have_count(0)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_at_a_table_of_four_on_a_small_phone(
    phones: Phones, server: Server, scheme: str
) -> None:
    """Whoever speaks to the phone taps a card by what its key shows."""
    table = server.open_table(deck="GKDFSWX", players=FOUR)
    entered(table, "G5", "K3", "S4", "S9", "X2", "S0")
    page = scoring(phones, table, viewport=SMALL, color_scheme=scheme, locale="de-CH")
    taken_over(page)
    expect(page.get_by_role("button", name="blieb liegen")).to_be_visible()
    expect(page.locator('[data-card="G0"]')).to_have_accessible_name("Kobolde 0, noch 5")
    assert list(findings(page)) == []
    page.locator("#tricks").tap()
    page.get_by_role("button", name="Stich 1 ändern", exact=True).tap()
    assert list(findings(page)) == []


SIDEWAYS = """() => {
  const cards = document.querySelector(".cards");
  const right = Math.max(...[...document.querySelectorAll("main *")]
    .filter((one) => !one.closest(".page"))
    .map((one) => one.getBoundingClientRect().right));
  const { scrollWidth, scrollHeight } = document.scrollingElement;
  return [right, scrollWidth, scrollHeight, cards.scrollWidth - cards.clientWidth];
}"""
"""How far the page at the table goes, and how much of the cards on the table is cut off."""


@pytest.mark.parametrize("screen", [(740, 360), (640, 360), (844, 390)])
def test_a_phone_on_its_side_shows_the_whole_table(
    phones: Phones, server: Server, screen: tuple[int, int]
) -> None:
    """The trick on the left, the deck on the right: for a scorer, and for spectators."""
    width, height = screen
    table = server.open_table(deck="GKDFSWX", players=FOUR)
    entered(table, "G5", "K3", "S4", "S9", "X2", "S0")
    viewport = {"width": width, "height": height}
    page = scoring(phones, table, viewport=viewport)
    taken_over(page)
    watching = phones.without_rules(viewport=viewport)
    watching.goto(table.watching)
    for one in (page, watching):
        expect(one.locator('.deck [aria-label^="Goblins 0"]')).to_be_attached(timeout=LONG)
        right, wide, high, cut = one.evaluate(SIDEWAYS)
        assert right <= width
        assert (wide, high, cut) == (width, height, 0)


def test_a_long_announcement_leaves_room_for_the_table(phones: Phones, server: Server) -> None:
    """Upright, on its side, and with letters twice as large; it is scrolled, also by keys."""
    plan = {"system": "by-hand", "seats": 4, "rounds": 1, "decks": ["GKDFSWX"], "minutes": 50}
    made = httpx.post(f"{server.url}/v1/events", json={"name": "Pizza", "plan": plan})
    at = f"{server.url}/v1/events/{made.json()['event']}"
    for path, body in (
        ("entrants", {"entrants": [{"name": name} for name in FOUR]}),
        ("pair/list", {"text": "1; 2; 3; 4"}),
        ("rounds/1/start", {}),
        ("desk/announce", {"text": "Pizza is ready, but finish your trick first. " * 20}),
    ):
        answer = httpx.post(f"{at}/{path}", json=body)
        assert answer.status_code == 200, answer.text
    (link,) = httpx.post(f"{at}/rounds/1/links", json={}).json()
    table = Table(server, link["id"], link["scorer"].partition("#token=")[2])
    entered(table, "G5", "K3", "S4", "S9", "X2", "S0")
    page = scoring(phones, table, viewport=SMALL)
    taken_over(page)
    hall = page.locator(".hall")
    expect(hall).to_contain_text("Pizza is ready", timeout=LONG)
    expect(hall).to_have_attribute("tabindex", "0")
    answers = page.locator(".asked button")
    for width, height, letters in ((360, 640, 100), (740, 360, 100), (360, 640, 200)):
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(f"document.documentElement.style.fontSize = '{letters}%'")
        expect(page.locator("#undo")).to_be_in_viewport(ratio=1)
        expect(page.locator("[data-card]").first).to_be_in_viewport(ratio=1)
        if letters == 100:
            expect(answers).to_have_count(3)
            for answer in answers.all():
                expect(answer).to_be_in_viewport(ratio=1)
            expect(page.locator(".trick .face").first).to_be_in_viewport(ratio=1)
    assert list(findings(page)) == []


def test_loot_that_was_not_recorded_can_be_said_at_the_end(phones: Phones, server: Server) -> None:
    """Where it is said that no Raccoon counts twice; not once all have confirmed."""
    games = simulate_games(200, deck="GKRUWXS", seats=3, seed=1)
    for game in (game for game in games if "Loot" not in game.tags):
        loot = game.tags.pop("LootCards")
        game.tags.pop("Votes")
        game.tags |= {f"Player{seat}": name for seat, name in enumerate(FOUR[:3], 1)}
        # Only where loot does not change the result can it be left out.
        with suppress(ValueError):
            text = dumps(game)
            break
    body = {"text": text}
    made = httpx.post(f"{server.url}/v1/tables", json=body, timeout=LONG / 1000)
    assert made.status_code == 201, made.text
    table = Table(server, made.json()["id"], made.json()["token"])
    page = phones.without_rules(viewport=SMALL)
    page.goto(table.scoring)
    assumed = page.locator("#assumed")
    expect(assumed).to_contain_text("which Raccoons show loot is not recorded", timeout=LONG)
    page.locator("#agree").tap()
    for card in loot.split():
        page.get_by_role("button", name=card, exact=True).tap()
    page.get_by_role("button", name="Keep", exact=True).tap()
    expect(page.locator("#agree")).to_have_count(0)
    expect(page.locator(".ending")).to_contain_text("Loot: ")
    assert table.answer()["view"]["tags"]["LootCards"] == loot


SPILT = """() => [...document.querySelectorAll(".felt > .seat")].flatMap((seat) => {
  const { left, right } = seat.getBoundingClientRect();
  return [...seat.children].filter((one) => {
    const box = one.getBoundingClientRect();
    return box.left < left || box.right > right;
  }).map((one) => `${seat.className}: ${one.textContent}`);
})"""
"""What a seat at the table does not hold."""


@pytest.fixture(scope="module")
def of_four(server: Server) -> str:
    """The address of a game of four with long names, on the server's own page."""
    game = next(simulate_games(1, deck="MPBFSTX", seats=4, seed=3))
    game.tags |= {f"Player{seat}": name for seat, name in enumerate(LONG_NAMES, 1)}
    answer = httpx.post(f"{server.url}/v1/games", json={"record": dumps(game)})
    assert answer.status_code == 201, answer.text
    return f"{server.url}/games/{answer.json()['id']}"


def test_a_long_name_stays_in_the_seat_of_whoever_is_to_play(phones: Phones, of_four: str) -> None:
    page = phones.new(viewport=SMALL)
    for moment in ("t10.1", "t10.2", "t10.3", "t10.4"):
        page.goto(f"{of_four}#{moment}")
        page.reload()
        expect(page.locator(".felt .seat")).to_have_count(4, timeout=LONG)
        assert page.evaluate(SPILT) == []


def test_a_game_of_four_can_be_read_and_guessed_with_letters_twice_as_large(
    phones: Phones, of_four: str
) -> None:
    """Nothing is beyond the screen; the bar leaves room for the table."""
    page = phones.new(viewport=SMALL)
    page.goto(f"{of_four}#t12.1")
    expect(page.locator(".felt .seat")).to_have_count(4, timeout=LONG)
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    wide = "document.scrollingElement.scrollWidth"
    assert page.evaluate(wide) == SMALL["width"]
    bar = page.locator(".viewer nav").bounding_box()
    assert bar
    assert bar["height"] < SMALL["height"] / 4
    expect(page.locator("select.views option")).to_have_count(6)
    page.locator(".act-guess").tap()
    card = page.locator(".acts .hand button").first
    expect(card).to_be_in_viewport(ratio=1)
    card.tap(timeout=5000)
    expect(page.get_by_role("button", name="Next question")).to_be_visible()
    page.locator(".act-guess").tap()
    page.locator(".act-share").tap()
    box = page.locator("dialog[open]").bounding_box()
    assert box
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= SMALL["width"]
    page.keyboard.press("Escape")
    page.keyboard.press("End")
    expect(page.locator(".verdict").first).to_be_visible()
    assert page.evaluate(wide) == SMALL["width"]


def test_the_desk_fits_a_phone_on_its_side_with_large_letters(
    phones: Phones, server: Server
) -> None:
    """Its lists to choose from have long names."""
    plan = {"system": "rotation", "seats": 4, "rounds": 1, "decks": ["MPBFSTX"]}
    made = httpx.post(f"{server.url}/v1/events", json={"name": "Club night", "plan": plan})
    event = made.json()["event"]
    entrants = {"entrants": [{"name": name} for name in LONG_NAMES]}
    answer = httpx.post(f"{server.url}/v1/events/{event}/entrants", json=entrants)
    assert answer.status_code == 200, answer.text
    page = phones.new(viewport={"width": 740, "height": 360})
    page.goto(f"{server.url}/events/{event}/desk")
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert page.evaluate("document.scrollingElement.scrollWidth") == 740


def test_a_guess_begun_before_the_views_are_there_hides_the_other_hands(
    phones: Phones, of_four: str
) -> None:
    """The page begins with all cards open, and fetches the views of the seats."""
    page = phones.new(viewport=SMALL)
    held: list[Route] = []
    page.route("**/views*", lambda route: held.append(route))
    page.goto(f"{of_four}#t12.1")
    page.locator(".act-guess").tap()
    expect(page.locator("select.views")).to_have_count(0)
    wait_until(lambda: page.wait_for_timeout(10) or held)
    held.pop().continue_()
    expect(page.locator("select.views")).to_have_value(re.compile("[1-4]"), timeout=LONG)
