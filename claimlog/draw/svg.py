"""Parts of pictures as SVG: text, shapes, cards, and the paper they lie on.

A picture is self-contained: no scripts, fonts or external addresses.  It follows the viewer's
theme, or always has one of `THEMES`.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

from claimlog.draw.faces import FACES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from claimlog.language import Words

__all__ = ["PAPERS", "THEMES", "Sheet", "clip", "width_of", "wrap"]

PAPERS: Final = {
    "light": {
        "paper": "#f6f4ee",
        "table": "#e6ece2",
        "sheet": "#fffdf8",
        "ink": "#1d211f",
        "dim": "#5b625d",
        "line": "#c3c6b8",
        "brand": "#20443a",
        "mark": "#c9d6cd",
        "back": "#8fa89d",
        "gold": "#c08a00",
    },
    "dark": {
        "paper": "#161a18",
        "table": "#1e2b26",
        "sheet": "#212724",
        "ink": "#eef1ec",
        "dim": "#a9b2ab",
        "line": "#46514b",
        "brand": "#7fd3a1",
        "mark": "#3b4f46",
        "back": "#2f6152",
        "gold": "#f0b93a",
    },
}
"""The colours of everything except the factions, by theme."""

THEMES: Final = ("auto", *PAPERS)
"""How a picture is coloured: as the viewer prefers (CSS), light or dark."""

FONTS: Final = "system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif"
STAR: Final = "M12 1.5l3.2 6.9 7.5.9-5.5 5.2 1.4 7.5L12 18.3l-6.6 3.7 1.4-7.5L1.3 9.3l7.5-.9z"
ROUND: Final = 0.09
"""The radius of a card's corners, relative to its width."""
TALL: Final = 1.4
"""The height of a card, relative to its width."""
_DETAILED: Final = 70
"""The least width of a card that shows all details."""

_NARROW: Final = frozenset("fijlrtI.,:;'!|()[] -·")
_BROAD: Final = frozenset("mwMWGOQ@%–—…")


def width_of(text: str, size: float, *, bold: bool = False) -> float:
    """Return the most room that a text takes, in any of the usual fonts."""
    units = 0.0
    for c in text:
        units += 0.4 if c in _NARROW else 0.95 if c in _BROAD else 0.7 if c.isupper() else 0.62
    return units * size * (1.1 if bold else 1.0)


def clip(text: str, size: float, room: float, *, bold: bool = False) -> str:
    """Return a text, cut off with an ellipsis if there is not enough room."""
    if width_of(text, size, bold=bold) <= room:
        return text
    while text and width_of(text + "…", size, bold=bold) > room:
        text = text[:-1]
    return text.rstrip() + "…"


def wrap(text: str, size: float, room: float) -> list[str]:
    """Break a text into lines; a word that is too long for a line is cut off."""
    lines: list[str] = []
    for word in text.split():
        if lines and width_of(f"{lines[-1]} {word}", size) <= room:
            lines[-1] += f" {word}"
        else:
            lines.append(clip(word, size, room))
    return lines


