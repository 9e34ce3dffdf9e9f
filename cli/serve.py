"""`claimlog serve`: the archive over HTTP."""

from __future__ import annotations

import re
import signal
import sys
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from .archive.opening import Db, chosen, lake_of, patiently, tell_of_upgrade
from .files import fail, read_errors, say
from .language import amount, said, tr

if TYPE_CHECKING:
    from collections.abc import Iterator

    from claimlog.api.tokens import Token
    from claimlog.store import Archive

    from .lan import Network


def serve(
    files: Annotated[
        list[str] | None,
        typer.Argument(
            help="Files or folders of games to serve, read-only, instead of an archive; "
            "nothing is stored."
        ),
    ] = None,
    db: Db = None,
    host: Annotated[
        str | None,
        typer.Option(
            help="The address to listen on; by default 127.0.0.1, with --lan all addresses of "
            "this machine."
        ),
    ] = None,
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0: any free port.")] = 8000,
    closed: Annotated[bool, typer.Option("--closed", help="Reading needs a token, too.")] = False,
    local_writing: Annotated[
        bool | None,
        typer.Option(
            "--local-writing/--no-local-writing",
            help="Whether requests from this machine may write without a token; by default they "
            "may if the server listens on this machine alone, until a token is created.",
        ),
    ] = None,
    read_only: Annotated[bool, typer.Option("--read-only", help="Write nothing at all.")] = False,
    cors: Annotated[
        list[str] | None,
        typer.Option(
            help="An origin whose pages may use the API, https://example.org or *; repeatable."
        ),
    ] = None,
    rate: Annotated[
        float | None,
        typer.Option(
            min=0,
            help="Requests per second for each client, 0 for no limit; by default no limit on "
            "this machine alone, otherwise 50.",
        ),
    ] = None,
    burst: Annotated[int, typer.Option(min=1, help="Simultaneous requests for each client.")] = 200,
    max_body: Annotated[
        int,
        typer.Option(
            min=1024, help="The maximum size of a single game in bytes; imports may be larger."
        ),
    ] = 1 << 20,
    proxies: Annotated[
        str,
        typer.Option(help="Addresses of reverse proxies whose X-Forwarded-For is trusted."),
    ] = "",
    certificate: Annotated[
        Path | None,
        typer.Option(
            help="A certificate (PEM) for HTTPS, which phones need to keep the page at the table."
        ),
    ] = None,
    key: Annotated[
        Path | None,
        typer.Option(help="The certificate's key (PEM), if it is not in the same file."),
    ] = None,
    lan: Annotated[
        bool,
        typer.Option(
            "--lan",
            help="For phones on a network without internet: show the address they can reach, "
            "also as a QR code, and use HTTPS with a certificate of its own unless "
            "--certificate is given.",
        ),
    ] = False,
    plain: Annotated[
        bool, typer.Option("--plain", help="With --lan: HTTP, without a certificate.")
    ] = False,
    name: Annotated[
        list[str] | None,
        typer.Option(
            help="A host name that the server answers to; repeatable. By default any, but only "
            "localhost if it listens only on this machine, without --proxies."
        ),
    ] = None,
    memory: Annotated[
        str, typer.Option(callback=_memory, help="Memory for the archive, such as 512MB or 4GB.")
    ] = "1GB",
    log_requests: Annotated[
        bool, typer.Option("--log-requests/--no-log-requests", help="Log each request.")
    ] = True,
    browse: Annotated[bool, typer.Option("--open", help="Open the pages in the browser.")] = False,
) -> None:
    """Serve the archive over HTTP: pages for people, and an API documented at /docs.

    Logs go to standard error, one JSON object per line.  Stops on SIGINT and SIGTERM.
    """
    from claimlog.announced import Announcement
    from claimlog.api.http.hosts import Proxies, host_name, is_ip, is_loopback, is_origin
    from claimlog.api.pages.pictures import can_draw
    from claimlog.api.server import serve as listen
    from claimlog.api.settings import Settings
    from claimlog.api.tokens import TokenError, tokens_of
    from claimlog.store import Archive, ArchiveError
    from claimlog.store.archive import default_path

    if plain and (not lan or certificate is not None):
        fail(tr("--plain needs --lan and cannot be combined with --certificate"))
    if lan and find_spec("cryptography") is None:
        fail(tr("--lan needs more packages: pip install 'claimlog[lan]'"))
    host = host or ("0.0.0.0" if lan else "127.0.0.1")
    here = is_loopback(host)
    if lan and (here or host == "::"):
        fail(tr("--lan needs an address that others can reach, not {host}", host=host))
    if files and ((db is not None and chosen.db_typed) or local_writing):
        fail(tr("FILES cannot be combined with --db or --local-writing: nothing is stored"))
    read_only = read_only or bool(files)
    open_reading = not closed
    if local_writing and not here:
        fail(tr("--local-writing is only for this machine, not for {host}", host=host))
    if local_writing and proxies:
        fail(
            tr(
                "--local-writing and --proxies cannot be combined: a proxy passes on the "
                "requests of others"
            )
        )
    _check_certificate(certificate, key)
    try:
        Proxies(proxies)
    except ValueError as error:
        fail(tr("--proxies are addresses or networks: {why}", why=error))
    for one in cors or ():
        if one != "*" and not is_origin(one):
            fail(
                tr(
                    "--cors: {value} is not an origin; it is written https://club.example, without "
                    "a path",
                    value=one,
                )
            )
    for one in name or ():
        if host_name(one) != one.lower() and not is_ip(one):
            fail(tr("--name: {value} is not the name of a host, such as club.example", value=one))
    with ExitStack() as at_end:
        try:
            if files:
                db = at_end.enter_context(_for_this_run(files, memory))
            tokens: dict[str, Token] = {}

            def open_it() -> Archive:
                made = Archive.open(db, lake=lake_of(db), read_only=read_only, memory_limit=memory)
                try:
                    # PostgreSQL may go away again in between.
                    tokens.update(tokens_of(made).tokens())
                except BaseException:
                    made.close()
                    raise
                return made

            opened = patiently(open_it)
            assert opened is not None  # it waits until the archive answers
            archive = at_end.enter_context(opened)
            tell_of_upgrade(archive)
            if archive.postgres is not None and not read_only:
                _keep_tables(archive, at_end)
        except KeyboardInterrupt:
            say(tr("interrupted"))
            raise SystemExit(130) from None
        except (TokenError, ArchiveError) as error:
            fail(said(error))
        now = datetime.now(UTC)
        in_force = [token for token in tokens.values() if token.active(now)]
        if not in_force and not open_reading:
            fail(tr("--closed needs a token to read with: claimlog token create NAME --scope read"))
        writes = not read_only and any(token.allows("record") for token in in_force)
        open_writing: bool | Literal["until-token"] = False
        if here and not read_only and not proxies and local_writing is not False:
            open_writing = True if local_writing else "until-token"
        if not read_only and not writes and not (open_writing and (local_writing or not tokens)):
            fail(
                tr(
                    "nobody could write: create a token (claimlog token create NAME --scope "
                    "record), or serve with --read-only"
                )
            )
        settings = Settings(
            open_reading=open_reading,
            open_writing=open_writing,
            proxies=proxies,
            cors=tuple(cors or ()),
            hosts=tuple(one.lower() for one in name or ())
            if name or (here and not proxies)
            else None,
            rate=(0.0 if here and not proxies else 50.0) if rate is None else rate,
            burst=burst,
            max_body=max_body,
            log_requests=log_requests,
        )

        announcement = Announcement(archive.path)

        network: Network | None = None
        if lan:
            from .lan import Network

            network = Network(
                default_path() if files or archive.postgres is not None else archive.path,
                host,
                plain=plain,
                given=certificate is not None,
                names=name or [],
            )
            certificate = certificate or network.certificate

        def ready(places: list[str]) -> None:
            reading = "open" if open_reading else "with a token"
            writing = "with a token"
            if read_only:
                writing = "no"
            elif open_writing is True:
                writing = "open on this machine, and with a token"
            elif open_writing and not tokens:
                writing = "open on this machine until the first token is created"
            if not files and archive.postgres is None:
                announcement.make(places[0])
            what = ", ".join(files) if files else archive.where
            for place in places if network is None else network.places(places[0]):
                typer.echo(tr("claimlog serves {file} on {place}", file=what, place=place))
            typer.echo(
                tr(
                    "reading: {reading}; writing: {writing}; documentation: /docs",
                    reading=tr(reading),
                    writing=tr(writing),
                )
            )
            if not can_draw():
                typer.echo(tr("no pictures for links: pip install 'claimlog[pictures]' adds them"))
            if network is not None:
                network.show(places[0], at_end)
            if browse:
                _open(places[0])

        try:
            listen(
                archive,
                settings,
                host=host,
                port=port,
                ready=ready,
                stopped=announcement.withdraw,
                certificate=certificate,
                key=key,
            )
        except OSError as error:
            say(
                tr(
                    "cannot listen on {place}: {why}",
                    place=f"{host}:{port}",
                    why=error.strerror or error,
                )
            )
            raise SystemExit(2) from None


