"""A phone in the hand: raw touches, two phones, small screens, changes of the agreed setup.

The server judges here, because it makes no difference to these tests whether the rules run on the
phone.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from phones import LONG, Phones, Server, Table
from waiting import wait_until

from claimlog.notation.writer import canonical
from claimlog.simulate import simulate_games

pytest.importorskip("playwright.sync_api", reason="needs playwright, of claimlog[test-all]")

from playwright.sync_api import expect

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Page

FOUR = ["Anna Keller", "Ben Roth", "Clara Meier", "Dan O'Neill"]
SMALL = {"width": 360, "height": 640}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tests here; each opens its own tables."""
    server = Server(tmp_path_factory.mktemp("phone"))
    server.start()
    yield server
    server.stop()


def phone(phones: Phones, address: str, **more: Any) -> Page:
    """A phone on which the rules are not loaded."""
    page = phones.without_rules(**more)
    page.goto(address)
    return page


def scoring(phones: Phones, table: Table, **more: Any) -> Page:
    page = phone(phones, table.scoring, **more)
    expect(page.locator("#due").or_(page.locator(".banner")).first).to_be_visible(timeout=LONG)
    return page


def entered(table: Table, *words: str) -> None:
    """Let another device enter words; it scores from then on."""
    number = table.answer()["number"]
    entries = [
        {"id": f"other-{number + place}", "kind": "enter", "word": word}
        for place, word in enumerate(words)
    ]
    answer = httpx.post(
        f"{table.server.url}/v1/tables/{table.id}/actions",
        json={"device": "other", "after": number, "entries": entries, "take_over": True},
        headers={"Authorization": f"Bearer {table.token}"},
    )
    assert answer.status_code == 200, answer.text


def taken_over(page: Page) -> None:
    """Take over a table that another device has scored so far."""
    page.locator(".banner button").tap()
    page.locator("dialog .main").tap()
    expect(page.locator(".banner")).to_have_count(0)


def tap(page: Page, *cards: str) -> None:
    """Tap cards, each once the one before is stored."""
    for card in cards:
        before = page.locator("#status").inner_text()
        page.locator(f'[data-card="{card}"]').tap()
        expect(page.locator("#status")).not_to_have_text(before)


def kept(page: Page, here: int, there: int) -> None:
    wanted = re.compile(f"(phone|Handy) {here} · (s|S)erver {there}")
    expect(page.locator("#status")).to_have_text(wanted)


class Finger:
    """A finger on the screen, by raw touches, which the browser interprets."""

    def __init__(self, page: Page) -> None:
        self.session = page.context.new_cdp_session(page)

    def down(self, x: float, y: float) -> None:
        self._send("touchStart", [{"x": x, "y": y}])

    def up(self) -> None:
        self._send("touchEnd", [])

    def _send(self, kind: str, points: list[dict[str, float]]) -> None:
        self.session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def middle(page: Page, selector: str) -> tuple[float, float]:
    place = page.locator(selector)
    place.scroll_into_view_if_needed()
    box = place.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@pytest.mark.parametrize("seats", [2, pytest.param(4, marks=pytest.mark.slow)])
def test_a_finger_that_is_lifted_after_a_long_press_touches_nothing_below_it(
    phones: Phones, server: Server, seats: int
) -> None:
    """Wherever on the deck the key was: one of the sheet's buttons is now under the finger."""
    table = server.open_table(deck="GKUWX" if seats == 2 else "GKUWXBS", players=FOUR[:seats])
    page = scoring(phones, table)
    upcards = ["U7", "U8"][: 1 if seats == 2 else 2]
    tap(page, *upcards)
    finger = Finger(page)
    under: set[str] = set()
    keys = page.locator("[data-card]")
    for place in range(0, keys.count(), 11):
        key = keys.nth(place)
        key.scroll_into_view_if_needed()
        box = key.bounding_box()
        assert box
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        finger.down(x, y)
        expect(page.locator("#held")).to_be_visible()
        expect(page.locator("dialog.opening")).to_have_count(0)
        under.add(
            page.evaluate(
                "([x, y]) => document.elementFromPoint(x, y).closest('button')?.innerText ?? ''",
                [x, y],
            )
        )
        finger.up()
        expect(page.locator("#held")).to_be_visible()
        page.get_by_label("Close").tap()
        expect(page.locator("dialog")).to_have_count(0)
        kept(page, len(upcards), len(upcards))
    assert any("revoke" in text for text in under), under


