"""Which factions can no longer be lost in Phase 2 with two players, whatever is still played.

Where every card counts for one, a faction is safe once the lead exceeds the cards left; this module
is about the others, whose cards count differently at the end or may be lost again.  A result given
here holds for every continuation; if none is given, the faction may be decided nevertheless.

Compiled (see ``limits.pxd``) or interpreted from this one source.
"""

from claimlog.cards import (
    BARDS,
    FACTION_COUNT,
    FACTIONS,
    GIANTS,
    GNOMES,
    KINGS,
    PEASANTS,
    RACCOONS,
    VALUE_ROOM,
    VIKINGS,
)
from claimlog.rules.data import TableData

NOBODY = -1
GNOME_VALUES = bytes(sorted(FACTIONS[GNOMES].values))
GNOME_KINDS = len(GNOME_VALUES)
SET = 16
"""The bits of a set of values."""
ALL = (1 << SET) - 1
PAIRS = 0x5555555555555555
FOURS = 0x3333333333333333
EIGHTS = 0x0F0F0F0F0F0F0F0F
SIXTEENS = 0x001F001F001F001F
"""Masks for adding up bits in groups of this size."""


def number_of(values: int) -> int:
    """The number of values in a set (bit ``1 << value``)."""
    # Add up pairs, fours and eights of bits.
    values -= values >> 1 & 0x5555
    values = (values & 0x3333) + (values >> 2 & 0x3333)
    values = values + (values >> 4) & 0x0F0F
    return values + (values >> 8) & 31


def numbers_of(first: int, second: int, third: int, fourth: int) -> int:
    """The numbers of values in four sets at once, each in 16 bits, the first in the lowest."""
    values = first | second << SET | third << 2 * SET | fourth << 3 * SET
    values -= values >> 1 & PAIRS
    values = (values & FOURS) + (values >> 2 & FOURS)
    values = values + (values >> 4) & EIGHTS
    return values + (values >> 8) & SIXTEENS


def longest_run(values: int) -> int:
    """The length of the longest run of consecutive values."""
    length = 0
    while values:
        values &= values >> 1
        length += 1
    return length


def highest(values: int) -> int:
    """The highest value of a set, as a set."""
    values |= values >> 1
    values |= values >> 2
    values |= values >> 4
    values |= values >> 8
    return values ^ values >> 1


def shown_late(faction: int) -> bool:
    """Whether only the end decides who has a won card: Peasants move, Gnomes may be smashed.

    (rules.md, "Peasants", "Giants")
    """
    return faction in (PEASANTS, GNOMES)


def near(kings: int) -> int:
    """The values within three of one of these Kings (rules.md, "Peasants")."""
    return kings | kings >> 1 | kings >> 2 | kings >> 3


LATE = sum(1 << faction for faction in range(FACTION_COUNT) if shown_late(faction))
"""These factions, as a set."""


class Left:
    """The cards not won yet: their `number` and set of `values`, by faction.

    `pairs` are the values with two cards left.  `prepare`, `gauge` and `ask` store their results
    here, too.  By side: of the Gnomes that lie open the values (`lies`) and their number (`lying`),
    the values of those that cannot all be smashed any more (`stays`), and how many may be
    (`smashed`); `kept` are the values of `shown_late` cards that a side keeps whatever is still
    played, `own` those on all its cards but Vikings, `twice` the values that either may still get.
    `capped` if no more Gnomes of a value matter than there are Giants of it left; `closed` is the
    set of factions that are decided for good, which `ask` may skip.  `factions` lists all factions;
    only the first `decks` of them, which may be in the deck, are looked at.
    """

    def __init__(self) -> None:
        self.number = [0] * 24
        self.values = [0] * 24
        self.margin = 0
        self.rise = 0
        self.fall = 0
        self.shows = [0] * 2
        self.stays = [0] * 2
        self.capped = False
        self.late = 0
        self.asks = [0] * 24
        self.pairs = [0] * 24
        self.closed = 0
        self.lies = [0] * 2
        self.lying = [0] * 2
        self.smashed = [0] * 2
        self.kept = [0] * 2
        self.own = [0] * 2
        self.twice = 0
        self.factions = list(range(24))
        self.decks = FACTION_COUNT


