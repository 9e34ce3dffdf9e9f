"""What a game offers that is made above it; the package hands it down (`claimlog/__init__.py`)."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

analyse: Callable[..., Any]
"""What each decision of Phase 2 of a game was worth."""

game_html: Callable[[Any], str]
"""What a notebook shows of a game."""

game_svg: Callable[[Any], str | None]
"""Its last position as a picture."""
