"""`Client`: an archive held by a server, used over HTTP through the methods of `Archive`.

>>> from claimlog.client import Client
>>> with Client("http://127.0.0.1:8000") as archive:  # doctest: +SKIP
...     archive.standings("zurich open")
"""

from __future__ import annotations

import contextlib
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast
from urllib.parse import quote, urlencode, urlsplit

import msgspec

from claimlog.directing import acts
from claimlog.directing.board import Board, Notice, StartedRound, TableLink, TableNews
from claimlog.directing.desk import Entry
from claimlog.directing.model import Plan
from claimlog.directing.pairing.outcome import PairedRound, Remark
from claimlog.directing.uploads import EnteredList
from claimlog.language.messages import Message, message_of
from claimlog.notation.names import by_name, tidy
from claimlog.store.model import errors
from claimlog.store.model import types as t
from claimlog.store.model.filter import Filter
from claimlog.store.questions.asked import Asked
from claimlog.store.questions.where import where
from claimlog.writing import open_private

if TYPE_CHECKING:
    import ssl
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from types import TracebackType

    import httpx

    from claimlog.directing.model import Entrant
    from claimlog.directing.pairing.outcome import Relaxation
    from claimlog.store.ledger.identities import Identities
    from claimlog.store.model.filter import (
        Sort,
    )
    from claimlog.store.questions.question import Question

T = TypeVar("T")
_Merge = TypeVar("_Merge", t.Merge, t.EventMerge)

EVERYTHING: Final = Filter()
CLM: Final = "text/x-claim"
FORMS: Final = {
    "clm": CLM,
    "ndjson": "application/x-ndjson",
    "csv": "text/csv",
    "parquet": "application/vnd.apache.parquet",
}
VERSION: Final = "/v1"
HEALTH: Final = "/health"
PATIENCE: Final = 600.0
"""Seconds to wait for an answer: checking a large archive takes long."""


class ServerError(errors.ArchiveError):
    """The server cannot be reached, refuses the request, or cannot carry it out."""


class TokenRefused(ServerError):  # noqa: N818 — as in claimlog.store.model.errors
    """The server requires a token, or one with more rights."""


class _Problem(msgspec.Struct, frozen=True, kw_only=True):
    """A server's refusal (RFC 9457, `claimlog.api.http.problem`)."""

    type: str = ""
    title: str = ""
    detail: str = ""
    key: str = ""
    values: dict[str, Any] = {}
    field: str | None = None
    id: str | None = None
    revision: int | None = None
    problems: list[t.ReportedProblem] | None = None
    unclear: t.Unclear | None = None


class _Health(msgspec.Struct, frozen=True, kw_only=True):
    status: str


