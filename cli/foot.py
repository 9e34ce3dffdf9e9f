"""The keys at the bottom of a full-screen command."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Final

from rich.cells import cell_len
from textual.widgets import Footer

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.events import Resize

FIRST: Final = ("help", "do('help')", "leave")
"""The actions whose keys are shown even if nothing else fits."""


class Keys(Footer):
    """The keys for help and leaving, and the first of the others, as many as fit whole."""

    def __init__(self) -> None:
        super().__init__(show_command_palette=False, compact=True)

    def compose(self) -> ComposeResult:
        """Compose the keys that fit."""
        keys, action = list(super().compose()), attrgetter("action")
        shown = set()
        room = self.size.width + 1  # nothing needs to follow the last one
        for key in sorted(keys, key=lambda key: action(key) not in FIRST):
            for part in ("key_display", "description"):
                room -= cell_len(getattr(key, part)) + 1
            if room < 0:
                break
            shown.add(key)
        yield from (key for key in keys if key in shown)

    def on_resize(self, event: Resize) -> None:
        """Show as many keys as fit now."""
        if event.size.width:
            self.refresh(recompose=True)
