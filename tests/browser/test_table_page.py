"""The page at the table in a real browser, on a phone's screen."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import httpx
import pytest
from phones import LONG, Phones, Server, Table, findings
from waiting import wait_until

from claimlog import dumps, read_games
from claimlog.simulate import simulate_games

pytest.importorskip("playwright.sync_api", reason="needs playwright, of claimlog[test-all]")

from playwright.sync_api import expect

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import BrowserContext, Locator, Page, Route

    from claimlog.game import Game

BOUNCE = 350
"""Milliseconds, with some margin, in which a key ignores a second tap."""

_LAST = [""]
"""The card that was tapped last."""


def opened(page: Page, address: str) -> Page:
    """A table's page, with the rules loaded."""
    page.goto(address)
    expect(page.locator("#due")).to_be_visible(timeout=LONG)
    return page


def ready(page: Page) -> Page:
    """Wait until the rules run on the phone, and everything they need is stored there."""
    expect(page.locator("html")).to_have_attribute("data-kept", "all", timeout=LONG)
    page.locator("#menu").tap()
    expect(page.get_by_text("The rules run on this phone.")).to_be_visible(timeout=LONG)
    page.get_by_label("Close").tap()
    return page


def kept(page: Page, here: int, there: int) -> None:
    """Wait until this many entries are stored on the phone and on the server."""
    expect(page.locator("#status")).to_have_text(f"phone {here} · server {there}", timeout=LONG)


def sent(page: Page) -> None:
    """Wait until the server has all of the phone's entries."""
    expect(page.locator(".status.safe")).to_be_visible(timeout=LONG)


def tap(page: Page, *cards: str) -> None:
    """Tap cards, each once the one before is stored."""
    for card in cards:
        before = kept_here(page)
        kept = page.locator("#status", has_text=f"phone {before + 1} ")
        held = page.locator("#held")
        if card == _LAST[0]:
            page.wait_for_timeout(BOUNCE)
        _LAST[0] = card
        page.locator(f'[data-card="{card}"]').tap()
        expect(kept.or_(held)).to_be_visible(timeout=LONG)
        if held.count():  # on a busy machine the finger is lifted late
            page.get_by_label("Close").tap()
            page.locator(f'[data-card="{card}"]').tap()
            expect(kept).to_be_visible(timeout=LONG)


def kept_here(page: Page) -> int:
    match = re.search(r"phone (\d+)", page.locator("#status").inner_text())
    assert match
    return int(match[1])


def play(page: Page, game: Game) -> None:
    """Tap a whole game: cards, picks, Seers' choices, unseen cards."""
    for trick in game.tricks:
        for card in trick.upcards:
            pass_seer(page)
            tap(page, card)
        for play in trick.plays:
            pass_seer(page)
            if trick.auto and play.card is None:
                choose(page, "nobody saw it")
            else:
                tap(page, play.card or "_")
        if trick.looked:
            choose(page, "taken, unseen")
        if trick.pick:
            # A card is stored before it is judged: only then is it known what is due.
            due = page.locator('[data-due="look"], [data-due="pick"]')
            expect(due).to_be_attached(timeout=LONG)
            pass_seer(page)
            choose(page, trick.pick)


def pass_seer(page: Page) -> None:
    """Continue, so that a Seer's card that was not taken counts as left."""
    if page.locator('[data-due="look"]').count():
        choose(page, "not taken")


def choose(page: Page, what: str) -> None:
    before = kept_here(page)
    page.locator(".asked button", has_text=what).first.tap()
    expect(page.locator("#status")).to_contain_text(f"phone {before + 1} ", timeout=LONG)


def record_of(server: Server, game: str) -> str:
    """The record of a game in the archive."""
    form = {"Accept": "text/x-claim"}
    return httpx.get(f"{server.url}/v1/games/{game}", headers=form).text


def cards_of(game: Game) -> list[str]:
    """The cards of a game without choices, as they are tapped."""
    return [
        card for trick in game.tricks for card in (*trick.upcards, *(p.card for p in trick.plays))
    ]


@pytest.fixture(scope="module")
def game() -> Game:
    return next(simulate_games(1, deck="GKUWX", seed=3))


@pytest.fixture
def table(server: Server) -> Table:
    return server.open_table()


