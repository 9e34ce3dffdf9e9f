"""Take docs/desk-*.jpg, the pictures of docs/directing.md: the desk, the wall, a scorer's phone.

`python docs/desk.py` takes them again; it needs Debian's chromium.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
NAMES = (
    "Anna Keller", "Ben Roth", "Mia Suter", "Jon Meier", "Eva Huber", "Lea Frei",
    "Tom Baumann", "Nina Wyss", "Paul Egger", "Rita Vogt", "Urs Zbinden",
)  # fmt: skip
CUP = "Spring Cup"
PLAYED = ("G0", "G9", "K2", "U2", "U8", "W2")

sys.path[:0] = [str(HERE.parent / "tests" / "browser"), str(HERE.parent / "tests")]


def take() -> None:
    """Let a round begin, and look at it."""
    import httpx
    from phones import CHROMIUM, OPTIONS, Server
    from playwright.sync_api import expect, sync_playwright

    from claimlog.client import Client
    from claimlog.directing import acts
    from claimlog.directing.model import Entrant, Plan, TableResult

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder))
        server.start()
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=OPTIONS)
        try:
            with Client(server.url) as client:
                plan = Plan(system="casual", rounds=5, decks=("GKUWX",), minutes=50)
                event = client.create_event(CUP, plan, by="Ruth").event
                client.enter(CUP, [Entrant(name=name) for name in NAMES], by="Ruth")
                client.pair_round(CUP, by="Ruth")
                links = client.start_round(CUP, 1, by="Ruth").links
                for act in (
                    acts.Clocked(round=1, running=True),
                    acts.Announced(text="Pizza at eight, in the garden."),
                    acts.ResultTyped(round=1, table=2, result=TableResult(result="1-0")),
                ):
                    client.direct(CUP, act, by="Ruth")
            for number, link in enumerate(links[:3]):
                token = link.scorer.partition("#token=")[2]
                cards = PLAYED[: len(PLAYED) - 3 * (number % 2)]
                entries = [
                    {"kind": "enter", "id": f"w{n}", "word": card} for n, card in enumerate(cards)
                ]
                httpx.post(
                    f"{server.url}/v1/tables/{link.id}/actions",
                    json={"device": "phone", "after": 0, "entries": entries},
                    headers={"Authorization": f"Bearer {token}"},
                ).raise_for_status()
            page = browser.new_page(viewport={"width": 1100, "height": 620}, locale="en-GB")
            for name in ("desk", "wall"):
                page.goto(f"{server.url}/events/{event}/{name}")
                expect(page.locator(".notice .clock")).to_contain_text(":")
                if name == "wall":
                    expect(page.locator("#state")).to_contain_text("As of")
                page.screenshot(path=HERE / f"desk-{name}.jpg", type="jpeg", quality=75)
            page = browser.new_page(viewport={"width": 390, "height": 760}, locale="en-GB")
            page.goto(links[0].watch)
            expect(page.locator(".hall .clock")).to_contain_text(":")
            page.screenshot(path=HERE / "desk-phone.jpg", type="jpeg", quality=75)
        finally:
            browser.close()
            server.stop()


if __name__ == "__main__":
    take()
