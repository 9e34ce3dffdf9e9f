"""Every page in a browser, in both languages, with tables open and over, without any faults.

The pages are read on a desktop in English and on a phone in German, and axe examines each kind,
light and dark.  `tests/api/test_every_page.py` checks their texts in each state without a browser;
this test checks their scripts and policies.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from phones import PHONE, Server, findings
from states import Archived, addresses, direct, fill

from claimlog.language import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

pytestmark = pytest.mark.slow

SEEN = """() => {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const words = [];
  while (texts.nextNode()) {
    const { parentElement: parent, data } = texts.currentNode;
    if (!parent.closest("script, style, pre, code")) words.push(data.trim());
  }
  const labels = [...document.querySelectorAll("[aria-label], [title], [placeholder]")];
  for (const one of labels)
    for (const name of ["aria-label", "title", "placeholder"])
      if (one.hasAttribute(name)) words.push(one.getAttribute(name).trim());
  return {
    words,
    language: document.documentElement.lang,
    links: [...document.querySelectorAll("a[href]")].map((one) => one.href.split("#")[0]),
  };
}"""
"""The texts, labels and links on a page once its scripts have run."""
KEY = re.compile(r"[a-z]+(?:[.-][a-z0-9]+)*[.-][a-z0-9]+|.*\{\w+\}.*|undefined|NaN|\[object .*")
"""A key in place of its text, or a text with an unfilled placeholder."""


OF_COLOURS = ("color-contrast", "link-in-text-block")
DESKTOP = {"viewport": {"width": 1280, "height": 720}}
SCRIPTED = {
    "/tables": "#app main:not([data-why=loading])",
    "/games/": ".viewer",
    "/r/": ".viewer",
    "/wall": "#wall > *",
}
"""Elements that exist once a page's script has run and loaded its data."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with an empty archive."""
    server = Server(tmp_path_factory.mktemp("pages"))
    server.start()
    yield server
    server.stop()


class Reader:
    """A reader who opens pages, and notes faults."""

    def __init__(self, browser: Browser, url: str, language: str, screen: dict[str, Any]) -> None:
        self.url, self.language = url, language
        self.page = browser.new_context(**screen | {"locale": language}).new_page()
        self.kinds: Counter[str] = Counter()
        self.wrong: list[str] = []
        self.links: dict[str, tuple[str, str]] = {}
        self.page.on("console", lambda said: self.note(f"{said.type}: {said.text}"))
        self.page.on("pageerror", lambda error: self.note(str(error)))
        self.page.on(
            "response", lambda answer: answer.ok or self.note(f"{answer.status} {answer.url}")
        )

    def note(self, what: str) -> None:
        self.wrong.append(f"{self.page.url}: {what}")

    def open(self, path: str) -> None:
        """Open a page and check everything on it."""
        self.page.goto(self.url + path)
        for part, wanted in SCRIPTED.items():
            if part in path:
                self.page.locator(wanted).first.wait_for()
        seen = self.page.evaluate(SEEN)
        if seen["language"] != self.language:
            self.note(f"language {seen['language']!r}")
        for text in seen["words"]:
            if KEY.fullmatch(text):
                self.note(f"shows {text!r}")
        for link in seen["links"]:
            if link.startswith(self.url):
                self.links.setdefault(kind_of(link), (path, link))

    def examine(self) -> None:
        """Examine the first page of its kind with axe; it must not be wider than the screen."""
        kind = kind_of(self.page.url)
        self.kinds[kind] += 1
        if self.kinds[kind] > 1:
            return
        for scheme, rules in (("light", None), ("dark", OF_COLOURS)):
            self.page.emulate_media(color_scheme=scheme)
            for finding in findings(self.page, rules):
                self.note(f"{scheme}: {finding}")
        wide = self.page.evaluate("document.documentElement.scrollWidth - innerWidth")
        if wide > 0:
            self.note(f"is {wide} wider than the screen")

    def follow(self, http: httpx.Client) -> None:
        """Request one link of each kind found."""
        assert len(self.links) > 60
        for path, link in self.links.values():
            answer = http.get(link, follow_redirects=True, headers={"Accept": "text/html"})
            if answer.status_code != 200:
                self.wrong.append(f"{path}: leads to {link}, which is {answer.status_code}")


def kind_of(link: str) -> str:
    """An address without ids and values."""
    return re.sub(r"[0-9a-z]{13}|=[^&]*", "_", link)


def test_nothing_is_wrong_on_any_page(server: Server, browser: Browser) -> None:
    readers = [
        Reader(browser, server.url, language, screen)
        for language, screen in zip(LANGUAGES, (DESKTOP, PHONE), strict=True)
    ]
    with httpx.Client(base_url=server.url, timeout=60) as http:
        archived = Archived(http)
        opened = pages(archived)
        for path, reader in itertools.product(opened, readers):
            reader.open(path)
        fill(archived)
        filled = pages(archived) + direct(archived)
        assert len(filled) > len(opened) + 20
        for path, reader in itertools.product(filled, readers):
            reader.open(path)
            reader.examine()
        for reader in readers:
            reader.follow(http)
    wrong = [what for reader in readers for what in reader.wrong]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("waits", "Wird geladen …"),
        ("404", "Diesen Tisch gibt es nicht."),
        ("none", "Dieser Tisch ist nicht auf diesem Handy"),
    ],
)
def test_a_table_that_is_not_here_says_so(
    server: Server, browser: Browser, answer: str, said: str
) -> None:
    page = browser.new_context(**PHONE | {"locale": "de"}).new_page()
    if answer != "404":
        page.route("**/v1/tables/*", lambda asked: asked.abort() if answer == "none" else None)
    page.goto(server.url + "/tables/abcdefghijklm")
    page.get_by_role("heading", level=1, name=said).wait_for()
    assert page.get_by_role("link", name="Tische").is_visible()
    assert not list(findings(page))


def pages(archived: Archived) -> list[str]:
    """The pages that a browser shows."""
    known = addresses(archived, few=True)
    parts = ("/views", "/picture", "/round")  # addresses that scripts and pages request
    return [path for path in known if not path.endswith(parts)]
