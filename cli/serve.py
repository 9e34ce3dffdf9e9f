"""`claimlog serve`: the archive over HTTP."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .files import fail, say


def serve(
    db: Annotated[
        Path | None,
        typer.Option("--db", help="The archive; by default the one in your data directory."),
    ] = None,
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="The port; 0: any that is free.")
    ] = 8000,
    open_reading: Annotated[
        bool,
        typer.Option("--open/--closed", help="Whether reading needs no token, or one."),
    ] = True,
    local_writing: Annotated[
        bool | None,
        typer.Option(
            "--local-writing/--no-local-writing",
            help="Whether requests from this machine may write without a token; by default "
            "they may if the server listens on this machine alone and there are no tokens.",
        ),
    ] = None,
    read_only: Annotated[bool, typer.Option("--read-only", help="Write nothing at all.")] = False,
    cors: Annotated[
        list[str] | None,
        typer.Option(help="An origin whose pages may ask, https://example.org or *; repeatable."),
    ] = None,
    rate: Annotated[
        float | None,
        typer.Option(
            min=0,
            help="Requests a second for each client, 0 for any number; by default any on "
            "this machine alone, 50 otherwise.",
        ),
    ] = None,
    burst: Annotated[int, typer.Option(min=1, help="Requests at once for each client.")] = 200,
    max_body: Annotated[
        int,
        typer.Option(min=1024, help="Bytes that a single game may have; imports may be larger."),
    ] = 1 << 20,
    proxies: Annotated[
        str,
        typer.Option(help="Addresses of reverse proxies whose X-Forwarded-For is believed."),
    ] = "",
    memory: Annotated[str, typer.Option(help="Memory for the archive.")] = "1GB",
    log_requests: Annotated[
        bool, typer.Option("--log-requests/--no-log-requests", help="A line for each request.")
    ] = True,
) -> None:
    """Serve the archive over HTTP; the API is explained at /docs.

    Logs go to standard error, a JSON object a line.  Stops on SIGINT and SIGTERM.
    """
    try:
        from claimlog.api.server import serve as listen
        from claimlog.api.settings import Settings, is_loopback
        from claimlog.api.tokens import TokenError, TokenFile
    except ModuleNotFoundError as error:
        fail(f"{error.name} is missing: install claimlog[server]")
    from claimlog.store import Archive, ArchiveError

    here = is_loopback(host)
    if local_writing and not here:
        fail(f"--local-writing is for this machine alone, not for {host}")
    try:
        archive = Archive.open(db, read_only=read_only, memory_limit=memory)
    except ArchiveError as error:
        fail(str(error))
    with archive:
        try:
            tokens = TokenFile(archive.path).tokens()
        except TokenError as error:
            fail(str(error))
        in_force = any(token.revoked is None for token in tokens.values())
        if not in_force and not open_reading:
            fail("--closed needs a token to read with: claimlog token create NAME --scope read")
        if not in_force and not here and not read_only:
            fail(
                f"nobody could write on {host}: make a token (claimlog token create NAME "
                "--scope record), or serve with --read-only"
            )
        settings = Settings(
            open_reading=open_reading,
            open_writing=not read_only
            and here
            and (not in_force if local_writing is None else local_writing),
            cors=tuple(cors or ()),
            rate=(0.0 if here else 50.0) if rate is None else rate,
            burst=burst,
            max_body=max_body,
            log_requests=log_requests,
        )

        def ready(places: list[str]) -> None:
            reading = "open" if open_reading else "with a token"
            writing = (
                "no"
                if read_only
                else "open on this machine"
                if settings.open_writing
                else "with a token"
            )
            for place in places:
                typer.echo(f"claimlog serves {archive.path} on {place}")
            typer.echo(f"reading: {reading}; writing: {writing}; documentation: /docs")

        try:
            listen(archive, settings, host=host, port=port, proxies=proxies, ready=ready)
        except OSError as error:
            say(f"cannot listen on {host}:{port}: {error.strerror or error}")
            raise SystemExit(2) from None
