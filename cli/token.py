"""`claimlog token`: who may use the server, and what for."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .files import fail
from .language import said, tr

if TYPE_CHECKING:
    from claimlog.api.tokens import TokenFile

token = typer.Typer(
    help="Make, list and revoke tokens for the server.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)

Database = Annotated[
    Path | None,
    typer.Option("--db", help="The archive; by default the one in your data directory."),
]


class Scope(StrEnum):
    """What a token is for; each allows what those before it do."""

    read = "read"
    record = "record"
    direct = "direct"
    admin = "admin"


class Format(StrEnum):
    """How tokens are listed."""

    text = "text"
    json = "json"


@token.command()
def create(
    name: Annotated[str, typer.Argument(help="Whose it is; kept with every change.")],
    scope: Annotated[
        Scope,
        typer.Option(
            help="read: ask; record: store games too; direct: correct, delete, merge too; "
            "admin: back up, check and compact too."
        ),
    ] = Scope.record,
    days: Annotated[
        int | None, typer.Option(min=1, help="Days until it expires; by default never.")
    ] = None,
    db: Database = None,
) -> None:
    """Make a token and print it; it cannot be shown again.

    A running server knows it at once.
    """
    from claimlog.api.tokens import TokenError

    now = datetime.now(UTC).replace(microsecond=0)
    expires = None if days is None else now + timedelta(days=days)
    try:
        text, made = _file(db).create(name, scope.value, expires)
    except TokenError as error:
        fail(said(error))
    typer.echo(tr("{id}: scope {scope}, keep this safe:", id=made.id, scope=made.scope), err=True)
    typer.echo(text)


@token.command("list")
def list_tokens(
    format: Annotated[
        Format, typer.Option("--format", "-f", help="How to print them.")
    ] = Format.text,
    db: Database = None,
) -> None:
    """List all tokens, without their secrets."""
    from claimlog.api.tokens import TokenError

    try:
        tokens = list(_file(db).tokens().values())
    except TokenError as error:
        fail(said(error))
    if not tokens and format is Format.text:
        typer.echo(tr("there are no tokens"))
    now = datetime.now(UTC)
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
            typer.echo(
                f"{item.id}  {tr(state):12}{item.scope:8}{item.created:%Y-%m-%d}  {item.name}"
            )


@token.command()
def revoke(
    id: Annotated[str, typer.Argument(help="The token's id, as listed.")], db: Database = None
) -> None:
    """Put a token out of force, at once and for good."""
    from claimlog.api.tokens import TokenError

    try:
        revoked = _file(db).revoke(id)
    except TokenError as error:
        fail(said(error))
    typer.echo(tr("{id} is revoked", id=revoked.id))


def _file(db: Path | None) -> TokenFile:
    from claimlog.api.tokens import TokenFile
    from claimlog.store.archive import default_path

    return TokenFile(db or default_path())
