"""`claimlog stats`: how games went, with counts and confidence intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from .filters import filtered
from .opening import Db, open_archive
from .tables import AsForm, Form, rate, show

if TYPE_CHECKING:
    from claimlog.store import Filter

stats = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
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
    columns: list[Any] = [
        (by, lambda row: row.key),
        ("games", lambda row: row.games),
        ("share", lambda row: rate(row.share)),
        ("points", lambda row: rate(row.result)),
        ("shared wins", lambda row: row.shared),
    ]
    with open_archive(db) as archive:
        answer = archive.result_stats(by, filter)  # type: ignore[arg-type]
        show(answer.groups, columns, form, answer=answer)


@stats.command()
@filtered
def factions(filter: Filter, db: Db = None, form: AsForm = Form.table) -> None:
    """Factions: how often in the deck, how often decided, by how much, what winning is worth."""
    columns: list[Any] = [
        ("faction", lambda row: f"{row.faction} {row.name}"),
        ("in the deck", lambda row: rate(row.in_deck)),
        ("decided", lambda row: rate(row.decided)),
        ("lead in cards", lambda row: row.margin),
        ("points of its winner", lambda row: rate(row.worth)),
    ]
    with open_archive(db) as archive:
        show(archive.faction_stats(filter), columns, form)


@stats.command()
@filtered
def cards(filter: Filter, phase: Phase = None, db: Db = None, form: AsForm = Form.table) -> None:
    """Cards: led, followed, discarded, and how often they won their trick."""
    columns: list[Any] = [
        ("card", lambda row: row.card),
        ("plays", lambda row: row.plays),
        ("led", lambda row: row.led.count),
        ("won when led", lambda row: rate(row.won_led)),
        ("won when followed", lambda row: rate(row.won_followed)),
        ("discarded", lambda row: row.discarded.count),
    ]
    with open_archive(db) as archive:
        show(archive.card_stats(filter, phase=phase), columns, form)


@stats.command()
@filtered
def upcards(filter: Filter, db: Db = None, form: AsForm = Form.table) -> None:
    """Upcards, and how games went for those who took them."""
    columns: list[Any] = [
        ("upcard", lambda row: row.card),
        ("shown", lambda row: row.shown),
        ("points of its taker", lambda row: rate(row.taker)),
        ("worth", lambda row: row.worth),
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
    columns: list[Any] = [("who", lambda row: row[0]), ("points", lambda row: rate(row[1]))]
    show(rows, columns, form, answer=answer)


@stats.command()
@filtered
def lengths(filter: Filter, phase: Phase = None, db: Db = None, form: AsForm = Form.table) -> None:
    """How many tricks in a row a seat leads."""
    columns: list[Any] = [
        ("tricks in a row", lambda row: row.length),
        ("leads", lambda row: row.count),
        ("share", lambda row: rate(row.share)),
        ("points", lambda row: rate(row.result)),
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
    columns: list[Any] = [
        ("play", lambda row: row.card),
        ("share", lambda row: rate(row.share)),
        ("won the trick", lambda row: rate(row.won_trick)),
        ("points", lambda row: rate(row.result)),
        ("for example", lambda row: " ".join(row.examples)),
    ]
    with open_archive(db) as archive:
        from claimlog.store import Context

        context = Context(trick=trick, phase=phase, upcard=turned, played=after or [])
        answer = archive.explore(context, filter, examples=examples)
        show(answer.moves, columns, form, answer=answer)