def test_a_whole_game_is_tapped_and_becomes_one_of_the_archive(
    phones: Phones, server: Server, game: Game
) -> None:
    table = server.open_table(leader=game.leader)
    page = opened(phones.new(), table.scoring)
    assert "#" not in page.url  # the token stays out of the history
    play(page, game)
    number = len(cards_of(game))
    kept(page, number, number)
    expect(page.locator(".result")).to_have_text(game.result)
    for name in ("Anna Keller", "Ben Roth"):
        page.get_by_role("button", name=f"{name}: that is right").tap()
    page.locator("#undo").tap()  # the last confirmation was a mistake, seen too late
    expect(page.get_by_role("button", name="Hand the game in")).to_have_count(0)
    page.get_by_role("button", name="Ben Roth: that is right").tap()
    # Another server of the archive does not know the table's token.
    page.route(
        "**/v1/games/*/analysis",
        lambda asked: (
            asked.fulfill(status=401)
            if "authorization" in asked.request.headers
            else asked.continue_()
        ),
    )
    page.get_by_role("button", name="Hand the game in").tap()
    expect(page.get_by_text("The game is in the archive.")).to_be_visible()
    answer = table.answer()
    assert answer["state"] == "finished"
    stored = next(read_games(record_of(server, answer["game"])))
    last = [one for one in game.analysis().decisions if one.mark == "??"][-1]
    name = ("Anna Keller", "Ben Roth")[last.seat - 1]
    expect(page.locator(".decided")).to_contain_text(
        f"Trick {last.trick} decided the game: {last.played} by {name} was a mistake; "
        f"better: {', '.join(last.best[:3])}.",
        timeout=60_000,
    )
    assert stored.result == game.result
    assert [(trick.upcards, trick.winner) for trick in stored.tricks] == [
        (trick.upcards, trick.winner) for trick in game.tricks
    ]


def test_a_game_that_seems_to_be_stored_is_asked_about(phones: Phones, server: Server) -> None:
    tags = '[Event "Club night"]\n[Round "1"]\n[Table "7"]\n[Player1'
    first, second = (
        dumps(one).replace('[Event "Simulated"]\n[Player1', tags)
        for one in simulate_games(2, deck="GKUWX", seed=5)
    )
    stored = httpx.post(f"{server.url}/v1/games", json={"record": first}).json()["id"]
    new = httpx.post(f"{server.url}/v1/tables", json={"text": second}, timeout=60).json()
    table = Table(server, new["id"], new["token"])
    phones.expected = "409"
    page = phones.without_rules()
    page.goto(table.scoring)
    for name in ("Greedy 1", "Greedy 2"):
        page.get_by_role("button", name=f"{name}: that is right").tap()
    page.get_by_role("button", name="Hand the game in").tap()
    alert = page.get_by_role("alert").filter(has_text="seems to have this game already")
    expect(alert.get_by_role("link")).to_have_attribute("href", f"/games/{stored}")
    page.get_by_role("button", name="It is another game").tap()
    expect(page.get_by_text("The game is in the archive.")).to_be_visible()
    assert table.answer()["game"] != stored


def test_choices_are_large_buttons_with_four_players(phones: Phones, server: Server) -> None:
    """Picks, Automatons and a Seer: all tricks of Phase 1."""
    names = ["Anna Keller", "Ben Roth", "Clara Meier", "Dan O'Neill"]
    game = next(simulate_games(1, deck="NISTABF", seats=4, seed=5))
    table = server.open_table(deck="NISTABF", players=names, leader=game.leader)
    page = opened(phones.new(), table.scoring)
    game.tricks = game.tricks[:9]
    assert any(trick.auto for trick in game.tricks)
    play(page, game)
    sent(page)
    record = table.answer()["view"]["record"]
    for trick in game.tricks:
        assert f"={trick.pick}" in record


def test_the_page_says_who_won_and_why_and_undoes_to_the_start(
    phones: Phones, table: Table
) -> None:
    page = opened(phones.new(), table.scoring)
    expect(page.locator("#due")).to_have_text("Turn up the next card.")
    tap(page, "U7")
    expect(page.locator("#due")).to_have_text("Anna Keller leads")
    tap(page, "G5", "G8")
    why = page.locator(".why")
    expect(why).to_contain_text("Ben Roth wins with G8: highest card of the faction led (Goblins).")
    expect(why).to_contain_text("Ben Roth won and leads trick 2.")
    expect(page.locator('[data-card="G8"]')).to_have_class(re.compile("spent"))
    page.get_by_role("button", name="Anna drew; seen?").tap()
    tap(page, "W2")
    sent(page)
    assert "/W2" in table.answer()["view"]["record"]
    for number in range(4):
        page.locator("#undo").tap()
        kept(page, 5 + number, 5 + number)
    expect(page.locator("#undo")).to_be_disabled()
    expect(page.locator("#due")).to_have_text("Turn up the next card.")
    page.locator("#redo").tap()
    expect(page.locator("#due")).to_have_text("Anna Keller leads")


