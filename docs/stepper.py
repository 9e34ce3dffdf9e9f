"""Draw docs/stepper.svg, the picture of the stepper in the README, from its current screen.

`python docs/stepper.py` draws it again.
"""

from __future__ import annotations

import asyncio
import html
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.app import App

ROOT = Path(__file__).parents[1]
PICTURE = ROOT / "docs" / "stepper.svg"
GAME = ROOT / "data" / "sample.clm"
KEYS = ("down",) * 20
SIZE = (100, 34)
SPACE = "&#160;"
TEXT = re.compile(r'x="([0-9.]+)"( y="[0-9.]+") textLength="([0-9.]+)"( [^>]*)>([^<]*)</text>')


def _trimmed(text: re.Match[str]) -> str:
    """A text without the spaces around it: some programs drop them, others do not."""
    x, y, length, rest, shown = text.groups()
    whole = html.unescape(shown)
    word = whole.strip()
    cell = float(length) / len(whole)
    place = float(x) + cell * (len(whole) - len(whole.lstrip()))
    words = html.escape(word).replace("\N{NO-BREAK SPACE}", SPACE)
    return f'x="{place:g}"{y} textLength="{cell * len(word):g}"{rest}>{words}</text>'


def picture() -> str:
    """The screen after trick 20 of the sample game, as SVG."""
    from claimlog.cli.replay.screen import stepper
    from claimlog.cli.replay.shelf import Shelf
    from claimlog.language import words

    with Shelf(str(GAME), words()) as shelf:
        app = stepper(words())(shelf, 1, None, words())
        return drawn(app, KEYS, "claimlog replay data/sample.clm", SIZE)


def drawn(app: App[None], keys: Sequence[str], title: str, size: tuple[int, int] = (80, 24)) -> str:
    """The screen of `app` after some keys, as SVG."""
    os.environ |= {"TERM": "xterm-256color", "COLORTERM": "truecolor"}
    os.environ.pop("NO_COLOR", None)

    async def shown() -> str:
        async with app.run_test(size=size) as pilot:
            await pilot.press(*keys)
            await pilot.pause()
            return app.export_screenshot(title=title)

    svg = TEXT.sub(_trimmed, asyncio.run(shown()))
    # Nothing is fetched to show the picture: any monospaced font will do.
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)
    return svg.replace("font-family: Fira Code, monospace", "font-family: monospace")


if __name__ == "__main__":
    PICTURE.write_text(picture(), encoding="utf-8")
