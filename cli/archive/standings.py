"""`claimlog standings`: events, their rounds, standings and crosstables."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, get_args

import typer

from claimlog.store.model.errors import NotFound
from claimlog.store.model.filter import EventSort
from claimlog.store.model.types import TieBreak

from ..files import fail
from ..language import amount, points, tr, tr_count
from . import completing
from .filters import filtered
from .opening import ByIfChanging, Db, chosen, open_archive
from .tables import Column, Form, Look, show, tabled

if TYPE_CHECKING:
    from collections.abc import Callable

    from claimlog.store import Archive, Filter

_TIEBREAKS = ", ".join(get_args(TieBreak))


@filtered
@tabled()
def events(
    filter: Filter,
    look: Look,
    search: Annotated[str, typer.Option(help="A part of the name.")] = "",
    sort: Annotated[EventSort, typer.Option(help="The order.")] = "last",
    limit: Annotated[int, typer.Option(min=1, max=1000, help="At most this many.")] = 50,
    count: Annotated[bool, typer.Option("--count", help="Only print how many there are.")] = False,
    db: Db = None,
) -> None:
    """List events, the one played last first."""
    columns: list[Column] = [
        Column("event", lambda row: row.name, least=24),
        Column("from", lambda row: row.first_date, spare=1, date=True),
        Column("to", lambda row: row.last_date, date=True),
        Column("players", lambda row: row.players),
        Column("rounds", lambda row: row.rounds, spare=2),
        Column("games", lambda row: row.games),
    ]
    with open_archive(db) as archive:
        page = archive.events(filter, search=search, sort=sort, limit=limit, total=True)
        if count:
            print(page.total)
            return
        if search.strip() and not page.events:
            archive.event(search)  # reports the nearest names if there is no such event
        rest = (page.total or 0) - len(page.events)
        more = tr("and {number} more (--limit)", number=amount(rest)) if rest else ""
        show(page.events, columns, look, more=more)


def of_teams(archive: Archive, event: str) -> bool:
    """Whether an event is directed here, and partners stay together."""
    try:
        return archive.desk(event).plan.of_teams
    except NotFound:
        return False


@tabled()
def standings(
    event: Annotated[
        str, typer.Argument(help="The event's name or id.", autocompletion=completing.events)
    ],
    look: Look,
    after_round: Annotated[
        str | None, typer.Option("--round", help="As they stood after this round.")
    ] = None,
    until: Annotated[
        str | None, typer.Option(help="Only games played up to this date, YYYY-MM-DD.")
    ] = None,
    as_of: Annotated[
        str | None,
        typer.Option(
            help="As the archive knew them then, before later corrections: ISO 8601, in UTC if "
            "there is no offset."
        ),
    ] = None,
    tiebreaks: Annotated[
        str | None,
        typer.Option(help=f"The tie-breaks in order, separated by commas: {_TIEBREAKS}."),
    ] = None,
    keep: Annotated[bool, typer.Option("--keep", help="Save --tiebreaks for the event.")] = False,
    by: ByIfChanging = "",
    keep_by: Annotated[str, typer.Option("--keep-by", hidden=True)] = "",
    crosstable: Annotated[bool, typer.Option("--crosstable", help="The crosstable.")] = False,
    teams: Annotated[
        bool | None,
        typer.Option(
            "--teams/--players",
            help="The standings or crosstable of partners in games of four, or of players; by "
            "default of partners if they stay together in the event.",
        ),
    ] = None,
    ranks: Annotated[bool, typer.Option("--ranks", help="The ranks after each round.")] = False,
    rounds: Annotated[bool, typer.Option("--rounds", help="The rounds, table by table.")] = False,
    sort: Annotated[
        str, typer.Option(help="The column to sort by; a - before it reverses the order.")
    ] = "",
    db: Db = None,
) -> None:
    """Show the standings of an event, its crosstable or its rounds."""
    order: Any = None if tiebreaks is None else [word.strip() for word in tiebreaks.split(",")]
    known_at = None
    if as_of is not None:
        try:
            known_at = datetime.fromisoformat(as_of)
        except ValueError:
            fail(tr("{text} is not a time; write it as 2026-11-14T19:30:00+01:00", text=as_of))
        known_at = known_at.replace(tzinfo=known_at.tzinfo or UTC)
    _check_combination(
        {"--crosstable": crosstable, "--ranks": ranks, "--rounds": rounds},
        {"--teams": teams or None, "--round": after_round, "--until": until, "--as-of": as_of},
    )
    if keep_by:  # how 1.0.0 wrote --keep --by
        keep, by = True, keep_by
    elif keep:
        chosen.name()
    if keep and order is None:
        fail(tr("--keep needs --tiebreaks"))
    with open_archive(db, writing=keep) as archive:
        if keep:
            archive.set_tiebreaks(event, order, by=by)
        how: dict[str, Any] = {
            "tiebreaks": order,
            "until_round": after_round,
            "until": until,
            "known_at": known_at,
        }
        if rounds:
            from .games import COLUMNS

            rounds_played = archive.rounds(event)
            rows = [row for one in rounds_played for row in one.tables]
            shown_columns = [
                column for column in COLUMNS if column.heading not in ("event", "date")
            ]
            show(rows, shown_columns, replace(look, sort=sort), answer=rounds_played)
            return
        if ranks:
            _show_ranks(archive.ranks(event, tiebreaks=order), look)
            return
        if teams is None:
            teams = of_teams(archive, event)
        if crosstable:
            crossed = (archive.team_crosstable if teams else archive.crosstable)(event, **how)
            _show_crosstable(crossed, replace(look, sort=sort), teams=teams)
            return
        answer = (archive.team_standings if teams else archive.standings)(event, **how)
    columns: list[Column] = [
        Column("#", lambda row: row.rank),
        Column("team", lambda row: " & ".join(row.names), least=24)
        if teams
        else Column("player", lambda row: row.name, least=16),
        Column("games", lambda row: row.games, spare=15),
        Column("won", lambda row: row.won, spare=13),
        Column("shared", lambda row: row.shared, spare=1),
        Column("lost", lambda row: row.lost, spare=12),
        Column("factions", lambda row: f"{row.votes_for}:{row.votes_against}", spare=14),
    ]
    for place, name in enumerate(answer.tiebreaks):

        def value(row: Any, place: int = place) -> float:
            return float(row.values[place])

        columns.append(Column(name, value, spare=0 if not place else 11 - place))
    when = f" {tr('after round {round}', round=after_round)}" if after_round else ""
    chosen_look = replace(look, sort=sort)
    title = f"{answer.name}{when}"
    show(answer.lines, columns, chosen_look, title=title, answer=answer, listed="lines")
    if look.form is Form.table and answer.unfinished:
        print(
            tr_count(
                "{number} unfinished game does not count",
                "{number} unfinished games do not count",
                answer.unfinished,
            )
        )


def _check_combination(kinds: dict[str, bool], others: dict[str, object]) -> None:
    """End the command if an option would be ignored; all are given by name."""
    wanted = [name for name, chosen in kinds.items() if chosen]
    if {"--ranks", "--rounds"} & set(wanted):
        wanted += [name for name, value in others.items() if value is not None]
    if len(wanted) > 1:
        fail(tr("{one} and {other} cannot be combined", one=wanted[0], other=wanted[1]))


def _show_ranks(table: Any, look: Look) -> None:
    columns: list[Column] = [Column("player", lambda row: row.name, least=12)]
    for place, round in enumerate(table.rounds):

        def rank(row: Any, place: int = place) -> int | None:
            place_then: int | None = row.ranks[place]
            return place_then

        columns.append(Column(round, rank, spare=len(table.rounds) - place))
    columns.append(Column("points", lambda row: float(row.points[-1] or 0)))
    show(table.lines, columns, look, title=table.name, answer=table, listed="lines", tight=True)


def _show_crosstable(table: Any, look: Look, *, teams: bool) -> None:
    columns: list[Column] = [
        Column("#", lambda row: row.rank),
        Column("team", lambda row: " & ".join(row.names), least=12)
        if teams
        else Column("player", lambda row: row.name, least=12),
    ]
    for place, other in enumerate(table.rows):

        def cell(row: Any, other: Any = other, form: Callable[[float], str] = "{:g}".format) -> str:
            if row is other:
                return "*"
            for cell in row.cells:
                if cell.opponents == other.players if teams else cell.opponent == other.player:
                    return form(cell.points)
            return ""

        shown = partial(cell, form=points)
        columns.append(Column(str(place + 1), cell, spare=len(table.rows) - place, shown=shown))
    columns.append(Column("points", lambda row: float(row.points)))
    show(table.rows, columns, look, title=table.name, answer=table, listed="rows", tight=True)
