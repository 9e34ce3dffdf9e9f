"""The power of each faction, one small function each (rules.md, "Powers").

The functions work on a `TableData` (what lies on the table) or, at the end, on a `CountData` (the
joined score piles).  `table` and `scoring` call them at the moment given by the rules; nothing else
in the engine refers to a faction by name, except that Gnomes lie in a display and that
Doppelgangers follow anything.

Goblins have no power.  The power of the Kings is that of the Peasants.
"""

from claimlog.cards import (
    AUTOMATONS,
    BARDS,
    CARD_AT,
    DOPPELGANGERS,
    DRAGONS,
    DWARVES,
    FACTION_COUNT,
    FACTION_OF,
    GIANTS,
    GNOMES,
    GOBLINS,
    GRIFFINS,
    KINGS,
    KNIGHTS,
    PEASANTS,
    RACCOONS,
    SEERS,
    TROLLS,
    UNDEAD,
    VALUE_OF,
    VALUE_ROOM,
    VIKINGS,
)
from claimlog.rules.data import CountData, TableData
from claimlog.rules.reasons import (
    ALONE,
    AUTOMATON_LATE,
    BARDS_RUN,
    DOUBLE,
    DWARVES_LATER,
    DWARVES_LOST,
    DWARVES_LOWEST,
    GNOMES_SMASHED,
    HIGHEST,
    HIGHEST_KNIGHT,
    KNIGHT,
    PEASANTS_MOVE,
    ROLE_DOUBLE,
    ROLE_FOLLOW,
    ROLE_KNIGHT,
    ROLE_OFF,
    TROLL_TAKEN,
    TROLLS_LAST,
    UNDEAD_SCORED,
    VIKING_TWICE,
)

NOBODY = -1

OFF, LED, ABOVE = 0, 1, 2
"""The standing of a card: of another faction than the led one, of the led one, or above it."""


# Both phases -------------------------------------------------------------------------


def may_play(held: int, led: int, faction: int) -> bool:
    """Whether a card of `faction` may be played to a lead of `led`.

    `held` is the set of factions in the player's hand.  A player with a card of the led faction
    must play one, or a Doppelganger; without one, anything goes (rules.md, "Phase 1", 2).
    """
    return faction == led or faction == DOPPELGANGERS or not held >> led & 1


def standing(faction: int, led: int) -> int:
    """The standing of a card of `faction` towards the led one (rules.md, "Phase 1", 3).

    Doppelgangers count as the led faction.  Knights stand above Goblins when Goblins were led; a
    Doppelganger that was led is not a Goblin.
    """
    if faction == led or faction == DOPPELGANGERS:
        return LED
    if faction == KNIGHTS and led == GOBLINS:
        return ABOVE
    return OFF


def role(faction: int, led: int) -> int:
    """The standing of a card of `faction` towards the led one, as a reason."""
    if faction == led:
        return ROLE_FOLLOW
    stands = standing(faction, led)
    return ROLE_DOUBLE if stands == LED else ROLE_KNIGHT if stands == ABOVE else ROLE_OFF


def winning(faction: int, led: int, rivals: bool) -> int:
    """The reason why a card of `faction` won; `rivals`: others had the same standing."""
    if standing(faction, led) == ABOVE:
        return HIGHEST_KNIGHT if rivals else KNIGHT
    if not rivals:
        return ALONE
    return HIGHEST if faction == led else DOUBLE


def dragons(position: TableData) -> int:
    """The seat that leads the next trick because of a Dragon, or `NOBODY` (rules.md, "Dragons").

    It is the seat that played a Dragon as the last card; with the ruling ``dragons=last-dragon``
    and three or four players, the seat that played the trick's last Dragon.
    """
    last = position.seats - 1
    first = 0 if position.any_dragon and position.seats > 2 else last
    while last >= first:
        if FACTION_OF[position.cards[last]] == DRAGONS:
            return position.seat_of(last)
        last -= 1
    return NOBODY


# Phase 1 -----------------------------------------------------------------------------


