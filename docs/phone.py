"""Take docs/phone.jpg, the picture of a phone at the table in docs/recording.md.

`python docs/phone.py` takes it again; it needs Debian's chromium.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
SCREEN = {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 1}
TAPPED = ("U7", "G5", "G8", "X3", "K4", "K9")

sys.path[:0] = [str(HERE.parent / "tests" / "browser"), str(HERE.parent / "tests")]


def take() -> None:
    """Take the picture after the second trick."""
    from phones import CHROMIUM, LONG, OPTIONS, PHONE, Server
    from playwright.sync_api import expect, sync_playwright

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder))
        server.start()
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=OPTIONS)
        try:
            page = browser.new_page(**PHONE | SCREEN)
            page.goto(server.open_table().scoring)
            for number, card in enumerate(TAPPED, 1):
                page.locator(f'[data-card="{card}"]').tap(timeout=LONG)
                status = f"phone {number} · server {number}"
                expect(page.locator("#status")).to_have_text(status, timeout=LONG)
            page.wait_for_timeout(500)
            page.screenshot(path=HERE / "phone.jpg", type="jpeg", quality=80)
        finally:
            browser.close()
            server.stop()


if __name__ == "__main__":
    take()
