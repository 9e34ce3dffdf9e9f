"""`claimlog import`: validate games and store them."""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO, Final, Literal, Protocol

import typer

from claimlog.language import LANGUAGES
from claimlog.notation.reader import find_files
from claimlog.store.addresses import is_address

from ..files import fail, read_errors, say, tell
from ..language import amount, language, said, tr, tr_count
from ..spreading import Cluster, spread_over
from .opening import AnyBy, Db, for_a_token, holder, open_archive, unless_asked_of_a_server

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from claimlog.client import Client
    from claimlog.spread import Spread
    from claimlog.store import Archive

How = Literal["refuse", "replace", "beside"]
"""What to do with a game that seems to be stored already but differs."""

_WORDS = {
    "stored": "stored",
    "known": "known already",
    "corrected": "new revisions of stored games",
    "doubtful": "in doubt, not stored",
    "deleted": "deleted earlier, not stored again",
    "invalid": "refused",
}
MEMORY: Final = "200MB"
"""For the archive: more does not speed up an import, as its rows go straight to disk."""

_KEPT: Final = "; games reported as stored are stored"


def import_games(
    files: Annotated[
        list[str],
        typer.Argument(
            help="Files, folders (searched for *.clm), both also in S3 (s3://bucket/folder/), or - "
            "for standard input."
        ),
    ],
    db: Db = None,
    by: AnyBy = "",
    server: Annotated[
        str | None,
        typer.Option(
            help="Send the games to a running server, http://127.0.0.1:8000; by default the one in "
            "CLAIMLOG_SERVER."
        ),
    ] = None,
    token: Annotated[
        str | None, typer.Option(envvar="CLAIMLOG_TOKEN", help="The token for --server.")
    ] = None,
    replace: Annotated[
        bool,
        typer.Option(
            "--replace",
            help="Store such a game as a new revision of the stored one.",
        ),
    ] = False,
    beside: Annotated[
        bool, typer.Option("--beside", help="Store such a game as a separate game.")
    ] = False,
    cluster: Cluster = None,
    as_json: Annotated[
        bool,
        typer.Option(
            "--json",
            help="Print one JSON object per game, each on its own line, instead of the report.",
        ),
    ] = False,
) -> None:
    """Store games in the archive; those with errors are refused, the rest are stored.

    If a game seems to be stored already but differs (the same event, round and table, or event,
    round and players, or players, deck and first six tricks), you are asked what to do on a
    terminal; otherwise it is refused, unless --replace or --beside decides.

    Exit codes: 0 all stored or known, 1 some refused, 2 a file could not be read or the archive
    could not be used.
    """
    if replace and beside:
        fail(tr("--replace and --beside cannot be combined: a game is one or the other"))
    how: How = "replace" if replace else "beside" if beside else "refuse"
    db = unless_asked_of_a_server(db, server or os.environ.get("CLAIMLOG_SERVER"))
    if server is not None and db is not None:
        fail(tr("--db and --server cannot be combined: a server has its own archive"))
    if cluster is not None and not is_address(db):
        fail(tr("--cluster needs an archive in PostgreSQL: --db postgresql://…"))
    server = server or _server_of(db)
    lang = LANGUAGES[0] if as_json else language()
    totals: Counter[str] = Counter()
    unread = False
    try:
        if server is not None:
            with _connected(server, token) as client:
                for path in find_files(files):
                    there = Remote(client, token, path, by)
                    unread |= not _file(path, there.sent(how, lang), totals, as_json, there)
        elif cluster is not None:
            with spread_over(cluster) as spread:
                assert spread is not None
                unread = _spread(files, db, by, totals, as_json, how, lang, spread)
        else:
            unread = _stored(files, db, by, totals, as_json, how, lang)
    except (KeyboardInterrupt, SystemExit):
        # Incomplete, but these games are stored.
        if totals and not as_json:
            _print_totals(totals)
        raise
    if not as_json:
        _print_totals(totals)
    raise SystemExit(2 if unread else 1 if totals["invalid"] or totals["doubtful"] else 0)