def test_a_choice_for_the_loot_is_asked_for(phones: Phones, server: Server) -> None:
    game = next(game for game in simulate_games(200, deck="GKRUW", seed=1) if "Loot" in game.tags)
    chosen = re.match(r"\d=(\w)", game.tags["Loot"])
    assert chosen
    last = game.tricks[-1].plays.pop()
    for name in ("Loot", "Votes"):
        del game.tags[name]
    game.result = game.tags["Result"] = "*"
    answer = httpx.post(f"{server.url}/v1/tables", json={"text": dumps(game)})
    table = Table(server, answer.json()["id"], answer.json()["token"])
    page = opened(phones.new(), table.scoring)
    tap(page, last.card or "_")
    expect(page.locator("#due")).to_contain_text("what does the loot count for?")
    names = {"G": "Goblins", "K": "Knights", "R": "Raccoons", "U": "Undead", "W": "Dwarves"}
    choose(page, names[chosen[1]])
    expect(page.locator(".result")).to_be_visible()


def test_keys_are_large_enough_for_a_thumb(phones: Phones, server: Server) -> None:
    table = server.open_table(deck="MPARV")
    page = opened(phones.without_rules(viewport={"width": 360, "height": 640}), table.scoring)
    small = page.evaluate(
        """[...document.querySelectorAll("button")]
        .map(b => [b.innerText, b.getBoundingClientRect()])
        .filter(([, box]) => box.width && (box.width < 44 || box.height < 44))
        .map(([text, box]) => [text, box.width, box.height])"""
    )
    assert [text for text, *_ in small if "· server" not in text] == []


def test_what_cannot_be_is_asked_about(phones: Phones, table: Table) -> None:
    page = opened(phones.new(), table.scoring)
    tap(page, "U7", "G5", "W8", "X3", "U4", "G9")
    expect(page.locator("#doubt")).to_have_text(
        "Ben Roth did not follow Goblins in trick 1 (with W8), so G9 cannot be in that hand."
    )
    page.locator("#anyway").tap()
    kept(page, 7, 7)
    assert "1. U7: G5+ W8^\n2. X3: U4+ G9" in table.answer()["view"]["record"]
    tap(page, "W1", "W8")
    expect(page.locator("#doubt")).to_have_text("W8 is already out: trick 1, Ben Roth.")
    page.locator("#earlier").tap()
    expect(page.locator(".mode")).to_contain_text("Tap the card that W8 in trick 1 really was.")
    tap(page, "W7")
    sent(page)
    assert "1. U7: G5+ W7^" in table.answer()["view"]["record"]
    tap(page, "W8")
    page.locator("#drop").tap()
    kept(page, 12, 12)
    assert table.answer()["view"]["doubt"] is None


def test_a_long_press_marks_a_play_or_mends_a_card(phones: Phones, table: Table) -> None:
    page = opened(phones.new(), table.scoring)
    tap(page, "U7", "G5")
    # The deck switches to the faction led once it is known and the tap is over; then it stays.
    expect(page.locator(".row.of-G")).to_have_class(re.compile(" led"))
    page.evaluate("new Promise((done) => setTimeout(done, 300))")
    hold(page, "W8")
    page.locator("#irregular").tap()
    hold(page, "G5")
    page.get_by_role("button", name="G5 in trick 1 was another card …").tap()
    tap(page, "G6")
    page.locator("#note").tap()
    page.locator("#note-text").fill("a slip of the hand")
    page.get_by_role("button", name="Keep", exact=True).tap()
    kept(page, 5, 5)
    assert "1. U7: G6+ W8^ {a slip of the hand}" in table.answer()["view"]["record"]


def hold(page: Page, card: str) -> None:
    """Press a key for long."""
    page.locator(f'[data-card="{card}"]').hover(position={"x": 10, "y": 10})
    page.mouse.down()
    expect(page.locator("dialog")).to_be_visible()
    page.mouse.up()


