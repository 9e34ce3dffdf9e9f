"""Codes in the derived tables for how something went (docs/archive.md).

A play, in six bits: the points of its seat, whether it won the trick, whether the trick's winner is
known, whether it was a discard.  An upcard: the points of the seat that took it and, three bits
higher, of the trick's winner.  A faction: the points of its winner, and three flags.
"""

from __future__ import annotations

from typing import Final

from claimlog.notation.problems import CODES

POINTS: Final = (None, 0.0, 1 / 3, 1 / 2, 1.0)
"""The points of a game by code, the lowest three bits; 0: there is no result."""

WON: Final = 8
"""Flag of a play that won its trick."""
DECIDED: Final = 16
"""Flag: the trick's winner is known; somebody won the faction."""
FACE_DOWN: Final = 32
"""Flag of a discard in an automatic trick."""
BY_LEADER: Final = 8
"""Flag of a faction that was won by the side that led trick 1."""
THREE_SIDES: Final = 32
"""Flag of a faction in a game with three sides."""

NONE: Final = 255
"""An unknown number in the encoder's rows; NULL in the tables."""
MARGIN: Final = 64
"""The offset that the encoder's rows add to a margin, which may be negative."""

WARNING_NAMES: Final = CODES[CODES.index("loot-unknown") :]
"""The warnings, in the order of their bits."""


MOST_SQL: Final = """
    CASE WHEN phase1_last IS NULL THEN 0 WHEN seats = 4 THEN
        CASE sign((phase1_won1 + phase1_won3)::INTEGER - (phase1_won2 + phase1_won4))
        WHEN 1 THEN 1 WHEN -1 THEN 2 ELSE 0 END
    WHEN seats = 3 THEN
        CASE WHEN phase1_won1 > greatest(phase1_won2, phase1_won3) THEN 1
             WHEN phase1_won2 > greatest(phase1_won1, phase1_won3) THEN 2
             WHEN phase1_won3 > greatest(phase1_won1, phase1_won2) THEN 3 ELSE 0 END
    ELSE CASE WHEN phase1_won1 > phase1_won2 THEN 1
              WHEN phase1_won2 > phase1_won1 THEN 2 ELSE 0 END END"""
"""SQL for the side that won most tricks of Phase 1, from the columns of `games`; 0 if tied."""


def points_sql(how: str) -> str:
    """SQL for the points of a game from a column with such codes; NULL without a result."""
    cases = " ".join(
        f"WHEN {code} THEN {points!r}::DOUBLE" for code, points in enumerate(POINTS) if code
    )
    return f"CASE {how} & 7 {cases} END"
