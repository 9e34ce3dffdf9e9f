"""`claimlog stats`: how games went, with counts and confidence intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from .filters import filtered
from .opening import Db, open_archive
from .tables import AsForm, Column, Form, show

if TYPE_CHECKING:
    from claimlog.store import Filter

stats = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    help="Statistics over the games of the archive; a rate is shown with its 95 % interval.",
)

Phase = Annotated[int | None, typer.Option(min=1, max=2, help="Only tricks of this phase.")]


@stats.command()
@filtered
def results(
    filter: Filter,
    by: Annotated[
        str,
        typer.Option(
            help="seat, side, leader, deck, faction, rules, rulings, seats, termination, event, "
            "year, votes or tiebreak."
        ),
    ] = "seat",
    db: Db = None,
    form: AsForm = Form.table,
) -> None:
    """Results by seat, leader, deck and so on."""
    columns: list[Column] = [
        Column(by, lambda row: row.key),
        Column("games", lambda row: row.games),
        Column("share", lambda row: row.share, rate=True),
        Column("points", lambda row: row.result, rate=True),
        Column("shared wins", lambda row: row.shared),
    ]
    with open_archive(db) as archive:
        answer = archive.result_stats(by, filter)  # type: ignore[arg-type]
        show(answer.groups, columns, form, answer=answer)


@stats.command()
@filtered
def factions(filter: Filter, db: Db = None, form: AsForm = Form.table) -> None:
    """Factions: how often in the deck, how often decided, by how much, what winning is worth."""
    columns: list[Column] = [
        Column("faction", lambda row: f"{row.faction} {row.name}"),
        Column("in the deck", lambda row: row.in_deck, rate=True),
        Column("decided", lambda row: row.decided, rate=True),
        Column("lead in cards", lambda row: row.margin),
        Column("points of its winner", lambda row: row.worth, rate=True),
    ]
    with open_archive(db) as archive:
        show(archive.faction_stats(filter), columns, form)


@stats.command()
@filtered
def cards(filter: Filter, phase: Phase = None, db: Db = None, form: AsForm = Form.table) -> None:
    """Cards: led, followed, discarded, and how often they won their trick."""
    columns: list[Column] = [
        Column("card", lambda row: row.card),
        Column("plays", lambda row: row.plays),
        Column("won when led", lambda row: row.won_led, rate=True),
        Column("won when followed", lambda row: row.won_followed, rate=True),
        Column("discarded", lambda row: row.discarded.count),
    ]
    with open_archive(db) as archive:
        show(archive.card_stats(filter, phase=phase), columns, form)


@stats.command()
@filtered
def upcards(filter: Filter, db: Db = None, form: AsForm = Form.table) -> None:
    """Upcards, and how games went for those who took them."""
    columns: list[Column] = [
        Column("upcard", lambda row: row.card),
        Column("shown", lambda row: row.shown),
        Column("points of its taker", lambda row: row.taker, rate=True),
        Column("worth", lambda row: row.worth),
    ]
    with open_archive(db) as archive:
        show(archive.upcard_stats(filter), columns, form)


@stats.command()
@filtered
def leads(filter: Filter, db: Db = None, form: AsForm = Form.table) -> None:
    """What leading trick 1, winning Phase 1 and leading Phase 2 are worth."""
    with open_archive(db) as archive:
        answer = archive.lead_stats(filter)
    rows = [
        ("led trick 1", answer.first_lead),
        ("won Phase 1's last trick", answer.phase1_last),
        ("won most tricks of Phase 1", answer.phase1_most),
        ("led Phase 2", answer.phase2_first),
    ]
    columns = [
        Column("who", lambda row: row[0]),
        Column("points", lambda row: row[1], rate=True),
    ]
    show(rows, columns, form, answer=answer)


@stats.command()
@filtered
def lengths(filter: Filter, phase: Phase = None, db: Db = None, form: AsForm = Form.table) -> None:
    """How many tricks in a row a seat leads."""
    columns: list[Column] = [
        Column("tricks in a row", lambda row: row.length),
        Column("leads", lambda row: row.count),
        Column("share", lambda row: row.share, rate=True),
        Column("points", lambda row: row.result, rate=True),
    ]
    with open_archive(db) as archive:
        answer = archive.lead_lengths(filter, phase=phase)
        show(answer.lengths, columns, form, answer=answer)


@stats.command()
@filtered
def explore(
    filter: Filter,
    trick: Annotated[int | None, typer.Option(min=1, help="The trick's number.")] = None,
    phase: Phase = None,
    turned: Annotated[
        str | None, typer.Option("--with-upcard", help="An upcard of the trick.")
    ] = None,
    after: Annotated[
        list[str] | None,
        typer.Option("--after", help="What has been played in the trick, in order; repeatable."),
    ] = None,
    examples: Annotated[int, typer.Option(min=0, max=20, help="Example games for each.")] = 1,
    db: Db = None,
    form: AsForm = Form.table,
) -> None:
    """What was led or played in a situation: how often, how it went, example games."""
    columns: list[Column] = [
        Column("play", lambda row: row.card),
        Column("share", lambda row: row.share, rate=True),
        Column("won the trick", lambda row: row.won_trick, rate=True),
        Column("points", lambda row: row.result, rate=True),
        Column("for example", lambda row: " ".join(row.examples)),
    ]
    with open_archive(db) as archive:
        from claimlog.store import Context

        context = Context(trick=trick, phase=phase, upcard=turned, played=after or [])
        answer = archive.explore(context, filter, examples=examples)
        show(answer.moves, columns, form, answer=answer)