class Sheet:
    """A picture that is being drawn, in its own units.

    `letters` are the factions in it, `words` the words of its language.
    """

    def __init__(self, width: float, height: float, letters: Iterable[str], words: Words) -> None:
        self.width = width
        self.height = height
        self.letters = "".join(letters)
        self.words = words
        self._parts: list[str] = []

    # Strokes -----------------------------------------------------------------------------

    def add(self, part: str) -> None:
        """Add a piece of SVG."""
        self._parts.append(part)

    def box(
        self, x: float, y: float, width: float, height: float, kind: str, radius: float = 0
    ) -> None:
        """Draw a filled rectangle."""
        corner = f' rx="{_n(radius)}"' if radius else ""
        self.add(
            f'<rect class="{kind}" x="{_n(x)}" y="{_n(y)}" width="{_n(width)}" '
            f'height="{_n(height)}"{corner}/>'
        )

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: float,
        kind: str = "ink",
        *,
        bold: bool = False,
        anchor: str = "start",
        room: float = 0,
    ) -> float:
        """Draw a line of text, its baseline at `y`, cut off after `room`; returns its width."""
        if room:
            text = clip(text, size, room, bold=bold)
        place = "" if anchor == "start" else f' text-anchor="{anchor}"'
        weight = ' font-weight="bold"' if bold else ""
        self.add(
            f'<text class="{kind}" x="{_n(x)}" y="{_n(y)}" font-size="{_n(size)}"{place}{weight}>'
            f"{escape(text)}</text>"
        )
        return width_of(text, size, bold=bold)

    def shape(self, letter: str, x: float, y: float, size: float) -> None:
        """Draw the shape of a faction, in the current colour."""
        self.add(
            f'<use href="#claimlog-{letter}" transform="translate({_n(x)} {_n(y)}) '
            f'scale({_n(size / 24)})" fill="currentColor"/>'
        )

    def star(self, x: float, y: float, size: float) -> None:
        """Draw the star that marks a winner."""
        self.add(
            f'<path class="gold" transform="translate({_n(x)} {_n(y)}) scale({_n(size / 24)})" '
            f'd="{STAR}"/>'
        )

    # Cards -------------------------------------------------------------------------------

    def card(
        self, name: str | None, x: float, y: float, width: float, *, won: bool = False
    ) -> None:
        """Draw a card, face down if it is unknown; `won` frames it."""
        height, radius = width * TALL, width * ROUND
        if won:
            rim = max(3.0, width * 0.05)
            self.box(x - rim, y - rim, width + 2 * rim, height + 2 * rim, "gold", radius + rim)
        self.box(x, y, width, height, "sheet", radius)
        if name is None:
            self._back(x, y, width)
            return
        letter, value = name[0], name[1:]
        stroke = max(1.2, width * 0.022)
        self.add(f'<g class="of-{letter}">')
        self.add(
            f'<rect x="{_n(x + stroke / 2)}" y="{_n(y + stroke / 2)}" width="{_n(width - stroke)}" '
            f'height="{_n(height - stroke)}" rx="{_n(radius)}" fill="currentColor" '
            f'fill-opacity=".13" stroke="currentColor" stroke-width="{_n(stroke)}"/>'
        )
        if width < _DETAILED:
            self.shape(letter, x + width * 0.1, y + width * 0.66, width * 0.5)
        else:
            self.shape(letter, x + width * 0.27, y + width * 0.24, width * 0.46)
        self.add("</g>")
        if width < _DETAILED:
            self.text(x + width * 0.1, y + width * 0.48, name, width * 0.38, bold=True)
            return
        middle = x + width / 2
        self.text(x + width * 0.08, y + width * 0.24, letter, width * 0.2, bold=True)
        self.text(middle, y + width * 1.12, value, width * 0.42, bold=True, anchor="middle")
        faction = self.words.faction(letter)
        size = min(width * 0.125, width * 0.125 * 0.86 * width / width_of(faction, width * 0.125))
        self.text(middle, y + width * 1.3, faction, size, "dim", anchor="middle")

    def _back(self, x: float, y: float, width: float) -> None:
        height, rim = width * TALL, width * 0.07
        self.add(
            f'<rect class="edge" x="{_n(x + 0.6)}" y="{_n(y + 0.6)}" width="{_n(width - 1.2)}" '
            f'height="{_n(height - 1.2)}" rx="{_n(width * ROUND)}"/>'
        )
        self.box(x + rim, y + rim, width - 2 * rim, height - 2 * rim, "back", width * ROUND / 2)
        size = width * 0.26
        for i in range(3):
            half = size * (1, 0.62, 0.24)[i]
            middle, level = x + width / 2, y + height / 2
            self.add(
                f'<path class="{"sheet" if i == 1 else "weave"}" d="M{_n(middle)} '
                f"{_n(level - half * TALL)}L{_n(middle + half)} {_n(level)}L{_n(middle)} "
                f'{_n(level + half * TALL)}L{_n(middle - half)} {_n(level)}z"/>'
            )

    def place(self, x: float, y: float, width: float, *, due: bool = False) -> None:
        """Draw the place of a card to come; `due` if it is the next one."""
        self.add(
            f'<rect class="{"due" if due else "edge"}" x="{_n(x + 1)}" y="{_n(y + 1)}" '
            f'width="{_n(width - 2)}" height="{_n(width * TALL - 2)}" rx="{_n(width * ROUND)}" '
            'stroke-dasharray="7 5"/>'
        )

    def fan(
        self,
        cards: Sequence[str | None],
        x: float,
        y: float,
        room: float,
        width: float,
        labels: Mapping[str, str] | None = None,
    ) -> None:
        """Draw cards side by side, overlapping if there is not enough room.

        They may have `labels` by name, at the lower left where no other card covers them.
        """
        step = width * 1.08
        if len(cards) > 1:
            step = min(step, (room - width) / (len(cards) - 1))
        for i, name in enumerate(cards):
            self.card(name, x + i * step, y, width)
            if label := (labels or {}).get(name or ""):
                size = width * 0.22
                wide, low = width_of(label, size, bold=True) + size * 0.6, y + width * TALL
                self.box(x + i * step + 2, low - size * 1.4, wide, size * 1.3, "brand", size * 0.3)
                middle = x + i * step + 2 + wide / 2
                self.text(
                    middle, low - size * 0.4, label, size, "sheet", bold=True, anchor="middle"
                )

    # The whole -----------------------------------------------------------------------------

    def svg(
        self, title: str, description: str, theme: str = "auto", size: tuple[int, int] | None = None
    ) -> str:
        """Return the picture as text; `description` tells screen readers what it shows.

        With a `size` in pixels it is centred on paper of that size.  Raises ValueError if there is
        no such theme.
        """
        if theme not in THEMES:
            raise ValueError(f"no such theme: {theme!r} (there are {', '.join(THEMES)})")
        width, height = size or (round(self.width), round(self.height))
        scale = max(self.width / width, self.height / height)
        whole = (width * scale, height * scale)
        left, top = (self.width - whole[0]) / 2, (self.height - whole[1]) / 2
        used = [
            f'<path id="claimlog-{letter}" fill-rule="evenodd" d="{FACES[letter].shape}"/>'
            for letter in self.letters
        ]
        paper = f'<rect class="paper" x="{_n(left)}" y="{_n(top)}" '
        paper += f'width="{_n(whole[0])}" height="{_n(whole[1])}"/>'
        return "\n".join(
            (
                f'<svg xmlns="http://www.w3.org/2000/svg" class="claimlog" role="img" '
                f'lang="{self.words.language}" width="{width}" height="{height}" '
                f'viewBox="{_n(left)} {_n(top)} {_n(whole[0])} {_n(whole[1])}" '
                f'font-family="{FONTS}">',
                f"<title>{escape(title)}</title>",
                f"<desc>{escape(description)}</desc>",
                f"<style>{self._style(theme)}</style>",
                f"<defs>{''.join(used)}</defs>",
                paper,
                *self._parts,
                "</svg>\n",
            )
        )

    def _style(self, theme: str) -> str:
        if theme != "auto":
            return self._rules(theme)
        dark = self._rules("dark")
        return f"{self._rules('light')}@media (prefers-color-scheme: dark) {{{dark}}}"

    def _rules(self, theme: str) -> str:
        """Return the colours of one theme, for this picture alone."""
        rules = [f".{kind} {{fill: {colour}}}" for kind, colour in PAPERS[theme].items()]
        line, brand = PAPERS[theme]["line"], PAPERS[theme]["brand"]
        rules.append(f".edge {{fill: none; stroke: {line}; stroke-width: 1.5}}")
        rules.append(f".due {{fill: none; stroke: {brand}; stroke-width: 3}}")
        rules.append(f".weave {{fill: {line}}} .claimlog .own {{fill: currentColor}}")
        rules += [
            f".of-{letter} {{color: {getattr(FACES[letter], theme)}}}" for letter in self.letters
        ]
        return "".join(f".claimlog {rule}" for rule in rules)


def _n(number: float) -> str:
    """Return a number in its shortest form."""
    return (
        f"{number:.1f}".removesuffix(".0")
        if abs(number) >= 3
        else f"{number:.3f}".rstrip("0").rstrip(".")
    )
