"""The points of results and byes under a plan."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from claimlog.results import HALF_BYE, parse_result, result_of

if TYPE_CHECKING:
    from claimlog.directing.model import Bye, Points, TableResult


def scores(result: TableResult, sides: int, points: Points) -> list[float]:
    """Return the points of each side for a result."""
    winners = parse_result(result.result) % 8
    shared = winners.bit_count()
    win = points.win / max(1, shared)
    if shared == sides and points.draw is not None:
        win = points.draw
    return [
        win
        if winners >> side & 1
        else points.forfeit
        if side + 1 in result.forfeit
        else points.loss
        for side in range(sides)
    ]


def votes_of(result: TableResult, sides: int) -> tuple[int | None, ...]:
    """Return the factions of sides 1 to 3, None for those unknown and for sides that are not there.

    Old archives may have a result with more or fewer numbers than sides; they say nothing.
    """
    known = result.votes if len(result.votes) == sides else ()
    return (*known, None, None, None)[:3]


def bye_score(bye: Bye, points: Points) -> float:
    """Return the points for a bye."""
    return points.of_bye(bye.kind)


BYE_RESULTS: Final = {
    "pairing": result_of(1, 1),
    "full": result_of(1, 1),
    "half": HALF_BYE,
    "zero": result_of(1, 0),
}
"""The result of a bye's only side by kind, as in records."""
