"""An event of two players a game as a TRF16 file, for other programs; by py4swiss.

Who led the first trick stands there as who had white.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from claimlog.directing.pairing.dutch import told
from claimlog.directing.pairing.field import Field
from claimlog.directing.pairing.found import Unpairable
from claimlog.directing.standings import standings

if TYPE_CHECKING:
    from claimlog.directing.board import Board

_LONGEST_NAME = 33


def write_trf(board: Board) -> str:
    """The event as it stands.  Raises Unpairable if it is not for two, or without py4swiss."""
    if board.plan.seats != 2:
        raise Unpairable("two-sides", system="TRF16", seats=board.plan.seats)
    field = Field(board, len(board.rounds) + 1)
    try:
        from py4swiss.trf.codes import TournamentCode
    except ImportError:
        raise Unpairable("missing") from None

    ranks = {line.entrants[0]: line.rank for line in standings(board).lines}
    lines = [
        f"{TournamentCode.TOURNAMENT_NAME.value} {board.name}",
        f"{TournamentCode.NUMBER_OF_PLAYERS.value} {len(board.entrants)}",
    ]
    if board.plan.site:
        lines.append(f"{TournamentCode.CITY.value} {board.plan.site}")
    for unit, section in zip(field.everybody, told(field).player_sections, strict=True):
        one = unit.members[0]
        section.name = one.name[:_LONGEST_NAME]
        section.rank = ranks[one.number]
        section.fide_rating = None if one.rating is None else min(round(one.rating), 9999)
        lines.append(section.to_string())
    lines.append(f"XXR {board.plan.rounds or len(board.rounds)}")
    return "\n".join(lines) + "\n"
