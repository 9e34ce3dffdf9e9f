"""`claimlog link`: the code of a game as a QR code in the terminal."""

from __future__ import annotations

import segno
from replaying import DATA, claimlog

LIGHT = {"█": (1, 1), "▀": (1, 0), "▄": (0, 1), " ": (0, 0)}
"""Which half of a character is light: upper, lower."""


def test_a_link_as_a_qr_code():
    """The QR code below the link encodes it, in light and dark, with a margin around it."""
    code, out, err = claimlog(
        "link", DATA / "sample.clm", "--qr", "--url", "https://claim.example", "--lang", "de"
    )
    assert (code, err) == (0, "")
    link, *drawn = out.splitlines()
    assert link.startswith("https://claim.example/r/")
    assert "\x1b" not in out
    wide = max(map(len, drawn))
    rows = []
    for line in drawn:
        halves = [LIGHT[c] for c in line.ljust(wide)]
        rows += [[not light for light in row] for row in zip(*halves, strict=True)]
    qr = segno.make(link, error="l", micro=False)
    margin = qr.default_border_size
    inner = [row[margin : wide - margin] for row in rows[margin : margin + len(qr.matrix)]]
    assert inner == [[bool(cell) for cell in row] for row in qr.matrix]
    assert not any(map(any, rows[:margin]))
