"""Draw docs/picture.svg, the picture of a moment in the README.

`python docs/picture.py` draws it again.
"""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[1]


def picture() -> str:
    """The second play of trick 20 of the sample game is due, as seat 1 sees it."""
    from claimlog import read_games
    from claimlog.draw.picture import position_svg
    from claimlog.language import words
    from claimlog.replay.viewpoint import Viewpoint

    viewpoint = Viewpoint(next(read_games(ROOT / "data" / "sample.clm")), 1)
    return position_svg(viewpoint, viewpoint.at(20, 1), words())


if __name__ == "__main__":
    (ROOT / "docs" / "picture.svg").write_text(picture(), encoding="utf-8")
