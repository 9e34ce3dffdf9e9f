"""`claimlog stats`: how games went, with counts and confidence intervals."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from claimlog.store.model.filter import By as Whose
from claimlog.store.model.types import Grouping

from ..language import told, tr
from ..usage import Group
from .filters import filtered
from .opening import Db, open_archive
from .tables import Column, Look, show, tabled

if TYPE_CHECKING:
    from claimlog.store import Filter

stats = typer.Typer(
    cls=Group,
    pretty_exceptions_enable=False,
    add_completion=False,
    help="Statistics over the games of the archive; a rate is shown with its 95 % interval.",
)

Phase = Annotated[int | None, typer.Option(min=1, max=2, help="Only tricks of this phase.")]
By = Annotated[Whose, typer.Option(help="Whose plays count: anybody's, or only those of --player.")]


RESULTS: list[Column] = [
    Column("group", lambda row: row.label, least=20),
    Column("games", lambda row: row.games),
    Column("share", lambda row: row.share, rate=True),
    Column("points", lambda row: row.result, rate=True, plotted=True),
    Column("shared wins", lambda row: row.shared, spare=1),
]
FACTIONS: list[Column] = [
    Column(
        "faction",
        lambda row: f"{row.faction} {row.name}",
        faction=lambda row: row.faction,
        shown=lambda row: f"{row.faction} {told().faction(row.faction)}",
    ),
    Column("games", lambda row: row.decided.count),
    Column("in the deck", lambda row: row.in_deck, rate=True, spare=1),
    Column("decided", lambda row: row.decided, rate=True, spare=2),
    Column("lead in cards", lambda row: row.margin),
    Column("points of its winner", lambda row: row.worth, rate=True, plotted=True),
]
CARDS: list[Column] = [
    Column("card", lambda row: row.card, faction=lambda row: row.faction),
    Column("plays", lambda row: row.plays),
    Column("led", lambda row: row.won_led.count),
    Column("won when led", lambda row: row.won_led, rate=True, plotted=True),
    Column("followed", lambda row: row.won_followed.count),
    Column("won when followed", lambda row: row.won_followed, rate=True),
    Column("discarded", lambda row: row.discarded.count, spare=1),
]
UPCARDS: list[Column] = [
    Column("upcard", lambda row: row.card, faction=lambda row: row.faction),
    Column("shown", lambda row: row.shown),
    Column("points of its taker", lambda row: row.taker, rate=True, plotted=True),
    Column("worth", lambda row: row.worth),
]
LEADS: list[Column] = [
    Column("who", lambda row: row[0], shown=lambda row: tr(row[0])),
    Column("times", lambda row: row[1].count),
    Column("points", lambda row: row[1], rate=True, plotted=True),
]
LED_AND_WON = {"1": "won the trick led in Phase 1", "2": "won the trick led in Phase 2"}
LENGTHS: list[Column] = [
    Column("tricks in a row", lambda row: row.length),
    Column("leads", lambda row: row.count),
    Column("share", lambda row: row.share, rate=True),
    Column("points", lambda row: row.result, rate=True, plotted=True),
]
TIMES: list[Column] = [
    Column("seats", lambda row: row.seats),
    Column("games", lambda row: row.games),
    Column("mean", lambda row: row.mean, shown=lambda row: _time(row.mean)),
    Column("median", lambda row: row.median, shown=lambda row: _time(row.median)),
    Column("shortest", lambda row: row.shortest, shown=lambda row: _time(row.shortest)),
    Column("longest", lambda row: row.longest, shown=lambda row: _time(row.longest)),
]
EXPLORED: list[Column] = [
    Column("play", lambda row: row.card, faction=lambda row: row.faction),
    Column("times", lambda row: row.won_trick.count),
    Column("share", lambda row: row.share, rate=True, spare=1),
    Column("won the trick", lambda row: row.won_trick, rate=True),
    Column("points", lambda row: row.result, rate=True, plotted=True),
    Column("for example", lambda row: " ".join(row.examples), spare=2),
]


def _time(seconds: float) -> str:
    """Seconds as ``1:02:05``."""
    whole = round(seconds)
    return f"{whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02}"


@stats.command()
@filtered
@tabled(RESULTS)
def results(
    filter: Filter,
    look: Look,
    by: Annotated[Grouping, typer.Option(help="What the games are grouped by.")] = "seat",
    of: Annotated[
        Whose, typer.Option(help="Whose points count: the leader's, or those of --player.")
    ] = "anybody",
    db: Db = None,
) -> None:
    """Results by seat, leader, deck and so on."""
    with open_archive(db) as archive:
        answer = archive.result_stats(by, filter, of=of)
    look = replace(look, sort=look.sort.replace("group", by))
    show(answer.groups, [replace(RESULTS[0], heading=by), *RESULTS[1:]], look, answer=answer)


@stats.command()
@filtered
@tabled(FACTIONS)
def factions(filter: Filter, look: Look, db: Db = None) -> None:
    """Factions: how often in the deck, how often decided, by how much, what winning is worth."""
    with open_archive(db) as archive:
        show(archive.faction_stats(filter), FACTIONS, look)


@stats.command()
@filtered
@tabled(CARDS)
def cards(
    filter: Filter, look: Look, phase: Phase = None, by: By = "anybody", db: Db = None
) -> None:
    """Cards: led, followed, discarded, and how often they won their trick."""
    with open_archive(db) as archive:
        show(archive.card_stats(filter, phase=phase, by=by), CARDS, look)


@stats.command()
@filtered
@tabled(UPCARDS)
def upcards(filter: Filter, look: Look, by: By = "anybody", db: Db = None) -> None:
    """Upcards, and how games went for those who took them."""
    with open_archive(db) as archive:
        show(archive.upcard_stats(filter, by=by), UPCARDS, look)


@stats.command()
@filtered
@tabled(LEADS)
def leads(filter: Filter, look: Look, by: By = "anybody", db: Db = None) -> None:
    """What leading and winning Phase 1 are worth, and how often who leads a trick wins it."""
    with open_archive(db) as archive:
        answer = archive.lead_stats(filter, by=by)
    rows = [
        ("led trick 1", answer.first_lead),
        ("won Phase 1's last trick", answer.phase1_last),
        ("won most tricks of Phase 1", answer.phase1_most),
        ("led Phase 2", answer.phase2_first),
        ("won the trick led", answer.trick_won),
        *((LED_AND_WON[phase.key], phase.result) for phase in answer.trick_won_by_phase),
    ]
    show(rows, LEADS, look, answer=answer)


@stats.command()
@filtered
@tabled(LENGTHS)
def lengths(
    filter: Filter, look: Look, phase: Phase = None, by: By = "anybody", db: Db = None
) -> None:
    """How many tricks in a row a seat leads."""
    with open_archive(db) as archive:
        answer = archive.lead_lengths(filter, phase=phase, by=by)
    show(answer.lengths, LENGTHS, look, answer=answer)


@stats.command()
@filtered
@tabled(TIMES)
def times(filter: Filter, look: Look, db: Db = None) -> None:
    """How long games took, from the tags Start and End."""
    with open_archive(db) as archive:
        answer = archive.time_stats(filter)
    show(answer.by_seats, TIMES, look, answer=answer)


@stats.command()
@filtered
@tabled(EXPLORED)
def explore(
    filter: Filter,
    look: Look,
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
    by: By = "anybody",
    db: Db = None,
) -> None:
    """What was led or played in a situation: how often, how it went, example games."""
    from claimlog.store.model.types import Context

    with open_archive(db) as archive:
        context = Context(trick=trick, phase=phase, upcard=turned, played=after or [])
        answer = archive.explore(context, filter, examples=examples, by=by)
    show(answer.moves, EXPLORED, look, answer=answer)
