"""`claimlog token`: who may use the server, and for what."""

from __future__ import annotations

import json
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from claimlog.store.addresses import is_address

from .archive.opening import Db, lake_of
from .files import fail
from .language import said, tr
from .usage import Group

if TYPE_CHECKING:
    from collections.abc import Iterator

    from claimlog.api.tokens import Tokens

token = typer.Typer(
    help="Create, list and revoke tokens for the server.",
    cls=Group,
    pretty_exceptions_enable=False,
    add_completion=False,
)


class Scope(StrEnum):
    """What a token permits; each scope includes those before it."""

    read = "read"
    record = "record"
    direct = "direct"
    admin = "admin"


class Format(StrEnum):
    """The output format."""

    text = "text"
    json = "json"


@token.command()
def create(
    name: Annotated[str, typer.Argument(help="The owner; recorded with every change.")],
    scope: Annotated[
        Scope,
        typer.Option(
            help="read: query; record: also store games; direct: also correct, delete and "
            "merge; admin: also back up, check and compact."
        ),
    ] = Scope.record,
    days: Annotated[
        int | None,
        typer.Option(min=1, max=36_500, help="Days until it expires; by default never."),
    ] = None,
    db: Db = None,
) -> None:
    """Create a token and print it; it cannot be shown again.

    A running server accepts it at once.
    """
    now = datetime.now(UTC).replace(microsecond=0)
    expires = None if days is None else now + timedelta(days=days)
    with _tokens(db) as kept:
        text, made = kept.create(name, scope.value, expires)
    typer.echo(tr("{id}: scope {scope}, keep this safe:", id=made.id, scope=made.scope), err=True)
    typer.echo(text)


@token.command("list")
def list_tokens(
    format: Annotated[
        Format, typer.Option("--format", "-f", help="The output format.")
    ] = Format.text,
    db: Db = None,
) -> None:
    """List all tokens, without their secrets."""
    with _tokens(db) as kept:
        tokens = list(kept.tokens().values())
    if not tokens and format is Format.text:
        typer.echo(tr("there are no tokens"))
    now = datetime.now(UTC)
    until = {
        item.id: tr("until {date}", date=f"{item.expires:%Y-%m-%d}") if item.expires else ""
        for item in tokens
    }
    width = max(map(len, until.values()), default=0)
    for item in tokens:
        state = "active" if item.active(now) else "revoked" if item.revoked else "expired"
        if format is Format.json:
            members = {
                "id": item.id,
                "name": item.name,
                "scope": item.scope,
                "state": state,
                "created": item.created.isoformat(),
                "expires": item.expires and item.expires.isoformat(),
                "revoked": item.revoked and item.revoked.isoformat(),
            }
            typer.echo(json.dumps(members, ensure_ascii=False))
        else:
            ends = f"{until[item.id]:{width}}  " if width else ""
            typer.echo(
                f"{item.id}  {tr(state):12}{item.scope:8}{item.created:%Y-%m-%d}  {ends}{item.name}"
            )


@token.command()
def revoke(
    id: Annotated[str, typer.Argument(help="The token's id, as listed.")], db: Db = None
) -> None:
    """Revoke a token, at once and for good."""
    with _tokens(db) as kept:
        revoked = kept.revoke(id)
    typer.echo(tr("{id} is revoked", id=revoked.id))


@contextmanager
def _tokens(db: Path | None) -> Iterator[Tokens]:
    """Yield the archive's tokens; errors end the command with a message."""
    from claimlog.api.tokens import TokenError, TokenFile, tokens_of
    from claimlog.store.archive import Archive, default_path
    from claimlog.store.model.errors import ArchiveError

    try:
        if is_address(db):
            with Archive.open(db, lake=lake_of(db)) as archive:
                yield tokens_of(archive)
        else:
            yield TokenFile(db or default_path())
    except (TokenError, ArchiveError) as error:
        fail(said(error))