SLOW_CLICKS = """() => {
  const really = setTimeout;
  window.setTimeout = (what, after, ...rest) => really(what, after === 300 ? 1500 : after, ...rest);
}"""
"""Make taps last 1.5 seconds instead of 0.3."""


def test_the_deck_does_not_turn_under_a_finger(phones: Phones, table: Table) -> None:
    """It switches to the faction led once that is known, but not while a key is pressed.

    Nor if somebody has switched it since the card was tapped: another key would be under the
    finger.
    """
    page = opened(phones.without_rules(), table.scoring)
    late: list[Route] = []

    def answered(faction: str) -> None:
        """Let the server's answer through, which tells the page what was led."""
        page.unroute("**/actions?*")
        late.pop().continue_()
        expect(page.locator(f".row.of-{faction}")).to_have_class(re.compile(" led"))

    def led(card: str) -> None:
        """Tap a card whose answer is delayed."""
        page.route("**/actions?*", lambda route: late.append(route))
        tap(page, card)
        wait_until(lambda: page.wait_for_timeout(10) or late)

    tap(page, "U7")
    kept(page, 1, 1)
    led("W5")
    key = page.locator('[data-card="K8"]')
    key.scroll_into_view_if_needed()
    key.hover(position={"x": 10, "y": 10})
    page.mouse.down()
    answered("W")
    expect(page.locator("dialog")).to_be_visible()
    expect(key).to_be_in_viewport(ratio=1)
    page.mouse.up()
    page.get_by_label("Close").tap()
    expect(page.locator('[data-card="W5"]')).to_be_in_viewport(ratio=1)
    # A quick scorer taps the next card before the tap of the last is over.
    page.evaluate(SLOW_CLICKS)
    tap(page, "W9", "X1")
    kept(page, 4, 4)
    led("G5")
    page.locator(".index .of-X").tap()
    # The press of G5 is over, too: this timer starts after that of the page, so it ends later.
    page.evaluate("new Promise((done) => setTimeout(done, 300))")
    answered("G")
    page.evaluate("new Promise(requestAnimationFrame)")
    expect(page.locator('[data-card="X4"]')).to_be_in_viewport(ratio=1)
    assert table.words() == ["U7", "W5", "W9", "X1", "G5"]


def test_the_network_is_lost_and_comes_back(phones: Phones, table: Table, game: Game) -> None:
    page = ready(opened(phones.new(), table.scoring))
    cards = cards_of(game)[:30]
    tap(page, *cards[:10])
    kept(page, 10, 10)
    page.context.set_offline(True)
    tap(page, *cards[10:18])
    kept(page, 18, 10)
    expect(page.locator(".wrong")).to_contain_text("No connection.")
    page.reload()
    kept(page, 18, 10)
    expect(page.locator("#due")).to_be_visible(timeout=LONG)
    tap(page, *cards[18:24])
    page.locator("#undo").tap()
    kept(page, 25, 10)
    # Hours may pass: what is wrong covers the names at most, in each language, not the trick.
    page.set_viewport_size({"width": 360, "height": 640})
    wrong, heading = page.locator(".wrong"), page.locator(".trick h2")
    for language in ("en", "de"):
        page.goto(f"{table.watching}?lang={language}")
        expect(wrong).to_be_visible(timeout=LONG)
        edge, top = wrong.bounding_box(), heading.bounding_box()
        assert edge
        assert top
        assert edge["y"] + edge["height"] <= top["y"] + 1
    page.goto(table.watching)
    page.context.set_offline(False)
    kept(page, 25, 25)
    tap(page, *cards[23:])
    kept(page, 32, 32)
    assert table.words() == [*cards[:24], *cards[23:]]
    record = table.answer()["view"]["record"]
    assert all(card in record for card in cards)


def test_the_browser_is_killed_and_each_entry_is_there_once(
    killed: Callable[[], BrowserContext], server: Server, table: Table, game: Game
) -> None:
    cards = cards_of(game)[:20]
    page = ready(opened(killed().new_page(), table.scoring))
    tap(page, *cards[:6])
    kept(page, 6, 6)
    server.kill()
    tap(page, *cards[6:12])
    page = killed().new_page()
    opened(page, table.watching)
    kept(page, 12, 6)
    tap(page, *cards[12:])
    kept(page, 20, 6)
    server.start()
    kept(page, 20, 20)
    assert table.words() == cards


