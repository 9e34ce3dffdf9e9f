"""`claimlog event enter`, `change`, `import`, `export`: lists into and out of an event's desk."""

from __future__ import annotations

import csv
import io
import os
from typing import TYPE_CHECKING, Annotated

import typer

from ..files import fail, say, tell, typed_list
from ..language import language, said, tr
from .directing import AnEntrant, meant
from .events import Event, event
from .opening import By, Db, Why, open_archive

if TYPE_CHECKING:
    from claimlog.directing.board import Board
    from claimlog.directing.uploads import EnteredList

LISTS = (".csv", ".txt", ".trf", ".trfx", ".tsv")
"""The suffixes of files with lists: no player has such a name."""
PATHS = ("/", "./", "../", "~/")
"""What paths begin with; within a name there may be a slash."""


@event.command()
def enter(
    event: Event,
    by: By,
    names: Annotated[
        list[str] | None,
        typer.Argument(
            help="The names; without any, a list from standard input: names, CSV with a heading, "
            "or TRF16."
        ),
    ] = None,
    why: Why = "",
    db: Db = None,
) -> None:
    """Enter players, including late ones."""
    for name in names or ():
        if os.path.isfile(name) or name.startswith(PATHS) or name.lower().endswith(LISTS):
            fail(tr("{name} is a file, not a name: claimlog event enter EVENT < {name}", name=name))
    text = "\n".join(names) if names else typed_list()
    with open_archive(db, writing=True) as archive:
        before = len(archive.desk(event).entrants)
        entered = archive.enter_list(event, text, by=by, why=why)
    _tell(entered)
    if len(entered.desk.entrants) == before and not entered.problems:
        fail(tr("there are no names"))
    for one in entered.desk.entrants[before:]:
        tell(f"{one.number:4}  {one.name}")
    raise SystemExit(1 if entered.problems else 0)


def _tell(entered: EnteredList) -> None:
    """Report lines that could not be read."""
    for problem in entered.problems:
        say(problem.worded(language()))


@event.command()
def change(
    event: Event,
    entrant: AnEntrant,
    by: By,
    name: Annotated[str | None, typer.Option(help="The corrected name.")] = None,
    club: Annotated[str | None, typer.Option(help="The club.")] = None,
    team: Annotated[str | None, typer.Option(help="The team.")] = None,
    category: Annotated[
        str | None, typer.Option(help="The category in which they may win a prize.")
    ] = None,
    rating: Annotated[
        float | None, typer.Option(min=0, max=10_000, help="The rating, for the first round.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(min=1, max=10_000, help="The place before the first round.")
    ] = None,
    why: Why = "",
    db: Db = None,
) -> None:
    """Change an entrant's details: name, club, rating and so on."""
    import msgspec

    from claimlog.directing import acts

    given: dict[str, str | float | None] = {
        "name": name,
        "club": club,
        "team": team,
        "category": category,
    }
    given |= {"rating": rating, "seed": seed}
    fields = {key: value for key, value in given.items() if value is not None}
    if not fields:
        fail(tr("nothing to change: give --name, --club or another option"))
    with open_archive(db, writing=True) as archive:
        board = archive.desk(event)
        number = meant(board, entrant)
        new = msgspec.structs.replace(board.entrant(number), **fields)
        board = archive.direct(event, acts.Changed(entrant=new), by=by, why=why)
    one = board.entrant(number)
    rest = (one.club, one.team, one.category, "" if one.rating is None else f"{one.rating:g}")
    tell(f"{one.number:4}  {'; '.join((one.name, *filter(None, rest)))}")


@event.command("import")
def import_event(event: Event, by: By, why: Why = "", db: Db = None) -> None:
    """Import an event of two-player games from TRF16, read from standard input.

    Imports entrants, pairings and results; the event must exist and have no entrants.
    """
    with open_archive(db, writing=True) as archive:
        entered = archive.enter_trf(event, typed_list(), by=by, why=why)
    _tell(entered)
    board = entered.desk
    print(
        tr(
            "{event}: {players} players; rounds: {rounds}",
            event=board.name,
            players=len(board.entrants),
            rounds=len(board.rounds),
        )
    )
    raise SystemExit(1 if entered.problems else 0)


@event.command("export")
def export_event(
    event: Event,
    form: Annotated[
        str,
        typer.Option(
            "--format", "-f", help="json: everything; csv: the results; trf: TRF16, of two players."
        ),
    ] = "json",
    db: Db = None,
) -> None:
    """Export a directed event to standard output, for other programs."""
    import msgspec

    from claimlog.directing.pairing.outcome import Unpairable
    from claimlog.directing.trf import write_trf

    if form not in ("json", "csv", "trf"):
        fail(tr("{value} is not one of {names}", value=form, names="json, csv, trf"))
    with open_archive(db) as archive:
        board = archive.desk(event)
    if form == "json":
        print(msgspec.json.format(msgspec.json.encode(board), indent=1).decode())
    elif form == "csv":
        print(results_csv(board).decode(), end="")
    else:
        try:
            print(write_trf(board), end="")
        except Unpairable as error:
            fail(said(error))


def results_csv(board: Board) -> bytes:
    """All tables of an event with their results, one line each, and the byes.

    `forfeit` are the sides that did not come.
    """
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    seats = range(board.plan.seats)
    players = [f"player{seat + 1}" for seat in seats]
    rows.writerow(["round", "table", *players, "result", "source", "game", "forfeit"])
    for round in board.rounds:
        for table in round.tables:
            names = [board.entrant(one).name for one in table.players]
            names += [""] * (len(seats) - len(names))
            typed = table.result
            ended = ("", "") if typed is None else (typed.result, " ".join(map(str, typed.forfeit)))
            result, absent = ended
            source, game = table.source or "", table.game or ""
            rows.writerow([round.number, table.number, *names, result, source, game, absent])
        for bye in round.byes:
            names = [board.entrant(bye.entrant).name, *[""] * (len(seats) - 1)]
            rows.writerow([round.number, "", *names, "bye", bye.kind, "", ""])
    return out.getvalue().encode()
