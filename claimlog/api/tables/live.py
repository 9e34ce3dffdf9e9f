"""Tables at which a game is being recorded: who sends entries, and who watches.

A table's ledger on the disk is authoritative; the state in memory is built from it, and rebuilt
after any failure.  One task at a time changes a table, and watchers are told once the change is on
the disk.
"""

from __future__ import annotations

import asyncio
import errno
import secrets
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar, cast

import msgspec

from claimlog.api import tokens
from claimlog.api.http.problem import ApiError, TableConflict
from claimlog.api.tables import schemas as t
from claimlog.language import words
from claimlog.language.messages import message_of
from claimlog.recording import RecordError
from claimlog.recording.entries import MOST, EntryError, Table, check
from claimlog.recording.ledger import TABLES, Ledger, LedgerError, ledgers
from claimlog.replay.recorder import replay_text
from claimlog.store import ArchiveError, ArchiveReadOnly, DiskFull
from claimlog.store.model.ids import write_id
from claimlog.store.model.types import ReportedProblem

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterator

    from claimlog.api.limits.budget import Budget, Hold
    from claimlog.api.limits.callers import Caller
    from claimlog.api.logs import Log
    from claimlog.directing.board import Notice, Seating
    from claimlog.language import Words
    from claimlog.store import Archive

T = TypeVar("T")

SPECTATOR: Final = "spectator"
ALL: Final = "all"
DAMAGED: Final = "damaged"

LOADED: Final = 500
"""Tables that are held in memory although nobody watches them."""

WRITERS: Final = 4
"""Threads that wait for the disk."""

AT_ONCE: Final = 5
"""Entries that are taken before other tasks have their turn."""

HEARTBEAT: Final = 15.0
"""Seconds without news after which a watcher gets a sign of life."""

_NO_ROOM: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_encode: Final = msgspec.json.Encoder().encode
_words: Final[Callable[[str], Words]] = cache(words)


TOKEN_TIME: Final = timedelta(days=7)
"""How long a token for a table is valid: enough for a postponed game."""


class FoundToken(NamedTuple):
    """A token for one table, without its secret."""

    id: str
    name: str
    table: str
    hash: str
    expires: datetime


class Message(NamedTuple):
    """What a caller may see of a table, encoded, with the number of the entry it is from."""

    number: int
    body: bytes
    shown: t.LiveTable
    view: dict[str, Any]
    news: dict[int, bytes]
    """The encoded view without the tricks the client has, by the number of these."""

    def since(self, known: list[dict[str, Any]]) -> bytes:
        """Return the encoded view without the tricks that the client already has."""
        played = self.view["played"]
        same = 0
        while same < min(len(known), len(played)) and known[same] == played[same]:
            same += 1
        if same not in self.news:
            view = {**self.view, "played": played[same:], "played_from": same}
            shown = msgspec.structs.replace(
                self.shown, number=self.number, view=cast("Any", msgspec.Raw(_encode(view)))
            )
            self.news[same] = _encode(shown)
        return self.news[same]


