"""How the factions stand before a game is over: the score's own count, and its bounds.

>>> from claimlog.cards import card, deck_of
>>> won = [[card("V5"), card("V7"), card("K5")], [card("V1"), card("G0")]]
>>> now = count_now(deck_of("GKVUX"), won, loot=0)
>>> now.count[VIKINGS], now.count[FACTION_COUNT + VIKINGS]
(3, 1)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from claimlog.cards import (
    FACTION_COUNT,
    FACTIONS,
    GIANTS,
    GNOMES,
    KINGS,
    RACCOONS,
    VIKINGS,
)
from claimlog.rules.data import TableData
from claimlog.rules.scoring import Count

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["count_now", "decided_for", "lies_open"]

_MOST_EACH: Final = {VIKINGS: 2}
"""What a card counts for at most where that is more than one (rules.md, "Vikings")."""
_REMOVED_BY: Final = {GNOMES: GIANTS}
"""The faction whose cards may still take won cards of another away (rules.md, "Giants")."""
_LATE: Final = frozenset(
    number for number, faction in enumerate(FACTIONS) if faction.acts == "end"
) - {KINGS, RACCOONS, VIKINGS}
"""Those that are not decided before the end: the longest run counts, cards still move."""


def count_now(deck: int, won: Sequence[Iterable[int]], loot: int) -> Count:
    """The count as if the game ended now, with these cards won, by seat.

    `loot` is the set of values whose Raccoons show loot; loot that could count for several
    factions counts for none yet.
    """
    table = TableData()
    table.seats = len(won)
    table.deck = deck
    for seat, cards in enumerate(won):
        for card in cards:
            table.gained = 0
            table.gain(seat, card)
    count = Count()
    count.gather(table, loot)
    return count


def decided_for(count: Count, faction: int, left: Sequence[int], loot: int) -> int | None:
    """The side, from 0, that nobody can catch up with in `faction` any more.

    `count` is that of now, `left` says how many cards of each faction may still be won.  None
    also where it depends on what powers do at the end.
    """
    if faction in _LATE:
        return None
    least, most = [], []
    for side in range(count.sides):
        cards = count.cards[side * FACTION_COUNT + faction]
        taken = left[_REMOVED_BY[faction]] if faction in _REMOVED_BY else 0
        least.append(cards - taken)
        more = count.loot[side] + left[RACCOONS] if loot else 0
        most.append((cards + left[faction]) * _MOST_EACH.get(faction, 1) + more)
    for side, sure in enumerate(least):
        if all(sure > limit for other, limit in enumerate(most) if other != side):
            return side
    return None


def lies_open(faction: int) -> bool:
    """Whether won cards of `faction` lie on a display of their own, not on the score pile."""
    return faction == GNOMES