def prepare(position: TableData, left: Left, before: Left, played: int) -> None:
    """Find what all other questions need; to be called first, whenever cards have been won.

    `before` is what was found before, and `played` the set of factions of which cards have been
    played since; -1 if nothing was found before.
    """
    deck = position.deck
    own = 0
    other = 0
    if deck >> GNOMES & 1:
        if played & (1 << GNOMES | 1 << GIANTS):
            _look_at_gnomes(position, left)
        else:
            left.capped = before.capped
            for side in range(2):
                left.lies[side] = before.lies[side]
                left.stays[side] = before.stays[side]
                left.lying[side] = before.lying[side]
                left.smashed[side] = before.smashed[side]
        own = left.lies[0] & ~left.values[GIANTS]
        other = left.lies[1] & ~left.values[GIANTS]
    if deck >> PEASANTS & 1:
        near_own = near(position.mask[KINGS])
        near_other = near(position.mask[FACTION_COUNT + KINGS])
        coming = near(left.values[KINGS])
        mine = position.mask[PEASANTS]
        theirs = position.mask[FACTION_COUNT + PEASANTS]
        own |= mine & near_own | theirs & ~(near_other | coming)
        other |= theirs & near_other | mine & ~(near_own | coming)
    left.kept[0] = own
    left.kept[1] = other
    if deck >> VIKINGS & 1:
        # A Gnome that may still be smashed needs no bit: the Giant has the same value.
        twice = position.mask[PEASANTS] | position.mask[FACTION_COUNT + PEASANTS]
        twice &= ~(own | other)
        for i in range(left.decks):
            faction = left.factions[i]
            if faction != VIKINGS:
                twice |= left.values[faction]
                if not LATE >> faction & 1:
                    own |= position.mask[faction]
                    other |= position.mask[FACTION_COUNT + faction]
        left.own[0] = own
        left.own[1] = other
        left.twice = twice


def _look_at_gnomes(position: TableData, left: Left) -> None:
    """Find the Gnomes that lie open, and those of them that Giants may still smash."""
    for side in range(2):
        lies = 0
        stays = 0
        number = 0
        smashed = 0
        for k in range(GNOME_KINDS):
            value = GNOME_VALUES[k]
            here = position.display[side * VALUE_ROOM + value]
            if here:
                giants = giants_for(left, value)
                number += here
                lies |= 1 << value
                if here > giants:
                    stays |= 1 << value
                if giants:
                    smashed += here
        left.lies[side] = lies
        left.stays[side] = stays
        left.lying[side] = number
        left.smashed[side] = min(smashed, left.number[GIANTS])


def gauge(position: TableData, faction: int, left: Left) -> None:
    """Find how far side 0 is ahead in a faction, and what can change that; not for Bards or loot.

    The margin counts two for each card and one for the highest, so whoever is ahead at the end has
    the faction.  It can rise by at most `rise` and fall by at most `fall`, and how it changes
    depends only on the cards not won yet and on what each side `shows`: two positions that agree in
    these differ only in the margin.
    """
    j = FACTION_COUNT + faction
    mine = position.mask[faction]
    theirs = position.mask[j]
    number = left.number[faction]
    left.margin = 2 * (position.count[faction] - position.count[j])
    left.rise = 2 * number
    left.fall = 2 * number
    if faction == VIKINGS:
        _gauge_vikings(position, left)
    elif faction == PEASANTS:
        _gauge_peasants(position, left)
    else:
        if faction == GNOMES:
            _gauge_gnomes(position, left)
            mine = left.shows[0]
            theirs = left.shows[1]
        else:
            left.shows[0] = highest(mine)
            left.shows[1] = highest(theirs)
        # Each side may have one of several highest cards: then nobody is ahead.
        if number or (faction == GNOMES and left.number[GIANTS]):
            left.rise += 1
            left.fall += 1
        elif highest(mine) > highest(theirs):
            left.margin += 1
        elif highest(mine) < highest(theirs):
            left.margin -= 1


def _gauge_vikings(position: TableData, left: Left) -> None:
    mine = position.mask[VIKINGS]
    theirs = position.mask[FACTION_COUNT + VIKINGS]
    coming = left.values[VIKINGS]
    own = left.own[0]
    other = left.own[1]
    twice = left.twice
    shown = mine & ~own & twice
    shown_theirs = theirs & ~other & twice
    # Each Viking is there once: what comes is not among those shown.
    numbers = numbers_of(
        mine & own,
        theirs & other,
        shown | coming & (own | twice),
        shown_theirs | coming & (other | twice),
    )
    left.margin += 2 * ((numbers & ALL) - (numbers >> SET & ALL))
    left.rise += 2 * (numbers >> 2 * SET & ALL)
    left.fall += 2 * (numbers >> 3 * SET)
    left.late = shown | shown_theirs | coming
    left.shows[0] = shown | own & coming
    left.shows[1] = shown_theirs | other & coming
    _gauge_highest(left, highest(mine | theirs | coming), mine, theirs)


def _gauge_peasants(position: TableData, left: Left) -> None:
    coming = left.values[PEASANTS]
    own = position.mask[PEASANTS]
    other = position.mask[FACTION_COUNT + PEASANTS]
    mine = left.kept[0]
    theirs = left.kept[1]
    open_yet = (own | other) & ~mine & ~theirs
    numbers = numbers_of(mine, theirs, open_yet, 0)
    left.margin = 2 * ((numbers & ALL) - (numbers >> SET & ALL))
    left.rise += 2 * (numbers >> 2 * SET)
    left.fall += 2 * (numbers >> 2 * SET)
    left.shows[0] = own & open_yet | near(position.mask[KINGS]) & coming
    left.shows[1] = other & open_yet | near(position.mask[FACTION_COUNT + KINGS]) & coming
    _gauge_highest(left, highest(own | other | coming), mine, theirs)


