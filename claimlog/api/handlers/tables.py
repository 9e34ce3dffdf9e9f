"""Tables at which a game is being recorded: opened, scored by a device, watched, finished."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from itertools import count
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

import msgspec
from litestar import Controller, Request, delete, get, post
from litestar.di import NamedDependency
from litestar.params import JSONBody, PathParameter, QueryParameter

from claimlog.api import directed
from claimlog.api.begun import stored
from claimlog.api.event_names import names_at_tables
from claimlog.api.handlers.games import Doubtful, by, caller_of, doubtful_of, refuse
from claimlog.api.http.addresses import VERSION
from claimlog.api.http.filters import Language, Limit, Name, Total
from claimlog.api.http.languages import language_of
from claimlog.api.http.media_types import CLM, JSON, choose
from claimlog.api.http.operation import operation
from claimlog.api.http.problem import ApiError
from claimlog.api.http.responses import (
    Answer,
    Created,
    Encoded,
    Events,
    Page,
    Record,
    encode,
)
from claimlog.api.resources import Resources
from claimlog.api.tables import schemas as t
from claimlog.api.tables.live import ALL, DAMAGED, HEARTBEAT, SPECTATOR, LiveTable
from claimlog.language import words
from claimlog.notation.names import LONGEST, folded
from claimlog.store import Ambiguous, NotFound

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from claimlog.api.tables.live import Tables
    from claimlog.directing.board import Notice

TableId = Annotated[str, PathParameter(description="The table's id.", min_length=1, max_length=40)]
View = Annotated[
    Literal["spectator", "all", "1", "2", "3", "4"] | None,
    QueryParameter(
        description="Whose view to show. `all` (all cards) and the views of seats need the table's "
        "token or the scope `record`; the default is then `all`, otherwise `spectator`."
    ),
]
After = Annotated[
    int | None,
    QueryParameter(
        description="Include the record that the table began with and the entries after this "
        "number; only with the view `all`.",
        ge=0,
        le=1_000_000,
        schema_extra={"minimum": 0},
    ),
]
PAUSE: Final = 1.0
"""The least seconds between two states sent to an event's watchers."""

EVENTS: Final = 100
"""The most events whose last state is cached."""

RETRY: Final = b"retry: 2000\n\n"
NOTHING: Final = b":\n\n"
"""A comment, so that no proxy takes the connection for dead."""

_PRIVATE: Final = {"Cache-Control": "private, no-cache"}


def seen_as(request: Request[Any, Any, Any], live: LiveTable, view: str | None) -> str:
    """Return the view of a table that a caller gets; 403 if they may not have it."""
    caller = caller_of(request)
    may = caller.may("record") or caller.table == live.id
    if view is None:
        return ALL if may else SPECTATOR
    if view != SPECTATOR and not may:
        raise ApiError(403, "forbidden", "table.view", view=view)
    return view