def _keep_tables(archive: Archive, at_end: ExitStack) -> None:
    """Keep other servers from the files of the live tables; with a file there are no others."""
    from filelock import FileLock, Timeout

    from claimlog.recording.ledger import TABLES

    folder = archive.beside(TABLES)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        at_end.enter_context(FileLock(f"{folder}.lock", timeout=0, mode=0o600))
    except Timeout:
        fail(
            tr(
                "another server of this archive keeps its tables in {folder}: give this one a "
                "data directory of its own, with XDG_DATA_HOME",
                folder=folder,
            )
        )
    except OSError:
        return  # opening a table says that nothing can be written there


def _check_certificate(certificate: Path | None, key: Path | None) -> None:
    """Report at once if HTTPS is not possible with these files."""
    if certificate is None:
        if key is not None:
            fail(tr("--key needs --certificate"))
        return
    import ssl

    for file in (certificate, key):
        try:
            if file is not None:
                file.open("rb").close()
        except OSError as error:
            fail(tr("{file} cannot be read: {why}", file=file, why=said(error)))
    try:
        # Otherwise a key's password would be asked for at an unattended terminal.
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key, password=lambda: b"")
    except OSError as error:
        reason = getattr(error, "reason", None) or error.strerror or error
        fail(
            tr(
                "HTTPS is not possible with {file}: {why}; it must hold a certificate in PEM, and "
                "--key its key, without a password",
                file=certificate,
                why=reason,
            )
        )


