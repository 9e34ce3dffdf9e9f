"""A weekend in a hall: an event directed on `/desk` in a browser, with phones at its tables."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from phones import LONG, Phones, Server
from playwright.sync_api import expect
from robust.weekend import (
    GONE,
    ILL,
    LATE,
    RESTING,
    WRONG,
    Seen,
    counted,
    result_of,
    turned,
)  # fmt: skip
from test_table_page import opened, ready, sent, tap

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from playwright.sync_api import Page

EVENT, DECK = "Winter Open", "GKUWX"
PEOPLE = [
    "Anna Keller; Kiel; Open", "Ben Roth; Lübeck; Open", "Mia Suter; Kiel; Open",
    "Jörg Müller; Husum; Senior", "Eva Huber; Eutin; Open", "Lea Frei; Kiel; Youth",
    "Tom Baumann; Lübeck; Open", "Nina Wyss; Husum; Youth", "Paul Egger; Eutin; Senior",
    "Rita Vogt; Kiel; Senior", "Urs Zbinden; Lübeck; Open", "Clara Meier; Husum; Open",
    "Dan O'Neill; Eutin; Open", "Émile Zürcher; Kiel; Youth", "Greta Lang; Lübeck; Open",
    "Felix Amstutz; Husum; Open", "Ines Moser; Eutin; Youth", "Hugo Brand; Kiel; Senior",
    "Kim Sand; Lübeck; Youth", "Olaf Thomsen; Husum; Senior", "Petra Dahl; Eutin; Open",
    "Sven Iversen; Kiel; Open", "Vera Petersen; Lübeck; Senior", "Wanda Jessen; Husum; Open",
    "Yara Carstens; Kiel; Youth",
]  # fmt: skip
NAMES = [line.partition(";")[0] for line in PEOPLE]


class Hall:
    """The director's browser, and what was seen and entered in it."""

    def __init__(self, phones: Phones, server: Server) -> None:
        self.phones = phones
        self.server = server
        self.desk = phones.new(
            viewport={"width": 1100, "height": 760}, is_mobile=False, has_touch=False,
            device_scale_factor=1,
        )  # fmt: skip
        self.desk.on("dialog", lambda dialog: dialog.accept())
        self.rounds: list[Seen] = []

    # What the director does ----------------------------------------------------------------

    def begin(self, rounds: int) -> None:
        """Create the event, and paste the entry list."""
        page = self.desk
        page.goto(f"{self.server.url}/desk")
        for field, text in (("name", EVENT), ("plan.rounds", str(rounds)), ("plan.decks", DECK)):
            self.fill("/events", field, text)
        page.get_by_role("button", name="Begin").click()
        page.wait_for_url("**/events/*/desk")
        self.event = page.url.split("/")[-2]
        page.get_by_text("How it is played").click()
        self.fill("desk/plan", "plan.minutes", "50")
        orders = page.locator('form[data-post$="desk/plan"] [name="plan.tiebreaks"]')
        for place, order in enumerate(["points", "buchholz", "head-to-head", "wins", ""]):
            orders.nth(place).select_option(order)
        self.send("desk/plan")
        lines = [f"{line}; {2000 - 20 * n}" for n, line in enumerate(PEOPLE[: LATE - 1])]
        self.enter("\n".join(["name; club; category; rating", *lines]))
        expect(page.get_by_role("heading", name="24 players")).to_be_visible()

    def enter(self, text: str) -> None:
        """Enter players."""
        self.fill("entrants/list", "text", text)
        self.send("entrants/list")

    def fill(self, form: str, field: str, text: str) -> None:
        """Fill in a field of the form with this address."""
        self.desk.locator(f'form[data-post$="{form}"] [name="{field}"]').fill(text)

    def choose(self, form: str, field: str, value: str) -> None:
        """Choose from a list."""
        self.desk.locator(f'form[data-post$="{form}"] [name="{field}"]').select_option(value)

    def send(self, form: str) -> None:
        """Send a form, and check that it is accepted."""
        button = self.desk.locator(f'form[data-post$="{form}"] button')
        with self.desk.expect_response(lambda one: one.request.method == "POST") as answer:
            button.first.click()
        assert answer.value.ok, answer.value.text()

    def type(self, *lines: str) -> None:
        """Type results on one line."""
        self.fill("results/list", "text", ", ".join(lines))
        self.send("results/list")

    def pair(self) -> Seen:
        """Pair the next round, and read the pairings from the screen."""
        number = len(self.rounds) + 1
        self.send("/pair")
        heading = self.desk.locator("#board h2").first
        expect(heading).to_have_text(f"round {number} paired", timeout=LONG)
        expect(self.desk.locator("#links")).to_be_hidden()
        rows = self.desk.locator("#board table.desk tbody tr").all()
        pairs, byes = [], []
        for row in rows:
            names = row.locator("th").inner_text().split(" – ")
            numbers = tuple(NAMES.index(name) + 1 for name in names)
            if len(numbers) == 2:
                pairs.append(numbers)
            else:
                byes += numbers
        self.rounds.append(Seen(pairs, byes))
        return self.rounds[-1]

    def start(self) -> list[str]:
        """Start the round; return the scorers' links by table."""
        self.send("/start")
        cards = self.desk.locator("#links .card", has_text=f"round {len(self.rounds)}")
        links = cards.locator("a")
        expect(links).to_have_count(len(self.rounds[-1].tables), timeout=LONG)
        return [link.inner_text() for link in links.all()]

    def results(self, *left_out: int) -> list[str]:
        """The lines of the tables whose results are typed."""
        number = len(self.rounds)
        lines = []
        for table, players in enumerate(self.rounds[-1].tables, 1):
            result = result_of(number, players)
            if (number, table) == WRONG:
                result = turned(result)
            if table not in left_out:
                lines.append(f"{table} {'=' if '/' in result else result}")
        return lines

    def missing(self, number: int) -> None:
        """Wait until the desk shows this number of missing results."""
        self.desk.bring_to_front()
        text = {0: re.compile(r"running$"), 1: re.compile(r"1 result missing")}.get(
            number, re.compile(f"{number} results missing")
        )
        expect(self.desk.locator("#board h2 .dim").first).to_have_text(text, timeout=LONG)

    def close(self) -> None:
        """Close the round."""
        self.missing(0)
        self.send("/close")
        expect(self.desk.locator("#board h2 .dim").first).to_have_text("closed", timeout=LONG)

    # What is seen --------------------------------------------------------------------------

    def phone(self, link: str) -> Page:
        """A phone at a table, with everything it needs to work without a network."""
        return ready(opened(self.phones.new(), link))

    def decided(self, *but: int) -> int:
        """A table of the round whose game has a single winner."""
        number, tables = len(self.rounds), self.rounds[-1].tables
        results = {n: result_of(number, players) for n, players in enumerate(tables, 1)}
        return next(n for n, one in results.items() if "/" not in one and n not in but)

    def end_early(self, page: Page, table: int) -> None:
        """End a game early on a phone, with the planned result."""
        players = self.rounds[-1].tables[table - 1]
        won = players[0 if result_of(len(self.rounds), players) == "1-0" else 1]
        page.locator("#menu").tap()
        page.get_by_role("button", name="End the game early").tap()
        page.get_by_label("Why").select_option("resignation")
        page.get_by_label("Who wins").select_option(label=NAMES[won - 1])
        page.get_by_role("button", name="Keep", exact=True).tap()

    def hand_in(self, page: Page) -> None:
        """Confirm the result for both sides, and hand the game in."""
        sides = page.get_by_role("button", name=re.compile("that is right"))
        for left in reversed(range(sides.count())):
            sides.first.tap()
            expect(sides).to_have_count(left, timeout=LONG)
        page.get_by_role("button", name="Hand the game in").tap()
        expect(page.get_by_text("The game is in the archive.")).to_be_visible(timeout=LONG)

    def standings(self) -> dict[str, float]:
        """Everybody's points, as in the printed standings."""
        page = self.desk.context.new_page()
        page.goto(f"{self.server.url}/events/{self.event}/print/standings")
        heads = page.locator("thead th").all_inner_texts()
        name, points = heads.index("Name"), heads.index("Points")
        rows = [row.locator("td").all_inner_texts() for row in page.locator("tbody tr").all()]
        page.close()
        return {row[name]: float(row[points].replace("½", ".5")) for row in rows}

    def counted(self) -> dict[str, float]:
        """Everybody's points by our own count, from the pairings seen on the screen."""
        points = counted(self.rounds)
        return {NAMES[number - 1]: share for number, share in points.items()}

    # The weekend, round by round -----------------------------------------------------------

    def before(self, number: int) -> None:
        """Enter what happens before a round is paired."""
        if number == 2:
            self.enter(PEOPLE[LATE - 1])
            expect(self.desk.get_by_role("heading", name="25 players")).to_be_visible()
        for entrant, round, kind in ((RESTING, 3, "half"), (ILL, 5, "zero")):
            if number == round:
                self.choose("desk/bye", "entrant", str(entrant))
                self.choose("desk/bye", "kind", kind)
                self.send("desk/bye")
        if number == 4:
            entry = self.desk.locator(".entrants li", has_text=NAMES[GONE - 1])
            entry.get_by_role("button", name="withdraw").click()
            expect(entry.locator("s")).to_be_visible(timeout=LONG)
            self.correct()

    def correct(self) -> None:
        """Correct the wrong result, whatever round is being played."""
        round, table = WRONG
        result = result_of(round, self.rounds[round - 1].tables[table - 1])
        self.choose("results/list", "round", str(round))
        self.desk.get_by_label("As the director").check()
        self.fill("results/list", "why", "sides mixed up")
        self.type(f"{table} {result}")

    def round(
        self,
        *,
        offline: bool = False,
        killed: bool = False,
        during: Callable[[list[str]], Collection[int]] = lambda _: (),
    ) -> None:
        """Play a round with typed results.

        `offline`: except for one game on a phone that has no network until all others are over.
        `killed`: the server is killed during the round, and started again. `during` gets the
        scorers' links, and returns the tables whose games it has recorded.
        """
        self.before(len(self.rounds) + 1)
        self.pair()
        links = self.start()
        recorded = [*during(links)]
        if offline:
            recorded.append(self.decided())
            page = self.phone(links[recorded[-1] - 1])
            page.context.set_offline(True)
            tap(page, "U7", "G5", "G8")
            self.end_early(page, recorded[-1])
        lines = self.results(*recorded)
        if killed:
            self.type(*lines[: len(lines) // 2])
            self.server.kill()
            lines = lines[len(lines) // 2 :]
            self.fill("results/list", "text", ", ".join(lines))
            form = self.desk.locator('form[data-post$="results/list"]')
            form.locator("button").click()
            expect(form.locator(".wrong")).to_be_visible(timeout=LONG)
            self.server.start()
            self.send("results/list")
        else:
            self.type(*lines)
        if offline:
            self.missing(1)
            page.context.set_offline(False)
            sent(page)
            self.hand_in(page)
        self.close()