def test_after_a_long_press_the_sheet_takes_a_tap_of_its_own(
    phones: Phones, server: Server
) -> None:
    table = server.open_table()
    page = scoring(phones, table)
    tap(page, "U7", "G5")
    # Turned to by hand, this page stays, even if the deck has yet to turn to the faction led.
    page.locator(".index .of-X").tap()
    expect(page.locator(".index .of-X")).to_have_attribute("aria-current", "true")
    finger = Finger(page)
    finger.down(*middle(page, '[data-card="X4"]'))
    expect(page.locator("#held")).to_be_visible()
    finger.up()
    page.locator("#irregular").tap()
    kept(page, 3, 3)
    assert table.words() == ["U7", "G5", "X4^"]


def test_two_quick_taps_on_equal_cards_are_asked_about(phones: Phones, server: Server) -> None:
    table = server.open_table()
    page = scoring(phones, table)
    page.locator('[data-card="G0"]').dblclick()
    expect(page.locator(".bounced")).to_contain_text("G0 was tapped twice in a row: counted once.")
    kept(page, 1, 1)
    page.get_by_role("button", name="Count it twice").tap()
    kept(page, 2, 2)
    expect(page.locator(".bounced")).to_have_count(0)
    assert table.words() == ["G0", "G0"]


# Two phones -----------------------------------------------------------------------------------


def pushed_aside(phones: Phones, table: Table, mine: list[str], theirs: list[str]) -> Page:
    """A phone without a network goes on, another takes over, and the network comes back."""
    page = scoring(phones, table)
    tap(page, "U7", "G5")
    kept(page, 2, 2)
    page.context.set_offline(True)
    tap(page, *mine)
    entered(table, *theirs)
    phones.expected = "409 (Conflict)"
    page.context.set_offline(False)
    expect(page.locator(".banner")).to_contain_text("other scores this table.")
    return page


def test_what_both_phones_have_is_not_added_twice(phones: Phones, server: Server) -> None:
    table = server.open_table()
    page = pushed_aside(phones, table, ["G8", "X3"], ["G8", "X3", "X4"])
    expect(page.locator(".banner")).to_contain_text("2 entries on this phone have not been sent.")
    expect(page.locator("footer")).not_to_contain_text("No connection.")
    page.locator(".banner button").tap()
    sheet = page.locator("dialog")
    expect(sheet).to_contain_text("2 entries waiting here are already on the server")
    expect(sheet.locator(".choices button")).to_have_text(["Score here"])
    sheet.get_by_role("button", name="Score here").tap()
    kept(page, 5, 5)
    assert table.words() == ["U7", "G5", "G8", "X3", "X4"]


def test_what_only_one_phone_has_is_sent_behind_what_both_have(
    phones: Phones, server: Server
) -> None:
    """Also after a reload without the server, which changes nothing that the phone has stored."""
    table = server.open_table()
    page = pushed_aside(phones, table, ["G8", "X3", "X4"], ["G8"])
    expect(page.locator(".banner")).to_be_visible()
    page.route("**/v1/**", lambda route: route.abort())
    page.reload()
    expect(page.locator(".banner")).to_contain_text("3 entries on this phone have not been sent.")
    expect(page.locator("[data-card]")).to_have_count(0)
    # They are not "sent once it is back": somebody has to decide.
    expect(page.locator("footer")).to_contain_text("No connection. This is the last known state.")
    page.locator(".banner button").tap()
    expect(page.locator("dialog")).to_contain_text("No connection")
    page.get_by_label("Close").tap()
    page.unroute("**/v1/**")
    page.locator(".banner button").tap()
    sheet = page.locator("dialog")
    expect(sheet).to_contain_text("2 entries are on this phone only: X3 X4")
    expect(sheet.locator(".choices button").first).to_have_text("Score here, and send them")
    sheet.locator(".choices button").first.tap()
    kept(page, 5, 5)
    assert table.words() == ["U7", "G5", "G8", "X3", "X4"]


def test_what_two_phones_have_differently_is_shown_and_the_server_comes_first(
    phones: Phones, server: Server
) -> None:
    table = server.open_table()
    page = pushed_aside(phones, table, ["G8", "X3"], ["G8", "X4"])
    page.locator(".banner button").tap()
    sheet = page.locator("dialog")
    expect(sheet).to_contain_text("1 entry is on this phone only: X3")
    expect(sheet).to_contain_text("1 entry is on the server instead: X4")
    main = sheet.locator(".choices .main")
    expect(main).to_have_text("Score here, and discard it")
    main.tap()
    kept(page, 4, 4)
    assert table.words() == ["U7", "G5", "G8", "X4"]


