"""The budget: what each client may use of the server at a time, and all of them together.

It covers everything that can be used up: unfinished answers, their unread bytes, queries (threads
and processor), analyses (processes), exports, streams of events.  A `Client` is in one of three
pools.  Strangers have no token, or one to read.  Tables are the tokens of single tables, which are
passed around at the table and so are limited like strangers, but have a pool of their own, so that
no crowd of spectators keeps a scorer out.  Trusted clients may write, and only expensive things are
counted.  A client is a token, an IPv4 address or an IPv6 /64; its network, for IPv6 the /48, may
have `WIDE` times as much.

When a pool is used up, the client that has most gives way to one that has less, provided it can be
taken away: a stream of events, or an answer that it does not read.
"""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict, deque
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final, Protocol

from claimlog.api.http.problem import busy, too_many

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from claimlog.api.http.problem import ApiError
    from claimlog.api.settings import Settings

STRANGERS: Final = "strangers"
TABLES: Final = "tables"
TRUSTED: Final = "trusted"

WIDE: Final = 4
"""How many times one client's share all clients of a network may have together."""

CLIENT_UNREAD: Final = 32 << 20
"""Bytes of answers made for one client alone that it has not read yet."""

UNREAD: Final = 256 << 20
"""The same for all clients of a pool."""

TABLE_WATCHERS: Final = 50
"""Streams of events of one table's token, which may be on several devices."""


class Client(Protocol):
    """A client, with what it is counted by."""

    key: str
    network: str
    pool: str


class Hold:
    """A client's hold on a share, until it is given back; `drop` takes it from the client.

    As a context manager it is given back at the end of the block.
    """

    __slots__ = ("_names", "amount", "drop", "name", "share")

    def __init__(self, share: Share, name: str, names: list[str], amount: int) -> None:
        self.share = share
        self.name = name
        self.amount = amount
        self.drop: Callable[[], None] | None = None
        self._names = names

    def __enter__(self) -> Hold:
        return self

    def __exit__(self, *_: object) -> None:
        self.give_back()

    def give_back(self) -> None:
        """Give it back; giving it back twice does no harm."""
        names, self._names = self._names, []
        for name in names:
            self.share.taken[name] -= self.amount
            if not self.share.taken[name]:
                del self.share.taken[name]
        if names:
            self.share.left(self)


class Share:
    """A limited resource.

    `what` names it in refusals (``limit.``).  A client may have `each`, a pool `together`; a pool
    that is missing there is not limited.  `refuse` makes the refusal for a client at its limit.
    """

    def __init__(
        self,
        what: str,
        each: dict[str, int],
        together: dict[str, int],
        refuse: Callable[..., ApiError] = busy,
        wait: int = 5,
    ) -> None:
        self.what = what
        self.each = each
        self.together = together
        self.taken: Counter[str] = Counter()
        self._refuse = refuse
        self._wait = wait
        self._holds: dict[str, dict[Hold, None]] = {}

    def __len__(self) -> int:
        return sum(self.taken[pool] for pool in (STRANGERS, TABLES, TRUSTED))

    def take(self, client: Client, amount: int = 1) -> Hold:
        """Give a client `amount` of the share; raises ApiError if that much is not left for it."""
        pool = client.pool
        own = f"{pool} {client.key}"
        names = [pool]
        if pool in self.each:
            most = self.each[pool]
            for name, limit in ((own, most), (f"{pool} network {client.network}", WIDE * most)):
                if self.taken[name] + amount > limit:
                    raise self._refuse(f"limit.{self.what}", most=limit, wait=self._wait)
                names.append(name)
        most = self.together.get(pool, 0)
        if pool in self.together and self.taken[pool] + amount > most:
            self._make_room(client)
            if self.taken[pool] + amount > most:
                raise busy(f"limit.{self.what}-all", most=most, wait=self._wait)
        hold = Hold(self, own, names, amount)
        for name in names:
            self.taken[name] += amount
        self._holds.setdefault(own, {})[hold] = None
        return hold

    def left(self, hold: Hold) -> None:
        """Forget a hold that was given back."""
        holds = self._holds[hold.name]
        holds.pop(hold, None)
        if not holds:
            del self._holds[hold.name]

    def _make_room(self, client: Client) -> None:
        """Take one from the client that has most, if `client` would still have less."""
        mine = self.taken[f"{client.pool} {client.key}"]
        others = [
            holds
            for name, holds in self._holds.items()
            if name.startswith(f"{client.pool} ") and len(holds) > mine + 1
        ]
        for holds in sorted(others, key=len, reverse=True):
            for hold in holds:
                if hold.drop is not None:
                    drop = hold.drop
                    hold.give_back()
                    drop()
                    return