def _memory(amount: str) -> str:
    """An amount of memory as DuckDB reads it; anything else is a wrong call."""
    if re.fullmatch(r"\d+(\.\d+)? ?[KMGT]i?B", amount, re.IGNORECASE) is None:
        raise typer.BadParameter(
            tr("{value} is not an amount of memory such as 512MB or 4GB", value=amount)
        )
    return amount


@contextmanager
def _for_this_run(files: list[str], memory: str) -> Iterator[Path]:
    """Create a temporary archive with the games of files."""
    from claimlog.notation.reader import find_files, open_games
    from claimlog.store import Archive

    # Clean up when the server is terminated.
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    with TemporaryDirectory(prefix="claimlog-") as folder:
        path = Path(folder) / "games.duckdb"
        games = refused = 0
        with Archive.open(path, memory_limit=memory) as archive:
            for file in find_files(files):
                try:
                    with open_games(file) as stream:
                        # Show games even if they seem to be stored already.
                        for batch in archive.import_games(
                            stream.read, source=file, doubtful="beside"
                        ):
                            games += len(batch)
                            refused += sum(outcome.id is None for outcome in batch)
                except read_errors() as error:
                    fail(tr("{file} cannot be read: {why}", file=file, why=said(error)))
        if refused:
            say(
                tr(
                    "{number} of {games} games are not legal and not shown; claimlog validate "
                    "says why",
                    number=amount(refused),
                    games=amount(games),
                )
            )
        yield path


def _open(place: str) -> None:
    """Open the browser, in a thread, as this may take a while."""
    import webbrowser
    from threading import Thread

    Thread(target=webbrowser.open, args=[place], daemon=True).start()
