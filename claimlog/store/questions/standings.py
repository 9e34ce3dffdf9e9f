"""Standings of an event in the archive: players by their ids, counted like any event."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from claimlog.directing.counting import TIEBREAKS, Counting
from claimlog.store.model.errors import BadQuery
from claimlog.store.model.ids import write_id

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_id = lru_cache(1000)(write_id)
"""The id of a player; cached, as most are in many lines."""


def counting_of(merged: Mapping[int, int], *, teams: bool = False) -> Counting:
    """Count games of the archive; `merged` maps players to those they stand for."""
    return Counting(merged, teams=teams, written=_id)


def check_tiebreaks(tiebreaks: Sequence[str]) -> None:
    """Raise BadQuery unless all are tie-breaks, and none occurs twice."""
    strange = [name for name in tiebreaks if name not in TIEBREAKS]
    if strange or not tiebreaks or len(set(tiebreaks)) < len(tiebreaks):
        raise BadQuery("question.tiebreaks", names=TIEBREAKS, field="tiebreaks")
