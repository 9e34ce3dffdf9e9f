"""`claimlog db`: maintain the archive's file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from claimlog.store.addresses import is_address

from ..files import fail
from ..language import amount, said, tr, tr_count
from ..usage import Group
from .opening import (
    Db,
    Place,
    chosen,
    lake_of,
    open_archive,
    place,
    progressing,
    refusals,
)
from .tables import Column, Look, show, tabled

if TYPE_CHECKING:
    from claimlog.store import Archive
    from claimlog.store.model.types import Fault

db = typer.Typer(
    cls=Group,
    pretty_exceptions_enable=False,
    add_completion=False,
    help="Maintain the archive's file.",
)

PAIRS: list[Column] = [
    Column("game", lambda pair: pair.id),
    Column("other game", lambda pair: pair.other),
    Column("the same", lambda pair: ", ".join(pair.in_common)),
]

LEDGER = (
    *("records", "chain", "heads", "digests"),
    *("merges", "event_merges", "event_names", "event_settings", "acts"),
)
"""Tables that cannot be rebuilt from the records."""

_FACTS = (
    *("path", "bytes", "schema", "games", "complete"),
    *("revisions", "deleted", "players", "events"),
)


@db.command()
@tabled()
def info(look: Look, path: Db = None) -> None:
    """Show where the archive is, how big it is, and how many games it has."""
    with open_archive(path) as archive:
        answer = archive.info()
    rows = [(name, getattr(answer, name)) for name in _FACTS]
    columns = [
        Column("what", lambda row: row[0], shown=lambda row: tr(row[0])),
        Column("value", lambda row: row[1]),
    ]
    show(rows, columns, look, answer=answer)


@db.command()
def check(
    path: Db = None,
    quick: Annotated[bool, typer.Option("--quick", help="Compare counts only.")] = False,
    head: Annotated[
        str | None,
        typer.Option(
            "--head",
            metavar="HEAD",
            help="A head printed by an earlier check: prove that nothing before it was changed.",
        ),
    ] = None,
    afresh: Annotated[
        bool,
        typer.Option("--afresh", help="Start over, even if an interrupted check could go on."),
    ] = False,
) -> None:
    """Prove that the derived tables agree with the records, and the records with their chain.

    A check that was interrupted goes on where it stopped, within a week, if the file was not
    written to or the lake not rebuilt; it says so.

    Exit codes: 0 all agrees, 1 something does not, 2 the archive cannot be used.
    """
    from claimlog.client import Client
    from claimlog.recording.ledger import TABLES, damaged

    if quick and head is not None:
        fail(tr("--head compares everything and cannot be combined with --quick"))
    with open_archive(path) as archive, progressing(tr("checking")) as progress:
        report = archive.check(
            progress, full=not quick, head=head, resume="afresh" if afresh else "yes"
        )
        # A server has checked its own tables.
        asked: Archive | Client = archive
        folder = None if isinstance(asked, Client) else asked.beside(TABLES)
        tables = list(damaged(folder)) if folder is not None else []
    for fault in report.faults:
        _print_fault(fault)
    for name, message in tables:
        print(f"{TABLES[1:]}: {name}: {said(message)}")
    print(
        tr(
            "games: {games}, revisions: {revisions}, faults: {faults}",
            games=amount(report.games),
            revisions=amount(report.revisions),
            faults=amount(report.fault_count + len(tables)),
        )
    )
    if report.head:
        print(tr("head of the chain: {head}", head=report.head))
    if report.continued:
        print(
            tr(
                "this continued a check begun on {when} (UTC); with --afresh, what that one had "
                "compared is compared again",
                when=f"{report.continued:%Y-%m-%d %H:%M}",
            )
        )
    if report.behind:
        print(
            tr(
                "{number} revisions were not compared: claimlog index has not copied them to "
                "the lake yet",
                number=amount(report.behind),
            )
        )
    kinds = {fault.what for fault in report.faults} - {TABLES[1:]}
    if kinds - set(LEDGER):
        print(tr("claimlog db rebuild restores the derived tables from the records"))
    if kinds & set(LEDGER):
        print(tr("restore the changed records from a backup"))
    if tables:
        print(
            tr(
                "restore damaged files in {folder} from a backup, or move them away",
                folder=folder,
            )
        )
    if tables or not report.good:
        raise SystemExit(1)


def _print_fault(fault: Fault) -> None:
    from claimlog.language.messages import Message

    message = Message.from_json(fault.key, fault.values, fault.message)
    print(f"{fault.what}: {fault.id or '-'}: {said(message)}")


@db.command()
@tabled(PAIRS)
def doubtful(look: Look, path: Db = None) -> None:
    """List pairs of stored games that seem to be the same game.

    They have the event, round and table in common, or the event, round and players, or the players,
    the deck and the first six tricks. claimlog game delete removes one of them.
    """
    with open_archive(path) as archive:
        pairs = archive.doubtful()
    show(pairs, PAIRS, look)


@db.command()
def rebuild(
    path: Db = None,
    afresh: Annotated[
        bool,
        typer.Option("--afresh", help="Start over, even if an interrupted rebuild could go on."),
    ] = False,
) -> None:
    """Rebuild the derived tables from the records.

    For an archive in PostgreSQL these are its lake; --lake rebuilds it in another place.

    A rebuild that was interrupted goes on where it stopped, and says so; the old tables stay until
    the new ones are complete.
    """
    with (
        open_archive(path, writing=True, other_lake=is_address(path)) as archive,
        progressing(tr("rebuilding")) as progress,
    ):
        done = (
            archive.rebuild(progress, lake=lake_of(path), afresh=afresh)
            if is_address(path)
            else archive.rebuild(progress, afresh=afresh)
        )
    for fault in done.faults:
        _print_fault(fault)
    if done.continued:
        print(
            tr(
                "this continued a rebuild begun on {when} (UTC); --afresh starts over",
                when=f"{done.continued:%Y-%m-%d %H:%M}",
            )
        )
    summary = tr_count("{number} game", "{number} games", done.games)
    if done.fault_count:
        out = tr("{number} left out; please correct them", number=amount(done.fault_count))
        print(f"{summary}; {out}")
        raise SystemExit(1)
    print(summary)


@db.command()
def backup(
    target: Annotated[Path, typer.Argument(help="The file to write; it must not exist.")],
    path: Db = None,
) -> None:
    """Write a consistent copy of the archive."""
    with open_archive(path) as archive:
        size = archive.backup(target)
    print(tr("{file}: {number} bytes", file=target, number=amount(size)))


@db.command()
def compact(path: Db = None) -> None:
    """Return unused space to the disk."""
    with open_archive(path, writing=True) as archive:
        before, after = archive.compact()
    print(tr("{before} bytes before, {after} after", before=amount(before), after=amount(after)))


@db.command()
def restore(
    backup: Annotated[Path, typer.Argument(help="The backup.")],
    path: Db = None,
    force: Annotated[
        bool,
        typer.Option("--force", help="Even if there is an archive; it is kept under another name."),
    ] = False,
) -> None:
    """Put a backup in place of the archive."""
    if chosen.url:
        fail(tr("a backup replaces a file: name it with --db, while no server is running"))
    from claimlog.store import Archive, ArchiveError

    try:
        kept = Archive.restore(backup, path, force=force)
    except ArchiveError as error:
        fail(said(error))
    print(tr("restored from {file}", file=backup))
    if kept is not None:
        print(tr("the previous archive is kept as {file}", file=kept))


_ARCHIVE: dict[str, Any] = {"parser": place, "metavar": "PATH"}


@db.command()
def move(
    here: Annotated[
        Place, typer.Argument(help="The archive, a file or postgresql://…; it is kept.", **_ARCHIVE)
    ],
    there: Annotated[
        Place,
        typer.Argument(help="The target, of the other kind; it must not exist.", **_ARCHIVE),
    ],
    afresh: Annotated[
        bool,
        typer.Option("--afresh", help="Start over, even if an interrupted move could go on."),
    ] = False,
) -> None:
    """Move the archive from a file into PostgreSQL with a lake, or back.

    Games keep their ids, revisions and times; merges, names, settings and tokens come along. The
    source stays as it is.

    A move that was interrupted goes on where it stopped, if the source is still the same file or
    the same lake, and says so; the target is no archive until everything is there.
    """
    from claimlog.api.tokens import TokenError, move_tokens

    with refusals():
        from claimlog.store.addresses import check_move

        check_move(here, there)
        from claimlog.store.moving import move

        try:
            with progressing(tr("moving")) as progress:
                moved = move(
                    here,
                    there,
                    lake=lake_of(there),
                    report=progress,
                    last=move_tokens,
                    afresh=afresh,
                )
        except TokenError as error:
            fail(said(error))
    if moved.continued:
        print(
            tr(
                "this continued a move begun on {when} (UTC); --afresh starts over",
                when=f"{moved.continued:%Y-%m-%d %H:%M}",
            )
        )
    if moved.given_up:
        print(
            tr(
                "the source has changed since {when} (UTC), when a move began that was "
                "interrupted: this one started over",
                when=f"{moved.given_up:%Y-%m-%d %H:%M}",
            )
        )
    print(
        tr(
            "games: {games}, revisions: {revisions}, moved to {file}",
            games=amount(moved.games),
            revisions=amount(moved.revisions),
            file=moved.path,
        )
    )
    if moved.head:
        print(tr("head of the chain: {head}", head=moved.head))
    if moved.faults:
        print(
            tr(
                "{number} faults in the chain, as before: claimlog db check lists them",
                number=amount(moved.faults),
            )
        )
        raise SystemExit(1)