class Client(Asked):
    """An archive behind a server.  Not thread-safe.

    Raises what `Archive` raises, and ServerError if a request cannot be made or answered.
    """

    def __init__(self, url: str, token: str | None = None, *, timeout: float = PATIENCE) -> None:
        """Connect to the server at `url`, with a token if it requires one.  Raises ServerError."""
        import httpx

        try:
            base = _address(url)
        except (ValueError, httpx.InvalidURL) as error:
            raise ServerError("server.address", url=url) from error
        self.url = url
        # No compression: most servers are on this machine.
        headers = {"Accept": "application/json", "Accept-Encoding": "identity"}
        if token:
            if not (token.isascii() and token.isprintable()):
                raise TokenRefused("token.characters", url=url)
            headers["Authorization"] = f"Bearer {token}"
        # Ignore proxies and passwords (.netrc) from the environment.
        self._http = httpx.Client(
            base_url=base, headers=headers, timeout=timeout, verify=_trust(base), trust_env=False
        )

    def close(self) -> None:
        """Close the connection."""
        self._http.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __getattr__(self, name: str) -> Any:
        """Return a method that raises ServerError: servers lack this method of `Archive`.

        Raises AttributeError if `Archive` has no such method either.
        """
        missing = AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        if name.startswith("_"):
            raise missing
        from claimlog.store.archive import Archive

        if not hasattr(Archive, name):
            raise missing

        def refuse(*_: Any, **__: Any) -> Any:
            raise ServerError("server.needs-file", url=self.url, what=name.replace("_", " "))

        return refuse

    # Requests --------------------------------------------------------------------------

    @contextlib.contextmanager
    def _answer(
        self,
        method: str,
        path: str,
        arguments: Mapping[str, Any] | None = None,
        *,
        body: bytes | Iterable[bytes] | None = None,
        headers: Mapping[str, str] | None = None,
        failed: str = "server.failed",
    ) -> Iterator[httpx.Response]:
        """Send a request and yield the answer, unread.  Raises the error that the server reports.

        `failed` is the key of the error raised if reading the answer fails.
        """
        import httpx

        query = urlencode([(name, _text(value)) for name, value in _listed(arguments or {})])
        version = "" if path == HEALTH else VERSION
        address = f"{version}{path}{'?' if query else ''}{query}"
        problem = "server.failed"
        try:
            with self._http.stream(method, address, content=body, headers=headers) as answer:
                if not answer.is_success:
                    raise self._error(answer.status_code, answer.read())
                if (mark := answer.headers.get("Claimlog-Mark", "")).isdigit():
                    self._wrote(int(mark))
                problem = failed
                yield answer
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise ServerError(problem, url=self.url, why=_why(error)) from error

    def _wrote(self, mark: int) -> None:
        """Read your own writes: later lists must include the change with this mark.

        Of several servers, one may know only earlier marks.
        """
        before = int(self._http.headers.get("Claimlog-Mark", 0))
        self._http.headers["Claimlog-Mark"] = str(max(mark, before))

    def _ask(self, kind: type[T], method: str, path: str, *how: Any, **more: Any) -> T:
        """Send a request and decode its answer as `kind`."""
        with self._answer(method, path, *how, **more) as answer:
            body = answer.read()
        try:
            return msgspec.json.decode(body, type=kind)
        except msgspec.DecodeError as error:
            raise ServerError("server.strange", url=self.url, why=message_of(error)) from error

    def _tell(
        self,
        kind: type[T],
        method: str,
        path: str,
        by: str,
        arguments: Mapping[str, Any] | None = None,
        /,
        **content: Any,
    ) -> T:
        """Send a request with a JSON body and decode its answer as `kind`."""
        headers = {"Content-Type": "application/json", **_name(by)}
        body = msgspec.json.encode(content)
        return self._ask(kind, method, path, arguments, body=body, headers=headers)

    def _get(self, kind: type[T], path: str, arguments: Mapping[str, Any] | None = None) -> T:
        return self._ask(kind, "GET", path, arguments)

    def answer(self, question: Question[..., T], *args: Any, **given: Any) -> T:
        """Ask the server a question (`claimlog.store.questions.asked`)."""
        asked = question.taken_apart(*args, **given)
        chosen = _which(asked.pop("filter")) if "filter" in asked else {}
        path = question.path.format(**{name: _part(asked.pop(name)) for name in question.places})
        kind: type[T] = question.answers
        more = {name: value for name, value in asked.items() if value is not None}
        answer = self._get(kind, path, chosen | more)
        # Moments come back in UTC: restore them as they were given.
        moments = {name: value for name, value in more.items() if isinstance(value, datetime)}
        arguments: Any = {name: moments[name] for name in moments if hasattr(answer, name)}
        return msgspec.structs.replace(answer, **arguments) if arguments else answer  # type: ignore[type-var]

    def _error(self, status: int, said: bytes) -> errors.ArchiveError:
        """Return the error that the archive would have raised."""
        try:
            problem = msgspec.json.decode(said, type=_Problem)
        except msgspec.DecodeError:
            return ServerError("server.status", url=self.url, status=status)
        own = {"field": problem.field, "id": problem.id, "revision": problem.revision}
        values = problem.values | {name: value for name, value in own.items() if value is not None}
        message = Message.from_json(problem.key, values, problem.detail or problem.title)
        kind = problem.type.removeprefix("urn:claimlog:")
        match kind:
            case "not-found" if problem.key == "not-found":
                return ServerError("server.no-such-address", url=self.url)
            case "not-found":
                return errors.NotFound(message, unclear=problem.unclear)
            case "gone":
                return errors.GameDeleted(message)
            case "ambiguous" if problem.unclear is not None:
                return errors.Ambiguous(message, unclear=problem.unclear)
            case "bad-query" | "bad-request":
                return errors.BadQuery(message)
            case "conflict" | "doubtful" if problem.id is not None:
                return errors.Conflict(message)
            case "conflict":
                return errors.Declined(message)
            case "precondition-failed" if problem.revision is not None:
                return errors.RevisionChanged(message)
            case "invalid-record":
                return errors.InvalidRecord(message, problems=problem.problems or [])
            case "not-installed":
                return errors.PackageMissing(message)
            case "read-only":
                return errors.ArchiveReadOnly("named", name=self.url, why=message)
            case "unauthorized" | "forbidden":
                return TokenRefused("named", name=self.url, why=message)
        title = Message.from_json(f"title.{kind}", {}, problem.title)
        return ServerError("server.refused", url=self.url, title=title, why=message)

    # Games -----------------------------------------------------------------------------

    def alive(self) -> bool:
        """Whether the server is running and not about to stop, even if its archive is gone."""
        try:
            return self._get(_Health, HEALTH).status == "ok"
        except ServerError as error:
            why = error.message.values.get("why")
            if isinstance(why, Message) and why.key in ("archive.gone", "archive.replaced"):
                return True
            raise

    def info(self) -> t.Info:
        """See `Archive.info`; the server gives only the file name of the path."""
        return self._get(t.Info, "/archive")

    def store(
        self, record: bytes | str, *, by: str = "", doubtful: t.Doubtful = "refuse"
    ) -> t.Outcome:
        """See `Archive.store`; a record that is not stored raises an error."""
        chosen = {"doubtful": None if doubtful == "refuse" else doubtful}
        body = record.encode() if isinstance(record, str) else record
        headers = {"Content-Type": CLM, **_name(by)}
        return self._ask(t.Outcome, "POST", "/games", chosen, body=body, headers=headers)

    def import_games(
        self,
        records: Iterable[bytes],
        *,
        by: str = "",
        doubtful: t.Doubtful = "refuse",
        language: str = "en",
    ) -> Iterator[dict[str, Any]]:
        """Store the games of a text and yield the outcome of each, as the server sends it.

        The text is sent in pieces while the answers arrive; the last one is a `summary`.
        """
        chosen = {"lang": language, "doubtful": None if doubtful == "refuse" else doubtful}
        headers = {"Content-Type": CLM, "Accept": FORMS["ndjson"], **_name(by)}
        with self._answer("POST", "/imports", chosen, body=records, headers=headers) as answer:
            rest = b""
            for piece in answer.iter_bytes():
                *lines, rest = (rest + piece).split(b"\n")
                for line in map(msgspec.json.decode, lines):
                    if "summary" in line:
                        # The header came before anything was stored.
                        self._wrote(line["summary"].get("mark", 0))
                    yield line

    def game(self, id: str) -> t.StoredGame:
        """See `Archive.game`."""
        return self._get(t.StoredGame, f"/games/{_part(id)}")

    def record(self, id: str, revision: int | None = None) -> t.Record:
        """See `Archive.record`."""
        if revision is None:
            last = self.revisions(id)[-1]
            id, revision = last.id, last.revision
        path = f"/games/{_part(id)}/revisions/{revision}"
        return self._get(t.Record, path)

    def revisions(self, id: str) -> list[t.Revision]:
        """See `Archive.revisions`."""
        path = f"/games/{_part(id)}/revisions"
        return self._get(list[t.Revision], path)

    def game_analysis(self, id: str) -> dict[str, Any]:
        """The value of each decision of a game, as ``claimlog analyse --format json`` prints it.

        The server limits its effort: values that it could not settle have bounds.
        """
        return self._get(dict[str, Any], f"/games/{_part(id)}/analysis")

    def analysis_of(self, record: bytes | str) -> dict[str, Any]:
        """The same for a record of one game, which is not stored."""
        body = record.encode() if isinstance(record, str) else record
        return self._ask(
            dict[str, Any], "POST", "/analysis", body=body, headers={"Content-Type": CLM}
        )

    def games(
        self,
        filter: Filter = EVERYTHING,
        *,
        sort: Sort = "newest",
        limit: int = 50,
        cursor: str | None = None,
        total: bool = False,
    ) -> t.GamePage:
        """See `Archive.games`."""
        chosen = {**_which(filter), "sort": sort, "limit": limit, "cursor": cursor}
        chosen |= {"total": total or None}
        return self._get(t.GamePage, "/games", chosen)

    def count(self, filter: Filter = EVERYTHING) -> int:
        """See `Archive.count`."""
        return int(self._get(dict[str, int], "/stats/count", _which(filter))["games"])

    def export(
        self,
        form: str,
        filter: Filter = EVERYTHING,
        *,
        sort: Sort = "oldest",
        rows: str = "games",
        limit: int | None = None,
    ) -> Iterator[bytes]:
        """See `Archive.export`; an answer that breaks off raises ServerError.

        Servers export only games: for other `rows`, make them from an export of the games.
        """
        if rows != "games":
            raise ServerError("server.only-games", url=self.url, rows=rows)
        chosen = {**_which(filter), "sort": sort}
        if limit is not None:
            chosen["limit"] = limit
        yield from self._pieces("GET", "/games", chosen, FORMS[form])

    def _pieces(
        self, method: str, path: str, arguments: Mapping[str, Any], accept: str
    ) -> Iterator[bytes]:
        headers = {"Accept": accept}
        with self._answer(
            method, path, arguments, headers=headers, failed="server.broke-off"
        ) as answer:
            yield from answer.iter_bytes()

    def correct(
        self,
        id: str,
        record: bytes | str,
        *,
        by: str,
        why: str,
        expected: int | None = None,
        beside: bool = False,
    ) -> t.Outcome:
        """See `Archive.correct`; the outcome of a doubtful record lacks the `doubt` here."""
        match = "*" if expected is None else f'"{expected}"'
        headers = {"Content-Type": CLM, "If-Match": match, **_name(by)}
        body = record.encode() if isinstance(record, str) else record
        chosen = {"why": why, "beside": beside or None}
        path = f"/games/{_part(id)}"
        try:
            return self._ask(t.Outcome, "PUT", path, chosen, body=body, headers=headers)
        except errors.InvalidRecord as error:
            if not error.problems:
                raise
            return t.Outcome(game=1, line=1, status="invalid", problems=error.problems)
        except errors.Conflict as error:
            if error.message.key != "game.would-be":
                raise
            return t.Outcome(game=1, line=1, status="doubtful", id=error.id)

    def correct_games(
        self,
        filter: Filter,
        *,
        tags: Mapping[str, str | None] | None = None,
        names: Mapping[str, str] | None = None,
        by: str,
        why: str,
        dry_run: bool = True,
        expected: str | None = None,
        beside: bool = False,
    ) -> t.Corrections:
        """See `Archive.correct_games`."""
        chosen = {**_which(filter), "dry_run": dry_run, "beside": beside or None}
        body = {"tags": tags or {}, "names": names or {}, "why": why, "expected": expected}
        return self._tell(t.Corrections, "POST", "/corrections", by, chosen, **body)

    def delete(self, id: str, *, by: str, why: str, expected: int | None = None) -> t.Revision:
        """See `Archive.delete`."""
        headers = _name(by) | ({} if expected is None else {"If-Match": f'"{expected}"'})
        return self._ask(t.Revision, "DELETE", f"/games/{_part(id)}", {"why": why}, headers=headers)

    def undelete(self, id: str, *, by: str, why: str, beside: bool = False) -> t.Revision:
        """See `Archive.undelete`."""
        chosen = {"why": why, "beside": beside or None}
        path = f"/games/{_part(id)}/undelete"
        return self._ask(t.Revision, "POST", path, chosen, headers=_name(by))

    def beginning(self, kind: t.Kind, text: str, *, limit: int = 50) -> list[t.Candidate]:
        """See `Archive.beginning`; for games it searches only the newest ones."""
        if kind == "game":
            page = self.games(limit=1000 if text else limit)
            rows = [row for row in page.games if row.id.startswith(text.lower())][:limit]
            return [
                t.Candidate(
                    kind="game",
                    id=row.id,
                    name=" - ".join(seat.name or "?" for seat in row.players),
                    last_date=None if (row.date or "?")[0] == "?" else row.date,
                )
                for row in rows
            ]
        wanted, _ = by_name(tidy(text))
        first: list[t.Candidate] = []
        later: list[t.Candidate] = []
        for row in self._by_name(kind, text, 1000 if wanted else limit):
            plain, _ = by_name(row.name)
            one = t.Candidate(kind=kind, id=row.id, name=row.name)
            if plain.startswith(wanted):
                first.append(one)
                if len(first) == limit:
                    break
            elif f" {wanted}" in plain:
                later.append(one)
        return [*first, *later][:limit]

    def _by_name(self, kind: t.Kind, search: str, limit: int) -> Iterator[t.PlayerRow | t.EventRow]:
        """Players or events in whose names the words are, by name, requested page by page."""
        cursor = None
        while True:
            page: Any = (self.players if kind == "player" else self.events)(
                search=search, sort="name", limit=limit, cursor=cursor
            )
            yield from page.players if kind == "player" else page.events
            cursor = page.cursor
            if cursor is None:
                return

    # Players ---------------------------------------------------------------------------

    def merge_players(self, alias: str, into: str, *, by: str, why: str = "") -> t.Merge:
        """See `Archive.merge_players`."""
        path = f"/players/{_part(into)}/aliases"
        return self._tell(t.Merge, "POST", path, by, alias=alias, why=why)

    def split_player(
        self, alias: str, *, by: str, why: str = "", player: str | None = None
    ) -> t.Merge:
        """See `Archive.split_player`."""
        path = f"/players/{_part(player or alias)}/aliases/{_part(alias)}"
        with self._answer("DELETE", path, {"why": why}, headers=_name(by)):
            pass
        return _last_undone(self.merges(undone=True))

    # Events ----------------------------------------------------------------------------

    def set_tiebreaks(self, event: str, tiebreaks: list[t.TieBreak], *, by: str) -> t.EventRow:
        """See `Archive.set_tiebreaks`."""
        path = f"/events/{_part(event)}/tiebreaks"
        return self._tell(t.EventRow, "PUT", path, by, tiebreaks=tiebreaks)

    def rename_event(self, event: str, name: str, *, by: str, why: str = "") -> t.EventRow:
        """See `Archive.rename_event`."""
        return self._tell(t.EventRow, "PUT", f"/events/{_part(event)}/name", by, name=name, why=why)

    def merge_events(self, alias: str, into: str, *, by: str, why: str = "") -> t.EventMerge:
        """See `Archive.merge_events`."""
        path = f"/events/{_part(into)}/aliases"
        return self._tell(t.EventMerge, "POST", path, by, alias=alias, why=why)

    def split_event(
        self, alias: str, *, by: str, why: str = "", event: str | None = None
    ) -> t.EventMerge:
        """See `Archive.split_event`."""
        path = f"/events/{_part(event or alias)}/aliases/{_part(alias)}"
        with self._answer("DELETE", path, {"why": why}, headers=_name(by)):
            pass
        return _last_undone(self.event_merges(undone=True))

    # Directing -------------------------------------------------------------------------

    def create_event(self, name: str, plan: Plan | None = None, *, by: str, why: str = "") -> Board:
        """See `Archive.create_event`."""
        return self._tell(Board, "POST", "/events", by, name=name, plan=plan or Plan(), why=why)

    def desks(self) -> list[Board]:
        """See `Archive.desks`."""
        return self._get(list[Board], "/desks")

    def desk(self, event: str) -> Board:
        """See `Archive.desk`."""
        return self._get(Board, f"/events/{_part(event)}/desk")

    def notice(self, event: str) -> Notice:
        """See `Archive.notice`."""
        return self._get(Notice, f"/events/{_part(event)}/notice")

    def desk_tables(self, event: str) -> list[TableNews]:
        """See `Archive.desk_tables`."""
        return self._get(list[TableNews], f"/events/{_part(event)}/desk/tables")

    def desk_acts(self, event: str) -> list[Entry]:
        """See `Archive.desk_acts`."""
        return self._get(list[Entry], f"/events/{_part(event)}/acts")

    def direct(
        self,
        event: str,
        act: acts.Act,
        *,
        by: str,
        why: str = "",
        expected: int | None = None,
        seen: int | None = None,
    ) -> Board:
        """See `Archive.direct`; everything else done at a desk has its own method."""
        (verb,) = [verb for verb, kind in acts.DIRECT.items() if isinstance(act, kind)]
        body = msgspec.to_builtins(act) | {"why": why, "expected": expected} | _if_given(seen=seen)
        del body["act"]
        return self._tell(Board, "POST", f"/events/{_part(event)}/desk/{verb}", by, **body)

    def enter(self, event: str, entrants: Sequence[Entrant], *, by: str, why: str = "") -> Board:
        """See `Archive.enter`."""
        path = f"/events/{_part(event)}/entrants"
        return self._tell(Board, "POST", path, by, entrants=entrants, why=why)

    def enter_list(self, event: str, entries: str, *, by: str, why: str = "") -> EnteredList:
        """See `Archive.enter_list`."""
        path = f"/events/{_part(event)}/entrants/list"
        return self._tell(EnteredList, "POST", path, by, text=entries, why=why)

    def enter_trf(self, event: str, trf: str, *, by: str, why: str = "") -> EnteredList:
        """See `Archive.enter_trf`."""
        path = f"/events/{_part(event)}/entrants/trf"
        return self._tell(EnteredList, "POST", path, by, text=trf, why=why)

    def pair_list(self, event: str, pairings: str, *, by: str, why: str = "") -> PairedRound:
        """See `Archive.pair_list`."""
        path = f"/events/{_part(event)}/pair/list"
        return self._tell(PairedRound, "POST", path, by, text=pairings, why=why)

    def enter_results(
        self,
        event: str,
        results: str,
        *,
        by: str,
        why: str = "",
        round: int | None = None,
        correct: bool = False,
    ) -> EnteredList:
        """See `Archive.enter_results`."""
        path = f"/events/{_part(event)}/results/list"
        body = {"text": results, "why": why, "round": round, "correct": correct}
        return self._tell(EnteredList, "POST", path, by, **body)

    def pair_round(
        self,
        event: str,
        *,
        by: str,
        why: str = "",
        relax: Collection[Relaxation] = (),
        seen: int | None = None,
    ) -> PairedRound:
        """See `Archive.pair_round`."""
        path = f"/events/{_part(event)}/pair"
        body = {"why": why, "relax": sorted(relax)} | _if_given(seen=seen)
        return self._tell(PairedRound, "POST", path, by, **body)

    def pairing_remarks(self, event: str, round: int) -> list[Remark]:
        """See `Archive.pairing_remarks`."""
        return self._get(list[Remark], f"/events/{_part(event)}/rounds/{round}/remarks")

    def start_round(self, event: str, round: int, *, by: str, why: str = "") -> StartedRound:
        """See `Archive.start_round`; the server opens a table for each game that has a deck."""
        path = f"/events/{_part(event)}/rounds/{round}/start"
        return self._tell(StartedRound, "POST", path, by, why=why)

    def round_links(self, event: str, round: int, *, by: str) -> list[TableLink]:
        """See `Archive.round_links`; links given out earlier remain valid."""
        path = f"/events/{_part(event)}/rounds/{round}/links"
        return self._tell(list[TableLink], "POST", path, by)

    def close_round(
        self, event: str, round: int, *, by: str, why: str = "", adjourn: bool = False
    ) -> Board:
        """See `Archive.close_round`."""
        path = f"/events/{_part(event)}/rounds/{round}/close"
        return self._tell(Board, "POST", path, by, why=why, adjourn=adjourn)

    def undo_act(self, event: str, *, by: str, why: str = "", expected: int | None = None) -> Board:
        """See `Archive.undo_act`."""
        path = f"/events/{_part(event)}/undo"
        return self._tell(Board, "POST", path, by, why=why, expected=expected)

    # Maintenance -----------------------------------------------------------------------

    def doubtful(self, *, limit: int = 1000) -> list[t.DoubtfulPair]:
        """See `Archive.doubtful`; a server answers with at most 1,000."""
        return self._ask(list[t.DoubtfulPair], "GET", "/archive/doubtful")[:limit]

    def check(
        self,
        progress: Callable[[t.Progress], None] | None = None,
        *,
        full: bool = True,
        head: str | None = None,
        resume: t.Resume = "no",
    ) -> t.CheckReport:
        """See `Archive.check`; a server always checks everything and reports no progress."""
        return self._ask(t.CheckReport, "POST", "/archive/check", {"head": head})

    def backup(self, path: str | Path) -> int:
        """See `Archive.backup`; the copy is written to this machine."""
        target = Path(path)
        part = target.with_name(f"{target.name}.part")
        size = 0
        try:
            if target.exists():
                raise errors.ArchiveError("file.is-there", path=target)
            with open_private(part) as file:
                accept = "application/vnd.duckdb"
                for piece in self._pieces("POST", "/archive/backup", {}, accept):
                    size += file.write(piece)
            part.rename(target)
        except OSError as error:
            raise errors.ArchiveError("file.not-written", path=target, why=_why(error)) from error
        finally:
            with contextlib.suppress(OSError):
                part.unlink()
        return size

    def compact(self, *, wait: float = 30) -> tuple[int, int]:
        """See `Archive.compact`."""
        sizes = self._ask(dict[str, int], "POST", "/archive/compact")
        return sizes["before"], sizes["after"]