class LiveTable:
    """A table: its ledger, and what is known of it without reading the ledger."""

    def __init__(self, ledger: Ledger, head: dict[str, Any]) -> None:
        self.ledger = ledger
        self.id: str = ledger.name
        self.created = datetime.fromisoformat(head["created"])
        self.delay: int = head["delay"]
        self.text: str = head["text"]
        self.state: Any = "open"
        self.game: str | None = None
        self.device: str | None = None
        self.seen_at: datetime | None = None
        self.lock = asyncio.Lock()
        self.table: Table | None = None
        self.watching: set[asyncio.Event] = set()
        self.messages: dict[tuple[str, str], Message] = {}
        self.before: dict[tuple[str, str], Message] = {}
        self.row: t.TableRow | None = None

    @property
    def order(self) -> tuple[datetime, str]:
        """The sort key of lists."""
        return self.created, self.id

    @property
    def late(self) -> int:
        """How many tricks late spectators see it."""
        return 0 if self.state == "finished" else self.delay

    def learn(self, line: dict[str, Any]) -> None:
        """Update the table from a line of the ledger, apart from its entries."""
        if "device" in line:
            self.device = line["device"]
            self.seen_at = datetime.fromisoformat(line["at"])
        self.delay = line.get("delay", self.delay)
        if end := line.get("end"):
            self.state, self.game = end["state"], end["game"]

    def moment(self) -> str:
        """Return the time of the next line: now, but later than the last line.

        By these times devices tell an older answer from a newer one, also if the server's clock was
        put back.
        """
        now = datetime.now(UTC)
        if self.seen_at is not None:
            now = max(now, self.seen_at + timedelta.resolution)
        return now.isoformat()

    def changed(self) -> None:
        """Drop the cached messages, and wake the watchers."""
        self.before, self.messages, self.row = self.before | self.messages, {}, None
        for event in self.watching:
            event.set()

    def conflict(self, entries: list[dict[str, Any]] | None = None) -> TableConflict:
        """Return the state of the table, for a device that cannot add to it."""
        return TableConflict(
            number=self.table.number if self.table else 0,
            device=self.device,
            seen_at=self.seen_at,
            entries=entries or [],
        )


