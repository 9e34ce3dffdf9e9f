"""Arguments that several questions share."""

from __future__ import annotations

from typing import Annotated, Final

from msgspec import Meta

from claimlog.notation.names import LONGEST
from claimlog.store.model.filter import By

ORDER: Final = (
    "The sort order: `{}`, a rate, or a rate with `_low` for the lower end of its interval, "
    "highest first; a leading `-` reverses it."
)
_MOST: Final = 1_000_000_000

Phase = Annotated[int, Meta(ge=1, le=2, description="Only this phase.")] | None
Whose = Annotated[
    By, Meta(description="Whose plays count: everybody's, or only those of `player`.")
]
MinGames = Annotated[
    int, Meta(ge=0, le=_MOST, description="Only rows with at least this many results.")
]
Least = Annotated[
    int,
    Meta(
        ge=0,
        le=_MOST,
        description="Only rows whose sort rate has at least this count; if the order is not by a "
        "rate, all rates of a row must have it.",
    ),
]
Search = Annotated[str, Meta(max_length=LONGEST, description="Part of the name.")]
Limit = Annotated[int, Meta(ge=1, le=1000, description="The number of items per page.")]
Cursor = (
    Annotated[
        str,
        Meta(
            max_length=2000, description="The cursor from the previous page; see the `Link` header."
        ),
    ]
    | None
)
Total = Annotated[bool, Meta(description="Whether to include the total number.")]
Undone = Annotated[bool, Meta(description="Whether to include merges that were undone.")]