class TableController(Controller):
    """Tables that are or were open."""

    path = "/tables"
    tags = ("tables",)

    @post(
        status_code=201,
        opt=operation(
            scope="record",
            errors=(400, 408, 413, 415, 422),
            headers={"Location": "The address of the table."},
        ),
    )
    async def open_table(
        self,
        request: Request[Any, Any, Any],
        resources: NamedDependency[Resources],
        data: JSONBody[t.NewTable],
    ) -> Created[t.OpenedTable]:
        """Open a table: with deck and players, or to continue an unfinished record.

        `token` in the answer allows everything at this table, and nothing else; it is shown only
        once.
        """
        shown, token = await resources.tables.open(data, by(request), language_of(request))
        fields = {name: getattr(shown, name) for name in shown.__struct_fields__}
        opened = t.OpenedTable(**fields, token=token)
        headers = {"Location": f"{VERSION}/tables/{shown.id}", "Cache-Control": "no-store"}
        return Created(opened, headers=headers)

    @get(opt=operation(cache=False, errors=(400,)))
    async def list_tables(
        self,
        request: Request[Any, Any, Any],
        resources: NamedDependency[Resources],
        standing: Annotated[
            Literal["open", "finished", "abandoned", "damaged", "all"],
            QueryParameter(name="state", description="The state of the tables."),
        ] = "open",
        event: Annotated[
            str | None,
            QueryParameter(description="The name or id of the event.", max_length=LONGEST),
        ] = None,
        limit: Limit = 50,
        cursor: Annotated[
            str | None,
            QueryParameter(
                description="The cursor from the previous page; see the `Link` header.",
                max_length=40,
            ),
        ] = None,
        total: Total = False,
    ) -> Page[t.TablePage]:
        """List tables, the latest first, as spectators see them.

        Nobody plays any more at a table of a closed round that has a result for it: it is not
        listed as open, unless its game is over and still has to be handed in.
        """
        tables = resources.tables
        # Damaged tables may be open, and somebody has to learn of them.
        states = ("open", DAMAGED) if standing == "open" else (standing,)
        those = [one for one in tables.all() if standing == "all" or one.state in states]
        if event is not None:
            _, _, names = await _event_meant(resources, event)
            those = [one for one in those if (await tables.row(one)).event in names]
        if standing == "open":
            those = [one for one in those if not await _left(resources, one)]
        number = len(those)
        if cursor is not None:
            last = tables.known(cursor)
            if last is None:
                raise ApiError(400, "bad-query", "table.cursor", field="cursor")
            those = [one for one in those if one.order < last.order]
        rows = [await directed.named(resources, await tables.row(one)) for one in those[:limit]]
        more = rows[-1].id if len(those) > limit else None
        page = t.TablePage(tables=rows, cursor=more, total=number if total else None)
        return Page(page, request, more)

    @get(
        "/{table_id:str}",
        opt=operation(
            cache=False, at_table=True, errors=(404,), headers={"ETag": "For If-None-Match."}
        ),
    )
    async def live_table(
        self,
        request: Request[Any, Any, Any],
        resources: NamedDependency[Resources],
        table_id: TableId,
        view: View = None,
        lang: Language = "en",
        after: After = None,
    ) -> Encoded[t.LiveTable] | Record:
        """A table: everything that a screen shows, or its record so far as CLM."""
        form = choose(request.headers.get("accept", ""), (JSON, CLM))
        tables = resources.tables
        live = tables.get(table_id)
        whose = await self._whose(request, resources, live, view)
        if form == CLM:
            return Record(await tables.record(live, whose), headers=_PRIVATE)
        if after is None or whose != ALL:
            body = (await tables.message(live, whose, lang)).body
        else:
            body = encode(await tables.joined(live, whose, lang, after))
        return Encoded(body, headers=_PRIVATE)

    @staticmethod
    async def _whose(
        request: Request[Any, Any, Any], resources: Resources, live: LiveTable, view: str | None
    ) -> str:
        whose = seen_as(request, live, view)
        if whose.isdigit():
            seats = len((await resources.tables.row(live)).players)
            if int(whose) > seats:
                raise ApiError(400, "bad-query", "argument.seats", number=seats, field="view")
        return whose

    @post(
        "/{table_id:str}/actions",
        status_code=200,
        opt=operation(scope="record", at_table=True, errors=(400, 404, 408, 409, 413, 415)),
    )
    async def act(
        self,
        request: Request[Any, Any, Any],
        resources: NamedDependency[Resources],
        table_id: TableId,
        data: JSONBody[t.Actions],
        lang: Language = "en",
    ) -> Encoded[t.Acted]:
        """Enter what happens at a table: cards, undo, notes, corrections, the end.

        Every entry has an id made by the device; an entry sent again is acknowledged again and not
        done twice.  When the answer arrives, the entries are on the disk.  None is refused because
        of the rules: an impossible one waits until it is resolved.  409 for a device other than the
        one that scores (unless it takes over), for one that does not know the last entry, and when
        the table is closed.
        """
        live = resources.tables.get(table_id)
        return Encoded(await resources.tables.act(live, data, by(request), lang), headers=_PRIVATE)

    @post(
        "/{table_id:str}/finish",
        status_code=200,
        opt=operation(scope="record", at_table=True, errors=(404, 409, 422)),
    )
    async def finish_table(
        self,
        request: Request[Any, Any, Any],
        resources: NamedDependency[Resources],
        table_id: TableId,
        doubtful: Doubtful = None,
        lang: Language = "en",
    ) -> Encoded[t.LiveTable]:
        """Store the game of a table in the archive; repeated calls store it only once.

        409 while cards are missing or an entry is in doubt, and, as for any game, if it seems to be
        a stored one.
        """
        how = doubtful_of(request, doubtful)
        tables, who = resources.tables, by(request)
        live = tables.get(table_id)

        async def store(record: str) -> str:
            outcome = await resources.write(
                lambda: resources.archive.store(
                    record, by=who, source=f"table {live.id}", doubtful=how
                )
            )
            resources.metrics.outcome(outcome.status)
            if outcome.status not in ("stored", "known", "corrected"):
                refuse(outcome)
            return str(outcome.id)

        await tables.end(live, "finished", who, store=store)
        await directed.confirm(resources, live, who)
        return await self._shown(request, resources, live, lang)

    @staticmethod
    async def _shown(
        request: Request[Any, Any, Any], resources: Resources, live: LiveTable, lang: str
    ) -> Encoded[t.LiveTable]:
        """A table that has ended, as the caller who ended it may see it."""
        message = await resources.tables.message(live, seen_as(request, live, None), lang)
        return Encoded(message.body, headers=_PRIVATE)

    @post(
        "/{table_id:str}/abandon",
        status_code=200,
        opt=operation(scope="record", at_table=True, errors=(400, 404, 408, 409, 413, 415)),
    )
    async def abandon_table(
        self,
        request: Request[Any, Any, Any],
        resources: NamedDependency[Resources],
        table_id: TableId,
        data: JSONBody[t.Abandonment],
        lang: Language = "en",
    ) -> Encoded[t.LiveTable]:
        """Abandon a table; its entries are kept, and nothing is stored in the archive."""
        tables = resources.tables
        live = tables.get(table_id)
        await tables.end(live, "abandoned", by(request), reason=data.reason)
        return await self._shown(request, resources, live, lang)

    @post(
        "/{table_id:str}/tokens",
        status_code=201,
        opt=operation(
            scope="record",
            errors=(400, 404, 408, 409, 413, 415),
            headers={"Location": "The address of the table."},
        ),
    )
    async def table_token(
        self,
        request: Request[Any, Any, Any],
        resources: NamedDependency[Resources],
        table_id: TableId,
        data: JSONBody[t.NewTableToken],
    ) -> Created[t.TableToken]:
        """Make another token for this table only, for a link or a second phone."""
        live = resources.tables.get(table_id)
        text, token = await resources.tables.token(live, data.name.strip(), by(request))
        made = t.TableToken(
            id=token.id, name=token.name, table=live.id, token=text, expires=token.expires
        )
        headers = {"Location": f"{VERSION}/tables/{live.id}", "Cache-Control": "no-store"}
        return Created(made, headers=headers)

    @get("/{table_id:str}/tokens", opt=operation(scope="record", cache=False, errors=(404,)))
    async def table_tokens(
        self, resources: NamedDependency[Resources], table_id: TableId
    ) -> Answer[list[t.KeptTableToken]]:
        """The valid tokens of a table; their texts are not kept."""
        return _tokens_of(resources.tables, resources.tables.get(table_id))

    @delete(
        "/{table_id:str}/tokens/{token_id:str}",
        status_code=200,
        opt=operation(scope="record", errors=(404,)),
    )
    async def revoke_table_token(
        self,
        request: Request[Any, Any, Any],
        resources: NamedDependency[Resources],
        table_id: TableId,
        token_id: Annotated[
            str, PathParameter(description="The token's id.", min_length=1, max_length=40)
        ],
    ) -> Answer[list[t.KeptTableToken]]:
        """Revoke a token of a table at once; the answer lists the remaining ones."""
        tables = resources.tables
        live = tables.get(table_id)
        await tables.revoke(live, token_id, by(request))
        return _tokens_of(tables, live)

    @get(
        "/{table_id:str}/events",
        opt=operation(cache=False, at_table=True, errors=(404, 503)),
    )
    async def watch_table(
        self,
        request: Request[Any, Any, Any],
        resources: NamedDependency[Resources],
        table_id: TableId,
        view: View = None,
        lang: Language = "en",
        played: Annotated[
            Literal["all", "new"],
            QueryParameter(
                description="With `new`, each event after the first contains only the tricks that "
                "differ from the event before: those from `view.played_from` on."
            ),
        ] = "all",
    ) -> Events:
        """A table as server-sent events: once at the beginning, and after each change.

        `event: table` has the same JSON as the table itself, its `id` is the number of the last
        entry shown; send that as `Last-Event-ID` to get only later changes.  A slow reader misses
        states in between.  `event: notice` is what `…/notice` of the table's event answers.  The
        stream ends with `event: end` when the table does.
        """
        live = resources.tables.get(table_id)
        whose = await self._whose(request, resources, live, view)
        await resources.tables.message(live, whose, lang)  # or say at once why there is none
        return Events(self._watch(request, resources, live, whose, lang, played == "all"))

    @staticmethod
    async def _watch(
        request: Request[Any, Any, Any],
        resources: Resources,
        live: LiveTable,
        whose: str,
        language: str,
        whole: bool,
    ) -> AsyncIterator[bytes]:
        tables = resources.tables
        known = None  # the tricks sent on this connection
        last = request.headers.get("last-event-id", "")
        sent = b""
        noticed = Noticed(resources)
        with Watcher(request, resources, live.watching) as watcher:
            yield RETRY
            while not watcher.ended():
                watcher.news.clear()
                if notice := await noticed.at_table(await tables.row(live), language):
                    yield notice
                message = await tables.message(live, whose, language)
                if message.body is not sent and (sent or str(message.number) != last):
                    body = message.body if whole or known is None else message.since(known)
                    yield b"id: %d\nevent: table\ndata: %b\n\n" % (message.number, body)
                    known = message.view["played"]
                sent = message.body
                if live.state != "open":
                    yield b"event: end\ndata: %b\n\n" % encode({"state": live.state})
                    return
                while not await watcher.wait(HEARTBEAT) and not watcher.ended():
                    yield await noticed.at_table(await tables.row(live), language) or NOTHING


