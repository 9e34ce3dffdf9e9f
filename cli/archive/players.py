"""`claimlog players`: who played, how it went, who is the same person."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from .filters import filtered
from .opening import By, Db, Why, open_archive
from .tables import AsForm, Column, Form, show

if TYPE_CHECKING:
    from claimlog.store import Filter

players = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    help="Players, and how they do.",
)

Player = Annotated[str, typer.Argument(help="A player's name or id.")]


@players.command("list")
@filtered
def list_players(
    filter: Filter,
    search: Annotated[str, typer.Option(help="A part of the name.")] = "",
    sort: Annotated[str, typer.Option(help="games, name, rate or last.")] = "games",
    limit: Annotated[int, typer.Option(min=1, max=500, help="At most so many.")] = 50,
    db: Db = None,
    form: AsForm = Form.table,
) -> None:
    """List players."""
    columns: list[Column] = [
        Column("id", lambda row: row.id),
        Column("player", lambda row: row.name),
        Column("games", lambda row: row.games),
        Column("points", lambda row: row.result, rate=True),
        Column("last played", lambda row: row.last_date, spare=2),
        Column("rating", lambda row: row.last_rating, spare=1),
    ]
    with open_archive(db) as archive:
        page = archive.players(filter, search=search, sort=sort, limit=limit)  # type: ignore[arg-type]
        show(page.players, columns, form)


@players.command("show")
@filtered
def show_player(player: Player, filter: Filter, db: Db = None, form: AsForm = Form.table) -> None:
    """Show how one player does: by seat, with factions, against others."""
    with open_archive(db) as archive:
        profile = archive.player(player, filter)
    one = profile.player
    rows: list[tuple[str, str, Any]] = [
        ("all games", "", one.result),
        ("trick 1", "led", profile.leading),
        ("trick 1", "not led", profile.following),
        ("Phase 1's last trick", "won", profile.phase1_won),
        ("Phase 1's last trick", "lost", profile.phase1_lost),
    ]
    for heading, rates in (
        ("by seat", profile.by_seat),
        ("in the deck", profile.with_faction),
        ("factions won", profile.factions_won),
        ("against", profile.opponents),
        ("with partner", profile.partners),
        ("at", profile.events),
    ):
        rows += [(heading, r.label, r.result) for r in rates]
    columns: list[Column] = [
        Column("group", lambda row: row[0]),
        Column("what", lambda row: row[1]),
        Column("points", lambda row: row[2], rate=True),
    ]
    show(rows, columns, form, title=one.name, answer=profile)


@players.command()
@filtered
def versus(
    player: Player,
    opponent: Annotated[str, typer.Argument(help="The other player's name or id.")],
    filter: Filter,
    db: Db = None,
    form: AsForm = Form.table,
) -> None:
    """Show two players against each other, with their newest games."""
    from .games import COLUMNS

    with open_archive(db) as archive:
        answer = archive.head_to_head(player, opponent, filter)
    title = (
        f"{answer.player.name} - {answer.opponent.name}: won {answer.won}, lost {answer.lost}, "
        f"shared {answer.shared}; factions {answer.votes_for}:{answer.votes_against}"
    )
    show(answer.games, COLUMNS, form, title=title, answer=answer)


@players.command()
def merge(
    alias: Annotated[str, typer.Argument(help="The id that is the same person as the other.")],
    into: Annotated[str, typer.Argument(help="The player's id.")],
    by: By,
    why: Why = "",
    db: Db = None,
) -> None:
    """Count the games of one id for another from now on."""
    with open_archive(db, writing=True) as archive:
        merged = archive.merge_players(alias, into, by=by, why=why)
    print(f"{merged.alias_name} ({merged.alias}) now counts for {merged.player}")


@players.command()
def split(
    alias: Annotated[str, typer.Argument(help="The id that was merged.")],
    by: By,
    why: Why = "",
    db: Db = None,
) -> None:
    """Undo a merge."""
    with open_archive(db, writing=True) as archive:
        archive.split_player(alias, by=by, why=why)
    print(f"{alias} counts for itself again")