def test_a_confirmed_game_is_only_handed_in_also_by_another_phone(
    phones: Phones, server: Server
) -> None:
    """Nothing is offered any more that the table would refuse."""
    table = server.open_table()
    page = scoring(phones, table)
    tap(page, "U7", "G5", "G8")
    page.locator("#menu").tap()
    page.get_by_role("button", name="End the game early").tap()
    page.get_by_label("Why").select_option("time")
    page.get_by_label("Who wins").select_option(label="Ben Roth")
    page.get_by_role("button", name="Keep", exact=True).tap()
    for name in ("Anna Keller", "Ben Roth"):
        page.get_by_role("button", name=f"{name}: that is right").press("Enter")
        expect(page.get_by_text(f"{name} has confirmed")).to_be_focused()
    second = phone(phones, table.watching, locale="de-DE")
    expect(second.locator(".ending .why")).to_have_text("Ben Roth gewinnt: Die Zeit war um.")
    # The scorer's link, in the tab that watches already; the token stays out of the address bar.
    second.evaluate("(link) => { location.href = link; }", table.scoring)
    expect(second.locator(".banner")).to_contain_text("schreibt an diesem Tisch.")
    assert second.url == table.watching
    taken_over(second)
    for button in ("#redo", "#turn", "#note"):
        expect(second.locator(button)).to_be_disabled()
    second.locator("#tricks").tap()
    expect(second.locator("dialog .played li")).to_have_count(1)
    expect(second.locator("dialog .played button")).to_have_count(0)
    second.get_by_label("Schließen").tap()
    second.locator("#menu").tap()
    expect(second.get_by_role("button", name="Text und QR-Code")).to_be_visible()
    expect(second.get_by_role("button", name="Was vereinbart wurde")).to_have_count(0)
    second.keyboard.press("Escape")
    expect(second.locator("#menu")).to_be_focused()
    second.get_by_role("button", name="Spiel abgeben").press("Enter")
    expect(second.get_by_text("Das Spiel ist im Archiv.")).to_be_focused()
    expect(second.locator(".ending .why")).to_have_text("Ben Roth gewinnt: Die Zeit war um.")
    link = second.get_by_role("link", name="Alle Karten, Stich für Stich")
    expect(link).to_have_attribute("href", f"/games/{table.answer()['game']}")


def test_a_key_that_was_meant_for_the_game_answers_no_doubt(phones: Phones, server: Server) -> None:
    """Enter and Space count once the focus was moved; Escape drops nothing that others need."""
    table = server.open_table()
    page = scoring(phones, table)
    tap(page, "U7", "G5", "U7")
    sheet = page.locator("dialog")
    expect(page.locator("#doubt")).to_be_visible()
    page.keyboard.press("Enter")
    page.keyboard.press("Space")
    kept(page, 3, 3)
    page.keyboard.type("g8")
    kept(page, 4, 4)
    expect(sheet).to_contain_text("1 later entry is waiting.")
    expect(page.get_by_label("Close")).to_have_count(0)
    for _ in range(2):  # the browser itself closes a dialog at the second one
        page.keyboard.press("Escape")
    expect(page.locator("#doubt")).to_be_visible()
    page.keyboard.press("Backspace")
    kept(page, 5, 5)
    expect(page.get_by_label("Close")).to_be_visible()
    page.keyboard.press("Escape")
    expect(sheet).to_have_count(0)
    kept(page, 6, 6)
    page.locator("#redo").tap()
    expect(page.locator("#doubt")).to_be_visible()
    page.keyboard.press("ArrowDown")
    expect(page.locator("#drop")).to_be_focused()
    page.keyboard.press("Enter")
    expect(sheet).to_have_count(0)
    kept(page, 8, 8)
    assert table.answer()["view"]["doubt"] is None


# A small screen -------------------------------------------------------------------------------