class Tables:
    """All tables of a server; their ledgers are in the folder ``<archive>.tables``."""

    def __init__(self, archive: Archive, budget: Budget, log: Log) -> None:
        self.archive = archive
        self.budget = budget
        self.log = log
        self.folder = archive.beside(TABLES)
        self.version = 0
        self.watching: set[asyncio.Event] = set()
        self.events: OrderedDict[str, tuple[tuple[int, int], bytes]] = OrderedDict()
        """The last message about each event, with the version and generation it was made at."""
        self.telling = asyncio.Lock()
        self.noticed: dict[str, tuple[int, float, Notice | None]] = {}
        """What each event's screens show, with the number of desk changes and the time it was read
        at."""
        self.seatings: dict[str, tuple[int, float, Seating | None]] = {}
        """Who sits where in each event, with the same two."""
        self.desks = 0
        self._tables: dict[str, LiveTable] = {}
        self._tokens: dict[str, FoundToken] = {}
        self._loaded: OrderedDict[str, None] = OrderedDict()
        self._threads = ThreadPoolExecutor(WRITERS, "ledger")
        self._tasks: set[asyncio.Task[Any]] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        for ledger in ledgers(self.folder):
            self._find(ledger)

    def _find(self, ledger: Ledger) -> None:
        """Load a table from its ledger."""
        try:
            first, last = ledger.ends()
            lines = [first, last] if "end" in last else ledger.lines()
            table = LiveTable(ledger, first["table"])
            for line in lines:
                table.learn(line)
                self._take_tokens(table, line)
            if "row" in last:
                table.row = msgspec.convert(last["row"], t.TableRow)
        except (LedgerError, LookupError, TypeError, ValueError) as error:
            table = LiveTable(ledger, _head_left(ledger))
            self._found_damaged(table, error)
            # With its tokens one is told that; without, that the token is unknown.
            with suppress(LedgerError, LookupError, TypeError, ValueError):
                for line in ledger.sound():
                    self._take_tokens(table, line)
        self._tables[table.id] = table

    def _take_tokens(self, table: LiveTable, line: dict[str, Any]) -> None:
        """Know the tokens in a line of a table's ledger, and forget the revoked ones."""
        for kept in line.get("tokens", ()):
            token = _found_token(table, kept)
            self._tokens[token.id] = token
        for id in line.get("revoked", ()):
            self._tokens.pop(id, None)

    def _found_damaged(self, table: LiveTable, error: Exception) -> None:
        """Log that a table's ledger is damaged, and mark the table."""
        self.log.failure("table", error, table=table.id)
        table.state = DAMAGED
        table.row = _damaged_row(table)

    # Finding -------------------------------------------------------------------------------

    def __len__(self) -> int:
        return sum(table.state == "open" for table in self._tables.values())

    def all(self) -> list[LiveTable]:
        """Return all tables, the newest first."""
        return sorted(self._tables.values(), key=lambda one: one.order, reverse=True)

    def known(self, id: str) -> LiveTable | None:
        """Return a table, or None if there is none."""
        return self._tables.get(id)

    def get(self, id: str) -> LiveTable:
        """Return a table; 404 if there is none."""
        live = self.known(id)
        if live is None:
            raise ApiError(404, "not-found", "table.unknown", id=id)
        return live

    def find_token(self, text: str) -> FoundToken | None:
        """Return the valid token for a table with this text, or None."""
        known = tokens.token_of(self._tokens, text)
        return known if known is not None and _now() < known.expires else None

    def tokens_of(self, live: LiveTable) -> list[FoundToken]:
        """Return the valid tokens of a table."""
        now = _now()
        return [one for one in self._tokens.values() if one.table == live.id and now < one.expires]

    # Reading -------------------------------------------------------------------------------

    async def message(self, table: LiveTable, seen_as: str, language: str) -> Message:
        """Return what a caller may see of a table, computed once after each change."""
        known = table.messages.get((seen_as, language))
        if known is not None:
            return known
        async with table.lock:
            await self._folded(table)
            return self._message(table, seen_as, language)

    def _message(self, live: LiveTable, seen_as: str, language: str) -> Message:
        key = (seen_as, language)
        if key in live.messages:
            return live.messages[key]
        view = self._view(live, seen_as, language)
        shown = self._shown(live, seen_as, view)
        message = Message(shown.number, _encode(shown), shown, view, {})
        before = live.before.get(key)
        if live.delay and seen_as == SPECTATOR and before is not None:
            same = _encode(msgspec.structs.replace(shown, number=before.number))
            if same == before.body:
                message = before
        live.messages[key] = message
        return message

    def shown(self, live: LiveTable, seen_as: str, language: str) -> t.LiveTable:
        """Return a table as a caller may see it; it must be in memory."""
        return self._shown(live, seen_as, self._view(live, seen_as, language))

    def _view(self, live: LiveTable, seen_as: str, language: str) -> dict[str, Any]:
        table = live.table
        assert table is not None
        if seen_as == ALL:
            return table.view(_words(language))
        if seen_as == SPECTATOR:
            return table.seen(_words(language), delay=live.late)
        return table.seen(_words(language), int(seen_as))

    def _shown(self, live: LiveTable, seen_as: str, view: dict[str, Any]) -> t.LiveTable:
        table = live.table
        assert table is not None
        return t.LiveTable(
            id=live.id,
            state=live.state,
            created=live.created,
            delay=live.delay,
            number=table.number,
            seen_as=cast("Any", seen_as),
            game=live.game,
            view=cast("Any", msgspec.Raw(_encode(view))),
            device=live.device if seen_as == ALL else msgspec.UNSET,
            seen_at=live.seen_at if seen_as == ALL else msgspec.UNSET,
        )

    async def joined(self, live: LiveTable, seen_as: str, language: str, after: int) -> t.LiveTable:
        """Return a table with its beginning and the entries after a number."""
        async with live.lock:
            table = await self._folded(live)
            return msgspec.structs.replace(
                self.shown(live, seen_as, language),
                begin=table.setup,
                entries=cast("Any", table.since(after)),
            )

    async def record(self, live: LiveTable, seen_as: str) -> str:
        """Return the record as a caller may see it."""
        async with live.lock:
            table = await self._folded(live)
            if seen_as == ALL:
                return table.record
            delay = live.late if seen_as == SPECTATOR else 0
            return table.seen_record(0 if seen_as == SPECTATOR else int(seen_as), delay)

    async def scorers_view(self, live: LiveTable) -> dict[str, Any]:
        """Return everything known of a table."""
        async with live.lock:
            return dict((await self._folded(live)).view())

    async def row(self, live: LiveTable) -> t.TableRow:
        """Return a table's row in a list."""
        if live.row is None:
            async with live.lock:
                with suppress(ApiError):  # damaged, and the row says so
                    await self._folded(live)
                    live.row = self._row(live)
        assert live.row is not None
        return live.row

    def _row(self, live: LiveTable, *, handed_in: bool = False) -> t.TableRow:
        table = live.table
        assert table is not None
        view = table.seen(delay=0 if handed_in else live.late)
        tags = view["tags"]
        return t.TableRow(
            id=live.id,
            state=live.state,
            created=live.created,
            delay=live.delay,
            number=view["number"],
            players=view["players"],
            deck=view["deck"],
            **{name: tags.get(name.capitalize()) for name in _OF_THE_ROW},
            trick=view["trick"],
            tricks=view["tricks"],
            decided=view["decided"],
            due=t.TableDue(**view["due"]),
            over=view["over"],
            result=view["result"],
            race=view["race"],
            votes=view["votes"],
            game=live.game,
            adjourned=False,
        )

    async def _folded(self, live: LiveTable) -> Table:
        """Return the table, built from its ledger if not in memory; the caller holds the lock."""
        if live.table is None and live.state != DAMAGED:
            try:
                live.table = await self._in_thread(live.ledger.table)
            except LedgerError as error:
                self._found_damaged(live, error)
        if live.table is None:
            raise ApiError(503, "unavailable", "table.damaged", id=live.id)
        self._loaded[live.id] = None
        self._loaded.move_to_end(live.id)
        if len(self._loaded) > LOADED:
            self._forget_others()
        return live.table

    def _forget_others(self) -> None:
        """Unload the table unused for longest, among those that nobody watches."""
        for id in self._loaded:
            live = self._tables[id]
            if not live.watching and not live.lock.locked():
                live.table, live.messages, live.before = None, {}, {}
                del self._loaded[id]
                return

    async def _in_thread(self, function: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, function)

    # Changing ------------------------------------------------------------------------------

    async def _alone(self, work: Coroutine[Any, Any, T]) -> T:
        """Run work to its end, even if nobody waits for it any more."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return await asyncio.shield(task)

    def _done(self, task: asyncio.Task[Any]) -> None:
        """Forget a task; its error was raised for whoever still waited."""
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()

    def _writable(self) -> None:
        if self.archive.read_only:
            raise ArchiveReadOnly("server.read-only")

    async def open(self, new: t.NewTable, by: str, language: str = "en") -> tuple[t.LiveTable, str]:
        """Open a table; returns it with the text of its token.

        The problems of a record are worded in `language`.
        """
        self._writable()
        # Otherwise the folder would be made again, without the archive.
        await self._in_thread(self.archive.check_writable)
        try:
            table = await self._in_thread(lambda: Table(_agreed(new), words(language)))
        except ValueError as error:
            wrong = error.problems if isinstance(error, RecordError) else ()
            problems = [ReportedProblem.of(problem) for problem in wrong]
            raise ApiError(422, "invalid-record", message_of(error), problems=problems) from error
        return await self._alone(self._open(new, table, by))

    async def _open(self, new: t.NewTable, table: Table, by: str) -> tuple[t.LiveTable, str]:
        id = write_id(secrets.randbits(64))
        text, token = _token(id, by)
        head = {
            "created": _now().isoformat(),
            "by": by,
            "delay": max(new.delay, await self._in_thread(lambda: self._late(table))),
            "text": table.setup,
        }
        ledger = Ledger(self.folder, id)
        await self._written(lambda: ledger.create({"table": head, "tokens": [_kept(token)]}), None)
        live = LiveTable(ledger, head)
        live.table = table
        self._tables[id] = live
        self._tokens[token.id] = token
        self._loaded[id] = None
        self._tell()
        shown = msgspec.structs.replace(self.shown(live, ALL, "en"), begin=table.setup, entries=[])
        return shown, text

    def _late(self, table: Table) -> int:
        """How many tricks late the event shows its tables; 0 if it is not directed here."""
        with suppress(ArchiveError):
            return self.archive.notice(table.seen()["tags"].get("Event", "")).late
        return 0

    async def set_delay(self, live: LiveTable, delay: int, by: str) -> None:
        """Let spectators see a table `delay` tricks late from now on."""
        await self._alone(self._set_delay(live, delay, by))

    async def _set_delay(self, live: LiveTable, delay: int, by: str) -> None:
        async with live.lock:
            if live.state != "open" or live.delay == delay:
                return
            line = {"delay": delay, "by": by}
            await self._written(lambda: live.ledger.append(line), live)
            live.learn(line)
            live.before = {}
            live.changed()
            self._tell()

    async def token(self, live: LiveTable, name: str, by: str) -> tuple[str, FoundToken]:
        """Create another token for a table; its text is not kept."""
        self._writable()
        return await self._alone(self._make_token(live, name, by))

    async def _make_token(self, live: LiveTable, name: str, by: str) -> tuple[str, FoundToken]:
        text, token = _token(live.id, name or by)
        async with live.lock:
            line = {"tokens": [_kept(token)], "by": by}
            if live.state != "open":
                raise ApiError(409, "table-closed", f"table.{live.state}", id=live.id)
            await self._written(lambda: live.ledger.append(line), live)
        self._tokens[token.id] = token
        return text, token

    async def revoke(self, live: LiveTable, id: str, by: str) -> None:
        """Revoke a token of a table; 404 if the table has no token with this id."""
        self._writable()
        await self._alone(self._revoke(live, id, by))

    async def _revoke(self, live: LiveTable, id: str, by: str) -> None:
        async with live.lock:
            token = self._tokens.get(id)
            if token is None or token.table != live.id:
                raise ApiError(404, "not-found", "table.no-token", id=live.id, token=id)
            line = {"revoked": [id], "by": by}
            if live.state == "open":
                await self._written(lambda: live.ledger.append(line), live)
            else:
                # A table that has ended is described by its last line alone.
                *_, last = await self._in_thread(live.ledger.lines)
                kept = [one for one in last["tokens"] if one["id"] != id]
                await self._written(lambda: live.ledger.append({**last, "tokens": kept}), live)
            self._tokens.pop(id, None)

    async def act(self, live: LiveTable, actions: t.Actions, by: str, language: str) -> bytes:
        """Take entries; returns the encoded answer."""
        self._writable()
        entries = t.plain(actions.entries)
        try:
            for entry in entries:
                check(entry)
        except EntryError as error:
            raise ApiError(400, "bad-request", error.message, field="entries") from error
        return await self._alone(self._act(live, actions, entries, by, language))

    async def _act(
        self,
        live: LiveTable,
        actions: t.Actions,
        entries: list[dict[str, Any]],
        by: str,
        language: str,
    ) -> bytes:
        async with live.lock:
            table = await self._folded(live)
            new = {one["id"]: one for one in entries if not table.knows(one["id"])}
            # Known entries are acknowledged when sent again, and do nothing.
            asked = bool(new or not entries or actions.take_over)
            if asked:
                sent = {one["id"] for one in entries}
                self._refuse(live, table, actions, sent, next(iter(new.values()), None))
            if asked and (new or actions.device != live.device):
                line = {
                    "device": actions.device,
                    "at": live.moment(),
                    "by": by,
                    "entries": list(new.values()),
                }
                await self._take(live, table, line)
            acknowledged = [table.outcome(one["id"]) for one in entries]
            body = self._message(live, ALL, language).body
        return _encode(
            {"number": table.number, "entries": acknowledged, "table": msgspec.Raw(body)}
        )

    def _refuse(
        self,
        live: LiveTable,
        table: Table,
        actions: t.Actions,
        sent: set[str],
        first: dict[str, Any] | None,
    ) -> None:
        """Raise 409 for a device that may not add to a table, from its first new entry on.

        A confirmed game takes no more entries until a side takes that back, but whoever takes it
        over may hand it in.
        """
        if live.state != "open" or (first is not None and table.refuses(first)):
            why = "confirmed" if live.state == "open" else live.state
            key = f"table.closed-{why}"
            raise ApiError(409, "table-closed", key, id=live.id, table=live.conflict())
        if live.device not in (None, actions.device) and not actions.take_over:
            raise ApiError(
                409,
                "other-device",
                "table.other-device",
                device=live.device,
                other=actions.device,
                table=live.conflict(),
            )
        lacking = [one for one in table.since(actions.after) if one["id"] not in sent]
        if lacking or actions.after > table.number:
            raise ApiError(
                409,
                "behind",
                "table.behind",
                number=table.number,
                after=actions.after,
                table=live.conflict(lacking),
            )
        if table.number + len(sent) > MOST:
            raise ApiError(409, "conflict", "table.full", most=MOST)

    async def _take(self, live: LiveTable, table: Table, line: dict[str, Any]) -> None:
        """Add entries to a table both in memory and on the disk, or to neither."""
        try:
            for number, entry in enumerate(line["entries"], 1):
                table.add(entry)
                if not number % AT_ONCE:
                    await asyncio.sleep(0)
            await self._written(lambda: live.ledger.append(line), live)
        except BaseException:
            # The table is reloaded from the ledger, which knows how far it goes.
            live.table = None
            live.messages = {}
            raise
        live.learn(line)
        live.changed()
        self._tell()

    async def _written(self, write: Callable[[], None], live: LiveTable | None) -> None:
        """Write to a ledger, and wait until it is on the disk."""
        try:
            await self._in_thread(write)
        except LedgerError as error:
            if error.errno in _NO_ROOM:
                raise DiskFull("disk-full.table") from error
            self.archive.check_writable()
            self.log.failure("table", error, table=live.id if live else "")
            raise ApiError(503, "unavailable", "table.not-written") from error

    async def end(
        self,
        live: LiveTable,
        state: str,
        by: str,
        *,
        reason: str = "",
        store: Callable[[str], Coroutine[Any, Any, str]] | None = None,
    ) -> None:
        """Finish or abandon a table; `store` stores its record and returns the id."""
        self._writable()
        await self._alone(self._end(live, state, by, reason, store))

    async def _end(
        self,
        live: LiveTable,
        state: str,
        by: str,
        reason: str,
        store: Callable[[str], Coroutine[Any, Any, str]] | None,
    ) -> None:
        async with live.lock:
            if live.state == state:
                return
            if live.state != "open":
                raise ApiError(409, "table-closed", f"table.{live.state}", id=live.id)
            table = await self._folded(live)
            game = None
            if store is not None:
                if table.waiting or not table.over:
                    key = "table.doubt" if table.waiting else "table.cards-to-come"
                    raise ApiError(409, "not-over", key)
                game = await store(table.record)
            row = self._row(live, handed_in=store is not None)
            row = msgspec.structs.replace(row, state=cast("Any", state), game=game)
            kept = [_kept(one) for one in self._tokens.values() if one.table == live.id]
            end = {"state": state, "game": game, "reason": reason, "by": by}
            line = {
                "end": end,
                "at": live.moment(),
                "device": live.device,
                "row": msgspec.to_builtins(row),
                "tokens": kept,
            }
            await self._written(lambda: live.ledger.append(line), live)
            live.learn(line)
            live.changed()
            self._tell()

    def _tell(self) -> None:
        """Announce that something has changed at a table."""
        self.version += 1
        for event in self.watching:
            event.set()

    # Watching ------------------------------------------------------------------------------

    @contextmanager
    def watched(
        self, caller: Caller, those: set[asyncio.Event]
    ) -> Iterator[tuple[asyncio.Event, Hold]]:
        """Count a watcher; the event is set when there may be news."""
        with self.budget.watchers.take(caller) as hold:
            self._loop = asyncio.get_running_loop()
            event = asyncio.Event()
            those.add(event)
            try:
                yield event, hold
            finally:
                those.discard(event)

    def stop(self) -> None:
        """End all streams soon; may be called from anywhere, even from a signal handler."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._wake_all)

    def desk_changed(self) -> None:
        """Wake all watchers after a change at an event's desk."""
        self.desks += 1
        self._wake_all()

    def _wake_all(self) -> None:
        self._tell()
        for live in self._tables.values():
            for event in live.watching:
                event.set()

    def close(self) -> None:
        """Wait for pending writes."""
        self._threads.shutdown(wait=True)


