"""Which factions cannot be lost any more in Phase 2 of a game of two, whatever is still played.

Where a card counts for one, whoever is ahead by more than what is left has the faction; here are
the others, whose cards count otherwise at the end or may be lost again.  What is said holds for
every way in which the game can go on; where nothing is said the faction may still be decided.

Compiled (see ``limits.pxd``) or interpreted from this one source.
"""

from claimlog.cards import (
    BARDS,
    FACTION_COUNT,
    GIANTS,
    GNOMES,
    GRIFFINS,
    KINGS,
    PEASANTS,
    RACCOONS,
    VALUE_ROOM,
    VIKINGS,
)
from claimlog.rules.data import TableData

NOBODY = -1


def number_of(values: int) -> int:
    """How many values a set has."""
    number = 0
    while values:
        values &= values - 1
        number += 1
    return number


def longest_run(values: int) -> int:
    """The length of the longest run of consecutive values."""
    length = 0
    while values:
        values &= values >> 1
        length += 1
    return length


def near(kings: int) -> int:
    """The values to which one of these Kings is near enough (rules.md, "Peasants")."""
    return kings | kings >> 1 | kings >> 2 | kings >> 3


def shown_late(faction: int) -> bool:
    """Whether only the end says who shows a won card: Peasants move, Gnomes may be smashed."""
    return faction in (PEASANTS, GNOMES)


def doubling(position: TableData, side: int) -> int:
    """The values that a side has on another card than a Viking (rules.md, "Vikings").

    Without those that are `shown_late`.
    """
    values = 0
    for faction in range(FACTION_COUNT):
        if position.deck >> faction & 1 and faction != VIKINGS and not shown_late(faction):
            values |= position.mask[side * FACTION_COUNT + faction]
    return values


def asked_about(deck: int) -> list[tuple[int, int]]:
    """Factions of which it matters which cards a side has won, and the faction for which it does.

    Kings for the Peasants, until these are decided; Griffins for every trick: `NOBODY`.
    """
    pairs = ((GRIFFINS, NOBODY), (KINGS, PEASANTS))
    return [(one, other) for one, other in pairs if deck >> one & 1]


def doubler(deck: int) -> int:
    """The faction whose cards may count twice for the values of others, or `NOBODY`."""
    return VIKINGS if deck >> VIKINGS & 1 else NOBODY


class Left:
    """What has not been won yet: `number` of cards and set of `values`, by faction."""

    def __init__(self) -> None:
        self.number = [0] * 24
        self.values = [0] * 24


def decided(position: TableData, faction: int, left: Left, loot: int) -> int:
    """The side that will have `faction`, or `NOBODY` if that is open.

    `loot` is the set of values whose Raccoons show loot.
    """
    j = FACTION_COUNT + faction
    mine = position.count[faction]
    theirs = position.count[j]
    # The Raccoons with loot that each side may have at most: they may count for any faction.
    loot_mine = 0
    loot_theirs = 0
    if loot:
        more = number_of(left.values[RACCOONS] & loot)
        loot_mine = more + number_of(position.mask[RACCOONS] & loot)
        loot_theirs = more + number_of(position.mask[FACTION_COUNT + RACCOONS] & loot)
    if faction == BARDS:
        values = left.values[BARDS]
        mine = longest_run(position.mask[faction])
        theirs = longest_run(position.mask[j])
        if mine > longest_run(position.mask[j] | values):
            return 0
        return 1 if theirs > longest_run(position.mask[faction] | values) else NOBODY
    if faction == PEASANTS:
        kings = position.mask[KINGS]
        other_kings = position.mask[FACTION_COUNT + KINGS]
        coming = left.values[KINGS]
        own = position.mask[faction]
        other = position.mask[j]
        total = left.number[faction] + mine + theirs
        # Those that stay, and those that come over.
        mine = number_of(own & near(kings)) + number_of(other & ~near(other_kings | coming))
        theirs = number_of(other & near(other_kings)) + number_of(own & ~near(kings | coming))
        if mine > total - mine + loot_theirs:
            return 0
        return 1 if theirs > total - theirs + loot_mine else NOBODY
    if faction == GNOMES:
        for value in range(VALUE_ROOM):
            mine += position.display[value]
            theirs += position.display[VALUE_ROOM + value]
    most = mine + left.number[faction]
    most_theirs = theirs + left.number[faction]
    if faction == VIKINGS:
        mine += number_of(position.mask[faction] & doubling(position, 0))
        theirs += number_of(position.mask[j] & doubling(position, 1))
        most *= 2
        most_theirs *= 2
    elif faction == GNOMES:
        mine -= left.number[GIANTS]
        theirs -= left.number[GIANTS]
    if mine > most_theirs + loot_theirs:
        return 0
    return 1 if theirs > most + loot_mine else NOBODY