def _gauge_highest(left: Left, top: int, mine: int, theirs: int) -> None:
    """Add one to the margin for the side with the highest card; if that is open, to the bounds."""
    if mine & top:
        left.margin += 1
    elif theirs & top:
        left.margin -= 1
    elif top:
        left.rise += 1
        left.fall += 1


def giants_for(left: Left, value: int) -> int:
    """The number of Giants of a value that are left, at most two."""
    return (left.values[GIANTS] >> value & 1) + (left.pairs[GIANTS] >> value & 1)


def _gauge_gnomes(position: TableData, left: Left) -> None:
    left.margin += 2 * (left.lying[0] - left.lying[1])
    left.fall += 2 * left.smashed[0]
    left.rise += 2 * left.smashed[1]
    left.shows[0] = left.lies[0]
    left.shows[1] = left.lies[1]
    left.capped = not position.deck >> VIKINGS & 1
    if left.capped:
        # Of the Gnomes that stay, only the highest of both sides can still matter.
        own = highest(left.stays[0])
        other = highest(left.stays[1])
        left.shows[0] = own if own >= other else 0
        left.shows[1] = other if other >= own else 0


def ask(position: TableData, left: Left, loot: int) -> None:
    """Set which values of cards not won yet matter to powers at the end, by faction (`asks`).

    `loot` is the set of values whose Raccoons show loot.
    """
    deck = position.deck
    for i in range(left.decks):
        left.asks[left.factions[i]] = 0
    if deck & ~left.closed & 1 << PEASANTS:
        kings = position.mask[KINGS]
        other_kings = position.mask[FACTION_COUNT + KINGS]
        coming = left.values[PEASANTS]
        own = position.mask[PEASANTS]
        other = position.mask[FACTION_COUNT + PEASANTS]
        values = coming & ~(near(kings) & near(other_kings))
        left.asks[PEASANTS] = values | highest(own | other | coming)
        values |= own & ~near(kings) | other & ~near(other_kings)
        left.asks[KINGS] = values | values << 1 | values << 2 | values << 3
    if deck & ~left.closed & 1 << GNOMES:
        smashed = left.values[GIANTS]
        values = left.values[GNOMES]
        # For a Gnome that no Giant can smash, it only matters whether it is the highest.
        top = highest(left.stays[0] | left.stays[1])
        left.asks[GNOMES] = values & (smashed | ~(top - 1)) if top else values
        left.asks[GIANTS] = (values | left.lies[0] | left.lies[1]) & smashed
    left.asks[RACCOONS] = left.values[RACCOONS] & loot
    if deck >> BARDS & 1 and decided(position, BARDS, left, loot) == NOBODY:
        left.asks[BARDS] = left.values[BARDS]
    if deck & ~left.closed & 1 << VIKINGS:
        own = left.own[0]
        other = left.own[1]
        mine = position.mask[VIKINGS]
        theirs = position.mask[FACTION_COUNT + VIKINGS]
        coming = left.values[VIKINGS]
        values = mine & ~own | theirs & ~other | coming & (own | other | left.twice)
        for i in range(left.decks):
            faction = left.factions[i]
            if deck >> faction & 1:
                left.asks[faction] |= values
        left.asks[VIKINGS] |= highest(mine | theirs | coming)


def close(position: TableData, left: Left) -> None:
    """Clear `closed` if cards of those factions may still make Vikings count twice."""
    if position.deck & ~left.closed & 1 << VIKINGS:
        left.closed = 0
    else:
        left.late = 0


def loot_for(position: TableData, left: Left, loot: int, side: int) -> int:
    """The most loot that a side may have at the end."""
    won = position.mask[side * FACTION_COUNT + RACCOONS]
    return number_of((won | left.values[RACCOONS]) & loot)


def decided(position: TableData, faction: int, left: Left, loot: int) -> int:
    """The side that is sure to win `faction`, or `NOBODY` if that is open; for Bards.

    They are won by the longest run (rules.md, "Bards"), which has no margin for `gauge`.  Of equal
    runs the number of cards decides, to which `loot` may add, then the highest.
    """
    values = left.values[faction]
    mine = position.mask[faction]
    theirs = position.mask[FACTION_COUNT + faction]
    if _by_run(mine, loot) > _by_run(theirs | values, loot):
        return 0
    return 1 if _by_run(theirs, loot) > _by_run(mine | values, loot) else NOBODY


def _by_run(values: int, loot: int) -> int:
    """A set of Bards, by values, as a number: the higher the better, whatever loot may add."""
    if loot:
        return longest_run(values)
    return (longest_run(values) << 4 | number_of(values)) << 16 | highest(values)