def _tokens_of(tables: Tables, live: LiveTable) -> Answer[list[t.KeptTableToken]]:
    """Return the valid tokens of a table."""
    tokens = [
        t.KeptTableToken(id=one.id, name=one.name, expires=one.expires)
        for one in tables.tokens_of(live)
    ]
    return Answer(tokens, headers=_PRIVATE)


class LiveEventController(Controller):
    """Live events."""

    path = "/events"
    tags = ("tables",)

    @get("/{event_id:str}/live", opt=operation(cache=False, errors=(404, 503)))
    async def watch_event(
        self, request: Request[Any, Any, Any], resources: NamedDependency[Resources], event_id: Name
    ) -> Events:
        """The tables of an event and its standings as server-sent events, for a big screen.

        `event: live` has all of them; it comes at once, and after changes, at most once a second.
        `event: notice` is what `…/notice` answers.
        """
        await _live_event(resources, event_id)
        return Events(self._watch(request, resources, event_id))

    @staticmethod
    async def _watch(
        request: Request[Any, Any, Any], resources: Resources, event_id: str
    ) -> AsyncIterator[bytes]:
        tables = resources.tables
        body = b""
        number = 0
        noticed = Noticed(resources)
        with Watcher(request, resources, tables.watching) as watcher:
            yield RETRY
            while not watcher.ended():
                watcher.news.clear()
                if notice := await noticed.news(event_id):
                    yield notice
                mark = await resources.generation()
                with suppress(NotFound):
                    new = await _live_event(resources, event_id)
                    if new != body:
                        body, number = new, number + 1
                        yield b"id: %d\nevent: live\ndata: %b\n\n" % (number, body)
                # Changes in quick succession are sent together.
                await watcher.sleep(PAUSE)
                for second in count(1):
                    if (
                        watcher.ended()
                        or await watcher.wait(PAUSE)
                        or mark != await resources.generation()
                    ):
                        break
                    if second % HEARTBEAT == 0:
                        yield NOTHING


