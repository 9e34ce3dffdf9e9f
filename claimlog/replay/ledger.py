"""What a judge counts of each card, and which cards a play says that a seat cannot hold."""

from collections.abc import MutableSequence

from claimlog.cards import CARDS, COPIES, FACTION_COUNT, FACTION_OF, LOWEST
from claimlog.notation.sheet import numbers
from claimlog.rules.powers import may_play
from claimlog.rules.setup import MAX_SEATS

INTERPRETED = __file__.endswith(".py")

PLAYS, KEPT = 256, 512
"""Where the second and third section of a ledger begin; see `claimlog.replay.judge.Judge`."""
WHOLE_BOX = (1 << FACTION_COUNT) - 1
"""The deck assumed if the record's own is impossible: it contains every card."""


def _revoked() -> MutableSequence[int]:
    table = numbers((FACTION_COUNT + 1) * FACTION_COUNT)
    for led in range(FACTION_COUNT):
        for faction in range(FACTION_COUNT):
            for held in range(FACTION_COUNT):
                if not may_play(1 << held, led, faction):
                    table[led * FACTION_COUNT + faction] |= 1 << held
    return table


REVOKED = _revoked()
"""The factions the player cannot hold, at ``led * FACTION_COUNT + faction`` of the card played.

In the last row nothing was led.
"""

SIZE = KEPT + 256 * MAX_SEATS
FIRST_CARD = bytes(FACTION_OF.index(faction) for faction in range(FACTION_COUNT)) + bytes([CARDS])
"""The first card of each faction, whose cards have consecutive numbers; at the end `CARDS`."""


def fill(ledger: bytearray, deck: int) -> None:
    """Set a ledger to its content at the beginning of a game with `deck`."""
    counts = ledger  # for the compiler, a pointer
    copies, first, plays, size, lowest = COPIES, FIRST_CARD, PLAYS, SIZE, LOWEST
    if INTERPRETED:
        ledger[:] = bytes(size)
    else:
        for i in range(size):
            counts[i] = 0
    while deck:
        faction = lowest[(deck & -deck) % 37]
        deck &= deck - 1
        for card in range(first[faction], first[faction + 1]):
            counts[card] = counts[plays + card] = copies[card]
