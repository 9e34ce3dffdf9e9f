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
    """The client that makes a request.

    `name` is for the log and the history, and empty without a token; `level` is the index of the
    scope in `SCOPES`, or `NOBODY`; limits count by `key`, `network` and `pool` (`limits.budget`);
    `table` is the table that the token is limited to, if any.
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
        """Whether the caller may do what needs `scope`."""
        return self.level >= SCOPES.index(scope)


NOT_KNOWN: Final = Caller("", NOBODY, "")


CALLER: Final[ContextVar[Caller]] = ContextVar("caller", default=NOT_KNOWN)
"""The client whose request is being answered."""