_HIDDEN = """() => {
  const wanted = [
    ...document.querySelectorAll(".trick .card, .trick h2, .asked .due, .asked button"),
    ...document.querySelectorAll(".foot button, .index button"),
    document.querySelector(".status"),
  ];
  const shown = (box, node) => {
    const inset = 2;
    const points = [[box.left + inset, box.top + inset], [box.right - inset, box.bottom - inset],
      [(box.left + box.right) / 2, (box.top + box.bottom) / 2]];
    return points.every(([x, y]) => {
      const there = document.elementFromPoint(x, y);
      return there && (node.contains(there) || there.contains(node));
    });
  };
  const found = [];
  for (const node of wanted) {
    const box = node.getBoundingClientRect();
    const { left, top, right, bottom } = box;
    const inside = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
    if (!inside || !shown(box, node)) found.push(node.innerText || node.className);
  }
  // Reasons: no line is cut by the edge of their place.
  for (const list of document.querySelectorAll(".trick .why")) {
    const place = list.getBoundingClientRect();
    const range = document.createRange();
    const lines = [...list.children].flatMap((one) => {
      range.selectNodeContents(one.firstChild);
      return [...range.getClientRects()];
    });
    for (const line of lines) {
      const middle = (line.top + line.bottom) / 2;
      if (middle > place.bottom || line.width === 0) continue;
      if (line.bottom > place.bottom + 3) found.push(`cut: ${line.bottom} ${place.bottom}`);
      const there = document.elementFromPoint(line.left + 2, middle);
      if (!list.contains(there)) found.push(`covered: ${there?.className}`);
    }
  }
  return found;
}"""


_DECK = """async () => {
  const found = [];
  const inside = (box) => box.left >= 0 && box.top >= 0 && box.right <= innerWidth + 0.5;
  const look = (node, most) => {
    const box = node.getBoundingClientRect();
    const { width, height } = box;
    const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
    const there = document.elementFromPoint(x, y);
    if (width < 44 || height < 44 || !inside(box) || box.bottom > most + 1 || !node.contains(there))
      found.push(`${node.ariaLabel} ${JSON.stringify(box)}`);
    if (node.scrollWidth > node.clientWidth) found.push(`${node.ariaLabel} is cut`);
  };
  const still = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)));
  const tabs = [...document.querySelectorAll(".index button")];
  const end = document.querySelector("footer").getBoundingClientRect().top;
  for (const tab of tabs.length ? tabs : [null]) {
    tab?.click();
    await still();
    if (tab) look(tab, end);
    const letter = /of-(.)/.exec(tab?.className ?? "")?.[1] ?? "";
    for (const key of document.querySelectorAll(`[data-card^="${letter}"]`)) look(key, end);
  }
  for (const one of document.querySelectorAll(".deck, .page, .board"))
    if (one.scrollHeight > one.clientHeight + 1) found.push(`${one.className} is scrolled`);
  return found;
}"""
"""Keys of the deck that are hidden, cut off or too small for a thumb, on whatever page."""

_SEER = ["T6", "A0", "S1", "S7", "S3", "S2"]
_WAITING = {
    "NISTABF look": ("NISTABF", 4, _SEER, "look"),
    "NISTABF pick": ("NISTABF", 4, [*_SEER, "~_"], "pick"),
    "GKUWXSB pick": ("GKUWXSB", 3, ["U7", "G1", "K5", "K8", "K3"], "pick"),
    "MPRSTUV play": ("MPRSTUV", 4, ["M4", "P1", "M5", "M6"], "play"),
    "MPRUV draw": ("MPRUV", 2, ["U7", "M5", "M6"], "draw"),
    "GKABRST loot": ("GKABRST", 4, [], "loot"),
}
"""Tables at which something is due: deck, players, entered words."""


def waiting(server: Server, deck: str, seats: int, words: list[str], due: str) -> Table:
    """A table at which something is due."""
    if due == "loot":
        games = simulate_games(200, deck=deck, seats=seats, seed=1)
        game = next(game for game in games if "Loot" in game.tags)
        for name in ("Loot", "Votes", "Result"):
            game.tags.pop(name)
        game.result, game.score = "*", None
        game.tags |= {f"Player{seat}": name for seat, name in enumerate(FOUR[:seats], 1)}
        answer = httpx.post(f"{server.url}/v1/tables", json={"text": canonical(game)})
        assert answer.status_code == 201, answer.text
        return Table(server, answer.json()["id"], answer.json()["token"])
    table = server.open_table(deck=deck, players=FOUR[:seats])
    entered(table, *words)
    return table


