"""Methods of a game implemented in higher layers, set by `claimlog/__init__.py`."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

analyse: Callable[..., Any]
"""Return the value of each decision in Phase 2 of a game."""

game_html: Callable[[Any], str]
"""Return a game as HTML for a notebook."""

game_svg: Callable[[Any], str | None]
"""Return the last position of a game as a picture."""
