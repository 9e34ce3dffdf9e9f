"""What a judge counts of each card, and which cards a play says that a seat cannot hold."""

from collections.abc import MutableSequence

from claimlog.cards import CARDS, COPIES, FACTION_COUNT, FACTION_OF
from claimlog.notation.sheet import numbers
from claimlog.rules.powers import may_play
from claimlog.rules.setup import MAX_SEATS

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


def new_ledger(deck: int) -> bytearray:
    """The initial content of `Judge.ledger` for a game with `deck`."""
    ledger = bytearray(KEPT + 256 * MAX_SEATS)
    for card in range(CARDS):
        if deck >> FACTION_OF[card] & 1:
            ledger[card] = ledger[PLAYS + card] = COPIES[card]
    return ledger