@pytest.mark.parametrize("case", _WAITING)
def test_nothing_that_is_due_is_hidden_on_a_small_phone(
    phones: Phones, server: Server, case: str
) -> None:
    """Trick, who won and why, question and answers, and the whole deck: without scrolling.

    In both languages; with letters twice as large only the reasons need scrolling.
    """
    table = waiting(server, *_WAITING[case])
    due = _WAITING[case][3]
    for language in ("de-CH", "en-GB"):
        page = scoring(phones, table, viewport=SMALL, locale=language)
        if page.locator(".banner button").count():
            page.locator(".banner button").tap()
            page.locator("dialog .main").tap()
        expect(page.locator(f'[data-due="{due}"]')).to_be_visible()
        expect(page.locator("dialog")).to_have_count(0)
        assert page.evaluate(_HIDDEN) == []
        assert page.evaluate(_DECK) == []
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        expect(page.locator(".whole")).to_have_attribute("style", re.compile(r"60\.8px"))
        assert page.evaluate(_DECK) == []
        expect(page.locator("#due")).to_be_in_viewport(ratio=1)
        for answer in page.locator(".asked button").all():
            expect(answer).to_be_in_viewport(ratio=0.9)
        page.locator(".trick .why").scroll_into_view_if_needed()
        page.context.close()


def test_every_faction_of_a_long_deck_is_one_tap_away_and_the_led_one_is_there(
    phones: Phones, server: Server
) -> None:
    table = server.open_table(deck="NISTABF", players=FOUR)
    page = scoring(phones, table, viewport=SMALL)
    last = page.locator('[data-card="T9"]')
    expect(last).not_to_be_in_viewport()
    page.locator(".index").get_by_role("button", name="Trolls").tap()
    expect(last).to_be_in_viewport(ratio=0.9)
    tap(page, "N1", "I1", "B5")
    expect(page.locator(".row.of-B")).to_have_class(re.compile(" led"))
    page.locator(".index").get_by_role("button", name="Trolls").tap()
    tap(page, "T3")
    expect(page.locator('[data-card="B9"]')).not_to_be_in_viewport()
    page.locator("#undo").tap()  # the second card is due again, usually of the faction led
    page.locator("#undo").tap()
    tap(page, "B6")
    expect(page.locator('[data-card="B9"]')).to_be_in_viewport(ratio=0.9)


@pytest.mark.parametrize(
    ("viewport", "locale"),
    [(SMALL, "en-GB"), (SMALL, "de-DE"), ({"width": 390, "height": 844}, "en-GB")],
)
def test_the_deck_stays_where_it_is_without_a_connection(
    phones: Phones, server: Server, viewport: dict[str, int], locale: str
) -> None:
    """If a card moved, another one would be under the same finger."""
    page = scoring(phones, server.open_table(), viewport=viewport, locale=locale)
    tap(page, "G2")
    kept(page, 1, 1)
    card = page.locator('[data-card="K4"]')
    before = card.bounding_box()
    page.context.set_offline(True)
    tap(page, "G3")
    expect(page.locator(".wrong")).to_contain_text(re.compile("No connection|Keine Verbindung"))
    assert card.bounding_box() == before
    page.context.set_offline(False)
    kept(page, 2, 2)
    expect(page.locator(".wrong")).to_have_count(0)
    assert card.bounding_box() == before


def test_what_nobody_has_judged_yet_does_not_grow_over_the_deck(
    phones: Phones, server: Server
) -> None:
    table = server.open_table()
    page = scoring(phones, table, viewport=SMALL)
    page.context.set_offline(True)
    deck = page.locator(".deck")
    cards = [f"{letter}{value}" for letter in "GKU" for value in range(2, 10)]
    tap(page, *cards[:4])
    expect(page.locator(".unjudged")).to_be_visible()
    before = deck.bounding_box()
    tap(page, *cards[4:])
    expect(page.locator(".words")).to_have_text(f"12 + {' '.join(cards[-12:])}")
    assert deck.bounding_box() == before
    page.context.set_offline(False)


# What is due, what was agreed -----------------------------------------------------------------


def test_a_card_before_the_pick_asks_for_the_pick_and_comes_after_it(
    phones: Phones, server: Server
) -> None:
    table = server.open_table(deck="NISTABF", players=FOUR)
    entered(table, "S6", "A0", "T1", "T7", "T3", "T2")
    page = scoring(phones, table)
    taken_over(page)
    tap(page, "B4")
    expect(page.locator("#doubt")).to_have_text("First: which upcard did Ben Roth take?")
    page.get_by_role("button", name="S6 was picked, then B4").tap()
    expect(page.locator("dialog")).to_have_count(0)
    expect(page.locator("h2").first).to_contain_text("Trick 2")
    record = table.answer()["view"]["record"]
    assert "=S6" in record
    assert "2. B4" in record


