"""Opening the archive for a command, and handling errors."""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, cast

import typer
from typer.core import TyperOption

from claimlog.store.addresses import is_address

from ..files import fail, quiet_pipe, refused, say
from ..language import current_words, said, tr

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from claimlog.store import Archive

    from ..usage import Command


LONGEST_WAIT = 30.0
"""The most seconds between attempts to open an archive that does not answer."""


def place(text: str) -> Path:
    """The archive's path; an address in PostgreSQL remains a string."""
    if is_address(text):
        return cast("Path", text)
    if "://" in text:
        from claimlog.store.model.hiding import shown

        raise typer.BadParameter(
            tr("an archive is a file or postgresql://…, not {place}", place=shown(text))
        )
    return Path(text)


if TYPE_CHECKING:
    Place = Path
else:
    Place = str  # Typer would turn an address into a Path


def _choose_db(ctx: typer.Context, param: typer.CallbackParam, db: Place | None) -> Place | None:
    source = ctx.get_parameter_source(param.name or "")
    chosen.db_typed = source is not None and source.name == "COMMANDLINE"
    return db


Db = Annotated[
    Place | None,
    typer.Option(
        "--db",
        parser=place,
        envvar="CLAIMLOG_DB",
        callback=_choose_db,
        metavar="PATH",
        help="The archive, a file or postgresql://…; by default the file in your data directory.",
    ),
]


def _not_blank(param: typer.CallbackParam, text: str) -> str:
    """Refuse a text without any letter where one is required."""
    if param.required and not text.strip():
        raise typer.BadParameter(tr("this is recorded with the change and must not be blank"))
    return text


def _named(ctx: typer.Context, param: typer.CallbackParam, by: str) -> str:
    if ctx.resilient_parsing:  # the shell completes a command that is still being typed
        return by
    source = ctx.get_parameter_source(param.name or "")
    if not by.strip() and source is not None and source.name != "DEFAULT":
        blank = tr("this is recorded with the change and must not be blank")
        raise typer.BadParameter(blank, ctx, param)
    chosen.nameless = not by.strip()
    if chosen.nameless and not chosen.token:
        raise typer.BadParameter("", ctx, param)  # reported as a missing option
    return by


def _named_if_needed(ctx: typer.Context, param: typer.CallbackParam, by: str) -> str:
    chosen.name = partial(_named, ctx, param, by)
    return by


_WHO: Final = "Who makes the change; recorded with it, unless a token says who."
By = Annotated[
    str,
    typer.Option(
        "--by",
        envvar="CLAIMLOG_BY",
        callback=_named,
        default_factory=str,
        show_default=False,
        help=_WHO,
    ),
]
"""Who makes a change; left out only if a token says who."""
ByIfChanging = Annotated[
    str, typer.Option("--by", envvar="CLAIMLOG_BY", callback=_named_if_needed, help=_WHO)
]
"""The same for a command that changes something only with some options: `chosen.name` asks."""
AnyBy = Annotated[str, typer.Option("--by", envvar="CLAIMLOG_BY", help=_WHO)]
"""Who makes a change, if anybody says."""
Why = Annotated[
    str, typer.Option("--why", callback=_not_blank, help="Why; recorded with the change.")
]


@contextmanager
def open_archive(
    db: Path | None,
    *,
    writing: bool = False,
    create: bool = False,
    threads: int | None = None,
    memory: str = "1GB",
    other_lake: bool = False,
) -> Iterator[Archive]:
    """Open the archive; any refusal ends the command with a message, see `refusals`.

    `other_lake`: the given lake may differ from the archive's own.
    """
    with (
        refusals(),
        connect(
            db,
            writing=writing,
            create=create,
            threads=threads,
            memory=memory,
            lake=None if other_lake else lake_of(db),
        ) as archive,
    ):
        yield archive


