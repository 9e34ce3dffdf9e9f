"""A real browser with a phone's screen, and a server that can be killed.

Chromium is Debian's (`apt-get install chromium-headless-shell`); without it these tests are
skipped.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import signal
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from compiled import compiled
from late import with_late
from phones import CHROMIUM, LONG, OPTIONS, PHONE, Phones, Server

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, BrowserContext, BrowserType


@pytest.fixture(scope="session")
def browser_type() -> Iterator[BrowserType]:
    """Chromium, if it is installed."""
    playwright = pytest.importorskip(
        "playwright.sync_api",
        reason="needs playwright, of claimlog[test-all]",
        exc_type=ImportError,
    )
    if CHROMIUM is None:
        pytest.skip("needs chromium: apt-get install chromium-headless-shell")
    # Beside many other tests a page may take longer than Playwright's default of 5 seconds.
    playwright.expect.set_options(timeout=LONG)
    with playwright.sync_playwright() as started:
        yield started.chromium


@pytest.fixture(scope="session", autouse=True)
def rules(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Compile the rules for the phones of all tests once, also for xdist's other workers."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    rules = folder / "rules.zip"
    with (folder / "rules.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not rules.exists() and CHROMIUM and (made := compiled()):
            rules.write_bytes(made)
    if rules.exists():
        Server.rules = rules


@pytest.fixture(scope="session")
def browser(browser_type: BrowserType, pytestconfig: pytest.Config) -> Iterator[Browser]:
    """A browser for many phones."""
    browser = browser_type.launch(executable_path=CHROMIUM, args=OPTIONS)
    with pytest.MonkeyPatch.context() as patch:
        if what := pytestconfig.getoption("late"):
            kind = type(browser)
            patch.setattr(kind, "new_context", with_late(kind.new_context, what))
        yield browser
    browser.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server whose archive is empty before a module's tests."""
    server = Server(tmp_path_factory.mktemp("server"))
    server.start()
    yield server
    server.stop()


@pytest.fixture
def phones(browser: Browser, server: Server) -> Iterator[Phones]:
    """Phones that log no errors and contact no other host than the server."""
    phones = Phones(browser, server)
    yield phones
    for context in phones.contexts:
        context.close()
    assert phones.wrong == []


@pytest.fixture
def killed(browser_type: BrowserType, tmp_path: Path) -> Iterator[Callable[[], BrowserContext]]:
    """Start a browser with a persistent profile; each call kills the previous one."""
    profile = tmp_path / "profile"
    running: list[BrowserContext] = []

    def kill() -> None:
        for process in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                if str(profile).encode() in (process / "cmdline").read_bytes():
                    os.kill(int(process.name), signal.SIGKILL)
        for context in running:
            with contextlib.suppress(Exception):
                context.close()
        running.clear()
        for lock in profile.glob("Singleton*"):
            lock.unlink()

    def start() -> BrowserContext:
        kill()
        running.append(
            browser_type.launch_persistent_context(
                profile, executable_path=CHROMIUM, args=OPTIONS, **PHONE
            )
        )
        return running[0]

    yield start
    kill()
