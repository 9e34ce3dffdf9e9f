"""Corrections of tags in many records at once, for a director (`Archive.correct_games`)."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Final

import msgspec

from claimlog.notation.names import folded, tidy
from claimlog.notation.tags import SEATS, escape, unescape
from claimlog.store.model import types as t
from claimlog.store.model.errors import BadQuery, refuse_unfit

if TYPE_CHECKING:
    from collections.abc import Mapping

MOST: Final = 10_000
"""The largest number of games corrected at once."""

PLAYERS: Final = tuple(f"Player{seat}" for seat in SEATS)
TAGS: Final = (
    *("Event", "Site", "Date", "Round", "Table", "Start", "End"),
    *PLAYERS,
    *(f"Rating{seat}" for seat in SEATS),
    *(f"Id{seat}" for seat in SEATS),
    *("Scenario", "Annotator", "Recorder", "Director"),
)
"""The tags that may be corrected this way: who played, when and where, not what was played."""


class Changes(msgspec.Struct, frozen=True):
    """New values of tags (None removes the tag), and new names of players."""

    tags: dict[str, str | None]
    names: dict[str, str]

    def check(self) -> None:
        """Raise BadQuery if there are no changes, or some that are not possible."""
        for tag, value in self.tags.items():
            if tag not in TAGS:
                raise BadQuery("correction.tag", tag=tag, names=TAGS, field="tags")
            refuse_unfit(tags=value or "")
        for name in (*self.names, *self.names.values()):
            refuse_unfit(names=name)
            if not tidy(name):
                raise BadQuery("player.name", field="names")
        if not self.tags and not self.names:
            raise BadQuery("correction.nothing", field="tags")

    def mark(self, games: list[tuple[int, int]]) -> str:
        """A text that identifies these changes to these revisions of games."""
        return sha256(msgspec.json.encode((self, games))).hexdigest()[:16]

    def made_in(self, record: str) -> tuple[str, list[t.TagChange]]:
        """Return a canonical record with the changes made, and the changes of its tags."""
        head, _, body = record.partition("\n\n")
        lines = head.split("\n")
        names = {folded(tidy(name)): new for name, new in self.names.items()}
        changes: Mapping[str, str | None] = dict(self.tags)
        done: list[t.TagChange] = []
        kept: list[str] = []
        seen = set()
        for line in lines:
            tag, _, quoted = line[1:-1].partition(" ")
            value = unescape(quoted[1:-1])
            seen.add(tag)
            new = changes.get(tag, value)
            if tag in PLAYERS and tag not in changes:
                new = names.get(folded(tidy(value)), value)
            if new != value:
                done.append(t.TagChange(tag=tag, before=value, after=new))
            if new is not None:
                kept.append(line if new == value else f'[{tag} "{escape(new)}"]')
        for tag, new in changes.items():
            if tag not in seen and new is not None:
                done.append(t.TagChange(tag=tag, before=None, after=new))
                kept.append(f'[{tag} "{escape(new)}"]')
        return "\n".join(kept) + "\n\n" + body, done