@contextmanager
def refusals() -> Iterator[None]:
    """End the command with a message if an archive refuses something.

    The code is 1 for what does not fit the archive's state, 2 for all other errors.
    """
    from claimlog.store.model.errors import (
        Ambiguous,
        ArchiveError,
        ArchiveLocked,
        ArchiveMissing,
        BadQuery,
        Conflict,
        Declined,
        InvalidRecord,
        NotFound,
        RevisionChanged,
    )

    try:
        yield
    except ArchiveLocked as error:
        fail(f"{said(error)} ({tr('--server URL asks it')})")
    except ArchiveMissing as error:
        fail(f"{said(error)}; {tr('claimlog import creates one')}")
    except (NotFound, Ambiguous) as error:
        sys.stdout.flush()
        if error.unclear is None:
            fail(said(error))
        from .unclear import explain

        fail(explain(error.unclear, current_words()))
    except (Conflict, Declined, InvalidRecord, RevisionChanged) as error:
        refused(said(error))
    except BadQuery as error:
        if error.message.key not in ("question.needs-player", "question.what-needs-player"):
            fail(said(error))
        missing = tr("--player is missing: name the player, as in --player 'Anna Keller'")
        fail(missing if error.field == "player" else f"--{error.field}: {missing}")
    except ArchiveError as error:
        from claimlog.client import TokenRefused

        fail(said(error) + (for_a_token(chosen.token) if isinstance(error, TokenRefused) else ""))
    except BrokenPipeError:
        quiet_pipe()
        raise SystemExit(0) from None
    except KeyboardInterrupt:
        say(tr("interrupted"))
        raise SystemExit(130) from None


