"""How long a slow phone waits for its first card.

Its network has 1.6 Mbit/s and 150 ms, its processor is four times slower. The phone is chromium
with an empty cache, throttled by the DevTools protocol like in Lighthouse. A card counts once it
can be tapped and has been drawn: at the table a key of the deck, on the page of a game or of a
guess a card of a hand.  Needs playwright and Debian's chromium.
"""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Any, Final

import harness
import web

if TYPE_CHECKING:
    from playwright.sync_api import Browser

GOAL: Final = 3.0
"""Seconds."""
BITS: Final = 1_600_000
LATENCY: Final = 150
"""Milliseconds."""
SLOWER: Final = 4
PHONE: Final[dict[str, Any]] = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 2,
}
WATCH: Final = """(wanted) => {
  const look = () => {
    const one = document.querySelector(wanted);
    const box = one?.getBoundingClientRect();
    const [x, y] = box ? [box.x + box.width / 2, box.y + box.height / 2] : [0, 0];
    const there = document.elementFromPoint(x, y);
    if (one && there && (one === there || one.contains(there))) {
      requestAnimationFrame(() => { globalThis.first = performance.now(); });
    } else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}"""
"""Notes when the requested card can be tapped and the next frame has begun."""


def seconds(browser: Browser, address: str, card: str) -> float:
    """The seconds from the tap on a link until a card can be tapped, on a new phone."""
    context = browser.new_context(**PHONE)
    try:
        page = context.new_page()
        devtools = context.new_cdp_session(page)
        devtools.send("Network.enable")
        devtools.send(
            "Network.emulateNetworkConditions",
            {
                "offline": False,
                "latency": LATENCY,
                "downloadThroughput": BITS / 8,
                "uploadThroughput": BITS / 8,
            },
        )
        devtools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        page.add_init_script(f"({WATCH})({json.dumps(card)})")
        page.goto(address, wait_until="commit")
        page.wait_for_function("() => globalThis.first", timeout=60_000)
        return float(page.evaluate("globalThis.first")) / 1000
    finally:
        context.close()


def measure(server: web.Server, rounds: int) -> dict[str, list[float]]:
    """The seconds by page."""
    from playwright.sync_api import sync_playwright

    origin = f"http://127.0.0.1:{server.port}"
    agreed = {"deck": "GKUWX", "players": ["Anna", "Ben"]}
    table = json.loads(
        server.post("/v1/tables", json.dumps(agreed).encode(), "application/json")[1]
    )
    game = json.loads(server.get("/v1/games?limit=1")[1])["games"][0]["id"]
    pages = {
        "a table, for its scorer": (f"/tables/{table['id']}#token={table['token']}", KEY),
        "a game": (f"/games/{game}", ".felt .at-bottom .small"),
        "a card to guess": (f"/games/{game}/14#seat=1&guess", ".felt .at-bottom .small"),
    }
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        try:
            return harness.alternate(
                {
                    name: lambda path=path, card=card: seconds(browser, origin + path, card)
                    for name, (path, card) in pages.items()
                },
                rounds,
            )
        finally:
            browser.close()


KEY: Final = ".deck button"
"""A card at the table."""


def main() -> None:
    """Run the benchmark."""
    options = harness.arguments(__doc__.split("\n")[0])
    harness.heading(options, {}, f"the first card within {GOAL:.0f} s")
    with harness.scratch() as folder:
        text, db = folder / "games.clm", folder / "games.duckdb"
        harness.simulate(text, 50, 2, options.seed)
        harness.run(harness.claimlog("import", "--db", db, text))
        port = web.free_port()
        with web.Server(harness.claimlog("serve", "--db", db, "--port", str(port)), port) as server:
            found = measure(server, 1 if options.smoke else options.rounds or 5)
    rows = [
        [name, f"{harness.median(times):.2f}", f"{max(times):.2f}"] for name, times in found.items()
    ]
    harness.title(options, "Seconds until the first card: median, longest")
    harness.table(options, ["page", "median", "longest"], rows)
    most = max(harness.median(times) for times in found.values())
    harness.goal(options, f"first card within {GOAL:.0f} s", most <= GOAL, f"{most:.2f} s")


if __name__ == "__main__":
    main()
