"""`claimlog event places`, `why`, `links`: questions asked at the desk during a round."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ..files import fail, flow, write
from ..language import language, points, said, tr
from .directing import AnEntrant, OfPlayed, print_links, the_played
from .events import Event, event
from .opening import By, Db, open_archive
from .tables import Column, Form, Look, show, tabled

if TYPE_CHECKING:
    from claimlog.directing.places import Ranked, Ranking

AfterRound = Annotated[
    int | None, typer.Option("--round", min=1, help="After this round; by default after all.")
]


@event.command()
@tabled()
def places(
    event: Event,
    look: Look,
    category: Annotated[
        str | None, typer.Option(help="Show only this category, with the places in it.")
    ] = None,
    round: AfterRound = None,
    db: Db = None,
) -> None:
    """Show the places: overall, by category and by team; level entrants share a place."""
    with open_archive(db) as archive:
        ranking = archive.places(event, round=round)
        names = {one.number: one.name for one in archive.desk(event).entrants}
    lines = list(ranking.lines) if category is None else _within(ranking, category)
    show(lines, _columns(lines), look, title=ranking.name, answer=ranking)
    if look.form is not Form.table:
        return
    for those in ranking.shared:
        level = [line.name for line in lines if set(line.entrants) <= set(those)]
        if len(level) > 1:
            flow(tr("level in all tie-breaks: {names}", names=", ".join(level)), 2)
    for team in ranking.teams if category is None else ():
        members = ", ".join(names[one] for one in team.members)
        flow(f"{team.rank:4}  {team.team}  {points(team.points)}  ({members})", 6)


def _columns(lines: list[Ranked]) -> list[Column]:
    teams = any(len(line.entrants) > 1 for line in lines)
    return [
        Column("#", lambda row: row.rank),
        Column("team" if teams else "player", lambda row: row.name, least=16),
        Column("points", lambda row: row.points),
        Column("category", lambda row: row.category, spare=1),
        Column("in category", lambda row: row.in_category, spare=1),
    ]


def _within(ranking: Ranking, category: str) -> list[Ranked]:
    """The lines of a category; ends the command if there is none of this name."""
    from claimlog.notation.names import folded

    named = {folded(name): name for name in ranking.categories}
    if folded(category) in named:
        return ranking.within(named[folded(category)])
    if not named:
        fail(tr("nobody in the standings has a category"))
    names = ", ".join(ranking.categories)
    fail(tr("{value} is not one of {names}", value=category, names=names))


@event.command()
def why(event: Event, entrant: AnEntrant, round: AfterRound = None, db: Db = None) -> None:
    """Explain an entrant's place: what decided, and against whom."""
    with open_archive(db) as archive:
        for reason in archive.place_reasons(event, entrant, round=round):
            flow(reason.worded(language()), 2)


@event.command("links")
def links_of(
    event: Event,
    by: By,
    round: OfPlayed = None,
    output: Annotated[
        str | None,
        typer.Option(
            "--links", help="A file for the links, which event print cards turns into QR codes."
        ),
    ] = None,
    db: Db = None,
) -> None:
    """Show new links to the open tables of a round; earlier links stay valid."""
    with open_archive(db, writing=True) as archive:
        chosen = the_played(archive.desk(event), round)
        links = archive.round_links(event, chosen.number, by=by)
    print_links(links)
    if not links:
        print(said("typed.no-deck" if chosen.without_deck else "typed.no-links"))
    if output is not None:
        import msgspec

        write(output, [msgspec.json.encode(links)])
