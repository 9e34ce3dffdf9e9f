"""The rows of an answer, as CSV."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any, ClassVar, Final, get_origin, get_type_hints

import msgspec

from claimlog.store.questions.columns import listed
from claimlog.store.questions.export import harmless
from claimlog.store.questions.leads import LeadStats

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from claimlog.store.model.types import Standings

MOST: Final = 1000
"""The most rows of a list, as on the largest page of the API."""
LEADS: Final = ("first_lead", "phase1_last", "phase1_most", "phase2_first", "trick_won")
"""The moments whose leads are rows."""


def rows_of(kind: Any, answer: Any) -> list[Any]:
    """Return the rows of an answer of this type: the answer itself, or the list inside it."""
    if isinstance(answer, LeadStats):
        rates = {name: getattr(answer, name) for name in LEADS}
        for name in ("by_seats", "trick_won_by_phase"):
            rates |= {f"{name}_{one.key}": one.result for one in getattr(answer, name)}
        return [{"of": name, "result": rate} for name, rate in rates.items()]
    name, _ = listed(kind)
    return list(getattr(answer, name) if name else answer)


def csv_of(rows: Iterable[Any], kind: type | None = None) -> bytes:
    """Return rows of one kind as CSV, with a column for each number.

    `result_rate` is the rate of a result.  If there may be no rows, the columns come from their
    `kind`.

    >>> from claimlog.store.model.types import Rate
    >>> from claimlog.store.questions.results import GroupStat
    >>> rate = Rate(count=4, points=3.0, rate=0.75, low=0.3, high=0.95)
    >>> row = GroupStat(key="1", label="1", games=4, share=rate, result=rate, shared=0)
    >>> csv_of([row]).decode().splitlines()[0].split(",")[:5]
    ['key', 'label', 'games', 'share_count', 'share_points']
    >>> csv_of([row]).splitlines()[:1] == csv_of([], GroupStat).splitlines()
    True
    """
    made = [dict(_columns(msgspec.to_builtins(row))) for row in rows]
    names = dict.fromkeys(name for row in made for name in row)
    if not made and kind is not None:
        names = dict.fromkeys(_names(kind))
    out = io.StringIO()
    writer = csv.DictWriter(out, list(names), lineterminator="\n")
    writer.writeheader()
    writer.writerows(made)
    return out.getvalue().encode()


def standings_rows(standings: Standings) -> Iterator[dict[str, Any]]:
    """Yield the lines of standings, with a column for each tie-break."""
    for line in standings.lines:
        yield {
            **{k: v for k, v in msgspec.to_builtins(line).items() if k != "values"},
            **dict(zip(standings.tiebreaks, line.values, strict=True)),
        }


def _columns(row: dict[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the values of a row with the names of their columns."""
    for key, value in row.items():
        name = f"{above}{key}"
        if isinstance(value, dict):
            yield from _columns(value, f"{name}_")
        elif isinstance(value, list):
            yield name, harmless(" ".join(map(str, value)))
        else:
            yield name, harmless(value)


def _names(kind: type, above: str = "") -> Iterator[str]:
    """Yield the names of the columns that `_columns` makes of rows of this type."""
    for key, hint in get_type_hints(kind).items():
        if get_origin(hint) is ClassVar:
            continue
        if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
            yield from _names(hint, f"{above}{key}_")
        else:
            yield f"{above}{key}"
