"""Phones in a real browser, a server that can be killed, and tables on it."""

from __future__ import annotations

import contextlib
import gzip
import json
import re
import shutil
import signal
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
from forked import Claimlog
from ports import Port

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from playwright.sync_api import Browser, BrowserContext, Page

HERE = Path(__file__).parent
CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium")
"""The shell without a window, which takes half the time; or the browser."""
OPTIONS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # Code that runs for seconds need not be optimized, neither WebAssembly (a fifth of the time of
    # a page with the rules) nor JavaScript; functions that are never called need not be compiled;
    # and V8's helping threads take more time than they save (a fifth of that of axe).
    "--js-flags=--liftoff-only --wasm-lazy-compilation --single-threaded --no-opt --no-maglev",
]
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 2,
    "locale": "en-GB",
}
LONG = 60_000
"""Milliseconds that a busy machine may take to start Python in the browser."""

_NO_NETWORK = re.compile(
    r"Service Worker registration blocked by Playwright"
    r"|net::ERR_(INTERNET_DISCONNECTED|CONNECTION_|FAILED|EMPTY_RESPONSE|INCOMPLETE_CHUNKED"
    r"|CONTENT_LENGTH_MISMATCH)"
)
"""Console messages caused by the tests themselves, which cut the network."""


class Server:
    """`claimlog serve`, as a process."""

    rules: Path | None = None
    """The rules that phones get, compiled already (compiled.py)."""

    def __init__(self, folder: Path) -> None:
        self.archive = folder / "games.duckdb"
        self.log = folder / "serve.log"
        self._kept = Port()
        self.port = self._kept.number
        self.url = f"http://127.0.0.1:{self.port}"
        self.process: Claimlog | None = None

    def start(self) -> None:
        """Start the server, or start it again."""
        words = ["serve", "--db", self.archive, "--port", self.port]
        with self.log.open("ab") as log:
            self.process = Claimlog(words, rules=self.rules, stdout=log, stderr=log)
        for _ in range(400):
            with contextlib.suppress(httpx.HTTPError):
                if httpx.get(f"{self.url}/health").status_code == 200:
                    return
            assert self.process.poll() is None, self.log.read_text()
            time.sleep(0.1)
        raise AssertionError(self.log.read_text())

    def kill(self) -> None:
        """Kill it like a power cut."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """Stop it regularly."""
        self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(how)
            self.process.wait(30)
        self.process = None

    def open_table(self, **more: Any) -> Table:
        """Open a table."""
        agreed = {
            "deck": "GKUWX",
            "players": ["Anna Keller", "Ben Roth"],
            "event": "Zurich Claim Open",
            "round": "3",
            "table": "2",
        }
        answer = httpx.post(f"{self.url}/v1/tables", json=agreed | more, timeout=LONG / 1000)
        assert answer.status_code == 201, answer.text
        return Table(self, answer.json()["id"], answer.json()["token"])


@dataclass
class Table:
    """A table on the server."""

    server: Server
    id: str
    token: str

    @property
    def watching(self) -> str:
        """The spectators' address."""
        return f"{self.server.url}/tables/{self.id}"

    @property
    def scoring(self) -> str:
        """The scorer's address."""
        return f"{self.watching}#token={self.token}"

    def answer(self) -> dict[str, Any]:
        """The server's answer to the scorer, with all entries."""
        answer = httpx.get(
            f"{self.server.url}/v1/tables/{self.id}?view=all&after=0",
            headers={"Authorization": f"Bearer {self.token}"},
            timeout=LONG / 1000,
        )
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    def words(self) -> list[str]:
        """The words that were entered, in the order of their numbers."""
        return [one["word"] for one in self.answer()["entries"] if one["kind"] == "enter"]


@dataclass
class Phones:
    """Phones in a browser; an error on any of them fails the test."""

    browser: Browser
    server: Server
    wrong: list[str] = field(default_factory=list)
    expected: str = ""
    contexts: list[BrowserContext] = field(default_factory=list)

    def new(self, **more: Any) -> Page:
        """A new phone with empty storage."""
        context = self.browser.new_context(**PHONE | more)
        self.contexts.append(context)
        return self.listened(context.new_page())

    def without_rules(self, **more: Any) -> Page:
        """A new phone on which the rules are not loaded, so that the server judges.

        It is for tests to which that makes no difference: to start Python on a phone takes
        seconds of processor time.
        """
        page = self.new(service_workers="block", **more)
        page.route("**/engine.js", lambda route: route.abort())
        return page

    def listened(self, page: Page) -> Page:
        """Listen for errors on a page, and for requests to other hosts."""
        page.on("console", lambda said: self._said(said.type, said.text))
        page.on("pageerror", lambda error: self.wrong.append(str(error)))
        page.context.on("request", lambda request: self._asked(request.url))
        return page

    def _said(self, kind: str, text: str) -> None:
        known = _NO_NETWORK.search(text) or (self.expected and self.expected in text)
        if kind in ("error", "warning") and not known:
            self.wrong.append(f"{kind}: {text}")

    def _asked(self, address: str) -> None:
        if not address.startswith((self.server.url, "blob:", "data:")):
            self.wrong.append(f"asked for {address}")


def findings(page: Page, rules: Iterable[str] | None = None) -> Iterator[str]:
    """Return axe's findings, by all of its rules or some."""
    options: dict[str, Any] = {"resultTypes": ["violations"]}
    if rules is not None:
        options["runOnly"] = list(rules)
    if not page.evaluate("'axe' in window"):
        page.evaluate(gzip.decompress((HERE / "axe.min.js.gz").read_bytes()).decode())
    for one in page.evaluate("async (options) => (await axe.run(options)).violations", options):
        yield json.dumps(
            [one["id"], one["impact"], [node["html"][:200] for node in one["nodes"]][:4]]
        )