class FairQueue:
    """Answers a limited number of queries at a time, for each client and for all not trusted.

    The others wait; clients take turns.
    """

    def __init__(self, each: int, together: int) -> None:
        self.each = each
        self.together = together
        self._running: Counter[str] = Counter()
        self._number = 0
        self._waiting: OrderedDict[str, deque[tuple[asyncio.Future[None], tuple[str, str]]]]
        self._waiting = OrderedDict()

    @asynccontextmanager
    async def taken(self, client: Client) -> AsyncIterator[None]:
        """Wait for a turn, and hold it for the duration of a block."""
        if client.pool == TRUSTED:
            yield
            return
        names = (client.key, f"network {client.network}")
        if self._may(names) and client.key not in self._waiting:
            self._begin(names)
        else:
            await self._wait(client.key, names)
        try:
            yield
        finally:
            self._end(names)

    def _may(self, names: tuple[str, str]) -> bool:
        return self._number < self.together and all(
            self._running[name] < self.each for name in names
        )

    def _begin(self, names: tuple[str, str]) -> None:
        self._number += 1
        for name in names:
            self._running[name] += 1

    def _end(self, names: tuple[str, str]) -> None:
        self._number -= 1
        for name in names:
            self._running[name] -= 1
            if not self._running[name]:
                del self._running[name]
        self._go_on()

    async def _wait(self, key: str, names: tuple[str, str]) -> None:
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        waiting = self._waiting.setdefault(key, deque())
        waiting.append((turn, names))
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._end(names)
            else:
                waiting.remove((turn, names))
                if not waiting and self._waiting.get(key) is waiting:
                    del self._waiting[key]
            raise

    def _go_on(self) -> None:
        """Give turns to those who wait, one client after another."""
        for key in list(self._waiting):
            if self._number >= self.together:
                return
            waiting = self._waiting[key]
            turn, names = waiting[0]
            if not self._may(names):
                continue
            waiting.popleft()
            del self._waiting[key]
            if waiting:
                self._waiting[key] = waiting
            self._begin(names)
            turn.set_result(None)


class Budget:
    """All shares of a server."""

    def __init__(self, settings: Settings) -> None:
        both = {STRANGERS: settings.unfinished, TABLES: settings.unfinished}
        together = {STRANGERS: settings.requests, TABLES: settings.requests}
        self.answers = Share("requests", both, together, too_many, 1)
        self.unread = Share(
            "unread",
            dict.fromkeys((STRANGERS, TABLES), CLIENT_UNREAD),
            dict.fromkeys((STRANGERS, TABLES), UNREAD),
        )
        mine = min(settings.streams, settings.client_streams)
        self.streams = Share(
            "streams",
            {STRANGERS: mine, TABLES: mine},
            dict.fromkeys((STRANGERS, TABLES, TRUSTED), settings.streams),
        )
        scorers = min(TABLE_WATCHERS, settings.client_watchers)
        self.watchers = Share(
            "watchers",
            {
                STRANGERS: settings.client_watchers,
                TABLES: scorers,
                TRUSTED: settings.client_watchers,
            },
            dict.fromkeys((STRANGERS, TABLES, TRUSTED), settings.watchers),
        )
        # One thread is left for clients that may write, whatever strangers ask.
        threads = max(1, settings.readers - 1)
        self.questions = FairQueue(max(1, settings.readers // 2), threads)
        # The same goes for the processes that analyse games.
        self.analyses = FairQueue(1, max(1, settings.analysts - 1))