def test_what_was_agreed_can_be_mended(phones: Phones, server: Server) -> None:
    table = server.open_table()
    page = scoring(phones, table)
    tap(page, "U7", "G5")
    page.locator("#menu").tap()
    page.get_by_role("button", name="What was agreed").tap()
    page.get_by_label("Seat 2").fill("Bea Roth")
    page.get_by_label("Who leads trick 1").select_option("2")
    page.get_by_label("Round").fill("4")
    page.get_by_label("Who scores").fill("Rita Frei")
    page.get_by_role("button", name="Keep", exact=True).tap()
    expect(page.locator("#due")).to_have_text("Anna Keller to play")
    kept(page, 3, 3)
    tags = table.answer()["view"]["tags"]
    assert (tags["Player2"], tags["Leader"], tags["Round"]) == ("Bea Roth", "2", "4")
    assert tags["Recorder"] == "Rita Frei"
    watching = phone(phones, table.scoring)
    banner = watching.locator(".banner")
    expect(banner).to_contain_text("Rita Frei (", timeout=LONG)
    watching.close()
    page.locator("#undo").tap()  # all of it was one change
    kept(page, 4, 4)
    assert table.answer()["view"]["tags"].get("Recorder") is None
    page.locator("#redo").tap()
    kept(page, 5, 5)
    page.locator("#menu").tap()
    page.get_by_role("button", name="What was agreed").tap()
    sheet = page.locator("dialog")
    sheet.get_by_role("button", name="Undead").tap()
    sheet.get_by_role("button", name="Seers").tap()
    sheet.get_by_role("button", name="Keep", exact=True).tap()
    expect(page.locator("#doubt")).to_contain_text("The record would be wrong")
    expect(sheet.get_by_role("heading", name="This change is not possible")).to_be_visible()
    page.get_by_role("button", name="Leave it as it was").tap()
    expect(page.locator("#due")).to_have_text("Anna Keller to play")


def test_loot_is_asked_for_and_what_was_assumed_is_said_at_the_end(
    phones: Phones, server: Server
) -> None:
    table = server.open_table(deck="GKRUW")
    page = scoring(phones, table)
    tap(page, "U7", "G5")
    page.locator("#menu").tap()
    expect(page.locator("dialog")).to_contain_text("no Raccoon counts twice")
    page.get_by_role("button", name="End the game early").tap()
    page.get_by_label("Why").select_option("abandoned")
    page.get_by_role("button", name="Keep", exact=True).tap()
    expect(page.locator("#assumed")).to_contain_text("no Raccoon counts twice")
    page.locator("#undo").tap()
    page.locator("#menu").tap()
    # The button of the same name at the end is there until the undo is judged.
    page.get_by_role("dialog").get_by_role("button", name="What was agreed").tap()
    page.get_by_role("button", name="R5", exact=True).tap()
    page.get_by_role("button", name="R2", exact=True).tap()
    page.get_by_role("button", name="Keep", exact=True).tap()
    kept(page, 5, 5)
    assert table.answer()["view"]["tags"]["LootCards"] == "R2 R5"


def test_the_tricks_so_far_are_listed_and_a_card_of_one_is_mended(
    phones: Phones, server: Server
) -> None:
    table = server.open_table()
    page = scoring(phones, table)
    tap(page, "U7", "G5", "G8", "X3", "K4", "X5")
    page.locator("#undo").tap()
    kept(page, 7, 7)
    page.locator("#tricks").tap()
    sheet = page.locator("dialog")
    expect(sheet.locator(".played li")).to_have_count(2)
    expect(sheet.locator(".small-card.won")).to_contain_text("G8")
    sheet.locator(".small-card", has_text="G5").tap()
    page.get_by_role("button", name="G5 in trick 1 was another card").tap()
    page.locator(".mode button").tap()
    expect(page.locator("#redo")).to_be_enabled()  # looking did not discard it
    page.locator("#redo").tap()
    kept(page, 8, 8)


