"""Recorded games whose result is not the one that counts, because the desk has another."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import msgspec

from claimlog.directing.board import Recorded, called, turned
from claimlog.directing.model import Table
from claimlog.notation.names import folded, tidy

if TYPE_CHECKING:
    from collections.abc import Sequence

    from claimlog.directing.board import Board
    from claimlog.directing.model import TableResult

ROUND: Final = re.compile(r"\s*0*([1-9][0-9]{0,3})\s*")
"""The number of a round, as records write it."""


class Overruled(msgspec.Struct, frozen=True, kw_only=True):
    """The result that counts instead of the recorded one, by the sides of the record.

    `director` says that the director set it; otherwise it was typed or confirmed at the desk.
    """

    result: str
    director: bool


class Overruling:
    """The results that an event's desk has itself, to compare records with."""

    def __init__(self, board: Board) -> None:
        self._number_of = called(board)
        self._results: dict[tuple[int, frozenset[int]], tuple[Table, TableResult, bool]] = {
            (round.number, frozenset(one.players)): (
                one.table,
                one.result,
                one.source == "director",
            )
            for round in board.rounds
            for one in round.tables
            if one.result is not None and one.source != "record"
        }

    def of(self, round: str | None, names: Sequence[str], result: str) -> Overruled | None:
        """Return what counts instead of a record's result; None if that counts."""
        number = ROUND.fullmatch(round or "")
        players = tuple(self._number_of.get(folded(tidy(name)), 0) for name in names)
        if number is None or 0 in players:
            return None
        there = self._results.get((int(number[1]), frozenset(players)))
        if there is None:
            return None
        table, known, director = there
        here = Table(number=table.number, players=players)
        at_desk = Recorded(id="", round=int(number[1]), players=table.players, result=known)
        counts = turned(here, at_desk)
        if counts is None or counts.result == result:
            return None
        return Overruled(result=counts.result, director=director)
