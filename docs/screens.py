"""Take docs/page-*.jpg, the pictures of the server's pages in the README.

`python docs/screens.py` takes them again; it needs Debian's chromium.
"""

from __future__ import annotations

import io
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
SCREEN = {"viewport": {"width": 1280, "height": 960}, "locale": "en-GB"}

sys.path[:0] = [str(HERE.parent / "tests" / "browser"), str(HERE.parent / "tests")]


def take() -> None:
    """Take a game, a statistic and the screen on the wall."""
    import httpx
    from phones import CHROMIUM, OPTIONS, Server
    from playwright.sync_api import expect, sync_playwright

    from claimlog.simulate import simulate_records
    from claimlog.store import Archive

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder))
        with Archive.open(server.archive) as archive:
            for name in ("zurich-open.clm", "team-cup.clm"):
                with (HERE.parent / "data" / name).open("rb") as file:
                    list(archive.import_games(file.read, workers=1))
            more = io.BytesIO("\n".join(simulate_records(2000, seed=1)).encode())
            list(archive.import_games(more.read, workers=1))
        server.start()
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=OPTIONS)
        try:
            page = browser.new_page(**SCREEN)
            address = f"{server.url}/v1/games?event=Team+Cup+of+the+Lake+(simulated)"
            rows = httpx.get(address, timeout=60)
            page.goto(f"{server.url}/games/{rows.json()['games'][0]['id']}#t14.4")
            # All views have loaded, and the worth of the cards.
            expect(page.locator("select.views")).to_be_visible(timeout=60_000)
            expect(page.locator(".strip .best")).to_be_visible(timeout=60_000)
            page.screenshot(path=HERE / "page-game.jpg", type="jpeg", quality=80)
            page.goto(f"{server.url}/stats/factions")
            page.screenshot(path=HERE / "page-statistics.jpg", type="jpeg", quality=80)
            found = httpx.get(f"{server.url}/v1/events?search=Zurich", timeout=60)
            event = found.json()["events"][0]["id"]
            page.goto(f"{server.url}/events/{event}/wall")
            expect(page.locator("#state")).to_contain_text("As of")
            page.screenshot(path=HERE / "page-wall.jpg", type="jpeg", quality=80)
        finally:
            browser.close()
            server.stop()


if __name__ == "__main__":
    take()
