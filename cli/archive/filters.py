"""The archive's filter as options: the same for every list, export and statistic."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from claimlog.store.model.filter import CONDITIONS, given

from . import completing
from .options import option, taking

if TYPE_CHECKING:
    from claimlog.store import Filter

PANEL = "Which games"


def _filter(**values: Any) -> Filter:
    return given(values)


filtered = taking(
    "filter",
    {
        name: (option(one, panel=PANEL, completion=completing.CONDITIONS.get(name)), None)
        for name, one in CONDITIONS.items()
    },
    _filter,
)
"""Replace the keyword `filter` of a command by the filter's options."""
