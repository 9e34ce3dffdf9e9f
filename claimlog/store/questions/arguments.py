"""Arguments that several questions share."""

from __future__ import annotations

from typing import Annotated, Final

from msgspec import Meta

from claimlog.notation.names import LONGEST
from claimlog.store.model.filter import By

ORDER: Final = (
    "The order: `{}`, a rate, or with `_low` the lower end of its interval, the highest first; "
    "- turns it around."
)
_MOST: Final = 1_000_000_000

Phase = Annotated[int, Meta(ge=1, le=2, description="Only of this phase.")] | None
Whose = Annotated[By, Meta(description="Whose plays count: anybody's, or those of `player` alone.")]
MinGames = Annotated[
    int, Meta(ge=0, le=_MOST, description="Only what counts at least so many results.")
]
Least = Annotated[
    int,
    Meta(
        ge=0,
        le=_MOST,
        description="Only those whose rate that is sorted by counts at least so many; where no "
        "rate is sorted by, all their rates.",
    ),
]
Search = Annotated[str, Meta(max_length=LONGEST, description="A part of the name.")]
Limit = Annotated[int, Meta(ge=1, le=1000, description="How many on a page.")]
Cursor = (
    Annotated[
        str, Meta(max_length=2000, description="That of the page before; see the Link header.")
    ]
    | None
)
Total = Annotated[bool, Meta(description="Whether to tell how many there are in all.")]
Undone = Annotated[bool, Meta(description="Also the merges that were undone.")]
