"""Messages about a name or an id that is unknown, or matches several players, events or games."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from claimlog.language import Words
    from claimlog.store import Candidate, Unclear


def explain(unclear: Unclear, words: Words) -> str:
    """The problem on one line, then one line for each possible match."""
    from rich.cells import cell_len

    from claimlog.replay.narration import plain

    kind, text = unclear.kind, plain(unclear.text)
    if unclear.count:
        first = words(f"several.{kind}", number=unclear.count, text=text)
    elif unclear.candidates:
        first = words(f"none-but.{kind}", text=text)
    else:
        first = words(f"none.{kind}", text=text)
    names = [plain(one.name) or "?" for one in unclear.candidates]
    width = max(map(cell_len, names), default=0)
    lines = [
        f"  {one.id}  {name}{' ' * (width - cell_len(name))}  {_apart(one, words)}".rstrip()
        for name, one in zip(names, unclear.candidates, strict=True)
    ]
    if unclear.count > len(lines):
        lines.append("  " + words("several-more", number=unclear.count - len(lines)))
    return "\n".join([first, *lines])


def _apart(one: Candidate, words: Words) -> str:
    """What distinguishes a player, event or game from others."""
    from claimlog.replay.narration import plain

    parts = []
    if one.deleted:
        parts.append(words("apart.deleted"))
    if one.event is not None:
        parts.append(plain(one.event))
    if one.games is not None:
        parts.append(words.count("apart.games", one.games))
    if one.last_date is not None:
        when = words.date(plain(one.last_date))
        parts.append(when if one.kind == "game" else words("apart.last", date=when))
    if one.rating is not None:
        parts.append(words("rating", rating=f"{one.rating:g}"))
    if one.tag_id is not None:
        parts.append(f"Id {plain(one.tag_id)}")
    return ", ".join(parts)
