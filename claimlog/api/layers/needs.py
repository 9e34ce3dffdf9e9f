"""What the layers need of the server besides the request."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from claimlog.api.caches.answers import Cache
    from claimlog.api.caches.stale_while_revalidate import StaleWhileRevalidate
    from claimlog.api.limits.budget import Budget
    from claimlog.api.logs import Log
    from claimlog.api.metrics import Metrics
    from claimlog.api.settings import Settings
    from claimlog.api.tables.live import Tables
    from claimlog.api.tokens import Tokens
    from claimlog.store import Archive

T = TypeVar("T")


class Resources(Protocol):
    """See `claimlog.api.resources`."""

    archive: Archive
    settings: Settings
    tokens: Tokens
    log: Log
    budget: Budget
    tables: Tables
    metrics: Metrics
    cache: Cache
    stale_cache: StaleWhileRevalidate
    stopping: bool
    on_stop: set[Callable[[], None]]

    async def generation(self) -> int:
        """The generation of the archive, which grows with every write."""

    async def read(self, function: Callable[[], T]) -> T:
        """Call a blocking function that queries the archive, in a thread."""
