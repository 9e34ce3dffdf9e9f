"""Why a game went as it did: the reasons, which the rules note where they act.

A reason is a small integer, the index of its code in `REASONS`; `claimlog.language` has a text for
each code, and only the rules determine which of them applies.  They are noted only if
`TableData.noting` or `CountData.noting` is set, in the order of events, and `gathered` puts them
into the order of the report.

>>> REASONS[HIGHEST], REASONS[TAKEN_UPCARD]
('why.highest', 'taken.upcard')
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable

REASONS: Final = (
    # The standing of a play
    "role.off",
    "role.follow",
    "role.knight",
    "role.double",
    "role.lead",
    "role.discard",
    "role.unknown",
    # Why a trick was won
    "why.auto",
    "why.mark",
    "why.alone",
    "why.highest",
    "why.knight",
    "why.knights",
    "why.double",
    "why.first",
    "why.griffin",
    # What each seat took for its followers
    "taken.seer",
    "taken.upcard",
    "taken.hidden",
    # Where other cards went
    "out.seer",
    "out.undead",
    "out.pile",
    "out.dwarves-lost",
    "out.dwarves-lowest",
    "out.dwarves-later",
    "out.gnomes",
    "out.giants",
    "out.troll",
    "out.trolls-last",
    # Who leads the next trick
    "next.automaton-late",
    "next.automaton-first",
    "next.next-automaton",
    "next.next-dragon",
    "next.next-last-dragon",
    "next.next-winner",
    "next.phase-2",
    # Before the count, by side
    "end.end-gnomes",
    "end.end-peasants",
    "end.end-loot",
    # What counts, by side
    "counts.viking",
    "counts.run",
    # How a faction was won, by side
    "decided.count",
    "decided.highest",
    "decided.run",
    "decided.bards-count",
    "decided.bards-highest",
    "decided.tie",
    "decided.none",
    # How sides with equally many factions were separated
    "tiebreak.cards",
    "tiebreak.value",
    "tiebreak.cards-value",
)
"""The codes of all reasons, in the order in which they are reported."""

(
    ROLE_OFF,
    ROLE_FOLLOW,
    ROLE_KNIGHT,
    ROLE_DOUBLE,
    ROLE_LEAD,
    ROLE_DISCARD,
    ROLE_UNKNOWN,
    AUTO,
    MARK,
    ALONE,
    HIGHEST,
    KNIGHT,
    HIGHEST_KNIGHT,
    DOUBLE,
    FIRST_OF_EQUALS,
    GRIFFIN,
    TAKEN_SEER,
    TAKEN_UPCARD,
    TAKEN_HIDDEN,
    SEER,
    UNDEAD_SCORED,
    SCORED,
    DWARVES_LOST,
    DWARVES_LOWEST,
    DWARVES_LATER,
    GNOMES_OPEN,
    GNOMES_SMASHED,
    TROLL_TAKEN,
    TROLLS_LAST,
    AUTOMATON_LATE,
    AUTOMATON_FIRST,
    NEXT_AUTOMATON,
    NEXT_DRAGON,
    NEXT_LAST_DRAGON,
    NEXT_WINNER,
    PHASE_2,
    GNOMES_JOIN,
    PEASANTS_MOVE,
    LOOT_COUNTS,
    VIKING_TWICE,
    BARDS_RUN,
    BY_COUNT,
    BY_HIGHEST,
    BY_RUN,
    BARDS_BY_COUNT,
    BARDS_BY_HIGHEST,
    TIED,
    NONE_WON,
    COMPARED_CARDS,
    COMPARED_VALUE,
    COMPARED_VALUE_LAST,
) = range(len(REASONS))


class Noted(NamedTuple):
    """One reason, in the integers of the rules.

    `seat` is the seat it happened to, at the end of a game the side, -1 for nobody.  `cards` caused
    it; `faction` (-1: none) and `number` (a trick, a value, a count, or a side from 1) depend on
    the reason.
    """

    reason: int
    seat: int
    cards: tuple[int, ...]
    faction: int
    number: int


Note: TypeAlias = "tuple[int, int, int, int, int]"
"""A reason as it is noted: ``(reason, seat, card, number, faction)``."""


def gathered(notes: Iterable[Note]) -> list[Noted]:
    """Put notes into the order of the report.

    The cards of equal notes are combined; a card of -1 means no card.
    """
    groups: dict[tuple[int, int, int, int], list[int]] = {}
    for reason, seat, card, number, faction in notes:
        cards = groups.setdefault((reason, seat, faction, number), [])
        if card >= 0:
            cards.append(card)
    return sorted(
        (
            Noted(reason, seat, tuple(cards), faction, number)
            for (reason, seat, faction, number), cards in groups.items()
        ),
        key=lambda noted: noted.reason,
    )