# Small things -----------------------------------------------------------------------------


def _address(url: str) -> httpx.URL:
    """The address of a server as it is typed; raises ValueError or httpx.InvalidURL."""
    import httpx

    place = urlsplit(url if "//" in url else f"http://{url}")
    if place.scheme not in ("http", "https") or not place.hostname:
        raise ValueError
    # Leave out any name and password before the host.
    base = httpx.URL(scheme=place.scheme, host=place.hostname, port=place.port, path=place.path)
    base.host.encode("idna")  # as each request does, which would fail with another error
    return base


def _trust(server: httpx.URL) -> ssl.SSLContext:
    """Return the TLS context; plain HTTP has no certificates, so nothing is loaded for it.

    A server on this machine has a certificate for the name by which others know it, so it is not
    verified: the connection is as safe as plain HTTP.
    """
    import ssl

    if server.scheme == "http":
        return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # loading all certificates is slow
    context = ssl.create_default_context()
    if server.host in ("127.0.0.1", "::1", "localhost"):
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    return context


def _which(filter: Filter) -> dict[str, Any]:
    """A filter as arguments.  Raises BadQuery for a filter that the archive would refuse."""
    names = ("player", "not_player", "seat", "partner", "opponent", "outcome", "event", "not_event")
    plain = msgspec.structs.replace(filter, **dict.fromkeys(names))
    where(plain, cast("Identities", None))  # players are not looked up
    return {
        name: value
        for name in filter.__struct_fields__
        if (value := getattr(filter, name)) not in (None, ())
    }