class Noticed:
    """The clock and announcements that a watcher was last sent."""

    def __init__(self, resources: Resources) -> None:
        self.resources = resources
        self.last: Notice | None = None

    async def news(self, event: str | None) -> bytes:
        """Return the message to send, empty if nothing has changed."""
        return self._sent(await directed.notice(self.resources, event) if event else None)

    async def at_table(self, row: t.TableRow, language: str) -> bytes:
        """Return the same for a table, which is told if it is no longer one of its round."""
        now = await directed.notice(self.resources, row.event) if row.event else None
        if now is not None and await directed.astray(self.resources, row):
            text = words(language)("table.astray", round=row.round)
            now = msgspec.structs.replace(now, text=" ".join(filter(None, (text, now.text))))
        return self._sent(now)

    def _sent(self, now: Notice | None) -> bytes:
        if now is None or directed.same(self.last, now):
            return b""
        self.last = now
        return b"event: notice\ndata: %b\n\n" % encode(now)


class Watcher:
    """A watcher, counted by a context manager, for a limited time.

    A watcher counts neither as an unfinished answer nor as a connection of its client.
    """

    def __init__(
        self, request: Request[Any, Any, Any], resources: Resources, those: set[asyncio.Event]
    ) -> None:
        self.resources = resources
        self._state: Any = request.scope["state"]
        self._until = time.monotonic() + resources.settings.watch_time
        self._counted = resources.tables.watched(caller_of(request), those)

    def __enter__(self) -> Watcher:
        """Start counting; 503 if there are too many."""
        self.news, hold = self._counted.__enter__()
        hold.drop = self._give_way
        if "leave" in self._state:
            self._state["leave"]()
        if "connection" in self._state:
            self._state["connection"].watch(True)
        return self

    def __exit__(self, *error: Any) -> None:
        """Stop counting."""
        if "connection" in self._state:
            self._state["connection"].watch(False)
        self._counted.__exit__(*error)

    def ended(self) -> bool:
        """Whether the time is over, or the server stops."""
        return self.resources.stopping or time.monotonic() >= self._until

    def _give_way(self) -> None:
        """End soon, because a client with fewer streams wants one."""
        self._until = 0.0
        self.news.set()

    async def wait(self, seconds: float) -> bool:
        """Wait for news, at most for `seconds`; returns whether there may be some."""
        with suppress(TimeoutError):
            async with asyncio.timeout(self._left(seconds)):
                await self.news.wait()
        return self.news.is_set()

    async def sleep(self, seconds: float) -> None:
        """Wait, whether there is news or not."""
        if not self.resources.stopping:
            await asyncio.sleep(self._left(seconds))

    def _left(self, seconds: float) -> float:
        return max(min(seconds, self._until - time.monotonic()), 0.0)


