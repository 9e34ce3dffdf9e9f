"""What others did at a desk since somebody last saw it, so that nobody's work is lost unnoticed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from claimlog.directing import acts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from claimlog.directing.desk import Entry

_PAIRING = (
    acts.Paired
    | acts.Exchanged
    | acts.Seated
    | acts.Locked
    | acts.Started
    | acts.Closed
    | acts.Reopened
)
_RESULT = acts.ResultTyped | acts.Confirmed | acts.Corrected


def replaced_by(act: acts.Act, entries: Sequence[Entry], seen: int) -> Entry | None:
    """Return the last act after number `seen` whose work another act would silently replace.

    `entries` are all acts of the event.  An act that was undone meanwhile counts as well, as the
    state is no longer the one that was seen.
    """
    act_of = {entry.number: entry.act for entry in entries}
    for entry in reversed(entries):
        if entry.number <= seen:
            break
        other = entry.act
        if isinstance(other, acts.Undone):
            other = act_of[other.number]
        if _replaces(act, other):
            return entry
    return None


def _replaces(act: acts.Act, other: acts.Act) -> bool:
    """Whether an act is about the same thing as an earlier one, and leaves nothing of it."""
    match act, other:
        case acts.Planned(), acts.Planned():
            return act.plan != other.plan
        case acts.Changed(), acts.Changed():
            same = act.entrant.number == other.entrant.number
            return same and act.entrant != other.entrant
        case acts.ResultTyped() | acts.Corrected(), _ if isinstance(other, _RESULT):
            same = (act.round, act.table) == (other.round, other.table)
            return same and act.result != other.result
        case acts.Paired(), _:
            return isinstance(other, _PAIRING)
    return False