def test_the_server_is_killed_in_the_middle(phones: Phones, table: Table, game: Game) -> None:
    page = opened(phones.new(), table.scoring)
    cards = cards_of(game)[:24]
    for begin in range(0, 24, 8):
        tap(page, *cards[begin : begin + 4])
        table.server.kill()
        tap(page, *cards[begin + 4 : begin + 8])
        table.server.start()
    kept(page, 24, 24)
    assert table.words() == cards


def test_an_answer_is_lost_and_nothing_counts_twice(
    phones: Phones, table: Table, game: Game
) -> None:
    page = opened(phones.new(), table.scoring)
    lost = 0

    def lose(route: Route) -> None:
        nonlocal lost
        route.fetch()
        lost += 1
        if lost % 2:
            route.abort()
        else:
            route.continue_()

    page.route("**/actions?*", lose)
    cards = cards_of(game)[:12]
    tap(page, *cards)
    kept(page, 12, 12)
    assert lost > 2
    assert table.words() == cards


def test_a_second_phone_is_told_and_may_take_over(phones: Phones, table: Table, game: Game) -> None:
    cards = cards_of(game)
    first = opened(phones.new(), table.scoring)
    tap(first, *cards[:5])
    second = opened(phones.without_rules(), table.scoring)
    banner = second.locator(".banner")
    expect(banner).to_contain_text("scores this table.")
    expect(second.locator("[data-card]")).to_have_count(0)
    tap(first, cards[5])
    expect(second.locator(".why")).to_contain_text("leads trick 3.")
    first.context.set_offline(True)
    tap(first, cards[6])
    banner.get_by_role("button", name="Score here").tap()
    second.locator("dialog").get_by_role("button", name="Score here").tap()
    expect(banner).to_have_count(0)
    kept(second, 6, 6)
    tap(second, cards[6], cards[7])
    kept(second, 8, 8)
    phones.expected = "409 (Conflict)"  # the first phone does not know yet, and asks
    first.context.set_offline(False)
    expect(first.locator(".banner")).to_contain_text("scores this table.", timeout=LONG)
    first.locator(".banner button").tap()
    expect(first.locator(".banner")).to_contain_text("1 entry on this phone has not been sent.")
    expect(first.locator("dialog")).to_contain_text("the other phone has entered the same")
    first.locator("dialog").get_by_role("button", name="Score here").tap()
    kept(first, 8, 8)
    tap(first, cards[8])
    kept(first, 9, 9)
    expect(second.locator(".banner")).to_be_visible()
    assert table.words() == cards[:9]


def test_whoever_looks_on_sees_the_game_and_no_more(
    phones: Phones, table: Table, game: Game
) -> None:
    page = opened(phones.new(), table.scoring)
    watcher = opened(phones.without_rules(), table.watching)
    expect(watcher.locator("footer")).to_contain_text("live")
    expect(watcher.locator("[data-card]")).to_have_count(0)
    tap(page, "U7", "G5", "G8")
    expect(watcher.locator(".why")).to_contain_text("Ben Roth wins with G8")
    page.get_by_role("button", name="Anna drew; seen?").tap()
    tap(page, "W2", "X3")
    expect(watcher.locator("h2")).to_contain_text("Trick 2")
    expect(watcher.get_by_label("Dwarves 2", exact=True)).to_be_attached()
    expect(page.get_by_label("Dwarves 2, already out")).to_be_attached()
    table.server.kill()
    expect(watcher.locator("footer")).to_contain_text("No connection.", timeout=LONG)
    table.server.start()
    tap(page, "K4")
    expect(watcher.get_by_role("img", name="Knights 4", exact=True)).to_be_visible(timeout=LONG)


def test_whoever_may_open_tables_scores_one_that_another_phone_lost(
    phones: Phones, table: Table
) -> None:
    page = opened(phones.without_rules(), table.watching)
    page.get_by_role("button", name="Score this table …").tap()
    begin = page.get_by_role("button", name="Begin")
    page.route("**/tokens", lambda route: route.abort())
    begin.press("Enter")
    expect(page.get_by_role("alert")).to_be_visible()
    expect(begin).to_be_focused()
    page.unroute("**/tokens")
    begin.press("Enter")
    tap(page, "U7", "G5")
    kept(page, 2, 2)
    # The table is abandoned: nobody waits for anything there any more.
    page.context.set_offline(True)
    tap(page, "G8")
    mine = {"Authorization": f"Bearer {table.token}"}
    address = f"{table.server.url}/v1/tables/{table.id}/abandon"
    httpx.post(address, json={"reason": "late"}, headers=mine).raise_for_status()
    phones.expected = "409 (Conflict)"
    page.context.set_offline(False)
    expect(page.locator(".wrong")).to_have_text("The table was abandoned. Only on this phone: G8")
    expect(page.locator("#light")).to_have_text("may close")
    other = phones.without_rules(locale="de-DE")
    other.goto(table.watching)
    expect(other.locator(".banner")).to_have_text("Dieser Tisch wurde abgebrochen.")
    expect(other.locator("#due")).to_have_count(0)


