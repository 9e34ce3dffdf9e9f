"""`claimlog db`: look after the archive's file."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..files import fail
from .opening import Db, need_server_extra, open_archive
from .tables import AsForm, Column, Form, show

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

db = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    help="Look after the archive's file.",
)

_FACTS = (
    *("path", "bytes", "schema", "games", "complete"),
    *("revisions", "deleted", "players", "events"),
)


@db.command()
def info(path: Db = None, form: AsForm = Form.table) -> None:
    """Show where the archive is, how big, and how many games it has."""
    with open_archive(path) as archive:
        answer = archive.info()
    rows = [(name, getattr(answer, name)) for name in _FACTS]
    columns = [Column("what", lambda row: row[0]), Column("value", lambda row: row[1])]
    show(rows, columns, form, answer=answer)


def _number(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


@contextmanager
def _progress(words: str) -> Iterator[Callable[[Any], None] | None]:
    """A progress bar on standard error if that is a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(words, total=None)
        yield lambda news: bar.update(task, completed=news.done, total=news.total)


@db.command()
def check(
    path: Db = None,
    quick: Annotated[bool, typer.Option("--quick", help="Compare counts only.")] = False,
) -> None:
    """Prove that the derived tables agree with the records.

    Exit codes: 0 all agrees, 1 something does not, 2 the archive cannot be used.
    """
    with open_archive(path) as archive, _progress("checking") as progress:
        report = archive.check(progress, full=not quick)
    for fault in report.faults:
        print(f"{fault.what}: {fault.id or '-'}: {fault.message}")
    print(
        f"{_number(report.games, 'game')}, {_number(report.revisions, 'revision')}: "
        f"{_number(report.fault_count, 'fault')}"
    )
    if not report.good:
        print("claimlog db rebuild makes the derived tables again from the records")
        raise SystemExit(1)


@db.command()
def rebuild(path: Db = None) -> None:
    """Make the derived tables again from the records."""
    with open_archive(path, writing=True) as archive, _progress("rebuilding") as progress:
        games = archive.rebuild(progress)
    print(_number(games, "game"))


@db.command()
def backup(
    target: Annotated[Path, typer.Argument(help="The file to write; it must not be there.")],
    path: Db = None,
) -> None:
    """Write a consistent copy of the archive."""
    with open_archive(path) as archive:
        size = archive.backup(target)
    print(f"{target}: {size:,} bytes")


@db.command()
def compact(path: Db = None) -> None:
    """Give unused room back to the disk."""
    with open_archive(path, writing=True) as archive:
        before, after = archive.compact()
    print(f"{before:,} bytes before, {after:,} after")


@db.command()
def restore(
    backup: Annotated[Path, typer.Argument(help="The backup.")],
    path: Db = None,
    force: Annotated[
        bool, typer.Option("--force", help="Although there is an archive; it is kept beside.")
    ] = False,
) -> None:
    """Put a backup in place of the archive."""
    need_server_extra()
    from claimlog.store import Archive, ArchiveError

    try:
        kept = Archive.restore(backup, path, force=force)
    except ArchiveError as error:
        fail(str(error))
    print(f"restored from {backup}")
    if kept is not None:
        print(f"what was there is kept as {kept}")
