"""Who makes a request, and what they are counted by."""

from __future__ import annotations

from contextvars import ContextVar
from typing import TYPE_CHECKING, Final

from claimlog.api.limits.budget import STRANGERS, TABLES, TRUSTED
from claimlog.api.tokens import SCOPES

if TYPE_CHECKING:
    from claimlog.api.tokens import Scope as TokenScope

NOBODY: Final = -1


class Caller:
    """Who makes a request.

    `name` is for the records and empty without a token; `level` is the place of the scope
    in `SCOPES` or `NOBODY`; `key`, `network` and `pool` are what limits are counted by
    (`limits.budget`); `table` is the table that the token is for, if it is for one alone.
    """

    __slots__ = ("key", "level", "name", "network", "pool", "table")

    def __init__(self, name: str, level: int, key: str, table: str = "", network: str = "") -> None:
        self.name = name
        self.level = level
        self.key = key
        self.network = network or key
        self.table = table
        self.pool = TABLES if table else STRANGERS
        if level >= SCOPES.index("record"):
            self.pool = TRUSTED

    def may(self, scope: TokenScope) -> bool:
        """Whether the caller may do what `scope` is for."""
        return self.level >= SCOPES.index(scope)


NOT_KNOWN: Final = Caller("", NOBODY, "")


CALLER: Final[ContextVar[Caller]] = ContextVar("caller", default=NOT_KNOWN)
"""Who makes the request that is being answered."""
