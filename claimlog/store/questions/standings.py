"""Standings of an event of the archive: its players by their ids, counted as every event is."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from claimlog.directing.counting import TIEBREAKS, Counting
from claimlog.store.model.errors import BadQuery
from claimlog.store.model.ids import write_id

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_id = lru_cache(1000)(write_id)
"""The id of a player: most stand in many lines."""


def counting_of(merged: Mapping[int, int], *, teams: bool = False) -> Counting:
    """Count games of the archive; players in `merged` stand for others."""
    return Counting(merged, teams=teams, written=_id)


def check_tiebreaks(tiebreaks: Sequence[str]) -> None:
    """Raise BadQuery unless these are tie-breaks, each once."""
    strange = [name for name in tiebreaks if name not in TIEBREAKS]
    if strange or not tiebreaks or len(set(tiebreaks)) < len(tiebreaks):
        raise BadQuery("question.tiebreaks", names=TIEBREAKS, field="tiebreaks")