@contextmanager
def progressing(words: str) -> Iterator[Callable[[Any], None] | None]:
    """Show a progress bar on standard error if that is a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(words, total=None)
        yield lambda news: bar.update(task, completed=news.done, total=news.total)


def for_a_token(given: str | None) -> str:
    """Advice for when a server requires a token, or one with more rights than the one given."""
    if given:
        return "; " + tr("ask whoever runs the server for another token")
    return "; " + tr(
        "give one with --token or in CLAIMLOG_TOKEN; whoever runs the server can create it with "
        "claimlog token create"
    )


@contextmanager
def connect(
    db: Path | None,
    *,
    writing: bool = False,
    create: bool = False,
    threads: int | None = None,
    memory: str = "1GB",
    lake: str | None = None,
) -> Iterator[Archive]:
    """Open the archive, or connect to the server that has it, and close it at the end.

    The server is the one chosen, or the one on this machine that holds the file.  Raises
    ArchiveError.
    """
    db = unless_asked_of_a_server(db)
    if chosen.url and db is not None and chosen.typed:
        fail(tr("--db and --server cannot be combined: a server has its own archive"))
    url = chosen.url if db is None else ""
    if chosen.nameless and not url:
        if (here := holder(db)) is None:
            fail(tr("--by is missing: only a server knows from a token who makes the change"))
        url = here
    if url:
        from claimlog.client import Client

        with Client(url, chosen.token) as client:
            yield cast("Archive", client)
        return
    from claimlog.store import Archive, ArchiveLocked

    try:
        archive = Archive.open(
            db,
            lake=lake,
            read_only=not writing,
            create=create,
            threads=threads,
            memory_limit=memory,
        )
    except ArchiveLocked:
        if (here := holder(db)) is None:
            raise
        from claimlog.client import Client

        with Client(here, chosen.token) as client:
            yield cast("Archive", client)
        return
    with archive:
        tell_of_upgrade(archive)
        yield archive


def tell_of_upgrade(archive: Archive) -> None:
    """Say where the copy is if opening has upgraded an older archive."""
    if copy := archive.upgraded_from:
        say(
            tr(
                "{file} was upgraded; as it was, it is kept as {copy}",
                file=archive.path,
                copy=copy,
            )
        )


def unless_asked_of_a_server(db: Path | None, server: str | None = None) -> Path | None:
    """The archive, but not the one from the environment if a server was chosen."""
    return db if chosen.db_typed or not (server or chosen.url) else None


def patiently(
    open_it: Callable[[], Archive], wait: Callable[[float], object] = time.sleep
) -> Archive | None:
    """Open an archive, retrying while PostgreSQL does not answer, with a message.

    `wait` waits for a number of seconds, and returns true to stop retrying.  Raises ArchiveError.
    """
    from claimlog.store import ArchiveRefused, ArchiveUnreachable

    seconds, before = 1.0, ""
    while True:
        try:
            return open_it()
        except ArchiveRefused:
            raise
        except ArchiveUnreachable as error:
            if str(error) != before:
                before = str(error)
                say(tr("{why}; retrying until it answers", why=said(error)))
            if wait(seconds):
                return None
            seconds = min(2 * seconds, LONGEST_WAIT)


def holder(db: Path | None) -> str | None:
    """The address of the server on this machine that holds the archive, or None."""
    from claimlog.announced import server_of
    from claimlog.store.archive import default_path

    return None if is_address(db) else server_of(db or default_path())


class Chosen:
    """The chosen server, "" if there is none, and the token for it.

    `typed`: it was given on the command line, not in the environment; `db_typed` is the same for
    the archive.  `lake` is the lake given for an archive in PostgreSQL, if any.  `nameless`: only
    the token says who makes a change; `name` returns who does, as a `ByIfChanging` says, and ends
    the command if nothing does.
    """

    url = ""
    token = ""
    typed = False
    db_typed = False
    lake: str | None = None
    lake_typed = False
    nameless = False
    name: Callable[[], str]


chosen = Chosen()


def _choose_server(ctx: typer.Context, _: object, url: str | None) -> None:
    source = ctx.get_parameter_source("server")
    chosen.url = url or ""
    chosen.typed = source is not None and source.name == "COMMANDLINE"


def _choose_token(_: object, __: object, token: str | None) -> None:
    chosen.token = token or ""
    chosen.nameless = False


def _choose_lake(ctx: typer.Context, _: object, lake: str | None) -> None:
    source = ctx.get_parameter_source("lake")
    chosen.lake = lake or None
    chosen.lake_typed = source is not None and source.name == "COMMANDLINE"


def lake_of(db: Path | str | None) -> str | None:
    """The lake given for this archive; the one from the environment does not apply to files."""
    return chosen.lake if is_address(db) or chosen.lake_typed else None


def add_lake(command: Command) -> None:
    """Add --lake to a command with the option --db, and to its subcommands."""
    for sub in getattr(command, "commands", {}).values():
        add_lake(sub)
    names = {param.name for param in command.params}
    if names.isdisjoint(("db", "path", "there")) or "lake" in names:
        return
    command.params.append(
        _option(
            "lake",
            "CLAIMLOG_LAKE",
            "FOLDER|S3",
            _choose_lake,
            "The lake of an archive in PostgreSQL, a folder or s3://bucket/prefix; only a new one "
            "needs it.",
        )
    )


def _option(
    name: str, variable: str, meta: str, callback: Callable[..., None], help: str
) -> TyperOption:
    """An option that can also be set in the environment, and is kept in `chosen`.

    It is read first, as what other options need depends on it.
    """
    return TyperOption(
        param_decls=[f"--{name}"],
        type=str,
        envvar=variable,
        show_envvar=True,
        metavar=meta,
        callback=callback,
        expose_value=False,
        is_eager=True,
        help=help,
    )


def add_server(command: Command) -> None:
    """Add --server and --token to a command with the option --db, and to its subcommands."""
    for sub in getattr(command, "commands", {}).values():
        add_server(sub)
    names = {param.name for param in command.params}
    if ("db" not in names and "path" not in names) or "server" in names:
        return
    for name, variable, meta, callback, help in (
        ("server", "CLAIMLOG_SERVER", "URL", _choose_server, "Ask a running server instead."),
        ("token", "CLAIMLOG_TOKEN", "TEXT", _choose_token, "The token for the server."),
    ):
        command.params.append(_option(name, variable, meta, callback, help))
