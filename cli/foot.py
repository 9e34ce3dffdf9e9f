"""The keys at the bottom of a full-screen command."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.cells import cell_len
from textual.widgets import Footer

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.events import Resize


class Keys(Footer):
    """The first of the keys, as many as fit: none is cut, so the least important come last."""

    def __init__(self) -> None:
        super().__init__(show_command_palette=False, compact=True)

    def compose(self) -> ComposeResult:
        """Compose the keys that fit."""
        room = self.size.width + 1  # nothing needs to follow the last one
        for key in super().compose():
            for part in ("key_display", "description"):
                room -= cell_len(getattr(key, part)) + 1
            if room < 0:
                return
            yield key

    def on_resize(self, event: Resize) -> None:
        """Show as many keys as fit now."""
        if event.size.width:
            self.refresh(recompose=True)
