"""`claimlog players`: who played, with what results, and who is the same person."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from claimlog.cards import LETTERS
from claimlog.store.model.filter import PlayerSort

from ..language import amount, current_words, tr
from ..usage import Group
from . import completing
from .filters import filtered
from .games import COLUMNS
from .opening import By, Db, Why, open_archive
from .tables import Column, Form, Look, show, tabled, tell_merge

if TYPE_CHECKING:
    from claimlog.store import Filter
    from claimlog.store.model.types import PlayerRow

players = typer.Typer(
    cls=Group,
    pretty_exceptions_enable=False,
    add_completion=False,
    help="Players and their results.",
)

Player = Annotated[
    str, typer.Argument(help="A player's name or id.", autocompletion=completing.players)
]


def _rating(row: PlayerRow) -> str:
    return "" if row.last_rating is None else f"{row.last_rating:g}"


LIST: list[Column] = [
    Column("id", lambda row: row.id, spare=1),
    Column("player", lambda row: row.name, least=16),
    Column("games", lambda row: row.games),
    Column("points", lambda row: row.result, rate=True),
    Column("last played", lambda row: row.last_date, spare=2, date=True),
    Column("rating", lambda row: row.last_rating, shown=_rating),
]
STREAKS: list[Column] = [
    Column("what", lambda row: row[0], shown=lambda row: tr(row[0])),
    Column("games", lambda row: row[1].length),
    Column("from", lambda row: row[1].first_date, date=True),
    Column("to", lambda row: row[1].last_date, date=True),
    Column("first game", lambda row: row[1].first),
    Column("last game", lambda row: row[1].last),
]
NOW = {"won": "now: won", "lost": "now: lost", "shared": "now: shared"}
PERFORMANCE: list[Column] = [
    Column("games", lambda row: row.games),
    Column("opponents", lambda row: row.opponents, shown=lambda row: amount(row.opponents)),
    Column("points", lambda row: row.result, rate=True),
    Column("performance", lambda row: row.performance, shown=lambda row: amount(row.performance)),
    Column("at least", lambda row: row.low, shown=lambda row: amount(row.low)),
    Column("at most", lambda row: row.high, shown=lambda row: amount(row.high)),
]
RATING: list[Column] = [
    Column("date", lambda row: row.day, date=True),
    Column("event", lambda row: row.event, least=16, spare=1),
    Column("round", lambda row: row.round),
    Column("rating", lambda row: row.rating),
    Column("uncertainty", lambda row: row.uncertainty),
    Column("game", lambda row: row.game or "", spare=2),
]
PROFILE: list[Column] = [
    Column("group", lambda row: row[0], shown=lambda row: tr(row[0])),
    Column(
        "what",
        lambda row: row[1],
        least=24,
        faction=lambda row: row[3],
        shown=lambda row: _label(row[0], row[1], row[3]),
    ),
    Column("games", lambda row: row[2].count),
    Column("points", lambda row: row[2], rate=True),
]


@players.command("list")
@filtered
@tabled([column for column in LIST if column.rate])
def list_players(
    filter: Filter,
    look: Look,
    search: Annotated[str, typer.Option(help="A part of the name.")] = "",
    sort: Annotated[PlayerSort, typer.Option(help="The order.")] = "games",
    limit: Annotated[int, typer.Option(min=1, max=1000, help="At most this many.")] = 50,
    count: Annotated[bool, typer.Option("--count", help="Only print how many there are.")] = False,
    db: Db = None,
) -> None:
    """List players."""
    with open_archive(db) as archive:
        page = archive.players(
            filter, search=search, sort=sort, limit=limit, min_games=look.min_games, total=True
        )
        if count:
            print(page.total)
            return
        if search.strip() and not page.players:
            archive.player(search)  # reports the nearest names if nobody has this one
        rest = (page.total or 0) - len(page.players)
        more = tr("and {number} more (--limit)", number=amount(rest)) if rest else ""
        fewer = 0
        if look.min_games and look.form is Form.table:
            everybody = archive.players(filter, search=search, limit=1, total=True)
            fewer = (everybody.total or 0) - (page.total or 0)
        show(page.players, LIST, look, more=more, fewer=fewer)


@players.command("show")
@filtered
@tabled(PROFILE)
def show_player(player: Player, filter: Filter, look: Look, db: Db = None) -> None:
    """Show a player's results: by seat, with factions, against others."""
    with open_archive(db) as archive:
        profile = archive.player(player, filter)
    one = profile.player
    rows: list[tuple[str, str, Any, str]] = [
        ("all games", "", one.result, ""),
        ("trick 1", "led", profile.leading, ""),
        ("trick 1", "not led", profile.following, ""),
        ("Phase 1's last trick", "won", profile.phase1_won, ""),
        ("Phase 1's last trick", "lost", profile.phase1_lost, ""),
    ]
    for heading, rates in (
        ("by seat", profile.by_seat),
        ("in the deck", profile.with_faction),
        ("factions won", profile.factions_won),
        ("against", profile.opponents),
        ("with partner", profile.partners),
        ("at", profile.events),
    ):
        rows += [(heading, r.label, r.result, r.key) for r in rates]
    show(rows, PROFILE, look, title=one.name, answer=profile)