_OF_THE_ROW: Final = ("event", "round", "table", "site", "date")


def _agreed(new: t.NewTable) -> str | dict[str, Any]:
    """Return what a table begins with."""
    if new.text is not None:
        if new.deck or new.players:
            raise EntryError("table.two-beginnings")
        return new.text
    if not new.deck or len(new.players) < 2:
        raise EntryError("table.beginning")
    begun = _now().astimezone().replace(microsecond=0)
    agreed = {name: getattr(new, name) for name in ("deck", "players", "leader", "rules")}
    agreed |= {name: getattr(new, name) for name in ("rulings", "loot", "recorder", *_OF_THE_ROW)}
    agreed["hands"] = msgspec.to_builtins(new.hands)
    return agreed | {"date": new.date or begun.date().isoformat(), "start": begun.isoformat()}


def _head_left(ledger: Ledger) -> dict[str, Any]:
    """Return what a table began with, as far as its damaged ledger still says so."""
    try:
        head = ledger.first()["table"]
        datetime.fromisoformat(head["created"])
        return {"created": head["created"], "delay": int(head["delay"]), "text": str(head["text"])}
    except (LedgerError, LookupError, TypeError, ValueError):
        with suppress(OSError):
            moment = datetime.fromtimestamp(ledger.path.stat().st_mtime, UTC)
            return {"created": moment.replace(microsecond=0).isoformat(), "delay": 0, "text": ""}
        return {"created": _now().isoformat(), "delay": 0, "text": ""}