@contextmanager
def _connected(server: str, token: str | None) -> Iterator[Client]:
    """Yield a client of the server; an invalid address ends the command."""
    from claimlog.client import Client, ServerError

    try:
        client = Client(server, token)
    except ServerError as error:
        fail(said(error))
    with client:
        yield client


def _server_of(db: Path | None) -> str | None:
    """The server given in the environment, or the one that holds the archive's file."""
    if db is None and (url := os.environ.get("CLAIMLOG_SERVER")):
        return url
    return holder(db)


def _stored(
    files: list[str],
    db: Path | None,
    by: str,
    totals: Counter[str],
    as_json: bool,
    how: How,
    lang: str,
) -> bool:
    """Store files in the archive; return whether some of them could not be read."""
    from claimlog.notation.reader import open_games

    unread = False
    # Meanwhile other processes validate; DuckDB's threads would slow them down.
    threads = max(1, (os.cpu_count() or 1) // 2)
    with open_archive(db, writing=True, create=True, threads=threads, memory=MEMORY) as archive:

        def outcomes(path: str) -> Iterator[dict[str, Any]]:
            import msgspec

            with open_games(path) as stream, _progress(stream) as read:
                for batch in archive.import_games(
                    read,
                    by=by,
                    source=path,
                    doubtful=how,
                    language=lang,
                    alone=True,
                ):
                    for outcome in batch:
                        if outcome.status == "stored" and not as_json:
                            # Nothing else is reported about it, and most games are like this.
                            yield {"status": "stored", "result": outcome.result}
                        else:
                            yield msgspec.to_builtins(outcome)

        # In PostgreSQL others store games, too, which are not to be taken for ours.
        before = None if is_address(db) else archive.count()
        try:
            for path in find_files(files):
                here = Local(archive, by, path)
                unread |= not _file(path, outcomes(path), totals, as_json, here)
        except KeyboardInterrupt:
            # What was stored at that moment has no outcome any more.
            if before is not None:
                totals["stored"] = max(totals["stored"], archive.count() - before)
            raise
    return unread


def _spread(
    files: list[str],
    db: Path | None,
    by: str,
    totals: Counter[str],
    as_json: bool,
    how: How,
    lang: str,
    spread: Spread,
) -> bool:
    """Do the same as `_stored` with the workers of a cluster; at the end the lake has the games."""
    from secrets import token_hex

    unread = False
    with open_archive(db, writing=True, create=True, memory=MEMORY) as archive:
        from claimlog.store.postgres.bulk import File, Import, close_all

        def outcomes(file: File) -> Iterator[dict[str, Any]]:
            import msgspec

            with _bar(file.size) as progress:
                for done in file.done:
                    for (status, finished), number in done.counts.items():
                        result = "" if finished else "*"
                        yield from [{"status": status, "result": result}] * number
                    yield from map(msgspec.to_builtins, done.outcomes)
                    progress(done.size)

        how_to = Import(
            spread,
            str(db),
            job=token_hex(8),
            by=by,
            doubtful=how,
            language=lang,
            everything=as_json,
        )
        try:
            for file in how_to.files(find_files(files)):
                here = Local(archive, by, file.path)
                unread |= not _file(file.path, outcomes(file), totals, as_json, here)
        finally:
            spread.everywhere(close_all)
        archive.bring()
    return unread


class Shelf(Protocol):
    """The place where games are stored, here or on a server, as needed for doubtful games."""

    def text(self, id: str) -> str:
        """The record of a stored game."""

    def settle(self, record: str, how: How) -> dict[str, Any]:
        """Store a doubtful record after all; return the outcome."""


class Local:
    """The archive that this command has open."""

    def __init__(self, archive: Archive, by: str, path: str) -> None:
        self.archive = archive
        self.by = by
        self.path = path

    def text(self, id: str) -> str:
        """The record of a stored game."""
        return self.archive.game(id).record

    def settle(self, record: str, how: How) -> dict[str, Any]:
        """Store a doubtful record after all."""
        import msgspec

        outcome = self.archive.store(record, by=self.by, source=self.path, doubtful=how)
        line: dict[str, Any] = msgspec.to_builtins(outcome)
        return line


def _file(
    path: str,
    outcomes: Iterable[dict[str, Any]],
    totals: Counter[str],
    as_json: bool,
    shelf: Shelf,
) -> bool:
    """Report what happened to the games of one file; return whether it could be read."""
    name = "<stdin>" if path == "-" else path
    before = totals.total() - totals["unfinished"]
    doubtful = []
    ask = path != "-" and not as_json and sys.stdin.isatty() and sys.stdout.isatty()
    try:
        for outcome in outcomes:
            if outcome["status"] == "doubtful" and not as_json:
                doubtful.append(outcome)
                continue
            totals[outcome["status"]] += 1
            totals["unfinished"] += outcome["status"] == "stored" and outcome["result"] == "*"
            if as_json:
                print(json.dumps({"file": name, **outcome}, ensure_ascii=False))
            elif outcome["status"] == "invalid":
                for problem in outcome["problems"]:
                    tell(
                        f"{name}:{problem['line']}:{problem['column']}: "
                        f"{tr(problem['severity'])}: {problem['code']}: {problem['message']}"
                    )
            elif outcome["status"] == "deleted":
                print(
                    f"{name}:{outcome['line']}: "
                    + tr(
                        "game {id} was deleted earlier; claimlog game undelete brings it back",
                        id=outcome["id"],
                    )
                )
    except BrokenPipeError:
        raise
    except read_errors() as error:
        sys.stdout.flush()
        say(tr("{file} cannot be read: {why}", file=name, why=said(error)))
        return False
    finally:
        if doubtful:  # whatever happens, none of them is forgotten
            totals["doubtful"] += len(doubtful)
    if totals.total() - totals["unfinished"] == before:
        sys.stdout.flush()
        say(tr("{file} contains no games", file=name))
    _settle(name, doubtful, totals, shelf, ask)
    return True


_COMMON: Final = {
    "table": "the same event, round and table",
    "players": "the same event, round and players",
    "tricks": "the same players, deck and first six tricks",
}
Choice = Literal["replace", "beside", "skip"]
_CHOICES: Final[dict[str, Choice]] = {
    "r": "replace", "e": "replace", "b": "beside", "s": "skip", "": "skip",
}  # fmt: skip
"""The meaning of the letters, in English and in German."""
SHOWN: Final = 40
"""The most lines of a difference to show."""


def _settle(
    name: str, doubtful: list[dict[str, Any]], totals: Counter[str], shelf: Shelf, ask: bool
) -> None:
    """Show how doubtful games differ from the stored ones, and ask what to do if possible."""
    for_all: Choice | None = None
    for outcome in doubtful:
        doubt = outcome["doubt"]
        common = " ".join(tr(_COMMON[what]) for what in doubt["in_common"][:1])
        others = ", ".join(doubt["others"])
        also = f" ({tr('and {others}', others=others)})" if others else ""
        print(
            f"{name}:{outcome['line']}: "
            + tr(
                "this seems to be game {id}, with {common}, but differs from it:",
                id=outcome["id"] + also,
                common=common,
            )
        )
        lines = list(_difference(shelf.text(outcome["id"]), doubt["record"]))
        for line in lines[:SHOWN]:
            tell(f"    {line}")
        if len(lines) > SHOWN:
            print("    " + tr("… and {number} more lines", number=len(lines) - SHOWN))
        if not ask:
            continue
        choice = for_all
        if choice is None:
            letter = _asked(not doubt["others"])
            choice = _CHOICES[letter.lower()]
            for_all = choice if letter.isupper() else None
        if choice == "skip":
            continue
        done = shelf.settle(doubt["record"], choice)
        totals["doubtful"] -= 1
        totals[done["status"]] += 1
        print(f"    {tr(_WORDS.get(done['status'], done['status']))}: {done['id']}")
    if doubtful and not ask:
        print(
            f"{name}: "
            + tr(
                "--replace makes such games new revisions of the stored ones, --beside stores "
                "them as separate games; claimlog game shows a stored one"
            )
        )


def _asked(one: bool) -> str:
    """Ask what to do with a doubtful game: a letter, upper case for all others too."""
    if one:
        question = tr("[r]eplace the stored game, store it [b]eside, or [s]kip it?")
        choices = tr("r, b or s; R, B or S for all others too")
    else:
        question = tr("store it [b]eside, or [s]kip it?")
        choices = tr("b or s; B or S for all others too")
    while True:
        try:
            answer = input(f"    {question} ").strip()
        except EOFError:
            return "S"
        choice = _CHOICES.get(answer.lower())
        if choice is not None and (one or choice != "replace"):
            return answer or "s"
        print(f"    {choices}")


def _difference(stored: str, new: str) -> Iterator[str]:
    """The lines in which two records differ, the stored one's first."""
    from difflib import ndiff

    for line in ndiff(stored.splitlines(), new.splitlines()):
        if line[:2] in ("- ", "+ "):
            yield line


def _print_totals(totals: Counter[str]) -> None:
    games = sum(totals[status] for status in _WORDS)
    words = {status: tr(word) for status, word in _WORDS.items()}
    if totals["unfinished"]:
        unfinished = tr("{number} unfinished", number=amount(totals["unfinished"]))
        words["stored"] += f" ({unfinished})"
    parts = [f"{amount(totals[status])} {word}" for status, word in words.items() if totals[status]]
    word = f": {', '.join(parts)}" if parts else ""
    print(f"{tr_count('{number} game', '{number} games', games)}{word}")


@contextmanager
def _progress(stream: BinaryIO) -> Iterator[Callable[[int], bytes]]:
    """A function to read a file with, which on a terminal shows its progress if the file is big."""
    from claimlog.notation.reader import at_offsets

    size = at_offsets(stream) if sys.stderr.isatty() else None
    with _bar(size[1] if size else 0) as advance:

        def read(wanted: int) -> bytes:
            data = stream.read(wanted)
            advance(len(data))
            return data

        yield stream.read if advance is _nothing else read


def _nothing(_: int) -> None:
    """Show no progress."""


@contextmanager
def _bar(size: int) -> Iterator[Callable[[int], None]]:
    """Show on a terminal how many bytes of a big file are done."""
    if size < 5_000_000 or not sys.stderr.isatty():
        yield _nothing
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TimeRemainingColumn

    with Progress(
        BarColumn(),
        DownloadColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    ) as bar:
        task = bar.add_task("", total=size)
        yield lambda done: bar.advance(task, done)


class Remote:
    """A server that one file is sent to."""

    def __init__(self, client: Client, token: str | None, path: str, by: str) -> None:
        self.client = client
        self.token = token
        self.path = path
        self.by = by

    def text(self, id: str) -> str:
        """The record of a stored game."""
        with self._refusals():
            return self.client.game(id).record

    def settle(self, record: str, how: How) -> dict[str, Any]:
        """Store a doubtful record after all."""
        with self._refusals():
            outcome = self.client.store(record, by=self.by, doubtful=how)
        return {"status": outcome.status, "id": outcome.id}

    def sent(self, how: How, language: str) -> Iterator[dict[str, Any]]:
        """Send the file and yield the answers, one per game, while the server works."""
        from claimlog.language.messages import Message
        from claimlog.notation.reader import open_games

        finished = False
        with self._refusals(), open_games(self.path) as stream:
            pieces = iter(lambda: stream.read(1 << 18), b"")
            for item in self.client.import_games(
                pieces, by=self.by, doubtful=how, language=language
            ):
                if "summary" not in item:
                    self.answered = True
                    yield item
                    continue
                finished = item["summary"]["finished"]
                if not finished:
                    error = item["summary"].get("error") or {}
                    text = error.get("detail") or error.get("title") or "stopped"
                    key, values = error.get("key", ""), error.get("values", {})
                    message = Message.from_json(key, values, text)
                    fail(f"{self.client.url}: {said(message)}")
        if not finished:
            fail(tr("{server} stopped before the end", server=self.client.url) + tr(_KEPT))

    answered = False
    """Whether the server has answered about a game."""

    @contextmanager
    def _refusals(self) -> Iterator[None]:
        """End the command if the server refuses something, with advice."""
        from claimlog.client import TokenRefused
        from claimlog.store.model.errors import ArchiveError

        try:
            yield
        except TokenRefused as error:
            fail(said(error) + for_a_token(self.token))
        except ArchiveError as error:
            fail(said(error) + (tr(_KEPT) if self.answered else ""))
