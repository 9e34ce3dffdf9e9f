"""Changes of earlier tricks on a phone, doubts left to the director, typed cards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import httpx
import pytest
from phones import LONG, Phones, Server, Table

pytest.importorskip("playwright.sync_api", reason="needs playwright, of claimlog[test-all]")

from playwright.sync_api import expect

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.slow

WORDS = ("U7", "G5", "G8", "X3", "K4", "K2", "U1", "W5")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("tricks"))
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="module")
def page(browser: Browser, server: Server) -> Iterator[Page]:
    """One phone for all tests, which loads the rules once."""
    phones = Phones(browser, server)
    yield phones.new(viewport={"width": 360, "height": 640})
    for context in phones.contexts:
        context.close()
    assert phones.wrong == []


def table(server: Server, *words: str, **agreed: Any) -> Table:
    """A table with some entered words, by the phone that will score it."""
    made = server.open_table(**agreed)
    post(made, 0, *({"id": f"w{n}", "kind": "enter", "word": w} for n, w in enumerate(words)))
    return made


def post(made: Table, after: int, *entries: dict[str, Any]) -> None:
    """Let another device add entries."""
    answer = httpx.post(
        f"{made.server.url}/v1/tables/{made.id}/actions",
        json={"device": "other", "after": after, "entries": entries},
        headers={"Authorization": f"Bearer {made.token}"},
    )
    assert answer.status_code == 200, answer.text


def scoring(page: Page, made: Table) -> Page:
    """Let the phone score, and the rules run on it."""
    page.goto(made.scoring)
    page.locator(".banner button").tap(timeout=LONG)
    page.locator("dialog .main").tap()
    expect(page.locator(".banner")).to_have_count(0)
    page.locator("#menu").tap()
    expect(page.get_by_text("The rules run on this phone.")).to_be_visible(timeout=LONG)
    page.get_by_label("Close").tap()
    expect(page.locator("dialog")).to_have_count(0)
    return page


def kept(page: Page, number: int) -> None:
    text = f"phone {number} · server {number}"
    expect(page.locator("#status")).to_have_text(text, timeout=LONG)


def lines(made: Table) -> list[str]:
    record: str = made.answer()["view"]["record"]
    return record.split("\n\n", 1)[1].splitlines()


def test_the_heading_of_a_trick_is_words_apart(page: Page, server: Server) -> None:
    page.goto(table(server, "U7", "A5", "A4", "W2", "W3", "G1", deck="GKAUW").watching)
    heading = "Trick 2 of 26 Phase 1 won by an Automaton"
    expect(page.locator(".trick h2")).to_have_text(heading, timeout=LONG)


def test_a_trick_is_changed_seen_taken_and_undone(page: Page, server: Server) -> None:
    made = table(server, *WORDS)
    before = lines(made)
    scoring(page, made)
    page.locator("#tricks").tap()
    sheet = page.locator("dialog")
    sheet.get_by_label("Change trick 2").tap()
    sheet.get_by_role("button", name="A trick is missing before").tap()
    for card in ("X9", "U6", "U3"):
        page.locator(f'[data-card="{card}"]').tap()
    expect(sheet.locator(".changes")).to_contain_text("1 trick changes.")
    expect(sheet.locator(".played li")).to_have_count(4)
    sheet.locator(".small-card", has_text="G8").tap()
    sheet.get_by_role("button", name="G8 in trick 1 was another card").tap()
    page.locator('[data-card="G3"]').tap()
    expect(sheet.locator(".changes")).to_contain_text("4 tricks change.")
    sheet.get_by_role("button", name="Undo the last change").tap()
    expect(sheet.locator(".changes")).to_contain_text("1 trick changes.")
    assert lines(made) == before
    sheet.locator("#take").tap()
    kept(page, 9)
    assert lines(made)[:4] == ["1. U7: G5 G8+", "2. X9: U6+ U3", "3. X3: K4+ K2", "4. U1: W5"]
    page.locator("#undo").tap()
    kept(page, 10)
    assert lines(made) == before
    page.locator("#turn").tap()  # only the lead of trick 3: who led follows from trick 2
    expect(sheet).to_be_visible()
    sheet.get_by_label("Change trick 2").tap()
    sheet.get_by_role("button", name="Wrong player").tap()
    expect(sheet.locator(".small-card.won").first).to_contain_text("Anna")
    sheet.get_by_role("button", name="Discard the changes").tap()
    page.get_by_label("Close").tap()
    page.locator("#undo").tap()
    kept(page, 11)
    page.locator("#undo").tap()
    kept(page, 12)
    page.locator("#turn").tap()
    kept(page, 13)
    assert lines(made)[1] == "2. X3: K2 K4+"


def test_who_took_which_card_is_changed_in_an_earlier_trick(page: Page, server: Server) -> None:
    """The other upcard was picked, and a Seer took the hidden card after all."""
    three = ["Anna Keller", "Ben Roth", "Clara Meier"]
    words = ["U7", "U6", "G5", "G8", "K2", "=U7", "X3", "X4", "S1", "S2", "S3", "=X3", "G1", "G2"]
    made = table(server, *words, deck="GKDFSUX", players=three)
    scoring(page, made)
    page.locator("#tricks").tap()
    page.get_by_role("button", name="Change trick 1", exact=True).tap()
    expect(page.locator("#other-look")).to_have_count(0)
    page.get_by_role("button", name="Clara took U6, Ben took U7").tap()
    page.get_by_role("button", name="Change trick 2", exact=True).tap()
    page.get_by_role("button", name="Ben took the hidden card").tap()
    expect(page.locator(".played .changed")).to_have_count(2)
    page.get_by_role("button", name="Change trick 2", exact=True).tap()
    expect(page.get_by_role("button", name="Ben left the hidden card")).to_be_visible()
    page.locator("#take").tap()
    kept(page, len(words) + 1)
    assert lines(made)[:2] == ["1. U7,U6: G5 G8 K2+ =U6", "2. X3,X4: S1 S2 S3+ ~_ =X3"]
    page.locator("#undo").tap()
    kept(page, len(words) + 2)
    assert lines(made)[:2] == ["1. U7,U6: G5 G8 K2+ =U7", "2. X3,X4: S1 S2 S3+ =X3"]


def test_what_follows_and_cannot_be_is_shown_before_it_is_taken(page: Page, server: Server) -> None:
    made = table(server, *WORDS)
    scoring(page, made)
    page.locator("#tricks").tap()
    sheet = page.locator("dialog")
    sheet.locator(".small-card", has_text="G8").tap()
    sheet.get_by_role("button", name="G8 in trick 1 was another card").tap()
    page.locator('[data-card="U1"]').tap()
    expect(sheet.locator(".changes")).to_contain_text("U1 is already out: trick 1, Ben Roth.")
    expect(sheet.locator(".changes")).to_contain_text("could not continue in trick 3")
    sheet.get_by_role("button", name="Apply up to there").tap()
    kept(page, 9)
    assert lines(made) == ["1. U7: G5+ U1", "2. X3: K4+ K2", "*"]
    page.locator('[data-card="U2"]').tap()
    kept(page, 10)
    page.locator("#redo").tap()
    expect(page.locator("#doubt")).to_have_text("U1 is already out: trick 1, Ben Roth.")
    page.locator("#drop").tap()
    kept(page, 12)
    page.locator("#redo").tap()
    kept(page, 13)
    assert lines(made)[2] == "3. U2: W5"


def test_a_doubt_is_left_to_the_director_and_cards_are_typed_on(page: Page, server: Server) -> None:
    made = table(server, "U7", "G5", "W8", "X3", "U4")
    scoring(page, made)
    page.keyboard.type("g9")
    expect(page.locator("#doubt")).to_contain_text("did not follow Goblins in trick 1")
    page.keyboard.type("x5")  # waits: card keys do not answer the question
    kept(page, 7)
    expect(page.locator("dialog")).to_contain_text("1 later entry is waiting.")
    page.locator("#later").tap()
    expect(page.locator("dialog")).to_have_count(0)
    kept(page, 8)
    assert lines(made) == ["1. U7: G5+ W8^ {[%director]}", "2. X3: U4+ G9", "3. X5:", "*"]
    page.keyboard.type("x3")  # already played: nothing explains that, and it waits
    expect(page.locator("#doubt")).to_contain_text("X3 is already out")
    page.locator("#later").tap()
    page.keyboard.type("k4")
    expect(page.locator(".later")).to_contain_text("K4")
    kept(page, 11)
    page.locator("#menu").tap()
    page.get_by_role("button", name="For the director (2)").tap()
    sheet = page.locator("dialog")
    expect(sheet).to_contain_text("Trick 1: W8 of Ben Roth.")
    sheet.get_by_role("button", name="Decide now").tap()
    page.locator("#instead").tap()
    page.keyboard.type("k3")
    kept(page, 12)
    assert lines(made)[2] == "3. X5: K3 K4+"
    page.locator("#menu").tap()
    page.get_by_role("button", name="For the director (1)").tap()
    sheet.get_by_role("button", name="It stands").tap()
    kept(page, 13)
    assert lines(made)[0] == "1. U7: G5+ W8^"


def resign(page: Page) -> None:
    """End the game early, as Anna Keller gives up."""
    page.locator("#menu").tap()
    page.get_by_role("button", name="End the game early").tap()
    page.get_by_label("Why").select_option("resignation")
    page.get_by_label("Who wins").select_option(label="Ben Roth")
    page.get_by_role("button", name="Keep", exact=True).tap()


def test_whoever_confirms_a_result_sees_what_is_left_to_the_director(
    page: Page, server: Server
) -> None:
    made = table(server, "U7", "G5", "W8", "X3", "U4")
    scoring(page, made)
    page.keyboard.type("g9")
    page.locator("#later").tap()
    kept(page, 7)
    resign(page)
    kept(page, 8)
    left = page.locator(".over #undecided")
    expect(left).to_contain_text("1 play is left to the director and not decided yet")
    page.locator(".over").get_by_role("button", name="For the director (1)").tap()
    page.locator("dialog").get_by_role("button", name="It stands").tap()
    expect(page.locator(".over #asked")).to_have_count(0)
    expect(left).to_have_count(0)
    expect(page.locator(".over")).to_be_focused()
    assert lines(made)[0] == "1. U7: G5+ W8^"


def test_a_game_handed_in_undecided_says_so(page: Page, server: Server) -> None:
    made = table(server, "U7", "G5", "W8", "X3", "U4", event="Another Cup")
    scoring(page, made)
    page.keyboard.type("g9")
    page.locator("#later").tap()
    kept(page, 7)
    resign(page)
    kept(page, 8)
    for _ in range(2):
        page.locator(".over").get_by_role("button", name="that is right").first.tap()
    expect(page.locator(".confirmed")).to_have_count(2)
    expect(page.locator(".over #undecided")).to_contain_text("Handed in like this")
    page.get_by_role("button", name="Hand the game in").tap()
    expect(page.locator("#handed-in")).to_be_visible()
    expect(page.locator(".over #undecided")).to_have_text(
        "The director still has to decide about 1 play of this game."
    )


_HEARD = """() => {
  window.heard = [];
  new MutationObserver((all) => {
    for (const { addedNodes } of all)
      for (const node of addedNodes) {
        const place = node.nodeType === 1 ? node : node.parentElement;
        const live = place?.closest("[aria-live], [role=status], [role=alert]");
        if (live && !place.closest("[aria-hidden=true]")) heard.push(node.textContent.trim());
      }
  }).observe(document.body, { subtree: true, childList: true });
}"""
"""Collects what is added where a screen reader tells it."""


def test_a_screen_reader_hears_each_card_once_and_keys_lead_out_of_everything(
    phones: Phones, server: Server
) -> None:
    """Also while the server judges, whose answers come later than those of the rules here."""
    page = phones.without_rules()
    page.goto(table(server, "U7", "G5").scoring)
    page.locator(".banner button").tap(timeout=LONG)
    page.locator("dialog .main").tap()
    expect(page.locator(".banner")).to_have_count(0)
    first = page.locator(".trick button.face").first
    first.focus()
    page.evaluate(_HEARD)
    page.keyboard.type("g8")
    expect(page.locator(".trick .won")).to_be_visible()
    expect(first).to_be_focused()
    heard = page.evaluate("heard")
    assert "G8Ben ★" in heard
    assert not {"U7", "G5", "… G8"} & set(heard)
    page.keyboard.type("x3x3")
    question = page.get_by_role("dialog")
    expect(question).to_have_accessible_description("X3 is already out: upcard of trick 2.")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(question).to_have_count(0)
    page.keyboard.type("x")
    expect(page.locator(".mode kbd")).to_have_text("X")
    page.keyboard.press("Escape")
    expect(question).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#due")).to_have_text("Ben Roth leads")
    page.context.set_offline(True)
    page.keyboard.type("k4")
    # Whatever is inside a button is read with the button only, and not when it appears.
    expect(page.get_by_role("status").filter(has_text="No connection.")).to_have_count(1)
    expect(page.locator("button [role=status]")).to_have_count(0)
    page.context.set_offline(False)
    expect(page.locator(".status.safe")).to_be_visible()


def test_each_card_each_trick_and_each_doubt_is_felt_and_a_switch_turns_that_off(
    page: Page, server: Server
) -> None:
    page.add_init_script("window.felt = []; navigator.vibrate = (one) => felt.push(`${one}`);")
    made = table(server, "U7", "G5")
    scoring(page, made)
    page.evaluate("felt.length = 0")
    page.locator('[data-card="G8"]').tap()
    kept(page, 3)
    expect(page.locator(".why li").first).to_be_visible()
    page.locator('[data-card="G8"]').tap()
    page.wait_for_selector("#doubt, .bounced")
    if page.locator(".bounced button").count():
        page.locator(".bounced button").tap()
    expect(page.locator("#doubt")).to_be_visible()
    page.wait_for_function("felt.at(-1) === '60,50,60'")
    assert page.evaluate("felt.slice(0, 2)") == ["10", "10,60,10"]
    page.locator("#drop").tap()
    page.locator("#menu").tap()
    page.locator("#sounds").tap()
    expect(page.locator("#sounds")).to_have_attribute("aria-pressed", "false")
    page.get_by_label("Close").tap()
    page.evaluate("felt.length = 0")
    page.locator('[data-card="X3"]').tap()
    kept(page, 6)
    assert page.evaluate("felt") == []


def test_whoever_looks_on_pages_back_and_sees_the_standing_and_a_seat_after_the_end(
    page: Page, server: Server
) -> None:
    made = table(server, "G0", "U8", "U2", *WORDS[3:])
    preview = httpx.get(made.watching).text
    assert '<meta property="og:title" content="Anna Keller – Ben Roth">' in preview
    assert 'content="Zurich Claim Open · R3 · T2"' in preview
    page.goto(made.watching)
    head = page.locator(".trick h2")
    expect(head).to_contain_text("Trick 3", timeout=LONG)
    page.locator("#back").tap()
    expect(head).to_contain_text("Trick 2")
    page.locator("#back").tap()
    expect(head).to_contain_text("Trick 1")
    expect(page.locator(".card.won")).to_contain_text("Anna")
    expect(page.locator("#back")).to_be_disabled()
    page.locator("#on").tap()
    expect(head).to_contain_text("Trick 2")
    page.locator("#now").tap()
    expect(head).to_contain_text("Trick 3")
    page.locator("#standing").tap()
    expect(page.locator("dialog td.won")).to_have_count(1)
    expect(page.locator("dialog td.won")).to_contain_text("2")  # the Undead of trick 1
    page.get_by_label("Close").tap()
    page.locator("#share").tap()
    expect(page.locator("dialog .code img")).to_be_visible()
    expect(page.locator("dialog .address")).to_have_text(made.watching)
    page.get_by_label("Close").tap()
    post(made, 8, {"id": "end", "kind": "finish", "result": "1-0", "termination": "time"})
    post(made, 9, *({"id": f"c{side}", "kind": "confirm", "side": side} for side in (1, 2)))
    httpx.post(
        f"{server.url}/v1/tables/{made.id}/finish",
        headers={"Authorization": f"Bearer {made.token}"},
    ).raise_for_status()
    seat = page.get_by_role("link", name="As Ben Roth saw it")
    expect(seat).to_be_visible(timeout=LONG)
    assert (seat.get_attribute("href") or "").endswith("#seat=2")
    page.locator("#back").tap()
    expect(head).to_contain_text("Trick 2")