def undead(position: TableData) -> None:
    """Put Undead that were played on the trick winner's score pile (rules.md, "Undead")."""
    for i in range(position.seats):
        if FACTION_OF[position.cards[i]] == UNDEAD:
            position.gain(position.winner, position.cards[i])
            if position.noting:
                position.note(UNDEAD_SCORED, position.winner, position.cards[i])


def seers(winning: int) -> bool:
    """Whether a trick won with the card `winning` lets the winner look at the top hidden card.

    In Phase 1 (rules.md, "Seers").
    """
    return FACTION_OF[winning] == SEERS


def automatons(position: TableData, card: int) -> bool:
    """Whether the trick's winner, who won with `card`, also wins the next trick.

    With the ruling ``automatons=played`` any Automaton in the trick is enough.  There must be
    another trick in Phase 1 (rules.md, "Automatons").  Sets `position.automaton`.
    """
    if FACTION_OF[card] != AUTOMATONS:
        if not position.any_automaton or not position.factions >> AUTOMATONS & 1:
            return False
        i = 0
        while FACTION_OF[position.cards[i]] != AUTOMATONS:
            i += 1
        card = position.cards[i]
    if position.trick >= position.tricks:
        if position.noting:
            position.note(AUTOMATON_LATE, position.winner)
        return False
    position.automaton = card
    return True


# Phase 2 -----------------------------------------------------------------------------


def griffins(position: TableData, seat: int, card: int) -> int:
    """The bonus on `card`: 5 if `seat`'s score pile holds a Griffin of its printed value.

    Otherwise 0; seats count from 0 (rules.md, "Griffins").
    """
    shown = position.mask[seat * FACTION_COUNT + GRIFFINS]
    return 5 if shown >> VALUE_OF[card] & 1 else 0


def dwarves(position: TableData) -> None:
    """Send all Dwarves to the loser, with more players to whoever played the lowest value.

    The lowest value of any faction, bonus included; of equal ones the later play (rules.md,
    "Dwarves").
    """
    lowest = 0
    value = 0
    reason = DWARVES_LOST
    if position.seats == 2:
        lowest = 1 if position.winner == position.leader else 0
    else:
        reason = DWARVES_LOWEST
        for i in range(1, position.seats):
            if position.values[i] <= position.values[lowest]:
                reason = (
                    DWARVES_LATER
                    if position.values[i] == position.values[lowest]
                    else DWARVES_LOWEST
                )
                lowest = i
        value = position.values[lowest]
    seat = position.seat_of(lowest)
    for i in range(position.seats):
        if FACTION_OF[position.cards[i]] == DWARVES:
            position.goes_to[i] = seat
            if position.noting:
                position.note(reason, seat, position.cards[i], value)


def giants(position: TableData) -> None:
    """Let each Giant remove one Gnome of its value from the display of each opponent.

    That is, of the sides that did not win the trick (rules.md, "Giants", "Gnomes").
    """
    side = position.winner % 2
    for i in range(position.seats):
        card = position.cards[i]
        if FACTION_OF[card] != GIANTS:
            continue
        for seat in range(position.seats):
            if seat == position.winner or (position.seats == 4 and seat % 2 == side):
                continue
            k = seat * VALUE_ROOM + VALUE_OF[card]
            if position.display[k]:
                position.display[k] -= 1
                gnome = CARD_AT[GNOMES * VALUE_ROOM + VALUE_OF[card]]
                position.removed_seat[position.removed] = seat
                position.removed_card[position.removed] = gnome
                position.removed += 1
                if position.noting:
                    position.note(GNOMES_SMASHED, seat, gnome)