def _label(heading: str, label: str, key: str) -> str:
    """The label of a rate, in the language of the run."""
    if heading == "by seat":
        return current_words()("seat", number=key)
    if key:
        return current_words().faction(key) if key in LETTERS else label
    return tr(label)


@players.command()
@filtered
@tabled(COLUMNS)
def versus(
    player: Player,
    opponent: Annotated[
        str,
        typer.Argument(help="The other player's name or id.", autocompletion=completing.players),
    ],
    filter: Filter,
    look: Look,
    limit: Annotated[int, typer.Option(min=1, max=1000, help="At most this many games.")] = 20,
    db: Db = None,
) -> None:
    """Show two players against each other, with their newest games."""
    with open_archive(db) as archive:
        # Rows that are not shown are still counted and sorted.
        answer = archive.head_to_head(player, opponent, filter, limit=1000)
    numbers = {"won": answer.won, "lost": answer.lost, "shared": answer.shared}
    counts = tr("won {won}, lost {lost}, shared {shared}", **numbers)
    if answer.neither:
        counts += ", " + tr("won by neither {neither}", neither=answer.neither)
    title = tr(
        "{player} - {opponent}: {counts}; factions {mine}:{theirs}",
        player=answer.player.name,
        opponent=answer.opponent.name,
        counts=counts,
        mine=answer.votes_for,
        theirs=answer.votes_against,
    )
    look = replace(look, limit=limit)
    show(answer.games, COLUMNS, look, title=title, answer=answer, listed="games")


@players.command()
@filtered
@tabled()
def streaks(player: Player, filter: Filter, look: Look, db: Db = None) -> None:
    """Show a player's longest streaks, and the current one."""
    with open_archive(db) as archive:
        answer = archive.streaks(player, filter)
    rows = [
        (kind, one)
        for kind, one in (
            ("won", answer.won),
            ("won or shared", answer.unbeaten),
            ("lost", answer.lost),
            ("lost or shared", answer.winless),
            (NOW.get(answer.current_kind or "", ""), answer.current),
        )
        if one is not None
    ]
    show(rows, STREAKS, look, title=answer.name, answer=answer)


@players.command()
@filtered
@tabled()
def performance(player: Player, filter: Filter, look: Look, db: Db = None) -> None:
    """Show a player's performance: the rating that would be expected to score as much."""
    with open_archive(db) as archive:
        answer = archive.performance(player, filter)
    show([answer] if answer.games else [], PERFORMANCE, look, title=answer.name, answer=answer)


@players.command()
@filtered
@tabled()
def rating(player: Player, filter: Filter, look: Look, db: Db = None) -> None:
    """Show how a player's rating came about, game by game."""
    with open_archive(db) as archive:
        steps = archive.rating_history(player, filter)
    show(steps, RATING, look)


@players.command()
def merge(
    alias: Annotated[
        str,
        typer.Argument(
            help="The id that is the same person as the other.", autocompletion=completing.players
        ),
    ],
    into: Annotated[
        str, typer.Argument(help="The player's id.", autocompletion=completing.players)
    ],
    by: By,
    why: Why = "",
    db: Db = None,
) -> None:
    """Count the games of one id for another from now on."""
    with open_archive(db, writing=True) as archive:
        merged = archive.merge_players(alias, into, by=by, why=why)
    tell_merge(merged.alias_name, merged.alias, merged.player, merged.player_name)


@players.command()
def split(
    alias: Annotated[
        str, typer.Argument(help="The id that was merged.", autocompletion=completing.players)
    ],
    by: By,
    why: Why = "",
    db: Db = None,
) -> None:
    """Undo a merge."""
    with open_archive(db, writing=True) as archive:
        undone = archive.split_player(alias, by=by, why=why)
    print(tr("{alias} is a separate player again", alias=undone.alias_name or alias))