def test_where_the_rules_cannot_run_all_is_recorded_all_the_same(
    phones: Phones, table: Table
) -> None:
    page = opened(phones.without_rules(is_mobile=False), table.scoring)
    context = page.context
    tap(page, "U7", "G5")
    kept(page, 2, 2)
    expect(page.locator("#due")).to_have_text("Ben Roth to play")
    context.set_offline(True)
    tap(page, "G8", "X3")
    expect(page.get_by_text("The rules cannot run here now.")).to_be_visible()
    expect(page.locator(".words")).to_have_text("G8 X3")
    expect(page.locator('[data-card="G8"]')).to_have_class(re.compile("spent"))
    context.set_offline(False)
    kept(page, 4, 4)
    expect(page.locator("#due")).to_have_text("Ben Roth leads")
    assert table.words() == ["U7", "G5", "G8", "X3"]


def test_the_game_leaves_the_phone_as_text_and_as_a_code(phones: Phones, table: Table) -> None:
    page = ready(opened(phones.new(), table.scoring))
    page.context.set_offline(True)
    tap(page, "U7", "G5", "G8")
    page.locator("#menu").tap()
    page.get_by_role("button", name="Text and QR code").tap()
    expect(page.locator("#record")).to_contain_text("1. U7: G5 G8+")
    expect(page.locator(".code img")).to_be_visible()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save as a file").tap()
    assert "1. U7: G5 G8+" in saved.value.path().read_text()
    page.get_by_label("Close").tap()
    expect(page.locator("#menu")).to_be_focused()  # the menu was replaced by another sheet
    page.locator("#menu").tap()
    page.get_by_role("button", name="Link for others").tap()
    expect(page.locator(".address")).to_have_text(table.watching)
    page.get_by_role("button", name="Score", exact=True).tap()
    expect(page.locator(".address")).to_have_text(table.scoring)
    page.context.set_offline(False)


def twice(button: Locator) -> None:
    """Tap a button twice before the page can draw anything."""
    button.evaluate("(button) => { button.click(); button.click(); }")


def test_a_game_ends_before_its_end(phones: Phones, table: Table) -> None:
    page = opened(phones.new(), table.scoring)
    tap(page, "U7", "G5")
    page.locator("#menu").tap()
    page.get_by_role("button", name="End the game early").tap()
    keep = page.get_by_role("button", name="Keep", exact=True)
    expect(keep).to_be_disabled()  # nothing is preselected
    page.get_by_label("Why").select_option("resignation")
    expect(keep).to_be_disabled()
    assert page.get_by_label("Who wins").locator("option").all_inner_texts() == [
        "choose …",
        "Anna Keller",
        "Ben Roth",
    ]
    page.get_by_label("Who wins").select_option(label="Ben Roth")
    twice(keep)
    expect(page.locator(".result")).to_have_text("0-1")
    expect(page.locator(".ending .why")).to_have_text("Ben Roth wins: Anna Keller resigned.")
    kept(page, 3, 3)
    assert table.answer()["view"]["tags"]["Termination"] == "resignation"
    page.locator("#undo").tap()
    expect(page.locator("#due")).to_have_text("Ben Roth to play")