def _listed(arguments: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The arguments that are given, with lists item by item."""
    for name, value in arguments.items():
        if isinstance(value, list | tuple):
            yield from ((name, one) for one in value)
        elif value is not None and value != "":
            yield name, value


def _text(value: Any) -> str:
    if isinstance(value, datetime):
        return value.isoformat()
    return str(value).lower() if isinstance(value, bool) else str(value)


def _if_given(**values: object) -> dict[str, Any]:
    """Return the values other than None, which servers of earlier versions do not know."""
    return {name: value for name, value in values.items() if value is not None}


def _part(text: str) -> str:
    """A name or an id as part of a path, including "..", which would mean the parent folder."""
    part = quote(text or " ", safe="")
    return part if part.strip(".") else part.replace(".", "%2E")


def _last_undone(merges: Iterable[_Merge]) -> _Merge:
    """The merge that was undone last: a server returns none when it undoes one."""
    undone = [one for one in merges if one.undone_at is not None]
    return max(undone, key=lambda one: one.undone_at or one.at)


def _name(by: str) -> dict[str, str]:
    """The header that says who acts, for servers without tokens; otherwise the token says so."""
    return {"X-Claimlog-By": quote(by, safe=" ")} if by else {}


def _why(error: BaseException) -> Message:
    """The system's reason for an error if it gave one, otherwise the error's own message."""
    cause: BaseException | None = error
    while cause is not None:
        for one in (cause, *cause.args):  # httpcore passes the system's error as an argument
            if isinstance(one, OSError) and one.strerror:
                return message_of(one)
        cause = cause.__cause__
    return message_of(error)
