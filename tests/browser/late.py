"""What a slow phone, disk or network makes late on a page, for `pytest --late`.

A key or a tap may come while something before it is still on its way.  On a fast machine that
happens by chance only; with one of these it happens in every test.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Browser, BrowserContext

_AFTER: Final = "const after = (ms) => new Promise((go) => setTimeout(go, ms));"

SCRIPTS: Final = {
    "requests": _AFTER
    + """
    const { fetch } = window;
    window.fetch = async (...all) => {
      await after(600);
      return fetch(...all);
    };""",
    "answers": _AFTER
    + """
    const { fetch } = window;
    window.fetch = async (...all) => {
      const answer = await fetch(...all);
      await after(700);
      return answer;
    };""",
    "disk": _AFTER
    + """
    const { set } = Object.getOwnPropertyDescriptor(IDBTransaction.prototype, "oncomplete");
    Object.defineProperty(IDBTransaction.prototype, "oncomplete", {
      set(done) {
        set.call(this, () => after(400).then(done));
      },
    });""",
    "engine": _AFTER
    + """
    const { postMessage } = Worker.prototype;
    const begun = new WeakSet();
    Worker.prototype.postMessage = function (...all) {
      const wait = begun.has(this) ? after(700) : Promise.resolve();
      begun.add(this);
      wait.then(() => postMessage.apply(this, all));
    };""",
    "effects": """
    const { requestAnimationFrame } = window;
    window.requestAnimationFrame = (draw) =>
      setTimeout(() => requestAnimationFrame(draw), 90);""",
}
"""By what is late: the script that delays it on each page."""


def with_late(make: Callable[..., BrowserContext], what: str) -> Callable[..., BrowserContext]:
    """`Browser.new_context`, with something late on all pages of the context."""

    def new_context(self: Browser, **options: object) -> BrowserContext:
        context = make(self, **options)
        context.add_init_script(f"{{{SCRIPTS[what]}}}")
        return context

    return new_context
