"""What a director hangs up or hands out, as pages for a printer: A4, black on white.

Each kind is one page for a browser that needs nothing else; the browser prints it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal, get_args

import segno
from markupsafe import Markup

from claimlog.draw.faces import FACES
from claimlog.web.rendering import render

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["KINDS", "Printed", "printed"]

Printed = Literal["pairings", "standings", "crosstable", "sheets", "cards", "certificates"]
KINDS: Final[tuple[Printed, ...]] = get_args(Printed)
"""The list on the wall, standings, crosstable, score sheets, table cards, certificates."""

OF_A_ROUND: Final[tuple[Printed, ...]] = ("pairings", "sheets", "cards")
"""What is printed of a round; all else is of the standings."""

PRIZES: Final = 3
"""How many ranks get a certificate."""


def printed(
    kind: Printed,
    language: str,
    *,
    name: str,
    board: Any = None,
    round: Any = None,
    standings: Any = None,
    crosstable: Any = None,
    links: Mapping[int, str] | None = None,
    most: int = PRIZES,
) -> bytes:
    """A page to print about the event `name`.

    `board` is the event as its director sees it, `round` one of its rounds: of those are the
    pairings, sheets and cards.  Standings are those of the archive; certificates go to the first
    `most` ranks.  `links` are the addresses by table that a card shows as a code to scan.
    """
    codes = {table: _code(link) for table, link in (links or {}).items()}
    return render(
        "print.html",
        language,
        kind=kind,
        name=name,
        board=board,
        round=round,
        standings=standings,
        crosstable=crosstable,
        codes=codes,
        most=most,
        shapes={letter: Markup(face.shape) for letter, face in FACES.items()},
    )


def _code(link: str) -> Markup:
    """An address as a QR code (SVG)."""
    code = segno.make(link, error="m", micro=False)
    return Markup(code.svg_inline(scale=3, border=2, omitsize=True))
