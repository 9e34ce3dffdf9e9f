"""`claimlog import`: validate games and store them."""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO, Final

import typer

from ..files import fail, find_files, read_errors, say, why
from .opening import Db, open_archive

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

_WORDS = {
    "stored": "stored",
    "known": "known already",
    "deleted": "deleted earlier, not stored again",
    "invalid": "refused",
}
_KEPT: Final = "; games that were reported as stored are stored"


def import_games(
    files: Annotated[
        list[str],
        typer.Argument(help="Files, folders (searched for *.clm), or - for standard input."),
    ],
    db: Db = None,
    by: Annotated[str | None, typer.Option("--by", help="Who does this; it is kept.")] = None,
    server: Annotated[
        str | None, typer.Option(help="Send the games to a running server, http://127.0.0.1:8000.")
    ] = None,
    token: Annotated[
        str | None, typer.Option(envvar="CLAIMLOG_TOKEN", help="The token for --server.")
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="An object a game and line, instead of the report.")
    ] = False,
) -> None:
    """Store games in the archive; those with errors are refused, the rest goes in.

    Exit codes: 0 all stored or known, 1 some refused, 2 a file could not be read or the
    archive not be used.
    """
    if server is not None and db is not None:
        fail("--db and --server do not go together: a server has its own archive")
    if server is not None and by is not None:
        fail("--by and --server do not go together: the token says who it is")
    totals: Counter[str] = Counter()
    unread = False
    try:
        if server is not None:
            for path in find_files(files):
                unread |= not _file(path, _sent(path, server, token), totals, as_json)
        else:
            unread = _stored(files, db, by or "", totals, as_json)
    except (KeyboardInterrupt, SystemExit):
        # As far as it came: these games are stored.
        if totals and not as_json:
            _print_totals(totals)
        raise
    if not as_json:
        _print_totals(totals)
    raise SystemExit(2 if unread else 1 if totals["invalid"] else 0)


def _stored(
    files: list[str], db: Path | None, by: str, totals: Counter[str], as_json: bool
) -> bool:
    """Store files in the archive; return whether some could not be read."""
    from claimlog.notation.reader import open_games

    unread = False
    # Other processes validate meanwhile; DuckDB's threads would be in their way.
    threads = max(1, (os.cpu_count() or 1) // 2)
    with open_archive(db, writing=True, create=True, threads=threads) as archive:

        def outcomes(path: str) -> Iterator[dict[str, Any]]:
            import msgspec

            with open_games(path) as stream, _progress(stream, path) as read:
                for batch in archive.import_games(read, by=by, source=path):
                    for outcome in batch:
                        if outcome.status == "stored" and not as_json:
                            # All that is told of it, and most are such.
                            yield {"status": "stored", "complete": outcome.complete}
                        else:
                            yield msgspec.to_builtins(outcome)

        for path in find_files(files):
            unread |= not _file(path, outcomes(path), totals, as_json)
    return unread


def _file(
    path: str, outcomes: Iterable[dict[str, Any]], totals: Counter[str], as_json: bool
) -> bool:
    """Tell what became of the games of one file; return whether it could be read."""
    name = "<stdin>" if path == "-" else path
    try:
        for outcome in outcomes:
            totals[outcome["status"]] += 1
            totals["unfinished"] += not outcome["complete"] and outcome["status"] == "stored"
            if as_json:
                print(json.dumps({"file": name, **outcome}, ensure_ascii=False))
            elif outcome["status"] == "invalid":
                for problem in outcome["problems"]:
                    print(
                        f"{name}:{problem['line']}:{problem['column']}: "
                        f"{problem['severity']}: {problem['code']}: {problem['message']}"
                    )
            elif outcome["status"] == "deleted":
                print(
                    f"{name}:{outcome['line']}: game {outcome['id']} was deleted earlier; "
                    "claimlog game undelete brings it back"
                )
    except BrokenPipeError:
        raise
    except read_errors() as error:
        sys.stdout.flush()
        say(f"{name} cannot be read: {why(error)}")
        return False
    return True


def _print_totals(totals: Counter[str]) -> None:
    games = sum(totals[status] for status in _WORDS)
    words = dict(_WORDS)
    if totals["unfinished"]:
        words["stored"] += f" ({totals['unfinished']:,} unfinished)"
    parts = [f"{totals[status]:,} {told}" for status, told in words.items() if totals[status]]
    told = f": {', '.join(parts)}" if parts else ""
    print(f"{games:,} game{'' if games == 1 else 's'}{told}")


@contextmanager
def _progress(stream: BinaryIO, path: str) -> Iterator[Callable[[int], bytes]]:
    """Reading of a file, which on a terminal shows how far it has come if the file is big."""
    packed = path.endswith((".gz", ".zst"))
    size = 0 if path == "-" or packed or not sys.stderr.isatty() else os.path.getsize(path)
    if size < 5_000_000:
        yield stream.read
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

        def read(wanted: int) -> bytes:
            data = stream.read(wanted)
            bar.advance(task, len(data))
            return data

        yield read


def _sent(path: str, server: str, token: str | None) -> Iterator[dict[str, Any]]:
    """Send a file to a server and yield its answers, a game each, while it works."""
    import http.client
    from urllib.parse import urlsplit

    from claimlog.notation.reader import open_games

    url = urlsplit(server if "//" in server else f"http://{server}")
    try:
        host, port = url.hostname, url.port
    except ValueError:
        host = port = None
    if url.scheme not in ("http", "https") or not host:
        fail(f"{server!r} is no server's address; it is written http://127.0.0.1:8000")
    connect = http.client.HTTPSConnection if url.scheme == "https" else http.client.HTTPConnection
    connection = connect(host, port, timeout=600)
    headers = {"Content-Type": "text/x-claim", "Accept": "application/x-ndjson"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    answered = finished = False
    with open_games(path) as stream:
        try:
            connection.request(
                "POST",
                f"{url.path.rstrip('/')}/imports",
                body=iter(lambda: stream.read(1 << 18), b""),
                headers=headers,
                encode_chunked=True,
            )
            answer = connection.getresponse()
            if answer.status != 200:
                fail(f"{server}: {_refusal(answer.status, answer.read())}")
            for line in answer:
                item = json.loads(line)
                if "summary" not in item:
                    answered = True
                    yield item
                    continue
                finished = item["summary"]["finished"]
                if not finished:
                    error = item["summary"].get("error") or {}
                    fail(f"{server}: {error.get('detail') or error.get('title') or 'stopped'}")
        except (OSError, http.client.HTTPException) as error:
            fail(f"{server}: {why(error)}{_KEPT if answered else ''}")
        finally:
            connection.close()
    if not finished:
        fail(f"{server} stopped before the end{_KEPT}")


def _refusal(status: int, body: bytes) -> str:
    """What a server says when it refuses, from its problem details."""
    try:
        problem = json.loads(body)
        return f"{problem['title']}: {problem.get('detail', status)}"
    except (ValueError, KeyError, TypeError):
        return f"HTTP {status}"
