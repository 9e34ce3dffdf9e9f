"""The standing of the factions before a game is over: the current count, and its bounds.

>>> from claimlog.cards import card, deck_of
>>> won = [[card("V5"), card("V7"), card("K5")], [card("V1"), card("G0")]]
>>> now = count_now(deck_of("GKVUX"), won, loot=0)
>>> now.count[VIKINGS], now.count[FACTION_COUNT + VIKINGS]
(3, 1)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from claimlog.cards import (
    BARDS,
    FACTION_COUNT,
    FACTIONS,
    GIANTS,
    GNOMES,
    GRIFFINS,
    KINGS,
    PEASANTS,
    RACCOONS,
    TROLLS,
    VIKINGS,
)
from claimlog.rules.data import TableData
from claimlog.rules.scoring import Count

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = [
    "BOUNDED",
    "FULL",
    "PLAIN",
    "adds_to_ranks",
    "asks_of_piles",
    "can_gauge",
    "count_now",
    "counts_alone",
    "decided_for",
    "lies_open",
    "limited_by",
    "moved_by",
    "removed_by",
    "shows_loot",
    "waits_in_line",
    "ways_of",
]

_MOST_EACH: Final = {VIKINGS: 2}
"""The most that a card counts for, if more than one (rules.md, "Vikings")."""
_REMOVED_BY: Final = {GNOMES: GIANTS}
"""The faction whose cards may still remove won cards of another (rules.md, "Giants")."""
_ASKED_ABOUT: Final = frozenset((GIANTS, GRIFFINS, KINGS, TROLLS))
"""Factions whose individual cards matter to a power: played, won or in line."""
_ASKS_OF_VALUES: Final = frozenset((GRIFFINS, VIKINGS))
"""Factions whose power depends on the values of cards of all factions."""
_LATE: Final = frozenset(
    number for number, faction in enumerate(FACTIONS) if faction.acts == "end"
) - {KINGS, RACCOONS, VIKINGS}
"""Factions that are not decided before the end: the longest run counts, or cards still move."""


def count_now(deck: int, won: Sequence[Iterable[int]], loot: int) -> Count:
    """The decided count as if the game ended now, with these cards won, by seat.

    `loot` is the set of values whose Raccoons show loot; loot that could count for several factions
    does not count for any yet.
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
    count.decide()
    return count


def decided_for(count: Count, faction: int, left: Sequence[int], loot: int) -> int | None:
    """The side, from 0, that can no longer be caught up with in `faction`.

    `count` is the current one, `left` the number of cards of each faction that may still be won.
    None also if it depends on powers at the end.
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


PLAIN, BOUNDED, FULL = 0, 1, 2
"""What can still matter about a faction before the end, see `ways_of`."""


def ways_of(deck: int, loot: int, present: Sequence[Sequence[int]]) -> tuple[list[int], bool]:
    """What can still matter about each faction's won cards in Phase 2 with two players.

    `present` has, by faction, the values of its cards in hands, in line and won.  `PLAIN`: how many
    each side has and who has the highest.  `BOUNDED`: the same, but powers depend on the individual
    cards.  `FULL`: everything, and nobody has the faction before the end.  What loot adds at the
    end does not count here; with loot the highest card can decide whatever the number of cards.

    Also returns whether the sides may win equally many factions: only then are the values of the
    cards compared (rules.md, "The end").
    """
    loot = loot if deck >> RACCOONS & 1 else 0
    there = [faction for faction in range(FACTION_COUNT) if deck >> faction & 1]
    ways = [PLAIN] * FACTION_COUNT
    won = [faction for faction in there if present[faction]]
    level = len(won) % 2 == 0 or bool(_REMOVED_BY.keys() & set(there)) or bool(loot)
    for faction in there:
        highest = max(present[faction], default=0)
        even = len(present[faction]) % 2 == 0
        if not counts_alone(faction, deck, 0):
            ways[faction] = FULL
        elif (even or loot) and present[faction].count(highest) > 1:
            ways[faction] = FULL
            level = True
        elif set(there) & _ASKS_OF_VALUES or faction in _ASKED_ABOUT:
            ways[faction] = BOUNDED
    return ways, level


def counts_alone(faction: int, deck: int, loot: int) -> bool:
    """Whether each won card of `faction` counts for one to the end, and nothing else does."""
    if deck >> RACCOONS & 1 and loot:
        return False
    return faction not in _LATE and faction not in _MOST_EACH and faction not in _REMOVED_BY


def shows_loot(faction: int) -> bool:
    """Whether cards of `faction` may show loot."""
    return faction == RACCOONS


def asks_of_piles(deck: int) -> bool:
    """Whether the effect of a Phase 2 trick depends on piles, displays or Trolls in line."""
    return any(deck >> faction & 1 for faction in (GIANTS, GNOMES, GRIFFINS, TROLLS))


def waits_in_line(faction: int) -> bool:
    """Whether cards of `faction` that were played may wait for later tricks.

    Under either ruling the highest of all is taken as soon as it is played, and each of those
    waiting counts for one, whichever is taken first.
    """
    return faction == TROLLS


def adds_to_ranks(faction: int) -> bool:
    """Whether won cards of `faction` make other cards of their value rank higher."""
    return faction == GRIFFINS


def moved_by(faction: int) -> int | None:
    """The faction whose won cards decide which side gets those of `faction` at the end."""
    return KINGS if faction == PEASANTS else None


def removed_by(faction: int) -> int | None:
    """The faction whose cards may still remove won cards of `faction`."""
    return _REMOVED_BY.get(faction)


def limited_by(faction: int, deck: int) -> int:
    """The set of factions whose cards determine what can still change in `faction`.

    For `claimlog.rules.limits`: until one of their cards is played, this stays as it is.
    """
    if faction == VIKINGS:
        return deck
    others = (moved_by(faction), removed_by(faction))
    return 1 << faction | sum(1 << other for other in others if other is not None)


def can_gauge(faction: int) -> bool:
    """Whether `claimlog.rules.limits.gauge` can say how far a side is ahead in `faction`."""
    return faction != BARDS


def lies_open(faction: int) -> bool:
    """Whether won cards of `faction` lie in a display of their own, not on the score pile."""
    return faction == GNOMES