async def _live_event(resources: Resources, event_id: str) -> bytes:
    """Return the current `LiveEvent`, encoded once for all watchers; 404 if unknown."""
    tables = resources.tables
    async with tables.telling:
        mark = (tables.version, await resources.generation())
        kept = tables.events.get(event_id)
        if kept is None or kept[0] != mark:
            kept = tables.events[event_id] = (mark, encode(await _event_now(resources, event_id)))
            if len(tables.events) > EVENTS:
                tables.events.popitem(last=False)
        return kept[1]


async def _left(resources: Resources, live: LiveTable) -> bool:
    row = await resources.tables.row(live)
    return not row.over and await directed.left(resources, row)


async def _event_meant(resources: Resources, text: str) -> tuple[str | None, str, set[str]]:
    """Return the event meant: its id, None if there are only tables; its name; those at tables."""
    archive = resources.archive
    rows = [await resources.tables.row(one) for one in resources.tables.all()]
    same = {row.event for row in rows if row.event and folded(row.event) == folded(text)}

    def ask() -> tuple[str | None, str]:
        with suppress(NotFound, Ambiguous):
            if not same or stored(archive, text):
                event = archive.event(text)
                return event.id, event.name
        return None, min(same, default=text)

    id, name = await resources.read(ask)
    return id, name, same if id is None else await names_at_tables(resources, id, name)


async def _event_now(resources: Resources, event_id: str) -> t.LiveEvent:
    """Return the tables of an event that are or were open, but none left, and its standings."""
    tables, archive = resources.tables, resources.archive
    rows = [await tables.row(one) for one in tables.all()]
    rows = [row for row in rows if row.state != DAMAGED]
    id, name, mine = await _event_meant(resources, event_id)
    if id is None and not mine:
        await resources.read(lambda: archive.event(event_id))  # says what is wrong
    standings = None if id is None else await resources.read(lambda: archive.standings(id))
    return t.LiveEvent(
        event=id,
        name=name,
        tables=[
            await directed.named(resources, row)
            for row in rows
            if row.event in mine and not await directed.left(resources, row)
        ],
        standings=standings,
    )