def _damaged_row(live: LiveTable) -> t.TableRow:
    """Return the row in a list for a table whose ledger is damaged."""
    replay = next(replay_text(live.text), None) if live.text else None
    tags = replay.tags if replay is not None else {}
    players = [] if replay is None else [replay.player(seat) for seat in range(1, replay.seats + 1)]
    return t.TableRow(
        id=live.id,
        state=DAMAGED,
        created=live.created,
        delay=live.delay,
        number=0,
        players=players,
        deck="" if replay is None else replay.deck,
        **{name: tags.get(name.capitalize()) for name in _OF_THE_ROW},
        trick=0,
        tricks=0,
        decided=0,
        due=t.TableDue(kind="over", seat=None),
        over=False,
        result="*",
        race={},
        votes=None,
        game=None,
        adjourned=False,
    )


def _token(table: str, name: str) -> tuple[str, FoundToken]:
    id, text, hashed = tokens.new_secret()
    return text, FoundToken(id, name or f"table {table}", table, hashed, _now() + TOKEN_TIME)


def _kept(token: FoundToken) -> dict[str, str]:
    expires = token.expires.isoformat()
    return {"id": token.id, "name": token.name, "hash": token.hash, "expires": expires}


def _found_token(live: LiveTable, kept: dict[str, str]) -> FoundToken:
    """Return a token from a ledger; one without an expiry date counts as old as its table."""
    expires = datetime.fromisoformat(kept["expires"]) if "expires" in kept else None
    return FoundToken(
        kept["id"], kept["name"], live.id, kept["hash"], expires or live.created + TOKEN_TIME
    )


def _now() -> datetime:
    return datetime.now(UTC).replace(microsecond=0)
