"""The steps of a game in progress: kinds of action, actions, finished tricks.

Cards, factions, seats and sides are integers that count from 0, as in `claimlog.rules.machine`.
"""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

from claimlog.rules.reasons import Note

__all__ = ["LEAVE", "TAKE", "Action", "IllegalAction", "Kind", "Trick", "Turn"]


class Kind(IntEnum):
    """What is to be done next.

    TURN_UP an upcard (nobody chooses), PLAY a card, DISCARD one face down in an automatic trick,
    LOOK: take the top hidden card with a Seer or leave it, PICK an upcard (3 or 4 players), DRAW a
    hidden card (nobody chooses), LOOT: choose the faction that a side's loot counts for; OVER:
    nothing.
    """

    TURN_UP = 0
    PLAY = 1
    DISCARD = 2
    LOOK = 3
    PICK = 4
    DRAW = 5
    LOOT = 6
    OVER = 7


LEAVE, TAKE = 0, 1
"""The Seer's choices."""


class Turn(NamedTuple):
    """Who is to act, and how; `seat` is None where nobody chooses or acts.

    A seat that draws a hidden card does not choose it, but is named in `seat`.  For LOOT `seat` is
    the side, which is also the number of its first seat.
    """

    kind: Kind
    seat: int | None


class Action(NamedTuple):
    """An action that was done; the log of a game is a list of these.

    `card` is None for a Seer's hidden card that was left; for LOOT it is the faction.  `irregular`
    marks a revoke that the director let stand.
    """

    kind: Kind
    seat: int | None
    card: int | None
    irregular: bool = False


class Trick(NamedTuple):
    """One finished trick; seats and their cards are in seating order unless stated.

    `plays` and the `values` that counted (empty in an automatic trick) are in playing order from
    the `leader`; `ranking` has the seats, best first.  `looked`: the winner took a hidden card with
    a Seer; `picked` is the upcard that the first picker took (None with two players).  `taken` has
    each seat's new follower (empty in Phase 2), `scored` the cards added to each seat's score pile
    or display, `removed` (seat, Gnome) pairs, `waiting` the Trolls left lying, in the order in
    which they will be taken.  `next_leader` is None after the last trick.  `irregular` are the
    seats whose revoke the director let stand.  `notes` are the reasons as noted
    (`claimlog.rules.reasons.gathered`).
    """

    number: int
    phase: int
    auto: bool
    upcards: tuple[int, ...]
    leader: int
    plays: tuple[int, ...]
    values: tuple[int, ...]
    winner: int
    ranking: tuple[int, ...]
    looked: bool
    picked: int | None
    taken: tuple[int, ...]
    scored: tuple[tuple[int, ...], ...]
    removed: tuple[tuple[int, int], ...]
    waiting: tuple[int, ...]
    next_leader: int | None
    irregular: tuple[int, ...] = ()
    notes: tuple[Note, ...] = ()


class IllegalAction(ValueError):  # noqa: N818 - a refusal, not a failure
    """The action is not allowed; the message says why.

    `revoked_in` is the trick in which the seat must have revoked if it holds the card after all,
    otherwise 0.
    """

    def __init__(self, message: str, revoked_in: int = 0) -> None:
        super().__init__(message)
        self.revoked_in = revoked_in
