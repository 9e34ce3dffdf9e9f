"""The page that lists the keys of the stepper and the marks on its pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.screen import ModalScreen
from textual.widgets import Static

from ..faces import BACK
from ..layout import cells, length, table
from ..palette import styled
from .board import DECIDED
from .cardtable import ACTS, LEADS

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from claimlog.language import Words

    from ..layout import Line


class Help(ModalScreen[None]):
    """The keys and the marks; any key closes it, which the stepper handles."""

    DEFAULT_CSS = """
    Help { align: center middle; background: ansi_default; }
    Help Static { width: auto; max-width: 100%; height: auto; max-height: 100%; }
    """

    def __init__(self, words: Words) -> None:
        super().__init__()
        self.words = words

    def compose(self) -> ComposeResult:
        """Compose the help."""
        yield Static(styled(self._lines()), markup=False)

    def _lines(self) -> list[Line]:
        words = self.words
        keys = (
            (f"← → {words('key.space')}", "help.play"),
            ("↑ ↓", "help.trick"),
            ("h j k l", "help.letters"),
            (words("key.ends"), "help.ends"),
            ("g", "help.go"),
            ("n p G", "help.game"),
            ("a + -", "help.auto"),
            ("v", "help.view"),
            ("x", "help.guess"),
            ("w m", "help.worth"),
            ("t", "help.try"),
            ("c ! s", "help.note"),
            (words("key.page"), "help.scroll"),
            (words("key.mouse"), "help.mouse"),
            ("q Esc", "help.quit"),
        )
        marks = (
            (f"+ {LEADS} {ACTS}", "help.mark-seat"),
            (DECIDED, "help.mark-decided"),
            (BACK, "help.mark-unknown"),
            ("! ? !! ?? !? ?!", "help.mark-annotation"),
            ("^", "help.mark-irregular"),
        )
        wide = max(cells(key) for key, _ in (*keys, *marks))
        room = self.app.size.width - wide - 6
        lines: list[Line] = [[(words("help-title"), "head"), (f"  {words('help.close')}", "dim")]]
        for rows, title in ((keys, ""), (marks, "help.marks")):
            if title:
                lines += [[], [(words(title), "head")]]
            texts: list[list[Line]] = [[[(key, "b")], [(words(text), "")]] for key, text in rows]
            lines += table(texts, [wide, min(room, max(length(row[1]) for row in texts))])
        return lines

    def on_click(self) -> None:
        """Close."""
        self.dismiss()