def trolls(position: TableData) -> None:
    """Give one Troll to the winner; the rest wait, and the last trick's winner takes them all.

    The highest of all, waiting or just played, is taken; with the ruling ``trolls=line`` the
    highest just played, otherwise the one waiting longest, and Trolls left over from one trick join
    the line highest first (rules.md, "Trolls").
    """
    first_new = position.waiting
    for i in range(position.seats):
        card = position.cards[i]
        if FACTION_OF[card] == TROLLS:
            start = first_new if position.troll_line else 0
            k = position.waiting
            while k > start and position.trolls[k - 1] < card:
                position.trolls[k] = position.trolls[k - 1]
                k -= 1
            position.trolls[k] = card
            position.waiting += 1
    if position.trick == 2 * position.tricks:
        reason = TROLLS_LAST if position.waiting > 1 else TROLL_TAKEN
        for i in range(position.waiting):
            position.gain(position.winner, position.trolls[i])
            if position.noting:
                position.note(reason, position.winner, position.trolls[i])
        position.waiting = 0
    elif position.waiting:
        taken = first_new if position.troll_line and first_new < position.waiting else 0
        position.gain(position.winner, position.trolls[taken])
        if position.noting:
            position.note(TROLL_TAKEN, position.winner, position.trolls[taken])
        position.waiting -= 1
        for i in range(taken, position.waiting):
            position.trolls[i] = position.trolls[i + 1]


# The end -----------------------------------------------------------------------------


def peasants(tally: CountData) -> None:
    """Move Peasants without a King of their value to three more to the opponent.

    All at once and unchecked; with three players to the next seat clockwise.  The Peasant 0 always
    moves: no King shows 3 or less (rules.md, "Peasants").
    """
    for side in range(tally.sides):
        kings = tally.mask[side * FACTION_COUNT + KINGS]
        near = kings | kings >> 1 | kings >> 2 | kings >> 3
        tally.moved[side] = tally.mask[side * FACTION_COUNT + PEASANTS] & ~near
    for side in range(tally.sides):
        k = side * FACTION_COUNT + PEASANTS
        other = (side + 1) % tally.sides
        j = other * FACTION_COUNT + PEASANTS
        for value in range(13):
            if tally.moved[side] >> value & 1:
                tally.mask[k] ^= 1 << value
                tally.mask[j] |= 1 << value
                tally.count[k] -= 1
                tally.count[j] += 1
                tally.total[k] -= value
                tally.total[j] += value
                if tally.noting:
                    tally.note(
                        PEASANTS_MOVE, side, CARD_AT[PEASANTS * VALUE_ROOM + value], other + 1
                    )


def vikings(tally: CountData, side: int) -> int:
    """The number of `side`'s Vikings that count twice: those whose value is on another card.

    A card of another faction that the side has won (rules.md, "Vikings").
    """
    others = 0
    for faction in range(FACTION_COUNT):
        if faction != VIKINGS:
            others |= tally.mask[side * FACTION_COUNT + faction]
    twice = tally.mask[side * FACTION_COUNT + VIKINGS] & others
    if tally.noting:
        for value in range(VALUE_ROOM):
            if twice >> value & 1:
                tally.note(VIKING_TWICE, side, CARD_AT[VIKINGS * VALUE_ROOM + value])
    number = 0
    while twice:
        twice &= twice - 1
        number += 1
    return number


def bards(tally: CountData, side: int) -> int:
    """The length of `side`'s longest run of consecutive Bard values (rules.md, "Bards")."""
    values = tally.mask[side * FACTION_COUNT + BARDS]
    starts = values
    length = 0
    while values:
        starts = values
        values &= values >> 1
        length += 1
    if tally.noting:
        # `starts` are the lowest values of the longest runs; the highest of these runs is shown.
        first = 0
        while starts >> first + 1:
            first += 1
        for value in range(first, first + length):
            tally.note(BARDS_RUN, side, CARD_AT[BARDS * VALUE_ROOM + value])
    return length


def raccoons(tally: CountData, side: int, loot: int) -> int:
    """The set of factions that `side`'s loot may count for; 0 if it has no loot.

    `loot` is the set of values whose Raccoons show loot.  They are the factions of the deck of
    which the side has the fewest cards, zero included; sets ``tally.loot[side]``.
    """
    shown = tally.mask[side * FACTION_COUNT + RACCOONS] & loot
    number = 0
    while shown:
        shown &= shown - 1
        number += 1
    tally.loot[side] = number
    if not number:
        return 0
    fewest = 0
    least = 256
    for faction in range(FACTION_COUNT):
        if tally.deck >> faction & 1:
            count = tally.cards[side * FACTION_COUNT + faction]
            if count < least:
                least = count
                fewest = 0
            if count == least:
                fewest |= 1 << faction
    return fewest
