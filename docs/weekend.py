"""Play a weekend in a browser, and take docs/weekend-*.jpg, the pictures of docs/directing.md.

`python docs/weekend.py` takes some minutes and needs Debian's chromium: 24 entrants and a late one,
seven rounds of Swiss, a withdrawal, byes, a wrong result corrected two rounds later, games recorded
on phones, one of them without a network, a server killed during a round and, as by a power cut, at
the end.  The standings are compared with an independent count (tests/robust/weekend.py).
"""

from __future__ import annotations

import sys
import tempfile
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

HERE = Path(__file__).parent
TESTS = HERE.parent / "tests"
PAPER = {"width": 794, "height": 1123}
"""An A4 page at 96 dots per inch."""
FOUR, ONE = 1010, 1054
"""The height of four cards, and of a certificate below its margin."""

sys.path[:0] = [str(TESTS / "browser"), str(TESTS)]

if TYPE_CHECKING:
    from hall import Hall
    from playwright.sync_api import Page

    from claimlog.game import Game


class Pictures:
    """What happens at the tables in the rounds with pictures."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall

    def take(self, name: str, page: Page, height: int | None = None) -> None:
        """Take a picture of a page, or of its upper part."""
        width = page.viewport_size["width"]
        clip = height and {"x": 0, "y": 0, "width": width, "height": height}
        path = HERE / f"weekend-{name}.jpg"
        page.screenshot(path=path, type="jpeg", quality=70, clip=clip or None)

    def cards(self, _: list[str]) -> list[int]:
        """The cards for the tables, as printed."""
        page, screen = self.hall.desk, self.hall.desk.viewport_size
        page.emulate_media(media="print")
        page.set_viewport_size(PAPER)
        page.evaluate("scrollTo(0, 0)")
        self.take("cards", page, FOUR)
        page.emulate_media(media="screen")
        page.set_viewport_size(screen)
        return []

    def live(self, links: list[str]) -> list[int]:
        """Two tables are recorded on phones, the others' results come in one by one."""
        from playwright.sync_api import expect
        from test_table_page import sent

        hall, desk = self.hall, self.hall.desk
        desk.locator('#board form[data-post$="desk/clock"] button', has_text="Start").click()
        hall.fill("desk/announce", "text", "Pizza at eight, in the garden.")
        hall.send("desk/announce")
        first = hall.decided()
        second = hall.decided(first)
        phones = {table: hall.phone(links[table - 1]) for table in (first, second)}
        games = {table: self.game_for(table) for table in phones}
        for tricks, (table, phone) in zip((9, 4), phones.items(), strict=True):
            play_on(phone, games[table], tricks)
            sent(phone)
        lines = hall.results(first, second)
        hall.type(*lines[:6])
        hall.missing(len(hall.rounds[-1].tables) - 6)
        expect(desk.locator("#board tbody")).to_contain_text("Trick 10 of 26", timeout=60_000)
        desk.evaluate("scrollTo(0, 0)")
        self.take("desk", desk)
        phones[first].evaluate("scrollTo(0, 0)")
        self.take("phone", phones[first])
        wall = hall.desk.context.new_page()
        wall.goto(f"{hall.server.url}/events/{hall.event}/wall")
        expect(wall.locator("#state")).to_contain_text("As of")
        self.take("wall", wall)
        wall.close()
        for table, phone in phones.items():
            play_on(phone, games[table])
            sent(phone)
            hall.hand_in(phone)
        return [first, second]

    def game_for(self, table: int) -> Game:
        """A game for a table with the planned result."""
        from robust.weekend import result_of

        from claimlog.simulate import simulate_games

        number = len(self.hall.rounds)
        wanted = result_of(number, self.hall.rounds[-1].tables[table - 1])
        games = (next(simulate_games(1, deck="GKUWX", seed=seed)) for seed in count(1))
        return next(one for one in games if one.leader == 1 and one.result == wanted)

    def paper(self) -> None:
        """The standings for the wall at the end, and the winner's certificate."""
        page = self.hall.desk.context.new_page()
        page.set_viewport_size(PAPER)
        page.emulate_media(media="print")
        for kind in ("standings", "crosstable", "certificates"):
            across = {"width": PAPER["height"], "height": PAPER["width"]}
            page.set_viewport_size(across if kind == "crosstable" else PAPER)
            page.goto(f"{self.hall.server.url}/events/{self.hall.event}/print/{kind}")
            page.add_style_tag(content="body { padding: 14mm 0; }")  # The margins of the paper.
            self.take(kind, page, ONE if kind == "certificates" else None)
        page.close()


def play_on(page: Page, game: Game, tricks: int = 26) -> None:
    """Tap the next tricks of a game."""
    from test_table_page import play

    rest = game.tricks[tricks:]
    game.tricks = game.tricks[:tricks]
    play(page, game)
    game.tricks = rest


def weekend() -> None:
    """Play the weekend."""
    from hall import Hall
    from phones import CHROMIUM, OPTIONS, Phones, Server
    from playwright.sync_api import sync_playwright

    rounds: list[dict[str, Any]] = [{} for _ in range(7)]
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder))
        server.start()
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=OPTIONS)
        phones = Phones(browser, server)
        try:
            hall = Hall(phones, server)
            pictures = Pictures(hall)
            rounds[0] = {"during": pictures.cards}
            rounds[2] = {"offline": True}
            rounds[3] = {"killed": True}
            rounds[5] = {"during": pictures.live}
            hall.begin(len(rounds))
            for number, what in enumerate(rounds, 1):
                hall.round(**what)
                print(f"round {number} is over", flush=True)
            before = hall.standings()
            server.kill()
            server.start()
            assert before == hall.standings() == hall.counted()
            assert phones.wrong == []
            pictures.paper()
            print("the standings agree with the count")
        finally:
            browser.close()
            server.stop()


if __name__ == "__main__":
    weekend()