def test_a_new_table_takes_nothing_for_agreed(phones: Phones, server: Server) -> None:
    """Classic, loot and the spectators' delay can be chosen; a table is not opened twice."""
    names = {"event": "Bern Open", "round": "1", "table": "7", "deck": "GKURW"}
    there = server.open_table(**names, date=today())
    page = phone(phones, f"{server.url}/tables/new")
    begin = page.get_by_role("button", name="Begin")
    expect(begin).to_be_disabled()
    expect(page.locator("#lacking")).to_contain_text("Who leads trick 1 · Pair · Other factions: 0")
    page.get_by_label("Event").fill("Bern Open")
    page.get_by_label("Round").fill("1")
    page.get_by_label("Table", exact=True).fill("7")
    page.get_by_label("Seat 1").fill("Eva Moser")
    page.get_by_label("Seat 2").fill("Jo Frei")
    page.get_by_role("button", name="Goblins & Knights").tap()
    for faction in ("Undead", "Raccoons", "Dwarves"):
        page.get_by_role("button", name=faction).tap()
    expect(begin).to_be_disabled()
    page.get_by_label("Who leads trick 1").select_option(label="Jo Frei")
    page.get_by_role("button", name="R3", exact=True).tap()
    page.get_by_text("Rules, rulings, spectators").tap()
    page.get_by_label("Where the ten Raccoons").select_option("pile")
    page.get_by_label("Delay for spectators, in tricks").fill("2")
    begin.tap()
    expect(page.locator(".twin")).to_contain_text("Anna Keller – Ben Roth")
    expect(page.locator(".twin a")).to_have_attribute("href", f"/tables/{there.id}")
    page.locator("#another").tap()
    expect(page.locator("#go")).to_be_visible()
    id = (page.locator("#go").get_attribute("href") or "").rsplit("/", 1)[1]
    answer = httpx.get(f"{server.url}/v1/tables/{id}?view=all").json()
    tags = answer["view"]["tags"]
    assert answer["delay"] == 2
    assert answer["view"]["leader"] == 2
    assert tags["LootCards"] == "R3"
    assert tags["Rulings"] == "raccoons=pile"


def today() -> str:
    from datetime import date

    return date.today().isoformat()


def test_names_are_completed_from_the_archive(phones: Phones, server: Server) -> None:
    """ "frei, david" and "ben roth" are players in the archive."""
    record = '[Player1 "Ben Roth"]\n[Player2 "David Frei"]\n[Deck "GKUWX"]\n' + (
        '[Date "2026-01-05"]\n[Event "Basel Cup"]\n[Termination "unrecorded"]\n\n1-0\n'
    )
    answer = httpx.post(
        f"{server.url}/v1/games", content=record, headers={"Content-Type": "text/x-claim"}
    )
    assert answer.status_code == 201, answer.text
    page = phone(phones, f"{server.url}/tables/new")
    first = page.get_by_label("Seat 1")
    begin = page.get_by_role("button", name="Begin")
    place = begin.bounding_box()
    first.fill("frei, david")
    known = page.get_by_role("button", name="As in the archive: David Frei")
    expect(known).to_be_visible()
    assert begin.bounding_box() == place  # nothing moves under a finger
    known.tap()
    expect(first).to_have_value("David Frei")
    expect(page.get_by_text("games in the archive: 1")).to_be_visible()
    expect(page.locator('#player1-known option[value="David Frei"]')).to_be_attached()
    page.get_by_label("Seat 2").fill("Zoe Neu")
    expect(page.get_by_text("new in the archive")).to_be_visible()
    page.get_by_label("Event").fill("basel cup")
    page.get_by_role("button", name="As in the archive: Basel Cup").tap()
    expect(page.get_by_label("Event")).to_have_value("Basel Cup")
    page.get_by_label("Swap seats 1 and 2").tap()
    expect(first).to_have_value("Zoe Neu")
    expect(page.get_by_label("Seat 2")).to_have_value("David Frei")
    page.route("**/v1/**", lambda route: route.abort())  # from the names stored on the phone
    first.fill("Davd Frey")
    expect(known).to_be_visible()
    first.fill("roth ben")
    page.get_by_role("button", name="As in the archive: Ben Roth").tap()
    expect(first).to_have_value("Ben Roth")


# The browser ----------------------------------------------------------------------------------