def test_a_game_of_three_ends_early_with_any_result(phones: Phones, server: Server) -> None:
    table = server.open_table(deck="GKABDFS", players=["Anna", "Ben", "Cleo"])
    page = opened(phones.new(), table.scoring)
    page.locator("#menu").tap()
    page.get_by_role("button", name="End the game early").tap()
    page.get_by_label("Why").select_option("time")
    wins = page.get_by_label("Who wins").locator("option")
    alone = ["Anna", "Ben", "Cleo"]
    by_two = ["shared: Anna, Ben", "shared: Anna, Cleo", "shared: Ben, Cleo"]
    assert wins.all_inner_texts()[1:] == [*alone, *by_two, "shared: Anna, Ben, Cleo"]
    page.get_by_label("Who wins").select_option(label="shared: Anna, Ben, Cleo")
    page.get_by_label("Why").select_option("resignation")
    assert wins.all_inner_texts() == ["choose …", *alone, *by_two]
    page.get_by_label("Who wins").select_option(label="shared: Anna, Cleo")
    page.get_by_role("button", name="Keep", exact=True).tap()
    expect(page.locator(".result")).to_have_text("½-0-½")
    expect(page.locator(".ending .why")).to_have_text("Anna and Cleo share the win: Ben resigned.")


def test_a_new_table_is_opened_by_a_form(phones: Phones, server: Server) -> None:
    page = phones.new()
    page.goto(f"{server.url}/tables")
    begin = page.get_by_role("link", name="New table")
    expect(begin).to_be_visible()
    begin.tap()
    page.get_by_label("Seat 1").fill("Anna Keller")
    page.get_by_label("Seat 2").fill("Ben Roth")
    page.get_by_role("button", name="Gnomes & Giants").tap()
    page.get_by_role("button", name="Dwarves").tap()
    page.get_by_role("button", name="Seers").tap()
    page.get_by_label("Who leads trick 1").select_option("2")
    expect(page.get_by_role("button", name="Begin")).to_be_disabled()
    page.get_by_role("button", name="Doppelgangers").tap()
    page.get_by_label("Event").fill("Thursday evening")
    twice(page.get_by_role("button", name="Begin"))
    expect(page.locator(".code img")).to_have_count(2)
    page.locator("#go").tap()
    expect(page.locator("#due")).to_have_text("Turn up the next card.", timeout=LONG)
    expect(page.locator(".bar")).to_contain_text("Thursday evening")
    table = page.url.partition("#")[0].removeprefix(server.url)
    page.goto(f"{server.url}/tables")
    # On this phone, and once on the server.
    expect(page.locator(f'.tables a[href^="{table}"]')).to_have_count(2)
    expect(page.locator(".tables a", has_text="Thursday evening")).to_have_count(2)


def test_the_page_speaks_german(phones: Phones, table: Table) -> None:
    page = phones.new(locale="de-CH")
    opened(page, table.scoring)
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.locator("#due")).to_have_text("Nächste Karte aufdecken.")
    for card in ("U7", "G5", "G8"):
        page.locator(f'[data-card="{card}"]').tap()
    expect(page.locator(".why")).to_contain_text(
        "Ben Roth gewinnt mit G8: höchste Karte der angespielten Fraktion (Kobolde)."
    )
    expect(page.locator("#status")).to_have_text("Handy 3 · Server 3")
    page.locator("#menu").tap()
    page.get_by_role("link", name="English").tap()
    expect(page.locator("#due")).to_have_text("Turn up the next card.", timeout=LONG)


LAID = """() => Promise.allSettled(
    document.getAnimations()
        .filter((one) => one.effect.getComputedTiming().endTime !== Infinity)
        .map((one) => one.finished))"""
"""Wait until the cards are in place: while they fade in, their contrast is low."""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(
    phones: Phones, server: Server, table: Table, scheme: str
) -> None:
    page = phones.without_rules(color_scheme=scheme)
    page.goto(f"{server.url}/tables/new")
    expect(page.get_by_role("button", name="Begin")).to_be_visible()
    assert list(findings(page)) == []
    opened(page, table.scoring)
    tap(page, "U7", "G5", "G8")
    page.evaluate(LAID)
    assert list(findings(page)) == []
    tap(page, "G8")
    expect(page.locator("#doubt")).to_be_visible()
    assert list(findings(page)) == []
    page.locator("#drop").tap()
    page.locator("#menu").tap()
    assert list(findings(page)) == []
    page.get_by_role("button", name="End the game early").tap()
    assert list(findings(page)) == []
    page.get_by_label("Why").select_option("abandoned")
    page.get_by_role("button", name="Keep", exact=True).tap()
    expect(page.locator(".result")).to_be_visible()
    assert list(findings(page)) == []
    opened_to_all = phones.without_rules(color_scheme=scheme)
    opened_to_all.goto(table.watching)
    expect(opened_to_all.locator(".result")).to_be_visible()
    assert list(findings(opened_to_all)) == []
