"""Pictures as PNG; needs the extra `pictures` (resvg, and matplotlib's fonts)."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from claimlog.draw.picture import PREVIEW, preview_svg

if TYPE_CHECKING:
    from claimlog.language import Words
    from claimlog.replay.viewpoint import Position, Viewpoint

__all__ = ["open_graph_png", "png"]

FONTS: Final = ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf")


def png(svg: str, size: tuple[int, int] | None = None) -> bytes:
    """Return a picture as PNG, in its own size unless a `size` in pixels is given.

    The fonts are the same on every machine.  Raises ImportError without the extra `pictures`, and
    ValueError for an invalid picture.
    """
    from resvg_py import svg_to_bytes

    width, height = size or (None, None)
    return bytes(
        svg_to_bytes(
            svg_string=svg,
            width=width,
            height=height,
            skip_system_fonts=True,
            font_files=_fonts(),
            font_family="DejaVu Sans",
            sans_serif_family="DejaVu Sans",
        )
    )


def open_graph_png(viewpoint: Viewpoint, position: Position, words: Words) -> bytes:
    """Return the picture that a link to the moment shows in a chat, 1200 × 630.

    Raises ImportError without the extra `pictures`.
    """
    return png(preview_svg(viewpoint, position, words), PREVIEW)


@cache
def _fonts() -> list[str]:
    import matplotlib

    folder = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
    return [str(folder / name) for name in FONTS]