def test_the_screen_stays_on_while_a_phone_scores(phones: Phones, server: Server) -> None:
    page = phones.without_rules()
    page.add_init_script(
        """window.held = 0;
        window.refused = false;
        const request = async () => {
          if (refused) throw new Error("the battery is low");
          held += 1;
          const release = () => { held -= one.released ? 0 : 1; one.released = true; };
          const one = {released: false, release};
          window.hidden = () => {
            release();
            document.dispatchEvent(new Event("visibilitychange"));
          };
          return one;
        };
        Object.defineProperty(navigator, "wakeLock", {value: {request}});"""
    )
    table = server.open_table()
    page.goto(table.scoring)
    expect(page.locator("#due")).to_be_visible(timeout=LONG)
    wait_until(lambda: page.evaluate("held") == 1)
    # A hidden page has lost it, and requests it again when it is visible.
    for refused, said in ((False, 0), (True, 1), (False, 0)):
        page.evaluate("(refused) => { globalThis.refused = refused; hidden(); }", refused)
        wait_until(lambda held=not refused: page.evaluate("held") == held)
        page.locator("#menu").tap()
        expect(page.locator("#goes-dark")).to_have_count(said)
        page.get_by_label("Close").tap()
    phones.expected = "409 (Conflict)"
    entered(table, "U7")
    expect(page.locator(".banner")).to_be_visible()
    wait_until(lambda: page.evaluate("held") == 0)


def test_the_page_offers_to_be_installed(phones: Phones, server: Server) -> None:
    """In the menu and on the list of tables; once, because a prompt can be used only once."""
    page = scoring(phones, server.open_table())
    install = page.get_by_role("button", name="Install this page")
    # Offered when the menu is there, but not painted yet.
    page.evaluate("""window.prompted = 0; new MutationObserver((_, seen) => {
        if (!document.querySelector("dialog")) return;
        seen.disconnect();
        window.early = !document.querySelector("#install");
        const offer = new Event("beforeinstallprompt", {cancelable: true});
        dispatchEvent(Object.assign(offer, {prompt: () => { prompted += 1; }}));
    }).observe(document.body, {childList: true, subtree: true})""")
    page.locator("#menu").tap()
    install.tap()
    expect(install).to_have_count(0)
    assert page.evaluate("[early, prompted]") == [True, 1]
    page.goto(f"{server.url}/tables")
    expect(page.locator("h1")).to_have_text("Tables")
    page.evaluate("dispatchEvent(new Event('beforeinstallprompt', {cancelable: true}))")
    expect(install).to_be_visible()
    page.evaluate("dispatchEvent(new Event('appinstalled'))")
    expect(install).to_have_count(0)


def test_without_https_the_page_says_what_is_missing(phones: Phones, server: Server) -> None:
    page = phones.without_rules()
    page.add_init_script("Object.defineProperty(window, 'isSecureContext', {value: false})")
    page.goto(server.open_table().scoring)
    expect(page.locator("#due")).to_be_visible(timeout=LONG)
    expect(page.locator(".status")).to_contain_text("no HTTPS")
    expect(page.locator("#light")).to_have_text("safe to close")
    page.locator("#menu").tap()
    expect(page.locator("#not-kept")).to_contain_text("came without HTTPS")
    page.get_by_label("Close").tap()
    page.context.set_offline(True)
    tap(page, "U7")
    expect(page.locator(".wrong")).to_contain_text("do not close or reload it")
    expect(page.locator("#light")).to_have_text("keep it open")
    with page.expect_event("dialog") as asked:
        page.close(run_before_unload=True)
    assert asked.value.type == "beforeunload"
    asked.value.dismiss()
    page.context.set_offline(False)
    kept(page, 1, 1)


def test_tables_are_listed_by_how_far_they_are(phones: Phones, server: Server) -> None:
    server.open_table(players=["Not", "Begun"])
    playing = server.open_table(players=["In", "Play"])
    entered(playing, "U7", "G5", "G8")
    over = server.open_table(players=["All", "Over"])
    entered(over, "U7", "G5")
    end = {"id": "end", "kind": "finish", "result": "1-0", "termination": "resignation"}
    httpx.post(
        f"{server.url}/v1/tables/{over.id}/actions",
        json={"device": "other", "after": 2, "entries": [end]},
        headers={"Authorization": f"Bearer {over.token}"},
    ).raise_for_status()
    page = phone(phones, f"{server.url}/tables")

    def under(heading: str) -> str:
        return page.locator(f'h2:text-is("{heading}") + ul').inner_text()

    expect(page.get_by_text("Not – Begun")).to_be_visible()
    assert "In – Play" in under("Being played")
    assert "All – Over" not in under("Being played")
    assert "Not – Begun" not in under("Being played")
    assert "All – Over" in under("Played, not handed in yet")
    assert "Not – Begun" in under("Nothing entered yet")
